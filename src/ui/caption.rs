//! What the tour says, below everything else.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::Theme;
use super::text::wrapped_lines;
use crate::app::Model;
use crate::domain::wrap::wrapped;

/// Lines of a caption at most.
const LINES: usize = 6;

/// Rows of it with its borders; none where nobody is on the tour.
pub(super) fn height(model: &Model, area: Rect) -> u16 {
    let rows = model.caption().map_or(0, |caption| wrapped(&caption, columns(area), LINES).len() + 2);
    u16::try_from(rows).unwrap_or(0)
}

fn columns(area: Rect) -> usize {
    usize::from(area.width).saturating_sub(4)
}

pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect) {
    let (Some(caption), Some(tour)) = (model.caption(), &model.tour) else { return };
    let (at, of) = tour.place();
    let keys = match (tour.is_over, tour.impatient) {
        (true, _) if tour.other_key => " your keys work after the tour: Space goes on, Esc leaves ",
        (true, _) => " Space goes on, Esc leaves ",
        (false, true) => " not yet: this is still under way ",
        (false, false) => " Esc leaves ",
    };
    let block = Block::bordered()
        .border_set(theme.borders())
        .border_style(theme.moving)
        .title(Span::styled(format!(" Tour, {at} of {of} "), theme.here))
        .title_bottom(Line::from(Span::styled(keys, theme.key)).right_aligned());
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.buffer_mut().set_style(area, theme.text);
    frame.render_widget(block, area);
    let lines = wrapped_lines(&caption, 1, usize::from(inner.width).saturating_sub(1), LINES, theme.title);
    frame.render_widget(Paragraph::new(lines), inner);
}
