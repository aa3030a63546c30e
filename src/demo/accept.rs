//! Takes connections on the loopback port and serves each in a task of its own, so that a slow
//! caller keeps nobody waiting. Must not know what is asked or answered.

use std::fmt;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::service::{ReplyLost, Service};

/// How long a head may take to arrive, and a connection idle.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// How long to wait when no connection can be taken, for want of file descriptors for example.
const BREATH: Duration = Duration::from_millis(50);
/// How many such waits in a row before it is given up: ten seconds' worth.
const BREATHS: u32 = 200;

/// Why a demo store stopped taking connections though nobody asked it to.
#[derive(Debug)]
pub enum Died {
    /// The system keeps refusing to hand over connections.
    Accept(io::Error),
    /// The task that takes connections panicked.
    Panicked,
}

impl fmt::Display for Died {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accept(error) => write!(
                f,
                "the demo store can take no more connections: {error}; start it again, or raise the limit of open files"
            ),
            Self::Panicked => f.write_str("the demo store stopped because of a bug in it; start it again"),
        }
    }
}

impl std::error::Error for Died {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Accept(error) => Some(error),
            Self::Panicked => None,
        }
    }
}

/// How a demo store ends, and what is still at work in it.
#[derive(Clone)]
pub(super) struct Ends {
    /// Take nothing new, finish what is being answered.
    pub(super) closing: CancellationToken,
    /// Drop everything. Implies `closing`.
    pub(super) now: CancellationToken,
    /// Every connection and every request.
    pub(super) work: TaskTracker,
}

impl Ends {
    pub(super) fn new() -> Self {
        let now = CancellationToken::new();
        Self { closing: now.child_token(), now, work: TaskTracker::new() }
    }
}

/// Takes connections until the store closes.
pub(super) async fn accept(listener: TcpListener, service: Arc<Service>, ends: Ends) -> Result<(), Died> {
    let mut failures = 0;
    loop {
        let accepted = tokio::select! {
            biased;
            () = ends.closing.cancelled() => return Ok(()),
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                failures = 0;
                ends.work.spawn(serve(stream, Arc::clone(&service), ends.clone()));
            }
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) if failures == BREATHS => return Err(Died::Accept(error)),
            Err(_) => {
                failures += 1;
                tokio::select! {
                    () = ends.closing.cancelled() => return Ok(()),
                    () = tokio::time::sleep(BREATH) => {}
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

/// Serves one connection to its end. How it ended is of no interest: a lost reply, a caller who
/// left and a caller who talks no HTTP are all in a demo store's day.
async fn serve(stream: TcpStream, service: Arc<Service>, ends: Ends) {
    // Answers are small; without this they could wait for the caller's acknowledgement.
    stream.set_nodelay(true).ok();
    let work = ends.work.clone();
    let answering = service_fn(move |request| {
        let (reply, replied) = oneshot::channel();
        work.spawn(Arc::clone(&service).handle(request, reply));
        async move { replied.await.unwrap_or(Err(ReplyLost)) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), answering);
    let mut connection = pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        () = ends.closing.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    tokio::select! {
        _ = connection => {}
        () = ends.now.cancelled() => {}
    }
}
