//! Writes exchanges as an HTTP Archive (HAR 1.2), which browsers and proxies read.
//!
//! One entry at a time, so that memory does not grow with their number. Credentials are masked as in a report. Must not
//! know which requests the user wants, or where the archive goes.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use url::Url;

use super::write_error::WriteError;
use crate::domain::sentence::{body_ended, describe};
use crate::domain::{BodyEnd, Exchange, Header, Method, OperationKind, Outcome, Phases, StoreUrl, Timestamp, wire};
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
    loop {
        let page = pages.next().await?;
        if page.is_empty() {
            break;
        }
        for stored in &page {
            out.write_all(if count == 0 { b"\n" } else { b",\n" })?;
            out.write_all(&entry(stored, store)?)?;
            count += 1;
        }
    }
    out.write_all(TAIL.as_bytes())?;
    Ok(count)
}

/// Returns one exchange as JSON.
fn entry(stored: &StoredExchange, store: &StoreUrl) -> io::Result<Vec<u8>> {
    let mut json = Vec::new();
    push_json(&mut json, &Entry::new(stored, store))?;
    Ok(json)
}

/// Fields whose names begin with an underscore are our own.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    started_date_time: String,
    time: f64,
    request: RequestPart<'a>,
    response: ResponsePart<'a>,
    cache: Empty,
    timings: Timings,
    #[serde(rename = "_number")]
    number: i64,
    #[serde(rename = "_outcome")]
    outcome: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
}

#[derive(Debug, Default, Serialize)]
struct Empty {}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestPart<'a> {
    method: &'static str,
    url: String,
    http_version: &'static str,
    cookies: [Empty; 0],
    headers: Vec<Pair<'a>>,
    query_string: Vec<Pair<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    post_data: Option<PostData<'a>>,
    headers_size: i64,
    body_size: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Pair<'a> {
    name: Cow<'a, str>,
    value: Cow<'a, str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PostData<'a> {
    mime_type: &'a str,
    text: &'a str,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct ResponsePart<'a> {
    /// 0 without a response.
    status: u16,
    status_text: &'a str,
    http_version: &'a str,
    cookies: [Empty; 0],
    headers: Vec<Pair<'a>>,
    content: Content<'a>,
    #[serde(rename = "redirectURL")]
    redirect_url: &'a str,
    headers_size: i64,
    body_size: i64,
    /// Why there is none.
    #[serde(rename = "_error", skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Content<'a> {
    size: i64,
    mime_type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
}

/// Milliseconds. `connect` includes `ssl`.
#[derive(Debug, Serialize)]
struct Timings {
    blocked: f64,
    dns: f64,
    connect: f64,
    ssl: f64,
    send: f64,
    wait: f64,
    receive: f64,
}

impl<'a> Entry<'a> {
    fn new(stored: &'a StoredExchange, store: &StoreUrl) -> Self {
        let exchange = &stored.exchange;
        let (timings, time) = Timings::of(&exchange.phases, exchange.elapsed);
        // A time outside the calendar has no other form than its text.
        let started = exchange.started.in_utc();
        let comment = started.is_none().then(|| format!("started {}", exchange.started.in_words()));
        Self {
            started_date_time: started.or_else(|| Timestamp(0).in_utc()).unwrap_or_default(),
            time,
            request: RequestPart::of(exchange, store),
            response: ResponsePart::of(exchange, stored.name()),
            cache: Empty {},
            timings,
            number: stored.number,
            outcome: exchange.outcome(),
            comment,
        }
    }
}

impl<'a> RequestPart<'a> {
    fn of(exchange: &'a Exchange, store: &StoreUrl) -> Self {
        let part = Self { http_version: "HTTP/1.1", headers_size: NONE, body_size: NONE, ..Self::default() };
        let Some(request) = &exchange.request else {
            // The line of a request that could not be built, or is no longer stored.
            let (method, url) = match &exchange.operation.kind {
                OperationKind::Add(_) => (Method::Post, store.plants()),
                OperationKind::Delete(id) => (Method::Delete, store.plant(*id)),
            };
            return Self { method: method.word(), url: url.into(), comment: Some("No request is stored."), ..part };
        };
        let body = request.body.as_deref();
        let query = request.url.parse::<Url>().ok();
        let pair = |(name, value): (Cow<'_, str>, Cow<'_, str>)| Pair {
            name: name.into_owned().into(),
            value: value.into_owned().into(),
        };
        Self {
            method: request.method.word(),
            url: request.url.to_string(),
            headers: masked(&request.headers),
            query_string: query.iter().flat_map(Url::query_pairs).map(pair).collect(),
            post_data: body.map(|text| PostData { mime_type: media_type(&request.headers), text }),
            body_size: body.map_or(0, |body| as_size(body.len())),
            ..part
        }
    }
}

impl<'a> ResponsePart<'a> {
    fn of(exchange: &'a Exchange, name: Option<&str>) -> Self {
        let part = Self { headers_size: NONE, body_size: NONE, ..Self::default() };
        let Some(response) = exchange.response() else {
            let content = Content { mime_type: UNKNOWN_TYPE, ..Content::default() };
            return Self { content, error: Some(describe(exchange, name)), ..part };
        };
        let is_stored = response.body_end != BodyEnd::Trimmed;
        let (text, is_base64) = text_or_base64(&response.body);
        let coding = response.coding().map(|coding| format!("Compressed with {coding}."));
        let comments: Vec<_> = body_ended(&response.body_end).into_iter().chain(coding).collect();
        Self {
            status: response.status,
            status_text: &response.reason,
            http_version: &response.version,
            headers: masked(&response.headers),
            content: Content {
                size: as_size(response.body.len()),
                mime_type: media_type(&response.headers),
                text: is_stored.then_some(text),
                encoding: is_base64.then_some("base64"),
                comment: (!comments.is_empty()).then(|| comments.join(" ")),
            },
            redirect_url: response.header("location").unwrap_or_default(),
            body_size: if is_stored { as_size(response.body.len()) } else { NONE },
            ..part
        }
    }
}

impl Timings {
    /// Returns the timings, and their sum.
    fn of(phases: &Phases, elapsed: Duration) -> (Self, f64) {
        let millis = |took: Option<Duration>| took.map_or(-1.0, |took| (took.as_secs_f64() * 1e6).round() / 1000.0);
        let connect = match (phases.connection, phases.tls) {
            (None, None) => None,
            (connection, tls) => Some(connection.unwrap_or_default() + tls.unwrap_or_default()),
        };
        // Sending is a part of waiting.
        let [blocked, send, wait, receive] = [
            phases.before(elapsed),
            Duration::ZERO,
            phases.waiting.unwrap_or_default(),
            phases.reading.unwrap_or_default(),
        ];
        let sum = blocked + phases.name.unwrap_or_default() + connect.unwrap_or_default() + send + wait + receive;
        let timings = Self {
            blocked: millis(Some(blocked)),
            dns: millis(phases.name),
            connect: millis(connect),
            ssl: millis(phases.tls),
            send: millis(Some(send)),
            wait: millis(Some(wait)),
            receive: millis(Some(receive)),
        };
        (timings, millis(Some(sum)))
    }
}

fn masked<'a>(headers: &'a [Header]) -> Vec<Pair<'a>> {
    let pair = |header: &'a Header| Pair { name: (&*header.name).into(), value: wire::masked_value(header).into() };
    headers.iter().map(pair).collect()
}

fn media_type(headers: &[Header]) -> &str {
    let found = headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-type"));
    found.map_or(UNKNOWN_TYPE, |header| header.value.as_str())
}

fn as_size(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
