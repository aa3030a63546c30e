//! Messages for people on stderr, results on stdout. Neither panics when its reader has gone.

use std::io::{self, Write as _};

use color_eyre::eyre::{self, WrapErr as _};
use serde::Serialize;

use super::error::OrExit as _;
use super::exit::Exit;
use crate::domain::text::{clean, json_text};

/// Prints lines for people; whatever foreign text is quoted in them is harmless.
pub(super) fn message(text: &str) {
    lines("", text, "\n");
}

/// Prints lines that may not be ours: only the first begins where a line of ours does.
pub(super) fn indented(text: &str) {
    lines("", text, "\n  ");
}

/// Prints what is wrong.
pub(super) fn error(text: &str) {
    lines("plants: ", text, "\n  ");
}

fn lines(prefix: &str, text: &str, between: &str) {
    let lines: Vec<_> = text.lines().map(clean).collect();
    let _ = writeln!(io::stderr(), "{prefix}{}", lines.join(between));
}

/// Prints a line of the result, or all of it. That the reader has enough of it is no error.
pub(super) fn result(text: &str) -> eyre::Result<()> {
    let mut out = io::stdout().lock();
    written(writeln!(out, "{text}").and_then(|()| out.flush())).map(drop)
}

/// Prints one machine-readable value.
pub(super) fn json(value: &impl Serialize) -> eyre::Result<()> {
    result(&json_text(value).wrap_err("the result cannot be written as JSON")?)
}

/// Returns whether stdout still has a reader. The error says that the result is lost: the disk may be full.
pub(super) fn written(written: io::Result<()>) -> eyre::Result<bool> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).wrap_err("the result cannot be written to stdout").or_exit(Exit::NotSent),
    }
}
