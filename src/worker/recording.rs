//! The worker's access to the journal: writes ends, many to a commit, and reads the state of plants.

use std::sync::Arc;

use crate::domain::{Exchange, Outcome, Row, Timestamp, UnknownOperation};
use crate::journal::{EntryResults, Journal, JournalError};

/// Writes ends, and repeats those that fail once: a lock may have passed, and a lost end would read as unknown.
pub(super) async fn write_ends(journal: &Journal, exchanges: &[Arc<Exchange>], at: Timestamp) -> EntryResults {
    let mut recorded = for_each(exchanges.len(), journal.end_all(exchanges.to_vec(), at).await);
    let (results, failed): (Vec<_>, Vec<_>) = std::iter::zip(&mut recorded, exchanges)
        .filter(|(recorded, _)| recorded.is_err())
        .map(|(recorded, exchange)| (recorded, Arc::clone(exchange)))
        .unzip();
    if !failed.is_empty() {
        let again = for_each(failed.len(), journal.end_all(failed, at).await);
        for (result, recorded) in std::iter::zip(results, again) {
            *result = recorded;
        }
    }
    recorded
}

/// Turns one error of a whole commit into `count` errors.
pub(super) fn for_each(count: usize, results: Result<EntryResults, JournalError>) -> EntryResults {
    results.unwrap_or_else(|why| vec![Err(why); count])
}

/// A plant's row in the list, and its operation that is still unknown.
pub(super) type PlantState = (Option<Row>, Option<UnknownOperation>);

/// Reads the state of the plant after an operation that changed nothing.
pub(super) async fn plant_state(journal: &Journal, exchange: &Exchange) -> PlantState {
    if matches!(exchange.outcome(), Outcome::Accepted | Outcome::Unknown) {
        return (None, None);
    }
    match journal.plant_history(exchange.operation.kind.plant_id()).await {
        Ok(plant_history) => (plant_history.row, plant_history.unknown),
        Err(_) => (None, None),
    }
}
