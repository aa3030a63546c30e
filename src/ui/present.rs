//! What an audience sees besides: the name of the room in large letters, and the keys that are pressed.

use font8x8::UnicodeFonts as _;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::Theme;
use crate::app::Model;

/// Rows of a large letter, and of a terminal that has room for them.
const LARGE: (u16, u16) = (4, 34);

/// What a quarter of each cell is, by its bits: upper left, upper right, lower left, lower right.
const QUARTERS: [&str; 16] = [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"];

/// Rows of the title.
pub(super) fn height(model: &Model, theme: &Theme, area: Rect) -> u16 {
    match model.presenting {
        false => 0,
        true if area.height >= LARGE.1 && !theme.is_ascii() => LARGE.0,
        true => 1,
    }
}

pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect) {
    if area.height == 0 {
        return;
    }
    let title = model.room.title();
    let lines =
        if area.height >= LARGE.0 { large(title, theme) } else { vec![Line::styled(spaced(title), theme.title)] };
    frame.render_widget(Paragraph::new(lines), area);
    let mut keys: Vec<Span> = Vec::new();
    for key in &model.pressed {
        keys.extend([Span::styled(format!(" {key} "), theme.here), Span::raw(" ")]);
    }
    let row = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
    let line = Line::from(keys);
    let width = u16::try_from(line.width()).unwrap_or(row.width).min(row.width);
    frame.render_widget(Paragraph::new(line), Rect { x: row.right() - width, width, ..row });
}

/// ` G r e e n`, where there is no room for more.
fn spaced(title: &str) -> String {
    title.to_uppercase().chars().flat_map(|letter| [' ', letter]).collect()
}

/// Letters of eight by eight points, four of which share a cell.
fn large(title: &str, theme: &Theme) -> Vec<Line<'static>> {
    let mut rows = vec![" ".to_owned(); usize::from(LARGE.0)];
    for letter in title.chars() {
        let points = font8x8::BASIC_FONTS.get(letter).unwrap_or_default();
        for (row, pair) in rows.iter_mut().zip(points.chunks(2)) {
            let [upper, lower] = [pair.first(), pair.last()].map(|points| points.copied().unwrap_or_default());
            for column in (0..8).step_by(2) {
                let bits = (upper >> column & 3) | ((lower >> column & 3) << 2);
                row.push_str(QUARTERS.get(usize::from(bits)).copied().unwrap_or(" "));
            }
        }
    }
    rows.into_iter().map(|row| Line::styled(row, theme.title)).collect()
}
