//! Writes exchanges as an HTTP Archive (HAR 1.2), which browsers and proxies read.
//!
//! One entry at a time, so that memory does not grow with their number. Credentials are masked as in a report. Must not
//! know which requests the user wants, or where the archive goes.

use std::io::{self, Write};
use std::time::Duration;

use serde_json::{Value, json};
use url::Url;

use super::new_file::WriteError;
use super::queries::each;
use crate::domain::sentence::{body_ended, describe};
use crate::domain::{BodyEnd, Exchange, Header, Method, OperationKind, Phases, Response, StoreUrl, wire};
use crate::journal::{Pages, StoredExchange};
use crate::text::encoding::text_or_base64;
use crate::text::push_json;

/// A number of bytes or a duration that is not known, or does not apply.
const NONE: i64 = -1;

/// The media type of a body without a `content-type`, as browsers write it.
const UNKNOWN_TYPE: &str = "x-unknown";

const HEAD: &str = concat!(
    r#"{"log":{"version":"1.2","creator":{"name":"plants","version":""#,
    env!("CARGO_PKG_VERSION"),
    r#""},"entries":["#
);

const TAIL: &str = "\n]}}\n";

/// Writes the exchanges of these pages, in their order; returns how many.
///
/// # Errors
///
/// The journal cannot be read, or the archive cannot be written.
pub async fn write(out: &mut impl Write, mut pages: Pages<'_>, store: &StoreUrl) -> Result<usize, WriteError> {
    let mut count = 0;
    out.write_all(HEAD.as_bytes())?;
    each(&mut pages, |stored| {
        out.write_all(if count == 0 { b"\n" } else { b",\n" })?;
        count += 1;
        out.write_all(&entry(stored, store)?)
    })
    .await?;
    out.write_all(TAIL.as_bytes())?;
    Ok(count)
}

/// Returns one exchange as JSON. Fields whose names begin with an underscore are our own.
fn entry(stored: &StoredExchange, store: &StoreUrl) -> io::Result<Vec<u8>> {
    let exchange = &stored.exchange;
    let (timings, time) = timings(&exchange.phases, exchange.elapsed);
    // A time outside the calendar has no form but its text: no date at all misleads less than a false one.
    let started = exchange.started.in_utc();
    let comment = started.is_none().then(|| format!("started {}", exchange.started.in_words()));
    let mut entry = json!({
        "startedDateTime": started,
        "time": time,
        "request": request(exchange, store),
        "response": response(exchange, stored.name()),
        "cache": {},
        "timings": timings,
        "_number": stored.number,
        "_outcome": exchange.outcome(),
        "comment": comment,
    });
    drop_nulls(&mut entry);
    let mut json = Vec::new();
    push_json(&mut json, &entry)?;
    Ok(json)
}

/// Removes the fields that an archive leaves out where they do not apply.
fn drop_nulls(value: &mut Value) {
    if let Value::Object(fields) = value {
        fields.retain(|_, field| !field.is_null());
        fields.values_mut().for_each(drop_nulls);
    }
}

fn request(exchange: &Exchange, store: &StoreUrl) -> Value {
    let request = exchange.request.as_ref();
    let (method, url) = match (request, &exchange.operation.kind) {
        (Some(request), _) => (request.method, request.url.to_string()),
        // The line of a request that could not be built, or is no longer stored.
        (None, OperationKind::Add(_)) => (Method::Post, store.plants().into()),
        (None, OperationKind::Delete(id)) => (Method::Delete, store.plant(*id).into()),
    };
    let headers = request.map(|request| &*request.headers).unwrap_or_default();
    let body = request.and_then(|request| request.body.as_deref());
    let query = url.parse::<Url>().ok();
    let query = query.iter().flat_map(Url::query_pairs).map(|(name, value)| json!({ "name": name, "value": value }));
    json!({
        "method": method.word(),
        "url": url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": masked(headers),
        "queryString": query.collect::<Vec<_>>(),
        "postData": body.map(|text| json!({ "mimeType": media_type(headers), "text": text })),
        "headersSize": NONE,
        "bodySize": if request.is_some() { json!(body.map_or(0, str::len)) } else { json!(NONE) },
        "comment": request.is_none().then_some("No request is stored."),
    })
}

/// `name` is that of the plant, if it is known.
fn response(exchange: &Exchange, name: Option<&str>) -> Value {
    let response = exchange.response();
    let headers = response.map(|response| &*response.headers).unwrap_or_default();
    let body = response.map(|response| &*response.body).unwrap_or_default();
    let (text, is_base64) = text_or_base64(body);
    let stored = response.filter(|response| response.body_end != BodyEnd::Trimmed).map(Response::length);
    let ended = response.and_then(|response| body_ended(&response.body_end));
    let coding = response.and_then(Response::coding).map(|coding| format!("Compressed with {coding}."));
    let comments: Vec<_> = ended.into_iter().chain(coding).collect();
    json!({
        "status": response.map_or(0, |response| response.status),
        "statusText": response.map(|response| &*response.reason).unwrap_or_default(),
        "httpVersion": response.map(|response| &*response.version).unwrap_or_default(),
        "cookies": [],
        "headers": masked(headers),
        "content": {
            "size": stored.unwrap_or(0),
            "mimeType": media_type(headers),
            "text": stored.map(|_| text),
            "encoding": is_base64.then_some("base64"),
            "comment": (!comments.is_empty()).then(|| comments.join(" ")),
        },
        "redirectURL": response.and_then(|response| response.header("location")).map(wire::masked_urls).unwrap_or_default(),
        "headersSize": NONE,
        "bodySize": stored.map_or(json!(NONE), Value::from),
        "_error": response.is_none().then(|| describe(exchange, name)),
    })
}

/// Returns the phases in milliseconds, of which `connect` includes `ssl`, and their sum.
fn timings(phases: &Phases, elapsed: Duration) -> (Value, f64) {
    let millis = |took: Duration| (took.as_secs_f64() * 1e6).round() / 1000.0;
    let optional = |took: Option<Duration>| took.map_or(-1.0, millis);
    let connect = match (phases.connection, phases.tls) {
        (None, None) => None,
        (connection, tls) => Some(connection.unwrap_or_default() + tls.unwrap_or_default()),
    };
    let (blocked, wait, receive) =
        (phases.before(elapsed), phases.waiting.unwrap_or_default(), phases.reading.unwrap_or_default());
    let sum = blocked + phases.name.unwrap_or_default() + connect.unwrap_or_default() + wait + receive;
    let timings = json!({
        "blocked": millis(blocked),
        "dns": optional(phases.name),
        "connect": optional(connect),
        "ssl": optional(phases.tls),
        // A part of waiting.
        "send": 0.0,
        "wait": millis(wait),
        "receive": millis(receive),
    });
    (timings, millis(sum))
}

fn masked(headers: &[Header]) -> Vec<Value> {
    headers.iter().map(|header| json!({ "name": &*header.name, "value": wire::masked_value(header) })).collect()
}

fn media_type(headers: &[Header]) -> &str {
    let found = headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-type"));
    found.map_or(UNKNOWN_TYPE, |header| header.value.as_str())
}

#[cfg(test)]
mod tests;
