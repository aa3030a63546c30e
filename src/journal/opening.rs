//! Opening a journal: on disk, in memory or to be read only; a damaged one is set aside.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::access::Access;
use super::database::Database;
use super::error::JournalError;
use super::fault::Fault;
use super::identity::{FileId, Identity};
use super::locks::BUSY_TIMEOUT;
use super::orphans::{EndedOrphans, end_orphans};
use super::place::Place;
use super::process_locks::{self, Liveness, Through};
use super::salvage::{self, SetAside};
use super::windows::QueryCache;
use super::{files, inspect, read_only, schema};
use crate::domain::{Row, Timestamp};

/// How long others may take to rebuild the journal before somebody who opens it gives up.
const REBUILDING: Duration = Duration::from_secs(60);

/// A database and what was noticed while it was opened.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) database: Database,
    /// Plants of this store that are unknown because their program is gone.
    pub(super) orphans: Vec<Row>,
    /// The damaged journal that made room for a new one.
    pub(super) set_aside: Option<SetAside>,
    /// The log that cannot be read and is left out.
    pub(super) left_out: Option<PathBuf>,
}

/// Opens the journal at a place for one store, and one running program.
pub(super) fn open(place: &Place, store: &str, origin: u64, now: Timestamp) -> Result<Found, JournalError> {
    let folder = match place {
        Place::Memory => return open_in_memory(store, origin),
        Place::Folder(folder) => folder,
        Place::ReadOnly(folder) => return open_to_read(folder, store, origin),
    };
    let path = files::file_in(folder);
    files::prepare(folder)?;
    let found = {
        let _gate = process_locks::gate(folder, Through::Many, REBUILDING)?;
        // Somebody may have been killed who was about to put a rebuilt one in its place.
        let opened = (!files::is_rebuilt(&path)).then(|| open_file(folder, store, origin, now));
        match opened {
            None | Some(Err(JournalError::Corrupt { .. })) => None,
            // What could not be read before is not met by opening alone.
            Some(Ok(found)) if files::is_marked_damaged(&path) => Some(found),
            Some(resolved @ (Ok(_) | Err(_))) => return resolved,
        }
    };
    // From here on nobody opens it; but some may have it open, also in this program.
    let patience = if found.is_some() { Duration::ZERO } else { REBUILDING };
    let _gate = match process_locks::gate(folder, Through::One, patience) {
        Ok(gate) => gate,
        Err(busy) => return found.ok_or(busy),
    };
    if let Some(found) = found {
        found.database.close();
    }
    let alive = process_locks::liveness_but_for(folder, None) == Liveness::Alive;
    if files::is_rebuilt(&path) {
        if alive {
            return Err(JournalError::Corrupt { path });
        }
        files::put_in_place(&path)?;
    }
    match open_file(folder, store, origin, now) {
        Err(JournalError::Corrupt { path }) if alive => return Err(JournalError::Corrupt { path }),
        Err(JournalError::Corrupt { .. }) => {}
        Ok(found) if !alive && files::is_marked_damaged(&path) => found.database.close(),
        // Somebody was faster, or others work with it as it is.
        resolved @ (Ok(_) | Err(_)) => return resolved,
    }
    // What only cannot be read for now must not be given up.
    files::can_be_read(&path)?;
    let rebuilding = files::begin_rebuilding(&path)?;
    let saved = salvage::rebuild(&path, &rebuilding).map_err(|fault| fault.at(&rebuilding))?;
    files::can_be_read(&path)?;
    let aside = SetAside { path: files::end_rebuilding(&path, &rebuilding, now)?, saved };
    open_file(folder, store, origin, now).map(|found| Found { set_aside: Some(aside), ..found })
}

fn open_in_memory(store: &str, origin: u64) -> Result<Found, JournalError> {
    let path = PathBuf::from(":memory:");
    let attempt = || -> Result<(Connection, i64, QueryCache), Fault> {
        let conn = Connection::open_in_memory()?;
        inspect::make_ready(&conn, &path)?;
        inspect::create_tables(&conn, &path)?;
        let key = schema::store_key(&conn, store)?;
        let cache = QueryCache::of(&conn)?;
        Ok((conn, key, cache))
    };
    let (conn, store, cache) = attempt().map_err(|fault| fault.at(&path))?;
    let access = Access { conn, path, is_on_disk: false, store, cache, still: None };
    Ok(Found { database: Database::new(access, origin), orphans: Vec::new(), set_aside: None, left_out: None })
}

fn open_to_read(folder: &Path, store: &str, origin: u64) -> Result<Found, JournalError> {
    let (access, left_out) = read_only::open(folder, store)?;
    Ok(Found { database: Database::new(access, origin), orphans: Vec::new(), set_aside: None, left_out })
}

fn open_file(folder: &Path, store: &str, origin: u64, now: Timestamp) -> Result<Found, JournalError> {
    let path = files::file_in(folder);
    if files::is_too_short(&path) {
        return Err(JournalError::Corrupt { path });
    }
    let attempt = || -> Result<Found, Fault> {
        let before = FileId::at(&path);
        let conn = Connection::open_with_flags(
            &path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        if conn.is_readonly("main")? {
            // `SQLite` makes do with reading, and would say so at the first write only.
            return Err(JournalError::ReadOnly { path: path.clone() }.into());
        }
        conn.busy_timeout(BUSY_TIMEOUT)?;
        inspect::make_ready(&conn, &path)?;
        files::make_private(&path);
        let transaction = Transaction::new_unchecked(&conn, TransactionBehavior::Immediate)?;
        let identity = Identity::of_open(&path, before)?;
        inspect::create_tables(&transaction, &path)?;
        let key = schema::store_key(&transaction, store)?;
        let instance_lock = process_locks::enter(folder, origin)?;
        let EndedOrphans { unknown, notes } = end_orphans(&transaction, folder, origin, key, now)?;
        process_locks::liveness_but_for(folder, Some(origin));
        let (path, cache) = (path.clone(), QueryCache::of(&transaction)?);
        transaction.commit()?;
        identity.check()?;
        process_locks::remove_notes(&notes);
        instance_lock.ring();
        let access = Access { conn, path, is_on_disk: true, store: key, cache, still: None };
        let database = Database::on_disk(access, origin, instance_lock, identity);
        Ok(Found { database, orphans: unknown, set_aside: None, left_out: None })
    };
    attempt().map_err(|fault| fault.at(&path))
}
