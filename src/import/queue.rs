//! The queue of rows between the file and the worker: decides about them chunk by chunk, and never has two
//! rows of one id in flight.

use std::collections::{HashSet, VecDeque};
use std::future::pending;

use futures::FutureExt as _;
use futures::future::BoxFuture;

use super::decision::{Decision, FileRow, Resend};
use super::forecast::{DecideError, decide};
use super::row::ImportRow;
use super::validate::{CHUNK, Chunks};
use crate::domain::PlantId;
use crate::journal::Journal;

/// A row to send, or in flight.
pub(super) struct QueuedRow {
    pub(super) row: FileRow,
    /// Why it is sent.
    pub(super) decision: Decision,
    /// How often it was sent.
    pub(super) tries: u32,
    /// How often it was sent since another row was accepted.
    pub(super) recent_tries: u32,
    /// Number of accepted rows when it was sent last.
    pub(super) accepted_before: u64,
}

type Decided = Result<Vec<(FileRow, Decision)>, DecideError>;

pub(super) struct Queue {
    journal: Journal,
    resend: Resend,
    /// The remaining rows of the file; `None` at its end.
    chunks: Option<Chunks>,
    deciding: Option<BoxFuture<'static, Decided>>,
    pub(super) waiting: VecDeque<QueuedRow>,
    /// Ids of the rows that wait or are in flight.
    active: HashSet<PlantId>,
    /// Rows with an active id: decided once the id is no longer active.
    held: Vec<FileRow>,
}

impl Queue {
    pub(super) fn new(chunks: Chunks, journal: Journal, resend: Resend) -> Self {
        Self {
            journal,
            resend,
            chunks: Some(chunks),
            deciding: None,
            waiting: VecDeque::new(),
            active: HashSet::default(),
            held: Vec::new(),
        }
    }

    /// Returns whether no row waits, and none is left in the file.
    pub(super) fn is_empty(&self) -> bool {
        self.chunks.is_none() && self.deciding.is_none() && self.waiting.is_empty() && self.held.is_empty()
    }

    /// Notes that the row of this id has an outcome, so that the next row of the id may be decided.
    pub(super) fn finish(&mut self, id: PlantId) {
        self.active.remove(&id);
    }

    /// Decides again about a row whose plant another program has changed in the meantime.
    pub(super) fn decide_again(&mut self, row: FileRow) {
        self.finish(row.0.plant.id);
        self.held.push(row);
    }

    /// Decides about the held rows whose ids are no longer active.
    pub(super) fn decide_held(&mut self) {
        if self.deciding.is_none() && !self.held.is_empty() {
            let held = std::mem::take(&mut self.held);
            self.decide(held);
        }
    }

    /// Waits for decisions; queues the rows to send and returns the others. Reads more of the file only if
    /// `may_read` is set and few rows wait. Can be dropped at any time.
    pub(super) async fn decided(&mut self, may_read: bool) -> Result<Vec<(FileRow, Decision)>, DecideError> {
        if let Some(deciding) = &mut self.deciding {
            let decided = deciding.await;
            self.deciding = None;
            return decided.map(|decided| self.enqueue(decided));
        }
        // Held rows count, so that a file with one id in all rows is not read into memory.
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

    /// Decides about rows, and holds those with an active id, whose outcome is not known yet.
    fn decide(&mut self, rows: Vec<FileRow>) {
        let (held, free): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(row, _)| self.active.contains(&row.plant.id));
        self.held.extend(held);
        if !free.is_empty() {
            self.deciding = Some(decide(self.journal.clone(), free, self.resend).boxed());
        }
    }

    fn enqueue(&mut self, decided: Vec<(FileRow, Decision)>) -> Vec<(FileRow, Decision)> {
        let mut unsent = Vec::new();
        for (row, decision) in decided {
            let ImportRow { plant, .. } = &row.0;
            if self.active.contains(&plant.id) {
                self.held.push(row);
            } else if decision.is_sent() {
                self.active.insert(plant.id);
                self.waiting.push_back(QueuedRow { row, decision, tries: 0, recent_tries: 0, accepted_before: 0 });
            } else {
                unsent.push((row, decision));
            }
        }
        unsent
    }
}
