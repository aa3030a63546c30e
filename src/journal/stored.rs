//! Converts between the rows of the tables and the domain's values. A row that cannot be converted is
//! damaged.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row as SqlRow, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::codes::Kind;
use super::error::JournalError;
use super::fault::Fault;
use super::sql;
use crate::domain::wire::DocumentBody;
use crate::domain::{
    Author, BodyEnd, Details, Ending, Exchange, Failure, Header, Method, Operation, OperationId, OperationKind,
    Outcome, Phases, Plant, PlantId, Record, Request, Response, Row, State, Timestamp, Unlisted,
};

/// The columns of `plant` that [`row`] reads.
pub(super) const ROW: &str = "id, state, name, tag, changed_at, author";

/// The columns of `operation o` that [`operation`] reads.
pub(super) const OPERATION: &str = "(SELECT origin FROM origin WHERE id = o.origin), o.number, o.kind, o.plant_id,
    o.name, o.tag, o.requested_at, o.probe,
    (SELECT m.author FROM origin g JOIN member m ON m.id = g.member WHERE g.id = o.origin)";

/// The columns of `exchange e` joined with `operation o` that [`exchange`] reads.
pub(super) const EXCHANGE: &str = "(SELECT origin FROM origin WHERE id = o.origin), o.number, o.kind, o.plant_id,
    o.name, o.tag, o.requested_at, o.probe,
    (SELECT m.author FROM origin g JOIN member m ON m.id = g.member WHERE g.id = o.origin), e.started, e.elapsed_us,
    e.name_us, e.connection_us, e.tls_us, e.waiting_us, e.reading_us,
    e.request, (SELECT text FROM head WHERE id = e.request), e.request_body,
    e.status, (SELECT text FROM head WHERE id = e.line), (SELECT text FROM head WHERE id = e.headers),
    e.body, e.body_end, e.failure, e.detail,
    (SELECT whole.text FROM head h JOIN head whole ON whole.id = h.base WHERE h.id = e.headers)";

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

/// The head of a request: method; URL and target, both without `/id` if they end with the id of the
/// plant; whether they do; and the headers. So all deletes have the same head.
type RequestHead<Text> = (Method, Text, Text, bool, Vec<(Text, Text)>);

fn id_at_the_end(id: PlantId) -> String {
    format!("/{id}")
}

/// Returns the head of a request about a plant as text.
pub(super) fn request_head(request: &Request, id: PlantId) -> Result<String, Fault> {
    let Request { method, url, target, headers, body: _ } = request;
    let end = id_at_the_end(id);
    let without = url.strip_suffix(&end).zip(target.strip_suffix(&end));
    let (url, target) = without.unwrap_or((url, target));
    let head: RequestHead<&str> = (*method, url, target, without.is_some(), pairs(headers));
    to_json(&head)
}

/// The number for which a body of the document is stored.
const fn number_of(body: DocumentBody) -> i64 {
    match body {
        DocumentBody::Request => 1,
        DocumentBody::Response => 2,
    }
}

/// Returns the body for a number: that of the document for the plant of the operation.
fn known_body(number: i64, kind: &OperationKind) -> Result<String, Fault> {
    let known = [DocumentBody::Request, DocumentBody::Response].into_iter().find(|body| number_of(*body) == number);
    known.zip(kind.plant()).map(|(body, plant)| body.text(plant)).ok_or(Fault::Damaged)
}

/// Returns the length of a body in bytes, from its stored length or the negative of its number.
pub(super) fn body_length(stored: i64, kind: &OperationKind) -> Result<usize, Fault> {
    if stored < 0 { known_body(-stored, kind).map(|body| body.len()) } else { Ok(sql::as_count(stored)) }
}

/// Returns the stored form of a response's body.
pub(super) fn body<'a>(body: &'a [u8], kind: &OperationKind) -> ToSqlOutput<'a> {
    stored_body(body, kind, &[DocumentBody::Response, DocumentBody::Request]).unwrap_or_else(|| body.into())
}

/// Returns the stored form of a request's body.
pub(super) fn request_body<'a>(request: &'a Request, kind: &OperationKind) -> Option<ToSqlOutput<'a>> {
    let text = request.body.as_deref()?;
    Some(stored_body(text.as_bytes(), kind, &[DocumentBody::Request]).unwrap_or_else(|| text.into()))
}

/// Returns the number of a body, if it is one of these for the plant of its operation.
fn stored_body<'a>(body: &[u8], kind: &OperationKind, known: &[DocumentBody]) -> Option<ToSqlOutput<'a>> {
    let plant = kind.plant()?;
    known.iter().find(|known| known.is_text(plant, body)).map(|known| number_of(*known).into())
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
    Ok(Request { method, url: url.into(), target: target.into(), headers: headers_of(headers), body })
}

fn pairs(headers: &[Header]) -> Vec<(&str, &str)> {
    headers.iter().map(|Header { name, value }| (name.as_str(), value.as_str())).collect()
}

fn headers_of(pairs: Vec<(String, String)>) -> Arc<[Header]> {
    pairs.into_iter().map(|(name, value)| Header { name, value }).collect()
}

/// Reads the headers of a response, from the text of their head, and from that of its base if it has one.
pub(super) fn headers_in(text: &str, base: Option<&str>) -> Result<Arc<[Header]>, Fault> {
    let mut whole: Vec<(String, String)> = from_json(base.unwrap_or(text))?;
    if base.is_some() {
        for (position, value) in from_json::<Vec<(usize, String)>>(text)? {
            whole.get_mut(position).ok_or(Fault::Damaged)?.1 = value;
        }
    }
    Ok(headers_of(whole))
}

/// Returns the headers as text in which they differ from those of a base; `None` if that saves less than half, or if a
/// name differs.
pub(super) fn headers_beside(headers: &[Header], base: &[Header]) -> Result<Option<String>, Fault> {
    /// The bytes around a value in the text.
    const AROUND: usize = 8;
    let has_names = headers.len() == base.len() && headers.iter().zip(base).all(|(one, other)| one.name == other.name);
    let pairs = headers.iter().zip(base).enumerate();
    let differing: Vec<_> = pairs
        .filter(|(_, (header, known))| header.value != known.value)
        .map(|(position, (header, _))| (position, header.value.as_str()))
        .collect();
    let whole: usize = headers.iter().map(|header| header.name.len() + header.value.len() + AROUND).sum();
    let part: usize = differing.iter().map(|(_, value)| value.len() + AROUND).sum();
    if has_names && 2 * part <= whole { to_json(&differing).map(Some) } else { Ok(None) }
}

/// Returns version and reason of a status line as text.
pub(super) fn line(response: &Response) -> Result<String, Fault> {
    to_json(&(&response.version, &response.reason))
}

/// Returns the headers of a response as text.
pub(super) fn headers(headers: &[Header]) -> Result<String, Fault> {
    to_json(&pairs(headers))
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

pub(super) fn operation(found: &SqlRow<'_>) -> Result<Operation, Fault> {
    let (kind, id) = (found.get(2)?, found.get(3)?);
    let kind = match (kind, operation_details(found)?) {
        (Kind::Add, Some(Details { name, tag })) => OperationKind::add(Plant { name, id, tag }),
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
        author: author(found.get(8)?)?,
    })
}

/// Reads an exchange with its operation.
pub(super) fn exchange(found: &SqlRow<'_>) -> Result<Exchange, Fault> {
    let operation = operation(found)?;
    let request = match (found.get::<_, Option<i64>>(16)?, found.get::<_, Option<String>>(17)?) {
        (None, _) => None,
        (Some(_), Some(head)) => Some(request(&head, found.get_ref(18)?, &operation.kind)?),
        (Some(_), None) => return Err(Fault::Damaged),
    };
    let phase = |column| found.get::<_, Option<i64>>(column)?.map(micros).transpose();
    Ok(Exchange {
        request,
        ending: ending(found, &operation.kind)?,
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

fn ending(found: &SqlRow<'_>, kind: &OperationKind) -> Result<Ending, Fault> {
    let status = match (found.get(19)?, found.get(24)?) {
        (Some(status), None) => status,
        (None, Some(kind)) if found.get_ref(22)? == ValueRef::Null => {
            return Ok(Ending::Failed(Failure { kind, detail: found.get::<_, Option<_>>(25)?.unwrap_or_default() }));
        }
        (_, _) => return Err(Fault::Damaged),
    };
    let text = |column| found.get::<_, Option<String>>(column)?.ok_or(Fault::Damaged);
    let (version, reason): (String, String) = from_json(&text(20)?)?;
    let (headers, body, body_end) = match read_body(found.get_ref(22)?, kind)? {
        None => (Arc::default(), Vec::new(), BodyEnd::Trimmed),
        Some(body) => {
            let base: Option<String> = found.get(26)?;
            (headers_in(&text(21)?, base.as_deref())?, body, read_body_end(found.get_ref(23)?)?)
        }
    };
    Ok(Ending::Responded(Response { status, reason: reason.into(), version: version.into(), headers, body, body_end }))
}

/// Reads when an exchange started, from the columns of the request time and of the time after it.
pub(super) fn started(found: &SqlRow<'_>, requested_at: usize, after: usize) -> Result<Timestamp, Fault> {
    Ok(Timestamp(found.get::<_, i64>(requested_at)?.wrapping_add(found.get(after)?)))
}

pub(super) fn unlisted(found: &SqlRow<'_>) -> Result<Unlisted, Fault> {
    Ok(Unlisted {
        plant: Plant { id: found.get(0)?, name: found.get(1)?, tag: found.get(2)? },
        how: found.get(3)?,
        at: found.get(4)?,
    })
}

/// Reads the record of a plant; `None` if the plant has no row.
pub(super) fn record(conn: &Connection, store: i64, id: PlantId) -> Result<Option<Record>, Fault> {
    Ok(record_with_rowid(conn, store, id)?.map(|(_, record)| record))
}

/// Reads the record of a plant, and the rowid of its row.
pub(super) fn record_with_rowid(conn: &Connection, store: i64, id: PlantId) -> Result<Option<(i64, Record)>, Fault> {
    let found = conn
        .prepare_cached(&format!("SELECT {ROW}, record, rowid FROM plant WHERE store = ?1 AND id = ?2"))?
        .query_row(params![store, id], |found| Ok((row(found), found.get(6)?, found.get(7)?)))
        .optional()?;
    found.map(|(row, text, rowid)| Ok((rowid, record_of(conn, store, &row?, text)?))).transpose()
}

/// Returns the record of a row, from the text in its column. The column is NULL for a stored plant
/// without open operations, and for a plant that was unknown to the journal before its open add.
pub(super) fn record_of(conn: &Connection, store: i64, row: &Row, text: Option<String>) -> Result<Record, Fault> {
    match (text, row.state) {
        (Some(text), _) => from_json(&text),
        (None, State::Stored) => Ok(Record::of_stored(row.clone())),
        (None, State::Adding) => {
            let open = format!(
                "SELECT {OPERATION} FROM operation o WHERE o.store = ?1 AND o.plant_id = ?2 AND o.outcome IS NULL
                 AND o.kind = ?3 ORDER BY o.seq DESC LIMIT 1"
            );
            let open = sql::all(conn, &open, params![store, row.id, Kind::Add], operation)?;
            let mut record = Record::new(row.id);
            record.asked(open.first().ok_or(Fault::Damaged)?);
            Ok(record)
        }
        (None, State::Unknown | State::Deleting) => Err(Fault::Damaged),
    }
}

/// Returns an add that explains a row; `None` if its name or tag is not known.
pub(super) fn assumed_add(row: &Row) -> Option<Operation> {
    let Details { name, tag } = row.details.clone()?;
    let kind = OperationKind::add(Plant { name, id: row.id, tag });
    Some(Operation::new(OperationId { origin: 0, number: 0 }, kind, row.changed_at))
}

/// Returns the record of a plant after a single operation, which ended at the time of its request.
pub(super) fn record_after(operation: &Operation, outcome: Outcome) -> Record {
    let mut record = Record::new(operation.kind.plant_id());
    record.asked(operation);
    record.ended(operation.id, outcome, operation.requested_at);
    record
}
