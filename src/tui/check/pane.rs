//! Draws the selected row of the check: its result, the evidence, and the exchanges behind it.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::rows::Row;
use super::state::CheckScreen;
use crate::check::{CleanUp, Leftover, RowResult};
use crate::domain::Ending;
use crate::domain::sentence::failed_because;
use crate::journal::StoredExchange;
use crate::text::capitalized;
use crate::tui::context::Context;
use crate::tui::input::{Command, Tab};
use crate::tui::render::wire;
use crate::tui::widgets::page::Page;
use crate::tui::widgets::theme::Theme;

/// Lines of one body, at most.
const BODY_LINES: usize = 6;
/// Lines of the evidence, at most.
const EVIDENCE: usize = 40;

pub(super) fn title(screen: &CheckScreen) -> String {
    screen.selected_row().map_or_else(|| "No row selected".to_owned(), |row| row.name.into_owned())
}

pub(super) fn lines(screen: &CheckScreen, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut page = Page::new(theme, width);
    match screen.selected_row() {
        Some(Row { leftover: Some(leftover), .. }) => add_leftover(&mut page, leftover, cx),
        Some(row) => add_row(&mut page, &row, screen, cx),
        None => page.dim("Select a row to see its evidence.", 3),
    }
    page.lines
}

fn add_row(page: &mut Page<'_>, row: &Row, screen: &CheckScreen, cx: &Context) {
    page.words(&row.statement, 3, page.theme.title);
    add_result(page, row.found, "");
    if row.is_changed() {
        add_result(page, row.other, &format!("{} ", screen.word_of_compared()));
    }
    if !row.section.is_empty() {
        page.dim(&format!("section {} of the interface document", row.section), 2);
    }
    if row.found.is_none_or(|found| found.exchanges.is_empty()) {
        return;
    }
    if !screen.is_of_this_store(cx) {
        return page.dim("Its requests are in that store's history.", 2);
    }
    let Some(exchanges) = screen.selected_exchanges() else { return };
    if exchanges.is_empty() {
        page.dim("Its requests are no longer stored.", 2);
    }
    for (at, StoredExchange { exchange, .. }) in (1..).zip(exchanges) {
        let of = exchanges.len();
        let which = if of > 1 { format!(" {at} of {of}") } else { String::new() };
        let failed = match &exchange.ending {
            Ending::Responded(_) => String::new(),
            Ending::Failed(failure) => failed_because(failure.kind, exchange.elapsed),
        };
        wire::messages(page, exchange, &which, &failed, BODY_LINES);
    }
}

/// Adds a result with its evidence.
fn add_result(page: &mut Page<'_>, found: Option<&RowResult>, before: &str) {
    let (text, style) = words(found, page.theme);
    let evidence = found.map_or("", |found| &found.evidence);
    if found.and_then(|found| found.verdict).is_some() {
        let head = Span::styled(format!("{before}{text}  "), style);
        return page.hanging(head, evidence, EVIDENCE, page.theme.text);
    }
    page.words(&format!("{before}{text}"), 6, style);
    if !evidence.is_empty() {
        page.dim(evidence, EVIDENCE);
    }
}

fn add_leftover(page: &mut Page<'_>, left: &Leftover, cx: &Context) {
    let sentence = format!("It {}.", left.clean_up.presence());
    page.hanging(Span::styled("? ", page.theme.warning), &sentence, 2, page.theme.warning);
    page.rule("Why");
    page.words(&left.why, EVIDENCE, page.theme.text);
    page.rule("What to do");
    let (delete, plants) = (cx.key(Command::DeleteById), cx.key(Command::GoTo(Tab::Plants)));
    let can_be_deleted =
        left.sent_id.is_none() && matches!(left.clean_up, CleanUp::Pending | CleanUp::Failed | CleanUp::Unsafe);
    let by_hand = format!(" {delete} in Plants ({plants}) deletes it, or notes that it is gone (404).");
    let by_hand = if can_be_deleted { by_hand.as_str() } else { "" };
    page.dim(&format!("{}.{by_hand}", capitalized(&left.clean_up.to_string())), 6);
}

/// Describes a result: a verdict with its mark, or what the store does.
pub(super) fn words(found: Option<&RowResult>, theme: &Theme) -> (String, Style) {
    let Some(found) = found else { return (format!("{} to come", theme.mark("·", ".")), theme.dim) };
    match found.verdict {
        Some(verdict) => {
            let (style, mark) = theme.verdict(verdict);
            (format!("{mark} {}", verdict.word()), style)
        }
        None => (found.value.clone(), if found.is_observed == Some(true) { theme.text } else { theme.warning }),
    }
}
