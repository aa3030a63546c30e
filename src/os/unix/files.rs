//! Identities and permissions of files.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{
    DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::Path;

use rustix::process::geteuid;

use crate::os::open_file;
use crate::os::types::Exposure;

/// The variables that name the folders of configuration and of data, with their defaults in the home directory. XDG also
/// on macOS, like most terminal programs there.
pub const CONFIG_HOME: (&str, &str) = ("XDG_CONFIG_HOME", ".config");
pub const DATA_HOME: (&str, &str) = ("XDG_DATA_HOME", ".local/share");

/// `SQLite`'s way to files (VFS) that takes no locks on them.
pub const WITHOUT_LOCKS: &str = "unix-none";

/// The device and the inode of a file, which the system gives to no other file while this one is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileId(u64, u64);

impl FileId {
    /// Returns the file at a path; `None` if the path cannot be read. Opens nothing.
    pub fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|found| Self(found.dev(), found.ino()))
    }
}

/// Returns options for opening a file that, if it is new, its owner alone can read.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Returns how to create a temporary file, with the permissions that the umask leaves, or those of the owner alone.
pub fn temporary(prefix: &str, is_private: bool) -> tempfile::Builder<'_, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).permissions(Permissions::from_mode(if is_private { 0o600 } else { 0o666 }));
    builder
}

/// Opens a file on which this process may have locks, and keeps them: closing any descriptor of the file would drop
/// them, so this one is never closed.
///
/// # Errors
///
/// The file cannot be opened.
pub fn open_beside_locks(path: &Path) -> io::Result<&'static File> {
    open_file(OpenOptions::new().read(true), path).map(|file| &*Box::leak(Box::new(file)))
}

/// Creates a folder and its missing parents for the owner alone. An existing folder keeps its permissions.
///
/// # Errors
///
/// A folder cannot be created.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Removes the permissions of group and others from a file.
///
/// # Errors
///
/// The file is another user's, who decides about them, or is not there.
pub fn make_private(path: &Path) -> io::Result<()> {
    let others = fs::metadata(path)?.mode() & 0o077;
    if others == 0 { Ok(()) } else { fs::set_permissions(path, Permissions::from_mode(0o600)) }
}

/// Reads who else can use a file.
pub fn exposure(found: &Metadata) -> Exposure {
    let is_of_another = ![0, geteuid().as_raw()].contains(&found.uid());
    Exposure { is_of_another, others_read: found.mode() & 0o044 != 0, others_change: found.mode() & 0o022 != 0 }
}

/// Whether a path leads to a pipe with a name, which blocks who opens it.
pub fn is_pipe(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.file_type().is_fifo())
}

#[cfg(test)]
pub(crate) mod testing {
    //! What tests do to files.

    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;

    pub(crate) use rustix::io::Errno;
    pub(crate) use std::os::unix::fs::symlink;

    /// Returns the permissions of a file, like `0o600`.
    pub(crate) fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    pub(crate) fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    /// Gives a file to a user who is not there; returns whether this user may do so.
    pub(crate) fn give_away(path: &Path) -> bool {
        geteuid().is_root() && std::os::unix::fs::chown(path, Some(54_987), None).is_ok()
    }

    /// Returns a name or a value that may be no UTF-8.
    pub(crate) fn os_string(bytes: &[u8]) -> OsString {
        OsString::from_vec(bytes.to_vec())
    }
}
