//! The program as others run it: a process of its own, in an empty environment and a home of
//! its own. Knows the program's name and nothing of its insides.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

pub(crate) mod closed_port;
pub(crate) mod extent;
#[cfg(test)]
pub(crate) mod nats;
pub(crate) mod raw;
pub(crate) mod served;
#[cfg(test)]
pub(crate) mod slow_link;

/// After this long a run is stuck, and its test has failed.
const STUCK: Duration = Duration::from_secs(120);

/// A home directory, empty at first; its programs know of nothing outside it.
pub(crate) struct Home {
    place: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { place: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }

    /// A file in it, with the folders above.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        // Readable by others it would be warned about.
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        path
    }

    /// The folder of the journal, in its usual place.
    pub(crate) fn data(&self) -> PathBuf {
        self.path().join(".local/share/plants")
    }

    /// The config file in its usual place.
    pub(crate) fn config(&self, content: impl AsRef<[u8]>) -> PathBuf {
        self.write(".config/plants/config.toml", content)
    }

    /// `plants` with these arguments.
    pub(crate) fn plants<Word: AsRef<OsStr>>(&self, words: &[Word]) -> Run {
        self.program(env!("CARGO_BIN_EXE_plants"), words)
    }

    /// Another program, in the same surroundings.
    pub(crate) fn program<Word: AsRef<OsStr>>(&self, program: impl AsRef<OsStr>, words: &[Word]) -> Run {
        #[cfg(unix)]
        heed_signals();
        let mut command = Command::new(program);
        command.args(words).env_clear().env("HOME", self.path()).current_dir(self.path());
        for (names, folder) in
            [(["XDG_CONFIG_HOME", "APPDATA"], ".config"), (["XDG_DATA_HOME", "LOCALAPPDATA"], ".local/share")]
        {
            command.envs(names.map(|name| (name, self.path().join(folder))));
        }
        // Windows has no sockets without its root.
        let needed = |name: &OsStr| ["PATH", "SYSTEMROOT"].iter().any(|needed| name.eq_ignore_ascii_case(needed));
        command.envs(std::env::vars_os().filter(|(name, _)| needed(name)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Run { command, stdin: Vec::new() }
    }

    /// The same, for the store at `base`, with a token that the demo store takes.
    pub(crate) fn plants_at<Word: AsRef<OsStr>>(&self, base: &str, words: &[Word]) -> Run {
        self.plants(words).env("PLANTS_BASE_URL", base).env("PLANTS_TOKEN", "demo")
    }

    /// What `plants list --json` says of the view of `base`: the line as it is printed.
    pub(crate) fn listed(&self, base: &str) -> String {
        self.plants_at(base, &["list", "--json"]).ended().orderly(0).stdout
    }

    /// The state of each plant that it says so.
    pub(crate) fn states(&self, base: &str) -> BTreeMap<i64, String> {
        let listed: serde_json::Value = serde_json::from_str(&self.listed(base)).unwrap();
        let state =
            |plant: &serde_json::Value| (plant["id"].as_i64().unwrap(), plant["state"].as_str().unwrap().to_owned());
        listed.as_array().unwrap().iter().map(state).collect()
    }
}

/// Every file in a folder and those below, with what it holds.
pub(crate) fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let file = |path: &Path| (path.display().to_string(), std::fs::read(path).unwrap());
    // Not sockets, which programs in contact have there.
    let inside = |path: PathBuf| match (path.is_dir(), path.is_file()) {
        (true, _) => files_below(&path),
        (false, true) => vec![file(&path)],
        (false, false) => Vec::new(),
    };
    entries.flat_map(inside).collect()
}

/// Lets programs that a test starts be ended by SIGINT and SIGHUP, also under `nohup` and in the
/// background of a shell, where this process was started with both ignored.
///
/// A process inherits ignored signals, but not handlers: for what this one handles, each child
/// starts with the default. The handler itself ends this process, as the default would.
#[cfg(unix)]
fn heed_signals() {
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Once};

    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGHUP] {
            let always = Arc::new(AtomicBool::new(true));
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, always).unwrap();
        }
    });
}

/// A run of the program that has not begun.
pub(crate) struct Run {
    pub(crate) command: Command,
    stdin: Vec<u8>,
}

impl Run {
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    pub(crate) fn begun(mut self) -> Child {
        let mut child = self.command.spawn().unwrap();
        // Whoever does not read its standard input may be gone already.
        let _ = child.stdin.take().unwrap().write_all(&self.stdin);
        child
    }

    pub(crate) fn ended(self) -> Ended {
        end_of(self.begun())
    }
}

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ended {
    /// `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// The one JSON value on the one line of stdout.
    pub(crate) fn json(&self) -> serde_json::Value {
        assert!(self.stdout.ends_with('\n') && self.stdout.lines().count() == 1, "one line on stdout: {self:?}");
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// What every run promises, however wrong its input: an exit code of the design, nothing
    /// that a terminal obeys, and no panic.
    pub(crate) fn orderly(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        self.harmless()
    }

    /// Nothing that was said steers a terminal, or hides.
    pub(crate) fn harmless(self) -> Self {
        let obeyed = |c: char| {
            (c.is_control() && c != '\n')
                || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
                    | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
        };
        assert!(!self.stderr.contains(obeyed) && !self.stdout.contains(obeyed), "{self:?}");
        self
    }
}

/// Runs a tool of the system with this input; `None`, and a word about it, where it is not installed.
pub(crate) fn tool(command: &mut Command, input: &str) -> Option<Ended> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() {
        Ok(mut child) => {
            child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
            Some(end_of(child))
        }
        Err(why) => {
            assert_eq!(why.kind(), ErrorKind::NotFound, "{name}: {why}");
            leave_out(&format!("{name} is not installed: apt install {name}, brew install {name}"));
            None
        }
    }
}

/// Says what a test leaves out, and how it could be done: once, and where it is seen though the test passes.
///
/// The test harness captures what the macros print, and nothing that is written to the stream itself.
pub(crate) fn leave_out(why: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let thread = thread::current();
    let line = format!("LEFT OUT of {}: {why}\n", thread.name().unwrap_or("a test"));
    if SAID.lock().unwrap().insert(line.clone()) {
        io::stderr().write_all(line.as_bytes()).unwrap();
    }
}

/// Waits for the end of a run, but not forever.
pub(crate) fn end_of(child: Child) -> Ended {
    let id = child.id();
    let (done, awaited) = mpsc::channel();
    let waiting = thread::Builder::new().name("waits for plants".to_owned());
    let waiting = waiting.spawn(move || done.send(child.wait_with_output())).unwrap();
    let output = awaited.recv_timeout(STUCK);
    if output.is_err() {
        let words: &[&str] = if cfg!(unix) { &["kill", "-KILL"] } else { &["taskkill", "/F", "/PID"] };
        Command::new(words[0]).args(&words[1..]).arg(id.to_string()).status().unwrap();
    }
    waiting.join().unwrap().unwrap();
    let Output { status, stdout, stderr } = output.expect("plants is stuck").unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}
