//! Windows of the view, in the order of the ids or in another.
//!
//! Nothing here scans what it can look up. What cannot be looked up is how many rows come before an
//! id; that is counted from the place asked for last, a [`Landmark`], or, where others have written
//! since, from the end of the view that it was nearer to.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

use super::fault::Fault;
use super::plant_list::Tally;
use super::search::Query;
use super::sorted_index::{Arrangement, SortedIndex};
use super::writes::Shift;
use super::{plant_list, stored};
use crate::domain::{PlantId, Row};

/// Where a window of the view is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Top,
    Bottom,
    /// From this row on, counted from 0; earlier where the window would reach past the end.
    Index(usize),
    /// This plant in the middle, or the place where it would be; the first rows, if an arrangement
    /// other than the default has no place for it.
    Around(PlantId),
}

/// Which rows of the view are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowRequest {
    pub anchor: Anchor,
    /// How many at most.
    pub rows: usize,
    /// Of the view in this arrangement.
    pub arrangement: Arrangement,
}

/// Some rows of the view, and what a screen says beside them; all of one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// In the order of the arrangement.
    pub rows: Vec<Row>,
    /// The index of the first of them in the arrangement; where it would be if there are none.
    pub first: usize,
    /// How many rows the arrangement has.
    pub total: usize,
    /// How the plants of the whole view stand.
    pub tally: Tally,
    /// As `Journal::next_free_id`.
    pub next_id: PlantId,
    /// While much is written, the order may be that of a moment ago: whoever asks again after this
    /// time is told a newer one. `None` where it is the order of now.
    pub late: Option<Duration>,
}

/// A place in the view whose index is known: so many rows have a smaller id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Landmark {
    id: i64,
    below: usize,
}

/// Nothing is smaller than the smallest.
const START: Landmark = Landmark { id: i64::MIN, below: 0 };

/// What was found before, so that it need not be searched again.
#[derive(Debug)]
pub(super) struct QueryCache {
    landmark: Landmark,
    /// Whether what was asked for last was nearer to the end.
    is_far: bool,
    /// `SQLite`'s mark of what other connections have committed.
    seen: i64,
    /// Whether that has changed since it was told last.
    changed: bool,
    /// Every id from 1 to below this one was used; an id once used stays so.
    pub(super) used_below: i64,
    /// The arrangement asked for last.
    pub(super) sorted: Option<SortedIndex>,
}

impl QueryCache {
    /// Those of a connection that was just opened.
    pub(super) fn of(conn: &Connection) -> Result<Self, Fault> {
        Ok(Self {
            landmark: START,
            is_far: false,
            seen: stored::commits_of_others(conn)?,
            changed: false,
            used_below: 1,
            sorted: None,
        })
    }

    /// Whether other connections have committed something since this was asked last.
    pub(super) fn was_changed_by_others(&mut self, conn: &Connection) -> Result<bool, Fault> {
        self.refresh(conn)?;
        Ok(std::mem::take(&mut self.changed))
    }

    /// Plants may have shifted, and nobody knows which.
    pub(super) fn forget_landmark(&mut self) {
        self.landmark = START;
    }

    /// A plant shifted, by this connection and committed.
    pub(super) fn shift(&mut self, shift: Shift) {
        if shift.id.0 < self.landmark.id {
            self.landmark.below = match (shift.was, shift.is) {
                (None, Some(_)) => self.landmark.below.saturating_add(1),
                (Some(_), None) => self.landmark.below.saturating_sub(1),
                (None, None) | (Some(_), Some(_)) => self.landmark.below,
            };
        }
    }

    /// Forgets the landmark if somebody else has written since it was set.
    fn refresh(&mut self, conn: &Connection) -> Result<(), Fault> {
        let now = stored::commits_of_others(conn)?;
        if self.seen != now {
            self.seen = now;
            self.changed = true;
            self.forget_landmark();
        }
        Ok(())
    }
}

/// See [`super::Journal::window`].
pub(super) fn window(
    conn: &Connection,
    store: i64,
    request: &WindowRequest,
    cache: &mut QueryCache,
) -> Result<Window, Fault> {
    if request.arrangement != Arrangement::default() {
        return sorted_window(conn, store, request, cache);
    }
    cache.refresh(conn)?;
    let tally = plant_list::tally(conn, store)?;
    let total = tally.total();
    let first = first_row(request, total, |id| {
        let below = if cache.landmark == START && cache.is_far {
            total.saturating_sub(rows_from(conn, store, id)?)
        } else {
            rows_below(conn, store, id, cache.landmark)?
        };
        cache.landmark = Landmark { id: id.0, below };
        Ok(below)
    })?;
    cache.is_far = first > total / 2;
    let mut rows = Vec::new();
    if let Some(start) = id_at(conn, store, first, total, cache.landmark)? {
        cache.landmark = Landmark { id: start, below: first };
        rows = plant_list::page_from(conn, store, start, request.rows)?;
    }
    Ok(Window {
        rows,
        first,
        total,
        tally,
        next_id: plant_list::next_free_id(conn, store, &mut cache.used_below)?,
        late: None,
    })
}

/// The index of a window's first row, of so many; `place` tells how many come before a plant.
fn first_row(
    request: &WindowRequest,
    total: usize,
    place: impl FnOnce(PlantId) -> Result<usize, Fault>,
) -> Result<usize, Fault> {
    let last = total.saturating_sub(request.rows);
    Ok(match request.anchor {
        Anchor::Top => 0,
        Anchor::Bottom => last,
        Anchor::Index(index) => index.min(last),
        Anchor::Around(id) => place(id)?.saturating_sub(request.rows / 2).min(last),
    })
}

/// How many rows have a smaller id, counted from the landmark.
fn rows_below(conn: &Connection, store: i64, id: PlantId, landmark: Landmark) -> Result<usize, Fault> {
    let (low, high) = (id.0.min(landmark.id), id.0.max(landmark.id));
    let between = conn
        .prepare_cached("SELECT count(*) FROM plant WHERE store = ?1 AND id >= ?2 AND id < ?3")?
        .query_row(params![store, low, high], |found| found.get(0))
        .map(stored::as_count)?;
    Ok(if id.0 < landmark.id { landmark.below.saturating_sub(between) } else { landmark.below + between })
}

/// How many rows have this id or a larger one.
fn rows_from(conn: &Connection, store: i64, id: PlantId) -> Result<usize, Fault> {
    Ok(conn
        .prepare_cached("SELECT count(*) FROM plant WHERE store = ?1 AND id >= ?2")?
        .query_row(params![store, id.0], |found| found.get(0))
        .map(stored::as_count)?)
}

/// The id of the row with this index, walked to from the nearest of start, end and landmark.
fn id_at(conn: &Connection, store: i64, index: usize, total: usize, landmark: Landmark) -> Result<Option<i64>, Fault> {
    const UP: &str = "SELECT id FROM plant WHERE store = ?1 AND id >= ?2 ORDER BY id LIMIT 1 OFFSET ?3";
    const DOWN: &str = "SELECT id FROM plant WHERE store = ?1 AND id <= ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3";
    if index >= total {
        return Ok(None);
    }
    let by_landmark = match index.checked_sub(landmark.below) {
        Some(steps) => (UP, landmark.id, steps),
        None => (DOWN, landmark.id.saturating_sub(1), landmark.below - 1 - index),
    };
    let ways = [(UP, i64::MIN, index), (DOWN, i64::MAX, total - 1 - index), by_landmark];
    let Some((sql, from, steps)) = ways.into_iter().min_by_key(|(_, _, steps)| *steps) else { return Ok(None) };
    Ok(conn
        .prepare_cached(sql)?
        .query_row(params![store, from, stored::as_limit(steps)], |found| found.get(0))
        .optional()?)
}

fn sorted_window(
    conn: &Connection,
    store: i64,
    request: &WindowRequest,
    cache: &mut QueryCache,
) -> Result<Window, Fault> {
    let order = match &mut cache.sorted {
        Some(order) if order.is_of(&request.arrangement) => order,
        other => other.insert(SortedIndex::made(conn, store, &request.arrangement)?),
    };
    let late = order.catch_up(conn, store)?;
    let (first, rows) = loop {
        let place = |plant: PlantId| Ok(order.ids.iter().position(|id| *id == plant.0).unwrap_or(0));
        let first = first_row(request, order.ids.len(), place)?;
        let ids: Vec<_> = order.ids.iter().skip(first).take(request.rows).copied().collect();
        let rows = plant_list::rows(conn, store, ids.iter().copied())?;
        if rows.len() == ids.len() {
            break (first, rows);
        }
        // Some left the view while the order rests: there is nothing to show of them.
        drop(order.ids.splice(first..first + ids.len(), rows.iter().map(|row| row.id.0)));
    };
    let total = order.ids.len();
    let (tally, next_id) =
        (plant_list::tally(conn, store)?, plant_list::next_free_id(conn, store, &mut cache.used_below)?);
    Ok(Window { rows, first, total, tally, next_id, late })
}

/// See [`super::Journal::fitting`].
pub(super) fn fitting(conn: &Connection, store: i64, filter: &str, most: usize) -> Result<Vec<Row>, Fault> {
    let mut query = Query::of_plants(stored::ROW, store, filter);
    query.add(" ORDER BY id LIMIT ?", stored::as_limit(most));
    stored::all(conn, &query.sql, params_from_iter(query.values), stored::row)
}
