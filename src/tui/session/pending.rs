//! An operation that is queued or in flight.

use crate::domain::Operation;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingOperation {
    pub operation: Operation,
    /// The plant's name at the time of submission; at the end of the operation, the list may not contain it any more.
    pub name: Option<String>,
    /// Whether a person has cancelled it.
    pub cancelled: bool,
    /// Whether it adds a sample of the demo, which no person requested.
    pub is_sample: bool,
    /// Whether the plant was unknown before, which only an accepted operation changes.
    pub of_unknown: bool,
}
