//! A run of the check as a state machine: takes events and returns orders. It makes all decisions of a run, and must
//! not know who carries out its orders: it sends nothing and reads no clock.
//!
//! ```text
//!            Begin
//!              ▼                      PauseOver
//!   ┌────── advance ──▶ Pause ──────────────────┐
//!   │          ▲                                ▼
//!   │          └───── Ended, WorkerDied ────── Send
//!   └─▶ Finish
//! ```
//!
//! At most one request is in flight. A plant is deleted as soon as no probe needs it any more, so that a run has few
//! leftovers whenever it ends.

mod reasons;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::controls::{Control, Controls, is_taken_as_usual};
use super::deletes::{Effect, effect_of_deletes};
use super::diagnosis::{Finding, diagnose, obstacle};
use super::earlier_runs::EarlierRuns;
use super::evidence::{
    AVOIDED, Evidence, Origin, ProbeResult, Purpose, is_about_the_caller, is_rejected_for_content, status,
};
use super::leftover::EarlierLeftover;
use super::pacing::{PATIENCE, Pace, Pacing};
use super::probe_requests::{MAX_REDRAWS, ProbeRequests};
use super::report::Report;
use super::row::{Row, RowResult, Verdict};
use super::steps::{Need, Step};
use super::table::purpose;
use super::test_plant::{TestPlant, TestPlants};
use super::wanted::Wanted;
use crate::domain::{
    Exchange, FailureKind, Operation, OperationKind, Outcome, PROGRAM, PlantId, Probe, StoreUrl, Timestamp,
};

/// Plants of earlier runs from which on a run adds none if the store does not delete them. Three times as many if they
/// may be gone: the probes show it.
const MOST_LEFT: usize = 10;

/// An event for a run. A run ignores events that it does not wait for, like the end of a pause after a stop.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    Begin,
    /// The request in flight has ended; the current time.
    Ended(Arc<Exchange>, Timestamp),
    PauseOver,
    /// A person stops the run: the first time it cleans up, the second time it sends nothing more.
    Stop,
    /// The run must send nothing more, for this reason.
    Abandon(&'static str),
    /// The worker died with this operation in flight, which may have reached the store.
    WorkerDied(Option<Box<Operation>>, Timestamp),
}

/// An order of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Send this operation, whose request differs from the document like this, and report its end.
    Send(OperationKind, Probe),
    /// Cancel the request in flight, and report its end.
    Cancel,
    /// Report when this time has passed.
    Pause(Duration),
    /// The run is over, with this report, which is stored in the journal if anything was sent.
    Finish(Box<Report>),
}

#[derive(Debug, Clone)]
struct Request {
    purpose: Purpose,
    kind: OperationKind,
    probe: Probe,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Running,
    /// The run sends nothing more, and waits for the request in flight.
    Abandoned,
    Over,
}

#[derive(Debug, Clone, Default)]
pub struct Run {
    store: String,
    /// The name of the profile that has the base URL and the token.
    pub profile: Option<String>,
    pub started: Timestamp,
    wanted: Wanted,
    probe_requests: ProbeRequests,
    redraws: u32,
    /// What the first ids are drawn by.
    seed: u64,
    /// What others are drawn by if those are an earlier run's, and the store has one of them.
    fresh_seed: Option<u64>,
    /// Fixed ids that the list has.
    taken: Vec<PlantId>,
    /// The rules that failed in earlier runs.
    failed_before: Vec<RowResult>,
    /// Probes that are still to be sent.
    queue: VecDeque<Step>,
    test_plants: TestPlants,
    evidence: Evidence,
    /// The request to send at the end of the pause.
    held: Option<Request>,
    in_flight: Option<Request>,
    state: State,
    pacing: Pacing,
    /// Whether the run still retries, before any probe, the deletes that failed in earlier runs.
    is_retrying: bool,
    /// Why no more probes are sent, before all were.
    cut_short: Option<String>,
    /// Whether a person has stopped the run.
    is_stopping: bool,
    /// How often the deletes that decided nothing were repeated.
    repetitions: usize,
    controls: Controls,
    /// The probe that was sent last.
    last: Option<Step>,
}

impl Run {
    /// Prepares a run, which also deletes the leftovers of earlier runs. `seed` determines the ids and names of its
    /// plants.
    pub fn new(
        store: &StoreUrl,
        started: Timestamp,
        wanted: Wanted,
        pace: Pace,
        seed: u64,
        before: &EarlierRuns,
    ) -> Self {
        let (first, leftovers) = (before.seed(seed), before.leftovers());
        Self {
            store: store.to_string(),
            started,
            seed: first,
            fresh_seed: (first != seed).then_some(seed),
            probe_requests: before.first_requests(first),
            taken: before.taken.clone(),
            failed_before: before.failed_rules(),
            queue: wanted.steps().into_iter().collect(),
            wanted,
            test_plants: TestPlants::of_earlier_runs(&leftovers),
            pacing: Pacing::new(pace),
            is_retrying: leftovers.iter().any(EarlierLeftover::is_retried_first),
            ..Self::default()
        }
    }

    /// Handles an event, and returns the order that follows, if there is one.
    pub fn handle(&mut self, event: Event) -> Option<Order> {
        if self.state == State::Over {
            return None;
        }
        let is_pausing = self.held.is_some();
        match event {
            Event::Begin if self.awaited().is_some() => return None,
            Event::Begin => {}
            Event::Ended(exchange, now) => {
                let request = self.in_flight.take()?;
                self.handle_end(&request, Arc::unwrap_or_clone(exchange), now);
            }
            Event::PauseOver => return self.held.take().map(|request| self.send(request)),
            Event::Stop if self.is_stopping => self.abandon("it was stopped"),
            Event::Stop => {
                self.is_stopping = true;
                self.send_no_more_probes("it was stopped");
            }
            Event::Abandon(why) => self.abandon(why),
            Event::WorkerDied(lost, now) => {
                self.abandon("the background task died");
                if let Some((request, operation)) = self.in_flight.take().zip(lost) {
                    let exchange = Exchange::failed(*operation, FailureKind::TaskDied, String::new(), now);
                    self.handle_end(&request, exchange, now);
                }
            }
        }
        if self.in_flight.is_some() { Some(Order::Cancel) } else { self.advance(is_pausing) }
    }

    /// Orders the next request, or the end of the run. During a pause the request is held until its end.
    fn advance(&mut self, is_pausing: bool) -> Option<Order> {
        let Some(request) = self.next() else {
            self.state = State::Over;
            return Some(Order::Finish(Box::new(self.report())));
        };
        let pause = self.pacing.before_next(self.evidence.len() == 0);
        if !is_pausing && pause.is_zero() {
            return Some(self.send(request));
        }
        self.held = Some(request);
        (!is_pausing).then_some(Order::Pause(pause))
    }

    fn send(&mut self, request: Request) -> Order {
        let purpose = purpose(request.purpose);
        let probe = Probe { run: Some(self.started), purpose, ..request.probe.clone() };
        let order = Order::Send(request.kind.clone(), probe);
        self.in_flight = Some(request);
        order
    }

    /// Returns the next request, if there is one.
    fn next(&mut self) -> Option<Request> {
        while self.state == State::Running {
            if self.is_control_due() {
                let kind = self.probe_requests.control(self.controls.next_number());
                return Some(Request { purpose: Purpose::Control, kind, probe: Probe::default() });
            }
            if let Some((plant, path_id)) = self.next_clean_up() {
                let (purpose, kind) = (Purpose::CleanUp(plant.origin), OperationKind::Delete(plant.id));
                return Some(Request { purpose, kind, probe: Probe { path_id, ..Probe::default() } });
            }
            if std::mem::take(&mut self.is_retrying) {
                self.stop_at_leftovers();
                continue;
            }
            if self.queue.is_empty() && self.repeats_unresolved() {
                continue;
            }
            let step = self.queue.pop_front()?;
            let (kind, probe) = self.probe_requests.request(step);
            match self.reason_to_skip(step, &kind, &probe) {
                None => return Some(Request { purpose: Purpose::Probe(step), kind, probe }),
                Some(why) => drop(self.evidence.skipped.insert(step, why)),
            }
        }
        None
    }

    fn is_control_due(&self) -> bool {
        let is_possible = self.cut_short.is_none() && self.cannot_delete().is_none();
        is_possible && self.controls.are_due(&self.evidence, self.last, self.queue.front().copied())
    }

    /// Returns a failed delete of an earlier run's plant, if the store has accepted no delete: then it gets no more of
    /// them.
    fn failed_retry(&self) -> Option<(&Exchange, bool)> {
        self.test_plants.undeletable().filter(|_| !self.test_plants.can_be_deleted())
    }

    /// Ends a run before its probes if earlier ones left many plants that the store does not delete: each would add more.
    fn stop_at_leftovers(&mut self) {
        let Some((failed, may_be_gone)) = self.failed_retry() else { return };
        let most = if may_be_gone { 3 * MOST_LEFT } else { MOST_LEFT };
        if self.cut_short.is_none() && self.test_plants.count_earlier() >= most {
            self.evidence.undeletable = Some(failed.clone());
            self.stop_at_obstacle();
        }
    }

    /// Repeats the deletes that decided nothing, after a pause. Returns whether there are any.
    fn repeats_unresolved(&mut self) -> bool {
        let Some(pause) = PATIENCE.get(self.repetitions) else {
            self.test_plants.end_watch(&self.evidence);
            return false;
        };
        self.repetitions += 1;
        let repeated = self.test_plants.repeat_unresolved(&self.evidence);
        for origin in &repeated {
            self.pacing.wait(*pause);
            if let Origin::Probe(create) = origin {
                *self.evidence.watched.entry(*create).or_default() += *pause;
            }
        }
        !repeated.is_empty()
    }

    fn handle_end(&mut self, request: &Request, exchange: Exchange, now: Timestamp) {
        let no_response = self.pacing.count_unanswered(&exchange);
        match self.pacing.after_response(&exchange, now) {
            Ok(true) => {
                self.repeat(request);
                self.evidence.add(None, exchange);
                return;
            }
            Err(why) => self.cut(why),
            Ok(false) => {}
        }
        let elapsed = exchange.elapsed;
        match request.purpose {
            Purpose::Probe(step) => self.finish_probe(step, exchange),
            Purpose::CleanUp(origin) => {
                self.test_plants.deleted(origin, &self.evidence, &exchange);
                self.evidence.add(Some(request.purpose), exchange);
            }
            Purpose::Control => self.finish_control(exchange),
        }
        // A store that does not respond to the clean-up either gets no more requests.
        if self.pacing.hangs() && self.evidence.hung.replace(elapsed).is_some() {
            self.state = State::Abandoned;
        }
        if let Some(why) = no_response {
            self.cut(why);
        }
        self.stop_at_obstacle();
    }

    fn finish_control(&mut self, exchange: Exchange) {
        self.test_plants.add_control(&self.evidence, &exchange);
        let verdict = self.controls.finish(&self.evidence, &exchange);
        self.evidence.add(Some(Purpose::Control), exchange);
        match verdict {
            Control::Again(pause) => self.pacing.wait(pause),
            Control::Passed => drop(self.controls.go_on(&self.evidence)),
            Control::TakenAgain | Control::Rejected => {
                let since = self.controls.go_on(&self.evidence);
                self.evidence.void_since(since);
                self.test_plants.distrust_since(since);
                if verdict == Control::Rejected && self.cut_short.is_none() {
                    let control = self.evidence.all().last().cloned();
                    let is_page = control.as_ref().is_some_and(|control| control.is_page() && !control.rejects_token());
                    let page = |status| format!("a web page came ({status} text/html)");
                    let response = control.as_ref().and_then(Exchange::response);
                    let how = response.map(|one| if is_page { page(one.status) } else { status(one) });
                    let how = how.map(|how| format!(": {how}")).unwrap_or_default();
                    self.cut(format!("creates are no longer accepted{how}"));
                    self.evidence.last_control = control;
                }
            }
        }
    }

    /// Ends the probes if the evidence shows that more are pointless.
    fn stop_at_obstacle(&mut self) {
        if self.cut_short.is_none()
            && let Some(obstacle) = obstacle(&self.evidence)
        {
            self.cut(obstacle.to_string());
        }
    }

    fn abandon(&mut self, why: &str) {
        self.state = State::Abandoned;
        self.send_no_more_probes(why);
    }

    fn send_no_more_probes(&mut self, why: &str) {
        if let Some(request) = self.held.take() {
            self.repeat(&request);
        }
        self.cut(why.to_owned());
    }

    fn cut(&mut self, why: String) {
        let why = self.cut_short.get_or_insert(why);
        for step in self.queue.drain(..) {
            self.evidence.skipped.insert(step, why.clone());
        }
    }

    /// Puts a probe back in front of those that are still to be sent. A delete that cleans up is due again anyway.
    fn repeat(&mut self, request: &Request) {
        match request.purpose {
            Purpose::Probe(step) if self.cut_short.is_none() => self.queue.push_front(step),
            Purpose::Control => self.controls.is_wanted = true,
            Purpose::Probe(_) | Purpose::CleanUp(_) => {}
        }
    }

    /// Whether a person has stopped the run.
    pub fn is_stopping(&self) -> bool {
        self.is_stopping
    }

    /// Returns how many probes are done, and how many there are; `None` once the run only cleans up.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let is_probe = self.awaited().is_some_and(|request| matches!(request.purpose, Purpose::Probe(_)));
        let left = self.queue.len() + usize::from(is_probe);
        let planned = self.wanted.steps().len();
        (left > 0 && !self.is_stopping).then_some((planned.saturating_sub(left), planned))
    }

    /// Returns the request that is held or in flight.
    fn awaited(&self) -> Option<&Request> {
        self.held.as_ref().or(self.in_flight.as_ref())
    }

    /// Returns the report so far, with the rows that are decided.
    pub fn report(&self) -> Report {
        let is_over = self.state == State::Over;
        let are_decided = |steps: &[Step]| steps.iter().all(|step| self.is_decided(*step));
        let rows = self.wanted.rows().filter(|row| is_over || (!row.of_all && are_decided(row.steps)));
        let results = rows.map(|row| self.assess(row));
        let (rules, undocumented): (Vec<_>, Vec<_>) = results.partition(|result| result.verdict.is_some());
        Report {
            program: PROGRAM.to_owned(),
            store: self.store.clone(),
            profile: self.profile.clone(),
            started: self.started,
            seed: Some(self.seed),
            wanted: self.wanted.clone(),
            requests: self.evidence.all().count(),
            diagnosis: diagnose(&self.evidence, &rules, &undocumented, self.cut_short.as_deref()),
            cut_short: self.cut_short.clone(),
            rules,
            undocumented,
            latency: self.evidence.latency(),
            leftovers: self.test_plants.leftovers(&self.evidence),
        }
    }

    /// Returns the result of a row: that of an earlier run, if it is a rule that failed there and the plants of that run
    /// are why it is inconclusive now.
    fn assess(&self, row: &Row) -> RowResult {
        let result = row.assess(&self.evidence);
        let is_avoided = |step: &Step| matches!(self.evidence.result(*step), ProbeResult::Skipped(AVOIDED));
        let cannot_clean_up = || matches!(obstacle(&self.evidence), Some(Finding::CannotCleanUp(_)));
        let before = self.failed_before.iter().find(|before| before.name == row.name);
        let kept = before.filter(|_| result.verdict == Some(Verdict::Inconclusive));
        kept.filter(|_| row.steps.iter().any(is_avoided) || cannot_clean_up()).cloned().unwrap_or(result)
    }

    /// Adds the end of a probe, or repeats the probe if its response shows nothing.
    fn finish_probe(&mut self, step: Step, exchange: Exchange) {
        if step == Step::Create && self.draws_other_ids(&exchange) {
            self.test_plants.add_control(&self.evidence, &exchange);
            self.queue.push_front(step);
            self.evidence.add(None, exchange);
            return;
        }
        self.last = Some(step);
        let is_taken = step.is_usual_create() && is_taken_as_usual(&self.evidence, &exchange);
        if step.is_delete() {
            self.test_plants.deleted(Origin::Probe(step.plant_step()), &self.evidence, &exchange);
        } else {
            self.test_plants.created(step, &self.evidence, &exchange);
        }
        let is_open = matches!(exchange.outcome(), Outcome::Unknown | Outcome::NotSent);
        // Of two ids that are the same double, the store may have the second one only for another person's plant.
        let is_twin_taken = step == Step::CreateTwin && exchange.outcome() == Outcome::Rejected;
        self.controls.is_wanted |= is_twin_taken || (step.is_usual_create() && !is_taken && !is_open);
        self.watch(step, &exchange);
        self.evidence.add(Some(Purpose::Probe(step)), exchange);
        if is_taken {
            self.controls.go_on(&self.evidence);
        }
    }

    /// Draws other ids and names for a first create that was rejected as taken, or that failed; the second time perhaps
    /// for its long id.
    fn draws_other_ids(&mut self, create: &Exchange) -> bool {
        let status = create.status().unwrap_or_default();
        let may_be_chance = status == 409 || (matches!(status, 500 | 501) && self.redraws == 0);
        let other = if may_be_chance && self.redraws < MAX_REDRAWS {
            self.redraws += 1;
            let fresh = self.fresh_seed.take_if(|_| status == 409);
            Some(self.probe_requests.with_others(fresh.unwrap_or_else(|| self.probe_requests.next_seed())))
        } else if matches!(status, 400 | 406..=501) && !is_about_the_caller(status) {
            self.probe_requests.with_short_ids()
        } else {
            None
        };
        let Some(other) = other.filter(|_| self.cut_short.is_none()) else { return false };
        self.probe_requests = other;
        true
    }

    /// Repeats a probe after a growing pause while its response contradicts an earlier one: the store may only be late.
    fn watch(&mut self, step: Step, exchange: &Exchange) {
        let is_there = step.deletes_its_plant() && self.evidence.accepted(step.plant_step()).is_some();
        let is_contradiction = matches!(step, Step::CreateAgain | Step::CreateBigAgain) || is_there;
        let watched = self.evidence.watched.get(&step).copied().unwrap_or_default();
        // Each pause is longer than all before it together.
        let next = PATIENCE.iter().find(|pause| **pause > watched);
        if let (true, None, Some(pause)) =
            (is_rejected_for_content(exchange) && is_contradiction, &self.cut_short, next)
        {
            self.evidence.watched.insert(step, watched + *pause);
            self.pacing.wait(*pause);
            self.queue.push_front(step);
        }
    }

    /// Returns a plant that no probe needs any more, and the path segment of its delete unless that is its id.
    fn next_clean_up(&self) -> Option<(&TestPlant, Option<String>)> {
        let is_at_end = self.queue.is_empty();
        // By then the run knows what a rejection means here.
        let are_proven = effect_of_deletes(&self.evidence) == Effect::Works;
        let fails = self.failed_retry().is_some();
        self.test_plants.due(&self.evidence, is_at_end, |plant: &TestPlant| match plant.origin {
            Origin::Probe(create) => {
                self.queue.iter().any(|step| step.plant_step() == create && !self.is_out_of_reach(*step))
            }
            Origin::Control => false,
            Origin::EarlierRun => fails || !(self.is_retrying || is_at_end || (are_proven && plant.is_early())),
        })
    }

    /// Whether a probe cannot be sent any more because one that it needs was not accepted.
    fn is_out_of_reach(&self, step: Step) -> bool {
        let Need::Accepted(needed) = step.need() else { return false };
        if self.evidence.has(needed) { self.evidence.accepted(needed).is_none() } else { self.is_out_of_reach(needed) }
    }

    /// Whether no further request can change the rows of this probe.
    fn is_decided(&self, step: Step) -> bool {
        let is_repeated = self.awaited().is_some_and(|request| request.purpose == Purpose::Probe(step));
        // No row depends on the clean-up of the first plant, which is created twice.
        let is_first = step.plant_step() == Step::Create;
        self.evidence.has(step) && (is_first || (!is_repeated && !self.test_plants.is_due(step)))
    }
}
