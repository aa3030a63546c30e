//! One plain sentence for what happened, the same on screen, on stderr and in JSON.
//!
//! Foreign text goes into these sentences cleaned and bounded: they are made to be shown.

use std::time::Duration;

use super::exchange::{BodyEnd, Ending, Exchange, FailureKind};
use super::ledger::Row;
use super::operation::Ask;
use super::outcome::Outcome;
use super::plant::{Plant, PlantId};
use super::text::{clean, clean_bytes, clean_fit};

/// Columns of a name or a reason phrase inside a sentence.
const QUOTED_COLUMNS: usize = 40;

/// Bytes of an answer's body that are quoted.
const EXCERPT: usize = 300;

/// Columns of the reason at the end of a sentence: the journal's, with a path, says what to do.
const DETAIL_COLUMNS: usize = 300;

/// A plant as sentences name it: `Monstera (7)`, or `plant 7` where the name is empty.
pub fn plant_called(plant: &Plant) -> String {
    called(plant.id, Some(&plant.name))
}

/// The same where the name may not be known.
pub fn called(id: PlantId, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{} ({id})", clean_fit(name, QUOTED_COLUMNS)),
        Some(_) | None => format!("plant {id}"),
    }
}

/// `12 ms`, `1.3 s`: three digits at most, for people.
pub fn span(elapsed: Duration) -> String {
    let millis = elapsed.as_secs_f64() * 1000.0;
    if millis < 9.95 {
        format!("{millis:.1} ms")
    } else if millis < 999.5 {
        format!("{millis:.0} ms")
    } else if millis < 9_950.0 {
        format!("{:.1} s", elapsed.as_secs_f64())
    } else {
        format!("{:.0} s", elapsed.as_secs_f64())
    }
}

/// `201 Created`, or `201` where the store gave no reason phrase.
pub fn status_line(status: u16, reason: &str) -> String {
    if reason.is_empty() { status.to_string() } else { format!("{status} {}", clean_fit(reason, QUOTED_COLUMNS)) }
}

/// Why the body of an answer is not all there; `None` if it is.
pub fn body_ended(end: &BodyEnd) -> Option<String> {
    match end {
        BodyEnd::Complete => None,
        BodyEnd::Capped(cap) => Some(format!("The answer is longer than {cap} bytes; the rest was not kept.")),
        BodyEnd::CutOff(why) => Some(format!("The answer breaks off: {}.", clean(why))),
        BodyEnd::Trimmed => Some("What the answer said is not kept any more.".to_owned()),
    }
}

/// A line of the view, as sentences name it.
pub fn row_called(row: &Row) -> String {
    called(row.id, row.name())
}

/// The plant that an operation is about; `name` is that of the plant to delete, where it is known.
pub fn subject(ask: &Ask, name: Option<&str>) -> String {
    match ask {
        Ask::Add(plant) => plant_called(plant),
        Ask::Delete(id) => called(*id, name),
    }
}

/// What an operation is about: `add Monstera (7)`; `name` as for [`subject`].
pub fn about(ask: &Ask, name: Option<&str>) -> String {
    format!("{} {}", ask.word(), subject(ask, name))
}

/// The answer's body, cut to a line or two and harmless; `None` if there is no answer.
pub fn stores_words(exchange: &Exchange) -> Option<String> {
    let answer = exchange.answer()?;
    if answer.body_end == BodyEnd::Trimmed {
        return body_ended(&answer.body_end);
    }
    let body = answer.body.as_slice();
    if body.is_empty() {
        return Some("The answer has no body.".to_owned());
    }
    let shown = clean_bytes(body.get(..EXCERPT).unwrap_or(body));
    let more = if body.len() > EXCERPT { " …" } else { "" };
    Some(format!("The store's words: {shown}{more}"))
}

/// What an exchange means, in one or two sentences. `name` is the plant's where a delete is of
/// one whose name is known.
pub fn told(exchange: &Exchange, name: Option<&str>) -> String {
    let ask = &exchange.operation.ask;
    let plant = subject(ask, name);
    let took = span(exchange.elapsed);
    match &exchange.ending {
        Ending::Answered(answer) => {
            let status = status_line(answer.status, &answer.reason);
            match (exchange.outcome(), ask) {
                (Outcome::Accepted, Ask::Add(_)) => format!("The store said yes to {plant}: {status} in {took}."),
                (Outcome::Accepted, Ask::Delete(_)) => {
                    format!("The store said yes, {plant} is deleted: {status} in {took}.")
                }
                (Outcome::Refused, Ask::Add(_)) => {
                    format!("The store refused {plant}: {status}.{}", refusal_hint(ask, answer.status))
                }
                (Outcome::Refused, Ask::Delete(_)) => {
                    format!("The store refused to delete {plant}: {status}.{}", refusal_hint(ask, answer.status))
                }
                (Outcome::Unknown | Outcome::NotSent, Ask::Add(_)) => {
                    format!(
                        "Nobody knows whether {plant} was added: the store answered {status}, which settles nothing."
                    )
                }
                (Outcome::Unknown | Outcome::NotSent, Ask::Delete(_)) => {
                    format!(
                        "Nobody knows whether {plant} was deleted: the store answered {status}, which settles nothing."
                    )
                }
            }
        }
        Ending::Failed(failure) => {
            let why = failed_because(failure.kind, exchange.elapsed);
            let detail = if failure.detail.is_empty() {
                String::new()
            } else {
                format!(" ({})", clean_fit(&failure.detail, DETAIL_COLUMNS))
            };
            match (failure.kind.outcome(), ask) {
                (Outcome::NotSent, Ask::Add(_)) => {
                    format!("{plant} was not sent, nothing reached the store: {why}{detail}.")
                }
                (Outcome::NotSent, Ask::Delete(_)) => {
                    format!("The delete of {plant} was not sent, nothing reached the store: {why}{detail}.")
                }
                (Outcome::Accepted | Outcome::Refused | Outcome::Unknown, Ask::Add(_)) => {
                    format!("Nobody knows whether {plant} was added: {why}{detail}.")
                }
                (Outcome::Accepted | Outcome::Refused | Outcome::Unknown, Ask::Delete(_)) => {
                    format!("Nobody knows whether {plant} was deleted: {why}{detail}.")
                }
            }
        }
    }
}

/// What a response that says no means where an earlier operation on the same id ended unknown and is
/// not resolved. It never decides the earlier one.
pub fn explained_by(rejected: &Exchange, unknown: &Ask) -> &'static str {
    match (rejected.status(), &rejected.operation.ask, unknown) {
        (Some(409), Ask::Add(_), Ask::Add(_)) => {
            "An earlier add of this id ended unknown: the plant that has the id may be your own."
        }
        (Some(409), Ask::Add(_), Ask::Delete(_)) => {
            "An earlier delete of this id ended unknown: the store may still have the plant from before."
        }
        (Some(404 | 410), Ask::Delete(_), Ask::Delete(_)) => {
            "An earlier delete of this id ended unknown: it may have worked, a 404 is what the store would answer then."
        }
        (Some(404 | 410), Ask::Delete(_), Ask::Add(_)) => {
            "An earlier add of this id ended unknown: it may never have arrived, a 404 is what the store would answer then."
        }
        (_, _, Ask::Add(_)) => "An earlier add of this id ended unknown, and this does not decide it.",
        (_, _, Ask::Delete(_)) => "An earlier delete of this id ended unknown, and this does not decide it.",
    }
}

fn refusal_hint(ask: &Ask, status: u16) -> &'static str {
    match (status, ask) {
        (300..=399, _) => " It points elsewhere; redirects are never followed. Check the base URL.",
        (401 | 403, _) => " Another token may help.",
        (404, Ask::Delete(_)) => " It has no such plant, or the base URL is wrong: a 404 can mean either.",
        (404, Ask::Add(_)) => " Nothing answers at this path: the base URL may be wrong.",
        (409, Ask::Add(_)) => " It may already have a plant with this id.",
        (429, _) => " It asks for fewer requests; wait before the next.",
        _ => "",
    }
}

/// Why no answer came, as the end of a sentence.
pub fn failed_because(kind: FailureKind, elapsed: Duration) -> String {
    match kind {
        FailureKind::NotRecorded => "it could not be written to the journal first".to_owned(),
        FailureKind::NotBuilt => "the request could not be built".to_owned(),
        FailureKind::NotConnected => "no connection to the store".to_owned(),
        FailureKind::NotConnectedInTime => format!("no connection to the store within {}", span(elapsed)),
        FailureKind::CancelledBeforeSending => "it was cancelled first".to_owned(),
        FailureKind::TimedOut => format!("no answer within {}", span(elapsed)),
        FailureKind::NoAnswer => "the connection ended without a usable answer".to_owned(),
        FailureKind::CancelledInFlight => "it was cancelled while it was in flight".to_owned(),
        FailureKind::Interrupted => "the program ended while it was in flight".to_owned(),
        FailureKind::TaskDied => "the task that sent it died".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Answer, Operation, OperationId, Timestamp};

    #[test]
    fn spans_read_well() {
        for (micros, shown) in [
            (0, "0.0 ms"),
            (1_234, "1.2 ms"),
            (12_345, "12 ms"),
            (999_400, "999 ms"),
            (1_250_000, "1.2 s"),
            (30_000_000, "30 s"),
        ] {
            assert_eq!(span(Duration::from_micros(micros)), shown);
        }
    }

    #[test]
    fn a_rejection_after_an_unknown_operation_is_explained_by_that_operation() {
        let add = Ask::Add(Plant { name: "Fern".into(), id: PlantId(7), tag: String::new() });
        let delete = Ask::Delete(PlantId(7));
        for (rejected, status, unknown, parts) in [
            (&add, 409, &add, ["An earlier add", "may be your own"]),
            (&add, 409, &delete, ["An earlier delete", "may still have the plant"]),
            (&delete, 404, &delete, ["An earlier delete", "it may have worked"]),
            (&delete, 404, &add, ["An earlier add", "it may never have arrived"]),
            (&delete, 403, &delete, ["An earlier delete", "does not decide it"]),
            (&add, 400, &add, ["An earlier add", "does not decide it"]),
        ] {
            let told = explained_by(&exchange(rejected.clone(), status), unknown);
            assert!(parts.iter().all(|part| told.contains(part)), "{} {status}: {told}", rejected.word());
        }
    }

    fn exchange(ask: Ask, status: u16) -> Exchange {
        let operation = Operation::new(OperationId { origin: 1, number: 1 }, ask, Timestamp(0));
        let answer = Answer {
            status,
            reason: String::new(),
            version: "HTTP/1.1".into(),
            headers: Vec::new(),
            body: Vec::new(),
            body_end: BodyEnd::Complete,
        };
        let failed = Exchange::failed(operation, FailureKind::NoAnswer, String::new(), Timestamp(0));
        Exchange { ending: Ending::Answered(answer), ..failed }
    }

    #[test]
    fn names_are_harmless_in_sentences() {
        assert_eq!(called(PlantId(7), Some("\u{1b}[2J")), "␛[2J (7)");
        assert_eq!(called(PlantId(7), Some("")), "plant 7");
        assert!(called(PlantId(7), Some(&"x".repeat(10_000))).len() < 60);
    }
}
