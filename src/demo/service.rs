//! One request's way through the demo store: body, weather, response, and a word to whoever
//! listens. Must not know how connections are accepted, nor what a response says.

use std::fmt;
use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body as AnyBody;
use axum::http::request::Parts;
use axum::http::{Request, StatusCode};
use axum::response::Response;
use futures::FutureExt as _;
use hyper::body::{Body as _, Bytes, Incoming};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tower_service::Service as _;

use super::routes::{no, presents, who_are_you};
use super::weather::{Failing, Fate, Weather};

/// The longest body that is taken, in bytes: 1 MiB.
const BODY_LIMIT: usize = 1 << 20;
/// How much of a body that is too long is still read and thrown away, in bytes: closing on a
/// caller who is still sending would reset the connection and take the 413 with it.
const DRAIN_LIMIT: usize = 64 << 20;
/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(30);

/// One request that the demo store handled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// As it stood on the request line.
    pub method: String,
    /// The path as it was sent, still percent-encoded. It comes from outside: clean it before showing it.
    pub path: String,
    /// What was answered. `None`: nothing was, because the reply was lost or the caller was seen to
    /// have gone.
    pub status: Option<u16>,
    /// From the end of the request's head to the response.
    pub elapsed: Duration,
}

/// The weather took the reply. Hyper closes a connection whose service fails, without a byte.
#[derive(Debug)]
pub(super) struct ReplyLost;

impl fmt::Display for ReplyLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the reply is lost, as the weather has it")
    }
}

impl std::error::Error for ReplyLost {}

/// A response, or none.
pub(super) type Reply = Result<Response, ReplyLost>;

/// What all connections of a demo store share.
pub(super) struct Service {
    token: String,
    routes: Router,
    weather: Mutex<Weather>,
    listeners: Mutex<Vec<mpsc::UnboundedSender<Received>>>,
    /// Cancelled when the store is to stop: nobody waits for the latency then.
    closing: CancellationToken,
}

enum BodyFault {
    TooLong,
    TooSlow,
    BrokenOff,
}

impl Service {
    pub(super) fn new(token: String, weather: Weather, routes: Router, closing: CancellationToken) -> Self {
        Self { token, routes, weather: Mutex::new(weather), listeners: Mutex::default(), closing }
    }

    pub(super) fn set_weather(&self, weather: Weather) {
        *self.weather.lock().unwrap_or_else(PoisonError::into_inner) = weather;
    }

    /// Every request from now on.
    pub(super) fn listen(&self) -> mpsc::UnboundedReceiver<Received> {
        let (listener, received) = mpsc::unbounded_channel();
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
        received
    }

    /// Handles a request to its end, whether or not the caller waits for it: what has arrived
    /// is carried out, as anywhere. A panic on the way is a 500.
    pub(super) async fn handle(self: Arc<Self>, request: Request<Incoming>, reply: oneshot::Sender<Reply>) {
        #[expect(clippy::disallowed_methods, reason = "the log of the demo store says how long each request took")]
        let started = Instant::now();
        let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
        let made = AssertUnwindSafe(self.under_the_weather(request)).catch_unwind().await.unwrap_or_else(|_| {
            Ok(no(StatusCode::INTERNAL_SERVER_ERROR, "the demo store tripped over this request; it is a bug"))
        });
        let elapsed = started.elapsed();
        let status = made.as_ref().ok().map(|response| response.status().as_u16());
        let reached = reply.send(made).is_ok();
        self.tell(&Received { method, path, status: status.filter(|_| reached), elapsed });
    }

    async fn under_the_weather(&self, request: Request<Incoming>) -> Reply {
        let fate = self.weather.lock().unwrap_or_else(PoisonError::into_inner).fate();
        let (head, body) = request.into_parts();
        // Read before the wait, so that a caller who leaves meanwhile has asked all the same.
        let body = tokio::time::timeout(BODY_TIME, read(body)).await.unwrap_or(Err(BodyFault::TooSlow));
        if !fate.latency.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(fate.latency) => {}
                () = self.closing.cancelled() => {}
            }
        }
        let response = match fate.failing {
            None => self.response(&fate, head, body).await,
            Some(Failing::Before) => bad_weather(),
            Some(Failing::After) => {
                self.response(&fate, head, body).await;
                bad_weather()
            }
        };
        if fate.loses_reply { Err(ReplyLost) } else { Ok(response) }
    }

    async fn response(&self, fate: &Fate, head: Parts, body: Result<Bytes, BodyFault>) -> Response {
        if fate.reject_token || !presents(&head.headers, &self.token) {
            return who_are_you();
        }
        if fate.refuses {
            return no(StatusCode::UNPROCESSABLE_ENTITY, "the weather makes this store refuse; nothing was done");
        }
        let body = match body {
            Ok(body) => body,
            Err(BodyFault::TooLong) => return no(StatusCode::PAYLOAD_TOO_LARGE, "the body is longer than 1 MiB"),
            Err(BodyFault::TooSlow) => return no(StatusCode::REQUEST_TIMEOUT, "the body took too long to arrive"),
            Err(BodyFault::BrokenOff) => return no(StatusCode::BAD_REQUEST, "the body broke off"),
        };
        match self.routes.clone().call(Request::from_parts(head, AnyBody::from(body))).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }

    fn tell(&self, received: &Received) {
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.retain(|listener| listener.send(received.clone()).is_ok());
    }
}

fn bad_weather() -> Response {
    no(StatusCode::INTERNAL_SERVER_ERROR, "the weather makes this store fail; the plant may or may not be there")
}

async fn read(mut body: Incoming) -> Result<Bytes, BodyFault> {
    let (mut kept, mut seen) = (Vec::new(), 0_usize);
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let Ok(data) = frame.map_err(|_| BodyFault::BrokenOff)?.into_data() else { continue };
        seen = seen.saturating_add(data.len());
        if seen <= BODY_LIMIT {
            kept.extend_from_slice(&data);
        } else if seen > DRAIN_LIMIT {
            break;
        }
    }
    if seen <= BODY_LIMIT { Ok(kept.into()) } else { Err(BodyFault::TooLong) }
}
