//! Presentation mode: the latest keys, above everything else. Screens enlarge what they show.

use std::collections::VecDeque;

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::context::Context;
use crate::tui::input::Key;
use crate::tui::widgets::canvas::Canvas;

/// Returns the rows of the keys.
pub(super) fn height(cx: &Context) -> u16 {
    u16::from(cx.display.presenting)
}

pub(super) fn draw(pressed: &VecDeque<Key>, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let mut keys: Vec<Span> = Vec::new();
    for key in pressed {
        keys.extend([Span::styled(format!(" {key} "), canvas.theme.active_tab), Span::raw(" ")]);
    }
    canvas.render(Line::from(keys).right_aligned(), area);
}
