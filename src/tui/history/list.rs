//! The list of requests: a window of the history around the selected one, and its filter.
//!
//! Selection is by the number of the exchange, or by the run of the check. On the newest one it stays on the newest, so
//! that new requests show as they end. Without a filter, each run of the check is one line until it is expanded.
//! In another order than the newest first, the window begins with the first line and grows at its end.

use crate::domain::filter::Filter;
use crate::domain::latency_stats::LatencyStats;
use crate::domain::{RunId, Sample};
use crate::journal::{HistoryOrder, HistoryRequest, HistoryRow, HistoryWindow, RunLine};
use crate::tui::effect::Effect;
use crate::tui::widgets::filter_input::FilterInput;
use crate::tui::widgets::pending_query::PendingQuery;
use crate::tui::widgets::viewport::Viewport;

/// Lines of a window: several screens.
const WINDOW_LINES: usize = 400;

/// Lines between the selection and the window's edge below which another window is read.
const MARGIN: usize = 100;

/// A selected line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct Selected {
    /// The number of the request, or of the newest one of a run.
    pub(super) number: i64,
    /// The run of the check, if its line is selected.
    pub(super) run: Option<RunId>,
}

impl Selected {
    fn of(row: &HistoryRow) -> Self {
        Self { number: row.number(), run: row.run().map(|run| run.id) }
    }

    pub(super) fn is(self, row: &HistoryRow) -> bool {
        let run = row.run().map(|run| run.id);
        self.run == run && (run.is_some() || self.number == row.number())
    }
}

#[derive(Debug, Default)]
pub(in crate::tui) struct HistoryList {
    /// In the order `order`.
    pub(in crate::tui) lines: Vec<HistoryRow>,
    /// Whether there are newer ones before the window.
    pub(in crate::tui) newer: bool,
    /// Whether there are older ones after the window.
    pub(in crate::tui) older: bool,
    /// Whether the window is of the present filter.
    pub(in crate::tui) is_read: bool,
    pub(in crate::tui) selected: Option<Selected>,
    /// The runs of the check whose requests are listed.
    expanded: Vec<RunId>,
    /// The lines on screen.
    pub(in crate::tui) view: Viewport,
    pub(in crate::tui) filter: FilterInput,
    pub(super) order: HistoryOrder,
    /// The numbers of those that are to be compared, at most two.
    pub(in crate::tui) marked: Vec<i64>,
    /// The latencies and outcomes of the chart.
    pub(in crate::tui) latency: LatencyStats,
    /// The number around which the next window is, if not around the selection: the newest or the oldest.
    wanted: Option<i64>,
    window: PendingQuery,
    chart: PendingQuery,
}

impl HistoryList {
    /// The filter as a search. Without one, runs of the check are lines of their own.
    pub(super) fn search(&self) -> Filter {
        let filter = self.filter.filter.clone();
        if filter.is_empty() { filter } else { filter.without_unasked_checks() }
    }

    /// The filter of the chart as a search.
    fn chart_search(&self) -> Filter {
        self.filter.filter.clone().without_unasked_checks()
    }

    /// Whether the filter itself includes or excludes requests of checks.
    pub(super) fn names_checks(&self) -> bool {
        self.chart_search() == self.filter.filter
    }

    pub(in crate::tui) fn is_filtered(&self) -> bool {
        !self.filter.text().is_empty()
    }

    /// The number of the selected request.
    pub(in crate::tui) fn selected_request(&self) -> Option<i64> {
        self.selected.filter(|selected| selected.run.is_none()).map(|selected| selected.number)
    }

    pub(in crate::tui) fn selected_row(&self) -> Option<&HistoryRow> {
        self.lines.get(self.index()?)
    }

    /// The selected run of the check, if the window contains it.
    pub(super) fn selected_run(&self) -> Option<&RunLine> {
        self.selected_row().and_then(HistoryRow::run)
    }

    /// The lines on screen.
    pub(in crate::tui) fn visible(&self) -> &[HistoryRow] {
        self.view.visible(&self.lines, 0)
    }

    fn index(&self) -> Option<usize> {
        let selected = self.selected?;
        self.lines.iter().position(|row| selected.is(row))
    }

    /// The runs of the check whose requests are listed, if runs are lines.
    pub(super) fn expanded(&self) -> Option<&[RunId]> {
        (self.filter.filter.is_empty() && !self.is_sorted()).then_some(&self.expanded)
    }

    /// Whether the requests of a run of the check are listed below it.
    pub(super) fn is_expanded(&self, run: &RunLine) -> bool {
        self.expanded.contains(&run.id)
    }

    /// The expanded run that is selected, or whose request is.
    pub(super) fn run_to_collapse(&self) -> Option<RunId> {
        let run = match self.selected_row()? {
            HistoryRow::Run(run) => run.id,
            HistoryRow::Request(line) => line.run?,
        };
        self.expanded()?.contains(&run).then_some(run)
    }

    /// Lists the requests of the selected run.
    pub(super) fn expand(&mut self) -> Option<Effect> {
        let id = self.selected_run().map(|run| run.id).filter(|id| !self.expanded.contains(id))?;
        self.expanded.push(id);
        self.read_other_lines()
    }

    /// Collapses the run that is selected, or whose request is, and selects it.
    pub(super) fn collapse(&mut self) -> Option<Effect> {
        let id = self.run_to_collapse()?;
        let run = Selected { run: Some(id), ..self.selected? };
        self.expanded.retain(|expanded| *expanded != id);
        self.lines.retain(|row| row.request().is_none_or(|line| line.run != Some(id)));
        self.selected = Some(run);
        self.select_line(run);
        self.read_other_lines()
    }

    /// Reads the window again for runs that were collapsed or expanded, without waiting for pending queries.
    fn read_other_lines(&mut self) -> Option<Effect> {
        self.window = PendingQuery::None;
        self.read_lines()
    }

    /// Whether the order is another one than the newest first.
    pub(super) fn is_sorted(&self) -> bool {
        self.order != HistoryOrder::default()
    }

    /// Reads the window again in another order, without waiting for a pending query.
    pub(super) fn sort_again(&mut self) -> Option<Effect> {
        self.wanted = Some(HistoryRequest::NEWEST);
        self.read_other_lines()
    }

    /// Reads window and chart again, after the pending queries.
    pub(super) fn refresh(&mut self) -> Vec<Effect> {
        let chart = self.chart.begin().then(|| Effect::Latencies(self.chart_search()));
        self.read_lines().into_iter().chain(chart).collect()
    }

    /// Reads window and chart for a changed filter, without waiting for pending queries.
    pub(super) fn search_again(&mut self) -> Vec<Effect> {
        (self.window, self.chart) = (PendingQuery::None, PendingQuery::None);
        (self.is_read, self.wanted) = (false, Some(HistoryRequest::NEWEST));
        self.refresh()
    }

    fn read_lines(&mut self) -> Option<Effect> {
        if !self.window.begin() {
            return None;
        }
        let rows = match self.wanted {
            None if self.is_sorted() && self.is_near_end() => self.lines.len() + WINDOW_LINES,
            None if self.is_sorted() => self.lines.len().max(WINDOW_LINES),
            Some(_) | None => WINDOW_LINES,
        };
        let selected = self.selected.filter(|_| !self.is_at_newest() && !self.is_sorted());
        let around = self.wanted.or(selected.map(|selected| selected.number)).unwrap_or(HistoryRequest::NEWEST);
        Some(Effect::LoadHistory(self.request(around, rows)))
    }

    fn request(&self, around: i64, rows: usize) -> HistoryRequest {
        let expanded = self.expanded().map(<[RunId]>::to_vec);
        HistoryRequest { search: self.search(), order: self.order, around, rows, expanded }
    }

    /// Takes a window; the selection and its row on screen stay.
    pub(super) fn window_came(&mut self, request: &HistoryRequest, window: HistoryWindow) -> Option<Effect> {
        if *request != self.request(request.around, request.rows) {
            return None;
        }
        let is_stale = self.window.finish();
        let (follows, before) = (self.is_at_newest(), self.index().unwrap_or(0));
        let offset = before.saturating_sub(self.view.top);
        HistoryWindow { lines: self.lines, newer: self.newer, older: self.older } = window;
        self.is_read = true;
        let at = match self.wanted.take_if(|wanted| *wanted == request.around) {
            Some(HistoryRequest::OLDEST) => self.lines.len().saturating_sub(1),
            None if !follows || self.newer => self.nearest(before),
            Some(_) | None => 0,
        };
        self.selected = self.lines.get(at).map(Selected::of);
        self.view.top = at.saturating_sub(offset);
        self.scroll();
        is_stale.then(|| self.read_lines()).flatten()
    }

    /// Whether the newest line is selected, or the first one of another order, or none.
    fn is_at_newest(&self) -> bool {
        !self.newer && self.index().is_none_or(|index| index == 0)
    }

    fn is_near_end(&self) -> bool {
        self.older && self.index().unwrap_or(0) + MARGIN >= self.lines.len()
    }

    /// The index of the selected line, or of the next older one; in another order than the newest first, its index before.
    fn nearest(&self, before: usize) -> usize {
        let older = || self.lines.iter().position(|row| self.selected.is_none_or(|it| row.number() <= it.number));
        let at = if self.is_sorted() { self.index().or(Some(before)) } else { self.index().or_else(older) };
        let last = self.lines.len().saturating_sub(1);
        at.map_or(last, |at| at.min(last))
    }

    pub(super) fn chart_came(&mut self, search: &Filter, samples: Vec<Sample>) -> Option<Effect> {
        if *search != self.chart_search() {
            return None;
        }
        self.latency = LatencyStats::of(samples);
        let is_stale = self.chart.finish() && self.chart.begin();
        is_stale.then(|| Effect::Latencies(self.chart_search()))
    }

    /// Whether the pending query decides which line is selected.
    pub(super) fn awaits_selection(&self) -> bool {
        self.window != PendingQuery::None && (!self.is_read || self.wanted.is_some())
    }

    /// Ends the pending queries after one has failed.
    pub(super) fn failed(&mut self) {
        (self.window, self.chart) = (PendingQuery::None, PendingQuery::None);
    }

    /// Moves the selection to older lines, or to newer ones if `lines` is negative.
    pub(super) fn step(&mut self, lines: isize) -> Option<Effect> {
        let last = self.lines.len().checked_sub(1)?;
        let index = self.index().unwrap_or(0).saturating_add_signed(lines).min(last);
        self.select(index)
    }

    fn select(&mut self, index: usize) -> Option<Effect> {
        self.selected = self.lines.get(index).map(Selected::of);
        self.scroll();
        if self.is_near_end() || self.newer && index < MARGIN { self.read_lines() } else { None }
    }

    /// Selects a line of the window.
    pub(super) fn select_line(&mut self, line: Selected) -> Option<Effect> {
        self.select(self.lines.iter().position(|row| line.is(row))?)
    }

    /// Selects the newest of all, or the oldest; in another order, the first or the last line of the window.
    pub(super) fn go_to_end(&mut self, oldest: bool) -> Option<Effect> {
        let (more, around, index) = if oldest {
            (self.older && !self.is_sorted(), HistoryRequest::OLDEST, self.lines.len().saturating_sub(1))
        } else {
            (self.newer, HistoryRequest::NEWEST, 0)
        };
        if more {
            self.wanted = Some(around);
            return self.read_lines();
        }
        self.select(index)
    }

    /// Takes the number of lines that fit on screen.
    pub(super) fn fits(&mut self, page: usize) {
        self.view.page = page.max(1);
        self.scroll();
    }

    fn scroll(&mut self) {
        let index = self.index().unwrap_or(0);
        self.view.show(self.lines.len(), index, index);
    }

    /// Marks the selected exchange or removes its mark. Of three marks, the oldest is removed.
    pub(super) fn mark(&mut self) {
        let Some(number) = self.selected_request() else { return };
        match self.marked.iter().position(|marked| *marked == number) {
            Some(at) => drop(self.marked.remove(at)),
            None => self.marked.push(number),
        }
        if self.marked.len() > 2 {
            self.marked.remove(0);
        }
    }

    /// The numbers of the two to compare: both marked ones, or the marked one and the selected one.
    pub(super) fn pair(&self) -> Option<(i64, i64)> {
        match (self.marked.as_slice(), self.selected_request()) {
            ([one, other], _) => Some((*one.min(other), *one.max(other))),
            ([one], Some(other)) if *one != other => Some((*one.min(&other), *one.max(&other))),
            (_, _) => None,
        }
    }
}
