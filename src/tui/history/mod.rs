//! The History tab: every request, newest first; the selected one beside the list, opened, or compared.

mod chart;
mod list;
mod run;
mod state;
mod view;

use std::fmt::Display;

use ratatui::layout::Rect;

use super::component::{Action, Component, NamedExchange, Typed, called, cannot, does, unless};
use super::context::Context;
use super::effect::Effect;
use super::input::{Command, Scope};
use super::message::{Cause, FrameLayout, Msg, Target};
use super::screen::sorting::{Sortable, action_of_sorting};
use super::screen::{Screen, action_in_list};
use super::ui_effect::{Open, Reading, Tab, UiEffect};
use super::widgets::canvas::Canvas;
use super::widgets::filter_input::FilterInput;
use crate::domain::filter::{Filter, List};
use crate::domain::sentence::no_request;
use crate::domain::{Outcome as Proof, PlantId};
use crate::journal::{HistoryColumn, HistoryOrder, HistoryRow, StoredExchange};

use list::Selected;
pub(super) use state::HistoryScreen;

impl HistoryScreen {
    /// Shows the requests of one plant; `from` is the tab in which they were opened.
    pub(super) fn show_plant(&mut self, plant: PlantId, from: Tab, cx: &mut Context) {
        self.filter_by(&of_plant(plant), cx);
        self.came_from = Some(from).filter(|from| *from != Tab::History);
    }

    pub(super) fn filter(&self) -> Filter {
        self.list.search()
    }

    /// Returns to the tab from which the requests of a plant were opened.
    fn go_back(&mut self, cx: &mut Context) {
        let from = self.came_from.take();
        self.show_all(cx);
        if let Some(tab) = from {
            cx.out.ui_effect(UiEffect::Command(Scope::Tabs, Command::GoTo(tab)));
        }
    }

    fn filter_changed(&mut self, cx: &mut Context) {
        cx.screen.pane.to_start();
        cx.out.effects(self.list.search_again());
    }

    /// Opens the selected exchange, now or once it has been read again; collapses or expands the selected run of the check.
    fn open_selected(&mut self, cx: &mut Context) {
        match (self.list.selected_run(), self.selected().cloned()) {
            (Some(run), _) if self.list.is_expanded(run) => self.collapse(cx),
            (Some(_), _) => self.expand(cx),
            (None, Some(stored)) => cx.out.open(Open::Pager(Reading::Exchanges(vec![stored], 0))),
            (None, None) => {
                if let Some(number) = self.list.selected_request() {
                    self.open_number(number, cx);
                }
            }
        }
    }

    /// Whether the selected exchange, or the list, is being read.
    pub(super) fn is_reading(&self) -> bool {
        !self.list.is_read || self.is_reading_selected()
    }

    fn is_reading_selected(&self) -> bool {
        let read = self.inspected.as_ref().map(|(number, _)| *number);
        self.list.selected_request().is_some_and(|number| read != Some(number))
    }

    /// Selects the newest request, and then the newer ones as they end, unless the list is sorted in another way.
    pub(super) fn follow_newest(&mut self, cx: &mut Context) {
        cx.screen.pane.to_start();
        if !self.list.is_sorted() {
            self.go_to_end(false, cx);
        }
    }

    fn expand(&mut self, cx: &mut Context) {
        cx.out.effects(self.list.expand());
    }

    fn collapse(&mut self, cx: &mut Context) {
        cx.screen.pane.to_start();
        cx.out.effects(self.list.collapse());
    }

    /// Opens the request with this number, once it is read.
    pub(super) fn open_number(&mut self, number: i64, cx: &mut Context) {
        self.opening = Some(number);
        self.read(number, cx);
    }

    /// Reads a request, unless it is being read.
    fn read(&mut self, number: i64, cx: &mut Context) {
        if self.inspecting.replace(number) != Some(number) {
            cx.out.effect(Effect::Inspect(number));
        }
    }

    /// Opens the request of the line below the one of this request, or above it; without such a line, the next number.
    pub(super) fn open_next(&mut self, number: i64, back: bool, cx: &mut Context) {
        if self.list.selected_request() != Some(number) {
            // The newest is above.
            return self.open_number(if back { number + 1 } else { number - 1 }, cx);
        }
        let before = self.list.selected;
        loop {
            let last = self.list.selected;
            cx.out.effects(self.list.step(if back { -1 } else { 1 }));
            match self.list.selected.filter(|selected| Some(*selected) != last) {
                Some(selected) if selected.run.is_none() => return self.open_selected(cx),
                Some(_) => {}
                None => break,
            }
        }
        self.list.selected = before;
        cx.out.say_here(format!("There is no request {} this one.", if back { "above" } else { "below" }));
    }

    fn inspected_came(&mut self, number: i64, found: &Result<Option<Box<StoredExchange>>, Cause>, cx: &mut Context) {
        self.inspecting.take_if(|inspecting| *inspecting == number);
        let opens = self.opening.take_if(|opening| *opening == number).is_some();
        let found = cx.out.read(found.as_ref());
        match found {
            Some(Some(stored)) if opens => {
                cx.out.open(Open::Pager(Reading::Exchanges(vec![(**stored).clone()], 0)));
            }
            Some(None) if opens => cx.out.say_here(format!("The history has {}.", no_request(number))),
            Some(_) | None => {}
        }
        // Otherwise the selection has changed since, and its exchange is being read.
        if Some(number) == self.list.selected_request() {
            self.inspected = Some((number, found.cloned().flatten()));
        }
    }

    /// Replaces the filter by this query.
    fn filter_by(&mut self, query: &str, cx: &mut Context) {
        (self.came_from, self.list.filter) = (None, FilterInput::default());
        self.list.filter.take(Typed::Paste(query), List::Requests, &cx.local_time());
        self.filter_changed(cx);
    }

    /// Filters by the next outcome; after the last one, shows all.
    fn next_outcome(&mut self, cx: &mut Context) {
        let queries = Proof::ALL.map(|outcome| format!("outcome:{}", outcome.code()));
        let shown = queries.iter().position(|query| query == self.list.filter.text());
        self.filter_by(queries.get(shown.map_or(0, |at| at + 1)).map_or("", String::as_str), cx);
    }

    /// Whether the filter names a plant by its id.
    fn is_by_plant(&self) -> bool {
        self.list.filter.text().starts_with(&of_plant(""))
    }

    /// Filters by the plant of the selected request, or shows all plants.
    fn by_plant(&mut self, cx: &mut Context) {
        let line = self.list.selected_row().and_then(HistoryRow::request).filter(|_| !self.is_by_plant());
        let query = line.map(|line| of_plant(line.kind.plant_id()));
        self.filter_by(&query.unwrap_or_default(), cx);
    }
}

/// Returns the query for the requests about the plant with this id.
fn of_plant(id: impl Display) -> String {
    format!("id:{id}")
}

impl Component for HistoryScreen {
    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        let run = self.list.selected_run();
        let nothing_selected = self.list.selected.is_none().then_some("no request is selected");
        let no_request = self.list.selected_request().is_none().then_some("no request is selected");
        match command {
            Command::Open | Command::Mark if run.is_some_and(|run| self.list.is_expanded(run)) => {
                called("fold", Self::open_selected)
            }
            Command::Open | Command::Mark if run.is_some() => called("unfold", Self::open_selected),
            Command::Open => unless(nothing_selected, Self::open_selected),
            Command::Expand => {
                let is_collapsed = run.is_some_and(|run| !self.list.is_expanded(run));
                unless((!is_collapsed).then_some("no folded run of the check is selected"), Self::expand)
            }
            Command::Collapse => {
                let is_expanded = self.list.run_to_collapse().is_some();
                unless((!is_expanded).then_some("no expanded run of the check is selected"), Self::collapse)
            }
            Command::Mark => unless(no_request, |screen: &mut Self, _| screen.list.mark()),
            Command::ByOutcome => does(Self::next_outcome),
            Command::ByPlant => unless(no_request.filter(|_| !self.is_by_plant()), Self::by_plant),
            Command::Compare => match self.list.pair() {
                Some((one, other)) => {
                    does(move |_, cx: &mut Context| cx.out.effect(Effect::Compare(one, other, cx.display.marks)))
                }
                None => cannot("mark one request and select another"),
            },
            Command::Report => {
                let has_none = self.filter().is_empty() && cx.session.submitted == 0;
                let reason = has_none.then_some("nothing was sent in this session");
                unless(reason, |screen: &mut Self, cx: &mut Context| cx.out.open(Open::Report(None, screen.filter())))
            }
            Command::Back if !self.list.marked.is_empty() => {
                called("unmark", |screen: &mut Self, _| screen.list.marked.clear())
            }
            Command::Back if self.came_from.is_some() && self.list.is_filtered() => called("back", Self::go_back),
            Command::Back if self.list.is_filtered() => called("show all", Screen::show_all),
            _ => action_in_list(self, command, cx).or_else(|| action_of_sorting(command)),
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        if self.list.filter.take(typed, List::Requests, &cx.local_time()) {
            self.filter_changed(cx);
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        match message {
            Msg::History(request, Ok(window)) => {
                cx.out.effects(self.list.window_came(request, window.clone()));
            }
            Msg::Latencies(search, Ok(samples)) => cx.out.effects(self.list.chart_came(search, samples.clone())),
            Msg::History(_, Err(_)) | Msg::Latencies(_, Err(_)) | Msg::Window(_, Err(_)) => self.list.failed(),
            Msg::Inspected(number, found) => self.inspected_came(*number, found, cx),
            Msg::Compared(Ok(Some(compared))) => {
                cx.out.open(Open::Pager(Reading::Compared(compared.clone())));
            }
            Msg::Compared(Ok(None)) => cx.out.say_here("One of the two is no longer in the journal."),
            Msg::Compared(Err(why)) => cx.out.cannot_read(why),
            _ => {}
        }
    }

    /// Requests the selected exchange, once.
    fn after_message(&mut self, cx: &mut Context) {
        if let Some(number) = self.list.selected_request().filter(|_| self.is_reading_selected()) {
            self.read(number, cx);
        }
    }

    fn drawn(&mut self, layout: &FrameLayout, _cx: &mut Context) {
        self.list.fits(layout.page);
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        view::draw(self, cx, area, canvas);
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        cx.screen.stop_waiting();
        let clicked = match target {
            Target::Exchange(number) => Selected { number, run: None },
            Target::Run(id) => Selected { number: i64::MAX, run: Some(id) },
            Target::Heading(at) => return self.sort_nth(at, cx),
            _ => return,
        };
        cx.screen.reset();
        if self.list.selected_run().is_some_and(|run| target == Target::Run(run.id)) {
            return self.open_selected(cx);
        }
        cx.out.effects(self.list.select_line(clicked));
    }

    fn exchange<'a>(&'a self, _cx: &'a Context) -> Option<NamedExchange<'a>> {
        let stored = self.selected()?;
        Some((&stored.exchange, stored.name()))
    }
}

impl Screen for HistoryScreen {
    fn step(&mut self, lines: isize, cx: &mut Context) {
        cx.out.effects(self.list.step(lines));
    }

    fn go_to_end(&mut self, last: bool, cx: &mut Context) {
        cx.out.effects(self.list.go_to_end(last));
    }

    fn awaits(&self, command: Command, _cx: &Context) -> bool {
        let is_of_request = command.needs_request() || command == Command::Open;
        let is_moving = self.list.awaits_selection() || self.opening.is_some();
        command.needs_selection() && is_moving || is_of_request && self.is_reading_selected()
    }

    fn show_all(&mut self, cx: &mut Context) {
        if self.list.is_filtered() {
            self.filter_by("", cx);
        }
    }

    fn refresh(&mut self, cx: &mut Context) {
        cx.out.effects(self.list.refresh());
    }
}

impl Sortable for HistoryScreen {
    type Column = HistoryColumn;

    fn order(&self, _cx: &Context) -> (HistoryColumn, bool) {
        (self.list.order.column, self.list.order.descending)
    }

    fn set_order(&mut self, column: HistoryColumn, descending: bool, cx: &mut Context) {
        self.list.order = HistoryOrder { column, descending };
        cx.screen.pane.to_start();
        cx.out.effects(self.list.sort_again());
    }
}
