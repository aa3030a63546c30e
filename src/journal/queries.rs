//! The lookups of a journal. Each fails if the journal cannot be read.

use super::checks;
use super::database::Database;
use super::entries::{self, Entry};
use super::error::JournalError;
use super::handle::Journal;
use super::history::{self, StoredExchange};
use super::history_lines::{self, HistoryRequest, HistoryWindow};
use super::plant_list::{self, PlantHistory, Tally};
use super::snapshot::{self, SnapshotPart};
use super::sorted_index::Arrangement;
use super::sql::Store;
use super::suggestions;
use super::team::{self, Membership};
use super::windows::{self, Window, WindowRequest};
use super::writer::Request;
use crate::check::{EarlierRuns, Report};
use crate::domain::filter::Filter;
use crate::domain::{Author, ListedPlant, MemberId, OperationId, PlantId, Row, Sample, Unlisted};

#[expect(clippy::missing_errors_doc, reason = "all fail for the reason at the top of this file")]
impl Journal {
    /// Returns some rows of the list. An arrangement other than the default is sorted first, which
    /// takes seconds for a million plants, and cached for the next window.
    pub async fn window(&self, request: WindowRequest) -> Result<Window, JournalError> {
        let is_default = request.arrangement == Arrangement::default();
        let window = move |store: Store<'_>, cache: &mut _| windows::window(store, &request, cache);
        if is_default { self.read(window).await } else { self.search(window).await }
    }

    /// Returns the first rows of the list after this plant, or of all, by id, that match [`Arrangement::filter`]. Fewer than
    /// `most`: the end.
    pub async fn fitting(&self, filter: Filter, after: Option<PlantId>, most: usize) -> Result<Vec<Row>, JournalError> {
        self.search(move |store, _| windows::fitting(store, &filter, after, most)).await
    }

    /// Returns the rows of these plants, in this order, without those that are not in the list.
    pub async fn rows(&self, plants: Vec<PlantId>) -> Result<Vec<Row>, JournalError> {
        self.read(move |store, _| plant_list::rows(store, plants.iter().map(|plant| plant.0))).await
    }

    /// Returns the row and the last exchanges of a plant.
    pub async fn plant_history(&self, plant: PlantId) -> Result<PlantHistory, JournalError> {
        self.read(move |store, _| plant_list::plant_history(store, plant)).await
    }

    /// Returns an id to suggest: one more than the largest that was ever added or is in the list, and
    /// at least 1. After the largest 64-bit integer, the smallest unused id from 1.
    pub async fn next_free_id(&self) -> Result<PlantId, JournalError> {
        self.read(|store, cache| plant_list::next_free_id(store, &mut cache.used_below)).await
    }

    /// Returns the first 1000 unknown plants, by id.
    pub async fn unknown_rows(&self) -> Result<Vec<Row>, JournalError> {
        self.read(|store, _| plant_list::unknown_rows(store)).await
    }

    /// Returns those of these plants that are in the list, in this order.
    pub async fn listed(&self, plants: Vec<PlantId>) -> Result<Vec<ListedPlant>, JournalError> {
        self.read(move |store, _| plant_list::listed(store, &plants)).await
    }

    /// Returns the exchanges that match a search, before this [`StoredExchange::number`] or from the
    /// newest; newest first. Fewer than `rows`: the end.
    pub async fn exchanges(
        &self,
        search: Filter,
        before: Option<i64>,
        rows: usize,
    ) -> Result<Vec<StoredExchange>, JournalError> {
        self.search(move |store, _| history::exchanges(store, &search, before, rows)).await
    }

    /// Returns the exchange at a [`StoredExchange::number`]; `None` if this store has none there. Does
    /// not wait for a search.
    pub async fn exchange(&self, number: i64) -> Result<Option<StoredExchange>, JournalError> {
        self.read(move |store, _| history::exchange(store, number)).await
    }

    /// Returns some lines of the history: the exchanges that match a search, without request and response, and the runs of
    /// the contract check that they are folded into.
    /// A search with few matches reads every exchange.
    pub async fn history(&self, request: HistoryRequest) -> Result<HistoryWindow, JournalError> {
        self.search(move |store, _| history_lines::window(store, &request)).await
    }

    /// Returns the latencies of the newest `most` exchanges that match a search, oldest first.
    pub async fn latencies(&self, search: Filter, most: usize) -> Result<Vec<Sample>, JournalError> {
        self.search(move |store, _| history_lines::latencies(store, &search, most)).await
    }

    /// Returns plants that were requested and are not in the list, newest first, each once: those with
    /// this text, in any case, in their name, tag or id.
    pub async fn unlisted(&self, text: String, rows: usize) -> Result<Vec<Unlisted>, JournalError> {
        self.search(move |store, _| history::unlisted(store, &text, rows)).await
    }

    /// Returns the tags of the list that begin like this, in order.
    pub async fn tags(&self, start: String) -> Result<Vec<String>, JournalError> {
        self.search(move |store, _| suggestions::tags(store, &start)).await
    }

    /// Returns the number of plants of the list in each state.
    pub async fn tally(&self) -> Result<Tally, JournalError> {
        self.read(|store, _| plant_list::tally(store)).await
    }

    /// Whether the store has accepted a plant of the list, or one of the latest requests.
    pub async fn is_proven(&self) -> Result<bool, JournalError> {
        self.read(|store, _| plant_list::is_proven(store)).await
    }

    /// Returns how far this journal takes part in the team of its store; `None` without a team.
    pub async fn membership(&self) -> Result<Option<Membership>, JournalError> {
        self.read(|store, _| team::membership(store)).await
    }

    /// Whether it has entries of each message of the team from one to another, as those that are shared again.
    pub async fn has_all(&self, messages: (u64, u64)) -> Result<bool, JournalError> {
        self.read(move |store, _| entries::are_of_all(store, messages)).await
    }

    /// Returns what was noted last about entries of the team that are missing; see [`Self::note_missing`].
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn noted_missing(&self) -> Result<Option<String>, JournalError> {
        self.read(|store, _| team::noted_missing(store)).await
    }

    /// Returns the authors of later entries, with the number of entries that have not come before these. Takes as long as
    /// the entries are many.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn gaps(&self) -> Result<Vec<(Author, u64)>, JournalError> {
        self.read(|store, _| team::gaps(store)).await
    }

    /// Returns the first entries of this journal, as this member, that the team's stream does not have yet and whose
    /// numbers are larger than `after`, in order.
    ///
    /// # Errors
    ///
    /// [`JournalError::JoinedAgain`]: the journal is another member now.
    pub async fn to_publish(&self, member: MemberId, after: u64, most: usize) -> Result<Vec<Entry>, JournalError> {
        self.read(move |store, _| team::to_publish(store, member, after, most)).await
    }

    /// Reads every plant that the team's stream has entries about, in parts of this size that `take` gets, until it returns
    /// false. All are of one moment.
    pub async fn snapshot(
        &self,
        size: usize,
        mut take: impl FnMut(SnapshotPart) -> bool + Send + 'static,
    ) -> Result<(), JournalError> {
        self.search(move |store, _| snapshot::read(store, size, &mut take)).await
    }

    /// Returns the reports of the newest `most` contract checks of every store, newest first.
    pub async fn runs(&self, most: usize) -> Result<Vec<Report>, JournalError> {
        self.read(move |store, _| checks::runs(store.conn, None, most)).await
    }

    /// Returns what a contract check must know first: the leftovers of earlier runs in the list, of
    /// ended programs and of this one, which must not be checking; and the fixed ids that are in use.
    pub async fn before_check(&self) -> Result<EarlierRuns, JournalError> {
        self.request(Request::Read, Database::before_check).await
    }

    /// Returns the newest exchange of each of these operations; skips those of which this store has none.
    pub async fn exchanges_of(&self, operations: Vec<OperationId>) -> Result<Vec<StoredExchange>, JournalError> {
        self.read(move |store, _| checks::exchanges_of(store, &operations)).await
    }
}
