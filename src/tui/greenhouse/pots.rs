//! The pots on the shelves: what each shows.

use crate::domain::{Details, PlantId};

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
    /// A plant of this size, 1 to [`SIZES`].
    Plant(u8),
    Unknown,
    Leaving,
    Deleted,
    Rejected,
    Unsent,
}

/// The number of sizes of a species.
pub(super) const SIZES: u8 = 3;

impl Stage {
    /// The word below the pot; empty for a stored plant.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Seed | Self::Sprout => "on its way",
            Self::Seedling | Self::Plant(_) => "",
            Self::Unknown => "unknown",
            Self::Leaving => "leaving",
            Self::Deleted => "deleted",
            Self::Rejected => "rejected",
            Self::Unsent => "not sent",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pot<'a> {
    pub id: PlantId,
    pub details: Option<&'a Details>,
    pub stage: Stage,
    /// Whether the plant is in the list: only then it can be selected.
    pub is_here: bool,
}

/// Pots side by side, of one tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shelf<'a> {
    /// `None` where it is not known.
    pub tag: Option<&'a str>,
    /// Whether this is the first shelf of its tag.
    pub is_first: bool,
    /// Ordered by id.
    pub pots: Vec<Pot<'a>>,
}

/// Returns the size that a plant grows to, which depends on its id alone.
pub(super) fn size(id: PlantId) -> u8 {
    let [first, ..] = hash(id.0.to_le_bytes()).to_le_bytes();
    first % SIZES + 1
}

/// Hashes bytes by FNV-1a: the same in every release.
pub(super) fn hash(bytes: impl IntoIterator<Item = u8>) -> u32 {
    bytes.into_iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
