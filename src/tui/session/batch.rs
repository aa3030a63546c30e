//! Operations that were submitted together, with one message about their progress and result.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::domain::{OperationKind, Outcome, PlantId};
use crate::tui::input::{Command, Keymap};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch {
    left: BTreeSet<Member>,
    total: usize,
    has_adds: bool,
    /// In the order of [`Outcome::ALL`].
    counts: [usize; Outcome::ALL.len()],
}

/// An operation of a batch: its plant, and `add` or `delete`.
type Member = (PlantId, &'static str);

fn member(kind: &OperationKind) -> Member {
    (kind.plant_id(), kind.word())
}

impl Batch {
    pub fn extend(&mut self, kinds: &[OperationKind]) {
        self.has_adds |= kinds.iter().any(|kind| matches!(kind, OperationKind::Add(_)));
        self.total += kinds.iter().filter(|kind| self.left.insert(member(kind))).count();
    }

    pub fn has(&self, kind: &OperationKind) -> bool {
        self.left.contains(&member(kind))
    }

    pub fn is_over(&self) -> bool {
        self.left.is_empty()
    }

    /// Counts the outcome of one of the operations.
    pub fn count(&mut self, kind: &OperationKind, outcome: Outcome) {
        if self.left.remove(&member(kind)) {
            for (counted, count) in Outcome::ALL.into_iter().zip(&mut self.counts) {
                *count += usize::from(counted == outcome);
            }
        }
    }

    /// Returns the progress, or, at the end, the result with the keys for what is left to do.
    pub fn summary(&self, keys: &Keymap) -> String {
        let accepted = if self.has_adds { Outcome::Accepted.word() } else { "deleted" };
        let words = [accepted, "rejected", Outcome::Unknown.word(), Outcome::NotSent.word()];
        let counts: Vec<_> =
            words.into_iter().zip(self.counts).map(|(word, count)| format!("{count} {word}")).collect();
        let counts = counts.join(", ");
        if !self.is_over() {
            let what = if self.has_adds { "Sending" } else { "Deleting" };
            return format!("{what} {} plants: {counts}, {} to go.", self.total, self.left.len());
        }
        let [_, rejected, unknown, unsent] = self.counts;
        // An unknown add that was sent again and rejected is still unknown.
        let unresolved = unknown + if self.has_adds { rejected } else { 0 };
        let mut text = format!("Of {} plants: {counts}.", self.total);
        for (count, command, does) in [
            (unresolved, Command::Resolve, "resolves unknown ones"),
            (unsent, Command::SendAgain, "sends again those not sent"),
        ] {
            if count > 0 {
                // Writing to a string cannot fail.
                let _ = write!(text, " {} {does}.", keys.shown(command));
            }
        }
        text
    }
}
