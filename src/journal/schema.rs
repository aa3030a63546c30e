//! The tables of the journal, and whose file it is: judged before anything is written.

use std::path::Path;
use std::thread;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OptionalExtension, params};

use super::error::{Fault, JournalError};
use super::{BUSY_TIMEOUT, objects, search};
use crate::domain::text::shown_path;

/// `PLNT`: marks a file as ours in `SQLite`'s header.
const APPLICATION_ID: i64 = 0x504C_4E54;

/// What brings a journal from each version to the next. A new journal takes all of them, so
/// that there is one way to make a table. A step that was released is never changed.
const STEPS: [&str; VERSION as usize] = [VERSION_1, VERSION_2, VERSION_3, VERSION_4];

/// The schema this release writes. An older one is migrated here, a newer one refused.
pub(super) const VERSION: u8 = 4;

/// `plant` and `tally` are what the fold of the rest says; `plant` has a rowid so that the
/// index on its key is narrow: places and counts are read from that index alone.
const VERSION_1: &str = "
    CREATE TABLE store (
        id INTEGER PRIMARY KEY,
        url TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE operation (
        seq INTEGER PRIMARY KEY,
        store INTEGER NOT NULL REFERENCES store(id),
        origin INTEGER NOT NULL,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        plant_id INTEGER NOT NULL,
        name TEXT,
        tag TEXT,
        asked_at INTEGER NOT NULL,
        outcome TEXT,
        UNIQUE (origin, number)
    ) STRICT;
    CREATE INDEX operation_by_plant ON operation (store, plant_id);
    CREATE INDEX operation_open ON operation (origin) WHERE outcome IS NULL;
    CREATE TABLE exchange (
        seq INTEGER PRIMARY KEY,
        operation INTEGER NOT NULL REFERENCES operation(seq),
        store INTEGER NOT NULL REFERENCES store(id),
        plant_id INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        status INTEGER,
        started INTEGER NOT NULL,
        elapsed_us INTEGER NOT NULL,
        at INTEGER NOT NULL,
        request TEXT,
        ending TEXT NOT NULL,
        body BLOB
    ) STRICT;
    CREATE INDEX exchange_by_plant ON exchange (store, plant_id);
    CREATE INDEX exchange_by_store ON exchange (store);
    CREATE TABLE settlement (
        seq INTEGER PRIMARY KEY,
        store INTEGER NOT NULL REFERENCES store(id),
        plant_id INTEGER NOT NULL,
        what TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX settlement_by_plant ON settlement (store, plant_id);
    CREATE TABLE plant (
        store INTEGER NOT NULL REFERENCES store(id),
        id INTEGER NOT NULL,
        state TEXT NOT NULL,
        name TEXT,
        tag TEXT,
        changed_at INTEGER NOT NULL,
        record TEXT NOT NULL,
        UNIQUE (store, id)
    ) STRICT;
    CREATE INDEX plant_in_doubt ON plant (store, id) WHERE state = 'unknown';
    CREATE TABLE tally (
        store INTEGER NOT NULL REFERENCES store(id),
        state TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (store, state)
    ) STRICT, WITHOUT ROWID;
";

/// What has left the view, so that it can be added again; what a plant to delete was called;
/// and after which exchange a person settled, so that the fold can be done over (unknown of
/// settlements that are older than this).
///
/// Exchanges are long and their index by store short: it holds all that a search asks of them
/// before it reads one.
const VERSION_2: &str = "
    CREATE TABLE departure (
        seq INTEGER PRIMARY KEY,
        store INTEGER NOT NULL REFERENCES store(id),
        plant_id INTEGER NOT NULL,
        name TEXT NOT NULL,
        tag TEXT NOT NULL,
        how TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX departure_by_plant ON departure (store, plant_id);
    DROP INDEX exchange_by_store;
    CREATE INDEX exchange_by_store ON exchange (store, seq, operation, status, outcome);

    UPDATE operation AS d SET (name, tag) = (
        SELECT a.name, a.tag FROM operation a
        WHERE a.store = d.store AND a.plant_id = d.plant_id AND a.kind = 'add' AND a.seq < d.seq
            AND a.outcome IN ('accepted', 'unknown')
        ORDER BY a.seq DESC LIMIT 1)
    WHERE d.kind = 'delete';

    ALTER TABLE settlement ADD COLUMN after_exchange INTEGER;

    INSERT INTO departure (store, plant_id, name, tag, how, at)
    SELECT store, plant_id, name, tag, how, at FROM (
        SELECT o.store, o.plant_id, o.name, o.tag, e.at,
            CASE WHEN o.kind = 'delete' THEN 'deleted' ELSE e.outcome END AS how
        FROM exchange e JOIN operation o ON o.seq = e.operation
        WHERE (o.kind = 'delete' AND e.outcome = 'accepted') OR (o.kind = 'add' AND e.outcome IN ('rejected', 'not_sent'))
        UNION ALL
        SELECT s.store, s.plant_id, a.name, a.tag, s.at, 'forgotten'
        FROM settlement s JOIN operation a ON a.seq = (
            SELECT o.seq FROM operation o WHERE o.store = s.store AND o.plant_id = s.plant_id AND o.kind = 'add'
                AND o.asked_at <= s.at AND o.outcome IN ('accepted', 'unknown')
            ORDER BY o.seq DESC LIMIT 1)
        WHERE s.what = 'forget')
    WHERE name IS NOT NULL AND tag IS NOT NULL ORDER BY at;
";

/// Where the time of an exchange went; unknown of those that are older than this.
const VERSION_3: &str = "
    ALTER TABLE exchange ADD COLUMN phases TEXT;
";

/// How a request departs from the document's, of operations that the contract check asked for;
/// and what each run of the check came to. The ids that the check draws are the largest of all:
/// the largest that somebody else asked for has an index of its own.
const VERSION_4: &str = "
    ALTER TABLE operation ADD COLUMN probe TEXT;
    CREATE INDEX operation_of_check ON operation (store, plant_id) WHERE probe IS NOT NULL;
    CREATE INDEX operation_added ON operation (store, plant_id) WHERE kind = 'add' AND probe IS NULL;
    CREATE TABLE check_run (
        seq INTEGER PRIMARY KEY,
        store INTEGER NOT NULL REFERENCES store(id),
        started INTEGER NOT NULL,
        report TEXT NOT NULL
    ) STRICT;
";

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// Nobody's: an empty file.
    Nobody,
    /// Ours, of this release or an older one: so many steps are done.
    Us(u8),
    /// Ours, of a newer release.
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
        (APPLICATION_ID, version @ 1..) => match u8::try_from(version) {
            Ok(done @ ..=VERSION) => Owner::Us(done),
            Ok(_) | Err(_) => Owner::NewerUs(version),
        },
        (0, 0) if is_empty()? => Owner::Nobody,
        (_, _) => Owner::Stranger,
    })
}

/// Refuses a file that is not ours to write.
///
/// # Errors
///
/// [`JournalError::FromTheFuture`], [`JournalError::NotAJournal`], [`JournalError::Unexpected`], or
/// what `SQLite` says.
fn refuse_what_is_not_ours(conn: &Connection, path: &Path) -> Result<Owner, Fault> {
    let owner = judged(owner_of(conn)?, path)?;
    if let Owner::Us(version) = owner {
        objects::check(conn, version, path)?;
    }
    Ok(owner)
}

/// Refuses a damaged file that says of itself that it is not ours.
///
/// # Errors
///
/// As above; a file that says nothing readable is ours, by its name.
pub(super) fn refuse_what_says_it_is_not_ours(conn: &Connection, path: &Path) -> Result<(), Fault> {
    owner_of(conn).map_or(Ok(()), |owner| judged(owner, path).map(drop))
}

fn judged(owner: Owner, path: &Path) -> Result<Owner, Fault> {
    match owner {
        owner @ (Owner::Nobody | Owner::Us(_)) => Ok(owner),
        Owner::NewerUs(version) => Err(JournalError::FromTheFuture { path: path.to_path_buf(), version }.into()),
        Owner::Stranger => Err(JournalError::NotAJournal { path: path.to_path_buf() }.into()),
    }
}

/// Lets no function with effects run that the schema of a file names.
pub(super) fn distrust(conn: &Connection) -> Result<(), Fault> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(())
}

/// Refuses a file that is not a journal of this release, where it cannot be migrated.
///
/// # Errors
///
/// As [`make_ready`]; or it is of an older release.
pub(super) fn refuse_what_cannot_be_read(conn: &Connection, path: &Path) -> Result<(), Fault> {
    match refuse_what_is_not_ours(conn, path)? {
        Owner::Us(VERSION) => Ok(()),
        Owner::Nobody => Err(JournalError::ReadOnly { path: path.to_path_buf() }.into()),
        Owner::Us(_) | Owner::NewerUs(_) | Owner::Stranger => Err(Fault::Entry(format!(
            "the journal {} is of an older release: start plants once where it can be written, and it is brought up to date",
            shown_path(path)
        ))),
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
        return Err(Fault::Entry(format!(
            "the file system of {} cannot carry the journal's log: choose a local folder with --data-dir",
            shown_path(path)
        )));
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

/// Brings the tables to this release's version, from whichever they have. Inside a write
/// transaction: two programs that start at once do it once, and it is done whole or not at all.
///
/// # Errors
///
/// As [`make_ready`]: somebody may have been faster.
pub(super) fn migrate(conn: &Connection, path: &Path) -> Result<(), Fault> {
    let done = match judged(owner_of(conn)?, path)? {
        Owner::Us(done) => done,
        Owner::Nobody | Owner::NewerUs(_) | Owner::Stranger => 0,
    };
    if done < VERSION { take_steps(conn, done, VERSION) } else { Ok(()) }
}

/// Whether it is of an older release.
pub(super) fn is_older(conn: &Connection) -> Result<bool, Fault> {
    Ok(matches!(owner_of(conn)?, Owner::Us(done) if done < VERSION))
}

/// The version of a journal that may be damaged; this release's where its mark makes no sense.
pub(super) fn version_of(conn: &Connection) -> u8 {
    let marked: rusqlite::Result<u8> = conn.query_row("PRAGMA user_version", [], |row| row.get(0));
    marked.ok().filter(|version| (1..=VERSION).contains(version)).unwrap_or(VERSION)
}

/// Takes the steps after `done` up to and with `version`.
pub(super) fn take_steps(conn: &Connection, done: u8, version: u8) -> Result<(), Fault> {
    for step in STEPS.iter().take(version.into()).skip(done.into()) {
        conn.execute_batch(step)?;
    }
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    conn.pragma_update(None, "user_version", version)?;
    Ok(())
}

/// The key of a store, given on first sight of its normalised base URL.
pub(super) fn store_key(conn: &Connection, url: &str) -> Result<i64, Fault> {
    let known = conn.query_row("SELECT id FROM store WHERE url = ?1", [url], |row| row.get(0)).optional()?;
    if let Some(key) = known {
        return Ok(key);
    }
    conn.execute("INSERT INTO store (url) VALUES (?1)", params![url])?;
    Ok(conn.last_insert_rowid())
}
