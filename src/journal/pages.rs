//! Reads the exchanges that match a search page by page.

use super::error::JournalError;
use super::handle::Journal;
use super::history::StoredExchange;
use super::search::Search;

/// The number of exchanges in a page: they include their bodies.
const PAGE: usize = 200;

/// The exchanges that match a search, newest first.
#[derive(Debug)]
pub struct Pages<'a> {
    journal: &'a Journal,
    search: &'a Search,
    most: usize,
    /// The number of the first exchange that was read.
    newest: Option<i64>,
    before: Option<i64>,
    left: usize,
}

impl<'a> Pages<'a> {
    /// Reads at most `most` exchanges.
    pub fn of(journal: &'a Journal, search: &'a Search, most: usize) -> Self {
        Self { journal, search, most, newest: None, before: None, left: most }
    }

    /// Returns the next page; an empty one at the end.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn next(&mut self) -> Result<Vec<StoredExchange>, JournalError> {
        let rows = self.left.min(PAGE);
        let found = self.journal.exchanges(self.search.clone(), self.before, rows).await?;
        self.newest = self.newest.or(found.first().map(|found| found.number));
        self.before = found.last().map(|found| found.number).or(self.before);
        self.left -= found.len();
        Ok(found)
    }

    /// Starts again with the first exchange that was read, so that the result is the same.
    #[must_use]
    pub fn again(self) -> Self {
        let before = self.newest.and_then(|newest| newest.checked_add(1));
        Self { before, left: self.most, ..self }
    }
}
