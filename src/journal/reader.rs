//! The reader's thread: a second connection to a journal on disk, so that a long search does not
//! delay writes.
//!
//! The thread starts with the first lookup. Each lookup sees every commit before it was queued. A
//! lookup whose future is dropped is cancelled. The reader cancels its work and closes before the
//! writer does.

use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::oneshot;

use super::access::{Access, Lookup};
use super::error::JournalError;
use super::files;
use super::identity::Identity;
use super::locks::{BUSY_TIMEOUT, SHORT_TIMEOUT};

/// The number of virtual-machine steps after which `SQLite` checks whether a lookup is cancelled.
const STEPS: i32 = 1000;

/// The size of a log in bytes above which the reader truncates it: 64 MiB.
pub(super) const LONG_LOG: u64 = 64 << 20;

/// Queues lookups; shared by the writer and all handles.
#[derive(Debug)]
pub(super) struct Reader {
    path: PathBuf,
    store: i64,
    identity: Arc<Identity>,
    closed: Arc<AtomicBool>,
    thread: Mutex<Thread>,
}

/// Shows whether a lookup is cancelled.
#[derive(Debug, Clone)]
struct Ticket {
    /// Gone once nothing waits for the result.
    wanted: Weak<()>,
    closed: Arc<AtomicBool>,
}

impl Ticket {
    fn is_cancelled(&self) -> bool {
        self.wanted.strong_count() == 0 || self.closed.load(Ordering::SeqCst)
    }
}

/// `None` before the first lookup.
type Thread = Option<(Sender<Task>, JoinHandle<()>)>;

type Work = Box<dyn FnOnce(Result<&mut Access, JournalError>) + Send>;

/// A lookup, with a function that runs it and sends its result; or sends why there is no connection.
struct Task {
    ticket: Ticket,
    work: Work,
}

impl Reader {
    /// The reader of a journal that the writer has open, for the store with this key.
    pub(super) fn of(path: PathBuf, store: i64, identity: Arc<Identity>) -> Self {
        Self { path, store, identity, closed: Arc::default(), thread: Mutex::default() }
    }

    fn thread(&self) -> MutexGuard<'_, Thread> {
        self.thread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a lookup, which is cancelled when the result is dropped.
    ///
    /// # Errors
    ///
    /// The reader is closed, or its thread could not be started.
    pub(super) fn read<T: Send + 'static>(
        &self,
        lookup: impl Lookup<T>,
    ) -> Result<BoxFuture<'static, Result<T, JournalError>>, JournalError> {
        let (reply, response) = oneshot::channel();
        let wanted = Arc::new(());
        let ticket = Ticket { wanted: Arc::downgrade(&wanted), closed: Arc::clone(&self.closed) };
        let of_work = ticket.clone();
        let work = move |access: Result<&mut Access, JournalError>| {
            let found = access.and_then(|access| {
                access.cancel_with(of_work)?;
                access.read(lookup)
            });
            drop(reply.send(found));
        };
        let mut thread = self.thread();
        if self.closed.load(Ordering::SeqCst) {
            return Err(JournalError::Closed);
        }
        let (tasks, _) = match &mut *thread {
            Some(thread) => thread,
            none @ None => none.insert(self.start()?),
        };
        tasks.send(Task { ticket, work: Box::new(work) }).map_err(|_| JournalError::Closed)?;
        Ok(Box::pin(async move {
            let found = response.await;
            drop(wanted);
            found.map_err(|_| JournalError::Closed)?
        }))
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
        self.thread().is_some()
    }

    /// Cancels every lookup, and waits until the connection is closed.
    pub(super) fn close(&self) {
        let thread = {
            let mut thread = self.thread();
            self.closed.store(true, Ordering::SeqCst);
            thread.take()
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
        if ticket.is_cancelled() {
            work(Err(JournalError::Closed));
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
        let set = self.conn.progress_handler(STEPS, Some(move || ticket.is_cancelled()));
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
