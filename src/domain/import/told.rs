//! What a file and an import of it come to, in words.

use std::fmt::Write as _;

use super::{Over, Preview, Progress, Standing, Summary};
use crate::domain::figure::{counted, grouped};

impl Preview {
    /// It line by line, before anything is sent. `skip_bad`: the bad rows are left out, else they keep
    /// back all; `resend_unknown`: rows whose plants are unknown are sent again.
    pub fn told(&self, skip_bad: bool, resend_unknown: bool) -> Vec<String> {
        let Self { format, bad, notes, .. } = self;
        let standing = self.forecast.standing(resend_unknown);
        let all = rows(standing.rows() + bad);
        let mut lines = vec![format!("{}: {all} in all, {} bad.", format.word(), grouped(*bad))];
        lines.extend(notes.iter().map(|note| format!("Note: {note}")));
        lines.extend(standing.skipped_because());
        if standing.resend > 0 {
            let again = rows(standing.resend);
            lines.push(format!("{again}: unknown from before, and sent again; the plants may then be there twice."));
        }
        let to_send = grouped(standing.to_send());
        lines.push(if *bad > 0 && !skip_bad {
            format!("To send: nothing while a row is bad; {to_send} with --skip-bad.")
        } else {
            format!("To send: {to_send}.")
        });
        lines
    }
}

impl Standing {
    /// A line for each reason why rows are not sent.
    fn skipped_because(&self) -> impl Iterator<Item = String> {
        let Self { stored, differs, unknown, busy, .. } = *self;
        let told = [
            (stored, "skipped: stored already"),
            (differs, "not sent: another name or tag is stored at that id; delete it first, or change the id"),
            (
                unknown,
                "not sent: unknown from before; --resend-unknown sends them again, and the plants may then be there twice",
            ),
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
    /// It line by line: the sentence, why rows were not sent, and what to do.
    pub fn lines(&self) -> Vec<String> {
        let progress = &self.progress;
        let mut lines = vec![self.told()];
        lines.extend(progress.skipped.skipped_because());
        lines.extend(progress.resent_told());
        if progress.outcomes.unknown + progress.skipped.unknown + progress.unresolved > 0 {
            lines.push("plants resolve decides about plants that are unknown; u in the terminal interface.".to_owned());
        }
        if progress.left() + progress.outcomes.not_sent + progress.outcomes.rejected > 0 {
            lines.push("Import the same file again, and only what is missing goes out.".to_owned());
        }
        lines
    }

    /// Whether there is more to look at than plants that are all stored now.
    pub fn needs_a_look(&self) -> bool {
        let Progress { outcomes, skipped, .. } = self.progress;
        let other = Standing { stored: 0, ..skipped };
        self.over != Over::Done || outcomes.total() > outcomes.accepted || other.rows() > 0
    }

    /// It in a sentence, and why it halted if it did.
    pub fn told(&self) -> String {
        let Progress { outcomes, skipped, mismatches, .. } = self.progress;
        let begin = match self.over {
            Over::Done => "The import is done",
            Over::Stopped => "The import was stopped",
            Over::Halted(_) => "The import halted",
        };
        let others = [
            (outcomes.rejected, "rejected"),
            (outcomes.unknown, "unknown"),
            (outcomes.not_sent, "not sent"),
            (skipped.stored, "skipped"),
            (skipped.differs, "differing"),
            (skipped.unknown, "unknown from before"),
            (skipped.busy, "busy"),
            (self.progress.left(), "left unsent"),
        ];
        let there = others.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<_> = [(outcomes.accepted, "accepted")]
            .into_iter()
            .chain(there)
            .map(|(count, word)| format!("{} {word}", grouped(count)))
            .collect();
        let mut told = format!("{begin}: {}.", counts.join(", "));
        if mismatches > 0 {
            let responses = counted(mismatches, "response differs", "responses differ");
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

impl Progress {
    /// What sending rows again has resolved, if any were.
    pub fn resent_told(&self) -> Option<String> {
        let Self { resent, unresolved, .. } = *self;
        let again = counted(resent, "unknown plant was", "unknown plants were");
        (resent > 0).then(|| match unresolved {
            0 => format!("{again} sent again: all resolved."),
            _ if unresolved == resent => format!("{again} sent again: nothing was resolved, {STILL_UNKNOWN}"),
            _ => format!(
                "{again} sent again: {} resolved, {} not; {STILL_UNKNOWN}",
                grouped(resent - unresolved),
                grouped(unresolved)
            ),
        })
    }
}

/// What is true of plants that were sent again in vain.
const STILL_UNKNOWN: &str = "those are unknown still. A rejection does not say whether the earlier add arrived: an id that is taken may be taken by that very plant.";

#[cfg(test)]
mod tests {
    use super::super::{Forecast, Outcomes};
    use super::*;

    fn summary(over: Over, outcomes: Outcomes, skipped: Standing) -> Summary {
        let progress = Progress { rows: 1_250, outcomes, skipped, ..Progress::default() };
        Summary { progress, over }
    }

    #[test]
    fn a_preview_counts_what_it_sends() {
        let forecast = Forecast::from(Standing { send: 2, unknown: 1_000, ..Standing::default() });
        let preview = Preview { forecast, ..Preview::default() };
        let left = preview.told(false, false);
        assert!(left.iter().any(|line| line.starts_with("1,000 rows: not sent: unknown from before")));
        assert_eq!(left.last().map(String::as_str), Some("To send: 2."));
        let again = preview.told(false, true);
        assert!(again.iter().any(|line| line.starts_with("1,000 rows: unknown from before, and sent again")));
        assert!(!again.iter().any(|line| line.contains("not sent")));
        assert_eq!(again.last().map(String::as_str), Some("To send: 1,002."));
        let bad = Preview { bad: 1, ..preview };
        let last = |skip_bad| bad.told(skip_bad, false).pop();
        assert_eq!(last(false).as_deref(), Some("To send: nothing while a row is bad; 2 with --skip-bad."));
        assert_eq!(last(true).as_deref(), Some("To send: 2."));
    }

    #[test]
    fn what_is_all_stored_needs_no_look() {
        let outcomes = Outcomes { accepted: 1_203, ..Outcomes::default() };
        let done = summary(Over::Done, outcomes, Standing { stored: 47, ..Standing::default() });
        assert!(!done.needs_a_look());
        assert_eq!(done.told(), "The import is done: 1,203 accepted, 47 skipped.");
        for over in [Over::Stopped, Over::Halted("no".into())] {
            assert!(Summary { over, ..done.clone() }.needs_a_look());
        }
        for other in [(1, 0, 0), (0, 1, 0), (0, 0, 1)] {
            let (differs, unknown, busy) = other;
            let skipped = Standing { differs, unknown, busy, ..Standing::default() };
            assert!(summary(Over::Done, outcomes, skipped).needs_a_look());
        }
    }

    #[test]
    fn every_row_has_a_place_in_the_sentence() {
        let outcomes = Outcomes { accepted: 1_000, rejected: 3, unknown: 2, not_sent: 1 };
        let skipped = Standing { stored: 40, differs: 5, unknown: 3, busy: 1, ..Standing::default() };
        let mut halted = summary(Over::Halted("The store rejects the token.".into()), outcomes, skipped);
        halted.progress.mismatches = 1;
        assert_eq!(
            halted.told(),
            "The import halted: 1,000 accepted, 3 rejected, 2 unknown, 1 not sent, 40 skipped, 5 differing, 3 unknown \
             from before, 1 busy, 195 left unsent. 1 response differs from the document. The store rejects the token."
        );
        assert!(halted.needs_a_look());
    }

    #[test]
    fn what_was_sent_again_in_vain_is_counted() {
        let told = |resent, unresolved| Progress { resent, unresolved, ..Progress::default() }.resent_told();
        assert_eq!(told(0, 0), None);
        assert_eq!(told(2, 0).as_deref(), Some("2 unknown plants were sent again: all resolved."));
        assert!(told(1, 1).unwrap().starts_with("1 unknown plant was sent again: nothing was resolved, those are"));
        assert!(told(5, 2).unwrap().starts_with("5 unknown plants were sent again: 3 resolved, 2 not; those are"));
    }
}
