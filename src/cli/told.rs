//! An exchange as `--json` prints it: the same after an operation and in the history, where it
//! is also told how its time was spent.

use std::time::Duration;

use serde::Serialize;

use crate::domain::{Ask, Exchange, Outcome, Phases, Plant, PlantId, Row, sentence};

/// What became of an operation.
#[derive(Debug, Serialize)]
pub(super) struct Told<'a> {
    operation: &'static str,
    pub(super) outcome: Outcome,
    plant: ToldPlant<'a>,
    status: Option<u16>,
    elapsed_ms: f64,
    pub(super) mismatches: Vec<String>,
    pub(super) message: String,
    /// Where the journal has it; not told where it does.
    #[serde(skip_serializing_if = "is_true")]
    pub(super) recorded: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_true(value: &bool) -> bool {
    *value
}

/// Name and tag are null where they were never known.
#[derive(Debug, Serialize)]
pub(super) struct ToldPlant<'a> {
    name: Option<&'a str>,
    id: PlantId,
    tag: Option<&'a str>,
}

impl<'a> ToldPlant<'a> {
    /// One of the list.
    pub(super) fn of_row(row: &'a Row) -> Self {
        Self { name: row.name(), id: row.id, tag: row.tag() }
    }

    /// One of which everything is known.
    pub(super) fn of(plant: &'a Plant) -> Self {
        Self { name: Some(&plant.name), id: plant.id, tag: Some(&plant.tag) }
    }
}

impl<'a> Told<'a> {
    /// The same, and whether the journal has it.
    pub(super) fn with_recorded(self, recorded: bool) -> Self {
        Self { recorded, ..self }
    }

    /// What was not sent, and why.
    pub(super) fn unsent(operation: &'static str, outcome: Outcome, plant: ToldPlant<'a>, message: String) -> Self {
        let mismatches = Vec::new();
        Self { operation, outcome, plant, status: None, elapsed_ms: 0.0, mismatches, message, recorded: true }
    }
}

/// Tells an exchange. Name and tag are those of a plant to delete, where they are known.
pub(super) fn tell<'a>(exchange: &'a Exchange, name: Option<&'a str>, tag: Option<&'a str>) -> Told<'a> {
    let ask = &exchange.operation.ask;
    let plant = match ask {
        Ask::Add(plant) => ToldPlant::of(plant),
        Ask::Delete(id) => ToldPlant { name, id: *id, tag },
    };
    let mismatches = exchange.mismatches().iter().map(ToString::to_string).collect();
    let message = sentence::told(exchange, plant.name);
    Told {
        operation: ask.word(),
        outcome: exchange.outcome(),
        plant,
        status: exchange.status(),
        elapsed_ms: in_millis(exchange.elapsed),
        mismatches,
        message,
        recorded: true,
    }
}

/// How long each phase of an exchange took, in milliseconds; null where it did not take place.
#[derive(Debug, Serialize)]
pub(super) struct ToldPhases {
    name: Option<f64>,
    connection: Option<f64>,
    tls: Option<f64>,
    waiting: Option<f64>,
    reading: Option<f64>,
}

impl From<&Phases> for ToldPhases {
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

/// To a tenth of a millisecond.
pub(super) fn in_millis(took: Duration) -> f64 {
    (took.as_secs_f64() * 10_000.0).round() / 10.0
}
