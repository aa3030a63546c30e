//! Words for people on stderr, results on stdout. Neither panics when nobody reads any more.

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

/// One line of the result. `false` if nobody reads it any more, or it cannot be written.
pub(super) fn result(line: &str) -> bool {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    if let Err(why) = &written
        && why.kind() != io::ErrorKind::BrokenPipe
    {
        error(&unwritten(why));
    }
    written.is_ok()
}

/// The words for a result that is lost: the disk that stdout leads to may be full.
pub(super) fn unwritten(why: &io::Error) -> String {
    format!("the result cannot be written to stdout: {why}")
}

/// One machine-readable value.
pub(super) fn json(value: &impl Serialize) -> bool {
    match serde_json::to_string(value) {
        Ok(text) => result(&text),
        Err(why) => {
            error(&format!("the result cannot be written as JSON: {why}"));
            false
        }
    }
}
