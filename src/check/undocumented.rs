//! Undocumented behaviour: each "not shown" of the document that can be observed from outside, with
//! its probes and the words for what a store does there.
//!
//! Values hold nothing that is drawn by lot, so that two runs can be compared.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a probe that was neither accepted nor rejected is described in one place"
)]

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::evidence::{Evidence, ProbeResult, changed_how, line, other_number, status};
use super::steps::{EXTRA, NORMAL_FORMS, Step, UNICODE};
use crate::domain::text::clean_fit;
use crate::domain::{BodyEnd, Exchange, OperationId, Outcome, Plant, Response};

/// Columns of a piece of a response in a value.
const PIECE: usize = 60;

/// How a value begins where nothing was observed: no response shows it, or nothing was tried.
const UNSEEN: [&str; 2] = ["inconclusive: ", "not tried: "];

/// A part of which the document says nothing, by its stable name.
#[derive(Debug)]
pub struct Undocumented {
    pub name: &'static str,
    /// Where `interface.md` says "not shown", or leaves it open.
    pub section: &'static str,
    /// What is looked at, in words for people.
    pub subject: &'static str,
    pub(super) steps: &'static [Step],
    describe: for<'a> fn(&'a Evidence, &[Step]) -> Finding<'a>,
    /// Whether it is told of every exchange, and not of its probes alone.
    pub(super) of_all: bool,
}

/// What a store does, before it has a name.
struct Finding<'a> {
    value: String,
    on: Vec<&'a Exchange>,
}

const fn row(
    name: &'static str,
    section: &'static str,
    subject: &'static str,
    steps: &'static [Step],
    describe: for<'a> fn(&'a Evidence, &[Step]) -> Finding<'a>,
) -> Undocumented {
    Undocumented { name, section, subject, steps, describe, of_all: false }
}

/// All undocumented rows, in the order of the document.
pub const UNDOCUMENTED: [Undocumented; 36] = [
    row("name-missing", "2", "a create without a name", &[Step::NameMissing], one_create),
    row("id-missing", "2", "a create without an id", &[Step::IdMissing], one_create),
    row("tag-missing", "2", "a create without a tag", &[Step::TagMissing], one_create),
    row("name-not-a-string", "2", "a number as name", &[Step::NameNotAString], one_create),
    row("tag-not-a-string", "2", "a number as tag", &[Step::TagNotAString], one_create),
    row("name-empty", "2", "an empty name", &[Step::NameEmpty], one_create),
    row("tag-empty", "2", "an empty tag", &[Step::TagEmpty], one_create),
    row("name-very-long", "2", "a name of 10,000 characters", &[Step::NameVeryLong], one_create),
    row("tag-very-long", "2", "a tag of 10,000 characters", &[Step::TagVeryLong], one_create),
    row("name-spaced", "2", "a name with a space at each end", &[Step::NameSpaced], one_create),
    row("unicode", "2", "a name and tag with several spellings in Unicode", &[Step::Unicode], unicode),
    row("extra-field", "2", "a field that the document does not have", &[Step::ExtraField], extra_field),
    row("id-negative", "2", "a negative id", &[Step::IdNegative], one_create),
    row("id-zero", "2", "0 as id", &[Step::IdZero], one_create),
    row("id-past-2-53", "2", "an id past 2^53", &[Step::CreateBig], one_create),
    row("id-largest", "2", "2^63-1 as id", &[Step::IdLargest], one_create),
    row("id-smallest", "2", "-2^63 as id", &[Step::IdSmallest], one_create),
    row("id-beyond-64-bits", "2", "an id that needs more than 64 bits", &[Step::IdBeyond], one_create),
    row("id-as-string", "2", "an id in quotes", &[Step::IdAsString], one_create),
    row("id-as-float", "2", "an id with a fraction", &[Step::IdAsFloat], one_create),
    row("create-status", "4.1", "the status of a create", &[Step::Create], one_status),
    row("id-in-response", "4.1", "whether the response to a create has the id", &[Step::Create], id_in_response),
    row("response-fields", "4.1", "the fields of the response to a create", &[Step::Create], response_fields),
    row("second-create", "4.1", "a second plant with the same id", &[Step::SecondCreate], second_create),
    row("broken-json", "4.1", "a body that is no JSON", &[Step::BrokenJson], one_create),
    row("media-type-missing", "4.1", "a create without a media type", &[Step::MediaTypeMissing], one_create),
    row("media-type-wrong", "4.1", "a create as text/plain", &[Step::MediaTypeWrong], one_create),
    row("delete-status", "4.2", "the status of a delete", &[Step::Delete], one_status),
    row("delete-absent", "4.2", "a delete of an id that is not there", &[Step::DeleteAbsent], one_status),
    row("delete-twice", "4.2", "a second delete of the same id", &[Step::DeleteTwice], one_status),
    row("delete-not-an-integer", "4.2", "a delete of a word", &[Step::DeleteNotAnInteger], one_status),
    row(
        "without-token",
        "7",
        "what happens without a token",
        &[Step::CreateWithoutToken, Step::DeleteWithoutToken],
        refusal,
    ),
    row(
        "wrong-token",
        "7",
        "what happens with a wrong token",
        &[Step::CreateWrongToken, Step::DeleteWrongToken],
        refusal,
    ),
    row(
        "other-scheme",
        "7",
        "what happens with another scheme",
        &[Step::CreateOtherScheme, Step::DeleteOtherScheme],
        refusal,
    ),
    row(
        "error-bodies",
        "7",
        "what a rejection has as its body",
        &[Step::CreateWithoutToken, Step::DeleteAbsent],
        bodies,
    )
    .of_all(),
    row("limit-headers", "8", "headers that speak of limits", &[Step::Create, Step::Delete], limits).of_all(),
];

impl Undocumented {
    const fn of_all(self) -> Self {
        Self { of_all: true, ..self }
    }

    pub fn called(name: &str) -> Option<&'static Self> {
        UNDOCUMENTED.iter().find(|row| row.name == name)
    }

    pub(super) fn observe(&self, evidence: &Evidence) -> Observation {
        let Finding { value, on } = (self.describe)(evidence, self.steps);
        let lines: Vec<_> = on.iter().map(|exchange| line(exchange)).collect();
        let evidence = match lines.as_slice() {
            [] if self.of_all => format!("{} responses searched", evidence.responses()),
            lines => lines.join("; "),
        };
        let exchanges = on.iter().map(|exchange| exchange.operation.id).collect();
        Observation { name: self.name.to_owned(), value, evidence, exchanges }
    }
}

/// What the store does where the document says "not shown".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    pub name: String,
    /// What this store does, in a line that is harmless to show.
    pub value: String,
    /// What was observed, likewise.
    pub evidence: String,
    pub exchanges: Vec<OperationId>,
}

impl Observation {
    /// Where `interface.md` leaves it open; `None` for a name of another release.
    pub fn section(&self) -> Option<&'static str> {
        Undocumented::called(&self.name).map(|row| row.section)
    }

    /// What was looked at; the name alone, where it is of another release.
    pub fn subject(&self) -> &str {
        Undocumented::called(&self.name).map_or(&self.name, |row| row.subject)
    }

    /// Whether anything was seen of it.
    pub fn is_seen(&self) -> bool {
        !UNSEEN.iter().any(|words| self.value.starts_with(words))
    }
}

/// The words where there was neither yes nor no.
fn open(result: ProbeResult<'_>) -> Finding<'_> {
    match result {
        ProbeResult::Unknown(exchange) => {
            let why = match (exchange.outcome(), exchange.response()) {
                (Outcome::NotSent, _) => "nothing reached the store".to_owned(),
                (_, Some(response)) => format!("{} decides nothing", status(response)),
                (_, None) => "no response came".to_owned(),
            };
            Finding { value: format!("inconclusive: {why}"), on: vec![exchange] }
        }
        ProbeResult::Skipped(why) => Finding { value: format!("not tried: {why}"), on: Vec::new() },
        ProbeResult::Accepted(exchange, _) | ProbeResult::Rejected(exchange, _) => {
            Finding { value: String::new(), on: vec![exchange] }
        }
    }
}

/// `accepted: 201 Created`, or `rejected: …`.
fn one_status<'a>(evidence: &'a Evidence, steps: &[Step]) -> Finding<'a> {
    let Some(step) = steps.first() else { return open(ProbeResult::Skipped("")) };
    match evidence.result(*step) {
        ProbeResult::Accepted(exchange, response) => {
            Finding { value: format!("accepted: {}", status(response)), on: vec![exchange] }
        }
        ProbeResult::Rejected(exchange, response) => {
            Finding { value: format!("rejected: {}", status(response)), on: vec![exchange] }
        }
        result => open(result),
    }
}

/// The same, with what became of an accepted plant: whether it came back as it was sent, and
/// whether it could be deleted.
fn one_create<'a>(evidence: &'a Evidence, steps: &[Step]) -> Finding<'a> {
    let mut found = one_status(evidence, steps);
    let Some(step) = steps.first() else { return found };
    if let ProbeResult::Accepted(exchange, response) = evidence.result(*step) {
        found.value.push_str(&came_back(exchange, response));
        let (words, delete) = taken_away(evidence, *step);
        found.value.push_str(words);
        found.on.extend(delete);
    }
    found
}

/// How name, tag and id came back, where that is not as they were sent.
fn came_back(exchange: &Exchange, response: &Response) -> String {
    let Some(fields) = object(response) else { return "; the response is no JSON object".to_owned() };
    let plant = exchange.operation.kind.plant().filter(|_| exchange.operation.follows_document());
    let sent = |field| plant.map(|plant| if field == "name" { &plant.name } else { &plant.tag });
    let odd = ["name", "tag"].into_iter().filter_map(|field| match (fields.get(field), sent(field)) {
        (Some(Value::String(came)), Some(sent)) if came != sent => {
            Some(format!("; its {field} {}", changed_how(sent, came).unwrap_or("came back changed")))
        }
        (Some(Value::String(_)), _) => None,
        (Some(other), _) => Some(format!("; the response has {field} as {}", kind(other))),
        (None, _) => Some(format!("; the response has no {field}")),
    });
    let id = plant.and_then(|_| other_number(exchange, response)).map(|_| "; its id came back as another".to_owned());
    odd.chain(id).collect()
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
    match serde_json::from_slice(&response.body) {
        Ok(Value::Object(fields)) if response.body_end == BodyEnd::Complete => Some(fields),
        Ok(_) | Err(_) => None,
    }
}

/// What became of the deletes that were to take an accepted plant away.
fn taken_away(evidence: &Evidence, create: Step) -> (&'static str, Option<&Exchange>) {
    let by_probe = [(Step::CreateBig, Step::DeleteBig), (Step::CreateBig, Step::DeleteTwin)];
    for (_, delete) in by_probe.into_iter().filter(|(planted, _)| *planted == create) {
        if let ProbeResult::Accepted(exchange, _) = evidence.result(delete) {
            return ("", Some(exchange));
        }
    }
    let deletes = evidence.cleaned(create);
    match deletes.iter().find(|delete| delete.outcome() == Outcome::Accepted) {
        Some(delete) => ("", Some(delete)),
        None => ("; it could not be deleted", deletes.last()),
    }
}

fn unicode<'a>(evidence: &'a Evidence, steps: &[Step]) -> Finding<'a> {
    let mut found = one_status(evidence, steps);
    let ProbeResult::Accepted(exchange, response) = evidence.result(Step::Unicode) else { return found };
    let words = match (exchange.operation.kind.plant(), object(response)) {
        (Some(plant), Some(fields)) => spelled(plant, &fields),
        (_, _) => "the response shows neither name nor tag".to_owned(),
    };
    found.value = format!("{}; {words}", found.value);
    found.on.extend(taken_away(evidence, Step::Unicode).1);
    found
}

/// In which normal form a name and a tag came back.
fn spelled(plant: &Plant, fields: &Map<String, Value>) -> String {
    let came = |field: &str| fields.get(field).and_then(Value::as_str);
    let (Some(name), Some(tag)) = (came("name"), came("tag")) else {
        return "the response does not show both name and tag".to_owned();
    };
    let are = |form: &str| {
        let expected = |sent: &str| sent.replace(UNICODE, form);
        name == expected(&plant.name) && tag == expected(&plant.tag)
    };
    if are(UNICODE) {
        return "name and tag came back code point by code point".to_owned();
    }
    match NORMAL_FORMS.iter().find(|(_, form)| are(form)) {
        Some((normal_form, _)) => format!("name and tag came back in {normal_form}"),
        None => "name and tag came back changed".to_owned(),
    }
}

fn extra_field<'a>(evidence: &'a Evidence, steps: &[Step]) -> Finding<'a> {
    let mut found = one_create(evidence, steps);
    if let ProbeResult::Accepted(_, response) = evidence.result(Step::ExtraField) {
        let kept = object(response).is_some_and(|fields| fields.contains_key(EXTRA));
        found.value.push_str(if kept {
            "; the response has the field, too"
        } else {
            "; the response does not have it"
        });
    }
    found
}

fn id_in_response<'a>(evidence: &'a Evidence, _: &[Step]) -> Finding<'a> {
    let result = evidence.result(Step::Create);
    let ProbeResult::Accepted(exchange, response) = result else { return no_yes(result) };
    let sent = exchange.operation.kind.plant_id().0;
    let value = match object(response).map(|fields| fields.get("id").cloned()) {
        None => "the response is no JSON object",
        Some(None) => "no",
        Some(Some(Value::Number(id))) if id.as_i64() == Some(sent) => "yes, as it was sent",
        Some(Some(Value::Number(_))) => "yes, but another number than was sent",
        Some(Some(Value::String(id))) if id == sent.to_string() => "yes, as a string",
        Some(Some(Value::String(_))) => "yes, as another string than was sent",
        Some(Some(other)) => return Finding { value: format!("yes, as {}", kind(&other)), on: vec![exchange] },
    };
    Finding { value: value.to_owned(), on: vec![exchange] }
}

/// There is no yes whose response could be looked at.
fn no_yes(result: ProbeResult<'_>) -> Finding<'_> {
    match result {
        ProbeResult::Rejected(exchange, _) => {
            Finding { value: "inconclusive: no create was accepted".to_owned(), on: vec![exchange] }
        }
        result => open(result),
    }
}

fn response_fields<'a>(evidence: &'a Evidence, _: &[Step]) -> Finding<'a> {
    let result = evidence.result(Step::Create);
    let ProbeResult::Accepted(exchange, response) = result else { return no_yes(result) };
    let value = match object(response) {
        Some(fields) if fields.is_empty() => "none".to_owned(),
        Some(fields) => {
            let names: Vec<_> = fields.keys().map(String::as_str).collect();
            clean_fit(&names.join(", "), 2 * PIECE)
        }
        None => "the response is no JSON object".to_owned(),
    };
    Finding { value, on: vec![exchange] }
}

fn second_create<'a>(evidence: &'a Evidence, steps: &[Step]) -> Finding<'a> {
    let mut found = one_status(evidence, steps);
    let ProbeResult::Accepted(..) = evidence.result(Step::SecondCreate) else { return found };
    let deletes = evidence.cleaned(Step::PlantForSecond);
    let outcomes: Vec<_> = deletes.iter().map(Exchange::outcome).collect();
    let words = match outcomes.as_slice() {
        [Outcome::Accepted, Outcome::Rejected, ..] => "; one delete was enough afterwards",
        [Outcome::Accepted, Outcome::Accepted, ..] if evidence.result(Step::DeleteAbsent).is_accepted() => "",
        [Outcome::Accepted, Outcome::Accepted, ..] => "; two deletes were accepted afterwards",
        _ => "",
    };
    found.value.push_str(words);
    found.on.extend(deletes);
    found
}

/// What create and delete come to with such credentials, and what the responses ask for instead.
fn refusal<'a>(evidence: &'a Evidence, steps: &[Step]) -> Finding<'a> {
    let (mut values, mut on) = (Vec::new(), Vec::new());
    let mut challenge = None;
    for (word, step) in ["create", "delete"].into_iter().zip(steps) {
        let result = evidence.result(*step);
        let value = match result {
            ProbeResult::Accepted(_, response) => format!("accepted: {}", status(response)),
            ProbeResult::Rejected(_, response) => format!("rejected: {}", status(response)),
            ProbeResult::Unknown(_) | ProbeResult::Skipped(_) => open(result).value,
        };
        values.push(format!("{word} {value}"));
        if let ProbeResult::Accepted(exchange, _)
        | ProbeResult::Rejected(exchange, _)
        | ProbeResult::Unknown(exchange) = result
        {
            on.push(exchange);
        }
        if let ProbeResult::Rejected(_, response) = result {
            challenge = challenge.or(response.header("www-authenticate"));
        }
    }
    let is_open = |step: &Step| matches!(evidence.result(*step), ProbeResult::Unknown(_) | ProbeResult::Skipped(_));
    if steps.iter().all(is_open) {
        let first = steps.first().map_or(ProbeResult::Skipped(""), |step| evidence.result(*step));
        return Finding { on, ..open(first) };
    }
    values.extend(challenge.map(|challenge| format!("www-authenticate: {}", clean_fit(challenge, PIECE))));
    Finding { value: values.join("; "), on }
}

/// The shapes of the bodies of all rejections.
fn bodies<'a>(evidence: &'a Evidence, _: &[Step]) -> Finding<'a> {
    let mut shapes: BTreeMap<String, Vec<&Exchange>> = BTreeMap::new();
    for exchange in evidence.all() {
        if let ProbeResult::Rejected(_, response) = ProbeResult::of(exchange) {
            shapes.entry(shape(response)).or_default().push(exchange);
        }
    }
    let mut shapes: Vec<_> = shapes.into_iter().collect();
    shapes.sort_by_key(|(_, exchanges)| std::cmp::Reverse(exchanges.len()));
    let value = match shapes.as_slice() {
        [] => "inconclusive: nothing was rejected".to_owned(),
        [(shape, _)] => shape.clone(),
        several => several.iter().map(|(shape, _)| shape.as_str()).collect::<Vec<_>>().join("; or "),
    };
    let on = shapes.iter().filter_map(|(_, exchanges)| exchanges.first().copied());
    Finding { value, on: on.collect() }
}

fn shape(response: &Response) -> String {
    if response.body.is_empty() {
        return "no body".to_owned();
    }
    match serde_json::from_slice::<Value>(&response.body) {
        Ok(Value::Object(fields)) if fields.is_empty() => "an empty JSON object".to_owned(),
        Ok(Value::Object(fields)) => {
            let names: Vec<_> = fields.keys().map(String::as_str).collect();
            format!("a JSON object with {}", clean_fit(&names.join(", "), PIECE))
        }
        Ok(other) => format!("JSON, {}", kind(&other)),
        Err(_) => match response.header("content-type") {
            Some(media_type) => clean_fit(media_type, PIECE),
            None => "a body without a media type".to_owned(),
        },
    }
}

/// Headers that speak of limits, in any response.
fn limits<'a>(evidence: &'a Evidence, _: &[Step]) -> Finding<'a> {
    let mut found: BTreeMap<String, &Exchange> = BTreeMap::new();
    for exchange in evidence.all() {
        for header in exchange.response().into_iter().flat_map(|response| &response.headers) {
            let name = header.name.to_ascii_lowercase();
            if name == "retry-after" || ["ratelimit", "rate-limit", "quota"].iter().any(|part| name.contains(part)) {
                found.entry(clean_fit(&name, PIECE)).or_insert(exchange);
            }
        }
    }
    let value = match (found.is_empty(), evidence.responses()) {
        (true, 0) => "inconclusive: no response came".to_owned(),
        (true, _) => "none".to_owned(),
        (false, _) => found.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
    };
    Finding { value, on: found.into_values().collect() }
}
