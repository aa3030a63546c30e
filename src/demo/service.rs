//! Handles one request of the demo store: reads the body, applies the weather, responds, and notifies the
//! listeners. Must not know how connections are accepted or what a response contains.

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
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tower_service::Service as _;

use super::routes::{error, is_authorized, unauthorized};
use super::weather::{REJECTED, Weather, happens};

/// The longest accepted body, in bytes: 1 MiB.
const BODY_LIMIT: usize = 1 << 20;
/// The most bytes of a too long body that are read and dropped: closing the connection while the caller is
/// still sending would reset it before the caller receives the 413.
const DRAIN_LIMIT: usize = 64 << 20;
/// The time limit for receiving a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// One request that the demo store handled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    pub method: String,
    /// The path as received, still percent-encoded; must be cleaned before it is shown.
    pub path: String,
    /// The status of the response; `None` if the weather lost the response or the caller had left.
    pub status: Option<u16>,
    /// The time from the end of the request head to the response.
    pub elapsed: Duration,
}

/// The weather lost the response. Hyper then closes the connection without sending a byte.
#[derive(Debug, Error)]
#[error("the simulated weather lost the response")]
pub(super) struct ReplyLost;

pub(super) type Reply = Result<Response, ReplyLost>;

/// The state that all connections of a demo store share.
pub(super) struct Service {
    token: String,
    routes: Router,
    weather: Mutex<Weather>,
    listeners: Mutex<Vec<mpsc::UnboundedSender<Received>>>,
    /// Cancelled when the store stops, which ends the latency.
    closing: CancellationToken,
}

/// The error response for a body that was not received.
type BodyFault = (StatusCode, &'static str);

const TOO_LONG: BodyFault = (StatusCode::PAYLOAD_TOO_LARGE, "the body is longer than 1 MiB");
const TOO_SLOW: BodyFault = (StatusCode::REQUEST_TIMEOUT, "the body took too long to arrive");
const CUT_OFF: BodyFault = (StatusCode::BAD_REQUEST, "the body is cut off");

impl Service {
    pub(super) fn new(token: String, weather: Weather, routes: Router, closing: CancellationToken) -> Self {
        Self { token, routes, weather: Mutex::new(weather), listeners: Mutex::default(), closing }
    }

    pub(super) fn set_weather(&self, weather: Weather) {
        *self.weather.lock().unwrap_or_else(PoisonError::into_inner) = weather;
    }

    pub(super) fn listen(&self) -> mpsc::UnboundedReceiver<Received> {
        let (listener, received) = mpsc::unbounded_channel();
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
        received
    }

    /// Handles a request to its end, even if the caller has left. A panic becomes a 500.
    pub(super) async fn handle(self: Arc<Self>, request: Request<Incoming>, reply: oneshot::Sender<Reply>) {
        #[expect(clippy::disallowed_methods, reason = "the demo store says how long each request took")]
        let started = Instant::now();
        let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
        let made = AssertUnwindSafe(self.respond_in_weather(request)).catch_unwind().await.unwrap_or_else(|_| {
            Ok(error(StatusCode::INTERNAL_SERVER_ERROR, "the demo store failed to handle this request; this is a bug"))
        });
        let elapsed = started.elapsed();
        let status = made.as_ref().ok().map(|response| response.status().as_u16());
        let reached = reply.send(made).is_ok();
        self.notify(&Received { method, path, status: status.filter(|_| reached), elapsed });
    }

    async fn respond_in_weather(&self, request: Request<Incoming>) -> Reply {
        // A change of weather affects only later requests.
        let weather = *self.weather.lock().unwrap_or_else(PoisonError::into_inner);
        let (head, body) = request.into_parts();
        // Read before the latency, so that the request counts even if the caller leaves meanwhile.
        let body = tokio::time::timeout(BODY_TIMEOUT, read(body)).await.unwrap_or(Err(TOO_SLOW));
        let latency = weather.draw_latency();
        if !latency.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(latency) => {}
                () = self.closing.cancelled() => {}
            }
        }
        let fails = happens(weather.fail);
        let is_carried_out = !fails || fastrand::bool();
        let response = if is_carried_out { Some(self.response(weather, head, body).await) } else { None };
        let response = response.filter(|_| !fails).unwrap_or_else(|| {
            error(
                StatusCode::INTERNAL_SERVER_ERROR,
                "the simulated weather makes this store fail; the plant may or may not be there",
            )
        });
        if happens(weather.lose_responses) { Err(ReplyLost) } else { Ok(response) }
    }

    async fn response(&self, weather: Weather, head: Parts, body: Result<Bytes, BodyFault>) -> Response {
        if weather.reject_token || !is_authorized(&head.headers, &self.token) {
            return unauthorized();
        }
        if happens(weather.reject) {
            return error(StatusCode::UNPROCESSABLE_ENTITY, REJECTED);
        }
        let body = match body {
            Ok(body) => body,
            Err((status, why)) => return error(status, why),
        };
        let Ok(response) = self.routes.clone().call(Request::from_parts(head, AnyBody::from(body))).await;
        response
    }

    fn notify(&self, received: &Received) {
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.retain(|listener| listener.send(received.clone()).is_ok());
    }
}

async fn read(mut body: Incoming) -> Result<Bytes, BodyFault> {
    let (mut kept, mut seen) = (Vec::new(), 0_usize);
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let Ok(data) = frame.map_err(|_| CUT_OFF)?.into_data() else { continue };
        seen = seen.saturating_add(data.len());
        if seen <= BODY_LIMIT {
            kept.extend_from_slice(&data);
        } else if seen > DRAIN_LIMIT {
            break;
        }
    }
    if seen <= BODY_LIMIT { Ok(kept.into()) } else { Err(TOO_LONG) }
}
