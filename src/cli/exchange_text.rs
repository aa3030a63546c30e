//! One exchange as `curl -v` shows it: `> ` before what was sent, `< ` before what was received, `* ` before a note, and
//! bodies as they are.
//!
//! Credentials are masked, and text from outside is clean. Must not know where the lines go.

use ratatui::text::Line;

use crate::domain::sentence::{body_ended, failed_because};
use crate::domain::{Ending, Exchange, Header, wire};
use crate::text::{clean, clean_lines};
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
pub(super) fn lines(exchange: &Exchange) -> Vec<String> {
    parts(exchange).into_iter().map(|(_, line)| line).collect()
}

/// The most characters of a body line that are said.
const SPOKEN: usize = 4096;

/// Returns the same lines for a person who listens: in words in place of the marks, and without the rest of a long line.
pub(super) fn spoken(exchange: &Exchange) -> Vec<String> {
    let said = |(part, line): (Part, String)| match part {
        Part::RequestLine => line.replacen('>', "Request:", 1),
        Part::StatusLine => line.replacen('<', "Response:", 1),
        Part::Note | Part::Header => line.trim_start_matches(['*', '>', '<']).trim_start().to_owned(),
        Part::Body => match line.char_indices().nth(SPOKEN) {
            Some((end, _)) => format!("{} … The rest of the line is left out.", line.split_at(end).0),
            None => line,
        },
    };
    parts(exchange).into_iter().map(said).collect()
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
    parts(exchange).into_iter().map(|(part, line)| Line::styled(line, style(part))).collect()
}

fn parts(exchange: &Exchange) -> Vec<(Part, String)> {
    let mut parts = Vec::new();
    match &exchange.request {
        None => parts.push((Part::Note, "* No request is stored.".to_owned())),
        Some(request) => {
            parts.push((Part::RequestLine, format!("> {}", clean(&wire::request_line(request)))));
            message(&mut parts, '>', &request.headers, request.body.as_deref().unwrap_or_default().as_bytes());
        }
    }
    match &exchange.ending {
        Ending::Failed(failure) => {
            let why = failed_because(failure.kind, exchange.elapsed);
            let detail =
                if failure.detail.is_empty() { String::new() } else { format!(" ({})", clean(&failure.detail)) };
            parts.push((Part::Note, format!("* No response came: {why}{detail}.")));
        }
        Ending::Responded(response) => {
            parts.push((Part::StatusLine, format!("< {}", clean(&wire::status_line_text(response)))));
            message(&mut parts, '<', &response.headers, &response.body);
            parts.extend(body_ended(&response.body_end).map(|why| (Part::Note, format!("* {why}"))));
        }
    }
    parts
}

/// Adds the headers, an empty line, and the lines of the body.
fn message(parts: &mut Vec<(Part, String)>, direction: char, headers: &[Header], body: &[u8]) {
    let header = |header| (Part::Header, format!("{direction} {}", clean(&wire::masked_header_line(header))));
    parts.extend(headers.iter().map(header));
    parts.push((Part::Header, direction.to_string()));
    if !body.is_empty() {
        let body = clean_lines(body.strip_suffix(b"\n").unwrap_or(body));
        parts.extend(body.split('\n').map(|line| (Part::Body, line.to_owned())));
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
            lines(&accepted),
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
            spoken(&accepted)[..7],
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
        assert_eq!(spoken(&failed).last().unwrap(), "No response came: no response within 12 ms (why␛).");
        assert_eq!(lines(&binary).last().map(String::as_str), Some("␛[2J\\xff␀"));
        assert_eq!(
            lines(&cut).last().map(String::as_str),
            Some("* The response is longer than 4 bytes; the rest was not stored.")
        );
        assert_eq!(
            lines(&failed).last().map(String::as_str),
            Some("* No response came: no response within 12 ms (why␛).")
        );
        assert_eq!(
            lines(&unsent),
            ["* No request is stored.", "* No response came: the request could not be built (why␛)."]
        );
    }

    #[test]
    fn styles_change_no_text() {
        let theme = Theme::default().on(Palette::Dark);
        for exchange in exchanges() {
            let styled: Vec<_> = styled(&exchange, &theme).iter().map(ToString::to_string).collect();
            assert_eq!(styled, lines(&exchange));
            assert!(!styled.concat().contains("CANARY"), "{styled:?}");
        }
    }
}
