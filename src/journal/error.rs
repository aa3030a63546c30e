//! The errors of the journal. Each message says what to do next.
//!
//! This file maps the system's error codes; `SQLite`'s codes are in [`super::fault`].

use std::io;
use std::path::{Path, PathBuf};

use crate::domain::{Author, OperationId};
use crate::text::shown_path;

/// Bytes of the longest path that `SQLite` opens.
pub(super) const PATH_LIMIT: usize = 511;

/// Why an operation on the journal failed. A write that fails with one stores nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// The disk or the quota is full.
    #[error("no room to write the journal {}: free some space, then try again", shown_path(path))]
    DiskFull { path: PathBuf },
    /// The file or its file system is read-only.
    #[error(
        "{} cannot be written: make it, its folder and the files beside it writable, or choose another folder \
             with --data-dir",
        shown_path(path)
    )]
    ReadOnly { path: PathBuf },
    #[error(
        "access to {} is denied: change its permissions or those of its folder, or choose another folder with \
             --data-dir",
        shown_path(path)
    )]
    Permission { path: PathBuf },
    #[error("{} is a link: name the folder of the journal that it leads to with --data-dir", shown_path(path))]
    IsALink { path: PathBuf },
    /// The content of the file differs from what was written.
    #[error(
        "the journal {} is damaged: close every running plants, then start again. The damaged file is set aside, \
             never deleted, and every readable entry is saved",
        shown_path(path)
    )]
    Corrupt { path: PathBuf },
    /// Another program held the lock for longer than 10 seconds.
    #[error("another program keeps the journal {} locked: try again, or close that program", shown_path(path))]
    Locked { path: PathBuf },
    /// Other programs work with a journal that is to be replaced.
    #[error("{holder} has the journal {} open: close it, then try again", shown_path(path))]
    InUse { path: PathBuf, holder: String },
    /// A newer release wrote the file. It was not changed.
    #[error(
        "the journal {} is from a newer release (version {version}): update plants or choose another folder with \
             --data-dir; the file was not changed",
        shown_path(path)
    )]
    NewerVersion { path: PathBuf, version: i64 },
    /// A path of the journal leads to another file than the open one, or to none.
    #[error(
        "{} was moved, deleted or replaced while plants had it open, and nothing more is sent: close plants, put \
             all files of the journal back, then start again",
        shown_path(path)
    )]
    Replaced { path: PathBuf },
    /// The schema differs from the journal's. The file was not changed.
    #[error(
        "the journal {} is not as plants makes it: {what}. It was not touched: put that right, or choose another \
             folder with --data-dir",
        shown_path(path)
    )]
    Unexpected { path: PathBuf, what: String },
    /// The file belongs to another program. It was not changed.
    #[error("{} is not a journal of plants (it was not changed): use another folder with --data-dir", shown_path(path))]
    NotAJournal { path: PathBuf },
    /// `SQLite` opens no longer path.
    #[error(
        "the path {} is longer than the {PATH_LIMIT} bytes that the journal's may have: choose a folder with a shorter \
             path with --data-dir",
        shown_path(path)
    )]
    PathTooLong { path: PathBuf },
    /// A folder has the name of the journal's file.
    #[error(
        "{} is a folder where the journal's file should be: move it, or choose another folder with --data-dir",
        shown_path(path)
    )]
    IsADirectory { path: PathBuf },
    /// The plant was resolved or changed after the person or the import looked at it.
    #[error("it was resolved or changed elsewhere meanwhile; look again")]
    Overtaken,
    /// The journal's writer has ended: the journal was closed, or the writer panicked.
    #[error("the journal is closed: nothing more can be recorded or sent; restart plants")]
    Closed,
    /// The task that used the journal panicked.
    #[error("an internal error ended the work on the journal: try again")]
    Panicked,
    #[error("operation {0} is in the journal already, and was not sent: restart plants")]
    Repeated(OperationId),
    #[error("operation {0} is not in the journal, so that its result cannot be recorded: restart plants")]
    NotRequested(OperationId),
    /// The operation carries another origin than the program that has the journal open.
    #[error(
        "operation {operation} is not of this program ({origin:016x}), and was neither recorded nor sent: restart plants"
    )]
    Foreign { operation: OperationId, origin: u64 },
    /// Later entries of a member of the team have come.
    #[error("entries {from} to {to} of {author} are missing in the team's stream")]
    MissingEntries { author: Author, from: u64, to: u64 },
    /// The team has entries of this journal that it does not have itself.
    #[error(
        "a copy of this journal shares entries as the same member, or it was restored from an older copy: it goes on as \
             another member"
    )]
    Copied,
    #[error(
        "the team's stream starts at message {since}, but this journal has read up to {folded} of an earlier one: remove \
             the stream, so that plants team join creates one that continues"
    )]
    OtherStream { folded: u64, since: u64 },
    #[error("this journal has joined the team once more meanwhile")]
    JoinedAgain,
    #[error("the entry cannot be stored: {reason}")]
    NotStorable { reason: String },
    /// The file system has no shared memory for the write-ahead log.
    #[error("the file system of {} supports no write-ahead log: use a local folder with --data-dir", shown_path(path))]
    NoLog { path: PathBuf },
    /// The file system, as of a network, does not lock files.
    #[error("the file system of {} has no locks that work: use a local folder with --data-dir", shown_path(path))]
    NoLocks { path: PathBuf },
    /// Another program wrote a journal that was being read without locks.
    #[error("another program wrote the journal {} during the read: try again", shown_path(path))]
    ChangedMeanwhile { path: PathBuf },
    /// A quota, a limit on the size of files, or a failing disk: `SQLite` reports all three alike.
    #[error(
        "the system did not write the journal {}: a quota or a limit on the size of files is used up, or the \
             disk fails; make room, or choose another folder with --data-dir",
        shown_path(path)
    )]
    WriteFailed { path: PathBuf },
    /// The disk fails to read the file.
    #[error(
        "the disk cannot read {}: {reason}; copy its folder elsewhere while you can, then name the copy with \
             --data-dir",
        shown_path(path)
    )]
    Unreadable { path: PathBuf, reason: String },
    #[error("could not start the journal's thread: {reason}; close other programs, then try again")]
    NoThread { reason: String },
    /// Any other error of the system on a file.
    #[error("could not {action} {}: {reason}; choose another folder with --data-dir", shown_path(path))]
    Io { action: &'static str, path: PathBuf, reason: String },
    /// Any other error of `SQLite`.
    #[error("the journal {} failed: {reason}; if it fails again, use another folder with --data-dir", shown_path(path))]
    Sqlite { path: PathBuf, reason: String },
}

impl JournalError {
    /// Whether the same write may work later, without a restart.
    pub fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::DiskFull { .. }
                | Self::ReadOnly { .. }
                | Self::Permission { .. }
                | Self::Locked { .. }
                | Self::NoLocks { .. }
                | Self::NoLog { .. }
                | Self::Replaced { .. }
                | Self::WriteFailed { .. }
                | Self::Io { .. }
                | Self::Sqlite { .. }
        )
    }

    /// Returns a conversion of the system's error on `path` during `action` (a verb, such as "create").
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other kind keeps the system's own text")]
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |error| match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            io::ErrorKind::PermissionDenied => Self::Permission { path },
            io::ErrorKind::IsADirectory => Self::IsADirectory { path },
            _ => Self::Io { action, path, reason: error.to_string() },
        }
    }
}
