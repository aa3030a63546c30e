//! What was sent: searched newest first; what was said is trimmed oldest first.
//!
//! A search walks from the newest back and stops when it has enough; until it finds something, it
//! reads an index and no exchange. A part of a name or a tag has no index of its own to lean on:
//! it would cost every add more than it saves the few searches.

use std::ops::RangeInclusive;

use rusqlite::functions::FunctionFlags;
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use super::error::Fault;
use super::{Kept, stored};
use crate::domain::{Departed, Outcome, PlantId, Timestamp};

/// Which exchanges are wanted: those that fit all that is given. The default fits all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    /// A part of the plant's name, in any case.
    pub name: Option<String>,
    /// A part of its tag, in any case.
    pub tag: Option<String>,
    /// Its id.
    pub id: Option<PlantId>,
    /// The status of the answer.
    pub status: Option<RangeInclusive<u16>>,
    /// One of these outcomes; any, if there are none.
    pub outcomes: Vec<Outcome>,
    /// A part of the plant's name, tag or id, in any case.
    pub text: Option<String>,
    /// Asked for by the program that drew this origin.
    pub origin: Option<u64>,
}

/// A query that grows.
pub(super) struct Query {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Query {
    /// These columns, of `exchange e` and `operation o`, of a store's exchanges that fit a search.
    pub(super) fn of_exchanges(columns: &str, store: i64, search: &Search) -> Self {
        let sql =
            format!("SELECT {columns} FROM exchange e JOIN operation o ON o.seq = e.operation WHERE e.store = ?1");
        let mut query = Self { sql, values: vec![store.into()] };
        for (column, part) in [("o.name", &search.name), ("o.tag", &search.tag)] {
            if let Some(part) = part {
                query.add(&format!(" AND has_part({column}, ?)"), part.to_lowercase());
            }
        }
        if let Some(part) = &search.text {
            let has_it = "has_part(o.name, ?) OR has_part(o.tag, ?) OR has_part(CAST(o.plant_id AS TEXT), ?)";
            query.add(&format!(" AND ({has_it})"), part.to_lowercase());
        }
        if let Some(id) = search.id {
            query.add(" AND e.plant_id = ?", id.0);
        }
        if let Some(origin) = search.origin {
            query.add(" AND +o.origin = ?", origin.cast_signed());
        }
        if let Some(status) = &search.status {
            query.add(" AND e.status >= ?", *status.start());
            query.add(" AND e.status <= ?", *status.end());
        }
        if !search.outcomes.is_empty() {
            let places: Vec<_> = search.outcomes.iter().map(|outcome| query.value(outcome.code().to_owned())).collect();
            query.sql += " AND e.outcome IN (";
            query.sql += &places.join(", ");
            query.sql += ")";
        }
        query
    }

    /// Takes a value in, and tells the words for its place.
    fn value(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }

    /// Adds words with a value in the place of every `?`.
    pub(super) fn add(&mut self, words: &str, value: impl Into<Value>) {
        let place = self.value(value);
        self.sql += &words.replace('?', &place);
    }
}

/// Teaches a connection to look for a part of a text in any case, beyond ASCII.
pub(super) fn prepare(conn: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    conn.create_scalar_function("has_part", 2, flags, |given| {
        let text: Option<String> = given.get(0)?;
        let part: String = given.get(1)?;
        Ok(text.is_some_and(|text| text.to_lowercase().contains(&part)))
    })
}

/// See [`super::Journal::exchanges`].
pub(super) fn exchanges(
    conn: &Connection,
    store: i64,
    search: &Search,
    before: Option<i64>,
    rows: usize,
) -> Result<Vec<Kept>, Fault> {
    let mut query = kept_that_fit(store, search);
    if let Some(before) = before {
        query.add(" AND e.seq < ?", before);
    }
    query.add(" ORDER BY e.seq DESC LIMIT ?", stored::as_limit(rows));
    stored::all(conn, &query.sql, params_from_iter(query.values), kept)
}

/// See [`super::Journal::exchange`].
pub(super) fn exchange(conn: &Connection, store: i64, place: i64) -> Result<Option<Kept>, Fault> {
    let mut query = kept_that_fit(store, &Search::default());
    query.add(" AND e.seq = ?", place);
    Ok(stored::all(conn, &query.sql, params_from_iter(query.values), kept)?.pop())
}

fn kept_that_fit(store: i64, search: &Search) -> Query {
    Query::of_exchanges(&format!("{}, e.seq", stored::EXCHANGE), store, search)
}

fn kept(found: &rusqlite::Row<'_>) -> Result<Kept, Fault> {
    Ok(Kept { place: found.get("seq")?, called: stored::called(found)?, exchange: stored::exchange(found)? })
}

/// See [`super::Journal::departed`]. From the newest back, whatever the store: that ends as soon as
/// there are enough, which an index on the store could not.
pub(super) fn departed(conn: &Connection, store: i64, part: &str, rows: usize) -> Result<Vec<Departed>, Fault> {
    let sql = format!(
        "SELECT {} FROM departure d
         WHERE +d.store = ?1 AND (has_part(d.name, ?2) OR has_part(d.tag, ?2) OR has_part(CAST(d.plant_id AS TEXT), ?2))
         AND NOT EXISTS (SELECT 1 FROM departure later WHERE later.store = d.store AND later.plant_id = d.plant_id
             AND later.name = d.name AND later.tag = d.tag AND later.seq > d.seq)
         AND NOT EXISTS (SELECT 1 FROM plant p WHERE p.store = d.store AND p.id = d.plant_id
             AND p.name = d.name AND p.tag = d.tag)
         ORDER BY d.seq DESC LIMIT ?3",
        stored::DEPARTED
    );
    stored::all(conn, &sql, params![store, part.to_lowercase(), stored::as_limit(rows)], stored::departed)
}

/// How many exchanges are judged in one transaction.
const CHUNK: i64 = 10_000;

/// What one step of trimming came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trimmed {
    /// Exchanges whose request and answer are gone, or would be.
    pub(super) exchanges: usize,
    /// Where to go on; `None` at the end.
    pub(super) next: Option<i64>,
}

/// The exchanges of a stretch whose request and answer may go: old ones, but none that a doubt
/// hangs on. Any doubt about a plant keeps its row out of `stored`.
const OLD: &str = "seq > ?1 AND seq <= ?2 AND store = ?3 AND at < ?4 AND (request IS NOT NULL OR body IS NOT NULL)
    AND NOT (outcome = 'unknown' AND EXISTS (SELECT 1 FROM plant p
        WHERE p.store = exchange.store AND p.id = exchange.plant_id AND p.state <> 'stored'))";

/// An ending without headers and body. The row itself stays: the order of all that happened is
/// the order of these rows.
const BARE: &str = "CASE WHEN json_type(ending, '$.Answered') IS NULL THEN ending
    ELSE json_set(ending, '$.Answered.headers', json('[]'), '$.Answered.body_end', 'Trimmed') END";

/// Lets request and answer of a stretch's exchanges go that ended before a time, or only counts
/// them.
pub(super) fn trim(
    conn: &Connection,
    store: i64,
    older_than: Timestamp,
    after: i64,
    only_count: bool,
) -> Result<Trimmed, Fault> {
    let end: Option<i64> = conn
        .prepare_cached("SELECT max(seq) FROM (SELECT seq FROM exchange WHERE seq > ?1 ORDER BY seq LIMIT ?2)")?
        .query_row(params![after, CHUNK], |found| found.get(0))?;
    let Some(end) = end else { return Ok(Trimmed { exchanges: 0, next: None }) };
    let values = params![after, end, store, older_than.0];
    let exchanges = if only_count {
        conn.prepare_cached(&format!("SELECT count(*) FROM exchange WHERE {OLD}"))?
            .query_row(values, |found| found.get(0).map(stored::as_count))?
    } else {
        conn.prepare_cached(&format!("UPDATE exchange SET request = NULL, body = NULL, ending = {BARE} WHERE {OLD}"))?
            .execute(values)?
    };
    Ok(Trimmed { exchanges, next: Some(end) })
}
