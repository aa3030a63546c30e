//! An exchange: its outcome, its phases, and both messages as they were on the wire.

use ratatui::text::{Line, Span};

use super::phases;
use super::wire::{self, Extent};
use crate::domain::{Exchange, Request, sentence};
use crate::journal::StoredExchange;
use crate::text::body::Body;
use crate::text::clean_fit;
use crate::tui::context::Context;
use crate::tui::widgets::page::Page;
use crate::tui::widgets::sheet::Sheet;
use crate::tui::widgets::theme::Theme;

/// Lines of one body in the pane.
const PANE_BODY_LINES: usize = 8;

/// An exchange in brief, for a pane.
pub(crate) fn brief(stored: &StoredExchange, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut page = Page::new(theme, width);
    let extent = Extent::Brief(PANE_BODY_LINES);
    summary(&mut page, stored, cx);
    request_part(&mut page, stored.exchange.request.as_ref(), extent);
    response_part(&mut page, Some(&stored.exchange), extent);
    page.lines
}

/// An exchange in full, with the bodies of request and response.
pub(crate) fn whole<'a>(
    stored: &StoredExchange,
    [of_request, of_response]: &'a [Body; 2],
    cx: &Context,
    theme: &Theme,
    width: usize,
) -> Sheet<'a> {
    let [mut above, mut between, mut below] = [(); 3].map(|()| Page::new(theme, width));
    summary(&mut above, stored, cx);
    request_part(&mut above, stored.exchange.request.as_ref(), Extent::Head);
    response_part(&mut between, Some(&stored.exchange), Extent::Head);
    if let Some(response) = stored.exchange.response() {
        wire::body_end(&mut below, &response.body_end);
    }
    Sheet::new(width).rows(above.lines).body(of_request).rows(between.lines).body(of_response).rows(below.lines)
}

/// `add Monstera (7)`
pub(crate) fn about(stored: &StoredExchange) -> String {
    sentence::about(&stored.exchange.operation.kind, stored.name())
}

/// Adds outcome, mismatches, time, duration and phases.
fn summary(page: &mut Page<'_>, stored: &StoredExchange, cx: &Context) {
    let (exchange, theme) = (&stored.exchange, page.theme);
    let (style, mark) = theme.outcome(exchange.outcome());
    let head = Span::styled(format!("{mark} {}  ", exchange.outcome().word()), style);
    page.hanging(head, &sentence::describe(exchange, stored.name()), 6, theme.text);
    mismatches(page, exchange);
    let mut facts = vec![format!("began {}", cx.moment(exchange.started))];
    if !exchange.elapsed.is_zero() {
        facts.push(format!("took {}", sentence::span(exchange.elapsed)));
    }
    if let Some(response) = exchange.response().filter(|response| !response.body.is_empty()) {
        let coding = response.coding().map(|coding| format!(", compressed with {}", clean_fit(coding, 20)));
        facts.push(format!("{} bytes of body{}", response.body.len(), coding.unwrap_or_default()));
    }
    page.dim(&facts.join(", "), 2);
    page.lines.extend(phases::lines(exchange, theme, page.width));
}

pub(super) fn mismatches(page: &mut Page<'_>, exchange: &Exchange) {
    for difference in exchange.mismatches() {
        page.words(&format!("mismatch: {difference}"), 4, page.theme.warning);
    }
}

/// Adds the request under its heading, if it is stored.
pub(crate) fn request_part(page: &mut Page<'_>, request: Option<&Request>, extent: Extent) {
    page.rule("Request");
    match request {
        Some(request) => wire::request(page, request, extent),
        None => page.dim("No request is stored.", 2),
    }
}

/// Adds the response under its heading; there is no exchange while the request is in flight.
pub(crate) fn response_part(page: &mut Page<'_>, exchange: Option<&Exchange>, extent: Extent) {
    page.rule("Response");
    match exchange.map(|exchange| (exchange.response(), page.theme.outcome(exchange.outcome()))) {
        Some((Some(response), (style, _))) => wire::response(page, response, style, extent),
        Some((None, _)) => page.dim("No readable response.", 2),
        None => page.dim("None yet.", 2),
    }
}
