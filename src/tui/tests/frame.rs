//! Reads frames as text: the whole screen, and the dialog in front.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use super::shown;

use crate::text::Marks;
use crate::tui::App;
use crate::tui::widgets::canvas::HitMap;
use crate::tui::widgets::theme::{Depth, Palette, Theme};

const SIZE: (u16, u16) = (160, 50);

/// Columns of a pointer and of the label of a field.
const POINTER: usize = 2;
const LABEL: usize = 6;

/// The dialog in front.
#[derive(Debug)]
pub(super) struct Front {
    pub(super) title: String,
    pub(super) rows: Vec<String>,
}

impl Front {
    /// Returns all rows in one line.
    pub(super) fn text(&self) -> String {
        let rows: Vec<_> = self.rows.iter().map(|row| row.trim()).filter(|row| !row.is_empty()).collect();
        rows.join(" ")
    }

    pub(super) fn says(&self, words: &str) -> bool {
        self.text().contains(words)
    }

    /// Returns the row index of the first field with a label.
    #[track_caller]
    fn row_of(&self, label: &str) -> usize {
        let is_it = |row: &String| row.chars().skip(POINTER).take(LABEL).collect::<String>().trim_end() == label;
        self.rows.iter().position(is_it).unwrap_or_else(|| panic!("no field {label:?} in {self:#?}"))
    }

    /// Returns the text of a field.
    #[track_caller]
    pub(super) fn field(&self, label: &str) -> String {
        self.rows[self.row_of(label)].chars().skip(POINTER + LABEL).collect::<String>().trim_end().to_owned()
    }

    /// Returns the row below a field.
    #[track_caller]
    pub(super) fn below(&self, label: &str) -> &str {
        self.rows.get(self.row_of(label) + 1).map_or("", |row| row.trim())
    }

    /// Returns the row above the fault without its pointer, and the fault's text.
    pub(super) fn fault(&self) -> Option<(&str, String)> {
        let first = self.rows.iter().position(|row| row.trim_start().starts_with("✗ "))?;
        let indent = |row: &str| row.len() - row.trim_start().len();
        let below = self.rows.iter().skip(first + 1);
        let more = below.take_while(|row| !row.is_empty() && indent(row) >= indent(&self.rows[first]));
        let why: Vec<_> = [&self.rows[first]].into_iter().chain(more).map(|row| row.trim()).collect();
        let beside = self.rows[first - 1].trim_start_matches(['▸', ' ']).trim_end();
        Some((beside, why.join(" ").trim_start_matches("✗ ").to_owned()))
    }

    /// Returns the marked row without its pointer.
    #[track_caller]
    pub(super) fn marked(&self) -> &str {
        let rows: Vec<_> = self.rows.iter().filter_map(|row| row.strip_prefix("▸ ")).collect();
        assert_eq!(rows.len(), 1, "one row is marked: {self:#?}");
        rows[0].trim_end()
    }
}

fn theme() -> Theme {
    Theme::new(Palette::Dark, Depth::Many, Marks::Unicode)
}

fn drawn(app: &App, (width, height): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| drop(app.view(&theme(), frame))).unwrap();
    terminal.backend().buffer().clone()
}

/// Draws a frame, and gives the app its layout.
pub(super) fn lay_out(app: &mut App, (width, height): (u16, u16)) {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let mut map = HitMap::default();
    terminal.draw(|frame| map = app.view(&theme(), frame)).unwrap();
    app.update(shown(map.layout));
}

fn row(buffer: &Buffer, y: u16, columns: std::ops::Range<u16>) -> String {
    columns.map(|x| buffer[(x, y)].symbol()).collect()
}

/// Returns the rows of a frame.
pub(super) fn screen(app: &App) -> Vec<String> {
    screen_at(app, SIZE)
}

/// Returns the same for a terminal of another size.
pub(super) fn screen_at(app: &App, size: (u16, u16)) -> Vec<String> {
    let buffer = drawn(app, size);
    (0..size.1).map(|y| row(&buffer, y, 0..size.0).trim_end().to_owned()).collect()
}

/// Returns the dialog in front, if one is open.
pub(super) fn front(app: &App) -> Option<Front> {
    front_at(app, SIZE)
}

/// Returns the same for a terminal of another size.
pub(super) fn front_at(app: &App, size: (u16, u16)) -> Option<Front> {
    if !app.cx.display.has_dialog {
        return None;
    }
    let (buffer, focus) = (drawn(app, size), theme().focus);
    let is_corner =
        |x: u16, y: u16, corner: &str| buffer[(x, y)].symbol() == corner && Some(buffer[(x, y)].fg) == focus.fg;
    let cells = (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y)));
    let (left, top) = cells.clone().find(|(x, y)| is_corner(*x, *y, "╭")).expect("a dialog has a corner");
    let right = (left..size.0).find(|x| is_corner(*x, top, "╮")).expect("another on the right");
    let bottom = (top..size.1).find(|y| is_corner(left, *y, "╰")).expect("another below");
    let title = row(&buffer, top, left + 1..right).trim_matches(['─', ' ']).to_owned();
    let rows = (top + 1..bottom).map(|y| row(&buffer, y, left + 2..right).trim_end().to_owned()).collect();
    Some(Front { title, rows })
}

/// Returns the dialog in front. Panics if none is open.
#[track_caller]
pub(super) fn dialog(app: &App) -> Front {
    front(app).expect("a dialog is open")
}

/// Returns the title of the dialog in front; empty if none is open.
pub(super) fn title(app: &App) -> String {
    front(app).map(|front| front.title).unwrap_or_default()
}
