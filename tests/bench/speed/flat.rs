//! How much memory an import holds while it runs: no more for a long file than for a short one.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::process::memory;
use crate::rows::Rows;
use crate::spread::folder;
use crate::stores::{Kind, Place, Store, pinned};
use crate::table::{Figure, Row, Table, mebibytes};
use crate::{Extent, PLANTS, TOKEN};

/// How much more the long one may hold, by the medians.
const FIGURE: Figure = Figure::AtMost(1.1);

/// Between two looks.
const STEP: Duration = Duration::from_millis(10);

/// The short file is imported so many times, each time as new: its import is over in a moment.
const SHORT_ONES: usize = 5;

/// What part of the looks, the first ones, does not count: the program begins.
const BEGINNING: usize = 10;

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let (few, many) = extent.rows;
    let files = folder();
    let (short, long) = (Rows::written(files.path(), 1, few), Rows::written(files.path(), 1, many));
    let one = (0..SHORT_ONES).map(|_| held(&short)).collect::<Result<Vec<_>, _>>();
    let measured = one.map(|held| held.concat()).and_then(|one| Ok((Held::of(one), Held::of(held(&long)?))));
    let (short, long, note) = match measured {
        Ok((short, long)) => (short, long, "told by Linux alone".to_owned()),
        Err(why) => (None, None, why),
    };
    table.part(&format!("Resident memory of plants import, {many} rows and {few} rows, after its first tenth"));
    let name = format!("{few} rows");
    for (what, pick, figure) in [
        ("least", (|held| held.least) as fn(&Held) -> f64, None),
        ("median", |held| held.median, Some(FIGURE)),
        ("most", |held| held.most, None),
    ] {
        let value = |held: &Option<Held>| held.iter().map(pick).collect::<Vec<_>>();
        let (ours, other) = (value(&long), value(&short));
        let note = if ours.is_empty() { note.as_str() } else { "" };
        let what = format!("plants import, {many} rows: {what}");
        table.row(&Row { what: &what, ours: &ours, other: Some((&name, &other)), figure, shown: mebibytes, note });
    }
}

/// Bytes.
struct Held {
    least: f64,
    median: f64,
    most: f64,
}

impl Held {
    /// `None` if nobody looked.
    fn of(mut looks: Vec<f64>) -> Option<Self> {
        looks.sort_by(f64::total_cmp);
        let median = *looks.get(looks.len() / 2)?;
        Some(Self { least: *looks.first()?, median, most: *looks.last()? })
    }
}

/// Bytes at each look, from the first tenth of the import to its end; why not, if it failed.
fn held(rows: &Rows) -> Result<Vec<f64>, String> {
    let (store, journal) = (Store::start(Kind::Minimal), folder());
    let mut command = pinned(Place::Client, PLANTS);
    command.arg("import").arg(&rows.path).args(["--base-url", &store.base_url]);
    command.arg("--data-dir").arg(journal.path()).env("PLANTS_TOKEN", TOKEN);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|why| why.to_string())?;
    let mut looks = Vec::new();
    let ended = loop {
        if let Some(ended) = child.try_wait().map_err(|why| why.to_string())? {
            break ended;
        }
        // Of one that has just ended there is nothing to see.
        looks.extend(memory(child.id()).map(|(now, _)| now));
        thread::sleep(STEP);
    };
    if !ended.success() {
        return Err(format!("{ended}: {command:?}"));
    }
    let beginning = looks.len().div_ceil(BEGINNING);
    Ok(looks.into_iter().skip(beginning).collect())
}
