//! An exchange as `--json` prints it: the same after an operation and in the history.

use serde::Serialize;

use crate::domain::{Ask, Exchange, Outcome, PlantId, sentence};

/// What became of an operation.
#[derive(Debug, Serialize)]
pub(super) struct Told<'a> {
    operation: &'static str,
    pub(super) outcome: Outcome,
    plant: ToldPlant<'a>,
    status: Option<u16>,
    elapsed_ms: f64,
    pub(super) unlike_document: Vec<String>,
    pub(super) message: String,
}

/// Name and tag are null where they were never known.
#[derive(Debug, Serialize)]
struct ToldPlant<'a> {
    name: Option<&'a str>,
    id: PlantId,
    tag: Option<&'a str>,
}

/// Tells an exchange. Name and tag are those of a plant to delete, where they are known.
pub(super) fn tell<'a>(exchange: &'a Exchange, name: Option<&'a str>, tag: Option<&'a str>) -> Told<'a> {
    let ask = &exchange.operation.ask;
    let plant = match ask {
        Ask::Add(plant) => ToldPlant { name: Some(&plant.name), id: plant.id, tag: Some(&plant.tag) },
        Ask::Delete(id) => ToldPlant { name, id: *id, tag },
    };
    let unlike_document = exchange.unlike_document().iter().map(ToString::to_string).collect();
    let message = sentence::told(exchange, plant.name);
    Told {
        operation: ask.word(),
        outcome: exchange.outcome(),
        plant,
        status: exchange.status(),
        elapsed_ms: (exchange.elapsed.as_secs_f64() * 10_000.0).round() / 10.0,
        unlike_document,
        message,
    }
}
