//! The reader's thread: a second connection to a journal on disk, so that a long search holds up
//! nobody who writes.
//!
//! It begins with the first question that is put to it. Each sees all that was committed before
//! it was put; and it has to end, and breaks off what it does, before the writer lets go of the
//! journal.

use std::mem::discriminant;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::oneshot;

use super::access::{Access, Question};
use super::error::JournalError;
use super::files;
use super::identity::Identity;
use super::locks::{BUSY_TIMEOUT, SHORT_TIMEOUT};
use super::sorted_index::Arrangement;

/// After so many steps of `SQLite`'s machine it is looked whether a response is still wanted: far
/// more often than a person could notice.
const STEPS: i32 = 1000;

/// A log of so many bytes is long: 64 MiB.
pub(super) const LONG_LOG: u64 = 64 << 20;

/// What a question is about, where whoever asks anew wants the older response no more.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Topic {
    /// Windows of the log.
    Log,
    /// The pulse.
    Latencies,
    /// Windows of the view, arranged. Whoever asks anew for the same arrangement wants what is
    /// being put in order all the same.
    Arranged(Arrangement),
}

/// A response that is to come.
pub(super) type Pending<T> = oneshot::Receiver<Result<T, JournalError>>;

/// The way to the reader; handles and the writer share it.
#[derive(Debug)]
pub(super) struct Reader {
    path: PathBuf,
    store: i64,
    identity: Option<Arc<Identity>>,
    closed: Arc<AtomicBool>,
    line: Mutex<Line>,
}

/// Who waits.
#[derive(Debug, Default)]
struct Line {
    /// The newest question of each topic.
    newest: Vec<(Topic, Ticket)>,
    thread: Option<Thread>,
}

#[derive(Debug)]
struct Thread {
    tasks: Sender<Task>,
    handle: JoinHandle<()>,
}

/// Tells whether a response is still wanted.
#[derive(Debug, Clone)]
struct Ticket {
    superseded: Arc<AtomicBool>,
    closed: Arc<AtomicBool>,
}

impl Ticket {
    /// Why there will be no response, if so.
    fn refused(&self) -> Option<JournalError> {
        if self.closed.load(Ordering::SeqCst) {
            Some(JournalError::Died)
        } else if self.superseded.load(Ordering::SeqCst) {
            Some(JournalError::Superseded)
        } else {
            None
        }
    }
}

/// Looks something up and tells it; or tells why there is nothing to read from.
type Work = Box<dyn FnOnce(Result<&mut Access, JournalError>) + Send>;

/// One question.
struct Task {
    ticket: Ticket,
    work: Work,
}

impl Reader {
    /// Of a journal at a path that the writer has open, for the store with this key.
    pub(super) fn of(path: PathBuf, store: i64, identity: Option<Arc<Identity>>) -> Self {
        Self { path, store, identity, closed: Arc::default(), line: Mutex::default() }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a question. Older ones of its topic are broken off, and answered so.
    ///
    /// # Errors
    ///
    /// The reader is closed, or its thread could not be started.
    pub(super) fn read<T: Send + 'static>(
        &self,
        topic: Option<Topic>,
        question: impl Question<T>,
    ) -> Result<Pending<T>, JournalError> {
        let (reply, response) = oneshot::channel();
        let mut line = self.line();
        let ticket = self.ticket(&mut line, topic);
        let at_work = ticket.clone();
        let work = move |access: Result<&mut Access, JournalError>| {
            let found = access.and_then(|access| {
                access.heed(at_work.clone())?;
                access.read(question)
            });
            let broken_off = |why| if why == JournalError::Superseded { at_work.refused().unwrap_or(why) } else { why };
            drop(reply.send(found.map_err(broken_off)));
        };
        self.put(&mut line, Task { ticket, work: Box::new(work) })?;
        Ok(response)
    }

    /// Breaks off the older questions of a topic.
    pub(super) fn supersede(&self, topic: Topic) {
        self.ticket(&mut self.line(), Some(topic));
    }

    fn ticket(&self, line: &mut Line, topic: Option<Topic>) -> Ticket {
        let ticket = Ticket { superseded: Arc::default(), closed: Arc::clone(&self.closed) };
        let Some(topic) = topic else { return ticket };
        match line.newest.iter_mut().find(|(older, _)| discriminant(older) == discriminant(&topic)) {
            Some((older @ Topic::Arranged(_), shared)) if *older == topic => return shared.clone(),
            Some(older) => {
                older.1.superseded.store(true, Ordering::SeqCst);
                *older = (topic, ticket.clone());
            }
            None => line.newest.push((topic, ticket.clone())),
        }
        ticket
    }

    /// Hands a task to the thread, and starts it for the first.
    fn put(&self, line: &mut Line, task: Task) -> Result<(), JournalError> {
        if self.closed.load(Ordering::SeqCst) {
            return Err(JournalError::Died);
        }
        let thread = match &mut line.thread {
            Some(thread) => thread,
            none @ None => none.insert(self.start()?),
        };
        thread.tasks.send(task).map_err(|_| JournalError::Died)
    }

    fn start(&self) -> Result<Thread, JournalError> {
        let (tasks, inbox) = channel();
        let (path, store, identity) = (self.path.clone(), self.store, self.identity.clone());
        let handle = thread::Builder::new()
            .name("journal-reader".to_owned())
            .spawn(move || serve(&inbox, || Access::reading(&path, store, identity.as_deref())))
            .map_err(|error| JournalError::NoThread { name: "second thread", reason: error.to_string() })?;
        Ok(Thread { tasks, handle })
    }

    /// Whether somebody has asked it anything.
    #[cfg(test)]
    pub(super) fn has_begun(&self) -> bool {
        self.line().thread.is_some()
    }

    /// Breaks off what is being looked up, and waits until the connection is closed. From now on
    /// it answers nothing.
    pub(super) fn close(&self) {
        let thread = {
            let mut line = self.line();
            self.closed.store(true, Ordering::SeqCst);
            line.thread.take()
        };
        if let Some(Thread { tasks, handle }) = thread {
            drop(tasks);
            let _ = handle.join();
        }
    }
}

/// Closes a reader when it is dropped, however its holder ends.
#[derive(Debug)]
pub(super) struct Closing(pub(super) Arc<Reader>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn serve(inbox: &Receiver<Task>, open: impl Fn() -> Result<Access, JournalError>) {
    let mut opened: Option<Access> = None;
    for Task { ticket, work } in inbox {
        if let Some(why) = ticket.refused() {
            work(Err(why));
            continue;
        }
        // Where it cannot be opened, or a question panics, the next may have more luck.
        let access = opened.take().map_or_else(&open, Ok);
        let responded = panic::catch_unwind(AssertUnwindSafe(|| match access {
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
        opened = responded.unwrap_or_default();
    }
}

impl Access {
    /// Breaks off whatever is read from now on once its response is not wanted any more.
    fn heed(&mut self, ticket: Ticket) -> Result<(), JournalError> {
        let heeded = self.conn.progress_handler(STEPS, Some(move || ticket.refused().is_some()));
        heeded.map_err(|error| self.tell(error.into()))
    }

    /// Lets the log begin anew if it has grown long: it grows while something is read, and where
    /// one question follows another nobody else would come to it.
    fn shorten_log(&self) {
        const TRIES: usize = 20;
        const PAUSE: Duration = Duration::from_millis(10);
        let bring_over = |how: &str| self.conn.query_row(&format!("PRAGMA wal_checkpoint({how})"), [], |_| Ok(()));
        let is_long = || files::log_length(&self.path) > LONG_LOG;
        if !is_long() {
            return;
        }
        let _ = self.conn.busy_timeout(SHORT_TIMEOUT);
        for _ in 0..TRIES {
            // First the most of it, which holds up nobody; then what was written meanwhile.
            let _ = bring_over("PASSIVE");
            let _ = bring_over("TRUNCATE");
            if !is_long() {
                break;
            }
            // Others are at it.
            thread::sleep(PAUSE);
        }
        let _ = self.conn.busy_timeout(BUSY_TIMEOUT);
    }
}
