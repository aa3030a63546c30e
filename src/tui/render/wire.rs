//! Requests and responses as text: first line, headers, and the beginning of their bodies.

use ratatui::style::Style;

use crate::domain::sentence::body_ended;
use crate::domain::wire::{HttpMessage, header_line};
use crate::domain::{BodyEnd, Exchange, Header, Request, Response};
use crate::text::number_format::counted;
use crate::tui::widgets::page::Page;

/// Rows of a first line or a header in brief, at most.
const LINES: usize = 3;

/// Bytes of a body that are laid out for its beginning.
const BRIEF_BYTES: usize = 16 * 1024;

/// Adds both messages of an exchange in brief, and below them their headers; `otherwise` in the place of a response that
/// did not come. `which` is behind the headings: which of several requests it is, or nothing.
pub(crate) fn messages(page: &mut Page<'_>, exchange: &Exchange, which: &str, otherwise: &str, body_lines: usize) {
    let (style, _) = page.theme.outcome(exchange.outcome());
    if let Some(sent) = &exchange.request {
        page.rule(&format!("Request{which}"));
        request(page, sent, body_lines);
    }
    page.rule(&format!("Response{which}"));
    match exchange.response() {
        Some(received) => {
            message(page, received.into(), style, body_lines);
            body_end(page, received);
        }
        None => page.words(otherwise, 6, style),
    }
    both_headers(page, exchange, LINES);
}

/// Adds the headers of both messages, each list under its heading and each header in at most so many rows.
pub(crate) fn both_headers(page: &mut Page<'_>, exchange: &Exchange, rows: usize) {
    let of_request = exchange.request.as_ref().map(|request| ("Request headers", &request.headers));
    let of_response = exchange.response().map(|response| ("Response headers", &response.headers));
    for (heading, list) in of_request.into_iter().chain(of_response) {
        page.rule(heading);
        headers(page, list, rows);
    }
}

/// Adds a request line and the beginning of its body.
pub(crate) fn request(page: &mut Page<'_>, request: &Request, body_lines: usize) {
    let style = page.theme.title;
    message(page, request.into(), style, body_lines);
}

/// Adds the first line of a message, and the beginning of its body below an empty line.
fn message(page: &mut Page<'_>, HttpMessage { first, body, .. }: HttpMessage<'_>, style: Style, body_lines: usize) {
    page.exact(&first, LINES, style);
    beginning(page, body, body_lines);
}

/// Adds headers, each in at most so many rows; a token is masked already.
pub(crate) fn headers(page: &mut Page<'_>, headers: &[Header], rows: usize) {
    for header in headers {
        page.exact(&header_line(header), rows, page.theme.dim);
    }
}

/// Adds an empty line and the beginning of a body, if there is one.
pub(crate) fn beginning(page: &mut Page<'_>, body: &[u8], rows: usize) {
    if body.is_empty() {
        return;
    }
    let beginning = body.get(..BRIEF_BYTES).unwrap_or(body);
    page.blank();
    page.body(beginning, rows);
    if beginning.len() < body.len() {
        let rest = (body.len() - beginning.len()) as u64;
        page.dim(&format!("… {}", counted(rest, "more byte", "more bytes")), 1);
    }
}

/// Explains why a body is incomplete, if it is.
pub(crate) fn body_end(page: &mut Page<'_>, response: &Response) {
    if let Some(ended) = body_ended(&response.body_end) {
        let is_known = response.body_end == BodyEnd::Trimmed;
        page.words(&ended, 6, if is_known { page.theme.dim } else { page.theme.warning });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Ending, Operation, OperationId, OperationKind, Phases, PlantId, Response, Timestamp};
    use crate::text::Marks;
    use crate::tui::widgets::theme::{Depth, Palette, Theme};

    fn drawn(header: &str, body: Vec<u8>) -> Vec<String> {
        drawn_in(Marks::Unicode, header, body)
    }

    fn drawn_in(marks: Marks, header: &str, body: Vec<u8>) -> Vec<String> {
        let response = Response {
            status: 200,
            reason: "OK".into(),
            version: "HTTP/1.1".into(),
            headers: [Header { name: "x".into(), value: header.into() }].into(),
            body,
            body_end: BodyEnd::Complete,
        };
        let kind = OperationKind::Delete(PlantId(1));
        let operation = Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0));
        let failed = Exchange::failed(operation, crate::domain::FailureKind::TimedOut, String::new(), Timestamp(0));
        let exchange = Exchange { ending: Ending::Responded(response), phases: Phases::default(), ..failed };
        let theme = Theme::new(Palette::Dark, Depth::Many, marks);
        let mut page = Page::new(&theme, 40);
        messages(&mut page, &exchange, "", "", 2);
        page.lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_size_of_a_body_is_shown_if_only_its_beginning_is() {
        let whole = drawn("y", vec![b'b'; 16_384]);
        let [response, headers] =
            ["── Response ────────────────────────────", "── Response headers ────────────────────"];
        assert_eq!(whole[..3], [response, "HTTP/1.1 200 OK", ""]);
        assert_eq!(whole[5..], [headers, "x: y"]);
        let long = drawn("y", vec![b'b'; 16_385]);
        assert_eq!(long[..5], whole[..5]);
        assert_eq!(long[5..], ["… 1 more byte", headers, "x: y"]);
    }

    #[test]
    fn in_ascii_letters_of_a_message_are_escaped() {
        let rows = drawn_in(Marks::Ascii, "né", "{\"a\":\"ñ🌱\"}".into());
        assert_eq!((rows[3].as_str(), rows[5].as_str()), (r#"{"a":"\u00f1\ud83c\udf31"}"#, r"x: n\u00e9"));
        let rows = drawn_in(Marks::Ascii, "y", "ñ\u{1b}\tn".into());
        assert_eq!(rows[3], "\\u00f1\\u001b␉n");
    }

    #[test]
    fn in_brief_a_long_header_takes_three_lines() {
        assert_eq!(drawn(&"word ".repeat(60), Vec::new()).len(), 6);
    }

    #[test]
    fn json_is_cut_where_its_rows_end() {
        let rows = drawn("y", [b"[", "1,".repeat(60).as_bytes(), b"1]"].concat());
        assert_eq!(rows[3..6], [&format!("[{}1", "1,".repeat(19)), &format!(",{}1", "1,".repeat(19)), "…"]);
    }
}
