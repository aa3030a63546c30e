//! Presentation mode: the latest keys, above everything else or in the header. Screens enlarge what they show.

use std::collections::VecDeque;

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;

use crate::terminal::Key;
use crate::tui::context::Context;
use crate::tui::widgets::canvas::{Canvas, cells};

/// Returns the rows of the keys; none where the header has a row with room for them.
pub(super) fn height(cx: &Context, header: u16) -> u16 {
    u16::from(cx.display.presenting && header == 1)
}

pub(super) fn draw(pressed: &VecDeque<Key>, area: Rect, canvas: &mut Canvas<'_, '_>) {
    if pressed.is_empty() {
        return;
    }
    let mut keys = vec![Span::raw(" ")];
    for key in pressed {
        keys.extend([Span::styled(format!(" {key} "), canvas.theme.active_tab), Span::raw(" ")]);
    }
    let keys = Line::from(keys);
    let width = cells(keys.width()).min(area.width);
    let area = Rect { x: area.right().saturating_sub(width), width, height: area.height.min(1), ..area };
    canvas.render(Clear, area);
    canvas.render(keys.style(canvas.theme.text), area);
}
