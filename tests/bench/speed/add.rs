//! Measures the whole process of one add.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::spread::{folder, shown};
use crate::stores::{Kind, Store};
use crate::table::{Figure, Row, Table};
use crate::turns::{Side, in_turn};
use crate::{Extent, PLANTS, TOKEN, journals, reference};

/// The largest allowed ratio to `curl`.
const FIGURE: Figure = Figure::AtMost(1.0);

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let (empty, large) = (folder(), journals::large(extent));
    let store = Store::start(Kind::Demo);
    // Gives every plant another id.
    let next = std::cell::Cell::new(0);
    let next = || {
        next.set(next.get() + 1);
        next.get().to_string()
    };
    let url = &store.base_url;
    let mut sides: Vec<Side<'_, f64>> = vec![
        Box::new(|| timed(&mut plants(url, empty.path(), &next()))),
        Box::new(|| timed(&mut plants(url, &large, &next()))),
        Box::new(|| timed(Command::new(PLANTS).arg("--version"))),
    ];
    let has_curl = reference::is_installed("curl");
    if has_curl {
        sides.push(Box::new(|| timed(&mut curl(url, &next()))));
    }
    let measured = in_turn(extent.short, sides);
    table.part("One add: the whole process, durable journal included, to plants serve");
    let (curl, note) = if has_curl { (&measured[3][..], "") } else { (&[][..], "there is no curl") };
    let large = format!("plants add, {} plants in the journal", extent.plants);
    let names = ["plants add", &large, "plants --version, for comparison"];
    for (at, what) in names.into_iter().enumerate() {
        let figure = (at < 2).then_some(FIGURE);
        table.row(&Row { what, ours: &measured[at], other: Some(("curl", curl)), figure, shown, note });
    }
}

fn plants(url: &str, journal: &Path, id: &str) -> Command {
    let mut command = Command::new(PLANTS);
    command.args(["add", "--json", "--base-url", url, "--id", id, "--name", "Monstera", "--tag", "tropical"]);
    command.arg("--data-dir").arg(journal).env("PLANTS_TOKEN", TOKEN);
    command
}

fn curl(url: &str, id: &str) -> Command {
    let mut command = Command::new("curl");
    command.args(["--silent", "--show-error", "--fail", "--header", &format!("Authorization: Bearer {TOKEN}")]);
    command.args(["--header", "Content-Type: application/json", "--data"]);
    command.arg(format!(r#"{{"name":"Monstera","id":{id},"tag":"tropical"}}"#)).arg(format!("{url}/plants"));
    command
}

/// Runs a program, which must succeed, and returns the seconds that it takes.
fn timed(command: &mut Command) -> f64 {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    let ended = command.status().unwrap();
    let seconds = begun.elapsed().as_secs_f64();
    assert!(ended.success(), "{ended}: {command:?}");
    seconds
}
