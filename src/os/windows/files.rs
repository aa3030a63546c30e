//! Identities of files. A new file is for those for whom its folder is: in a user's profile, for the user.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::Path;

use winapi_util::file::information;

use crate::os::types::Exposure;

/// The variables that name the folders of configuration and of data, with their defaults in the home directory.
pub const CONFIG_HOME: (&str, &str) = ("APPDATA", "AppData/Roaming");
pub const DATA_HOME: (&str, &str) = ("LOCALAPPDATA", "AppData/Local");

/// `SQLite`'s way to files (VFS) that takes no locks on them.
pub const WITHOUT_LOCKS: &str = "win32-none";

/// Lets a folder be opened, too (`FILE_FLAG_BACKUP_SEMANTICS`).
const FOLDERS: u32 = 0x0200_0000;

/// The volume and the index of a file, which the system gives to no other file while this one is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileId(u64, u64);

impl FileId {
    /// Returns the file at a path; `None` if the path cannot be read. Needs no access to its content, and keeps no other
    /// program from it.
    pub fn at(path: &Path) -> Option<Self> {
        let opened = OpenOptions::new().access_mode(0).custom_flags(FOLDERS).open(path).ok()?;
        let found = information(&opened).ok()?;
        Some(Self(found.volume_serial_number(), found.file_index()))
    }
}

/// Returns options for opening a file.
pub fn private() -> OpenOptions {
    OpenOptions::new()
}

/// Returns how to create a temporary file.
pub fn temporary(prefix: &str, _is_private: bool) -> tempfile::Builder<'_, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    builder
}

/// Opens a file on which this process may have locks: they belong to the handle that took them.
///
/// # Errors
///
/// The file cannot be opened.
pub fn open_beside_locks(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Creates a folder and its missing parents.
///
/// # Errors
///
/// A folder cannot be created.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Leaves the access to a file as its folder gives it.
///
/// # Errors
///
/// The file is not there.
pub fn make_private(path: &Path) -> io::Result<()> {
    fs::metadata(path).map(drop)
}

/// Reports nothing: the list of those with access is not read.
pub fn exposure(_found: &Metadata) -> Exposure {
    Exposure { is_of_another: false, others_read: false, others_change: false }
}

/// Whether a path leads to a pipe with a name: those of Windows are in no folder.
pub fn is_pipe(_path: &Path) -> bool {
    false
}

#[cfg(test)]
pub(crate) mod testing {
    //! What tests do to files.

    use std::ffi::OsString;
    use std::os::windows::ffi::OsStringExt as _;

    /// Returns a name or a value that may be no text: each part that is not UTF-8 becomes half a character.
    pub(crate) fn os_string(bytes: &[u8]) -> OsString {
        let half = |part: &std::str::Utf8Chunk<'_>| (!part.invalid().is_empty()).then_some(0xD800);
        let units =
            bytes.utf8_chunks().flat_map(|part| part.valid().encode_utf16().chain(half(&part)).collect::<Vec<_>>());
        OsString::from_wide(&units.collect::<Vec<_>>())
    }
}
