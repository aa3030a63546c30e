//! The list of requests: a window of the history around the selected one, and its filters.
//!
//! Selection is by the number of the exchange. On the newest one it stays on the newest, so that new requests show as
//! they end.

use crate::domain::latency_stats::LatencyStats;
use crate::domain::{Outcome, PlantId, Sample};
use crate::journal::{LogAnchor, LogLine, LogRequest, LogWindow, Search};
use crate::tui::effect::Effect;
use crate::tui::pending_query::PendingQuery;
use crate::tui::widgets::text_input::TextInput;

/// Lines of a window: several screens.
const WINDOW_LINES: usize = 400;

/// Lines between the selection and the window's edge below which another window is read.
const MARGIN: usize = 100;

#[derive(Debug, Default)]
pub(in crate::tui) struct HistoryList {
    /// Newest first.
    pub(in crate::tui) lines: Vec<LogLine>,
    /// Whether there are newer ones before the window.
    pub(in crate::tui) newer: bool,
    /// Whether there are older ones after the window.
    pub(in crate::tui) older: bool,
    /// Whether the window is of the present filters.
    pub(in crate::tui) is_read: bool,
    /// The number of the selected exchange.
    pub(in crate::tui) selected: Option<i64>,
    /// The index of the first line on screen.
    pub(in crate::tui) top: usize,
    /// Lines that fit on screen.
    pub(in crate::tui) page: usize,
    /// The filter by name, tag or id.
    pub(in crate::tui) text: TextInput,
    /// The filter by outcome.
    pub(in crate::tui) outcome: Option<Outcome>,
    /// The filter by plant.
    pub(in crate::tui) plant: Option<PlantId>,
    /// The numbers of those that are to be compared, at most two.
    pub(in crate::tui) marked: Vec<i64>,
    /// The latencies and outcomes of the chart.
    pub(in crate::tui) latency: LatencyStats,
    /// Where the next window is, if not around the selection.
    wanted: Option<LogAnchor>,
    window: PendingQuery,
    chart: PendingQuery,
}

impl HistoryList {
    /// The filters as a search.
    pub(super) fn search(&self) -> Search {
        let text = self.text.text();
        Search {
            text: (!text.is_empty()).then(|| text.to_owned()),
            id: self.plant,
            outcomes: self.outcome.into_iter().collect(),
            ..Search::default()
        }
    }

    pub(in crate::tui) fn is_filtered(&self) -> bool {
        self.search() != Search::default()
    }

    /// Clears all filters.
    pub(super) fn show_all(&mut self) {
        (self.text, self.outcome, self.plant) = (TextInput::default(), None, None);
    }

    /// The selected line, if the window contains it.
    pub(in crate::tui) fn selected_line(&self) -> Option<&LogLine> {
        self.lines.get(self.index()?)
    }

    /// The lines on screen.
    pub(in crate::tui) fn visible(&self) -> &[LogLine] {
        let to = (self.top + self.page).min(self.lines.len());
        self.lines.get(self.top..to).unwrap_or_default()
    }

    fn index(&self) -> Option<usize> {
        self.lines.iter().position(|line| Some(line.place) == self.selected)
    }

    /// Reads window and chart again, after the pending queries.
    pub(super) fn refresh(&mut self) -> Vec<Effect> {
        let chart = self.chart.begin().then(|| Effect::Latencies(self.search()));
        self.read_lines().into_iter().chain(chart).collect()
    }

    /// Reads window and chart for changed filters, without waiting for pending queries.
    pub(super) fn search_again(&mut self) -> Vec<Effect> {
        (self.window, self.chart) = (PendingQuery::None, PendingQuery::None);
        self.is_read = false;
        self.wanted = Some(LogAnchor::Newest);
        self.refresh()
    }

    fn read_lines(&mut self) -> Option<Effect> {
        if !self.window.begin() {
            return None;
        }
        let newest = !self.newer && self.index().is_none_or(|index| index == 0);
        let around = || self.selected.filter(|_| !newest).map_or(LogAnchor::Newest, LogAnchor::Around);
        let anchor = self.wanted.unwrap_or_else(around);
        Some(Effect::Log(LogRequest { search: self.search(), anchor, rows: WINDOW_LINES }))
    }

    /// Takes a window; the selection and its row on screen stay.
    pub(super) fn window_came(&mut self, request: &LogRequest, window: LogWindow) -> Option<Effect> {
        if request.search != self.search() {
            return None;
        }
        let is_stale = self.window.finish();
        let followed = !self.newer && self.index().is_none_or(|index| index == 0);
        let offset = self.index().unwrap_or(0).saturating_sub(self.top);
        LogWindow { lines: self.lines, newer: self.newer, older: self.older } = window;
        self.is_read = true;
        let wanted = if self.wanted == Some(request.anchor) { self.wanted.take() } else { None };
        let first = self.lines.first().map(|line| line.place);
        self.selected = match wanted {
            Some(LogAnchor::Newest) => first,
            Some(LogAnchor::Oldest) => self.lines.last().map(|line| line.place),
            Some(LogAnchor::Around(_)) | None if followed && !self.newer => first,
            Some(LogAnchor::Around(_)) | None => self.nearest(),
        };
        self.top = self.index().unwrap_or(0).saturating_sub(offset);
        self.scroll();
        is_stale.then(|| self.read_lines()).flatten()
    }

    /// The number of the selected exchange, or of the next older one.
    fn nearest(&self) -> Option<i64> {
        let selected = self.selected.unwrap_or(i64::MAX);
        let at_or_before = self.lines.iter().find(|line| line.place <= selected);
        at_or_before.or(self.lines.last()).map(|line| line.place)
    }

    pub(super) fn chart_came(&mut self, search: &Search, samples: Vec<Sample>) -> Option<Effect> {
        if *search != self.search() {
            return None;
        }
        self.latency = LatencyStats::of(samples);
        let is_stale = self.chart.finish() && self.chart.begin();
        is_stale.then(|| Effect::Latencies(self.search()))
    }

    /// Ends the pending queries after one has failed.
    pub(super) fn failed(&mut self) {
        (self.window, self.chart) = (PendingQuery::None, PendingQuery::None);
    }

    /// Moves the selection to older lines, or to newer ones if `lines` is negative.
    pub(super) fn step(&mut self, lines: isize) -> Vec<Effect> {
        let Some(last) = self.lines.len().checked_sub(1) else { return Vec::new() };
        let index = self.index().unwrap_or(0).saturating_add_signed(lines).min(last);
        self.select(index)
    }

    fn select(&mut self, index: usize) -> Vec<Effect> {
        self.selected = self.lines.get(index).map(|line| line.place);
        self.scroll();
        let near_top = self.newer && index < MARGIN;
        let near_end = self.older && index + MARGIN >= self.lines.len();
        if near_top || near_end { self.read_lines().into_iter().collect() } else { Vec::new() }
    }

    /// Selects an exchange of the window by its number.
    pub(super) fn select_entry(&mut self, place: i64) -> Vec<Effect> {
        let index = self.lines.iter().position(|line| line.place == place);
        index.map(|index| self.select(index)).unwrap_or_default()
    }

    /// Selects the newest of all, or the oldest.
    pub(super) fn go_to_end(&mut self, oldest: bool) -> Vec<Effect> {
        let (more, anchor, index) = if oldest {
            (self.older, LogAnchor::Oldest, self.lines.len().saturating_sub(1))
        } else {
            (self.newer, LogAnchor::Newest, 0)
        };
        if more {
            self.wanted = Some(anchor);
            return self.read_lines().into_iter().collect();
        }
        self.select(index)
    }

    /// Takes the number of lines that fit on screen.
    pub(super) fn fits(&mut self, page: usize) {
        self.page = page.max(1);
        self.scroll();
    }

    fn scroll(&mut self) {
        let page = self.page.max(1);
        let index = self.index().unwrap_or(0);
        let furthest = self.lines.len().saturating_sub(page);
        self.top = self.top.clamp((index + 1).saturating_sub(page), index).min(furthest);
    }

    /// Marks the selected exchange or removes its mark. Of three marks, the oldest is removed.
    pub(super) fn mark(&mut self) {
        let Some(place) = self.selected else { return };
        match self.marked.iter().position(|marked| *marked == place) {
            Some(at) => drop(self.marked.remove(at)),
            None => self.marked.push(place),
        }
        if self.marked.len() > 2 {
            self.marked.remove(0);
        }
    }

    /// The numbers of the two to compare: both marked ones, or the marked one and the selected one.
    pub(super) fn pair(&self) -> Option<(i64, i64)> {
        match (self.marked.as_slice(), self.selected) {
            ([one, other], _) => Some((*one.min(other), *one.max(other))),
            ([one], Some(other)) if *one != other => Some((*one.min(&other), *one.max(&other))),
            (_, _) => None,
        }
    }
}
