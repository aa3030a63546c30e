//! Writes the list of plants to a file, page by page, so that its length is not limited by memory.
//!
//! Must not know the formats.

use std::io::{self, Write};
use std::path::PathBuf;

use super::new_file::{Existing, NewFile, Readers, WriteError};
use crate::domain::State;
use crate::domain::export::{Cells, Exported, Exporter};
use crate::domain::file_format::FileFormat;
use crate::domain::filter::Filter;
use crate::journal::{Arrangement, Journal, PlantPages};
use crate::tui::Msg;
use crate::tui::message::{WriteFault, Written};

/// Rows read at once.
const PAGE: usize = 1000;

/// Writes the plants that match, each once, by id. Returns the writer, not flushed.
///
/// # Errors
///
/// The journal cannot be read, or the file cannot be written.
pub async fn write_plants<W: Write>(
    journal: &Journal,
    filter: Filter,
    mut writer: Exporter<W>,
) -> Result<(W, Exported), WriteError> {
    let mut exported = Exported::default();
    let mut pages = PlantPages::of(journal, Arrangement { filter, ..Arrangement::default() }, usize::MAX);
    loop {
        let rows = pages.next(PAGE).await?;
        for row in &rows {
            let Some(details) = &row.details else {
                exported.unnamed += 1;
                continue;
            };
            writer.add(&details.name, row.id, &details.tag)?;
            match row.state {
                State::Stored => {}
                State::Unknown => exported.unknown += 1,
                State::Adding | State::Deleting => exported.in_flight += 1,
            }
        }
        if rows.len() < PAGE {
            break;
        }
    }
    let (out, written) = writer.end()?;
    Ok((out, Exported { plants: written.plants, changed: written.changed, ..exported }))
}

/// Writes the list to a file, whole or not at all.
pub(super) async fn to_file(
    journal: Journal,
    path: PathBuf,
    format: FileFormat,
    existing: Existing,
    data_dir: PathBuf,
) -> Msg {
    let write = async {
        let file = NewFile::begin_regular(&path, existing, Readers::Usual, &data_dir)?;
        let writer = Exporter::begin(file, format, Cells::Exact)?;
        let (file, exported) = write_plants(&journal, Filter::default(), writer).await?;
        file.end()?;
        Ok(Written::Plants(exported))
    };
    let written = write.await.map_err(|why| match why {
        WriteError::File(why) if why.kind() == io::ErrorKind::AlreadyExists => WriteFault::Exists,
        why @ (WriteError::Journal(_) | WriteError::File(_)) => WriteFault::Other(why.to_string()),
    });
    Msg::Written(path, written)
}
