//! Snapshots: the folds of all plants at a position of the team's stream, for members who cannot read its entries.
//!
//! The fold of a plant begins with its snapshot: entries up to the snapshot's position are in it already.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::entries::{self, Part};
use super::error::JournalError;
use super::fault::Fault;
use super::plants::{self, StoredPlant};
use super::writes::Batch;
use super::{plant_list, sql, stored};
use crate::domain::{Author, Fold, MemberId, PlantId, Position};

/// A plant in a snapshot, also one that is in no list any more, with the position of its last entry.
pub type SnapshotPlant = (Position, Fold);

/// Plants of a snapshot, with the members of the team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotPart {
    /// The number of the last message that is folded in it.
    pub folded: u64,
    /// Each with the number of its last entry.
    pub members: Vec<(MemberId, Author, u64)>,
    pub plants: Vec<SnapshotPlant>,
}

/// Reads the plants of a store in parts of this size, and passes each to `take`, which returns whether to go on. All are
/// of one moment.
pub(super) fn read(
    conn: &Connection,
    store: i64,
    size: usize,
    take: &mut dyn FnMut(SnapshotPart) -> bool,
) -> Result<(), Fault> {
    let folded = sql::value(conn, "SELECT folded FROM store WHERE id = ?1", [store])?;
    let members = "SELECT journal, author, max(published, (SELECT coalesce(max(number), 0) FROM entry
            WHERE member = m.id AND position IS NOT NULL))
        FROM member m WHERE store = ?1 AND author IS NOT NULL";
    let members = sql::all(conn, members, [store], |found| {
        Ok((found.get(0)?, stored::author(found.get(1)?)?.ok_or(Fault::Damaged)?, found.get(2)?))
    })?;
    let of_entries = "SELECT plant_id, max(position) FROM entry
        WHERE store = ?1 AND plant_id >= ?2 AND position IS NOT NULL GROUP BY plant_id ORDER BY plant_id LIMIT ?3";
    let of_snapshot = "SELECT plant_id, snapshot FROM shared
        WHERE store = ?1 AND plant_id >= ?2 AND snapshot IS NOT NULL ORDER BY plant_id LIMIT ?3";
    let mut last = None;
    while let Some(first) = plant_list::first_after(last) {
        let mut ids = BTreeMap::<PlantId, Position>::new();
        for page in [of_snapshot, of_entries] {
            let values = params![store, first, sql::as_limit(size)];
            let found = sql::all(conn, page, values, |found| Ok((found.get(0)?, found.get::<_, Position>(1)?)))?;
            for (id, position) in found {
                let last = ids.entry(id).or_default();
                *last = position.max(*last);
            }
        }
        let ids: Vec<_> = ids.into_iter().take(size).collect();
        let Some((id, _)) = ids.last() else { break };
        last = Some(*id);
        let plants = ids.into_iter().map(|(id, position)| {
            let shared = plants::shared(conn, store, id)?.map(|shared| shared.fold);
            Ok((position, shared.map_or_else(|| entries::fold(conn, store, id, Part::InStream), Ok)?))
        });
        let plants = plants.collect::<Result<_, Fault>>()?;
        if !take(SnapshotPart { folded, members: members.clone(), plants }) {
            break;
        }
    }
    Ok(())
}

impl Batch<'_> {
    /// Takes over plants of a snapshot; returns the first one that is different here although its entries have been read.
    /// What is here stays then.
    pub(super) fn take_over(
        &mut self,
        store: i64,
        SnapshotPart { folded, members, plants }: &SnapshotPart,
    ) -> Result<Option<PlantId>, Fault> {
        for (member, author, last) in members {
            match self.member(store, *member, author) {
                Ok(member) => {
                    let published = "UPDATE member SET published = max(published, ?2) WHERE id = ?1 AND NOT own";
                    sql::execute(self.conn, published, params![member.key, last])?;
                }
                // The entries that are here name another author.
                Err(Fault::Entry(JournalError::NotStorable { .. })) => {}
                Err(why) => return Err(why),
            }
        }
        let read: u64 = sql::value(self.conn, "SELECT folded FROM store WHERE id = ?1", [store])?;
        let (read, at) = (entries::known_after(read), entries::known_after(*folded));
        let mut different = None;
        for (last, fold) in plants {
            let id = fold.id();
            if *last <= read {
                let here = plants::shared(self.conn, store, id)?.map(|shared| shared.fold);
                let here = here.map_or_else(|| entries::fold(self.conn, store, id, Part::InStream), Ok)?;
                different = different.or((here != *fold).then_some(id));
                continue;
            }
            let before = self.before(store, id)?;
            let state = before.fold.state();
            let take = "INSERT INTO shared (store, plant_id, position, fold, snapshot) VALUES (?1, ?2, ?3, ?4, ?3)
                ON CONFLICT (store, plant_id) DO UPDATE SET
                    position = max(position, ?3), fold = ?4, snapshot = ?3, earlier = NULL";
            sql::execute(self.conn, take, params![store, id, at, stored::to_json(fold)?])?;
            self.cache.shared.remove(&(store, id));
            let after = entries::continued(self.conn, store, (at, fold.clone()), Part::All)?;
            let after = StoredPlant { fold: after, is_shared: true, ..before };
            self.put(store, state, after, false)?;
        }
        Ok(different)
    }
}
