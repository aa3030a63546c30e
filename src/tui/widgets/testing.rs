//! Draws a widget alone and reads the frame as text. Knows no widget.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::{Position, Rect};

use super::canvas::{Canvas, HitMap};
use super::theme::Theme;

/// A finished frame.
pub(in crate::tui) struct Drawn {
    /// Without spaces at the end.
    pub(in crate::tui) rows: Vec<String>,
    /// `None` where the frame places no cursor.
    pub(in crate::tui) cursor: Option<Position>,
    pub(in crate::tui) map: HitMap,
}

/// Draws a frame of so many columns and rows.
pub(in crate::tui) fn drawn((width, height): (u16, u16), draw: impl FnOnce(Rect, &mut Canvas<'_, '_>)) -> Drawn {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let (theme, mut map) = (Theme::default(), HitMap::default());
    let frame = terminal.draw(|frame| {
        let area = frame.area();
        draw(area, &mut Canvas { theme: &theme, frame, map: &mut map, waiting: 0 });
    });
    frame.unwrap();
    let backend = terminal.backend();
    let row = |y| (0..width).map(|x| backend.buffer()[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    let rows = (0..height).map(row).collect();
    let cursor = backend.cursor_visible().then(|| backend.cursor_position());
    Drawn { rows, cursor, map }
}
