//! A report in plain text, for a terminal or a pipe.

use unicode_width::UnicodeWidthStr;

use super::report::{Report, Verdict};
use crate::domain::text::clean;
use crate::domain::wrap::wrapped;

/// Fewer columns than this nobody reads.
const FEWEST: usize = 24;

/// Columns of the indent where what stands in front of a text leaves it too little.
const INDENT: usize = 4;

/// A report in lines of at most so many columns, or of 24 where it is to be fewer. Nothing is cut.
pub(super) fn told(report: &Report, columns: usize) -> String {
    let mut page = Page { text: String::new(), columns: columns.max(FEWEST) };
    head(&mut page, report);
    clauses(&mut page, report);
    silent_parts(&mut page, report);
    left_behind(&mut page, report);
    page.blank();
    page.hang("", &report.told());
    page.text
}

fn head(page: &mut Page, report: &Report) {
    page.hang("", &format!("Contract check of {}", report.store));
    page.hang("", &format!("Began {}, in UTC, and took {}.", report.started.in_words(), report.took()));
    page.hang("", &format!("Looked at {}.", report.wanted.told()));
}

fn clauses(page: &mut Page, report: &Report) {
    if report.clauses.is_empty() {
        return;
    }
    page.heading("Does the store do what the interface document says? Its section is in front.");
    for clause in &report.clauses {
        let head = format!("  {:<4} {:<15} ", clause.section().unwrap_or_default(), clause.verdict.word());
        page.hang(&head, clause.statement());
        if clause.verdict != Verdict::Kept {
            page.hang(&" ".repeat(head.len() + 2), &format!("{}: {}", clause.name, clause.evidence));
        }
    }
}

fn silent_parts(page: &mut Page, report: &Report) {
    if report.observed.is_empty() {
        return;
    }
    page.heading("What does it do where the document says \"not shown\", or leaves it open?");
    for observed in &report.observed {
        let head = format!("  {:<4} ", observed.section().unwrap_or_default());
        page.hang(&head, &format!("{}: {}", observed.subject(), observed.value));
    }
}

fn left_behind(page: &mut Page, report: &Report) {
    if report.left_behind.is_empty() {
        return;
    }
    page.heading("Left behind: plants of the check that may still be at the store.");
    for left in &report.left_behind {
        page.hang("  ", &format!("{}: {}", left.called(), left.why));
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

    use super::super::tests::{crooked, honest, hostile, saying};
    use super::super::{Observed, Wanted};
    use super::*;

    fn only(names: &[&str]) -> Wanted {
        Wanted { gentle: false, only: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    #[test]
    fn a_report_reads_well_at_80_columns() {
        insta::assert_snapshot!("honest", told(&honest(Wanted::default()), 80));
        insta::assert_snapshot!("crooked", told(&crooked(Wanted::default()), 80));
    }

    #[test]
    fn where_there_is_little_room_a_text_stands_below_its_head() {
        let names = ["create-name-and-tag", "id-zero"];
        insta::assert_snapshot!(told(&crooked(only(&names)), 30), @r#"
        Contract check of
        http://plants.example
        Began
        2023-11-14T22:13:20.000Z, in
        UTC, and took 8 requests.
        Looked at create-name-and-tag,
        id-zero alone.

        Does the store do what the
        interface document says? Its
        section is in front.
          4.1  broken
            It has name and tag, as
            strings equal to what was
            sent
            create-name-and-tag: the
            response has no name, the
            response has no tag: POST
            /plants {"name":"Plants
            Check lhkrzf 1","id":19083
            81417,"tag":"Plants-Check"
            }: 201
            {"status":"planted"}

        What does it do where the
        document says "not shown", or
        leaves it open?
          2    0 as id: accepted: 201;
               the answer has no name;
               the answer has no tag

        Left behind: plants of the
        check that may still be at the
        store.
          Plants Check lhkrzf 7
          (1908381423): DELETE
          /plants/1908381423: 500
          <h1>Oops</h1>

        0 kept, 1 broken. One plant
        may be left behind; the next
        check tries to delete it.
        "#);
    }

    #[test]
    fn that_a_run_ended_early_is_said_beside_the_sum() {
        let mut report = honest(only(&["create-accepted"]));
        report.cut_short = Some("it was stopped".to_owned());
        assert!(
            told(&report, 200)
                .ends_with("\nThe one clause is kept. It ended early: it was stopped. Nothing is left behind.\n")
        );
    }

    #[test]
    fn what_was_not_looked_at_is_not_told_and_the_head_says_so() {
        let gentle = told(&honest(Wanted { gentle: true, only: Vec::new() }), 80);
        assert!(gentle.contains("Looked at the clauses alone.") && !gentle.contains("not shown"), "{gentle}");
        let silent = told(&honest(only(&["id-zero"])), 80);
        assert!(silent.contains("Looked at id-zero alone.") && !silent.contains("Does the store"), "{silent}");
        assert!(
            silent.contains("0 as id: accepted: 201")
                && silent.ends_with("No clause was judged. Nothing is left behind.\n"),
            "{silent}"
        );
    }

    #[test]
    fn a_row_of_another_release_is_told_by_its_name() {
        let mut report = honest(only(&["create-accepted"]));
        report.clauses[0].name = "create-polite".to_owned();
        let (value, evidence, exchanges) = ("yes".to_owned(), String::new(), Vec::new());
        report.observed.push(Observed { name: "weather".into(), value, evidence, exchanges });
        let text = told(&report, 80);
        assert!(text.contains("kept            create-polite\n") && text.contains("weather: yes\n"), "{text}");
    }

    #[test]
    fn a_pipe_may_have_any_width() {
        let report = crooked(Wanted::default());
        let lines = told(&report, usize::MAX).lines().count();
        assert!(lines < 14 * 2 + 35 + 20, "{lines}");
        assert_eq!(told(&report, 0), told(&report, FEWEST));
    }

    proptest! {
        /// Whatever a store said: no line is too long, nothing is cut, and no terminal obeys it.
        #[test]
        fn foreign_text_is_harmless_and_whole(foreign in hostile(), columns in 0..200_usize) {
            let report = saying(&foreign);
            let text = told(&report, columns);
            prop_assert!(text.lines().all(|line| line.width() <= columns.max(FEWEST) && clean(line) == line));
            let letters = |text: &str| clean(text).chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert!(letters(&text.replace('\n', " ")).contains(&letters(&foreign)));
        }
    }
}
