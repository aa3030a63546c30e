//! The report of a run: diagnosis, rules, undocumented behaviour, leftovers. Must not know the output formats.

use serde::{Deserialize, Serialize};
use strum::IntoEnumIterator as _;

use super::diagnosis::Diagnosis;
use super::evidence::Latency;
use super::leftover::{CleanUp, FIXED_IDS, Leftover};
use super::row::{RowResult, Verdict};
use super::wanted::Wanted;
use crate::domain::curl::quoted;
use crate::domain::{PlantId, Timestamp};
use crate::text::number_format::counted;

/// The result of a run. Rows are in the order of their tables; during the run, undecided rows are missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// `plants 0.1.0`; empty in a stored report without it.
    #[serde(default)]
    pub program: String,
    pub store: String,
    /// The profile that has the base URL and the token, if one was used.
    pub profile: Option<String>,
    pub started: Timestamp,
    /// What its ids and names are drawn by.
    pub seed: Option<u64>,
    pub wanted: Wanted,
    /// Number of requests that were sent, or at least recorded.
    pub requests: usize,
    pub diagnosis: Diagnosis,
    /// Why the run ended early, if it did.
    pub cut_short: Option<String>,
    pub rules: Vec<RowResult>,
    pub undocumented: Vec<RowResult>,
    pub leftovers: Vec<Leftover>,
    /// `None` without a response.
    pub latency: Option<Latency>,
}

impl Report {
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rules.iter().filter(|rule| rule.verdict == Some(verdict)).count()
    }

    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &RowResult> {
        self.rules.iter().chain(&self.undocumented)
    }

    pub fn row(&self, name: &str) -> Option<&RowResult> {
        self.rows().find(|row| row.name == name)
    }

    /// Returns `Failed rules: delete-no-body.`, if any failed.
    pub fn failed_rules(&self) -> Option<String> {
        self.named("Failed rules", Verdict::Fail)
    }

    /// Names the inconclusive rules, if there are some, for a run in which they are errors.
    pub fn inconclusive_rules(&self) -> Option<String> {
        self.named("Inconclusive rules, which --strict makes errors", Verdict::Inconclusive)
    }

    fn named(&self, what: &str, verdict: Verdict) -> Option<String> {
        let rules = self.rules.iter().filter(|rule| rule.verdict == Some(verdict));
        let names: Vec<_> = rules.map(|rule| rule.name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{what}: {}.", names.join(", ")))
    }

    /// Returns `57 requests`.
    fn count_requests(&self) -> String {
        counted(self.requests as u64, "request", "requests")
    }

    /// Returns `only the rules`; `None` for all rows.
    fn selection(&self) -> Option<String> {
        (self.wanted != Wanted::default()).then(|| self.wanted.describe())
    }

    /// Returns `only the rules, 57 requests`: the end may be cut.
    pub fn extent(&self) -> String {
        self.selection().into_iter().chain([self.count_requests()]).collect::<Vec<_>>().join(", ")
    }

    /// Says what was checked, where, when and with how many requests; what is left; and how long the store took for its
    /// responses.
    pub(super) fn about(&self) -> impl Iterator<Item = String> {
        let (store, started, requests) = (&self.store, self.started.in_words(), self.count_requests());
        let program = if self.program.is_empty() { String::new() } else { format!(", by {}", self.program) };
        let only = self.selection().map(|only| format!(", {only}")).unwrap_or_default();
        let check = format!("Check at {store}, {started}, {requests}{program}{only}.");
        let latency = self.latency.map(|latency| format!("Responses took {latency}."));
        [check, self.leftovers_summary()].into_iter().chain(latency)
    }

    /// Returns the ids of the leftovers that the next check still has to delete.
    pub fn left_to_the_next(&self) -> impl Iterator<Item = PlantId> {
        let is_over = |left: &&Leftover| matches!(left.clean_up, CleanUp::Unproven | CleanUp::Doubtful);
        self.leftovers.iter().filter(move |left| !is_over(left)).map(|left| left.id)
    }

    /// Describes the leftovers in one sentence.
    pub(super) fn leftovers_summary(&self) -> String {
        match self.leftovers.as_slice() {
            [] => "No leftovers.".to_owned(),
            [one] => format!("1 leftover: {}: {}.", one.called(), one.clean_up),
            several => {
                let count = |clean_up| several.iter().filter(|left| left.clean_up == clean_up).count();
                let kinds = CleanUp::iter().map(|kind| (count(kind), kind)).filter(|(count, _)| *count > 0);
                let kinds: Vec<_> = match kinds.collect::<Vec<_>>().as_slice() {
                    [(count, all)] => vec![all.of(*count).to_owned()],
                    kinds => kinds.iter().map(|(count, kind)| format!("{count} {}", kind.of(*count))).collect(),
                };
                format!("{} leftovers: {}.", several.len(), kinds.join("; "))
            }
        }
    }

    /// Returns the commands that delete the leftovers whose deletes were not accepted, or were not safe to send, by ids that
    /// their creates sent, each behind when to use it; each notes as well that a plant is gone.
    pub(super) fn delete_by_hand(&self) -> impl Iterator<Item = [String; 2]> {
        let at = match &self.profile {
            Some(profile) => format!("--profile {}", quoted(profile)),
            None => format!("--base-url {}", quoted(&self.store)),
        };
        // One with a fixed id is never `Failed`: no delete of it is safe.
        let lines = [
            (CleanUp::Failed, false, "By hand"),
            (CleanUp::Unsafe, false, "By hand, if it is the check's"),
            (CleanUp::Unsafe, true, "By hand, if it is the check's, as anybody may use such an id"),
        ];
        lines.into_iter().filter_map(move |(clean_up, is_fixed, when)| {
            let is_meant = |left: &&Leftover| left.clean_up == clean_up && FIXED_IDS.contains(&left.id) == is_fixed;
            let left = self.leftovers.iter().filter(|left| left.sent_id.is_none()).filter(is_meant);
            let ids: Vec<_> = left.map(|left| left.id.to_string()).collect();
            (!ids.is_empty()).then(|| [when.to_owned(), format!("plants delete {at} {}", ids.join(" "))])
        })
    }

    /// Returns the diagnosis and the leftovers, in sentences.
    pub fn summary(&self) -> String {
        format!("{} {}", self.diagnosis, self.leftovers_summary())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::honest;

    #[test]
    fn leftovers_are_summed_up_by_what_becomes_of_them() {
        let summary = |clean_ups: &[CleanUp]| {
            let left = |clean_up| Leftover {
                id: PlantId(7),
                sent_id: None,
                name: "Fern".to_owned(),
                why: String::new(),
                clean_up,
            };
            let leftovers = clean_ups.iter().copied().map(left).collect();
            Report { leftovers, ..honest(Wanted::default()) }.leftovers_summary()
        };
        assert_eq!(summary(&[]), "No leftovers.");
        assert_eq!(
            summary(&[CleanUp::Pending]),
            "1 leftover: Fern (7): to be deleted by the next check that finds deletes at work."
        );
        assert_eq!(
            summary(&[CleanUp::Pending; 2]),
            "2 leftovers: to be deleted by the next check that finds deletes at work."
        );
        assert_eq!(
            summary(&[CleanUp::Failed, CleanUp::Pending, CleanUp::Failed]),
            "3 leftovers: 1 to be deleted by the next check that finds deletes at work; 2 not deleted, the next check \
             tries again."
        );
        assert_eq!(
            summary(&[CleanUp::Unnumbered; 2]),
            "2 leftovers: not deleted, as no request of the document deletes them: ask who runs the store to remove them \
             by name."
        );
    }

    #[test]
    fn commands_by_hand_name_the_profile_and_every_plant_that_may_be_deleted() {
        let left = |id, clean_up| {
            let (id, name, why) = (PlantId(id), "Fern".to_owned(), String::new());
            Leftover { id, sent_id: None, name, why, clean_up }
        };
        let (failed, risky) = (left(7, CleanUp::Failed), left(0, CleanUp::Unsafe));
        let float = Leftover { sent_id: Some("9.5".to_owned()), ..left(9, CleanUp::Failed) };
        assert_eq!(float.called(), "Fern (9.5)");
        assert_eq!(Leftover { sent_id: Some(String::new()), ..float.clone() }.called(), "Fern (no id)");
        let leftovers = vec![risky, failed, float, left(8, CleanUp::Pending), left(5, CleanUp::Unsafe)];
        let mut report = Report { leftovers, ..honest(Wanted::default()) };
        let at = "plants delete --base-url 'http://plants.example'";
        let lines = |report: &Report| report.delete_by_hand().map(|line| line.join(": ")).collect::<Vec<_>>();
        let lines_of = [
            format!("By hand: {at} 7"),
            format!("By hand, if it is the check's: {at} 5"),
            format!("By hand, if it is the check's, as anybody may use such an id: {at} 0"),
        ];
        assert_eq!(lines(&report), lines_of);
        report.profile = Some("staging".to_owned());
        assert_eq!(lines(&report)[0], "By hand: plants delete --profile 'staging' 7");
    }
}
