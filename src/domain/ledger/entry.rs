//! What a journal writes about a plant, and the team reads. Must not know what an entry means.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Resolution;
use crate::domain::{Author, Operation, OperationId, Outcome, Timestamp};

/// A journal as a source of entries; without a team, it is the only one. Two journals of one person are two members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemberId(pub u64);

/// A position in the stream of a team; the larger is the later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Position(pub u64);

/// An entry of a member about one plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlantEntry {
    pub member: MemberId,
    /// `None` for an entry that is not in a stream.
    pub position: Option<Position>,
    /// How much of the stream the member had folded when the entry was written, beside its own entries.
    pub known: Position,
    pub event: PlantEvent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlantEvent {
    Intent(Operation),
    /// `of` is the member that requested the operation.
    End {
        operation: OperationId,
        of: MemberId,
        outcome: Outcome,
        at: Timestamp,
    },
    Resolution(Resolution, Timestamp),
}

impl PlantEvent {
    /// Returns an entry that is not in a stream.
    pub fn of(self, member: MemberId, known: Position) -> PlantEntry {
        PlantEntry { member, position: None, known, event: self }
    }
}

/// The authors of the other members of a team. A member that is not among them is this journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Others(pub HashMap<MemberId, Author>);

impl Others {
    /// Returns the author of a member; `None` if that is this journal.
    pub fn author(&self, member: MemberId) -> Option<&Author> {
        self.0.get(&member)
    }
}
