//! A body laid out for reading, once: a screen then draws of it only what is seen.

use unicode_width::UnicodeWidthStr;

use super::json::{self, Kind};
use super::text::clean_lines;

/// A line of a body, harmless to a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyLine {
    /// Its parts from left to right; what each is, in JSON.
    pub parts: Vec<(Option<Kind>, String)>,
    /// Columns of all of them in one row.
    pub columns: usize,
}

/// A body in lines; none, if it is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    pub lines: Vec<BodyLine>,
}

impl Body {
    /// A JSON text one value to a line, its tokens as they came; anything else as it came.
    pub fn laid_out(bytes: &[u8]) -> Self {
        let Some(lines) = json::lines(bytes) else { return Self::raw(bytes) };
        let line = |pieces: Vec<json::Piece>| {
            BodyLine::of(pieces.into_iter().map(|piece| (Some(piece.kind), piece.text)).collect())
        };
        Self { lines: lines.map(line).collect() }
    }

    /// As it came, with what a terminal would obey written out.
    pub fn raw(bytes: &[u8]) -> Self {
        if bytes.is_empty() {
            return Self::default();
        }
        let text = clean_lines(bytes);
        Self { lines: text.split('\n').map(|line| BodyLine::plain(line.to_owned())).collect() }
    }
}

impl BodyLine {
    /// A line that is one part.
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
    fn json_has_a_line_for_each_value_and_anything_else_its_own() {
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
