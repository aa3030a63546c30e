//! The exchanges and the unlisted plants, newest first; and the trimming of old exchanges.

use std::time::Duration;

use rusqlite::{Connection, params, params_from_iter};

use super::fault::Fault;
use super::search::Query;
use super::sql::Store;
use super::{heads, sql, stored};
use crate::domain::filter::Filter;
use crate::domain::{Details, Exchange, Timestamp, Unlisted};
use crate::text::caseless::caseless;

/// An exchange in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredExchange {
    /// The number of the exchange (#42): later exchanges have greater ones.
    pub number: i64,
    /// The details of the plant at the request; `None` for a delete of a plant that was not in the list.
    pub called: Option<Details>,
    pub exchange: Exchange,
}

impl StoredExchange {
    pub fn name(&self) -> Option<&str> {
        self.called.as_ref().map(|called| called.name.as_str())
    }
}

/// See [`super::Journal::exchanges`].
pub(super) fn exchanges(
    store: Store<'_>,
    search: &Filter,
    before: Option<i64>,
    rows: usize,
) -> Result<Vec<StoredExchange>, Fault> {
    let mut query = matching(store, search);
    if let Some(before) = before {
        query.add(" AND e.seq < ?", before);
    }
    query.add(" ORDER BY e.seq DESC LIMIT ?", sql::as_limit(rows));
    sql::all(store.conn, &query.sql, params_from_iter(query.values), stored_exchange)
}

/// See [`super::Journal::exchange`].
pub(super) fn exchange(store: Store<'_>, number: i64) -> Result<Option<StoredExchange>, Fault> {
    let mut query = matching(store, &Filter::default());
    query.add(" AND e.seq = ?", number);
    Ok(sql::all(store.conn, &query.sql, params_from_iter(query.values), stored_exchange)?.pop())
}

fn matching(store: Store<'_>, search: &Filter) -> Query {
    Query::of_exchanges(store.key, &format!("{}, e.seq", stored::EXCHANGE), search)
}

fn stored_exchange(found: &rusqlite::Row<'_>) -> Result<StoredExchange, Fault> {
    let (number, called) = (found.get("seq")?, stored::listed_details(found)?);
    Ok(StoredExchange { number, called, exchange: stored::exchange(found)? })
}

/// See [`super::Journal::unlisted`]. Reads the plants of all stores from the newest back, and stops at
/// `rows`; an index on the store would have to be sorted first.
pub(super) fn unlisted(store: Store<'_>, part: &str, rows: usize) -> Result<Vec<Unlisted>, Fault> {
    let newest = format!(
        "SELECT {} FROM unlisted d
         WHERE +d.store = ?1 AND has_part(?2, d.name, d.tag, d.plant_id)
         AND NOT EXISTS (SELECT 1 FROM unlisted later WHERE later.store = d.store AND later.plant_id = d.plant_id
             AND later.name = d.name AND later.tag = d.tag AND later.seq > d.seq)
         AND NOT EXISTS (SELECT 1 FROM plant p WHERE p.store = d.store AND p.id = d.plant_id
             AND p.name = d.name AND p.tag = d.tag)
         ORDER BY d.seq DESC LIMIT ?3",
        stored::UNLISTED
    );
    sql::all(store.conn, &newest, params![store.key, caseless(part), sql::as_limit(rows)], stored::unlisted)
}

/// The number of exchanges that trimming reads in one transaction: an operation of a person waits for at most one.
const CHUNK: i64 = 500;

/// The result of one step of trimming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trimmed {
    /// The number of exchanges that were trimmed, or would be.
    pub(super) exchanges: usize,
    /// Where the next step starts; `None` at the end.
    pub(super) next: Option<i64>,
}

/// Which exchanges are trimmed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Old {
    /// The exchanges that ended before.
    pub(super) before: Timestamp,
    /// `Some` with the time of now: an exchange is old only if the order of the journal agrees, that is if no younger
    /// one is before it. A clock that jumped makes nothing old then.
    pub(super) in_order_at: Option<Timestamp>,
}

impl Old {
    /// Returns what the journal itself shows to be older than `age`: counted from its last exchange that is not in the
    /// future; `None` if there is none.
    pub(super) fn in_order(conn: &Connection, age: Duration, now: Timestamp) -> Result<Option<Self>, Fault> {
        let newest = "SELECT at FROM exchange WHERE at <= ?1 ORDER BY seq DESC LIMIT 1";
        let newest: Option<Timestamp> = sql::first(conn, newest, [now])?;
        Ok(newest.map(|newest| Self { before: newest.before(age), in_order_at: Some(now) }))
    }
}

/// The condition for old exchanges with request or response, without those of unknown outcome whose
/// plant is not resolved.
const OLD: &str = "seq > ?1 AND seq <= ?2 AND store = ?3 AND at < ?4 AND (request IS NOT NULL OR body IS NOT NULL)
    AND NOT (outcome = 2 /* unknown */ AND EXISTS (SELECT 1 FROM plant p
        WHERE p.store = exchange.store AND p.id = exchange.plant_id AND p.state <> 0 /* stored */))";

/// The columns that trimming clears. The row stays, because rows are the order of events.
const CLEARED: &str = "request = NULL, request_body = NULL, headers = NULL, body = NULL, body_end = NULL";

/// Trims the next exchanges, at most [`CHUNK`], that ended before a time, or only counts them.
pub(super) fn trim(store: Store<'_>, old: Old, after: i64, only_count: bool) -> Result<Trimmed, Fault> {
    let last = "SELECT max(seq) FROM (SELECT seq FROM exchange WHERE seq > ?1 ORDER BY seq LIMIT ?2)";
    let last: Option<i64> = sql::value(store.conn, last, params![after, CHUNK])?;
    let young = match (last, old.in_order_at) {
        (Some(last), Some(now)) => {
            let young = "SELECT min(seq) FROM exchange WHERE seq > ?1 AND seq <= ?2 AND at >= ?3 AND at <= ?4";
            sql::value(store.conn, young, params![after, last, old.before, now])?
        }
        (Some(_) | None, _) => None::<i64>,
    };
    let next = if young.is_none() { last } else { None };
    let values = params![after, young.map_or(last, |young| Some(young - 1)), store.key, old.before];
    let exchanges = if only_count {
        sql::count(store.conn, &format!("SELECT count(*) FROM exchange WHERE {OLD}"), values)?
    } else {
        sql::execute(store.conn, &format!("UPDATE exchange SET {CLEARED} WHERE {OLD}"), values)?
    };
    if next.is_none() && !only_count {
        heads::remove_unused(store.conn)?;
    }
    Ok(Trimmed { exchanges, next })
}
