//! Where a journal is kept.

use std::path::PathBuf;

use super::{files, locks};

/// Which journal is opened, and what for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// It ends with its last handle.
    Memory,
    /// `journal.db` in this folder, which is made if it is missing.
    Folder(PathBuf),
    /// The same, but it is only read, as it was written last: nothing is made or ended.
    ReadOnly(PathBuf),
}

impl Place {
    /// Waits for something to be done with the journal here. If that takes long because another
    /// process keeps it locked, `tell` hears once which one.
    pub async fn telling<T>(&self, done: impl Future<Output = T>, tell: impl FnOnce(String)) -> T {
        let journal = match self {
            Self::Memory => None,
            Self::Folder(folder) | Self::ReadOnly(folder) => Some(files::file_in(folder)),
        };
        locks::telling(done, journal, tell).await
    }
}
