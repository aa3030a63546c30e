//! Starts stores, each in a process of its own, and pins processes to processors.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use crate::{PLANTS, minimal, reference};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `plants serve`, which stores the plants.
    Demo,
    /// Accepts every request and stores nothing.
    Minimal,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Demo => "plants serve",
            Self::Minimal => "minimal server",
        }
    }
}

/// A running store; dropping it ends the process.
pub(crate) struct Store {
    child: Child,
    /// Without a slash at its end.
    pub(crate) base_url: String,
}

impl Store {
    /// Starts a store on another processor than the clients.
    pub(crate) fn start(kind: Kind) -> Self {
        let mut command = match kind {
            Kind::Demo => pinned(Place::Store, PLANTS),
            Kind::Minimal => pinned(Place::Store, std::env::current_exe().unwrap()),
        };
        match kind {
            Kind::Demo => command.args(["serve", "--port", "0", "--json"]),
            Kind::Minimal => command.arg(minimal::WORD),
        };
        command.env_remove("PLANTS_TOKEN").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address: serde_json::Value = serde_json::from_str(&line).unwrap();
        Self { child, base_url: address["base_url"].as_str().unwrap().to_owned() }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The side of a process; each side has its own processor.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Store,
    Client,
}

/// Whether processes can be pinned.
pub(crate) fn can_pin() -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1) && reference::is_installed("taskset")
}

/// Prepares a program, pinned to the processor of its side if possible.
pub(crate) fn pinned(place: Place, program: impl AsRef<OsStr>) -> Command {
    if !can_pin() {
        return Command::new(program);
    }
    let mut command = Command::new("taskset");
    let core = match place {
        Place::Store => "0",
        Place::Client => "1",
    };
    command.args(["-c", core]).arg(program);
    command
}
