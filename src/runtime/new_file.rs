//! Writes a file whole or not at all: beside its place first, into it once all of it is on disk. Must not
//! know what is written.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Whether a file that is there already makes room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    Kept,
    Replaced,
}

/// A file that was begun. Leaves no trace unless it is ended by [`NewFile::end`].
#[derive(Debug)]
pub struct NewFile {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Such as `/dev/null`: nothing can be put in its place, and opening it may block.
    Special {
        path: PathBuf,
        file: Option<BufWriter<File>>,
    },
    Regular {
        file: BufWriter<NamedTempFile>,
        path: PathBuf,
        existing: Existing,
    },
}

impl NewFile {
    /// Makes sure that the file can be written before there is anything to write.
    ///
    /// # Errors
    ///
    /// There is a file, and it is to be kept (`AlreadyExists`); there is a folder; or its folder takes no
    /// file. [`in_words`] describes them to people.
    pub fn begin(path: &Path, existing: Existing) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => Ok(Self { kind: Kind::Special { path: path.to_owned(), file: None } }),
            Ok(_) if existing == Existing::Replaced => Self::beside(&path.canonicalize()?, existing),
            Ok(_) => Err(ErrorKind::AlreadyExists.into()),
            Err(_) if existing == Existing::Kept && path.is_symlink() => Err(ErrorKind::AlreadyExists.into()),
            Err(_) => Self::beside(path, existing),
        }
    }

    fn beside(path: &Path, existing: Existing) -> io::Result<Self> {
        let name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = tempfile::Builder::new()
            .prefix(&format!(".{name}."))
            // As for any new file: less what the umask takes away.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)
            // Without the name that it has for now.
            .map_err(|why| io::Error::from(why.kind()))?;
        Ok(Self { kind: Kind::Regular { file: BufWriter::new(file), path: path.to_owned(), existing } })
    }

    /// Writing to another kind may take for ever.
    pub fn is_regular(&self) -> bool {
        match self.kind {
            Kind::Special { .. } => false,
            Kind::Regular { .. } => true,
        }
    }

    /// Puts the file in its place, once it is on disk.
    ///
    /// # Errors
    ///
    /// It could not be written whole, or a file has come to be there meanwhile that is to be kept
    /// (`AlreadyExists`).
    pub fn end(self) -> io::Result<()> {
        match self.kind {
            Kind::Special { file, .. } => file.map_or(Ok(()), |mut file| file.flush()),
            Kind::Regular { file, path, existing } => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                let persisted = match existing {
                    Existing::Kept => file.persist_noclobber(path),
                    Existing::Replaced => {
                        if let Ok(before) = fs::metadata(&path) {
                            file.as_file().set_permissions(before.permissions())?;
                        }
                        file.persist(path)
                    }
                };
                persisted.map(drop).map_err(|why| why.error)
            }
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.kind {
            Kind::Special { file: Some(file), .. } => file.write(bytes),
            Kind::Special { path, file } => file.insert(BufWriter::new(File::create(path)?)).write(bytes),
            Kind::Regular { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            Kind::Special { file, .. } => file.as_mut().map_or(Ok(()), Write::flush),
            Kind::Regular { file, .. } => file.flush(),
        }
    }
}

/// Describes to people why a file was not written.
pub fn in_words(why: &io::Error) -> String {
    if why.kind() == ErrorKind::AlreadyExists {
        "there is such a file already, and none is overwritten: choose another name".to_owned()
    } else if why.kind() == ErrorKind::IsADirectory {
        "that is a folder".to_owned()
    } else if why.kind() == ErrorKind::NotFound {
        "there is no such folder".to_owned()
    } else {
        why.to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let found = fs::read_dir(folder).unwrap();
        found.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn write(path: &Path, existing: Existing, text: &str) -> io::Result<()> {
        let mut file = NewFile::begin(path, existing)?;
        file.write_all(text.as_bytes())?;
        file.end()
    }

    #[test]
    fn a_file_is_replaced_whole_or_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.md");
        write(&path, Existing::Replaced, "one").unwrap();
        let mut begun = NewFile::begin(&path, Existing::Replaced).unwrap();
        begun.write_all(&vec![b'x'; 100_000]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        drop(begun);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("one", 1));
        write(&path, Existing::Replaced, "two").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("two", 1));
    }

    #[test]
    fn a_file_that_is_kept_is_kept_even_if_it_came_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plants.csv");
        let mut begun = NewFile::begin(&path, Existing::Kept).unwrap();
        begun.write_all(b"late").unwrap();
        fs::write(&path, "early").unwrap();
        assert_eq!(begun.end().unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(write(&path, Existing::Kept, "late").unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("early", 1));

        let dangling = folder.path().join("dangling");
        symlink("nowhere", &dangling).unwrap();
        assert_eq!(write(&dangling, Existing::Kept, "late").unwrap_err().kind(), ErrorKind::AlreadyExists);
    }

    #[test]
    fn a_link_stays_and_its_file_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("plants.csv"), folder.path().join("link"));
        fs::write(&path, "one").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write(&link, Existing::Replaced, "two").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        let other = folder.path().join("other");
        fs::write(folder.path().join("usual"), "").unwrap();
        write(&other, Existing::Kept, "").unwrap();
        let mode = |name| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode("other"), mode("usual"));
    }

    #[test]
    fn what_cannot_be_written_is_known_before_there_is_anything_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let why = |path: &Path| in_words(&NewFile::begin(path, Existing::Kept).unwrap_err());
        assert_eq!(why(folder.path()), "that is a folder");
        assert_eq!(why(&folder.path().join("none/report.md")), "there is no such folder");
        assert!(!why(&folder.path().join("x".repeat(250))).contains("xxx"), "its name for now is nobody's business");
        assert!(!NewFile::begin(Path::new("/dev/null"), Existing::Kept).unwrap().is_regular());
        assert!(write(Path::new("/dev/full"), Existing::Kept, "x").is_err());
    }
}
