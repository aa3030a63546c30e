//! An operation: one add or one delete that a person requested.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::plant::{Plant, PlantId};
use super::probe::Probe;

/// Milliseconds since 1970-01-01T00:00:00Z. May go backwards: clocks do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// As RFC 3339 has it, in milliseconds; `None` for a time that no calendar has.
    pub fn in_utc(self) -> Option<String> {
        jiff::Timestamp::from_millisecond(self.0).ok().map(|time| time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
    }

    /// [`Self::in_utc`], or the milliseconds for a time that no calendar has.
    pub fn in_words(self) -> String {
        self.in_utc().unwrap_or_else(|| format!("{} ms after 1970 began", self.0))
    }
}

/// Names one operation in every journal: the program that requested it, and a number.
///
/// `origin` is drawn at random by each running program, so two of them never share a name
/// and neither needs the disk to find one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OperationId {
    /// Of the running program.
    pub origin: u64,
    /// Counts up from 1 in that program.
    pub number: u32,
}

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}-{}", self.origin, self.number)
    }
}

/// What the store is to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum OperationKind {
    /// Create Plant (`interface.md` §4.1).
    Add(Plant),
    /// Delete Plant (`interface.md` §4.2).
    Delete(PlantId),
}

impl OperationKind {
    pub fn plant_id(&self) -> PlantId {
        match self {
            Self::Add(plant) => plant.id,
            Self::Delete(id) => *id,
        }
    }

    /// The plant to add, if it is an add.
    pub fn plant(&self) -> Option<&Plant> {
        match self {
            Self::Add(plant) => Some(plant),
            Self::Delete(_) => None,
        }
    }

    pub fn word(&self) -> &'static str {
        match self {
            Self::Add(_) => "add",
            Self::Delete(_) => "delete",
        }
    }
}

/// One add or one delete that a person requested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    pub id: OperationId,
    pub kind: OperationKind,
    pub requested_at: Timestamp,
    /// How its request departs from the document's, if the contract check asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probe>,
}

impl Operation {
    /// An operation that a person requested, in the document's own form.
    pub fn new(id: OperationId, kind: OperationKind, requested_at: Timestamp) -> Self {
        Self { id, kind, requested_at, probe: None }
    }

    /// Whether a yes to it says that its plant is there under its id, or gone.
    pub fn names_its_plant(&self) -> bool {
        !self.probe.as_ref().is_some_and(|probe| probe.leaves_id_open)
    }

    /// Whether it was sent in the document's own words, so that its response can be compared with
    /// the document's.
    pub fn is_by_the_document(&self) -> bool {
        self.probe.as_ref().is_none_or(|probe| probe.body.is_none() && probe.path_id.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_no_calendar_has_is_none() {
        assert_eq!(Timestamp(0).in_utc().as_deref(), Some("1970-01-01T00:00:00.000Z"));
        assert_eq!(Timestamp(-1).in_utc().as_deref(), Some("1969-12-31T23:59:59.999Z"));
        assert_eq!(Timestamp(i64::MAX).in_utc(), None);
        assert_eq!(Timestamp(i64::MAX).in_words(), "9223372036854775807 ms after 1970 began");
    }
}
