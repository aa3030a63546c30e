//! A journal in its team: joining, what is to be published, and the entries of others.
//!
//! An entry counts for the author on whose subject it came, and nothing in it can speak for another: operations and
//! numbers are looked up among those of its member. What cannot be used is left out, for everybody who reads the
//! stream alike. Must not know how entries travel.

use std::collections::BTreeSet;

use rusqlite::params;

use super::entries::{self, COLUMNS, ENTRIES, Entry, Event, Stamp};
use super::error::JournalError;
use super::fault::Fault;
use super::sql::Store;
use super::writes::Batch;
use super::{schema, sql, stored};
use crate::domain::{
    Author, Exchange, MemberId, Operation, OperationId, PlantEntry, PlantEvent, PlantId, Position, Timestamp,
};

/// How far a journal takes part in the team of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    pub member: MemberId,
    /// As whom it publishes.
    pub author: Author,
    /// Tells one stream from another of the same name.
    pub stream: String,
    /// The number of the last message of the stream that was folded.
    pub folded: u64,
    /// When the server stored that one; `None` if it was not read, but those before it were made up for.
    pub folded_at: Option<Timestamp>,
    /// The number of its last entry that the stream has, without a gap before it.
    pub published: u64,
    /// The number of entries after that one.
    pub to_publish: usize,
    /// The number of people with entries.
    pub people: usize,
}

/// A message of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamMessage {
    /// The number of the message in the stream.
    pub sequence: u64,
    /// When the server stored it, if it was read.
    pub at: Option<Timestamp>,
    /// `None` for a message that cannot be used: only its number counts.
    pub entries: Option<MemberEntries>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberEntries {
    /// As the server authorised it.
    pub author: Author,
    pub member: MemberId,
    pub entries: Vec<Entry>,
}

/// Why a message of the stream, or an entry in it, is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The number of the message.
    pub sequence: u64,
    pub author: Author,
    pub why: JournalError,
}

/// See [`super::Journal::membership`].
pub(super) fn membership(store: Store<'_>) -> Result<Option<Membership>, Fault> {
    let found = "SELECT m.journal, s.stream, s.folded, s.folded_at, m.published, (SELECT coalesce(max(number), 0) FROM entry WHERE member = m.id) - m.published,
            (SELECT count(DISTINCT p.author) FROM member p WHERE p.store = ?1
                AND (p.published > 0 OR EXISTS (SELECT 1 FROM entry WHERE member = p.id))), m.author
        FROM store s JOIN member m ON m.id = s.member WHERE s.id = ?1 AND s.stream IS NOT NULL";
    sql::one(store.conn, found, [store.key], |found| {
        let (member, stream, published) = (found.get(0)?, found.get(1)?, found.get(4)?);
        let (folded, folded_at) = (found.get(2)?, found.get(3)?);
        let (to_publish, people) = (sql::as_count(found.get(5)?), sql::as_count(found.get(6)?));
        let author = stored::author(found.get(7)?)?.ok_or(Fault::Damaged)?;
        Ok(Membership { member, author, stream, folded, folded_at, published, to_publish, people })
    })
}

/// See [`super::Journal::noted_missing`].
pub(super) fn noted_missing(store: Store<'_>) -> Result<Option<String>, Fault> {
    Ok(sql::first::<Option<String>>(store.conn, "SELECT missing FROM store WHERE id = ?1", [store.key])?.flatten())
}

/// See [`super::Journal::gaps`].
pub(super) fn gaps(store: Store<'_>) -> Result<Vec<(Author, u64)>, Fault> {
    let gaps = "SELECT m.author, max(n.number) - m.published - count(*) AS gap
        FROM member m JOIN entry n ON n.member = m.id AND n.number > m.published
        WHERE m.store = ?1 AND NOT m.own GROUP BY m.id HAVING gap > 0";
    sql::all(store.conn, gaps, [store.key], |found| {
        Ok((stored::author(found.get(0)?)?.ok_or(Fault::Damaged)?, found.get(1)?))
    })
}

/// See [`super::Journal::to_publish`].
pub(super) fn to_publish(store: Store<'_>, member: MemberId, after: u64, most: usize) -> Result<Vec<Entry>, Fault> {
    let (key, published) = is_member(store, member)?;
    entries::after(store.conn, key, published.max(after), most)
}

/// Checks that the journal is still this member; returns its key, and the number of its last entry that the stream has.
pub(super) fn is_member(store: Store<'_>, member: MemberId) -> Result<(i64, u64), Fault> {
    let own =
        "SELECT m.id, m.published FROM store s JOIN member m ON m.id = s.member WHERE s.id = ?1 AND m.journal = ?2";
    let own = sql::one(store.conn, own, params![store.key, member], |found| Ok((found.get(0)?, found.get(1)?)))?;
    own.ok_or(Fault::Entry(JournalError::JoinedAgain))
}

/// A member whose entries come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) key: i64,
    id: MemberId,
    /// Whether it is or was this journal.
    is_own: bool,
}

/// What the journal has of an entry that comes.
struct Known {
    seq: i64,
    plant: PlantId,
    /// `None` if it has a position.
    entry: Option<PlantEntry>,
    /// Whether the stream lacks the intent that it ends.
    lacks_intent: bool,
}

impl Batch<'_> {
    /// Makes the journal a member of the team that has this stream, and names its author. All its entries are published,
    /// with the positions that they had: others may lack them; and all of the stream is read, because an older release may
    /// have skipped some of it. `since` must be after an earlier stream.
    pub(super) fn join(&mut self, author: &Author, (stream, since): (&str, u64)) -> Result<(), Fault> {
        let joined = "SELECT stream IS ?2, folded FROM store WHERE id = ?1";
        let (is_joined, folded): (bool, u64) =
            self.store
                .conn
                .query_row(joined, params![self.store.key, stream], |found| Ok((found.get(0)?, found.get(1)?)))?;
        if !is_joined && folded >= since {
            return Err(JournalError::OtherStream { folded, since }.into());
        }
        let joined = "UPDATE store SET stream = ?2, since = ?3, folded = ?3 - 1, folded_at = NULL, missing = NULL
            WHERE id = ?1";
        sql::execute(self.store.conn, joined, params![self.store.key, stream, since])?;
        sql::execute(self.store.conn, "UPDATE member SET published = 0 WHERE store = ?1 AND own", [self.store.key])?;
        self.publish_as(author)
    }

    /// Names the author of this journal, which becomes another member if it had another one.
    pub(super) fn publish_as(&mut self, author: &Author) -> Result<(), Fault> {
        let is_another = "SELECT coalesce(m.author <> ?2, FALSE) FROM store s JOIN member m ON m.id = s.member
            WHERE s.id = ?1";
        if sql::value(self.store.conn, is_another, params![self.store.key, author.name()])? {
            self.become_another()?;
        }
        let own = "UPDATE member SET author = ?2 WHERE id = (SELECT member FROM store WHERE id = ?1)";
        sql::execute(self.store.conn, own, params![self.store.key, author.name()])?;
        self.cache.clear_team();
        Ok(())
    }

    /// Makes this journal another member, which publishes what the stream does not have yet: a copy of this journal has
    /// published in its place, or some of its entries are lost.
    pub(super) fn become_another(&mut self) -> Result<(), Fault> {
        let before: i64 = sql::value(self.store.conn, "SELECT member FROM store WHERE id = ?1", [self.store.key])?;
        let member = schema::become_member(self.store)?;
        let left = "SELECT n.seq, n.plant_id, n.operation, (SELECT origin FROM origin WHERE id = o.origin)
            FROM entry n LEFT JOIN operation o ON o.seq = n.operation
            WHERE n.member = ?1 AND n.position IS NULL ORDER BY n.number";
        let left = sql::all(self.store.conn, left, [before], |found| {
            let operation: Option<(i64, i64)> = found.get::<_, Option<_>>(2)?.zip(found.get(3)?);
            Ok((found.get::<_, i64>(0)?, found.get::<_, PlantId>(1)?, operation))
        })?;
        let mut plants = BTreeSet::new();
        for (number, (seq, plant, operation)) in (1_i64..).zip(left) {
            sql::execute(
                self.store.conn,
                "UPDATE entry SET member = ?2, number = ?3 WHERE seq = ?1",
                [seq, member, number],
            )?;
            if let Some((operation, origin)) = operation {
                let origin = self.cache.origin(self.store.conn, origin.cast_unsigned(), member)?;
                sql::execute(self.store.conn, "UPDATE operation SET origin = ?2 WHERE seq = ?1", [operation, origin])?;
            }
            plants.insert(plant);
        }
        self.cache.clear_team();
        self.cache.operations.clear();
        for plant in plants {
            let before = self.before(plant)?;
            self.refold(before)?;
        }
        Ok(())
    }

    /// See [`super::Journal::note_missing`].
    pub(super) fn note_missing(&mut self, reader: MemberId, noted: Option<&str>) -> Result<(), Fault> {
        is_member(self.store, reader)?;
        let update = "UPDATE store SET missing = ?2 WHERE id = ?1";
        sql::execute(self.store.conn, update, params![self.store.key, noted]).map(drop)
    }

    /// See [`super::Journal::receive`].
    pub(super) fn receive(&mut self, reader: MemberId, messages: &[TeamMessage]) -> Result<Vec<LeftOut>, Fault> {
        is_member(self.store, reader)?;
        let mut left_out = Vec::new();
        for message in messages {
            self.receive_message(message, &mut left_out)?;
        }
        Ok(left_out)
    }

    /// Folds a message of the stream; adds why entries of it are left out.
    fn receive_message(
        &mut self,
        TeamMessage { sequence, at, entries }: &TeamMessage,
        left_out: &mut Vec<LeftOut>,
    ) -> Result<(), Fault> {
        if let Some(entries) = entries {
            let mut of_message = Vec::new();
            match self.receive_all(*sequence, entries, &mut of_message) {
                Err(Fault::Entry(why)) => of_message.push(why),
                received => received?,
            }
            let left = |why| LeftOut { sequence: *sequence, author: entries.author.clone(), why };
            left_out.extend(of_message.into_iter().map(left));
        }
        let folded = "UPDATE store SET folded = ?2, folded_at = ?3 WHERE id = ?1 AND folded < ?2";
        sql::execute(self.store.conn, folded, params![self.store.key, sequence, at])?;
        self.cache.own(self.store)?.has_folded(*sequence);
        Ok(())
    }

    fn receive_all(
        &mut self,
        sequence: u64,
        MemberEntries { author, member, entries }: &MemberEntries,
        left_out: &mut Vec<JournalError>,
    ) -> Result<(), Fault> {
        let member = self.member(*member, author)?;
        let last = "SELECT coalesce(max(number), 0) FROM entry WHERE member = ?1";
        let published: u64 = sql::value(self.store.conn, "SELECT published FROM member WHERE id = ?1", [member.key])?;
        let mut last = sql::value::<u64>(self.store.conn, last, [member.key])?.max(published);
        let is_in_order = entries.first().is_none_or(|first| first.number <= published + 1);
        for (place, entry) in entries.iter().enumerate() {
            // A member may share its entries again, at the position that they had.
            let position = entries::position(sequence, place);
            let position = Some(entry.position.map_or(position, |earlier| earlier.min(position)));
            let stamp =
                Stamp { key: member.key, member: member.id, number: entry.number, position, known: entry.known };
            if entry.number > last + 1 && !member.is_own {
                let (author, from, to) = (author.clone(), last + 1, entry.number - 1);
                left_out.push(JournalError::MissingEntries { author, from, to });
            }
            let known = if entry.number <= last { self.known(stamp)? } else { None };
            if known.is_none() && !member.is_own && entry.number <= published {
                // It is in the snapshot with which the reading began.
                continue;
            }
            let received = match known {
                Some(known) => self.receive_again((stamp, is_in_order), known, &entry.event, left_out),
                None => self.receive_new(stamp, &entry.event, left_out),
            };
            match received {
                Err(Fault::Entry(why)) => left_out.push(why),
                received => received?,
            }
            last = last.max(entry.number);
        }
        if let (true, Some(first), Some(end)) = (member.is_own, entries.first(), entries.last()) {
            let published = "UPDATE member SET published = max(published, ?3) WHERE id = ?1 AND published >= ?2 - 1";
            sql::execute(self.store.conn, published, params![member.key, first.number, end.number])?;
            self.cache.clear_team();
        }
        Ok(())
    }

    /// Returns a member by its number, which belongs to the author that first published with it.
    pub(super) fn member(&mut self, id: MemberId, author: &Author) -> Result<Member, Fault> {
        let known = "SELECT id, own, author IS ?3, author FROM member WHERE store = ?1 AND journal = ?2";
        let known = sql::one(self.store.conn, known, params![self.store.key, id, author.name()], |found| {
            let member = Member { key: found.get(0)?, id, is_own: found.get(1)? };
            Ok((member, found.get::<_, bool>(2)?, found.get::<_, Option<String>>(3)?))
        });
        match known? {
            Some((member, true, _)) => Ok(member),
            Some((_, false, of)) => {
                let reason = format!("{author} publishes as the journal of {}", of.unwrap_or_default());
                Err(Fault::Entry(JournalError::NotStorable { reason }))
            }
            None => {
                let insert = "INSERT INTO member (store, journal, own, author, published) VALUES (?1, ?2, 0, ?3, 0)";
                sql::execute(self.store.conn, insert, params![self.store.key, id, author.name()])?;
                let key = self.store.conn.last_insert_rowid();
                self.cache.clear_team();
                Ok(Member { key, id, is_own: false })
            }
        }
    }

    fn known(&self, stamp: Stamp) -> Result<Option<Known>, Fault> {
        let known = format!(
            "SELECT {}, {COLUMNS}, n.seq, n.exchange IS NOT NULL AND NOT EXISTS (SELECT 1 FROM entry i
                 WHERE i.store = n.store AND i.plant_id = n.plant_id AND i.operation = e.operation
                     AND i.position IS NOT NULL) AS lacks_intent
             FROM {ENTRIES} WHERE n.member = ?1 AND n.number = ?2",
            stored::OPERATION
        );
        sql::one(self.store.conn, &known, params![stamp.key, stamp.number], |found| {
            let (seq, plant, position) =
                (found.get("seq")?, found.get("plant")?, found.get::<_, Option<Position>>("position")?);
            let entry = if position.is_none() { Some(entries::plant_entry(found)?) } else { None };
            Ok(Known { seq, plant, entry, lacks_intent: found.get("lacks_intent")? })
        })
    }

    /// Folds an entry that is here: one of this journal, which now has its position, or one that came before.
    /// `is_in_order` says that the stream has all entries of its member before it.
    fn receive_again(
        &mut self,
        (stamp, is_in_order): (Stamp, bool),
        known: Known,
        event: &Event,
        left_out: &mut Vec<JournalError>,
    ) -> Result<(), Fault> {
        let Some(known_entry) = known.entry else { return Ok(()) };
        let is_same = match (&known_entry.event, event) {
            (PlantEvent::Intent(here), Event::Intent(operation)) => here.id == operation.id,
            (PlantEvent::End { operation, at, .. }, Event::End((exchange, ended))) => {
                (*operation, at) == (exchange.operation.id, ended)
            }
            (PlantEvent::Resolution(here, at), Event::Resolution { resolution, at: resolved, .. }) => {
                (here, at) == (resolution, resolved)
            }
            (_, _) => false,
        };
        if !is_same {
            return self.receive_new(stamp, event, left_out);
        }
        if let (true, PlantEvent::End { operation, .. }) = (known.lacks_intent, &known_entry.event) {
            return Err(Fault::Entry(JournalError::NotRequested(*operation)));
        }
        let update = "UPDATE entry SET position = ?2 WHERE seq = ?1";
        if is_in_order && !self.cache.is_shared(self.store, known.plant)? {
            return sql::execute(self.store.conn, update, params![known.seq, stamp.position]).map(drop);
        }
        let before = self.before(known.plant)?;
        sql::execute(self.store.conn, update, params![known.seq, stamp.position])?;
        // The texts of the entry that came may have been cut.
        self.fold(before, &stamp.entry(known_entry.event))
    }

    fn receive_new(&mut self, stamp: Stamp, event: &Event, left_out: &mut Vec<JournalError>) -> Result<(), Fault> {
        if self.cache.own(self.store)?.member == stamp.member {
            // A copy of this journal has published it, or it is lost here.
            self.become_another()?;
            left_out.push(JournalError::Copied);
        }
        match event {
            // Its member became another one when the stream had it already.
            Event::Intent(operation) if self.cache.is_of_former_member(self.store.conn, stamp.key, operation.id)? => {
                Ok(())
            }
            Event::Intent(operation) => self.intend_as(operation, stamp),
            Event::End((exchange, at)) => {
                let (key, of, operation) = match self.cache.requested.remove(&(stamp.key, exchange.operation.id)) {
                    Some((key, operation)) => (key, stamp.member, operation),
                    None => self.operation(stamp.key, exchange.operation.id)?,
                };
                let exchange = Exchange { operation, ..(**exchange).clone() };
                self.end_as((key, of), &exchange, *at, stamp)
            }
            Event::Resolution { plant, resolution, at } => {
                let before = self.before(*plant)?;
                self.resolve(before, (*resolution, *at), stamp)
            }
        }
    }

    /// Returns an operation that the author of a member requested, with its key and the member that requested it.
    fn operation(&self, member: i64, id: OperationId) -> Result<(i64, MemberId, Operation), Fault> {
        let known = format!(
            "SELECT {}, o.seq, m.journal FROM origin g JOIN operation o ON o.origin = g.id AND o.number = ?3
             JOIN member m ON m.id = g.member JOIN member w ON w.id = ?1
             WHERE g.origin = ?2 AND m.store = w.store AND m.author = w.author
                 AND o.seq NOT IN (SELECT operation FROM probe)",
            stored::OPERATION
        );
        let known = sql::one(self.store.conn, &known, params![member, id.origin.cast_signed(), id.number], |found| {
            Ok((found.get("seq")?, found.get("journal")?, stored::operation(found)?))
        })?;
        known.ok_or(Fault::Entry(JournalError::NotRequested(id)))
    }
}
