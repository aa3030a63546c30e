//! Sends one operation through reqwest: one request, one response, one time limit.
//!
//! Decides what each failure proves ([`FailureKind`]): *not sent* only if no connection, TLS included, was ever
//! made; *unknown* for every later failure. At the time limit the exchange ends; the connection's own task in
//! the library ends the next time that it has to wait. Must not know the journal.

use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper_util::client::legacy::connect::HttpInfo;
use reqwest::header::{AUTHORIZATION, PROXY_AUTHORIZATION};
use tokio::task::yield_now;
use tokio::time::Sleep;
use tokio_util::sync::CancellationToken;

use crate::domain::sentence::span;
use crate::domain::{
    BODY_CAP, Ending, Exchange, Failure, FailureKind, Method, Operation, OperationKind, Phase, Probe, Request,
    Response, StoreUrl, Timestamp,
};

use super::connections::{Connections, Kept, Shared};
use super::error_text::describe;
use super::mask::{Secrets, Sent};
use super::phase_timer::PhaseTimer;
use super::request::{probing, scheme, with_masked};
use super::response;
use super::secret_header::SecretHeader;
use super::token::Token;
use super::transport::{Route, Transport};

/// The limits of one exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The time limit for the whole exchange: name, connection, TLS, request, status line and body.
    pub timeout: Duration,
    /// The most bytes of a response body that are read.
    pub body_cap: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(30), body_cap: BODY_CAP }
    }
}

/// The time by which the limit of a batch request exceeds the limit of its connector.
const CONNECTOR_MARGIN: Duration = Duration::from_millis(20);

/// Sends to one store. Cheap to create and to clone. Clones share the headers for a gateway, and the secrets sent so far,
/// which are masked in responses.
#[derive(Clone)]
pub struct Client {
    store: Arc<StoreUrl>,
    limits: Limits,
    transport: Arc<Transport>,
    headers: Arc<Mutex<Arc<[SecretHeader]>>>,
    sent: Arc<Mutex<Sent>>,
}

/// A time limit that is seen so much later was passed while the program did not run.
const LATE: Duration = Duration::from_millis(20);

/// The time for reading what has arrived while the program did not run.
const READING_TIME: Duration = Duration::from_secs(1);

/// One request, and all that sending it needs.
struct Attempt<'a> {
    /// What the requests of a batch share, if they keep connections.
    shared: Option<&'a Shared>,
    kind: &'a OperationKind,
    request: &'a Request,
    /// The authorization scheme of the token; `None` if the token is not sent.
    scheme: Option<&'static str>,
    token: &'a Token,
    headers: &'a [SecretHeader],
    secrets: &'a Secrets,
    cancel: &'a CancellationToken,
    timer: &'a PhaseTimer,
}

/// Why an exchange ends early.
enum Stop {
    Cancelled,
    Deadline,
}

impl Client {
    /// Loads nothing: the first exchange that needs certificates loads them.
    pub fn new(store: StoreUrl, limits: Limits, route: Route) -> Self {
        let headers = Arc::new(Mutex::new(route.headers.as_slice().into()));
        let transport = Arc::new(Transport::new(&store, route));
        Self { store: Arc::new(store), limits, transport, headers, sent: Arc::default() }
    }

    /// Uses these headers for a gateway from the next request on. Returns whether they differ from those before.
    pub fn use_headers(&self, headers: Vec<SecretHeader>) -> bool {
        let mut current = self.headers.lock().unwrap_or_else(PoisonError::into_inner);
        let differ = **current != *headers;
        *current = headers.into();
        differ
    }

    /// Sends `operation` once and waits for its end, until the time limit or until `cancel`. Uses one of
    /// `connections`, or a new connection if that is `None`.
    ///
    /// The exchange contains every error, and never the token, even if the store echoes it.
    pub async fn send(
        &self,
        connections: Option<&Connections>,
        operation: Operation,
        token: &Token,
        started: Timestamp,
        cancel: CancellationToken,
    ) -> Exchange {
        let shared = connections.and_then(Connections::shared);
        let kept = shared.map(Shared::take);
        let timer = PhaseTimer::start(kept.as_ref().map_or_else(Arc::default, |kept| Arc::clone(&kept.connected)));
        let headers = Arc::clone(&*self.headers.lock().unwrap_or_else(PoisonError::into_inner));
        let sent = || self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let secrets = sent().with(token, &headers, &self.transport.secrets);
        let usual = Probe::default();
        let probe = operation.probe.as_ref().unwrap_or(&usual);
        let built = probing(&self.store, &operation.kind, probe);
        let request = self.transport.as_sent(with_masked(built, headers.iter().map(SecretHeader::name)));
        let scheme = scheme(probe.credentials);
        let attempt = Attempt {
            shared,
            kind: &operation.kind,
            request: &request,
            scheme,
            token,
            headers: &headers,
            secrets: &secrets,
            cancel: &cancel,
            timer: &timer,
        };
        let ending = match self.ending(attempt, kept).await {
            Ok(response) => Ending::Responded(response),
            Err(Failure { kind, detail }) => Ending::Failed(Failure { kind, detail: secrets.masked(detail) }),
        };
        let failed = if let Ending::Failed(failure) = &ending { Some(failure.kind) } else { None };
        let is_built = failed != Some(FailureKind::NotBuilt);
        let (elapsed, limit) = (timer.elapsed(), self.limits.timeout);
        // A time-out is noticed a little later than its limit.
        let is_time_out = matches!(failed, Some(FailureKind::TimedOut | FailureKind::NotConnectedInTime));
        let noticed = limit..limit.saturating_add(CONNECTOR_MARGIN + LATE);
        let elapsed = if is_time_out && noticed.contains(&elapsed) { limit } else { elapsed };
        let phases = timer.phases(elapsed);
        Exchange { operation, request: is_built.then_some(request), ending, started, elapsed, phases }
    }

    /// Closes the connection `kept`, unless the next request may use it.
    async fn ending(&self, attempt: Attempt<'_>, mut kept: Option<Kept>) -> Result<Response, Failure> {
        let Attempt { shared, kind, secrets, cancel, timer, .. } = attempt;
        if cancel.is_cancelled() {
            return Err(failure(FailureKind::CancelledBeforeSending, String::new()));
        }
        let limit = self.limits.timeout;
        // The connector's own limit must pass first: what ends there was not sent, whatever the pool contains.
        let margin = if kept.is_some() { CONNECTOR_MARGIN } else { Duration::ZERO };
        let mut deadline = pin!(tokio::time::sleep(limit.saturating_add(margin)));
        let response = tokio::select! {
            // A response that is complete at the time limit counts.
            biased;
            response = timer.during(self.response(&attempt, kept.as_mut())) => response?,
            stop = stopped(cancel, deadline.as_mut()) => {
                let detail = match stop {
                    Stop::Deadline => self.transport.by_way(String::new()),
                    Stop::Cancelled => String::new(),
                };
                return Err(failure(stop.proves(timer), detail));
            }
        };
        let stop = async { stopped(cancel, deadline).await.while_reading(limit) };
        let address = response.extensions().get::<HttpInfo>().map(HttpInfo::local_addr);
        let response = response::read(response, self.limits.body_cap, secrets, stop).await;
        if let (Some(shared), Some(kept)) = (shared, kept) {
            shared.keep(kept, address, kind, &response).map_err(|why| failure(FailureKind::NoResponse, why))?;
        }
        Ok(response)
    }

    /// Sends the request and reads the headers of its response. If this future is dropped before there is a
    /// connection, nothing is sent.
    async fn response(&self, attempt: &Attempt<'_>, kept: Option<&mut Kept>) -> Result<reqwest::Response, Failure> {
        let Attempt { shared, timer, .. } = *attempt;
        if kept.as_ref().is_some_and(|kept| kept.is_used()) {
            // The library sees what has arrived by now, and uses no connection with bytes before their request.
            yield_now().await;
        }
        // On the heap, like the request below.
        let client = match kept {
            Some(Kept { client: Some(client), .. }) => Ok(&*client),
            Some(Kept { client, .. }) => {
                Box::pin(self.transport.keeping(self.limits.timeout)).await.map(|built| &*client.insert(built))
            }
            None => Box::pin(self.transport.single()).await,
        };
        let client = client.map_err(|why| failure(FailureKind::NotBuilt, why.to_string()))?;
        let sent = match attempt.built(client) {
            // On the heap: the library's future is large, and the futures around this one are moved when they begin.
            Ok(request) => Box::pin(client.execute(request)).await,
            Err(why) => Err(why),
        };
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
                let failure = self.failed(&why.without_url(), timer);
                if failure.kind == FailureKind::NoResponse
                    && let Some(shared) = shared
                {
                    shared.keep_none();
                    if reused {
                        timer.reused_a_connection();
                    }
                }
                Err(failure)
            }
        }
    }

    /// Classifies a request without a status line: *not sent* if reqwest could not build the request or connect.
    fn failed(&self, why: &reqwest::Error, timer: &PhaseTimer) -> Failure {
        if why.is_builder() {
            failure(FailureKind::NotBuilt, describe(why))
        } else if why.is_connect() && why.is_timeout() {
            failure(FailureKind::NotConnectedInTime, self.transport.by_way(String::new()))
        } else if why.is_connect() {
            failure(FailureKind::NotConnected, self.transport.unconnected(why, timer))
        } else {
            failure(FailureKind::NoResponse, self.transport.lost(why))
        }
    }
}

impl Attempt<'_> {
    /// Converts the request for reqwest, with the token and the headers for a gateway in place of their masks. Reqwest
    /// itself adds the credentials for a proxy.
    fn built(&self, client: &reqwest::Client) -> reqwest::Result<reqwest::Request> {
        let Self { request, scheme, token, headers, .. } = *self;
        let method = match request.method {
            Method::Post => reqwest::Method::POST,
            Method::Delete => reqwest::Method::DELETE,
        };
        let authorization = scheme.map(|scheme| token.under(scheme));
        let mut builder = client.request(method, &*request.url);
        for header in request.headers.iter().filter(|header| header.name != PROXY_AUTHORIZATION.as_str()) {
            builder = match &authorization {
                Some(secret) if header.name == AUTHORIZATION.as_str() => builder.header(AUTHORIZATION, secret),
                Some(_) | None => match headers.iter().find(|secret| secret.name() == header.name) {
                    Some(secret) => builder.header(&header.name, secret.value()),
                    None => builder.header(&header.name, &header.value),
                },
            };
        }
        if let Some(body) = &request.body {
            builder = builder.body(body.clone());
        }
        builder.build()
    }
}

async fn stopped(cancel: &CancellationToken, deadline: Pin<&mut Sleep>) -> Stop {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Stop::Cancelled,
        () = passed(deadline) => Stop::Deadline,
    }
}

/// Waits for the time limit. If it is seen late, because the program was stopped or the machine slept, allows time to
/// read what has arrived meanwhile.
async fn passed(mut deadline: Pin<&mut Sleep>) {
    deadline.as_mut().await;
    let limit = deadline.deadline();
    let late = limit.elapsed();
    if late > LATE {
        deadline.as_mut().reset(limit + late + READING_TIME);
        deadline.await;
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

    /// Explains why a body was not read to its end; `limit` is the time limit of the exchange.
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
