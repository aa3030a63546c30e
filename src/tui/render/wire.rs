//! Requests and responses as they were on the wire: first line, headers, and the beginning of their bodies.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::text::{clean_fit, clean_lines};
use crate::domain::{BodyEnd, Header, Request, Response, wire};
use crate::tui::widgets::text::wrapped_lines;
use crate::tui::widgets::theme::Theme;

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

/// The lines of a request; its token is masked.
pub(crate) fn request_lines(request: &Request, theme: &Theme, width: usize, extent: Extent) -> Vec<Line<'static>> {
    let mut lines = wrapped_lines(&wire::request_line(request), 0, width, extent.rows(3), theme.title);
    lines.extend(header_lines(&request.headers, theme, width, extent));
    lines.extend(beginning(request.body.as_deref().unwrap_or_default().as_bytes(), theme, width, extent));
    lines
}

/// The lines of a response, with the status line in a style.
pub(crate) fn response_lines(
    response: &Response,
    theme: &Theme,
    style: Style,
    width: usize,
    extent: Extent,
) -> Vec<Line<'static>> {
    let first = match extent {
        Extent::Brief(_) => clean_fit(&wire::status_line_text(response), STATUS_LINE),
        Extent::Head => wire::status_line_text(response),
    };
    let mut lines = wrapped_lines(&first, 0, width, extent.rows(2), style);
    lines.extend(header_lines(&response.headers, theme, width, extent));
    lines.extend(beginning(&response.body, theme, width, extent));
    lines
}

impl Extent {
    /// The rows of a part: as many as given in brief, else all.
    fn rows(self, brief: usize) -> usize {
        match self {
            Self::Brief(_) => brief,
            Self::Head => usize::MAX,
        }
    }
}

fn header_lines(headers: &[Header], theme: &Theme, width: usize, extent: Extent) -> Vec<Line<'static>> {
    let line = |header| wrapped_lines(&wire::header_line(header), 0, width, extent.rows(3), theme.dim);
    headers.iter().flat_map(line).collect()
}

/// An empty line and the beginning of the body, if there is one.
fn beginning(body: &[u8], theme: &Theme, width: usize, extent: Extent) -> Vec<Line<'static>> {
    let Extent::Brief(rows) = extent else { return Vec::new() };
    if body.is_empty() {
        return Vec::new();
    }
    let beginning = body.get(..BRIEF_BYTES).unwrap_or(body);
    let mut lines = vec![Line::default()];
    lines.extend(wrapped_lines(&clean_lines(beginning), 0, width, rows, theme.text));
    if beginning.len() < body.len() {
        lines.push(Line::from(Span::styled(format!("… {} bytes in all", body.len()), theme.dim)));
    }
    lines
}

/// Explains an incomplete body; no lines if it is complete.
pub(crate) fn end_lines(end: &BodyEnd, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let (words, style) = match end {
        BodyEnd::Complete => return Vec::new(),
        BodyEnd::Trimmed => ("request and response are no longer stored".to_owned(), theme.dim),
        BodyEnd::Capped(cap) => (format!("only the first {cap} bytes are stored"), theme.doubt),
        BodyEnd::CutOff(why) => (format!("the response breaks off here: {why}"), theme.doubt),
    };
    wrapped_lines(&words, 0, width, 3, style)
}
