//! A row of the check: a rule, or a point that the document leaves open; and what a run found out about it. Must not
//! know which rows there are.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::evidence::{Evidence, line};
use super::steps::Step;
use crate::domain::{Exchange, OperationId, Timestamp};

/// A row of the tables [`RULES`](super::RULES) and [`UNDOCUMENTED`](super::UNDOCUMENTED).
#[derive(Debug)]
pub struct Row {
    /// Stays the same in all releases.
    pub name: &'static str,
    /// The section of `interface.md` that states the rule, or leaves the point open.
    pub section: &'static str,
    /// The required behaviour as a sentence, or the open point as a noun phrase.
    pub subject: &'static str,
    /// The probes whose ends decide the row. Their prerequisites are not listed.
    pub(super) steps: &'static [Step],
    /// Whether the result depends on every exchange of the run, and not only on the probes in `steps`.
    pub(super) of_all: bool,
    pub(super) assess: fn(&Evidence, &[Step]) -> Assessed,
}

pub(super) const fn row(
    name: &'static str,
    section: &'static str,
    subject: &'static str,
    steps: &'static [Step],
    assess: fn(&Evidence, &[Step]) -> Assessed,
) -> Row {
    Row { name, section, subject, steps, of_all: false, assess }
}

impl Row {
    pub(super) const fn of_all(self) -> Self {
        Self { of_all: true, ..self }
    }
}

/// A result without name and time: `Err` is an inconclusive rule, so that `?` ends an assessment that lacks evidence,
/// and `Ok` any other.
pub(super) type Assessed<T = RowResult> = Result<T, RowResult>;

/// Whether a store keeps a rule of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Verdict {
    Pass,
    Fail,
    /// No response decides the rule.
    Inconclusive,
}

impl Verdict {
    pub const ALL: [Self; 3] = [Self::Pass, Self::Fail, Self::Inconclusive];

    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// Why a rule is inconclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No request for the rule reached the store.
    NotSent,
    /// A response is missing, or a request was rejected for another reason.
    NoResponse,
    /// All responses came, but this store's behaviour does not show it.
    NotVisible,
}

/// The result of a run for a row. Stored reports have only the fields of its kind.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RowResult {
    pub name: String,
    /// Set for a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Set if the verdict is inconclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// One line that describes undocumented behaviour; empty for a rule. It is safe to show.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
    /// Set for undocumented behaviour: whether the value describes the store, and not why nothing was observed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_observed: Option<bool>,
    /// One line that describes the exchanges behind the result, or why the rule is inconclusive. It is safe to show.
    pub evidence: String,
    pub exchanges: Vec<OperationId>,
    /// The time of the exchanges of a rule together.
    #[serde(default, skip_serializing_if = "Duration::is_zero")]
    pub elapsed: Duration,
    /// Whether it is of an earlier run, which its evidence names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_kept: bool,
}

impl RowResult {
    /// Returns the word of the verdict, or the undocumented behaviour.
    pub fn words(&self) -> &str {
        match self.verdict {
            Some(verdict) => verdict.word(),
            None => &self.value,
        }
    }

    /// Adds an exchange to the evidence.
    pub(super) fn add(&mut self, exchange: &Exchange) {
        self.evidence.push_str(if self.exchanges.is_empty() { "" } else { "; " });
        self.evidence.push_str(&line(exchange));
        self.exchanges.push(exchange.operation.id);
    }

    /// Returns the result for a later run that leaves the probes of the rule out, with the run that has shown it.
    pub(super) fn kept_from(&self, started: Timestamp) -> Self {
        if self.is_kept {
            return self.clone();
        }
        let (at, evidence) = (started.in_words(), &self.evidence);
        let evidence = format!("shown by the check at {at}, whose plants could not be deleted: {evidence}");
        Self { evidence, is_kept: true, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_rows_have_the_fields_of_their_kind_and_those_of_earlier_releases_are_read() {
        let rule = r#"{"name":"n","verdict":"fail","evidence":"e","exchanges":[]}"#;
        let undocumented = r#"{"name":"n","value":"v","is_observed":false,"evidence":"e","exchanges":[]}"#;
        let read = |text: &str| serde_json::from_str::<RowResult>(text).unwrap();
        for text in [rule, undocumented] {
            assert_eq!(serde_json::to_string(&read(text)).unwrap(), text);
        }
        let with_all = r#"{"name":"n","verdict":"fail","reason":null,"evidence":"e","exchanges":[],
            "elapsed":{"secs":0,"nanos":0},"is_kept":false}"#;
        assert_eq!(read(with_all), read(rule));
    }
}
