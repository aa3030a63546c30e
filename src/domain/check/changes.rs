//! What changed between two reports: an earlier run and a later one, or two stores.
//!
//! A clause counts by its verdict and a silent part by its value. What they rest on is never the
//! same twice, and does not count.

use super::clauses::CLAUSES;
use super::report::{Report, Verdict};
use super::silent::SILENT;

/// A row that is not in both reports as it is in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The stable name of the clause or the silent part.
    pub name: String,
    /// Where it stands in `interface.md`; `None` for a name of another release.
    pub section: Option<&'static str>,
    /// What it was and what it is.
    pub changed: Changed,
}

/// Both sides of a change; `None` where a run did not look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed {
    /// That of a clause.
    Verdict(Option<Verdict>, Option<Verdict>),
    /// That of a silent part.
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
    let told = match (changed, both) {
        (0, 0) if !rows.is_empty() => return "no row was looked at in both runs".to_owned(),
        (0, _) => "nothing changed".to_owned(),
        (changed, both) => format!("{changed} of {both} rows changed"),
    };
    match rows.len() - both {
        0 => told,
        1 => format!("{told}; 1 row was looked at in one run alone"),
        one => format!("{told}; {one} rows were looked at in one run alone"),
    }
}

/// Every row that either report has.
fn rows(before: &Report, after: &Report) -> Vec<Change> {
    let clauses = [before, after].map(|report| report.clauses.iter().map(|clause| clause.name.as_str()));
    let clauses = names(CLAUSES.iter().map(|clause| clause.name), clauses).into_iter().filter_map(|name| {
        let [one, other] = [before, after].map(|report| report.clause(name));
        let section = one.or(other)?.section();
        let changed = Changed::Verdict(one.map(|clause| clause.verdict), other.map(|clause| clause.verdict));
        Some(Change { name: name.to_owned(), section, changed })
    });
    let observed = [before, after].map(|report| report.observed.iter().map(|observed| observed.name.as_str()));
    let observed = names(SILENT.iter().map(|silent| silent.name), observed).into_iter().filter_map(|name| {
        let [one, other] = [before, after].map(|report| report.observed(name));
        let section = one.or(other)?.section();
        let value = |observed: &super::Observed| observed.value.clone();
        let changed = Changed::Value(one.map(value), other.map(value));
        Some(Change { name: name.to_owned(), section, changed })
    });
    clauses.chain(observed).collect()
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
    use super::super::{Judged, Observed, Wanted};
    use super::*;

    fn gentle() -> Report {
        honest(Wanted { gentle: true, only: Vec::new() })
    }

    #[test]
    fn a_report_is_no_change_from_itself_whatever_it_rests_on() {
        let report = honest(Wanted::default());
        let mut later = report.clone();
        later.clauses.iter_mut().for_each(|clause| clause.evidence.push('x'));
        later.observed.iter_mut().for_each(|observed| observed.exchanges.clear());
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
        4.1 create-name-and-tag: kept -> broken
        4.2 delete-single-plant: kept -> could not tell
        7 wrong-token: create 401; delete 401 -> create 201; delete 204
        ");
        assert_eq!(how_much_changed(&before, &after), "3 of 5 rows changed");
    }

    #[test]
    fn a_row_that_one_run_did_not_look_at_has_one_side() {
        let (whole, gentle) = (honest(Wanted::default()), gentle());
        let found = changes(&gentle, &whole);
        assert_eq!(found.len(), SILENT.len());
        assert!(found.iter().all(|change| matches!(change.changed.words(), (None, Some(_)))));
        assert_eq!(how_much_changed(&gentle, &whole), "nothing changed; 35 rows were looked at in one run alone");
        let only = |name: &str| honest(Wanted { gentle: false, only: vec![name.to_owned()] });
        let (one, other) = (only("id-zero"), only("unicode"));
        assert_eq!(how_much_changed(&one, &other), "no row was looked at in both runs");
        let [ref zero, ref unicode] = changes(&other, &one)[..] else { unreachable!() };
        assert_eq!((zero.name.as_str(), unicode.name.as_str()), ("unicode", "id-zero"));
    }

    #[test]
    fn names_of_another_release_come_last_of_their_kind() {
        let (before, mut after) = (gentle(), gentle());
        let (verdict, evidence, exchanges) = (Verdict::Kept, String::new(), Vec::new());
        after.clauses.insert(0, Judged { name: "old".into(), verdict, untold: None, evidence, exchanges });
        after.clauses[1].verdict = Verdict::Broken;
        let (value, evidence, exchanges) = (String::new(), String::new(), Vec::new());
        after.observed.push(Observed { name: "older".into(), value, evidence, exchanges });
        let found = changes(&before, &after);
        let names: Vec<_> = found.iter().map(|change| (change.name.as_str(), change.section)).collect();
        assert_eq!(names, [("create-accepted", Some("4.1")), ("old", None), ("older", None)]);
        let told = "1 of 14 rows changed; 2 rows were looked at in one run alone";
        assert_eq!(how_much_changed(&before, &after), told);
    }
}
