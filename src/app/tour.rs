//! The tour: the real interface at the real demo store, a step with each Space.
//!
//! A step does what a person would do with keys, through the same actions; what it says of the outcome
//! is read from what came back. Nothing is played: where the store does something else than expected,
//! the tour says that.

use super::choice::Act;
use super::key::Key;
use super::keys::{Action, Anywhere, InCheck, InChoice, InForm, InRoom, WithPlant};
use super::message::Effect;
use super::model::{Model, Overlay};
use crate::config::Wish;
use crate::demo::Sky;
use crate::domain::{Ask, PlantId, Settlement, plain};

/// Where somebody on the tour is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tour {
    /// The step that is shown, from 0.
    at: usize,
    /// The plant that the tour has added last.
    plant: Option<PlantId>,
    /// Whether Space was pressed before the step was over.
    pub impatient: bool,
}

/// One step.
struct Step {
    /// What is done as it begins.
    does: &'static [Do],
    /// What must have happened before the next one.
    until: Until,
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
    Choose(fn(&Act) -> bool),
    Check,
}

/// What must have happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// Nothing is out.
    Quiet,
    /// A dialog is open.
    Asked,
    /// The check is over.
    Checked,
}

const STEPS: [Step; 14] = [
    Step {
        does: &[Do::Weather(Sky::Calm), Do::Go(InRoom::Greenhouse)],
        until: Until::Quiet,
        says: |_| {
            "This is the Greenhouse. Every plant that the store should have is a pot, on the shelf of its tag. The store is a real server inside this program: nothing leaves your machine, and nothing here is played.".to_owned()
        },
    },
    Step {
        does: &[Do::Fill("Moon cactus", "desert")],
        until: Until::Quiet,
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
        says: |_| {
            "The same plant with the same id once more. The program says that this id is taken here, as far as it knows. But whether that is allowed is for the store to say, so one more Enter sends it.".to_owned()
        },
    },
    Step {
        does: &[Do::Submit],
        until: Until::Quiet,
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
        says: |model| {
            format!(
                "{} settles what is unknown. The store cannot be asked what it has, so only a person can say. Nothing is chosen for you.",
                model.keys.shown(Action::Room(InRoom::Settle))
            )
        },
    },
    Step {
        does: &[Do::Choose(|act| matches!(act, Act::Settle(_, _, Settlement::MarkStored)))],
        until: Until::Quiet,
        says: |_| {
            "We made that weather, so we know: the store did it, and only the answer was lost. On a person's word the plant is stored. Nothing was sent for it.".to_owned()
        },
    },
    Step {
        does: &[Do::Select, Do::Delete],
        until: Until::Asked,
        says: |model| {
            format!(
                "{} deletes. The question names plant, id and store, and what is marked is the safe answer.",
                model.keys.shown(Action::Plant(WithPlant::Delete))
            )
        },
    },
    Step {
        does: &[Do::Choose(|act| matches!(act, Act::Send(Ask::Delete(_))))],
        until: Until::Quiet,
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
        says: |_| {
            "Everything that was said, newest first, as it was on the wire. Nothing is forgotten when the program ends, except at the demo store, which ends with it.".to_owned()
        },
    },
    Step {
        does: &[Do::Go(InRoom::Check), Do::Check],
        until: Until::Checked,
        says: |_| {
            "The check has asked the store for everything that its document promises, and wrote down what it does where the document is silent. It touched only plants of its own, and cleaned them up.".to_owned()
        },
    },
    Step {
        does: &[Do::Go(InRoom::Plants)],
        until: Until::Quiet,
        says: |_| {
            "And this is the room for every day: all plants in a table, the selected one's story beside it.".to_owned()
        },
    },
    Step {
        does: &[Do::Go(InRoom::Greenhouse)],
        until: Until::Quiet,
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

impl Tour {
    /// Which step it is, from 1, and of how many.
    pub fn place(&self) -> (usize, usize) {
        (self.at + 1, STEPS.len())
    }
}

impl Model {
    /// What the tour says now; `None` if nobody is on it.
    pub fn caption(&self) -> Option<String> {
        let step = STEPS.get(self.tour.as_ref()?.at)?;
        if self.has_happened(step.until) {
            return Some((step.says)(self));
        }
        Some(match step.until {
            Until::Quiet => "The request is on its way …".to_owned(),
            Until::Asked => "The journal is being read …".to_owned(),
            Until::Checked => {
                "The check is under way: each of its requests is a real one. It adds plants of its own, and cleans them up.".to_owned()
            }
        })
    }

    fn has_happened(&self, until: Until) -> bool {
        match until {
            Until::Quiet => self.flights.is_empty() && self.samples.is_empty() && !self.table.is_awaited(),
            // Where there is nothing to ask about, nobody waits for a question.
            Until::Asked => matches!(self.overlay, Some(Overlay::Choice(_))) || self.walk.is_none(),
            Until::Checked => !self.check.is_under_way(),
        }
    }

    pub(super) fn unavailable_tour(&self) -> Option<&'static str> {
        let elsewhere = || if self.facts.demo { None } else { self.stays_here() };
        if self.facts.read_only {
            return Some("read-only: the tour adds plants to the demo store and deletes one");
        }
        self.cannot_send().or_else(elsewhere).or_else(|| self.check.is_under_way().then_some("a check is under way"))
    }

    /// Begins the tour; from another store it goes to the demo store first.
    pub fn begin_tour(&mut self) -> Vec<Effect> {
        self.wants_tour = true;
        if self.facts.demo {
            return self.tour_at_last();
        }
        let effects = self.open_connection();
        let demo = self.known.iter().position(|store| store.wish == Wish::Demo);
        demo.map_or(effects, |demo| self.submit_known(demo))
    }

    /// Begins the tour that was wished for, where the demo store is open by now.
    pub(super) fn tour_at_last(&mut self) -> Vec<Effect> {
        if !self.facts.demo || !std::mem::take(&mut self.wants_tour) {
            return Vec::new();
        }
        self.tour = Some(Tour { at: 0, plant: None, impatient: false });
        // A delete is about the selected plant alone.
        self.table.marked.clear();
        self.begin_step()
    }

    /// What a key does on the tour; `None` if it does there what it does anywhere.
    pub(super) fn on_tour(&mut self, key: Key, action: Option<Action>) -> Option<Vec<Effect>> {
        let tour = self.tour.as_mut()?;
        match (key, action) {
            (_, Some(Action::Everywhere(Anywhere::Suspend) | Action::Room(InRoom::Present))) => None,
            (_, Some(Action::Everywhere(Anywhere::Interrupt))) | (Key::Esc, _) => {
                self.tour = None;
                self.says("You have left the tour. All of it stays as it stands.");
                Some(Vec::new())
            }
            (Key::Char(' '), _) => {
                let is_over = STEPS.get(tour.at).is_none_or(|step| self.has_happened(step.until));
                Some(if is_over { self.next_step() } else { self.is_too_early() })
            }
            (_, _) => Some(Vec::new()),
        }
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
        tour.impatient = false;
        if tour.at < STEPS.len() {
            return self.begin_step();
        }
        self.tour = None;
        self.says("The tour is over.");
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
            Do::FillAgain => {
                let added = self.tour.as_ref().and_then(|tour| tour.plant);
                let row = added.and_then(|id| self.table.row(id)).cloned();
                let (Some(id), Some(details)) = (added, row.and_then(|row| row.details)) else { return Vec::new() };
                self.fill_form([&details.name, &id.to_string(), &details.tag])
            }
            Do::Submit => {
                if let Some(Overlay::Add(form)) = &self.overlay {
                    let plant = form.plant().ok().map(|plant| plant.id);
                    if let Some(tour) = &mut self.tour {
                        tour.plant = plant.or(tour.plant);
                    }
                }
                self.perform(Action::Form(InForm::Submit))
            }
            Do::CloseForm => {
                let drafts = self.drafts.len();
                let effects = match &self.overlay {
                    Some(Overlay::Add(_)) => self.perform(Action::Form(InForm::Close)),
                    Some(_) | None => Vec::new(),
                };
                self.drafts.truncate(drafts);
                effects
            }
            Do::Select => {
                if let Some(plant) = self.tour.as_ref().and_then(|tour| tour.plant) {
                    self.table.select(plant);
                }
                Vec::new()
            }
            Do::Delete => self.perform(Action::Plant(WithPlant::Delete)),
            Do::Settle => self.perform(Action::Room(InRoom::Settle)),
            Do::Choose(is_it) => {
                let Some(Overlay::Choice(dialog)) = &mut self.overlay else { return Vec::new() };
                let Some(place) = dialog.answers.iter().position(|answer| is_it(&answer.act)) else {
                    return Vec::new();
                };
                dialog.marked = place;
                self.perform(Action::Choice(InChoice::Choose))
            }
            Do::Check => self.perform(Action::Check(InCheck::Run)),
        }
    }

    /// Opens the form and types name, id and tag; an empty id leaves the one that is suggested.
    fn fill_form(&mut self, [name, id, tag]: [&str; 3]) -> Vec<Effect> {
        // What a person had begun to type waits where it is.
        let drafts = std::mem::take(&mut self.drafts);
        let mut effects = self.perform(Action::Room(InRoom::Add));
        self.drafts = drafts;
        for text in [name, id, tag] {
            effects.extend(text.chars().flat_map(|letter| self.edit(true, |field| field.press(Key::Char(letter)))));
            effects.extend(self.perform(Action::Form(InForm::Next)));
        }
        effects
    }
}
