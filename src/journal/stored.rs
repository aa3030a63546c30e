//! What stands in the tables, read back as the domain's values. What cannot be is damage.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::Fault;
use crate::domain::{
    Answer, Ask, BodyEnd, Departed, Departure, Details, Ending, Exchange, Failure, Header, Operation, OperationId,
    Outcome, Plant, PlantId, Record, Row, State, Timestamp,
};

/// The columns that [`row`] reads, of `plant`.
pub(super) const ROW: &str = "id, state, name, tag, changed_at";

/// The columns that [`operation`] reads, of `operation o`.
pub(super) const OPERATION: &str = "o.origin, o.number, o.kind, o.plant_id, o.name, o.tag, o.asked_at, o.probe";

/// The columns that [`exchange`] reads, of `exchange e` joined with `operation o`.
pub(super) const EXCHANGE: &str = "o.origin, o.number, o.kind, o.plant_id, o.name, o.tag, o.asked_at, o.probe,
    e.request, e.ending, e.body, e.started, e.elapsed_us, e.phases";

/// A number of rows as `SQLite` counts them.
pub(super) fn as_count(value: i64) -> usize {
    usize::try_from(value).unwrap_or_default()
}

/// The same, for asking.
pub(super) fn as_limit(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A value as JSON text.
pub(super) fn to_json(value: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| Fault::Entry(format!("this cannot be written down: {error}")))
}

/// How an exchange ended as JSON text, without the body of its answer, and that body, of which so
/// many bytes are kept; a cut is noted in the text.
pub(super) fn ending(ending: &Ending, most: usize) -> Result<(String, Option<&[u8]>), Fault> {
    /// An [`Ending`] with the body taken out.
    #[derive(Serialize)]
    enum Kept<'ending> {
        Answered(KeptAnswer<'ending>),
        Failed(&'ending Failure),
    }
    /// As an [`Answer`].
    #[derive(Serialize)]
    struct KeptAnswer<'answer> {
        status: u16,
        reason: &'answer str,
        version: &'answer str,
        headers: &'answer [Header],
        body: [u8; 0],
        body_end: &'answer BodyEnd,
    }
    let answer = match ending {
        Ending::Failed(failure) => return Ok((to_json(&Kept::Failed(failure))?, None)),
        Ending::Answered(answer) => answer,
    };
    let Answer { status, reason, version, headers, body, body_end } = answer;
    let kept = body.get(..most).unwrap_or(body);
    let body_end = if kept.len() < body.len() { &BodyEnd::Capped(most) } else { body_end };
    let kept_answer = KeptAnswer { status: *status, reason, version, headers, body: [], body_end };
    Ok((to_json(&Kept::Answered(kept_answer))?, Some(kept)))
}

/// A value of JSON text.
pub(super) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|_| Fault::Damaged)
}

/// What a plant is called, where both are known.
pub(super) fn details(name: Option<String>, tag: Option<String>) -> Option<Details> {
    name.zip(tag).map(|(name, tag)| Details { name, tag })
}

/// A line of the view.
pub(super) fn row(found: &rusqlite::Row<'_>) -> Result<Row, Fault> {
    let state: String = found.get(1)?;
    Ok(Row {
        id: PlantId(found.get(0)?),
        details: details(found.get(2)?, found.get(3)?),
        state: State::from_word(&state).ok_or(Fault::Damaged)?,
        changed_at: Timestamp(found.get(4)?),
    })
}

/// What the plant of an operation was called when it was asked, of the columns of [`OPERATION`].
pub(super) fn called(found: &rusqlite::Row<'_>) -> Result<Option<Details>, Fault> {
    Ok(details(found.get(4)?, found.get(5)?))
}

/// An operation.
pub(super) fn operation(found: &rusqlite::Row<'_>) -> Result<Operation, Fault> {
    let (kind, id): (String, _) = (found.get(2)?, PlantId(found.get(3)?));
    let ask = match (kind.as_str(), called(found)?) {
        ("add", Some(Details { name, tag })) => Ask::Add(Plant { name, id, tag }),
        ("delete", _) => Ask::Delete(id),
        (_, _) => return Err(Fault::Damaged),
    };
    let origin: i64 = found.get(0)?;
    let probe: Option<String> = found.get(7)?;
    Ok(Operation {
        id: OperationId { origin: origin.cast_unsigned(), number: found.get(1)? },
        ask,
        asked_at: Timestamp(found.get(6)?),
        probe: probe.as_deref().map(from_json).transpose()?,
    })
}

/// An exchange with its operation.
pub(super) fn exchange(found: &rusqlite::Row<'_>) -> Result<Exchange, Fault> {
    let (request, ending): (Option<String>, String) = (found.get(8)?, found.get(9)?);
    let mut ending: Ending = from_json(&ending)?;
    match &mut ending {
        Ending::Answered(answer) => answer.body = found.get::<_, Option<Vec<u8>>>(10)?.unwrap_or_default(),
        Ending::Failed(_) => {}
    }
    let phases: Option<String> = found.get(13)?;
    Ok(Exchange {
        operation: operation(found)?,
        request: request.as_deref().map(from_json).transpose()?,
        ending,
        started: Timestamp(found.get(11)?),
        elapsed: elapsed(found, 12)?,
        phases: phases.as_deref().map(from_json).transpose()?.unwrap_or_default(),
    })
}

/// How long an exchange took, of a column in microseconds.
pub(super) fn elapsed(found: &rusqlite::Row<'_>, column: usize) -> Result<Duration, Fault> {
    Ok(Duration::from_micros(found.get::<_, i64>(column)?.unsigned_abs()))
}

/// What an exchange proves.
pub(super) fn outcome(found: &rusqlite::Row<'_>, column: usize) -> Result<Outcome, Fault> {
    let code: String = found.get(column)?;
    Outcome::from_code(&code).ok_or(Fault::Damaged)
}

/// The columns that [`departed`] reads, of `departure d`.
pub(super) const DEPARTED: &str = "d.plant_id, d.name, d.tag, d.how, d.at";

/// A plant that is not in the view.
pub(super) fn departed(found: &rusqlite::Row<'_>) -> Result<Departed, Fault> {
    let (name, tag, how): (_, _, String) = (found.get(1)?, found.get(2)?, found.get(3)?);
    Ok(Departed {
        plant: Plant { name, id: PlantId(found.get(0)?), tag },
        how: Departure::from_code(&how).ok_or(Fault::Damaged)?,
        at: Timestamp(found.get(4)?),
    })
}

/// The record of a plant that has a row.
pub(super) fn record(conn: &Connection, store: i64, id: PlantId) -> Result<Option<Record>, Fault> {
    let text: Option<String> = conn
        .prepare_cached("SELECT record FROM plant WHERE store = ?1 AND id = ?2")?
        .query_row(params![store, id.0], |found| found.get(0))
        .optional()?;
    text.as_deref().map(from_json).transpose()
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
