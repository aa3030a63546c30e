//! Two exchanges line by line: what is the same in both and what is not.

use crate::domain::Timestamp;
use crate::domain::body::BodyLine;
use crate::domain::compare::{self, Comparison, LinePair, Section};
use crate::journal::StoredExchange;

/// Two exchanges with what is the same in both and what is not. Made once: that can take long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// When each began.
    pub began: [Timestamp; 2],
    /// What is told of them.
    pub parts: Vec<ComparedPart>,
}

/// A part of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedPart {
    /// `What`, `Request` or `Response`.
    pub heading: &'static str,
    /// Whether it is too long to find what was moved: compared line by line.
    pub by_position: bool,
    /// From above to below.
    pub pairs: Vec<Pair>,
}

/// What stands in one line of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Of the one; `None` if only the other has it.
    pub left: Option<BodyLine>,
    /// Of the other.
    pub right: Option<BodyLine>,
    /// Whether there is no difference.
    pub same: bool,
}

impl Compared {
    /// Compares two exchanges.
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
