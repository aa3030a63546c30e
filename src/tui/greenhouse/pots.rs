//! The pots on the shelves: what each shows.

use crate::domain::language::Id;
use crate::domain::{Details, Language, PlantId};

/// What a pot shows. Displayed as the name of its sprite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Stage {
    /// An add that was requested a moment ago.
    Seed,
    /// An add in flight.
    Sprout,
    /// An add that was accepted a moment ago.
    Seedling,
    /// The same a moment later.
    Young,
    /// In full bloom: stored.
    Grown,
    /// A plant whose add may not have arrived.
    Unknown,
    /// A plant that may be gone.
    #[strum(serialize = "unknown delete")]
    UnknownDelete,
    Leaving,
    Deleted,
    Rejected,
    Unsent,
}

impl Stage {
    /// The word on the pot; none for a stored plant.
    pub(super) fn word(self) -> Option<Id> {
        match self {
            Self::Seed | Self::Sprout => Some(Id::PotOnItsWay),
            Self::Seedling | Self::Young | Self::Grown => None,
            Self::Unknown | Self::UnknownDelete => Some(Id::PotUnknown),
            Self::Leaving => Some(Id::PotLeaving),
            Self::Deleted => Some(Id::PotDeleted),
            Self::Rejected => Some(Id::PotRejected),
            Self::Unsent => Some(Id::PotNotSent),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pot<'a> {
    pub id: PlantId,
    pub details: Option<&'a Details>,
    pub stage: Stage,
    /// Whether the plant is in the list.
    pub is_here: bool,
    /// Whether no other pot has its name.
    pub is_alone: bool,
    /// The language of its words.
    pub language: Language,
}

impl Pot<'_> {
    /// Returns the name of the plant, with its id if another one has that name; or its id alone.
    pub(super) fn name(&self) -> String {
        match self.details.map(|details| details.name.as_str()) {
            None | Some("") => self.language.say(&Id::Plant.with("named", "no").with("id", self.id.to_string())),
            Some(name) => self.named_and_number().map_or(name.to_owned(), |(name, number)| format!("{name} {number}")),
        }
    }

    /// Returns its name and its number, if another one has that name.
    pub(super) fn named_and_number(&self) -> Option<(&str, String)> {
        let name = self.details.map(|details| details.name.as_str()).filter(|name| !name.is_empty() && !self.is_alone);
        Some((name?, format!("({})", self.id)))
    }

    /// Returns what the plate on the board says: the tag, or what became of a plant that is not in the list.
    pub(super) fn plate(&self) -> String {
        let id = match self.tag() {
            _ if !self.is_here => Id::BoardNotStored,
            None => Id::BoardUnknownTag,
            Some("") => Id::BoardNoTag,
            Some(tag) => return tag.to_owned(),
        };
        self.language.label(id)
    }

    pub(super) fn tag(&self) -> Option<&str> {
        self.details.map(|details| details.tag.as_str())
    }
}

/// Hashes bytes by FNV-1a: the same in every release.
pub(super) fn hash(bytes: impl IntoIterator<Item = u8>) -> u32 {
    bytes.into_iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
