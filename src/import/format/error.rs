//! Errors that end the reading of a file, and texts about invalid values that all formats share.

use std::io;

use thiserror::Error;

use super::position::Position;
use crate::domain::plant::IdFault;
use crate::text::clean_fit;

/// Width of a quoted value in a reason.
const QUOTED: usize = 32;

pub(super) const NO_UTF_8: &str = "this is not UTF-8: save the file as UTF-8";

/// What to do about a row without an id.
pub(super) const ITS_OWN_ID: &str = "write a whole number that no other plant has";

/// Renders the fault of an id, and quotes the value.
pub(super) fn id_reason(fault: &IdFault, value: &str) -> String {
    if value.is_empty() {
        format!("the id is empty: {ITS_OWN_ID}")
    } else {
        format!("{fault} (here: {})", clean_fit(value, QUOTED))
    }
}

/// Why a file could not be read to its end. Nothing of such a file is sent, also with `--skip-bad`.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("there is nothing in it: plants come as CSV, as a JSON array or as NDJSON")]
    Empty,
    #[error("{at}: {reason}")]
    Broken { at: Position, reason: String },
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl ReadError {
    pub(super) fn at(at: Position, reason: impl Into<String>) -> Self {
        Self::Broken { at, reason: reason.into() }
    }

    /// A row without an end, or longer than `limit` bytes, in whole MiB.
    pub(super) fn endless(at: Position, limit: usize) -> Self {
        Self::at(at, format!("the row that begins here is longer than {} MiB", limit >> 20))
    }
}
