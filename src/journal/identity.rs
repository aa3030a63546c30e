//! Checks that the journal's paths still lead to the files that `SQLite` has open.
//!
//! A file that is moved, deleted or replaced stays open and takes every write, but the next start
//! does not find it. The writer therefore checks the paths after each commit.
//!
//! The check reads paths with `stat` only: closing a descriptor of the file would drop
//! `SQLite`'s locks (see [`super::files`]). A path is known to lead to the open file:
//!
//! - for the journal, if the path leads to the same file before and after `SQLite` opens it;
//! - for its companions, once a write transaction has begun. `SQLite` has opened them by then and
//!   keeps them until the last connection closes: to remove or recreate one, it must lock out every
//!   other connection, and this one holds a shared lock while it is open.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::JournalError;
use super::files;
use crate::os::FileState;
use crate::os::files::FileId;

/// The files of an open journal under the paths that they were opened by; none for a journal that is
/// in memory or read-only.
#[derive(Debug, Default)]
pub(super) struct Identity {
    /// The journal first, then its companions.
    files: Vec<(PathBuf, FileId)>,
    /// The greatest length that the journal had. `SQLite` makes it no shorter: a shorter file was written over it.
    length: AtomicU64,
}

impl Identity {
    /// Records the files of a journal in which a write transaction has begun. `before` is the file
    /// that the path led to before `SQLite` opened it.
    ///
    /// # Errors
    ///
    /// [`JournalError::Replaced`] if the path led elsewhere since; [`JournalError::WriteFailed`] if
    /// the system did not let `SQLite` create a companion.
    pub(super) fn of_open(path: &Path, before: Option<FileId>) -> Result<Self, JournalError> {
        let journal = FileId::at(path);
        let Some(id) = journal.filter(|_| journal == before) else {
            return Err(JournalError::Replaced { path: path.to_path_buf() });
        };
        let mut files = vec![(path.to_path_buf(), id)];
        for companion in files::companions(path) {
            let id = FileId::at(&companion).ok_or_else(|| JournalError::WriteFailed { path: path.to_path_buf() })?;
            files.push((companion, id));
        }
        Ok(Self { files, length: AtomicU64::new(files::length(path)) })
    }

    /// Checks that every path still leads to its file.
    ///
    /// # Errors
    ///
    /// [`JournalError::Replaced`]: the next start may not find what is written from now on.
    pub(super) fn check(&self) -> Result<(), JournalError> {
        let is_shorter = |path: &Path| {
            let length = files::length(path);
            length < self.length.fetch_max(length, Ordering::Relaxed)
        };
        let moved = self.files.iter().find(|(path, id)| FileId::at(path) != Some(*id));
        let changed = moved.or_else(|| self.files.first().filter(|(path, _)| is_shorter(path)));
        changed.map_or(Ok(()), |(path, _)| Err(JournalError::Replaced { path: path.clone() }))
    }

    /// Returns whether another file has the name of a companion. `SQLite` would remove it when the
    /// last connection closes, and another program's entries with it.
    pub(super) fn has_strange_companion(&self) -> bool {
        self.files.iter().skip(1).any(|(path, id)| FileId::at(path).is_some_and(|there| there != *id))
    }
}

/// The state of a file at one moment, to detect later writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileStamp {
    path: PathBuf,
    state: Option<FileState>,
}

impl FileStamp {
    pub(super) fn of(path: &Path) -> Self {
        Self { path: path.to_path_buf(), state: FileState::at(path) }
    }

    /// Checks that the file has not changed since.
    ///
    /// # Errors
    ///
    /// [`JournalError::ChangedMeanwhile`]: another program wrote the file, so rows that were read may
    /// not belong together.
    pub(super) fn check(&self) -> Result<(), JournalError> {
        if Self::of(&self.path) == *self {
            return Ok(());
        }
        Err(JournalError::ChangedMeanwhile { path: self.path.clone() })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_move_or_replacement_of_each_file_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let journal = files::file_in(folder.path());
        let paths: Vec<_> = [journal.clone()].into_iter().chain(files::companions(&journal)).collect();
        for path in &paths {
            fs::write(path, "").unwrap();
        }
        assert!(Identity::of_open(&journal, None).is_err());
        let identity = Identity::of_open(&journal, FileId::at(&journal)).unwrap();
        let aside = folder.path().join("aside");
        for (place, path) in paths.iter().enumerate() {
            identity.check().unwrap();
            fs::rename(path, &aside).unwrap();
            assert_eq!(identity.check(), Err(JournalError::Replaced { path: path.clone() }));
            assert!(!identity.has_strange_companion());
            fs::write(path, "").unwrap();
            assert_eq!(identity.check(), Err(JournalError::Replaced { path: path.clone() }));
            assert_eq!(identity.has_strange_companion(), place > 0);
            fs::rename(&aside, path).unwrap();
        }
        fs::write(&journal, "longer").unwrap();
        identity.check().unwrap();
        fs::write(&journal, "short").unwrap();
        assert_eq!(identity.check(), Err(JournalError::Replaced { path: journal.clone() }), "written over in place");
        fs::remove_file(&paths[1]).unwrap();
        assert!(Identity::of_open(&journal, FileId::at(&journal)).is_err());
    }
}
