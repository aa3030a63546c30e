//! What a commit of a batch checks first, and what becomes of one that failed.

use super::*;
use crate::client::{Limits, Route};
use crate::domain::filter::Filter;
use crate::domain::{OperationKind, Outcome, PlantId, StoreUrl};
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

/// Its commit failed, and may have been made all the same.
#[tokio::test]
async fn an_intent_that_may_be_on_disk_ends_there_as_not_sent() {
    let mut dispatch = with_five_ready(Place::Memory).await;
    let journal = dispatch.resources.journal.clone();
    journal.record_intent(delete(1)).await.unwrap();
    let locked = |number| (delete(number).id, Err(JournalError::Locked { path: "journal.db".into() }));
    for work in dispatch.operations.values_mut() {
        work.stage = Stage::Recording;
    }
    dispatch.handle_recorded(vec![locked(1), locked(2), (delete(3).id, Err(JournalError::Overtaken))]);
    assert_eq!(dispatch.unwritten.len(), 2);
    dispatch.operations.clear();
    let closed = mpsc::unbounded_channel().1;
    dispatch.run(closed).await;
    let ended = journal.exchanges(Filter::default(), None, 9).await.unwrap();
    let ended: Vec<_> = ended.iter().map(|found| (found.exchange.operation.id, found.exchange.outcome())).collect();
    assert_eq!(ended, [(delete(1).id, Outcome::NotSent)]);
}
