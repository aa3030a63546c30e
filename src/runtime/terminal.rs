//! Takes the terminal, and gives it back however the program ends.
//!
//! One guard, used by drop, by the panic hook, by suspending and by the end of the program.
//! Each step of giving back is tried even if the one before it failed, and nothing is ever
//! written to stderr here: when the terminal is gone, that would panic again.

use std::io::{self, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use ratatui::crossterm::clipboard::CopyToClipboard;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::style::Print;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::crossterm::{execute, queue};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpgrp, getppid, getsid, kill_current_process_group};
use rustix::termios::{
    OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr, tcgetpgrp, tcsetattr,
};

use super::hooks;
use crate::domain::text::clean_lines;

static TAKEN: AtomicBool = AtomicBool::new(false);

/// For the next time the terminal is taken.
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

/// Takes the terminal, or takes it again after it was given back.
///
/// # Errors
///
/// The terminal refuses.
pub fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enter_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, Hide)?;
    if MOUSE.load(Ordering::SeqCst) { execute!(io::stdout(), TAKE_MOUSE) } else { Ok(()) }
}

/// Enters raw mode, in which a read returns with what there is: half an escape sequence would otherwise hold
/// up the reader until the other half comes, and with it every resize.
///
/// # Errors
///
/// The terminal refuses.
pub fn enter_raw_mode() -> io::Result<()> {
    enable_raw_mode()?;
    let terminal = io::stdin();
    let mut settings = tcgetattr(&terminal)?;
    // crossterm does not set raw mode again that it believes to be on. Nothing here ends raw mode in between: a
    // Ctrl-C would be a signal.
    settings.make_raw();
    settings.special_codes[SpecialCodeIndex::VMIN] = 0;
    settings.special_codes[SpecialCodeIndex::VTIME] = 0;
    Ok(tcsetattr(&terminal, OptionalActions::Now, &settings)?)
}

/// Drops what was typed and not read yet: keys that were meant for another program are no token.
pub fn drop_typed_ahead() {
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
}

/// Keeps the settings of the terminal while another program may change them, and puts them back when
/// dropped. Leaves them alone where the program runs in the background of the terminal, or where the
/// interface holds it and takes it again itself.
pub struct Settings(Option<Termios>);

impl Settings {
    pub fn kept() -> Self {
        let is_ours = !TAKEN.load(Ordering::SeqCst) && is_in_front();
        Self(if is_ours { tcgetattr(io::stdin()).ok() } else { None })
    }
}

impl Drop for Settings {
    fn drop(&mut self) {
        if let Some(settings) = self.0.as_ref().filter(|_| is_in_front()) {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, settings);
        }
    }
}

/// Whether the program is in the terminal's foreground: any other that sets it is stopped.
fn is_in_front() -> bool {
    tcgetpgrp(io::stdin()).is_ok_and(|front| front == getpgrp())
}

pub fn is_gone() -> bool {
    let is_gone = |terminal: PollFd<'_>| {
        let mut watched = [terminal];
        let polled = poll(&mut watched, Some(&Timespec::default()));
        let [watched] = watched;
        polled.is_ok() && watched.revents().intersects(PollFlags::HUP | PollFlags::ERR)
    };
    let (stdin, stdout) = (io::stdin(), io::stdout());
    is_gone(PollFd::new(&stdin, PollFlags::empty())) || is_gone(PollFd::new(&stdout, PollFlags::empty()))
}

/// Gives the terminal back and ends the program while another thread waits for a terminal that takes
/// nothing: writes past the lock that is held there, and only if the terminal takes it.
pub fn abandon(code: i32) -> ! {
    let _ = disable_raw_mode();
    let stdout = io::stdout();
    let mut watched = [PollFd::new(&stdout, PollFlags::OUT)];
    let polled = poll(&mut watched, Some(&Timespec::default()));
    if polled.is_ok_and(|ready| ready > 0) {
        let mut back = Vec::new();
        queue_back(&mut back);
        let _ = rustix::io::write(&stdout, &back);
    }
    std::process::exit(code)
}

/// Asks the terminal for buttons and wheel, or leaves the mouse to it.
///
/// # Errors
///
/// The terminal is gone.
pub fn use_mouse(wanted: bool) -> io::Result<()> {
    MOUSE.store(wanted, Ordering::SeqCst);
    if wanted { execute!(io::stdout(), TAKE_MOUSE) } else { execute!(io::stdout(), LEAVE_MOUSE) }
}

/// Buttons and wheel (xterm's mode 1000), with columns beyond 223 (mode 1006). crossterm's own
/// command asks for every movement as well, which would wake an idle program.
const TAKE_MOUSE: Print<&str> = Print("\u{1b}[?1000h\u{1b}[?1006h");
const LEAVE_MOUSE: Print<&str> = Print("\u{1b}[?1006l\u{1b}[?1000l");

/// Takes the terminal again after other programs may have used it, however they left it.
///
/// # Errors
///
/// The terminal refuses.
pub fn retake() -> io::Result<()> {
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

/// Gives the terminal back. Twice does no harm.
pub fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    queue_back(&mut out);
    let _ = out.flush();
    let _ = disable_raw_mode();
}

fn queue_back(out: &mut impl io::Write) {
    let _ = queue!(out, LEAVE_MOUSE);
    let _ = queue!(out, DisableBracketedPaste);
    let _ = queue!(out, LeaveAlternateScreen);
    let _ = queue!(out, Show);
}

/// Gives the terminal back and stops the process group. Returns when the program goes on.
///
/// # Errors
///
/// The terminal cannot be taken again.
pub fn suspend() -> io::Result<()> {
    give_back();
    stop_group();
    take()
}

/// Stops the whole process group, so that a script that started the program stops as well and the shell
/// comes forward. Like the kernel, it leaves a group alone that no shell could continue.
///
/// It stops by SIGSTOP: SIGTSTP has a handler of ours, which gives the terminal back first.
pub fn stop_group() {
    if !is_orphaned() {
        let _ = kill_current_process_group(Signal::STOP);
    }
}

/// Whether the process group has no parent in its session that could continue it: it is that of the
/// session's first process, or the process that started us has ended.
fn is_orphaned() -> bool {
    let Ok(session) = getsid(None) else { return false };
    getpgrp() == session || getppid().is_none_or(|parent| getsid(Some(parent)) != Ok(session))
}

static STARTING: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that sent nothing.
const NOT_SENT: i32 = 3;

/// Starts threads, by a library that panics where it cannot, and would then wait for those that
/// it has started: the panic hook ends the program.
pub fn starting<T>(start: impl FnOnce() -> T) -> T {
    STARTING.store(true, Ordering::SeqCst);
    let started = start();
    STARTING.store(false, Ordering::SeqCst);
    started
}

/// Prints a panic without harming a live screen.
///
/// A panic on the thread that draws gives the terminal back first. On any other thread the
/// panic is caught where the task is watched, and shown on the screen: nothing is printed.
///
/// # Errors
///
/// Another hook for error reports was installed before.
pub fn install_panic_hook() -> color_eyre::Result<()> {
    hooks::keep_spans();
    let (panics, errors) = hooks::hooks().try_into_hooks()?;
    errors.install()?;
    std::panic::set_hook(Box::new(move |panic| {
        if STARTING.load(Ordering::SeqCst) {
            let why = panic.payload().downcast_ref::<String>().map_or("the system refuses", String::as_str);
            let _ = writeln!(io::stderr(), "plants: the program cannot start its threads: {why}. Nothing was sent.");
            std::process::exit(NOT_SENT);
        }
        let live = TAKEN.load(Ordering::SeqCst);
        if live && DRAWS.get() != Some(&thread::current().id()) {
            return;
        }
        give_back();
        let report = panics.panic_report(panic).to_string();
        let _ = writeln!(io::stderr(), "{}", clean_lines(report.as_bytes()));
    }));
    Ok(())
}
