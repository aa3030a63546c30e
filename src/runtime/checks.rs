//! What the contract check asks of the journal and of the clock.

use std::time::Duration;

use super::stage::whole;
use crate::app::Msg;
use crate::domain::OperationId;
use crate::domain::check::Report;
use crate::journal::{Journal, JournalError, Kept};

/// Runs of the check that can be chosen from.
const RUNS: usize = 100;

/// What earlier runs left behind, and a number drawn by lot for the next one.
pub(super) async fn beforehand(journal: Journal, seed: u64) -> Msg {
    Msg::Beforehand(seed, whole(journal.before_check()).await)
}

/// The end of a pause.
pub(super) async fn pause(number: u32, time: Duration) -> Msg {
    tokio::time::sleep(time).await;
    Msg::Paused(number)
}

/// Keeps what a run came to.
pub(super) async fn keep(journal: Journal, report: Report) -> Msg {
    Msg::RunKept(whole(journal.keep_run(report)).await)
}

/// The runs that are kept.
pub(super) async fn runs(journal: Journal) -> Msg {
    Msg::Runs(whole(journal.runs(RUNS)).await)
}

/// The exchanges of these operations, as far as they are there.
pub(super) async fn behind(journal: Journal, operations: Vec<OperationId>) -> Msg {
    let found = whole(exchanges(&journal, &operations)).await;
    Msg::Behind(operations, found)
}

async fn exchanges(journal: &Journal, operations: &[OperationId]) -> Result<Vec<Kept>, JournalError> {
    let mut found = Vec::new();
    for operation in operations {
        if let Some(place) = journal.place_of(*operation).await? {
            found.extend(journal.exchange(place).await?);
        }
    }
    Ok(found)
}
