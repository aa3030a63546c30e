//! The list of plants as far as it is at hand: a window of rows, the selected plant, the first row shown.
//!
//! The list can be far larger than the window, so selection is by plant: rows that come and
//! go around it do not move it, nor does another order.

use std::collections::BTreeMap;
use std::time::Duration;

use super::pending_query::PendingQuery;
use super::widgets::text_input::TextInput;
use crate::domain::{Details, PlantId, Row};
use crate::journal::{Anchor, Arrangement, Column, Tally, Window, WindowRequest};

/// Rows that are asked for at once: several screens.
const WINDOW_ROWS: usize = 400;

/// How close to the window's edge the selection may come before more rows are asked for.
const MARGIN: usize = 100;

/// What of the view is at hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlantList {
    /// The rows at hand.
    pub window: Window,
    /// Whether the journal was read at all.
    pub is_read: bool,
    /// The selected plant.
    pub selected: Option<PlantId>,
    /// Index in the whole view of the first row on screen.
    pub top: usize,
    /// Rows that fit on screen; until a frame was drawn all at hand do.
    pub page: usize,
    /// What the plants must have in their name, tag or id.
    pub filter: TextInput,
    /// What they are sorted by.
    pub column: Column,
    /// The other way round.
    pub descending: bool,
    /// Those that are marked, each as it was called then: an id can come to be another plant's.
    pub marked: BTreeMap<PlantId, Option<Details>>,
    /// Index in the whole view of the selection, as last known.
    cursor: usize,
    /// The selection shall be this index, once its row is at hand.
    wanted: Option<usize>,
    /// The selected plant was asked for and has not been among the rows since.
    coming: Option<PlantId>,
    /// Whether a window was asked for.
    asked: PendingQuery,
    /// Whether it will be asked for again in a while, because its order is late.
    due: bool,
}

impl PlantList {
    /// Before anything was read; `next_id` is the id to suggest until then.
    pub fn new() -> Self {
        Self {
            window: Window {
                rows: Vec::new(),
                first: 0,
                total: 0,
                tally: Tally::default(),
                next_id: PlantId(1),
                late: None,
            },
            is_read: false,
            selected: None,
            top: 0,
            page: WINDOW_ROWS,
            filter: TextInput::default(),
            column: Column::Id,
            descending: false,
            marked: BTreeMap::new(),
            cursor: 0,
            wanted: None,
            coming: None,
            asked: PendingQuery::None,
            due: false,
        }
    }

    /// The selected plant's row, if it is at hand.
    pub fn selected_row(&self) -> Option<&Row> {
        self.selected.and_then(|id| self.row(id))
    }

    /// A plant's row, if it is at hand.
    pub fn row(&self, id: PlantId) -> Option<&Row> {
        self.window.rows.iter().find(|row| row.id == id)
    }

    /// The rows on screen.
    pub fn visible(&self) -> &[Row] {
        let from = self.top.saturating_sub(self.window.first).min(self.window.rows.len());
        let to = (from + self.page).min(self.window.rows.len());
        self.window.rows.get(from..to).unwrap_or_default()
    }

    /// Which plants are wanted, in which order.
    pub fn arrangement(&self) -> Arrangement {
        Arrangement { filter: self.filter.text().to_owned(), column: self.column, descending: self.descending }
    }

    /// Asks for the window around the selection; `None` while a response is still to come.
    pub fn refresh(&mut self) -> Option<WindowRequest> {
        if !self.asked.begin() {
            return None;
        }
        let anchor = match (self.wanted, self.selected) {
            (Some(index), _) => Anchor::Index(index.saturating_sub(WINDOW_ROWS / 2)),
            (None, Some(id)) => Anchor::Around(id),
            (None, None) => Anchor::Top,
        };
        Some(WindowRequest { anchor, rows: WINDOW_ROWS, arrangement: self.arrangement() })
    }

    /// Filter or order has changed: what is out does not matter any more.
    pub fn arrange_anew(&mut self) -> Option<WindowRequest> {
        self.asked = PendingQuery::None;
        self.wanted = None;
        self.cursor = 0;
        self.refresh()
    }

    /// How long to wait before the order of the rows at hand is asked for again; told once.
    pub fn late(&mut self) -> Option<Duration> {
        let late = self.window.late.filter(|_| !self.due)?;
        self.due = true;
        Some(late)
    }

    /// So long was waited.
    pub fn is_due(&mut self) -> Option<WindowRequest> {
        self.due = false;
        self.refresh()
    }

    /// Whether a window was asked for that is still to come.
    pub fn is_awaited(&self) -> bool {
        self.asked != PendingQuery::None
    }

    /// A window that was asked for could not be read.
    pub fn failed(&mut self) {
        self.asked = PendingQuery::None;
    }

    /// A window arrived. Returns the next one to ask for, if the view changed meanwhile.
    ///
    /// `expected` is a plant that is about to be in the view: selected, it stays selected.
    pub fn arrived(&mut self, window: Window, expected: Option<PlantId>) -> Option<WindowRequest> {
        let again = self.asked.finish();
        self.is_read = true;
        self.window = window;
        let last = self.window.total.saturating_sub(1);
        if let Some(index) = self.wanted.map(|index| index.min(last))
            && let Some(row) = self.at(index)
        {
            self.selected = Some(row.id);
            self.wanted = None;
        }
        match self.index_of_selected() {
            Some(index) => (self.cursor, self.coming) = (index, None),
            // These rows may be older than the plant; newer ones are asked for.
            None if again && self.coming.is_some() && self.coming == self.selected => {}
            // The selected plant left the view: its neighbour takes its place.
            None if self.wanted.is_none() && (expected.is_none() || expected != self.selected) => {
                self.cursor = self.cursor.min(last);
                match self.at(self.cursor).map(|row| row.id) {
                    Some(neighbour) => self.selected = Some(neighbour),
                    None if self.window.total == 0 => self.selected = None,
                    // The rows at hand are others, because it is not among them: go back there.
                    None => {
                        self.wanted = Some(self.cursor);
                        return self.refresh();
                    }
                }
            }
            None => {}
        }
        self.scroll();
        if again { self.refresh() } else { None }
    }

    /// Moves the selection by so many rows, down if positive.
    pub fn step(&mut self, rows: isize) -> Option<WindowRequest> {
        let from = self.wanted.unwrap_or(self.cursor);
        self.go_to(from.saturating_add_signed(rows))
    }

    /// Moves the selection to an index of the whole view.
    pub fn go_to(&mut self, index: usize) -> Option<WindowRequest> {
        if self.window.total == 0 {
            return None;
        }
        let index = index.min(self.window.total - 1);
        match self.at(index) {
            Some(row) => {
                self.selected = Some(row.id);
                self.cursor = index;
                self.wanted = None;
                self.scroll();
            }
            None => self.wanted = Some(index),
        }
        let end = self.window.first + self.window.rows.len();
        let more_above = self.window.first > 0 && index < self.window.first + MARGIN;
        let more_below = end < self.window.total && index + MARGIN >= end;
        if more_above || more_below { self.refresh() } else { None }
    }

    /// Selects a plant that is, or is about to be, in the view.
    pub fn select(&mut self, id: PlantId) {
        self.selected = Some(id);
        self.wanted = None;
        let index = self.index_of_selected();
        self.coming = index.is_none().then_some(id);
        if let Some(index) = index {
            self.cursor = index;
            self.scroll();
        }
    }

    /// So many rows fit on screen now.
    pub fn fits(&mut self, page: usize) {
        self.page = page.max(1);
        self.scroll();
    }

    fn at(&self, index: usize) -> Option<&Row> {
        index.checked_sub(self.window.first).and_then(|offset| self.window.rows.get(offset))
    }

    fn index_of_selected(&self) -> Option<usize> {
        let offset = self.window.rows.iter().position(|row| Some(row.id) == self.selected)?;
        Some(self.window.first + offset)
    }

    fn scroll(&mut self) {
        let furthest = self.window.total.saturating_sub(self.page);
        self.top = self.top.clamp((self.cursor + 1).saturating_sub(self.page), self.cursor).min(furthest);
    }
}

impl Default for PlantList {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{State, Timestamp};

    fn window(ids: impl Iterator<Item = i64>, first: usize, total: usize) -> Window {
        let rows = ids
            .map(|id| Row { id: PlantId(id), details: None, state: State::Stored, changed_at: Timestamp(0) })
            .collect();
        Window { rows, first, total, tally: Tally::default(), next_id: PlantId(1), late: None }
    }

    #[test]
    fn the_selection_follows_the_plant() {
        let mut table = PlantList::new();
        table.fits(5);
        table.arrived(window(0..10, 0, 10), None);
        assert_eq!(table.selected, Some(PlantId(0)));
        table.step(3);
        table.arrived(window(-5..10, 0, 15), None);
        assert_eq!(table.selected, Some(PlantId(3)));
        assert!(table.visible().iter().any(|row| row.id == PlantId(3)));
    }

    #[test]
    fn a_neighbour_takes_the_place_of_what_left() {
        let mut table = PlantList::new();
        table.arrived(window(0..3, 0, 3), None);
        table.go_to(2);
        table.arrived(window(0..2, 0, 2), None);
        assert_eq!(table.selected, Some(PlantId(1)));
        table.arrived(window(0..0, 0, 0), None);
        assert_eq!(table.selected, None);
        assert_eq!(table.step(1), None);
    }

    #[test]
    fn a_plant_that_is_about_to_come_stays_selected() {
        let mut table = PlantList::new();
        table.arrived(window(0..3, 0, 3), None);
        table.select(PlantId(9));
        table.arrived(window(0..3, 0, 3), Some(PlantId(9)));
        assert_eq!(table.selected, Some(PlantId(9)));
        table.arrived(window(0..3, 0, 3), None);
        assert_eq!(table.selected, Some(PlantId(0)));
    }

    #[test]
    fn what_is_not_at_hand_is_asked_for_and_then_selected() {
        let mut table = PlantList::new();
        table.fits(10);
        let _ = table.refresh();
        assert_eq!(table.arrived(window(0..400, 0, 1_000_000), None), None);
        let asked = table.go_to(999_999);
        let arrangement = Arrangement::default();
        assert_eq!(asked, Some(WindowRequest { anchor: Anchor::Index(999_799), rows: 400, arrangement }));
        // More is asked while that is out: once, when it arrives.
        assert_eq!(table.refresh(), None);
        assert!(table.arrived(window(999_600..1_000_000, 999_600, 1_000_000), None).is_some());
        assert_eq!(table.selected, Some(PlantId(999_999)));
        assert_eq!(table.visible().len(), 10);
    }
}
