//! Writes entries, and updates the plants that they change.
//!
//! Everything here runs inside a write transaction, so that no other program changes a plant between
//! its read and its write. What an entry means for a plant is decided by [`Fold`] alone.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::params;

use super::codes::Kind;
use super::entries::{self, Part, Stamp};
use super::error::JournalError;
use super::fault::Fault;
use super::plants::{self, MANY, Shared, StoredPlant};
use super::sql::Store;
use super::write_cache::WriteCache;
use super::{checks, sql, stored};
use crate::check::Report;
use crate::domain::{
    BodyEnd, Decided, Details, Ending, Exchange, FailureKind, Fold, MemberId, Operation, OperationId, OperationKind,
    Others, PlantEntry, PlantEvent, PlantId, Position, Resolution, State, Timestamp, UnlistedReason,
};

/// The number of bytes of a response's body that are stored at most: 64 KiB.
pub(super) const MAX_STORED_BODY: usize = 64 * 1024;

/// The results of entries that were written together.
pub type EntryResults = Vec<Result<(), JournalError>>;

/// The state that a plant must have for the intent to add it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Any state.
    None,
    /// Not in the list, or in one of these states.
    MissingOr { unknown: bool, stored: bool },
}

impl Condition {
    /// Not in the list.
    pub const MISSING: Self = Self::MissingOr { unknown: false, stored: false };

    fn allows(self, state: Option<State>) -> bool {
        match (self, state) {
            (Self::None, _) | (Self::MissingOr { .. }, None) => true,
            (Self::MissingOr { unknown, .. }, Some(State::Unknown)) => unknown,
            (Self::MissingOr { stored, .. }, Some(State::Stored)) => stored,
            (Self::MissingOr { .. }, Some(State::Adding | State::Deleting)) => false,
        }
    }
}

/// What this program writes.
#[derive(Debug)]
pub(super) enum Write {
    /// The intent to send an operation; an add only if its plant meets the condition.
    Intent(Operation, Condition),
    /// The end of an operation.
    End(Arc<Exchange>, Timestamp),
    /// A person's resolution of a plant: see [`super::Journal::resolve`].
    Resolution(Decided, Resolution, Timestamp),
    /// The report of a contract check.
    CheckRun(Box<Report>),
}

/// The change of a plant's state. `None` stands for a plant that is not in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StateChange {
    pub(super) id: PlantId,
    pub(super) before: Option<State>,
    pub(super) after: Option<State>,
    /// Whether the change is the intent to add the plant.
    is_added: bool,
}

/// Entries of a store that are written in one transaction.
pub(super) struct Batch<'a> {
    pub(super) store: Store<'a>,
    pub(super) cache: &'a mut WriteCache,
    changes: Vec<StateChange>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(store: Store<'a>, cache: &'a mut WriteCache) -> Self {
        Self { store, cache, changes: Vec::new() }
    }

    /// Updates the tally with all changes, and returns them. Once for a whole batch, so that counting
    /// needs neither a scan nor many writes.
    pub(super) fn finish(self) -> Result<Vec<StateChange>, Fault> {
        let (mut counts, mut largest) = ([0_i64; 4], None);
        for StateChange { id, before, after, is_added } in &self.changes {
            for (count, state) in counts.iter_mut().zip(State::ALL.map(Some)) {
                *count += i64::from(*after == state) - i64::from(*before == state);
            }
            largest = largest.max(is_added.then_some(*id));
        }
        if !self.changes.is_empty() {
            let [stored, unknown, adding, deleting] = counts;
            sql::execute(
                self.store.conn,
                "INSERT INTO tally (store, stored, unknown, adding, deleting, largest_added)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (store) DO UPDATE SET stored = stored + excluded.stored,
                 unknown = unknown + excluded.unknown, adding = adding + excluded.adding,
                 deleting = deleting + excluded.deleting,
                 largest_added = max(coalesce(largest_added, ?6), coalesce(?6, largest_added))",
                params![self.store.key, stored, unknown, adding, deleting, largest],
            )?;
        }
        self.cache.store_shared(self.store)?;
        Ok(self.changes)
    }

    /// Writes one entry of the program with this origin.
    pub(super) fn write(&mut self, origin: u64, write: &Write) -> Result<(), Fault> {
        match write {
            // Other programs would take an operation of an origin without instance lock for an orphan.
            Write::Intent(Operation { id, .. }, _) if id.origin != origin => {
                Err(Fault::Entry(JournalError::Foreign { operation: *id, origin }))
            }
            Write::Intent(operation, condition) => self.intend(operation, *condition),
            Write::End(exchange, at) => self.end(exchange, *at),
            Write::Resolution(seen, resolution, at) => {
                let before = self.before(seen.id)?;
                if !before.fold.is_unchanged(seen, self.cache.others(self.store)?) {
                    return Err(Fault::Entry(JournalError::Overtaken));
                }
                let stamp = self.cache.own(self.store)?.next();
                self.resolve(before, (*resolution, *at), stamp)
            }
            Write::CheckRun(report) => checks::insert_report(self.store, origin, report),
        }
    }

    fn intend(&mut self, operation: &Operation, condition: Condition) -> Result<(), Fault> {
        let id = operation.kind.plant_id();
        if let Some(probe) = &operation.probe {
            let own = *self.cache.own(self.store)?;
            let key = self.insert_operation(operation, None, own.key)?;
            self.cache.operations.insert(operation.id, (key, own.member));
            return checks::insert_probe(self.store.conn, key, operation, probe);
        }
        // An add of a plant that must be missing needs no look at the plant: inserting its row shows it.
        let is_shown_by_insert = condition == Condition::MISSING && self.cache.others(self.store)?.authors.is_empty();
        let before = match &operation.kind {
            OperationKind::Add(_) if is_shown_by_insert && operation.seen.is_none() => StoredPlant::new(id),
            OperationKind::Add(_) | OperationKind::Delete(_) => self.before(id)?,
        };
        let is_allowed = matches!(operation.kind, OperationKind::Delete(_)) || condition.allows(before.fold.state());
        if !is_allowed || operation.seen.as_ref().is_some_and(|seen| **seen != before.fold.seen()) {
            return Err(Fault::Entry(JournalError::Overtaken));
        }
        let stamp = self.cache.own(self.store)?.next();
        self.insert_intent(operation, before, stamp)
    }

    /// Writes the intent of another member of the team.
    pub(super) fn intend_as(&mut self, operation: &Operation, stamp: Stamp) -> Result<(), Fault> {
        let id = operation.kind.plant_id();
        if plants::has_any(self.store, (id, id))? {
            let before = self.before(id)?;
            return self.insert_intent(operation, before, stamp);
        }
        self.cache.shared.insert(id, Shared::new(id));
        let written = self.insert_intent(operation, StoredPlant::new(id), stamp);
        if written.is_err() {
            self.cache.shared.remove(&id);
        }
        written
    }

    fn insert_intent(&mut self, operation: &Operation, before: StoredPlant, stamp: Stamp) -> Result<(), Fault> {
        let key = self.insert_operation(operation, before.fold.name_and_tag(), stamp.key)?;
        match stamp.position {
            None => drop(self.cache.operations.insert(operation.id, (key, stamp.member))),
            Some(_) => drop(self.cache.requested.insert((stamp.key, operation.id), (key, operation.clone()))),
        }
        entries::append(self.store, operation.kind.plant_id(), stamp, ("operation", &key, None))?;
        self.fold(before, &stamp.entry(PlantEvent::Intent(operation.clone())))
    }

    /// Writes the details of an intent of the member with this key; those of a delete have name and tag that the plant
    /// has in the list, because the row is gone after it. Returns the key.
    pub(super) fn insert_operation(
        &mut self,
        operation: &Operation,
        listed: Option<(&str, &str)>,
        member: i64,
    ) -> Result<i64, Fault> {
        let (kind, details) = match &operation.kind {
            OperationKind::Add(plant) => (Kind::Add, Some((plant.name.as_str(), plant.tag.as_str()))),
            OperationKind::Delete(_) => (Kind::Delete, listed),
        };
        let OperationId { origin, number } = operation.id;
        let origin = self.cache.origin(self.store.conn, origin, member)?;
        let written = sql::execute(
            self.store.conn,
            "INSERT INTO operation (store, origin, number, kind, plant_id, name, tag, requested_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (origin, number) DO NOTHING",
            params![
                self.store.key,
                origin,
                number,
                kind,
                operation.kind.plant_id(),
                details.map(|(name, _)| name),
                details.map(|(_, tag)| tag),
                operation.requested_at,
            ],
        )?;
        match written {
            0 => Err(Fault::Entry(JournalError::Repeated(operation.id))),
            _ => Ok(self.store.conn.last_insert_rowid()),
        }
    }

    /// Writes the exchange of an operation of this journal, also of one that has ended: [`Fold`] decides whether a
    /// late response changes anything.
    pub(super) fn end(&mut self, exchange: &Exchange, at: Timestamp) -> Result<(), Fault> {
        let OperationId { origin, number } = exchange.operation.id;
        let found = match self.cache.operations.remove(&exchange.operation.id) {
            Some(found) => Some(found),
            None => {
                let own = "SELECT o.seq, m.journal FROM origin g JOIN operation o ON o.origin = g.id AND o.number = ?2
                    JOIN member m ON m.id = g.member WHERE g.origin = ?1 AND m.own AND o.store = ?3";
                let values = params![origin.cast_signed(), number, self.store.key];
                sql::one(self.store.conn, own, values, |row| Ok((row.get(0)?, row.get(1)?)))?
            }
        };
        let Some((operation, of)) = found else {
            return Err(Fault::Entry(JournalError::NotRequested(exchange.operation.id)));
        };
        if let Some(probe) = &exchange.operation.probe {
            self.insert_exchange(operation, exchange, at)?;
            let kind = &exchange.operation.kind;
            return checks::end_probe(self.store, operation, (kind, probe), exchange.outcome());
        }
        let stamp = self.cache.own(self.store)?.next();
        self.end_as((operation, of), exchange, at, stamp)
    }

    /// Writes the exchange of an operation with this key, which a member requested.
    pub(super) fn end_as(
        &mut self,
        (operation, of): (i64, MemberId),
        exchange: &Exchange,
        at: Timestamp,
        stamp: Stamp,
    ) -> Result<(), Fault> {
        let Operation { id, kind, .. } = &exchange.operation;
        let (outcome, plant) = (exchange.outcome(), kind.plant_id());
        // Read while the operation is open: the state may depend on it.
        let before = self.before(plant)?;
        self.insert_exchange(operation, exchange, at)?;
        entries::append(self.store, plant, stamp, ("exchange", &self.store.conn.last_insert_rowid(), None))?;
        if let Some(reason) = UnlistedReason::by(kind, outcome) {
            let details = "SELECT name, tag FROM operation WHERE seq = ?1";
            let details = sql::one(self.store.conn, details, [operation], stored::listed_details)?;
            self.insert_unlisted(plant, details.flatten(), reason, at)?;
        }
        self.fold(before, &stamp.entry(PlantEvent::End { operation: *id, of, outcome, at }))
    }

    /// Writes the details of the end of an operation with this key.
    fn insert_exchange(&mut self, operation: i64, exchange: &Exchange, at: Timestamp) -> Result<(), Fault> {
        let update = "UPDATE operation SET outcome = ?2 WHERE seq = ?1";
        sql::execute(self.store.conn, update, params![operation, exchange.outcome()])?;
        let Exchange { operation: Operation { kind, requested_at, .. }, request, ending, started, elapsed, phases } =
            exchange;
        let plant = kind.plant_id();
        let (conn, heads) = (self.store.conn, &mut self.cache.heads);
        let (response, failure) = match ending {
            Ending::Responded(response) => (Some(response), None),
            Ending::Failed(failure) => (None, Some(failure)),
        };
        let whole = response.filter(|response| response.body_end != BodyEnd::Trimmed);
        let body = whole.map(|response| response.body.get(..MAX_STORED_BODY).unwrap_or(&response.body));
        let micros = |phase: Option<Duration>| phase.map(stored::as_micros);
        sql::execute(
            self.store.conn,
            "INSERT INTO exchange (operation, store, plant_id, outcome, status, failure, detail, at, started, elapsed_us,
                name_us, connection_us, tls_us, waiting_us, reading_us,
                request, request_body, line, headers, body, body_end)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)",
            params![
                operation,
                self.store.key,
                plant,
                exchange.outcome(),
                exchange.status(),
                failure.map(|failure| failure.kind),
                failure.map(|failure| &failure.detail).filter(|detail| !detail.is_empty()),
                at,
                started.0.wrapping_sub(requested_at.0),
                stored::as_micros(*elapsed),
                micros(phases.name),
                micros(phases.connection),
                micros(phases.tls),
                micros(phases.waiting),
                micros(phases.reading),
                request.as_ref().map(|request| heads.key(conn, stored::to_json(request)?)).transpose()?,
                request.as_ref().map(|request| &request.body),
                response.map(|response| heads.key(conn, stored::to_json(&(&response.version, &response.reason))?)).transpose()?,
                whole.map(|response| heads.key(conn, stored::to_json(&response.headers)?)).transpose()?,
                body,
                whole.zip(body).map(|(response, body)| stored::body_end(exchange, response, body.len())).transpose()?.flatten(),
            ],
        )?;
        Ok(())
    }

    /// Remembers a plant that is not in the list, so that it can be re-added. Needs its details.
    fn insert_unlisted(
        &self,
        id: PlantId,
        details: Option<Details>,
        reason: UnlistedReason,
        at: Timestamp,
    ) -> Result<(), Fault> {
        let Some(Details { name, tag }) = details else { return Ok(()) };
        let insert = "INSERT INTO unlisted (store, plant_id, name, tag, how, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        sql::execute(self.store.conn, insert, params![self.store.key, id, name, tag, reason, at])?;
        Ok(())
    }

    /// Writes the resolution of a plant by a member.
    pub(super) fn resolve(
        &mut self,
        before: StoredPlant,
        (resolution, at): (Resolution, Timestamp),
        stamp: Stamp,
    ) -> Result<(), Fault> {
        let plant = before.fold.id();
        entries::append(self.store, plant, stamp, ("resolution", &resolution, Some(at)))?;
        if resolution == Resolution::Forget {
            let details = before.fold.details_shown().filter(|_| before.fold.state().is_some());
            self.insert_unlisted(plant, details, UnlistedReason::Forgotten, at)?;
        }
        self.fold(before, &stamp.entry(PlantEvent::Resolution(resolution, at)))
    }

    /// Takes a plant out of the cache, or reads it. The caller passes it to [`Self::fold`].
    pub(super) fn before(&mut self, id: PlantId) -> Result<StoredPlant, Fault> {
        match self.cache.plants.remove(&id) {
            Some(before) => Ok(before),
            None => plants::plant(self.store, id, self.cache.shared.get(&id)),
        }
    }

    /// Applies an entry to a plant, and writes its row.
    pub(super) fn fold(
        &mut self,
        StoredPlant { rowid, fold: before, is_shared }: StoredPlant,
        entry: &PlantEntry,
    ) -> Result<(), Fault> {
        let (id, state_before) = (before.id(), before.state());
        let fold = match entry.position {
            None => {
                let mut fold = before;
                if !fold.apply(entry) {
                    return Ok(());
                }
                fold
            }
            Some(position) => {
                let fold = self.fold_shared(id, is_shared, position, entry)?;
                if fold.is_shown_as(&before) {
                    return Ok(());
                }
                fold
            }
        };
        let after = StoredPlant { rowid, fold, is_shared: is_shared || entry.position.is_some() };
        let is_added = matches!(&entry.event, PlantEvent::Intent(Operation { kind: OperationKind::Add(_), .. }));
        self.put(state_before, after, is_added)
    }

    /// Folds a plant again from all its entries.
    pub(super) fn refold(&mut self, StoredPlant { rowid, fold: before, is_shared }: StoredPlant) -> Result<(), Fault> {
        let fold = entries::fold(self.store, before.id(), Part::All)?;
        self.put(before.state(), StoredPlant { rowid, fold, is_shared }, false)
    }

    /// Writes the row of a plant, with its fold as text if [`plants::plant`] needs it.
    pub(super) fn put(
        &mut self,
        before: Option<State>,
        StoredPlant { rowid, fold, is_shared }: StoredPlant,
        is_added: bool,
    ) -> Result<(), Fault> {
        let (id, state) = (fold.id(), fold.state());
        match (state, rowid) {
            (Some(state), _) => {
                // A shared plant has its fold elsewhere, and the open add determines that of a plant that was not in the
                // list; but those that are unknown are listed by their text.
                let needs_text = match state {
                    State::Unknown => true,
                    State::Stored => false,
                    State::Adding => !is_shared && rowid.is_some(),
                    State::Deleting => !is_shared,
                };
                let text = needs_text.then(|| stored::to_json(&fold)).transpose()?;
                let others = self.cache.others(self.store)?;
                let rowid = write_row(self.store, (&fold, others), state, text.as_deref(), rowid)?;
                if matches!(state, State::Adding | State::Deleting) {
                    self.cache.plants.insert(id, StoredPlant { rowid: Some(rowid), fold, is_shared });
                }
            }
            (None, Some(rowid)) => {
                sql::execute(self.store.conn, "DELETE FROM plant WHERE rowid = ?1", [rowid])?;
            }
            (None, None) => {}
        }
        self.changes.push(StateChange { id, before, after: state, is_added });
        Ok(())
    }

    /// Applies an entry of the stream to the fold of a plant about which other members have entries; returns it with
    /// this journal's further entries.
    fn fold_shared(
        &mut self,
        id: PlantId,
        is_shared: bool,
        position: Position,
        entry: &PlantEntry,
    ) -> Result<Fold, Fault> {
        let cached = self.cache.shared.remove(&id);
        let is_read = cached.is_none() && is_shared;
        let shared = if is_read { plants::shared(self.store, id)? } else { cached };
        let mut shared = match shared {
            Some(Shared { position: last, mut fold, entries, .. }) if last < position => {
                fold.apply(entry);
                Shared { position, fold, entries: entries.saturating_add(1), is_new: true }
            }
            // Folded from its entries: this one is among them.
            Some(shared) if is_read && shared.entries < MANY => Shared { is_new: true, ..shared },
            // The first entry of another member, or one that comes late.
            shared => {
                let last = shared.map_or(position, |shared| shared.position.max(position));
                let fold = entries::fold(self.store, id, Part::InStream)?;
                Shared { position: last, fold, entries: MANY, is_new: true }
            }
        };
        if self.cache.others(self.store)?.author(entry.member).is_none() {
            // Entries of what this journal was do not show that the plant is shared.
            shared.entries = MANY;
        }
        let mut fold = shared.fold.clone();
        if !self.cache.own(self.store)?.is_published() {
            fold = entries::with_own(self.store, fold)?;
        }
        self.cache.shared.insert(id, shared);
        Ok(fold)
    }
}

/// Returns the end of an operation whose request is not known, at the time of the operation.
pub(super) fn end_without_request(operation: Operation, kind: FailureKind) -> Exchange {
    let at = operation.requested_at;
    Exchange::failed(operation, kind, String::new(), at)
}

/// Writes the row of a plant, and its fold as text where [`plants::plant`] needs it. Returns the rowid: `rowid`, or that of a new row if it is `None`.
///
/// # Errors
///
/// [`JournalError::Overtaken`] if the new row exists already.
pub(super) fn write_row(
    store: Store<'_>,
    (fold, others): (&Fold, &Others),
    state: State,
    text: Option<&str>,
    rowid: Option<i64>,
) -> Result<i64, Fault> {
    let (name, tag) = fold.name_and_tag().unzip();
    let (changed_at, author) = (fold.changed_at(), stored::authors_column(fold.authors(others).as_ref()));
    if let Some(rowid) = rowid {
        let values = params![rowid, state, name, tag, changed_at, text, author];
        let update = "UPDATE plant SET state = ?2, name = ?3, tag = ?4, changed_at = ?5, fold = ?6, author = ?7
            WHERE rowid = ?1";
        sql::execute(store.conn, update, values)?;
        return Ok(rowid);
    }
    let values = params![store.key, fold.id(), state, name, tag, changed_at, text, author];
    let insert = "INSERT INTO plant (store, id, state, name, tag, changed_at, fold, author)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (store, id) DO NOTHING";
    match sql::execute(store.conn, insert, values)? {
        0 => Err(Fault::Entry(JournalError::Overtaken)),
        _ => Ok(store.conn.last_insert_rowid()),
    }
}
