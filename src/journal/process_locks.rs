//! Instance locks: show which running programs have the journal open.
//!
//! Each running program holds a lock on a file of its own. The system releases the lock however the
//! program ends, so no process ids, which the system reuses, and no clock are needed.
//!
//! Programs acquire, release and probe these locks inside a write transaction of the journal, which
//! one program at a time can hold; so no program removes a file that another is about to lock.
//!
//! A holder's lock is shared and a probe's lock is exclusive: two journals of one program (one per
//! store) can both hold its file, and a probe fails on either.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::error::JournalError;
use super::files;
use super::peers::{Joined, Peers};
use crate::os::files::private;
use crate::os::{locks, open_file};

/// Held while this program may have operations in flight.
#[derive(Debug)]
pub(super) struct InstanceLock {
    file: Held,
    path: PathBuf,
    peers: Joined,
}

/// A locked file. Dropping it releases the lock at once: closing the file alone would leave it to a child
/// process that is about to start and still has the file open.
#[derive(Debug)]
pub(super) struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        // Closing releases the lock of a system that cannot do more.
        let _ = self.0.unlock();
    }
}

/// Returns the folder of the lock files of the journal in this folder.
pub(super) fn folder_in(folder: &Path) -> PathBuf {
    folder.join(files::LOCKS)
}

fn file_of(folder: &Path, origin: u64) -> PathBuf {
    folder_in(folder).join(format!("{origin:016x}.lock"))
}

/// Returns the origin whose lock file has this name.
fn origin_of(name: &str) -> Option<u64> {
    name.strip_suffix(".lock")
        .filter(|digits| digits.len() == 16)
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
}

fn open_private(path: &Path) -> io::Result<File> {
    open_file(private().read(true).write(true).create(true).truncate(false), path)
}

fn open_existing(path: &Path) -> io::Result<File> {
    open_file(OpenOptions::new().read(true), path)
}

/// Returns the error of a lock that no other program prevents.
fn not_locked(path: PathBuf, why: io::Error) -> JournalError {
    if locks::is_of_missing(&why) { JournalError::NoLocks { path } } else { JournalError::io("lock", &path)(why) }
}

/// Locks this program's file, so that other programs see that it is running, and connects to them.
///
/// # Errors
///
/// The lock file cannot be created; [`JournalError::NoLocks`].
pub(super) fn acquire(folder: &Path, origin: u64) -> Result<InstanceLock, JournalError> {
    files::make_private_folder(&folder_in(folder))?;
    let path = file_of(folder, origin);
    let file = open_private(&path).map_err(JournalError::io("create", &path))?;
    match file.try_lock_shared() {
        Ok(()) => {
            let peers = Peers::join(&folder_in(folder)).map(Arc::new).ok();
            Ok(InstanceLock { file: Held(file), path, peers })
        }
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked { path }),
        Err(TryLockError::Error(why)) => Err(not_locked(path, why)),
    }
}

impl InstanceLock {
    /// Notifies the other programs of a committed write.
    pub(super) fn signal(&self) {
        // A program without a connection polls.
        if let Some(peers) = &self.peers {
            peers.notify();
        }
    }

    pub(super) fn peers(&self) -> Joined {
        self.peers.clone()
    }

    /// Removes the file, unless another journal of this program holds it.
    pub(super) fn release(self) {
        if let Some(peers) = &self.peers {
            peers.leave();
        }
        drop(self.file);
        is_held(&self.path);
    }
}

/// Returns whether the program with this origin is running, and removes the lock file of an ended
/// one.
pub(super) fn is_alive(folder: &Path, origin: u64) -> bool {
    is_held(&file_of(folder, origin))
}

/// Returns whether a journal holds a lock file, and removes it otherwise. A file that cannot be probed
/// counts as held.
fn is_held(path: &Path) -> bool {
    let file = match open_existing(path) {
        Ok(file) => file,
        Err(error) => return error.kind() != ErrorKind::NotFound,
    };
    let locked = match file.try_lock() {
        // A network file system locks only files that are open for writing.
        Err(TryLockError::Error(_)) => {
            OpenOptions::new().write(true).open(path).map_err(TryLockError::Error).and_then(|file| file.try_lock())
        }
        locked @ (Ok(()) | Err(TryLockError::WouldBlock)) => locked,
    };
    if locked.is_ok() {
        let _ = fs::remove_file(path);
    }
    locked.is_err()
}

/// Removes the lock files of all ended programs; returns whether any program but the one with the
/// origin `own` is running.
pub(super) fn remove_dead_locks(folder: &Path, own: Option<u64>) -> bool {
    let entries = match fs::read_dir(folder_in(folder)) {
        Ok(entries) => entries,
        Err(error) => return error.kind() != ErrorKind::NotFound,
    };
    let mut any_alive = false;
    for entry in entries {
        let Ok(entry) = entry else { return true };
        let Some(origin) = entry.file_name().to_str().and_then(origin_of) else { continue };
        any_alive |= Some(origin) != own && is_alive(folder, origin);
    }
    any_alive
}

/// Waits up to `timeout` for the lock around opening (`File::try_lock_shared`) or replacing
/// (`File::try_lock`) the journal.
///
/// # Errors
///
/// [`JournalError::Locked`] after the time-out; [`JournalError::NoLocks`]; or the file cannot be created.
pub(super) fn gate(
    folder: &Path,
    try_lock: fn(&File) -> Result<(), TryLockError>,
    timeout: Duration,
) -> Result<Held, JournalError> {
    const PAUSE: Duration = Duration::from_millis(10);
    files::make_private_folder(&folder_in(folder))?;
    let path = folder_in(folder).join("gate");
    // A lock needs no write permission on an existing file.
    let file = open_existing(&path).or_else(|_| open_private(&path)).map_err(JournalError::io("create", &path))?;
    let mut waited = Duration::ZERO;
    loop {
        match try_lock(&file) {
            Ok(()) => return Ok(Held(file)),
            Err(TryLockError::WouldBlock) if waited < timeout => {
                std::thread::sleep(PAUSE);
                waited += PAUSE;
            }
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked { path: files::file_in(folder) }),
            Err(TryLockError::Error(why)) => return Err(not_locked(path, why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_alive_until_its_last_lock_is_released() {
        let folder = tempfile::tempdir().unwrap();
        let one = acquire(folder.path(), 7).unwrap();
        let two = acquire(folder.path(), 7).unwrap();
        assert!(is_alive(folder.path(), 7));
        one.release();
        assert!(is_alive(folder.path(), 7));
        assert!(file_of(folder.path(), 7).exists());
        two.release();
        assert!(!file_of(folder.path(), 7).exists());
        assert!(!is_alive(folder.path(), 7));
    }

    #[test]
    fn only_the_lock_files_of_ended_programs_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        drop(acquire(folder.path(), 1).unwrap());
        let _alive = acquire(folder.path(), u64::MAX).unwrap();
        assert!(remove_dead_locks(folder.path(), Some(3)));
        assert!(!file_of(folder.path(), 1).exists());
        assert!(file_of(folder.path(), u64::MAX).exists());
        assert!(!remove_dead_locks(folder.path(), Some(u64::MAX)));
    }
}

#[cfg(test)]
#[cfg(unix)]
mod on_unix {
    use super::*;

    #[test]
    fn a_pipe_in_place_of_a_lock_blocks_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder_in(folder.path())).unwrap();
        for name in ["gate", "0000000000000007.lock"] {
            let made = std::process::Command::new("mkfifo").arg(folder_in(folder.path()).join(name)).status();
            assert!(made.unwrap().success());
        }
        let why = gate(folder.path(), File::try_lock_shared, Duration::ZERO).unwrap_err();
        assert!(why.to_string().contains("it is a pipe"), "{why}");
        assert!(is_alive(folder.path(), 7), "it cannot be probed");
        let undo = folder.path().join("journal.db-journal");
        assert!(std::process::Command::new("mkfifo").arg(&undo).status().unwrap().success());
        let checked = files::check(&files::file_in(folder.path()));
        assert_eq!(checked, Err(JournalError::NotAJournal { path: undo }));
    }

    /// A child process has the same open files until it runs its program.
    #[test]
    fn a_lock_is_released_although_a_child_has_its_file_open() {
        let folder = tempfile::tempdir().unwrap();
        let lock = acquire(folder.path(), 7).unwrap();
        let _of_child = lock.file.0.try_clone().unwrap();
        lock.release();
        assert!(!is_alive(folder.path(), 7));
        let gate = |try_lock| gate(folder.path(), try_lock, Duration::ZERO);
        let opening = gate(File::try_lock_shared).unwrap();
        let _of_child = opening.0.try_clone().unwrap();
        drop(opening);
        assert!(gate(File::try_lock).is_ok());
    }
}
