//! Sends one operation and tells how it ended: one connection, one request, one deadline.
//!
//! Here is decided what each way of failing proves (`FailureKind`): *not sent* only where no
//! connection, TLS included, was ever made; *unknown* for everything after that.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use tokio::time::Sleep;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::domain::{
    Credentials, Ending, Exchange, Failure, FailureKind, Method, Operation, Phase, Request, StoreUrl, Timestamp,
};

use super::marks::Marks;
use super::request::{probing, request};
use super::token::Token;
use super::transport::{Route, Transport};
use super::{answer, words};

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
        let marks = Marks::begin();
        let mut request = match &operation.probe {
            Some(probe) => probing(&self.store, &operation.ask, probe),
            None => request(&self.store, &operation.ask),
        };
        self.transport.as_sent(&mut request);
        let credentials = operation.probe.as_ref().map_or(Credentials::Token, |probe| probe.credentials);
        let presented = Presented { token, credentials };
        let ending = match self.ending(&request, &presented, &cancel, &marks).await {
            Ok(answered) => answered,
            Err(Failure { kind, detail }) => Ending::Failed(Failure { kind, detail: token.masked(detail) }),
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
        request: &Request,
        presented: &Presented<'_>,
        cancel: &CancellationToken,
        marks: &Marks,
    ) -> Result<Ending, Failure> {
        if cancel.is_cancelled() {
            return Err(failure(FailureKind::CancelledBeforeSending, String::new()));
        }
        let mut deadline = std::pin::pin!(tokio::time::sleep(self.limits.timeout));
        let status = tokio::select! {
            // An answer that is there is an answer, even in the instant of the deadline.
            biased;
            status = self.status(request, presented, marks) => status?,
            stop = stopped(cancel, deadline.as_mut()) => return Err(failure(stop.proves(marks), String::new())),
        };
        let stop = async { stopped(cancel, deadline).await.while_reading() };
        Ok(Ending::Answered(answer::read(status, self.limits.body_cap, presented.token, stop).await))
    }

    /// Everything up to the headers of the answer. Runs only while it is awaited: dropped
    /// before there is a connection, it has sent nothing.
    async fn status(
        &self,
        request: &Request,
        presented: &Presented<'_>,
        marks: &Marks,
    ) -> Result<reqwest::Response, Failure> {
        let not_built = |why| failure(FailureKind::NotBuilt, why);
        let sendable = sendable(request, presented).map_err(not_built)?;
        let client = self.transport.client(marks).await.map_err(not_built)?;
        let answered = client.execute(sendable).await.map_err(|error| {
            let kind = if error.is_builder() {
                FailureKind::NotBuilt
            } else if error.is_connect() || !marks.is_connected() {
                FailureKind::NotConnected
            } else {
                FailureKind::NoAnswer
            };
            failure(kind, words::plain(&error.without_url()))
        })?;
        marks.begins(Phase::Reading);
        Ok(answered)
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

    fn while_reading(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled while it was being read",
            Self::Deadline => "not all of it came in time",
        }
    }
}

fn failure(kind: FailureKind, detail: String) -> Failure {
    Failure { kind, detail }
}

/// The same request for the library that sends it, with the token where the mask is.
fn sendable(request: &Request, presented: &Presented<'_>) -> Result<reqwest::Request, String> {
    let url = Url::parse(&request.url).map_err(|error| error.to_string())?;
    let method = match request.method {
        Method::Post => reqwest::Method::POST,
        Method::Delete => reqwest::Method::DELETE,
    };
    let mut sendable = reqwest::Request::new(method, url);
    for header in request.headers.iter().filter(|header| !Transport::adds(header)) {
        let name = HeaderName::from_bytes(header.name.as_bytes()).map_err(|error| error.to_string())?;
        let value = match presented.header() {
            Some(secret) if name == AUTHORIZATION => secret,
            Some(_) | None => {
                HeaderValue::from_str(&header.value).map_err(|error| format!("{}: {error}", header.name))?
            }
        };
        sendable.headers_mut().append(name, value);
    }
    *sendable.body_mut() = request.body.clone().map(reqwest::Body::from);
    Ok(sendable)
}
