//! The controls of a run: usual creates, which show whether the store still takes those. What it rejected between two
//! that it took is its behaviour; what lies between two that disagree shows nothing, because a firewall or a lockout
//! stood in front of it. Must not know rules, or how a run sends its requests.

use std::time::Duration;

use super::deletes::{Effect, effect_of_deletes};
use super::evidence::Evidence;
use super::pacing::PATIENCE;
use super::steps::Step;
use crate::domain::{Exchange, Outcome};

/// Equal rejections in a row after which a control is sent.
const ALIKE: usize = 4;

/// Returns how many controls a run of so many probes sends at most to a store that takes them: for equal rejections, at
/// the end of groups, and after usual creates that were rejected.
pub(super) fn most_controls(probes: usize) -> usize {
    probes / ALIKE + 8
}

#[derive(Debug, Clone, Default)]
pub(super) struct Controls {
    sent: u64,
    /// Where the evidence goes on after the last usual create that the store took.
    since: usize,
    /// Whether one is to be sent at once.
    pub(super) is_wanted: bool,
    /// How many in a row the store did not take.
    failed: usize,
    /// Whether it rejected one of them.
    has_rejected: bool,
    /// Whether it rejected one for another reason than a taken id, which shows that the store does not keep ids apart.
    is_blocked: bool,
}

/// What the end of a control means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Control {
    /// The store took it, or none was accepted or rejected.
    Passed,
    /// The store takes usual creates again, and did not before.
    TakenAgain,
    /// Another control is to follow after this pause.
    Again(Duration),
    /// The store does not take usual creates any more.
    Rejected,
}

impl Controls {
    /// Whether to send a control before the next probe: after equal rejections in a row, at the end of a group that has
    /// rejections, and when the store did not take a usual create.
    pub(super) fn are_due(&self, evidence: &Evidence, last: Option<Step>, next: Option<Step>) -> bool {
        if evidence.accepted(Step::Create).is_none() {
            return false;
        }
        if self.is_wanted {
            return true;
        }
        // The next probe is a control itself; and where deletes prove nothing, each control would stay.
        if next.is_some_and(Step::is_usual_create) || effect_of_deletes(evidence) == Effect::Unproven {
            return false;
        }
        let rejected = evidence.rejections_since(self.since);
        let are_alike =
            rejected.len() >= ALIKE && rejected.iter().rev().take(ALIKE).all(|one| Some(one) == rejected.last());
        let ends_group = last.zip(next).is_none_or(|(last, next)| !next.is_in_group_of(last));
        are_alike || (ends_group && !rejected.is_empty())
    }

    /// Returns the number of the next control, from 1.
    pub(super) fn next_number(&mut self) -> u64 {
        self.is_wanted = false;
        self.sent += 1;
        self.sent
    }

    pub(super) fn finish(&mut self, evidence: &Evidence, exchange: &Exchange) -> Control {
        if is_taken_as_usual(evidence, exchange) {
            return if self.is_blocked { Control::TakenAgain } else { Control::Passed };
        }
        // A page in place of the response comes from another server; and each would be another plant to delete.
        let is_page = exchange.outcome() == Outcome::Accepted;
        self.has_rejected |= is_page || exchange.outcome() == Outcome::Rejected;
        self.is_blocked |= self.has_rejected && exchange.status() != Some(409);
        match PATIENCE.get(self.failed).filter(|_| !is_page) {
            Some(pause) => {
                self.failed += 1;
                self.is_wanted = true;
                Control::Again(*pause)
            }
            None if self.has_rejected => Control::Rejected,
            None => Control::Passed,
        }
    }

    /// Begins after the evidence so far. Returns where the evidence since the last beginning is.
    pub(super) fn go_on(&mut self, evidence: &Evidence) -> usize {
        (self.failed, self.has_rejected, self.is_blocked) = (0, false, false);
        std::mem::replace(&mut self.since, evidence.len())
    }
}

/// Whether the store accepted a usual create, with a response of the same media type as the first.
pub(super) fn is_taken_as_usual(evidence: &Evidence, create: &Exchange) -> bool {
    create.outcome() == Outcome::Accepted && evidence.is_like_that_of(Step::Create, create)
}
