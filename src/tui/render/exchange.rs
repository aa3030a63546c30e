//! An exchange: its outcome, its phases, and both messages as text.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::phases;
use super::wire;
use crate::domain::language::Id;
use crate::domain::wire::HttpMessage;
use crate::domain::{Exchange, Language, Outcome, Request, sentence};
use crate::journal::StoredExchange;
use crate::text::body::Body;
use crate::text::clean_fit;
use crate::text::number_format::counted;
use crate::tui::context::Context;
use crate::tui::input::{Command, Scope};
use crate::tui::widgets::page::Page;
use crate::tui::widgets::sheet::Sheet;
use crate::tui::widgets::theme::Theme;

/// Lines of one body in the pane.
const PANE_BODY_LINES: usize = 8;

/// Says in the place of a response why there is none.
pub(super) fn no_response(exchange: &Exchange, language: Language) -> String {
    let is_sent = exchange.outcome() != Outcome::NotSent;
    language.label(if is_sent { Id::NoReadableResponse } else { Id::NothingSent })
}

/// An exchange in brief, for a pane.
pub(crate) fn brief(stored: &StoredExchange, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut page = Page::new(theme, width);
    summary(&mut page, &stored.exchange, stored.name(), cx);
    let no_response = no_response(&stored.exchange, Language::En);
    wire::messages(&mut page, &stored.exchange, "", &no_response, PANE_BODY_LINES);
    page.lines
}

/// How the messages of an exchange are shown in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    AsSent,
    /// With bodies laid out, and the headers below them.
    LaidOut {
        headers: bool,
    },
}

/// An exchange in full, with the bodies of request and response.
pub(crate) fn whole<'a>(
    stored: &StoredExchange,
    [of_request, of_response]: &'a [Body; 2],
    shape: Shape,
    cx: &Context,
    theme: &Theme,
    width: usize,
) -> Sheet<'a> {
    let [mut above, mut between, mut below] = [(); 3].map(|()| Page::new(theme, width));
    let exchange = &stored.exchange;
    let (request, response) = (exchange.request.as_ref(), exchange.response());
    summary(&mut above, exchange, stored.name(), cx);
    request_head(&mut above, request, shape == Shape::AsSent, Language::En);
    response_head(&mut between, Some(exchange), shape == Shape::AsSent, Language::En);
    if let Some(response) = response {
        wire::body_end(&mut below, response);
    }
    match shape {
        Shape::AsSent => {}
        Shape::LaidOut { headers: true } => wire::both_headers(&mut below, exchange, usize::MAX),
        Shape::LaidOut { headers: false } => {
            let key = cx.out.keys.shown_in(Scope::Inspector, Command::Headers);
            let lists = [request.map(|request| &request.headers), response.map(|response| &response.headers)];
            let count = lists.into_iter().flatten().map(|list| list.len() as u64).sum();
            below.rule("Headers");
            below.dim(&format!("{key} shows {}.", counted(count, "header", "headers")), 1);
        }
    }
    Sheet::new(width).rows(above.lines).body(of_request).rows(between.lines).body(of_response).rows(below.lines)
}

/// Adds both messages as text, with the beginnings of their bodies: first the response, which may contain
/// the reason of a rejection.
pub(crate) fn as_sent(
    page: &mut Page<'_>,
    request: Option<&Request>,
    exchange: Option<&Exchange>,
    body_lines: usize,
    language: Language,
) {
    response_head(page, exchange, true, language);
    if let Some(response) = exchange.and_then(Exchange::response) {
        wire::beginning(page, &response.body, body_lines);
        wire::body_end(page, response);
    }
    request_head(page, request, true, language);
    wire::beginning(page, request.map(|request| HttpMessage::from(request).body).unwrap_or_default(), body_lines);
}

/// `#42 add Monstera (7)`
pub(crate) fn about(stored: &StoredExchange) -> String {
    format!("#{} {}", stored.number, sentence::about(&stored.exchange.operation.kind, stored.name()))
}

/// Adds outcome, mismatches, time, duration and phases; `name` is that of the plant, if it is known.
pub(super) fn summary(page: &mut Page<'_>, exchange: &Exchange, name: Option<&str>, cx: &Context) {
    let theme = page.theme;
    let (style, mark) = theme.outcome(exchange.outcome());
    let head = Span::styled(format!("{mark} {}  ", exchange.outcome().word()), style);
    page.hanging(head, &cx.session.described(exchange, name), 6, theme.text);
    mismatches(page, exchange);
    let mut facts = vec![format!("began {}", cx.moment(exchange.started))];
    if !exchange.elapsed.is_zero() {
        facts.push(format!("took {}", sentence::span(exchange.elapsed)));
    }
    if let Some(response) = exchange.response().filter(|response| !response.body.is_empty()) {
        let coding = response.coding().map(|coding| format!(", compressed with {}", clean_fit(coding, 20)));
        facts.push(format!("{} bytes of body{}", response.length(), coding.unwrap_or_default()));
    }
    page.dim(&facts.join(", "), 2);
    if let Some(purpose) = exchange.operation.purpose() {
        page.dim(&format!("check: {purpose}"), 3);
    }
    page.lines.extend(phases::lines(exchange, theme, page.width));
}

pub(super) fn mismatches(page: &mut Page<'_>, exchange: &Exchange) {
    for difference in exchange.mismatches() {
        page.exact(&format!("mismatch: {difference}"), 4, page.theme.warning);
    }
}

/// Adds the request line under a heading, if the request is stored, and its headers if they are wanted.
fn request_head(page: &mut Page<'_>, request: Option<&Request>, with_headers: bool, language: Language) {
    let message = request.map(HttpMessage::from).ok_or_else(|| language.label(Id::NoRequestStored));
    head(page, &language.label(Id::Request), message, page.theme.title, with_headers);
}

/// Adds the status line likewise; there is no exchange while the request is in flight.
fn response_head(page: &mut Page<'_>, exchange: Option<&Exchange>, with_headers: bool, language: Language) {
    let style = exchange.map(|exchange| page.theme.outcome(exchange.outcome()).0).unwrap_or_default();
    let message = exchange
        .ok_or_else(|| language.label(Id::NoResponseYet))
        .and_then(|exchange| exchange.response().map(HttpMessage::from).ok_or_else(|| no_response(exchange, language)));
    head(page, &language.label(Id::Response), message, style, with_headers);
}

fn head(
    page: &mut Page<'_>,
    heading: &str,
    message: Result<HttpMessage<'_>, String>,
    style: Style,
    with_headers: bool,
) {
    page.rule(heading);
    match message {
        Err(why) => page.dim(&why, 2),
        Ok(HttpMessage { first, headers, .. }) => {
            page.exact(&first, usize::MAX, style);
            wire::headers(page, if with_headers { headers } else { &[] }, usize::MAX);
        }
    }
}
