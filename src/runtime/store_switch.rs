//! Opens another store in the background, then switches to it. The one before is at work meanwhile, and is
//! closed in the background as well.

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
    /// Each with its number; also those whose result nobody waits for any more.
    attempts: JoinSet<(u32, eyre::Result<Box<Connected>>)>,
    /// The number of the last attempt.
    last: u32,
    /// Gives up the attempt that is waited for.
    gives_up: Option<CancellationToken>,
    /// A store that is open and waits until nothing of the one before is under way.
    waiting: Option<Box<Connected>>,
    /// The store that was offered to the model.
    offered: Option<WorkerHandle>,
    closing: JoinSet<()>,
}

impl StoreSwitch {
    /// Opens a store and gives up any other that is being opened. [`Self::next`] returns the result.
    pub(super) fn open(&mut self, target: ConnectionTarget, connect: &Connect) {
        self.stop();
        let gives_up = CancellationToken::new();
        self.gives_up = Some(gives_up.clone());
        self.last += 1;
        let (number, opening) = (self.last, connect(target, gives_up));
        self.attempts.spawn(async move {
            let opened = AssertUnwindSafe(opening).catch_unwind().await;
            let opened = opened.unwrap_or_else(|_| Err(eyre!("the program failed while connecting")));
            (number, opened.map(Box::new))
        });
    }

    /// Gives up the attempt that is waited for. A store that it opens all the same is closed.
    pub(super) fn stop(&mut self) {
        if let Some(gives_up) = self.gives_up.take() {
            gives_up.cancel();
        }
        if let Some(late) = self.waiting.take() {
            self.close_handle(late.handle);
        }
    }

    /// Closes a store in the background.
    pub(super) fn close_handle(&mut self, handle: WorkerHandle) {
        self.closing.spawn(handle.close());
    }

    /// Waits for the next store to be opened or closed; `None` if none is. Returns why it could not be
    /// opened, if its result is waited for.
    pub(super) async fn next(&mut self) -> Option<eyre::Result<()>> {
        tokio::select! {
            biased;
            Some(done) = self.attempts.join_next() => Some(match done {
                Ok((number, result)) => self.finish(number, result),
                // Attempts catch their own panics, so this one was aborted.
                Err(_) => Ok(()),
            }),
            Some(_) = self.closing.join_next() => Some(Ok(())),
            else => None,
        }
    }

    fn finish(&mut self, number: u32, result: eyre::Result<Box<Connected>>) -> eyre::Result<()> {
        let is_wanted = number == self.last && self.gives_up.is_some();
        match result {
            Ok(connected) if is_wanted => self.waiting = Some(connected),
            Ok(late) => self.close_handle(late.handle),
            Err(why) if is_wanted => {
                self.gives_up = None;
                return Err(why);
            }
            Err(_) => {}
        }
        Ok(())
    }

    /// Whether a store is open and waits for [`Self::offer`].
    pub(super) fn is_ready(&self) -> bool {
        self.waiting.is_some()
    }

    /// Whether nothing is being opened or closed, and nothing waits.
    pub(super) fn is_idle(&self) -> bool {
        self.attempts.is_empty() && self.waiting.is_none() && self.closing.is_empty()
    }

    /// Takes the store that waits. The model decides about it: [`Self::accept`] or [`Self::decline`].
    pub(super) fn offer(&mut self) -> Option<Arrival> {
        let Connected { arrival, handle } = *self.waiting.take()?;
        self.gives_up = None;
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

    /// Gives up what is being opened, and closes what is open.
    pub(super) async fn close(mut self) {
        self.stop();
        self.decline();
        while let Some(done) = self.attempts.join_next().await {
            if let Ok((_, Ok(late))) = done {
                self.close_handle(late.handle);
            }
        }
        while self.closing.join_next().await.is_some() {}
    }
}
