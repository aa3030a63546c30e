//! The drawing surface of one frame: the terminal's buffer, the theme, and the map of what the mouse can hit.
//!
//! Draws what all components share: dialog boxes, choices, scrollbars, progress bars. Knows no component and no store.

use ratatui::Frame;
use ratatui::layout::{Constraint, Margin, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, LineGauge, Paragraph, Scrollbar, ScrollbarOrientation, ScrollbarState, Widget};

use super::text::fitted_named;
use super::theme::Theme;
use crate::tui::message::{FrameLayout, Target};

/// Blank columns that separate texts in a row.
const GAP: u16 = 2;

/// Columns from which the pane is drawn beside the list of plants.
pub const WIDE: u16 = 84;

/// What a frame has drawn: returned to the app, which resolves clicks and scrolling with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HitMap {
    pub layout: FrameLayout,
    /// In the order of drawing: where two overlap, the later one is on top.
    pub targets: Vec<(Rect, Target)>,
}

/// Everything that drawing needs besides the state.
pub struct Canvas<'a, 'frame> {
    pub theme: &'a Theme,
    pub frame: &'a mut Frame<'frame>,
    pub map: &'a mut HitMap,
    /// Number of dialogs that open once the front one is closed.
    pub waiting: usize,
}

impl Canvas<'_, '_> {
    pub fn target(&mut self, area: Rect, target: Target) {
        self.map.targets.push((area, target));
    }

    /// Makes each row of an area a target of its own, from the first row on.
    pub fn row_targets(&mut self, area: Rect, targets: impl IntoIterator<Item = Target>) {
        for (row, target) in area.rows().zip(targets) {
            self.target(row, target);
        }
    }

    pub fn render(&mut self, widget: impl Widget, area: Rect) {
        self.frame.render_widget(widget, area);
    }

    pub fn lines(&mut self, lines: Vec<Line<'static>>, area: Rect) {
        self.render(Paragraph::new(lines), area);
    }

    /// Places the terminal's cursor in a row, counted in columns from its left end.
    pub fn cursor(&mut self, row: Rect, column: usize) {
        let x = row.x.saturating_add(cells(column)).min(row.right().saturating_sub(1));
        self.frame.set_cursor_position(Position { x, y: row.y });
    }

    /// Draws a border with a title. Returns the area inside.
    pub fn bordered(&mut self, title: &str, style: Style, area: Rect) -> Rect {
        let title = fitted_named(&format!(" {title} "), usize::from(area.width.saturating_sub(4)), self.theme.title);
        let block = Block::bordered().border_set(self.theme.borders()).border_style(style).title(title);
        let inner = block.inner(area);
        self.render(block, area);
        inner
    }

    /// Draws an empty box in the middle of `area`, over what is there: `size` in columns and rows, less where the
    /// area is smaller. What its sides would cut is removed. Returns the area inside, without a column at each side.
    pub fn dialog(&mut self, title: &str, size: (u16, u16), area: Rect) -> Rect {
        let theme = self.theme;
        let (width, height) = (size.0.min(area.width), size.1.min(area.height));
        let rect = area.centered(Constraint::Length(width), Constraint::Length(height));
        for row in rect.rows() {
            let end = self.frame.area().right();
            self.remove_cut((0..rect.x.saturating_add(GAP)).rev(), row.y);
            self.remove_cut(rect.right().saturating_sub(GAP)..end, row.y);
        }
        self.render(Clear, rect);
        self.frame.buffer_mut().set_style(rect, theme.text);
        let inner = self.bordered(title, theme.focus, rect);
        if self.waiting > 0 {
            let waiting = Span::styled(format!(" {} more after this ", self.waiting), theme.warning);
            let bottom = Rect { x: rect.x + 1, y: rect.bottom().saturating_sub(1), width: inner.width, height: 1 };
            self.render(Line::from(waiting).right_aligned(), bottom.intersection(rect));
        }
        inner.inner(Margin::new(1, 0))
    }

    /// Removes the text in a row that the side of a box cuts: from [`GAP`] columns inside the box outwards, up to a line or
    /// such a gap.
    fn remove_cut(&mut self, columns: impl Iterator<Item = u16>, y: u16) {
        let mut blanks = 0;
        for (at, x) in columns.enumerate() {
            let Some(cell) = self.frame.buffer_mut().cell_mut((x, y)) else { return };
            blanks = if cell.symbol() == " " { blanks + 1 } else { 0 };
            if blanks == GAP || cell.symbol().chars().all(|symbol| matches!(symbol, '|' | '─'..='▟')) {
                return;
            }
            if at >= usize::from(GAP) {
                cell.set_symbol(" ");
            }
        }
    }

    /// Draws choices one below the other, the marked one highlighted; each is a target of the mouse.
    pub fn choices(&mut self, choices: Vec<Vec<Line<'static>>>, marked: usize, area: Rect) {
        let (mut lines, mut rows) = (Vec::new(), area.rows());
        for (at, choice) in choices.into_iter().enumerate() {
            for row in rows.by_ref().take(choice.len()) {
                self.target(row, Target::Choice(at));
            }
            lines.extend(choice.into_iter().map(|line| if at == marked { self.theme.select(line) } else { line }));
        }
        self.lines(lines, area);
    }

    /// Draws a scrollbar on the right border of a list or text; nothing where all of its lines are on screen.
    pub fn scrollbar(&mut self, border: Rect, top: usize, page: usize, lines: usize) {
        if lines <= page || border.height < 3 {
            return;
        }
        let bar = Scrollbar::new(ScrollbarOrientation::VerticalRight)
            .begin_symbol(None)
            .end_symbol(None)
            .track_symbol(None)
            .thumb_symbol(self.theme.mark("┃", "#"))
            // In the colour of the border below it.
            .thumb_style(Style::new());
        let mut state = ScrollbarState::new(lines.saturating_sub(page) + 1).position(top).viewport_content_length(page);
        let track = border.inner(Margin::new(0, 1)).intersection(self.frame.area());
        self.frame.render_stateful_widget(bar, track, &mut state);
    }

    /// Draws a label and a line that fills: it is full at `done == whole`, also where both are 0.
    pub fn progress(&mut self, label: &str, done: u64, whole: u64, style: Style, area: Rect) {
        #[expect(clippy::cast_precision_loss, reason = "a part of a column")]
        let ratio = if whole == 0 { 1.0 } else { (done as f64 / whole as f64).clamp(0.0, 1.0) };
        let gauge = LineGauge::default()
            .label(Span::styled(label.to_owned(), style))
            .filled_symbol(self.theme.mark("█", "#"))
            .unfilled_symbol(self.theme.mark("░", "."))
            .filled_style(style)
            .unfilled_style(self.theme.border)
            .ratio(ratio);
        self.render(gauge, area);
    }

    /// Draws the scrollbar of a text inside a [dialog](Self::dialog), on the dialog's border.
    pub fn dialog_scrollbar(&mut self, text: Rect, top: usize, lines: usize) {
        self.scrollbar(text.outer(Margin::new(2, 1)), top, usize::from(text.height), lines);
    }
}

/// A number of columns or rows as the terminal counts them; the largest one where it does not fit.
pub fn cells(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// The part of an area below its first rows.
pub fn below(area: Rect, rows: usize) -> Rect {
    let rows = cells(rows).min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::widgets::testing::drawn;

    #[test]
    fn a_dialog_says_on_its_border_how_many_are_behind_it() {
        let rows = |waiting| {
            let drawn = drawn((30, 5), |area, canvas| {
                canvas.waiting = waiting;
                canvas.dialog("Fern", (24, 3), area);
            });
            drawn.rows
        };
        assert_eq!(
            rows(2),
            ["", "   ╭ Fern ────────────────╮", "   │                      │", "   ╰─── 2 more after this ╯", ""]
        );
        assert_eq!(rows(0)[3], "   ╰──────────────────────╯");
    }

    #[test]
    fn beside_a_dialog_no_text_is_cut() {
        let rows = drawn((30, 5), |area, canvas| {
            let below =
                ["│ 12  a plant  in the store  │", "│ 漢字漢字 漢字漢字漢  3 min │", "│7 ─── Request ──────────────│"];
            canvas.lines(below.map(Line::from).to_vec(), Rect { y: 1, ..area });
            canvas.dialog("Fern", (16, 3), area);
        });
        let around =
            ["│ 12   ╭ Fern ────────╮      │", "│      │              │3 min │", "│7 ─── ╰──────────────╯──────│"];
        assert_eq!(rows.rows[1..4], around);
    }

    #[test]
    fn a_scrollbar_needs_a_row_between_the_corners() {
        let rows = |height| drawn((5, height), |area, canvas| canvas.scrollbar(area, 0, 1, 10)).rows;
        assert_eq!(rows(3), ["", "    ┃", ""]);
        assert_eq!(rows(2), ["", ""]);
    }
}
