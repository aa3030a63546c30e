//! A list to choose from, found as one types: a field, and the lines below it.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::form::around_cursor;
use super::text::fitted;
use super::{Painted, Theme, boxed};
use crate::app::Target;
use crate::app::field::Field;
use crate::domain::text::clean;

/// Columns and rows where there is room: the same for few lines as for many, so that nothing
/// jumps while one types.
const LIST: (u16, u16) = (110, 24);

/// Before what is typed.
const LABEL: &str = "  find  ";

/// What a list is called, and how much of it there is.
pub(super) struct List<'a> {
    /// On the border.
    pub(super) title: &'a str,
    /// How many open once it is closed.
    pub(super) waiting: usize,
    /// What is typed.
    pub(super) text: &'a Field,
    /// What stands there while nothing is.
    pub(super) hint: &'a str,
    /// How many lines there are.
    pub(super) count: usize,
    /// Which of them is marked.
    pub(super) marked: usize,
}

impl List<'_> {
    /// Draws the box, the field, and those lines for which there is room: `line` makes one of so
    /// many columns. `instead` stands there where there is none.
    pub(super) fn draw(
        &self,
        theme: &Theme,
        frame: &mut Frame,
        area: Rect,
        painted: &mut Painted,
        line: impl Fn(usize, usize) -> Line<'static>,
        instead: impl FnOnce(usize) -> Vec<Line<'static>>,
    ) {
        self.draw_with_note(theme, frame, area, painted, |_| Vec::new(), line, instead);
    }

    /// The same, with a note of so many columns between the field and the lines.
    #[expect(clippy::too_many_arguments, reason = "those of `draw`, and the note")]
    pub(super) fn draw_with_note(
        &self,
        theme: &Theme,
        frame: &mut Frame,
        area: Rect,
        painted: &mut Painted,
        note: impl FnOnce(usize) -> Vec<Line<'static>>,
        line: impl Fn(usize, usize) -> Line<'static>,
        instead: impl FnOnce(usize) -> Vec<Line<'static>>,
    ) {
        let inner = boxed(self.title, self.waiting, LIST, theme, frame, area);
        let width = usize::from(inner.width);
        let (typed, column) = around_cursor(
            &clean(self.text.before_cursor()),
            &clean(self.text.after_cursor()),
            width.saturating_sub(LABEL.len() + 1),
        );
        let typed = if self.text.text().is_empty() {
            fitted(self.hint, width.saturating_sub(LABEL.len()), theme.dim)
        } else {
            Span::styled(typed, theme.title)
        };
        let mut lines = vec![Line::from(vec![Span::styled(LABEL, theme.key), typed]), Line::default()];
        let note = note(width);
        if !note.is_empty() {
            lines.extend(note);
            lines.push(Line::default());
        }
        let above = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let page = usize::from(inner.height).saturating_sub(lines.len());
        painted.drawn.reader_page = page;
        if self.count == 0 {
            lines.extend(instead(width));
        }
        let top = self.marked.saturating_sub(page / 2).min(self.count.saturating_sub(page));
        for (at, y) in (top..self.count).take(page).zip(inner.y.saturating_add(above)..) {
            painted.target(Rect { y, height: 1, ..inner }, Target::Line(at));
            let drawn = line(at, width);
            lines.push(if at == self.marked { theme.select(drawn) } else { drawn });
        }
        frame.render_widget(Paragraph::new(lines), inner);
        let x = inner.x.saturating_add(u16::try_from(LABEL.len() + column).unwrap_or(0));
        frame.set_cursor_position(Position { x: x.min(inner.right().saturating_sub(1)), y: inner.y });
    }
}
