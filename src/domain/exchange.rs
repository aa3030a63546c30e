//! One HTTP request and what came back, or what went wrong.
//!
//! A request kept here never holds the token: its `authorization` header is masked when it is
//! made, so that nothing downstream has to remember to.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::operation::{Operation, Timestamp};
use super::outcome::Outcome;
use super::phases::Phases;

/// The two methods of the interface (`interface.md` §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// Create Plant.
    Post,
    /// Delete Plant.
    Delete,
}

impl Method {
    /// As the request line spells it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Post => "POST",
            Self::Delete => "DELETE",
        }
    }
}

/// A header as it was on the wire; bytes that are no UTF-8 are replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// In the letters that were on the wire.
    pub name: String,
    /// The value; the token's is masked.
    pub value: String,
}

/// A request as it is sent, token masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub method: Method,
    pub url: String,
    /// What stands on the request line: the path, or the whole URL for a proxy.
    pub target: String,
    /// In the order they are sent.
    pub headers: Vec<Header>,
    /// The JSON text of a create; a delete has none.
    pub body: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BodyEnd {
    Complete,
    /// Reading stopped at the cap, in bytes.
    Capped(usize),
    /// It broke off; the text says how.
    CutOff(String),
    /// Body and headers were kept for a time and let go since.
    Trimmed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The status code, 100 to 999.
    pub status: u16,
    /// The reason phrase as sent, possibly empty.
    pub reason: String,
    /// `HTTP/1.1`, say.
    pub version: String,
    /// In the order they came.
    pub headers: Vec<Header>,
    /// The bytes that were read.
    pub body: Vec<u8>,
    pub body_end: BodyEnd,
}

impl Response {
    /// The value of the first header of this name, in whatever letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| header.value.as_str())
    }

    /// Returns the coding that compresses the body (RFC 9110 §8.4); `None` where the body is empty
    /// or comes as it is.
    pub fn coding(&self) -> Option<&str> {
        let coding = self.header("content-encoding")?.trim();
        let is_plain = coding.is_empty() || coding.eq_ignore_ascii_case("identity") || self.body.is_empty();
        (!is_plain).then_some(coding)
    }
}

/// What went wrong when no status line came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FailureKind {
    /// The intent could not be made durable, so nothing was sent.
    NotRecorded,
    NotBuilt,
    /// No connection: name not resolved, refused, no route, TLS failed.
    NotConnected,
    /// The deadline passed before there was a connection.
    NotConnectedInTime,
    CancelledBeforeSending,
    /// The deadline passed while waiting for a status line.
    TimedOut,
    /// The connection ended, or what came was no status line.
    NoResponse,
    CancelledInFlight,
    /// The program ended while the request may have been out.
    Interrupted,
    TaskDied,
}

impl FailureKind {
    /// Whether it is proven that nothing reached the store.
    pub fn outcome(self) -> Outcome {
        match self {
            Self::NotRecorded
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

/// What went wrong, and what the library or the system said of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub kind: FailureKind,
    /// Empty if there is nothing to add.
    pub detail: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    Responded(Response),
    Failed(Failure),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    pub operation: Operation,
    /// What was sent, or would have been; `None` if it could not even be built.
    pub request: Option<Request>,
    pub ending: Ending,
    /// When sending began.
    pub started: Timestamp,
    /// From there to the end of the response, or to the failure.
    pub elapsed: Duration,
    /// Where that time went.
    pub phases: Phases,
}

impl Exchange {
    /// The end of an operation of which no request is at hand: it took no time that was measured.
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
        match &self.ending {
            Ending::Responded(response) => Some(response),
            Ending::Failed(_) => None,
        }
    }

    pub fn status(&self) -> Option<u16> {
        self.response().map(|response| response.status)
    }
}
