//! The log: many exchanges without what was said, as a list or a chart shows them.
//!
//! Nothing here reads a request or a response: those are long, and the index that leads to an
//! exchange, the head of its row and its operation hold all the rest.

use std::time::Duration;

use rusqlite::{Connection, Row, Rows, params_from_iter};

use super::fault::Fault;
use super::search::{Query, Search};
use super::stored;
use crate::domain::{Details, OperationKind, Outcome, Sample, Timestamp};

/// Where a window of the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogAnchor {
    Newest,
    Oldest,
    /// The exchange with this place in the middle, or the place where it would be.
    Around(i64),
}

/// Which lines of the log are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogRequest {
    /// Of the exchanges that fit this.
    pub search: Search,
    pub anchor: LogAnchor,
    /// How many at most.
    pub rows: usize,
}

/// Some exchanges without what was said; all of one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogWindow {
    /// Newest first.
    pub lines: Vec<LogLine>,
    /// Whether newer ones than these fit the search, too.
    pub newer: bool,
    /// Whether older ones do.
    pub older: bool,
}

/// An exchange without what was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Its place: later exchanges have greater ones.
    pub place: i64,
    /// What was asked.
    pub kind: OperationKind,
    /// What the plant was called when it was asked for, or to be deleted; `None` if nobody knew.
    pub called: Option<Details>,
    /// What it proves.
    pub outcome: Outcome,
    /// The status of the response, if one came.
    pub status: Option<u16>,
    /// Bytes of the response's body that are kept, at most [`super::KEPT_BODY`]; `None` if no response
    /// came, or it was trimmed.
    pub size: Option<usize>,
    /// When sending began.
    pub started: Timestamp,
    /// From there to the end of the response, or to the failure.
    pub elapsed: Duration,
}

impl LogLine {
    /// The plant's name, if somebody knew it.
    pub fn name(&self) -> Option<&str> {
        self.called.as_ref().map(|called| called.name.as_str())
    }
}

/// What [`line()`] reads after the columns of [`stored::OPERATION`]. The length of a body is told
/// by the head of its row; the body is not read for it.
const LINE: &str = "e.seq, e.outcome, e.status,
    CASE typeof(e.body) WHEN 'integer' THEN -e.body ELSE length(e.body) END, e.started, e.elapsed_us";

fn line(found: &Row<'_>) -> Result<LogLine, Fault> {
    let (kind, size) = (stored::operation(found)?.kind, found.get::<_, Option<i64>>(11)?);
    Ok(LogLine {
        place: found.get(8)?,
        called: stored::called(found)?,
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
    // Two walks away from the place, each no further than it must be.
    let walk = |condition: &str, order: &str| {
        let columns = format!("{}, {LINE}", stored::OPERATION);
        let mut query = Query::of_exchanges(conn, &columns, store, &request.search)?;
        query.add(condition, place);
        query.sql += order;
        Ok::<_, Fault>(query)
    };
    let (up, down) = (walk(" AND e.seq > ?", " ORDER BY e.seq")?, walk(" AND e.seq <= ?", " ORDER BY e.seq DESC")?);
    let (mut up_words, mut down_words) = (conn.prepare_cached(&up.sql)?, conn.prepare_cached(&down.sql)?);
    let mut newer = up_words.query(params_from_iter(up.values))?;
    let mut older = down_words.query(params_from_iter(down.values))?;

    let mut above = take(&mut newer, request.rows / 2)?;
    let below = take(&mut older, request.rows - above.len())?;
    // Near the oldest the window is filled from above; that the older ones are over is known then.
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
    query.add(" ORDER BY e.seq DESC LIMIT ?", stored::as_limit(most));
    let mut samples = stored::all(conn, &query.sql, params_from_iter(query.values), |found| {
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
