//! The phases of an exchange: a proportional bar, and each phase with its duration.

use std::time::Duration;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use crate::domain::Exchange;
use crate::domain::sentence::span;
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::theme::Theme;

/// A phase: its name, its duration, and the mark and style with which it is drawn.
type Part = (&'static str, Duration, &'static str, Style);

/// Returns no lines if no phase was measured.
pub(crate) fn lines(exchange: &Exchange, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let parts = parts(exchange, theme);
    if parts.is_empty() {
        return Vec::new();
    }
    let took: Vec<_> = parts.iter().map(|(_, took, ..)| *took).collect();
    let bar = parts.iter().zip(shares(&took, width));
    let bar: Line = bar.map(|((_, _, mark, style), columns)| Span::styled(mark.repeat(columns), *style)).collect();
    let mut lines = vec![bar];
    let (mut line, mut used) = (Line::default(), 0);
    for (word, took, mark, style) in parts {
        let words = format!("{mark} {word} {}  ", span(took));
        let columns = words.width();
        if used > 0 && used + columns > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        used += columns;
        line.push_span(fitted(&words, width, style));
    }
    lines.push(line);
    lines
}

fn parts(exchange: &Exchange, theme: &Theme) -> Vec<Part> {
    let marks = [
        (theme.mark("░", "n"), theme.warning),
        (theme.mark("▒", "c"), theme.in_progress),
        (theme.mark("▓", "t"), theme.in_progress),
        (theme.mark("█", "w"), theme.good),
        (theme.mark("▚", "r"), theme.text),
    ];
    let phases = exchange.phases.in_order().into_iter().zip(marks);
    let mut parts: Vec<_> =
        phases.filter_map(|((word, took), (mark, style))| Some((word, took?, mark, style))).collect();
    if !parts.is_empty() {
        let took = exchange.phases.before(exchange.elapsed);
        parts.insert(0, ("setting up", took, theme.mark("·", "."), theme.dim));
    }
    parts
}

/// Distributes columns in proportion to durations: at least one for each, while there are enough.
fn shares(took: &[Duration], columns: usize) -> Vec<usize> {
    let whole: u128 = took.iter().map(Duration::as_micros).sum::<u128>().max(1);
    let spare = columns.saturating_sub(took.len()) as u128;
    let columns_of = |took: &Duration| 1 + usize::try_from(took.as_micros() * spare / whole).unwrap_or(0);
    let mut shared: Vec<_> = took.iter().map(columns_of).collect();
    // The rounding rest goes to the longest.
    let left = columns.saturating_sub(shared.iter().sum());
    if let Some(longest) = shared.iter_mut().max() {
        *longest += left;
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{FailureKind, Operation, OperationId, OperationKind, Phases, PlantId, Timestamp};
    use crate::text::Marks;
    use crate::tui::widgets::theme::{Depth, Palette};

    #[test]
    fn as_many_phases_are_in_a_line_as_fit() {
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let operation =
            Operation::new(OperationId { origin: 1, number: 1 }, OperationKind::Delete(PlantId(7)), Timestamp(0));
        let ms = |ms| Some(Duration::from_millis(ms));
        let phases = Phases { waiting: ms(20), reading: ms(3), ..Phases::default() };
        let failed = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
        let exchange = Exchange { elapsed: Duration::from_millis(24), phases, ..failed };
        let below_the_bar = |width| {
            let lines = lines(&exchange, &theme, width);
            lines.iter().skip(1).map(|line| line.to_string().trim_end().to_owned()).collect::<Vec<_>>()
        };
        let width = lines(&exchange, &theme, 200)[1].width();
        let [whole] = below_the_bar(width).try_into().unwrap();
        let (first, last) = whole.split_once("  ▚").unwrap();
        assert_eq!(below_the_bar(width - 1), [first.to_owned(), format!("▚{last}")]);
        assert_eq!(below_the_bar(9).len(), 3);
        assert!(below_the_bar(9).iter().all(|line| !line.is_empty()), "{:?}", below_the_bar(9));
    }

    #[test]
    fn all_columns_are_distributed() {
        let micros = |list: &[u64]| list.iter().map(|micros| Duration::from_micros(*micros)).collect::<Vec<_>>();
        assert_eq!(shares(&micros(&[0, 100]), 10), [1, 9]);
        assert_eq!(shares(&micros(&[50, 50]), 10), [5, 5]);
        assert_eq!(shares(&micros(&[1, 1, 1]), 10), [3, 3, 4]);
        assert_eq!(shares(&micros(&[0, 0]), 6).iter().sum::<usize>(), 6);
        assert_eq!(shares(&[], 6), [0; 0]);
    }
}
