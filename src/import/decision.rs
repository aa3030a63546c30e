//! What becomes of a row: the one decision that dry run, preview and import share.

use crate::domain::number_format::counted;
use crate::domain::{Plant, Row, State};

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

/// How many rows were decided how; each row once. See [`Decision`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowCounts {
    /// Sent: not in the list.
    pub send: u64,
    /// Sent again: unknown from before.
    pub resend: u64,
    /// Stored, with this name and tag.
    pub stored: u64,
    pub differs: u64,
    /// Unknown from before, and not sent.
    pub unknown: u64,
    pub busy: u64,
}

impl RowCounts {
    /// Counts all rows, sent or not.
    pub fn rows(self) -> u64 {
        let Self { send, resend, stored, differs, unknown, busy } = self;
        send + resend + stored + differs + unknown + busy
    }

    /// Counts the rows that are sent.
    pub fn to_send(self) -> u64 {
        self.send + self.resend
    }

    #[must_use]
    pub fn skipped(self) -> Self {
        Self { send: 0, resend: 0, ..self }
    }

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

    /// Returns a line for each reason why rows are not sent.
    pub(super) fn skipped_because(&self) -> impl Iterator<Item = String> {
        let Self { stored, differs, unknown, busy, .. } = *self;
        let reasons = [
            (stored, "skipped: stored already"),
            (differs, "not sent: another name or tag is stored at that id; delete it first, or change the id"),
            (
                unknown,
                "not sent: unknown from before; --resend-unknown sends them again, and the plants may then be there twice",
            ),
            (busy, "not sent: being added or deleted at this moment"),
        ];
        let there = reasons.into_iter().filter(|(count, _)| *count > 0);
        there.map(|(count, what)| format!("{}: {what}.", counted(count, "row", "rows")))
    }
}
