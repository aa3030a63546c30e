//! Prints the values of `--json` one per line.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::error::Exit;
use super::{end, print};

/// Prints the values of `--json` one per line, until one cannot be written.
pub(super) struct JsonLines {
    pub(super) is_wanted: bool,
    is_lost: AtomicBool,
}

impl JsonLines {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, is_lost: AtomicBool::new(false) }
    }

    /// Prints a value, which is made only if it is wanted.
    pub(super) fn print<Value: Serialize>(&self, value: impl FnOnce() -> Value) {
        if self.is_wanted
            && !self.is_lost.load(Ordering::Relaxed)
            && let Err(why) = print::json(&value())
        {
            end::end(why);
            self.is_lost.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the exit code of a command that ends with `exit`. The reader of lost values does not know how what was sent
    /// ended; to send it again is not safe.
    pub(super) fn or_lost(&self, exit: Exit, has_sent: bool) -> Exit {
        if exit != Exit::Done || !self.is_lost.load(Ordering::Relaxed) {
            return exit;
        }
        if has_sent { Exit::Unknown } else { Exit::NotSent }
    }
}
