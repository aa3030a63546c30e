//! Notices the writes of other programs: at once where they are connected (see [`super::peers`]), or else by polling.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::interval;

use super::database::Database;
use super::peers::{Joined, Signal};
use super::writer::Request;
use crate::domain::Timestamp;

/// How often a program looks whether others have written or ended that it is not connected with.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Notifies of changes that other programs make. Made by [`super::Journal::changes`]; counts as a
/// handle of the journal.
#[derive(Debug, Default)]
pub struct Changes {
    state: Arc<WatchState>,
    /// Empty where no other program can open the journal.
    _watching: JoinSet<()>,
}

/// Shared by the watch, the journal's writer and [`Changes`].
#[derive(Debug, Default)]
struct WatchState {
    /// Whether a check is queued at the writer and has not begun.
    is_queued: AtomicBool,
    /// Whether a program may have ended whose open operations are not ended.
    program_ended: AtomicBool,
    changed: Notify,
}

impl Changes {
    /// Watches the other programs. `clock` gives the time at which orphans are ended.
    pub(super) fn of(peers: &Joined, requests: Sender<Request>, clock: fn() -> Timestamp) -> Self {
        let changes = Self::default();
        let state = Arc::clone(&changes.state);
        let receive = move |signal| state.receive(signal, &requests, clock);
        let watched = peers.as_ref().and_then(|peers| peers.watch(receive.clone()).ok());
        let watching = watched.unwrap_or_else(|| poll(receive));
        Self { _watching: watching, ..changes }
    }

    /// Waits until others have changed the journal since the last return: at most 20 times a second for each that is
    /// connected, and never without the last change. Waits for ever if no other program can open the journal.
    ///
    /// Cancel-safe: dropping the future loses no change.
    pub async fn next(&mut self) {
        self.state.changed.notified().await;
    }
}

/// Calls `receive` for what others may have done, until the result is dropped.
fn poll(receive: impl Fn(Signal) + Send + 'static) -> JoinSet<()> {
    let mut polling = JoinSet::new();
    polling.spawn(async move {
        let mut polls = interval(POLL_INTERVAL);
        loop {
            polls.tick().await;
            receive(Signal::Ended);
        }
    });
    polling
}

impl WatchState {
    /// Queues a check at the writer, unless one is queued.
    fn receive(self: &Arc<Self>, signal: Signal, requests: &Sender<Request>, clock: fn() -> Timestamp) {
        if signal == Signal::Ended {
            self.program_ended.store(true, Ordering::SeqCst);
        }
        if !self.is_queued.swap(true, Ordering::SeqCst) {
            let state = Arc::clone(self);
            // Fails if the writer has ended: then there is nothing to check.
            let _ = requests.send(Request::Do(Box::new(move |database| state.check(database, clock))));
        }
    }

    /// Ends orphans, and notifies of changes. Runs on the writer's thread.
    fn check(&self, database: &mut Database, clock: fn() -> Timestamp) {
        // First, so that a signal from here on queues another check.
        self.is_queued.store(false, Ordering::SeqCst);
        let mut changed = false;
        if self.program_ended.swap(false, Ordering::SeqCst) {
            match database.end_orphans(clock()) {
                Ok(ended) => changed = ended,
                // Retried at the next signal.
                Err(_) => self.program_ended.store(true, Ordering::SeqCst),
            }
        }
        changed |= database.was_changed_by_others();
        if changed {
            self.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::mpsc::channel;

    use futures::FutureExt as _;

    use super::*;
    use crate::domain::{Operation, OperationId, OperationKind, PlantId};
    use crate::journal::{Anchor, Arrangement, Journal, Opened, Place, WindowRequest};

    fn clock() -> Timestamp {
        Timestamp(1_700_000_000_000)
    }

    async fn open(folder: &Path, origin: u64) -> Journal {
        let store = "http://plants.example".parse().unwrap();
        let Opened { journal, .. } =
            Journal::open(Place::Folder(folder.to_path_buf()), &store, origin, clock()).await.unwrap();
        journal
    }

    fn delete(origin: u64, number: u32) -> Operation {
        Operation::new(OperationId { origin, number }, OperationKind::Delete(PlantId(7)), clock())
    }

    /// Queues a check, as after a write of another program; returns whether it notifies.
    async fn notifies(journal: &Journal) -> bool {
        let mut changes = Changes::default();
        changes.state.receive(Signal::Written, &journal.requests, clock);
        // Done after the check.
        journal.next_free_id().await.unwrap();
        changes.next().now_or_never().is_some()
    }

    #[tokio::test]
    async fn writes_of_others_notify_once_and_own_writes_never() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (open(folder.path(), 1).await, open(folder.path(), 2).await);
        assert!(!notifies(&one).await);
        one.record_intent(delete(1, 1)).await.unwrap();
        assert_eq!((notifies(&one).await, notifies(&two).await), (false, true));
        two.record_intent(delete(2, 1)).await.unwrap();
        // Also if a window was read in between, which refreshes the query cache.
        let top = WindowRequest { anchor: Anchor::Index(0), rows: 1, arrangement: Arrangement::default() };
        one.window(top).await.unwrap();
        assert_eq!((notifies(&one).await, notifies(&one).await, notifies(&two).await), (true, false, false));
    }

    #[tokio::test]
    async fn orphans_that_could_not_be_ended_are_ended_at_the_next_signal() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (open(folder.path(), 1).await, open(folder.path(), 2).await);
        two.record_intent(delete(2, 1)).await.unwrap();
        two.close().await;
        assert!(notifies(&one).await);
        let mut changes = Changes::default();
        let blocker = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
        blocker.execute_batch("BEGIN IMMEDIATE").unwrap();
        for (signal, unknown) in [(Signal::Ended, 0), (Signal::Written, 1)] {
            changes.state.receive(signal, &one.requests, clock);
            assert_eq!(one.unknown_rows().await.unwrap().len(), unknown);
            assert_eq!(changes.next().now_or_never().is_some(), unknown > 0);
            let _ = blocker.execute_batch("ROLLBACK");
        }
    }

    #[test]
    fn a_thousand_signals_queue_one_check() {
        let (state, (requests, inbox)) = (Arc::new(WatchState::default()), channel());
        for _ in 0..1000 {
            state.receive(Signal::Written, &requests, clock);
        }
        assert_eq!(inbox.try_iter().count(), 1);
    }

    #[tokio::test]
    async fn a_dropped_wait_loses_no_change() {
        let mut changes = Changes::default();
        assert_eq!(changes.next().now_or_never(), None);
        changes.state.changed.notify_one();
        assert_eq!(changes.next().now_or_never(), Some(()));
        assert_eq!(changes.next().now_or_never(), None);
    }

    #[tokio::test]
    async fn a_commit_of_another_program_reaches_a_watch_without_a_request() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (open(folder.path(), 1).await, open(folder.path(), 2).await);
        let mut changes = one.changes(clock);
        two.record_intent(delete(2, 1)).await.unwrap();
        changes.next().await;
        let three = open(folder.path(), 3).await;
        three.record_intent(delete(3, 1)).await.unwrap();
        changes.next().await;
    }

    #[tokio::test]
    async fn programs_that_cannot_be_connected_poll() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (open(folder.path(), 1).await, open(folder.path(), 2).await);
        let mut changes = Changes::of(&None, one.requests.clone(), clock);
        for number in 1..=2 {
            two.record_intent(delete(2, number)).await.unwrap();
            changes.next().await;
        }
    }
}
