//! What a journal writes about a plant, and the team reads. Must not know what an entry means.

use serde::{Deserialize, Serialize};

use super::{Details, Resolution};
use crate::domain::author::Author;
use crate::domain::operation::{Operation, OperationId};
use crate::domain::outcome::Outcome;
use crate::domain::timestamp::Timestamp;

/// A journal that takes part in a team. Two journals of one person are two members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemberId(pub u64);

impl MemberId {
    /// A journal without a team: the one member of its own.
    pub const ALONE: Self = Self(1);
}

/// A position in the stream of a team; the larger is the later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Position(pub u64);

/// An entry of a member about one plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlantEntry {
    pub member: MemberId,
    /// `None` for an entry that is not in a stream.
    pub position: Option<Position>,
    /// How much of the stream the member had folded when the entry was written, beside its own entries; `None` for a
    /// journal without a team, which knows all that it has.
    pub known: Option<Position>,
    pub event: PlantEvent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlantEvent {
    Intent(Operation),
    End(OperationId, Outcome, Timestamp),
    Resolution(Resolved),
}

impl PlantEvent {
    /// Returns the entry of a journal without a team.
    pub fn alone(self) -> PlantEntry {
        PlantEntry { member: MemberId::ALONE, position: None, known: None, event: self }
    }
}

/// A person's decision about a plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    pub resolution: Resolution,
    /// Those of a plant that the member knew before it joined the team.
    pub details: Option<Details>,
    pub at: Timestamp,
    /// `None` if that is this journal.
    pub author: Option<Author>,
}
