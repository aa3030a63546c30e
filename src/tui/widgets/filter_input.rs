//! The input of a list's filter: what was typed, and what it means.
//!
//! It parses once per change, so that a query compares conditions instead of texts.

use super::text_input::{TextInput, Typed};
use crate::domain::LocalTime;
use crate::domain::filter::{Filter, FilterFault, List, explain_dash};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilterInput {
    pub input: TextInput,
    pub filter: Filter,
    /// What the first invalid word could be.
    pub fault: Option<FilterFault>,
}

impl FilterInput {
    pub fn text(&self) -> &str {
        self.input.text()
    }

    /// Returns what a word probably means that is taken as text.
    pub fn hint(&self) -> Option<String> {
        explain_dash(self.text())
    }

    /// Inserts or edits. Returns whether the conditions have changed, so that other rows match.
    pub fn take(&mut self, typed: Typed<'_>, list: List, time: &LocalTime) -> bool {
        if !self.input.take(typed) {
            return false;
        }
        let (filter, fault) = list.parse(self.input.text(), time);
        self.fault = fault;
        let has_changed = filter != self.filter;
        self.filter = filter;
        has_changed
    }
}
