//! What the writer has written lately: open operations, the states of their plants, and keys.
//!
//! With this cache the end of an operation is written without reading back its intent. The tables
//! hold everything as well; the cache is cleared when another program has written.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rusqlite::Connection;

use super::fault::Fault;
use super::heads::Heads;
use super::team::{self, Team};
use super::{schema, sql};
use crate::domain::{Fold, OperationId, PlantId};

/// The size at which the cache is cleared: fewer operations are ever open at once.
const MOST: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct WriteCache {
    /// The row of each open operation, and the key of its store.
    pub(super) operations: HashMap<OperationId, (i64, i64)>,
    /// The rowid and the state of each plant with an open operation, by the key of its store.
    pub(super) folds: HashMap<(i64, PlantId), (i64, Fold)>,
    pub(super) heads: Heads,
    origins: HashMap<u64, i64>,
    /// The team of each store, if it has one.
    teams: HashMap<i64, Option<Team>>,
    /// The data version at the last refresh.
    data_version: Option<i64>,
}

impl WriteCache {
    /// Clears the cache if another connection has written. Called in a write transaction, so that no
    /// other can write from here on.
    pub(super) fn refresh(&mut self, conn: &Connection) -> Result<(), Fault> {
        let now = sql::data_version(conn)?;
        if self.data_version != Some(now) || self.operations.len() > MOST || self.folds.len() > MOST {
            self.clear();
            self.data_version = Some(now);
        }
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns the team of a store, if it has one.
    pub(super) fn team(&mut self, conn: &Connection, store: i64) -> Result<Option<&mut Team>, Fault> {
        let team = match self.teams.entry(store) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(team::team(conn, store)?),
        };
        Ok(team.as_mut())
    }

    /// Stores the numbers of the last entries of this journal.
    pub(super) fn store_teams(&self, conn: &Connection) -> Result<(), Fault> {
        self.teams.values().flatten().try_for_each(|team| team.store(conn))
    }

    /// Returns the key of a running program.
    pub(super) fn origin(&mut self, conn: &Connection, origin: u64) -> Result<i64, Fault> {
        if let Some(key) = self.origins.get(&origin) {
            return Ok(*key);
        }
        let key = schema::origin_key(conn, origin)?;
        self.origins.insert(origin, key);
        Ok(key)
    }
}
