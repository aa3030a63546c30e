//! An exchange: one HTTP request with its response or failure.
//!
//! A [`Request`] never contains the token: its `authorization` header is masked when it is built, so no
//! later code has to mask it. Must not know how requests are sent.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::difference::Mismatch;
use super::{Credentials, Operation, Outcome, Phases, Timestamp};
use crate::text::json::is_json;

/// The media type of the document's bodies (`interface.md` §2).
pub const JSON: &str = "application/json";

/// The two methods of the interface (`interface.md` §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    Post,
    Delete,
}

impl Method {
    /// Returns the name on the request line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Post => "POST",
            Self::Delete => "DELETE",
        }
    }
}

/// The most bytes of a response's body that are read.
pub const BODY_CAP: usize = 1024 * 1024;

/// A header as sent or received; bytes that are not UTF-8 are written as `\xNN`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    pub name: String,
    pub value: String,
}

/// A request as sent, with the token masked. Serializes as its head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub method: Method,
    /// Like target and headers, shared by the adds of a batch.
    pub url: Arc<str>,
    /// The target on the request line: the path, or the whole URL for a proxy.
    pub target: Arc<str>,
    /// In the order in which they are sent.
    pub headers: Arc<[Header]>,
    /// The JSON text of an add; a delete has none.
    #[serde(skip)]
    pub body: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum BodyEnd {
    #[default]
    Complete,
    /// Reading stopped at the cap, in bytes.
    Capped(usize),
    /// The connection ended before the body did; contains the reason.
    CutOff(String),
    /// Body and headers were removed from the journal to save space.
    Trimmed,
    /// The journal has only the beginning of the body.
    Shortened(Box<Shortened>),
}

/// What was known of a body when it was read whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shortened {
    /// The bytes that were read.
    pub length: usize,
    pub end: BodyEnd,
    pub mismatches: Vec<Mismatch>,
    pub reason: Option<String>,
}

/// Serializes as its head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The status code, 100 to 999.
    pub status: u16,
    /// The reason phrase as received, possibly empty.
    pub reason: Cow<'static, str>,
    /// For example `HTTP/1.1`.
    pub version: Cow<'static, str>,
    /// In the order in which they were received. Shared by equal responses of a batch.
    pub headers: Arc<[Header]>,
    #[serde(skip)]
    pub body: Vec<u8>,
    #[serde(skip)]
    pub body_end: BodyEnd,
}

impl Response {
    /// Returns the number of bytes of the body that were read, of which the journal may have fewer.
    pub fn length(&self) -> usize {
        if let BodyEnd::Shortened(whole) = &self.body_end { whole.length } else { self.body.len() }
    }

    /// Returns the value of the first header with this name, in any letter case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| header.value.as_str())
    }

    /// Returns the media type of the body without its parameters (RFC 9110 §8.3.1).
    pub fn media_type(&self) -> Option<&str> {
        self.media_types().next()
    }

    /// Returns a media type that is not the document's; it may contradict another header.
    pub fn other_media_type(&self) -> Option<&str> {
        self.media_types().find(|kind| !kind.eq_ignore_ascii_case(JSON))
    }

    fn media_types(&self) -> impl Iterator<Item = &str> {
        let headers = self.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("content-type"));
        headers.filter_map(|header| header.value.split(';').next()).map(str::trim)
    }

    /// Returns the content coding of the body (RFC 9110 §8.4); `None` if the body is empty or not encoded.
    pub fn coding(&self) -> Option<&str> {
        let coding = self.header("content-encoding")?.trim();
        let is_plain = coding.is_empty() || coding.eq_ignore_ascii_case("identity") || self.body.is_empty();
        (!is_plain).then_some(coding)
    }

    /// Whether its challenges require Basic authentication and offer no bearer token (RFC 9110 §11.6.1).
    pub fn requires_basic(&self) -> bool {
        let values = self.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("www-authenticate"));
        let schemes: Vec<_> = values.flat_map(|header| schemes(&header.value)).collect();
        let has = |name: &str| schemes.iter().any(|scheme| scheme.eq_ignore_ascii_case(name));
        has("basic") && !has("bearer")
    }
}

/// Lists the schemes of some challenges: the words without `=`, which marks a parameter.
fn schemes(challenges: &str) -> Vec<&str> {
    let mut in_quotes = false;
    let outside_quotes = |c: char| {
        in_quotes ^= c == '"';
        c == ',' && !in_quotes
    };
    let first_words = challenges.split(outside_quotes).filter_map(|part| part.split_whitespace().next());
    first_words.filter(|word| !word.contains('=')).collect()
}

/// Why no status line was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FailureKind {
    /// The intent could not be written to the journal, so nothing was sent.
    NotRecorded,
    /// The plant is no longer the one that the person saw, so nothing was sent.
    Overtaken,
    NotBuilt,
    /// No connection: the name was not resolved, the connection was refused, or TLS failed.
    NotConnected,
    /// The time limit passed before there was a connection.
    NotConnectedInTime,
    CancelledBeforeSending,
    /// The time limit passed before a status line was received.
    TimedOut,
    /// The connection ended, or the bytes received were not a status line.
    NoResponse,
    CancelledInFlight,
    /// The program ended while the request was perhaps in flight.
    Interrupted,
    TaskDied,
}

impl FailureKind {
    /// Returns *not sent* where nothing can have reached the store, else *unknown*.
    pub fn outcome(self) -> Outcome {
        match self {
            Self::NotRecorded
            | Self::Overtaken
            | Self::NotBuilt
            | Self::NotConnected
            | Self::NotConnectedInTime
            | Self::CancelledBeforeSending => Outcome::NotSent,
            Self::TimedOut | Self::NoResponse | Self::CancelledInFlight | Self::Interrupted | Self::TaskDied => {
                Outcome::Unknown
            }
        }
    }
}

/// A failure with the error text of the library or the system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub kind: FailureKind,
    /// Empty if there is nothing to add.
    pub detail: String,
}

/// The beginning of the detail where what came back cannot be read. Journals have it: it does not change.
pub const NOT_HTTP: &str = "what came back cannot be read as HTTP";

impl Failure {
    /// Whether something came back that cannot be read.
    pub fn is_not_http(&self) -> bool {
        self.kind == FailureKind::NoResponse && self.detail.starts_with(NOT_HTTP)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Responded(Response),
    Failed(Failure),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    pub operation: Operation,
    /// The request that was sent or was to be sent; `None` if it could not be built.
    pub request: Option<Request>,
    pub ending: Ending,
    /// When sending began.
    pub started: Timestamp,
    /// The time from `started` to the end of the response or to the failure.
    pub elapsed: Duration,
    pub phases: Phases,
}

impl Exchange {
    /// Creates the exchange of an operation that failed without a stored request or a measured time.
    pub fn failed(operation: Operation, kind: FailureKind, detail: String, at: Timestamp) -> Self {
        let ending = Ending::Failed(Failure { kind, detail });
        let (elapsed, phases) = (Duration::ZERO, Phases::default());
        Self { operation, request: None, ending, started: at, elapsed, phases }
    }

    pub fn outcome(&self) -> Outcome {
        match &self.ending {
            Ending::Responded(response) => Outcome::of_status(response.status),
            Ending::Failed(failure) => failure.kind.outcome(),
        }
    }

    pub fn response(&self) -> Option<&Response> {
        let Ending::Responded(response) = &self.ending else { return None };
        Some(response)
    }

    pub fn failure(&self) -> Option<FailureKind> {
        let Ending::Failed(failure) = &self.ending else { return None };
        Some(failure.kind)
    }

    pub fn status(&self) -> Option<u16> {
        self.response().map(|response| response.status)
    }

    /// Whether the request has the token as the document says, as each has but some probes of the check.
    pub fn has_token(&self) -> bool {
        self.operation.probe.as_ref().is_none_or(|probe| probe.credentials == Credentials::Token)
    }

    /// Whether the response is a page for people, as of a portal in front of a store.
    pub fn is_page(&self) -> bool {
        self.response().is_some_and(|response| {
            let is_html = response.media_type().is_some_and(|kind| kind.eq_ignore_ascii_case("text/html"));
            // Some frameworks give this type to an empty body. Of a trimmed one, only the type is left.
            let is_empty = response.body.is_empty() && response.body_end != BodyEnd::Trimmed;
            is_html && !is_empty && !is_json(&response.body)
        })
    }

    /// Whether the store accepted it as far as the status says, with a page.
    pub fn is_accepted_page(&self) -> bool {
        self.outcome() == Outcome::Accepted && self.is_page()
    }

    /// Whether another token may help: 401 and 403 to a request with the token.
    pub fn rejects_token(&self) -> bool {
        let requires_basic = self.response().is_some_and(Response::requires_basic);
        self.has_token() && matches!(self.status(), Some(401 | 403)) && !requires_basic
    }
}
