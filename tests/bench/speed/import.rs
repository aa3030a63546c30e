//! Measures the rate of many adds.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::cores::{Core, command, no_pinning};
use crate::rows::{self, Rows};
use crate::spread::folder;
use crate::store::{Head, Store};
use crate::table::{Other, Row, Table, rate};
use crate::turns::{Side, in_turn};
use crate::{Extent, PLANTS, TOKEN, reference};

/// Requests in flight at a time.
const CONCURRENCY: [u32; 2] = [8, 64];

/// `curl` sends this fraction of the requests, as it is slower.
const CURL_FRACTION: u32 = 5;

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let files = folder();
    let rows = Rows::written(files.path(), extent.many);
    let installed: Vec<_> = ["oha", "curl"].into_iter().filter(|name| reference::is_installed(name)).collect();
    for (what, [stores, clients]) in
        [("import", [Core::Any; 2]), ("import on one core, the store on another", [Core::First, Core::Second])]
    {
        for concurrency in CONCURRENCY {
            let what = format!("{what}, {concurrency} at a time");
            if let Some(why) = no_pinning().filter(|_| clients != Core::Any) {
                table.missing(&what, why);
                continue;
            }
            // Each has a store of its own, and an import an empty journal.
            let with = |send: &dyn Fn(&Store) -> f64| send(&Store::start(stores, Head::Short));
            let mut sides: Vec<Side<'_, f64>> = vec![
                Box::new(|| with(&|store| import(&rows, concurrency, clients, store, folder().path()))),
                Box::new(|| with(&|store| reference_loop(rows.count, concurrency, clients, store))),
            ];
            for name in &installed {
                sides.push(match *name {
                    "oha" => Box::new(|| with(&|store| oha(rows.count, concurrency, clients, store))),
                    _ => Box::new(|| with(&|store| curl(rows.count / CURL_FRACTION, concurrency, clients, store))),
                });
            }
            let measured = in_turn(extent.long, sides);
            for (name, other) in ["reqwest"].iter().chain(&installed).zip(&measured[1..]) {
                let name = if *name == "curl" { "curl --parallel" } else { *name };
                table.row(&Row { what: &what, ours: &measured[0], other: Other::Program(name, other), shown: rate });
            }
        }
    }
}

/// Imports into a journal; returns the rate of the whole process, with start, validation and every commit.
pub(crate) fn import(rows: &Rows, concurrency: u32, core: Core, store: &Store, journal: &Path) -> f64 {
    let mut command = command(core, PLANTS);
    command.arg("import").arg(&rows.path).args(["--concurrency", &concurrency.to_string()]);
    command.args(["--base-url", &store.base_url]).arg("--data-dir").arg(journal).env("PLANTS_TOKEN", TOKEN);
    let (seconds, _) = timed(&mut command);
    f64::from(rows.count) / seconds
}

fn reference_loop(count: u32, concurrency: u32, core: Core, store: &Store) -> f64 {
    let mut command = command(core, std::env::current_exe().unwrap());
    command.args([reference::LOOP, &store.base_url, &count.to_string(), &concurrency.to_string()]);
    let (seconds, _) = timed(&mut command);
    f64::from(count) / seconds
}

/// Returns the rate that oha reports, without its start.
fn oha(count: u32, concurrency: u32, core: Core, store: &Store) -> f64 {
    let mut command = command(core, "oha");
    command.args(["-n", &count.to_string(), "-c", &concurrency.to_string(), "--no-tui", "--output-format", "json"]);
    command.args(["-m", "POST", "-T", "application/json", "-H", &format!("Authorization: Bearer {TOKEN}")]);
    command.args(["-d", &rows::body(1), &format!("{}/plants", store.base_url)]);
    let (_, output) = timed(&mut command);
    let report: Value = serde_json::from_slice(&output).unwrap();
    report["summary"]["requestsPerSec"].as_f64().unwrap()
}

fn curl(count: u32, concurrency: u32, core: Core, store: &Store) -> f64 {
    let mut command = command(core, "curl");
    command.args(["--silent", "--parallel", "--parallel-immediate", "--parallel-max", &concurrency.to_string()]);
    command.args(["--output", "/dev/null", "--header", &format!("Authorization: Bearer {TOKEN}")]);
    command.args(["--header", "Content-Type: application/json", "--data", &rows::body(1)]);
    command.arg(format!("{}/plants?[1-{count}]", store.base_url));
    let (seconds, _) = timed(&mut command);
    f64::from(count) / seconds
}

/// Runs a program, which must succeed; returns the seconds that it takes, and its output.
fn timed(command: &mut Command) -> (f64, Vec<u8>) {
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    let output = command.output().unwrap();
    let seconds = begun.elapsed().as_secs_f64();
    assert!(output.status.success(), "{}: {command:?}", output.status);
    (seconds, output.stdout)
}
