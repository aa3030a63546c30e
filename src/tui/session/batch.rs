//! Operations that were submitted together, with one message about their progress and result.

use std::fmt::Write as _;

use crate::domain::language::Id;
use crate::domain::{ListedPlant, OperationKind, Outcome, OutcomeCounts};
use crate::import::accepted_pages;
use crate::text::number_format::counted;
use crate::tui::input::{Command, Keymap};
use crate::tui::session::tally::Together;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchTally {
    /// Those that are under way.
    left: Vec<OperationKind>,
    total: u64,
    adds: u64,
    rejected_adds: u64,
    /// Whether its plants are unknown: they stay unknown if the store rejects the operations.
    pub(super) of_unknown: bool,
    pub(super) outcomes: OutcomeCounts,
    /// How many of the accepted ones came with a web page.
    pub(super) pages: u64,
    /// How many of those that were not sent are not to be sent again: their plants changed.
    pub(super) overtaken: u64,
    /// Whether the store rejected one with 409: it may be the plant that is unknown.
    pub(super) has_conflict: bool,
    /// The plants in the list whose deletes were rejected with 404, each with its unknown operation.
    pub(super) missing: Vec<ListedPlant>,
}

impl BatchTally {
    pub fn extend(&mut self, kinds: &[OperationKind], of_unknown: bool) {
        self.of_unknown |= of_unknown;
        self.total += kinds.len() as u64;
        self.adds += kinds.iter().filter(|kind| kind.plant().is_some()).count() as u64;
        self.left.extend_from_slice(kinds);
    }

    pub fn has(&self, kind: &OperationKind) -> bool {
        self.left.contains(kind)
    }

    pub fn is_over(&self) -> bool {
        self.left.is_empty()
    }

    /// Counts the outcome of one of the operations.
    pub fn count(&mut self, kind: &OperationKind, outcome: Outcome) {
        if let Some(at) = self.left.iter().position(|left| left == kind) {
            self.left.swap_remove(at);
            self.outcomes.count(outcome);
            self.rejected_adds += u64::from(outcome == Outcome::Rejected && kind.plant().is_some());
        }
    }

    /// Returns the same as `summary` for an audience.
    pub fn together(&self) -> Together {
        let done = match self.adds {
            0 => Id::ManyDeleted,
            adds if adds == self.total => Id::ManyAdded,
            _ => Id::ManyAccepted,
        };
        Together { done, outcomes: self.outcomes, skipped: 0, left: self.left.len() as u64 }
    }

    /// Returns the progress, or, at the end, the result with the keys for what is left to do.
    pub fn summary(&self, keys: &Keymap) -> String {
        let OutcomeCounts { accepted, rejected, unknown, not_sent } = self.outcomes;
        let [what, done] = if self.adds > 0 { ["Sending", "accepted"] } else { ["Deleting", "deleted"] };
        let counts = format!("{accepted} {done}, {rejected} rejected, {unknown} unknown, {not_sent} not sent");
        if !self.is_over() {
            return format!("{what} {} plants: {counts}, {} to go.", self.total, self.left.len());
        }
        let deleted = if self.adds > 0 { 0 } else { accepted };
        let unresolved = unknown + if self.of_unknown { rejected } else { 0 };
        let rejected_adds = if self.of_unknown { 0 } else { self.rejected_adds };
        let mut text = format!("Of {} plants: {counts}.", self.total);
        // Writing to a string cannot fail.
        let _ = accepted_pages(self.pages).map(|pages| write!(text, " {pages}"));
        if self.of_unknown && rejected > 0 {
            let all = if unresolved == self.total { "All " } else { "" };
            let stay = if unresolved == 1 { "stays" } else { "stay" };
            let own = if self.has_conflict { "; a 409 may be your own plant" } else { "" };
            let _ = write!(text, " {all}{unresolved} {stay} unknown{own}.");
        }
        for (count, command, does) in [
            (unresolved, Command::Resolve, "resolves unknown ones"),
            (rejected_adds, Command::ReAdd, "finds the rejected ones"),
            (deleted, Command::Undo, "re-adds the deleted ones"),
            (not_sent - self.overtaken, Command::SendAgain, "sends again those not sent"),
        ] {
            if count > 0 {
                let _ = write!(text, " {} {does}.", keys.shown(command));
            }
        }
        if self.overtaken > 0 {
            let changed = counted(self.overtaken, "plant was", "plants were");
            let _ = write!(text, " {changed} resolved or changed elsewhere meanwhile; look again.");
        }
        text
    }
}
