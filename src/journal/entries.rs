//! The entries: what each member wrote about plants. Reads them in the order of the fold, and folds them.
//!
//! Without a team, this journal is the only member. The entries of the stream come in its order; then this
//! journal's entries that the stream does not have, in the order of their numbers. Must not know how entries travel.

use std::sync::Arc;

use rusqlite::types::Type;
use rusqlite::{Connection, Row as SqlRow, ToSql, params};
use serde::{Deserialize, Serialize};

use super::fault::Fault;
use super::sql::Store;
use super::{sql, stored};
use crate::domain::{
    Exchange, Fold, MemberId, Operation, Others, PlantEntry, PlantEvent, PlantId, Position, Resolution, Timestamp,
};

/// The number of entries of one message at most. With the message's number in the stream, the place of an
/// entry in its message makes its [`Position`].
pub const MOST_ENTRIES: usize = 1 << PLACE_BITS;

/// The bits of a [`Position`] that are the place of an entry in its message.
const PLACE_BITS: u32 = 10;

/// Returns the position of an entry; the first entry of a message has the place 0.
pub(super) fn position(sequence: u64, place: usize) -> Position {
    Position((sequence << PLACE_BITS) | place as u64)
}

/// Returns what is known once a message is folded: the position of its last possible entry.
pub(super) fn known_after(sequence: u64) -> Position {
    position(sequence, MOST_ENTRIES - 1)
}

/// An entry as it travels: with its number among those of its member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<End = (Arc<Exchange>, Timestamp)> {
    pub number: u64,
    /// See [`PlantEntry::known`].
    pub known: Position,
    /// The position that it had, if it is shared again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    pub event: Event<End>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event<End = (Arc<Exchange>, Timestamp)> {
    Intent(Operation),
    /// Only the id of its operation counts: the journal has the operation.
    End(End),
    Resolution {
        plant: PlantId,
        resolution: Resolution,
        at: Timestamp,
    },
}

impl<End> Entry<End> {
    /// Returns the entry with another form of its end, if it is one.
    ///
    /// # Errors
    ///
    /// Those of the conversion.
    pub fn try_map<To, Why>(self, to: impl FnOnce(End) -> Result<To, Why>) -> Result<Entry<To>, Why> {
        let Self { number, known, position, event } = self;
        let event = match event {
            Event::Intent(operation) => Event::Intent(operation),
            Event::End(end) => Event::End(to(end)?),
            Event::Resolution { plant, resolution, at } => Event::Resolution { plant, resolution, at },
        };
        Ok(Entry { number, known, position, event })
    }
}

/// Where an entry stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stamp {
    /// The key of its member.
    pub(super) key: i64,
    pub(super) member: MemberId,
    pub(super) number: u64,
    pub(super) position: Option<Position>,
    pub(super) known: Position,
}

impl Stamp {
    pub(super) fn entry(self, event: PlantEvent) -> PlantEntry {
        PlantEntry { member: self.member, position: self.position, known: self.known, event }
    }
}

/// Appends an entry about a plant. Its details are the value of a column: the key of a row, or a resolution itself, with
/// its time.
pub(super) fn append(
    store: Store<'_>,
    plant: PlantId,
    stamp: Stamp,
    (column, details, at): (&str, &dyn ToSql, Option<Timestamp>),
) -> Result<(), Fault> {
    let insert = format!(
        "INSERT INTO entry (member, number, store, plant_id, position, known, {column}, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
    );
    let Stamp { key, member: _, number, position, known } = stamp;
    sql::execute(store.conn, &insert, params![key, number, store.key, plant, position, known, details, at]).map(drop)
}

/// Entries `n` with their members and details.
pub(super) const ENTRIES: &str = "entry n LEFT JOIN member m ON m.id = n.member
    LEFT JOIN exchange e ON e.seq = n.exchange
    LEFT JOIN operation o ON o.seq = coalesce(n.operation, e.operation)";

/// The columns that [`plant_entry`] and [`entry`] read after those of [`stored::OPERATION`] or [`stored::EXCHANGE`].
pub(super) const COLUMNS: &str = "n.number AS entry, n.position, n.known, n.exchange, n.plant_id AS plant, m.journal,
    (SELECT journal FROM member WHERE id = (SELECT member FROM origin WHERE id = o.origin)) AS requester,
    e.outcome AS ended, e.at AS ended_at, n.resolution, n.at AS resolved_at";

/// Reads an entry for the fold.
pub(super) fn plant_entry(found: &SqlRow<'_>) -> Result<PlantEntry, Fault> {
    let event = match (found.get("resolution")?, has(found, "exchange")?) {
        (Some(resolution), _) => PlantEvent::Resolution(resolution, found.get("resolved_at")?),
        (None, true) => PlantEvent::End {
            operation: stored::operation_id(found)?,
            of: found.get("requester")?,
            outcome: found.get("ended")?,
            at: found.get("ended_at")?,
        },
        (None, false) => PlantEvent::Intent(stored::operation(found)?),
    };
    let (member, position, known) = (found.get("journal")?, found.get("position")?, found.get("known")?);
    Ok(PlantEntry { member, position, known, event })
}

fn entry(found: &SqlRow<'_>) -> Result<Entry, Fault> {
    let event = match (found.get("resolution")?, has(found, "exchange")?) {
        (Some(resolution), _) => {
            Event::Resolution { plant: found.get("plant")?, resolution, at: found.get("resolved_at")? }
        }
        (None, true) => Event::End((Arc::new(stored::exchange(found)?), found.get("ended_at")?)),
        (None, false) => Event::Intent(stored::operation(found)?),
    };
    Ok(Entry { number: found.get("entry")?, position: found.get("position")?, known: found.get("known")?, event })
}

fn has(found: &SqlRow<'_>, column: &str) -> Result<bool, Fault> {
    Ok(found.get_ref(column)?.data_type() != Type::Null)
}

/// Which entries about a plant are read. Those of other members count only in the stream, which may have lost some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    All,
    InStream,
    NotInStream,
}

/// Returns the entries about a plant, in the order of the fold.
pub(super) fn of_plant(store: Store<'_>, id: PlantId, part: Part) -> Result<Vec<PlantEntry>, Fault> {
    let condition = match part {
        Part::All => "(n.position IS NOT NULL OR m.own)",
        Part::InStream => "n.position IS NOT NULL",
        Part::NotInStream => "n.position IS NULL AND m.own",
    };
    let entries = format!(
        "SELECT {}, {COLUMNS} FROM {ENTRIES} WHERE n.store = ?1 AND n.plant_id = ?2 AND {condition}
         ORDER BY n.position IS NULL, n.position, n.member, n.number",
        stored::OPERATION
    );
    sql::all(store.conn, &entries, params![store.key, id], plant_entry)
}

/// Folds entries about a plant, after those in its snapshot.
pub(super) fn fold(store: Store<'_>, id: PlantId, part: Part) -> Result<Fold, Fault> {
    let snapshot = stored::snapshot(store, id)?;
    continued(store, snapshot.unwrap_or_else(|| (Position::default(), Fold::new(id))), part)
}

/// Returns a fold up to a position with the entries after it.
pub(super) fn continued(store: Store<'_>, (snapshot, mut fold): (Position, Fold), part: Part) -> Result<Fold, Fault> {
    let is_later = |entry: &PlantEntry| entry.position.is_none_or(|position| position > snapshot);
    for entry in of_plant(store, fold.id(), part)?.iter().filter(|entry| is_later(entry)) {
        fold.apply(entry);
    }
    Ok(fold)
}

/// Whether there are entries of each message from one to another.
pub(super) fn are_of_all(store: Store<'_>, (from, to): (u64, u64)) -> Result<bool, Fault> {
    let messages = format!(
        "SELECT count(DISTINCT position >> {PLACE_BITS}) FROM entry WHERE store = ?1 AND position BETWEEN ?2 AND ?3"
    );
    let values = params![store.key, position(from, 0), known_after(to)];
    Ok(sql::value::<u64>(store.conn, &messages, values)? > to.saturating_sub(from))
}

/// Whether other members have entries about a plant.
pub(super) fn are_of_others(store: Store<'_>, id: PlantId) -> Result<bool, Fault> {
    // By member, because a plant may have any number of own entries.
    let of_others = "SELECT EXISTS (
        SELECT 1 FROM member m CROSS JOIN entry n ON n.store = m.store AND n.plant_id = ?2 AND n.member = m.id
        WHERE m.store = ?1 AND NOT m.own)";
    sql::value(store.conn, of_others, params![store.key, id])
}

/// Returns a fold of the stream's entries with this journal's further ones.
pub(super) fn with_own(store: Store<'_>, fold: Fold) -> Result<Fold, Fault> {
    continued(store, (Position::default(), fold), Part::NotInStream)
}

/// Returns the entries of a member after a number, in order.
pub(super) fn after(conn: &Connection, member: i64, number: u64, most: usize) -> Result<Vec<Entry>, Fault> {
    let entries = format!(
        "SELECT {}, {COLUMNS} FROM {ENTRIES} WHERE n.member = ?1 AND n.number > ?2 ORDER BY n.number LIMIT ?3",
        stored::EXCHANGE
    );
    sql::all(conn, &entries, params![member, number, sql::as_limit(most)], entry)
}

/// Returns the authors in the team of a store.
pub(super) fn others(store: Store<'_>) -> Result<Others, Fault> {
    let own = "SELECT m.author FROM store s JOIN member m ON m.id = s.member WHERE s.id = ?1";
    let own = stored::author(sql::first::<Option<String>>(store.conn, own, [store.key])?.flatten())?;
    let others = "SELECT journal, author FROM member WHERE store = ?1 AND NOT own";
    let authors = sql::all(store.conn, others, [store.key], |found| {
        Ok((found.get(0)?, stored::author(found.get(1)?)?.ok_or(Fault::Damaged)?))
    })?;
    Ok(Others { authors: authors.into_iter().collect(), own })
}
