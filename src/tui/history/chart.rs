//! How the store responds, at a glance: percentiles, counts, and a bar for each stretch of time.

use std::time::Duration;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Block;
use unicode_width::UnicodeWidthStr;

use crate::domain::Outcome;
use crate::domain::latency_stats::{Column, LatencyStats};
use crate::domain::sentence::span;
use crate::domain::text::clean_fit;
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
        0 => " How the store responds ".to_owned(),
        count => format!(" How the store responds: the last {count} "),
    };
    let title = clean_fit(&title, usize::from(area.width.saturating_sub(4)));
    let block = Block::bordered()
        .border_set(theme.borders())
        .border_style(theme.border)
        .title(Span::styled(title, theme.title));
    let inner = block.inner(area);
    canvas.render(block, area);
    let width = usize::from(inner.width);
    let mut lines = vec![percentiles(latencies, theme), Line::from(counts(latencies, theme, width))];
    let rows = usize::from(inner.height).saturating_sub(lines.len() + 2);
    let slowest = latencies.slowest();
    // The scale stands left of the bars.
    let top = slowest.map(span).unwrap_or_default();
    let left = top.width() + 1;
    let columns = latencies.columns(width.saturating_sub(left + 1));
    lines.extend((0..rows).map(|row| {
        let scale = match row {
            0 => format!("{top:>left$} ", left = left - 1),
            _ => " ".repeat(left),
        };
        let mut spans = vec![Span::styled(scale, theme.dim)];
        let from_below = rows - 1 - row;
        spans.extend(columns.iter().map(|column| bar(column, slowest, rows, from_below, theme)));
        Line::from(spans)
    }));
    // Which of them hold what is no plain yes, so that no colour is needed to see it.
    let mut marks = vec![Span::styled(format!("{:>left$} ", "0", left = left - 1), theme.dim)];
    marks.extend(columns.iter().map(|column| foot(column, theme)));
    lines.push(Line::from(marks));
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

/// In one line, for where there is no room for bars.
pub(super) fn sum(latencies: &LatencyStats, theme: &Theme, width: usize) -> Line<'static> {
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

/// `✓ 34 accepted  ✗ 2 refused`, those there are; without the words where there is no room.
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

/// What a bar shows in a row, counted from the lowest.
fn bar(column: &Column, slowest: Option<Duration>, rows: usize, row: usize, theme: &Theme) -> Span<'static> {
    const FILLED: [(&str, &str); EIGHTHS + 1] =
        [(" ", " "), ("▁", "."), ("▂", "."), ("▃", "."), ("▄", ":"), ("▅", ":"), ("▆", ":"), ("▇", "#"), ("█", "#")];
    let height = height(column.slowest, slowest, rows);
    let (unicode, ascii) = FILLED.get(height.saturating_sub(row * EIGHTHS).min(EIGHTHS)).copied().unwrap_or((" ", " "));
    Span::styled(theme.mark(unicode, ascii), style(column, theme))
}

/// Eighths of a row that a latency is high: the slowest fills all rows, and none is so short that
/// it is not seen.
fn height(latency: Option<Duration>, slowest: Option<Duration>, rows: usize) -> usize {
    let (Some(latency), Some(slowest)) = (latency, slowest) else { return 0 };
    let whole = (rows * EIGHTHS) as u128;
    let height = latency.as_micros() * whole / slowest.as_micros().max(1);
    usize::try_from(height.clamp(1, whole)).unwrap_or(0)
}

/// Below a bar: the mark of the gravest outcome, or a line where all were accepted.
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
    fn bars_are_as_high_as_their_latency() {
        let ms = |ms| Some(Duration::from_millis(ms));
        assert_eq!(height(ms(100), ms(100), 4), 32);
        assert_eq!(height(ms(50), ms(100), 4), 16);
        assert_eq!(height(ms(0), ms(100), 4), 1);
        assert_eq!(height(None, ms(100), 4), 0);
        assert_eq!(height(ms(0), ms(0), 4), 1);
    }
}
