//! Everything the terminal interface knows. Changed by `update` alone, read by `ui`.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use jiff::tz::TimeZone;

use crate::client;
use crate::config::{HeaderColor, KnownStore, Wish};
use crate::domain::lives::requests_of;
use crate::domain::sentence;
use crate::domain::{
    Ask, Operation, OperationId, Outcome, Plant, PlantId, Request, Requests, Row, StoreUrl, Timestamp,
};
use crate::journal::{Kept, Story};

use super::batch::Batch;
use super::check::CheckRoom;
use super::choice::Choice;
use super::connection::{StorePicker, UrlForm};
use super::departed::DepartedList;
use super::export::ExportPrompt;
use super::form::{AddForm, IdPrompt, TokenPrompt};
use super::greenhouse::Greenhouse;
use super::import::{ImportPrompt, PreviewDialog};
use super::importing::Import;
use super::key::Key;
use super::keys::{KeyTable, Scope};
use super::log::Log;
use super::message::{Drawn, Effect};
use super::palette::Palette;
use super::profile::ProfileForm;
use super::reader::{Reader, Reading};
use super::report::ReportPrompt;
use super::room::Room;
use super::runs::RunList;
use super::table::Table;
use super::tour::Tour;
use super::walk::Walk;

/// What does not change while a store is open.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The store.
    pub store: StoreUrl,
    /// Whether that is the demo store inside this program.
    pub demo: bool,
    /// The profile in use.
    pub profile: Option<String>,
    /// That profile's colour for the header.
    pub header_color: Option<HeaderColor>,
    /// Whether nothing may be written.
    pub read_only: bool,
    /// How long one exchange may take.
    pub timeout: Duration,
    /// In which time is told.
    pub zone: TimeZone,
    /// This running program's name in the journal.
    pub origin: u64,
}

/// An operation that is queued or out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flight {
    /// The operation.
    pub operation: Operation,
    /// What its plant was called when it was asked for: at its end the view may not have it any more.
    pub name: Option<String>,
    /// Whether a person cancelled it, and the end is still to come.
    pub cancelled: bool,
    /// Whether it adds one of the demo's samples: nobody asked for it.
    pub is_sample: bool,
}

/// What just happened, for the activity line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// What it proves, if it was an exchange.
    pub outcome: Option<Outcome>,
    /// One plain sentence.
    pub text: String,
    /// How the answer is unlike the document.
    pub unlike: Vec<String>,
    /// When it was said.
    pub at: Timestamp,
}

/// Something that stays on screen until it is read away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it says.
    pub text: String,
    /// Whether it is about what is in doubt: it goes once nothing is.
    pub of_doubts: bool,
}

impl Notice {
    /// A notice that only a person takes away.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), of_doubts: false }
    }

    /// A notice of plants in doubt.
    pub fn of_doubts(text: impl Into<String>) -> Self {
        Self { text: text.into(), of_doubts: true }
    }
}

/// What is open over the room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlay {
    /// The form that adds a plant.
    Add(Box<AddForm>),
    /// Which id to delete.
    DeleteById(IdPrompt),
    /// A token is asked for.
    Token(TokenPrompt),
    /// A question.
    Choice(Choice),
    /// Plants that are not in the view.
    Departed(DepartedList),
    /// Runs of the check that are kept.
    Runs(RunList),
    /// Every action by its name.
    Palette(Palette),
    /// Where to write a report.
    Report(ReportPrompt),
    /// Which file to import.
    Import(ImportPrompt),
    /// What that comes to.
    Preview(Box<PreviewDialog>),
    /// Which file to write the view into.
    Export(ExportPrompt),
    /// Which store to go to.
    Stores(StorePicker),
    /// Another base URL and its token.
    BaseUrl(Box<UrlForm>),
    /// The store that is open, saved as a profile.
    Profile(Box<ProfileForm>),
    /// A text to read.
    Reader(Box<Reader>),
}

impl Overlay {
    /// The form that adds a plant, if it is that.
    fn add(&self) -> Option<&AddForm> {
        if let Self::Add(form) = self { Some(form) } else { None }
    }

    /// What waits for a token, if that is what it asks for.
    fn waiting(&self) -> &[Ask] {
        if let Self::Token(prompt) = self { &prompt.waiting } else { &[] }
    }

    /// Where its keys are.
    pub fn scope(&self) -> Scope {
        match self {
            Self::Add(_)
            | Self::DeleteById(_)
            | Self::Token(_)
            | Self::Report(_)
            | Self::Import(_)
            | Self::Export(_)
            | Self::BaseUrl(_)
            | Self::Profile(_) => Scope::Form,
            Self::Choice(_) => Scope::Choice,
            Self::Preview(_) => Scope::Preview,
            Self::Departed(_) | Self::Runs(_) | Self::Palette(_) | Self::Stores(_) => Scope::List,
            Self::Reader(reader) if reader.find.typing => Scope::List,
            Self::Reader(reader) => match reader.reading {
                Reading::Exchange { .. } => Scope::Inspector,
                Reading::Help | Reading::Story | Reading::Compared(_) | Reading::Import => Scope::Reader,
            },
        }
    }
}

/// The state of the terminal interface.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Model {
    /// What does not change while the store is open.
    pub facts: Facts,
    /// The stores that have a name.
    pub known: Vec<KnownStore>,
    /// The base URLs that the journal knows, newest first.
    pub recent: Vec<StoreUrl>,
    /// What is being connected to.
    pub connecting: Option<Wish>,
    /// What wishes for the store that is open.
    pub here: Wish,
    /// Which key does what.
    pub keys: KeyTable,
    /// What time it is.
    pub now: Timestamp,
    /// The step of whatever turns on screen.
    pub turn: usize,
    /// Whether a token is held.
    pub token_held: bool,
    /// Whether the courier is alive.
    pub courier_alive: bool,
    /// The room one is in.
    pub room: Room,
    /// Whether the room's filter is being typed.
    pub filtering: bool,
    /// The view.
    pub table: Table,
    /// What is known of the selected plant.
    pub story: Option<(PlantId, Story)>,
    /// The list of exchanges.
    pub log: Log,
    /// The contract check.
    pub check: Box<CheckRoom>,
    /// What the Greenhouse remembers.
    pub greenhouse: Greenhouse,
    /// The tour, while somebody is on it.
    pub tour: Option<Tour>,
    /// Whether an audience looks on.
    pub presenting: bool,
    /// The keys that were pressed last before it.
    pub pressed: VecDeque<Key>,
    /// Whether nothing on screen may move by itself.
    pub still: bool,
    /// The selected exchange, if it has arrived.
    pub inspected: Option<Box<Kept>>,
    /// The first line shown of the pane beside the list.
    pub pane_top: usize,
    /// What is queued or out, oldest first.
    pub flights: Vec<Flight>,
    /// What provably did not reach the store and can be sent again, oldest first.
    pub unsent: Vec<Ask>,
    /// What is open over the room.
    pub overlay: Option<Overlay>,
    /// What opens once that is closed.
    pub later: VecDeque<Overlay>,
    /// Add forms that were closed with something in them, the latest last.
    pub drafts: Vec<Box<AddForm>>,
    /// What just happened.
    pub happened: Option<Happened>,
    /// Samples that are still to be planted.
    pub(super) samples: VecDeque<Plant>,
    /// What must be read.
    pub notices: VecDeque<Notice>,
    /// The import that is under way, or the last one.
    pub import: Option<Box<Import>>,
    /// Plants that are being deleted together.
    pub batch: Option<Batch>,
    /// Whether the mouse is listened to.
    pub mouse: bool,
    /// What the last frame had room for.
    pub drawn: Drawn,
    pub(super) interrupted: bool,
    pub(super) telling: Option<PlantId>,
    /// The plant whose story could not be read: not asked for again until something changes.
    pub(super) untold: Option<PlantId>,
    /// The walk through what is in doubt, while there is one.
    pub(super) walk: Option<Walk>,
    pub(super) tokens: u32,
    /// Plants that ended in doubt since this program began, and are not settled.
    pub(super) unsettled: BTreeSet<PlantId>,
    /// The place of the exchange that was asked for.
    pub(super) inspecting: Option<i64>,
    /// Whether to open it as soon as it is there.
    pub(super) opening: bool,
    /// Whether the marked plants are to be asked about as soon as it is known how they stand.
    pub(super) asks_to_delete: bool,
    /// A question about the marked plants that are unknown opens once the journal has told which are.
    pub(super) asks_to_resolve: bool,
    /// The filter whose plants are to be marked, all of them.
    pub(super) marks_all: Option<String>,
    numbers: u32,
}

impl Model {
    /// The model before anything happened.
    pub fn new(facts: Facts, keys: KeyTable, token_held: bool) -> Self {
        let here = if facts.demo { Wish::Demo } else { Wish::Start };
        Self {
            facts,
            known: Vec::new(),
            recent: Vec::new(),
            connecting: None,
            here,
            keys,
            now: Timestamp::default(),
            turn: 0,
            token_held,
            courier_alive: true,
            room: Room::Plants,
            filtering: false,
            table: Table::new(),
            story: None,
            log: Log::default(),
            check: Box::default(),
            greenhouse: Greenhouse::default(),
            tour: None,
            presenting: false,
            pressed: VecDeque::new(),
            still: false,
            inspected: None,
            pane_top: 0,
            flights: Vec::new(),
            unsent: Vec::new(),
            overlay: None,
            later: VecDeque::new(),
            drafts: Vec::new(),
            happened: None,
            samples: VecDeque::new(),
            notices: VecDeque::new(),
            import: None,
            batch: None,
            mouse: true,
            drawn: Drawn::default(),
            interrupted: false,
            telling: None,
            untold: None,
            walk: None,
            tokens: 0,
            unsettled: BTreeSet::new(),
            inspecting: None,
            opening: false,
            asks_to_delete: false,
            asks_to_resolve: false,
            marks_all: None,
            numbers: 0,
        }
    }

    /// Whether it begins by asking for a token.
    pub fn begins_without_token(&self) -> bool {
        !self.token_held && !self.facts.read_only
    }

    /// What to do first: read what the room shows, ask for a token if there is none, add the samples.
    pub fn begin(&mut self, samples: Vec<Plant>) -> Vec<Effect> {
        let mut effects = self.refresh_room();
        if self.begins_without_token() {
            self.ask_for_token();
        }
        self.samples = samples.into();
        effects.extend(self.plant_next_sample());
        effects
    }

    /// Asks for the token of the store that is open.
    pub(super) fn ask_for_token(&mut self) {
        let why = format!("{} asks for a bearer token with every request.", self.facts.store);
        self.open(Overlay::Token(TokenPrompt::asking(vec![why], Vec::new())));
    }

    /// The demo's samples go out one after another, so that each can be seen.
    pub(super) fn plant_next_sample(&mut self) -> Vec<Effect> {
        match self.samples.pop_front() {
            Some(plant) if self.courier_alive => self.request(Ask::Add(plant), true),
            Some(_) | None => Vec::new(),
        }
    }

    /// What a plant is called, if its row is at hand.
    pub(super) fn name_of(&self, id: PlantId) -> Option<String> {
        self.table.row(id).and_then(Row::name).map(str::to_owned)
    }

    /// Whether the next frame is to be told of, even if it is as the one before.
    pub fn awaits_frame(&self) -> bool {
        match &self.overlay {
            Some(Overlay::Reader(reader)) => reader.find.unseen,
            Some(Overlay::Add(form)) => form.awaits_frame(),
            Some(_) | None => false,
        }
    }

    /// Whether something on screen moves by itself.
    pub fn is_moving(&self) -> bool {
        !self.still && (!self.flights.is_empty() || self.check.is_under_way() || self.greenhouse_moves())
    }

    /// Where a key is pressed now.
    pub fn scope(&self) -> Scope {
        match &self.overlay {
            Some(overlay) => overlay.scope(),
            None if self.filtering => Scope::List,
            None => self.room.scope(),
        }
    }

    /// Opens something over the room, now or once what is open is closed.
    pub(super) fn open(&mut self, overlay: Overlay) {
        if self.overlay.is_none() {
            self.overlay = Some(overlay);
        } else {
            self.later.push_back(overlay);
        }
    }

    /// Opens something over what is open, which comes back once that is closed.
    pub(super) fn open_over(&mut self, overlay: Overlay) {
        if let Some(below) = self.overlay.replace(overlay) {
            self.later.push_front(below);
        }
    }

    /// Closes what is open; what waited behind it opens.
    pub(super) fn close(&mut self) {
        self.overlay = self.later.pop_front();
        if let Some(Overlay::Add(form)) = &mut self.overlay {
            form.opens_by_itself();
        }
    }

    /// Takes back the questions that are overtaken, open or waiting. Whether there was one.
    pub(super) fn withdraw(&mut self, is_overtaken: impl Fn(&Choice) -> bool) -> bool {
        let is_stale = |overlay: &Overlay| matches!(overlay, Overlay::Choice(choice) if is_overtaken(choice));
        let before = self.later.len();
        self.later.retain(|overlay| !is_stale(overlay));
        let was_open = self.overlay.as_ref().is_some_and(is_stale);
        if was_open {
            self.close();
        }
        was_open || self.later.len() < before
    }

    /// Whether an add was ever requested at this store, as far as the ids show, or an operation of this
    /// session is over.
    pub fn was_used(&self) -> bool {
        let requested = usize::try_from(self.numbers).unwrap_or(usize::MAX);
        requested > self.flights.len() || self.table.window.next_id > PlantId(1)
    }

    /// Whether anything was sent in this session.
    pub(super) fn has_asked(&self) -> bool {
        self.numbers > 0
    }

    /// Hands an operation to the courier, or asks for a token first.
    pub(super) fn ask(&mut self, ask: Ask) -> Vec<Effect> {
        self.request(ask, false)
    }

    fn request(&mut self, ask: Ask, is_sample: bool) -> Vec<Effect> {
        if !self.courier_alive {
            self.give_back(ask, "The background task has died: connect anew, or quit and start again.");
            return Vec::new();
        }
        if !self.token_held {
            self.want_token(vec![format!("There is no token for {} yet.", self.store_in_words())], ask);
            return Vec::new();
        }
        let plant = ask.plant_id();
        // What was asked of this plant before, or about it, is overtaken.
        self.unsent.retain(|other| other.plant_id() != plant);
        self.withdraw(|question| question.about == Some(plant));
        if matches!(ask, Ask::Delete(_)) {
            self.table.marked.remove(&plant);
        }
        if !is_sample {
            self.greenhouse.attends(plant);
        }
        let operation = Operation::new(self.next_operation(), ask, self.now);
        self.flights.push(Flight {
            operation: operation.clone(),
            name: self.name_of(plant),
            cancelled: false,
            is_sample,
        });
        vec![Effect::Send(operation)]
    }

    /// The name of the next operation.
    pub(super) fn next_operation(&mut self) -> OperationId {
        self.numbers += 1;
        OperationId { origin: self.facts.origin, number: self.numbers }
    }

    /// An operation that cannot go out comes back: an add as its form, a delete in words.
    pub(super) fn give_back(&mut self, ask: Ask, why: &str) {
        let text = match &ask {
            Ask::Add(plant) => format!("{} was not sent. {why}", sentence::plant_called(plant)),
            Ask::Delete(id) => format!("{} was not deleted. {why}", sentence::called(*id, None)),
        };
        self.says(&text);
        match &ask {
            Ask::Add(plant) if !self.is_in_batch(&ask) => self.come_back(plant, vec![why.to_owned()]),
            Ask::Add(_) | Ask::Delete(_) => {
                self.count_in_batch(&ask, Outcome::NotSent);
                self.unsent.push(ask);
            }
        }
    }

    /// Asks for a token, for this operation and any other that waits for one.
    pub(super) fn want_token(&mut self, why: Vec<String>, ask: Ask) {
        for overlay in self.overlay.iter_mut().chain(&mut self.later) {
            if let Overlay::Token(prompt) = overlay {
                prompt.why = why;
                prompt.waiting.push(ask);
                return;
            }
        }
        self.open(Overlay::Token(TokenPrompt::asking(why, vec![ask])));
    }

    /// The id to suggest for the next plant: past every id that was ever asked for.
    pub(super) fn next_id(&self) -> PlantId {
        let asked_for = self.flights.iter().filter(|flight| flight.operation.probe.is_none());
        let in_flight = asked_for.map(|flight| flight.operation.ask.plant_id());
        let unsent = self.unsent.iter().map(Ask::plant_id);
        let samples = self.samples.iter().map(|plant| plant.id);
        let past = in_flight.chain(unsent).chain(samples).max().and_then(|id| id.0.checked_add(1)).map(PlantId);
        past.into_iter().chain([self.table.window.next_id]).max().unwrap_or(self.table.window.next_id)
    }

    /// The selected plant's flight, the latest if it has several.
    pub fn selected_flight(&self) -> Option<&Flight> {
        let selected = self.table.selected?;
        self.flights.iter().rev().find(|flight| flight.operation.ask.plant_id() == selected)
    }

    /// The selected plant's story, if it has arrived.
    pub fn selected_story(&self) -> Option<&Story> {
        let (id, story) = self.story.as_ref()?;
        (Some(*id) == self.table.selected).then_some(story)
    }

    /// The requests of the selected plant, told from those of others with its id.
    pub fn selected_requests(&self) -> Option<Requests<'_>> {
        Some(requests_of(self.table.selected_row()?, &self.selected_story()?.exchanges))
    }

    /// All that was asked for and not sent: also what waits for a token, or came back as a form.
    pub fn not_sent(&self) -> Vec<Ask> {
        let mut found = self.unsent.clone();
        for overlay in self.overlays() {
            found.extend_from_slice(overlay.waiting());
            let form = overlay.add().filter(|form| form.is_worth_keeping());
            found.extend(form.and_then(|form| form.plant().ok()).map(Ask::Add));
        }
        found.extend(self.drafts.iter().filter_map(|form| form.plant().ok()).map(Ask::Add));
        found
    }

    /// What is open over the room, and what opens once that is closed.
    fn overlays(&self) -> impl Iterator<Item = &Overlay> {
        self.overlay.iter().chain(&self.later)
    }

    /// What waits for a token.
    pub(super) fn without_token(&self) -> impl Iterator<Item = &Ask> {
        self.overlays().flat_map(Overlay::waiting)
    }

    /// Forms with something in them that quitting would lose.
    pub(super) fn forms_to_lose(&self) -> usize {
        self.drafts.len() + self.overlays().filter_map(Overlay::add).count()
    }

    /// The selected plant, if it is about to be among the rows at hand: its intent is on the way
    /// to the journal, or a walk has just come to it.
    pub(super) fn expected(&self) -> Option<PlantId> {
        let selected = self.table.selected?;
        let asked = self.flights.iter().any(|flight| flight.operation.ask.plant_id() == selected);
        (asked || self.asking_walk().and_then(Walk::at) == Some(selected)).then_some(selected)
    }

    /// The request of the selected plant's flight, as it is or will be on the wire.
    pub fn request_in_flight(&self) -> Option<(&Flight, Request)> {
        let flight = self.selected_flight()?;
        Some((flight, client::request(&self.facts.store, &flight.operation.ask)))
    }

    /// The request that Enter would send, for the form that is open.
    pub fn preview(&self, form: &AddForm) -> Option<Request> {
        let plant = form.plant().ok()?;
        Some(client::request(&self.facts.store, &Ask::Add(plant)))
    }
}
