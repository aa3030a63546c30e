//! The progress of long subcommands: a bar on a terminal; sentences in plain mode, and seldom ones off a terminal.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::clock;
use super::print::{self, Manner};
use crate::os::terminal::size;
use crate::terminal::said_or_assumed;
use crate::text::clean_fit;

/// The shortest time between two sentences about progress.
pub(super) const BETWEEN_SENTENCES: Duration = Duration::from_secs(2);

/// Columns between the ends of the bar.
const WIDTH: u64 = 24;

/// The time until the first sentence where no terminal shows a bar. Each sentence doubles it.
const FIRST_SENTENCE: Duration = Duration::from_secs(10);

pub(super) enum Bar {
    Hidden,
    /// Holds the line that is drawn; empty while there is none. Disappears from the terminal when dropped.
    Drawn(Mutex<String>),
    /// Holds when the last sentence was printed, the time until the next, and by how much that grows after each.
    Spoken(Mutex<(Instant, Duration)>, u32),
}

impl Bar {
    pub(super) fn begin() -> Self {
        if print::manner() != Manner::Command {
            Self::Spoken(Mutex::new((clock::instant(), BETWEEN_SENTENCES)), 1)
        } else if io::stderr().is_terminal() {
            Self::Drawn(Mutex::default())
        } else {
            Self::Spoken(Mutex::new((clock::instant(), FIRST_SENTENCE)), 2)
        }
    }

    pub(super) fn show(&self, done: u64, of: u64, message: &str) {
        match self {
            Self::Hidden => {}
            Self::Drawn(line) => {
                let filled = (done * WIDTH).checked_div(of).unwrap_or(WIDTH).min(WIDTH);
                let head = if (1..of).contains(&done) { ">" } else { "" };
                let bar = "=".repeat(usize::try_from(filled).unwrap_or_default()) + head;
                let mut line = locked(line);
                *line = format!("[{bar:<24}] {message}");
                draw(&line);
            }
            Self::Spoken(last, growth) => {
                let now = clock::instant();
                let mut last = locked(last);
                if now - last.0 >= last.1 {
                    *last = (now, last.1 * *growth);
                    print::message(format!("Progress: {message}."));
                }
            }
        }
    }

    pub(super) fn message(&self, text: &str) {
        self.suspend(|| print::message(text));
    }

    pub(super) fn error(&self, text: &str) {
        self.suspend(|| print::error(text));
    }

    /// Removes the bar from the terminal, until there is more progress.
    pub(super) fn disappear(&self) {
        if let Self::Drawn(line) = self {
            locked(line).clear();
            draw("");
        }
    }

    /// Hides the bar while `print` runs.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        let Self::Drawn(line) = self else { return print() };
        draw("");
        let printed = print();
        draw(&locked(line));
        printed
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.disappear();
    }
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Draws a line in place of the one before, as long as the terminal is wide.
fn draw(line: &str) {
    let (columns, _) = said_or_assumed(size(), (80, 24));
    let line = format!("\r\x1b[2K{}", clean_fit(line, usize::from(columns)));
    let _ = io::stderr().write_all(line.as_bytes());
}
