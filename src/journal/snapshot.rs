//! Snapshots: the folds of all plants at a position of the team's stream, for members who cannot read its entries.
//!
//! The fold of a plant begins with its snapshot: entries up to the snapshot's position are in it already.

use std::collections::BTreeMap;

use rusqlite::params;

use super::entries::{self, Part};
use super::error::JournalError;
use super::fault::Fault;
use super::plants::{self, StoredPlant};
use super::sql::Store;
use super::writes::Batch;
use super::{sql, stored};
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
pub(super) fn read(store: Store<'_>, size: usize, take: &mut dyn FnMut(SnapshotPart) -> bool) -> Result<(), Fault> {
    let folded = sql::value(store.conn, "SELECT folded FROM store WHERE id = ?1", [store.key])?;
    let members = "SELECT journal, author, max(published, (SELECT coalesce(max(number), 0) FROM entry
            WHERE member = m.id AND position IS NOT NULL))
        FROM member m WHERE store = ?1 AND author IS NOT NULL";
    let members = sql::all(store.conn, members, [store.key], |found| {
        Ok((found.get(0)?, stored::author(found.get(1)?)?.ok_or(Fault::Damaged)?, found.get(2)?))
    })?;
    let of_entries = "SELECT plant_id, max(position) FROM entry
        WHERE store = ?1 AND plant_id >= ?2 AND position IS NOT NULL GROUP BY plant_id ORDER BY plant_id LIMIT ?3";
    let of_snapshot = "SELECT plant_id, snapshot FROM shared
        WHERE store = ?1 AND plant_id >= ?2 AND snapshot IS NOT NULL ORDER BY plant_id LIMIT ?3";
    let mut last = None;
    while let Some(first) = last.map_or(Some(i64::MIN), |last: PlantId| last.0.checked_add(1)) {
        let mut ids = BTreeMap::<PlantId, Position>::new();
        for page in [of_snapshot, of_entries] {
            let values = params![store.key, first, sql::as_limit(size)];
            let found = sql::all(store.conn, page, values, |found| Ok((found.get(0)?, found.get::<_, Position>(1)?)))?;
            for (id, position) in found {
                let last = ids.entry(id).or_default();
                *last = position.max(*last);
            }
        }
        let ids: Vec<_> = ids.into_iter().take(size).collect();
        let Some((id, _)) = ids.last() else { break };
        last = Some(*id);
        let plants = ids.into_iter().map(|(id, position)| Ok((position, plants::in_stream(store, id)?)));
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
        SnapshotPart { folded, members, plants }: &SnapshotPart,
    ) -> Result<Option<PlantId>, Fault> {
        let at = entries::known_after(*folded);
        self.take_over_members(members, at)?;
        // Entries that are here from before the stream's first message are those of an earlier stream.
        let read = "SELECT iif(folded < since, 0, folded) FROM store WHERE id = ?1";
        let read = entries::known_after(sql::value(self.store.conn, read, [self.store.key])?);
        let ids = plants.first().zip(plants.last()).map(|((_, first), (_, last))| (first.id(), last.id()));
        let are_in_order = plants.is_sorted_by(|(_, fold), (_, next)| fold.id() < next.id());
        let is_any_known = match ids {
            Some(ids) if are_in_order => plants::has_any(self.store, ids)?,
            _ => true,
        };
        let mut different = None;
        for (last, fold) in plants {
            let id = fold.id();
            if *last <= read {
                let here = plants::in_stream(self.store, id)?;
                different = different.or((here != *fold).then_some(id));
                continue;
            }
            let before = if is_any_known { self.before(id)? } else { StoredPlant::new(id) };
            let state = before.fold.state();
            let take = "INSERT INTO shared (store, plant_id, position, fold, snapshot) VALUES (?1, ?2, ?3, ?4, ?3)
                ON CONFLICT (store, plant_id) DO UPDATE SET
                    position = max(position, ?3), fold = ?4, snapshot = ?3, earlier = NULL";
            sql::execute(self.store.conn, take, params![self.store.key, id, at, stored::to_json(fold)?])?;
            self.cache.shared.remove(&id);
            let mut after = fold.clone();
            if is_any_known {
                after = entries::continued(self.store, (at, after), Part::All)?;
            }
            let after = StoredPlant { fold: after, is_shared: true, ..before };
            self.put(state, after, false)?;
            self.take_over_pending(fold)?;
        }
        Ok(different)
    }

    /// Stores the operations of others that are pending in a snapshot and have no intent here: their ends may still come.
    fn take_over_pending(&mut self, fold: &Fold) -> Result<(), Fault> {
        for (operation, member) in fold.pending() {
            let other = "SELECT id FROM member WHERE store = ?1 AND journal = ?2 AND NOT own";
            let Some(key) = sql::first(self.store.conn, other, params![self.store.key, member])? else { continue };
            match self.insert_operation(&operation, None, key) {
                Ok(_) | Err(Fault::Entry(JournalError::Repeated(_))) => {}
                Err(why) => return Err(why),
            }
        }
        Ok(())
    }

    /// Takes over how many entries of each member are in a snapshot at a position. If it has more or fewer than were read
    /// here, what was read is no proof of a plant: entries came late, or a server has lost some.
    fn take_over_members(&mut self, members: &[(MemberId, Author, u64)], at: Position) -> Result<(), Fault> {
        for (member, author, _) in members {
            match self.member(*member, author) {
                // The entries that are here name another author.
                Ok(_) | Err(Fault::Entry(JournalError::NotStorable { .. })) => {}
                Err(why) => return Err(why),
            }
        }
        let here =
            "SELECT id, journal, author, published, (SELECT coalesce(max(number), 0) FROM entry WHERE member = m.id)
            FROM member m WHERE store = ?1 AND author IS NOT NULL";
        let here = sql::all(self.store.conn, here, [self.store.key], |found| {
            let author = stored::author(found.get(2)?)?.ok_or(Fault::Damaged)?;
            let numbers: (u64, u64) = (found.get(3)?, found.get(4)?);
            Ok((found.get::<_, i64>(0)?, found.get::<_, MemberId>(1)?, author, numbers))
        })?;
        let mut is_proven = true;
        for (key, id, author, (published, last_here)) in here {
            let last = match members.iter().find(|(member, ..)| *member == id) {
                Some((_, of, last)) if *of == author => *last,
                Some(_) => continue,
                None => 0,
            };
            sql::execute(self.store.conn, "UPDATE member SET published = ?2 WHERE id = ?1", params![key, last])?;
            // Own ones that were published and not read since are in it.
            self.move_entries(key, (published, last), (at, true))?;
            // Those that it lacks are published again by their author, and count again once they come.
            let has_lost = self.move_entries(key, (last, u64::MAX >> 1), (at, false))?;
            is_proven &= last <= published.max(last_here) && !has_lost;
        }
        if !is_proven {
            let unread = "UPDATE store SET folded = since - 1, folded_at = NULL, missing = NULL WHERE id = ?1";
            sql::execute(self.store.conn, unread, [self.store.key])?;
        }
        self.cache.clear_team();
        Ok(())
    }

    /// Moves entries of a member into the stream at a position, or out of it up to that position: those after a number, up
    /// to another. Returns whether there were any.
    fn move_entries(
        &mut self,
        member: i64,
        (after, to): (u64, u64),
        (at, is_in): (Position, bool),
    ) -> Result<bool, Fault> {
        const MOVED: &str =
            "member = ?1 AND number > ?2 AND number <= ?3 AND iif(?4, position IS NULL, position <= ?5)";
        let values = params![member, after, to, is_in, at];
        let plants = format!("SELECT DISTINCT plant_id FROM entry WHERE {MOVED}");
        let plants = sql::column::<PlantId>(self.store.conn, &plants, values)?;
        let before = plants.iter().map(|plant| self.before(*plant)).collect::<Result<Vec<_>, _>>()?;
        let moved = format!("UPDATE entry SET position = iif(?4, ?5, NULL) WHERE {MOVED}");
        let is_any = sql::execute(self.store.conn, &moved, values)? > 0;
        for plant in before {
            let id = plant.fold.id();
            let in_stream = stored::to_json(&entries::fold(self.store, id, Part::InStream)?)?;
            let shared = "UPDATE shared SET fold = ?3 WHERE store = ?1 AND plant_id = ?2";
            sql::execute(self.store.conn, shared, params![self.store.key, id, in_stream])?;
            self.cache.shared.remove(&id);
            self.refold(plant)?;
        }
        Ok(is_any)
    }
}
