//! The events that a running import reports to its caller.

use super::decision::Decision;
use super::progress::Progress;
use super::row::{ImportRow, RowNumber};
use crate::client::Token;
use crate::domain::{Mismatch, OperationKind};
use crate::worker::Ended;

#[derive(Debug)]
pub enum Event<'a> {
    /// At most ten times a second, and once at the end.
    Progress(Progress),
    /// A row was sent and has an outcome.
    Row(RowEnd),
    /// A row was not sent, for this reason; not reported for a row that needs nothing.
    Withheld(&'a ImportRow, Decision),
    /// Too many outcomes in a row are unknown. Nothing is in flight, and the import waits for an order, with this many
    /// rows left to send.
    Braked { left: u64 },
    /// The store rejected the token, and the import goes on with another one.
    TokenRenewed(Token),
}

/// The outcome of a row that was sent.
#[derive(Debug)]
pub struct RowEnd {
    pub number: RowNumber,
    pub ended: Ended,
    /// Differences of an accepted response from the document.
    pub mismatches: Vec<Mismatch>,
    /// The unknown operation of a plant that was sent again and is still unknown.
    pub unresolved: Option<OperationKind>,
}

/// Receives the events of an import.
pub(super) type Events<'a> = &'a mut (dyn FnMut(Event<'_>) + Send);
