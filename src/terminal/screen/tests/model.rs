//! A terminal that is as large as a test needs: cells, a cursor, and the sequences that frames are made of. Overwriting a
//! part of a wide character erases all of it, as in xterm.

use std::fmt;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// How many columns a terminal moves its cursor for a grapheme of uncertain width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Widths {
    Wide,
    Narrow,
    /// Each code point has its own width, and marks without one join the cell before.
    PerCodePoint,
    /// The same, and each mark has a column.
    Spacing,
    /// The terminal draws nothing where it does not know the grapheme.
    Nothing,
    /// As this program counts.
    Own,
}

impl Widths {
    pub(super) const ALL: [Self; 6] =
        [Self::Wide, Self::Narrow, Self::PerCodePoint, Self::Spacing, Self::Nothing, Self::Own];

    /// Splits a grapheme into what the terminal takes for characters, with their columns.
    fn split(self, grapheme: &str) -> Vec<(String, u16)> {
        let each = |least: usize| {
            let columns = |c: char| as_columns(c.width().unwrap_or(0).max(least));
            grapheme.chars().map(|c| (c.to_string(), columns(c))).collect()
        };
        match self {
            Self::Wide => vec![(grapheme.to_owned(), 2)],
            Self::Narrow => vec![(grapheme.to_owned(), 1)],
            Self::PerCodePoint => each(0),
            Self::Spacing => each(1),
            Self::Nothing => Vec::new(),
            Self::Own => vec![(grapheme.to_owned(), as_columns(grapheme.width()))],
        }
    }
}

fn as_columns(width: usize) -> u16 {
    u16::try_from(width).unwrap()
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Blank,
    /// A character, and its columns.
    Text(String, u16),
    /// A further column of the character left of it.
    Covered,
}

#[derive(Debug)]
pub(super) struct Model {
    columns: u16,
    rows: Vec<Vec<Place>>,
    /// Column and row. The column is behind the last one until the next character wraps.
    cursor: (u16, u16),
    wraps: bool,
    widths: Widths,
    uncertain: &'static [&'static str],
}

impl Model {
    pub(super) fn new((columns, rows): (u16, u16), widths: Widths, uncertain: &'static [&'static str]) -> Self {
        let rows = vec![vec![Place::Blank; columns.into()]; rows.into()];
        Self { columns, rows, cursor: (0, 0), wraps: true, widths, uncertain }
    }

    /// Returns the character that begins in a cell, and its columns.
    pub(super) fn at(&self, x: u16, y: u16) -> Option<(&str, u16)> {
        match &self.rows[usize::from(y)][usize::from(x)] {
            Place::Blank => Some((" ", 1)),
            Place::Text(text, width) => Some((text, *width)),
            Place::Covered => None,
        }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        let mut rest = str::from_utf8(bytes).unwrap();
        while !rest.is_empty() {
            if let Some(sequence) = rest.strip_prefix("\u{1b}[") {
                let (parameters, end) = sequence.split_at(sequence.find(|c| matches!(c, '@'..='~')).unwrap());
                let (command, more) = end.split_at(1);
                self.obey(parameters, command);
                rest = more;
            } else {
                let (text, more) = rest.split_at(rest.find('\u{1b}').unwrap_or(rest.len()));
                text.graphemes(true).for_each(|grapheme| self.print(grapheme));
                rest = more;
            }
        }
    }

    fn obey(&mut self, parameters: &str, command: &str) {
        let (x, y) = (self.cursor.0.min(self.columns - 1), self.cursor.1);
        match (parameters, command) {
            (_, "H") => {
                let (row, column) = parameters.split_once(';').unwrap();
                let column: u16 = column.parse().unwrap();
                self.cursor = (column.min(self.columns) - 1, row.parse::<u16>().unwrap() - 1);
            }
            ("", "K") => (x..self.columns).for_each(|x| self.erase(x, y)),
            ("2", "J") => self.rows.iter_mut().for_each(|row| row.fill(Place::Blank)),
            ("?7", "l" | "h") => self.wraps = command == "h",
            (_, "m") | ("?25" | "?2026", "l" | "h") => {}
            _ => unreachable!("the model does not know CSI {parameters} {command}"),
        }
    }

    fn print(&mut self, grapheme: &str) {
        if self.uncertain.contains(&grapheme) {
            self.widths.split(grapheme).into_iter().for_each(|(text, width)| self.place(text, width));
        } else {
            self.place(grapheme.to_owned(), as_columns(grapheme.width()));
        }
    }

    fn place(&mut self, text: String, width: u16) {
        if width == 0 {
            // It joins the cell before.
            return;
        }
        if self.cursor.0 + width > self.columns {
            self.cursor.0 = if self.wraps { self.next_row() } else { self.columns - width };
        }
        let (x, y) = self.cursor;
        (x..x + width).for_each(|x| self.erase(x, y));
        let cells = &mut self.rows[usize::from(y)][usize::from(x)..usize::from(x + width)];
        cells.fill(Place::Covered);
        cells[0] = if text == " " { Place::Blank } else { Place::Text(text, width) };
        self.cursor.0 += width;
    }

    /// Goes to the next row, where the terminal scrolls if there is none. Returns the first column.
    fn next_row(&mut self) -> u16 {
        self.cursor.1 += 1;
        if usize::from(self.cursor.1) == self.rows.len() {
            self.rows.remove(0);
            self.rows.push(vec![Place::Blank; self.columns.into()]);
            self.cursor.1 -= 1;
        }
        0
    }

    /// Erases a cell, and all of the character that it is part of.
    fn erase(&mut self, x: u16, y: u16) {
        let (left, right) = self.rows[usize::from(y)].split_at_mut(usize::from(x) + 1);
        let begin = left.iter().rposition(|place| *place != Place::Covered).unwrap();
        let is_covered = |place: &&mut Place| **place == Place::Covered;
        left[begin..].iter_mut().chain(right.iter_mut().take_while(is_covered)).for_each(|place| *place = Place::Blank);
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            for place in row {
                match place {
                    Place::Blank => f.write_str(" ")?,
                    Place::Text(text, _) => f.write_str(text)?,
                    Place::Covered => {}
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
