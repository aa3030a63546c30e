//! What the keys of rooms and of dialogs and readers do, and why one may do nothing now.

use crate::domain::{Ask, State, sentence};

use super::choice::{self, Act};
use super::form::{AddForm, IdPrompt};
use super::keys::{Action, Anywhere, InChoice, InPlants, InReader, InRoom};
use super::message::Effect;
use super::model::{Model, Overlay};

impl Model {
    /// Why an action does nothing now; `None` if it does something.
    pub fn unavailable(&self, action: Action) -> Option<&'static str> {
        match action {
            Action::Room(action) => self.unavailable_in_room(action),
            Action::Plants(action) => self.unavailable_in_plants(action),
            Action::Form(_) | Action::Choice(_) | Action::Reader(_) | Action::List(_) | Action::Everywhere(_) => None,
        }
    }

    fn unavailable_in_room(&self, action: InRoom) -> Option<&'static str> {
        match action {
            InRoom::Add | InRoom::DeleteById | InRoom::BringBack => self.cannot_send(),
            InRoom::SendAgain => {
                self.cannot_send().or_else(|| self.unsent.is_empty().then_some("nothing waits to be sent again"))
            }
            InRoom::Settle => (self.table.window.tally.unknown == 0).then_some("nothing is in doubt"),
            InRoom::Back => (self.notices.is_empty() && self.flights.is_empty()).then_some("nothing is in flight"),
            InRoom::Help | InRoom::Quit => None,
        }
    }

    fn unavailable_in_plants(&self, action: InPlants) -> Option<&'static str> {
        let selected = self.table.selected_row();
        match action {
            InPlants::Delete | InPlants::Open | InPlants::CopyCurl | InPlants::CopyAnswer if selected.is_none() => {
                Some("no plant is selected")
            }
            InPlants::CopyCurl => (!self.has_last_request()).then_some("no request of it is kept"),
            InPlants::CopyAnswer => (!self.has_last_answer()).then_some("no answer with a body is kept"),
            InPlants::Delete => self.cannot_send().or_else(|| {
                let is_out = selected.is_some_and(|row| row.state == State::Deleting);
                is_out.then_some("its delete is already out")
            }),
            InPlants::Open
            | InPlants::Up
            | InPlants::Down
            | InPlants::PageUp
            | InPlants::PageDown
            | InPlants::First
            | InPlants::Last => None,
        }
    }

    /// Why nothing at all can be sent.
    fn cannot_send(&self) -> Option<&'static str> {
        if self.facts.read_only {
            Some("read-only: nothing that writes is sent")
        } else if self.courier_alive {
            None
        } else {
            Some("the background task has died: quit and start again")
        }
    }

    /// Does what a key of a room means, or says why it means nothing now.
    pub(super) fn act(&mut self, action: Action) -> Vec<Effect> {
        // Whoever goes elsewhere has left the walk.
        self.walk = None;
        if let Some(reason) = self.unavailable(action) {
            if action == Action::Room(InRoom::Back) {
                self.happened = None;
            } else {
                self.says(&format!("{} does nothing now: {reason}.", self.keys.shown(action)));
            }
            return Vec::new();
        }
        match action {
            Action::Room(action) => self.act_in_room(action),
            Action::Plants(action) => self.act_in_plants(action),
            Action::Form(_) | Action::Choice(_) | Action::Reader(_) | Action::List(_) | Action::Everywhere(_) => {
                Vec::new()
            }
        }
    }

    fn act_in_room(&mut self, action: InRoom) -> Vec<Effect> {
        match action {
            InRoom::Add => self.open_add_form(),
            InRoom::DeleteById => {
                self.open(Overlay::DeleteById(IdPrompt::default()));
                Vec::new()
            }
            InRoom::Settle => self.start_walk(),
            InRoom::SendAgain => self.send_again(),
            InRoom::BringBack => self.open_departed(),
            InRoom::Back => self.read_away_or_cancel(),
            InRoom::Help => {
                self.open(Overlay::Help(0));
                Vec::new()
            }
            InRoom::Quit => self.quit(),
        }
    }

    fn act_in_plants(&mut self, action: InPlants) -> Vec<Effect> {
        let page = self.table.page.max(2).cast_signed() - 1;
        let asked = match action {
            InPlants::Delete => return self.ask_delete_selected(),
            InPlants::Open => {
                self.open(Overlay::Story(0));
                return Vec::new();
            }
            InPlants::CopyCurl => return self.copy_as_curl(),
            InPlants::CopyAnswer => return self.copy_answer(),
            InPlants::Up => self.table.step(-1),
            InPlants::Down => self.table.step(1),
            InPlants::PageUp => self.table.step(-page),
            InPlants::PageDown => self.table.step(page),
            InPlants::First => self.table.go_to(0),
            InPlants::Last => self.table.go_to(usize::MAX),
        };
        asked.map(Effect::Load).into_iter().collect()
    }

    fn open_add_form(&mut self) -> Vec<Effect> {
        let form = match self.drafts.pop() {
            Some(draft) => draft.reopened(),
            None => AddForm::suggesting(self.next_id()),
        };
        self.open(Overlay::Add(Box::new(form)));
        self.look_up_typed_id()
    }

    fn ask_delete_selected(&mut self) -> Vec<Effect> {
        if let Some(row) = self.table.selected_row() {
            let dialog = choice::delete(row.id, Some(row), &self.facts.store);
            self.open(Overlay::Choice(dialog));
        }
        Vec::new()
    }

    /// What was not sent goes out again; several only after a look at what they are.
    fn send_again(&mut self) -> Vec<Effect> {
        if self.unsent.len() > 1 {
            self.open(Overlay::Choice(choice::send_again(&self.unsent)));
            return Vec::new();
        }
        self.send_all(self.unsent.clone())
    }

    fn send_all(&mut self, asks: Vec<Ask>) -> Vec<Effect> {
        // Others may have joined since these were shown.
        self.unsent.retain(|ask| !asks.contains(ask));
        asks.into_iter().flat_map(|ask| self.ask(ask)).collect()
    }

    fn read_away_or_cancel(&mut self) -> Vec<Effect> {
        if self.notices.pop_front().is_some() {
            return Vec::new();
        }
        let Some(id) = self.selected_flight().map(|flight| flight.operation.id) else {
            let text = format!(
                "{} in flight: select one and press {} to cancel it, or {} for all.",
                self.flights.len(),
                self.keys.shown(Action::Room(InRoom::Back)),
                self.keys.shown(Action::Everywhere(Anywhere::Interrupt))
            );
            self.says(&text);
            return Vec::new();
        };
        for flight in self.flights.iter_mut().filter(|flight| flight.operation.id == id) {
            flight.cancelled = true;
        }
        vec![Effect::Cancel(id)]
    }

    fn quit(&mut self) -> Vec<Effect> {
        let (flights, unsent, forms) = (self.flights.len(), self.unsent.len(), self.forms_to_lose());
        if flights + unsent + forms == 0 {
            return vec![Effect::Quit];
        }
        self.open(Overlay::Choice(choice::quit(flights, unsent, forms)));
        Vec::new()
    }

    pub(super) fn act_in_choice(&mut self, action: InChoice) -> Vec<Effect> {
        let walks = self.asking_walk().is_some();
        let Some(Overlay::Choice(dialog)) = &mut self.overlay else { return Vec::new() };
        match action {
            InChoice::Next => dialog.next(),
            InChoice::Previous => dialog.previous(),
            InChoice::Close => {
                self.close();
                return walks.then(|| self.end_walk()).into_iter().collect();
            }
            InChoice::Choose => {
                let act = dialog.act();
                self.close();
                return self.chosen(act);
            }
        }
        Vec::new()
    }

    fn chosen(&mut self, act: Act) -> Vec<Effect> {
        match act {
            Act::Leave => {
                if self.walk.is_some() {
                    self.happened = None;
                }
                Vec::new()
            }
            Act::Send(ask) => {
                let plant = sentence::called(ask.plant_id(), self.name_of(ask.plant_id()).as_deref());
                match ask {
                    Ask::Add(_) => self.says(&format!("Adding {plant} again …")),
                    Ask::Delete(_) => self.says(&format!("Deleting {plant} …")),
                }
                // The selection stays where it is for a plant that the view does not have.
                if self.table.row(ask.plant_id()).is_some() {
                    self.table.select(ask.plant_id());
                }
                self.ask(ask)
            }
            Act::Drop(asks) => {
                self.unsent.retain(|ask| !asks.contains(ask));
                Vec::new()
            }
            Act::SendAll(asks) => self.send_all(asks),
            Act::Settle(id, doubt, settlement) => vec![Effect::Settle(id, doubt, settlement)],
            // Something may have come back since it was asked.
            Act::Quit { forms, unsent } if self.forms_to_lose() > forms || self.unsent.len() > unsent => self.quit(),
            Act::Quit { .. } => vec![Effect::Quit],
        }
    }

    pub(super) fn act_in_reader(&mut self, action: InReader) {
        let page = self.drawn.reader_page.max(2) - 1;
        let furthest = self.drawn.reader_lines.saturating_sub(self.drawn.reader_page);
        let Some(Overlay::Help(top) | Overlay::Story(top)) = &mut self.overlay else { return };
        match action {
            InReader::Up => *top = top.saturating_sub(1),
            InReader::Down => *top = (*top + 1).min(furthest),
            InReader::PageUp => *top = top.saturating_sub(page),
            InReader::PageDown => *top = (*top + page).min(furthest),
            InReader::First => *top = 0,
            InReader::Last => *top = furthest,
            InReader::Close => self.close(),
        }
    }
}
