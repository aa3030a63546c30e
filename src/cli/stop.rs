//! Hearing that somebody asks the program to stop, while no interface listens.

use tokio::signal::unix::{SignalKind, signal};

/// Resolves when somebody asks the program to stop.
///
/// It listens from the call on, not from the first poll: a signal in between would end the
/// program without a word.
pub(super) fn stopped() -> impl Future<Output = ()> {
    let ears = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup(), SignalKind::quit()].map(signal);
    async move {
        let heard = ears.into_iter().flatten().map(|mut ear| Box::pin(async move { ear.recv().await }));
        let _ = futures::future::select_all(heard).await;
    }
}
