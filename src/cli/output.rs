//! Where a result goes: stdout, or a file that is written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::say;

/// A place for a result that is still to come.
pub(super) enum Output {
    /// Standard output.
    Stdout,
    /// A file that is no regular one, such as `/dev/null`: nothing can be put in its place.
    Special(PathBuf),
    /// A new file beside the one that it is to become.
    File(Begun),
}

/// A file that is begun. It is removed again, unless it comes to its end.
pub(super) struct Begun {
    file: File,
    beside: PathBuf,
    path: PathBuf,
}

impl Drop for Begun {
    fn drop(&mut self) {
        // Once it has its name there is none.
        let _ = fs::remove_file(&self.beside);
    }
}

impl Output {
    /// Makes sure that it can be written before there is anything to write; no file means stdout.
    ///
    /// # Errors
    ///
    /// In words: the file cannot be written, and why.
    pub(super) fn begin(path: Option<PathBuf>) -> Result<Self, String> {
        let Some(path) = path else { return Ok(Self::Stdout) };
        let cannot = |why: io::Error| format!("--output {}: it cannot be written: {}", path.display(), in_words(&why));
        match fs::metadata(&path) {
            Ok(there) if there.is_dir() => Err(format!("--output {}: that is a folder", path.display())),
            Ok(there) if !there.is_file() => Ok(Self::Special(path)),
            Ok(_) => begin_beside(&path.canonicalize().map_err(cannot)?).map_err(cannot),
            Err(_) => begin_beside(&path).map_err(cannot),
        }
    }

    /// Writes the result. `false` if it is lost; that was told.
    pub(super) fn end(self, text: &str) -> bool {
        let (path, written) = match self {
            Self::Stdout => return say::result(text.trim_end_matches('\n')),
            Self::Special(path) => {
                let written = File::create(&path).and_then(|mut file| file.write_all(text.as_bytes()));
                (path, written)
            }
            Self::File(mut begun) => (begun.path.clone(), begun.end(text)),
        };
        if let Err(why) = &written {
            say::error(&format!("{} was not written: {why}", path.display()));
        }
        written.is_ok()
    }
}

fn begin_beside(path: &Path) -> io::Result<Output> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{:08x}", fastrand::u32(..)));
    let file = File::create_new(&beside)?;
    Ok(Output::File(Begun { file, beside, path: path.to_owned() }))
}

impl Begun {
    fn end(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())?;
        self.file.sync_all()?;
        if let Ok(before) = fs::metadata(&self.path) {
            fs::set_permissions(&self.beside, before.permissions())?;
        }
        fs::rename(&self.beside, &self.path)
    }
}

fn in_words(why: &io::Error) -> String {
    if why.kind() == io::ErrorKind::NotFound { "there is no such folder".to_owned() } else { why.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let found = fs::read_dir(folder).unwrap();
        found.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_replaced_whole_or_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.md");
        assert!(Output::begin(Some(path.clone())).unwrap().end("one\n"));
        let begun = Output::begin(Some(path.clone())).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");
        drop(begun);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("one\n", 1));
        assert!(Output::begin(Some(path.clone())).unwrap().end("two\n"));
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("two\n", 1));
    }

    #[test]
    fn what_cannot_be_written_is_known_before_there_is_anything_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let why = |path: PathBuf| Output::begin(Some(path)).err().unwrap();
        assert!(why(folder.path().to_owned()).ends_with("that is a folder"));
        assert!(why(folder.path().join("none/report.md")).ends_with("there is no such folder"));
        assert!(matches!(Output::begin(Some("/dev/null".into())), Ok(Output::Special(_))));
    }
}
