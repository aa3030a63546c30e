//! A list to choose from, filtered by what is typed: an input, and the matching lines below it.
//!
//! The lines are the component's own; the picker keeps the input and which line is marked.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::List;

use super::canvas::{Canvas, below};
use super::form::visible_part;
use super::text::{fitted, wrapped_lines};
use super::text_input::TextInput;
use crate::domain::text::in_lower_case;
use crate::tui::input::Command;
use crate::tui::message::Target;

/// Columns and rows where the terminal is large enough: the same for few lines as for many, so that the box does not
/// change its size while one types.
const SIZE: (u16, u16) = (110, 24);
/// The part of a wide terminal that the box takes, in fifths: the lines of most lists are longer than [`SIZE`].
const FIFTHS: u16 = 4;

/// Before the input.
const LABEL: &str = "  find  ";

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picker {
    pub text: TextInput,
    /// The line that Enter takes.
    pub marked: usize,
    /// Whether no line is marked until a person goes to one.
    pub is_unmarked: bool,
    /// Lines that fit on screen.
    page: usize,
}

/// Makes the line at an index, of so many columns.
pub type MakeLine<'a> = Box<dyn Fn(usize, usize) -> Line<'static> + 'a>;

/// What is drawn of a picker besides its input.
pub struct Shown<'a> {
    pub title: &'static str,
    /// In the input while it is empty.
    pub hint: &'static str,
    /// Between the input and the lines.
    pub note: Option<(String, Style)>,
    /// Number of lines that match the input.
    pub count: usize,
    /// In the place of the lines where none matches.
    pub empty: &'static str,
    pub line: MakeLine<'a>,
}

impl Picker {
    /// Returns a predicate: whether a text has all words of the input, in any case.
    pub fn matcher(&self) -> impl Fn(&str) -> bool + use<> {
        let words: Vec<_> = self.text.text().split_whitespace().map(in_lower_case).collect();
        move |text| {
            let text = in_lower_case(text);
            words.iter().all(|word| text.contains(word))
        }
    }

    pub fn is_marked(&self, line: usize) -> bool {
        line == self.marked && !self.is_unmarked
    }

    pub fn fits(&mut self, page: usize) {
        self.page = page;
    }

    /// Marks the line that a command goes to.
    pub fn go(&mut self, command: Command, count: usize) {
        if std::mem::take(&mut self.is_unmarked) {
            return self.keep_mark(count);
        }
        let page = self.page.max(2) - 1;
        let to = match command {
            Command::Down => self.marked + 1,
            Command::Up => self.marked.saturating_sub(1),
            Command::PageDown => self.marked + page,
            Command::PageUp => self.marked.saturating_sub(page),
            _ => return,
        };
        self.marked = to;
        self.keep_mark(count);
    }

    /// Marks a clicked line. Returns whether it was marked before: the second click takes the line.
    pub fn click(&mut self, line: usize, count: usize) -> bool {
        let is_second = self.is_marked(line) && line < count;
        self.is_unmarked = false;
        self.marked = line;
        self.keep_mark(count);
        is_second
    }

    /// Keeps the mark on one of the lines after their number has changed.
    pub fn keep_mark(&mut self, count: usize) {
        self.marked = self.marked.min(count.saturating_sub(1));
    }

    /// Draws the box, the input, and as many lines as fit, with the marked one among them.
    pub fn draw(&self, shown: &Shown<'_>, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let theme = canvas.theme;
        let columns = SIZE.0.max(area.width / 5 * FIFTHS);
        let inner = canvas.dialog(shown.title, (columns, SIZE.1), area);
        let width = usize::from(inner.width);
        let (typed, column) = visible_part(&self.text, width.saturating_sub(LABEL.len() + 1));
        let typed = if self.text.text().is_empty() {
            fitted(shown.hint, width.saturating_sub(LABEL.len()), theme.dim)
        } else {
            Span::styled(typed, theme.title)
        };
        let mut head = vec![Line::from(vec![Span::styled(LABEL, theme.key), typed]), Line::default()];
        if let Some((words, style)) = &shown.note {
            head.extend(wrapped_lines(words, 2, width, 3, *style));
            head.push(Line::default());
        }
        if shown.count == 0 {
            head.extend(wrapped_lines(shown.empty, 2, width, 3, theme.dim));
        }
        let rows = below(inner, head.len());
        canvas.lines(head, inner);
        let page = usize::from(rows.height);
        canvas.map.layout.reader_page = page;
        let top = self.marked.saturating_sub(page / 2).min(shown.count.saturating_sub(page));
        let visible = (top..shown.count).take(page);
        canvas.row_targets(rows, visible.clone().map(Target::Line));
        let lines = visible.map(|at| {
            let line = (shown.line)(at, width);
            if self.is_marked(at) { theme.select(line) } else { line }
        });
        canvas.render(List::new(lines), rows);
        canvas.dialog_scrollbar(rows, top, shown.count);
        canvas.cursor(inner, LABEL.len() + column);
    }
}
