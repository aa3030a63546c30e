//! What went wrong inside the journal, and what of it is told.
//!
//! The only place that knows the error codes of `SQLite`.

use std::path::Path;

use rusqlite::ErrorCode;
use rusqlite::ffi;

use super::error::JournalError;
use super::files;

/// What went wrong inside, before it is known which file it is about.
#[derive(Debug)]
pub(super) enum Fault {
    Sqlite(rusqlite::Error),
    /// This one entry cannot be written; its neighbours can.
    Entry(JournalError),
    /// This one entry comes too late; its neighbours can be written.
    Overtaken,
    /// Something in the file cannot be read as what it should be.
    Damaged,
    /// Already in its final words.
    Told(JournalError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        let is_of_a_value = matches!(
            error,
            rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::Utf8Error(..)
        );
        if is_of_a_value { Self::Damaged } else { Self::Sqlite(error) }
    }
}

impl From<JournalError> for Fault {
    fn from(error: JournalError) -> Self {
        Self::Told(error)
    }
}

impl Fault {
    /// Whether only the entry is to blame, so that the rest of its batch can still be kept.
    pub(super) fn is_of_one_entry(&self) -> bool {
        match self {
            Self::Entry(_) | Self::Overtaken | Self::Damaged => true,
            Self::Sqlite(error) => {
                matches!(error.sqlite_error_code(), Some(ErrorCode::ConstraintViolation | ErrorCode::TooBig))
            }
            Self::Told(_) => false,
        }
    }

    /// Whether the file may be as it should, and only cannot be opened like this.
    pub(super) fn is_of_access(&self) -> bool {
        match self {
            Self::Sqlite(error) => matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
            ),
            Self::Entry(_) | Self::Overtaken | Self::Damaged | Self::Told(_) => false,
        }
    }

    /// The error to tell, about the journal at `path`.
    pub(super) fn at(self, path: &Path) -> JournalError {
        match self {
            Self::Told(error) | Self::Entry(error) => error,
            Self::Damaged => JournalError::Corrupt { path: path.to_path_buf() },
            Self::Overtaken => JournalError::Overtaken,
            Self::Sqlite(error) => from_sqlite(&error, path),
        }
    }

    /// The same of a journal on disk. Damage is noted, so that the next start rebuilds it.
    pub(super) fn told(self, path: &Path) -> JournalError {
        let error = self.at(path);
        if matches!(error, JournalError::Corrupt { .. }) {
            // `SQLite` takes what the disk cannot read for damage. Once is enough: it may be long.
            if !files::is_marked_damaged(path) {
                if let Err(unreadable) = files::can_be_read(path) {
                    return unreadable;
                }
                files::mark_damaged(path);
            }
        }
        error
    }
}

fn from_sqlite(error: &rusqlite::Error, path: &Path) -> JournalError {
    let other = || JournalError::Sqlite { path: path.to_path_buf(), reason: error.to_string() };
    let path = path.to_path_buf();
    match error.sqlite_error().map(|inner| inner.extended_code) {
        // The shared-memory file could not grow: a full disk has no other way to say so.
        Some(ffi::SQLITE_IOERR_SHMSIZE) => return JournalError::DiskFull { path },
        Some(ffi::SQLITE_IOERR_WRITE) => return JournalError::WriteFailed { path },
        Some(_) | None => {}
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => JournalError::DiskFull { path },
        Some(ErrorCode::ReadOnly) => JournalError::ReadOnly { path },
        Some(ErrorCode::PermissionDenied) => JournalError::Permission { path },
        Some(ErrorCode::CannotOpen) if path.is_dir() => JournalError::IsADirectory { path },
        Some(ErrorCode::CannotOpen) if path.exists() => match files::open_for_good(&path) {
            Err(why) => JournalError::from_io(&why, "open", &path),
            Ok(_) => JournalError::Permission { path },
        },
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => JournalError::Corrupt { path },
        Some(ErrorCode::OperationInterrupted) => JournalError::Superseded,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed) => {
            JournalError::Locked { path }
        }
        Some(_) | None => other(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn told(code: i32, path: &Path) -> JournalError {
        Fault::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)).at(path)
    }

    #[test]
    fn every_code_that_can_be_helped_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        std::fs::write(&path, "").unwrap();
        let named = || path.clone();
        for (code, expected) in [
            (ffi::SQLITE_FULL, JournalError::DiskFull { path: named() }),
            (ffi::SQLITE_IOERR_SHMSIZE, JournalError::DiskFull { path: named() }),
            (ffi::SQLITE_READONLY, JournalError::ReadOnly { path: named() }),
            (ffi::SQLITE_READONLY_DIRECTORY, JournalError::ReadOnly { path: named() }),
            (ffi::SQLITE_READONLY_CANTINIT, JournalError::ReadOnly { path: named() }),
            (ffi::SQLITE_PERM, JournalError::Permission { path: named() }),
            (ffi::SQLITE_CANTOPEN, JournalError::Permission { path: named() }),
            (ffi::SQLITE_BUSY, JournalError::Locked { path: named() }),
            (ffi::SQLITE_BUSY_SNAPSHOT, JournalError::Locked { path: named() }),
            (ffi::SQLITE_LOCKED, JournalError::Locked { path: named() }),
            (ffi::SQLITE_PROTOCOL, JournalError::Locked { path: named() }),
            (ffi::SQLITE_CORRUPT, JournalError::Corrupt { path: named() }),
            (ffi::SQLITE_NOTADB, JournalError::Corrupt { path: named() }),
        ] {
            assert_eq!(told(code, &path), expected);
        }
        assert_eq!(
            told(ffi::SQLITE_CANTOPEN, folder.path()),
            JournalError::IsADirectory { path: folder.path().into() }
        );
        for (code, words) in [(ffi::SQLITE_IOERR_WRITE, "quota"), (ffi::SQLITE_IOERR_READ, "disk I/O error")] {
            let told = told(code, &path).to_string();
            for words in [words, path.to_str().unwrap(), "--data-dir"] {
                assert!(told.contains(words), "{words:?} in {told}");
            }
        }
    }

    #[test]
    fn what_the_system_says_of_a_place_is_told() {
        use rustix::io::Errno;
        let path = PathBuf::from("/data");
        for (errno, expected) in [
            (Errno::NOSPC, JournalError::DiskFull { path: path.clone() }),
            (Errno::DQUOT, JournalError::DiskFull { path: path.clone() }),
            (Errno::ROFS, JournalError::ReadOnly { path: path.clone() }),
            (Errno::ACCESS, JournalError::Permission { path: path.clone() }),
            (Errno::PERM, JournalError::Permission { path: path.clone() }),
            (Errno::ISDIR, JournalError::IsADirectory { path: path.clone() }),
        ] {
            assert_eq!(JournalError::from_io(&errno.into(), "create", &path), expected);
        }
        let told = JournalError::from_io(&Errno::IO.into(), "create", &path).to_string();
        assert!(told.starts_with("could not create /data: ") && told.ends_with("--data-dir"), "{told}");
    }
}
