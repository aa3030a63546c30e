//! Who is alive: each running program holds a lock on a file of its own, and the system
//! releases it however the program ends. No process ids, which are re-used, and no clock.
//!
//! Entering, leaving and looking after others happen inside a write transaction of the journal, which
//! lets one program in at a time; so nobody removes a file that somebody is about to lock.
//!
//! A holder's lock is shared and that of who looks exclusive: two journals of one program (one per
//! store) can both hold their origin's file, and who looks gets past neither.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::error::JournalError;
use crate::domain::OperationId;

/// The folder of lock files, inside the journal's.
const FOLDER: &str = "instances";

/// Held while this program may have operations in flight.
#[derive(Debug)]
pub(super) struct InstanceLock {
    origin: u64,
    file: File,
    path: PathBuf,
}

/// What a program that is gone has left in the name of a file, because the journal could not be
/// written: the numbers of its operations that never left.
///
/// A file that is there already is given this name: that needs no room, and is done whole or not at
/// all. Its content is nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    /// Of that program.
    pub(super) origin: u64,
    unsent: Vec<RangeInclusive<u32>>,
    path: PathBuf,
}

impl Note {
    /// What a note's name ends with.
    const ENDING: &str = ".unsent";

    /// A name has so many bytes at most, everywhere.
    const MOST: usize = 255;

    /// The name for a note, with as many of the numbers as it can hold: those left out are unknown.
    fn name(origin: u64, unsent: &[RangeInclusive<u32>]) -> String {
        let mut name = format!("{origin:016x}");
        for range in unsent {
            let more = format!(".{:x}-{:x}", range.start(), range.end());
            if name.len() + more.len() + Self::ENDING.len() > Self::MOST {
                break;
            }
            name += &more;
        }
        name + Self::ENDING
    }

    /// The note that is the name of this file; `None` if it is anything else, however little.
    fn of(path: PathBuf) -> Option<Self> {
        let mut parts = path.file_name()?.to_str()?.strip_suffix(Self::ENDING)?.split('.');
        let origin = parts.next().filter(|digits| digits.len() == 16)?;
        let origin = u64::from_str_radix(origin, 16).ok()?;
        let number = |digits: &str| u32::from_str_radix(digits, 16).ok();
        let range = |part: &str| part.split_once('-').and_then(|(from, to)| Some(number(from)?..=number(to)?));
        let unsent = parts.map(range).collect::<Option<_>>()?;
        Some(Self { origin, unsent, path })
    }

    /// Whether it says that this operation never left.
    pub(super) fn is_unsent(&self, operation: OperationId) -> bool {
        operation.origin == self.origin && self.unsent.iter().any(|range| range.contains(&operation.number))
    }
}

/// The notes that were left for the journal in this folder.
pub(super) fn notes(folder: &Path) -> Vec<Note> {
    let entries = fs::read_dir(folder_in(folder)).into_iter().flatten().flatten();
    entries.filter_map(|entry| Note::of(entry.path())).collect()
}

/// Removes notes whose operations have ended in the journal.
pub(super) fn remove_notes(notes: &[Note]) {
    for note in notes {
        // One that stays is removed by the next who comes.
        let _ = fs::remove_file(&note.path);
    }
}

/// How a validated program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Liveness {
    /// It holds its lock, or nobody could tell: then nothing is taken from it.
    Alive,
    /// Its file is missing, or nobody holds it.
    Gone,
}

/// Where the lock files of the journal in this folder are.
pub(super) fn folder_in(folder: &Path) -> PathBuf {
    folder.join(FOLDER)
}

fn file_of(folder: &Path, origin: u64) -> PathBuf {
    folder_in(folder).join(format!("{origin:016x}.lock"))
}

/// The origin whose lock file has this name.
fn origin_of(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(".lock").filter(|digits| digits.len() == 16)?;
    u64::from_str_radix(digits, 16).ok()
}

fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes this program's life visible to others.
///
/// # Errors
///
/// The lock file cannot be made or locked; network file systems are known for it.
pub(super) fn enter(folder: &Path, origin: u64) -> Result<InstanceLock, JournalError> {
    super::files::make_private_folder(&folder_in(folder))?;
    let path = file_of(folder, origin);
    let file = open_private(&path).map_err(|error| JournalError::from_io(&error, "create", &path))?;
    match file.try_lock_shared() {
        Ok(()) => Ok(InstanceLock { origin, file, path }),
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked { path }),
        Err(TryLockError::Error(error)) => Err(JournalError::from_io(
            &error,
            "lock (a journal on a network file system is not safe; a local folder is)",
            &path,
        )),
    }
}

impl InstanceLock {
    /// Tells every program that watches the folder that something was written.
    pub(super) fn ring(&self) {
        // Any change of the file is heard. Where none can be made, others see what was written
        // when they next look.
        let _ = self.file.set_modified(SystemTime::UNIX_EPOCH);
    }

    /// Leaves a note of what never left, in the place of the file; unless another journal of this
    /// program still holds it, or the system does not allow it: then all that is open is unknown.
    ///
    /// Until it is done this program lives, so that nobody ends its operations in between.
    pub(super) fn leave_note(self, unsent: &[RangeInclusive<u32>]) {
        if self.file.unlock().is_ok() && self.file.try_lock().is_ok() {
            let _ = fs::rename(&self.path, self.path.with_file_name(Note::name(self.origin, unsent)));
        }
    }

    /// Removes the file, unless another journal of this program still holds it.
    pub(super) fn leave(self) {
        // Both may fail without harm: a file that nobody holds is removed by the next who comes.
        if self.file.unlock().is_ok() && self.file.try_lock().is_ok() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether the program with this origin lives; removes the lock file of one that does not.
pub(super) fn liveness(folder: &Path, origin: u64) -> Liveness {
    let path = file_of(folder, origin);
    // Not for writing: that it is closed again would sound like a death to those who watch.
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Liveness::Gone,
        Err(_) => return Liveness::Alive,
    };
    let locked = match file.try_lock() {
        // A network file system locks only what is open for writing.
        Err(TryLockError::Error(_)) => {
            OpenOptions::new().write(true).open(&path).map_err(TryLockError::Error).and_then(|file| file.try_lock())
        }
        locked @ (Ok(()) | Err(TryLockError::WouldBlock)) => locked,
    };
    match locked {
        Ok(()) => {
            let _ = fs::remove_file(&path);
            Liveness::Gone
        }
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => Liveness::Alive,
    }
}

/// Judges everybody who ever left a lock file, but the program with this origin; tells whether
/// somebody lives.
pub(super) fn liveness_but_for(folder: &Path, own: Option<u64>) -> Liveness {
    let entries = match fs::read_dir(folder_in(folder)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Liveness::Gone,
        Err(_) => return Liveness::Alive,
    };
    let mut found = Liveness::Gone;
    for entry in entries {
        let Ok(entry) = entry else { return Liveness::Alive };
        let Some(origin) = entry.file_name().to_str().and_then(origin_of) else { continue };
        if Some(origin) != own && liveness(folder, origin) == Liveness::Alive {
            found = Liveness::Alive;
        }
    }
    found
}

/// Held by everybody who opens the journal, until they live in it; and by one alone who puts
/// another file in its place. Released when it is dropped.
#[derive(Debug)]
pub(super) struct Gate {
    _file: File,
}

/// Whom a gate lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Through {
    /// Those who open.
    Many,
    /// One who replaces.
    One,
}

/// Waits for the gate, for as long as it takes others to rebuild a journal.
///
/// # Errors
///
/// [`JournalError::Locked`] after that time; or the file cannot be made or locked.
pub(super) fn gate(folder: &Path, through: Through, patience: Duration) -> Result<Gate, JournalError> {
    const PAUSE: Duration = Duration::from_millis(10);
    super::files::make_private_folder(&folder_in(folder))?;
    let path = folder_in(folder).join("gate");
    // One that is there need not be written to be locked.
    let file = File::open(&path).or_else(|_| open_private(&path));
    let file = file.map_err(|error| JournalError::from_io(&error, "create", &path))?;
    let mut waited = Duration::ZERO;
    loop {
        let locked = match through {
            Through::Many => file.try_lock_shared(),
            Through::One => file.try_lock(),
        };
        match locked {
            Ok(()) => return Ok(Gate { _file: file }),
            Err(TryLockError::WouldBlock) if waited < patience => {
                std::thread::sleep(PAUSE);
                waited += PAUSE;
            }
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::Locked { path: super::files::file_in(folder) });
            }
            Err(TryLockError::Error(error)) => return Err(JournalError::from_io(&error, "lock", &path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_lives_until_its_last_presence_leaves() {
        let folder = tempfile::tempdir().unwrap();
        let one = enter(folder.path(), 7).unwrap();
        let two = enter(folder.path(), 7).unwrap();
        assert_eq!(liveness(folder.path(), 7), Liveness::Alive);
        one.leave();
        assert_eq!(liveness(folder.path(), 7), Liveness::Alive);
        assert!(file_of(folder.path(), 7).exists());
        two.leave();
        assert!(!file_of(folder.path(), 7).exists());
        assert_eq!(liveness(folder.path(), 7), Liveness::Gone);
    }

    #[test]
    fn a_note_is_read_as_it_was_written_and_never_says_more() {
        let round = |unsent: &[RangeInclusive<u32>]| {
            let name = Note::name(7, unsent);
            assert!(name.len() <= Note::MOST && origin_of(&name).is_none(), "{name}");
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
    fn a_note_takes_the_place_of_the_file_and_not_of_one_that_is_held() {
        let folder = tempfile::tempdir().unwrap();
        let one = enter(folder.path(), 7).unwrap();
        let two = enter(folder.path(), 7).unwrap();
        one.leave_note(&[1..=2]);
        assert_eq!((liveness(folder.path(), 7), notes(folder.path())), (Liveness::Alive, vec![]));
        two.leave_note(&[1..=2]);
        let left = notes(folder.path());
        assert_eq!((liveness(folder.path(), 7), left.len(), left[0].origin), (Liveness::Gone, 1, 7));
        assert_eq!(liveness_but_for(folder.path(), None), Liveness::Gone);
        assert_eq!(notes(folder.path()), left);
        remove_notes(&left);
        assert_eq!(notes(folder.path()), []);
    }

    #[test]
    fn the_file_of_a_dead_program_is_removed_and_a_living_ones_is_not() {
        let folder = tempfile::tempdir().unwrap();
        drop(enter(folder.path(), 1).unwrap());
        let _living = enter(folder.path(), u64::MAX).unwrap();
        assert_eq!(liveness_but_for(folder.path(), Some(3)), Liveness::Alive);
        assert!(!file_of(folder.path(), 1).exists());
        assert!(file_of(folder.path(), u64::MAX).exists());
        assert_eq!(liveness_but_for(folder.path(), Some(u64::MAX)), Liveness::Gone);
    }
}
