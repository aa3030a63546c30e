//! Chooses the one to three sentences about an exchange for people who do not know HTTP.
//!
//! They are in `assets/languages`. [`super::sentence`] describes the same exchange for engineers.

use std::time::Duration;

use super::language::Id;
use super::sentence::{QUOTED_COLUMNS, store_words};
use super::{
    Authors, Details, Ending, Exchange, FailureKind, Message, Mismatch, OperationKind, Outcome, PlantId, Resolution,
    Row, State,
};
use crate::text::clean_fit;

/// Columns of an author, at most.
pub(crate) const AUTHOR: usize = 20;

/// Returns the message that names an operation.
pub(crate) fn title_of(kind: &OperationKind) -> Id {
    match kind {
        OperationKind::Add(_) => Id::TitleAdd,
        OperationKind::Delete(_) => Id::TitleDelete,
    }
}

/// Describes an operation in flight. `name` is the name of the plant of a delete, if known.
pub(crate) fn describe_operation(kind: &OperationKind, name: Option<&str>) -> Message {
    match kind {
        OperationKind::Add(_) => of_plant(Id::PleaseAdd, kind, name),
        OperationKind::Delete(_) => of_plant(Id::PleaseDelete, kind, name),
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
    /// Whether the store's own words are quoted: those of the demo store say no more than the sentences.
    pub quotes: bool,
    /// Whether its last operation before ended unknown, too.
    pub again: bool,
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

/// Describes the end of an exchange: first of all whether the store said yes.
pub fn describe(exchange: &Exchange, known: Known<'_>) -> Vec<Message> {
    let kind = &exchange.operation.kind;
    let outcome = exchange.outcome();
    if let Some(resolution) = known.resolved {
        let now = match resolution {
            Resolution::MarkStored => Id::CountsAsStored,
            Resolution::Forget => Id::LeavesTheList,
        };
        return vec![Id::YouDecided.into(), of_plant(now, kind, known.name)];
    }
    let (first, why) = match &exchange.ending {
        Ending::Responded(response) => match outcome {
            Outcome::Accepted => (Message::from(Id::SaidYes).in_time(exchange.elapsed), None),
            Outcome::Rejected if known.by_weather => (Id::SaidNo.into(), Some(Id::Weather.into())),
            Outcome::Rejected => {
                let reason = rejected_because(kind, response.status, known.unknown.is_some());
                (Id::SaidNo.into(), Some(of_plant(reason, kind, known.name)))
            }
            Outcome::Unknown | Outcome::NotSent => {
                (Id::SaidNeither.into(), undecided(response.status).map(Message::from))
            }
        },
        Ending::Failed(failure) if failure.is_not_http() => (Id::NoReadableResponse.into(), None),
        Ending::Failed(failure) => failed(failure.kind, exchange.elapsed, known.again),
    };
    let effect = match (known.unknown, known.stored, outcome) {
        (Some(unknown), _, Outcome::Rejected | Outcome::NotSent) => after_unknown(exchange.status(), kind, unknown),
        (_, Some(StoredPlant::Same), Outcome::Rejected | Outcome::NotSent) => Id::NotAddedAgain,
        (_, Some(StoredPlant::Other), Outcome::Rejected | Outcome::NotSent) => Id::NotAddedBeside,
        _ => effect(kind, outcome),
    };
    let response = exchange.response().filter(|_| outcome != Outcome::Accepted && known.quotes);
    let words = response.and_then(store_words).map(|words| Id::StoreWords.with("words", words));
    // The store's own words are the next that an audience reads in large letters.
    let mut sentences: Vec<_> = [first].into_iter().chain(words).chain(why).collect();
    sentences.push(of_plant(effect, kind, known.name));
    let other = other_member(exchange.operation.author.as_ref());
    sentences.extend(other.map(|name| Id::OfMember.with("name", name)));
    sentences.extend(exchange.mismatches().iter().map(describe_mismatch));
    sentences.dedup();
    sentences
}

/// Returns the name of another member among these authors, in few columns.
pub(crate) fn other_member(authors: Option<&Authors>) -> Option<String> {
    authors.and_then(Authors::other).map(|author| clean_fit(author.name(), AUTHOR))
}

/// Returns a message about the plant of an operation, whose name may be empty or not known.
pub(crate) fn of_plant(id: Id, kind: &OperationKind, name: Option<&str>) -> Message {
    about(id, kind.plant_id(), kind.plant().map(|plant| plant.name.as_str()).or(name))
}

pub(crate) fn about(id: Id, plant: PlantId, name: Option<&str>) -> Message {
    let name = name.unwrap_or_default();
    let named = if name.is_empty() { "no" } else { "yes" };
    id.with("named", named).with("name", clean_fit(name, QUOTED_COLUMNS)).with("id", plant.to_string())
}

/// Returns the effect of an operation that was rejected or not sent on a plant that had been left unknown by `unknown`.
fn after_unknown(status: Option<u16>, kind: &OperationKind, unknown: &OperationKind) -> Id {
    match (status, kind, unknown) {
        (Some(404 | 410), OperationKind::Delete(_), OperationKind::Delete(_)) => Id::EarlierDeleteWorked,
        (Some(404 | 410), OperationKind::Delete(_), OperationKind::Add(_)) => Id::EarlierAddLost,
        (Some(409), OperationKind::Add(_), OperationKind::Add(_)) => Id::EarlierAddWorked,
        (Some(409), OperationKind::Add(_), OperationKind::Delete(_)) => Id::EarlierDeleteFailed,
        (_, _, OperationKind::Add(_)) => Id::StillUnknownAdd,
        (_, _, OperationKind::Delete(_)) => Id::StillUnknownDelete,
    }
}

/// Returns the effect of an operation on its plant.
fn effect(kind: &OperationKind, outcome: Outcome) -> Id {
    match (outcome, kind) {
        (Outcome::Accepted, OperationKind::Add(_)) => Id::Added,
        (Outcome::Accepted, OperationKind::Delete(_)) => Id::Deleted,
        (Outcome::Unknown, OperationKind::Add(_)) => Id::UnknownAdd,
        (Outcome::Unknown, OperationKind::Delete(_)) => Id::UnknownDelete,
        (Outcome::Rejected | Outcome::NotSent, OperationKind::Add(_)) => Id::NotAdded,
        (Outcome::Rejected | Outcome::NotSent, OperationKind::Delete(_)) => Id::NotDeleted,
    }
}

/// Returns the reason of a rejection: the meaning of the status by RFC 9110 §15, and by RFC 6585 §4 for 429.
/// `was_unknown` means that an earlier operation explains why the plant is not there.
fn rejected_because(kind: &OperationKind, status: u16, was_unknown: bool) -> Id {
    match (status, kind) {
        (304, _) => Id::NothingChanged,
        (300..=399, _) => Id::PointsElsewhere,
        (400 | 422, _) => Id::InvalidRequest,
        (401, _) => Id::UnknownToken,
        (403, _) => Id::Forbidden,
        (404, OperationKind::Add(_)) => Id::TakesNoPlants,
        (404, OperationKind::Delete(_)) if was_unknown => Id::KnowsNoPlant,
        (404, OperationKind::Delete(_)) => Id::KnowsNoPlantOrAddress,
        (405, _) => Id::DoesNoSuchThings,
        (409, OperationKind::Add(_)) => Id::HasOneAlready,
        (410, OperationKind::Delete(_)) => Id::HadItOnce,
        (413 | 414 | 431, _) => Id::TooLong,
        (415, _) => Id::AnotherKind,
        (429, _) => Id::AskedTooOften,
        _ => Id::NoReason,
    }
}

/// Returns why a response proves nothing, if that is known.
fn undecided(status: u16) -> Option<Id> {
    match status {
        408 => Some(Id::GaveUpWaiting),
        502 | 504 => Some(Id::FromTheWay),
        503 => Some(Id::CannotNow),
        500..=599 => Some(Id::WentWrongInside),
        _ => None,
    }
}

/// Describes that there is no response, and why.
fn failed(kind: FailureKind, elapsed: Duration, again: bool) -> (Message, Option<Message>) {
    let (first, why) = match kind {
        FailureKind::NotRecorded => (Id::NothingSent, Some(Id::NotWrittenDown)),
        FailureKind::Overtaken => (Id::NothingSent, Some(Id::ChangedMeanwhile)),
        FailureKind::NotBuilt => (Id::NothingSent, Some(Id::NoRequestPossible)),
        FailureKind::NotConnected => (Id::NothingSent, Some(Id::NotReached)),
        FailureKind::NotConnectedInTime => (Id::NothingSent, Some(Id::NotReachedWithin)),
        FailureKind::CancelledBeforeSending => (Id::NothingSent, Some(Id::StoppedInTime)),
        FailureKind::TimedOut | FailureKind::NoResponse if again => (Id::NoResponseAgain, None),
        FailureKind::TimedOut => (Id::NoResponseWithin, None),
        FailureKind::NoResponse => (Id::NoResponse, None),
        FailureKind::CancelledInFlight => (Id::NoResponse, Some(Id::YouStoppedWaiting)),
        FailureKind::Interrupted => (Id::NoResponse, Some(Id::ProgramEnded)),
        FailureKind::TaskDied => (Id::NoResponse, Some(Id::ProgramFailed)),
    };
    (Message::from(first).in_time(elapsed), why.map(|why| Message::from(why).in_time(elapsed)))
}

/// Describes a difference between an accepted response and the document.
fn describe_mismatch(difference: &Mismatch) -> Message {
    let quoted = |value: &str| clean_fit(value, QUOTED_COLUMNS);
    match difference {
        Mismatch::CutOff(_) => Id::ButBrokeOff.into(),
        Mismatch::TooLong(_) => Id::ButTooLong.into(),
        Mismatch::Empty => Id::ButEmpty.into(),
        Mismatch::MediaType(_)
        | Mismatch::NoMediaType
        | Mismatch::Encoded(_)
        | Mismatch::NotJson
        | Mismatch::NotAnObject => Id::ButUnlike.into(),
        Mismatch::Missing(field) => Id::ButMissing.with("field", field.to_string()),
        Mismatch::NotAString(field) => Id::ButAnotherForm.with("field", field.to_string()),
        Mismatch::Changed { field, sent, came } => {
            Id::ButChanged.with("field", field.to_string()).with("came", quoted(came)).with("sent", quoted(sent))
        }
        Mismatch::BodyOnDelete(_) => Id::ButSaidMore.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::{
        BodyEnd, Failure, Header, Language, Operation, OperationId, Phases, Plant, PlantId, Response, Timestamp,
    };

    fn describe(exchange: &Exchange, known: Known<'_>) -> String {
        Language::En.render(&super::describe(exchange, known))
    }

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
            lines.push(format!(
                "== {what}\n{:>28}  {}",
                "on its way",
                Language::En.say(&describe_operation(&kind, name))
            ));
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
                "It knows no plant 7. It seems that the earlier delete worked and Monstera is gone.",
            ),
            (
                &delete,
                404,
                &add,
                "It knows no plant 7. It seems that the earlier add never arrived and Monstera was never there.",
            ),
            (&add, 409, &add, "It seems to have a plant 7 already. That may be the plant of the earlier add."),
            (&add, 409, &delete, "It seems to have a plant 7 already. It seems that the earlier delete did not work."),
            (
                &delete,
                403,
                &add,
                "This token does not allow that. This changed nothing, and it is still unknown whether \
                 the earlier add worked.",
            ),
        ] {
            assert_eq!(after(kind, status, unknown), format!("The store said no. {words}"));
        }
        // An accepted delete decides the earlier operation.
        assert_eq!(after(&delete, 204, &delete), "The store said yes in 12 ms. Monstera is gone.");
    }

    #[test]
    fn the_weather_and_a_resolution_are_said() {
        let lost = Ending::Failed(Failure { kind: FailureKind::NoResponse, detail: String::new() });
        let lost = exchange(add("Monstera"), lost);
        let resolved = |resolution| describe(&lost, Known { resolved: Some(resolution), ..Known::default() });
        let no_response = "No response came back.";
        assert_eq!(
            describe(&lost, Known::default()),
            format!("{no_response} It is unknown whether Monstera was added.")
        );
        assert_eq!(resolved(Resolution::MarkStored), "Decided. Monstera counts as stored.");
        assert_eq!(resolved(Resolution::Forget), "Decided. Monstera leaves the list.");
        let rejected = exchange(add("Monstera"), response(422, r#"{"message":"no \u001b[2Jtag"}"#));
        let quoted = describe(&rejected, Known { quotes: true, ..Known::default() });
        assert!(quoted.starts_with("The store said no. The response says: \"no ␛[2Jtag\". "), "{quoted}");
        // A rejection before did not lead to the decision.
        let rejected = exchange(add("Monstera"), response(409, ""));
        let stored = Known { resolved: Some(Resolution::MarkStored), ..Known::default() };
        assert_eq!(describe(&rejected, stored), "Decided. Monstera counts as stored.");
        let by_weather = |status| {
            let rejected = exchange(add("Monstera"), response(status, ""));
            describe(&rejected, Known { by_weather: true, ..Known::default() })
        };
        assert_eq!(
            by_weather(422),
            "The store said no. Its weather makes it say no to everything. Monstera was not added."
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
        let no = "The store said no. It seems to have a plant 7 already.";
        assert_eq!(
            after(409, row("Monstera", State::Stored)),
            format!("{no} Monstera was not added a second time; plant 7 is as it was.")
        );
        assert_eq!(
            after(409, row("Ficus", State::Stored)),
            format!("{no} Monstera was not added; the earlier plant 7 is as it was.")
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
