//! A run of the contract check: begun by a person, carried on with every answer, stopped, kept.
//!
//! ```text
//! begins ─▶ what is known before ─▶ Run ── advance ──▶ pause ─▶ a flight like any other
//!                                    ▲                                   │
//!                                    └───────────── ended ◀──────────────┘
//! ```

use std::time::Duration;

use crate::courier::Ended;
use crate::domain::check::{Beforehand, Lot, Next, PACE, Run, Wanted};
use crate::domain::{Ask, Exchange, FailureKind, Operation, OperationId, PlantId, Probe, Settlement};
use crate::journal::Kept;

use super::check::{Behind, Held, UnderWay};
use super::choice;
use super::form::{Then, TokenPrompt};
use super::importing;
use super::keys::{Action, InCheck, InRoom};
use super::message::Effect;
use super::model::{Flight, Model, Notice, Overlay};
use super::reader::Reading;
use super::room::Room;

/// Why nothing else of the check can be done while it runs.
pub(super) const UNDER_WAY: &str = "a check is under way: wait for its end, or stop it";

impl Model {
    /// Why a key of the Check room does nothing now.
    pub(super) fn unavailable_in_check(&self, action: InCheck) -> Option<&'static str> {
        let check = &self.check;
        if check.is_under_way() {
            return Some(UNDER_WAY);
        }
        match action {
            InCheck::Run if self.is_importing() => Some(importing::UNDER_WAY),
            InCheck::Run if !self.flights.is_empty() => Some("operations are in flight: wait for them, or cancel them"),
            InCheck::Run => self.cannot_send(),
            InCheck::Open => self.kept_runs(action).is_empty().then_some("no run is kept yet"),
            InCheck::Compare | InCheck::Report if check.report.is_none() => Some("no run is shown yet"),
            InCheck::Report => None,
            InCheck::Compare if check.compared.is_some() => None,
            InCheck::Compare => self.kept_runs(action).is_empty().then_some("no other run is kept"),
        }
    }

    pub(super) fn act_in_check(&mut self, action: InCheck) -> Vec<Effect> {
        match action {
            InCheck::Run => return self.ask_to_check(),
            InCheck::Report => return self.open_report_of_check(),
            InCheck::Compare if self.check.compared.take().is_some() => {}
            InCheck::Open | InCheck::Compare => self.open_runs(action),
        }
        Vec::new()
    }

    /// A store that is not the demo is only checked on a person's word.
    fn ask_to_check(&mut self) -> Vec<Effect> {
        if !self.token_held {
            let why = format!("The check sends requests to {} with the token, and without it.", self.store_in_words());
            self.open(Overlay::Token(TokenPrompt::before(Then::Check, vec![why])));
            return Vec::new();
        }
        if self.facts.demo {
            return self.begin_check(Wanted::default());
        }
        let gentle = Wanted { gentle: true, ..Wanted::default() };
        let probes =
            [Wanted::default(), gentle].map(|wanted| self.run_of(wanted, 0, &Beforehand::default()).progress().1);
        self.open(Overlay::Choice(choice::check(&self.facts.store, probes)));
        Vec::new()
    }

    /// There is a token now: what the check waited for.
    pub(super) fn check_with_token(&mut self) -> Vec<Effect> {
        match self.unavailable_in_check(InCheck::Run) {
            None => self.ask_to_check(),
            Some(_) => Vec::new(),
        }
    }

    /// A person wants it. First the journal tells what it knows.
    pub(super) fn begin_check(&mut self, wanted: Wanted) -> Vec<Effect> {
        if let Some(why) = self.unavailable_in_check(InCheck::Run) {
            self.says(&format!("The check does not begin: {why}."));
            return Vec::new();
        }
        self.check.under_way = UnderWay::Beginning(wanted);
        vec![Effect::LookBeforehand]
    }

    /// What the journal knows before a run; `seed` is drawn by lot.
    pub(super) fn known_beforehand(&mut self, seed: u64, found: Result<Beforehand, String>) -> Vec<Effect> {
        let UnderWay::Beginning(wanted) = &self.check.under_way else { return Vec::new() };
        let wanted = wanted.clone();
        self.check.under_way = UnderWay::Nothing;
        let before = match found {
            Ok(before) => before,
            Err(why) => {
                self.cannot_read(&why);
                return Vec::new();
            }
        };
        let run = self.run_of(wanted, seed, &before);
        (self.check.report, self.check.compared, self.check.follows) = (None, None, true);
        self.check.under_way = UnderWay::Running(Box::new(run));
        let back = self.keys.shown(Action::Room(InRoom::Back));
        let room = self.keys.shown(Room::Check.action());
        self.says(&match self.room {
            Room::Check => format!("The check has begun. {back} stops it."),
            Room::Plants | Room::Exchanges | Room::Greenhouse => format!("The check has begun: {room} shows it."),
        });
        self.carry_on()
    }

    fn run_of(&self, wanted: Wanted, seed: u64, before: &Beforehand) -> Run {
        let pace = if self.facts.demo { Duration::ZERO } else { PACE };
        Run::new(&self.facts.store, self.now, wanted, pace, Lot::draw(seed), before)
    }

    /// Lets the run go on as far as it can without an answer.
    fn carry_on(&mut self) -> Vec<Effect> {
        self.carry_on_after(None)
    }

    /// The same; what goes out next does so at the end of this pause, if one is under way.
    fn carry_on_after(&mut self, pause: Option<u32>) -> Vec<Effect> {
        let mut effects = Vec::new();
        while let UnderWay::Running(run) = &mut self.check.under_way {
            match run.advance() {
                Next::Send { after, ask, probe } => {
                    effects.extend(self.send_after(pause, after, ask, probe));
                    break;
                }
                Next::Forget(id, doubt) => {
                    self.check.forgotten.insert(id);
                    effects.push(Effect::Settle(id, doubt, Settlement::Forget));
                }
                Next::Wait => break,
                Next::Over => return effects.into_iter().chain(self.check_is_over()).collect(),
            }
        }
        self.show_run();
        effects
    }

    /// Sends a probe now, or at the end of a pause.
    fn send_after(&mut self, pause: Option<u32>, after: Duration, ask: Ask, probe: Probe) -> Option<Effect> {
        if pause.is_none() && after.is_zero() {
            return Some(self.send_probe(ask, probe));
        }
        let number = pause.unwrap_or(self.check.pauses + 1);
        self.check.pauses = number;
        self.check.held = Some(Held { pause: number, ask, probe });
        pause.is_none().then_some(Effect::Pause(number, after))
    }

    fn show_run(&mut self) {
        if let Some(report) = self.check.run().map(Run::report) {
            self.check.shows(report);
        }
    }

    /// Hands a probe to the courier.
    fn send_probe(&mut self, ask: Ask, probe: Probe) -> Effect {
        let name = self.name_of(ask.plant_id());
        let id = self.next_operation();
        let operation = Operation { probe: Some(probe), ..Operation::new(id, ask, self.now) };
        self.flights.push(Flight { operation: operation.clone(), name, cancelled: false, is_sample: false });
        Effect::Send(operation)
    }

    /// A pause is over, unless nobody waits for its end any more.
    pub(super) fn pause_is_over(&mut self, pause: u32) -> Vec<Effect> {
        let held = self.check.held.take_if(|held| held.pause == pause);
        held.map(|held| self.send_probe(held.ask, held.probe)).into_iter().collect()
    }

    /// A probe is over. What the end of an operation means otherwise is no matter: nobody asked
    /// for this one, and the run knows what to do about it.
    pub(super) fn probe_ended(&mut self, ended: Ended) -> Vec<Effect> {
        self.flights.retain(|flight| flight.operation.id != ended.exchange.operation.id);
        if let Err(why) = &ended.recorded {
            let notice = Notice::new(format!("The journal could not keep this: {why}"));
            if !self.notices.contains(&notice) {
                self.notices.push_back(notice);
            }
        }
        self.go_on_after(ended.exchange)
    }

    fn go_on_after(&mut self, exchange: Exchange) -> Vec<Effect> {
        let now = self.now;
        let UnderWay::Running(run) = &mut self.check.under_way else { return Vec::new() };
        run.ended(exchange, now);
        self.carry_on()
    }

    /// Esc cancels what is out. The first one tries nothing more and cleans up, the second sends
    /// nothing more at all.
    pub(super) fn stop_check(&mut self) -> Vec<Effect> {
        match &mut self.check.under_way {
            UnderWay::Nothing => Vec::new(),
            UnderWay::Beginning(_) => {
                self.check.under_way = UnderWay::Nothing;
                self.says("The check has not begun. Nothing was sent.");
                Vec::new()
            }
            UnderWay::Running(run) if run.is_stopping() => self.abandon_check("it was stopped twice"),
            UnderWay::Running(run) => {
                // A pause that the store asked for goes on, and what is held is not tried any more.
                let pause = self.check.held.take().map(|held| held.pause);
                if pause.is_some() {
                    run.take_back();
                }
                run.stop();
                let back = self.keys.shown(Action::Room(InRoom::Back));
                self.says(&format!("Stopping: the check deletes its plants. {back} again leaves them there."));
                let cancelled = self.cancel_probes();
                cancelled.into_iter().chain(self.carry_on_after(pause)).collect()
            }
        }
    }

    /// Sends nothing more; what is out is cancelled.
    pub fn abandon_check(&mut self, why: &str) -> Vec<Effect> {
        let UnderWay::Running(run) = &mut self.check.under_way else {
            self.check.under_way = UnderWay::Nothing;
            return Vec::new();
        };
        if self.check.held.take().is_some() {
            run.take_back();
        }
        run.abandon(why);
        let mut effects = self.cancel_probes();
        effects.extend(self.carry_on());
        effects
    }

    /// Does not wait for what is out.
    fn cancel_probes(&mut self) -> Vec<Effect> {
        let probes = self.flights.iter_mut().filter(|flight| flight.operation.probe.is_some());
        let cancel = |flight: &mut Flight| {
            flight.cancelled = true;
            Effect::Cancel(flight.operation.id)
        };
        probes.map(cancel).collect()
    }

    /// The courier has died with these in flight.
    pub(super) fn check_dies(&mut self, lost: &[Operation]) -> Vec<Effect> {
        let mut effects = self.abandon_check("the background task died");
        if let Some(probe) = lost.iter().find(|operation| operation.probe.is_some()) {
            let exchange = Exchange::failed(probe.clone(), FailureKind::TaskDied, String::new(), self.now);
            effects.extend(self.go_on_after(exchange));
        }
        effects
    }

    /// One sentence tells what it came to, and the journal keeps it.
    fn check_is_over(&mut self) -> Vec<Effect> {
        let UnderWay::Running(run) = std::mem::take(&mut self.check.under_way) else { return Vec::new() };
        let report = run.report();
        let follows = std::mem::take(&mut self.check.follows);
        self.check.shows(report.clone());
        if follows {
            self.check.select_what_matters();
        }
        self.says(&report.summary());
        if report.requests == 0 { Vec::new() } else { vec![Effect::KeepRun(Box::new(report))] }
    }

    pub(super) fn run_was_kept(&mut self, result: Result<(), String>) -> Vec<Effect> {
        if let Err(why) = result {
            self.notices.push_back(Notice::new(format!("The journal could not store this report of the check: {why}")));
        }
        self.find_runs().into_iter().collect()
    }

    /// Whether the check wants this plant to be forgotten, which then is nobody else's word.
    pub(super) fn was_forgotten_by_check(&mut self, id: PlantId, settlement: Settlement) -> bool {
        settlement == Settlement::Forget && self.check.forgotten.remove(&id)
    }

    /// Asks for the exchanges behind the selected row, once, when they are not at hand.
    pub(super) fn look_behind(&mut self) -> Option<Effect> {
        // What a run that goes on decides next would be asked for at once.
        if self.room != Room::Check || self.check.follows || !self.is_of_this_store() {
            return None;
        }
        let operations = self.check.selected_exchanges();
        if operations.is_empty() || self.check.behind.as_ref().is_some_and(|behind| behind.operations == operations) {
            return None;
        }
        let operations = operations.to_vec();
        self.check.behind = Some(Behind { operations: operations.clone(), found: None });
        Some(Effect::LookBehind(operations))
    }

    /// Whether the report that is shown is of the store that is open, whose exchanges the journal has.
    pub fn is_of_this_store(&self) -> bool {
        self.check.report.as_ref().is_some_and(|report| report.store == self.facts.store.to_string())
    }

    pub(super) fn behind_came(&mut self, asked: &[OperationId], found: Result<Vec<Kept>, String>) -> Vec<Effect> {
        let Some(behind) = self.check.behind.as_mut().filter(|behind| behind.operations == asked) else {
            return Vec::new();
        };
        match found {
            Ok(found) => behind.found = Some(found),
            Err(why) => {
                behind.found = Some(Vec::new());
                self.cannot_read(&why);
            }
        }
        if std::mem::take(&mut self.check.opening) { self.open_behind() } else { Vec::new() }
    }

    /// Opens the last exchange behind the selected row, now or as soon as it is there.
    pub(super) fn open_behind(&mut self) -> Vec<Effect> {
        let Some(behind) = self.check.selected_behind() else {
            self.check.opening = true;
            return Vec::new();
        };
        match behind.last().cloned() {
            Some(kept) => self.read(Reading::exchange(Box::new(kept), false)),
            None => {
                self.says("Its requests are not stored any more.");
                Vec::new()
            }
        }
    }

    /// Why nothing behind the selected row can be opened.
    pub(super) fn nothing_behind(&self) -> Option<&'static str> {
        if self.check.selected_exchanges().is_empty() {
            Some("it rests on no request")
        } else {
            (!self.is_of_this_store()).then_some("its requests are in another store's history")
        }
    }
}
