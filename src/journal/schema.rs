//! The tables of the journal. [`super::inspect`] compares a file with them before it is used.

use rusqlite::{Connection, ToSql};

use super::fault::Fault;
use super::sql;

/// Marks a file as a journal in `SQLite`'s header: `plJ1`.
pub(super) const APPLICATION_ID: i64 = 0x706C_4A31;

/// The version of the tables. A file with a newer one is rejected.
pub(super) const VERSION: i64 = 1;

/// The tables. Three of them hold entries, which are written once: an operation as it was requested,
/// an exchange as it ended, a resolution. Codes are those of [`super::codes`]; times are milliseconds
/// since 1970, durations microseconds.
///
/// The id of an entry is unique over all machines: the `origin` of the running program and a `number`
/// of its own. An exchange has the id of its operation.
///
/// Where a team shares a store ([`super::team`]), `stream` is the position of an entry in the team's
/// stream, or, until it is there, minus its number among this journal's entries; and `folded` is how
/// much of the stream its author had folded. Both are NULL elsewhere, and for what is older than the
/// team. `origin.member` is NULL for this journal's own programs; or, for those that
/// wrote when this journal was another member, minus that member. `plant.author` is NULL for its own
/// entries.
/// `store.member` is this journal among the members, `member.number` the number of a member's last entry here.
///
/// - `operation.name` and `tag` are those of the plant to add; or, for a delete, those that the plant
///   had in the list at that time.
/// - `exchange.started` counts from `operation.requested_at`. `request`, `line` and `headers` are keys
///   of `head`. A response without `body` was trimmed. `body_end` is NULL for a complete body, the
///   number of bytes for a capped one, the reason for one that broke off.
/// - `exchange_by_store` covers every column that a search compares in `exchange`.
///
/// The other tables follow from the entries. `plant` has a rowid, which keeps the index on its key
/// narrow: positions and counts are read from that index alone. `plant.fold` is NULL where row and
/// operations determine it: see [`super::stored::fold_of`].
const TABLES: &str = "\
    CREATE TABLE store ( \
        id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, member INTEGER, stream TEXT, folded INTEGER \
    ) STRICT; \
    CREATE TABLE member ( \
        id INTEGER PRIMARY KEY, store INTEGER NOT NULL, journal INTEGER NOT NULL, author TEXT NOT NULL, \
        number INTEGER NOT NULL, \
        UNIQUE (store, journal) \
    ) STRICT; \
    CREATE TABLE origin ( id INTEGER PRIMARY KEY, origin INTEGER NOT NULL UNIQUE, member INTEGER ) STRICT; \
    CREATE TABLE head ( id INTEGER PRIMARY KEY, text TEXT NOT NULL ) STRICT; \
    CREATE TABLE operation ( \
        seq INTEGER PRIMARY KEY, \
        store INTEGER NOT NULL, \
        origin INTEGER NOT NULL, number INTEGER NOT NULL, \
        kind INTEGER NOT NULL, plant_id INTEGER NOT NULL, name TEXT, tag TEXT, \
        requested_at INTEGER NOT NULL, \
        outcome INTEGER, \
        probe TEXT, \
        folded INTEGER, stream INTEGER, \
        UNIQUE (origin, number) \
    ) STRICT; \
    CREATE INDEX operation_open ON operation (store, plant_id) WHERE outcome IS NULL; \
    CREATE INDEX operation_new ON operation (store, stream) WHERE stream < 0; \
    CREATE INDEX operation_check ON operation (store, plant_id) WHERE probe IS NOT NULL; \
    CREATE TABLE exchange ( \
        seq INTEGER PRIMARY KEY, \
        operation INTEGER NOT NULL, \
        store INTEGER NOT NULL, plant_id INTEGER NOT NULL, \
        outcome INTEGER NOT NULL, status INTEGER, failure INTEGER, detail TEXT, \
        at INTEGER NOT NULL, started INTEGER NOT NULL, elapsed_us INTEGER NOT NULL, \
        name_us INTEGER, connection_us INTEGER, tls_us INTEGER, waiting_us INTEGER, reading_us INTEGER, \
        request INTEGER, request_body TEXT, \
        line INTEGER, headers INTEGER, body BLOB, body_end ANY, \
        stream INTEGER \
    ) STRICT; \
    CREATE INDEX exchange_by_plant ON exchange (store, plant_id); \
    CREATE INDEX exchange_new ON exchange (store, stream) WHERE stream < 0; \
    CREATE INDEX exchange_by_store ON exchange (store, seq, operation, status, outcome); \
    CREATE TABLE resolution ( \
        seq INTEGER PRIMARY KEY, \
        store INTEGER NOT NULL, \
        origin INTEGER NOT NULL, number INTEGER NOT NULL, \
        plant_id INTEGER NOT NULL, what INTEGER NOT NULL, at INTEGER NOT NULL, name TEXT, tag TEXT, \
        after_exchange INTEGER NOT NULL, \
        folded INTEGER, stream INTEGER, \
        UNIQUE (origin, number) \
    ) STRICT; \
    CREATE INDEX resolution_new ON resolution (store, stream) WHERE stream < 0; \
    CREATE INDEX resolution_plant ON resolution (store, plant_id); \
    CREATE TABLE check_run ( \
        seq INTEGER PRIMARY KEY, \
        store INTEGER NOT NULL, \
        started INTEGER NOT NULL, report TEXT NOT NULL \
    ) STRICT; \
    CREATE TABLE plant ( \
        store INTEGER NOT NULL, \
        id INTEGER NOT NULL, state INTEGER NOT NULL, name TEXT, tag TEXT, changed_at INTEGER NOT NULL, \
        fold TEXT, author TEXT, \
        UNIQUE (store, id) \
    ) STRICT; \
    CREATE INDEX plant_unknown ON plant (store, id) WHERE state = 1; \
    CREATE TABLE tally ( \
        store INTEGER PRIMARY KEY, \
        stored INTEGER, unknown INTEGER, adding INTEGER, deleting INTEGER, \
        largest_added INTEGER \
    ) STRICT; \
    CREATE TABLE unlisted ( \
        seq INTEGER PRIMARY KEY, \
        store INTEGER NOT NULL, \
        plant_id INTEGER NOT NULL, name TEXT NOT NULL, tag TEXT NOT NULL, \
        how INTEGER NOT NULL, at INTEGER NOT NULL \
    ) STRICT; \
    CREATE INDEX unlisted_plant ON unlisted (store, plant_id); \
";

/// Returns the statements that create the tables and indices, as `SQLite` stores them. Without indentation they fit in
/// the first page, so that damage to another page leaves the schema readable.
pub(super) fn statements() -> impl Iterator<Item = &'static str> {
    TABLES.split(';').map(str::trim).filter(|statement| !statement.is_empty())
}

/// Creates the tables in an empty file, and marks the file as a journal.
pub(super) fn create(conn: &Connection) -> Result<(), Fault> {
    for statement in statements() {
        conn.execute_batch(statement)?;
    }
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    conn.pragma_update(None, "user_version", VERSION)?;
    Ok(())
}

/// Returns the key of a store, and stores its normalised base URL if it is new.
pub(super) fn store_key(conn: &Connection, url: &str) -> Result<i64, Fault> {
    key_of(conn, "SELECT id FROM store WHERE url = ?1", "INSERT INTO store (url) VALUES (?1)", url)
}

/// Returns the key of a running program, and stores its origin if it is new.
pub(super) fn origin_key(conn: &Connection, origin: u64) -> Result<i64, Fault> {
    let (find, insert) = ("SELECT id FROM origin WHERE origin = ?1", "INSERT INTO origin (origin) VALUES (?1)");
    key_of(conn, find, insert, origin.cast_signed())
}

fn key_of(conn: &Connection, find: &str, insert: &str, value: impl ToSql) -> Result<i64, Fault> {
    if let Some(key) = sql::first(conn, find, [&value])? {
        return Ok(key);
    }
    sql::execute(conn, insert, [value])?;
    Ok(conn.last_insert_rowid())
}
