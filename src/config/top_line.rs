//! Writes a setting at the top of the text of the config file, whose every other byte stays as it is.
//!
//! Must not read or write the file, or know what a setting means.

use toml::de::DeTable;

/// Sets a key to a value in TOML: replaces its value, or adds a line behind the other settings at the top. Returns `None`
/// if the text is no TOML.
pub(super) fn with_top_line(text: &str, key: &str, value: &str) -> Option<String> {
    let table = DeTable::parse(text).ok()?;
    let table = table.get_ref();
    // The value of `key = …` begins behind its key, that of a table at its header.
    let (pairs, tables): (Vec<_>, Vec<_>) =
        table.iter().partition(|(name, value)| value.span().start >= name.span().end);
    let mut changed = text.to_owned();
    let line = format!("{key} = {value}");
    if let Some((_, before)) = pairs.iter().find(|(name, _)| name.get_ref() == key) {
        changed.replace_range(before.span(), value);
    } else if let Some(end) = pairs.iter().map(|(_, value)| value.span().end).max() {
        insert_line(&mut changed, line_end(text, end), &line);
    } else if let Some(first) = tables.iter().map(|(name, _)| name.span().start).min() {
        let at = comment_above(text, first);
        changed.insert_str(at, line_break(text));
        insert_line(&mut changed, at, &line);
    } else {
        insert_line(&mut changed, text.len(), &line);
    }
    Some(changed)
}

fn line_break(text: &str) -> &'static str {
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
