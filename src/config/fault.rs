//! One fault of the configuration: where it stands and what to write instead.
//!
//! Whatever it quotes has been neutralised, and it never quotes a token.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::domain::text::{self, clean_fit};

/// Columns kept of a quoted value, of a key and of a path.
const QUOTED: usize = 60;
const PLACE: usize = 240;
/// Columns kept of the words: a list of profile names has room.
const WORDS: usize = 1000;

/// Something in the configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file it stands in; `None` for a flag or a variable.
    pub file: Option<PathBuf>,
    /// The line in that file, counted from 1.
    pub line: Option<usize>,
    /// What it is about: `profile.staging.timeout`, `--timeout`, `PLANTS_BASE_URL`. Empty where
    /// it is about the file as a whole.
    pub key: String,
    /// What is wrong and what would be right.
    pub what: String,
}

impl Fault {
    /// A fault of a flag or an environment variable.
    pub fn of(key: impl Into<String>, what: impl Into<String>) -> Self {
        Self { file: None, line: None, key: key.into(), what: what.into() }
    }

    /// A fault at a line (from 1) of a file.
    pub fn in_file(file: &Path, line: usize, key: impl Into<String>, what: impl Into<String>) -> Self {
        Self { file: Some(file.to_owned()), line: Some(line), key: key.into(), what: what.into() }
    }

    /// A fault of a file as a whole.
    pub fn of_file(file: &Path, key: impl Into<String>, what: impl Into<String>) -> Self {
        Self { file: Some(file.to_owned()), line: None, key: key.into(), what: what.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            f.write_str(&shown_path(file))?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            f.write_str(": ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", clean_fit(&self.key, PLACE))?;
        }
        f.write_str(&clean_fit(&self.what, WORDS))
    }
}

impl std::error::Error for Fault {}

/// A foreign value in quotes, neutralised and short.
pub(super) fn quoted(raw: &str) -> String {
    format!("\"{}\"", clean_fit(raw, QUOTED))
}

/// A path fit to be shown.
pub(super) fn shown_path(path: &Path) -> String {
    clean_fit(&text::shown_path(path), PLACE)
}

/// What the system said about a file, in words a person can act on.
pub(super) fn shown_error(error: &std::io::Error) -> String {
    clean_fit(&error.to_string(), PLACE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_names_file_line_and_key() {
        let what = "\"soon\" is no duration: write 30s or 2m";
        let fault = Fault::in_file(Path::new("config.toml"), 12, "profile.staging.timeout", what);
        assert_eq!(
            fault.to_string(),
            "config.toml:12: profile.staging.timeout: \"soon\" is no duration: write 30s or 2m"
        );
        assert_eq!(Fault::of("--timeout", what).to_string(), "--timeout: \"soon\" is no duration: write 30s or 2m");
    }

    #[test]
    fn foreign_text_cannot_reach_the_terminal() {
        let fault = Fault::in_file(Path::new("/a\u{1b}[2J"), 1, "k\u{202e}", quoted(&"x\u{7}".repeat(500)));
        let shown = fault.to_string();
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{7}']) && shown.len() < 500, "{shown}");
    }
}
