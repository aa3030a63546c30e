//! Operations that never left, of which the journal's file could not be told so.
//!
//! They are open in the file: the next start would take them for unknown. Only a proof counts here:
//! an end whose outcome is *not sent*, or an intent whose commit may have taken place and of which
//! whoever gave it was told that it is not recorded, so that it must not be sent.
//!
//! They are written down with the next write that succeeds, or at the end; what cannot be written
//! even then goes into the name of a file (see [`super::process_locks`]), which takes no room.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::Fault;
use super::pending::Pending;
use super::writes::{self, Each, Entry, Shift};
use crate::domain::{Exchange, FailureKind, OperationId, Outcome, Timestamp};

/// How many are remembered at most: those of a disk that stays full are tried again and again. The
/// others stay unknown.
const MOST: usize = 1 << 16;

/// Ends that prove that nothing left, by operation.
#[derive(Debug, Default)]
pub(super) struct Unsent(BTreeMap<OperationId, (Arc<Exchange>, Timestamp)>);

impl Unsent {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Remembers those of these ends, which were not kept, that prove that nothing left.
    pub(super) fn remember_ends<'a>(&mut self, entries: impl IntoIterator<Item = &'a Entry>) {
        for entry in entries {
            if let Entry::Ended(exchange, at) = entry
                && exchange.outcome() == Outcome::NotSent
            {
                self.remember(Arc::clone(exchange), *at);
            }
        }
    }

    /// Remembers the intents that were written and may be committed, although whoever gave them is
    /// told otherwise; `results` are those of the entries before the commit. One that was there
    /// before, and may have been sent since, has an error in that place.
    pub(super) fn remember_intents(&mut self, entries: &[Entry], results: &Each) {
        for (entry, result) in entries.iter().zip(results) {
            if let (Entry::Asked(operation, _), Ok(())) = (entry, result) {
                let (operation, at) = (operation.clone(), operation.requested_at);
                let exchange = Exchange::failed(operation, FailureKind::NotRecorded, String::new(), at);
                self.remember(Arc::new(exchange), at);
            }
        }
    }

    fn remember(&mut self, exchange: Arc<Exchange>, at: Timestamp) {
        if self.0.len() < MOST {
            self.0.entry(exchange.operation.id).or_insert((exchange, at));
        }
    }

    /// Ends in the file those of them that are open there.
    pub(super) fn write(&self, conn: &Connection) -> Result<Vec<Shift>, Fault> {
        let (mut pending, mut shifts) = (Pending::default(), Vec::new());
        for (OperationId { origin, number }, (exchange, at)) in &self.0 {
            let is_open = conn
                .prepare_cached("SELECT 1 FROM operation WHERE origin = ?1 AND number = ?2 AND outcome IS NULL")?
                .query_row(params![pending.origin(conn, *origin)?, number], |_| Ok(()))
                .optional()?;
            if is_open.is_some() {
                shifts.extend(writes::ended(conn, &mut pending, exchange, *at)?);
            }
        }
        writes::count(conn, &shifts)?;
        Ok(shifts)
    }

    /// Forgets them: the file has them.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Their numbers, those that follow each other together, in order.
    pub(super) fn numbers(&self) -> Vec<RangeInclusive<u32>> {
        let mut ranges: Vec<RangeInclusive<u32>> = Vec::new();
        for OperationId { number, .. } in self.0.keys() {
            match ranges.last_mut() {
                Some(last) if last.end().checked_add(1) == Some(*number) => *last = *last.start()..=*number,
                _ => ranges.push(*number..=*number),
            }
        }
        ranges
    }
}
