//! The readers of what comes from outside, each given any bytes at all: none of them panics,
//! all they say is harmless, and what they understood is what stands there.
//!
//! `tests/library/fuzz.rs` runs them over the corpus with every `cargo test`, and for as long as one likes;
//! `tests/fuzz/runs` hands them to libFuzzer.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use plants::domain::text::clean;

mod config;
mod import;
mod journal_row;
mod keys;
mod response;

/// A reader, and the name of its corpus.
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    pub(crate) read: fn(&[u8]),
}

/// All of them.
pub(crate) static ALL: [Reader; 5] = [
    Reader { name: "config", read: config::read },
    Reader { name: "import", read: import::read },
    Reader { name: "response", read: response::read },
    Reader { name: "journal_row", read: journal_row::read },
    Reader { name: "keys", read: keys::read },
];

/// The reader of this name.
pub(crate) fn reader(name: &str) -> &'static Reader {
    ALL.iter().find(|reader| reader.name == name).expect("a reader of this name")
}

/// What is shown must be the same once it is cleaned again: nothing in it acts or hides.
fn harmless(shown: &str) {
    for line in shown.split('\n') {
        assert_eq!(clean(line), line, "this could act on a terminal, or hides something");
    }
}

/// What one line is to hold.
fn harmless_line(shown: &str) {
    assert!(!shown.contains('\n'), "{shown:?} is more than one line");
    harmless(shown);
}

thread_local! {
    /// Tests run side by side, each in a thread of its own.
    static FOLDER: RefCell<Option<tempfile::TempDir>> = const { RefCell::new(None) };
}

/// A folder of this thread, in memory where the system has that: nothing here is to survive.
fn folder() -> PathBuf {
    FOLDER.with_borrow_mut(|folder| {
        let in_memory = Path::new("/dev/shm");
        let make = || if in_memory.is_dir() { tempfile::tempdir_in(in_memory) } else { tempfile::tempdir() };
        folder.get_or_insert_with(|| make().expect("a folder")).path().to_path_buf()
    })
}

/// An empty folder in it.
fn empty(name: &str) -> PathBuf {
    let path = folder().join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir(&path).expect("a folder");
    path
}
