//! A report in Markdown: the interface document with its blanks filled in for this store.
//!
//! `assets/interface.md` is the document, with a place `{{name}}` for each rule and each undocumented
//! part, in a table where two cells are left to it: what the store does, and how it was observed. Two
//! places more are the head, and the rest that has no place in the document. The diagnosis comes first.

use crate::check::{Leftover, Observation, Report, Rule, RuleResult, Undocumented};
use crate::domain::markdown::inline;

const TEMPLATE: &str = include_str!("../../../assets/interface.md");

/// What stands above the two cells, in a quotation.
const HEADING: &str = "> | At this store | How it was observed |\n> |---|---|\n";

/// The document with what a report says.
pub(super) fn render(report: &Report) -> String {
    let mut text = diagnosis(report);
    if report.diagnosis.says_all() {
        return text;
    }
    for line in TEMPLATE.lines() {
        match place(line) {
            None => text.push_str(line),
            Some((_, "head", _)) => text.push_str(head(report).trim_end()),
            Some((_, "rest", _)) => text.push_str(rest(report).trim_end()),
            Some((before, name, after)) => text.extend([before, &row(report, name), after]),
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len() + 1);
    text
}

/// A place of a line of the template: what is before it, its name, what is after it.
fn place(line: &str) -> Option<(&str, &str, &str)> {
    let (before, from) = line.split_once("{{")?;
    let (name, after) = from.split_once("}}")?;
    Some((before, name, after))
}

/// What a reader must know first: whose document this is, and which part of it is not the document's.
const LEGEND: &str = "What the document says is left as it is. What this store does stands in quotations like this \
     one, and in the columns \"At this store\" and \"How it was observed\": a rule of the document has the verdict \
     **pass**, **fail** or **inconclusive**; undocumented behaviour is **observed**.";

/// Above the document: the diagnosis, and the rules that fail. Where that says all, it is the whole report.
fn diagnosis(report: &Report) -> String {
    let mut text = format!("**{}**\n", inline(&report.diagnosis.to_string()));
    if report.diagnosis.says_all() {
        let failed: Vec<_> = report.failed().map(|rule| inline(&rule.name)).collect();
        if !failed.is_empty() {
            text.extend(["Failed rules: ", &failed.join(", "), ".\n"]);
        }
        let advice = report.diagnosis.advice().unwrap_or_default();
        text.extend([inline(advice), "\n".to_owned(), about(report), "\n".to_owned()]);
    } else {
        text.push('\n');
        let row = |rule: &RuleResult| {
            let (statement, evidence) = (inline(rule.statement()), inline(&rule.evidence));
            format!("- **fail** {statement}: {evidence}\n")
        };
        text.extend(report.failed().map(row));
        if report.failed().next().is_some() {
            text.push('\n');
        }
    }
    text
}

fn about(report: &Report) -> String {
    let (store, began) = (inline(&report.store), inline(&report.started.in_words()));
    let (took, what) = (report.took(), inline(&report.wanted.describe()));
    format!("Checked {what} at {store}, {began} UTC, {took}. {}", inline(&report.leftovers_summary()))
}

fn head(report: &Report) -> String {
    let listed = if report.leftovers.is_empty() { "" } else { " They are listed at the end." };
    format!("> **Filled in by plants.** {}{listed}\n>\n> {LEGEND}", about(report))
}

/// The two cells of a row.
fn row(report: &Report, name: &str) -> String {
    if let Some(rule) = report.rule(name) {
        return assessed(rule);
    }
    if let Some(part) = report.observation(name) {
        return observed(part);
    }
    let subject = || Undocumented::called(name).map_or(name, |row| row.subject);
    let what = Rule::called(name).map_or_else(subject, |rule| rule.statement);
    format!("**not checked:** {} | ", inline(what))
}

fn assessed(rule: &RuleResult) -> String {
    let word = rule.verdict.word();
    format!("**{word}:** {} | {}", inline(rule.statement()), inline(&rule.evidence))
}

fn observed(observed: &Observation) -> String {
    let word = if observed.is_seen() { "observed" } else { "not observed" };
    let (subject, value) = (inline(observed.subject()), inline(&observed.value));
    format!("**{word}:** {subject} → {value} | {}", inline(&observed.evidence))
}

/// What has no place in the document: rows of another release, and leftovers.
fn rest(report: &Report) -> String {
    let rules = report.rules.iter().filter(|rule| rule.section().is_none()).map(assessed);
    let undocumented = report.undocumented.iter().filter(|observed| observed.section().is_none()).map(observed);
    let mut text = String::new();
    let rows: Vec<_> = rules.chain(undocumented).collect();
    if !rows.is_empty() {
        text.push_str("> Checked by another release of plants:\n>\n");
        text.push_str(HEADING);
        text.extend(rows.iter().map(|row| format!("> | {row} |\n")));
        text.push('\n');
    }
    if !report.leftovers.is_empty() {
        text.push_str(
            "> Leftovers, plants of the check that may still be at the store:\n>\n> | Plant | What becomes of it, and why |\n> |---|---|\n",
        );
        let row =
            |left: &Leftover| format!("> | {} | {}. {} |\n", inline(&left.called()), left.clean_up, inline(&left.why));
        text.extend(report.leftovers.iter().map(row));
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::check::tests::{crooked, honest, hostile, saying};
    use crate::check::{RULES, UNDOCUMENTED, Wanted};
    use crate::domain::text::clean;

    #[test]
    fn every_row_of_the_tables_has_one_place_in_the_template_in_its_section() {
        let (mut places, mut section) = (Vec::new(), "");
        for line in TEMPLATE.lines() {
            if let Some(heading) = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')) {
                let number = heading.split(' ').next().unwrap().trim_end_matches('.');
                section = if number.starts_with(|c: char| c.is_ascii_digit()) { number } else { section };
            }
            places.extend(place(line).map(|(_, name, _)| (name, section)));
        }
        let rules = RULES.iter().map(|rule| (rule.name, rule.section));
        let undocumented = UNDOCUMENTED.iter().map(|row| (row.name, row.section));
        let mut expected: Vec<_> = rules.chain(undocumented).chain([("head", ""), ("rest", "9")]).collect();
        places.sort_unstable();
        expected.sort_unstable();
        assert_eq!(places, expected);
    }

    #[test]
    fn a_report_is_the_document_with_its_blanks_filled_in() {
        insta::assert_snapshot!("honest", render(&honest(Wanted::default())));
        insta::assert_snapshot!("crooked", render(&crooked(Wanted::default())));
    }

    #[test]
    fn what_was_not_looked_at_is_said_to_be_so() {
        let text = render(&honest(Wanted { gentle: true, only: Vec::new() }));
        assert_eq!((text.matches("**not checked:**").count(), text.matches("**pass:**").count()), (36, 15));
        assert!(text.contains("| Success status code | not shown | **not checked:** the status of a create |  |"));
        assert!(text.ends_with("Versioning: not shown.\n"), "{text}");
    }

    #[test]
    fn a_row_of_another_release_is_told_at_the_end() {
        let mut report =
            honest(Wanted { gentle: false, only: vec!["create-accepted".to_owned(), "id-zero".to_owned()] });
        report.rules[0].name = "create-polite".to_owned();
        report.undocumented[0].name = "weather".to_owned();
        let text = render(&report);
        let rest = text.split_once("another release of plants:").unwrap().1;
        assert!(rest.contains("> | **pass:** create-polite | POST /plants "), "{rest}");
        assert!(rest.contains("> | **observed:** weather → accepted: 201 | POST /plants "), "{rest}");
    }

    #[test]
    fn what_was_not_seen_is_not_called_observed() {
        let mut report = honest(Wanted { gentle: false, only: vec!["id-zero".to_owned()] });
        report.undocumented[0].value = "not tried: no delete was accepted here".to_owned();
        let text = render(&report);
        assert!(text.contains("| **not observed:** 0 as id → not tried: no delete"), "{text}");
    }

    /// Each line by what a reader of Markdown sees of it before its text: its quotation, and the
    /// bars between cells.
    fn outline(text: &str) -> Vec<(usize, usize)> {
        let bars = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        text.lines().map(|line| (line.len() - line.trim_start_matches([' ', '>']).len(), bars(line))).collect()
    }

    #[test]
    fn every_line_of_a_table_has_as_many_cells() {
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
        /// Whatever a store result, it stays in its cell and nothing obeys it.
        #[test]
        fn foreign_text_stays_text(foreign in hostile()) {
            let text = render(&saying(&foreign));
            prop_assert_eq!(outline(&text), outline(&render(&saying("x"))));
            prop_assert!(text.lines().all(|line| clean(line) == line));
            prop_assert!(!text.replace("<ACCESS_TOKEN>", "").contains('<'), "{}", text);
            prop_assert!(text.matches(&inline(&foreign)).count() > 51);
        }
    }
}
