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
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::error::JournalError;
use super::files;
use super::peers::{Joined, Peers};
use crate::domain::OperationId;
use crate::os::files::private;

/// The folder of lock files, inside the journal's.
const FOLDER: &str = "instances";

/// Held while this program may have operations in flight.
#[derive(Debug)]
pub(super) struct InstanceLock {
    origin: u64,
    file: File,
    path: PathBuf,
    peers: Joined,
}

/// The numbers of operations that were never sent, left in the name of a file by a program that could
/// not write the journal before it ended.
///
/// The program renames its lock file to the note: a rename needs no disk space and is atomic. The
/// file is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    /// The origin of the program that left the note.
    pub(super) origin: u64,
    unsent: Vec<RangeInclusive<u32>>,
    path: PathBuf,
}

impl Note {
    const ENDING: &str = ".unsent";

    /// The length of a file name in bytes that every file system allows.
    const MAX_NAME: usize = 255;

    /// Returns the name of a note, with as many of the numbers as fit. The others become unknown.
    fn name(origin: u64, unsent: &[RangeInclusive<u32>]) -> String {
        let mut name = format!("{origin:016x}");
        for range in unsent {
            let more = format!(".{:x}-{:x}", range.start(), range.end());
            if name.len() + more.len() + Self::ENDING.len() > Self::MAX_NAME {
                break;
            }
            name += &more;
        }
        name + Self::ENDING
    }

    /// Parses the name of a file; `None` unless all of it is a note.
    fn of(path: PathBuf) -> Option<Self> {
        let mut parts = path.file_name()?.to_str()?.strip_suffix(Self::ENDING)?.split('.');
        let origin = parse_origin(parts.next()?)?;
        let number = |digits: &str| u32::from_str_radix(digits, 16).ok();
        let range = |part: &str| part.split_once('-').and_then(|(from, to)| Some(number(from)?..=number(to)?));
        let unsent = parts.map(range).collect::<Option<_>>()?;
        Some(Self { origin, unsent, path })
    }

    /// Returns whether the note names this operation as never sent.
    pub(super) fn is_unsent(&self, operation: OperationId) -> bool {
        operation.origin == self.origin && self.unsent.iter().any(|range| range.contains(&operation.number))
    }
}

/// Returns the notes that were left for the journal in this folder.
pub(super) fn notes(folder: &Path) -> Vec<Note> {
    let entries = fs::read_dir(folder_in(folder)).into_iter().flatten().flatten();
    entries.filter_map(|entry| Note::of(entry.path())).collect()
}

/// Removes notes whose operations have ended in the journal.
pub(super) fn remove_notes(notes: &[Note]) {
    for note in notes {
        // If this fails, the next program that opens the journal removes the note.
        let _ = fs::remove_file(&note.path);
    }
}

/// Returns the folder of the lock files of the journal in this folder.
pub(super) fn folder_in(folder: &Path) -> PathBuf {
    folder.join(FOLDER)
}

fn file_of(folder: &Path, origin: u64) -> PathBuf {
    folder_in(folder).join(format!("{origin:016x}.lock"))
}

fn parse_origin(digits: &str) -> Option<u64> {
    if digits.len() == 16 { u64::from_str_radix(digits, 16).ok() } else { None }
}

/// Returns the origin whose lock file has this name.
fn origin_of(name: &str) -> Option<u64> {
    parse_origin(name.strip_suffix(".lock")?)
}

fn open_private(path: &Path) -> io::Result<File> {
    private().read(true).write(true).create(true).truncate(false).open(path)
}

/// Locks this program's file, so that other programs see that it is running, and connects to them.
///
/// # Errors
///
/// The lock file cannot be created or locked; some network file systems cannot lock.
pub(super) fn acquire(folder: &Path, origin: u64) -> Result<InstanceLock, JournalError> {
    files::make_private_folder(&folder_in(folder))?;
    let path = file_of(folder, origin);
    let file = open_private(&path).map_err(JournalError::io("create", &path))?;
    match file.try_lock_shared() {
        Ok(()) => {
            let peers = Peers::join(&folder_in(folder)).map(Arc::new).map_err(|error| error.to_string());
            Ok(InstanceLock { origin, file, path, peers })
        }
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked { path }),
        Err(TryLockError::Error(error)) => {
            let action = "lock (a journal on a network file system is not safe; a local folder is)";
            Err(JournalError::io(action, &path)(error))
        }
    }
}

impl InstanceLock {
    /// Notifies the other programs of a committed write.
    pub(super) fn signal(&self) {
        // A program without a connection sees the write at its next lookup.
        if let Ok(peers) = &self.peers {
            peers.notify();
        }
    }

    pub(super) fn peers(&self) -> Joined {
        self.peers.clone()
    }

    /// Renames the file to a note of the operations that were never sent, unless another journal of
    /// this program holds the file. If that fails, all its open operations become unknown.
    ///
    /// The lock is held until the rename, so that no other program ends the operations before.
    pub(super) fn release_with_note(self, unsent: &[RangeInclusive<u32>]) {
        self.leave();
        if self.is_only_holder() {
            let _ = fs::rename(&self.path, self.path.with_file_name(Note::name(self.origin, unsent)));
        }
    }

    /// Removes the file, unless another journal of this program holds it.
    pub(super) fn release(self) {
        self.leave();
        if self.is_only_holder() {
            // If this fails, the next program that probes the lock removes the file.
            let _ = fs::remove_file(&self.path);
        }
    }

    fn leave(&self) {
        if let Ok(peers) = &self.peers {
            peers.leave();
        }
    }

    /// Locks the file exclusively; returns whether that worked.
    fn is_only_holder(&self) -> bool {
        self.file.unlock().is_ok() && self.file.try_lock().is_ok()
    }
}

/// Returns whether the program with this origin is running, and removes the lock file of an ended
/// one. A file that cannot be probed counts as held.
pub(super) fn is_alive(folder: &Path, origin: u64) -> bool {
    let path = file_of(folder, origin);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) => return error.kind() != ErrorKind::NotFound,
    };
    let locked = match file.try_lock() {
        // A network file system locks only files that are open for writing.
        Err(TryLockError::Error(_)) => {
            OpenOptions::new().write(true).open(&path).map_err(TryLockError::Error).and_then(|file| file.try_lock())
        }
        locked @ (Ok(()) | Err(TryLockError::WouldBlock)) => locked,
    };
    if locked.is_ok() {
        let _ = fs::remove_file(&path);
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
/// (`File::try_lock`) the journal. Dropping the returned file releases the lock.
///
/// # Errors
///
/// [`JournalError::Locked`] after the time-out; or the file cannot be created or locked.
pub(super) fn gate(
    folder: &Path,
    try_lock: fn(&File) -> Result<(), TryLockError>,
    timeout: Duration,
) -> Result<File, JournalError> {
    const PAUSE: Duration = Duration::from_millis(10);
    files::make_private_folder(&folder_in(folder))?;
    let path = folder_in(folder).join("gate");
    // A lock needs no write permission on an existing file.
    let file = File::open(&path).or_else(|_| open_private(&path)).map_err(JournalError::io("create", &path))?;
    let mut waited = Duration::ZERO;
    loop {
        match try_lock(&file) {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if waited < timeout => {
                std::thread::sleep(PAUSE);
                waited += PAUSE;
            }
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked { path: files::file_in(folder) }),
            Err(TryLockError::Error(error)) => return Err(JournalError::io("lock", &path)(error)),
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
    fn a_note_round_trips_and_a_full_name_drops_the_last_numbers() {
        let round = |unsent: &[RangeInclusive<u32>]| {
            let name = Note::name(7, unsent);
            assert!(name.len() <= Note::MAX_NAME && origin_of(&name).is_none(), "{name}");
            Note::of(Path::new("instances").join(name)).unwrap()
        };
        let few = [0..=0, 2..=9, u32::MAX - 1..=u32::MAX];
        assert_eq!(round(&few).unsent, few);
        let many: Vec<_> = (0..1000).map(|n| 2_000_000_000 + 3 * n..=2_000_000_001 + 3 * n).collect();
        let kept = round(&many).unsent;
        assert!(kept.len() > 10 && many.starts_with(&kept), "{kept:?}");
        let note = round(&few);
        let is_unsent = |origin, number| note.is_unsent(OperationId { origin, number });
        assert!(is_unsent(7, 0) && is_unsent(7, 9) && !is_unsent(7, 1) && !is_unsent(7, 10) && !is_unsent(8, 0));
        for name in [
            "",
            ".unsent",
            "7.1-2.unsent",
            "0000000000000007.1.unsent",
            "0000000000000007.1-x.unsent",
            "0000000000000007.1-2.unsent.bak",
            "0000000000000007.1-2..unsent",
            "0000000000000007.lock",
            "gate",
        ] {
            assert_eq!(Note::of(PathBuf::from(name)), None, "{name}");
        }
    }

    #[test]
    fn the_last_holder_renames_its_lock_file_to_the_note() {
        let folder = tempfile::tempdir().unwrap();
        let one = acquire(folder.path(), 7).unwrap();
        let two = acquire(folder.path(), 7).unwrap();
        one.release_with_note(&[1..=2]);
        assert_eq!((is_alive(folder.path(), 7), notes(folder.path())), (true, vec![]));
        two.release_with_note(&[1..=2]);
        let left = notes(folder.path());
        assert_eq!((is_alive(folder.path(), 7), left.len(), left[0].origin), (false, 1, 7));
        assert!(!remove_dead_locks(folder.path(), None));
        assert_eq!(notes(folder.path()), left);
        remove_notes(&left);
        assert_eq!(notes(folder.path()), []);
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
