//! What the owner has open: operations that it wrote down as asked and that are to end soon.
//!
//! An end is written without reading back what was written a moment ago. All of it is in the tables
//! as well, and is forgotten as soon as another program has written there.

use std::collections::HashMap;

use rusqlite::Connection;

use super::error::Fault;
use super::view::commits_of_others;
use crate::domain::{OperationId, PlantId, Record};

/// Operations beyond which all is forgotten: that many are never open at once.
const MOST: usize = 4096;

/// Operations that are open, and the records of their plants.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// The rows of the operations, and the keys of their stores.
    places: HashMap<OperationId, (i64, i64)>,
    /// By the key of their store.
    records: HashMap<(i64, PlantId), Record>,
    /// `SQLite`'s mark of what other connections had committed.
    seen: Option<i64>,
}

impl Open {
    /// Forgets all if somebody else has written. Called inside each write transaction, where nobody
    /// else can write any more.
    pub(super) fn look_around(&mut self, conn: &Connection) -> Result<(), Fault> {
        let now = commits_of_others(conn)?;
        if self.seen != Some(now) || self.places.len() > MOST || self.records.len() > MOST {
            self.forget();
            self.seen = Some(now);
        }
        Ok(())
    }

    /// Reads everything from the tables from here on.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// An operation was asked for; its row is this, its store has this key.
    pub(super) fn was_asked(&mut self, operation: OperationId, row: i64, store: i64) {
        self.places.insert(operation, (row, store));
    }

    /// An operation ends: its row and the key of its store, if they are known.
    pub(super) fn ends(&mut self, operation: OperationId) -> Option<(i64, i64)> {
        self.places.remove(&operation)
    }

    /// The record of a plant, if it is known. Whoever changes it gives it back.
    pub(super) fn take(&mut self, store: i64, plant: PlantId) -> Option<Record> {
        self.records.remove(&(store, plant))
    }

    /// The record of a plant is this now.
    pub(super) fn keep(&mut self, store: i64, record: Record) {
        self.records.insert((store, record.id()), record);
    }
}
