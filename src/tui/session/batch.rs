//! Operations that were submitted together, with one message about their progress and result.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::domain::language::Id;
use crate::domain::{ListedPlant, OperationKind, Outcome, PlantId};
use crate::text::number_format::counted;
use crate::tui::input::{Command, Keymap};
use crate::tui::session::plant_questions;
use crate::tui::session::question::Question;
use crate::tui::session::tally::Together;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchTally {
    /// How many of each are under way.
    left: BTreeMap<Member, usize>,
    total: usize,
    adds: usize,
    /// Whether its plants are unknown: they stay unknown if the store rejects the operations.
    pub(super) of_unknown: bool,
    /// In the order of [`Outcome::ALL`].
    counts: [usize; Outcome::ALL.len()],
    /// How many of those that were not sent are not to be sent again: their plants changed.
    pub(super) overtaken: usize,
    /// Whether the store rejected one with 409: it may be the plant that is unknown.
    pub(super) has_conflict: bool,
    /// The plants in the list whose deletes were rejected with 404, each with its unknown operation.
    pub(super) missing: Vec<ListedPlant>,
}

/// An operation of a batch: its plant, and `add` or `delete`.
type Member = (PlantId, &'static str);

fn member(kind: &OperationKind) -> Member {
    (kind.plant_id(), kind.word())
}

impl BatchTally {
    pub fn extend(&mut self, kinds: &[OperationKind], of_unknown: bool) {
        let adds = kinds.iter().filter(|kind| matches!(kind, OperationKind::Add(_))).count();
        self.adds += adds;
        self.of_unknown |= of_unknown;
        self.total += kinds.len();
        for kind in kinds {
            *self.left.entry(member(kind)).or_default() += 1;
        }
    }

    pub fn has(&self, kind: &OperationKind) -> bool {
        self.left.contains_key(&member(kind))
    }

    /// Returns the one question about all plants that the store says it does not have.
    pub fn question(&self) -> Option<Question> {
        (!self.missing.is_empty()).then(|| plant_questions::not_there(&self.missing, None))
    }

    /// Whether the store has accepted one of them.
    pub fn has_accepted(&self) -> bool {
        let mut counts = Outcome::ALL.into_iter().zip(self.counts);
        counts.any(|(outcome, count)| outcome == Outcome::Accepted && count > 0)
    }

    pub fn is_over(&self) -> bool {
        self.left.is_empty()
    }

    /// Counts the outcome of one of the operations.
    pub fn count(&mut self, kind: &OperationKind, outcome: Outcome) {
        if let Some(left) = self.left.get_mut(&member(kind)) {
            *left -= 1;
            self.left.retain(|_, left| *left > 0);
            for (counted, count) in Outcome::ALL.into_iter().zip(&mut self.counts) {
                *count += usize::from(counted == outcome);
            }
        }
    }

    /// Returns the same as `summary` for an audience.
    pub fn together(&self) -> Together {
        let done = match self.adds {
            0 => Id::ManyDeleted,
            adds if adds == self.total => Id::ManyAdded,
            _ => Id::ManyAccepted,
        };
        let counts = self.counts.map(|count| count as u64);
        Together { done, counts, skipped: 0, left: self.left.values().sum::<usize>() as u64 }
    }

    /// Returns the progress, or, at the end, the result with the keys for what is left to do.
    pub fn summary(&self, keys: &Keymap) -> String {
        let accepted = if self.adds > 0 { Outcome::Accepted.word() } else { "deleted" };
        let words = [accepted, "rejected", Outcome::Unknown.word(), Outcome::NotSent.word()];
        let counts: Vec<_> =
            words.into_iter().zip(self.counts).map(|(word, count)| format!("{count} {word}")).collect();
        let counts = counts.join(", ");
        if !self.is_over() {
            let what = if self.adds > 0 { "Sending" } else { "Deleting" };
            return format!("{what} {} plants: {counts}, {} to go.", self.total, self.left.values().sum::<usize>());
        }
        let [accepted, rejected, unknown, unsent] = self.counts;
        let deleted = if self.adds > 0 { 0 } else { accepted };
        let unresolved = unknown + if self.of_unknown { rejected } else { 0 };
        let rejected_adds = if self.adds > 0 && !self.of_unknown { rejected } else { 0 };
        let mut text = format!("Of {} plants: {counts}.", self.total);
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
            (unsent - self.overtaken, Command::SendAgain, "sends again those not sent"),
        ] {
            if count > 0 {
                // Writing to a string cannot fail.
                let _ = write!(text, " {} {does}.", keys.shown(command));
            }
        }
        if self.overtaken > 0 {
            let changed = counted(self.overtaken as u64, "plant was", "plants were");
            let _ = write!(text, " {changed} resolved or changed elsewhere meanwhile; look again.");
        }
        text
    }
}
