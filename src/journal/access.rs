//! One connection to the journal, with the key of its store and its query cache.
//!
//! The writer has one that reads and writes; the reader of a journal on disk has another.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::error::JournalError;
use super::fault::Fault;
use super::identity::{FileStamp, Identity};
use super::locks::BUSY_TIMEOUT;
use super::sql::Store;
use super::windows::QueryCache;
use super::{inspect, search, sql};

/// A function that reads a store inside one snapshot, given the query cache of the connection.
pub(super) trait Lookup<T>: FnOnce(Store<'_>, &mut QueryCache) -> Result<T, Fault> + Send + 'static {}

impl<T, F> Lookup<T> for F where F: FnOnce(Store<'_>, &mut QueryCache) -> Result<T, Fault> + Send + 'static {}

#[derive(Debug)]
pub(super) struct Access {
    pub(super) conn: Connection,
    pub(super) path: PathBuf,
    pub(super) is_on_disk: bool,
    /// The key of the store.
    pub(super) store: i64,
    pub(super) cache: QueryCache,
    /// The state of the file at opening, if it is read without locks.
    pub(super) stamp: Option<FileStamp>,
}

/// Connects to a journal on disk for lookups alone.
pub(super) fn connect(path: &Path) -> Result<Connection, Fault> {
    // A connection that is opened read-only could not recover the log.
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.pragma_update(None, "query_only", true)?;
    inspect::distrust_schema(&conn)?;
    Ok(conn)
}

impl Access {
    /// Opens a second connection, for lookups alone, to a journal that this program has open.
    ///
    /// # Errors
    ///
    /// [`JournalError::Replaced`] if the path leads to other files than those of `identity`.
    pub(super) fn for_lookups(path: &Path, store: i64, identity: &Identity) -> Result<Self, JournalError> {
        let attempt = || -> Result<Self, Fault> {
            identity.check()?;
            let conn = connect(path)?;
            sql::keep_statements(&conn)?;
            search::prepare(&conn)?;
            let cache = QueryCache::of(&conn)?;
            identity.check()?;
            Ok(Self { conn, path: path.to_path_buf(), is_on_disk: true, store, cache, stamp: None })
        };
        attempt().map_err(|fault| fault.at_and_mark(path))
    }

    /// Runs a lookup in one snapshot.
    pub(super) fn read<T>(&mut self, lookup: impl Lookup<T>) -> Result<T, JournalError> {
        let snapshot = self.conn.unchecked_transaction().map_err(Fault::from);
        let found = snapshot.and_then(|snapshot| lookup(Store { conn: &snapshot, key: self.store }, &mut self.cache));
        // Checked first: a change of the file can cause any other error.
        self.stamp.as_ref().map_or(Ok(()), FileStamp::check)?;
        found.map_err(|fault| self.error(fault))
    }

    /// Converts a fault, and marks a damaged journal, so that the next start rebuilds it.
    pub(super) fn error(&self, fault: Fault) -> JournalError {
        if self.is_on_disk { fault.at_and_mark(&self.path) } else { fault.at(&self.path) }
    }
}
