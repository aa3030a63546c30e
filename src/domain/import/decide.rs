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
    /// Decides about a row, given its plant in the list. `repeat` stands for the rows before it that
    /// are not in the list yet, as a store leaves them that accepts everything; an import, which
    /// waits for the end of those, passes [`Repeat::First`].
    pub fn about(plant: &Plant, repeat: Repeat, listed: Option<&Row>, resend_unknown: bool) -> Self {
        let sent = match listed.map(|row| row.state) {
            Some(State::Stored) => {
                let is_same =
                    listed.is_some_and(|row| row.name() == Some(&plant.name) && row.tag() == Some(&plant.tag));
                return if is_same { Self::Stored } else { Self::Differs };
            }
            Some(State::Adding | State::Deleting) => return Self::Busy,
            Some(State::Unknown) if !resend_unknown => return Self::Unknown,
            Some(State::Unknown) => Self::Resend,
            None => Self::Send,
        };
        match repeat {
            Repeat::First => sent,
            // The first row of the id was sent for the same reason, and its plant is stored by then.
            Repeat::Same => Self::Stored,
            Repeat::Other => Self::Differs,
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
