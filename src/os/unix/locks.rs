//! Names the process that holds a lock on a part of a file.

use std::fs::File;

use rustix::process::{Flock, FlockOffsetType, FlockType, fcntl_getlk};

/// What a lock would prevent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    Reading,
    Writing,
}

/// Describes the other process whose lock prevents this one, on `length` bytes from `start`; `None` if none does.
pub fn holder(file: &File, (start, length): (u64, u64), lock: Lock) -> Option<String> {
    let typ = match lock {
        Lock::Reading => FlockType::ReadLock,
        Lock::Writing => FlockType::WriteLock,
    };
    let held =
        fcntl_getlk(file, &Flock { start, length, pid: None, typ, offset_type: FlockOffsetType::Set }).ok()??;
    // A process of another namespace has no id here.
    Some(held.pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {}", pid.as_raw_nonzero())))
}
