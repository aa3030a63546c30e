//! The progress of long subcommands: a bar on a terminal; sentences in plain mode.

use std::io::{self, IsTerminal as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::time::Instant;

use super::print::{self, Manner};

/// The shortest time between two sentences about progress.
pub(super) const BETWEEN_SENTENCES: Duration = Duration::from_secs(2);

pub(super) enum Bar {
    Hidden,
    /// Disappears from the terminal when dropped.
    Drawn(ProgressBar),
    /// Holds when the last sentence was printed.
    Spoken(Mutex<Instant>),
}

impl Bar {
    pub(super) fn begin() -> Self {
        if print::manner() != Manner::Command {
            return Self::Spoken(Mutex::new(now()));
        }
        if !io::stderr().is_terminal() {
            return Self::Hidden;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("[{bar:24}] {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        Self::Drawn(bar)
    }

    pub(super) fn show(&self, done: u64, of: u64, message: String) {
        match self {
            Self::Hidden => {}
            Self::Drawn(bar) => {
                bar.set_length(of);
                bar.set_position(done);
                bar.set_message(message);
            }
            Self::Spoken(last) => {
                let now = now();
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                if now - *last >= BETWEEN_SENTENCES {
                    *last = now;
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

    /// Hides the bar until [`Self::reappear`].
    pub(super) fn disappear(&self) {
        if let Self::Drawn(bar) = self {
            bar.finish_and_clear();
        }
    }

    pub(super) fn reappear(&self) {
        if let Self::Drawn(bar) = self {
            bar.reset();
        }
    }

    /// Hides the bar while `print` runs.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match self {
            Self::Drawn(bar) => bar.suspend(print),
            Self::Hidden | Self::Spoken(_) => print(),
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Self::Drawn(bar) = self {
            bar.finish_and_clear();
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "measures the time since the last sentence; shows no time of day")]
fn now() -> Instant {
    Instant::now()
}
