//! Accepts connections on the loopback port and serves each in its own task, so that a slow caller delays no
//! other. Must not know the contents of requests and responses.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::service::{ReplyLost, Service};

/// The time limit for the head of a request, and for an idle connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// The pause after a failed accept, for example for lack of file descriptors.
const RETRY_PAUSE: Duration = Duration::from_millis(50);
/// The number of consecutive failures after which accepting ends: ten seconds of pauses.
const MAX_FAILURES: u32 = 200;

/// Why a demo store stopped accepting connections by itself.
#[derive(Debug, Error)]
pub enum StoppedError {
    #[error(
        "the demo store can accept no more connections: {0}; start the store again, or raise the limit of open files"
    )]
    Accept(#[source] io::Error),
    #[error("the demo store stopped because of a bug in it; start it again")]
    Panicked,
}

/// Stops a demo store, and counts its running tasks.
#[derive(Clone)]
pub(super) struct Shutdown {
    /// Accepts nothing new and finishes the requests in progress.
    pub(super) closing: CancellationToken,
    /// Drops everything. Implies `closing`.
    pub(super) now: CancellationToken,
    /// A task for each connection and each request.
    pub(super) work: TaskTracker,
}

impl Shutdown {
    pub(super) fn new() -> Self {
        let now = CancellationToken::new();
        Self { closing: now.child_token(), now, work: TaskTracker::new() }
    }
}

/// Accepts connections until the store closes.
pub(super) async fn accept(
    listener: TcpListener,
    service: Arc<Service>,
    shutdown: Shutdown,
) -> Result<(), StoppedError> {
    let mut failures = 0;
    loop {
        let accepted = tokio::select! {
            biased;
            () = shutdown.closing.cancelled() => return Ok(()),
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                failures = 0;
                shutdown.work.spawn(serve(stream, Arc::clone(&service), shutdown.clone()).boxed());
            }
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) if failures == MAX_FAILURES => return Err(StoppedError::Accept(error)),
            Err(_) => {
                failures += 1;
                tokio::select! {
                    () = shutdown.closing.cancelled() => return Ok(()),
                    () = tokio::time::sleep(RETRY_PAUSE) => {}
                }
            }
        }
    }
}

fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
    )
}

/// Serves one connection to its end. Ignores errors: a lost reply, a caller that left and a caller that does
/// not speak HTTP are all expected.
async fn serve(stream: TcpStream, service: Arc<Service>, shutdown: Shutdown) {
    // Responses are small; without this they could wait for the caller's acknowledgement.
    stream.set_nodelay(true).ok();
    let work = shutdown.work.clone();
    let responder = service_fn(move |request| {
        let (reply, replied) = oneshot::channel();
        work.spawn(Arc::clone(&service).handle(request, reply).boxed());
        async move { replied.await.unwrap_or(Err(ReplyLost)) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(stream), responder);
    let mut connection = pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        () = shutdown.closing.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    tokio::select! {
        _ = connection => {}
        () = shutdown.now.cancelled() => {}
    }
}
