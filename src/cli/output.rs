//! Where a result that is composed at once goes: stdout, or a file that is written whole or not at
//! all.

use std::io::Write as _;
use std::path::PathBuf;

use color_eyre::eyre::{self, WrapErr as _};

use super::error::{Failure, OrExit as _};
use super::exit::Exit;
use super::print;
use crate::domain::text::shown_path;
use crate::runtime::new_file::{Existing, NewFile, error_text};

/// A place for a result that is still to come.
pub(super) enum Output {
    Stdout,
    File(PathBuf, NewFile),
}

impl Output {
    /// Makes sure that the result can be written before there is one; no file means stdout.
    pub(super) fn begin(path: Option<PathBuf>) -> eyre::Result<Self> {
        let Some(path) = path else { return Ok(Self::Stdout) };
        match NewFile::begin(&path, Existing::Replaced) {
            Ok(file) => Ok(Self::File(path, file)),
            Err(error) => {
                let (path, why) = (shown_path(&path), error_text(&error));
                Err(Failure::usage(format!("--output {path}: it cannot be written: {why}. Nothing was sent.")).into())
            }
        }
    }

    pub(super) fn end(self, text: &str) -> eyre::Result<()> {
        let (path, mut file) = match self {
            Self::Stdout => return print::result(text.trim_end_matches('\n')),
            Self::File(path, file) => (path, file),
        };
        let written = file.write_all(text.as_bytes()).and_then(|()| file.end());
        written.wrap_err_with(|| format!("{} was not written", shown_path(&path))).or_exit(Exit::NotSent)
    }
}
