//! Measures the whole process of one add.

use std::cell::Cell;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::cores::Core;
use crate::process::children;
use crate::spread::{folder, shown};
use crate::store::{Head, Store};
use crate::table::{Other, Row, Table};
use crate::turns::{Side, in_turn};
use crate::{Extent, PLANTS, TOKEN, journals, reference, rows};

/// Adds of one round. The system counts processor time in hundredths of a second.
const ROUND: u32 = 20;

/// Ids greater than those of every journal.
const FIRST: u32 = 20_000_000;

/// Seconds of one add.
struct Seconds {
    wall: f64,
    /// `None` where the system does not tell.
    processor: Option<f64>,
}

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let store = Store::start(Core::Any, Head::Short);
    let url = &store.base_url;
    let (empty, large) = (folder(), journals::copy_for(&journals::large(extent), url));
    let next = Cell::new(FIRST);
    let next = || next.replace(next.get() + 1);
    let has_curl = reference::is_installed("curl");
    let sides: Vec<Side<'_, Seconds>> = vec![
        Box::new(|| round(|| plants(url, empty.path(), next()))),
        Box::new(|| round(|| plants(url, large.path(), next()))),
        Box::new(|| round(|| if has_curl { curl(url, next()) } else { reference_loop(url) })),
    ];
    let measured = in_turn(extent.adds.div_ceil(ROUND as usize), sides);
    let name = if has_curl { "curl" } else { "reqwest" };
    let of =
        |at: usize, pick: fn(&Seconds) -> Option<f64>| -> Vec<f64> { measured[at].iter().filter_map(pick).collect() };
    let large = format!("{} plants", extent.plants);
    for (at, journal) in [(0, "empty journal"), (1, &large)] {
        for (what, pick) in [
            ("wall time", (|seconds| Some(seconds.wall)) as fn(&Seconds) -> Option<f64>),
            ("processor time", |seconds| seconds.processor),
        ] {
            let (what, other) = (format!("one add, {journal}: {what}"), of(2, pick));
            table.row(&Row { what: &what, ours: &of(at, pick), other: Other::Program(name, &other), shown });
        }
    }
}

fn plants(url: &str, journal: &Path, id: u32) -> Command {
    let mut command = Command::new(PLANTS);
    command.args(["add", "--json", "--base-url", url]).args(rows::arguments(id));
    command.arg("--data-dir").arg(journal).env("PLANTS_TOKEN", TOKEN);
    command
}

fn curl(url: &str, id: u32) -> Command {
    let mut command = Command::new("curl");
    command.args(["--silent", "--show-error", "--fail", "--header", &format!("Authorization: Bearer {TOKEN}")]);
    command.args(["--header", "Content-Type: application/json", "--data", &rows::body(id)]);
    command.arg(format!("{url}/plants"));
    command
}

fn reference_loop(url: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([reference::LOOP, url, "1", "1"]);
    command
}

/// Runs programs one after the other, which must succeed, and returns the means.
fn round(command: impl Fn() -> Command) -> Seconds {
    let mut commands: Vec<_> = (0..ROUND).map(|_| command()).collect();
    let (begun, before) = (Instant::now(), children());
    for command in &mut commands {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let ended = command.status().unwrap();
        assert!(ended.success(), "{ended}: {command:?}");
    }
    let mean = |seconds: f64| seconds / f64::from(ROUND);
    let wall = mean(begun.elapsed().as_secs_f64());
    Seconds { wall, processor: children().zip(before).map(|(after, before)| mean(after - before)) }
}
