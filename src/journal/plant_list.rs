//! The plants of the view: how they stand, what is known of each, the next free id.

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::Fault;
use super::stored;
use crate::domain::{Exchange, PlantId, Record, Row, UnknownOperation, Unresolved};

/// How many plants of the view stand where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub stored: usize,
    pub unknown: usize,
    pub adding: usize,
    pub deleting: usize,
}

impl Tally {
    pub fn total(self) -> usize {
        self.stored + self.unknown + self.adding + self.deleting
    }
}

/// What the journal knows of one plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlantHistory {
    /// Its line in the view, if it has one.
    pub row: Option<Row>,
    /// The operation that ended unknown and is not resolved, if there is one.
    pub unknown: Option<UnknownOperation>,
    /// Newest first, at most 20.
    pub exchanges: Vec<Exchange>,
}

/// How many exchanges a story tells.
const STORY: i64 = 20;

/// How many doubts are told at once.
const DOUBTS: i64 = 1000;

/// The condition for plants that are unknown, as the index of theirs has it.
const UNKNOWN: &str = "state = 1";

/// How the plants of the view stand.
pub(super) fn tally(conn: &Connection, store: i64) -> Result<Tally, Fault> {
    let tally = conn
        .prepare_cached("SELECT stored, unknown, adding, deleting FROM tally WHERE store = ?1")?
        .query_row([store], |found| {
            let count = |column| found.get(column).map(stored::as_count);
            Ok(Tally { stored: count(0)?, unknown: count(1)?, adding: count(2)?, deleting: count(3)? })
        })
        .optional()?;
    Ok(tally.unwrap_or_default())
}

pub(super) fn page_from(conn: &Connection, store: i64, id: i64, rows: usize) -> Result<Vec<Row>, Fault> {
    let sql = format!("SELECT {} FROM plant WHERE store = ?1 AND id >= ?2 ORDER BY id LIMIT ?3", stored::ROW);
    stored::all(conn, &sql, params![store, id, stored::as_limit(rows)], stored::row)
}

/// The rows of these plants that are in the view, in the same order.
pub(super) fn rows(conn: &Connection, store: i64, ids: impl Iterator<Item = i64>) -> Result<Vec<Row>, Fault> {
    let sql = format!("SELECT {} FROM plant WHERE store = ?1 AND id = ?2", stored::ROW);
    let mut statement = conn.prepare_cached(&sql)?;
    let mut rows = Vec::new();
    for id in ids {
        if let Some(found) = statement.query(params![store, id])?.next()? {
            rows.push(stored::row(found)?);
        }
    }
    Ok(rows)
}

/// See [`super::Journal::view_page`].
pub(super) fn page(conn: &Connection, store: i64, after: Option<PlantId>, rows: usize) -> Result<Vec<Row>, Fault> {
    match after.map(|id| id.0.checked_add(1)) {
        None => page_from(conn, store, i64::MIN, rows),
        Some(Some(from)) => page_from(conn, store, from, rows),
        Some(None) => Ok(Vec::new()),
    }
}

pub(super) fn doubts(conn: &Connection, store: i64) -> Result<Vec<Row>, Fault> {
    let sql = format!("SELECT {} FROM plant WHERE store = ?1 AND {UNKNOWN} ORDER BY id LIMIT ?2", stored::ROW);
    stored::all(conn, &sql, params![store, DOUBTS], stored::row)
}

/// See [`super::Journal::unknown_page`].
pub(super) fn unknown_page(
    conn: &Connection,
    store: i64,
    after: Option<PlantId>,
    rows: usize,
) -> Result<Vec<Unresolved>, Fault> {
    let Some(from) = after.map_or(Some(i64::MIN), |id| id.0.checked_add(1)) else { return Ok(Vec::new()) };
    let sql = format!("SELECT record FROM plant WHERE store = ?1 AND {UNKNOWN} AND id >= ?2 ORDER BY id LIMIT ?3");
    stored::all(conn, &sql, params![store, from, stored::as_limit(rows)], |found| {
        let record: Record = stored::from_json(&found.get::<_, String>(0)?)?;
        record.unresolved().ok_or(Fault::Damaged)
    })
}

/// See [`super::Journal::unknown_among`].
pub(super) fn unknown_among(conn: &Connection, store: i64, ids: &[PlantId]) -> Result<Vec<Unresolved>, Fault> {
    let mut found = Vec::new();
    for id in ids {
        found.extend(stored::record(conn, store, *id)?.as_ref().and_then(Record::unresolved));
    }
    Ok(found)
}

pub(super) fn plant_history(conn: &Connection, store: i64, id: PlantId) -> Result<PlantHistory, Fault> {
    let record = stored::record(conn, store, id)?;
    let sql = format!(
        "SELECT {} FROM exchange e JOIN operation o ON o.seq = e.operation
         WHERE e.store = ?1 AND e.plant_id = ?2 ORDER BY e.seq DESC LIMIT ?3",
        stored::EXCHANGE
    );
    Ok(PlantHistory {
        row: record.as_ref().and_then(Record::row),
        unknown: record.as_ref().and_then(Record::unknown),
        exchanges: stored::all(conn, &sql, params![store, id.0, STORY], stored::exchange)?,
    })
}

/// See [`super::Journal::next_free_id`]. An id that was only ever deleted from here says nothing
/// about which ids are in use, and one that the contract check drew even less.
pub(super) fn next_free_id(conn: &Connection, store: i64, used_below: &mut i64) -> Result<PlantId, Fault> {
    let largest: Option<i64> = conn
        .prepare_cached(
            "SELECT max(largest) FROM (
                 SELECT largest_added AS largest FROM tally WHERE store = ?1
                 UNION ALL
                 SELECT * FROM (SELECT id FROM plant p WHERE store = ?1 AND NOT EXISTS (
                                    SELECT 1 FROM operation o
                                    WHERE o.store = p.store AND o.plant_id = p.id AND o.probe IS NOT NULL)
                                ORDER BY id DESC LIMIT 1))",
        )?
        .query_row([store], |found| found.get(0))?;
    match largest.unwrap_or(0).checked_add(1) {
        Some(next) => Ok(PlantId(next.max(1))),
        None => smallest_unused(conn, store, used_below),
    }
}

fn smallest_unused(conn: &Connection, store: i64, used_below: &mut i64) -> Result<PlantId, Fault> {
    let mut used = conn.prepare_cached(
        "SELECT plant_id FROM exchange WHERE store = ?1 AND plant_id >= ?2
         UNION SELECT plant_id FROM operation WHERE store = ?1 AND plant_id >= ?2 AND outcome IS NULL ORDER BY plant_id",
    )?;
    let mut found = used.query(params![store, *used_below])?;
    while let Some(line) = found.next()? {
        if line.get::<_, i64>(0)? != *used_below {
            break;
        }
        *used_below = used_below.saturating_add(1);
    }
    Ok(PlantId(*used_below))
}
