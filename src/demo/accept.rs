//! Accepts connections on the loopback port and serves each in its own task, so that a slow caller delays no
//! other. Must not know the contents of requests and responses.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::service::{ReplyLost, Service};

/// The time limit for the head of a request, and for an idle connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// The pause after a failed accept, for example for lack of file descriptors.
const RETRY_PAUSE: Duration = Duration::from_millis(50);

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
pub(super) async fn accept(listener: TcpListener, service: Arc<Service>, shutdown: Shutdown) {
    let connections = async {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    shutdown.work.spawn(serve(stream, Arc::clone(&service), shutdown.clone()).boxed());
                }
                Err(_) => tokio::time::sleep(RETRY_PAUSE).await,
            }
        }
    };
    tokio::select! {
        biased;
        () = shutdown.closing.cancelled() => {}
        () = connections => {}
    }
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
