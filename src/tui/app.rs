//! The app: every screen and dialog, and the way of a message through them. The only file that knows them all.
//!
//! ```text
//! terminal, worker, journal ──Msg──▶ update ──▶ front dialog, else active screen ──▶ Outcome, Effect
//!            ▲                                                                          │       │
//!            └────────────── runtime ◀──────────────────────────────────────────────────┼───────┘
//!                                                    app applies outcomes ◀─────────────┘
//! ```
//!
//! A key goes through the key table to a command, and the command to the front dialog, else to the active
//! screen; what neither knows is the app's own. `update` is pure: no IO, no clock, nothing drawn.

mod commands;
mod dialog;
mod screens;
#[cfg(test)]
mod testing;

use std::collections::VecDeque;

use ratatui::Frame;

use dialog::Dialog;
use screens::Screens;

use super::context::{Context, Display};
use super::dialogs::add::AddForm;
use super::dialogs::base_url::UrlForm;
use super::dialogs::confirm::Confirm;
use super::dialogs::delete_by_id::DeleteById;
use super::dialogs::export::{ExportPrompt, not_written};
use super::dialogs::import::ImportDialog;
use super::dialogs::palette::Palette;
use super::dialogs::profile::{ProfileForm, not_saved};
use super::dialogs::re_add::ReAdd;
use super::dialogs::reader::Reader;
use super::dialogs::report::ReportPrompt;
use super::dialogs::runs::Runs;
use super::dialogs::stores::StorePicker;
use super::dialogs::token::TokenPrompt;
use super::effect::Effect;
use super::input::{Key, Keymap, Scope};
use super::message::{Cause, Msg, StoreInfo};
use super::outbox::Outbox;
use super::outcome::{Open, Outcome, Reading, Tab, Then};
use super::resolve_queue::{ResolveQueue, say_what_is_left};
use super::session::Session;
use super::shell::{self, Shell};
use super::status::Notice;
use super::tour::Tour;
use super::widgets::canvas::HitMap;
use super::widgets::theme::Theme;
use crate::domain::text::shown_path;
use crate::domain::{OperationKind, Plant, PlantId, Resolution, Row, Timestamp, sentence};
use crate::journal::{JournalError, PlantHistory, Window, WindowRequest};
use crate::worker::Report;

/// Everything the terminal interface knows.
pub struct App {
    /// What its components share.
    pub cx: Context,
    screens: Box<Screens>,
    /// The first is in front; the others wait until it is closed.
    dialogs: VecDeque<Dialog>,
    resolve: Option<ResolveQueue>,
    tour: Option<Tour>,
    /// Keys that were pressed last before an audience.
    pressed: VecDeque<Key>,
    /// Whether Ctrl-C was pressed last, with something to cancel.
    interrupted: bool,
}

impl App {
    /// The app before anything happened.
    pub fn new(info: StoreInfo, keys: Keymap, token_set: bool) -> Self {
        Self {
            cx: Context { session: Session::new(info, token_set), out: Outbox::new(keys), display: Display::default() },
            screens: Box::default(),
            dialogs: VecDeque::new(),
            resolve: None,
            tour: None,
            pressed: VecDeque::new(),
            interrupted: false,
        }
    }

    /// Reads what the screen shows, asks for a token if there is none, adds the demo's first sample.
    pub fn begin(&mut self, samples: Vec<Plant>) -> Vec<Effect> {
        self.refresh();
        if self.begins_without_token() {
            self.ask_for_token();
        }
        self.cx.session.samples = samples.into();
        self.cx.session.add_next_sample(&mut self.cx.out);
        self.finish()
    }

    /// Whether it begins by asking for a token.
    pub fn begins_without_token(&self) -> bool {
        !self.cx.session.token_set && !self.cx.session.info.read_only
    }

    /// Takes a message in. Returns what is to be done about it, in order.
    pub fn update(&mut self, message: Msg) -> Vec<Effect> {
        match message {
            Msg::Now(now) => self.cx.out.now = now,
            Msg::Key(key) => self.press(key),
            Msg::Paste(text) => self.paste(&text),
            Msg::Clicked(target) => self.touch(|app| app.click(target)),
            Msg::Wheeled { over, down } => self.touch(|app| app.wheel(over, down)),
            // The next frame says what fits now.
            Msg::Resized { .. } => {}
            Msg::Drawn(layout) => self.drawn(layout),
            Msg::Tick => self.cx.display.turn = self.cx.display.turn.wrapping_add(1),
            Msg::Terminate => self.cx.out.effect(Effect::Quit),
            Msg::Connected(result) => self.connected(result),
            message => {
                for dialog in &mut self.dialogs {
                    dialog.layer_mut().receive(&message, &mut self.cx);
                }
                for tab in Tab::ALL {
                    self.screens.get_mut(tab).receive(&message, &mut self.cx);
                }
                self.receive(message);
            }
        }
        self.finish()
    }

    /// Applies all outcomes, lets what is in front ask for what it lacks, and hands the effects out.
    fn finish(&mut self) -> Vec<Effect> {
        self.apply_outcomes();
        if self.dialogs.is_empty()
            && let Some(queue) = &mut self.resolve
            && queue.advance(&mut self.cx.out)
        {
            self.stop_resolving();
        }
        self.cx.session.ask_for_history(&mut self.cx.out);
        self.screens.get_mut(self.cx.display.tab).load_missing(&mut self.cx);
        self.apply_outcomes();
        if let Some(Dialog::Palette(_)) = self.dialogs.front() {
            let offers = self.offers();
            if let Some(Dialog::Palette(palette)) = self.dialogs.front_mut() {
                palette.offers = offers;
            }
        }
        let place = self.resolve.as_ref().and_then(ResolveQueue::place);
        if let Some(Dialog::Confirm(confirm)) = self.dialogs.front_mut() {
            let is_asked = self.resolve.as_ref().is_some_and(|queue| queue.asks(&confirm.question));
            (confirm.of_queue, confirm.place) = (is_asked, place.filter(|_| is_asked));
        }
        if let Some(mut tour) = self.tour.take() {
            tour.watch(&self.observed());
            self.tour = Some(tour);
        }
        (self.cx.display.is_plain, self.cx.display.on_tour) = (self.dialogs.is_empty(), self.tour.is_some());
        std::mem::take(&mut self.cx.out.effects)
    }

    fn apply_outcomes(&mut self) {
        while let Some(outcome) = self.cx.out.outcomes.pop_front() {
            self.apply(outcome);
            self.cx.display.is_plain = self.dialogs.is_empty();
        }
    }

    fn apply(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Close => drop(self.close()),
            Outcome::Open(open) => {
                let dialog = self.dialog(open);
                self.dialogs.extend(dialog);
            }
            Outcome::OpenOver(open) => {
                let dialog = self.dialog(open);
                if let Some(dialog) = dialog {
                    self.dialogs.push_front(dialog);
                }
            }
            Outcome::Replace(open) => {
                self.dialogs.pop_front();
                let dialog = self.dialog(open);
                if let Some(dialog) = dialog {
                    self.dialogs.push_front(dialog);
                }
            }
            Outcome::ComeBack(draft) => self.come_back(*draft),
            Outcome::GoTo(tab) => self.go_to(tab),
            Outcome::HistoryOf(plant) => {
                self.enter(Tab::History);
                self.screens.history.show_plant(plant, &mut self.cx);
            }
            Outcome::Do(act) => self.act(act),
            Outcome::Command(scope, command) => {
                if let Some(tab) = self.tab_of(scope) {
                    self.go_to(tab);
                }
                match scope {
                    Scope::Everywhere => self.perform(command),
                    _ => self.perform_in_tab(command),
                }
            }
            Outcome::Submitted { plant, by_a_person } => {
                self.withdraw(|confirm| confirm.question.about == Some(plant));
                if by_a_person {
                    self.screens.greenhouse.attend_to(plant);
                }
            }
            Outcome::ShowRun { run, compares } => self.screens.check.show_run(*run, compares),
            Outcome::Begin(then) => self.begin_with_token(then),
            Outcome::StopResolving => {
                if self.resolve.is_some() {
                    self.stop_resolving();
                }
            }
            Outcome::Refresh => self.refresh(),
            Outcome::LookAway => self.screens.greenhouse.look_away(),
        }
    }

    /// What a message means to the session and to the app, after the components have seen it.
    fn receive(&mut self, message: Msg) {
        let Context { session, out, .. } = &mut self.cx;
        match message {
            Msg::Report(report) => self.reported(*report),
            Msg::WorkerDied(why) => {
                let lost = session.lose_pending();
                self.screens.check.worker_died(&lost, &mut self.cx);
                self.cx.session.worker_died(&why, lost, &mut self.cx.out);
            }
            Msg::Window(request, result) => self.window_came(&request, result),
            Msg::ViewDue => out.effects(session.plants.is_due().map(Effect::Load)),
            Msg::Log(_, Err(why)) | Msg::Latencies(_, Err(why)) => self.history_not_read(&why),
            Msg::Fitting(filter, result) => session.fitting_came(&filter, result, out),
            Msg::ToDelete(plants, result) => {
                let opens = session.takes_to_delete() && self.dialogs.is_empty();
                match result {
                    Ok(rows) if opens => {
                        if let Some((question, _)) = session.question_to_delete(&plants, &rows, out) {
                            out.ask(question);
                        }
                    }
                    Ok(_) => {}
                    Err(why) => out.cannot_read(&why),
                }
            }
            Msg::ToResolve(plants, result) => {
                let opens = session.takes_to_resolve() && self.dialogs.is_empty();
                match result {
                    Ok(found) if opens => {
                        if let Some(question) = session.question_to_resolve(&plants, &found, out) {
                            out.ask(question);
                        }
                    }
                    Ok(_) => {}
                    Err(why) => out.cannot_read(&why),
                }
            }
            Msg::Importing(progress) => session.import_goes_on(progress, out),
            Msg::Imported(summary) => session.import_is_over(*summary, out),
            Msg::TokenRenewed => session.token_renewed(out),
            Msg::JournalChanged => self.refresh(),
            Msg::PlantHistory(id, Ok(history)) => {
                self.withdraw_what_was_resolved(id, &history);
                let is_plain = self.dialogs.is_empty();
                let Context { session, out, .. } = &mut self.cx;
                if let Some(queue) = &mut self.resolve {
                    queue.history_came(id, &history, is_plain, session, out);
                }
                session.history_came(id, *history);
            }
            Msg::PlantHistory(id, Err(why)) => {
                session.history_failed(id, &why, out);
                if let Some(queue) = &mut self.resolve {
                    queue.history_failed(id);
                }
            }
            Msg::Unknown(found) => self.unknown_came(found),
            Msg::GivenUp(result) => {
                if let Err(why) = result {
                    out.status.notices.push_back(Notice::new(format!("The journal could not keep this: {why}")));
                }
                session.refresh_plants(out);
            }
            Msg::Resolved(id, resolution, result) => self.was_resolved(id, resolution, result),
            Msg::ResolvedAll(plants, resolution, result) => {
                session.were_resolved(&plants, resolution, result, out);
            }
            Msg::Stores(Ok(recent)) => session.stores.recent = recent,
            Msg::Reported(path, written) => {
                let path = shown_path(&path);
                let words = |count| format!("Wrote {count} exchanges to {path}. Every credential in it is masked.");
                self.report_was_written(&path, written.map(words));
            }
            Msg::CheckWritten(path, written) => {
                let path = shown_path(&path);
                self.report_was_written(&path, written.map(|()| format!("Wrote this run of the check to {path}.")));
            }
            Msg::Stores(Err(why)) | Msg::Unlisted(_, Err(why)) => out.cannot_read(&why),
            Msg::Exported(path, Ok(exported)) => out.say(exported.summary(&path)),
            Msg::Exported(path, Err(fault))
                if !self.dialogs.iter().any(|dialog| matches!(dialog, Dialog::Export(_))) =>
            {
                self.cx.out.say(not_written(&path, &fault));
            }
            Msg::ProfileSaved(profile, file, Ok(())) => session.has_new_profile(*profile, &file, out),
            Msg::ProfileSaved(profile, _, Err(fault))
                if !self.dialogs.iter().any(|dialog| matches!(dialog, Dialog::Profile(_))) =>
            {
                self.cx.out.say(not_saved(&profile, &fault));
            }
            Msg::Validated(_, Ok(_)) if !self.dialogs.iter().any(|dialog| matches!(dialog, Dialog::Import(_))) => {
                self.cx.out.effect(Effect::DropImport);
            }
            // The components have taken these.
            _ => {}
        }
    }

    /// Says that a report was written, or why not: beside its file's name, if that is still open.
    fn report_was_written(&mut self, path: &str, written: Result<String, Cause>) {
        match (written, self.dialogs.front_mut()) {
            (Ok(words), front) => {
                if matches!(front, Some(Dialog::Report(_))) {
                    self.close();
                }
                self.cx.out.say(words);
            }
            (Err(why), Some(Dialog::Report(prompt))) => prompt.was_not_written(why.to_string()),
            (Err(why), _) => self.cx.out.say(format!("{path} was not written: {why}.")),
        }
    }

    fn history_not_read(&mut self, why: &JournalError) {
        if *why != JournalError::Superseded {
            self.cx.session.plants.failed();
            self.cx.out.cannot_read(why);
        }
    }

    fn reported(&mut self, report: Report) {
        match report {
            // The list has it from now on.
            Report::Recorded(_) => self.refresh(),
            Report::Waiting(words) => self.cx.out.status.notices.push_back(Notice::new(words)),
            Report::Ended(ended) if ended.exchange.operation.probe.is_some() => {
                self.refresh();
                self.screens.check.probe_ended(*ended, &mut self.cx);
            }
            Report::Ended(ended) => {
                let is_aside = self.screens.greenhouse.is_aside(&ended, &self.cx);
                let Context { session, out, display } = &mut self.cx;
                session.ended(&ended, display.tab, is_aside, out);
                self.refresh();
                self.cx.session.add_next_sample(&mut self.cx.out);
            }
        }
    }

    fn window_came(&mut self, request: &WindowRequest, result: Result<Window, JournalError>) {
        let is_wanted = request.arrangement == self.cx.session.plants.arrangement();
        let at = self.resolve.as_ref().and_then(ResolveQueue::at).filter(|_| self.asks_of_queue());
        match result {
            Ok(window) if is_wanted => self.cx.session.window_came(window, at, &mut self.cx.out),
            Ok(_) | Err(JournalError::Superseded) => {}
            Err(why) => self.history_not_read(&why),
        }
    }

    /// Whether the question in front is one of the queue.
    fn asks_of_queue(&self) -> bool {
        let Some(Dialog::Confirm(confirm)) = self.dialogs.front() else { return false };
        self.resolve.as_ref().is_some_and(|queue| queue.asks(&confirm.question))
    }

    fn unknown_came(&mut self, found: Result<Vec<Row>, Cause>) {
        let Context { session, out, .. } = &mut self.cx;
        match (found, &mut self.resolve) {
            (Ok(unknown), Some(queue)) => {
                if queue.unknown_came(&unknown, session.plants.selected) {
                    self.resolve = None;
                    out.say("Nothing is unknown.");
                    session.refresh_plants(out);
                }
            }
            (Ok(unknown), None) => say_what_is_left(&unknown, out),
            (Err(why), _) => {
                self.resolve = None;
                out.cannot_read(&why);
            }
        }
    }

    fn stop_resolving(&mut self) {
        self.resolve = None;
        // What the journal finds unknown then is what is left.
        self.cx.out.effect(Effect::FindUnknown);
    }

    fn was_resolved(&mut self, plant: PlantId, resolution: Resolution, result: Result<(), JournalError>) {
        let by_check = self.cx.session.check.was_forgotten(plant, resolution);
        self.cx.session.was_resolved(plant, resolution, result, by_check, &mut self.cx.out);
    }

    /// Takes back the questions that are stale, open or waiting. Whether there was one.
    fn withdraw(&mut self, is_stale: impl Fn(&Confirm) -> bool) -> bool {
        let is_stale = |dialog: &Dialog| matches!(dialog, Dialog::Confirm(confirm) if is_stale(confirm));
        let was_in_front = self.dialogs.front().is_some_and(is_stale);
        if was_in_front {
            self.close();
        }
        let before = self.dialogs.len();
        self.dialogs.retain(|dialog| !is_stale(dialog));
        was_in_front || self.dialogs.len() < before
    }

    /// A question about an operation that is no longer the plant's unknown one has nothing left to resolve.
    fn withdraw_what_was_resolved(&mut self, id: PlantId, history: &PlantHistory) {
        let unknown = history.unknown.as_ref().map(|unknown| unknown.operation);
        let is_over = |confirm: &Confirm| {
            let question = &confirm.question;
            question.about == Some(id) && question.unknown.is_some() && question.unknown != unknown
        };
        if self.withdraw(is_over) {
            let name = history.row.as_ref().and_then(Row::name);
            self.cx
                .out
                .say(format!("{} was resolved or changed elsewhere in the meantime.", sentence::called(id, name)));
        }
    }

    // Tabs and dialogs

    /// Goes to a tab; what it shows may have changed since it was left.
    fn go_to(&mut self, tab: Tab) {
        if self.cx.display.tab != tab {
            self.enter(tab);
            self.refresh();
        }
    }

    /// Goes to a tab; what it shows is for the caller to read.
    fn enter(&mut self, tab: Tab) {
        self.screens.get_mut(self.cx.display.tab).leave(&mut self.cx);
        if tab == Tab::Greenhouse && self.cx.session.pending.is_empty() {
            self.screens.greenhouse.look_away();
        }
        self.cx.display.tab = tab;
    }

    /// Reads anew what the active screen shows. The list of plants is read in every tab: the header counts it.
    fn refresh(&mut self) {
        self.cx.session.refresh_plants(&mut self.cx.out);
        self.screens.get_mut(self.cx.display.tab).refresh(&mut self.cx);
    }

    /// Closes the dialog in front; the next one shows.
    fn close(&mut self) -> Option<Dialog> {
        let closed = self.dialogs.pop_front();
        if let Some(Dialog::Add(form)) = self.dialogs.front_mut() {
            form.comes_to_the_front();
        }
        closed
    }

    /// Makes a dialog; `None` if one that is open takes its place.
    fn dialog(&mut self, open: Open) -> Option<Dialog> {
        let cx = &mut self.cx;
        Some(match open {
            Open::Add(draft) => Dialog::Add(AddForm::open(*draft, cx)),
            Open::DeleteById => Dialog::DeleteById(DeleteById::default()),
            Open::Token { why, then } => {
                let open = self.dialogs.iter_mut().find_map(|dialog| match dialog {
                    Dialog::Token(prompt) => Some(prompt),
                    _ => None,
                });
                match open {
                    Some(prompt) if then == Then::Nothing => {
                        prompt.why = why;
                        return None;
                    }
                    _ => Dialog::Token(TokenPrompt::new(why, then)),
                }
            }
            Open::Confirm(question) => Dialog::Confirm(Confirm::new(*question)),
            Open::ReAdd => Dialog::ReAdd(ReAdd::open(cx)),
            Open::Runs { runs, compares, except } => Dialog::Runs(Runs::new(runs, compares, except)),
            Open::Palette => Dialog::Palette(Palette::default()),
            Open::Report(of) => Dialog::Report(ReportPrompt::open(of, cx)),
            Open::Import => Dialog::Import(ImportDialog::open(cx)),
            Open::Export => Dialog::Export(ExportPrompt::open(cx)),
            Open::Stores => Dialog::Stores(StorePicker::open(cx)),
            Open::BaseUrl { url, at_token } => Dialog::BaseUrl(UrlForm::open(url, at_token, cx)),
            Open::Profile => Dialog::Profile(ProfileForm::default()),
            Open::Pager(Reading::Import)
                if self
                    .dialogs
                    .iter()
                    .any(|dialog| matches!(dialog, Dialog::Reader(reader) if reader.is_of_import())) =>
            {
                return None;
            }
            Open::Pager(reading) => Dialog::Reader(Reader::open(reading)),
        })
    }

    // What the runtime asks

    /// Draws one frame. No state, no decision: the hit map says what was drawn where.
    pub fn view(&self, theme: &Theme, frame: &mut Frame) -> HitMap {
        let observed = self.tour.as_ref().map(|_| self.observed());
        let shell = Shell {
            cx: &self.cx,
            screen: self.screens.get(self.cx.display.tab),
            dialog: self.dialogs.front().map(Dialog::layer),
            is_reader: matches!(self.dialogs.front(), Some(Dialog::Reader(_))),
            waiting: self.dialogs.len().saturating_sub(1),
            footer: if self.tour.is_some() { Vec::new() } else { self.footer() },
            pressed: &self.pressed,
            tour: self.tour.as_ref().zip(observed.as_ref()),
        };
        shell::draw(&shell, theme, frame)
    }

    /// Whether the next frame is to be reported, even if it is as the one before.
    pub fn awaits_frame(&self) -> bool {
        match self.dialogs.front() {
            Some(Dialog::Reader(reader)) => reader.awaits_frame(),
            Some(Dialog::Add(form)) => form.awaits_frame(),
            _ => false,
        }
    }

    /// Whether something on screen moves by itself.
    pub fn is_moving(&self) -> bool {
        let Context { session, display, .. } = &self.cx;
        let of_greenhouse = || display.tab == Tab::Greenhouse && self.screens.greenhouse.is_moving(&self.cx);
        !display.still && (!session.pending.is_empty() || session.check.is_under_way() || of_greenhouse())
    }

    /// All that was requested and not sent: also what waits for a token, or came back as a form.
    pub fn not_sent(&self) -> Vec<OperationKind> {
        let session = &self.cx.session;
        let forms = self.dialogs.iter().filter_map(|dialog| match dialog {
            Dialog::Add(form) => form.kept(),
            _ => None,
        });
        let drafts =
            forms.chain(session.drafts.iter().cloned()).filter_map(|draft| draft.plant()).map(OperationKind::Add);
        session.unsent.iter().chain(&session.waiting_for_token).cloned().chain(drafts).collect()
    }

    /// Sets the time before anything happens.
    pub fn set_time(&mut self, now: Timestamp) {
        self.cx.out.now = now;
    }

    /// Whether no operation, check or import is under way.
    pub fn is_idle(&self) -> bool {
        self.cx.session.pending.is_empty() && self.cx.session.busy().is_none()
    }

    /// Ends a check at once, as the program ends.
    pub fn abandon_check(&mut self, why: &'static str) -> Vec<Effect> {
        self.screens.check.abandon(why, &mut self.cx);
        self.finish()
    }
}
