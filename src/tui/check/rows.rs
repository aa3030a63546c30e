//! The lines of the Check tab: the rules and undocumented behaviour of a report, beside those of another run.

use crate::check::{Leftover, Observation, RuleResult, Undocumented, Verdict};
use crate::domain::text::in_lower_case;
use crate::domain::{OperationId, PlantId};

/// What can be selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    /// The row of this name.
    Row(String),
    /// The leftover of this id.
    Leftover(PlantId),
}

/// A line of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// Above others.
    Heading(&'static str),
    /// A rule, or a undocumented behaviour.
    Row(Row<'a>),
    /// A plant that may still be at the store.
    Leftover(&'a Leftover),
}

/// A rule, or a undocumented behaviour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row<'a> {
    /// Its stable name.
    pub(super) name: &'a str,
    /// Where it stands in the document; empty if this program does not know it.
    pub(super) section: &'static str,
    /// What the store is to do, or what is looked at.
    pub(super) statement: &'a str,
    /// What was found, once it is decided.
    pub(super) found: Option<Found<'a>>,
    /// What the other run found, where two are compared.
    pub(super) other: Option<Found<'a>>,
}

/// What a run found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found<'a> {
    /// Of a rule.
    Rule(&'a RuleResult),
    /// Of a undocumented behaviour.
    Undocumented(&'a Observation),
}

/// Above the rules, the undocumented behaviours, and what is left behind.
pub(super) const HEADINGS: [&str; 4] = ["Failed rules", "Rules", "Undocumented behaviour", "Leftovers"];

impl<'a> Found<'a> {
    /// The verdict, if it is of a rule.
    pub(super) fn verdict(self) -> Option<Verdict> {
        match self {
            Self::Rule(result) => Some(result.verdict),
            Self::Undocumented(_) => None,
        }
    }

    /// It in words.
    pub(super) fn words(self) -> &'a str {
        match self {
            Self::Rule(result) => result.verdict.word(),
            Self::Undocumented(observed) => &observed.value,
        }
    }

    /// Whether it tells of the store, and not of why nothing can be told.
    pub(super) fn is_seen(self) -> bool {
        match self {
            Self::Rule(result) => result.verdict != Verdict::Inconclusive,
            Self::Undocumented(observed) => observed.is_seen(),
        }
    }

    /// What was seen.
    pub(super) fn evidence(self) -> &'a str {
        match self {
            Self::Rule(RuleResult { evidence, .. }) | Self::Undocumented(Observation { evidence, .. }) => evidence,
        }
    }

    /// The exchanges that it rests on.
    pub(super) fn exchanges(self) -> &'a [OperationId] {
        match self {
            Self::Rule(RuleResult { exchanges, .. }) | Self::Undocumented(Observation { exchanges, .. }) => exchanges,
        }
    }
}

impl Row<'_> {
    /// Whether both runs found something, and not the same.
    pub(super) fn is_changed(&self) -> bool {
        self.found.zip(self.other).is_some_and(|(found, other)| found.words() != other.words())
    }

    /// Whether the document leaves it open.
    pub(super) fn is_undocumented(&self) -> bool {
        Undocumented::named(self.name).is_some()
    }

    pub(super) fn has(&self, words: &[String]) -> bool {
        let found = self.found.map(Found::words).unwrap_or_default();
        words.is_empty() || has(&format!("{} {} {} {found}", self.name, self.section, self.statement), words)
    }
}

/// Whether a text has all of these words, which are in lower case.
pub(super) fn has(text: &str, words: &[String]) -> bool {
    let text = in_lower_case(text);
    words.iter().all(|word| text.contains(word))
}

impl Line<'_> {
    /// What selecting it selects.
    pub(super) fn subject(&self) -> Option<Subject> {
        match self {
            Self::Heading(_) => None,
            Self::Row(row) => Some(Subject::Row(row.name.to_owned())),
            Self::Leftover(left) => Some(Subject::Leftover(left.id)),
        }
    }

    /// Whether that is selected.
    pub(super) fn is(&self, selected: Option<&Subject>) -> bool {
        match (self, selected) {
            (Self::Row(row), Some(Subject::Row(name))) => row.name == name,
            (Self::Leftover(left), Some(Subject::Leftover(id))) => left.id == *id,
            (Self::Heading(_) | Self::Row(_) | Self::Leftover(_), _) => false,
        }
    }
}
