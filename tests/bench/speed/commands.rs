//! Measures commands: imports, single adds, and the contract check.

use std::cell::Cell;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::programs::{self, folder};
use crate::session::memory;
use crate::store::Store;
use crate::{Extent, compare, megabytes, milliseconds, print_row, rate};

/// `curl` sends this fraction of the requests, as it is slower.
const CURL_FRACTION: u32 = 5;

/// Adds of one round.
const ROUND: u32 = 20;

/// Rows of the two imports whose memory is compared.
const ROWS: [u32; 2] = [10_000, 200_000];

/// Compares the rate of an import, with start, validation and every commit, and its memory with that of a shorter one.
/// Each round has a store of its own, and an import an empty journal.
pub(crate) fn imports(extent: &Extent) {
    let (files, count) = (folder(), extent.imported);
    let rows = programs::rows(files.path(), 1, count);
    let per_second = |count: u32, command: &mut Command| [f64::from(count) / seconds(command)];
    let import = |concurrency: u32| {
        let (store, journal) = (Store::start(), folder());
        per_second(count, &mut programs::import(&rows, concurrency, &store.base_url, journal.path()))
    };
    for concurrency in [8, 64] {
        let requests = || per_second(count, &mut programs::requests(count, concurrency, &Store::start().base_url));
        let what = format!("import, {concurrency} at a time");
        compare(extent.long, [(&what, rate, "≥ 0.45")], || import(concurrency), ("reqwest", requests));
    }
    let count = count / CURL_FRACTION;
    let curl = || per_second(count, &mut programs::curl(count, 64, &Store::start().base_url));
    compare(extent.long, [("the same", rate, "> 1")], || import(64), ("curl --parallel", curl));
    let [short, long] = ROWS.map(|count| most_memory(&programs::rows(files.path(), 1, count)));
    let what = format!("memory of an import of {} rows", ROWS[1]);
    print_row((&what, megabytes, "flat"), long, Some((&format!("at {} rows", ROWS[0]), short)));
}

/// Imports a file; returns the most bytes of resident memory.
fn most_memory(rows: &std::path::Path) -> f64 {
    let (store, journal) = (Store::start(), folder());
    let mut child = programs::import(rows, 8, &store.base_url, journal.path()).spawn().unwrap();
    let mut most = f64::NAN;
    while child.try_wait().unwrap().is_none() {
        most = most.max(memory(child.id()));
        thread::sleep(Duration::from_millis(10));
    }
    most
}

/// Compares the whole process of one add with that of `curl`.
pub(crate) fn adds(extent: &Extent) {
    let store = Store::start();
    let url = &store.base_url;
    let (empty, large) = (folder(), programs::copy_for(&programs::large(extent), url));
    // Greater than every id of the journals.
    let next = Cell::new(20_000_000);
    let next = || next.replace(next.get() + 1);
    let mean =
        |command: &dyn Fn() -> Command| [(0..ROUND).map(|_| seconds(&mut command())).sum::<f64>() / f64::from(ROUND)];
    for (journal, what) in [(&empty, "an empty journal".to_owned()), (&large, format!("{} plants", extent.plants))] {
        let what = format!("one `plants add` to {what}");
        let add = || mean(&|| programs::add(next(), url, journal.path()));
        compare(extent.adds, [(&what, milliseconds, "≤ 1")], add, ("curl", || mean(&|| programs::curl(1, 1, url))));
    }
}

/// Measures the contract check of a store without lag.
pub(crate) fn checks(extent: &Extent) {
    let times = (0..extent.long).map(|_| seconds(&mut programs::check(folder().path()))).collect();
    print_row(("`plants check --demo`", milliseconds, "< 1 s"), crate::percentile(times, 50), None);
}

/// Runs a program, which must succeed; returns the seconds that it takes.
pub(crate) fn seconds(command: &mut Command) -> f64 {
    let begun = Instant::now();
    let ended = command.status().unwrap();
    assert!(ended.success(), "{ended}: {command:?}");
    begun.elapsed().as_secs_f64()
}
