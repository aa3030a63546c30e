//! `plants check` as a person or a script runs it: the verdicts on stores with one oddity each, the requests, and the
//! leftovers.

mod assertions;
#[cfg_attr(windows, expect(dead_code, reason = "the tests that are for Unix alone use it"))]
pub(crate) mod faults;
mod liars;
pub(crate) mod odd;
mod options;
mod stores;
#[cfg(unix)]
mod weather;
mod wire;
mod xml;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::closed_port::ClosedPort;
use crate::support::{Home, Run};
use assertions::{assert_complete, assert_considerate, assert_no_token};
use odd::{OddStore, Oddity};

/// Must appear in no output.
const TOKEN: &str = "canary-5f1c";

/// The rules about a create (`interface.md` §2, §4.1).
const CREATE: [&str; 4] = ["create-accepted", "create-media-type", "create-json-object", "create-name-and-tag"];
/// The rules about a delete (`interface.md` §4.2).
const DELETE: [&str; 5] =
    ["delete-accepted", "delete-no-body", "delete-takes-effect", "delete-single-plant", "delete-exact-id"];
/// The rules about the token of a create (`interface.md` §5).
const CREATE_TOKEN: [&str; 3] = ["create-without-token", "create-wrong-token", "create-other-scheme"];
/// The rules about the token of a delete (`interface.md` §5).
const DELETE_TOKEN: [&str; 3] = ["delete-without-token", "delete-wrong-token", "delete-other-scheme"];

const RULE_COUNT: usize = 15;

/// The rows of undocumented behaviour.
const ROWS: [&str; 36] = [
    "create-status",
    "delete-status",
    "id-in-response",
    "response-fields",
    "name-missing",
    "id-missing",
    "tag-missing",
    "name-not-a-string",
    "tag-not-a-string",
    "name-empty",
    "tag-empty",
    "name-very-long",
    "tag-very-long",
    "name-spaced",
    "unicode",
    "extra-field",
    "id-negative",
    "id-zero",
    "id-past-2-53",
    "id-largest",
    "id-smallest",
    "id-beyond-64-bits",
    "id-as-string",
    "id-as-float",
    "second-create",
    "delete-absent",
    "delete-twice",
    "delete-not-an-integer",
    "broken-json",
    "media-type-missing",
    "media-type-wrong",
    "without-token",
    "wrong-token",
    "other-scheme",
    "error-bodies",
    "limit-headers",
];

/// Returns every rule with its section of `interface.md`.
fn rules() -> BTreeMap<&'static str, &'static str> {
    let all = [(&CREATE[..], "4.1"), (&DELETE, "4.2"), (&CREATE_TOKEN, "5"), (&DELETE_TOKEN, "5")];
    let mut all: BTreeMap<_, _> =
        all.into_iter().flat_map(|(names, section)| names.iter().map(move |name| (*name, section))).collect();
    all.insert("create-media-type", "2");
    all
}

/// Returns the command that checks the store at `base` without a question.
fn check(home: &Home, base: &str, words: &[&str]) -> Run {
    home.plants_at(base, &[&["check", "--yes", "--pace", "0s"], words].concat()).env("PLANTS_TOKEN", TOKEN)
}

/// Returns the names of the rules with this verdict.
fn with_verdict<'a>(report: &'a Value, verdict: &str) -> BTreeSet<&'a str> {
    let rules = report["rules"].as_array().unwrap().iter().filter(|rule| rule["verdict"] == verdict);
    rules.map(|rule| rule["name"].as_str().unwrap()).collect()
}

/// Whether a list of plants has this id.
fn lists(leftovers: &Value, id: i64) -> bool {
    leftovers.as_array().unwrap().iter().any(|plant| plant["id"] == id)
}

/// Which plants are at a store after the check, and which ones the report lists.
#[derive(Debug, Clone, Copy)]
enum Left {
    /// None, and the report lists none.
    Nothing,
    /// None; the report may list some that it cannot know about.
    NothingForSure,
    /// None; the report lists some that it cannot know about.
    Unknown,
    /// Some, and the report lists all of them.
    Listed,
}

/// Checks a store with one oddity, and asserts which rules fail, which are inconclusive, and which plants are left. All
/// others must pass. Returns the report.
fn check_odd(oddity: Oddity, failed: &[&[&'static str]], inconclusive: &[&[&'static str]], left: Left) -> Value {
    let code = match (failed, inconclusive) {
        ([], []) => 0,
        ([], _) => 4,
        _ => 1,
    };
    check_with(&[], oddity, code, failed, inconclusive, left)
}

fn check_with(
    words: &[&str],
    oddity: Oddity,
    code: i32,
    failed: &[&[&'static str]],
    inconclusive: &[&[&'static str]],
    left: Left,
) -> Value {
    let (home, store) = (Home::new(), OddStore::with(oddity, TOKEN));
    let ended = check(&home, &store.base(), &[&["--json"], words].concat()).ended();
    assert_considerate(&store.requests());
    assert_no_token(&ended);
    let report = ended.orderly(code).json();
    assert_complete(&report);
    let named = |names: &[&[&'static str]]| names.concat().into_iter().collect::<BTreeSet<_>>();
    let verdicts = (with_verdict(&report, "fail"), with_verdict(&report, "inconclusive"));
    assert_eq!(verdicts, (named(failed), named(inconclusive)), "failed, and inconclusive: {report:#}");
    assert_left(&store, &report["leftovers"], left);
    report
}

fn assert_left(store: &OddStore, leftovers: &Value, expected: Left) {
    let left = store.left();
    let lists_nothing = leftovers.as_array().unwrap().is_empty();
    let as_expected = match expected {
        Left::Nothing => left.is_empty() && lists_nothing,
        Left::NothingForSure => left.is_empty(),
        Left::Unknown => left.is_empty() && !lists_nothing,
        Left::Listed => !left.is_empty() && left.iter().all(|plant| lists(leftovers, plant.id)),
    };
    assert!(as_expected, "{expected:?} should be left; it is {left:#?}, and listed is {leftovers:#}");
}

#[test]
fn an_honest_store_passes_every_rule() {
    check_odd(Oddity::None, &[], &[], Left::Nothing);
}

#[test]
fn a_store_that_accepts_everything_proves_little() {
    // The store accepts the delete of an absent plant, so that no accepted delete proves anything.
    let worthless: &[&str] = &["delete-takes-effect", "delete-single-plant", "delete-exact-id"];
    let oddity = Oddity::AcceptsEverything;
    check_odd(oddity, &[&CREATE_TOKEN, &DELETE_TOKEN], &[worthless], Left::NothingForSure);
}

#[test]
fn a_store_that_accepts_any_token_fails_all_rules_about_the_token() {
    check_odd(Oddity::IgnoresTheToken, &[&CREATE_TOKEN, &DELETE_TOKEN], &[], Left::Nothing);
}

#[test]
fn a_store_that_accepts_any_scheme_fails_only_the_rules_about_schemes() {
    check_odd(Oddity::AcceptsAnyScheme, &[&["create-other-scheme", "delete-other-scheme"]], &[], Left::Nothing);
}

#[test]
fn a_response_with_another_plant_fails_one_rule() {
    for oddity in [Oddity::SwapsNameAndTag, Oddity::LowerCasesNames, Oddity::Envelope] {
        check_odd(oddity, &[&["create-name-and-tag"]], &[], Left::Nothing);
    }
}

#[test]
fn an_array_in_the_response_fails_and_its_fields_are_inconclusive() {
    check_odd(Oddity::RespondsWithAnArray, &[&["create-json-object"]], &[&["create-name-and-tag"]], Left::Nothing);
}

#[test]
fn another_media_type_fails_whatever_the_body_is() {
    check_odd(Oddity::RespondsWithHtml, &[&["create-media-type"]], &[], Left::Nothing);
}

#[test]
fn a_body_that_is_cut_off_is_inconclusive_and_its_head_counts() {
    check_odd(Oddity::CutsOffResponses, &[], &[&["create-json-object", "create-name-and-tag"]], Left::Nothing);
}

#[test]
fn creates_without_a_response_are_inconclusive_and_their_plants_are_leftovers() {
    let all: &[&[&str]] = &[&CREATE, &DELETE, &CREATE_TOKEN, &DELETE_TOKEN];
    // No id is known to hit a plant of the check alone.
    check_odd(Oddity::LosesCreateResponses, &[], all, Left::Listed);
}

#[test]
fn a_redirect_is_no_failed_rule_and_proves_nothing_about_the_token() {
    let report = check_odd(Oddity::Redirects, &[], &[&CREATE, &DELETE, &CREATE_TOKEN, &DELETE_TOKEN], Left::Nothing);
    let diagnosis = report["diagnosis"].as_str().unwrap();
    assert!(diagnosis.starts_with("The base URL or the token may be wrong: POST "), "{diagnosis}");
    assert!(diagnosis.contains("/elsewhere (308 Permanent Redirect), and redirects are never followed"), "{diagnosis}");
}

#[test]
fn ids_rounded_to_doubles_fail_the_rule_about_exact_ids() {
    check_odd(Oddity::RoundsIds, &[&["delete-exact-id"]], &[], Left::Nothing);
}

#[test]
fn a_store_that_assigns_ids_fails_the_delete_by_the_sent_id() {
    let inconclusive: &[&str] = &["delete-no-body", "delete-takes-effect", "delete-single-plant", "delete-exact-id"];
    let (home, store) = (Home::new(), OddStore::with(Oddity::OwnIds, TOKEN));
    let report = check(&home, &store.base(), &["--json"]).ended().orderly(1).json();
    assert_eq!(with_verdict(&report, "fail"), BTreeSet::from(["delete-accepted"]));
    assert_eq!(with_verdict(&report, "inconclusive"), [inconclusive, &DELETE_TOKEN].concat().into_iter().collect());
    // The ids that the store returned are not used.
    assert_eq!(report["leftovers"].as_array().unwrap().len(), store.left().len());
    assert!(store.requests().iter().all(|request| !request.path.ends_with("/1") && !request.path.ends_with("/2")));
}

#[test]
fn a_store_may_replace_a_plant_by_a_second_create() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::Upserts, TOKEN));
    let report = check(&home, &store.base(), &["--json"]).ended().orderly(0).json();
    assert_eq!(with_verdict(&report, "inconclusive"), BTreeSet::new());
    assert_eq!(with_verdict(&report, "fail"), BTreeSet::new());
    assert_left(&store, &report["leftovers"], Left::Nothing);
}

#[test]
fn a_delete_with_a_body_fails_one_rule() {
    check_odd(Oddity::BodyOnDelete, &[&["delete-no-body"]], &[], Left::Nothing);
}

#[test]
fn plants_whose_deletes_have_no_response_are_leftovers() {
    let all: &[&[&str]] = &[&DELETE, &CREATE_TOKEN, &DELETE_TOKEN];
    check_with(&["--timeout", "300ms"], Oddity::HangsOnDelete, 4, &[], all, Left::Listed);
}

#[test]
fn plants_whose_deletes_are_rejected_are_leftovers() {
    let inconclusive: &[&str] = &["delete-no-body", "delete-takes-effect", "delete-single-plant", "delete-exact-id"];
    check_odd(Oddity::LosesDeletes, &[&["delete-accepted"]], &[inconclusive, &DELETE_TOKEN], Left::Listed);
}

#[test]
fn a_delete_that_removes_all_plants_of_a_name_fails() {
    // No accepted delete proves that the other plant is gone.
    check_odd(Oddity::DeletesAll, &[&["delete-single-plant"]], &[&["delete-exact-id"]], Left::Unknown);
}

#[test]
fn a_store_that_asks_for_pauses_gets_them_and_passes() {
    check_odd(Oddity::RejectsEveryThird, &[], &[], Left::Nothing);
}

#[test]
fn a_store_that_rejects_the_token_gets_no_verdict() {
    // The token may be wrong: then the rejection of another one proves nothing.
    check_odd(Oddity::RejectsTheToken, &[], &[&CREATE, &DELETE, &CREATE_TOKEN, &DELETE_TOKEN], Left::Nothing);
}

#[test]
fn a_store_that_always_fails_gets_no_verdict() {
    let all: &[&[&str]] = &[&CREATE, &DELETE, &CREATE_TOKEN, &DELETE_TOKEN];
    check_odd(Oddity::FailsAlways, &[], all, Left::Unknown);
}

#[test]
fn a_wrong_base_url_is_no_failed_rule_and_no_rejected_token() {
    for oddity in [Oddity::NotFoundEverywhere, Oddity::NotFoundWithTheToken] {
        let report = check_odd(oddity, &[], &[&CREATE, &DELETE, &CREATE_TOKEN, &DELETE_TOKEN], Left::Nothing);
        let diagnosis = report["diagnosis"].as_str().unwrap();
        assert!(diagnosis.starts_with("The base URL is wrong: POST http://127.0.0.1:"), "{diagnosis}");
        assert!(diagnosis.ends_with("/plants is 404 Not Found."), "{diagnosis}");
    }
}

#[test]
fn a_store_that_never_responds_gets_no_verdict() {
    let all: &[&[&str]] = &[&CREATE, &DELETE, &CREATE_TOKEN, &DELETE_TOKEN];
    let report = check_with(&["--timeout", "300ms"], Oddity::SilentOnAll, 4, &[], all, Left::Unknown);
    assert!(report["diagnosis"].as_str().unwrap().starts_with("The store hangs (2 requests in a row"), "{report:#}");
}

#[test]
fn a_token_that_a_store_echoes_is_masked() {
    check_odd(Oddity::EchoesTheToken, &[], &[], Left::Nothing);
    for format in ["text", "junit", "markdown"] {
        let (home, store) = (Home::new(), OddStore::with(Oddity::EchoesTheToken, TOKEN));
        let ended = check(&home, &store.base(), &["--format", format]).ended().orderly(0);
        assert_no_token(&ended);
    }
}

#[test]
fn a_store_that_is_not_there_gets_no_verdict() {
    let home = Home::new();
    let closed = ClosedPort::new();
    let base = closed.base();
    let report = check(&home, &base, &["--json"]).ended().orderly(3).json();
    assert_complete(&report);
    assert_eq!(with_verdict(&report, "inconclusive"), rules().into_keys().collect());
    assert_eq!((&report["leftovers"], home.listed(&base)), (&Value::Array(Vec::new()), "[]\n".to_owned()));
}

#[test]
fn a_delete_that_removes_nothing_fails_a_rule_of_its_own() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::DeletesNothing, TOKEN));
    let report = check(&home, &store.base(), &["--json"]).ended().orderly(1).json();
    assert_complete(&report);
    assert_eq!(with_verdict(&report, "fail"), BTreeSet::from(["delete-takes-effect"]));
    assert_left(&store, &report["leftovers"], Left::Listed);
    let kept: BTreeSet<_> = store.left().iter().map(|plant| plant.id).collect();
    let clean_ups: Vec<_> = report["leftovers"].as_array().unwrap().iter().map(|left| &left["clean_up"]).collect();
    assert!(clean_ups.iter().all(|clean_up| *clean_up == "ineffective"), "{clean_ups:?}");
    assert_eq!(clean_ups.len(), kept.len());
    assert!(kept.len() <= 3, "no more are added than it takes: {kept:?}");
}

#[test]
fn a_store_that_never_reuses_ids_passes() {
    let report = check_odd(Oddity::NeverReusesIds, &[], &[], Left::Nothing);
    assert_eq!(report["diagnosis"], "A Plant Store: all 15 rules pass.");
    // A store that shows nothing passes as well, and the evidence says so.
    let unseen: &[&str] = &["delete-takes-effect", "delete-single-plant", "delete-exact-id"];
    let report = check_with(&[], Oddity::DeletesBlindly, 0, &[], &[unseen], Left::NothingForSure);
    let evidence = |name: &str| report["rules"].as_array().unwrap().iter().find(|rule| rule["name"] == name).unwrap();
    let evidence = evidence("delete-takes-effect")["evidence"].as_str().unwrap();
    assert!(evidence.starts_with("not observable here: "), "{evidence}");
}

#[test]
fn inconclusive_rules_beside_a_diagnosis_are_an_error_with_strict() {
    for (oddity, code, strictly) in
        [(Oddity::DeletesBlindly, 0, 1), (Oddity::None, 0, 0), (Oddity::LosesCreateResponses, 4, 4)]
    {
        let (home, store) = (Home::new(), OddStore::with(oddity, TOKEN));
        check(&home, &store.base(), &["--json"]).ended().orderly(code);
        check(&home, &store.base(), &["--json", "--strict"]).ended().orderly(strictly);
    }
}

#[test]
fn a_second_plant_that_replaced_the_first_is_no_leftover() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::UpsertsAndFrowns, TOKEN));
    let report = check(&home, &store.base(), &["--json"]).ended().orderly(0).json();
    assert_left(&store, &report["leftovers"], Left::Nothing);
    assert_eq!(home.listed(&store.base()), "[]\n");
}

#[test]
fn a_second_check_knows_as_much_where_plants_of_the_first_cannot_be_deleted() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::LooksForTexts, TOKEN));
    let first = check(&home, &store.base(), &["--json"]).ended().orderly(1).json();
    assert_left(&store, &first["leftovers"], Left::Listed);
    let (left, before) = (store.left(), store.requests().len());
    let second = check(&home, &store.base(), &["--json"]).ended().orderly(1).json();
    assert_complete(&second);
    assert_eq!(second["diagnosis"], first["diagnosis"]);
    for verdict in ["pass", "fail", "inconclusive"] {
        assert_eq!(with_verdict(&second, verdict), with_verdict(&first, verdict));
    }
    assert_left(&store, &second["leftovers"], Left::Listed);
    // One delete of an earlier plant shows that the others are not deleted either.
    let paths: Vec<_> = left.iter().map(|plant| format!("/plants/{}", plant.id)).collect();
    let retried = store.requests()[before..].iter().filter(|request| paths.contains(&request.path)).count();
    assert_eq!(retried, 1);
    let ended = check(&home, &store.base(), &["--gentle"]).ended().orderly(1);
    let by_hand = ended.stdout.split_once("By hand: plants delete --base-url ").unwrap().1;
    assert!(store.left().iter().all(|plant| by_hand.contains(&plant.id.to_string())), "{ended:?}");
}

#[test]
fn ids_at_which_a_store_fails_are_sent_once_and_never_deleted() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::FailsOnLargeIds, TOKEN));
    let large = |store: &OddStore| store.requests().iter().filter(|request| request.responded == Some(500)).count();
    let report = check(&home, &store.base(), &["--json"]).ended().orderly(0).json();
    let (left, tried) = (report["leftovers"].clone(), large(&store));
    assert!(!left.as_array().unwrap().is_empty() && tried > 0, "{report:#}");
    assert!(left.as_array().unwrap().iter().all(|left| left["clean_up"] == "unsafe"), "{left:#}");
    let report = check(&home, &store.base(), &["--json"]).ended().orderly(0).json();
    assert_eq!((report["leftovers"].as_array().unwrap().len(), large(&store)), (left.as_array().unwrap().len(), tried));
}

#[test]
fn pages_and_canned_responses_have_their_own_diagnosis() {
    // No plant is known to be the check's, so that no delete is sent.
    let (home, store) = (Home::new(), OddStore::with(Oddity::HtmlEverywhere, TOKEN));
    for _ in 0..2 {
        let report = check(&home, &store.base(), &["--json"]).ended().orderly(4).json();
        assert_eq!(report["diagnosis"], "Every response to a create is 200 text/html: this is not a Plant Store.");
        assert_eq!(with_verdict(&report, "inconclusive").len(), report["rules"].as_array().unwrap().len());
        // The second run does not count those of the first.
        let left = report["leftovers"].as_array().unwrap();
        assert!(left.len() == 3 && left.iter().all(|left| left["clean_up"] == "doubtful"), "{left:#?}");
    }
    let (home, store) = (Home::new(), OddStore::with(Oddity::Canned, TOKEN));
    let report = check(&home, &store.base(), &["--json"]).ended().orderly(1).json();
    let diagnosis = report["diagnosis"].as_str().unwrap();
    assert!(diagnosis.starts_with("Canned responses, the same whatever is sent: "), "{diagnosis}");
    assert_eq!(with_verdict(&report, "fail"), BTreeSet::from(["create-name-and-tag"]));
}

#[test]
fn a_trimmed_name_is_observed() {
    let report = check_odd(Oddity::TrimsNames, &[], &[], Left::Nothing);
    let row = report["undocumented"].as_array().unwrap().iter().find(|row| row["name"] == "name-spaced").unwrap();
    assert_eq!(row["value"], "accepted: 201 Created; its name came back trimmed");
}

#[test]
fn a_diagnosis_that_explains_all_rows_takes_five_lines() {
    for (oddity, words) in [
        (Oddity::HtmlEverywhere, "Every response to a create is 200 text/html"),
        (Oddity::RejectsTheToken, "The token was rejected (401 Unauthorized)."),
        (Oddity::NotFoundEverywhere, "The base URL is wrong: POST "),
        (Oddity::FailsAlways, "Every response is 500 application/json"),
        (Oddity::SilentOnAll, "The store hangs ("),
    ] {
        for format in ["text", "markdown"] {
            let (home, store) = (Home::new(), OddStore::with(oddity, TOKEN));
            let ended = check(&home, &store.base(), &["--timeout", "300ms", "--format", format]).ended();
            let lines: Vec<_> = ended.stdout.lines().collect();
            assert!(lines.len() <= 5, "{oddity:?}: {lines:#?}");
            let first = lines[0].replace(['\\', '*'], "");
            assert!(first.starts_with(words), "{oddity:?}: {first}");
        }
    }
}

#[test]
fn a_gentle_check_of_a_store_that_hangs_ends_after_three_requests() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::SilentOnAll, TOKEN));
    check(&home, &store.base(), &["--gentle", "--timeout", "300ms"]).ended().orderly(4);
    assert!(store.requests().len() <= 3, "{:#?}", store.requests());
}
