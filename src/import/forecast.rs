//! Compares the rows of a file with the list of plants, chunk by chunk, and decides which are sent. Sends
//! nothing.

use std::collections::HashMap;

use thiserror::Error;

use super::decision::{Decision, FileRow, Resend, RowCounts};
use super::preview::{FAULTS_HELD, FIRST_HELD, Forecast};
use super::progress::{if_lacking, stored_by_pages};
use super::row::ImportRow;
use super::validate::Validated;
use crate::domain::LocalTime;
use crate::domain::filter::List;
use crate::journal::{Journal, JournalError};

/// Why no decision about the next rows is possible.
#[derive(Debug, Error)]
pub enum DecideError {
    #[error(transparent)]
    Journal(JournalError),
    #[error("the temporary file of validated rows cannot be read: {0}")]
    Rows(#[source] rusqlite::Error),
}

/// Rows with the decisions about them.
pub(super) type Decisions = Result<Vec<(ImportRow, Decision)>, DecideError>;

/// Decides about rows.
pub(super) async fn decide(journal: Journal, rows: Vec<FileRow>, resend: Resend) -> Decisions {
    let ids = rows.iter().map(|(row, _)| row.plant.id).collect();
    let listed = journal.rows(ids).await.map_err(DecideError::Journal)?;
    let listed: HashMap<_, _> = listed.into_iter().map(|row| (row.id, row)).collect();
    let decide = |(row, repeat): FileRow| {
        let decision = Decision::about(&row.plant, repeat, listed.get(&row.plant.id), resend);
        (row, decision)
    };
    Ok(rows.into_iter().map(decide).collect())
}

/// Says what to do where rows are skipped, and plants of the list are stored by the status of a web page. Reads the last
/// response to each plant of the list; `None` also if it cannot.
pub async fn note_of_pages(journal: &Journal, counts: RowCounts) -> Option<String> {
    if counts.stored == 0 {
        return None;
    }
    let (filter, _) = List::Plants.parse(&stored_by_pages(), &LocalTime::default());
    journal.fitting(filter, None, 1).await.ok()?.first()?;
    let what = "The store accepted plants of the list with a web page, which proves nothing; rows of them are skipped.";
    Some(format!("{what} {}", if_lacking()))
}

/// Decides about all rows of a file, assuming that the store accepts everything, and completes its preview.
/// Calls `each` with every row and its decision.
///
/// # Errors
///
/// The journal or the rows cannot be read.
pub async fn forecast(
    journal: &Journal,
    file: &mut Validated,
    resend: Resend,
    each: &mut (dyn FnMut(&ImportRow, Decision) + Send),
) -> Result<(), DecideError> {
    let mut chunks = file.chunks();
    let (mut forecast, mut first) = (Forecast::default(), Vec::new());
    while let Some(rows) = chunks.recv().await {
        let rows = rows.map_err(DecideError::Rows)?;
        for (row, decision) in decide(journal.clone(), rows, resend).await? {
            each(&row, decision);
            forecast.counts.count(decision);
            if forecast.unsent.len() < FAULTS_HELD {
                forecast.unsent.extend(decision.note(&row));
            }
            if decision.is_sent() && first.len() < FIRST_HELD {
                first.push(row.plant);
            }
        }
    }
    file.preview.notes.extend(note_of_pages(journal, forecast.counts).await);
    (file.preview.forecast, file.preview.first) = (forecast, first);
    Ok(())
}
