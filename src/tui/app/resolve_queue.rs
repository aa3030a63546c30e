//! The resolve queue: asks about all unknown plants, one after another, each as soon as its history is loaded.
//!
//! Never asks over an open dialog.

use crate::domain::language::Id;
use crate::domain::{Exchange, OperationKind, PlantId, Row, State, UnknownOperation, sentence};
use crate::journal::PlantHistory;
use crate::tui::effect::Effect;
use crate::tui::input::{Answer, Command, Scope};
use crate::tui::outbox::Outbox;
use crate::tui::session::Session;
use crate::tui::session::plant_questions;
use crate::tui::session::question::{Question, Words};
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::time::moment;

/// How many plants a message names.
const NAMED: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ResolveQueue {
    plants: Vec<PlantId>,
    /// How many of them the queue has reached.
    reached: usize,
    awaits: Option<Awaited>,
    /// Whether the next question comes without an answer to the one before, so that a key may be meant for that one.
    pub(super) by_itself: bool,
}

/// A pending query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    /// All unknown plants.
    Unknown,
    /// The history of the current plant.
    History,
}

impl ResolveQueue {
    /// Begins with the selected plant if it is unknown, and asks at once if its history is loaded.
    pub(super) fn begin(session: &Session, out: &mut Outbox) -> Self {
        out.status.message = None;
        let question = session.selected_history().and_then(|history| question_about(session, history, out));
        let is_unknown = session.plants.selected_row().is_some_and(|row| row.state == State::Unknown);
        let first = session.plants.selected.filter(|_| question.is_some() || is_unknown);
        let queue = Self {
            plants: first.into_iter().collect(),
            reached: usize::from(question.is_some()),
            awaits: Some(Awaited::Unknown),
            by_itself: false,
        };
        if let Some(question) = question {
            ask(question, out);
        }
        out.effect(Effect::FindUnknown);
        queue
    }

    /// Asks about a plant once more, after the current one: it was sent again, and is unknown still.
    pub(super) fn ask_again(&mut self, id: PlantId) {
        if !self.plants.get(self.reached..).is_some_and(|later| later.contains(&id)) {
            self.plants.insert(self.reached.min(self.plants.len()), id);
        }
    }

    /// Returns the current plant.
    pub(super) fn current(&self) -> Option<PlantId> {
        self.plants.get(self.reached.checked_sub(1)?).copied()
    }

    /// Whether its next question is being loaded.
    pub(super) fn is_loading(&self) -> bool {
        self.awaits.is_some()
    }

    fn awaits_history_of(&self, id: PlantId) -> bool {
        self.awaits == Some(Awaited::History) && self.current() == Some(id)
    }

    /// Goes to the next plant, unless a query is pending. Returns whether the queue is over.
    pub(super) fn advance(&mut self, out: &mut Outbox) -> bool {
        if self.awaits.is_some() {
            return false;
        }
        let Some(next) = self.plants.get(self.reached).copied() else { return true };
        self.reached += 1;
        self.awaits = Some(Awaited::History);
        out.effect(Effect::LoadPlantHistory(next));
        false
    }

    /// Takes the unknown plants, ordered by id. Returns whether there is none, so that the queue is over.
    ///
    /// The queue begins with its first plant, else with the selected one, and wraps around.
    pub(super) fn unknown_came(&mut self, unknown: &[Row], selected: Option<PlantId>) -> bool {
        if self.awaits != Some(Awaited::Unknown) {
            // The result of an earlier queue's query.
            return false;
        }
        let first = self.plants.first().copied();
        let from = first.or(selected);
        let mut others: Vec<_> = unknown.iter().map(|row| row.id).filter(|id| Some(*id) != first).collect();
        let before = others.partition_point(|id| Some(*id) < from);
        others.rotate_left(before);
        self.plants.extend(others);
        self.awaits = None;
        self.plants.is_empty()
    }

    /// Takes a history. If it is the current plant's, asks about the plant, or skips it if it is resolved.
    pub(super) fn history_came(
        &mut self,
        id: PlantId,
        history: &PlantHistory,
        has_dialog: bool,
        session: &mut Session,
        out: &mut Outbox,
    ) {
        if !self.awaits_history_of(id) {
            return;
        }
        self.awaits = None;
        if has_dialog {
            // A dialog has opened meanwhile: loads the history again after it is closed.
            self.reached -= 1;
            return;
        }
        match question_about(session, history, out) {
            Some(question) => {
                session.plants.select(id);
                let by_itself = std::mem::take(&mut self.by_itself);
                ask(Question { by_itself, ..question }, out);
                if session.plants.row(id).is_some() {
                    return;
                }
            }
            None => {
                let name = history.row.as_ref().and_then(Row::name);
                let text = format!("{} is no longer unknown.", sentence::called(id, name));
                out.say_in_both(text, vec![Id::ChangedMeanwhile.into()]);
            }
        }
        session.refresh_plants(out);
    }

    /// Skips a plant whose history cannot be read.
    pub(super) fn history_failed(&mut self, id: PlantId) {
        if self.awaits_history_of(id) {
            self.awaits = None;
        }
    }

    /// Whether this question is about the current plant.
    pub(super) fn asks(&self, question: &Question) -> bool {
        self.awaits != Some(Awaited::History) && question.unknown.is_some() && question.about == self.current()
    }

    /// Returns the current plant and those after it.
    pub(super) fn rest(&self) -> &[PlantId] {
        self.plants.get(self.reached.saturating_sub(1)..).unwrap_or_default()
    }

    /// Returns the number of the current question, and of all.
    pub(super) fn position(&self) -> (usize, usize) {
        (self.reached, self.plants.len())
    }
}

/// Asks, with the plant in question in the picture of the Greenhouse.
fn ask(question: Question, out: &mut Outbox) {
    out.ui_effect(UiEffect::LookAway);
    out.ask(question);
}

/// Reports which plants are still unknown after a queue, and not on their way again.
pub(super) fn say_what_is_left(unknown: &[Row], session: &Session, out: &mut Outbox) {
    let is_pending = |row: &Row| session.pending.iter().any(|pending| pending.operation.kind.plant_id() == row.id);
    let unknown: Vec<_> = unknown.iter().filter(|row| !is_pending(row)).collect();
    if unknown.is_empty() {
        return;
    }
    let names: Vec<_> = unknown.iter().take(NAMED).map(|row| sentence::row_called(row)).collect();
    let more = if unknown.len() > NAMED { " and more" } else { "" };
    let key = out.key(Command::Resolve);
    let text = format!("Still unknown: {}{more}; {key} continues.", names.join(", "));
    out.say_also_in_both(&text, Id::KeyGoesOn.with("key", key));
}

/// Returns the question about a plant, if it is unknown and has nothing in flight.
fn question_about(session: &Session, history: &PlantHistory, out: &Outbox) -> Option<Question> {
    let row = history.row.as_ref().filter(|row| row.state == State::Unknown)?;
    let unknown = history.unknown.as_ref()?;
    let mut question = plant_questions::resolve(row, unknown, &session.info.store);
    question.lines.extend(rejected_again(session, history, unknown, out).map(Words::from));
    Some(if session.cannot_send().is_none() { question } else { question.without_sending() })
}

/// Says what the store said when the unknown operation was sent again, if that can mean that the first one worked.
fn rejected_again(
    session: &Session,
    history: &PlantHistory,
    unknown: &UnknownOperation,
    out: &Outbox,
) -> Option<String> {
    let is_later = |exchange: &&Exchange| exchange.operation.id != unknown.operation;
    let (status, answer, means) = match unknown.kind {
        OperationKind::Add(_) => (409, Answer::Stored, ["It may be yours", "marks it as stored"]),
        OperationKind::Delete(_) => (404, Answer::Forget, ["The first may have worked", "forgets it"]),
    };
    let is_resend = |exchange: &&Exchange| exchange.operation.kind == unknown.kind && exchange.status() == Some(status);
    let again = history.exchanges.iter().take_while(is_later).find(is_resend)?;
    let said = sentence::status_with_reason(again.response()?);
    let at = moment(again.started, out.now, &session.info.zone);
    let (key, [is_so, does]) = (out.keys.shown_in(Scope::Question, Command::Answer(answer)), means);
    Some(format!("Sent again at {at}: {said}. {is_so}: {key} {does}."))
}
