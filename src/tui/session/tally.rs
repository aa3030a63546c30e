//! What became of several plants that a person changed together, in words for an audience. Must not know how it is drawn.

use crate::domain::language::Id;
use crate::domain::latency_stats::WORST_FIRST;
use crate::domain::{Message, Outcome, OutcomeCounts};

/// What became of what a person did to several plants at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Together {
    /// What was done where it was accepted.
    pub(crate) done: Id,
    pub outcomes: OutcomeCounts,
    pub skipped: u64,
    /// How many are still under way.
    pub left: u64,
}

impl Together {
    pub fn sentences(&self) -> Vec<Message> {
        let OutcomeCounts { accepted, rejected, unknown, not_sent } = self.outcomes;
        let counts = [
            (self.done, accepted),
            (Id::ManyRejected, rejected),
            (Id::QuitUnknown, unknown),
            (Id::ManyNotSent, not_sent),
            (Id::LeftOut, self.skipped),
            (Id::ManyLeft, self.left),
        ];
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        counts.map(|(id, count)| id.with("count", count.to_string())).collect()
    }

    /// Returns the gravest outcome so far; none where some were accepted, and others rejected or not sent.
    pub fn outcome(&self) -> Option<Outcome> {
        let worst = WORST_FIRST.into_iter().find(|worst| self.outcomes.there().any(|(outcome, _)| outcome == *worst));
        worst.filter(|worst| matches!(worst, Outcome::Accepted | Outcome::Unknown) || self.outcomes.accepted == 0)
    }
}
