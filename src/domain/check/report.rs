//! The report of a run: a diagnosis, a verdict on each rule, undocumented behaviour, leftovers.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::diagnosis::Diagnosis;
use super::rules::Rule;
use super::undocumented::{UNSEEN, Undocumented};
use crate::domain::sentence::called;
use crate::domain::{OperationId, PlantId, Timestamp};

/// Whether a store keeps to a rule of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The store did as the document says.
    Pass,
    /// It did otherwise.
    Fail,
    /// No response shows either.
    Inconclusive,
}

impl Verdict {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Pass, Self::Fail, Self::Inconclusive];

    /// The words for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// Why a rule is inconclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing of it reached the store.
    NotSent,
    /// No response decides it, or one that rejects for another reason.
    NotAnswered,
    /// Every response came; what this store does just does not show it.
    NotVisible,
}

/// A rule of the document, assessed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleResult {
    /// The rule's stable name.
    pub name: String,
    /// What the exchanges say of it.
    pub verdict: Verdict,
    /// Why it is inconclusive, if it is.
    pub reason: Option<Reason>,
    /// What was observed, or the reason, in a line that is harmless to show.
    pub evidence: String,
    /// The exchanges that it rests on.
    pub exchanges: Vec<OperationId>,
}

impl RuleResult {
    /// Where it stands in `interface.md`; `None` for a name of another release.
    pub fn section(&self) -> Option<&'static str> {
        Rule::called(&self.name).map(|rule| rule.section)
    }

    /// What the store is to do; the name alone, where it is of another release.
    pub fn statement(&self) -> &str {
        Rule::called(&self.name).map_or(&self.name, |rule| rule.statement)
    }
}

/// What the store does where the document says "not shown".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// The stable name of the undocumented row.
    pub name: String,
    /// What this store does, in a line that is harmless to show.
    pub value: String,
    /// What was observed, likewise.
    pub evidence: String,
    /// The exchanges that it rests on.
    pub exchanges: Vec<OperationId>,
}

impl Observation {
    /// Where `interface.md` leaves it open; `None` for a name of another release.
    pub fn section(&self) -> Option<&'static str> {
        Undocumented::called(&self.name).map(|row| row.section)
    }

    /// What was looked at; the name alone, where it is of another release.
    pub fn subject(&self) -> &str {
        Undocumented::called(&self.name).map_or(&self.name, |row| row.subject)
    }

    /// Whether anything was seen of it.
    pub fn is_seen(&self) -> bool {
        !UNSEEN.iter().any(|words| self.value.starts_with(words))
    }
}

/// A plant of the check that may still be at the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leftover {
    /// Its id in the view.
    pub id: PlantId,
    /// What it was called.
    pub name: String,
    /// Why it may be there, in a line that is harmless to show.
    pub why: String,
    /// What becomes of it.
    pub clean_up: CleanUp,
}

/// What becomes of a leftover. The next check does just that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CleanUp {
    /// Its delete was not sent yet: the next check does.
    Pending,
    /// Its delete was sent and not accepted: the next check begins with another one.
    Failed,
    /// No check deletes it: its create is unknown, and under its id there may be somebody else's plant.
    Unsafe,
    /// Its delete was accepted, and it is still there.
    Ineffective,
}

impl CleanUp {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Pending, Self::Failed, Self::Unsafe, Self::Ineffective];
}

impl fmt::Display for CleanUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pending => "the next check deletes it",
            Self::Failed => "not deleted; the next check tries again",
            Self::Unsafe => "no check deletes it, for that could hit somebody else's plant: resolve it by hand",
            Self::Ineffective => "its delete was accepted, and it is still there: no check can delete it",
        })
    }
}

impl Leftover {
    /// The plant as sentences name it.
    pub fn called(&self) -> String {
        called(self.id, Some(&self.name))
    }
}

/// What was to be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wanted {
    /// The rules alone, not the undocumented rows.
    pub gentle: bool,
    /// These rows alone, by name; all of them if it names none.
    pub only: Vec<String>,
}

impl Wanted {
    /// Whether a row of this name is among those that are named, or none is.
    pub(super) fn names(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// The words for people: `all rules and undocumented behaviour`, `the rules alone`.
    pub fn describe(&self) -> String {
        match (self.only.is_empty(), self.gentle) {
            (true, false) => "all rules and undocumented behaviour".to_owned(),
            (true, true) => "the rules alone".to_owned(),
            (false, _) => format!("{} alone", self.only.join(", ")),
        }
    }
}

/// What a run of the check came to. Rows come in the order of the tables; while the run goes on,
/// those that are not decided yet are missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The base URL.
    pub store: String,
    /// When the run began.
    pub started: Timestamp,
    /// What was looked at.
    pub wanted: Wanted,
    /// How many requests were sent, or at least recorded to be.
    pub requests: usize,
    /// What the run comes to.
    pub diagnosis: Diagnosis,
    /// Why the run ended before its end, if it did.
    pub cut_short: Option<String>,
    /// The rules.
    pub rules: Vec<RuleResult>,
    /// The undocumented rows.
    pub undocumented: Vec<Observation>,
    /// What could not be cleaned up.
    pub leftovers: Vec<Leftover>,
    /// Whether a delete of what is not there was accepted as well: then leftovers cannot be known.
    pub accepts_every_delete: bool,
}

impl Report {
    /// How many rules have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rules.iter().filter(|rule| rule.verdict == verdict).count()
    }

    /// The rule of this name, if it was assessed.
    pub fn rule(&self, name: &str) -> Option<&RuleResult> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// The undocumented row of this name, if it was looked at.
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

    /// The rules that fail.
    pub fn failed(&self) -> impl Iterator<Item = &RuleResult> {
        self.rules.iter().filter(|rule| rule.verdict == Verdict::Fail)
    }
}
