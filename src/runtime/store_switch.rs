//! Opens another store in the background, and closes the previous one once the app has switched.
//!
//! Must not know when the app may switch.

use std::panic::AssertUnwindSafe;

use color_eyre::eyre::{self, eyre};
use futures::FutureExt as _;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::worker_handle::{Connect, Connected, WorkerHandle};
use crate::config::ConnectionTarget;
use crate::tui::message::Arrival;

#[derive(Default)]
pub(super) struct StoreSwitch {
    /// Each with its own token; an attempt that was cancelled may still end.
    attempts: JoinSet<(CancellationToken, eyre::Result<Box<Connected>>)>,
    /// Cancels the latest attempt.
    latest: CancellationToken,
    /// A store that is open, until the app can switch to it.
    ready: Option<Box<Connected>>,
    /// The store that was offered to the app.
    offered: Option<WorkerHandle>,
    closing: JoinSet<()>,
}

impl StoreSwitch {
    /// Opens a store and cancels any other attempt. [`Self::next`] returns the result.
    pub(super) fn open(&mut self, target: ConnectionTarget, connect: &Connect) {
        self.stop();
        let attempt = CancellationToken::new();
        self.latest = attempt.clone();
        let opening = connect(target, attempt.clone());
        let opening = async move {
            let opened = AssertUnwindSafe(opening).catch_unwind().await;
            let opened = opened.unwrap_or_else(|_| Err(eyre!("the program failed while connecting")));
            (attempt, opened.map(Box::new))
        };
        self.attempts.spawn(opening.boxed());
    }

    /// Cancels the attempt. If it opens the store nevertheless, the store is closed.
    pub(super) fn stop(&mut self) {
        self.latest.cancel();
        if let Some(unwanted) = self.ready.take() {
            self.close_handle(unwanted.handle);
        }
    }

    /// Closes a store in the background.
    pub(super) fn close_handle(&mut self, handle: WorkerHandle) {
        self.closing.spawn(handle.close().boxed());
    }

    /// Waits until a store was opened or closed; `None` if there is none to wait for. Returns why the latest attempt
    /// failed.
    pub(super) async fn next(&mut self) -> Option<eyre::Result<()>> {
        tokio::select! {
            biased;
            Some(done) = self.attempts.join_next() => Some(match done {
                Ok((attempt, result)) => self.finish(&attempt, result),
                // Attempts catch their own panics, so this one was aborted.
                Err(_) => Ok(()),
            }),
            Some(_) = self.closing.join_next() => Some(Ok(())),
            else => None,
        }
    }

    fn finish(&mut self, attempt: &CancellationToken, result: eyre::Result<Box<Connected>>) -> eyre::Result<()> {
        match result {
            Ok(connected) if attempt.is_cancelled() => self.close_handle(connected.handle),
            Ok(connected) => self.ready = Some(connected),
            Err(_) if attempt.is_cancelled() => {}
            Err(why) => return Err(why),
        }
        Ok(())
    }

    /// Whether no store is being opened or closed, and none is ready.
    pub(super) fn is_idle(&self) -> bool {
        self.attempts.is_empty() && !self.is_ready() && self.closing.is_empty()
    }

    /// Whether a store is open that the app has not switched to.
    pub(super) fn is_ready(&self) -> bool {
        self.ready.is_some()
    }

    /// Takes the store that is ready. Either [`Self::accept`] or [`Self::decline`] follows.
    pub(super) fn offer(&mut self) -> Option<Arrival> {
        let Connected { arrival, handle } = *self.ready.take()?;
        self.offered = Some(handle);
        Some(arrival)
    }

    pub(super) fn accept(&mut self) -> Option<WorkerHandle> {
        self.offered.take()
    }

    /// Closes the store that was offered, unless it was accepted.
    pub(super) fn decline(&mut self) {
        if let Some(unwanted) = self.offered.take() {
            self.close_handle(unwanted);
        }
    }

    /// Cancels the attempt, and waits until every store is closed.
    pub(super) async fn close(mut self) {
        self.stop();
        self.decline();
        while let Some(done) = self.attempts.join_next().await {
            if let Ok((_, Ok(unwanted))) = done {
                self.close_handle(unwanted.handle);
            }
        }
        while self.closing.join_next().await.is_some() {}
    }
}
