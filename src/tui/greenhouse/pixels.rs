//! Pictures of square pixels, two of which share a cell: the upper one is its foreground, the lower one its background.

use ratatui::style::{Color, Stylize as _};
use ratatui::text::{Line, Span};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Pixels {
    /// Rows of the same length; `None` is transparent.
    rows: Vec<Vec<Option<Color>>>,
}

impl Pixels {
    pub(super) fn blank(width: usize, height: usize) -> Self {
        Self { rows: vec![vec![None; width]; height] }
    }

    /// Returns a drawing in colours.
    pub(super) fn of(drawing: &[impl AsRef<str>], ink: impl Fn(char) -> Option<Color>) -> Self {
        Self { rows: drawing.iter().map(|row| row.as_ref().chars().map(&ink).collect()).collect() }
    }

    pub(super) fn width(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    pub(super) fn height(&self) -> usize {
        self.rows.len()
    }

    fn get(&self, x: usize, y: usize) -> Option<Color> {
        self.rows.get(y)?.get(x).copied().flatten()
    }

    /// Colours a pixel; one outside the picture is ignored.
    pub(super) fn set(&mut self, x: usize, y: usize, color: Color) {
        if let Some(pixel) = self.rows.get_mut(y).and_then(|row| row.get_mut(x)) {
            *pixel = Some(color);
        }
    }

    /// Draws a picture over this one, with its upper left corner at `x` and `y`.
    pub(super) fn stamp(&mut self, other: &Self, x: usize, y: usize) {
        for (row, line) in (y..).zip(&other.rows) {
            for (column, color) in (x..).zip(line) {
                if let Some(color) = color {
                    self.set(column, row, *color);
                }
            }
        }
    }

    /// Changes the pixels of the first `height` rows.
    pub(super) fn change(&mut self, height: usize, to: impl Fn(usize, usize, Color) -> Option<Color>) {
        for (y, row) in self.rows.iter_mut().take(height).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = pixel.and_then(|color| to(x, y, color));
            }
        }
    }

    /// Returns the picture with each pixel drawn as `scale` by `scale`.
    pub(super) fn scaled(&self, scale: usize) -> Self {
        let wide = |row: &Vec<Option<Color>>| row.iter().flat_map(|pixel| std::iter::repeat_n(*pixel, scale)).collect();
        let rows = self.rows.iter().map(wide);
        Self { rows: rows.flat_map(|row: Vec<_>| std::iter::repeat_n(row, scale)).collect() }
    }

    /// Returns a cell. Of an odd number of rows, the first one is the lower half of its cells.
    fn cell(&self, column: usize, row: usize) -> Span<'static> {
        let odd = self.height() % 2;
        let upper = (2 * row).checked_sub(odd).and_then(|upper| self.get(column, upper));
        match (upper, self.get(column, 2 * row + 1 - odd)) {
            (None, None) => Span::raw(" "),
            (Some(upper), Some(lower)) if upper == lower => Span::raw(" ").bg(upper),
            (Some(upper), Some(lower)) => Span::raw("▀").fg(upper).bg(lower),
            (Some(upper), None) => Span::raw("▀").fg(upper),
            (None, Some(lower)) => Span::raw("▄").fg(lower),
        }
    }

    /// Returns the picture as lines of text.
    pub(super) fn lines(&self) -> Vec<Line<'static>> {
        let row = |row| (0..self.width()).map(|column| self.cell(column, row)).collect();
        (0..self.height().div_ceil(2)).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;
    use ratatui::widgets::Widget as _;

    use super::*;

    #[test]
    fn two_pixels_share_a_cell_and_the_rest_is_transparent() {
        let (red, blue) = (Color::Red, Color::Blue);
        let ink = |letter| match letter {
            'r' => Some(red),
            'b' => Some(blue),
            _ => None,
        };
        let area = Rect::new(0, 0, 4, 2);
        let mut buffer = Buffer::empty(area);
        buffer.set_style(area, Style::new().bg(Color::White));
        let lines = Pixels::of(&["r.rb", "rbb.", "...."], ink).lines();
        lines.into_iter().zip(area.rows()).for_each(|(line, row)| line.render(row, &mut buffer));
        let seen = |x, y| {
            let cell = &buffer[(x, y)];
            (cell.symbol().to_owned(), cell.fg, cell.bg)
        };
        // Three rows of pixels stand on the lower edge: the first one is the lower half of its cells.
        assert_eq!(seen(0, 0), ("▄".into(), red, Color::White));
        assert_eq!(seen(0, 1), ("▀".into(), red, Color::White));
        assert_eq!(seen(2, 1), ("▀".into(), blue, Color::White));
        assert_eq!(seen(1, 0), (" ".into(), Color::Reset, Color::White));
        let twice = Pixels::of(&["rb"], ink).scaled(2);
        assert_eq!(twice, Pixels::of(&["rrbb", "rrbb"], ink));
    }
}
