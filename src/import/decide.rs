//! What becomes of rows, as the list has their plants: decided a chunk at a time.

use std::collections::HashMap;
use std::io;

use super::judge::Judged;
use crate::domain::import::{Decision, Forecast, ImportRow, Repeat};
use crate::domain::{PlantId, Row};
use crate::journal::{Journal, JournalError};

/// Rows decided at once.
pub(super) const CHUNK: usize = 512;

/// The plants of rows, as the list has them.
#[derive(Debug)]
pub(super) struct Listed(HashMap<PlantId, Row>);

impl Listed {
    /// Looks them up.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    async fn of(journal: &Journal, ids: Vec<PlantId>) -> Result<Self, JournalError> {
        let rows = journal.rows(ids).await?;
        Ok(Self(rows.into_iter().map(|row| (row.id, row)).collect()))
    }

    fn decide(&self, row: &ImportRow, resend_unknown: bool) -> Decision {
        Decision::about(&row.plant, self.0.get(&row.plant.id), resend_unknown)
    }
}

/// A row of a file, and whether an earlier one has its id.
pub(super) type FileRow = (ImportRow, Repeat);

/// Decides about rows, none of which is behind one of its id whose end is not known. A plant that is
/// unknown still after the first row of its id was sent is not sent again for the next.
///
/// # Errors
///
/// The journal cannot be read.
pub(super) async fn decided(
    journal: Journal,
    rows: Vec<FileRow>,
    resend_unknown: bool,
) -> Result<Vec<(FileRow, Decision)>, JournalError> {
    let listed = Listed::of(&journal, rows.iter().map(|(row, _)| row.plant.id).collect()).await?;
    let decide = |(row, repeat)| {
        let decision = listed.decide(&row, resend_unknown && repeat == Repeat::First);
        ((row, repeat), decision)
    };
    Ok(rows.into_iter().map(decide).collect())
}

/// Decides about all rows of a file without sending any, as if the store accepted everything.
/// `each` is told of every row, with its two decisions: as it is, and if unknown plants are sent again.
///
/// # Errors
///
/// In words: the journal or the rows cannot be read.
pub async fn forecast(
    journal: &Journal,
    judged: &mut Judged,
    each: &mut (dyn FnMut(&ImportRow, [Decision; 2]) + Send),
) -> Result<Forecast, String> {
    let mut rows = chunks(judged).map_err(|why| unreadable(&why))?;
    let mut forecast = Forecast::default();
    while let Some(chunk) = rows.recv().await {
        let chunk = chunk.map_err(|why| unreadable(&why))?;
        let ids = chunk.iter().map(|(row, _)| row.plant.id).collect();
        let listed = Listed::of(journal, ids).await.map_err(|why| why.to_string())?;
        for (row, repeat) in &chunk {
            let decisions = [false, true].map(|resend| listed.decide(row, resend).behind_others(*repeat));
            let [as_is, resending] = decisions;
            forecast.as_is.count(as_is);
            forecast.resending.count(resending);
            each(row, decisions);
        }
    }
    Ok(forecast)
}

pub(super) fn unreadable(why: &io::Error) -> String {
    format!("the rows that were set down cannot be read again: {why}")
}

/// Rows as they come from the disk, read beside whoever takes them.
pub(super) type Chunks = tokio::sync::mpsc::Receiver<io::Result<Vec<FileRow>>>;

/// The rows of a file, so many at a time, read ahead by a thread of its own.
pub(super) fn chunks(judged: &mut Judged) -> io::Result<Chunks> {
    let mut rows = judged.read()?;
    let (sender, receiver) = tokio::sync::mpsc::channel(2);
    // It ends with the rows, or as soon as nobody takes any more.
    drop(tokio::task::spawn_blocking(move || {
        loop {
            let chunk: io::Result<Vec<_>> = rows.by_ref().take(CHUNK).collect();
            let last = chunk.as_ref().map_or(true, Vec::is_empty);
            if chunk.as_ref().is_ok_and(Vec::is_empty) || sender.blocking_send(chunk).is_err() || last {
                break;
            }
        }
    }));
    Ok(receiver)
}
