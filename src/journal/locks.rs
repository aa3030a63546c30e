//! Who keeps the journal locked, told to a person who waits for it.
//!
//! The system knows which process holds a lock of `SQLite`'s. It is asked through a descriptor that
//! is never closed: closing one would drop our own locks on that file.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Flock, FlockOffsetType, FlockType, fcntl_getlk};
use tokio::time::sleep;

use super::files;
use super::identity::FileId;
use crate::domain::text::shown_path;

/// How long a write waits for another program to finish its own.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// How long others are waited for with what can be done another time.
pub(super) const SHORT_TIMEOUT: Duration = Duration::from_millis(50);

/// How long a person waits without a word.
const SILENCE: Duration = Duration::from_secs(2);

/// Where `SQLite` locks the shared memory for one who writes.
const WRITE_LOCK: (u64, u64) = (120, 1);

/// Where it locks the journal itself: pending, reserved and shared.
const FILE_LOCK: (u64, u64) = (0x4000_0000, 512);

/// One descriptor for each file that was asked about, for good.
static ASKED: Mutex<Option<HashMap<FileId, ManuallyDrop<File>>>> = Mutex::new(None);

/// Waits for something to be done with the journal at a path. If that takes long because another
/// process holds it, `tell` hears once which one; waiting goes on.
pub(super) async fn telling<T>(
    done: impl Future<Output = T>,
    journal: Option<PathBuf>,
    tell: impl FnOnce(String),
) -> T {
    let mut done = pin!(done);
    let Some(journal) = journal else { return done.await };
    loop {
        tokio::select! {
            biased;
            done = &mut done => return done,
            () = sleep(SILENCE) => {}
        }
        let path = journal.clone();
        // Otherwise it is the disk that is slow.
        if let Ok(Some(holder)) = tokio::task::spawn_blocking(move || holder(&path)).await {
            tell(format!(
                "{holder} keeps the journal {} locked: waiting for it, {} seconds at most.",
                shown_path(&journal),
                BUSY_TIMEOUT.as_secs()
            ));
            return done.await;
        }
    }
}

/// The other process that keeps the journal at this path locked, in words; `None` if none does.
fn holder(path: &Path) -> Option<String> {
    let shared_memory = files::companions(path).last()?;
    [(shared_memory.as_path(), WRITE_LOCK), (path, FILE_LOCK)]
        .into_iter()
        .find_map(|(path, place)| lock_on(path, place))
}

fn lock_on(path: &Path, (start, length): (u64, u64)) -> Option<String> {
    // A reader's lock on the journal itself keeps nobody from writing.
    let typ = if length == 1 { FlockType::WriteLock } else { FlockType::ReadLock };
    let wanted = Flock { start, length, pid: None, typ, offset_type: FlockOffsetType::Set };
    let mut asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = match asked.get_or_insert_default().entry(FileId::at(path)?) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(files::open_for_good(path).ok()?),
    };
    let held = fcntl_getlk(&**file, &wanted).ok()??;
    // One that this process cannot see has no number here.
    Some(held.pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {}", pid.as_raw_nonzero())))
}
