//! Whose file it is: validated before anything is written.

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

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// An empty file.
    Nobody,
    /// This release's.
    Us,
    /// A newer release's.
    NewerUs(i64),
    /// Another program's.
    Stranger,
}

fn owner_of(conn: &Connection) -> Result<Owner, Fault> {
    let number = |sql| conn.query_row(sql, [], |row| row.get::<_, i64>(0));
    let (application, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    // Last, because damage shows here: a stranger's file stays a stranger's.
    let is_empty = || number("SELECT count(*) FROM sqlite_schema").map(|tables| tables == 0);
    Ok(match (application, version) {
        (APPLICATION_ID, VERSION) => Owner::Us,
        (APPLICATION_ID, version) if version > VERSION => Owner::NewerUs(version),
        (0, 0) if is_empty()? => Owner::Nobody,
        (_, _) => Owner::Stranger,
    })
}

/// Refuses a file that says of itself that it is not ours, or not for this release. One that is
/// damaged and says nothing readable is ours, by its name.
///
/// # Errors
///
/// [`JournalError::FromTheFuture`], [`JournalError::NotAJournal`].
pub(super) fn refuse_what_says_it_is_not_ours(conn: &Connection, path: &Path) -> Result<(), Fault> {
    owner_of(conn).map_or(Ok(()), |owner| validated(owner, path).map(drop))
}

/// Refuses a file that is not ours, or that has anything but our tables in it.
///
/// # Errors
///
/// As above, [`JournalError::Unexpected`], or what `SQLite` says.
fn refuse_what_is_not_ours(conn: &Connection, path: &Path) -> Result<Owner, Fault> {
    let owner = validated(owner_of(conn)?, path)?;
    if owner == Owner::Us {
        objects::check(conn, path)?;
    }
    Ok(owner)
}

fn validated(owner: Owner, path: &Path) -> Result<Owner, Fault> {
    match owner {
        Owner::Nobody | Owner::Us => Ok(owner),
        Owner::NewerUs(version) => Err(JournalError::FromTheFuture { path: path.to_path_buf(), version }.into()),
        Owner::Stranger => Err(JournalError::NotAJournal { path: path.to_path_buf() }.into()),
    }
}

/// Lets no function with effects run that the schema of a file names.
pub(super) fn distrust(conn: &Connection) -> Result<(), Fault> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(())
}

/// Refuses a file that cannot be read as it is; an empty one would have to be written first.
pub(super) fn refuse_what_cannot_be_read(conn: &Connection, path: &Path) -> Result<(), Fault> {
    match refuse_what_is_not_ours(conn, path)? {
        Owner::Us => Ok(()),
        Owner::Nobody | Owner::NewerUs(_) | Owner::Stranger => {
            Err(JournalError::ReadOnly { path: path.to_path_buf() }.into())
        }
    }
}

/// Looks whose file it is and what is in its schema before the first write, and makes every commit
/// durable.
///
/// # Errors
///
/// The file is not ours, or its file system cannot carry a write-ahead log.
pub(super) fn make_ready(conn: &Connection, path: &Path) -> Result<(), Fault> {
    distrust(conn)?;
    // Closing must not move a stranger's log into their file.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // In one snapshot: another program may be making its tables right now.
    refuse_what_is_not_ours(&*conn.unchecked_transaction()?, path)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    let mode = start_log(conn)?;
    if !matches!(mode.as_str(), "wal" | "memory") {
        return Err(JournalError::NoLog { path: path.to_path_buf() }.into());
    }
    conn.pragma_update(None, "synchronous", "FULL")?;
    // Where the system's own flush leaves what it flushes in the disk's memory; nothing elsewhere.
    conn.pragma_update(None, "fullfsync", true)?;
    conn.pragma_update(None, "checkpoint_fullfsync", true)?;
    conn.set_prepared_statement_cache_capacity(64);
    search::prepare(conn)?;
    Ok(())
}

/// Switches the journal to a write-ahead log, unless it has one; returns how it keeps its log.
///
/// `SQLite` does not wait for others here, however long the busy timeout is: two programs that
/// make a new journal at once would fail.
fn start_log(conn: &Connection) -> Result<String, Fault> {
    const PAUSE: Duration = Duration::from_millis(10);
    let tries = BUSY_TIMEOUT.as_millis() / PAUSE.as_millis();
    for _ in 1..tries {
        match conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => thread::sleep(PAUSE),
            other => return Ok(other?),
        }
    }
    Ok(conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?)
}

/// Makes the tables where there are none. Inside a write transaction: two programs that start at
/// once do it once, and it is done whole or not at all.
///
/// # Errors
///
/// As [`make_ready`]: somebody may have been faster.
pub(super) fn create_tables(conn: &Connection, path: &Path) -> Result<(), Fault> {
    match validated(owner_of(conn)?, path)? {
        Owner::Nobody => schema::create(conn),
        Owner::Us | Owner::NewerUs(_) | Owner::Stranger => Ok(()),
    }
}
