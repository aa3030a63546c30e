//! Holds temporary files, and finds that another program has a file open. The system does not name that program.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind};
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::os::types::Lock;

/// Another program has the file open (`ERROR_SHARING_VIOLATION`).
const IS_OPEN: i32 = 32;

/// Describes the other process whose lock prevents this one: not known.
pub fn holder(_path: &Path, _bytes: (u64, u64), _lock: Lock) -> Option<String> {
    None
}

/// Describes the other program that has a file open; `None` if none has. This program must not have it open.
pub fn opener(path: &Path, _bytes: (u64, u64)) -> Option<String> {
    let opened = open_alone(path);
    opened.is_err_and(|why| why.raw_os_error() == Some(IS_OPEN)).then(|| "another program".to_owned())
}

/// Whether the file system locks no files: unknown.
pub fn are_missing(_path: &Path) -> bool {
    false
}

/// Whether a file was not locked because its file system locks none.
pub fn is_of_missing(why: &Error) -> bool {
    why.kind() == ErrorKind::Unsupported
}

/// Holds a temporary file as long as it is open, as it is by being open. A lock would keep the program itself from
/// writing.
pub fn hold(_file: &File) -> bool {
    true
}

/// Whether no program holds a temporary file.
pub fn is_left(path: &Path) -> bool {
    open_alone(path).is_ok()
}

/// Opens a file unless it is open.
fn open_alone(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).share_mode(0).open(path)
}
