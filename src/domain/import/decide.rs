//! What becomes of a row: the one decision that dry run, preview and import share.

use super::Standing;
use crate::domain::ledger::{Row, State};
use crate::domain::plant::Plant;

/// Whether an earlier row of the same file has the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Repeat {
    /// None has it.
    #[default]
    First,
    /// One has; the first of them has the same name and tag.
    Same,
    /// One has; the first of them has another name or tag.
    Other,
}

/// What becomes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It is sent: the list does not have its plant.
    Send,
    /// It is sent, though its plant is unknown.
    Resend,
    /// It is skipped: its plant is stored, with this name and tag.
    Stored,
    /// It is not sent: its id is stored with another name or tag.
    Differs,
    /// It is not sent: its plant is unknown.
    Unknown,
    /// It is not sent: its plant is being added or deleted at this moment.
    Busy,
}

impl Decision {
    /// Decides about a row, given its plant in the list.
    pub fn about(plant: &Plant, listed: Option<&Row>, resend_unknown: bool) -> Self {
        match listed.map(|row| (row.state, row.name(), row.tag())) {
            None => Self::Send,
            Some((State::Unknown, ..)) if resend_unknown => Self::Resend,
            Some((State::Unknown, ..)) => Self::Unknown,
            Some((State::Adding | State::Deleting, ..)) => Self::Busy,
            Some((State::Stored, name, tag)) if (name, tag) == (Some(&plant.name), Some(&plant.tag)) => Self::Stored,
            Some((State::Stored, ..)) => Self::Differs,
        }
    }

    /// The same once the rows before it are in the list, at a store that accepts everything: if it is
    /// sent, so was the first row of its id, for the same reason.
    #[must_use]
    pub fn behind_others(self, repeat: Repeat) -> Self {
        match repeat {
            Repeat::Same if self.is_sent() => Self::Stored,
            Repeat::Other if self.is_sent() => Self::Differs,
            Repeat::First | Repeat::Same | Repeat::Other => self,
        }
    }

    /// Whether a request goes out for the row.
    pub fn is_sent(self) -> bool {
        matches!(self, Self::Send | Self::Resend)
    }
}

impl Standing {
    /// Counts one more row.
    pub fn count(&mut self, decision: Decision) {
        *match decision {
            Decision::Send => &mut self.send,
            Decision::Resend => &mut self.resend,
            Decision::Stored => &mut self.stored,
            Decision::Differs => &mut self.differs,
            Decision::Unknown => &mut self.unknown,
            Decision::Busy => &mut self.busy,
        } += 1;
    }
}
