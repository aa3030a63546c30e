//! The pulse of a store: how its exchanges went one after another, for the chart.

use std::time::Duration;

use super::operation::Timestamp;
use super::outcome::Outcome;

/// One exchange as the chart needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// When sending began.
    pub started: Timestamp,
    /// From there to the end of the answer, or to the failure.
    pub elapsed: Duration,
    /// What it proves.
    pub outcome: Outcome,
    /// Whether a status line came: only then is `elapsed` a latency.
    pub answered: bool,
}
