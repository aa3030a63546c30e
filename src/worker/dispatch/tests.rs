//! When the ends of a batch are written.

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

/// Sends eight at a time on one core, where five are ready.
async fn with_five_ready(place: Place) -> Dispatch {
    let store: StoreUrl = "http://127.0.0.1:9".parse().unwrap();
    let journal = Journal::open(place, &store, 1, clock()).await.unwrap().journal;
    let client = Client::new(store, Limits::default(), Route::default());
    let mut dispatch =
        Dispatch::new(Tools { client, journal, token: None, clock, reports: mpsc::unbounded_channel().0 });
    let (condition, reports) = (Condition::MISSING, mpsc::unbounded_channel().0);
    dispatch.batch = Some(Batch { concurrency: 8, condition, brake: Brake::default(), reports });
    dispatch.has_one_core = true;
    for number in 1..=5 {
        let (operation, cancel) = (delete(number), CancellationToken::new());
        dispatch.queues.mark_ready(Priority::Batch, operation.id);
        let (stage, priority) = (Stage::Waiting, Priority::Batch);
        dispatch.operations.insert(operation.id, InProgress { operation, stage, cancel, priority, token: 0 });
    }
    dispatch.open_intents = 6;
    dispatch
}

/// Whether an end is written at once.
fn writes(dispatch: &mut Dispatch) -> bool {
    dispatch.to_write = vec![Arc::new(Exchange::failed(delete(6), FailureKind::TimedOut, String::new(), clock()))];
    dispatch.commit();
    take(&mut dispatch.is_committing)
}

#[tokio::test]
async fn on_one_core_ends_wait_for_more_while_there_is_much_to_send() {
    let mut dispatch = with_five_ready(Place::Memory).await;
    assert!(!writes(&mut dispatch));
    dispatch.gathering.as_mut().unwrap().await;
    assert!(writes(&mut dispatch), "the time is over");
    dispatch.has_one_core = false;
    assert!(writes(&mut dispatch), "the journal has a core of its own");
    dispatch.has_one_core = true;
    dispatch.queues.next(Priority::Batch, 8);
    assert!(writes(&mut dispatch), "four are few where eight may be in flight");
}

#[tokio::test]
async fn nothing_is_sent_while_ends_wait_if_the_journal_was_moved() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatch = with_five_ready(Place::Folder(folder.path().to_owned())).await;
    std::fs::rename(folder.path().join("journal.db"), folder.path().join("elsewhere")).unwrap();
    assert!(!writes(&mut dispatch));
    assert!(dispatch.operations.values().all(|work| matches!(work.stage, Stage::Writing(_))));
}
