//! The journals of the measured programs.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use plants::domain::StoreUrl;
use plants::journal::file_in;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::cores::Core;
use crate::import::import;
use crate::rows::Rows;
use crate::session::Program;
use crate::spread::folder;
use crate::store::{Head, Store};
use crate::{Extent, PLANTS, TOKEN};

/// The base URL of these journals, without a store.
pub(crate) const STORE: &str = "http://127.0.0.1:9";

/// Requests in flight at a time while a journal is created.
const CONCURRENCY: u32 = 64;

/// Returns the folder of a journal with many plants. It is created by an import, once for each text of the schema, in
/// the target folder.
pub(crate) fn large(extent: &Extent) -> PathBuf {
    let files = folder();
    let schema = {
        let small = imported(&Rows::written(files.path(), 1));
        let journal = Connection::open(file_in(small.path())).unwrap();
        let schema = "SELECT group_concat(sql) FROM sqlite_schema";
        let mut hasher = DefaultHasher::new();
        journal.query_row(schema, [], |row| row.get::<_, String>(0)).unwrap().hash(&mut hasher);
        hasher.finish()
    };
    let cached = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("speed-{schema:016x}-{}", extent.plants));
    if !cached.exists() {
        eprintln!("creating a journal of {} plants in {}", extent.plants, cached.display());
        let new = imported(&Rows::written(files.path(), extent.plants));
        // Whole or not at all.
        fs::rename(new.path(), &cached).unwrap();
    }
    cached
}

/// Imports into a new journal, for [`STORE`].
fn imported(rows: &Rows) -> TempDir {
    let (journal, store) = (folder(), Store::start(Core::Any, Head::Short));
    import(rows, CONCURRENCY, Core::Any, &store, journal.path());
    assign(&file_in(journal.path()), &store.base_url, STORE);
    journal
}

/// Moves the plants of a journal to another store.
fn assign(file: &Path, from: &str, to: &str) {
    // Normalised like in the journal.
    let [from, to] = [from, to].map(|url| url.parse::<StoreUrl>().unwrap().to_string());
    let journal = Connection::open(file).unwrap();
    let changed = journal.execute("UPDATE store SET url = ?2 WHERE url = ?1", [&from, &to]).unwrap();
    assert_eq!(changed, 1, "{from}");
    journal.close().unwrap();
}

/// Copies such a journal and moves its plants to another store. Syncs the copy, so that writing it does not disturb the
/// measurement.
pub(crate) fn copy_for(large: &Path, base_url: &str) -> TempDir {
    let copy = folder();
    let file = file_in(copy.path());
    fs::copy(file_in(large), &file).unwrap();
    assign(&file, STORE, base_url);
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
