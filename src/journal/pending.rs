//! What the writer has open: operations that it wrote down as asked and that are to end soon.
//!
//! An end is written without reading back what was written a moment ago. All of it is in the tables
//! as well, and is forgotten as soon as another program has written there.

use std::collections::HashMap;

use rusqlite::Connection;

use super::fault::Fault;
use super::heads::Heads;
use super::{schema, stored};
use crate::domain::{OperationId, PlantId, Record};

/// Operations beyond which all is forgotten: that many are never open at once.
const MOST: usize = 4096;

/// Operations that are open, the records of their plants, and keys that their entries need.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// The rows of the operations, and the keys of their stores.
    places: HashMap<OperationId, (i64, i64)>,
    /// By the key of their store.
    records: HashMap<(i64, PlantId), Record>,
    pub(super) heads: Heads,
    origins: HashMap<u64, i64>,
    /// `SQLite`'s mark of what other connections had committed.
    seen: Option<i64>,
}

impl Pending {
    /// Forgets all if somebody else has written. Called inside each write transaction, where nobody
    /// else can write any more.
    pub(super) fn look_around(&mut self, conn: &Connection) -> Result<(), Fault> {
        let now = stored::commits_of_others(conn)?;
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

    /// The key of a running program.
    pub(super) fn origin(&mut self, conn: &Connection, origin: u64) -> Result<i64, Fault> {
        if let Some(key) = self.origins.get(&origin) {
            return Ok(*key);
        }
        let key = schema::origin_key(conn, origin)?;
        self.origins.insert(origin, key);
        Ok(key)
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
