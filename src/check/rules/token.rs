//! The rules about the token (`interface.md` §5).

use super::assessment::{NOTHING_DECIDES, fail, fail_absent, inconclusive, open, pass_with};
use crate::check::deletes::stored_all_the_same;
use crate::check::evidence::{Evidence, ProbeResult, is_not_found, line};
use crate::check::row::{Assessed, Reason};
use crate::check::steps::Step;
use crate::domain::{Exchange, Outcome};

/// Assesses a request without the right token; `control` is the accepted one with it. A rejection is proven to be
/// about the token only if `control` was accepted in the same run.
fn is_guarded(result: ProbeResult<'_>, control: Option<&Exchange>) -> Assessed {
    match (result, control) {
        (ProbeResult::Accepted(exchange, _), _) => Ok(fail("the store accepted the request", &[exchange])),
        (ProbeResult::Rejected(exchange, response), _) if matches!(response.status, 407 | 429) => {
            inconclusive(Reason::NoResponse, NOTHING_DECIDES, &[exchange])
        }
        (ProbeResult::Rejected(exchange, _), Some(control)) => {
            // What decides stands first: an accepted request would read as the contrary.
            let evidence = format!("{}; accepted with the token: {}", line(exchange), line(control));
            Ok(pass_with(evidence, &[exchange, control]))
        }
        (ProbeResult::Rejected(exchange, _), None) => {
            let why = "the store rejected the request, but accepted none like it with the token either in this run";
            inconclusive(Reason::NoResponse, why, &[exchange])
        }
        (result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)), _) => open(result),
    }
}

/// Assesses the last but one of these steps; the last is the same with the token.
pub(super) fn create_is_guarded(evidence: &Evidence, steps: &[Step]) -> Assessed {
    let [.., step, with_token] = *steps else { return open(ProbeResult::Skipped("")) };
    let control = evidence.accepted(with_token).or_else(|| evidence.accepted(Step::Create));
    if let Some((create, deleted)) = evidence.result(step).exchange().zip(stored_all_the_same(evidence, step)) {
        let why = format!("the store {} the create, and created the plant all the same", rejected(create));
        return Ok(fail(&why, &[create, deleted]));
    }
    is_guarded(evidence.result(step), control)
}

fn rejected(exchange: &Exchange) -> &'static str {
    if exchange.outcome() == Outcome::Rejected { "rejected" } else { "did not confirm" }
}

/// Takes 404 and 410 alone as proof that a plant is gone: this store may give its status for unused ids for any
/// other reason as well (§7).
pub(super) fn delete_is_guarded(evidence: &Evidence, steps: &[Step]) -> Assessed {
    let [step] = *steps else { return open(ProbeResult::Skipped("")) };
    let plant = step.plant_step();
    let control = evidence.accepted_clean_up(plant);
    let last = evidence.clean_ups(plant).next_back().filter(|_| evidence.rejects_clean_ups(plant));
    let absent = last.filter(|delete| is_not_found(delete));
    if let (ProbeResult::Rejected(delete, _) | ProbeResult::Unknown(delete), Some(absent), None) =
        (evidence.result(step), absent, control)
        && delete.response().is_some()
        && evidence.accepted(Step::Delete).is_some()
    {
        let why = format!("the store {} the delete, and deleted the plant all the same", rejected(delete));
        return fail_absent(evidence, plant, &why, &[delete, absent]);
    }
    is_guarded(evidence.result(step), control)
}
