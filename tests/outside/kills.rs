//! Nothing that a store received is unknown to the journal, whenever the program is killed.
//!
//! `PLANTS_KILLS=500 cargo test --test outside kills` runs as many cycles; the tests run 25, the long
//! ones 250.

#![expect(clippy::print_stdout, reason = "a long run wants its figures: --nocapture")]
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

/// The id in a request that arrived whole.
fn id_of(request: &str) -> Option<i64> {
    let (_, body) = request.split_once("\r\n\r\n")?;
    serde_json::from_str::<Value>(body).ok()?.get("id")?.as_i64()
}

/// Kills each add at a random instant, `at_once` of them running side by side.
fn killed_at_random(at_once: i64) {
    let (home, store) = (Home::new(), RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#));
    let base = store.url();
    let add = |id: i64| home.plants_at(&base, &["add", "--id", &id.to_string(), "--name", "Fern", "--tag", "shade"]);
    // Half as long again as an add takes here and now: some are killed too early, some too late.
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
    let believed = home.states(&base);
    // Every request was answered with 201, so whatever is believed must have been received.
    let received: Vec<i64> = store.received().iter().filter_map(|request| id_of(request)).collect();
    for id in &received {
        let state = believed.get(id).map(String::as_str);
        assert!(matches!(state, Some("stored" | "unknown")), "the store received {id}, and the journal says {state:?}");
    }
    for (id, state) in &believed {
        assert!(state == "unknown" || received.contains(id), "{id} is {state}, and the store never saw it");
    }
    let sent_once: BTreeSet<_> = received.iter().collect();
    assert_eq!(received.len(), sent_once.len(), "something was sent twice");
    for id in [FIRST, LAST] {
        assert_eq!(believed.get(&id).map(String::as_str), Some("stored"), "an add that nobody killed");
    }
    let count = |wanted| believed.values().filter(|state| *state == wanted).count();
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
    killed_at_random(1);
}

#[test]
fn two_that_are_killed_side_by_side_lose_nothing_either() {
    killed_at_random(2);
}
