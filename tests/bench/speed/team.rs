//! Measures a team: publishing, reading, and beginning with a snapshot. Needs `nats-server`.

use std::cell::Cell;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::commands::seconds;
use crate::programs::{self, folder};
use crate::store::Store;
use crate::{Extent, Row, compare, print_row, rate};

/// A server with a folder of its own. It ends when this is dropped.
struct Server {
    child: Child,
    url: String,
    _folder: TempDir,
}

impl Server {
    /// Starts a server on a free port; `None` if there is none to start.
    fn start() -> Option<Self> {
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
        Some(Self { child, url, _folder: folder })
    }

    /// Prepares a command of a member of the team with this store.
    fn member(&self, store: u32, mut command: Command) -> Command {
        command.env("PLANTS_TEAM", &self.url).env("PLANTS_TEAM_STORE", store.to_string());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Compares an import in a team with one without, until the command ends and until the stream has all entries; and
/// measures a member that reads these, and one that begins with a snapshot.
pub(crate) fn teams(extent: &Extent) {
    let Some(server) = Server::start() else { return println!("| a team: nats-server is not installed | | | | |") };
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
        last.set(Some((journal, team, store.base_url.clone())));
        [ended, published].map(per_second)
    };
    let what: [Row<'_>; 2] =
        [("import in a team", rate, "≥ 0.75"), ("the same, until it is published", rate, "≥ 0.25")];
    compare(extent.long, what, in_team, ("without a team", alone));
    let Some((journal, team, base_url)) = last.take() else { return };
    let command = |words: &[&str], journal: &Path| server.member(team, programs::plants(words, &base_url, journal));
    // An add is an intent and an end.
    let read = seconds(&mut command(&["team", "join", "--yes"], folder().path()));
    print_row(("reading entries of a team", rate, "≥ 50,000/s"), 2.0 * per_second(read), None);
    seconds(&mut command(&["team", "compact", "--all", "--yes"], journal.path()));
    let begun = seconds(&mut command(&["team", "join", "--yes"], folder().path()));
    print_row(("beginning with a snapshot, plants", rate, "≥ 67,000/s"), per_second(begun), None);
}
