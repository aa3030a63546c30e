//! Killed in the middle: what the store received is in the journal, and the same file completes.

use std::collections::BTreeMap;

use super::store::{Reply, Store};
use super::{Told, all, import, numbered, view};
use crate::support::Home;

const ROWS: i64 = 60;

/// Kills an import when the store has received so many rows; it answers so many at once, and
/// leaves so many of the first ones without a response.
fn killed_at(count: usize, without_response: usize) {
    let home = Home::new();
    let store = Store::replying(move |_, number| {
        // The last that come before the kill.
        let is_last = (count.saturating_sub(without_response) + 1..=count).contains(&number);
        if is_last { Reply::Waits } else { Reply::Says(201) }
    });
    let base = store.base();
    home.write("a.csv", numbered(1..=ROWS));
    let mut child = import(&home, &base, &["a.csv", "--concurrency", "4"]).begun();
    store.has_come(count);
    child.kill().unwrap();
    child.wait().unwrap();
    let listed = home.plants_at(&base, &["list", "--json"]).ended().orderly(0);
    let believed = view(&home, &base);
    // It is dead: nothing comes any more but what it had sent.
    let received = store.ids();
    for id in &received {
        let state = believed.get(id).map(String::as_str);
        assert!(matches!(state, Some("stored" | "unknown")), "{id} was received, and is {state:?}: {listed:?}");
    }
    for (id, state) in &believed {
        assert!(state == "unknown" || received.contains(id), "{id} is {state}, and was never received");
    }
    let unknown: Vec<_> = believed.iter().filter(|(_, state)| *state == "unknown").map(|(id, _)| *id).collect();
    assert!(unknown.len() >= without_response, "{unknown:?}");
    assert!(unknown.is_empty() || listed.stderr.contains("nobody knows whether they reached the store"), "{listed:?}");
    store.lets_go();
    let ended = import(&home, &base, &["a.csv"]).ended().orderly(if unknown.is_empty() { 0 } else { 4 });
    let told = Told::by(&ended);
    let lines: Vec<_> = unknown.iter().map(|id| u64::try_from(id + 1).unwrap()).collect();
    assert_eq!(told.lines("unknown"), lines);
    let mut often = BTreeMap::new();
    for id in store.ids() {
        *often.entry(id).or_insert(0) += 1;
    }
    for id in 1..=ROWS {
        let times = often.get(&id).copied().unwrap_or(0);
        assert!(times == 1 || (times == 0 && unknown.contains(&id)), "{id} came {times} times: {unknown:?}");
    }
    // On a person's word those go out as well, and then all is stored.
    import(&home, &base, &["a.csv", "--resend-unknown"]).ended().orderly(0);
    assert_eq!(view(&home, &base), all(1..=ROWS, "stored"));
    let left = std::fs::read_dir(home.data()).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(left.iter().all(|name| name.starts_with("journal.db") || name == "instances"), "{left:?}");
}

#[test]
fn killed_while_answers_come() {
    for count in [1, 2, 5, 9, 17, 23, 38, 59, 60] {
        killed_at(count, 0);
    }
}

#[test]
fn killed_while_some_wait_for_theirs() {
    for (count, without_response) in [(1, 1), (4, 4), (7, 2), (20, 1), (33, 4), (58, 3)] {
        killed_at(count, without_response);
    }
}
