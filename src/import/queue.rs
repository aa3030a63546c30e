//! The rows of an import on their way from the file to the worker: decided about a chunk at a time, each
//! id under way once.

use std::collections::{HashSet, VecDeque};
use std::future::pending;

use futures::FutureExt as _;
use futures::future::BoxFuture;

use super::decision::Decision;
use super::forecast::{DecideError, decide};
use super::row::ImportRow;
use super::validate::{CHUNK, Chunks, FileRow};
use crate::domain::PlantId;
use crate::journal::Journal;

/// A row that is to be sent, or was.
pub(super) struct QueuedRow {
    pub(super) row: FileRow,
    /// Whether its plant was unknown.
    pub(super) is_resent: bool,
    /// How often it went out.
    pub(super) tries: u32,
    /// How often of that since another was accepted.
    pub(super) tries_of_late: u32,
    /// How many were accepted when it went out last.
    pub(super) accepted_before: u64,
}

type Decided = Result<Vec<(FileRow, Decision)>, DecideError>;

pub(super) struct Queue {
    journal: Journal,
    resend_unknown: bool,
    /// The rows that are left in the file; `None` at its end.
    chunks: Option<Chunks>,
    deciding: Option<BoxFuture<'static, Decided>>,
    waiting: VecDeque<QueuedRow>,
    /// The ids of what waits or is sent.
    under_way: HashSet<PlantId>,
    /// Rows on an id that is under way: decided once it is not.
    held: Vec<FileRow>,
}

impl Queue {
    pub(super) fn new(chunks: Option<Chunks>, journal: Journal, resend_unknown: bool) -> Self {
        Self {
            journal,
            resend_unknown,
            chunks,
            deciding: None,
            waiting: VecDeque::new(),
            under_way: HashSet::new(),
            held: Vec::new(),
        }
    }

    /// Returns whether nothing waits and nothing is to come.
    pub(super) fn is_empty(&self) -> bool {
        self.chunks.is_none() && self.deciding.is_none() && self.waiting.is_empty() && self.held.is_empty()
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Takes the next rows that are to be sent.
    pub(super) fn take(&mut self, count: usize) -> impl Iterator<Item = QueuedRow> {
        self.waiting.drain(..count)
    }

    /// Sends a row again, before the others.
    pub(super) fn push_front(&mut self, row: QueuedRow) {
        self.waiting.push_front(row);
    }

    /// Sends a row again, behind the others.
    pub(super) fn push_back(&mut self, row: QueuedRow) {
        self.waiting.push_back(row);
    }

    /// Notes that a row is over: the next of its id may be decided about.
    pub(super) fn is_over(&mut self, id: PlantId) {
        self.under_way.remove(&id);
    }

    /// Decides anew about a row whose plant another program has changed meanwhile.
    pub(super) fn decide_again(&mut self, row: FileRow) {
        self.is_over(row.0.plant.id);
        self.held.push(row);
    }

    /// Decides about the rows that were held back, as far as their ids are not under way any more.
    pub(super) fn decide_held(&mut self) {
        if self.deciding.is_none() && !self.held.is_empty() {
            let held = std::mem::take(&mut self.held);
            self.decide(held);
        }
    }

    /// Waits until rows are decided about; queues those that are to be sent and returns the others. Reads more
    /// of the file only if `may_read` is set and there are few rows at hand. Loses nothing when dropped.
    pub(super) async fn decided(&mut self, may_read: bool) -> Result<Vec<(FileRow, Decision)>, DecideError> {
        if let Some(deciding) = &mut self.deciding {
            let decided = deciding.await;
            self.deciding = None;
            return decided.map(|decided| self.admit(decided));
        }
        // Held rows count, or a file with one id in all of its rows would be read to its end.
        let has_room = self.waiting.len() + self.held.len() < CHUNK;
        match &mut self.chunks {
            Some(chunks) if may_read && has_room => {
                match chunks.recv().await {
                    Some(rows) => self.decide(rows.map_err(DecideError::Rows)?),
                    None => self.chunks = None,
                }
                Ok(Vec::new())
            }
            Some(_) | None => pending().await,
        }
    }

    /// Decides about rows. Those whose id is under way are held: how their plant ends is not known.
    fn decide(&mut self, rows: Vec<FileRow>) {
        let (held, free): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|(row, _)| self.under_way.contains(&row.plant.id));
        self.held.extend(held);
        if !free.is_empty() {
            self.deciding = Some(decide(self.journal.clone(), free, self.resend_unknown).boxed());
        }
    }

    fn admit(&mut self, decided: Vec<(FileRow, Decision)>) -> Vec<(FileRow, Decision)> {
        let mut skipped = Vec::new();
        for (row, decision) in decided {
            let ImportRow { plant, .. } = &row.0;
            if self.under_way.contains(&plant.id) {
                self.held.push(row);
            } else if decision.is_sent() {
                self.under_way.insert(plant.id);
                let is_resent = decision == Decision::Resend;
                self.waiting.push_back(QueuedRow { row, is_resent, tries: 0, tries_of_late: 0, accepted_before: 0 });
            } else {
                skipped.push((row, decision));
            }
        }
        skipped
    }
}
