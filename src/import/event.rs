//! What a running import reports.

use super::decision::Decision;
use super::progress::Progress;
use super::row::ImportRow;
use crate::domain::{Mismatch, OperationKind};
use crate::worker::Ended;

#[derive(Debug)]
pub enum Event<'a> {
    /// At most ten times a second, and once at the end.
    Progress(Progress),
    /// A row was sent, and this became of it.
    Row(RowEnd<'a>),
    /// A row was not sent, for this reason; not reported for what is stored already.
    Skipped(&'a ImportRow, Decision),
    /// The store rejected the token, and another one is used from now on.
    TokenRenewed,
}

/// What became of a row that was sent.
#[derive(Debug)]
pub struct RowEnd<'a> {
    /// Of the file, from 1.
    pub line: u64,
    pub ended: &'a Ended,
    /// How an accepted response differs from the document.
    pub mismatches: Vec<Mismatch>,
    /// What is unknown of its plant still, after it was sent again.
    pub unresolved: Option<&'a OperationKind>,
}

/// Takes the events of an import.
pub(super) type Events<'a> = &'a mut (dyn FnMut(Event<'_>) + Send);
