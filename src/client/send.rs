//! Sends one operation through reqwest: one request, one response, one deadline.
//!
//! Decides what each way of failing proves ([`FailureKind`]): *not sent* only where no connection, TLS
//! included, was ever made; *unknown* for everything after that. At the deadline the exchange is over;
//! the connection's own task, which belongs to the library, ends the next time that it has to wait.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::RequestBuilder;
use reqwest::header::{AUTHORIZATION, HeaderValue, PROXY_AUTHORIZATION};
use tokio::sync::OnceCell;
use tokio::time::Sleep;
use tokio_util::sync::CancellationToken;

use crate::domain::sentence::span;
use crate::domain::{Ending, Exchange, Failure, FailureKind, Method, Operation, Phase, Request, StoreUrl, Timestamp};

use super::error_text::describe;
use super::mask::Secrets;
use super::phase_timer::PhaseTimer;
use super::request::{probing, scheme};
use super::response;
use super::token::Token;
use super::transport::{Route, Transport};

/// What one exchange may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For the whole exchange: name, connection, TLS, request, status line and body.
    pub timeout: Duration,
    /// Bytes read of a response's body.
    pub body_cap: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(30), body_cap: 1024 * 1024 }
    }
}

/// How much longer than the connector a request of a batch may take.
const CONNECTOR_FIRST: Duration = Duration::from_millis(20);

/// Sends to one store. Cheap to make and to clone; holds no token.
#[derive(Clone)]
pub struct Client {
    store: StoreUrl,
    limits: Limits,
    transport: Arc<Transport>,
}

/// Connections that the requests of one batch use one after another. Clones share them.
///
/// A store may close a connection that is kept just as the next request is on its way, which then ends
/// unknown. After the first such loss each request of the batch has a connection of its own.
#[derive(Debug, Clone, Default)]
pub struct Connections {
    shared: Arc<Shared>,
}

impl Connections {
    /// Closes them once no request uses them; what was learned of the store stays.
    pub fn close(&mut self) {
        let has_lost = AtomicBool::new(self.shared.has_lost.load(Ordering::Relaxed));
        self.shared = Arc::new(Shared { has_lost, ..Shared::default() });
    }
}

#[derive(Debug, Default)]
struct Shared {
    pooled: OnceCell<reqwest::Client>,
    /// Whether a request was lost on a connection that was used before.
    has_lost: AtomicBool,
    /// Whether there was ever a connection: before, no request can have left.
    connected: Arc<AtomicBool>,
}

/// What ends an exchange before its time.
enum Stop {
    Cancelled,
    Deadline,
}

impl Client {
    /// Loads nothing yet: certificates are loaded with the first exchange that needs them.
    pub fn new(store: StoreUrl, limits: Limits, route: Route) -> Self {
        let transport = Arc::new(Transport::new(&store, route));
        Self { store, limits, transport }
    }

    /// Sends `operation` once over a connection of its own and waits for its end, at most for the time
    /// limit or until `cancel`.
    ///
    /// Whatever happens is in the exchange; the token is not, even if the store echoes it.
    pub async fn send(
        &self,
        operation: Operation,
        token: &Token,
        started: Timestamp,
        cancel: CancellationToken,
    ) -> Exchange {
        self.exchange(None, operation, token, started, cancel).await
    }

    /// Does the same over one of `connections`: a batch's requests follow each other closely.
    pub async fn send_over(
        &self,
        connections: &Connections,
        operation: Operation,
        token: &Token,
        started: Timestamp,
        cancel: CancellationToken,
    ) -> Exchange {
        let kept = Some(&*connections.shared).filter(|shared| !shared.has_lost.load(Ordering::Relaxed));
        self.exchange(kept, operation, token, started, cancel).await
    }

    async fn exchange(
        &self,
        kept: Option<&Shared>,
        operation: Operation,
        token: &Token,
        started: Timestamp,
        cancel: CancellationToken,
    ) -> Exchange {
        let timer = PhaseTimer::start(kept.map_or_else(Arc::default, |shared| Arc::clone(&shared.connected)));
        let probe = operation.probe.clone().unwrap_or_default();
        let mut request = probing(&self.store, &operation.kind, &probe);
        self.transport.as_sent(&mut request);
        let secrets = Secrets::sent(token, self.transport.secrets());
        let authorization = scheme(probe.credentials).map(|scheme| token.under(scheme));
        let ending = match self.ending(kept, &request, authorization.as_ref(), &secrets, &cancel, &timer).await {
            Ok(responded) => responded,
            Err(Failure { kind, detail }) => Ending::Failed(Failure { kind, detail: secrets.masked(detail) }),
        };
        let request = match &ending {
            Ending::Failed(Failure { kind: FailureKind::NotBuilt, .. }) => None,
            Ending::Failed(_) | Ending::Responded(_) => Some(request),
        };
        let elapsed = timer.elapsed();
        Exchange { operation, request, ending, started, elapsed, phases: timer.phases(elapsed) }
    }

    async fn ending(
        &self,
        kept: Option<&Shared>,
        request: &Request,
        authorization: Option<&HeaderValue>,
        secrets: &Secrets,
        cancel: &CancellationToken,
        timer: &PhaseTimer,
    ) -> Result<Ending, Failure> {
        if cancel.is_cancelled() {
            return Err(failure(FailureKind::CancelledBeforeSending, String::new()));
        }
        let limit = self.limits.timeout;
        // The connector's own limit ends first: what it ends was not sent, whatever the pool holds.
        let moment = if kept.is_some() { CONNECTOR_FIRST } else { Duration::ZERO };
        let mut deadline = pin!(tokio::time::sleep(limit.saturating_add(moment)));
        let response = tokio::select! {
            // A response that is there is a response, even in the instant of the deadline.
            biased;
            response = timer.during(self.response(kept, request, authorization, timer)) => response?,
            stop = stopped(cancel, deadline.as_mut()) => {
                let detail = match stop {
                    Stop::Deadline => self.transport.by_way(&self.store, String::new()),
                    Stop::Cancelled => String::new(),
                };
                return Err(failure(stop.proves(timer), detail));
            }
        };
        let stop = async { stopped(cancel, deadline).await.while_reading(limit) };
        Ok(Ending::Responded(response::read(response, self.limits.body_cap, secrets, stop).await))
    }

    /// Sends the request and reads the headers of its response. Runs only while it is awaited: dropped
    /// before there is a connection, it has sent nothing.
    async fn response(
        &self,
        kept: Option<&Shared>,
        request: &Request,
        authorization: Option<&HeaderValue>,
        timer: &PhaseTimer,
    ) -> Result<reqwest::Response, Failure> {
        let client = match kept {
            Some(shared) => shared.pooled.get_or_try_init(|| self.transport.pooled(self.limits.timeout)).await,
            None => self.transport.single().await,
        };
        let client = client.map_err(|why| failure(FailureKind::NotBuilt, why.to_string()))?;
        let sent = prepared(client, request, authorization).send().await;
        let reused = !timer.has_begun(Phase::Waiting);
        match sent {
            Ok(response) => {
                if reused {
                    timer.reused_a_connection();
                }
                timer.begins(Phase::Reading);
                Ok(response)
            }
            Err(why) => {
                let why = why.without_url();
                let kind = what_it_proves(&why);
                if reused
                    && kind == FailureKind::NoResponse
                    && let Some(shared) = kept
                {
                    shared.has_lost.store(true, Ordering::Relaxed);
                    timer.reused_a_connection();
                }
                Err(failure(kind, self.detail(kind, &why, timer)))
            }
        }
    }

    fn detail(&self, kind: FailureKind, why: &reqwest::Error, timer: &PhaseTimer) -> String {
        if kind == FailureKind::NotBuilt {
            describe(why)
        } else if kind == FailureKind::NotConnected {
            self.transport.unconnected(&self.store, why, timer)
        } else if kind == FailureKind::NotConnectedInTime {
            self.transport.by_way(&self.store, String::new())
        } else {
            self.transport.lost(&self.store, why)
        }
    }
}

/// Builds the same request for reqwest, with the secret where the mask is. What a proxy is told of who asks,
/// reqwest adds itself.
fn prepared(client: &reqwest::Client, request: &Request, authorization: Option<&HeaderValue>) -> RequestBuilder {
    let method = match request.method {
        Method::Post => reqwest::Method::POST,
        Method::Delete => reqwest::Method::DELETE,
    };
    let mut builder = client.request(method, &request.url);
    for header in request.headers.iter().filter(|header| header.name != PROXY_AUTHORIZATION.as_str()) {
        builder = match authorization {
            Some(secret) if header.name == AUTHORIZATION.as_str() => builder.header(AUTHORIZATION, secret),
            Some(_) | None => builder.header(&header.name, &header.value),
        };
    }
    match &request.body {
        Some(body) => builder.body(body.clone()),
        None => builder,
    }
}

/// Returns what a request that got no status line proves: *not sent* where reqwest could not build it or
/// make its connection.
fn what_it_proves(why: &reqwest::Error) -> FailureKind {
    if why.is_builder() {
        FailureKind::NotBuilt
    } else if why.is_connect() && why.is_timeout() {
        FailureKind::NotConnectedInTime
    } else if why.is_connect() {
        FailureKind::NotConnected
    } else {
        FailureKind::NoResponse
    }
}

async fn stopped(cancel: &CancellationToken, deadline: Pin<&mut Sleep>) -> Stop {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Stop::Cancelled,
        () = deadline => Stop::Deadline,
    }
}

impl Stop {
    fn proves(self, timer: &PhaseTimer) -> FailureKind {
        match (self, timer.is_connected()) {
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
