//! The JSON of plants and operations for `--json`. The field names are a public interface.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;

use super::error::Exit;
use super::{end, print};
use crate::domain::{
    self, Author, Exchange, OperationKind, Outcome, Phases, PlantId, Row, State, Unresolved, sentence,
};

/// A plant; name and tag are null if they are not known.
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

/// An operation and its outcome.
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
    /// The member of the team that requested it; left out if that is this journal.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a Author>,
    /// Whether the journal has the outcome; printed only if it has not.
    #[serde(skip_serializing_if = "is_true")]
    pub(super) recorded: bool,
    /// Whether it would be sent; printed only for a dry run.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dry_run: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_true(value: &bool) -> bool {
    *value
}

impl<'a> Operation<'a> {
    /// `name` and `tag` are those of a plant to delete, if they are known.
    pub(super) fn new(exchange: &'a Exchange, name: Option<&'a str>, tag: Option<&'a str>) -> Self {
        let kind = &exchange.operation.kind;
        let plant = match kind {
            OperationKind::Add(plant) => plant.as_ref().into(),
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
            author: exchange.operation.author.as_ref(),
            recorded: true,
            dry_run: false,
        }
    }

    /// An operation that a dry run does not send.
    pub(super) fn dry(kind: &'a OperationKind, name: Option<&'a str>, tag: Option<&'a str>, message: String) -> Self {
        let plant = match kind {
            OperationKind::Add(plant) => plant.as_ref().into(),
            OperationKind::Delete(id) => Plant { name, id: *id, tag },
        };
        Self { kind: kind.word(), plant, dry_run: true, ..Self::unsent(plant, Outcome::NotSent, message) }
    }

    /// An add that an import did not send, and the reason.
    pub(super) fn not_sent(plant: &'a domain::Plant, outcome: Outcome, message: String) -> Self {
        Self::unsent(plant.into(), outcome, message)
    }

    fn unsent(plant: Plant<'a>, outcome: Outcome, message: String) -> Self {
        Self {
            kind: "add",
            outcome,
            plant,
            status: None,
            elapsed_ms: 0.0,
            mismatches: Vec::new(),
            message,
            author: None,
            recorded: true,
            dry_run: false,
        }
    }
}

/// A plant of the list; of an unknown one also the operation, and since when.
#[derive(Debug, Serialize)]
pub(super) struct Listed<'a> {
    #[serde(flatten)]
    plant: Plant<'a>,
    state: State,
    /// The member of the team that brought it into the state; left out if that is this journal.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a Author>,
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
        Self { plant: row.into(), state: row.state, author: row.author.as_ref(), unknown: None }
    }
}

impl<'a> From<&'a Unresolved> for Listed<'a> {
    fn from(Unresolved { row, unknown }: &'a Unresolved) -> Self {
        let unknown = Unknown { operation: unknown.kind.word(), since: row.changed_at.in_utc() };
        Self { unknown: Some(unknown), ..row.into() }
    }
}

/// The duration of each phase of a request in milliseconds; null for a phase that did not take place.
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
        let Phases { name, connection, tls, waiting, reading } = *phases;
        let [name, connection, tls, waiting, reading] =
            [name, connection, tls, waiting, reading].map(|phase| phase.map(in_millis));
        Self { name, connection, tls, waiting, reading }
    }
}

/// Converts to milliseconds, rounded to a tenth.
pub(super) fn in_millis(took: Duration) -> f64 {
    (took.as_secs_f64() * 10_000.0).round() / 10.0
}

/// Prints the values of `--json` one per line, until one cannot be written.
pub(super) struct JsonLines {
    pub(super) is_wanted: bool,
    is_lost: AtomicBool,
}

impl JsonLines {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, is_lost: AtomicBool::new(false) }
    }

    /// Prints a value, which is made only if it is wanted.
    pub(super) fn print<Value: Serialize>(&self, value: impl FnOnce() -> Value) {
        if self.is_wanted && !self.is_lost.load(Ordering::Relaxed) && !end::succeeded(print::json(&value())) {
            self.is_lost.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the exit code of a command that ends with `exit`: lost values are an error of their own.
    pub(super) fn or_lost(&self, exit: Exit) -> Exit {
        if exit == Exit::Done && self.is_lost.load(Ordering::Relaxed) { Exit::NotSent } else { exit }
    }
}
