//! The worker's access to the journal: writes ends and intents, many to a commit, and reads the state of plants.

use std::sync::Arc;

use crate::domain::{Exchange, Operation, Outcome, Row, Timestamp, UnknownOperation};
use crate::journal::{Condition, EntryResults, Journal, JournalError, PlantHistory};

/// An end, whether it was written, and the state of its plant afterwards.
pub(super) type Written = (Arc<Exchange>, Result<(), JournalError>, PlantState);

/// Writes ends, and records intents in the same commit; returns their results. Looks up the state of the plants for
/// which `needs_state` is set, in the order of the ends.
pub(super) async fn commit(
    journal: &Journal,
    ends: Vec<Arc<Exchange>>,
    at: Timestamp,
    needs_state: Vec<bool>,
    intents: Vec<Operation>,
    condition: Condition,
) -> (Vec<Written>, EntryResults) {
    let count = ends.len() + intents.len();
    let mut ended = for_each(count, journal.end_and_intend(ends.clone(), at, intents, condition).await);
    let intended = ended.split_off(ends.len());
    write_failed_again(journal, &ends, &mut ended, at).await;
    let mut written = Vec::with_capacity(ends.len());
    for ((exchange, recorded), needs_state) in ends.into_iter().zip(ended).zip(needs_state) {
        let state = if needs_state { plant_state(journal, &exchange).await } else { PlantState::default() };
        written.push((exchange, recorded, state));
    }
    (written, intended)
}

/// Repeats once the ends that failed: a lock may have passed, and a lost end would read as unknown.
async fn write_failed_again(journal: &Journal, ends: &[Arc<Exchange>], recorded: &mut EntryResults, at: Timestamp) {
    let (results, failed): (Vec<_>, Vec<_>) = std::iter::zip(recorded, ends)
        .filter(|(recorded, _)| recorded.is_err())
        .map(|(recorded, exchange)| (recorded, Arc::clone(exchange)))
        .unzip();
    if !failed.is_empty() {
        let again = for_each(failed.len(), journal.end_all(failed, at).await);
        for (result, recorded) in std::iter::zip(results, again) {
            *result = recorded;
        }
    }
}

/// Turns one error of a whole commit into `count` errors.
pub(super) fn for_each(count: usize, results: Result<EntryResults, JournalError>) -> EntryResults {
    results.unwrap_or_else(|why| vec![Err(why); count])
}

/// What the list says after an operation.
#[derive(Debug, Default)]
pub(super) struct PlantState {
    pub(super) row: Option<Row>,
    /// The operation on the plant that is still unknown.
    pub(super) unknown: Option<UnknownOperation>,
    /// Whether the store has accepted anything, so that the base URL is right.
    pub(super) is_proven: bool,
}

/// Reads the state of the plant after an operation that changed nothing.
async fn plant_state(journal: &Journal, exchange: &Exchange) -> PlantState {
    if matches!(exchange.outcome(), Outcome::Accepted | Outcome::Unknown) {
        return PlantState::default();
    }
    let is_proven = journal.is_proven().await.unwrap_or_default();
    match journal.plant_history(exchange.operation.kind.plant_id()).await {
        Ok(PlantHistory { row, unknown, .. }) => PlantState { row, unknown, is_proven },
        Err(_) => PlantState { is_proven, ..PlantState::default() },
    }
}
