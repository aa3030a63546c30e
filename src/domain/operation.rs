//! An operation: one add or one delete that a person requested. Must not know how operations are sent.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Authors, Details, Plant, PlantId, Probe, Seen, Timestamp};
use crate::text::clean;

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

/// Identifies a run of the contract check in every journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId {
    /// That of its operations.
    pub origin: u64,
    /// When it began. A program has at most one run at a time.
    pub started: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum OperationKind {
    /// Create Plant (`interface.md` §4.1). Shared: its intent, its request and its end are held by two threads.
    Add(Arc<Plant>),
    /// Delete Plant (`interface.md` §4.2).
    Delete(PlantId),
}

impl OperationKind {
    pub fn add(plant: Plant) -> Self {
        Self::Add(Arc::new(plant))
    }

    pub fn plant_id(&self) -> PlantId {
        match self {
            Self::Add(plant) => plant.id,
            Self::Delete(id) => *id,
        }
    }

    pub fn plant(&self) -> Option<&Plant> {
        let Self::Add(plant) = self else { return None };
        Some(plant)
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
    /// How the request deviates from the document, for an operation of the contract check, which no other journal gets.
    #[serde(skip)]
    pub probe: Option<Probe>,
    /// What the person saw of the plant: its intent is not recorded if that has changed.
    #[serde(skip)]
    pub seen: Option<Box<Seen>>,
    /// The member of the team that requested it.
    #[serde(skip)]
    pub author: Option<Authors>,
}

impl Operation {
    /// Creates an operation that follows the document.
    pub fn new(id: OperationId, kind: OperationKind, requested_at: Timestamp) -> Self {
        Self { id, kind, requested_at, probe: None, seen: None, author: None }
    }

    /// Returns the plant that a delete removes, as the person saw it, if its name and tag were known.
    pub fn deletes(&self) -> Option<Plant> {
        let OperationKind::Delete(id) = self.kind else { return None };
        let Seen::Listed { details: Some(Details { name, tag }), .. } = self.seen.as_deref()? else { return None };
        Some(Plant { name: name.clone(), id, tag: tag.clone() })
    }

    /// Returns the run of the contract check that sent it.
    pub fn run(&self) -> Option<RunId> {
        let started = self.probe.as_ref()?.run?;
        Some(RunId { origin: self.id.origin, started })
    }

    /// Returns what the contract check sent it for, cleaned.
    pub fn purpose(&self) -> Option<String> {
        self.probe.as_ref().map(|probe| clean(&probe.purpose)).filter(|purpose| !purpose.is_empty())
    }

    /// Whether the request follows the document, so that the response can be compared with the document.
    pub fn follows_document(&self) -> bool {
        self.probe.as_ref().is_none_or(|probe| probe.body.is_none() && probe.path_id.is_none())
    }
}
