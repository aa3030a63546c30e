//! All rows of the check: how a row is found by its name, and how it is assessed. Must not know how a run gathers
//! evidence.

use super::diagnosis::foreign_response;
use super::evidence::{Evidence, PAGE_CAME, ProbeResult, Purpose};
use super::row::{Assessed, Reason, Row, RowResult};
use super::rules::{RULES, inconclusive, open};
use super::undocumented::UNDOCUMENTED;
use crate::domain::Exchange;
use crate::text::number_format::counted;

impl Row {
    pub fn all() -> impl Iterator<Item = &'static Self> {
        RULES.iter().chain(&UNDOCUMENTED)
    }

    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|row| row.name == name)
    }

    pub fn is_rule(&self) -> bool {
        RULES.iter().any(|rule| rule.name == self.name)
    }

    pub(super) fn assess(&self, evidence: &Evidence) -> RowResult {
        let assessed = (self.assess)(evidence, self.steps).and_then(|found| or_page(evidence, found));
        let assessed = assessed.or_else(|found| self.or_missing(evidence, found));
        let (Ok(mut result) | Err(mut result)) = assessed;
        self.name.clone_into(&mut result.name);
        if result.verdict.is_some() {
            result.elapsed = evidence.elapsed(&result.exchanges);
        }
        if self.of_all && result.exchanges.is_empty() {
            let responses = evidence.count_responses() as u64;
            result.evidence = format!("{} searched", counted(responses, "response", "responses"));
        }
        result
    }

    /// Explains an inconclusive rule by a probe without an outcome, if it has one that is not explained: with its
    /// response, the store might show what it does not show now.
    fn or_missing(&self, evidence: &Evidence, found: RowResult) -> Assessed {
        if found.reason != Some(Reason::NotVisible) {
            return Err(found);
        }
        let mut steps = self.steps.iter().flat_map(|step| step.prerequisites().into_iter().chain([*step]));
        let missing = steps.find_map(|step| {
            let result = evidence.result(step);
            let ProbeResult::Unknown(exchange) = result else { return None };
            (!found.exchanges.contains(&exchange.operation.id)).then_some(result)
        });
        missing.map_or(Err(found), open)
    }
}

/// Makes a rule inconclusive that a page decides, where every create gets the same page: no Plant Store responded.
fn or_page(evidence: &Evidence, found: RowResult) -> Assessed {
    if found.verdict.is_none() || foreign_response(evidence).is_none() {
        return Ok(found);
    }
    let is_behind = |one: &&Exchange| one.is_page() && found.exchanges.contains(&one.operation.id);
    match evidence.all().find(is_behind) {
        Some(page) => inconclusive(Reason::NoResponse, PAGE_CAME, &[page]),
        None => Ok(found),
    }
}

/// Says what a request is for: the names of the rows that its probe decides, or its part in the run.
pub(super) fn purpose(of: Purpose) -> String {
    let step = match of {
        Purpose::Probe(step) => step,
        Purpose::CleanUp(_) => return "clean-up".to_owned(),
        Purpose::Control => return "control".to_owned(),
    };
    let names: Vec<_> = Row::all().filter(|row| !row.of_all && row.steps.contains(&step)).map(|row| row.name).collect();
    if names.is_empty() { "preparation".to_owned() } else { names.join(", ") }
}

impl RowResult {
    /// Returns the section of `interface.md`; `None` for a name of another release.
    pub fn section(&self) -> Option<&'static str> {
        Row::named(&self.name).map(|row| row.section)
    }

    /// Returns the required behaviour, or the open point; for a name of another release the name.
    pub fn subject(&self) -> &str {
        Row::named(&self.name).map_or(&self.name, |row| row.subject)
    }
}
