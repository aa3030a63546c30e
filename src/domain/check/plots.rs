//! The plants of a run: which may be at the store, what they are called there, and what takes them
//! away. Nothing is deleted that may be somebody else's.

use std::collections::VecDeque;

use serde_json::Value;

use super::report::LeftBehind;
use super::seen::{has_spelled, id_as_written, line};
use super::steps::{Lot, Step, TAG};
use crate::domain::outcome::differences;
use crate::domain::{Answer, Credentials, Exchange, OperationId, Outcome, PlantId, Probe};

/// Ids that cannot be drawn by lot, and that anybody may have.
pub const FIXED_IDS: [PlantId; 3] = [PlantId(0), PlantId(i64::MAX), PlantId(i64::MIN)];

/// What the journal knows before a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Beforehand {
    /// What earlier runs left in the view.
    pub leftovers: Vec<Leftover>,
    /// What is in doubt in the view though it was never planted: only ever deleted, by earlier runs.
    pub never_planted: Vec<Gone>,
    /// Which of [`FIXED_IDS`] the view has for another reason.
    pub taken: Vec<PlantId>,
}

/// A plant that an earlier run of the check left in the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// Its id in the view.
    pub id: PlantId,
    /// What it is called there.
    pub name: String,
    /// How the create that planted it departed from the document.
    pub probe: Probe,
    /// Whether that create was accepted: otherwise it may still arrive.
    pub accepted: bool,
    /// The doubt that it is in.
    pub doubt: Option<OperationId>,
}

/// A plant that the run takes out of the view: in which doubt it stands there, if in one.
pub type Gone = (PlantId, Option<OperationId>);

/// A plant of the check that is, or may be, at the store.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Plot {
    /// The create that planted it; none of an earlier run's.
    pub(super) create: Option<Step>,
    pub(super) id: PlantId,
    name: String,
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
    doubt: Option<OperationId>,
    /// Whether that was a delete.
    may_be_deleted: bool,
    /// The ids that the store says it has, where they are others.
    told: Vec<String>,
    /// What may stand in a path to take it away and was not tried yet.
    untried: VecDeque<String>,
    /// The same, tried without an end that settles it.
    unsettled: Vec<String>,
    /// What was tried.
    tried: Vec<String>,
    /// Whether a delete of it with the token was accepted.
    deleted: bool,
    /// Whether any delete of it was, so that it is in doubt no more and a no means that it is gone.
    said_gone: bool,
    /// Why it may be there.
    why: String,
}

/// All plants of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Plots {
    all: Vec<Plot>,
}

impl Leftover {
    fn plot(&self) -> Plot {
        let mut untried = self.spellings();
        untried.retain(|spelling| self.accepted || is_nobody_elses(spelling));
        Plot {
            // What is over cannot arrive any more.
            elusive: self.probe.leaves_id_open,
            is_unnamed: self.probe.leaves_id_open,
            doubt: self.doubt,
            may_be_deleted: self.accepted && self.doubt.is_some(),
            ..Plot::new(None, self.id, self.name.clone(), untried, "an earlier check planted it".to_owned())
        }
    }

    /// What may stand in a path to take it away.
    fn spellings(&self) -> VecDeque<String> {
        let plain = self.id.to_string();
        match self.probe.body.as_deref().filter(|_| self.probe.leaves_id_open) {
            None => [plain].into(),
            Some(body) => {
                let Some((_, from)) = body.split_once(r#""id":"#) else { return VecDeque::new() };
                let spelled = from.split([',', '}']).next().unwrap_or_default().trim_matches('"').to_owned();
                let more = (spelled != plain && spelled.starts_with(&plain)).then_some(plain);
                std::iter::once(spelled).chain(more).collect()
            }
        }
    }
}

impl Plot {
    fn new(create: Option<Step>, id: PlantId, name: String, untried: VecDeque<String>, why: String) -> Self {
        Self {
            create,
            id,
            name,
            there: 1,
            elusive: false,
            is_suspect: false,
            is_unnamed: false,
            doubt: None,
            may_be_deleted: false,
            told: Vec::new(),
            untried,
            unsettled: Vec::new(),
            tried: Vec::new(),
            deleted: false,
            said_gone: false,
            why,
        }
    }

    fn is_in_doubt(&mut self, operation: OperationId, is_delete: bool) {
        self.doubt = Some(operation);
        self.may_be_deleted |= is_delete;
    }
}

impl Plots {
    /// Those that earlier runs left.
    pub(super) fn left(leftovers: &[Leftover]) -> Self {
        Self { all: leftovers.iter().map(Leftover::plot).collect() }
    }

    /// The one at this place.
    pub(super) fn get(&self, place: usize) -> Option<&Plot> {
        self.all.get(place)
    }

    /// The place of the plant of a step, if it was planted.
    pub(super) fn place_of(&self, step: Step) -> Option<usize> {
        self.all.iter().position(|plot| plot.create == Some(step.plot()))
    }

    /// Whether the store has taken a plant of the check away.
    pub(super) fn can_be_deleted(&self) -> bool {
        self.all.iter().any(|plot| plot.deleted)
    }

    /// Whether the store gives plants ids of its own, so that what is sent as id hits nobody's.
    pub(super) fn have_ids_of_the_stores_own(&self) -> bool {
        self.place_of(Step::Create).is_some_and(|place| self.trusted(place).next().is_some())
    }

    /// A create has ended: whether its plant may be there, and under which id.
    pub(super) fn planted(&mut self, step: Step, lot: &Lot, exchange: &Exchange) {
        let is_suspect = exchange.outcome() == Outcome::Refused && step.lacks_the_token();
        if !is_suspect && !matches!(exchange.outcome(), Outcome::Accepted | Outcome::Unknown) {
            return;
        }
        let in_doubt = exchange.outcome() == Outcome::Unknown;
        let id = exchange.operation.ask.plant_id();
        let told = other_id(exchange);
        let place = self.place_of(step).unwrap_or_else(|| {
            let name = exchange.operation.ask.plant().map(|plant| plant.name.clone()).unwrap_or_default();
            let mut untried: VecDeque<_> = lot.spellings(step).into();
            untried.retain(|spelling| !in_doubt || is_nobody_elses(spelling));
            let why = if in_doubt && untried.is_empty() {
                format!("it is not deleted, for that could hit somebody's: {}", line(exchange))
            } else {
                line(exchange)
            };
            let empty = Plot { there: 0, ..Plot::new(Some(step.plot()), id, name, untried, why) };
            self.all.push(empty);
            self.all.len() - 1
        });
        let Some(plot) = self.all.get_mut(place) else { return };
        plot.is_suspect = is_suspect;
        if is_suspect {
            return;
        }
        plot.there += 1;
        plot.elusive |= may_be_elsewhere(exchange);
        plot.is_unnamed |= !exchange.operation.names_its_plant();
        plot.told.extend(told);
        if in_doubt {
            plot.is_in_doubt(exchange.operation.id, false);
        }
    }

    /// A delete of the plant at this place has ended. What is to go from the view because of it.
    /// `twin_took_it`: a delete of the other id that is the same double was accepted.
    pub(super) fn deleted(
        &mut self,
        place: usize,
        lot: &Lot,
        exchange: &Exchange,
        probe: &Probe,
        twin_took_it: bool,
    ) -> Option<Gone> {
        let is_elsewhere = self.trusted(place).next().is_some();
        let goes_by_ids = self.all.iter().any(|plot| plot.deleted && plot.create.is_some_and(Step::has_a_plain_id));
        // A large id was good for just the plant that it was sent for: then so is every other.
        let goes_by_any_id = self.all.iter().any(|plot| plot.deleted && plot.create == Some(Step::CreateBig));
        let plot = self.all.get_mut(place)?;
        let used = probe.path_id.clone().unwrap_or_else(|| plot.id.to_string());
        let is_authorised = probe.credentials == Credentials::Token;
        let is_absent = matches!(exchange.status(), Some(404 | 410));
        if is_authorised {
            plot.is_suspect = false;
            plot.untried.retain(|spelling| *spelling != used);
            plot.tried.push(used.clone());
        }
        match exchange.outcome() {
            Outcome::Accepted => {
                (plot.doubt, plot.may_be_deleted) = (None, false);
                // A yes to whoever does not present the token may be anything; and what the store
                // calls otherwise was not taken away by this.
                let is_this = !is_elsewhere || plot.told.contains(&used);
                plot.said_gone |= is_this;
                if is_authorised && is_this {
                    plot.deleted = true;
                    plot.there = plot.there.saturating_sub(1);
                    plot.untried = plot.create.map(|create| lot.spellings(create)).unwrap_or_default().into();
                }
            }
            Outcome::Refused if is_absent && plot.said_gone => {
                plot.there = 0;
                return plot.doubt.take().map(|doubt| (plot.id, Some(doubt)));
            }
            Outcome::Refused if is_absent && is_authorised => {
                let is_settled = plot.may_be_deleted || twin_took_it || plot.create.is_none();
                let is_plain =
                    plot.create.map_or_else(|| goes_by_any_id || Lot::may_draw(plot.id), Step::has_a_plain_id);
                let is_known = is_settled && (is_plain || twin_took_it) && goes_by_ids;
                if is_known && !plot.elusive && plot.told.is_empty() && used == plot.id.to_string() {
                    plot.there = 0;
                    return Some((plot.id, plot.doubt.take()));
                }
                plot.why = line(exchange);
            }
            Outcome::Refused if is_authorised => plot.why = line(exchange),
            Outcome::Refused => {}
            Outcome::Unknown | Outcome::NotSent => {
                if is_authorised {
                    plot.unsettled.push(used);
                    plot.why = line(exchange);
                }
                if exchange.outcome() == Outcome::Unknown {
                    plot.is_in_doubt(exchange.operation.id, true);
                    plot.there = plot.there.max(1);
                }
            }
        }
        None
    }

    /// A delete of the id that the store gave a plant of ours instead takes that one away.
    pub(super) fn deleted_as_told(&mut self, exchange: &Exchange) -> Option<Gone> {
        if exchange.outcome() != Outcome::Accepted {
            return None;
        }
        let used = exchange.operation.ask.plant_id().to_string();
        let place = (0..self.all.len()).find(|place| self.trusted(*place).any(|told| *told == used))?;
        let plot = self.all.get_mut(place)?;
        plot.there = 0;
        Some((plot.id, plot.doubt.take()))
    }

    /// What was asked for with this is not to be tried now, but later.
    pub(super) fn once_more(&mut self, place: usize, probe: &Probe) {
        if let Some(plot) = self.all.get_mut(place) {
            plot.untried.push_front(probe.path_id.clone().unwrap_or_else(|| plot.id.to_string()));
        }
    }

    /// A plant that no probe needs any more, and what may take it away, if it is not its id.
    pub(super) fn due(&self, is_needed: impl Fn(&Plot) -> bool) -> Option<(usize, Option<String>)> {
        let is_there = |plot: &Plot| plot.there > 0 || (plot.is_suspect && self.can_be_deleted());
        self.all.iter().enumerate().filter(|(_, plot)| is_there(plot) && !is_needed(plot)).find_map(|(place, plot)| {
            let told = self.trusted(place).find(|told| !plot.tried.contains(told)).cloned();
            // What was sent as id says nothing of the plant then.
            let is_elsewhere = self.trusted(place).next().is_some();
            let untried = plot.untried.iter().find(|untried| !is_elsewhere || is_nobody_elses(untried));
            let path_id = told.or_else(|| untried.cloned())?;
            Some((place, Some(path_id).filter(|path_id| *path_id != plot.id.to_string())))
        })
    }

    /// Whether a request is still to come for the plant of this step.
    pub(super) fn is_due(&self, step: Step) -> bool {
        let plot = self.place_of(step).and_then(|place| self.get(place));
        plot.is_some_and(|plot| {
            (plot.there > 0 && !plot.untried.is_empty()) || (plot.is_suspect && self.can_be_deleted())
        })
    }

    /// Lets what had no settling end be tried once more, if deletes are accepted here at all.
    /// Whether there is any.
    pub(super) fn again(&mut self) -> bool {
        if !self.can_be_deleted() {
            return false;
        }
        let mut any = false;
        for plot in self.all.iter_mut().filter(|plot| plot.there > 0) {
            plot.untried.extend(plot.unsettled.drain(..));
            any |= !plot.untried.is_empty();
        }
        any
    }

    /// What is, or may be, at the store.
    pub(super) fn left_behind(&self) -> Vec<LeftBehind> {
        let left = self.all.iter().filter(|plot| plot.there > 0);
        left.map(|plot| {
            let only_in_view = if plot.is_unnamed { " (that id is the view's; it was not sent)" } else { "" };
            LeftBehind { id: plot.id, name: plot.name.clone(), why: format!("{}{only_in_view}", plot.why) }
        })
        .collect()
    }

    /// The ids that a store says a plant has. One that it says of two plants is of neither.
    fn trusted(&self, place: usize) -> impl Iterator<Item = &String> {
        let all = || self.all.iter().flat_map(|plot| &plot.told);
        let told = self.all.get(place).into_iter().flat_map(|plot| &plot.told);
        told.filter(move |told| all().filter(|other| other == told).count() == 1)
    }
}

/// The id of an accepted plant where the answer says another than was sent: of a plant that is
/// ours by its name or tag, or in the `Location` of what was created (RFC 9110 §10.2.2).
fn other_id(exchange: &Exchange) -> Option<String> {
    let (plant, answer) = exchange.operation.ask.plant().zip(exchange.answer())?;
    let told = location(exchange, answer).or_else(|| {
        let body: Value = serde_json::from_slice(&answer.body).ok()?;
        let is = |field: &str, sent: &str| body.get(field).and_then(Value::as_str) == Some(sent);
        let is_ours = is("tag", TAG) || (!plant.name.is_empty() && is("name", &plant.name));
        id_as_written(answer).filter(|_| is_ours)
    })?;
    // A dot segment would name the collection; and some ids anybody may have.
    let is_plain = told.len() <= 64 && told.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-+.".contains(&byte));
    let is_id = is_plain && told.bytes().any(|byte| byte.is_ascii_alphanumeric());
    let is_anybodys = told.parse().is_ok_and(|told| FIXED_IDS.contains(&PlantId(told)) || is_edge_of_32_bits(told));
    (is_id && !is_anybodys && !has_spelled(&told, plant.id)).then_some(told)
}

/// Whether a delete of this can hit no plant but ours, however a store reads it. Where it is not
/// known whether a plant of the check is there, nothing else is deleted.
fn is_nobody_elses(spelling: &str) -> bool {
    let whole = spelling.split('.').next().unwrap_or_default();
    whole.parse().is_ok_and(|whole| Lot::may_draw(PlantId(whole)))
}

fn is_edge_of_32_bits(id: i64) -> bool {
    id == i64::from(i32::MAX) || id == i64::from(i32::MIN) || id == i64::from(u32::MAX)
}

/// The last piece of the place where the answer says that the new plant is, if that is under the
/// path that was asked.
fn location(exchange: &Exchange, answer: &Answer) -> Option<String> {
    let request = exchange.request.as_ref().filter(|_| answer.status == 201)?;
    let base = url::Url::parse(&request.url).ok()?;
    let place = base.join(answer.header("location")?).ok()?;
    let piece = place.path().strip_prefix(base.path())?.strip_prefix('/')?;
    (place.host() == base.host() && !piece.contains('/')).then(|| piece.to_owned())
}

/// Whether a plant may be there though nothing is under its id: its create may still arrive, or
/// the answer shows another id, or not the plant that was sent.
fn may_be_elsewhere(exchange: &Exchange) -> bool {
    match (exchange.operation.ask.plant(), exchange.answer()) {
        (Some(plant), Some(answer)) if exchange.outcome() == Outcome::Accepted => {
            let has_other_id = id_as_written(answer).is_some_and(|written| !has_spelled(&written, plant.id));
            has_other_id || !differences(&exchange.operation.ask, answer).is_empty()
        }
        // A server that says it failed has done with it; nobody else who says so knows that.
        (_, answer) => !answer.is_some_and(|answer| matches!(answer.status, 500 | 501)),
    }
}
