//! Decides about the rows of a file by the plants in the list, a chunk at a time; and about all of them
//! without sending any.

use std::collections::HashMap;
use std::error::Error;
use std::{fmt, io};

use super::decision::{Decision, Repeat};
use super::preview::Forecast;
use super::row::ImportRow;
use super::validate::{FileRow, Validated};
use crate::domain::{PlantId, Row};
use crate::journal::{Journal, JournalError};

/// Why nothing could be decided about the next rows.
#[derive(Debug)]
pub enum DecideError {
    Journal(JournalError),
    /// The rows in the temporary file.
    Rows(io::Error),
}

impl fmt::Display for DecideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Journal(why) => why.fmt(f),
            Self::Rows(why) => write!(f, "the rows that were set down cannot be read again: {why}"),
        }
    }
}

impl Error for DecideError {}

/// The plants of some rows, as the list has them.
struct Listed(HashMap<PlantId, Row>);

impl Listed {
    async fn of(journal: &Journal, rows: &[FileRow]) -> Result<Self, DecideError> {
        let ids = rows.iter().map(|(row, _)| row.plant.id).collect();
        let listed = journal.rows(ids).await.map_err(DecideError::Journal)?;
        Ok(Self(listed.into_iter().map(|row| (row.id, row)).collect()))
    }

    fn decide(&self, row: &ImportRow, resend_unknown: bool) -> Decision {
        Decision::about(&row.plant, self.0.get(&row.plant.id), resend_unknown)
    }
}

/// Decides about rows, none of which is behind one of its id whose end is not known. A plant that is
/// unknown still after the first row of its id was sent is not sent again for the next.
pub(super) async fn decide(
    journal: Journal,
    rows: Vec<FileRow>,
    resend_unknown: bool,
) -> Result<Vec<(FileRow, Decision)>, DecideError> {
    let listed = Listed::of(&journal, &rows).await?;
    let decide = |(row, repeat)| {
        let decision = listed.decide(&row, resend_unknown && repeat == Repeat::First);
        ((row, repeat), decision)
    };
    Ok(rows.into_iter().map(decide).collect())
}

/// Decides about all rows of a file without sending any, as if the store accepted everything.
/// Calls `each` with every row and its two decisions: as it is, and if unknown plants are sent again.
///
/// # Errors
///
/// The journal or the rows cannot be read.
pub async fn forecast(
    journal: &Journal,
    file: &mut Validated,
    each: &mut (dyn FnMut(&ImportRow, [Decision; 2]) + Send),
) -> Result<Forecast, DecideError> {
    let mut chunks = file.chunks().map_err(DecideError::Rows)?;
    let mut forecast = Forecast::default();
    while let Some(rows) = chunks.recv().await {
        let rows = rows.map_err(DecideError::Rows)?;
        let listed = Listed::of(journal, &rows).await?;
        for (row, repeat) in &rows {
            let decisions = [false, true].map(|resend| listed.decide(row, resend).behind_others(*repeat));
            let [as_is, resending] = decisions;
            forecast.as_is.count(as_is);
            forecast.resending.count(resending);
            each(row, decisions);
        }
    }
    Ok(forecast)
}
