//! What became of several plants that a person changed together, in words for an audience. Must not know how it is drawn.

use crate::domain::language::Id;
use crate::domain::{Message, Outcome};

/// What became of what a person did to several plants at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Together {
    /// What was done where it was accepted.
    pub(crate) done: Id,
    /// In the order of [`Outcome::ALL`].
    pub counts: [u64; Outcome::ALL.len()],
    pub skipped: u64,
    /// How many are still under way.
    pub left: u64,
}

impl Together {
    pub fn sentences(&self) -> Vec<Message> {
        let [accepted, rejected, unknown, unsent] = self.counts;
        let counts = [
            (self.done, accepted),
            (Id::ManyRejected, rejected),
            (Id::QuitUnknown, unknown),
            (Id::ManyNotSent, unsent),
            (Id::LeftOut, self.skipped),
            (Id::ManyLeft, self.left),
        ];
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        counts.map(|(id, count)| id.with("count", count.to_string())).collect()
    }

    /// Returns the gravest outcome so far.
    pub fn outcome(&self) -> Option<Outcome> {
        let [accepted, rejected, unknown, unsent] = self.counts;
        let gravest_first = [
            (unknown, Outcome::Unknown),
            (rejected, Outcome::Rejected),
            (unsent, Outcome::NotSent),
            (accepted, Outcome::Accepted),
        ];
        gravest_first.into_iter().find(|(count, _)| *count > 0).map(|(_, outcome)| outcome)
    }
}
