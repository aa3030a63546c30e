//! Writes a file whole or not at all: first under a temporary name, then renamed once all of it is on disk.
//!
//! Nothing is written onto a file of the journal. Must not know the contents.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};
use thiserror::Error;

use crate::journal::{CopyError, JournalError, is_own, parent_of};
use crate::os::files::temporary;
use crate::os::locks;

/// What happens to an existing file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    Kept,
    Replaced,
}

/// Who can read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// A new one those that the umask lets; one that is replaced those of before.
    Usual,
    /// A new one its owner; one that is replaced those of before.
    OwnerOfNew,
    Owner,
}

/// A file that is being written. Dropping it without [`NewFile::end`] removes it.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    /// Not together with its temporary name, which would stand in every error. `None` for one that is not opened yet.
    file: Option<BufWriter<File>>,
    /// `None` for a device or a pipe, such as `/dev/null`: it cannot be replaced, and opening it may block.
    regular: Option<Regular>,
}

#[derive(Debug)]
struct Regular {
    temporary: TempPath,
    existing: Existing,
    readers: Readers,
}

impl NewFile {
    /// Creates the temporary file, so that most errors occur before there is anything to write. A device or a pipe is
    /// opened when something is written. `data_dir` is the folder of the journal.
    ///
    /// # Errors
    ///
    /// The path leads to a file of the journal, the file exists and is kept (`AlreadyExists`), the path is a folder, or
    /// its folder cannot be written. [`error_text`] describes the error to the user.
    pub fn begin(path: &Path, existing: Existing, data_dir: &Path) -> io::Result<Self> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Ok(Self { path: path.to_owned(), file: None, regular: None });
        }
        Self::begin_regular(path, existing, Readers::Usual, data_dir)
    }

    /// The same for a file that cannot be a device or a pipe, which may be this terminal or never have a reader.
    ///
    /// # Errors
    ///
    /// Those of [`Self::begin`], or the path leads to a device or a pipe.
    pub fn begin_regular(path: &Path, existing: Existing, readers: Readers, data_dir: &Path) -> io::Result<Self> {
        if is_own(data_dir, path) {
            return Err(io::Error::other(OF_JOURNAL));
        }
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => Err(io::Error::other("that is no regular file: name one")),
            Ok(_) if existing == Existing::Replaced => Self::temporary(&path.canonicalize()?, existing, readers),
            Ok(_) => Err(ErrorKind::AlreadyExists.into()),
            Err(_) if path.is_symlink() => Err(io::Error::other("that is a link to no file: name the file")),
            Err(_) => Self::temporary(path, existing, readers),
        }
    }

    fn temporary(path: &Path, existing: Existing, readers: Readers) -> io::Result<Self> {
        let is_private = readers != Readers::Usual;
        let name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy();
        let (folder, prefix) = (parent_of(path), prefix_for(&name));
        remove_leftovers(folder, &prefix);
        let file = create_held(folder, &prefix, is_private)
            // Leaves out the temporary name.
            .map_err(|why| io::Error::from(why.kind()))?;
        let (file, temporary) = file.into_parts();
        let regular = Some(Regular { temporary, existing, readers });
        Ok(Self { path: path.to_owned(), file: Some(BufWriter::new(file)), regular })
    }

    /// Whether this is a regular file; writing to another kind may block forever.
    pub fn is_regular(&self) -> bool {
        self.regular.is_some()
    }

    /// The file under its temporary name, for a library that opens a path; `None` if it is not regular.
    pub fn temporary_path(&self) -> Option<&Path> {
        self.regular.as_ref().map(|regular| &*regular.temporary)
    }

    /// Renames the file to its path once it is on disk.
    ///
    /// # Errors
    ///
    /// The file was not written whole, or another file was created at the path in the meantime and is kept
    /// (`AlreadyExists`).
    pub fn end(self) -> io::Result<()> {
        self.end_if(|| true).map(drop)
    }

    /// The same if this still holds once the file is on disk; returns whether it did.
    ///
    /// # Errors
    ///
    /// Those of [`Self::end`].
    pub fn end_if(self, holds: impl FnOnce() -> bool) -> io::Result<bool> {
        let Self { path, file: Some(file), regular } = self else { return Ok(true) };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let Some(Regular { temporary, existing, readers }) = regular else { return Ok(true) };
        file.sync_all()?;
        if !holds() {
            return Ok(false);
        }
        let persisted = match existing {
            Existing::Kept => temporary.persist_noclobber(&path),
            Existing::Replaced => {
                if let Some(existing) = fs::metadata(&path).ok().filter(|_| readers != Readers::Owner) {
                    file.set_permissions(existing.permissions())?;
                }
                temporary.persist(&path)
            }
        };
        persisted.map_err(|why| why.error)?;
        // The new name survives a power cut, where the folder can be opened.
        let _ = File::open(parent_of(&path)).and_then(|folder| folder.sync_all());
        Ok(true)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            file => file.insert(BufWriter::new(File::create(&self.path)?)).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// Returns how the name of a temporary file begins; random letters follow. No other program writes such files.
fn prefix_for(name: &str) -> String {
    /// The most characters that are repeated: a file name has at most 255 bytes.
    const MOST: usize = 60;
    format!(".{}.plants-", name.chars().take(MOST).collect::<String>())
}

/// Creates a temporary file that is held as long as it is written, so that no other program takes it for a leftover.
fn create_held(folder: &Path, prefix: &str, is_private: bool) -> io::Result<NamedTempFile> {
    loop {
        let file = temporary(prefix, is_private).tempfile_in(folder)?;
        // Another program may have found it before it was held.
        if locks::hold(file.as_file()) && file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes the temporary files that were left because their program was killed. What cannot be removed stays for the
/// next time.
fn remove_leftovers(folder: &Path, prefix: &str) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix)) {
        let is_regular = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_regular && locks::is_left(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Why a file with contents of the journal was not written, or not whole.
#[derive(Debug, Error)]
pub enum WriteError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{}", error_text(.0))]
    File(#[from] io::Error),
}

/// Why nothing is written at a path that leads to a file of the journal.
pub const OF_JOURNAL: &str = "that is a file of the journal, which only plants itself writes: name another file";

/// Describes to the user why a file was not written.
pub fn error_text(why: &io::Error) -> String {
    let text = [
        (ErrorKind::AlreadyExists, "there is such a file already, and none is overwritten: choose another name"),
        (ErrorKind::IsADirectory, "that is a folder: name a file in it"),
        (ErrorKind::NotFound, "there is no such folder"),
        (ErrorKind::NotADirectory, "there is no such folder"),
    ];
    if matches!(why.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
        return CopyError::NoRoom.to_string();
    }
    let known = text.into_iter().find(|(kind, _)| *kind == why.kind());
    known.map_or_else(|| why.to_string(), |(_, text)| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_JOURNAL: &str = "/nowhere";

    fn names(folder: &Path) -> Vec<String> {
        let found = fs::read_dir(folder).unwrap();
        found.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn write(path: &Path, existing: Existing, text: &str) -> io::Result<()> {
        let mut file = NewFile::begin(path, existing, NO_JOURNAL.as_ref())?;
        file.write_all(text.as_bytes())?;
        file.end()
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.md");
        write(&path, Existing::Replaced, "one").unwrap();
        let mut begun = NewFile::begin(&path, Existing::Replaced, NO_JOURNAL.as_ref()).unwrap();
        begun.write_all(&vec![b'x'; 100_000]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        drop(begun);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("one", 1));
        write(&path, Existing::Replaced, "two").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("two", 1));
    }

    #[test]
    fn a_file_created_in_the_meantime_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plants.csv");
        let mut begun = NewFile::begin(&path, Existing::Kept, NO_JOURNAL.as_ref()).unwrap();
        begun.write_all(b"late").unwrap();
        fs::write(&path, "early").unwrap();
        assert_eq!(begun.end().unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(write(&path, Existing::Kept, "late").unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("early", 1));
    }

    #[test]
    fn begin_fails_where_no_file_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let why = |path: &Path| error_text(&NewFile::begin(path, Existing::Kept, NO_JOURNAL.as_ref()).unwrap_err());
        assert_eq!(why(folder.path()), "that is a folder: name a file in it");
        assert_eq!(why(&folder.path().join("none/report.md")), "there is no such folder");
        assert!(!why(&folder.path().join("none").join("x".repeat(250))).contains("xxx"), "the temporary name is shown");
    }

    #[test]
    fn a_full_disk_is_described_as_for_a_copy_of_the_journal() {
        let full = io::Error::from(ErrorKind::StorageFull);
        assert_eq!(error_text(&full), "there is no room for it: free some space, then try again");
    }

    #[test]
    fn a_leftover_is_removed_and_a_file_that_is_being_written_is_not() {
        let folder = tempfile::tempdir().unwrap();
        for long in [false, true] {
            let name = if long { "ä".repeat(120) } else { "copy.db".to_owned() };
            let path = folder.path().join(&name);
            let prefix = prefix_for(&name);
            let left = folder.path().join(format!("{prefix}a1B2c3"));
            let others = [".copy.db.a1B2c3", ".copy.db", "copy.db.plants-a1B2c3", ".other.db.plants-a1B2c3"];
            for other in others.map(|name| folder.path().join(name)).iter().chain([&left]) {
                fs::write(other, "x").unwrap();
            }
            let being_written = NewFile::begin(&path, Existing::Kept, NO_JOURNAL.as_ref()).unwrap();
            assert!(!left.exists());
            write(&path, Existing::Kept, "whole").unwrap();
            assert!(being_written.temporary_path().unwrap().exists());
            drop(being_written);
            assert_eq!(names(folder.path()).len(), others.len() + 1, "{:?}", names(folder.path()));
            fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn a_file_of_the_journal_is_never_written() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("journal.db"), "entries").unwrap();
        for name in ["journal.db", "journal.db-wal"] {
            for existing in [Existing::Kept, Existing::Replaced] {
                let why = NewFile::begin(&folder.path().join(name), existing, folder.path()).unwrap_err();
                assert_eq!(error_text(&why), OF_JOURNAL, "{name}, {existing:?}");
            }
        }
        assert_eq!(names(folder.path()), ["journal.db"]);
        assert!(NewFile::begin(&folder.path().join("plants.csv"), Existing::Kept, folder.path()).is_ok());
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;
        use crate::os::files::testing::{mode, set_mode, symlink};

        #[test]
        fn writing_through_a_link_keeps_the_link_and_the_mode() {
            let folder = tempfile::tempdir().unwrap();
            let (path, link) = (folder.path().join("plants.csv"), folder.path().join("link"));
            fs::write(&path, "one").unwrap();
            set_mode(&path, 0o640);
            symlink(&path, &link).unwrap();
            write(&link, Existing::Replaced, "two").unwrap();
            assert!(link.is_symlink());
            assert_eq!(fs::read_to_string(&path).unwrap(), "two");
            assert_eq!(mode(&path), 0o640);
            let other = folder.path().join("other");
            fs::write(folder.path().join("usual"), "").unwrap();
            write(&other, Existing::Kept, "").unwrap();
            assert_eq!(mode(&folder.path().join("other")), mode(&folder.path().join("usual")));
        }

        #[test]
        fn a_link_to_nothing_is_not_replaced() {
            let folder = tempfile::tempdir().unwrap();
            let dangling = folder.path().join("dangling");
            symlink("nowhere", &dangling).unwrap();
            for existing in [Existing::Kept, Existing::Replaced] {
                let why = write(&dangling, existing, "late").unwrap_err().to_string();
                assert!(why.contains("link to no file"), "{why}");
                assert!(dangling.is_symlink());
            }
        }

        #[test]
        fn a_device_is_written_and_no_regular_file() {
            assert!(!NewFile::begin(Path::new("/dev/null"), Existing::Kept, NO_JOURNAL.as_ref()).unwrap().is_regular());
            assert!(write(Path::new("/dev/full"), Existing::Kept, "x").is_err());
        }
    }
}
