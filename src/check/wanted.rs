//! What a run is to look at: rules, undocumented behaviour, or some rows of both.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::rules::{RULES, Rule};
use super::steps::Step;
use super::undocumented::{UNDOCUMENTED, Undocumented};

/// What was to be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wanted {
    /// The rules alone, not the undocumented rows.
    pub gentle: bool,
    /// These rows alone, by name; all of them if it names none.
    pub only: Vec<String>,
}

impl Wanted {
    fn names(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// Says it for people: `all rules and undocumented behaviour`, `the rules alone`.
    pub fn describe(&self) -> String {
        match (self.only.is_empty(), self.gentle) {
            (true, false) => "all rules and undocumented behaviour".to_owned(),
            (true, true) => "the rules alone".to_owned(),
            (false, _) => format!("{} alone", self.only.join(", ")),
        }
    }

    pub(super) fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        RULES.iter().filter(|rule| self.names(rule.name))
    }

    pub(super) fn undocumented(&self) -> impl Iterator<Item = &'static Undocumented> {
        UNDOCUMENTED.iter().filter(|row| self.names(row.name) && !self.gentle)
    }

    /// The probes that its rows need, in their order.
    pub(super) fn steps(&self) -> BTreeSet<Step> {
        let steps = self.rules().flat_map(|rule| rule.steps).chain(self.undocumented().flat_map(|row| row.steps));
        steps.flat_map(|step| step.after().into_iter().chain([*step])).collect()
    }

    /// How many requests it takes, beside those that only delete plants.
    pub fn requests(&self) -> usize {
        self.steps().len()
    }
}
