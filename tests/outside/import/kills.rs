//! A killed import: the journal knows every request, and importing the same file again completes it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::thread::{self, JoinHandle};

use super::store::{Reply, Store};
use super::{Output, all, import, numbered};
use crate::support::Home;
use crate::support::extent::{rounds, step};

const ROWS: i64 = 60;

/// Kills an import when the store has received `count` rows, the last `without_response` of which have no
/// response.
fn kill_at(count: usize, without_response: usize) {
    let home = Home::new();
    let store = Store::replying(move |_, number| {
        let is_last = (count.saturating_sub(without_response) + 1..=count).contains(&number);
        if is_last { Reply::Held } else { Reply::Status(201) }
    });
    let base = store.base();
    home.write("a.csv", numbered(1..=ROWS));
    let mut child = import(&home, &base, &["a.csv", "--concurrency", "4"]).begun();
    store.wait_for(count);
    child.kill().unwrap();
    child.wait().unwrap();
    let list_run = home.plants_at(&base, &["list", "--json"]).ended().orderly(0);
    let listed = home.states(&base);
    let received = store.ids();
    for id in &received {
        let state = listed.get(id).map(String::as_str);
        assert!(matches!(state, Some("stored" | "unknown")), "{id} was received, and is {state:?}: {list_run:?}");
    }
    for (id, state) in &listed {
        assert!(state == "unknown" || received.contains(id), "{id} is {state}, and was not received");
    }
    let unknown: Vec<_> = listed.iter().filter(|(_, state)| *state == "unknown").map(|(id, _)| *id).collect();
    assert!(unknown.len() >= without_response, "{unknown:?}");
    assert!(unknown.is_empty() || list_run.stderr.contains("an earlier program ended while"), "{list_run:?}");
    store.release();
    let ended = import(&home, &base, &["a.csv"]).ended().orderly(if unknown.is_empty() { 0 } else { 4 });
    let result = Output::of(&ended);
    let lines: Vec<_> = unknown.iter().map(|id| u64::try_from(id + 1).unwrap()).collect();
    assert_eq!(result.lines("unknown"), lines);
    let mut often = BTreeMap::new();
    for id in store.ids() {
        *often.entry(id).or_insert(0) += 1;
    }
    for id in 1..=ROWS {
        let times = often.get(&id).copied().unwrap_or(0);
        assert!(times == 1 || (times == 0 && unknown.contains(&id)), "{id} received {times} times: {unknown:?}");
    }
    import(&home, &base, &["a.csv", "--resend-unknown"]).ended().orderly(0);
    assert_eq!(home.states(&base), all(1..=ROWS, "stored"));
    let left = std::fs::read_dir(home.data()).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(left.iter().all(|name| name.starts_with("journal.db") || name == "instances"), "{left:?}");
}

#[test]
fn an_import_killed_between_responses_is_completed_by_the_next() {
    for count in [1, 2, 5, 9, 17, 23, 38, 59, 60].into_iter().step_by(step(3)) {
        kill_at(count, 0);
    }
}

#[test]
fn an_import_killed_with_requests_in_flight_is_completed_by_the_next() {
    for (count, without_response) in [(1, 1), (4, 4), (7, 2), (20, 1), (33, 4), (58, 3)].into_iter().step_by(step(2)) {
        kill_at(count, without_response);
    }
}

/// The most open intents of an import with 8 requests at a time.
const OPEN_INTENTS: usize = 64;

/// Reads a pipe to its end.
fn drained(mut pipe: impl Read + Send + 'static) -> JoinHandle<()> {
    let read = move || assert!(io::copy(&mut pipe, &mut io::sink()).is_ok());
    thread::Builder::new().name("reader".to_owned()).spawn(read).unwrap()
}

/// The most requests of an import before it is killed.
const LIFE: usize = 20;

/// Kills imports of one file one after another, as often as `PLANTS_KILLS` says. Each one sends only rows that none
/// before has sent, and makes few of them unknown.
#[test]
fn imports_killed_one_after_another_lose_nothing_and_send_nothing_twice() {
    let kills = rounds("PLANTS_KILLS", 10, 250);
    let rows = i64::try_from(kills).unwrap() * i64::try_from(LIFE + OPEN_INTENTS).unwrap();
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Status(201)));
    let base = store.base();
    home.write("a.csv", numbered(1..=rows));
    let mut random = fastrand::Rng::with_seed(kills);
    let mut unknown_before = 0;
    for _ in 0..kills {
        let count = store.ids().len() + random.usize(1..=LIFE);
        let mut child = import(&home, &base, &["a.csv"]).begun();
        // It prints each plant that is unknown from before, and would wait for a reader.
        let readers = [drained(child.stdout.take().unwrap()), drained(child.stderr.take().unwrap())];
        store.wait_for(count);
        child.kill().unwrap();
        child.wait().unwrap();
        for reader in readers {
            reader.join().unwrap();
        }
        let listed = home.states(&base);
        let received = store.ids();
        for id in &received {
            let state = listed.get(id).map(String::as_str);
            assert!(matches!(state, Some("stored" | "unknown")), "{id} was received, and is {state:?}");
        }
        let received_once: BTreeSet<_> = received.iter().collect();
        assert_eq!(received.len(), received_once.len(), "a row was sent twice");
        let not_received = listed.iter().filter(|(id, _)| !received_once.contains(id));
        assert!(not_received.clone().all(|(_, state)| state == "unknown"), "{:?}", not_received.collect::<Vec<_>>());
        let unknown = listed.values().filter(|state| *state == "unknown").count();
        assert!(unknown - unknown_before <= OPEN_INTENTS, "{unknown_before} unknown plants, then {unknown}");
        unknown_before = unknown;
    }
    import(&home, &base, &["a.csv", "--resend-unknown"]).ended().orderly(0);
    assert_eq!(home.states(&base), all(1..=rows, "stored"));
}
