//! The tour: the real interface at the real demo store, a step with each Space.
//!
//! A step does what a person would do with keys, through the same actions; what it says of the outcome
//! is read from what came back. Nothing is played: where the store does something else than expected,
//! the tour says that.

use super::choice::Act;
use super::field::Field;
use super::key::Key;
use super::keys::{Action, Anywhere, InCheck, InChoice, InForm, InRoom, WithPlant};
use super::message::Effect;
use super::model::{Model, Overlay};
use crate::config::Wish;
use crate::demo::Sky;
use crate::domain::{Ask, Outcome, Plant, PlantId, Settlement, State, plain};

/// Where somebody on the tour is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tour {
    /// The step that is shown, from 0.
    at: usize,
    /// The plant that the tour has asked to add last.
    plant: Option<Plant>,
    /// Whether what the step waits for has happened, so that Space goes on.
    pub is_over: bool,
    /// Whether Space was pressed before.
    pub impatient: bool,
    /// Whether a key was pressed that does nothing here.
    pub other_key: bool,
}

/// One step.
struct Step {
    /// What is done as it begins.
    does: &'static [Do],
    /// What must have happened before the next one.
    until: Until,
    /// Whether it went as what is said of it has it.
    went_well: fn(&Model) -> bool,
    /// What is said, as soon as that has happened.
    says: fn(&Model) -> String,
}

/// Something that a person could do.
#[derive(Debug, Clone, Copy)]
enum Do {
    Weather(Sky),
    Go(InRoom),
    /// Opens the form and fills in name and tag.
    Fill(&'static str, &'static str),
    /// Opens the form and fills in what was added last, its id, too.
    FillAgain,
    Submit,
    /// Closes the form that came back, and lets go what the tour typed into it.
    CloseForm,
    /// Selects the plant that was added last.
    Select,
    Delete,
    Settle,
    /// Takes an answer of the open dialog.
    Choose(fn(&Act, PlantId) -> bool),
    Check,
}

/// What must have happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// Nothing is out.
    Quiet,
    /// A dialog is open.
    Asked,
    /// The plant that was added last is in doubt no longer.
    Settled,
    /// The check is over.
    Checked,
}

const STEPS: [Step; 14] = [
    Step {
        does: &[Do::Weather(Sky::Calm), Do::Go(InRoom::Greenhouse)],
        until: Until::Quiet,
        went_well: |_| true,
        says: |_| {
            "This is the Greenhouse. Every plant that the store should have is a pot, on the shelf of its tag. The store is a real server inside this program: nothing leaves your machine, and nothing here is played.".to_owned()
        },
    },
    Step {
        does: &[Do::Fill("Moon cactus", "desert")],
        until: Until::Quiet,
        went_well: fills_a_form,
        says: |model| {
            format!(
                "{} adds a plant. While you type, the form shows the very request that Enter will send: who is called, what is said, and that a token goes with it. The token itself is never shown.",
                model.keys.shown(Action::Room(InRoom::Add))
            )
        },
    },
    Step {
        does: &[Do::Weather(Sky::Slow), Do::Submit],
        until: Until::Quiet,
        went_well: |model| ended(model, Outcome::Accepted),
        says: |model| {
            format!(
                "{} The seed lay in its pot while the request was out; now it grows. Before the request left, the program had written down that it was asked for.",
                last_words(model)
            )
        },
    },
    Step {
        does: &[Do::Weather(Sky::Calm), Do::FillAgain, Do::Submit],
        until: Until::Quiet,
        went_well: |model| fills_a_form(model) && warns(model),
        says: |_| {
            "The same plant with the same id once more. The program says that this id is taken here, as far as it knows. But whether that is allowed is for the store to say, so one more Enter sends it.".to_owned()
        },
    },
    Step {
        does: &[Do::Submit],
        until: Until::Quiet,
        went_well: |model| ended(model, Outcome::Rejected),
        says: |model| {
            format!(
                "{} A no is an answer, too: nothing has changed. What was typed is back in the form, with the store's own words.",
                last_words(model)
            )
        },
    },
    Step {
        does: &[Do::CloseForm, Do::Weather(Sky::LosingAnswers), Do::Fill("Ghost orchid", "tropical"), Do::Submit],
        until: Until::Quiet,
        went_well: |model| ended(model, Outcome::Unknown),
        says: |model| {
            format!(
                "Now the weather is bad: the store works, and its answers get lost. {} That is what \"unknown\" means. Other programs would try again, or say that it failed. Both would be a guess.",
                last_words(model)
            )
        },
    },
    Step {
        does: &[Do::Weather(Sky::Calm), Do::Select, Do::Settle],
        until: Until::Asked,
        went_well: asks,
        says: |model| {
            format!(
                "{} settles what is unknown. The store cannot be asked what it has, so only a person can say. Nothing is chosen for you.",
                model.keys.shown(Action::Room(InRoom::Settle))
            )
        },
    },
    Step {
        does: &[Do::Choose(|act, plant| matches!(act, Act::Settle(id, _, Settlement::MarkStored) if *id == plant))],
        until: Until::Settled,
        went_well: |model| stands(model) == Some(State::Stored),
        says: |_| {
            "We made that weather, so we know: the store did it, and only the answer was lost. On a person's word the plant is stored. Nothing was sent for it.".to_owned()
        },
    },
    Step {
        does: &[Do::Select, Do::Delete],
        until: Until::Asked,
        went_well: asks,
        says: |model| {
            format!(
                "{} deletes. The question names plant, id and store, and what is marked is the safe answer.",
                model.keys.shown(Action::Plant(WithPlant::Delete))
            )
        },
    },
    Step {
        does: &[Do::Choose(|act, plant| *act == Act::Send(Ask::Delete(plant)))],
        until: Until::Quiet,
        went_well: |model| ended(model, Outcome::Accepted) && stands(model).is_none(),
        says: |model| {
            format!(
                "{} An empty pot is left for a while. {} would bring it back.",
                last_words(model),
                model.keys.shown(Action::Room(InRoom::BringBack))
            )
        },
    },
    Step {
        does: &[Do::Go(InRoom::Exchanges)],
        until: Until::Quiet,
        went_well: |_| true,
        says: |_| {
            "Everything that was said, newest first, as it was on the wire. Nothing is forgotten when the program ends, except at the demo store, which ends with it.".to_owned()
        },
    },
    Step {
        does: &[Do::Go(InRoom::Check), Do::Check],
        until: Until::Checked,
        went_well: |model| model.check.report.as_ref().is_some_and(|report| report.cut_short.is_none()),
        says: |_| {
            "The check has asked the store for everything that its document promises, and wrote down what it does where the document is silent. It touched only plants of its own, and cleaned them up.".to_owned()
        },
    },
    Step {
        does: &[Do::Go(InRoom::Plants)],
        until: Until::Quiet,
        went_well: |_| true,
        says: |_| {
            "And this is the room for every day: all plants in a table, the selected one's story beside it.".to_owned()
        },
    },
    Step {
        does: &[Do::Go(InRoom::Greenhouse)],
        until: Until::Quiet,
        went_well: |_| true,
        says: |model| {
            let key = |action| model.keys.shown(Action::Room(action));
            format!(
                "That was the tour. All of it stays as it stands, and is yours: {} adds, {} shows every key, {} goes to a store of your own, {} leaves.",
                key(InRoom::Add),
                key(InRoom::Help),
                key(InRoom::Connection),
                key(InRoom::Quit)
            )
        },
    },
];

/// What the last exchange came to.
fn last_words(model: &Model) -> String {
    match model.greenhouse.told_last() {
        Some(told) => plain::told(&told.exchange, told.name.as_deref()),
        None => String::new(),
    }
}

/// What the last exchange was about the tour's own plant, and how it ended.
fn ended(model: &Model, outcome: Outcome) -> bool {
    let told = model.greenhouse.told_last();
    told.is_some_and(|told| {
        told.exchange.outcome() == outcome && Some(told.exchange.operation.ask.plant_id()) == model.plant_of_tour()
    })
}

/// Whether the form on screen is the one that the tour has filled in.
fn fills_a_form(model: &Model) -> bool {
    let typed = model.tour.as_ref().and_then(|tour| tour.plant.as_ref());
    matches!(&model.overlay, Some(Overlay::Add(form)) if typed.is_some() && form.plant().ok().as_ref() == typed)
}

fn warns(model: &Model) -> bool {
    matches!(&model.overlay, Some(Overlay::Add(form)) if form.is_warned())
}

/// Whether the dialog on screen asks about the tour's own plant.
fn asks(model: &Model) -> bool {
    let plant = model.plant_of_tour();
    matches!(&model.overlay, Some(Overlay::Choice(dialog)) if plant.is_some() && dialog.about == plant)
}

/// How the tour's own plant stands.
fn stands(model: &Model) -> Option<State> {
    model.table.row(model.plant_of_tour()?).map(|row| row.state)
}

impl Tour {
    /// Which step it is, from 1, and of how many.
    pub fn place(&self) -> (usize, usize) {
        (self.at + 1, STEPS.len())
    }
}

impl Model {
    /// What the tour says now; `None` if nobody is on it.
    pub fn caption(&self) -> Option<String> {
        let tour = self.tour.as_ref()?;
        let step = STEPS.get(tour.at)?;
        if tour.is_over {
            let well = (step.went_well)(self);
            return Some(if well { (step.says)(self) } else { self.went_otherwise() });
        }
        Some(match step.until {
            Until::Quiet if !self.samples.is_empty() => "The first plants are being added …".to_owned(),
            Until::Quiet if !self.flights.is_empty() => "The request is on its way …".to_owned(),
            Until::Quiet | Until::Asked | Until::Settled => "The journal is at work …".to_owned(),
            Until::Checked => {
                "The check is under way: each of its requests is a real one. It adds plants of its own, and cleans them up.".to_owned()
            }
        })
    }

    /// Notes that what the step waits for has happened. What happens later does not take that back.
    pub(super) fn watch_tour(&mut self) {
        let until = self.tour.as_ref().and_then(|tour| STEPS.get(tour.at)).map(|step| step.until);
        let is_over = until.is_some_and(|until| self.has_happened(until));
        if let Some(tour) = &mut self.tour {
            tour.is_over |= is_over;
        }
    }

    /// Said where something came in between, or the store did something else.
    fn went_otherwise(&self) -> String {
        let words = last_words(self);
        format!("This went otherwise than planned, and nothing is made up here. {words} The tour goes on.")
    }

    /// The plant that the tour has asked to add last.
    pub(super) fn plant_of_tour(&self) -> Option<PlantId> {
        Some(self.tour.as_ref()?.plant.as_ref()?.id)
    }

    fn has_happened(&self, until: Until) -> bool {
        match until {
            Until::Quiet => self.flights.is_empty() && self.samples.is_empty() && !self.table.is_awaited(),
            // Where there is nothing to ask about, nobody waits for a question.
            Until::Asked => matches!(self.overlay, Some(Overlay::Choice(_))) || self.walk.is_none(),
            Until::Settled => stands(self) != Some(State::Unknown) || !self.notices.is_empty(),
            Until::Checked => !self.check.is_under_way(),
        }
    }

    pub(super) fn unavailable_tour(&self) -> Option<&'static str> {
        if self.facts.read_only {
            return Some("read-only: the tour adds plants to the demo store and deletes one");
        }
        // What is out could bring something that the tour would take for its own; but for the samples.
        let are_samples = self.facts.demo && !self.samples.is_empty();
        let is_out = || if are_samples { None } else { self.in_flight() };
        self.cannot_send().or_else(|| self.busy()).or_else(is_out)
    }

    /// Begins the tour; from another store it goes to the demo store first.
    pub fn begin_tour(&mut self) -> Vec<Effect> {
        if let Some(why) = self.unavailable_tour() {
            self.says(&format!("There is no tour now: {why}."));
            return Vec::new();
        }
        if self.facts.demo { self.start_tour() } else { self.go_on_tour() }
    }

    /// Begins the tour at the demo store, which is open.
    pub(super) fn start_tour(&mut self) -> Vec<Effect> {
        self.tour = Some(Tour { at: 0, plant: None, is_over: false, impatient: false, other_key: false });
        // A delete is about the selected plant alone.
        self.table.marked.clear();
        let mut effects = Vec::new();
        if !self.table.filter.text().is_empty() {
            self.table.filter = Field::default();
            effects.extend(self.table.arrange_anew().map(Effect::Load));
        }
        effects.extend(self.begin_step());
        effects
    }

    /// What a key does on the tour; `None` if it does there what it does anywhere.
    pub(super) fn on_tour(&mut self, key: Key, action: Option<Action>) -> Option<Vec<Effect>> {
        let is_over = self.tour.as_ref()?.is_over;
        match (key, action) {
            (_, Some(Action::Everywhere(Anywhere::Suspend) | Action::Room(InRoom::Present))) => None,
            (_, Some(Action::Everywhere(Anywhere::Interrupt))) | (Key::Esc, _) => {
                let effects = self.does(Do::CloseForm);
                self.tour = None;
                self.says(&format!("You have left the tour. All of it stays as it stands.{}", self.way_back()));
                Some(effects)
            }
            (Key::Char(' '), _) => Some(if is_over { self.next_step() } else { self.is_too_early() }),
            (_, _) => {
                if let Some(tour) = &mut self.tour {
                    tour.other_key = true;
                }
                Some(Vec::new())
            }
        }
    }

    /// How to go on to a store of one's own, if there is one.
    fn way_back(&self) -> String {
        let key = self.keys.shown(Action::Room(InRoom::Connection));
        let has_another = self.known.iter().any(|store| store.wish != Wish::Demo);
        if has_another { format!(" This is the demo store: {key} goes to yours.") } else { String::new() }
    }

    fn is_too_early(&mut self) -> Vec<Effect> {
        if let Some(tour) = &mut self.tour {
            tour.impatient = true;
        }
        Vec::new()
    }

    fn next_step(&mut self) -> Vec<Effect> {
        let Some(tour) = &mut self.tour else { return Vec::new() };
        tour.at += 1;
        (tour.is_over, tour.impatient, tour.other_key) = (false, false, false);
        if tour.at < STEPS.len() {
            return self.begin_step();
        }
        self.tour = None;
        self.says(&format!("The tour is over.{}", self.way_back()));
        Vec::new()
    }

    fn begin_step(&mut self) -> Vec<Effect> {
        let at = self.tour.as_ref().map_or(0, |tour| tour.at);
        let does = STEPS.get(at).map_or(&[][..], |step| step.does);
        does.iter().flat_map(|what| self.does(*what)).collect()
    }

    fn does(&mut self, what: Do) -> Vec<Effect> {
        match what {
            Do::Weather(sky) => self.change_weather(sky),
            Do::Go(room) => self.perform(Action::Room(room)),
            Do::Fill(name, tag) => self.fill_form([name, "", tag]),
            Do::FillAgain => match self.tour.as_ref().and_then(|tour| tour.plant.clone()) {
                Some(Plant { name, id, tag }) => self.fill_form([&name, &id.to_string(), &tag]),
                None => Vec::new(),
            },
            // The tour sends and closes what it has filled in itself, and nothing else.
            Do::Submit if fills_a_form(self) => self.perform(Action::Form(InForm::Submit)),
            Do::CloseForm if fills_a_form(self) => {
                let drafts = self.drafts.len();
                let effects = self.perform(Action::Form(InForm::Close));
                self.drafts.truncate(drafts);
                effects
            }
            Do::Submit | Do::CloseForm => Vec::new(),
            Do::Select => {
                if let Some(plant) = self.plant_of_tour() {
                    self.table.select(plant);
                }
                Vec::new()
            }
            Do::Delete => self.perform(Action::Plant(WithPlant::Delete)),
            Do::Settle => self.perform(Action::Room(InRoom::Settle)),
            Do::Choose(is_it) => self.choose(is_it),
            Do::Check => self.perform(Action::Check(InCheck::Run)),
        }
    }

    /// Takes an answer of the dialog about the tour's own plant. Nothing more is asked then.
    fn choose(&mut self, is_it: fn(&Act, PlantId) -> bool) -> Vec<Effect> {
        let Some(plant) = self.plant_of_tour().filter(|_| asks(self)) else { return Vec::new() };
        let Some(Overlay::Choice(dialog)) = &mut self.overlay else { return Vec::new() };
        let Some(place) = dialog.answers.iter().position(|answer| is_it(&answer.act, plant)) else {
            return Vec::new();
        };
        dialog.marked = place;
        let effects = self.perform(Action::Choice(InChoice::Choose));
        self.walk = None;
        effects
    }

    /// Opens the form and types name, id and tag; an empty id leaves the one that is suggested. Where
    /// something else is open, nothing is typed.
    fn fill_form(&mut self, [name, id, tag]: [&str; 3]) -> Vec<Effect> {
        if let Some(tour) = &mut self.tour {
            tour.plant = None;
        }
        if self.overlay.is_some() {
            return Vec::new();
        }
        // What a person had begun to type waits where it is.
        let drafts = std::mem::take(&mut self.drafts);
        let mut effects = self.perform(Action::Room(InRoom::Add));
        self.drafts = drafts;
        if !matches!(self.overlay, Some(Overlay::Add(_))) {
            return effects;
        }
        for text in [name, id, tag] {
            effects.extend(text.chars().flat_map(|letter| self.edit(true, |field| field.press(Key::Char(letter)))));
            effects.extend(self.perform(Action::Form(InForm::Next)));
        }
        let typed = match &self.overlay {
            Some(Overlay::Add(form)) => form.plant().ok(),
            Some(_) | None => None,
        };
        if let Some(tour) = &mut self.tour {
            tour.plant = typed;
        }
        effects
    }
}
