//! The writer's thread: the only one that touches the journal's connection.
//!
//! It takes all requests that wait, commits their writes together and answers only then: the
//! more wait, the less each pays for being durable. When every handle is gone, it ends.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tokio::sync::oneshot;

use super::database::Database;
use super::error::JournalError;
use super::history::Trimmed;
use super::identity::Identity;
use super::opening::{self, Found};
use super::place::Place;
use super::reader::Reader;
use super::salvage::SetAside;
use super::writes::{Each, Entry};
use crate::domain::{Row, Timestamp};

/// How many requests one transaction takes at most, so that the first is not kept waiting.
const BATCH: usize = 512;

/// Where a response goes. If nobody waits for it any more, what was asked is done all the same.
pub(super) type Reply<T> = oneshot::Sender<Result<T, JournalError>>;

/// What a handle asks of the writer.
pub(super) enum Request {
    /// Write these down; each has its own result.
    Write(Vec<Entry>, Reply<Each>),
    /// Look this up and tell it.
    Read(Box<dyn FnOnce(&mut Database) + Send>),
    /// Remove old exchanges of a stretch, or only count them.
    Trim { older_than: Timestamp, after: i64, only_count: bool, reply: Reply<Trimmed> },
    /// End, and say when it is done.
    Close(oneshot::Sender<()>),
    /// Do this, between two batches.
    Do(Box<dyn FnOnce(&mut Database) + Send>),
}

/// What opening found, beside the journal itself.
#[derive(Debug)]
pub(super) struct Noticed {
    pub(super) orphans: Vec<Row>,
    pub(super) set_aside: Option<SetAside>,
    pub(super) left_out: Option<PathBuf>,
    pub(super) reader: Option<Arc<Reader>>,
    pub(super) identity: Option<Arc<Identity>>,
}

/// Starts the thread, which opens the journal, tells `opened`, and then serves.
pub(super) fn start(
    place: Place,
    store: String,
    origin: u64,
    now: Timestamp,
    opened: Reply<Noticed>,
) -> Result<Sender<Request>, JournalError> {
    let (requests, inbox) = channel();
    thread::Builder::new()
        .name("journal".to_owned())
        .spawn(move || match opening::open(&place, &store, origin, now) {
            Ok(found) => {
                let Found { database, orphans, set_aside, left_out } = found;
                let (reader, identity) = (database.reader(), database.identity());
                let _ = opened.send(Ok(Noticed { orphans, set_aside, left_out, reader, identity }));
                serve(database, &inbox);
            }
            Err(error) => drop(opened.send(Err(error))),
        })
        .map_err(|error| JournalError::NoThread { name: "thread", reason: error.to_string() })?;
    Ok(requests)
}

fn serve(mut database: Database, inbox: &Receiver<Request>) {
    let mut closing = Vec::new();
    while closing.is_empty() {
        let Ok(first) = inbox.recv() else { break };
        let waiting = inbox.try_iter().take(BATCH - 1);
        let (mut entries, mut replies, mut questions) = (Vec::new(), Vec::new(), Vec::new());
        for request in [first].into_iter().chain(waiting) {
            match request {
                Request::Write(more, reply) => {
                    replies.push((more.len(), reply));
                    entries.extend(more);
                }
                Request::Read(question) => questions.push(question),
                Request::Trim { older_than, after, only_count, reply } => {
                    drop(reply.send(database.trim(older_than, after, only_count)));
                }
                Request::Close(done) => closing.push(done),
                Request::Do(work) => work(&mut database),
            }
        }
        write(&mut database, entries, replies);
        // After the commit: nobody is shown what could still fail to be kept.
        for response in questions {
            response(&mut database);
        }
    }
    database.close();
    for done in closing {
        let _ = done.send(());
    }
}

/// Writes entries down, and responds whoever gave so many of them.
fn write(database: &mut Database, entries: Vec<Entry>, replies: Vec<(usize, Reply<Each>)>) {
    // Nothing is kept at once.
    let recorded = if entries.is_empty() { Ok(Each::new()) } else { database.record(&entries) };
    // Before anybody hears of it: what they share is theirs again.
    drop(entries);
    match recorded {
        Ok(results) => {
            let mut results = results.into_iter();
            for (count, reply) in replies {
                let _ = reply.send(Ok(results.by_ref().take(count).collect()));
            }
        }
        Err(error) => {
            for (_, reply) in replies {
                let _ = reply.send(Err(error.clone()));
            }
        }
    }
}
