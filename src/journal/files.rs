//! The journal's files: their names, their permissions, and the replacement of a damaged journal.
//!
//! Only `SQLite` opens an existing journal, except through [`open_beside_locks`]: on Unix, closing any
//! descriptor of a file drops the locks of every connection that this process has on it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

use super::error::JournalError;
use crate::os::files::{create_private_folder, open_beside_locks, private};
use crate::os::locks;

const NAME: &str = "journal.db";

/// The endings of the files that `SQLite` keeps beside an open journal: the log and its shared memory.
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];

/// The folder of the lock files, inside the journal's.
pub(super) const LOCKS: &str = "instances";

/// The ending of the file with which `SQLite` would undo a write to a file without a log. The journal has none.
const UNDO: &str = "-journal";

/// The ending of a new journal while the readable rows of a damaged one are copied into it.
const REBUILDING: &str = ".rebuilding";

/// The ending of a new journal that is complete: the next start moves it to the journal's path.
const REBUILT: &str = ".rebuilt";

/// The ending of an empty file that marks the journal as damaged.
const DAMAGED: &str = ".damaged";

/// The ending of a damaged journal that was set aside; a time follows.
const CORRUPT: &str = ".corrupt-";

/// The ending of a journal that was set aside when a copy was restored; a time follows.
const REPLACED: &str = ".replaced-";

/// The ending of a copy that is to replace the journal, while it is made and verified; random letters follow.
const RESTORING: &str = ".restoring-";

/// Serialises [`prepare`], so that no thread closes a descriptor of a journal that another has open.
static CREATING: Mutex<()> = Mutex::new(());

/// Returns the path of the journal in this folder, whether or not the file exists.
pub fn file_in(folder: &Path) -> PathBuf {
    folder.join(NAME)
}

/// Returns the path of the journal in this folder, for those who only read it: the rebuilt one that the next start moves to
/// the journal's path, if there is one.
pub(super) fn readable_in(folder: &Path) -> PathBuf {
    let path = file_in(folder);
    if is_rebuilt(&path) { beside(&path, REBUILT) } else { path }
}

/// Whether there is provably no journal in this folder.
pub fn is_absent_in(folder: &Path) -> bool {
    let path = file_in(folder);
    fs::symlink_metadata(&path).is_err_and(|why| is_of_absence(&why)) && !is_rebuilt(&path)
}

fn is_of_absence(why: &io::Error) -> bool {
    matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Returns whether a file of this name in the journal's folder is the journal's. Ignores the letter case, as some file
/// systems do.
pub(super) fn is_own_name(name: &str) -> bool {
    let endings = [COMPANIONS[0], COMPANIONS[1], UNDO, REBUILDING, REBUILT, DAMAGED, CORRUPT, REPLACED, RESTORING];
    let name = name.to_ascii_lowercase();
    let ending = name.strip_prefix(NAME);
    ending.is_some_and(|ending| ending.is_empty() || endings.iter().any(|own| ending.starts_with(own)))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Returns the paths of the log and of its shared memory.
pub(super) fn companions(path: &Path) -> impl Iterator<Item = PathBuf> {
    COMPANIONS.iter().map(|ending| beside(path, ending))
}

/// Creates a folder and its missing parents with mode 0700. An existing folder keeps its mode.
pub(super) fn make_private_folder(folder: &Path) -> Result<(), JournalError> {
    create_private_folder(folder).map_err(JournalError::io("create the folder", folder))
}

/// Checks that a file can be opened as a journal.
///
/// # Errors
///
/// It is a link: its log and the locks would be beside the file that it leads to for some programs, beside the link for
/// others. Or it is too short, or as in [`reject_special`].
pub(super) fn check(path: &Path) -> Result<(), JournalError> {
    reject_special(path)?;
    if path.is_symlink() {
        return Err(JournalError::IsALink { path: path.to_path_buf() });
    }
    if is_too_short(path) { Err(JournalError::Corrupt { path: path.to_path_buf() }) } else { Ok(()) }
}

/// Returns the path of an empty file that shows that this journal has had its tables.
fn mark_of_tables(path: &Path) -> PathBuf {
    path.with_file_name(LOCKS).join("opened")
}

/// Notes that the journal has its tables.
pub(super) fn note_tables(path: &Path) {
    // Without the mark, a journal that loses all its bytes counts as a new one.
    let _ = create_private(&mark_of_tables(path));
}

/// Returns whether the file has less than a database header, but it or its log has content, or it has had its tables:
/// `SQLite` would take it for a new database, overwrite it and delete the log.
pub(super) fn is_too_short(path: &Path) -> bool {
    const HEADER: u64 = 100;
    let found = length(path);
    found < HEADER && (found > 0 || log_length(path) > 0 || mark_of_tables(path).exists())
}

/// Returns whether the journal itself has its tables: a new one has them only in its log.
pub(super) fn has_tables(path: &Path) -> bool {
    const FIRST_PAGE: u64 = 4096;
    length(path) > FIRST_PAGE
}

/// Returns the size of a file in bytes, 0 if there is none.
pub(super) fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

/// Returns the size of the write-ahead log in bytes, 0 if there is none.
pub(super) fn log_length(path: &Path) -> u64 {
    length(&beside(path, COMPANIONS[0]))
}

/// Returns the log beside a file, if there is one with content.
pub(super) fn log_beside(path: &Path) -> Option<PathBuf> {
    has_bytes(beside(path, COMPANIONS[0]))
}

/// Returns the file beside a file that `SQLite` would change it with, if there is one with content.
pub(super) fn undo_beside(path: &Path) -> Option<PathBuf> {
    has_bytes(beside(path, UNDO))
}

fn has_bytes(path: PathBuf) -> Option<PathBuf> {
    (length(&path) > 0).then_some(path)
}

/// Returns whether a file does not end with a page; or, without a log, which may have the rest, whether it has another
/// number of pages than this.
pub(super) fn is_cut(path: &Path, pages: u64, page_size: u64) -> bool {
    let is_of = |length: u64| {
        if log_length(path) > 0 { length.is_multiple_of(page_size) } else { length == pages.saturating_mul(page_size) }
    };
    fs::metadata(path).is_ok_and(|found| !is_of(found.len()))
}

/// Returns whether there is a journal or a log with content.
///
/// # Errors
///
/// The system does not say so, as where access is denied.
pub(super) fn has_content(path: &Path) -> Result<bool, JournalError> {
    let is_filled = |path: PathBuf| match fs::metadata(&path) {
        Err(why) if is_of_absence(&why) => Ok(false),
        found => found.map(|found| found.len() > 0).map_err(JournalError::io("read", &path)),
    };
    Ok(is_filled(beside(path, COMPANIONS[0]))? || is_filled(path.to_path_buf())?)
}

/// Returns whether the file has content that does not begin as every database does, so that it never was a journal.
pub(super) fn is_of_another_kind(path: &Path) -> bool {
    const BEGIN: &[u8] = b"SQLite format 3\0";
    let mut begin = Vec::new();
    let read = open_beside_locks(path).and_then(|file| file.take(BEGIN.len() as u64).read_to_end(&mut begin));
    read.is_ok() && !BEGIN.starts_with(&begin)
}

/// Makes the names in a folder, and its own name, survive a power cut.
fn sync_names(folder: &Path) {
    for folder in [Some(folder), folder.parent()].into_iter().flatten() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// # Errors
///
/// At this path, or where `SQLite` keeps a file beside it, is a folder, or a pipe or a device, which could block the
/// program that opens it.
pub(super) fn reject_special(path: &Path) -> Result<(), JournalError> {
    for path in ["", COMPANIONS[0], COMPANIONS[1], UNDO].map(|ending| beside(path, ending)) {
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => return Err(JournalError::IsADirectory { path }),
            Ok(found) if !found.is_file() => return Err(JournalError::NotAJournal { path }),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}

fn create_private(path: &Path) -> io::Result<()> {
    private().write(true).create_new(true).open(path).map(drop)
}

/// Creates the folder and an empty journal with mode 0600, unless there is a journal, or one to be moved to its path.
pub(super) fn prepare(folder: &Path) -> Result<(), JournalError> {
    make_private_folder(folder)?;
    let path = file_in(folder);
    reject_special(&path)?;
    let created = {
        let _one_at_a_time = CREATING.lock().unwrap_or_else(PoisonError::into_inner);
        if is_rebuilt(&path) {
            return Ok(());
        }
        create_private(&path)
    };
    match created {
        Ok(()) => {
            let _ = fs::remove_file(mark_of_tables(&path));
            sync_names(folder);
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(JournalError::io("create", &path)(error)),
    }
}

/// Removes the permissions of group and others from the journal's files. `SQLite` gives new
/// companions the mode of the journal.
pub(super) fn make_private(path: &Path) {
    for path in companions(path).chain([path.to_path_buf()]) {
        // Fails on a file of another user, who decides about its mode.
        let _ = crate::os::files::make_private(&path);
    }
}

/// Reads the journal and its log completely, to distinguish an unreadable disk from damage.
///
/// # Errors
///
/// The system cannot read a file: the journal must not be rebuilt.
pub(super) fn can_be_read(path: &Path) -> Result<(), JournalError> {
    for path in [path.to_path_buf(), beside(path, COMPANIONS[0])] {
        let mut opened = match open_beside_locks(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            opened => opened.map_err(JournalError::io("open", &path))?,
        };
        io::copy(&mut opened, &mut io::sink())
            .map_err(|error| JournalError::Unreadable { path: path.clone(), reason: error.to_string() })?;
    }
    Ok(())
}

/// Marks the journal as damaged. The next start that finds no other program with the journal open
/// rebuilds it.
pub(super) fn mark_damaged(path: &Path) {
    // Without the mark, the next read of the damaged place fails and marks the journal again.
    let _ = create_private(&beside(path, DAMAGED));
}

pub(super) fn is_marked_damaged(path: &Path) -> bool {
    fs::exists(beside(path, DAMAGED)).unwrap_or(false)
}

/// Creates an empty file for the new journal, and deletes the files of an interrupted attempt.
pub(super) fn begin_rebuilding(path: &Path) -> Result<PathBuf, JournalError> {
    let rebuilding = beside(path, REBUILDING);
    for ending in ["", COMPANIONS[0], COMPANIONS[1], UNDO] {
        // If a file cannot be removed, `create_private` fails and says so.
        let _ = fs::remove_file(beside(&rebuilding, ending));
    }
    create_private(&rebuilding).map_err(JournalError::io("create", &rebuilding))?;
    Ok(rebuilding)
}

/// Moves a complete journal on disk to the journal's path, as [`install_rebuilt`] does.
///
/// A kill before the first rename changes nothing; after a later kill, the next start finishes.
pub(super) fn install(path: &Path, complete: &Path) -> Result<Option<PathBuf>, JournalError> {
    fs::rename(complete, beside(path, REBUILT)).map_err(JournalError::io("rename", complete))?;
    path.parent().map(sync_names);
    install_rebuilt(path)
}

/// Returns whether a complete rebuilt journal exists that is not yet at the journal's path.
pub(super) fn is_rebuilt(path: &Path) -> bool {
    fs::exists(beside(path, REBUILT)).unwrap_or(false)
}

/// Sets the journal and its log aside, if there is one, and moves the rebuilt journal to its path; returns the new path of
/// the former. No program may have the journal open. No file ever has two names.
pub(super) fn install_rebuilt(path: &Path) -> Result<Option<PathBuf>, JournalError> {
    let rebuilt = beside(path, REBUILT);
    let aside = free_name(path, &rebuilt)?;
    // The log first: without a journal beside it, the next call finds the same name for the journal.
    for ending in [COMPANIONS[0], ""] {
        let from = beside(path, ending);
        unless_absent(fs::rename(&from, beside(&aside, ending)), "set aside", &from)?;
    }
    for ending in [COMPANIONS[1], UNDO, DAMAGED] {
        remove(&beside(path, ending))?;
    }
    path.parent().map(sync_names);
    fs::rename(&rebuilt, path).map_err(JournalError::io("rename", &rebuilt))?;
    path.parent().map(sync_names);
    Ok(Some(aside).filter(|aside| aside.exists()))
}

fn unless_absent(done: io::Result<()>, action: &'static str, path: &Path) -> Result<(), JournalError> {
    match done {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done.map_err(JournalError::io(action, path)),
    }
}

/// Removes a file, if there is one.
pub(super) fn remove(path: &Path) -> Result<(), JournalError> {
    unless_absent(fs::remove_file(path), "remove", path)
}

/// Returns the name under which a journal and its log are set aside, with the time at which the rebuilt one was written:
/// the same until all of them are.
fn free_name(path: &Path, rebuilt: &Path) -> Result<PathBuf, JournalError> {
    let written =
        fs::metadata(rebuilt).and_then(|found| found.modified()).map_err(JournalError::io("read", rebuilt))?;
    let stamp = jiff::Timestamp::try_from(written).unwrap_or_default().strftime("%Y%m%dT%H%M%SZ");
    let first = beside(path, &format!("{}{stamp}", if is_marked_damaged(path) { CORRUPT } else { REPLACED }));
    let exists = |path: &Path, ending| fs::exists(beside(path, ending)).unwrap_or(true);
    let is_free = |name: &Path| ["", COMPANIONS[0]].iter().all(|ending| !exists(name, ending) || !exists(path, ending));
    std::iter::once(first.clone())
        .chain((2..u32::MAX).map(|number| beside(&first, &format!("-{number}"))))
        .find(|name| is_free(name))
        .ok_or_else(|| JournalError::Corrupt { path: path.to_path_buf() })
}

/// Copies a journal whose first bytes are damaged or missing, and its log, with the first bytes that every journal has.
/// Returns nothing if they are sound.
pub(super) fn copy_with_begin(path: &Path) -> io::Result<Option<NamedTempFile>> {
    /// Magic, page size, versions and payload fractions, as `SQLite` documents them.
    const BEGIN: &[u8] = b"SQLite format 3\0\x10\0\x02\x02\0\x40\x20\x20";
    let mut damaged = open_beside_locks(path)?;
    let mut begin = Vec::new();
    Read::by_ref(&mut damaged).take(BEGIN.len() as u64).read_to_end(&mut begin)?;
    let Some(folder) = path.parent().filter(|_| begin != BEGIN) else { return Ok(None) };
    let mut copy = new_copy(folder)?;
    copy.write_all(BEGIN)?;
    io::copy(&mut damaged, &mut copy)?;
    if let Some(log) = log_beside(path) {
        fs::copy(log, beside(copy.path(), COMPANIONS[0]))?;
    }
    Ok(Some(copy))
}

fn new_copy(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(&format!("{NAME}{RESTORING}")).tempfile_in(folder)
}

/// Creates an empty file for a copy that is to replace the journal of a folder. The file is held until it is dropped.
pub(super) fn begin_copy(folder: &Path) -> Result<NamedTempFile, JournalError> {
    let copy = new_copy(folder).map_err(JournalError::io("create a file in", folder))?;
    locks::hold(copy.as_file());
    Ok(copy)
}

/// Removes the copies that were to replace the journal, and were left because their program was killed. The folder's
/// gate must be held.
pub(super) fn remove_leftover_copies(folder: &Path) {
    let beginning = format!("{NAME}{RESTORING}");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names: Vec<_> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let copies = || names.iter().filter(|name| name.starts_with(&beginning));
    let copy_of = |name: &'_ str| {
        COMPANIONS.iter().chain(&[UNDO]).find_map(|ending| name.strip_suffix(ending)).map(str::to_owned)
    };
    // What cannot be removed stays for the next start.
    for path in copies().filter(|name| copy_of(name).is_none()).map(|name| folder.join(name)) {
        if locks::is_left(&path) {
            let _ = fs::remove_file(&path);
        }
    }
    for name in copies() {
        if copy_of(name).is_some_and(|copy| !fs::exists(folder.join(copy)).unwrap_or(true)) {
            let _ = fs::remove_file(folder.join(name));
        }
    }
}

/// Returns the journals that were set aside in this folder: damaged ones, then those that a restored
/// one replaced, each oldest first.
pub fn set_aside_in(folder: &Path) -> Vec<PathBuf> {
    let beginnings = [CORRUPT, REPLACED].map(|ending| format!("{NAME}{ending}"));
    let is_one = |name: &str| {
        beginnings.iter().any(|beginning| name.starts_with(beginning))
            && !COMPANIONS.iter().any(|ending| name.ends_with(ending))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> =
        entries.filter(|entry| entry.file_name().to_str().is_some_and(is_one)).map(|entry| entry.path()).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_was_left_is_removed_and_one_that_is_being_made_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let in_work = begin_copy(folder.path()).unwrap();
        let log_in_work = beside(in_work.path(), "-wal");
        let left = folder.path().join("journal.db.restoring-a1B2c3");
        let others = ["journal.db", "journal.db.replaced-1", "notes.txt"].map(|name| folder.path().join(name));
        let of_left = ["-wal", "-shm", "-journal"].map(|ending| beside(&left, ending));
        for path in others.iter().chain(&of_left).chain([&left, &log_in_work]) {
            fs::write(path, "x").unwrap();
        }
        remove_leftover_copies(folder.path());
        assert!([&left].into_iter().chain(&of_left).all(|path| !path.exists()));
        assert!(others.iter().all(|path| path.exists()) && in_work.path().exists() && log_in_work.exists());
        let path = in_work.path().to_owned();
        drop(in_work);
        remove_leftover_copies(folder.path());
        assert!(!path.exists() && !log_in_work.exists());
    }
}
