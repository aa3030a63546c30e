//! The reader's thread: a second connection to a journal on disk, so that a long search does not
//! delay writes.
//!
//! The thread starts with the first lookup. Each lookup sees every commit before it was queued. A
//! newer lookup on the same topic cancels an older one. The reader cancels its work and closes before
//! the writer does.

use std::mem::discriminant;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::oneshot;

use super::access::{Access, Lookup};
use super::error::JournalError;
use super::files;
use super::identity::Identity;
use super::locks::{BUSY_TIMEOUT, SHORT_TIMEOUT};
use super::sorted_index::Arrangement;

/// The number of virtual-machine steps after which `SQLite` checks whether a lookup is cancelled.
const STEPS: i32 = 1000;

/// The size of a log in bytes above which the reader truncates it: 64 MiB.
pub(super) const LONG_LOG: u64 = 64 << 20;

/// What a lookup is about, if a newer one replaces it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Topic {
    Log,
    Latencies,
    /// Windows of the sorted list. A newer lookup with the same arrangement does not cancel the older
    /// one: both need the same sorted index.
    Arranged(Arrangement),
}

/// The receiver of a lookup's result.
pub(super) type LookupReceiver<T> = oneshot::Receiver<Result<T, JournalError>>;

/// Queues lookups; shared by the writer and all handles.
#[derive(Debug)]
pub(super) struct Reader {
    path: PathBuf,
    store: i64,
    identity: Arc<Identity>,
    closed: Arc<AtomicBool>,
    queue: Mutex<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    /// The newest lookup of each topic.
    newest: Vec<(Topic, Ticket)>,
    thread: Option<(Sender<Task>, JoinHandle<()>)>,
}

/// Shows whether a lookup is cancelled.
#[derive(Debug, Clone)]
struct Ticket {
    superseded: Arc<AtomicBool>,
    closed: Arc<AtomicBool>,
}

impl Ticket {
    /// Returns why the lookup is cancelled; `None` if it is not.
    fn cancelled(&self) -> Option<JournalError> {
        if self.closed.load(Ordering::SeqCst) {
            Some(JournalError::Closed)
        } else if self.superseded.load(Ordering::SeqCst) {
            Some(JournalError::Superseded)
        } else {
            None
        }
    }
}

type Work = Box<dyn FnOnce(Result<&mut Access, JournalError>) + Send>;

/// A lookup, with a function that runs it and sends its result; or sends why there is no connection.
struct Task {
    ticket: Ticket,
    work: Work,
}

impl Reader {
    /// The reader of a journal that the writer has open, for the store with this key.
    pub(super) fn of(path: PathBuf, store: i64, identity: Arc<Identity>) -> Self {
        Self { path, store, identity, closed: Arc::default(), queue: Mutex::default() }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a lookup and cancels older ones of its topic.
    ///
    /// # Errors
    ///
    /// The reader is closed, or its thread could not be started.
    pub(super) fn read<T: Send + 'static>(
        &self,
        topic: Option<Topic>,
        lookup: impl Lookup<T>,
    ) -> Result<LookupReceiver<T>, JournalError> {
        let (reply, response) = oneshot::channel();
        let mut queue = self.queue();
        let ticket = self.ticket(&mut queue, topic);
        let of_work = ticket.clone();
        let work = move |access: Result<&mut Access, JournalError>| {
            let found = access.and_then(|access| {
                access.cancel_with(of_work.clone())?;
                access.read(lookup)
            });
            let cause = |why| if why == JournalError::Superseded { of_work.cancelled().unwrap_or(why) } else { why };
            drop(reply.send(found.map_err(cause)));
        };
        if self.closed.load(Ordering::SeqCst) {
            return Err(JournalError::Closed);
        }
        let (tasks, _) = match &mut queue.thread {
            Some(thread) => thread,
            none @ None => none.insert(self.start()?),
        };
        tasks.send(Task { ticket, work: Box::new(work) }).map_err(|_| JournalError::Closed)?;
        Ok(response)
    }

    /// Cancels the older lookups of a topic.
    pub(super) fn supersede(&self, topic: Topic) {
        self.ticket(&mut self.queue(), Some(topic));
    }

    fn ticket(&self, queue: &mut Queue, topic: Option<Topic>) -> Ticket {
        let ticket = Ticket { superseded: Arc::default(), closed: Arc::clone(&self.closed) };
        let Some(topic) = topic else { return ticket };
        match queue.newest.iter_mut().find(|(older, _)| discriminant(older) == discriminant(&topic)) {
            Some((older @ Topic::Arranged(_), shared)) if *older == topic => return shared.clone(),
            Some(older) => {
                older.1.superseded.store(true, Ordering::SeqCst);
                *older = (topic, ticket.clone());
            }
            None => queue.newest.push((topic, ticket.clone())),
        }
        ticket
    }

    fn start(&self) -> Result<(Sender<Task>, JoinHandle<()>), JournalError> {
        let (tasks, inbox) = channel();
        let (path, store, identity) = (self.path.clone(), self.store, Arc::clone(&self.identity));
        let handle = thread::Builder::new()
            .name("journal-reader".to_owned())
            .spawn(move || serve(&inbox, || Access::for_lookups(&path, store, &identity)))
            .map_err(|error| JournalError::NoThread { name: "second thread", reason: error.to_string() })?;
        Ok((tasks, handle))
    }

    /// Returns whether the thread was started.
    #[cfg(test)]
    pub(super) fn has_begun(&self) -> bool {
        self.queue().thread.is_some()
    }

    /// Cancels every lookup, and waits until the connection is closed.
    pub(super) fn close(&self) {
        let thread = {
            let mut queue = self.queue();
            self.closed.store(true, Ordering::SeqCst);
            queue.thread.take()
        };
        if let Some((tasks, handle)) = thread {
            drop(tasks);
            let _ = handle.join();
        }
    }
}

/// Closes a reader when it is dropped, also by a panic of the writer.
#[derive(Debug)]
pub(super) struct CloseOnDrop(pub(super) Arc<Reader>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn serve(inbox: &Receiver<Task>, open: impl Fn() -> Result<Access, JournalError>) {
    let mut opened: Option<Access> = None;
    for Task { ticket, work } in inbox {
        if let Some(why) = ticket.cancelled() {
            work(Err(why));
            continue;
        }
        // After a failure to open, or a panic, the next lookup opens a new connection.
        let access = opened.take().map_or_else(&open, Ok);
        let done = panic::catch_unwind(AssertUnwindSafe(|| match access {
            Ok(mut access) => {
                work(Ok(&mut access));
                access.shorten_log();
                Some(access)
            }
            Err(why) => {
                work(Err(why));
                None
            }
        }));
        opened = done.unwrap_or_default();
    }
}

impl Access {
    /// Interrupts `SQLite` from now on as soon as the lookup with this ticket is cancelled.
    fn cancel_with(&mut self, ticket: Ticket) -> Result<(), JournalError> {
        let set = self.conn.progress_handler(STEPS, Some(move || ticket.cancelled().is_some()));
        set.map_err(|error| self.error(error.into()))
    }

    /// Truncates a long log. The log grows during a lookup, and where lookups follow each other the
    /// writer cannot truncate it.
    fn shorten_log(&self) {
        const TRIES: usize = 20;
        const PAUSE: Duration = Duration::from_millis(10);
        let checkpoint = |mode: &str| self.conn.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(()));
        let is_long = || files::log_length(&self.path) > LONG_LOG;
        if !is_long() {
            return;
        }
        let _ = self.conn.busy_timeout(SHORT_TIMEOUT);
        for _ in 0..TRIES {
            // The first mode moves most of the log without blocking writers, the second the rest.
            let _ = checkpoint("PASSIVE");
            let _ = checkpoint("TRUNCATE");
            if !is_long() {
                break;
            }
            // Another connection is reading or writing.
            thread::sleep(PAUSE);
        }
        let _ = self.conn.busy_timeout(BUSY_TIMEOUT);
    }
}
