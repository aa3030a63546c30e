//! A run of the check: which request goes out next, and what its end means for the rest. It sends
//! nothing and knows no time: the caller does both.
//!
//! One request is out at a time. A plant is deleted as soon as no probe needs it any more, so that
//! there are few leftovers whenever a run ends.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use super::diagnosis::{self, Counts, TIMEOUTS, diagnose};
use super::evidence::{Evidence, ProbeResult, Taken, is_about_the_caller, says_absent, status};
use super::report::{Report, Wanted};
use super::rules::{RULES, Rule, deletes_without_effect};
use super::steps::{Lot, Need, Step};
use super::test_plant::{Beforehand, Delete, EarlierLeftover, FIXED_IDS, Gone, Shape, TestPlant, TestPlants};
use super::undocumented::{UNDOCUMENTED, Undocumented};
use crate::domain::sentence::failed_because;
use crate::domain::{
    Ask, Ending, Exchange, FailureKind, OperationId, Outcome, PlantId, Probe, StoreUrl, Timestamp, patience,
};

/// Between two requests to a store that others use, too, where nobody says otherwise.
pub const PACE: Duration = Duration::from_millis(100);
/// How often a probe is sent again that was told to wait.
const PATIENCE: u32 = 3;
/// The longest pause that a store is given, and the one where it does not say how long.
const PAUSE: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(1));
/// How long a run waits in all because a store asks for it.
const PAUSES: Duration = Duration::from_secs(300);
/// How long a store is given to have what it accepted, a pause after the other.
const LAGS: [Duration; 3] = [Duration::from_millis(200), Duration::from_millis(800), Duration::from_secs(2)];
/// Requests in a row without a response, after which nothing more is tried.
const SILENCE: usize = 6;
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

/// What a request is sent for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To see what becomes of it.
    Probe(Step),
    /// To take the plant at this place away.
    CleanUp(usize),
}

/// A run of the check.
#[derive(Debug, Clone)]
pub struct Run {
    store: String,
    started: Timestamp,
    wanted: Wanted,
    pace: Duration,
    lot: Lot,
    /// Ids that cannot be drawn and that the view has.
    taken: Vec<PlantId>,
    /// What plants of earlier runs look like that could not be deleted: no more are created.
    avoided: Vec<Shape>,
    queue: VecDeque<Step>,
    planned: usize,
    test_plants: TestPlants,
    evidence: Evidence,
    out: Option<(Purpose, Probe)>,
    /// What the store asks for before the next request, and what it has asked for in all.
    pause: Option<Duration>,
    paused: Duration,
    /// How often what goes out next was told to wait.
    tries: u32,
    /// How often the first delete found nothing, and how long a store takes to have a plant.
    lags: usize,
    lag: Duration,
    draws: u32,
    /// Requests in a row without a response, and those of them that timed out.
    silence: usize,
    timeouts: usize,
    requests: usize,
    /// Whether the plants that earlier runs could not delete come first.
    retries_first: bool,
    cut_short: Option<String>,
    abandoned: bool,
    /// Plants that are gone by the store's word, and still in the view.
    gone: Vec<Gone>,
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
        before: &Beforehand,
    ) -> Self {
        let queue: VecDeque<_> = steps_for(&wanted).into_iter().collect();
        Self {
            store: store.to_string(),
            started,
            wanted,
            pace,
            lot,
            taken: before.taken.clone(),
            avoided: before.leftovers.iter().filter(|left| left.stays()).map(EarlierLeftover::shape).collect(),
            planned: queue.len(),
            queue,
            test_plants: TestPlants::left(&before.leftovers),
            evidence: Evidence::default(),
            out: None,
            pause: None,
            paused: Duration::ZERO,
            tries: 0,
            lags: 0,
            lag: Duration::ZERO,
            draws: 0,
            silence: 0,
            timeouts: 0,
            requests: 0,
            retries_first: before.leftovers.iter().any(|left| left.in_vain && left.is_ordinary()),
            cut_short: None,
            abandoned: false,
            gone: before.never_planted.clone(),
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
            if let Some((place, path_id)) = self.to_clean_up() {
                let id = self.test_plants.get(place).map_or(PlantId(0), |test_plant| test_plant.id);
                let probe = Probe { path_id, ..Probe::default() };
                return self.send(Purpose::CleanUp(place), Ask::Delete(id), probe);
            }
            if std::mem::take(&mut self.retries_first) && !self.test_plants.can_be_deleted() {
                self.evidence.undeletable = self.test_plants.undeletable().cloned();
                self.stop_at_obstacle();
                continue;
            }
            let Some(step) = self.queue.pop_front() else {
                if !std::mem::replace(&mut self.tried_again, true) && self.test_plants.again() {
                    continue;
                }
                return Next::Over;
            };
            match self.missing(step) {
                None => {
                    let (ask, probe) = self.lot.asking(step);
                    return self.send(Purpose::Probe(step), ask, probe);
                }
                Some(why) => drop(self.evidence.taken.insert(step, Taken::Skipped(why))),
            }
        }
    }

    /// What went out last has ended, at this time.
    pub fn ended(&mut self, exchange: Exchange, now: Timestamp) {
        let Some((purpose, probe)) = self.out.take() else { return };
        self.requests += 1;
        let silent = silence_of(&exchange);
        let timed_out = matches!(&exchange.ending, Ending::Failed(failure) if failure.kind == FailureKind::TimedOut);
        self.silence = if silent.is_some() { self.silence + 1 } else { 0 };
        self.timeouts = if timed_out { self.timeouts + 1 } else { 0 };
        let elapsed = exchange.elapsed;
        if self.is_to_wait(&exchange, now) {
            self.tries += 1;
            self.once_more(purpose, &probe);
            self.evidence.others.push(exchange);
            return;
        }
        self.tries = 0;
        match purpose {
            Purpose::Probe(step) if self.met_somebody(step, &exchange) => {
                self.draws += 1;
                self.lot = self.lot.next();
                self.queue.push_front(step);
                self.evidence.others.push(exchange);
            }
            Purpose::Probe(step) if self.comes_too_early(step, &exchange) => {
                self.queue.push_front(step);
                self.evidence.others.push(exchange);
            }
            Purpose::Probe(step) => {
                self.note(step, &exchange, &probe);
                self.evidence.taken.insert(step, Taken::Exchanged(Box::new(exchange)));
            }
            Purpose::CleanUp(place) => self.cleaned(place, exchange, &probe),
        }
        if self.timeouts >= TIMEOUTS {
            // What does not respond to the delete of what it has, either, is left alone at once.
            self.abandoned |= self.evidence.hung.replace(elapsed).is_some();
        }
        if let Some(why) = silent.filter(|_| self.silence >= SILENCE) {
            self.cut(format!("no response to {SILENCE} requests in a row, {why}"));
        }
        self.stop_at_obstacle();
    }

    /// Tries nothing more where that is pointless, and cleans up.
    fn stop_at_obstacle(&mut self) {
        if !self.is_stopping()
            && let Some(obstacle) = diagnosis::obstacle(&self.evidence, &Counts::default())
        {
            let why = obstacle.to_string();
            self.cut(why.trim_end_matches('.').to_owned());
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
        let is_over = self.out.is_none() && (self.abandoned || (self.queue.is_empty() && self.to_clean_up().is_none()));
        let decided = |steps: &[Step]| is_over || steps.iter().all(|step| self.is_decided(*step));
        let (rules, undocumented) = rows_of(&self.wanted);
        let rules = rules.filter(|rule| decided(rule.steps));
        let undocumented = undocumented.filter(|row| is_over || (!row.of_all && decided(row.steps)));
        let rules: Vec<_> = rules.map(|rule| rule.assess(&self.evidence)).collect();
        Report {
            store: self.store.clone(),
            started: self.started,
            wanted: self.wanted.clone(),
            requests: self.requests,
            diagnosis: diagnose(&self.evidence, &rules, self.cut_short.as_deref()),
            cut_short: self.cut_short.clone(),
            rules,
            undocumented: undocumented.map(|row| row.observe(&self.evidence)).collect(),
            leftovers: self.test_plants.leftovers(deletes_without_effect(&self.evidence).is_some()),
            accepts_every_delete: [Step::DeleteAbsent, Step::DeleteTwice]
                .iter()
                .any(|step| self.evidence.result(*step).is_accepted()),
        }
    }

    fn send(&mut self, purpose: Purpose, ask: Ask, probe: Probe) -> Next {
        let pace = if self.requests == 0 { Duration::ZERO } else { self.pace };
        let lag = if matches!(ask, Ask::Delete(_)) { self.lag } else { Duration::ZERO };
        let after = self.pause.take().unwrap_or_default().max(pace).max(lag);
        self.out = Some((purpose, probe.clone()));
        Next::Send { after, ask, probe }
    }

    fn cut(&mut self, why: String) {
        let why = self.cut_short.get_or_insert(why);
        for step in self.queue.drain(..) {
            self.evidence.taken.entry(step).or_insert(Taken::Skipped(why.clone()));
        }
    }

    /// Why a probe cannot go out; `None` if it can.
    fn missing(&self, step: Step) -> Option<String> {
        let no_cleaning_up = || {
            if deletes_without_effect(&self.evidence).is_some() {
                return Some("deletes remove nothing here, so that one plant more would stay".to_owned());
            }
            let why = "no delete was accepted here, so that one plant more could not be deleted";
            (!self.test_plants.can_be_deleted()).then(|| why.to_owned())
        };
        let (ask, probe) = self.lot.asking(step);
        if !step.is_delete() && self.avoided.contains(&Shape::of(ask.plant_id(), &probe)) {
            return Some(
                "an earlier check left such a plant that it could not delete: resolve that one first".to_owned(),
            );
        }
        match step.need() {
            Need::Nothing => None,
            Need::Yes(before) if self.evidence.result(before).is_accepted() => None,
            Need::Yes(before) => Some(self.no_yes_to(before)),
            Need::CleaningUp => no_cleaning_up(),
            Need::AFreeId => no_cleaning_up().or_else(|| self.may_hit_somebody(step)),
        }
    }

    /// Why a create could hit somebody's plant; `None` if it cannot.
    fn may_hit_somebody(&self, step: Step) -> Option<String> {
        let id = self.lot.id(step);
        if self.taken.contains(&id) {
            return Some("the list has a plant with this id".to_owned());
        }
        if self.test_plants.have_ids_of_the_stores_own() && !FIXED_IDS.contains(&id) {
            return None;
        }
        match self.evidence.result(Step::SecondCreate) {
            ProbeResult::Rejected(_, answer) if !is_about_the_caller(answer.status) => None,
            ProbeResult::Accepted(..) => {
                let why =
                    "a second plant under a taken id is accepted here, so that this one could replace somebody else's";
                Some(why.to_owned())
            }
            ProbeResult::Rejected(..) | ProbeResult::Unknown(_) | ProbeResult::Skipped(_) => {
                Some("what becomes of a taken id here is unknown, and this one may be somebody else's".to_owned())
            }
        }
    }

    /// Why there is nothing that a probe could be about.
    fn no_yes_to(&self, before: Step) -> String {
        let word = if before.is_delete() { "delete" } else { "create" };
        match self.evidence.result(before) {
            ProbeResult::Rejected(_, answer) => format!("the {word} before it was rejected: {}", status(answer)),
            ProbeResult::Unknown(exchange) if exchange.outcome() == Outcome::NotSent => {
                format!("the {word} before it never reached the store")
            }
            ProbeResult::Accepted(..) | ProbeResult::Unknown(_) => {
                format!("the outcome of the {word} before it is unknown")
            }
            ProbeResult::Skipped(why) => why.to_owned(),
        }
    }

    /// Whether the store asks for a pause, and what was asked is to be asked again after it.
    fn is_to_wait(&mut self, exchange: &Exchange, now: Timestamp) -> bool {
        let Some(answer) = exchange.answer().filter(|answer| matches!(answer.status, 429 | 503)) else { return false };
        let (longest, usual) = PAUSE;
        let asked = patience::asked_for(answer, now);
        if let Some(asked) = asked.filter(|asked| *asked > longest) {
            self.cut(format!("the store asks for a pause of {} s", asked.as_secs()));
            return false;
        }
        self.pause = asked.or((answer.status == 429).then_some(usual));
        self.paused += self.pause.unwrap_or_default();
        // A 503 does not say that nothing was done.
        if answer.status != 429 {
            return false;
        }
        if self.tries >= PATIENCE || self.paused > PAUSES {
            self.cut("the store asks for fewer requests, again and again".to_owned());
            return false;
        }
        true
    }

    fn once_more(&mut self, purpose: Purpose, probe: &Probe) {
        match purpose {
            Purpose::Probe(_) if self.is_stopping() => {}
            Purpose::Probe(step) => self.queue.push_front(step),
            Purpose::CleanUp(place) => self.test_plants.once_more(place, probe),
        }
    }

    /// Whether the first create met a plant that was there: nothing is told by that.
    fn met_somebody(&self, step: Step, exchange: &Exchange) -> bool {
        step == Step::Create && exchange.status() == Some(409) && self.draws < DRAWS
    }

    /// Whether the first delete may have come before the store had the plant: it is given time, and
    /// as much before every delete from then on.
    fn comes_too_early(&mut self, step: Step, exchange: &Exchange) -> bool {
        let is_absent = exchange.answer().is_some_and(says_absent);
        if step != Step::Delete || self.is_stopping() {
            return false;
        }
        match LAGS.get(self.lags).filter(|_| is_absent) {
            Some(lag) => {
                self.lags += 1;
                self.pause = Some(*lag);
                true
            }
            None => {
                if !is_absent {
                    self.lag = LAGS.iter().take(self.lags).sum();
                }
                false
            }
        }
    }

    /// Notes what the end of a probe means for its plant.
    fn note(&mut self, step: Step, exchange: &Exchange, probe: &Probe) {
        if !step.is_delete() {
            self.test_plants.planted(step, &self.lot, exchange);
            return;
        }
        let place = self.test_plants.place_of(step);
        let gone = match place {
            Some(place) => self.deleted(place, exchange, probe),
            // Nothing was ever planted under this id, and it was drawn by lot.
            None if exchange.outcome() == Outcome::Unknown && !probe.leaves_id_open => {
                Some((exchange.operation.ask.plant_id(), Some(exchange.operation.id)))
            }
            None => self.test_plants.deleted_as_told(exchange),
        };
        self.gone.extend(gone);
    }

    fn deleted(&mut self, place: usize, exchange: &Exchange, probe: &Probe) -> Option<Gone> {
        let create = self.test_plants.get(place).and_then(|test_plant| test_plant.create);
        let twin_took_it = create == Some(Step::CreateBig) && self.evidence.result(Step::DeleteTwin).is_accepted();
        let is_absent = exchange.answer().is_some_and(|answer| self.evidence.says_absent(answer));
        let is_not_found = exchange.answer().is_some_and(says_absent);
        self.test_plants.deleted(place, &self.lot, exchange, probe, Delete { is_absent, is_not_found, twin_took_it })
    }

    fn cleaned(&mut self, place: usize, exchange: Exchange, probe: &Probe) {
        let gone = self.deleted(place, &exchange, probe);
        self.gone.extend(gone);
        match self.test_plants.get(place).and_then(|test_plant| test_plant.create) {
            Some(create) => self.evidence.cleaned.entry(create).or_default().push(exchange),
            None => self.evidence.others.push(exchange),
        }
    }

    /// A plant that no probe needs any more, and what may take it away.
    fn to_clean_up(&self) -> Option<(usize, Option<String>)> {
        // What an earlier run left comes last: then it is known what a no means here.
        let is_needed = |test_plant: &TestPlant| match test_plant.create {
            Some(create) => self.queue.iter().any(|step| step.plant_step() == create && !self.is_out_of_reach(*step)),
            None => !self.queue.is_empty() && !self.retries_first,
        };
        self.test_plants.due(is_needed)
    }

    /// Whether a probe cannot go out any more, for one that it builds on was not accepted.
    fn is_out_of_reach(&self, step: Step) -> bool {
        let Need::Yes(before) = step.need() else { return false };
        match self.evidence.taken.get(&before) {
            Some(_) => !self.evidence.result(before).is_accepted(),
            None => self.is_out_of_reach(before),
        }
    }

    /// Whether no request will come that could change what is told of this probe.
    fn is_decided(&self, step: Step) -> bool {
        let cleans = matches!(self.out, Some((Purpose::CleanUp(place), _))
            if self.test_plants.get(place).is_some_and(|test_plant| test_plant.create == Some(step.plant_step())));
        // No row is about what deletes the first plant, which is created twice.
        let is_first = step.plant_step() == Step::Create;
        self.evidence.taken.contains_key(&step) && (is_first || (!cleans && !self.test_plants.is_due(step)))
    }
}

/// Why no answer came; `None` if one did.
fn silence_of(exchange: &Exchange) -> Option<String> {
    match &exchange.ending {
        Ending::Answered(_) => None,
        Ending::Failed(failure) => Some(failed_because(failure.kind, exchange.elapsed)),
    }
}

/// The rows that are wanted.
fn rows_of(wanted: &Wanted) -> (impl Iterator<Item = &'static Rule>, impl Iterator<Item = &'static Undocumented>) {
    let undocumented = UNDOCUMENTED.iter().filter(|row| wanted.names(row.name) && !wanted.gentle);
    (RULES.iter().filter(|rule| wanted.names(rule.name)), undocumented)
}

/// The probes that the wanted rows need, in their order.
fn steps_for(wanted: &Wanted) -> BTreeSet<Step> {
    let (rules, undocumented) = rows_of(wanted);
    let mut steps = BTreeSet::new();
    for step in rules.flat_map(|rule| rule.steps).chain(undocumented.flat_map(|row| row.steps)) {
        steps.insert(*step);
        steps.extend(step.after());
    }
    steps
}
