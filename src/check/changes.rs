//! Compares two reports: an earlier run and a later one, or two stores.
//!
//! Compares rules by verdict and undocumented rows by value. Ignores evidence, which contains random ids.

use std::collections::BTreeMap;

use super::report::Report;
use crate::text::number_format::counted;

/// Returns `nothing differs`, or `2 of 49 rows differ`.
pub fn how_much_changed(before: &Report, after: &Report) -> String {
    let (before, after) = (rows(before), rows(after));
    let both: Vec<_> = before.iter().filter_map(|(row, value)| Some((value, after.get(row)?))).collect();
    let changed = both.iter().filter(|(before, after)| before != after).count();
    let in_one = before.len() + after.len() - 2 * both.len();
    let summary = match (changed, both.len()) {
        (0, 0) if in_one > 0 => return "no row was checked in both runs".to_owned(),
        (0, _) => "nothing differs".to_owned(),
        (changed, both) => format!("{changed} of {both} rows {}", if changed == 1 { "differs" } else { "differ" }),
    };
    if in_one == 0 {
        return summary;
    }
    format!("{summary}; {} checked in only one run", counted(in_one as u64, "row was", "rows were"))
}

/// Returns the compared value of each row, by its name.
fn rows(report: &Report) -> BTreeMap<&str, &str> {
    report.rows().map(|row| (row.name.as_str(), row.words())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{crooked, honest};
    use super::super::{RowResult, Verdict, Wanted};
    use super::*;

    fn gentle() -> Report {
        honest(Wanted { gentle: true, only: Vec::new() })
    }

    #[test]
    fn evidence_and_exchanges_are_not_compared() {
        let report = honest(Wanted::default());
        let mut later = report.clone();
        later.rules.iter_mut().for_each(|rule| rule.evidence.push('x'));
        later.undocumented.iter_mut().for_each(|observed| observed.exchanges.clear());
        assert_eq!(how_much_changed(&report, &later), "nothing differs");
    }

    #[test]
    fn different_verdicts_and_values_count_as_changes() {
        let only = ["wrong-token", "create-accepted", "create-name-and-tag", "id-in-response", "delete-single-plant"];
        let wanted = Wanted { gentle: false, only: only.map(str::to_owned).to_vec() };
        assert_eq!(how_much_changed(&honest(wanted.clone()), &crooked(wanted)), "3 of 5 rows differ");
    }

    #[test]
    fn rows_of_only_one_run_are_counted_apart() {
        let (whole, gentle) = (honest(Wanted::default()), gentle());
        let mut empty = gentle.clone();
        empty.rules.clear();
        empty.undocumented.clear();
        assert_eq!(how_much_changed(&empty, &empty), "nothing differs");
        assert_eq!(how_much_changed(&gentle, &whole), "nothing differs; 36 rows were checked in only one run");
        let only = |name: &str| honest(Wanted { gentle: false, only: vec![name.to_owned()] });
        assert_eq!(how_much_changed(&only("id-zero"), &only("unicode")), "no row was checked in both runs");
    }

    #[test]
    fn rows_of_another_release_are_compared_too() {
        let (before, mut after) = (gentle(), gentle());
        let verdict = Some(Verdict::Pass);
        after.rules.insert(0, RowResult { name: "old".into(), verdict, ..RowResult::default() });
        after.rules[1].verdict = Some(Verdict::Fail);
        after.undocumented.push(RowResult { name: "older".into(), is_observed: Some(true), ..RowResult::default() });
        let summary = "1 of 15 rows differs; 2 rows were checked in only one run";
        assert_eq!(how_much_changed(&before, &after), summary);
    }
}
