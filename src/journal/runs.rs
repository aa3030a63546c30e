//! The runs of the contract check in the history: the requests of a run are collapsed into one line.
//!
//! The line of a run stands above the newest of its exchanges, also where others were sent between them.

use std::collections::HashMap;
use std::time::Duration;

use rusqlite::{Connection, params};

use super::fault::Fault;
use super::{checks, sql};
use crate::check::{Diagnosis, Report};
use crate::domain::{Outcome, RunId, Timestamp};

/// A run of the contract check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLine {
    pub id: RunId,
    /// The number of its newest exchange.
    pub number: i64,
    /// The number of its exchanges of each outcome, in the order of [`Outcome::ALL`].
    pub counts: [usize; Outcome::ALL.len()],
    /// `None` without a report: the run is under way, or was when its program ended.
    pub diagnosis: Option<Diagnosis>,
    /// The time from its start to the end of its newest exchange.
    pub elapsed: Duration,
    /// Whether its exchanges follow in the history.
    pub is_expanded: bool,
}

impl RunLine {
    pub fn requests(&self) -> usize {
        self.counts.iter().sum()
    }
}

/// Results of earlier lookups on one connection.
#[derive(Debug, Default)]
pub(super) struct RunCache {
    /// Runs with a report, which do not change any more.
    ended: HashMap<RunId, Run>,
    /// The keys of the reports, by the start of their runs.
    reports: HashMap<Timestamp, Vec<i64>>,
    /// The key of the last report in `reports`.
    last_report: i64,
}

#[derive(Debug, Clone)]
struct Run {
    /// That of its newest exchange.
    number: i64,
    counts: [usize; Outcome::ALL.len()],
    diagnosis: Option<Diagnosis>,
}

/// Decides which exchanges of runs have a line of their own.
pub(super) struct Collapsing<'a> {
    conn: &'a Connection,
    store: i64,
    cache: &'a mut RunCache,
    expanded: &'a [RunId],
    /// Runs without a report, as they are in this snapshot.
    open: HashMap<RunId, Run>,
}

impl<'a> Collapsing<'a> {
    pub(super) fn new(conn: &'a Connection, store: i64, cache: &'a mut RunCache, expanded: &'a [RunId]) -> Self {
        Self { conn, store, cache, expanded, open: HashMap::new() }
    }

    /// Returns the line of a run that stands above this exchange of it, if it does; and whether the exchange has a
    /// line itself. Takes number and end of the exchange.
    pub(super) fn lines(&mut self, id: RunId, number: i64, ended: Timestamp) -> Result<(Option<RunLine>, bool), Fault> {
        let is_expanded = self.expanded.contains(&id);
        let run = self.run(id)?;
        // No exchange may be missing from the history, not even one that came after the report.
        if run.number < number {
            return Ok((None, true));
        }
        let line = (run.number == number).then(|| RunLine {
            id,
            number,
            counts: run.counts,
            diagnosis: run.diagnosis.clone(),
            // Zero if the clock was set back.
            elapsed: Duration::from_millis(u64::try_from(ended.0.saturating_sub(id.started.0)).unwrap_or_default()),
            is_expanded,
        });
        Ok((line, is_expanded))
    }

    fn run(&mut self, id: RunId) -> Result<&Run, Fault> {
        let is_known = self.cache.ended.contains_key(&id) || self.open.contains_key(&id);
        if !is_known {
            let run = self.read(id)?;
            let runs = if run.diagnosis.is_some() { &mut self.cache.ended } else { &mut self.open };
            runs.insert(id, run);
        }
        self.cache.ended.get(&id).or_else(|| self.open.get(&id)).ok_or(Fault::Damaged)
    }

    fn read(&mut self, id: RunId) -> Result<Run, Fault> {
        let probes = checks::probes(self.conn, self.store, id)?;
        let count = |outcome| probes.iter().filter(|probe| probe.outcome == Some(outcome)).count();
        let number = probes.iter().filter_map(|probe| probe.exchange).max();
        let (counts, diagnosis) = (Outcome::ALL.map(count), self.diagnosis(id)?);
        Ok(Run { number: number.unwrap_or(i64::MIN), counts, diagnosis })
    }

    /// Returns the diagnosis in the report of a run.
    fn diagnosis(&mut self, id: RunId) -> Result<Option<Diagnosis>, Fault> {
        let newer = "SELECT seq, started FROM check_run WHERE store = ?1 AND seq > ?2 ORDER BY seq";
        let newer = sql::all(self.conn, newer, params![self.store, self.cache.last_report], |found| {
            Ok((found.get(0)?, found.get(1)?))
        })?;
        for (key, started) in newer {
            self.cache.reports.entry(started).or_default().push(key);
            self.cache.last_report = key;
        }
        for key in self.cache.reports.get(&id.started).into_iter().flatten() {
            let text: Option<String> = sql::first(self.conn, "SELECT report FROM check_run WHERE seq = ?1", [key])?;
            // One that cannot be decoded is perhaps of a newer release.
            let Some(report) = text.and_then(|text| serde_json::from_str::<Report>(&text).ok()) else { continue };
            // Another program may have begun a run in the same millisecond.
            if report.rules.iter().flat_map(|rule| &rule.exchanges).all(|operation| operation.origin == id.origin) {
                return Ok(Some(report.diagnosis));
            }
        }
        Ok(None)
    }
}
