//! A list to choose from, filtered by what is typed: an input, and the matching lines below it.
//!
//! The lines are the component's own; the picker keeps the input and which line is marked.

use std::borrow::Cow;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::List;
use unicode_width::UnicodeWidthStr as _;

use super::canvas::{Canvas, below};
use super::form::visible_part;
use super::text::{fitted, wrapped_lines};
use super::text_input::TextInput;
use super::viewport::Viewport;
use crate::text::caseless::caseless;
use crate::tui::input::Command;
use crate::tui::message::Target;

/// Columns and rows where the terminal is large enough: the same for few lines as for many, so that the box does not
/// change its size while one types.
const SIZE: (u16, u16) = (110, 24);
/// The part of a wide terminal that the box takes, in fifths: the lines of most lists are longer than [`SIZE`].
const FIFTHS: u16 = 4;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picker {
    pub text: TextInput,
    /// The line that Enter takes.
    pub marked: usize,
    /// What a person knows it by, once the list was read: lines may move.
    name: Option<String>,
    /// Whether no line is marked until a person goes to one.
    pub is_unmarked: bool,
    /// The lines on screen.
    pub view: Viewport,
}

/// Makes the line at an index, which is marked or not, of so many columns; nothing if there is no such line.
pub type MakeLine<'a> = Box<dyn Fn(usize, bool, usize) -> Option<Line<'static>> + 'a>;

/// What is drawn of a picker besides its input.
pub struct Shown<'a> {
    pub title: Cow<'static, str>,
    /// Before the input.
    pub find: Cow<'static, str>,
    /// In the input while it is empty.
    pub hint: Cow<'static, str>,
    /// Between the input and the lines.
    pub note: Option<(String, Style)>,
    /// Number of lines that match the input.
    pub count: usize,
    /// In the place of the lines where none matches.
    pub empty: Cow<'static, str>,
    pub line: MakeLine<'a>,
}

impl Picker {
    /// Returns a predicate: whether a text has all words of the input, in any case.
    pub fn matcher(&self) -> impl Fn(&str) -> bool + use<> {
        let words: Vec<_> = self.text.text().split_whitespace().map(caseless).collect();
        move |text| {
            let text = caseless(text);
            words.iter().all(|word| text.contains(word))
        }
    }

    /// The line that Enter takes, if there is one.
    pub fn marked(&self) -> Option<usize> {
        (!self.is_unmarked).then_some(self.marked)
    }

    pub fn mark(&mut self, line: usize) {
        (self.marked, self.name, self.is_unmarked) = (line, None, false);
    }

    /// Marks no line, until a person goes to one.
    pub fn unmark(&mut self) {
        (self.is_unmarked, self.name) = (true, None);
    }

    /// Keeps the mark on its line, which other lines may have moved: never on another one that took its place.
    pub fn keep_mark(&mut self, names: &[String]) {
        if names.is_empty() || self.is_unmarked {
            return;
        }
        match &self.name {
            None => {
                self.marked = self.marked.min(names.len() - 1);
                self.name = names.get(self.marked).cloned();
            }
            name if names.get(self.marked) == name.as_ref() => {}
            Some(name) => match names.iter().position(|other| other == name) {
                Some(line) => self.marked = line,
                None => self.unmark(),
            },
        }
    }

    /// Marks the line that a command goes to.
    pub fn go(&mut self, command: Command, count: usize) {
        let lines = if self.is_unmarked { Some(0) } else { self.view.lines_of(command) };
        if let Some(lines) = lines {
            self.mark(self.marked.saturating_add_signed(lines).min(count.saturating_sub(1)));
        }
    }

    /// Marks a clicked line. Returns whether it was marked before: the second click takes the line.
    pub fn click(&mut self, line: usize, count: usize) -> bool {
        let is_second = self.marked() == Some(line) && line < count;
        self.mark(line.min(count.saturating_sub(1)));
        is_second
    }

    /// Draws the box, the input, and as many lines as fit, with the marked one among them.
    pub fn draw(&self, shown: &Shown<'_>, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let theme = canvas.theme;
        let columns = SIZE.0.max(area.width / 5 * FIFTHS);
        let inner = canvas.dialog(&shown.title, (columns, SIZE.1), area);
        let width = usize::from(inner.width);
        let label = format!("  {}  ", shown.find);
        let (typed, column) = visible_part(&self.text, width.saturating_sub(label.width() + 1));
        let column = label.width() + column;
        let typed = if self.text.text().is_empty() {
            fitted(&shown.hint, width.saturating_sub(label.width()), theme.dim)
        } else {
            Span::styled(typed, theme.title)
        };
        let mut head = vec![Line::from(vec![Span::styled(label, theme.key), typed]), Line::default()];
        if let Some((words, style)) = &shown.note {
            head.extend(wrapped_lines(words, 2, width, 3, *style));
            head.push(Line::default());
        }
        if shown.count == 0 {
            head.extend(wrapped_lines(&shown.empty, 2, width, 3, theme.dim));
        }
        let rows = below(inner, head.len());
        canvas.lines(head, inner);
        let page = usize::from(rows.height);
        canvas.map.layout.reader_page = page;
        let top = self.marked.saturating_sub(page / 2).min(shown.count.saturating_sub(page));
        let visible = (top..shown.count).take(page);
        canvas.row_targets(rows, visible.clone().map(Target::Line));
        let lines = visible.map(|at| {
            let is_marked = self.marked() == Some(at);
            let line = (shown.line)(at, is_marked, width).unwrap_or_default();
            if is_marked { theme.select(line) } else { line }
        });
        canvas.render(List::new(lines), rows);
        canvas.dialog_scrollbar(rows, top, shown.count);
        canvas.cursor(inner, column);
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Position;

    use super::*;
    use crate::tui::widgets::testing::{Drawn, drawn};

    /// Draws a picker of forty lines.
    fn show(picker: &Picker, size: (u16, u16)) -> Drawn {
        let shown = Shown {
            title: "Plants".into(),
            find: "find".into(),
            hint: "name or tag".into(),
            note: None,
            count: 40,
            empty: "none".into(),
            line: Box::new(|at, _, _| Some(Line::from(format!("plant {at}")))),
        };
        drawn(size, |area, canvas| picker.draw(&shown, area, canvas))
    }

    #[test]
    fn a_page_key_goes_as_far_as_lines_are_on_screen_less_one() {
        let mut picker = Picker::default();
        picker.view.page = show(&picker, (60, 10)).map.layout.reader_page;
        let mut go = |command| {
            picker.go(command, 40);
            picker.marked
        };
        assert_eq!([Command::PageDown, Command::PageDown, Command::PageUp, Command::Up].map(&mut go), [5, 10, 5, 4]);
    }

    #[test]
    fn the_marked_line_is_in_the_middle() {
        let picker = Picker { marked: 10, ..Picker::default() };
        let drawn = show(&picker, (60, 10));
        let lines: Vec<_> = drawn.rows[3..9].iter().map(|row| row.trim_matches(['│', '┃', ' '])).collect();
        assert_eq!(lines, ["plant 7", "plant 8", "plant 9", "plant 10", "plant 11", "plant 12"]);
        let targets: Vec<_> = drawn.map.targets.iter().map(|(area, target)| (area.y, *target)).collect();
        assert_eq!(targets, [3, 4, 5, 6, 7, 8].map(|y| (y, Target::Line(usize::from(y) + 4))));
    }

    #[test]
    fn the_cursor_is_behind_the_end_of_a_long_input() {
        let alphabet = "abcdefghijklmnopqrstuvwxyz";
        let picker = Picker { text: TextInput::holding(alphabet.repeat(2)), ..Picker::default() };
        let drawn = show(&picker, (60, 10));
        assert_eq!(drawn.rows[1], format!("│   find  ghijklmnopqrstuvwxyz{alphabet}   │"));
        assert_eq!(drawn.cursor, Some(Position { x: 56, y: 1 }));
    }

    #[test]
    fn the_box_takes_four_fifths_of_a_wide_terminal() {
        let top = &show(&Picker::default(), (200, 30)).rows[3];
        assert!(top.trim_start().starts_with("╭ Plants ─"), "{top}");
        assert_eq!(top.trim_start().chars().count(), 160);
    }

    #[test]
    fn a_second_click_takes_a_line_if_there_is_one() {
        let mut picker = Picker::default();
        assert!(!picker.click(1, 2) && picker.click(1, 2));
        assert!(!Picker::default().click(0, 0));
    }
}
