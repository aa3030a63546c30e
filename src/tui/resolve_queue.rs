//! Resolving all that is unknown, plant by plant: one question after another, each as soon as the plant's
//! history has come, and none over an open dialog.

use super::effect::Effect;
use super::input::Command;
use super::outbox::Outbox;
use super::question::{self, Question};
use super::session::Session;
use crate::domain::{PlantId, Row, State, sentence};
use crate::journal::PlantHistory;

/// How many that stay unknown are named.
const NAMED: usize = 3;

/// The plants to ask about, and how far that has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ResolveQueue {
    plants: Vec<PlantId>,
    /// How many of them it has come to.
    come_to: usize,
    awaits: Option<Awaited>,
}

/// What the journal was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    /// All unknown plants.
    Unknown,
    /// The history of the plant that it came to last.
    History,
}

impl ResolveQueue {
    /// Begins with the selected plant if it is unknown, at once if its history is at hand.
    pub(super) fn begin(session: &Session, out: &mut Outbox) -> Self {
        out.status.message = None;
        let question = session.selected_history().and_then(|history| question_about(session, history));
        let is_unknown = session.plants.selected_row().is_some_and(|row| row.state == State::Unknown);
        let first = session.plants.selected.filter(|_| question.is_some() || is_unknown);
        let queue = Self {
            plants: first.into_iter().collect(),
            come_to: usize::from(question.is_some()),
            awaits: Some(Awaited::Unknown),
        };
        if let Some(question) = question {
            out.ask(question);
        }
        out.effect(Effect::FindUnknown);
        queue
    }

    /// The plant that it came to last.
    pub(super) fn at(&self) -> Option<PlantId> {
        self.plants.get(self.come_to.checked_sub(1)?).copied()
    }

    fn awaits_history_of(&self, id: PlantId) -> bool {
        self.awaits == Some(Awaited::History) && self.at() == Some(id)
    }

    /// Goes to the next plant. Whether there was none: then it is over.
    pub(super) fn advance(&mut self, out: &mut Outbox) -> bool {
        if self.awaits.is_some() {
            return false;
        }
        let Some(next) = self.plants.get(self.come_to).copied() else { return true };
        self.come_to += 1;
        self.awaits = Some(Awaited::History);
        out.effect(Effect::LoadPlantHistory(next));
        false
    }

    /// The unknown plants have come, by id. Whether there is none at all: then it is over.
    ///
    /// It goes to all of them: from its first plant on if it has one, else from the selected one on, and then
    /// around.
    pub(super) fn unknown_came(&mut self, unknown: &[Row], selected: Option<PlantId>) -> bool {
        if self.awaits != Some(Awaited::Unknown) {
            // Of a queue before this one.
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

    /// The history has come that it waited for: it asks, or skips what is resolved.
    pub(super) fn history_came(
        &mut self,
        id: PlantId,
        history: &PlantHistory,
        is_plain: bool,
        session: &mut Session,
        out: &mut Outbox,
    ) {
        if !self.awaits_history_of(id) {
            return;
        }
        self.awaits = None;
        if !is_plain {
            // A dialog opened in between; the history is asked for again once that is closed.
            self.come_to -= 1;
            return;
        }
        match question_about(session, history) {
            Some(question) => {
                session.plants.select(id);
                out.ask(question);
                if session.plants.row(id).is_some() {
                    return;
                }
            }
            None => {
                let name = history.row.as_ref().and_then(Row::name);
                out.say(format!("{} is no longer unknown.", sentence::called(id, name)));
            }
        }
        session.refresh_plants(out);
    }

    /// Skips a plant whose history cannot be read: the others can still be resolved.
    pub(super) fn history_failed(&mut self, id: PlantId) {
        if self.awaits_history_of(id) {
            self.awaits = None;
        }
    }

    /// Whether it asks this question.
    pub(super) fn asks(&self, question: &Question) -> bool {
        self.awaits != Some(Awaited::History) && question.unknown.is_some() && question.about == self.at()
    }

    /// Which of how many its question is, if there are several.
    pub(super) fn place(&self) -> Option<(usize, usize)> {
        (self.plants.len() > 1).then_some((self.come_to, self.plants.len()))
    }
}

/// Says which plants stay unknown after a queue.
pub(super) fn say_what_is_left(unknown: &[Row], out: &mut Outbox) {
    if unknown.is_empty() {
        return;
    }
    let names: Vec<_> = unknown.iter().take(NAMED).map(sentence::row_called).collect();
    let more = if unknown.len() > NAMED { " and more" } else { "" };
    let key = out.key(Command::Resolve);
    out.say_also(&format!("Still unknown: {}{more}; {key} goes on.", names.join(", ")));
}

/// What to ask about a plant, if it is unknown and nothing of it is in flight.
fn question_about(session: &Session, history: &PlantHistory) -> Option<Question> {
    let row = history.row.as_ref().filter(|row| row.state == State::Unknown)?;
    let question = question::resolve(row, history.unknown.as_ref()?, &session.info.store);
    Some(if session.cannot_send().is_none() { question } else { question.without_sending() })
}
