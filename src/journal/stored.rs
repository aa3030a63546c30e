//! Converts between the rows of the tables and the domain's values. A row that cannot be converted is
//! damaged.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Row as SqlRow, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::codes::Kind;
use super::error::JournalError;
use super::fault::Fault;
use super::sql::{self, Store};
use crate::domain::{
    Author, Authors, BodyEnd, Details, Ending, Exchange, Failure, Fold, Operation, OperationId, OperationKind, Phases,
    Plant, PlantId, Position, Request, Response, Row, Timestamp, Unlisted,
};

macro_rules! plant_authors {
    () => {
        "iif(author IS NULL OR author LIKE ' %',
            coalesce(' ' || (SELECT m.author FROM store s JOIN member m ON m.id = s.member WHERE s.id = plant.store)
                || coalesce(author, ''), ltrim(author)),
            author)"
    };
}

/// The authors of `plant`: see [`authors`]. In its column, the own one has no name, and NULL is the own one alone.
pub(super) const PLANT_AUTHORS: &str = plant_authors!();

/// The columns of `plant` that [`row`] reads.
pub(super) const ROW: &str = concat!("id, state, name, tag, changed_at, ", plant_authors!(), " AS author");

/// The same columns without the authors.
pub(super) const ROW_ALONE: &str = "id, state, name, tag, changed_at, NULL AS author";

macro_rules! author {
    () => {
        "(SELECT iif(m.own, ' ', '') || m.author FROM origin g JOIN member m ON m.id = g.member WHERE g.id = o.origin)"
    };
}

/// The author of `operation o`: see [`authors`].
pub(super) const AUTHOR: &str = author!();

macro_rules! operation_columns {
    () => {
        concat!(
            "(SELECT origin FROM origin WHERE id = o.origin) AS origin, o.number, o.kind, o.plant_id, o.name, o.tag, \
             o.requested_at, (SELECT form FROM probe WHERE operation = o.seq) AS probe, ",
            author!(),
            " AS author"
        )
    };
}

/// The columns of `operation o` that [`operation`] reads.
pub(super) const OPERATION: &str = operation_columns!();

/// The columns of `exchange e` joined with `operation o` that [`exchange`] reads.
pub(super) const EXCHANGE: &str = concat!(
    operation_columns!(),
    ", e.started, e.elapsed_us, e.name_us, e.connection_us, e.tls_us, e.waiting_us, e.reading_us, e.request, \
     (SELECT text FROM head WHERE id = e.request) AS request_head, e.request_body, e.status, \
     (SELECT text FROM head WHERE id = e.line) AS status_line, (SELECT text FROM head WHERE id = e.headers) AS headers, \
     e.body, e.body_end, e.failure, e.detail"
);

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

/// The number of bytes of the body of `exchange e` that were read. `SQLite` knows it without reading the
/// body, unless that is stored in part.
pub(super) const SIZE: &str =
    "coalesce(iif(json_valid(e.body_end), CAST(e.body_end ->> '$.Shortened.length' AS INTEGER), NULL), length(e.body))";

/// Returns the stored form of how the body of a response ended, of which `kept` bytes are stored.
pub(super) fn body_end(exchange: &Exchange, response: &Response, kept: usize) -> Result<Option<String>, Fault> {
    match &response.body_end {
        BodyEnd::Shortened(_) => to_json(&response.body_end).map(Some),
        _ if kept < response.body.len() => to_json(&exchange.shortened(response)).map(Some),
        BodyEnd::Complete | BodyEnd::Trimmed => Ok(None),
        BodyEnd::Capped(_) | BodyEnd::CutOff(_) => to_json(&response.body_end).map(Some),
    }
}

/// Returns the details of a plant, if name and tag are stored.
pub(super) fn details(name: Option<String>, tag: Option<String>) -> Option<Details> {
    name.zip(tag).map(|(name, tag)| Details { name, tag })
}

/// Returns the author of an entry; `None` for this journal's own.
pub(super) fn author(name: Option<String>) -> Result<Option<Author>, Fault> {
    name.map(|name| name.parse()).transpose().map_err(|_| Fault::Damaged)
}

/// Reads authors: a space, if the first is this journal's own, and their names with a space between them.
fn authors(found: Option<String>) -> Result<Option<Authors>, Fault> {
    let Some(found) = found else { return Ok(None) };
    let names = found.split_whitespace().map(|name| name.parse::<Author>().map_err(|_| Fault::Damaged));
    let mut others = names.collect::<Result<Vec<_>, _>>()?;
    let own = (found.starts_with(' ') && !others.is_empty()).then(|| others.remove(0));
    Ok(Some(Authors { own, others }))
}

/// Returns the column of a plant's authors.
pub(super) fn authors_column(authors: Option<&Authors>) -> Option<String> {
    let Authors { own, others } = authors.filter(|authors| !authors.others.is_empty())?;
    let own = own.iter().map(|_| "");
    Some(own.chain(others.iter().map(Author::name)).collect::<Vec<_>>().join(" "))
}

pub(super) fn row(found: &SqlRow<'_>) -> Result<Row, Fault> {
    Ok(Row {
        id: found.get("id")?,
        state: found.get("state")?,
        details: listed_details(found)?,
        changed_at: found.get("changed_at")?,
        author: authors(found.get("author")?)?,
    })
}

/// Reads name and tag of a row; or those that the plant of an operation had at its request.
pub(super) fn listed_details(found: &SqlRow<'_>) -> Result<Option<Details>, Fault> {
    Ok(details(found.get("name")?, found.get("tag")?))
}

pub(super) fn operation_id(found: &SqlRow<'_>) -> Result<OperationId, Fault> {
    let origin: i64 = found.get("origin")?;
    Ok(OperationId { origin: origin.cast_unsigned(), number: found.get("number")? })
}

pub(super) fn operation(found: &SqlRow<'_>) -> Result<Operation, Fault> {
    let (kind, id) = (found.get("kind")?, found.get("plant_id")?);
    let kind = match (kind, listed_details(found)?) {
        (Kind::Add, Some(Details { name, tag })) => OperationKind::add(Plant { name, id, tag }),
        (Kind::Delete, _) => OperationKind::Delete(id),
        (Kind::Add, None) => return Err(Fault::Damaged),
    };
    let probe: Option<String> = found.get("probe")?;
    Ok(Operation {
        id: operation_id(found)?,
        kind,
        requested_at: found.get("requested_at")?,
        probe: probe.as_deref().map(from_json).transpose()?,
        seen: None,
        author: authors(found.get("author")?)?,
    })
}

/// Reads an exchange with its operation.
pub(super) fn exchange(found: &SqlRow<'_>) -> Result<Exchange, Fault> {
    let request = match (found.get::<_, Option<i64>>("request")?, found.get::<_, Option<String>>("request_head")?) {
        (None, _) => None,
        (Some(_), Some(head)) => Some(Request { body: found.get("request_body")?, ..from_json(&head)? }),
        (Some(_), None) => return Err(Fault::Damaged),
    };
    let phase = |column| found.get::<_, Option<i64>>(column)?.map(micros).transpose();
    Ok(Exchange {
        operation: operation(found)?,
        request,
        ending: ending(found)?,
        started: started(found)?,
        elapsed: micros(found.get("elapsed_us")?)?,
        phases: Phases {
            name: phase("name_us")?,
            connection: phase("connection_us")?,
            tls: phase("tls_us")?,
            waiting: phase("waiting_us")?,
            reading: phase("reading_us")?,
        },
    })
}

fn ending(found: &SqlRow<'_>) -> Result<Ending, Fault> {
    let body: Option<Vec<u8>> = found.get("body")?;
    let status = match (found.get("status")?, found.get("failure")?) {
        (Some(status), None) => status,
        (None, Some(kind)) if body.is_none() => {
            let detail = found.get::<_, Option<_>>("detail")?.unwrap_or_default();
            return Ok(Ending::Failed(Failure { kind, detail }));
        }
        (_, _) => return Err(Fault::Damaged),
    };
    let text = |column| found.get::<_, Option<String>>(column)?.ok_or(Fault::Damaged);
    let (version, reason): (String, String) = from_json(&text("status_line")?)?;
    let (headers, body, body_end) = match body {
        None => (Arc::default(), Vec::new(), BodyEnd::Trimmed),
        Some(body) => {
            let end = found.get::<_, Option<String>>("body_end")?;
            (from_json(&text("headers")?)?, body, end.map_or(Ok(BodyEnd::Complete), |end| from_json(&end))?)
        }
    };
    Ok(Ending::Responded(Response { status, reason: reason.into(), version: version.into(), headers, body, body_end }))
}

/// Reads when an exchange started.
pub(super) fn started(found: &SqlRow<'_>) -> Result<Timestamp, Fault> {
    let requested_at: i64 = found.get("requested_at")?;
    Ok(Timestamp(requested_at.wrapping_add(found.get("started")?)))
}

/// Reads the fold of a plant in the snapshot that stands for its entries up to a position.
pub(super) fn snapshot(store: Store<'_>, id: PlantId) -> Result<Option<(Position, Fold)>, Fault> {
    let snapshot = "SELECT snapshot, coalesce(earlier, fold) FROM shared
        WHERE store = ?1 AND plant_id = ?2 AND snapshot IS NOT NULL";
    sql::one(store.conn, snapshot, params![store.key, id], |found| {
        Ok((found.get(0)?, from_json(&found.get::<_, String>(1)?)?))
    })
}

pub(super) fn unlisted(found: &SqlRow<'_>) -> Result<Unlisted, Fault> {
    Ok(Unlisted {
        plant: Plant { id: found.get("plant_id")?, name: found.get("name")?, tag: found.get("tag")? },
        how: found.get("how")?,
        at: found.get("at")?,
    })
}
