//! The progress bar of long subcommands, on a terminal only.

use std::io::{self, IsTerminal as _};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::print;

/// Disappears from the terminal when dropped.
pub(super) struct Bar(ProgressBar);

impl Bar {
    pub(super) fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    pub(super) fn begin() -> Self {
        if !io::stderr().is_terminal() {
            return Self::hidden();
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("[{bar:24}] {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        Self(bar)
    }

    pub(super) fn show(&self, done: u64, of: u64, message: String) {
        self.0.set_length(of);
        self.0.set_position(done);
        self.0.set_message(message);
    }

    pub(super) fn message(&self, text: &str) {
        self.suspend(|| print::message(text));
    }

    pub(super) fn error(&self, text: &str) {
        self.suspend(|| print::error(text));
    }

    /// Hides the bar while `print` runs.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
