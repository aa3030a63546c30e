//! The journals that the program is started on.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

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
    let version: u32 = rusqlite::Connection::open(plants::journal::file_in(seed.path()))
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

/// The terminal interface on the journal in this folder, with nothing sent.
pub(crate) fn interface(folder: &Path) -> Program {
    let words = [PLANTS.as_ref(), "--base-url".as_ref(), STORE.as_ref(), "--data-dir".as_ref(), folder.as_os_str()];
    Program { words: words.map(OsString::from).to_vec(), environment: vec![("PLANTS_TOKEN", TOKEN.to_owned())] }
}

/// The terminal interface on the demo store.
pub(crate) fn demo() -> Program {
    Program { words: vec![PLANTS.into(), "--demo".into()], environment: Vec::new() }
}
