//! A report for programs: one JSON value on one line, in a form that scripts rely on.
//!
//! Rows that a run did not look at are not in it.

use serde::Serialize;

use super::report::{Judged, LeftBehind, Observed, Report, Verdict};
use crate::domain::PlantId;
use crate::domain::text::json_text;

/// A report as it is printed; `started` is RFC 3339 in UTC, or null for a time that no calendar
/// has.
#[derive(Debug, Serialize)]
struct Told<'a> {
    store: &'a str,
    started: Option<String>,
    clauses: Vec<ToldClause<'a>>,
    observed: Vec<ToldSilent<'a>>,
    left_behind: Vec<ToldPlant<'a>>,
    /// Null for a run that came to its end.
    ended_early: Option<&'a str>,
}

/// The section is null for a name of another release.
#[derive(Debug, Serialize)]
struct ToldClause<'a> {
    name: &'a str,
    section: Option<&'static str>,
    verdict: Verdict,
    evidence: &'a str,
}

/// Likewise.
#[derive(Debug, Serialize)]
struct ToldSilent<'a> {
    name: &'a str,
    section: Option<&'static str>,
    value: &'a str,
    evidence: &'a str,
}

#[derive(Debug, Serialize)]
struct ToldPlant<'a> {
    id: PlantId,
    name: &'a str,
    why: &'a str,
}

impl<'a> From<&'a Report> for Told<'a> {
    fn from(report: &'a Report) -> Self {
        Self {
            store: &report.store,
            started: report.started.in_utc(),
            clauses: report.clauses.iter().map(ToldClause::from).collect(),
            observed: report.observed.iter().map(ToldSilent::from).collect(),
            left_behind: report.left_behind.iter().map(ToldPlant::from).collect(),
            ended_early: report.cut_short.as_deref(),
        }
    }
}

impl<'a> From<&'a Judged> for ToldClause<'a> {
    fn from(clause: &'a Judged) -> Self {
        let Judged { name, verdict, evidence, .. } = clause;
        Self { name, section: clause.section(), verdict: *verdict, evidence }
    }
}

impl<'a> From<&'a Observed> for ToldSilent<'a> {
    fn from(observed: &'a Observed) -> Self {
        let Observed { name, value, evidence, .. } = observed;
        Self { name, section: observed.section(), value, evidence }
    }
}

impl<'a> From<&'a LeftBehind> for ToldPlant<'a> {
    fn from(left: &'a LeftBehind) -> Self {
        let LeftBehind { id, name, why } = left;
        Self { id: *id, name, why }
    }
}

/// A report as JSON that no terminal obeys.
pub(super) fn told(report: &Report) -> String {
    // Strings, integers and lists of them: there is nothing that JSON does not have.
    let text = json_text(&Told::from(report)).unwrap_or_default();
    format!("{text}\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::super::Wanted;
    use super::super::tests::{crooked, honest, hostile, saying};
    use super::*;
    use crate::domain::Timestamp;
    use crate::domain::text::clean;

    fn value(report: &Report) -> Value {
        serde_json::from_str(&told(report)).unwrap()
    }

    #[test]
    fn a_report_has_the_form_that_programs_know() {
        let only = ["create-media-type", "create-name-and-tag", "id-in-answer", "delete-single-plant"];
        let report = crooked(Wanted { gentle: false, only: only.map(str::to_owned).to_vec() });
        insta::assert_snapshot!(told(&report).replace("},", "},\n").replace(":[", ":[\n"), @r#"
        {"store":"http://plants.example","started":"2023-11-14T22:13:20.000Z","clauses":[
        {"name":"create-media-type","section":"2","verdict":"kept","evidence":"content-type: application/json; charset=utf-8"},
        {"name":"create-name-and-tag","section":"4.1","verdict":"broken","evidence":"the response has no name, the response has no tag: POST /plants {\"name\":\"Plants Check lhkrzf 1\",\"id\":1908381417,\"tag\":\"Plants-Check\"}: 201 {\"status\":\"planted\"}"},
        {"name":"delete-single-plant","section":"4.2","verdict":"could_not_tell","evidence":"no answer settles it: DELETE /plants/1908381418: 500 <h1>Oops</h1>"}],"observed":[
        {"name":"id-in-answer","section":"4.1","value":"no","evidence":"POST /plants {\"name\":\"Plants Check lhkrzf 1\",\"id\":1908381417,\"tag\":\"Plants-Check\"}: 201 {\"status\":\"planted\"}"}],"left_behind":[
        {"id":1908381418,"name":"Plants Check lhkrzf 1","why":"DELETE /plants/1908381418: 500 <h1>Oops</h1>"}],"ended_early":null}
        "#);
    }

    #[test]
    fn rows_that_were_not_looked_at_are_absent_and_those_of_another_release_have_no_section() {
        let mut report = honest(Wanted { gentle: true, only: Vec::new() });
        report.clauses[0].name = "create-polite".to_owned();
        report.started = Timestamp(i64::MAX);
        let value = value(&report);
        assert_eq!((value["clauses"].as_array().unwrap().len(), &value["observed"]), (14, &Value::Array(Vec::new())));
        assert_eq!((&value["clauses"][0]["section"], &value["started"]), (&Value::Null, &Value::Null));
    }

    proptest! {
        #[test]
        fn foreign_text_is_harmless_and_whole(foreign in hostile()) {
            let report = saying(&foreign);
            let text = told(&report);
            let printable = |c: char| !c.is_control() && !('\u{202a}'..='\u{202e}').contains(&c);
            prop_assert!(text.trim_end_matches('\n').chars().all(printable), "{}", clean(&text));
            let value = value(&report);
            prop_assert_eq!(value["left_behind"][1]["why"].as_str(), Some(foreign.as_str()));
        }
    }
}
