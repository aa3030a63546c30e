//! What happened, for people who know nothing of HTTP: one to three plain sentences.
//!
//! No status code and no jargon, and never more than is proven. What an engineer wants to know of
//! the same exchange is in [`super::sentence`].

use std::time::Duration;

use super::exchange::{Ending, Exchange, FailureKind};
use super::mismatch::Mismatch;
use super::operation::OperationKind;
use super::outcome::Outcome;
use super::plant::PlantId;
use super::sentence::span;
use super::text::clean_fit;

/// Columns of a name or another value inside a sentence.
const QUOTED_COLUMNS: usize = 32;

/// Says what is requested, while the response is still to come.
pub fn asking(kind: &OperationKind, name: Option<&str>) -> String {
    match kind {
        OperationKind::Add(plant) => format!("Please add {}.", called(plant.id, Some(&plant.name))),
        OperationKind::Delete(id) => format!("Please delete {}.", called(*id, name)),
    }
}

/// What an exchange came to. `name` is what the plant of a delete is called, if that is known.
pub fn describe(exchange: &Exchange, name: Option<&str>) -> String {
    let kind = &exchange.operation.kind;
    let mut sentences = match &exchange.ending {
        Ending::Responded(response) => match exchange.outcome() {
            Outcome::Accepted => vec![format!("The store said yes in {}.", span(exchange.elapsed)), done(kind, name)],
            Outcome::Rejected => {
                vec![format!("The store said no: {}.", refused(kind, response.status)), not_done(kind, name)]
            }
            Outcome::Unknown | Outcome::NotSent => {
                vec![unsettled(response.status).to_owned(), nobody_knows(kind, name)]
            }
        },
        Ending::Failed(failure) => match failure.kind.outcome() {
            Outcome::NotSent => {
                vec![format!("Nothing was sent: {}.", unsent(failure.kind, exchange.elapsed)), not_done(kind, name)]
            }
            Outcome::Accepted | Outcome::Rejected | Outcome::Unknown => {
                vec![lost(failure.kind, exchange.elapsed), nobody_knows(kind, name)]
            }
        },
    };
    sentences.extend(exchange.mismatches().iter().map(unlike));
    sentences.dedup();
    sentences.join(" ")
}

/// `Monstera`, or `plant 7` where the name is not known or empty. A sentence begins with `Plant`, and
/// a name with the letter that it has.
fn named(name: Option<&str>, id: PlantId, plant: &str) -> String {
    match name {
        Some(name) if !name.is_empty() => clean_fit(name, QUOTED_COLUMNS),
        Some(_) | None => format!("{plant} {id}"),
    }
}

/// `Monstera, plant 7`, or `plant 7`.
fn called(id: PlantId, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{}, plant {id}", clean_fit(name, QUOTED_COLUMNS)),
        Some(_) | None => format!("plant {id}"),
    }
}

fn done(kind: &OperationKind, name: Option<&str>) -> String {
    match kind {
        OperationKind::Add(plant) if plant.name.is_empty() => {
            format!("Plant {} is there now, without a name.", plant.id)
        }
        OperationKind::Add(plant) => {
            format!("{} is now plant {}.", named(Some(&plant.name), plant.id, "Plant"), plant.id)
        }
        OperationKind::Delete(id) => format!("{} is gone.", named(name, *id, "Plant")),
    }
}

fn not_done(kind: &OperationKind, name: Option<&str>) -> String {
    match kind {
        OperationKind::Add(plant) => format!("{} was not added.", named(Some(&plant.name), plant.id, "Plant")),
        OperationKind::Delete(id) => format!("{} was not deleted.", named(name, *id, "Plant")),
    }
}

fn nobody_knows(kind: &OperationKind, name: Option<&str>) -> String {
    let what = match kind {
        OperationKind::Add(plant) => format!("added {}", named(Some(&plant.name), plant.id, "plant")),
        OperationKind::Delete(id) => format!("deleted {}", named(name, *id, "plant")),
    };
    format!("It may have {what}, or not: nobody here knows.")
}

/// Why a store says no, as the end of a sentence: what its status means by RFC 9110, section 15, and
/// by RFC 6585, section 4 for 429.
fn refused(kind: &OperationKind, status: u16) -> String {
    let of_this = match kind {
        OperationKind::Add(plant) => format!("plant {}", plant.id),
        OperationKind::Delete(id) => format!("plant {id}"),
    };
    match (status, kind) {
        (304, _) => "it said that nothing has changed, which is no answer to this".to_owned(),
        (300..=399, _) => "it points to another address, and nothing is sent where you did not send it".to_owned(),
        (400 | 422, _) => "it does not take this request as it is".to_owned(),
        (401, _) => "it does not know the token that came with the request".to_owned(),
        (403, _) => "whoever has this token may not do that".to_owned(),
        (404, OperationKind::Add(_)) => "nothing takes plants at this address, which may be the wrong one".to_owned(),
        (404, OperationKind::Delete(_)) => format!("it knows no {of_this}, or the address is the wrong one"),
        (405, _) => "it does not do such things at this address, which may be the wrong one".to_owned(),
        (409, OperationKind::Add(_)) => format!("it seems to have a {of_this} already"),
        (410, OperationKind::Delete(_)) => format!("it had {of_this} once, and has it no more"),
        (413 | 414 | 431, _) => "the request is too long for it".to_owned(),
        (415, _) => "it does not take requests of this kind".to_owned(),
        (429, _) => "it was asked too often and wants a pause".to_owned(),
        _ => "it did not say why in a way that everybody understands".to_owned(),
    }
}

/// Says what a response that decides nothing means.
fn unsettled(status: u16) -> &'static str {
    match status {
        408 => "The store gave up waiting for the rest of the request.",
        502 | 504 => "Somebody on the way to the store seems to have answered in its place.",
        503 => "The store answered that it is too busy now.",
        500..=599 => "The store answered that something went wrong inside it.",
        _ => "The store answered something that is neither yes nor no.",
    }
}

/// Says how a response was lost.
fn lost(kind: FailureKind, elapsed: Duration) -> String {
    match kind {
        FailureKind::TimedOut => format!("The store did not answer within {}.", span(elapsed)),
        FailureKind::CancelledInFlight => "You stopped waiting while the request was on its way.".to_owned(),
        FailureKind::Interrupted => "The program ended while the request was on its way.".to_owned(),
        FailureKind::TaskDied => "A part of this program failed while the request was on its way.".to_owned(),
        FailureKind::NoResponse
        | FailureKind::NotRecorded
        | FailureKind::NotBuilt
        | FailureKind::NotConnected
        | FailureKind::NotConnectedInTime
        | FailureKind::CancelledBeforeSending => {
            "The connection ended, and no answer came that can be read.".to_owned()
        }
    }
}

/// Why nothing left, as the end of a sentence.
fn unsent(kind: FailureKind, elapsed: Duration) -> String {
    match kind {
        FailureKind::NotRecorded => "it could not be written down here first, and nothing leaves before it is",
        FailureKind::NotBuilt => "no request can be made of this",
        FailureKind::NotConnectedInTime => return format!("the store could not be reached within {}", span(elapsed)),
        FailureKind::CancelledBeforeSending => "it was stopped in time",
        FailureKind::NotConnected
        | FailureKind::TimedOut
        | FailureKind::NoResponse
        | FailureKind::CancelledInFlight
        | FailureKind::Interrupted
        | FailureKind::TaskDied => "the store cannot be reached",
    }
    .to_owned()
}

/// How a yes is unlike what the document shows.
fn unlike(difference: &Mismatch) -> String {
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
    use super::*;
    use crate::domain::{BodyEnd, Failure, Header, Operation, OperationId, Phases, Plant, Response, Timestamp};

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
        let headers = vec![Header { name: "content-type".into(), value: "application/json".into() }];
        Ending::Responded(Response { status, reason, version, headers, body: body.into(), body_end })
    }

    fn add(name: &str) -> OperationKind {
        OperationKind::Add(Plant { name: name.into(), id: PlantId(7), tag: "tropical".into() })
    }

    fn asks() -> [(&'static str, OperationKind, Option<&'static str>); 4] {
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
        for (what, kind, name) in asks() {
            lines.push(format!("== {what}\n{:>28}  {}", "on its way", asking(&kind, name)));
            let body = if matches!(kind, OperationKind::Add(_)) { as_sent } else { "" };
            for status in statuses {
                let told = describe(&exchange(kind.clone(), response(status, body)), name);
                lines.push(format!("{status:>28}  {told}"));
            }
            for failure in failures {
                let ending = Ending::Failed(Failure { kind: failure, detail: "os error 111".into() });
                let told = describe(&exchange(kind.clone(), ending), name);
                lines.push(format!("{:>28}  {told}", format!("{failure:?}")));
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
        text.headers.clear();
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
            for (_, kind, name) in asks() {
                let told = describe(&exchange(kind, response(status, "")), name);
                let words = told.to_lowercase();
                for jargon in ["http", "status", "json", "tcp", "timeout", "payload", "4xx", "5xx", &status.to_string()]
                {
                    assert!(!words.contains(jargon), "{status}: {told}");
                }
                assert!(told.ends_with('.') && told.starts_with(char::is_uppercase), "{status}: {told}");
            }
        }
        let evil = describe(&exchange(add("\u{1b}[2Jevil"), response(201, "")), None);
        assert!(!evil.contains('\u{1b}'), "{evil}");
    }
}
