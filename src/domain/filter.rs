//! The filter of a list: which rows a person wants to see.
//!
//! `parse` reads it as it is typed: `fern tag:desert !state:unknown`. Must not know where the rows are: the journal turns
//! a [`Filter`] into SQL.

mod fault;
mod parse;
#[cfg(test)]
mod tests;
mod words;

use std::ops::RangeInclusive;

pub use self::fault::FilterFault;
pub use self::parse::{explain_dash, status};
pub use self::words::{Unfinished, quoted, unfinished};
use super::{Outcome, PlantId, State, Timestamp};

/// The list that a filter is for. Each list has its own fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    Plants,
    /// The history.
    Requests,
    /// The rows of a contract check.
    Rules,
}

/// A column that can be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextColumn {
    Name,
    Tag,
    Section,
    /// The body of a response.
    Response,
}

/// One property that a row has or has not. Parts of texts are [`crate::text::caseless`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// A part of any column with text, or of the id.
    Text(String),
    Name(String),
    Tag(String),
    Section(String),
    /// A part of the body of a response.
    Response(String),
    /// A part of the name of the team's member who changed the plant last, or requested this; not of this journal.
    Author(String),
    /// The whole text, which is known; of a response and a section only the empty one.
    Is(TextColumn, String),
    Id(PlantId),
    State(State),
    Outcome(Outcome),
    /// The status of a request, or of the last one of a plant.
    Status(RangeInclusive<u16>),
    /// A request that started at this time or later, or a plant that changed then.
    Since(Timestamp),
    /// A request that started earlier than this, or a plant whose last change was earlier.
    Before(Timestamp),
    /// The word of a rule's verdict.
    Verdict(&'static str),
    /// A request of a contract check.
    OfCheck,
    /// A request of the program with this origin; no word is parsed as this.
    Origin(u64),
    IsAdd,
    IsDelete,
}

/// A row meets a condition if it passes any of the tests; or none of them, if the condition is negated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub any: Vec<Test>,
    pub negated: bool,
}

impl From<Test> for Condition {
    fn from(test: Test) -> Self {
        Self { any: vec![test], negated: false }
    }
}

/// The word for the requests of a check.
const CHECK: &str = "check";

/// The alternatives of which a row must meet one, that is all conditions of it. The default has none, and every row
/// matches.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// None is without conditions.
    alternatives: Vec<Vec<Condition>>,
}

/// Alternatives without conditions are left out.
impl FromIterator<Vec<Condition>> for Filter {
    fn from_iter<T: IntoIterator<Item = Vec<Condition>>>(alternatives: T) -> Self {
        Self { alternatives: alternatives.into_iter().filter(|all| !all.is_empty()).collect() }
    }
}

impl Filter {
    /// Returns the conditions of each alternative.
    pub fn alternatives(&self) -> &[Vec<Condition>] {
        &self.alternatives
    }

    /// Whether every row matches.
    pub fn is_empty(&self) -> bool {
        self.alternatives.is_empty()
    }

    /// Adds a condition that a row must meet, too, in whichever alternative.
    #[must_use]
    pub fn and(mut self, condition: impl Into<Condition>) -> Self {
        let condition = condition.into();
        if self.alternatives.is_empty() {
            self.alternatives.push(Vec::new());
        }
        for all in &mut self.alternatives {
            all.push(condition.clone());
        }
        self
    }

    /// Whether the filter can be meant for requests of contract checks: it names checks, or a plant by its id.
    pub fn asks_for_checks(&self) -> bool {
        self.alternatives.iter().any(|all| asks_for_checks(all))
    }

    /// Leaves out the requests of contract checks, many of which the store has to reject, of each alternative that does
    /// not ask for them.
    #[must_use]
    pub fn without_unasked_checks(mut self) -> Self {
        let excludes = |condition: &Condition| condition.negated && condition.any.contains(&Test::OfCheck);
        let no_check = Condition { any: vec![Test::OfCheck], negated: true };
        if self.is_empty() {
            return self.and(no_check);
        }
        for all in &mut self.alternatives {
            if !asks_for_checks(all) && !all.iter().any(excludes) {
                all.push(no_check.clone());
            }
        }
        self
    }

    /// Whether a row matches, given which tests it passes.
    pub fn matches(&self, passes: impl Fn(&Test) -> bool) -> bool {
        let meets = |condition: &Condition| condition.any.iter().any(&passes) != condition.negated;
        self.is_empty() || self.alternatives.iter().any(|all| all.iter().all(meets))
    }
}

fn asks_for_checks(all: &[Condition]) -> bool {
    #[expect(clippy::wildcard_enum_match_arm, reason = "most tests have nothing to do with checks")]
    let is_about_checks = |test: &Test| match test {
        Test::OfCheck | Test::Id(_) => true,
        Test::Text(text) | Test::Name(text) | Test::Tag(text) => text.contains(CHECK),
        _ => false,
    };
    all.iter().any(|condition| !condition.negated && condition.any.iter().any(is_about_checks))
}
