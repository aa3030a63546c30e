//! A token that the store rejects during an import: the token command runs again, and the import goes on.

use std::collections::HashSet;
use std::fs;

use super::store::{Reply, Store};
use super::{Output, all, numbered};
use crate::support::raw::{RawStore, Reply as Raw};
use crate::support::{Ended, Home, files_below};

/// Returns a home with a profile `p` whose token command prints `token-1`, then `token-2`, and so on, and fails
/// from the given run on.
fn home_with_command(base: &str, fails_from: usize) -> Home {
    let home = Home::new();
    let runs = home.write("runs", "");
    let script = format!(
        "echo run >> {runs}; n=$(grep -c run {runs}); [ $n -lt {fails_from} ] || {{ echo vault is sealed >&2; exit 1; }}; echo token-$n",
        runs = runs.display()
    );
    home.config(format!("[profile.p]\nbase_url = '{base}'\ntoken_command = ['sh', '-c', '{script}']\n"));
    home
}

fn runs(home: &Home) -> usize {
    fs::read_to_string(home.path().join("runs")).unwrap().lines().count()
}

fn import(home: &Home) -> Ended {
    home.plants(&["import", "--json", "--profile", "p", "a.csv", "--concurrency", "4"]).ended()
}

/// A store that accepts `each` creates with each token, and any number with the last.
fn taking(each: usize, tokens: usize) -> Store {
    let mut taken = 0;
    Store::replying(move |create, _| {
        let current = (taken / each + 1).min(tokens);
        if create.authorization == format!("Bearer token-{current}") {
            taken += 1;
            Reply::Status(201)
        } else {
            Reply::Status(401)
        }
    })
}

#[test]
fn an_expired_token_is_fetched_again_and_every_row_counts_once() {
    for (tokens, each) in [(2, 50), (2, 120), (4, 30)] {
        let store = taking(each, tokens);
        let home = home_with_command(&store.base(), 99);
        home.write("a.csv", numbered(1..=200));
        let ended = import(&home).orderly(0);
        let result = Output::of(&ended);
        assert_eq!(result.counts(), [("accepted", 200)].into(), "{ended:?}");
        assert_eq!((result.rows.len(), runs(&home)), (200, tokens));
        assert!(ended.stderr.contains("The import goes on with a new one from the command "), "{ended:?}");
        assert_eq!(home.states(&store.base()), all(1..=200, "stored"));
        // Each token but the last was rejected for the rows in flight only.
        let last = format!("Bearer token-{tokens}");
        let rejected = store.creates().len() - 200;
        assert!((1..=4 * (tokens - 1)).contains(&rejected), "{rejected}");
        let with_last: HashSet<_> =
            store.creates().iter().filter(|create| create.authorization == last).map(|create| create.id).collect();
        assert_eq!(with_last.len(), 200 - each * (tokens - 1));
    }
}

#[test]
fn a_replaced_token_stays_masked() {
    let echo = r#"{"error":"in use; not by Bearer token-1"}"#;
    let store = RawStore::replying(vec![Raw::of("401 Unauthorized", ""), Raw::of("409 Conflict", echo)]);
    let home = home_with_command(&store.url(), 99);
    home.write("a.csv", numbered(1..=1));
    let ended = import(&home).orderly(1);
    assert!(ended.stderr.contains("in use; not by Bearer *******"), "{ended:?}");
    let journal: Vec<u8> = files_below(&home.data()).into_iter().flat_map(|(_, bytes)| bytes).collect();
    assert!(!journal.windows(7).any(|text| text == b"token-1"));
}

#[test]
fn a_rejected_new_token_halts_the_import() {
    let store = Store::replying(|_, _| Reply::Status(401));
    let home = home_with_command(&store.base(), 99);
    home.write("a.csv", numbered(1..=100));
    let ended = import(&home).orderly(1);
    let result = Output::of(&ended);
    assert_eq!(runs(&home), 2, "one new token only");
    let rejected = result.count("rejected");
    assert!((1..=8).contains(&rejected), "{result:?}");
    assert_eq!(result.counts(), [("rejected", rejected), ("left", 100 - rejected)].into());
    assert_eq!(result.summary["halted"], "the store rejected the token (401)");
}

#[test]
fn a_row_rejected_with_every_token_halts_the_import() {
    let store = Store::replying(|create, _| Reply::Status(if create.id == 1 { 401 } else { 201 }));
    let home = home_with_command(&store.base(), 99);
    home.write("a.csv", numbered(1..=1000));
    let ended = import(&home).orderly(1);
    let result = Output::of(&ended);
    let tries = store.ids().iter().filter(|id| **id == 1).count();
    assert_eq!((tries, runs(&home), result.count("rejected")), (10, 10, 1), "once with each token");
    assert_eq!(result.summary["halted"], "the store rejected the token (401)");
}

#[test]
fn a_failing_token_command_halts_the_import_with_the_reason() {
    let store = taking(10, 2);
    let home = home_with_command(&store.base(), 2);
    home.write("a.csv", numbered(1..=100));
    let ended = import(&home).orderly(1);
    let result = Output::of(&ended);
    assert_eq!((result.count("accepted"), runs(&home)), (10, 2));
    let rejected = result.count("rejected");
    assert_eq!(result.counts(), [("accepted", 10), ("rejected", rejected), ("left", 90 - rejected)].into());
    let halted = result.summary["halted"].as_str().unwrap();
    assert!(halted.starts_with("the store rejected the token (401); no token from the command sh"), "{halted}");
    assert!(halted.contains("it failed (exit status: 1)"), "{halted}");
    // A store that accepts the token gets the remaining rows.
    let taking = Store::accepting();
    home.config(format!("[profile.p]\nbase_url = '{}'\ntoken_command = ['echo', 'x']\n", taking.base()));
    assert_eq!(Output::of(&import(&home).orderly(0)).count("accepted"), 100);
}
