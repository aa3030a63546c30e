//! `plants import` from outside: the real program, stores on loopback, signals and kills.
//!
//! Every run must print a consistent summary.

mod again;
mod bad;
mod brake;
mod forecast;
mod formats;
mod kept;
mod kills;
#[cfg(unix)]
mod moved;
mod outcomes;
mod secret;
#[cfg(unix)]
mod stops;
pub(crate) mod store;
#[cfg(unix)]
mod token;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde_json::Value;

use crate::support::{Ended, Home, Run};

/// The token, which must never be printed or stored.
const TOKEN: &str = "canary-81d4";

/// Renders a table of plants with these ids.
fn numbered(ids: RangeInclusive<i64>) -> String {
    let rows = ids.map(|id| format!("{id},plant {id},t{id}\n"));
    format!("id,name,tag\n{}", rows.collect::<String>())
}

/// Runs `plants import --json` for the store at `base`.
fn import(home: &Home, base: &str, arguments: &[&str]) -> Run {
    home.plants_at(base, &[&["import", "--json"], arguments].concat()).env("PLANTS_TOKEN", TOKEN)
}

/// Returns a list of exactly these ids, all in this state.
fn all(ids: RangeInclusive<i64>, state: &str) -> BTreeMap<i64, String> {
    ids.map(|id| (id, state.to_owned())).collect()
}

fn sorted(mut ids: Vec<i64>) -> Vec<i64> {
    ids.sort_unstable();
    ids
}

/// The output of `--json`.
#[derive(Debug)]
struct Output {
    /// Bad rows.
    faults: Vec<Value>,
    /// Rows that were sent, and rows that were not sent for a reason that is printed.
    rows: Vec<Value>,
    summary: BTreeMap<String, Value>,
}

impl Output {
    /// Parses the output of a run, and asserts that it is consistent and without the token.
    fn of(ended: &Ended) -> Self {
        let mut lines: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let summary = lines.pop().unwrap()["summary"].take();
        let summary = serde_json::from_value(summary).unwrap();
        let (rows, faults) = lines.into_iter().partition(|line| line.get("outcome").is_some());
        let result = Self { faults, rows, summary };
        result.assert_consistent();
        assert!(!ended.stdout.contains(TOKEN) && !ended.stderr.contains(TOKEN), "{ended:?}");
        result
    }

    fn count(&self, what: &str) -> u64 {
        self.summary[what].as_u64().unwrap()
    }

    /// Returns the counts of rows that are not 0.
    fn counts(&self) -> BTreeMap<&str, u64> {
        let counted = ENDS.iter().map(|end| (*end, self.count(end)));
        counted.filter(|(_, count)| *count > 0).collect()
    }

    /// Returns the line numbers of the rows with this outcome.
    fn lines(&self, outcome: &str) -> Vec<u64> {
        let of_it = self.rows.iter().filter(|row| row["outcome"] == outcome);
        let mut lines: Vec<_> = of_it.map(|row| row["line"].as_u64().unwrap()).collect();
        lines.sort_unstable();
        lines
    }

    fn assert_consistent(&self) {
        let sum: u64 = ENDS.iter().map(|end| self.count(end)).sum();
        assert_eq!(self.count("rows"), sum, "{:?}", self.summary);
        assert_eq!(self.count("bad"), self.faults.len() as u64, "{:?}", self.summary);
        for (outcome, counted) in [
            ("accepted", &["accepted"][..]),
            ("rejected", &["rejected"]),
            ("unknown", &["unknown", "unknown_before"]),
            ("not_sent", &["not_sent", "differs", "contradicts", "busy"]),
        ] {
            let sum: u64 = counted.iter().map(|end| self.count(end)).sum();
            assert_eq!(self.lines(outcome).len() as u64, sum, "{outcome}: {self:?}");
        }
    }
}

/// The counts of the summary, of which each row is in one.
const ENDS: [&str; 12] = [
    "bad",
    "accepted",
    "rejected",
    "unknown",
    "not_sent",
    "already_stored",
    "repeats",
    "differs",
    "contradicts",
    "unknown_before",
    "busy",
    "left",
];
