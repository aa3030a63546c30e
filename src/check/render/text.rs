//! A report in plain text, for a terminal or a pipe.

use unicode_width::UnicodeWidthStr;

use crate::check::{Report, Verdict, Wanted};
use crate::domain::text::clean;
use crate::domain::wrap::wrapped;

/// Fewer columns than this nobody reads.
const FEWEST: usize = 24;

/// Columns of the indent where what stands in front of a text leaves it too little.
const INDENT: usize = 4;

/// A report in lines of at most so many columns, or of 24 where it is to be fewer. Nothing is cut.
pub(super) fn render(report: &Report, columns: usize) -> String {
    let mut page = Page { text: String::new(), columns: columns.max(FEWEST) };
    page.hang("", &report.diagnosis.to_string());
    if report.diagnosis.says_all() {
        let failed: Vec<_> = report.failed().map(|rule| rule.name.as_str()).collect();
        if !failed.is_empty() {
            page.hang("", &format!("Failed rules: {}.", failed.join(", ")));
        }
        page.hang("", report.diagnosis.advice().unwrap_or_default());
        about(&mut page, report);
        return page.text;
    }
    with_verdict(&mut page, report, Verdict::Fail);
    page.blank();
    about(&mut page, report);
    with_verdict(&mut page, report, Verdict::Inconclusive);
    with_verdict(&mut page, report, Verdict::Pass);
    undocumented(&mut page, report);
    leftovers(&mut page, report);
    page.text
}

fn about(page: &mut Page, report: &Report) {
    let started = report.started.in_words();
    let of =
        if report.wanted == Wanted::default() { String::new() } else { format!(" of {}", report.wanted.describe()) };
    page.hang("", &format!("Check{of} at {}, {started} UTC, {}.", report.store, report.took()));
    page.hang("", &report.leftovers_summary());
}

/// The rules with a verdict, its evidence below each unless it passes. Where several in a row have
/// one evidence, it stands below the last.
fn with_verdict(page: &mut Page, report: &Report, verdict: Verdict) {
    let rules: Vec<_> = report.rules.iter().filter(|rule| rule.verdict == verdict).collect();
    if rules.is_empty() {
        return;
    }
    page.heading(match verdict {
        Verdict::Pass => "Rules that pass, with their sections of the document:",
        Verdict::Fail => "Rules that fail, with their sections of the document:",
        Verdict::Inconclusive => "Inconclusive rules:",
    });
    for (at, rule) in rules.iter().enumerate() {
        let head = format!("  {:<4} {:<12} ", rule.section().unwrap_or_default(), rule.verdict.word());
        let name = if rule.section().is_some() { format!(" ({})", rule.name) } else { String::new() };
        page.hang(&head, &format!("{}{name}", rule.statement()));
        let is_last = rules.get(at + 1).is_none_or(|next| next.evidence != rule.evidence);
        if verdict != Verdict::Pass && is_last {
            page.hang(&" ".repeat(head.len() + 2), &rule.evidence);
        }
    }
}

/// What was observed, and then, once for each reason, what was not.
fn undocumented(page: &mut Page, report: &Report) {
    let (observed, other): (Vec<_>, Vec<_>) = report.undocumented.iter().partition(|row| row.is_seen());
    if !observed.is_empty() {
        page.heading("Undocumented behaviour: what this store does where the document leaves it open");
    }
    for row in observed {
        let head = format!("  {:<4} ", row.section().unwrap_or_default());
        page.hang(&head, &format!("{}: {}", row.subject(), row.value));
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
        page.hang("  ", &format!("{value}: {}", subjects.join("; ")));
    }
}

fn leftovers(page: &mut Page, report: &Report) {
    if report.leftovers.is_empty() {
        return;
    }
    page.heading("Leftovers: plants of the check that may still be at the store");
    for left in &report.leftovers {
        page.hang("  ", &format!("{}: {}. {}", left.called(), left.clean_up, left.why));
    }
}

/// What is written so far.
struct Page {
    text: String,
    columns: usize,
}

impl Page {
    fn blank(&mut self) {
        self.text.push('\n');
    }

    fn heading(&mut self, text: &str) {
        self.blank();
        self.hang("", text);
    }

    /// A text that hangs behind its head, or below it where there is little room.
    fn hang(&mut self, head: &str, text: &str) {
        let text = clean(text);
        let mut indent = head.width();
        if indent > self.columns / 2 {
            self.line(head, "");
            indent = INDENT;
        }
        let is_beside = indent == head.width();
        for (number, line) in wrapped(&text, self.columns - indent, usize::MAX).iter().enumerate() {
            let pad = " ".repeat(indent);
            self.line(if number == 0 && is_beside { head } else { &pad }, line);
        }
    }

    fn line(&mut self, head: &str, text: &str) {
        let line = format!("{head}{text}");
        let line = line.trim_end();
        // A head of spaces alone is no line of its own.
        if !line.is_empty() {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::check::tests::{crooked, honest, hostile, saying};
    use crate::check::{Counts, Diagnosis, Observation};

    fn only(names: &[&str]) -> Wanted {
        Wanted { gentle: false, only: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    #[test]
    fn a_report_reads_well_at_80_columns() {
        insta::assert_snapshot!("honest", render(&honest(Wanted::default()), 80));
        insta::assert_snapshot!("crooked", render(&crooked(Wanted::default()), 80));
    }

    #[test]
    fn where_there_is_little_room_a_text_stands_below_its_head() {
        let names = ["create-name-and-tag", "id-zero"];
        insta::assert_snapshot!(render(&crooked(only(&names)), 30), @r#"
        Departs from the document: 1
        of 1 rules fails.

        Rules that fail, with their
        sections of the document:
          4.1  fail
            The response to a create
            has name and tag as they
            were sent
            (create-name-and-tag)
            the response has no name,
            the response has no tag:
            POST /plants
            {"name":"Plants Check
            lhkrzf 1","id":1908381417,
            "tag":"Plants-Check"}: 201
            {"status":"planted"}

        Check of create-name-and-tag,
        id-zero alone at
        http://plants.example,
        2023-11-14T22:13:20.000Z UTC,
        8 requests.
        1 leftover: Plants Check
        lhkrzf 7 (1908381423): not
        deleted; the next check tries
        again.

        Undocumented behaviour: what
        this store does where the
        document leaves it open
          2    0 as id: accepted: 201;
               the response has no
               name; the response has
               no tag

        Leftovers: plants of the check
        that may still be at the store
          Plants Check lhkrzf 7
          (1908381423): not deleted;
          the next check tries again.
          DELETE /plants/1908381423:
          500 <h1>Oops</h1>
        "#);
    }

    #[test]
    fn that_a_run_ended_early_is_said_first() {
        let mut report = honest(only(&["create-accepted"]));
        let counts = Counts { passed: 1, ..Counts::default() };
        report.diagnosis = Diagnosis::EndedEarly("it was stopped".to_owned(), counts);
        assert!(
            render(&report, 200)
                .starts_with("No diagnosis, the check ended early (it was stopped): the one rule passes.\n")
        );
    }

    #[test]
    fn what_was_not_looked_at_is_not_told_and_the_head_says_so() {
        let gentle = render(&honest(Wanted { gentle: true, only: Vec::new() }), 80);
        assert!(gentle.contains("Check of the rules alone at ") && !gentle.contains("Undocumented"), "{gentle}");
        let undocumented = render(&honest(only(&["id-zero"])), 80);
        assert!(
            undocumented.contains("Check of id-zero alone at ") && !undocumented.contains("Rules"),
            "{undocumented}"
        );
        assert!(
            undocumented.contains("0 as id: accepted: 201") && undocumented.starts_with("No rule was checked.\n"),
            "{undocumented}"
        );
    }

    #[test]
    fn a_row_of_another_release_is_told_by_its_name() {
        let mut report = honest(only(&["create-accepted"]));
        report.rules[0].name = "create-polite".to_owned();
        let (value, evidence, exchanges) = ("yes".to_owned(), String::new(), Vec::new());
        report.undocumented.push(Observation { name: "weather".into(), value, evidence, exchanges });
        let text = render(&report, 80);
        assert!(text.contains("pass         create-polite\n") && text.contains("weather: yes\n"), "{text}");
    }

    #[test]
    fn a_pipe_may_have_any_width() {
        let report = crooked(Wanted::default());
        let lines = render(&report, usize::MAX).lines().count();
        assert!(lines < 15 * 2 + 36 + 20, "{lines}");
        assert_eq!(render(&report, 0), render(&report, FEWEST));
    }

    proptest! {
        /// Whatever a store result: no line is too long, nothing is cut, and no terminal obeys it.
        #[test]
        fn foreign_text_is_harmless_and_whole(foreign in hostile(), columns in 0..200_usize) {
            let report = saying(&foreign);
            let text = render(&report, columns);
            prop_assert!(text.lines().all(|line| line.width() <= columns.max(FEWEST) && clean(line) == line));
            let letters = |text: &str| clean(text).chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert!(letters(&text.replace('\n', " ")).contains(&letters(&foreign)));
        }
    }
}
