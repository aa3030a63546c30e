//! A token that the store rejects in the middle: its command runs again, and the import goes on.

use std::collections::HashSet;
use std::fs;

use super::store::{Reply, Store};
use super::{Told, all, numbered, view};
use crate::support::{Ended, Home};

/// A profile `p` whose command gives `token-1`, then `token-2`, and so on; fails from this run on.
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

/// A store that takes so many creates with each token, the last with as many as come.
fn taking(each: usize, tokens: usize) -> Store {
    let mut taken = 0;
    Store::replying(move |create, _| {
        let current = (taken / each + 1).min(tokens);
        if create.authorization == format!("Bearer token-{current}") {
            taken += 1;
            Reply::Says(201)
        } else {
            Reply::Says(401)
        }
    })
}

#[test]
fn a_token_that_runs_out_is_fetched_again_and_no_row_counts_twice() {
    for (tokens, each) in [(2, 50), (2, 120), (4, 30)] {
        let store = taking(each, tokens);
        let home = home_with_command(&store.base(), 99);
        home.write("a.csv", numbered(1..=200));
        let ended = import(&home).orderly(0);
        let told = Told::by(&ended);
        assert_eq!(told.counts(), [("accepted", 200)].into(), "{ended:?}");
        assert_eq!((told.rows.len(), runs(&home)), (200, tokens));
        assert!(ended.stderr.contains("its token command gave another, and the import goes on"), "{ended:?}");
        assert_eq!(view(&home, &store.base()), all(1..=200, "stored"));
        // Every token but the last was rejected for a few rows alone: what was out, and no more.
        let last = format!("Bearer token-{tokens}");
        let rejected = store.came().len() - 200;
        assert!((1..=4 * (tokens - 1)).contains(&rejected), "{rejected}");
        let with_last: HashSet<_> =
            store.came().iter().filter(|create| create.authorization == last).map(|create| create.id).collect();
        assert_eq!(with_last.len(), 200 - each * (tokens - 1));
    }
}

#[test]
fn a_fresh_token_that_is_rejected_ends_it() {
    let store = Store::replying(|_, _| Reply::Says(401));
    let home = home_with_command(&store.base(), 99);
    home.write("a.csv", numbered(1..=100));
    let ended = import(&home).orderly(1);
    let told = Told::by(&ended);
    assert_eq!(runs(&home), 2, "once more, and not again and again");
    let rejected = told.count("rejected");
    assert!((1..=8).contains(&rejected), "{told:?}");
    assert_eq!(told.counts(), [("rejected", rejected), ("left", 100 - rejected)].into());
    assert_eq!(told.summary["halted"], "the store rejected the token (401)");
}

#[test]
fn a_row_that_no_token_helps_ends_it() {
    let store = Store::replying(|create, _| Reply::Says(if create.id == 1 { 401 } else { 201 }));
    let home = home_with_command(&store.base(), 99);
    home.write("a.csv", numbered(1..=1000));
    let ended = import(&home).orderly(1);
    let told = Told::by(&ended);
    let tries = store.ids().iter().filter(|id| **id == 1).count();
    assert_eq!((tries, runs(&home), told.count("rejected")), (10, 10, 1), "once with each token, so many times");
    assert_eq!(told.summary["halted"], "the store rejected the token (401)");
}

#[test]
fn a_command_that_has_no_other_ends_it_and_says_why() {
    let store = taking(10, 2);
    let home = home_with_command(&store.base(), 2);
    home.write("a.csv", numbered(1..=100));
    let ended = import(&home).orderly(1);
    let told = Told::by(&ended);
    assert_eq!((told.count("accepted"), runs(&home)), (10, 2));
    let rejected = told.count("rejected");
    assert_eq!(told.counts(), [("accepted", 10), ("rejected", rejected), ("left", 90 - rejected)].into());
    let halted = told.summary["halted"].as_str().unwrap();
    assert!(
        halted.starts_with("the store rejected the token (401), and there is no token from the command sh"),
        "{halted}"
    );
    assert!(halted.contains("it failed (exit status: 1)"), "{halted}");
    // Sent again with a token that it takes, the rest goes out.
    let taking = Store::calm();
    home.config(format!("[profile.p]\nbase_url = '{}'\ntoken_command = ['echo', 'x']\n", taking.base()));
    assert_eq!(Told::by(&import(&home).orderly(0)).count("accepted"), 100);
}
