//! The chart of latencies: percentiles, counts by outcome, and a bar for each period.

use std::time::Duration;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::domain::Outcome;
use crate::domain::latency_stats::{Column, LatencyStats};
use crate::domain::number_format::counted;
use crate::domain::sentence::span;
use crate::tui::context::Context;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::when;

/// Eighths of a row that a bar can fill.
const EIGHTHS: usize = 8;

pub(super) fn draw(latencies: &LatencyStats, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    if area.height < 3 {
        return;
    }
    let title = match latencies.count() {
        0 => "Latency".to_owned(),
        count => format!("Latency of the last {}", counted(count as u64, "request", "requests")),
    };
    let inner = canvas.bordered(&title, theme.border, area);
    let width = usize::from(inner.width);
    let mut lines = vec![percentiles(latencies, theme), Line::from(counts(latencies, theme, width))];
    let rows = usize::from(inner.height).saturating_sub(lines.len() + 2);
    let slowest = latencies.slowest();
    // Left of the bars is the scale.
    let top = slowest.map(span).unwrap_or_default();
    let left = top.width() + 1;
    let columns = latencies.columns(width.saturating_sub(left + 1));
    lines.extend((0..rows).map(|row| {
        let scale = match row {
            0 => format!("{top:>left$} ", left = left - 1),
            _ => " ".repeat(left),
        };
        let bars = columns.iter().map(|column| bar(column, slowest, rows, rows - 1 - row, theme));
        [Span::styled(scale, theme.dim)].into_iter().chain(bars).collect()
    }));
    // Below each bar its worst outcome, so that no colour is needed to see it.
    let zero = Span::styled(format!("{:>left$} ", "0", left = left - 1), theme.dim);
    lines.push([zero].into_iter().chain(columns.iter().map(|column| foot(column, theme))).collect());
    if let Some((first, last)) = latencies.first_and_last() {
        let shown = |at| when(at, cx.now(), &cx.session.info.zone);
        let (first, last) = (shown(first), shown(last));
        let room = columns.len().saturating_sub(first.width());
        let text =
            if room > last.width() { format!("{}{first}{last:>room$}", " ".repeat(left)) } else { String::new() };
        lines.push(Line::from(Span::styled(text, theme.dim)));
    }
    canvas.lines(lines, inner);
}

/// Percentiles and counts in one line, where there is no room for bars.
pub(super) fn summary(latencies: &LatencyStats, theme: &Theme, width: usize) -> Line<'static> {
    let mut spans = percentiles(latencies, theme).spans;
    let used: usize = spans.iter().map(|span| span.content.width()).sum();
    spans.extend(counts(latencies, theme, width.saturating_sub(used)));
    Line::from(spans)
}

/// `p50 12 ms  p95 34 ms  p99 80 ms`
fn percentiles(latencies: &LatencyStats, theme: &Theme) -> Line<'static> {
    let Some(measured) = latencies.percentiles() else {
        return Line::from(Span::styled(" no response yet ", theme.dim));
    };
    let shown = [("p50", measured.p50), ("p95", measured.p95), ("p99", measured.p99)];
    let spans = shown.into_iter().flat_map(|(word, latency)| {
        [Span::styled(format!(" {word} "), theme.dim), Span::styled(format!("{} ", span(latency)), theme.title)]
    });
    spans.collect()
}

/// `✓ 34 accepted  ✗ 2 rejected`; without the words where there is no room.
fn counts(latencies: &LatencyStats, theme: &Theme, width: usize) -> Vec<Span<'static>> {
    let shown = |with_words: bool| -> Vec<Span<'static>> {
        let counted = Outcome::ALL.into_iter().zip(latencies.counts()).filter(|(_, count)| *count > 0);
        let spans = counted.map(|(outcome, count)| {
            let (style, mark) = theme.outcome(outcome);
            let word = if with_words { format!(" {}", outcome.word()) } else { String::new() };
            Span::styled(format!(" {mark} {count}{word} "), style)
        });
        spans.collect()
    };
    let whole = shown(true);
    if whole.iter().map(|span| span.content.width()).sum::<usize>() <= width { whole } else { shown(false) }
}

/// The part of a bar in a row, counted from below.
fn bar(column: &Column, slowest: Option<Duration>, rows: usize, row: usize, theme: &Theme) -> Span<'static> {
    const FILLED: [(&str, &str); EIGHTHS + 1] =
        [(" ", " "), ("▁", "."), ("▂", "."), ("▃", "."), ("▄", ":"), ("▅", ":"), ("▆", ":"), ("▇", "#"), ("█", "#")];
    let height = height(column.slowest, slowest, rows);
    let (unicode, ascii) = FILLED.get(height.saturating_sub(row * EIGHTHS).min(EIGHTHS)).copied().unwrap_or((" ", " "));
    Span::styled(theme.mark(unicode, ascii), style(column, theme))
}

/// Returns the height of a bar in eighths of a row: the slowest fills all rows, and each has at least one.
fn height(latency: Option<Duration>, slowest: Option<Duration>, rows: usize) -> usize {
    let (Some(latency), Some(slowest)) = (latency, slowest) else { return 0 };
    let whole = (rows * EIGHTHS) as u128;
    let height = latency.as_micros() * whole / slowest.as_micros().max(1);
    usize::try_from(height.clamp(1, whole)).unwrap_or(0)
}

/// Returns the mark below a bar: of its worst outcome, or a line where all were accepted.
fn foot(column: &Column, theme: &Theme) -> Span<'static> {
    let mark = match column.worst {
        Outcome::Accepted => theme.mark("─", "-"),
        worst @ (Outcome::Rejected | Outcome::Unknown | Outcome::NotSent) => theme.outcome(worst).1,
    };
    Span::styled(mark, style(column, theme))
}

fn style(column: &Column, theme: &Theme) -> Style {
    theme.outcome(column.worst).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_height_of_a_bar_is_proportional_to_its_latency() {
        let ms = |ms| Some(Duration::from_millis(ms));
        assert_eq!(height(ms(100), ms(100), 4), 32);
        assert_eq!(height(ms(50), ms(100), 4), 16);
        assert_eq!(height(ms(0), ms(100), 4), 1);
        assert_eq!(height(None, ms(100), 4), 0);
        assert_eq!(height(ms(0), ms(0), 4), 1);
    }
}
