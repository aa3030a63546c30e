//! What the journal tells a run about earlier ones, and what follows from it for its requests and verdicts.

use std::collections::BTreeSet;

use super::diagnosis::Conclusion;
use super::leftover::{CleanUp, EarlierLeftover, LastDelete, safe_paths};
use super::probe_requests::{ProbeRequests, is_large, is_long, is_ordinary};
use super::report::Report;
use super::row::{RowResult, Verdict};
use crate::domain::PlantId;

/// The journal's knowledge of earlier runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EarlierRuns {
    pub leftovers: Vec<EarlierLeftover>,
    /// The newest reports of this store, newest first, if there are leftovers.
    pub reports: Vec<Report>,
    /// The [`FIXED_IDS`](super::FIXED_IDS) that the list has.
    pub taken: Vec<PlantId>,
}

impl EarlierRuns {
    /// Returns the leftovers, with what the reports show about deletes that were accepted.
    pub(super) fn leftovers(&self) -> Vec<EarlierLeftover> {
        let mut leftovers = self.leftovers.clone();
        // No run sends another delete where no path is safe.
        let is_open = |left: &&mut EarlierLeftover| {
            left.last_delete == LastDelete::None && !safe_paths(left.id, &left.probe, left.accepted).is_empty()
        };
        for left in leftovers.iter_mut().filter(is_open) {
            let mut reported = self.reports.iter().flat_map(|report| &report.leftovers);
            if reported.any(|other| other.id == left.id && other.clean_up == CleanUp::Ineffective) {
                left.last_delete = LastDelete::WithoutEffect;
            }
        }
        leftovers
    }

    /// Returns the ids and names of a run: with short ids, if a long one of an earlier run may have failed for its length;
    /// with the large id of an earlier run, if that is left, because another plant of this shape could stay as well.
    pub(super) fn first_requests(&self, seed: u64) -> ProbeRequests {
        let requests = ProbeRequests::with_seed(seed);
        let large = self.leftovers.iter().find(|left| is_large(left.id));
        let requests = large.map_or(requests.clone(), |left| requests.with_large_id(left.id));
        let failed = self.leftovers.iter().any(|left| left.create_failed && is_ordinary(left.id) && is_long(left.id));
        requests.with_short_ids().filter(|_| failed).unwrap_or(requests)
    }

    /// Returns the seed of a run: that of the newest one, if the store is not known to have accepted a create then or
    /// earlier. The same creates leave no further plants.
    pub(super) fn seed(&self, fresh: u64) -> u64 {
        let is_open = |report: &&Report| report.rules.iter().all(|rule| rule.verdict == Some(Verdict::Inconclusive));
        let is_none_known = self.leftovers.iter().all(|left| !left.accepted);
        self.reports.first().filter(is_open).filter(|_| is_none_known).and_then(|report| report.seed).unwrap_or(fresh)
    }

    /// Returns the rules that failed in the newest report with a verdict on them.
    pub(super) fn failed_rules(&self) -> Vec<RowResult> {
        let are_verdicts =
            |report: &&Report| matches!(report.diagnosis.conclusion(), Conclusion::Pass | Conclusion::Fail);
        let (mut decided, mut failed) = (BTreeSet::new(), Vec::new());
        for report in self.reports.iter().filter(are_verdicts) {
            for rule in report.rules.iter().filter(|rule| rule.verdict != Some(Verdict::Inconclusive)) {
                let is_newest = decided.insert(&rule.name);
                failed
                    .extend((is_newest && rule.verdict == Some(Verdict::Fail)).then(|| rule.kept_from(report.started)));
            }
        }
        failed
    }
}
