//! The handle to an open journal: its writes, and how lookups reach the writer or the reader.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::{Notify, oneshot};

use super::access::Lookup;
use super::database::{Database, Shared};
use super::error::JournalError;
use super::fault::Fault;
use super::history::Old;
use super::place::Place;
use super::snapshot::SnapshotPart;
use super::team::{LeftOut, TeamMessage};
use super::watch::Changes;
use super::writer::{self, Request, Work};
use super::writes::{Batch, Condition, EntryResults, Write};
use super::{files, locks, opening, team};
use crate::check::Report;
use crate::domain::{Author, Decided, Exchange, MemberId, Operation, PlantId, Resolution, StoreUrl, Timestamp};

/// The future result of a request that is queued already: entries are written in the order of the
/// calls, whichever future is polled first.
pub type Queued<T> = BoxFuture<'static, Result<T, JournalError>>;

/// An opened journal, and the notices of its opening.
pub type Opened = opening::Opened<Journal>;

/// A handle to the writer of an open journal, for one store.
///
/// Dropping a future does not cancel its request, unless it is a lookup of the reader. The journal
/// closes when its last handle is dropped, or at [`Journal::close`], which also waits for it.
#[derive(Debug, Clone)]
pub struct Journal {
    pub(super) requests: Sender<Request>,
    pub(super) shared: Shared,
}

impl Journal {
    /// Opens the journal for a store. Each running program draws `origin` at random, and marks its
    /// operations with it; one program may open several journals.
    ///
    /// # Errors
    ///
    /// Any [`JournalError`]. A damaged file is replaced, unless another program has it open.
    pub async fn open(place: Place, store: &StoreUrl, origin: u64, now: Timestamp) -> Result<Opened, JournalError> {
        let (requests, opened) = writer::start(place, store.to_string(), origin, now).await?;
        let opening::Opened { journal: shared, orphans, set_aside, left_out } = opened;
        Ok(Opened { journal: Self { requests, shared }, orphans, set_aside, left_out })
    }

    /// Returns the folder of the journal; `None` in memory and for a read-only journal.
    pub fn folder(&self) -> Option<&Path> {
        self.shared.folder.as_deref()
    }

    /// Notifies one waiter after each commit of this program.
    pub fn committed(&self) -> Arc<Notify> {
        Arc::clone(&self.shared.committed)
    }

    /// Waits for a write. If that takes long because another process keeps the journal locked, calls
    /// `notify` once with a sentence that names the process.
    pub async fn notify_if_locked<T>(&self, write: impl Future<Output = T>, notify: impl FnOnce(String)) -> T {
        locks::notify_if_locked(write, self.folder().map(files::file_in), notify).await
    }

    /// Waits from now on only a moment for other programs that keep the journal locked: this one is to end.
    pub fn hurry(&self, is_hurried: bool) {
        self.shared.is_hurried.store(is_hurried, Ordering::Relaxed);
    }

    /// Checks that the journal's files are still at their paths. Each write does so after its commit;
    /// the worker calls this before it sends an operation that was recorded a while ago.
    ///
    /// # Errors
    ///
    /// [`JournalError::Replaced`]: nothing may be sent.
    pub fn check_identity(&self) -> Result<(), JournalError> {
        self.shared.identity.check()
    }

    /// Records the intent to send an operation. It may be sent only after the future returns `Ok`.
    ///
    /// # Errors
    ///
    /// The operation is not in the journal and must not be sent.
    pub fn record_intent(&self, operation: Operation) -> Queued<()> {
        self.write(Write::Intent(operation, Condition::None))
    }

    /// Records many intents in one commit; returns the result of each, in this order.
    /// [`JournalError::Overtaken`]: the plant does not meet the condition.
    ///
    /// # Errors
    ///
    /// None of them is in the journal.
    pub fn record_intents(&self, operations: Vec<Operation>, condition: Condition) -> Queued<EntryResults> {
        self.write_all(operations.into_iter().map(|operation| Write::Intent(operation, condition)).collect())
    }

    /// Records how an operation ended. Durable when the future returns.
    ///
    /// # Errors
    ///
    /// The operation is still open in the journal, and becomes unknown at the next start.
    pub fn end(&self, exchange: Exchange, at: Timestamp) -> Queued<()> {
        self.write(Write::End(Arc::new(exchange), at))
    }

    /// Records ends, and then intents, in one commit; returns the results of the ends and of the intents, in this order.
    /// See [`Self::record_intents`].
    ///
    /// # Errors
    ///
    /// None of them is in the journal; the operations that have ended are still open in it.
    pub fn end_and_intend(
        &self,
        exchanges: Vec<Arc<Exchange>>,
        at: Timestamp,
        operations: Vec<Operation>,
        condition: Condition,
    ) -> Queued<EntryResults> {
        let ends = exchanges.into_iter().map(|exchange| Write::End(exchange, at));
        let intents = operations.into_iter().map(|operation| Write::Intent(operation, condition));
        self.write_all(ends.chain(intents).collect())
    }

    /// Records how a person resolved a plant. Durable when the future returns.
    ///
    /// # Errors
    ///
    /// Nothing was resolved. [`JournalError::Overtaken`]: the plant changed since the person saw it.
    pub fn resolve(&self, plant: Decided, resolution: Resolution, at: Timestamp) -> Queued<()> {
        self.write(Write::Resolution(plant, resolution, at))
    }

    /// Records many resolutions in one commit, as [`Self::resolve`] does; returns the result of each, in this order.
    ///
    /// # Errors
    ///
    /// Nothing was resolved.
    pub fn resolve_all(&self, plants: Vec<Decided>, resolution: Resolution, at: Timestamp) -> Queued<EntryResults> {
        let entry = |plant| Write::Resolution(plant, resolution, at);
        self.write_all(plants.into_iter().map(entry).collect())
    }

    /// Records the report of a contract check. Durable when the future returns.
    ///
    /// # Errors
    ///
    /// The report is not in the journal.
    pub fn keep_run(&self, report: Report) -> Queued<()> {
        self.write(Write::CheckRun(Box::new(report)))
    }

    /// Removes request and response from this store's exchanges that ended before `older_than`, or
    /// only counts them; returns how many. Operation, times and outcome stay, and so does every
    /// exchange of an operation that is unknown and not resolved. Others can write in between.
    ///
    /// # Errors
    ///
    /// The journal cannot be written. Exchanges that were trimmed before stay trimmed.
    pub async fn trim(&self, older_than: Timestamp, only_count: bool) -> Result<usize, JournalError> {
        self.trim_old(Old { before: older_than, in_order_at: None }, only_count).await
    }

    /// Trims what the order of the journal shows to be older than `age`, whatever the clock says: counted from the last
    /// exchange, and up to the first one that is younger. Writes nothing if there is nothing to trim.
    ///
    /// # Errors
    ///
    /// Those of [`Self::trim`].
    pub async fn trim_in_order(&self, age: Duration, now: Timestamp) -> Result<usize, JournalError> {
        match self.read(move |store, _| Old::in_order(store.conn, age, now)).await? {
            Some(old) if self.trim_old(old, true).await? > 0 => self.trim_old(old, false).await,
            Some(_) | None => Ok(0),
        }
    }

    async fn trim_old(&self, old: Old, only_count: bool) -> Result<usize, JournalError> {
        let (mut after, mut exchanges) = (Some(0), 0);
        while let Some(from) = after {
            let step = move |database: &mut Database| database.trim(old, from, only_count);
            let trimmed = self.request(Request::Do, step).await?;
            exchanges += trimmed.exchanges;
            after = trimmed.next;
        }
        Ok(exchanges)
    }

    /// Starts to watch for writes of other programs. While the result lives, the open operations of a
    /// program that ends become unknown at once, at the time that `clock` returns. Must be called in
    /// an async runtime.
    pub fn changes(&self, clock: fn() -> Timestamp) -> Changes {
        let watch = |peers| Changes::of(peers, self.requests.clone(), clock);
        self.shared.peers.as_ref().map(watch).unwrap_or_default()
    }

    /// Closes the journal, also for every other handle, after all earlier requests; but cancels the
    /// lookups of the reader.
    pub async fn close(self) {
        let (done, closed) = oneshot::channel();
        if self.requests.send(Request::Close(done)).is_ok() {
            // Fails if the writer panics; then the journal is closed as well.
            let _ = closed.await;
        }
    }

    /// Closes the journal like [`Self::close`], but leaves a short log beside it. For a program that has written a
    /// single operation: to move the log and to begin another one takes four of its six flushes of the disk.
    pub async fn close_with_log(self) {
        // Fails if the writer has ended; then the journal is closed as well.
        let _ = self.requests.send(Request::Do(Box::new(Database::keep_log)));
        self.close().await;
    }

    /// Makes this journal a member of the team of its store, whose stream starts at the message `since`; all its entries
    /// are to be published then, also once more.
    ///
    /// # Errors
    ///
    /// Nothing has changed. [`JournalError::OtherStream`]: the stream does not continue the one that was joined before.
    pub fn join_team(&self, author: Author, stream: String, since: u64) -> Queued<()> {
        self.in_batch(move |batch| batch.join(&author, (&stream, since)))
    }

    /// Names the author of this member: the journal goes on as another one, which publishes what the stream does not have.
    /// Call it once the stream is read: what it has already would be published again.
    ///
    /// # Errors
    ///
    /// Nothing has changed. [`JournalError::JoinedAgain`]: the journal is another member now.
    pub fn publish_as(&self, reader: MemberId, author: Author) -> Queued<()> {
        self.in_batch(move |batch| {
            team::is_member(batch.store, reader)?;
            batch.publish_as(&author)
        })
    }

    /// Folds messages that this member read, in one commit; returns why entries of them are left out.
    ///
    /// # Errors
    ///
    /// None of them is folded. [`JournalError::JoinedAgain`]: the journal is another member now.
    pub fn receive(&self, reader: MemberId, messages: Vec<TeamMessage>) -> Queued<Vec<LeftOut>> {
        self.in_batch(move |batch| batch.receive(reader, &messages))
    }

    /// Keeps what this member has noted about entries that are missing, until it notes otherwise or joins once more.
    ///
    /// # Errors
    ///
    /// Nothing has changed. [`JournalError::JoinedAgain`]: the journal is another member now.
    pub fn note_missing(&self, reader: MemberId, noted: Option<String>) -> Queued<()> {
        self.in_batch(move |batch| batch.note_missing(reader, noted.as_deref()))
    }

    /// Takes over plants of a snapshot whose entries cannot be read, in one commit. Returns the first plant that is different
    /// here although its entries have been read; what is here stays then. Once all parts are here, a message without
    /// entries and the snapshot's number, given to [`Self::receive`], continues after it.
    ///
    /// # Errors
    ///
    /// None of them is taken over.
    pub fn take_over(&self, part: SnapshotPart) -> Queued<Option<PlantId>> {
        self.in_batch(move |batch| batch.take_over(&part))
    }

    fn write(&self, entry: Write) -> Queued<()> {
        let written = self.write_all(vec![entry]);
        Box::pin(async move { written.await?.pop().unwrap_or(Err(JournalError::Closed)) })
    }

    fn write_all(&self, entries: Vec<Write>) -> Queued<EntryResults> {
        let (reply, response) = oneshot::channel();
        self.send(Request::Write(entries, reply), response)
    }

    /// Runs a lookup on the writer's thread, after all earlier requests.
    pub(super) async fn read<T: Send + 'static>(&self, lookup: impl Lookup<T>) -> Result<T, JournalError> {
        self.request(Request::Read, |database| database.access.read(lookup)).await
    }

    /// Runs a lookup that may take long beside the writer, until the future is dropped; in memory, on its
    /// thread.
    pub(super) async fn search<T: Send + 'static>(&self, lookup: impl Lookup<T>) -> Result<T, JournalError> {
        match &self.shared.reader {
            Some(reader) => reader.read(lookup).await,
            None => self.read(lookup).await,
        }
    }

    /// Does work on the writer's thread, at the time that `request` says.
    pub(super) fn request<T: Send + 'static>(
        &self,
        request: fn(Work) -> Request,
        work: impl FnOnce(&mut Database) -> Result<T, JournalError> + Send + 'static,
    ) -> Queued<T> {
        let (reply, response) = oneshot::channel();
        self.send(request(Box::new(move |database| drop(reply.send(work(database))))), response)
    }

    /// Does work in one transaction before the commit of entries that wait.
    fn in_batch<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Batch<'_>) -> Result<T, Fault> + Send + 'static,
    ) -> Queued<T> {
        self.request(Request::Do, move |database| database.in_batch(work))
    }

    fn send<T: Send + 'static>(
        &self,
        request: Request,
        response: oneshot::Receiver<Result<T, JournalError>>,
    ) -> Queued<T> {
        // If the writer has ended, the request is dropped here, and its reply with it.
        let _ = self.requests.send(request);
        Box::pin(async move { response.await.map_err(|_| JournalError::Closed)? })
    }
}
