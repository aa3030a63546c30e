//! The plants of the list: their counts, rows, histories, and the next free id.

use rusqlite::params;

use super::fault::Fault;
use super::sql::Store;
use super::{entries, plants, sql, stored};
use crate::domain::{Exchange, ListedPlant, OperationKind, Others, Outcome, PlantId, Row, State, UnknownOperation};

/// The number of plants of the list in each state.
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

/// The row and the last exchanges of a plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlantHistory {
    /// `None` if the plant is not in the list.
    pub row: Option<Row>,
    /// The last operation that ended unknown and is not resolved.
    pub unknown: Option<UnknownOperation>,
    /// Newest first, at most 20.
    pub exchanges: Vec<Exchange>,
}

/// The largest number of exchanges in a plant's history.
const HISTORY: i64 = 20;

/// The largest number of unknown plants that are read at once.
const UNKNOWN_ROWS: i64 = 1000;

pub(super) fn tally(store: Store<'_>) -> Result<Tally, Fault> {
    let tally = "SELECT stored, unknown, adding, deleting FROM tally WHERE store = ?1";
    let tally = sql::one(store.conn, tally, [store.key], |found| {
        let count = |column| found.get(column).map(sql::as_count);
        Ok(Tally { stored: count(0)?, unknown: count(1)?, adding: count(2)?, deleting: count(3)? })
    })?;
    Ok(tally.unwrap_or_default())
}

/// Requests that are looked at, where no plant is stored.
const LATEST: usize = 100;

/// See [`super::Journal::is_proven`].
pub(super) fn is_proven(store: Store<'_>) -> Result<bool, Fault> {
    let any = "SELECT EXISTS (SELECT 1 FROM (SELECT outcome FROM exchange WHERE store = ?1 ORDER BY seq DESC LIMIT ?2)
               WHERE outcome = ?3)";
    Ok(tally(store)?.stored > 0
        || sql::value(store.conn, any, params![store.key, sql::as_limit(LATEST), Outcome::Accepted])?)
}

/// Returns the rows from this id on.
pub(super) fn page_from(store: Store<'_>, id: i64, rows: usize) -> Result<Vec<Row>, Fault> {
    let page = format!("SELECT {} FROM plant WHERE store = ?1 AND id >= ?2 ORDER BY id LIMIT ?3", stored::ROW);
    sql::all(store.conn, &page, params![store.key, id, sql::as_limit(rows)], stored::row)
}

/// Returns the rows of these plants, in this order, without those that are not in the list.
pub(super) fn rows(store: Store<'_>, ids: impl Iterator<Item = i64>) -> Result<Vec<Row>, Fault> {
    let (row, mut rows) = (format!("SELECT {} FROM plant WHERE store = ?1 AND id = ?2", stored::ROW), Vec::new());
    for id in ids {
        rows.extend(sql::one(store.conn, &row, params![store.key, id], stored::row)?);
    }
    Ok(rows)
}

/// See [`super::Journal::unknown_rows`].
pub(super) fn unknown_rows(store: Store<'_>) -> Result<Vec<Row>, Fault> {
    // As in the index `plant_unknown`.
    let unknown = format!("SELECT {} FROM plant WHERE store = ?1 AND state = 1 ORDER BY id LIMIT ?2", stored::ROW);
    sql::all(store.conn, &unknown, params![store.key, UNKNOWN_ROWS], stored::row)
}

/// See [`super::Journal::listed`].
pub(super) fn listed(store: Store<'_>, ids: &[PlantId]) -> Result<Vec<ListedPlant>, Fault> {
    let (mut found, others) = (Vec::new(), entries::others(store)?);
    for id in ids {
        found.extend(plants::fold(store, *id)?.listed(&others));
    }
    Ok(found)
}

/// Returns those of the rows that a delete left unknown.
pub(super) fn unknown_deletes(store: Store<'_>, rows: &[Row]) -> Result<Vec<PlantId>, Fault> {
    let mut found = Vec::new();
    for row in rows.iter().filter(|row| row.state == State::Unknown) {
        let unknown = match plants::fold(store, row.id) {
            Ok(fold) => fold.unknown(&Others::default()),
            // The list is shown all the same.
            Err(Fault::Damaged) => None,
            Err(why) => return Err(why),
        };
        found.extend(unknown.filter(|unknown| matches!(unknown.kind, OperationKind::Delete(_))).map(|_| row.id));
    }
    Ok(found)
}

/// See [`super::Journal::plant_history`].
pub(super) fn plant_history(store: Store<'_>, id: PlantId) -> Result<PlantHistory, Fault> {
    let (fold, others) = (plants::fold(store, id)?, entries::others(store)?);
    let newest = format!(
        "SELECT {} FROM exchange e JOIN operation o ON o.seq = e.operation
         WHERE e.store = ?1 AND e.plant_id = ?2 ORDER BY e.seq DESC LIMIT ?3",
        stored::EXCHANGE
    );
    Ok(PlantHistory {
        row: fold.row(&others),
        unknown: fold.unknown(&others),
        exchanges: sql::all(store.conn, &newest, params![store.key, id, HISTORY], stored::exchange)?,
    })
}

/// See [`super::Journal::next_free_id`]. Ignores ids that were only deleted, and those of the contract check: they do
/// not show which ids are in use.
pub(super) fn next_free_id(store: Store<'_>, used_below: &mut i64) -> Result<PlantId, Fault> {
    let largest: Option<i64> = sql::value(
        store.conn,
        "SELECT max(largest) FROM (
             SELECT largest_added AS largest FROM tally WHERE store = ?1
             UNION ALL
             SELECT max(id) FROM plant WHERE store = ?1)",
        [store.key],
    )?;
    match largest.unwrap_or(0).checked_add(1) {
        Some(next) => Ok(PlantId(next.max(1))),
        None => smallest_unused(store, used_below),
    }
}

fn smallest_unused(store: Store<'_>, used_below: &mut i64) -> Result<PlantId, Fault> {
    let mut used = store.conn.prepare_cached(
        "SELECT plant_id FROM exchange WHERE store = ?1 AND plant_id >= ?2
         UNION SELECT plant_id FROM operation WHERE store = ?1 AND plant_id >= ?2 AND outcome IS NULL ORDER BY plant_id",
    )?;
    let mut found = used.query(params![store.key, *used_below])?;
    while let Some(line) = found.next()? {
        if line.get::<_, i64>(0)? != *used_below {
            break;
        }
        *used_below = used_below.saturating_add(1);
    }
    Ok(PlantId(*used_below))
}
