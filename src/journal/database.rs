//! The opened journal of one store, with this program's instance lock.
//!
//! Every call blocks; only the writer's thread holds a [`Database`].

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rusqlite::config::DbConfig;
use tokio::sync::Notify;

use super::access::Access;
use super::error::JournalError;
use super::fault::Fault;
use super::history::{self, Old, Trimmed};
use super::identity::Identity;
use super::locks::{BUSY_TIMEOUT, HURRIED_TIMEOUT};
use super::orphans;
use super::peers::Joined;
use super::process_locks::{self, InstanceLock};
use super::reader::{CloseOnDrop, Reader};
use super::sql::{Store, Writing};
use super::write_cache::WriteCache;
use super::writes::{Batch, EntryResults, Write};
use super::{checks, files, plant_list, sql};
use crate::check::{EarlierRuns, FIXED_IDS};
use crate::domain::Timestamp;
use crate::os::stay;

/// What the handles of a journal share with the writer.
#[derive(Debug, Clone, Default)]
pub(super) struct Shared {
    /// `None` in memory.
    pub(super) reader: Option<Arc<Reader>>,
    /// `None` in memory and for a read-only journal.
    pub(super) folder: Option<Arc<Path>>,
    pub(super) identity: Arc<Identity>,
    /// `None` if no other program can open the journal.
    pub(super) peers: Option<Joined>,
    /// Notified after each commit of this program.
    pub(super) committed: Arc<Notify>,
    /// Whether the program is to end.
    pub(super) is_hurried: Arc<AtomicBool>,
}

/// The size up to which [`Database::keep_log`] leaves a log: 512 KiB, some eight adds. To read it at the next start takes
/// less than a flush of the disk.
const SHORT_LOG: u64 = 512 * 1024;

/// Reports of a store in which the next check looks for the verdicts of earlier ones.
const EARLIER_REPORTS: usize = 100;

/// The state of the writer. The reader closes before the connection, and that before the instance
/// lock is released.
#[derive(Debug)]
pub(super) struct Database {
    /// `None` in memory.
    reader: Option<CloseOnDrop>,
    pub(super) access: Access,
    cache: WriteCache,
    origin: u64,
    instance_lock: Option<InstanceLock>,
    pub(super) shared: Shared,
}

impl Database {
    /// A journal that no other program has open, without reader and instance lock.
    pub(super) fn new(access: Access, origin: u64) -> Self {
        let (cache, shared) = Default::default();
        Self { reader: None, access, cache, origin, instance_lock: None, shared }
    }

    /// A journal that other programs may have open, with a reader.
    pub(super) fn on_disk(access: Access, origin: u64, instance_lock: InstanceLock, identity: Identity) -> Self {
        let identity = Arc::new(identity);
        let reader = Arc::new(Reader::of(access.path.clone(), access.store, Arc::clone(&identity)));
        let (folder, peers) = (access.path.parent().map(Arc::from), Some(instance_lock.peers()));
        let shared = Shared { reader: Some(Arc::clone(&reader)), folder, identity, peers, ..Shared::default() };
        let reader = Some(CloseOnDrop(reader));
        Self { reader, instance_lock: Some(instance_lock), shared, ..Self::new(access, origin) }
    }

    /// Writes entries in one transaction, in order; returns the result of each.
    ///
    /// # Errors
    ///
    /// No entry was written; but [`JournalError::Replaced`] can follow the commit: then the entries
    /// are in a file that the next start may not find.
    pub(super) fn record(&mut self, entries: &[Write]) -> Result<EntryResults, JournalError> {
        // Checked before, to write no more into a file that was moved; and after the commit, because
        // the file can be moved until then.
        self.shared.identity.check()?;
        let mut written = self.try_record(entries, false);
        if matches!(&written, Err(fault) if fault.is_of_one_entry()) {
            written = self.try_record(entries, true);
        }
        let results = written.map_err(|fault| self.access.error(fault))?;
        self.shared.identity.check()?;
        Ok(results)
    }

    /// Writes all entries or none; `one_by_one`, an entry that cannot be written is left out.
    fn try_record(&mut self, entries: &[Write], one_by_one: bool) -> Result<EntryResults, Fault> {
        let origin = self.origin;
        let results = self.in_transaction(|batch, access| {
            let savepoint = |sql| if one_by_one { sql::execute(&access.conn, sql, []).map(drop) } else { Ok(()) };
            let mut results = Vec::with_capacity(entries.len());
            for entry in entries {
                savepoint("SAVEPOINT entry")?;
                match batch.write(origin, entry) {
                    Ok(()) => results.push(Ok(())),
                    Err(fault) if one_by_one && fault.is_of_one_entry() => {
                        savepoint("ROLLBACK TO entry")?;
                        batch.cache.clear();
                        results.push(Err(access.error(fault)));
                    }
                    Err(fault) => return Err(fault),
                }
                savepoint("RELEASE entry")?;
            }
            Ok(results)
        })?;
        self.shared.committed.notify_one();
        Ok(results)
    }

    fn begin(&self) -> Result<Writing<'_>, Fault> {
        let is_hurried = || self.shared.is_hurried.load(Ordering::Relaxed);
        sql::begin(&self.access.conn, || if is_hurried() { HURRIED_TIMEOUT } else { BUSY_TIMEOUT })
    }

    /// Does work in one transaction, notifies other programs, and updates the query cache.
    fn in_transaction<T>(
        &mut self,
        work: impl FnOnce(&mut Batch<'_>, &Access) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        // Taken out, so that nothing of a failed transaction stays in the cache.
        let mut cache = std::mem::take(&mut self.cache);
        let transaction = self.begin()?;
        cache.refresh(&transaction)?;
        let mut batch = Batch::new(Store { conn: &transaction, key: self.access.store }, &mut cache);
        let done = work(&mut batch, &self.access)?;
        let changes = batch.finish()?;
        transaction.commit()?;
        self.cache = cache;
        self.signal();
        for change in changes {
            self.access.cache.apply(change);
        }
        Ok(done)
    }

    /// Notifies other programs of a write.
    fn signal(&self) {
        if let Some(instance_lock) = &self.instance_lock {
            instance_lock.signal();
        }
    }

    /// Returns whether other programs have written since the last call.
    pub(super) fn was_changed_by_others(&mut self) -> bool {
        // If this fails, the lookup that follows fails as well and says why.
        self.access.cache.was_changed_by_others(&self.access.conn).unwrap_or(true)
    }

    /// Ends the open operations of ended programs, as opening does; returns whether plants of this
    /// store became unknown. Does not wait long for another writer.
    pub(super) fn end_orphans(&mut self, now: Timestamp) -> Result<bool, JournalError> {
        self.try_end_orphans(now).map_err(|fault| self.access.error(fault))
    }

    fn try_end_orphans(&mut self, now: Timestamp) -> Result<bool, Fault> {
        // Other programs on this machine have operations in flight, or had when they ended.
        let are_busy = sql::value(
            &self.access.conn,
            "SELECT EXISTS (SELECT 1 FROM operation WHERE outcome IS NULL
             AND origin IN (SELECT g.id FROM origin g JOIN member m ON m.id = g.member WHERE m.own AND g.origin <> ?1))",
            [self.origin.cast_signed()],
        )?;
        let Some(folder) = self.access.path.parent().filter(|_| are_busy) else { return Ok(false) };
        let transaction = sql::begin(&self.access.conn, || Duration::ZERO)?;
        let store = Store { conn: &transaction, key: self.access.store };
        let unknown = orphans::end_orphans(store, folder, self.origin, now)?;
        transaction.commit()?;
        self.access.cache.invalidate_position();
        self.cache.clear();
        self.signal();
        Ok(!unknown.is_empty())
    }

    /// Returns the plants that earlier runs of the check left, with their reports, and the ids in use that a check needs.
    /// Ignores runs of other programs that are alive: they may still be checking.
    pub(super) fn before_check(&mut self) -> Result<EarlierRuns, JournalError> {
        let (left, reports, rows) = self.access.read(|store, _| {
            let rows = plant_list::rows(store, FIXED_IDS.into_iter().map(|id| id.0))?;
            let left = checks::leftovers(store)?;
            let most = if left.is_empty() { 0 } else { EARLIER_REPORTS };
            Ok((left, checks::runs(store.conn, Some(store.key), most)?, rows))
        })?;
        let folder = self.access.path.parent().filter(|_| self.access.is_on_disk);
        let is_over =
            |origin| origin == self.origin || folder.is_some_and(|folder| !process_locks::is_alive(folder, origin));
        let left = left.into_iter().filter(|(origin, _)| is_over(*origin));
        let taken = rows.into_iter().map(|row| row.id).collect();
        Ok(EarlierRuns { leftovers: left.map(|(_, leftover)| leftover).collect(), reports, taken })
    }

    /// Trims the next stretch of exchanges, or only counts them: see [`super::Journal::trim`]. A stretch begins after
    /// one row.
    pub(super) fn trim(&mut self, old: Old, after: i64, only_count: bool) -> Result<Trimmed, JournalError> {
        if only_count {
            return self.access.read(move |store, _| history::trim(store, old, after, true));
        }
        let attempt = || -> Result<Trimmed, Fault> {
            let transaction = self.begin()?;
            let trimmed = history::trim(Store { conn: &transaction, key: self.access.store }, old, after, false)?;
            transaction.commit()?;
            Ok(trimmed)
        };
        let trimmed = attempt().map_err(|fault| self.access.error(fault))?;
        if trimmed.exchanges > 0 {
            self.signal();
        }
        // Trimming may have removed cached heads.
        self.cache.clear();
        self.shared.identity.check()?;
        Ok(trimmed)
    }

    /// Does work on entries of the team in one transaction.
    pub(super) fn in_batch<T>(
        &mut self,
        work: impl FnOnce(&mut Batch<'_>) -> Result<T, Fault>,
    ) -> Result<T, JournalError> {
        self.shared.identity.check()?;
        let done = self.in_transaction(|batch, _| work(batch));
        let done = done.map_err(|fault| self.access.error(fault))?;
        self.shared.identity.check()?;
        Ok(done)
    }

    /// Leaves the log beside the journal when it is closed, if it is short.
    pub(super) fn keep_log(&mut self) {
        let path = &self.access.path;
        if files::has_tables(path) && files::log_length(path) <= SHORT_LOG {
            self.leave_log();
        }
    }

    fn leave_log(&self) {
        // If this fails, `SQLite` moves the log into the journal and removes it, also if it is another program's.
        let _ = self.access.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    }

    /// Closes the reader, releases the instance lock and closes the file.
    pub(super) fn close(mut self) {
        drop(self.reader.take());
        if self.shared.identity.has_strange_companion() {
            self.leave_log();
        }
        let Some(instance_lock) = self.instance_lock.take() else { return };
        // Held until the lock file is gone: see the top of `process_locks`.
        if let Ok(_transaction) = sql::begin(&self.access.conn, || Duration::ZERO) {
            instance_lock.release();
        }
        // The last connection moves the log into the journal.
        let _stays = stay();
        drop(self.access);
    }
}
