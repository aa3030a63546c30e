//! What a commit of a batch checks first.

use super::*;
use crate::client::{Limits, Route};
use crate::domain::{OperationKind, PlantId, StoreUrl};
use crate::journal::Place;

fn clock() -> Timestamp {
    Timestamp(1)
}

fn delete(number: u32) -> Operation {
    Operation::new(OperationId { origin: 1, number }, OperationKind::Delete(PlantId(number.into())), clock())
}

/// Sends eight at a time; five are ready.
async fn with_five_ready(place: Place) -> Dispatch {
    let store: StoreUrl = "http://127.0.0.1:9".parse().unwrap();
    let journal = Journal::open(place, &store, 1, clock()).await.unwrap().journal;
    let client = Client::new(store, Limits::default(), Route::default());
    let mut dispatch =
        Dispatch::new(Resources { client, journal, token: None, clock, reports: mpsc::unbounded_channel().0 });
    let (condition, reports) = (Condition::MISSING, mpsc::unbounded_channel().0);
    dispatch.batch = Some(Batch { concurrency: 8, condition, brake: Brake::default(), reports });
    for number in 1..=5 {
        let (operation, cancel) = (delete(number), CancellationToken::new());
        dispatch.queues.mark_ready(Priority::Batch, operation.id);
        let (stage, priority) = (Stage::Waiting, Priority::Batch);
        dispatch.operations.insert(operation.id, InProgress { operation, stage, cancel, priority, token: None });
    }
    dispatch.open_intents = 6;
    dispatch
}

#[tokio::test]
async fn nothing_is_sent_if_the_journal_was_moved() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatch = with_five_ready(Place::Folder(folder.path().to_owned())).await;
    std::fs::rename(folder.path().join("journal.db"), folder.path().join("elsewhere")).unwrap();
    dispatch.to_write = vec![Arc::new(Exchange::failed(delete(6), FailureKind::TimedOut, String::new(), clock()))];
    dispatch.commit();
    assert!(dispatch.operations.values().all(|work| matches!(work.stage, Stage::Writing(_))));
}
