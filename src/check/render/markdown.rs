//! A report in Markdown: the interface document with its blanks filled in for this store.
//!
//! `assets/interface.md` is the document. It has a placeholder `{{name}}` for each rule and each undocumented row, in
//! a table with two columns for it: the behaviour, and how it was observed. The placeholder `{{head}}` is for the
//! introduction, and `{{rest}}` for leftovers. The diagnosis and the verdicts are above the document.

use crate::check::{Leftover, Report, Row, Verdict};
use crate::text::markdown::inline;

const TEMPLATE: &str = include_str!("../../../assets/interface.md");

/// Tells the reader which text is not the document's.
const LEGEND: &str = "The text of the document is unchanged. Quotations like this one, and the columns \"At this \
     store\" and \"How it was observed\", describe this store: a rule of the document has the verdict **pass**, \
     **fail** or **inconclusive**; undocumented behaviour is **observed**.";

/// Renders a report as the filled-in document.
pub(super) fn render(report: &Report) -> String {
    let mut text = diagnosis(report);
    let document = if report.diagnosis.explains_all_rows() { "" } else { TEMPLATE };
    for line in document.lines() {
        match placeholder(line) {
            None => text.push_str(line),
            Some((_, "head", _)) => text.extend(["> **Filled in by plants.** ", LEGEND]),
            Some((_, "rest", _)) => text.push_str(rest(report).trim_end()),
            Some((before, name, after)) => text.extend([before, &row(report, name), after]),
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len() + 1);
    text
}

/// Splits a line of the template at its placeholder: the text before, the name, the text after.
fn placeholder(line: &str) -> Option<(&str, &str, &str)> {
    let (before, from) = line.split_once("{{")?;
    let (name, after) = from.split_once("}}")?;
    Some((before, name, after))
}

/// Renders the diagnosis and the verdicts. If the diagnosis explains all rows, this is the whole report.
fn diagnosis(report: &Report) -> String {
    let explains_all = report.diagnosis.explains_all_rows();
    let mut text = format!("**{}**\n", inline(&report.diagnosis.to_string()));
    let failed = report.failed_rules().filter(|_| explains_all);
    text.extend([failed.as_deref(), report.diagnosis.advice()].into_iter().flatten().map(|words| inline(words) + "\n"));
    text.extend([&inline(&report.about().collect::<Vec<_>>().join(" ")), "\n\n"]);
    if !explains_all {
        text.push_str(&verdicts(report));
    } else if report.diagnosis.is_about_leftovers() {
        text.push_str(&rest(report));
    }
    text
}

/// Lists the rules, those that fail first, by statement and name; each that does not pass with its evidence.
fn verdicts(report: &Report) -> String {
    let mut text = String::new();
    for verdict in [Verdict::Fail, Verdict::Inconclusive, Verdict::Pass] {
        for rule in report.rules.iter().filter(|rule| rule.verdict == Some(verdict)) {
            let passes = verdict == Verdict::Pass;
            let evidence = if passes { String::new() } else { format!(": {}", inline(&rule.evidence)) };
            let head = format!("- **{}** {} ({})", verdict.word(), inline(rule.subject()), inline(&rule.name));
            text.extend([&head, evidence.as_str(), "\n"]);
        }
    }
    if !report.rules.is_empty() {
        text.push('\n');
    }
    text
}

/// Renders the two cells of a row.
fn row(report: &Report, name: &str) -> String {
    let Some(row) = report.row(name) else {
        let subject = Row::named(name).map_or(name, |row| row.subject);
        return format!("**not checked:** {} | ", inline(subject));
    };
    let (subject, evidence) = (inline(row.subject()), inline(&row.evidence));
    match row.is_observed {
        None => format!("**{}:** {subject} | {evidence}", row.words()),
        Some(true) => format!("**observed:** {subject} → {} | {evidence}", inline(&row.value)),
        Some(false) => format!("**not observed:** {subject} → {} | {evidence}", inline(&row.value)),
    }
}

fn row_of(left: &Leftover) -> String {
    format!("> | {} | {}. {} |\n", inline(&left.called()), left.clean_up, inline(&left.why))
}

/// Renders the leftovers.
fn rest(report: &Report) -> String {
    if report.leftovers.is_empty() {
        return String::new();
    }
    let mut text = "> Leftovers, plants of the check that are, or may be, at the store:\n>\n\
                    > | Plant | Clean-up, and what shows it |\n> |---|---|\n"
        .to_owned();
    text.extend(report.leftovers.iter().map(row_of));
    text.extend(report.delete_by_hand().map(|command| format!(">\n> {}\n", inline(&command.join(": ")))));
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::check::diagnosis::Finding;
    use crate::check::tests::{crooked, honest, hostile, saying};
    use crate::check::{RULES, UNDOCUMENTED, Wanted};
    use crate::text::clean;

    #[test]
    fn every_row_has_one_placeholder_in_its_section_of_the_template() {
        let (mut placeholders, mut section) = (Vec::new(), "");
        for line in TEMPLATE.lines() {
            if let Some(heading) = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')) {
                let number = heading.split(' ').next().unwrap().trim_end_matches('.');
                section = if number.starts_with(|c: char| c.is_ascii_digit()) { number } else { section };
            }
            placeholders.extend(placeholder(line).map(|(_, name, _)| (name, section)));
        }
        let rules = RULES.iter().map(|rule| (rule.name, rule.section));
        let undocumented = UNDOCUMENTED.iter().map(|row| (row.name, row.section));
        let mut expected: Vec<_> = rules.chain(undocumented).chain([("head", ""), ("rest", "9")]).collect();
        placeholders.sort_unstable();
        expected.sort_unstable();
        assert_eq!(placeholders, expected);
    }

    #[test]
    fn a_report_is_the_document_with_its_blanks_filled_in() {
        insta::assert_snapshot!("honest", render(&honest(Wanted::default())));
        insta::assert_snapshot!("crooked", render(&crooked(Wanted::default())));
    }

    #[test]
    fn unchecked_rows_are_marked_as_not_checked() {
        let text = render(&honest(Wanted { gentle: true, only: Vec::new() }));
        assert_eq!((text.matches("**not checked:**").count(), text.matches("**pass:**").count()), (36, 15));
        assert!(text.contains("| Success status code | not shown | **not checked:** the status of a create |  |"));
        assert!(text.ends_with("Versioning: not shown.\n"), "{text}");
    }

    #[test]
    fn a_diagnosis_that_explains_all_rows_names_the_rules_that_fail() {
        let finding = || Finding::WrongBaseUrl("404".to_owned());
        let mut fails = crooked(Wanted::default());
        fails.diagnosis.finding = finding();
        assert!(diagnosis(&fails).contains("\nFailed rules: create-name-and-tag, "), "{}", diagnosis(&fails));
        let mut passes = honest(Wanted::default());
        passes.diagnosis.finding = finding();
        assert!(!diagnosis(&passes).contains("Failed rules"), "{}", diagnosis(&passes));
    }

    #[test]
    fn rows_without_an_observation_are_marked_as_not_observed() {
        let mut report = honest(Wanted { gentle: false, only: vec!["id-zero".to_owned()] });
        let row = &mut report.undocumented[0];
        (row.value, row.is_observed) = ("not tried: no delete was accepted here".to_owned(), Some(false));
        let text = render(&report);
        assert!(text.contains("| **not observed:** 0 as id → not tried: no delete"), "{text}");
    }

    /// Returns for each line the columns before its text, and the number of cell borders.
    fn outline(text: &str) -> Vec<(usize, usize)> {
        let bars = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        text.lines().map(|line| (line.len() - line.trim_start_matches([' ', '>']).len(), bars(line))).collect()
    }

    #[test]
    fn all_lines_of_a_table_have_the_same_number_of_cells() {
        for report in [honest(Wanted::default()), crooked(Wanted::default()), saying("|")] {
            let text = render(&report);
            let outline = outline(&text);
            for (lines, bars) in text.lines().collect::<Vec<_>>().windows(2).zip(outline.windows(2)) {
                let both = bars.iter().all(|(_, bars)| *bars > 0);
                assert!(!both || bars[0] == bars[1], "{lines:#?}");
            }
        }
    }

    proptest! {
        #[test]
        fn foreign_text_stays_in_its_cell(foreign in hostile()) {
            let text = render(&saying(&foreign));
            prop_assert_eq!(outline(&text), outline(&render(&saying("x"))));
            prop_assert!(text.lines().all(|line| clean(line) == line));
            prop_assert!(!text.replace("<ACCESS_TOKEN>", "").contains('<'), "{}", text);
            prop_assert!(text.matches(&inline(&foreign)).count() > 51);
        }
    }
}
