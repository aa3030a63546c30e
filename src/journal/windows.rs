//! Windows of the list, in the order of ids or in another arrangement.
//!
//! The number of rows before an id cannot be looked up, only counted: the sorted index has it. The first rows in the
//! order of ids need no index, so that a start does not read every plant.

use std::time::Duration;

use rusqlite::{Connection, params_from_iter};

use super::fault::Fault;
use super::plant_list::Tally;
use super::runs::RunCache;
use super::search::Query;
use super::sorted_index::{Arrangement, SortedIndex};
use super::sorted_log::SortedLog;
use super::{plant_list, sql, stored};
use crate::domain::filter::Filter;
use crate::domain::{PlantId, Row};

/// The position of a window in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Top,
    Bottom,
    /// From this row on, counted from 0; earlier if the window would reach past the end.
    Index(usize),
    /// This plant in the middle, or the position where it would be; the first rows if an arrangement
    /// other than the default does not contain the plant.
    Around(PlantId),
}

/// A request for rows of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowRequest {
    pub anchor: Anchor,
    /// The largest number of rows.
    pub rows: usize,
    pub arrangement: Arrangement,
}

/// Some rows of the list with its counts, from one snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// In the order of the arrangement.
    pub rows: Vec<Row>,
    /// The index of the first row in the arrangement; where it would be if there are none.
    pub first: usize,
    /// The number of rows in the arrangement.
    pub total: usize,
    /// The states of all plants of the list.
    pub tally: Tally,
    /// See [`super::Journal::next_free_id`].
    pub next_id: PlantId,
    /// Those of the rows that a delete left unknown, not an add.
    pub unknown_deletes: Vec<PlantId>,
    /// The time until the next update of the order, which may be outdated during many writes; `None`
    /// if the order is current.
    pub late: Option<Duration>,
}

/// Results of earlier lookups on one connection.
#[derive(Debug)]
pub(super) struct QueryCache {
    /// The data version at the last call of [`Self::was_changed_by_others`].
    data_version: i64,
    /// Every id from 1 to below this one was used once.
    pub(super) used_below: i64,
    /// The sorted index of the last arrangement.
    pub(super) sorted: Option<SortedIndex>,
    /// The first lines of the log in the last order.
    pub(super) sorted_log: Option<SortedLog>,
    pub(super) runs: RunCache,
}

impl QueryCache {
    pub(super) fn of(conn: &Connection) -> Result<Self, Fault> {
        Ok(Self {
            data_version: sql::data_version(conn)?,
            used_below: 1,
            sorted: None,
            sorted_log: None,
            runs: RunCache::default(),
        })
    }

    /// Returns whether other connections have committed a write since the last call.
    pub(super) fn was_changed_by_others(&mut self, conn: &Connection) -> Result<bool, Fault> {
        let now = sql::data_version(conn)?;
        Ok(std::mem::replace(&mut self.data_version, now) != now)
    }
}

/// See [`super::Journal::window`].
pub(super) fn window(
    conn: &Connection,
    store: i64,
    request: &WindowRequest,
    cache: &mut QueryCache,
) -> Result<Window, Fault> {
    let tally = plant_list::tally(conn, store)?;
    let is_default = request.arrangement == Arrangement::default();
    let (rows, first, total, late) = if is_default && matches!(request.anchor, Anchor::Top | Anchor::Index(0)) {
        (plant_list::page_from(conn, store, i64::MIN, request.rows)?, 0, tally.total(), None)
    } else {
        sorted_rows(conn, store, request, tally.total(), cache)?
    };
    let next_id = plant_list::next_free_id(conn, store, &mut cache.used_below)?;
    let unknown_deletes = plant_list::unknown_deletes(conn, store, &rows)?;
    Ok(Window { rows, first, total, tally, next_id, unknown_deletes, late })
}

/// Returns the index of a window's first row among `total`; `position` returns the number of rows
/// before a plant.
fn first_row(request: &WindowRequest, total: usize, position: impl FnOnce(PlantId) -> usize) -> usize {
    let last = total.saturating_sub(request.rows);
    match request.anchor {
        Anchor::Top => 0,
        Anchor::Bottom => last,
        Anchor::Index(index) => index.min(last),
        Anchor::Around(id) => position(id).saturating_sub(request.rows / 2).min(last),
    }
}

/// Returns the rows of a sorted window, the index of the first, the number of all, and the time until
/// the next update of the order. `listed` is the number of all plants of the list.
fn sorted_rows(
    conn: &Connection,
    store: i64,
    request: &WindowRequest,
    listed: usize,
    cache: &mut QueryCache,
) -> Result<(Vec<Row>, usize, usize, Option<Duration>), Fault> {
    let sorted = match &mut cache.sorted {
        Some(sorted) if sorted.is_of(&request.arrangement) => sorted,
        other => other.insert(SortedIndex::new(conn, store, &request.arrangement)?),
    };
    let late = sorted.update(conn, store)?;
    // A team's entry that moved in the stream can bring back a plant that has no new entry.
    if late.is_none() && request.arrangement.filter == Filter::default() && sorted.ids.len() != listed {
        *sorted = SortedIndex::new(conn, store, &request.arrangement)?;
    }
    let is_default = request.arrangement == Arrangement::default();
    loop {
        let first = first_row(request, sorted.ids.len(), |plant| {
            let found = sorted.ids.iter().position(|id| *id == plant.0);
            found.unwrap_or_else(|| if is_default { sorted.ids.partition_point(|id| *id < plant.0) } else { 0 })
        });
        let ids: Vec<_> = sorted.ids.iter().skip(first).take(request.rows).copied().collect();
        let rows = plant_list::rows(conn, store, ids.iter().copied())?;
        if rows.len() == ids.len() {
            return Ok((rows, first, sorted.ids.len(), late));
        }
        // Some plants have left the list since the last update of the order.
        drop(sorted.ids.splice(first..first + ids.len(), rows.iter().map(|row| row.id.0)));
    }
}

/// See [`super::Journal::fitting`].
pub(super) fn fitting(conn: &Connection, store: i64, filter: &Filter, most: usize) -> Result<Vec<Row>, Fault> {
    let mut query = Query::of_plants(stored::ROW, store, filter);
    query.add(" ORDER BY id LIMIT ?", sql::as_limit(most));
    sql::all(conn, &query.sql, params_from_iter(query.values), stored::row)
}
