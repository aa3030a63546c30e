//! Two exchanges side by side, differences marked; one below the other where there is no room.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::exchange::rule;
use super::table::moment;
use super::text::{broken, wrapped_lines};
use super::{Theme, WIDE};
use crate::app::Model;
use crate::app::reader::{Compared, ComparedPart};
use crate::domain::compare::Beside;
use crate::domain::text::clean;

/// Columns between the two: the mark of a difference, and a space on both sides.
const GAP: usize = 3;

/// Both of them, section by section.
pub(super) fn lines(compared: &Compared, model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let [first, second] = compared.began.map(|at| moment(at, model.now, &model.facts.zone));
    let layout = Layout { width, beside: width >= usize::from(WIDE) };
    let mut lines = layout.heads([&first, &second], theme.title);
    for part in &compared.parts {
        lines.push(rule(part.left.heading, theme, width));
        lines.extend(part_lines(part, layout, theme));
    }
    lines
}

fn part_lines(part: &ComparedPart, layout: Layout, theme: &Theme) -> Vec<Line<'static>> {
    let ComparedPart { left, right, rows } = part;
    let mut lines = Vec::new();
    if rows.by_position {
        let words = "Too long to find what was moved: compared line by line.";
        lines.extend(wrapped_lines(words, 0, layout.width, 2, theme.dim));
    }
    for Beside { left: one, right: other, same } in rows.rows.iter().copied() {
        let text = |at: Option<usize>, lines: &[String]| at.and_then(|at| lines.get(at)).map(|line| clean(line));
        let (one, other) = (text(one, &left.lines), text(other, &right.lines));
        let (mark, style) = if same { (" ", theme.dim) } else { (theme.mark("≠", "!"), theme.doubt) };
        lines.extend(layout.row(one.as_deref(), other.as_deref(), mark, style));
    }
    lines
}

/// How much room there is.
#[derive(Debug, Clone, Copy)]
struct Layout {
    width: usize,
    /// Whether both stand in one line.
    beside: bool,
}

impl Layout {
    /// When each of the two began.
    fn heads(self, began: [&str; 2], style: Style) -> Vec<Line<'static>> {
        let [one, other] = began;
        let (one, other) = (format!("A  {one}"), format!("B  {other}"));
        if self.beside {
            return self.side_by_side(Some(&one), Some(&other), "", style);
        }
        [one, other].into_iter().flat_map(|head| broken(vec![(head, style)], self.width)).collect()
    }

    /// One line of each, broken where it is too long; both the same where there is no mark.
    fn row(self, one: Option<&str>, other: Option<&str>, mark: &'static str, style: Style) -> Vec<Line<'static>> {
        if self.beside { self.side_by_side(one, other, mark, style) } else { self.stacked(one, other, mark, style) }
    }

    fn side_by_side(self, one: Option<&str>, other: Option<&str>, mark: &str, style: Style) -> Vec<Line<'static>> {
        let half = self.width.saturating_sub(GAP) / 2;
        let lines =
            |text: Option<&str>| text.map(|text| broken(vec![(text.to_owned(), style)], half)).unwrap_or_default();
        let (left, right) = (lines(one), lines(other));
        let rows = left.len().max(right.len());
        let (mut left, mut right) = (left.into_iter(), right.into_iter());
        let row = |_| {
            let mut line = left.next().unwrap_or_default();
            let gap = half.saturating_sub(line.width());
            line.push_span(Span::raw(" ".repeat(gap)));
            line.push_span(Span::styled(format!(" {mark:1} "), style));
            line.extend(right.next().unwrap_or_default());
            line
        };
        (0..rows).map(row).collect()
    }

    fn stacked(self, one: Option<&str>, other: Option<&str>, mark: &str, style: Style) -> Vec<Line<'static>> {
        let lines = |head: &str, text: &str| {
            let pieces = vec![(format!("{mark}{head} "), style), (text.to_owned(), style)];
            broken(pieces, self.width.max(head.width() + 2))
        };
        if mark == " " {
            return one.map(|text| lines(" ", text)).unwrap_or_default();
        }
        let told = [("A", one), ("B", other)];
        told.into_iter().filter_map(|(head, text)| Some(lines(head, text?))).flatten().collect()
    }
}
