//! An exchange: its outcome, its phases, and both messages as they were on the wire.

use ratatui::text::{Line, Span};

use super::phases;
use super::wire::{Extent, end_lines, request_lines, response_lines};
use crate::domain::body::Body;
use crate::domain::text::clean_fit;
use crate::domain::{Request, sentence};
use crate::journal::StoredExchange;
use crate::tui::context::Context;
use crate::tui::widgets::sheet::Sheet;
use crate::tui::widgets::text::{hanging, rule, wrapped_lines};
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::moment;

/// Lines of one body in the pane.
const PANE_BODY_LINES: usize = 8;

/// An exchange in brief, for a pane.
pub(crate) fn brief(stored: &StoredExchange, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let brief = Extent::Brief(PANE_BODY_LINES);
    let mut lines = summary(stored, cx, theme, width);
    lines.extend(request_part(stored.exchange.request.as_ref(), theme, width, brief));
    lines.extend(response(stored, theme, width, brief));
    lines.extend(end(stored, theme, width));
    lines
}

/// An exchange in full, with the bodies of request and response.
pub(crate) fn whole<'a>(
    stored: &StoredExchange,
    bodies: &'a [Body; 2],
    cx: &Context,
    theme: &Theme,
    width: usize,
) -> Sheet<'a> {
    Sheet::new(width)
        .rows(summary(stored, cx, theme, width))
        .rows(request_part(stored.exchange.request.as_ref(), theme, width, Extent::Head))
        .body(&bodies[0])
        .rows(response(stored, theme, width, Extent::Head))
        .body(&bodies[1])
        .rows(end(stored, theme, width))
}

/// `add Monstera (7)`
pub(crate) fn about(stored: &StoredExchange) -> String {
    sentence::about(&stored.exchange.operation.kind, stored.name())
}

/// Outcome, mismatches, time, duration and phases.
fn summary(stored: &StoredExchange, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let exchange = &stored.exchange;
    let (style, mark) = theme.outcome(exchange.outcome());
    let head = Span::styled(format!("{mark} {}  ", exchange.outcome().word()), style);
    let mut lines = hanging(head, &sentence::describe(exchange, stored.name()), width, 6, theme.text);
    for difference in exchange.mismatches() {
        lines.extend(wrapped_lines(&format!("mismatch: {difference}"), 0, width, 4, theme.doubt));
    }
    let at = moment(exchange.started, cx.now(), &cx.session.info.zone);
    let mut facts = vec![format!("began {at}")];
    if !exchange.elapsed.is_zero() {
        facts.push(format!("took {}", sentence::span(exchange.elapsed)));
    }
    if let Some(response) = exchange.response().filter(|response| !response.body.is_empty()) {
        let coding = response.coding().map(|coding| format!(", compressed with {}", clean_fit(coding, 20)));
        facts.push(format!("{} bytes of body{}", response.body.len(), coding.unwrap_or_default()));
    }
    lines.extend(wrapped_lines(&facts.join(", "), 0, width, 2, theme.dim));
    lines.extend(phases::lines(exchange, theme, width));
    lines
}

/// The request under its heading, if it is stored.
pub(crate) fn request_part(
    request: Option<&Request>,
    theme: &Theme,
    width: usize,
    extent: Extent,
) -> Vec<Line<'static>> {
    let mut lines = vec![rule("Request", theme, width)];
    match request {
        Some(request) => lines.extend(request_lines(request, theme, width, extent)),
        None => lines.extend(wrapped_lines("No request is stored.", 0, width, 2, theme.dim)),
    }
    lines
}

fn response(stored: &StoredExchange, theme: &Theme, width: usize, extent: Extent) -> Vec<Line<'static>> {
    let mut lines = vec![rule("Response", theme, width)];
    let (style, _) = theme.outcome(stored.exchange.outcome());
    match stored.exchange.response() {
        Some(response) => lines.extend(response_lines(response, theme, style, width, extent)),
        None => lines.extend(wrapped_lines("None.", 0, width, 2, theme.dim)),
    }
    lines
}

fn end(stored: &StoredExchange, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    stored.exchange.response().map(|response| end_lines(&response.body_end, theme, width)).unwrap_or_default()
}
