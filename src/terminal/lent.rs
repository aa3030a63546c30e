//! Lends the controlling terminal to a program that may ask a person, and takes it back as it was.
//!
//! Must not know which program that is, or what it asks.

use super::guard;
use crate::os::terminal::Saved;

/// Restores the settings of the terminal when dropped.
pub struct LentTerminal {
    saved: Saved,
    /// Whether also what was typed and not read is dropped: it was meant for the program, and must not reach the shell.
    pub drops_typed: bool,
}

impl LentTerminal {
    /// Returns `None` without a terminal, for a process in its background, and while the interface has the terminal, or
    /// has lent it.
    pub fn lend() -> Option<Self> {
        let saved = if guard::is_taken() || guard::is_lent() { None } else { Saved::take() };
        saved.map(|saved| Self { saved, drops_typed: false })
    }
}

impl Drop for LentTerminal {
    fn drop(&mut self) {
        self.saved.restore(self.drops_typed);
    }
}
