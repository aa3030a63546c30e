//! What becomes of rows, what the exit code makes of it, and how fast they go.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use super::store::{Reply, Shut, Store};
use super::{Told, all, import, numbered, sorted, view};
use crate::support::{Ended, Home};

#[test]
fn the_gravest_outcome_makes_the_exit_code() {
    // By the id, so that it does not matter in which order they come.
    let says = |id: i64| match id {
        1 | 6 => Reply::Lost,
        2 => Reply::Says(500),
        3 => Reply::Says(409),
        4 => Reply::Says(302),
        5 => Reply::Says(400),
        _ => Reply::Says(201),
    };
    for (ids, counts, code) in [
        (1..=9, &[("unknown", 3), ("rejected", 3), ("accepted", 3)][..], 4),
        (3..=5, &[("rejected", 3)], 1),
        (3..=6, &[("rejected", 3), ("unknown", 1)], 4),
        (4..=4, &[("rejected", 1)], 1),
        (7..=9, &[("accepted", 3)], 0),
    ] {
        let (home, store) = (Home::new(), Store::replying(move |create, _| says(create.id)));
        home.write("a.csv", numbered(ids.clone()));
        let ended = import(&home, &store.base(), &["a.csv"]).ended().orderly(code);
        let told = Told::by(&ended);
        assert_eq!(told.counts(), counts.iter().copied().collect());
        assert_eq!(sorted(store.ids()), ids.clone().collect::<Vec<_>>());
        for line in told.lines("rejected").iter().chain(&told.lines("unknown")) {
            assert!(ended.stderr.contains(&format!("line {line}: ")), "{ended:?}");
        }
    }
    // Rejected beside what another program is about, or what differs: not sent is the least.
    let (home, store) = (Home::new(), Store::replying(move |create, _| says(create.id)));
    home.write("a.csv", numbered(7..=9));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(0);
    home.write("a.csv", numbered(5..=8).replace("plant 7", "another"));
    let told = Told::by(&import(&home, &store.base(), &["a.csv"]).ended().orderly(4));
    assert_eq!(told.counts(), [("unknown", 1), ("rejected", 1), ("differs", 1), ("already_stored", 1)].into());
    home.write("a.csv", numbered(5..=8).replace("plant 7", "another").replace("6,plant 6,t6\n", ""));
    let told = Told::by(&import(&home, &store.base(), &["a.csv"]).ended().orderly(1));
    assert_eq!(told.counts(), [("rejected", 1), ("differs", 1), ("already_stored", 1)].into());
}

/// Why it could not go on.
fn halted(told: &Told) -> &str {
    told.summary["halted"].as_str().unwrap()
}

#[test]
fn a_token_that_is_refused_ends_it() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Says(401)));
    home.write("a.csv", numbered(1..=500));
    let ended = import(&home, &store.base(), &["a.csv", "--concurrency", "4"]).ended().orderly(1);
    let told = Told::by(&ended);
    let sent = store.came().len();
    // What was out with the first, and what went out before that was written down.
    assert!(sent <= 64, "{sent}");
    assert_eq!(told.counts(), [("rejected", sent as u64), ("left", 500 - sent as u64)].into());
    assert_eq!(halted(&told), "the store rejected the token (401)");
    assert!(ended.stderr.contains("left unsent. The store rejected the token (401).\n"), "{ended:?}");
    // With a token that it takes, the rest goes out.
    let taking = Store::calm();
    let told = Told::by(&import(&home, &taking.base(), &["a.csv"]).ended().orderly(0));
    assert_eq!(told.count("accepted"), 500);
}

#[test]
fn where_nobody_listens_it_ends_soon_and_can_go_on() {
    let (home, shut) = (Home::new(), Shut::new());
    home.write("a.csv", numbered(1..=300));
    let told = Told::by(&import(&home, &shut.base(), &["a.csv", "--concurrency", "2"]).ended().orderly(3));
    let tried = told.count("not_sent");
    assert!((8..=64).contains(&tried), "{tried}");
    assert_eq!(told.counts(), [("not_sent", tried), ("left", 300 - tried)].into());
    assert!(halted(&told).contains("nothing reaches the store"), "{told:?}");
    let base = shut.base();
    assert_eq!(view(&home, &base), BTreeMap::new());
    let store = shut.opens(|_, _| Reply::Says(201));
    let told = Told::by(&import(&home, &base, &["a.csv"]).ended().orderly(0));
    assert_eq!((told.count("accepted"), sorted(store.ids())), (300, (1..=300).collect()));
}

#[test]
fn fewer_rows_than_it_takes_to_give_up_are_not_sent_either() {
    let (home, shut) = (Home::new(), Shut::new());
    home.write("a.csv", numbered(1..=3));
    let told = Told::by(&import(&home, &shut.base(), &["a.csv"]).ended().orderly(3));
    assert_eq!(told.counts(), [("not_sent", 3)].into());
}

#[test]
fn a_row_that_is_put_off_goes_out_again() {
    let home = Home::new();
    let mut often = HashMap::new();
    let store = Store::replying(move |create, _| {
        let times = often.entry(create.id).or_insert(0);
        *times += 1;
        if create.id % 2 == 0 && *times <= 2 { Reply::Asks(429, "0") } else { Reply::Says(201) }
    });
    home.write("a.csv", numbered(1..=40));
    let told = Told::by(&import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(0));
    assert_eq!(told.counts(), [("accepted", 40)].into());
    assert_eq!(store.came().len(), 80);
    assert_eq!(view(&home, &store.base()), all(1..=40, "stored"));
}

#[test]
fn a_row_that_is_always_put_off_is_refused_in_the_end() {
    let home = Home::new();
    let store = Store::replying(|create, _| match create.id {
        3 => Reply::Asks(429, "0"),
        _ => Reply::Says(201),
    });
    home.write("a.csv", numbered(1..=5));
    let told = Told::by(&import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(1));
    assert_eq!((told.counts(), told.lines("rejected")), ([("accepted", 4), ("rejected", 1)].into(), vec![4]));
    // Three times after the last of the others was accepted, and perhaps once before.
    let times = store.ids().into_iter().filter(|id| *id == 3).count();
    assert!((3..=4).contains(&times) && store.ids().len() == 4 + times, "{times}");
    // Where the store puts everything off it is three times for each, and not for many.
    let store = Store::replying(|_, _| Reply::Asks(429, "0"));
    let ended = import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(1);
    let told = Told::by(&ended);
    assert_eq!(store.came().len(), 10);
    let rejected = told.count("rejected");
    assert_eq!(told.counts(), [("rejected", rejected), ("left", 5 - rejected)].into());
    assert!(halted(&told).contains("the store responds 429 Too Many Requests to every row"), "{ended:?}");
}

#[test]
fn a_store_that_rejects_for_coming_too_fast_is_asked_more_slowly_and_gets_every_row() {
    let home = Home::new();
    let store = Store::replying(|_, count| Reply::Says(if matches!(count, 3 | 4) { 429 } else { 201 }));
    home.write("a.csv", numbered(1..=6));
    let ended = import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(0);
    let told = Told::by(&ended);
    assert_eq!(told.counts(), [("accepted", 6)].into());
    assert_eq!(view(&home, &store.base()), all(1..=6, "stored"));
    let came = store.came();
    assert_eq!(came.len(), 8);
    for (rejected, seconds) in [(2, 1), (3, 2)] {
        let pause = came[rejected + 1].came.duration_since(came[rejected].responded.unwrap());
        assert!(pause >= Duration::from_secs(seconds), "{pause:?}");
    }
    for words in ["It went slower for a while: the store asked for fewer requests (429).", "--rate N"] {
        assert!(ended.stderr.contains(words), "{ended:?}");
    }
}

#[test]
fn a_store_that_always_rejects_for_coming_too_fast_ends_it() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Says(429)));
    home.write("a.csv", numbered(1..=300));
    let ended = import(&home, &store.base(), &["a.csv", "--concurrency", "2"]).ended().orderly(1);
    let told = Told::by(&ended);
    let rejected = told.count("rejected");
    assert_eq!(told.counts(), [("rejected", rejected), ("left", 300 - rejected)].into());
    // Two at once, and four pauses.
    assert!(store.came().len() <= 2 * (1 + 4), "{}", store.came().len());
    assert!(halted(&told).contains("the store responds 429 Too Many Requests to every row"), "{ended:?}");
    assert!(ended.stderr.contains("--rate N"), "{ended:?}");
    assert_eq!(view(&home, &store.base()), BTreeMap::new());
}

#[test]
fn a_row_that_may_have_arrived_is_never_repeated_but_the_next_waits() {
    for (at, refusals) in [(1, 1), (2, 1), (5, 1), (1, 5)] {
        let home = Home::new();
        let store = Store::replying(move |_, count| {
            if (at..at + refusals).contains(&count) { Reply::Asks(503, "0") } else { Reply::Says(201) }
        });
        home.write("a.csv", numbered(1..=5));
        let told = Told::by(&import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(4));
        let unknown = refusals as u64;
        assert_eq!(told.count("unknown"), unknown);
        assert_eq!(told.count("accepted"), 5 - unknown);
        assert_eq!(store.ids(), [1, 2, 3, 4, 5]);
    }
}

#[test]
fn nothing_is_sent_while_the_store_asks_to_be_left_alone() {
    for (status, code) in [(429, 0), (503, 4)] {
        let home = Home::new();
        let store =
            Store::replying(move |_, count| if count == 2 { Reply::Asks(status, "1") } else { Reply::Says(201) });
        home.write("a.csv", numbered(1..=20));
        Told::by(&import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(code));
        let came = store.came();
        assert_eq!(came.len(), if status == 429 { 21 } else { 20 });
        let pause = came[2].came.duration_since(came[1].responded.unwrap());
        assert!(pause >= Duration::from_secs(1), "{pause:?}");
    }
}

#[test]
fn a_pause_that_is_too_long_ends_it() {
    let home = Home::new();
    let store = Store::replying(|_, count| if count == 3 { Reply::Asks(429, "7200") } else { Reply::Says(201) });
    home.write("a.csv", numbered(1..=20));
    let ended = import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(1);
    let told = Told::by(&ended);
    assert_eq!(told.counts(), [("accepted", 2), ("rejected", 1), ("left", 17)].into());
    assert!(halted(&told).contains("the store asks to be left alone for 2 h 0 min"), "{told:?}");
    assert_eq!(store.ids(), [1, 2, 3]);
}

#[test]
fn so_many_are_out_at_once_and_no_more() {
    for (concurrency, words) in [(1, &["--concurrency", "1"][..]), (3, &["--concurrency", "3"]), (8, &[])] {
        let (home, store) = (Home::new(), Store::replying(move |_, _| Reply::Together(concurrency)));
        home.write("a.csv", numbered(1..=48));
        Told::by(&import(&home, &store.base(), &[&["a.csv"], words].concat()).ended().orderly(0));
        assert_eq!((store.most_at_once(), store.came().len()), (concurrency, 48));
    }
}

#[test]
fn connections_are_kept_while_it_runs() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Together(2)));
    home.write("a.csv", numbered(1..=100));
    Told::by(&import(&home, &store.base(), &["a.csv", "--concurrency", "2"]).ended().orderly(0));
    let connections: std::collections::BTreeSet<_> = store.came().iter().map(|create| create.connection).collect();
    // A machine that stops for a second lets one go idle for too long.
    assert!(connections.len() < 20, "{connections:?}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a rate is rows in a time")]
fn a_rate_is_kept() {
    let (home, store) = (Home::new(), Store::calm());
    home.write("a.csv", numbered(1..=11));
    let begun = Instant::now();
    Told::by(&import(&home, &store.base(), &["a.csv", "--rate", "20"]).ended().orderly(0));
    assert!(begun.elapsed() >= Duration::from_millis(490), "{:?}", begun.elapsed());
    assert_eq!(sorted(store.ids()), (1..=11).collect::<Vec<_>>());
}

#[test]
fn a_response_unlike_the_document_is_a_yes_and_told() {
    let (home, store) = (Home::new(), crate::support::raw::RawStore::saying("200 OK", "<html>"));
    home.write("a.csv", numbered(1..=3));
    let ended: Ended = import(&home, &store.url(), &["a.csv"]).ended().orderly(0);
    let told = Told::by(&ended);
    assert_eq!(told.counts(), [("accepted", 3)].into());
    assert!(
        ended.stderr.contains("line 2: ") && ended.stderr.contains("Mismatch: the response is not JSON"),
        "{ended:?}"
    );
    assert!(ended.stderr.contains("3 responses differ from the document."), "{ended:?}");
    assert_eq!(store.received().len(), 3);
}
