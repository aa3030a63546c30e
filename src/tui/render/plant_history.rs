//! The selected plant's history: where it stands, and its last requests and responses.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::wire::{Extent, end_lines, request_lines, response_lines};
use crate::domain::{Exchange, Outcome, RelatedExchange, Row, State, sentence};
use crate::tui::context::Context;
use crate::tui::input::{Command, Scope};
use crate::tui::widgets::text::{hanging, wrapped_lines};
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::moment;

/// Lines of one body in the pane, and in the whole history; an opened exchange has all of it.
const BODY_LINES: (usize, usize) = (8, 40);

/// Exchanges shown in the whole history.
const SHOWN: usize = 20;

/// Requests about other plants with the same id, listed in the pane.
const OTHERS: usize = 3;

/// The history in brief, for a pane.
pub(crate) fn pane(cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    lines(cx, theme, width, 1, BODY_LINES.0)
}

/// The selected plant's name and id.
pub(crate) fn title(cx: &Context) -> String {
    match cx.session.plants.selected_row() {
        Some(row) => sentence::row_called(row),
        None => "No plant selected".to_owned(),
    }
}

/// Everything there is to tell, in lines of `width` columns.
pub(crate) fn whole(cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    lines(cx, theme, width, SHOWN, BODY_LINES.1)
}

fn lines(cx: &Context, theme: &Theme, width: usize, exchanges: usize, body_lines: usize) -> Vec<Line<'static>> {
    let Some(row) = cx.session.plants.selected_row() else {
        return wrapped_lines("The selected plant's last request and its response stand here.", 0, width, 3, theme.dim);
    };
    let mut lines = standing(row, cx, theme, width);
    lines.extend(in_flight(cx, theme, width, body_lines));
    let Some(requests) = cx.session.selected_requests() else { return lines };
    for exchange in requests.own.iter().take(exchanges) {
        lines.push(Line::default());
        lines.extend(exchange_lines(exchange, cx, theme, width, body_lines));
    }
    let more = requests.own.len().saturating_sub(exchanges);
    if more > 0 {
        lines.push(Line::default());
        let key = cx.key(Command::Open);
        lines.push(Line::from(Span::styled(format!("{more} earlier; {key} shows them"), theme.dim)));
    }
    lines.extend(of_others(&requests.others, cx, theme, width, exchanges.max(OTHERS)));
    lines
}

/// One line for each of so many requests about other plants with this id.
fn of_others(
    others: &[RelatedExchange<'_>],
    cx: &Context,
    theme: &Theme,
    width: usize,
    most: usize,
) -> Vec<Line<'static>> {
    if others.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::default()];
    for other in others.iter().take(most) {
        let at = moment(other.exchange.started, cx.now(), &cx.session.info.zone);
        let (style, mark) = theme.outcome(other.exchange.outcome());
        let text = format!("{}; {at}", other.summary());
        lines.extend(hanging(Span::styled(format!("{mark} "), style), &text, width, 4, theme.dim));
    }
    let more = others.len().saturating_sub(most);
    let key = cx.key(Command::ItsRequests);
    let hint = match (more, cx.display.is_plain) {
        (0, true) => format!("{key} shows them whole"),
        (_, true) => format!("and {more} more; {key} shows them all"),
        (_, false) => {
            let close = cx.out.keys.shown_in(Scope::Pager, Command::Close);
            format!("{close}, then {key} shows them whole")
        }
    };
    lines.extend(wrapped_lines(&hint, 0, width, 2, theme.dim));
    lines
}

fn standing(row: &Row, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let (style, mark) = theme.state(row.state, cx.display.turn);
    // Only a person can have resolved what the last exchange that changed anything left open.
    let own = cx.session.selected_requests().map(|requests| requests.own).unwrap_or_default();
    let counts = |outcome: &Outcome| matches!(outcome, Outcome::Accepted | Outcome::Unknown);
    let by_hand = own.iter().map(|exchange| exchange.outcome()).find(counts) == Some(Outcome::Unknown);
    let meaning = match row.state {
        State::Stored if by_hand => "marked as stored by a person",
        State::Stored => "the store has it, as far as is known",
        State::Unknown => "no proof whether the store has it",
        State::Adding => "its add is in flight",
        State::Deleting => "its delete is in flight",
    };
    let mut lines = headed(&format!("{mark} {}", row.state.word()), style, meaning, theme, width);
    if let Some(details) = &row.details {
        lines.extend(wrapped_lines(&format!("name  {}", details.name), 0, width, 3, theme.text));
        lines.extend(wrapped_lines(&format!("tag   {}", details.tag), 0, width, 2, theme.text));
    }
    lines
}

/// What is in flight for the plant: for how long, and its request.
fn in_flight(cx: &Context, theme: &Theme, width: usize, body_lines: usize) -> Vec<Line<'static>> {
    let Some((pending, request)) = cx.session.request_in_flight() else { return Vec::new() };
    let seconds = cx.now().0.saturating_sub(pending.operation.requested_at.0).max(0) / 1000;
    let words = if pending.cancelled {
        "cancelling …".to_owned()
    } else {
        format!("for {seconds} s; given up after {}", sentence::span(cx.session.info.timeout))
    };
    let (style, mark) = theme.state(State::Adding, cx.display.turn);
    let mut lines = vec![Line::default()];
    lines.extend(headed(&format!("{mark} in flight"), style, &words, theme, width));
    lines.extend(request_lines(&request, theme, width, Extent::Brief(body_lines)));
    lines
}

/// A word with its mark, and what it means.
fn headed(head: &str, style: Style, meaning: &str, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    hanging(Span::styled(format!("{head}  "), style), meaning, width, 3, theme.dim)
}

fn exchange_lines(
    exchange: &Exchange,
    cx: &Context,
    theme: &Theme,
    width: usize,
    body_lines: usize,
) -> Vec<Line<'static>> {
    let (style, mark) = theme.outcome(exchange.outcome());
    let at = moment(exchange.started, cx.now(), &cx.session.info.zone);
    let asked = exchange.operation.kind.word();
    let what = if exchange.elapsed.is_zero() {
        format!("{asked} at {at}")
    } else {
        format!("{asked} at {at}, took {}", sentence::span(exchange.elapsed))
    };
    let mut lines = headed(&format!("{mark} {}", exchange.outcome().word()), style, &what, theme, width);
    for difference in exchange.mismatches() {
        lines.extend(wrapped_lines(&format!("mismatch: {difference}"), 0, width, 4, theme.doubt));
    }
    if let Some(request) = &exchange.request {
        lines.extend(request_lines(request, theme, width, Extent::Brief(body_lines)));
    }
    let name = cx.session.plants.selected_row().and_then(Row::name);
    match exchange.response() {
        Some(response) => {
            lines.push(Line::default());
            lines.extend(response_lines(response, theme, style, width, Extent::Brief(body_lines)));
            lines.extend(end_lines(&response.body_end, theme, width));
        }
        None => {
            lines.push(Line::default());
            lines.extend(wrapped_lines(&sentence::describe(exchange, name), 0, width, 6, style));
        }
    }
    lines
}
