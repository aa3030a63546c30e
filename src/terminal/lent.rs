//! Lends the controlling terminal to a program that may ask a person, and takes it back as it was.
//!
//! Must not know which program that is, or what it asks.

use std::fs::File;
use std::os::fd::AsFd;

use rustix::process::getpgrp;
use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcsetattr};

use super::guard;

/// The controlling terminal, also where standard input is another file.
const TERMINAL: &str = "/dev/tty";

/// Restores the settings of the terminal when dropped.
pub struct LentTerminal {
    terminal: File,
    settings: Termios,
    /// Whether also what was typed and not read is dropped: it was meant for the program, and must not reach the shell.
    pub drops_typed: bool,
}

impl LentTerminal {
    /// Returns `None` without a terminal, for a process in its background, whose programs the kernel would stop, and
    /// while the interface has the terminal.
    pub fn lend() -> Option<Self> {
        if guard::is_taken() {
            return None;
        }
        let terminal = File::options().read(true).write(true).open(TERMINAL).ok()?;
        let settings = tcgetattr(&terminal).ok().filter(|_| is_in_foreground(&terminal))?;
        Some(Self { terminal, settings, drops_typed: false })
    }
}

impl Drop for LentTerminal {
    fn drop(&mut self) {
        if !is_in_foreground(&self.terminal) {
            return;
        }
        let _ = tcsetattr(&self.terminal, OptionalActions::Now, &self.settings);
        if self.drops_typed {
            let _ = tcflush(&self.terminal, QueueSelector::IFlush);
        }
    }
}

/// Whether this process is in the terminal's foreground. The kernel stops a background process that changes settings.
fn is_in_foreground(terminal: impl AsFd) -> bool {
    tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp())
}
