//! Measures the memory of the program after its start.

use std::time::Duration;

use crate::process::memory;
use crate::session::{Program, Session};
use crate::spread::folder;
use crate::table::{Figure, Row, Table, mebibytes};
use crate::turns::{Side, in_turn};
use crate::{Extent, journals, reference};

/// A program that writes nothing for this long has started.
const QUIET: Duration = Duration::from_millis(300);

/// The largest allowed ratio to the bare program with a client.
const FIGURE: Figure = Figure::AtMost(1.5);

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let [bare, client] = reference::programs();
    let (empty, large) = (folder(), journals::large(extent));
    let programs = [client, bare, journals::interface(empty.path()), journals::interface(&large), journals::demo()];
    let sides =
        programs.iter().map(|program| -> Side<'_, Option<(f64, f64)>> { Box::new(|| usage(program)) }).collect();
    let measured = in_turn(extent.long, sides);
    let of = |at: usize, pick: fn((f64, f64)) -> f64| -> Vec<f64> {
        measured[at].iter().filter_map(|usage| usage.map(pick)).collect()
    };
    table.part("Resident memory once started: then, and at most until then");
    let large = format!("{} plants", extent.plants);
    let names = ["bare ratatui", "empty journal", &large, "demo store"];
    for (at, name) in (1..).zip(names) {
        let figure = (2..=3).contains(&at).then_some(FIGURE);
        for (what, pick, figure) in [
            (name.to_owned(), (|usage| usage.0) as fn((f64, f64)) -> f64, figure),
            (format!("{name}: at most"), |usage| usage.1, None),
        ] {
            let (ours, other) = (of(at, pick), of(0, pick));
            let note = if ours.is_empty() { "measured on Linux only" } else { "" };
            let other = Some(("bare ratatui + tokio + reqwest", &other[..]));
            table.row(&Row { what: &what, ours: &ours, other, figure, shown: mebibytes, note });
        }
    }
}

fn usage(program: &Program) -> Option<(f64, f64)> {
    let mut session = Session::start(program);
    session.until("a frame", |screen| !screen.contents().trim().is_empty());
    session.until_quiet(QUIET);
    let usage = memory(session.pid());
    session.quit();
    usage
}
