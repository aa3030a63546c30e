//! Rebuilds a damaged journal: copies every readable row into a new file.
//!
//! Rows are copied in the order of their keys; an unreadable page is skipped. Copied rows must then
//! convert to the domain's values. A plant whose row is lost is folded again from its operations, ends
//! and resolutions; where some of these are lost as well, the plant becomes unknown, because the lost
//! part may have been its delete.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row as SqlRow, params, params_from_iter};
use tempfile::NamedTempFile;

use super::codes::Kind;
use super::entries::{self, Part};
use super::error::JournalError;
use super::fault::Fault;
use super::heads::{self, Heads};
use super::locks::BUSY_TIMEOUT;
use super::schema::VERSION;
use super::sql::Store;
use super::validity::{
    CHECK_RUNS, ENTRIES, EXCHANGES, HAS_MEMBER, MEMBERS, OPERATIONS, PLANTS, PROBES, SHARED, STORES, UNLISTED,
};
use super::{files, inspect, schema, sql, stored, writes};
use crate::domain::{
    Author, Details, Fold, MemberId, Operation, OperationId, OperationKind, Outcome, Plant, PlantEvent, Position, Row,
    State,
};

/// A damaged journal that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// The new path of the damaged file.
    pub path: PathBuf,
    /// The content of the new journal.
    pub saved: Saved,
}

/// What was copied from a damaged journal, of all stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub plants: usize,
    pub exchanges: usize,
    /// Whether nothing was lost.
    pub complete: bool,
    /// The base URLs that stores with plants have in place of theirs, which are lost.
    pub lost_stores: Vec<String>,
}

impl Saved {
    /// Whether nothing could be read.
    pub fn is_nothing(&self) -> bool {
        (self.plants, self.exchanges, self.complete) == (0, 0, false)
    }
}

/// The tables that are copied, parents first. The others are made again.
const TABLES: [&str; 12] = [
    "store",
    "member",
    "origin",
    "head",
    "operation",
    "exchange",
    "entry",
    "shared",
    "probe",
    "check_run",
    "plant",
    "unlisted",
];

/// The tables of entries and their details, of which plants are folded.
const FOLDED: [&str; 5] = ["operation", "exchange", "entry", "shared", "probe"];

/// Copies every readable row of the journal at `damaged` into the empty file at `rebuilt`. The damaged
/// file is not changed: damaged first bytes are put right in a copy.
///
/// # Errors
///
/// The new file cannot be written, the old one is not a journal, or reading fails for another reason
/// than damage. A journal of which no row can be read is no error.
pub(super) fn rebuild(damaged: &Path, rebuilt: &Path) -> Result<Saved, Fault> {
    let repaired = files::copy_with_begin(damaged).map_err(JournalError::io("copy", damaged))?;
    let source = open_damaged(repaired.as_ref().map_or(damaged, NamedTempFile::path))?;
    let version = match inspect::reject_foreign_header(&source, damaged) {
        // Only its name says whose file this was.
        Err(_) if repaired.is_some() => VERSION,
        version => version?,
    };
    let target = Connection::open_with_flags(rebuilt, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let whole = sql::begin(&target, || BUSY_TIMEOUT)?;
    schema::create(&whole, version)?;
    // The tables that have lost rows.
    let mut lost = BTreeSet::new();
    for table in TABLES {
        if copy(&source, &whole, table)? {
            lost.insert(table);
        }
    }
    schema::migrate(&whole, version)?;
    for copy in FROM_INDEX {
        copy_from_index(&source, &whole, copy)?;
    }
    let mut lost_stores = name_lost_stores(&whole)?;
    if !lost_stores.is_empty() {
        lost.insert("store");
    }
    if restore_members(&whole)? {
        lost.insert("entry");
    }
    if trim_without_head(&whole)? {
        lost.insert("head");
    }
    drop_invalid_rows(&whole, &mut lost)?;
    if lost.contains("plant") {
        fold_lost_plants(&whole, FOLDED.iter().any(|table| lost.contains(table)))?;
    }
    if lost.iter().any(|table| *table != "plant") {
        whole.execute_batch(READ_AGAIN)?;
    }
    whole.execute_batch(TALLY)?;
    let with_plants: Vec<String> =
        sql::column(&whole, "SELECT url FROM store WHERE id IN (SELECT store FROM plant)", [])?;
    lost_stores.retain(|store| with_plants.contains(store));
    let saved = Saved {
        plants: sql::count(&whole, "SELECT count(*) FROM plant", [])?,
        exchanges: sql::count(&whole, "SELECT count(*) FROM exchange", [])?,
        complete: lost.is_empty(),
        lost_stores,
    };
    whole.commit()?;
    Ok(saved)
}

/// Reads the stream of each team from its start: it has what is lost.
const READ_AGAIN: &str =
    "UPDATE store SET folded = max(since - 1, 0), folded_at = NULL, missing = NULL WHERE stream IS NOT NULL";

/// Counts the plants of each store again.
const TALLY: &str = "
    INSERT INTO tally (store, stored, unknown, adding, deleting, largest_added)
    SELECT s.id, count(*) FILTER (WHERE p.state = 0), count(*) FILTER (WHERE p.state = 1),
        count(*) FILTER (WHERE p.state = 2), count(*) FILTER (WHERE p.state = 3),
        (SELECT max(plant_id) FROM operation o WHERE o.store = s.id AND o.kind = 0
            AND o.seq NOT IN (SELECT operation FROM probe))
    FROM store s LEFT JOIN plant p ON p.store = s.id GROUP BY s.id";

/// Opens the damaged file so that nothing in it changes, and a wrong size or schema does not prevent
/// reading the rest.
fn open_damaged(path: &Path) -> Result<Connection, Fault> {
    let source = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    source.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    source.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
    inspect::distrust_schema(&source)?;
    source.pragma_update(None, "writable_schema", true)?;
    source.pragma_update(None, "query_only", true)?;
    Ok(source)
}

/// Returns whether a row was inserted: not if it is there already, or violates a constraint of its table.
fn insert(inserted: Result<usize, Fault>) -> Result<bool, Fault> {
    match inserted {
        Ok(rows) => Ok(rows > 0),
        Err(Fault::Sqlite(error)) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => Ok(false),
        Err(fault) => Err(fault),
    }
}

/// Copies every readable row; returns whether some were lost.
fn copy(source: &Connection, target: &Connection, table: &str) -> Result<bool, Fault> {
    // The column names come from the new file: those of a damaged one may be anything.
    let columns: Vec<String> = sql::column(target, "SELECT name FROM pragma_table_info(?1)", [table])?;
    if columns.is_empty() {
        // A table of a later version.
        return Ok(false);
    }
    let places: Vec<_> = (1..=columns.len()).map(|place| format!("?{place}")).collect();
    let columns = columns.join(", ");
    let into = format!("INSERT OR IGNORE INTO {table} ({columns}) VALUES ({})", places.join(", "));
    let (scan, mut next, mut lost) = (TableScan { source, table }, Some(1), false);
    while let Some(from) = next {
        match if_readable(scan.row_from(from, &columns))? {
            Some(Some((rowid, values))) => {
                lost |= !insert(sql::execute(target, &into, params_from_iter(values)))?;
                next = rowid.checked_add(1);
            }
            Some(None) => next = None,
            None => (lost, next) = (true, scan.next_readable(from)?),
        }
    }
    Ok(lost)
}

/// Tables that a single page may hold and every entry refers to: the columns of their unique index, and a statement that
/// inserts a row from it. An author is not in an index.
const FROM_INDEX: [(&str, &str, &str); 3] = [
    ("store", "url", "INSERT OR IGNORE INTO store (id, url, member, since, folded) VALUES (?1, ?2, 0, 0, 0)"),
    (
        "member",
        "store, journal",
        "INSERT OR IGNORE INTO member (id, store, journal, own, author, published)
         SELECT ?1, id, ?3, member IN (0, ?1), iif(member IN (0, ?1), NULL, '?'), 0 FROM store WHERE id = ?2",
    ),
    ("origin", "origin, member", "INSERT OR IGNORE INTO origin (id, origin, member) VALUES (?1, ?2, ?3)"),
];

/// Copies the rows of a table that were not read from its unique index.
fn copy_from_index(
    source: &Connection,
    target: &Connection,
    (table, columns, into): (&str, &str, &str),
) -> Result<(), Fault> {
    let from = format!("SELECT id, {columns} FROM {table} INDEXED BY sqlite_autoindex_{table}_1");
    let width = columns.split(", ").count();
    let found = sql::all(source, &from, [], |found| {
        Ok((0..=width).map(|column| found.get::<_, Value>(column)).collect::<rusqlite::Result<Vec<_>>>()?)
    });
    for row in found.unwrap_or_default() {
        insert(sql::execute(target, into, params_from_iter(row)))?;
    }
    Ok(())
}

/// Gives stores whose row is lost a base URL that leads nowhere (RFC 2606), and returns these.
fn name_lost_stores(conn: &Connection) -> Result<Vec<String>, Fault> {
    let lost = ["member", "operation", "exchange", "entry", "shared", "check_run", "plant", "unlisted"]
        .map(|table| format!("SELECT store FROM {table}"));
    let insert = format!(
        "INSERT INTO store (id, url, member, since, folded)
         SELECT store, 'http://lost-' || store || '.invalid', 0, 0, 0 FROM ({})
         WHERE store NOT IN (SELECT id FROM store) RETURNING url",
        lost.join(" UNION ")
    );
    sql::column(conn, &insert, [])
}

/// Gives stores that have lost it this journal's member, or a new one; and values that are not valid the ones of a journal
/// that has read nothing. Returns whether it has changed some.
fn restore_members(conn: &Connection) -> Result<bool, Fault> {
    let member = "UPDATE member SET published = 0, author = iif(own, NULL, '?') WHERE id = ?1";
    let mut has_changed = MEMBERS.each_invalid(conn, |id| sql::execute(conn, member, [id]).map(drop))?;
    let store = "UPDATE store SET since = 0, folded = 0 WHERE id = ?1";
    has_changed |= STORES.each_invalid(conn, |id| sql::execute(conn, store, [id]).map(drop))?;
    let lost = format!("SELECT id FROM store WHERE NOT {HAS_MEMBER}");
    for store in sql::column::<i64>(conn, &lost, [])? {
        let own = "SELECT max(id) FROM member WHERE store = ?1 AND own";
        match sql::value::<Option<i64>>(conn, own, [store])? {
            Some(own) => drop(sql::execute(conn, "UPDATE store SET member = ?2 WHERE id = ?1", [store, own])?),
            None => drop(schema::become_member(Store { conn, key: store })?),
        }
    }
    // Programs of a lost member: the operations that they sent are of this journal.
    let found = "UPDATE OR IGNORE origin SET member = (SELECT s.member FROM operation o JOIN store s ON s.id = o.store
        WHERE o.origin = origin.id LIMIT 1) WHERE member NOT IN (SELECT id FROM member)";
    has_changed |= sql::execute(conn, found, [])? > 0;
    sql::execute(conn, "DELETE FROM origin WHERE member NOT IN (SELECT id FROM member)", [])?;
    Ok(has_changed)
}

/// Reads a table by rowid, past unreadable pages.
struct TableScan<'a> {
    source: &'a Connection,
    table: &'a str,
}

impl TableScan<'_> {
    /// Returns the first readable row after this one: doubles the distance until a row can be read, then
    /// searches for the end of the unreadable range.
    fn next_readable(&self, mut unreadable: i64) -> Result<Option<i64>, Fault> {
        let mut distance = 1_i64;
        let mut landed = loop {
            let next = unreadable.saturating_add(distance);
            match if_readable(self.row_from(next, "rowid"))? {
                Some(landed) => break landed,
                None if next == i64::MAX => return Ok(None),
                None => (unreadable, distance) = (next, distance.saturating_mul(2)),
            }
        };
        while distance > 1 {
            distance /= 2;
            let middle = unreadable.saturating_add(distance);
            match if_readable(self.row_from(middle, "rowid"))? {
                Some(found) => landed = found,
                None => unreadable = middle,
            }
        }
        Ok(landed.map(|(rowid, _)| rowid))
    }

    /// Returns the first row from this rowid on, its rowid and these columns; `None` if there is none.
    fn row_from(&self, rowid: i64, columns: &str) -> rusqlite::Result<Option<(i64, Vec<Value>)>> {
        let first = format!("SELECT rowid, {columns} FROM {} WHERE rowid >= ?1 ORDER BY rowid LIMIT 1", self.table);
        let mut statement = self.source.prepare_cached(&first)?;
        let width = statement.column_count();
        let read = |found: &SqlRow<'_>| {
            let values = (1..width).map(|column| found.get(column)).collect::<rusqlite::Result<_>>()?;
            Ok((found.get(0)?, values))
        };
        match statement.query_row([rowid], read).optional()? {
            // A page refers back to an earlier one: the scan would never end.
            Some((back, _)) if back < rowid => Err(rusqlite::Error::IntegralValueOutOfRange(0, back)),
            found => Ok(found),
        }
    }
}

/// Returns what was read; `None` if it is damaged.
///
/// # Errors
///
/// Any other error ends the rebuilding: the rows may be readable later.
fn if_readable<T>(read: rusqlite::Result<T>) -> Result<Option<T>, Fault> {
    match read {
        Ok(found) => Ok(Some(found)),
        Err(error) => match error.sqlite_error_code() {
            // `Unknown` is a missing table or column: the schema is damaged.
            None | Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) => Ok(None),
            Some(_) => Err(error.into()),
        },
    }
}

/// Trims exchanges whose head is lost: their outcome is stored beside it. Returns whether there were any.
fn trim_without_head(conn: &Connection) -> Result<bool, Fault> {
    let request = "UPDATE exchange SET request = NULL, request_body = NULL WHERE request NOT IN (SELECT id FROM head)";
    let headers = "UPDATE exchange SET headers = NULL, body = NULL, body_end = NULL
        WHERE headers NOT IN (SELECT id FROM head)";
    let line = "UPDATE exchange SET line = ?1 WHERE line NOT IN (SELECT id FROM head)";
    let unknown = Heads::default().key(conn, stored::to_json(&("", ""))?)?;
    let trimmed = conn.execute(request, [])? + conn.execute(headers, [])? + conn.execute(line, [unknown])?;
    heads::remove_unused(conn)?;
    Ok(trimmed > 0)
}

/// Drops rows that do not convert to the domain's values, children before their parents.
fn drop_invalid_rows(conn: &Connection, lost: &mut BTreeSet<&'static str>) -> Result<(), Fault> {
    EXCHANGES.drop_invalid(conn, lost)?;
    if conn.execute(RESTORE_OUTCOMES, [])? > 0 {
        lost.insert("operation");
    }
    for rows in [OPERATIONS, ENTRIES, SHARED, PROBES, UNLISTED, CHECK_RUNS] {
        rows.drop_invalid(conn, lost)?;
    }
    mark_lost_adds_unknown(conn)?;
    PLANTS.drop_invalid(conn, lost)
}

/// Makes plants unknown whose open add is lost: no other row shows that they were being added.
fn mark_lost_adds_unknown(conn: &Connection) -> Result<(), Fault> {
    let lost = format!(
        "SELECT {}, store, rowid FROM plant p WHERE state = ?1 AND fold IS NULL AND name IS NOT NULL AND tag IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM operation o WHERE o.store = p.store AND o.plant_id = p.id
             AND o.outcome IS NULL AND o.kind = ?2)",
        stored::ROW
    );
    let lost = sql::all(conn, &lost, params![State::Adding, Kind::Add], |found| {
        Ok((assumed_add(&stored::row(found)?), found.get("store")?, found.get("rowid")?))
    })?;
    for (add, key, rowid) in lost {
        let (Some(add), store) = (add, Store { conn, key }) else { continue };
        let mut fold = Fold::new(add.kind.plant_id());
        lose_end(&mut fold, add, own_member(store)?);
        write_plant(store, &fold, Some(rowid))?;
    }
    Ok(())
}

/// Returns an add that explains a row; `None` if its name or tag is not known.
fn assumed_add(row: &Row) -> Option<Operation> {
    let Details { name, tag } = row.details.clone()?;
    let kind = OperationKind::add(Plant { name, id: row.id, tag });
    Some(Operation::new(OperationId { origin: 0, number: 0 }, kind, row.changed_at))
}

/// Applies an operation of a member whose end is lost, so that its plant is unknown.
fn lose_end(fold: &mut Fold, operation: Operation, of: MemberId) {
    let Operation { id, requested_at: at, .. } = operation;
    let is_open = fold.pending().any(|(open, member)| (open.id, member) == (id, of));
    if !is_open {
        fold.apply(&PlantEvent::Intent(operation).of(of, Position::default()));
    }
    fold.apply(&PlantEvent::End { operation: id, of, outcome: Outcome::Unknown, at }.of(of, Position::default()));
}

fn own_member(store: Store<'_>) -> Result<MemberId, Fault> {
    sql::value(
        store.conn,
        "SELECT journal FROM member WHERE id = (SELECT member FROM store WHERE id = ?1)",
        [store.key],
    )
}

/// Writes the row of a plant, if it has one; `rowid` is that of an existing row.
fn write_plant(store: Store<'_>, fold: &Fold, rowid: Option<i64>) -> Result<(), Fault> {
    let Some(state) = fold.state() else { return Ok(()) };
    let text = (state != State::Stored).then(|| stored::to_json(fold)).transpose()?;
    let others = entries::others(store)?;
    let author = fold.author(&others).map(Author::name);
    writes::write_row(store, (fold, author), state, text.as_deref(), rowid)?;
    Ok(())
}

/// Sets invalid outcomes of operations from their exchanges; without an exchange the operation is
/// open, which makes it unknown at the next start.
const RESTORE_OUTCOMES: &str = "
    UPDATE operation AS o SET outcome =
        (SELECT e.outcome FROM exchange e WHERE e.store = o.store AND e.plant_id = o.plant_id
         AND e.operation = o.seq ORDER BY e.seq DESC LIMIT 1)
    WHERE outcome NOT BETWEEN 0 AND 3";

/// Folds the plants again that have entries and no row.
fn fold_lost_plants(conn: &Connection, entries_lost: bool) -> Result<(), Fault> {
    let lost = sql::all(
        conn,
        "SELECT store, plant_id FROM operation WHERE seq NOT IN (SELECT operation FROM probe)
         UNION SELECT store, plant_id FROM entry
         UNION SELECT store, plant_id FROM shared
         EXCEPT SELECT store, id FROM plant",
        [],
        |found| Ok((found.get(0)?, found.get(1)?)),
    )?;
    // Only these queries read all operations of a plant, and the entries of an operation.
    conn.execute_batch(
        "CREATE INDEX operation_by_plant ON operation (store, plant_id);
         CREATE INDEX entry_operation ON entry (operation) WHERE operation IS NOT NULL;
         CREATE INDEX entry_exchange ON entry (exchange) WHERE exchange IS NOT NULL",
    )?;
    for (key, id) in lost {
        let store = Store { conn, key };
        let mut fold = entries::fold(store, id, Part::All)?;
        lose_ends(store, &mut fold, INCOMPLETE)?;
        // Lost entries may have changed the plant: its last operation becomes unknown.
        if entries_lost && fold.state() == Some(State::Stored) {
            lose_ends(store, &mut fold, NEWEST)?;
        }
        write_plant(store, &fold, None)?;
    }
    conn.execute_batch("DROP INDEX operation_by_plant; DROP INDEX entry_operation; DROP INDEX entry_exchange")?;
    Ok(())
}

/// Operations that lack the entry of their intent or of their end.
const INCOMPLETE: &str = "NOT EXISTS (SELECT 1 FROM entry WHERE operation = o.seq)
    OR o.outcome IS NOT NULL AND NOT EXISTS (SELECT 1 FROM exchange e JOIN entry n ON n.exchange = e.seq
        WHERE e.store = o.store AND e.plant_id = o.plant_id AND e.operation = o.seq)";

/// The last operation of a plant.
const NEWEST: &str = "o.seq = (SELECT max(seq) FROM operation
    WHERE store = ?1 AND plant_id = ?2 AND seq NOT IN (SELECT operation FROM probe))";

/// Makes a plant unknown by those of its operations that meet a condition.
fn lose_ends(store: Store<'_>, fold: &mut Fold, condition: &str) -> Result<(), Fault> {
    let lost = format!(
        "SELECT {}, (SELECT m.journal FROM origin g JOIN member m ON m.id = g.member WHERE g.id = o.origin) AS member
         FROM operation o WHERE o.store = ?1 AND o.plant_id = ?2 AND o.seq NOT IN (SELECT operation FROM probe)
             AND ({condition}) ORDER BY o.seq",
        stored::OPERATION
    );
    let lost = sql::all(store.conn, &lost, params![store.key, fold.id()], |found| {
        Ok((stored::operation(found)?, found.get("member")?))
    })?;
    for (operation, member) in lost {
        lose_end(fold, operation, member);
    }
    Ok(())
}
