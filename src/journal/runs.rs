//! The runs of the contract check in the history: the requests of a run are collapsed into one line.
//!
//! The line of a run stands above the newest of its exchanges, also where others were sent between them. The numbers
//! of its operations are close together, so that a run is found without reading the history.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use rusqlite::{Connection, Params, params};

use super::fault::Fault;
use super::{sql, stored};
use crate::check::{Diagnosis, Report};
use crate::domain::{Outcome, PlantId, Probe, RunId, Timestamp};

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

/// The operations that other parts of the program request between two of a run, at most.
const GAP: u32 = 1000;

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
    /// The numbers of its operations, with those of others between them.
    operations: RangeInclusive<u32>,
    /// That of its newest exchange.
    number: i64,
    counts: [usize; Outcome::ALL.len()],
    diagnosis: Option<Diagnosis>,
}

/// An operation of a run.
struct Member {
    number: u32,
    outcome: Option<Outcome>,
    key: i64,
    plant: PlantId,
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
    /// line itself. Takes the number of the operation, and number and end of the exchange.
    pub(super) fn lines(
        &mut self,
        id: RunId,
        operation: u32,
        number: i64,
        ended: Timestamp,
    ) -> Result<(Option<RunLine>, bool), Fault> {
        let is_expanded = self.expanded.contains(&id);
        let run = self.run(id, operation)?;
        // No exchange may be missing from the history, not even if its run is larger than expected.
        if !run.operations.contains(&operation) || run.number < number {
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

    /// Returns the run with an operation of this number.
    fn run(&mut self, id: RunId, number: u32) -> Result<&Run, Fault> {
        let is_known = self.cache.ended.contains_key(&id) || self.open.contains_key(&id);
        if !is_known {
            let run = self.read(id, number)?;
            let runs = if run.diagnosis.is_some() { &mut self.cache.ended } else { &mut self.open };
            runs.insert(id, run);
        }
        self.cache.ended.get(&id).or_else(|| self.open.get(&id)).ok_or(Fault::Damaged)
    }

    fn read(&mut self, id: RunId, number: u32) -> Result<Run, Fault> {
        let mut members = self.members(id, number, "<", "DESC")?;
        members.reverse();
        members.extend(self.members(id, number, ">=", "ASC")?);
        let mut counts = [0; Outcome::ALL.len()];
        for (outcome, count) in Outcome::ALL.into_iter().zip(&mut counts) {
            *count = members.iter().filter(|member| member.outcome == Some(outcome)).count();
        }
        let operations =
            members.first().map_or(number, |first| first.number)..=members.last().map_or(number, |last| last.number);
        // At most one of its requests is in flight, so that the newest exchange is that of the last operation.
        let newest = members.iter().rev().find_map(|member| self.exchange_of(member).transpose());
        Ok(Run { operations, number: newest.transpose()?.unwrap_or(i64::MIN), counts, diagnosis: self.diagnosis(id)? })
    }

    /// Returns the operations of a run on one side of a number, the nearest first.
    fn members(&self, id: RunId, from: u32, side: &str, order: &str) -> Result<Vec<Member>, Fault> {
        let near = format!(
            "SELECT number, outcome, seq, plant_id, probe FROM operation
             WHERE origin IN (SELECT id FROM origin WHERE origin = ?1) AND number {side} ?2 ORDER BY number {order}"
        );
        let mut statement = self.conn.prepare_cached(&near)?;
        let mut found = statement.query(params![id.origin.cast_signed(), from])?;
        let (mut members, mut last) = (Vec::new(), from);
        while let Some(found) = found.next()? {
            let number: u32 = found.get(0)?;
            if number.abs_diff(last) > GAP {
                break;
            }
            let probe: Option<String> = found.get(4)?;
            let probe = probe.as_deref().map(stored::from_json::<Probe>).transpose()?;
            if probe.and_then(|probe| probe.run) == Some(id.started) {
                last = number;
                members.push(Member { number, outcome: found.get(1)?, key: found.get(2)?, plant: found.get(3)? });
            }
        }
        Ok(members)
    }

    fn exchange_of(&self, member: &Member) -> Result<Option<i64>, Fault> {
        let newest = "SELECT seq FROM exchange WHERE store = ?1 AND plant_id = ?2 AND operation = ?3
            ORDER BY seq DESC LIMIT 1";
        sql::first(self.conn, newest, params![self.store, member.plant, member.key])
    }

    /// Returns the diagnosis in the report of a run.
    fn diagnosis(&mut self, id: RunId) -> Result<Option<Diagnosis>, Fault> {
        let newer = "SELECT seq, started FROM check_run WHERE store = ?1 AND seq > ?2 ORDER BY seq";
        let newer = all_pairs(self.conn, newer, params![self.store, self.cache.last_report])?;
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

fn all_pairs(conn: &Connection, sql: &str, values: impl Params) -> Result<Vec<(i64, Timestamp)>, Fault> {
    sql::all(conn, sql, values, |found| Ok((found.get(0)?, found.get(1)?)))
}
