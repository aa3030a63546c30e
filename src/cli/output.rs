//! Where a result that is composed at once goes: stdout, or a file that is written whole or not at
//! all.

use std::io::Write as _;
use std::path::PathBuf;

use super::say;
use crate::domain::text::shown_path;
use crate::runtime::new_file::{Existing, NewFile, in_words};

/// A place for a result that is still to come.
pub(super) enum Output {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf, NewFile),
}

impl Output {
    /// Makes sure that it can be written before there is anything to write; no file means stdout.
    ///
    /// # Errors
    ///
    /// In words: the file cannot be written, and why.
    pub(super) fn begin(path: Option<PathBuf>) -> Result<Self, String> {
        let Some(path) = path else { return Ok(Self::Stdout) };
        match NewFile::begin(&path, Existing::Replaced) {
            Ok(file) => Ok(Self::File(path, file)),
            Err(why) => Err(format!("--output {}: it cannot be written: {}", shown_path(&path), in_words(&why))),
        }
    }

    /// Writes the result. `false` if it is lost; that was told.
    pub(super) fn end(self, text: &str) -> bool {
        let (path, mut file) = match self {
            Self::Stdout => return say::result(text.trim_end_matches('\n')),
            Self::File(path, file) => (path, file),
        };
        let written = file.write_all(text.as_bytes()).and_then(|()| file.end());
        if let Err(why) = &written {
            say::error(&format!("{} was not written: {why}", shown_path(&path)));
        }
        written.is_ok()
    }
}
