//! Requests and answers as they were on the wire: first line, headers, and their bodies in brief.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::text::{clean_fit, clean_lines};
use crate::domain::{BodyEnd, Header, Request, Response, wire};
use crate::tui::widgets::text::wrapped_lines;
use crate::tui::widgets::theme::Theme;

/// How much of a message is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The beginning of its body, in so many lines.
    Brief(usize),
    /// All of it but its body.
    Head,
}

/// Bytes of a body that are looked at for its beginning; the rest is counted.
const BRIEF_BYTES: usize = 16 * 1024;

/// Columns of a response's first line in brief: its reason phrase may be of any length.
const STATUS_LINE: usize = 53;

/// A request, token masked.
pub(crate) fn request_lines(request: &Request, theme: &Theme, width: usize, extent: Extent) -> Vec<Line<'static>> {
    let mut lines = wrapped_lines(&wire::request_line(request), 0, width, extent.rows(3), theme.title);
    lines.extend(header_lines(&request.headers, theme, width, extent));
    lines.extend(beginning(request.body.as_deref().unwrap_or_default().as_bytes(), theme, width, extent));
    lines
}

/// A response, its first line in this style.
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
    /// Rows of a part that has so many in brief.
    fn rows(self, brief: usize) -> usize {
        match self {
            Self::Brief(_) => brief,
            Self::Head => usize::MAX,
        }
    }
}

fn header_lines(headers: &[Header], theme: &Theme, width: usize, extent: Extent) -> Vec<Line<'static>> {
    let told = |header| wrapped_lines(&wire::header_line(header), 0, width, extent.rows(3), theme.dim);
    headers.iter().flat_map(told).collect()
}

/// An empty line and the beginning of the body, if that is wanted and there is one.
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

/// What there is to say of how a body ended.
pub(crate) fn end_lines(end: &BodyEnd, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let (words, style) = match end {
        BodyEnd::Complete => return Vec::new(),
        BodyEnd::Trimmed => ("request and response are not kept any more".to_owned(), theme.dim),
        BodyEnd::Capped(cap) => (format!("cut: only the first {cap} bytes are kept"), theme.doubt),
        BodyEnd::CutOff(why) => (format!("the response breaks off here: {why}"), theme.doubt),
    };
    wrapped_lines(&words, 0, width, 3, style)
}
