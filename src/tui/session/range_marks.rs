//! Marks that follow the selection: every plant from where they began up to the selected one.
//!
//! Must not know what selects.

use std::collections::BTreeMap;

use crate::domain::{Details, PlantId, Row};
use crate::journal::Window;

/// Plants that are marked at once, at most.
pub const MOST: usize = 1000;

/// The marked plants, each with its details at that time.
pub(super) type Marked = BTreeMap<PlantId, Option<Details>>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeMarks {
    first: PlantId,
    /// Its last known index, in the whole list.
    from: usize,
    /// The marks before, which stay.
    before: Marked,
    /// Whether it lasts until it is ended; one with Shift ends with the next move without Shift.
    pub lasts: bool,
    /// The index that the selection moves on to, once the rows up to it are loaded.
    pub ahead: Option<usize>,
    /// Whether the last move would have gone beyond the most plants of a range.
    pub is_full: bool,
}

impl RangeMarks {
    /// Begins at the row with this index, and marks it.
    pub fn begin(index: usize, row: &Row, marked: &mut Marked, lasts: bool) -> Self {
        let before = marked.clone();
        marked.insert(row.id, row.details.clone());
        Self { first: row.id, from: index, before, lasts, ahead: None, is_full: false }
    }

    /// Takes a move of the selection from an index towards another, and marks what is in the range after it. Returns the
    /// new index: the move stops at the rows that are loaded, until more are.
    pub fn follow(&mut self, old: usize, towards: usize, window: &Window, marked: &mut Marked) -> usize {
        if let Some(at) = window.rows.iter().position(|row| row.id == self.first) {
            self.from = window.first + at;
        }
        let towards = towards.min(window.total.saturating_sub(1));
        let goal = towards.clamp(self.from.saturating_sub(MOST - 1).min(old), (self.from + MOST - 1).max(old));
        let last = (window.first + window.rows.len()).saturating_sub(1);
        let new = goal.clamp(window.first.min(old), last.max(old));
        (self.ahead, self.is_full) = (Some(goal).filter(|goal| *goal != new), goal != towards);
        let passed = old.min(new)..=old.max(new);
        let in_range = self.from.min(new)..=self.from.max(new);
        for (index, row) in (window.first..).zip(&window.rows).filter(|(index, _)| passed.contains(index)) {
            match self.before.get(&row.id) {
                _ if in_range.contains(&index) => drop(marked.insert(row.id, row.details.clone())),
                Some(before) => drop(marked.insert(row.id, before.clone())),
                None => drop(marked.remove(&row.id)),
            }
        }
        new
    }
}
