//! Measures the memory of an import, which must not grow with the file.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::cores::Core;
use crate::process::memory;
use crate::rows::Rows;
use crate::spread::folder;
use crate::store::{Head, Store};
use crate::table::{Other, Row, Table, megabytes};
use crate::{Extent, PLANTS, TOKEN};

/// The time between two samples.
const STEP: Duration = Duration::from_millis(10);

/// Imports of the short file, for enough samples.
const SHORT_IMPORTS: usize = 5;

/// The first samples, this fraction of all, are skipped: the program starts.
const SKIPPED_FRACTION: usize = 10;

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let (few, many) = extent.rows;
    let files = folder();
    let (short, long) = (Rows::written(files.path(), few), Rows::written(files.path(), many));
    let one: Vec<_> = (0..SHORT_IMPORTS).flat_map(|_| usage(&short)).collect();
    let (what, name) = (format!("resident memory of an import of {many} rows"), format!("{few} rows"));
    let all = usage(&long);
    table.row(&Row { what: &what, ours: &all, other: Other::Program(&name, &one), shown: megabytes });
}

/// Imports a file and samples the bytes in memory, after the first tenth of the time.
fn usage(rows: &Rows) -> Vec<f64> {
    let (store, journal) = (Store::start(Core::Any, Head::Short), folder());
    let mut command = Command::new(PLANTS);
    command.arg("import").arg(&rows.path).args(["--base-url", &store.base_url]);
    command.arg("--data-dir").arg(journal.path()).env("PLANTS_TOKEN", TOKEN);
    // Without it, the system tells only root the memory of the program.
    command.env("PLANTS_DUMPABLE", "1");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut samples = Vec::new();
    let ended = loop {
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        // `None` if the process has just ended.
        samples.extend(memory(child.id()).map(|memory| memory.resident));
        thread::sleep(STEP);
    };
    assert!(ended.success(), "{ended}: {command:?}");
    let skipped = samples.len().div_ceil(SKIPPED_FRACTION);
    samples.into_iter().skip(skipped).collect()
}
