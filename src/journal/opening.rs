//! Opens a journal: on disk, in memory or read-only. Sets a damaged one aside and rebuilds it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::access::Access;
use super::database::Database;
use super::error::JournalError;
use super::fault::Fault;
use super::identity::Identity;
use super::locks::BUSY_TIMEOUT;
use super::orphans::end_orphans;
use super::place::Place;
use super::salvage::{self, SetAside};
use super::schema::VERSION;
use super::sql::Store;
use super::windows::QueryCache;
use super::{files, inspect, process_locks, read_only, schema, sql, validity};
use crate::domain::{Row, Timestamp};
use crate::os::files::FileId;

/// The time-out for other programs that rebuild the journal.
const REBUILD_TIMEOUT: Duration = Duration::from_secs(60);

/// An opened journal, and the notices of its opening.
#[derive(Debug)]
pub struct Opened<T> {
    pub journal: T,
    /// The plants of this store that became unknown because their program ended.
    pub orphans: Vec<Row>,
    /// The damaged journal that was replaced.
    pub set_aside: Option<SetAside>,
    /// The log of a read-only journal, if it cannot be read: its entries are missing.
    pub left_out: Option<PathBuf>,
}

impl<T> Opened<T> {
    pub(super) fn new(journal: T) -> Self {
        Self { journal, orphans: Vec::new(), set_aside: None, left_out: None }
    }
}

/// Opens the journal at a place for one store and one running program.
pub(super) fn open(place: &Place, store: &str, origin: u64, now: Timestamp) -> Result<Opened<Database>, JournalError> {
    let folder = match place {
        Place::Memory => return open_in_memory(store, origin),
        Place::Folder(folder) => folder,
        Place::ReadOnly(folder) => {
            let (access, left_out) = read_only::open(folder, store)?;
            return Ok(Opened { left_out, ..Opened::new(Database::new(access, origin)) });
        }
    };
    let path = files::file_in(folder);
    files::prepare(folder)?;
    let opened = {
        let _gate = process_locks::gate(folder, File::try_lock_shared, REBUILD_TIMEOUT)?;
        files::remove_leftover_copies(folder);
        // A program may have been killed before it moved the rebuilt journal to its path.
        let opened = (!files::is_rebuilt(&path)).then(|| open_file(folder, store, origin, now));
        match opened {
            None | Some(Err(JournalError::Corrupt { .. })) => None,
            // Opening does not read the damaged place again.
            Some(Ok(opened)) if files::is_marked_damaged(&path) => Some(opened),
            Some(result @ (Ok(_) | Err(_))) => return result,
        }
    };
    // No program can open the journal from here on; some may have it open, this program among them.
    let timeout = if opened.is_some() { Duration::ZERO } else { REBUILD_TIMEOUT };
    let _gate = match process_locks::gate(folder, File::try_lock, timeout) {
        Ok(gate) => gate,
        Err(busy) => return opened.ok_or(busy),
    };
    if let Some(opened) = opened {
        opened.journal.close();
    }
    let is_in_use = process_locks::remove_dead_locks(folder, None);
    if files::is_rebuilt(&path) {
        if is_in_use {
            return Err(JournalError::Corrupt { path });
        }
        files::install_rebuilt(&path)?;
    }
    match open_file(folder, store, origin, now) {
        Err(JournalError::Corrupt { .. }) if !is_in_use => {}
        Ok(opened) if !is_in_use && files::is_marked_damaged(&path) => opened.journal.close(),
        // Another program has rebuilt the journal, or works with the damaged one.
        result @ (Ok(_) | Err(_)) => return result,
    }
    // A disk that cannot be read now may be readable later: the journal must not be replaced then.
    files::can_be_read(&path)?;
    let rebuilding = files::begin_rebuilding(&path)?;
    let saved = salvage::rebuild(&path, &rebuilding).map_err(|fault| fault.at(&rebuilding))?;
    files::can_be_read(&path)?;
    files::mark_damaged(&path);
    let set_aside = files::install(&path, &rebuilding)?.map(|path| SetAside { path, saved });
    files::remove_leftover_copies(folder);
    open_file(folder, store, origin, now).map(|opened| Opened { set_aside, ..opened })
}

fn open_in_memory(store: &str, origin: u64) -> Result<Opened<Database>, JournalError> {
    let path = PathBuf::from(":memory:");
    let attempt = || -> Result<Access, Fault> {
        let conn = Connection::open_in_memory()?;
        inspect::prepare_for_writing(&conn, &path)?;
        schema::create(&conn, VERSION)?;
        let (store, cache) = (schema::store_key(&conn, store)?, QueryCache::of(&conn)?);
        Ok(Access { conn, path: path.clone(), is_on_disk: false, store, cache, stamp: None })
    };
    let access = attempt().map_err(|fault| fault.at(&path))?;
    Ok(Opened::new(Database::new(access, origin)))
}

fn open_file(folder: &Path, store: &str, origin: u64, now: Timestamp) -> Result<Opened<Database>, JournalError> {
    let path = files::file_in(folder);
    files::check(&path)?;
    let attempt = || -> Result<Opened<Database>, Fault> {
        let before = FileId::at(&path);
        let conn = Connection::open_with_flags(
            &path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        if conn.is_readonly("main")? {
            // `SQLite` falls back to reading, and would fail at the first write only.
            return Err(JournalError::ReadOnly { path: path.clone() }.into());
        }
        conn.busy_timeout(BUSY_TIMEOUT)?;
        inspect::prepare_for_writing(&conn, &path)?;
        files::make_private(&path);
        let transaction = sql::begin(&conn, || BUSY_TIMEOUT)?;
        let identity = Identity::of_open(&path, before)?;
        create_or_migrate(&transaction, folder, &path)?;
        let store = Store { conn: &transaction, key: schema::store_key(&transaction, store)? };
        validity::check_list(store)?;
        let instance_lock = process_locks::acquire(folder, origin)?;
        let orphans = end_orphans(store, folder, origin, now)?;
        process_locks::remove_dead_locks(folder, Some(origin));
        let (path, cache, store) = (path.clone(), QueryCache::of(&transaction)?, store.key);
        transaction.commit()?;
        identity.check()?;
        instance_lock.signal();
        files::note_tables(&path);
        let access = Access { conn, path, is_on_disk: true, store, cache, stamp: None };
        let database = Database::on_disk(access, origin, instance_lock, identity);
        Ok(Opened { orphans, ..Opened::new(database) })
    };
    attempt().map_err(|fault| fault.at(&path))
}

/// Gives the file the tables of this version. Called in a write transaction: of two programs that start at once, one does
/// it.
///
/// # Errors
///
/// As [`inspect::version`]: another program may have written the file since [`inspect::prepare_for_writing`].
/// [`JournalError::InUse`]: one of an older release would write rows as its own version has them.
fn create_or_migrate(conn: &Connection, folder: &Path, path: &Path) -> Result<(), Fault> {
    match inspect::version(conn, path)? {
        None => schema::create(conn, VERSION),
        Some(VERSION) => Ok(()),
        Some(_) if process_locks::remove_dead_locks(folder, None) => {
            let holder = "a plants of an older release".to_owned();
            Err(JournalError::InUse { path: path.to_path_buf(), holder }.into())
        }
        Some(version) => schema::migrate(conn, version),
    }
}
