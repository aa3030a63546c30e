//! The request that ended last, for the Greenhouse and the tour.

use crate::domain::{Exchange, Timestamp};

#[derive(Debug)]
pub(super) struct LastExchange {
    pub exchange: Exchange,
    /// The name of its plant.
    pub name: Option<String>,
    /// Why a rejection may come from an earlier operation.
    pub explained: Option<&'static str>,
    /// When its end was reported.
    pub at: Timestamp,
}
