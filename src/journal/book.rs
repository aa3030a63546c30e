//! The opened journal: one connection, one store, and this program's sign of life.
//!
//! Blocking throughout; only the owner's thread holds one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};

use super::access::{Access, Question};
use super::entries::{self, Entry, Shift};
use super::error::{Fault, JournalError};
use super::history::{self, Trimmed};
use super::identity::{FileId, Identity};
use super::instances::{self, Life, Note, Presence, Through};
use super::open::Open;
use super::reader::{Closing, Reader};
use super::unsent::Unsent;
use super::view::Bearings;
use super::{BUSY_TIMEOUT, Each, Place, SetAside, checks, files, read_only, salvage, schema, stored, view};
use crate::domain::check::{Beforehand, EarlierLeftover, FIXED_IDS};
use crate::domain::{Operation, Row, State, Timestamp};

/// How long others may take to rebuild the journal before somebody who opens it gives up.
const REBUILDING: Duration = Duration::from_secs(60);

/// How long whoever holds the door is waited for by what can be done another time.
pub(super) const SHORT_TIMEOUT: Duration = Duration::from_millis(50);

/// What became of each entry, and what shifted.
type Written = (Each, Vec<Shift>);

/// A way to write entries inside a transaction.
type WriteEntries = fn(&Book, &Connection, &mut Open, &[Entry]) -> Result<Written, Fault>;

/// Everything the owner needs. The reader closes before its connection does, and that before the
/// sign of life goes out.
#[derive(Debug)]
pub(super) struct Book {
    /// In memory there is none.
    reader: Option<Closing>,
    access: Access,
    open: Open,
    origin: u64,
    presence: Option<Presence>,
    /// The files that are open; in memory there are none.
    identity: Option<Arc<Identity>>,
    /// What never left, and what the file does not know to have ended.
    unsent: Unsent,
}

/// A book and what was noticed while it was opened.
#[derive(Debug)]
pub(super) struct Found {
    /// The book.
    pub(super) book: Book,
    /// Plants of this store that are in doubt because their program is gone.
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
    let path = files::journal_in(folder);
    files::prepare(folder)?;
    let found = {
        let _gate = instances::gate(folder, Through::Many, REBUILDING)?;
        // Somebody may have been killed who was about to put a rebuilt one in its place.
        let opened = (!files::is_rebuilt(&path)).then(|| open_file(folder, store, origin, now));
        match opened {
            None | Some(Err(JournalError::Corrupt { .. })) => None,
            // What could not be read before is not met by opening alone.
            Some(Ok(found)) if files::is_marked_damaged(&path) => Some(found),
            Some(settled @ (Ok(_) | Err(_))) => return settled,
        }
    };
    // From here on nobody opens it; but some may have it open, also in this program.
    let patience = if found.is_some() { Duration::ZERO } else { REBUILDING };
    let _gate = match instances::gate(folder, Through::One, patience) {
        Ok(gate) => gate,
        Err(busy) => return found.ok_or(busy),
    };
    if let Some(found) = found {
        found.book.close();
    }
    let alive = instances::judge_all_but(folder, None) == Life::Alive;
    if files::is_rebuilt(&path) {
        if alive {
            return Err(JournalError::Corrupt { path });
        }
        files::put_in_place(&path)?;
    }
    match open_file(folder, store, origin, now) {
        Err(JournalError::Corrupt { path }) if alive => return Err(JournalError::Corrupt { path }),
        Err(JournalError::Corrupt { .. }) => {}
        Ok(found) if !alive && files::is_marked_damaged(&path) => found.book.close(),
        // Somebody was faster, or others work with it as it is.
        settled @ (Ok(_) | Err(_)) => return settled,
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
    let attempt = || -> Result<(Connection, i64, Bearings), Fault> {
        let conn = Connection::open_in_memory()?;
        schema::make_ready(&conn, &path)?;
        schema::migrate(&conn, &path)?;
        let key = schema::store_key(&conn, store)?;
        let bearings = Bearings::of(&conn)?;
        Ok((conn, key, bearings))
    };
    let (conn, store, bearings) = attempt().map_err(|fault| fault.at(&path))?;
    let access = Access { conn, path, is_on_disk: false, store, bearings, still: None };
    Ok(Found { book: Book::new(access, origin), orphans: Vec::new(), set_aside: None, left_out: None })
}

fn open_to_read(folder: &Path, store: &str, origin: u64) -> Result<Found, JournalError> {
    let (access, left_out) = read_only::open(folder, store)?;
    Ok(Found { book: Book::new(access, origin), orphans: Vec::new(), set_aside: None, left_out })
}

fn open_file(folder: &Path, store: &str, origin: u64, now: Timestamp) -> Result<Found, JournalError> {
    let path = files::journal_in(folder);
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
        schema::make_ready(&conn, &path)?;
        files::make_private(&path);
        let door = Transaction::new_unchecked(&conn, TransactionBehavior::Immediate)?;
        let identity = Identity::of_open(&path, before)?;
        if schema::is_older(&door)? && instances::judge_all_but(folder, None) == Life::Alive {
            // It would go on writing as its release did.
            return Err(JournalError::OlderIsOpen { path: path.clone() }.into());
        }
        schema::migrate(&door, &path)?;
        let key = schema::store_key(&door, store)?;
        let presence = instances::enter(folder, origin)?;
        let Buried { orphans, notes } = end_what_the_dead_left(&door, folder, origin, key, now)?;
        instances::judge_all_but(folder, Some(origin));
        let (path, bearings) = (path.clone(), Bearings::of(&door)?);
        door.commit()?;
        identity.check()?;
        instances::remove_notes(&notes);
        presence.ring();
        let identity = Some(Arc::new(identity));
        let reader = Some(Closing(Arc::new(Reader::of(path.clone(), key, identity.clone()))));
        let access = Access { conn, path, is_on_disk: true, store: key, bearings, still: None };
        let book = Book { reader, presence: Some(presence), identity, ..Book::new(access, origin) };
        Ok(Found { book, orphans, set_aside: None, left_out: None })
    };
    attempt().map_err(|fault| fault.at(&path))
}

/// What came of ending what the dead left.
struct Buried {
    /// Rows of one store that are unknown because of it.
    orphans: Vec<Row>,
    /// Notes that are not needed once this is committed.
    notes: Vec<Note>,
}

/// Ends every open operation whose program is gone, in any store: as not sent where the program has
/// left a note that it never left, as unknown everywhere else.
fn end_what_the_dead_left(
    conn: &Connection,
    folder: &Path,
    own: u64,
    store: i64,
    now: Timestamp,
) -> Result<Buried, Fault> {
    let origins = stored::all(conn, "SELECT DISTINCT origin FROM operation WHERE outcome IS NULL", [], |found| {
        Ok(found.get::<_, i64>(0)?.cast_unsigned())
    })?;
    let left = format!(
        "SELECT {}, o.store FROM operation o WHERE o.origin = ?1 AND o.outcome IS NULL ORDER BY o.seq",
        stored::OPERATION
    );
    let is_gone = |origin: &u64| *origin != own && instances::judge(folder, *origin) == Life::Gone;
    let gone: Vec<_> = origins.iter().copied().filter(is_gone).collect();
    // Afterwards: a program that ends leaves its note before it is gone.
    let mut notes = instances::notes(folder);
    notes.retain(|note| gone.contains(&note.origin) || !origins.contains(&note.origin));
    let (mut touched, mut shifts, mut open) = (Vec::new(), Vec::new(), Open::default());
    for origin in gone {
        let operations = stored::all(conn, &left, params![origin.cast_signed()], |found| {
            Ok((stored::operation(found)?, found.get::<_, i64>("store")?))
        })?;
        for (operation, of_store) in operations {
            if of_store == store {
                touched.push(operation.ask.plant_id());
            }
            let has_left = !notes.iter().any(|note| note.is_unsent(operation.id));
            let end = if has_left { entries::interrupted(operation) } else { entries::withdrawn(operation) };
            shifts.extend(entries::ended(conn, &mut open, &end, now)?);
        }
    }
    entries::count(conn, &shifts)?;
    touched.sort_unstable();
    touched.dedup();
    let mut orphans = Vec::new();
    for id in touched {
        let row = stored::record(conn, store, id)?.and_then(|record| record.row());
        orphans.extend(row.filter(|row| row.state == State::Unknown));
    }
    Ok(Buried { orphans, notes })
}

impl Book {
    /// One that nobody else can see, with nothing beside its connection.
    fn new(access: Access, origin: u64) -> Self {
        let (open, unsent) = (Open::default(), Unsent::default());
        Self { reader: None, access, open, origin, presence: None, identity: None, unsent }
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
            self.open.forget();
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
            self.access.bearings.shift(shift);
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
        let mut open = std::mem::take(&mut self.open);
        open.look_around(&transaction)?;
        let (results, shifts) = write(self, &transaction, &mut open, entries)?;
        entries::count(&transaction, &shifts)?;
        if let Err(error) = transaction.commit() {
            // On a disk that fails from here on they may be there all the same.
            self.unsent.remember_intents(entries, &results);
            return Err(error.into());
        }
        self.open = open;
        self.ring();
        self.shift(shifts);
        Ok(results)
    }

    /// All or none.
    fn write_all(&self, conn: &Connection, open: &mut Open, entries: &[Entry]) -> Result<Written, Fault> {
        let mut shifts = Vec::new();
        for entry in entries {
            self.check_origin(entry)?;
            shifts.extend(entries::write(conn, open, self.access.store, entry)?);
        }
        Ok((vec![Ok(()); entries.len()], shifts))
    }

    /// Each by itself: one that cannot be kept takes no other with it.
    fn write_each(&self, conn: &Connection, open: &mut Open, entries: &[Entry]) -> Result<Written, Fault> {
        let savepoint = |sql| conn.prepare_cached(sql).and_then(|mut statement| statement.execute([]));
        let (mut results, mut shifts) = (Vec::with_capacity(entries.len()), Vec::new());
        for entry in entries {
            savepoint("SAVEPOINT entry")?;
            let written = self.check_origin(entry).and_then(|()| entries::write(conn, open, self.access.store, entry));
            match written {
                Ok(shift) => {
                    shifts.extend(shift);
                    results.push(Ok(()));
                }
                Err(fault) if fault.is_of_one_entry() => {
                    savepoint("ROLLBACK TO entry")?;
                    open.forget();
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
        if let Some(presence) = &self.presence {
            presence.ring();
        }
    }

    /// Whether other programs have written something since this was asked last.
    pub(super) fn was_changed_by_others(&mut self) -> bool {
        // If it cannot be read, whoever then looks is told why.
        self.access.bearings.was_changed_by_others(&self.access.conn).unwrap_or(true)
    }

    /// Ends what programs that are gone left open, as opening does. Whether plants of this store
    /// are in doubt because of it.
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
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM operation WHERE outcome IS NULL AND origin <> ?1)")?
            .query_row([self.origin.cast_signed()], |found| found.get::<_, bool>(0))?;
        let Some(folder) = self.access.path.parent().filter(|_| others_are_open) else { return Ok(false) };
        let door = Transaction::new_unchecked(&self.access.conn, TransactionBehavior::Immediate)?;
        let Buried { orphans, notes } = end_what_the_dead_left(&door, folder, self.origin, self.access.store, now)?;
        door.commit()?;
        instances::remove_notes(&notes);
        self.access.bearings.forget_landmark();
        self.open.forget();
        self.ring();
        Ok(!orphans.is_empty())
    }

    /// An operation of an origin without a sign of life would look like an orphan to others.
    fn check_origin(&self, entry: &Entry) -> Result<(), Fault> {
        match entry {
            Entry::Asked(Operation { id, .. }, _) if id.origin != self.origin => Err(Fault::Entry(format!(
                "operation {id} is not of this program ({:016x}): it was neither recorded nor sent",
                self.origin
            ))),
            Entry::Asked(..) | Entry::Ended(..) | Entry::Settled(..) | Entry::Checked(_) => Ok(()),
        }
    }

    /// What a check is to know first. Of what others left behind, only what a program did that is
    /// gone: one that lives may be checking.
    pub(super) fn before_check(&mut self) -> Result<Beforehand, JournalError> {
        let (left, never_planted, rows, in_vain) = self.read(|conn, store, _| {
            let rows = view::rows(conn, store, FIXED_IDS.into_iter().map(|id| id.0))?;
            let in_vain = checks::tried_in_vain(conn, store)?;
            Ok((checks::left(conn, store)?, checks::never_planted(conn, store)?, rows, in_vain))
        })?;
        let folder = self.access.path.parent().filter(|_| self.access.is_on_disk);
        let is_over = |origin| {
            origin == self.origin || folder.is_some_and(|folder| instances::judge(folder, origin) == Life::Gone)
        };
        let left = left.into_iter().filter(|(origin, _)| is_over(*origin)).map(|(_, leftover)| leftover);
        let leftovers: Vec<_> =
            left.map(|left| EarlierLeftover { in_vain: in_vain.contains(&left.id), ..left }).collect();
        let is_left = |id| leftovers.iter().any(|left| left.id == id);
        let taken = rows.into_iter().map(|row| row.id).filter(|id| !is_left(*id)).collect();
        let over = never_planted.into_iter().filter(|(origin, _)| is_over(*origin));
        let never_planted = over.map(|(_, gone)| gone).collect();
        Ok(Beforehand { leftovers, never_planted, taken })
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
        let Some(presence) = self.presence.take() else { return };
        let door =
            impatient.and_then(|()| Transaction::new_unchecked(&self.access.conn, TransactionBehavior::Immediate));
        if !self.unsent.is_empty() {
            presence.leave_note(&self.unsent.numbers());
        } else if door.is_ok() {
            // Leaving is politeness.
            presence.leave();
        }
    }

    /// For tests that let it rest.
    #[cfg(test)]
    pub(super) fn order(&mut self) -> Option<&mut super::arranged::Order> {
        self.access.bearings.order.as_mut()
    }

    /// For tests that put obstacles in its way.
    #[cfg(test)]
    pub(super) fn connection(&mut self) -> &mut Connection {
        &mut self.access.conn
    }
}
