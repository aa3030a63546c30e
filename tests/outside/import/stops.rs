//! Told to stop: what is out is awaited, the rest stays unsent, and the same file goes on from there.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStderr};

use rustix::process::{Pid, Signal, kill_process};

use super::store::{Reply, Store};
use super::{Told, all, import, numbered, sorted, view};
use crate::support::{Ended, Home, end_of};

/// A run whose words are read as they come.
struct Watched {
    child: Child,
    words: BufReader<ChildStderr>,
    said: String,
}

impl Watched {
    fn of(mut child: Child) -> Self {
        let words = BufReader::new(child.stderr.take().unwrap());
        Self { child, words, said: String::new() }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits until it says this.
    fn says(&mut self, words: &str) {
        while !self.said.contains(words) {
            assert!(self.words.read_line(&mut self.said).unwrap() > 0, "{words} was never said: {}", self.said);
        }
    }

    fn ended(mut self) -> Ended {
        let ended = end_of(self.child);
        self.words.read_to_string(&mut self.said).unwrap();
        Ended { stderr: self.said, ..ended }
    }
}

/// An import of forty rows, two at a time, that has two out which wait for their responses.
fn two_are_out(home: &Home, store: &Store) -> Watched {
    home.write("a.csv", numbered(1..=40));
    let child = import(home, &store.base(), &["a.csv", "--concurrency", "2"]).begun();
    store.has_come(2);
    Watched::of(child)
}

#[test]
fn what_is_out_is_awaited_and_the_rest_stays() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Waits));
        let mut run = two_are_out(&home, &store);
        run.signal(signal);
        run.says("Stopping: what is out is waited for");
        // What was asked for and is not out is taken back. Until then one more might go out.
        while view(&home, &store.base()).len() > 2 {}
        store.lets_go();
        let ended = run.ended().orderly(130);
        let told = Told::by(&ended);
        assert_eq!(told.counts(), [("accepted", 2), ("left", 38)].into());
        assert_eq!(told.summary["interrupted"], true);
        assert!(ended.stderr.contains("The import was stopped: 2 accepted, 38 left unsent."), "{ended:?}");
        assert_eq!(sorted(store.ids()), [1, 2]);
        assert_eq!(view(&home, &store.base()), all(1..=2, "stored"));
        let told = Told::by(&import(&home, &store.base(), &["a.csv"]).ended().orderly(0));
        assert_eq!(told.counts(), [("already_stored", 2), ("accepted", 38)].into());
        assert_eq!(sorted(store.ids()), (1..=40).collect::<Vec<_>>());
    }
}

#[test]
fn the_second_time_nothing_is_awaited() {
    let (home, store) =
        (Home::new(), Store::replying(|_, count| if count <= 2 { Reply::Waits } else { Reply::Says(201) }));
    let mut run = two_are_out(&home, &store);
    run.signal(Signal::INT);
    run.says("Stopping: ");
    run.signal(Signal::INT);
    let told = Told::by(&run.ended().orderly(130));
    assert_eq!(told.counts(), [("unknown", 2), ("left", 38)].into());
    assert_eq!(view(&home, &store.base()), all(1..=2, "unknown"));
    let told = Told::by(&import(&home, &store.base(), &["a.csv"]).ended().orderly(4));
    assert_eq!(told.counts(), [("unknown_before", 2), ("accepted", 38)].into());
    assert_eq!(sorted(store.ids()), (1..=40).collect::<Vec<_>>());
}

/// The journal is locked by another process while an import is under way.
#[test]
fn a_wait_for_the_journal_is_told_and_goes_on() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Waits));
    let mut run = two_are_out(&home, &store);
    let journal = home.data().join("journal.db");
    let holder = rusqlite::Connection::open(&journal).unwrap();
    holder.busy_timeout(std::time::Duration::from_secs(60)).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    store.lets_go();
    run.says(&format!("process {} keeps the journal {} locked", std::process::id(), journal.display()));
    holder.execute_batch("ROLLBACK").unwrap();
    assert_eq!(Told::by(&run.ended().orderly(0)).counts(), [("accepted", 40)].into());
}

#[test]
fn a_pause_is_not_sat_out() {
    let (home, store) =
        (Home::new(), Store::replying(|_, count| if count == 1 { Reply::Asks(503, "3000") } else { Reply::Says(201) }));
    home.write("a.csv", numbered(1..=40));
    let mut run = Watched::of(import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).begun());
    run.says("line 2: ");
    run.signal(Signal::INT);
    let told = Told::by(&run.ended().orderly(130));
    assert_eq!(told.counts(), [("unknown", 1), ("left", 39)].into());
    assert_eq!(store.ids(), [1]);
}

#[test]
fn while_rows_are_validated_there_is_nothing_to_wait_for() {
    let (home, store) = (Home::new(), Store::calm());
    let mut command = import(&home, &store.base(), &["-"]).command;
    let mut child = command.spawn().unwrap();
    // Held open: there may be more to come.
    let mut rows = child.stdin.take().unwrap();
    rows.write_all(b"id,name,tag\n1,a,t\nx,b,t\n").unwrap();
    let mut run = Watched::of(child);
    run.says("line 3, column 1 (id)");
    run.signal(Signal::INT);
    let ended = run.ended().orderly(130);
    assert!(ended.stderr.contains("Nothing was sent."), "{ended:?}");
    drop(rows);
    assert_eq!((store.ids(), view(&home, &store.base())), (vec![], BTreeMap::new()));
}
