//! Writes frames to the terminal: limits its size, and keeps rows right whose characters the terminal may draw in other
//! columns than this program counts. Must not know what is drawn.

#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::iter;

use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::{Cell, CellWidth as _};
use ratatui::crossterm::cursor::MoveTo;
use ratatui::crossterm::queue;
use ratatui::crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, DisableLineWrap, EnableLineWrap, EndSynchronizedUpdate,
};
use ratatui::layout::{Position, Size};

use crate::text::uncertain_width::has_uncertain_width;

/// The limits: more columns and cells than any screen has. Frames of 65,535 by 65,535 cells would not fit into memory.
const COLUMNS: u16 = 2048;
const CELLS: u32 = 1 << 20;

/// The terminal, to which frames are written.
#[derive(Debug)]
pub struct Screen<W: Write> {
    backend: CrosstermBackend<W>,
    /// Returns columns and rows, 0 where the terminal does not say.
    reported: fn() -> io::Result<(u16, u16)>,
    /// Columns and rows of a terminal that does not say them.
    assumed: (u16, u16),
    written: Written,
    /// Whether bytes of a frame were written that does not end yet.
    in_frame: bool,
}

impl<W: Write> Screen<W> {
    /// `assumed` are the columns and rows of a terminal that does not say them, such as a serial line.
    pub fn new(out: W, assumed: (u16, u16)) -> Self {
        let backend = CrosstermBackend::new(out);
        Self { backend, reported: terminal::size, assumed, written: Written::default(), in_frame: false }
    }

    /// Begins a frame, which [`Backend::flush`] ends: a terminal that knows synchronized updates (mode 2026) shows it
    /// whole.
    fn begin(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.in_frame, true) {
            queue!(self.backend, BeginSynchronizedUpdate)?;
        }
        Ok(())
    }

    /// Writes a row from a column on: erases it, and places the cursor again behind each cell of uncertain width.
    ///
    /// A cell that the terminal draws too wide is cut by the next one. Nothing wraps into the next row.
    fn rewrite(&mut self, from: Position) -> io::Result<()> {
        let (Position { x, y }, columns) = (from, self.size()?.width);
        queue!(self.backend, DisableLineWrap, MoveTo(x, y), Clear(terminal::ClearType::UntilNewLine))?;
        let is_uncertain = |cell: &Cell| has_uncertain_width(cell.symbol());
        // In the last column, a terminal that draws it wide would draw it over the cell before.
        let cells = self.written.visible(from).filter(|(x, _, cell)| x + 1 < columns || !is_uncertain(cell));
        let cells: Vec<_> = cells.collect();
        for run in cells.split_inclusive(|(_, _, cell)| is_uncertain(cell)) {
            self.backend.draw(run.iter().copied())?;
            if let Some((x, _, cell)) = run.last().filter(|(_, _, cell)| is_uncertain(cell))
                && x + cell.cell_width() < columns
            {
                queue!(self.backend, MoveTo(x + cell.cell_width(), y), Clear(terminal::ClearType::UntilNewLine))?;
            }
        }
        queue!(self.backend, EnableLineWrap)
    }
}

impl<W: Write> Backend for Screen<W> {
    type Error = io::Error;

    fn size(&self) -> io::Result<Size> {
        Ok(bounded(said_or_assumed((self.reported)()?, self.assumed).into()))
    }

    /// Writes the changed cells, which come row by row. If one of them is or was of uncertain width, writes the rest of
    /// its row again, because the terminal may have it in other columns.
    fn draw<'a, Cells>(&mut self, content: Cells) -> io::Result<()>
    where
        Cells: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut changes = content.peekable();
        if changes.peek().is_some() {
            self.begin()?;
        }
        loop {
            let written = &mut self.written;
            self.backend.draw(iter::from_fn(|| {
                let change = changes.next_if(|(x, y, cell)| {
                    !has_uncertain_width(cell.symbol()) && !written.has_uncertain(*x, *y, cell.cell_width())
                });
                change.inspect(|(x, y, cell)| written.put(*x, *y, cell))
            }))?;
            let Some((x, y, _)) = changes.peek() else { return Ok(()) };
            let from = Position { x: *x, y: *y };
            while let Some((x, y, cell)) = changes.next_if(|(x, y, _)| *y == from.y && *x >= from.x) {
                self.written.put(x, y, cell);
            }
            self.rewrite(from)?;
        }
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.backend.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.backend.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.backend.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.backend.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.begin()?;
        if region == ClearType::All {
            self.written = Written::default();
        }
        self.backend.clear_region(region)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.backend.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.in_frame) {
            queue!(self.backend, EndSynchronizedUpdate)?;
        }
        Backend::flush(&mut self.backend)
    }
}

/// The cells that were written since the terminal was cleared, row by row. It is blank beyond the end of a row.
#[derive(Debug, Default)]
struct Written(Vec<Vec<Cell>>);

impl Written {
    fn cell(&self, x: u16, y: u16) -> Option<&Cell> {
        self.0.get(usize::from(y))?.get(usize::from(x))
    }

    /// Whether a cell of uncertain width begins in so many columns of a row.
    fn has_uncertain(&self, x: u16, y: u16, columns: u16) -> bool {
        let row = self.0.get(usize::from(y)).into_iter().flatten();
        let mut covered = row.skip(x.into()).take(columns.max(1).into());
        covered.any(|cell| has_uncertain_width(cell.symbol()))
    }

    /// Stores a cell; what a wide one covers becomes blank, in its colours.
    fn put(&mut self, x: u16, y: u16, cell: &Cell) {
        let (x, y) = (usize::from(x), usize::from(y));
        if self.0.len() <= y {
            self.0.resize_with(y + 1, Vec::new);
        }
        let Some(row) = self.0.get_mut(y) else { return };
        let end = x + usize::from(cell.cell_width().max(1));
        if row.len() < end {
            row.resize(end, Cell::EMPTY);
        }
        for (at, old) in (x..end).zip(row.iter_mut().skip(x)) {
            old.clone_from(cell);
            if at > x {
                old.set_symbol(" ");
            }
        }
    }

    /// Iterates over the cells of a row from a column on, without those that a wide one covers.
    fn visible(&self, from: Position) -> impl Iterator<Item = (u16, u16, &Cell)> {
        let mut next = from.x;
        iter::from_fn(move || {
            let (x, cell) = (next, self.cell(next, from.y)?);
            next += cell.cell_width().max(1);
            Some((x, from.y, cell))
        })
    }
}

/// Returns columns and rows of a terminal: those that it says, else those that are assumed. It says 0 for what it does
/// not know.
pub fn said_or_assumed(said: (u16, u16), assumed: (u16, u16)) -> (u16, u16) {
    let either = |said, assumed| if said == 0 { assumed } else { said };
    (either(said.0, assumed.0), either(said.1, assumed.1))
}

/// Limits a huge terminal to its upper left part.
fn bounded(size: Size) -> Size {
    let width = size.width.min(COLUMNS);
    let rows = CELLS / u32::from(width.max(1));
    Size { width, height: size.height.min(u16::try_from(rows).unwrap_or(u16::MAX)) }
}
