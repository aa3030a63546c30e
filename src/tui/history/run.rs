//! A run of the contract check in the History tab: its line in the list, and its pane.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::check::{Diagnosis, Verdict};
use crate::domain::sentence::span;
use crate::domain::{Outcome, RunId, State};
use crate::journal::RunLine;
use crate::text::clean_fit;
use crate::text::number_format::counted;
use crate::tui::context::Context;
use crate::tui::input::{Command, Tab};
use crate::tui::widgets::page::Page;
use crate::tui::widgets::theme::Theme;

/// Whether this program is carrying out the run.
fn is_under_way(run: &RunLine, cx: &Context) -> bool {
    let own = |started| RunId { origin: cx.session.info.origin, started };
    cx.session.check.run().is_some_and(|under_way| own(under_way.started) == run.id)
}

/// `✓ 34 ✗ 25`
fn counts(run: &RunLine, theme: &Theme) -> String {
    let counted = Outcome::ALL.into_iter().zip(run.counts).filter(|(_, count)| *count > 0);
    let words: Vec<_> = counted.map(|(outcome, count)| format!("{} {count}", theme.outcome(outcome).1)).collect();
    words.join(" ")
}

/// `+ 59 requests`, with the diagnosis or the outcomes where there is room for them.
pub(super) fn subject(run: &RunLine, is_expanded: bool, theme: &Theme, columns: usize) -> String {
    let sign = if is_expanded { theme.mark("−", "-") } else { "+" };
    let requests = format!("{sign} {}", counted(run.requests() as u64, "request", "requests"));
    let (detail, can_be_cut) = match &run.diagnosis {
        // Beside it is the verdict, which says enough unless it is none.
        Some(diagnosis) => (diagnosis.to_string(), diagnosis.in_short().0 == Verdict::Inconclusive),
        None => (counts(run, theme), false),
    };
    let whole = format!("{requests}: {}", detail.trim_end_matches('.'));
    let fitting = clean_fit(&whole, columns);
    if fitting == whole || can_be_cut { fitting } else { clean_fit(&requests, columns) }
}

/// `✓ 15 pass`
pub(super) fn verdict(run: &RunLine, cx: &Context, theme: &Theme) -> (String, Style) {
    let ((style, mark), words) = match run.diagnosis.as_ref().map(Diagnosis::in_short) {
        Some((verdict, words)) => (theme.verdict(verdict), words),
        None if is_under_way(run, cx) => (theme.state(State::Adding, cx.display.turn), "checking".to_owned()),
        None => (theme.verdict(Verdict::Inconclusive), "no report".to_owned()),
    };
    (format!("{mark} {words}"), style)
}

/// The run in brief, for the pane.
pub(super) fn brief(run: &RunLine, is_expanded: bool, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut page = Page::new(theme, width);
    let (words, style) = verdict(run, cx, theme);
    let sentence = match &run.diagnosis {
        Some(diagnosis) => diagnosis.to_string(),
        None if is_under_way(run, cx) => "The check is under way.".to_owned(),
        None => "Another program is checking, or the program ended during the check.".to_owned(),
    };
    page.hanging(Span::styled(format!("{words}  "), style), &sentence, 6, theme.text);
    let began = cx.moment(run.id.started);
    page.dim(&format!("began {began}, took {}", span(run.elapsed)), 2);
    page.rule("Requests");
    for (outcome, count) in Outcome::ALL.into_iter().zip(run.counts).filter(|(_, count)| *count > 0) {
        let (style, mark) = theme.outcome(outcome);
        page.words(&format!("{mark} {count} {}", outcome.word()), 1, style);
    }
    page.blank();
    let (open, check, earlier) = (cx.key(Command::Open), cx.key(Command::GoTo(Tab::Check)), cx.key(Command::OpenRun));
    let does = if is_expanded { "folds them into one line" } else { "lists them below it" };
    page.dim(&format!("{open} {does}."), 2);
    if run.diagnosis.is_some() {
        page.dim(&format!("{check}, then {earlier} shows the rules of this run."), 2);
    }
    page.lines
}
