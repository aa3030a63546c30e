//! Describes an exchange in one to three sentences for people who do not know HTTP.
//!
//! Uses no status code and no jargon, and claims no more than is proven. [`super::sentence`] describes the same
//! exchange for engineers.

use std::time::Duration;

use super::exchange::{Ending, Exchange, FailureKind};
use super::ledger::{Details, Resolution, Row, State};
use super::mismatch::Mismatch;
use super::operation::OperationKind;
use super::outcome::Outcome;
use super::sentence::span;
use crate::text::clean_fit;

/// The most columns of a name or another value inside a sentence.
const QUOTED_COLUMNS: usize = 32;

/// Describes an operation in flight. `name` is the name of the plant of a delete, if known.
pub fn describe_operation(kind: &OperationKind, name: Option<&str>) -> String {
    let id = kind.plant_id();
    match name_of(kind, name) {
        Some(name) => format!("Please {} {name}, plant {id}.", kind.word()),
        None => format!("Please {} plant {id}.", kind.word()),
    }
}

/// What is known about an exchange that it does not contain itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The name of the plant of a delete.
    pub name: Option<&'a str>,
    /// The operation that had left the plant unknown before.
    pub unknown: Option<&'a OperationKind>,
    /// Whether the store rejected it as a simulated fault.
    pub by_weather: bool,
    /// How the plant was resolved since.
    pub resolved: Option<Resolution>,
    /// The plant that stays stored whatever became of an add of its id.
    pub stored: Option<StoredPlant>,
}

/// A stored plant, seen from an add of its id that changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredPlant {
    /// It has the name and the tag of the add.
    Same,
    Other,
}

impl StoredPlant {
    /// Returns what an operation leaves as it was; `None` unless the operation is an add of a stored plant's id.
    pub fn behind(kind: &OperationKind, row: Option<&Row>) -> Option<Self> {
        let (plant, row) = kind.plant().zip(row.filter(|row| row.state == State::Stored))?;
        Some(if row.details == Some(Details::from(plant)) { Self::Same } else { Self::Other })
    }
}

/// Describes the end of an exchange.
pub fn describe(exchange: &Exchange, known: Known<'_>) -> String {
    let kind = &exchange.operation.kind;
    let outcome = exchange.outcome();
    let cause = match &exchange.ending {
        Ending::Responded(_) if outcome == Outcome::Rejected && known.by_weather => {
            "The store said no: its weather makes it say no to everything.".to_owned()
        }
        Ending::Responded(response) => match outcome {
            Outcome::Accepted => format!("The store said yes in {}.", span(exchange.elapsed)),
            Outcome::Rejected => {
                let reason = rejected_because(kind, response.status, known.unknown.is_some());
                format!("The store said no: {reason}.")
            }
            Outcome::Unknown | Outcome::NotSent => undecided(response.status).to_owned(),
        },
        Ending::Failed(failure) => failed(failure.kind, exchange.elapsed),
    };
    if let Some(resolution) = known.resolved {
        return describe_resolution(kind, known.name, resolution);
    }
    let unknown = known.unknown.filter(|_| outcome == Outcome::Rejected);
    let effect = match (unknown, known.stored) {
        (Some(unknown), _) => effect_after_unknown(exchange, unknown, known.name),
        (None, Some(stored)) if matches!(outcome, Outcome::Rejected | Outcome::NotSent) => {
            effect_beside_stored(kind, stored, known.name)
        }
        (None, _) => effect(kind, outcome, known.name),
    };
    let mut sentences = vec![cause, effect];
    sentences.extend(exchange.mismatches().iter().map(describe_mismatch));
    sentences.dedup();
    sentences.join(" ")
}

/// Describes how the plant of an operation was resolved.
pub fn describe_resolution(kind: &OperationKind, name: Option<&str>, resolution: Resolution) -> String {
    let plant = plant_of(kind, name);
    match resolution {
        Resolution::MarkStored => format!("You decided: {plant} counts as stored."),
        Resolution::Forget => format!("You decided: {plant} leaves the list."),
    }
}

/// Names the plant in the middle of a sentence.
fn plant_of(kind: &OperationKind, name: Option<&str>) -> String {
    name_of(kind, name).unwrap_or_else(|| format!("plant {}", kind.plant_id()))
}

/// Describes the effect of a rejected operation on a plant that had been left unknown by `unknown`.
fn effect_after_unknown(exchange: &Exchange, unknown: &OperationKind, name: Option<&str>) -> String {
    let kind = &exchange.operation.kind;
    let plant = plant_of(kind, name);
    match (exchange.status(), kind, unknown) {
        (Some(404 | 410), OperationKind::Delete(_), OperationKind::Delete(_)) => {
            format!("It seems that the earlier delete worked, and {plant} is gone.")
        }
        (Some(404 | 410), OperationKind::Delete(_), OperationKind::Add(_)) => {
            format!("It seems that the earlier add never arrived, and {plant} was never there.")
        }
        (Some(409), OperationKind::Add(_), OperationKind::Add(_)) => {
            "That may be the plant of the earlier add.".to_owned()
        }
        (Some(409), OperationKind::Add(_), OperationKind::Delete(_)) => {
            "It seems that the earlier delete did not work.".to_owned()
        }
        _ => {
            let (this, earlier) = (kind.word(), unknown.word());
            format!("This {this} changed nothing, and it is still unknown whether the earlier {earlier} worked.")
        }
    }
}

/// Describes the effect of an add that changed nothing on a plant that is stored with its id.
fn effect_beside_stored(kind: &OperationKind, stored: StoredPlant, name: Option<&str>) -> String {
    let id = kind.plant_id();
    let plant = name_of(kind, name).unwrap_or_else(|| format!("Plant {id}"));
    let again = match stored {
        StoredPlant::Same => " a second time",
        StoredPlant::Other => "",
    };
    format!("{plant} was not added{again}; plant {id} is as it was.")
}

/// Returns the cleaned name of the plant; `None` if it is empty or not known.
fn name_of(kind: &OperationKind, name: Option<&str>) -> Option<String> {
    let name = kind.plant().map(|plant| plant.name.as_str()).or(name);
    name.filter(|name| !name.is_empty()).map(|name| clean_fit(name, QUOTED_COLUMNS))
}

/// Describes the effect of an operation on its plant.
fn effect(kind: &OperationKind, outcome: Outcome, name: Option<&str>) -> String {
    let id = kind.plant_id();
    let name = name_of(kind, name);
    let done = match kind {
        OperationKind::Add(_) => "added",
        OperationKind::Delete(_) => "deleted",
    };
    if outcome == Outcome::Unknown {
        let plant = name.unwrap_or_else(|| format!("plant {id}"));
        return format!("It is unknown whether {plant} was {done}.");
    }
    let has_name = name.is_some();
    let plant = name.unwrap_or_else(|| format!("Plant {id}"));
    match (outcome, kind) {
        (Outcome::Accepted, OperationKind::Add(_)) if has_name => format!("{plant} is now plant {id}."),
        (Outcome::Accepted, OperationKind::Add(_)) => format!("{plant} is there now, without a name."),
        (Outcome::Accepted, OperationKind::Delete(_)) => format!("{plant} is gone."),
        (Outcome::Rejected | Outcome::Unknown | Outcome::NotSent, _) => format!("{plant} was not {done}."),
    }
}

/// Returns the reason of a rejection, as the end of a sentence: the meaning of the status by RFC 9110 §15, and
/// by RFC 6585 §4 for 429. `was_unknown` means that an earlier operation explains why the plant is not there.
fn rejected_because(kind: &OperationKind, status: u16, was_unknown: bool) -> String {
    let plant = format!("plant {}", kind.plant_id());
    match (status, kind) {
        (304, _) => "it said that nothing has changed, which is no response to this",
        (300..=399, _) => "it points to another address, and nothing is sent where you did not send it",
        (400 | 422, _) => "it does not take this request as it is",
        (401, _) => "it does not know the token that came with the request",
        (403, _) => "whoever has this token may not do that",
        (404, OperationKind::Add(_)) => "nothing takes plants at this address, which may be the wrong one",
        (404, OperationKind::Delete(_)) if was_unknown => return format!("it knows no {plant}"),
        (404, OperationKind::Delete(_)) => return format!("it knows no {plant}, or the address is the wrong one"),
        (405, _) => "it does not do such things at this address, which may be the wrong one",
        (409, OperationKind::Add(_)) => return format!("it seems to have a {plant} already"),
        (410, OperationKind::Delete(_)) => return format!("it had {plant} once, and has it no more"),
        (413 | 414 | 431, _) => "the request is too long for it",
        (415, _) => "it does not take requests of this kind",
        (429, _) => "it was asked too often and wants a pause",
        _ => "it did not say why in a way that everybody understands",
    }
    .to_owned()
}

/// Describes a response that proves nothing.
fn undecided(status: u16) -> &'static str {
    match status {
        408 => "The store gave up waiting for the rest of the request.",
        502 | 504 => "The response seems to come from somebody on the way to the store.",
        503 => "The store said that it is too busy now.",
        500..=599 => "The store said that something went wrong inside it.",
        _ => "The store said neither yes nor no.",
    }
}

/// Describes why there is no response.
fn failed(kind: FailureKind, elapsed: Duration) -> String {
    match kind {
        FailureKind::NotRecorded => {
            "Nothing was sent: it could not be written down here first, and nothing leaves before it is."
        }
        FailureKind::NotBuilt => "Nothing was sent: no request can be made of this.",
        FailureKind::NotConnected => "Nothing was sent: the store cannot be reached.",
        FailureKind::NotConnectedInTime => {
            return format!("Nothing was sent: the store could not be reached within {}.", span(elapsed));
        }
        FailureKind::CancelledBeforeSending => "Nothing was sent: it was stopped in time.",
        FailureKind::TimedOut => return format!("No response came within {}.", span(elapsed)),
        FailureKind::NoResponse => "No usable response came.",
        FailureKind::CancelledInFlight => "No response came: you stopped waiting.",
        FailureKind::Interrupted => "No response came: the program ended first.",
        FailureKind::TaskDied => "No response came: a part of this program failed.",
    }
    .to_owned()
}

/// Describes a difference between an accepted response and the document.
fn describe_mismatch(difference: &Mismatch) -> String {
    let quoted = |value: &str| clean_fit(value, QUOTED_COLUMNS);
    match difference {
        Mismatch::CutOff(_) => "But its response broke off in the middle.".to_owned(),
        Mismatch::TooLong(_) => "But its response was too long to be read to the end.".to_owned(),
        Mismatch::Empty => "But it did not repeat what it took, as its description says it does.".to_owned(),
        Mismatch::MediaType(_)
        | Mismatch::NoMediaType
        | Mismatch::Encoded(_)
        | Mismatch::NotJson
        | Mismatch::NotAnObject => "But its response is unlike its description.".to_owned(),
        Mismatch::Missing(field) => format!("But it did not repeat the {field}."),
        Mismatch::NotAString(field) => format!("But it repeated the {field} in another form than it was sent."),
        Mismatch::Changed { field, sent, came } => {
            format!("But it repeated the {field} as \"{}\", and \"{}\" was sent.", quoted(came), quoted(sent))
        }
        Mismatch::BodyOnDelete { .. } => "But it said more than its description shows.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::{
        BodyEnd, Failure, Header, Operation, OperationId, Phases, Plant, PlantId, Response, Timestamp,
    };

    fn exchange(kind: OperationKind, ending: Ending) -> Exchange {
        Exchange {
            operation: Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0)),
            request: None,
            ending,
            started: Timestamp(0),
            elapsed: Duration::from_millis(12),
            phases: Phases::default(),
        }
    }

    fn response(status: u16, body: &str) -> Ending {
        let body_end = BodyEnd::Complete;
        let (reason, version) = ("".into(), "HTTP/1.1".into());
        let headers = [Header { name: "content-type".into(), value: "application/json".into() }].into();
        Ending::Responded(Response { status, reason, version, headers, body: body.into(), body_end })
    }

    fn add(name: &str) -> OperationKind {
        OperationKind::add(Plant { name: name.into(), id: PlantId(7), tag: "tropical".into() })
    }

    fn named(name: Option<&str>) -> Known<'_> {
        Known { name, ..Known::default() }
    }

    fn operations() -> [(&'static str, OperationKind, Option<&'static str>); 4] {
        let delete = OperationKind::Delete(PlantId(7));
        [
            ("add", add("Monstera"), None),
            ("add without a name", add(""), None),
            ("delete", delete.clone(), Some("Monstera")),
            ("delete, name not known", delete, None),
        ]
    }

    #[test]
    fn every_sentence_for_every_outcome() {
        let as_sent = r#"{"name":"Monstera","tag":"tropical"}"#;
        let statuses = [
            100, 101, 201, 204, 301, 304, 307, 400, 401, 403, 404, 405, 408, 409, 410, 413, 414, 415, 418, 422, 429,
            431, 500, 501, 502, 503, 504, 599, 600, 999,
        ];
        let failures = [
            FailureKind::NotRecorded,
            FailureKind::NotBuilt,
            FailureKind::NotConnected,
            FailureKind::NotConnectedInTime,
            FailureKind::CancelledBeforeSending,
            FailureKind::TimedOut,
            FailureKind::NoResponse,
            FailureKind::CancelledInFlight,
            FailureKind::Interrupted,
            FailureKind::TaskDied,
        ];
        let mut lines = Vec::new();
        for (what, kind, name) in operations() {
            lines.push(format!("== {what}\n{:>28}  {}", "on its way", describe_operation(&kind, name)));
            let body = if matches!(kind, OperationKind::Add(_)) { as_sent } else { "" };
            for status in statuses {
                let described = describe(&exchange(kind.clone(), response(status, body)), named(name));
                lines.push(format!("{status:>28}  {described}"));
            }
            for failure in failures {
                let ending = Ending::Failed(Failure { kind: failure, detail: "os error 111".into() });
                let described = describe(&exchange(kind.clone(), ending), named(name));
                lines.push(format!("{:>28}  {described}", format!("{failure:?}")));
            }
        }
        lines.push("== a yes that is unlike the document".to_owned());
        let bodies = ["", "<html>", "[]", "{}", r#"{"name":7,"tag":"tropical"}"#, r#"{"name":"monstera","tag":"t"}"#];
        for body in bodies {
            lines.push(format!(
                "{body:>28}  {}",
                describe(&exchange(add("Monstera"), response(200, body)), named(None))
            ));
        }
        for body_end in [BodyEnd::Capped(1), BodyEnd::CutOff("reset".into())] {
            let Ending::Responded(whole) = response(200, "{") else { continue };
            let ending = Ending::Responded(Response { body_end, ..whole });
            lines.push(format!("{:>28}  {}", "cut", describe(&exchange(add("Monstera"), ending), named(None))));
        }
        let Ending::Responded(mut text) = response(200, as_sent) else { return };
        text.headers = Arc::default();
        let text = exchange(add("Monstera"), Ending::Responded(text));
        lines.push(format!("{:>28}  {}", "no media type", describe(&text, named(None))));
        lines.push(format!(
            "{:>28}  {}",
            "a body",
            describe(&exchange(OperationKind::Delete(PlantId(7)), response(200, "ok")), named(None))
        ));
        insta::assert_snapshot!("sentences", lines.join("\n"));
    }

    #[test]
    fn a_rejection_after_an_unknown_operation_is_explained_by_that_operation() {
        let delete = OperationKind::Delete(PlantId(7));
        let after = |kind: &OperationKind, status, unknown: &OperationKind| {
            let known = Known { unknown: Some(unknown), ..named(Some("Monstera")) };
            describe(&exchange(kind.clone(), response(status, "")), known)
        };
        let add = add("Monstera");
        for (kind, status, unknown, words) in [
            (
                &delete,
                404,
                &delete,
                "it knows no plant 7. It seems that the earlier delete worked, and Monstera is gone.",
            ),
            (
                &delete,
                404,
                &add,
                "it knows no plant 7. It seems that the earlier add never arrived, and Monstera was never there.",
            ),
            (&add, 409, &add, "it seems to have a plant 7 already. That may be the plant of the earlier add."),
            (&add, 409, &delete, "it seems to have a plant 7 already. It seems that the earlier delete did not work."),
            (
                &delete,
                403,
                &add,
                "whoever has this token may not do that. This delete changed nothing, and it is still unknown whether \
                 the earlier add worked.",
            ),
        ] {
            assert_eq!(after(kind, status, unknown), format!("The store said no: {words}"));
        }
        // An accepted delete decides the earlier operation.
        assert_eq!(after(&delete, 204, &delete), "The store said yes in 12 ms. Monstera is gone.");
    }

    #[test]
    fn the_weather_and_a_resolution_are_said() {
        let lost = Ending::Failed(Failure { kind: FailureKind::NoResponse, detail: String::new() });
        let lost = exchange(add("Monstera"), lost);
        let resolved = |resolution| describe(&lost, Known { resolved: Some(resolution), ..Known::default() });
        let no_response = "No usable response came.";
        assert_eq!(
            describe(&lost, Known::default()),
            format!("{no_response} It is unknown whether Monstera was added.")
        );
        assert_eq!(resolved(Resolution::MarkStored), "You decided: Monstera counts as stored.");
        assert_eq!(resolved(Resolution::Forget), "You decided: Monstera leaves the list.");
        // A rejection before did not lead to the decision.
        let rejected = exchange(add("Monstera"), response(409, ""));
        let stored = Known { resolved: Some(Resolution::MarkStored), ..Known::default() };
        assert_eq!(describe(&rejected, stored), "You decided: Monstera counts as stored.");
        let by_weather = |status| {
            let rejected = exchange(add("Monstera"), response(status, ""));
            describe(&rejected, Known { by_weather: true, ..Known::default() })
        };
        assert_eq!(
            by_weather(422),
            "The store said no: its weather makes it say no to everything. Monstera was not added."
        );
    }

    #[test]
    fn a_rejected_add_leaves_a_stored_plant_as_it_was() {
        let row = |name: &str, state| {
            let details = Some(Details { name: name.into(), tag: "tropical".into() });
            Row { id: PlantId(7), details, state, changed_at: Timestamp(0), author: None }
        };
        let after = |status, row: Row| {
            let kind = add("Monstera");
            let stored = StoredPlant::behind(&kind, Some(&row));
            describe(&exchange(kind, response(status, "")), Known { stored, ..Known::default() })
        };
        let no = "The store said no: it seems to have a plant 7 already.";
        assert_eq!(
            after(409, row("Monstera", State::Stored)),
            format!("{no} Monstera was not added a second time; plant 7 is as it was.")
        );
        assert_eq!(
            after(409, row("Ficus", State::Stored)),
            format!("{no} Monstera was not added; plant 7 is as it was.")
        );
        assert_eq!(after(409, row("Monstera", State::Unknown)), format!("{no} Monstera was not added."));
        // What was accepted or is unknown is not described by the plant before.
        assert_eq!(after(503, row("Monstera", State::Stored)).matches("as it was").count(), 0);
    }

    #[test]
    fn no_sentence_contains_jargon_or_control_characters() {
        for status in 100..=999 {
            for (_, kind, name) in operations() {
                let described = describe(&exchange(kind, response(status, "")), named(name));
                let words = described.to_lowercase();
                for jargon in [
                    "http",
                    "base url",
                    "answer",
                    "status",
                    "json",
                    "tcp",
                    "timeout",
                    "payload",
                    "4xx",
                    "5xx",
                    &status.to_string(),
                ] {
                    assert!(!words.contains(jargon), "{status}: {described}");
                }
                assert!(described.ends_with('.') && described.starts_with(char::is_uppercase), "{status}: {described}");
            }
        }
        let evil = describe(&exchange(add("\u{1b}[2Jevil"), response(201, "")), named(None));
        assert!(!evil.contains('\u{1b}'), "{evil}");
    }
}
