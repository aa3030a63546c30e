//! A report of exchanges, or of a run of the check: composed, and written into a new file, whole or
//! not at all.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::new_file::{Existing, NewFile, in_words};
use crate::app::Msg;
use crate::domain::check::{self, Format};
use crate::domain::{StoreUrl, report};
use crate::journal::{Journal, JournalError, Kept, Pages, Search};

/// Columns of a run of the check in plain text.
const COLUMNS: usize = 100;

/// The head of a report of what these pages have, and the pages once more: the counts come
/// first, so everything is read twice.
///
/// # Errors
///
/// The journal cannot be read.
pub async fn headed<'a>(mut pages: Pages<'a>, store: &StoreUrl) -> Result<(String, Pages<'a>), JournalError> {
    let mut summary = report::Summary::default();
    loop {
        let page = pages.next().await?;
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
    Ok((head, pages.again()))
}

/// One exchange of a report, the how-manieth it is.
pub fn entry(number: usize, kept: &Kept) -> String {
    let mut entry = String::new();
    let _ = report::entry(&mut entry, number, &kept.exchange, kept.called.as_ref());
    entry
}

/// Writes a report of what fits a search to a new file at `path`.
pub(super) async fn written(journal: Journal, store: StoreUrl, search: Search, path: PathBuf) -> Msg {
    let written = write(&journal, &store, &search, &path).await;
    Msg::Reported(path, written)
}

/// The same, and tells how many exchanges it has; or why not, in words for people: there is such a
/// file, it cannot be written, the journal cannot be read.
async fn write(journal: &Journal, store: &StoreUrl, search: &Search, path: &Path) -> Result<usize, String> {
    let file = NewFile::begin(path, Existing::Kept).map_err(|why| in_words(&why))?;
    fill(file, Pages::of(journal, search, usize::MAX), store).await
}

/// Writes a run of the check to a new file at `path`.
pub(super) fn write_check(path: PathBuf, format: Format, run: &check::Report) -> Msg {
    let text = check::render(run, format, COLUMNS);
    let written = NewFile::begin(&path, Existing::Kept).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.end()
    });
    let written = written.map_err(|why| in_words(&why));
    Msg::CheckWritten(path, written)
}

async fn fill(mut out: NewFile, pages: Pages<'_>, store: &StoreUrl) -> Result<usize, String> {
    let mut put = |text: String| out.write_all(text.as_bytes()).map_err(|why| in_words(&why));
    let (head, mut pages) = headed(pages, store).await.map_err(|why| why.to_string())?;
    put(head)?;
    let mut count = 0;
    loop {
        let page = pages.next().await.map_err(|why| why.to_string())?;
        if page.is_empty() {
            break;
        }
        for kept in &page {
            count += 1;
            put(entry(count, kept))?;
        }
    }
    out.end().map_err(|why| in_words(&why))?;
    Ok(count)
}
