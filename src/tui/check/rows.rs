//! The lines of the Check tab: the rules and undocumented behaviour of a report, beside those of another run.

use crate::check::{self, Leftover, RowResult, Verdict};
use crate::domain::PlantId;
use crate::domain::filter::{Test, TextColumn};
use crate::text::caseless::caseless;

/// The key of the selected line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    /// The name of a row.
    Row(String),
    Leftover(PlantId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Heading(&'static str),
    Row(Row<'a>),
    /// A plant that may still be in the store.
    Leftover(&'a Leftover),
}

/// A rule, or a kind of undocumented behaviour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub(super) name: &'a str,
    /// The section of the document; empty for a row of another release.
    pub(super) section: &'static str,
    /// The statement of a rule, or the subject of undocumented behaviour.
    pub(super) statement: &'a str,
    /// The result, once it is decided.
    pub(super) found: Option<&'a RowResult>,
    /// The result of the run that is compared.
    pub(super) other: Option<&'a RowResult>,
}

impl Row<'_> {
    /// Whether both runs have a result, and the two differ.
    pub(super) fn is_changed(&self) -> bool {
        self.found.zip(self.other).is_some_and(|(found, other)| found.words() != other.words())
    }

    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.found?.verdict
    }

    pub(super) fn is_undocumented(&self) -> bool {
        match self.found.or(self.other) {
            Some(found) => found.verdict.is_none(),
            None => check::Row::named(self.name).is_some_and(|row| !row.is_rule()),
        }
    }

    /// Whether the row passes a test of the filter.
    pub(super) fn passes(&self, test: &Test) -> bool {
        let words = self.found.map_or("", RowResult::words);
        match test {
            Test::Text(part) => {
                let changed = if self.is_changed() { "≠ differs" } else { "" };
                let texts = [self.name, self.section, self.statement, words, changed];
                caseless(&texts.join(" ")).contains(part)
            }
            Test::Name(part) => caseless(self.name).contains(part),
            Test::Section(part) => self.section.contains(part),
            Test::Is(TextColumn::Name, whole) => caseless(self.name) == *whole,
            Test::Is(TextColumn::Section, _) => self.section.is_empty(),
            Test::Verdict(word) => !self.is_undocumented() && words == *word,
            _ => false,
        }
    }
}

impl Line<'_> {
    /// Returns what can be selected; `None` for a heading.
    pub(super) fn subject(&self) -> Option<Subject> {
        match self {
            Self::Heading(_) => None,
            Self::Row(row) => Some(Subject::Row(row.name.to_owned())),
            Self::Leftover(left) => Some(Subject::Leftover(left.id)),
        }
    }

    pub(super) fn is_selected(&self, selected: Option<&Subject>) -> bool {
        self.subject().as_ref().is_some_and(|subject| Some(subject) == selected)
    }
}
