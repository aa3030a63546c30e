//! Measures the rate of many adds.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use tempfile::TempDir;

use crate::rows::Rows;
use crate::spread::folder;
use crate::stores::{Kind, Place, Store, can_pin, pinned};
use crate::table::{Figure, Row, Table, rate};
use crate::turns::{Side, in_turn};
use crate::{Extent, PLANTS, TOKEN, reference};

/// The smallest allowed ratio to the load generator.
const FIGURE: Figure = Figure::AtLeast(0.8);

/// Requests in flight at a time.
const CONCURRENCY: [&str; 2] = ["8", "64"];

/// `curl` sends this fraction of the requests, as it is slower.
const CURL_FRACTION: u32 = 5;

/// The plants that each side adds.
struct Plants {
    /// The file for `plants import`.
    rows: Rows,
    /// A file with one request body in each line.
    bodies: PathBuf,
    _folder: TempDir,
}

impl Plants {
    fn new(count: u32) -> Self {
        let folder = folder();
        let (bodies, rows) = (folder.path().join("bodies"), Rows::written(folder.path(), 1, count));
        let mut lines = String::new();
        for id in 1..=count {
            writeln!(lines, r#"{{"name":"Monstera","id":{id},"tag":"tropical"}}"#).unwrap();
        }
        fs::write(&bodies, lines).unwrap();
        Self { rows, bodies, _folder: folder }
    }
}

/// Returns the requests in a second, or why the measurement failed.
type Sender<'a> = Box<dyn Fn(&Store) -> Result<f64, String> + 'a>;

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let plants = Plants::new(extent.many);
    let oha_path = reference::oha();
    let has_curl = reference::is_installed("curl");
    let place =
        if can_pin() { "store and client on a core each" } else { "store and client share the cores: no taskset" };
    table.part(&format!("{} adds, {place}", extent.many));
    for kind in [Kind::Demo, Kind::Minimal] {
        for concurrency in CONCURRENCY {
            let import: Sender<'_> = Box::new(|store| import(&plants, concurrency, store));
            let oha: Sender<'_> = Box::new(|store| match &oha_path {
                Ok(path) => oha(path, &plants, concurrency, store),
                Err(why) => Err(why.clone()),
            });
            let curl: Sender<'_> = Box::new(|store| curl(plants.rows.count / CURL_FRACTION, concurrency, store));
            let used = [true, oha_path.is_ok(), has_curl && kind == Kind::Minimal];
            let senders: Vec<_> = [import, oha, curl].into_iter().zip(used).filter(|(_, used)| *used).collect();
            let sides = senders.iter().map(|(send, _)| -> Side<'_, Result<f64, String>> {
                // Each begins with an empty store, and an import with an empty journal: no id exists already.
                Box::new(|| send(&Store::start(kind)))
            });
            let mut measured = in_turn(extent.long, sides.collect()).into_iter();
            let mut next = |used: bool, missing: &str| -> (Vec<f64>, String) {
                let rates = if used { measured.next().unwrap() } else { vec![Err(missing.to_owned())] };
                let why = rates.iter().find_map(|rate| rate.clone().err()).unwrap_or_default();
                (if why.is_empty() { rates.into_iter().flatten().collect() } else { Vec::new() }, why)
            };
            let (ours, failed) = next(used[0], "");
            let (oha, no_oha) = next(used[1], oha_path.as_ref().err().map_or("", String::as_str));
            let (curl, no_curl) = next(used[2], "there is no curl");
            let what = |name: &str| format!("{name}, {concurrency} at a time, {}", kind.name());
            let note = [failed, no_oha].into_iter().filter(|why| !why.is_empty()).collect::<Vec<_>>().join("; ");
            let other = Some(("oha", &oha[..]));
            table.row(&Row {
                what: &what("import"),
                ours: &ours,
                other,
                figure: Some(FIGURE),
                shown: rate,
                note: &note,
            });
            if kind == Kind::Minimal {
                table.row(&Row {
                    what: &what("curl --parallel"),
                    ours: &curl,
                    other,
                    figure: None,
                    shown: rate,
                    note: &no_curl,
                });
            }
        }
    }
}

/// Returns the rate of the whole process, with start, validation and every commit.
fn import(plants: &Plants, concurrency: &str, store: &Store) -> Result<f64, String> {
    let journal = folder();
    let mut command = pinned(Place::Client, PLANTS);
    command.arg("import").arg(&plants.rows.path).args(["--concurrency", concurrency, "--base-url", &store.base_url]);
    command.arg("--data-dir").arg(journal.path()).env("PLANTS_TOKEN", TOKEN);
    let (seconds, _) = timed(&mut command)?;
    Ok(f64::from(plants.rows.count) / seconds)
}

/// Returns the rate that oha reports, without its start.
fn oha(path: &Path, plants: &Plants, concurrency: &str, store: &Store) -> Result<f64, String> {
    let mut command = pinned(Place::Client, path);
    command.args(["-n", &plants.rows.count.to_string(), "-c", concurrency, "--no-tui", "--output-format", "json"]);
    command.args(["-m", "POST", "-T", "application/json", "-H", &format!("Authorization: Bearer {TOKEN}"), "-Z"]);
    command.arg(&plants.bodies).arg(format!("{}/plants", store.base_url));
    let (_, output) = timed(&mut command)?;
    let report: serde_json::Value = serde_json::from_slice(&output).map_err(|why| format!("oha: {why}"))?;
    report["summary"]["requestsPerSec"].as_f64().ok_or_else(|| "oha reports no rate".to_owned())
}

fn curl(count: u32, concurrency: &str, store: &Store) -> Result<f64, String> {
    let mut command = pinned(Place::Client, "curl");
    command.args([
        "--silent",
        "--parallel",
        "--parallel-immediate",
        "--parallel-max",
        concurrency,
        "--output",
        "/dev/null",
    ]);
    command.args(["--header", &format!("Authorization: Bearer {TOKEN}"), "--header", "Content-Type: application/json"]);
    command.args(["--data", r#"{"name":"Monstera","id":7,"tag":"tropical"}"#]);
    command.arg(format!("{}/plants?[1-{count}]", store.base_url));
    let (seconds, _) = timed(&mut command)?;
    Ok(f64::from(count) / seconds)
}

/// Runs a program; returns the seconds that it takes, and its output.
fn timed(command: &mut Command) -> Result<(f64, Vec<u8>), String> {
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    let output = command.output().map_err(|why| why.to_string())?;
    let seconds = begun.elapsed().as_secs_f64();
    if output.status.success() { Ok((seconds, output.stdout)) } else { Err(format!("{}: {command:?}", output.status)) }
}
