//! Copies a journal into a file of its own, and verifies such a copy.
//!
//! A copy is one snapshot: other programs may write meanwhile, and it has what was committed before it
//! began. Must not know how the file gets its final name.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use serde::Serialize;

use super::error::JournalError;
use super::fault::Fault;
use super::identity::FileStamp;
use super::read_only::{self, Reading};
use super::schema::IS_USED;
use super::{access, files, inspect, process_locks, sql, validity};
use crate::domain::Timestamp;
use crate::os::files::WITHOUT_LOCKS;
use crate::os::locks;
use crate::text::shown_path;

/// Why a journal was not copied or verified.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    /// The journal or the copy cannot be read, or is not a sound journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("there is no journal at {} yet: name the folder of another one with --data-dir", shown_path(path))]
    NoJournal { path: PathBuf },
    #[error(
        "{} beside the journal cannot be read while its folder cannot be written, and the latest entries would be \
         missing: make the folder writable",
        shown_path(log)
    )]
    LogLeftOut { log: PathBuf },
    #[error(
        "{} lies beside it, and would be read as a part of it: move that file away, or name another one",
        shown_path(file)
    )]
    OtherBeside { file: PathBuf },
    #[error("there is no room for it: free some space, then try again")]
    NoRoom,
    #[error(
        "the system did not write it: a quota or a limit on the size of files is used up, or the disk fails; make room, or name another folder"
    )]
    NotWritten,
    #[error("interrupted")]
    Cancelled,
    /// The copy is complete and on disk, but not yet at the path of the journal.
    #[error("{0}. The next start of plants completes the restoring")]
    Unfinished(JournalError),
}

/// What a verified journal holds, of all stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// The oldest store first.
    pub stores: Vec<StoreContents>,
    /// When the newest request ended; `None` if there is none.
    pub newest: Option<Timestamp>,
    pub bytes: u64,
    /// The log beside the file, whose entries are included.
    pub log: Option<PathBuf>,
    /// Whether a team shares a store of this journal.
    pub is_in_team: bool,
}

/// What a journal holds of one store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoreContents {
    pub store: String,
    pub plants: usize,
    pub requests: usize,
}

impl Contents {
    pub fn plants(&self) -> usize {
        self.stores.iter().map(|store| store.plants).sum()
    }

    pub fn requests(&self) -> usize {
        self.stores.iter().map(|store| store.requests).sum()
    }
}

/// The time-out for programs that replace the journal.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Fails if a file lies beside `copy` that is read together with it.
///
/// # Errors
///
/// [`CopyError::OtherBeside`].
pub fn reject_others_beside(copy: &Path) -> Result<(), CopyError> {
    let other = files::log_beside(copy).or_else(|| files::undo_beside(copy));
    other.map_or(Ok(()), |file| Err(CopyError::OtherBeside { file }))
}

/// Copies the journal in a folder into the empty file at `target`, and verifies the copy. Blocks until the
/// copy is written; the caller flushes it to the disk. `cancelled` may be set at any time.
///
/// # Errors
///
/// The content of `target` is then of no use.
pub fn back_up(folder: &Path, target: &Path, cancelled: &Arc<AtomicBool>) -> Result<Contents, CopyError> {
    let path = files::file_in(folder);
    if !files::has_content(&path)? && !files::is_rebuilt(&path) {
        return Err(CopyError::NoJournal { path });
    }
    // No program may replace the journal meanwhile. Where the lock cannot be created, none can.
    let _gate = match process_locks::gate(folder, File::try_lock_shared, TIMEOUT) {
        Err(locked @ JournalError::Locked { .. }) => return Err(locked.into()),
        gate @ (Ok(_) | Err(_)) => gate.ok(),
    };
    let readable = files::readable_in(folder);
    let source = open(&readable, true)?;
    copy(&source, &readable, target, cancelled)?;
    drop(source);
    match verify(target, cancelled) {
        // The pages are those of the journal: the next start rebuilds it.
        Err(CopyError::Journal(JournalError::Corrupt { .. })) => Err(Fault::Damaged.at_and_mark(&path).into()),
        verified => verified,
    }
}

/// Reads all of the journal at a path, and returns what it holds. The file is not changed.
///
/// # Errors
///
/// The file is damaged, of another release or program, or cannot be read.
pub fn verify(path: &Path, cancelled: &Arc<AtomicBool>) -> Result<Contents, CopyError> {
    let mut source = open(path, false)?;
    let log = files::log_beside(path);
    let (stop, steps) = (Arc::clone(cancelled), 10_000);
    let attempt = |conn: &mut Connection| -> Result<Contents, Fault> {
        conn.progress_handler(steps, Some(move || stop.load(Ordering::Relaxed)))?;
        let snapshot = conn.unchecked_transaction()?;
        inspect::reject_unreadable(&snapshot, path)?;
        validity::check(&snapshot)?;
        contents(&snapshot)
    };
    let found = attempt(&mut source.conn);
    if cancelled.load(Ordering::Relaxed) {
        return Err(CopyError::Cancelled);
    }
    source.stamp.map_or(Ok(()), |stamp| stamp.check())?;
    Ok(found.map(|contents| Contents { log, ..contents }).map_err(|fault| fault.at(path))?)
}

/// Opens a journal to read all of it, with its log. Changes no entry of it.
///
/// Without a log to read, a file that is not `in_use` by this program is read alone, so that no file is
/// created beside it.
pub(super) fn open(path: &Path, in_use: bool) -> Result<Reading, CopyError> {
    files::reject_special(path)?;
    if !files::has_content(path)? || (!in_use && files::is_of_another_kind(path)) {
        return Err(JournalError::NotAJournal { path: path.to_path_buf() }.into());
    }
    let has_log = files::log_length(path) > 0;
    if let (false, Some(file)) = (in_use, files::undo_beside(path)) {
        return Err(CopyError::OtherBeside { file });
    }
    let of_version = if in_use { read_only::of_this_version } else { whole_of_this_version };
    if (in_use || has_log) && !files::is_too_short(path) && !locks::are_missing(path) {
        let attempt = || -> Result<Option<Connection>, Fault> {
            let conn = access::connect(path)?;
            if conn.is_readonly("main")? {
                // `SQLite` would create files beside it that it cannot remove.
                return Ok(None);
            }
            // The log stays as it is: closing must not move it into the file.
            conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, has_log)?;
            Ok(Some(of_version(conn, path)?))
        };
        match attempt() {
            Ok(Some(conn)) => return Ok(Reading { conn, stamp: None, left_out: None }),
            Ok(None) => {}
            Err(fault) if fault.is_of_access(path) => {}
            Err(fault) => return Err(fault.at(path).into()),
        }
    }
    match read_only::connect(path, of_version)? {
        Reading { left_out: Some(log), .. } => Err(CopyError::LogLeftOut { log }),
        reading => Ok(reading),
    }
}

/// As [`read_only::of_this_version`], for a file that no program writes.
fn whole_of_this_version(conn: Connection, path: &Path) -> Result<Connection, Fault> {
    // First, because a file of another program stays one, also if it is cut.
    if inspect::version(&conn, path)?.is_none() {
        return Err(JournalError::NotAJournal { path: path.to_path_buf() }.into());
    }
    let size = |name| sql::value::<i64>(&conn, name, []).map(i64::unsigned_abs);
    if files::is_cut(path, size("PRAGMA page_count")?, size("PRAGMA page_size")?) {
        return Err(Fault::Damaged);
    }
    read_only::of_this_version(conn, path)
}

/// Copies one snapshot of the journal at `path` into the empty file at `target`.
pub(super) fn copy(source: &Reading, path: &Path, target: &Path, cancelled: &AtomicBool) -> Result<(), CopyError> {
    /// The number of pages after which a request to stop is noticed: some 4 MiB.
    const PAGES: i32 = 1024;
    let read = |error: rusqlite::Error| CopyError::Journal(Fault::from(error).at(path));
    // Held until the copy is complete: `SQLite` would begin again after each commit of another program.
    let snapshot = source.conn.unchecked_transaction().map_err(read)?;
    snapshot.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).map_err(read)?;
    let write = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => CopyError::NoRoom,
        Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => CopyError::NotWritten,
        Some(_) | None => read(error),
    };
    // Without `SQLite`'s locks: no other program uses the copy, and some systems mix them up with the lock of its file.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let mut copy = Connection::open_with_flags_and_vfs(target, flags, WITHOUT_LOCKS).map_err(write)?;
    // An incomplete copy is dropped, and a complete one flushed at its end.
    for setting in ["journal_mode", "synchronous"] {
        copy.pragma_update(None, setting, "OFF").map_err(write)?;
    }
    let backup = Backup::new(&snapshot, &mut copy).map_err(write)?;
    while !matches!(backup.step(PAGES).map_err(write)?, StepResult::Done) {
        if cancelled.load(Ordering::Relaxed) {
            return Err(CopyError::Cancelled);
        }
    }
    source.stamp.as_ref().map_or(Ok(()), FileStamp::check)?;
    Ok(())
}

fn contents(conn: &Connection) -> Result<Contents, Fault> {
    let stores = format!(
        "SELECT url, (SELECT count(*) FROM plant WHERE store = store.id),
        (SELECT count(*) FROM exchange WHERE store = store.id) FROM store WHERE {IS_USED} ORDER BY id"
    );
    let stores = sql::all(conn, &stores, [], |found| {
        let (plants, requests) = (sql::as_count(found.get(1)?), sql::as_count(found.get(2)?));
        Ok(StoreContents { store: found.get(0)?, plants, requests })
    })?;
    let newest = sql::first(conn, "SELECT at FROM exchange ORDER BY seq DESC LIMIT 1", [])?;
    let is_in_team = sql::value(conn, "SELECT EXISTS (SELECT 1 FROM store WHERE stream IS NOT NULL)", [])?;
    let bytes: i64 =
        sql::value(conn, "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()", [])?;
    Ok(Contents { stores, newest, bytes: bytes.unsigned_abs(), log: None, is_in_team })
}
