//! The opened journal: one connection, one store, and this program's sign of life.
//!
//! Blocking throughout; only the writer's thread holds one.

use std::sync::Arc;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::access::{Access, Question};
use super::error::JournalError;
use super::fault::Fault;
use super::history::{self, Trimmed};
use super::identity::Identity;
use super::locks::{BUSY_TIMEOUT, SHORT_TIMEOUT};
use super::orphans::{self, EndedOrphans};
use super::pending::Pending;
use super::process_locks::{self, InstanceLock, Liveness};
use super::reader::{Closing, Reader};
use super::unsent::Unsent;
use super::writes::{self, Each, Entry, Shift};
use super::{checks, plant_list};
use crate::check::{EarlierLeftover, EarlierRuns, FIXED_IDS};
use crate::domain::{Operation, Timestamp};

/// What became of each entry, and what shifted.
type Written = (Each, Vec<Shift>);

/// A way to write entries inside a transaction.
type WriteEntries = fn(&Database, &Connection, &mut Pending, &[Entry]) -> Result<Written, Fault>;

/// Everything the writer needs. The reader closes before its connection does, and that before the
/// sign of life goes out.
#[derive(Debug)]
pub(super) struct Database {
    /// In memory there is none.
    reader: Option<Closing>,
    access: Access,
    pending: Pending,
    origin: u64,
    instance_lock: Option<InstanceLock>,
    /// The files that are open; in memory there are none.
    identity: Option<Arc<Identity>>,
    /// What never left, and what the file does not know to have ended.
    unsent: Unsent,
}

impl Database {
    /// One that nobody else can see, with nothing beside its connection.
    pub(super) fn new(access: Access, origin: u64) -> Self {
        let (pending, unsent) = (Pending::default(), Unsent::default());
        Self { reader: None, access, pending, origin, instance_lock: None, identity: None, unsent }
    }

    /// One that other programs may have open, too, with a reader of its own.
    pub(super) fn on_disk(access: Access, origin: u64, instance_lock: InstanceLock, identity: Identity) -> Self {
        let identity = Some(Arc::new(identity));
        let reader = Reader::of(access.path.clone(), access.store, identity.clone());
        let reader = Some(Closing(Arc::new(reader)));
        Self { reader, instance_lock: Some(instance_lock), identity, ..Self::new(access, origin) }
    }

    /// Writes entries in one transaction, in order. Each has its own result; an `Err` for the
    /// whole means that none was kept.
    ///
    /// # Errors
    ///
    /// As above; but [`JournalError::Replaced`] may come after the commit: then they are in a file
    /// that the next start may not find.
    pub(super) fn record(&mut self, entries: &[Entry]) -> Result<Each, JournalError> {
        let recorded = self.record_in_place(entries);
        match &recorded {
            Ok(results) => {
                let failed = entries.iter().zip(results).filter(|(_, result)| result.is_err());
                self.unsent.remember_ends(failed.map(|(entry, _)| entry));
                self.write_unsent();
            }
            Err(_) => self.unsent.remember_ends(entries),
        }
        recorded
    }

    fn record_in_place(&mut self, entries: &[Entry]) -> Result<Each, JournalError> {
        // Before, so that a file that is not in its place is not written any more; and after the
        // commit, for only then it is certain where it went.
        self.check_identity()?;
        let mut written = self.try_record(entries, Self::write_all);
        if matches!(&written, Err(fault) if fault.is_of_one_entry()) {
            written = self.try_record(entries, Self::write_each);
        }
        let results = written.map_err(|fault| self.access.tell(fault))?;
        self.check_identity().inspect_err(|_| self.unsent.remember_intents(entries, &results))?;
        Ok(results)
    }

    /// Writes down what never left and could not be written down before, if there is any.
    fn write_unsent(&mut self) {
        if self.unsent.is_empty() {
            return;
        }
        // What fails is tried again with the next write, and at the end.
        if let Ok(shifts) = self.try_write_unsent() {
            self.unsent.clear();
            self.pending.forget();
            self.ring();
            self.shift(shifts);
        }
    }

    fn try_write_unsent(&self) -> Result<Vec<Shift>, Fault> {
        let transaction = Transaction::new_unchecked(&self.access.conn, TransactionBehavior::Immediate)?;
        let shifts = self.unsent.write(&transaction)?;
        transaction.commit()?;
        Ok(shifts)
    }

    /// What is known of the view follows what was committed.
    fn shift(&mut self, shifts: Vec<Shift>) {
        for shift in shifts.into_iter().filter(|shift| shift.store == self.access.store) {
            self.access.cache.shift(shift);
        }
    }

    /// Looks whether the open files are still those that the next start opens.
    fn check_identity(&self) -> Result<(), JournalError> {
        self.identity.as_ref().map_or(Ok(()), |identity| identity.check())
    }

    /// The files that are open.
    pub(super) fn identity(&self) -> Option<Arc<Identity>> {
        self.identity.clone()
    }

    fn try_record(&mut self, entries: &[Entry], write: WriteEntries) -> Result<Each, Fault> {
        let transaction = Transaction::new_unchecked(&self.access.conn, TransactionBehavior::Immediate)?;
        // Taken out: what is not committed was never so.
        let mut pending = std::mem::take(&mut self.pending);
        pending.look_around(&transaction)?;
        let (results, shifts) = write(self, &transaction, &mut pending, entries)?;
        writes::count(&transaction, &shifts)?;
        if let Err(error) = transaction.commit() {
            // On a disk that fails from here on they may be there all the same.
            self.unsent.remember_intents(entries, &results);
            return Err(error.into());
        }
        self.pending = pending;
        self.ring();
        self.shift(shifts);
        Ok(results)
    }

    /// All or none.
    fn write_all(&self, conn: &Connection, pending: &mut Pending, entries: &[Entry]) -> Result<Written, Fault> {
        let mut shifts = Vec::new();
        for entry in entries {
            self.check_origin(entry)?;
            shifts.extend(writes::write(conn, pending, self.access.store, self.origin, entry)?);
        }
        Ok((vec![Ok(()); entries.len()], shifts))
    }

    /// Each by itself: one that cannot be kept takes no other with it.
    fn write_each(&self, conn: &Connection, pending: &mut Pending, entries: &[Entry]) -> Result<Written, Fault> {
        let savepoint = |sql| conn.prepare_cached(sql).and_then(|mut statement| statement.execute([]));
        let (mut results, mut shifts) = (Vec::with_capacity(entries.len()), Vec::new());
        for entry in entries {
            savepoint("SAVEPOINT entry")?;
            let written = self
                .check_origin(entry)
                .and_then(|()| writes::write(conn, pending, self.access.store, self.origin, entry));
            match written {
                Ok(shift) => {
                    shifts.extend(shift);
                    results.push(Ok(()));
                }
                Err(fault) if fault.is_of_one_entry() => {
                    savepoint("ROLLBACK TO entry")?;
                    pending.forget();
                    results.push(Err(self.access.tell(fault)));
                }
                Err(fault) => return Err(fault),
            }
            savepoint("RELEASE entry")?;
        }
        Ok((results, shifts))
    }

    /// Tells other programs that something was written.
    fn ring(&self) {
        if let Some(instance_lock) = &self.instance_lock {
            instance_lock.ring();
        }
    }

    /// Whether other programs have written something since this was asked last.
    pub(super) fn was_changed_by_others(&mut self) -> bool {
        // If it cannot be read, whoever then looks is told why.
        self.access.cache.was_changed_by_others(&self.access.conn).unwrap_or(true)
    }

    /// Ends what programs that are gone left open, as opening does. Whether plants of this store
    /// are unknown because of it.
    pub(super) fn end_orphans(&mut self, now: Timestamp) -> Result<bool, JournalError> {
        let impatient = self.access.conn.busy_timeout(SHORT_TIMEOUT).map_err(Fault::from);
        let ended = impatient.and_then(|()| self.try_end_orphans(now));
        let patient = self.access.conn.busy_timeout(BUSY_TIMEOUT).map_err(Fault::from);
        patient.and(ended).map_err(|fault| self.access.tell(fault))
    }

    fn try_end_orphans(&mut self, now: Timestamp) -> Result<bool, Fault> {
        let others_are_open = self
            .access
            .conn
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM operation WHERE outcome IS NULL
                 AND origin NOT IN (SELECT id FROM origin WHERE origin = ?1))",
            )?
            .query_row([self.origin.cast_signed()], |found| found.get::<_, bool>(0))?;
        let Some(folder) = self.access.path.parent().filter(|_| others_are_open) else { return Ok(false) };
        let transaction = Transaction::new_unchecked(&self.access.conn, TransactionBehavior::Immediate)?;
        let EndedOrphans { unknown, notes } =
            orphans::end_orphans(&transaction, folder, self.origin, self.access.store, now)?;
        transaction.commit()?;
        process_locks::remove_notes(&notes);
        self.access.cache.forget_landmark();
        self.pending.forget();
        self.ring();
        Ok(!unknown.is_empty())
    }

    /// An operation of an origin without a sign of life would look like an orphan to others.
    fn check_origin(&self, entry: &Entry) -> Result<(), Fault> {
        match entry {
            Entry::Asked(Operation { id, .. }, _) if id.origin != self.origin => {
                Err(Fault::Entry(JournalError::Foreign { operation: *id, origin: self.origin }))
            }
            Entry::Asked(..) | Entry::Ended(..) | Entry::Resolved(..) | Entry::Checked(_) => Ok(()),
        }
    }

    /// What a check is to know first. Of what others left behind, only what a program did that is
    /// gone: one that lives may be checking.
    pub(super) fn before_check(&mut self) -> Result<EarlierRuns, JournalError> {
        let (left, never_planted, rows, in_vain) = self.read(|conn, store, _| {
            let rows = plant_list::rows(conn, store, FIXED_IDS.into_iter().map(|id| id.0))?;
            let in_vain = checks::tried_in_vain(conn, store)?;
            Ok((checks::left(conn, store)?, checks::never_planted(conn, store)?, rows, in_vain))
        })?;
        let folder = self.access.path.parent().filter(|_| self.access.is_on_disk);
        let is_over = |origin| {
            origin == self.origin
                || folder.is_some_and(|folder| process_locks::liveness(folder, origin) == Liveness::Gone)
        };
        let left = left.into_iter().filter(|(origin, _)| is_over(*origin)).map(|(_, leftover)| leftover);
        let leftovers: Vec<_> =
            left.map(|left| EarlierLeftover { in_vain: in_vain.contains(&left.id), ..left }).collect();
        let is_left = |id| leftovers.iter().any(|left| left.id == id);
        let taken = rows.into_iter().map(|row| row.id).filter(|id| !is_left(*id)).collect();
        let over = never_planted.into_iter().filter(|(origin, _)| is_over(*origin));
        let never_planted = over.map(|(_, gone)| gone).collect();
        Ok(EarlierRuns { leftovers, never_planted, taken })
    }

    /// Looks something up in one snapshot.
    pub(super) fn read<T>(&mut self, question: impl Question<T>) -> Result<T, JournalError> {
        self.access.read(question)
    }

    pub(super) fn trim(
        &mut self,
        older_than: Timestamp,
        after: i64,
        only_count: bool,
    ) -> Result<Trimmed, JournalError> {
        if only_count {
            return self.read(move |conn, store, _| history::trim(conn, store, older_than, after, true));
        }
        let step = || -> Result<Trimmed, Fault> {
            let transaction = Transaction::new_unchecked(&self.access.conn, TransactionBehavior::Immediate)?;
            let trimmed = history::trim(&transaction, self.access.store, older_than, after, false)?;
            transaction.commit()?;
            if trimmed.exchanges > 0 {
                self.ring();
            }
            Ok(trimmed)
        };
        let trimmed = step().map_err(|fault| self.access.tell(fault))?;
        // Heads that were known may be gone.
        self.pending.forget();
        self.check_identity()?;
        Ok(trimmed)
    }

    /// The way to the reader of the same journal.
    pub(super) fn reader(&self) -> Option<Arc<Reader>> {
        self.reader.as_ref().map(|closing| Arc::clone(&closing.0))
    }

    /// Closes the reader, takes the sign of life away and closes the file.
    pub(super) fn close(mut self) {
        drop(self.reader.take());
        if self.identity.as_ref().is_some_and(|identity| identity.has_strange_companion()) {
            // Where it fails, `SQLite` removes what is not its own, as it would have done.
            let _ = self.access.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
        let impatient = self.access.conn.busy_timeout(SHORT_TIMEOUT);
        if self.check_identity().is_ok() {
            self.write_unsent();
        }
        let Some(instance_lock) = self.instance_lock.take() else { return };
        let transaction =
            impatient.and_then(|()| Transaction::new_unchecked(&self.access.conn, TransactionBehavior::Immediate));
        if !self.unsent.is_empty() {
            instance_lock.leave_note(&self.unsent.numbers());
        } else if transaction.is_ok() {
            // Leaving is politeness.
            instance_lock.leave();
        }
    }

    /// For tests that let it rest.
    #[cfg(test)]
    pub(super) fn order(&mut self) -> Option<&mut super::sorted_index::SortedIndex> {
        self.access.cache.sorted.as_mut()
    }

    /// For tests that put obstacles in its way.
    #[cfg(test)]
    pub(super) fn connection(&mut self) -> &mut Connection {
        &mut self.access.conn
    }
}
