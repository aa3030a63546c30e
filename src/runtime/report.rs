//! Writes requests, or a run of the check, to a new file, whole or not at all.
//!
//! Must not know which requests the user wants.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::har;
use super::new_file::{Existing, NewFile, Readers, WriteError, error_text};
use super::queries::each;
use crate::check::{self, Format};
use crate::domain::filter::Filter;
use crate::domain::{StoreUrl, report};
use crate::journal::{Journal, Pages};
use crate::tui::Msg;
use crate::tui::message::{WriteFault, Written};

/// Writes the exchanges that match a search.
pub(super) async fn to_file(
    journal: Journal,
    store: StoreUrl,
    search: Filter,
    (path, format): (PathBuf, report::Format),
    data_dir: PathBuf,
) -> Msg {
    let pages = Pages::of(&journal, &search, usize::MAX);
    let write = async {
        let readers = if format == report::Format::Har { Readers::Owner } else { Readers::Usual };
        let mut out = begin(&path, readers, &data_dir)?;
        let count = match format {
            report::Format::Markdown => write(&mut out, pages, &store).await?,
            report::Format::Har => har::write(&mut out, pages.oldest_first().await?, &store).await?,
        };
        out.end()?;
        Ok::<_, WriteError>(Written::Requests(count))
    };
    let written = write.await.map_err(|why| WriteFault::Other(why.to_string()));
    Msg::Written(path, written)
}

/// Writes a report of the exchanges of these pages; returns how many.
async fn write(out: &mut NewFile, mut pages: Pages<'_>, store: &StoreUrl) -> Result<usize, WriteError> {
    out.write_all(report::head(store).as_bytes())?;
    let mut count = 0;
    each(&mut pages, |stored| {
        count += 1;
        out.write_all(report::entry(count, &stored.exchange, stored.called.as_ref()).as_bytes())
    })
    .await?;
    Ok(count)
}

/// Writes a run of the check.
pub(super) fn check_to_file(path: PathBuf, format: Format, run: &check::Report, data_dir: &Path) -> Msg {
    let text = check::render(run, format, false);
    let written = begin(&path, Readers::Usual, data_dir).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.end()
    });
    let written = written.map_err(|why| WriteFault::Other(error_text(&why)));
    Msg::Written(path, written.map(|()| Written::Check))
}

fn begin(path: &Path, readers: Readers, data_dir: &Path) -> io::Result<NewFile> {
    NewFile::begin_regular(path, Existing::Kept, readers, data_dir)
}
