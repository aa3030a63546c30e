//! Stores that make a careless check say what is not true, or delete plants of other people.

use std::collections::BTreeSet;

use serde_json::Value;

use super::odd::{OddStore, Oddity};
use super::xml::elements;
use super::{CREATE_TOKEN, DELETE_TOKEN, RULE_COUNT, TOKEN, check, lists, with_verdict};
use crate::support::Home;

/// Checks a store that also has 200 plants of other people, and asserts that they stay and that all leftovers are
/// listed. Returns the report.
fn report_on(oddity: Oddity, code: i32) -> Value {
    let (home, store) = (Home::new(), OddStore::with(oddity, TOKEN));
    store.has(1..=200);
    let report = check(&home, &store.base(), &["--json"]).ended().orderly(code).json();
    let (theirs, own): (Vec<_>, Vec<_>) = store.left().into_iter().partition(|plant| plant.name == "theirs");
    assert_eq!(theirs.len(), 200, "{report:#}");
    for plant in own {
        assert!(lists(&report["leftovers"], plant.id), "{plant:?} is left and not listed: {report:#}");
    }
    report
}

fn diagnosis(report: &Value) -> &str {
    report["diagnosis"].as_str().unwrap()
}

fn leftovers(report: &Value) -> &[Value] {
    report["leftovers"].as_array().unwrap()
}

/// Returns what a row of undocumented behaviour says.
fn value<'a>(report: &'a Value, name: &str) -> &'a str {
    let mut rows = report["undocumented"].as_array().unwrap().iter();
    rows.find(|row| row["name"] == name).unwrap()["value"].as_str().unwrap()
}

/// The token is the tag of every plant of the check, so that it is masked in every response.
#[test]
fn what_is_masked_in_responses_fails_no_rule() {
    let (home, token) = (Home::new(), "plants-check");
    let store = OddStore::with(Oddity::None, token);
    let run = check(&home, &store.base(), &["--json"]).env("PLANTS_TOKEN", token);
    let report = run.ended().orderly(0).json();
    assert_eq!(with_verdict(&report, "fail"), BTreeSet::new(), "{report:#}");
    assert!(with_verdict(&report, "inconclusive").contains("create-name-and-tag"), "{report:#}");
    assert!(value(&report, "unicode").contains("its tag is masked, as it contains a secret"), "{report:#}");
}

#[test]
fn a_row_number_in_a_response_is_not_deleted() {
    let report = report_on(Oddity::ShowsRows, 0);
    assert_eq!((with_verdict(&report, "pass").len(), leftovers(&report)), (RULE_COUNT, &[][..]), "{report:#}");
    assert_eq!(value(&report, "id-in-response"), "yes, but another number than was sent");
}

#[test]
fn a_store_that_ignores_deletes_is_said_to_and_its_plants_are_listed() {
    let report = report_on(Oddity::IgnoresDeletes, 0);
    assert!(diagnosis(&report).ends_with("; deletes are accepted, and not proven to work."), "{}", diagnosis(&report));
    assert!(with_verdict(&report, "inconclusive").contains("delete-takes-effect"));
    let left = leftovers(&report);
    assert!((3..12).contains(&left.len()) && left.iter().all(|left| left["clean_up"] == "unproven"), "{left:#?}");
}

#[test]
fn a_delete_that_takes_effect_later_fails_no_rule() {
    let report = report_on(Oddity::DeletesLate, 0);
    assert_eq!(with_verdict(&report, "fail"), BTreeSet::new(), "{report:#}");
    assert!(leftovers(&report).is_empty(), "{report:#}");
}

#[test]
fn what_a_firewall_rejects_is_not_the_stores_behaviour() {
    let report = report_on(Oddity::IsBlocked, 4);
    assert!(diagnosis(&report).contains("creates are no longer accepted: 403 Forbidden"), "{report:#}");
    assert_eq!(
        (report["kind"].as_str().unwrap(), report["advice"].as_str().unwrap()),
        ("token_expired", "Check again with another token.")
    );
    assert!(CREATE_TOKEN.iter().chain(&DELETE_TOKEN).any(|name| with_verdict(&report, "pass").contains(name)));
    for row in report["undocumented"].as_array().unwrap() {
        assert!(!row["value"].as_str().unwrap().starts_with("rejected: 403"), "{row:#}");
    }
}

#[test]
fn tokens_are_not_judged_by_a_firewall() {
    for name in CREATE_TOKEN {
        let (home, store) = (Home::new(), OddStore::with(Oddity::IsBlocked, TOKEN));
        // The firewall begins before the requests of the rule.
        let first = check(&home, &store.base(), &["--json", "--only", name]).ended().orderly(0).json();
        assert_eq!(with_verdict(&first, "pass"), [name].into());
        let second = check(&home, &store.base(), &["--json", "--only", name]).ended().orderly(4).json();
        assert_eq!(with_verdict(&second, "inconclusive"), [name].into(), "{second:#}");
    }
}

#[test]
fn pages_of_a_portal_are_not_the_stores_behaviour() {
    let report = report_on(Oddity::IsBehindAPortal, 4);
    assert_eq!(with_verdict(&report, "fail"), BTreeSet::new(), "{report:#}");
    assert!(
        diagnosis(&report).contains("creates are no longer accepted: a web page came (200 text/html)"),
        "{report:#}"
    );
    assert!(report["kind"] == "page_came" && report["advice"].as_str().unwrap().contains("or the token"), "{report:#}");
}

#[test]
fn a_store_that_wants_ids_as_strings_is_named() {
    let report = report_on(Oddity::WantsTextIds, 1);
    assert!(diagnosis(&report).starts_with("Differs from the document, and wants ids as strings: "), "{report:#}");
    assert_eq!(with_verdict(&report, "fail"), ["create-accepted"].into());
}

#[test]
fn a_create_that_was_rejected_and_stored_is_found_and_said() {
    let report = report_on(Oddity::StoresWhatItRejects, 0);
    assert_eq!(value(&report, "name-missing"), "rejected: 400 Bad Request; the store had the plant all the same");
    assert!(leftovers(&report).is_empty(), "{report:#}");
}

#[test]
fn in_a_strict_report_inconclusive_rules_are_failures_of_the_build_server() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::IgnoresDeletes, TOKEN));
    let words = ["--format", "junit", "--strict"];
    let text = check(&home, &store.base(), &words).ended().orderly(1).stdout;
    let suite = elements(&text).into_iter().find(|element| element.name == "testsuite").unwrap();
    let count = |name: &str| suite.attributes[name].clone();
    assert!(count("failures") != "0" && count("errors") == "0" && count("skipped") == "0", "{text}");
    assert!(elements(&text).iter().filter(|one| one.name == "testcase").all(|one| one.attributes.contains_key("time")));
}
