//! The plants of a run: which may be at the store, and which deletes remove them. A delete names an id that this run,
//! or an earlier one, sent in a create; an id that the store returned is shown and never used, because nothing proves
//! that it is the plant's key. Must not know rules, or when a run sends its requests.

use std::collections::VecDeque;

use super::deletes::{
    Effect, accepted_delete_proves_presence, accepted_delete_shows_a_survivor, creates_are_late, effect_of_deletes,
    ids_are_distinct,
};
use super::evidence::{
    Evidence, Origin, id_as_written, is_about_the_caller, is_not_found, is_rejected_for_content, is_same_number, line,
};
use super::leftover::{CleanUp, EarlierLeftover, FIXED_IDS, LastDelete, Leftover, is_safe, paths, safe_paths, shape};
use super::probe_requests::{is_large, is_ordinary};
use super::steps::Step;
use crate::domain::mismatch::differences;
use crate::domain::{Exchange, Outcome, PlantId, Probe};

/// A plant of the check that is, or may be, at the store.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the facts are independent of each other")]
pub(super) struct TestPlant {
    pub(super) origin: Origin,
    pub(super) id: PlantId,
    name: String,
    /// How the create differed from the document.
    probe: Probe,
    /// Whether a create was accepted.
    accepted: bool,
    /// How many plants with this id there may be.
    copies: usize,
    /// How many creates were rejected that the store may have carried out all the same: as many deletes show it.
    suspects: usize,
    /// Whether the plant may be there although nothing is under its id.
    may_be_elsewhere: bool,
    /// Whether the plant may not be there: its last create shows no plant, or a delete that proves nothing may have
    /// removed it.
    may_be_absent: bool,
    /// Whether the store rejected a delete without the right token, or a page came in place of its response: it may have
    /// carried that out all the same.
    was_denied: bool,
    /// Path segments to try in deletes.
    untried: VecDeque<String>,
    /// Path segments whose deletes decided nothing.
    unresolved: Vec<String>,
    /// Where the evidence has the last accepted delete with the token.
    deleted: Option<usize>,
    /// Whether the store has rejected another delete after that one.
    is_confirmed: bool,
    /// Whether one was accepted that a control took back.
    was_distrusted: bool,
    /// Whether any delete was accepted: then a rejection means that the plant is gone.
    any_delete_accepted: bool,
    /// The last delete with the token, if it was not accepted.
    failed_delete: Option<Exchange>,
    /// How the deletes of earlier runs ended.
    last_delete: LastDelete,
    /// Why the plant may be there.
    why: String,
    /// Whether no check can delete the plant: see [`EarlierLeftover::stays`].
    stays: bool,
}

/// All plants of a run, and those of earlier runs.
#[derive(Debug, Clone, Default)]
pub(super) struct TestPlants {
    all: Vec<TestPlant>,
}

impl From<&EarlierLeftover> for TestPlant {
    fn from(left: &EarlierLeftover) -> Self {
        Self {
            accepted: left.accepted,
            copies: 1,
            // Requests of an earlier run cannot arrive any more.
            may_be_elsewhere: left.probe.leaves_id_open,
            may_be_absent: !left.accepted || left.last_delete.may_have_worked(),
            last_delete: left.last_delete,
            untried: safe_paths(left.id, &left.probe, left.accepted),
            why: "An earlier check created it".to_owned(),
            stays: left.stays(),
            origin: Origin::EarlierRun,
            id: left.id,
            name: left.name.clone(),
            probe: left.probe.clone(),
            ..Self::default()
        }
    }
}

impl TestPlant {
    /// Whether a delete of this plant can hit no other person's: the store itself accepted its create, or keeps ids apart.
    pub(super) fn is_safe_to_delete(&self, evidence: &Evidence) -> bool {
        self.accepted || ids_are_distinct(evidence, self.id)
    }

    /// Whether an earlier run's plant can be deleted as soon as deletes are proven to work: no later probe shows more.
    pub(super) fn is_early(&self) -> bool {
        is_ordinary(self.id) || is_large(self.id)
    }

    /// Returns the path segments of its deletes.
    fn paths(&self) -> VecDeque<String> {
        let is_earlier = self.origin == Origin::EarlierRun;
        if is_earlier { safe_paths(self.id, &self.probe, self.accepted) } else { paths(self.id, &self.probe) }
    }

    fn has_ordinary_id(&self) -> bool {
        is_ordinary(self.id) && (self.origin == Origin::EarlierRun || !self.probe.leaves_id_open)
    }

    /// Whether a second delete shows that the plant is gone, and can hit no other.
    fn can_be_confirmed(&self) -> bool {
        self.has_ordinary_id() && self.origin != Origin::EarlierRun
    }

    /// Whether the store, which accepts deletes, rejected one by the integer that the create sent in another form.
    fn has_other_id(&self, evidence: &Evidence) -> bool {
        let failed = self.failed_delete.as_ref().filter(|_| self.probe.leaves_id_open && self.untried.is_empty());
        evidence.accepted(Step::Delete).is_some()
            && failed.is_some_and(|failed| is_rejected_for_content(failed) && !evidence.is_foreign(failed))
    }

    /// Notes a create that was accepted, or is unknown.
    fn created(&mut self, evidence: &Evidence, exchange: &Exchange) {
        // A page in place of the response comes from another server: the store may have another person's plant there.
        let is_like_the_first = evidence.is_like_that_of(Step::Create, exchange);
        let is_shown = exchange.outcome() == Outcome::Accepted && is_like_the_first;
        self.copies += 1;
        self.accepted |= is_shown;
        self.may_be_absent = !is_shown && (self.copies == 1 || self.may_be_absent);
        // If the plant is created again, earlier deletes were for the plant before.
        if self.copies == 1 {
            self.untried = self.paths();
            self.untried.retain(|path| self.accepted || is_safe(path));
        }
        self.any_delete_accepted = false;
        // A page in place of a response that is known otherwise is not about another plant.
        let is_foreign = evidence.accepted(Step::Create).is_some() && exchange.is_page();
        self.may_be_elsewhere |= !is_foreign && may_be_elsewhere(exchange);
    }

    fn clean_up(&self, evidence: &Evidence, effect: Effect) -> CleanUp {
        // The run has shown all that it can about ids, and would have sent the delete.
        let could_be_shown = evidence.accepted(Step::Delete).is_some() && evidence.has(Step::DeleteNeighbour);
        let may_hit_another = !self.accepted && could_be_shown && !ids_are_distinct(evidence, self.id);
        let stayed_before = self.last_delete == LastDelete::WithoutEffect;
        let may_be_gone = self.copies == 0 || self.may_be_absent;
        if (stayed_before && !may_be_gone) || (self.copies == 0 && effect == Effect::None) {
            CleanUp::Ineffective
        } else if self.copies == 0 {
            // The next check still has to delete a plant that stayed before.
            if stayed_before { CleanUp::Pending } else { CleanUp::Unproven }
        } else if self.origin != Origin::EarlierRun && evidence.has_only_pages() {
            CleanUp::Doubtful
        } else if !paths(self.id, &self.probe).contains(&self.id.to_string()) || self.has_other_id(evidence) {
            CleanUp::Unnumbered
        } else if may_hit_another || safe_paths(self.id, &self.probe, self.accepted).is_empty() {
            CleanUp::Unsafe
        } else if self.failed_delete.is_some() || matches!(self.last_delete, LastDelete::Unknown | LastDelete::Failed) {
            CleanUp::Failed
        } else {
            CleanUp::Pending
        }
    }
}

impl TestPlants {
    /// Of several creates of an id, the last one stands for all.
    pub(super) fn of_earlier_runs(leftovers: &[EarlierLeftover]) -> Self {
        let mut all = Vec::<TestPlant>::new();
        for plant in leftovers.iter().map(TestPlant::from) {
            match all.iter_mut().find(|before| before.id == plant.id) {
                Some(before) => *before = TestPlant { copies: before.copies + 1, ..plant },
                None => all.push(plant),
            }
        }
        Self { all }
    }

    /// Returns the plant of a step, if its create was sent.
    pub(super) fn of(&self, step: Step) -> Option<&TestPlant> {
        self.all.iter().find(|plant| plant.origin == Origin::Probe(step.plant_step()))
    }

    /// Whether the store has accepted the delete of a plant of the check.
    pub(super) fn can_be_deleted(&self) -> bool {
        self.all.iter().any(|plant| plant.deleted.is_some())
    }

    /// Whether the store accepted a second delete of a plant, which shows that the plant was still there.
    fn any_stayed(&self, evidence: &Evidence) -> bool {
        let was_there = |plant: &TestPlant| {
            let is_over = plant.untried.is_empty() && plant.failed_delete.is_none();
            plant.deleted.is_some() && !plant.is_confirmed && is_over && plant.can_be_confirmed()
        };
        accepted_delete_shows_a_survivor(evidence) && self.all.iter().any(was_there)
    }

    /// Whether the store responds like this where there is no plant, as to the second delete of one of the run.
    pub(super) fn is_explained(&self, failed: &Exchange) -> bool {
        let was_deleted = self.all.iter().filter(|plant| plant.deleted.is_some());
        was_deleted.filter_map(|plant| plant.failed_delete.as_ref()).any(|again| {
            again.status().is_some()
                && (again.status() == failed.status() || (is_not_found(again) && is_not_found(failed)))
        })
    }

    /// Whether an earlier run left a plant of this shape that no check can delete. A large one that the store did not
    /// find is created once more: see [`EarlierRuns::first_requests`](super::earlier_runs::EarlierRuns::first_requests).
    pub(super) fn avoid(&self, id: PlantId, probe: &Probe) -> bool {
        let is_same = |plant: &TestPlant| is_large(id) && plant.id.0 | 1 == id.0 | 1;
        let was_absent = |plant: &TestPlant| plant.failed_delete.as_ref().is_some_and(is_not_found);
        let mut staying = self.all.iter().filter(|plant| plant.stays && plant.copies > 0);
        staying.any(|plant| {
            let is_alike = shape(plant.id, &plant.probe) == shape(id, probe);
            is_alike && !(is_same(plant) && was_absent(plant))
        })
    }

    /// Notes the end of a probe's create: whether its plant may be there.
    pub(super) fn created(&mut self, step: Step, evidence: &Evidence, exchange: &Exchange) {
        let is_left = may_have_created(evidence, exchange);
        let is_suspect = !is_left && exchange.outcome() == Outcome::Rejected && may_be_stored(step, evidence, exchange);
        if !is_left && !is_suspect {
            return;
        }
        // The id was free, so that the plant of an earlier run is not there; or this one stands for both.
        let id = exchange.operation.kind.plant_id();
        let is_one = |plant: &TestPlant| FIXED_IDS.contains(&id) || (!plant.accepted && is_ordinary(id));
        let is_same = |plant: &&mut TestPlant| plant.origin == Origin::EarlierRun && plant.id == id && is_one(plant);
        self.all.iter_mut().filter(is_same).for_each(|plant| plant.copies = 0);
        let Some(plant) = self.of_create(Origin::Probe(step.plant_step()), exchange) else { return };
        if is_suspect {
            plant.suspects += 1;
            if plant.untried.is_empty() {
                plant.untried = plant.paths();
            }
        } else {
            plant.created(evidence, exchange);
        }
    }

    /// Notes the end of a control.
    pub(super) fn add_control(&mut self, evidence: &Evidence, exchange: &Exchange) {
        if may_have_created(evidence, exchange)
            && let Some(plant) = self.of_create(Origin::Control, exchange)
        {
            plant.created(evidence, exchange);
        }
    }

    /// Returns the plant of this origin that a create is for, with its first create a new one.
    fn of_create(&mut self, origin: Origin, create: &Exchange) -> Option<&mut TestPlant> {
        let operation = &create.operation;
        let (id, plant) = (operation.kind.plant_id(), operation.kind.plant()?);
        if !self.all.iter().any(|known| (known.origin, known.id) == (origin, id)) {
            let (name, probe) = (plant.name.clone(), operation.probe.clone().unwrap_or_default());
            self.all.push(TestPlant { origin, id, name, probe, why: line(create), ..TestPlant::default() });
        }
        self.all.iter_mut().find(|known| (known.origin, known.id) == (origin, id))
    }

    /// Notes the end of a delete of a plant of this origin, if the plant may be there.
    pub(super) fn deleted(&mut self, origin: Origin, evidence: &Evidence, exchange: &Exchange) {
        let id = exchange.operation.kind.plant_id();
        let has_token = exchange.has_token();
        let is_like_unused = has_token && evidence.is_like_unused(exchange);
        // By any status that this store has for unused ids, which may have other reasons as well.
        let is_absent = is_like_unused || evidence.means_absent(exchange);
        let was_deleted =
            |is_meant: fn(&TestPlant) -> bool| self.all.iter().any(|plant| plant.deleted.is_some() && is_meant(plant));
        let are_doubtful = matches!(effect_of_deletes(evidence), Effect::Unproven | Effect::None);
        let ordinary_ids_work = was_deleted(TestPlant::has_ordinary_id) && !are_doubtful;
        // The store deleted exactly the plant with a large id: then it does so for every id.
        let all_ids_work = was_deleted(|plant| plant.origin == Origin::Probe(Step::CreateBig));
        let Some(plant) = self.all.iter_mut().find(|plant| (plant.origin, plant.id) == (origin, id)) else { return };
        // The other id that is the same double: the store did not take both.
        let twin_was_deleted = !are_doubtful
            && plant.origin == Origin::Probe(Step::CreateBig)
            && evidence.rejected(Step::CreateTwin).is_some()
            && evidence.accepted(Step::DeleteTwin).is_some();
        let path_id = exchange.operation.probe.as_ref().and_then(|probe| probe.path_id.clone());
        let path = path_id.unwrap_or_else(|| plant.id.to_string());
        let was_gone = plant.copies == 0 && plant.suspects == 0 && plant.any_delete_accepted;
        if has_token {
            if plant.copies == 0 {
                plant.suspects = plant.suspects.saturating_sub(1);
            }
            plant.untried.retain(|untried| *untried != path);
            plant.failed_delete = (exchange.outcome() != Outcome::Accepted).then(|| exchange.clone());
        }
        match exchange.outcome() {
            Outcome::Accepted | Outcome::Rejected if evidence.is_foreign(exchange) => {
                plant.was_denied |= !has_token;
                if has_token {
                    plant.unresolved.push(path);
                    plant.why = line(exchange);
                }
            }
            Outcome::Accepted => {
                (plant.may_be_absent, plant.any_delete_accepted) = (false, true);
                // Without the token an accepted delete proves nothing.
                if has_token {
                    // A delete of a plant that was deleted before shows nothing, and is not repeated.
                    let is_known = plant.copies == 0 && plant.deleted.is_some();
                    plant.untried = if is_known { VecDeque::new() } else { plant.paths() };
                    (plant.deleted, plant.is_confirmed) = (Some(evidence.len()), false);
                    plant.copies = plant.copies.saturating_sub(1);
                    plant.unresolved.clear();
                    // This store rejects the delete of an absent plant.
                    if is_known && plant.last_delete == LastDelete::WithoutEffect {
                        (plant.copies, plant.deleted, plant.failed_delete) = (1, None, Some(exchange.clone()));
                    }
                }
            }
            Outcome::Rejected | Outcome::Unknown if is_absent && plant.any_delete_accepted => {
                (plant.copies, plant.suspects, plant.is_confirmed) = (0, 0, true);
                plant.deleted.get_or_insert(evidence.len());
            }
            // An earlier run deleted it.
            Outcome::Rejected | Outcome::Unknown
                if is_like_unused && plant.last_delete == LastDelete::AfterAccepted =>
            {
                plant.copies = 0;
            }
            // Nothing is left that this delete may have been for.
            Outcome::Unknown if was_gone && has_token => plant.unresolved.push(path),
            // No delete was accepted: only this response shows that the plant is gone.
            Outcome::Rejected if is_not_found(exchange) && has_token => {
                let is_earlier = plant.origin == Origin::EarlierRun;
                let may_be_gone = plant.may_be_absent || twin_was_deleted || is_earlier;
                let is_plain = plant.has_ordinary_id() || plant.was_distrusted || (is_earlier && all_ids_work);
                let may_appear = creates_are_late(evidence);
                let is_known = may_be_gone && is_plain && ordinary_ids_work && !plant.may_be_elsewhere && !may_appear;
                if plant.copies > 0 && (is_known || twin_was_deleted) && path == plant.id.to_string() {
                    plant.copies = 0;
                } else if plant.copies > 0
                    && if is_earlier { may_appear || !ordinary_ids_work || is_large(plant.id) } else { plant.accepted }
                {
                    // The store may not have the plant yet. Of an earlier run's, a delete of this run shows later what
                    // this response means.
                    plant.unresolved.push(path);
                }
                plant.why = line(exchange);
            }
            Outcome::Rejected if has_token => plant.why = line(exchange),
            Outcome::Rejected => plant.was_denied = true,
            Outcome::Unknown | Outcome::NotSent => {
                if has_token {
                    plant.unresolved.push(path);
                    plant.why = line(exchange);
                }
                if exchange.outcome() == Outcome::Unknown {
                    plant.may_be_absent = true;
                    plant.copies = plant.copies.max(1);
                }
            }
        }
    }

    /// Takes back that these deletes removed their plants: a control shows that their responses mean nothing.
    pub(super) fn distrust_since(&mut self, first: usize) {
        for plant in self.all.iter_mut().filter(|plant| plant.deleted.is_some_and(|deleted| deleted >= first)) {
            (plant.deleted, plant.any_delete_accepted, plant.copies) = (None, false, plant.copies.max(1));
            (plant.may_be_absent, plant.was_distrusted) = (true, true);
            plant.untried = plant.paths();
            "Its delete was accepted when the store no longer took a usual create".clone_into(&mut plant.why);
        }
    }

    /// Returns a plant that no probe needs any more, and the path segment of its delete unless that is its id. At the
    /// end of a run, plants are deleted once more to see whether they are gone: where deletes work, those of usual
    /// creates, and if one was still there, all; all as well where probes did not test deletes, or saw one without
    /// effect. One that an earlier run saw after its delete is deleted twice at once.
    pub(super) fn due(
        &self,
        evidence: &Evidence,
        is_at_end: bool,
        is_needed: impl Fn(&TestPlant) -> bool,
    ) -> Option<(&TestPlant, Option<String>)> {
        let shows_suspects = accepted_delete_proves_presence(evidence);
        let effect = is_at_end.then(|| effect_of_deletes(evidence));
        let any_stayed = is_at_end && self.any_stayed(evidence);
        let is_usual = |plant: &TestPlant| matches!(plant.origin, Origin::Probe(create) if create.is_usual_create());
        let confirms = |plant: &TestPlant| match effect {
            Some(Effect::Untested | Effect::None) => true,
            Some(Effect::Works) => {
                plant.can_be_confirmed()
                    && (any_stayed || (is_usual(plant) && accepted_delete_shows_a_survivor(evidence)))
            }
            Some(Effect::Unproven) | None => false,
        };
        let is_due = |plant: &TestPlant| {
            let is_safe = plant.is_safe_to_delete(evidence);
            (plant.copies > 0 && is_safe)
                || (plant.suspects > 0 && is_safe && shows_suspects)
                || (plant.deleted.is_some()
                    && !plant.is_confirmed
                    && (plant.last_delete == LastDelete::WithoutEffect || confirms(plant)))
        };
        let mut all = self.all.iter().filter(|plant| is_due(plant) && !is_needed(plant));
        all.find_map(|plant| {
            let path = plant.untried.front()?;
            Some((plant, Some(path.clone()).filter(|path| *path != plant.id.to_string())))
        })
    }

    /// Whether the run will send another delete for the plant of this step.
    pub(super) fn is_due(&self, step: Step) -> bool {
        self.of(step).is_some_and(|plant| {
            (plant.copies > 0 && !plant.untried.is_empty()) || (plant.suspects > 0 && self.can_be_deleted())
        })
    }

    /// Makes the deletes that decided nothing due again, if the store accepts deletes at all. Returns of which plants
    /// they are. A plant that an earlier run deleted is gone if the store responded as it does where there is no plant.
    pub(super) fn repeat_unresolved(&mut self, evidence: &Evidence) -> Vec<Origin> {
        if !self.can_be_deleted() {
            return Vec::new();
        }
        let is_gone = |plant: &TestPlant| {
            let failed = plant.failed_delete.as_ref();
            plant.last_delete == LastDelete::AfterAccepted && failed.is_some_and(|failed| self.is_explained(failed))
        };
        let are_gone: Vec<_> = self.all.iter().map(is_gone).collect();
        let confirms = effect_of_deletes(evidence) == Effect::Untested;
        let mut repeated = Vec::new();
        for (plant, is_gone) in self.all.iter_mut().zip(are_gone) {
            if is_gone {
                plant.copies = 0;
            }
            if plant.copies > 0 || (confirms && plant.deleted.is_some() && !plant.is_confirmed) {
                plant.untried.extend(plant.unresolved.drain(..));
                repeated.extend((!plant.untried.is_empty()).then_some(plant.origin));
            }
        }
        repeated
    }

    /// Notes that the deletes that decided nothing are not repeated any more. A plant that the store rejected a delete
    /// of, and has not found since, is gone where deletes work, unless it may still appear; one of an earlier run would
    /// have appeared.
    pub(super) fn end_watch(&mut self, evidence: &Evidence) {
        let (effect, are_late) = (effect_of_deletes(evidence), creates_are_late(evidence));
        let are_doubtful = matches!(effect, Effect::Unproven | Effect::None);
        if are_doubtful || !self.all.iter().any(|plant| plant.deleted.is_some() && plant.has_ordinary_id()) {
            return;
        }
        for plant in self.all.iter_mut().filter(|plant| plant.has_ordinary_id() && !plant.may_be_elsewhere) {
            let may_be_gone = plant.origin == Origin::EarlierRun || (plant.was_denied && !are_late);
            let is_not_there = |failed: &Exchange| is_not_found(failed) && !evidence.is_foreign(failed);
            if may_be_gone && plant.failed_delete.as_ref().is_some_and(is_not_there) {
                plant.copies = 0;
            }
        }
    }

    /// Counts the usual plants of earlier runs that are still at the store.
    pub(super) fn count_earlier(&self) -> usize {
        let is_there = |plant: &&TestPlant| plant.accepted && plant.copies > 0 && plant.has_ordinary_id();
        self.all.iter().filter(|plant| plant.origin == Origin::EarlierRun).filter(is_there).count()
    }

    /// Returns a failed delete of an earlier run's plant that shows that none can be deleted, unless it is explained: the
    /// plant is there, or the store does not respond. Returns as well whether the store may respond so where there is no
    /// plant, which the probes can show; a delete of which that is not so comes first.
    pub(super) fn undeletable(&self) -> Option<(&Exchange, bool)> {
        let earlier = self.all.iter().filter(|plant| plant.origin == Origin::EarlierRun && plant.copies > 0);
        let failed = earlier.filter_map(|plant| {
            let failed = plant.failed_delete.as_ref().filter(|failed| !self.is_explained(failed))?;
            let is_there = plant.accepted && !(plant.may_be_absent && is_not_found(failed));
            let may_be_gone = !plant.accepted || plant.last_delete.may_have_worked();
            let is_about_the_plant = failed.status().is_some_and(|status| !is_about_the_caller(status));
            let is_open = is_not_found(failed) || (may_be_gone && is_about_the_plant);
            (is_there || failed.outcome() != Outcome::Rejected).then_some((failed, is_open))
        });
        failed.min_by_key(|(_, is_open)| *is_open)
    }

    /// Lists the plants that are, or may be, at the store.
    pub(super) fn leftovers(&self, evidence: &Evidence) -> Vec<Leftover> {
        let effect = effect_of_deletes(evidence);
        // Where a delete is accepted that finds nothing, it does not show that the store has this plant under its id.
        let is_shown =
            accepted_delete_proves_presence(evidence) && evidence.accepted(Step::DeleteNotAnInteger).is_none();
        let work = effect == Effect::Works && !self.any_stayed(evidence);
        let is_gone = |plant: &TestPlant| {
            if work { is_shown || !plant.probe.leaves_id_open } else { plant.is_confirmed }
        };
        let stays = |plant: &&TestPlant| plant.copies > 0 || (plant.deleted.is_some() && !is_gone(plant));
        let leftover = |plant: &TestPlant| {
            // A delete before the accepted one may have failed.
            let accepted = plant.deleted.filter(|_| plant.copies == 0).and_then(|delete| evidence.all().nth(delete));
            let sent_id = paths(plant.id, &plant.probe).pop_front().unwrap_or_default();
            Leftover {
                id: plant.id,
                sent_id: Some(sent_id).filter(|sent| *sent != plant.id.to_string()),
                name: plant.name.clone(),
                why: accepted.map_or_else(|| plant.why.clone(), line),
                clean_up: plant.clean_up(evidence, effect),
            }
        };
        self.all.iter().filter(stays).map(leftover).collect()
    }
}

/// Whether a create left a plant, as far as its end shows. A server with 501 does not carry out such a request. Before the
/// check has a plant there, 409 shows that something sent the create twice: its id and name are random.
fn may_have_created(evidence: &Evidence, exchange: &Exchange) -> bool {
    match exchange.outcome() {
        Outcome::Accepted | Outcome::Unknown => exchange.status() != Some(501),
        Outcome::Rejected => exchange.status() == Some(409) && evidence.accepted(Step::Create).is_none(),
        Outcome::NotSent => false,
    }
}

/// Whether a store may have carried out a create that it rejected, and a delete can show it without hitting another
/// person's plant: the id is the check's own, and cannot have been taken.
fn may_be_stored(step: Step, evidence: &Evidence, rejected: &Exchange) -> bool {
    let Some(status) = rejected.status() else { return false };
    let is_about_content = (400..500).contains(&status) && !is_about_the_caller(status);
    let is_large = matches!(step.plant_step(), Step::CreateBig | Step::CreateTwin);
    let is_own = step == Step::SecondCreate || (!evidence.means_taken(status) && is_about_content && !is_large);
    let probe = rejected.operation.probe.clone().unwrap_or_default();
    let paths = paths(rejected.operation.kind.plant_id(), &probe);
    (step.lacks_the_token() || is_own) && paths.iter().all(|path| is_safe(path))
}

/// Whether a plant may be there although nothing is under its id: its create may still arrive, or the response
/// shows another id or another plant.
fn may_be_elsewhere(exchange: &Exchange) -> bool {
    match (exchange.operation.kind.plant(), exchange.response()) {
        (Some(plant), Some(response)) if exchange.outcome() == Outcome::Accepted => {
            let has_other_id = id_as_written(response).is_some_and(|written| !is_same_number(&written, plant.id));
            has_other_id || !differences(&exchange.operation.kind, response).is_empty()
        }
        // A server that rejected it, or failed (500, 501), is done with the request. A gateway may not be.
        (_, response) => !response.is_some_and(|response| matches!(response.status, 409 | 500 | 501)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{exchange, responded, without_response};
    use super::*;
    use crate::check::steps::TAG;
    use crate::domain::{Ending, FailureKind, OperationKind, Plant};

    /// Returns the exchange of a create of Fern (7).
    fn create(ending: Ending) -> Exchange {
        let plant = Plant { name: "Fern".into(), id: PlantId(7), tag: TAG.into() };
        exchange(1, OperationKind::add(plant), Probe::default(), ending)
    }

    #[test]
    fn a_plant_may_be_elsewhere_unless_its_response_shows_this_one() {
        let fern = |id: &str| responded(201, &format!(r#"{{"name":"Fern","tag":"{TAG}"{id}}}"#));
        for (ending, expected) in [
            (fern(""), false),
            (fern(r#","id":7"#), false),
            (fern(r#","id":8"#), true),
            (responded(201, r#"{"name":"Rose","tag":"Plants-Check"}"#), true),
            (responded(201, ""), true),
            // A failed server is done with the request.
            (responded(500, ""), false),
            (responded(501, ""), false),
            (responded(502, ""), true),
            (without_response(FailureKind::NoResponse), true),
        ] {
            assert_eq!(may_be_elsewhere(&create(ending.clone())), expected, "{ending:?}");
        }
    }
}
