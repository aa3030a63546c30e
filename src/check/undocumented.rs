//! Undocumented behaviour: each "not shown" of the document that can be observed from outside, with its probes and
//! the text for what a store does. Must not know verdicts or how a run gathers evidence.
//!
//! Values contain nothing random, so that two runs can be compared.

#![expect(
    clippy::unnecessary_wraps,
    clippy::wildcard_enum_match_arm,
    reason = "the functions have the type of those for rules; one describes every undecided probe"
)]

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::deletes::stored_all_the_same;
use super::evidence::{Evidence, ProbeResult, is_limit_header, other_number, text_change};
use super::row::{Assessed, Row, RowResult, row};
use super::steps::EXTRA;
use super::steps::Step::{
    self, BrokenJson, Create, CreateBig, CreateOtherScheme, CreateWithoutToken, CreateWrongToken, Delete, DeleteAbsent,
    DeleteNotAnInteger, DeleteOtherScheme, DeleteTwice, DeleteWithoutToken, DeleteWrongToken, ExtraField, IdAsFloat,
    IdAsString, IdBeyond, IdLargest, IdMissing, IdNegative, IdSmallest, IdZero, MediaTypeMissing, MediaTypeWrong,
    NameEmpty, NameMissing, NameNotAString, NameSpaced, NameVeryLong, SecondCreate, TagEmpty, TagMissing,
    TagNotAString, TagVeryLong, Unicode,
};
use crate::domain::{BodyEnd, Exchange, Outcome, Response, mismatch};
use crate::text::clean_fit;

/// Maximum columns of a piece of a response in a value.
const PIECE: usize = 60;

const NO_OBJECT: &str = "the response is not a JSON object";

/// All undocumented rows, in the order of the document's sections.
pub const UNDOCUMENTED: [Row; 36] = [
    row("name-missing", "2", "a create without a name", &[NameMissing], one_create),
    row("id-missing", "2", "a create without an id", &[IdMissing], one_create),
    row("tag-missing", "2", "a create without a tag", &[TagMissing], one_create),
    row("name-not-a-string", "2", "a number as name", &[NameNotAString], one_create),
    row("tag-not-a-string", "2", "a number as tag", &[TagNotAString], one_create),
    row("name-empty", "2", "an empty name", &[NameEmpty], one_create),
    row("tag-empty", "2", "an empty tag", &[TagEmpty], one_create),
    row("name-very-long", "2", "a name of 10,000 characters", &[NameVeryLong], one_create),
    row("tag-very-long", "2", "a tag of 10,000 characters", &[TagVeryLong], one_create),
    row("name-spaced", "2", "a name with a space at each end", &[NameSpaced], one_create),
    row("unicode", "2", "a name and tag with several encodings in Unicode", &[Unicode], one_create),
    row("extra-field", "2", "a field that the document does not have", &[ExtraField], one_create),
    row("id-negative", "2", "a negative id", &[IdNegative], one_create),
    row("id-zero", "2", "0 as id", &[IdZero], one_create),
    row("id-past-2-53", "2", "an id past 2^53", &[CreateBig], one_create),
    row("id-largest", "2", "2^63-1 as id", &[IdLargest], one_create),
    row("id-smallest", "2", "-2^63 as id", &[IdSmallest], one_create),
    row("id-beyond-64-bits", "2", "an id that needs more than 64 bits", &[IdBeyond], one_create),
    row("id-as-string", "2", "an id in quotes", &[IdAsString], one_create),
    row("id-as-float", "2", "an id with a fraction", &[IdAsFloat], one_create),
    row("create-status", "4.1", "the status of a create", &[Create], one_status),
    row("id-in-response", "4.1", "whether the response to a create has the id", &[Create], id_in_response),
    row("response-fields", "4.1", "the fields of the response to a create", &[Create], response_fields),
    row("second-create", "4.1", "a second plant with the same id", &[SecondCreate], second_create),
    row("broken-json", "4.1", "a body that is not JSON", &[BrokenJson], one_create),
    row("media-type-missing", "4.1", "a create without a media type", &[MediaTypeMissing], one_create),
    row("media-type-wrong", "4.1", "a create as text/plain", &[MediaTypeWrong], one_create),
    row("delete-status", "4.2", "the status of a delete", &[Delete], one_status),
    row("delete-absent", "4.2", "a delete of an id that is not there", &[DeleteAbsent], one_status),
    row("delete-twice", "4.2", "a second delete of the same id", &[DeleteTwice], one_status),
    row("delete-not-an-integer", "4.2", "a delete of an id that is not an integer", &[DeleteNotAnInteger], one_status),
    row("without-token", "7", "what happens without a token", &[CreateWithoutToken, DeleteWithoutToken], rejection),
    row("wrong-token", "7", "what happens with a wrong token", &[CreateWrongToken, DeleteWrongToken], rejection),
    row("other-scheme", "7", "what happens with another scheme", &[CreateOtherScheme, DeleteOtherScheme], rejection),
    row("error-bodies", "7", "the body of a rejection", &[CreateWithoutToken, DeleteAbsent], error_bodies).of_all(),
    row("limit-headers", "8", "headers about limits", &[Create, Delete], limit_headers).of_all(),
];

/// Returns the result of a row, with the exchanges that show it.
fn found<'a>(value: String, is_observed: bool, exchanges: impl IntoIterator<Item = &'a Exchange>) -> Assessed {
    let mut found = RowResult { value, is_observed: Some(is_observed), ..RowResult::default() };
    for exchange in exchanges {
        found.add(exchange);
    }
    Ok(found)
}

/// Describes the result of the first step.
fn one_status(evidence: &Evidence, steps: &[Step]) -> Assessed {
    let result = steps.first().map_or(ProbeResult::Skipped(""), |step| evidence.result(*step));
    found(result.to_string(), result.is_decided(), result.exchange())
}

/// Describes a create like [`one_status`], and whether its plant came back unchanged and could be deleted.
fn one_create(evidence: &Evidence, steps: &[Step]) -> Assessed {
    let mut found = one_status(evidence, steps)?;
    let Some(step) = steps.first() else { return Ok(found) };
    if let ProbeResult::Accepted(exchange, response) = evidence.result(*step) {
        let differences = differences(exchange, response);
        let (kept, delete) = clean_up(evidence, *step);
        let has_extra = || object(response).is_some_and(|fields| fields.contains_key(EXTRA));
        let more = match step {
            Unicode if differences.is_empty() => "; name and tag came back unchanged",
            ExtraField if has_extra() => "; the response also has the field",
            ExtraField => "; the response does not have it",
            _ => "",
        };
        found.value.extend([&*differences, kept, more]);
        if let Some(delete) = delete {
            found.add(delete);
        }
    }
    if let Some(delete) = stored_all_the_same(evidence, *step) {
        found.value.push_str("; the store had the plant all the same");
        found.add(delete);
    }
    Ok(found)
}

/// Describes how name, tag and id in a response differ from those that were sent.
fn differences(exchange: &Exchange, response: &Response) -> String {
    let Some(fields) = object(response) else { return format!("; {NO_OBJECT}") };
    let plant = exchange.operation.kind.plant().filter(|_| exchange.operation.follows_document());
    let sent = |field| plant.map(|plant| if field == "name" { &plant.name } else { &plant.tag });
    let texts = ["name", "tag"].into_iter().filter_map(|field| match (fields.get(field), sent(field)) {
        (Some(Value::String(came)), Some(sent)) if came != sent => {
            Some(format!("; its {field} {}", text_change(sent, came).unwrap_or("came back changed")))
        }
        (Some(Value::String(_)), _) => None,
        (Some(other), _) => Some(format!("; the response has {field} as {}", kind(other))),
        (None, _) => Some(format!("; the response has no {field}")),
    });
    let id = plant.and_then(|_| other_number(exchange, response)).map(|_| "; its id came back as another".to_owned());
    texts.chain(id).collect()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn object(response: &Response) -> Option<Map<String, Value>> {
    mismatch::object(&response.body).filter(|_| response.body_end == BodyEnd::Complete)
}

/// Returns the delete that decides whether the plant of a create could be deleted, and a text if it could not.
fn clean_up(evidence: &Evidence, create: Step) -> (&'static str, Option<&Exchange>) {
    let probes: &[Step] = if create == CreateBig { &[Step::DeleteBig, Step::DeleteTwin] } else { &[] };
    let accepted =
        probes.iter().find_map(|step| evidence.accepted(*step)).or_else(|| evidence.accepted_clean_up(create));
    if accepted.is_some() {
        ("", accepted)
    } else {
        ("; it could not be deleted", evidence.clean_ups(create).next_back())
    }
}

/// Describes the response to the first create, if that was accepted.
fn of_response(evidence: &Evidence, describe_response: impl Fn(&Exchange, &Response) -> String) -> Assessed {
    let result = evidence.result(Create);
    let is_observed = matches!(result, ProbeResult::Accepted(..));
    let value = match result {
        ProbeResult::Accepted(exchange, response) => describe_response(exchange, response),
        ProbeResult::Rejected(..) => "inconclusive: the create was rejected".to_owned(),
        result => result.to_string(),
    };
    found(value, is_observed, result.exchange())
}

fn id_in_response(evidence: &Evidence, _: &[Step]) -> Assessed {
    of_response(evidence, |exchange, response| {
        let sent = exchange.operation.kind.plant_id().0;
        let Some(fields) = object(response) else { return NO_OBJECT.to_owned() };
        let value = match fields.get("id") {
            None => "no",
            Some(Value::Number(id)) if id.as_i64() == Some(sent) => "yes, as it was sent",
            Some(Value::Number(_)) => "yes, but another number than was sent",
            Some(Value::String(id)) if *id == sent.to_string() => "yes, as a string",
            Some(Value::String(_)) => "yes, as another string than was sent",
            Some(other) => return format!("yes, as {}", kind(other)),
        };
        value.to_owned()
    })
}

fn response_fields(evidence: &Evidence, _: &[Step]) -> Assessed {
    of_response(evidence, |_, response| match object(response) {
        Some(fields) if fields.is_empty() => "none".to_owned(),
        Some(fields) => names(&fields, 2 * PIECE),
        None => NO_OBJECT.to_owned(),
    })
}

fn names(fields: &Map<String, Value>, columns: usize) -> String {
    clean_fit(&fields.keys().map(String::as_str).collect::<Vec<_>>().join(", "), columns)
}

fn second_create(evidence: &Evidence, steps: &[Step]) -> Assessed {
    let mut found = one_status(evidence, steps)?;
    if evidence.accepted(SecondCreate).is_none() {
        return Ok(found);
    }
    let deletes: Vec<_> = evidence.clean_ups(Step::PlantForSecond).collect();
    let outcomes: Vec<_> = deletes.iter().map(|delete| delete.outcome()).collect();
    found.value.push_str(match outcomes.as_slice() {
        [Outcome::Accepted, Outcome::Rejected, ..] => "; one delete was enough afterwards",
        [Outcome::Accepted, Outcome::Accepted, ..] if evidence.accepted(DeleteAbsent).is_none() => {
            "; two deletes were accepted afterwards"
        }
        _ => "",
    });
    for delete in deletes {
        found.add(delete);
    }
    Ok(found)
}

/// Describes a create and a delete with other credentials, and the challenge in the response.
fn rejection(evidence: &Evidence, steps: &[Step]) -> Assessed {
    let results: Vec<_> = steps.iter().map(|step| evidence.result(*step)).collect();
    let exchanges = results.iter().filter_map(|result| result.exchange());
    if let (Some(first), None) = (results.first(), results.iter().find(|result| result.is_decided())) {
        return found(first.to_string(), false, exchanges);
    }
    let described = ["create", "delete"].iter().zip(&results);
    let mut values: Vec<_> = described.map(|(word, result)| format!("{word} {result}")).collect();
    let challenge = results.iter().find_map(|result| match result {
        ProbeResult::Rejected(_, response) => response.header("www-authenticate"),
        _ => None,
    });
    values.extend(challenge.map(|challenge| format!("www-authenticate: {}", clean_fit(challenge, PIECE))));
    found(values.join("; "), true, exchanges)
}

/// Describes the shapes of the bodies of all rejections, by name: how often each came differs from run to run.
fn error_bodies(evidence: &Evidence, _: &[Step]) -> Assessed {
    let mut shapes: BTreeMap<String, &Exchange> = BTreeMap::new();
    for exchange in evidence.valid() {
        if let ProbeResult::Rejected(_, response) = ProbeResult::of(exchange) {
            shapes.entry(shape(response)).or_insert(exchange);
        }
    }
    let (names, exchanges): (Vec<_>, Vec<_>) = shapes.into_iter().unzip();
    let is_observed = !names.is_empty();
    let value = if is_observed { names.join("; or ") } else { "inconclusive: nothing was rejected".to_owned() };
    found(value, is_observed, exchanges)
}

fn shape(response: &Response) -> String {
    if response.body.is_empty() {
        return "no body".to_owned();
    }
    match serde_json::from_slice::<Value>(&response.body) {
        Ok(Value::Object(fields)) if fields.is_empty() => "an empty JSON object".to_owned(),
        Ok(Value::Object(fields)) => format!("a JSON object with {}", names(&fields, PIECE)),
        Ok(other) => format!("JSON, {}", kind(&other)),
        Err(_) => match response.header("content-type") {
            Some(media_type) => clean_fit(media_type, PIECE),
            None => "a body without a media type".to_owned(),
        },
    }
}

/// Lists the headers about limits of all responses.
fn limit_headers(evidence: &Evidence, _: &[Step]) -> Assessed {
    let mut headers: BTreeMap<String, &Exchange> = BTreeMap::new();
    for exchange in evidence.all() {
        for header in exchange.response().into_iter().flat_map(|response| &*response.headers) {
            if is_limit_header(&header.name) {
                headers.entry(clean_fit(&header.name.to_ascii_lowercase(), PIECE)).or_insert(exchange);
            }
        }
    }
    let responses = evidence.count_responses();
    let names: Vec<_> = headers.keys().map(String::as_str).collect();
    let value = match (names.is_empty(), responses) {
        (true, 0) => "inconclusive: no response came".to_owned(),
        (true, _) => "none".to_owned(),
        (false, _) => names.join(", "),
    };
    found(value, responses > 0, headers.into_values())
}
