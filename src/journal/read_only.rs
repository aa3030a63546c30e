//! Opens a journal read-only: creates nothing, writes nothing, ends nothing.
//!
//! A journal with its log and shared memory beside it is read with `SQLite`'s locks. Without them
//! `SQLite` would have to create them; opened as immutable instead, it reads the file alone and locks
//! nothing. Each lookup then checks that the file did not change.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::{Connection, OpenFlags};

use super::access::Access;
use super::error::JournalError;
use super::fault::Fault;
use super::identity::FileStamp;
use super::locks::BUSY_TIMEOUT;
use super::windows::QueryCache;
use super::{files, inspect, search, sql};

/// A key that no store has.
const NO_STORE: i64 = -1;

/// The bytes of a path that a URI holds escaped.
const IN_URI: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');

/// Opens the journal in a folder for one store; returns also the path of its log, if the log exists
/// and cannot be read.
///
/// # Errors
///
/// The file cannot be read, is not a journal, or is of another release.
pub(super) fn open(folder: &Path, store: &str) -> Result<(Access, Option<PathBuf>), JournalError> {
    let path = files::file_in(folder);
    if files::is_too_short(&path) {
        return Err(JournalError::Corrupt { path });
    }
    if files::companions(&path).all(|path| path.exists()) {
        match open_shared(&path, store) {
            Ok(access) => return Ok((access, None)),
            Err(fault) if fault.is_of_access() => {}
            Err(fault) => return Err(fault.at(&path)),
        }
    }
    let access = open_immutable(&path, store).map_err(|fault| fault.at(&path))?;
    Ok((access, files::companions(&path).next().filter(|_| files::log_length(&path) > 0)))
}

/// Opens the file with locks and log.
fn open_shared(path: &Path, store: &str) -> Result<Access, Fault> {
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    checked(conn, None, path, store)
}

/// Opens the file without locks and log.
fn open_immutable(path: &Path, store: &str) -> Result<Access, Fault> {
    let stamp = FileStamp::of(path);
    let uri = format!("file:{}?immutable=1", percent_encode(path.as_os_str().as_bytes(), IN_URI));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    checked(Connection::open_with_flags(uri, flags)?, Some(stamp), path, store)
}

fn checked(conn: Connection, stamp: Option<FileStamp>, path: &Path, store: &str) -> Result<Access, Fault> {
    conn.pragma_update(None, "query_only", true)?;
    inspect::distrust_schema(&conn)?;
    inspect::reject_unreadable(&*conn.unchecked_transaction()?, path)?;
    search::prepare(&conn)?;
    let store = sql::first(&conn, "SELECT id FROM store WHERE url = ?1", [store])?.unwrap_or(NO_STORE);
    let cache = QueryCache::of(&conn)?;
    Ok(Access { conn, path: path.to_path_buf(), is_on_disk: false, store, cache, stamp })
}
