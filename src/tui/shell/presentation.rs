//! Presentation mode: the name of the tab in large letters, and the latest keys.

use std::collections::VecDeque;

use font8x8::UnicodeFonts as _;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::context::Context;
use crate::tui::input::Key;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::theme::Theme;

/// Rows of a large letter, and of the smallest terminal with large letters.
const LARGE: (u16, u16) = (4, 34);

/// Block characters by the quarters they fill, as bits: upper left, upper right, lower left, lower right.
const QUARTERS: [&str; 16] = [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"];

/// Returns the rows of the title.
pub(super) fn height(cx: &Context, theme: &Theme, area: Rect) -> u16 {
    match cx.display.presenting {
        false => 0,
        true if area.height >= LARGE.1 && !theme.is_ascii() => LARGE.0,
        true => 1,
    }
}

pub(super) fn draw(cx: &Context, pressed: &VecDeque<Key>, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    if area.height == 0 {
        return;
    }
    let title = cx.display.tab.title();
    let lines =
        if area.height >= LARGE.0 { large(title, theme) } else { vec![Line::styled(spaced(title), theme.title)] };
    canvas.lines(lines, area);
    let mut keys: Vec<Span> = Vec::new();
    for key in pressed {
        keys.extend([Span::styled(format!(" {key} "), theme.active_tab), Span::raw(" ")]);
    }
    let row = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
    let line = Line::from(keys);
    let width = u16::try_from(line.width()).unwrap_or(row.width).min(row.width);
    canvas.render(line, Rect { x: row.right() - width, width, ..row });
}

/// Returns the title spaced out, ` G R E E N`, for a small terminal.
fn spaced(title: &str) -> String {
    title.to_uppercase().chars().flat_map(|letter| [' ', letter]).collect()
}

/// Returns the title in letters of eight by eight dots, four of which share a cell.
fn large(title: &str, theme: &Theme) -> Vec<Line<'static>> {
    let mut rows = vec![" ".to_owned(); usize::from(LARGE.0)];
    for letter in title.chars() {
        let dots = font8x8::BASIC_FONTS.get(letter).unwrap_or_default();
        for (row, pair) in rows.iter_mut().zip(dots.chunks(2)) {
            let [upper, lower] = [pair.first(), pair.last()].map(|dots| dots.copied().unwrap_or_default());
            for column in (0..8).step_by(2) {
                let bits = (upper >> column & 3) | ((lower >> column & 3) << 2);
                row.push_str(QUARTERS.get(usize::from(bits)).copied().unwrap_or(" "));
            }
        }
    }
    rows.into_iter().map(|row| Line::styled(row, theme.title)).collect()
}
