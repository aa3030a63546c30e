//! What differs between operating systems, behind one small interface: files, locks, processes, signals, sockets and the
//! terminal's modes. The only layer that calls the system other than through the standard library.
//!
//! Must not know what a file, a process or a terminal is for.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::SystemTime;

pub mod types;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

/// Shared by those that keep this process from stopping itself.
static STOPS: RwLock<()> = RwLock::new(());

/// Keeps this process from stopping itself while the result lives: it holds a lock that other processes wait for. A thread
/// must not call it twice.
pub fn stay() -> RwLockReadGuard<'static, ()> {
    STOPS.read().unwrap_or_else(PoisonError::into_inner)
}

/// The state of a file: identity, length and modification time, read one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileState(files::FileId, u64, Option<SystemTime>);

impl FileState {
    pub fn at(path: &Path) -> Option<Self> {
        let found = path.metadata().ok()?;
        Some(Self(files::FileId::at(path)?, found.len(), found.modified().ok()))
    }
}

/// # Errors
///
/// A pipe is in the place of a file, which could block the program that opens it.
pub fn reject_pipe(path: &Path) -> io::Result<()> {
    if files::is_pipe(path) { Err(io::Error::other("it is a pipe")) } else { Ok(()) }
}

/// Opens a file, unless a pipe is in its place.
///
/// # Errors
///
/// The file cannot be opened, or is a pipe.
pub fn open_file(options: &OpenOptions, path: &Path) -> io::Result<File> {
    reject_pipe(path)?;
    options.open(path)
}
