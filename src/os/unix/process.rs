//! This process and others: priority, memory, stops and ends.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::sync::PoisonError;
use std::thread;
use std::time::Duration;

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpgrp, getpid, getppid, getrlimit, getsid, kill_current_process_group,
    kill_process, nice, setrlimit,
};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::os::STOPS;

/// How long a program that is to end has for it, before it is killed.
const ENDING_TIME_LIMIT: Duration = Duration::from_millis(500);

/// How long a thread may run on after another one has taken the signal that stops both.
const UNTIL_STOPPED: Duration = Duration::from_millis(10);

/// The program that always reaches the system's clipboard, with its arguments.
pub const CLIPBOARD_PROGRAM: &[&[&str]] = if cfg!(target_os = "macos") { &[&["pbcopy"]] } else { &[] };

/// The variables that name the user, the first that is set.
pub const USER: &[&str] = &["USER", "LOGNAME"];

/// Gives way to other processes; threads that start later inherit it. Positive numbers give way.
pub fn give_way(niceness: i32) {
    let _ = nice(niceness);
}

/// Keeps the memory out of core dumps and away from other programs of the same user.
pub fn guard_memory() {
    let limit = getrlimit(Resource::Core);
    // A process may always lower its own limit.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), ..limit });
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

/// Returns the name of this machine.
pub fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Ends a program that may have changed the terminal: it has a moment to restore it. Waits for its end, so that the
/// process is gone when this returns.
pub async fn end(child: &mut Child) {
    ask_to_end(child.id());
    if timeout(ENDING_TIME_LIMIT, child.wait()).await.is_err() {
        let _ = child.kill().await;
    }
}

/// Asks a program to end; nothing if it has ended.
pub fn ask_to_end(process: Option<u32>) {
    if let Some(process) = process.and_then(|id| id.try_into().ok()).and_then(Pid::from_raw) {
        let _ = kill_process(process, Signal::TERM);
    }
}

/// Runs a command outside the terminal's foreground, where the kernel stops a program that reads keys meant for another.
pub fn keep_off_terminal(command: &mut Command) {
    command.process_group(0);
}

/// Whether Ctrl-C ended a process.
pub fn was_interrupted(status: ExitStatus) -> bool {
    status.signal() == Some(Signal::INT.as_raw())
}

/// Stops the process group, with a script that started the program, so that the shell continues. Like the kernel, does
/// not stop a group that no shell could continue, and returns `false` then. Waits until the process holds no lock for which
/// others would wait: see [`stay`](crate::os::stay).
///
/// Sends SIGSTOP, because the program has a handler for SIGTSTP, which gives the terminal back first.
pub fn stop_group() -> bool {
    stop(|| kill_current_process_group(Signal::STOP))
}

/// Stops this process alone, like [`stop_group`]: Ctrl-Z has signalled the others.
pub fn stop_process() -> bool {
    stop(|| kill_process(getpid(), Signal::STOP))
}

fn stop(signal: impl FnOnce() -> rustix::io::Result<()>) -> bool {
    if is_orphaned() {
        return false;
    }
    let _none_stays = STOPS.write().unwrap_or_else(PoisonError::into_inner);
    let is_sent = signal().is_ok();
    thread::sleep(UNTIL_STOPPED);
    is_sent
}

/// Continues the process group: a program in it that has stopped itself gets the signals that were sent meanwhile.
pub fn continue_group() {
    let _ = kill_current_process_group(Signal::CONT);
}

/// Whether no process in the session could continue the group: it is the group of the session leader, or the parent
/// process has ended.
fn is_orphaned() -> bool {
    let Ok(session) = getsid(None) else { return false };
    getpgrp() == session || getppid().is_none_or(|parent| getsid(Some(parent)) != Ok(session))
}

#[cfg(test)]
pub(crate) mod testing {
    //! What tests do to processes.

    use super::*;

    pub(crate) fn kill(process: i32) {
        kill_process(Pid::from_raw(process).unwrap(), Signal::KILL).unwrap();
    }

    pub(crate) fn is_running(process: i32) -> bool {
        rustix::process::test_kill_process(Pid::from_raw(process).unwrap()).is_ok()
    }
}
