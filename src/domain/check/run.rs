//! A run of the check: which request goes out next, what its end means for the rest, and what is
//! still to be cleaned up. It sends nothing and knows no time: whoever has it does both.
//!
//! One request is out at a time. A plant is taken away as soon as no probe needs it any more, so
//! that little is left behind whenever a run ends.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use super::clauses::{CLAUSES, Clause};
use super::report::{LeftBehind, Report, Wanted};
use super::seen::{Said, Seen, Taken, id_as_written, is_about_the_caller, line, status};
use super::silent::{SILENT, Silent};
use super::steps::{Lot, Need, Step, TAG};
use crate::domain::outcome::differences;
use crate::domain::{Ask, Credentials, Exchange, OperationId, Outcome, PlantId, Probe, StoreUrl, Timestamp, patience};

/// Between two requests to a store that others use, too, where nobody says otherwise.
pub const PACE: Duration = Duration::from_millis(100);
/// How often a probe is sent again that was told to wait.
const PATIENCE: u32 = 3;
/// The longest pause that a store is given, and the one where it does not say how long.
const PAUSE: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(1));
/// After so many requests in a row without any answer nothing more is tried.
const SILENCE: u32 = 3;
/// How often another id is drawn where a first create meets a plant that is there.
const DRAWS: u32 = 2;

/// What whoever has a run is to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Ask for this, after a pause, and tell the end of it.
    Send {
        /// How long to wait first.
        after: Duration,
        /// What to ask for.
        ask: Ask,
        /// How its request departs from the document's.
        probe: Probe,
    },
    /// Take this plant out of the view, which stands there in this doubt or as stored: the store
    /// says that it has none, and it cannot come back.
    Forget(PlantId, Option<OperationId>),
    /// Nothing: a request is out.
    Wait,
    /// Nothing any more: the report is whole.
    Over,
}

/// What a plant may still be at the store as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Probe(Step),
    CleanUp(usize),
}

/// A plant of the check that is, or may be, at the store.
#[derive(Debug, Clone)]
struct Plot {
    /// The create that planted it; none of an earlier run's.
    create: Option<Step>,
    id: PlantId,
    name: String,
    /// How many plants with its id there may be.
    there: usize,
    /// Whether it may be there though nothing is under its id.
    elusive: bool,
    /// The last operation on it that ended unknown.
    doubt: Option<OperationId>,
    /// The ids that the store says it has, where they are others.
    told: Vec<String>,
    /// What may stand in a path to take it away and was not tried yet.
    untried: VecDeque<String>,
    /// The same, tried without an end that settles it.
    unsettled: Vec<String>,
    /// Whether a delete of it was accepted.
    deleted: bool,
    /// Why it may be there.
    why: String,
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

impl Leftover {
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

/// A run of the check.
#[derive(Debug, Clone)]
pub struct Run {
    store: String,
    started: Timestamp,
    wanted: Wanted,
    pace: Duration,
    lot: Lot,
    queue: VecDeque<Step>,
    planned: usize,
    plots: Vec<Plot>,
    seen: Seen,
    out: Option<(Purpose, Probe)>,
    /// What the store asks for before the next request.
    pause: Option<Duration>,
    /// How often what goes out next was told to wait.
    tries: u32,
    draws: u32,
    silence: u32,
    requests: usize,
    reached: bool,
    cut_short: Option<String>,
    abandoned: bool,
    /// Plants that are gone by the store's word, and still in the view.
    gone: Vec<(PlantId, Option<OperationId>)>,
    /// Whether what had no settling end was tried once more.
    tried_again: bool,
}

impl Run {
    /// A run against a store that begins now. At its end it cleans up what earlier runs left, too.
    pub fn new(
        store: &StoreUrl,
        started: Timestamp,
        wanted: Wanted,
        pace: Duration,
        lot: Lot,
        leftovers: &[Leftover],
    ) -> Self {
        let queue: VecDeque<_> = steps_for(&wanted).into_iter().collect();
        let plots = leftovers.iter().map(|left| Plot {
            create: None,
            id: left.id,
            name: left.name.clone(),
            there: 1,
            elusive: !left.accepted || left.probe.leaves_id_open || !Lot::may_draw(left.id),
            doubt: left.doubt,
            told: Vec::new(),
            untried: left.spellings(),
            unsettled: Vec::new(),
            deleted: false,
            why: "an earlier check planted it".to_owned(),
        });
        Self {
            store: store.to_string(),
            started,
            wanted,
            pace,
            lot,
            planned: queue.len(),
            queue,
            plots: plots.collect(),
            seen: Seen::default(),
            out: None,
            pause: None,
            tries: 0,
            draws: 0,
            silence: 0,
            requests: 0,
            reached: false,
            cut_short: None,
            abandoned: false,
            gone: Vec::new(),
            tried_again: false,
        }
    }

    /// What to do next.
    pub fn advance(&mut self) -> Next {
        if self.out.is_some() {
            return Next::Wait;
        }
        if let Some((plant, doubt)) = self.gone.pop() {
            return Next::Forget(plant, doubt);
        }
        if self.abandoned {
            return Next::Over;
        }
        loop {
            if let Some((plot, path_id)) = self.to_clean_up() {
                return self.clean_up(plot, path_id);
            }
            let Some(step) = self.queue.pop_front() else {
                if self.try_again() {
                    continue;
                }
                return Next::Over;
            };
            match self.missing(step) {
                None => {
                    let (ask, probe) = self.lot.asking(step);
                    return self.send(Purpose::Probe(step), ask, probe);
                }
                Some(why) => drop(self.seen.taken.insert(step, Taken::Skipped(why))),
            }
        }
    }

    /// What went out last has ended, at this time.
    pub fn ended(&mut self, exchange: Exchange, now: Timestamp) {
        let Some((purpose, probe)) = self.out.take() else { return };
        self.requests += 1;
        self.reached |= exchange.outcome() != Outcome::NotSent;
        self.silence = if exchange.answer().is_some() { 0 } else { self.silence + 1 };
        if self.is_to_wait(&exchange, now) && self.cut_short.is_none() && self.tries < PATIENCE {
            self.tries += 1;
            self.once_more(purpose, &probe);
            self.seen.others.push(exchange);
            return;
        }
        self.tries = 0;
        match purpose {
            Purpose::Probe(step) if self.met_somebody(step, &exchange) => {
                self.draws += 1;
                self.lot = self.lot.next();
                self.queue.push_front(step);
                self.seen.others.push(exchange);
            }
            Purpose::Probe(step) => {
                self.note(step, &exchange, &probe);
                self.seen.taken.insert(step, Taken::Exchanged(Box::new(exchange)));
            }
            Purpose::CleanUp(place) => self.cleaned(place, exchange, &probe),
        }
        if self.silence >= SILENCE {
            self.cut(format!("{SILENCE} requests in a row had no answer"));
        }
    }

    /// What was to go out did not, and may not go out any more.
    pub fn take_back(&mut self) {
        if let Some((purpose, probe)) = self.out.take() {
            self.once_more(purpose, &probe);
        }
    }

    /// Tries nothing more, and cleans up.
    pub fn stop(&mut self) {
        self.cut("it was stopped".to_owned());
    }

    /// Does nothing more at all; what is not cleaned up stays.
    pub fn abandon(&mut self, why: &str) {
        self.cut(why.to_owned());
        self.abandoned = true;
    }

    /// Whether it tries nothing more.
    pub fn is_stopping(&self) -> bool {
        self.cut_short.is_some()
    }

    /// How many probes are done, and of how many.
    pub fn progress(&self) -> (usize, usize) {
        let out = usize::from(matches!(self.out, Some((Purpose::Probe(_), _))));
        (self.planned.saturating_sub(self.queue.len() + out), self.planned)
    }

    /// What it came to so far: the rows that are decided.
    pub fn report(&self) -> Report {
        let is_over = self.out.is_none() && self.queue.is_empty() && self.to_clean_up().is_none();
        let decided = |steps: &[Step]| is_over || steps.iter().all(|step| self.is_decided(*step));
        let (clauses, silent) = rows_of(&self.wanted);
        let clauses = clauses.filter(|clause| decided(clause.steps));
        let silent = silent.filter(|silent| is_over || (!silent.of_all && decided(silent.steps)));
        Report {
            store: self.store.clone(),
            started: self.started,
            wanted: self.wanted.clone(),
            requests: self.requests,
            cut_short: self.cut_short.clone(),
            clauses: clauses.map(|clause| clause.judged(&self.seen)).collect(),
            observed: silent.map(|silent| silent.observed(&self.seen)).collect(),
            left_behind: self.left_behind(),
            reached: self.reached,
        }
    }

    fn send(&mut self, purpose: Purpose, ask: Ask, probe: Probe) -> Next {
        let pace = if self.requests == 0 { Duration::ZERO } else { self.pace };
        let after = self.pause.take().unwrap_or_default().max(pace);
        self.out = Some((purpose, probe.clone()));
        Next::Send { after, ask, probe }
    }

    fn cut(&mut self, why: String) {
        self.cut_short.get_or_insert(why);
        self.pause = None;
        for step in self.queue.drain(..) {
            let why = self.cut_short.clone().unwrap_or_default();
            self.seen.taken.entry(step).or_insert(Taken::Skipped(why));
        }
    }

    /// Why a probe cannot go out; `None` if it can.
    fn missing(&self, step: Step) -> Option<String> {
        let no_cleaning_up = || {
            let accepts = |exchange: &Exchange| exchange.outcome() == Outcome::Accepted;
            let can =
                self.seen.all().any(|exchange| matches!(exchange.operation.ask, Ask::Delete(_)) && accepts(exchange));
            (!can).then(|| "no delete was accepted here, so that a plant more could not be taken away".to_owned())
        };
        match step.need() {
            Need::Nothing => None,
            Need::Yes(before) if self.seen.said(before).is_yes() => None,
            Need::Yes(before) => Some(self.no_yes_to(before)),
            Need::CleaningUp => no_cleaning_up(),
            Need::AFreeId => no_cleaning_up().or_else(|| match self.seen.said(Step::SecondCreate) {
                Said::No(_, answer) if !is_about_the_caller(answer.status) => None,
                Said::Yes(..) => Some(
                    "a second plant under a taken id is accepted here, so that this one could hit somebody's"
                        .to_owned(),
                ),
                Said::No(..) | Said::Open(_) | Said::Skipped(_) => {
                    Some("nobody knows what becomes of a plant whose id is taken, and this one may be".to_owned())
                }
            }),
        }
    }

    /// Why there is nothing that a probe could be about.
    fn no_yes_to(&self, before: Step) -> String {
        let word = if before.is_delete() { "delete" } else { "create" };
        match self.seen.said(before) {
            Said::No(_, answer) => format!("the {word} before it was refused: {}", status(answer)),
            Said::Yes(..) | Said::Open(_) => format!("nobody knows what became of the {word} before it"),
            Said::Skipped(why) => why.to_owned(),
        }
    }

    /// Whether the store asks for a pause; notes how long it is to be.
    fn is_to_wait(&mut self, exchange: &Exchange, now: Timestamp) -> bool {
        let Some(answer) = exchange.answer().filter(|answer| matches!(answer.status, 429 | 503)) else { return false };
        let (longest, usual) = PAUSE;
        let asked = patience::asked_for(answer, now);
        if let Some(asked) = asked.filter(|asked| *asked > longest) {
            self.cut(format!("the store asks for a pause of {} s", asked.as_secs()));
            return false;
        }
        self.pause = asked.or((answer.status == 429).then_some(usual));
        // A 503 does not say that nothing was done.
        answer.status == 429
    }

    fn once_more(&mut self, purpose: Purpose, probe: &Probe) {
        match purpose {
            Purpose::Probe(step) => self.queue.push_front(step),
            Purpose::CleanUp(place) => {
                let again = probe.path_id.clone();
                if let Some(plot) = self.plots.get_mut(place) {
                    plot.untried.push_front(again.unwrap_or_else(|| plot.id.to_string()));
                }
            }
        }
    }

    /// Whether the first create met a plant that was there: nothing is told by that.
    fn met_somebody(&self, step: Step, exchange: &Exchange) -> bool {
        step == Step::Create && exchange.status() == Some(409) && self.draws < DRAWS
    }

    /// Notes what the end of a probe means for its plant.
    fn note(&mut self, step: Step, exchange: &Exchange, probe: &Probe) {
        if step.is_delete() {
            self.note_what_it_was_called(exchange);
            let place = self.plots.iter().position(|plot| plot.create == Some(step.plot()));
            match place {
                Some(place) => self.note_delete(place, exchange, probe),
                // It is of no plant of ours, but in doubt all the same.
                None if exchange.outcome() == Outcome::Unknown => {
                    let ask = &exchange.operation.ask;
                    self.plots.push(Plot {
                        create: Some(step),
                        id: ask.plant_id(),
                        name: String::new(),
                        there: 1,
                        elusive: true,
                        doubt: Some(exchange.operation.id),
                        told: Vec::new(),
                        untried: VecDeque::new(),
                        unsettled: Vec::new(),
                        deleted: false,
                        why: format!(
                            "nothing was planted under this id, but its delete is in doubt: {}",
                            line(exchange)
                        ),
                    });
                }
                None => {}
            }
            return;
        }
        if !matches!(exchange.outcome(), Outcome::Accepted | Outcome::Unknown) {
            return;
        }
        let told = other_id(exchange);
        let in_doubt = (exchange.outcome() == Outcome::Unknown).then_some(exchange.operation.id);
        let elusive = may_be_elsewhere(exchange);
        match self.plots.iter_mut().find(|plot| plot.create == Some(step.plot())) {
            Some(plot) => {
                plot.there += 1;
                plot.elusive |= elusive;
                plot.doubt = in_doubt.or(plot.doubt);
                plot.told.extend(told);
            }
            None => self.plots.push(Plot {
                create: Some(step.plot()),
                id: exchange.operation.ask.plant_id(),
                name: exchange.operation.ask.plant().map(|plant| plant.name.clone()).unwrap_or_default(),
                there: 1,
                elusive,
                doubt: in_doubt,
                told: told.into_iter().collect(),
                untried: self.lot.spellings(step).into(),
                unsettled: Vec::new(),
                deleted: false,
                why: line(exchange),
            }),
        }
    }

    /// A delete of the id that the store gave a plant of ours instead takes that one away.
    fn note_what_it_was_called(&mut self, exchange: &Exchange) {
        let used = exchange.operation.ask.plant_id().to_string();
        let place = (0..self.plots.len()).find(|place| self.trusted(*place).any(|told| *told == used));
        if let Some(plot) = place.and_then(|place| self.plots.get_mut(place))
            && exchange.outcome() == Outcome::Accepted
        {
            plot.there = 0;
            self.gone.push((plot.id, plot.doubt));
        }
    }

    fn note_delete(&mut self, place: usize, exchange: &Exchange, probe: &Probe) {
        let is_by_told = |plot: &Plot, used: &str| plot.told.iter().any(|told| told == used);
        let is_elsewhere = self.trusted(place).next().is_some();
        let spellings = self.plots.get(place).and_then(|plot| plot.create).map(|create| self.lot.spellings(create));
        let is_gone = self.is_gone_by_a_no(place, exchange);
        let Some(plot) = self.plots.get_mut(place) else { return };
        let used = probe.path_id.clone().unwrap_or_else(|| plot.id.to_string());
        match exchange.outcome() {
            // What the store calls otherwise was not taken away by this.
            Outcome::Accepted if is_elsewhere && !is_by_told(plot, &used) => {}
            Outcome::Accepted => {
                plot.there = plot.there.saturating_sub(1);
                (plot.deleted, plot.doubt) = (true, None);
                plot.untried = spellings.unwrap_or_default().into();
            }
            Outcome::Refused if plot.deleted && matches!(exchange.status(), Some(404 | 410)) => {
                plot.there = 0;
                // A later delete may have ended in doubt.
                self.gone.extend(plot.doubt.take().map(|doubt| (plot.id, Some(doubt))));
            }
            Outcome::Refused if probe.credentials != Credentials::Token => {}
            Outcome::Refused if is_gone && used == plot.id.to_string() => {
                plot.there = 0;
                self.gone.push((plot.id, plot.doubt));
            }
            Outcome::Refused => {
                plot.untried.retain(|spelling| *spelling != used);
                plot.why = line(exchange);
            }
            Outcome::Unknown | Outcome::NotSent => {
                plot.untried.retain(|spelling| *spelling != used);
                plot.unsettled.push(used);
                if exchange.outcome() == Outcome::Unknown {
                    plot.doubt = Some(exchange.operation.id);
                    plot.there = plot.there.max(1);
                }
                plot.why = line(exchange);
            }
        }
    }

    /// Whether a no to a delete says that the plant is not there: it was accepted under an
    /// ordinary id, is nowhere else, and the store goes by such ids.
    fn is_gone_by_a_no(&self, place: usize, exchange: &Exchange) -> bool {
        let Some(plot) = self.plots.get(place) else { return false };
        if plot.elusive || !plot.told.is_empty() {
            return false;
        }
        let goes_by_ids = self.plots.iter().any(|plot| plot.deleted && plot.create.is_some_and(Step::has_a_plain_id));
        // Its twin has taken it away.
        let by_twin = plot.create == Some(Step::CreateBig) && self.seen.said(Step::DeleteTwin).is_yes();
        let is_plain = plot.create.is_none_or(Step::has_a_plain_id);
        matches!(exchange.status(), Some(404 | 410)) && goes_by_ids && (is_plain || by_twin)
    }

    /// The ids that a store says a plant has. One that it says of two plants is of neither.
    fn trusted(&self, place: usize) -> impl Iterator<Item = &String> {
        let all = || self.plots.iter().flat_map(|plot| &plot.told);
        let told = self.plots.get(place).into_iter().flat_map(|plot| &plot.told);
        told.filter(move |told| all().filter(|other| other == told).count() == 1)
    }

    /// A plant that no probe needs any more, and what may take it away.
    fn to_clean_up(&self) -> Option<(usize, Option<String>)> {
        // What an earlier run left comes last: then it is known what a no means here.
        let needed = |plot: &Plot| match plot.create {
            Some(create) => self.queue.iter().any(|step| step.plot() == create),
            None => !self.queue.is_empty(),
        };
        self.plots.iter().enumerate().filter(|(_, plot)| plot.there > 0 && !needed(plot)).find_map(|(place, plot)| {
            let told = self.trusted(place).find(|told| !self.was_tried(plot, told)).cloned();
            let path_id = told.or_else(|| plot.untried.front().cloned())?;
            Some((place, Some(path_id).filter(|path_id| *path_id != plot.id.to_string())))
        })
    }

    fn was_tried(&self, plot: &Plot, path_id: &str) -> bool {
        let tried = plot.create.map_or(&[][..], |create| self.seen.cleaned(create));
        tried.iter().any(|exchange| {
            exchange.operation.probe.as_ref().is_some_and(|probe| probe.path_id.as_deref() == Some(path_id))
        })
    }

    fn clean_up(&mut self, place: usize, path_id: Option<String>) -> Next {
        let id = self.plots.get(place).map_or(PlantId(0), |plot| plot.id);
        self.send(Purpose::CleanUp(place), Ask::Delete(id), Probe { path_id, ..Probe::default() })
    }

    fn cleaned(&mut self, place: usize, exchange: Exchange, probe: &Probe) {
        self.note_delete(place, &exchange, probe);
        match self.plots.get(place).and_then(|plot| plot.create) {
            Some(create) => self.seen.cleaned.entry(create).or_default().push(exchange),
            None => self.seen.others.push(exchange),
        }
    }

    /// Tries once more what had no settling end, if deletes are accepted here at all.
    fn try_again(&mut self) -> bool {
        let can = self.plots.iter().any(|plot| plot.deleted);
        if self.tried_again || !can {
            return false;
        }
        self.tried_again = true;
        let mut any = false;
        for plot in self.plots.iter_mut().filter(|plot| plot.there > 0) {
            plot.untried.extend(plot.unsettled.drain(..));
            any |= !plot.untried.is_empty();
        }
        any
    }

    /// Whether no request will come that could change what is told of this probe.
    fn is_decided(&self, step: Step) -> bool {
        let due = |plot: &Plot| plot.create == Some(step.plot()) && plot.there > 0 && !plot.untried.is_empty();
        let cleans = matches!(self.out, Some((Purpose::CleanUp(place), _))
            if self.plots.get(place).is_some_and(|plot| plot.create == Some(step.plot())));
        self.seen.taken.contains_key(&step) && !cleans && !self.plots.iter().any(due)
    }

    fn left_behind(&self) -> Vec<LeftBehind> {
        let left = self.plots.iter().filter(|plot| plot.there > 0);
        left.map(|plot| LeftBehind { id: plot.id, name: plot.name.clone(), why: plot.why.clone() }).collect()
    }
}

/// The id of an accepted plant where the answer says another than was sent, of a plant that is
/// ours by its name or tag.
fn other_id(exchange: &Exchange) -> Option<String> {
    let (plant, answer) = exchange.operation.ask.plant().zip(exchange.answer())?;
    let body: serde_json::Value = serde_json::from_slice(&answer.body).ok()?;
    let is = |field: &str, sent: &str| body.get(field).and_then(serde_json::Value::as_str) == Some(sent);
    if !is("tag", TAG) && (plant.name.is_empty() || !is("name", &plant.name)) {
        return None;
    }
    let told = id_as_written(answer)?;
    let plain = told.len() <= 64 && told.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-+.".contains(&byte));
    (plain && !told.is_empty() && told != plant.id.to_string()).then_some(told)
}

/// Whether a plant may be there though nothing is under its id: its create may still arrive, or
/// the answer shows another id, or not the plant that was sent.
fn may_be_elsewhere(exchange: &Exchange) -> bool {
    match (exchange.operation.ask.plant(), exchange.answer()) {
        (Some(plant), Some(answer)) if exchange.outcome() == Outcome::Accepted => {
            let has_other_id = id_as_written(answer).is_some_and(|written| written != plant.id.to_string());
            has_other_id || !differences(&exchange.operation.ask, answer).is_empty()
        }
        // A server that says it failed has done with it; nobody else who says so knows that.
        (_, answer) => !answer.is_some_and(|answer| matches!(answer.status, 500 | 501)),
    }
}

/// The rows that are wanted.
fn rows_of(wanted: &Wanted) -> (impl Iterator<Item = &'static Clause>, impl Iterator<Item = &'static Silent>) {
    let silent =
        SILENT.iter().filter(|silent| wanted.names(silent.name) && (!wanted.gentle || !wanted.only.is_empty()));
    (CLAUSES.iter().filter(|clause| wanted.names(clause.name)), silent)
}

/// The probes that the wanted rows need, in their order.
fn steps_for(wanted: &Wanted) -> BTreeSet<Step> {
    let (clauses, silent) = rows_of(wanted);
    let mut steps = BTreeSet::new();
    for step in clauses.flat_map(|clause| clause.steps).chain(silent.flat_map(|silent| silent.steps)) {
        steps.insert(*step);
        steps.extend(step.after());
    }
    steps
}
