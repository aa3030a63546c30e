//! The check of a store that has bad weather, and checks that somebody ends.

use std::collections::BTreeSet;
use std::time::Duration;

use plants::demo::{DemoOptions, DemoStore, Weather};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::odd::{OddStore, Oddity, Plant};
use super::promises::{id_of, is_mannered, is_whole, keeps_the_secret};
use super::wire::Sent;
use super::{CREATE, DELETE, RULE_COUNT, TOKEN, WHO_CREATES, WHO_DELETES, check, lists, with_verdict};
use crate::support::served::Served;
use crate::support::{Ended, Home, end_of};

/// A demo store that can tell what is left.
struct Demo {
    store: DemoStore,
    /// It serves on this one's threads.
    _runtime: Runtime,
}

impl Demo {
    fn in_the(weather: Weather) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let options = DemoOptions { port: 0, token: TOKEN.to_owned(), weather };
        let store = runtime.block_on(DemoStore::start(options)).unwrap();
        Self { store, _runtime: runtime }
    }

    /// Deletes, in calm weather, each of these that is there, and tells which those were.
    fn takes_out(&self, ids: &BTreeSet<i64>) -> Vec<i64> {
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

/// Every id that the store at `base` was ever sent from here.
fn ids_sent(home: &Home, base: &str) -> BTreeSet<i64> {
    let history = home.plants_at(base, &["history", "--json"]).ended().orderly(0).json();
    history.as_array().unwrap().iter().map(|entry| entry["plant"]["id"].as_i64().unwrap()).collect()
}

/// Checks a demo store in this weather. Whatever is left there is listed as left behind, or in
/// the view; and the demo store, which keeps its interface, is not said to break it.
fn in_the_weather(weather: Weather) -> (i32, Value) {
    let (home, demo) = (Home::new(), Demo::in_the(weather));
    let base = demo.store.base_url();
    let ended = check(&home, &base, &["--json"]).ended();
    keeps_the_secret(&ended);
    let code = ended.code.unwrap();
    let told = ended.orderly(code).json();
    is_whole(&told);
    assert_eq!(with_verdict(&told, "fail"), BTreeSet::new(), "{told:#}");
    assert_eq!(code == 0, with_verdict(&told, "inconclusive").is_empty(), "{told:#}");
    let view: Value = serde_json::from_str(&home.listed(&base)).unwrap();
    for id in demo.takes_out(&ids_sent(&home, &base)) {
        assert!(lists(&told["leftovers"], id) || lists(&view, id), "{id} is left and told nowhere: {told:#}");
    }
    (code, told)
}

/// The names of these rules.
fn all_of(groups: &[&[&'static str]]) -> BTreeSet<&'static str> {
    groups.concat().into_iter().collect()
}

#[test]
fn the_demo_store_keeps_the_document_and_is_left_as_it_was() {
    for weather in [&[][..], &["--latency", "20ms"]] {
        let (home, store) = (Home::new(), Served::with(weather));
        let told = check(&home, &store.base, &["--json"]).env("PLANTS_TOKEN", "demo").ended().orderly(0).json();
        is_whole(&told);
        assert_eq!(with_verdict(&told, "pass").len(), RULE_COUNT, "{told:#}");
        assert_eq!((&told["leftovers"], home.listed(&store.base)), (&Value::Array(Vec::new()), "[]\n".to_owned()));
        let log = store.log();
        let count = |what: &dyn Fn(&str) -> bool| log.iter().filter(|line| what(line)).count();
        let created = count(&|line| line == "POST /plants  201");
        let deleted = count(&|line| line.starts_with("DELETE /plants/") && line.ends_with("  204"));
        assert!(created > 0 && created == deleted, "{log:#?}");
    }
}

#[test]
fn the_demo_store_inside_needs_no_yes() {
    let told = Home::new().plants(&["check", "--json", "--pace", "0s"]).ended().orderly(0).json();
    is_whole(&told);
    assert_eq!(with_verdict(&told, "pass").len(), RULE_COUNT, "{told:#}");
}

#[test]
fn slow_is_not_broken() {
    let (code, told) = in_the_weather(Weather { latency: Duration::from_millis(20), ..Weather::default() });
    assert_eq!((code, &told["leftovers"]), (0, &Value::Array(Vec::new())));
}

#[test]
fn nothing_can_be_told_where_no_response_resolves_anything() {
    for weather in [Weather { lose_responses: 1.0, ..Weather::default() }, Weather { fail: 1.0, ..Weather::default() }]
    {
        let (code, told) = in_the_weather(weather);
        let all = all_of(&[&CREATE, &DELETE, &WHO_CREATES, &WHO_DELETES]);
        assert_eq!((code, with_verdict(&told, "inconclusive")), (4, all), "{weather:?}");
    }
}

#[test]
fn weather_that_changes_breaks_nothing_and_hides_nothing() {
    for weather in [
        Weather { lose_responses: 0.3, ..Weather::default() },
        Weather { fail: 0.3, ..Weather::default() },
        Weather { lose_responses: 0.1, fail: 0.1, ..Weather::default() },
    ] {
        let (code, told) = in_the_weather(weather);
        assert!([0, 4].contains(&code), "{weather:?}: {told:#}");
    }
}

#[test]
fn a_store_that_refuses_every_token_is_not_validated() {
    let (code, told) = in_the_weather(Weather { reject_token: true, ..Weather::default() });
    assert_eq!((code, with_verdict(&told, "pass")), (4, BTreeSet::new()));
    assert_eq!(told["diagnosis"], "The token was rejected (401 Unauthorized).");
    assert_eq!(told["leftovers"], Value::Array(Vec::new()));
}

/// How many requests a whole check of an honest store takes.
fn requests_of_a_check() -> usize {
    let (home, store) = (Home::new(), OddStore::with(Oddity::None, TOKEN));
    check(&home, &store.base(), &["--json"]).ended().orderly(0);
    store.asked().len()
}

/// A dozen places in a check, from its first request to its last.
fn places_in_a_check() -> impl Iterator<Item = usize> {
    let count = requests_of_a_check();
    (0..12).map(move |place| 1 + place * (count - 1) / 11)
}

/// Ends a check while the store has the request of this number and has not answered it yet.
fn ended_at(number: usize, signal: Signal) -> (Home, OddStore, Ended) {
    let (home, store) = (Home::new(), OddStore::with(Oddity::None, TOKEN));
    let held = store.holds(number);
    let child = check(&home, &store.base(), &["--json"]).begun();
    held.arrives();
    kill_process(Pid::from_child(&child), signal).unwrap();
    let ended = end_of(child);
    (home, store, ended)
}

/// Whether a request may have planted what nobody was told of, under an id that anybody may have:
/// then it is not deleted. And whether it has.
fn may_hit_somebody(store: &OddStore, number: usize) -> (bool, bool) {
    let held = &store.asked()[number - 1];
    let ordinary = 1_000_000_000..1 << 31;
    let may = held.method == "POST" && !id_of(held).is_some_and(|id| ordinary.contains(&id));
    (may, may && held.responded == Some(201))
}

#[test]
fn who_is_interrupted_cleans_up_first() {
    for number in places_in_a_check() {
        let (_home, store, ended) = ended_at(number, Signal::INT);
        is_mannered(&store.asked());
        keeps_the_secret(&ended);
        let told = ended.orderly(130).json();
        let (_, stays) = may_hit_somebody(&store, number);
        assert_eq!(store.left().len(), usize::from(stays), "interrupted at request {number}");
        let listed = |plant: &Plant| lists(&told["leftovers"], plant.id);
        assert!(store.left().iter().all(listed), "interrupted at request {number}");
    }
}

#[test]
fn what_a_killed_check_left_is_cleaned_up_by_the_next() {
    for number in places_in_a_check() {
        let (home, store, ended) = ended_at(number, Signal::KILL);
        assert_eq!(ended.code, None);
        let (unknown, stays) = may_hit_somebody(&store, number);
        let (unknown, stays) = (usize::from(unknown), usize::from(stays));
        let told = check(&home, &store.base(), &["--json"]).ended().orderly(0).json();
        assert_eq!(told["leftovers"].as_array().unwrap().len(), unknown, "killed at request {number}");
        assert_eq!(store.left().len(), stays, "killed at request {number}");
        let listed: Value = serde_json::from_str(&home.listed(&store.base())).unwrap();
        assert_eq!(listed.as_array().unwrap().len(), unknown, "killed at request {number}");
    }
}
