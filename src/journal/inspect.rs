//! Checks whose file it is before anything is written, and prepares a connection for writing.

use std::path::Path;
use std::thread;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode};

use super::error::JournalError;
use super::fault::Fault;
use super::locks::BUSY_TIMEOUT;
use super::schema::{self, APPLICATION_ID, VERSION};
use super::{objects, search};

/// A file that this release can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// An empty file.
    Nobody,
    /// A journal of this version.
    Us,
}

/// Reads whose file it is from its header.
///
/// # Errors
///
/// [`JournalError::NewerVersion`], [`JournalError::NotAJournal`].
fn owner_of(conn: &Connection, path: &Path) -> Result<Owner, Fault> {
    let number = |sql| conn.query_row(sql, [], |row| row.get::<_, i64>(0));
    let (application, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    // Read last, because this fails on damage: a damaged file of another program stays untouched.
    let is_empty = || number("SELECT count(*) FROM sqlite_schema").map(|tables| tables == 0);
    let path = path.to_path_buf();
    match (application, version) {
        (APPLICATION_ID, VERSION) => Ok(Owner::Us),
        (APPLICATION_ID, version) if version > VERSION => Err(JournalError::NewerVersion { path, version }.into()),
        (0, 0) if is_empty()? => Ok(Owner::Nobody),
        (_, _) => Err(JournalError::NotAJournal { path }.into()),
    }
}

/// Rejects a file whose header names another program or a newer release. A damaged file without a
/// readable header counts as a journal, because of its name.
///
/// # Errors
///
/// [`JournalError::NewerVersion`], [`JournalError::NotAJournal`].
pub(super) fn reject_foreign_header(conn: &Connection, path: &Path) -> Result<(), Fault> {
    match owner_of(conn, path) {
        Err(foreign @ Fault::Journal(_)) => Err(foreign),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Rejects a file that is not a journal, or whose schema differs from a journal's.
///
/// # Errors
///
/// As [`owner_of`], [`JournalError::Unexpected`], or `SQLite`'s error.
fn reject_foreign(conn: &Connection, path: &Path) -> Result<Owner, Fault> {
    let owner = owner_of(conn, path)?;
    if owner == Owner::Us {
        objects::check(conn, path)?;
    }
    Ok(owner)
}

/// Disables functions with side effects that the schema of a file names.
pub(super) fn distrust_schema(conn: &Connection) -> Result<(), Fault> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(())
}

/// Rejects a file that cannot be used without a write: an empty one has no tables yet.
pub(super) fn reject_unreadable(conn: &Connection, path: &Path) -> Result<(), Fault> {
    match reject_foreign(conn, path)? {
        Owner::Us => Ok(()),
        Owner::Nobody => Err(JournalError::ReadOnly { path: path.to_path_buf() }.into()),
    }
}

/// Checks owner and schema before the first write, and makes every commit durable.
///
/// # Errors
///
/// The file is not a journal, or its file system cannot hold a write-ahead log.
pub(super) fn prepare_for_writing(conn: &Connection, path: &Path) -> Result<(), Fault> {
    distrust_schema(conn)?;
    // Closing must not move another program's log into its file.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // Reads in one snapshot: another program may be creating its tables at this moment.
    reject_foreign(&*conn.unchecked_transaction()?, path)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    if !matches!(start_log(conn)?.as_str(), "wal" | "memory") {
        return Err(JournalError::NoLog { path: path.to_path_buf() }.into());
    }
    conn.pragma_update(None, "synchronous", "FULL")?;
    // For systems whose normal flush leaves data in the disk's cache; without effect elsewhere.
    conn.pragma_update(None, "fullfsync", true)?;
    conn.pragma_update(None, "checkpoint_fullfsync", true)?;
    conn.set_prepared_statement_cache_capacity(64);
    search::prepare(conn)?;
    Ok(())
}

/// Switches the journal to a write-ahead log, unless it has one; returns the journal mode.
///
/// `SQLite` does not apply the busy time-out here: two programs that create a new journal at once
/// would fail.
fn start_log(conn: &Connection) -> Result<String, Fault> {
    const PAUSE: Duration = Duration::from_millis(10);
    let mut waited = Duration::ZERO;
    loop {
        match conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && waited < BUSY_TIMEOUT => {
                thread::sleep(PAUSE);
                waited += PAUSE;
            }
            other => return Ok(other?),
        }
    }
}

/// Creates the tables in an empty file. Called in a write transaction: of two programs that start at
/// once, one creates all tables.
///
/// # Errors
///
/// As [`owner_of`]: another program may have written the file since [`prepare_for_writing`].
pub(super) fn create_tables(conn: &Connection, path: &Path) -> Result<(), Fault> {
    match owner_of(conn, path)? {
        Owner::Nobody => schema::create(conn),
        Owner::Us => Ok(()),
    }
}
