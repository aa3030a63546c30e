//! Why a run leaves a probe out: what the evidence so far, or a plant of an earlier run, forbids.

use super::Run;
use crate::check::deletes::{Effect, effect_of_deletes, ids_are_distinct, why_not_apart};
use crate::check::evidence::{AVOIDED, ProbeResult};
use crate::check::steps::{Need, Step};
use crate::check::test_plant::TestPlant;
use crate::domain::{Exchange, OperationKind, Probe};

impl Run {
    /// Returns why a probe must not be sent, if it must not.
    pub(super) fn reason_to_skip(&self, step: Step, kind: &OperationKind, probe: &Probe) -> Option<String> {
        if !step.is_delete() && self.test_plants.avoid(kind.plant_id(), probe) {
            return Some(AVOIDED.to_owned());
        }
        let is_unsafe = |plant: &TestPlant| !plant.is_safe_to_delete(&self.evidence);
        let may_be_anothers =
            step.is_delete() && self.test_plants.of(step).map_or(self.evidence.has_taken_new_id(), is_unsafe);
        let why = "the response to its create does not show that the plant is the check's";
        self.unmet_need(step, kind).or_else(|| may_be_anothers.then(|| why.into()))
    }

    /// Returns why a probe may not be sent for what it needs.
    fn unmet_need(&self, step: Step, kind: &OperationKind) -> Option<String> {
        match step.need() {
            Need::Nothing => None,
            Need::Accepted(before) => self.not_accepted(before),
            Need::Rejected(before) => {
                let is_about_content = |status| (400..500).contains(&status) && status != 409;
                let rejected = self.evidence.rejected(before).and_then(Exchange::status);
                let is_meant = rejected.is_some_and(|status| before != Step::Create || is_about_content(status));
                (!is_meant).then(|| "the create before it was not rejected for its content".into())
            }
            Need::Delete => self.cannot_delete().map(String::from),
            Need::BlindDelete(before) => {
                let is_shown = self.evidence.accepted(Step::DeleteTwice).is_none();
                let why = || "the store accepts no second delete, so that an accepted one shows the plant".into();
                self.not_accepted(step.plant_step())
                    .or_else(|| self.not_accepted(before))
                    .or_else(|| is_shown.then(why))
            }
            Need::RejectedAlias => {
                let why = "the store rejected no plant that it could take for another";
                let is_rejected = self.evidence.rejected(Step::CreateAlias).is_some();
                self.cannot_delete().or((!is_rejected).then_some(why)).map(String::from)
            }
            Need::CleanUp => self.cannot_clean_up().map(String::from),
            Need::FreeId => self.cannot_clean_up().or_else(|| self.may_hit_another_plant(step)).map(String::from),
            Need::DistinctIds if !step.is_delete() => {
                self.cannot_delete().or(why_not_apart(&self.evidence)).map(String::from)
            }
            Need::DistinctIds => {
                let why =
                    "the store has not shown that it keeps ids apart, so that this delete could hit another plant";
                (!ids_are_distinct(&self.evidence, kind.plant_id())).then(|| why.into())
            }
        }
    }

    /// Returns why the plant of a probe would stay at the store for all that is known, if it would.
    pub(super) fn cannot_delete(&self) -> Option<&'static str> {
        if effect_of_deletes(&self.evidence) == Effect::None {
            Some("deletes have no effect here: a further plant would stay")
        } else {
            let why = "no delete was accepted here: a further plant would stay";
            (!self.test_plants.can_be_deleted()).then_some(why)
        }
    }

    /// Returns why the plant of a probe could stay at the store, if it could.
    fn cannot_clean_up(&self) -> Option<&'static str> {
        let why = "deletes are not proven to work here: a further plant could stay";
        self.cannot_delete().or((effect_of_deletes(&self.evidence) != Effect::Works).then_some(why))
    }

    /// Returns why a create could replace a plant that is not the check's, or use an id up that is not, if it could.
    fn may_hit_another_plant(&self, step: Step) -> Option<&'static str> {
        if self.taken.contains(&self.probe_requests.id(step)) {
            return Some("the list has a plant with this id");
        }
        if self.evidence.accepted(Step::SecondCreate).is_some() {
            return Some("the store accepts a second plant under a taken id, so that this create could replace one");
        }
        if self.evidence.accepted(Step::CreateAgain).is_none() {
            return Some("the store has taken no id a second time, so that this id could be used up");
        }
        let why = "it is unknown whether the store rejects taken ids, so that this create could replace a plant";
        self.evidence.rejected(Step::SecondCreate).is_none().then_some(why)
    }

    /// Returns why a probe that another one needs was not accepted, if it was not.
    fn not_accepted(&self, needed: Step) -> Option<String> {
        let operation = if needed.is_delete() { "delete" } else { "create" };
        match self.evidence.result(needed) {
            ProbeResult::Accepted(..) => None,
            ProbeResult::Skipped(why) => Some(why.to_owned()),
            ended @ (ProbeResult::Rejected(..) | ProbeResult::Unknown(_)) => {
                Some(format!("the {operation} before it was {ended}"))
            }
        }
    }
}
