//! Folds messages of a team's stream: writes the entries of other members, and where this journal's own are.
//!
//! A message is input from another machine. An entry that contradicts what is known is rejected with its message.

use rusqlite::params;

use super::error::JournalError;
use super::fault::Fault;
use super::team::{IS_NOT_PENDING, InStream, MemberEntries, Published, TeamMessage, member_key, place_of};
use super::writes::Batch;
use super::{sql, stored, team};
use crate::domain::{Author, Exchange, Operation, OperationId, Resolved};

impl Batch<'_> {
    /// Folds a message of the team's stream.
    ///
    /// # Errors
    ///
    /// [`JournalError::JoinedAgain`]: the journal is another member than the reader of the message.
    /// [`JournalError::MissingEntries`]: earlier entries of the member are missing, so none of these counts yet.
    /// [`JournalError::NotStorable`]: the message contradicts what is known, and should be skipped.
    pub(super) fn fold_message(&mut self, store: i64, message: &TeamMessage) -> Result<(), Fault> {
        team::is_member(self.conn, store, message.reader)?;
        if let Some(of_member) = &message.entries {
            let entries = self.fold_entries(store, message, of_member);
            if matches!(entries, Err(Fault::Entry(JournalError::MissingEntries { .. }))) {
                self.first_held.get_or_insert(message.sequence);
            }
            entries?;
        }
        // What waits is read again after a start.
        let folded = self.first_held.map_or(message.folded, |held| message.folded.min(held - 1));
        let update = "UPDATE store SET folded = max(folded, ?2) WHERE id = ?1";
        sql::execute(self.conn, update, params![store, folded.cast_signed()])?;
        self.has_folded(store, folded)
    }

    fn fold_entries(&mut self, store: i64, message: &TeamMessage, of_member: &MemberEntries) -> Result<(), Fault> {
        let MemberEntries { author, member, first, entries } = of_member;
        let is_own = *member == message.reader;
        let key = member_key(self.conn, store, *member, author)?;
        let (known, last) = self
            .conn
            .prepare_cached("SELECT author, number FROM member WHERE id = ?1")?
            .query_row([key], |found| Ok((found.get::<_, String>(0)?, found.get::<_, i64>(1)?.cast_unsigned())))?;
        // Also for this journal's own member: its entries would never be published.
        if known != author.name() {
            return Err(rejected(format!("{author} publishes for the journal of {known}")));
        }
        if is_own && first + entries.len() as u64 > last + 1 {
            return Err(Fault::Entry(JournalError::OlderJournal));
        }
        if !is_own && !message.is_after_purge && *first > last + 1 {
            let author = author.clone();
            return Err(Fault::Entry(JournalError::MissingEntries { author, from: last + 1, to: first - 1 }));
        }
        for (place, (number, entry)) in (*first..).zip(entries).enumerate() {
            let stream = place_of(message.sequence, place);
            if is_own {
                self.is_in_stream(store, number, entry, stream)?;
            } else if number > last {
                self.fold_other(store, key, author, entry, stream)?;
            }
        }
        if !is_own {
            let number = (first + entries.len() as u64 - 1).max(last);
            sql::execute(self.conn, "UPDATE member SET number = ?2 WHERE id = ?1", params![key, number.cast_signed()])?;
        }
        Ok(())
    }

    /// Stores where an own entry is in the stream, and folds its plant again: others may be before it.
    fn is_in_stream(&mut self, store: i64, number: u64, entry: &Published, stream: i64) -> Result<(), Fault> {
        // Only with `stream < 0` is the partial index used.
        let (update, plant) = match entry {
            Published::Intent { operation, .. } => (
                "UPDATE operation SET stream = ?3 WHERE store = ?1 AND stream = -?2 AND stream < 0",
                operation.kind.plant_id(),
            ),
            Published::End { exchange, .. } => (
                "UPDATE exchange SET stream = ?3 WHERE store = ?1 AND stream = -?2 AND stream < 0",
                self.known_operation(store, exchange.operation.id)?.kind.plant_id(),
            ),
            Published::Resolution { plant, .. } => {
                ("UPDATE resolution SET stream = ?3 WHERE store = ?1 AND stream = -?2 AND stream < 0", *plant)
            }
        };
        let changed = sql::execute(self.conn, update, params![store, number.cast_signed(), stream])?;
        if changed > 0 && team::has_others(self.conn, store, plant)? {
            self.refold(store, plant, false)
        } else {
            Ok(())
        }
    }

    /// Writes an entry of another member.
    fn fold_other(
        &mut self,
        store: i64,
        member: i64,
        author: &Author,
        entry: &Published,
        stream: i64,
    ) -> Result<(), Fault> {
        let written = |folded: Option<u64>| InStream { stream: Some(stream), folded: folded.map(u64::cast_signed) };
        match entry {
            Published::Intent { operation, folded } => {
                self.is_of_member(store, operation.id, member)?;
                self.intend_as(store, operation, written(Some(*folded)))
            }
            Published::End { exchange, at } => {
                self.is_of_member(store, exchange.operation.id, member)?;
                let operation = self.known_operation(store, exchange.operation.id)?;
                let OperationId { origin, number } = operation.id;
                let origin = self.cache.origin(self.conn, origin)?;
                let plant = operation.kind.plant_id();
                let known = "SELECT seq FROM exchange WHERE store = ?4 AND plant_id = ?5 AND at = ?3 AND operation =
                    (SELECT seq FROM operation WHERE origin = ?1 AND number = ?2)";
                if let Some(known) = sql::first::<i64>(self.conn, known, params![origin, number, at, store, plant])? {
                    let update = format!("UPDATE exchange SET stream = ?2 WHERE seq = ?1 AND {IS_NOT_PENDING}");
                    sql::execute(self.conn, &update, [known, stream])?;
                    return self.refold(store, plant, false);
                }
                let exchange = Exchange { operation, ..(**exchange).clone() };
                self.end_as(&exchange, *at, Some(written(None)))
            }
            Published::Resolution { id, plant, resolution, folded } => {
                self.is_of_member(store, *id, member)?;
                let resolution = Resolved { author: Some(author.clone()), ..resolution.clone() };
                self.resolve_as(store, *id, *plant, &resolution, written(Some(*folded)))
            }
        }
    }

    fn known_operation(&self, store: i64, id: OperationId) -> Result<Operation, Fault> {
        let known = format!(
            "SELECT {} FROM operation o WHERE o.store = ?1 AND o.number = ?3
             AND o.origin = (SELECT id FROM origin WHERE origin = ?2)",
            stored::OPERATION
        );
        let known = sql::all(self.conn, &known, params![store, id.origin.cast_signed(), id.number], stored::operation)?;
        known.into_iter().next().ok_or(Fault::Entry(JournalError::NotRequested(id)))
    }

    /// Checks that an entry has the origin of a program of the member's author.
    fn is_of_member(&mut self, store: i64, id: OperationId, member: i64) -> Result<(), Fault> {
        let origin = self.cache.origin(self.conn, id.origin)?;
        // An origin belongs to the member that first used it in the stream: the same for everybody who reads it.
        let is_new = "UPDATE origin SET member = ?2 WHERE id = ?1 AND (
            (member IS NULL AND NOT EXISTS (SELECT 1 FROM operation WHERE origin = ?1)
                AND NOT EXISTS (SELECT 1 FROM resolution WHERE origin = ?1))
            OR member IN (SELECT id FROM member
                WHERE number = 0 AND author = (SELECT author FROM member WHERE id = ?2)))";
        sql::execute(self.conn, is_new, params![origin, member])?;
        // This journal was another member before.
        let was_own = "UPDATE origin SET member = -?2 WHERE id = ?1 AND member IS NULL AND EXISTS (
            SELECT 1 FROM store s JOIN member own ON own.id = s.member JOIN member m ON m.author = own.author
            WHERE s.id = ?3 AND m.id = ?2)";
        sql::execute(self.conn, was_own, params![origin, member, store])?;
        let is_same = "SELECT EXISTS (
            SELECT 1 FROM origin o JOIN member m ON m.id = abs(o.member) JOIN member n ON n.author = m.author
            WHERE o.id = ?1 AND n.id = ?2)";
        if sql::value(self.conn, is_same, [origin, member])? {
            Ok(())
        } else {
            Err(rejected(format!("entry {id} is of another member")))
        }
    }
}

fn rejected(reason: String) -> Fault {
    Fault::Entry(JournalError::NotStorable { reason })
}
