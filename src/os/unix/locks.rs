//! Holds temporary files, and names the process that holds a lock on a part of a file.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind};
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

use rustix::io::Errno;
use rustix::process::{Flock, FlockOffsetType, FlockType, fcntl_getlk};

use super::files::{FileId, open_beside_locks};
use crate::os::open_file;
use crate::os::types::Lock;

/// One descriptor for each file that was queried; never closed.
static DESCRIPTORS: LazyLock<Mutex<HashMap<FileId, &File>>> = LazyLock::new(Mutex::default);

/// Describes the other process whose lock prevents this one, on `length` bytes from `start`; `None` if none does.
pub fn holder(path: &Path, bytes: (u64, u64), lock: Lock) -> Option<String> {
    let held = held(path, bytes, lock).ok()??;
    // A process of another namespace has no id here.
    Some(held.pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {}", pid.as_raw_nonzero())))
}

/// Whether the file system of a file does not lock files.
pub fn are_missing(path: &Path) -> bool {
    held(path, (0, 1), Lock::Reading).is_err_and(|why| why == Errno::NOLCK)
}

/// Whether a file was not locked because its file system locks none.
pub fn is_of_missing(why: &Error) -> bool {
    why.kind() == ErrorKind::Unsupported || Errno::from_io_error(why) == Some(Errno::NOLCK)
}

/// Returns the lock of another process that prevents this one.
fn held(path: &Path, (start, length): (u64, u64), lock: Lock) -> rustix::io::Result<Option<Flock>> {
    let typ = match lock {
        Lock::Reading => FlockType::ReadLock,
        Lock::Writing => FlockType::WriteLock,
    };
    let mut descriptors = DESCRIPTORS.lock().unwrap_or_else(PoisonError::into_inner);
    let file = match descriptors.entry(FileId::at(path).ok_or(Errno::NOENT)?) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(open_beside_locks(path).map_err(|_| Errno::NOENT)?),
    };
    fcntl_getlk(&**file, &Flock { start, length, pid: None, typ, offset_type: FlockOffsetType::Set })
}

/// Describes the other process that has a file open and holds any lock on these bytes; `None` if none does.
pub fn opener(path: &Path, bytes: (u64, u64)) -> Option<String> {
    holder(path, bytes, Lock::Writing)
}

/// Holds a temporary file as long as it is open; fails if another program has taken it for one that was left.
pub fn hold(file: &File) -> bool {
    // Without locks in this file system, none takes it.
    !matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// Whether no program holds a temporary file.
pub fn is_left(path: &Path) -> bool {
    open_file(OpenOptions::new().read(true), path).and_then(|file| Ok(file.try_lock()?)).is_ok()
}
