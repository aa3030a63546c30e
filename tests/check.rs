//! The contract check as a person or a script runs it: which clauses it finds kept and broken at
//! stores with one oddity each, what it sends them, and what it leaves there.

#![expect(clippy::unwrap_used, reason = "a check that cannot be set up has failed")]

#[path = "support/odd.rs"]
mod odd;
#[path = "check/options.rs"]
mod options;
#[path = "check/promises.rs"]
mod promises;
#[path = "check/stores.rs"]
mod stores;
#[expect(dead_code, reason = "the other tests of the command line use the rest")]
mod support;
#[path = "check/weather.rs"]
mod weather;
#[path = "check/wire.rs"]
mod wire;
#[path = "check/xml.rs"]
mod xml;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use odd::{OddStore, Oddity};
use promises::{is_mannered, is_whole, keeps_the_secret};
use support::{Home, Run};

/// What nobody may ever read again.
const TOKEN: &str = "canary-5f1c";

/// The clauses about a create (`interface.md` §2, §4.1).
const CREATE: [&str; 4] = ["create-accepted", "create-media-type", "create-json-object", "create-name-and-tag"];
/// The clauses about a delete (`interface.md` §4.2).
const DELETE: [&str; 4] = ["delete-accepted", "delete-no-body", "delete-single-plant", "delete-exact-id"];
/// The clauses about who may create (`interface.md` §5).
const WHO_CREATES: [&str; 3] = ["create-without-token", "create-wrong-token", "create-other-scheme"];
/// The clauses about who may delete (`interface.md` §5).
const WHO_DELETES: [&str; 3] = ["delete-without-token", "delete-wrong-token", "delete-other-scheme"];

/// Where the document does not say what a store does.
const ROWS: [&str; 35] = [
    "create-status",
    "delete-status",
    "id-in-answer",
    "answer-fields",
    "name-missing",
    "id-missing",
    "tag-missing",
    "name-not-a-string",
    "tag-not-a-string",
    "name-empty",
    "tag-empty",
    "name-very-long",
    "tag-very-long",
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

/// Every clause with its section of `interface.md`.
fn clauses() -> BTreeMap<&'static str, &'static str> {
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

/// The clauses with this verdict.
fn with_verdict<'told>(told: &'told Value, verdict: &str) -> BTreeSet<&'told str> {
    let of_it = told["clauses"].as_array().unwrap().iter().filter(|clause| clause["verdict"] == verdict);
    of_it.map(|clause| clause["name"].as_str().unwrap()).collect()
}

/// Whether the list of what could not be cleaned up has this id.
fn lists(left_behind: &Value, id: i64) -> bool {
    left_behind.as_array().unwrap().iter().any(|plant| plant["id"] == id)
}

/// What is to be found at a store after the check.
#[derive(Debug, Clone, Copy)]
enum Left {
    /// Nothing, and the check says so.
    Nothing,
    /// Nothing; the check cannot know that of everything.
    NothingForSure,
    /// Nothing; the check cannot know, and says so.
    Doubts,
    /// What the check could not delete, and lists.
    Listed,
}

/// Checks a store with one oddity: which clauses are broken, of which it cannot be told, and
/// what is left. The other clauses are kept.
fn judged(oddity: Oddity, broken: &[&[&'static str]], untold: &[&[&'static str]], left: Left) {
    judged_with(&[], oddity, broken, untold, left);
}

fn judged_with(words: &[&str], oddity: Oddity, broken: &[&[&'static str]], untold: &[&[&'static str]], left: Left) {
    let (home, store) = (Home::new(), OddStore::with(oddity, TOKEN));
    let ended = check(&home, &store.base(), &[&["--json"], words].concat()).ended();
    is_mannered(&store.asked());
    keeps_the_secret(&ended);
    let code = match (broken, untold) {
        ([], []) => 0,
        ([], _) => 4,
        _ => 1,
    };
    let told = ended.orderly(code).json();
    is_whole(&told);
    let named = |names: &[&[&'static str]]| names.concat().into_iter().collect::<BTreeSet<_>>();
    let verdicts = (with_verdict(&told, "broken"), with_verdict(&told, "could_not_tell"));
    assert_eq!(verdicts, (named(broken), named(untold)), "broken, and not told: {told:#}");
    cleaned_up(&store, &told["left_behind"], left);
}

fn cleaned_up(store: &OddStore, left_behind: &Value, expected: Left) {
    let left = store.left();
    let says_nothing = left_behind.as_array().unwrap().is_empty();
    let as_expected = match expected {
        Left::Nothing => left.is_empty() && says_nothing,
        Left::NothingForSure => left.is_empty(),
        Left::Doubts => left.is_empty() && !says_nothing,
        Left::Listed => !left.is_empty() && left.iter().all(|plant| lists(left_behind, plant.id)),
    };
    assert!(as_expected, "{expected:?} should be left; it is {left:#?}, and listed is {left_behind:#}");
}

#[test]
fn an_honest_store_keeps_everything() {
    judged(Oddity::None, &[], &[], Left::Nothing);
}

#[test]
fn who_agrees_to_everything_proves_little() {
    // A yes to the delete of a plant that is not there makes every other yes worthless.
    let worthless: &[&str] = &["delete-single-plant", "delete-exact-id"];
    let oddity = Oddity::AnswersYesToEverything;
    judged(oddity, &[&WHO_CREATES, &WHO_DELETES], &[worthless], Left::NothingForSure);
}

#[test]
fn a_store_that_takes_any_token_breaks_all_that_is_said_of_it() {
    judged(Oddity::IgnoresTheToken, &[&WHO_CREATES, &WHO_DELETES], &[], Left::Nothing);
}

#[test]
fn a_store_that_takes_any_scheme_breaks_that_alone() {
    judged(Oddity::AcceptsAnyScheme, &[&["create-other-scheme", "delete-other-scheme"]], &[], Left::Nothing);
}

#[test]
fn an_answer_about_another_plant_is_broken_in_one_clause() {
    for oddity in [Oddity::SwapsNameAndTag, Oddity::LowerCasesNames, Oddity::Envelope] {
        judged(oddity, &[&["create-name-and-tag"]], &[], Left::Nothing);
    }
}

#[test]
fn an_array_is_no_object_and_what_it_would_have_is_not_looked_for() {
    judged(Oddity::AnswersAnArray, &[&["create-json-object"]], &[&["create-name-and-tag"]], Left::Nothing);
}

#[test]
fn another_media_type_is_broken_whatever_the_body_is() {
    judged(Oddity::AnswersHtml, &[&["create-media-type"]], &[], Left::Nothing);
}

#[test]
fn a_body_that_breaks_off_tells_nothing_and_its_head_does() {
    judged(Oddity::ClosesMidAnswer, &[], &[&["create-json-object", "create-name-and-tag"]], Left::Nothing);
}

#[test]
fn creates_that_are_never_answered_leave_everything_open_and_nothing_behind() {
    // The plants are there, nobody knows, and they are deleted all the same.
    let all: &[&[&str]] = &[&CREATE, &DELETE, &WHO_CREATES, &WHO_DELETES];
    judged(Oddity::LosesEveryAnswerToACreate, &[], all, Left::NothingForSure);
}

#[test]
fn a_redirect_is_a_refusal_and_no_word_about_the_token() {
    let dependent: &[&str] = &["create-media-type", "create-json-object", "create-name-and-tag"];
    let untold: &[&[&str]] = &[dependent, &DELETE, &WHO_CREATES, &WHO_DELETES];
    judged(Oddity::Redirects, &[&["create-accepted"]], untold, Left::Nothing);
}

#[test]
fn an_id_that_goes_through_a_double_is_not_exact() {
    judged(Oddity::RoundsIds, &[&["delete-exact-id"]], &[], Left::Nothing);
}

#[test]
fn ids_of_the_stores_own_are_not_those_that_were_sent() {
    let untold: &[&str] = &["delete-no-body", "delete-single-plant", "delete-exact-id"];
    judged(Oddity::OwnIds, &[&["delete-accepted"]], &[untold], Left::Nothing);
}

#[test]
fn what_a_second_create_does_is_for_the_store_to_say() {
    let (home, store) = (Home::new(), OddStore::with(Oddity::Upserts, TOKEN));
    let told = check(&home, &store.base(), &["--json"]).ended().orderly(0).json();
    // A large id could be read as another, and take the place of somebody's plant.
    assert_eq!(with_verdict(&told, "could_not_tell"), BTreeSet::from(["delete-exact-id"]));
    assert_eq!(with_verdict(&told, "broken"), BTreeSet::new());
    cleaned_up(&store, &told["left_behind"], Left::Nothing);
}

#[test]
fn a_delete_with_a_body_breaks_that_alone() {
    judged(Oddity::BodyOnDelete, &[&["delete-no-body"]], &[], Left::Nothing);
}

#[test]
fn deletes_that_are_never_answered_leave_plants_behind_that_are_listed() {
    judged_with(&["--timeout", "300ms"], Oddity::HangsOnDelete, &[], &[&DELETE], Left::Listed);
}

#[test]
fn deletes_that_are_refused_leave_plants_behind_that_are_listed() {
    let untold: &[&str] = &["delete-no-body", "delete-single-plant", "delete-exact-id"];
    judged(Oddity::LosesDeletes, &[&["delete-accepted"]], &[untold, &WHO_DELETES], Left::Listed);
}

#[test]
fn a_delete_that_takes_a_namesake_along_is_not_of_a_single_plant() {
    // That the namesake is gone is not said by any yes.
    judged(Oddity::DeletesAll, &[&["delete-single-plant"]], &[], Left::Doubts);
}

#[test]
fn who_asks_for_patience_gets_it_and_is_found_honest() {
    judged(Oddity::AsksForPatience, &[], &[], Left::Nothing);
}

#[test]
fn a_refused_token_may_be_the_wrong_one() {
    // Then that another token is refused as well is no finding.
    judged(Oddity::RefusesTheToken, &[], &[&CREATE, &DELETE, &WHO_CREATES, &WHO_DELETES], Left::Nothing);
}

#[test]
fn a_store_that_fails_settles_nothing() {
    let all: &[&[&str]] = &[&CREATE, &DELETE, &WHO_CREATES, &WHO_DELETES];
    judged(Oddity::FailsAlways, &[], all, Left::Doubts);
}

#[test]
fn where_there_is_no_store_no_create_is_accepted_and_nothing_else_is_known() {
    let dependent: &[&str] = &["create-media-type", "create-json-object", "create-name-and-tag"];
    let untold: &[&[&str]] = &[dependent, &DELETE, &WHO_CREATES, &WHO_DELETES];
    judged(Oddity::NotFoundEverywhere, &[&["create-accepted"]], untold, Left::Nothing);
}

#[test]
fn silence_settles_nothing() {
    let all: &[&[&str]] = &[&CREATE, &DELETE, &WHO_CREATES, &WHO_DELETES];
    judged_with(&["--timeout", "300ms"], Oddity::SilentOnAll, &[], all, Left::Doubts);
}

#[test]
fn a_token_that_a_store_shows_is_shown_to_nobody() {
    judged(Oddity::EchoesTheToken, &[], &[], Left::Nothing);
    for format in ["text", "junit", "markdown"] {
        let (home, store) = (Home::new(), OddStore::with(Oddity::EchoesTheToken, TOKEN));
        let ended = check(&home, &store.base(), &["--format", format]).ended().orderly(0);
        keeps_the_secret(&ended);
    }
}

#[test]
fn a_store_that_is_not_there_is_not_judged() {
    let home = Home::new();
    // Bound and never listening: refused for as long as this test holds it.
    let taken = tokio::net::TcpSocket::new_v4().unwrap();
    taken.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let base = format!("http://{}", taken.local_addr().unwrap());
    let told = check(&home, &base, &["--json"]).ended().orderly(3).json();
    is_whole(&told);
    assert_eq!(with_verdict(&told, "could_not_tell"), clauses().into_keys().collect());
    assert_eq!((&told["left_behind"], home.listed(&base)), (&Value::Array(Vec::new()), "[]\n".to_owned()));
}
