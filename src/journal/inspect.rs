//! Checks whose file it is before anything is written, and prepares a connection for writing.
//!
//! A trigger or a view from elsewhere would run with each write or lookup of this program. So the
//! schema is read, and nothing else, before any statement runs on the file.

use std::path::Path;
use std::thread;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode};

use super::error::JournalError;
use super::fault::Fault;
use super::locks::BUSY_TIMEOUT;
use super::schema::{self, APPLICATION_ID, VERSION};
use super::{search, sql};
use crate::text::clean_fit;

/// The width of a quoted name in columns.
const QUOTED: usize = 60;

/// Returns the version of a journal, from its header; `None` for an empty file.
///
/// # Errors
///
/// [`JournalError::NewerVersion`], [`JournalError::NotAJournal`].
pub(super) fn version(conn: &Connection, path: &Path) -> Result<Option<i64>, Fault> {
    let number = |sql| conn.query_row(sql, [], |row| row.get::<_, i64>(0));
    let (application, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    // Read last, because this fails on damage: a damaged file of another program stays untouched.
    let is_empty = || number("SELECT count(*) FROM sqlite_schema").map(|tables| tables == 0);
    let path = path.to_path_buf();
    match (application, version) {
        (APPLICATION_ID, 1..=VERSION) => Ok(Some(version)),
        (APPLICATION_ID, version) if version > VERSION => Err(JournalError::NewerVersion { path, version }.into()),
        (0, 0) if is_empty()? => Ok(None),
        (_, _) => Err(JournalError::NotAJournal { path }.into()),
    }
}

/// Rejects a file whose header names another program or a newer release; returns its version. A damaged file without a
/// readable header counts as a journal of this version, because of its name.
///
/// # Errors
///
/// [`JournalError::NewerVersion`], [`JournalError::NotAJournal`].
pub(super) fn reject_foreign_header(conn: &Connection, path: &Path) -> Result<i64, Fault> {
    match version(conn, path) {
        Err(foreign @ Fault::Journal(_)) => Err(foreign),
        Ok(found) => Ok(found.unwrap_or(VERSION)),
        Err(_) => Ok(VERSION),
    }
}

/// Rejects a file that is neither empty nor a journal with the schema of its version, which it returns.
///
/// # Errors
///
/// As [`version`], [`JournalError::Unexpected`], or `SQLite`'s error.
fn reject_foreign(conn: &Connection, path: &Path) -> Result<Option<i64>, Fault> {
    let found = version(conn, path)?;
    if let Some(version) = found {
        compare_schema(conn, path, version)?;
    }
    Ok(found)
}

/// A row of the schema: its kind, its name, and the statement that created it.
type Object = (String, String, String);

/// Reads the schema, without the indices that a table implies, and the tables that `SQLite` creates itself, for `ANALYZE`
/// and for `AUTOINCREMENT`.
fn objects(conn: &Connection) -> Result<Vec<Object>, Fault> {
    let schema = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL
        AND (type <> 'table' OR name NOT IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat3', 'sqlite_stat4'))";
    sql::all(conn, schema, [], |found| Ok((found.get(0)?, found.get(1)?, found.get(2)?)))
}

/// Returns the schema of a version. Derives it from the text: a model database that executes it would delay each start.
fn expected(version: i64) -> Vec<Object> {
    let object = |statement: String| {
        let mut words = statement.split(' ').skip(1).map(str::to_owned);
        let (kind, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        (kind.to_lowercase(), name, statement)
    };
    schema::statements(version).into_iter().map(object).collect()
}

/// Compares the schema of a file with that of a journal of this version.
///
/// # Errors
///
/// [`JournalError::Unexpected`], or `SQLite`'s error on a damaged schema.
fn compare_schema(conn: &Connection, path: &Path, version: i64) -> Result<(), Fault> {
    let (expected, found) = (expected(version), objects(conn)?);
    let is_known = |kind: &str, name: &str| expected.iter().any(|known| (kind, name) == (&known.0, &known.1));
    // Triggers and views first.
    let order = |(kind, name, _): &&Object| (!matches!(&**kind, "trigger" | "view"), kind.clone(), name.clone());
    let unexpected = found.iter().filter(|object| !expected.contains(object)).min_by_key(order);
    let missing = expected.iter().find(|known| !found.contains(known));
    let ((kind, name, _), problem) = match (unexpected, missing) {
        (Some(object), _) if is_known(&object.0, &object.1) => (object, "is not as plants makes it"),
        (Some(object), _) => (object, "does not belong in it"),
        (None, Some(missing)) => (missing, "is missing"),
        (None, None) => return Ok(()),
    };
    let what = format!("the {} {} {problem}", clean_fit(kind, QUOTED), clean_fit(name, QUOTED));
    Err(JournalError::Unexpected { path: path.to_path_buf(), what }.into())
}

/// Disables functions with side effects that the schema of a file names.
pub(super) fn distrust_schema(conn: &Connection) -> Result<(), Fault> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(())
}

/// Rejects a file that cannot be used without a write: an empty one has no tables yet. Returns its version.
pub(super) fn reject_unreadable(conn: &Connection, path: &Path) -> Result<i64, Fault> {
    reject_foreign(conn, path)?.ok_or_else(|| JournalError::ReadOnly { path: path.to_path_buf() }.into())
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
    // The writer writes the row that a key refers to before the key.
    conn.pragma_update(None, "foreign_keys", false)?;
    sql::keep_statements(conn)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_derived_schema_is_that_of_a_new_journal_and_of_a_migrated_one() {
        let sorted = |mut objects: Vec<Object>| {
            objects.sort_by(|(_, one, _), (_, other, _)| one.cmp(other));
            objects
        };
        for version in 1..=VERSION {
            let derived = |version| sorted(expected(version));
            let conn = Connection::open_in_memory().unwrap();
            schema::create(&conn, version).unwrap();
            assert_eq!(derived(version), sorted(objects(&conn).unwrap()));
            schema::migrate(&conn, version).unwrap();
            assert_eq!(derived(VERSION), sorted(objects(&conn).unwrap()));
            assert_eq!(super::version(&conn, Path::new("")).unwrap(), Some(VERSION));
        }
    }
}
