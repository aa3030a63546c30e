//! Describes an exchange in one to three sentences for people who do not know HTTP.
//!
//! Uses no status code and no jargon, and claims no more than is proven. [`super::sentence`] describes the same
//! exchange for engineers.

use std::time::Duration;

use super::exchange::{Ending, Exchange, FailureKind};
use super::mismatch::Mismatch;
use super::operation::OperationKind;
use super::outcome::Outcome;
use super::sentence::span;
use super::text::clean_fit;

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

/// Describes the end of an exchange. `name` is the name of the plant of a delete, if known.
pub fn describe(exchange: &Exchange, name: Option<&str>) -> String {
    let kind = &exchange.operation.kind;
    let outcome = exchange.outcome();
    let cause = match &exchange.ending {
        Ending::Responded(response) => match outcome {
            Outcome::Accepted => format!("The store said yes in {}.", span(exchange.elapsed)),
            Outcome::Rejected => format!("The store said no: {}.", rejected_because(kind, response.status)),
            Outcome::Unknown | Outcome::NotSent => undecided(response.status).to_owned(),
        },
        Ending::Failed(failure) => failed(failure.kind, exchange.elapsed),
    };
    let mut sentences = vec![cause, effect(kind, outcome, name)];
    sentences.extend(exchange.mismatches().iter().map(describe_mismatch));
    sentences.dedup();
    sentences.join(" ")
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
        return format!("It may have {done} {plant}, or not: nobody here knows.");
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
/// by RFC 6585 §4 for 429.
fn rejected_because(kind: &OperationKind, status: u16) -> String {
    let plant = format!("plant {}", kind.plant_id());
    match (status, kind) {
        (304, _) => "it said that nothing has changed, which is no answer to this",
        (300..=399, _) => "it points to another address, and nothing is sent where you did not send it",
        (400 | 422, _) => "it does not take this request as it is",
        (401, _) => "it does not know the token that came with the request",
        (403, _) => "whoever has this token may not do that",
        (404, OperationKind::Add(_)) => "nothing takes plants at this address, which may be the wrong one",
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
        502 | 504 => "Somebody on the way to the store seems to have answered in its place.",
        503 => "The store answered that it is too busy now.",
        500..=599 => "The store answered that something went wrong inside it.",
        _ => "The store answered something that is neither yes nor no.",
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
        FailureKind::TimedOut => return format!("The store did not answer within {}.", span(elapsed)),
        FailureKind::NoResponse => "The connection ended, and no answer came that can be read.",
        FailureKind::CancelledInFlight => "You stopped waiting while the request was on its way.",
        FailureKind::Interrupted => "The program ended while the request was on its way.",
        FailureKind::TaskDied => "A part of this program failed while the request was on its way.",
    }
    .to_owned()
}

/// Describes a difference between an accepted response and the document.
fn describe_mismatch(difference: &Mismatch) -> String {
    let quoted = |value: &str| clean_fit(value, QUOTED_COLUMNS);
    match difference {
        Mismatch::CutOff(_) => "But its answer broke off in the middle.".to_owned(),
        Mismatch::TooLong(_) => "But its answer was too long to be read to the end.".to_owned(),
        Mismatch::Empty => "But it did not repeat what it took, as its description says it does.".to_owned(),
        Mismatch::MediaType(_)
        | Mismatch::NoMediaType
        | Mismatch::Encoded(_)
        | Mismatch::NotJson
        | Mismatch::NotAnObject => "But it answered in another way than its description shows.".to_owned(),
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
        let (reason, version) = (String::new(), "HTTP/1.1".to_owned());
        let headers = [Header { name: "content-type".into(), value: "application/json".into() }].into();
        Ending::Responded(Response { status, reason, version, headers, body: body.into(), body_end })
    }

    fn add(name: &str) -> OperationKind {
        OperationKind::Add(Plant { name: name.into(), id: PlantId(7), tag: "tropical".into() })
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
                let described = describe(&exchange(kind.clone(), response(status, body)), name);
                lines.push(format!("{status:>28}  {described}"));
            }
            for failure in failures {
                let ending = Ending::Failed(Failure { kind: failure, detail: "os error 111".into() });
                let described = describe(&exchange(kind.clone(), ending), name);
                lines.push(format!("{:>28}  {described}", format!("{failure:?}")));
            }
        }
        lines.push("== a yes that is unlike the document".to_owned());
        let bodies = ["", "<html>", "[]", "{}", r#"{"name":7,"tag":"tropical"}"#, r#"{"name":"monstera","tag":"t"}"#];
        for body in bodies {
            lines.push(format!("{body:>28}  {}", describe(&exchange(add("Monstera"), response(200, body)), None)));
        }
        for body_end in [BodyEnd::Capped(1), BodyEnd::CutOff("reset".into())] {
            let Ending::Responded(whole) = response(200, "{") else { continue };
            let ending = Ending::Responded(Response { body_end, ..whole });
            lines.push(format!("{:>28}  {}", "cut", describe(&exchange(add("Monstera"), ending), None)));
        }
        let Ending::Responded(mut text) = response(200, as_sent) else { return };
        text.headers = Arc::default();
        let text = exchange(add("Monstera"), Ending::Responded(text));
        lines.push(format!("{:>28}  {}", "no media type", describe(&text, None)));
        lines.push(format!(
            "{:>28}  {}",
            "a body",
            describe(&exchange(OperationKind::Delete(PlantId(7)), response(200, "ok")), None)
        ));
        insta::assert_snapshot!("sentences", lines.join("\n"));
    }

    #[test]
    fn no_sentence_contains_jargon_or_control_characters() {
        for status in 100..=999 {
            for (_, kind, name) in operations() {
                let described = describe(&exchange(kind, response(status, "")), name);
                let words = described.to_lowercase();
                for jargon in ["http", "status", "json", "tcp", "timeout", "payload", "4xx", "5xx", &status.to_string()]
                {
                    assert!(!words.contains(jargon), "{status}: {described}");
                }
                assert!(described.ends_with('.') && described.starts_with(char::is_uppercase), "{status}: {described}");
            }
        }
        let evil = describe(&exchange(add("\u{1b}[2Jevil"), response(201, "")), None);
        assert!(!evil.contains('\u{1b}'), "{evil}");
    }
}
