//! What the keys of rooms and of dialogs and readers do, and why one may do nothing now.

use crate::domain::{Ask, State, sentence};

use super::choice::{self, Act, Unfinished};
use super::form::{AddForm, IdPrompt};
use super::keys::{Action, Anywhere, InChoice, InExchanges, InForm, InList, InOperations, InPlants, InRoom, WithPlant};
use super::message::Effect;
use super::model::{Model, Overlay};
use super::palette::Palette;
use super::reader::Reading;
use super::room::Room;

impl Model {
    /// Why an action does nothing now; `None` if it does something.
    pub fn unavailable(&self, action: Action) -> Option<&'static str> {
        match action {
            Action::Room(action) => self.unavailable_in_room(action),
            Action::Operations(action) => self.unavailable_with_operations(action),
            Action::Plant(action) => self.unavailable_with_plant(action),
            Action::Plants(action) => self.unavailable_in_plants(action),
            Action::Exchanges(action) => self.unavailable_in_exchanges(action),
            Action::Check(action) => self.unavailable_in_check(action),
            Action::Greenhouse(action) => self.unavailable_in_greenhouse(action),
            Action::Exchange(action) => self.unavailable_with_exchange(action),
            Action::Reader(action) => self.unavailable_in_reader(action),
            Action::Inspector(action) => self.unavailable_in_inspector(action),
            Action::Preview(action) => self.unavailable_in_preview(action),
            Action::Form(InForm::Blank) => self.unavailable_blank_form(),
            Action::Form(_) | Action::Choice(_) | Action::List(_) | Action::Everywhere(_) => None,
        }
    }

    fn unavailable_in_room(&self, action: InRoom) -> Option<&'static str> {
        match action {
            InRoom::Add | InRoom::DeleteById | InRoom::BringBack | InRoom::ReplaceToken => self.cannot_send(),
            InRoom::Settle => (self.table.window.tally.unknown == 0).then_some("nothing is unknown"),
            InRoom::Back => {
                let cancels = match self.room {
                    Room::Plants | Room::Greenhouse => !self.flights.is_empty(),
                    Room::Exchanges => false,
                    Room::Check => self.check.is_under_way() || self.check.compared.is_some(),
                };
                let cancels = cancels || self.import_can_be_stopped();
                let nothing = self.notices.is_empty() && !cancels && !self.is_marked() && !self.is_filtered();
                nothing.then_some("nothing is in flight")
            }
            InRoom::Connection => self.stays_here(),
            InRoom::SaveProfile => self.unavailable_profile(),
            InRoom::Tour => self.unavailable_tour(),
            InRoom::Import => self.unavailable_import(action),
            // What is still being read can be opened as soon as it is there.
            InRoom::Open if self.room == Room::Exchanges && !self.log.is_read => None,
            InRoom::Open if self.room == Room::Check => self.nothing_behind(),
            InRoom::Open => self.nothing_selected(),
            InRoom::Plants
            | InRoom::Exchanges
            | InRoom::Check
            | InRoom::Greenhouse
            | InRoom::NextRoom
            | InRoom::PreviousRoom
            | InRoom::Export
            | InRoom::Filter
            | InRoom::Up
            | InRoom::Down
            | InRoom::PageUp
            | InRoom::PageDown
            | InRoom::First
            | InRoom::Last
            | InRoom::Palette
            | InRoom::Present
            | InRoom::Mouse
            | InRoom::Help
            | InRoom::Quit => None,
        }
    }

    fn unavailable_with_operations(&self, action: InOperations) -> Option<&'static str> {
        match action {
            InOperations::Mark if self.room == Room::Check => Some("nothing is marked here"),
            InOperations::Mark => self.nothing_selected(),
            InOperations::SendAgain => {
                self.cannot_send().or_else(|| self.unsent.is_empty().then_some("nothing waits to be sent again"))
            }
        }
    }

    fn nothing_selected(&self) -> Option<&'static str> {
        match self.room {
            Room::Plants | Room::Greenhouse => self.table.selected_row().is_none().then_some("no plant is selected"),
            Room::Exchanges => self.log.selected.is_none().then_some("no exchange is selected"),
            Room::Check => self.check.selected.is_none().then_some("no row is selected"),
        }
    }

    fn unavailable_with_plant(&self, action: WithPlant) -> Option<&'static str> {
        let selected = self.table.selected_row();
        match action {
            WithPlant::Delete if !self.table.marked.is_empty() => self.cannot_send(),
            WithPlant::Delete | WithPlant::ItsExchanges if selected.is_none() => Some("no plant is selected"),
            WithPlant::Delete => self.cannot_send().or_else(|| {
                let is_out = selected.is_some_and(|row| row.state == State::Deleting);
                is_out.then_some("its delete is already out")
            }),
            WithPlant::ItsExchanges => None,
        }
    }

    fn unavailable_in_plants(&self, action: InPlants) -> Option<&'static str> {
        match action {
            InPlants::MarkAll => {
                (self.table.window.total == 0 && self.table.marked.is_empty()).then_some("there is no plant to mark")
            }
            InPlants::Sort | InPlants::Reverse => None,
        }
    }

    fn unavailable_in_exchanges(&self, action: InExchanges) -> Option<&'static str> {
        match action {
            InExchanges::ByOutcome => None,
            InExchanges::ByPlant => {
                (self.log.plant.is_none() && self.log.selected.is_none()).then_some("no exchange is selected")
            }
            InExchanges::Compare => self.log.pair().is_none().then_some("mark one exchange and select another"),
            InExchanges::Report => (!self.has_asked()).then_some("nothing was sent in this session yet"),
        }
    }

    /// Whether something is marked in the room.
    pub fn is_marked(&self) -> bool {
        match self.room {
            Room::Plants | Room::Greenhouse => !self.table.marked.is_empty(),
            Room::Exchanges => !self.log.marked.is_empty(),
            Room::Check => false,
        }
    }

    /// Why nothing at all can be sent.
    pub(super) fn cannot_send(&self) -> Option<&'static str> {
        if self.facts.read_only {
            Some("read-only: nothing that writes is sent")
        } else if self.courier_alive {
            None
        } else {
            Some("the background task has died: connect anew, or quit and start again")
        }
    }

    /// Does what an action says, wherever it came from: a key, the palette, the mouse.
    pub(super) fn perform(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Everywhere(Anywhere::Interrupt) => self.interrupt(),
            Action::Everywhere(Anywhere::Suspend) => vec![Effect::Suspend],
            Action::Room(_)
            | Action::Operations(_)
            | Action::Plant(_)
            | Action::Plants(_)
            | Action::Exchanges(_)
            | Action::Check(_)
            | Action::Greenhouse(_)
            | Action::Exchange(_) => self.act(action),
            Action::Form(action) => self.act_in_form(action),
            Action::Choice(action) => self.act_in_choice(action),
            Action::Preview(action) => self.act_in_preview(action),
            Action::Reader(action) => self.act_in_reader(action),
            Action::Inspector(action) => self.act_in_inspector(action),
            Action::List(action) => self.act_in_list(action),
        }
    }

    /// Does what a key of a room means, or says why it means nothing now.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        // Whoever goes elsewhere has left the walk, and waits for nothing to open.
        self.walk = None;
        (self.opening, self.check.opening) = (false, false);
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
            Action::Operations(InOperations::Mark) => self.mark(),
            Action::Operations(InOperations::SendAgain) => self.send_again(),
            Action::Plant(WithPlant::Delete) => self.ask_delete(),
            Action::Plant(WithPlant::ItsExchanges) => {
                self.table.selected.map(|id| self.its_exchanges(id)).unwrap_or_default()
            }
            Action::Plants(action) => self.act_in_plants(action),
            Action::Exchanges(action) => self.act_in_exchanges(action),
            Action::Check(action) => self.act_in_check(action),
            Action::Greenhouse(action) => self.act_in_greenhouse(action),
            Action::Exchange(action) => self.act_with_exchange(action),
            Action::Form(_)
            | Action::Choice(_)
            | Action::Preview(_)
            | Action::Reader(_)
            | Action::Inspector(_)
            | Action::List(_)
            | Action::Everywhere(_) => Vec::new(),
        }
    }

    fn act_in_room(&mut self, action: InRoom) -> Vec<Effect> {
        match action {
            InRoom::Plants => self.go_to(Room::Plants),
            InRoom::Exchanges => self.go_to(Room::Exchanges),
            InRoom::Check => self.go_to(Room::Check),
            InRoom::Greenhouse => self.go_to(Room::Greenhouse),
            InRoom::NextRoom => self.go_to(self.room.next()),
            InRoom::PreviousRoom => self.go_to(self.room.previous()),
            InRoom::Add => self.open_add_form(),
            InRoom::DeleteById => {
                self.open(Overlay::DeleteById(IdPrompt::default()));
                Vec::new()
            }
            InRoom::Settle => self.resolve(),
            InRoom::BringBack => self.open_departed(),
            InRoom::Import => self.open_import(),
            InRoom::Export => self.open_export(),
            InRoom::Filter => {
                self.filtering = true;
                Vec::new()
            }
            InRoom::Open => match self.room {
                Room::Plants | Room::Greenhouse => self.read(Reading::Story),
                Room::Exchanges => self.open_selected_exchange(),
                Room::Check => self.open_behind(),
            },
            InRoom::Up => self.step(-1),
            InRoom::Down => self.step(1),
            InRoom::PageUp => self.step(-self.page()),
            InRoom::PageDown => self.step(self.page()),
            InRoom::First => self.go_to_end(false),
            InRoom::Last => self.go_to_end(true),
            InRoom::Connection => self.open_stores(),
            InRoom::SaveProfile => self.open_profile_form(),
            InRoom::ReplaceToken => {
                self.ask_for_token();
                Vec::new()
            }
            InRoom::Palette => {
                self.open(Overlay::Palette(Palette::default()));
                Vec::new()
            }
            InRoom::Tour => self.begin_tour(),
            InRoom::Present => self.toggle_presenting(),
            InRoom::Mouse => self.toggle_mouse(),
            InRoom::Back => self.go_back(),
            InRoom::Help => self.read(Reading::Help),
            InRoom::Quit => self.quit(),
        }
    }

    fn act_in_plants(&mut self, action: InPlants) -> Vec<Effect> {
        match action {
            InPlants::Sort => self.sort_by_the_next_column(),
            InPlants::Reverse => self.sort_by(self.table.column),
            InPlants::MarkAll => self.mark_all(),
        }
    }

    fn act_in_exchanges(&mut self, action: InExchanges) -> Vec<Effect> {
        match action {
            InExchanges::ByOutcome => self.by_the_next_outcome(),
            InExchanges::ByPlant => self.by_plant(),
            InExchanges::Compare => {
                self.log.pair().map(|(one, other)| Effect::Compare(one, other)).into_iter().collect()
            }
            InExchanges::Report => self.open_report(),
        }
    }

    fn mark(&mut self) -> Vec<Effect> {
        match self.room {
            Room::Plants | Room::Greenhouse => self.mark_selected(),
            Room::Exchanges => {
                self.log.mark();
                Vec::new()
            }
            Room::Check => Vec::new(),
        }
    }

    pub(super) fn act_in_list(&mut self, action: InList) -> Vec<Effect> {
        match &self.overlay {
            Some(Overlay::Departed(_)) => self.act_in_departed(action),
            Some(Overlay::Runs(_)) => self.act_in_runs(action),
            Some(Overlay::Palette(_)) => self.act_in_palette(action),
            Some(Overlay::Stores(_)) => self.act_in_stores(action),
            Some(Overlay::Reader(_)) => self.act_while_looking(action),
            Some(
                Overlay::Add(_)
                | Overlay::DeleteById(_)
                | Overlay::Token(_)
                | Overlay::Choice(_)
                | Overlay::Report(_)
                | Overlay::Import(_)
                | Overlay::Preview(_)
                | Overlay::Export(_)
                | Overlay::BaseUrl(_)
                | Overlay::Profile(_),
            ) => Vec::new(),
            None => self.act_while_filtering(action),
        }
    }

    fn open_add_form(&mut self) -> Vec<Effect> {
        let form = match self.drafts.pop() {
            Some(draft) => draft.reopened(),
            None => AddForm::suggesting(self.next_id()),
        };
        self.open(Overlay::Add(Box::new(form)));
        self.look_up_typed_id()
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
        let deletes: Vec<_> = asks.iter().filter(|ask| matches!(ask, Ask::Delete(_))).cloned().collect();
        if deletes.len() > 1 {
            self.join_batch(&deletes);
        }
        asks.into_iter().flat_map(|ask| self.ask(ask)).collect()
    }

    /// Esc in a room: reads a notice away, else cancels, else takes marks and filter away, else
    /// stops an import.
    fn go_back(&mut self) -> Vec<Effect> {
        if self.notices.pop_front().is_some() {
            return Vec::new();
        }
        if self.room == Room::Check && self.check.is_under_way() {
            return self.stop_check();
        }
        if self.room == Room::Check && self.check.compared.take().is_some() {
            return Vec::new();
        }
        let flight = self.selected_flight().filter(|_| matches!(self.room, Room::Plants | Room::Greenhouse));
        if let Some(id) = flight.map(|flight| flight.operation.id) {
            for flight in self.flights.iter_mut().filter(|flight| flight.operation.id == id) {
                flight.cancelled = true;
            }
            return vec![Effect::Cancel(id)];
        }
        if self.is_marked() {
            match self.room {
                Room::Plants | Room::Greenhouse => self.table.marked.clear(),
                Room::Exchanges => self.log.marked.clear(),
                Room::Check => {}
            }
            return Vec::new();
        }
        if self.is_filtered() {
            return self.show_all();
        }
        if self.import_can_be_stopped() {
            return self.stop_import();
        }
        let text = format!(
            "{} in flight: select one and press {} to cancel it, or {} for all.",
            self.flights.len(),
            self.keys.shown(Action::Room(InRoom::Back)),
            self.keys.shown(Action::Everywhere(Anywhere::Interrupt))
        );
        self.says(&text);
        Vec::new()
    }

    /// What quitting now would leave unfinished.
    fn unfinished(&self) -> Unfinished {
        Unfinished {
            in_flight: self.flights.iter().filter(|flight| flight.operation.probe.is_none()).count(),
            unsent: self.unsent.len(),
            forms: self.forms_to_lose(),
            unsettled: self.unsettled.len(),
            checks: usize::from(self.check.is_under_way()),
            imports: usize::from(self.is_importing()),
        }
    }

    fn quit(&mut self) -> Vec<Effect> {
        let left = self.unfinished();
        if left == Unfinished::default() {
            return vec![Effect::Quit];
        }
        self.open(Overlay::Choice(choice::quit(left, self.facts.demo)));
        Vec::new()
    }

    pub(super) fn act_in_choice(&mut self, action: InChoice) -> Vec<Effect> {
        if matches!(self.overlay, Some(Overlay::Preview(_))) {
            return self.act_in_preview_as_in_choice(action);
        }
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
            Act::DeleteAll(plants) => self.delete_all(&plants),
            Act::ResendAll(asks) => self.send_together(asks),
            Act::SettleAll(seen, settlement) => vec![Effect::SettleAll(seen, settlement)],
            Act::Check(wanted) => self.begin_check(wanted),
            Act::Weather(sky) => self.change_weather(sky),
            Act::Connect(wish) => self.connect(wish),
            // Something may have come back since it was asked.
            Act::Quit(left) if self.unfinished().is_more_than(left) => self.quit(),
            Act::Quit(_) => vec![Effect::Quit],
        }
    }
}
