//! The history: many exchanges without request and response, for a list or a chart.
//!
//! Requests and responses are long, and nothing here reads them: the index, the first columns of the
//! row and the operation hold the rest.

use std::time::Duration;

use rusqlite::{Row, Rows, params_from_iter};

use super::fault::Fault;
use super::history::StoredExchange;
use super::runs::{Collapsing, RunLine};
use super::search::Query;
use super::sql::Store;
use super::{sql, stored};
use crate::domain::filter::Filter;
use crate::domain::{BodyEnd, Details, OperationKind, Outcome, Response, RunId, Sample, Timestamp};

/// The column that sorts the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum HistoryColumn {
    #[default]
    Started,
    What,
    /// By name, which ignores case, then by id.
    Plant,
    Status,
    /// In the order rejected, unknown, not sent, accepted.
    Outcome,
    Size,
    Took,
}

/// An order of the history. Among equal values, the newest is first; a missing value is last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryOrder {
    pub column: HistoryColumn,
    pub descending: bool,
}

/// The newest first.
impl Default for HistoryOrder {
    fn default() -> Self {
        Self { column: HistoryColumn::Started, descending: true }
    }
}

impl HistoryOrder {
    /// Returns the terms for `ORDER BY`.
    fn terms(self) -> String {
        let direction = if self.descending { "DESC" } else { "ASC" };
        let by = |column| format!("{column} {direction} NULLS LAST, e.seq DESC");
        match self.column {
            HistoryColumn::Started => format!("e.seq {direction}"),
            HistoryColumn::What => by("o.kind"),
            HistoryColumn::Plant => {
                format!(
                    "caseless(o.name) {direction} NULLS LAST, o.name {direction}, e.plant_id {direction}, e.seq DESC"
                )
            }
            HistoryColumn::Status => by("e.status"),
            // 0 is accepted.
            HistoryColumn::Outcome => format!("e.outcome = 0 {direction}, e.outcome {direction}, e.seq DESC"),
            HistoryColumn::Size => by(stored::SIZE),
            HistoryColumn::Took => by("e.elapsed_us"),
        }
    }
}

/// A request for lines of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryRequest {
    /// Only exchanges that match this.
    pub search: Filter,
    /// In another order than the newest first, the window is the first lines, and runs of the check are not folded.
    pub order: HistoryOrder,
    /// The exchange with this number is in the middle, or the position where it would be.
    pub around: i64,
    /// The largest number of lines.
    pub rows: usize,
    /// `None` lists the exchanges of the contract check like all others. Else each run is a line, which the exchanges
    /// of these runs follow.
    pub expanded: Option<Vec<RunId>>,
}

impl HistoryRequest {
    /// Numbers around which the newest lines are, and the oldest.
    pub const NEWEST: i64 = i64::MAX;
    pub const OLDEST: i64 = i64::MIN;
}

/// Some lines of the history, from one snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryWindow {
    /// Newest first, or in the order of the request.
    pub lines: Vec<HistoryRow>,
    /// Whether there are lines of newer exchanges that match the search.
    pub newer: bool,
    /// Whether there are lines of older exchanges that match the search.
    pub older: bool,
}

/// A line of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryRow {
    Request(HistoryLine),
    Run(RunLine),
}

impl HistoryRow {
    /// The number of its exchange, or of the newest one of a run.
    pub fn number(&self) -> i64 {
        match self {
            Self::Request(line) => line.number,
            Self::Run(run) => run.number,
        }
    }

    pub fn request(&self) -> Option<&HistoryLine> {
        if let Self::Request(line) = self { Some(line) } else { None }
    }

    pub fn run(&self) -> Option<&RunLine> {
        if let Self::Run(run) = self { Some(run) } else { None }
    }
}

/// An exchange without request and response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryLine {
    /// The number of the exchange (#42): later exchanges have greater ones.
    pub number: i64,
    pub kind: OperationKind,
    /// The details of the plant at the request; `None` for a delete of a plant that was not in the list.
    pub called: Option<Details>,
    pub outcome: Outcome,
    pub status: Option<u16>,
    /// The bytes of the response's body that were read; `None` without a response, or if it was trimmed.
    pub size: Option<usize>,
    pub started: Timestamp,
    /// The time from the start to the end of the response, or to the failure.
    pub elapsed: Duration,
    /// The run of the contract check that it belongs to.
    pub run: Option<RunId>,
}

impl HistoryLine {
    pub fn name(&self) -> Option<&str> {
        self.called.as_ref().map(|called| called.name.as_str())
    }

    fn ended(&self) -> Timestamp {
        let elapsed = i64::try_from(self.elapsed.as_millis()).unwrap_or(i64::MAX);
        Timestamp(self.started.0.saturating_add(elapsed))
    }
}

impl From<&StoredExchange> for HistoryLine {
    fn from(stored: &StoredExchange) -> Self {
        let StoredExchange { number, called, exchange } = stored;
        let response = exchange.response().filter(|response| response.body_end != BodyEnd::Trimmed);
        Self {
            number: *number,
            kind: exchange.operation.kind.clone(),
            called: called.clone(),
            outcome: exchange.outcome(),
            status: exchange.status(),
            size: response.map(Response::length),
            started: exchange.started,
            elapsed: exchange.elapsed,
            run: exchange.operation.run(),
        }
    }
}

/// The columns that [`line()`] reads after those of [`stored::OPERATION`].
fn columns() -> String {
    format!("{}, e.seq, e.outcome, e.status, {} AS size, e.started, e.elapsed_us", stored::OPERATION, stored::SIZE)
}

fn line(found: &Row<'_>) -> Result<HistoryLine, Fault> {
    let (operation, size) = (stored::operation(found)?, found.get::<_, Option<i64>>("size")?);
    let (run, kind) = (operation.run(), operation.kind);
    Ok(HistoryLine {
        number: found.get("seq")?,
        called: stored::listed_details(found)?,
        outcome: found.get("outcome")?,
        status: found.get("status")?,
        size: size.map(sql::as_count),
        kind,
        started: stored::started(found)?,
        elapsed: stored::micros(found.get("elapsed_us")?)?,
        run,
    })
}

/// Returns the first lines in the order. Reads every match.
fn sorted(store: Store<'_>, request: &HistoryRequest) -> Result<HistoryWindow, Fault> {
    let mut query = Query::of_exchanges(store.key, &columns(), &request.search);
    query.add(&format!(" ORDER BY {} LIMIT ?", request.order.terms()), sql::as_limit(request.rows.saturating_add(1)));
    let mut lines =
        sql::all(store.conn, &query.sql, params_from_iter(query.values), |found| line(found).map(HistoryRow::Request))?;
    let has_more = lines.len() > request.rows;
    lines.truncate(request.rows);
    Ok(HistoryWindow { lines, newer: false, older: has_more })
}

/// See [`super::Journal::history`].
pub(super) fn window(store: Store<'_>, request: &HistoryRequest) -> Result<HistoryWindow, Fault> {
    if request.order != HistoryOrder::default() {
        return sorted(store, request);
    }
    // Two queries from the number on, each read only as far as needed.
    let from = |condition: &str, order: &str| {
        let mut query = Query::of_exchanges(store.key, &columns(), &request.search);
        query.add(condition, request.around);
        query.sql += order;
        query
    };
    let (up, down) = (from(" AND e.seq > ?", " ORDER BY e.seq"), from(" AND e.seq <= ?", " ORDER BY e.seq DESC"));
    let (mut up_statement, mut down_statement) =
        (store.conn.prepare_cached(&up.sql)?, store.conn.prepare_cached(&down.sql)?);
    let mut newer = Walk::new(up_statement.query(params_from_iter(up.values))?, true);
    let mut older = Walk::new(down_statement.query(params_from_iter(down.values))?, false);
    let mut collapsing = request.expanded.as_deref().map(|expanded| Collapsing::new(store, expanded));

    let mut above = newer.take(request.rows / 2, &mut collapsing)?;
    let below = older.take(request.rows - above.len(), &mut collapsing)?;
    // Near the oldest exchange, newer ones fill the window.
    above.extend(newer.take(request.rows - above.len() - below.len(), &mut collapsing)?);
    let (newer, older) = (newer.next(&mut collapsing)?.is_some(), older.next(&mut collapsing)?.is_some());
    Ok(HistoryWindow { lines: above.into_iter().rev().chain(below).collect(), newer, older })
}

/// The lines of the history from a number on, in one direction.
struct Walk<'a> {
    found: Rows<'a>,
    is_upward: bool,
    /// The second of two lines that an exchange has.
    held: Option<HistoryRow>,
}

impl<'a> Walk<'a> {
    fn new(found: Rows<'a>, is_upward: bool) -> Self {
        Self { found, is_upward, held: None }
    }

    fn next(&mut self, collapsing: &mut Option<Collapsing<'_>>) -> Result<Option<HistoryRow>, Fault> {
        if let Some(held) = self.held.take() {
            return Ok(Some(held));
        }
        while let Some(found) = self.found.next()? {
            let line = line(found)?;
            let (run, has_line) = match (collapsing.as_mut(), line.run) {
                (Some(collapsing), Some(run)) => collapsing.lines(run, line.number, line.ended())?,
                (_, _) => (None, true),
            };
            let (run, request) = (run.map(HistoryRow::Run), has_line.then_some(HistoryRow::Request(line)));
            let (first, second) = if self.is_upward { (request, run) } else { (run, request) };
            if first.is_some() {
                self.held = second;
                return Ok(first);
            }
            if second.is_some() {
                return Ok(second);
            }
        }
        Ok(None)
    }

    fn take(&mut self, count: usize, collapsing: &mut Option<Collapsing<'_>>) -> Result<Vec<HistoryRow>, Fault> {
        let mut lines = Vec::new();
        while lines.len() < count
            && let Some(next) = self.next(collapsing)?
        {
            lines.push(next);
        }
        Ok(lines)
    }
}

/// See [`super::Journal::latencies`].
pub(super) fn latencies(store: Store<'_>, search: &Filter, most: usize) -> Result<Vec<Sample>, Fault> {
    let columns = "o.requested_at, e.started, e.elapsed_us, e.outcome, e.status IS NOT NULL AS responded";
    let mut query = Query::of_exchanges(store.key, columns, search);
    query.add(" ORDER BY e.seq DESC LIMIT ?", sql::as_limit(most));
    let mut samples = sql::all(store.conn, &query.sql, params_from_iter(query.values), |found| {
        let (started, elapsed) = (stored::started(found)?, stored::micros(found.get("elapsed_us")?)?);
        Ok(Sample { started, elapsed, outcome: found.get("outcome")?, responded: found.get("responded")? })
    })?;
    samples.reverse();
    Ok(samples)
}
