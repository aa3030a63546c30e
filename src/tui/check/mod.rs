//! The Check tab: a report of the contract check row by row, and the run that it is compared with.
//!
//! Selection is by the name of a row, so that it stays while rows are decided, filtered, or replaced by another run's.

mod lines;
mod pane;
mod rows;
mod state;
#[cfg(test)]
mod testing;
mod view;

use ratatui::layout::Rect;

use super::component::{Action, Component, NamedExchange, Reason, Typed, called, cancels, cannot, unless};
use super::context::Context;
use super::effect::Effect;
use super::input::{Command, Scope};
use super::message::{Cause, FrameLayout, Msg, Target};
use super::screen::{Screen, action_in_list};
use super::session::CHECK_UNDER_WAY;
use super::session::question;
use super::status::Notice;
use super::ui_effect::{AfterToken, Open, Reading, Tab, UiEffect};
use super::widgets::canvas::Canvas;
use super::widgets::filter_input::FilterInput;
use crate::check::{EarlierRuns, Event, RULES, Report, RowResult, Run, Wanted};
use crate::domain::filter::{Filter, List};
use crate::domain::{Operation, OperationId};
use crate::journal::StoredExchange;
use crate::worker::Ended;

use rows::Line;
pub(super) use state::CheckScreen;

impl CheckScreen {
    /// Returns why no run can begin now.
    fn cannot_run(cx: &Context) -> Option<&'static str> {
        let session = &cx.session;
        let in_flight = "operations are in flight: wait for them, or cancel them";
        let in_flight = (!session.pending.is_empty()).then_some(in_flight);
        session.busy().or(in_flight).or_else(|| session.cannot_send())
    }

    /// Begins a run at the demo store; at any other store, opens a question first.
    fn start(cx: &mut Context) {
        let session = &cx.session;
        if session.token.is_none() {
            let store = session.store_name();
            let why = vec![format!("The check sends requests to {store} with the token, and without it.")];
            cx.out.open(Open::Token { why, then: AfterToken::Check });
        } else if session.info.demo {
            Self::begin(Wanted::default(), cx);
        } else {
            cx.out.ask(question::check(&session.info.store));
        }
    }

    /// Begins the run that the prompt for the token has interrupted.
    pub(super) fn begin_with_token(cx: &mut Context) {
        if Self::cannot_run(cx).is_none() {
            Self::start(cx);
        }
    }

    /// Begins a run that a person has confirmed: first, the journal is read for leftovers.
    pub(super) fn begin(wanted: Wanted, cx: &mut Context) {
        match Self::cannot_run(cx) {
            Some(why) => cx.out.say(format!("The check does not begin: {why}.")),
            None => cx.session.prepare_check(wanted, &mut cx.out),
        }
    }

    /// Begins the prepared run with the leftovers of earlier runs.
    fn earlier_runs_came(&mut self, seed: u64, found: &Result<EarlierRuns, Cause>, cx: &mut Context) {
        let earlier = match found {
            Ok(earlier) => earlier,
            Err(why) => {
                if cx.session.drop_prepared_check() {
                    cx.out.cannot_read(why);
                }
                return;
            }
        };
        if !cx.session.begin_check(seed, earlier, &cx.out) {
            return;
        }
        (self.report, self.compared, self.follows) = (None, None, true);
        cx.out.ui_effect(UiEffect::FollowNewest);
        let (back, tab) = (cx.key(Command::Back), cx.key(Command::GoTo(Tab::Check)));
        // What Esc does depends on the tab, so this goes with it.
        match cx.display.tab {
            Tab::Check => cx.out.say_here(format!("The check has begun. {back} stops it.")),
            Tab::Plants | Tab::History | Tab::Greenhouse => cx.out.say(format!("The check has begun: {tab} shows it.")),
        }
        self.advance(Event::Begin, cx);
    }

    /// Passes an event to the run, and shows its report so far.
    fn advance(&mut self, event: Event, cx: &mut Context) {
        let finished = cx.session.advance_check(event, &mut cx.out);
        if let Some(report) = cx.session.check.run().map(Run::report) {
            self.show(report, true);
        }
        if let Some(report) = finished {
            cx.out.say(report.summary());
            let follows = std::mem::take(&mut self.follows);
            self.show(report, false);
            if follows {
                self.select_first();
            }
        }
    }

    /// Stops the run: the first time it still deletes its plants, the second time it sends nothing more.
    pub(super) fn stop(&mut self, cx: &mut Context) {
        if cx.session.drop_prepared_check() {
            cx.out.say("The check has not begun. Nothing was sent.");
        } else if cx.session.check.is_sending() {
            let back = cx.key(Command::Back);
            cx.out.say(format!("Stopping: the check deletes its plants. {back} again leaves them in the store."));
        }
        self.advance(Event::Stop, cx);
    }

    /// Ends the run at once: requests in flight are cancelled.
    pub(super) fn abandon(&mut self, why: &'static str, cx: &mut Context) {
        cx.session.drop_prepared_check();
        self.advance(Event::Abandon(why), cx);
    }

    /// Ends the run after the worker died with these operations in flight.
    pub(super) fn worker_died(&mut self, lost: &[Operation], cx: &mut Context) {
        cx.session.drop_prepared_check();
        let probe = lost.iter().find(|operation| operation.probe.is_some()).cloned();
        self.advance(Event::WorkerDied(probe.map(Box::new), cx.now()), cx);
    }

    /// Passes the end of a request of the run to it. No person requested that operation, so nothing else follows.
    pub(super) fn handle_probe_end(&mut self, ended: Ended, cx: &mut Context) {
        cx.session.pending.retain(|pending| pending.operation.id != ended.exchange.operation.id);
        if let Err(why) = &ended.recorded {
            cx.out.not_recorded(why);
        }
        self.advance(Event::Ended(ended.exchange, cx.now()), cx);
    }

    /// Shows a stored run, or compares with it.
    pub(super) fn show_run(&mut self, run: Report, compares: bool) {
        if compares {
            self.compared = Some(run);
        } else {
            (self.report, self.compared, self.follows, self.is_partial) = (Some(run), None, false, false);
            self.select_first();
        }
    }

    /// Ends the comparison, and a filter that only its differences match.
    fn end_comparison(&mut self) {
        self.compared = None;
        if self.lines().is_empty() {
            self.filter = FilterInput::default();
        }
        self.keep_selection();
    }

    /// Whether there is a stored run to choose; a run is not compared with itself.
    fn has_stored(&self, compares: bool, cx: &Context) -> bool {
        let shown = self.report.as_ref().filter(|_| compares);
        cx.session.check.stored.iter().flatten().any(|run| shown != Some(run))
    }

    fn choose_run(&mut self, compares: bool, cx: &mut Context) {
        let shown = self.report.clone().filter(|_| compares).map(Box::new);
        cx.out.open(Open::Runs { compared: shown });
    }

    fn find_runs(&mut self, cx: &mut Context) {
        if self.runs_query.begin() {
            cx.out.effect(Effect::FindRuns);
        }
    }

    fn runs_came(&mut self, found: &Result<Vec<Report>, Cause>, cx: &mut Context) {
        if let Some(runs) = cx.out.read(found.as_ref()) {
            let store = cx.session.info.store.to_string();
            let last = runs.iter().find(|run| run.store == store).cloned();
            cx.session.check.stored = Some(runs.clone());
            // At the first visit, the last report of this store is shown.
            if let (Some(last), None, false) = (last, &self.report, cx.session.check.is_under_way()) {
                self.show(last, false);
                self.select_first();
            }
        }
        if self.runs_query.finish() {
            self.find_runs(cx);
        }
    }

    fn related_came(&mut self, of: &[OperationId], found: &Result<Vec<StoredExchange>, Cause>, cx: &mut Context) {
        if let Some((_, related)) = self.related.as_mut().filter(|(operations, _)| operations == of) {
            *related = Some(cx.out.read(found.as_ref()).cloned().unwrap_or_default());
        }
    }

    /// Whether the exchanges of the selected row were requested.
    fn has_asked(&self) -> bool {
        self.related.as_ref().is_some_and(|(operations, _)| operations == self.selected_operations())
    }

    fn find_related(&mut self, cx: &mut Context) {
        let operations = self.selected_operations().to_vec();
        self.related = Some((operations.clone(), None));
        cx.out.effect(Effect::FindRelated(operations));
    }

    /// Opens the first exchange of the selected row, which is not followed any more; reads it first if need be.
    fn open_exchanges(&mut self, cx: &mut Context) {
        self.follows = false;
        match self.selected_exchanges() {
            None => {
                self.find_related(cx);
                cx.out.ui_effect(UiEffect::Command(Scope::Check, Command::Open));
            }
            Some([]) => cx.out.say_here("Its requests are no longer stored."),
            Some(found) => cx.out.open(Open::Pager(Reading::Exchanges(found.to_vec(), 0))),
        }
    }

    /// Returns why no exchange of the selected row can be opened.
    fn cannot_open(&self, cx: &Context) -> Option<&'static str> {
        if self.selected_operations().is_empty() {
            Some("no request was sent for it alone")
        } else {
            (!self.is_of_this_store(cx)).then_some("its requests are in another store's history")
        }
    }

    /// Shows a report; while a run is followed, with the row selected that was decided last.
    fn show(&mut self, report: Report, is_partial: bool) {
        let latest = self.decided_since(&report).filter(|_| self.follows);
        (self.report, self.is_partial) = (Some(report), is_partial);
        self.selected = latest.or_else(|| self.selected.take());
        self.keep_selection();
    }

    /// Returns the last row that is decided in a report and was not before. Undocumented behaviour counts only once
    /// all rules are decided.
    fn decided_since(&self, report: &Report) -> Option<String> {
        let before = self.report.as_ref();
        let is_new = |row: &&RowResult| before.is_none_or(|before| before.row(&row.name).is_none());
        let are_decided = RULES.iter().all(|rule| report.row(rule.name).is_some());
        let undocumented = || report.undocumented.iter().rfind(is_new).filter(|_| are_decided);
        report.rules.iter().rfind(is_new).or_else(undocumented).map(|row| row.name.clone())
    }

    /// Selects the first row: of the rules that fail, or else of those that are inconclusive, if there are any.
    fn select_first(&mut self) {
        self.selected = None;
        self.keep_selection();
    }

    /// Keeps an existing line selected, and on screen.
    fn keep_selection(&mut self) {
        let lines = self.lines();
        let first = || lines.iter().find_map(Line::name);
        let index = lines.iter().position(|line| line.row().is_some_and(|row| self.is_selected(row)));
        let selected = index.map_or_else(first, |_| self.selected.clone());
        // The first line is a heading.
        let index = index.unwrap_or(1);
        // With the first line of a group, its heading is on screen.
        let heads = index.checked_sub(1).is_some_and(|above| matches!(lines.get(above), Some(Line::Heading(_))));
        let first = index - usize::from(heads && self.view.page > 1);
        let count = lines.len();
        self.view.show(count, first, index);
        self.selected = selected;
    }

    /// Selects a line, if it is no heading.
    fn select_line(&mut self, at: usize) {
        if let Some(name) = self.lines().get(at).and_then(Line::name) {
            (self.follows, self.selected) = (false, Some(name));
            self.keep_selection();
        }
    }
}

impl Component for CheckScreen {
    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        let is_under_way = cx.session.check.is_under_way().then_some(CHECK_UNDER_WAY);
        let not_shown = self.report.is_none().then_some("no run is shown yet");
        match command {
            Command::RunCheck => unless(Self::cannot_run(cx), |_, cx| Self::start(cx)),
            Command::OpenRun => {
                let none = (!self.has_stored(false, cx)).then_some("no run is stored yet");
                unless(is_under_way.or(none), |screen: &mut Self, cx| screen.choose_run(false, cx))
            }
            Command::Compare => {
                let none = (!self.has_stored(true, cx)).then_some("no other run is stored");
                unless(is_under_way.or(not_shown).or(none), |screen: &mut Self, cx| screen.choose_run(true, cx))
            }
            Command::Report => unless(is_under_way.or(not_shown), |screen: &mut Self, cx: &mut Context| {
                if let Some(report) = screen.report.clone() {
                    cx.out.open(Open::Report(Some(Box::new(report)), Filter::default()));
                }
            }),
            Command::Open => unless(self.cannot_open(cx), Self::open_exchanges),
            Command::Mark => cannot("rows of the check cannot be marked"),
            Command::Back => self.action_back(cx),
            _ => action_in_list(self, command, cx),
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        if self.filter.take(typed, List::Rules, &cx.local_time()) {
            cx.screen.pane.to_start();
            self.keep_selection();
            cx.out.ui_effect(UiEffect::LookAway);
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        match message {
            Msg::EarlierRuns(seed, found) => self.earlier_runs_came(*seed, found, cx),
            // Pauses of earlier runs may still end.
            Msg::Paused(pause) if *pause == cx.session.check.pauses => self.advance(Event::PauseOver, cx),
            Msg::RunKept(result) => {
                if let Err(why) = result {
                    let words = format!("The journal could not store this report of the check: {why}");
                    cx.out.status.notices.push_back(Notice::new(words));
                }
                self.find_runs(cx);
            }
            Msg::Runs(found) => self.runs_came(found, cx),
            Msg::Related(of, found) => self.related_came(of, found, cx),
            _ => {}
        }
    }

    /// Requests the exchanges of the selected row, once.
    fn after_message(&mut self, cx: &mut Context) {
        // While a run is followed, each decided row would cause a query.
        if self.follows || !self.is_of_this_store(cx) {
            return;
        }
        if !self.selected_operations().is_empty() && !self.has_asked() {
            self.find_related(cx);
        }
    }

    fn drawn(&mut self, layout: &FrameLayout, _cx: &mut Context) {
        if self.view.page != layout.page.max(1) {
            self.view.page = layout.page.max(1);
            self.keep_selection();
        }
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        view::draw(self, cx, area, canvas);
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        if let Target::Line(at) = target {
            cx.screen.reset();
            self.select_line(at);
        }
    }

    fn exchange<'a>(&'a self, _cx: &'a Context) -> Option<NamedExchange<'a>> {
        let first = self.selected_exchanges()?.first()?;
        Some((&first.exchange, first.name()))
    }
}

impl CheckScreen {
    /// Esc: stops the run, else ends the comparison, else clears the filter.
    fn action_back(&self, cx: &Context) -> Action<Self> {
        if cx.session.check.is_under_way() {
            let is_stopping = cx.session.check.run().is_some_and(Run::is_stopping);
            return cancels(if is_stopping { "stop at once" } else { "stop" }, Self::stop);
        }
        if self.compared.is_some() {
            return called("end the comparison", |screen: &mut Self, _| screen.end_comparison());
        }
        if !self.filter.text().is_empty() {
            return called("show all", Screen::show_all);
        }
        cannot("nothing is in flight")
    }
}

impl Screen for CheckScreen {
    fn step(&mut self, by: isize, _cx: &mut Context) {
        self.follows = false;
        let names: Vec<_> = self.lines().iter().filter_map(Line::name).collect();
        let Some(last) = names.len().checked_sub(1) else { return };
        let index = names.iter().position(|name| Some(name) == self.selected.as_ref()).unwrap_or(0);
        self.selected = names.into_iter().nth(index.saturating_add_signed(by).min(last));
        self.keep_selection();
    }

    fn awaits(&self, command: Command, cx: &Context) -> bool {
        let is_reading = self.has_asked() && self.selected_exchanges().is_none();
        command == Command::Open && is_reading && self.cannot_open(cx).is_none()
    }

    fn lacks_pane(&self) -> Option<Reason> {
        self.report.is_none().then_some("no run of the check is shown")
    }

    fn show_all(&mut self, cx: &mut Context) {
        if !self.filter.text().is_empty() {
            self.filter = FilterInput::default();
            cx.screen.pane.to_start();
            self.keep_selection();
        }
    }

    /// The stored runs do not change during a run.
    fn refresh(&mut self, cx: &mut Context) {
        if !cx.session.check.is_under_way() {
            self.find_runs(cx);
        }
    }
}
