//! The Check tab: a report of the contract check row by row, and what that is compared with.
//!
//! Selection is by the name of a row, so that it stays while rows are decided, filtered, or shown of another run.

mod lines;
mod pane;
mod rows;
mod state;
mod view;

use ratatui::layout::Rect;

use super::component::{Action, Component, NamedExchange, Typed, called, cannot, does, unless};
use super::context::Context;
use super::effect::Effect;
use super::input::{Command, Scope};
use super::message::{Cause, FrameLayout, Msg, Target};
use super::question;
use super::screen::{Screen, WHEEL, action_in_list};
use super::session::{CHECK_UNDER_WAY, IMPORT_UNDER_WAY};
use super::status::Notice;
use super::ui_effect::{AfterToken, Open, Reading, ReportOf, Tab, UiEffect};
use super::widgets::canvas::Canvas;
use super::widgets::text_input::TextInput;
use crate::check::{EarlierRuns, Event, Observation, RULES, Report, RuleResult, Run, Verdict, Wanted};
use crate::domain::{Operation, OperationId};
use crate::journal::StoredExchange;
use crate::worker::Ended;

use rows::{Found, Line, Subject};
use state::Behind;
pub(super) use state::CheckScreen;

impl CheckScreen {
    /// What is shown.
    pub(super) fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Why no run can begin now.
    fn cannot_run(cx: &Context) -> Option<&'static str> {
        let session = &cx.session;
        if session.check.is_under_way() {
            Some(CHECK_UNDER_WAY)
        } else if session.is_importing() {
            Some(IMPORT_UNDER_WAY)
        } else if !session.pending.is_empty() {
            Some("operations are in flight: wait for them, or cancel them")
        } else {
            session.cannot_send()
        }
    }

    /// Begins a run at the demo store; another one is only checked on a person's word.
    fn ask_to_run(cx: &mut Context) {
        let session = &cx.session;
        if !session.token_set {
            let store = session.store_name();
            let why = vec![format!("The check sends requests to {store} with the token, and without it.")];
            cx.out.open(Open::Token { why, then: AfterToken::Check });
        } else if session.info.demo {
            Self::begin(Wanted::default(), cx);
        } else {
            let gentle = Wanted { gentle: true, ..Wanted::default() };
            let requests = [Wanted::default(), gentle].map(|wanted| wanted.requests());
            cx.out.ask(question::check(&session.info.store, requests));
        }
    }

    /// There is a token now: what waited for it goes on.
    pub(super) fn begin_with_token(cx: &mut Context) {
        if Self::cannot_run(cx).is_none() {
            Self::ask_to_run(cx);
        }
    }

    /// A person wants a run.
    pub(super) fn begin(wanted: Wanted, cx: &mut Context) {
        match Self::cannot_run(cx) {
            Some(why) => cx.out.say(format!("The check does not begin: {why}.")),
            None => cx.session.prepare_check(wanted, &mut cx.out),
        }
    }

    /// What the journal knows before a run has come.
    fn known_earlier(&mut self, seed: u64, found: &Result<EarlierRuns, Cause>, cx: &mut Context) {
        let before = match found {
            Ok(before) => before,
            Err(why) => {
                if cx.session.drop_prepared_check() {
                    cx.out.cannot_read(why);
                }
                return;
            }
        };
        if !cx.session.begin_check(seed, before, &cx.out) {
            return;
        }
        (self.report, self.compared, self.follows) = (None, None, true);
        let (back, tab) = (cx.key(Command::Back), cx.key(Command::Check));
        cx.out.say(match cx.display.tab {
            Tab::Check => format!("The check has begun. {back} stops it."),
            Tab::Plants | Tab::History | Tab::Greenhouse => format!("The check has begun: {tab} shows it."),
        });
        self.tell(Event::Begin, cx);
    }

    /// Tells the run what happened, and shows how far it has come.
    fn tell(&mut self, event: Event, cx: &mut Context) {
        let finished = cx.session.advance_check(event, &mut cx.out);
        if let Some(report) = cx.session.check.run().map(Run::report) {
            self.show(report, true);
        }
        if let Some(report) = finished {
            cx.out.say(report.summary());
            let follows = std::mem::take(&mut self.follows);
            self.show(report, false);
            if follows {
                self.select_what_matters();
            }
        }
    }

    /// The first time nothing more is tried and the check cleans up, the second time nothing more is sent.
    pub(super) fn stop(&mut self, cx: &mut Context) {
        if cx.session.drop_prepared_check() {
            cx.out.say("The check has not begun. Nothing was sent.");
        } else if cx.session.check.is_sending() {
            let back = cx.key(Command::Back);
            cx.out.say(format!("Stopping: the check deletes its plants. {back} again leaves them there."));
        }
        self.tell(Event::Stop, cx);
    }

    /// Sends nothing more; what is out is cancelled.
    pub(super) fn abandon(&mut self, why: &'static str, cx: &mut Context) {
        cx.session.drop_prepared_check();
        self.tell(Event::Abandon(why), cx);
    }

    /// The worker died with these in flight.
    pub(super) fn worker_died(&mut self, lost: &[Operation], cx: &mut Context) {
        cx.session.drop_prepared_check();
        let probe = lost.iter().find(|operation| operation.probe.is_some()).cloned();
        self.tell(Event::WorkerDied(probe, cx.now()), cx);
    }

    /// A request of the run is over. What the end of an operation means otherwise is no matter: a person did not
    /// request this one, and the run knows what to do about it.
    pub(super) fn probe_ended(&mut self, ended: Ended, cx: &mut Context) {
        cx.session.pending.retain(|pending| pending.operation.id != ended.exchange.operation.id);
        if let Err(why) = &ended.recorded {
            cx.out.not_recorded(why);
        }
        self.tell(Event::Ended(Box::new(ended.exchange), cx.now()), cx);
    }

    /// A stored run was chosen.
    pub(super) fn show_run(&mut self, run: Report, compares: bool) {
        if compares {
            self.compared = Some(run);
        } else {
            (self.report, self.compared, self.follows, self.is_partial) = (Some(run), None, false, false);
            self.select_what_matters();
        }
    }

    /// The stored runs that one can be chosen from: one is not compared with itself.
    fn has_stored(&self, compares: bool, cx: &Context) -> bool {
        let shown = self.report.as_ref().filter(|_| compares);
        cx.session.check.stored.iter().flatten().any(|run| shown != Some(run))
    }

    fn choose_run(&mut self, compares: bool, cx: &mut Context) {
        let except = self.report.clone().filter(|_| compares).map(Box::new);
        let runs = cx.session.check.stored.clone().unwrap_or_default();
        cx.out.open(Open::Runs { runs, compares, except });
    }

    fn find_runs(&mut self, cx: &mut Context) {
        if self.runs_query.begin() {
            cx.out.effect(Effect::FindRuns);
        }
    }

    fn runs_came(&mut self, found: &Result<Vec<Report>, Cause>, cx: &mut Context) {
        match found {
            Ok(runs) => {
                let here = cx.session.info.store.to_string();
                let last = runs.iter().find(|run| run.store == here).cloned();
                cx.session.check.stored = Some(runs.clone());
                // A person who comes in sees what was found last.
                if let (Some(last), None, false) = (last, &self.report, cx.session.check.is_under_way()) {
                    self.show(last, false);
                    self.select_what_matters();
                }
            }
            Err(why) => cx.out.cannot_read(why),
        }
        if self.runs_query.finish() {
            self.find_runs(cx);
        }
    }

    fn behind_came(&mut self, asked: &[OperationId], found: &Result<Vec<StoredExchange>, Cause>, cx: &mut Context) {
        let Some(behind) = self.behind.as_mut().filter(|behind| behind.operations == asked) else { return };
        behind.found = Some(match found {
            Ok(found) => found.clone(),
            Err(why) => {
                cx.out.cannot_read(why);
                Vec::new()
            }
        });
        if std::mem::take(&mut self.opens) {
            self.open_behind(cx);
        }
    }

    /// Opens the last exchange behind the selected row, now or as soon as it is there.
    fn open_behind(&mut self, cx: &mut Context) {
        match self.selected_behind() {
            None => self.opens = true,
            Some([]) => cx.out.say("Its requests are not stored any more."),
            Some(behind) => cx.out.open(Open::Pager(Reading::Exchanges(behind.to_vec(), behind.len() - 1))),
        }
    }

    /// Why nothing behind the selected row can be opened.
    fn nothing_behind(&self, cx: &Context) -> Option<&'static str> {
        if self.selected_exchanges().is_empty() {
            Some("it rests on no request")
        } else {
            (!self.is_of_this_store(cx)).then_some("its requests are in another store's history")
        }
    }

    /// Shows a report, perhaps of another run than before.
    fn show(&mut self, report: Report, is_partial: bool) {
        let latest = self.decided_since(&report).filter(|_| self.follows);
        (self.report, self.is_partial) = (Some(report), is_partial);
        if let Some(latest) = latest {
            self.selected = Some(Subject::Row(latest));
        }
        self.keep_selection();
    }

    /// The row to look at that is decided in a report and was not before. What is seen by the way
    /// of undocumented behaviour is none while rules are still to come.
    fn decided_since(&self, report: &Report) -> Option<String> {
        let (rules, observed) = self
            .report
            .as_ref()
            .map_or((&[][..], &[][..]), |before| (before.rules.as_slice(), before.undocumented.as_slice()));
        let is_new = |result: &&RuleResult| rules.iter().all(|before| before.name != result.name);
        let latest = report.rules.iter().rfind(is_new).map(|result| &result.name);
        let are_decided = RULES.iter().all(|rule| report.rules.iter().any(|result| result.name == rule.name));
        let is_new = |new: &&Observation| are_decided && observed.iter().all(|before| before.name != new.name);
        latest.or_else(|| report.undocumented.iter().rfind(is_new).map(|observed| &observed.name)).cloned()
    }

    /// Selects what is broken first, or else the first row there is.
    fn select_what_matters(&mut self) {
        let lines = self.lines();
        let is_broken =
            |line: &&Line| matches!(line, Line::Row(row) if row.found.and_then(Found::verdict) == Some(Verdict::Fail));
        let first = lines.iter().find(is_broken).or_else(|| lines.iter().find(|line| line.subject().is_some()));
        self.selected = first.and_then(Line::subject);
        self.keep_selection();
    }

    /// What is selected exists and is in sight.
    fn keep_selection(&mut self) {
        let lines = self.lines();
        let first = || lines.iter().find_map(Line::subject);
        let index = lines.iter().position(|line| line.is(self.selected.as_ref()));
        let selected = index.map_or_else(first, |_| self.selected.clone());
        let index = index.unwrap_or_else(|| usize::from(lines.len() > 1));
        let page = self.page.max(1);
        // Its heading comes with the first line below it.
        let heads = index.checked_sub(1).is_some_and(|above| matches!(lines.get(above), Some(Line::Heading(_))));
        let from = index - usize::from(heads && page > 1);
        let furthest = lines.len().saturating_sub(page);
        let top = self.top.clamp((index + 1).saturating_sub(page).min(from), from).min(furthest);
        (self.selected, self.top) = (selected, top);
    }

    /// Moves the selection by so many lines, down if positive.
    fn move_selection(&mut self, by: isize) {
        self.follows = false;
        let lines = self.lines();
        let subjects: Vec<_> = lines.iter().filter_map(Line::subject).collect();
        let Some(last) = subjects.len().checked_sub(1) else { return };
        let index = subjects.iter().position(|subject| Some(subject) == self.selected.as_ref()).unwrap_or(0);
        self.selected = subjects.into_iter().nth(index.saturating_add_signed(by).min(last));
        self.keep_selection();
    }

    /// Selects the line at this place, if it can be.
    fn select_place(&mut self, place: usize) {
        if let Some(subject) = self.lines().get(place).and_then(Line::subject) {
            (self.follows, self.selected) = (false, Some(subject));
            self.keep_selection();
        }
    }
}

impl Component for CheckScreen {
    fn scope(&self) -> Scope {
        if self.is_typing { Scope::Picker } else { Scope::Check }
    }

    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        let is_under_way = cx.session.check.is_under_way().then_some(CHECK_UNDER_WAY);
        let not_shown = self.report.is_none().then_some("no run is shown yet");
        match command {
            Command::RunCheck => unless(Self::cannot_run(cx), |_, cx| Self::ask_to_run(cx)),
            Command::OpenRun => {
                let none = (!self.has_stored(false, cx)).then_some("no run is kept yet");
                unless(is_under_way.or(none), |screen, cx| screen.choose_run(false, cx))
            }
            Command::Compare if is_under_way.is_none() && self.compared.is_some() => {
                does(|screen, _| screen.compared = None)
            }
            Command::Compare => {
                let none = (!self.has_stored(true, cx)).then_some("no other run is kept");
                unless(is_under_way.or(not_shown).or(none), |screen, cx| screen.choose_run(true, cx))
            }
            Command::Report => unless(is_under_way.or(not_shown), |screen: &mut Self, cx| {
                if let Some(report) = screen.report.clone() {
                    cx.out.open(Open::Report(ReportOf::Check(Box::new(report))));
                }
            }),
            Command::Open => unless(self.nothing_behind(cx), Self::open_behind),
            Command::Mark => cannot("nothing is marked here"),
            Command::Back => self.action_back(cx),
            _ => action_in_list(self, command),
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        let before = self.filter.text().to_owned();
        if self.filter.take(typed) && self.filter.text() != before {
            self.pane.to_start();
            self.keep_selection();
            cx.out.ui_effect(UiEffect::LookAway);
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        match message {
            Msg::EarlierRuns(seed, found) => self.known_earlier(*seed, found, cx),
            // The pauses of runs before this one end, too.
            Msg::Paused(pause) if cx.session.check.is_current_pause(*pause) => self.tell(Event::PauseOver, cx),
            Msg::RunKept(result) => {
                if let Err(why) = result {
                    let words = format!("The journal could not store this report of the check: {why}");
                    cx.out.status.notices.push_back(Notice::new(words));
                }
                self.find_runs(cx);
            }
            Msg::Runs(found) => self.runs_came(found, cx),
            Msg::Related(asked, found) => self.behind_came(asked, found, cx),
            _ => {}
        }
    }

    /// Asks for the exchanges behind the selected row, once, when they are not at hand.
    fn load_missing(&mut self, cx: &mut Context) {
        // What a run that goes on decides next would be asked for at once.
        if self.follows || !self.is_of_this_store(cx) {
            return;
        }
        let operations = self.selected_exchanges();
        if operations.is_empty() || self.behind.as_ref().is_some_and(|behind| behind.operations == operations) {
            return;
        }
        let operations = operations.to_vec();
        self.behind = Some(Behind { operations: operations.clone(), found: None });
        cx.out.effect(Effect::FindRelated(operations));
    }

    fn drawn(&mut self, layout: &FrameLayout) {
        if self.page != layout.page.max(1) {
            self.page = layout.page.max(1);
            self.keep_selection();
        }
        self.pane.fits(layout.pane_lines, layout.pane_page);
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        view::draw(self, cx, area, canvas);
    }

    fn click(&mut self, target: Target, _cx: &mut Context) {
        if let Target::Line(place) = target {
            self.is_typing = false;
            self.pane.to_start();
            self.select_place(place);
        }
    }

    fn wheel(&mut self, over: Target, down: bool, cx: &mut Context) {
        let lines = if down { WHEEL } else { -WHEEL };
        match over {
            Target::Line(_) | Target::List => self.step(lines, cx),
            Target::Pane => self.pane.scroll(lines),
            _ => {}
        }
    }

    fn exchange<'a>(&'a self, _cx: &'a Context) -> Option<NamedExchange<'a>> {
        let kept = self.selected_behind()?.last()?;
        Some((&kept.exchange, kept.name()))
    }
}

impl CheckScreen {
    /// Esc: stops the run, else ends comparing, else takes the filter away.
    fn action_back(&self, cx: &Context) -> Action<Self> {
        if cx.session.check.is_under_way() {
            let is_stopping = cx.session.check.run().is_some_and(Run::is_stopping);
            return called(if is_stopping { "stop at once" } else { "stop" }, Self::stop);
        }
        if self.compared.is_some() {
            return called("end comparing", |screen, _| screen.compared = None);
        }
        if !self.filter.text().is_empty() {
            return called("show all", Screen::show_all);
        }
        cannot("nothing is in flight")
    }
}

impl Screen for CheckScreen {
    fn step(&mut self, lines: isize, _cx: &mut Context) {
        self.pane.to_start();
        self.move_selection(lines);
    }

    fn go_to_end(&mut self, last: bool, _cx: &mut Context) {
        self.pane.to_start();
        self.move_selection(if last { isize::MAX } else { isize::MIN });
    }

    fn lines_on_screen(&self, _cx: &Context) -> usize {
        self.page
    }

    fn is_typing(&self) -> bool {
        self.is_typing
    }

    fn set_typing(&mut self, is_typing: bool) {
        self.is_typing = is_typing;
    }

    fn show_all(&mut self, _cx: &mut Context) {
        if !self.filter.text().is_empty() {
            self.filter = TextInput::default();
            self.pane.to_start();
            self.keep_selection();
        }
    }

    /// A run that is under way changes nothing of those that are stored.
    fn refresh(&mut self, cx: &mut Context) {
        if !cx.session.check.is_under_way() {
            self.find_runs(cx);
        }
    }

    fn leave(&mut self, _cx: &mut Context) {
        self.pane.to_start();
        (self.is_typing, self.opens) = (false, false);
    }

    fn stop_waiting(&mut self) {
        self.opens = false;
    }
}

/// What tests look at.
#[cfg(test)]
impl CheckScreen {
    /// The names of the rows that the filter shows.
    pub(super) fn names(&self) -> Vec<String> {
        self.lines().iter().filter_map(|line| name_of(line.subject()?)).collect()
    }

    /// The names of the rows that differ from the run that is compared.
    pub(super) fn changed_names(&self) -> Vec<String> {
        let changed = |line: &Line| matches!(line, Line::Row(row) if row.is_changed());
        self.lines().iter().filter(|line| changed(line)).filter_map(|line| name_of(line.subject()?)).collect()
    }

    /// The name of the selected row.
    pub(super) fn selected_name(&self) -> Option<String> {
        name_of(self.selected.clone()?)
    }

    /// Whether a line is selected, where the filter shows any.
    pub(super) fn has_selection(&self) -> bool {
        self.lines().is_empty() || self.selected_line().is_some()
    }

    pub(super) fn compared(&self) -> Option<&Report> {
        self.compared.as_ref()
    }
}

#[cfg(test)]
fn name_of(subject: Subject) -> Option<String> {
    match subject {
        Subject::Row(name) => Some(name),
        Subject::Leftover(_) => None,
    }
}
