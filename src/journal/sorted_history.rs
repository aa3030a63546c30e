//! The first lines of the history in another order than the newest first, kept from one lookup to the next.
//!
//! Exchanges are added, and otherwise only trimmed. So the first lines of a history with new exchanges are among the first
//! ones before and the new ones, and no other exchange is read again. A search over bodies reads every match each time:
//! an exchange may fit `!response:quota` only since it was trimmed.

use std::collections::HashMap;

use rusqlite::{Connection, params_from_iter};

use super::fault::Fault;
use super::history_lines::{self, HistoryLine, HistoryOrder, HistoryRequest, HistoryRow, HistoryWindow};
use super::search::{Query, Search};
use super::sql;
use crate::domain::filter::{Test, TextColumn};

#[derive(Debug)]
pub(super) struct SortedHistory {
    search: Search,
    order: HistoryOrder,
    lines: Vec<HistoryLine>,
    /// Whether more lines follow.
    has_more: bool,
    /// The number of the newest exchange at the last lookup.
    newest: i64,
}

/// Returns the first lines in an order. Without a history of the same search and order in the cache, reads every match.
pub(super) fn window(
    conn: &Connection,
    store: i64,
    request: &HistoryRequest,
    order: HistoryOrder,
    cache: &mut Option<SortedHistory>,
) -> Result<HistoryWindow, Fault> {
    let known = cache.as_ref().filter(|known| known.serves(request, order));
    let renewed = known.map(|known| known.with_newer(conn, store)).transpose()?.flatten();
    let sorted = match renewed {
        Some(renewed) => renewed,
        None => SortedHistory::new(conn, store, request, order)?,
    };
    let sorted = cache.insert(sorted);
    let lines: Vec<_> = sorted.lines.iter().take(request.rows).cloned().map(HistoryRow::from).collect();
    let has_more = sorted.has_more || lines.len() < sorted.lines.len();
    Ok(HistoryWindow { lines, newer: false, older: has_more })
}

fn newest(conn: &Connection) -> Result<i64, Fault> {
    sql::value(conn, "SELECT coalesce(max(seq), 0) FROM exchange", [])
}

impl SortedHistory {
    /// Reads all exchanges that match, and keeps the first ones.
    fn new(conn: &Connection, store: i64, request: &HistoryRequest, order: HistoryOrder) -> Result<Self, Fault> {
        let newest = newest(conn)?;
        let mut query = Query::of_exchanges(conn, &history_lines::columns(), store, &request.search)?;
        query.add(&format!(" ORDER BY {} LIMIT ?", order.terms()), sql::as_limit(request.rows + 1));
        let mut lines = lines(conn, query)?;
        let has_more = lines.len() > request.rows;
        lines.truncate(request.rows);
        Ok(Self { search: request.search.clone(), order, lines, has_more, newest })
    }

    fn serves(&self, request: &HistoryRequest, order: HistoryOrder) -> bool {
        let is_long_enough = !self.has_more || self.lines.len() >= request.rows;
        self.search == request.search && self.order == order && is_long_enough && !reads_bodies(&self.search)
    }

    /// Returns the lines with new exchanges among them; `None` if a line has changed, as one whose body was trimmed.
    fn with_newer(&self, conn: &Connection, store: i64) -> Result<Option<Self>, Fault> {
        let newest = newest(conn)?;
        let keeps = if self.has_more { self.lines.len() } else { usize::MAX };
        let order = self.order.terms();
        let mut query = Query::of_exchanges(conn, "e.seq", store, &self.search)?;
        query.add(" AND e.seq > ?", self.newest);
        query.add(&format!(" ORDER BY {order} LIMIT ?"), sql::as_limit(keeps));
        let new: Vec<i64> = sql::column(conn, &query.sql, params_from_iter(query.values))?;
        let numbers: Vec<_> =
            self.lines.iter().map(|line| line.number).chain(new).map(|number| number.to_string()).collect();
        let mut query = Query::of_exchanges(conn, &history_lines::columns(), store, &self.search)?;
        query.sql.extend([" AND e.seq IN (", &numbers.join(","), ") ORDER BY ", &order]);
        let mut lines = lines(conn, query)?;
        let found: HashMap<_, _> = lines.iter().map(|line| (line.number, line)).collect();
        if self.lines.iter().any(|line| found.get(&line.number) != Some(&line)) {
            return Ok(None);
        }
        drop(found);
        lines.truncate(keeps);
        Ok(Some(Self { search: self.search.clone(), order: self.order, lines, has_more: self.has_more, newest }))
    }
}

fn reads_bodies(search: &Search) -> bool {
    let mut tests = search.filter.alternatives().iter().flatten().flat_map(|condition| &condition.any);
    tests.any(|test| matches!(test, Test::Response(_) | Test::Is(TextColumn::Response, _)))
}

/// Reads lines. The statement is not kept: the numbers in it are others each time.
fn lines(conn: &Connection, query: Query) -> Result<Vec<HistoryLine>, Fault> {
    let mut statement = conn.prepare(&query.sql)?;
    statement.query_and_then(params_from_iter(query.values), history_lines::line)?.collect()
}
