//! The silent parts: each "not shown" of the document that can be observed from outside, with
//! its probes and the words for what a store does there.
//!
//! Values hold nothing that is drawn by lot, so that two runs can be compared.

#![expect(clippy::wildcard_enum_match_arm, reason = "what is no yes and no no is told in one place")]

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::clauses::status_of;
use super::report::Observed;
use super::seen::{Said, Seen, line, other_number, status};
use super::steps::{EXTRA, NORMAL_FORMS, Step, UNICODE};
use crate::domain::text::clean_fit;
use crate::domain::{Answer, BodyEnd, Exchange, Outcome, Plant};

/// Columns of a piece of an answer in a value.
const PIECE: usize = 60;

/// How a value begins where nothing was seen: no answer shows it, or nothing was tried.
pub(super) const UNSEEN: [&str; 2] = ["could not tell: ", "not tried: "];

/// A part of which the document says nothing.
#[derive(Debug)]
pub struct Silent {
    /// Its stable name.
    pub name: &'static str,
    /// Where `interface.md` says "not shown", or leaves it open.
    pub section: &'static str,
    /// What is looked at, in words for people.
    pub subject: &'static str,
    /// The probes that show it.
    pub(super) steps: &'static [Step],
    tell: for<'a> fn(&'a Seen, &[Step]) -> Told<'a>,
    /// Whether it is told of every exchange, and not of its probes alone.
    pub(super) of_all: bool,
}

/// What a store does, before it has a name.
struct Told<'a> {
    value: String,
    on: Vec<&'a Exchange>,
}

const fn silent(
    name: &'static str,
    section: &'static str,
    subject: &'static str,
    steps: &'static [Step],
    tell: for<'a> fn(&'a Seen, &[Step]) -> Told<'a>,
) -> Silent {
    Silent { name, section, subject, steps, tell, of_all: false }
}

const fn of_all(
    name: &'static str,
    section: &'static str,
    subject: &'static str,
    steps: &'static [Step],
    tell: for<'a> fn(&'a Seen, &[Step]) -> Told<'a>,
) -> Silent {
    Silent { of_all: true, ..silent(name, section, subject, steps, tell) }
}

/// All silent parts, in the order of the document.
pub const SILENT: [Silent; 35] = [
    silent("name-missing", "2", "a create without a name", &[Step::NameMissing], one_create),
    silent("id-missing", "2", "a create without an id", &[Step::IdMissing], one_create),
    silent("tag-missing", "2", "a create without a tag", &[Step::TagMissing], one_create),
    silent("name-not-a-string", "2", "a number as name", &[Step::NameNotAString], one_create),
    silent("tag-not-a-string", "2", "a number as tag", &[Step::TagNotAString], one_create),
    silent("name-empty", "2", "an empty name", &[Step::NameEmpty], one_create),
    silent("tag-empty", "2", "an empty tag", &[Step::TagEmpty], one_create),
    silent("name-very-long", "2", "a name of 10,000 characters", &[Step::NameVeryLong], one_create),
    silent("tag-very-long", "2", "a tag of 10,000 characters", &[Step::TagVeryLong], one_create),
    silent("unicode", "2", "a name and tag with several spellings in Unicode", &[Step::Unicode], unicode),
    silent("extra-field", "2", "a field that the document does not have", &[Step::ExtraField], extra_field),
    silent("id-negative", "2", "a negative id", &[Step::IdNegative], one_create),
    silent("id-zero", "2", "0 as id", &[Step::IdZero], one_create),
    silent("id-past-2-53", "2", "an id past 2^53", &[Step::CreateBig], one_create),
    silent("id-largest", "2", "2^63-1 as id", &[Step::IdLargest], one_create),
    silent("id-smallest", "2", "-2^63 as id", &[Step::IdSmallest], one_create),
    silent("id-beyond-64-bits", "2", "an id that needs more than 64 bits", &[Step::IdBeyond], one_create),
    silent("id-as-string", "2", "an id in quotes", &[Step::IdAsString], one_create),
    silent("id-as-float", "2", "an id with a fraction", &[Step::IdAsFloat], one_create),
    silent("create-status", "4.1", "the status of a create", &[Step::Create], one_status),
    silent("id-in-answer", "4.1", "whether the answer to a create has the id", &[Step::Create], id_in_answer),
    silent("answer-fields", "4.1", "the fields of the answer to a create", &[Step::Create], answer_fields),
    silent("second-create", "4.1", "a second plant with the same id", &[Step::SecondCreate], second_create),
    silent("broken-json", "4.1", "a body that is no JSON", &[Step::BrokenJson], one_create),
    silent("media-type-missing", "4.1", "a create without a media type", &[Step::MediaTypeMissing], one_create),
    silent("media-type-wrong", "4.1", "a create as text/plain", &[Step::MediaTypeWrong], one_create),
    silent("delete-status", "4.2", "the status of a delete", &[Step::Delete], one_status),
    silent("delete-absent", "4.2", "a delete of an id that is not there", &[Step::DeleteAbsent], one_status),
    silent("delete-twice", "4.2", "a second delete of the same id", &[Step::DeleteTwice], one_status),
    silent("delete-not-an-integer", "4.2", "a delete of a word", &[Step::DeleteNotAnInteger], one_status),
    silent(
        "without-token",
        "7",
        "how a missing token is refused",
        &[Step::CreateWithoutToken, Step::DeleteWithoutToken],
        refusal,
    ),
    silent(
        "wrong-token",
        "7",
        "how a wrong token is refused",
        &[Step::CreateWrongToken, Step::DeleteWrongToken],
        refusal,
    ),
    silent(
        "other-scheme",
        "7",
        "how another scheme is refused",
        &[Step::CreateOtherScheme, Step::DeleteOtherScheme],
        refusal,
    ),
    of_all(
        "error-bodies",
        "7",
        "what a refusal has as its body",
        &[Step::CreateWithoutToken, Step::DeleteAbsent],
        bodies,
    ),
    of_all("limit-headers", "8", "headers that speak of limits", &[Step::Create, Step::Delete], limits),
];

impl Silent {
    /// The silent part of this name.
    pub fn called(name: &str) -> Option<&'static Self> {
        SILENT.iter().find(|silent| silent.name == name)
    }

    pub(super) fn observed(&self, seen: &Seen) -> Observed {
        let Told { value, on } = (self.tell)(seen, self.steps);
        let lines: Vec<_> = on.iter().map(|exchange| line(exchange)).collect();
        let evidence = match lines.as_slice() {
            [] if self.of_all => format!("{} answers looked through", seen.answers()),
            lines => lines.join("; "),
        };
        let exchanges = on.iter().map(|exchange| exchange.operation.id).collect();
        Observed { name: self.name.to_owned(), value, evidence, exchanges }
    }
}

/// The words where there was neither yes nor no.
fn open(said: Said<'_>) -> Told<'_> {
    match said {
        Said::Open(exchange) => {
            let why = match (exchange.outcome(), exchange.answer()) {
                (Outcome::NotSent, _) => "nothing reached the store".to_owned(),
                (_, Some(answer)) => format!("{} settles nothing", status(answer)),
                (_, None) => "no answer came".to_owned(),
            };
            Told { value: format!("could not tell: {why}"), on: vec![exchange] }
        }
        Said::Skipped(why) => Told { value: format!("not tried: {why}"), on: Vec::new() },
        Said::Yes(exchange, _) | Said::No(exchange, _) => Told { value: String::new(), on: vec![exchange] },
    }
}

/// `accepted: 201 Created`, or `refused: …`.
fn one_status<'a>(seen: &'a Seen, steps: &[Step]) -> Told<'a> {
    let Some(step) = steps.first() else { return open(Said::Skipped("")) };
    match seen.said(*step) {
        Said::Yes(exchange, answer) => Told { value: format!("accepted: {}", status(answer)), on: vec![exchange] },
        Said::No(exchange, answer) => Told { value: format!("refused: {}", status(answer)), on: vec![exchange] },
        said => open(said),
    }
}

/// The same, with what became of an accepted plant: whether it came back as it was sent, and
/// whether it could be deleted.
fn one_create<'a>(seen: &'a Seen, steps: &[Step]) -> Told<'a> {
    let mut told = one_status(seen, steps);
    let Some(step) = steps.first() else { return told };
    if let Said::Yes(exchange, answer) = seen.said(*step) {
        told.value.push_str(&came_back(exchange, answer));
        let (words, delete) = taken_away(seen, *step);
        told.value.push_str(words);
        told.on.extend(delete);
    }
    told
}

/// How name, tag and id came back, where that is not as they were sent.
fn came_back(exchange: &Exchange, answer: &Answer) -> String {
    let Some(fields) = object(answer) else { return "; the answer is no JSON object".to_owned() };
    let plant = exchange.operation.ask.plant().filter(|_| exchange.operation.is_by_the_document());
    let sent = |field| plant.map(|plant| if field == "name" { &plant.name } else { &plant.tag });
    let odd = ["name", "tag"].into_iter().filter_map(|field| match (fields.get(field), sent(field)) {
        (Some(Value::String(came)), Some(sent)) if came != sent => Some(format!("; its {field} came back changed")),
        (Some(Value::String(_)), _) => None,
        (Some(other), _) => Some(format!("; the answer has {field} as {}", kind(other))),
        (None, _) => Some(format!("; the answer has no {field}")),
    });
    let id = plant.and_then(|_| other_number(exchange, answer)).map(|_| "; its id came back as another".to_owned());
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

fn object(answer: &Answer) -> Option<Map<String, Value>> {
    match serde_json::from_slice(&answer.body) {
        Ok(Value::Object(fields)) if answer.body_end == BodyEnd::Complete => Some(fields),
        Ok(_) | Err(_) => None,
    }
}

/// What became of the deletes that were to take an accepted plant away.
fn taken_away(seen: &Seen, create: Step) -> (&'static str, Option<&Exchange>) {
    let by_probe = [(Step::CreateBig, Step::DeleteBig), (Step::CreateBig, Step::DeleteTwin)];
    for (_, delete) in by_probe.into_iter().filter(|(planted, _)| *planted == create) {
        if let Said::Yes(exchange, _) = seen.said(delete) {
            return ("", Some(exchange));
        }
    }
    let deletes = seen.cleaned(create);
    match deletes.iter().find(|delete| delete.outcome() == Outcome::Accepted) {
        Some(delete) => ("", Some(delete)),
        None => ("; it could not be deleted", deletes.last()),
    }
}

fn unicode<'a>(seen: &'a Seen, steps: &[Step]) -> Told<'a> {
    let mut told = one_status(seen, steps);
    let Said::Yes(exchange, answer) = seen.said(Step::Unicode) else { return told };
    let words = match (exchange.operation.ask.plant(), object(answer)) {
        (Some(plant), Some(fields)) => spelled(plant, &fields),
        (_, _) => "the answer shows neither name nor tag".to_owned(),
    };
    told.value = format!("{}; {words}", told.value);
    told.on.extend(taken_away(seen, Step::Unicode).1);
    told
}

/// In which normal form a name and a tag came back.
fn spelled(plant: &Plant, fields: &Map<String, Value>) -> String {
    let came = |field: &str| fields.get(field).and_then(Value::as_str);
    let (Some(name), Some(tag)) = (came("name"), came("tag")) else {
        return "the answer shows not both name and tag".to_owned();
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

fn extra_field<'a>(seen: &'a Seen, steps: &[Step]) -> Told<'a> {
    let mut told = one_create(seen, steps);
    if let Said::Yes(_, answer) = seen.said(Step::ExtraField) {
        let kept = object(answer).is_some_and(|fields| fields.contains_key(EXTRA));
        told.value.push_str(if kept { "; the answer has the field, too" } else { "; the answer does not have it" });
    }
    told
}

fn id_in_answer<'a>(seen: &'a Seen, _: &[Step]) -> Told<'a> {
    let said = seen.said(Step::Create);
    let Said::Yes(exchange, answer) = said else { return no_yes(said) };
    let sent = exchange.operation.ask.plant_id().0;
    let value = match object(answer).map(|fields| fields.get("id").cloned()) {
        None => "the answer is no JSON object",
        Some(None) => "no",
        Some(Some(Value::Number(id))) if id.as_i64() == Some(sent) => "yes, as it was sent",
        Some(Some(Value::Number(_))) => "yes, but another number than was sent",
        Some(Some(Value::String(id))) if id == sent.to_string() => "yes, as a string",
        Some(Some(Value::String(_))) => "yes, as another string than was sent",
        Some(Some(other)) => return Told { value: format!("yes, as {}", kind(&other)), on: vec![exchange] },
    };
    Told { value: value.to_owned(), on: vec![exchange] }
}

/// There is no yes whose answer could be looked at.
fn no_yes(said: Said<'_>) -> Told<'_> {
    match said {
        Said::No(exchange, _) => {
            Told { value: "could not tell: no create was accepted".to_owned(), on: vec![exchange] }
        }
        said => open(said),
    }
}

fn answer_fields<'a>(seen: &'a Seen, _: &[Step]) -> Told<'a> {
    let said = seen.said(Step::Create);
    let Said::Yes(exchange, answer) = said else { return no_yes(said) };
    let value = match object(answer) {
        Some(fields) if fields.is_empty() => "none".to_owned(),
        Some(fields) => {
            let names: Vec<_> = fields.keys().map(String::as_str).collect();
            clean_fit(&names.join(", "), 2 * PIECE)
        }
        None => "the answer is no JSON object".to_owned(),
    };
    Told { value, on: vec![exchange] }
}

fn second_create<'a>(seen: &'a Seen, steps: &[Step]) -> Told<'a> {
    let mut told = one_status(seen, steps);
    let Said::Yes(..) = seen.said(Step::SecondCreate) else { return told };
    let deletes = seen.cleaned(Step::PlantForSecond);
    let outcomes: Vec<_> = deletes.iter().map(Exchange::outcome).collect();
    let words = match outcomes.as_slice() {
        [Outcome::Accepted, Outcome::Refused, ..] => "; one delete was enough afterwards",
        [Outcome::Accepted, Outcome::Accepted, ..] if seen.said(Step::DeleteAbsent).is_yes() => "",
        [Outcome::Accepted, Outcome::Accepted, ..] => "; two deletes were accepted afterwards",
        _ => "",
    };
    told.value.push_str(words);
    told.on.extend(deletes);
    told
}

/// How create and delete are refused, and what the answers ask for instead.
fn refusal<'a>(seen: &'a Seen, steps: &[Step]) -> Told<'a> {
    let (mut values, mut on) = (Vec::new(), Vec::new());
    let mut challenge = None;
    for (word, step) in ["create", "delete"].into_iter().zip(steps) {
        let said = seen.said(*step);
        let value = status_of(said).unwrap_or_else(|| open(said).value);
        values.push(format!("{word} {value}"));
        if let Said::Yes(exchange, _) | Said::No(exchange, _) | Said::Open(exchange) = said {
            on.push(exchange);
        }
        if let Said::No(_, answer) = said {
            challenge = challenge.or(answer.header("www-authenticate"));
        }
    }
    if steps.iter().all(|step| status_of(seen.said(*step)).is_none()) {
        let first = steps.first().map_or(Said::Skipped(""), |step| seen.said(*step));
        return Told { on, ..open(first) };
    }
    values.extend(challenge.map(|challenge| format!("www-authenticate: {}", clean_fit(challenge, PIECE))));
    Told { value: values.join("; "), on }
}

/// The shapes of the bodies of all refusals.
fn bodies<'a>(seen: &'a Seen, _: &[Step]) -> Told<'a> {
    let mut shapes: BTreeMap<String, Vec<&Exchange>> = BTreeMap::new();
    for exchange in seen.all() {
        if let Said::No(_, answer) = Said::of(exchange) {
            shapes.entry(shape(answer)).or_default().push(exchange);
        }
    }
    let mut shapes: Vec<_> = shapes.into_iter().collect();
    shapes.sort_by_key(|(_, exchanges)| std::cmp::Reverse(exchanges.len()));
    let value = match shapes.as_slice() {
        [] => "could not tell: nothing was refused".to_owned(),
        [(shape, _)] => shape.clone(),
        several => several.iter().map(|(shape, _)| shape.as_str()).collect::<Vec<_>>().join("; or "),
    };
    let on = shapes.iter().filter_map(|(_, exchanges)| exchanges.first().copied());
    Told { value, on: on.collect() }
}

fn shape(answer: &Answer) -> String {
    if answer.body.is_empty() {
        return "no body".to_owned();
    }
    match serde_json::from_slice::<Value>(&answer.body) {
        Ok(Value::Object(fields)) if fields.is_empty() => "an empty JSON object".to_owned(),
        Ok(Value::Object(fields)) => {
            let names: Vec<_> = fields.keys().map(String::as_str).collect();
            format!("a JSON object with {}", clean_fit(&names.join(", "), PIECE))
        }
        Ok(other) => format!("JSON, {}", kind(&other)),
        Err(_) => match answer.header("content-type") {
            Some(media_type) => clean_fit(media_type, PIECE),
            None => "a body without a media type".to_owned(),
        },
    }
}

/// Headers that speak of limits, in any answer.
fn limits<'a>(seen: &'a Seen, _: &[Step]) -> Told<'a> {
    let mut found: BTreeMap<String, &Exchange> = BTreeMap::new();
    for exchange in seen.all() {
        for header in exchange.answer().into_iter().flat_map(|answer| &answer.headers) {
            let name = header.name.to_ascii_lowercase();
            if name == "retry-after" || ["ratelimit", "rate-limit", "quota"].iter().any(|part| name.contains(part)) {
                found.entry(clean_fit(&name, PIECE)).or_insert(exchange);
            }
        }
    }
    let value = match (found.is_empty(), seen.answers()) {
        (true, 0) => "could not tell: no answer came".to_owned(),
        (true, _) => "none".to_owned(),
        (false, _) => found.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
    };
    Told { value, on: found.into_values().collect() }
}
