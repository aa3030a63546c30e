//! The rules about a delete (`interface.md` §4.2).

use super::assessment::{Assessment, Reason, fail, inconclusive, open, pass};
use crate::check::evidence::{Evidence, ProbeResult, is_about_the_caller, other_number, says_absent};
use crate::check::steps::Step;
use crate::domain::{BodyEnd, Exchange, Response};

pub(super) fn accepted(evidence: &Evidence) -> Assessment {
    match evidence.result(Step::Delete) {
        ProbeResult::Accepted(exchange, _) => pass(&[exchange]),
        ProbeResult::Rejected(exchange, response) if !is_about_the_caller(response.status) => {
            match evidence.result(Step::Create) {
                ProbeResult::Accepted(create, created) if created.status == 202 && says_absent(response) => {
                    let why = "its create was accepted for later, and it is not there yet";
                    inconclusive(Reason::NoResponse, why, &[create, exchange])
                }
                _ => fail("it was rejected, though the create of the plant was accepted", &[exchange]),
            }
        }
        result => open(result),
    }
}

pub(super) fn no_body(evidence: &Evidence) -> Assessment {
    match evidence.result(Step::Delete) {
        ProbeResult::Accepted(exchange, response) if !response.body.is_empty() => {
            fail(&format!("a body of {} bytes", response.body.len()), &[exchange])
        }
        ProbeResult::Accepted(exchange, Response { body_end: BodyEnd::Complete, .. }) => pass(&[exchange]),
        ProbeResult::Accepted(exchange, _) => inconclusive(Reason::NoResponse, "the response breaks off", &[exchange]),
        ProbeResult::Rejected(exchange, _) => inconclusive(Reason::NoResponse, "no delete was accepted", &[exchange]),
        result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)) => open(result),
    }
}

/// Whether an accepted delete shows that its plant was there: a delete of what is not there was rejected, in
/// the usual words or twice. One other status may have any reason (§7).
pub(super) fn shows_what_is_there(evidence: &Evidence) -> bool {
    let rejections = [Step::DeleteAbsent, Step::DeleteTwice].map(|step| match evidence.result(step) {
        ProbeResult::Rejected(_, response) if !is_about_the_caller(response.status) => Some(response),
        _ => None,
    });
    let says_gone = rejections.into_iter().flatten().any(says_absent);
    !evidence.result(Step::DeleteAbsent).is_accepted() && (says_gone || rejections.iter().all(Option::is_some))
}

/// The exchanges that show that an accepted delete removes nothing: its id is rejected as taken
/// afterwards, where taken ids are rejected, and can be deleted again, where others cannot. All of it
/// is needed: a store that never re-uses ids does the first, one that accepts every delete the last.
pub(in crate::check) fn deletes_without_effect(evidence: &Evidence) -> Option<[&Exchange; 5]> {
    let (ProbeResult::Accepted(delete, response), ProbeResult::Accepted(again, _)) =
        (evidence.result(Step::Delete), evidence.result(Step::DeleteTwice))
    else {
        return None;
    };
    let rejected = |step| match evidence.result(step) {
        ProbeResult::Rejected(exchange, response) if !is_about_the_caller(response.status) => Some(exchange),
        _ => None,
    };
    let exchanges =
        [delete, again, rejected(Step::DeleteAbsent)?, rejected(Step::SecondCreate)?, rejected(Step::CreateAgain)?];
    // What was accepted for later may still be carried out.
    (response.status != 202).then_some(exchanges)
}

pub(super) fn takes_effect(evidence: &Evidence) -> Assessment {
    if let Some(exchanges) = deletes_without_effect(evidence) {
        let why = "the id is still taken and can be deleted again, although an id that was never used cannot";
        return fail(why, &exchanges);
    }
    let delete = match evidence.result(Step::Delete) {
        ProbeResult::Accepted(exchange, _) => exchange,
        ProbeResult::Rejected(exchange, _) => {
            return inconclusive(Reason::NoResponse, "no delete was accepted", &[exchange]);
        }
        result => return open(result),
    };
    match (evidence.result(Step::DeleteTwice), evidence.result(Step::SecondCreate), evidence.result(Step::CreateAgain))
    {
        (ProbeResult::Rejected(again, response), ..) if evidence.says_absent(response) => pass(&[delete, again]),
        (_, ProbeResult::Rejected(second, response), ProbeResult::Accepted(again, _))
            if !is_about_the_caller(response.status) =>
        {
            pass(&[delete, second, again])
        }
        (result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)), ..) => open(result),
        (_, ProbeResult::Accepted(second, _), _) => {
            let why = "not observable here: a second delete and a second plant under a taken id are both accepted";
            inconclusive(Reason::NotVisible, why, &[delete, second])
        }
        (_, ProbeResult::Rejected(..), ProbeResult::Rejected(again, _)) => {
            let why = "not observable here: every delete is accepted, and an id that was used is not accepted again";
            inconclusive(Reason::NotVisible, why, &[delete, again])
        }
        (_, result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)), _) | (.., result) => open(result),
    }
}

/// Takes 404 and 410 alone for *gone*. What else this store says to an id that was never used, it may say
/// for any other reason, too (§7).
pub(super) fn single_plant(evidence: &Evidence) -> Assessment {
    if let ProbeResult::Rejected(exchange, response) = evidence.result(Step::CreateNeighbour)
        && evidence.result(Step::Create).is_accepted()
        && !is_about_the_caller(response.status)
    {
        return inconclusive(
            Reason::NotVisible,
            "another plant with the same name and tag is rejected here",
            &[exchange],
        );
    }
    if let (ProbeResult::Accepted(one, _), ProbeResult::Accepted(again, _)) =
        (evidence.result(Step::Delete), evidence.result(Step::DeleteTwice))
        && !evidence.result(Step::DeleteAbsent).is_accepted()
    {
        let why = "a second delete is accepted as well, so that an accepted delete shows nothing";
        return inconclusive(Reason::NotVisible, why, &[one, again]);
    }
    match (evidence.result(Step::Delete), evidence.result(Step::DeleteNeighbour)) {
        (ProbeResult::Accepted(one, _), ProbeResult::Accepted(other, _)) if shows_what_is_there(evidence) => {
            pass(&[one, other])
        }
        (ProbeResult::Accepted(one, _), ProbeResult::Accepted(other, _)) => {
            let (reason, why) = if evidence.result(Step::DeleteAbsent).is_accepted() {
                let why = "a delete of an id that was never used is accepted as well, so that an accepted delete shows nothing";
                (Reason::NotVisible, why)
            } else {
                (Reason::NoResponse, "no response shows that a delete of what is not there is rejected")
            };
            inconclusive(reason, why, &[one, other])
        }
        (ProbeResult::Accepted(one, _), ProbeResult::Rejected(other, response)) if says_absent(response) => {
            fail("after it, the plant with the next id and the same name and tag is gone", &[one, other])
        }
        (ProbeResult::Accepted(one, _), ProbeResult::Rejected(other, response))
            if !is_about_the_caller(response.status) =>
        {
            let why = if evidence.says_absent(response) {
                "the delete of the other plant was rejected like that of an id that was never used, which does not \
                 prove that it is gone"
            } else {
                "the delete of the other plant was rejected for another reason"
            };
            inconclusive(Reason::NoResponse, why, &[one, other])
        }
        (ProbeResult::Rejected(exchange, _), _) => {
            inconclusive(Reason::NoResponse, "no delete was accepted", &[exchange])
        }
        (ProbeResult::Accepted(..), result) | (result, _) => open(result),
    }
}

pub(super) fn exact_id(evidence: &Evidence) -> Assessment {
    // Then it is known what becomes of a taken id here, and what was skipped was so for this store.
    let is_decided = |result| matches!(result, ProbeResult::Accepted(..) | ProbeResult::Rejected(..));
    if let ProbeResult::Rejected(exchange, _) = evidence.result(Step::Delete) {
        return inconclusive(Reason::NoResponse, "no delete was accepted", &[exchange]);
    }
    let (create, response) = match evidence.result(Step::CreateBig) {
        ProbeResult::Accepted(exchange, response) => (exchange, response),
        ProbeResult::Skipped(why) if is_decided(evidence.result(Step::SecondCreate)) => {
            return inconclusive(Reason::NotVisible, why, &[]);
        }
        ProbeResult::Unknown(exchange)
            if exchange.response().is_some() && evidence.result(Step::Create).is_accepted() =>
        {
            return inconclusive(
                Reason::NotVisible,
                "this store fails at an id that is large enough to show it",
                &[exchange],
            );
        }
        ProbeResult::Rejected(exchange, response)
            if (400..500).contains(&response.status) && !is_about_the_caller(response.status) =>
        {
            let why = "ids that are large enough to show it are rejected here; the document gives no bounds";
            return inconclusive(Reason::NotVisible, why, &[exchange]);
        }
        result => return open(result),
    };
    if let Some(other) = other_number(create, response) {
        return fail(&format!("it came back as {other}"), &[create]);
    }
    match (evidence.result(Step::DeleteTwin), evidence.result(Step::DeleteBig)) {
        (ProbeResult::Accepted(twin, _), ProbeResult::Rejected(exact, response))
            if !is_about_the_caller(response.status) =>
        {
            fail("a delete of another id removed the plant", &[create, twin, exact])
        }
        (ProbeResult::Accepted(twin, _), ProbeResult::Accepted(exact, _)) => {
            let why = "deletes of both ids are accepted, so that an accepted delete shows nothing";
            inconclusive(Reason::NotVisible, why, &[twin, exact])
        }
        (ProbeResult::Rejected(twin, response), ProbeResult::Accepted(exact, _))
            if !is_about_the_caller(response.status) =>
        {
            pass(&[create, twin, exact])
        }
        (ProbeResult::Rejected(..), ProbeResult::Rejected(exact, response))
            if !is_about_the_caller(response.status) =>
        {
            fail("the id it was created with does not delete it", &[create, exact])
        }
        (result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)), _) | (_, result) => open(result),
    }
}
