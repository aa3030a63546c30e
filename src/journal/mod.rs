//! The durable local record of every operation and every exchange.
//!
//! It keeps what happened and folds it into the view with [`Record`](crate::domain::Record); it
//! sends nothing and decides nothing. One thread owns the file; a [`Journal`] is a handle to it.
//! A file on disk and the demo store's journal in memory are the same code.
//!
//! - What can take long is looked up by a second thread with a connection of its own, in what was
//!   committed before it was asked; in memory the owner does it. A newer question of some kinds
//!   supersedes an older one, which is then broken off: see [`JournalError::Superseded`].
//! - A write that returned `Ok` is on disk. One that returned `Err` left nothing behind, except
//!   that after [`JournalError::Died`], or on a disk that fails from the commit on, nobody can tell;
//!   what is open is unknown at the next start.
//! - Several programs may have one journal open. Each holds a lock that says it lives; what a
//!   program that is gone left open is ended as unknown by the next that opens the journal, or at
//!   once by one that watches it for [`Changes`].
//! - Of an answer's body the first [`KEPT_BODY`] bytes are kept, of its time whole microseconds.
//! - What was asked and how it ended is kept for good, request and answer until they are trimmed.
//! - The token is not in it: requests come with their `authorization` header masked.

mod access;
mod arranged;
mod book;
mod checks;
mod entries;
mod error;
mod files;
mod history;
mod identity;
mod instances;
mod locks;
mod log;
mod objects;
mod open;
mod owner;
mod pages;
mod read_only;
mod reader;
mod recent;
mod salvage;
mod schema;
mod search;
mod stored;
#[cfg(test)]
mod tests;
mod unsent;
mod view;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::oneshot;

pub use arranged::{Arrangement, Column};
pub use entries::KEPT_BODY;
pub use error::JournalError;
pub use log::{LogAnchor, LogLine, LogRequest, LogWindow};
pub use pages::Pages;
pub use recent::stores_in;
pub use search::Search;
pub use watch::Changes;

use crate::domain::check::{Beforehand, Report};
use crate::domain::{
    Departed, Details, Doubt, Exchange, Operation, OperationId, PlantId, Row, Sample, Settlement, StoreUrl, Timestamp,
    Unresolved,
};
use access::Question;
use entries::Entry;
use identity::Identity;
use owner::{Reply, Request};
use reader::{Reader, Topic};

/// The result of each of many that were written together.
pub type Each = Vec<Result<(), JournalError>>;

/// How long a write waits for another program to finish its own.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Where a journal is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: it ends with its last handle.
    Memory,
    /// `journal.db` in this folder, which is made if it is missing.
    Folder(PathBuf),
    /// The same, but it is only read, as it was written last: nothing is made or ended.
    ReadOnly(PathBuf),
}

impl Place {
    /// Waits for something to be done with the journal here. If that takes long because another
    /// process keeps it locked, `tell` hears once which one.
    pub async fn telling<T>(&self, done: impl Future<Output = T>, tell: impl FnOnce(String)) -> T {
        let journal = match self {
            Self::Memory => None,
            Self::Folder(folder) | Self::ReadOnly(folder) => Some(files::journal_in(folder)),
        };
        locks::telling(done, journal, tell).await
    }
}

/// The journal's file in its folder, whether or not there is one yet.
pub fn file_in(folder: &Path) -> PathBuf {
    files::journal_in(folder)
}

/// The damaged journals that were set aside in this folder, oldest first.
pub fn set_aside_in(folder: &Path) -> Vec<PathBuf> {
    files::set_aside_in(folder)
}

/// Where a window of the view is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The first rows.
    Top,
    /// The last rows.
    Bottom,
    /// From this row on, counted from 0; earlier where the window would reach past the end.
    Index(usize),
    /// This plant in the middle, or the place where it would be; the first rows, if an arrangement
    /// other than the default has no place for it.
    Around(PlantId),
}

/// Which rows of the view are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowRequest {
    /// Where.
    pub anchor: Anchor,
    /// How many at most.
    pub rows: usize,
    /// Of the view in this arrangement.
    pub arrangement: Arrangement,
}

/// How a plant must be for an add of it to be written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// However it is.
    None,
    /// Not in the view.
    Missing,
    /// Not in the view, or in doubt there.
    MissingOrInDoubt,
}

/// Some rows of the view, and what a screen says beside them; all of one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// In the order of the arrangement.
    pub rows: Vec<Row>,
    /// The index of the first of them in the arrangement; where it would be if there are none.
    pub first: usize,
    /// How many rows the arrangement has.
    pub total: usize,
    /// How the plants of the whole view stand.
    pub tally: Tally,
    /// As [`Journal::next_free_id`].
    pub next_id: PlantId,
    /// While much is written, the order may be that of a moment ago: whoever asks again after this
    /// time is told a newer one. `None` where it is the order of now.
    pub late: Option<Duration>,
}

/// How many plants of the view stand where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// In the store.
    pub stored: usize,
    /// In doubt.
    pub unknown: usize,
    /// Being added.
    pub adding: usize,
    /// Being deleted.
    pub deleting: usize,
}

impl Tally {
    /// All of them.
    pub fn total(self) -> usize {
        self.stored + self.unknown + self.adding + self.deleting
    }
}

/// What the journal knows of one plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// Its line in the view, if it has one.
    pub row: Option<Row>,
    /// The operation that ended unknown and is not settled, if there is one.
    pub in_doubt: Option<Doubt>,
    /// Newest first, at most 20.
    pub exchanges: Vec<Exchange>,
}

/// An exchange as it stands in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its place: later exchanges have greater ones.
    pub place: i64,
    /// What the plant was called when it was asked for, or to be deleted; `None` if nobody knew.
    pub called: Option<Details>,
    /// The exchange.
    pub exchange: Exchange,
}

impl Kept {
    /// The plant's name, if somebody knew it.
    pub fn name(&self) -> Option<&str> {
        self.called.as_ref().map(|called| called.name.as_str())
    }
}

/// An opened journal and what was noticed while it was opened.
#[derive(Debug)]
pub struct Opened {
    /// The handle.
    pub journal: Journal,
    /// Plants of this store that are in doubt since now, because the program that had asked is gone.
    pub orphans: Vec<Row>,
    /// The damaged journal that made room for a new one, if there was one.
    pub set_aside: Option<SetAside>,
    /// The log beside a journal that is only read, if there is one that cannot be read: what is in
    /// it is missing.
    pub left_out: Option<PathBuf>,
}

/// A damaged journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// Where it was moved.
    pub path: PathBuf,
    /// What the new one has of it.
    pub saved: Saved,
}

/// What could be read of a damaged journal, of all stores, and is in the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Saved {
    /// Plants of the view.
    pub plants: usize,
    /// Exchanges.
    pub exchanges: usize,
    /// Whether that is everything.
    pub complete: bool,
}

/// A handle to the one owner of an open journal, for one store.
///
/// Dropping a future does not take back what it asked for. The journal closes when its last
/// handle is dropped, or at [`Journal::close`], which also waits for it.
#[derive(Debug, Clone)]
pub struct Journal {
    requests: Sender<Request>,
    /// In memory there is none.
    reader: Option<Arc<Reader>>,
    /// Where the lock files of all programs are; in memory there are no others.
    instances: Option<Arc<Path>>,
    /// The open files; in memory there are none.
    identity: Option<Arc<Identity>>,
}

impl Journal {
    /// Opens the journal for a store. `origin` is drawn at random by each running program and
    /// marks its operations; the same program may open several journals with it.
    ///
    /// # Errors
    ///
    /// Each [`JournalError`]; a damaged file is none, unless another program still has it open.
    pub async fn open(place: Place, store: &StoreUrl, origin: u64, now: Timestamp) -> Result<Opened, JournalError> {
        let (reply, opened) = oneshot::channel();
        let instances = match &place {
            Place::Memory | Place::ReadOnly(_) => None,
            Place::Folder(folder) => Some(instances::folder_in(folder).into()),
        };
        let requests = owner::start(place, store.to_string(), origin, now, reply)?;
        let noticed = opened.await.map_err(|_| JournalError::Died)??;
        let owner::Noticed { orphans, set_aside, left_out, reader, identity } = noticed;
        Ok(Opened { journal: Self { requests, reader, instances, identity }, orphans, set_aside, left_out })
    }

    /// The folder that it is in; in memory there is none.
    pub fn folder(&self) -> Option<&Path> {
        self.instances.as_deref().and_then(Path::parent)
    }

    /// Waits for a write. If it takes long because another process keeps the journal locked, `tell`
    /// hears once which one.
    pub async fn telling<T>(&self, write: impl Future<Output = T>, tell: impl FnOnce(String)) -> T {
        locks::telling(write, self.folder().map(files::journal_in), tell).await
    }

    /// Looks whether the journal's files are still in their place. Each write does so after its
    /// commit; this is for what was written a while ago and is to be sent only now.
    ///
    /// # Errors
    ///
    /// [`JournalError::Replaced`]: nothing may be sent.
    pub fn check_identity(&self) -> Result<(), JournalError> {
        self.identity.as_ref().map_or(Ok(()), |identity| identity.check())
    }

    /// Writes down that somebody asked. It has its place in the journal when this returns, and
    /// is durable when the future does: only then may it be sent.
    ///
    /// # Errors
    ///
    /// It is not in the journal and must not be sent.
    pub fn ask(&self, operation: Operation) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        self.write(Entry::Asked(operation, Condition::None))
    }

    /// The same for many at once, which share their commit: the result of each, in this order.
    /// [`JournalError::Overtaken`]: its plant is not as the condition says.
    ///
    /// # Errors
    ///
    /// None of them is in the journal.
    pub fn ask_all(
        &self,
        operations: Vec<Operation>,
        condition: Condition,
    ) -> impl Future<Output = Result<Each, JournalError>> + Send + use<> {
        self.write_all(operations.into_iter().map(|operation| Entry::Asked(operation, condition)).collect())
    }

    /// Writes down how an operation ended. Durable when the future returns.
    ///
    /// # Errors
    ///
    /// The operation is still open in the journal, and would be unknown after a restart.
    pub fn end(
        &self,
        exchange: Exchange,
        at: Timestamp,
    ) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        self.write(Entry::Ended(Arc::new(exchange), at))
    }

    /// The same for many at once, which share their commit: the result of each, in this order.
    ///
    /// # Errors
    ///
    /// None of them is in the journal; all are still open in it.
    pub fn end_all(
        &self,
        exchanges: Vec<Arc<Exchange>>,
        at: Timestamp,
    ) -> impl Future<Output = Result<Each, JournalError>> + Send + use<> {
        self.write_all(exchanges.into_iter().map(|exchange| Entry::Ended(exchange, at)).collect())
    }

    /// Writes down how a person settled this doubt about a plant; with `None`, what a person says
    /// of a plant that is plainly stored. Durable when the future returns.
    ///
    /// # Errors
    ///
    /// Nothing was settled. [`JournalError::Overtaken`]: the plant is no longer as the person saw it.
    pub fn settle(
        &self,
        plant: PlantId,
        doubt: Option<OperationId>,
        settlement: Settlement,
        at: Timestamp,
    ) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        self.write(Entry::Settled(plant, doubt, settlement, at))
    }

    /// The same of many at once, which share their commit: the result of each, in this order.
    ///
    /// # Errors
    ///
    /// Nothing was settled.
    pub fn settle_all(
        &self,
        plants: Vec<(PlantId, OperationId)>,
        settlement: Settlement,
        at: Timestamp,
    ) -> impl Future<Output = Result<Each, JournalError>> + Send + use<> {
        let entry = |(plant, doubt)| Entry::Settled(plant, Some(doubt), settlement, at);
        self.write_all(plants.into_iter().map(entry).collect())
    }

    /// Some rows of the view. In the default arrangement they are at hand; any other is put in
    /// order first, which takes seconds for a million plants, and is kept for the next window.
    ///
    /// # Errors
    ///
    /// The journal cannot be read. [`JournalError::Superseded`]: another arrangement was asked for
    /// meanwhile.
    pub async fn window(&self, request: WindowRequest) -> Result<Window, JournalError> {
        let topic = Topic::Arranged(request.arrangement.clone());
        if request.arrangement != Arrangement::default() {
            let window =
                move |conn: &Connection, store, bearings: &mut _| arranged::window(conn, store, &request, bearings);
            return self.search(Some(topic), window).await;
        }
        if let Some(reader) = &self.reader {
            reader.supersede(topic);
        }
        self.read(move |conn, store, bearings| view::window(conn, store, &request, bearings)).await
    }

    /// The first so many rows of the view, by id, that fit [`Arrangement::filter`].
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn fitting(&self, filter: String, most: usize) -> Result<Vec<Row>, JournalError> {
        self.search(None, move |conn, store, _| arranged::fitting(conn, store, &filter, most)).await
    }

    /// The rows of these plants, in this order; none for those that are not in the view.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn rows(&self, plants: Vec<PlantId>) -> Result<Vec<Row>, JournalError> {
        self.read(move |conn, store, _| view::rows(conn, store, plants.iter().map(|plant| plant.0))).await
    }

    /// What is known of one plant.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn story(&self, plant: PlantId) -> Result<Story, JournalError> {
        self.read(move |conn, store, _| view::story(conn, store, plant)).await
    }

    /// An id to suggest: one more than the largest that was ever added or is in the view, and at
    /// least 1. If nothing is larger, the smallest unused one from 1.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn next_free_id(&self) -> Result<PlantId, JournalError> {
        self.read(view::next_free_id).await
    }

    /// The first 1000 plants in doubt, by id.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn doubts(&self) -> Result<Vec<Row>, JournalError> {
        self.read(|conn, store, _| view::doubts(conn, store)).await
    }

    /// Unknown plants after this one, or from the first, by id. Fewer than asked for: the end.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn unknown_page(&self, after: Option<PlantId>, rows: usize) -> Result<Vec<Unresolved>, JournalError> {
        self.read(move |conn, store, _| view::unknown_page(conn, store, after, rows)).await
    }

    /// Those of these plants that are unknown, in this order.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn unknown_among(&self, plants: Vec<PlantId>) -> Result<Vec<Unresolved>, JournalError> {
        self.read(move |conn, store, _| view::unknown_among(conn, store, &plants)).await
    }

    /// The rows of the view after this plant, or from the first. Fewer than asked for: the end.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn view_page(&self, after: Option<PlantId>, rows: usize) -> Result<Vec<Row>, JournalError> {
        self.read(move |conn, store, _| view::page(conn, store, after, rows)).await
    }

    /// The exchanges that fit a search, before this [`Kept::place`] or from the newest; newest
    /// first. Fewer than asked for: the end.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn exchanges(&self, search: Search, before: Option<i64>, rows: usize) -> Result<Vec<Kept>, JournalError> {
        self.search(None, move |conn, store, _| history::exchanges(conn, store, &search, before, rows)).await
    }

    /// One exchange by its [`Kept::place`]; `None` if there is none of this store. It is looked up at
    /// once, whatever is being searched.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn exchange(&self, place: i64) -> Result<Option<Kept>, JournalError> {
        self.read(move |conn, store, _| history::exchange(conn, store, place)).await
    }

    /// Some lines of the log: the exchanges that fit a search, without what was said. What finds
    /// little has looked at everything: whoever asks anew before there is an answer begins anew.
    ///
    /// # Errors
    ///
    /// The journal cannot be read. [`JournalError::Superseded`]: the log was asked for anew meanwhile.
    pub async fn log(&self, request: LogRequest) -> Result<LogWindow, JournalError> {
        self.search(Some(Topic::Log), move |conn, store, _| log::log(conn, store, &request)).await
    }

    /// The newest so many exchanges that fit a search, oldest first, as the chart needs them.
    ///
    /// # Errors
    ///
    /// The journal cannot be read. [`JournalError::Superseded`]: the pulse was asked for anew meanwhile.
    pub async fn pulse(&self, search: Search, most: usize) -> Result<Vec<Sample>, JournalError> {
        self.search(Some(Topic::Pulse), move |conn, store, _| log::pulse(conn, store, &search, most)).await
    }

    /// Plants that were asked for and are not in the view, newest first, each once; those with
    /// this text, in any case, in their name, tag or id.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn departed(&self, text: String, rows: usize) -> Result<Vec<Departed>, JournalError> {
        self.search(None, move |conn, store, _| history::departed(conn, store, &text, rows)).await
    }

    /// Keeps what a run of the contract check came to. Durable when the future returns.
    ///
    /// # Errors
    ///
    /// It is not kept.
    pub fn keep_run(&self, report: Report) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        self.write(Entry::Checked(Box::new(report)))
    }

    /// What the newest so many runs of the check came to, of every store; newest first.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn runs(&self, most: usize) -> Result<Vec<Report>, JournalError> {
        self.read(move |conn, _, _| checks::runs(conn, most)).await
    }

    /// What a run of the check is to know first: which plants of the view earlier ones left behind,
    /// those of a program that is gone or of this one, which must not be checking; and which ids
    /// are taken that cannot be drawn by lot.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn before_check(&self) -> Result<Beforehand, JournalError> {
        self.ask_owner(|reply| Request::Read(Box::new(move |book| drop(reply.send(book.before_check()))))).await
    }

    /// The [`Kept::place`] of the exchange of an operation; `None` if there is none of this store.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn place_of(&self, operation: OperationId) -> Result<Option<i64>, JournalError> {
        self.read(move |conn, store, _| checks::place_of(conn, store, operation)).await
    }

    /// Lets request and answer go of this store's exchanges that ended before a time, or only
    /// counts them, and tells how many. What was asked, when, and how it ended stays, and so does
    /// every exchange that a doubt hangs on. Others can write in between.
    ///
    /// # Errors
    ///
    /// The journal cannot be written; what was let go before is gone.
    pub async fn trim(&self, older_than: Timestamp, only_count: bool) -> Result<usize, JournalError> {
        let (mut after, mut exchanges) = (0, 0);
        loop {
            let trimmed = self.ask_owner(|reply| Request::Trim { older_than, after, only_count, reply }).await?;
            exchanges += trimmed.exchanges;
            match trimmed.next {
                Some(next) => after = next,
                None => return Ok(exchanges),
            }
        }
    }

    /// Tells from now on when other programs change the journal. While it lives, what a program
    /// that dies leaves open is ended as unknown at once, at the time that `clock` tells.
    ///
    /// # Errors
    ///
    /// The system cannot watch the journal's folder, or not one more.
    pub fn changes(&self, clock: fn() -> Timestamp) -> Result<Changes, JournalError> {
        match &self.instances {
            Some(folder) => Changes::of(folder, self.requests.clone(), clock),
            None => Ok(Changes::default()),
        }
    }

    /// Ends the journal, also for every other handle, once all that was asked before is done; but
    /// what the second thread looks up is broken off.
    pub async fn close(self) {
        let (done, waiting) = oneshot::channel();
        if self.requests.send(Request::Close(done)).is_ok() {
            // An owner that died in between is closed as well.
            let _ = waiting.await;
        }
    }

    /// The entry is in the owner's queue when this returns: entries are written in the order in
    /// which they were given, whoever waits for them first.
    fn write(&self, entry: Entry) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        let written = self.write_all(vec![entry]);
        async move { written.await?.pop().unwrap_or(Err(JournalError::Died)) }
    }

    fn write_all(&self, entries: Vec<Entry>) -> impl Future<Output = Result<Each, JournalError>> + Send + use<> {
        self.ask_owner(|reply| Request::Write(entries, reply))
    }

    /// The owner looks it up, after all that was asked of it before.
    async fn read<T: Send + 'static>(&self, question: impl Question<T>) -> Result<T, JournalError> {
        self.ask_owner(|reply| Request::Read(Box::new(move |book| drop(reply.send(book.read(question)))))).await
    }

    /// The reader looks it up, if there is one: it may take long.
    async fn search<T: Send + 'static>(
        &self,
        topic: Option<Topic>,
        question: impl Question<T>,
    ) -> Result<T, JournalError> {
        match &self.reader {
            Some(reader) => reader.ask(topic, question)?.await.map_err(|_| JournalError::Died)?,
            None => self.read(question).await,
        }
    }

    fn ask_owner<T: Send, F: FnOnce(Reply<T>) -> Request>(
        &self,
        request: F,
    ) -> impl Future<Output = Result<T, JournalError>> + Send + use<T, F> {
        let (reply, answer) = oneshot::channel();
        let sent = self.requests.send(request(reply)).map_err(|_| JournalError::Died);
        async move {
            sent?;
            answer.await.map_err(|_| JournalError::Died)?
        }
    }
}
