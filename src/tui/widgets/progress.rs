//! A progress bar: a label, and a line that fills.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;
use ratatui::widgets::LineGauge;

use super::canvas::Canvas;

/// Draws a bar that is full at `done == whole`, also where both are 0.
pub fn draw(label: &str, done: u64, whole: u64, style: Style, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    #[expect(clippy::cast_precision_loss, reason = "a part of a column")]
    let ratio = if whole == 0 { 1.0 } else { (done as f64 / whole as f64).clamp(0.0, 1.0) };
    let gauge = LineGauge::default()
        .label(Span::styled(label.to_owned(), style))
        .filled_symbol(theme.mark("█", "#"))
        .unfilled_symbol(theme.mark("░", "."))
        .filled_style(style)
        .unfilled_style(theme.border)
        .ratio(ratio);
    canvas.render(gauge, area);
}
