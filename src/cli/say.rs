//! Words for people on stderr, results on stdout. Neither panics when nobody reads any more.

use std::io::{self, Write as _};

use serde::Serialize;

use crate::domain::text::clean;
pub(super) use crate::domain::text::json_text;

/// Words for people; whatever foreign text is quoted in them is harmless.
pub(super) fn words(text: &str) {
    let lines: Vec<_> = text.lines().map(clean).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}

/// The same where a line of it may not be ours: only the first begins where a line of ours does.
pub(super) fn indented(text: &str) {
    let lines: Vec<_> = text.lines().map(clean).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n  "));
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
