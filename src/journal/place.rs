//! The place of a journal.

use std::path::PathBuf;

use super::{files, locks};

/// The journal to open, and the access to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A journal in memory; it ends with its last handle.
    Memory,
    /// `journal.db` in this folder. Opening creates both if they are missing.
    Folder(PathBuf),
    /// The same file, read as it was last written. Nothing is created and no operation is ended.
    ReadOnly(PathBuf),
}

impl Place {
    /// Waits for `done`, which works on the journal at this place. If that takes long because another
    /// process keeps the journal locked, calls `notify` once with a sentence that names the process.
    pub async fn notify_if_locked<T>(&self, done: impl Future<Output = T>, notify: impl FnOnce(String)) -> T {
        let journal = match self {
            Self::Memory => None,
            Self::Folder(folder) | Self::ReadOnly(folder) => Some(files::file_in(folder)),
        };
        locks::notify_if_locked(done, journal, notify).await
    }
}
