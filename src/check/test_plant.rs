//! The plants of a run: which may be at the store, what they are called there, and what takes them
//! away. Nothing is deleted that may be somebody else's.

use std::collections::VecDeque;

use serde_json::Value;

use super::draw::Draw;
use super::evidence::{has_spelled, id_as_written, line, says_absent};
use super::leftover::{CleanUp, EarlierLeftover, FIXED_IDS, Gone, Leftover, is_nobody_elses, safe_paths};
use super::steps::{Step, TAG};
use crate::domain::mismatch::differences;
use crate::domain::{Credentials, Exchange, OperationId, Outcome, PlantId, Probe, Response};

/// A plant of the check that is, or may be, at the store.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct TestPlant {
    /// The create that planted it; none of an earlier run's.
    pub(super) create: Option<Step>,
    pub(super) id: PlantId,
    name: String,
    /// How its create departed from the document, and whether that was accepted.
    probe: Probe,
    accepted: bool,
    /// How many plants with its id there may be.
    there: usize,
    /// Whether it may be there though nothing is under its id.
    elusive: bool,
    /// Whether its create was refused for want of the token, so that a delete is to show that it was
    /// not carried out all the same.
    is_suspect: bool,
    /// Whether its create left its id open.
    is_unnamed: bool,
    /// The last operation on it that ended unknown.
    unknown: Option<OperationId>,
    /// Whether that was a delete.
    may_be_deleted: bool,
    /// The ids that the store says it has, where they are others.
    other_ids: Vec<String>,
    /// What may stand in a path to take it away and was not tried yet.
    untried: VecDeque<String>,
    /// The same, tried without an end that resolves it.
    unsettled: Vec<String>,
    /// What was tried.
    tried: Vec<String>,
    /// Whether a delete of it with the token was accepted.
    deleted: bool,
    /// Whether any delete of it was, so that it is unknown no more and a no means that it is gone.
    said_gone: bool,
    /// The last delete of it with the token that was not accepted.
    failed: Option<Exchange>,
    /// Why it may be there.
    why: String,
}

/// A delete that has ended, as the run understands it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Delete {
    /// Whether the response says that there is no such plant, if only by the status that this store
    /// has for an id that was never used: it may have that one for other faults as well.
    pub(super) is_absent: bool,
    /// Whether the response says so by a status that means nothing else.
    pub(super) is_not_found: bool,
    /// Whether a delete of the other id that is the same double was accepted.
    pub(super) twin_took_it: bool,
}

/// All plants of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct TestPlants {
    all: Vec<TestPlant>,
}

impl From<&EarlierLeftover> for TestPlant {
    fn from(left: &EarlierLeftover) -> Self {
        let untried = safe_paths(left.id, &left.probe, left.accepted);
        Self {
            // What is over cannot arrive any more.
            elusive: left.probe.leaves_id_open,
            is_unnamed: left.probe.leaves_id_open,
            unknown: left.doubt,
            may_be_deleted: left.accepted && left.doubt.is_some(),
            accepted: left.accepted,
            probe: left.probe.clone(),
            ..Self::new(None, left.id, left.name.clone(), untried, "an earlier check created it".to_owned())
        }
    }
}

impl TestPlant {
    fn new(create: Option<Step>, id: PlantId, name: String, untried: VecDeque<String>, why: String) -> Self {
        Self {
            create,
            id,
            name,
            probe: Probe::default(),
            accepted: false,
            there: 1,
            elusive: false,
            is_suspect: false,
            is_unnamed: false,
            unknown: None,
            may_be_deleted: false,
            other_ids: Vec::new(),
            untried,
            unsettled: Vec::new(),
            tried: Vec::new(),
            deleted: false,
            said_gone: false,
            failed: None,
            why,
        }
    }

    /// What becomes of it where it stays after a run.
    fn clean_up(&self) -> CleanUp {
        if self.there == 0 {
            CleanUp::Ineffective
        } else if safe_paths(self.id, &self.probe, self.accepted).is_empty() {
            CleanUp::Unsafe
        } else if self.failed.is_some() {
            CleanUp::Failed
        } else {
            CleanUp::Pending
        }
    }

    fn ended_unknown(&mut self, operation: OperationId, is_delete: bool) {
        self.unknown = Some(operation);
        self.may_be_deleted |= is_delete;
    }
}

impl TestPlants {
    /// Those that earlier runs left.
    pub(super) fn left(leftovers: &[EarlierLeftover]) -> Self {
        Self { all: leftovers.iter().map(TestPlant::from).collect() }
    }

    /// The one at this place.
    pub(super) fn get(&self, place: usize) -> Option<&TestPlant> {
        self.all.get(place)
    }

    /// The place of the plant of a step, if it was planted.
    pub(super) fn place_of(&self, step: Step) -> Option<usize> {
        self.all.iter().position(|test_plant| test_plant.create == Some(step.plant_step()))
    }

    /// Whether the store has taken a plant of the check away.
    pub(super) fn can_be_deleted(&self) -> bool {
        self.all.iter().any(|test_plant| test_plant.deleted)
    }

    /// Whether the store gives plants ids of its own, so that what is sent as id hits nobody's.
    pub(super) fn have_ids_of_the_stores_own(&self) -> bool {
        self.place_of(Step::Create).is_some_and(|place| self.trusted(place).next().is_some())
    }

    /// A create has ended: whether its plant may be there, and under which id.
    pub(super) fn planted(&mut self, step: Step, draw: &Draw, exchange: &Exchange) {
        let is_suspect = exchange.outcome() == Outcome::Rejected && step.lacks_the_token();
        if !is_suspect && !matches!(exchange.outcome(), Outcome::Accepted | Outcome::Unknown) {
            return;
        }
        let is_unknown = exchange.outcome() == Outcome::Unknown;
        let id = exchange.operation.kind.plant_id();
        let other_id = other_id(exchange);
        let place = self.place_of(step).unwrap_or_else(|| {
            let name = exchange.operation.kind.plant().map(|plant| plant.name.clone()).unwrap_or_default();
            let mut untried: VecDeque<_> = draw.spellings(step).into();
            untried.retain(|spelling| !is_unknown || is_nobody_elses(spelling));
            let probe = exchange.operation.probe.clone().unwrap_or_default();
            let new = TestPlant::new(Some(step.plant_step()), id, name, untried, line(exchange));
            let empty = TestPlant { there: 0, probe, ..new };
            self.all.push(empty);
            self.all.len() - 1
        });
        let Some(test_plant) = self.all.get_mut(place) else { return };
        test_plant.is_suspect = is_suspect;
        if is_suspect {
            return;
        }
        test_plant.there += 1;
        test_plant.accepted |= exchange.outcome() == Outcome::Accepted;
        if test_plant.said_gone {
            // Created again: what was tried before was about the one before.
            test_plant.said_gone = false;
            test_plant.tried.clear();
            test_plant.untried = draw.spellings(step).into();
        }
        test_plant.elusive |= may_be_elsewhere(exchange);
        test_plant.is_unnamed |= !exchange.operation.names_its_plant();
        test_plant.other_ids.extend(other_id);
        if is_unknown {
            test_plant.ended_unknown(exchange.operation.id, false);
        }
    }

    /// A delete of the plant at this place has ended. What is to go from the view because of it.
    pub(super) fn deleted(
        &mut self,
        place: usize,
        draw: &Draw,
        exchange: &Exchange,
        probe: &Probe,
        Delete { is_absent, is_not_found, twin_took_it }: Delete,
    ) -> Option<Gone> {
        let is_elsewhere = self.trusted(place).next().is_some();
        let goes_by_ids =
            self.all.iter().any(|test_plant| test_plant.deleted && test_plant.create.is_some_and(Step::has_a_plain_id));
        // A large id was good for just the plant that it was sent for: then so is every other.
        let goes_by_any_id =
            self.all.iter().any(|test_plant| test_plant.deleted && test_plant.create == Some(Step::CreateBig));
        let test_plant = self.all.get_mut(place)?;
        let used = probe.path_id.clone().unwrap_or_else(|| test_plant.id.to_string());
        let is_authorised = probe.credentials == Credentials::Token;
        if is_authorised {
            test_plant.is_suspect = false;
            test_plant.untried.retain(|spelling| *spelling != used);
            test_plant.tried.push(used.clone());
            test_plant.failed = (exchange.outcome() != Outcome::Accepted).then(|| exchange.clone());
        }
        match exchange.outcome() {
            Outcome::Accepted => {
                (test_plant.unknown, test_plant.may_be_deleted) = (None, false);
                // A yes to whoever does not present the token may be anything; and what the store
                // calls otherwise was not taken away by this.
                let is_this = !is_elsewhere || test_plant.other_ids.contains(&used);
                test_plant.said_gone |= is_this;
                if is_authorised && is_this {
                    test_plant.deleted = true;
                    test_plant.there = test_plant.there.saturating_sub(1);
                    test_plant.untried =
                        test_plant.create.map(|create| draw.spellings(create)).unwrap_or_default().into();
                }
            }
            Outcome::Rejected if is_absent && test_plant.said_gone => {
                test_plant.there = 0;
                return test_plant.unknown.take().map(|unknown| (test_plant.id, Some(unknown)));
            }
            // No delete was accepted, so that this response alone says that the plant is gone.
            Outcome::Rejected if is_not_found && is_authorised => {
                let is_resolved = test_plant.may_be_deleted || twin_took_it || test_plant.create.is_none();
                let is_plain = test_plant
                    .create
                    .map_or_else(|| goes_by_any_id || Draw::may_draw(test_plant.id), Step::has_a_plain_id);
                let is_known = is_resolved && (is_plain || twin_took_it) && goes_by_ids;
                if is_known
                    && !test_plant.elusive
                    && test_plant.other_ids.is_empty()
                    && used == test_plant.id.to_string()
                {
                    test_plant.there = 0;
                    return Some((test_plant.id, test_plant.unknown.take()));
                }
                if test_plant.create.is_none() && !goes_by_ids {
                    // Tried again once it is known what this response means here.
                    test_plant.unsettled.push(used);
                }
                test_plant.why = line(exchange);
            }
            Outcome::Rejected if is_authorised => test_plant.why = line(exchange),
            Outcome::Rejected => {}
            Outcome::Unknown | Outcome::NotSent => {
                if is_authorised {
                    test_plant.unsettled.push(used);
                    test_plant.why = line(exchange);
                }
                if exchange.outcome() == Outcome::Unknown {
                    test_plant.ended_unknown(exchange.operation.id, true);
                    test_plant.there = test_plant.there.max(1);
                }
            }
        }
        None
    }

    /// A delete of the id that the store gave a plant of ours instead takes that one away.
    pub(super) fn deleted_by_other_id(&mut self, exchange: &Exchange) -> Option<Gone> {
        if exchange.outcome() != Outcome::Accepted {
            return None;
        }
        let used = exchange.operation.kind.plant_id().to_string();
        let place = (0..self.all.len()).find(|place| self.trusted(*place).any(|other| *other == used))?;
        let test_plant = self.all.get_mut(place)?;
        test_plant.there = 0;
        Some((test_plant.id, test_plant.unknown.take()))
    }

    /// What was asked for with this is not to be tried now, but later.
    pub(super) fn once_more(&mut self, place: usize, probe: &Probe) {
        if let Some(test_plant) = self.all.get_mut(place) {
            test_plant.untried.push_front(probe.path_id.clone().unwrap_or_else(|| test_plant.id.to_string()));
        }
    }

    /// A plant that no probe needs any more, and what may take it away, if it is not its id.
    pub(super) fn due(&self, is_needed: impl Fn(&TestPlant) -> bool) -> Option<(usize, Option<String>)> {
        let is_there =
            |test_plant: &TestPlant| test_plant.there > 0 || (test_plant.is_suspect && self.can_be_deleted());
        self.all.iter().enumerate().filter(|(_, test_plant)| is_there(test_plant) && !is_needed(test_plant)).find_map(
            |(place, test_plant)| {
                let other = self.trusted(place).find(|other| !test_plant.tried.contains(other)).cloned();
                // What was sent as id says nothing of the plant then.
                let is_elsewhere = self.trusted(place).next().is_some();
                let untried = test_plant.untried.iter().find(|untried| !is_elsewhere || is_nobody_elses(untried));
                let path_id = other.or_else(|| untried.cloned())?;
                Some((place, Some(path_id).filter(|path_id| *path_id != test_plant.id.to_string())))
            },
        )
    }

    /// Whether a request is still to come for the plant of this step.
    pub(super) fn is_due(&self, step: Step) -> bool {
        let test_plant = self.place_of(step).and_then(|place| self.get(place));
        test_plant.is_some_and(|test_plant| {
            (test_plant.there > 0 && !test_plant.untried.is_empty()) || (test_plant.is_suspect && self.can_be_deleted())
        })
    }

    /// Lets what had no resolving end be tried once more, if deletes are accepted here at all.
    /// Whether there is any.
    pub(super) fn again(&mut self) -> bool {
        if !self.can_be_deleted() {
            return false;
        }
        let mut any = false;
        for test_plant in self.all.iter_mut().filter(|test_plant| test_plant.there > 0) {
            test_plant.untried.extend(test_plant.unsettled.drain(..));
            any |= !test_plant.untried.is_empty();
        }
        any
    }

    /// The failed delete of an earlier run's plant that an earlier run could not delete either, if
    /// that shows that none can be deleted: it was created, or the store does not respond.
    pub(super) fn undeletable(&self) -> Option<&Exchange> {
        let earlier = self.all.iter().filter(|test_plant| test_plant.create.is_none() && test_plant.there > 0);
        let mut failed = earlier.filter_map(|test_plant| Some((test_plant, test_plant.failed.as_ref()?)));
        let shows_it = |(test_plant, failed): &(&TestPlant, &Exchange)| {
            let may_be_gone = test_plant.may_be_deleted && failed.response().is_some_and(says_absent);
            (test_plant.accepted && !may_be_gone) || failed.outcome() != Outcome::Rejected
        };
        failed.find(shows_it).map(|(_, failed)| failed)
    }

    /// What is, or may be, at the store. `deletes_do_nothing`: accepted deletes remove nothing.
    pub(super) fn leftovers(&self, deletes_do_nothing: bool) -> Vec<Leftover> {
        let stays = |test_plant: &&TestPlant| test_plant.there > 0 || (deletes_do_nothing && test_plant.deleted);
        let left = self.all.iter().filter(stays);
        left.map(|test_plant| {
            let only_here = if test_plant.is_unnamed { " (that id is known here alone; it was not sent)" } else { "" };
            Leftover {
                id: test_plant.id,
                name: test_plant.name.clone(),
                why: format!("{}{only_here}", test_plant.why),
                clean_up: test_plant.clean_up(),
            }
        })
        .collect()
    }

    /// The ids that a store says a plant has. One that it says of two plants is of neither.
    fn trusted(&self, place: usize) -> impl Iterator<Item = &String> {
        let all = || self.all.iter().flat_map(|test_plant| &test_plant.other_ids);
        let own = self.all.get(place).into_iter().flat_map(|test_plant| &test_plant.other_ids);
        own.filter(move |own| all().filter(|other| other == own).count() == 1)
    }
}

/// The id of an accepted plant where the response says another than was sent: of a plant that is
/// ours by its name or tag, or in the `Location` of what was created (RFC 9110 §10.2.2).
fn other_id(exchange: &Exchange) -> Option<String> {
    let (plant, response) = exchange.operation.kind.plant().zip(exchange.response())?;
    let id = location(exchange, response).or_else(|| {
        let body: Value = serde_json::from_slice(&response.body).ok()?;
        let is = |field: &str, sent: &str| body.get(field).and_then(Value::as_str) == Some(sent);
        let is_ours = is("tag", TAG) || (!plant.name.is_empty() && is("name", &plant.name));
        id_as_written(response).filter(|_| is_ours)
    })?;
    // A dot segment would name the collection; and some ids anybody may have.
    let is_plain = id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-+.".contains(&byte));
    let is_id = is_plain && id.bytes().any(|byte| byte.is_ascii_alphanumeric());
    let is_anybodys = id.parse().is_ok_and(|id| FIXED_IDS.contains(&PlantId(id)) || is_edge_of_32_bits(id));
    (is_id && !is_anybodys && !has_spelled(&id, plant.id)).then_some(id)
}

fn is_edge_of_32_bits(id: i64) -> bool {
    id == i64::from(i32::MAX) || id == i64::from(i32::MIN) || id == i64::from(u32::MAX)
}

/// The last piece of the place where the response says that the new plant is, if that is under the
/// path that was asked.
fn location(exchange: &Exchange, response: &Response) -> Option<String> {
    let request = exchange.request.as_ref().filter(|_| response.status == 201)?;
    let base = url::Url::parse(&request.url).ok()?;
    let place = base.join(response.header("location")?).ok()?;
    let piece = place.path().strip_prefix(base.path())?.strip_prefix('/')?;
    (place.host() == base.host() && !piece.contains('/')).then(|| piece.to_owned())
}

/// Whether a plant may be there though nothing is under its id: its create may still arrive, or
/// the response shows another id, or not the plant that was sent.
fn may_be_elsewhere(exchange: &Exchange) -> bool {
    match (exchange.operation.kind.plant(), exchange.response()) {
        (Some(plant), Some(response)) if exchange.outcome() == Outcome::Accepted => {
            let has_other_id = id_as_written(response).is_some_and(|written| !has_spelled(&written, plant.id));
            has_other_id || !differences(&exchange.operation.kind, response).is_empty()
        }
        // A server that says it failed has done with it; nobody else who says so knows that.
        (_, response) => !response.is_some_and(|response| matches!(response.status, 500 | 501)),
    }
}
