//! Where other stores come in, while the one before is still at work.

use std::panic::AssertUnwindSafe;

use futures::FutureExt as _;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::link::{Connect, Connected, Link};
use crate::app::Arrival;
use crate::config::Wish;

/// Stores that are being opened, that wait to be let in, and that are being closed.
#[derive(Default)]
pub(super) struct Door {
    /// Attempts to open one, each with its number; also those that nobody waits for any more.
    attempts: JoinSet<(u32, Result<Box<Connected>, String>)>,
    /// How many there were.
    count: u32,
    /// Gives up the attempt that is waited for.
    gives_up: Option<CancellationToken>,
    /// A store that is open and waits until nothing of the one before is under way.
    waiting: Option<Box<Connected>>,
    /// The store that the model was told of.
    told: Option<Link>,
    /// Stores that are being closed.
    closing: JoinSet<()>,
}

impl Door {
    /// Opens a store; any other that is being opened is given up. [`Self::next`] tells.
    pub(super) fn open(&mut self, wish: Wish, connect: &Connect) {
        self.shut();
        let gives_up = CancellationToken::new();
        self.gives_up = Some(gives_up.clone());
        self.count += 1;
        let (number, opening) = (self.count, connect(wish, gives_up));
        self.attempts.spawn(async move {
            let opened = AssertUnwindSafe(opening).catch_unwind().await;
            let opened = opened.unwrap_or_else(|_| Err("the program failed while connecting".to_owned()));
            (number, opened.map(Box::new))
        });
    }

    /// Nobody waits for another store any more: what comes late is closed.
    pub(super) fn shut(&mut self) {
        if let Some(gives_up) = self.gives_up.take() {
            gives_up.cancel();
        }
        if let Some(late) = self.waiting.take() {
            self.close_link(late.link);
        }
    }

    /// Closes a store beside everything else.
    pub(super) fn close_link(&mut self, link: Link) {
        self.closing.spawn(link.close());
    }

    /// The next store that is opened or closed; `None` if there is none. With why it could not be
    /// opened, if somebody still waits for it.
    pub(super) async fn next(&mut self) -> Option<Option<String>> {
        tokio::select! {
            biased;
            // Attempts catch their own panics, so this error is about aborted ones only.
            Some(done) = self.attempts.join_next() => Some(done.ok().and_then(|(number, result)| self.came(number, result))),
            Some(_) = self.closing.join_next() => Some(None),
            else => None,
        }
    }

    fn came(&mut self, number: u32, result: Result<Box<Connected>, String>) -> Option<String> {
        let is_wanted = number == self.count && self.gives_up.is_some();
        match result {
            Ok(connected) if is_wanted => self.waiting = Some(connected),
            Ok(late) => self.close_link(late.link),
            Err(why) if is_wanted => {
                self.gives_up = None;
                return Some(why);
            }
            Err(_) => {}
        }
        None
    }

    /// Whether a store waits to be let in.
    pub(super) fn has_somebody(&self) -> bool {
        self.waiting.is_some()
    }

    /// Whether nothing is being opened or closed, and nothing waits.
    pub(super) fn is_idle(&self) -> bool {
        self.attempts.is_empty() && self.waiting.is_none() && self.closing.is_empty()
    }

    /// Lets in the store that waits, as far as the model, which has the last word: it
    /// [enters](Self::enter) or is [turned away](Self::turn_away).
    pub(super) fn let_in(&mut self) -> Option<Arrival> {
        let Connected { arrival, link } = *self.waiting.take()?;
        self.gives_up = None;
        self.told = Some(link);
        Some(arrival)
    }

    /// The store that the model was told of and wants.
    pub(super) fn enter(&mut self) -> Option<Link> {
        self.told.take()
    }

    /// Closes the store that the model was told of, if it did not want it.
    pub(super) fn turn_away(&mut self) {
        if let Some(unwanted) = self.told.take() {
            self.close_link(unwanted);
        }
    }

    /// Gives up what is being opened, and closes what is open.
    pub(super) async fn close(mut self) {
        self.shut();
        self.turn_away();
        while let Some(done) = self.attempts.join_next().await {
            if let Ok((_, Ok(late))) = done {
                self.close_link(late.link);
            }
        }
        while self.closing.join_next().await.is_some() {}
    }
}
