//! What a journal writes about a plant, and the team reads. Must not know what an entry means.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Resolution;
use crate::domain::sentence::QUOTED_COLUMNS;
use crate::domain::{Author, Authors, Operation, OperationId, Outcome, Timestamp};
use crate::text::clean_fit;

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
pub struct Others {
    pub authors: HashMap<MemberId, Author>,
    /// That of this journal, if it has joined a team.
    pub own: Option<Author>,
}

impl Others {
    /// Returns the author of a member; `None` if that is this journal.
    pub fn author(&self, member: MemberId) -> Option<&Author> {
        self.authors.get(&member)
    }

    pub(super) fn name(&self, member: MemberId) -> String {
        self.author(member).map_or_else(|| "you".to_owned(), |author| clean_fit(author.name(), QUOTED_COLUMNS))
    }

    /// Returns the authors of members, each once; without a member, that of this journal. `None` without a team.
    pub(super) fn authors(&self, members: impl Iterator<Item = Option<MemberId>>) -> Option<Authors> {
        let mut found = Authors::default();
        for member in members {
            match member.and_then(|member| self.author(member)) {
                Some(other) => found.others.push(other.clone()),
                None => found.own.clone_from(&self.own),
            }
        }
        found.others.sort();
        found.others.dedup();
        (found != Authors::default()).then_some(found)
    }
}
