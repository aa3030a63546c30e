//! The session's fields, and what screens and dialogs read from them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::batch::BatchTally;
use super::check::CheckRun;
use super::import::ImportRun;
use super::stores::Stores;
use super::{CHECK_UNDER_WAY, IMPORT_UNDER_WAY, IN_FLIGHT};

use crate::client::Token;
use crate::config::ConnectionTarget;
use crate::demo::{Weather, WeatherPreset};
use crate::domain::filter::Filter;
use crate::domain::id_reuse::split_by_plant;
use crate::domain::language::Id;
use crate::domain::sentence;
use crate::domain::simple_words::{Known, StoredPlant, about};
use crate::domain::{
    Exchange, Operation, OperationKind, Outcome, OutcomeCounts, Plant, PlantId, Requests, Resolution, Row, Seen, State,
};
use crate::journal::{EntryResults, JournalError, PlantHistory, Window};
use crate::team;
use crate::text::number_format::counted;
use crate::tui::effect::Effect;
use crate::tui::input::{Answer, Command};
use crate::tui::message::StoreInfo;
use crate::tui::outbox::Outbox;
use crate::tui::session::draft::Draft;
use crate::tui::session::plant_list::PlantList;
use crate::tui::session::question::Several;
use crate::tui::session::tally::Together;
use crate::tui::ui_effect::UiEffect;
use crate::worker::Feed;

/// The paths that were used last, as typed, which the prompts offer again.
#[derive(Debug, Default)]
pub struct LastFiles {
    pub imported: Option<String>,
    pub exported: Option<String>,
}

/// An operation that is queued or in flight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingOperation {
    pub operation: Operation,
    /// The plant's name at the time of submission; at the end of the operation, the list may not contain it any more.
    pub name: Option<String>,
    /// Whether a person has cancelled it.
    pub cancelled: bool,
    /// Whether it adds a sample of the demo, which no person requested.
    pub is_sample: bool,
    /// Whether the plant was unknown before, which only an accepted operation changes.
    pub of_unknown: bool,
}

/// Pending queries about marked plants, or about those that a line names.
#[derive(Debug, Default)]
pub struct Marks {
    /// The question that comes once the states of its plants are loaded.
    pub(super) loading: Option<(AboutSeveral, Vec<PlantId>)>,
    /// The plant to select once it is known to be in the list.
    pub sought: Option<PlantId>,
    /// The filter whose plants are being loaded: to mark them all, or for a question.
    pub(super) all_of: Option<(Filter, Option<AboutSeveral>)>,
}

/// A question about several plants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AboutSeveral {
    pub kind: Several,
    /// Whether a line names the plants; otherwise they are marked.
    pub is_of_line: bool,
    /// The choice that the line makes already.
    pub choice: Option<Answer>,
    /// Whether the line answers the question, so that it is not shown.
    pub yes: bool,
}

impl AboutSeveral {
    /// Of plants that a line or a command names.
    pub fn of(kind: Several) -> Self {
        Self { kind, is_of_line: true, choice: None, yes: false }
    }
}

/// The state of one store, replaced when another one is opened.
#[derive(Debug)]
pub struct Session {
    pub info: StoreInfo,
    /// What operations are sent with from now on.
    pub token: Option<Token>,
    pub worker_alive: bool,
    pub plants: PlantList,
    /// The latest history that was loaded for a selected plant.
    history: Option<(PlantId, Box<PlantHistory>)>,
    /// The plant whose history is being loaded.
    history_pending: Option<PlantId>,
    /// The plant whose history could not be read, which is not tried again before the list changes.
    history_failed: Option<PlantId>,
    /// Oldest first.
    pub pending: Vec<PendingOperation>,
    /// Operations that provably did not reach the store and can be sent again, oldest first.
    pub unsent: Vec<OperationKind>,
    pub waiting_for_token: Vec<OperationKind>,
    /// What the person saw of plants that they decided about, until the operation is sent.
    pub seen: BTreeMap<PlantId, Seen>,
    /// Text of add forms that were closed unsent, the latest last.
    pub drafts: Vec<Draft>,
    /// What became of the plants that were last changed together: by a batch, an import, or one decision.
    pub together: Option<Together>,
    /// Operations that were submitted together.
    pub batch: Option<Box<BatchTally>>,
    /// Those of them that the worker does not have yet.
    pub feed: Box<Feed<OperationKind>>,
    /// What a person did last that the store accepted: one operation, or those of a batch.
    pub last_accepted: Vec<Operation>,
    /// What a person decided since then without a request.
    pub last_resolved: Option<Resolution>,
    /// Tokens entered one after another, each while operations waited for one, since a response that did not reject it.
    pub tokens_in_vain: usize,
    /// Plants that became unknown in this session and are not resolved here.
    pub unresolved: BTreeSet<PlantId>,
    /// How many more imports have left unknown in this session.
    pub(super) unknown_of_imports: u64,
    /// Plants that the demo still has to add.
    pub samples: VecDeque<Plant>,
    /// Plants of the demo and of the tour, which are not those of a person.
    pub(super) given: BTreeSet<PlantId>,
    /// The running import, or the last one.
    pub import: Option<Box<ImportRun>>,
    pub check: CheckRun,
    /// The demo store's simulated faults.
    pub weather: WeatherPreset,
    pub stores: Stores,
    pub last_files: LastFiles,
    /// `None` if no team shares the journal.
    pub team: Option<Box<team::Status>>,
    pub marks: Marks,
    /// Value of [`Outbox::keys_pressed`] when the latest operation was sent.
    pub(super) sent_at_key: u64,
    /// How many operations were submitted, which also numbers them.
    pub submitted: u32,
}

impl Session {
    pub fn new(info: StoreInfo, token: Option<Token>) -> Self {
        let here = if info.demo { ConnectionTarget::Demo } else { ConnectionTarget::Start };
        Self {
            info,
            token,
            worker_alive: true,
            plants: PlantList::new(),
            history: None,
            history_pending: None,
            history_failed: None,
            pending: Vec::new(),
            unsent: Vec::new(),
            waiting_for_token: Vec::new(),
            seen: BTreeMap::new(),
            drafts: Vec::new(),
            together: None,
            batch: None,
            feed: Box::default(),
            last_accepted: Vec::new(),
            last_resolved: None,
            tokens_in_vain: 0,
            unresolved: BTreeSet::new(),
            unknown_of_imports: 0,
            samples: VecDeque::new(),
            given: BTreeSet::new(),
            import: None,
            check: CheckRun::default(),
            weather: WeatherPreset::default(),
            stores: Stores::at(here),
            last_files: LastFiles::default(),
            team: None,
            marks: Marks::default(),
            sent_at_key: 0,
            submitted: 0,
        }
    }

    /// Returns the name of the store in messages.
    pub fn store_name(&self) -> String {
        if self.info.demo { "the demo store".to_owned() } else { self.info.store.to_string() }
    }

    /// Returns a plant's name, if its row is loaded, or a person saw it as they decided about an operation that waits.
    pub fn name_of(&self, id: PlantId) -> Option<String> {
        let seen = || self.seen.get(&id).and_then(Seen::name);
        self.plants.row(id).and_then(Row::name).or_else(seen).map(str::to_owned)
    }

    /// Names the plant of an operation.
    pub fn called(&self, kind: &OperationKind) -> String {
        sentence::subject(kind, self.name_of(kind.plant_id()).as_deref())
    }

    /// Whether a plant is unknown, also while an operation on it is in flight.
    pub(super) fn is_unknown(&self, plant: PlantId) -> bool {
        let is_listed = self.plants.row(plant).is_some_and(|row| row.state == State::Unknown);
        let mut pending = self.pending.iter().filter(|pending| pending.operation.kind.plant_id() == plant);
        is_listed || self.unresolved.contains(&plant) || pending.any(|pending| pending.of_unknown)
    }

    /// Counts the plants that are unknown. The list counts those that are sent again as being added or deleted.
    pub fn unknown_plants(&self) -> usize {
        self.plants.window.tally.unknown + self.sent_again()
    }

    fn sent_again(&self) -> usize {
        let again = self.pending.iter().filter(|pending| pending.of_unknown);
        let again: BTreeSet<_> = again.map(|pending| pending.operation.kind.plant_id()).collect();
        let is_counted = |id: &PlantId| self.plants.row(*id).is_some_and(|row| row.state == State::Unknown);
        again.iter().filter(|id| !is_counted(id)).count()
    }

    /// Counts the plants that became unknown in this session, but no more than still are: other programs resolve them, too.
    pub fn became_unknown(&self) -> usize {
        let imported = usize::try_from(self.unknown_of_imports).unwrap_or(usize::MAX);
        self.unresolved.len().saturating_add(imported).min(self.unknown_plants())
    }

    /// Counts the plants that are being added or deleted. Those of an import whose requests only wait do not count: the list
    /// has them as being added, too. Those that are sent again count as unknown.
    pub fn in_flight(&self) -> usize {
        let tally = &self.plants.window.tally;
        let open = (tally.adding + tally.deleting).saturating_sub(self.sent_again());
        self.importing().map_or(open, |import| open.min(import.progress.out + self.pending.len()))
    }

    /// Returns why no operation can be sent.
    pub fn cannot_send(&self) -> Option<&'static str> {
        if self.info.read_only {
            Some("the store is read-only here, by --read-only, its variable, the config file or the journal")
        } else if self.worker_alive {
            None
        } else {
            Some("the background task has died: reconnect, or quit and start again")
        }
    }

    /// Says who deletes plants, which are being deleted: this session, or another program with the same journal or of the
    /// team.
    pub fn who_deletes(&self, plants: &[PlantId]) -> &'static str {
        let is_own = |plant: &PlantId| {
            let kind = OperationKind::Delete(*plant);
            let is_pending = self.pending.iter().any(|pending| pending.operation.kind == kind);
            is_pending || self.is_in_batch(&kind)
        };
        if plants.iter().all(is_own) {
            "the delete is already under way"
        } else {
            "another program's delete is already under way"
        }
    }

    /// Returns why no import or check can begin: one is under way.
    pub fn busy(&self) -> Option<&'static str> {
        if self.is_importing() { Some(IMPORT_UNDER_WAY) } else { self.check.is_under_way().then_some(CHECK_UNDER_WAY) }
    }

    /// Returns why no other store can be opened.
    pub fn stays_here(&self) -> Option<&'static str> {
        let is_sending = !self.pending.is_empty() || self.feed.waiting().len() > 0;
        self.busy().or_else(|| is_sending.then_some(IN_FLIGHT))
    }

    /// Whether there is something under way that is not being cancelled.
    pub fn can_cancel(&self) -> bool {
        let has_uncancelled = self.pending.iter().any(|pending| !pending.cancelled);
        let has_waiting = self.feed.waiting().len() > 0;
        self.check.is_under_way() || self.can_stop_import() || has_uncancelled || has_waiting
    }

    /// Counts the plants of a person that are lost with the demo store.
    pub fn own_plants(&self) -> usize {
        let tally = &self.plants.window.tally;
        if self.info.demo { (tally.stored + tally.unknown).saturating_sub(self.given.len()) } else { 0 }
    }

    /// Whether an operation has ended in this session, or, as the ids show, a plant was added in an earlier one.
    pub fn was_used(&self) -> bool {
        let submitted = usize::try_from(self.submitted).unwrap_or(usize::MAX);
        submitted > self.pending.len() || self.plants.window.next_id > PlantId(1)
    }

    /// Returns the id to suggest for the next plant: greater than every id that was ever used.
    pub fn next_id(&self) -> PlantId {
        let own = self.pending.iter().filter(|pending| pending.operation.probe.is_none());
        let pending = own.map(|pending| pending.operation.kind.plant_id());
        let unsent = self.unsent.iter().map(OperationKind::plant_id);
        let samples = self.samples.iter().map(|plant| plant.id);
        let past = pending.chain(unsent).chain(samples).max().and_then(|id| id.0.checked_add(1)).map(PlantId);
        past.map_or(self.plants.window.next_id, |past| past.max(self.plants.window.next_id))
    }

    /// Returns the latest pending operation of the selected plant.
    pub fn selected_pending(&self) -> Option<&PendingOperation> {
        let selected = self.plants.selected?;
        self.pending.iter().rev().find(|pending| pending.operation.kind.plant_id() == selected)
    }

    /// Returns the selected plant's history, once it is loaded.
    pub fn selected_history(&self) -> Option<&PlantHistory> {
        let (id, history) = self.history.as_ref()?;
        (Some(*id) == self.plants.selected).then_some(history)
    }

    /// Returns the requests of the selected plant, apart from those of other plants that had its id.
    pub fn selected_requests(&self) -> Option<Requests<'_>> {
        Some(split_by_plant(self.plants.selected_row()?, &self.selected_history()?.exchanges))
    }

    /// Whether a command about the selected plant or the marked ones has to wait until they are known; one about the last
    /// request of the selected plant, also until that is read.
    pub fn awaits(&self, command: Command) -> bool {
        let is_read = self.history_pending.is_none() || self.selected_history().is_some();
        let is_known = !self.plants.awaits_selection() && self.marks.all_of.is_none();
        command.needs_selection() && !is_known || command.needs_exchange() && !is_read
    }

    /// Loads the history of the selected plant unless it is loaded, being loaded, or could not be read.
    pub fn load_history(&mut self, out: &mut Outbox) {
        let Some(id) = self.plants.selected else { return };
        let is_here = self.history.as_ref().is_some_and(|(known, _)| *known == id);
        if self.history_pending.is_none() && self.history_failed != Some(id) && !is_here {
            self.history_pending = Some(id);
            out.effect(Effect::LoadPlantHistory(id));
        }
    }

    pub fn history_came(&mut self, id: PlantId, history: Box<PlantHistory>) {
        self.history_pending.take_if(|pending| *pending == id);
        if Some(id) == self.plants.selected {
            self.history = Some((id, history));
        }
    }

    pub fn history_failed(&mut self, id: PlantId, why: &dyn std::fmt::Display, out: &mut Outbox) {
        self.history_pending.take_if(|pending| *pending == id);
        self.history_failed = Some(id);
        out.cannot_read(why);
    }

    /// Loads the list of plants again; not before a pending query has finished.
    pub fn refresh_plants(&mut self, out: &mut Outbox) {
        out.effects(self.plants.refresh().map(Effect::Load));
    }

    /// Takes a window of the list. `in_question` is the plant that the resolve queue asks about, which stays selected.
    pub fn window_came(&mut self, window: Window, in_question: Option<PlantId>, out: &mut Outbox) {
        // The journal has changed, and with it perhaps the selected plant's history.
        (self.history_pending, self.history_failed) = (None, None);
        // It names some and counts the rest: the header does that from now on.
        if window.tally.unknown < self.plants.window.tally.unknown.max(1) {
            out.status.notices.retain(|notice| !notice.of_unknown);
        }
        let will_be_listed = |plant: &PlantId| self.selected_pending().is_some() || in_question == Some(*plant);
        let expected = self.plants.selected.filter(will_be_listed);
        out.effects(self.plants.arrived(window, expected).map(Effect::Load));
        out.effects(self.plants.late().map(Effect::WaitForList));
        if let Some(id) = self.plants.selected {
            self.history_pending = Some(id);
            out.effect(Effect::LoadPlantHistory(id));
        }
    }

    /// Reports that a resolution was stored, or why not.
    pub fn were_resolved(
        &mut self,
        plants: &[PlantId],
        resolution: Resolution,
        written: Result<EntryResults, JournalError>,
        out: &mut Outbox,
    ) {
        let only = if let [plant] = plants { Some(*plant) } else { None };
        let one = only.map(|plant| sentence::called(plant, self.name_of(plant).as_deref()));
        let each = written.unwrap_or_else(|why| {
            out.notice(format!("{} is not resolved: {why}", one.as_deref().unwrap_or("Nothing")));
            Vec::new()
        });
        let done: Vec<_> = plants.iter().zip(&each).filter(|(_, done)| done.is_ok()).map(|(id, _)| *id).collect();
        if !done.is_empty() {
            self.last_resolved = Some(resolution);
        }
        for id in &done {
            self.is_resolved(*id, resolution);
        }
        let why = each.iter().find_map(|done| done.as_ref().err());
        match (one, why) {
            _ if each.is_empty() => {}
            (Some(plant), None) => {
                let (text, simple) = match resolution {
                    Resolution::MarkStored => (format!("Marked as stored: {plant}."), Id::CountsAsStored),
                    Resolution::Forget => (format!("Forgot {plant}."), Id::LeavesTheList),
                };
                let simple = only.map(|id| about(simple, id, self.name_of(id).as_deref()));
                let simple = simple.into_iter().chain([Id::NothingSentForThat.into()]).collect();
                out.say_in_both(format!("{text} Nothing was sent."), simple);
            }
            (Some(plant), Some(why @ JournalError::Overtaken)) => out.say(format!("{plant} is not resolved: {why}.")),
            (Some(plant), Some(why)) => out.notice(format!("{plant} is not resolved: {why}")),
            (None, why) => {
                let many = counted(done.len() as u64, "plant", "plants");
                let (text, simple) = match resolution {
                    Resolution::MarkStored => (format!("Marked {many} as stored."), Id::ManyStored),
                    Resolution::Forget => (format!("Forgot {many}."), Id::ManyForgotten),
                };
                let outcomes = OutcomeCounts { accepted: done.len() as u64, ..OutcomeCounts::default() };
                out.ui_effect(UiEffect::Together);
                let together = Together { done: simple, outcomes, skipped: 0, left: 0 };
                self.say_together(format!("{text} Nothing was sent."), together, out);
                if let Some(why) = why {
                    let others = counted((plants.len() - done.len()) as u64, "plant is", "plants are");
                    out.say_also(&format!("{others} not resolved: {why}."));
                }
            }
        }
        self.history = None;
        self.refresh_plants(out);
    }

    fn is_resolved(&mut self, id: PlantId, resolution: Resolution) {
        if resolution == Resolution::Forget {
            self.given.remove(&id);
        }
        self.unsent.retain(|kind| kind.plant_id() != id);
        self.unresolved.remove(&id);
        self.plants.marked.remove(&id);
    }

    /// Returns what is known about an exchange beside itself. `unknown` is the operation that had left the plant unknown.
    pub fn known<'a>(
        &self,
        exchange: &Exchange,
        name: Option<&'a str>,
        unknown: Option<&'a OperationKind>,
    ) -> Known<'a> {
        let (kind, is_rejected) = (&exchange.operation.kind, exchange.outcome() == Outcome::Rejected);
        let body = exchange.response().map_or(&[][..], |response| response.body.as_slice());
        let own = self.selected_requests().map(|requests| requests.own).unwrap_or_default();
        let is_before = |other: &&&Exchange| {
            other.operation.id != exchange.operation.id && other.operation.kind.plant_id() == kind.plant_id()
        };
        let before = own.iter().find(is_before);
        Known {
            name,
            unknown: unknown.filter(|_| is_rejected),
            by_weather: self.info.demo && is_rejected && Weather::has_rejected(body),
            quotes: !self.info.demo,
            again: before.is_some_and(|before| before.outcome() == Outcome::Unknown),
            resolved: self.resolved_since(exchange),
            stored: StoredPlant::behind(kind, self.plants.row(kind.plant_id())),
        }
    }

    /// Returns the last request of the selected plant, once it is loaded, and what is known about it.
    pub fn selected_last(&self) -> Option<(&Exchange, Known<'_>)> {
        let name = self.plants.selected_row().and_then(Row::name);
        let unknown = self.selected_history()?.unknown.as_ref().map(|unknown| &unknown.kind);
        let own = self.selected_requests()?.own;
        let last = *own.first()?;
        let mut known = self.known(last, name, unknown);
        // A rejection changes nothing: the plant is in the state that the requests before led to.
        let decisive = own.iter().find(|exchange| matches!(exchange.outcome(), Outcome::Accepted | Outcome::Unknown));
        known.resolved = known.resolved.or_else(|| self.resolved_since(decisive?));
        Some((last, known))
    }

    /// Returns what became of the plant of a request that ended unknown, if it is no longer unknown.
    fn resolved_since(&self, exchange: &Exchange) -> Option<Resolution> {
        let kind = &exchange.operation.kind;
        let row = self.plants.row(kind.plant_id());
        let resolution = match row.map(|row| row.state) {
            // A forgotten add leaves the plant that was stored before it.
            Some(State::Stored) if StoredPlant::behind(kind, row) == Some(StoredPlant::Other) => {
                Some(Resolution::Forget)
            }
            Some(State::Stored) => Some(Resolution::MarkStored),
            // Without a row, the plant has left the list only if the whole list is loaded.
            None => {
                let list = self.plants.whole_list().filter(|_| self.plants.filter.text().is_empty());
                list.map(|_| Resolution::Forget)
            }
            Some(State::Unknown | State::Adding | State::Deleting) => None,
        };
        resolution.filter(|_| exchange.outcome() == Outcome::Unknown && self.pending.is_empty())
    }
}
