//! Text made from top to bottom, wrapped into lines of one width.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::text::{flowing, hanging, wrapped_lines};
use super::theme::Theme;
use crate::text::body::Body;
use crate::text::clean_lines;

pub struct Page<'a> {
    pub theme: &'a Theme,
    pub width: usize,
    pub lines: Vec<Line<'static>>,
}

impl<'a> Page<'a> {
    pub fn new(theme: &'a Theme, width: usize) -> Self {
        Self { theme, width, lines: Vec::new() }
    }

    /// Adds text in at most `rows` rows.
    pub fn words(&mut self, text: &str, rows: usize, style: Style) {
        self.lines.extend(wrapped_lines(text, 0, self.width, rows, style));
    }

    /// The same in the style of secondary text.
    pub fn dim(&mut self, text: &str, rows: usize) {
        self.words(text, rows, self.theme.dim);
    }

    /// Adds text as it was sent.
    pub fn exact(&mut self, text: &str, rows: usize, style: Style) {
        self.words(&self.theme.marks.exact(text), rows, style);
    }

    /// Adds a body as it was sent in at most `rows` rows: JSON in its colours, other text wrapped.
    pub fn body(&mut self, bytes: &[u8], rows: usize) {
        let bytes = self.theme.marks.exact_bytes(bytes);
        let Some(json) = Body::own_json(&bytes) else {
            return self.words(&clean_lines(&bytes), rows, self.theme.text);
        };
        let lines = json.lines.iter().flat_map(|line| flowing(line, self.theme, self.width));
        let before = self.lines.len();
        self.lines.extend(lines.take(rows + 1));
        if self.lines.len() > before + rows {
            self.lines.truncate(before + rows);
            self.dim("…", 1);
        }
    }

    /// Adds text in at most `rows` rows, right of a head.
    pub fn hanging(&mut self, head: Span<'static>, text: &str, rows: usize, style: Style) {
        self.lines.extend(hanging(head, text, self.width, rows, style));
    }

    /// Adds a heading: a horizontal line with a word in it.
    pub fn rule(&mut self, word: &str) {
        let line = self.theme.mark("─", "-");
        let rest = self.width.saturating_sub(word.width() + 4);
        self.lines.push(Line::from(vec![
            Span::styled(line.repeat(2), self.theme.border),
            Span::styled(format!(" {word} "), self.theme.title),
            Span::styled(line.repeat(rest), self.theme.border),
        ]));
    }

    pub fn blank(&mut self) {
        self.lines.push(Line::default());
    }
}
