//! The journal knows every request that a store received, whenever the program is killed.
//!
//! `PLANTS_KILLS=500 cargo test --test outside kills` runs 500 cycles; the default is 25, and 250 for long
//! tests.

#![expect(clippy::print_stdout, reason = "prints the figures of a long run with --nocapture")]
#![expect(clippy::disallowed_methods, reason = "kills at random instants")]

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::Home;
use crate::support::extent::rounds;
use crate::support::raw::RawStore;
use serde_json::Value;

/// The ids of adds that are not killed.
const FIRST: i64 = -1;
const LAST: i64 = -2;

fn cycles() -> i64 {
    rounds("PLANTS_KILLS", 25, 250).cast_signed()
}

/// Returns the id of a complete request.
fn id_of(request: &str) -> Option<i64> {
    let (_, body) = request.split_once("\r\n\r\n")?;
    serde_json::from_str::<Value>(body).ok()?.get("id")?.as_i64()
}

/// Kills each add at a random instant, with `at_once` of them running concurrently.
fn kill_at_random(at_once: i64) {
    let (home, store) = (Home::new(), RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#));
    let base = store.url();
    let add = |id: i64| home.plants_at(&base, &["add", "--id", &id.to_string(), "--name", "Fern", "--tag", "shade"]);
    // One and a half times the duration of an add: some are killed before they send, some after they end.
    let begun = Instant::now();
    add(FIRST).ended().orderly(0);
    let longest_life = u64::try_from(begun.elapsed().as_micros()).unwrap() * 3 / 2;
    for cycle in 0..cycles() {
        let children: Vec<_> = (0..at_once).map(|other| add(cycle * at_once + other).begun()).collect();
        for mut child in children {
            thread::sleep(Duration::from_micros(fastrand::u64(..longest_life)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
    add(LAST).ended().orderly(0);
    let listed = home.states(&base);
    // The store responded 201 to every request, so it must have received every stored plant.
    let received: Vec<i64> = store.received().iter().filter_map(|request| id_of(request)).collect();
    for id in &received {
        let state = listed.get(id).map(String::as_str);
        assert!(
            matches!(state, Some("stored" | "unknown")),
            "the store received {id}, and in the journal it is {state:?}"
        );
    }
    for (id, state) in &listed {
        assert!(state == "unknown" || received.contains(id), "{id} is {state}, and the store did not receive it");
    }
    let sent_once: BTreeSet<_> = received.iter().collect();
    assert_eq!(received.len(), sent_once.len(), "a request was sent twice");
    for id in [FIRST, LAST] {
        assert_eq!(listed.get(&id).map(String::as_str), Some("stored"), "an add that was not killed");
    }
    let count = |wanted| listed.values().filter(|state| *state == wanted).count();
    println!(
        "{} killed: {} stored, {} unknown, {} received",
        cycles() * at_once,
        count("stored") - 2,
        count("unknown"),
        received.len() - 2
    );
}

#[test]
fn a_killed_add_is_never_lost() {
    kill_at_random(1);
}

#[test]
fn two_concurrent_killed_adds_are_never_lost() {
    kill_at_random(2);
}
