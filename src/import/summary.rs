//! The result of an import, and the sentences about it.

use std::fmt::Write as _;

use strum::IntoStaticStr;

use super::progress::Progress;
use super::row::RowNote;
use crate::text::capitalized;
use crate::text::number_format::{counted, grouped};

/// Says in a shell what to do after 401 or 403.
pub const TOKEN_REJECTED: &str = "The store rejected the token: set another one (PLANTS_TOKEN, --token-file, --token-stdin, or T \
                                  in the terminal interface).";

/// How an import ended; as a text, the beginning of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, IntoStaticStr)]
pub enum Over {
    /// Every row was sent or skipped.
    #[strum(serialize = "The import is done")]
    Done,
    /// A person stopped the import; the remaining rows were not sent.
    #[strum(serialize = "The import was stopped")]
    Stopped,
    /// The import could not go on, for this reason; the remaining rows were not sent.
    #[strum(serialize = "The import halted")]
    Halted(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub progress: Progress,
    pub over: Over,
    /// The first rows that need a look, by their lines; the others are only counted.
    pub notes: Vec<RowNote>,
}

impl Summary {
    /// The result of an import that could not go on, without notes.
    pub fn halted(progress: Progress, why: impl Into<String>) -> Self {
        Self { progress, over: Over::Halted(why.into()), notes: Vec::new() }
    }

    /// Renders the result line by line: the counts, why rows were not sent, and the next steps.
    pub fn lines(&self) -> Vec<String> {
        let progress = &self.progress;
        let mut lines = vec![self.sentence()];
        lines.extend(progress.unsent.lines());
        lines.extend(progress.resent_sentence());
        lines.extend(progress.pages_sentence());
        if progress.unrecorded > 0 {
            let rows = counted(progress.unrecorded, "row", "rows");
            lines.push(format!(
                "What became of {rows} could not be recorded: their plants may be unknown at the next start, which names them."
            ));
        }
        if progress.has_unknown_plants() {
            lines.push(
                "Decide about unknown plants with plants resolve, or with u in the terminal interface. \
                 --resend-unknown sends them again; they may then be stored twice."
                    .to_owned(),
            );
        }
        if progress.failed_by_store > 1 {
            lines.push(
                "About those that a 5xx left unknown, decide together: plants resolve --match status:5xx \
                 --resend, or --stored, --forget or --delete; in the terminal interface the filter status:5xx, M and u."
                    .to_owned(),
            );
        }
        if progress.is_token_rejected {
            lines.push(TOKEN_REJECTED.to_owned());
        }
        if progress.has_missing() {
            lines.push(format!("{} to send the missing rows only.", progress.import_again()));
        }
        lines
    }

    /// Returns whether there is anything to report besides plants that are stored now.
    pub fn needs_a_look(&self) -> bool {
        let Progress { outcomes, unsent, .. } = self.progress;
        self.over != Over::Done || outcomes.total() > outcomes.accepted || unsent.withheld() > 0
    }

    /// Renders the counts in a sentence, and why the import halted.
    pub fn sentence(&self) -> String {
        let Progress { unsent, mismatches, .. } = self.progress;
        let outcomes = self.progress.all_outcomes();
        let begin = <&str>::from(&self.over);
        let others = [
            (outcomes.rejected, "rejected"),
            (outcomes.unknown, "unknown"),
            (outcomes.not_sent, "not sent"),
            (unsent.skipped(), "skipped"),
            (self.progress.left(), "not tried"),
        ];
        let others = others.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<_> = [(outcomes.accepted, "accepted")]
            .into_iter()
            .chain(others)
            .map(|(count, word)| format!("{} {word}", grouped(count)))
            .collect();
        let mut sentence = format!("{begin}: {}.", counts.join(", "));
        if mismatches > 0 {
            let responses = counted(mismatches, "response differs", "responses differ");
            // Writing to a string cannot fail.
            let _ = write!(sentence, " {responses} from the document.");
        }
        if self.progress.is_slowed {
            sentence.push_str(" It slowed down, because the store asked for fewer requests (429).");
        }
        if let Over::Halted(why) = &self.over {
            let _ = write!(sentence, " {}.", capitalized(why.trim_end_matches('.')));
        }
        sentence
    }
}

#[cfg(test)]
mod tests {
    use super::super::decision::RowCounts;
    use super::*;
    use crate::domain::OutcomeCounts;

    fn summary(over: Over, outcomes: OutcomeCounts, unsent: RowCounts) -> Summary {
        let progress = Progress { rows: 1_250, outcomes, unsent, ..Progress::default() };
        Summary { progress, over, notes: Vec::new() }
    }

    #[test]
    fn an_import_with_stored_plants_only_needs_no_look() {
        let outcomes = OutcomeCounts { accepted: 1_203, ..OutcomeCounts::default() };
        let done = summary(Over::Done, outcomes, RowCounts { stored: 40, repeats: 7, ..RowCounts::default() });
        assert!(!done.needs_a_look());
        assert_eq!(done.sentence(), "The import is done: 1,203 accepted, 47 skipped.");
        for over in [Over::Stopped, Over::Halted("no".into())] {
            assert!(Summary { over, ..done.clone() }.needs_a_look());
        }
        for [differs, contradicts, unknown, busy] in [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] {
            let unsent = RowCounts { differs, contradicts, unknown, busy, ..RowCounts::default() };
            assert!(summary(Over::Done, outcomes, unsent).needs_a_look());
        }
    }

    #[test]
    fn what_resolves_plants_by_status_is_named_only_if_the_store_failed() {
        let outcomes = OutcomeCounts { unknown: 2, ..OutcomeCounts::default() };
        for (failed_by_store, is_named) in [(0, false), (2, true)] {
            let mut done = summary(Over::Done, outcomes, RowCounts::default());
            done.progress.failed_by_store = failed_by_store;
            let names = |words| done.lines().iter().any(|line| line.contains(words));
            assert_eq!((names("plants resolve, or"), names("status:5xx")), (true, is_named));
        }
    }

    #[test]
    fn rows_that_could_not_be_recorded_count_as_unknown_next_time() {
        let mut halted = summary(Over::Halted("no room".into()), OutcomeCounts::default(), RowCounts::default());
        halted.progress.unrecorded = 64;
        let lines = halted.lines().join("\n");
        for part in ["64 rows could not be recorded", "with plants resolve", "--resend-unknown sends them"] {
            assert!(lines.contains(part), "{part}: {lines}");
        }
    }

    #[test]
    fn the_sentence_counts_every_row() {
        let outcomes = OutcomeCounts { accepted: 1_000, rejected: 3, unknown: 2, not_sent: 1 };
        let unsent = RowCounts { stored: 40, differs: 4, contradicts: 1, unknown: 3, busy: 1, ..RowCounts::default() };
        let mut halted = summary(Over::Halted("The store rejects the token.".into()), outcomes, unsent);
        halted.progress.mismatches = 1;
        assert_eq!(
            halted.sentence(),
            "The import halted: 1,000 accepted, 3 rejected, 2 unknown, 10 not sent, 40 skipped, 195 not tried. \
             1 response differs from the document. The store rejects the token."
        );
        assert!(halted.needs_a_look());
        halted.over = Over::Halted("nothing reaches the store".into());
        assert!(halted.sentence().ends_with("from the document. Nothing reaches the store."));
    }
}
