//! What can go wrong with the journal, in words that say what to do.
//!
//! The only place that knows `SQLite`'s and the system's error codes.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use rusqlite::ffi;

use super::files;
use crate::domain::text::shown_path;

/// Why the journal could not do what was asked. Where it is a write, nothing of it was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalError {
    /// No room, or the quota is used up.
    DiskFull {
        /// The journal's file.
        path: PathBuf,
    },
    /// The file or its file system cannot be written.
    ReadOnly {
        /// The journal's file.
        path: PathBuf,
    },
    /// The system denies access.
    Permission {
        /// What was to be opened.
        path: PathBuf,
    },
    /// What is in the file is not what was written.
    Corrupt {
        /// The journal's file.
        path: PathBuf,
    },
    /// Another program held it for longer than [`super::BUSY_TIMEOUT`].
    Locked {
        /// The journal's file.
        path: PathBuf,
    },
    /// Written by a newer release; left untouched.
    FromTheFuture {
        /// The journal's file.
        path: PathBuf,
        /// The version of its schema.
        version: i64,
    },
    /// Of an older release, which has it open: it cannot be migrated meanwhile.
    OlderIsOpen {
        /// The journal's file.
        path: PathBuf,
    },
    /// A path of the journal leads to another file than the open one, or to none.
    Replaced {
        /// The path.
        path: PathBuf,
    },
    /// Something is in the schema that plants did not make; left untouched.
    Unexpected {
        /// The journal's file.
        path: PathBuf,
        /// What is wrong, in words.
        what: String,
    },
    /// A file of something else; left untouched.
    NotAJournal {
        /// That file.
        path: PathBuf,
    },
    /// A folder stands where the file should be.
    IsADirectory {
        /// That folder.
        path: PathBuf,
    },
    /// A person's word about a plant that was settled or changed since the person saw it.
    Overtaken,
    /// Nobody waits for this answer any more: a newer question took its place.
    Superseded,
    /// The journal's owner has ended: it was closed, or it panicked.
    Died,
    /// Anything else, in words.
    Other(String),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DiskFull { path } => {
                write!(f, "no room to write the journal {}: free some space, then try again", shown_path(path))
            }
            Self::ReadOnly { path } => {
                write!(
                    f,
                    "{} cannot be written: make it, its folder and the files beside it writable, or choose another folder with --data-dir",
                    shown_path(path)
                )
            }
            Self::Permission { path } => {
                write!(
                    f,
                    "access to {} is denied: change its permissions or those of its folder, or choose another folder with --data-dir",
                    shown_path(path)
                )
            }
            Self::Corrupt { path } => {
                write!(
                    f,
                    "the journal {} is damaged: close every running plants, then start again: it is set aside, never deleted, and what can be read is saved",
                    shown_path(path)
                )
            }
            Self::Locked { path } => {
                write!(
                    f,
                    "another program keeps the journal {} locked: try again, or close what has it open",
                    shown_path(path)
                )
            }
            Self::FromTheFuture { path, version } => {
                write!(
                    f,
                    "the journal {} is from a newer release (version {version}): update plants or choose another folder with --data-dir; the file was not touched",
                    shown_path(path)
                )
            }
            Self::OlderIsOpen { path } => {
                write!(
                    f,
                    "an older plants has the journal {} open: close it, then start again, and the journal is brought up to date",
                    shown_path(path)
                )
            }
            Self::Replaced { path } => {
                write!(
                    f,
                    "{} was moved, deleted or replaced while plants had it open, and nothing more is sent: close plants, put all files of the journal back, then start again",
                    shown_path(path)
                )
            }
            Self::Unexpected { path, what } => {
                write!(
                    f,
                    "the journal {} is not as plants makes it: {what}. It was not touched: put that right, or choose another folder with --data-dir",
                    shown_path(path)
                )
            }
            Self::NotAJournal { path } => {
                write!(
                    f,
                    "{} is not a journal of plants: choose another folder with --data-dir; the file was not touched",
                    shown_path(path)
                )
            }
            Self::IsADirectory { path } => {
                write!(
                    f,
                    "{} is a folder where the journal's file should be: move it, or choose another folder with --data-dir",
                    shown_path(path)
                )
            }
            Self::Overtaken => f.write_str("it was settled or changed elsewhere meanwhile; look again"),
            Self::Superseded => f.write_str("a newer question took its place"),
            Self::Died => f.write_str("the journal is closed: nothing more can be recorded or sent; restart plants"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for JournalError {}

impl JournalError {
    /// Names what the system said about `path` while doing `action`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest can only be passed on in its own words")]
    pub(super) fn from_io(error: &io::Error, action: &str, path: &Path) -> Self {
        let (path, kind) = (path.to_path_buf(), error.kind());
        match kind {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            io::ErrorKind::PermissionDenied => Self::Permission { path },
            io::ErrorKind::IsADirectory => Self::IsADirectory { path },
            _ => Self::Other(format!(
                "could not {action} {}: {error}; choose another folder with --data-dir",
                shown_path(&path)
            )),
        }
    }
}

/// What went wrong inside, before it is known which file it is about.
#[derive(Debug)]
pub(super) enum Fault {
    /// `SQLite` said so.
    Sqlite(rusqlite::Error),
    /// This one entry cannot be written; its neighbours can.
    Entry(String),
    /// This one entry comes too late; its neighbours can be written.
    Overtaken,
    /// Something in the file cannot be read as what it should be.
    Damaged,
    /// Already in its final words.
    Told(JournalError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
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
            Self::Told(error) => error,
            Self::Entry(text) => JournalError::Other(text),
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

/// `SQLite` does not tell these apart.
pub(super) fn refused_to_write(path: &Path) -> JournalError {
    JournalError::Other(format!(
        "the system refused to write the journal {}: a quota or a limit on the size of files is used up, or the disk fails; make room, or choose another folder with --data-dir",
        shown_path(path)
    ))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the rest can only be passed on in its own words")]
fn from_sqlite(error: &rusqlite::Error, path: &Path) -> JournalError {
    let other = || {
        JournalError::Other(format!(
            "the journal {} failed: {error}; choose another folder with --data-dir if it stays so",
            shown_path(path)
        ))
    };
    let path = path.to_path_buf();
    match error.sqlite_error().map(|inner| inner.extended_code) {
        // The shared-memory file could not grow: a full disk has no other way to say so.
        Some(ffi::SQLITE_IOERR_SHMSIZE) => return JournalError::DiskFull { path },
        Some(ffi::SQLITE_IOERR_WRITE) => return refused_to_write(&path),
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
        Some(_) => other(),
        None => match error {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..) => JournalError::Corrupt { path },
            _ => other(),
        },
    }
}

#[cfg(test)]
mod tests {
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
