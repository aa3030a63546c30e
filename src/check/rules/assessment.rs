//! The parts that assessments of rules share: their results, and how they describe evidence.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::check::deletes::creates_are_late;
use crate::check::evidence::{Evidence, ProbeResult, is_about_the_caller, is_accepted_page, line};
use crate::check::steps::Step;
use crate::domain::sentence::span;
use crate::domain::{Exchange, OperationId, Outcome, Response, Timestamp};

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

/// The verdict of a run on a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleResult {
    pub name: String,
    pub verdict: Verdict,
    /// Set if the verdict is inconclusive.
    pub reason: Option<Reason>,
    /// One line that describes the observation, or why the rule is inconclusive. It is safe to show.
    pub evidence: String,
    pub exchanges: Vec<OperationId>,
    /// The time of these exchanges together.
    #[serde(default)]
    pub elapsed: Duration,
    /// Whether it is of an earlier run, which its evidence names.
    #[serde(default)]
    pub is_kept: bool,
}

impl RuleResult {
    /// Returns the result for a later run that leaves the probes of the rule out, with the run that has shown it.
    pub(in crate::check) fn kept_from(&self, started: Timestamp) -> Self {
        if self.is_kept {
            return self.clone();
        }
        let (at, evidence) = (started.in_words(), &self.evidence);
        let evidence = format!("shown by the check at {at}, whose plants could not be deleted: {evidence}");
        Self { evidence, is_kept: true, ..self.clone() }
    }
}

/// A result without name and time: `Ok` is a pass or a fail, `Err` is inconclusive, so that `?` ends an assessment that
/// lacks evidence.
pub(super) type Assessed<T = RuleResult> = Result<T, RuleResult>;

pub(super) const NOTHING_DECIDES: &str = "no response decides the rule";

/// Returns why an exchange shows nothing, unless that is its response, or that none came.
pub(in crate::check) fn why_open(exchange: &Exchange) -> Option<&'static str> {
    match exchange.outcome() {
        Outcome::NotSent => Some("nothing reached the store"),
        Outcome::Accepted if is_accepted_page(exchange) => Some("a page came in place of the response of the store"),
        Outcome::Accepted | Outcome::Rejected => Some("the store took no usual create any more at that time"),
        Outcome::Unknown => None,
    }
}

fn result(verdict: Verdict, reason: Option<Reason>, evidence: String, exchanges: &[&Exchange]) -> RuleResult {
    let exchanges = exchanges.iter().map(|exchange| exchange.operation.id).collect();
    RuleResult { name: String::new(), verdict, reason, evidence, exchanges, elapsed: Duration::ZERO, is_kept: false }
}

pub(super) fn pass(exchanges: &[&Exchange]) -> RuleResult {
    pass_with(lines(exchanges), exchanges)
}

/// Passes with evidence other than the lines of the exchanges.
pub(super) fn pass_with(evidence: String, exchanges: &[&Exchange]) -> RuleResult {
    result(Verdict::Pass, None, evidence, exchanges)
}

pub(super) fn fail(why: &str, exchanges: &[&Exchange]) -> RuleResult {
    result(Verdict::Fail, None, with_lines(why, exchanges), exchanges)
}

/// Fails with a contradiction that could also be the delay of a store, and how long this probe watched it.
pub(super) fn fail_watched(evidence: &Evidence, probe: Step, why: &str, exchanges: &[&Exchange]) -> RuleResult {
    match evidence.watched.get(&probe) {
        Some(time) => fail(&format!("{why}, also {} later", span(*time)), exchanges),
        None => fail(why, exchanges),
    }
}

/// Fails because a plant is not there that no accepted delete has removed. At a store whose creates take effect late, the
/// plant may only not be there yet.
pub(super) fn fail_absent(evidence: &Evidence, probe: Step, why: &str, exchanges: &[&Exchange]) -> Assessed {
    if creates_are_late(evidence) {
        let why = "creates take effect late here, so that the plant may not have been there yet";
        return inconclusive(Reason::NotVisible, why, exchanges);
    }
    Ok(fail_watched(evidence, probe, why, exchanges))
}

pub(super) fn inconclusive<T>(reason: Reason, why: &str, exchanges: &[&Exchange]) -> Assessed<T> {
    Err(result(Verdict::Inconclusive, Some(reason), with_lines(why, exchanges), exchanges))
}

fn lines(exchanges: &[&Exchange]) -> String {
    exchanges.iter().map(|exchange| line(exchange)).collect::<Vec<_>>().join("; ")
}

fn with_lines(why: &str, exchanges: &[&Exchange]) -> String {
    if exchanges.is_empty() { why.to_owned() } else { format!("{why}: {}", lines(exchanges)) }
}

/// Returns the exchange of a probe that was accepted, or why the rule is inconclusive without it.
pub(super) fn accepted(evidence: &Evidence, step: Step) -> Assessed<(&Exchange, &Response)> {
    match evidence.result(step) {
        ProbeResult::Accepted(exchange, response) => Ok((exchange, response)),
        ProbeResult::Rejected(exchange, _) => {
            let why = if step.is_delete() { "no delete was accepted" } else { "no create was accepted" };
            inconclusive(Reason::NoResponse, why, &[exchange])
        }
        result => open(result),
    }
}

/// Explains a probe that decides nothing: most have no outcome, or were rejected for their credentials or rate.
pub(super) fn open<T>(result: ProbeResult<'_>) -> Assessed<T> {
    match result {
        ProbeResult::Unknown(exchange) => {
            let is_sent = exchange.outcome() != Outcome::NotSent;
            let reason = if is_sent { Reason::NoResponse } else { Reason::NotSent };
            inconclusive(reason, why_open(exchange).unwrap_or(NOTHING_DECIDES), &[exchange])
        }
        ProbeResult::Accepted(exchange, response) | ProbeResult::Rejected(exchange, response) => {
            let why = match response.status {
                407 => "a proxy rejected the request",
                429 => "the store asks for fewer requests",
                status if is_about_the_caller(status) => "the token was rejected",
                _ => NOTHING_DECIDES,
            };
            inconclusive(Reason::NoResponse, why, &[exchange])
        }
        ProbeResult::Skipped(why) => inconclusive(Reason::NoResponse, why, &[]),
    }
}
