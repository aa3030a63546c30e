//! What was sent: read newest first; what was said is trimmed oldest first.

use rusqlite::{Connection, params, params_from_iter};

use super::fault::Fault;
use super::search::{Query, Search};
use super::{heads, stored};
use crate::domain::text::in_lower_case;
use crate::domain::{Details, Exchange, Timestamp, Unlisted};

/// An exchange as it stands in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredExchange {
    /// Its place: later exchanges have greater ones.
    pub place: i64,
    /// What the plant was called when it was asked for, or to be deleted; `None` if nobody knew.
    pub called: Option<Details>,
    pub exchange: Exchange,
}

impl StoredExchange {
    /// The plant's name, if somebody knew it.
    pub fn name(&self) -> Option<&str> {
        self.called.as_ref().map(|called| called.name.as_str())
    }
}

/// See [`super::Journal::exchanges`].
pub(super) fn exchanges(
    conn: &Connection,
    store: i64,
    search: &Search,
    before: Option<i64>,
    rows: usize,
) -> Result<Vec<StoredExchange>, Fault> {
    let mut query = kept_that_fit(conn, store, search)?;
    if let Some(before) = before {
        query.add(" AND e.seq < ?", before);
    }
    query.add(" ORDER BY e.seq DESC LIMIT ?", stored::as_limit(rows));
    stored::all(conn, &query.sql, params_from_iter(query.values), kept)
}

/// See [`super::Journal::exchange`].
pub(super) fn exchange(conn: &Connection, store: i64, place: i64) -> Result<Option<StoredExchange>, Fault> {
    let mut query = kept_that_fit(conn, store, &Search::default())?;
    query.add(" AND e.seq = ?", place);
    Ok(stored::all(conn, &query.sql, params_from_iter(query.values), kept)?.pop())
}

fn kept_that_fit(conn: &Connection, store: i64, search: &Search) -> Result<Query, Fault> {
    Query::of_exchanges(conn, &format!("{}, e.seq", stored::EXCHANGE), store, search)
}

fn kept(found: &rusqlite::Row<'_>) -> Result<StoredExchange, Fault> {
    Ok(StoredExchange { place: found.get("seq")?, called: stored::called(found)?, exchange: stored::exchange(found)? })
}

/// See [`super::Journal::unlisted`]. From the newest back, whatever the store: that ends as soon as
/// there are enough, which an index on the store could not.
pub(super) fn unlisted(conn: &Connection, store: i64, part: &str, rows: usize) -> Result<Vec<Unlisted>, Fault> {
    let sql = format!(
        "SELECT {} FROM unlisted d
         WHERE +d.store = ?1 AND has_part(?2, d.name, d.tag, d.plant_id)
         AND NOT EXISTS (SELECT 1 FROM unlisted later WHERE later.store = d.store AND later.plant_id = d.plant_id
             AND later.name = d.name AND later.tag = d.tag AND later.seq > d.seq)
         AND NOT EXISTS (SELECT 1 FROM plant p WHERE p.store = d.store AND p.id = d.plant_id
             AND p.name = d.name AND p.tag = d.tag)
         ORDER BY d.seq DESC LIMIT ?3",
        stored::DEPARTED
    );
    stored::all(conn, &sql, params![store, in_lower_case(part), stored::as_limit(rows)], stored::unlisted)
}

/// How many exchanges are validated in one transaction.
const CHUNK: i64 = 10_000;

/// What one step of trimming came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trimmed {
    /// Exchanges whose request and response are gone, or would be.
    pub(super) exchanges: usize,
    /// Where to go on; `None` at the end.
    pub(super) next: Option<i64>,
}

/// The exchanges of a stretch whose request and response may go: old ones, but none that a doubt
/// hangs on. Any doubt about a plant keeps its row out of `stored`.
const OLD: &str = "seq > ?1 AND seq <= ?2 AND store = ?3 AND at < ?4 AND (request IS NOT NULL OR body IS NOT NULL)
    AND NOT (outcome = 2 /* unknown */ AND EXISTS (SELECT 1 FROM plant p
        WHERE p.store = exchange.store AND p.id = exchange.plant_id AND p.state <> 0 /* stored */))";

/// What goes. The row itself stays: the order of all that happened is the order of these rows.
const NOTHING: &str = "request = NULL, request_body = NULL, headers = NULL, body = NULL, body_end = NULL";

/// Lets request and response of a stretch's exchanges go that ended before a time, or only counts
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
    let Some(end) = end else {
        if !only_count {
            heads::remove_unused(conn)?;
        }
        return Ok(Trimmed { exchanges: 0, next: None });
    };
    let values = params![after, end, store, older_than];
    let exchanges = if only_count {
        conn.prepare_cached(&format!("SELECT count(*) FROM exchange WHERE {OLD}"))?
            .query_row(values, |found| found.get(0).map(stored::as_count))?
    } else {
        conn.prepare_cached(&format!("UPDATE exchange SET {NOTHING} WHERE {OLD}"))?.execute(values)?
    };
    Ok(Trimmed { exchanges, next: Some(end) })
}
