//! One fault of the configuration: where it stands and what to write instead.
//!
//! Whatever it quotes has been neutralised, and it never quotes a token.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::domain::text::{self, clean_fit};

/// Columns kept of a quoted value, of a key and of a path.
const QUOTED: usize = 60;
const PLACE: usize = 240;
/// A longer name is like none of ours, and not worth comparing.
const LONGEST_NAME: usize = 40;
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

/// Where a value was given: by a flag, by a variable, or in the config file.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) file: Option<PathBuf>,
    pub(super) line: Option<usize>,
    pub(super) key: String,
}

impl Place {
    /// The flag or the variable of this name.
    pub(super) fn named(name: &str) -> Self {
        Self { file: None, line: None, key: name.to_owned() }
    }

    /// A key of a file; `line` counts from 1.
    pub(super) fn in_file(file: &Path, line: impl Into<Option<usize>>, key: impl Into<String>) -> Self {
        Self { file: Some(file.to_owned()), line: line.into(), key: key.into() }
    }

    pub(super) fn fault(&self, what: impl fmt::Display) -> Fault {
        Fault { file: self.file.clone(), line: self.line, key: self.key.clone(), what: what.to_string() }
    }
}

/// A value and where it was given.
#[derive(Debug, Clone)]
pub(super) struct Given<T> {
    pub(super) value: T,
    pub(super) place: Place,
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

/// `; did you mean …?` when a known name is only a slip of the finger away; empty otherwise.
pub(super) fn did_you_mean(typed: &str, known: &[&str]) -> String {
    if typed.len() > LONGEST_NAME {
        return String::new();
    }
    known
        .iter()
        .map(|name| (strsim::osa_distance(typed, name), name))
        .filter(|(distance, name)| *distance <= 1 + name.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| format!("; did you mean {name}?"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_names_file_line_and_key() {
        let what = "\"soon\" is no duration: write 30s or 2m";
        let fault = Place::in_file(Path::new("config.toml"), 12, "profile.staging.timeout").fault(what);
        assert_eq!(
            fault.to_string(),
            "config.toml:12: profile.staging.timeout: \"soon\" is no duration: write 30s or 2m"
        );
        assert_eq!(
            Place::named("--timeout").fault(what).to_string(),
            "--timeout: \"soon\" is no duration: write 30s or 2m"
        );
    }

    #[test]
    fn foreign_text_cannot_reach_the_terminal() {
        let fault = Place::in_file(Path::new("/a\u{1b}[2J"), 1, "k\u{202e}").fault(quoted(&"x\u{7}".repeat(500)));
        let shown = fault.to_string();
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{7}']) && shown.len() < 500, "{shown}");
    }

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        let known = ["base_url", "timeout", "token_file", "color"];
        assert_eq!(did_you_mean("baes_url", &known), "; did you mean base_url?");
        assert_eq!(did_you_mean("colour", &known), "; did you mean color?");
        assert_eq!(did_you_mean("time-out", &known), "; did you mean timeout?");
        assert_eq!(did_you_mean("flowers", &known), "");
        assert_eq!(did_you_mean(&"t".repeat(1_000_000), &known), "");
    }
}
