//! Draws what the selected row of the check rests on: what was found, and its exchanges.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::rows::{Found, Line as Row_, Row};
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

/// Lines of one body.
const BODY_LINES: usize = 6;
/// Lines of the evidence.
const EVIDENCE: usize = 40;

/// The name of what is selected.
pub(super) fn title(screen: &CheckScreen) -> String {
    match screen.selected_line() {
        Some(Row_::Row(row)) => row.name.to_owned(),
        Some(Row_::Leftover(left)) => left.called(),
        Some(Row_::Heading(_)) | None => "No row selected".to_owned(),
    }
}

/// What the selected row rests on.
pub(super) fn lines(screen: &CheckScreen, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    match screen.selected_line() {
        Some(Row_::Row(row)) => of_row(&row, screen, cx, theme, width),
        Some(Row_::Leftover(left)) => of_left(left, cx, theme, width),
        Some(Row_::Heading(_)) | None => wrapped_lines("Select a row to see what it rests on.", 0, width, 3, theme.dim),
    }
}

fn of_row(row: &Row, screen: &CheckScreen, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut lines = wrapped_lines(row.statement, 0, width, 3, theme.title);
    lines.extend(seen(row.found, "", theme, width));
    if row.is_changed() {
        let word = format!("{} ", screen.word_of_compared());
        lines.extend(seen(row.other, &word, theme, width));
    }
    if !row.section.is_empty() {
        let section = format!("section {} of the interface document", row.section);
        lines.extend(wrapped_lines(&section, 0, width, 2, theme.dim));
    }
    lines.extend(row.found.map(|found| behind(found, screen, cx, theme, width)).unwrap_or_default());
    lines
}

/// What was found, and what that rests on.
fn seen(found: Option<Found>, before: &str, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let (text, style) = words(found, theme);
    let evidence = found.map(Found::evidence).unwrap_or_default();
    if found.and_then(Found::verdict).is_some() {
        return hanging(Span::styled(format!("{before}{text}  "), style), evidence, width, EVIDENCE, theme.text);
    }
    let mut lines = wrapped_lines(&format!("{before}{text}"), 0, width, 6, style);
    if !evidence.is_empty() {
        lines.extend(wrapped_lines(evidence, 0, width, EVIDENCE, theme.dim));
    }
    lines
}

/// The exchanges that it rests on, one after another.
fn behind(found: Found, screen: &CheckScreen, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    if found.exchanges().is_empty() {
        return Vec::new();
    }
    if !screen.is_of_this_store(cx) {
        return wrapped_lines("Its requests are in that store's history.", 0, width, 2, theme.dim);
    }
    let Some(behind) = screen.selected_behind() else { return Vec::new() };
    if behind.is_empty() {
        return wrapped_lines("Its requests are not stored any more.", 0, width, 2, theme.dim);
    }
    let of = behind.len();
    behind.iter().enumerate().flat_map(|(at, kept)| exchange(kept, (at + 1, of), theme, width)).collect()
}

fn exchange(kept: &StoredExchange, (at, of): (usize, usize), theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let exchange = &kept.exchange;
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

fn of_left(left: &Leftover, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let head = Span::styled(format!("{} ", theme.mark("?", "?")), theme.doubt);
    let mut lines = hanging(head, "It may still be at the store.", width, 2, theme.doubt);
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
            "No check deletes it: its create is unknown, and under its id there may be somebody else's plant. \
             {resolve} in Plants ({plants}) decides about it."
        ),
        CleanUp::Ineffective => "Its delete was accepted, and it is still there: delete it at the store.".to_owned(),
    };
    lines.extend(wrapped_lines(&words, 0, width, 6, theme.dim));
    lines
}

/// A verdict with its mark, or what the store does.
pub(super) fn words(found: Option<Found>, theme: &Theme) -> (String, Style) {
    match found {
        None => (format!("{} to come", theme.mark("·", ".")), theme.dim),
        Some(found) => match found.verdict() {
            Some(verdict) => {
                let (style, mark) = theme.verdict(verdict);
                (format!("{mark} {}", verdict.word()), style)
            }
            None => (found.words().to_owned(), if found.is_seen() { theme.text } else { theme.doubt }),
        },
    }
}
