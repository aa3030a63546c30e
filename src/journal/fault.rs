//! The internal error of the journal, and its conversion to a [`JournalError`].
//!
//! Only this file maps the error codes of `SQLite`.

use std::io::pipe;
use std::path::Path;

use rusqlite::ErrorCode;
use rusqlite::ffi;

use super::error::{JournalError, PATH_LIMIT};
use super::files;
use crate::os::files::open_beside_locks;
use crate::os::locks;

/// An error inside the journal, before the path of the file is known.
#[derive(Debug)]
pub(super) enum Fault {
    Sqlite(rusqlite::Error),
    /// This entry cannot be written; the others of its batch can.
    Entry(JournalError),
    /// A stored value cannot be decoded, a row is missing, or what follows from a stored number cannot be stored.
    Damaged,
    /// An error that is complete already.
    Journal(JournalError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        let is_of_a_row = matches!(
            error,
            rusqlite::Error::QueryReturnedNoRows
                | rusqlite::Error::ToSqlConversionFailure(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::Utf8Error(..)
        );
        if is_of_a_row { Self::Damaged } else { Self::Sqlite(error) }
    }
}

impl From<JournalError> for Fault {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

impl Fault {
    /// Returns the error code of `SQLite`, if the error is of `SQLite`.
    fn code(&self) -> Option<ErrorCode> {
        if let Self::Sqlite(error) = self { error.sqlite_error_code() } else { None }
    }

    /// Returns whether only this entry fails, so that the rest of its batch can be stored.
    pub(super) fn is_of_one_entry(&self) -> bool {
        matches!(self, Self::Entry(_) | Self::Damaged)
            || matches!(self.code(), Some(ErrorCode::ConstraintViolation | ErrorCode::TooBig))
    }

    /// Returns whether the file may be sound, but cannot be opened in this way: also where the disk has no room for the
    /// shared memory.
    pub(super) fn is_of_access(&self, path: &Path) -> bool {
        use ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
        use JournalError::{DiskFull, NoLocks, NoLog};
        let is_of_way = |error| matches!(from_sqlite(error, path), DiskFull { .. } | NoLocks { .. } | NoLog { .. });
        matches!(self.code(), Some(CannotOpen | ReadOnly | PermissionDenied))
            || matches!(self, Self::Sqlite(error) if is_of_way(error))
    }

    /// Converts to the error about the journal at `path`.
    pub(super) fn at(self, path: &Path) -> JournalError {
        match self {
            Self::Journal(error) | Self::Entry(error) => error,
            Self::Damaged => JournalError::Corrupt { path: path.to_path_buf() },
            Self::Sqlite(error) => from_sqlite(&error, path),
        }
    }

    /// Converts like [`Self::at`] for a journal on disk, and marks a damaged journal, so that the next
    /// start rebuilds it.
    pub(super) fn at_and_mark(self, path: &Path) -> JournalError {
        let error = self.at(path);
        // `SQLite` reports an unreadable disk as damage. The check reads the whole file, so one is enough.
        if matches!(error, JournalError::Corrupt { .. }) && !files::is_marked_damaged(path) {
            if let Err(unreadable) = files::can_be_read(path) {
                return unreadable;
            }
            files::mark_damaged(path);
        }
        error
    }
}

fn is_too_long(path: &Path) -> bool {
    std::path::absolute(path).is_ok_and(|path| path.as_os_str().len() > PATH_LIMIT)
}

fn extended_code(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|inner| inner.extended_code)
}

fn from_sqlite(error: &rusqlite::Error, path: &Path) -> JournalError {
    let path = path.to_path_buf();
    match extended_code(error) {
        // A full disk is reported like this where the shared-memory file cannot grow.
        Some(ffi::SQLITE_IOERR_SHMSIZE) => return JournalError::DiskFull { path },
        Some(ffi::SQLITE_IOERR_WRITE) => return JournalError::WriteFailed { path },
        Some(ffi::SQLITE_IOERR_SHMMAP | ffi::SQLITE_IOERR_SHMOPEN) => return JournalError::NoLog { path },
        Some(ffi::SQLITE_IOERR_LOCK | ffi::SQLITE_IOERR_RDLOCK | ffi::SQLITE_IOERR_SHMLOCK) => {
            return JournalError::NoLocks { path };
        }
        Some(_) | None => {}
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => JournalError::DiskFull { path },
        Some(ErrorCode::ReadOnly) => JournalError::ReadOnly { path },
        Some(ErrorCode::PermissionDenied) => JournalError::Permission { path },
        Some(ErrorCode::CannotOpen) if is_too_long(&path) => JournalError::PathTooLong { path },
        Some(ErrorCode::CannotOpen) if path.is_dir() => JournalError::IsADirectory { path },
        Some(ErrorCode::CannotOpen) => match open_beside_locks(&path) {
            Err(why) => JournalError::io("open", &path)(why),
            Ok(_) => match (pipe(), pipe()) {
                (Ok(_), Ok(_)) => JournalError::Permission { path },
                // Too many files are open: the log and its shared memory are two more.
                (Err(why), _) | (_, Err(why)) => JournalError::io("open", &path)(why),
            },
        },
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => JournalError::Corrupt { path },
        // Of a lookup that something waits for, only the end of the journal.
        Some(ErrorCode::OperationInterrupted) => JournalError::Closed,
        // `SQLite` takes a lock that the file system does not have for one that another program holds.
        Some(ErrorCode::DatabaseBusy) if locks::are_missing(&path) => JournalError::NoLocks { path },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed) => {
            JournalError::Locked { path }
        }
        Some(_) | None => JournalError::Sqlite { path, reason: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_code(code: i32, path: &Path) -> JournalError {
        Fault::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)).at(path)
    }

    #[test]
    fn every_sqlite_code_with_a_remedy_has_its_own_error() {
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
            (ffi::SQLITE_IOERR_RDLOCK, JournalError::NoLocks { path: named() }),
            (ffi::SQLITE_IOERR_SHMMAP, JournalError::NoLog { path: named() }),
            (ffi::SQLITE_BUSY_SNAPSHOT, JournalError::Locked { path: named() }),
            (ffi::SQLITE_LOCKED, JournalError::Locked { path: named() }),
            (ffi::SQLITE_PROTOCOL, JournalError::Locked { path: named() }),
            (ffi::SQLITE_CORRUPT, JournalError::Corrupt { path: named() }),
            (ffi::SQLITE_NOTADB, JournalError::Corrupt { path: named() }),
        ] {
            let error = from_code(code, &path);
            assert_eq!(
                error.may_pass(),
                !matches!(error, JournalError::Corrupt { .. }),
                "an end is kept until it is written"
            );
            assert_eq!(error, expected);
        }
        assert_eq!(
            from_code(ffi::SQLITE_CANTOPEN, folder.path()),
            JournalError::IsADirectory { path: folder.path().into() }
        );
        let long = folder.path().join(["x"; 200].concat()).join(["y"; 200].concat()).join(["z"; 200].concat());
        let text = from_code(ffi::SQLITE_CANTOPEN, &long).to_string();
        assert!(text.contains("longer than the 511 bytes") && text.contains("--data-dir"), "{text}");
        for (code, words) in [(ffi::SQLITE_IOERR_WRITE, "quota"), (ffi::SQLITE_IOERR_READ, "disk I/O error")] {
            let text = from_code(code, &path).to_string();
            for words in [words, path.to_str().unwrap(), "--data-dir"] {
                assert!(text.contains(words), "{words:?} in {text}");
            }
        }
    }

    #[cfg(unix)]
    mod on_unix {
        use std::path::PathBuf;

        use super::*;
        use crate::os::files::testing::Errno;

        #[test]
        fn every_system_error_with_a_remedy_has_its_own_error() {
            let path = PathBuf::from("/data");
            let converted = |errno: Errno| JournalError::io("create", &path)(errno.into());
            for (errno, expected) in [
                (Errno::NOSPC, JournalError::DiskFull { path: path.clone() }),
                (Errno::DQUOT, JournalError::DiskFull { path: path.clone() }),
                (Errno::ROFS, JournalError::ReadOnly { path: path.clone() }),
                (Errno::ACCESS, JournalError::Permission { path: path.clone() }),
                (Errno::PERM, JournalError::Permission { path: path.clone() }),
                (Errno::ISDIR, JournalError::IsADirectory { path: path.clone() }),
            ] {
                assert_eq!(converted(errno), expected);
            }
            let text = converted(Errno::IO).to_string();
            assert!(text.starts_with("could not create /data: ") && text.ends_with("--data-dir"), "{text}");
        }
    }
}
