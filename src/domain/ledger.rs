//! What is known about a plant: the list, and what is not decided. Must not know how entries are stored.

mod entry;
mod fold;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::{Authors, Details, OperationId, OperationKind, Outcome, Plant, PlantId, Seen, Timestamp};
use crate::text::listed;
pub use entry::{MemberId, Others, PlantEntry, PlantEvent, Position};
pub use fold::Fold;

/// The state of a plant in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum State {
    /// The store accepted an add, or a person marked the plant as stored.
    Stored,
    /// An operation on the plant ended unknown and is not resolved.
    Unknown,
    /// An add is queued or in flight.
    Adding,
    /// A delete is queued or in flight.
    Deleting,
}

impl State {
    pub const ALL: [Self; 4] = [Self::Stored, Self::Unknown, Self::Adding, Self::Deleting];

    /// Returns the word on screen and in JSON.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// A plant of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub id: PlantId,
    /// `None` if only deletes of the plant are known.
    pub details: Option<Details>,
    pub state: State,
    pub changed_at: Timestamp,
    /// The members of the team that brought the plant into this state.
    pub author: Option<Authors>,
}

impl Row {
    pub fn name(&self) -> Option<&str> {
        self.details.as_ref().map(|details| details.name.as_str())
    }

    pub fn tag(&self) -> Option<&str> {
        self.details.as_ref().map(|details| details.tag.as_str())
    }

    /// Whether its id, name and tag are those of a plant.
    pub fn is(&self, plant: &Plant) -> bool {
        (self.id, self.name(), self.tag()) == (plant.id, Some(plant.name.as_str()), Some(plant.tag.as_str()))
    }

    pub fn seen(&self) -> Seen {
        Seen::Listed {
            details: self.details.clone(),
            is_deleting: self.state == State::Deleting,
            is_unknown: self.state == State::Unknown,
        }
    }
}

/// A person's decision about an unknown plant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Resolution {
    /// The plant is in the store.
    #[strum(serialize = "stored")]
    MarkStored,
    /// The plant is removed from the list; the store may still have the plant. Of an unknown add to an id that had a
    /// stored plant, that one is left.
    Forget,
}

/// Why a plant that was to be added is not in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnlistedReason {
    Deleted,
    /// A person removed the plant from the list.
    Forgotten,
    /// The store rejected the add.
    Rejected,
    /// The add never reached the store.
    NotSent,
}

impl UnlistedReason {
    /// Returns the reason that an operation with this outcome gives; `None` if the plant stays in the list.
    pub fn by(kind: &OperationKind, outcome: Outcome) -> Option<Self> {
        match (kind, outcome) {
            (OperationKind::Delete(_), Outcome::Accepted) => Some(Self::Deleted),
            (OperationKind::Add(_), Outcome::Rejected) => Some(Self::Rejected),
            (OperationKind::Add(_), Outcome::NotSent) => Some(Self::NotSent),
            (OperationKind::Add(_), Outcome::Accepted | Outcome::Unknown)
            | (OperationKind::Delete(_), Outcome::Rejected | Outcome::Unknown | Outcome::NotSent) => None,
        }
    }
}

/// A plant that was to be added and is not in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlisted {
    pub plant: Plant,
    pub how: UnlistedReason,
    pub at: Timestamp,
}

/// An operation that ended unknown and is not resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOperation {
    pub operation: OperationId,
    pub kind: OperationKind,
    /// The members of the team who left the plant unknown. There are several if they did not know of each other.
    pub authors: Option<Authors>,
    /// What each of several members did: `you deleted it`.
    pub claims: Vec<String>,
    /// Whether a plant that was stored before stays in the list if it is forgotten.
    pub leaves_stored: bool,
}

impl UnknownOperation {
    /// Says why the plant is unknown.
    pub fn why(&self) -> String {
        if !self.claims.is_empty() {
            return format!("What is at the store is not known: {}.", listed(self.claims.iter().map(String::as_str)));
        }
        let (kind, author) = (self.kind.word(), self.authors.as_ref().and_then(Authors::others_in_words));
        let what = author.map_or_else(|| format!("Its {kind}"), |author| format!("The {kind} of {author}"));
        format!("{what} may have reached the store, and no response said yes or no.")
    }
}

/// A plant in the list, with the last operation that a person can decide about: an unknown one, or one in flight of
/// another member of the team, who may be gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPlant {
    pub row: Row,
    pub unknown: Option<UnknownOperation>,
}

impl ListedPlant {
    /// Whether a person can decide about it: if it is unknown, or, to forget it, stored.
    pub fn is_resolvable(&self, forgets: bool) -> bool {
        self.unknown.is_some() || (forgets && self.row.state == State::Stored)
    }
}

/// A plant that a person decided about without a request, as they saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    pub id: PlantId,
    pub seen: Seen,
    /// The operation that it was unknown by; `None` for a stored plant.
    pub unknown: Option<OperationId>,
}

impl Decided {
    pub fn stored(row: &Row) -> Self {
        Self { id: row.id, seen: row.seen(), unknown: None }
    }

    pub fn listed(plant: &ListedPlant) -> Self {
        Self { unknown: plant.unknown.as_ref().map(|unknown| unknown.operation), ..Self::stored(&plant.row) }
    }
}
