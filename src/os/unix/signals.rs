//! Lists the signals that the program handles, and installs their handlers.
//!
//! A signal that was ignored when the program started stays ignored. Must not know what the program does on a signal.

use std::io;
use std::sync::LazyLock;

use rustix::process::Signal as Number;
use tokio::signal::unix::{SignalKind, signal};

pub use tokio::signal::unix::Signal;

/// A shell's request to stop, like Ctrl-Z.
const STOP: SignalKind = SignalKind::from_raw(Number::TSTP.as_raw());

/// A write beyond the file size limit of the process (`ulimit -f`).
const FILE_SIZE: SignalKind = SignalKind::from_raw(Number::XFSZ.as_raw());

/// The terminal is gone.
const HANG_UP: SignalKind = SignalKind::hangup();

/// Every signal with a handler that requests the end of the program, except [`HANG_UP`] and Ctrl-C.
const ENDS: &[SignalKind] = &[
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

/// The signals that were ignored when the program started, for example by `nohup`: one bit for each, as Linux reports
/// them. Other systems do not report them.
static IGNORED: LazyLock<u64> = LazyLock::new(|| {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
});

/// Listens to one signal, unless it was ignored when the program started.
fn listen(kind: SignalKind) -> Option<io::Result<Signal>> {
    let is_ignored = *IGNORED & (1 << (kind.as_raw_value() - 1)) != 0;
    (!is_ignored).then(|| signal(kind))
}

/// Listens to the signals that request the end of the program.
///
/// # Errors
///
/// A handler could not be installed.
pub fn ends() -> io::Result<Vec<Signal>> {
    [HANG_UP, SignalKind::interrupt()].iter().chain(ENDS).copied().filter_map(listen).collect()
}

/// Listens to the same signals without Ctrl-C.
///
/// # Errors
///
/// A handler could not be installed.
pub fn ends_but_interrupt() -> io::Result<Vec<Signal>> {
    [HANG_UP].iter().chain(ENDS).copied().filter_map(listen).collect()
}

/// Listens to Ctrl-C.
///
/// # Errors
///
/// The handler could not be installed.
pub fn interrupts() -> io::Result<Option<Signal>> {
    listen(SignalKind::interrupt()).transpose()
}

/// Listens to the same signals without hang-up, which a terminal also reports in other ways.
///
/// # Errors
///
/// A handler could not be installed.
pub fn ends_but_hang_up() -> io::Result<Vec<Signal>> {
    [SignalKind::interrupt()].iter().chain(ENDS).copied().filter_map(listen).collect()
}

/// Listens to requests to stop. From then on the kernel does not stop the program: the listener must call
/// [`stop_group`](super::process::stop_group) or [`stop_process`](super::process::stop_process).
///
/// # Errors
///
/// The handler could not be installed.
pub fn suspends() -> io::Result<Option<Signal>> {
    listen(STOP).transpose()
}

/// Listens to SIGCONT: the program continues after a stop.
///
/// # Errors
///
/// The handler could not be installed.
pub fn continues() -> io::Result<Signal> {
    signal(SignalKind::from_raw(Number::CONT.as_raw()))
}

/// Listens to changes of the terminal's size.
///
/// # Errors
///
/// The handler could not be installed.
pub fn resizes() -> io::Result<Signal> {
    signal(SignalKind::window_change())
}

/// Makes a write beyond the file size limit fail like one on a full disk: without a handler the signal would end the
/// program without a message. Child processes start without the handler.
///
/// # Errors
///
/// The handler could not be installed.
pub fn outlive_file_size_limit() -> io::Result<()> {
    // The handler stays installed.
    listen(FILE_SIZE).transpose().map(drop)
}

/// Lets Ctrl-C reach only the program that has the terminal, such as a pager: it decides what is interrupted.
///
/// # Errors
///
/// A handler could not be installed.
pub fn outlive_interrupts() -> io::Result<()> {
    // The handlers stay installed; child processes start without them.
    [SignalKind::interrupt(), SignalKind::quit()]
        .into_iter()
        .filter_map(listen)
        .try_for_each(|listening| listening.map(drop))
}
