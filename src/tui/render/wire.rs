//! Requests and responses as they were on the wire: first line, headers, and the beginning of their bodies.

use ratatui::style::Style;

use crate::domain::{BodyEnd, Exchange, Header, Request, Response, wire};
use crate::text::{clean_fit, clean_lines};
use crate::tui::widgets::page::Page;

/// How much of a message is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// With the beginning of its body, in at most so many lines.
    Brief(usize),
    /// In full, without its body.
    Head,
}

/// Bytes of a body that are laid out for its beginning.
const BRIEF_BYTES: usize = 16 * 1024;

/// Columns of a status line in brief: its reason phrase may have any length.
const STATUS_LINE: usize = 53;

impl Extent {
    /// The rows of a part: as many as given in brief, else all.
    fn rows(self, brief: usize) -> usize {
        match self {
            Self::Brief(_) => brief,
            Self::Head => usize::MAX,
        }
    }
}

/// Adds both messages of an exchange in brief; `otherwise` in the place of a response that did not come.
pub(crate) fn messages(page: &mut Page<'_>, exchange: &Exchange, otherwise: &str, body_lines: usize) {
    let extent = Extent::Brief(body_lines);
    let (style, _) = page.theme.outcome(exchange.outcome());
    if let Some(sent) = &exchange.request {
        request(page, sent, extent);
        page.blank();
    }
    match exchange.response() {
        Some(received) => response(page, received, style, extent),
        None => page.words(otherwise, 6, style),
    }
}

/// Adds a request; its token is masked.
pub(crate) fn request(page: &mut Page<'_>, request: &Request, extent: Extent) {
    page.words(&wire::request_line(request), extent.rows(3), page.theme.title);
    headers(page, &request.headers, extent);
    beginning(page, request.body.as_deref().unwrap_or_default().as_bytes(), extent);
}

/// Adds a response, with the status line in a style; in brief, also how its body ended.
pub(crate) fn response(page: &mut Page<'_>, response: &Response, style: Style, extent: Extent) {
    let status_line = wire::status_line_text(response);
    match extent {
        Extent::Brief(_) => page.words(&clean_fit(&status_line, STATUS_LINE), 2, style),
        Extent::Head => page.words(&status_line, usize::MAX, style),
    }
    headers(page, &response.headers, extent);
    beginning(page, &response.body, extent);
    if extent != Extent::Head {
        body_end(page, &response.body_end);
    }
}

fn headers(page: &mut Page<'_>, headers: &[Header], extent: Extent) {
    for header in headers {
        page.dim(&wire::header_line(header), extent.rows(3));
    }
}

/// Adds an empty line and the beginning of the body, if there is one.
fn beginning(page: &mut Page<'_>, body: &[u8], extent: Extent) {
    let Extent::Brief(rows) = extent else { return };
    if body.is_empty() {
        return;
    }
    let beginning = body.get(..BRIEF_BYTES).unwrap_or(body);
    page.blank();
    page.words(&clean_lines(beginning), rows, page.theme.text);
    if beginning.len() < body.len() {
        page.dim(&format!("… {} bytes in all", body.len()), 1);
    }
}

/// Explains why a body is incomplete, if it is.
pub(crate) fn body_end(page: &mut Page<'_>, end: &BodyEnd) {
    match end {
        BodyEnd::Complete => {}
        BodyEnd::Trimmed => page.dim("request and response are no longer stored", 3),
        BodyEnd::Capped(cap) => page.words(&format!("only the first {cap} bytes are stored"), 3, page.theme.warning),
        BodyEnd::CutOff(why) => page.words(&format!("the response breaks off here: {why}"), 3, page.theme.warning),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::widgets::theme::{Depth, Marks, Palette, Theme};

    fn drawn(response: &Response, extent: Extent) -> Vec<String> {
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let mut page = Page::new(&theme, 40);
        super::response(&mut page, response, Style::new(), extent);
        page.lines.iter().map(ToString::to_string).collect()
    }

    fn response(header: &str, body: Vec<u8>) -> Response {
        Response {
            status: 200,
            reason: "OK".into(),
            version: "HTTP/1.1".into(),
            headers: [Header { name: "x".into(), value: header.into() }].into(),
            body,
            body_end: BodyEnd::Complete,
        }
    }

    #[test]
    fn the_size_of_a_body_is_shown_if_only_its_beginning_is() {
        let with_body = |bytes| drawn(&response("y", vec![b'b'; bytes]), Extent::Brief(2));
        let whole = with_body(16_384);
        assert_eq!(whole[..3], ["HTTP/1.1 200 OK", "x: y", ""]);
        assert_eq!(whole.len(), 5);
        let long = with_body(16_385);
        assert_eq!(long[..5], whole[..]);
        assert_eq!(long[5..], ["… 16385 bytes in all"]);
    }

    #[test]
    fn in_brief_a_long_header_takes_three_lines() {
        let long = response(&"word ".repeat(60), Vec::new());
        assert_eq!(drawn(&long, Extent::Brief(2)).len(), 4);
        assert!(drawn(&long, Extent::Head).len() > 8);
    }
}
