//! Hearing that somebody asks the program to stop, while no interface listens.

use std::future::pending;

use tokio::signal::unix::Signal;

use crate::runtime::signals;

/// Resolves when somebody asks the program to stop.
///
/// It listens from the call on, not from the first poll: a signal in between would end the
/// program without a word.
pub(super) fn stopped() -> impl Future<Output = ()> {
    let mut stops = Stops::listen();
    async move { stops.next().await }
}

/// Resolves when somebody will not wait any longer for a program that ends already. A terminal that
/// vanishes is told in several ways, so a hang-up is not one of these.
pub(super) fn hurried() -> impl Future<Output = ()> {
    let mut stops = Stops(signals::ends_but_hang_up().unwrap_or_default());
    async move { stops.next().await }
}

/// Listens from one request to stop to the next, so that none in between is missed.
pub(super) struct Stops(Vec<Signal>);

impl Stops {
    /// Listens from now on.
    pub(super) fn listen() -> Self {
        Self(signals::ends().unwrap_or_default())
    }

    /// Resolves when somebody asks the program to stop, or has since this resolved last. Of several
    /// requests that nobody waited for one is told.
    pub(super) async fn next(&mut self) {
        if self.0.is_empty() {
            return pending().await;
        }
        let _ = futures::future::select_all(self.0.iter_mut().map(|ear| Box::pin(ear.recv()))).await;
    }
}
