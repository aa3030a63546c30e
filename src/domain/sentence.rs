//! Describes exchanges in sentences, the same on screen, on stderr and in JSON.
//!
//! Foreign text in a sentence is cleaned and cut. Must not know keys and subcommands: the interface and the
//! command line add the next step.

use std::fmt::Display;
use std::time::Duration;

use serde_json::{Map, Value};

use super::difference::encoded;
use super::wire::masked_urls;
use super::{
    Authors, BodyEnd, Ending, Exchange, Failure, FailureKind, OperationKind, Outcome, Plant, Response, Row, Timestamp,
    retry_after,
};
use crate::text::number_format::about as waiting_time;
use crate::text::{capitalized, clean, clean_bytes, clean_fit};

/// The most columns of a name or a reason phrase.
pub(super) const QUOTED_COLUMNS: usize = 40;

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
pub fn called(id: impl Display, name: Option<&str>) -> String {
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

/// Formats `409 Conflict, "id in use"`, or without the reason if the body has none.
pub fn status_with_reason(response: &Response) -> String {
    let status = status_line(response.status, &response.reason);
    match store_words(response) {
        Some(words) => format!("{status}, \"{words}\""),
        None => status,
    }
}

/// Explains why a stored body is incomplete; `None` if it is complete.
pub fn body_ended(end: &BodyEnd) -> Option<String> {
    match end {
        BodyEnd::Complete => None,
        BodyEnd::Capped(cap) => Some(format!("The response is longer than {cap} bytes; the rest was not stored.")),
        BodyEnd::CutOff(why) => Some(format!("The response is cut off: {}.", clean(why))),
        BodyEnd::Trimmed => Some("The body of the response is not stored here.".to_owned()),
        BodyEnd::Shortened(whole) => {
            let stored = format!("Of {} bytes of the response, only the first are stored.", whole.length);
            Some([stored].into_iter().chain(body_ended(&whole.end)).collect::<Vec<_>>().join(" "))
        }
    }
}

/// Says what one web page or several prove that were accepted by their status, and what to check.
pub fn page_proves(pages: &str, plants: &str) -> String {
    format!("{pages} nothing: check the base URL and the token, and whether the store has the {plants}.")
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

/// Says that a history has no request with this number, and how to find a status that it may be.
pub fn no_request(number: i64) -> String {
    let status = if (100..1000).contains(&number) {
        format!("; status:{number} finds the responses with this status")
    } else {
        String::new()
    };
    format!("no request #{number}{status}")
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
        && response.body_end == BodyEnd::Complete
        && serde_json::from_slice::<Map<String, Value>>(&response.body).map_or(true, |fields| fields.len() == 1)
}

/// Returns the reason in a response body, cleaned and cut.
pub(super) fn store_words(response: &Response) -> Option<String> {
    reason(response).map(|reason| clean_fit(&reason, REASON_COLUMNS))
}

/// Finds the reason in a response body: a text field of a JSON object, a JSON string, or a short text. Skips a
/// text that repeats the reason phrase. The result is not cleaned.
fn reason(response: &Response) -> Option<String> {
    if let BodyEnd::Shortened(whole) = &response.body_end {
        return whole.reason.clone();
    }
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
    describe_after(exchange, name, None, false)
}

/// The same, after an earlier operation on the id that ended unknown: a rejection is explained by that. `is_proven`: the
/// store accepted a request at this base URL, which is therefore right.
pub fn describe_after(
    exchange: &Exchange,
    name: Option<&str>,
    unknown: Option<&OperationKind>,
    is_proven: bool,
) -> String {
    let sentence = match &exchange.ending {
        Ending::Responded(response) => after_response(exchange, response, name, unknown, is_proven),
        Ending::Failed(failure) => after_failure(exchange, failure, name),
    };
    match exchange.operation.author.as_ref().and_then(Authors::other) {
        Some(author) => format!("{}: {sentence}", clean(author.name())),
        None => sentence,
    }
}

fn after_response(
    exchange: &Exchange,
    response: &Response,
    name: Option<&str>,
    before: Option<&OperationKind>,
    is_proven: bool,
) -> String {
    let kind = &exchange.operation.kind;
    let plant = subject(kind, name);
    let outcome = exchange.outcome();
    let status = if outcome == Outcome::Accepted {
        status_line(response.status, &response.reason)
    } else {
        status_with_reason(response)
    };
    let summary = match (outcome, kind) {
        (Outcome::Accepted, _) => {
            format!("{} {plant}: {status} in {}.", capitalized(done(kind)), span(exchange.elapsed))
        }
        (Outcome::Rejected, OperationKind::Add(_)) => format!("The store rejected {plant}: {status}."),
        (Outcome::Rejected, OperationKind::Delete(_)) => format!("The store rejected the delete of {plant}: {status}."),
        (Outcome::Unknown | Outcome::NotSent, _) => {
            let did = done(kind);
            format!("It is unknown whether {plant} was {did}: the store responded {status}, which decides nothing.")
        }
    };
    let mut sentences = vec![summary];
    sentences.extend(match before {
        Some(unknown) if outcome == Outcome::Rejected => Some(explain_rejection(exchange, unknown).to_owned()),
        // The name of a plant to delete is known from its add at this base URL.
        _ => hint(exchange, response, is_proven || kind.plant().is_none() && name.is_some()),
    });
    if !is_redirect(response.status)
        && let Some(target) = target(response)
    {
        sentences.push(format!("Location: {target}."));
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
            format!("It is unknown whether {plant} was {}: {why}{detail}.", done(kind))
        }
    }
}

fn done(kind: &OperationKind) -> &'static str {
    match kind {
        OperationKind::Add(_) => "added",
        OperationKind::Delete(_) => "deleted",
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
        (Some(404 | 410), OperationKind::Delete(_), _) => explain_absence(Some(unknown), 1),
        (_, _, OperationKind::Add(_)) => "An earlier add of this id ended unknown, and this does not decide it.",
        (_, _, OperationKind::Delete(_)) => "An earlier delete of this id ended unknown, and this does not decide it.",
    }
}

/// Says how many of the plants to delete are not in the list, if some are.
pub fn note_absent(absent: usize, of: usize) -> Option<String> {
    Some(match (absent, of) {
        (0, _) => return None,
        (_, 1) => "It is not in the list; somebody else may have added it.".to_owned(),
        (1, _) => "One of them is not in the list; somebody else may have added it.".to_owned(),
        _ => format!("{absent} of them are not in the list; somebody else may have added them."),
    })
}

/// Explains why the store has no such plants, which are in the list; `unknown` is like the earlier operation on each of
/// them that ended unknown, if one did.
pub fn explain_absence(unknown: Option<&OperationKind>, plants: usize) -> &'static str {
    let [one, several] = match unknown {
        Some(OperationKind::Delete(_)) => [
            "An earlier delete of this id ended unknown: it may have worked, and the plant is gone.",
            "Earlier deletes of these ids ended unknown: they may have worked, and the plants are gone.",
        ],
        Some(OperationKind::Add(_)) => [
            "An earlier add of this id ended unknown: it may never have arrived, and the plant was never there.",
            "Earlier adds of these ids ended unknown: they may never have arrived, and the plants were never there.",
        ],
        None => [
            "The store may have lost it, or another person may have deleted it.",
            "The store may have lost them, or another person may have deleted them.",
        ],
    };
    if plants == 1 { one } else { several }
}

/// Returns where a response points to, without credentials: a report repeats sentences.
fn target(response: &Response) -> Option<String> {
    response.header("location").map(|target| clean_fit(&masked_urls(target), REASON_COLUMNS))
}

/// Explains a status and suggests a next step, which is not the base URL if that is proven, but for a web page; `None` for
/// a status that needs no explanation.
fn hint(exchange: &Exchange, response: &Response, is_proven: bool) -> Option<String> {
    let hint = match (response.status, &exchange.operation.kind) {
        _ if exchange.is_accepted_page() => {
            return Some(page_proves("The response is a web page, which proves", "plant"));
        }
        (304 | 404 | 405 | 501, _) if is_proven => return None,
        // Said with its duration.
        (429, _) if response.header("retry-after").is_some() => return None,
        (304, _) => "304 is no valid response to this request: check the base URL.",
        (status, _) if is_redirect(status) => {
            let what = target(response)
                .map_or("is a redirect without an address".to_owned(), |target| format!("points to {target}"));
            let check = if is_proven { "" } else { "the base URL and " };
            return Some(format!("It {what}; redirects are never followed. Check {check}the token."));
        }
        (401, _) if response.requires_basic() => {
            "A gateway in front of the store asks for a user name and password (Basic), which this program does not \
             send. Check the base URL."
        }
        (401 | 403, _) if exchange.rejects_token() => "Another token may help.",
        (404, OperationKind::Delete(_)) => "It has no such plant, or the base URL is wrong: a 404 can mean either.",
        (404, OperationKind::Add(_)) => "There is nothing at this path: the base URL may be wrong.",
        (405 | 501, OperationKind::Add(_)) => "This path takes no POST: the base URL may be wrong.",
        (405 | 501, OperationKind::Delete(_)) => "This path takes no DELETE: the base URL may be wrong.",
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

/// Returns `409 Conflict`, or why there is no response.
pub fn ended(exchange: &Exchange) -> String {
    match &exchange.ending {
        Ending::Responded(response) => status_line(response.status, &response.reason),
        Ending::Failed(failure) => failed_because(failure.kind, exchange.elapsed),
    }
}

/// Explains why there is no response, as the end of a sentence.
pub fn failed_because(kind: FailureKind, elapsed: Duration) -> String {
    match kind {
        FailureKind::NotRecorded => "it could not be written to the journal first".to_owned(),
        FailureKind::Overtaken => "it was resolved or changed elsewhere meanwhile; look again".to_owned(),
        FailureKind::NotBuilt => "the request could not be built".to_owned(),
        FailureKind::NotConnected => "no connection to the store".to_owned(),
        FailureKind::NotConnectedInTime => format!("no connection to the store within {}", span(elapsed)),
        FailureKind::CancelledBeforeSending => "it was stopped before".to_owned(),
        FailureKind::TimedOut => format!("no response within {}", span(elapsed)),
        FailureKind::NoResponse => "the connection ended without a usable response".to_owned(),
        FailureKind::CancelledInFlight => "it was cancelled while it was in flight".to_owned(),
        FailureKind::Interrupted => "the program ended while it was in flight".to_owned(),
        FailureKind::TaskDied => "the task that sent it failed".to_owned(),
    }
}

#[cfg(test)]
mod tests;
