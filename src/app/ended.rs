//! What becomes of operations: the courier's reports, outcome by outcome.

use crate::courier::{Ended, Report};
use crate::domain::sentence;
use crate::domain::{Ask, Exchange, FailureKind, Outcome};

use super::choice;
use super::greenhouse::Told;
use super::keys::{Action, InForm, InOperations, InRoom};
use super::message::Effect;
use super::model::{Happened, Model, Notice, Overlay};
use super::room::Room;

impl Model {
    pub(super) fn reported(&mut self, report: Report) -> Vec<Effect> {
        match report {
            // The view has it from now on.
            Report::Recorded(_) => {}
            Report::Waiting(words) => {
                self.notices.push_back(Notice::new(words));
                return Vec::new();
            }
            Report::Ended(ended) if ended.exchange.operation.probe.is_some() => {
                let shown = self.refresh_room();
                return shown.into_iter().chain(self.probe_ended(*ended)).collect();
            }
            Report::Ended(ended) => {
                self.ended(&ended);
                let next = self.plant_next_sample();
                return self.refresh_room().into_iter().chain(next).collect();
            }
        }
        self.refresh_room()
    }

    fn ended(&mut self, ended: &Ended) {
        let exchange = &ended.exchange;
        let at = self.flights.iter().position(|flight| flight.operation.id == exchange.operation.id);
        let flight = at.map(|at| self.flights.remove(at));
        // What the demo adds by itself takes nothing from what a person did.
        let is_aside = self.greenhouse.is_attended() && flight.as_ref().is_some_and(|flight| flight.is_sample);
        let called = flight.and_then(|flight| flight.name);
        let unlike = exchange.mismatches().iter().map(ToString::to_string).collect();
        let name = called.or_else(|| self.name_of(exchange.operation.ask.plant_id()));
        let told = sentence::told(exchange, name.as_deref());
        let details = self.table.row(exchange.operation.ask.plant_id()).and_then(|row| row.details.clone());
        let doubt = ended.in_doubt.as_ref().filter(|_| exchange.outcome() == Outcome::Rejected);
        let explained = doubt.map(|doubt| sentence::explained_by(exchange, &doubt.ask));
        let end = Told { exchange: exchange.clone(), name, explained, at: self.now };
        self.greenhouse.ended(end, details, is_aside);
        let text = match self.hint(exchange.outcome()) {
            Some(hint) => format!("{told} {hint}"),
            None => told,
        };
        if !is_aside {
            self.happened = Some(Happened { outcome: Some(exchange.outcome()), text, unlike, at: self.now });
        }
        self.note_doubt(ended);
        let in_batch = self.is_in_batch(&exchange.operation.ask);
        if !self.asks_for_token(ended) {
            self.count_in_batch(&exchange.operation.ask, exchange.outcome());
        }
        if let Err(why) = &ended.recorded {
            self.notices.push_back(Notice::new(format!("The journal could not keep this: {why}")));
        }
        match exchange.outcome() {
            Outcome::Accepted | Outcome::Unknown => {}
            Outcome::Rejected => self.rejected(ended, in_batch),
            Outcome::NotSent => self.unsent.push(exchange.operation.ask.clone()),
        }
    }

    /// Whether this leaves the plant in doubt, so that quitting asks.
    fn note_doubt(&mut self, ended: &Ended) {
        let plant = ended.exchange.operation.ask.plant_id();
        match (ended.exchange.outcome(), &ended.exchange.operation.ask) {
            (Outcome::Unknown, _) => drop(self.unsettled.insert(plant)),
            (Outcome::Accepted, ask) => {
                self.unsettled.remove(&plant);
                if matches!(ask, Ask::Delete(_)) {
                    self.table.marked.remove(&plant);
                }
            }
            (Outcome::Rejected | Outcome::NotSent, _) => {}
        }
    }

    /// Whether the token was rejected that is held still: it goes out again with another.
    fn asks_for_token(&self, ended: &Ended) -> bool {
        matches!(ended.exchange.status(), Some(401 | 403)) && ended.token >= self.tokens
    }

    fn hint(&self, outcome: Outcome) -> Option<String> {
        match outcome {
            Outcome::Accepted | Outcome::Rejected => None,
            Outcome::Unknown => Some(format!("{} resolves it.", self.keys.shown(Action::Room(InRoom::Settle)))),
            Outcome::NotSent => {
                let key = self.keys.shown(Action::Operations(InOperations::SendAgain));
                Some(match self.room {
                    Room::Plants | Room::Exchanges | Room::Greenhouse => format!("{key} sends it again."),
                    Room::Check => format!("In another room, {key} sends it again."),
                })
            }
        }
    }

    /// An add comes back as a form, a delete as a dialog where there is something to decide; a
    /// rejected token is asked for anew, unless another was given meanwhile.
    fn rejected(&mut self, ended: &Ended, in_batch: bool) {
        let exchange = &ended.exchange;
        let ask = &exchange.operation.ask;
        let wants_token = matches!(exchange.status(), Some(401 | 403));
        if self.asks_for_token(ended) {
            let mut why = reason_of(exchange);
            if self.tokens > 0 {
                why.push(format!("That was the token entered last for {}.", self.store_in_words()));
            }
            self.want_token(why, ask.clone());
            return;
        }
        match ask {
            // The sum of them tells.
            Ask::Add(_) | Ask::Delete(_) if in_batch => {}
            Ask::Add(plant) => {
                let mut reason = reason_of(exchange);
                reason.extend(wants_token.then(|| self.went_with_token_before()));
                if let Some(doubt) = &ended.in_doubt {
                    let (close, settle) =
                        (self.keys.shown(Action::Form(InForm::Close)), self.keys.shown(Action::Room(InRoom::Settle)));
                    let explained = sentence::explained_by(exchange, &doubt.ask);
                    reason.push(format!("{explained} {close}, then {settle} resolves it."));
                }
                self.come_back(plant, reason);
            }
            Ask::Delete(id) if wants_token => {
                let mut dialog = choice::delete(*id, ended.row.as_ref(), &self.facts.store);
                dialog.lines.extend([sentence::told(exchange, None), self.went_with_token_before()]);
                self.open(Overlay::Choice(dialog));
            }
            Ask::Delete(_) => {
                if let (Some(404), Some(row)) = (exchange.status(), &ended.row) {
                    let explained = ended.in_doubt.as_ref().map(|doubt| sentence::explained_by(exchange, &doubt.ask));
                    self.open(Overlay::Choice(choice::not_there(
                        row,
                        explained,
                        ended.in_doubt.as_ref(),
                        &self.facts.store,
                    )));
                }
            }
        }
    }

    /// Said of a rejection of a token that has been replaced since.
    fn went_with_token_before(&self) -> String {
        let store = self.store_in_words();
        format!("It went out with the token that {store} had before; sent again, it goes with the new one.")
    }

    /// Nothing can be sent any more: what was out is unknown, and says so.
    pub(super) fn courier_died(&mut self, why: &str) -> Vec<Effect> {
        self.courier_alive = false;
        let lost: Vec<_> = self.flights.drain(..).map(|flight| flight.operation).collect();
        let mut text = format!(
            "The background task has died ({why}). Nothing is sent any more: connect anew, or quit and start again."
        );
        if !lost.is_empty() {
            let names: Vec<_> = lost.iter().map(|operation| sentence::called(operation.ask.plant_id(), None)).collect();
            text.push_str(" Unknown now: ");
            text.push_str(&names.join(", "));
            text.push('.');
        }
        let ends = self.check_dies(&lost);
        let outcome = (!lost.is_empty()).then_some(FailureKind::TaskDied.outcome());
        self.happened = Some(Happened { outcome, text: text.clone(), unlike: Vec::new(), at: self.now });
        self.notices.push_back(Notice::new(text));
        lost.into_iter().map(Effect::GiveUp).chain(ends).collect()
    }
}

/// Why a form or a prompt opens after a refusal: what it means, and the store's own words.
fn reason_of(exchange: &Exchange) -> Vec<String> {
    [sentence::told(exchange, None)].into_iter().chain(sentence::stores_words(exchange)).collect()
}
