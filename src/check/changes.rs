//! How much differs between two reports: an earlier run and a later one, or two stores.
//!
//! A rule counts by its verdict and an undocumented row by its value. What they rest on is never the
//! same twice, and does not count.

use std::collections::BTreeMap;

use super::report::Report;

/// Says it in a sentence for people: `nothing changed`, `2 of 49 rows changed`.
pub fn how_much_changed(before: &Report, after: &Report) -> String {
    let (before, after) = (rows(before), rows(after));
    let both: Vec<_> = before.iter().filter_map(|(row, value)| Some((value, after.get(row)?))).collect();
    let changed = both.iter().filter(|(before, after)| before != after).count();
    let in_one = before.len() + after.len() - 2 * both.len();
    let summary = match (changed, both.len()) {
        (0, 0) if in_one > 0 => return "no row was checked in both runs".to_owned(),
        (0, _) => "nothing changed".to_owned(),
        (changed, both) => format!("{changed} of {both} rows changed"),
    };
    match in_one {
        0 => summary,
        1 => format!("{summary}; 1 row was checked in one run alone"),
        rows => format!("{summary}; {rows} rows were checked in one run alone"),
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Row<'a> {
    Rule(&'a str),
    Undocumented(&'a str),
}

fn rows(report: &Report) -> BTreeMap<Row<'_>, &str> {
    let rules = report.rules.iter().map(|rule| (Row::Rule(&rule.name), rule.verdict.word()));
    let undocumented = report.undocumented.iter().map(|row| (Row::Undocumented(&row.name), row.value.as_str()));
    rules.chain(undocumented).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{crooked, honest};
    use super::super::{Observation, RuleResult, Verdict, Wanted};
    use super::*;

    fn gentle() -> Report {
        honest(Wanted { gentle: true, only: Vec::new() })
    }

    #[test]
    fn a_report_is_no_change_from_itself_whatever_it_rests_on() {
        let report = honest(Wanted::default());
        let mut later = report.clone();
        later.rules.iter_mut().for_each(|rule| rule.evidence.push('x'));
        later.undocumented.iter_mut().for_each(|observed| observed.exchanges.clear());
        assert_eq!(how_much_changed(&report, &later), "nothing changed");
    }

    #[test]
    fn verdicts_and_values_that_differ_are_changes() {
        let only = ["wrong-token", "create-accepted", "create-name-and-tag", "id-in-response", "delete-single-plant"];
        let wanted = Wanted { gentle: false, only: only.map(str::to_owned).to_vec() };
        assert_eq!(how_much_changed(&honest(wanted.clone()), &crooked(wanted)), "3 of 5 rows changed");
    }

    #[test]
    fn a_row_that_one_run_did_not_look_at_is_none_of_both() {
        let (whole, gentle) = (honest(Wanted::default()), gentle());
        assert_eq!(how_much_changed(&gentle, &whole), "nothing changed; 36 rows were checked in one run alone");
        let only = |name: &str| honest(Wanted { gentle: false, only: vec![name.to_owned()] });
        assert_eq!(how_much_changed(&only("id-zero"), &only("unicode")), "no row was checked in both runs");
    }

    #[test]
    fn names_of_another_release_count() {
        let (before, mut after) = (gentle(), gentle());
        let (verdict, evidence, exchanges) = (Verdict::Pass, String::new(), Vec::new());
        after.rules.insert(0, RuleResult { name: "old".into(), verdict, reason: None, evidence, exchanges });
        after.rules[1].verdict = Verdict::Fail;
        let (value, evidence, exchanges) = (String::new(), String::new(), Vec::new());
        after.undocumented.push(Observation { name: "older".into(), value, evidence, exchanges });
        let summary = "1 of 15 rows changed; 2 rows were checked in one run alone";
        assert_eq!(how_much_changed(&before, &after), summary);
    }
}
