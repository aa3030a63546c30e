//! The loaded part of the list of plants: a window of rows, the selected plant, the first row on screen.
//!
//! The list can be much larger than the window. The selection is by plant, so that neither other rows nor another order
//! move it. The list must not know the journal's writer or the screen.

use std::time::Duration;

use super::range_marks::{Marked, RangeMarks};
use crate::domain::{PlantId, Row, State};
use crate::journal::{Anchor, Arrangement, Column, Window, WindowRequest};
use crate::tui::widgets::filter_input::FilterInput;
use crate::tui::widgets::pending_query::PendingQuery;
use crate::tui::widgets::viewport::Viewport;

/// Rows per window: several screens.
const WINDOW_ROWS: usize = 400;

/// How close to the window's edge the selection may come before the next window is loaded.
const MARGIN: usize = 100;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlantList {
    pub window: Window,
    /// Whether a window was ever loaded.
    pub is_read: bool,
    pub selected: Option<PlantId>,
    /// The rows on screen, by their index in the whole list; before the first frame, a whole window.
    pub view: Viewport,
    pub filter: FilterInput,
    /// The column of the sort order.
    pub column: Column,
    pub descending: bool,
    /// The marked plants, each with its details at that time: its id can become that of another plant.
    pub marked: Marked,
    /// The marks that follow the selection.
    pub range: Option<RangeMarks>,
    /// The last known index of the selection, in the whole list.
    cursor: usize,
    /// The index to select once its row is loaded.
    wanted: Option<usize>,
    /// The selected plant, if it has not been among the rows since it was selected.
    coming: Option<PlantId>,
    /// The plant that was selected before one that was not in the list.
    before_new: Option<PlantId>,
    query: PendingQuery,
    /// The filter and order of the window.
    arranged: Arrangement,
    /// Whether a timer will load the window again, because its order is late.
    due: bool,
}

impl PlantList {
    /// Returns the list before the first window.
    pub fn new() -> Self {
        let window = Window { next_id: PlantId(1), ..Window::default() };
        Self { window, view: Viewport::holding(WINDOW_ROWS), ..Self::default() }
    }

    /// Returns the selected plant's row, if it is loaded.
    pub fn selected_row(&self) -> Option<&Row> {
        self.selected.and_then(|id| self.row(id))
    }

    /// Returns a plant's row, if it is loaded.
    pub fn row(&self, id: PlantId) -> Option<&Row> {
        self.window.rows.iter().find(|row| row.id == id)
    }

    /// Returns all plants of the store, if they are loaded.
    pub fn whole_list(&self) -> Option<&[Row]> {
        let count = self.window.total.max(self.window.tally.total());
        Some(self.window.rows.as_slice()).filter(|rows| rows.len() >= count)
    }

    /// Returns the rows on screen.
    pub fn visible(&self) -> &[Row] {
        self.view.visible(&self.window.rows, self.window.first)
    }

    /// Returns the current filter and order.
    pub fn arrangement(&self) -> Arrangement {
        Arrangement { filter: self.filter.filter.clone(), column: self.column, descending: self.descending }
    }

    /// Returns a query for the window around the selection; `None` while another one is pending.
    pub fn refresh(&mut self) -> Option<WindowRequest> {
        if !self.query.begin() {
            return None;
        }
        let anchor = match (self.wanted, self.selected) {
            (Some(index), _) => Anchor::Index(index.saturating_sub(WINDOW_ROWS / 2)),
            (None, Some(id)) => Anchor::Around(id),
            (None, None) => Anchor::Index(0),
        };
        Some(WindowRequest { anchor, rows: WINDOW_ROWS, arrangement: self.arrangement() })
    }

    /// Returns a query for the list with another filter or order, which supersedes a pending one.
    pub fn arrange_again(&mut self) -> Option<WindowRequest> {
        self.query = PendingQuery::None;
        self.wanted = None;
        self.range = None;
        self.cursor = 0;
        self.refresh()
    }

    /// Returns how long to wait before the window is loaded again because its order is late; once for each wait.
    pub fn late(&mut self) -> Option<Duration> {
        let late = self.window.late.filter(|_| !self.due)?;
        self.due = true;
        Some(late)
    }

    /// Returns the query at the end of that time.
    pub fn retry(&mut self) -> Option<WindowRequest> {
        self.due = false;
        self.refresh()
    }

    /// Whether a query is pending.
    pub fn is_awaited(&self) -> bool {
        self.query != PendingQuery::None
    }

    /// Whether the pending query decides which plant is selected.
    pub fn awaits_selection(&self) -> bool {
        let is_ahead = self.wanted.is_some() || self.coming.is_some() || self.range_ahead().is_some();
        self.is_awaited() && (self.arranged != self.arrangement() || is_ahead)
    }

    /// Takes note that the pending query failed: the selection stays.
    pub fn failed(&mut self) {
        (self.query, self.wanted) = (PendingQuery::None, None);
        self.range.iter_mut().for_each(|range| range.ahead = None);
    }

    fn range_ahead(&self) -> Option<usize> {
        self.range.as_ref()?.ahead
    }

    /// Takes a window. Returns the next query, if the list has changed meanwhile.
    ///
    /// `expected` is a plant that the list will contain soon; if selected, it stays selected.
    pub fn arrived(&mut self, window: Window, expected: Option<PlantId>) -> Option<WindowRequest> {
        let again = self.query.finish();
        (self.is_read, self.arranged) = (true, self.arrangement());
        let before = std::mem::replace(&mut self.window, window);
        let last = self.window.total.saturating_sub(1);
        if let Some(index) = self.wanted.map(|index| index.min(last))
            && let Some(row) = self.at(index)
        {
            self.selected = Some(row.id);
            self.wanted = None;
        }
        match self.index_of_selected() {
            Some(index) => (self.cursor, self.coming) = (index, None),
            // These rows may be older than the plant; the next query loads newer ones.
            None if again && self.coming.is_some() && self.coming == self.selected => {}
            // The selected plant has left the list: selects its neighbour.
            None if self.wanted.is_none() => {
                // Of the rows below it, or else above it, the nearest one that is still there; of a plant that was not
                // among the rows, those around the cursor.
                let at = before.rows.iter().position(|row| Some(row.id) == self.selected);
                // A plant that was not added gives the selection back.
                let is_adding = |at: usize| before.rows.get(at).is_some_and(|row| row.state == State::Adding);
                let gives_back = at.map_or(self.coming == self.selected, is_adding);
                let before_new = self.before_new.take().filter(|_| gives_back).and_then(|id| self.index_of(id));
                let neighbour = before_new.or_else(|| {
                    at.or(self.cursor.checked_sub(before.first)).and_then(|at| {
                        let (above, below) = before.rows.split_at_checked(at)?;
                        below.iter().chain(above.iter().rev()).find_map(|row| self.index_of(row.id))
                    })
                });
                self.cursor = neighbour.unwrap_or(self.cursor.min(last));
                match self.at(self.cursor).map(|row| row.id) {
                    _ if expected.is_some() && expected == self.selected => {}
                    Some(neighbour) => self.selected = Some(neighbour),
                    None if self.window.total == 0 => self.selected = None,
                    // The window is elsewhere in the list: loads the one around the neighbour.
                    None => {
                        self.wanted = Some(self.cursor);
                        return self.refresh();
                    }
                }
            }
            None => {}
        }
        self.scroll();
        let ahead = self.range_ahead().and_then(|index| self.step_marking_to(index));
        ahead.or_else(|| if again { self.refresh() } else { None })
    }

    /// Moves the selection by a number of rows, down if positive.
    pub fn step(&mut self, rows: isize) -> Option<WindowRequest> {
        let from = self.wanted.unwrap_or(self.cursor);
        self.go_to(from.saturating_add_signed(rows))
    }

    /// Begins marks that follow the selection, at the selected plant, unless there are some.
    pub fn begin_range(&mut self, lasts: bool) {
        if self.range.is_none()
            && let Some((index, row)) = self.selected_at()
        {
            let row = row.clone();
            self.range = Some(RangeMarks::begin(index, &row, &mut self.marked, lasts));
        }
    }

    /// Moves the selection by a number of rows, with the marks that follow it.
    pub fn step_marking(&mut self, rows: isize) -> Option<WindowRequest> {
        self.step_marking_to(self.selected_at()?.0.saturating_add_signed(rows))
    }

    fn step_marking_to(&mut self, index: usize) -> Option<WindowRequest> {
        let (old, _) = self.selected_at()?;
        let new = self.range.as_mut()?.follow(old, index, &self.window, &mut self.marked);
        self.go_to(new)
    }

    /// Moves the selection to an index of the whole list.
    pub fn go_to(&mut self, index: usize) -> Option<WindowRequest> {
        if self.window.total == 0 {
            return None;
        }
        let index = index.min(self.window.total - 1);
        match self.at(index) {
            Some(row) => {
                self.selected = Some(row.id);
                self.cursor = index;
                (self.wanted, self.before_new) = (None, None);
                self.scroll();
            }
            None => self.wanted = Some(index),
        }
        let end = self.window.first + self.window.rows.len();
        let more_above = self.window.first > 0 && index < self.window.first + MARGIN;
        let more_below = end < self.window.total && index + MARGIN >= end;
        if more_above || more_below { self.refresh() } else { None }
    }

    /// Selects a plant that the list contains, or will contain soon.
    pub fn select(&mut self, id: PlantId) {
        let before = self.selected.replace(id).filter(|before| *before != id);
        self.wanted = None;
        self.range = None;
        let index = self.index_of_selected();
        // The first of several adds keeps it.
        self.before_new =
            before.filter(|before| index.is_none() && self.index_of(*before).is_some()).or(self.before_new);
        self.coming = index.is_none().then_some(id);
        if let Some(index) = index {
            self.cursor = index;
            self.scroll();
        }
    }

    /// Sets the number of rows that fit on screen.
    pub fn fits(&mut self, page: usize) {
        self.view.page = page.max(1);
        self.scroll();
    }

    /// Returns the selected plant's row with its index in the whole list, if it is loaded.
    fn selected_at(&self) -> Option<(usize, &Row)> {
        let index = self.index_of_selected()?;
        Some((index, self.at(index)?))
    }

    fn at(&self, index: usize) -> Option<&Row> {
        index.checked_sub(self.window.first).and_then(|offset| self.window.rows.get(offset))
    }

    fn index_of_selected(&self) -> Option<usize> {
        self.index_of(self.selected?)
    }

    /// Returns the index of a plant in the whole list, if its row is loaded.
    pub fn index_of(&self, id: PlantId) -> Option<usize> {
        let offset = self.window.rows.iter().position(|row| row.id == id)?;
        Some(self.window.first + offset)
    }

    fn scroll(&mut self) {
        self.view.show(self.window.total, self.cursor, self.cursor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;

    fn window(ids: impl Iterator<Item = i64>, first: usize, total: usize) -> Window {
        let rows = ids
            .map(|id| Row {
                id: PlantId(id),
                details: None,
                state: State::Stored,
                changed_at: Timestamp(0),
                author: None,
            })
            .collect();
        Window {
            rows,
            first,
            total,
            tally: crate::journal::Tally::default(),
            next_id: PlantId(1),
            unknown_deletes: Vec::new(),
            late: None,
        }
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
    fn a_plant_that_was_not_added_gives_the_selection_back() {
        for (state, selected) in [(State::Adding, 2), (State::Stored, 4)] {
            let mut table = PlantList::new();
            table.arrived(window(0..5, 0, 5), None);
            table.go_to(2);
            table.select(PlantId(9));
            let mut with_new = window([0, 1, 2, 3, 4, 9].into_iter(), 0, 6);
            with_new.rows[5].state = state;
            table.arrived(with_new, None);
            assert_eq!(table.selected, Some(PlantId(9)));
            table.arrived(window(0..5, 0, 5), None);
            assert_eq!(table.selected, Some(PlantId(selected)), "{state:?}");
        }
    }

    #[test]
    fn the_neighbour_of_a_plant_that_left_is_selected() {
        let mut table = PlantList::new();
        table.arrived(window(0..3, 0, 3), None);
        table.go_to(2);
        table.arrived(window(0..2, 0, 2), None);
        assert_eq!(table.selected, Some(PlantId(1)));
        table.arrived(window(0..0, 0, 0), None);
        assert_eq!(table.selected, None);
        // Of several that leave together, the one below the selected one.
        let mut table = PlantList::new();
        table.arrived(window(0..10, 0, 10), None);
        table.go_to(4);
        table.arrived(window([0, 1, 5, 6, 7, 8, 9].into_iter(), 0, 7), None);
        assert_eq!(table.selected, Some(PlantId(5)));
        assert_eq!(table.step(1), None);
        // The rows above leave before its delete has ended, or after.
        for (first, then, expected) in [
            (vec![0, 1, 5, 6], vec![0, 6], 6),
            (vec![0, 1, 2, 3, 5, 6], vec![0, 5, 6], 5),
            (vec![0, 1, 2], vec![0, 2], 2),
        ] {
            let mut table = PlantList::new();
            table.arrived(window(0..7, 0, 7), None);
            table.go_to(4);
            let rows = |ids: &[i64]| window(ids.iter().copied(), 0, ids.len());
            table.arrived(rows(&first), Some(PlantId(4)));
            assert_eq!(table.selected, Some(PlantId(4)));
            table.arrived(rows(&then), None);
            assert_eq!(table.selected, Some(PlantId(expected)));
        }
    }

    #[test]
    fn an_expected_plant_stays_selected() {
        let mut table = PlantList::new();
        table.arrived(window(0..3, 0, 3), None);
        table.select(PlantId(9));
        table.arrived(window(0..3, 0, 3), Some(PlantId(9)));
        assert_eq!(table.selected, Some(PlantId(9)));
        table.arrived(window(0..3, 0, 3), None);
        assert_eq!(table.selected, Some(PlantId(0)));
    }

    fn marked(list: &PlantList) -> Vec<i64> {
        list.marked.keys().map(|id| id.0).collect()
    }

    #[test]
    fn a_range_grows_and_shrinks_with_the_selection() {
        let mut list = PlantList::new();
        list.arrived(window(0..20, 0, 20), None);
        list.go_to(5);
        list.marked.insert(PlantId(7), None);
        list.begin_range(true);
        for (step, expected) in
            [(2, vec![5, 6, 7]), (2, vec![5, 6, 7, 8, 9]), (-3, vec![5, 6, 7]), (-3, vec![3, 4, 5, 7])]
        {
            list.step_marking(step);
            assert_eq!(marked(&list), expected);
        }
        list.step_marking(isize::MAX);
        assert_eq!(marked(&list), (5..20).collect::<Vec<_>>());
        assert_eq!(list.selected, Some(PlantId(19)));
        list.range = None;
        list.step(-10);
        assert_eq!(marked(&list).len(), 15);
    }

    #[test]
    fn a_range_has_no_more_plants_than_are_marked_at_once() {
        let mut list = PlantList::new();
        list.arrived(window(0..3000, 0, 3000), None);
        list.begin_range(true);
        for step in [isize::MAX, 1] {
            list.step_marking(step);
            assert_eq!((list.marked.len(), list.selected), (1000, Some(PlantId(999))));
        }
        let mut list = PlantList::new();
        list.begin_range(false);
        assert_eq!((list.step_marking(1), list.range), (None, None));
    }

    #[test]
    fn a_range_goes_on_as_rows_are_loaded() {
        let mut list = PlantList::new();
        list.arrived(window(0..400, 0, 700), None);
        list.begin_range(true);
        assert!(list.step_marking(isize::MAX).is_some());
        assert!((list.marked.len(), list.selected, list.awaits_selection()) == (400, Some(PlantId(399)), true));
        list.arrived(window(200..600, 200, 700), None);
        assert!(list.awaits_selection());
        list.arrived(window(300..700, 300, 700), None);
        assert_eq!((list.marked.len(), list.selected, list.awaits_selection()), (700, Some(PlantId(699)), false));
        let _ = list.step_marking(isize::MIN);
        list.arrived(window(100..500, 100, 700), None);
        list.arrived(window(0..400, 0, 700), None);
        assert_eq!((marked(&list), list.selected), (vec![0], Some(PlantId(0))));
    }

    #[test]
    fn a_row_outside_the_window_is_loaded_and_then_selected() {
        let mut table = PlantList::new();
        table.fits(10);
        let _ = table.refresh();
        assert_eq!(table.arrived(window(0..400, 0, 1_000_000), None), None);
        let query = table.go_to(999_999);
        let arrangement = Arrangement::default();
        assert_eq!(query, Some(WindowRequest { anchor: Anchor::Index(999_799), rows: 400, arrangement }));
        // A second query waits until the first one has finished.
        assert_eq!(table.refresh(), None);
        assert!(table.arrived(window(999_600..1_000_000, 999_600, 1_000_000), None).is_some());
        assert_eq!(table.selected, Some(PlantId(999_999)));
        assert_eq!(table.visible().len(), 10);
    }

    #[test]
    fn the_next_window_is_loaded_near_an_edge_behind_which_there_is_more() {
        for (first, total, index, is_near) in [
            (1000, 10_000, 1099, true),
            (1000, 10_000, 1100, false),
            (1000, 10_000, 1299, false),
            (1000, 10_000, 1300, true),
            (0, 10_000, 50, false),
            (9600, 10_000, 9950, false),
        ] {
            let rows = i64::try_from(first).unwrap()..i64::try_from(first + 400).unwrap();
            let mut table = PlantList { window: window(rows, first, total), ..PlantList::new() };
            assert_eq!(table.go_to(index).is_some(), is_near, "{index} of {first}..");
        }
    }
}
