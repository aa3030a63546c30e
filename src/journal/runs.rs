//! The runs of the contract check in the history: the requests of a run are collapsed into one line.
//!
//! The line of a run stands above the newest of its exchanges, also where others were sent between them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use rusqlite::params;

use super::fault::Fault;
use super::sql::Store;
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
}

impl RunLine {
    pub fn requests(&self) -> usize {
        self.counts.iter().sum()
    }
}

/// Decides which exchanges of runs have a line of their own.
pub(super) struct Collapsing<'a> {
    store: Store<'a>,
    expanded: &'a [RunId],
    /// Those that were read in this snapshot, without their time.
    runs: HashMap<RunId, RunLine>,
}

impl<'a> Collapsing<'a> {
    pub(super) fn new(store: Store<'a>, expanded: &'a [RunId]) -> Self {
        Self { store, expanded, runs: HashMap::new() }
    }

    /// Returns the line of a run that stands above this exchange of it, if it does; and whether the exchange has a
    /// line itself. Takes number and end of the exchange.
    pub(super) fn lines(&mut self, id: RunId, number: i64, ended: Timestamp) -> Result<(Option<RunLine>, bool), Fault> {
        let run = match self.runs.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(read(self.store, id)?),
        };
        // No exchange may be missing from the history, not even one that came after the report.
        if run.number < number {
            return Ok((None, true));
        }
        // Zero if the clock was set back.
        let elapsed = Duration::from_millis(u64::try_from(ended.0.saturating_sub(id.started.0)).unwrap_or_default());
        let line = (run.number == number).then(|| RunLine { elapsed, ..run.clone() });
        Ok((line, self.expanded.contains(&id)))
    }
}

fn read(store: Store<'_>, id: RunId) -> Result<RunLine, Fault> {
    let probes = checks::probes(store, id)?;
    let count = |outcome| probes.iter().filter(|probe| probe.outcome == Some(outcome)).count();
    let number = probes.iter().filter_map(|probe| probe.exchange).max();
    let reports = "SELECT report FROM check_run WHERE store = ?1 AND started = ?2 ORDER BY seq";
    let reports: Vec<String> = sql::column(store.conn, reports, params![store.key, id.started])?;
    // One that cannot be decoded is perhaps of a newer release.
    let reports = reports.iter().filter_map(|text| serde_json::from_str::<Report>(text).ok());
    // Another program may have begun a run in the same millisecond.
    let is_of_run = |report: &Report| {
        report.rules.iter().flat_map(|rule| &rule.exchanges).all(|operation| operation.origin == id.origin)
    };
    let diagnosis = reports.into_iter().find(is_of_run).map(|report| report.diagnosis);
    let (number, counts) = (number.unwrap_or(i64::MIN), Outcome::ALL.map(count));
    Ok(RunLine { id, number, counts, diagnosis, elapsed: Duration::ZERO })
}
