//! The contract check as a person or a script runs it: which rules it finds kept and broken at
//! stores with one oddity each, what it sends them, and what it leaves there.

mod odd;
mod options;
mod promises;
mod stores;
mod weather;
mod wire;
mod xml;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::{Home, Run};
use odd::{OddStore, Oddity};
use promises::{is_mannered, is_whole, keeps_the_secret};

/// What nobody may ever read again.
const TOKEN: &str = "canary-5f1c";

/// The rules about a create (`interface.md` §2, §4.1).
const CREATE: [&str; 4] = ["create-accepted", "create-media-type", "create-json-object", "create-name-and-tag"];
/// The rules about a delete (`interface.md` §4.2).
const DELETE: [&str; 5] =
    ["delete-accepted", "delete-no-body", "delete-takes-effect", "delete-single-plant", "delete-exact-id"];
/// The rules about who may create (`interface.md` §5).
const WHO_CREATES: [&str; 3] = ["create-without-token", "create-wrong-token", "create-other-scheme"];
/// The rules about who may delete (`interface.md` §5).
const WHO_DELETES: [&str; 3] = ["delete-without-token", "delete-wrong-token", "delete-other-scheme"];

/// How many rules there are.
const RULE_COUNT: usize = 15;

/// Where the document does not say what a store does.
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

/// Every rule with its section of `interface.md`.
fn rules() -> BTreeMap<&'static str, &'static str> {
    let all = [(&CREATE[..], "4.1"), (&DELETE, "4.2"), (&WHO_CREATES, "5"), (&WHO_DELETES, "5")];
    let mut all: BTreeMap<_, _> =
        all.into_iter().flat_map(|(names, section)| names.iter().map(move |name| (*name, section))).collect();
    all.insert("create-media-type", "2");
    all
}

/// `plants check` of the store at `base`, as a script runs it.
fn check(home: &Home, base: &str, words: &[&str]) -> Run {
    home.plants_at(base, &[&["check", "--yes", "--pace", "0s"], words].concat()).env("PLANTS_TOKEN", TOKEN)
}

/// The rules with this verdict.
fn with_verdict<'told>(told: &'told Value, verdict: &str) -> BTreeSet<&'told str> {
    let of_it = told["rules"].as_array().unwrap().iter().filter(|rule| rule["verdict"] == verdict);
    of_it.map(|rule| rule["name"].as_str().unwrap()).collect()
}

/// Whether the list of what could not be cleaned up has this id.
fn lists(leftovers: &Value, id: i64) -> bool {
    leftovers.as_array().unwrap().iter().any(|plant| plant["id"] == id)
}

/// What is to be found at a store after the check.
#[derive(Debug, Clone, Copy)]
enum Left {
    /// Nothing, and the check says so.
    Nothing,
    /// Nothing; the check cannot know that of everything.
    NothingForSure,
    /// Nothing; the check cannot know, and says so.
    Unknown,
    /// What the check could not delete, and lists.
    Listed,
}

/// Checks a store with one oddity: which rules fail, which are inconclusive, and what is left. The
/// other rules pass.
fn validated(oddity: Oddity, failed: &[&[&'static str]], inconclusive: &[&[&'static str]], left: Left) -> Value {
    let code = match (failed, inconclusive) {
        ([], []) => 0,
        ([], _) => 4,
        _ => 1,
    };
    validated_with(&[], oddity, code, failed, inconclusive, left)
}

fn validated_with(
    words: &[&str],
    oddity: Oddity,
    code: i32,
    failed: &[&[&'static str]],
    inconclusive: &[&[&'static str]],
    left: Left,
) -> Value {
    let (home, store) = (Home::new(), OddStore::with(oddity, TOKEN));
    let ended = check(&home, &store.base(), &[&["--json"], words].concat()).ended();
    is_mannered(&store.asked());
    keeps_the_secret(&ended);
    let told = ended.orderly(code).json();
    is_whole(&told);
    let named = |names: &[&[&'static str]]| names.concat().into_iter().collect::<BTreeSet<_>>();
    let verdicts = (with_verdict(&told, "fail"), with_verdict(&told, "inconclusive"));
    assert_eq!(verdicts, (named(failed), named(inconclusive)), "failed, and inconclusive: {told:#}");
    cleaned_up(&store, &told["leftovers"], left);
    told
}

fn cleaned_up(store: &OddStore, leftovers: &Value, expected: Left) {
    let left = store.left();
    let says_nothing = leftovers.as_array().unwrap().is_empty();
    let as_expected = match expected {
        Left::Nothing => left.is_empty() && says_nothing,
        Left::NothingForSure => left.is_empty(),
        Left::Unknown => left.is_empty() && !says_nothing,
        Left::Listed => !left.is_empty() && left.iter().all(|plant| lists(leftovers, plant.id)),
    };
    assert!(as_expected, "{expected:?} should be left; it is {left:#?}, and listed is {leftovers:#}");
}

#[test]
fn an_honest_store_keeps_everything() {
    validated(Oddity::None, &[], &[], Left::Nothing);
}

#[test]
fn who_agrees_to_everything_proves_little() {
    // A yes to the delete of a plant that is not there makes every other yes worthless.
    let worthless: &[&str] = &["delete-takes-effect", "delete-single-plant", "delete-exact-id"];
    let oddity = Oddity::AnswersYesToEverything;
    validated(oddity, &[&WHO_CREATES, &WHO_DELETES], &[worthless], Left::NothingForSure);
}

#[test]
fn a_store_that_takes_any_token_breaks_all_that_is_said_of_it() {
    validated(Oddity::IgnoresTheToken, &[&WHO_CREATES, &WHO_DELETES], &[], Left::Nothing);
}

#[test]
fn a_store_that_takes_any_scheme_breaks_that_alone() {
    validated(Oddity::AcceptsAnyScheme, &[&["create-other-scheme", "delete-other-scheme"]], &[], Left::Nothing);
}

#[test]
fn a_response_about_another_plant_is_broken_in_one_clause() {
    for oddity in [Oddity::SwapsNameAndTag, Oddity::LowerCasesNames, Oddity::Envelope] {
        validated(oddity, &[&["create-name-and-tag"]], &[], Left::Nothing);
    }
}

#[test]
fn an_array_is_no_object_and_what_it_would_have_is_not_looked_for() {
    validated(Oddity::AnswersAnArray, &[&["create-json-object"]], &[&["create-name-and-tag"]], Left::Nothing);
}

#[test]
fn another_media_type_is_broken_whatever_the_body_is() {
    validated(Oddity::AnswersHtml, &[&["create-media-type"]], &[], Left::Nothing);
}

#[test]
fn a_body_that_breaks_off_tells_nothing_and_its_head_does() {
    validated(Oddity::ClosesMidAnswer, &[], &[&["create-json-object", "create-name-and-tag"]], Left::Nothing);
}

#[test]
fn creates_that_are_never_answered_leave_everything_open_and_nothing_behind() {
    // The plants are there, nobody knows, and they are deleted all the same.
    let all: &[&[&str]] = &[&CREATE, &DELETE, &WHO_CREATES, &WHO_DELETES];
    validated(Oddity::LosesEveryAnswerToACreate, &[], all, Left::NothingForSure);
}

#[test]
fn a_redirect_is_a_refusal_and_no_word_about_the_token() {
    let dependent: &[&str] = &["create-media-type", "create-json-object", "create-name-and-tag"];
    let untold: &[&[&str]] = &[dependent, &DELETE, &WHO_CREATES, &WHO_DELETES];
    validated(Oddity::Redirects, &[&["create-accepted"]], untold, Left::Nothing);
}

#[test]
fn an_id_that_goes_through_a_double_is_not_exact() {
    validated(Oddity::RoundsIds, &[&["delete-exact-id"]], &[], Left::Nothing);
}

#[test]
fn ids_of_the_stores_own_are_not_those_that_were_sent() {
    let untold: &[&str] = &["delete-no-body", "delete-takes-effect", "delete-single-plant", "delete-exact-id"];
    validated(Oddity::OwnIds, &[&["delete-accepted"]], &[untold], Left::Nothing);
}

#[test]
fn what_a_second_create_does_is_for_the_store_to_say() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::Upserts, TOKEN));
    let told = check(&home, &store.base(), &["--json"]).ended().orderly(0).json();
    // A large id could be read as another, and take the place of somebody's plant.
    assert_eq!(with_verdict(&told, "inconclusive"), BTreeSet::from(["delete-exact-id"]));
    assert_eq!(with_verdict(&told, "fail"), BTreeSet::new());
    cleaned_up(&store, &told["leftovers"], Left::Nothing);
}

#[test]
fn a_delete_with_a_body_breaks_that_alone() {
    validated(Oddity::BodyOnDelete, &[&["delete-no-body"]], &[], Left::Nothing);
}

#[test]
fn deletes_that_are_never_answered_leave_plants_behind_that_are_listed() {
    let all: &[&[&str]] = &[&DELETE, &WHO_DELETES];
    validated_with(&["--timeout", "300ms"], Oddity::HangsOnDelete, 4, &[], all, Left::Listed);
}

#[test]
fn deletes_that_are_refused_leave_plants_behind_that_are_listed() {
    let untold: &[&str] = &["delete-no-body", "delete-takes-effect", "delete-single-plant", "delete-exact-id"];
    validated(Oddity::LosesDeletes, &[&["delete-accepted"]], &[untold, &WHO_DELETES], Left::Listed);
}

#[test]
fn a_delete_that_takes_a_namesake_along_is_not_of_a_single_plant() {
    // That the namesake is gone is not said by any yes.
    validated(Oddity::DeletesAll, &[&["delete-single-plant"]], &[], Left::Unknown);
}

#[test]
fn who_asks_for_patience_gets_it_and_is_found_honest() {
    validated(Oddity::AsksForPatience, &[], &[], Left::Nothing);
}

#[test]
fn a_refused_token_may_be_the_wrong_one() {
    // Then that another token is refused as well is no finding.
    validated(Oddity::RefusesTheToken, &[], &[&CREATE, &DELETE, &WHO_CREATES, &WHO_DELETES], Left::Nothing);
}

#[test]
fn a_store_that_fails_resolves_nothing() {
    let all: &[&[&str]] = &[&CREATE, &DELETE, &WHO_CREATES, &WHO_DELETES];
    validated(Oddity::FailsAlways, &[], all, Left::Unknown);
}

#[test]
fn a_wrong_base_url_is_no_failed_rule_and_no_rejected_token() {
    for oddity in [Oddity::NotFoundEverywhere, Oddity::NotFoundWithTheToken] {
        let told = validated(oddity, &[], &[&CREATE, &DELETE, &WHO_CREATES, &WHO_DELETES], Left::Nothing);
        let diagnosis = told["diagnosis"].as_str().unwrap();
        assert!(diagnosis.starts_with("The base URL is wrong: POST http://127.0.0.1:"), "{diagnosis}");
        assert!(diagnosis.ends_with("/plants is 404 Not Found."), "{diagnosis}");
    }
}

#[test]
fn silence_settles_nothing() {
    let all: &[&[&str]] = &[&CREATE, &DELETE, &WHO_CREATES, &WHO_DELETES];
    let told = validated_with(&["--timeout", "300ms"], Oddity::SilentOnAll, 4, &[], all, Left::Unknown);
    assert!(told["diagnosis"].as_str().unwrap().starts_with("The store hangs: 2 requests in a row"), "{told:#}");
}

#[test]
fn a_token_that_a_store_shows_is_shown_to_nobody() {
    validated(Oddity::EchoesTheToken, &[], &[], Left::Nothing);
    for format in ["text", "junit", "markdown"] {
        let (home, store) = (Home::new(), OddStore::with(Oddity::EchoesTheToken, TOKEN));
        let ended = check(&home, &store.base(), &["--format", format]).ended().orderly(0);
        keeps_the_secret(&ended);
    }
}

#[test]
fn a_store_that_is_not_there_is_not_validated() {
    let home = Home::new();
    // Bound and never listening: refused for as long as this test holds it.
    let taken = tokio::net::TcpSocket::new_v4().unwrap();
    taken.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let base = format!("http://{}", taken.local_addr().unwrap());
    let told = check(&home, &base, &["--json"]).ended().orderly(3).json();
    is_whole(&told);
    assert_eq!(with_verdict(&told, "inconclusive"), rules().into_keys().collect());
    assert_eq!((&told["leftovers"], home.listed(&base)), (&Value::Array(Vec::new()), "[]\n".to_owned()));
}

#[test]
fn a_delete_that_removes_nothing_fails_a_rule_of_its_own() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::DeletesNothing, TOKEN));
    let told = check(&home, &store.base(), &["--json"]).ended().orderly(1).json();
    is_whole(&told);
    assert_eq!(with_verdict(&told, "fail"), BTreeSet::from(["delete-takes-effect"]));
    cleaned_up(&store, &told["leftovers"], Left::Listed);
    let kept: BTreeSet<_> = store.left().iter().map(|plant| plant.id).collect();
    let told: Vec<_> = told["leftovers"].as_array().unwrap().iter().map(|left| &left["clean_up"]).collect();
    assert!(told.iter().all(|clean_up| *clean_up == "ineffective") && told.len() == kept.len(), "{told:?}");
    assert!(kept.len() <= 3, "no more are added than it takes: {kept:?}");
}

#[test]
fn a_store_that_never_reuses_ids_is_not_blamed() {
    validated(Oddity::NeverReusesIds, &[], &[], Left::Nothing);
    // Nor one at which nothing can be observed, which is said.
    let unseen: &[&str] = &["delete-takes-effect", "delete-single-plant", "delete-exact-id"];
    let told = validated_with(&[], Oddity::DeletesBlindly, 0, &[], &[unseen], Left::NothingForSure);
    let evidence = |name: &str| told["rules"].as_array().unwrap().iter().find(|rule| rule["name"] == name).unwrap();
    let said = evidence("delete-takes-effect")["evidence"].as_str().unwrap();
    assert!(said.starts_with("not observable here: "), "{said}");
}

#[test]
fn inconclusive_rules_are_an_error_where_that_is_wanted() {
    for (oddity, code) in [(Oddity::Upserts, 0), (Oddity::None, 0)] {
        let (home, store) = (Home::new(), OddStore::with(oddity, TOKEN));
        check(&home, &store.base(), &["--json"]).ended().orderly(code);
        let strictly = i32::from(oddity == Oddity::Upserts);
        check(&home, &store.base(), &["--json", "--strict"]).ended().orderly(strictly);
    }
}

#[test]
fn a_second_plant_that_replaced_the_first_is_no_leftover() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::UpsertsAndFrowns, TOKEN));
    let told = check(&home, &store.base(), &["--json"]).ended().orderly(0).json();
    cleaned_up(&store, &told["leftovers"], Left::Nothing);
    assert_eq!(home.listed(&store.base()), "[]\n");
}

#[test]
fn where_earlier_plants_cannot_be_deleted_no_more_are_added() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::LooksForTexts, TOKEN));
    let told = check(&home, &store.base(), &["--json"]).ended().orderly(1).json();
    cleaned_up(&store, &told["leftovers"], Left::Listed);
    let (left, asked) = (store.left(), store.asked().len());
    for _ in 0..2 {
        let told = check(&home, &store.base(), &["--json"]).ended().orderly(4).json();
        is_whole(&told);
        let diagnosis = told["diagnosis"].as_str().unwrap();
        assert!(diagnosis.starts_with("Plants of an earlier check cannot be deleted"), "{diagnosis}");
        cleaned_up(&store, &told["leftovers"], Left::Listed);
        assert!(store.asked()[asked..].iter().all(|asked| asked.method == "DELETE"));
        assert_eq!(store.left(), left);
    }
    // What was announced was done: each has had a delete in each run.
    let deletes = |id: i64| store.asked()[asked..].iter().filter(|asked| asked.path == format!("/plants/{id}")).count();
    assert!(left.iter().all(|plant| deletes(plant.id) >= 2));
}

#[test]
fn what_a_store_fails_at_is_tried_once_and_no_delete_is_announced() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::FailsOnLargeIds, TOKEN));
    let large = |store: &OddStore| store.asked().iter().filter(|asked| asked.responded == Some(500)).count();
    let told = check(&home, &store.base(), &["--json"]).ended().orderly(0).json();
    let (left, tried) = (told["leftovers"].clone(), large(&store));
    assert!(!left.as_array().unwrap().is_empty() && tried > 0, "{told:#}");
    assert!(left.as_array().unwrap().iter().all(|left| left["clean_up"] == "unsafe"), "{left:#}");
    let told = check(&home, &store.base(), &["--json"]).ended().orderly(0).json();
    assert_eq!((told["leftovers"].as_array().unwrap().len(), large(&store)), (left.as_array().unwrap().len(), tried));
}

#[test]
fn a_page_and_canned_responses_are_called_so() {
    let failed: &[&str] = &["create-media-type", "create-json-object", "delete-no-body"];
    let (home, store) = (Home::new(), OddStore::with(Oddity::HtmlEverywhere, TOKEN));
    let told = check(&home, &store.base(), &["--json"]).ended().orderly(1).json();
    assert_eq!(told["diagnosis"], "Every response is 200 text/html: this is not a Plant Store.");
    assert_eq!(with_verdict(&told, "fail"), failed.iter().copied().collect());
    let (home, store) = (Home::new(), OddStore::with(Oddity::Canned, TOKEN));
    let told = check(&home, &store.base(), &["--json"]).ended().orderly(1).json();
    let diagnosis = told["diagnosis"].as_str().unwrap();
    assert!(diagnosis.starts_with("Canned responses, the same whatever is sent: "), "{diagnosis}");
    assert_eq!(with_verdict(&told, "fail"), BTreeSet::from(["create-name-and-tag"]));
}

#[test]
fn a_trimmed_name_is_an_observation_of_its_own() {
    let told = validated(Oddity::TrimsNames, &[], &[], Left::Nothing);
    let row = told["undocumented"].as_array().unwrap().iter().find(|row| row["name"] == "name-spaced").unwrap();
    assert_eq!(row["value"], "accepted: 201 Created; its name came back trimmed");
}

#[test]
fn what_has_one_reason_is_said_in_five_lines() {
    for (oddity, words) in [
        (Oddity::HtmlEverywhere, "Every response is 200 text/html"),
        (Oddity::RefusesTheToken, "The token was rejected (401 Unauthorized)."),
        (Oddity::NotFoundEverywhere, "The base URL is wrong: POST "),
        (Oddity::FailsAlways, "Every response is 500 application/json"),
        (Oddity::SilentOnAll, "The store hangs: "),
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
    assert!(store.asked().len() <= 3, "{:#?}", store.asked());
}
