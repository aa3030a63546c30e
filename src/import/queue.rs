//! The queue of rows between the file and the worker: decides about them chunk by chunk.

use std::collections::VecDeque;
use std::future::pending;

use futures::FutureExt as _;
use futures::future::BoxFuture;

use super::decision::{Decision, FileRow, Resend};
use super::forecast::{DecideError, Decisions, decide};
use super::row::ImportRow;
use super::validate::{CHUNK, Chunks};
use crate::journal::Journal;

/// A row to send, or in flight.
pub(super) struct QueuedRow {
    pub(super) row: ImportRow,
    /// Why it is sent.
    pub(super) decision: Decision,
    /// How often it was sent.
    pub(super) tries: u32,
    /// How often it was sent since another row was accepted.
    pub(super) recent_tries: u32,
    /// Number of accepted rows when it was sent last.
    pub(super) accepted_before: u64,
}

pub(super) struct Queue {
    journal: Journal,
    resend: Resend,
    /// The remaining rows of the file; `None` at its end.
    chunks: Option<Chunks>,
    deciding: Option<BoxFuture<'static, Decisions>>,
    pub(super) waiting: VecDeque<QueuedRow>,
    /// Rows to decide about again.
    pub(super) overtaken: Vec<FileRow>,
}

impl Queue {
    pub(super) fn new(chunks: Chunks, journal: Journal, resend: Resend) -> Self {
        Self { journal, resend, chunks: Some(chunks), deciding: None, waiting: VecDeque::new(), overtaken: Vec::new() }
    }

    /// Returns whether no row waits, and none is left in the file.
    pub(super) fn is_empty(&self) -> bool {
        self.chunks.is_none() && self.deciding.is_none() && self.waiting.is_empty() && self.overtaken.is_empty()
    }

    /// Waits for decisions; queues the rows to send and returns the others. Begins no decision unless `may_read` is set,
    /// and reads more of the file only if few rows wait. Can be dropped at any time.
    pub(super) async fn decided(&mut self, may_read: bool) -> Decisions {
        if self.deciding.is_none() && may_read && !self.overtaken.is_empty() {
            let rows = std::mem::take(&mut self.overtaken);
            self.decide(rows);
        }
        if let Some(deciding) = &mut self.deciding {
            let decided = deciding.await;
            self.deciding = None;
            let (sent, unsent): (Vec<_>, _) = decided?.into_iter().partition(|(_, decision)| decision.is_sent());
            self.waiting.extend(sent.into_iter().map(|(row, decision)| QueuedRow {
                row,
                decision,
                tries: 0,
                recent_tries: 0,
                accepted_before: 0,
            }));
            return Ok(unsent);
        }
        match &mut self.chunks {
            Some(chunks) if may_read && self.waiting.len() < CHUNK => {
                match chunks.recv().await {
                    Some(rows) => self.decide(rows.map_err(DecideError::Rows)?),
                    None => self.chunks = None,
                }
                Ok(Vec::new())
            }
            Some(_) | None => pending().await,
        }
    }

    fn decide(&mut self, rows: Vec<FileRow>) {
        self.deciding = Some(decide(self.journal.clone(), rows, self.resend).boxed());
    }
}
