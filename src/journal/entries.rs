//! Writing entries: each is kept as it is, and the record it changes is folded anew.
//!
//! Everything here runs inside a write transaction, so what is read cannot change before it is
//! written back. What an entry means is [`Record`]'s business alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};

use super::error::Fault;
use super::open::Open;
use super::{Condition, checks, stored};
use crate::domain::check::Report;
use crate::domain::{
    Ask, Departure, Details, Exchange, FailureKind, Operation, OperationId, Phases, PlantId, Record, Row, Settlement,
    State, Timestamp,
};

/// How many bytes of an answer's body are kept: 64 KiB.
pub const KEPT_BODY: usize = 64 * 1024;

/// One thing to write down.
#[derive(Debug)]
pub(super) enum Entry {
    /// Somebody asked; it is not kept if the plant is otherwise.
    Asked(Operation, Condition),
    /// It ended.
    Ended(Arc<Exchange>, Timestamp),
    /// A person settled a plant, as [`super::Journal::settle`] says.
    Settled(PlantId, Option<OperationId>, Settlement, Timestamp),
    /// A run of the contract check came to this.
    Checked(Box<Report>),
}

impl Condition {
    /// Whether an add may be written down where the plant stands so.
    fn allows(self, row: Option<&Row>) -> bool {
        match self {
            Self::None => true,
            Self::Missing => row.is_none(),
            Self::MissingOrInDoubt => row.is_none_or(|row| row.state == State::Unknown),
        }
    }
}

/// A plant of a store that stands elsewhere now; `None` is out of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shift {
    /// The key of the store.
    pub(super) store: i64,
    /// The plant.
    pub(super) id: PlantId,
    /// Where it stood.
    pub(super) was: Option<State>,
    /// Where it stands.
    pub(super) is: Option<State>,
}

/// Writes one entry about the store with this key. What it shifts is the caller's to [`count`].
pub(super) fn write(conn: &Connection, open: &mut Open, store: i64, entry: &Entry) -> Result<Option<Shift>, Fault> {
    match entry {
        Entry::Asked(operation, condition) => asked(conn, open, store, operation, *condition),
        Entry::Ended(exchange, at) => ended(conn, open, exchange, *at),
        Entry::Settled(id, doubt, settlement, at) => settled(conn, open, store, *id, *doubt, *settlement, *at),
        Entry::Checked(report) => checks::keep(conn, store, report).map(|()| None),
    }
}

fn asked(
    conn: &Connection,
    open: &mut Open,
    store: i64,
    operation: &Operation,
    condition: Condition,
) -> Result<Option<Shift>, Fault> {
    let OperationId { origin, number } = operation.id;
    let id = operation.ask.plant_id();
    let before = known(conn, open, store, id)?;
    let row = before.as_ref().and_then(Record::row);
    let called = match &operation.ask {
        Ask::Add(_) if !condition.allows(row.as_ref()) => return Err(Fault::Overtaken),
        Ask::Add(plant) => Some(Details::from(plant)),
        // What a plant to delete is called must be known when it is gone.
        Ask::Delete(_) => row.and_then(|row| row.details),
    };
    let written = conn
        .prepare_cached(
            "INSERT INTO operation (store, origin, number, kind, plant_id, name, tag, asked_at, probe)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (origin, number) DO NOTHING",
        )?
        .execute(params![
            store,
            origin.cast_signed(),
            number,
            operation.ask.word(),
            id.0,
            called.as_ref().map(|called| &called.name),
            called.as_ref().map(|called| &called.tag),
            operation.asked_at.0,
            operation.probe.as_ref().map(stored::to_json).transpose()?,
        ])?;
    if written == 0 {
        return Err(Fault::Entry(format!("operation {} is in the journal already: it was not sent", operation.id)));
    }
    open.was_asked(operation.id, conn.last_insert_rowid(), store);
    fold(conn, open, store, id, before, |record| record.asked(operation))
}

/// Keeps the exchange, also of an operation that is over: a late answer is still an answer, and
/// the record knows whether it changes anything.
pub(super) fn ended(
    conn: &Connection,
    open: &mut Open,
    exchange: &Exchange,
    at: Timestamp,
) -> Result<Option<Shift>, Fault> {
    let OperationId { origin, number } = exchange.operation.id;
    let (outcome, plant) = (exchange.outcome(), exchange.operation.ask.plant_id());
    let found = match open.ends(exchange.operation.id) {
        Some(place) => Some(place),
        None => conn
            .prepare_cached("SELECT seq, store FROM operation WHERE origin = ?1 AND number = ?2")?
            .query_row(params![origin.cast_signed(), number], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?,
    };
    let Some((operation, store)) = found else {
        return Err(Fault::Entry(format!(
            "operation {} is not in the journal: its end has no place",
            exchange.operation.id
        )));
    };
    let phases = (exchange.phases != Phases::default()).then_some(&exchange.phases);
    let (ending, body) = stored::ending(&exchange.ending, KEPT_BODY)?;
    conn.prepare_cached("UPDATE operation SET outcome = ?2 WHERE seq = ?1")?
        .execute(params![operation, outcome.code()])?;
    conn.prepare_cached(
        "INSERT INTO exchange (operation, store, plant_id, outcome, status, started, elapsed_us, phases, at, request,
            ending, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?
    .execute(params![
        operation,
        store,
        plant.0,
        outcome.code(),
        exchange.status(),
        exchange.started.0,
        i64::try_from(exchange.elapsed.as_micros()).unwrap_or(i64::MAX),
        phases.map(stored::to_json).transpose()?,
        at.0,
        exchange.request.as_ref().map(stored::to_json).transpose()?,
        ending,
        body,
    ])?;
    // Nobody misses what the check planted for itself.
    let how = Departure::by(&exchange.operation.ask, outcome).filter(|_| exchange.operation.probe.is_none());
    if let Some(how) = how
        && let Some(called) = called(conn, operation)?
    {
        depart(conn, store, plant, &called, how, at)?;
    }
    let before = known(conn, open, store, plant)?;
    fold(conn, open, store, plant, before, |record| record.ended(exchange.operation.id, outcome, at))
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
    how: Departure,
    at: Timestamp,
) -> Result<(), Fault> {
    conn.prepare_cached("INSERT INTO departure (store, plant_id, name, tag, how, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
        .execute(params![store, id.0, called.name, called.tag, how.code(), at.0])?;
    Ok(())
}

/// How an operation ends whose program is gone: nobody knows what became of it.
pub(super) fn interrupted(operation: Operation) -> Exchange {
    let at = operation.asked_at;
    Exchange::failed(operation, FailureKind::Interrupted, String::new(), at)
}

/// How an operation ends whose program is gone, and of which it left a note that nothing was sent.
pub(super) fn withdrawn(operation: Operation) -> Exchange {
    let at = operation.asked_at;
    Exchange::failed(operation, FailureKind::CancelledBeforeSending, String::new(), at)
}

fn settled(
    conn: &Connection,
    open: &mut Open,
    store: i64,
    id: PlantId,
    doubt: Option<OperationId>,
    settlement: Settlement,
    at: Timestamp,
) -> Result<Option<Shift>, Fault> {
    let record = known(conn, open, store, id)?.filter(|record| record.still_is(doubt)).ok_or(Fault::Overtaken)?;
    conn.prepare_cached(
        "INSERT INTO settlement (store, plant_id, what, at, after_exchange) VALUES (?1, ?2, ?3, ?4,
         coalesce((SELECT max(seq) FROM exchange WHERE store = ?1 AND plant_id = ?2), 0))",
    )?
    .execute(params![store, id.0, settlement.code(), at.0])?;
    if settlement == Settlement::Forget
        && !checks::planted(conn, store, id)?
        && let Some(called) = record.row().and_then(|row| row.details)
    {
        depart(conn, store, id, &called, Departure::Forgotten, at)?;
    }
    fold(conn, open, store, id, Some(record), |record| record.settled(settlement, at))
}

/// The record of a plant, if it has one. Whoever changes it folds it.
fn known(conn: &Connection, open: &mut Open, store: i64, id: PlantId) -> Result<Option<Record>, Fault> {
    match open.take(store, id) {
        Some(record) => Ok(Some(record)),
        None => stored::record(conn, store, id),
    }
}

/// Lets the record of a plant, which is this before, change, and writes it back with its row.
fn fold(
    conn: &Connection,
    open: &mut Open,
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
    let was = before.and_then(|record| record.row()).map(|row| row.state);
    let row = record.row();
    let is = row.as_ref().map(|row| row.state);
    match &row {
        Some(row) => keep(conn, store, row, &record)?,
        None => {
            conn.prepare_cached("DELETE FROM plant WHERE store = ?1 AND id = ?2")?.execute(params![store, id.0])?;
        }
    }
    if matches!(is, Some(State::Adding | State::Deleting)) {
        open.keep(store, record);
    }
    Ok((was != is).then_some(Shift { store, id, was, is }))
}

/// Writes a plant's record and its row.
pub(super) fn keep(conn: &Connection, store: i64, row: &Row, record: &Record) -> Result<(), Fault> {
    conn.prepare_cached(
        "INSERT INTO plant (store, id, state, name, tag, changed_at, record) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (store, id) DO UPDATE SET state = excluded.state, name = excluded.name, tag = excluded.tag,
         changed_at = excluded.changed_at, record = excluded.record",
    )?
    .execute(params![
        store,
        row.id.0,
        row.state.word(),
        row.name(),
        row.tag(),
        row.changed_at.0,
        stored::to_json(record)?,
    ])?;
    Ok(())
}

/// Brings the tally up to date with what shifted: in the same transaction, and once for a whole
/// batch, so that counting costs neither a scan nor much of a write.
pub(super) fn count(conn: &Connection, shifts: &[Shift]) -> Result<(), Fault> {
    let mut changes: BTreeMap<(i64, &str), i64> = BTreeMap::new();
    for Shift { store, was, is, .. } in shifts {
        for (state, by) in [(was, -1), (is, 1)] {
            if let Some(state) = state {
                *changes.entry((*store, state.word())).or_default() += by;
            }
        }
    }
    for ((store, state), by) in changes {
        conn.prepare_cached(
            "INSERT INTO tally (store, state, count) VALUES (?1, ?2, ?3)
             ON CONFLICT (store, state) DO UPDATE SET count = count + excluded.count",
        )?
        .execute(params![store, state, by])?;
    }
    Ok(())
}
