//! What can be asked of `plants check` on the command line, and the shapes of its result.

use serde_json::Value;

use super::odd::{OddStore, Oddity};
use super::promises::{is_mannered, keeps_the_secret, texts};
use super::xml::elements;
use super::{ROWS, RULE_COUNT, TOKEN, check, rules, with_verdict};
use crate::support::Home;

/// An honest store, and somebody who checks it.
struct Honest {
    home: Home,
    store: OddStore,
}

impl Honest {
    fn new() -> Self {
        Self::but_for(Oddity::None)
    }

    fn but_for(oddity: Oddity) -> Self {
        Self { home: Home::new(), store: OddStore::with(oddity, TOKEN) }
    }

    /// What `plants check` prints with these words.
    fn prints(&self, code: i32, words: &[&str]) -> String {
        let ended = check(&self.home, &self.store.base(), words).ended();
        keeps_the_secret(&ended);
        ended.orderly(code).stdout
    }

    fn tells(&self, words: &[&str]) -> Value {
        let ended = check(&self.home, &self.store.base(), &[&["--json"], words].concat()).ended().orderly(0);
        is_mannered(&self.store.asked());
        assert_eq!(self.store.left(), [], "{words:?}");
        ended.json()
    }

    /// Runs `plants` with exactly these words, which are wrong: nothing may be sent.
    fn is_refused(&self, words: &[&str]) -> String {
        let run = self.home.plants_at(&self.store.base(), words).env("PLANTS_TOKEN", TOKEN);
        let ended = run.stdin("y\n").ended().orderly(2);
        assert!(ended.stdout.is_empty() && self.store.asked().is_empty(), "{words:?}: {ended:?}");
        ended.stderr
    }
}

/// A text in which numbers are all alike: those of two runs differ.
fn without_numbers(text: &str) -> String {
    let mut rest = text.chars().peekable();
    let mut plain = String::new();
    while let Some(c) = rest.next() {
        plain.push(if c.is_ascii_digit() { '#' } else { c });
        while c.is_ascii_digit() && rest.next_if(char::is_ascii_digit).is_some() {}
    }
    plain
}

/// What a row or a rule says, where two runs of the check should agree.
fn essence(told: &Value) -> Vec<String> {
    let all = [&told["rules"], &told["undocumented"]].into_iter().flat_map(|list| list.as_array().unwrap());
    let parts = |item: &Value| ["name", "section", "verdict", "value"].map(|key| item[key].to_string()).join(" ");
    all.map(|item| without_numbers(&parts(item))).collect()
}

#[test]
fn a_gentle_check_asks_for_nothing_that_the_document_does_not_show() {
    let honest = Honest::new();
    let told = honest.tells(&["--gentle"]);
    assert_eq!(texts(&told["rules"], "name"), rules().into_keys().collect());
    assert_eq!((with_verdict(&told, "pass").len(), &told["undocumented"]), (RULE_COUNT, &Value::Array(Vec::new())));
}

#[test]
fn one_row_can_be_had_alone() {
    for name in ROWS {
        let told = Honest::new().tells(&["--only", name]);
        assert_eq!(told["rules"], Value::Array(Vec::new()), "{name}");
        assert_eq!(texts(&told["undocumented"], "name"), [name].into(), "{name}");
        assert!(!told["undocumented"][0]["value"].is_null(), "{name}");
    }
}

#[test]
fn one_clause_can_be_had_alone() {
    for name in rules().into_keys() {
        let told = Honest::new().tells(&["--only", name]);
        assert_eq!((with_verdict(&told, "pass"), &told["undocumented"]), ([name].into(), &Value::Array(Vec::new())));
    }
}

#[test]
fn some_can_be_had_together() {
    let told = Honest::new().tells(&["--only", "delete-twice", "--only", "create-accepted", "--only", "unicode"]);
    assert_eq!(with_verdict(&told, "pass"), ["create-accepted"].into());
    assert_eq!(texts(&told["undocumented"], "name"), ["delete-twice", "unicode"].into());
}

#[test]
fn a_name_that_is_not_known_is_met_with_the_nearest() {
    let said = Honest::new().is_refused(&["check", "--yes", "--only", "delete-twise"]);
    assert!(said.contains("delete-twice"), "{said}");
}

#[test]
fn nobody_writes_to_a_store_unasked() {
    let honest = Honest::new();
    let said = honest.is_refused(&["check"]);
    assert!(said.contains("--yes"), "{said}");
    let said = honest.is_refused(&["check", "--yes", "--read-only"]);
    assert!(said.contains("read-only") || said.contains("read only"), "{said}");
    for wrong in [&["--format", "xml"][..], &["--pace", "soon"], &["--json", "--format", "text"]] {
        honest.is_refused(&[&["check", "--yes"], wrong].concat());
    }
}

#[test]
fn a_place_for_the_result_is_found_before_anything_is_sent() {
    let honest = Honest::new();
    let said = honest.is_refused(&["check", "--yes", "--output", "nowhere/result.json"]);
    assert!(said.contains("nowhere"), "{said}");
    assert!(!honest.home.path().join("nowhere").exists());
}

#[test]
fn a_file_gets_what_would_be_printed() {
    for format in ["text", "json", "junit", "markdown"] {
        let (honest, other) = (Honest::new(), Honest::new());
        let printed = honest.prints(0, &["--format", format]);
        let nothing = other.prints(0, &["--format", format, "--output", "result"]);
        let written = std::fs::read_to_string(other.home.path().join("result")).unwrap();
        assert_eq!(nothing, "", "{format}");
        assert!(written.ends_with('\n') && !written.contains(TOKEN), "{format}: {written}");
        if format == "json" {
            let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            assert_eq!(essence(&read(&written)), essence(&read(&printed)));
        } else {
            assert_eq!(written.lines().count(), printed.lines().count(), "{format}");
        }
    }
}

#[test]
fn junit_has_a_case_for_each_clause_and_says_how_it_ended() {
    for (oddity, code, failed, untold) in
        [(Oddity::None, 0, 0, 0), (Oddity::IgnoresTheToken, 1, 6, 0), (Oddity::Redirects, 1, 1, RULE_COUNT - 1)]
    {
        let report = elements(&Honest::but_for(oddity).prints(code, &["--format", "junit"]));
        let named = |name: &str| report.iter().filter(|element| element.name == name).collect::<Vec<_>>();
        let cases: Vec<_> = named("testcase").iter().map(|case| case.attributes["name"].as_str()).collect();
        assert_eq!(cases.len(), RULE_COUNT, "{oddity:?}: {cases:?}");
        for name in rules().into_keys() {
            assert!(cases.iter().any(|case| case.contains(name)), "{oddity:?}: {name} is not in {cases:?}");
        }
        let not_told = [named("error"), named("skipped")].concat();
        assert_eq!((named("failure").len(), not_told.len()), (failed, untold), "{oddity:?}");
        for element in [named("failure"), not_told].concat() {
            assert_eq!(element.around.last().unwrap(), "testcase", "{oddity:?}");
        }
    }
}

#[test]
fn the_markdown_has_every_blank_filled_in() {
    for oddity in [Oddity::None, Oddity::IgnoresTheToken, Oddity::Upserts] {
        let told = check(&Home::new(), &OddStore::with(oddity, TOKEN).base(), &["--json"]).ended().json();
        let code = i32::from(oddity == Oddity::IgnoresTheToken);
        let filled_in = Honest::but_for(oddity).prints(code, &["--format", "markdown"]);
        let lines: Vec<_> = filled_in.lines().map(|line| without_numbers(&line.replace('\\', ""))).collect();
        for row in told["undocumented"].as_array().unwrap() {
            let value = row["value"].as_str().map_or_else(|| row["value"].to_string(), str::to_owned);
            let value = without_numbers(&value);
            assert!(lines.iter().any(|line| line.contains(&value)), "{oddity:?}: no line has {row}:\n{filled_in}");
        }
    }
}
