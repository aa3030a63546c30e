//! The journals that the program is started on.

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

/// The store of these journals: nothing listens there.
pub(crate) const STORE: &str = "http://127.0.0.1:9";

/// Exchanges of each plant.
const EXCHANGES: u32 = 3;

/// The folder of a journal with many plants. It is made once for each version of the tables and
/// kept in the target folder.
pub(crate) fn large(extent: &Extent) -> PathBuf {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = STORE.parse().unwrap();
    let seed = folder();
    runtime.block_on(fill(seed.path(), &store, 1, EXCHANGES));
    let version: u32 = rusqlite::Connection::open(file_in(seed.path()))
        .unwrap()
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("speed-{version}-{}", extent.plants));
    if !kept.exists() {
        eprintln!("making a journal of {} plants in {}", extent.plants, kept.display());
        let making = folder();
        runtime.block_on(fill(making.path(), &store, extent.plants, EXCHANGES));
        // Whole or not at all.
        fs::rename(making.path(), &kept).unwrap();
    }
    kept
}

/// A copy of such a journal whose plants are in another store. It is on the disk when this returns,
/// so that writing it does not disturb what is measured.
pub(crate) fn copy_for(large: &Path, base_url: &str) -> TempDir {
    let copy = folder();
    let file = file_in(copy.path());
    fs::copy(file_in(large), &file).unwrap();
    // As the journal has them. Other stores are there, too: those that single adds went to.
    let [from, to] = [STORE, base_url].map(|url| url.parse::<StoreUrl>().unwrap().to_string());
    let journal = rusqlite::Connection::open(&file).unwrap();
    // A port may have been one of theirs.
    journal.execute("UPDATE store SET url = url || '/before' WHERE url = ?1", [&to]).unwrap();
    let changed = journal.execute("UPDATE store SET url = ?2 WHERE url = ?1", [from, to]).unwrap();
    assert_eq!(changed, 1, "{base_url}");
    journal.close().unwrap();
    File::open(&file).unwrap().sync_all().unwrap();
    copy
}

/// The terminal interface on the journal in this folder, with nothing sent.
pub(crate) fn interface(folder: &Path) -> Program {
    interface_to(STORE, folder)
}

/// The terminal interface on the journal in this folder, for the store at this base URL.
pub(crate) fn interface_to(base_url: &str, folder: &Path) -> Program {
    let words = [PLANTS.as_ref(), "--base-url".as_ref(), base_url.as_ref(), "--data-dir".as_ref(), folder.as_os_str()];
    Program { words: words.map(OsString::from).to_vec(), environment: vec![("PLANTS_TOKEN", TOKEN.to_owned())] }
}

/// The terminal interface on the demo store.
pub(crate) fn demo() -> Program {
    Program { words: vec![PLANTS.into(), "--demo".into()], environment: Vec::new() }
}
