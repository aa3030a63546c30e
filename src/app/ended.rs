//! What becomes of operations: the courier's reports, outcome by outcome.

use crate::courier::{Ended, Report};
use crate::domain::outcome::differences;
use crate::domain::sentence;
use crate::domain::text::clean_bytes;
use crate::domain::{Ask, Exchange, FailureKind, Outcome};

use super::choice;
use super::keys::{Action, InRoom};
use super::message::Effect;
use super::model::{Happened, Model, Notice, Overlay};

/// Characters of an answer's body that stand beside the form that came back.
const EXCERPT: usize = 300;

impl Model {
    pub(super) fn reported(&mut self, report: Report) -> Vec<Effect> {
        match report {
            Report::Recorded(id) => {
                for flight in self.flights.iter_mut().filter(|flight| flight.operation.id == id) {
                    flight.recorded = true;
                }
            }
            Report::Ended(ended) => self.ended(&ended),
        }
        self.table.refresh().map(Effect::Load).into_iter().collect()
    }

    fn ended(&mut self, ended: &Ended) {
        let exchange = &ended.exchange;
        let flight = self.flights.iter().position(|flight| flight.operation.id == exchange.operation.id);
        let token = flight.map(|at| self.flights.remove(at).token);
        let unlike = match (exchange.outcome(), exchange.answer()) {
            (Outcome::Accepted, Some(answer)) => {
                differences(&exchange.operation.ask, answer).iter().map(ToString::to_string).collect()
            }
            (Outcome::Accepted | Outcome::Refused | Outcome::Unknown | Outcome::NotSent, _) => Vec::new(),
        };
        let mut text = sentence::told(exchange);
        if let Some(hint) = self.hint(exchange.outcome()) {
            text.push(' ');
            text.push_str(&hint);
        }
        self.happened = Some(Happened { outcome: Some(exchange.outcome()), text, unlike });
        if let Err(why) = &ended.recorded {
            self.notices.push_back(Notice(format!("The journal could not keep this: {why}")));
        }
        match exchange.outcome() {
            Outcome::Accepted | Outcome::Unknown => {}
            Outcome::Refused => self.refused(ended, token.is_some_and(|token| token < self.tokens)),
            Outcome::NotSent => self.unsent.push(exchange.operation.ask.clone()),
        }
    }

    fn hint(&self, outcome: Outcome) -> Option<String> {
        match outcome {
            Outcome::Accepted | Outcome::Refused => None,
            Outcome::Unknown => Some(format!("{} settles it.", self.keys.shown(Action::Room(InRoom::Settle)))),
            Outcome::NotSent => Some(format!("{} sends it again.", self.keys.shown(Action::Room(InRoom::SendAgain)))),
        }
    }

    /// An add comes back as a form, a delete as a word; a refused token is asked for anew.
    fn refused(&mut self, ended: &Ended, with_an_older_token: bool) {
        let exchange = &ended.exchange;
        let ask = &exchange.operation.ask;
        let wants_token = matches!(exchange.status(), Some(401 | 403));
        if wants_token && !with_an_older_token {
            self.want_token(vec![sentence::told(exchange), answered(exchange)], ask.clone());
            return;
        }
        match ask {
            Ask::Add(plant) => {
                let mut reason = vec![sentence::told(exchange), answered(exchange)];
                if wants_token {
                    reason.push("It went out with the token before; sent again, it goes with the new one.".to_owned());
                }
                if ended.after_doubt {
                    reason.push(
                        "An earlier add of this id ended unknown: it may be your own plant that is in the way."
                            .to_owned(),
                    );
                }
                self.come_back(&plant.clone(), reason);
            }
            Ask::Delete(id) => {
                let believed = self.table.row(*id).cloned();
                if let (Some(404), Some(row)) = (exchange.status(), believed) {
                    self.open(Overlay::Choice(choice::not_there(&row, &self.facts.store.to_string())));
                }
            }
        }
    }

    /// Nothing can be sent any more: what was out is unknown, and says so.
    pub(super) fn courier_died(&mut self, why: &str) -> Vec<Effect> {
        self.courier_alive = false;
        let lost: Vec<_> =
            self.flights.drain(..).map(|flight| sentence::called(flight.operation.ask.plant_id(), None)).collect();
        let mut text = format!("The background task has died ({why}). Nothing is sent any more; quit and start again.");
        if !lost.is_empty() {
            text.push_str(" Unknown now: ");
            text.push_str(&lost.join(", "));
            text.push('.');
        }
        self.happened = Some(Happened {
            outcome: (!lost.is_empty()).then_some(FailureKind::TaskDied.outcome()),
            text: text.clone(),
            unlike: Vec::new(),
        });
        self.notices.push_back(Notice(text));
        self.table.refresh().map(Effect::Load).into_iter().collect()
    }
}

/// The store's own words, for the form that came back.
fn answered(exchange: &Exchange) -> String {
    let body = exchange.answer().map(|answer| answer.body.as_slice()).unwrap_or_default();
    if body.is_empty() {
        return "The answer has no body.".to_owned();
    }
    let shown = clean_bytes(body.get(..EXCERPT).unwrap_or(body));
    let more = if body.len() > EXCERPT { " …" } else { "" };
    format!("The store's words: {shown}{more}")
}
