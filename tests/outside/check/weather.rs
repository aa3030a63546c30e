//! Checks of the demo store with simulated faults, and checks that are interrupted or killed.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::time::Duration;

use plants::demo::{DemoOptions, DemoStore, Weather};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::assertions::{assert_complete, assert_considerate, assert_no_token, id_of};
use super::odd::{OddStore, Oddity, Plant};
use super::wire::Sent;
use super::{CREATE, CREATE_TOKEN, DELETE, DELETE_TOKEN, RULE_COUNT, TOKEN, check, lists, with_verdict};
use crate::support::extent::step;
use crate::support::served::Served;
use crate::support::{Ended, Home, end_of};

/// A demo store, and the runtime on which it runs.
struct Demo {
    store: DemoStore,
    _runtime: Runtime,
}

impl Demo {
    fn with(weather: Weather) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let options = DemoOptions { address: Ipv4Addr::LOCALHOST.into(), port: 0, token: TOKEN.to_owned(), weather };
        let store = runtime.block_on(DemoStore::start(options)).unwrap();
        Self { store, _runtime: runtime }
    }

    /// Deletes these plants without faults; returns those that were there.
    fn delete_all(&self, ids: &BTreeSet<i64>) -> Vec<i64> {
        self.store.set_weather(Weather::default());
        let headers = &[format!("authorization: Bearer {TOKEN}")];
        let is_there = |id: &i64| {
            let path = format!("/plants/{id}");
            let response = Sent { method: "DELETE", path: &path, headers, body: "" }.response(&self.store.base_url());
            response.starts_with("HTTP/1.1 204 ")
        };
        ids.iter().copied().filter(is_there).collect()
    }
}

/// Returns every id that was sent to the store at `base`.
fn ids_sent(home: &Home, base: &str) -> BTreeSet<i64> {
    let history = home.plants_at(base, &["history", "--json"]).ended().orderly(0).json();
    history.as_array().unwrap().iter().map(|entry| entry["plant"]["id"].as_i64().unwrap()).collect()
}

/// Checks a demo store with these faults; returns exit code and report. Asserts that every plant left there is a leftover
/// or in the list, and that no rule fails, because the demo store keeps the document.
fn check_demo(weather: Weather) -> (i32, Value) {
    let (home, demo) = (Home::new(), Demo::with(weather));
    let base = demo.store.base_url();
    let ended = check(&home, &base, &["--json"]).ended();
    assert_no_token(&ended);
    let code = ended.code.unwrap();
    let report = ended.orderly(code).json();
    assert_complete(&report);
    assert_eq!(with_verdict(&report, "fail"), BTreeSet::new(), "{report:#}");
    assert_eq!(code == 0, with_verdict(&report, "inconclusive").is_empty(), "{report:#}");
    let list: Value = serde_json::from_str(&home.listed(&base)).unwrap();
    for id in demo.delete_all(&ids_sent(&home, &base)) {
        assert!(lists(&report["leftovers"], id) || lists(&list, id), "{id} is left and not listed: {report:#}");
    }
    (code, report)
}

/// Returns the names of these rules.
fn all_of(groups: &[&[&'static str]]) -> BTreeSet<&'static str> {
    groups.concat().into_iter().collect()
}

#[test]
fn the_demo_store_passes_without_leftovers() {
    for weather in [&[][..], &["--latency", "20ms"]] {
        let (home, store) = (Home::new(), Served::with(weather));
        let report = check(&home, &store.base, &["--json"]).env("PLANTS_TOKEN", "demo").ended().orderly(0).json();
        assert_complete(&report);
        assert_eq!(with_verdict(&report, "pass").len(), RULE_COUNT, "{report:#}");
        assert_eq!((&report["leftovers"], home.listed(&store.base)), (&Value::Array(Vec::new()), "[]\n".to_owned()));
        let log = store.log();
        let count = |what: &dyn Fn(&str) -> bool| log.iter().filter(|line| what(line)).count();
        let created = count(&|line| line == "POST /plants  201");
        let deleted = count(&|line| line.starts_with("DELETE /plants/") && line.ends_with("  204"));
        assert!(created > 0 && created == deleted, "{log:#?}");
    }
}

#[test]
fn the_built_in_demo_store_is_checked_without_a_question() {
    let report = Home::new().plants(&["check", "--json", "--pace", "0s", "--demo"]).ended().orderly(0).json();
    assert_complete(&report);
    assert_eq!(with_verdict(&report, "pass").len(), RULE_COUNT, "{report:#}");
}

#[test]
fn a_slow_store_passes() {
    let (code, report) = check_demo(Weather { latency: Duration::from_millis(20), ..Weather::default() });
    assert_eq!((code, &report["leftovers"]), (0, &Value::Array(Vec::new())));
}

#[test]
fn without_responses_all_rules_are_inconclusive() {
    for weather in [Weather { lose_responses: 1.0, ..Weather::default() }, Weather { fail: 1.0, ..Weather::default() }]
    {
        let (code, report) = check_demo(weather);
        let all = all_of(&[&CREATE, &DELETE, &CREATE_TOKEN, &DELETE_TOKEN]);
        assert_eq!((code, with_verdict(&report, "inconclusive")), (4, all), "{weather:?}");
    }
}

#[test]
fn with_random_faults_no_rule_fails() {
    for weather in [
        Weather { lose_responses: 0.3, ..Weather::default() },
        Weather { fail: 0.3, ..Weather::default() },
        Weather { lose_responses: 0.1, fail: 0.1, ..Weather::default() },
    ] {
        let (code, report) = check_demo(weather);
        assert!([0, 4].contains(&code), "{weather:?}: {report:#}");
    }
}

#[test]
fn a_demo_store_that_rejects_the_token_gets_no_verdict() {
    let (code, report) = check_demo(Weather { reject_token: true, ..Weather::default() });
    assert_eq!((code, with_verdict(&report, "pass")), (4, BTreeSet::new()));
    assert_eq!(report["diagnosis"], "The token was rejected (401 Unauthorized).");
    assert_eq!(report["leftovers"], Value::Array(Vec::new()));
}

/// Returns the number of requests of a check of an honest store.
fn requests_of_a_check() -> usize {
    let (home, store) = (Home::new(), OddStore::with(Oddity::None, TOKEN));
    check(&home, &store.base(), &["--json"]).ended().orderly(0);
    store.requests().len()
}

/// Returns the numbers of every request of a check, without the long tests those of some.
fn request_numbers() -> impl Iterator<Item = usize> {
    (1..=requests_of_a_check()).step_by(step(31))
}

/// Sends signals to a check while the store holds the response to the request of this number.
fn ended_at(number: usize, signals: &[Signal]) -> (Home, OddStore, Ended) {
    let (home, store) = (Home::new(), OddStore::with(Oddity::None, TOKEN));
    let held = store.holds(number);
    let child = check(&home, &store.base(), &["--json"]).begun();
    held.arrives();
    for signal in signals {
        kill_process(Pid::from_child(&child), *signal).unwrap();
    }
    let ended = end_of(child);
    (home, store, ended)
}

/// Returns whether the held request may have created a plant under an id that other plants may have, so that the check
/// must not delete it; and whether it did.
fn may_hit_another_plant(store: &OddStore, number: usize) -> (bool, bool) {
    let held = &store.requests()[number - 1];
    let is_random = |id: i64| (1 << 53..1 << 62).contains(&id) || (id > 1 << 62 && id % 10_000_000_000 == 0);
    let may = held.method == "POST" && !id_of(held).is_some_and(is_random);
    (may, may && held.responded == Some(201))
}

/// Returns whether the store had kept two ids apart before this request: it had deleted two plants.
fn has_kept_ids_apart(store: &OddStore, number: usize) -> bool {
    let before = &store.requests()[..number - 1];
    before.iter().filter(|request| request.method == "DELETE" && request.responded == Some(204)).count() >= 2
}

#[test]
fn an_interrupted_check_cleans_up_first() {
    for number in request_numbers() {
        // At once: `timeout` signals its child, and then the child's group.
        let (_home, store, ended) = ended_at(number, &[Signal::INT, Signal::INT, Signal::TERM]);
        assert_considerate(&store.requests());
        assert_no_token(&ended);
        let report = ended.orderly(130).json();
        let (_, stays) = may_hit_another_plant(&store, number);
        let held = &store.requests()[number - 1];
        let is_too_early = held.method == "POST" && held.responded == Some(201) && !has_kept_ids_apart(&store, number);
        assert_eq!(store.left().len(), usize::from(stays || is_too_early), "interrupted at request {number}");
        let listed = |plant: &Plant| lists(&report["leftovers"], plant.id);
        assert!(store.left().iter().all(listed), "interrupted at request {number}");
    }
}

#[test]
fn the_next_check_deletes_the_plants_of_a_killed_one() {
    for number in request_numbers() {
        let (home, store, ended) = ended_at(number, &[Signal::KILL]);
        assert_eq!(ended.code, None);
        let (unknown, stays) = may_hit_another_plant(&store, number);
        let (unknown, stays) = (usize::from(unknown), usize::from(stays));
        let report = check(&home, &store.base(), &["--json"]).ended().orderly(0).json();
        assert_eq!(report["leftovers"].as_array().unwrap().len(), unknown, "killed at request {number}");
        assert_eq!(store.left().len(), stays, "killed at request {number}");
        let listed: Value = serde_json::from_str(&home.listed(&store.base())).unwrap();
        assert_eq!(listed, Value::Array(Vec::new()), "killed at request {number}");
    }
}
