//! Many plants from a file: what its rows are, what becomes of each, and how that is counted.
//!
//! ```text
//! file ─▶ judged, row by row ─▶ preview ─▶ sent: what the list does not have ─▶ summary
//!              └─ bad: line, column, reason
//! ```
//!
//! Everything here is a value. Nothing is sent while a row is bad, unless a person says to skip it.

mod csv;
mod decide;
mod format;
mod json;
mod ndjson;
mod object;
mod place;
mod rows;
mod source;
mod told;
mod unsent;

use std::fmt;
use std::time::Duration;

pub use decide::{Decision, Repeat};
pub use format::Format;
pub use rows::{Contents, Unreadable, read};

use super::outcome::Outcome;
use super::plant::{Field, IdFault, Plant};
use super::text::clean_fit;

/// How many bad rows a preview holds; the others are counted.
pub const FAULTS_HELD: usize = 1000;

/// Columns on a screen of a value that a reason quotes.
const QUOTED: usize = 32;

const NO_UTF_8: &str = "this is not UTF-8: save the file as UTF-8";

/// What is wrong with an id, and what stands there instead.
fn id_reason(fault: &IdFault, found: &str) -> String {
    if found.is_empty() { fault.to_string() } else { format!("{fault} (here: {})", clean_fit(found, QUOTED)) }
}

/// A row that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    /// Where it begins in its file, from 1.
    pub line: u64,
    /// What it is.
    pub plant: Plant,
}

/// A row that is no plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFault {
    /// In its file, from 1.
    pub line: u64,
    /// From 1: of a table the column, as a spreadsheet counts them; of JSON the character in the line.
    pub column: u64,
    /// The field that is wrong, where it is one.
    pub field: Option<Field>,
    /// In words: what is wrong.
    pub reason: String,
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, field, reason } = self;
        match field {
            Some(field) => write!(f, "line {line}, column {column} ({}): {reason}", field.word()),
            None => write!(f, "line {line}, column {column}: {reason}"),
        }
    }
}

/// A row of a file, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// It can be sent.
    Good(ImportRow),
    /// It cannot.
    Bad(RowFault),
}

/// Why a file is none that can be read: nothing of it is sent, whatever is skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Where it was noticed; `None` where that says nothing, as of a file that is empty.
    pub at: Option<(u64, u64)>,
    /// In words: what is wrong, and what to do.
    pub reason: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some((line, column)) => write!(f, "line {line}, column {column}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

/// What a file comes to before anything is sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preview {
    /// What it was read as.
    pub format: Format,
    /// How many rows are bad.
    pub bad: u64,
    /// The first [`FAULTS_HELD`] of them.
    pub faults: Vec<RowFault>,
    /// What else a person should know, such as a column that is not sent.
    pub notes: Vec<String>,
    /// What would become of the good rows.
    pub forecast: Forecast,
}

/// What becomes of the good rows of a file at a store that accepts everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Forecast {
    /// If rows whose plants are unknown are not sent.
    pub as_is: Standing,
    /// If they are sent again.
    pub resending: Standing,
}

impl Forecast {
    /// The one that holds for this choice.
    pub fn standing(&self, resend_unknown: bool) -> Standing {
        if resend_unknown { self.resending } else { self.as_is }
    }
}

/// Of a file in which no id repeats.
impl From<Standing> for Forecast {
    fn from(as_is: Standing) -> Self {
        Self { as_is, resending: Standing { resend: as_is.resend + as_is.unknown, unknown: 0, ..as_is } }
    }
}

/// How many rows were decided how; each row once. See [`Decision`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standing {
    /// Sent: not in the list.
    pub send: u64,
    /// Sent again: unknown from before.
    pub resend: u64,
    /// Stored, with this name and tag.
    pub stored: u64,
    /// Stored, with another name or tag.
    pub differs: u64,
    /// Unknown from before, and not sent.
    pub unknown: u64,
    /// Being added or deleted at this moment.
    pub busy: u64,
}

impl Standing {
    /// All of them.
    pub fn rows(self) -> u64 {
        let Self { send, resend, stored, differs, unknown, busy } = self;
        send + resend + stored + differs + unknown + busy
    }

    /// How many are sent.
    pub fn to_send(self) -> u64 {
        self.send + self.resend
    }

    /// Those that are not sent.
    #[must_use]
    pub fn skipped(self) -> Self {
        Self { send: 0, resend: 0, ..self }
    }
}

/// How many requests ended how; each once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcomes {
    /// A yes.
    pub accepted: u64,
    /// Rejected.
    pub rejected: u64,
    /// Not decided by a response.
    pub unknown: u64,
    /// Nothing reached the store.
    pub not_sent: u64,
}

impl Outcomes {
    /// Counts one more.
    pub fn count(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Accepted => &mut self.accepted,
            Outcome::Rejected => &mut self.rejected,
            Outcome::Unknown => &mut self.unknown,
            Outcome::NotSent => &mut self.not_sent,
        } += 1;
    }

    /// All of them.
    pub fn total(self) -> u64 {
        self.accepted + self.rejected + self.unknown + self.not_sent
    }
}

/// How far an import has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Good rows of the file.
    pub rows: u64,
    /// What became of those that were sent.
    pub outcomes: Outcomes,
    /// Accepted ones whose answer was unlike the document.
    pub mismatches: u64,
    /// Ends that the journal could not keep: their plants are unknown at the next start.
    pub not_kept: u64,
    /// Rows that were not sent.
    pub skipped: Standing,
    /// Rows that were sent again, of plants that were unknown.
    pub resent: u64,
    /// Those of them whose plants are unknown still.
    pub unresolved: u64,
    /// How many requests are out.
    pub out: usize,
    /// How long it has taken.
    pub elapsed: Duration,
    /// How many ended in the last stretch, and how long that was.
    pub recently: (u64, Duration),
    /// How long the store asks to be left alone from now on.
    pub pause: Option<Duration>,
    /// Whether it went slower at any time because the store asked for fewer requests (429).
    pub is_slowed: bool,
}

impl Progress {
    /// Rows that are done with.
    pub fn done(&self) -> u64 {
        self.outcomes.total() + self.skipped.rows()
    }

    /// Rows that are not.
    pub fn left(&self) -> u64 {
        self.rows.saturating_sub(self.done())
    }

    /// Rows that end in a second, of late; 0 before there is anything to go by.
    pub fn per_second(&self) -> f64 {
        let (ended, took) = self.recently;
        #[expect(clippy::cast_precision_loss, reason = "a rate for people has few digits")]
        if took.is_zero() { 0.0 } else { ended as f64 / took.as_secs_f64() }
    }

    /// How long the rest takes if it goes on like this.
    pub fn time_left(&self) -> Option<Duration> {
        let rate = self.per_second();
        #[expect(clippy::cast_precision_loss, reason = "a guess for people has few digits")]
        let seconds = self.left() as f64 / rate;
        if rate > 0.0 { Duration::try_from_secs_f64(seconds).ok() } else { None }
    }
}

/// Why an import is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Over {
    /// Every row is done with.
    Done,
    /// A person stopped it; the rest was not sent.
    Stopped,
    /// It could not go on, in words; the rest was not sent.
    Halted(String),
}

/// What an import came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The last of it.
    pub progress: Progress,
    /// Why it is over.
    pub over: Over,
}

#[cfg(test)]
mod tests;
