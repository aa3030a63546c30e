//! What the writer has written lately: open operations, the states of their plants, and keys.
//!
//! With this cache the end of an operation is written without reading back its intent. The tables
//! hold everything as well, except for [`Shared`] before the commit; the cache is cleared when another program has
//! written.

use std::collections::HashMap;

use rusqlite::{Connection, params};

use super::entries::{self, Stamp};
use super::fault::Fault;
use super::heads::Heads;
use super::plants::{Shared, StoredPlant};
use super::sql::Store;
use super::{schema, sql, stored};
use crate::domain::{MemberId, Operation, OperationId, Others, PlantId};

/// The size at which the cache is cleared: fewer operations are ever open at once.
const MOST: usize = 4096;

/// This journal among the members of the store.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own {
    pub(super) key: i64,
    pub(super) member: MemberId,
    /// The number of its last entry.
    last: u64,
    /// The number of its last entry that the stream has.
    published: u64,
    /// The number of the last message that is folded.
    folded: u64,
}

impl Own {
    fn of(store: Store<'_>) -> Result<Self, Fault> {
        let own =
            "SELECT m.id, m.journal, (SELECT coalesce(max(number), 0) FROM entry WHERE member = m.id), m.published,
            s.folded FROM store s JOIN member m ON m.id = s.member WHERE s.id = ?1";
        Ok(store.conn.prepare_cached(own)?.query_row([store.key], |found| {
            let (key, member, last) = (found.get(0)?, found.get(1)?, found.get(2)?);
            Ok(Self { key, member, last, published: found.get(3)?, folded: found.get(4)? })
        })?)
    }

    /// Returns where the next entry stands.
    pub(super) fn next(&mut self) -> Stamp {
        self.last += 1;
        let known = entries::known_after(self.folded);
        Stamp { key: self.key, member: self.member, number: self.last, position: None, known }
    }

    pub(super) fn has_folded(&mut self, sequence: u64) {
        self.folded = self.folded.max(sequence);
    }

    /// Whether the stream has all its entries.
    pub(super) fn is_published(&self) -> bool {
        self.published == self.last
    }
}

/// All is of one store.
#[derive(Debug, Default)]
pub(super) struct WriteCache {
    /// The row of each open operation of this journal, and the member that requested it.
    pub(super) operations: HashMap<OperationId, (i64, MemberId)>,
    /// The row of each open operation of another member with this key.
    pub(super) requested: HashMap<(i64, OperationId), (i64, Operation)>,
    /// Each plant with an open operation.
    pub(super) plants: HashMap<PlantId, StoredPlant>,
    pub(super) shared: HashMap<PlantId, Shared>,
    pub(super) heads: Heads,
    origins: HashMap<(u64, i64), i64>,
    own: Option<Own>,
    /// Whether the author of a member has other ones.
    has_former: HashMap<i64, bool>,
    others: Option<Others>,
    /// The data version at the last refresh.
    data_version: Option<i64>,
}

impl WriteCache {
    /// Clears the cache if another connection has written. Called in a write transaction, so that no
    /// other can write from here on.
    pub(super) fn refresh(&mut self, conn: &Connection) -> Result<(), Fault> {
        let now = sql::data_version(conn)?;
        let size = self.operations.len().max(self.requested.len()).max(self.plants.len()).max(self.shared.len());
        if self.data_version != Some(now) || size > MOST {
            self.clear();
            self.data_version = Some(now);
        }
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Forgets who is in the team.
    pub(super) fn clear_team(&mut self) {
        self.own = None;
        self.has_former.clear();
        self.others = None;
    }

    /// Returns this journal among the members of the store.
    pub(super) fn own(&mut self, store: Store<'_>) -> Result<&mut Own, Fault> {
        Ok(match &mut self.own {
            Some(own) => own,
            none @ None => none.insert(Own::of(store)?),
        })
    }

    /// Returns the other members of the store's team.
    pub(super) fn others(&mut self, store: Store<'_>) -> Result<&Others, Fault> {
        Ok(match &mut self.others {
            Some(others) => others,
            none @ None => none.insert(entries::others(store)?),
        })
    }

    /// Whether the fold of the stream's entries about a plant is kept, or other members have some.
    pub(super) fn is_shared(&mut self, store: Store<'_>, plant: PlantId) -> Result<bool, Fault> {
        if self.shared.contains_key(&plant) {
            return Ok(true);
        }
        let shared = "SELECT EXISTS (SELECT 1 FROM shared WHERE store = ?1 AND plant_id = ?2)";
        Ok(sql::value(store.conn, shared, params![store.key, plant])? || entries::are_of_others(store, plant)?)
    }

    /// Whether another member of the same author has requested an operation.
    pub(super) fn is_of_former_member(
        &mut self,
        conn: &Connection,
        member: i64,
        id: OperationId,
    ) -> Result<bool, Fault> {
        const SAME: &str = "m.id <> ?1 AND (m.store, m.author) = (SELECT store, author FROM member WHERE id = ?1)";
        let has_former = match self.has_former.get(&member) {
            Some(known) => *known,
            None => sql::value(conn, &format!("SELECT EXISTS (SELECT 1 FROM member m WHERE {SAME})"), [member])?,
        };
        self.has_former.insert(member, has_former);
        let former = format!(
            "SELECT EXISTS (SELECT 1 FROM origin g JOIN member m ON m.id = g.member
             JOIN operation o ON o.origin = g.id AND o.number = ?3 WHERE g.origin = ?2 AND {SAME})"
        );
        Ok(has_former && sql::value(conn, &former, params![member, id.origin.cast_signed(), id.number])?)
    }

    /// Returns the key of a running program of a member.
    pub(super) fn origin(&mut self, conn: &Connection, origin: u64, member: i64) -> Result<i64, Fault> {
        if let Some(key) = self.origins.get(&(origin, member)) {
            return Ok(*key);
        }
        let key = schema::origin_key(conn, origin, member)?;
        self.origins.insert((origin, member), key);
        Ok(key)
    }

    /// Stores the folds that have changed, where the tables need them.
    pub(super) fn store_shared(&mut self, store: Store<'_>) -> Result<(), Fault> {
        let insert = "INSERT INTO shared (store, plant_id, position, fold) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (store, plant_id) DO UPDATE SET position = excluded.position, fold = excluded.fold,
                earlier = coalesce(earlier, iif(snapshot IS NULL, NULL, fold))";
        for (plant, shared) in self.shared.iter_mut().filter(|(_, shared)| shared.needs_text()) {
            let text = stored::to_json(&shared.fold)?;
            sql::execute(store.conn, insert, params![store.key, plant, shared.position, text])?;
            shared.is_new = false;
        }
        Ok(())
    }
}
