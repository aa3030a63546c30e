//! Two texts compared line by line: side by side, or one below the other on a narrow terminal.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::canvas::WIDE;
use super::text::{behind, broken, rows_of};
use super::theme::Theme;
use crate::domain::compare::Pair;
use crate::text::body::BodyLine;

/// Columns between the two: the mark of a difference, with a space on both sides.
const GAP: usize = 3;

/// Columns before a line where they are one below the other: the mark, `A` or `B`, a space.
const HEAD: usize = 3;

fn are_side_by_side(width: usize) -> bool {
    width >= usize::from(WIDE)
}

fn half(width: usize) -> usize {
    width.saturating_sub(GAP) / 2
}

/// Returns the number of rows that a pair takes.
pub fn height(pair: &Pair, width: usize) -> usize {
    let rows = |line: &Option<BodyLine>, width| line.as_ref().map_or(0, |line| rows_of(line, width));
    if are_side_by_side(width) {
        return rows(&pair.left, half(width)).max(rows(&pair.right, half(width)));
    }
    let beside_head = width.saturating_sub(HEAD);
    let second = if pair.same { 0 } else { rows(&pair.right, beside_head) };
    rows(&pair.left, beside_head) + second
}

/// Returns the rows of a pair, with a mark where the two differ.
pub fn rows_marked(pair: &Pair, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let (mark, style) = if pair.same { (" ", theme.dim) } else { (theme.mark("≠", "!"), theme.warning) };
    let heads = if pair.same || are_side_by_side(width) { ["", ""] } else { ["A", "B"] };
    rows(pair, width, heads, mark, style)
}

/// Returns the rows of a pair, with a head before each side.
pub fn rows(pair: &Pair, width: usize, heads: [&str; 2], mark: &str, style: Style) -> Vec<Line<'static>> {
    let [one, other] = heads;
    if !are_side_by_side(width) {
        let second = pair.right.as_ref().filter(|_| !pair.same).map(|line| (line, other));
        let both = pair.left.as_ref().map(|line| (line, one)).into_iter().chain(second);
        return both.flat_map(|(line, head)| stacked(line, head, mark, style, width)).collect();
    }
    let half = half(width);
    let broken = |line: &Option<BodyLine>, head: &str| {
        line.as_ref().map(|line| broken(vec![(format!("{head}{}", line.text()), style)], half)).unwrap_or_default()
    };
    let (left, right) = (broken(&pair.left, one), broken(&pair.right, other));
    let count = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let row = |_| {
        let mut line = left.next().unwrap_or_default();
        let gap = half.saturating_sub(line.width());
        line.push_span(Span::raw(" ".repeat(gap)));
        line.push_span(Span::styled(format!(" {mark:1} "), style));
        line.extend(right.next().unwrap_or_default());
        line
    };
    (0..count).map(row).collect()
}

fn stacked(line: &BodyLine, head: &str, mark: &str, style: Style, width: usize) -> Vec<Line<'static>> {
    let rows = broken(vec![(line.text(), style)], width.saturating_sub(HEAD));
    behind(Span::styled(format!("{mark:1}{head:1} "), style), rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(left: Option<&str>, right: Option<&str>) -> Pair {
        let line = |text: &str| BodyLine::plain(text.to_owned());
        Pair { left: left.map(line), right: right.map(line), same: left == right }
    }

    #[track_caller]
    fn assert_rows(pair: &Pair, width: usize, expected: &[&str]) {
        let rows = rows_marked(pair, width, &Theme::default());
        assert_eq!(rows.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
        assert_eq!(height(pair, width), expected.len());
    }

    #[test]
    fn on_a_narrow_terminal_lines_that_differ_are_one_below_the_other() {
        assert_rows(&pair(Some("Fern"), Some("Ivy")), 20, &["≠A Fern", "≠B Ivy"]);
        assert_rows(&pair(Some("Fern"), Some("Fern")), 20, &["   Fern"]);
        assert_rows(&pair(None, Some("Ivy")), 20, &["≠B Ivy"]);
        assert_rows(&pair(Some("a fern in the shade"), None), 20, &["≠A a fern in the sha", "   de"]);
        assert_rows(&pair(Some("Fern"), Some("Ivy")), 83, &["≠A Fern", "≠B Ivy"]);
    }

    #[test]
    fn on_a_wide_terminal_lines_are_side_by_side() {
        let fern = format!("Fern{}", " ".repeat(36));
        assert_rows(&pair(Some("Fern"), Some("Ivy")), 84, &[&format!("{fern} ≠ Ivy")]);
        assert_rows(&pair(Some("Fern"), Some("Fern")), 84, &[&format!("{fern}   Fern")]);
    }
}
