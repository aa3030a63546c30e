//! Rebuilds a damaged journal: copies every readable row into a new file.
//!
//! Rows are copied in the order of their keys; an unreadable page is skipped. Copied rows must then
//! convert to the domain's values. A plant whose row is lost is folded again from its operations, ends
//! and resolutions; where some of these are lost as well, the plant becomes unknown, because the lost
//! part may have been its delete.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params, params_from_iter};

use super::codes::Kind;
use super::fault::Fault;
use super::heads::{self, Heads};
use super::{inspect, schema, sql, stored, validity, writes};
use crate::domain::{Fold, Operation, OperationId, PlantEvent, PlantId, Resolved, State};

/// A damaged journal that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// The new path of the damaged file.
    pub path: PathBuf,
    /// The content of the new journal.
    pub saved: Saved,
}

/// What was copied from a damaged journal, of all stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Saved {
    pub plants: usize,
    pub exchanges: usize,
    /// Whether nothing was lost.
    pub complete: bool,
}

/// The tables that are copied, parents first. The tally is counted again.
const TABLES: [&str; 10] =
    ["store", "member", "origin", "head", "operation", "exchange", "resolution", "check_run", "plant", "unlisted"];

/// Copies every readable row of the journal at `damaged` into the empty file at `rebuilt`. The damaged
/// file is not changed.
///
/// # Errors
///
/// The new file cannot be written, the old one is not a journal, or reading fails for another reason
/// than damage. A journal of which no row can be read is no error.
pub(super) fn rebuild(damaged: &Path, rebuilt: &Path) -> Result<Saved, Fault> {
    let source = open_damaged(damaged)?;
    inspect::reject_foreign_header(&source, damaged)?;
    let target = Connection::open_with_flags(rebuilt, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let whole = sql::begin(&target)?;
    schema::create(&whole)?;
    let mut losses = Losses::default();
    copy_from_index(&source, &whole, "store", "url")?;
    copy_from_index(&source, &whole, "origin", "origin")?;
    for table in TABLES {
        losses.add(table, copy(&source, &whole, table)?);
    }
    trim_without_head(&whole, &mut losses)?;
    drop_invalid_rows(&whole, &mut losses)?;
    if losses.plants {
        fold_lost_plants(&whole, losses.entries)?;
    }
    if losses.entries || losses.others {
        whole.execute_batch(LEAVE_TEAMS)?;
    }
    whole.execute_batch(TALLY)?;
    let saved = Saved {
        plants: sql::count(&whole, "SELECT count(*) FROM plant", [])?,
        exchanges: sql::count(&whole, "SELECT count(*) FROM exchange", [])?,
        complete: !losses.entries && !losses.plants && !losses.others,
    };
    whole.commit()?;
    Ok(saved)
}

/// Ends every membership: what is lost cannot be published any more, and others would wait for it.
const LEAVE_TEAMS: &str = "UPDATE store SET member = NULL";

/// Counts the plants of each store again.
const TALLY: &str = "
    INSERT INTO tally (store, stored, unknown, adding, deleting, largest_added)
    SELECT s.id, count(*) FILTER (WHERE p.state = 0), count(*) FILTER (WHERE p.state = 1),
        count(*) FILTER (WHERE p.state = 2), count(*) FILTER (WHERE p.state = 3),
        (SELECT max(plant_id) FROM operation o WHERE o.store = s.id AND o.kind = 0 AND o.probe IS NULL)
    FROM store s LEFT JOIN plant p ON p.store = s.id GROUP BY s.id";

/// Which kinds of rows were lost.
#[derive(Debug, Clone, Copy, Default)]
struct Losses {
    /// Operations, exchanges or resolutions, of which plants are folded.
    entries: bool,
    plants: bool,
    others: bool,
}

impl Losses {
    fn add(&mut self, table: &str, lost: bool) {
        match table {
            "operation" | "exchange" | "resolution" => self.entries |= lost,
            "plant" => self.plants |= lost,
            _ => self.others |= lost,
        }
    }
}

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

/// Returns whether a row was inserted; `None` if it violates a constraint of its table.
fn insert(inserted: Result<usize, Fault>) -> Result<Option<bool>, Fault> {
    match inserted {
        Ok(rows) => Ok(Some(rows > 0)),
        Err(Fault::Sqlite(error)) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => Ok(None),
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
    let mut scan = TableScan { source, table, columns, next: 1, lost: false };
    while let Some(rows) = scan.next_rows()? {
        for values in rows {
            scan.lost |= match insert(sql::execute(target, &into, params_from_iter(values)))? {
                Some(true) => false,
                // A duplicate: only these two tables were filled before.
                Some(false) => !matches!(table, "store" | "origin"),
                None => true,
            };
        }
    }
    Ok(scan.lost)
}

/// Copies stores or programs from the unique index on their value. Every entry refers to the single
/// page of that table, and the index holds the same rows, except for authors.
fn copy_from_index(source: &Connection, target: &Connection, table: &str, value: &str) -> Result<(), Fault> {
    let from = format!("SELECT id, {value} FROM {table} INDEXED BY sqlite_autoindex_{table}_1");
    let found = sql::all(source, &from, [], |found| Ok((found.get::<_, i64>(0)?, found.get::<_, Value>(1)?)));
    let into = format!("INSERT OR IGNORE INTO {table} (id, {value}) VALUES (?1, ?2)");
    for row in found.unwrap_or_default() {
        insert(sql::execute(target, &into, row))?;
    }
    Ok(())
}

/// The number of rows that are read before they are written.
const STRETCH: i64 = 500;

/// Reads a table by rowid, past unreadable pages.
struct TableScan<'a> {
    source: &'a Connection,
    table: &'a str,
    columns: String,
    next: i64,
    lost: bool,
}

impl TableScan<'_> {
    /// Returns the next readable rows; `None` at the end.
    fn next_rows(&mut self) -> Result<Option<Vec<Vec<Value>>>, Fault> {
        let mut rows = Vec::new();
        if if_readable(self.read(&mut rows))?.is_none() {
            self.lost = true;
            self.next = self.next_readable()?.unwrap_or(i64::MAX);
            return Ok((self.next < i64::MAX || !rows.is_empty()).then_some(rows));
        }
        Ok((!rows.is_empty()).then_some(rows))
    }

    /// Reads rows from `next`, and moves it past each row.
    fn read(&mut self, rows: &mut Vec<Vec<Value>>) -> rusqlite::Result<()> {
        let Self { table, columns, .. } = self;
        let page = format!("SELECT rowid, {columns} FROM {table} WHERE rowid >= ?1 ORDER BY rowid LIMIT ?2");
        let mut statement = self.source.prepare_cached(&page)?;
        let width = statement.column_count();
        let mut found = statement.query(params![self.next, STRETCH])?;
        while let Some(row) = found.next()? {
            let rowid: i64 = row.get(0)?;
            if rowid < self.next {
                // A page refers back to an earlier one: the scan would never end.
                return Err(rusqlite::Error::IntegralValueOutOfRange(0, rowid));
            }
            rows.push((1..width).map(|column| row.get(column)).collect::<rusqlite::Result<_>>()?);
            self.next = rowid.saturating_add(1);
        }
        Ok(())
    }

    /// Returns the first readable row after `next`: doubles the distance until a row can be read, then
    /// searches for the end of the unreadable range.
    fn next_readable(&self) -> Result<Option<i64>, Fault> {
        let (mut short, mut far) = (0, 1_i64);
        let mut landed = loop {
            let Some(rowid) = self.next.checked_add(far) else { return Ok(None) };
            match if_readable(self.row_from(rowid))? {
                Some(Some(found)) => break found,
                Some(None) => return Ok(None),
                None => (short, far) = (far, far.saturating_mul(2)),
            }
        };
        while far - short > 1 {
            let middle = short + (far - short) / 2;
            match if_readable(self.row_from(self.next.saturating_add(middle)))? {
                Some(Some(found)) => (far, landed) = (middle, found),
                Some(None) => break,
                None => short = middle,
            }
        }
        Ok(Some(landed))
    }

    /// Returns the first rowid from this one on; `None` if there is none.
    fn row_from(&self, rowid: i64) -> rusqlite::Result<Option<i64>> {
        let first = format!("SELECT rowid FROM {} WHERE rowid >= ?1 ORDER BY rowid LIMIT 1", self.table);
        let found = self.source.prepare_cached(&first)?.query_row([rowid], |found| found.get(0)).optional()?;
        match found {
            Some(back) if back < rowid => Err(rusqlite::Error::IntegralValueOutOfRange(0, back)),
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

/// Trims exchanges whose head is lost: their outcome is stored beside it.
fn trim_without_head(conn: &Connection, losses: &mut Losses) -> Result<(), Fault> {
    let request = "UPDATE exchange SET request = NULL, request_body = NULL WHERE request NOT IN (SELECT id FROM head)";
    let headers = "UPDATE exchange SET headers = NULL, body = NULL, body_end = NULL
        WHERE headers NOT IN (SELECT id FROM head)";
    let line = "UPDATE exchange SET line = ?1 WHERE line NOT IN (SELECT id FROM head)";
    let unknown = Heads::default().key(conn, stored::to_json(&("", ""))?)?;
    let trimmed = conn.execute(request, [])? + conn.execute(headers, [])? + conn.execute(line, [unknown])?;
    losses.others |= trimmed > 0;
    heads::remove_unused(conn)
}

/// Drops rows that do not convert to the domain's values, children before their parents.
fn drop_invalid_rows(conn: &Connection, losses: &mut Losses) -> Result<(), Fault> {
    losses.entries |= validity::EXCHANGES.drop_invalid(conn)?;
    losses.entries |= conn.execute(RESTORE_OUTCOMES, [])? > 0;
    losses.entries |= validity::OPERATIONS.drop_invalid(conn)?;
    losses.entries |= validity::RESOLUTIONS.drop_invalid(conn)?;
    losses.others |= validity::UNLISTED.drop_invalid(conn)?;
    losses.others |= validity::CHECK_RUNS.drop_invalid(conn)?;
    mark_lost_adds_unknown(conn)?;
    losses.plants |= validity::PLANTS.drop_invalid(conn)?;
    Ok(())
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
        Ok((stored::assumed_add(&stored::row(found)?), found.get::<_, i64>("store")?, found.get("rowid")?))
    })?;
    for (add, store, rowid) in lost {
        let Some(add) = add else { continue };
        let mut fold = Fold::new(add.kind.plant_id());
        stored::lose_end(&mut fold, add);
        write_plant(conn, store, &fold, Some(rowid))?;
    }
    Ok(())
}

/// Writes the row of a plant, if it has one; `rowid` is that of an existing row.
fn write_plant(conn: &Connection, store: i64, fold: &Fold, rowid: Option<i64>) -> Result<(), Fault> {
    let Some(state) = fold.state() else { return Ok(()) };
    let text = (state != State::Stored).then(|| stored::to_json(fold)).transpose()?;
    writes::write_row(conn, store, fold, state, text.as_deref(), rowid)?;
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
        "SELECT store, plant_id FROM operation UNION SELECT store, plant_id FROM resolution
         EXCEPT SELECT store, id FROM plant",
        [],
        |found| Ok((found.get::<_, i64>(0)?, found.get(1)?)),
    )?;
    // Only this query reads all operations of a plant.
    conn.execute_batch("CREATE INDEX operation_by_plant ON operation (store, plant_id)")?;
    for (store, id) in lost {
        let Folded { mut fold, is_unordered, last } = fold_plant(conn, store, id)?;
        let state = fold.state();
        let is_claim = matches!(state, None | Some(State::Stored));
        // Lost entries may have changed the plant: its last operation becomes unknown.
        if is_claim
            && (is_unordered || (entries_lost && state.is_some()))
            && let Some(last) = last
        {
            stored::lose_end(&mut fold, last);
        }
        write_plant(conn, store, &fold, None)?;
    }
    conn.execute_batch("DROP INDEX operation_by_plant")?;
    Ok(())
}

/// The result of folding the entries of a plant.
struct Folded {
    fold: Fold,
    /// Whether the order of some entries is lost.
    is_unordered: bool,
    last: Option<Operation>,
}

/// Folds every end and resolution in the order of their writes, each operation before its end.
fn fold_plant(conn: &Connection, store: i64, id: PlantId) -> Result<Folded, Fault> {
    let operations =
        format!("SELECT {} FROM operation o WHERE o.store = ?1 AND o.plant_id = ?2 ORDER BY o.seq", stored::OPERATION);
    let operations = sql::all(conn, &operations, params![store, id], stored::operation)?;
    let last = operations.last().cloned();
    let (mut fold, mut operations) = (Fold::new(id), operations.into_iter());
    let (mut begun, mut is_unordered) = (HashSet::new(), false);
    // An end whose exchange is lost has no position.
    let ends = "SELECT e.seq AS place, 0 AS resolves, 0 AS tie, g.origin, o.number, e.outcome AS what, e.at
            FROM exchange e JOIN operation o ON o.seq = e.operation JOIN origin g ON g.id = o.origin
            WHERE e.store = ?1 AND e.plant_id = ?2
        UNION ALL
        SELECT NULL, 0, o.seq, g.origin, o.number, o.outcome, o.requested_at
            FROM operation o JOIN origin g ON g.id = o.origin
            WHERE o.store = ?1 AND o.plant_id = ?2 AND o.outcome IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM exchange e WHERE e.store = ?1 AND e.plant_id = ?2 AND e.operation = o.seq)
        UNION ALL
        SELECT after_exchange, 1, seq, 0, 0, what, at FROM resolution WHERE store = ?1 AND plant_id = ?2
        ORDER BY 1, 2, 3";
    let mut statement = conn.prepare_cached(ends)?;
    let mut found = statement.query(params![store, id])?;
    while let Some(end) = found.next()? {
        let at = end.get("at")?;
        is_unordered |= end.get::<_, Option<i64>>("place")?.is_none();
        let event = if end.get("resolves")? {
            PlantEvent::Resolution(Resolved { resolution: end.get("what")?, details: None, at, author: None })
        } else {
            let origin: i64 = end.get("origin")?;
            let operation = OperationId { origin: origin.cast_unsigned(), number: end.get("number")? };
            while !begun.contains(&operation)
                && let Some(next) = operations.next()
            {
                begun.insert(next.id);
                fold.apply(&PlantEvent::Intent(next).alone());
            }
            PlantEvent::End(operation, end.get("what")?, at)
        };
        fold.apply(&event.alone());
    }
    for operation in operations {
        fold.apply(&PlantEvent::Intent(operation).alone());
    }
    Ok(Folded { fold, is_unordered, last })
}
