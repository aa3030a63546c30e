//! What a journal is asked. Each question fails where the journal cannot be read, and says why.

use rusqlite::Connection;

use super::checks;
use super::error::JournalError;
use super::handle::Journal;
use super::history::{self, StoredExchange};
use super::log::{self, LogRequest, LogWindow};
use super::plant_list::{self, PlantHistory};
use super::reader::Topic;
use super::search::Search;
use super::sorted_index::Arrangement;
use super::windows::{self, Window, WindowRequest};
use super::writer::Request;
use crate::check::{EarlierRuns, Report};
use crate::domain::{OperationId, PlantId, Row, Sample, Unlisted, Unresolved};

#[expect(clippy::missing_errors_doc, reason = "all fail for one reason, which the head of this file says")]
impl Journal {
    /// Some rows of the view. In the default arrangement they are at hand; any other is put in
    /// order first, which takes seconds for a million plants, and is kept for the next window.
    ///
    /// [`JournalError::Superseded`]: another arrangement was asked for
    /// meanwhile.
    pub async fn window(&self, request: WindowRequest) -> Result<Window, JournalError> {
        let topic = Topic::Arranged(request.arrangement.clone());
        let is_default = request.arrangement == Arrangement::default();
        let window = move |conn: &Connection, store, cache: &mut _| windows::window(conn, store, &request, cache);
        if !is_default {
            return self.search(Some(topic), window).await;
        }
        if let Some(reader) = &self.reader {
            reader.supersede(topic);
        }
        self.read(window).await
    }

    /// The first so many rows of the view, by id, that fit [`Arrangement::filter`].
    pub async fn fitting(&self, filter: String, most: usize) -> Result<Vec<Row>, JournalError> {
        self.search(None, move |conn, store, _| windows::fitting(conn, store, &filter, most)).await
    }

    /// The rows of these plants, in this order; none for those that are not in the view.
    pub async fn rows(&self, plants: Vec<PlantId>) -> Result<Vec<Row>, JournalError> {
        self.read(move |conn, store, _| plant_list::rows(conn, store, plants.iter().map(|plant| plant.0))).await
    }

    /// What is known of one plant.
    pub async fn plant_history(&self, plant: PlantId) -> Result<PlantHistory, JournalError> {
        self.read(move |conn, store, _| plant_list::plant_history(conn, store, plant)).await
    }

    /// An id to suggest: one more than the largest that was ever added or is in the view, and at
    /// least 1. If nothing is larger, the smallest unused one from 1.
    pub async fn next_free_id(&self) -> Result<PlantId, JournalError> {
        self.read(|conn, store, cache| plant_list::next_free_id(conn, store, &mut cache.used_below)).await
    }

    /// The first 1000 plants unknown, by id.
    pub async fn unknown_rows(&self) -> Result<Vec<Row>, JournalError> {
        self.read(|conn, store, _| plant_list::doubts(conn, store)).await
    }

    /// Unknown plants after this one, or from the first, by id. Fewer than asked for: the end.
    pub async fn unknown_page(&self, after: Option<PlantId>, rows: usize) -> Result<Vec<Unresolved>, JournalError> {
        self.read(move |conn, store, _| plant_list::unknown_page(conn, store, after, rows)).await
    }

    /// Those of these plants that are unknown, in this order.
    pub async fn unknown_among(&self, plants: Vec<PlantId>) -> Result<Vec<Unresolved>, JournalError> {
        self.read(move |conn, store, _| plant_list::unknown_among(conn, store, &plants)).await
    }

    /// The rows of the view after this plant, or from the first. Fewer than asked for: the end.
    pub async fn view_page(&self, after: Option<PlantId>, rows: usize) -> Result<Vec<Row>, JournalError> {
        self.read(move |conn, store, _| plant_list::page(conn, store, after, rows)).await
    }

    /// The exchanges that fit a search, before this [`StoredExchange::place`] or from the newest; newest
    /// first. Fewer than asked for: the end.
    pub async fn exchanges(
        &self,
        search: Search,
        before: Option<i64>,
        rows: usize,
    ) -> Result<Vec<StoredExchange>, JournalError> {
        self.search(None, move |conn, store, _| history::exchanges(conn, store, &search, before, rows)).await
    }

    /// One exchange by its [`StoredExchange::place`]; `None` if there is none of this store. It is looked up at
    /// once, whatever is being searched.
    pub async fn exchange(&self, place: i64) -> Result<Option<StoredExchange>, JournalError> {
        self.read(move |conn, store, _| history::exchange(conn, store, place)).await
    }

    /// Some lines of the log: the exchanges that fit a search, without what was said. What finds
    /// little has looked at everything: whoever asks anew before there is a response begins anew.
    ///
    /// [`JournalError::Superseded`]: the log was asked for anew meanwhile.
    pub async fn log(&self, request: LogRequest) -> Result<LogWindow, JournalError> {
        self.search(Some(Topic::Log), move |conn, store, _| log::log(conn, store, &request)).await
    }

    /// The newest so many exchanges that fit a search, oldest first, as the chart needs them.
    ///
    /// [`JournalError::Superseded`]: the pulse was asked for anew meanwhile.
    pub async fn latencies(&self, search: Search, most: usize) -> Result<Vec<Sample>, JournalError> {
        self.search(Some(Topic::Latencies), move |conn, store, _| log::latencies(conn, store, &search, most)).await
    }

    /// Plants that were asked for and are not in the view, newest first, each once; those with
    /// this text, in any case, in their name, tag or id.
    pub async fn unlisted(&self, text: String, rows: usize) -> Result<Vec<Unlisted>, JournalError> {
        self.search(None, move |conn, store, _| history::unlisted(conn, store, &text, rows)).await
    }

    /// What the newest so many runs of the check came to, of every store; newest first.
    pub async fn runs(&self, most: usize) -> Result<Vec<Report>, JournalError> {
        self.read(move |conn, _, _| checks::runs(conn, most)).await
    }

    /// What a run of the check is to know first: which plants of the view earlier ones left behind,
    /// those of a program that is gone or of this one, which must not be checking; and which ids
    /// are taken that cannot be drawn by lot.
    pub async fn before_check(&self) -> Result<EarlierRuns, JournalError> {
        self.request_write(|reply| Request::Read(Box::new(move |database| drop(reply.send(database.before_check())))))
            .await
    }

    /// The [`StoredExchange::place`] of the exchange of an operation; `None` if there is none of this store.
    pub async fn place_of(&self, operation: OperationId) -> Result<Option<i64>, JournalError> {
        self.read(move |conn, store, _| checks::place_of(conn, store, operation)).await
    }
}
