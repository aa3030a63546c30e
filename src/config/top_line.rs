//! Writes a setting at the top of the text of the config file, whose every other byte stays as it is.
//!
//! Must not read or write the file, or know what a setting means.

use thiserror::Error;
use toml::Value;
use toml::de::DeTable;

/// Why the config file was not changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SaveFault {
    #[error("there is such a profile already: choose another name")]
    Exists,
    /// The user did not say that the profile is to be saved although its source gives no token: the reason.
    #[error("{0}")]
    NoToken(String),
    #[error("{0}")]
    Other(String),
}

impl SaveFault {
    pub(super) fn not_toml() -> Self {
        Self::Other("it is not TOML: plants config names the line".to_owned())
    }
}

/// Sets a key to a text: replaces its value, or adds a line behind the other settings at the top.
pub(super) fn with_top_line(text: &str, key: &str, value: &str) -> Result<String, SaveFault> {
    let table = DeTable::parse(text).map_err(|_| SaveFault::not_toml())?;
    let table = table.get_ref();
    let value = Value::from(value).to_string();
    // The value of `key = …` begins behind its key, that of a table at its header.
    let (pairs, tables): (Vec<_>, Vec<_>) =
        table.iter().partition(|(name, value)| value.span().start >= name.span().end);
    let mut changed = text.to_owned();
    let line = format!("{key} = {value}");
    if let Some((_, before)) = pairs.iter().find(|(name, _)| name.get_ref() == key) {
        changed.replace_range(before.span(), &value);
    } else if let Some(end) = pairs.iter().map(|(_, value)| value.span().end).max() {
        insert_line(&mut changed, line_end(text, end), &line);
    } else if let Some(first) = tables.iter().map(|(name, _)| name.span().start).min() {
        let at = comment_above(text, first);
        changed.insert_str(at, line_break(text));
        insert_line(&mut changed, at, &line);
    } else {
        insert_line(&mut changed, text.len(), &line);
    }
    Ok(changed)
}

pub(super) fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Inserts a line at the beginning of another one, or at the end of the text.
fn insert_line(text: &mut String, at: usize, line: &str) {
    let end = line_break(text);
    let is_unended = at == text.len() && !text.is_empty() && !text.ends_with('\n');
    let before = if is_unended { end } else { "" };
    text.insert_str(at, &format!("{before}{line}{end}"));
}

/// Returns where the line behind the one with this byte begins.
fn line_end(text: &str, at: usize) -> usize {
    text.split_at_checked(at).and_then(|(_, rest)| rest.find('\n')).map_or(text.len(), |end| at + end + 1)
}

/// Returns where the line with this byte begins, or the comment right above it.
fn comment_above(text: &str, at: usize) -> usize {
    let (before, _) = text.split_at_checked(at).unwrap_or((text, ""));
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let (above, _) = before.split_at_checked(line).unwrap_or((before, ""));
    let comments = above.split_inclusive('\n').rev().take_while(|line| line.trim_start().starts_with('#'));
    // A byte order mark stays at the beginning of the file.
    let begin = text.len() - text.trim_start_matches('\u{feff}').len();
    (line - comments.map(str::len).sum::<usize>()).max(begin)
}
