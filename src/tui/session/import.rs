//! An import under way: how far it has come, its stop, its end.
//!
//! Its plants are not pending operations of the session: there may be a million of them. What the list shows
//! of them is read anew as it goes on.

use std::path::PathBuf;

use crate::domain::file_format::FileFormat;
use crate::import::{Over, Progress};

/// An import, from its first request on; also after its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRun {
    pub path: PathBuf,
    pub format: FileFormat,
    /// Bad rows, which are skipped.
    pub bad: u64,
    /// Whether unknown plants are sent again, too.
    pub resends: bool,
    pub progress: Progress,
    /// How a person ends it.
    pub ending: Option<Ending>,
    /// Why it is over, if it is.
    pub over: Option<Over>,
}

/// How a person ends an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Nothing more goes out; what is out is awaited.
    Stopping,
    /// What is out is cancelled, too.
    Cancelling,
}

impl ImportRun {
    pub fn is_under_way(&self) -> bool {
        self.over.is_none()
    }
}
