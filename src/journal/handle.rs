//! The handle to an open journal: writing, and the way to those who look things up.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use tokio::sync::oneshot;

use super::access::Question;
use super::error::JournalError;
use super::identity::Identity;
use super::place::Place;
use super::reader::{Reader, Topic};
use super::salvage::SetAside;
use super::watch::Changes;
use super::writer::{self, Reply, Request};
use super::writes::{Condition, Each, Entry};
use super::{files, locks, process_locks};
use crate::check::Report;
use crate::domain::{Exchange, Operation, OperationId, PlantId, Resolution, Row, StoreUrl, Timestamp};

/// An opened journal and what was noticed while it was opened.
#[derive(Debug)]
pub struct Opened {
    pub journal: Journal,
    /// Plants of this store that are unknown since now, because the program that had asked is gone.
    pub orphans: Vec<Row>,
    /// The damaged journal that made room for a new one, if there was one.
    pub set_aside: Option<SetAside>,
    /// The log beside a journal that is only read, if there is one that cannot be read: what is in
    /// it is missing.
    pub left_out: Option<PathBuf>,
}

/// A handle to the one writer of an open journal, for one store.
///
/// Dropping a future does not take back what it asked for. The journal closes when its last
/// handle is dropped, or at [`Journal::close`], which also waits for it.
#[derive(Debug, Clone)]
pub struct Journal {
    pub(super) requests: Sender<Request>,
    /// In memory there is none.
    pub(super) reader: Option<Arc<Reader>>,
    /// Where the lock files of all programs are; in memory there are no others.
    lock_folder: Option<Arc<Path>>,
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
        let lock_folder = match &place {
            Place::Memory | Place::ReadOnly(_) => None,
            Place::Folder(folder) => Some(process_locks::folder_in(folder).into()),
        };
        let requests = writer::start(place, store.to_string(), origin, now, reply)?;
        let noticed = opened.await.map_err(|_| JournalError::Died)??;
        let writer::Noticed { orphans, set_aside, left_out, reader, identity } = noticed;
        Ok(Opened { journal: Self { requests, reader, lock_folder, identity }, orphans, set_aside, left_out })
    }

    /// The folder that it is in; in memory there is none.
    pub fn folder(&self) -> Option<&Path> {
        self.lock_folder.as_deref().and_then(Path::parent)
    }

    /// Waits for a write. If it takes long because another process keeps the journal locked, `tell`
    /// hears once which one.
    pub async fn telling<T>(&self, write: impl Future<Output = T>, tell: impl FnOnce(String)) -> T {
        locks::telling(write, self.folder().map(files::file_in), tell).await
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
    pub fn record_intent(&self, operation: Operation) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        self.write(Entry::Asked(operation, Condition::None))
    }

    /// The same for many at once, which share their commit: the result of each, in this order.
    /// [`JournalError::Overtaken`]: its plant is not as the condition says.
    ///
    /// # Errors
    ///
    /// None of them is in the journal.
    pub fn record_intents(
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

    /// Writes down how a person resolved this doubt about a plant; with `None`, what a person says
    /// of a plant that is plainly stored. Durable when the future returns.
    ///
    /// # Errors
    ///
    /// Nothing was resolved. [`JournalError::Overtaken`]: the plant is no longer as the person saw it.
    pub fn resolve(
        &self,
        plant: PlantId,
        doubt: Option<OperationId>,
        resolution: Resolution,
        at: Timestamp,
    ) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        self.write(Entry::Resolved(plant, doubt, resolution, at))
    }

    /// The same of many at once, which share their commit: the result of each, in this order.
    ///
    /// # Errors
    ///
    /// Nothing was resolved.
    pub fn resolve_all(
        &self,
        plants: Vec<(PlantId, OperationId)>,
        resolution: Resolution,
        at: Timestamp,
    ) -> impl Future<Output = Result<Each, JournalError>> + Send + use<> {
        let entry = |(plant, doubt)| Entry::Resolved(plant, Some(doubt), resolution, at);
        self.write_all(plants.into_iter().map(entry).collect())
    }

    /// Keeps what a run of the contract check came to. Durable when the future returns.
    ///
    /// # Errors
    ///
    /// It is not kept.
    pub fn keep_run(&self, report: Report) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        self.write(Entry::Checked(Box::new(report)))
    }

    /// Lets request and response go of this store's exchanges that ended before a time, or only
    /// counts them, and tells how many. What was asked, when, and how it ended stays, and so does
    /// every exchange that a doubt hangs on. Others can write in between.
    ///
    /// # Errors
    ///
    /// The journal cannot be written; what was let go before is gone.
    pub async fn trim(&self, older_than: Timestamp, only_count: bool) -> Result<usize, JournalError> {
        let (mut after, mut exchanges) = (0, 0);
        loop {
            let trimmed = self.request_write(|reply| Request::Trim { older_than, after, only_count, reply }).await?;
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
        match &self.lock_folder {
            Some(folder) => Changes::of(folder, self.requests.clone(), clock),
            None => Ok(Changes::default()),
        }
    }

    /// Ends the journal, also for every other handle, once all that was asked before is done; but
    /// what the second thread looks up is broken off.
    pub async fn close(self) {
        let (done, waiting) = oneshot::channel();
        if self.requests.send(Request::Close(done)).is_ok() {
            // A writer that died in between is closed as well.
            let _ = waiting.await;
        }
    }

    /// The entry is in the writer's queue when this returns: entries are written in the order in
    /// which they were given, whoever waits for them first.
    fn write(&self, entry: Entry) -> impl Future<Output = Result<(), JournalError>> + Send + use<> {
        let written = self.write_all(vec![entry]);
        async move { written.await?.pop().unwrap_or(Err(JournalError::Died)) }
    }

    fn write_all(&self, entries: Vec<Entry>) -> impl Future<Output = Result<Each, JournalError>> + Send + use<> {
        self.request_write(|reply| Request::Write(entries, reply))
    }

    /// The writer looks it up, after all that was asked of it before.
    pub(super) async fn read<T: Send + 'static>(&self, question: impl Question<T>) -> Result<T, JournalError> {
        self.request_write(|reply| Request::Read(Box::new(move |database| drop(reply.send(database.read(question))))))
            .await
    }

    /// The reader looks it up, if there is one: it may take long.
    pub(super) async fn search<T: Send + 'static>(
        &self,
        topic: Option<Topic>,
        question: impl Question<T>,
    ) -> Result<T, JournalError> {
        match &self.reader {
            Some(reader) => reader.read(topic, question)?.await.map_err(|_| JournalError::Died)?,
            None => self.read(question).await,
        }
    }

    pub(super) fn request_write<T: Send, F: FnOnce(Reply<T>) -> Request>(
        &self,
        request: F,
    ) -> impl Future<Output = Result<T, JournalError>> + Send + use<T, F> {
        let (reply, response) = oneshot::channel();
        let sent = self.requests.send(request(reply)).map_err(|_| JournalError::Died);
        async move {
            sent?;
            response.await.map_err(|_| JournalError::Died)?
        }
    }
}
