//! Bounds the size that a terminal claims. Must not know what is drawn.

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

/// Columns that are drawn at most, and cells: more than any screen has, and few enough to be held.
const COLUMNS: u16 = 2048;
const CELLS: u32 = 1 << 20;

/// A backend that draws into the upper left of a terminal that claims to be larger than any screen:
/// two frames of 65,535 by 65,535 cells would not fit into any memory.
#[derive(Debug)]
pub struct Bounded<B>(pub B);

impl<B: Backend> Backend for Bounded<B> {
    type Error = B::Error;

    fn size(&self) -> Result<Size, B::Error> {
        self.0.size().map(bounded)
    }

    fn draw<'a, Cells>(&mut self, content: Cells) -> Result<(), B::Error>
    where
        Cells: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        self.0.draw(content)
    }

    fn append_lines(&mut self, lines: u16) -> Result<(), B::Error> {
        self.0.append_lines(lines)
    }

    fn hide_cursor(&mut self) -> Result<(), B::Error> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> Result<(), B::Error> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> Result<Position, B::Error> {
        self.0.get_cursor_position()
    }

    fn set_cursor_position<Place: Into<Position>>(&mut self, position: Place) -> Result<(), B::Error> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> Result<(), B::Error> {
        self.0.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> Result<(), B::Error> {
        self.0.clear_region(region)
    }

    fn window_size(&mut self) -> Result<WindowSize, B::Error> {
        self.0.window_size()
    }

    fn flush(&mut self) -> Result<(), B::Error> {
        self.0.flush()
    }
}

fn bounded(size: Size) -> Size {
    let width = size.width.min(COLUMNS);
    let rows = CELLS / u32::from(width.max(1));
    Size { width, height: size.height.min(u16::try_from(rows).unwrap_or(u16::MAX)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_screen_is_as_large_as_it_says_and_no_claim_is_too_large() {
        for (width, height) in [(0, 0), (1, 65_535), (80, 24), (960, 540), (1024, 1024)] {
            assert_eq!(bounded(Size { width, height }), Size { width, height });
        }
        for (width, height) in [(65_535, 65_535), (65_535, 1), (5000, 5000)] {
            let Size { width, height } = bounded(Size { width, height });
            assert!(height > 0 && u32::from(width) * u32::from(height) <= CELLS, "{width}x{height}");
        }
    }
}
