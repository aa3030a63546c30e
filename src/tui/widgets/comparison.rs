//! Two requests compared line by line.

use crate::domain::Timestamp;
use crate::domain::compare::{self, Comparison, LinePair, Section};
use crate::journal::StoredExchange;
use crate::text::body::BodyLine;

/// The comparison of two requests. Made outside `update`, for it can take long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    pub began: [Timestamp; 2],
    pub parts: Vec<ComparedPart>,
}

/// One part of both requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedPart {
    /// `What`, `Request` or `Response`.
    pub heading: &'static str,
    /// Whether it is too long to align: line N is compared with line N.
    pub by_position: bool,
    pub pairs: Vec<Pair>,
}

/// One line of both requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The line of the first one; `None` if only the second one has it.
    pub left: Option<BodyLine>,
    pub right: Option<BodyLine>,
    pub same: bool,
}

impl Compared {
    pub fn of(pair: &[StoredExchange; 2]) -> Self {
        let [left, right] = pair.each_ref().map(|kept| compare::sections(&kept.exchange, kept.called.as_ref()));
        let began = pair.each_ref().map(|kept| kept.exchange.started);
        Self { began, parts: left.iter().zip(&right).map(|(left, right)| ComparedPart::of(left, right)).collect() }
    }
}

impl ComparedPart {
    fn of(left: &Section, right: &Section) -> Self {
        let Comparison { rows, by_position } = compare::pair_lines(&left.lines, &right.lines);
        let line = |at: Option<usize>, lines: &[String]| lines.get(at?).cloned().map(BodyLine::plain);
        let pair = |LinePair { left: one, right: other, same }| Pair {
            left: line(one, &left.lines),
            right: line(other, &right.lines),
            same,
        };
        Self { heading: left.heading, by_position, pairs: rows.into_iter().map(pair).collect() }
    }
}
