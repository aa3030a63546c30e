//! Measures a team: publishing, reading, and beginning with a snapshot. Needs `nats-server`.

use std::cell::Cell;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::commands::seconds;
use crate::interface::press_all;
use crate::programs::{self, folder};
use crate::store::Store;
use crate::{Extent, Row, compare, milliseconds, print_row, rate};

/// The servers of a team.
struct Server {
    url: String,
    _own: Option<Own>,
}

/// A server with a folder of its own. It ends when this is dropped.
struct Own {
    child: Child,
    _folder: TempDir,
}

impl Server {
    /// Starts a server on a free port, unless there are `running` ones; `None` if there is none to start.
    fn start(running: Option<&String>) -> Option<Self> {
        if let Some(url) = running {
            return Some(Self { url: url.clone(), _own: None });
        }
        let folder = folder();
        let words = ["--jetstream", "--addr", "127.0.0.1", "--port", "-1", "--ports_file_dir"];
        let mut command = Command::new("nats-server");
        command.args(words).arg(folder.path()).arg("--store_dir").arg(folder.path());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
        let url = loop {
            thread::sleep(Duration::from_millis(20));
            let files = folder.path().read_dir().unwrap().map(|file| file.unwrap().path());
            let ports = files.into_iter().find(|path| path.extension().is_some_and(|name| name == "ports"));
            let ports = ports.and_then(|path| serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).ok());
            if let Some(url) = ports.as_ref().and_then(|ports| ports["nats"][0].as_str()) {
                break url.to_owned();
            }
        };
        Some(Self { url, _own: Some(Own { child, _folder: folder }) })
    }

    /// Prepares a command of a member of the team with this store.
    fn member(&self, store: u32, mut command: Command) -> Command {
        command.envs(self.settings(store));
        command
    }

    /// Returns the variables that name the team.
    fn settings(&self, store: u32) -> [(&str, String); 2] {
        // Running servers may have streams of earlier runs.
        [("PLANTS_TEAM", self.url.clone()), ("PLANTS_TEAM_STORE", format!("{}-{store}", std::process::id()))]
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Compares an import in a team with one without, until the command ends and until the stream has all entries; and
/// measures a member that reads these, one that begins with a snapshot, and keys while a member imports.
pub(crate) fn teams(extent: &Extent) {
    let Some(server) = Server::start(extent.servers.as_ref()) else {
        return println!("| a team: nats-server is not installed | | | | |");
    };
    let (files, count) = (folder(), extent.imported);
    let rows = programs::rows(files.path(), 1, count);
    let next = Cell::new(0);
    let per_second = |seconds: f64| f64::from(count) / seconds;
    let import = |base_url: &str, journal: &Path| programs::import(&rows, 8, base_url, journal);
    let alone = || [per_second(seconds(&mut import(&Store::start().base_url, folder().path()))); 2];
    let last = Cell::new(None);
    let in_team = || {
        let (store, journal, team) = (Store::start(), folder(), next.replace(next.get() + 1));
        let team_command =
            |words: &[&str]| server.member(team, programs::plants(words, &store.base_url, journal.path()));
        seconds(&mut team_command(&["team", "join", "--yes"]));
        let begun = Instant::now();
        seconds(&mut server.member(team, import(&store.base_url, journal.path())));
        let ended = begun.elapsed().as_secs_f64();
        seconds(&mut team_command(&["team", "sync"]));
        let published = begun.elapsed().as_secs_f64();
        last.set(Some((journal, team, store)));
        [ended, published].map(per_second)
    };
    let what: [Row<'_>; 2] =
        [("import in a team", rate, "≥ 0.75"), ("the same, until it is published", rate, "≥ 0.25")];
    compare(extent.long, what, in_team, ("without a team", alone));
    let Some((journal, team, store)) = last.take() else { return };
    let command =
        |words: &[&str], journal: &Path| server.member(team, programs::plants(words, &store.base_url, journal));
    // An add is an intent and an end.
    let other = folder();
    let read = seconds(&mut command(&["team", "join", "--yes"], other.path()));
    print_row(("reading entries of a team", rate, "≥ 50,000/s"), 2.0 * per_second(read), None);
    seconds(&mut command(&["team", "compact", "--all", "--yes"], journal.path()));
    let begun = seconds(&mut command(&["team", "join", "--yes"], folder().path()));
    print_row(("beginning with a snapshot, plants", rate, "≥ 67,000/s"), per_second(begun), None);
    let rows = programs::rows(files.path(), 10_000_000, extent.endless);
    let mut import = server.member(team, programs::import(&rows, 8, &store.base_url, other.path())).spawn().unwrap();
    let settings = server.settings(team).map(|(name, value)| format!("{name}={value}").into());
    let program =
        ["env".into()].into_iter().chain(settings).chain(programs::interface(&store.base_url, journal.path()));
    let beside = press_all(extent.keys, count, program.collect());
    assert!(import.try_wait().unwrap().is_none(), "the import ended before the last key");
    import.kill().unwrap();
    import.wait().unwrap();
    print_row(("keys while entries of a team arrive, 99th percentile", milliseconds, "< 16 ms"), beside, None);
}
