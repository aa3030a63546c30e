//! The settings of the terminal, and waiting for it.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::AsFd;
use std::time::Duration;

use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl};
use rustix::io::Errno;
use rustix::process::getpgrp;
use rustix::termios::{
    OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr,
};

use crate::os::types::Wait;

/// The controlling terminal, also where standard input is another file.
const TERMINAL: &str = "/dev/tty";

/// The longest line that a terminal passes on, in bytes; it drops the rest without a sign (`N_TTY_BUF_SIZE` on Linux,
/// `MAX_CANON` on macOS).
pub const LONGEST_LINE: usize = if cfg!(target_os = "linux") { 4095 } else { 1023 };

/// Whether stdout is open for writing. The standard library takes each write to one that is not for written.
pub fn is_stdout_writable() -> bool {
    fcntl_getfl(io::stdout()).is_ok_and(|flags| flags & OFlags::RWMODE != OFlags::RDONLY)
}

/// Returns the columns and rows of stdout; 0 if it is no terminal, or one that does not say.
pub fn size() -> (u16, u16) {
    tcgetwinsize(io::stdout()).map_or((0, 0), |size| (size.ws_col, size.ws_row))
}

/// Returns the columns of stderr; 0 as for [`size`].
pub fn columns_of_stderr() -> u16 {
    tcgetwinsize(io::stderr()).map_or(0, |size| size.ws_col)
}

/// The kind of a terminal that does not name its own.
pub fn assumed_kind() -> Option<&'static str> {
    None
}

/// Enters raw mode, with reads that never block: otherwise an incomplete escape sequence would block the reader, and
/// every resize with it.
///
/// # Errors
///
/// The terminal cannot be changed.
pub fn enter_raw_mode() -> io::Result<()> {
    enable_raw_mode()?;
    // If crossterm has raw mode on already, it does not set it again. Raw mode is not turned off in between, where
    // Ctrl-C would be a signal.
    let terminal = io::stdin();
    let mut settings = tcgetattr(&terminal)?;
    settings.make_raw();
    settings.special_codes[SpecialCodeIndex::VMIN] = 0;
    settings.special_codes[SpecialCodeIndex::VTIME] = 0;
    Ok(tcsetattr(&terminal, OptionalActions::Now, &settings)?)
}

/// Restores the settings from before raw mode.
///
/// # Errors
///
/// The terminal cannot be changed.
pub fn leave_raw_mode() -> io::Result<()> {
    disable_raw_mode()
}

/// Drops what was typed and not read.
pub fn drop_typed() {
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
}

/// Whether the terminal has vanished.
pub fn is_gone() -> bool {
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let ends = [PollFd::new(&stdin, PollFlags::empty()), PollFd::new(&stdout, PollFlags::empty())];
    ends.into_iter().any(|end| poll_now(end).intersects(PollFlags::HUP | PollFlags::ERR))
}

/// Waits until the reader of stdout is gone; without end if it is no pipe.
pub fn wait_for_closed_stdout() {
    let stdout = io::stdout();
    while matches!(poll(&mut [PollFd::new(&stdout, PollFlags::empty())], None), Err(Errno::INTR)) {}
}

/// Polls without waiting.
fn poll_now(end: PollFd<'_>) -> PollFlags {
    let mut ends = [end];
    let polled = poll(&mut ends, Some(&Timespec::default()));
    let [end] = ends;
    polled.map_or(PollFlags::empty(), |_| end.revents())
}

/// Writes to the terminal if that does not block, without the lock of stdout, which another thread may hold.
pub fn write_if_ready(bytes: &[u8]) {
    let stdout = io::stdout();
    if !poll_now(PollFd::new(&stdout, PollFlags::OUT)).is_empty() {
        let _ = rustix::io::write(&stdout, bytes);
    }
}

/// Interrupts a wait for the terminal.
#[derive(Debug)]
pub struct Waker(PipeWriter);

impl Waker {
    pub fn wake(&self) {
        // Fails if nothing waits any more.
        let _ = (&self.0).write(&[0]);
    }
}

/// What the terminal sends.
#[derive(Debug)]
pub struct Keyboard(PipeReader);

impl Keyboard {
    /// # Errors
    ///
    /// The system lacks file descriptors.
    pub fn open() -> io::Result<(Self, Waker)> {
        let (woken, waker) = io::pipe()?;
        Ok((Self(woken), Waker(waker)))
    }

    /// Waits for the terminal, for the waker, or for a time without end. `reads`: also for what the terminal sends.
    pub fn wait(&mut self, reads: bool, limit: Option<Duration>) -> Wait {
        let interest = if reads { PollFlags::IN } else { PollFlags::empty() };
        let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
        let terminal = io::stdin();
        let mut watched = [PollFd::new(&terminal, interest), PollFd::new(&self.0, PollFlags::IN)];
        let polled = poll(&mut watched, limit.as_ref());
        let [terminal, woken] = watched.map(|end| end.revents());
        if woken.contains(PollFlags::IN) {
            let _ = self.0.read(&mut [0; 16]);
        }
        if matches!(polled, Err(why) if why != Errno::INTR) || terminal.intersects(PollFlags::HUP | PollFlags::ERR) {
            Wait::Gone
        } else if terminal.contains(PollFlags::NVAL) {
            Wait::Unknown
        } else if terminal.contains(PollFlags::IN) {
            Wait::Ready
        } else {
            Wait::Over
        }
    }

    /// Reads what the terminal has sent, without blocking; nothing if it has sent nothing. `None` if it is gone.
    pub fn read(&mut self) -> Option<Vec<u8>> {
        let mut bytes = vec![0; 4096];
        let count = match rustix::io::read(io::stdin(), &mut bytes) {
            Ok(count) => count,
            Err(Errno::INTR | Errno::AGAIN) => 0,
            Err(_) => return None,
        };
        bytes.truncate(count);
        Some(bytes)
    }
}

/// Opens the controlling terminal, to ask a person while standard input is another file. Drops what was typed and not
/// read. `None` without a terminal, and for a process in its background.
pub fn own_terminal() -> Option<File> {
    let terminal = open_own()?;
    let _ = tcflush(&terminal, QueueSelector::IFlush);
    Some(terminal)
}

fn open_own() -> Option<File> {
    let terminal = File::options().read(true).write(true).open(TERMINAL).ok()?;
    is_in_foreground(&terminal).then_some(terminal)
}

/// The controlling terminal with its settings, while another program may change them.
pub struct Saved {
    terminal: File,
    settings: Termios,
}

impl Saved {
    /// Returns `None` without a terminal, and for a process in its background, whose programs the kernel would stop.
    pub fn take() -> Option<Self> {
        let terminal = open_own()?;
        let settings = tcgetattr(&terminal).ok()?;
        Some(Self { terminal, settings })
    }

    /// Restores the settings. `drops_typed`: also drops what was typed and not read.
    pub fn restore(&self, drops_typed: bool) {
        if !is_in_foreground(&self.terminal) {
            return;
        }
        let _ = tcsetattr(&self.terminal, OptionalActions::Now, &self.settings);
        if drops_typed {
            let _ = tcflush(&self.terminal, QueueSelector::IFlush);
        }
    }
}

/// Whether this process is in the terminal's foreground. The kernel stops a background process that changes settings.
fn is_in_foreground(terminal: impl AsFd) -> bool {
    tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp())
}
