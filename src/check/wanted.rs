//! The selection of rows that a run checks: rules, undocumented behaviour, or some rows of both. Must not know how
//! they are checked.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::controls::most_controls;
use super::leftover::paths;
use super::probe_requests::{MAX_REDRAWS, ProbeRequests};
use super::row::Row;
use super::steps::{PROOF, Step};

/// The rows that a run checks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wanted {
    /// Leaves out undocumented behaviour.
    pub gentle: bool,
    /// Names of the only rows to check; empty for all.
    pub only: Vec<String>,
}

impl Wanted {
    /// Returns `all rules and undocumented behaviour`, or `only the rules`.
    pub fn describe(&self) -> String {
        match (self.only.is_empty(), self.gentle) {
            (true, false) => "all rules and undocumented behaviour".to_owned(),
            (true, true) => "only the rules".to_owned(),
            (false, _) => format!("only {}", self.only.join(", ")),
        }
    }

    pub fn rows(&self) -> impl Iterator<Item = &'static Row> {
        let is_named = |row: &Row| self.only.is_empty() || self.only.iter().any(|only| only == row.name);
        Row::all().filter(move |row| is_named(row) && (row.is_rule() || !self.gentle))
    }

    /// Returns the probes that the rows need, with their prerequisites, and those that show whether deletes work.
    pub(super) fn steps(&self) -> BTreeSet<Step> {
        self.rows()
            .flat_map(|row| row.steps)
            .flat_map(|step| step.prerequisites().into_iter().chain([*step]))
            .chain(PROOF)
            .collect()
    }

    /// Says what the run does to a store, a line each in a dialog: which plants it adds and deletes, which of them may
    /// stay, and which ids it sends that another person's plant may have, if it sends any.
    pub fn effects(&self) -> impl Iterator<Item = &'static str> {
        let steps = self.steps();
        let is_sent = [Step::IdZero, Step::IdLargest, Step::IdSmallest].iter().any(|step| steps.contains(step));
        let fixed_ids = "Ids 0, 2^63-1 and -2^63 are tried only where taken ids are rejected.";
        let always = [
            "The check adds plants with random ids and the tag Plants-Check.",
            "It deletes only these and earlier leftovers, and lists what stays.",
            "If it is killed, its plants stay until the next check deletes them.",
            "It sends again what the store postpones or leaves undecided.",
        ];
        always.into_iter().chain(is_sent.then_some(fixed_ids))
    }

    /// Returns how many different requests a run sends at most: the probes, the first one with other ids, the controls,
    /// and each delete that may remove a plant of theirs. Counts no request twice that the store postpones or leaves
    /// undecided.
    pub fn most_requests(&self) -> usize {
        let (requests, steps) = (ProbeRequests::with_seed(0), self.steps());
        let creates = steps.iter().filter(|step| !step.is_delete()).map(|step| requests.request(*step));
        let deletes: usize = creates.map(|(create, probe)| paths(create.plant_id(), &probe).len()).sum();
        // With short ids, and with other ones.
        let first = 1 + usize::try_from(MAX_REDRAWS).unwrap_or_default();
        steps.len() + deletes + 2 * first + 2 * most_controls(steps.len())
    }
}
