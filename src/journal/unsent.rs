//! Operations that were never sent and are still open in the file, because a write failed.
//!
//! The next start would make them unknown. Only a proof counts here: an end whose outcome is *not
//! sent*; or an intent that may be committed although its caller got an error, so that the operation
//! must not be sent.
//!
//! They are ended with the next write that succeeds, or on closing. If that fails too, they become unknown at the next
//! start.

use std::collections::BTreeMap;
use std::sync::Arc;

use rusqlite::{Connection, params};

use super::fault::Fault;
use super::sql;
use super::write_cache::WriteCache;
use super::writes::{Batch, EntryResults, StateChange, Write, end_without_request};
use crate::domain::{Exchange, FailureKind, OperationId, Outcome, Timestamp};

/// The largest number of operations that are remembered, because people retry on a full disk. Further
/// ones become unknown.
const MOST: usize = 1 << 16;

/// The end of each operation that was never sent.
#[derive(Debug, Default)]
pub(super) struct Unsent(BTreeMap<OperationId, (Arc<Exchange>, Timestamp)>);

impl Unsent {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Remembers those of these failed entries that are ends with the outcome *not sent*.
    pub(super) fn remember_results<'a>(&mut self, entries: impl IntoIterator<Item = &'a Write>) {
        for entry in entries {
            if let Write::End(exchange, at) = entry
                && exchange.outcome() == Outcome::NotSent
            {
                self.remember(Arc::clone(exchange), *at);
            }
        }
    }

    /// Remembers the intents that may be committed although their callers get an error. `results` are
    /// those before the commit: an intent with an error there was recorded earlier, and may be sent.
    pub(super) fn remember_intents(&mut self, entries: &[Write], results: &EntryResults) {
        for (entry, result) in entries.iter().zip(results) {
            if let (Write::Intent(operation, _), Ok(())) = (entry, result) {
                let exchange = end_without_request(operation.clone(), FailureKind::NotRecorded);
                self.remember(Arc::new(exchange), operation.requested_at);
            }
        }
    }

    fn remember(&mut self, exchange: Arc<Exchange>, at: Timestamp) {
        if self.0.len() < MOST {
            self.0.entry(exchange.operation.id).or_insert((exchange, at));
        }
    }

    /// Ends in the file those that are open there.
    pub(super) fn write(&self, conn: &Connection) -> Result<Vec<StateChange>, Fault> {
        let mut cache = WriteCache::default();
        let mut batch = Batch::new(conn, &mut cache);
        for (OperationId { origin, number }, (exchange, at)) in &self.0 {
            let open = "SELECT 1 FROM origin g JOIN member m ON m.id = g.member AND m.own
                JOIN operation o ON o.origin = g.id AND o.number = ?2 AND o.outcome IS NULL WHERE g.origin = ?1";
            if sql::first::<i64>(conn, open, params![origin.cast_signed(), number])?.is_some() {
                batch.end(exchange, *at)?;
            }
        }
        batch.finish()
    }

    /// Forgets them after their commit.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
