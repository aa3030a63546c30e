//! The contract check: the run that is under way, and those that are stored.

use std::collections::BTreeSet;

use crate::check::{Report, Run, Wanted};
use crate::domain::{PlantId, Resolution};

/// The run that is under way, if one is, and those that are stored.
#[derive(Debug, Default)]
pub struct CheckRun {
    pub(super) under_way: UnderWay,
    /// How many pauses there were.
    pub(super) pauses: u32,
    /// Plants that the run wants off the list, until the journal has done so.
    pub(super) forgotten: BTreeSet<PlantId>,
    /// Stored runs of every store, newest first; `None` until they were read.
    pub stored: Option<Vec<Report>>,
}

#[derive(Debug, Default)]
pub(super) enum UnderWay {
    #[default]
    Nothing,
    /// The journal is asked for the leftovers of earlier runs.
    Beginning(Wanted),
    Running(Box<Run>),
}

impl CheckRun {
    /// The run that sends, if one does.
    pub fn run(&self) -> Option<&Run> {
        match &self.under_way {
            UnderWay::Running(run) => Some(run),
            UnderWay::Nothing | UnderWay::Beginning(_) => None,
        }
    }

    /// Whether a run is under way, if only about to begin.
    pub fn is_under_way(&self) -> bool {
        !matches!(self.under_way, UnderWay::Nothing)
    }

    /// Whether a run sends, and was not stopped.
    pub fn is_sending(&self) -> bool {
        self.run().is_some_and(|run| !run.is_stopping())
    }

    pub fn is_about_to_begin(&self) -> bool {
        matches!(self.under_way, UnderWay::Beginning(_))
    }

    /// How many requests are done, of how many, and whether the run is being stopped.
    pub fn progress(&self) -> Option<(usize, usize, bool)> {
        let run = self.run()?;
        let (done, planned) = run.progress();
        Some((done, planned, run.is_stopping()))
    }

    /// Takes note that a pause is over. Whether it is one of this run.
    pub fn is_current_pause(&self, pause: u32) -> bool {
        pause == self.pauses
    }

    /// Whether the run wanted this plant to be forgotten: then it was not a person who said so.
    pub fn was_forgotten(&mut self, id: PlantId, resolution: Resolution) -> bool {
        resolution == Resolution::Forget && self.forgotten.remove(&id)
    }
}
