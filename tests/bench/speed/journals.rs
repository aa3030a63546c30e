//! The journals of the measured programs.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use plants::domain::StoreUrl;
use plants::journal::file_in;
use tempfile::TempDir;

use crate::filled::fill;
use crate::session::Program;
use crate::spread::folder;
use crate::{Extent, PLANTS, TOKEN};

/// The base URL of these journals, without a store.
pub(crate) const STORE: &str = "http://127.0.0.1:9";

/// Exchanges of each plant.
const EXCHANGES: u32 = 3;

/// Returns the folder of a journal with many plants. It is created once for each version of the tables, in the target
/// folder.
pub(crate) fn large(extent: &Extent) -> PathBuf {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = STORE.parse().unwrap();
    let seed = folder();
    runtime.block_on(fill(seed.path(), &store, 1, EXCHANGES));
    let version: u32 = rusqlite::Connection::open(file_in(seed.path()))
        .unwrap()
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    let cached = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("speed-{version}-{}", extent.plants));
    if !cached.exists() {
        eprintln!("creating a journal of {} plants in {}", extent.plants, cached.display());
        let new = folder();
        runtime.block_on(fill(new.path(), &store, extent.plants, EXCHANGES));
        // Whole or not at all.
        fs::rename(new.path(), &cached).unwrap();
    }
    cached
}

/// Copies such a journal and moves its plants to another store. Syncs the copy, so that writing it does not disturb the
/// measurement.
pub(crate) fn copy_for(large: &Path, base_url: &str) -> TempDir {
    let copy = folder();
    let file = file_in(copy.path());
    fs::copy(file_in(large), &file).unwrap();
    // Normalised like in the journal, which also has the stores of single adds.
    let [from, to] = [STORE, base_url].map(|url| url.parse::<StoreUrl>().unwrap().to_string());
    let journal = rusqlite::Connection::open(&file).unwrap();
    // One of them may have had the same port.
    journal.execute("UPDATE store SET url = url || '/before' WHERE url = ?1", [&to]).unwrap();
    let changed = journal.execute("UPDATE store SET url = ?2 WHERE url = ?1", [from, to]).unwrap();
    assert_eq!(changed, 1, "{base_url}");
    journal.close().unwrap();
    File::open(&file).unwrap().sync_all().unwrap();
    copy
}

/// Prepares the terminal interface on the journal in this folder, without a store.
pub(crate) fn interface(folder: &Path) -> Program {
    interface_to(STORE, folder)
}

/// Prepares the terminal interface on the journal in this folder, for the store at this base URL.
pub(crate) fn interface_to(base_url: &str, folder: &Path) -> Program {
    let words = [PLANTS.as_ref(), "--base-url".as_ref(), base_url.as_ref(), "--data-dir".as_ref(), folder.as_os_str()];
    Program { words: words.map(OsString::from).to_vec(), environment: vec![("PLANTS_TOKEN", TOKEN.to_owned())] }
}

/// Prepares the terminal interface on the demo store.
pub(crate) fn demo() -> Program {
    Program { words: vec![PLANTS.into(), "--demo".into()], environment: Vec::new() }
}
