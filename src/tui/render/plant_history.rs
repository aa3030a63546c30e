//! The history of the selected plant: its state, and its last requests and responses.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::exchange::{mismatches, no_response, summary};
use super::plant_table::shown;
use super::wire;
use crate::domain::simple_words::other_member;
use crate::domain::{Exchange, Language, Outcome, RelatedExchange, Row, State, sentence};
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::widgets::page::Page;
use crate::tui::widgets::theme::Theme;

/// How much of the history is shown.
pub(crate) struct Extent {
    exchanges: usize,
    /// Lines of one body, at most.
    body_lines: usize,
    /// Whether each exchange is described, with its phases.
    in_full: bool,
    /// Shows the other exchanges.
    more: Command,
}

pub(crate) const PANE: Extent = Extent { exchanges: 1, body_lines: 8, in_full: false, more: Command::Open };
pub(crate) const WHOLE: Extent = Extent { exchanges: 20, body_lines: 40, in_full: true, more: Command::ItsRequests };

/// Requests for other plants with the same id that the pane lists, at most.
const OTHERS: usize = 3;

/// The name and id of the selected plant.
pub(crate) fn title(cx: &Context) -> String {
    cx.session.plants.selected_row().map_or_else(|| "No plant selected".to_owned(), sentence::row_called)
}

pub(crate) fn lines(cx: &Context, theme: &Theme, width: usize, extent: &Extent) -> Vec<Line<'static>> {
    let mut page = Page::new(theme, width);
    let Some(row) = cx.session.plants.selected_row() else {
        page.dim("The selected plant's last request and its response are shown here.", 3);
        return page.lines;
    };
    state(&mut page, row, cx);
    in_flight(&mut page, cx, extent.body_lines);
    let Some(requests) = cx.session.selected_requests() else { return page.lines };
    for exchange in requests.own.iter().take(extent.exchanges) {
        page.blank();
        own(&mut page, exchange, row.name(), cx, extent);
    }
    let more = requests.own.len().saturating_sub(extent.exchanges);
    if more > 0 {
        page.blank();
        let them = if more == 1 { "it" } else { "them" };
        page.dim(&format!("{more} earlier; {} shows {them}", cx.key(extent.more)), 1);
    }
    others(&mut page, &requests.others, cx, extent.exchanges.max(OTHERS));
    page.lines
}

/// Lists `most` requests for other plants with the same id.
fn others(page: &mut Page<'_>, others: &[RelatedExchange<'_>], cx: &Context, most: usize) {
    if others.is_empty() {
        return;
    }
    page.blank();
    for other in others.iter().take(most) {
        let at = cx.moment(other.exchange.started);
        let (style, mark) = page.theme.outcome(other.exchange.outcome());
        let text = format!("{}; {at}", other.summary());
        page.hanging(Span::styled(format!("{mark} "), style), &text, 4, page.theme.dim);
    }
    let more = others.len().saturating_sub(most);
    let key = cx.key(Command::ItsRequests);
    let hint = match more {
        0 => format!("{key} shows them in full"),
        _ => format!("and {more} more; {key} shows them all"),
    };
    page.dim(&hint, 2);
}

fn state(page: &mut Page<'_>, row: &Row, cx: &Context) {
    let (style, mark) = page.theme.state(row.state, cx.display.turn);
    // A plant that is stored after an unknown outcome was resolved by a person.
    let own = cx.session.selected_requests().map(|requests| requests.own).unwrap_or_default();
    let counts = |outcome: &Outcome| matches!(outcome, Outcome::Accepted | Outcome::Unknown);
    let was_resolved = own.iter().map(|exchange| exchange.outcome()).find(counts) == Some(Outcome::Unknown);
    let meaning = match row.state {
        State::Stored if was_resolved => "marked as stored by a person",
        State::Stored => "the store should have it",
        State::Unknown => "no proof whether the store has it",
        State::Adding => "its add is in flight",
        State::Deleting => "its delete is in flight",
    };
    headed(page, &format!("{mark} {}", row.state.word()), style, meaning);
    if let Some(details) = &row.details {
        // Whole, as a list cuts them.
        page.words(&format!("name  {}", shown(&details.name)), usize::MAX, page.theme.text);
        page.words(&format!("tag   {}", shown(&details.tag)), usize::MAX, page.theme.text);
    }
}

/// Adds the operation in flight for the plant: since when, and its request.
fn in_flight(page: &mut Page<'_>, cx: &Context, body_lines: usize) {
    let Some(pending) = cx.session.selected_pending() else { return };
    let request = cx.session.info.request(&pending.operation.kind);
    let seconds = cx.now().0.saturating_sub(pending.operation.requested_at.0).max(0) / 1000;
    let words = if pending.cancelled {
        "cancelling …".to_owned()
    } else {
        format!("for {seconds} s; times out after {}", sentence::span(cx.session.info.timeout))
    };
    let (style, mark) = page.theme.state(State::Adding, cx.display.turn);
    page.blank();
    headed(page, &format!("{mark} in flight"), style, &words);
    wire::request(page, &request, body_lines);
}

/// Adds a state or outcome with its mark, and its meaning.
fn headed(page: &mut Page<'_>, head: &str, style: Style, meaning: &str) {
    page.hanging(Span::styled(format!("{head}  "), style), meaning, 3, page.theme.dim);
}

/// Adds a request for this very plant.
fn own(page: &mut Page<'_>, exchange: &Exchange, name: Option<&str>, cx: &Context, extent: &Extent) {
    if extent.in_full {
        page.rule(exchange.operation.kind.word());
        summary(page, exchange, name, cx);
        return wire::messages(page, exchange, "", &no_response(exchange, Language::En), extent.body_lines);
    }
    let (style, mark) = page.theme.outcome(exchange.outcome());
    let at = cx.moment(exchange.started);
    let took =
        if exchange.elapsed.is_zero() { String::new() } else { format!(", took {}", sentence::span(exchange.elapsed)) };
    let other = other_member(exchange.operation.author.as_ref());
    let by = other.map(|name| format!(" by {name}")).unwrap_or_default();
    let what = format!("{}{by} at {at}{took}", exchange.operation.kind.word());
    headed(page, &format!("{mark} {}", exchange.outcome().word()), style, &what);
    mismatches(page, exchange);
    wire::messages(page, exchange, "", &cx.session.described(exchange, name), extent.body_lines);
}
