//! What can go wrong with the journal, in words that say what to do.
//!
//! The only place that knows the error codes of the system.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::domain::OperationId;
use crate::domain::text::shown_path;

/// Why the journal could not do what was asked. Where it is a write, nothing of it was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalError {
    /// No room, or the quota is used up.
    DiskFull {
        path: PathBuf,
    },
    /// The file or its file system cannot be written.
    ReadOnly {
        path: PathBuf,
    },
    Permission {
        path: PathBuf,
    },
    /// What is in the file is not what was written.
    Corrupt {
        path: PathBuf,
    },
    /// Another program held it for longer than [`super::BUSY_TIMEOUT`].
    Locked {
        path: PathBuf,
    },
    /// Written by a newer release; left untouched.
    FromTheFuture {
        path: PathBuf,
        version: i64,
    },
    /// A path of the journal leads to another file than the open one, or to none.
    Replaced {
        path: PathBuf,
    },
    /// Something is in the schema that plants did not make; left untouched.
    Unexpected {
        path: PathBuf,
        what: String,
    },
    /// A file of something else; left untouched.
    NotAJournal {
        path: PathBuf,
    },
    /// A folder stands where the file should be.
    IsADirectory {
        path: PathBuf,
    },
    /// A person's word about a plant that was resolved or changed since the person saw it.
    Overtaken,
    /// Nobody waits for this response any more: a newer question took its place.
    Superseded,
    /// The journal's writer has ended: it was closed, or it panicked.
    Died,
    /// The task that wrote or read it failed.
    Panicked,
    /// The operation is in the journal already.
    Repeated(OperationId),
    /// The operation that ended is not in the journal.
    NotRequested(OperationId),
    /// The operation is not of the program with this origin, which keeps the journal open.
    Foreign {
        operation: OperationId,
        origin: u64,
    },
    /// It has no text that can be stored.
    NotStorable {
        reason: String,
    },
    /// The file system has no shared memory for the log.
    NoLog {
        path: PathBuf,
    },
    /// Another program wrote a journal that is read without locks.
    ChangedMeanwhile {
        path: PathBuf,
    },
    /// A quota, a limit on the size of files, or a disk that fails: `SQLite` does not tell them apart.
    WriteFailed {
        path: PathBuf,
    },
    /// The disk fails to read it.
    Unreadable {
        path: PathBuf,
        reason: String,
    },
    /// The system cannot watch the folder.
    NotWatched {
        folder: PathBuf,
        reason: String,
    },
    /// The system did not start this thread.
    NoThread {
        name: &'static str,
        reason: String,
    },
    /// Anything else that the system says about a file.
    Io {
        action: &'static str,
        path: PathBuf,
        reason: String,
    },
    /// Anything else that `SQLite` says.
    Sqlite {
        path: PathBuf,
        reason: String,
    },
}

impl fmt::Display for JournalError {
    #[expect(clippy::too_many_lines, reason = "a sentence for each variant")]
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
            Self::Overtaken => f.write_str("it was resolved or changed elsewhere meanwhile; look again"),
            Self::Superseded => f.write_str("a newer question took its place"),
            Self::Died => f.write_str("the journal is closed: nothing more can be recorded or sent; restart plants"),
            Self::Panicked => f.write_str("the program failed while doing so"),
            Self::Repeated(operation) => write!(f, "operation {operation} is in the journal already: it was not sent"),
            Self::NotRequested(operation) => {
                write!(f, "operation {operation} is not in the journal: its end has no place")
            }
            Self::Foreign { operation, origin } => {
                write!(
                    f,
                    "operation {operation} is not of this program ({origin:016x}): it was neither recorded nor sent"
                )
            }
            Self::NotStorable { reason } => write!(f, "this cannot be written down: {reason}"),
            Self::NoLog { path } => {
                write!(
                    f,
                    "the file system of {} cannot carry the journal's log: choose a local folder with --data-dir",
                    shown_path(path)
                )
            }
            Self::ChangedMeanwhile { path } => {
                write!(f, "another program wrote the journal {} while it was read: try again", shown_path(path))
            }
            Self::WriteFailed { path } => {
                write!(
                    f,
                    "the system refused to write the journal {}: a quota or a limit on the size of files is used up, or the disk fails; make room, or choose another folder with --data-dir",
                    shown_path(path)
                )
            }
            Self::Unreadable { path, reason } => {
                write!(
                    f,
                    "the disk cannot read {}: {reason}; copy its folder elsewhere while you can, then name that with --data-dir",
                    shown_path(path)
                )
            }
            Self::NotWatched { folder, reason } => {
                write!(f, "the folder {} cannot be watched: {reason}", shown_path(folder))
            }
            Self::NoThread { name, reason } => write!(f, "could not start the journal's {name}: {reason}"),
            Self::Io { action, path, reason } => {
                write!(f, "could not {action} {}: {reason}; choose another folder with --data-dir", shown_path(path))
            }
            Self::Sqlite { path, reason } => {
                write!(
                    f,
                    "the journal {} failed: {reason}; choose another folder with --data-dir if it stays so",
                    shown_path(path)
                )
            }
        }
    }
}

impl std::error::Error for JournalError {}

impl JournalError {
    /// Names what the system said about `path` while doing `action`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest can only be passed on in its own words")]
    pub(super) fn from_io(error: &io::Error, action: &'static str, path: &Path) -> Self {
        let (path, kind) = (path.to_path_buf(), error.kind());
        match kind {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            io::ErrorKind::PermissionDenied => Self::Permission { path },
            io::ErrorKind::IsADirectory => Self::IsADirectory { path },
            _ => Self::Io { action, path, reason: error.to_string() },
        }
    }
}
