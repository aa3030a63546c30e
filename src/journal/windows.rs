//! Windows of the list, in the order of ids or in another arrangement.
//!
//! The number of rows before an id cannot be looked up, only counted. It is counted from the cached
//! position of the last window; or, after another program has written, from the end of the list that
//! the last window was nearer to.

use std::time::Duration;

use rusqlite::{Connection, params, params_from_iter};

use super::fault::Fault;
use super::plant_list::Tally;
use super::search::Query;
use super::sorted_index::{Arrangement, SortedIndex};
use super::sql::Store;
use super::writes::StateChange;
use super::{plant_list, sql, stored};
use crate::domain::filter::Filter;
use crate::domain::{PlantId, Row};

/// The position of a window in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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

/// The number of rows with a smaller id than this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    id: i64,
    below: usize,
}

const START: Position = Position { id: i64::MIN, below: 0 };

/// Results of earlier lookups on one connection.
#[derive(Debug)]
pub(super) struct QueryCache {
    position: Position,
    /// Whether the last window was in the second half of the list.
    is_far: bool,
    /// The data version at the last refresh.
    data_version: i64,
    /// Whether the data version has changed since [`Self::was_changed_by_others`].
    changed: bool,
    /// Every id from 1 to below this one was used once.
    pub(super) used_below: i64,
    /// The sorted index of the last arrangement.
    pub(super) sorted: Option<SortedIndex>,
}

impl QueryCache {
    pub(super) fn of(conn: &Connection) -> Result<Self, Fault> {
        let data_version = sql::data_version(conn)?;
        Ok(Self { position: START, is_far: false, data_version, changed: false, used_below: 1, sorted: None })
    }

    /// Returns whether other connections have committed a write since the last call.
    pub(super) fn was_changed_by_others(&mut self, conn: &Connection) -> Result<bool, Fault> {
        self.refresh(conn)?;
        Ok(std::mem::take(&mut self.changed))
    }

    /// Invalidates the cached position.
    pub(super) fn invalidate_position(&mut self) {
        self.position = START;
    }

    /// Updates the cached position after a committed write of this connection.
    pub(super) fn apply(&mut self, change: StateChange) {
        if change.id.0 < self.position.id {
            self.position.below = match (change.before, change.after) {
                (None, Some(_)) => self.position.below.saturating_add(1),
                (Some(_), None) => self.position.below.saturating_sub(1),
                (None, None) | (Some(_), Some(_)) => self.position.below,
            };
        }
    }

    /// Invalidates the cached position if another connection has written since the last call.
    fn refresh(&mut self, conn: &Connection) -> Result<(), Fault> {
        let now = sql::data_version(conn)?;
        if self.data_version != now {
            self.data_version = now;
            self.changed = true;
            self.invalidate_position();
        }
        Ok(())
    }
}

/// See [`super::Journal::window`].
pub(super) fn window(store: Store<'_>, request: &WindowRequest, cache: &mut QueryCache) -> Result<Window, Fault> {
    let tally = plant_list::tally(store)?;
    let is_default = request.arrangement == Arrangement::default();
    let (rows, first, total, late) = if is_default {
        let (rows, first) = rows_by_id(store, request, tally.total(), cache)?;
        (rows, first, tally.total(), None)
    } else {
        sorted_rows(store, request, cache)?
    };
    let next_id = plant_list::next_free_id(store, &mut cache.used_below)?;
    let unknown_deletes = plant_list::unknown_deletes(store, &rows)?;
    Ok(Window { rows, first, total, tally, next_id, unknown_deletes, late })
}

/// Returns the rows of a window in the order of ids, and the index of the first.
fn rows_by_id(
    store: Store<'_>,
    request: &WindowRequest,
    total: usize,
    cache: &mut QueryCache,
) -> Result<(Vec<Row>, usize), Fault> {
    cache.refresh(store.conn)?;
    let first = first_row(request, total, |id| {
        let below = if cache.position == START && cache.is_far {
            total.saturating_sub(rows_between(store, id.0, i64::MAX)?)
        } else {
            rows_below(store, id, cache.position)?
        };
        cache.position = Position { id: id.0, below };
        Ok(below)
    })?;
    cache.is_far = first > total / 2;
    let Some(id) = id_at(store, first, total, cache.position)? else { return Ok((Vec::new(), first)) };
    cache.position = Position { id, below: first };
    Ok((plant_list::page_from(store, id, request.rows)?, first))
}

/// Returns the index of a window's first row among `total`; `position` returns the number of rows
/// before a plant.
fn first_row(
    request: &WindowRequest,
    total: usize,
    position: impl FnOnce(PlantId) -> Result<usize, Fault>,
) -> Result<usize, Fault> {
    let last = total.saturating_sub(request.rows);
    Ok(match request.anchor {
        Anchor::Index(index) => index.min(last),
        Anchor::Around(id) => position(id)?.saturating_sub(request.rows / 2).min(last),
    })
}

/// Returns the number of rows with a smaller id, counted from a known position.
fn rows_below(store: Store<'_>, id: PlantId, known: Position) -> Result<usize, Fault> {
    Ok(match id.0.checked_sub(1) {
        None => 0,
        Some(last) if id.0 >= known.id => known.below + rows_between(store, known.id, last)?,
        Some(_) => known.below.saturating_sub(rows_between(store, id.0, known.id - 1)?),
    })
}

/// Returns the number of rows with an id from `first` to `last`.
fn rows_between(store: Store<'_>, first: i64, last: i64) -> Result<usize, Fault> {
    let count = "SELECT count(*) FROM plant WHERE store = ?1 AND id >= ?2 AND id <= ?3";
    sql::count(store.conn, count, params![store.key, first, last])
}

/// Returns the id of the row with this index, stepping from the nearest of start, end and position.
fn id_at(store: Store<'_>, index: usize, total: usize, known: Position) -> Result<Option<i64>, Fault> {
    const UP: &str = "SELECT id FROM plant WHERE store = ?1 AND id >= ?2 ORDER BY id LIMIT 1 OFFSET ?3";
    const DOWN: &str = "SELECT id FROM plant WHERE store = ?1 AND id <= ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3";
    if index >= total {
        return Ok(None);
    }
    let from_known = match index.checked_sub(known.below) {
        Some(steps) => (UP, known.id, steps),
        None => (DOWN, known.id.saturating_sub(1), known.below - 1 - index),
    };
    let ways = [(UP, i64::MIN, index), (DOWN, i64::MAX, total - 1 - index), from_known];
    let Some((step, from, steps)) = ways.into_iter().min_by_key(|(_, _, steps)| *steps) else { return Ok(None) };
    sql::first(store.conn, step, params![store.key, from, sql::as_limit(steps)])
}

/// Returns the rows of a sorted window, the index of the first, the number of all, and the time until
/// the next update of the order.
fn sorted_rows(
    store: Store<'_>,
    request: &WindowRequest,
    cache: &mut QueryCache,
) -> Result<(Vec<Row>, usize, usize, Option<Duration>), Fault> {
    let sorted = match &mut cache.sorted {
        Some(sorted) if sorted.is_of(&request.arrangement) => sorted,
        other => other.insert(SortedIndex::new(store, &request.arrangement)?),
    };
    let late = sorted.update(store)?;
    loop {
        let position = |plant: PlantId| Ok(sorted.ids.iter().position(|id| *id == plant.0).unwrap_or(0));
        let first = first_row(request, sorted.ids.len(), position)?;
        let ids: Vec<_> = sorted.ids.iter().skip(first).take(request.rows).copied().collect();
        let rows = plant_list::rows(store, ids.iter().copied())?;
        if rows.len() == ids.len() {
            return Ok((rows, first, sorted.ids.len(), late));
        }
        // Some plants have left the list since the last update of the order.
        drop(sorted.ids.splice(first..first + ids.len(), rows.iter().map(|row| row.id.0)));
    }
}

/// See [`super::Journal::fitting`].
pub(super) fn fitting(
    store: Store<'_>,
    filter: &Filter,
    after: Option<PlantId>,
    most: usize,
) -> Result<Vec<Row>, Fault> {
    let mut query = Query::of_plants(stored::ROW, store.key, filter);
    if let Some(after) = after {
        query.add(" AND id > ?", after.0);
    }
    query.add(" ORDER BY id LIMIT ?", sql::as_limit(most));
    sql::all(store.conn, &query.sql, params_from_iter(query.values), stored::row)
}
