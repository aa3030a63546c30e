//! What a search finds, page by page.

use super::error::JournalError;
use super::handle::Journal;
use super::history::StoredExchange;
use super::search::Search;

/// Exchanges read at once: they come with their bodies.
const PAGE: usize = 200;

/// The exchanges that fit a search, newest first, a page at a time.
#[derive(Debug)]
pub struct Pages<'a> {
    journal: &'a Journal,
    search: &'a Search,
    most: usize,
    /// Where to begin: behind what was written later.
    newest: Option<i64>,
    before: Option<i64>,
    left: usize,
}

impl<'a> Pages<'a> {
    /// So many at most of those that fit.
    pub fn of(journal: &'a Journal, search: &'a Search, most: usize) -> Self {
        Self { journal, search, most, newest: None, before: None, left: most }
    }

    /// The next page; an empty one is the end.
    ///
    /// # Errors
    ///
    /// The journal cannot be read.
    pub async fn next(&mut self) -> Result<Vec<StoredExchange>, JournalError> {
        let rows = self.left.min(PAGE);
        let found = self.journal.exchanges(self.search.clone(), self.before, rows).await?;
        self.newest = self.newest.or(found.first().map(|kept| kept.place));
        self.before = found.last().map(|kept| kept.place).or(self.before);
        self.left -= found.len();
        Ok(found)
    }

    /// The same from the newest on that was found, without what was written since.
    #[must_use]
    pub fn again(self) -> Self {
        let before = self.newest.and_then(|newest| newest.checked_add(1));
        Self { before, left: self.most, ..self }
    }
}
