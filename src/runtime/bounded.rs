//! Limits the size that a terminal reports. Must not know what is drawn.

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

/// The limits: more columns and cells than any screen has.
const COLUMNS: u16 = 2048;
const CELLS: u32 = 1 << 20;

/// A backend that uses only the upper left part of a huge terminal: frames of 65,535 by 65,535 cells would not fit into
/// memory.
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

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> Result<(), B::Error> {
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
    fn only_sizes_beyond_any_screen_are_reduced() {
        for (width, height) in [(0, 0), (1, 65_535), (80, 24), (960, 540), (1024, 1024)] {
            assert_eq!(bounded(Size { width, height }), Size { width, height });
        }
        for (width, height) in [(65_535, 65_535), (65_535, 1), (5000, 5000)] {
            let Size { width, height } = bounded(Size { width, height });
            assert!(height > 0 && u32::from(width) * u32::from(height) <= CELLS, "{width}x{height}");
        }
    }
}
