//! Writes a report of exchanges into a new file: whole, or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use crate::domain::{StoreUrl, report};
use crate::journal::{Journal, Kept, Search};

/// Exchanges read at once: they come with their bodies.
const PAGE: usize = 200;

/// Writes a report of what fits a search to a new file at `path`, and tells how many exchanges
/// it has.
///
/// # Errors
///
/// In words for people: there is such a file, it cannot be written, the journal cannot be read.
pub(super) async fn write(journal: &Journal, store: &StoreUrl, search: &Search, path: &Path) -> Result<usize, String> {
    let file = File::create_new(path).map_err(|why| in_words(&why))?;
    let written = fill(file, journal, store, search).await;
    if written.is_err() {
        // Half a report is none.
        let _ = fs::remove_file(path);
    }
    written
}

async fn fill(file: File, journal: &Journal, store: &StoreUrl, search: &Search) -> Result<usize, String> {
    let mut out = BufWriter::new(file);
    let mut put = |text: String| out.write_all(text.as_bytes()).map_err(|why| in_words(&why));
    // The counts come first, so everything is read twice.
    let mut summary = report::Summary::default();
    let mut newest = None;
    let mut pages = Pages { journal, search, before: None };
    loop {
        let page = pages.next().await?;
        newest = newest.or(page.first().map(|kept| kept.place));
        if page.is_empty() {
            break;
        }
        for kept in &page {
            summary.add(&kept.exchange);
        }
    }
    let mut head = String::new();
    // Writing to a string cannot fail.
    let _ = report::head(&mut head, store, &summary);
    put(head)?;
    // What came since is not in the counts, so it is not in the report.
    let mut pages = Pages { journal, search, before: newest.and_then(|newest| newest.checked_add(1)) };
    let mut count = 0;
    loop {
        let page = pages.next().await?;
        if page.is_empty() {
            break;
        }
        for kept in page {
            count += 1;
            let mut entry = String::new();
            let _ = report::entry(&mut entry, count, &kept.exchange, kept.called.as_ref());
            put(entry)?;
        }
    }
    out.flush().map_err(|why| in_words(&why))?;
    Ok(count)
}

/// What a search finds, page by page, newest first.
struct Pages<'a> {
    journal: &'a Journal,
    search: &'a Search,
    before: Option<i64>,
}

impl Pages<'_> {
    /// An empty one is the end.
    async fn next(&mut self) -> Result<Vec<Kept>, String> {
        let found = self.journal.exchanges(self.search.clone(), self.before, PAGE).await;
        let found = found.map_err(|why| why.to_string())?;
        self.before = found.last().map(|kept| kept.place).or(self.before);
        Ok(found)
    }
}

fn in_words(why: &io::Error) -> String {
    if why.kind() == io::ErrorKind::AlreadyExists {
        "there is such a file already, and none is overwritten: choose another name".to_owned()
    } else {
        why.to_string()
    }
}
