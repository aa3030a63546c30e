//! Operations from their request to their end: submitted, given back, ended outcome by outcome.

use super::pending::PendingOperation;
use super::state::Session;
use crate::client::Token;
use crate::config::ConnectionTarget;
use crate::domain::sentence;
use crate::domain::{Exchange, FailureKind, Operation, OperationId, OperationKind, Outcome as Proof, Plant};
use crate::tui::draft::Draft;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::outbox::Outbox;
use crate::tui::outcome::{Open, Outcome, Tab, Then};
use crate::tui::question;
use crate::tui::status::{Notice, StatusMessage};
use crate::worker::Ended;

impl Session {
    /// Hands an operation to the worker, or asks for a token first.
    pub fn submit(&mut self, kind: OperationKind, out: &mut Outbox) {
        self.request(kind, false, out);
    }

    /// Adds the next of the demo's samples: one after another, so that each can be seen.
    pub fn add_next_sample(&mut self, out: &mut Outbox) {
        if let Some(plant) = self.samples.pop_front().filter(|_| self.worker_alive) {
            self.request(OperationKind::Add(plant), true, out);
        }
    }

    fn request(&mut self, kind: OperationKind, is_sample: bool, out: &mut Outbox) {
        if !self.worker_alive {
            return self.give_back(kind, "The background task has died: connect anew, or quit and start again.", out);
        }
        if !self.token_set {
            let why = vec![format!("There is no token for {} yet.", self.store_in_words())];
            return self.want_token(why, kind, out);
        }
        let plant = kind.plant_id();
        self.unsent.retain(|other| other.plant_id() != plant);
        if matches!(kind, OperationKind::Delete(_)) {
            self.plants.marked.remove(&plant);
        }
        let operation = Operation::new(self.next_operation(), kind, out.now);
        let name = self.name_of(plant);
        self.pending.push(PendingOperation { operation: operation.clone(), name, cancelled: false, is_sample });
        out.effect(Effect::Send(operation));
        out.outcome(Outcome::Submitted { plant, by_a_person: !is_sample });
    }

    pub fn next_operation(&mut self) -> OperationId {
        self.requested += 1;
        OperationId { origin: self.info.origin, number: self.requested }
    }

    /// Gives back an operation that cannot go out: an add as its form, a delete in words.
    pub fn give_back(&mut self, kind: OperationKind, why: &str, out: &mut Outbox) {
        out.say(match &kind {
            OperationKind::Add(plant) => format!("{} was not sent. {why}", sentence::plant_called(plant)),
            OperationKind::Delete(id) => format!("{} was not deleted. {why}", sentence::called(*id, None)),
        });
        match &kind {
            OperationKind::Add(plant) if !self.is_in_batch(&kind) => come_back(plant, vec![why.to_owned()], out),
            OperationKind::Add(_) | OperationKind::Delete(_) => {
                self.count_in_batch(&kind, Proof::NotSent, out);
                self.unsent.push(kind);
            }
        }
    }

    /// Asks for a token, for this operation and any other that waits for one.
    pub fn want_token(&mut self, why: Vec<String>, kind: OperationKind, out: &mut Outbox) {
        self.waiting_for_token.push(kind);
        out.open(Open::Token { why, then: Then::Nothing });
    }

    /// Uses a token that a person gave, and sends what waited for one.
    pub fn use_token(&mut self, token: Token, out: &mut Outbox) {
        self.token_set = true;
        self.tokens += 1;
        if let ConnectionTarget::BaseUrl(other) = &mut self.stores.here {
            // Opened anew, it is opened with this one.
            other.token = Some(token.clone());
        }
        out.effect(Effect::UseToken(token));
        let store = self.store_in_words();
        out.say(format!("Token set for {store}, for this session; the next request shows whether it is accepted."));
        for kind in std::mem::take(&mut self.waiting_for_token) {
            self.submit(kind, out);
        }
    }

    /// No token was given: what waited for one comes back.
    pub fn no_token_given(&mut self, out: &mut Outbox) {
        let store = self.store_in_words();
        let why = if self.token_set {
            format!("{store} rejected it, and no other token was given for {store}.")
        } else {
            format!("No token was given for {store}.")
        };
        for kind in std::mem::take(&mut self.waiting_for_token) {
            self.give_back(kind, &why, out);
        }
    }

    /// A token came from its command in the middle of an import: the worker has it already.
    pub fn token_renewed(&mut self, out: &mut Outbox) {
        self.tokens += 1;
        let store = self.store_in_words();
        out.say(format!("{store} rejected the token (401); its token command gave another, and the import goes on."));
    }

    /// Sends what was not sent.
    pub fn send_all(&mut self, asks: Vec<OperationKind>, out: &mut Outbox) {
        // Others may have joined since these were shown.
        self.unsent.retain(|kind| !asks.contains(kind));
        let deletes: Vec<_> = asks.iter().filter(|kind| matches!(kind, OperationKind::Delete(_))).cloned().collect();
        if deletes.len() > 1 {
            self.batch.get_or_insert_default().extend(&deletes);
        }
        for kind in asks {
            self.submit(kind, out);
        }
    }

    /// Sends these, and tells of them in one line.
    pub fn send_together(&mut self, asks: Vec<OperationKind>, out: &mut Outbox) {
        self.batch.get_or_insert_default().extend(&asks);
        for kind in asks {
            self.submit(kind, out);
        }
        self.say_batch(out);
    }

    fn is_in_batch(&self, kind: &OperationKind) -> bool {
        self.batch.as_ref().is_some_and(|batch| batch.has(kind))
    }

    fn count_in_batch(&mut self, kind: &OperationKind, proof: Proof, out: &mut Outbox) {
        let Some(batch) = self.batch.as_mut().filter(|batch| batch.has(kind)) else { return };
        batch.count(kind, proof);
        if proof == Proof::Accepted {
            self.plants.marked.remove(&kind.plant_id());
        }
        self.say_batch(out);
    }

    fn say_batch(&mut self, out: &mut Outbox) {
        if let Some(batch) = &self.batch {
            let summary = batch.summary(&out.keys);
            self.batch.take_if(|batch| batch.is_over());
            out.say(summary);
        }
    }

    pub fn cancel(&mut self, id: OperationId, out: &mut Outbox) {
        for pending in self.pending.iter_mut().filter(|pending| pending.operation.id == id) {
            pending.cancelled = true;
        }
        out.effect(Effect::Cancel(id));
    }

    pub fn cancel_all(&mut self, out: &mut Outbox) {
        for pending in &mut self.pending {
            pending.cancelled = true;
        }
        out.effect(Effect::CancelAll);
    }

    /// An operation that a person requested is over. `tab` is the active one; `is_aside` if it is a sample's
    /// and people look at something else.
    pub fn ended(&mut self, ended: &Ended, tab: Tab, is_aside: bool, out: &mut Outbox) {
        let exchange = &ended.exchange;
        let at = self.pending.iter().position(|pending| pending.operation.id == exchange.operation.id);
        let pending = at.map(|at| self.pending.remove(at));
        let name =
            pending.and_then(|pending| pending.name).or_else(|| self.name_of(exchange.operation.kind.plant_id()));
        let mut text = sentence::describe(exchange, name.as_deref());
        if let Some(hint) = hint(exchange.outcome(), tab, out) {
            text = format!("{text} {hint}");
        }
        if !is_aside {
            let mismatches = exchange.mismatches().iter().map(ToString::to_string).collect();
            let outcome = Some(exchange.outcome());
            out.status.message = Some(StatusMessage { outcome, text, mismatches, at: out.now });
        }
        self.note_unknown(ended);
        let in_batch = self.is_in_batch(&exchange.operation.kind);
        if !self.needs_another_token(ended) {
            self.count_in_batch(&exchange.operation.kind, exchange.outcome(), out);
        }
        if let Err(why) = &ended.recorded {
            out.status.notices.push_back(Notice::new(format!("The journal could not keep this: {why}")));
        }
        match exchange.outcome() {
            Proof::Accepted | Proof::Unknown => {}
            Proof::Rejected => self.rejected(ended, in_batch, out),
            Proof::NotSent => self.unsent.push(exchange.operation.kind.clone()),
        }
    }

    /// Remembers whether this leaves the plant unknown, so that quitting asks.
    fn note_unknown(&mut self, ended: &Ended) {
        let plant = ended.exchange.operation.kind.plant_id();
        match (ended.exchange.outcome(), &ended.exchange.operation.kind) {
            (Proof::Unknown, _) => drop(self.unresolved.insert(plant)),
            (Proof::Accepted, kind) => {
                self.unresolved.remove(&plant);
                if matches!(kind, OperationKind::Delete(_)) {
                    self.plants.marked.remove(&plant);
                }
            }
            (Proof::Rejected | Proof::NotSent, _) => {}
        }
    }

    /// Whether the token was rejected that is set still: the operation goes out again with another.
    fn needs_another_token(&self, ended: &Ended) -> bool {
        matches!(ended.exchange.status(), Some(401 | 403)) && ended.token >= self.tokens
    }

    /// An add comes back as a form, a delete as a question where there is something to decide; a rejected
    /// token is asked for anew, unless another was given in the meantime.
    fn rejected(&mut self, ended: &Ended, in_batch: bool, out: &mut Outbox) {
        let exchange = &ended.exchange;
        let kind = &exchange.operation.kind;
        let wants_token = matches!(exchange.status(), Some(401 | 403));
        if self.needs_another_token(ended) {
            let mut why = reasons_of(exchange);
            if self.tokens > 0 {
                why.push(format!("That was the token entered last for {}.", self.store_in_words()));
            }
            return self.want_token(why, kind.clone(), out);
        }
        match kind {
            // The sum of them tells.
            OperationKind::Add(_) | OperationKind::Delete(_) if in_batch => {}
            OperationKind::Add(plant) => {
                let mut reasons = reasons_of(exchange);
                reasons.extend(wants_token.then(|| self.went_with_token_before()));
                if let Some(unknown) = &ended.unknown {
                    let (close, resolve) = (out.keys.shown_in(Scope::Form, Command::Close), out.key(Command::Resolve));
                    let explained = sentence::explain_rejection(exchange, &unknown.kind);
                    reasons.push(format!("{explained} {close}, then {resolve} resolves it."));
                }
                come_back(plant, reasons, out);
            }
            OperationKind::Delete(id) if wants_token => {
                let mut question = question::delete(*id, ended.row.as_ref(), &self.info.store);
                question.lines.extend([sentence::describe(exchange, None), self.went_with_token_before()]);
                out.ask(question);
            }
            OperationKind::Delete(_) => {
                if let (Some(404), Some(row)) = (exchange.status(), &ended.row) {
                    let explained =
                        ended.unknown.as_ref().map(|unknown| sentence::explain_rejection(exchange, &unknown.kind));
                    out.ask(question::not_there(row, explained, ended.unknown.as_ref(), &self.info.store));
                }
            }
        }
    }

    /// Said of a rejection of a token that has been replaced since.
    fn went_with_token_before(&self) -> String {
        let store = self.store_in_words();
        format!("It went out with the token that {store} had before; sent again, it goes with the new one.")
    }

    /// Takes note that the worker died. Returns what was out.
    pub fn lose_pending(&mut self) -> Vec<Operation> {
        self.worker_alive = false;
        self.pending.drain(..).map(|pending| pending.operation).collect()
    }

    /// Says that nothing can be sent any more, and that what was out is unknown.
    pub fn worker_died(&mut self, why: &str, lost: Vec<Operation>, out: &mut Outbox) {
        let mut text = format!(
            "The background task has died ({why}). Nothing is sent any more: connect anew, or quit and start again."
        );
        if !lost.is_empty() {
            let names: Vec<_> =
                lost.iter().map(|operation| sentence::called(operation.kind.plant_id(), None)).collect();
            text.push_str(" Unknown now: ");
            text.push_str(&names.join(", "));
            text.push('.');
        }
        let outcome = (!lost.is_empty()).then_some(FailureKind::TaskDied.outcome());
        out.effects(lost.into_iter().map(Effect::GiveUp));
        out.status.message = Some(StatusMessage { outcome, text: text.clone(), mismatches: Vec::new(), at: out.now });
        out.status.notices.push_back(Notice::new(text));
    }
}

/// What a person can do about an outcome.
fn hint(proof: Proof, tab: Tab, out: &Outbox) -> Option<String> {
    match proof {
        Proof::Accepted | Proof::Rejected => None,
        Proof::Unknown => Some(format!("{} resolves it.", out.key(Command::Resolve))),
        Proof::NotSent => {
            let key = out.key(Command::SendAgain);
            Some(match tab {
                Tab::Plants | Tab::History | Tab::Greenhouse => format!("{key} sends it again."),
                Tab::Check => format!("In another room, {key} sends it again."),
            })
        }
    }
}

/// Why a form or a prompt opens after a rejection: what it means, and the store's own words.
fn reasons_of(exchange: &Exchange) -> Vec<String> {
    [sentence::describe(exchange, None)].into_iter().chain(sentence::response_excerpt(exchange)).collect()
}

/// The form comes back, filled as it was typed, with the reasons.
fn come_back(plant: &Plant, reasons: Vec<String>, out: &mut Outbox) {
    out.outcome(Outcome::ComeBack(Box::new(Draft::back_with(plant, reasons))));
}
