//! Prints the values of `--json` one per line.

use std::sync::OnceLock;

use serde::Serialize;

use super::error::Exit;
use super::{end, print};

/// Prints the values of `--json` one per line, until one cannot be written.
pub(super) struct JsonLines {
    pub(super) is_wanted: bool,
    lost: OnceLock<Lost>,
}

/// Why a value was not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lost {
    Fault,
    /// They have no reader any more.
    Unread,
}

/// Prints the only value of a command that is done, if it `is_wanted`. Returns its exit code, as [`JsonLines::or_lost`].
pub(super) fn done<Value: Serialize>(is_wanted: bool, has_changed: bool, value: impl FnOnce() -> Value) -> Exit {
    let lines = JsonLines::new(is_wanted);
    lines.print(value);
    lines.or_lost(Exit::Done, has_changed)
}

impl JsonLines {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, lost: OnceLock::new() }
    }

    /// Prints a value, which is made only if it is wanted.
    pub(super) fn print<Value: Serialize>(&self, value: impl FnOnce() -> Value) {
        if !self.is_wanted || self.lost.get().is_some() {
            return;
        }
        let lost = match print::json(&value()) {
            Ok(true) => return,
            Ok(false) => Lost::Unread,
            Err(why) => {
                end::end(why);
                Lost::Fault
            }
        };
        let _ = self.lost.set(lost);
    }

    /// Returns the exit code of a command that ends with `exit`, and says why it is another one, unless that was said. The
    /// reader of lost values does not know what was sent or changed; to repeat that is not safe.
    pub(super) fn or_lost(&self, exit: Exit, has_changed: bool) -> Exit {
        match self.lost.get() {
            Some(lost) if exit == Exit::Done && has_changed => {
                if *lost == Lost::Unread {
                    print::error("the result cannot be written to stdout: it has no reader");
                }
                Exit::Unknown
            }
            Some(Lost::Fault) if exit == Exit::Done => Exit::NotSent,
            Some(_) | None => exit,
        }
    }
}
