//! Words for people on stderr, results on stdout. Neither panics when nobody reads any more.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use serde::Serialize;

use crate::domain::text::clean;

/// Words for people; whatever foreign text is quoted in them is harmless.
pub(super) fn words(text: &str) {
    let lines: Vec<_> = text.lines().map(clean).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}

/// One line that says what is wrong.
pub(super) fn error(text: &str) {
    let lines: Vec<_> = text.lines().map(clean).collect();
    let _ = writeln!(io::stderr(), "plants: {}", lines.join("\n  "));
}

/// One line of the result, or all of it. `false` if it cannot be written; that whoever read has
/// enough of it is no fault.
pub(super) fn result(text: &str) -> bool {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Ok(()) => true,
        Err(why) if why.kind() == io::ErrorKind::BrokenPipe => true,
        Err(why) => {
            error(&unwritten(&why));
            false
        }
    }
}

/// The words for a result that is lost: the disk that stdout leads to may be full.
pub(super) fn unwritten(why: &io::Error) -> String {
    format!("the result cannot be written to stdout: {why}")
}

/// One machine-readable value; `false` as for [`result`].
pub(super) fn json(value: &impl Serialize) -> bool {
    match json_text(value) {
        Ok(text) => result(&text),
        Err(why) => {
            error(&format!("the result cannot be written as JSON: {why}"));
            false
        }
    }
}

/// A value as JSON that is the same to every parser, and that no terminal obeys: what steers or
/// reorders text is escaped, which JSON allows inside strings and which occurs nowhere else.
pub(super) fn json_text(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    if !text.contains(steers) {
        return Ok(text);
    }
    let mut escaped = String::with_capacity(text.len() + 64);
    for c in text.chars() {
        if steers(c) {
            // All of them lie below U+10000: one escape each.
            let _ = write!(escaped, "\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    Ok(escaped)
}

/// Controls, and marks of direction.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_escaped_and_stays_the_same_value() {
        let value = "\u{1b}\u{7f}\u{9b}2J \u{202e}x\u{2069} 👨‍👩‍👧 é\n\"";
        let text = json_text(&value).unwrap();
        assert_eq!(text, "\"\\u001b\\u007f\\u009b2J \\u202ex\\u2069 👨‍👩‍👧 é\\n\\\"\"");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), value);
    }
}
