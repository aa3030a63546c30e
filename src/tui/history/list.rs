//! The list of exchanges: some lines of the history around the selected one, and what it is filtered by.
//!
//! Selection is by the exchange. On the newest line it stays on the newest, so that a person who watches sees
//! what comes.

use crate::domain::latency_stats::LatencyStats;
use crate::domain::{Outcome, PlantId, Sample};
use crate::journal::{LogAnchor, LogLine, LogRequest, LogWindow, Search};
use crate::tui::effect::Effect;
use crate::tui::pending_query::PendingQuery;
use crate::tui::widgets::text_input::TextInput;

/// Lines that are asked for at once: several screens.
const WINDOW_LINES: usize = 400;

/// How close to the window's edge the selection may come before more lines are asked for.
const MARGIN: usize = 100;

/// What of the log is at hand.
#[derive(Debug, Default)]
pub(in crate::tui) struct HistoryList {
    /// Newest first.
    pub(in crate::tui) lines: Vec<LogLine>,
    /// Whether newer ones fit, too, and are not at hand.
    pub(in crate::tui) newer: bool,
    /// Whether older ones do.
    pub(in crate::tui) older: bool,
    /// Whether the journal was read for what is filtered by now.
    pub(in crate::tui) is_read: bool,
    /// The place of the selected exchange.
    pub(in crate::tui) selected: Option<i64>,
    /// Which of the lines at hand is the first on screen.
    pub(in crate::tui) top: usize,
    /// Lines that fit on screen.
    pub(in crate::tui) page: usize,
    /// What the plants must have in their name, tag or id.
    pub(in crate::tui) text: TextInput,
    /// How the exchanges must have ended.
    pub(in crate::tui) outcome: Option<Outcome>,
    /// The plant that they must be about.
    pub(in crate::tui) plant: Option<PlantId>,
    /// The places of those that are to be compared, at most two.
    pub(in crate::tui) marked: Vec<i64>,
    /// How long they took and how they ended.
    pub(in crate::tui) latency: LatencyStats,
    /// Where to read next, if not around the selection.
    wanted: Option<LogAnchor>,
    window: PendingQuery,
    chart: PendingQuery,
}

impl HistoryList {
    /// Which exchanges are wanted.
    pub(super) fn search(&self) -> Search {
        let text = self.text.text();
        Search {
            text: (!text.is_empty()).then(|| text.to_owned()),
            id: self.plant,
            outcomes: self.outcome.into_iter().collect(),
            ..Search::default()
        }
    }

    /// Whether not all are.
    pub(in crate::tui) fn is_filtered(&self) -> bool {
        self.search() != Search::default()
    }

    /// Takes every filter away.
    pub(super) fn show_all(&mut self) {
        (self.text, self.outcome, self.plant) = (TextInput::default(), None, None);
    }

    /// The selected line, if it is at hand.
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

    /// Reads lines and chart anew, once what is out has come.
    pub(super) fn refresh(&mut self) -> Vec<Effect> {
        let chart = self.chart.begin().then(|| Effect::Latencies(self.search()));
        self.read_lines().into_iter().chain(chart).collect()
    }

    /// What is filtered by has changed: what is out does not matter any more.
    pub(super) fn search_anew(&mut self) -> Vec<Effect> {
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

    /// Lines have come.
    pub(super) fn arrived(&mut self, asked: &LogRequest, window: LogWindow) -> Option<Effect> {
        if asked.search != self.search() {
            return None;
        }
        let again = self.window.finish();
        let followed = !self.newer && self.index().is_none_or(|index| index == 0);
        let offset = self.index().unwrap_or(0).saturating_sub(self.top);
        LogWindow { lines: self.lines, newer: self.newer, older: self.older } = window;
        self.is_read = true;
        let wanted = if self.wanted == Some(asked.anchor) { self.wanted.take() } else { None };
        let first = self.lines.first().map(|line| line.place);
        self.selected = match wanted {
            Some(LogAnchor::Newest) => first,
            Some(LogAnchor::Oldest) => self.lines.last().map(|line| line.place),
            Some(LogAnchor::Around(_)) | None if followed && !self.newer => first,
            Some(LogAnchor::Around(_)) | None => self.nearest(),
        };
        self.top = self.index().unwrap_or(0).saturating_sub(offset);
        self.scroll();
        again.then(|| self.read_lines()).flatten()
    }

    /// The selected exchange, or the one that came before it.
    fn nearest(&self) -> Option<i64> {
        let selected = self.selected.unwrap_or(i64::MAX);
        let at_or_before = self.lines.iter().find(|line| line.place <= selected);
        at_or_before.or(self.lines.last()).map(|line| line.place)
    }

    /// The chart has come.
    pub(super) fn charted(&mut self, search: &Search, samples: Vec<Sample>) -> Option<Effect> {
        if *search != self.search() {
            return None;
        }
        self.latency = LatencyStats::of(samples);
        let again = self.chart.finish() && self.chart.begin();
        again.then(|| Effect::Latencies(self.search()))
    }

    /// Something that was asked for could not be read.
    pub(super) fn failed(&mut self) {
        (self.window, self.chart) = (PendingQuery::None, PendingQuery::None);
    }

    /// Moves the selection by so many lines, to older ones if positive.
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

    /// Selects an exchange that is at hand.
    pub(super) fn select_place(&mut self, place: i64) -> Vec<Effect> {
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

    /// So many lines fit on screen now.
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

    /// Marks the selected exchange, or takes its mark away; of three, the first goes.
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

    /// The places of the two to compare: the marked ones, or the marked one and the selected one.
    pub(super) fn pair(&self) -> Option<(i64, i64)> {
        match (self.marked.as_slice(), self.selected) {
            ([one, other], _) => Some((*one.min(other), *one.max(other))),
            ([one], Some(other)) if *one != other => Some((*one.min(&other), *one.max(&other))),
            (_, _) => None,
        }
    }
}
