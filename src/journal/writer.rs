//! The writer's thread: the only one that writes to the journal.
//!
//! The thread takes all requests that wait, commits their entries together and then replies: the
//! more requests wait, the less each pays for durability. The thread ends when every handle is gone.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tokio::sync::oneshot;

use super::database::{Database, Shared};
use super::error::JournalError;
use super::opening::{self, Opened};
use super::place::Place;
use super::writes::{EntryResults, Write};
use crate::domain::Timestamp;

/// The largest number of requests in one transaction, so that the first does not wait long.
const BATCH: usize = 512;

/// The sender of a result. If the receiver is gone, the request is done all the same.
pub(super) type Reply<T> = oneshot::Sender<Result<T, JournalError>>;

/// Work on the journal, done on the writer's thread.
pub(super) type Work = Box<dyn FnOnce(&mut Database) + Send>;

/// A request of a handle.
pub(super) enum Request {
    /// Writes these entries; replies with the result of each.
    Write(Vec<Write>, Reply<EntryResults>),
    /// Does this after the commit of the batch.
    Read(Work),
    /// Does this before the commit of the batch.
    Do(Work),
    /// Closes the journal, then replies.
    Close(oneshot::Sender<()>),
}

/// The queue of the thread, and what it shares with the handles.
pub(super) type Started = (Sender<Request>, Opened<Shared>);

/// Starts the thread, which opens the journal and then serves requests.
pub(super) async fn start(place: Place, store: String, origin: u64, now: Timestamp) -> Result<Started, JournalError> {
    let (requests, inbox) = channel();
    let (reply, opened) = oneshot::channel();
    thread::Builder::new()
        .name("journal".to_owned())
        .spawn(move || match opening::open(&place, &store, origin, now) {
            Ok(Opened { journal: database, orphans, set_aside, left_out }) => {
                let journal = database.shared.clone();
                let _ = reply.send(Ok(Opened { journal, orphans, set_aside, left_out }));
                serve(database, &inbox);
            }
            Err(error) => drop(reply.send(Err(error))),
        })
        .map_err(|error| JournalError::NoThread { reason: error.to_string() })?;
    Ok((requests, opened.await.map_err(|_| JournalError::Closed)??))
}

fn serve(mut database: Database, inbox: &Receiver<Request>) {
    let mut closing = Vec::new();
    while closing.is_empty() {
        let Ok(first) = inbox.recv() else { break };
        let waiting = inbox.try_iter().take(BATCH - 1);
        let (mut entries, mut replies, mut reads) = (Vec::new(), Vec::new(), Vec::new());
        for request in [first].into_iter().chain(waiting) {
            match request {
                Request::Write(more, reply) => {
                    replies.push((more.len(), reply));
                    entries.extend(more);
                }
                Request::Read(work) => reads.push(work),
                Request::Do(work) => work(&mut database),
                Request::Close(done) => closing.push(done),
            }
        }
        write(&mut database, entries, replies);
        // After the commit, so that no lookup shows an entry that could still fail.
        for work in reads {
            work(&mut database);
        }
    }
    database.close();
    for done in closing {
        let _ = done.send(());
    }
}

/// Writes entries, and sends each caller the results of its own.
fn write(database: &mut Database, entries: Vec<Write>, replies: Vec<(usize, Reply<EntryResults>)>) {
    let recorded = if entries.is_empty() { Ok(EntryResults::new()) } else { database.record(&entries) };
    // Dropped before the replies, so that the senders alone hold the exchanges again.
    drop(entries);
    let mut results = recorded.map(Vec::into_iter);
    for (count, reply) in replies {
        let of_this = results.as_mut().map(|results| results.by_ref().take(count).collect());
        let _ = reply.send(of_this.map_err(|error| error.clone()));
    }
}
