//! Pins processes to processors.

use std::ffi::OsStr;
use std::process::Command;

use crate::reference::is_installed;

/// Where a process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Core {
    Any,
    /// That of the stores.
    First,
    /// That of the clients.
    Second,
}

/// Returns why no process can be pinned, if so.
pub(crate) fn no_pinning() -> Option<&'static str> {
    if std::thread::available_parallelism().is_ok_and(|cores| cores.get() < 2) {
        Some("there is one core")
    } else if !is_installed("taskset") {
        Some("there is no taskset")
    } else {
        None
    }
}

/// Prepares a program.
pub(crate) fn command(core: Core, program: impl AsRef<OsStr>) -> Command {
    let core = match core {
        Core::Any => return Command::new(program),
        Core::First => "0",
        Core::Second => "1",
    };
    let mut command = Command::new("taskset");
    command.args(["-c", core]).arg(program);
    command
}
