//! The journal's files: their names, who may read them, and setting damaged ones aside.
//!
//! An existing journal is never opened here with anything but `SQLite`: on Unix, closing any
//! handle on the file would drop the locks of every connection this process has on it.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::error::JournalError;
use crate::domain::Timestamp;

/// The journal's file, inside its folder.
const NAME: &str = "journal.db";

/// What `SQLite` keeps beside it while it is open. The log comes first: see [`set_aside`].
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];

/// One thread at a time creates a file: see the top of this module.
static CREATING: Mutex<()> = Mutex::new(());

/// Where the journal of this folder is.
pub(super) fn journal_in(folder: &Path) -> PathBuf {
    folder.join(NAME)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Makes a folder, and those above it, for this user alone. One that exists is left as it is.
pub(super) fn make_private_folder(folder: &Path) -> Result<(), JournalError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| JournalError::from_io(&error, "create the folder", folder))
}

/// Makes the folder and, if there is none, an empty file for this user alone.
pub(super) fn prepare(folder: &Path) -> Result<(), JournalError> {
    make_private_folder(folder)?;
    let path = journal_in(folder);
    if path.is_dir() {
        return Err(JournalError::IsADirectory { path });
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let created = {
        let _one_at_a_time = CREATING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        options.open(&path).map(drop)
    };
    match created {
        Ok(()) => {
            // A power cut must not take the names away from under what is committed later.
            for folder in [Some(folder), folder.parent()].into_iter().flatten() {
                let _ = File::open(folder).and_then(|folder| folder.sync_all());
            }
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
    for path in COMPANIONS.iter().map(|ending| beside(path, ending)).chain([path.to_path_buf()]) {
        use std::os::unix::fs::PermissionsExt;
        let is_open = fs::metadata(&path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0);
        if is_open {
            // Only the owner may; where it is somebody else's, they decide.
            let _ = fs::set_permissions(&path, fs::Permissions::from_mode(0o600));
        }
    }
}

/// Moves a damaged journal and its companions to a name that nothing has, and tells it.
///
/// The log moves first: beside a journal that is gone, `SQLite` would delete it.
pub(super) fn set_aside(path: &Path, now: Timestamp) -> Result<PathBuf, JournalError> {
    let stamp = jiff::Timestamp::from_millisecond(now.0)
        .map_or_else(|_| now.0.to_string(), |time| time.strftime("%Y%m%dT%H%M%SZ").to_string());
    let is_free = |target: &Path| {
        ["", COMPANIONS[0], COMPANIONS[1]].iter().all(|ending| !fs::exists(beside(target, ending)).unwrap_or(true))
    };
    let target = (1..u32::MAX)
        .map(|number| match number {
            1 => beside(path, &format!(".corrupt-{stamp}")),
            number => beside(path, &format!(".corrupt-{stamp}-{number}")),
        })
        .find(|target| is_free(target))
        .ok_or_else(|| JournalError::Corrupt { path: path.to_path_buf() })?;
    for ending in [COMPANIONS[0], COMPANIONS[1], ""] {
        let (from, to) = (beside(path, ending), beside(&target, ending));
        match fs::rename(&from, &to) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(JournalError::from_io(&error, "set aside", &from)),
        }
    }
    Ok(target)
}
