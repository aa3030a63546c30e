//! The state of an import: its progress, and how it ends.
//!
//! Its plants are no pending operations of the session, for there may be a million. The list loads them from the journal
//! as the import advances.

use std::path::{Path, PathBuf};

use crate::domain::file_format::FileFormat;
use crate::domain::language::Id;
use crate::import::{Over, Progress, RowNote};
use crate::text::number_format::grouped;
use crate::text::shown_path;
use crate::tui::session::tally::Together;

/// An import, from its first request on, also after its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRun {
    /// `None` if its rows were pasted.
    pub path: Option<PathBuf>,
    pub format: FileFormat,
    /// How many bad rows are left out.
    pub bad: u64,
    pub progress: Progress,
    /// Whether it waits for a person's decision, because the brake is on.
    pub is_braked: bool,
    /// The first rows that need a look: the bad ones, and once it is over, the others.
    pub notes: Vec<RowNote>,
    /// How a person ends it.
    pub ending: Option<Ending>,
    /// Why it is over; `None` while it runs.
    pub over: Option<Over>,
}

impl ImportRun {
    /// Returns what became of its rows so far, for an audience.
    pub fn together(&self) -> Together {
        let (outcomes, skipped) = (self.progress.all_outcomes(), self.progress.unsent.skipped());
        let left = if self.over.is_none() { self.progress.left() } else { 0 };
        Together { done: Id::ManyAdded, outcomes, skipped, left }
    }
}

/// Returns what the rows of an import come from, in a sentence.
pub fn shown_source(path: Option<&Path>) -> String {
    path.map_or_else(|| "the pasted text".to_owned(), shown_path)
}

/// Says that an import has more rows that are not listed, and what lists them.
pub fn more_rows(count: u64, path: Option<&Path>) -> String {
    let how = path.map(|path| format!(": plants import {} --dry-run lists all", shown_path(path)));
    format!("and {} more{}", grouped(count), how.unwrap_or_default())
}

/// How a person ends an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Sends nothing more; waits for requests in flight.
    Stopping,
    /// Cancels requests in flight, too.
    Cancelling,
}
