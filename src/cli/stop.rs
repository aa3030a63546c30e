//! Requests to stop a subcommand: the signals that end a program.

use std::future::pending;

use tokio::signal::unix::Signal;

use crate::runtime::signals;

/// Resolves at the first request to stop the program. Listens from the call on, not from the first poll: a
/// signal in between would end the program without a word.
pub(super) fn stopped() -> impl Future<Output = ()> {
    let mut stops = Stops::listen();
    async move { stops.next().await }
}

/// Resolves at the next request to stop a program that ends already. A terminal that vanishes is told in
/// several ways, so a hang-up is not one of these.
pub(super) fn hurried() -> impl Future<Output = ()> {
    let mut stops = Stops(signals::ends_but_hang_up().unwrap_or_default());
    async move { stops.next().await }
}

/// Listens from one request to stop to the next, so that none in between is missed.
pub(super) struct Stops(Vec<Signal>);

impl Stops {
    pub(super) fn listen() -> Self {
        Self(signals::ends().unwrap_or_default())
    }

    /// Resolves at the next request, or at once if one came since this resolved last; several are one.
    pub(super) async fn next(&mut self) {
        if self.0.is_empty() {
            return pending().await;
        }
        let _ = futures::future::select_all(self.0.iter_mut().map(|ear| Box::pin(ear.recv()))).await;
    }
}
