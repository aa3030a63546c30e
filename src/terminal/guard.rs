//! Takes the terminal, and gives it back on every way in which the program can end.
//!
//! A failed step of giving back does not prevent the next one. Must not know what is drawn.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use ratatui::crossterm::clipboard::CopyToClipboard;
use ratatui::crossterm::cursor::{Hide, MoveTo, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange};
use ratatui::crossterm::style::Print;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
};
use ratatui::crossterm::{execute, queue};

use super::decode::Input;
use super::framer::Timing;
use super::reader::{Reader, elapsed};
use super::signs;
use crate::os;
use crate::os::process::stop_group;
use crate::os::terminal::{Saved, enter_raw_mode, leave_raw_mode};

static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether taking the terminal turns mouse reports on.
static MOUSE: AtomicBool = AtomicBool::new(true);

static DRAWING_THREAD: OnceLock<ThreadId> = OnceLock::new();

/// The terminal, while another program has it in the place of the interface.
static LENT: Mutex<Option<LentTerminal>> = Mutex::new(None);

/// Until when the terminal is another program's, in milliseconds of [`elapsed`].
static LENT_UNTIL: AtomicU64 = AtomicU64::new(0);

/// How long after the end of that program a signal of its Ctrl-C may still arrive.
const SIGNAL_DELAY: Duration = Duration::from_millis(100);

/// Reads the terminal while it is taken.
static READER: Mutex<Option<Reader>> = Mutex::new(None);

/// How long giving back waits for what the terminal has still to send.
const DRAIN_LIMIT: Duration = Duration::from_millis(200);

/// Queries the status of the terminal (DSR), which responds after everything that it has sent before.
const STATUS_QUERY: Print<&str> = Print("\u{1b}[5n");

/// Gives the terminal back when dropped.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Takes the terminal: raw mode, alternate screen, bracketed paste, reports of the focus, mouse.
    ///
    /// # Errors
    ///
    /// The terminal cannot be changed; it was given back.
    pub fn take() -> io::Result<Self> {
        let _ = DRAWING_THREAD.set(thread::current().id());
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

/// Takes the terminal. Also restores every mode after other programs have used the terminal.
///
/// # Errors
///
/// The terminal cannot be changed.
pub fn take() -> io::Result<()> {
    end_loan();
    TAKEN.store(true, Ordering::SeqCst);
    enter_raw_mode()?;
    // The alternate screen of a killed program may still be there, with its frame.
    queue!(io::stdout(), EnterAlternateScreen, Clear(ClearType::All))?;
    queue!(io::stdout(), EnableBracketedPaste, EnableFocusChange, Hide)?;
    if MOUSE.load(Ordering::SeqCst) {
        queue!(io::stdout(), MOUSE_ON)?;
    }
    with_reader(Reader::resume);
    io::stdout().flush()
}

/// Starts to read the terminal, which is taken; see [`Reader::start`].
///
/// # Errors
///
/// The thread that reads could not be started.
pub fn listen(take: impl FnMut(Option<(Input, Timing)>) -> bool + Send + 'static) -> io::Result<()> {
    let reader = Reader::start(take)?;
    *READER.lock().unwrap_or_else(PoisonError::into_inner) = Some(reader);
    Ok(())
}

fn with_reader<T>(call: impl FnOnce(&Reader) -> T) -> Option<T> {
    READER.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(call)
}

/// Queries the terminal for its background colour (xterm's OSC 11). Ends the query with BEL: urxvt ends its response
/// like the query, and ends another one wrongly.
///
/// # Errors
///
/// The terminal is gone.
pub fn query_background() -> io::Result<()> {
    with_reader(Reader::expect_response);
    execute!(io::stdout(), Print("\u{1b}]11;?\u{7}"))
}

/// Drops keys that were typed before a prompt for a token: they were meant for another program.
pub fn drop_typed_ahead() {
    os::terminal::drop_typed();
}

/// Whether the interface has the terminal.
fn is_taken() -> bool {
    TAKEN.load(Ordering::SeqCst)
}

/// Gives the terminal back and ends the program while another thread blocks on writing to it. Writes without the lock
/// of stdout, which that thread holds, and only if the terminal is ready.
pub fn abandon(code: i32) -> ! {
    let _ = leave_raw_mode();
    let mut sequences = Vec::new();
    queue_silence(&mut sequences);
    queue_restore(&mut sequences);
    os::terminal::write_if_ready(&sequences);
    std::process::exit(code)
}

/// Turns mouse reports on or off.
///
/// # Errors
///
/// The terminal is gone.
pub fn use_mouse(wanted: bool) -> io::Result<()> {
    MOUSE.store(wanted, Ordering::SeqCst);
    execute!(io::stdout(), if wanted { MOUSE_ON } else { MOUSE_OFF })
}

/// Buttons and wheel (xterm's mode 1000), with columns beyond 223 (mode 1006). crossterm's own command also turns on
/// reports of movement, which would wake an idle program.
const MOUSE_ON: Print<&str> = Print("\u{1b}[?1000h\u{1b}[?1006h");
const MOUSE_OFF: Print<&str> = Print("\u{1b}[?1006l\u{1b}[?1000l");

/// Copies text to the terminal's clipboard (OSC 52 of xterm's control sequences).
///
/// # Errors
///
/// The terminal is gone.
pub fn copy(text: &str) -> io::Result<()> {
    execute!(io::stdout(), CopyToClipboard::to_clipboard_from(text))
}

/// Whether another thread than the calling one draws on the terminal.
pub fn is_taken_by_another_thread() -> bool {
    is_taken() && DRAWING_THREAD.get() != Some(&thread::current().id())
}

/// A terminal that a program has, which may ask a person. Restores its settings when dropped.
pub struct LentTerminal {
    saved: Saved,
    /// Whether also what was typed and not read is dropped: it was meant for the program, and must not reach the shell.
    pub drops_typed: bool,
}

impl LentTerminal {
    /// Returns `None` without a terminal, for a process in its background, and while the interface has the terminal, or
    /// has lent it.
    pub fn lend() -> Option<Self> {
        let saved = if is_taken() || is_lent() { None } else { Saved::take() };
        saved.map(|saved| Self { saved, drops_typed: false })
    }
}

impl Drop for LentTerminal {
    fn drop(&mut self) {
        self.saved.restore(self.drops_typed);
    }
}

/// Gives the terminal to another program, until it is taken or given back.
pub fn lend() {
    give_back();
    let lent = Saved::take().map(|saved| LentTerminal { saved, drops_typed: true });
    *LENT.lock().unwrap_or_else(PoisonError::into_inner) = lent;
    LENT_UNTIL.store(u64::MAX, Ordering::SeqCst);
}

/// Restores the settings of the terminal that another program had. Drops what was typed for that program and not read.
fn end_loan() {
    drop(LENT.lock().unwrap_or_else(PoisonError::into_inner).take());
    if LENT_UNTIL.load(Ordering::SeqCst) == u64::MAX {
        LENT_UNTIL.store(millis(elapsed() + SIGNAL_DELAY), Ordering::SeqCst);
    }
}

/// Whether another program has the terminal, or had it a moment ago: Ctrl-C is meant for that program.
pub fn is_lent() -> bool {
    millis(elapsed()) < LENT_UNTIL.load(Ordering::SeqCst)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Gives the terminal back, if it is taken. What was typed before is dropped.
pub fn give_back() {
    end_loan();
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    queue_silence(&mut out);
    // What the terminal has still to send would be typed into the shell.
    if with_reader(Reader::is_owed).unwrap_or(false) {
        let _ = queue!(out, STATUS_QUERY);
        let _ = out.flush();
        with_reader(|reader| reader.drain(DRAIN_LIMIT));
    } else {
        with_reader(Reader::pause);
    }
    queue_restore(&mut out);
    let _ = out.flush();
    drop_typed_ahead();
    let _ = leave_raw_mode();
}

/// Turns off everything that makes the terminal send sequences.
fn queue_silence(out: &mut impl io::Write) {
    let _ = queue!(out, DisableFocusChange);
    let _ = queue!(out, MOUSE_OFF);
    let _ = queue!(out, DisableBracketedPaste);
}

fn queue_restore(out: &mut impl io::Write) {
    // The program may end in the middle of a frame.
    let _ = queue!(out, EndSynchronizedUpdate);
    let _ = signs::queue_restore(out);
    // Where there is no alternate screen, as in GNU screen by default, the shell continues below the last frame.
    let _ = queue!(out, MoveTo(0, u16::MAX - 1), Clear(ClearType::CurrentLine));
    let _ = queue!(out, LeaveAlternateScreen);
    let _ = queue!(out, Show);
}

/// Gives the terminal back, if it is taken, and stops the process group. Drops what was typed before the program continues,
/// which the person could not see. Returns then:
/// `false` if it was not stopped, as no shell could have continued it.
///
/// # Errors
///
/// The terminal cannot be taken again.
pub fn suspend() -> io::Result<bool> {
    if !is_taken() {
        return Ok(stop_group());
    }
    give_back();
    let was_stopped = stop_group();
    drop_typed_ahead();
    take().map(|()| was_stopped)
}
