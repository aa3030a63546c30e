//! A fault of the configuration: where it is, and what to write instead.
//!
//! Makes quoted text harmless. Must never contain a token.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::text::{self, clean_fit};

/// Columns shown of a quoted value.
const QUOTED_COLUMNS: usize = 60;
/// Columns shown of a key and of a path.
const KEY_COLUMNS: usize = 240;
/// Columns shown of a message: enough for a list of profile names.
const MESSAGE_COLUMNS: usize = 1000;

/// The names of the fields are those of `plants config --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    #[serde(flatten)]
    pub location: Location,
    /// What is wrong, and what to write instead.
    pub what: String,
}

/// Where a value was given: a flag, a variable, or a key of the config file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Location {
    /// The config file; `None` for a flag or a variable.
    #[serde(serialize_with = "as_text")]
    pub file: Option<PathBuf>,
    /// The line in that file, counted from 1.
    pub line: Option<usize>,
    /// Such as `profile.staging.timeout`, `--timeout` or `PLANTS_BASE_URL`. Empty for the whole file.
    pub key: String,
}

/// Serializes a path; replaces its bytes that are no UTF-8.
#[expect(clippy::ref_option, reason = "serde passes a reference")]
fn as_text<S: Serializer>(file: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    file.as_ref().map(|file| file.display().to_string()).serialize(serializer)
}

impl Location {
    /// Locates the flag or the variable of this name.
    pub(super) fn named(name: &str) -> Self {
        Self { file: None, line: None, key: name.to_owned() }
    }

    /// Locates a key of a file; `line` counts from 1.
    pub fn in_file(file: &Path, line: impl Into<Option<usize>>, key: impl Into<String>) -> Self {
        Self { file: Some(file.to_owned()), line: line.into(), key: key.into() }
    }

    pub fn fault(&self, what: impl fmt::Display) -> Fault {
        Fault { location: self.clone(), what: what.to_string() }
    }
}

/// A value and where it was given.
#[derive(Debug, Clone)]
pub(super) struct Located<T> {
    pub(super) value: T,
    pub(super) location: Location,
}

impl<T> Located<T> {
    /// Locates a value at the flag or the variable of this name.
    pub(super) fn named(name: &str, value: T) -> Self {
        Self { value, location: Location::named(name) }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Location { file, line, key } = &self.location;
        if let Some(file) = file {
            f.write_str(&shown_path(file))?;
            if let Some(line) = line {
                write!(f, ":{line}")?;
            }
            f.write_str(": ")?;
        }
        if !key.is_empty() {
            write!(f, "{}: ", clean_fit(key, KEY_COLUMNS))?;
        }
        f.write_str(&clean_fit(&self.what, MESSAGE_COLUMNS))
    }
}

impl std::error::Error for Fault {}

/// Describes a key that does not exist; `meant` is the one that was probably meant, if any.
pub(super) fn unknown_key(meant: &str) -> String {
    if meant.is_empty() {
        "unknown key: remove it, or see plants config --example".to_owned()
    } else {
        format!("unknown key{meant}")
    }
}

/// Puts a foreign value in quotes, harmless and short.
pub(super) fn quoted(raw: &str) -> String {
    format!("\"{}\"", clean_fit(raw, QUOTED_COLUMNS))
}

pub(super) fn shown_path(path: &Path) -> String {
    clean_fit(&text::shown_path(path), KEY_COLUMNS)
}

pub(super) fn shown_error(error: &std::io::Error) -> String {
    clean_fit(&error.to_string(), KEY_COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_its_file_line_and_key() {
        let what = "\"soon\" is no duration: write 30s or 2m";
        let fault = Location::in_file(Path::new("config.toml"), 12, "profile.staging.timeout").fault(what);
        assert_eq!(
            fault.to_string(),
            "config.toml:12: profile.staging.timeout: \"soon\" is no duration: write 30s or 2m"
        );
        assert_eq!(
            Location::named("--timeout").fault(what).to_string(),
            "--timeout: \"soon\" is no duration: write 30s or 2m"
        );
    }

    #[test]
    fn a_fault_shows_foreign_text_harmlessly() {
        let fault = Location::in_file(Path::new("/a\u{1b}[2J"), 1, "k\u{202e}").fault(quoted(&"x\u{7}".repeat(500)));
        let shown = fault.to_string();
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{7}']) && shown.len() < 500, "{shown}");
    }
}
