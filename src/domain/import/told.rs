//! What a file and an import of it come to, in words.

use std::fmt::Write as _;

use super::{Over, Preview, Progress, Standing, Summary};
use crate::domain::figure::{counted, grouped};

impl Preview {
    /// It line by line, before anything is sent; `resend_unknown`: what is in doubt goes out again.
    pub fn told(&self, resend_unknown: bool) -> Vec<String> {
        let Self { format, bad, standing, notes, .. } = self;
        let all = rows(standing.rows() + bad);
        let mut lines = vec![format!("{}: {all} in all, {} bad.", format.word(), grouped(*bad))];
        lines.extend(notes.iter().map(|note| format!("Note: {note}")));
        let again = if resend_unknown { standing.in_doubt } else { 0 };
        lines.extend(Standing { in_doubt: standing.in_doubt - again, ..*standing }.passed_over());
        if again > 0 {
            lines.push(format!(
                "{}: in doubt from before, and sent again; they might then be there twice.",
                rows(again)
            ));
        }
        lines.push(format!("To send: {}.", grouped(standing.to_send(resend_unknown))));
        lines
    }
}

impl Standing {
    /// A line for each reason why rows are not sent.
    fn passed_over(&self) -> impl Iterator<Item = String> {
        let Self { stored, otherwise, in_doubt, busy, .. } = *self;
        let told = [
            (stored, "stored already"),
            (otherwise, "not sent: the view has another name or tag at that id; delete it first, or change the id"),
            (in_doubt, "in doubt from before, and not sent again unless told so; they might then be there twice"),
            (busy, "not sent: being added or deleted at this moment"),
        ];
        let there = told.into_iter().filter(|(count, _)| *count > 0);
        there.map(|(count, what)| format!("{}: {what}.", rows(count)))
    }
}

fn rows(count: u64) -> String {
    counted(count, "row", "rows")
}

impl Summary {
    /// It line by line: the sentence, why rows were passed over, and what to do.
    pub fn lines(&self) -> Vec<String> {
        let progress = &self.progress;
        let mut lines = vec![self.told()];
        lines.extend(progress.passed_over.passed_over());
        if progress.outcomes.unknown > 0 {
            lines.push("What is unknown is in the view, in doubt; the terminal interface settles it (u).".to_owned());
        }
        if progress.left() + progress.outcomes.not_sent + progress.outcomes.refused > 0 {
            lines.push("Import the same file again, and only what is missing goes out.".to_owned());
        }
        lines
    }

    /// Whether there is more to look at than plants that are all stored now.
    pub fn needs_a_look(&self) -> bool {
        let Progress { outcomes, passed_over, .. } = self.progress;
        let other = Standing { stored: 0, ..passed_over };
        self.over != Over::Done || outcomes.total() > outcomes.accepted || other.rows() > 0
    }

    /// It in a sentence, and why it halted if it did.
    pub fn told(&self) -> String {
        let Progress { outcomes, passed_over, unlike_document, .. } = self.progress;
        let begin = match self.over {
            Over::Done => "The import is done",
            Over::Stopped => "The import was stopped",
            Over::Halted(_) => "The import halted",
        };
        let others = [
            (outcomes.refused, "refused"),
            (outcomes.unknown, "unknown"),
            (outcomes.not_sent, "not sent"),
            (passed_over.stored, "stored before"),
            (passed_over.rows() - passed_over.stored, "passed over"),
            (self.progress.left(), "left unsent"),
        ];
        let there = others.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<_> = [(outcomes.accepted, "accepted")]
            .into_iter()
            .chain(there)
            .map(|(count, word)| format!("{} {word}", grouped(count)))
            .collect();
        let mut told = format!("{begin}: {}.", counts.join(", "));
        if unlike_document > 0 {
            let responses = counted(unlike_document, "response differs", "responses differ");
            // Writing to a string cannot fail.
            let _ = write!(told, " {responses} from the document.");
        }
        if self.progress.is_slowed {
            told.push_str(" It went slower for a while: the store asked for fewer requests (429).");
        }
        if let Over::Halted(why) = &self.over {
            let _ = write!(told, " {why}");
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::super::Outcomes;
    use super::*;

    fn summary(over: Over, outcomes: Outcomes, passed_over: Standing) -> Summary {
        let progress = Progress { rows: 1_250, outcomes, passed_over, ..Progress::default() };
        Summary { progress, over }
    }

    #[test]
    fn a_preview_counts_what_it_sends() {
        let standing = Standing { missing: 2, in_doubt: 1_000, ..Standing::default() };
        let preview = Preview { standing, ..Preview::default() };
        let left = preview.told(false);
        assert!(left.iter().any(|line| line.starts_with("1,000 rows: in doubt from before, and not sent again")));
        assert_eq!(left.last().map(String::as_str), Some("To send: 2."));
        let again = preview.told(true);
        assert!(again.iter().any(|line| line.starts_with("1,000 rows: in doubt from before, and sent again")));
        assert!(!again.iter().any(|line| line.contains("not sent again")));
        assert_eq!(again.last().map(String::as_str), Some("To send: 1,002."));
    }

    #[test]
    fn what_is_all_stored_needs_no_look() {
        let outcomes = Outcomes { accepted: 1_203, ..Outcomes::default() };
        let done = summary(Over::Done, outcomes, Standing { stored: 47, ..Standing::default() });
        assert!(!done.needs_a_look());
        assert_eq!(done.told(), "The import is done: 1,203 accepted, 47 stored before.");
        for over in [Over::Stopped, Over::Halted("no".into())] {
            assert!(Summary { over, ..done.clone() }.needs_a_look());
        }
        for other in [(1, 0, 0), (0, 1, 0), (0, 0, 1)] {
            let (otherwise, in_doubt, busy) = other;
            let passed_over = Standing { otherwise, in_doubt, busy, ..Standing::default() };
            assert!(summary(Over::Done, outcomes, passed_over).needs_a_look());
        }
    }

    #[test]
    fn every_row_has_a_place_in_the_sentence() {
        let outcomes = Outcomes { accepted: 1_000, refused: 3, unknown: 2, not_sent: 1 };
        let passed_over = Standing { stored: 40, otherwise: 5, in_doubt: 3, busy: 1, missing: 0 };
        let mut halted = summary(Over::Halted("The store refuses the token.".into()), outcomes, passed_over);
        halted.progress.unlike_document = 1;
        assert_eq!(
            halted.told(),
            "The import halted: 1,000 accepted, 3 refused, 2 unknown, 1 not sent, 40 stored before, 9 passed over, 195 \
             left unsent. 1 response differs from the document. The store refuses the token."
        );
        assert!(halted.needs_a_look());
    }
}
