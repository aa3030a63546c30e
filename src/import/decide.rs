//! How rows stand to the view: only what it has not is sent.

use std::collections::HashMap;
use std::io;

use super::judge::Judged;
use crate::domain::import::{ImportRow, Standing};
use crate::domain::{PlantId, Row, State};
use crate::journal::{Journal, JournalError};

/// Rows weighed at once.
pub(super) const CHUNK: usize = 512;

/// How a row stands to the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stands {
    /// Not in it.
    Missing,
    /// Stored, with this name and tag.
    Stored,
    /// Stored, with another name or tag.
    Otherwise,
    /// In doubt.
    InDoubt,
    /// Being added or deleted at this moment.
    Busy,
}

impl Stands {
    fn of(row: &ImportRow, seen: Option<&Row>) -> Self {
        let Some(seen) = seen else { return Self::Missing };
        match seen.state {
            State::Unknown => Self::InDoubt,
            State::Adding | State::Deleting => Self::Busy,
            State::Stored => {
                let plant = &row.plant;
                let is_the_same = seen.name() == Some(&plant.name) && seen.tag() == Some(&plant.tag);
                if is_the_same { Self::Stored } else { Self::Otherwise }
            }
        }
    }

    /// Counts one more that stands so.
    pub(super) fn count(self, standing: &mut Standing) {
        *match self {
            Self::Missing => &mut standing.missing,
            Self::Stored => &mut standing.stored,
            Self::Otherwise => &mut standing.otherwise,
            Self::InDoubt => &mut standing.in_doubt,
            Self::Busy => &mut standing.busy,
        } += 1;
    }
}

/// Each row with how it stands.
///
/// # Errors
///
/// The journal cannot be read.
pub(super) async fn weighed(journal: Journal, rows: Vec<ImportRow>) -> Result<Vec<(ImportRow, Stands)>, JournalError> {
    let seen = journal.rows(rows.iter().map(|row| row.plant.id).collect()).await?;
    let seen: HashMap<PlantId, Row> = seen.into_iter().map(|row| (row.id, row)).collect();
    Ok(rows
        .into_iter()
        .map(|row| {
            let stands = Stands::of(&row, seen.get(&row.plant.id));
            (row, stands)
        })
        .collect())
}

/// How all rows of a file stand, as things are now. A row that is in it twice is counted twice.
///
/// # Errors
///
/// In words: the journal or the rows cannot be read.
pub async fn standing(journal: &Journal, judged: &mut Judged) -> Result<Standing, String> {
    let mut rows = chunks(judged).map_err(|why| unreadable(&why))?;
    let mut standing = Standing::default();
    while let Some(chunk) = rows.recv().await {
        let chunk = chunk.map_err(|why| unreadable(&why))?;
        for (_, stands) in weighed(journal.clone(), chunk).await.map_err(|why| why.to_string())? {
            stands.count(&mut standing);
        }
    }
    Ok(standing)
}

pub(super) fn unreadable(why: &io::Error) -> String {
    format!("the rows that were set down cannot be read again: {why}")
}

/// Rows as they come from the disk, read beside whoever takes them.
pub(super) type Chunks = tokio::sync::mpsc::Receiver<io::Result<Vec<ImportRow>>>;

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
