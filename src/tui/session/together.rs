//! Sends operations together: a few at a time, with one message about all of them, one brake, and one question about the
//! plants that the store says it does not have.

use super::state::Session;
use crate::domain::{Exchange, ListedPlant, OperationKind, Outcome, retry_after};
use crate::text::number_format::about;
use crate::tui::effect::Effect;
use crate::tui::outbox::Outbox;
use crate::tui::session::tally::Together;
use crate::tui::session::{plant_questions, question};
use crate::tui::ui_effect::UiEffect;
use crate::worker::{CONCURRENCY, Ended};

impl Session {
    /// Sends again operations that were not sent: deletes together, and adds if they are many.
    pub fn send_all(&mut self, kinds: Vec<OperationKind>, out: &mut Outbox) {
        let are_many = kinds.len() > CONCURRENCY;
        let is_together = |kind: &OperationKind| are_many || matches!(kind, OperationKind::Delete(_));
        let (together, mut alone): (Vec<_>, Vec<_>) = kinds.into_iter().partition(is_together);
        if together.len() > 1 {
            self.send_together(together, false, out);
        } else {
            alone.extend(together);
        }
        for kind in alone {
            self.submit(kind, out);
        }
    }

    /// Sends operations together, with one message about all of them. `of_unknown`: their plants are unknown, and stay
    /// that if the store rejects them.
    pub fn send_together(&mut self, kinds: Vec<OperationKind>, of_unknown: bool, out: &mut Outbox) {
        // More operations can be unsent by now than a question showed.
        self.unsent.retain(|kind| !kinds.contains(kind));
        for kind in &kinds {
            if let OperationKind::Delete(plant) = kind {
                self.plants.marked.remove(plant);
            }
        }
        if self.feed.is_over() {
            self.feed.release();
        }
        self.batch.get_or_insert_default().extend(&kinds, of_unknown);
        self.feed.extend(kinds);
        out.ui_effect(UiEffect::Together);
        self.feed_batch(out);
        self.say_batch(out);
    }

    /// Goes on after a pause that the store asked for.
    pub fn batch_due(&mut self, out: &mut Outbox) {
        self.feed.pause_over();
        self.feed_batch(out);
    }

    /// Submits the operations that can be sent now. If the brake is on, returns the others to the person, and asks.
    pub(super) fn feed_batch(&mut self, out: &mut Outbox) {
        loop {
            let kinds = self.feed.take();
            if kinds.is_empty() {
                break;
            }
            for kind in kinds {
                self.submit(kind, out);
            }
        }
        if let Some(cause) = self.feed.braked() {
            let of_unknown = self.batch.as_ref().is_some_and(|batch| batch.of_unknown);
            let rest = self.withdraw_batch(out);
            out.ask(question::go_on(&rest, of_unknown, cause, &self.info.store));
        }
    }

    /// Counts as not sent, and keeps, the operations that the worker does not have yet.
    pub(super) fn withdraw_batch(&mut self, out: &mut Outbox) -> Vec<OperationKind> {
        let rest = self.feed.withdraw();
        if let (Some(batch), false) = (&mut self.batch, rest.is_empty()) {
            for kind in &rest {
                batch.count(kind, Outcome::NotSent);
            }
            self.unsent.extend(rest.iter().cloned());
            self.say_batch(out);
        }
        rest
    }

    pub(super) fn is_in_batch(&self, kind: &OperationKind) -> bool {
        self.batch.as_ref().is_some_and(|batch| batch.has(kind))
    }

    /// Counts an operation that has ended; `exchange` is its last one, unless a person gave it up.
    pub(super) fn count_in_batch(
        &mut self,
        kind: &OperationKind,
        outcome: Outcome,
        exchange: Option<&Exchange>,
        out: &mut Outbox,
    ) {
        let Some(batch) = self.batch.as_mut().filter(|batch| batch.has(kind)) else { return };
        batch.count(kind, outcome);
        batch.pages += u64::from(exchange.is_some_and(Exchange::is_accepted_page));
        self.feed.ended(exchange);
        if outcome == Outcome::Accepted {
            self.plants.marked.remove(&kind.plant_id());
        }
        self.say_batch(out);
    }

    fn say_batch(&mut self, out: &mut Outbox) {
        if let Some(batch) = &self.batch {
            self.say_together(batch.summary(&out.keys), batch.together(), out);
            if let Some(over) = self.batch.take_if(|batch| batch.is_over())
                && !over.missing.is_empty()
            {
                out.ask(plant_questions::not_there(&over.missing, None));
            }
        }
    }

    /// Says what became of several plants so far.
    pub(super) fn say_together(&mut self, text: String, together: Together, out: &mut Outbox) {
        out.say_in_both(text, together.sentences());
        self.together = Some(together);
    }

    /// Waits before the rest of the batch if the store asks for it.
    pub(super) fn pause_batch(&mut self, exchange: &Exchange, out: &mut Outbox) {
        let pause = exchange.response().and_then(|response| retry_after::pause_before_next(response, out.now));
        if let Some(pause) = pause.filter(|_| self.feed.waiting().len() > 0) {
            self.feed.pause();
            out.effect(Effect::WaitForBatch(pause));
            out.say_also(&format!("The store asks to wait {}.", about(pause)));
        }
    }

    /// Notes a delete of the batch of a plant in the list that the store says it does not have.
    pub(super) fn note_missing(&mut self, ended: &Ended) {
        let Exchange { operation, .. } = ended.exchange.as_ref();
        if let (Some(batch), OperationKind::Delete(_), Some(404), Some(row)) =
            (&mut self.batch, &operation.kind, ended.exchange.status(), &ended.row)
            && batch.has(&operation.kind)
        {
            batch.missing.push(ListedPlant { row: row.clone(), unknown: ended.unknown.clone() });
        }
    }
}
