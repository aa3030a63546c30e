//! The signals that end a program, as requests to stop a subcommand.

use std::future::pending;
use std::time::Duration;

use tokio::time::Instant;

use super::clock;
use crate::os::signals::{self, Signal};

/// A signal this soon after another is the same request: `timeout` signals its child, and then the child's group.
const SAME: Duration = Duration::from_millis(200);

/// Resolves at the first request to stop the program. Listens from the call on, not from the first poll: a
/// signal in between would end the program without a message.
pub(super) fn stopped() -> impl Future<Output = ()> {
    let mut stops = Stops::listen();
    async move { stops.next().await }
}

/// Resolves at the next request to stop a program that is ending. Ignores a hang-up: a terminal that
/// vanishes causes several signals.
pub(super) fn stopped_again() -> impl Future<Output = ()> {
    let mut stops =
        Stops { last: Some(clock::instant()), ..Stops::to(signals::ends_but_hang_up().unwrap_or_default()) };
    async move { stops.next().await }
}

/// Listens all the time, so that a request between two calls of [`Self::next`] is not missed.
pub(super) struct Stops {
    signals: Vec<Signal>,
    /// When the last request came.
    last: Option<Instant>,
}

impl Stops {
    fn to(signals: Vec<Signal>) -> Self {
        Self { signals, last: None }
    }

    pub(super) fn listen() -> Self {
        Self::to(signals::ends().unwrap_or_default())
    }

    /// Listens to every request but Ctrl-C.
    pub(super) fn but_interrupts() -> Self {
        Self::to(signals::ends_but_interrupt().unwrap_or_default())
    }

    /// Listens to nothing.
    pub(super) fn none() -> Self {
        Self::to(Vec::new())
    }

    /// Listens to Ctrl-C alone.
    pub(super) fn interrupts() -> Self {
        Self::to(signals::interrupts().ok().flatten().into_iter().collect())
    }

    /// Resolves at the next request, or at once if one arrived since the last call; several count as one, and so do those
    /// within [`SAME`].
    pub(super) async fn next(&mut self) {
        if self.signals.is_empty() {
            return pending().await;
        }
        loop {
            let signals = self.signals.iter_mut().map(|signal| Box::pin(signal.recv()));
            let _ = futures::future::select_all(signals).await;
            let now = clock::instant();
            if self.last.is_none_or(|last| now - last > SAME) {
                self.last = Some(now);
                return;
            }
        }
    }
}
