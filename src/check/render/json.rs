//! A report as one JSON value on one line. Scripts rely on its form. Rows that a run did not check are absent.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::check::diagnosis::FindingKind;
use crate::check::evidence::Latency;
use crate::check::{CleanUp, Leftover, Report, RowResult, Verdict};
use crate::text::json_text;
use crate::text::number_format::in_millis;

#[derive(Debug, Serialize)]
struct JsonReport<'a> {
    store: &'a str,
    program: &'a str,
    /// RFC 3339 in UTC; `None` for a time outside the calendar.
    started: Option<String>,
    diagnosis: String,
    /// Stays the same in all releases.
    kind: FindingKind,
    /// What to do next, where there is no verdict.
    advice: Option<&'static str>,
    requests: usize,
    /// `None` without a response.
    latency_ms: Option<BTreeMap<&'static str, f64>>,
    /// `None` without a response.
    without_response: Option<usize>,
    /// How many rules have each verdict.
    counts: BTreeMap<&'static str, usize>,
    rules: Vec<JsonRow<'a>>,
    undocumented: Vec<JsonRow<'a>>,
    leftovers: Vec<JsonLeftover<'a>>,
    /// Commands that delete leftovers; `clean_up` says whether one is safe.
    by_hand: Vec<String>,
}

/// A rule has a verdict, an undocumented row a value.
#[derive(Debug, Serialize)]
struct JsonRow<'a> {
    name: &'a str,
    /// `None` for a name of another release.
    section: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
    evidence: &'a str,
}

fn json_row(row: &RowResult) -> JsonRow<'_> {
    let RowResult { name, verdict, value, evidence, .. } = row;
    let value = verdict.is_none().then_some(value.as_str());
    JsonRow { name, section: row.section(), verdict: *verdict, value, evidence }
}

#[derive(Debug, Serialize)]
struct JsonLeftover<'a> {
    /// As the create sent it: a string if that is no id of the document, `None` without one.
    id: Option<Value>,
    name: &'a str,
    why: &'a str,
    clean_up: CleanUp,
}

fn json_leftover(left: &Leftover) -> JsonLeftover<'_> {
    let Leftover { id, sent_id, name, why, clean_up } = left;
    let id = sent_id.as_ref().map_or(Some(json!(id)), |sent| (!sent.is_empty()).then(|| json!(sent)));
    JsonLeftover { id, name, why, clean_up: *clean_up }
}

/// Renders a report as JSON without control characters.
pub(super) fn render(report: &Report) -> String {
    let times = |of: Latency| [("median", in_millis(of.median)), ("slowest", in_millis(of.slowest))].into();
    let report = JsonReport {
        store: &report.store,
        program: &report.program,
        started: report.started.in_utc(),
        diagnosis: report.diagnosis.to_string(),
        kind: report.diagnosis.kind(),
        advice: report.diagnosis.advice(),
        requests: report.requests,
        latency_ms: report.latency.map(times),
        without_response: report.latency.map(|of| of.without_response),
        counts: Verdict::ALL.map(|verdict| (verdict.word(), report.count(verdict))).into(),
        rules: report.rules.iter().map(json_row).collect(),
        undocumented: report.undocumented.iter().map(json_row).collect(),
        leftovers: report.leftovers.iter().map(json_leftover).collect(),
        by_hand: report.delete_by_hand().map(|[_, command]| command).collect(),
    };
    // JSON can represent every string, integer and list.
    let text = json_text(&report).unwrap_or_default();
    format!("{text}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Wanted;
    use crate::check::tests::{crooked, honest, hostile, saying};
    use crate::domain::Timestamp;
    use crate::text::clean;
    use proptest::prelude::*;

    fn value(report: &Report) -> Value {
        serde_json::from_str(&render(report)).unwrap()
    }

    #[test]
    fn a_report_has_the_documented_form() {
        let only = ["create-media-type", "create-name-and-tag", "id-in-response", "delete-single-plant"];
        let report = crooked(Wanted { gentle: false, only: only.map(str::to_owned).to_vec() });
        insta::assert_snapshot!(render(&report).replace("},", "},\n").replace(":[", ":[\n"), @r#"
        {"store":"http://plants.example","program":"plants 0.1.0","started":"2023-11-14T22:13:20.000Z","diagnosis":"Differs from the document: 1 of 3 rules fails, 1 inconclusive.","kind":"fails","advice":null,"requests":18,"latency_ms":{"median":0.0,"slowest":0.0},
        "without_response":0,"counts":{"fail":1,"inconclusive":1,"pass":1},
        "rules":[
        {"name":"create-media-type","section":"2","verdict":"pass","evidence":"content-type: application/json; charset=utf-8"},
        {"name":"create-name-and-tag","section":"4.1","verdict":"fail","evidence":"the response has no name, the response has no tag: POST /plants {\"name\":\"Plants Check 1 lhkrzf\",\"id\":7818030250000000000,\"tag\":\"Plants-Check\"}: 201 {\"status\":\"planted\"}"},
        {"name":"delete-single-plant","section":"4.2","verdict":"inconclusive","evidence":"no response decides the rule: DELETE /plants/7776087210000000000: 500 <h1>Oops</h1>"}],"undocumented":[
        {"name":"id-in-response","section":"4.1","value":"no","evidence":"POST /plants {\"name\":\"Plants Check 1 lhkrzf\",\"id\":7818030250000000000,\"tag\":\"Plants-Check\"}: 201 {\"status\":\"planted\"}"}],"leftovers":[
        {"id":7776087210000000000,"name":"Plants Check 1 lhkrzf","why":"DELETE /plants/7776087210000000000: 500 <h1>Oops</h1>","clean_up":"failed"}],"by_hand":[
        "plants delete --base-url 'http://plants.example' 7776087210000000000"]}
        "#);
    }

    #[test]
    fn unchecked_rows_are_absent_and_rows_of_another_release_have_no_section() {
        let mut report = honest(Wanted { gentle: true, only: Vec::new() });
        report.rules[0].name = "create-polite".to_owned();
        report.started = Timestamp(i64::MAX);
        let value = value(&report);
        assert_eq!((value["rules"].as_array().unwrap().len(), &value["undocumented"]), (15, &Value::Array(Vec::new())));
        assert_eq!((&value["rules"][0]["section"], &value["started"]), (&Value::Null, &Value::Null));
    }

    proptest! {
        #[test]
        fn foreign_text_is_complete_and_has_no_control_characters(foreign in hostile()) {
            let report = saying(&foreign);
            let text = render(&report);
            let printable = |c: char| !c.is_control() && !('\u{202a}'..='\u{202e}').contains(&c);
            prop_assert!(text.trim_end_matches('\n').chars().all(printable), "{}", clean(&text));
            let value = value(&report);
            prop_assert_eq!(value["leftovers"][1]["why"].as_str(), Some(foreign.as_str()));
        }
    }
}
