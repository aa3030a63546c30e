//! A request or response body, split into lines for display.
//!
//! Splits once, so that a screen draws only the lines in sight. Must not know how lines are drawn.

use unicode_width::UnicodeWidthStr;

use super::clean::clean_lines;
use super::json::{self, Kind};

/// One line of a body, safe to print on a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyLine {
    /// The text from left to right, with the JSON token kind of each part; `None` for text that is not JSON.
    pub parts: Vec<(Option<Kind>, String)>,
    /// The width of all parts together, in terminal columns.
    pub columns: usize,
}

/// The lines of a body; an empty body has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    pub lines: Vec<BodyLine>,
}

impl Body {
    /// Formats JSON with one value on each line, its tokens unchanged. Any other text keeps its own lines.
    pub fn laid_out(bytes: &[u8]) -> Self {
        json::lines(bytes).map_or_else(|| Self::raw(bytes), Self::of_json)
    }

    /// Keeps the lines as received, with control characters made visible.
    pub fn raw(bytes: &[u8]) -> Self {
        if bytes.is_empty() {
            return Self::default();
        }
        let plain = |line: &str| BodyLine::plain(line.to_owned());
        let text = || Self { lines: clean_lines(bytes).split('\n').map(plain).collect() };
        Self::own_json(bytes).unwrap_or_else(text)
    }

    /// Keeps the lines of JSON as received; `None` for any other text.
    pub fn own_json(bytes: &[u8]) -> Option<Self> {
        json::own_lines(bytes).map(Self::of_json)
    }

    fn of_json(lines: Vec<Vec<json::Piece>>) -> Self {
        let line = |pieces: Vec<json::Piece>| {
            BodyLine::of(pieces.into_iter().map(|(kind, text)| (Some(kind), text)).collect())
        };
        Self { lines: lines.into_iter().map(line).collect() }
    }
}

impl BodyLine {
    pub fn plain(text: String) -> Self {
        Self::of(vec![(None, text)])
    }

    fn of(parts: Vec<(Option<Kind>, String)>) -> Self {
        let columns = parts.iter().map(|(_, text)| text.width()).sum();
        Self { parts, columns }
    }

    pub fn text(&self) -> String {
        self.parts.iter().map(|(_, text)| text.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(body: &Body) -> Vec<String> {
        body.lines.iter().map(BodyLine::text).collect()
    }

    #[test]
    fn json_gets_one_line_per_value_and_other_text_keeps_its_lines() {
        let body = br#"{"a":[1,"x"]}"#;
        let laid_out = Body::laid_out(body);
        assert_eq!(text(&laid_out), ["{", r#"  "a": ["#, "    1,", r#"    "x""#, "  ]", "}"]);
        assert_eq!(laid_out.lines[1].columns, 8);
        assert_eq!(text(&Body::raw(body)), [r#"{"a":[1,"x"]}"#]);
        let other = Body::laid_out("漢字\r\n\u{1b}[2J".as_bytes());
        assert_eq!(text(&other), ["漢字␍", "␛[2J"]);
        assert_eq!(other.lines[0].columns, 5);
        assert_eq!(Body::laid_out(b"").lines, []);
    }
}
