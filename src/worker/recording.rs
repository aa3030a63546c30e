//! What the worker's steps ask of the journal: intents and ends, many to a commit, and how a plant stands.

use std::sync::Arc;

use crate::domain::{Exchange, Outcome, Row, Timestamp, UnknownOperation};
use crate::journal::{EntryResults, Journal, JournalError};

/// Writes ends down; those that fail once more, because a lock passes and a response that is not written
/// would read as none.
pub(super) async fn write_ends(journal: &Journal, exchanges: &[Arc<Exchange>], at: Timestamp) -> EntryResults {
    let mut recorded = for_each(exchanges.len(), journal.end_all(exchanges.to_vec(), at).await);
    let (places, failed): (Vec<_>, Vec<_>) = std::iter::zip(&mut recorded, exchanges)
        .filter(|(recorded, _)| recorded.is_err())
        .map(|(recorded, exchange)| (recorded, Arc::clone(exchange)))
        .unzip();
    if !failed.is_empty() {
        let again = for_each(failed.len(), journal.end_all(failed, at).await);
        for (place, recorded) in std::iter::zip(places, again) {
            *place = recorded;
        }
    }
    recorded
}

/// Returns the result of each of `count`: an error of all of them is one of each.
pub(super) fn for_each(count: usize, results: Result<EntryResults, JournalError>) -> EntryResults {
    results.unwrap_or_else(|why| vec![Err(why); count])
}

/// A plant's row in the list, and what of it is unknown still.
pub(super) type Standing = (Option<Row>, Option<UnknownOperation>);

/// Looks up how the plant stands after an operation that changed nothing.
pub(super) async fn standing(journal: &Journal, exchange: &Exchange) -> Standing {
    if matches!(exchange.outcome(), Outcome::Accepted | Outcome::Unknown) {
        return (None, None);
    }
    match journal.plant_history(exchange.operation.kind.plant_id()).await {
        Ok(plant_history) => (plant_history.row, plant_history.unknown),
        Err(_) => (None, None),
    }
}
