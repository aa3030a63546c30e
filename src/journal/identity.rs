//! Whether the journal's paths still lead to the files that `SQLite` has open.
//!
//! A file that is moved, deleted or replaced stays open and takes all that is written, and the next
//! start knows none of it. So each commit is followed by a look at the paths.
//!
//! Files are compared by device and inode, which the system gives to no other file while one is
//! open. Only paths are looked at, with `stat`: a descriptor of our own would drop `SQLite`'s locks
//! as soon as it is closed (see [`super::files`]). A path is known to lead to the open file:
//!
//! - of the journal itself, where it leads to the same file before and after `SQLite` opened it;
//! - of its companions, once a write transaction has begun. `SQLite` has opened them by then, and
//!   keeps them under these names until the last connection closes: to remove or remake one, it must
//!   lock out every other connection, and ours holds a shared lock for as long as it is open.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::error::JournalError;
use super::files;

/// The device and the inode of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FileId(u64, u64);

impl FileId {
    /// Looks where a path leads; `None` if to nothing that can be looked at.
    pub(super) fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|found| Self(found.dev(), found.ino()))
    }
}

/// The files of an open journal, under the paths they were opened by.
#[derive(Debug)]
pub(super) struct Identity {
    /// The journal first, then its companions.
    files: Vec<(PathBuf, FileId)>,
}

impl Identity {
    /// Remembers the files of a journal in which a write transaction has begun. `before` is where
    /// its path led before `SQLite` opened it.
    ///
    /// # Errors
    ///
    /// [`JournalError::Replaced`]: the path led elsewhere meanwhile. If a companion is missing, the
    /// system did not let `SQLite` make it.
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
        Ok(Self { files })
    }

    /// Looks whether every path still leads to its file.
    ///
    /// # Errors
    ///
    /// [`JournalError::Replaced`]: one does not. What is written now, the next start may not find.
    pub(super) fn check(&self) -> Result<(), JournalError> {
        let moved = self.files.iter().find(|(path, id)| FileId::at(path) != Some(*id));
        moved.map_or(Ok(()), |(path, _)| Err(JournalError::Replaced { path: path.clone() }))
    }

    /// Whether something stands under the name of a companion that is not the open one. The last
    /// connection to close would remove it, and with it what another program has written there.
    pub(super) fn has_strange_companion(&self) -> bool {
        self.files.iter().skip(1).any(|(path, id)| FileId::at(path).is_some_and(|there| there != *id))
    }
}

/// A file as it was at one moment, so that it is seen whether it was written since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Still {
    path: PathBuf,
    /// Device, inode, length, and when it was written last.
    seen: Option<(u64, u64, u64, i64, i64)>,
}

impl Still {
    pub(super) fn of(path: &Path) -> Self {
        let about = |found: fs::Metadata| (found.dev(), found.ino(), found.len(), found.mtime(), found.mtime_nsec());
        Self { path: path.to_path_buf(), seen: fs::metadata(path).ok().map(about) }
    }

    /// Looks whether the file is as it was.
    ///
    /// # Errors
    ///
    /// Another program has written it: what was read may be of two moments.
    pub(super) fn check(&self) -> Result<(), JournalError> {
        if Self::of(&self.path) == *self {
            return Ok(());
        }
        Err(JournalError::ChangedMeanwhile { path: self.path.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_three_files_is_missed() {
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
        identity.check().unwrap();
        fs::remove_file(&paths[1]).unwrap();
        assert!(Identity::of_open(&journal, FileId::at(&journal)).is_err());
    }
}
