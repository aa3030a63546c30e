//! What is known and under way at the store that is open.

use std::collections::{BTreeSet, VecDeque};

use super::batch::Batch;
use super::check::CheckRun;
use super::import::ImportRun;
use super::marks::Marks;
use super::pending::PendingOperation;
use super::stores::Stores;
use super::{CHECK_UNDER_WAY, IMPORT_UNDER_WAY, IN_FLIGHT};

use crate::client;
use crate::config::ConnectionTarget;
use crate::demo::WeatherPreset;
use crate::domain::id_reuse::requests_of;
use crate::domain::number_format::counted;
use crate::domain::sentence;
use crate::domain::{Exchange, OperationKind, Outcome, Plant, PlantId, Request, Requests, Resolution, Row, State};
use crate::journal::{EntryResults, JournalError, PlantHistory, Window};
use crate::tui::draft::Draft;
use crate::tui::effect::Effect;
use crate::tui::message::StoreInfo;
use crate::tui::outbox::Outbox;
use crate::tui::plant_list::PlantList;
use crate::tui::question::LetGo;
use crate::tui::status::Notice;

/// Everything that begins anew with another store.
#[derive(Debug)]
pub struct Session {
    pub info: StoreInfo,
    pub token_set: bool,
    pub worker_alive: bool,
    pub plants: PlantList,
    /// The history of the selected plant, once it has come.
    history: Option<(PlantId, PlantHistory)>,
    history_asked: Option<PlantId>,
    /// The plant whose history could not be read: not asked for again until something changes.
    history_failed: Option<PlantId>,
    /// Oldest first.
    pub pending: Vec<PendingOperation>,
    /// What provably did not reach the store and can be sent again, oldest first.
    pub unsent: Vec<OperationKind>,
    pub waiting_for_token: Vec<OperationKind>,
    /// Add forms that were closed with something in them, the latest last.
    pub drafts: Vec<Draft>,
    /// Operations that were requested together.
    pub batch: Option<Batch>,
    /// Plants that ended unknown since this program began, and are not resolved.
    pub unresolved: BTreeSet<PlantId>,
    /// Samples of the demo that are still to be added.
    pub samples: VecDeque<Plant>,
    /// The import that is under way, or the last one.
    pub import: Option<Box<ImportRun>>,
    pub check: CheckRun,
    /// What the demo store does to requests.
    pub weather: WeatherPreset,
    pub stores: Stores,
    pub(super) marks: Marks,
    /// How many tokens were given.
    pub(super) tokens: u32,
    /// How many operations were requested.
    pub(super) requested: u32,
}

impl Session {
    pub fn new(info: StoreInfo, token_set: bool) -> Self {
        let here = if info.demo { ConnectionTarget::Demo } else { ConnectionTarget::Start };
        Self {
            info,
            token_set,
            worker_alive: true,
            plants: PlantList::new(),
            history: None,
            history_asked: None,
            history_failed: None,
            pending: Vec::new(),
            unsent: Vec::new(),
            waiting_for_token: Vec::new(),
            drafts: Vec::new(),
            batch: None,
            unresolved: BTreeSet::new(),
            samples: VecDeque::new(),
            import: None,
            check: CheckRun::default(),
            weather: WeatherPreset::default(),
            stores: Stores::at(here),
            marks: Marks::default(),
            tokens: 0,
            requested: 0,
        }
    }

    /// What the open store is called in a sentence.
    pub fn store_in_words(&self) -> String {
        if self.info.demo { "the demo store".to_owned() } else { self.info.store.to_string() }
    }

    /// What a plant is called, if its row is at hand.
    pub fn name_of(&self, id: PlantId) -> Option<String> {
        self.plants.row(id).and_then(Row::name).map(str::to_owned)
    }

    /// Why nothing at all can be sent.
    pub fn cannot_send(&self) -> Option<&'static str> {
        if self.info.read_only {
            Some("read-only: nothing that writes is sent")
        } else if self.worker_alive {
            None
        } else {
            Some("the background task has died: connect anew, or quit and start again")
        }
    }

    /// What of this store takes its time.
    pub fn busy(&self) -> Option<&'static str> {
        if self.is_importing() { Some(IMPORT_UNDER_WAY) } else { self.check.is_under_way().then_some(CHECK_UNDER_WAY) }
    }

    pub fn in_flight(&self) -> Option<&'static str> {
        (!self.pending.is_empty()).then_some(IN_FLIGHT)
    }

    /// Why no other store can be opened now.
    pub fn stays_here(&self) -> Option<&'static str> {
        self.busy().or_else(|| self.in_flight())
    }

    pub fn let_go(&self) -> LetGo {
        LetGo {
            unsent: self.unsent.len(),
            without_token: self.waiting_for_token.len(),
            demo_plants: if self.info.demo { self.plants.window.tally.total() } else { 0 },
        }
    }

    /// Whether an add was ever requested at this store, as far as the ids show, or an operation of this
    /// session is over.
    pub fn was_used(&self) -> bool {
        let requested = usize::try_from(self.requested).unwrap_or(usize::MAX);
        requested > self.pending.len() || self.plants.window.next_id > PlantId(1)
    }

    /// Whether anything was requested in this session.
    pub fn has_requested(&self) -> bool {
        self.requested > 0
    }

    /// How many tokens were given since the store was opened.
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// The id to suggest for the next plant: past every id that was ever requested.
    pub fn next_id(&self) -> PlantId {
        let own = self.pending.iter().filter(|pending| pending.operation.probe.is_none());
        let pending = own.map(|pending| pending.operation.kind.plant_id());
        let unsent = self.unsent.iter().map(OperationKind::plant_id);
        let samples = self.samples.iter().map(|plant| plant.id);
        let past = pending.chain(unsent).chain(samples).max().and_then(|id| id.0.checked_add(1)).map(PlantId);
        past.into_iter().chain([self.plants.window.next_id]).max().unwrap_or(self.plants.window.next_id)
    }

    /// The selected plant's pending operation, the latest if it has several.
    pub fn selected_pending(&self) -> Option<&PendingOperation> {
        let selected = self.plants.selected?;
        self.pending.iter().rev().find(|pending| pending.operation.kind.plant_id() == selected)
    }

    /// The request of that operation, as it is or will be on the wire.
    pub fn request_in_flight(&self) -> Option<(&PendingOperation, Request)> {
        let pending = self.selected_pending()?;
        Some((pending, client::request(&self.info.store, &pending.operation.kind)))
    }

    /// The selected plant, if it is about to be among the rows at hand: its intent is on the way to the journal.
    pub fn expected(&self) -> Option<PlantId> {
        let selected = self.plants.selected?;
        self.pending.iter().any(|pending| pending.operation.kind.plant_id() == selected).then_some(selected)
    }

    /// The selected plant's history, if it has come.
    pub fn selected_history(&self) -> Option<&PlantHistory> {
        let (id, history) = self.history.as_ref()?;
        (Some(*id) == self.plants.selected).then_some(history)
    }

    /// The requests of the selected plant, told from those of others with its id.
    pub fn selected_requests(&self) -> Option<Requests<'_>> {
        Some(requests_of(self.plants.selected_row()?, &self.selected_history()?.exchanges))
    }

    /// Asks for the history of the selected plant, once, when it is not the one at hand.
    pub fn ask_for_history(&mut self, out: &mut Outbox) {
        let Some(id) = self.plants.selected else { return };
        let is_here = self.history.as_ref().is_some_and(|(known, _)| *known == id);
        if self.history_asked.is_none() && self.history_failed != Some(id) && !is_here {
            self.history_asked = Some(id);
            out.effect(Effect::LoadPlantHistory(id));
        }
    }

    pub fn history_came(&mut self, id: PlantId, history: PlantHistory) {
        self.history_asked.take_if(|asked| *asked == id);
        if Some(id) == self.plants.selected {
            self.history = Some((id, history));
        }
    }

    pub fn history_failed(&mut self, id: PlantId, why: &dyn std::fmt::Display, out: &mut Outbox) {
        self.history_asked.take_if(|asked| *asked == id);
        self.history_failed = Some(id);
        out.cannot_read(why);
    }

    /// Reads the list of plants anew, once what is pending has come.
    pub fn refresh_plants(&mut self, out: &mut Outbox) {
        out.effects(self.plants.refresh().map(Effect::Load));
    }

    /// A window of the list has come. `asked_about` is the plant that a question of the resolve queue is about: it
    /// stays selected.
    pub fn window_came(&mut self, window: Window, asked_about: Option<PlantId>, out: &mut Outbox) {
        // Something changed: what is known of the selected plant may be old.
        (self.history_asked, self.history_failed) = (None, None);
        if window.tally.unknown == 0 {
            out.status.notices.retain(|notice| !notice.of_unknown);
        }
        let expected = self.expected().or_else(|| asked_about.filter(|plant| self.plants.selected == Some(*plant)));
        out.effects(self.plants.arrived(window, expected).map(Effect::Load));
        out.effects(self.plants.late().map(Effect::WaitForView));
        if let Some(id) = self.plants.selected {
            self.history_asked = Some(id);
            out.effect(Effect::LoadPlantHistory(id));
        }
    }

    /// A person's word about a plant was written, or not; of a check that forgets its own plants nothing is said.
    pub fn was_resolved(
        &mut self,
        id: PlantId,
        resolution: Resolution,
        result: Result<(), JournalError>,
        by_check: bool,
        out: &mut Outbox,
    ) {
        let plant = sentence::called(id, self.name_of(id).as_deref());
        if result.is_ok() {
            self.is_resolved(id);
        }
        match result {
            Ok(()) | Err(JournalError::Overtaken) if by_check => {}
            Ok(()) => out.say(match resolution {
                Resolution::MarkStored => format!("On your word: {plant} is stored. Nothing was sent."),
                Resolution::Forget => format!("Forgotten here: {plant}. Nothing was sent."),
            }),
            Err(why @ JournalError::Overtaken) => out.say(format!("{plant} is not resolved: {why}.")),
            Err(why) => out.status.notices.push_back(Notice::new(format!("{plant} is not resolved: {why}"))),
        }
        self.history = None;
        self.refresh_plants(out);
    }

    /// The same of several that were written together.
    pub fn were_resolved(
        &mut self,
        plants: &[PlantId],
        resolution: Resolution,
        written: Result<EntryResults, JournalError>,
        out: &mut Outbox,
    ) {
        match written {
            Ok(each) => {
                let done: Vec<_> =
                    plants.iter().zip(&each).filter(|(_, done)| done.is_ok()).map(|(id, _)| *id).collect();
                for id in &done {
                    self.is_resolved(*id);
                }
                let many = counted(done.len() as u64, "plant is", "plants are");
                let mut text = match resolution {
                    Resolution::MarkStored => format!("On your word: {many} stored. Nothing was sent."),
                    Resolution::Forget => format!("On your word: {many} forgotten. Nothing was sent."),
                };
                if let Some(Err(why)) = each.iter().find(|done| done.is_err()) {
                    let others = counted((plants.len() - done.len()) as u64, "plant is", "plants are");
                    text = format!("{text} {others} not resolved: {why}.");
                }
                out.say(text);
            }
            Err(why) => out.status.notices.push_back(Notice::new(format!("Nothing is resolved: {why}"))),
        }
        self.history = None;
        self.refresh_plants(out);
    }

    fn is_resolved(&mut self, id: PlantId) {
        self.unsent.retain(|kind| kind.plant_id() != id);
        self.unresolved.remove(&id);
        self.plants.marked.remove(&id);
    }

    /// Said of an exchange that ended unknown, where its plant is unknown no longer.
    pub fn resolved_since(&self, exchange: &Exchange) -> Option<&'static str> {
        let is_resolved = match self.plants.row(exchange.operation.kind.plant_id()).map(|row| row.state) {
            Some(State::Stored) => true,
            // It may not be among the rows at hand.
            None => self.plants.filter.text().is_empty() && self.plants.window.total == self.plants.window.rows.len(),
            Some(State::Unknown | State::Adding | State::Deleting) => false,
        };
        let was_unknown = exchange.outcome() == Outcome::Unknown && self.pending.is_empty();
        (was_unknown && is_resolved).then_some("It was resolved since.")
    }
}
