//! The entries of a journal that a team shares.
//!
//! Every entry of a shared store is numbered when it is written, and is published from the tables
//! themselves: what is not in the team's stream yet has minus its number in `stream`. Entries of other
//! members are written to the same tables, so every lookup finds them. A plant of a shared store is
//! folded from its entries after each of them. Must not know how entries travel.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::error::JournalError;
use super::fault::Fault;
use super::{sql, stored};
use crate::domain::{
    Author, Exchange, Fold, MemberId, Operation, OperationId, PlantEntry, PlantEvent, PlantId, Position, Resolved,
    Timestamp,
};

/// The number of entries of one message at most. With the message's number in the stream, the place of an
/// entry in its message makes its [`Position`].
pub const MOST_ENTRIES: usize = 1 << PLACE_BITS;

/// The bits of a [`Position`] that are the place of an entry in its message.
const PLACE_BITS: u32 = 10;

/// Whether an entry that the stream has may get its place there: not one that this journal is to publish again.
pub(super) const IS_NOT_PENDING: &str = "coalesce(stream, 0) >= 0";

/// How far a journal takes part in the team of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    pub member: MemberId,
    /// Tells one stream from another of the same name.
    pub stream: String,
    /// The number of the last message of the stream that was folded.
    pub folded: u64,
    /// The number of entries from the first that the stream does not have yet.
    pub to_publish: usize,
    /// The number of people with entries, and this one.
    pub people: usize,
}

/// An entry as a member publishes it. `folded` is the number of the last message of the stream that the member had
/// folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Published {
    Intent {
        operation: Operation,
        folded: u64,
    },
    /// Only the id of its operation counts: the journal knows the operation.
    End {
        exchange: Box<Exchange>,
        at: Timestamp,
    },
    Resolution {
        id: OperationId,
        plant: PlantId,
        resolution: Resolved,
        folded: u64,
    },
}

/// A message of the stream: entries of one member, numbered one after another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamMessage {
    /// The member for which it was read.
    pub reader: MemberId,
    /// The number of the message in the stream.
    pub sequence: u64,
    /// How much of the stream is folded after it: less than its number while earlier messages wait.
    pub folded: u64,
    /// Whether entries before it may have been removed from the stream, so that none is waited for.
    pub is_after_purge: bool,
    /// `None` for a message that cannot be used: only its number counts.
    pub entries: Option<MemberEntries>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberEntries {
    /// As the server authorised it.
    pub author: Author,
    pub member: MemberId,
    /// The number of the first entry.
    pub first: u64,
    pub entries: Vec<Published>,
}

/// The team of a store, in the cache of the writer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Team {
    /// The key of this journal among the members.
    member: i64,
    folded: u64,
    /// The number of this journal's last entry.
    last: i64,
}

/// What the columns `stream` and `folded` of an entry are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InStream {
    pub(super) stream: Option<i64>,
    pub(super) folded: Option<i64>,
}

impl Team {
    /// Returns the columns of this journal's next entry.
    pub(super) fn next(&mut self) -> InStream {
        self.last += 1;
        InStream { stream: Some(-self.last), folded: Some(self.folded.cast_signed()) }
    }

    /// Notes how much of the stream is folded.
    pub(super) fn has_folded(&mut self, sequence: u64) {
        self.folded = self.folded.max(sequence);
    }

    /// Stores the number of the last entry.
    pub(super) fn store(&self, conn: &Connection) -> Result<(), Fault> {
        sql::execute(conn, "UPDATE member SET number = ?2 WHERE id = ?1", params![self.member, self.last])?;
        Ok(())
    }
}

/// Returns the team of a store, if it has one.
pub(super) fn team(conn: &Connection, store: i64) -> Result<Option<Team>, Fault> {
    let team = "SELECT s.member, s.folded, m.number FROM store s JOIN member m ON m.id = s.member WHERE s.id = ?1";
    let found = conn
        .prepare_cached(team)?
        .query_row([store], |found| {
            let folded: i64 = found.get(1)?;
            Ok(Team { member: found.get(0)?, folded: folded.cast_unsigned(), last: found.get(2)? })
        })
        .optional()?;
    Ok(found)
}

/// See [`super::Journal::membership`].
pub(super) fn membership(conn: &Connection, store: i64) -> Result<Option<Membership>, Fault> {
    let found = "SELECT m.journal, s.stream, s.folded,
            coalesce(m.number + 1 + (SELECT max(stream) FROM (
                SELECT max(stream) AS stream FROM operation WHERE store = ?1 AND stream < 0
                UNION ALL SELECT max(stream) FROM exchange WHERE store = ?1 AND stream < 0
                UNION ALL SELECT max(stream) FROM resolution WHERE store = ?1 AND stream < 0)), 0),
            (SELECT count(DISTINCT author) FROM member WHERE store = ?1)
        FROM store s JOIN member m ON m.id = s.member WHERE s.id = ?1";
    let found = conn
        .prepare_cached(found)?
        .query_row([store], |found| {
            let (member, folded): (i64, i64) = (found.get(0)?, found.get(2)?);
            Ok(Membership {
                member: MemberId(member.cast_unsigned()),
                stream: found.get(1)?,
                folded: folded.cast_unsigned(),
                to_publish: sql::as_count(found.get(3)?),
                people: sql::as_count(found.get(4)?),
            })
        })
        .optional()?;
    Ok(found)
}

/// Returns the key of a member of a store's team, and stores the member if it is new.
pub(super) fn member_key(
    conn: &Connection,
    store: i64,
    MemberId(journal): MemberId,
    author: &Author,
) -> Result<i64, Fault> {
    let (known, journal) = ("SELECT id FROM member WHERE store = ?1 AND journal = ?2", journal.cast_signed());
    if let Some(key) = sql::first(conn, known, [store, journal])? {
        return Ok(key);
    }
    let insert = "INSERT INTO member (store, journal, author, number) VALUES (?1, ?2, ?3, 0)";
    sql::execute(conn, insert, params![store, journal, author.name()])?;
    Ok(conn.last_insert_rowid())
}

/// See [`super::Journal::to_publish`].
pub(super) fn to_publish(
    conn: &Connection,
    store: i64,
    member: MemberId,
    most: usize,
) -> Result<Vec<(u64, Published)>, Fault> {
    let mut found = Vec::new();
    let number = |stream: i64| (-stream).cast_unsigned();
    let intents = format!(
        "SELECT {}, o.folded, o.stream FROM operation o WHERE o.store = ?1 AND o.stream < 0
         ORDER BY o.stream DESC LIMIT ?2",
        stored::OPERATION
    );
    let ends = format!(
        "SELECT {}, e.at, e.stream FROM exchange e JOIN operation o ON o.seq = e.operation
         WHERE e.store = ?1 AND e.stream < 0 ORDER BY e.stream DESC LIMIT ?2",
        stored::EXCHANGE
    );
    let resolutions = format!(
        "SELECT {RESOLUTION}, r.plant_id FROM resolution r WHERE r.store = ?1 AND r.stream < 0
         ORDER BY r.stream DESC LIMIT ?2"
    );
    let values = || params_of(store, most);
    found.extend(sql::all(conn, &intents, values(), |row| {
        let folded: i64 = row.get("folded")?;
        Ok((
            number(row.get("stream")?),
            Published::Intent { operation: stored::operation(row)?, folded: folded.cast_unsigned() },
        ))
    })?);
    found.extend(sql::all(conn, &ends, values(), |row| {
        Ok((
            number(row.get("stream")?),
            Published::End { exchange: Box::new(stored::exchange(row)?), at: row.get("at")? },
        ))
    })?);
    found.extend(sql::all(conn, &resolutions, values(), |row| {
        let (id, resolution) = resolution(row)?;
        let (folded, plant): (i64, _) = (row.get("folded")?, row.get("plant_id")?);
        let published = Published::Resolution { id, plant, resolution, folded: folded.cast_unsigned() };
        Ok((number(row.get("stream")?), published))
    })?);
    found.sort_unstable_by_key(|(number, _)| *number);
    found.truncate(most);
    is_member(conn, store, member)?;
    Ok(found)
}

/// Checks that the journal is still this member: another program may have joined the team once more.
pub(super) fn is_member(conn: &Connection, store: i64, member: MemberId) -> Result<(), Fault> {
    if own_member(conn, store)? == member { Ok(()) } else { Err(Fault::Entry(JournalError::JoinedAgain)) }
}

fn params_of(store: i64, most: usize) -> (i64, i64) {
    (store, sql::as_limit(most))
}

/// The columns of `resolution r` that [`resolution`] reads.
const RESOLUTION: &str = "(SELECT origin FROM origin WHERE id = r.origin), r.number, r.what, r.name, r.tag, r.at,
    (SELECT m.author FROM origin g JOIN member m ON m.id = g.member WHERE g.id = r.origin), r.folded, r.stream";

fn resolution(row: &rusqlite::Row<'_>) -> Result<(OperationId, Resolved), Fault> {
    let origin: i64 = row.get(0)?;
    let id = OperationId { origin: origin.cast_unsigned(), number: row.get(1)? };
    let details = stored::details(row.get(3)?, row.get(4)?);
    let author = stored::author(row.get(6)?)?;
    Ok((id, Resolved { resolution: row.get(2)?, details, at: row.get(5)?, author }))
}

/// Whether other members have entries about a plant. Without them the plant is folded as in any other journal.
pub(super) fn has_others(conn: &Connection, store: i64, id: PlantId) -> Result<bool, Fault> {
    let others = "SELECT EXISTS (SELECT 1 FROM operation o JOIN origin g ON g.id = o.origin
            WHERE o.store = ?1 AND o.plant_id = ?2 AND o.outcome IS NULL AND g.member IS NOT NULL)
        OR EXISTS (SELECT 1 FROM exchange e JOIN operation o ON o.seq = e.operation JOIN origin g ON g.id = o.origin
            WHERE e.store = ?1 AND e.plant_id = ?2 AND g.member IS NOT NULL)
        OR EXISTS (SELECT 1 FROM resolution r JOIN origin g ON g.id = r.origin
            WHERE r.store = ?1 AND r.plant_id = ?2 AND g.member IS NOT NULL)";
    sql::value(conn, others, params![store, id])
}

/// Folds the entries about a plant that the stream has, or will have.
pub(super) fn fold(conn: &Connection, store: i64, id: PlantId) -> Result<Fold, Fault> {
    const JOURNAL: &str =
        "(SELECT m.journal FROM origin g JOIN member m ON m.id = abs(g.member) WHERE g.id = o.origin)";
    let own = own_member(conn, store)?;
    let member = |journal: Option<i64>| journal.map_or(own, |journal| MemberId(journal.cast_unsigned()));
    let position = |stream: i64| (stream > 0).then(|| Position(stream.cast_unsigned()));
    // Read by plant: through its exchanges, and the index of open operations.
    let operations = format!(
        "SELECT {}, o.stream, o.folded, {JOURNAL} AS journal FROM operation o WHERE o.stream IS NOT NULL AND o.seq IN (
             SELECT operation FROM exchange WHERE store = ?1 AND plant_id = ?2
             UNION SELECT seq FROM operation WHERE store = ?1 AND plant_id = ?2 AND outcome IS NULL)",
        stored::OPERATION
    );
    let mut entries = sql::all(conn, &operations, params![store, id], |row| {
        let (stream, folded): (i64, i64) = (row.get("stream")?, row.get("folded")?);
        let (member, event) = (member(row.get("journal")?), PlantEvent::Intent(stored::operation(row)?));
        let position = position(stream);
        Ok((stream, PlantEntry { member, position, known: Some(knows(folded.cast_unsigned())), event }))
    })?;
    // A member that joins once more publishes an operation again: its intent may be read before its end is read again.
    let ends = format!(
        "SELECT (SELECT origin FROM origin WHERE id = o.origin), o.number, e.outcome, e.at,
             CASE WHEN e.stream > 0 AND o.stream > 0 THEN max(e.stream, o.stream)
                 ELSE coalesce(e.stream, o.stream) END AS stream,
             {JOURNAL} AS journal
         FROM exchange e JOIN operation o ON o.seq = e.operation
         WHERE e.store = ?1 AND e.plant_id = ?2 AND coalesce(e.stream, o.stream) IS NOT NULL"
    );
    entries.extend(sql::all(conn, &ends, params![store, id], |row| {
        let (origin, stream): (i64, i64) = (row.get(0)?, row.get("stream")?);
        let operation = OperationId { origin: origin.cast_unsigned(), number: row.get(1)? };
        let event = PlantEvent::End(operation, row.get(2)?, row.get(3)?);
        let (member, position) = (member(row.get("journal")?), position(stream));
        Ok((stream, PlantEntry { member, position, known: Some(Position::default()), event }))
    })?);
    let resolutions = format!(
        "SELECT {RESOLUTION}, {} AS journal FROM resolution r
         WHERE r.store = ?1 AND r.plant_id = ?2 AND r.stream IS NOT NULL",
        JOURNAL.replace("o.origin", "r.origin")
    );
    entries.extend(sql::all(conn, &resolutions, params![store, id], |row| {
        let (stream, folded): (i64, i64) = (row.get("stream")?, row.get("folded")?);
        let event = PlantEvent::Resolution(resolution(row)?.1);
        let (member, position) = (member(row.get("journal")?), position(stream));
        Ok((stream, PlantEntry { member, position, known: Some(knows(folded.cast_unsigned())), event }))
    })?);
    entries.sort_by_key(|(stream, _)| if *stream < 0 { (1, -stream) } else { (0, *stream) });
    let mut fold = Fold::new(id);
    for (_, entry) in &entries {
        fold.apply(entry);
    }
    Ok(fold)
}

fn own_member(conn: &Connection, store: i64) -> Result<MemberId, Fault> {
    let own = "SELECT m.journal FROM store s JOIN member m ON m.id = s.member WHERE s.id = ?1";
    Ok(MemberId(sql::value::<i64>(conn, own, [store])?.cast_unsigned()))
}

/// Returns the place of an entry in the stream; the first entry of a message has the place 0.
pub(super) fn place_of(sequence: u64, place: usize) -> i64 {
    ((sequence << PLACE_BITS) | place as u64).cast_signed()
}

/// Returns the place of the last possible entry of a message.
fn knows(sequence: u64) -> Position {
    Position(place_of(sequence, MOST_ENTRIES - 1).cast_unsigned())
}
