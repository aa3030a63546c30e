//! Reading the view: windows of rows, stories of plants, the next free id.
//!
//! Nothing here scans what it can look up. What cannot be looked up is how many rows come
//! before an id; that is counted from the place asked for last, a [`Landmark`], or, where others have
//! written since, from the end of the view that it was nearer to.

use rusqlite::{Connection, OptionalExtension, params};

use super::arranged::Order;
use super::entries::Shift;
use super::error::Fault;
use super::stored;
use super::{Anchor, Story, Tally, Window, WindowRequest};
use crate::domain::{PlantId, Record, Row, State, Unresolved};

/// How many exchanges a story tells.
const STORY: i64 = 20;

/// How many doubts are told at once.
const DOUBTS: i64 = 1000;

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
pub(super) struct Bearings {
    landmark: Landmark,
    /// Whether what was asked for last was nearer to the end.
    is_far: bool,
    /// `SQLite`'s mark of what other connections have committed.
    seen: i64,
    /// Whether that has changed since it was told last.
    changed: bool,
    /// Every id from 1 to below this one was used; an id once used stays so.
    used_below: i64,
    /// The arrangement asked for last.
    pub(super) order: Option<Order>,
}

impl Bearings {
    /// Those of a connection that was just opened.
    pub(super) fn of(conn: &Connection) -> Result<Self, Fault> {
        Ok(Self {
            landmark: START,
            is_far: false,
            seen: commits_of_others(conn)?,
            changed: false,
            used_below: 1,
            order: None,
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
        let now = commits_of_others(conn)?;
        if self.seen != now {
            self.seen = now;
            self.changed = true;
            self.forget_landmark();
        }
        Ok(())
    }
}

/// `SQLite`'s mark of what other connections have committed: another one after each.
pub(super) fn commits_of_others(conn: &Connection) -> Result<i64, Fault> {
    Ok(conn.prepare_cached("PRAGMA data_version")?.query_row([], |found| found.get(0))?)
}

/// How the plants of the view stand.
pub(super) fn tally(conn: &Connection, store: i64) -> Result<Tally, Fault> {
    let mut tally = Tally::default();
    let counts = stored::all(conn, "SELECT state, count FROM tally WHERE store = ?1", [store], |found| {
        let state: String = found.get(0)?;
        Ok((State::from_word(&state).ok_or(Fault::Damaged)?, stored::as_count(found.get(1)?)))
    })?;
    for (state, count) in counts {
        match state {
            State::Stored => tally.stored = count,
            State::Unknown => tally.unknown = count,
            State::Adding => tally.adding = count,
            State::Deleting => tally.deleting = count,
        }
    }
    Ok(tally)
}

/// See [`super::Journal::window`].
pub(super) fn window(
    conn: &Connection,
    store: i64,
    request: &WindowRequest,
    bearings: &mut Bearings,
) -> Result<Window, Fault> {
    bearings.refresh(conn)?;
    let tally = tally(conn, store)?;
    let total = tally.total();
    let first = first_row(request, total, |id| {
        let below = if bearings.landmark == START && bearings.is_far {
            total.saturating_sub(rows_from(conn, store, id)?)
        } else {
            rows_below(conn, store, id, bearings.landmark)?
        };
        bearings.landmark = Landmark { id: id.0, below };
        Ok(below)
    })?;
    bearings.is_far = first > total / 2;
    let mut rows = Vec::new();
    if let Some(start) = id_at(conn, store, first, total, bearings.landmark)? {
        bearings.landmark = Landmark { id: start, below: first };
        rows = page_from(conn, store, start, request.rows)?;
    }
    Ok(Window { rows, first, total, tally, next_id: next_free_id(conn, store, bearings)?, late: None })
}

/// The index of a window's first row, of so many; `place` tells how many come before a plant.
pub(super) fn first_row(
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

fn page_from(conn: &Connection, store: i64, id: i64, rows: usize) -> Result<Vec<Row>, Fault> {
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

/// See [`super::Journal::doubts`].
pub(super) fn doubts(conn: &Connection, store: i64) -> Result<Vec<Row>, Fault> {
    let sql = format!("SELECT {} FROM plant WHERE store = ?1 AND state = 'unknown' ORDER BY id LIMIT ?2", stored::ROW);
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
    let sql = "SELECT record FROM plant WHERE store = ?1 AND state = 'unknown' AND id >= ?2 ORDER BY id LIMIT ?3";
    stored::all(conn, sql, params![store, from, stored::as_limit(rows)], |found| {
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

/// See [`super::Journal::story`].
pub(super) fn story(conn: &Connection, store: i64, id: PlantId) -> Result<Story, Fault> {
    let record = stored::record(conn, store, id)?;
    let sql = format!(
        "SELECT {} FROM exchange e JOIN operation o ON o.seq = e.operation
         WHERE e.store = ?1 AND e.plant_id = ?2 ORDER BY e.seq DESC LIMIT ?3",
        stored::EXCHANGE
    );
    Ok(Story {
        row: record.as_ref().and_then(Record::row),
        in_doubt: record.as_ref().and_then(Record::in_doubt),
        exchanges: stored::all(conn, &sql, params![store, id.0, STORY], stored::exchange)?,
    })
}

/// See [`super::Journal::next_free_id`]. An id that was only ever deleted from here says nothing
/// about which ids are in use, and one that the contract check drew even less.
pub(super) fn next_free_id(conn: &Connection, store: i64, bearings: &mut Bearings) -> Result<PlantId, Fault> {
    let largest: Option<i64> = conn
        .prepare_cached(
            "SELECT max(largest) FROM (
                 SELECT * FROM (SELECT plant_id AS largest FROM operation INDEXED BY operation_added
                                WHERE store = ?1 AND kind = 'add' AND probe IS NULL ORDER BY plant_id DESC LIMIT 1)
                 UNION ALL
                 SELECT * FROM (SELECT id FROM plant p WHERE store = ?1 AND NOT EXISTS (
                                    SELECT 1 FROM operation o
                                    WHERE o.store = p.store AND o.plant_id = p.id AND o.probe IS NOT NULL)
                                ORDER BY id DESC LIMIT 1))",
        )?
        .query_row([store], |found| found.get(0))?;
    match largest.unwrap_or(0).checked_add(1) {
        Some(next) => Ok(PlantId(next.max(1))),
        None => smallest_unused(conn, store, bearings),
    }
}

fn smallest_unused(conn: &Connection, store: i64, bearings: &mut Bearings) -> Result<PlantId, Fault> {
    let mut used = conn.prepare_cached(
        "SELECT plant_id FROM operation WHERE store = ?1 AND plant_id >= ?2
         UNION SELECT plant_id FROM settlement WHERE store = ?1 AND plant_id >= ?2 ORDER BY plant_id",
    )?;
    let mut found = used.query(params![store, bearings.used_below])?;
    while let Some(line) = found.next()? {
        if line.get::<_, i64>(0)? != bearings.used_below {
            break;
        }
        bearings.used_below = bearings.used_below.saturating_add(1);
    }
    Ok(PlantId(bearings.used_below))
}
