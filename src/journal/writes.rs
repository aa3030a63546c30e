//! Writing entries: each is kept as it is, and the record it changes is folded anew.
//!
//! Everything here runs inside a write transaction, so what is read cannot change before it is
//! written back. What an entry means is [`Record`]'s business alone.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::codes::Kind;
use super::error::JournalError;
use super::fault::Fault;
use super::heads::Heads;
use super::pending::Pending;
use super::{checks, stored};
use crate::check::Report;
use crate::domain::{
    BodyEnd, Details, Ending, Exchange, FailureKind, Operation, OperationId, OperationKind, PlantId, Record,
    Resolution, Row, State, Timestamp, UnlistedReason,
};

/// How many bytes of a response's body are kept: 64 KiB.
pub const KEPT_BODY: usize = 64 * 1024;

/// The result of each of many that were written together.
pub type Each = Vec<Result<(), JournalError>>;

/// How a plant must be for an add of it to be written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// However it is.
    None,
    /// Not in the view.
    Missing,
    /// Not in the view, or unknown there.
    MissingOrUnknown,
}

/// One thing to write down.
#[derive(Debug)]
pub(super) enum Entry {
    /// Somebody asked; it is not kept if the plant is otherwise.
    Asked(Operation, Condition),
    /// It ended.
    Ended(Arc<Exchange>, Timestamp),
    /// A person resolved a plant, as [`super::Journal::resolve`] says.
    Resolved(PlantId, Option<OperationId>, Resolution, Timestamp),
    /// A run of the contract check came to this.
    Checked(Box<Report>),
}

impl Condition {
    /// Whether an add may be written down where the plant stands so.
    fn allows(self, row: Option<&Row>) -> bool {
        match self {
            Self::None => true,
            Self::Missing => row.is_none(),
            Self::MissingOrUnknown => row.is_none_or(|row| row.state == State::Unknown),
        }
    }
}

/// A plant of a store that stands elsewhere now; `None` is out of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shift {
    /// The key of the store.
    pub(super) store: i64,
    pub(super) id: PlantId,
    /// Where it stood.
    pub(super) was: Option<State>,
    /// Where it stands.
    pub(super) is: Option<State>,
    /// Whether somebody else than the check asked for an add of it.
    pub(super) is_added: bool,
}

/// Writes one entry of the program with this origin about the store with this key. What it shifts is
/// the caller's to [`count`].
pub(super) fn write(
    conn: &Connection,
    pending: &mut Pending,
    store: i64,
    origin: u64,
    entry: &Entry,
) -> Result<Option<Shift>, Fault> {
    match entry {
        Entry::Asked(operation, condition) => asked(conn, pending, store, operation, *condition),
        Entry::Ended(exchange, at) => ended(conn, pending, exchange, *at),
        Entry::Resolved(id, doubt, resolution, at) => {
            let record = known(conn, pending, store, *id)?;
            let record = record.filter(|record| record.is_unchanged(*doubt)).ok_or(Fault::Overtaken)?;
            let origin = pending.origin(conn, origin)?;
            resolved(conn, pending, store, origin, record, *resolution, *at)
        }
        Entry::Checked(report) => checks::keep(conn, store, report).map(|()| None),
    }
}

fn asked(
    conn: &Connection,
    pending: &mut Pending,
    store: i64,
    operation: &Operation,
    condition: Condition,
) -> Result<Option<Shift>, Fault> {
    let OperationId { origin, number } = operation.id;
    let id = operation.kind.plant_id();
    let before = known(conn, pending, store, id)?;
    let row = before.as_ref().and_then(Record::row);
    let called = match &operation.kind {
        OperationKind::Add(_) if !condition.allows(row.as_ref()) => return Err(Fault::Overtaken),
        OperationKind::Add(plant) => Some(Details::from(plant)),
        // What a plant to delete is called must be known when it is gone.
        OperationKind::Delete(_) => row.and_then(|row| row.details),
    };
    let (kind, is_add) = match &operation.kind {
        OperationKind::Add(_) => (Kind::Add, true),
        OperationKind::Delete(_) => (Kind::Delete, false),
    };
    let written = conn
        .prepare_cached(
            "INSERT INTO operation (store, origin, number, kind, plant_id, name, tag, requested_at, probe)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (origin, number) DO NOTHING",
        )?
        .execute(params![
            store,
            pending.origin(conn, origin)?,
            number,
            kind,
            id,
            called.as_ref().map(|called| &called.name),
            called.as_ref().map(|called| &called.tag),
            operation.requested_at,
            operation.probe.as_ref().map(stored::to_json).transpose()?,
        ])?;
    if written == 0 {
        return Err(Fault::Entry(JournalError::Repeated(operation.id)));
    }
    pending.was_asked(operation.id, conn.last_insert_rowid(), store);
    let shift = fold(conn, pending, store, id, before, |record| record.asked(operation))?;
    Ok(shift.map(|shift| Shift { is_added: is_add && operation.probe.is_none(), ..shift }))
}

/// Keeps the exchange, also of an operation that is over: a late response is still a response, and
/// the record knows whether it changes anything.
pub(super) fn ended(
    conn: &Connection,
    pending: &mut Pending,
    exchange: &Exchange,
    at: Timestamp,
) -> Result<Option<Shift>, Fault> {
    let OperationId { origin, number } = exchange.operation.id;
    let (outcome, plant) = (exchange.outcome(), exchange.operation.kind.plant_id());
    let found = match pending.ends(exchange.operation.id) {
        Some(place) => Some(place),
        None => conn
            .prepare_cached("SELECT seq, store FROM operation WHERE origin = ?1 AND number = ?2")?
            .query_row(params![pending.origin(conn, origin)?, number], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?,
    };
    let Some((operation, store)) = found else {
        return Err(Fault::Entry(JournalError::NotRequested(exchange.operation.id)));
    };
    // As long as the operation is open: it may tell the record.
    let before = known(conn, pending, store, plant)?;
    conn.prepare_cached("UPDATE operation SET outcome = ?2 WHERE seq = ?1")?.execute(params![operation, outcome])?;
    insert_exchange(conn, &mut pending.heads, (operation, store), exchange, at)?;
    // Nobody misses what the check planted for itself.
    let how = UnlistedReason::by(&exchange.operation.kind, outcome).filter(|_| exchange.operation.probe.is_none());
    if let Some(how) = how
        && let Some(called) = called(conn, operation)?
    {
        depart(conn, store, plant, &called, how, at)?;
    }
    fold(conn, pending, store, plant, before, |record| record.ended(exchange.operation.id, outcome, at))
}

fn insert_exchange(
    conn: &Connection,
    heads: &mut Heads,
    (operation, store): (i64, i64),
    exchange: &Exchange,
    at: Timestamp,
) -> Result<(), Fault> {
    let Exchange { operation: Operation { kind, requested_at, .. }, request, ending, started, elapsed, phases } =
        exchange;
    let plant = kind.plant_id();
    let mut head = |text: Result<String, Fault>| heads.key(conn, text?).map(Some);
    let (request, request_body) = match request {
        Some(request) => (head(stored::request_head(request, plant))?, Some(stored::request_body(request, kind)?)),
        None => (None, None),
    };
    let (response, failure) = match ending {
        Ending::Responded(response) => (Some(response), None),
        Ending::Failed(failure) => (None, Some(failure)),
    };
    let whole = response.filter(|response| response.body_end != BodyEnd::Trimmed);
    let body = whole.map(|response| response.body.get(..KEPT_BODY).unwrap_or(&response.body));
    let micros = |phase: Option<Duration>| phase.map(stored::as_micros);
    conn.prepare_cached(
        "INSERT INTO exchange (operation, store, plant_id, outcome, status, failure, detail, at, started, elapsed_us,
            name_us, connection_us, tls_us, waiting_us, reading_us,
            request, request_body, line, headers, body, body_end)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)",
    )?
    .execute(params![
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
        request,
        request_body,
        response.map(|response| head(stored::line(response))).transpose()?.flatten(),
        whole.map(|response| head(stored::headers(response))).transpose()?.flatten(),
        body.map(|body| stored::body(body, kind)).transpose()?,
        whole.zip(body).map(|(response, body)| stored::body_end(response, body.len())),
    ])?;
    Ok(())
}

/// What the plant of the operation at this place was called when it was asked.
fn called(conn: &Connection, operation: i64) -> Result<Option<Details>, Fault> {
    let called = conn
        .prepare_cached("SELECT name, tag FROM operation WHERE seq = ?1")?
        .query_row([operation], |found| Ok(stored::details(found.get(0)?, found.get(1)?)))?;
    Ok(called)
}

/// Remembers a plant that is not in the view, so that it can be added again.
fn depart(
    conn: &Connection,
    store: i64,
    id: PlantId,
    called: &Details,
    how: UnlistedReason,
    at: Timestamp,
) -> Result<(), Fault> {
    conn.prepare_cached("INSERT INTO unlisted (store, plant_id, name, tag, how, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
        .execute(params![store, id, called.name, called.tag, how, at])?;
    Ok(())
}

/// How an operation ends whose program is gone: nobody knows what became of it.
pub(super) fn interrupted(operation: Operation) -> Exchange {
    let at = operation.requested_at;
    Exchange::failed(operation, FailureKind::Interrupted, String::new(), at)
}

/// How an operation ends whose program is gone, and of which it left a note that nothing was sent.
pub(super) fn withdrawn(operation: Operation) -> Exchange {
    let at = operation.requested_at;
    Exchange::failed(operation, FailureKind::CancelledBeforeSending, String::new(), at)
}

fn resolved(
    conn: &Connection,
    pending: &mut Pending,
    store: i64,
    origin: i64,
    record: Record,
    resolution: Resolution,
    at: Timestamp,
) -> Result<Option<Shift>, Fault> {
    let id = record.id();
    conn.prepare_cached(
        "INSERT INTO resolution (store, origin, number, plant_id, what, at, after_exchange) VALUES (?1, ?2,
         (SELECT coalesce(max(number), 0) + 1 FROM resolution WHERE origin = ?2), ?3, ?4, ?5,
         (SELECT coalesce(max(seq), 0) FROM exchange WHERE store = ?1 AND plant_id = ?3))",
    )?
    .execute(params![store, origin, id, resolution, at])?;
    if resolution == Resolution::Forget
        && !checks::planted(conn, store, id)?
        && let Some(called) = record.row().and_then(|row| row.details)
    {
        depart(conn, store, id, &called, UnlistedReason::Forgotten, at)?;
    }
    fold(conn, pending, store, id, Some(record), |record| record.resolved(resolution, at))
}

/// The record of a plant, if it has one. Whoever changes it folds it.
fn known(conn: &Connection, pending: &mut Pending, store: i64, id: PlantId) -> Result<Option<Record>, Fault> {
    match pending.take(store, id) {
        Some(record) => Ok(Some(record)),
        None => stored::record(conn, store, id),
    }
}

/// Lets the record of a plant, which is this before, change, and writes it back with its row.
fn fold(
    conn: &Connection,
    pending: &mut Pending,
    store: i64,
    id: PlantId,
    before: Option<Record>,
    change: impl FnOnce(&mut Record),
) -> Result<Option<Shift>, Fault> {
    let mut record = before.clone().unwrap_or_else(|| Record::new(id));
    change(&mut record);
    if before.as_ref() == Some(&record) {
        return Ok(None);
    }
    // Then the operation tells all that the record holds.
    let is_first = before.is_none();
    let was = before.and_then(|record| record.row()).map(|row| row.state);
    let row = record.row();
    let is = row.as_ref().map(|row| row.state);
    match &row {
        Some(row) => {
            let text = match row.state {
                State::Stored => None,
                State::Adding if is_first => None,
                State::Unknown | State::Adding | State::Deleting => Some(stored::to_json(&record)?),
            };
            keep(conn, store, row, text.as_deref(), was.is_some())?;
        }
        None => {
            conn.prepare_cached("DELETE FROM plant WHERE store = ?1 AND id = ?2")?.execute(params![store, id])?;
        }
    }
    if matches!(is, Some(State::Adding | State::Deleting)) {
        pending.keep(store, record);
    }
    Ok(Some(Shift { store, id, was, is, is_added: false }))
}

/// Writes the row of a plant, and beside it the text of its record where [`stored::record_of`] needs
/// one.
pub(super) fn keep(
    conn: &Connection,
    store: i64,
    row: &Row,
    record: Option<&str>,
    is_there: bool,
) -> Result<(), Fault> {
    let sql = if is_there {
        "UPDATE plant SET state = ?3, name = ?4, tag = ?5, changed_at = ?6, record = ?7 WHERE store = ?1 AND id = ?2"
    } else {
        "INSERT INTO plant (store, id, state, name, tag, changed_at, record) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
    };
    conn.prepare_cached(sql)?.execute(params![
        store,
        row.id,
        row.state,
        row.name(),
        row.tag(),
        row.changed_at,
        record
    ])?;
    Ok(())
}

/// Brings the tally up to date with what shifted: in the same transaction, and once for a whole
/// batch, so that counting costs neither a scan nor much of a write.
pub(super) fn count(conn: &Connection, shifts: &[Shift]) -> Result<(), Fault> {
    let mut changes: BTreeMap<i64, ([i64; 4], Option<PlantId>)> = BTreeMap::new();
    for Shift { store, id, was, is, is_added } in shifts {
        let (counts, largest) = changes.entry(*store).or_default();
        for (state, by) in [(was, -1), (is, 1)] {
            match state {
                Some(State::Stored) => counts[0] += by,
                Some(State::Unknown) => counts[1] += by,
                Some(State::Adding) => counts[2] += by,
                Some(State::Deleting) => counts[3] += by,
                None => {}
            }
        }
        *largest = (*largest).max(is_added.then_some(*id));
    }
    for (store, ([stored, unknown, adding, deleting], largest)) in changes {
        conn.prepare_cached(
            "INSERT INTO tally (store, stored, unknown, adding, deleting, largest_added) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (store) DO UPDATE SET stored = stored + excluded.stored,
             unknown = unknown + excluded.unknown, adding = adding + excluded.adding,
             deleting = deleting + excluded.deleting,
             largest_added = max(coalesce(largest_added, ?6), coalesce(?6, largest_added))",
        )?
        .execute(params![store, stored, unknown, adding, deleting, largest])?;
    }
    Ok(())
}
