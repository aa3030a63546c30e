//! The rules about the token (`interface.md` §5).

use super::assessment::{Assessment, Reason, fail, inconclusive, open, pass};
use super::delete::shows_what_is_there;
use crate::check::evidence::{Evidence, ProbeResult, says_absent};
use crate::check::steps::Step;
use crate::domain::{Exchange, Outcome};

/// Assesses a request that does not present the right token; `control` is the same with it. Only where that
/// was accepted in the same run does a rejection show that it is about the token.
fn is_guarded(result: ProbeResult<'_>, control: Option<&Exchange>) -> Assessment {
    match (result, control) {
        (ProbeResult::Accepted(exchange, _), _) => fail("it was accepted", &[exchange]),
        (ProbeResult::Rejected(exchange, response), _) if matches!(response.status, 407 | 429) => {
            open(ProbeResult::Unknown(exchange))
        }
        (ProbeResult::Rejected(exchange, _), Some(control)) => pass(&[control, exchange]),
        (ProbeResult::Rejected(exchange, _), None) => {
            let why = "it was rejected, but so may be the same request with the token: none was accepted in this run";
            inconclusive(Reason::NoResponse, why, &[exchange])
        }
        (result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)), _) => open(result),
    }
}

pub(super) fn create_is_guarded(evidence: &Evidence, step: Step, with_token: Step) -> Assessment {
    let control = [with_token, Step::Create].into_iter().find_map(|step| evidence.result(step).accepted());
    let there = evidence.cleaned(step).first().filter(|delete| delete.outcome() == Outcome::Accepted);
    if let (ProbeResult::Rejected(rejected, _), Some(there)) = (evidence.result(step), there)
        && shows_what_is_there(evidence)
    {
        return fail("it was rejected, and the plant was created all the same", &[rejected, there]);
    }
    is_guarded(evidence.result(step), control)
}

/// Takes 404 and 410 alone for *gone*. What else this store says to an id that was never used, it may say
/// for any other reason, too (§7).
pub(super) fn delete_is_guarded(evidence: &Evidence, step: Step) -> Assessment {
    let tries = evidence.cleaned(step.plant_step());
    let absent = tries.first().filter(|delete| delete.response().is_some_and(says_absent));
    if let (ProbeResult::Rejected(rejected, _), Some(absent), ProbeResult::Accepted(..)) =
        (evidence.result(step), absent, evidence.result(Step::Delete))
    {
        return fail("it was rejected, and the plant was deleted all the same", &[rejected, absent]);
    }
    is_guarded(evidence.result(step), tries.iter().find(|delete| delete.outcome() == Outcome::Accepted))
}
