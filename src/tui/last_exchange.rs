//! An exchange that has ended, as the greenhouse shows it and the tour tells of it.

use crate::domain::{Exchange, Timestamp};

/// An exchange that has ended.
#[derive(Debug)]
pub(super) struct LastExchange {
    pub exchange: Exchange,
    /// What its plant was called.
    pub name: Option<String>,
    /// Why a rejection may come from an earlier operation.
    pub explained: Option<&'static str>,
    /// When its end was reported.
    pub at: Timestamp,
}
