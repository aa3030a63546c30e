//! Measures the memory of an import, which must not grow with the file.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::process::memory;
use crate::rows::Rows;
use crate::spread::folder;
use crate::stores::{Kind, Place, Store, pinned};
use crate::table::{Figure, Row, Table, mebibytes};
use crate::{Extent, PLANTS, TOKEN};

/// The largest allowed ratio of the long file to the short one, by the medians.
const FIGURE: Figure = Figure::AtMost(1.1);

/// The time between two samples.
const STEP: Duration = Duration::from_millis(10);

/// Imports of the short file, for enough samples.
const SHORT_IMPORTS: usize = 5;

/// The first samples, this fraction of all, are skipped: the program starts.
const SKIPPED_FRACTION: usize = 10;

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let (few, many) = extent.rows;
    let files = folder();
    let (short, long) = (Rows::written(files.path(), 1, few), Rows::written(files.path(), 1, many));
    let one = (0..SHORT_IMPORTS).map(|_| usage(&short)).collect::<Result<Vec<_>, _>>();
    let measured = one.map(|usage| usage.concat()).and_then(|one| Ok((Usage::of(one), Usage::of(usage(&long)?))));
    let (short, long, note) = match measured {
        Ok((short, long)) => (short, long, "measured on Linux only".to_owned()),
        Err(why) => (None, None, why),
    };
    table.part(&format!("Resident memory of plants import, {many} rows and {few} rows, after its first tenth"));
    let name = format!("{few} rows");
    for (what, pick, figure) in [
        ("least", (|usage| usage.least) as fn(&Usage) -> f64, None),
        ("median", |usage| usage.median, Some(FIGURE)),
        ("most", |usage| usage.most, None),
    ] {
        let value = |usage: &Option<Usage>| usage.iter().map(pick).collect::<Vec<_>>();
        let (ours, other) = (value(&long), value(&short));
        let note = if ours.is_empty() { note.as_str() } else { "" };
        let what = format!("plants import, {many} rows: {what}");
        table.row(&Row { what: &what, ours: &ours, other: Some((&name, &other)), figure, shown: mebibytes, note });
    }
}

/// Bytes.
struct Usage {
    least: f64,
    median: f64,
    most: f64,
}

impl Usage {
    /// Returns `None` without samples.
    fn of(mut samples: Vec<f64>) -> Option<Self> {
        samples.sort_by(f64::total_cmp);
        let median = *samples.get(samples.len() / 2)?;
        Some(Self { least: *samples.first()?, median, most: *samples.last()? })
    }
}

/// Imports a file and samples the bytes in memory, after the first tenth of the time.
fn usage(rows: &Rows) -> Result<Vec<f64>, String> {
    let (store, journal) = (Store::start(Kind::Minimal), folder());
    let mut command = pinned(Place::Client, PLANTS);
    command.arg("import").arg(&rows.path).args(["--base-url", &store.base_url]);
    command.arg("--data-dir").arg(journal.path()).env("PLANTS_TOKEN", TOKEN);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|why| why.to_string())?;
    let mut samples = Vec::new();
    let ended = loop {
        if let Some(ended) = child.try_wait().map_err(|why| why.to_string())? {
            break ended;
        }
        // `None` if the process has just ended.
        samples.extend(memory(child.id()).map(|(now, _)| now));
        thread::sleep(STEP);
    };
    if !ended.success() {
        return Err(format!("{ended}: {command:?}"));
    }
    let skipped = samples.len().div_ceil(SKIPPED_FRACTION);
    Ok(samples.into_iter().skip(skipped).collect())
}
