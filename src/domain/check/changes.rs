//! What changed between two reports: an earlier run and a later one, or two stores.
//!
//! A rule counts by its verdict and a undocumented row by its value. What they rest on is never the
//! same twice, and does not count.

use super::report::{Report, Verdict};
use super::rules::RULES;
use super::undocumented::UNDOCUMENTED;

/// A row that is not in both reports as it is in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The stable name of the rule or the undocumented row.
    pub name: String,
    /// Where it stands in `interface.md`; `None` for a name of another release.
    pub section: Option<&'static str>,
    /// What it was and what it is.
    pub changed: Changed,
}

/// Both sides of a change; `None` where a run did not look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed {
    /// That of a rule.
    Verdict(Option<Verdict>, Option<Verdict>),
    /// That of a undocumented row.
    Value(Option<String>, Option<String>),
}

impl Changed {
    /// The words for both sides.
    pub fn words(&self) -> (Option<&str>, Option<&str>) {
        match self {
            Self::Verdict(before, after) => (before.map(Verdict::word), after.map(Verdict::word)),
            Self::Value(before, after) => (before.as_deref(), after.as_deref()),
        }
    }

    fn is_one(&self) -> bool {
        match self {
            Self::Verdict(before, after) => before != after,
            Self::Value(before, after) => before != after,
        }
    }
}

/// What changed from one report to another, in the order of the tables; what is in no table any
/// more comes last of its kind.
pub fn changes(before: &Report, after: &Report) -> Vec<Change> {
    rows(before, after).into_iter().filter(|row| row.changed.is_one()).collect()
}

/// A sentence for people: `nothing changed`, `2 of 49 rows changed`.
pub fn how_much_changed(before: &Report, after: &Report) -> String {
    let rows = rows(before, after);
    let in_both = |row: &&Change| matches!(row.changed.words(), (Some(_), Some(_)));
    let both = rows.iter().filter(in_both).count();
    let changed = rows.iter().filter(in_both).filter(|row| row.changed.is_one()).count();
    let summary = match (changed, both) {
        (0, 0) if !rows.is_empty() => return "no row was checked in both runs".to_owned(),
        (0, _) => "nothing changed".to_owned(),
        (changed, both) => format!("{changed} of {both} rows changed"),
    };
    match rows.len() - both {
        0 => summary,
        1 => format!("{summary}; 1 row was checked in one run alone"),
        one => format!("{summary}; {one} rows were checked in one run alone"),
    }
}

/// Every row that either report has.
fn rows(before: &Report, after: &Report) -> Vec<Change> {
    let rules = [before, after].map(|report| report.rules.iter().map(|rule| rule.name.as_str()));
    let rules = names(RULES.iter().map(|rule| rule.name), rules).into_iter().filter_map(|name| {
        let [one, other] = [before, after].map(|report| report.rule(name));
        let section = one.or(other)?.section();
        let changed = Changed::Verdict(one.map(|rule| rule.verdict), other.map(|rule| rule.verdict));
        Some(Change { name: name.to_owned(), section, changed })
    });
    let observed = [before, after].map(|report| report.undocumented.iter().map(|observed| observed.name.as_str()));
    let observed = names(UNDOCUMENTED.iter().map(|row| row.name), observed).into_iter().filter_map(|name| {
        let [one, other] = [before, after].map(|report| report.observation(name));
        let section = one.or(other)?.section();
        let value = |observed: &super::Observation| observed.value.clone();
        let changed = Changed::Value(one.map(value), other.map(value));
        Some(Change { name: name.to_owned(), section, changed })
    });
    rules.chain(observed).collect()
}

/// The names of a table, then what else two reports have, each once.
fn names<'a>(table: impl Iterator<Item = &'static str>, reports: [impl Iterator<Item = &'a str>; 2]) -> Vec<&'a str> {
    let mut names: Vec<&str> = table.collect();
    for name in reports.into_iter().flatten() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::tests::{crooked, honest};
    use super::super::{Observation, RuleResult, Wanted};
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
        assert_eq!(changes(&report, &later), []);
        assert_eq!(how_much_changed(&report, &later), "nothing changed");
    }

    #[test]
    fn changes_come_in_the_order_of_the_tables_with_both_sides() {
        let only = ["wrong-token", "create-accepted", "create-name-and-tag", "id-in-answer", "delete-single-plant"];
        let wanted = Wanted { gentle: false, only: only.map(str::to_owned).to_vec() };
        let (before, after) = (honest(wanted.clone()), crooked(wanted));
        let lines: Vec<_> = changes(&before, &after)
            .iter()
            .map(|change| {
                let (before, after) = change.changed.words();
                format!("{} {}: {} -> {}", change.section.unwrap(), change.name, before.unwrap(), after.unwrap())
            })
            .collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        4.1 create-name-and-tag: pass -> fail
        4.2 delete-single-plant: pass -> inconclusive
        7 wrong-token: create rejected: 401; delete rejected: 401 -> create accepted: 201; delete accepted: 204
        ");
        assert_eq!(how_much_changed(&before, &after), "3 of 5 rows changed");
    }

    #[test]
    fn a_row_that_one_run_did_not_look_at_has_one_side() {
        let (whole, gentle) = (honest(Wanted::default()), gentle());
        let found = changes(&gentle, &whole);
        assert_eq!(found.len(), UNDOCUMENTED.len());
        assert!(found.iter().all(|change| matches!(change.changed.words(), (None, Some(_)))));
        assert_eq!(how_much_changed(&gentle, &whole), "nothing changed; 36 rows were checked in one run alone");
        let only = |name: &str| honest(Wanted { gentle: false, only: vec![name.to_owned()] });
        let (one, other) = (only("id-zero"), only("unicode"));
        assert_eq!(how_much_changed(&one, &other), "no row was checked in both runs");
        let [ref zero, ref unicode] = changes(&other, &one)[..] else { unreachable!() };
        assert_eq!((zero.name.as_str(), unicode.name.as_str()), ("unicode", "id-zero"));
    }

    #[test]
    fn names_of_another_release_come_last_of_their_kind() {
        let (before, mut after) = (gentle(), gentle());
        let (verdict, evidence, exchanges) = (Verdict::Pass, String::new(), Vec::new());
        after.rules.insert(0, RuleResult { name: "old".into(), verdict, reason: None, evidence, exchanges });
        after.rules[1].verdict = Verdict::Fail;
        let (value, evidence, exchanges) = (String::new(), String::new(), Vec::new());
        after.undocumented.push(Observation { name: "older".into(), value, evidence, exchanges });
        let found = changes(&before, &after);
        let names: Vec<_> = found.iter().map(|change| (change.name.as_str(), change.section)).collect();
        assert_eq!(names, [("create-accepted", Some("4.1")), ("old", None), ("older", None)]);
        let told = "1 of 15 rows changed; 2 rows were checked in one run alone";
        assert_eq!(how_much_changed(&before, &after), told);
    }
}
