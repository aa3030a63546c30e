//! The modes of the console, and waiting for it.

use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crossterm_winapi::{Console, ConsoleMode, Handle, HandleType, InputRecord, KeyEventRecord};
use ratatui::crossterm::ansi_support::supports_ansi;
use ratatui::crossterm::terminal;
use tokio::sync::Notify;

use crate::os::types::Wait;

/// The longest line that the console passes on, in UTF-16 units.
pub const LONGEST_LINE: usize = 4094;

/// The console's own input, also where standard input is another file.
const INPUT: &str = "CONIN$";

/// How often the console is asked whether something has arrived: nothing safe waits for it and for a waker.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The key whose release ends a character that was typed by its number (`VK_MENU`).
const ALT: u16 = 0x12;

/// Modes of the console's input.
const RAW: u32 = 0x8 | 0x80 | 0x200;
const NOT_RAW: u32 = 0x1 | 0x2 | 0x4 | 0x10 | 0x40;

/// The modes from before raw mode.
static BEFORE: Mutex<Option<u32>> = Mutex::new(None);

static RESIZED: Notify = Notify::const_new();

/// Resolves once the console has reported another size.
pub(super) async fn resized() {
    RESIZED.notified().await;
}

fn input() -> io::Result<Handle> {
    Handle::new(HandleType::InputHandle)
}

fn modes_of(handle: io::Result<Handle>) -> io::Result<(ConsoleMode, u32)> {
    let console = ConsoleMode::from(handle?);
    let modes = console.mode()?;
    Ok((console, modes))
}

/// Returns `true`: each write says whether it is possible.
pub fn is_stdout_writable() -> bool {
    true
}

/// Returns the columns and rows of stdout; 0 if it is no console.
pub fn size() -> (u16, u16) {
    if io::stdout().is_terminal() { terminal::size().unwrap_or((0, 0)) } else { (0, 0) }
}

/// Returns the columns of stderr; 0 if it is no terminal.
pub fn columns_of_stderr() -> u16 {
    if io::stderr().is_terminal() { terminal::size().map_or(0, |(columns, _)| columns) } else { 0 }
}

/// The kind of a terminal that does not name its own. Lets the console obey escape sequences.
pub fn assumed_kind() -> Option<&'static str> {
    (io::stdout().is_terminal() && supports_ansi()).then_some("xterm-256color")
}

/// Enters raw mode: keys arrive as the sequences of a terminal, one event for each unit of them.
///
/// # Errors
///
/// The console cannot be changed.
pub fn enter_raw_mode() -> io::Result<()> {
    let (console, modes) = modes_of(input())?;
    BEFORE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(modes);
    console.set_mode(modes & !NOT_RAW | RAW)
}

/// Restores the modes from before raw mode.
///
/// # Errors
///
/// The console cannot be changed.
pub fn leave_raw_mode() -> io::Result<()> {
    match BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(modes) => ConsoleMode::from(input()?).set_mode(modes),
        None => Ok(()),
    }
}

/// Drops what was typed and not read.
pub fn drop_typed() {
    let _ = input().map(Console::from).and_then(|console| console.read_console_input());
}

/// Whether the console has vanished.
pub fn is_gone() -> bool {
    modes_of(input()).is_err()
}

/// Waits without end: nothing safe tells that a reader has gone; the next write does.
pub fn wait_for_closed_stdout() {
    loop {
        std::thread::park();
    }
}

/// Writes to the console without the lock of stdout, which another thread may hold.
pub fn write_if_ready(bytes: &[u8]) {
    let _ = Console::output().and_then(|console| console.write_char_buffer(bytes));
}

/// Interrupts a wait for the terminal.
#[derive(Debug)]
pub struct Waker(SyncSender<()>);

impl Waker {
    pub fn wake(&self) {
        // Fails if nothing waits any more, or is woken already.
        let _ = self.0.try_send(());
    }
}

/// What the console sends.
#[derive(Debug)]
pub struct Keyboard {
    console: Console,
    woken: Receiver<()>,
    /// The first half of a character whose second has not arrived.
    half: Option<u16>,
}

impl Keyboard {
    /// # Errors
    ///
    /// There is no console.
    pub fn open() -> io::Result<(Self, Waker)> {
        let (waker, woken) = sync_channel(1);
        Ok((Self { console: input()?.into(), woken, half: None }, Waker(waker)))
    }

    /// Waits for the console, for the waker, or for a time without end. `reads`: also for what the console sends.
    pub fn wait(&mut self, reads: bool, limit: Option<Duration>) -> Wait {
        let mut left = limit;
        loop {
            match self.console.number_of_console_input_events() {
                Ok(0) => {}
                Ok(_) if !reads => {}
                Ok(_) => return Wait::Ready,
                Err(_) => return Wait::Gone,
            }
            let pause = left.map_or(BETWEEN_LOOKS, |left| left.min(BETWEEN_LOOKS));
            match self.woken.recv_timeout(pause) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return Wait::Over,
            }
            left = left.map(|left| left.saturating_sub(pause));
            if left == Some(Duration::ZERO) {
                return Wait::Over;
            }
        }
    }

    /// Reads what the console has sent, without blocking; nothing if it has sent nothing. `None` if it is gone.
    pub fn read(&mut self) -> Option<Vec<u8>> {
        let mut units: Vec<_> = self.half.take().into_iter().collect();
        for event in self.console.read_console_input().ok()? {
            match event {
                InputRecord::KeyEvent(key) => units.extend(typed(&key)),
                InputRecord::WindowBufferSizeEvent(_) => RESIZED.notify_one(),
                InputRecord::MouseEvent(_) | InputRecord::FocusEvent(_) | InputRecord::MenuEvent(_) => {}
            }
        }
        self.half = units.pop_if(|unit| (0xD800..0xDC00).contains(unit));
        Some(String::from_utf16_lossy(&units).into_bytes())
    }
}

/// Returns what a key sends, as often as it does.
fn typed(key: &KeyEventRecord) -> impl Iterator<Item = u16> + use<> {
    let sends = key.u_char != 0 && (key.key_down || key.virtual_key_code == ALT);
    let count = if sends { key.repeat_count.max(1) } else { 0 };
    std::iter::repeat_n(key.u_char, count.into())
}

/// Opens the console, to ask a person while standard input is another file. Drops what was typed and not read. `None`
/// without a console.
pub fn own_terminal() -> Option<File> {
    let terminal = File::options().read(true).write(true).open(INPUT).ok()?;
    let _ = own_input().map(Console::from).and_then(|console| console.read_console_input());
    Some(terminal)
}

fn own_input() -> io::Result<Handle> {
    Handle::new(HandleType::CurrentInputHandle)
}

/// The modes of the console, while another program may change them.
pub struct Saved {
    input: u32,
    output: u32,
}

impl Saved {
    /// Returns `None` without a console.
    pub fn take() -> Option<Self> {
        let (_, input) = modes_of(own_input()).ok()?;
        let (_, output) = modes_of(Handle::new(HandleType::CurrentOutputHandle)).ok()?;
        Some(Self { input, output })
    }

    /// Restores the modes. `drops_typed`: also drops what was typed and not read.
    pub fn restore(&self, drops_typed: bool) {
        for (handle, modes) in [(own_input(), self.input), (Handle::new(HandleType::CurrentOutputHandle), self.output)]
        {
            let _ = handle.map(ConsoleMode::from).and_then(|console| console.set_mode(modes));
        }
        if drops_typed {
            let _ = own_input().map(Console::from).and_then(|console| console.read_console_input());
        }
    }
}
