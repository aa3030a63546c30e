//! The plants of a run: which may be at the store, under which ids, and which deletes can remove them. No delete may
//! hit a plant that is not the check's. Must not know rules, or when a run sends its requests.

use std::collections::VecDeque;

use serde_json::Value;

use super::evidence::{Evidence, id_as_written, is_not_found, is_same_number, line};
use super::leftover::{CleanUp, EarlierLeftover, FIXED_IDS, Gone, Leftover, is_safe, safe_paths};
use super::probe_requests::{ProbeRequests, is_ordinary};
use super::steps::{Step, TAG};
use crate::domain::mismatch::differences;
use crate::domain::{Credentials, Exchange, OperationId, Outcome, PlantId, Probe, Response};

/// A plant of the check that is, or may be, at the store.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the facts are independent of each other")]
pub(super) struct TestPlant {
    /// The create of the plant; `None` for a plant of an earlier run.
    pub(super) create: Option<Step>,
    pub(super) id: PlantId,
    name: String,
    /// How the create differed from the document.
    probe: Probe,
    /// Whether the create was accepted.
    accepted: bool,
    /// How many plants with this id there may be.
    copies: usize,
    /// Whether the plant may be there although nothing is under its id.
    may_be_elsewhere: bool,
    /// Whether the create was rejected for its credentials, so that a delete must prove that it had no effect.
    is_suspect: bool,
    /// The last operation that ended unknown.
    unknown: Option<OperationId>,
    /// Whether a delete ended unknown.
    may_be_deleted: bool,
    /// The ids that the store gave the plant instead.
    other_ids: Vec<String>,
    /// Path segments to try in deletes.
    untried: VecDeque<String>,
    /// Path segments whose deletes decided nothing.
    unresolved: Vec<String>,
    /// Path segments that deletes with the token have tried.
    tried: Vec<String>,
    /// Whether a delete with the token was accepted.
    deleted: bool,
    /// Whether any delete was accepted: then a rejection means that the plant is gone.
    any_delete_accepted: bool,
    /// The last delete with the token, if it was not accepted.
    failed_delete: Option<Exchange>,
    /// Why the plant may be there.
    why: String,
}

/// All plants of a run, and those of earlier runs. Plants are named by their index.
#[derive(Debug, Clone, Default)]
pub(super) struct TestPlants {
    all: Vec<TestPlant>,
}

impl From<&EarlierLeftover> for TestPlant {
    fn from(left: &EarlierLeftover) -> Self {
        Self {
            id: left.id,
            name: left.name.clone(),
            probe: left.probe.clone(),
            accepted: left.accepted,
            copies: 1,
            // Requests of an earlier run cannot arrive any more.
            may_be_elsewhere: left.probe.leaves_id_open,
            unknown: left.unknown,
            may_be_deleted: left.accepted && left.unknown.is_some(),
            untried: safe_paths(left.id, &left.probe, left.accepted),
            why: "an earlier check created it".to_owned(),
            ..Self::default()
        }
    }
}

impl TestPlant {
    fn clean_up(&self) -> CleanUp {
        if self.copies == 0 {
            CleanUp::Ineffective
        } else if safe_paths(self.id, &self.probe, self.accepted).is_empty() {
            CleanUp::Unsafe
        } else if self.failed_delete.is_some() {
            CleanUp::Failed
        } else {
            CleanUp::Pending
        }
    }
}

impl TestPlants {
    pub(super) fn of_earlier_runs(leftovers: &[EarlierLeftover]) -> Self {
        Self { all: leftovers.iter().map(TestPlant::from).collect() }
    }

    pub(super) fn get(&self, index: usize) -> Option<&TestPlant> {
        self.all.get(index)
    }

    /// Returns the plant of a step, if its create was sent.
    pub(super) fn index_of(&self, step: Step) -> Option<usize> {
        self.all.iter().position(|plant| plant.create == Some(step.plant_step()))
    }

    /// Whether the store has deleted a plant of the check.
    pub(super) fn can_be_deleted(&self) -> bool {
        self.all.iter().any(|plant| plant.deleted)
    }

    /// Whether the store assigns ids itself, so that the id in a create cannot hit another plant.
    pub(super) fn have_ids_of_the_store(&self) -> bool {
        self.index_of(Step::Create).is_some_and(|index| self.has_other_id(index))
    }

    /// Records the end of a create: whether its plant may be there, and under which id.
    pub(super) fn created(&mut self, step: Step, requests: &ProbeRequests, exchange: &Exchange) {
        let is_suspect = exchange.outcome() == Outcome::Rejected && step.lacks_the_token();
        let is_unknown = exchange.outcome() == Outcome::Unknown;
        let is_accepted = exchange.outcome() == Outcome::Accepted;
        if !is_suspect && !is_unknown && !is_accepted {
            return;
        }
        let operation = &exchange.operation;
        let index = self.index_of(step).unwrap_or_else(|| {
            let mut untried: VecDeque<_> = requests.path_ids(step).into();
            untried.retain(|path| !is_unknown || is_safe(path));
            self.all.push(TestPlant {
                create: Some(step.plant_step()),
                id: operation.kind.plant_id(),
                name: operation.kind.plant().map(|plant| plant.name.clone()).unwrap_or_default(),
                probe: operation.probe.clone().unwrap_or_default(),
                untried,
                why: line(exchange),
                ..TestPlant::default()
            });
            self.all.len() - 1
        });
        let Some(plant) = self.all.get_mut(index) else { return };
        plant.is_suspect = is_suspect;
        if is_suspect {
            return;
        }
        plant.copies += 1;
        plant.accepted |= is_accepted;
        if plant.any_delete_accepted {
            // The plant was created again: earlier deletes were for the plant before.
            plant.any_delete_accepted = false;
            plant.tried.clear();
            plant.untried = requests.path_ids(step).into();
        }
        plant.may_be_elsewhere |= may_be_elsewhere(exchange);
        plant.other_ids.extend(other_id(exchange));
        if is_unknown {
            plant.unknown = Some(operation.id);
        }
    }

    /// Records the end of a delete of this plant. Returns the plant if it is to be removed from the list.
    pub(super) fn deleted(
        &mut self,
        index: usize,
        requests: &ProbeRequests,
        evidence: &Evidence,
        exchange: &Exchange,
    ) -> Option<Gone> {
        let probe = exchange.operation.probe.clone().unwrap_or_default();
        // By any status that this store has for unused ids, which may have other reasons as well.
        let is_absent = exchange.response().is_some_and(|response| evidence.means_absent(response));
        // By a status without another meaning.
        let is_not_found = exchange.response().is_some_and(is_not_found);
        let has_other_id = self.has_other_id(index);
        let was_deleted = |is_meant: fn(Step) -> bool| {
            self.all.iter().any(|plant| plant.deleted && plant.create.is_some_and(is_meant))
        };
        let ordinary_ids_work = was_deleted(Step::has_ordinary_id);
        // The store deleted exactly the plant with a large id: then it does so for every id.
        let all_ids_work = was_deleted(|create| create == Step::CreateBig);
        let plant = self.all.get_mut(index)?;
        // The other id that is the same double.
        let twin_was_deleted = plant.create == Some(Step::CreateBig) && evidence.accepted(Step::DeleteTwin).is_some();
        let path = probe.path_id.unwrap_or_else(|| plant.id.to_string());
        let has_token = probe.credentials == Credentials::Token;
        if has_token {
            plant.is_suspect = false;
            plant.untried.retain(|untried| *untried != path);
            plant.tried.push(path.clone());
            plant.failed_delete = (exchange.outcome() != Outcome::Accepted).then(|| exchange.clone());
        }
        match exchange.outcome() {
            Outcome::Accepted => {
                (plant.unknown, plant.may_be_deleted) = (None, false);
                // Without the token an accepted delete proves nothing. With a plant under another id, this delete
                // did not remove it.
                let is_meant = !has_other_id || plant.other_ids.contains(&path);
                plant.any_delete_accepted |= is_meant;
                if has_token && is_meant {
                    plant.deleted = true;
                    plant.copies = plant.copies.saturating_sub(1);
                    plant.untried = plant.create.map(|create| requests.path_ids(create)).unwrap_or_default().into();
                }
            }
            Outcome::Rejected if is_absent && plant.any_delete_accepted => {
                plant.copies = 0;
                return plant.unknown.take().map(|unknown| (plant.id, Some(unknown)));
            }
            // No delete was accepted: only this response shows that the plant is gone.
            Outcome::Rejected if is_not_found && has_token => {
                let may_be_gone = plant.may_be_deleted || twin_was_deleted || plant.create.is_none();
                let is_plain =
                    plant.create.map_or_else(|| all_ids_work || is_ordinary(plant.id), Step::has_ordinary_id);
                let is_known = may_be_gone && (is_plain || twin_was_deleted) && ordinary_ids_work;
                let has_this_id = !plant.may_be_elsewhere && plant.other_ids.is_empty() && path == plant.id.to_string();
                if is_known && has_this_id {
                    plant.copies = 0;
                    return Some((plant.id, plant.unknown.take()));
                }
                if plant.create.is_none() && !ordinary_ids_work {
                    // Repeated when a delete of this run has shown what this response means.
                    plant.unresolved.push(path);
                }
                plant.why = line(exchange);
            }
            Outcome::Rejected if has_token => plant.why = line(exchange),
            Outcome::Rejected => {}
            Outcome::Unknown | Outcome::NotSent => {
                if has_token {
                    plant.unresolved.push(path);
                    plant.why = line(exchange);
                }
                if exchange.outcome() == Outcome::Unknown {
                    plant.unknown = Some(exchange.operation.id);
                    plant.may_be_deleted = true;
                    plant.copies = plant.copies.max(1);
                }
            }
        }
        None
    }

    /// Records the delete of an id that no plant was created with: the store may have given it to one.
    pub(super) fn deleted_by_other_id(&mut self, exchange: &Exchange) -> Option<Gone> {
        if exchange.outcome() != Outcome::Accepted {
            return None;
        }
        let path = exchange.operation.kind.plant_id().to_string();
        let index = (0..self.all.len()).find(|index| self.trusted_ids(*index).any(|other| *other == path))?;
        let plant = self.all.get_mut(index)?;
        plant.copies = 0;
        Some((plant.id, plant.unknown.take()))
    }

    /// Returns a plant that no probe needs any more, and the path segment of its delete unless that is its id.
    pub(super) fn due(&self, is_needed: impl Fn(&TestPlant) -> bool) -> Option<(usize, Option<String>)> {
        let is_there = |plant: &TestPlant| plant.copies > 0 || (plant.is_suspect && self.can_be_deleted());
        self.all.iter().enumerate().filter(|(_, plant)| is_there(plant) && !is_needed(plant)).find_map(
            |(index, plant)| {
                let other = self.trusted_ids(index).find(|other| !plant.tried.contains(other));
                // With another id, the id that was sent may be that of another plant.
                let has_other_id = self.has_other_id(index);
                let path = other.or_else(|| plant.untried.iter().find(|path| !has_other_id || is_safe(path)))?;
                Some((index, Some(path.clone()).filter(|path| *path != plant.id.to_string())))
            },
        )
    }

    /// Whether the run will send another delete for the plant of this step.
    pub(super) fn is_due(&self, step: Step) -> bool {
        self.index_of(step).and_then(|index| self.get(index)).is_some_and(|plant| {
            (plant.copies > 0 && !plant.untried.is_empty()) || (plant.is_suspect && self.can_be_deleted())
        })
    }

    /// Repeats the deletes that decided nothing, if the store accepts deletes at all. Returns whether there are any.
    pub(super) fn repeat_unresolved(&mut self) -> bool {
        if !self.can_be_deleted() {
            return false;
        }
        let mut any = false;
        for plant in self.all.iter_mut().filter(|plant| plant.copies > 0) {
            plant.untried.extend(plant.unresolved.drain(..));
            any |= !plant.untried.is_empty();
        }
        any
    }

    /// Returns a failed delete of an earlier run's plant that shows that none can be deleted: the plant is there, or
    /// the store does not respond.
    pub(super) fn undeletable(&self) -> Option<&Exchange> {
        let earlier = self.all.iter().filter(|plant| plant.create.is_none() && plant.copies > 0);
        earlier.filter_map(|plant| Some((plant, plant.failed_delete.as_ref()?))).find_map(|(plant, failed)| {
            let may_be_gone = plant.may_be_deleted && failed.response().is_some_and(is_not_found);
            let is_there = plant.accepted && !may_be_gone;
            (is_there || failed.outcome() != Outcome::Rejected).then_some(failed)
        })
    }

    /// Lists the plants that are, or may be, at the store. `deletes_do_nothing`: accepted deletes have no effect.
    pub(super) fn leftovers(&self, deletes_do_nothing: bool) -> Vec<Leftover> {
        let stays = |plant: &&TestPlant| plant.copies > 0 || (deletes_do_nothing && plant.deleted);
        let leftover = |plant: &TestPlant| Leftover {
            id: plant.id,
            name: plant.name.clone(),
            why: plant.why.clone() + if plant.probe.leaves_id_open { " (the create did not send this id)" } else { "" },
            clean_up: plant.clean_up(),
        };
        self.all.iter().filter(stays).map(leftover).collect()
    }

    /// Returns the ids that the store gave a plant, except those that it gave two plants.
    fn trusted_ids(&self, index: usize) -> impl Iterator<Item = &String> {
        let all = || self.all.iter().flat_map(|plant| &plant.other_ids);
        let own = self.all.get(index).into_iter().flat_map(|plant| &plant.other_ids);
        own.filter(move |own| all().filter(|other| other == own).count() == 1)
    }

    fn has_other_id(&self, index: usize) -> bool {
        self.trusted_ids(index).next().is_some()
    }
}

/// Returns the id that an accepted create gave its plant, if that is not the one that was sent: the id in the
/// `Location` of a 201 (RFC 9110 §10.2.2), or in a body that has the name or tag of the check.
fn other_id(exchange: &Exchange) -> Option<String> {
    let (plant, response) = exchange.operation.kind.plant().zip(exchange.response())?;
    let id = location(exchange, response).or_else(|| {
        let body: Value = serde_json::from_slice(&response.body).ok()?;
        let is = |field: &str, sent: &str| body.get(field).and_then(Value::as_str) == Some(sent);
        let is_ours = is("tag", TAG) || (!plant.name.is_empty() && is("name", &plant.name));
        id_as_written(response).filter(|_| is_ours)
    })?;
    // A dot segment would be the path of the collection.
    let is_plain = id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-+.".contains(&byte));
    let is_id = is_plain && id.bytes().any(|byte| byte.is_ascii_alphanumeric());
    // Another person's plant may have one of these.
    let edges_of_32_bits = [i32::MAX.into(), i32::MIN.into(), u32::MAX.into()];
    let is_common = id.parse().is_ok_and(|id| FIXED_IDS.contains(&PlantId(id)) || edges_of_32_bits.contains(&id));
    (is_id && !is_common && !is_same_number(&id, plant.id)).then_some(id)
}

/// Returns the last path segment of the `Location` of a created plant, if that is directly under the requested path.
fn location(exchange: &Exchange, response: &Response) -> Option<String> {
    let request = exchange.request.as_ref().filter(|_| response.status == 201)?;
    let base = url::Url::parse(&request.url).ok()?;
    let target = base.join(response.header("location")?).ok()?;
    let segment = target.path().strip_prefix(base.path())?.strip_prefix('/')?;
    (target.host() == base.host() && !segment.contains('/')).then(|| segment.to_owned())
}

/// Whether a plant may be there although nothing is under its id: its create may still arrive, or the response
/// shows another id or another plant.
fn may_be_elsewhere(exchange: &Exchange) -> bool {
    match (exchange.operation.kind.plant(), exchange.response()) {
        (Some(plant), Some(response)) if exchange.outcome() == Outcome::Accepted => {
            let has_other_id = id_as_written(response).is_some_and(|written| !is_same_number(&written, plant.id));
            has_other_id || !differences(&exchange.operation.kind, response).is_empty()
        }
        // A failed server is done with the request (500, 501). A gateway may not be.
        (_, response) => !response.is_some_and(|response| matches!(response.status, 500 | 501)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{exchange, responded, without_response};
    use super::*;
    use crate::domain::{Ending, FailureKind, Header, OperationKind, Plant};

    /// Returns the exchange of a create of Fern (7).
    fn create(ending: Ending) -> Exchange {
        let plant = Plant { name: "Fern".into(), id: PlantId(7), tag: TAG.into() };
        exchange(1, OperationKind::add(plant), Probe::default(), ending)
    }

    #[test]
    fn an_id_of_the_store_is_in_the_location_or_beside_the_name_or_tag() {
        let at = |status, location: &str| {
            let Ending::Responded(response) = responded(status, "{}") else { unreachable!() };
            let headers = [Header { name: "Location".into(), value: location.into() }].into();
            other_id(&create(Ending::Responded(Response { headers, ..response })))
        };
        for (location, id) in [
            ("/plants/a-1", Some("a-1")),
            ("plants/9", Some("9")),
            ("http://plants.example/plants/9", Some("9")),
            ("http://other.example/plants/9", None),
            ("/plants/9/leaves", None),
            ("/9", None),
            ("/plants/7", None),
        ] {
            assert_eq!(at(201, location).as_deref(), id, "{location}");
        }
        assert_eq!(at(200, "/plants/9"), None);

        let long = |length| "9".repeat(length);
        for (fields, id, expected) in [
            (r#""name":"Fern""#, "9".to_owned(), true),
            (r#""tag":"Plants-Check""#, "9".to_owned(), true),
            (r#""name":"Rose""#, "9".to_owned(), false),
            (r#""tag":"Plants-Check""#, "-9.5e+3".to_owned(), true),
            (r#""tag":"Plants-Check""#, long(64), true),
            (r#""tag":"Plants-Check""#, long(65), false),
            (r#""tag":"Plants-Check""#, "9/leaves".to_owned(), false),
            (r#""tag":"Plants-Check""#, "..".to_owned(), false),
            (r#""tag":"Plants-Check""#, "7.0".to_owned(), false),
            (r#""tag":"Plants-Check""#, "0".to_owned(), false),
            (r#""tag":"Plants-Check""#, u32::MAX.to_string(), false),
        ] {
            let found = other_id(&create(responded(200, &format!(r#"{{{fields},"id":"{id}"}}"#))));
            assert_eq!(found, expected.then_some(id), "{fields}");
        }
        assert_eq!(other_id(&create(without_response(FailureKind::NoResponse))), None);
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
