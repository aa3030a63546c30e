//! Pots on shelves, as they are drawn.

use crate::domain::{Details, PlantId};

/// What a pot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The request is about to leave.
    Seed,
    /// The request is out.
    Sprout,
    /// The store has said yes just now.
    Seedling,
    /// A plant of this size, 1 to [`SIZES`].
    Plant(u8),
    Unknown,
    Leaving,
    Deleted,
    Rejected,
    Unsent,
}

/// How many sizes a species has.
pub(super) const SIZES: u8 = 3;

impl Stage {
    /// The word for it; none for a plant that stands there, which is what one expects.
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

/// A pot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pot<'a> {
    /// The plant's id.
    pub id: PlantId,
    /// Its name and tag, if they are known.
    pub details: Option<&'a Details>,
    /// What it shows.
    pub stage: Stage,
    /// Whether the plant is in the view: only then it can be selected.
    pub is_here: bool,
}

/// Pots side by side, of one tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shelf<'a> {
    /// The tag; `None` where it is not known.
    pub tag: Option<&'a str>,
    /// Whether it is the first of this tag.
    pub is_first: bool,
    /// Ordered by id.
    pub pots: Vec<Pot<'a>>,
}

/// The size that a plant grows to, the same for as long as it has its id.
pub(super) fn size(id: PlantId) -> u8 {
    let [first, ..] = spread(id.0.to_le_bytes()).to_le_bytes();
    first % SIZES + 1
}

/// A number that is always the same for the same bytes, and likely another for others: FNV-1a.
pub(super) fn spread(bytes: impl IntoIterator<Item = u8>) -> u32 {
    bytes.into_iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
