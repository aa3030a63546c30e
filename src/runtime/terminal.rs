//! The terminal is taken once and given back however the program ends.
//!
//! One guard, used by drop, by the panic hook, by suspending and by the end of the program.
//! Each step of giving back is tried even if the one before it failed, and nothing is ever
//! written to stderr here: when the terminal is gone, that would panic again.

use std::fmt;
use std::io::{self, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use ratatui::crossterm::clipboard::CopyToClipboard;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::crossterm::{Command, execute, queue};

/// Whether the terminal is ours now.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether the mouse is wanted while the terminal is ours.
static MOUSE: AtomicBool = AtomicBool::new(true);

/// The thread that draws.
static DRAWS: OnceLock<ThreadId> = OnceLock::new();

/// Holds the terminal; gives it back when dropped.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Takes the terminal: raw mode, alternate screen, bracketed paste, mouse.
    ///
    /// # Errors
    ///
    /// The terminal refuses; what was taken so far has been given back.
    pub fn take() -> io::Result<Self> {
        let _ = DRAWS.set(thread::current().id());
        let guard = Self(());
        take()?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
    }
}

/// Takes it, or takes it again after it was given back.
///
/// # Errors
///
/// The terminal refuses.
pub fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, Hide)?;
    if MOUSE.load(Ordering::SeqCst) { execute!(io::stdout(), TakeMouse) } else { Ok(()) }
}

/// Asks the terminal for buttons and wheel, or leaves the mouse to it.
///
/// # Errors
///
/// The terminal is gone.
pub fn use_mouse(wanted: bool) -> io::Result<()> {
    MOUSE.store(wanted, Ordering::SeqCst);
    if wanted { execute!(io::stdout(), TakeMouse) } else { execute!(io::stdout(), LeaveMouse) }
}

/// Buttons and wheel (xterm's mode 1000), with columns beyond 223 (mode 1006). crossterm's own
/// command asks for every movement as well, which would wake an idle program.
struct TakeMouse;

impl Command for TakeMouse {
    fn write_ansi(&self, f: &mut impl fmt::Write) -> fmt::Result {
        f.write_str("\u{1b}[?1000h\u{1b}[?1006h")
    }
}

/// Takes that back.
struct LeaveMouse;

impl Command for LeaveMouse {
    fn write_ansi(&self, f: &mut impl fmt::Write) -> fmt::Result {
        f.write_str("\u{1b}[?1006l\u{1b}[?1000l")
    }
}

/// Takes it again after others may have used it, however they left it.
///
/// # Errors
///
/// The terminal refuses.
pub fn retake() -> io::Result<()> {
    // Raw mode that is believed to be on is not set again.
    disable_raw_mode()?;
    take()
}

/// Hands text to the terminal's clipboard (OSC 52, as xterm's control sequences have it).
///
/// # Errors
///
/// The terminal is gone.
pub fn copy(text: &str) -> io::Result<()> {
    execute!(io::stdout(), CopyToClipboard::to_clipboard_from(text))
}

/// Gives it back. Twice does no harm.
pub fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    let _ = queue!(out, LeaveMouse);
    let _ = queue!(out, DisableBracketedPaste);
    let _ = queue!(out, LeaveAlternateScreen);
    let _ = queue!(out, Show);
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// Gives the terminal back and stops the whole process group, so that whoever started us stops
/// as well and the shell comes forward. Returns when the program goes on.
///
/// # Errors
///
/// The terminal cannot be taken again.
pub fn suspend() -> io::Result<()> {
    give_back();
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
    take()
}

/// Says what a panic says, without harming a live screen.
///
/// A panic on the thread that draws gives the terminal back first. On any other thread the
/// panic is caught by whoever watches the task, and told on the screen: nothing is printed.
///
/// # Errors
///
/// Another hook for error reports was installed before.
pub fn install_panic_hook() -> color_eyre::Result<()> {
    let (panics, errors) = color_eyre::config::HookBuilder::default().display_env_section(false).into_hooks();
    errors.install()?;
    std::panic::set_hook(Box::new(move |panic| {
        let live = TAKEN.load(Ordering::SeqCst);
        if live && DRAWS.get() != Some(&thread::current().id()) {
            return;
        }
        give_back();
        let _ = writeln!(io::stderr(), "{}", panics.panic_report(panic));
    }));
    Ok(())
}
