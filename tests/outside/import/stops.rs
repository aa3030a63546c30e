//! Stopping an import: requests in flight are completed, the rest stays unsent, and importing the file again
//! continues.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStderr};

use rustix::process::{Pid, Signal, kill_process};

use super::store::{Reply, Store};
use super::{Output, all, import, numbered, sorted};
use crate::support::{Ended, Home, end_of};

/// A run whose stderr is read while it runs.
struct Watched {
    child: Child,
    reader: BufReader<ChildStderr>,
    stderr: String,
}

impl Watched {
    fn of(mut child: Child) -> Self {
        let reader = BufReader::new(child.stderr.take().unwrap());
        Self { child, reader, stderr: String::new() }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for this text on stderr.
    fn wait_for(&mut self, expected: &str) {
        while !self.stderr.contains(expected) {
            assert!(self.reader.read_line(&mut self.stderr).unwrap() > 0, "{expected} is missing: {}", self.stderr);
        }
    }

    fn ended(mut self) -> Ended {
        let ended = end_of(self.child);
        self.reader.read_to_string(&mut self.stderr).unwrap();
        Ended { stderr: self.stderr, ..ended }
    }
}

/// Starts an import of forty rows, and waits until two are in flight.
fn two_in_flight(home: &Home, store: &Store) -> Watched {
    home.write("a.csv", numbered(1..=40));
    let child = import(home, &store.base(), &["a.csv", "--concurrency", "2"]).begun();
    store.wait_for(2);
    Watched::of(child)
}

#[test]
fn a_stop_completes_the_requests_in_flight() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Held));
        let mut run = two_in_flight(&home, &store);
        run.signal(signal);
        run.wait_for("Stopping after the requests in flight");
        // Waits until the rows ahead are withdrawn, so that no more are sent.
        while home.states(&store.base()).len() > 2 {}
        store.release();
        let ended = run.ended().orderly(130);
        let result = Output::of(&ended);
        assert_eq!(result.counts(), [("accepted", 2), ("left", 38)].into());
        assert_eq!(result.summary["interrupted"], true);
        assert!(ended.stderr.contains("The import was stopped: 2 accepted, 38 not tried."), "{ended:?}");
        assert_eq!(sorted(store.ids()), [1, 2]);
        assert_eq!(home.states(&store.base()), all(1..=2, "stored"));
        let result = Output::of(&import(&home, &store.base(), &["a.csv"]).ended().orderly(0));
        assert_eq!(result.counts(), [("already_stored", 2), ("accepted", 38)].into());
        assert_eq!(sorted(store.ids()), (1..=40).collect::<Vec<_>>());
    }
}

#[test]
fn a_second_stop_cancels_the_requests_in_flight() {
    let (home, store) =
        (Home::new(), Store::replying(|_, count| if count <= 2 { Reply::Held } else { Reply::Status(201) }));
    let mut run = two_in_flight(&home, &store);
    run.signal(Signal::INT);
    run.wait_for("Stopping ");
    // Sooner, it is the same request to stop.
    std::thread::sleep(std::time::Duration::from_millis(400));
    run.signal(Signal::INT);
    let result = Output::of(&run.ended().orderly(130));
    assert_eq!(result.counts(), [("unknown", 2), ("left", 38)].into());
    assert_eq!(home.states(&store.base()), all(1..=2, "unknown"));
    let result = Output::of(&import(&home, &store.base(), &["a.csv"]).ended().orderly(4));
    assert_eq!(result.counts(), [("unknown_before", 2), ("accepted", 38)].into());
    assert_eq!(sorted(store.ids()), (1..=40).collect::<Vec<_>>());
}

#[test]
fn an_import_waits_for_a_locked_journal() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Held));
    let mut run = two_in_flight(&home, &store);
    let journal = home.data().join("journal.db");
    let holder = rusqlite::Connection::open(&journal).unwrap();
    holder.busy_timeout(std::time::Duration::from_secs(60)).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    store.release();
    run.wait_for(&format!("process {} keeps the journal {} locked", std::process::id(), journal.display()));
    holder.execute_batch("ROLLBACK").unwrap();
    assert_eq!(Output::of(&run.ended().orderly(0)).counts(), [("accepted", 40)].into());
}

#[test]
fn a_stop_ends_a_pause_at_once() {
    let (home, store) = (
        Home::new(),
        Store::replying(|_, count| if count == 1 { Reply::RetryAfter(503, "3000") } else { Reply::Status(201) }),
    );
    home.write("a.csv", numbered(1..=40));
    let mut run = Watched::of(import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).begun());
    run.wait_for("line 2: ");
    run.signal(Signal::INT);
    let result = Output::of(&run.ended().orderly(130));
    assert_eq!(result.counts(), [("unknown", 1), ("left", 39)].into());
    assert_eq!(store.ids(), [1]);
}

#[test]
fn a_stop_during_validation_ends_the_program_at_once() {
    let (home, store) = (Home::new(), Store::accepting());
    let mut command = import(&home, &store.base(), &["-"]).command;
    let mut child = command.spawn().unwrap();
    // Stdin stays open: more rows may follow.
    let mut rows = child.stdin.take().unwrap();
    rows.write_all(b"id,name,tag\n1,a,t\nx,b,t\n").unwrap();
    let mut run = Watched::of(child);
    run.wait_for("line 3, column 1 (id)");
    run.signal(Signal::INT);
    let ended = run.ended().orderly(130);
    assert!(ended.stderr.contains("Nothing was sent."), "{ended:?}");
    drop(rows);
    assert_eq!((store.ids(), home.states(&store.base())), (vec![], BTreeMap::new()));
}
