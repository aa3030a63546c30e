//! The tables of the journal, and the steps to them from those of earlier versions. [`super::inspect`] compares a file
//! with the tables of its version before it is used.

use rusqlite::{Connection, params};

use super::fault::Fault;
use super::sql::{self, Store};

/// Marks a file as a journal in `SQLite`'s header: `plJ1`.
pub(super) const APPLICATION_ID: i64 = 0x706C_4A31;

/// The version of the tables. A file with a newer one is rejected, an older one migrates.
pub(super) const VERSION: i64 = 4;

/// Converts how a body ended to JSON. Leaves what is JSON already, so that it may run again; and a value that no journal has,
/// as of a damaged row, on which `SQLite` would fail.
pub(super) const BODY_ENDS_TO_JSON: &str = "UPDATE exchange SET body_end =
    json_object(iif(typeof(body_end) = 'integer', 'Capped', 'CutOff'), body_end)
    WHERE typeof(body_end) = 'integer' OR (typeof(body_end) = 'text' AND NOT json_valid(body_end))";

/// The steps after version 1, each with the version that it leads to: statements that create tables and indices, add
/// columns, or change rows. A step that was released never changes.
const STEPS: [(i64, &str); 3] = [
    (2, "ALTER TABLE store ADD COLUMN folded_at INTEGER"),
    (3, "ALTER TABLE store ADD COLUMN missing TEXT"),
    (4, BODY_ENDS_TO_JSON),
];

/// The tables of version 1. `entry` is what each member wrote about a plant, once, with its number among the entries of
/// that member, how much of the team's stream the member had folded, and its own position there (NULL until the stream has
/// it; without a team it never gets one). It is an intent, whose details are a row of `operation`; an end, with a row of
/// `exchange`; or a resolution. Codes are those of [`super::codes`]; times are milliseconds since 1970, durations
/// microseconds, positions those of [`super::entries::position`].
///
/// - `store.member` is this journal among its members, also without a team; `stream` names the stream that it has joined,
///   `since` is the number of that stream's first message, `folded` that of the last message that is folded, and
///   `folded_at` when the server stored that one, if it was read. `missing` is what the link says about entries that did
///   not come.
/// - `member.own` is 1 for what this journal is and was. `author` is NULL until it has joined a team, `published` is the
///   number of its last entry that the stream has, without a gap before it; or, of another member, the last in a
///   snapshot.
/// - `origin` names the running programs of each member. The id of an operation is the `origin` and a `number` of its own.
/// - `operation.name` and `tag` are those of the plant to add; or, for a delete, those that the plant had in the list.
/// - `exchange.started` counts from `operation.requested_at`. `request`, `line` and `headers` are keys of `head`. A
///   response without `body` was trimmed. `body_end` is NULL for a complete body; else JSON: how it ended, also that the
///   journal has only its beginning, with its length and what was found in it. In version 3 and before, it was the number of
///   bytes for a capped body, and the reason for one that broke off. `exchange_by_store` covers every column that a search compares in `exchange`, but for the start and the body.
///
/// `probe` is the log of the contract check: operations without an entry. `run` is when their run began, `form` how the
/// request differs from the document, `is_left` whether the plant of an add may still be at the store.
///
/// The other tables follow from these. `plant` is the list; it has a rowid, which keeps the index on its key narrow:
/// positions and counts are read from that index alone. `plant.fold` is NULL where the row and the open operation
/// determine it, `plant.author` for this journal. `shared` has the folds of plants about which other members have
/// entries, up to a position of the stream, unless few entries determine them: see [`super::plants::plant`]. Where a
/// snapshot stands for entries, `shared.snapshot` is its position, and `earlier` the fold in it, once that has changed.
const TABLES: &str = "\
    CREATE TABLE store ( \
        id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, member INTEGER NOT NULL, \
        stream TEXT, since INTEGER NOT NULL, folded INTEGER NOT NULL \
    ) STRICT; \
    CREATE TABLE member ( \
        id INTEGER PRIMARY KEY, store INTEGER NOT NULL, journal INTEGER NOT NULL, own INTEGER NOT NULL, author TEXT, \
        published INTEGER NOT NULL, \
        UNIQUE (store, journal) \
    ) STRICT; \
    CREATE TABLE origin ( \
        id INTEGER PRIMARY KEY, origin INTEGER NOT NULL, member INTEGER NOT NULL, UNIQUE (origin, member) \
    ) STRICT; \
    CREATE TABLE entry ( \
        seq INTEGER PRIMARY KEY, \
        member INTEGER NOT NULL, number INTEGER NOT NULL, \
        store INTEGER NOT NULL, plant_id INTEGER NOT NULL, position INTEGER, known INTEGER NOT NULL, \
        operation INTEGER, exchange INTEGER, resolution INTEGER, at INTEGER, \
        UNIQUE (member, number) \
    ) STRICT; \
    CREATE INDEX entry_plant ON entry (store, plant_id, member); \
    CREATE TABLE shared ( \
        store INTEGER NOT NULL, plant_id INTEGER NOT NULL, position INTEGER NOT NULL, fold TEXT NOT NULL, \
        snapshot INTEGER, earlier TEXT, \
        UNIQUE (store, plant_id) \
    ) STRICT; \
    CREATE TABLE head ( id INTEGER PRIMARY KEY, text TEXT NOT NULL ) STRICT; \
    CREATE TABLE operation ( \
        seq INTEGER PRIMARY KEY, \
        store INTEGER NOT NULL, \
        origin INTEGER NOT NULL, number INTEGER NOT NULL, \
        kind INTEGER NOT NULL, plant_id INTEGER NOT NULL, name TEXT, tag TEXT, \
        requested_at INTEGER NOT NULL, \
        outcome INTEGER, \
        UNIQUE (origin, number) \
    ) STRICT; \
    CREATE INDEX operation_open ON operation (store, plant_id) WHERE outcome IS NULL; \
    CREATE TABLE exchange ( \
        seq INTEGER PRIMARY KEY, \
        operation INTEGER NOT NULL, \
        store INTEGER NOT NULL, plant_id INTEGER NOT NULL, \
        outcome INTEGER NOT NULL, status INTEGER, failure INTEGER, detail TEXT, \
        at INTEGER NOT NULL, started INTEGER NOT NULL, elapsed_us INTEGER NOT NULL, \
        name_us INTEGER, connection_us INTEGER, tls_us INTEGER, waiting_us INTEGER, reading_us INTEGER, \
        request INTEGER, request_body TEXT, \
        line INTEGER, headers INTEGER, body BLOB, body_end ANY \
    ) STRICT; \
    CREATE INDEX exchange_by_plant ON exchange (store, plant_id); \
    CREATE INDEX exchange_by_store ON exchange (store, seq, operation, status, outcome); \
    CREATE TABLE probe ( \
        operation INTEGER PRIMARY KEY, run INTEGER, form TEXT NOT NULL, is_left INTEGER NOT NULL \
    ) STRICT; \
    CREATE INDEX probe_run ON probe (run); \
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

/// Returns the statements that create the tables and indices of a version, as `SQLite` stores them. Without indentation
/// and most spaces they fit in the first page, so that damage to another page leaves the schema readable.
pub(super) fn statements(version: i64) -> Vec<String> {
    let of = |text: &'static str| text.split(';').map(str::trim).filter(|statement| !statement.is_empty());
    let short = |statement: &str| statement.replace(", ", ",").replace("( ", "(").replace(" )", ")");
    let mut statements: Vec<_> = of(TABLES).map(short).collect();
    for statement in STEPS.iter().filter(|(to, _)| *to <= version).flat_map(|(_, step)| of(step)) {
        match statement.strip_prefix("ALTER TABLE ").and_then(|rest| rest.split_once(" ADD COLUMN ")) {
            Some((table, column)) => {
                let start = format!("CREATE TABLE {table} ");
                for created in statements.iter_mut().filter(|statement| statement.starts_with(&start)) {
                    // `SQLite` adds it after the other columns.
                    let end = created.find(",UNIQUE (").or_else(|| created.rfind(')'));
                    created.insert_str(end.unwrap_or(created.len()), &format!(", {column}"));
                }
            }
            None if statement.starts_with("CREATE ") => statements.push(statement.to_owned()),
            None => {}
        }
    }
    statements
}

/// Creates the tables of a version in an empty file, and marks the file as a journal.
pub(super) fn create(conn: &Connection, version: i64) -> Result<(), Fault> {
    for statement in statements(version) {
        conn.execute_batch(&statement)?;
    }
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    conn.pragma_update(None, "user_version", version)?;
    Ok(())
}

/// Takes the steps from a version to this one. Called in a write transaction, after the schema of the file was compared
/// with that of its version.
pub(super) fn migrate(conn: &Connection, version: i64) -> Result<(), Fault> {
    for (_, step) in STEPS.iter().filter(|(to, _)| *to > version) {
        conn.execute_batch(step)?;
    }
    conn.pragma_update(None, "user_version", VERSION)?;
    Ok(())
}

/// Whether anything is known of a store: a command that only reads leaves one of which nothing is.
pub(super) const IS_USED: &str = "(stream IS NOT NULL OR EXISTS (SELECT 1 FROM exchange WHERE store = store.id)
    OR EXISTS (SELECT 1 FROM entry WHERE store = store.id) OR EXISTS (SELECT 1 FROM plant WHERE store = store.id))";

/// Returns the key of a store. Stores its normalised base URL if it is new, with this journal as its only member.
pub(super) fn store_key(conn: &Connection, url: &str) -> Result<i64, Fault> {
    if let Some(key) = sql::first(conn, "SELECT id FROM store WHERE url = ?1", [url])? {
        return Ok(key);
    }
    let insert = "INSERT INTO store (url, member, since, folded) VALUES (?1, 0, 0, 0)";
    sql::execute(conn, insert, [url])?;
    let store = conn.last_insert_rowid();
    become_member(Store { conn, key: store })?;
    Ok(store)
}

/// Makes this journal a new member of a store, of the author that it had, with entries of its own from now on; returns its
/// key.
pub(super) fn become_member(store: Store<'_>) -> Result<i64, Fault> {
    let insert = "INSERT INTO member (store, journal, own, published, author) VALUES (?1, ?2, 1, 0,
        (SELECT m.author FROM store s JOIN member m ON m.id = s.member WHERE s.id = ?1))";
    sql::execute(store.conn, insert, [store.key, fastrand::i64(..)])?;
    let member = store.conn.last_insert_rowid();
    sql::execute(store.conn, "UPDATE store SET member = ?2 WHERE id = ?1", [store.key, member])?;
    Ok(member)
}

/// Returns the key of a running program of a member, and stores it if it is new.
pub(super) fn origin_key(conn: &Connection, origin: u64, member: i64) -> Result<i64, Fault> {
    let known = "SELECT id FROM origin WHERE origin = ?1 AND member = ?2";
    if let Some(key) = sql::first(conn, known, params![origin.cast_signed(), member])? {
        return Ok(key);
    }
    let insert = "INSERT INTO origin (origin, member) VALUES (?1, ?2)";
    sql::execute(conn, insert, params![origin.cast_signed(), member])?;
    Ok(conn.last_insert_rowid())
}
