//! Operations: submits them, returns those that cannot be sent, and handles each outcome.

use super::state::{PendingOperation, Session};
use crate::client::Token;
use crate::config::{ConnectionTarget, OtherStore};
use crate::domain::language::Id;
use crate::domain::simple_words::{Known, StoredPlant};
use crate::domain::{
    Details, Exchange, FailureKind, ListedPlant, Message, Operation, OperationId, OperationKind, Outcome, Plant, Probe,
    Row, Seen,
};
use crate::domain::{sentence, simple_words};
use crate::tui::context::Display;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::outbox::Outbox;
use crate::tui::session::draft::{Blame, Draft, Reasons};
use crate::tui::session::plant_questions;
use crate::tui::status::StatusMessage;
use crate::tui::ui_effect::{AfterToken, Open, Tab, UiEffect};
use crate::worker::Ended;

impl Session {
    /// Submits an operation to the worker, or prompts for a missing token first.
    pub fn submit(&mut self, kind: OperationKind, out: &mut Outbox) {
        self.submit_for(kind, false, out);
    }

    /// Submits an add whose person was shown that its id is not in the list.
    pub fn submit_new(&mut self, plant: Plant, out: &mut Outbox) {
        self.seen.insert(plant.id, Seen::NotListed);
        self.submit(OperationKind::add(plant), out);
    }

    /// Adds the next of the demo's samples. One at a time, so that each can be seen.
    pub fn add_next_sample(&mut self, out: &mut Outbox) {
        if let Some(plant) = self.samples.pop_front().filter(|_| self.worker_alive) {
            self.submit_for(OperationKind::add(plant), true, out);
        }
    }

    fn submit_for(&mut self, kind: OperationKind, is_sample: bool, out: &mut Outbox) {
        if !self.worker_alive {
            let why = "The background task has died: reconnect, or quit and start again.";
            return self.give_back(kind, why, false, out);
        }
        let plant = kind.plant_id();
        let called = self.called(&kind);
        if self.token.is_none() {
            let why = vec![format!("There is no token for {} yet.", self.store_name())];
            self.sent_at_key = out.keys_pressed;
            out.say_in_both(format!("{called} waits for a token: nothing was sent."), vec![Id::NothingSent.into()]);
            return self.prompt_for_token(why, kind, out);
        }
        self.unsent.retain(|other| other.plant_id() != plant);
        if matches!(kind, OperationKind::Delete(_)) {
            self.plants.marked.remove(&plant);
        }
        if !is_sample && kind.plant().is_some() {
            self.drop_rejected();
        }
        if !is_sample && !self.is_in_batch(&kind) {
            let text = match kind {
                OperationKind::Add(_) if self.is_unknown(plant) => format!("Adding {called} again …"),
                OperationKind::Add(_) => format!("Adding {called} …"),
                OperationKind::Delete(_) => format!("Deleting {called} …"),
            };
            out.say_in_both(text, vec![simple_words::describe_operation(&kind, self.name_of(plant).as_deref())]);
        }
        self.send(kind, None, is_sample, out);
        out.ui_effect(UiEffect::Submitted { plant, by_a_person: !is_sample });
    }

    /// Sends an operation, of the check if `probe` is given.
    pub(super) fn send(&mut self, kind: OperationKind, probe: Option<Probe>, is_sample: bool, out: &mut Outbox) {
        self.submitted += 1;
        self.sent_at_key = out.keys_pressed;
        let id = OperationId { origin: self.info.origin, number: self.submitted };
        // A request of the check is about a plant of its own.
        let seen = if probe.is_none() { self.seen.remove(&kind.plant_id()).map(Box::new) } else { None };
        let seen_name = seen.as_deref().and_then(Seen::name).map(str::to_owned);
        let name = seen_name.or_else(|| self.name_of(kind.plant_id()));
        let operation = Operation { probe, seen, ..Operation::new(id, kind, out.now) };
        let of_unknown = self.is_unknown(operation.kind.plant_id());
        self.pending.push(PendingOperation {
            operation: operation.clone(),
            name,
            cancelled: false,
            is_sample,
            of_unknown,
        });
        out.effect(Effect::Send(operation));
    }

    /// Returns an operation that cannot be sent to the person: an add as its form, a delete as a message. After a prompt,
    /// the form is kept for the next add: opened, it would take the next keys.
    fn give_back(&mut self, kind: OperationKind, why: &str, after_prompt: bool, out: &mut Outbox) {
        let done = if kind.plant().is_some() { "sent" } else { "deleted" };
        let text = format!("{} was not {done}. {why}", self.called(&kind));
        out.say_in_both(text, vec![Id::NothingSent.into()]);
        let Some(plant) = kind.plant().filter(|_| !self.is_in_batch(&kind)) else {
            self.count_in_batch(&kind, Outcome::NotSent, None, out);
            return self.unsent.push(kind);
        };
        let draft = Draft::back_with(plant, Reasons::new(why, Id::NothingSent));
        if after_prompt {
            self.keep_form(draft, out);
        } else {
            out.ui_effect(UiEffect::Reopen(Box::new(draft)));
        }
    }

    /// Prompts for a token, for this operation and all others that wait for one.
    fn prompt_for_token(&mut self, why: Vec<String>, kind: OperationKind, out: &mut Outbox) {
        self.waiting_for_token.push(kind);
        if out.keys_pressed == self.sent_at_key {
            out.open(Open::Token { why, then: AfterToken::Nothing });
        } else {
            // The person went on: what they type would go out as a token.
            let key = out.key(Command::ReplaceToken);
            out.notice(format!("{} {key} takes another token.", why.join(" ")));
        }
    }

    /// Uses the token that a person typed earlier for this store.
    pub fn use_typed_token(&mut self, out: &mut Outbox) {
        if let ConnectionTarget::BaseUrl(OtherStore { token: Some(token), .. }) = &self.stores.here {
            self.stores.keep_token(&self.info.store, &token.clone());
        } else if let Some(token) = self.stores.typed_token(&self.info.store) {
            self.token = Some(token.clone());
            out.effect(Effect::UseToken(token.clone()));
        }
    }

    /// Sets a token, and sends the operations that wait for one.
    pub fn use_token(&mut self, token: Token, out: &mut Outbox) {
        self.tokens_in_vain = if self.waiting_for_token.is_empty() { 1 } else { self.tokens_in_vain + 1 };
        self.token = Some(token.clone());
        self.stores.keep_token(&self.info.store, &token);
        if let ConnectionTarget::BaseUrl(other) = &mut self.stores.here {
            // A new connection to this store uses this token.
            other.token = Some(token.clone());
        }
        out.effect(Effect::UseToken(token));
        self.send_waiting(out);
        let store = self.store_name();
        out.say(format!("Token set for {store}, until you quit; the next request shows whether it is accepted."));
        out.simply(Id::TokenSet);
    }

    /// Sends the operations that wait for a token.
    fn send_waiting(&mut self, out: &mut Outbox) {
        for kind in std::mem::take(&mut self.waiting_for_token) {
            self.submit(kind, out);
        }
        self.feed_batch(out);
    }

    /// Returns the operations that waited for a token, because the person gave none.
    pub fn no_token_given(&mut self, out: &mut Outbox) {
        let was_rejected = self.token.is_some();
        let why = format!("No token was given for {}.", self.store_name());
        for kind in std::mem::take(&mut self.waiting_for_token) {
            if was_rejected {
                self.stays_rejected(&kind, out);
            } else {
                self.give_back(kind, &why, true, out);
            }
        }
        self.withdraw_batch(out);
    }

    /// Keeps the form of a plant that was not accepted, for the next add. Of rejected plants, keeps the last one.
    pub fn keep_form(&mut self, draft: Draft, out: &mut Outbox) {
        self.drop_rejected();
        self.drafts.push(draft);
        let key = out.key(Command::Add);
        out.say_also_in_both(&format!("{key} opens the form again."), Id::KeyOpensForm.with("key", &key));
    }

    /// Drops the form of a plant that the store rejected, once a person adds another: the re-add list has the plant.
    pub fn drop_rejected(&mut self) {
        self.drafts.retain(|draft| !draft.is_as_rejected());
    }

    /// Reports an operation that the store rejected because of its token, once the person gave no other one.
    fn stays_rejected(&mut self, kind: &OperationKind, out: &mut Outbox) {
        let why = format!("{} rejected the token.", self.store_name());
        let simple: Vec<Message> = vec![Id::SaidNo.into(), Id::UnknownToken.into()];
        let of = if kind.plant().is_some() { "" } else { "The delete of " };
        out.say_in_both(format!("{of}{} was rejected: {why}", self.called(kind)), simple.clone());
        if let Some(plant) = kind.plant().filter(|_| !self.is_in_batch(kind)) {
            let why = Reasons { words: vec![why], simple };
            self.keep_form(Draft::rejected(plant, why, Blame::Token), out);
        }
        self.count_in_batch(kind, Outcome::Rejected, None, out);
    }

    /// Notes that the worker got another token from its source, and sends the operations that wait for one.
    pub fn token_renewed(&mut self, token: Token, out: &mut Outbox) {
        self.token = Some(token);
        self.stores.forget_token(&self.info.store);
        self.send_waiting(out);
        let (store, origin) = (self.store_name(), self.info.token_origin.as_deref().unwrap_or("its source"));
        out.say(if self.is_importing() {
            format!("{store} rejected the token (401); {origin} gave another, and the import goes on.")
        } else {
            format!("Token set for {store}, from {origin}; the next request shows whether it is accepted.")
        });
    }

    pub fn cancel(&mut self, id: OperationId, out: &mut Outbox) {
        for pending in self.pending.iter_mut().filter(|pending| pending.operation.id == id) {
            pending.cancelled = true;
        }
        out.effect(Effect::Cancel(id));
    }

    pub fn cancel_all(&mut self, out: &mut Outbox) {
        self.withdraw_batch(out);
        for pending in &mut self.pending {
            pending.cancelled = true;
        }
        out.effect(Effect::CancelAll);
    }

    /// Handles the end of an operation. `is_aside` means that the operation adds a sample while the person does something
    /// else, so that it gets no message.
    pub fn handle_end(&mut self, ended: &Ended, display: &Display, is_aside: bool, out: &mut Outbox) {
        let exchange = &ended.exchange;
        let at = self.pending.iter().position(|pending| pending.operation.id == exchange.operation.id);
        let pending = at.map(|at| self.pending.remove(at));
        let is_given = display.on_tour || pending.as_ref().is_some_and(|pending| pending.is_sample);
        match (&exchange.operation.kind, exchange.outcome()) {
            (OperationKind::Add(plant), Outcome::Accepted | Outcome::Unknown) if is_given => {
                self.given.insert(plant.id);
            }
            (OperationKind::Delete(plant), Outcome::Accepted) => drop(self.given.remove(plant)),
            (OperationKind::Add(_) | OperationKind::Delete(_), _) => {}
        }
        let in_batch = self.is_in_batch(&exchange.operation.kind);
        if exchange.response().is_some() && !exchange.rejects_token() {
            self.tokens_in_vain = 0;
        }
        if exchange.outcome() == Outcome::Accepted && (!is_given || display.on_tour) {
            self.last_resolved = None;
        }
        if exchange.outcome() == Outcome::Accepted && !is_given {
            let is_further = in_batch && self.batch.as_ref().is_some_and(|batch| batch.outcomes.accepted > 0);
            self.last_accepted.retain(|_| is_further);
            self.last_accepted.push(exchange.operation.clone());
        }
        let name =
            pending.and_then(|pending| pending.name).or_else(|| self.name_of(exchange.operation.kind.plant_id()));
        let (rest, simple_rest) =
            hint(exchange, name.as_deref(), display.tab, out).filter(|_| !ended.is_overtaken()).unzip();
        let unknown =
            ended.unknown.as_ref().map(|unknown| &unknown.kind).filter(|_| exchange.operation.kind.plant().is_some());
        let text = sentence::describe_after(exchange, name.as_deref(), unknown, ended.is_proven || self.is_proven());
        let pictured = Some(text.len());
        let text = format!("{text} {}", rest.unwrap_or_default()).trim_end().to_owned();
        if !is_aside {
            let mismatches = exchange.mismatches().iter().map(ToString::to_string).collect();
            let outcome = Some(exchange.outcome());
            let stored = StoredPlant::behind(&exchange.operation.kind, ended.row.as_ref());
            let known = Known { stored, resolved: None, ..self.known(exchange, name.as_deref(), unknown) };
            out.status.message = Some(StatusMessage {
                outcome,
                pictured,
                mismatches,
                simple: simple_words::describe(exchange, known),
                simple_rest: simple_rest.into_iter().collect(),
                ..StatusMessage::new(text, out.now)
            });
        }
        self.note_unknown(ended);
        self.note_missing(ended);
        if let Some(batch) = self.batch.as_mut().filter(|_| in_batch) {
            batch.overtaken += u64::from(ended.is_overtaken());
            batch.has_conflict |= exchange.status() == Some(409) && exchange.operation.kind.plant().is_some();
        }
        if !self.needs_another_token(ended) {
            self.count_in_batch(&exchange.operation.kind, exchange.outcome(), Some(exchange), out);
        }
        if let Err(why) = &ended.recorded
            && !ended.is_overtaken()
        {
            out.not_recorded(why);
        }
        match exchange.outcome() {
            Outcome::Accepted | Outcome::Unknown => {}
            Outcome::Rejected => self.rejected(ended, in_batch, out),
            // Sent again, it would be about another plant than the person saw.
            Outcome::NotSent if ended.is_overtaken() => {
                if let OperationKind::Add(plant) = &exchange.operation.kind
                    && !in_batch
                {
                    let words = vec!["A plant with this id is in the list by now.".to_owned()];
                    let simple = simple_words::describe(exchange, Known::default());
                    let draft = Draft::back_with(plant, Reasons { words, simple });
                    out.ui_effect(UiEffect::Reopen(Box::new(draft)));
                }
            }
            Outcome::NotSent => {
                self.keep_seen(&exchange.operation);
                self.unsent.push(exchange.operation.kind.clone());
            }
        }
        if in_batch {
            self.pause_batch(exchange, out);
            self.feed_batch(out);
        }
    }

    /// Keeps what a person saw for when the operation is sent again, after it was not sent or with another token.
    fn keep_seen(&mut self, operation: &Operation) {
        if let Some(seen) = &operation.seen {
            self.seen.insert(operation.kind.plant_id(), Seen::clone(seen));
        }
    }

    /// Updates the unresolved plants, about which quitting asks.
    fn note_unknown(&mut self, ended: &Ended) {
        let plant = ended.exchange.operation.kind.plant_id();
        match (ended.exchange.outcome(), &ended.exchange.operation.kind) {
            (Outcome::Unknown, _) => drop(self.unresolved.insert(plant)),
            (Outcome::Accepted, kind) => {
                self.unresolved.remove(&plant);
                self.drafts.retain(|draft| !kind.plant().is_some_and(|plant| draft.is_rejection_of(plant)));
                if matches!(kind, OperationKind::Delete(_)) {
                    self.plants.marked.remove(&plant);
                }
            }
            (Outcome::Rejected | Outcome::NotSent, _) => {}
        }
    }

    /// Whether the store rejected the current token, so that the operation is sent again with another.
    pub fn needs_another_token(&self, ended: &Ended) -> bool {
        ended.exchange.rejects_token() && ended.token.as_ref().is_some_and(|sent| sent.is(self.token.as_ref()))
    }

    /// Handles a rejection: prompts for another token after 401 and 403, unless one was set in the meantime; reopens the
    /// form of an add; asks about a delete where there is something to decide.
    fn rejected(&mut self, ended: &Ended, in_batch: bool, out: &mut Outbox) {
        let exchange = &ended.exchange;
        let kind = &exchange.operation.kind;
        let token_rejected = exchange.rejects_token();
        if self.needs_another_token(ended) {
            let mut why = self.reasons_of(ended);
            if self.token.as_ref().is_some_and(|now| now.is(self.stores.typed_token(&self.info.store))) {
                let store = self.store_name();
                why.push(match self.tokens_in_vain {
                    0 | 1 => format!("That was the token entered last for {store}."),
                    many => format!("The token entered last for {store} was rejected, too: {many} in a row."),
                });
            } else if let Some(origin) = &self.info.token_origin {
                why.push(format!("It came from {origin}; one typed here lasts until you quit."));
            }
            self.keep_seen(&exchange.operation);
            // The prompt that opens has it as its reason.
            out.status.message.take_if(|_| out.keys_pressed == self.sent_at_key);
            return self.prompt_for_token(why, kind.clone(), out);
        }
        match kind {
            // The batch's summary counts it.
            OperationKind::Add(_) | OperationKind::Delete(_) if in_batch => {}
            OperationKind::Add(plant) => {
                let is_same = |row: &Row| row.details == Some(Details::from(plant.as_ref()));
                let resolve = out.key(Command::Resolve);
                let resolves = match (exchange.status(), &ended.unknown) {
                    (Some(409), Some(unknown)) if unknown.kind.plant().is_some() => {
                        format!("{resolve} resolves it: Mark as stored, if so.")
                    }
                    _ => format!("{resolve} resolves it."),
                };
                if ended.unknown.is_some() && ended.row.as_ref().is_none_or(is_same) {
                    // It is in the list, unknown as before: a form would offer it once more.
                    return out.say_also(&resolves);
                }
                let mut words = self.reasons_of(ended);
                words.extend(token_rejected.then(|| self.sent_with_older_token()));
                if let Some(unknown) = &ended.unknown {
                    let close = out.keys.shown_in(Scope::Form, Command::Close);
                    let explained = sentence::explain_rejection(exchange, &unknown.kind);
                    words.push(format!("{explained} {close}, then {resolves}"));
                }
                let unknown = ended.unknown.as_ref().map(|unknown| &unknown.kind);
                // The list shows the plant as under way until it is read again.
                let stored = StoredPlant::behind(kind, ended.row.as_ref());
                let known = Known { stored, ..self.known(exchange, None, unknown) };
                let reasons = Reasons { words, simple: simple_words::describe(exchange, known) };
                let draft = Draft::rejected(plant, reasons, Blame::of(exchange));
                out.ui_effect(UiEffect::Reopen(Box::new(draft)));
            }
            OperationKind::Delete(id) if token_rejected => {
                let mut question = plant_questions::delete(*id, ended.row.as_ref(), &self.info.store);
                question.also(self.described(exchange, ended.row.as_ref().and_then(Row::name)));
                question.also(self.sent_with_older_token());
                question.by_itself = true;
                out.ask(question);
            }
            OperationKind::Delete(_) => {
                if let (Some(404), Some(row)) = (exchange.status(), &ended.row) {
                    let said = self.described(exchange, row.name());
                    let missing = ListedPlant { row: row.clone(), unknown: ended.unknown.clone() };
                    out.ask(plant_questions::not_there(&[missing], Some(said)));
                }
            }
        }
    }

    /// Returns why a form or a prompt opens after a rejection: what it means, and the store's own words.
    fn reasons_of(&self, Ended { exchange, row, .. }: &Ended) -> Vec<String> {
        let described = self.described(exchange, row.as_ref().and_then(Row::name));
        [described].into_iter().chain(sentence::response_excerpt(exchange)).collect()
    }

    /// Describes a request to this store; `name` is that of its plant, if it is known.
    pub fn described(&self, exchange: &Exchange, name: Option<&str>) -> String {
        sentence::describe_after(exchange, name, None, self.is_proven())
    }

    /// Whether the store has accepted a request at its base URL, in this session or, as the list shows, before.
    fn is_proven(&self) -> bool {
        !self.last_accepted.is_empty() || self.plants.window.tally.stored > 0
    }

    /// Returns a remark on the rejection of a token that has been replaced since.
    fn sent_with_older_token(&self) -> String {
        let store = self.store_name();
        format!("It was sent with the token that {store} had before; sent again, it has the new one.")
    }

    /// Reports that nothing can be sent any more, and that the pending operations are unknown.
    pub fn worker_died(&mut self, why: &str, lost: Vec<Operation>, out: &mut Outbox) {
        // What the worker did not have yet is kept.
        self.withdraw_batch(out);
        (self.batch, self.feed) = (None, Box::default());
        let mut text = format!(
            "The background task has died ({why}). Nothing is sent any more: reconnect, or quit and start again."
        );
        if !lost.is_empty() {
            let names: Vec<_> = lost.iter().map(|operation| self.called(&operation.kind)).collect();
            text = format!("{text} Unknown now: {}.", names.join(", "));
        }
        let outcome = (!lost.is_empty()).then_some(FailureKind::TaskDied.outcome());
        out.effects(lost.into_iter().map(Effect::GiveUp));
        out.status.message = Some(StatusMessage { outcome, ..StatusMessage::new(&text, out.now) });
        out.notice(text);
    }
}

/// Returns what a person can do about an outcome. `name` is that of the plant, if it is known.
fn hint(exchange: &Exchange, name: Option<&str>, tab: Tab, out: &Outbox) -> Option<(String, Message)> {
    let is_undone = matches!(exchange.operation.kind, OperationKind::Delete(_)) && name.is_some();
    let (command, does, simple) = match exchange.outcome() {
        Outcome::Accepted if is_undone => (Command::Undo, "re-adds it", Id::KeyReAdds),
        Outcome::Accepted | Outcome::Rejected => return None,
        Outcome::Unknown => (Command::Resolve, "resolves it", Id::KeyResolves),
        Outcome::NotSent => (Command::SendAgain, "sends it again", Id::KeySendsAgain),
    };
    let key = out.key(command);
    let tab = if command == Command::SendAgain && tab == Tab::Check { "In another tab, " } else { "" };
    Some((format!("{tab}{key} {does}."), simple.with("key", key)))
}
