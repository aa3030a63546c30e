//! The view into a file of plants, page by page, so that it may be of any length.

use std::io::{self, Write};

use crate::domain::State;
use crate::domain::export::{Exporter, Written};
use crate::journal::{Journal, JournalError};

/// Rows read at once.
const PAGE: usize = 1000;

/// What an export came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exported {
    /// What was written.
    pub written: Written,
    /// How many of those plants are in doubt.
    pub in_doubt: u64,
    /// How many of them are being added or deleted at this moment.
    pub in_flight: u64,
    /// How many plants are not written, for nobody knows their names.
    pub unnamed: u64,
}

/// Why an export is not whole.
#[derive(Debug)]
pub enum Cut {
    /// The journal cannot be read.
    Journal(JournalError),
    /// The file cannot be written.
    File(io::Error),
}

impl From<JournalError> for Cut {
    fn from(why: JournalError) -> Self {
        Self::Journal(why)
    }
}

impl From<io::Error> for Cut {
    fn from(why: io::Error) -> Self {
        Self::File(why)
    }
}

/// Writes the view to its end, each plant once, by id; gives back where it was written to, not
/// flushed.
///
/// # Errors
///
/// The journal cannot be read, or the file not be written.
pub async fn view<W: Write>(journal: &Journal, mut to: Exporter<W>) -> Result<(W, Exported), Cut> {
    let mut exported = Exported::default();
    let mut after = None;
    loop {
        let rows = journal.view_page(after, PAGE).await?;
        for row in &rows {
            let Some(details) = &row.details else {
                exported.unnamed += 1;
                continue;
            };
            to.add(&details.name, row.id, &details.tag)?;
            match row.state {
                State::Stored => {}
                State::Unknown => exported.in_doubt += 1,
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
