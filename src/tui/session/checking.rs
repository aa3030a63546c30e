//! Drives the contract check: passes events to its engine, and carries out the engine's orders.

use super::check::UnderWay;
use super::state::Session;
use crate::check::{EarlierRuns, Event, Order, Pace, Report, Run, Wanted};
use crate::tui::effect::Effect;
use crate::tui::outbox::Outbox;

impl Session {
    /// Prepares a run: loads the leftovers of earlier ones first.
    pub fn prepare_check(&mut self, wanted: Wanted, out: &mut Outbox) {
        self.check.under_way = UnderWay::Beginning(wanted);
        out.effect(Effect::FindEarlierRuns);
    }

    /// Drops a prepared run. Returns whether there was one.
    pub fn drop_prepared_check(&mut self) -> bool {
        let is_dropped = matches!(self.check.under_way, UnderWay::Beginning(_));
        if is_dropped {
            self.check.under_way = UnderWay::Nothing;
        }
        is_dropped
    }

    /// Begins the prepared run, with ids drawn by `seed`. Returns whether one was prepared.
    pub fn begin_check(&mut self, seed: u64, before: &EarlierRuns, out: &Outbox) -> bool {
        let UnderWay::Beginning(wanted) = &self.check.under_way else { return false };
        let pace = Pace::towards(&self.info.store);
        let mut run = Run::new(&self.info.store, out.now, wanted.clone(), pace, seed, before);
        run.profile.clone_from(&self.info.profile);
        self.check.under_way = UnderWay::Running(Box::new(run));
        true
    }

    /// Passes an event to the run, and carries out its order. Returns the report at the end of the run.
    pub fn advance_check(&mut self, event: Event, out: &mut Outbox) -> Option<Report> {
        let UnderWay::Running(run) = &mut self.check.under_way else { return None };
        match run.handle(event)? {
            Order::Send(kind, probe) => self.send(kind, Some(probe), false, out),
            Order::Cancel => {
                let probes = self.pending.iter().map(|pending| &pending.operation);
                let probes = probes.filter(|operation| operation.probe.is_some());
                for id in probes.map(|operation| operation.id).collect::<Vec<_>>() {
                    self.cancel(id, out);
                }
            }
            Order::Pause(time) => {
                self.check.pauses += 1;
                out.effect(Effect::Pause(self.check.pauses, time));
            }
            Order::Finish(report) => {
                self.check.under_way = UnderWay::Nothing;
                if report.requests > 0 {
                    out.effect(Effect::KeepRun(report.clone()));
                }
                return Some(*report);
            }
        }
        None
    }
}
