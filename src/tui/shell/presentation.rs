//! Presentation mode: the latest keys, above everything else or in the header. Screens enlarge what they show.

use std::collections::VecDeque;

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;

use crate::domain::Language;
use crate::terminal::Key;
use crate::tui::context::Context;
use crate::tui::widgets::canvas::{Canvas, cells};
use crate::tui::widgets::theme::Theme;

/// Returns the rows of the keys; none where the header has a row with room for them.
pub(super) fn height(cx: &Context, header: u16) -> u16 {
    u16::from(cx.display.presenting && header == 1)
}

/// Returns the latest keys, as many as `columns` have room for, and at least the last one.
pub(super) fn keys(pressed: &VecDeque<Key>, columns: usize, language: Language, theme: &Theme) -> Line<'static> {
    let name = |key: &Key| format!(" {} ", language.key(&key.to_string()));
    let key = |key: &Key| [Span::styled(name(key), theme.active_tab), Span::raw(" ")];
    let line = |from| [Span::raw(" ")].into_iter().chain(pressed.iter().skip(from).flat_map(key)).collect::<Line>();
    let mut lines = (0..pressed.len()).map(line);
    let Some(last) = lines.clone().next_back() else { return Line::default() };
    lines.find(|line| line.width() <= columns).unwrap_or(last)
}

pub(super) fn draw(keys: Line<'static>, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let width = cells(keys.width()).min(area.width);
    let area = Rect { x: area.right().saturating_sub(width), width, height: area.height.min(1), ..area };
    canvas.render(Clear, area);
    canvas.render(keys.style(canvas.theme.text), area);
}
