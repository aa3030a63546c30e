//! Sends the operations of a subcommand through the worker, and awaits their ends.
//!
//! Must not know why they are sent, nor print their outcomes.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use color_eyre::eyre::{self, eyre};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::bar::Bar;
use super::clock;
use super::error::Internal;
use crate::domain::{Operation, OperationId, OperationKind, Seen};
use crate::worker::{Ended, Report, Worker, join_error_text};

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

impl Sender {
    /// Returns an operation with a number of its own; nothing is sent if the plant is another than was `seen`.
    pub(super) fn operation(&mut self, kind: OperationKind, seen: Option<Seen>) -> Operation {
        let number = self.submitted.fetch_add(1, Ordering::Relaxed) + 1;
        let id = OperationId { origin: self.origin, number };
        Operation { seen: seen.map(Box::new), ..Operation::new(id, kind, clock::now()) }
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
