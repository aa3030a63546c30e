//! The request that ended last, for the Greenhouse and the tour.

use std::sync::Arc;

use crate::domain::simple_words::StoredPlant;
use crate::domain::{Exchange, OperationKind, Resolution, Timestamp};

#[derive(Debug)]
pub(in crate::tui) struct LastExchange {
    pub exchange: Arc<Exchange>,
    /// The name of its plant.
    pub name: Option<String>,
    /// The operation that had left the plant unknown before.
    pub unknown: Option<OperationKind>,
    /// The plant that an add of its id left as it was.
    pub stored: Option<StoredPlant>,
    /// How a person has resolved the plant since.
    pub resolved: Option<Resolution>,
    /// When its end was reported.
    pub at: Timestamp,
}
