//! One HTTP request and what came back, or what went wrong.
//!
//! A request kept here never holds the token: its `authorization` header is masked when it is
//! made, so that nothing downstream has to remember to.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::operation::{Operation, Timestamp};
use super::outcome::{Difference, Outcome, mismatches};
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
    /// As it stands on the request line.
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
    /// The method.
    pub method: Method,
    /// The whole URL.
    pub url: String,
    /// What stands on the request line: the path, or the whole URL where a proxy is asked.
    pub target: String,
    /// In the order they are sent.
    pub headers: Vec<Header>,
    /// The JSON text of a create; a delete has none.
    pub body: Option<String>,
}

/// How the body of an answer ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BodyEnd {
    /// All of it was read.
    Complete,
    /// Reading stopped at the cap, in bytes.
    Capped(usize),
    /// It broke off; the text says how.
    CutOff(String),
    /// Body and headers were kept for a time and let go since.
    Trimmed,
}

/// What the store answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
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
    /// Whether those are all.
    pub body_end: BodyEnd,
}

impl Answer {
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
    /// The request could not be built.
    NotBuilt,
    /// No connection: name not resolved, refused, no route, TLS failed.
    NotConnected,
    /// The deadline passed before there was a connection.
    NotConnectedInTime,
    /// Cancelled before there was a connection.
    CancelledBeforeSending,
    /// The deadline passed while waiting for a status line.
    TimedOut,
    /// The connection ended, or what came was no status line.
    NoAnswer,
    /// Cancelled while waiting for a status line.
    CancelledInFlight,
    /// The program ended while the request may have been out.
    Interrupted,
    /// The task that sent it died.
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
            Self::TimedOut | Self::NoAnswer | Self::CancelledInFlight | Self::Interrupted | Self::TaskDied => {
                Outcome::Unknown
            }
        }
    }
}

/// What went wrong, and the words of whoever noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What it proves.
    pub kind: FailureKind,
    /// What the library or the system said; empty if there is nothing to add.
    pub detail: String,
}

/// How an exchange ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// A status line came.
    Answered(Answer),
    /// None came.
    Failed(Failure),
}

/// One request and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// What was asked.
    pub operation: Operation,
    /// What was sent, or would have been; `None` if it could not even be built.
    pub request: Option<Request>,
    /// How it ended.
    pub ending: Ending,
    /// When sending began.
    pub started: Timestamp,
    /// From there to the end of the answer, or to the failure.
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

    /// How an accepted answer is unlike the document; nothing where the answer is no yes, for
    /// the document shows no other (`interface.md` §7), or where the request was not its own.
    pub fn mismatches(&self) -> Vec<Difference> {
        match (self.outcome(), self.answer()) {
            (Outcome::Accepted, Some(answer)) if self.operation.is_by_the_document() => {
                mismatches(&self.operation.ask, answer)
            }
            (Outcome::Accepted | Outcome::Rejected | Outcome::Unknown | Outcome::NotSent, _) => Vec::new(),
        }
    }

    /// What it proves.
    pub fn outcome(&self) -> Outcome {
        match &self.ending {
            Ending::Answered(answer) => Outcome::of_status(answer.status),
            Ending::Failed(failure) => failure.kind.outcome(),
        }
    }

    /// The answer, if one came.
    pub fn answer(&self) -> Option<&Answer> {
        match &self.ending {
            Ending::Answered(answer) => Some(answer),
            Ending::Failed(_) => None,
        }
    }

    /// The status code, if one came.
    pub fn status(&self) -> Option<u16> {
        self.answer().map(|answer| answer.status)
    }
}
