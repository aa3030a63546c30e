//! A report in plain text, for a terminal or a pipe: lines of parts, so that a terminal can show them in colour.

use unicode_width::UnicodeWidthStr;

use crate::check::{Conclusion, Report, Verdict};
use crate::text::clean;
use crate::text::wrap::wrapped;

/// The minimum width in columns.
const MIN_COLUMNS: usize = 24;

/// What a part of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Text,
    Heading,
    Diagnosis(Conclusion),
    /// The section of the document.
    Section,
    Verdict(Verdict),
    Evidence,
}

/// A part of a line, cleaned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub text: String,
    pub role: Role,
}

/// Renders a report like [`report_lines`], without marks.
pub(super) fn render(report: &Report, columns: usize) -> String {
    let mut text = String::new();
    for line in report_lines(report, columns, |_| "") {
        text.extend(line.into_iter().map(|part| part.text));
        text.push('\n');
    }
    text
}

/// Renders a report in lines of at most `columns`, and at least `MIN_COLUMNS`, with the mark of its verdict before each
/// rule. Wraps text and cuts none.
pub fn report_lines(report: &Report, columns: usize, mark: impl Fn(Verdict) -> &'static str) -> Vec<Vec<Part>> {
    let mut page = Page { lines: Vec::new(), columns: columns.max(MIN_COLUMNS), mark };
    let diagnosis = Role::Diagnosis(report.diagnosis.conclusion());
    page.hang(Vec::new(), &report.diagnosis.to_string(), diagnosis);
    if report.diagnosis.explains_all_rows() {
        what_to_do(&mut page, report);
        // Latencies of such a run are those of its first requests.
        report.about().take(2).for_each(|sentence| page.say(&sentence));
        if report.diagnosis.is_about_leftovers() {
            leftovers(&mut page, report);
        }
        return page.lines;
    }
    rules(&mut page, report, Verdict::Fail, "Rules that fail, with their sections of the document:");
    page.blank();
    report.about().for_each(|sentence| page.say(&sentence));
    rules(&mut page, report, Verdict::Inconclusive, "Inconclusive rules:");
    rules(&mut page, report, Verdict::Pass, "Rules that pass, with their sections of the document:");
    undocumented(&mut page, report);
    leftovers(&mut page, report);
    // The first line has scrolled away by now.
    page.blank();
    page.hang(Vec::new(), &report.diagnosis.to_string(), diagnosis);
    what_to_do(&mut page, report);
    if !report.leftovers.is_empty() {
        page.say(&report.leftovers_summary());
    }
    page.lines
}

/// Renders the names of the rules to look at, and the advice.
fn what_to_do<M>(page: &mut Page<M>, report: &Report) {
    page.say(&report.failed_rules().unwrap_or_default());
    page.say(report.diagnosis.advice().unwrap_or_default());
}

/// Renders the rules with a verdict, each with its evidence below unless it passes. Adjacent rules with the same
/// evidence have it once, below the last.
fn rules<M: Fn(Verdict) -> &'static str>(page: &mut Page<M>, report: &Report, verdict: Verdict, heading: &str) {
    let rules: Vec<_> = report.rules.iter().filter(|rule| rule.verdict == Some(verdict)).collect();
    if !rules.is_empty() {
        page.heading(heading);
    }
    // The heading has the word.
    let mark =
        Some((page.mark)(verdict)).filter(|mark| !mark.is_empty()).map(|mark| format!("{mark} ")).unwrap_or_default();
    for (at, rule) in rules.iter().enumerate() {
        let mark = Part { text: mark.clone(), role: Role::Verdict(verdict) };
        let head = vec![section(rule.section()), mark];
        let indent = width(&head) + 2;
        let name = if rule.section().is_some() { format!(" ({})", rule.name) } else { String::new() };
        page.hang(head, &format!("{}{name}", rule.subject()), Role::Text);
        let is_last = rules.get(at + 1).is_none_or(|next| next.evidence != rule.evidence);
        if verdict != Verdict::Pass && is_last {
            page.hang(vec![Part { text: " ".repeat(indent), role: Role::Text }], &rule.evidence, Role::Evidence);
        }
    }
}

fn section(section: Option<&str>) -> Part {
    Part { text: format!("  {:<4} ", section.unwrap_or_default()), role: Role::Section }
}

/// Renders the observed rows, and then the others, grouped by the reason why they were not observed.
fn undocumented<M>(page: &mut Page<M>, report: &Report) {
    let (observed, other): (Vec<_>, Vec<_>) = report.undocumented.iter().partition(|row| row.is_observed == Some(true));
    if !observed.is_empty() {
        page.heading("Undocumented behaviour: what this store does where the document leaves it open");
    }
    for row in observed {
        page.hang(vec![section(row.section())], &format!("{}: {}", row.subject(), row.value), Role::Text);
    }
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in other {
        match reasons.iter_mut().find(|(value, _)| *value == row.value) {
            Some((_, subjects)) => subjects.push(row.subject()),
            None => reasons.push((&row.value, vec![row.subject()])),
        }
    }
    if !reasons.is_empty() {
        page.heading("Undocumented behaviour that was not observed:");
    }
    for (value, subjects) in reasons {
        page.listed(&format!("{value}: {}", subjects.join("; ")));
    }
}

fn leftovers<M>(page: &mut Page<M>, report: &Report) {
    if !report.leftovers.is_empty() {
        page.heading("Leftovers: plants of the check that are, or may be, at the store");
    }
    for left in &report.leftovers {
        page.listed(&format!("{}: {}. {}", left.called(), left.clean_up, left.why));
    }
    // In one line, to be copied.
    for command in report.delete_by_hand() {
        page.line(vec![Part { text: clean(&command.join(": ")), role: Role::Text }]);
    }
}

/// The lines so far.
struct Page<M> {
    lines: Vec<Vec<Part>>,
    columns: usize,
    mark: M,
}

impl<M> Page<M> {
    fn blank(&mut self) {
        self.lines.push(Vec::new());
    }

    fn heading(&mut self, text: &str) {
        self.blank();
        self.hang(Vec::new(), text, Role::Heading);
    }

    fn say(&mut self, text: &str) {
        self.hang(Vec::new(), text, Role::Text);
    }

    fn listed(&mut self, text: &str) {
        self.hang(vec![Part { text: "  ".to_owned(), role: Role::Text }], text, Role::Text);
    }

    /// Writes a text beside its head, with a hanging indent.
    fn hang(&mut self, mut head: Vec<Part>, text: &str, role: Role) {
        let text = clean(text);
        let indent = width(&head);
        for text in wrapped(&text, self.columns - indent, usize::MAX) {
            let mut line = std::mem::take(&mut head);
            if line.is_empty() && indent > 0 {
                line.push(Part { text: " ".repeat(indent), role: Role::Text });
            }
            line.push(Part { text, role });
            self.line(line);
        }
    }

    /// Writes a line without the spaces at its end, unless it is blank.
    fn line(&mut self, mut parts: Vec<Part>) {
        while let Some(last) = parts.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                self.lines.push(parts);
                return;
            }
            parts.pop();
        }
    }
}

fn width(parts: &[Part]) -> usize {
    parts.iter().map(|part| part.text.width()).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::check::diagnosis::{Diagnosis, Finding};
    use crate::check::tests::{crooked, honest, hostile, saying};
    use crate::check::{RowResult, Wanted};

    fn only(names: &[&str]) -> Wanted {
        Wanted { gentle: false, only: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    #[test]
    fn reports_at_80_columns_match_the_snapshots() {
        insta::assert_snapshot!("honest", render(&honest(Wanted::default()), 80));
        insta::assert_snapshot!("crooked", render(&crooked(Wanted::default()), 80));
    }

    #[test]
    fn marks_and_roles_change_no_word() {
        let marked = |verdict| if verdict == Verdict::Pass { "✓" } else { "?" };
        for report in [honest(Wanted::default()), crooked(Wanted::default())] {
            let lines = report_lines(&report, 200, marked);
            let text = lines.iter().flatten().map(|part| part.text.as_str()).collect::<Vec<_>>().join("\n");
            let words = |text: &str| {
                text.split_whitespace().filter(|word| !["✓", "?"].contains(word)).map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(words(&text), words(&render(&report, 200)));
            let is_marked = |part: &&Part| {
                Verdict::ALL
                    .into_iter()
                    .any(|verdict| part.role == Role::Verdict(verdict) && part.text.trim() == marked(verdict))
            };
            assert_eq!(lines.iter().flatten().filter(is_marked).count(), report.rules.len());
            assert_eq!(lines[0][0].role, Role::Diagnosis(report.diagnosis.conclusion()));
        }
    }

    #[test]
    fn narrow_reports_match_the_snapshot() {
        let names = ["create-name-and-tag", "id-zero"];
        insta::assert_snapshot!(render(&crooked(only(&names)), 30), @r#"
        Differs from the document: 1
        of 1 rules fails.

        Rules that fail, with their
        sections of the document:
          4.1  The response to a
               create has name and tag
               as they were sent
               (create-name-and-tag)
                 the response has no
                 name, the response
                 has no tag: POST
                 /plants
                 {"name":"Plants Check
                 1 lhkrzf","id":781803
                 0250000000000,"tag":"
                 Plants-Check"}: 201
                 {"status":"planted"}

        Check at
        http://plants.example,
        2023-11-14T22:13:20.000Z, 20
        requests, by plants 0.1.0,
        only create-name-and-tag,
        id-zero.
        1 leftover: Plants Check 1
        lhkrzf (7776087210000000000):
        not deleted, the next check
        tries again.
        Responses took 0.0 ms at the
        median, 0.0 ms at most.

        Undocumented behaviour: what
        this store does where the
        document leaves it open
          2    0 as id: accepted: 201;
               the response has no
               name; the response has
               no tag

        Leftovers: plants of the check
        that are, or may be, at the
        store
          Plants Check 1 lhkrzf
          (7776087210000000000): not
          deleted, the next check
          tries again. DELETE
          /plants/7776087210000000000:
          500 <h1>Oops</h1>
        By hand: plants delete --base-url 'http://plants.example' 7776087210000000000

        Differs from the document: 1
        of 1 rules fails.
        Failed rules:
        create-name-and-tag.
        1 leftover: Plants Check 1
        lhkrzf (7776087210000000000):
        not deleted, the next check
        tries again.
        "#);
    }

    #[test]
    fn rows_that_were_not_observed_are_grouped_by_their_reason() {
        let mut report = honest(only(&["id-zero", "id-largest", "id-smallest", "id-negative"]));
        for (row, value) in
            report.undocumented.iter_mut().zip(["not tried: why", "inconclusive: how", "not tried: why"])
        {
            (row.value, row.is_observed) = (value.to_owned(), Some(false));
        }
        let text = render(&report, 200);
        let grouped =
            "that was not observed:\n  not tried: why: a negative id; 2^63-1 as id\n  inconclusive: how: 0 as id\n";
        assert!(text.contains(grouped), "{text}");
    }

    #[test]
    fn an_early_end_is_in_the_first_line() {
        let mut report = honest(only(&["create-accepted"]));
        let finding = Finding::EndedEarly("it was stopped".to_owned());
        report.diagnosis = Diagnosis { finding, failed: 0, passed: 1, inconclusive: 0, note: None };
        assert!(render(&report, 200).starts_with("The check ended early (it was stopped): the one rule passes.\n"));
    }

    #[test]
    fn a_report_of_some_rows_names_the_selection() {
        let gentle = render(&honest(Wanted { gentle: true, only: Vec::new() }), 200);
        assert!(gentle.contains(", only the rules.") && !gentle.contains("Undocumented"), "{gentle}");
        let undocumented = render(&honest(only(&["id-zero"])), 200);
        assert!(undocumented.contains(", only id-zero.") && !undocumented.contains("Rules"), "{undocumented}");
        assert!(
            undocumented.contains("0 as id: accepted: 201") && undocumented.starts_with("No rule was checked.\n"),
            "{undocumented}"
        );
    }

    #[test]
    fn rows_of_another_release_are_shown_by_name() {
        let mut report = honest(only(&["create-accepted"]));
        report.rules[0].name = "create-polite".to_owned();
        let (name, value, is_observed) = ("weather".to_owned(), "yes".to_owned(), Some(true));
        report.undocumented.push(RowResult { name, value, is_observed, ..RowResult::default() });
        let text = render(&report, 80);
        assert!(text.contains("       create-polite\n") && text.contains("weather: yes\n"), "{text}");
    }

    #[test]
    fn any_number_of_columns_is_valid() {
        let report = crooked(Wanted::default());
        let lines = render(&report, usize::MAX).lines().count();
        assert!(lines < 15 * 2 + 36 + 20, "{lines}");
        assert_eq!(render(&report, 0), render(&report, MIN_COLUMNS));
    }

    proptest! {
        #[test]
        fn foreign_text_is_wrapped_complete_and_cleaned(foreign in hostile(), columns in 0..200_usize) {
            let report = saying(&foreign);
            let text = render(&report, columns);
            let fits = |line: &str| line.width() <= columns.max(MIN_COLUMNS) || line.starts_with("By hand");
            prop_assert!(text.lines().all(|line| fits(line) && clean(line) == line));
            let letters = |text: &str| clean(text).chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert!(letters(&text.replace('\n', " ")).contains(&letters(&foreign)));
        }
    }
}
