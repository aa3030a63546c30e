//! The signals that end a program, as requests to stop a subcommand.

use std::future::pending;

use crate::os::signals::{self, Signal};

/// Resolves at the first request to stop the program. Listens from the call on, not from the first poll: a
/// signal in between would end the program without a message.
pub(super) fn stopped() -> impl Future<Output = ()> {
    let mut stops = Stops::listen();
    async move { stops.next().await }
}

/// Resolves at the next request to stop a program that is ending. Ignores a hang-up: a terminal that
/// vanishes causes several signals.
pub(super) fn stopped_again() -> impl Future<Output = ()> {
    let mut stops = Stops(signals::ends_but_hang_up().unwrap_or_default());
    async move { stops.next().await }
}

/// Listens all the time, so that a request between two calls of [`Self::next`] is not missed.
pub(super) struct Stops(Vec<Signal>);

impl Stops {
    pub(super) fn listen() -> Self {
        Self(signals::ends().unwrap_or_default())
    }

    /// Listens to every request but Ctrl-C.
    pub(super) fn but_interrupts() -> Self {
        Self(signals::ends_but_interrupt().unwrap_or_default())
    }

    /// Listens to nothing.
    pub(super) fn none() -> Self {
        Self(Vec::new())
    }

    /// Listens to Ctrl-C alone.
    pub(super) fn interrupts() -> Self {
        Self(signals::interrupts().ok().flatten().into_iter().collect())
    }

    /// Resolves at the next request, or at once if one arrived since the last call; several count as one.
    pub(super) async fn next(&mut self) {
        if self.0.is_empty() {
            return pending().await;
        }
        let _ = futures::future::select_all(self.0.iter_mut().map(|signal| Box::pin(signal.recv()))).await;
    }
}
