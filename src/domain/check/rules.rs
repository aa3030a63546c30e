//! The rules: every statement of the document that can be observed from outside, each with its
//! probes and its assessment.
//!
//! An assessment is a pure function of the evidence of a run. It never rests on a response that did not
//! come: where there is none, the rule is inconclusive.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a probe that was neither accepted nor rejected is described in one place"
)]

use super::evidence::{Evidence, ProbeResult, changed_how, is_about_the_caller, line, other_number, says_absent};
use super::report::{Reason, RuleResult, Verdict};
use super::steps::Step;
use crate::domain::outcome::differences;
use crate::domain::text::{clean_bytes, clean_fit};
use crate::domain::{Answer, BodyEnd, Difference, Exchange, OperationId, Outcome, Plant};

/// Columns of a body or a URL in a piece of evidence.
const BODY_COLUMNS: usize = 80;

/// A statement of the document.
#[derive(Debug)]
pub struct Rule {
    /// Its stable name.
    pub name: &'static str,
    /// Where it stands in `interface.md`.
    pub section: &'static str,
    /// What the store is to do, in words for people.
    pub statement: &'static str,
    /// The probes that it is assessed by.
    pub(super) steps: &'static [Step],
    assess: fn(&Evidence) -> Assessment,
}

/// What the exchanges say, before it has a name.
pub(super) struct Assessment {
    verdict: Verdict,
    reason: Option<Reason>,
    evidence: String,
    exchanges: Vec<OperationId>,
}

/// All rules, in the order of the document's operations.
pub const RULES: [Rule; 15] = [
    Rule {
        name: "create-accepted",
        section: "4.1",
        statement: "A create with name, id and tag is accepted",
        steps: &[Step::Create],
        assess: create_accepted,
    },
    Rule {
        name: "create-media-type",
        section: "2",
        statement: "The response to a create is application/json",
        steps: &[Step::Create],
        assess: media_type,
    },
    Rule {
        name: "create-json-object",
        section: "4.1",
        statement: "The response to a create is a JSON object",
        steps: &[Step::Create],
        assess: json_object,
    },
    Rule {
        name: "create-name-and-tag",
        section: "4.1",
        statement: "The response to a create has name and tag as they were sent",
        steps: &[Step::Create, Step::Delete, Step::PlantForSecond],
        assess: name_and_tag,
    },
    Rule {
        name: "delete-accepted",
        section: "4.2",
        statement: "A delete of a plant that was created is accepted",
        steps: &[Step::Create, Step::Delete],
        assess: delete_accepted,
    },
    Rule {
        name: "delete-no-body",
        section: "4.2",
        statement: "The response to a delete has no body data",
        steps: &[Step::Create, Step::Delete],
        assess: no_body,
    },
    Rule {
        name: "delete-takes-effect",
        section: "4.2",
        statement: "A plant is gone after its delete was accepted",
        steps: &[
            Step::Create,
            Step::Delete,
            Step::DeleteTwice,
            Step::DeleteAbsent,
            Step::PlantForSecond,
            Step::SecondCreate,
            Step::CreateAgain,
        ],
        assess: takes_effect,
    },
    Rule {
        name: "delete-single-plant",
        section: "4.2",
        statement: "A delete removes one plant, and not another like it",
        steps: &[
            Step::Create,
            Step::CreateNeighbour,
            Step::Delete,
            Step::DeleteTwice,
            Step::DeleteAbsent,
            Step::DeleteNeighbour,
        ],
        assess: single_plant,
    },
    Rule {
        name: "delete-exact-id",
        section: "4.2",
        statement: "A plant is deleted by the integer it was created with, and by no other",
        steps: &[Step::Create, Step::Delete, Step::CreateBig, Step::DeleteTwin, Step::DeleteBig],
        assess: exact_id,
    },
    Rule {
        name: "create-without-token",
        section: "5",
        statement: "A create without a token is not accepted",
        steps: &[Step::Create, Step::Delete, Step::DeleteAbsent, Step::CreateWithoutToken, Step::PlantWithoutToken],
        assess: |evidence| create_is_guarded(evidence, Step::CreateWithoutToken, Step::PlantWithoutToken),
    },
    Rule {
        name: "create-wrong-token",
        section: "5",
        statement: "A create with a wrong token is not accepted",
        steps: &[Step::Create, Step::Delete, Step::DeleteAbsent, Step::CreateWrongToken, Step::PlantWrongToken],
        assess: |evidence| create_is_guarded(evidence, Step::CreateWrongToken, Step::PlantWrongToken),
    },
    Rule {
        name: "create-other-scheme",
        section: "5",
        statement: "A create with the token under another scheme is not accepted",
        steps: &[Step::Create, Step::Delete, Step::DeleteAbsent, Step::CreateOtherScheme, Step::PlantOtherScheme],
        assess: |evidence| create_is_guarded(evidence, Step::CreateOtherScheme, Step::PlantOtherScheme),
    },
    Rule {
        name: "delete-without-token",
        section: "5",
        statement: "A delete without a token is not accepted",
        steps: &[Step::Create, Step::Delete, Step::PlantWithoutToken, Step::DeleteWithoutToken],
        assess: |evidence| delete_is_guarded(evidence, Step::DeleteWithoutToken),
    },
    Rule {
        name: "delete-wrong-token",
        section: "5",
        statement: "A delete with a wrong token is not accepted",
        steps: &[Step::Create, Step::Delete, Step::PlantWrongToken, Step::DeleteWrongToken],
        assess: |evidence| delete_is_guarded(evidence, Step::DeleteWrongToken),
    },
    Rule {
        name: "delete-other-scheme",
        section: "5",
        statement: "A delete with the token under another scheme is not accepted",
        steps: &[Step::Create, Step::Delete, Step::PlantOtherScheme, Step::DeleteOtherScheme],
        assess: |evidence| delete_is_guarded(evidence, Step::DeleteOtherScheme),
    },
];

impl Rule {
    /// The rule of this name.
    pub fn called(name: &str) -> Option<&'static Self> {
        RULES.iter().find(|rule| rule.name == name)
    }

    pub(super) fn assess(&self, evidence: &Evidence) -> RuleResult {
        let Assessment { verdict, reason, evidence, exchanges } = (self.assess)(evidence);
        RuleResult { name: self.name.to_owned(), verdict, reason, evidence, exchanges }
    }
}

fn assessment(verdict: Verdict, reason: Option<Reason>, evidence: String, on: &[&Exchange]) -> Assessment {
    Assessment { verdict, reason, evidence, exchanges: on.iter().map(|exchange| exchange.operation.id).collect() }
}

fn pass(on: &[&Exchange]) -> Assessment {
    let lines: Vec<_> = on.iter().map(|exchange| line(exchange)).collect();
    assessment(Verdict::Pass, None, lines.join("; "), on)
}

fn fail(what: &str, on: &[&Exchange]) -> Assessment {
    assessment(Verdict::Fail, None, with_lines(what, on), on)
}

fn with_lines(words: &str, on: &[&Exchange]) -> String {
    let lines: Vec<_> = on.iter().map(|exchange| line(exchange)).collect();
    if lines.is_empty() { words.to_owned() } else { format!("{words}: {}", lines.join("; ")) }
}

fn inconclusive(why: Reason, reason: &str, on: &[&Exchange]) -> Assessment {
    assessment(Verdict::Inconclusive, Some(why), with_lines(reason, on), on)
}

/// Neither accepted, nor rejected for what was requested.
fn open(result: ProbeResult<'_>) -> Assessment {
    match result {
        ProbeResult::Unknown(exchange) => {
            let (why, reason) = match exchange.outcome() {
                Outcome::NotSent => (Reason::NotSent, "nothing reached the store"),
                Outcome::Accepted | Outcome::Rejected | Outcome::Unknown => {
                    (Reason::NotAnswered, "no response decides it")
                }
            };
            inconclusive(why, reason, &[exchange])
        }
        ProbeResult::Accepted(exchange, answer) | ProbeResult::Rejected(exchange, answer) => {
            let why = if answer.status == 429 { "the store asks for fewer requests" } else { "the token was rejected" };
            inconclusive(Reason::NotAnswered, why, &[exchange])
        }
        ProbeResult::Skipped(why) => inconclusive(Reason::NotAnswered, why, &[]),
    }
}

/// The create in the document's own words was not accepted: there is no response to assess.
fn no_yes_to_a_create(result: ProbeResult<'_>) -> Assessment {
    match result {
        ProbeResult::Rejected(exchange, _) => inconclusive(Reason::NotAnswered, "no create was accepted", &[exchange]),
        ProbeResult::Accepted(..) | ProbeResult::Unknown(_) | ProbeResult::Skipped(_) => open(result),
    }
}

fn create_accepted(evidence: &Evidence) -> Assessment {
    match evidence.result(Step::Create) {
        ProbeResult::Accepted(exchange, _) => pass(&[exchange]),
        ProbeResult::Rejected(exchange, _) if wrong_base_url(exchange) => {
            inconclusive(Reason::NotAnswered, "the base URL is wrong", &[exchange])
        }
        ProbeResult::Rejected(exchange, answer) if !is_about_the_caller(answer.status) => {
            let what = match answer.status {
                300..=399 => "it was redirected, and redirects are never followed",
                _ => "it was rejected",
            };
            fail(what, &[exchange])
        }
        result => open(result),
    }
}

fn media_type(evidence: &Evidence) -> Assessment {
    let (exchange, answer) = match evidence.result(Step::Create) {
        ProbeResult::Accepted(exchange, answer) => (exchange, answer),
        result => return no_yes_to_a_create(result),
    };
    match answer.header("content-type") {
        Some(value) if essence(value).eq_ignore_ascii_case("application/json") => {
            assessment(Verdict::Pass, None, format!("content-type: {}", clean_fit(value, 60)), &[exchange])
        }
        Some(value) => fail(&format!("it is {}", clean_fit(value, 60)), &[exchange]),
        None if answer.body.is_empty() => {
            inconclusive(Reason::NotVisible, "the response has no body and no media type", &[exchange])
        }
        None => fail("it has no content-type", &[exchange]),
    }
}

/// A media type without its parameters (RFC 9110 §8.3.1).
fn essence(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim()
}

/// How the response to the create differs from the document; or why there is no whole response.
fn answer_to_create(evidence: &Evidence) -> Result<(&Exchange, Vec<Difference>), Assessment> {
    let (exchange, answer) = match evidence.result(Step::Create) {
        ProbeResult::Accepted(exchange, answer) => (exchange, answer),
        result => return Err(no_yes_to_a_create(result)),
    };
    if let Some(coding) = answer.header("content-encoding").filter(|coding| !coding.eq_ignore_ascii_case("identity")) {
        let why =
            format!("the response is packed as {}, which was not requested and is not read", clean_fit(coding, 20));
        return Err(inconclusive(Reason::NotVisible, &why, &[]));
    }
    match &answer.body_end {
        BodyEnd::Complete => Ok((exchange, differences(&exchange.operation.ask, answer))),
        BodyEnd::CutOff(_) => Err(inconclusive(Reason::NotAnswered, "the response breaks off", &[exchange])),
        BodyEnd::Capped(_) | BodyEnd::Trimmed => {
            Err(inconclusive(Reason::NotAnswered, "not all of the response was read", &[exchange]))
        }
    }
}

fn is_no_object(difference: &Difference) -> bool {
    matches!(difference, Difference::Empty | Difference::NotJson | Difference::NotAnObject)
}

fn json_object(evidence: &Evidence) -> Assessment {
    let (exchange, found) = match answer_to_create(evidence) {
        Ok(answer) => answer,
        Err(assessment) => return assessment,
    };
    match found.iter().find(|difference| is_no_object(difference)) {
        None => pass(&[exchange]),
        Some(difference) => fail(&difference.to_string(), &[exchange]),
    }
}

fn name_and_tag(evidence: &Evidence) -> Assessment {
    let (exchange, found) = match answer_to_create(evidence) {
        Ok(answer) => answer,
        Err(assessment) => return assessment,
    };
    if found.is_empty() {
        return pass(&[exchange]);
    }
    if found.iter().any(is_no_object) {
        return inconclusive(Reason::NotVisible, "the response is no JSON object", &[exchange]);
    }
    if let Some(body) = canned_body(evidence) {
        return fail(&format!("every create has the same response, whatever is sent: {body}"), &[exchange]);
    }
    let plant = exchange.operation.ask.plant();
    let words: Vec<_> = found.iter().map(|difference| how_different(difference, plant)).collect();
    fail(&words.join(", "), &[exchange])
}

/// A difference in words; where the change of a text has a name, by that name.
fn how_different(difference: &Difference, plant: Option<&Plant>) -> String {
    let Difference::Changed { field, sent, came } = difference else { return difference.to_string() };
    let other = plant.map(|plant| if *field == "name" { &plant.tag } else { &plant.name });
    let how = if other == Some(came) {
        let other = if *field == "name" { "tag" } else { "name" };
        Some(format!("holds the {other}"))
    } else {
        changed_how(sent, came).map(str::to_owned)
    };
    match how {
        Some(how) => format!("the {field} in the response {how}"),
        None => difference.to_string(),
    }
}

/// The body of the responses to two creates of different names, if it is the same: a canned response,
/// as mock servers have it. It shows a name or a tag; otherwise it could be a store that just confirms.
pub(super) fn canned_body(evidence: &Evidence) -> Option<String> {
    let body_of = |step| match evidence.result(step) {
        ProbeResult::Accepted(_, answer) => Some(&answer.body),
        _ => None,
    };
    let (body, other) = (body_of(Step::Create)?, body_of(Step::PlantForSecond)?);
    let fields: serde_json::Value = serde_json::from_slice(body).ok()?;
    let shows_a_plant = fields.get("name").or(fields.get("tag")).is_some_and(serde_json::Value::is_string);
    (body == other && shows_a_plant).then(|| clean_fit(&clean_bytes(body), BODY_COLUMNS))
}

/// Whether a create was rejected as no store would: there is nothing under its path, or it is
/// redirected to another origin.
pub(super) fn wrong_base_url(create: &Exchange) -> bool {
    match create.status() {
        Some(404 | 405) => true,
        Some(300..=399) => redirects_elsewhere(create).is_some(),
        _ => false,
    }
}

/// Where a request is redirected to, if that has another scheme, host or port.
pub(super) fn redirects_elsewhere(exchange: &Exchange) -> Option<String> {
    let (request, answer) = exchange.request.as_ref().zip(exchange.answer())?;
    let base = url::Url::parse(&request.url).ok()?;
    let place = base.join(answer.header("location")?).ok()?;
    (place.origin() != base.origin()).then(|| clean_fit(place.as_str(), BODY_COLUMNS))
}

fn delete_accepted(evidence: &Evidence) -> Assessment {
    match evidence.result(Step::Delete) {
        ProbeResult::Accepted(exchange, _) => pass(&[exchange]),
        ProbeResult::Rejected(exchange, answer) if !is_about_the_caller(answer.status) => {
            match evidence.result(Step::Create) {
                ProbeResult::Accepted(create, created) if created.status == 202 && says_absent(answer) => {
                    let why = "its create was accepted for later, and it is not there yet";
                    inconclusive(Reason::NotAnswered, why, &[create, exchange])
                }
                _ => fail("it was rejected, though the create of the plant was accepted", &[exchange]),
            }
        }
        result => open(result),
    }
}

fn no_body(evidence: &Evidence) -> Assessment {
    match evidence.result(Step::Delete) {
        ProbeResult::Accepted(exchange, answer) if !answer.body.is_empty() => {
            fail(&format!("a body of {} bytes", answer.body.len()), &[exchange])
        }
        ProbeResult::Accepted(exchange, Answer { body_end: BodyEnd::Complete, .. }) => pass(&[exchange]),
        ProbeResult::Accepted(exchange, _) => inconclusive(Reason::NotAnswered, "the response breaks off", &[exchange]),
        ProbeResult::Rejected(exchange, _) => inconclusive(Reason::NotAnswered, "no delete was accepted", &[exchange]),
        result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)) => open(result),
    }
}

/// Whether a delete of an id that was never used is accepted, too: then an accepted delete shows nothing.
fn says_yes_to_nothing(evidence: &Evidence) -> bool {
    evidence.result(Step::DeleteAbsent).is_accepted()
}

/// The exchanges that show that an accepted delete removes nothing: its id is rejected as taken
/// afterwards, where taken ids are rejected, and can be deleted again, where others cannot. All of it
/// is needed: a store that never re-uses ids does the first, one that accepts every delete the last.
pub(super) fn deletes_without_effect(evidence: &Evidence) -> Option<[&Exchange; 5]> {
    let (ProbeResult::Accepted(delete, answer), ProbeResult::Accepted(again, _)) =
        (evidence.result(Step::Delete), evidence.result(Step::DeleteTwice))
    else {
        return None;
    };
    let rejected = |step| match evidence.result(step) {
        ProbeResult::Rejected(exchange, answer) if !is_about_the_caller(answer.status) => Some(exchange),
        _ => None,
    };
    let exchanges =
        [delete, again, rejected(Step::DeleteAbsent)?, rejected(Step::SecondCreate)?, rejected(Step::CreateAgain)?];
    // What was accepted for later may still be carried out.
    (answer.status != 202).then_some(exchanges)
}

fn takes_effect(evidence: &Evidence) -> Assessment {
    if let Some(exchanges) = deletes_without_effect(evidence) {
        let why = "the id is still taken and can be deleted again, although an id that was never used cannot";
        return fail(why, &exchanges);
    }
    let delete = match evidence.result(Step::Delete) {
        ProbeResult::Accepted(exchange, _) => exchange,
        ProbeResult::Rejected(exchange, _) => {
            return inconclusive(Reason::NotAnswered, "no delete was accepted", &[exchange]);
        }
        result => return open(result),
    };
    match (evidence.result(Step::DeleteTwice), evidence.result(Step::SecondCreate), evidence.result(Step::CreateAgain))
    {
        (ProbeResult::Rejected(again, answer), ..) if evidence.says_absent(answer) => pass(&[delete, again]),
        (_, ProbeResult::Rejected(second, answer), ProbeResult::Accepted(again, _))
            if !is_about_the_caller(answer.status) =>
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

fn single_plant(evidence: &Evidence) -> Assessment {
    if let ProbeResult::Rejected(exchange, answer) = evidence.result(Step::CreateNeighbour)
        && evidence.result(Step::Create).is_accepted()
        && !is_about_the_caller(answer.status)
    {
        return inconclusive(
            Reason::NotVisible,
            "another plant with the same name and tag is rejected here",
            &[exchange],
        );
    }
    if let (ProbeResult::Accepted(one, _), ProbeResult::Accepted(again, _)) =
        (evidence.result(Step::Delete), evidence.result(Step::DeleteTwice))
        && !says_yes_to_nothing(evidence)
    {
        let why = "a second delete is accepted as well, so that an accepted delete shows nothing";
        return inconclusive(Reason::NotVisible, why, &[one, again]);
    }
    match (evidence.result(Step::Delete), evidence.result(Step::DeleteNeighbour)) {
        (ProbeResult::Accepted(one, _), ProbeResult::Accepted(other, _)) if !says_yes_to_nothing(evidence) => {
            pass(&[one, other])
        }
        (ProbeResult::Accepted(one, _), ProbeResult::Accepted(other, _)) => {
            let why =
                "a delete of an id that was never used is accepted as well, so that an accepted delete shows nothing";
            inconclusive(Reason::NotVisible, why, &[one, other])
        }
        (ProbeResult::Accepted(one, _), ProbeResult::Rejected(other, answer)) if evidence.says_absent(answer) => {
            fail("after it, the plant with the next id and the same name and tag is gone", &[one, other])
        }
        (ProbeResult::Accepted(one, _), ProbeResult::Rejected(other, answer))
            if !is_about_the_caller(answer.status) =>
        {
            inconclusive(
                Reason::NotAnswered,
                "the delete of the other plant was rejected for another reason",
                &[one, other],
            )
        }
        (ProbeResult::Rejected(exchange, _), _) => {
            inconclusive(Reason::NotAnswered, "no delete was accepted", &[exchange])
        }
        (ProbeResult::Accepted(..), result) | (result, _) => open(result),
    }
}

fn exact_id(evidence: &Evidence) -> Assessment {
    // Then it is known what becomes of a taken id here, and what was skipped was so for this store.
    let is_decided = |result| matches!(result, ProbeResult::Accepted(..) | ProbeResult::Rejected(..));
    if let ProbeResult::Rejected(exchange, _) = evidence.result(Step::Delete) {
        return inconclusive(Reason::NotAnswered, "no delete was accepted", &[exchange]);
    }
    let (create, answer) = match evidence.result(Step::CreateBig) {
        ProbeResult::Accepted(exchange, answer) => (exchange, answer),
        ProbeResult::Skipped(why) if is_decided(evidence.result(Step::SecondCreate)) => {
            return inconclusive(Reason::NotVisible, why, &[]);
        }
        ProbeResult::Unknown(exchange)
            if exchange.answer().is_some() && evidence.result(Step::Create).is_accepted() =>
        {
            return inconclusive(
                Reason::NotVisible,
                "this store fails at an id that is large enough to show it",
                &[exchange],
            );
        }
        ProbeResult::Rejected(exchange, answer)
            if (400..500).contains(&answer.status) && !is_about_the_caller(answer.status) =>
        {
            let why = "ids that are large enough to show it are rejected here; the document gives no bounds";
            return inconclusive(Reason::NotVisible, why, &[exchange]);
        }
        result => return open(result),
    };
    if let Some(other) = other_number(create, answer) {
        return fail(&format!("it came back as {other}"), &[create]);
    }
    match (evidence.result(Step::DeleteTwin), evidence.result(Step::DeleteBig)) {
        (ProbeResult::Accepted(twin, _), ProbeResult::Rejected(exact, answer))
            if !is_about_the_caller(answer.status) =>
        {
            fail("a delete of another id removed the plant", &[create, twin, exact])
        }
        (ProbeResult::Accepted(twin, _), ProbeResult::Accepted(exact, _)) => {
            let why = "deletes of both ids are accepted, so that an accepted delete shows nothing";
            inconclusive(Reason::NotVisible, why, &[twin, exact])
        }
        (ProbeResult::Rejected(twin, answer), ProbeResult::Accepted(exact, _))
            if !is_about_the_caller(answer.status) =>
        {
            pass(&[create, twin, exact])
        }
        (ProbeResult::Rejected(..), ProbeResult::Rejected(exact, answer)) if !is_about_the_caller(answer.status) => {
            fail("the id it was created with does not delete it", &[create, exact])
        }
        (result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)), _) | (_, result) => open(result),
    }
}

/// A request that does not present the right token; `control` is the same with it. Only where that
/// was accepted in the same run does a rejection show that it is about the token.
fn is_guarded(result: ProbeResult<'_>, control: Option<&Exchange>) -> Assessment {
    match (result, control) {
        (ProbeResult::Accepted(exchange, _), _) => fail("it was accepted", &[exchange]),
        (ProbeResult::Rejected(exchange, answer), _) if matches!(answer.status, 407 | 429) => {
            open(ProbeResult::Unknown(exchange))
        }
        (ProbeResult::Rejected(exchange, _), Some(control)) => pass(&[control, exchange]),
        (ProbeResult::Rejected(exchange, _), None) => {
            let why = "it was rejected, but so may be the same request with the token: none was accepted in this run";
            inconclusive(Reason::NotAnswered, why, &[exchange])
        }
        (result @ (ProbeResult::Unknown(_) | ProbeResult::Skipped(_)), _) => open(result),
    }
}

fn create_is_guarded(evidence: &Evidence, step: Step, with_token: Step) -> Assessment {
    let control = [with_token, Step::Create].into_iter().find_map(|step| evidence.result(step).accepted());
    let there = evidence.cleaned(step).first().filter(|delete| delete.outcome() == Outcome::Accepted);
    let there = there.filter(|_| !says_yes_to_nothing(evidence));
    if let (ProbeResult::Rejected(rejected, _), Some(there)) = (evidence.result(step), there) {
        return fail("it was rejected, and the plant was created all the same", &[rejected, there]);
    }
    is_guarded(evidence.result(step), control)
}

fn delete_is_guarded(evidence: &Evidence, step: Step) -> Assessment {
    let tries = evidence.cleaned(step.plant_step());
    let absent = tries.first().filter(|delete| delete.answer().is_some_and(|answer| evidence.says_absent(answer)));
    if let (ProbeResult::Rejected(refused, _), Some(absent), ProbeResult::Accepted(..)) =
        (evidence.result(step), absent, evidence.result(Step::Delete))
    {
        return fail("it was rejected, and the plant was deleted all the same", &[refused, absent]);
    }
    is_guarded(evidence.result(step), tries.iter().find(|delete| delete.outcome() == Outcome::Accepted))
}
