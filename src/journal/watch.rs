//! Notices the writes of other programs at once, without polling.
//!
//! A program that has written changes its lock file after the commit. Watching the database's files
//! would notify too early: `SQLite` writes its log before it commits, and commits in shared memory,
//! which no file watch observes. A program that ends closes its lock file, also when it is killed.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep};

use super::database::Database;
use super::error::JournalError;
use super::writer::Request;
use crate::domain::Timestamp;

/// The least time between two notifications.
const PACE: Duration = Duration::from_millis(50);

/// Linux reports a closed file a moment before it releases the lock.
const UNTIL_UNLOCKED: Duration = Duration::from_millis(10);

/// Notifies of changes that other programs make. Made by [`super::Journal::changes`]; counts as a
/// handle of the journal.
#[derive(Debug, Default)]
pub struct Changes {
    state: Arc<WatchState>,
    /// Whether a change waits to be returned.
    is_due: bool,
    /// Ends when the next change may be returned.
    pause: Option<Pin<Box<Sleep>>>,
    /// `None` where no other program can open the journal.
    _watcher: Option<RecommendedWatcher>,
}

/// Shared by the watcher, the journal's writer and [`Changes`].
#[derive(Debug, Default)]
struct WatchState {
    /// Whether a check is queued at the writer and has not begun.
    is_queued: AtomicBool,
    /// Whether a program may have ended whose open operations are not ended.
    program_ended: AtomicBool,
    changed: Notify,
}

/// The meaning of an event in the folder of lock files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    None,
    /// A program wrote.
    Written,
    /// A program ended without releasing its lock file; or the event is unclear.
    Ended,
}

impl Changes {
    /// Watches a folder of lock files. `clock` gives the time at which orphans are ended.
    pub(super) fn of(folder: &Path, requests: Sender<Request>, clock: fn() -> Timestamp) -> Result<Self, JournalError> {
        let changes = Self::default();
        let state = Arc::clone(&changes.state);
        let watch = || {
            // The library aborts the program if it cannot start its thread: this detects most such cases.
            let thread = thread::Builder::new().spawn(|| {}).map_err(notify::Error::io)?;
            let _ = thread.join();
            let mut watcher = notify::recommended_watcher(move |event| state.receive(&event, &requests, clock))?;
            watcher.watch(folder, RecursiveMode::NonRecursive)?;
            Ok(watcher)
        };
        let watcher = watch().map_err(|error: notify::Error| JournalError::NotWatched {
            folder: folder.to_path_buf(),
            reason: error.to_string(),
        })?;
        Ok(Self { _watcher: Some(watcher), ..changes })
    }

    /// Waits until others have changed the journal since the last return: at most 20 times a second,
    /// and never without the last change. Waits for ever if no other program can open the journal.
    ///
    /// Cancel-safe: dropping the future loses no change.
    pub async fn next(&mut self) {
        if !self.is_due {
            self.state.changed.notified().await;
            self.is_due = true;
        }
        if let Some(pause) = &mut self.pause {
            pause.await;
        }
        self.is_due = false;
        self.pause = Some(Box::pin(sleep(PACE)));
    }
}

impl WatchState {
    /// Queues a check at the writer, unless one is queued. Runs on the watcher's thread.
    fn receive(self: &Arc<Self>, event: &notify::Result<Event>, requests: &Sender<Request>, clock: fn() -> Timestamp) {
        match signal_of(event) {
            Signal::None => return,
            Signal::Written => {}
            Signal::Ended => {
                thread::sleep(UNTIL_UNLOCKED);
                self.program_ended.store(true, Ordering::SeqCst);
            }
        }
        if !self.is_queued.swap(true, Ordering::SeqCst) {
            let state = Arc::clone(self);
            // Fails if the writer has ended: then there is nothing to check.
            let _ = requests.send(Request::Do(Box::new(move |database| state.check(database, clock))));
        }
    }

    /// Ends orphans, and notifies of changes. Runs on the writer's thread.
    fn check(&self, database: &mut Database, clock: fn() -> Timestamp) {
        // First, so that an event from here on queues another check.
        self.is_queued.store(false, Ordering::SeqCst);
        let mut changed = false;
        if self.program_ended.swap(false, Ordering::SeqCst) {
            match database.end_orphans(clock()) {
                Ok(ended) => changed = ended,
                // Retried at the next event.
                Err(_) => self.program_ended.store(true, Ordering::SeqCst),
            }
        }
        changed |= database.was_changed_by_others();
        if changed {
            self.changed.notify_one();
        }
    }
}

fn signal_of(event: &notify::Result<Event>) -> Signal {
    let Ok(event) = event else { return Signal::Ended };
    let closed = event.kind == EventKind::Access(AccessKind::Close(AccessMode::Write));
    // A program that releases its lock file removes the file before it closes it.
    if event.need_rescan() || (closed && event.paths.iter().any(|path| path.exists())) {
        Signal::Ended
    } else if event.kind.is_modify() {
        Signal::Written
    } else {
        Signal::None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use futures::FutureExt as _;

    use super::*;
    use crate::domain::{Operation, OperationId, OperationKind, PlantId};
    use crate::journal::{Anchor, Arrangement, Journal, Opened, Place, WindowRequest, process_locks};

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

    fn written() -> Event {
        Event::new(EventKind::Modify(notify::event::ModifyKind::Any))
    }

    /// Queues a check, as after a write of another program; returns whether it notifies.
    async fn notifies(journal: &Journal) -> bool {
        let mut changes = Changes::default();
        changes.state.receive(&Ok(written()), &journal.requests, clock);
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
        let top = WindowRequest { anchor: Anchor::Top, rows: 1, arrangement: Arrangement::default() };
        one.window(top).await.unwrap();
        assert_eq!((notifies(&one).await, notifies(&one).await, notifies(&two).await), (true, false, false));
    }

    #[tokio::test]
    async fn orphans_that_could_not_be_ended_are_ended_at_the_next_event() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (open(folder.path(), 1).await, open(folder.path(), 2).await);
        two.record_intent(delete(2, 1)).await.unwrap();
        two.close().await;
        assert!(notifies(&one).await);
        let mut changes = Changes::default();
        let blocker = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
        blocker.execute_batch("BEGIN IMMEDIATE").unwrap();
        for (event, unknown) in [(Err(notify::Error::generic("missed")), 0), (Ok(written()), 1)] {
            changes.state.receive(&event, &one.requests, clock);
            assert_eq!(one.unknown_rows().await.unwrap().len(), unknown);
            assert_eq!(changes.next().now_or_never().is_some(), unknown > 0);
            let _ = blocker.execute_batch("ROLLBACK");
        }
    }

    #[test]
    fn a_thousand_events_queue_one_check() {
        let (state, (requests, inbox)) = (Arc::new(WatchState::default()), channel());
        for _ in 0..1000 {
            state.receive(&Ok(written()), &requests, clock);
        }
        assert_eq!(inbox.try_iter().count(), 1);
    }

    #[tokio::test]
    async fn a_dropped_wait_loses_no_change() {
        let mut changes = Changes { pause: Some(Box::pin(sleep(Duration::from_secs(3600)))), ..Changes::default() };
        assert_eq!(changes.next().now_or_never(), None);
        changes.state.changed.notify_one();
        assert_eq!(changes.next().now_or_never(), None, "next() does not wait for the pause");
        changes.pause = None;
        assert_eq!(changes.next().now_or_never(), Some(()));
        assert!(changes.pause.is_some());
        assert_eq!(changes.next().now_or_never(), None);
    }

    /// Returns the signals of a watched folder during an action.
    fn signals(folder: &Path, act: impl FnOnce()) -> Vec<Signal> {
        let (events, received) = channel();
        let mut watcher = notify::recommended_watcher(events).unwrap();
        watcher.watch(&process_locks::folder_in(folder), RecursiveMode::NonRecursive).unwrap();
        act();
        let mark = process_locks::folder_in(folder).join("mark");
        std::fs::create_dir(&mark).unwrap();
        let before = received.iter().take_while(|event| !event.as_ref().unwrap().paths.contains(&mark));
        let signals = before.map(|event| signal_of(&event)).filter(|signal| *signal != Signal::None).collect();
        std::fs::remove_dir(&mark).unwrap();
        signals
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_write_and_a_kill_raise_signals_and_other_uses_of_the_lock_none() {
        let folder = tempfile::tempdir().unwrap();
        let lock = process_locks::acquire(folder.path(), 1).unwrap();
        let probe = || assert!(process_locks::is_alive(folder.path(), 1));
        assert_eq!(signals(folder.path(), probe), []);
        assert_eq!(signals(folder.path(), || lock.signal()), [Signal::Written]);
        assert_eq!(signals(folder.path(), || drop(lock)), [Signal::Ended]);
        let visit = || process_locks::acquire(folder.path(), 2).unwrap().release();
        assert_eq!(signals(folder.path(), visit), []);
    }

    #[tokio::test]
    async fn the_error_names_a_folder_that_cannot_be_watched() {
        let folder = tempfile::tempdir().unwrap();
        let journal = open(folder.path(), 1).await;
        let lost = process_locks::folder_in(folder.path());
        std::fs::remove_dir_all(&lost).unwrap();
        let why = journal.changes(clock).unwrap_err().to_string();
        assert!(why.starts_with(&format!("the folder {} cannot be watched: ", lost.display())), "{why}");
    }
}
