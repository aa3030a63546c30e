//! The worker's access to the journal: writes ends and intents, many to a commit, and reads the state of plants.

use std::sync::Arc;

use super::message::Ended;
use crate::domain::{Exchange, Operation, Outcome, Timestamp};
use crate::journal::{Condition, EntryResults, Journal, JournalError, PlantHistory};

/// Writes ends, and records intents in the same commit; returns their results. Looks up the state of the plants for
/// which `needs_state` is set, in the order of the ends.
pub(super) async fn commit(
    journal: &Journal,
    ends: Vec<Arc<Exchange>>,
    at: Timestamp,
    needs_state: Vec<bool>,
    intents: Vec<Operation>,
    condition: Condition,
) -> (Vec<Ended>, EntryResults) {
    let count = ends.len() + intents.len();
    let mut ended = for_each(count, journal.end_and_intend(ends.clone(), at, intents, condition).await);
    let intended = ended.split_off(ends.len());
    let mut written = Vec::with_capacity(ends.len());
    for ((exchange, recorded), needs_state) in ends.into_iter().zip(ended).zip(needs_state) {
        let mut ended = Ended::new(exchange, recorded);
        if needs_state {
            look_up(journal, &mut ended).await;
        }
        written.push(ended);
    }
    (written, intended)
}

/// Turns one error of a whole commit into `count` errors.
pub(super) fn for_each(count: usize, results: Result<EntryResults, JournalError>) -> EntryResults {
    results.unwrap_or_else(|why| vec![Err(why); count])
}

/// Reads the state of the plant after an operation that changed nothing.
async fn look_up(journal: &Journal, ended: &mut Ended) {
    if matches!(ended.exchange.outcome(), Outcome::Accepted | Outcome::Unknown) {
        return;
    }
    ended.is_proven = journal.is_proven().await.unwrap_or_default();
    let plant = ended.exchange.operation.kind.plant_id();
    if let Ok(PlantHistory { row, unknown, .. }) = journal.plant_history(plant).await {
        (ended.row, ended.unknown) = (row, unknown);
    }
}
