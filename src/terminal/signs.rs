//! What the program shows outside its frames: the terminal's title, its progress bar, and a bell. Must not know what the
//! title says.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::crossterm::queue;
use ratatui::crossterm::style::Print;

use crate::config::Notify;

/// Whether the terminal keeps the title that it had before, and has one of this program.
static TITLED: AtomicBool = AtomicBool::new(false);
/// Whether the terminal shows a progress bar of this program.
static PROGRESS: AtomicBool = AtomicBool::new(false);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signs {
    /// Words of the program; empty for the title that the terminal had before.
    pub title: String,
    /// Percent of the work that is under way, for terminals that show it (OSC 9;4 of `ConEmu`).
    pub progress: Option<u8>,
}

/// Shows these signs.
///
/// # Errors
///
/// The terminal is gone.
pub fn show(signs: &Signs) -> io::Result<()> {
    let mut out = io::stdout();
    if !signs.title.is_empty() {
        if !TITLED.swap(true, Ordering::SeqCst) {
            // xterm's stack of titles.
            queue!(out, Print("\u{1b}[22;0t"))?;
        }
        queue!(out, Print(format!("\u{1b}]2;{}\u{7}", signs.title)))?;
    }
    match signs.progress {
        Some(percent) => {
            PROGRESS.store(true, Ordering::SeqCst);
            queue!(out, Print(format!("\u{1b}]9;4;1;{percent}\u{7}")))?;
        }
        None => queue_progress_end(&mut out)?,
    }
    out.flush()
}

/// Notifies a person whose terminal lacks the focus; on the desktop with OSC 9 of iTerm2.
///
/// # Errors
///
/// The terminal is gone.
pub fn ring(how: Notify, words: &str) -> io::Result<()> {
    let mut out = io::stdout();
    match how {
        Notify::Off => {}
        Notify::Bell => queue!(out, Print('\u{7}'))?,
        Notify::Desktop => queue!(out, Print(format!("\u{1b}]9;{words}\u{7}")))?,
    }
    out.flush()
}

/// Gives the terminal its own title back, and no progress bar.
pub(super) fn queue_restore(out: &mut impl Write) -> io::Result<()> {
    if TITLED.swap(false, Ordering::SeqCst) {
        queue!(out, Print("\u{1b}[23;0t"))?;
    }
    queue_progress_end(out)
}

fn queue_progress_end(out: &mut impl Write) -> io::Result<()> {
    if PROGRESS.swap(false, Ordering::SeqCst) { queue!(out, Print("\u{1b}]9;4;0;0\u{7}")) } else { Ok(()) }
}
