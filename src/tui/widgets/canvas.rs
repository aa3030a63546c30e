//! Where a frame is drawn: the terminal's buffer, the theme, and the map of what the mouse can hit.

use ratatui::Frame;
use ratatui::layout::{Constraint, Margin, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Scrollbar, ScrollbarOrientation, ScrollbarState, Widget};

use super::text::fitted;
use super::theme::Theme;
use crate::tui::message::{FrameLayout, Target};

/// Columns from which a pane stands beside the list of plants.
pub const WIDE: u16 = 84;

/// What was drawn, for the components that decide.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HitMap {
    pub layout: FrameLayout,
    /// What was drawn last is on top.
    pub targets: Vec<(Rect, Target)>,
}

/// Everything that drawing needs besides the state.
pub struct Canvas<'a, 'frame> {
    pub theme: &'a Theme,
    pub frame: &'a mut Frame<'frame>,
    pub map: &'a mut HitMap,
    /// How many dialogs open once the one in front is closed.
    pub waiting: usize,
}

impl Canvas<'_, '_> {
    pub fn target(&mut self, area: Rect, target: Target) {
        self.map.targets.push((area, target));
    }

    pub fn render(&mut self, widget: impl Widget, area: Rect) {
        self.frame.render_widget(widget, area);
    }

    pub fn lines(&mut self, lines: Vec<Line<'static>>, area: Rect) {
        self.render(Paragraph::new(lines), area);
    }

    /// Puts the cursor into a row, so many columns from its left.
    pub fn cursor(&mut self, row: Rect, column: usize) {
        let x = row.x.saturating_add(u16::try_from(column).unwrap_or(u16::MAX)).min(row.right().saturating_sub(1));
        self.frame.set_cursor_position(Position { x, y: row.y });
    }

    /// An empty box in the middle of `area`, as large as asked if there is room, drawn over what was there.
    /// Returns its inside.
    pub fn boxed(&mut self, title: &str, size: (u16, u16), area: Rect) -> Rect {
        let theme = self.theme;
        let (width, height) = (size.0.min(area.width), size.1.min(area.height));
        let rect = area.centered(Constraint::Length(width), Constraint::Length(height));
        self.render(Clear, rect);
        self.frame.buffer_mut().set_style(rect, theme.text);
        let title = fitted(&format!(" {title} "), usize::from(rect.width.saturating_sub(4)), theme.title);
        let mut block = Block::bordered().border_set(theme.borders()).border_style(theme.focus).title(title);
        if self.waiting > 0 {
            let behind = Span::styled(format!(" {} more behind this ", self.waiting), theme.doubt);
            block = block.title_bottom(Line::from(behind).right_aligned());
        }
        let inner = block.inner(rect);
        self.render(block, rect);
        inner.inner(Margin { horizontal: 1, vertical: 0 })
    }

    /// A scrollbar on the right border of a list or text, where not all of its lines are on screen.
    pub fn scrollbar(&mut self, border: Rect, top: usize, page: usize, lines: usize) {
        if lines <= page || border.height < 3 {
            return;
        }
        let theme = self.theme;
        let bar = Scrollbar::new(ScrollbarOrientation::VerticalRight)
            .begin_symbol(None)
            .end_symbol(None)
            .track_symbol(None)
            .thumb_symbol(theme.mark("┃", "#"))
            // In the colour of the border that it stands on.
            .thumb_style(Style::new());
        let mut state = ScrollbarState::new(lines.saturating_sub(page) + 1).position(top).viewport_content_length(page);
        let inside = border.inner(Margin { horizontal: 0, vertical: 1 });
        self.frame.render_stateful_widget(bar, inside, &mut state);
    }
}
