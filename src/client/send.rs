//! Sends one operation and tells how it ended: one request, one answer, one deadline.
//!
//! Here is decided what each way of failing proves (`FailureKind`): *not sent* only where no
//! connection, TLS included, was ever made; *unknown* for everything after that.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::Response;
use hyper::body::Incoming;
use reqwest::Body;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use tokio::time::Sleep;
use tokio_util::sync::CancellationToken;

use crate::domain::sentence::span;
use crate::domain::{
    BodyEnd, Credentials, Ending, Exchange, Failure, FailureKind, Method, Operation, Phase, Request, StoreUrl,
    Timestamp,
};

use super::answer;
use super::channel::{Channel, Unanswered};
use super::marks::Marks;
use super::mask::Secrets;
use super::request::{probing, request};
use super::token::Token;
use super::transport::{Route, Transport};

/// What one exchange may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For the whole exchange: name, connection, TLS, request, status line and body.
    pub timeout: Duration,
    /// Bytes read of an answer's body.
    pub body_cap: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(30), body_cap: 1024 * 1024 }
    }
}

/// Sends to one store. Cheap to make and to clone; holds no token.
#[derive(Clone)]
pub struct Client {
    store: StoreUrl,
    limits: Limits,
    transport: Arc<Transport>,
}

/// How long a connection is kept that nothing goes over: a store that closes it does so later.
const IDLE: Duration = Duration::from_secs(1);

/// How long a lane watches its first connection before it uses it again: a store that closes them
/// after each answer, and does not say so, does it by then.
const WATCHED: Duration = Duration::from_millis(10);

/// A connection that is kept from one exchange to the next; none at first.
#[derive(Default)]
pub struct Lane {
    kept: Option<(Box<Channel>, Instant)>,
    store: Habit,
}

/// What a store does with connections, as far as a lane has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Habit {
    /// Nobody knows yet.
    #[default]
    Unknown,
    /// It keeps them open.
    Keeps,
    /// It closes them without a word: a request may be on its way by then, so none is used again.
    Closes,
}

impl Lane {
    /// Watches the connection that is kept, if nobody knows yet whether it stays open.
    async fn watch(&mut self) {
        if self.store == Habit::Unknown
            && let Some((channel, _)) = &mut self.kept
            && channel.ends_within(WATCHED).await
        {
            (self.kept, self.store) = (None, Habit::Closes);
        }
    }

    fn take(&mut self) -> Option<Box<Channel>> {
        let (channel, since) = self.kept.take()?;
        (since.elapsed() < IDLE && channel.may_go_on()).then_some(channel)
    }

    fn keep(&mut self, channel: Box<Channel>) {
        #[expect(clippy::disallowed_methods, reason = "how long a connection was idle is measured where it is kept")]
        let now = Instant::now();
        self.kept = (self.store != Habit::Closes && channel.may_go_on()).then_some((channel, now));
    }
}

/// The token that is held, and what of it a request presents.
struct Presented<'a> {
    token: &'a Token,
    credentials: Credentials,
}

impl Presented<'_> {
    /// What stands where a request shows a mask; `None` where it shows what is sent.
    fn header(&self) -> Option<HeaderValue> {
        match self.credentials {
            Credentials::Token => Some(self.token.header()),
            Credentials::OtherScheme => Some(self.token.header_otherwise()),
            Credentials::WrongToken | Credentials::None => None,
        }
    }
}

/// What ends an exchange before its time.
enum Stop {
    Cancelled,
    Deadline,
}

impl Client {
    /// A client for `store`. Certificates are loaded with the first exchange that needs them.
    pub fn new(store: StoreUrl, limits: Limits, route: Route) -> Self {
        let transport = Arc::new(Transport::new(&store, route));
        Self { store, limits, transport }
    }

    /// Sends `operation` once and waits for its end, at most for the deadline or until `cancel`.
    ///
    /// Whatever happens is in the exchange; the token is not, even if the store echoes it.
    pub async fn send(
        &self,
        operation: Operation,
        token: &Token,
        started: Timestamp,
        cancel: CancellationToken,
    ) -> Exchange {
        self.send_on(&mut Lane::default(), operation, token, started, cancel).await
    }

    /// The same over a connection that is kept: over the one that `lane` has, if it is open still,
    /// or else over a new one, which it then has for the next exchange.
    ///
    /// A store may close a connection while a request is on its way, which then ends unknown: a lane
    /// is for a batch, whose requests follow each other closely. It happens once in a lane at most.
    pub async fn send_on(
        &self,
        lane: &mut Lane,
        operation: Operation,
        token: &Token,
        started: Timestamp,
        cancel: CancellationToken,
    ) -> Exchange {
        // Before the exchange: it is not what the store takes.
        tokio::select! {
            () = cancel.cancelled() => {}
            () = lane.watch() => {}
        }
        let marks = Marks::begin();
        let mut request = match &operation.probe {
            Some(probe) => probing(&self.store, &operation.ask, probe),
            None => request(&self.store, &operation.ask),
        };
        self.transport.as_sent(&mut request);
        let credentials = operation.probe.as_ref().map_or(Credentials::Token, |probe| probe.credentials);
        let presented = Presented { token, credentials };
        let ending = match self.ending(lane, &request, &presented, &cancel, &marks).await {
            Ok(answered) => answered,
            Err(Failure { kind, detail }) => {
                let detail = self.secrets(token).masked(detail);
                Ending::Failed(Failure { kind, detail })
            }
        };
        let request = match &ending {
            Ending::Failed(Failure { kind: FailureKind::NotBuilt, .. }) => None,
            Ending::Failed(_) | Ending::Answered(_) => Some(request),
        };
        let elapsed = marks.elapsed();
        Exchange { operation, request, ending, started, elapsed, phases: marks.phases(elapsed) }
    }

    async fn ending(
        &self,
        lane: &mut Lane,
        request: &Request,
        presented: &Presented<'_>,
        cancel: &CancellationToken,
        marks: &Marks,
    ) -> Result<Ending, Failure> {
        if cancel.is_cancelled() {
            return Err(failure(FailureKind::CancelledBeforeSending, String::new()));
        }
        let mut deadline = std::pin::pin!(tokio::time::sleep(self.limits.timeout));
        let (mut channel, response) = tokio::select! {
            // An answer that is there is an answer, even in the instant of the deadline.
            biased;
            answered = self.answered(lane, request, presented, marks) => answered?,
            stop = stopped(cancel, deadline.as_mut()) => {
                let detail = match stop {
                    Stop::Deadline => self.transport.by_way(&self.store, String::new()),
                    Stop::Cancelled => String::new(),
                };
                return Err(failure(stop.proves(marks), detail));
            }
        };
        let limit = self.limits.timeout;
        let stop = async { stopped(cancel, deadline).await.while_reading(limit) };
        let secrets = self.secrets(presented.token);
        let answer = answer::read(response, &mut channel, self.limits.body_cap, &secrets, stop).await;
        if answer.body_end == BodyEnd::Complete {
            lane.keep(channel);
        }
        Ok(Ending::Answered(answer))
    }

    /// What must not come back.
    fn secrets(&self, token: &Token) -> Secrets {
        Secrets::sent(token, self.transport.secrets())
    }

    /// Everything up to the headers of the answer. Runs only while it is awaited: dropped
    /// before there is a connection, it has sent nothing.
    async fn answered(
        &self,
        lane: &mut Lane,
        request: &Request,
        presented: &Presented<'_>,
        marks: &Marks,
    ) -> Result<(Box<Channel>, Response<Incoming>), Failure> {
        let mut sendable = self.sendable(request, presented).map_err(|why| failure(FailureKind::NotBuilt, why))?;
        if let Some(mut channel) = lane.take() {
            marks.begins(Phase::Waiting);
            match channel.send(sendable).await {
                Err(Unanswered::Unsent(unsent)) => {
                    // It may have said so with its last answer: the next one is watched again.
                    lane.store = Habit::Unknown;
                    marks.begin_again();
                    sendable = *unsent;
                }
                Err(Unanswered::Lost(why)) => {
                    lane.store = Habit::Closes;
                    return Err(failure(FailureKind::NoAnswer, self.transport.lost(&self.store, &why)));
                }
                Ok(response) => {
                    lane.store = Habit::Keeps;
                    marks.begins(Phase::Reading);
                    return Ok((channel, response));
                }
            }
        }
        let mut channel = Box::new(self.transport.connect(&self.store, marks).await?);
        let response = channel.send(sendable).await.map_err(|why| {
            let words = match why {
                Unanswered::Lost(why) => self.transport.lost(&self.store, &why),
                // Not one byte left, but the store may have said why it closes, and that is not read.
                Unanswered::Unsent(_) => self.transport.by_way(&self.store, "the connection was closed".to_owned()),
            };
            failure(FailureKind::NoAnswer, words)
        })?;
        marks.begins(Phase::Reading);
        Ok((channel, response))
    }

    /// The same request for the library that sends it, with the secrets where the masks are.
    fn sendable(&self, request: &Request, presented: &Presented<'_>) -> Result<hyper::Request<Body>, String> {
        let body = request.body.clone().map(Body::from).unwrap_or_default();
        let mut sendable = hyper::Request::new(body);
        *sendable.method_mut() = match request.method {
            Method::Post => hyper::Method::POST,
            Method::Delete => hyper::Method::DELETE,
        };
        *sendable.uri_mut() = request.target.parse().map_err(|error| format!("{}: {error}", request.target))?;
        for header in &request.headers {
            let name = HeaderName::from_bytes(header.name.as_bytes()).map_err(|error| error.to_string())?;
            let secret = if name == AUTHORIZATION { presented.header() } else { self.transport.secret(header) };
            let value = match secret {
                Some(secret) => secret,
                None => HeaderValue::from_str(&header.value).map_err(|error| format!("{}: {error}", header.name))?,
            };
            sendable.headers_mut().append(name, value);
        }
        Ok(sendable)
    }
}

async fn stopped(cancel: &CancellationToken, deadline: std::pin::Pin<&mut Sleep>) -> Stop {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Stop::Cancelled,
        () = deadline => Stop::Deadline,
    }
}

impl Stop {
    fn proves(self, marks: &Marks) -> FailureKind {
        match (self, marks.is_connected()) {
            (Self::Cancelled, false) => FailureKind::CancelledBeforeSending,
            (Self::Cancelled, true) => FailureKind::CancelledInFlight,
            (Self::Deadline, false) => FailureKind::NotConnectedInTime,
            (Self::Deadline, true) => FailureKind::TimedOut,
        }
    }

    /// Says why a body was not read to its end; `limit` is that of the whole exchange.
    fn while_reading(self, limit: Duration) -> String {
        match self {
            Self::Cancelled => "cancelled while it was being read".to_owned(),
            Self::Deadline => format!("not all of it came within the time limit of {}", span(limit)),
        }
    }
}

fn failure(kind: FailureKind, detail: String) -> Failure {
    Failure { kind, detail }
}
