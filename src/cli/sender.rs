//! Sends the operations of a subcommand through the worker, and awaits their ends.
//!
//! Must not know why they are sent, nor print their outcomes.

use std::collections::HashSet;
use std::io::{self, IsTerminal as _};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use color_eyre::eyre::{self, WrapErr as _, eyre};
use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Sleep, sleep};

use super::bar::{BETWEEN_SENTENCES, Bar};
use super::error::Internal;
use super::print::Manner;
use super::stop::Stops;
use super::when_unknown::WhenUnknown;
use super::{clock, print};
use crate::domain::retry_after::pause_before_next;
use crate::domain::sentence::span;
use crate::domain::{Operation, OperationId, OperationKind, Seen};
use crate::text::number_format::{about, counted};
use crate::worker::{Ended, Feed, Report, Worker, join_error_text};

/// A running worker, and the operations that one subcommand sends through it.
pub(super) struct Sender {
    pub(super) worker: Worker,
    /// `None` once its end was awaited.
    pub(super) task: Option<JoinHandle<()>>,
    pub(super) reports: mpsc::UnboundedReceiver<Report>,
    /// The name of this running program in the journal.
    pub(super) origin: u64,
    /// Number of operations that were submitted to the store, which numbers them.
    pub(super) submitted: Arc<AtomicU32>,
    /// Operations whose ends were recorded only after they were reported.
    pub(super) recorded_late: HashSet<OperationId>,
}

/// An operation, with what its person saw of the plant if they decided about it.
pub(super) type Wanted = (OperationKind, Option<Seen>);

/// How [`Sender::carry_out`] ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    All,
    /// After too many unknown outcomes in a row; the rest was not sent.
    Braked,
    /// At a request to stop; the rest was not sent.
    Interrupted,
}

impl Sender {
    /// Returns an operation with a number of its own; nothing is sent if the plant is another than was `seen`.
    pub(super) fn operation(&mut self, kind: OperationKind, seen: Option<Seen>) -> Operation {
        let number = self.submitted.fetch_add(1, Ordering::Relaxed) + 1;
        let id = OperationId { origin: self.origin, number };
        Operation { seen: seen.map(Box::new), ..Operation::new(id, kind, clock::now()) }
    }

    /// Sends the operations of a feed and calls `handle_end` with the end of each. The first request to stop cancels those
    /// in flight, and their ends are still awaited. What is not sent stays in the feed.
    pub(super) async fn carry_out(
        &mut self,
        feed: &mut Feed<Wanted>,
        stops: &mut Stops,
        when_unknown: &mut WhenUnknown<'_>,
        mut handle_end: impl FnMut(Ended),
    ) -> eyre::Result<Sent> {
        let (mut interrupted, bar) = (false, Bar::Hidden);
        let (mut patience, mut pauses) = (Patience::begin(), FuturesUnordered::new());
        let has_person = print::manner() != Manner::Command || io::stderr().is_terminal();
        loop {
            let next = if interrupted { Vec::new() } else { feed.take() };
            if !next.is_empty() {
                patience = Patience::begin();
            }
            for (kind, seen) in next {
                let operation = self.operation(kind, seen);
                self.worker.send(operation).wrap_err(Internal::Unknown)?;
            }
            if feed.out() == 0 && (interrupted || feed.is_over()) {
                return Ok(if interrupted { Sent::Interrupted } else { Sent::All });
            }
            if feed.out() == 0 && feed.is_braked() {
                if !when_unknown.goes_on(feed.waiting().len() as u64).await? {
                    return Ok(Sent::Braked);
                }
                feed.release();
                continue;
            }
            tokio::select! {
                end = self.next_end(&bar), if feed.out() > 0 => {
                    let end = end?;
                    feed.ended(end.exchange.outcome());
                    let response = end.exchange.response().filter(|_| feed.waiting().len() > 0);
                    if let Some(pause) = response.and_then(|response| pause_before_next(response, clock::now())) {
                        print::message(format!("The store asks to wait {}. Ctrl-C stops.", about(pause)));
                        feed.pause();
                        pauses.push(sleep(pause));
                    }
                    handle_end(end);
                }
                Some(()) = pauses.next() => feed.pause_over(),
                () = patience.is_over(), if has_person && feed.out() > 0 => {
                    patience.say(feed.out(), interrupted);
                }
                () = stops.next(), if !interrupted => {
                    interrupted = true;
                    self.worker.cancel_all();
                }
            }
        }
    }

    /// Waits for the end of an operation, and meanwhile prints what the worker waits for. Can be dropped
    /// at any time.
    ///
    /// # Errors
    ///
    /// The worker has died, with operations in flight.
    pub(super) async fn next_end(&mut self, bar: &Bar) -> eyre::Result<Ended> {
        while let Some(report) = self.reports.recv().await {
            if let Some(ended) = self.take(report, bar) {
                return Ok(ended);
            }
        }
        let why = match &mut self.task {
            Some(task) => task.await.map_or_else(join_error_text, |()| "it ended by itself".to_owned()),
            None => "it has ended before".to_owned(),
        };
        self.task = None;
        Err(eyre!(why).wrap_err("the background task has died").wrap_err(Internal::Unknown))
    }

    /// Takes a report of the worker, and returns the end that it is. Prints what the worker waits for.
    pub(super) fn take(&mut self, report: Report, bar: &Bar) -> Option<Ended> {
        match report {
            Report::Ended(ended) => return Some(*ended),
            Report::Waiting(waiting) => bar.message(&waiting),
            Report::RecordedLate(id) => drop(self.recorded_late.insert(id)),
            Report::Recorded(_) => {}
        }
        None
    }

    /// Waits until everything in flight is recorded, also the ends that are `held` because they were not.
    pub(super) async fn end<'e>(mut self, held: impl IntoIterator<Item = &'e mut Ended>) {
        drop(self.worker);
        if let Some(task) = self.task {
            let _ = task.await;
        }
        while let Ok(report) = self.reports.try_recv() {
            if let Report::RecordedLate(id) = report {
                self.recorded_late.insert(id);
            }
        }
        for ended in held {
            if self.recorded_late.contains(&ended.exchange.operation.id) {
                ended.recorded = Ok(());
            }
        }
    }
}

/// Says that there is no response yet since the last request, for a person who sees no progress: each time after twice
/// the time.
struct Patience {
    waited: Duration,
    next: Pin<Box<Sleep>>,
}

impl Patience {
    fn begin() -> Self {
        Self { waited: BETWEEN_SENTENCES, next: Box::pin(sleep(BETWEEN_SENTENCES)) }
    }

    async fn is_over(&mut self) {
        self.next.as_mut().await;
    }

    fn say(&mut self, pending: usize, interrupted: bool) {
        let requests = counted(pending as u64, "request", "requests");
        let cancel = if interrupted { "" } else { " Ctrl-C cancels." };
        print::message(format!("No response yet to {requests} after {}.{cancel}", span(self.waited)));
        self.next = Box::pin(sleep(self.waited));
        self.waited *= 2;
    }
}
