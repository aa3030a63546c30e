//! What stands in the tables, read back as the domain's values. What cannot be is damage.

use std::time::Duration;

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::codes::Kind;
use super::error::JournalError;
use super::fault::Fault;
use crate::domain::{
    BodyEnd, Details, Ending, Exchange, Failure, Header, Method, Operation, OperationId, OperationKind, Outcome,
    Phases, Plant, PlantId, Record, Request, Resolution, Response, Row, State, Timestamp, Unlisted,
};

/// The columns that [`row`] reads, of `plant`.
pub(super) const ROW: &str = "id, state, name, tag, changed_at";

/// The columns that [`operation`] reads, of `operation o`.
pub(super) const OPERATION: &str = "(SELECT origin FROM origin WHERE id = o.origin), o.number, o.kind, o.plant_id,
    o.name, o.tag, o.requested_at, o.probe";

/// The columns that [`exchange`] reads, of `exchange e` joined with `operation o`.
pub(super) const EXCHANGE: &str = "(SELECT origin FROM origin WHERE id = o.origin), o.number, o.kind, o.plant_id,
    o.name, o.tag, o.requested_at, o.probe, e.started, e.elapsed_us,
    e.name_us, e.connection_us, e.tls_us, e.waiting_us, e.reading_us,
    e.request, (SELECT text FROM head WHERE id = e.request), e.request_body,
    e.status, (SELECT text FROM head WHERE id = e.line), (SELECT text FROM head WHERE id = e.headers),
    e.body, e.body_end, e.failure, e.detail";

/// A number of rows as `SQLite` counts them.
pub(super) fn as_count(value: i64) -> usize {
    usize::try_from(value).unwrap_or_default()
}

/// The same, for asking.
pub(super) fn as_limit(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A duration as it is stored.
pub(super) fn as_micros(value: Duration) -> i64 {
    i64::try_from(value.as_micros()).unwrap_or(i64::MAX)
}

pub(super) fn to_json(value: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| Fault::Entry(JournalError::NotStorable { reason: error.to_string() }))
}

pub(super) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|_| Fault::Damaged)
}

/// The head of a request: method, URL and target, each without the id at their end if that is the
/// plant's, whether it is, and the headers. So the heads of all deletes are the same.
type RequestHead<Text> = (Method, Text, Text, bool, Vec<(Text, Text)>);

fn id_at_the_end(id: PlantId) -> String {
    format!("/{id}")
}

/// The head of a request about a plant as text.
pub(super) fn request_head(request: &Request, id: PlantId) -> Result<String, Fault> {
    let Request { method, url, target, headers, body: _ } = request;
    let end = id_at_the_end(id);
    let without = url.strip_suffix(&end).zip(target.strip_suffix(&end));
    let (url, target) = without.unwrap_or((url, target));
    let head: RequestHead<&str> = (*method, url, target, without.is_some(), pairs(headers));
    to_json(&head)
}

/// The body that a number stands for: the plant of the operation as the document has it in a request
/// and in a response (`interface.md` §4.1).
fn known_body(number: i64, kind: &OperationKind) -> Result<String, Fault> {
    match (number, kind.plant()) {
        (1, Some(plant)) => to_json(plant),
        (2, Some(plant)) => to_json(&Details::from(plant)),
        (_, _) => Err(Fault::Damaged),
    }
}

/// How many bytes a body has of which this is stored: a length, or a number below 0.
pub(super) fn body_length(stored: i64, kind: &OperationKind) -> Result<usize, Fault> {
    if stored < 0 { known_body(-stored, kind).map(|body| body.len()) } else { Ok(as_count(stored)) }
}

/// The body of a response as it is stored.
pub(super) fn body<'a>(body: &'a [u8], kind: &OperationKind) -> Result<ToSqlOutput<'a>, Fault> {
    for number in kind.plant().map(|_| [1, 2]).into_iter().flatten() {
        if known_body(number, kind)?.as_bytes() == body {
            return Ok(number.into());
        }
    }
    Ok(body.into())
}

/// The body of a request as it is stored.
pub(super) fn request_body<'a>(sent: &'a Request, kind: &OperationKind) -> Result<Option<ToSqlOutput<'a>>, Fault> {
    let Some(sent) = &sent.body else { return Ok(None) };
    let stored = body(sent.as_bytes(), kind)?;
    Ok(Some(if matches!(stored, ToSqlOutput::Owned(_)) { stored } else { sent.as_str().into() }))
}

fn read_body(stored: ValueRef<'_>, kind: &OperationKind) -> Result<Option<Vec<u8>>, Fault> {
    match stored {
        ValueRef::Null => Ok(None),
        ValueRef::Integer(number) => known_body(number, kind).map(|body| Some(body.into_bytes())),
        ValueRef::Text(body) | ValueRef::Blob(body) => Ok(Some(body.to_vec())),
        ValueRef::Real(_) => Err(Fault::Damaged),
    }
}

fn request(head: &str, body: ValueRef<'_>, kind: &OperationKind) -> Result<Request, Fault> {
    let (method, mut url, mut target, has_id, headers): RequestHead<String> = from_json(head)?;
    if has_id {
        let end = id_at_the_end(kind.plant_id());
        url += &end;
        target += &end;
    }
    let body = read_body(body, kind)?.map(String::from_utf8).transpose().map_err(|_| Fault::Damaged)?;
    Ok(Request { method, url, target, headers: headers_of(headers), body })
}

fn text(value: ValueRef<'_>) -> Result<String, Fault> {
    Ok(value.as_str().map_err(|_| Fault::Damaged)?.to_owned())
}

fn pairs(headers: &[Header]) -> Vec<(&str, &str)> {
    headers.iter().map(|Header { name, value }| (name.as_str(), value.as_str())).collect()
}

fn headers_of(pairs: Vec<(String, String)>) -> Vec<Header> {
    pairs.into_iter().map(|(name, value)| Header { name, value }).collect()
}

/// What the status line of a response says beside the status, as text.
pub(super) fn line(response: &Response) -> Result<String, Fault> {
    to_json(&(&response.version, &response.reason))
}

/// The headers of a response as text.
pub(super) fn headers(response: &Response) -> Result<String, Fault> {
    to_json(&pairs(&response.headers))
}

/// How the body of a response ended, of which so many bytes are kept.
pub(super) fn body_end(response: &Response, kept: usize) -> Value {
    let capped = |bytes: usize| Value::Integer(as_limit(bytes));
    match &response.body_end {
        _ if kept < response.body.len() => capped(kept),
        BodyEnd::Complete | BodyEnd::Trimmed => Value::Null,
        BodyEnd::Capped(bytes) => capped(*bytes),
        BodyEnd::CutOff(why) => Value::Text(why.clone()),
    }
}

/// What a plant is called, where both are known.
pub(super) fn details(name: Option<String>, tag: Option<String>) -> Option<Details> {
    name.zip(tag).map(|(name, tag)| Details { name, tag })
}

/// A line of the view.
pub(super) fn row(found: &rusqlite::Row<'_>) -> Result<Row, Fault> {
    Ok(Row {
        id: found.get(0)?,
        state: found.get(1)?,
        details: details(found.get(2)?, found.get(3)?),
        changed_at: found.get(4)?,
    })
}

/// What the plant of an operation was called when it was asked, of the columns of [`OPERATION`].
pub(super) fn called(found: &rusqlite::Row<'_>) -> Result<Option<Details>, Fault> {
    Ok(details(found.get(4)?, found.get(5)?))
}

pub(super) fn operation(found: &rusqlite::Row<'_>) -> Result<Operation, Fault> {
    let (kind, id) = (found.get(2)?, found.get(3)?);
    let kind = match (kind, called(found)?) {
        (Kind::Add, Some(Details { name, tag })) => OperationKind::Add(Plant { name, id, tag }),
        (Kind::Delete, _) => OperationKind::Delete(id),
        (Kind::Add, None) => return Err(Fault::Damaged),
    };
    let origin: i64 = found.get(0)?;
    let probe: Option<String> = found.get(7)?;
    Ok(Operation {
        id: OperationId { origin: origin.cast_unsigned(), number: found.get(1)? },
        kind,
        requested_at: found.get(6)?,
        probe: probe.as_deref().map(from_json).transpose()?,
    })
}

/// An exchange with its operation.
pub(super) fn exchange(found: &rusqlite::Row<'_>) -> Result<Exchange, Fault> {
    let operation = operation(found)?;
    let request = match (found.get::<_, Option<i64>>(15)?, found.get::<_, Option<String>>(16)?) {
        (None, _) => None,
        (Some(_), Some(head)) => Some(request(&head, found.get_ref(17)?, &operation.kind)?),
        (Some(_), None) => return Err(Fault::Damaged),
    };
    let phase = |column| found.get::<_, Option<i64>>(column)?.map(micros).transpose();
    Ok(Exchange {
        request,
        ending: ending(found, &operation.kind)?,
        started: started(found, 6, 8)?,
        elapsed: micros(found.get(9)?)?,
        phases: Phases {
            name: phase(10)?,
            connection: phase(11)?,
            tls: phase(12)?,
            waiting: phase(13)?,
            reading: phase(14)?,
        },
        operation,
    })
}

fn ending(found: &rusqlite::Row<'_>, kind: &OperationKind) -> Result<Ending, Fault> {
    let status = match (found.get(18)?, found.get(23)?) {
        (Some(status), None) => status,
        (None, Some(kind)) => {
            return Ok(Ending::Failed(Failure { kind, detail: found.get::<_, Option<_>>(24)?.unwrap_or_default() }));
        }
        (_, _) => return Err(Fault::Damaged),
    };
    let text = |column| found.get::<_, Option<String>>(column)?.ok_or(Fault::Damaged);
    let (version, reason) = from_json(&text(19)?)?;
    let (headers, body, body_end) = match read_body(found.get_ref(21)?, kind)? {
        None => (Vec::new(), Vec::new(), BodyEnd::Trimmed),
        Some(body) => (headers_of(from_json(&text(20)?)?), body, read_body_end(found.get_ref(22)?)?),
    };
    Ok(Ending::Responded(Response { status, reason, version, headers, body, body_end }))
}

fn read_body_end(stored: ValueRef<'_>) -> Result<BodyEnd, Fault> {
    Ok(match stored {
        ValueRef::Null => BodyEnd::Complete,
        ValueRef::Integer(bytes) => BodyEnd::Capped(usize::try_from(bytes).map_err(|_| Fault::Damaged)?),
        ValueRef::Real(_) | ValueRef::Text(_) | ValueRef::Blob(_) => BodyEnd::CutOff(text(stored)?),
    })
}

/// A duration of its microseconds.
pub(super) fn micros(stored: i64) -> Result<Duration, Fault> {
    u64::try_from(stored).map(Duration::from_micros).map_err(|_| Fault::Damaged)
}

/// When an exchange started, of the columns of when it was asked for and how long after that.
pub(super) fn started(found: &rusqlite::Row<'_>, requested_at: usize, after: usize) -> Result<Timestamp, Fault> {
    Ok(Timestamp(found.get::<_, i64>(requested_at)?.wrapping_add(found.get(after)?)))
}

/// The columns that [`unlisted`] reads, of `unlisted d`.
pub(super) const DEPARTED: &str = "d.plant_id, d.name, d.tag, d.how, d.at";

/// A plant that is not in the view.
pub(super) fn unlisted(found: &rusqlite::Row<'_>) -> Result<Unlisted, Fault> {
    Ok(Unlisted {
        plant: Plant { id: found.get(0)?, name: found.get(1)?, tag: found.get(2)? },
        how: found.get(3)?,
        at: found.get(4)?,
    })
}

/// The record of a plant that has a row.
pub(super) fn record(conn: &Connection, store: i64, id: PlantId) -> Result<Option<Record>, Fault> {
    let found = conn
        .prepare_cached(&format!("SELECT {ROW}, record FROM plant WHERE store = ?1 AND id = ?2"))?
        .query_row(params![store, id], |found| Ok((row(found), found.get(5)?)))
        .optional()?;
    found.map(|(row, text)| record_of(conn, store, row?, text)).transpose()
}

/// The record of a row of the view, of the text beside it. There is none where the plant is stored
/// and nothing is open, or where nothing was known of the plant before the add that is open.
pub(super) fn record_of(conn: &Connection, store: i64, row: Row, text: Option<String>) -> Result<Record, Fault> {
    let mut record = Record::new(row.id);
    match (text, row.state, row.details) {
        (Some(text), _, _) => record = from_json(&text)?,
        (None, State::Stored, None) => record.resolved(Resolution::MarkStored, row.changed_at),
        (None, State::Stored, Some(Details { name, tag })) => {
            let kind = OperationKind::Add(Plant { name, id: row.id, tag });
            let add = Operation::new(OperationId { origin: 0, number: 0 }, kind, row.changed_at);
            record.asked(&add);
            record.ended(add.id, Outcome::Accepted, row.changed_at);
        }
        (None, State::Adding, _) => {
            let sql = format!(
                "SELECT {OPERATION} FROM operation o WHERE o.store = ?1 AND o.plant_id = ?2 AND o.outcome IS NULL
                 AND o.kind = ?3 ORDER BY o.seq DESC LIMIT 1"
            );
            let open = all(conn, &sql, params![store, row.id, Kind::Add], operation)?;
            record.asked(open.first().ok_or(Fault::Damaged)?);
        }
        (None, State::Unknown | State::Deleting, _) => return Err(Fault::Damaged),
    }
    Ok(record)
}

/// Reads every line that a query finds.
pub(super) fn all<T>(
    conn: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
    read: impl Fn(&rusqlite::Row<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let mut statement = conn.prepare_cached(sql)?;
    let mut found = statement.query(values)?;
    let mut all = Vec::new();
    while let Some(line) = found.next()? {
        all.push(read(line)?);
    }
    Ok(all)
}

/// `SQLite`'s mark of what other connections have committed: another one after each.
pub(super) fn commits_of_others(conn: &Connection) -> Result<i64, Fault> {
    Ok(conn.prepare_cached("PRAGMA data_version")?.query_row([], |found| found.get(0))?)
}
