//! The terminal is taken once and given back however the program ends.
//!
//! One guard, used by drop, by the panic hook, by suspending and by the end of the program.
//! Each step of giving back is tried even if the one before it failed, and nothing is ever
//! written to stderr here: when the terminal is gone, that would panic again.

use std::fmt;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use ratatui::crossterm::clipboard::CopyToClipboard;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::crossterm::{Command, execute, queue};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpgrp, getppid, getsid, kill_current_process_group};
use rustix::termios::{
    OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr, tcgetpgrp, tcsetattr,
};

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
    enter_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, Hide)?;
    if MOUSE.load(Ordering::SeqCst) { execute!(io::stdout(), TakeMouse) } else { Ok(()) }
}

/// Raw mode, in which a read returns with what there is. Half an escape sequence would otherwise hold
/// up whoever reads until the other half comes, and with it every resize.
///
/// # Errors
///
/// The terminal refuses.
pub fn enter_raw_mode() -> io::Result<()> {
    enable_raw_mode()?;
    let terminal = io::stdin();
    let mut settings = tcgetattr(&terminal)?;
    settings.special_codes[SpecialCodeIndex::VMIN] = 0;
    settings.special_codes[SpecialCodeIndex::VTIME] = 0;
    Ok(tcsetattr(&terminal, OptionalActions::Now, &settings)?)
}

/// Drops what was typed and not read yet: keys that were meant for another program are no token.
pub fn drop_typed_ahead() {
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
}

/// The settings of the terminal while another program may change them; put back when dropped. Of a
/// terminal that is not ours to set, for we run in its background, or that the interface holds, they
/// are left alone: who holds it takes it again.
pub struct Settings(Option<Termios>);

impl Settings {
    /// As they are now.
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

/// Whether the terminal is handed to us: who else sets it is stopped.
fn is_in_front() -> bool {
    tcgetpgrp(io::stdin()).is_ok_and(|front| front == getpgrp())
}

/// Whether the terminal has vanished.
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

/// Gives the terminal back and ends the program, where whoever draws waits for a terminal that takes
/// nothing: what is said to it is said past the lock that is held there, and only if it is taken.
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
    queue_back(&mut out);
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// What takes back all that was asked of the terminal.
fn queue_back(out: &mut impl io::Write) {
    let _ = queue!(out, LeaveMouse);
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

/// Whether the threads of the program are being started.
static STARTING: AtomicBool = AtomicBool::new(false);

/// What a program says that sent nothing.
const NOT_SENT: i32 = 3;

/// Starts threads, by a library that panics where it cannot, and would then wait for those that
/// it has started: the panic hook ends the program.
pub fn starting<T>(start: impl FnOnce() -> T) -> T {
    STARTING.store(true, Ordering::SeqCst);
    let started = start();
    STARTING.store(false, Ordering::SeqCst);
    started
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
    let mut hooks = color_eyre::config::HookBuilder::default().display_env_section(false);
    if !io::stderr().is_terminal() {
        hooks = hooks.theme(color_eyre::config::Theme::new());
    }
    let (panics, errors) = hooks.into_hooks();
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
        let _ = writeln!(io::stderr(), "{}", panics.panic_report(panic));
    }));
    Ok(())
}
