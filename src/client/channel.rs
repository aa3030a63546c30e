//! One connection to a store, and what goes over it: requests, one after another.
//!
//! reqwest finds the way (name, proxy, TLS; see `transport`); from there hyper, on which it
//! stands, carries each request. Only so is it known of a connection that was kept whether a
//! request ever began to leave: one that did not may go over another, and is sent once all the
//! same.
//!
//! Nothing runs beside it: the connection moves while somebody waits for what comes over it.

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body as _, Bytes, Incoming};
use hyper::client::conn::http1::{self, Connection, SendRequest};
use hyper::{Request, Response, rt};
use reqwest::Body;
use tokio::time::timeout;

/// Headers read of one answer. Hyper's own limit is 100; beyond its limit an answer is lost. Room for
/// all of them is made for every answer, so that more would cost each.
const MAX_HEADERS: usize = 256;

/// Bytes that come and go, whatever carries them.
pub(super) trait Io: rt::Read + rt::Write + Send + Unpin {}

impl<T: rt::Read + rt::Write + Send + Unpin> Io for T {}

/// Lets others have their turn after each read: a store that says more and more, such as interim
/// answers without end, would else be read and read, and nobody would look at the deadline.
struct Fair {
    io: Box<dyn Io>,
    /// Whether the last read brought something.
    has_read: bool,
}

impl rt::Read for Fair {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: rt::ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        if std::mem::take(&mut self.has_read) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let read = Pin::new(&mut self.io).poll_read(context, buffer);
        self.has_read = read.is_ready();
        read
    }
}

impl rt::Write for Fair {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }
}

/// A connection that was made.
pub(super) struct Channel {
    sender: SendRequest<Body>,
    /// `None` when it has come to its end: dropped, it gives back a request that it has not begun
    /// to send, which whoever sent it waits for.
    connection: Option<Connection<Fair, Body>>,
}

/// Why no status line came.
pub(super) enum Unanswered {
    /// The connection had ended before the request began to leave: here it is.
    Unsent(Box<Request<Body>>),
    /// It may have left.
    Lost(hyper::Error),
}

impl Channel {
    /// Speaks HTTP/1.1 over these bytes. Nothing is sent yet.
    pub(super) async fn begin(io: Box<dyn Io>) -> Result<Self, hyper::Error> {
        let (sender, connection) = http1::Builder::new()
            // The status line decides: a slip in a header must not lose it.
            .ignore_invalid_headers_in_responses(true)
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .max_headers(MAX_HEADERS)
            .handshake(Fair { io, has_read: false })
            .await?;
        Ok(Self { sender, connection: Some(connection) })
    }

    /// Sends a request; resolves when the headers of its answer are there.
    ///
    /// # Errors
    ///
    /// No status line came.
    pub(super) async fn send(&mut self, request: Request<Body>) -> Result<Response<Incoming>, Unanswered> {
        let Self { sender, connection } = self;
        if driven(connection, std::future::poll_fn(|context| sender.poll_ready(context))).await.is_err() {
            return Err(Unanswered::Unsent(Box::new(request)));
        }
        driven(connection, sender.try_send_request(request)).await.map_err(|mut why| match why.take_message() {
            Some(request) => Unanswered::Unsent(Box::new(request)),
            None => Unanswered::Lost(why.into_error()),
        })
    }

    /// The next bytes of an answer's body; `None` at its end.
    pub(super) async fn next(&mut self, body: &mut Incoming) -> Option<Result<Bytes, hyper::Error>> {
        loop {
            let frame = std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context));
            let frame = match driven(&mut self.connection, frame).await? {
                Ok(frame) => frame,
                Err(why) => return Some(Err(why)),
            };
            // What is no data is trailers, which nobody is shown.
            if let Ok(bytes) = frame.into_data() {
                return Some(Ok(bytes));
            }
        }
    }

    /// Whether it comes to its end in this time while nothing is asked of it.
    pub(super) async fn ends_within(&mut self, time: Duration) -> bool {
        let Some(connection) = &mut self.connection else { return true };
        let ended = timeout(time, connection).await.is_ok();
        if ended {
            self.connection = None;
        }
        ended
    }

    /// Whether another request may go over it, as far as can be told now.
    pub(super) fn may_go_on(&self) -> bool {
        self.connection.is_some() && !self.sender.is_closed()
    }
}

/// What `wanted` comes to, while the connection moves.
async fn driven<T>(connection: &mut Option<Connection<Fair, Body>>, wanted: impl Future<Output = T>) -> T {
    let mut wanted = pin!(wanted);
    std::future::poll_fn(|context| {
        if let Poll::Ready(came) = wanted.as_mut().poll(context) {
            return Poll::Ready(came);
        }
        if let Some(moving) = connection
            && Pin::new(moving).poll(context).is_ready()
        {
            // Whoever waits is told why.
            *connection = None;
        }
        wanted.as_mut().poll(context)
    })
    .await
}
