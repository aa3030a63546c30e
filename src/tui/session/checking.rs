//! Carries out what the engine of the contract check orders.

use std::time::Duration;

use super::check::UnderWay;
use super::pending::PendingOperation;
use super::state::Session;
use crate::check::{EarlierRuns, Event, Order, PACE, Report, Run, Wanted};
use crate::domain::{Operation, OperationKind, Probe, Resolution};
use crate::tui::effect::Effect;
use crate::tui::outbox::Outbox;

impl Session {
    /// Begins a run, once the journal has said what earlier ones left.
    pub fn prepare_check(&mut self, wanted: Wanted, out: &mut Outbox) {
        self.check.under_way = UnderWay::Beginning(wanted);
        out.effect(Effect::FindEarlierRuns);
    }

    /// Drops a run that is about to begin. Whether one was.
    pub fn drop_prepared_check(&mut self) -> bool {
        let is_dropped = self.check.is_about_to_begin();
        if is_dropped {
            self.check.under_way = UnderWay::Nothing;
        }
        is_dropped
    }

    /// The run begins; `seed` draws the ids of its plants. Whether one was wanted.
    pub fn begin_check(&mut self, seed: u64, before: &EarlierRuns, out: &Outbox) -> bool {
        let UnderWay::Beginning(wanted) = &self.check.under_way else { return false };
        let pace = if self.info.demo { Duration::ZERO } else { PACE };
        let run = Run::new(&self.info.store, out.now, wanted.clone(), pace, seed, before);
        self.check.under_way = UnderWay::Running(Box::new(run));
        true
    }

    /// Tells the run what happened, and carries its orders out. Returns its report once it is over.
    pub fn tell_check(&mut self, event: Event, out: &mut Outbox) -> Option<Report> {
        let UnderWay::Running(run) = &mut self.check.under_way else { return None };
        let mut finished = None;
        for order in run.handle(event) {
            match order {
                Order::Send(kind, probe) => self.send_probe(kind, probe, out),
                Order::Cancel => self.cancel_probes(out),
                Order::Pause(time) => {
                    self.check.pauses += 1;
                    out.effect(Effect::Pause(self.check.pauses, time));
                }
                Order::Forget(id, unknown) => {
                    self.check.forgotten.insert(id);
                    out.effect(Effect::Resolve(id, unknown, Resolution::Forget));
                }
                Order::Keep(report) => out.effect(Effect::KeepRun(report)),
                Order::Finish(report) => finished = Some(*report),
            }
        }
        if finished.is_some() {
            self.check.under_way = UnderWay::Nothing;
        }
        finished
    }

    fn send_probe(&mut self, kind: OperationKind, probe: Probe, out: &mut Outbox) {
        let name = self.name_of(kind.plant_id());
        let operation = Operation { probe: Some(probe), ..Operation::new(self.next_operation(), kind, out.now) };
        self.pending.push(PendingOperation { operation: operation.clone(), name, cancelled: false, is_sample: false });
        out.effect(Effect::Send(operation));
    }

    /// Does not wait for what is out.
    fn cancel_probes(&mut self, out: &mut Outbox) {
        for pending in self.pending.iter_mut().filter(|pending| pending.operation.probe.is_some()) {
            pending.cancelled = true;
            out.effect(Effect::Cancel(pending.operation.id));
        }
    }
}
