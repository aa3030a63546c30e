//! One connection to the journal, the store it asks about, and what it found before.
//!
//! The writer has one that reads and writes; the reader of a journal on disk has another.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::error::JournalError;
use super::fault::Fault;
use super::identity::{Identity, Still};

use super::locks::BUSY_TIMEOUT;
use super::windows::QueryCache;
use super::{inspect, search};

/// What looks something up: it is given a connection inside one snapshot, the key of the store,
/// and what that connection found before.
pub(super) trait Question<T>:
    FnOnce(&Connection, i64, &mut QueryCache) -> Result<T, Fault> + Send + 'static
{
}

impl<T, F> Question<T> for F where F: FnOnce(&Connection, i64, &mut QueryCache) -> Result<T, Fault> + Send + 'static {}

/// A connection with all that belongs to it.
#[derive(Debug)]
pub(super) struct Access {
    pub(super) conn: Connection,
    pub(super) path: PathBuf,
    pub(super) is_on_disk: bool,
    /// The key of the store.
    pub(super) store: i64,
    pub(super) cache: QueryCache,
    /// The file as it was when it was opened, where it is read without locks.
    pub(super) still: Option<Still>,
}

impl Access {
    /// Another connection to a journal that this program has open and is alive in; it only reads.
    /// Never another file than the open ones: `identity` is theirs.
    pub(super) fn reading(path: &Path, store: i64, identity: Option<&Identity>) -> Result<Self, JournalError> {
        let check = || identity.map_or(Ok(()), Identity::check);
        let attempt = || -> Result<Self, Fault> {
            check()?;
            // For writing as well: one that reads only could not bring the log in order.
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let conn = Connection::open_with_flags(path, flags)?;
            conn.busy_timeout(BUSY_TIMEOUT)?;
            conn.pragma_update(None, "query_only", true)?;
            inspect::distrust(&conn)?;
            search::prepare(&conn)?;
            let cache = QueryCache::of(&conn)?;
            check()?;
            Ok(Self { conn, path: path.to_path_buf(), is_on_disk: true, store, cache, still: None })
        };
        attempt().map_err(|fault| fault.told(path))
    }

    /// Answers in one snapshot, so that what belongs together fits together.
    pub(super) fn read<T>(&mut self, question: impl Question<T>) -> Result<T, JournalError> {
        let (conn, cache) = (&self.conn, &mut self.cache);
        let response = conn
            .unchecked_transaction()
            .map_err(Fault::from)
            .and_then(|snapshot| question(&snapshot, self.store, cache));
        // What else could be wrong with it comes of that.
        self.still.as_ref().map_or(Ok(()), Still::check)?;
        response.map_err(|fault| self.tell(fault))
    }

    /// The error to tell. Damage is noted, so that the next start rebuilds the journal.
    pub(super) fn tell(&self, fault: Fault) -> JournalError {
        if self.is_on_disk { fault.told(&self.path) } else { fault.at(&self.path) }
    }
}
