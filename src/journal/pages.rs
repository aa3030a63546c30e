//! Reads the exchanges that match a search, and the plants of an arrangement, page by page.

use super::error::JournalError;
use super::handle::Journal;
use super::history::StoredExchange;
use super::sorted_index::{Arrangement, Column};
use super::windows::{Anchor, WindowRequest};
use crate::domain::filter::Filter;
use crate::domain::{PlantId, Row};

/// The number of exchanges in a page: they include their bodies.
const PAGE: usize = 200;

/// The exchanges that match a search, newest first unless they are turned around.
#[derive(Debug)]
pub struct Pages<'a> {
    journal: &'a Journal,
    search: &'a Filter,
    before: Option<i64>,
    left: usize,
    /// Where each page begins, and its exchanges, where the oldest come first.
    turned: Option<Vec<(Option<i64>, usize)>>,
}

impl<'a> Pages<'a> {
    /// Reads at most `most` exchanges.
    pub fn of(journal: &'a Journal, search: &'a Filter, most: usize) -> Self {
        Self { journal, search, before: None, left: most, turned: None }
    }

    /// Turns the order around, so that the oldest exchange comes first. Each is read twice.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn oldest_first(mut self) -> Result<Self, JournalError> {
        let mut pages = Vec::new();
        loop {
            let found = self.next().await?;
            let Some(first) = found.first() else { return Ok(Self { turned: Some(pages), ..self }) };
            // Not before the page above: others may be sent meanwhile.
            pages.push((first.number.checked_add(1), found.len()));
        }
    }

    /// Returns the next page; an empty one at the end.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn next(&mut self) -> Result<Vec<StoredExchange>, JournalError> {
        if let Some(pages) = &mut self.turned {
            let Some((before, rows)) = pages.pop() else { return Ok(Vec::new()) };
            let mut found = self.journal.exchanges(self.search.clone(), before, rows).await?;
            found.reverse();
            return Ok(found);
        }
        let rows = self.left.min(PAGE);
        let found = self.journal.exchanges(self.search.clone(), self.before, rows).await?;
        self.before = found.last().map(|found| found.number).or(self.before);
        self.left -= found.len();
        Ok(found)
    }
}

/// The plants of an arrangement, in its order. By id, each plant is read once, also while others change; in another
/// order, plants that change meanwhile may be left out, or come twice.
#[derive(Debug)]
pub struct PlantPages<'a> {
    journal: &'a Journal,
    arrangement: Arrangement,
    /// The last plant that was read, by id.
    after: Option<PlantId>,
    /// The index of the next plant, in another order.
    next: usize,
    left: usize,
}

impl<'a> PlantPages<'a> {
    /// Reads at most `most` plants.
    pub fn of(journal: &'a Journal, arrangement: Arrangement, most: usize) -> Self {
        Self { journal, arrangement, after: None, next: 0, left: most }
    }

    /// Returns the next plants, at most `rows`; none at the end.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn next(&mut self, rows: usize) -> Result<Vec<Row>, JournalError> {
        let rows = rows.min(self.left);
        if rows == 0 {
            return Ok(Vec::new());
        }
        let Arrangement { filter, column, descending } = &self.arrangement;
        let found = if *column != Column::Id || *descending {
            let request =
                WindowRequest { anchor: Anchor::Index(self.next), rows, arrangement: self.arrangement.clone() };
            let window = self.journal.window(request).await?;
            // A window that would reach past the end begins earlier.
            let found: Vec<_> = window.rows.into_iter().skip(self.next.saturating_sub(window.first)).collect();
            self.next += found.len();
            found
        } else {
            self.journal.fitting(filter.clone(), self.after, rows).await?
        };
        self.after = found.last().map(|row| row.id).or(self.after);
        self.left -= found.len();
        Ok(found)
    }
}
