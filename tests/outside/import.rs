//! `plants import` from outside: the real program, stores on loopback, signals and kills.
//!
//! Every run is asked the same: does the last line add up, and do the lines before it agree?

mod again;
mod bad;
mod forecast;
mod formats;
mod kills;
mod moved;
mod outcomes;
mod secret;
mod stops;
mod store;
mod token;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde_json::Value;

use crate::support::{Ended, Home, Run};

/// What nobody may ever read again.
const TOKEN: &str = "canary-81d4";

/// A table of plants with these ids.
fn numbered(ids: RangeInclusive<i64>) -> String {
    let rows = ids.map(|id| format!("{id},plant {id},t{id}\n"));
    format!("id,name,tag\n{}", rows.collect::<String>())
}

/// `plants import` into the store at `base`, as a script runs it.
fn import(home: &Home, base: &str, words: &[&str]) -> Run {
    home.plants_at(base, &[&["import", "--json"], words].concat()).env("PLANTS_TOKEN", TOKEN)
}

/// The state of each plant of the view.
fn view(home: &Home, base: &str) -> BTreeMap<i64, String> {
    let listed: Value = serde_json::from_str(&home.listed(base)).unwrap();
    let state = |plant: &Value| (plant["id"].as_i64().unwrap(), plant["state"].as_str().unwrap().to_owned());
    listed.as_array().unwrap().iter().map(state).collect()
}

/// The view in which the plants with these ids are in this state, and no others.
fn all(ids: RangeInclusive<i64>, state: &str) -> BTreeMap<i64, String> {
    ids.map(|id| (id, state.to_owned())).collect()
}

/// The same, in order.
fn sorted(mut ids: Vec<i64>) -> Vec<i64> {
    ids.sort_unstable();
    ids
}

/// What `--json` printed.
#[derive(Debug)]
struct Told {
    /// The bad rows.
    faults: Vec<Value>,
    /// The rows that were sent, and those that were not and that one should know of.
    rows: Vec<Value>,
    /// The last line.
    summary: BTreeMap<String, Value>,
}

impl Told {
    /// Asks a run what every run is asked.
    fn by(ended: &Ended) -> Self {
        let mut lines: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let summary = lines.pop().unwrap()["summary"].take();
        let summary = serde_json::from_value(summary).unwrap();
        let (rows, faults) = lines.into_iter().partition(|line| line.get("outcome").is_some());
        let told = Self { faults, rows, summary };
        told.adds_up();
        assert!(!ended.stdout.contains(TOKEN) && !ended.stderr.contains(TOKEN), "{ended:?}");
        told
    }

    fn count(&self, what: &str) -> u64 {
        self.summary[what].as_u64().unwrap()
    }

    /// The counts that are not 0, of what became of the rows.
    fn counts(&self) -> BTreeMap<&str, u64> {
        let counted = ENDS.iter().map(|end| (*end, self.count(end)));
        counted.filter(|(_, count)| *count > 0).collect()
    }

    /// The lines, in their file, of the rows that ended like this.
    fn lines(&self, outcome: &str) -> Vec<u64> {
        let of_it = self.rows.iter().filter(|row| row["outcome"] == outcome);
        let mut lines: Vec<_> = of_it.map(|row| row["line"].as_u64().unwrap()).collect();
        lines.sort_unstable();
        lines
    }

    fn adds_up(&self) {
        let sum: u64 = ENDS.iter().map(|end| self.count(end)).sum();
        assert_eq!(self.count("rows"), sum, "{:?}", self.summary);
        assert_eq!(self.count("bad"), self.faults.len() as u64, "{:?}", self.summary);
        for (outcome, counted) in [
            ("accepted", &["accepted"][..]),
            ("rejected", &["rejected"]),
            ("unknown", &["unknown", "unknown_before"]),
            ("not_sent", &["not_sent", "differs", "busy"]),
        ] {
            let sum: u64 = counted.iter().map(|end| self.count(end)).sum();
            assert_eq!(self.lines(outcome).len() as u64, sum, "{outcome}: {self:?}");
        }
    }
}

/// What can become of a row, as the summary counts it.
const ENDS: [&str; 10] = [
    "bad",
    "accepted",
    "rejected",
    "unknown",
    "not_sent",
    "already_stored",
    "differs",
    "unknown_before",
    "busy",
    "left",
];
