//! The tour: begins and ends it, and carries out its steps through the same commands as keys do.

use super::App;
use super::dialog::Dialog;
use crate::config::ConnectionTarget;
use crate::domain::language::Id;
use crate::domain::{Message, Plant, PlantId};
use crate::terminal::Key;
use crate::tui::component::{Reason, Typed};
use crate::tui::dialogs::add::AddForm;
use crate::tui::dialogs::stores::StorePicker;
use crate::tui::effect::Effect;
use crate::tui::input::Command;
use crate::tui::screen::plant_commands::clear_filter;
use crate::tui::session::question::Act;
use crate::tui::tour::{Observed, Pressed, Step, Tour};

impl App {
    /// Returns why the tour is unavailable.
    pub(super) fn no_tour(&self) -> Option<Reason> {
        let session = &self.cx.session;
        if session.info.read_only {
            return Some("read-only: the tour adds plants to the demo store and deletes one");
        }
        // The tour would take the result of another operation for its own; it waits for the samples itself.
        let adds_samples = session.info.demo && !session.samples.is_empty();
        session.cannot_send().or_else(|| if adds_samples { session.busy() } else { session.stays_here() })
    }

    /// Begins the tour; at another store than the demo, goes to the demo store first.
    pub fn begin_tour(&mut self) -> Vec<Effect> {
        match self.no_tour() {
            Some(why) => {
                let simple = Id::KeyDoesNothing.with("key", self.cx.key(Command::Tour));
                self.cx.out.say_in_both(format!("There is no tour now: {why}."), vec![simple]);
            }
            None => self.start_or_reach_tour(),
        }
        self.finish()
    }

    pub(super) fn start_or_reach_tour(&mut self) {
        if self.cx.session.info.demo {
            return self.start_tour();
        }
        let picker = StorePicker::leave_for(&ConnectionTarget::Demo, true, &mut self.cx);
        self.dialogs.enqueue(Dialog::Stores(picker));
    }

    /// Begins the tour at the demo store, which must be open.
    pub(super) fn start_tour(&mut self) {
        // A delete of the tour must be about the selected plant alone.
        self.cx.session.plants.marked.clear();
        clear_filter(&mut self.cx);
        self.cx.display.on_tour = true;
        self.pressed.clear();
        let (tour, steps) = Tour::begin(self.cx.session.weather);
        self.tour = Some(tour);
        self.take_steps(steps);
    }

    /// Handles a key on the tour. Returns `false` for a key that works as anywhere else.
    pub(super) fn press_on_tour(&mut self, key: Key, command: Option<Command>) -> bool {
        if matches!(command, Some(Command::Suspend | Command::Redraw | Command::Present | Command::Wire)) {
            return false;
        }
        let Some(text) = self.tour.as_ref().map(|tour| tour.text(&self.observed())) else { return false };
        let Some(tour) = &mut self.tour else { return false };
        // Begun again, it is at its first stop.
        if key == Key::Esc && tour.pressed != Pressed::Esc {
            tour.pressed = Pressed::Esc;
            return true;
        }
        if key == Key::Esc || command == Some(Command::Interrupt) {
            let tour_has_sent = tour.has_sent();
            self.take_step(&Step::CloseForm);
            if self.mark_choice(|act, _| matches!(act, Act::Leave)) {
                // A question about the tour's plant is left undecided.
                self.perform(Command::Close);
                self.apply_ui_effects();
            }
            let stays = tour_has_sent.then_some(Id::TourLeftPlants);
            self.end_tour([Id::TourLeft].into_iter().chain(stays));
        } else if matches!(key, Key::Left | Key::PageUp) {
            tour.go_back();
        } else if matches!(key, Key::Char(' ') | Key::Enter | Key::Right | Key::PageDown) {
            match tour.go_on(text) {
                Some(steps) => self.take_steps(steps),
                None => {
                    self.recent.ended_tour = Some(key);
                    self.end_tour([Id::TourOver]);
                }
            }
        } else {
            tour.pressed = Pressed::Other;
        }
        true
    }

    /// Ends the tour, with the weather before it; says how to go to another store, if one is configured.
    fn end_tour(&mut self, said: impl IntoIterator<Item = Id>) {
        let before = self.tour.take().map(|tour| tour.weather).filter(|before| *before != self.cx.session.weather);
        if let Some(before) = before {
            self.act(Act::Weather(before));
        }
        let said = said.into_iter().chain(before.map(|_| Id::TourLeftWeather));
        let mut said: Vec<Message> = said.into_iter().map(Message::from).collect();
        if self.cx.session.stores.known.iter().any(|store| store.target != ConnectionTarget::Demo) {
            said.push(Id::TourLeftDemo.with("key", self.cx.key(Command::Connection)));
        }
        self.cx.out.say(self.cx.display.language().render(&said));
    }

    /// Collects the state that the tour's texts and conditions read.
    pub(super) fn observed(&self) -> Observed<'_> {
        let form = self.add_form();
        Observed {
            cx: &self.cx,
            last: self.screens.greenhouse.last.as_ref(),
            form: form.and_then(|form| form.draft.plant()),
            is_warned: form.is_some_and(AddForm::is_warned),
            question: self.question(),
            is_resolving: self.resolve_queue.is_some(),
            added: self.tour.as_ref().and_then(Tour::plant),
        }
    }

    pub(super) fn take_steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.take_step(step);
        }
    }

    /// Carries out a step of the tour, through the same commands as keys do.
    fn take_step(&mut self, step: &Step) {
        let plant = self.tour.as_ref().and_then(Tour::plant);
        let fills_a_form = self.tour.as_ref().is_some_and(|tour| tour.fills_a_form(&self.observed()));
        match step {
            Step::Weather(preset) => self.act(Act::Weather(*preset)),
            Step::Do(command) => self.press_for_tour(*command),
            Step::Fill { names, tag } => {
                let rows = &self.cx.session.plants.window.rows;
                let is_new = |name: &&str| rows.iter().all(|row| row.name() != Some(*name));
                let language = self.cx.display.language();
                let names = language.label(*names);
                let name = names.split(", ").find(is_new).unwrap_or(&names);
                self.fill_form([name, "", &language.label(*tag)]);
            }
            Step::FillAgain => {
                if let Some(Plant { name, id, tag }) = self.tour.as_ref().and_then(|tour| tour.added.clone()) {
                    self.fill_form([&name, &id.to_string(), &tag]);
                }
            }
            // The tour sends and closes only a form that it filled in itself.
            Step::Submit if fills_a_form => self.press_for_tour(Command::Submit),
            Step::CloseForm if fills_a_form => {
                let drafts = self.cx.session.drafts.len();
                self.perform(Command::Close);
                self.apply_ui_effects();
                self.cx.session.drafts.truncate(drafts);
            }
            Step::CloseForm => {
                let added = self.tour.as_ref().and_then(|tour| tour.added.as_ref());
                self.cx.session.drafts.retain(|draft| !added.is_some_and(|added| draft.is_rejection_of(added)));
            }
            Step::Submit => {}
            Step::ShowNoRequest => self.screens.greenhouse.show_no_request(),
            Step::Select => {
                if let Some(plant) = plant {
                    self.cx.session.plants.select(plant);
                }
            }
            Step::Mark(is_it) => drop(self.mark_choice(*is_it)),
            Step::Choose(is_it) => {
                if self.mark_choice(*is_it) {
                    self.press_for_tour(Command::Choose);
                    self.apply_ui_effects();
                    self.resolve_queue = None;
                }
            }
        }
        self.apply_ui_effects();
    }

    /// Performs a command, and shows its key before an audience like one that a person pressed.
    fn press_for_tour(&mut self, command: Command) {
        let key = self.cx.out.keys.here(self.scope()).find(|binding| binding.command == command);
        if let Some(key) = key.and_then(|binding| binding.keys.first()).copied() {
            self.show_key(key);
        }
        self.perform(command);
    }

    /// Marks a choice of the question about the tour's plant. Returns whether there is one.
    fn mark_choice(&mut self, is_it: fn(&Act, PlantId) -> bool) -> bool {
        let plant = self.tour.as_ref().and_then(Tour::plant);
        let Some((plant, Dialog::Confirm(confirm))) = plant.zip(self.dialogs.front_mut()) else { return false };
        confirm.question.about == Some(plant) && confirm.mark(|act| is_it(act, plant))
    }

    /// Opens the add form and types name, id and tag; an empty id leaves the suggested one. Does nothing while a dialog
    /// is open.
    fn fill_form(&mut self, texts: [&str; 3]) {
        let typed = self.dialogs.is_empty().then(|| {
            // The form must not open with a draft of the person.
            let drafts = std::mem::take(&mut self.cx.session.drafts);
            self.press_for_tour(Command::Add);
            self.apply_ui_effects();
            self.cx.session.drafts = drafts;
            // No form opens where nothing can be sent.
            self.add_form()?;
            for text in texts {
                for letter in text.chars() {
                    self.type_text(Typed::Key(Key::Char(letter)));
                }
                self.perform(Command::Next);
            }
            self.add_form()?.draft.plant()
        });
        if let Some(tour) = &mut self.tour {
            tour.added = typed.flatten();
        }
    }
}
