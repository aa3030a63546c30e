//! The report of a run: a diagnosis, a verdict on each rule, undocumented behaviour, leftovers.

use serde::{Deserialize, Serialize};

use super::diagnosis::Diagnosis;
use super::leftover::{CleanUp, Leftover};
use super::rules::{RuleResult, Verdict};
use super::undocumented::Observation;
use super::wanted::Wanted;
use crate::domain::Timestamp;

/// What a run of the check came to. Rows come in the order of the tables; while the run goes on,
/// those that are not decided yet are missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub store: String,
    pub started: Timestamp,
    pub wanted: Wanted,
    /// How many requests were sent, or at least recorded to be.
    pub requests: usize,
    pub diagnosis: Diagnosis,
    /// Why the run ended before its end, if it did.
    pub cut_short: Option<String>,
    pub rules: Vec<RuleResult>,
    pub undocumented: Vec<Observation>,
    pub leftovers: Vec<Leftover>,
    /// Whether a delete of what is not there was accepted as well: then leftovers cannot be known.
    pub accepts_every_delete: bool,
}

impl Report {
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rules.iter().filter(|rule| rule.verdict == verdict).count()
    }

    pub fn rule(&self, name: &str) -> Option<&RuleResult> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    pub fn observation(&self, name: &str) -> Option<&Observation> {
        self.undocumented.iter().find(|observed| observed.name == name)
    }

    /// How many requests it took: `57 requests`.
    pub fn took(&self) -> String {
        if self.requests == 1 { "1 request".to_owned() } else { format!("{} requests", self.requests) }
    }

    /// What is left at the store, in a sentence for people.
    pub fn leftovers_summary(&self) -> String {
        match self.leftovers.as_slice() {
            [] if self.accepts_every_delete => {
                "No leftovers are known: deletes of what is not there are accepted as well.".to_owned()
            }
            [] => "No leftovers.".to_owned(),
            [one] => format!("1 leftover: {}: {}.", one.called(), one.clean_up),
            several => {
                let count = |clean_up| several.iter().filter(|left| left.clean_up == clean_up).count();
                let kinds = CleanUp::ALL.into_iter().map(|kind| (count(kind), kind)).filter(|(count, _)| *count > 0);
                let kinds: Vec<_> = kinds.map(|(count, kind)| format!("{count}: {kind}")).collect();
                format!("{} leftovers ({}).", several.len(), kinds.join("; "))
            }
        }
    }

    /// The diagnosis and the leftovers, in sentences for people.
    pub fn summary(&self) -> String {
        format!("{} {}", self.diagnosis, self.leftovers_summary())
    }

    pub fn failed(&self) -> impl Iterator<Item = &RuleResult> {
        self.rules.iter().filter(|rule| rule.verdict == Verdict::Fail)
    }
}
