//! One exchange as `curl -v` shows it: `> ` before what was sent, `< ` before what was received, `* ` before a note, and
//! bodies as they are.
//!
//! Credentials are masked, and text from outside is clean. Must not know where the lines go.

use ratatui::text::Line;

use crate::domain::sentence::{body_ended, failed_because};
use crate::domain::wire::{self, HttpMessage};
use crate::domain::{Ending, Exchange};
use crate::text::{Marks, clean, clean_lines};
use crate::tui::widgets::theme::Theme;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Note,
    RequestLine,
    StatusLine,
    Header,
    Body,
}

/// Returns the lines of an exchange, for any output.
pub(super) fn lines(exchange: &Exchange, marks: Marks) -> Vec<String> {
    parts(exchange, marks).into_iter().map(|(_, line)| line).collect()
}

/// The most characters of a body line that are said.
const SPOKEN: usize = 4096;

/// Returns the same lines for a person who listens: in words in place of the marks, and without the rest of a long line.
pub(super) fn spoken(exchange: &Exchange, marks: Marks) -> Vec<String> {
    let said = |(part, line): (Part, String)| match part {
        Part::RequestLine => line.replacen('>', "Request:", 1),
        Part::StatusLine => line.replacen('<', "Response:", 1),
        Part::Note | Part::Header => line.trim_start_matches(['*', '>', '<']).trim_start().to_owned(),
        Part::Body => match line.char_indices().nth(SPOKEN) {
            Some((end, _)) => format!("{} … The rest of the line is left out.", line.split_at(end).0),
            None => line,
        },
    };
    parts(exchange, marks).into_iter().map(said).collect()
}

/// Returns the same lines in the styles of the History tab.
pub(super) fn styled(exchange: &Exchange, theme: &Theme) -> Vec<Line<'static>> {
    let style = |part| match part {
        Part::Note => theme.warning,
        Part::RequestLine => theme.title,
        Part::StatusLine => theme.outcome(exchange.outcome()).0,
        Part::Header => theme.dim,
        Part::Body => theme.text,
    };
    parts(exchange, theme.marks).into_iter().map(|(part, line)| Line::styled(line, style(part))).collect()
}

fn parts(exchange: &Exchange, marks: Marks) -> Vec<(Part, String)> {
    let purpose = exchange.operation.purpose();
    let mut parts: Vec<_> = purpose.map(|purpose| (Part::Note, format!("* check: {purpose}"))).into_iter().collect();
    match &exchange.request {
        None => parts.push((Part::Note, "* No request is stored.".to_owned())),
        Some(request) => message(&mut parts, (Part::RequestLine, '>'), &request.into(), marks),
    }
    match &exchange.ending {
        Ending::Failed(failure) => {
            let why = failed_because(failure.kind, exchange.elapsed);
            let detail =
                if failure.detail.is_empty() { String::new() } else { format!(" ({})", clean(&failure.detail)) };
            parts.push((Part::Note, format!("* No response came: {why}{detail}.")));
        }
        Ending::Responded(response) => {
            message(&mut parts, (Part::StatusLine, '<'), &response.into(), marks);
            parts.extend(body_ended(&response.body_end).map(|why| (Part::Note, format!("* {why}"))));
        }
    }
    parts
}

/// Adds the first line, the headers, an empty line, and the lines of the body.
fn message(parts: &mut Vec<(Part, String)>, (first, mark): (Part, char), message: &HttpMessage<'_>, marks: Marks) {
    let line = |text: &str| format!("{mark} {}", clean(&marks.exact(text)));
    parts.push((first, line(&message.first)));
    parts.extend(message.headers.iter().map(|header| (Part::Header, line(&wire::masked_header_line(header)))));
    parts.push((Part::Header, mark.to_string()));
    if !message.body.is_empty() {
        let body = marks.exact_bytes(message.body.strip_suffix(b"\n").unwrap_or(message.body));
        parts.extend(clean_lines(&body).split('\n').map(|line| (Part::Body, line.to_owned())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::tests::exchanges;
    use crate::tui::widgets::theme::Palette;

    #[test]
    fn an_exchange_is_shown_as_curl_shows_it() {
        let [accepted, binary, cut, failed, unsent] = exchanges();
        assert_eq!(
            lines(&accepted, Marks::Unicode),
            [
                "> POST /plants HTTP/1.1",
                "> host: h",
                "> authorization: ********",
                "> x-api-key: ********",
                ">",
                r#"{"name":"Fern","id":7,"tag":""}"#,
                "< HTTP/1.1 201 Created",
                "< content-type: application/json",
                "< set-cookie: ********",
                "<",
                "{",
                "  \"id\": 7",
                "}",
            ]
        );
        assert_eq!(
            spoken(&accepted, Marks::Unicode)[..7],
            [
                "Request: POST /plants HTTP/1.1",
                "host: h",
                "authorization: ********",
                "x-api-key: ********",
                "",
                r#"{"name":"Fern","id":7,"tag":""}"#,
                "Response: HTTP/1.1 201 Created",
            ]
        );
        assert_eq!(
            spoken(&failed, Marks::Unicode).last().unwrap(),
            "No response came: no response within 12 ms (why␛)."
        );
        assert_eq!(lines(&binary, Marks::Unicode).last().map(String::as_str), Some("␛[2J\\xff␀"));
        assert_eq!(lines(&binary, Marks::Ascii).last().map(String::as_str), Some("\\u001b[2J\\xff\\u0000"));
        assert_eq!(
            lines(&cut, Marks::Unicode).last().map(String::as_str),
            Some("* The response is longer than 4 bytes; the rest was not stored.")
        );
        assert_eq!(
            lines(&failed, Marks::Unicode).last().map(String::as_str),
            Some("* No response came: no response within 12 ms (why␛).")
        );
        assert_eq!(
            lines(&unsent, Marks::Unicode),
            ["* No request is stored.", "* No response came: the request could not be built (why␛)."]
        );
    }

    #[test]
    fn styles_change_no_text() {
        let theme = Theme::default().on(Palette::Dark);
        for exchange in exchanges() {
            let styled: Vec<_> = styled(&exchange, &theme).iter().map(ToString::to_string).collect();
            assert_eq!(styled, lines(&exchange, Marks::Unicode));
            assert!(!styled.concat().contains("CANARY"), "{styled:?}");
        }
    }
}
