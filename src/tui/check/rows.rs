//! The lines of the Check tab: the rules and undocumented behaviour of a report, beside those of another run.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::check::{self, CleanUp, Leftover, RowResult, Verdict};
use crate::domain::filter::{Test, TextColumn};
use crate::text::caseless::caseless;

pub(super) enum Line<'a> {
    Heading(&'static str),
    Row(Row<'a>),
}

/// A rule, a kind of undocumented behaviour, or a leftover.
pub(super) struct Row<'a> {
    /// Distinguishes the rows. A leftover is called by its name and id.
    pub(super) name: Cow<'a, str>,
    /// The section of the document; empty for a leftover and for a row of another release.
    pub(super) section: &'static str,
    /// The statement of a rule, the subject of undocumented behaviour, or a leftover's name and id.
    pub(super) statement: Cow<'a, str>,
    /// The result, once it is decided.
    pub(super) found: Option<&'a RowResult>,
    /// The result of the run that is compared.
    pub(super) other: Option<&'a RowResult>,
    /// The plant that is, or may be, at the store.
    pub(super) leftover: Option<&'a Leftover>,
}

impl<'a> From<&'a Leftover> for Row<'a> {
    fn from(leftover: &'a Leftover) -> Self {
        static FOUND: LazyLock<[RowResult; 2]> = LazyLock::new(|| {
            [CleanUp::Ineffective, CleanUp::Pending]
                .map(|left| RowResult { value: format!("? {}", left.presence()), ..RowResult::default() })
        });
        let [is_there, may_be_there] = &*FOUND;
        let found = if leftover.clean_up == CleanUp::Ineffective { is_there } else { may_be_there };
        let (name, found) = (leftover.called(), Some(found));
        let statement = Cow::Owned(name.clone());
        Self { name: name.into(), section: "", statement, found, other: None, leftover: Some(leftover) }
    }
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
            None => check::Row::named(&self.name).is_some_and(|row| !row.is_rule()),
        }
    }

    /// Whether the row passes a test of the filter.
    pub(super) fn passes(&self, test: &Test) -> bool {
        let words = self.found.map_or("", RowResult::words);
        match test {
            Test::Text(part) => {
                let changed = if self.is_changed() { "≠ differs" } else { "" };
                let texts = [&self.name, self.section, &self.statement, words, changed];
                caseless(&texts.join(" ")).contains(part)
            }
            Test::Name(part) => caseless(&self.name).contains(part),
            Test::Section(part) => self.section.contains(part),
            Test::Is(TextColumn::Name, whole) => caseless(&self.name) == *whole,
            Test::Is(TextColumn::Section, _) => self.section.is_empty(),
            Test::Verdict(word) => !self.is_undocumented() && words == *word,
            _ => false,
        }
    }
}

impl<'a> Line<'a> {
    /// Returns what can be selected: no heading.
    pub(super) fn row(&self) -> Option<&Row<'a>> {
        match self {
            Self::Heading(_) => None,
            Self::Row(row) => Some(row),
        }
    }

    pub(super) fn name(&self) -> Option<String> {
        self.row().map(|row| row.name.to_string())
    }
}
