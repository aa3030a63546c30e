//! The options of `plants check`, and the formats of its report.

use serde_json::Value;

use super::assertions::{assert_considerate, assert_no_token, texts};
use super::odd::{OddStore, Oddity};
use super::xml::elements;
use super::{ROWS, RULE_COUNT, TOKEN, check, rules, with_verdict};
use crate::support::Home;
use crate::support::closed_port::ClosedPort;
use crate::support::extent::step;

/// A store, and the home of a user who checks it.
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

    /// Runs `plants check` with these arguments; returns its output.
    fn prints(&self, code: i32, words: &[&str]) -> String {
        let ended = check(&self.home, &self.store.base(), words).ended();
        assert_no_token(&ended);
        ended.orderly(code).stdout
    }

    fn report(&self, words: &[&str]) -> Value {
        let ended = check(&self.home, &self.store.base(), &[&["--json"], words].concat()).ended().orderly(0);
        assert_considerate(&self.store.requests());
        assert_eq!(self.store.left(), [], "{words:?}");
        ended.json()
    }

    /// Runs `plants` with these invalid arguments; asserts that nothing is sent, and returns the error.
    fn invalid(&self, words: &[&str]) -> String {
        let run = self.home.plants_at(&self.store.base(), words).env("PLANTS_TOKEN", TOKEN);
        let ended = run.stdin("y\n").ended().orderly(2);
        assert!(ended.stdout.is_empty() && self.store.requests().is_empty(), "{words:?}: {ended:?}");
        ended.stderr
    }
}

/// Replaces all numbers by `#`, because those of two runs differ.
fn without_numbers(text: &str) -> String {
    let mut rest = text.chars().peekable();
    let mut plain = String::new();
    while let Some(c) = rest.next() {
        plain.push(if c.is_ascii_digit() { '#' } else { c });
        while c.is_ascii_digit() && rest.next_if(char::is_ascii_digit).is_some() {}
    }
    plain
}

/// Returns the parts of the rows that are the same in all runs.
fn essence(report: &Value) -> Vec<String> {
    let all = [&report["rules"], &report["undocumented"]].into_iter().flat_map(|list| list.as_array().unwrap());
    let parts = |item: &Value| ["name", "section", "verdict", "value"].map(|key| item[key].to_string()).join(" ");
    all.map(|item| without_numbers(&parts(item))).collect()
}

#[test]
fn a_gentle_check_sends_only_what_the_document_shows() {
    let honest = Honest::new();
    let report = honest.report(&["--gentle"]);
    assert_eq!(texts(&report["rules"], "name"), rules().into_keys().collect());
    assert_eq!((with_verdict(&report, "pass").len(), &report["undocumented"]), (RULE_COUNT, &Value::Array(Vec::new())));
}

#[test]
fn each_undocumented_row_can_be_checked_alone() {
    for name in ROWS.into_iter().step_by(step(4)) {
        let report = Honest::new().report(&["--only", name]);
        assert_eq!(report["rules"], Value::Array(Vec::new()), "{name}");
        assert_eq!(texts(&report["undocumented"], "name"), [name].into(), "{name}");
        assert!(!report["undocumented"][0]["value"].is_null(), "{name}");
    }
}

#[test]
fn each_rule_can_be_checked_alone() {
    for name in rules().into_keys().step_by(step(4)) {
        let report = Honest::new().report(&["--only", name]);
        assert_eq!(
            (with_verdict(&report, "pass"), &report["undocumented"]),
            ([name].into(), &Value::Array(Vec::new()))
        );
    }
}

#[test]
fn several_rows_can_be_checked_together() {
    let report = Honest::new().report(&["--only", "delete-twice", "--only", "create-accepted", "--only", "unicode"]);
    assert_eq!(with_verdict(&report, "pass"), ["create-accepted"].into());
    assert_eq!(texts(&report["undocumented"], "name"), ["delete-twice", "unicode"].into());
}

#[test]
fn an_unknown_name_suggests_the_nearest() {
    let error = Honest::new().invalid(&["check", "--yes", "--only", "delete-twise"]);
    assert!(error.contains("delete-twice"), "{error}");
}

#[test]
fn a_check_without_consent_sends_nothing() {
    let honest = Honest::new();
    let error = honest.invalid(&["check"]);
    assert!(error.contains("--yes"), "{error}");
    let error = honest.invalid(&["check", "--yes", "--read-only"]);
    assert!(error.contains("read-only") || error.contains("read only"), "{error}");
    for wrong in [&["--format", "xml"][..], &["--pace", "soon"], &["--json", "--format", "text"]] {
        honest.invalid(&[&["check", "--yes"], wrong].concat());
    }
}

#[test]
fn an_invalid_output_path_is_reported_before_anything_is_sent() {
    let honest = Honest::new();
    let error = honest.invalid(&["check", "--yes", "--output", "nowhere/result.json"]);
    assert!(error.contains("nowhere"), "{error}");
    assert!(!honest.home.path().join("nowhere").exists());
    let error = honest.invalid(&["check", "--yes", "--output", "result.html"]);
    assert!(error.contains("use the extension .md, .json, .xml (JUnit) or .txt, or name a --format"), "{error}");
    assert!(!honest.home.path().join("result.html").exists());
}

#[test]
fn a_report_replaces_a_report_and_any_other_file_with_force_only() {
    let (honest, gone) = (Honest::new(), ClosedPort::new());
    let precious = honest.home.write("result", "precious");
    let output = ["check", "--yes", "--output", "result"];
    for format in ["text", "json", "junit", "markdown"] {
        std::fs::write(&precious, "precious").unwrap();
        let error = honest.invalid(&[&output[..], &["--format", format]].concat());
        assert!(
            error.contains("result") && error.contains("--force") && error.contains("Nothing was sent."),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious");
        // What nothing listens at has a short report, and that one is replaced, too.
        let check_gone = |more: &[&str], code| {
            check(&honest.home, &gone.base(), &[&["--output", "result", "--format", format], more].concat())
                .ended()
                .orderly(code);
        };
        check_gone(&["--force"], 3);
        let short = std::fs::read_to_string(&precious).unwrap();
        assert!(short.replace('\\', "").contains(&gone.base()), "{short}");
        check_gone(&[], 3);
    }
    for (format, next) in [("text", "json"), ("json", "junit"), ("junit", "markdown"), ("markdown", "text")] {
        for format in [format, next] {
            honest.prints(0, &["--output", "result", "--only", "create-accepted", "--format", format]);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_hyphen_as_output_is_stdout_and_a_pipe_is_written_to() {
    let honest = Honest::new();
    let text = honest.prints(0, &["--only", "create-accepted", "--output", "-", "--json"]);
    assert!(text.starts_with("{\"store\":"), "{text}");
    for (format, begins) in
        [("text", "A Plant Store"), ("json", "{"), ("junit", "<?xml"), ("markdown", "**A Plant Store")]
    {
        let words = ["--only", "create-accepted", "--output", "-", "--format", format];
        let ended = check(&honest.home, &honest.store.base(), &words).ended().orderly(0);
        assert!(ended.stdout.starts_with(begins), "{format}: {ended:?}");
        // The text report begins with what people are told of the others.
        assert_eq!(ended.stderr.contains("A Plant Store"), format != "text", "{format}: {ended:?}");
    }
    assert!(!honest.home.path().join("-").exists());
    honest.prints(0, &["--only", "create-accepted", "--output", "/dev/null"]);
    let text = honest.prints(0, &["--only", "create-accepted", "--json", "--output", "/dev/stdout"]);
    assert!(text.starts_with("{\"store\":"), "{text}");
}

/// A pipe without a reader would hold the program for ever.
#[cfg(unix)]
#[test]
fn a_check_that_waits_for_the_reader_of_a_pipe_can_be_interrupted() {
    let honest = Honest::new();
    let pipe = honest.home.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let words = ["--only", "create-accepted", "--output", "pipe"];
    let child = check(&honest.home, &honest.store.base(), &words).begun();
    let pid = rustix::process::Pid::from_child(&child);
    // The journal keeps the run before the report is written.
    let runs = || {
        let journal = rusqlite::Connection::open(honest.home.data().join("journal.db")).ok()?;
        journal.query_row("SELECT count(*) FROM check_run", [], |found| found.get::<_, i64>(0)).ok()
    };
    while runs() != Some(1) {}
    // The first one may still interrupt the check.
    let interrupts = std::thread::Builder::new().name("interrupts plants".to_owned()).spawn(move || {
        while rustix::process::kill_process(pid, rustix::process::Signal::INT).is_ok() {
            std::thread::yield_now();
        }
    });
    let interrupts = interrupts.unwrap();
    let ended = crate::support::end_of(child).orderly(130);
    interrupts.join().unwrap();
    assert!(ended.stderr.contains("interrupted: pipe was not written"), "{ended:?}");

    let run = check(&honest.home, &honest.store.base(), &words).begun();
    let report = std::fs::read_to_string(&pipe).unwrap();
    crate::support::end_of(run).orderly(0);
    assert!(report.contains("A Plant Store"), "{report}");
}

#[test]
fn an_output_file_has_the_same_report() {
    for format in ["text", "json", "junit", "markdown"].into_iter().step_by(step(2)) {
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
fn a_report_in_a_file_is_named_with_the_rules_that_fail() {
    let odd = Honest::but_for(Oddity::IgnoresTheToken);
    let words = ["--only", "create-wrong-token", "--output", "report.md"];
    let errors =
        |more: &[&str]| check(&odd.home, &odd.store.base(), &[&words[..], more].concat()).ended().orderly(1).stderr;
    let said = errors(&[]);
    assert!(said.contains("Wrote the report to report.md (markdown).\n"), "{said}");
    assert!(said.contains("\nFailed rules: create-wrong-token.\n"), "{said}");
    assert_eq!(errors(&["--quiet"]), "");
}

#[test]
fn junit_has_a_case_for_each_rule_with_its_result() {
    for (oddity, code, failed, inconclusive) in
        [(Oddity::None, 0, 0, 0), (Oddity::IgnoresTheToken, 1, 6, 0), (Oddity::LosesDeletes, 1, 1, 7)]
    {
        let document = elements(&Honest::but_for(oddity).prints(code, &["--format", "junit"]));
        let named = |name: &str| document.iter().filter(|element| element.name == name).collect::<Vec<_>>();
        let cases: Vec<_> = named("testcase").iter().map(|case| case.attributes["name"].as_str()).collect();
        assert_eq!(cases.len(), RULE_COUNT, "{oddity:?}: {cases:?}");
        for name in rules().into_keys() {
            assert!(cases.iter().any(|case| case.contains(name)), "{oddity:?}: {name} is not in {cases:?}");
        }
        let inconclusive_cases = [named("error"), named("skipped")].concat();
        assert_eq!((named("failure").len(), inconclusive_cases.len()), (failed, inconclusive), "{oddity:?}");
        for element in [named("failure"), inconclusive_cases].concat() {
            assert_eq!(element.around.last().unwrap(), "testcase", "{oddity:?}");
        }
    }
}

#[test]
fn markdown_has_every_undocumented_row() {
    for oddity in [Oddity::None, Oddity::IgnoresTheToken, Oddity::Upserts].into_iter().skip(step(2) - 1) {
        let report = check(&Home::new(), &OddStore::with(oddity, TOKEN).base(), &["--json"]).ended().json();
        let code = i32::from(oddity == Oddity::IgnoresTheToken);
        let filled_in = Honest::but_for(oddity).prints(code, &["--format", "markdown"]);
        let lines: Vec<_> = filled_in.lines().map(|line| without_numbers(&line.replace('\\', ""))).collect();
        for row in report["undocumented"].as_array().unwrap() {
            let value = row["value"].as_str().map_or_else(|| row["value"].to_string(), str::to_owned);
            let value = without_numbers(&value);
            assert!(lines.iter().any(|line| line.contains(&value)), "{oddity:?}: no line has {row}:\n{filled_in}");
        }
    }
}
