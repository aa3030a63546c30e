//! The owner's thread: the only one that touches the journal's connection.
//!
//! It takes all requests that wait, commits their writes together and answers only then: the
//! more wait, the less each pays for being durable. When every handle is gone, it ends.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tokio::sync::oneshot;

use super::book::{self, Book};
use super::entries::Entry;
use super::error::JournalError;
use super::history::Trimmed;
use super::log::{LogRequest, LogWindow};
use super::search::Search;
use super::{Kept, Place, SetAside, Story, Window, WindowRequest};
use crate::domain::{Departed, PlantId, Row, Sample, Timestamp};

/// How many requests one transaction takes at most, so that the first is not kept waiting.
const BATCH: usize = 512;

/// Where an answer goes. If nobody waits for it any more, what was asked is done all the same.
pub(super) type Reply<T> = oneshot::Sender<Result<T, JournalError>>;

/// What a handle asks of the owner.
pub(super) enum Request {
    /// Write this down.
    Write(Entry, Reply<()>),
    /// Tell this.
    Read(Question),
    /// Remove old exchanges of a stretch, or only count them.
    Trim { older_than: Timestamp, after: i64, only_count: bool, reply: Reply<Trimmed> },
    /// End, and say when it is done.
    Close(oneshot::Sender<()>),
    /// Do this, between two batches.
    Do(Box<dyn FnOnce(&mut Book) + Send>),
}

/// What can be read.
#[derive(Debug)]
pub(super) enum Question {
    Window(WindowRequest, Reply<Window>),
    Story(PlantId, Reply<Story>),
    NextFreeId(Reply<PlantId>),
    Doubts(Reply<Vec<Row>>),
    ViewPage(Option<PlantId>, usize, Reply<Vec<Row>>),
    Exchanges(Search, Option<i64>, usize, Reply<Vec<Kept>>),
    Exchange(i64, Reply<Option<Kept>>),
    Log(LogRequest, Reply<LogWindow>),
    Pulse(Search, usize, Reply<Vec<Sample>>),
    Departed(String, usize, Reply<Vec<Departed>>),
}

/// What opening found, beside the journal itself.
#[derive(Debug)]
pub(super) struct Noticed {
    pub(super) orphans: Vec<Row>,
    pub(super) set_aside: Option<SetAside>,
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
        .spawn(move || match book::open(&place, &store, origin, now) {
            Ok(found) => {
                let _ = opened.send(Ok(Noticed { orphans: found.orphans, set_aside: found.set_aside }));
                serve(found.book, &inbox);
            }
            Err(error) => drop(opened.send(Err(error))),
        })
        .map_err(|error| JournalError::Other(format!("could not start the journal's thread: {error}")))?;
    Ok(requests)
}

fn serve(mut book: Book, inbox: &Receiver<Request>) {
    let mut closing = Vec::new();
    while closing.is_empty() {
        let Ok(first) = inbox.recv() else { break };
        let waiting = inbox.try_iter().take(BATCH - 1);
        let (mut entries, mut replies, mut questions) = (Vec::new(), Vec::new(), Vec::new());
        for request in [first].into_iter().chain(waiting) {
            match request {
                Request::Write(entry, reply) => {
                    entries.push(entry);
                    replies.push(reply);
                }
                Request::Read(question) => questions.push(question),
                Request::Trim { older_than, after, only_count, reply } => {
                    drop(reply.send(book.trim(older_than, after, only_count)));
                }
                Request::Close(done) => closing.push(done),
                Request::Do(work) => work(&mut book),
            }
        }
        write(&mut book, entries, replies);
        // After the commit: nobody is shown what could still fail to be kept.
        for question in questions {
            answer(&mut book, question);
        }
    }
    book.close();
    for done in closing {
        let _ = done.send(());
    }
}

fn write(book: &mut Book, entries: Vec<Entry>, replies: Vec<Reply<()>>) {
    if entries.is_empty() {
        return;
    }
    match book.record(entries) {
        Ok(results) => {
            for (reply, result) in replies.into_iter().zip(results) {
                let _ = reply.send(result);
            }
        }
        Err(error) => {
            for reply in replies {
                let _ = reply.send(Err(error.clone()));
            }
        }
    }
}

fn answer(book: &mut Book, question: Question) {
    match question {
        Question::Window(request, reply) => drop(reply.send(book.window(request))),
        Question::Story(plant, reply) => drop(reply.send(book.story(plant))),
        Question::NextFreeId(reply) => drop(reply.send(book.next_free_id())),
        Question::Doubts(reply) => drop(reply.send(book.doubts())),
        Question::ViewPage(after, rows, reply) => drop(reply.send(book.view_page(after, rows))),
        Question::Exchanges(search, before, rows, reply) => drop(reply.send(book.exchanges(&search, before, rows))),
        Question::Exchange(place, reply) => drop(reply.send(book.exchange(place))),
        Question::Log(request, reply) => drop(reply.send(book.log(&request))),
        Question::Pulse(search, most, reply) => drop(reply.send(book.pulse(&search, most))),
        Question::Departed(text, rows, reply) => drop(reply.send(book.departed(&text, rows))),
    }
}
