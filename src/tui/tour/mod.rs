//! The tour: presents the interface at the demo store, one stop after each Space, or another key that clickers send.
//!
//! A stop runs commands as keys do, and its text describes the real response; if the store does something else than
//! expected, the text says so. The tour must not know the app: it returns steps, which the app carries out.

pub(super) mod caption;

use super::context::Context;
use super::greenhouse::state::LastExchange;
use super::input::{Command, Tab};
use super::session::question::{Act, Question};
use crate::demo::WeatherPreset;
use crate::domain::language::Id;
use crate::domain::{Message, OperationKind, Outcome, Plant, PlantId, Resolution, State};

/// An action that a person could take, too.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Weather(WeatherPreset),
    Do(Command),
    /// Opens the add form and types a name and the tag: the first name of these that no plant has.
    Fill {
        names: Id,
        tag: Id,
    },
    /// Shows no request: the last one is not about the tour.
    ShowNoRequest,
    /// Opens the add form and types the plant added last, with its id.
    FillAgain,
    Submit,
    /// Closes the tour's form, and discards its text, also that of a form that waits for being opened again.
    CloseForm,
    /// Selects the plant added last.
    Select,
    /// Marks a choice of the open question.
    Mark(fn(&Act, PlantId) -> bool),
    /// Marks and takes a choice of the open question.
    Choose(fn(&Act, PlantId) -> bool),
}

/// The state that texts and conditions of the tour read.
pub(super) struct Observed<'a> {
    pub cx: &'a Context,
    /// The request that ended last.
    pub last: Option<&'a LastExchange>,
    /// The plant in the add form in front.
    pub form: Option<Plant>,
    /// Whether that form shows a warning about it.
    pub is_warned: bool,
    /// The question in front.
    pub question: Option<&'a Question>,
    /// Whether the resolve queue is active.
    pub is_resolving: bool,
    /// The plant that the tour typed last.
    pub added: Option<PlantId>,
}

struct Stop {
    /// What happens at its beginning.
    steps: &'static [Step],
    /// What must have happened before the next stop.
    until: Until,
    /// What happens then.
    then: &'static [Step],
    /// Whether the outcome is the one that the text describes.
    went_well: fn(&Observed<'_>) -> bool,
    /// The sentence after `until` has happened.
    text: Id,
}

/// A condition for the next stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// Nothing is on its way.
    Quiet,
    /// A question is open.
    Asked,
    /// The plant added last is no longer unknown.
    Resolved,
}

const QUIET: Stop = Stop { steps: &[], until: Until::Quiet, then: &[], went_well: |_| true, text: Id::TourOtherwise };

const STOPS: [Stop; 10] = [
    Stop {
        steps: &[Step::Weather(WeatherPreset::Calm), Step::Do(Command::GoTo(Tab::Greenhouse))],
        then: &[Step::ShowNoRequest],
        text: Id::TourShelves,
        ..QUIET
    },
    Stop {
        steps: &[Step::Fill { names: Id::TourCacti, tag: Id::TourDesert }],
        went_well: fills_a_form,
        text: Id::TourForm,
        ..QUIET
    },
    Stop {
        steps: &[Step::Weather(WeatherPreset::Slow), Step::Submit],
        went_well: |seen| ended(seen, Outcome::Accepted),
        text: Id::TourYes,
        ..QUIET
    },
    Stop {
        steps: &[Step::Weather(WeatherPreset::Calm), Step::FillAgain, Step::Submit],
        went_well: |seen| fills_a_form(seen) && seen.is_warned,
        text: Id::TourTaken,
        ..QUIET
    },
    Stop { steps: &[Step::Submit], went_well: |seen| ended(seen, Outcome::Rejected), text: Id::TourNo, ..QUIET },
    Stop {
        steps: &[
            Step::CloseForm,
            Step::Weather(WeatherPreset::LosingResponses),
            Step::Fill { names: Id::TourOrchids, tag: Id::TourTropical },
            Step::Submit,
        ],
        went_well: |seen| ended(seen, Outcome::Unknown),
        text: Id::TourLost,
        ..QUIET
    },
    Stop {
        steps: &[Step::Weather(WeatherPreset::Calm), Step::Select, Step::Do(Command::Resolve)],
        until: Until::Asked,
        then: &[Step::Mark(marks_stored)],
        went_well: asks,
        text: Id::TourResolve,
    },
    Stop {
        steps: &[Step::Choose(marks_stored)],
        until: Until::Resolved,
        then: &[],
        went_well: |seen| state(seen) == Some(State::Stored),
        text: Id::TourDecided,
    },
    Stop {
        steps: &[Step::Select, Step::Do(Command::Delete)],
        until: Until::Asked,
        then: &[Step::Mark(deletes)],
        went_well: asks,
        text: Id::TourDelete,
    },
    Stop {
        steps: &[Step::Choose(deletes)],
        went_well: |seen| ended(seen, Outcome::Accepted) && state(seen).is_none(),
        text: Id::TourEnd,
        ..QUIET
    },
];

/// Returns a text with its keys in brackets.
fn with_keys(text: Id, seen: &Observed<'_>) -> String {
    let language = seen.cx.display.language();
    let key = |command| format!("[{}]", language.key(&seen.cx.key(command)));
    let message = Message::from(text).with("add", key(Command::Add)).with("resolve", key(Command::Resolve));
    let message = message.with("delete", key(Command::Delete)).with("help", key(Command::Help));
    language.say(&message)
}

fn marks_stored(act: &Act, plant: PlantId) -> bool {
    matches!(act, Act::Resolve(plants, Resolution::MarkStored) if plants.iter().all(|decided| decided.id == plant))
}

fn deletes(act: &Act, plant: PlantId) -> bool {
    *act == Act::Send(OperationKind::Delete(plant))
}

/// Whether the last request was about the tour's plant, with this outcome.
fn ended(seen: &Observed<'_>, outcome: Outcome) -> bool {
    seen.last.is_some_and(|last| {
        last.exchange.outcome() == outcome && Some(last.exchange.operation.kind.plant_id()) == seen.added
    })
}

/// Whether the form in front has the id of the tour's plant.
fn fills_a_form(seen: &Observed<'_>) -> bool {
    seen.added.is_some() && seen.form.as_ref().map(|plant| plant.id) == seen.added
}

/// Whether the question in front is about the tour's plant.
fn asks(seen: &Observed<'_>) -> bool {
    seen.added.is_some() && seen.question.is_some_and(|question| question.about == seen.added)
}

/// Returns the state of the tour's plant.
fn state(seen: &Observed<'_>) -> Option<State> {
    seen.cx.session.plants.row(seen.added?).map(|row| row.state)
}

impl Until {
    fn has_happened(self, seen: &Observed<'_>) -> bool {
        let session = &seen.cx.session;
        let has_notices = !seen.cx.out.status.notices.is_empty();
        match self {
            Self::Quiet => session.pending.is_empty() && session.samples.is_empty() && !session.plants.is_awaited(),
            // Without an unknown plant, no question comes.
            Self::Asked => seen.question.is_some() || !seen.is_resolving,
            Self::Resolved => (state(seen) != Some(State::Unknown) && !session.plants.is_awaited()) || has_notices,
        }
    }
}

/// The last key, if the caption says something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pressed {
    Nothing,
    /// Space, before the stop is over.
    TooEarly,
    /// Esc, which leaves the tour once it is pressed again.
    Esc,
    /// One that has no effect on the tour.
    Other,
}

/// The position on the tour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tour {
    /// The index of the stop.
    at: usize,
    /// The weather before it.
    pub weather: WeatherPreset,
    /// The plant that the tour typed last; `None` if no form opened.
    pub added: Option<Plant>,
    /// Whether the stop's condition has happened, so that Space goes on.
    pub is_over: bool,
    pub pressed: Pressed,
    /// The texts of the stops before.
    shown: Vec<Id>,
    /// How many stops back the text is that a person reads again.
    back: usize,
}

impl Tour {
    /// Returns the tour at its first stop, and the steps there.
    pub(super) fn begin(weather: WeatherPreset) -> (Self, &'static [Step]) {
        let tour =
            Self { at: 0, weather, added: None, is_over: false, pressed: Pressed::Nothing, shown: vec![], back: 0 };
        (tour, STOPS.first().map_or(&[], |stop| stop.steps))
    }

    /// Returns the number of the stop whose text is shown, from 1, and of all.
    pub(super) fn position(&self) -> (usize, usize) {
        (self.at + 1 - self.back, STOPS.len())
    }

    /// Whether the text of an earlier stop is shown.
    pub(super) fn looks_back(&self) -> bool {
        self.back > 0
    }

    /// Whether the text of the last stop is shown, after which the tour ends.
    pub(super) fn is_at_last_text(&self) -> bool {
        self.is_over && !self.looks_back() && self.at + 1 == STOPS.len()
    }

    /// Returns every text of a stop that goes well, as `caption` does.
    pub(super) fn captions(seen: &Observed<'_>) -> impl Iterator<Item = String> {
        STOPS.iter().map(|stop| with_keys(stop.text, seen))
    }

    /// Returns the text to show now, with its keys in brackets.
    pub(super) fn caption(&self, seen: &Observed<'_>) -> String {
        let earlier = self.at.checked_sub(self.back).filter(|_| self.looks_back()).and_then(|at| self.shown.get(at));
        with_keys(earlier.copied().unwrap_or_else(|| self.text(seen)), seen)
    }

    /// Returns the text of the stop, as far as it is.
    pub(super) fn text(&self, seen: &Observed<'_>) -> Id {
        let Some(stop) = STOPS.get(self.at).filter(|stop| !self.is_over || (stop.went_well)(seen)) else {
            return Id::TourOtherwise;
        };
        match stop.until {
            _ if self.is_over => stop.text,
            Until::Quiet if !seen.cx.session.samples.is_empty() => Id::TourFirstPlants,
            Until::Quiet if !seen.cx.session.pending.is_empty() => Id::TourOnItsWay,
            Until::Quiet | Until::Asked | Until::Resolved => Id::TourJournal,
        }
    }

    /// Notes whether the stop's condition has happened, and returns the steps that follow from that, once. Later events do
    /// not undo it.
    pub(super) fn watch(&mut self, seen: &Observed<'_>) -> &'static [Step] {
        match STOPS.get(self.at).filter(|stop| !self.is_over && stop.until.has_happened(seen)) {
            Some(stop) => {
                self.is_over = true;
                stop.then
            }
            None => &[],
        }
    }

    /// Goes on from this stop, which has said `text`. Returns the steps of the next one, none if it is too early or an earlier
    /// text was shown, `None` at the end of the tour.
    pub(super) fn go_on(&mut self, text: Id) -> Option<&'static [Step]> {
        let is_early = !self.is_over && !self.looks_back();
        self.pressed = if is_early { Pressed::TooEarly } else { Pressed::Nothing };
        if self.looks_back() || is_early {
            self.back = self.back.saturating_sub(1);
            return Some(&[]);
        }
        self.shown.push(text);
        self.at += 1;
        self.is_over = false;
        STOPS.get(self.at).map(|stop| stop.steps)
    }

    /// Shows the text of the stop before; what was done since stays.
    pub(super) fn go_back(&mut self) {
        self.back = (self.back + 1).min(self.at);
        self.pressed = Pressed::Nothing;
    }

    pub(super) fn plant(&self) -> Option<PlantId> {
        self.added.as_ref().map(|plant| plant.id)
    }

    /// Whether it has sent anything so far.
    pub(super) fn has_sent(&self) -> bool {
        STOPS.iter().take(self.at + 1).any(|stop| stop.steps.iter().any(|step| matches!(step, Step::Submit)))
    }

    /// Whether the form in front has exactly the tour's text.
    pub(super) fn fills_a_form(&self, seen: &Observed<'_>) -> bool {
        self.added.is_some() && seen.form == self.added
    }
}
