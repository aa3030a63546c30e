//! Prints messages for people on stderr, and results on stdout. Neither panics if its reader is gone.
//!
//! Must not know what is printed.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use color_eyre::eyre::{self, WrapErr as _};
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::error::{Exit, OrExit as _};
use crate::os::terminal;
use crate::runtime::{WriteError, log};
use crate::text::wrap::wrapped;
use crate::text::{Marks, clean, in_ascii, json_text};

/// How this program prints; the default is [`Manner::Command`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// Messages on stderr; a terminal shows a progress bar.
    Command,
    /// Messages on stderr; nothing is repainted.
    PlainCommand,
    /// Messages on stdout, in order with the results: one text that can be read from its beginning to its end. Nothing
    /// is repainted.
    Conversation,
}

/// The manner, chosen once at the start: there is one terminal.
static MANNER: OnceLock<Manner> = OnceLock::new();

pub(super) fn choose(manner: Manner) {
    let _ = MANNER.set(manner);
}

pub(super) fn manner() -> Manner {
    *MANNER.get().unwrap_or(&Manner::Command)
}

/// Names a subcommand as a person types it: without the program's name in a conversation.
pub(super) fn command(name: &str) -> String {
    match manner() {
        Manner::Command | Manner::PlainCommand => format!("plants {name}"),
        Manner::Conversation => name.to_owned(),
    }
}

/// Whether messages are left out; errors and questions are not.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

pub(super) fn be_quiet(is_quiet: bool) {
    IS_QUIET.store(is_quiet, Ordering::Relaxed);
}

/// Whether what people read is in ASCII: another terminal could take a byte of a name for a control character.
static IS_ASCII: AtomicBool = AtomicBool::new(false);

/// Prints for people in ASCII from here on, if that is wanted and a terminal shows it.
pub(super) fn be_ascii(is_wanted: bool) {
    IS_ASCII.store(is_wanted && (io::stdout().is_terminal() || io::stderr().is_terminal()), Ordering::Relaxed);
}

/// Returns the characters of messages.
pub(super) fn marks() -> Marks {
    if IS_ASCII.load(Ordering::Relaxed) { Marks::Ascii } else { Marks::Unicode }
}

/// Writes clean text for people. On a terminal, which would break its lines inside words, they are broken at words.
fn show(text: &str) -> io::Result<()> {
    let text = if marks() == Marks::Ascii { Cow::Owned(in_ascii(text)) } else { Cow::Borrowed(text) };
    let is_on_stdout = manner() == Manner::Conversation;
    let columns = if is_on_stdout { terminal::size().0 } else { terminal::columns_of_stderr() };
    let text = if columns == 0 { text } else { Cow::Owned(broken_at_words(&text, columns.into())) };
    if !is_on_stdout {
        return io::stderr().write_all(text.as_bytes());
    }
    whole(text.as_bytes()).inspect_err(|_| IS_UNHEARD.store(true, Ordering::Relaxed))
}

/// Writes clean text for people to where it can be read: in a conversation without stdout, to stderr.
pub(super) fn show_anyhow(text: &str) {
    if show(text).is_err() && manner() == Manner::Conversation {
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

static IS_UNHEARD: AtomicBool = AtomicBool::new(false);

/// Whether a part of the conversation could not be written, so that no answer is one to what was asked.
pub(super) fn is_unheard() -> bool {
    IS_UNHEARD.load(Ordering::Relaxed)
}

/// Prints lines for people, and makes foreign text that they quote harmless.
pub(super) fn message(text: impl AsRef<str>) {
    if !IS_QUIET.load(Ordering::Relaxed) {
        lines("", text.as_ref(), "\n");
    }
}

/// Prints a part of the result for people, where it is sentences: also if messages are left out.
pub(super) fn sentence(text: impl AsRef<str>) {
    lines("", text.as_ref(), "\n");
}

/// Prints an error, outside a conversation behind the program's name: all lines but the first are indented, so that no
/// foreign text in it can pass for a message. What it quotes may be a secret that was typed in a wrong place.
pub(super) fn error(text: impl AsRef<str>) {
    let prefix = if manner() == Manner::Conversation { "" } else { "plants: " };
    lines(prefix, &log::masked(text.as_ref()), "\n  ");
}

fn lines(prefix: &str, text: &str, between: &str) {
    let lines: Vec<_> = text.lines().map(clean).collect();
    show_anyhow(&format!("{prefix}{}\n", lines.join(between)));
}

/// Breaks clean text at words, and keeps the indentation of each line. Keeps the white space at its end, where an answer
/// may follow. A line with a word that is too long stays whole, so that a path or a URL can be copied.
fn broken_at_words(text: &str, columns: usize) -> String {
    let body = text.trim_end();
    let end = text.get(body.len()..).unwrap_or_default();
    let broken = |line: &str| {
        if line.split(' ').any(|word| word.width() > columns) {
            return line.to_owned();
        }
        let text = line.trim_start();
        let indent = line.strip_suffix(text).unwrap_or_default();
        let lines = wrapped(text, columns.saturating_sub(indent.len()), usize::MAX);
        format!("{indent}{}", lines.join(&format!("\n{indent}")))
    };
    let lines: Vec<_> = body.lines().map(broken).collect();
    format!("{}{end}", lines.join("\n"))
}

/// Whether the path of an output means stdout.
pub(super) fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// Writes bytes to stdout at once.
pub(super) fn whole(text: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush())
}

/// Prints a line of the result, or all of it, for people. A reader that closes the pipe is no error.
pub(super) fn result(text: &str) -> eyre::Result<()> {
    let is_ascii = marks() == Marks::Ascii && io::stdout().is_terminal();
    if is_ascii { exact(&in_ascii(text)) } else { exact(text) }
}

/// Prints a result as [`result()`] does, with every character as it is: another program reads it, also where it is copied
/// from a terminal.
pub(super) fn exact(text: &str) -> eyre::Result<()> {
    line(text).map(drop)
}

/// Prints a line of the result as it is, and as messages, if they go to stdout, too; returns whether stdout still has a
/// reader.
fn line(text: &str) -> eyre::Result<bool> {
    let text = format!("{text}\n");
    written(if manner() == Manner::Conversation { show(&text) } else { whole(text.as_bytes()) })
}

/// Prints one machine-readable value; returns whether stdout still has a reader.
pub(super) fn json(value: &impl Serialize) -> eyre::Result<bool> {
    line(&json_text(value).wrap_err("the result cannot be written as JSON")?)
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

/// Returns the result of writing contents of the journal to stdout; `None` if that has no reader any more.
///
/// # Errors
///
/// As for [`written()`], or the journal cannot be read.
pub(super) fn written_from_journal<T>(written: Result<T, WriteError>) -> eyre::Result<Option<T>> {
    match written {
        Ok(value) => Ok(Some(value)),
        Err(WriteError::File(error)) => self::written(Err(error)).map(|_| None),
        Err(WriteError::Journal(error)) => Err(error).or_exit(Exit::NotSent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_broken_at_words_and_keeps_its_end() {
        assert_eq!(broken_at_words("one two three\n\nfour\n", 9), "one two\nthree\n\nfour\n");
        assert_eq!(broken_at_words("Name (default: empty): ", 14), "Name (default:\nempty): ");
        assert_eq!(broken_at_words("  indented\n", 20), "  indented\n");
        assert_eq!(broken_at_words("wrong:\n  one two three\n", 9), "wrong:\n  one two\n  three\n");
        assert_eq!(broken_at_words("\n", 20), "\n");
        assert_eq!(broken_at_words("wrote /tmp/plants.csv\n", 9), "wrote /tmp/plants.csv\n");
    }
}
