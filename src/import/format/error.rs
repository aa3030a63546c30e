//! Why a file cannot be read to its end, and what the formats say alike of a bad value.

use std::error::Error;
use std::fmt;
use std::io;

use crate::domain::plant::IdFault;
use crate::domain::text::clean_fit;

/// Columns of a value that a reason quotes.
const QUOTED: usize = 32;

pub(super) const NO_UTF_8: &str = "this is not UTF-8: save the file as UTF-8";

/// Says what is wrong with an id, and what stands there instead.
pub(super) fn id_reason(fault: &IdFault, found: &str) -> String {
    if found.is_empty() { fault.to_string() } else { format!("{fault} (here: {})", clean_fit(found, QUOTED)) }
}

/// Why a file could not be read to its end: nothing of it is sent, whatever is skipped.
#[derive(Debug)]
pub enum ReadError {
    /// It is none that plants can be read from.
    Broken {
        /// Line and column, where they say something: an empty file has none.
        at: Option<(u64, u64)>,
        /// What is wrong, and what to do.
        reason: String,
    },
    Io(io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken { at: Some((line, column)), reason } => write!(f, "line {line}, column {column}: {reason}"),
            Self::Broken { at: None, reason } => f.write_str(reason),
            Self::Io(why) => write!(f, "it cannot be read: {why}"),
        }
    }
}

impl Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(why: io::Error) -> Self {
        Self::Io(why)
    }
}

impl ReadError {
    pub(super) fn at(place: (u64, u64), reason: impl Into<String>) -> Self {
        Self::Broken { at: Some(place), reason: reason.into() }
    }

    /// A row without an end, or one that is longer than what is held of a file, in whole MiB.
    pub(super) fn endless(place: (u64, u64), limit: usize) -> Self {
        Self::at(place, format!("the row that begins here is longer than {} MiB", limit >> 20))
    }
}
