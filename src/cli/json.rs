//! What `--json` prints of plants and operations. The names of the fields are an interface.

use std::time::Duration;

use serde::Serialize;

use crate::domain::{self, Exchange, OperationKind, Outcome, Phases, PlantId, Row, State, Unresolved, sentence};

/// Name and tag are null where they were never known.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Plant<'a> {
    name: Option<&'a str>,
    id: PlantId,
    tag: Option<&'a str>,
}

impl<'a> From<&'a Row> for Plant<'a> {
    fn from(row: &'a Row) -> Self {
        Self { name: row.name(), id: row.id, tag: row.tag() }
    }
}

impl<'a> From<&'a domain::Plant> for Plant<'a> {
    fn from(plant: &'a domain::Plant) -> Self {
        Self { name: Some(&plant.name), id: plant.id, tag: Some(&plant.tag) }
    }
}

/// An operation and what became of it.
#[derive(Debug, Serialize)]
pub(super) struct Operation<'a> {
    #[serde(rename = "operation")]
    kind: &'static str,
    pub(super) outcome: Outcome,
    plant: Plant<'a>,
    status: Option<u16>,
    elapsed_ms: f64,
    pub(super) mismatches: Vec<String>,
    pub(super) message: String,
    /// Whether the journal has it; printed where it has not.
    #[serde(skip_serializing_if = "is_true")]
    pub(super) recorded: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_true(value: &bool) -> bool {
    *value
}

impl<'a> Operation<'a> {
    /// Name and tag are those of a plant to delete, where they are known.
    pub(super) fn new(exchange: &'a Exchange, name: Option<&'a str>, tag: Option<&'a str>) -> Self {
        let kind = &exchange.operation.kind;
        let plant = match kind {
            OperationKind::Add(plant) => plant.into(),
            OperationKind::Delete(id) => Plant { name, id: *id, tag },
        };
        Self {
            kind: kind.word(),
            outcome: exchange.outcome(),
            plant,
            status: exchange.status(),
            elapsed_ms: in_millis(exchange.elapsed),
            mismatches: exchange.mismatches().iter().map(ToString::to_string).collect(),
            message: sentence::describe(exchange, plant.name),
            recorded: true,
        }
    }

    /// An add that an import left out, and why.
    pub(super) fn left_out(plant: &'a domain::Plant, outcome: Outcome, message: String) -> Self {
        let (plant, mismatches) = (plant.into(), Vec::new());
        Self { kind: "add", outcome, plant, status: None, elapsed_ms: 0.0, mismatches, message, recorded: true }
    }
}

/// A plant of the list, and if it is unknown, what is unknown of it.
#[derive(Debug, Serialize)]
pub(super) struct Listed<'a> {
    #[serde(flatten)]
    plant: Plant<'a>,
    state: State,
    #[serde(flatten)]
    unknown: Option<Unknown>,
}

#[derive(Debug, Serialize)]
struct Unknown {
    operation: &'static str,
    since: Option<String>,
}

impl<'a> From<&'a Row> for Listed<'a> {
    fn from(row: &'a Row) -> Self {
        Self { plant: row.into(), state: row.state, unknown: None }
    }
}

impl<'a> From<&'a Unresolved> for Listed<'a> {
    fn from(Unresolved { row, doubt }: &'a Unresolved) -> Self {
        let unknown = Unknown { operation: doubt.kind.word(), since: row.changed_at.in_utc() };
        Self { unknown: Some(unknown), ..row.into() }
    }
}

/// How long each phase of an exchange took; null where it did not take place.
#[derive(Debug, Serialize)]
pub(super) struct PhasesInMillis {
    name: Option<f64>,
    connection: Option<f64>,
    tls: Option<f64>,
    waiting: Option<f64>,
    reading: Option<f64>,
}

impl From<&Phases> for PhasesInMillis {
    fn from(phases: &Phases) -> Self {
        Self {
            name: phases.name.map(in_millis),
            connection: phases.connection.map(in_millis),
            tls: phases.tls.map(in_millis),
            waiting: phases.waiting.map(in_millis),
            reading: phases.reading.map(in_millis),
        }
    }
}

/// Rounds to a tenth of a millisecond.
pub(super) fn in_millis(took: Duration) -> f64 {
    (took.as_secs_f64() * 10_000.0).round() / 10.0
}
