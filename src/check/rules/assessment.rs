//! The parts that assessments of rules share: their results, and how they describe evidence.

use crate::check::deletes::creates_are_late;
use crate::check::evidence::{Evidence, ProbeResult, is_about_the_caller, line, why_open};
use crate::check::row::{Assessed, Reason, RowResult, Verdict};
use crate::check::steps::Step;
use crate::domain::sentence::span;
use crate::domain::{Exchange, Outcome, Response};

pub(super) const NOTHING_DECIDES: &str = "no response decides the rule";

fn result(verdict: Verdict, reason: Option<Reason>, evidence: String, exchanges: &[&Exchange]) -> RowResult {
    let exchanges = exchanges.iter().map(|exchange| exchange.operation.id).collect();
    RowResult { verdict: Some(verdict), reason, evidence, exchanges, ..RowResult::default() }
}

pub(super) fn pass(exchanges: &[&Exchange]) -> RowResult {
    pass_with(lines(exchanges), exchanges)
}

/// Passes with evidence other than the lines of the exchanges.
pub(super) fn pass_with(evidence: String, exchanges: &[&Exchange]) -> RowResult {
    result(Verdict::Pass, None, evidence, exchanges)
}

pub(super) fn fail(why: &str, exchanges: &[&Exchange]) -> RowResult {
    result(Verdict::Fail, None, with_lines(why, exchanges), exchanges)
}

/// Fails with a contradiction that could also be the delay of a store, and how long this probe watched it.
pub(super) fn fail_watched(evidence: &Evidence, probe: Step, why: &str, exchanges: &[&Exchange]) -> RowResult {
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

pub(in crate::check) fn inconclusive<T>(reason: Reason, why: &str, exchanges: &[&Exchange]) -> Assessed<T> {
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
            let why = if step.is_delete() { "the delete was rejected" } else { "the create was rejected" };
            inconclusive(Reason::NoResponse, why, &[exchange])
        }
        result => open(result),
    }
}

/// Explains a probe that decides nothing: most have no outcome, or were rejected for their credentials or rate.
pub(in crate::check) fn open<T>(result: ProbeResult<'_>) -> Assessed<T> {
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
