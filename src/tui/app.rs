//! The app: the only code that knows all screens and dialogs. It routes messages to them and applies their effects.
//!
//! ```text
//! terminal, worker, journal ──Msg──▶ App::update ──▶ dialog in front, else active screen ──▶ UiEffect, Effect
//!            ▲                                                                                │          │
//!            │                                             App::apply ◀───────────────────────┘          │
//!            └───────────────────────────────── runtime ◀────────────────────────────────────────────────┘
//! ```
//!
//! The key table turns a key into a command. The command goes to the dialog in front, else to the app, else to the
//! active screen. `update` must not do IO, read the clock or draw.

mod arriving;
mod commands;
mod connections;
mod copy;
mod custom_command;
mod dialog;
mod dialogs;
mod input;
mod line;
mod opening;
mod pasting;
mod quitting;
mod recent_input;
mod resend;
mod resolve_queue;
mod screens;
mod signs;
#[cfg(test)]
mod testing;
mod touring;
mod undoing;
mod waiting;

use std::collections::VecDeque;

use ratatui::Frame;

use dialog::Dialog;
use dialogs::Dialogs;
use recent_input::{RecentInput, Waiting};
use resolve_queue::{ResolveQueue, say_what_is_left};
use screens::Screens;

use super::component::Layer;
use super::context::{Context, KeysFor, Motion};
use super::dialogs::file_prompt::not_written;
use super::dialogs::profile::not_saved;
use super::effect::Effect;
use super::input::arming::Arming;
use super::input::{Command, Keymap, Scope};
use super::message::{Cause, Msg, StoreInfo};
use super::session::hidden::{hides_request, hides_row};
use super::session::question::Question;
use super::shell::{self, Shell};
use super::status::Mode;
use super::tour::Tour;
use super::ui_effect::{Tab, UiEffect};
use super::widgets::canvas::HitMap;
use super::widgets::theme::Theme;
use crate::client::Token;
use crate::domain::language::Id;
use crate::domain::{Details, Exchange, Outcome, Plant, PlantId, Row, State, Timestamp};
use crate::journal::{PlantHistory, Window, WindowRequest};
use crate::team;
use crate::terminal::Key;
use crate::verbs::AddArguments;
use crate::worker::Report;

/// A line of the palette that runs in the background.
#[derive(Debug)]
struct RunningLine {
    /// As in a shell.
    name: String,
    /// Whether it sends requests.
    sends: bool,
    cancelled: bool,
}

/// The state of the terminal interface.
pub struct App {
    /// State that all components share.
    pub cx: Context,
    pub(in crate::tui) screens: Box<Screens>,
    dialogs: Dialogs,
    resolve_queue: Option<ResolveQueue>,
    tour: Option<Tour>,
    /// The latest keys pressed in presentation mode.
    pressed: VecDeque<Key>,
    /// Whether an import, or else a check, is under way, and since when.
    working: Option<(bool, Timestamp)>,
    /// Lines of the palette that run in the background.
    lines: Vec<RunningLine>,
    /// The plant of a form that opens once the rest of it was read.
    given: Option<AddArguments>,
    recent: RecentInput,
    waiting: Waiting,
    /// Messages that wait for the picture of the response in the first of them.
    arriving: Vec<Msg>,
}

impl App {
    pub fn new(info: StoreInfo, keys: Keymap, token: Option<Token>) -> Self {
        Self {
            cx: Context::new(info, keys, token),
            screens: Box::default(),
            dialogs: Dialogs::default(),
            resolve_queue: None,
            tour: None,
            pressed: VecDeque::new(),
            working: None,
            lines: Vec::new(),
            given: None,
            recent: RecentInput::default(),
            waiting: Waiting::default(),
            arriving: Vec::new(),
        }
    }

    /// Loads the data of the first screen, prompts for a missing token, and adds the demo's first sample.
    pub fn begin(&mut self, samples: Vec<Plant>) -> Vec<Effect> {
        self.refresh();
        if self.begins_without_token() {
            self.prompt_for_token();
        }
        self.cx.session.samples = samples.into();
        self.cx.session.add_next_sample(&mut self.cx.out);
        self.finish()
    }

    /// Whether it starts with the prompt for a token.
    pub fn begins_without_token(&self) -> bool {
        self.cx.session.token.is_none() && !self.cx.session.info.read_only
    }

    /// Handles a message that waits for nothing. Returns the effects for the runtime, in order.
    fn handle(&mut self, message: Msg) -> Vec<Effect> {
        // A person has asked for what these bring.
        self.dialogs.by_itself = !matches!(message, Msg::Input(..) | Msg::Inspected(..) | Msg::Compared(_));
        for dialog in self.dialogs.iter_mut() {
            dialog.layer_mut().receive(&message, &mut self.cx);
        }
        for tab in Tab::ALL {
            self.screens.get_mut(tab).receive(&message, &mut self.cx);
        }
        self.receive(message);
        let mut effects = self.finish();
        self.dialogs.by_itself = false;
        effects.extend(self.release());
        effects
    }

    /// Applies all UI effects, updates state that depends on others, and returns the effects for the runtime.
    fn finish(&mut self) -> Vec<Effect> {
        self.renew_quit();
        self.withdraw(|confirm| confirm.is_over);
        self.apply_ui_effects();
        if matches!(self.dialogs.front(), Some(Dialog::Stores(picker)) if picker.is_left(&self.cx.session)) {
            self.dialogs.close();
        }
        let is_over = |queue: &mut ResolveQueue| queue.advance(&mut self.cx.out);
        if self.dialogs.is_empty() && self.resolve_queue.as_mut().is_some_and(is_over) {
            self.stop_resolving();
        }
        self.watch_work();
        self.cx.session.load_history(&mut self.cx.out);
        self.screens.get_mut(self.cx.display.tab).after_message(&mut self.cx);
        self.apply_ui_effects();
        if let Some(Dialog::Palette(_)) = self.dialogs.front() {
            let offers = self.offers();
            if let Some(Dialog::Palette(palette)) = self.dialogs.front_mut() {
                palette.offers = offers;
            }
        }
        for dialog in self.dialogs.iter_mut() {
            dialog.layer_mut().after_message(&mut self.cx);
        }
        if let Some(Dialog::Confirm(confirm)) = self.dialogs.front_mut() {
            let queue = self.resolve_queue.as_ref().filter(|queue| queue.asks(&confirm.question));
            confirm.of_queue = queue.map(ResolveQueue::position);
            if queue.is_some_and(|queue| queue.rest().len() > 1) {
                confirm.question.offer_all_together();
            }
        }
        // A copy, since the tour's conditions read the plant that it has added.
        if let Some(mut tour) = self.tour.clone() {
            let steps = tour.watch(&self.observed());
            self.tour = Some(tour);
            self.take_steps(steps);
        }
        let is_sorting = self.cx.screen.keys_for == KeysFor::Column;
        let has_range = self.cx.session.plants.range.as_ref().is_some_and(|range| range.lasts);
        let is_off = |mode: Mode| if mode == Mode::Sorting { !is_sorting } else { !has_range };
        self.cx.out.status.message.take_if(|message| message.mode.is_some_and(is_off));
        self.cx.display.subject = self.subject();
        (self.cx.display.has_dialog, self.cx.display.on_tour) = (!self.dialogs.is_empty(), self.tour.is_some());
        std::mem::take(&mut self.cx.out.effects)
    }

    fn apply_ui_effects(&mut self) {
        while let Some(effect) = self.cx.out.ui_effects.pop_front() {
            self.apply(effect);
            self.cx.display.has_dialog = !self.dialogs.is_empty();
        }
    }

    fn apply(&mut self, effect: UiEffect) {
        match effect {
            UiEffect::Close => self.dialogs.close(),
            UiEffect::Open(open) => {
                if let Some(dialog) = self.dialog(open) {
                    // What becomes of a plant of the resolve queue is decided before the next plant; what a person asks
                    // for is not kept behind a text.
                    let covers = |asked: &Question| {
                        if asked.by_itself {
                            asked.about.is_some() && self.asking().is_some()
                        } else {
                            self.is_text_in_front()
                        }
                    };
                    match &dialog {
                        Dialog::Confirm(confirm) if covers(&confirm.question) => self.dialogs.cover(dialog),
                        _ => self.dialogs.enqueue(dialog),
                    }
                }
            }
            UiEffect::OpenOver(open) => {
                if let Some(dialog) = self.dialog(open) {
                    self.dialogs.cover(dialog);
                }
            }
            UiEffect::Replace(open) => {
                let dialog = self.dialog(open);
                self.dialogs.replace_front(dialog);
            }
            UiEffect::Reopen(draft) => self.reopen(*draft),
            UiEffect::HistoryOf(plant) => {
                let from = self.cx.display.tab;
                self.enter(Tab::History);
                self.screens.history.show_plant(plant, from, &mut self.cx);
            }
            UiEffect::Do(act) => self.act(act),
            UiEffect::Command(scope, command) => {
                // What the app does itself does not move the person.
                if let Some(tab) = self.tab_of(scope).filter(|_| self.action(command).is_none()) {
                    self.go_to(tab);
                }
                match scope {
                    Scope::Everywhere => self.perform(command),
                    _ => self.perform_in_tab(command),
                }
            }
            UiEffect::Line(line) => self.carry_out(&line),
            UiEffect::Submitted { plant, by_a_person } => {
                self.withdraw(|confirm| confirm.question.about == Some(plant));
                self.screens.greenhouse.attend_to(plant, by_a_person, &mut self.cx);
                if by_a_person {
                    self.screens.history.follow_newest(&mut self.cx);
                }
            }
            UiEffect::ShowRun { run, compares } => self.screens.check.show_run(*run, compares),
            UiEffect::OpenNext { number, back } => self.screens.history.open_next(number, back, &mut self.cx),
            UiEffect::FollowNewest => self.screens.history.follow_newest(&mut self.cx),
            UiEffect::Begin(then) => self.begin_with_token(then),
            UiEffect::DropWaiting => self.drop_waiting(),
            UiEffect::StopResolving => self.stop_resolving(),
            UiEffect::Refresh => self.refresh(),
            UiEffect::Together => self.screens.greenhouse.attend_to_many(),
            UiEffect::LookAway => self.screens.greenhouse.look_away(),
        }
    }

    /// Handles a message for the session and the app, after the components have handled it.
    fn receive(&mut self, message: Msg) {
        if message.is_failed_read() {
            self.drop_waiting();
        }
        let Context { session, out, .. } = &mut self.cx;
        match message {
            Msg::Now(now) => out.now = now,
            Msg::Input(input, timing) => self.input(input, timing),
            Msg::Drawn(layout, at) => self.drawn(layout, at),
            Msg::Tick => self.cx.display.turn = self.cx.display.turn.wrapping_add(1),
            Msg::Terminate => out.effect(Effect::Quit),
            Msg::Connected(result) => self.connected(result),
            Msg::Report(report) => self.reported(*report),
            Msg::WorkerDied(why) => {
                session.worker_alive = false;
                let lost: Vec<_> = session.pending.drain(..).map(|pending| pending.operation).collect();
                self.screens.check.worker_died(&lost, &mut self.cx);
                self.cx.session.worker_died(&why, lost, &mut self.cx.out);
            }
            Msg::Window(request, Ok(window)) => self.window_came(&request, window),
            Msg::Window(_, Err(why)) | Msg::History(_, Err(why)) | Msg::Latencies(_, Err(why)) => {
                session.plants.failed();
                out.cannot_read(&why);
            }
            Msg::ListDue => out.effects(session.plants.retry().map(Effect::Load)),
            Msg::Fitting(filter, result) => session.fitting_came(&filter, result, out),
            Msg::Importing(progress) => session.update_import(*progress, out),
            Msg::ImportBraked(left, cause) => session.import_braked(left, cause, out),
            Msg::Imported(summary) => {
                session.finish_import(*summary, out);
                self.withdraw(|confirm| confirm.question.is_of_import());
            }
            Msg::BatchDue => session.batch_due(out),
            Msg::TokenRenewed(Ok(token)) => session.token_renewed(token, out),
            Msg::JournalChanged => self.refresh(),
            Msg::Team(status) => self.team_changed(status),
            Msg::PlantHistory(id, result) => self.history_came(id, result),
            Msg::Unknown(found) => self.unknown_came(found),
            Msg::GivenUp(result) => {
                if let Err(why) = result {
                    out.not_recorded(&why);
                }
                session.refresh_plants(out);
            }
            Msg::Resolved(plants, resolution, result) => session.were_resolved(&plants, resolution, result, out),
            Msg::Listed(plants, found) => self.listed_came(&plants, found),
            Msg::Stores(recent) => {
                if let Some(recent) = out.read(recent) {
                    session.stores.recent = recent;
                }
            }
            Msg::Unlisted(_, Err(why)) => out.cannot_read(&why),
            Msg::Written(path, Ok(written)) => out.say(written.summary(&path)),
            // The dialog, if it is open, says why.
            Msg::Written(path, Err(fault)) if !self.dialogs.has(|dialog| matches!(dialog, Dialog::File(_))) => {
                out.say(not_written(&path, &fault));
            }
            Msg::ProfileSaved(profile, file, Ok(())) => session.profile_saved(*profile, &file, out),
            // The dialog, if it is open, says why.
            Msg::ProfileSaved(profile, _, Err(fault))
                if !self.dialogs.has(|dialog| matches!(dialog, Dialog::Profile(_))) =>
            {
                out.say(not_saved(&profile, &fault));
            }
            Msg::NotSuspended => out.say_not_suspended(),
            Msg::Copied(clip, end) => self.was_copied(*clip, &end),
            Msg::PreferenceSaved(preference, file, written) => self.preference_saved(preference, &file, written),
            Msg::CommandEnded(name, ended) => self.command_ended(&name, ended),
            Msg::LineEnded(name, ended) => self.line_ended(&name, ended),
            Msg::Inspected(number, found) => self.inspected_for_form(number, found),
            Msg::Validated(_, Ok(_)) if !self.dialogs.has(|dialog| matches!(dialog, Dialog::Import(_))) => {
                self.cx.out.effect(Effect::DropImport);
            }
            // The components have handled these.
            Msg::History(..)
            | Msg::Latencies(..)
            | Msg::Compared(_)
            | Msg::Paths(..)
            | Msg::TagCompleted(..)
            | Msg::TokenRenewed(Err(_))
            | Msg::Validating { .. }
            | Msg::Validated(..)
            | Msg::Unlisted(..)
            | Msg::EarlierRuns(..)
            | Msg::Written(..)
            | Msg::ProfileSaved(..)
            | Msg::Paused(_)
            | Msg::RunKept(_)
            | Msg::Runs(_)
            | Msg::Related(..) => {}
        }
    }

    fn history_came(&mut self, id: PlantId, result: Result<Box<PlantHistory>, Cause>) {
        match result {
            Ok(history) => {
                self.withdraw_resolved(id, &history);
                let has_dialog = !self.dialogs.is_empty();
                let Context { session, out, .. } = &mut self.cx;
                if let Some(queue) = &mut self.resolve_queue {
                    queue.history_came(id, &history, has_dialog, session, out);
                }
                session.history_came(id, history);
            }
            Err(why) => {
                self.cx.session.history_failed(id, &why, &mut self.cx.out);
                if let Some(queue) = &mut self.resolve_queue {
                    queue.history_failed(id);
                }
            }
        }
    }

    /// Shows the team's status, reads the list again if others have changed it, and says a new problem.
    fn team_changed(&mut self, status: Box<team::Status>) {
        let before = self.cx.session.team.take().unwrap_or_default();
        let (known, now) = (before.notices.sentences(), status.notices.sentences());
        let said = before.fault().filter(|fault| status.fault() != Some(fault)).map(|fault| format!("Team: {fault}"));
        self.cx.out.status.message.take_if(|message| said.as_ref() == Some(&message.text));
        let fault = status.fault().filter(|fault| before.fault() != Some(fault));
        if let Some(problem) = fault.or_else(|| now.iter().find(|notice| !known.contains(notice))) {
            self.cx.out.say(format!("Team: {problem}"));
        }
        if status.read != before.read {
            self.refresh();
        }
        self.cx.session.team = Some(status);
    }

    fn reported(&mut self, report: Report) {
        match report {
            Report::Recorded(_) | Report::RecordedLate(_) => self.refresh(),
            Report::Waiting(text) => self.cx.out.notice(text),
            Report::Ended(ended) if ended.exchange.operation.probe.is_some() => {
                self.refresh();
                self.screens.check.handle_probe_end(*ended, &mut self.cx);
            }
            Report::Ended(ended) => {
                let is_aside = self.screens.greenhouse.is_aside(&ended, &self.cx);
                let Context { session, out, display, .. } = &mut self.cx;
                let id = ended.exchange.operation.kind.plant_id();
                let called = ended.row.as_ref().or(session.plants.row(id)).and_then(|row| row.details.clone());
                let needs_token = session.needs_another_token(&ended);
                session.handle_end(&ended, display, is_aside, out);
                let is_add = ended.exchange.operation.kind.plant().is_some();
                let stays_unknown =
                    ended.exchange.outcome() == Outcome::Rejected && ended.unknown.is_some() && !needs_token;
                if let Some(queue) = self.resolve_queue.as_mut().filter(|_| is_add && stays_unknown) {
                    queue.ask_again(id);
                }
                self.say_if_hidden(&ended.exchange, called, is_aside);
                self.refresh();
                self.cx.session.add_next_sample(&mut self.cx.out);
            }
        }
    }

    /// Says that the filter of the active list hides what an operation has led to.
    fn say_if_hidden(&mut self, exchange: &Exchange, called: Option<Details>, is_aside: bool) {
        // Several operations together have one message about all of them.
        let has_message = self.cx.out.status.message.as_ref().is_some_and(|message| message.outcome.is_some());
        let is_hidden = match (self.cx.display.tab, exchange.operation.kind.plant(), exchange.outcome()) {
            (Tab::Plants, Some(plant), outcome @ (Outcome::Accepted | Outcome::Unknown)) => {
                let state = if outcome == Outcome::Accepted { State::Stored } else { State::Unknown };
                let details = Some(Details::from(plant));
                let row = Row { id: plant.id, details, state, changed_at: self.cx.now(), author: None };
                hides_row(&self.cx.session.plants.filter.filter, &row, Some(exchange))
            }
            (Tab::History, _, _) => hides_request(&self.screens.history.filter(), exchange, called),
            _ => false,
        };
        if has_message && is_hidden && !is_aside {
            let back = self.cx.key(Command::Back);
            let text = format!("The filter hides it: {back} shows all.");
            self.cx.out.say_also_in_both(&text, Id::FilterHides.with("key", back));
        }
    }

    fn window_came(&mut self, request: &WindowRequest, window: Window) {
        if request.arrangement == self.cx.session.plants.arrangement() {
            let in_question = self.asking().and_then(ResolveQueue::current);
            self.cx.session.window_came(window, in_question, &mut self.cx.out);
        }
    }

    fn unknown_came(&mut self, found: Result<Vec<Row>, Cause>) {
        let Context { session, out, .. } = &mut self.cx;
        match (out.read(found), &mut self.resolve_queue) {
            (Some(unknown), Some(queue)) => {
                if queue.unknown_came(&unknown, session.plants.selected) {
                    self.resolve_queue = None;
                    out.say_here("Nothing is unknown.");
                    out.simply(Id::NothingUnknown);
                    session.refresh_plants(out);
                    self.drop_waiting();
                }
            }
            (Some(unknown), None) => say_what_is_left(&unknown, session, out),
            (None, _) => self.resolve_queue = None,
        }
    }

    /// Returns the resolve queue if its question is in front.
    fn asking(&self) -> Option<&ResolveQueue> {
        self.resolve_queue.as_ref().filter(|queue| self.question().is_some_and(|asked| queue.asks(asked)))
    }

    /// Ends the resolve queue, and requests the plants that are still unknown, to name them. What was typed before its next
    /// question is for nothing else.
    fn stop_resolving(&mut self) {
        if self.resolve_queue.take().is_some() {
            self.drop_waiting();
            self.cx.out.effect(Effect::FindUnknown);
        }
    }

    // Tabs and dialogs

    /// Goes to a tab, and loads its data again.
    fn go_to(&mut self, tab: Tab) {
        if self.cx.display.tab != tab {
            self.enter(tab);
            self.refresh();
        }
    }

    /// Goes to a tab without loading its data.
    fn enter(&mut self, tab: Tab) {
        self.cx.screen.reset();
        self.screens.history.came_from = None;
        self.cx.session.plants.range = None;
        if tab == Tab::Greenhouse {
            self.screens.greenhouse.enter(&mut self.cx);
        }
        self.cx.display.tab = tab;
        self.cx.out.status.leave();
    }

    /// Loads the data of the active screen again. The list of plants is loaded in every tab, for the header's counts.
    fn refresh(&mut self) {
        self.cx.session.refresh_plants(&mut self.cx.out);
        self.screens.get_mut(self.cx.display.tab).refresh(&mut self.cx);
    }

    /// Returns the dialog in front, else the active screen.
    fn front(&self) -> &dyn Layer {
        match self.dialogs.front() {
            Some(dialog) => dialog.layer(),
            None => self.screens.get(self.cx.display.tab),
        }
    }

    /// Returns the same together with the context that its methods take.
    fn front_mut(&mut self) -> (&mut dyn Layer, &mut Context) {
        let Self { cx, dialogs, screens, .. } = self;
        match dialogs.front_mut() {
            Some(dialog) => (dialog.layer_mut(), cx),
            None => (screens.get_mut(cx.display.tab), cx),
        }
    }

    // For the runtime

    /// Draws one frame. Returns the hit map, which maps areas of the frame to mouse targets.
    pub fn view(&self, theme: &Theme, frame: &mut Frame) -> HitMap {
        let observed = self.tour.as_ref().map(|_| self.observed());
        let reading = match self.dialogs.front() {
            Some(Dialog::Reader(reader)) => Some(&reader.reading),
            _ => None,
        };
        let shell = Shell {
            cx: &self.cx,
            screen: self.screens.get(self.cx.display.tab),
            dialog: self.dialogs.front().map(Dialog::layer),
            reading,
            waiting: self.dialogs.waiting.len(),
            footer: if self.tour.is_some() { Vec::new() } else { self.footer() },
            pressed: &self.pressed,
            tour: self.tour.as_ref().zip(observed.as_ref()),
        };
        shell::draw(&shell, theme, frame)
    }

    /// Whether the app needs `Msg::Drawn` for the next frame even if the layout does not change.
    pub fn awaits_frame(&mut self) -> bool {
        self.dialogs.front().is_some_and(|dialog| dialog.layer().awaits_frame())
            || self.dialogs.armings().any(|arming| !arming.is_drawn())
    }

    /// Takes note that the terminal may have lost the last frame.
    pub fn frame_lost(&mut self) {
        self.dialogs.armings().for_each(Arming::begin_again);
    }

    /// Whether the screen is animated now, so that the app needs `Msg::Tick`.
    pub fn is_moving(&self) -> bool {
        let Context { session, display, .. } = &self.cx;
        let of_greenhouse = || display.tab == Tab::Greenhouse && self.screens.greenhouse.is_moving(&self.cx);
        display.motion == Motion::Animated
            && (!session.pending.is_empty() || session.check.is_under_way() || of_greenhouse())
    }

    /// Sets the time before the first message.
    pub fn set_time(&mut self, now: Timestamp) {
        self.cx.out.now = now;
    }

    /// Whether no operation, check or import is under way.
    pub fn is_idle(&self) -> bool {
        self.cx.session.stays_here().is_none()
    }

    /// Handles what waits for the picture, and ends a check at once, before the program ends.
    pub fn abandon_check(&mut self, why: &'static str) -> Vec<Effect> {
        let mut effects = self.handle_arrived(true);
        self.screens.check.abandon(why, &mut self.cx);
        effects.extend(self.finish());
        effects
    }
}
