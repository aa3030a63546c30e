//! The rules about a create and its response (`interface.md` §2 and §4.1).

use super::assessment::{Assessment, Reason, Verdict, fail, inconclusive, open, pass};
use crate::check::evidence::{Evidence, ProbeResult, changed_how, is_about_the_caller};
use crate::check::steps::Step;
use crate::domain::mismatch::differences;
use crate::domain::text::{clean_bytes, clean_fit};
use crate::domain::{BodyEnd, Exchange, Mismatch, Plant};

/// Columns of a body or a URL in a piece of evidence.
const BODY_COLUMNS: usize = 80;

pub(super) fn accepted(evidence: &Evidence) -> Assessment {
    match evidence.result(Step::Create) {
        ProbeResult::Accepted(exchange, _) => pass(&[exchange]),
        ProbeResult::Rejected(exchange, _) if wrong_base_url(exchange) => {
            inconclusive(Reason::NoResponse, "the base URL is wrong", &[exchange])
        }
        ProbeResult::Rejected(exchange, response) if !is_about_the_caller(response.status) => {
            let what = match response.status {
                300..=399 => "it was redirected, and redirects are never followed",
                _ => "it was rejected",
            };
            fail(what, &[exchange])
        }
        result => open(result),
    }
}

/// The create in the document's own words was not accepted: there is no response to assess.
fn no_yes_to_a_create(result: ProbeResult<'_>) -> Assessment {
    match result {
        ProbeResult::Rejected(exchange, _) => inconclusive(Reason::NoResponse, "no create was accepted", &[exchange]),
        ProbeResult::Accepted(..) | ProbeResult::Unknown(_) | ProbeResult::Skipped(_) => open(result),
    }
}

pub(super) fn media_type(evidence: &Evidence) -> Assessment {
    let (exchange, response) = match evidence.result(Step::Create) {
        ProbeResult::Accepted(exchange, response) => (exchange, response),
        result => return no_yes_to_a_create(result),
    };
    match response.header("content-type") {
        Some(value) if essence(value).eq_ignore_ascii_case("application/json") => {
            Assessment::new(Verdict::Pass, None, format!("content-type: {}", clean_fit(value, 60)), &[exchange])
        }
        Some(value) => fail(&format!("it is {}", clean_fit(value, 60)), &[exchange]),
        None if response.body.is_empty() => {
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
fn response_to_create(evidence: &Evidence) -> Result<(&Exchange, Vec<Mismatch>), Assessment> {
    let (exchange, response) = match evidence.result(Step::Create) {
        ProbeResult::Accepted(exchange, response) => (exchange, response),
        result => return Err(no_yes_to_a_create(result)),
    };
    if let Some(coding) = response.header("content-encoding").filter(|coding| !coding.eq_ignore_ascii_case("identity"))
    {
        let why =
            format!("the response is packed as {}, which was not requested and is not read", clean_fit(coding, 20));
        return Err(inconclusive(Reason::NotVisible, &why, &[]));
    }
    match &response.body_end {
        BodyEnd::Complete => Ok((exchange, differences(&exchange.operation.kind, response))),
        BodyEnd::CutOff(_) => Err(inconclusive(Reason::NoResponse, "the response breaks off", &[exchange])),
        BodyEnd::Capped(_) | BodyEnd::Trimmed => {
            Err(inconclusive(Reason::NoResponse, "not all of the response was read", &[exchange]))
        }
    }
}

fn is_no_object(difference: &Mismatch) -> bool {
    matches!(difference, Mismatch::Empty | Mismatch::NotJson | Mismatch::NotAnObject)
}

pub(super) fn json_object(evidence: &Evidence) -> Assessment {
    let (exchange, found) = match response_to_create(evidence) {
        Ok(response) => response,
        Err(assessment) => return assessment,
    };
    match found.iter().find(|difference| is_no_object(difference)) {
        None => pass(&[exchange]),
        Some(difference) => fail(&difference.to_string(), &[exchange]),
    }
}

pub(super) fn name_and_tag(evidence: &Evidence) -> Assessment {
    let (exchange, found) = match response_to_create(evidence) {
        Ok(response) => response,
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
    let plant = exchange.operation.kind.plant();
    let words: Vec<_> = found.iter().map(|difference| how_different(difference, plant)).collect();
    fail(&words.join(", "), &[exchange])
}

/// A difference in words; where the change of a text has a name, by that name.
fn how_different(difference: &Mismatch, plant: Option<&Plant>) -> String {
    let Mismatch::Changed { field, sent, came } = difference else { return difference.to_string() };
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
pub(in crate::check) fn canned_body(evidence: &Evidence) -> Option<String> {
    let body_of = |step| match evidence.result(step) {
        ProbeResult::Accepted(_, response) => Some(&response.body),
        _ => None,
    };
    let (body, other) = (body_of(Step::Create)?, body_of(Step::PlantForSecond)?);
    let fields: serde_json::Value = serde_json::from_slice(body).ok()?;
    let shows_a_plant = fields.get("name").or(fields.get("tag")).is_some_and(serde_json::Value::is_string);
    (body == other && shows_a_plant).then(|| clean_fit(&clean_bytes(body), BODY_COLUMNS))
}

/// Whether a create was rejected as no store would: there is nothing under its path, or it is
/// redirected to another origin.
pub(in crate::check) fn wrong_base_url(create: &Exchange) -> bool {
    match create.status() {
        Some(404 | 405) => true,
        Some(300..=399) => redirects_elsewhere(create).is_some(),
        _ => false,
    }
}

/// Where a request is redirected to, if that has another scheme, host or port.
pub(in crate::check) fn redirects_elsewhere(exchange: &Exchange) -> Option<String> {
    let (request, response) = exchange.request.as_ref().zip(exchange.response())?;
    let base = url::Url::parse(&request.url).ok()?;
    let place = base.join(response.header("location")?).ok()?;
    (place.origin() != base.origin()).then(|| clean_fit(place.as_str(), BODY_COLUMNS))
}
