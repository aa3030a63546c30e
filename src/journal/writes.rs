//! Writes entries, and updates the plants that they change.
//!
//! Everything here runs inside a write transaction, so that no other program changes a plant between
//! its read and its write. What an entry means for a plant is decided by [`Fold`] alone.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::codes::Kind;
use super::error::JournalError;
use super::fault::Fault;
use super::team::{IS_NOT_PENDING, InStream, Team, TeamMessage};
use super::write_cache::WriteCache;
use super::{checks, sql, stored, team};
use crate::check::Report;
use crate::domain::{
    Author, BodyEnd, Details, Ending, Exchange, FailureKind, Fold, Operation, OperationId, OperationKind, PlantEvent,
    PlantId, Resolution, Resolved, State, Timestamp, UnlistedReason,
};

/// The number of bytes of a response's body that are stored at most: 64 KiB.
pub const MAX_STORED_BODY: usize = 64 * 1024;

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

#[derive(Debug)]
pub(super) enum Entry {
    /// The intent to send an operation; an add only if its plant meets the condition.
    Intent(Operation, Condition),
    /// The end of an operation.
    End(Arc<Exchange>, Timestamp),
    /// A person's resolution of a plant: see [`super::Journal::resolve`].
    Resolution(PlantId, Option<OperationId>, Resolution, Timestamp),
    /// The report of a contract check.
    CheckRun(Box<Report>),
    /// A message of the team's stream.
    Team(TeamMessage),
}

/// The change of a plant's state. `None` stands for a plant that is not in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StateChange {
    /// The key of the store.
    pub(super) store: i64,
    pub(super) id: PlantId,
    pub(super) before: Option<State>,
    pub(super) after: Option<State>,
    /// Whether the change is an add that a person requested, not the check.
    is_added: bool,
}

/// A plant before an entry: the rowid of its row, and its state.
type Before = (i64, Fold);

/// Entries that are written in one transaction.
pub(super) struct Batch<'a> {
    pub(super) conn: &'a Connection,
    pub(super) cache: &'a mut WriteCache,
    changes: Vec<StateChange>,
    /// The number of the first message of a team that waits for missing ones.
    pub(super) first_held: Option<u64>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(conn: &'a Connection, cache: &'a mut WriteCache) -> Self {
        Self { conn, cache, changes: Vec::new(), first_held: None }
    }

    /// Updates the tally with all changes, and returns them. Once for a whole batch, so that counting
    /// needs neither a scan nor many writes.
    pub(super) fn finish(self) -> Result<Vec<StateChange>, Fault> {
        use State::{Adding, Deleting, Stored, Unknown};
        let mut tallies: BTreeMap<i64, ([i64; 4], Option<PlantId>)> = BTreeMap::new();
        for StateChange { store, id, before, after, is_added } in &self.changes {
            let (counts, largest) = tallies.entry(*store).or_default();
            for (count, state) in counts.iter_mut().zip([Stored, Unknown, Adding, Deleting].map(Some)) {
                *count += i64::from(*after == state) - i64::from(*before == state);
            }
            *largest = (*largest).max(is_added.then_some(*id));
        }
        for (store, ([stored, unknown, adding, deleting], largest)) in tallies {
            sql::execute(
                self.conn,
                "INSERT INTO tally (store, stored, unknown, adding, deleting, largest_added)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (store) DO UPDATE SET stored = stored + excluded.stored,
                 unknown = unknown + excluded.unknown, adding = adding + excluded.adding,
                 deleting = deleting + excluded.deleting,
                 largest_added = max(coalesce(largest_added, ?6), coalesce(?6, largest_added))",
                params![store, stored, unknown, adding, deleting, largest],
            )?;
        }
        self.cache.store_teams(self.conn)?;
        Ok(self.changes)
    }

    /// Writes one entry of the program with this origin, for the store with this key.
    pub(super) fn write(&mut self, store: i64, origin: u64, entry: &Entry) -> Result<(), Fault> {
        match entry {
            // Other programs would take an operation of an origin without instance lock for an orphan.
            Entry::Intent(Operation { id, .. }, _) if id.origin != origin => {
                Err(Fault::Entry(JournalError::Foreign { operation: *id, origin }))
            }
            Entry::Intent(operation, condition) => self.intend(store, operation, *condition),
            Entry::End(exchange, at) => self.end(exchange, *at),
            Entry::Team(message) => self.fold_message(store, message),
            Entry::Resolution(id, unknown, resolution, at) => {
                let before = self.before(store, *id)?.filter(|(_, fold)| fold.is_unchanged(*unknown));
                let before = before.ok_or(Fault::Entry(JournalError::Overtaken))?;
                self.resolve(store, origin, before, *resolution, *at)
            }
            Entry::CheckRun(report) => checks::insert_report(self.conn, store, report),
        }
    }

    fn intend(&mut self, store: i64, operation: &Operation, condition: Condition) -> Result<(), Fault> {
        let id = operation.kind.plant_id();
        // An add of a plant that must be missing needs no look at the plant: inserting its row shows it.
        let before = match (&operation.kind, condition) {
            (OperationKind::Add(_), Condition::MISSING) => None,
            (_, _) => self.before(store, id)?,
        };
        let fold = before.as_ref().map(|(_, fold)| fold);
        let (kind, details) = match &operation.kind {
            OperationKind::Add(_) if !condition.allows(fold.and_then(Fold::state)) => {
                return Err(Fault::Entry(JournalError::Overtaken));
            }
            OperationKind::Add(plant) => (Kind::Add, Some((plant.name.as_str(), plant.tag.as_str()))),
            // Stored here, because the row is gone after the delete.
            OperationKind::Delete(_) => (Kind::Delete, None),
        };
        let in_stream = self.in_stream(store)?;
        if !self.insert_operation(store, operation, kind, details, fold, in_stream)? {
            return Err(Fault::Entry(JournalError::Repeated(operation.id)));
        }
        let is_added = kind == Kind::Add && operation.probe.is_none();
        self.fold(store, id, before, is_added, Some(PlantEvent::Intent(operation.clone())))
    }

    /// Writes the intent of another member of the team.
    pub(super) fn intend_as(&mut self, store: i64, operation: &Operation, in_stream: InStream) -> Result<(), Fault> {
        let id = operation.kind.plant_id();
        let before = self.before(store, id)?;
        let (kind, details) = match &operation.kind {
            OperationKind::Add(plant) => (Kind::Add, Some((plant.name.as_str(), plant.tag.as_str()))),
            OperationKind::Delete(_) => (Kind::Delete, None),
        };
        let fold = before.as_ref().map(|(_, fold)| fold);
        if !self.insert_operation(store, operation, kind, details, fold, in_stream)? {
            // This journal has followed the same team before.
            let update = format!(
                "UPDATE operation SET stream = ?3, folded = ?4
                 WHERE origin = (SELECT id FROM origin WHERE origin = ?1) AND number = ?2 AND {IS_NOT_PENDING}"
            );
            let OperationId { origin, number } = operation.id;
            let values = params![origin.cast_signed(), number, in_stream.stream, in_stream.folded];
            sql::execute(self.conn, &update, values)?;
        }
        let is_added = kind == Kind::Add && operation.probe.is_none();
        self.fold(store, id, before, is_added, None)
    }

    /// Writes the row of an operation; returns whether it is new.
    fn insert_operation(
        &mut self,
        store: i64,
        operation: &Operation,
        kind: Kind,
        details: Option<(&str, &str)>,
        before: Option<&Fold>,
        InStream { stream, folded }: InStream,
    ) -> Result<bool, Fault> {
        let deleted = match kind {
            Kind::Add => None,
            Kind::Delete => before.and_then(Fold::row).and_then(|row| row.details),
        };
        let details = details.or_else(|| deleted.as_ref().map(|Details { name, tag }| (name.as_str(), tag.as_str())));
        let OperationId { origin, number } = operation.id;
        let origin = self.cache.origin(self.conn, origin)?;
        let written = sql::execute(
            self.conn,
            "INSERT INTO operation
             (store, origin, number, kind, plant_id, name, tag, requested_at, probe, folded, stream)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (origin, number) DO NOTHING",
            params![
                store,
                origin,
                number,
                kind,
                operation.kind.plant_id(),
                details.map(|(name, _)| name),
                details.map(|(_, tag)| tag),
                operation.requested_at,
                operation.probe.as_ref().map(stored::to_json).transpose()?,
                folded,
                stream,
            ],
        )?;
        if written > 0 {
            self.cache.operations.insert(operation.id, (self.conn.last_insert_rowid(), store));
        }
        Ok(written > 0)
    }

    /// Returns the columns of the next entry of this journal; without a team they are NULL.
    fn in_stream(&mut self, store: i64) -> Result<InStream, Fault> {
        Ok(self.cache.team(self.conn, store)?.map_or(InStream::default(), Team::next))
    }

    /// Writes the exchange of an operation, also of one that has ended: [`Fold`] decides whether a
    /// late response changes anything.
    pub(super) fn end(&mut self, exchange: &Exchange, at: Timestamp) -> Result<(), Fault> {
        self.end_as(exchange, at, None)
    }

    /// Writes an exchange; `in_stream` is that of another member's.
    pub(super) fn end_as(
        &mut self,
        exchange: &Exchange,
        at: Timestamp,
        in_stream: Option<InStream>,
    ) -> Result<(), Fault> {
        let Operation { id: OperationId { origin, number }, kind, probe, .. } = &exchange.operation;
        let (outcome, plant) = (exchange.outcome(), kind.plant_id());
        let found = match self.cache.operations.remove(&exchange.operation.id) {
            Some(found) => Some(found),
            None => self
                .conn
                .prepare_cached("SELECT seq, store FROM operation WHERE origin = ?1 AND number = ?2")?
                .query_row(params![self.cache.origin(self.conn, *origin)?, number], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .optional()?,
        };
        let Some((operation, store)) = found else {
            return Err(Fault::Entry(JournalError::NotRequested(exchange.operation.id)));
        };
        // Read while the operation is open: the state may depend on it.
        let before = self.before(store, plant)?;
        let update = "UPDATE operation SET outcome = ?2 WHERE seq = ?1";
        sql::execute(self.conn, update, params![operation, outcome])?;
        let InStream { stream, .. } = match in_stream {
            Some(in_stream) => in_stream,
            None => self.in_stream(store)?,
        };
        self.insert_exchange(operation, store, exchange, at, stream)?;
        // The check's own plants are not offered for a re-add.
        let reason = UnlistedReason::by(kind, outcome).filter(|_| probe.is_none());
        if let Some(reason) = reason {
            let details = self
                .conn
                .prepare_cached("SELECT name, tag FROM operation WHERE seq = ?1")?
                .query_row([operation], |found| Ok(stored::details(found.get(0)?, found.get(1)?)))?;
            self.insert_unlisted(store, plant, details, reason, at)?;
        }
        self.fold(store, plant, before, false, Some(PlantEvent::End(exchange.operation.id, outcome, at)))
    }

    fn insert_exchange(
        &mut self,
        operation: i64,
        store: i64,
        exchange: &Exchange,
        at: Timestamp,
        stream: Option<i64>,
    ) -> Result<(), Fault> {
        let Exchange { operation: Operation { kind, requested_at, .. }, request, ending, started, elapsed, phases } =
            exchange;
        let plant = kind.plant_id();
        let (conn, heads) = (self.conn, &mut self.cache.heads);
        let (response, failure) = match ending {
            Ending::Responded(response) => (Some(response), None),
            Ending::Failed(failure) => (None, Some(failure)),
        };
        let whole = response.filter(|response| response.body_end != BodyEnd::Trimmed);
        let body = whole.map(|response| response.body.get(..MAX_STORED_BODY).unwrap_or(&response.body));
        let micros = |phase: Option<Duration>| phase.map(stored::as_micros);
        sql::execute(
            self.conn,
            "INSERT INTO exchange (operation, store, plant_id, outcome, status, failure, detail, at, started, elapsed_us,
                name_us, connection_us, tls_us, waiting_us, reading_us,
                request, request_body, line, headers, body, body_end, stream)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)",
            params![
                operation,
                store,
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
                request.as_ref().map(|request| heads.key(conn, stored::request_head(request)?)).transpose()?,
                request.as_ref().map(|request| &request.body),
                response.map(|response| heads.key(conn, stored::line(response)?)).transpose()?,
                whole.map(|response| heads.key(conn, stored::headers(response)?)).transpose()?,
                body,
                whole.zip(body).map(|(response, body)| stored::body_end(response, body.len())),
                stream,
            ],
        )?;
        Ok(())
    }

    /// Remembers a plant that is not in the list, so that it can be re-added. Needs its details.
    fn insert_unlisted(
        &self,
        store: i64,
        id: PlantId,
        details: Option<Details>,
        reason: UnlistedReason,
        at: Timestamp,
    ) -> Result<(), Fault> {
        let Some(Details { name, tag }) = details else { return Ok(()) };
        let insert = "INSERT INTO unlisted (store, plant_id, name, tag, how, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        sql::execute(self.conn, insert, params![store, id, name, tag, reason, at])?;
        Ok(())
    }

    fn resolve(
        &mut self,
        store: i64,
        origin: u64,
        before: Before,
        resolution: Resolution,
        at: Timestamp,
    ) -> Result<(), Fault> {
        let (_, fold) = &before;
        let id = fold.id();
        let next = "SELECT coalesce(max(number), 0) + 1 FROM resolution
            WHERE origin = (SELECT id FROM origin WHERE origin = ?1)";
        let number = sql::value(self.conn, next, [origin.cast_signed()])?;
        let resolved = Resolved { resolution, details: None, at, author: None };
        let in_stream = self.in_stream(store)?;
        self.insert_resolution(store, OperationId { origin, number }, fold, &resolved, in_stream)?;
        self.fold(store, id, Some(before), false, Some(PlantEvent::Resolution(resolved)))
    }

    /// Writes a resolution of another member of the team.
    pub(super) fn resolve_as(
        &mut self,
        store: i64,
        id: OperationId,
        plant: PlantId,
        resolved: &Resolved,
        in_stream: InStream,
    ) -> Result<(), Fault> {
        let before = self.before(store, plant)?;
        let fold = before.as_ref().map_or_else(|| Fold::new(plant), |(_, fold)| fold.clone());
        self.insert_resolution(store, id, &fold, resolved, in_stream)?;
        self.fold(store, plant, before, false, None)
    }

    /// Writes a resolution of a plant in this state.
    fn insert_resolution(
        &mut self,
        store: i64,
        OperationId { origin, number }: OperationId,
        fold: &Fold,
        Resolved { resolution, details, at, author: _ }: &Resolved,
        InStream { stream, folded }: InStream,
    ) -> Result<(), Fault> {
        let plant = fold.id();
        let insert = format!(
            "INSERT INTO resolution (store, origin, number, plant_id, what, at, name, tag, after_exchange, folded, stream)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
             (SELECT coalesce(max(seq), 0) FROM exchange WHERE store = ?1 AND plant_id = ?4), ?9, ?10)
             ON CONFLICT (origin, number) DO UPDATE SET folded = ?9, stream = ?10 WHERE {IS_NOT_PENDING}"
        );
        sql::execute(
            self.conn,
            &insert,
            params![
                store,
                self.cache.origin(self.conn, origin)?,
                number,
                plant,
                resolution,
                at,
                details.as_ref().map(|details| &details.name),
                details.as_ref().map(|details| &details.tag),
                folded,
                stream,
            ],
        )?;
        if *resolution == Resolution::Forget && !checks::is_added_by_check(self.conn, store, plant)? {
            let details = fold.row().and_then(|row| row.details);
            self.insert_unlisted(store, plant, details, UnlistedReason::Forgotten, *at)?;
        }
        Ok(())
    }

    /// Folds a plant of a team again, after the position of an entry in the stream has changed.
    pub(super) fn refold(&mut self, store: i64, id: PlantId, is_added: bool) -> Result<(), Fault> {
        let before = self.before(store, id)?;
        self.fold(store, id, before, is_added, None)
    }

    /// Notes how much of the stream is folded, for the entries of this batch that follow.
    pub(super) fn has_folded(&mut self, store: i64, sequence: u64) -> Result<(), Fault> {
        if let Some(team) = self.cache.team(self.conn, store)? {
            team.has_folded(sequence);
        }
        Ok(())
    }

    /// Takes the state of a plant out of the cache, or reads it; `None` if there is none. The caller
    /// passes it to [`Self::fold`].
    fn before(&mut self, store: i64, id: PlantId) -> Result<Option<Before>, Fault> {
        match self.cache.folds.remove(&(store, id)) {
            Some(before) => Ok(Some(before)),
            None => stored::fold_with_rowid(self.conn, store, id),
        }
    }

    /// Applies an event to a plant, and writes its row. Where the team has entries about the plant, they are all folded
    /// again, with `event` among them.
    fn fold(
        &mut self,
        store: i64,
        id: PlantId,
        before: Option<Before>,
        is_added: bool,
        event: Option<PlantEvent>,
    ) -> Result<(), Fault> {
        let (rowid, before) = before.unzip();
        let state_before = before.as_ref().and_then(Fold::state);
        let is_of_team = self.cache.team(self.conn, store)?.is_some();
        let (fold, is_changed) = if is_of_team && team::has_others(self.conn, store, id)? {
            let fold = team::fold(self.conn, store, id)?;
            let is_changed = before.is_none_or(|before| !before.is_shown_as(&fold));
            (fold, is_changed)
        } else {
            let mut fold = before.unwrap_or_else(|| Fold::new(id));
            let is_changed = event.is_some_and(|event| fold.apply(&event.alone()));
            (fold, is_changed)
        };
        if !is_changed {
            return Ok(());
        }
        let state = fold.state();
        match (state, rowid) {
            (Some(state), _) => {
                let text = match state {
                    State::Stored => None,
                    // The open operation determines the state.
                    State::Adding if rowid.is_none() => None,
                    State::Unknown | State::Adding | State::Deleting => Some(stored::to_json(&fold)?),
                };
                let rowid = write_row(self.conn, store, &fold, state, text.as_deref(), rowid)?;
                if matches!(state, State::Adding | State::Deleting) {
                    self.cache.folds.insert((store, id), (rowid, fold));
                }
            }
            (None, Some(rowid)) => {
                sql::execute(self.conn, "DELETE FROM plant WHERE rowid = ?1", [rowid])?;
            }
            (None, None) => {}
        }
        self.changes.push(StateChange { store, id, before: state_before, after: state, is_added });
        Ok(())
    }
}

/// Returns the end of an operation whose request is not known, at the time of the operation.
pub(super) fn end_without_request(operation: Operation, kind: FailureKind) -> Exchange {
    let at = operation.requested_at;
    Exchange::failed(operation, kind, String::new(), at)
}

/// Writes the row of a plant, and its fold as text where [`stored::fold_of`] needs it. Returns the rowid: `rowid`, or that of a new row if it is `None`.
///
/// # Errors
///
/// [`JournalError::Overtaken`] if the new row exists already.
pub(super) fn write_row(
    conn: &Connection,
    store: i64,
    fold: &Fold,
    state: State,
    text: Option<&str>,
    rowid: Option<i64>,
) -> Result<i64, Fault> {
    let (name, tag) = fold.name_and_tag().unzip();
    let (changed_at, author) = (fold.changed_at(), fold.author().map(Author::name));
    if let Some(rowid) = rowid {
        let values = params![rowid, state, name, tag, changed_at, text, author];
        let update = "UPDATE plant SET state = ?2, name = ?3, tag = ?4, changed_at = ?5, fold = ?6, author = ?7
            WHERE rowid = ?1";
        sql::execute(conn, update, values)?;
        return Ok(rowid);
    }
    let values = params![store, fold.id(), state, name, tag, changed_at, text, author];
    let insert = "INSERT INTO plant (store, id, state, name, tag, changed_at, fold, author)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (store, id) DO NOTHING";
    match sql::execute(conn, insert, values)? {
        0 => Err(Fault::Entry(JournalError::Overtaken)),
        _ => Ok(conn.last_insert_rowid()),
    }
}
