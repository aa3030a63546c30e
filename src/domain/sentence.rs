//! Describes exchanges in sentences, the same on screen, on stderr and in JSON.
//!
//! Foreign text in a sentence is cleaned and cut. Must not know keys and subcommands: the interface and the
//! command line add the next step.

use std::time::Duration;

use serde_json::{Map, Value};

use super::exchange::{BodyEnd, Ending, Exchange, Failure, FailureKind, Response};
use super::ledger::Row;
use super::mismatch::encoded;
use super::operation::OperationKind;
use super::outcome::Outcome;
use super::plant::{Plant, PlantId};
use super::retry_after;
use super::timestamp::Timestamp;
use crate::text::number_format::about as waiting_time;
use crate::text::{clean, clean_bytes, clean_fit};

/// The most columns of a name or a reason phrase.
const QUOTED_COLUMNS: usize = 40;

/// The most columns of the reason in a response body, and of a header value.
const REASON_COLUMNS: usize = 120;

/// The most bytes of a plain text body that counts as a reason.
const MAX_TEXT_REASON: usize = 200;

/// The fields of a JSON body that may contain the reason, by priority.
const REASON_FIELDS: [&str; 4] = ["error", "message", "detail", "title"];

/// The most bytes of a response body that are quoted.
const MAX_EXCERPT: usize = 300;

/// The most columns of an error text: long enough for a path of the journal and the next step.
const DETAIL_COLUMNS: usize = 300;

/// Names a plant: `Monstera (7)`, or `plant 7` if the name is empty.
pub fn plant_called(plant: &Plant) -> String {
    called(plant.id, Some(&plant.name))
}

/// Names a plant whose name may be unknown.
pub fn called(id: PlantId, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{} ({id})", clean_fit(name, QUOTED_COLUMNS)),
        Some(_) | None => format!("plant {id}"),
    }
}

/// Formats a duration with at most three digits: `12 ms`, `1.3 s`.
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

/// Formats `201 Created`, or `201` without a reason phrase.
pub fn status_line(status: u16, reason: &str) -> String {
    if reason.is_empty() { status.to_string() } else { format!("{status} {}", clean_fit(reason, QUOTED_COLUMNS)) }
}

/// Explains why a stored body is incomplete; `None` if it is complete.
pub fn body_ended(end: &BodyEnd) -> Option<String> {
    match end {
        BodyEnd::Complete => None,
        BodyEnd::Capped(cap) => Some(format!("The response is longer than {cap} bytes; the rest was not stored.")),
        BodyEnd::CutOff(why) => Some(format!("The response is cut off: {}.", clean(why))),
        BodyEnd::Trimmed => Some("The body of the response is no longer stored.".to_owned()),
    }
}

/// Names a plant of the list.
pub fn row_called(row: &Row) -> String {
    called(row.id, row.name())
}

/// Names the plant of an operation; `name` is the name of the plant of a delete, if known.
pub fn subject(kind: &OperationKind, name: Option<&str>) -> String {
    match kind {
        OperationKind::Add(plant) => plant_called(plant),
        OperationKind::Delete(id) => called(*id, name),
    }
}

/// Names an operation: `add Monstera (7)`; `name` as for [`subject`].
pub fn about(kind: &OperationKind, name: Option<&str>) -> String {
    format!("{} {}", kind.word(), subject(kind, name))
}

/// Quotes the start of the response body, cleaned; `None` without a response, or if [`describe`] already quotes
/// everything in the body.
pub fn response_excerpt(exchange: &Exchange) -> Option<String> {
    let response = exchange.response()?;
    let ended = body_ended(&response.body_end);
    let body = response.body.as_slice();
    if response.body_end == BodyEnd::Trimmed || response.coding().is_some() {
        return ended;
    }
    let quoted = if body.is_empty() {
        ended.is_none().then(|| "The response has no body.".to_owned())
    } else if is_only_a_reason(response) {
        None
    } else {
        let shown = clean_bytes(body.get(..MAX_EXCERPT).unwrap_or(body));
        let more = if body.len() > MAX_EXCERPT { " …" } else { "" };
        Some(format!("The response body: {shown}{more}"))
    };
    let lines: Vec<_> = quoted.into_iter().chain(ended).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

/// Whether the body contains only the reason that [`describe`] quotes.
fn is_only_a_reason(response: &Response) -> bool {
    reason(response).is_some()
        && serde_json::from_slice::<Map<String, Value>>(&response.body).map_or(true, |fields| fields.len() == 1)
}

/// Finds the reason in a response body: a text field of a JSON object, a JSON string, or a short text. Skips a
/// text that repeats the reason phrase. The result is not cleaned.
fn reason(response: &Response) -> Option<String> {
    if response.body_end != BodyEnd::Complete || response.coding().is_some() {
        return None;
    }
    let not_repeated = |text: &str| {
        let text = text.trim();
        (!text.is_empty() && !text.eq_ignore_ascii_case(&response.reason)).then(|| text.to_owned())
    };
    match serde_json::from_slice::<Value>(&response.body) {
        Ok(Value::Object(fields)) => REASON_FIELDS.iter().find_map(|name| match fields.get(*name)? {
            Value::String(text) => not_repeated(text),
            Value::Object(inner) => not_repeated(inner.get("message")?.as_str()?),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        }),
        Ok(Value::String(text)) => not_repeated(&text),
        Ok(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) => None,
        Err(_) => {
            let text = str::from_utf8(&response.body).ok().filter(|text| text.len() <= MAX_TEXT_REASON)?;
            // Neither a page of markup nor an incomplete JSON text is a sentence.
            let is_sentence = !text.trim_start().starts_with(['<', '{', '[', '"']);
            if is_sentence { not_repeated(text) } else { None }
        }
    }
}

/// Describes an exchange in one to four sentences. `name` is the name of the plant of a delete, if known.
pub fn describe(exchange: &Exchange, name: Option<&str>) -> String {
    describe_after(exchange, name, None)
}

/// The same, after an earlier operation on the id that ended unknown: a rejection is explained by that.
pub fn describe_after(exchange: &Exchange, name: Option<&str>, unknown: Option<&OperationKind>) -> String {
    let sentence = match &exchange.ending {
        Ending::Responded(response) => after_response(exchange, response, name, unknown),
        Ending::Failed(failure) => after_failure(exchange, failure, name),
    };
    match &exchange.operation.author {
        Some(author) => format!("{}: {sentence}", clean(author.name())),
        None => sentence,
    }
}

fn after_response(
    exchange: &Exchange,
    response: &Response,
    name: Option<&str>,
    before: Option<&OperationKind>,
) -> String {
    let kind = &exchange.operation.kind;
    let plant = subject(kind, name);
    let outcome = exchange.outcome();
    let mut status = status_line(response.status, &response.reason);
    if outcome != Outcome::Accepted
        && let Some(reason) = reason(response)
    {
        status = format!("{status}, \"{}\"", clean_fit(&reason, REASON_COLUMNS));
    }
    let summary = match (outcome, kind) {
        (Outcome::Accepted, OperationKind::Add(_)) => format!("Added {plant}: {status} in {}.", span(exchange.elapsed)),
        (Outcome::Accepted, OperationKind::Delete(_)) => {
            format!("Deleted {plant}: {status} in {}.", span(exchange.elapsed))
        }
        (Outcome::Rejected, OperationKind::Add(_)) => format!("The store rejected {plant}: {status}."),
        (Outcome::Rejected, OperationKind::Delete(_)) => format!("The store rejected the delete of {plant}: {status}."),
        (Outcome::Unknown | Outcome::NotSent, _) => {
            format!("{}: the store responded {status}, which decides nothing.", unknown(kind, &plant))
        }
    };
    let mut sentences = vec![summary];
    if outcome == Outcome::Rejected {
        sentences.extend(match before {
            Some(unknown) => Some(explain_rejection(exchange, unknown).to_owned()),
            None => rejection_hint(kind, response, name.is_some()),
        });
    }
    if !is_redirect(response.status)
        && let Some(target) = response.header("location")
    {
        sentences.push(format!("Location: {}.", clean_fit(target, REASON_COLUMNS)));
    }
    if outcome != Outcome::Accepted
        && let Some(coding) = response.coding()
    {
        sentences.push(format!("Its reason cannot be shown: {}.", encoded(coding)));
    }
    sentences.extend(retry_after(exchange, response));
    sentences.join(" ")
}

fn after_failure(exchange: &Exchange, failure: &Failure, name: Option<&str>) -> String {
    let kind = &exchange.operation.kind;
    let plant = subject(kind, name);
    let why = failed_because(failure.kind, exchange.elapsed);
    let detail = if failure.detail.is_empty() {
        String::new()
    } else {
        format!(" ({})", clean_fit(&failure.detail, DETAIL_COLUMNS))
    };
    match (failure.kind.outcome(), kind) {
        (Outcome::NotSent, OperationKind::Add(plant)) if plant.name.is_empty() => {
            format!("Plant {} was not sent: {why}{detail}.", plant.id)
        }
        (Outcome::NotSent, OperationKind::Add(_)) => format!("{plant} was not sent: {why}{detail}."),
        (Outcome::NotSent, OperationKind::Delete(_)) => format!("The delete of {plant} was not sent: {why}{detail}."),
        (Outcome::Accepted | Outcome::Rejected | Outcome::Unknown, _) => {
            format!("{}: {why}{detail}.", unknown(kind, &plant))
        }
    }
}

fn unknown(kind: &OperationKind, plant: &str) -> String {
    match kind {
        OperationKind::Add(_) => format!("It is unknown whether {plant} was added"),
        OperationKind::Delete(_) => format!("It is unknown whether {plant} was deleted"),
    }
}

/// Describes the pause that the store asks for (RFC 9110 §10.2.3), counted from the response.
fn retry_after(exchange: &Exchange, response: &Response) -> Option<String> {
    let value = response.header("retry-after")?;
    let shown = clean_fit(value.trim(), REASON_COLUMNS);
    let took = i64::try_from(exchange.elapsed.as_millis()).unwrap_or(i64::MAX);
    let received = Timestamp(exchange.started.0.saturating_add(took));
    Some(match retry_after::pause(response, received) {
        Some(Duration::ZERO) => format!("It asks for no pause (Retry-After: {shown})."),
        Some(pause) => {
            format!("It asks to wait {} before the next request (Retry-After: {shown}).", waiting_time(pause))
        }
        None => format!("It asks to wait, but the duration is invalid (Retry-After: {shown})."),
    })
}

/// Explains a rejection after an earlier unknown operation on the same id. The rejection never resolves the
/// earlier operation.
pub fn explain_rejection(rejected: &Exchange, unknown: &OperationKind) -> &'static str {
    match (rejected.status(), &rejected.operation.kind, unknown) {
        (Some(409), OperationKind::Add(_), OperationKind::Add(_)) => {
            "An earlier add of this id ended unknown: the plant that has the id may be your own."
        }
        (Some(409), OperationKind::Add(_), OperationKind::Delete(_)) => {
            "An earlier delete of this id ended unknown: the store may still have the plant from before."
        }
        (Some(404 | 410), OperationKind::Delete(_), OperationKind::Delete(_)) => {
            "An earlier delete of this id ended unknown: it may have worked, and the plant is gone."
        }
        (Some(404 | 410), OperationKind::Delete(_), OperationKind::Add(_)) => {
            "An earlier add of this id ended unknown: it may never have arrived, and the plant was never there."
        }
        (_, _, OperationKind::Add(_)) => "An earlier add of this id ended unknown, and this does not decide it.",
        (_, _, OperationKind::Delete(_)) => "An earlier delete of this id ended unknown, and this does not decide it.",
    }
}

/// Explains a rejection and suggests a next step; `None` for a status that needs no explanation.
///
/// `is_known`: the plant was recorded at this base URL before, which is therefore right.
fn rejection_hint(kind: &OperationKind, response: &Response, is_known: bool) -> Option<String> {
    let hint = match (response.status, kind) {
        (304, _) => "304 is no valid response to this request: check the base URL.",
        (status, _) if is_redirect(status) => {
            let target = response.header("location").map(|target| clean_fit(target, REASON_COLUMNS));
            let target = target.as_deref().unwrap_or("another address");
            return Some(format!("It points to {target}; redirects are never followed. Check the base URL."));
        }
        (401, _) if response.requires_basic() => {
            "A gateway in front of the store asks for a user name and password (Basic), which this program does not \
             send. Check the base URL."
        }
        (401 | 403, _) => "Another token may help.",
        (404, OperationKind::Delete(_)) if is_known => return None,
        (404, OperationKind::Delete(_)) => "It has no such plant, or the base URL is wrong: a 404 can mean either.",
        (404, OperationKind::Add(_)) => "There is nothing at this path: the base URL may be wrong.",
        (405, OperationKind::Add(_)) => "This path takes no POST: the base URL may be wrong.",
        (405, OperationKind::Delete(_)) => "This path takes no DELETE: the base URL may be wrong.",
        (407, _) => "A proxy asks for a user name and password: check the proxy of the connection.",
        (409, OperationKind::Add(_)) => "It may already have a plant with this id.",
        (429, _) => "It asks for fewer requests: wait before the next.",
        _ => return None,
    };
    Some(hint.into())
}

/// Whether a status is a redirect (RFC 9110 §15.4), which 304 is not.
fn is_redirect(status: u16) -> bool {
    matches!(status, 300..=399) && status != 304
}

/// Explains why there is no response, as the end of a sentence.
pub fn failed_because(kind: FailureKind, elapsed: Duration) -> String {
    match kind {
        FailureKind::NotRecorded => "it could not be written to the journal first".to_owned(),
        FailureKind::NotBuilt => "the request could not be built".to_owned(),
        FailureKind::NotConnected => "no connection to the store".to_owned(),
        FailureKind::NotConnectedInTime => format!("no connection to the store within {}", span(elapsed)),
        FailureKind::CancelledBeforeSending => "it was cancelled first".to_owned(),
        FailureKind::TimedOut => format!("no response within {}", span(elapsed)),
        FailureKind::NoResponse => "the connection ended without a usable response".to_owned(),
        FailureKind::CancelledInFlight => "it was cancelled while it was in flight".to_owned(),
        FailureKind::Interrupted => "the program ended while it was in flight".to_owned(),
        FailureKind::TaskDied => "the task that sent it failed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Header, Operation, OperationId, Phases};

    #[test]
    fn durations_have_at_most_three_digits() {
        for (micros, shown) in [
            (0, "0.0 ms"),
            (1_234, "1.2 ms"),
            (9_949, "9.9 ms"),
            (9_950, "10 ms"),
            (12_345, "12 ms"),
            (999_499, "999 ms"),
            (999_500, "1.0 s"),
            (1_250_000, "1.2 s"),
            (9_949_999, "9.9 s"),
            (9_950_000, "10 s"),
            (30_000_000, "30 s"),
        ] {
            assert_eq!(span(Duration::from_micros(micros)), shown);
        }
    }

    #[test]
    fn a_rejection_after_an_unknown_operation_is_explained_by_that_operation() {
        let add = OperationKind::add(Plant { name: "Fern".into(), id: PlantId(7), tag: String::new() });
        let delete = OperationKind::Delete(PlantId(7));
        for (rejected, status, unknown, parts) in [
            (&add, 409, &add, ["An earlier add", "may be your own"]),
            (&add, 409, &delete, ["An earlier delete", "may still have the plant"]),
            (&delete, 404, &delete, ["An earlier delete", "it may have worked"]),
            (&delete, 404, &add, ["An earlier add", "it may never have arrived"]),
            (&delete, 403, &delete, ["An earlier delete", "does not decide it"]),
            (&add, 400, &add, ["An earlier add", "does not decide it"]),
        ] {
            let explained =
                explain_rejection(&exchange(rejected.clone(), responded(&format!("{status} No"), &[], "")), unknown);
            assert!(parts.iter().all(|part| explained.contains(part)), "{} {status}: {explained}", rejected.word());
        }
    }

    #[test]
    fn names_in_sentences_are_cleaned_and_cut() {
        assert_eq!(called(PlantId(7), Some("\u{1b}[2J")), "␛[2J (7)");
        assert_eq!(called(PlantId(7), Some("")), "plant 7");
        assert!(called(PlantId(7), Some(&"x".repeat(10_000))).len() < 60);
    }

    const GATEWAY: &str = "A gateway in front of the store asks for a user name and password (Basic), which this program \
                           does not send. Check the base URL.";

    fn monstera() -> OperationKind {
        OperationKind::add(Plant { name: "Monstera".into(), id: PlantId(7), tag: "tropical".into() })
    }

    fn exchange(kind: OperationKind, ending: Ending) -> Exchange {
        Exchange {
            operation: Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0)),
            request: None,
            ending,
            started: Timestamp(784_111_769_988),
            elapsed: Duration::from_millis(12),
            phases: Phases::default(),
        }
    }

    /// Describes an add with this response.
    fn described(status: &str, headers: &[(&str, &str)], body: &str) -> String {
        described_for(monstera(), status, headers, body)
    }

    fn described_for(kind: OperationKind, status: &str, headers: &[(&str, &str)], body: &str) -> String {
        describe(&exchange(kind, responded(status, headers, body)), None)
    }

    fn responded(status: &str, headers: &[(&str, &str)], body: &str) -> Ending {
        let (code, reason) = status.split_once(' ').unwrap_or((status, ""));
        let header = |(name, value): &(&str, &str)| Header { name: (*name).into(), value: (*value).into() };
        Ending::Responded(Response {
            status: code.parse().unwrap(),
            reason: reason.to_owned().into(),
            version: "HTTP/1.1".into(),
            headers: headers.iter().map(header).collect(),
            body: body.into(),
            body_end: BodyEnd::Complete,
        })
    }

    #[test]
    fn each_outcome_has_its_sentence() {
        let delete = || OperationKind::Delete(PlantId(7));
        assert_eq!(described("201 Created", &[], "{}"), "Added Monstera (7): 201 Created in 12 ms.");
        assert_eq!(described_for(delete(), "204 No Content", &[], ""), "Deleted plant 7: 204 No Content in 12 ms.");
        assert_eq!(
            described("409 Conflict", &[], r#"{"error":"id in use"}"#),
            "The store rejected Monstera (7): 409 Conflict, \"id in use\". It may already have a plant with this id."
        );
        assert_eq!(described_for(delete(), "400", &[], ""), "The store rejected the delete of plant 7: 400.");
        assert_eq!(
            described("503 Busy", &[], "closed for lunch\n"),
            "It is unknown whether Monstera (7) was added: the store responded 503 Busy, \"closed for lunch\", which \
             decides nothing."
        );
        let failed = |kind, failure, detail: &str| {
            describe(&exchange(kind, Ending::Failed(Failure { kind: failure, detail: detail.into() })), None)
        };
        assert_eq!(
            failed(monstera(), FailureKind::NotConnected, "Connection refused"),
            "Monstera (7) was not sent: no connection to the store (Connection refused)."
        );
        assert_eq!(
            failed(delete(), FailureKind::CancelledBeforeSending, ""),
            "The delete of plant 7 was not sent: it was cancelled first."
        );
        let nameless = OperationKind::add(Plant { name: String::new(), id: PlantId(7), tag: String::new() });
        assert_eq!(
            failed(nameless, FailureKind::CancelledBeforeSending, ""),
            "Plant 7 was not sent: it was cancelled first."
        );
        assert_eq!(
            failed(monstera(), FailureKind::TimedOut, ""),
            "It is unknown whether Monstera (7) was added: no response within 12 ms."
        );
    }

    #[test]
    fn the_reason_of_the_store_is_quoted() {
        let quoted = |body: &str| {
            let text = described("400 Bad Request", &[], body);
            text.strip_prefix("The store rejected Monstera (7): 400 Bad Request").unwrap().to_owned()
        };
        for (body, reason) in [
            (r#"{"error":"id in use"}"#, "id in use"),
            (r#"{"code":1,"message":" no such tag "}"#, "no such tag"),
            (r#"{"title":"Invalid","detail":"tag is too long"}"#, "tag is too long"),
            (r#"{"error":{"code":3,"message":"tag is too long"}}"#, "tag is too long"),
            // A repeated reason phrase is skipped.
            (r#"{"error":"Bad Request","message":"tag is too long"}"#, "tag is too long"),
            (r#""id in use""#, "id in use"),
            ("id in use", "id in use"),
            ("\u{1b}[2J", "␛[2J"),
        ] {
            assert_eq!(quoted(body), format!(", \"{reason}\"."), "{body}");
        }
        let page = "x".repeat(MAX_TEXT_REASON + 1);
        for none in
            ["", "<html>no</html>", "{}", r#"{"error":7}"#, "[1]", "{\"error\":\"id", "bad request", "  ", &page]
        {
            assert_eq!(quoted(none), ".", "{none}");
        }
        let long = quoted(&format!(r#"{{"error":"{}"}}"#, "x".repeat(10_000)));
        assert!(long.len() < 200 && long.ends_with("…\"."), "{long}");
        // An accepted response has no reason.
        assert_eq!(described("200 OK", &[], r#"{"message":"made"}"#), "Added Monstera (7): 200 OK in 12 ms.");
    }

    #[test]
    fn the_body_is_quoted_if_it_contains_more_than_the_reason() {
        let words = |body: &str| response_excerpt(&exchange(monstera(), responded("400 No", &[], body)));
        assert_eq!(words(r#"{"error":"id in use"}"#), None);
        assert_eq!(words("id in use"), None);
        assert_eq!(words(""), Some("The response has no body.".to_owned()));
        let more = r#"{"error":"invalid","field":"tag"}"#;
        assert_eq!(words(more), Some(format!("The response body: {more}")));
        assert_eq!(words("<html>"), Some("The response body: <html>".to_owned()));
        let page = "<".repeat(MAX_EXCERPT);
        assert_eq!(words(&page), Some(format!("The response body: {page}")));
        assert_eq!(words(&format!("{page}>")), Some(format!("The response body: {page} …")));
    }

    #[test]
    fn retry_after_is_explained_for_seconds_and_dates() {
        let at = |value: &str| {
            let text = described("429 Too Many Requests", &[("retry-after", value)], "");
            let before = "The store rejected Monstera (7): 429 Too Many Requests. It asks for fewer requests: wait \
                          before the next. ";
            text.strip_prefix(before).unwrap().to_owned()
        };
        assert_eq!(at("120"), "It asks to wait 2 min before the next request (Retry-After: 120).");
        assert_eq!(
            at("Sun, 06 Nov 1994 08:49:37 GMT"),
            "It asks to wait 7 s before the next request (Retry-After: Sun, 06 Nov 1994 08:49:37 GMT)."
        );
        assert_eq!(at("0"), "It asks for no pause (Retry-After: 0).");
        assert_eq!(at("so\u{1b}on"), "It asks to wait, but the duration is invalid (Retry-After: so␛on).");
        let busy = described("503 Busy", &[("retry-after", "5")], "");
        assert!(
            busy.ends_with("decides nothing. It asks to wait 5 s before the next request (Retry-After: 5)."),
            "{busy}"
        );
    }

    #[test]
    fn the_location_header_is_shown() {
        let to = [("location", "/plants/7")];
        assert_eq!(
            described("201 Created", &to, "{}"),
            "Added Monstera (7): 201 Created in 12 ms. Location: /plants/7."
        );
        assert_eq!(
            described("307", &[("location", "https://\u{1b}.example/")], ""),
            "The store rejected Monstera (7): 307. It points to https://␛.example/; redirects are never followed. \
             Check the base URL."
        );
        let nowhere = described("301", &[], "");
        assert!(
            nowhere.ends_with("It points to another address; redirects are never followed. Check the base URL."),
            "{nowhere}"
        );
        let unmodified = described("304 Not Modified", &to, "");
        assert!(!unmodified.contains("points") && unmodified.contains("check the base URL"), "{unmodified}");
    }

    #[test]
    fn basic_authentication_gets_another_hint_than_a_bearer_token() {
        let to = |challenges: &[&str]| {
            let headers: Vec<_> = challenges.iter().map(|value| ("WWW-Authenticate", *value)).collect();
            let text = described("401", &headers, "");
            text.strip_prefix("The store rejected Monstera (7): 401. ").unwrap().to_owned()
        };
        for basic in
            [&["Basic realm=\"a, Bearer b\""][..], &["basic"], &["Digest realm=\"x\", nonce=\"y\"", "BASIC x=y"]]
        {
            assert_eq!(to(basic), GATEWAY, "{basic:?}");
        }
        for token in [
            &["Bearer"][..],
            &[],
            &["Basic realm=\"x\", Bearer realm=\"y\""],
            &["Bearer", "Basic"],
            &["Custom basic=1"],
        ] {
            assert_eq!(to(token), "Another token may help.", "{token:?}");
        }
    }

    #[test]
    fn status_407_names_the_proxy() {
        let text = described("407 Proxy Authentication Required", &[], "");
        assert!(text.ends_with("check the proxy of the connection."), "{text}");
    }

    #[test]
    fn status_404_and_405_suggest_a_wrong_base_url() {
        for status in ["404 Not Found", "405 Method Not Allowed"] {
            for kind in [monstera(), OperationKind::Delete(PlantId(7))] {
                let text = described_for(kind, status, &[], "");
                assert!(text.contains("the base URL may be wrong") || text.contains("the base URL is wrong"), "{text}");
            }
        }
    }

    #[test]
    fn a_compressed_reason_is_not_quoted() {
        let headers = [("content-encoding", "gzip")];
        assert_eq!(
            described("400 No", &headers, "looks like text"),
            "The store rejected Monstera (7): 400 No. Its reason cannot be shown: the response is compressed with gzip, \
             which was not requested, and is not decoded."
        );
        let ending = responded("400 No", &headers, "looks like text");
        assert_eq!(response_excerpt(&exchange(monstera(), ending)), None);
    }
}
