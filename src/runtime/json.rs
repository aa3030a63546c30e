//! The JSON of plants, operations and requests: what `--json` prints, and what custom commands read. The field names are a
//! public interface.

use serde::{Serialize, Serializer};

use crate::domain::{
    self, Authors, Exchange, ListedPlant, OperationKind, Outcome, Phases, PlantId, Row, State, sentence,
};
use crate::journal::StoredExchange;
use crate::text::number_format::in_millis;

/// A plant; name and tag are null if they are not known.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Plant<'a> {
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

impl<'a> Plant<'a> {
    /// `name` and `tag` are those of a plant to delete, if they are known.
    fn of(kind: &'a OperationKind, name: Option<&'a str>, tag: Option<&'a str>) -> Self {
        match kind {
            OperationKind::Add(plant) => plant.as_ref().into(),
            OperationKind::Delete(id) => Self { name, id: *id, tag },
        }
    }
}

/// An operation and its outcome.
#[derive(Debug, Serialize)]
pub struct Operation<'a> {
    #[serde(rename = "operation")]
    kind: &'static str,
    pub outcome: Outcome,
    plant: Plant<'a>,
    status: Option<u16>,
    elapsed_ms: f64,
    pub mismatches: Vec<String>,
    pub message: String,
    /// The member of the team that requested it; left out without a team.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a Authors>,
    /// Whether the journal has the outcome; printed only if it has not.
    #[serde(skip_serializing_if = "is_true")]
    pub recorded: bool,
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
    pub fn new(exchange: &'a Exchange, name: Option<&'a str>, tag: Option<&'a str>) -> Self {
        let kind = &exchange.operation.kind;
        let plant = Plant::of(kind, name, tag);
        Self {
            kind: kind.word(),
            status: exchange.status(),
            elapsed_ms: in_millis(exchange.elapsed),
            mismatches: exchange.mismatches().iter().map(ToString::to_string).collect(),
            author: exchange.operation.author.as_ref(),
            ..Self::unsent(plant, exchange.outcome(), sentence::describe(exchange, plant.name))
        }
    }

    /// An operation that a dry run does not send.
    pub fn dry(kind: &'a OperationKind, name: Option<&'a str>, tag: Option<&'a str>, message: String) -> Self {
        let plant = Plant::of(kind, name, tag);
        Self { kind: kind.word(), plant, dry_run: true, ..Self::unsent(plant, Outcome::NotSent, message) }
    }

    /// An add that an import did not send, and the reason.
    pub fn not_sent(plant: &'a domain::Plant, outcome: Outcome, message: String) -> Self {
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
pub struct Listed<'a> {
    #[serde(flatten)]
    plant: Plant<'a>,
    state: State,
    /// The members of the team that brought it into the state; left out without a team.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a Authors>,
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

impl<'a> From<&'a ListedPlant> for Listed<'a> {
    fn from(ListedPlant { row, unknown }: &'a ListedPlant) -> Self {
        let of = |kind: &OperationKind| Unknown { operation: kind.word(), since: row.changed_at.in_utc() };
        Self { unknown: unknown.as_ref().map(|unknown| of(&unknown.kind)), ..row.into() }
    }
}

/// A request of the history.
#[derive(Debug, Serialize)]
pub struct Entry<'a> {
    number: i64,
    started: Option<String>,
    #[serde(flatten)]
    operation: Operation<'a>,
    #[serde(serialize_with = "in_millis_each")]
    phases_ms: &'a Phases,
}

impl<'a> From<&'a StoredExchange> for Entry<'a> {
    fn from(stored: &'a StoredExchange) -> Self {
        let (exchange, tag) = (&stored.exchange, stored.called.as_ref().map(|called| called.tag.as_str()));
        Self {
            number: stored.number,
            started: exchange.started.in_utc(),
            operation: Operation::new(exchange, stored.name(), tag),
            phases_ms: &exchange.phases,
        }
    }
}

/// Serializes the duration of each phase of a request in milliseconds; null for a phase that did not take place.
fn in_millis_each<S: Serializer>(phases: &Phases, serializer: S) -> Result<S::Ok, S::Error> {
    let each = phases.in_order().map(|(name, took)| (name.to_ascii_lowercase(), took.map(in_millis)));
    serializer.collect_map(each)
}
