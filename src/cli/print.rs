//! Prints messages for people on stderr, and results on stdout. Neither panics if its reader is gone.

use std::io::{self, Write as _};

use color_eyre::eyre::{self, WrapErr as _};
use serde::Serialize;

use super::error::{Exit, OrExit as _};
use crate::domain::text::{clean, json_text};

/// Prints lines for people, and makes foreign text that they quote harmless.
pub(super) fn message(text: impl AsRef<str>) {
    lines("", text.as_ref(), "\n");
}

/// Prints lines of foreign text: all but the first are indented, so that none can pass for a message.
pub(super) fn indented(text: &str) {
    lines("", text, "\n  ");
}

/// Prints an error.
pub(super) fn error(text: impl AsRef<str>) {
    lines("plants: ", text.as_ref(), "\n  ");
}

fn lines(prefix: &str, text: &str, between: &str) {
    let lines: Vec<_> = text.lines().map(clean).collect();
    let _ = writeln!(io::stderr(), "{prefix}{}", lines.join(between));
}

/// Prints a line of the result, or all of it. A reader that closes the pipe is no error.
pub(super) fn result(text: &str) -> eyre::Result<()> {
    let mut out = io::stdout().lock();
    written(writeln!(out, "{text}").and_then(|()| out.flush())).map(drop)
}

/// Prints one machine-readable value.
pub(super) fn json(value: &impl Serialize) -> eyre::Result<()> {
    result(&json_text(value).wrap_err("the result cannot be written as JSON")?)
}

/// Returns whether stdout still has a reader.
///
/// # Errors
///
/// The result is lost, for example because the disk is full.
pub(super) fn written(written: io::Result<()>) -> eyre::Result<bool> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).wrap_err("the result cannot be written to stdout").or_exit(Exit::NotSent),
    }
}
