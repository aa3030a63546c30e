//! Writes the list into a file of plants, page by page, so that it may be of any length.

use std::io::{self, Write};
use std::path::PathBuf;

use super::new_file::{Existing, NewFile};
use super::write_error::WriteError;
use crate::domain::State;
use crate::domain::export::{Cells, Exporter, Written};
use crate::domain::file_format::FileFormat;
use crate::journal::Journal;
use crate::tui::Msg;
use crate::tui::message;

/// Rows read at once.
const PAGE: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exported {
    pub written: Written,
    /// How many of those plants are unknown.
    pub unknown: u64,
    /// How many of them are being added or deleted at this moment.
    pub in_flight: u64,
    /// How many plants are not written, because their names are not known.
    pub unnamed: u64,
}

/// Writes the list to its end, each plant once, by id; returns the writer, not flushed.
///
/// # Errors
///
/// The journal cannot be read, or the file not be written.
pub async fn view<W: Write>(journal: &Journal, mut to: Exporter<W>) -> Result<(W, Exported), WriteError> {
    let mut exported = Exported::default();
    let mut after = None;
    loop {
        let rows = journal.list_page(after, PAGE).await?;
        for row in &rows {
            let Some(details) = &row.details else {
                exported.unnamed += 1;
                continue;
            };
            to.add(&details.name, row.id, &details.tag)?;
            match row.state {
                State::Stored => {}
                State::Unknown => exported.unknown += 1,
                State::Adding | State::Deleting => exported.in_flight += 1,
            }
        }
        match rows.last() {
            Some(last) if rows.len() == PAGE => after = Some(last.id),
            Some(_) | None => break,
        }
    }
    let (out, written) = to.end()?;
    Ok((out, Exported { written, ..exported }))
}

/// Writes the list into a file, whole or not at all.
pub(super) async fn to_file(
    journal: Journal,
    path: PathBuf,
    format: FileFormat,
    cells: Cells,
    existing: Existing,
) -> Msg {
    let write = async {
        let file = NewFile::begin(&path, existing)?;
        if !file.is_regular() {
            // Such as this very terminal, or a pipe that nobody reads.
            return Err(io::Error::other("that is no regular file").into());
        }
        let (file, exported) = view(&journal, Exporter::begin(file, format, cells)?).await?;
        file.end()?;
        Ok(exported)
    };
    let exported = match write.await {
        Ok(Exported { written, unknown, in_flight, unnamed }) => Ok(message::Exported {
            plants: written.plants,
            unknown,
            in_flight,
            unnamed,
            changed: written.changed_cells,
        }),
        Err(WriteError::File(why)) if why.kind() == io::ErrorKind::AlreadyExists => Err(message::ExportFault::Exists),
        Err(why) => Err(message::ExportFault::Other(why.to_string())),
    };
    Msg::Exported(path, exported)
}
