//! The reader: a second connection to a journal on disk, so that a long search does not delay writes.
//!
//! It connects with the first lookup. Each lookup sees every commit before it was started. A lookup whose
//! future is dropped is cancelled. The reader cancels its work and closes before the writer does.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use super::access::{Access, Lookup};
use super::error::JournalError;
use super::files;
use super::identity::Identity;
use super::locks::{BUSY_TIMEOUT, SHORT_TIMEOUT};
use crate::os::stay;

/// The number of virtual-machine steps after which `SQLite` checks whether a lookup is cancelled.
const STEPS: i32 = 1000;

/// The size of a log in bytes above which the reader truncates it: 64 MiB.
pub(super) const LONG_LOG: u64 = 64 << 20;

/// Runs lookups, one after another; shared by the writer and all handles.
#[derive(Debug)]
pub(super) struct Reader {
    path: PathBuf,
    store: i64,
    identity: Arc<Identity>,
    closed: Arc<AtomicBool>,
    /// `None` before the first lookup, and after one that failed to open it, or that panicked.
    access: Mutex<Option<Access>>,
}

impl Reader {
    /// The reader of a journal that the writer has open, for the store with this key.
    pub(super) fn of(path: PathBuf, store: i64, identity: Arc<Identity>) -> Self {
        Self { path, store, identity, closed: Arc::default(), access: Mutex::default() }
    }

    pub(super) fn access(&self) -> MutexGuard<'_, Option<Access>> {
        self.access.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a lookup, which is cancelled when the result is dropped. Must be called in an async runtime.
    pub(super) fn read<T: Send + 'static>(
        self: &Arc<Self>,
        lookup: impl Lookup<T>,
    ) -> BoxFuture<'static, Result<T, JournalError>> {
        let (reply, response) = oneshot::channel();
        let wanted = Arc::new(());
        let (reader, waiting, closed) = (Arc::clone(self), Arc::downgrade(&wanted), Arc::clone(&self.closed));
        let is_cancelled = move || waiting.strong_count() == 0 || closed.load(Ordering::SeqCst);
        spawn_blocking(move || {
            let mut kept = reader.access();
            let found = if is_cancelled() {
                Err(JournalError::Closed)
            } else {
                let opened = kept.take().map_or_else(|| reader.open(), Ok);
                opened.and_then(|mut access| {
                    // Interrupts `SQLite` as soon as the lookup is cancelled.
                    let set = access.conn.progress_handler(STEPS, Some(is_cancelled));
                    set.map_err(|error| access.error(error.into()))?;
                    let found = access.read(lookup);
                    *kept = Some(access);
                    found
                })
            };
            drop(reply.send(found));
            if let Some(access) = &*kept {
                access.shorten_log();
            }
        });
        Box::pin(async move {
            let found = response.await;
            drop(wanted);
            found.map_err(|_| JournalError::Closed)?
        })
    }

    fn open(&self) -> Result<Access, JournalError> {
        Access::for_lookups(&self.path, self.store, &self.identity)
    }

    /// Cancels every lookup, and closes the connection.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        drop(self.access().take());
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

impl Access {
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
            {
                let _stays = stay();
                // The first mode moves most of the log without blocking writers, the second the rest.
                let _ = checkpoint("PASSIVE");
                let _ = checkpoint("TRUNCATE");
            }
            if !is_long() {
                break;
            }
            // Another connection is reading or writing.
            thread::sleep(PAUSE);
        }
        let _ = self.conn.busy_timeout(BUSY_TIMEOUT);
    }
}
