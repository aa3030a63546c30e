//! Signals: which of them end the program, which stop it, and which only make a write fail.
//!
//! Names them and decides whether they are heeded. Must not know what the program does about one.

use std::convert::Infallible;
use std::io;
use std::sync::LazyLock;

use rustix::process::Signal as Number;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::terminal;

/// Asks a process to stop until it is continued, as Ctrl-Z at a shell's job does.
const STOP: SignalKind = SignalKind::from_raw(Number::TSTP.as_raw());

/// A file has grown past the limit of the process (`ulimit -f`).
const FILE_SIZE: SignalKind = SignalKind::from_raw(Number::XFSZ.as_raw());

/// A terminal has vanished.
const HANG_UP: SignalKind = SignalKind::hangup();

/// All that ask the program to end and can be heard, but [`HANG_UP`].
const ENDS: &[SignalKind] = &[
    SignalKind::interrupt(),
    SignalKind::quit(),
    SignalKind::terminate(),
    SignalKind::user_defined1(),
    SignalKind::user_defined2(),
    SignalKind::alarm(),
    SignalKind::from_raw(Number::XCPU.as_raw()),
    SignalKind::from_raw(Number::VTALARM.as_raw()),
    SignalKind::from_raw(Number::PROF.as_raw()),
    #[cfg(target_os = "linux")]
    SignalKind::from_raw(Number::POWER.as_raw()),
];

/// The signals that were ignored when the program started, as `nohup` does and a shell for what runs in
/// the background: a bit for each, as Linux reports them. Other systems do not.
static IGNORED: LazyLock<u64> = LazyLock::new(|| {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
});

/// Listens to one signal; `None` if it was ignored when the program started: it stays so.
fn heeded(kind: SignalKind) -> Option<io::Result<Signal>> {
    let is_ignored = *IGNORED & (1 << (kind.as_raw_value() - 1)) != 0;
    (!is_ignored).then(|| signal(kind))
}

/// Listens to all that ask the program to end.
///
/// # Errors
///
/// A handler could not be installed.
pub fn ends() -> io::Result<Vec<Signal>> {
    [HANG_UP].iter().chain(ENDS).copied().filter_map(heeded).collect()
}

/// Listens to the same but a hang-up: a terminal that vanishes is reported in several ways.
///
/// # Errors
///
/// A handler could not be installed.
pub fn ends_but_hang_up() -> io::Result<Vec<Signal>> {
    ENDS.iter().copied().filter_map(heeded).collect()
}

/// Listens to what asks the program to stop until it is continued. From here on it does not stop by
/// itself: the listener stops it, with [`terminal::stop_group`].
///
/// # Errors
///
/// The handler could not be installed.
pub fn suspends() -> io::Result<Option<Signal>> {
    heeded(STOP).transpose()
}

/// Stops the program whenever it is asked to, where no terminal is to be given back first.
pub async fn suspend_when_asked(suspends: Option<Signal>) -> Infallible {
    if let Some(mut suspends) = suspends {
        while suspends.recv().await.is_some() {
            terminal::stop_group();
        }
    }
    std::future::pending().await
}

/// Makes a write past the limit for the size of files fail, like one on a full disk: without a handler
/// the signal would end the program without a word. Child processes start without the handler.
///
/// # Errors
///
/// The handler could not be installed.
pub fn outlive_file_size_limit() -> io::Result<()> {
    // The handler stays when this is dropped.
    heeded(FILE_SIZE).transpose().map(drop)
}
