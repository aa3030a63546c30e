//! What deletes do at a store, as far as the evidence of a run shows. Must not know verdicts.

use std::collections::BTreeMap;

use super::evidence::{Evidence, ProbeResult, is_not_found};
use super::probe_requests::is_long;
use super::steps::Step;
use crate::domain::{Exchange, Outcome, PlantId};

/// What accepted deletes do at a store, as far as the run has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// A delete by the id of its create was accepted, and then either a second delete found no plant, or the same create
    /// was accepted again by a store that rejects a second plant under a taken id.
    Works,
    /// The probes that would show it were not sent, or their outcomes are unknown.
    Untested,
    /// The probes were sent, and show neither that deletes work nor that they do not.
    Unproven,
    /// The plant is still there: see [`deletes_without_effect`].
    None,
}

pub(super) fn effect_of_deletes(evidence: &Evidence) -> Effect {
    let has_ended = |step| evidence.accepted(step).is_some() || evidence.rejected(step).is_some();
    let are_tested = [Step::DeleteTwice, Step::CreateAgain].into_iter().all(has_ended);
    if deletes_without_effect(evidence).is_some() {
        Effect::None
    } else if deletes_work(evidence) {
        Effect::Works
    } else if evidence.accepted(Step::Delete).is_some() && (are_tested || evidence.was_ever_rejected(Step::CreateAgain))
    {
        Effect::Unproven
    } else {
        Effect::Untested
    }
}

/// Returns the exchanges that prove that an accepted delete has no effect: the store rejects the plant's id as taken
/// afterwards, rejects taken ids, accepts a second delete, and rejects deletes of unused ids. All are required: a
/// store that never re-uses ids shows the first, and one that accepts every delete shows the third.
pub(super) fn deletes_without_effect(evidence: &Evidence) -> Option<[&Exchange; 5]> {
    let (delete, again) = (evidence.accepted(Step::Delete)?, evidence.accepted(Step::DeleteTwice)?);
    let [absent, second, create_again] =
        [Step::DeleteAbsent, Step::SecondCreate, Step::CreateAgain].map(|step| evidence.rejected(step));
    let exchanges = [delete, again, absent?, second?, create_again?];
    // A delete that was accepted for later may still be carried out.
    (delete.status() != Some(202)).then_some(exchanges)
}

fn deletes_work(evidence: &Evidence) -> bool {
    let is_gone = evidence.rejected(Step::DeleteTwice).is_some_and(|again| evidence.means_absent(again));
    let is_free = evidence.accepted(Step::CreateAgain).is_some() && evidence.rejected(Step::SecondCreate).is_some();
    evidence.accepted(Step::Delete).is_some() && (is_gone || is_free)
}

/// Whether creates take effect late at a store: it said so (202), or a delete found no plant whose create was accepted,
/// and a later one did. Then a plant that is not there soon after its create may still appear.
pub(super) fn creates_are_late(evidence: &Evidence) -> bool {
    let is_usual = |exchange: &&Exchange| {
        exchange.has_token() && exchange.operation.probe.as_ref().is_none_or(|probe| probe.path_id.is_none())
    };
    // The plants whose create was accepted: whether a delete has not found them since.
    let mut is_missing = BTreeMap::new();
    evidence.valid().filter(is_usual).any(|exchange| {
        let (id, is_accepted) = (exchange.operation.kind.plant_id(), exchange.outcome() == Outcome::Accepted);
        let is_create = exchange.operation.kind.plant().is_some();
        if is_create || is_accepted {
            let was_missing = is_missing.remove(&id);
            if is_create && is_accepted {
                is_missing.insert(id, false);
            }
            return is_accepted && if is_create { exchange.status() == Some(202) } else { was_missing == Some(true) };
        }
        if let Some(missing) = is_missing.get_mut(&id) {
            *missing |= is_not_found(exchange);
        }
        false
    })
}

/// Whether an accepted delete proves that its plant was there: the store rejects the delete of an absent plant, with
/// 404 or 410 or twice. A single other status may have any reason (§7).
pub(super) fn accepted_delete_proves_presence(evidence: &Evidence) -> bool {
    let rejections = [Step::DeleteAbsent, Step::DeleteTwice].map(|step| evidence.rejected(step));
    let is_gone = rejections.into_iter().flatten().any(is_not_found);
    evidence.accepted(Step::DeleteAbsent).is_none() && (is_gone || rejections.iter().all(Option::is_some))
}

/// Whether an accepted delete of a plant proves that the delete of another left it: a second delete is not accepted.
pub(super) fn accepted_delete_shows_a_survivor(evidence: &Evidence) -> bool {
    evidence.accepted(Step::DeleteTwice).is_none() && accepted_delete_proves_presence(evidence)
}

/// Whether a second create of a plant shows that the delete of another left it, or that it did not, with the exchange
/// that shows it: the same create under a taken id was rejected, and one under a freed id accepted at once. Where no such
/// create decides it, `deleted` may, the plant's own accepted delete.
pub(super) fn is_left<'a>(evidence: &'a Evidence, again: Step, deleted: &'a Exchange) -> Option<(bool, &'a Exchange)> {
    let taken = evidence.taken_status();
    let frees_ids =
        evidence.accepted(Step::CreateAgain).is_some() && !evidence.watched.contains_key(&Step::CreateAgain);
    match evidence.result(again) {
        ProbeResult::Accepted(again, _) if taken.is_some() => Some((false, again)),
        ProbeResult::Rejected(again, response) if taken == Some(response.status) && frees_ids => Some((true, again)),
        ProbeResult::Accepted(..) | ProbeResult::Rejected(..) | ProbeResult::Unknown(_) | ProbeResult::Skipped(_) => {
            accepted_delete_shows_a_survivor(evidence).then_some((true, deleted))
        }
    }
}

/// Returns a delete that was accepted although the response to its create was no acceptance, or a page, where an accepted
/// delete proves that its plant was there.
pub(super) fn stored_all_the_same(evidence: &Evidence, create: Step) -> Option<&Exchange> {
    let (ProbeResult::Rejected(sent, _) | ProbeResult::Unknown(sent)) = evidence.result(create) else { return None };
    sent.response()?;
    evidence.accepted_clean_up(create).filter(|_| accepted_delete_proves_presence(evidence))
}

/// Whether the store keeps ids of this length apart: of two plants whose ids agree in their low bits it took both, and a
/// delete of one left the other. Before that is shown, a delete could hit another person's plant, unless the store has
/// accepted the create of this id.
pub(super) fn ids_are_distinct(evidence: &Evidence, id: PlantId) -> bool {
    let is_accepted = |step| evidence.accepted(step).is_some();
    let shown = evidence.accepted(Step::Create).map(|create| create.operation.kind.plant_id());
    // A store that takes short ids may cut off long ones.
    let is_shown = shown.is_some_and(|shown| is_long(shown) || !is_long(id));
    let left_another = is_accepted(Step::DeleteNeighbour) || is_accepted(Step::CreateAlias);
    is_shown && is_accepted(Step::Delete) && left_another && why_not_apart(evidence).is_none()
}

/// Returns why a create of another id is not safe, if that is shown: a delete removed another plant as well; or, of two
/// plants whose ids agree in their low bits, or are the same double, the store took one; or it had a plant under a new
/// random id.
pub(super) fn why_not_apart(evidence: &Evidence) -> Option<&'static str> {
    let is_gone = evidence.accepted(Step::Delete).is_some()
        && (evidence.rejected(Step::DeleteNeighbour).is_some_and(is_not_found)
            || evidence.accepted(Step::CreateNeighbourAgain).zip(evidence.taken_status()).is_some());
    let takes_one = evidence.has_taken_new_id()
        || (evidence.rejected(Step::CreateNeighbour).is_some() && evidence.accepted(Step::CreateAlias).is_none())
        || evidence.rejected(Step::CreateTwin).is_some()
        || (evidence.accepted(Step::DeleteTwin).is_some() && evidence.rejected(Step::DeleteBig).is_some());
    if is_gone {
        Some("a delete removed another plant as well, so that the delete of a further plant could, too")
    } else {
        takes_one.then_some("the store takes two ids for one, so that this create could replace another plant")
    }
}
