//! This process and others: ends. The system has no stops, and gives no way by threads.

use std::process::ExitStatus;

use tokio::process::{Child, Command};
use winapi_util::sysinfo::{ComputerNameKind, get_computer_name};

/// The program that always reaches the system's clipboard: none, because `clip` reads the console's code page. The
/// terminal's own way (OSC 52) remains.
pub const CLIPBOARD_PROGRAM: &[&[&str]] = &[];

/// The variables that name the user, the first that is set.
pub const USER: &[&str] = &["USERNAME"];

/// The exit code of a process that Ctrl-C ended (`STATUS_CONTROL_C_EXIT`).
const INTERRUPTED: u32 = 0xC000_013A;

/// Runs without the console (`CREATE_NO_WINDOW`).
const NO_CONSOLE: u32 = 0x0800_0000;

/// Does nothing: a thread does not inherit its priority.
pub fn give_way(_niceness: i32) {}

/// Does nothing: the system dumps no memory unless an administrator lets it, and any program of the user may read it.
pub fn guard_memory() {}

/// Returns the name of this machine.
pub fn host_name() -> String {
    get_computer_name(ComputerNameKind::PhysicalDnsHostname)
        .map_or_else(|_| String::new(), |name| name.to_string_lossy().into_owned())
}

/// Ends a program at once: no request to end reaches it. Waits for its end, so that the process is gone when this
/// returns.
pub async fn end(child: &mut Child) {
    let _ = child.kill().await;
}

/// Does nothing: no request to end reaches a program.
pub fn ask_to_end(_process: Option<u32>) {}

/// Runs a command without the console, whose keys are meant for another.
pub fn keep_off_terminal(command: &mut Command) {
    command.creation_flags(NO_CONSOLE);
}

/// Whether Ctrl-C ended a process.
pub fn was_interrupted(status: ExitStatus) -> bool {
    status.code() == Some(INTERRUPTED.cast_signed())
}

/// Does nothing and returns `false`: no shell continues a process.
pub fn stop_group() -> bool {
    false
}

/// Does nothing and returns `false`, like [`stop_group`].
pub fn stop_process() -> bool {
    false
}

/// Does nothing: no program stops.
pub fn continue_group() {}
