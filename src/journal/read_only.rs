//! Opening a journal that can only be read: nothing is made, nothing is written, nothing is ended.
//!
//! A journal with its log and the memory that is shared of it beside it is read like any other, with
//! `SQLite`'s locks. Without them `SQLite` would have to make them, or, told that the file is
//! immutable, reads it alone and locks nothing. That nobody writes to it is not known but looked at:
//! a response counts only if the file was the same before and after it.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::access::Access;
use super::error::JournalError;
use super::fault::Fault;
use super::identity::Still;
use super::locks::BUSY_TIMEOUT;
use super::windows::QueryCache;
use super::{files, inspect, search};

/// No store has this key.
const NO_STORE: i64 = -1;

/// What of a path stands in a URI as it is.
const IN_URI: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');

/// A connection, and the file as it was before where it is read without locks.
type Connected = (Connection, Option<Still>);

/// Opens the journal in a folder for one store. The path is that of its log, if there is one that
/// cannot be read and is left out.
///
/// # Errors
///
/// It cannot be read, is none, or is of another release.
pub(super) fn open(folder: &Path, store: &str) -> Result<(Access, Option<PathBuf>), JournalError> {
    let path = files::file_in(folder);
    if files::is_too_short(&path) {
        return Err(JournalError::Corrupt { path });
    }
    let has_companions = files::companions(&path).all(|path| path.exists());
    let shared =
        if has_companions { Some(connect_shared(&path).and_then(|conn| read(conn, &path, store))) } else { None };
    match shared {
        Some(Ok(access)) => Ok((access, None)),
        Some(Err(fault)) if !fault.is_of_access() => Err(fault.at(&path)),
        Some(Err(_)) | None => {
            let alone =
                connect_alone(&path).and_then(|conn| read(conn, &path, store)).map_err(|fault| fault.at(&path))?;
            let left_out = files::companions(&path).next().filter(|_| files::log_length(&path) > 0);
            Ok((alone, left_out))
        }
    }
}

fn read((conn, still): Connected, path: &Path, store: &str) -> Result<Access, Fault> {
    conn.pragma_update(None, "query_only", true)?;
    inspect::distrust(&conn)?;
    inspect::refuse_what_cannot_be_read(&*conn.unchecked_transaction()?, path)?;
    search::prepare(&conn)?;
    let key = conn.query_row("SELECT id FROM store WHERE url = ?1", [store], |found| found.get(0)).optional()?;
    let cache = QueryCache::of(&conn)?;
    let path = path.to_path_buf();
    Ok(Access { conn, path, is_on_disk: false, store: key.unwrap_or(NO_STORE), cache, still })
}

/// With locks, and with the log.
fn connect_shared(path: &Path) -> Result<Connected, Fault> {
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    Ok((conn, None))
}

/// Without both.
fn connect_alone(path: &Path) -> Result<Connected, Fault> {
    let still = Still::of(path);
    let uri = format!("file:{}?immutable=1", percent_encode(path.as_os_str().as_bytes(), IN_URI));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    Ok((Connection::open_with_flags(uri, flags)?, Some(still)))
}
