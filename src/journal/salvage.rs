//! Rebuilds a damaged journal: copies every readable row into a new file.
//!
//! Rows are copied in the order of their keys; an unreadable page is skipped. Copied rows must then
//! convert to the domain's values. A valid row of the list stays as it is, unless it is in flight without its
//! operation. Plants without a row are folded again from their entries; where entries are lost, a plant that seems to be
//! stored or in flight is unknown, because the lost part may have been its delete or its end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row as SqlRow, params, params_from_iter};
use tempfile::NamedTempFile;

use super::entries::{self, Part};
use super::error::JournalError;
use super::fault::Fault;
use super::heads::{self, Heads};
use super::locks::BUSY_TIMEOUT;
use super::schema::VERSION;
use super::sql::Store;
use super::validity::{COUNTED, MEMBERS, PLANTS, RECORDED, STORES, is_whole};
use super::write_cache::WriteCache;
use super::{files, inspect, schema, sql, stored, writes};
use crate::domain::{
    Details, Fold, Operation, OperationId, OperationKind, Outcome, Plant, PlantEvent, PlantId, Position, Row, State,
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
const TABLES: &str = "store member origin head operation exchange entry shared probe check_run plant unlisted";

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
    for table in TABLES.split(' ') {
        if copy(&source, &whole, table)? {
            lost.insert(table);
        }
    }
    schema::migrate(&whole, version)?;
    // A file whose header cannot be read counts as one of this version, and may be older.
    whole.execute_batch(schema::BODY_ENDS_TO_JSON)?;
    for copy in FROM_INDEX {
        copy_from_index(&source, &whole, copy)?;
    }
    let mut lost_stores = name_lost_stores(&whole)?;
    lost.extend((!lost_stores.is_empty()).then_some("store"));
    if restore_members(&whole)? {
        lost.insert("entry");
    }
    if trim_without_head(&whole)? {
        lost.insert("head");
    }
    for rows in RECORDED {
        rows.drop_invalid(&whole, &mut lost)?;
    }
    if whole.execute(RESTORE_OUTCOMES, [])? > 0 {
        lost.insert("operation");
    }
    let are_entries_lost = !lost.iter().all(|table| FOLDED_FROM_NONE.contains(table));
    let dropped = drop_rows(&whole, &mut lost)?;
    if lost.contains("plant") {
        fold_lost_plants(&whole, &dropped, are_entries_lost)?;
    }
    if are_entries_lost {
        whole.execute_batch(READ_AGAIN)?;
    }
    whole.execute_batch(&format!("INSERT INTO tally (store, stored, unknown, adding, deleting) {COUNTED}"))?;
    whole.execute_batch(LARGEST_ADDED)?;
    let with_plants = sql::column(&whole, "SELECT url FROM store WHERE id IN (SELECT store FROM plant)", [])?;
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

/// Tables from which no plant is folded.
const FOLDED_FROM_NONE: [&str; 4] = ["plant", "head", "check_run", "unlisted"];

/// Reads the stream of each team from its start: it has what is lost.
const READ_AGAIN: &str =
    "UPDATE store SET folded = max(since - 1, 0), folded_at = NULL, missing = NULL WHERE stream IS NOT NULL";

/// Completes the counts of each store.
const LARGEST_ADDED: &str = "UPDATE tally SET largest_added = (SELECT max(plant_id) FROM operation o
    WHERE o.store = tally.store AND o.kind = 0 AND o.seq NOT IN (SELECT operation FROM probe))";

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
    let found = sql::all(source, &from, [], |found| Ok(values(found, 0)?));
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
    has_changed |= STORES.each_invalid(conn, |key| {
        let own = sql::value::<Option<i64>>(conn, "SELECT max(id) FROM member WHERE store = ?1 AND own", [key])?;
        let own = own.map_or_else(|| schema::become_member(Store { conn, key }), Ok)?;
        let store = "UPDATE store SET member = ?2, since = 0, folded = 0 WHERE id = ?1";
        sql::execute(conn, store, [key, own]).map(drop)
    })?;
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
        match statement.query_row([rowid], |found| Ok((found.get(0)?, values(found, 1)?))).optional()? {
            // A page refers back to an earlier one: the scan would never end.
            Some((back, _)) if back < rowid => Err(rusqlite::Error::IntegralValueOutOfRange(0, back)),
            found => Ok(found),
        }
    }
}

/// Returns the columns of a row from this one on.
fn values(found: &SqlRow<'_>, first: usize) -> rusqlite::Result<Vec<Value>> {
    (first..found.as_ref().column_count()).map(|column| found.get(column)).collect()
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

/// Sets invalid outcomes of operations from their exchanges; without an exchange the operation is
/// open, which makes it unknown at the next start.
const RESTORE_OUTCOMES: &str = "
    UPDATE operation AS o SET outcome =
        (SELECT e.outcome FROM exchange e WHERE e.store = o.store AND e.plant_id = o.plant_id
         AND e.operation = o.seq ORDER BY e.seq DESC LIMIT 1)
    WHERE outcome NOT BETWEEN 0 AND 3";

/// Rows of the list, each with the key of its store.
type Rows = BTreeMap<(i64, PlantId), Row>;

/// Drops the rows of the list that do not agree with their entries; returns those that can be read.
fn drop_rows(conn: &Connection, lost: &mut BTreeSet<&'static str>) -> Result<Rows, Fault> {
    // Without its operation, a plant would be in flight forever.
    let in_flight = "UPDATE plant AS p SET fold = '' WHERE state IN (?1, ?2) AND NOT EXISTS (SELECT 1 FROM operation o
        WHERE o.store = p.store AND o.plant_id = p.id AND o.outcome IS NULL AND o.kind = (p.state = ?2))";
    sql::execute(conn, in_flight, params![State::Adding, State::Deleting])?;
    let dropped = format!("DELETE FROM plant WHERE rowid = ?1 RETURNING {}, store", stored::ROW);
    let mut rows = Rows::new();
    let any = PLANTS.each_invalid(conn, |rowid| {
        let row = sql::one(conn, &dropped, [rowid], |found| Ok(stored::row(found).ok().zip(found.get("store").ok())))?;
        let row = row.flatten().filter(|(row, _)| is_whole(row.changed_at));
        rows.extend(row.map(|(row, store)| ((store, row.id), row)));
        Ok(())
    })?;
    lost.extend(any.then_some("plant"));
    Ok(rows)
}

/// Folds the plants again that have no row: those with entries, and those of dropped rows.
fn fold_lost_plants(conn: &Connection, dropped: &Rows, are_entries_lost: bool) -> Result<(), Fault> {
    let lost = "SELECT store, plant_id FROM operation WHERE seq NOT IN (SELECT operation FROM probe)
        UNION SELECT store, plant_id FROM entry UNION SELECT store, plant_id FROM shared
        EXCEPT SELECT store, id FROM plant";
    let mut lost: BTreeSet<(i64, PlantId)> =
        sql::all(conn, lost, [], |found| Ok((found.get(0)?, found.get(1)?)))?.into_iter().collect();
    lost.extend(dropped.keys());
    // Only this reads all operations of a plant.
    conn.execute_batch("CREATE INDEX operation_by_plant ON operation (store, plant_id)")?;
    for (key, id) in lost {
        let store = Store { conn, key };
        let mut fold = entries::fold(store, id, Part::All)?;
        let dropped = dropped.get(&(key, id)).filter(|_| fold.state().is_none());
        lose_ends(store, &mut fold, dropped, are_entries_lost)?;
        let Some(state) = fold.state() else { continue };
        let text = (state != State::Stored).then(|| stored::to_json(&fold)).transpose()?;
        writes::write_row(store, (&fold, &entries::others(store)?), state, text.as_deref(), None)?;
    }
    conn.execute_batch("DROP INDEX operation_by_plant")?;
    Ok(())
}

/// Makes a plant unknown by its operations without the entry of their intent or of their end; or, if it is in no list, by an
/// operation that explains its row. If entries are lost, also by pending operations, and by the last one if it is stored.
fn lose_ends(store: Store<'_>, fold: &mut Fold, row: Option<&Row>, are_lost: bool) -> Result<(), Fault> {
    let operations = format!(
        "SELECT {}, (SELECT m.journal FROM origin g JOIN member m ON m.id = g.member WHERE g.id = o.origin) AS member,
             o.seq IN (SELECT operation FROM entry
                 WHERE store = ?1 AND plant_id = ?2 AND operation IS NOT NULL) AS has_entry,
             o.outcome IS NULL AS is_pending
         FROM operation o WHERE o.store = ?1 AND o.plant_id = ?2 AND o.seq NOT IN (SELECT operation FROM probe)
         ORDER BY o.seq",
        stored::OPERATION
    );
    let mut operations = sql::all(store.conn, &operations, params![store.key, fold.id()], |found| {
        Ok((stored::operation(found)?, found.get("member")?, found.get("has_entry")?, found.get("is_pending")?))
    })?;
    if are_lost && let (Some(State::Stored), Some((_, _, has_entry, _))) = (fold.state(), operations.last_mut()) {
        *has_entry = false;
    }
    if let Some(Row { id, details, changed_at, .. }) = row {
        let kind = match details.clone() {
            Some(Details { name, tag }) => OperationKind::add(Plant { name, id: *id, tag }),
            None => OperationKind::Delete(*id),
        };
        let operation = Operation::new(OperationId { origin: 0, number: 0 }, kind, *changed_at);
        operations.push((operation, WriteCache::default().own(store)?.member, false, false));
    }
    let mut goes_on = BTreeSet::new();
    for (operation, member, has_entry, is_pending) in operations {
        if fold.pending().any(|(open, of)| open.id == operation.id && of == member) {
            goes_on.extend((is_pending && !are_lost).then_some(operation.id));
        } else if !has_entry {
            fold.apply(&PlantEvent::Intent(operation).of(member, Position::default()));
        }
    }
    for (Operation { id: operation, requested_at: at, .. }, of) in fold.pending().collect::<Vec<_>>() {
        if !goes_on.contains(&operation) {
            fold.apply(&PlantEvent::End { operation, of, outcome: Outcome::Unknown, at }.of(of, Position::default()));
        }
    }
    Ok(())
}
