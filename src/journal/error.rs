//! What can go wrong with the journal, in words that say what to do.
//!
//! The only place that knows `SQLite`'s and the system's error codes.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use rusqlite::ffi;

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
    /// The journal's owner has ended: it was closed, or it panicked.
    Died,
    /// Anything else, in words.
    Other(String),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DiskFull { path } => {
                write!(f, "no room to write the journal {}: free some space, then try again", path.display())
            }
            Self::ReadOnly { path } => {
                write!(
                    f,
                    "the journal {} cannot be written: make it writable or choose another folder with --data-dir",
                    path.display()
                )
            }
            Self::Permission { path } => {
                write!(
                    f,
                    "access to {} is denied: change its permissions or choose another folder with --data-dir",
                    path.display()
                )
            }
            Self::Corrupt { path } => {
                write!(
                    f,
                    "the journal {} is damaged: close every running plants, then start again: it is set aside, never deleted, and what can be read is saved",
                    path.display()
                )
            }
            Self::Locked { path } => {
                write!(
                    f,
                    "another program keeps the journal {} locked: try again, or close what has it open",
                    path.display()
                )
            }
            Self::FromTheFuture { path, version } => {
                write!(
                    f,
                    "the journal {} is from a newer release (version {version}): update plants or choose another folder with --data-dir; the file was not touched",
                    path.display()
                )
            }
            Self::NotAJournal { path } => {
                write!(
                    f,
                    "{} is not a journal of plants: choose another folder with --data-dir; the file was not touched",
                    path.display()
                )
            }
            Self::IsADirectory { path } => {
                write!(
                    f,
                    "{} is a folder where the journal's file should be: move it, or choose another folder with --data-dir",
                    path.display()
                )
            }
            Self::Overtaken => f.write_str("it was settled or changed elsewhere meanwhile; look again"),
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
                path.display()
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
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the rest can only be passed on in its own words")]
fn from_sqlite(error: &rusqlite::Error, path: &Path) -> JournalError {
    let other = || JournalError::Other(format!("the journal {} failed: {error}", path.display()));
    let path = path.to_path_buf();
    if error.sqlite_error().is_some_and(|inner| inner.extended_code == ffi::SQLITE_IOERR_SHMSIZE) {
        // The shared-memory file could not grow: a full disk has no other way to say so.
        return JournalError::DiskFull { path };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => JournalError::DiskFull { path },
        Some(ErrorCode::ReadOnly) => JournalError::ReadOnly { path },
        Some(ErrorCode::PermissionDenied) => JournalError::Permission { path },
        Some(ErrorCode::CannotOpen) if path.is_dir() => JournalError::IsADirectory { path },
        Some(ErrorCode::CannotOpen) if path.exists() => JournalError::Permission { path },
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => JournalError::Corrupt { path },
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
