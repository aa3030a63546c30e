//! The rules about a create and its response (`interface.md` §2 and §4.1).

use serde_json::Value;

use super::assessment::{accepted, fail, inconclusive, open, pass, pass_with};
use crate::check::evidence::{Evidence, ProbeResult, is_about_the_caller, text_change};
use crate::check::row::{Assessed, Reason};
use crate::check::steps::Step;
use crate::domain::mismatch::{differences, object};
use crate::domain::wire::masked_urls;
use crate::domain::{BodyEnd, Exchange, Field, Mismatch, Plant};
use crate::text::{clean_bytes, clean_fit};

/// Maximum columns of a body or a URL in a piece of evidence.
const BODY_COLUMNS: usize = 80;

pub(super) fn is_accepted(evidence: &Evidence, _: &[Step]) -> Assessed {
    match evidence.result(Step::Create) {
        ProbeResult::Accepted(exchange, _) => Ok(pass(&[exchange])),
        ProbeResult::Rejected(exchange, _) if wrong_base_url(exchange) => {
            let is_redirect = redirect_target(exchange).is_some();
            let why = if is_redirect { "the base URL or the token may be wrong" } else { "the base URL is wrong" };
            inconclusive(Reason::NoResponse, why, &[exchange])
        }
        ProbeResult::Rejected(exchange, response) if !is_about_the_caller(response.status) => {
            let why = match (evidence.accepted(Step::CreateAsString), response.status) {
                (Some(_), _) => "the store rejected an id that is a number, and wants it as a string",
                (None, 300..=399) => "the store redirected the create, and the check follows no redirects",
                (None, _) => "the store rejected the create",
            };
            let exchanges: Vec<_> = [exchange].into_iter().chain(evidence.accepted(Step::CreateAsString)).collect();
            Ok(fail(why, &exchanges))
        }
        result => open(result),
    }
}

pub(super) fn media_type(evidence: &Evidence, _: &[Step]) -> Assessed {
    let (exchange, response) = accepted(evidence, Step::Create)?;
    match (response.header("content-type"), response.other_media_type()) {
        (_, Some(other)) => Ok(fail(&format!("the media type is {}", clean_fit(other, 60)), &[exchange])),
        (Some(value), None) => Ok(pass_with(format!("content-type: {}", clean_fit(value, 60)), &[exchange])),
        (None, None) if response.body.is_empty() => {
            inconclusive(Reason::NotVisible, "the response has no body and no media type", &[exchange])
        }
        (None, None) => Ok(fail("the response has no content-type", &[exchange])),
    }
}

/// Returns how the response to the create differs from the document, if the response is complete.
fn response_to_create(evidence: &Evidence) -> Assessed<(&Exchange, Vec<Mismatch>)> {
    let (exchange, response) = accepted(evidence, Step::Create)?;
    if let Some(coding) = response.header("content-encoding").filter(|coding| !coding.eq_ignore_ascii_case("identity"))
    {
        let why = format!("the response is encoded as {}, which the check does not read", clean_fit(coding, 20));
        return inconclusive(Reason::NotVisible, &why, &[]);
    }
    match &response.body_end {
        BodyEnd::Complete => Ok((exchange, differences(&exchange.operation.kind, response))),
        BodyEnd::CutOff(_) => inconclusive(Reason::NoResponse, "the response is cut off", &[exchange]),
        BodyEnd::Capped(_) | BodyEnd::Trimmed | BodyEnd::Shortened(_) => {
            inconclusive(Reason::NoResponse, "the response was not read to its end", &[exchange])
        }
    }
}

fn is_no_object(difference: &Mismatch) -> bool {
    matches!(difference, Mismatch::Empty | Mismatch::NotJson | Mismatch::NotAnObject)
}

pub(super) fn json_object(evidence: &Evidence, _: &[Step]) -> Assessed {
    let (exchange, found) = response_to_create(evidence)?;
    match found.iter().find(|difference| is_no_object(difference)) {
        None => Ok(pass(&[exchange])),
        Some(difference) => Ok(fail(&difference.to_string(), &[exchange])),
    }
}

pub(super) fn name_and_tag(evidence: &Evidence, _: &[Step]) -> Assessed {
    let (exchange, found) = response_to_create(evidence)?;
    let plant = exchange.operation.kind.plant();
    if found.is_empty() {
        let came = exchange.response().and_then(|response| object(&response.body)).unwrap_or_default();
        let is_as_sent = |(field, sent): (&str, &String)| came.get(field).and_then(Value::as_str) == Some(sent);
        if plant.is_some_and(|plant| [("name", &plant.name), ("tag", &plant.tag)].into_iter().all(is_as_sent)) {
            return Ok(pass(&[exchange]));
        }
        let why = "a secret is masked in the response, so that name and tag cannot be compared";
        return inconclusive(Reason::NotVisible, why, &[exchange]);
    }
    if found.iter().any(is_no_object) {
        return inconclusive(Reason::NotVisible, "the response is not a JSON object", &[exchange]);
    }
    if let Some(body) = canned_body(evidence) {
        return Ok(fail(&format!("every create has the same response, whatever is sent: {body}"), &[exchange]));
    }
    let differences: Vec<_> = found.iter().map(|difference| describe(difference, plant)).collect();
    Ok(fail(&differences.join(", "), &[exchange]))
}

/// Describes a difference; names the change of a text if it is a usual one.
fn describe(difference: &Mismatch, plant: Option<&Plant>) -> String {
    let Mismatch::Changed { field, sent, came } = difference else { return difference.to_string() };
    let other = plant.map(|plant| if *field == Field::Name { ("tag", &plant.tag) } else { ("name", &plant.name) });
    match other.filter(|(_, text)| *text == came) {
        Some((other, _)) => format!("the {field} in the response holds the {other}"),
        None => match text_change(sent, came) {
            Some(change) => format!("the {field} in the response {change}"),
            None => difference.to_string(),
        },
    }
}

/// Returns the body of the responses to two creates of different names, if both have the same one, as those of a
/// mock server. The body must have a name or a tag: otherwise it may be an ordinary confirmation.
pub(in crate::check) fn canned_body(evidence: &Evidence) -> Option<String> {
    let body_of = |step| Some(&evidence.accepted(step)?.response()?.body);
    let (body, other) = (body_of(Step::Create)?, body_of(Step::PlantForSecond)?);
    let fields: serde_json::Value = serde_json::from_slice(body).ok()?;
    let has_a_plant = fields.get("name").or(fields.get("tag")).is_some_and(serde_json::Value::is_string);
    (body == other && has_a_plant).then(|| clean_fit(&clean_bytes(body), BODY_COLUMNS))
}

/// Whether the rejection of a create shows that the base URL is wrong: nothing is under the path, or it is elsewhere.
pub(in crate::check) fn wrong_base_url(create: &Exchange) -> bool {
    matches!(create.status(), Some(404 | 405)) || redirect_target(create).is_some()
}

/// Returns where a create is redirected to. A 303 does not count: it may follow a create that was carried out.
pub(in crate::check) fn redirect_target(create: &Exchange) -> Option<String> {
    let (request, response) = create.request.as_ref().zip(create.response())?;
    let location = response.header("location").filter(|_| matches!(response.status, 301 | 302 | 307 | 308))?;
    let target = url::Url::parse(&request.url).ok()?.join(&masked_urls(location)).ok()?;
    Some(clean_fit(target.as_str(), BODY_COLUMNS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Verdict;
    use crate::check::evidence::Purpose;
    use crate::check::tests::{exchange, responded};
    use crate::domain::{OperationKind, PlantId, Probe};

    #[test]
    fn name_and_tag_are_inconclusive_only_where_a_secret_is_masked() {
        let verdict = |body: &str| {
            let plant = Plant { name: "Fern".into(), id: PlantId(7), tag: "shade".into() };
            let mut evidence = Evidence::default();
            let create = exchange(1, OperationKind::add(plant), Probe::default(), responded(201, body));
            evidence.add(Some(Purpose::Probe(Step::Create)), create);
            let (Ok(found) | Err(found)) = name_and_tag(&evidence, &[]);
            found.verdict.unwrap()
        };
        for (body, expected) in [
            (r#"{"name":"Fern","tag":"shade"}"#, Verdict::Pass),
            (r#"{"name":"Fern","tag":"shade","id":*}"#, Verdict::Pass),
            (r#"{"name":"Oak","name":"Fern","tag":"shade"}"#, Verdict::Pass),
            (r#"{"name":"F***","tag":"shade"}"#, Verdict::Inconclusive),
            (r#"{"name":"Fern","tag":"*****"}"#, Verdict::Inconclusive),
            (r#"{"name":"Fern*","tag":"shade"}"#, Verdict::Fail),
        ] {
            assert_eq!(verdict(body), expected, "{body}");
        }
    }
}
