//! Hearing at once of what other programs write, without looking again and again.
//!
//! Whoever has written rings, by touching its lock file once others can see what it wrote. The
//! database's own files would tell too early: `SQLite` writes its log before it commits, and
//! commits in shared memory, which no file watch sees. Whoever ends closes its lock file, also
//! when it is killed.

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

/// The least time from one change that is told to the next.
const PACE: Duration = Duration::from_millis(50);

/// Linux tells of a close a moment before it lets go of the lock.
const UNTIL_UNLOCKED: Duration = Duration::from_millis(10);

/// Tells when others have changed the journal. Made by [`super::Journal::changes`]; counts as a
/// handle of the journal.
#[derive(Debug, Default)]
pub struct Changes {
    state: Arc<WatchState>,
    /// A change was heard and is not told yet.
    heard: bool,
    /// Over once the next change may be told.
    pause: Option<Pin<Box<Sleep>>>,
    /// `None` where there are no others.
    _watcher: Option<RecommendedWatcher>,
}

/// What the watcher, the journal's writer and whoever waits share.
#[derive(Debug, Default)]
struct WatchState {
    /// The writer was asked to look, and has not begun to.
    asked: AtomicBool,
    /// A program may have died, and what it left open is not ended.
    somebody_died: AtomicBool,
    changed: Notify,
}

/// What an event on the folder of lock files means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    Nothing,
    /// Somebody wrote.
    Ring,
    /// Somebody ended without a farewell; or nobody can say what happened.
    Death,
}

impl Changes {
    /// Watches a folder of lock files. `clock` tells when what the dead left open is ended.
    pub(super) fn of(folder: &Path, requests: Sender<Request>, clock: fn() -> Timestamp) -> Result<Self, JournalError> {
        let changes = Self::default();
        let state = Arc::clone(&changes.state);
        let watch = || {
            // The library ends the program where it cannot start its thread: mostly this is told in time.
            let thread = thread::Builder::new().spawn(|| {}).map_err(notify::Error::io)?;
            let _ = thread.join();
            let mut watcher = notify::recommended_watcher(move |event| state.hear(&event, &requests, clock))?;
            watcher.watch(folder, RecursiveMode::NonRecursive)?;
            Ok(watcher)
        };
        let watcher = watch().map_err(|error: notify::Error| JournalError::NotWatched {
            folder: folder.to_path_buf(),
            reason: error.to_string(),
        })?;
        Ok(Self { _watcher: Some(watcher), ..changes })
    }

    /// Waits until others have changed the journal since this returned last: at most 20 times a
    /// second, and the last change is always told. Where there are no others, for ever.
    ///
    /// Nothing is lost if it is dropped before it returns.
    pub async fn next(&mut self) {
        if !self.heard {
            self.state.changed.notified().await;
            self.heard = true;
        }
        if let Some(pause) = &mut self.pause {
            pause.await;
        }
        self.heard = false;
        self.pause = Some(Box::pin(sleep(PACE)));
    }
}

impl WatchState {
    /// On the watcher's thread. However much is heard, at most one request to look waits.
    fn hear(self: &Arc<Self>, event: &notify::Result<Event>, requests: &Sender<Request>, clock: fn() -> Timestamp) {
        match meaning(event) {
            Heard::Nothing => return,
            Heard::Ring => {}
            Heard::Death => {
                thread::sleep(UNTIL_UNLOCKED);
                self.somebody_died.store(true, Ordering::SeqCst);
            }
        }
        if !self.asked.swap(true, Ordering::SeqCst) {
            let state = Arc::clone(self);
            // A writer that has ended has nothing to look at.
            let _ = requests.send(Request::Do(Box::new(move |database| state.look(database, clock))));
        }
    }

    /// On the writer's thread.
    fn look(&self, database: &mut Database, clock: fn() -> Timestamp) {
        // First of all: what is heard from here on is looked at again.
        self.asked.store(false, Ordering::SeqCst);
        let mut changed = false;
        if self.somebody_died.swap(false, Ordering::SeqCst) {
            match database.end_orphans(clock()) {
                Ok(ended) => changed = ended,
                // Tried again with whatever is heard next.
                Err(_) => self.somebody_died.store(true, Ordering::SeqCst),
            }
        }
        changed |= database.was_changed_by_others();
        if changed {
            self.changed.notify_one();
        }
    }
}

fn meaning(event: &notify::Result<Event>) -> Heard {
    let Ok(event) = event else { return Heard::Death };
    let closed = event.kind == EventKind::Access(AccessKind::Close(AccessMode::Write));
    // Who leaves by itself removes its file first.
    if event.need_rescan() || (closed && event.paths.iter().any(|path| path.exists())) {
        Heard::Death
    } else if event.kind.is_modify() {
        Heard::Ring
    } else {
        Heard::Nothing
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

    fn ring() -> Event {
        Event::new(EventKind::Modify(notify::event::ModifyKind::Any))
    }

    /// Lets the writer look, as after a ring; whether there was something to tell.
    async fn tells(journal: &Journal) -> bool {
        let mut changes = Changes::default();
        changes.state.hear(&Ok(ring()), &journal.requests, clock);
        // Answered after the look.
        journal.next_free_id().await.unwrap();
        changes.next().now_or_never().is_some()
    }

    #[tokio::test]
    async fn what_others_write_is_told_once_and_what_we_write_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (open(folder.path(), 1).await, open(folder.path(), 2).await);
        assert!(!tells(&one).await);
        one.record_intent(delete(1, 1)).await.unwrap();
        assert_eq!((tells(&one).await, tells(&two).await), (false, true));
        two.record_intent(delete(2, 1)).await.unwrap();
        // Also where a window was read in between, which looks for itself.
        let top = WindowRequest { anchor: Anchor::Top, rows: 1, arrangement: Arrangement::default() };
        one.window(top).await.unwrap();
        assert_eq!((tells(&one).await, tells(&one).await, tells(&two).await), (true, false, false));
    }

    #[tokio::test]
    async fn what_could_not_be_ended_is_ended_with_what_is_heard_next() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (open(folder.path(), 1).await, open(folder.path(), 2).await);
        two.record_intent(delete(2, 1)).await.unwrap();
        two.close().await;
        assert!(tells(&one).await);
        let mut changes = Changes::default();
        let blocker = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
        blocker.execute_batch("BEGIN IMMEDIATE").unwrap();
        for (heard, unknown) in [(Err(notify::Error::generic("missed")), 0), (Ok(ring()), 1)] {
            changes.state.hear(&heard, &one.requests, clock);
            assert_eq!(one.unknown_rows().await.unwrap().len(), unknown);
            assert_eq!(changes.next().now_or_never().is_some(), unknown > 0);
            let _ = blocker.execute_batch("ROLLBACK");
        }
    }

    #[test]
    fn of_a_flood_one_request_waits() {
        let (state, (requests, inbox)) = (Arc::new(WatchState::default()), channel());
        for _ in 0..1000 {
            state.hear(&Ok(ring()), &requests, clock);
        }
        assert_eq!(inbox.try_iter().count(), 1);
    }

    #[tokio::test]
    async fn a_wait_that_is_given_up_loses_nothing() {
        let mut changes = Changes { pause: Some(Box::pin(sleep(Duration::from_secs(3600)))), ..Changes::default() };
        assert_eq!(changes.next().now_or_never(), None);
        changes.state.changed.notify_one();
        assert_eq!(changes.next().now_or_never(), None, "it is not paced");
        changes.pause = None;
        assert_eq!(changes.next().now_or_never(), Some(()));
        assert!(changes.pause.is_some());
        assert_eq!(changes.next().now_or_never(), None);
    }

    /// What a watched folder sounds like while something is done in it.
    fn sounds(folder: &Path, act: impl FnOnce()) -> Vec<Heard> {
        let (events, heard) = channel();
        let mut watcher = notify::recommended_watcher(events).unwrap();
        watcher.watch(&process_locks::folder_in(folder), RecursiveMode::NonRecursive).unwrap();
        act();
        let mark = process_locks::folder_in(folder).join("mark");
        std::fs::create_dir(&mark).unwrap();
        let before = heard.iter().take_while(|event| !event.as_ref().unwrap().paths.contains(&mark));
        let sounds = before.map(|event| meaning(&event)).filter(|heard| *heard != Heard::Nothing).collect();
        std::fs::remove_dir(&mark).unwrap();
        sounds
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_ring_and_a_death_are_heard_and_entering_judging_and_leaving_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let lock = process_locks::enter(folder.path(), 1).unwrap();
        let validate = || assert_eq!(process_locks::liveness(folder.path(), 1), process_locks::Liveness::Alive);
        assert_eq!(sounds(folder.path(), validate), []);
        assert_eq!(sounds(folder.path(), || lock.ring()), [Heard::Ring]);
        assert_eq!(sounds(folder.path(), || drop(lock)), [Heard::Death]);
        let visit = || process_locks::enter(folder.path(), 2).unwrap().leave();
        assert_eq!(sounds(folder.path(), visit), []);
    }

    #[tokio::test]
    async fn a_folder_that_cannot_be_watched_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let journal = open(folder.path(), 1).await;
        let lost = process_locks::folder_in(folder.path());
        std::fs::remove_dir_all(&lost).unwrap();
        let why = journal.changes(clock).unwrap_err().to_string();
        assert!(why.starts_with(&format!("the folder {} cannot be watched: ", lost.display())), "{why}");
    }
}
