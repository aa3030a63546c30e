//! Hearing that somebody asks the program to stop, while no interface listens.

use std::future::pending;
use std::sync::LazyLock;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Resolves when somebody asks the program to stop.
///
/// It listens from the call on, not from the first poll: a signal in between would end the
/// program without a word.
pub(super) fn stopped() -> impl Future<Output = ()> {
    let mut stops = Stops::listen();
    async move { stops.next().await }
}

/// The signals that whoever started the program told it to ignore, as `nohup` does and a shell for
/// what runs in the background: a bit for each, as Linux tells them. Elsewhere nobody tells.
static IGNORED: LazyLock<u64> = LazyLock::new(|| {
    let told = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = told.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
});

/// Resolves when somebody will not wait any longer for a program that ends already. A terminal that
/// vanishes is told in several ways, so a hang-up is not one of these.
pub(super) fn hurried() -> impl Future<Output = ()> {
    let mut stops = Stops::of(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::quit()]);
    async move { stops.next().await }
}

/// Listens from one request to stop to the next, so that none in between is missed.
pub(super) struct Stops(Vec<Signal>);

impl Stops {
    /// Listens from now on.
    pub(super) fn listen() -> Self {
        Self::of(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup(), SignalKind::quit()])
    }

    fn of(kinds: &[SignalKind]) -> Self {
        let heard = kinds.iter().filter(|kind| *IGNORED & (1 << (kind.as_raw_value() - 1)) == 0);
        Self(heard.filter_map(|kind| signal(*kind).ok()).collect())
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
