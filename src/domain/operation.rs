//! An operation: one add or one delete that a person requested. Must not know how operations are sent.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::plant::{Plant, PlantId};
use super::probe::Probe;

/// Milliseconds since 1970-01-01T00:00:00Z. A later timestamp may be smaller, if the clock was set back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Formats as RFC 3339 with milliseconds; `None` for a time outside the calendar.
    pub fn in_utc(self) -> Option<String> {
        jiff::Timestamp::from_millisecond(self.0).ok().map(|time| time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
    }

    /// Formats as [`Self::in_utc`] does, or in milliseconds for a time outside the calendar.
    pub fn in_words(self) -> String {
        self.in_utc().unwrap_or_else(|| format!("{} ms since 1970", self.0))
    }
}

/// Identifies an operation in every journal, without coordination between programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OperationId {
    /// A random number of the running program.
    pub origin: u64,
    /// Counts from 1 in the running program.
    pub number: u32,
}

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}-{}", self.origin, self.number)
    }
}

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
    /// How the request deviates from the document, for an operation of the contract check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probe>,
}

impl Operation {
    /// Creates an operation that follows the document.
    pub fn new(id: OperationId, kind: OperationKind, requested_at: Timestamp) -> Self {
        Self { id, kind, requested_at, probe: None }
    }

    /// Whether acceptance proves that the plant exists under its id (add) or not (delete).
    pub fn names_its_plant(&self) -> bool {
        !self.probe.as_ref().is_some_and(|probe| probe.leaves_id_open)
    }

    /// Whether the request follows the document, so that the response can be compared with the document.
    pub fn follows_document(&self) -> bool {
        self.probe.as_ref().is_none_or(|probe| probe.body.is_none() && probe.path_id.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_outside_the_calendar_has_no_utc_text() {
        assert_eq!(Timestamp(0).in_utc().as_deref(), Some("1970-01-01T00:00:00.000Z"));
        assert_eq!(Timestamp(-1).in_utc().as_deref(), Some("1969-12-31T23:59:59.999Z"));
        assert_eq!(Timestamp(i64::MAX).in_utc(), None);
        assert_eq!(Timestamp(i64::MAX).in_words(), "9223372036854775807 ms since 1970");
    }
}
