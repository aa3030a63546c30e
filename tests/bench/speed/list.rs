//! Measures the two commands that print every plant.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::spread::shown;
use crate::table::{Other, Row, Table};
use crate::turns::in_turn;
use crate::{Extent, PLANTS, journals};

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let large = journals::large(extent);
    let measured = in_turn(
        extent.long,
        vec![Box::new(|| timed(&["list", "--json"], &large)), Box::new(|| timed(&["export"], &large))],
    );
    let other = Other::Program("plants export", &measured[1]);
    let what = format!("plants list --json, {} plants", extent.plants);
    table.row(&Row { what: &what, ours: &measured[0], other, shown });
}

/// Returns the seconds that a command takes, whose output is discarded.
fn timed(words: &[&str], journal: &Path) -> f64 {
    let mut command = Command::new(PLANTS);
    command.args(words).args(["--base-url", journals::STORE]).arg("--data-dir").arg(journal);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    let ended = command.status().unwrap();
    assert!(ended.success(), "{ended}: {command:?}");
    begun.elapsed().as_secs_f64()
}
