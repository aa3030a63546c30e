//! Opens a journal read-only: creates nothing, writes nothing, ends nothing.
//!
//! A journal with its log and shared memory beside it is read with `SQLite`'s locks. Without them
//! `SQLite` would have to create them; opened as immutable instead, it reads the file alone and locks
//! nothing. Each lookup then checks that the file did not change.

use std::path::{Path, PathBuf};
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags};

use super::access::Access;
use super::error::JournalError;
use super::fault::Fault;
use super::identity::FileStamp;
use super::locks::{BUSY_TIMEOUT, SHORT_TIMEOUT};
use super::schema::VERSION;
use super::windows::QueryCache;
use super::{files, inspect, schema, search, sql};
use crate::os::locks;

/// A key that no store has.
const NO_STORE: i64 = -1;

/// The bytes of a path that a URI holds escaped.
const IN_URI: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');

/// A connection that only reads a journal.
pub(super) struct Reading {
    pub(super) conn: Connection,
    /// The state of the file at opening, if it is read without locks.
    pub(super) stamp: Option<FileStamp>,
    /// The log, if it exists and cannot be read.
    pub(super) left_out: Option<PathBuf>,
}

/// Opens the journal in a folder for one store; returns also the path of its log, if the log exists
/// and cannot be read.
///
/// # Errors
///
/// Those of [`connect`].
pub(super) fn open(folder: &Path, store: &str) -> Result<(Access, Option<PathBuf>), JournalError> {
    access(files::readable_in(folder), store, |path| connect(path, of_this_version))
}

/// Opens the journal in a folder for one store, for lookups that must not take long: hardly waits for other programs, and
/// migrates no copy.
///
/// # Errors
///
/// Those of [`connect`]; [`JournalError::ReadOnly`] for a journal of an older version.
pub(super) fn open_at_once(folder: &Path, store: &str) -> Result<Access, JournalError> {
    let connect = |path: &Path| connect_with(path, SHORT_TIMEOUT, only_of_this_version);
    access(files::readable_in(folder), store, connect).map(|(access, _)| access)
}

fn access(
    path: PathBuf,
    store: &str,
    connect: impl FnOnce(&Path) -> Result<Reading, JournalError>,
) -> Result<(Access, Option<PathBuf>), JournalError> {
    let Reading { conn, stamp, left_out } = connect(&path)?;
    let attempt = || -> Result<_, Fault> {
        sql::keep_statements(&conn)?;
        search::prepare(&conn)?;
        let store = sql::first(&conn, "SELECT id FROM store WHERE url = ?1", [store])?.unwrap_or(NO_STORE);
        Ok((store, QueryCache::of(&conn)?))
    };
    let (store, cache) = attempt().map_err(|fault| fault.at(&path))?;
    Ok((Access { conn, path, is_on_disk: false, store, cache, stamp }, left_out))
}

/// Opens the journal at a path.
///
/// # Errors
///
/// The file cannot be read, is not a journal, or is of another release.
pub(super) fn connect(path: &Path, of_version: OfVersion) -> Result<Reading, JournalError> {
    connect_with(path, BUSY_TIMEOUT, of_version)
}

/// Returns the connection to use for a journal, given a connection to its file.
pub(super) type OfVersion = fn(Connection, &Path) -> Result<Connection, Fault>;

fn connect_with(path: &Path, timeout: Duration, of_version: OfVersion) -> Result<Reading, JournalError> {
    files::check(path)?;
    // `SQLite` would wait for locks that the file system does not have.
    if files::companions(path).all(|path| path.exists()) && !locks::are_missing(path) {
        match open_shared(path, timeout, of_version) {
            Ok(conn) => return Ok(Reading { conn, stamp: None, left_out: None }),
            Err(fault) if fault.is_of_access(path) => {}
            Err(fault) => return Err(fault.at(path)),
        }
    }
    let (conn, stamp) = open_immutable(path, of_version).map_err(|fault| fault.at(path))?;
    let left_out = files::companions(path).next().filter(|_| files::log_length(path) > 0);
    Ok(Reading { conn, stamp: Some(stamp), left_out })
}

/// Opens the file with locks and log.
fn open_shared(path: &Path, timeout: Duration, of_version: OfVersion) -> Result<Connection, Fault> {
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(timeout)?;
    checked(conn, path, of_version)
}

/// Opens the file without locks and log.
fn open_immutable(path: &Path, of_version: OfVersion) -> Result<(Connection, FileStamp), Fault> {
    let stamp = FileStamp::of(path);
    let uri = format!("file:{}?immutable=1", percent_encode(path.as_os_str().as_encoded_bytes(), IN_URI));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    Ok((checked(Connection::open_with_flags(uri, flags)?, path, of_version)?, stamp))
}

fn checked(conn: Connection, path: &Path, of_version: OfVersion) -> Result<Connection, Fault> {
    conn.pragma_update(None, "query_only", true)?;
    inspect::distrust_schema(&conn)?;
    of_version(conn, path)
}

/// Returns a connection to a journal, unless it is of an older version.
fn only_of_this_version(conn: Connection, path: &Path) -> Result<Connection, Fault> {
    match inspect::reject_unreadable(&conn, path)? {
        VERSION => Ok(conn),
        _ => Err(JournalError::ReadOnly { path: path.to_path_buf() }.into()),
    }
}

/// Returns a connection to a journal, or to a migrated copy of one of an older version, in a temporary file that `SQLite`
/// removes.
pub(super) fn of_this_version(conn: Connection, path: &Path) -> Result<Connection, Fault> {
    let snapshot = conn.unchecked_transaction()?;
    let version = inspect::reject_unreadable(&snapshot, path)?;
    if version == VERSION {
        drop(snapshot);
        return Ok(conn);
    }
    let mut copy = Connection::open("")?;
    inspect::distrust_schema(&copy)?;
    Backup::new(&snapshot, &mut copy)?.step(-1)?;
    let migration = copy.unchecked_transaction()?;
    schema::migrate(&migration, version)?;
    migration.commit()?;
    copy.pragma_update(None, "query_only", true)?;
    Ok(copy)
}
