//! The journal's files: their names, who may read them, and setting damaged ones aside.
//!
//! An existing journal is never opened here with anything but `SQLite`: on Unix, closing any
//! handle on the file would drop the locks of every connection this process has on it.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::error::JournalError;
use crate::domain::Timestamp;

/// The journal's file, inside its folder.
const NAME: &str = "journal.db";

/// What `SQLite` keeps beside it while it is open: the log, and what is shared of it.
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];

/// A new journal that is being made of what can be read of a damaged one.
const REBUILDING: &str = ".rebuilding";

/// The same once it is whole: whoever finds it puts it in the journal's place.
const REBUILT: &str = ".rebuilt";

/// An empty file that says: something in the journal could not be read.
const DAMAGED: &str = ".damaged";

/// What the name of a damaged journal that was set aside goes on with; then a time.
const CORRUPT: &str = ".corrupt-";

/// One thread at a time creates a file: see the top of this module.
static CREATING: Mutex<()> = Mutex::new(());

/// The journal's file in its folder, whether or not there is one yet.
pub fn file_in(folder: &Path) -> PathBuf {
    folder.join(NAME)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The files that `SQLite` keeps beside a journal while it is open.
pub(super) fn companions(path: &Path) -> impl Iterator<Item = PathBuf> {
    COMPANIONS.iter().map(|ending| beside(path, ending))
}

/// Makes a folder, and those above it, for this user alone. One that exists is left as it is.
pub(super) fn make_private_folder(folder: &Path) -> Result<(), JournalError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| JournalError::from_io(&error, "create the folder", folder))
}

/// Whether there is something in the file, and less than any database has: `SQLite` would take it
/// for a new one and write over it.
pub(super) fn is_too_short(path: &Path) -> bool {
    const HEADER: u64 = 100;
    fs::metadata(path).is_ok_and(|found| (1..HEADER).contains(&found.len()))
}

/// How many bytes the log beside the journal has.
pub(super) fn log_length(path: &Path) -> u64 {
    fs::metadata(beside(path, COMPANIONS[0])).map_or(0, |found| found.len())
}

/// A power cut must not take the names away from under what is committed later.
fn sync_names(folder: &Path) {
    for folder in [Some(folder), folder.parent()].into_iter().flatten() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

fn create_private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Makes the folder and, if there is none, an empty file for this user alone.
pub(super) fn prepare(folder: &Path) -> Result<(), JournalError> {
    make_private_folder(folder)?;
    let path = file_in(folder);
    if path.is_dir() {
        return Err(JournalError::IsADirectory { path });
    }
    let created = {
        let _one_at_a_time = CREATING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        create_private(&path)
    };
    match created {
        Ok(()) => {
            sync_names(folder);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_file() => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(JournalError::NotAJournal { path }),
        Err(error) => Err(JournalError::from_io(&error, "create", &path)),
    }
}

/// Takes the journal's files away from everybody but their owner. `SQLite` gives new companions
/// the journal's own mode.
pub(super) fn make_private(path: &Path) {
    for path in companions(path).chain([path.to_path_buf()]) {
        use std::os::unix::fs::PermissionsExt;
        let is_open = fs::metadata(&path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0);
        if is_open {
            // Only the owner may; where it is somebody else's, they decide.
            let _ = fs::set_permissions(&path, fs::Permissions::from_mode(0o600));
        }
    }
}

/// Reads the journal and its log from end to end, for nothing but the proof.
///
/// # Errors
///
/// The system cannot: that is no damage, and must not be rebuilt.
pub(super) fn can_be_read(path: &Path) -> Result<(), JournalError> {
    for path in [path.to_path_buf(), beside(path, COMPANIONS[0])] {
        let opened = match open_for_good(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            opened => opened.map_err(|error| JournalError::from_io(&error, "open", &path))?,
        };
        io::copy(&mut &*opened, &mut io::sink())
            .map_err(|error| JournalError::Unreadable { path: path.clone(), reason: error.to_string() })?;
    }
    Ok(())
}

/// Opens a file of the journal and never closes it: the first descriptor to be closed takes all of
/// `SQLite`'s locks with it, whoever holds them in this program.
pub(super) fn open_for_good(path: &Path) -> io::Result<ManuallyDrop<fs::File>> {
    fs::File::open(path).map(ManuallyDrop::new)
}

/// Notes that something in the journal could not be read: it is rebuilt at the next start that
/// finds nobody else at work on it.
pub(super) fn mark_damaged(path: &Path) {
    // Without the note the damage is met, and told, again.
    let _ = create_private(&beside(path, DAMAGED));
}

/// Whether there is such a note.
pub(super) fn is_marked_damaged(path: &Path) -> bool {
    fs::exists(beside(path, DAMAGED)).unwrap_or(false)
}

/// An empty file for a new journal; what was left of an earlier attempt is thrown away.
pub(super) fn begin_rebuilding(path: &Path) -> Result<PathBuf, JournalError> {
    let rebuilding = beside(path, REBUILDING);
    for ending in ["", COMPANIONS[0], COMPANIONS[1], "-journal"] {
        // What cannot be removed is in the way of the next step, which says so.
        let _ = fs::remove_file(beside(&rebuilding, ending));
    }
    create_private(&rebuilding).map_err(|error| JournalError::from_io(&error, "create", &rebuilding))?;
    Ok(rebuilding)
}

/// Gives the damaged journal a second name, tells it, and puts the rebuilt one in its place.
///
/// Killed before the rebuilt one is called so, nothing has happened; killed later, whoever starts
/// next brings it to its end.
pub(super) fn end_rebuilding(path: &Path, rebuilding: &Path, now: Timestamp) -> Result<PathBuf, JournalError> {
    let aside = set_aside(path, now)?;
    let rebuilt = beside(path, REBUILT);
    fs::rename(rebuilding, &rebuilt).map_err(|error| JournalError::from_io(&error, "rename", rebuilding))?;
    path.parent().map(sync_names);
    put_in_place(path)?;
    Ok(aside)
}

/// Whether a rebuilt journal waits to be put in its place.
pub(super) fn is_rebuilt(path: &Path) -> bool {
    fs::exists(beside(path, REBUILT)).unwrap_or(false)
}

/// Puts the rebuilt journal in its place. Nobody has the journal open meanwhile.
pub(super) fn put_in_place(path: &Path) -> Result<(), JournalError> {
    // The log goes first: it would be taken for that of the new journal.
    for ending in [COMPANIONS[0], COMPANIONS[1], DAMAGED] {
        let old = beside(path, ending);
        match fs::remove_file(&old) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(JournalError::from_io(&error, "remove", &old));
            }
            Ok(()) | Err(_) => {}
        }
    }
    path.parent().map(sync_names);
    let rebuilt = beside(path, REBUILT);
    fs::rename(&rebuilt, path).map_err(|error| JournalError::from_io(&error, "rename", &rebuilt))?;
    path.parent().map(sync_names);
    Ok(())
}

/// Gives a damaged journal and its log a second name that nothing has, and tells it.
fn set_aside(path: &Path, now: Timestamp) -> Result<PathBuf, JournalError> {
    let stamp = jiff::Timestamp::from_millisecond(now.0)
        .map_or_else(|_| now.0.to_string(), |time| time.strftime("%Y%m%dT%H%M%SZ").to_string());
    let is_free =
        |target: &Path| ["", COMPANIONS[0]].iter().all(|ending| !fs::exists(beside(target, ending)).unwrap_or(true));
    let target = (1..u32::MAX)
        .map(|number| match number {
            1 => beside(path, &format!("{CORRUPT}{stamp}")),
            number => beside(path, &format!("{CORRUPT}{stamp}-{number}")),
        })
        .find(|target| is_free(target))
        .ok_or_else(|| JournalError::Corrupt { path: path.to_path_buf() })?;
    for ending in [COMPANIONS[0], ""] {
        let (from, to) = (beside(path, ending), beside(&target, ending));
        // Not every file system has second names.
        let named = fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop));
        match named {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(JournalError::from_io(&error, "set aside", &from)),
        }
    }
    Ok(target)
}

/// The damaged journals that were set aside in this folder, oldest first.
pub fn set_aside_in(folder: &Path) -> Vec<PathBuf> {
    let beginning = format!("{NAME}{CORRUPT}");
    let is_one = |name: &str| name.starts_with(&beginning) && !COMPANIONS.iter().any(|ending| name.ends_with(ending));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> =
        entries.filter(|entry| entry.file_name().to_str().is_some_and(is_one)).map(|entry| entry.path()).collect();
    found.sort();
    found
}
