//! Draws the selected row of the check: its result, the evidence, and the exchanges behind it.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::rows::{Found, Line as CheckLine, Row};
use super::state::CheckScreen;
use crate::check::{CleanUp, Leftover};
use crate::domain::Ending;
use crate::domain::sentence::failed_because;
use crate::journal::StoredExchange;
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::render::wire::{Extent, end_lines, request_lines, response_lines};
use crate::tui::widgets::text::{hanging, rule, wrapped_lines};
use crate::tui::widgets::theme::Theme;

/// Lines of one body, at most.
const BODY_LINES: usize = 6;
/// Lines of the evidence, at most.
const EVIDENCE: usize = 40;

pub(super) fn title(screen: &CheckScreen) -> String {
    match screen.selected_line() {
        Some(CheckLine::Row(row)) => row.name.to_owned(),
        Some(CheckLine::Leftover(left)) => left.called(),
        Some(CheckLine::Heading(_)) | None => "No row selected".to_owned(),
    }
}

pub(super) fn lines(screen: &CheckScreen, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    match screen.selected_line() {
        Some(CheckLine::Row(row)) => of_row(&row, screen, cx, theme, width),
        Some(CheckLine::Leftover(left)) => of_leftover(left, cx, theme, width),
        Some(CheckLine::Heading(_)) | None => {
            wrapped_lines("Select a row to see its evidence.", 0, width, 3, theme.dim)
        }
    }
}

fn of_row(row: &Row, screen: &CheckScreen, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut lines = wrapped_lines(row.statement, 0, width, 3, theme.title);
    lines.extend(result(row.found, "", theme, width));
    if row.is_changed() {
        let word = format!("{} ", screen.word_of_compared());
        lines.extend(result(row.other, &word, theme, width));
    }
    if !row.section.is_empty() {
        let section = format!("section {} of the interface document", row.section);
        lines.extend(wrapped_lines(&section, 0, width, 2, theme.dim));
    }
    lines.extend(row.found.map(|found| exchanges(found, screen, cx, theme, width)).unwrap_or_default());
    lines
}

/// The result with its evidence.
fn result(found: Option<Found>, before: &str, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let (text, style) = words(found, theme);
    let evidence = found.map(|found| found.evidence).unwrap_or_default();
    if found.and_then(|found| found.verdict).is_some() {
        return hanging(Span::styled(format!("{before}{text}  "), style), evidence, width, EVIDENCE, theme.text);
    }
    let mut lines = wrapped_lines(&format!("{before}{text}"), 0, width, 6, style);
    if !evidence.is_empty() {
        lines.extend(wrapped_lines(evidence, 0, width, EVIDENCE, theme.dim));
    }
    lines
}

fn exchanges(found: Found, screen: &CheckScreen, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    if found.exchanges.is_empty() {
        return Vec::new();
    }
    if !screen.is_of_this_store(cx) {
        return wrapped_lines("Its requests are in that store's history.", 0, width, 2, theme.dim);
    }
    let Some(exchanges) = screen.selected_exchanges() else { return Vec::new() };
    if exchanges.is_empty() {
        return wrapped_lines("Its requests are no longer stored.", 0, width, 2, theme.dim);
    }
    let of = exchanges.len();
    exchanges.iter().enumerate().flat_map(|(at, stored)| exchange(stored, (at + 1, of), theme, width)).collect()
}

fn exchange(stored: &StoredExchange, (at, of): (usize, usize), theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let exchange = &stored.exchange;
    let (brief, (style, _)) = (Extent::Brief(BODY_LINES), theme.outcome(exchange.outcome()));
    let number = if of > 1 { format!("Request {at} of {of}") } else { "The request".to_owned() };
    let mut lines = vec![rule(&number, theme, width)];
    if let Some(request) = &exchange.request {
        lines.extend(request_lines(request, theme, width, brief));
        lines.push(Line::default());
    }
    match &exchange.ending {
        Ending::Responded(response) => {
            lines.extend(response_lines(response, theme, style, width, brief));
            lines.extend(end_lines(&response.body_end, theme, width));
        }
        Ending::Failed(failure) => {
            lines.extend(wrapped_lines(&failed_because(failure.kind, exchange.elapsed), 0, width, 3, style));
        }
    }
    lines
}

fn of_leftover(left: &Leftover, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let head = Span::styled("? ", theme.doubt);
    let mut lines = hanging(head, "It may still be in the store.", width, 2, theme.doubt);
    lines.push(rule("Why", theme, width));
    lines.extend(wrapped_lines(&left.why, 0, width, EVIDENCE, theme.text));
    lines.push(rule("What to do", theme, width));
    let resolve = cx.key(Command::Resolve);
    let plants = cx.key(Command::Plants);
    let words = match left.clean_up {
        CleanUp::Pending => format!("Nothing: the next check deletes it. It can also be deleted in Plants ({plants})."),
        CleanUp::Failed => format!(
            "Its delete was not accepted. The next check tries again, and adds no more such plants until it is gone. \
             {resolve} in Plants ({plants}) forgets it here."
        ),
        CleanUp::Unsafe => format!(
            "No check deletes it: its create is unknown, and its id may now belong to another plant. \
             {resolve} in Plants ({plants}) decides about it."
        ),
        CleanUp::Ineffective => "Its delete was accepted, and it is still there. Delete it by other means.".to_owned(),
    };
    lines.extend(wrapped_lines(&words, 0, width, 6, theme.dim));
    lines
}

/// Describes a result: a verdict with its mark, or what the store does.
pub(super) fn words(found: Option<Found>, theme: &Theme) -> (String, Style) {
    match found {
        None => (format!("{} to come", theme.mark("·", ".")), theme.dim),
        Some(Found { verdict: Some(verdict), words, .. }) => {
            let (style, mark) = theme.verdict(verdict);
            (format!("{mark} {words}"), style)
        }
        Some(found) => (found.words.to_owned(), if found.is_observed { theme.text } else { theme.doubt }),
    }
}
