//! The chart of latencies: percentiles, counts by outcome, and a bar for each period between two axes.

use std::time::Duration;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::list::HistoryList;
use crate::domain::Outcome;
use crate::domain::latency_stats::{Column, LatencyStats};
use crate::domain::sentence::span;
use crate::text::number_format::counted;
use crate::tui::context::Context;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::when;

/// Eighths of a row that a bar can fill.
const EIGHTHS: usize = 8;
/// Columns of a bar with its gap, at most: few requests are drawn wide, so that the times fit below them.
const WIDEST: usize = 12;
/// Rows of bars from which the y axis can have five ticks instead of three.
const TALL: usize = 8;

pub(super) fn draw(list: &HistoryList, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let (theme, latencies) = (canvas.theme, &list.latency);
    if area.is_empty() {
        return;
    }
    let without = if list.filter.filter.asks_for_checks() { "" } else { " without checks" };
    let title = match latencies.count() {
        0 => format!("Latency{without}"),
        count => format!("Latency, last {}{without}", counted(count as u64, "request", "requests")),
    };
    let inner = canvas.bordered(&title, theme.border, area);
    let width = usize::from(inner.width);
    let mut lines = vec![percentiles(list, theme), Line::from(counts(latencies, theme, width))];
    if latencies.count() == 0 {
        return canvas.lines(lines, inner);
    }
    let room = usize::from(inner.height).saturating_sub(lines.len() + 2);
    let top = latencies.slowest().and_then(top_of);
    let (rows, parts) = even(room);
    let labels = labels(top, rows, parts);
    lines.extend(vec![Line::default(); room - rows]);
    let left = labels.iter().map(|label| label.width()).max().unwrap_or(0) + 1;
    let columns = latencies.columns(width.saturating_sub(left + 1));
    let each = (width.saturating_sub(left + 1) / columns.len().max(1)).clamp(1, WIDEST);
    lines.extend((0..rows).map(|row| {
        let label = labels.get(row).map_or("", String::as_str);
        let tick = if label.is_empty() { theme.mark("│", "|") } else { theme.mark("┤", "+") };
        let bars = columns.iter().flat_map(|column| {
            let (bar, style) = bar(column, top, rows, rows - 1 - row, theme);
            // A gap makes wide bars countable.
            let filled = (each - 1).max(1);
            [Span::styled(bar.repeat(filled), style), Span::raw(" ".repeat(each - filled))]
        });
        [axis(label, tick, left, theme)].into_iter().chain(bars).collect()
    }));
    // Below each bar its worst outcome, so that no colour is needed to see it.
    let ticks = ticks(columns.len());
    let feet = columns.iter().enumerate().flat_map(|(at, column)| {
        let line = theme.mark("─", "-");
        let foot = match column.worst {
            Outcome::Accepted if ticks.contains(&at) => theme.mark("┬", "+"),
            Outcome::Accepted => line,
            worst @ (Outcome::Rejected | Outcome::Unknown | Outcome::NotSent) => theme.outcome(worst).1,
        };
        [Span::styled(foot, style(column, theme)), Span::styled(line.repeat(each - 1), theme.dim)]
    });
    lines.push([axis("0", theme.mark("└", "+"), left, theme)].into_iter().chain(feet).collect());
    let time = |at: &usize| Some((at * each, when(columns.get(*at)?.started, cx.now(), &cx.session.info.zone)));
    let times: Vec<_> = ticks.iter().filter_map(time).collect();
    let times = x_labels(&times, columns.len() * each);
    lines.push(Line::from(Span::styled(format!("{}{times}", " ".repeat(left + 1)), theme.dim)));
    canvas.lines(lines, inner);
}

/// The part of the y axis in a row: a label and a tick.
fn axis(label: &str, tick: &str, left: usize, theme: &Theme) -> Span<'static> {
    Span::styled(format!("{label:>left$}{tick}"), theme.dim)
}

/// Returns how many rows the bars take, and into how many equal parts ticks divide them. At most one row is left free.
fn even(rows: usize) -> (usize, u32) {
    match rows {
        0 | 1 => (rows, 1),
        _ if rows >= TALL && rows % 4 < 2 => (rows - rows % 4, 4),
        _ => (rows - rows % 2, 2),
    }
}

/// Returns the upper end of the y axis, which begins at zero: a round latency that no bar exceeds.
fn top_of(slowest: Duration) -> Option<Duration> {
    // Numbers whose halves are round, too.
    const ROUND: [u64; 5] = [1, 2, 4, 6, 8];
    let mut tens = (3..19).map(|power| 10_u64.pow(power));
    let is_enough = |micros: &u64| u128::from(*micros) >= slowest.as_micros();
    let top = tens.find_map(|ten| ROUND.map(|round| ten.saturating_mul(round)).into_iter().find(is_enough));
    top.map(Duration::from_micros)
}

/// Returns the label of each row of bars, from the top; most are empty, and all without a response. Below the last row is
/// zero.
fn labels(top: Option<Duration>, rows: usize, parts: u32) -> Vec<String> {
    let Some(top) = top else { return Vec::new() };
    // One unit for the whole axis.
    let (unit, micros) = if top >= Duration::from_secs(1) { ("s", 1_000_000) } else { ("ms", 1000) };
    let each = (rows / parts as usize).max(1);
    let label = |row: usize| {
        let part = u32::try_from(row / each).unwrap_or(parts);
        let hundredths = (top * (parts - part) / parts).as_micros() * 100 / micros;
        let decimals = format!("{}.{:02}", hundredths / 100, hundredths % 100);
        let label = format!("{} {unit}", decimals.trim_end_matches('0').trim_end_matches('.'));
        if row.is_multiple_of(each) { label } else { String::new() }
    };
    (0..rows).map(label).collect()
}

/// Returns the bars that have a tick on the x axis: the first, the middle and the last.
fn ticks(bars: usize) -> Vec<usize> {
    let mut ticks: Vec<_> = bars.checked_sub(1).into_iter().flat_map(|last| [0, last / 2, last]).collect();
    ticks.dedup();
    ticks
}

/// Returns the labels of the x axis in one row, each from its tick on, the last one within `width`. The first and the
/// last take precedence where not all fit.
fn x_labels(labels: &[(usize, String)], width: usize) -> String {
    let (Some((_, first)), Some((tick, last))) = (labels.first(), labels.last()) else { return String::new() };
    let mut row = first.clone();
    let end = (*tick).min(width.saturating_sub(last.width()));
    let between = labels.get(1).filter(|(tick, middle)| tick + middle.width() < end);
    for (tick, label) in between.map(|(tick, label)| (*tick, label)).into_iter().chain([(end, last)]) {
        if tick > row.width() {
            row = format!("{row:<tick$}{label}");
        }
    }
    row
}

/// Where the chart is.
const LARGER: &str = " a larger window charts them";

/// Percentiles and counts in one line, where there is no room for bars.
pub(super) fn summary(list: &HistoryList, theme: &Theme, width: usize) -> Line<'static> {
    let columns = |spans: &[Span]| spans.iter().map(|span| span.content.width()).sum::<usize>();
    let mut spans = percentiles(list, theme).spans;
    // A mark without its number says nothing; the last percentile gives way.
    while spans.len() > 2 && columns(&spans) + columns(&counts(&list.latency, theme, 0)) > width {
        spans.truncate(spans.len() - 2);
    }
    spans.extend(counts(&list.latency, theme, width.saturating_sub(columns(&spans))));
    if columns(&spans) + LARGER.len() <= width {
        spans.push(Span::styled(LARGER, theme.dim));
    }
    Line::from(spans)
}

/// `p50 12 ms  p95 34 ms  p99 80 ms`
fn percentiles(list: &HistoryList, theme: &Theme) -> Line<'static> {
    let Some(measured) = list.latency.percentiles() else {
        let words = match list.lines.iter().any(|row| row.run().is_some()) {
            _ if list.is_filtered() => " no response matches ",
            true => " no response outside checks ",
            false => " no response yet ",
        };
        return Line::from(Span::styled(words, theme.dim));
    };
    let spans = measured.into_iter().flat_map(|(word, latency)| {
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
fn bar(column: &Column, top: Option<Duration>, rows: usize, row: usize, theme: &Theme) -> (&'static str, Style) {
    const FILLED: [(&str, &str); EIGHTHS + 1] =
        [(" ", " "), ("▁", "."), ("▂", "."), ("▃", "."), ("▄", ":"), ("▅", ":"), ("▆", ":"), ("▇", "#"), ("█", "#")];
    let height = height(column.slowest, top, rows);
    let (unicode, ascii) = FILLED.get(height.saturating_sub(row * EIGHTHS).min(EIGHTHS)).copied().unwrap_or((" ", " "));
    (theme.mark(unicode, ascii), style(column, theme))
}

/// Returns the height of a bar in eighths of a row: `top` fills all rows, and each bar has at least one eighth.
fn height(latency: Option<Duration>, top: Option<Duration>, rows: usize) -> usize {
    let (Some(latency), Some(top)) = (latency, top) else { return 0 };
    let whole = (rows * EIGHTHS) as u128;
    let height = latency.as_micros() * whole / top.as_micros().max(1);
    usize::try_from(height.clamp(1, whole)).unwrap_or(0)
}

fn style(column: &Column, theme: &Theme) -> Style {
    theme.outcome(column.worst).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Sample, Timestamp};
    use crate::text::Marks;
    use crate::tui::widgets::theme::{Depth, Palette};

    #[test]
    fn the_height_of_a_bar_is_proportional_to_its_latency() {
        let ms = |ms| Some(Duration::from_millis(ms));
        assert_eq!(height(ms(100), ms(100), 4), 32);
        assert_eq!(height(ms(50), ms(100), 4), 16);
        assert_eq!(height(ms(0), ms(100), 4), 1);
        assert_eq!(height(None, ms(100), 4), 0);
        assert_eq!(height(ms(0), ms(0), 4), 1);
    }

    #[test]
    fn the_y_axis_has_round_labels_and_no_bar_exceeds_it() {
        let ms = |ms| Some(Duration::from_millis(ms));
        for (slowest, labels) in [
            (0, ["1 ms", "0.5 ms"]),
            (9, ["10 ms", "5 ms"]),
            (41, ["60 ms", "30 ms"]),
            (140, ["200 ms", "100 ms"]),
            (801, ["1 s", "0.5 s"]),
            (30_000, ["40 s", "20 s"]),
        ] {
            let top = ms(slowest).and_then(top_of);
            assert!(top >= ms(slowest));
            let shown: Vec<_> = super::labels(top, 2, 2).into_iter().filter(|label| !label.is_empty()).collect();
            assert_eq!(shown, labels, "{slowest}");
        }
        let axis = |slowest, rows, parts| super::labels(ms(slowest).and_then(top_of), rows, parts);
        assert_eq!(axis(150, 8, 4), ["200 ms", "", "150 ms", "", "100 ms", "", "50 ms", ""]);
        assert_eq!(axis(2, 4, 2), ["2 ms", "", "1 ms", ""]);
        assert_eq!((axis(2, 1, 1), super::labels(None, 2, 2)), (vec!["2 ms".to_owned()], vec![]));
        assert_eq!(top_of(Duration::MAX), None);
    }

    #[test]
    fn the_ticks_of_the_y_axis_are_equally_far_apart_and_leave_at_most_one_row_free() {
        for rows in 0..40 {
            let (used, parts) = even(rows);
            assert!(rows - used < 2 && used.is_multiple_of(parts as usize), "{rows}");
        }
        assert_eq!([1, 3, 9, 11].map(even), [(1, 1), (2, 2), (8, 4), (10, 2)]);
    }

    #[test]
    fn the_x_axis_has_a_label_in_the_middle_if_there_is_room() {
        let labels = |bars: usize, each| {
            let labels: Vec<_> = ticks(bars).into_iter().map(|at| (at * each, format!("10:00:{at:02}"))).collect();
            x_labels(&labels, bars * each)
        };
        assert_eq!(labels(40, 1), "10:00:00           10:00:19     10:00:39");
        assert_eq!(labels(24, 1), "10:00:00        10:00:23");
        assert_eq!(labels(10, 1), "10:00:00");
        assert_eq!(labels(2, 12), "10:00:00    10:00:01");
        assert_eq!(labels(3, 12), "10:00:00    10:00:01    10:00:02");
        assert_eq!((labels(1, 12), labels(0, 12)), ("10:00:00".to_owned(), String::new()));
    }

    #[test]
    fn two_labels_of_the_x_axis_never_touch() {
        let row = |labels: &[(usize, &str)], width| {
            let labels: Vec<_> = labels.iter().map(|(tick, label)| (*tick, (*label).to_owned())).collect();
            x_labels(&labels, width)
        };
        assert_eq!(row(&[(0, "a"), (4, "bbb"), (8, "c")], 9), "a   bbb c");
        assert_eq!(row(&[(0, "a"), (5, "bbb"), (8, "c")], 9), "a       c");
        assert_eq!(row(&[(0, "aaa"), (4, "c")], 5), "aaa c");
        assert_eq!(row(&[(0, "aaa"), (3, "c")], 4), "aaa");
    }

    #[test]
    fn the_summary_says_where_the_chart_is_if_there_is_room() {
        let sample = Sample {
            started: Timestamp(0),
            elapsed: Duration::from_millis(12),
            outcome: Outcome::Accepted,
            responded: true,
        };
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let mut list = HistoryList::default();
        list.latency = LatencyStats::of(vec![sample]);
        let summary = |width| summary(&list, &theme, width).to_string();
        let whole = summary(200);
        assert_eq!(whole, " p50 12 ms  p95 12 ms  p99 12 ms  ✓ 1 accepted  a larger window charts them");
        assert_eq!(summary(whole.width()), whole);
        assert_eq!(summary(30), " p50 12 ms  p95 12 ms  ✓ 1 ");
        assert_eq!(summary(whole.width() - 1), " p50 12 ms  p95 12 ms  p99 12 ms  ✓ 1 accepted ");
    }
}
