//! The decision whether a row is sent, which dry run, preview and import share.

use serde::Serialize;

use super::row::{ImportRow, RowNote, RowNumber};
use crate::domain::{Plant, Row, State, sentence};
use crate::text::number_format::counted;

/// Whether an earlier row of the same file has the id of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// The row is the first one with its id.
    First,
    /// The first row with the id has the same name and tag.
    Same,
    /// The first row with the id, which has this number, has another name or tag.
    Other(RowNumber),
}

/// A row of a file, and whether an earlier row has its id.
pub(super) type FileRow = (ImportRow, Repeat);

/// The rows that are sent although their plants are in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Resend {
    /// Those of unknown plants.
    pub unknown: bool,
    /// Those of plants that are stored with the same name and tag.
    pub stored: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Sent: the plant is not in the list.
    Send,
    /// Sent, although the plant is unknown.
    Resend,
    /// Sent, although the plant is stored with this name and tag.
    ResendStored,
    /// Skipped: the plant is stored with this name and tag.
    Stored,
    /// Skipped: an earlier row of the file is the same plant.
    Repeats,
    /// Not sent: the plant is stored or unknown with another name or tag.
    Differs,
    /// Not sent: an earlier row of the file, which has this number, has the id with another name or tag.
    Contradicts(RowNumber),
    /// Not sent: the plant is unknown.
    Unknown,
    /// Not sent: the plant is being added or deleted.
    Busy,
}

impl Decision {
    /// Decides about a row, given the row of its id in the list. Of the rows of one id, only the first is ever sent,
    /// whatever becomes of it.
    pub fn about(plant: &Plant, repeat: Repeat, listed: Option<&Row>, resend: Resend) -> Self {
        match repeat {
            Repeat::First => {}
            Repeat::Same => return Self::Repeats,
            Repeat::Other(number) => return Self::Contradicts(number),
        }
        let Some(row) = listed else { return Self::Send };
        let is_same = (row.name(), row.tag()) == (Some(&plant.name), Some(&plant.tag));
        match row.state {
            State::Adding | State::Deleting => Self::Busy,
            State::Stored if !is_same => Self::Differs,
            State::Unknown if !is_same && row.details.is_some() => Self::Differs,
            State::Unknown if resend.unknown => Self::Resend,
            State::Unknown => Self::Unknown,
            State::Stored if resend.stored => Self::ResendStored,
            State::Stored => Self::Stored,
        }
    }

    pub fn is_sent(self) -> bool {
        matches!(self, Self::Send | Self::Resend | Self::ResendStored)
    }

    /// Says why the row is not sent, if a person should know; `None` if it is sent, or needs nothing.
    pub fn note(self, row: &ImportRow) -> Option<RowNote> {
        let reason = match self {
            Self::Send | Self::Resend | Self::ResendStored | Self::Stored | Self::Repeats => return None,
            Self::Differs => "the id is in the list with another name or tag".to_owned(),
            Self::Contradicts(number) => format!("{number} has the same id, with another name or tag"),
            Self::Unknown => "the plant is unknown from before".to_owned(),
            Self::Busy => "the plant is being added or deleted".to_owned(),
        };
        let plant = sentence::called(row.plant.id, Some(&row.plant.name));
        Some(RowNote { number: row.number, sentence: format!("{plant} is not sent: {reason}.") })
    }
}

/// Number of rows for each [`Decision`]. The JSON has those that are not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct RowCounts {
    #[serde(skip)]
    pub send: u64,
    #[serde(skip)]
    pub resend: u64,
    #[serde(skip)]
    pub resend_stored: u64,
    #[serde(rename = "already_stored")]
    pub stored: u64,
    pub repeats: u64,
    pub differs: u64,
    pub contradicts: u64,
    #[serde(rename = "unknown_before")]
    pub unknown: u64,
    pub busy: u64,
}

impl RowCounts {
    /// Returns the number of all rows, sent or not.
    pub fn total(self) -> u64 {
        self.to_send() + self.skipped() + self.withheld()
    }

    pub fn to_send(self) -> u64 {
        self.send + self.resend + self.resend_stored
    }

    /// Returns the number of rows that need nothing.
    pub fn skipped(self) -> u64 {
        self.stored + self.repeats
    }

    /// Returns the number of rows that are not sent for a reason that a person should know.
    pub fn withheld(self) -> u64 {
        self.differs + self.contradicts + self.unknown + self.busy
    }

    #[must_use]
    pub fn unsent(self) -> Self {
        Self { send: 0, resend: 0, resend_stored: 0, ..self }
    }

    pub fn count(&mut self, decision: Decision) {
        *match decision {
            Decision::Send => &mut self.send,
            Decision::Resend => &mut self.resend,
            Decision::ResendStored => &mut self.resend_stored,
            Decision::Stored => &mut self.stored,
            Decision::Repeats => &mut self.repeats,
            Decision::Differs => &mut self.differs,
            Decision::Contradicts(_) => &mut self.contradicts,
            Decision::Unknown => &mut self.unknown,
            Decision::Busy => &mut self.busy,
        } += 1;
    }

    /// Returns what happens to the rows that are not simply sent: their number, the state of their plants if all of them
    /// have it, and words.
    pub fn reasons(self) -> impl Iterator<Item = (u64, Option<State>, &'static str)> {
        let Self { send: _, resend, resend_stored, stored, repeats, differs, contradicts, unknown, busy } = self;
        let differ = "not sent: the id is in the list with another name or tag. Delete that plant first, or change \
                      the id";
        let contradict = "not sent: an earlier row of the file has the same id, with another name or tag. Change the \
                          id, or remove one of the two rows";
        let resent = "unknown from before, and sent again: the plants may then be stored twice";
        let resent_stored = "stored already, and sent again: a store that has them may store them twice";
        let reasons = [
            (stored, Some(State::Stored), "skipped: stored already"),
            (repeats, None, "skipped: the same as an earlier row of the file"),
            (differs, None, differ),
            (contradicts, None, contradict),
            (unknown, Some(State::Unknown), "not sent: unknown from before"),
            (busy, None, "not sent: being added or deleted. Import the file again afterwards"),
            (resend, Some(State::Unknown), resent),
            (resend_stored, Some(State::Stored), resent_stored),
        ];
        reasons.into_iter().filter(|(count, ..)| *count > 0)
    }

    /// Renders a line for each reason.
    pub(super) fn lines(self) -> impl Iterator<Item = String> {
        self.reasons().map(|(count, _, words)| format!("{} {words}.", counted(count, "row", "rows")))
    }
}
