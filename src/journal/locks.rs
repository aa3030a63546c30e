//! Names the process that keeps the journal locked, to a person who waits for it.
//!
//! The system knows which process holds a lock of `SQLite`'s.

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::time::Duration;

use tokio::time::sleep;

use super::files;
use crate::os::locks;
use crate::os::types::Lock;
use crate::text::shown_path;

/// Lock time-out of writes.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Lock time-out of a program that is to end.
pub(super) const HURRIED_TIMEOUT: Duration = Duration::from_millis(500);

/// Lock time-out of writes that can be done later.
pub(super) const SHORT_TIMEOUT: Duration = Duration::from_millis(50);

/// The time after which a person who waits is notified.
const NOTICE_AFTER: Duration = Duration::from_secs(2);

/// The byte, and number of bytes, that a writer locks in the shared memory.
const WRITE_LOCK: (u64, u64) = (120, 1);

/// The bytes that `SQLite` locks in the journal itself: pending, reserved and shared.
const FILE_LOCK: (u64, u64) = (0x4000_0000, 512);

/// Waits for `done`, which works on the journal at a path. If that takes long because another process
/// holds a lock, calls `notify` once with a sentence that names the process, and waits on.
pub(super) async fn notify_if_locked<T>(
    done: impl Future<Output = T>,
    journal: Option<PathBuf>,
    notify: impl FnOnce(String),
) -> T {
    let mut done = pin!(done);
    let Some(journal) = journal else { return done.await };
    loop {
        tokio::select! {
            biased;
            done = &mut done => return done,
            () = sleep(NOTICE_AFTER) => {}
        }
        let path = journal.clone();
        // Without a holder, the disk is slow.
        if let Ok(Some(holder)) = tokio::task::spawn_blocking(move || holder(&path)).await {
            notify(format!(
                "{holder} keeps the journal {} locked: waiting for it, {} seconds at most.",
                shown_path(&journal),
                BUSY_TIMEOUT.as_secs()
            ));
            return done.await;
        }
    }
}

/// Describes the other process that keeps the journal at this path locked; `None` if none does.
fn holder(path: &Path) -> Option<String> {
    let shared_memory = files::companions(path).last()?;
    // A reader's lock on the journal itself does not block writers.
    let holder = locks::holder(&shared_memory, WRITE_LOCK, Lock::Writing);
    holder.or_else(|| locks::holder(path, FILE_LOCK, Lock::Reading))
}

/// Describes another process that has the journal at this path open; `None` if none has. Each open
/// connection of `SQLite` to a journal with a log holds a reader's lock.
pub(super) fn opener(path: &Path) -> Option<String> {
    locks::opener(path, FILE_LOCK)
}
