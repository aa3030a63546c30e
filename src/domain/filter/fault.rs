//! Why a word of a filter is invalid, and what can be typed instead. Must not know fields or lists.

use std::fmt;

use crate::text::alternatives;

/// Why a word of a filter is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterFault {
    /// The field that does not exist.
    problem: Option<String>,
    /// The words that exist, or what a value has to be.
    remedy: Remedy,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Remedy {
    OneOf(Vec<&'static str>),
    Text(&'static str),
}

impl FilterFault {
    pub(super) fn one_of(problem: Option<String>, words: impl IntoIterator<Item = &'static str>) -> Self {
        Self { problem, remedy: Remedy::OneOf(words.into_iter().collect()) }
    }

    pub(super) fn text(remedy: &'static str) -> Self {
        Self { problem: None, remedy: Remedy::Text(remedy) }
    }

    /// Returns what can be typed instead, in few columns.
    pub fn in_short(&self) -> String {
        match &self.remedy {
            Remedy::OneOf(words) if self.problem.is_some() => format!("use {}, or quotes", words.join(" ")),
            Remedy::OneOf(words) => words.join(" "),
            Remedy::Text(text) => format!("use {text}"),
        }
    }
}

impl fmt::Display for FilterFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(problem) = &self.problem {
            write!(f, "{problem}: ")?;
        }
        match &self.remedy {
            Remedy::OneOf(words) => write!(f, "use {}", alternatives(words.iter().copied()))?,
            Remedy::Text(text) => write!(f, "use {text}")?,
        }
        if self.problem.is_some() { write!(f, "; quotes make it text") } else { Ok(()) }
    }
}
