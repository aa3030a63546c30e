//! Stores to send to, each a process of its own, and where processes run.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use crate::{PLANTS, minimal, reference};

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `plants serve`: it keeps what it is sent.
    Demo,
    /// It says yes, and no more.
    Minimal,
}

impl Kind {
    /// For people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Demo => "plants serve",
            Self::Minimal => "minimal server",
        }
    }
}

/// A running store. It ends when this is dropped.
pub(crate) struct Store {
    child: Child,
    /// Without a slash at its end.
    pub(crate) base_url: String,
}

impl Store {
    /// Starts one, away from the processor that clients have.
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
        let told: serde_json::Value = serde_json::from_str(&line).unwrap();
        Self { child, base_url: told["base_url"].as_str().unwrap().to_owned() }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// On which side of the network a process is: each has a processor of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Store,
    Client,
}

/// Whether processes can be kept on processors of their own.
pub(crate) fn can_pin() -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1) && reference::is_there("taskset")
}

/// A program on the processor of its side, where that is possible.
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
