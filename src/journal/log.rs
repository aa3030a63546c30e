//! The log: many exchanges without request and response, for a list or a chart.
//!
//! Requests and responses are long, and nothing here reads them: the index, the first columns of the
//! row and the operation hold the rest.

use std::time::Duration;

use rusqlite::{Connection, Row, Rows, params_from_iter};

use super::fault::Fault;
use super::search::{Query, Search};
use super::{sql, stored};
use crate::domain::{Details, OperationKind, Outcome, Sample, Timestamp};

/// The position of a window in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogAnchor {
    Newest,
    Oldest,
    /// The exchange with this number in the middle, or the position where it would be.
    Around(i64),
}

/// A request for lines of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogRequest {
    /// Only exchanges that match this.
    pub search: Search,
    pub anchor: LogAnchor,
    /// The largest number of lines.
    pub rows: usize,
}

/// Some lines of the log, from one snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogWindow {
    /// Newest first.
    pub lines: Vec<LogLine>,
    /// Whether newer exchanges match the search.
    pub newer: bool,
    /// Whether older exchanges match the search.
    pub older: bool,
}

/// An exchange without request and response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// The number of the exchange (#42): later exchanges have greater ones.
    pub place: i64,
    pub kind: OperationKind,
    /// The details of the plant at the request; `None` for a delete of a plant that was not in the list.
    pub called: Option<Details>,
    pub outcome: Outcome,
    pub status: Option<u16>,
    /// The stored bytes of the response's body, at most [`super::MAX_STORED_BODY`]; `None` without a response,
    /// or if it was trimmed.
    pub size: Option<usize>,
    pub started: Timestamp,
    /// The time from the start to the end of the response, or to the failure.
    pub elapsed: Duration,
}

impl LogLine {
    pub fn name(&self) -> Option<&str> {
        self.called.as_ref().map(|called| called.name.as_str())
    }
}

/// The columns that [`line()`] reads after those of [`stored::OPERATION`]. `SQLite` knows the length of
/// a body without reading it.
const LINE: &str = "e.seq, e.outcome, e.status,
    CASE typeof(e.body) WHEN 'integer' THEN -e.body ELSE length(e.body) END, e.started, e.elapsed_us";

fn line(found: &Row<'_>) -> Result<LogLine, Fault> {
    let (kind, size) = (stored::operation(found)?.kind, found.get::<_, Option<i64>>(11)?);
    Ok(LogLine {
        place: found.get(8)?,
        called: stored::operation_details(found)?,
        outcome: found.get(9)?,
        status: found.get(10)?,
        size: size.map(|size| stored::body_length(size, &kind)).transpose()?,
        kind,
        started: stored::started(found, 6, 12)?,
        elapsed: stored::micros(found.get(13)?)?,
    })
}

/// See [`super::Journal::log`].
pub(super) fn log(conn: &Connection, store: i64, request: &LogRequest) -> Result<LogWindow, Fault> {
    let place = match request.anchor {
        LogAnchor::Newest => i64::MAX,
        LogAnchor::Oldest => i64::MIN,
        LogAnchor::Around(place) => place,
    };
    // Two queries from the number on, each read only as far as needed.
    let from = |condition: &str, order: &str| {
        let columns = format!("{}, {LINE}", stored::OPERATION);
        let mut query = Query::of_exchanges(conn, &columns, store, &request.search)?;
        query.add(condition, place);
        query.sql += order;
        Ok::<_, Fault>(query)
    };
    let (up, down) = (from(" AND e.seq > ?", " ORDER BY e.seq")?, from(" AND e.seq <= ?", " ORDER BY e.seq DESC")?);
    let (mut up_statement, mut down_statement) = (conn.prepare_cached(&up.sql)?, conn.prepare_cached(&down.sql)?);
    let mut newer = up_statement.query(params_from_iter(up.values))?;
    let mut older = down_statement.query(params_from_iter(down.values))?;

    let mut above = take(&mut newer, request.rows / 2)?;
    let below = take(&mut older, request.rows - above.len())?;
    // Near the oldest exchange, newer ones fill the window.
    above.extend(take(&mut newer, request.rows - above.len() - below.len())?);
    let (newer, older) = (newer.next()?.is_some(), older.next()?.is_some());
    Ok(LogWindow { lines: above.into_iter().rev().chain(below).collect(), newer, older })
}

fn take(found: &mut Rows<'_>, count: usize) -> Result<Vec<LogLine>, Fault> {
    let mut lines = Vec::new();
    while lines.len() < count
        && let Some(next) = found.next()?
    {
        lines.push(line(next)?);
    }
    Ok(lines)
}

/// See [`super::Journal::latencies`].
pub(super) fn latencies(conn: &Connection, store: i64, search: &Search, most: usize) -> Result<Vec<Sample>, Fault> {
    let columns = "o.requested_at, e.started, e.elapsed_us, e.outcome, e.status IS NOT NULL";
    let mut query = Query::of_exchanges(conn, columns, store, search)?;
    query.add(" ORDER BY e.seq DESC LIMIT ?", sql::as_limit(most));
    let mut samples = sql::all(conn, &query.sql, params_from_iter(query.values), |found| {
        Ok(Sample {
            started: stored::started(found, 0, 1)?,
            elapsed: stored::micros(found.get(2)?)?,
            outcome: found.get(3)?,
            responded: found.get(4)?,
        })
    })?;
    samples.reverse();
    Ok(samples)
}
