//! The decision whether a row is sent, which dry run, preview and import share.

use strum::FromRepr;

use crate::domain::number_format::counted;
use crate::domain::{Plant, Row, State};

/// Whether an earlier row of the same file has the id of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, FromRepr)]
#[repr(u8)]
pub enum Repeat {
    /// The row is the first one with its id.
    #[default]
    First,
    /// The first row with the id has the same name and tag.
    Same,
    /// The first row with the id has another name or tag.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Sent: the plant is not in the list.
    Send,
    /// Sent, although the plant is unknown.
    Resend,
    /// Skipped: the plant is stored with this name and tag.
    Stored,
    /// Not sent: the id is stored with another name or tag.
    Differs,
    /// Not sent: the plant is unknown.
    Unknown,
    /// Not sent: the plant is being added or deleted.
    Busy,
}

impl Decision {
    /// Decides about a row, given the row of its id in the list.
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

    /// Returns the decision after the rows before it were sent to a store that accepts everything. If the
    /// row is sent, so was the first row of its id, for the same reason.
    #[must_use]
    pub fn after_others(self, repeat: Repeat) -> Self {
        match repeat {
            Repeat::Same if self.is_sent() => Self::Stored,
            Repeat::Other if self.is_sent() => Self::Differs,
            Repeat::First | Repeat::Same | Repeat::Other => self,
        }
    }

    pub fn is_sent(self) -> bool {
        matches!(self, Self::Send | Self::Resend)
    }
}

/// Number of rows for each [`Decision`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowCounts {
    pub send: u64,
    pub resend: u64,
    pub stored: u64,
    pub differs: u64,
    pub unknown: u64,
    pub busy: u64,
}

impl RowCounts {
    /// Returns the number of all rows, sent or not.
    pub fn rows(self) -> u64 {
        let Self { send, resend, stored, differs, unknown, busy } = self;
        send + resend + stored + differs + unknown + busy
    }

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

    /// Renders a line for each reason why rows are not sent.
    pub(super) fn skipped_because(&self) -> impl Iterator<Item = String> {
        let Self { stored, differs, unknown, busy, .. } = *self;
        let reasons = [
            (stored, "skipped: stored already"),
            (differs, "not sent: the id is stored with another name or tag; delete that plant first, or change the id"),
            (
                unknown,
                "not sent: unknown from before; --resend-unknown sends them again, and the plants may then be stored twice",
            ),
            (busy, "not sent: being added or deleted"),
        ];
        let reasons = reasons.into_iter().filter(|(count, _)| *count > 0);
        reasons.map(|(count, what)| format!("{}: {what}.", counted(count, "row", "rows")))
    }
}
