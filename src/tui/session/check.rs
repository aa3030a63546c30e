//! The contract check's state: the current run, and the stored ones.

use crate::check::{Report, Run, Wanted};

#[derive(Debug, Default)]
pub struct CheckRun {
    pub(super) under_way: UnderWay,
    /// How many pauses the runs have made, which also numbers them.
    pub pauses: u32,
    /// The stored runs of every store, newest first; `None` until they are loaded.
    pub stored: Option<Vec<Report>>,
}

#[derive(Debug, Default)]
pub(super) enum UnderWay {
    #[default]
    Nothing,
    /// The leftovers of earlier runs are being loaded.
    Beginning(Wanted),
    Running(Box<Run>),
}

impl CheckRun {
    /// Returns the run that has begun to send.
    pub fn run(&self) -> Option<&Run> {
        match &self.under_way {
            UnderWay::Running(run) => Some(run),
            UnderWay::Nothing | UnderWay::Beginning(_) => None,
        }
    }

    /// Whether a run is prepared or sends.
    pub fn is_under_way(&self) -> bool {
        !matches!(self.under_way, UnderWay::Nothing)
    }

    /// Whether a run sends and is not being stopped.
    pub fn is_sending(&self) -> bool {
        self.run().is_some_and(|run| !run.is_stopping())
    }
}
