//! Converts between the rows of the tables and the domain's values. A row that cannot be converted is
//! damaged.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, Row as SqlRow, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::codes::Kind;
use super::error::JournalError;
use super::fault::Fault;
use super::sql;
use crate::domain::{
    Author, BodyEnd, Details, Ending, Exchange, Failure, Fold, Header, Method, Operation, OperationId, OperationKind,
    Phases, Plant, PlantId, Position, Request, Response, Row, Timestamp, Unlisted,
};

/// The columns of `plant` that [`row`] reads.
pub(super) const ROW: &str = "id, state, name, tag, changed_at, author";

/// The columns of `operation o` that [`operation`] reads.
pub(super) const OPERATION: &str = "(SELECT origin FROM origin WHERE id = o.origin), o.number, o.kind, o.plant_id,
    o.name, o.tag, o.requested_at, (SELECT form FROM probe WHERE operation = o.seq),
    (SELECT m.author FROM origin g JOIN member m ON m.id = g.member WHERE g.id = o.origin AND NOT m.own)";

/// The columns of `exchange e` joined with `operation o` that [`exchange`] reads.
pub(super) const EXCHANGE: &str = "(SELECT origin FROM origin WHERE id = o.origin), o.number, o.kind, o.plant_id,
    o.name, o.tag, o.requested_at, (SELECT form FROM probe WHERE operation = o.seq),
    (SELECT m.author FROM origin g JOIN member m ON m.id = g.member WHERE g.id = o.origin AND NOT m.own), e.started, e.elapsed_us,
    e.name_us, e.connection_us, e.tls_us, e.waiting_us, e.reading_us,
    e.request, (SELECT text FROM head WHERE id = e.request), e.request_body,
    e.status, (SELECT text FROM head WHERE id = e.line), (SELECT text FROM head WHERE id = e.headers),
    e.body, e.body_end, e.failure, e.detail";

/// The columns of `unlisted d` that [`unlisted`] reads.
pub(super) const UNLISTED: &str = "d.plant_id, d.name, d.tag, d.how, d.at";

/// Converts a duration to microseconds.
pub(super) fn as_micros(value: Duration) -> i64 {
    i64::try_from(value.as_micros()).unwrap_or(i64::MAX)
}

/// Converts microseconds to a duration.
pub(super) fn micros(stored: i64) -> Result<Duration, Fault> {
    u64::try_from(stored).map(Duration::from_micros).map_err(|_| Fault::Damaged)
}

pub(super) fn to_json(value: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| Fault::Entry(JournalError::NotStorable { reason: error.to_string() }))
}

pub(super) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|_| Fault::Damaged)
}

/// The head of a request: method, URL, target and headers.
type RequestHead<Text> = (Method, Text, Text, Vec<(Text, Text)>);

/// Returns the head of a request as text.
pub(super) fn request_head(Request { method, url, target, headers, body: _ }: &Request) -> Result<String, Fault> {
    let head: RequestHead<&str> = (*method, url, target, pairs(headers));
    to_json(&head)
}

fn request(head: &str, body: Option<String>) -> Result<Request, Fault> {
    let (method, url, target, headers): RequestHead<String> = from_json(head)?;
    Ok(Request { method, url: url.into(), target: target.into(), headers: headers_of(headers), body })
}

fn pairs(headers: &[Header]) -> Vec<(&str, &str)> {
    headers.iter().map(|Header { name, value }| (name.as_str(), value.as_str())).collect()
}

fn headers_of(pairs: Vec<(String, String)>) -> Arc<[Header]> {
    pairs.into_iter().map(|(name, value)| Header { name, value }).collect()
}

/// Returns version and reason of a status line as text.
pub(super) fn line(response: &Response) -> Result<String, Fault> {
    to_json(&(&response.version, &response.reason))
}

/// Returns the headers of a response as text.
pub(super) fn headers(response: &Response) -> Result<String, Fault> {
    to_json(&pairs(&response.headers))
}

/// Returns the stored form of how a body ended, of which `kept` bytes are stored.
pub(super) fn body_end(response: &Response, kept: usize) -> Value {
    let capped = |bytes: usize| Value::Integer(sql::as_limit(bytes));
    match &response.body_end {
        _ if kept < response.body.len() => capped(kept),
        BodyEnd::Complete | BodyEnd::Trimmed => Value::Null,
        BodyEnd::Capped(bytes) => capped(*bytes),
        BodyEnd::CutOff(why) => Value::Text(why.clone()),
    }
}

fn read_body_end(stored: ValueRef<'_>) -> Result<BodyEnd, Fault> {
    Ok(match stored {
        ValueRef::Null => BodyEnd::Complete,
        ValueRef::Integer(bytes) => BodyEnd::Capped(usize::try_from(bytes).map_err(|_| Fault::Damaged)?),
        ValueRef::Real(_) | ValueRef::Text(_) | ValueRef::Blob(_) => {
            BodyEnd::CutOff(stored.as_str().map_err(|_| Fault::Damaged)?.to_owned())
        }
    })
}

/// Returns the details of a plant, if name and tag are stored.
pub(super) fn details(name: Option<String>, tag: Option<String>) -> Option<Details> {
    name.zip(tag).map(|(name, tag)| Details { name, tag })
}

/// Returns the author of an entry; `None` for this journal's own.
pub(super) fn author(name: Option<String>) -> Result<Option<Author>, Fault> {
    name.map(Author::new).transpose().map_err(|_| Fault::Damaged)
}

pub(super) fn row(found: &SqlRow<'_>) -> Result<Row, Fault> {
    Ok(Row {
        id: found.get(0)?,
        state: found.get(1)?,
        details: details(found.get(2)?, found.get(3)?),
        changed_at: found.get(4)?,
        author: author(found.get(5)?)?,
    })
}

/// Reads the details that the plant of an operation had at its request, from the columns of
/// [`OPERATION`].
pub(super) fn operation_details(found: &SqlRow<'_>) -> Result<Option<Details>, Fault> {
    Ok(details(found.get(4)?, found.get(5)?))
}

pub(super) fn operation_id(found: &SqlRow<'_>) -> Result<OperationId, Fault> {
    let origin: i64 = found.get(0)?;
    Ok(OperationId { origin: origin.cast_unsigned(), number: found.get(1)? })
}

pub(super) fn operation(found: &SqlRow<'_>) -> Result<Operation, Fault> {
    let (kind, id) = (found.get(2)?, found.get(3)?);
    let kind = match (kind, operation_details(found)?) {
        (Kind::Add, Some(Details { name, tag })) => OperationKind::add(Plant { name, id, tag }),
        (Kind::Delete, _) => OperationKind::Delete(id),
        (Kind::Add, None) => return Err(Fault::Damaged),
    };
    let probe: Option<String> = found.get(7)?;
    Ok(Operation {
        id: operation_id(found)?,
        kind,
        requested_at: found.get(6)?,
        probe: probe.as_deref().map(from_json).transpose()?,
        author: author(found.get(8)?)?,
    })
}

/// Reads an exchange with its operation.
pub(super) fn exchange(found: &SqlRow<'_>) -> Result<Exchange, Fault> {
    let operation = operation(found)?;
    let request = match (found.get::<_, Option<i64>>(16)?, found.get::<_, Option<String>>(17)?) {
        (None, _) => None,
        (Some(_), Some(head)) => Some(request(&head, found.get(18)?)?),
        (Some(_), None) => return Err(Fault::Damaged),
    };
    let phase = |column| found.get::<_, Option<i64>>(column)?.map(micros).transpose();
    Ok(Exchange {
        request,
        ending: ending(found)?,
        started: started(found, 6, 9)?,
        elapsed: micros(found.get(10)?)?,
        phases: Phases {
            name: phase(11)?,
            connection: phase(12)?,
            tls: phase(13)?,
            waiting: phase(14)?,
            reading: phase(15)?,
        },
        operation,
    })
}

fn ending(found: &SqlRow<'_>) -> Result<Ending, Fault> {
    let status = match (found.get(19)?, found.get(24)?) {
        (Some(status), None) => status,
        (None, Some(kind)) if found.get_ref(22)? == ValueRef::Null => {
            return Ok(Ending::Failed(Failure { kind, detail: found.get::<_, Option<_>>(25)?.unwrap_or_default() }));
        }
        (_, _) => return Err(Fault::Damaged),
    };
    let text = |column| found.get::<_, Option<String>>(column)?.ok_or(Fault::Damaged);
    let (version, reason): (String, String) = from_json(&text(20)?)?;
    let (headers, body, body_end) = match found.get(22)? {
        None => (Arc::default(), Vec::new(), BodyEnd::Trimmed),
        Some(body) => (headers_of(from_json(&text(21)?)?), body, read_body_end(found.get_ref(23)?)?),
    };
    Ok(Ending::Responded(Response { status, reason: reason.into(), version: version.into(), headers, body, body_end }))
}

/// Reads when an exchange started, from the columns of the request time and of the time after it.
pub(super) fn started(found: &SqlRow<'_>, requested_at: usize, after: usize) -> Result<Timestamp, Fault> {
    Ok(Timestamp(found.get::<_, i64>(requested_at)?.wrapping_add(found.get(after)?)))
}

/// Reads the fold of a plant in the snapshot that stands for its entries up to a position.
pub(super) fn snapshot(conn: &Connection, store: i64, id: PlantId) -> Result<Option<(Position, Fold)>, Fault> {
    let found: Option<(Position, String)> = conn
        .prepare_cached(
            "SELECT snapshot, coalesce(earlier, fold) FROM shared
             WHERE store = ?1 AND plant_id = ?2 AND snapshot IS NOT NULL",
        )?
        .query_row(params![store, id], |found| Ok((found.get(0)?, found.get(1)?)))
        .optional()?;
    found.map(|(position, text)| Ok((position, from_json(&text)?))).transpose()
}

pub(super) fn unlisted(found: &SqlRow<'_>) -> Result<Unlisted, Fault> {
    Ok(Unlisted {
        plant: Plant { id: found.get(0)?, name: found.get(1)?, tag: found.get(2)? },
        how: found.get(3)?,
        at: found.get(4)?,
    })
}
