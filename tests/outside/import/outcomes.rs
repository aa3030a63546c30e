//! Outcomes of rows, exit codes, pauses and rates.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use super::store::{Reply, Store};
use super::{Output, all, import, numbered, sorted};
use crate::support::closed_port::ClosedPort;
use crate::support::{Ended, Home};

#[test]
fn the_gravest_outcome_is_the_exit_code() {
    // Depends on the id only, because the order of arrival varies.
    let respond = |id: i64| match id {
        1 | 6 => Reply::Lost,
        2 => Reply::Status(500),
        3 => Reply::Status(409),
        4 => Reply::Status(302),
        5 => Reply::Status(400),
        _ => Reply::Status(201),
    };
    for (ids, counts, code) in [
        (1..=9, &[("unknown", 3), ("rejected", 3), ("accepted", 3)][..], 4),
        (3..=5, &[("rejected", 3)], 1),
        (3..=6, &[("rejected", 3), ("unknown", 1)], 4),
        (4..=4, &[("rejected", 1)], 1),
        (7..=9, &[("accepted", 3)], 0),
    ] {
        let (home, store) = (Home::new(), Store::replying(move |create, _| respond(create.id)));
        home.write("a.csv", numbered(ids.clone()));
        let ended = import(&home, &store.base(), &["a.csv"]).ended().orderly(code);
        let result = Output::of(&ended);
        assert_eq!(result.counts(), counts.iter().copied().collect());
        assert_eq!(sorted(store.ids()), ids.clone().collect::<Vec<_>>());
        for line in result.lines("rejected").iter().chain(&result.lines("unknown")) {
            assert!(ended.stderr.contains(&format!("line {line}: ")), "{ended:?}");
        }
    }
    // A rejection is graver than a row that was not sent.
    let (home, store) = (Home::new(), Store::replying(move |create, _| respond(create.id)));
    home.write("a.csv", numbered(7..=9));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(0);
    home.write("a.csv", numbered(5..=8).replace("plant 7", "another"));
    let result = Output::of(&import(&home, &store.base(), &["a.csv"]).ended().orderly(4));
    assert_eq!(result.counts(), [("unknown", 1), ("rejected", 1), ("differs", 1), ("already_stored", 1)].into());
    home.write("a.csv", numbered(5..=8).replace("plant 7", "another").replace("6,plant 6,t6\n", ""));
    let result = Output::of(&import(&home, &store.base(), &["a.csv"]).ended().orderly(1));
    assert_eq!(result.counts(), [("rejected", 1), ("differs", 1), ("already_stored", 1)].into());
}

fn halted(result: &Output) -> &str {
    result.summary["halted"].as_str().unwrap()
}

#[test]
fn a_rejected_token_halts_the_import() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Status(401)));
    home.write("a.csv", numbered(1..=500));
    let ended = import(&home, &store.base(), &["a.csv", "--concurrency", "4"]).ended().orderly(1);
    let result = Output::of(&ended);
    let sent = store.creates().len();
    // The rows in flight, and those sent before the first outcome was recorded.
    assert!(sent <= 64, "{sent}");
    assert_eq!(result.counts(), [("rejected", sent as u64), ("left", 500 - sent as u64)].into());
    assert_eq!(halted(&result), "the store rejected the token (401)");
    assert!(ended.stderr.contains("not tried. The store rejected the token (401).\n"), "{ended:?}");
    // A store that accepts the token gets the remaining rows.
    let taking = Store::accepting();
    let result = Output::of(&import(&home, &taking.base(), &["a.csv"]).ended().orderly(0));
    assert_eq!(result.count("accepted"), 500);
}

#[test]
fn a_closed_port_halts_the_import_which_can_be_completed_later() {
    let (home, shut) = (Home::new(), ClosedPort::new());
    home.write("a.csv", numbered(1..=300));
    let result = Output::of(&import(&home, &shut.base(), &["a.csv", "--concurrency", "2"]).ended().orderly(3));
    let tried = result.count("not_sent");
    assert!((5..=8).contains(&tried), "{tried}");
    assert_eq!(result.counts(), [("not_sent", tried), ("left", 300 - tried)].into());
    assert!(halted(&result).contains("there is no connection to the store"), "{result:?}");
    let base = shut.base();
    assert_eq!(home.states(&base), BTreeMap::new());
    let store = Store::at(shut, |_, _| Reply::Status(201));
    let result = Output::of(&import(&home, &base, &["a.csv"]).ended().orderly(0));
    assert_eq!((result.count("accepted"), sorted(store.ids())), (300, (1..=300).collect()));
}

#[test]
fn a_short_file_for_a_closed_port_is_not_sent() {
    let (home, shut) = (Home::new(), ClosedPort::new());
    home.write("a.csv", numbered(1..=3));
    let result = Output::of(&import(&home, &shut.base(), &["a.csv"]).ended().orderly(3));
    assert_eq!(result.counts(), [("not_sent", 3)].into());
}

#[test]
fn a_row_that_gets_429_is_sent_again() {
    let home = Home::new();
    let mut often = HashMap::new();
    let store = Store::replying(move |create, _| {
        let times = often.entry(create.id).or_insert(0);
        *times += 1;
        if create.id % 2 == 0 && *times <= 2 { Reply::RetryAfter(429, "0") } else { Reply::Status(201) }
    });
    home.write("a.csv", numbered(1..=40));
    let result = Output::of(&import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(0));
    assert_eq!(result.counts(), [("accepted", 40)].into());
    assert_eq!(store.creates().len(), 80);
    assert_eq!(home.states(&store.base()), all(1..=40, "stored"));
}

#[test]
fn a_row_that_always_gets_429_is_rejected_after_some_tries() {
    let home = Home::new();
    let store = Store::replying(|create, _| match create.id {
        3 => Reply::RetryAfter(429, "0"),
        _ => Reply::Status(201),
    });
    home.write("a.csv", numbered(1..=5));
    let result = Output::of(&import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(1));
    assert_eq!((result.counts(), result.lines("rejected")), ([("accepted", 4), ("rejected", 1)].into(), vec![4]));
    // Three times after the last other row was accepted, and perhaps once before.
    let times = store.ids().into_iter().filter(|id| *id == 3).count();
    assert!((3..=4).contains(&times) && store.ids().len() == 4 + times, "{times}");
    // A store that responds 429 to every row ends the import soon.
    let store = Store::replying(|_, _| Reply::RetryAfter(429, "0"));
    let ended = import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(1);
    let result = Output::of(&ended);
    assert_eq!(store.creates().len(), 10);
    let rejected = result.count("rejected");
    assert_eq!(result.counts(), [("rejected", rejected), ("left", 5 - rejected)].into());
    assert!(halted(&result).contains("the store responds 429 Too Many Requests to every row"), "{ended:?}");
}

#[test]
fn after_a_429_the_import_slows_down_and_sends_every_row() {
    let home = Home::new();
    let store = Store::replying(|_, count| Reply::Status(if matches!(count, 3 | 4) { 429 } else { 201 }));
    home.write("a.csv", numbered(1..=6));
    let ended = import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(0);
    let result = Output::of(&ended);
    assert_eq!(result.counts(), [("accepted", 6)].into());
    assert_eq!(home.states(&store.base()), all(1..=6, "stored"));
    let received = store.creates();
    assert_eq!(received.len(), 8);
    for (rejected, seconds) in [(2, 1), (3, 2)] {
        let pause = received[rejected + 1].received.duration_since(received[rejected].responded.unwrap());
        assert!(pause >= Duration::from_secs(seconds), "{pause:?}");
    }
    for expected in ["It slowed down, because the store asked for fewer requests (429).", "--rate N"] {
        assert!(ended.stderr.contains(expected), "{ended:?}");
    }
}

#[test]
fn a_store_that_always_responds_429_halts_the_import() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Status(429)));
    home.write("a.csv", numbered(1..=300));
    let ended = import(&home, &store.base(), &["a.csv", "--concurrency", "2"]).ended().orderly(1);
    let result = Output::of(&ended);
    let rejected = result.count("rejected");
    assert_eq!(result.counts(), [("rejected", rejected), ("left", 300 - rejected)].into());
    // Two requests in flight, before and after each of four pauses.
    assert!(store.creates().len() <= 2 * (1 + 4), "{}", store.creates().len());
    assert!(halted(&result).contains("the store responds 429 Too Many Requests to every row"), "{ended:?}");
    assert!(ended.stderr.contains("--rate N"), "{ended:?}");
    assert_eq!(home.states(&store.base()), BTreeMap::new());
}

#[test]
fn a_row_that_gets_503_is_not_sent_again() {
    for (at, rejections) in [(1, 1), (2, 1), (5, 1), (1, 5)] {
        let home = Home::new();
        let store = Store::replying(move |_, count| {
            if (at..at + rejections).contains(&count) { Reply::RetryAfter(503, "0") } else { Reply::Status(201) }
        });
        home.write("a.csv", numbered(1..=5));
        let result = Output::of(&import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(4));
        let unknown = rejections as u64;
        assert_eq!(result.count("unknown"), unknown);
        assert_eq!(result.count("accepted"), 5 - unknown);
        assert_eq!(store.ids(), [1, 2, 3, 4, 5]);
    }
}

#[test]
fn retry_after_pauses_the_import() {
    for (status, code) in [(429, 0), (503, 4)] {
        let home = Home::new();
        let store = Store::replying(
            move |_, count| if count == 2 { Reply::RetryAfter(status, "1") } else { Reply::Status(201) },
        );
        home.write("a.csv", numbered(1..=20));
        Output::of(&import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(code));
        let received = store.creates();
        assert_eq!(received.len(), if status == 429 { 21 } else { 20 });
        let pause = received[2].received.duration_since(received[1].responded.unwrap());
        assert!(pause >= Duration::from_secs(1), "{pause:?}");
    }
}

#[test]
fn a_pause_of_more_than_an_hour_halts_the_import() {
    let home = Home::new();
    let store =
        Store::replying(|_, count| if count == 3 { Reply::RetryAfter(429, "7200") } else { Reply::Status(201) });
    home.write("a.csv", numbered(1..=20));
    let ended = import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(1);
    let result = Output::of(&ended);
    assert_eq!(result.counts(), [("accepted", 2), ("rejected", 1), ("left", 17)].into());
    assert!(halted(&result).contains("the store asks for a pause of 2 h 0 min"), "{result:?}");
    assert_eq!(store.ids(), [1, 2, 3]);
}

#[test]
fn concurrency_limits_the_requests_in_flight() {
    for (concurrency, arguments) in [(1, &["--concurrency", "1"][..]), (3, &["--concurrency", "3"]), (8, &[])] {
        let (home, store) = (Home::new(), Store::replying(move |_, _| Reply::Together(concurrency)));
        home.write("a.csv", numbered(1..=48));
        Output::of(&import(&home, &store.base(), &[&["a.csv"], arguments].concat()).ended().orderly(0));
        assert_eq!((store.most_concurrent(), store.creates().len()), (concurrency, 48));
    }
}

#[test]
fn an_import_reuses_its_connections() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Together(2)));
    home.write("a.csv", numbered(1..=100));
    Output::of(&import(&home, &store.base(), &["a.csv", "--concurrency", "2"]).ended().orderly(0));
    let connections: std::collections::BTreeSet<_> = store.creates().iter().map(|create| create.connection).collect();
    // A slow machine may let a connection idle for too long.
    assert!(connections.len() < 20, "{connections:?}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "measures a rate")]
fn rows_are_sent_at_the_given_rate() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", numbered(1..=11));
    let begun = Instant::now();
    Output::of(&import(&home, &store.base(), &["a.csv", "--rate", "20"]).ended().orderly(0));
    assert!(begun.elapsed() >= Duration::from_millis(490), "{:?}", begun.elapsed());
    assert_eq!(sorted(store.ids()), (1..=11).collect::<Vec<_>>());
}

#[test]
fn an_accepted_row_with_a_mismatch_is_reported() {
    let (home, store) = (Home::new(), crate::support::raw::RawStore::saying("200 OK", "<html>"));
    home.write("a.csv", numbered(1..=3));
    let ended: Ended = import(&home, &store.url(), &["a.csv"]).ended().orderly(0);
    let result = Output::of(&ended);
    assert_eq!(result.counts(), [("accepted", 3)].into());
    assert!(
        ended.stderr.contains("line 2: ") && ended.stderr.contains("Mismatch: the response is not JSON"),
        "{ended:?}"
    );
    assert!(ended.stderr.contains("3 responses differ from the document."), "{ended:?}");
    assert_eq!(store.received().len(), 3);
}
