//! Feeds random bytes to every part of the program that reads foreign data. Asserts that it does not panic, that the
//! texts it shows are harmless, and that it reads the same bytes always in the same way.
//!
//! `tests/library/fuzz.rs` runs the readers over the corpus with every `cargo test`; `tests/fuzz/runs` runs them under
//! libFuzzer.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use plants::text::clean;

mod config;
mod import;
mod journal_row;
mod keys;
mod message;
mod response;

/// A reader; its corpus has the same name.
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    pub(crate) read: fn(&[u8]),
}

pub(crate) static ALL: [Reader; 6] = [
    Reader { name: "config", read: config::read },
    Reader { name: "import", read: import::read },
    Reader { name: "response", read: response::read },
    Reader { name: "journal_row", read: journal_row::read },
    Reader { name: "keys", read: keys::read },
    Reader { name: "message", read: message::read },
];

pub(crate) fn reader(name: &str) -> &'static Reader {
    ALL.iter().find(|reader| reader.name == name).expect("a reader of this name")
}

/// Asserts that cleaning does not change the text: it has no control or invisible characters.
fn assert_harmless(shown: &str) {
    for line in shown.split('\n') {
        assert_eq!(clean(line), line, "a terminal could obey or hide a part of this");
    }
}

/// Asserts that the text is one line, and harmless.
fn assert_harmless_line(shown: &str) {
    assert!(!shown.contains('\n'), "{shown:?} is more than one line");
    assert_harmless(shown);
}

thread_local! {
    /// One folder for each thread, because tests run in parallel.
    static FOLDER: RefCell<Option<tempfile::TempDir>> = const { RefCell::new(None) };
}

/// Returns the folder of this thread, in memory if possible.
fn folder() -> PathBuf {
    FOLDER.with_borrow_mut(|folder| {
        let in_memory = Path::new("/dev/shm");
        let make = || if in_memory.is_dir() { tempfile::tempdir_in(in_memory) } else { tempfile::tempdir() };
        folder.get_or_insert_with(|| make().expect("a folder")).path().to_path_buf()
    })
}

/// Creates an empty folder in the folder of this thread.
fn empty_folder(name: &str) -> PathBuf {
    let path = folder().join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir(&path).expect("a folder");
    path
}
