//! A list to choose from, found as one types: a field, and the lines below it.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::List;

use super::canvas::Canvas;
use super::form::around_cursor;
use super::text::fitted;
use super::text_input::{TextInput, Typed};
use crate::domain::text::{clean, in_lower_case};
use crate::tui::input::Command;
use crate::tui::message::Target;

/// Columns and rows where there is room: the same for few lines as for many, so that nothing jumps while one
/// types.
const SIZE: (u16, u16) = (110, 24);

/// Before what is typed.
const LABEL: &str = "  find  ";

/// What is typed and which line is marked; the lines are the component's own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picker {
    pub text: TextInput,
    /// The line that Enter takes.
    pub marked: usize,
    /// Lines that fit on screen.
    page: usize,
}

/// What is drawn of a picker besides its field.
pub struct Shown<'a> {
    /// On the border.
    pub title: &'a str,
    /// In the field while nothing is typed.
    pub hint: &'a str,
    /// Between the field and the lines.
    pub note: &'a dyn Fn(usize) -> Vec<Line<'static>>,
    pub count: usize,
    /// In the place of the lines where there is none.
    pub instead: &'a dyn Fn(usize) -> Vec<Line<'static>>,
}

impl Picker {
    /// The words that a line must have, in lower case.
    pub fn words(&self) -> Vec<String> {
        self.text.text().split_whitespace().map(in_lower_case).collect()
    }

    /// Takes a key or a paste; other lines fit then, and the first of them is marked.
    pub fn take(&mut self, typed: Typed<'_>) {
        if self.text.take(typed) {
            self.marked = 0;
        }
    }

    /// So many lines fit now.
    pub fn fits(&mut self, page: usize) {
        self.page = page;
    }

    /// Marks the line that a command goes to, of so many. Whether it goes anywhere.
    pub fn go(&mut self, command: Command, count: usize) -> bool {
        let page = self.page.max(2) - 1;
        let to = match command {
            Command::Down => self.marked + 1,
            Command::Up => self.marked.saturating_sub(1),
            Command::PageDown => self.marked + page,
            Command::PageUp => self.marked.saturating_sub(page),
            _ => return false,
        };
        self.marked = to.min(count.saturating_sub(1));
        true
    }

    /// Clicks a line, of so many. Whether it was marked before: then the click takes it.
    pub fn click(&mut self, line: usize, count: usize) -> bool {
        if self.marked == line && line < count {
            return true;
        }
        self.marked = line.min(count.saturating_sub(1));
        false
    }

    /// The lines are others: the mark stays on one of them.
    pub fn keep_mark(&mut self, count: usize) {
        self.marked = self.marked.min(count.saturating_sub(1));
    }

    /// Draws the box, the field, and the lines for which there is room; `line` makes one of so many columns.
    pub fn draw(
        &self,
        shown: &Shown<'_>,
        area: Rect,
        canvas: &mut Canvas<'_, '_>,
        line: impl Fn(usize, usize) -> Line<'static>,
    ) {
        let theme = canvas.theme;
        let inner = canvas.boxed(shown.title, SIZE, area);
        let width = usize::from(inner.width);
        let room = width.saturating_sub(LABEL.len() + 1);
        let (typed, column) = around_cursor(&clean(self.text.before_cursor()), &clean(self.text.after_cursor()), room);
        let typed = if self.text.text().is_empty() {
            fitted(shown.hint, width.saturating_sub(LABEL.len()), theme.dim)
        } else {
            Span::styled(typed, theme.title)
        };
        let mut head = vec![Line::from(vec![Span::styled(LABEL, theme.key), typed]), Line::default()];
        let note = (shown.note)(width);
        if !note.is_empty() {
            head.extend(note);
            head.push(Line::default());
        }
        if shown.count == 0 {
            head.extend((shown.instead)(width));
        }
        let above = u16::try_from(head.len()).unwrap_or(u16::MAX).min(inner.height);
        canvas.lines(head, inner);
        let rows = Rect { y: inner.y + above, height: inner.height - above, ..inner };
        let page = usize::from(rows.height);
        canvas.map.layout.reader_page = page;
        let top = self.marked.saturating_sub(page / 2).min(shown.count.saturating_sub(page));
        for (at, y) in (top..shown.count).take(page).zip(rows.y..) {
            canvas.target(Rect { y, height: 1, ..rows }, Target::Line(at));
        }
        let lines = (top..shown.count).take(page).map(|at| {
            let drawn = line(at, width);
            if at == self.marked { theme.select(drawn) } else { drawn }
        });
        canvas.render(List::new(lines), rows);
        canvas.cursor(Rect { height: 1, ..inner }, LABEL.len() + column);
    }
}
