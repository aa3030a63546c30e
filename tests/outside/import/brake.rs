//! Outcomes that are all unknown: the import stops by itself, unless it is told to keep going.

use std::time::Duration;

use super::store::{Reply, Store};
use super::{Output, import, numbered, sorted};
use crate::support::Home;

fn halted(result: &Output) -> &str {
    result.summary["halted"].as_str().unwrap_or_default()
}

#[test]
fn five_unknown_outcomes_in_a_row_halt_an_import() {
    for (concurrency, reply) in
        [(1, Reply::Status(503)), (4, Reply::Status(502)), (8, Reply::Status(504)), (8, Reply::Lost)]
    {
        let (home, store) = (Home::new(), Store::replying(move |_, _| reply));
        home.write("a.csv", numbered(1..=500));
        let most = concurrency.to_string();
        let ended = import(&home, &store.base(), &["a.csv", "--concurrency", &most]).ended().orderly(4);
        let (result, sent) = (Output::of(&ended), store.creates().len() as u64);
        // Those five, and what was in flight at the fifth.
        assert!((5..5 + concurrency).contains(&sent), "{sent} of {concurrency} at once");
        assert_eq!(result.counts(), [("unknown", sent), ("left", 500 - sent)].into());
        assert!(halted(&result).contains("five outcomes in a row are unknown"), "{result:?}");
        assert!(
            ended.stderr.contains("not tried. Five outcomes") && ended.stderr.contains("--keep-going"),
            "{ended:?}"
        );
        let has_status = matches!(reply, Reply::Status(_));
        assert_eq!(ended.stderr.contains("plants resolve --match status:5xx"), has_status, "{ended:?}");
        assert_eq!(home.states(&store.base()).len() as u64, sent, "nothing else is in the list");
        // The same file again sends the others.
        let taking = Store::accepting();
        let result = Output::of(&import(&home, &taking.base(), &["a.csv"]).ended().orderly(0));
        assert_eq!(result.count("accepted"), 500);
    }
}

#[test]
fn five_responses_in_a_row_that_are_not_a_stores_halt_an_import() {
    for (reply, outcome, code, halt) in [
        (Reply::Page, "accepted", 3, "five responses in a row are web pages"),
        (Reply::Status(302), "rejected", 1, "five responses in a row are web pages or redirects"),
        (Reply::Status(404), "rejected", 1, "five responses in a row (404, 405 or 501)"),
        (Reply::Status(405), "rejected", 1, "five responses in a row (404, 405 or 501)"),
    ] {
        let (home, store) = (Home::new(), Store::replying(move |_, _| reply));
        home.write("a.csv", numbered(1..=200));
        let ended = import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(code);
        let result = Output::of(&ended);
        assert_eq!(result.counts(), [(outcome, 5), ("left", 195)].into());
        assert!(halted(&result).starts_with(halt), "{result:?}");
        let says_pages = ended.stderr.contains("5 responses are web pages, which prove nothing");
        assert_eq!(says_pages, outcome == "accepted", "{ended:?}");
        if says_pages {
            assert!(!ended.stderr.contains("Import the same file again"), "{ended:?}");
            let again = import(&home, &store.base(), &["a.csv", "--dry-run"]).ended().orderly(0);
            assert!(
                again.stderr.contains("with a web page, which proves nothing; rows of them are skipped"),
                "{again:?}"
            );
            adds_what_pages_hid(&home, &store.base());
        }
        let whole = import(&home, &store.base(), &["a.csv", "--keep-going"]).ended();
        assert_eq!(Output::of(&whole).count("left"), 0);
    }
}

/// What the sentence about web pages names: forgets their plants alone, and the same file again sends them.
fn adds_what_pages_hid(home: &Home, base: &str) {
    let taking = Store::accepting();
    home.write("real.csv", "id,name,tag\n-1,real,t\n");
    import(home, &taking.base(), &["real.csv"]).ended().orderly(0);
    let forget = ["resolve", "--match", "response:<html status:2xx state:stored", "--forget", "--yes"];
    home.plants_at(base, &forget).ended().orderly(0);
    assert!(home.states(base).is_empty());
    home.plants_at(&taking.base(), &forget).ended();
    assert_eq!(home.states(&taking.base()), super::all(-1..=-1, "stored"));
}

#[test]
fn an_import_that_keeps_going_sends_every_row() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Status(503)));
    home.write("a.csv", numbered(1..=100));
    let result = Output::of(&import(&home, &store.base(), &["a.csv", "--keep-going"]).ended().orderly(4));
    assert_eq!(result.counts(), [("unknown", 100)].into());
    assert_eq!(sorted(store.ids()), (1..=100).collect::<Vec<_>>());
}

#[test]
fn unknown_outcomes_with_a_proof_between_them_do_not_halt_an_import() {
    for proof in [201, 409] {
        let reply = move |count: usize| if count.is_multiple_of(5) { proof } else { 503 };
        let (home, store) = (Home::new(), Store::replying(move |_, count| Reply::Status(reply(count))));
        home.write("a.csv", numbered(1..=50));
        let result = Output::of(&import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(4));
        assert_eq!((result.count("unknown"), result.count("left")), (40, 0));
    }
}

#[test]
fn a_503_with_retry_after_waits_first_and_counts() {
    let (home, store) =
        (Home::new(), Store::replying(|_, count| Reply::RetryAfter(503, if count == 2 { "1" } else { "0" })));
    home.write("a.csv", numbered(1..=20));
    let result = Output::of(&import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(4));
    assert_eq!(result.counts(), [("unknown", 5), ("left", 15)].into());
    let received = store.creates();
    let pause = received[2].received.duration_since(received[1].responded.unwrap());
    assert!(pause >= Duration::from_secs(1), "{pause:?}");
}
