//! A run of the check as a state machine: takes what happened, returns what to do about it. It sends nothing,
//! knows no time, and takes every decision of a run, so that the tab and the command line only carry out orders.
//!
//! ```text
//!            Begin
//!              ▼                      PauseOver
//!   ┌────── advance ──▶ Pause ──────────────────┐
//!   │          ▲                                ▼
//!   │          └───── Ended, WorkerDied ────── Send
//!   └─▶ Keep, Finish
//! ```
//!
//! One request is out at a time. A plant is deleted as soon as no probe needs it any more, so that there are
//! few leftovers whenever a run ends.

use std::collections::VecDeque;
use std::time::Duration;

use super::diagnosis::{self, Counts, diagnose};
use super::draw::Draw;
use super::evidence::{Evidence, ProbeEnd, ProbeResult, is_about_the_caller, says_absent, status};
use super::leftover::{EarlierLeftover, EarlierRuns, FIXED_IDS, Gone, Shape};
use super::pacing::{Pacing, Wait};
use super::report::Report;
use super::rules::delete::deletes_without_effect;
use super::steps::{Need, Step};
use super::test_plant::{Delete, TestPlant, TestPlants};
use super::wanted::Wanted;
use crate::domain::{
    Exchange, FailureKind, Operation, OperationId, OperationKind, Outcome, PlantId, Probe, StoreUrl, Timestamp,
};

/// How often another id is drawn where a first create meets a plant that is there.
const DRAWS: u32 = 2;

/// What happened. What a run does not wait for changes nothing, like the end of a pause after a stop.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    Begin,
    /// What was sent last has ended, and it is this late now.
    Ended(Box<Exchange>, Timestamp),
    PauseOver,
    /// A person stops it: at first it tries nothing more and cleans up, the second time it sends nothing more.
    Stop,
    /// Nothing more is to be sent, for this reason.
    Abandon(&'static str),
    /// Nothing more can be sent. What was in flight, if anything was, may have arrived.
    WorkerDied(Option<Operation>, Timestamp),
}

/// What a run wants done, in this order.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Send this, whose request departs from the document's like that, and tell how it has ended.
    Send(OperationKind, Probe),
    /// Do not wait for what is in flight, and tell how it has ended.
    Cancel,
    /// Tell when so much time has passed.
    Pause(Duration),
    /// Take this plant off the list, where it is unknown by this operation, or stored: the store says that it
    /// has none, and it cannot come back.
    Forget(PlantId, Option<OperationId>),
    /// Put this report into the journal.
    Keep(Box<Report>),
    /// The run is over, and came to this.
    Finish(Box<Report>),
}

/// What a request is sent for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To see what becomes of it.
    Probe(Step),
    /// To take the plant at this place away.
    CleanUp(usize),
}

#[derive(Debug, Clone)]
struct Request {
    purpose: Purpose,
    kind: OperationKind,
    probe: Probe,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    /// No request goes out any more.
    Abandoned,
    /// It has finished.
    Over,
}

#[derive(Debug, Clone)]
pub struct Run {
    store: String,
    started: Timestamp,
    wanted: Wanted,
    draw: Draw,
    draws: u32,
    /// Ids that cannot be drawn and that the list has.
    taken: Vec<PlantId>,
    /// What plants of earlier runs look like that could not be deleted: no more are created.
    avoided: Vec<Shape>,
    queue: VecDeque<Step>,
    planned: usize,
    test_plants: TestPlants,
    evidence: Evidence,
    /// What goes out at the end of a pause.
    held: Option<Request>,
    in_flight: Option<Request>,
    state: State,
    pacing: Pacing,
    requests: usize,
    /// Whether the plants that earlier runs could not delete come first.
    retries_first: bool,
    /// Why nothing more is tried, by a person's target or not.
    cut_short: Option<String>,
    /// Whether a person has stopped it.
    is_stopping: bool,
    /// Plants that are gone by the store's word, and still on the list.
    gone: Vec<Gone>,
    /// Whether what had no resolving end was tried once more.
    tried_again: bool,
}

impl Run {
    /// Prepares a run that also deletes what earlier runs left. `seed` draws the ids and names of its plants,
    /// `pace` is the least time between two requests.
    pub fn new(
        store: &StoreUrl,
        started: Timestamp,
        wanted: Wanted,
        pace: Duration,
        seed: u64,
        before: &EarlierRuns,
    ) -> Self {
        let queue: VecDeque<_> = wanted.steps().into_iter().collect();
        Self {
            store: store.to_string(),
            started,
            wanted,
            draw: Draw::with_seed(seed),
            draws: 0,
            taken: before.taken.clone(),
            avoided: before.leftovers.iter().filter(|left| left.stays()).map(EarlierLeftover::shape).collect(),
            planned: queue.len(),
            queue,
            test_plants: TestPlants::left(&before.leftovers),
            evidence: Evidence::default(),
            held: None,
            in_flight: None,
            state: State::Running,
            pacing: Pacing::new(pace),
            requests: 0,
            retries_first: before.leftovers.iter().any(|left| left.in_vain && left.is_ordinary()),
            cut_short: None,
            is_stopping: false,
            gone: before.never_planted.clone(),
            tried_again: false,
        }
    }

    /// Takes in what happened, and says what to do.
    pub fn handle(&mut self, event: Event) -> Vec<Order> {
        if self.state == State::Over {
            return Vec::new();
        }
        let is_pausing = self.held.is_some();
        match event {
            Event::Begin if self.awaited().is_some() => return Vec::new(),
            Event::Begin => {}
            Event::Ended(exchange, now) => match self.in_flight.take() {
                Some(request) => self.ended(&request, *exchange, now),
                None => return Vec::new(),
            },
            Event::PauseOver => return self.held.take().map(|request| self.send(request)).into_iter().collect(),
            Event::Stop => {
                if std::mem::replace(&mut self.is_stopping, true) {
                    self.state = State::Abandoned;
                }
                self.try_no_more("it was stopped");
            }
            Event::Abandon(why) => {
                self.state = State::Abandoned;
                self.try_no_more(why);
            }
            Event::WorkerDied(lost, now) => {
                self.state = State::Abandoned;
                self.try_no_more("the background task died");
                if let Some((request, operation)) = self.in_flight.take().zip(lost) {
                    let exchange = Exchange::failed(operation, FailureKind::TaskDied, String::new(), now);
                    self.ended(&request, exchange, now);
                }
            }
        }
        if self.in_flight.is_some() { vec![Order::Cancel] } else { self.advance(is_pausing) }
    }

    /// Goes on as far as it can without news. Where a pause is under way, what comes next goes out at its end.
    fn advance(&mut self, is_pausing: bool) -> Vec<Order> {
        let mut orders: Vec<_> = self.gone.drain(..).map(|(plant, unknown)| Order::Forget(plant, unknown)).collect();
        let Some(request) = self.next() else {
            self.state = State::Over;
            let report = Box::new(self.report());
            orders.extend((report.requests > 0).then(|| Order::Keep(report.clone())));
            orders.push(Order::Finish(report));
            return orders;
        };
        let after = self.pacing.before_next(self.requests == 0, matches!(request.kind, OperationKind::Delete(_)));
        if is_pausing {
            self.held = Some(request);
        } else if after.is_zero() {
            orders.push(self.send(request));
        } else {
            self.held = Some(request);
            orders.push(Order::Pause(after));
        }
        orders
    }

    fn send(&mut self, request: Request) -> Order {
        let order = Order::Send(request.kind.clone(), request.probe.clone());
        self.in_flight = Some(request);
        order
    }

    /// The next request; `None` where there is none to come.
    fn next(&mut self) -> Option<Request> {
        while self.state == State::Running {
            if let Some((place, path_id)) = self.to_clean_up() {
                let kind = OperationKind::Delete(self.test_plants.get(place)?.id);
                let probe = Probe { path_id, ..Probe::default() };
                return Some(Request { purpose: Purpose::CleanUp(place), kind, probe });
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
                return None;
            };
            match self.missing(step) {
                None => {
                    let (kind, probe) = self.draw.request(step);
                    return Some(Request { purpose: Purpose::Probe(step), kind, probe });
                }
                Some(why) => drop(self.evidence.probes.insert(step, ProbeEnd::Skipped(why))),
            }
        }
        None
    }

    fn ended(&mut self, request: &Request, exchange: Exchange, now: Timestamp) {
        self.requests += 1;
        let silence = self.pacing.hears(&exchange);
        match self.pacing.wait_asked_for(&exchange, now) {
            Wait::SendAgain => {
                self.once_more(request);
                self.evidence.others.push(exchange);
                return;
            }
            Wait::GiveUp(why) => self.cut(why),
            Wait::GoOn => {}
        }
        let elapsed = exchange.elapsed;
        match request.purpose {
            Purpose::Probe(step) if self.met_somebody(step, &exchange) => {
                self.draws += 1;
                self.draw = self.draw.next();
                self.queue.push_front(step);
                self.evidence.others.push(exchange);
            }
            Purpose::Probe(step) if self.comes_too_early(step, &exchange) => {
                self.queue.push_front(step);
                self.evidence.others.push(exchange);
            }
            Purpose::Probe(step) => {
                self.note(step, &exchange, &request.probe);
                self.evidence.probes.insert(step, ProbeEnd::Exchanged(Box::new(exchange)));
            }
            Purpose::CleanUp(place) => self.cleaned(place, exchange, &request.probe),
        }
        if self.pacing.hangs() {
            // What does not respond to the delete of what it has, either, is left alone at once.
            if self.evidence.hung.replace(elapsed).is_some() {
                self.state = State::Abandoned;
            }
        }
        if let Some(why) = silence {
            self.cut(why);
        }
        self.stop_at_obstacle();
    }

    /// Tries nothing more where that is pointless, and cleans up.
    fn stop_at_obstacle(&mut self) {
        if self.cut_short.is_none()
            && let Some(obstacle) = diagnosis::obstacle(&self.evidence, &Counts::default())
        {
            let why = obstacle.to_string();
            self.cut(why.trim_end_matches('.').to_owned());
        }
    }

    /// Tries no more probes. What waits for the end of a pause goes back to where it came from.
    fn try_no_more(&mut self, why: &str) {
        if let Some(request) = self.held.take() {
            self.once_more(&request);
        }
        self.cut(why.to_owned());
    }

    fn cut(&mut self, why: String) {
        let why = self.cut_short.get_or_insert(why);
        for step in self.queue.drain(..) {
            self.evidence.probes.entry(step).or_insert(ProbeEnd::Skipped(why.clone()));
        }
    }

    fn once_more(&mut self, request: &Request) {
        match request.purpose {
            Purpose::Probe(_) if self.cut_short.is_some() => {}
            Purpose::Probe(step) => self.queue.push_front(step),
            Purpose::CleanUp(place) => self.test_plants.once_more(place, &request.probe),
        }
    }

    /// Whether a person has stopped it.
    pub fn is_stopping(&self) -> bool {
        self.is_stopping
    }

    /// How many probes are done, and of how many.
    pub fn progress(&self) -> (usize, usize) {
        let is_probe = self.awaited().is_some_and(|request| matches!(request.purpose, Purpose::Probe(_)));
        (self.planned.saturating_sub(self.queue.len() + usize::from(is_probe)), self.planned)
    }

    /// What goes out or is in flight.
    fn awaited(&self) -> Option<&Request> {
        self.held.as_ref().or(self.in_flight.as_ref())
    }

    /// What it came to so far: the rows that are decided.
    pub fn report(&self) -> Report {
        let is_over = self.state == State::Over;
        let decided = |steps: &[Step]| is_over || steps.iter().all(|step| self.is_decided(*step));
        let rules = self.wanted.rules().filter(|rule| decided(rule.steps));
        let rules: Vec<_> = rules.map(|rule| rule.assess(&self.evidence)).collect();
        let undocumented = self.wanted.undocumented();
        let undocumented = undocumented.filter(|row| is_over || (!row.of_all && decided(row.steps)));
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

    /// Why a probe cannot go out; `None` if it can.
    fn missing(&self, step: Step) -> Option<String> {
        let no_cleaning_up = || {
            if deletes_without_effect(&self.evidence).is_some() {
                return Some("deletes remove nothing here, so that one plant more would stay".to_owned());
            }
            let why = "no delete was accepted here, so that one plant more could not be deleted";
            (!self.test_plants.can_be_deleted()).then(|| why.to_owned())
        };
        let (kind, probe) = self.draw.request(step);
        if !step.is_delete() && self.avoided.contains(&Shape::of(kind.plant_id(), &probe)) {
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
        let id = self.draw.id(step);
        if self.taken.contains(&id) {
            return Some("the list has a plant with this id".to_owned());
        }
        if self.test_plants.have_ids_of_the_stores_own() && !FIXED_IDS.contains(&id) {
            return None;
        }
        match self.evidence.result(Step::SecondCreate) {
            ProbeResult::Rejected(_, response) if !is_about_the_caller(response.status) => None,
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
            ProbeResult::Rejected(_, response) => format!("the {word} before it was rejected: {}", status(response)),
            ProbeResult::Unknown(exchange) if exchange.outcome() == Outcome::NotSent => {
                format!("the {word} before it never reached the store")
            }
            ProbeResult::Accepted(..) | ProbeResult::Unknown(_) => {
                format!("the outcome of the {word} before it is unknown")
            }
            ProbeResult::Skipped(why) => why.to_owned(),
        }
    }

    /// Whether the first create met a plant that was there, which shows nothing.
    fn met_somebody(&self, step: Step, exchange: &Exchange) -> bool {
        step == Step::Create && exchange.status() == Some(409) && self.draws < DRAWS
    }

    /// Whether the first delete may have come before the store had the plant.
    fn comes_too_early(&mut self, step: Step, exchange: &Exchange) -> bool {
        step == Step::Delete
            && self.cut_short.is_none()
            && self.pacing.is_too_early(exchange.response().is_some_and(says_absent))
    }

    /// Notes what the end of a probe means for its plant.
    fn note(&mut self, step: Step, exchange: &Exchange, probe: &Probe) {
        if !step.is_delete() {
            self.test_plants.planted(step, &self.draw, exchange);
            return;
        }
        let place = self.test_plants.place_of(step);
        let gone = match place {
            Some(place) => self.deleted(place, exchange, probe),
            // Nothing was ever planted under this id, and it was drawn by lot.
            None if exchange.outcome() == Outcome::Unknown && !probe.leaves_id_open => {
                Some((exchange.operation.kind.plant_id(), Some(exchange.operation.id)))
            }
            None => self.test_plants.deleted_by_other_id(exchange),
        };
        self.gone.extend(gone);
    }

    fn deleted(&mut self, place: usize, exchange: &Exchange, probe: &Probe) -> Option<Gone> {
        let create = self.test_plants.get(place).and_then(|test_plant| test_plant.create);
        let twin_took_it = create == Some(Step::CreateBig) && self.evidence.result(Step::DeleteTwin).is_accepted();
        let is_absent = exchange.response().is_some_and(|response| self.evidence.says_absent(response));
        let is_not_found = exchange.response().is_some_and(says_absent);
        self.test_plants.deleted(place, &self.draw, exchange, probe, Delete { is_absent, is_not_found, twin_took_it })
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
        match self.evidence.probes.get(&before) {
            Some(_) => !self.evidence.result(before).is_accepted(),
            None => self.is_out_of_reach(before),
        }
    }

    /// Whether no request will come that could change what a report says of this probe.
    fn is_decided(&self, step: Step) -> bool {
        let cleans = self.awaited().is_some_and(|request| {
            matches!(request.purpose, Purpose::CleanUp(place)
            if self.test_plants.get(place).is_some_and(|test_plant| test_plant.create == Some(step.plant_step())))
        });
        // No row is about what deletes the first plant, which is created twice.
        let is_first = step.plant_step() == Step::Create;
        self.evidence.probes.contains_key(&step) && (is_first || (!cleans && !self.test_plants.is_due(step)))
    }
}
