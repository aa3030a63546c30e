//! Foreign text in Markdown: shown as it is, obeyed by no reader of Markdown and by no terminal. Some
//! readers make a link of what looks like an address; it leads where it says.

use std::fmt;

use super::text::clean;

/// A line of a table with two columns.
pub(super) fn row(out: &mut impl fmt::Write, what: &str, value: &str) -> fmt::Result {
    writeln!(out, "| {what} | {} |", inline(value))
}

/// Any text as text on one line: no reader takes it for Markdown, HTML or the end of a cell.
pub(crate) fn inline(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '$' | '!' | '^' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}
