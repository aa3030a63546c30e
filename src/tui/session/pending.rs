//! An operation on its way.

use crate::domain::Operation;

/// An operation that is queued or out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingOperation {
    pub operation: Operation,
    /// What its plant was called when it was requested: at its end the list may not have it any more.
    pub name: Option<String>,
    /// Whether a person cancelled it, and the end is still to come.
    pub cancelled: bool,
    /// Whether it adds one of the demo's samples, which a person did not request.
    pub is_sample: bool,
}
