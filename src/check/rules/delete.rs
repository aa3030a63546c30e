//! The rules about a delete (`interface.md` §4.2).

use super::assessment::{accepted, fail, fail_absent, fail_watched, inconclusive, open, pass};
use crate::check::deletes::{accepted_delete_shows_a_survivor, deletes_without_effect, is_left};
use crate::check::evidence::{Evidence, ProbeResult, is_about_the_caller, is_not_found, other_number};
use crate::check::probe_requests::is_long;
use crate::check::row::{Assessed, Reason};
use crate::check::steps::Step;
use crate::domain::{BodyEnd, Exchange};
use crate::text::clean_fit;

pub(super) fn is_accepted(evidence: &Evidence, _: &[Step]) -> Assessed {
    match evidence.result(Step::Delete) {
        ProbeResult::Accepted(exchange, _) => Ok(pass(&[exchange])),
        ProbeResult::Rejected(exchange, response) if !is_about_the_caller(response.status) => {
            let why = "the store rejected the delete of a plant whose create it accepted";
            if is_not_found(exchange) {
                fail_absent(evidence, Step::Delete, why, &[exchange])
            } else {
                Ok(fail_watched(evidence, Step::Delete, why, &[exchange]))
            }
        }
        result => open(result),
    }
}

pub(super) fn no_body(evidence: &Evidence, _: &[Step]) -> Assessed {
    let (exchange, response) = accepted(evidence, Step::Delete)?;
    // Whatever follows a head with 204 is not read (RFC 9112 §6.3).
    let announced = response.header("content-length").filter(|length| response.status == 204 && *length != "0");
    if let Some(length) = announced {
        let why = format!(
            "the head announces a body of {} bytes, which a response with 204 cannot have",
            clean_fit(length, 20)
        );
        inconclusive(Reason::NotVisible, &why, &[exchange])
    } else if !response.body.is_empty() {
        Ok(fail(&format!("the response has a body of {} bytes", response.body.len()), &[exchange]))
    } else if response.body_end == BodyEnd::Complete {
        Ok(pass(&[exchange]))
    } else {
        inconclusive(Reason::NoResponse, "the response is cut off", &[exchange])
    }
}

pub(super) fn takes_effect(evidence: &Evidence, _: &[Step]) -> Assessed {
    if let Some(exchanges) = deletes_without_effect(evidence) {
        let why = "the id is still taken and can be deleted again, although an id that was never used cannot";
        return Ok(fail_watched(evidence, Step::CreateAgain, why, &exchanges));
    }
    let (delete, _) = accepted(evidence, Step::Delete)?;
    match (evidence.result(Step::DeleteTwice), evidence.result(Step::SecondCreate), evidence.result(Step::CreateAgain))
    {
        (ProbeResult::Rejected(again, _), ..) if evidence.means_absent(again) => Ok(pass(&[delete, again])),
        (_, ProbeResult::Rejected(second, response), ProbeResult::Accepted(again, _))
            if !is_about_the_caller(response.status) =>
        {
            Ok(pass(&[delete, second, again]))
        }
        (result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)), ..) => open(result),
        (_, ProbeResult::Accepted(second, _), _) => {
            let why = "not observable here: the store accepts a second delete, and a second plant under a taken id";
            inconclusive(Reason::NotVisible, why, &[delete, second])
        }
        (_, ProbeResult::Rejected(..), ProbeResult::Rejected(again, _)) => {
            let why = match delete.status() {
                Some(202) => "the delete was only accepted for later (202), and the id is still taken",
                _ => "not observable here: the store accepts a second delete, and no id a second time",
            };
            inconclusive(Reason::NotVisible, why, &[delete, again])
        }
        (_, result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)), _) | (.., result) => open(result),
    }
}

/// Takes 404 and 410 alone as proof that a plant is gone: this store may give its status for unused ids for any
/// other reason as well (§7).
pub(super) fn single_plant(evidence: &Evidence, _: &[Step]) -> Assessed {
    if let Some(exchange) = evidence.rejected(Step::CreateNeighbour)
        && evidence.accepted(Step::Create).is_some()
    {
        let why = if evidence.rejected(Step::CreateAlias).is_some() {
            "the store rejects a further plant, whatever its name"
        } else {
            "the store rejects another plant with the same name and tag"
        };
        return inconclusive(Reason::NotVisible, why, &[exchange]);
    }
    let (delete, _) = accepted(evidence, Step::Delete)?;
    match evidence.result(Step::DeleteNeighbour) {
        ProbeResult::Accepted(other, _) => {
            let shown = left_another(evidence, Step::CreateNeighbourAgain, &[delete], other)?;
            Ok(pass(&[delete, shown]))
        }
        ProbeResult::Rejected(other, _) if is_not_found(other) => {
            let why = "after the delete, another plant with the same name and tag is gone";
            fail_absent(evidence, Step::DeleteNeighbour, why, &[delete, other])
        }
        ProbeResult::Rejected(other, response) if !is_about_the_caller(response.status) => {
            let why = if evidence.means_absent(other) {
                "the delete of the other plant was rejected like that of an unused id, which does not prove that the \
                 plant is gone"
            } else {
                "the delete of the other plant was rejected for another reason"
            };
            inconclusive(Reason::NoResponse, why, &[delete, other])
        }
        result => open(result),
    }
}

/// Returns the exchange that shows that a plant was left by the delete of another, before its own delete was accepted.
/// `Err` if it was not left, and if nothing shows it.
fn left_another<'a>(
    evidence: &'a Evidence,
    again: Step,
    others: &[&Exchange],
    deleted: &'a Exchange,
) -> Assessed<&'a Exchange> {
    let with = |shown| [others, &[shown]].concat();
    match is_left(evidence, again, deleted) {
        Some((true, shown)) => Ok(shown),
        Some((false, shown)) => {
            let why = "after the delete, another plant is gone: its id is free";
            let (Ok(failed) | Err(failed)) = fail_absent(evidence, again, why, &with(shown));
            Err(failed)
        }
        None => match evidence.accepted(Step::DeleteAbsent).or_else(|| evidence.accepted(Step::DeleteTwice)) {
            Some(idle) => {
                let why = "the store accepts deletes that remove no plant, so that an accepted delete proves nothing";
                inconclusive(Reason::NotVisible, why, &with(idle))
            }
            None => {
                let why = "no response shows that the store rejects the delete of an absent plant";
                inconclusive(Reason::NoResponse, why, &with(deleted))
            }
        },
    }
}

/// Whether an id in a response is the one that was sent, but rounded to a double.
fn is_same_double(written: &str, create: &Exchange) -> bool {
    let sent = create.operation.kind.plant_id().to_string();
    let double = |text: &str| text.parse::<f64>().ok().map(f64::to_bits);
    double(written) == double(&sent)
}

pub(super) fn exact_id(evidence: &Evidence, _: &[Step]) -> Assessed {
    for step in [Step::Delete, Step::Create] {
        if matches!(evidence.result(step), ProbeResult::Rejected(..)) {
            accepted(evidence, step)?;
        }
    }
    if let (Some(create), Some(alias), Some(second)) =
        (evidence.accepted(Step::Create), evidence.rejected(Step::CreateAlias), evidence.rejected(Step::SecondCreate))
        && alias.status() == second.status()
    {
        if evidence.accepted(Step::CreateBeside).is_none() {
            let why = "the store rejects every further plant like one under a taken id: it may be full";
            return inconclusive(Reason::NotVisible, why, &[create, alias, second]);
        }
        let why = "the store takes two ids for one: it rejects the second like a taken one";
        return Ok(fail(why, &[create, alias, second]));
    }
    let (create, response) = match evidence.result(Step::CreateBig) {
        ProbeResult::Accepted(exchange, response) => (exchange, response),
        // What the store does with a taken id is known, so that the probe was skipped because of the store.
        ProbeResult::Skipped(why)
            if matches!(evidence.result(Step::SecondCreate), ProbeResult::Accepted(..) | ProbeResult::Rejected(..)) =>
        {
            return inconclusive(Reason::NotVisible, why, &[]);
        }
        // The store has taken no long id either.
        ProbeResult::Unknown(exchange)
            if exchange.response().is_some()
                && evidence.accepted(Step::Create).is_some_and(|create| !is_long(create.operation.kind.plant_id())) =>
        {
            return inconclusive(Reason::NotVisible, "the store fails at ids past 2^53", &[exchange]);
        }
        ProbeResult::Rejected(exchange, response)
            if (400..500).contains(&response.status) && !is_about_the_caller(response.status) =>
        {
            let why = "the store rejects ids past 2^53; the document gives no bounds";
            return inconclusive(Reason::NotVisible, why, &[exchange]);
        }
        result => return open(result),
    };
    // A number of another kind, like that of a row, says nothing about the id.
    if let Some(other) = other_number(create, response).filter(|other| is_same_double(other, create)) {
        return Ok(fail(&format!("the id came back as {other}"), &[create]));
    }
    let failed = |why, exchanges: &[&Exchange]| fail_absent(evidence, Step::DeleteBig, why, exchanges);
    // With the create of the other id, if it was decided: the delete of an id that nothing created would read otherwise.
    let create_twin = Some(evidence.result(Step::CreateTwin)).filter(ProbeResult::is_decided);
    let create_twin = create_twin.and_then(ProbeResult::exchange);
    let with_twin = |twin, exact| std::iter::once(create).chain(create_twin).chain([twin, exact]).collect::<Vec<_>>();
    match (evidence.result(Step::DeleteTwin), evidence.result(Step::DeleteBig)) {
        (ProbeResult::Accepted(twin, _), ProbeResult::Rejected(exact, response))
            if !is_about_the_caller(response.status) =>
        {
            failed("a delete of another id removed the plant", &with_twin(twin, exact))
        }
        (ProbeResult::Accepted(twin, _), ProbeResult::Accepted(exact, _)) => {
            let shown = left_another(evidence, Step::CreateBigAfterTwin, &[twin], exact)?;
            // Where an accepted delete shows nothing by itself, a third create shows that this one removed its plant.
            let removed = if accepted_delete_shows_a_survivor(evidence) {
                evidence.accepted(Step::CreateTwin).map(|_| exact)
            } else {
                evidence.accepted(Step::CreateBigAgain)
            };
            let Some(removed) = removed else {
                let why = "nothing shows that the accepted delete of this id removed the plant";
                return inconclusive(Reason::NotVisible, why, &[twin, shown, exact]);
            };
            let mut exchanges = with_twin(twin, shown);
            exchanges.extend((removed != shown).then_some(removed));
            Ok(pass(&exchanges))
        }
        (ProbeResult::Rejected(twin, response), ProbeResult::Accepted(exact, _))
            if !is_about_the_caller(response.status) && evidence.accepted(Step::CreateTwin).is_none() =>
        {
            Ok(pass(&with_twin(twin, exact)))
        }
        (ProbeResult::Rejected(deleted, response), ProbeResult::Accepted(..))
        | (ProbeResult::Rejected(..), ProbeResult::Rejected(deleted, response))
            if !is_about_the_caller(response.status) =>
        {
            failed("a delete of the id that was sent does not delete the plant", &[create, deleted])
        }
        (result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)), _)
        | (result @ ProbeResult::Rejected(..), ProbeResult::Accepted(..))
        | (_, result) => open(result),
    }
}
