//! What a person saw of a plant when they decided about it. If it is another one by then, nothing is sent or resolved.

use super::plant::Details;

/// A plant of an id as the list had it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    NotListed,
    Listed {
        /// `None` if only deletes of the plant are known.
        details: Option<Details>,
        /// In a moment, its id may be free, or another plant's.
        is_deleting: bool,
        /// Until somebody resolves it.
        is_unknown: bool,
    },
}

impl Seen {
    pub fn name(&self) -> Option<&str> {
        let Self::Listed { details, .. } = self else { return None };
        details.as_ref().map(|details| details.name.as_str())
    }

    /// Whether both are the same plant, or both none, in whatever state.
    pub fn is_same_plant(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Listed { details, .. }, Self::Listed { details: other, .. }) => details == other,
            (one, other) => one == other,
        }
    }
}
