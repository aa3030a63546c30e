//! The tour: the real interface at the real demo store, a stop with each Space.
//!
//! A stop does what a person would do with keys, through the same commands; what it says of the outcome is read from
//! what came back. Nothing is played: where the store does something else than expected, the tour says that.

use super::input::{Command, Keymap};
use super::last_exchange::LastExchange;
use super::question::{Act, Question};
use super::session::Session;
use crate::check::Report;
use crate::demo::WeatherPreset;
use crate::domain::{OperationKind, Outcome, Plant, PlantId, Resolution, State, plain};

/// Something that a person could do.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Weather(WeatherPreset),
    Do(Command),
    /// Opens the form and fills in name and tag.
    Fill {
        name: &'static str,
        tag: &'static str,
    },
    /// Opens the form and fills in what was added last, its id, too.
    FillAgain,
    Submit,
    /// Closes the form that came back, and drops what the tour typed into it.
    CloseForm,
    /// Selects the plant that was added last.
    Select,
    /// Takes a response of the open question.
    Choose(fn(&Act, PlantId) -> bool),
}

/// What the tour needs to know of everything.
pub(super) struct Observed<'a> {
    pub session: &'a Session,
    pub keys: &'a Keymap,
    /// The exchange that ended last.
    pub last: Option<&'a LastExchange>,
    /// The plant in the add form in front.
    pub form: Option<Plant>,
    /// Whether that form has warned about it.
    pub is_warned: bool,
    /// The question in front.
    pub question: Option<&'a Question>,
    /// Whether the resolve queue goes on.
    pub is_resolving: bool,
    pub has_notices: bool,
    /// The report of the check that is shown.
    pub report: Option<&'a Report>,
    /// The plant that the tour has filled in last.
    pub added: Option<PlantId>,
}

struct Stop {
    /// What is done as it begins.
    does: &'static [Step],
    /// What must have happened before the next one.
    until: Until,
    /// Whether it went as what is said of it has it.
    went_well: fn(&Observed<'_>) -> bool,
    /// What is said, as soon as that has happened.
    says: fn(&Observed<'_>) -> String,
}

/// What must have happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// Nothing is out.
    Quiet,
    /// A question is open.
    Asked,
    /// The plant that was added last is unknown no longer.
    Resolved,
    /// The check is over.
    Checked,
}

const STOPS: [Stop; 14] = [
    Stop {
        does: &[Step::Weather(WeatherPreset::Calm), Step::Do(Command::Greenhouse)],
        until: Until::Quiet,
        went_well: |_| true,
        says: |_| {
            "This is the Greenhouse. Every plant that the store should have is a pot, on the shelf of its tag. The store is a real server inside this program: nothing leaves your machine, and nothing here is played.".to_owned()
        },
    },
    Stop {
        does: &[Step::Fill { name: "Moon cactus", tag: "desert" }],
        until: Until::Quiet,
        went_well: fills_a_form,
        says: |seen| {
            format!(
                "{} adds a plant. While you type, the form shows the very request that Enter will send: who is called, what is said, and that a token goes with it. The token itself is never shown.",
                seen.keys.shown(Command::Add)
            )
        },
    },
    Stop {
        does: &[Step::Weather(WeatherPreset::Slow), Step::Submit],
        until: Until::Quiet,
        went_well: |seen| ended(seen, Outcome::Accepted),
        says: |seen| {
            format!(
                "{} The seed lay in its pot while the request was out; now it grows. Before the request left, the program had written down that it was asked for.",
                last_words(seen)
            )
        },
    },
    Stop {
        does: &[Step::Weather(WeatherPreset::Calm), Step::FillAgain, Step::Submit],
        until: Until::Quiet,
        went_well: |seen| fills_a_form(seen) && seen.is_warned,
        says: |_| {
            "The same plant with the same id once more. The program says that this id is taken here, as far as it knows. But whether that is allowed is for the store to say, so one more Enter sends it.".to_owned()
        },
    },
    Stop {
        does: &[Step::Submit],
        until: Until::Quiet,
        went_well: |seen| ended(seen, Outcome::Rejected),
        says: |seen| {
            format!(
                "{} A no is an answer, too: nothing has changed. What was typed is back in the form, with the store's own words.",
                last_words(seen)
            )
        },
    },
    Stop {
        does: &[
            Step::CloseForm,
            Step::Weather(WeatherPreset::LosingResponses),
            Step::Fill { name: "Ghost orchid", tag: "tropical" },
            Step::Submit,
        ],
        until: Until::Quiet,
        went_well: |seen| ended(seen, Outcome::Unknown),
        says: |seen| {
            format!(
                "Now the weather is bad: the store works, and its answers get lost. {} That is what \"unknown\" means. Other programs would try again, or say that it failed. Both would be a guess.",
                last_words(seen)
            )
        },
    },
    Stop {
        does: &[Step::Weather(WeatherPreset::Calm), Step::Select, Step::Do(Command::Resolve)],
        until: Until::Asked,
        went_well: asks,
        says: |seen| {
            format!(
                "{} settles what is unknown. The store cannot be asked what it has, so only a person can say. Nothing is chosen for you.",
                seen.keys.shown(Command::Resolve)
            )
        },
    },
    Stop {
        does: &[Step::Choose(|act, plant| matches!(act, Act::Resolve(id, _, Resolution::MarkStored) if *id == plant))],
        until: Until::Resolved,
        went_well: |seen| state(seen) == Some(State::Stored),
        says: |_| {
            "We made that weather, so we know: the store did it, and only the answer was lost. On a person's word the plant is stored. Nothing was sent for it.".to_owned()
        },
    },
    Stop {
        does: &[Step::Select, Step::Do(Command::Delete)],
        until: Until::Asked,
        went_well: asks,
        says: |seen| {
            format!(
                "{} deletes. The question names plant, id and store, and what is marked is the safe answer.",
                seen.keys.shown(Command::Delete)
            )
        },
    },
    Stop {
        does: &[Step::Choose(|act, plant| *act == Act::Send(OperationKind::Delete(plant)))],
        until: Until::Quiet,
        went_well: |seen| ended(seen, Outcome::Accepted) && state(seen).is_none(),
        says: |seen| {
            format!(
                "{} An empty pot is left for a while. {} would bring it back.",
                last_words(seen),
                seen.keys.shown(Command::ReAdd)
            )
        },
    },
    Stop {
        does: &[Step::Do(Command::History)],
        until: Until::Quiet,
        went_well: |_| true,
        says: |_| {
            "Everything that was said, newest first, as it was on the wire. Nothing is forgotten when the program ends, except at the demo store, which ends with it.".to_owned()
        },
    },
    Stop {
        does: &[Step::Do(Command::Check), Step::Do(Command::RunCheck)],
        until: Until::Checked,
        went_well: |seen| seen.report.is_some_and(|report| report.cut_short.is_none()),
        says: |_| {
            "The check has asked the store for everything that its document promises, and wrote down what it does where the document is silent. It touched only plants of its own, and cleaned them up.".to_owned()
        },
    },
    Stop {
        does: &[Step::Do(Command::Plants)],
        until: Until::Quiet,
        went_well: |_| true,
        says: |_| {
            "And this is the room for every day: all plants in a table, the selected one's story beside it.".to_owned()
        },
    },
    Stop {
        does: &[Step::Do(Command::Greenhouse)],
        until: Until::Quiet,
        went_well: |_| true,
        says: |seen| {
            let key = |command| seen.keys.shown(command);
            format!(
                "That was the tour. All of it stays as it stands, and is yours: {} adds, {} shows every key, {} goes to a store of your own, {} leaves.",
                key(Command::Add),
                key(Command::Help),
                key(Command::Connection),
                key(Command::Quit)
            )
        },
    },
];

/// What the last exchange came to.
fn last_words(seen: &Observed<'_>) -> String {
    seen.last.map(|last| plain::describe(&last.exchange, last.name.as_deref())).unwrap_or_default()
}

/// Whether the last exchange was about the tour's own plant, and ended so.
fn ended(seen: &Observed<'_>, outcome: Outcome) -> bool {
    seen.last.is_some_and(|last| {
        last.exchange.outcome() == outcome && Some(last.exchange.operation.kind.plant_id()) == seen.added
    })
}

/// Whether the form in front is the one that the tour has filled in.
fn fills_a_form(seen: &Observed<'_>) -> bool {
    seen.added.is_some() && seen.form.as_ref().map(|plant| plant.id) == seen.added
}

/// Whether the question in front is about the tour's own plant.
fn asks(seen: &Observed<'_>) -> bool {
    seen.added.is_some() && seen.question.is_some_and(|question| question.about == seen.added)
}

/// The state of the tour's own plant.
fn state(seen: &Observed<'_>) -> Option<State> {
    seen.session.plants.row(seen.added?).map(|row| row.state)
}

impl Until {
    fn has_happened(self, seen: &Observed<'_>) -> bool {
        let session = seen.session;
        match self {
            Self::Quiet => session.pending.is_empty() && session.samples.is_empty() && !session.plants.is_awaited(),
            // Where there is nothing to ask about, no question is waited for.
            Self::Asked => seen.question.is_some() || !seen.is_resolving,
            Self::Resolved => state(seen) != Some(State::Unknown) || seen.has_notices,
            Self::Checked => !session.check.is_under_way(),
        }
    }
}

/// Where a person on the tour is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tour {
    /// The step that is shown, from 0.
    at: usize,
    /// The plant that the tour has filled in last.
    added: Option<Plant>,
    /// Whether what the step waits for has happened, so that Space goes on.
    pub is_over: bool,
    /// Whether Space was pressed before.
    pub impatient: bool,
    /// Whether a key was pressed that does nothing here.
    pub other_key: bool,
}

impl Tour {
    /// The tour at its first stop, and what to do there.
    pub(super) fn begin() -> (Self, &'static [Step]) {
        let tour = Self { at: 0, added: None, is_over: false, impatient: false, other_key: false };
        (tour, STOPS.first().map_or(&[], |stop| stop.does))
    }

    /// Which stop it is, from 1, and of how many.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.at + 1, STOPS.len())
    }

    /// What the tour says now.
    pub(super) fn caption(&self, seen: &Observed<'_>) -> String {
        let Some(stop) = STOPS.get(self.at) else { return String::new() };
        if self.is_over && (stop.went_well)(seen) {
            return (stop.says)(seen);
        }
        if self.is_over {
            let words = last_words(seen);
            return format!("This went otherwise than planned, and nothing is made up here. {words} The tour goes on.");
        }
        match stop.until {
            Until::Quiet if !seen.session.samples.is_empty() => "The first plants are being added …",
            Until::Quiet if !seen.session.pending.is_empty() => "The request is on its way …",
            Until::Quiet | Until::Asked | Until::Resolved => "The journal is at work …",
            Until::Checked => {
                "The check is under way: each of its requests is a real one. It adds plants of its own, and cleans them up."
            }
        }
        .to_owned()
    }

    /// Notes that what the stop waits for has happened. What happens later does not take that back.
    pub(super) fn watch(&mut self, seen: &Observed<'_>) {
        self.is_over |= STOPS.get(self.at).is_some_and(|stop| stop.until.has_happened(seen));
    }

    /// Space: what to do at the next stop; nothing where it is too early, `None` at the end of the tour.
    pub(super) fn go_on(&mut self) -> Option<&'static [Step]> {
        if !self.is_over {
            self.impatient = true;
            return Some(&[]);
        }
        self.at += 1;
        (self.is_over, self.impatient, self.other_key) = (false, false, false);
        STOPS.get(self.at).map(|stop| stop.does)
    }

    /// The plant that the tour has filled in last.
    pub(super) fn added(&self) -> Option<&Plant> {
        self.added.as_ref()
    }

    /// The form was filled in with this plant, or not at all.
    pub(super) fn has_filled(&mut self, plant: Option<Plant>) {
        self.added = plant;
    }

    /// Whether the form in front is as the tour has filled it in.
    pub(super) fn fills_a_form(&self, seen: &Observed<'_>) -> bool {
        self.added.is_some() && seen.form == self.added
    }
}
