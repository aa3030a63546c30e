//! Carries out effects, in the background if they can take long, and returns their results as messages.
//!
//! Must not know the app, nor how anything is drawn.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::OptionFuture;
use tokio::process::Command;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use super::config_file::ConfigFile;
use super::event::Event;
use super::imports::Imports;
use super::log;
use super::new_file::Existing;
use super::queries::{reply, trim};
use super::reading::{Asker, Reading};
use super::store_switch::StoreSwitch;
use super::worker_handle::{Connect, EndedWorker, WorkerHandle};
use super::{clipboard, config_file, custom_command, export, paths, queries, report};
use crate::client::Token;
use crate::config::{Clipboard, ConnectionTarget, CustomCommand, Notify, OpenStore, ThemeChoice, expand};
use crate::domain::{Exchange, FailureKind, Timestamp};
use crate::import::{Order, Source};
use crate::journal::WindowRequest;
use crate::team::Link;
use crate::terminal::Signs;
use crate::tui::input::completion::{PathKind, PathQuery};
use crate::tui::message::{Arrival, StoreInfo};
use crate::tui::{Clip, CommandInput, CopyEnd, Effect, Msg};
use crate::verbs::shell_line;
use crate::worker;

/// Composes a run of this program with the words of a line: see [`crate::config::Started::command`].
pub type Own = Box<dyn Fn(&ConnectionTarget, Option<&OpenStore>, &[String]) -> io::Result<Command>>;

/// Everything that effects need.
pub struct Ports {
    /// The store that is open.
    pub handle: WorkerHandle,
    pub connect: Connect,
    /// Composes another run of this program.
    pub own: Own,
    /// The folder of the journal of deployed stores.
    pub data_dir: PathBuf,
    pub config_file: PathBuf,
    /// Replaces `~` at the beginning of a path.
    pub home: Option<PathBuf>,
    pub clock: fn() -> Timestamp,
    /// The custom commands, in the order of the config file.
    pub commands: Vec<CustomCommand>,
    /// Gives the terminal back, stops the program, and takes the terminal again; `false` if no shell could continue it.
    pub suspend: fn() -> io::Result<bool>,
    pub clipboard: Clipboard,
    /// Sends text to the terminal, for its clipboard.
    pub copy: fn(&str) -> io::Result<()>,
    /// Shows what changed outside the frames.
    pub show_signs: fn(&Signs) -> io::Result<()>,
    pub ring: fn(Notify, &str) -> io::Result<()>,
    /// Turns mouse reports of the terminal on or off.
    pub use_mouse: fn(bool) -> io::Result<()>,
    /// Asks the terminal for its background colour.
    pub query_background: fn() -> io::Result<()>,
    /// Gives the terminal to another program, until it is taken again.
    pub lend: fn(),
    /// Takes the terminal again after other programs may have used it.
    pub retake: fn() -> io::Result<()>,
}

/// What the event loop has to do after an effect.
pub(super) enum AfterEffect {
    Nothing,
    /// Other programs have used the terminal.
    RedrawAll,
    /// Another store is open: the drawn mouse targets are those of the previous one.
    ForgetTargets,
    UseTheme(ThemeChoice),
    Quit,
}

pub(super) struct Effects {
    pub(super) ports: Ports,
    /// Awaited when the program ends.
    writing: JoinSet<Msg>,
    /// Aborted when the program ends.
    reading: Reading,
    /// What another store does not wait for: the folder that is read for a path, which may never end on a disk that does
    /// not respond; the copy that was begun last; runs of this program, which end with it.
    aside: Reading,
    timers: JoinSet<Msg>,
    /// Each change stops the runs of this program, or ends those that are stopping.
    stop_own_runs: watch::Sender<()>,
    /// The custom command that has the terminal.
    running: JoinSet<Msg>,
    stop_running: CancellationToken,
    /// Messages of effects that are not finished.
    progress: (UnboundedSender<Msg>, UnboundedReceiver<Msg>),
    imports: Imports,
    pub(super) switch: StoreSwitch,
}

impl Effects {
    pub(super) fn new(ports: Ports) -> Self {
        Self {
            ports,
            writing: JoinSet::new(),
            reading: Reading::new(),
            aside: Reading::new(),
            timers: JoinSet::new(),
            stop_own_runs: watch::Sender::new(()),
            running: JoinSet::new(),
            stop_running: CancellationToken::new(),
            progress: unbounded_channel(),
            imports: Imports::default(),
            switch: StoreSwitch::default(),
        }
    }

    /// Carries out one effect, or starts it in the background.
    ///
    /// # Errors
    ///
    /// The terminal is gone.
    pub(super) fn carry_out(&mut self, effect: Effect, info: &StoreInfo) -> io::Result<AfterEffect> {
        let (journal, now) = (self.ports.handle.journal.clone(), (self.ports.clock)());
        let worker = &self.ports.handle.worker;
        match effect {
            // If the worker is dead, its task reports that, which ends the operation as well.
            Effect::Send(operation) => worker.send(operation),
            Effect::Cancel(id) => worker.cancel(id),
            Effect::CancelAll => worker.cancel_all(),
            Effect::UseToken(token) => {
                log::conceal(Some(&token), &[]);
                self.ports.handle.worker.use_token(token);
            }
            Effect::RenewToken(before) => self.renew_token(before),

            // Reads of the journal.
            Effect::Load(request) => self.load(request),
            Effect::LoadHistory(request) => self.reading.ask_for(Asker::Requests, queries::history(journal, request)),
            Effect::Latencies(search) => self.reading.ask_for(Asker::Chart, queries::latencies(journal, search)),
            Effect::Inspect(number) => self.reading.ask(queries::exchange(journal, number)),
            Effect::Compare(one, other, marks) => self.reading.ask(queries::comparison(journal, one, other, marks)),
            Effect::LoadPlantHistory(id) => self.reading.ask(queries::plant_history(journal, id)),
            Effect::FindFitting(filter, most) => self.reading.ask(queries::fitting(journal, filter, most)),
            Effect::FindListed(plants) => self.reading.ask(queries::listed(journal, plants)),
            Effect::FindUnknown => self.reading.ask(reply(async move { journal.unknown_rows().await }, Msg::Unknown)),
            Effect::FindUnlisted(filter) => self.reading.ask_for(Asker::ReAdd, queries::unlisted(journal, filter)),
            Effect::CompleteTag(start) => self.reading.ask(queries::tags(journal, start)),
            Effect::FindStores => self.reading.ask(queries::stores(self.ports.data_dir.clone())),
            Effect::FindEarlierRuns => self.reading.ask(queries::earlier_runs(journal)),
            Effect::FindRuns => self.reading.ask_for(Asker::Runs, queries::runs(journal)),
            Effect::FindRelated(operations) => self.reading.ask(queries::exchanges_of(journal, operations)),

            // Writes to the journal: each is in the writer's queue when the method returns.
            Effect::GiveUp(operation) => {
                let unknown = Exchange::failed(operation, FailureKind::TaskDied, String::new(), now);
                self.write(reply(journal.end(unknown, now), Msg::GivenUp));
            }
            Effect::Resolve(plants, resolution) => {
                let ids = plants.iter().map(|plant| plant.id).collect();
                let written = journal.resolve_all(plants, resolution, now);
                self.write(reply(written, move |written| Msg::Resolved(ids, resolution, written)));
            }
            Effect::KeepRun(run) => self.write(reply(journal.keep_run(*run), Msg::RunKept)),

            // Files.
            Effect::FindPaths(query) => self.find_paths(query),
            Effect::WriteReport(path, format, search) => {
                let (store, data_dir) = (info.store.clone(), self.ports.data_dir.clone());
                self.write(report::to_file(journal, store, search, (self.expanded(path), format), data_dir));
            }
            Effect::WriteCheck(path, format, run) => {
                let (path, data_dir) = (self.expanded(path), self.ports.data_dir.clone());
                self.write(async move { report::check_to_file(path, format, &run, &data_dir) });
            }
            Effect::Export { path, format, replace } => {
                let existing = if replace { Existing::Replaced } else { Existing::Kept };
                let (path, data_dir) = (self.expanded(path), self.ports.data_dir.clone());
                self.write(export::to_file(journal, path, format, existing, data_dir));
            }
            Effect::SaveProfile { new, without_token } => {
                self.write(config_file::save_profile(self.config_file(), *new, without_token, self.ports.home.clone()));
            }
            Effect::SavePreference(preference) => {
                self.write(config_file::save_preference(self.config_file(), preference));
            }
            Effect::Validate(path) => self.validate(Source::Path(self.expanded(path))),
            Effect::ValidateText(text) => self.validate(Source::Text(text)),
            Effect::DropImport => self.imports.drop_validated(),
            // Bad rows are not in the validated file.
            Effect::Import { renews_token } => {
                let (Ports { handle, clock, .. }, progress) = (&self.ports, self.progress.0.clone());
                let run = self.imports.run(renews_token, handle, info.origin, *clock, progress);
                self.write(run);
            }
            Effect::OrderImport(order) => self.imports.order(order),

            // Other stores.
            Effect::Connect(target) => self.switch.open(target, &self.ports.connect),
            Effect::StopConnecting => self.switch.stop(),
            Effect::Switch => {
                if let Some(handle) = self.switch.accept() {
                    let previous = std::mem::replace(&mut self.ports.handle, handle);
                    self.switch.close_handle(previous);
                    self.begin_trimming();
                    return Ok(AfterEffect::ForgetTargets);
                }
            }
            Effect::Weather(preset) => {
                self.ports.handle.demo.iter().for_each(|demo| demo.set_weather(preset.weather()));
            }

            // Timers.
            Effect::WaitForList(time) => self.after(time, Msg::ListDue),
            Effect::WaitForBatch(time) => self.after(time, Msg::BatchDue),
            Effect::Pause(number, time) => self.after(time, Msg::Paused(number)),

            // The terminal.
            Effect::UseTheme(theme) => return Ok(AfterEffect::UseTheme(theme)),
            Effect::Ring(bell, words) => (self.ports.ring)(bell, words)?,
            Effect::Copy(clip) => self.copy(clip),
            Effect::CopyByTerminal(text) => (self.ports.copy)(&text)?,
            Effect::UseMouse(wanted) => (self.ports.use_mouse)(wanted)?,
            Effect::RunCommand(at, input) => self.run_command(at, input),
            Effect::RunLine(words, target, open) => self.run_own(&words, &target, open.map(|open| *open)),
            Effect::CancelLines => self.stop_own_runs.send_replace(()),
            Effect::Redraw => return (self.ports.retake)().map(|()| AfterEffect::RedrawAll),
            Effect::Suspend => return self.suspend().map(|()| AfterEffect::RedrawAll),
            Effect::Quit => return Ok(AfterEffect::Quit),
        }
        Ok(AfterEffect::Nothing)
    }

    /// Trims old requests of the open store in the background, if the settings say so. Called once the store is shown.
    pub(super) fn begin_trimming(&mut self) {
        let Some(age) = self.ports.handle.trim_after else { return };
        let trimming = trim(self.ports.handle.journal.clone(), age, (self.ports.clock)());
        self.reading.ask(trimming.map(|()| Msg::JournalChanged));
    }

    pub(super) fn load(&mut self, request: WindowRequest) {
        self.reading.ask_for(Asker::Plants, queries::window(self.ports.handle.journal.clone(), request));
    }

    /// Fetches the token again, and uses it before the app sends anything with it.
    fn renew_token(&mut self, before: Option<Token>) {
        let Some(renew) = &self.ports.handle.renew else { return };
        let (renewed, worker) = (renew(before), self.ports.handle.worker.clone());
        self.reading.ask(async move {
            let renewed = renewed.await;
            renewed.iter().cloned().for_each(|token| worker.use_token(token));
            Msg::TokenRenewed(renewed)
        });
    }

    fn suspend(&self) -> io::Result<()> {
        if !(self.ports.suspend)()? {
            // The receiver is a field beside the sender.
            let _ = self.progress.0.send(Msg::NotSuspended);
        }
        Ok(())
    }

    /// Lends the terminal to a custom command, and runs it.
    fn run_command(&mut self, at: usize, input: CommandInput) {
        let Some(command) = self.ports.commands.get(at).cloned() else { return };
        (self.ports.lend)();
        let (journal, config_file) = (self.ports.handle.journal.clone(), self.ports.config_file.clone());
        let running = custom_command::run(command, config_file, journal, input, self.stop_running.clone());
        self.running.spawn(running.boxed());
    }

    fn run_own(&mut self, words: &[String], target: &ConnectionTarget, open: Option<OpenStore>) {
        let composed = (self.ports.own)(target, open.as_ref(), words);
        let (token, stops) = (open.and_then(|open| open.token), self.stop_own_runs.subscribe());
        self.aside.ask(custom_command::run_own(shell_line(words), composed, token, stops));
    }

    fn validate(&mut self, source: Source) {
        self.imports.validate(source, self.ports.handle.journal.clone(), self.progress.0.clone());
    }

    /// Copies with a program, and ends one that still copies another text.
    fn copy(&mut self, clip: Box<Clip>) {
        let Ports { clipboard, config_file, .. } = &self.ports;
        if clipboard.is_out_of_reach() {
            // The receiver is a field beside the sender.
            let _ = self.progress.0.send(Msg::Copied(clip, CopyEnd::NoProgram));
        } else {
            self.aside.ask_for(Asker::Clipboard, clipboard::copy(clipboard.clone(), config_file.clone(), clip));
        }
    }

    /// Waits for a result of the journal; `None` if nothing is read.
    pub(super) async fn next_read(&mut self) -> Option<Msg> {
        self.reading.next().await.map(finished)
    }

    fn write(&mut self, write: impl Future<Output = Msg> + Send + 'static) {
        self.writing.spawn(write.boxed());
    }

    fn after(&mut self, time: Duration, message: Msg) {
        let waiting = async move {
            tokio::time::sleep(time).await;
            message
        };
        self.timers.spawn(waiting.boxed());
    }

    /// Reads the folder of a typed path, and no longer that of an earlier one.
    fn find_paths(&mut self, query: PathQuery) {
        let folder = self.expanded(PathBuf::from(&query.folder));
        let folder = match (query.kind, self.ports.config_file.parent()) {
            (PathKind::BesideConfig, Some(base)) => base.join(folder),
            (PathKind::BesideConfig | PathKind::Any | PathKind::Plants, _) => folder,
        };
        self.aside.ask_for(Asker::Path, paths::find(folder, query));
    }

    fn expanded(&self, path: PathBuf) -> PathBuf {
        // Without a home directory the path stays as it is: nothing creates a folder called `~`.
        expand(path.clone(), self.ports.home.as_deref()).unwrap_or(path)
    }

    fn config_file(&self) -> ConfigFile {
        ConfigFile { path: self.ports.config_file.clone(), data_dir: self.ports.data_dir.clone() }
    }

    /// Waits for the result of an effect, a report of the worker, or a change by another program. Cancel-safe.
    pub(super) async fn next(&mut self) -> Event {
        let Ports { handle, .. } = &mut self.ports;
        Event::Msg(tokio::select! {
            biased;
            Some(done) = self.writing.join_next() => finished(done),
            Some(done) = self.reading.next() => finished(done),
            Some(report) = handle.reports.recv() => Msg::Report(Box::new(report)),
            Some(message) = self.progress.1.recv() => message,
            Some(end) = OptionFuture::from(handle.worker_task.as_mut()) => {
                handle.worker_task = None;
                Msg::WorkerDied(end.map_or_else(worker::join_error_text, |()| "it ended by itself".to_owned()))
            }
            // Constant writes of other programs must not delay another store.
            () = handle.changes.next(), if !self.switch.is_ready() => {
                handle.link.iter().for_each(Link::others_wrote);
                Msg::JournalChanged
            }
            Some(status) = OptionFuture::from(handle.link.as_mut().map(Link::changed)) => Msg::Team(Box::new(status)),
            Some(result) = self.switch.next() => return Event::StoreSwitch(result),
            Some(validated) = self.imports.next() => finished(validated),
            Some(done) = self.aside.next() => finished(done),
            Some(ended) = self.running.join_next() => finished(ended),
            Some(due) = self.timers.join_next() => finished(due),
        })
    }

    /// Returns a result that is ready.
    pub(super) fn try_next(&mut self) -> Option<Msg> {
        if let Some(done) = self.writing.try_join_next().or_else(|| self.reading.try_next()) {
            return Some(finished(done));
        }
        let report = self.ports.handle.reports.try_recv().map(|report| Msg::Report(Box::new(report)));
        report.or_else(|_| self.progress.1.try_recv()).ok()
    }

    /// Takes the store that is ready, unless an effect on the previous one is still pending.
    pub(super) fn offer_store(&mut self) -> Option<Arrival> {
        if self.is_at_rest() { self.switch.offer() } else { None }
    }

    /// Whether a custom command has the terminal.
    pub(super) fn is_terminal_lent(&self) -> bool {
        !self.running.is_empty()
    }

    fn is_at_rest(&self) -> bool {
        self.writing.is_empty() && self.reading.is_empty()
    }

    /// Whether nothing but timers is pending.
    pub(super) fn is_idle(&self) -> bool {
        self.is_at_rest()
            && self.switch.is_idle()
            && self.ports.handle.reports.is_empty()
            && self.progress.1.is_empty()
            && !self.imports.is_validating()
            && self.aside.is_empty()
            && self.running.is_empty()
    }

    /// Cancels pending operations and waits until their results are written. `update` receives the final messages,
    /// reports first, and returns effects, of which the writes are carried out.
    pub(super) async fn end(
        mut self,
        mut update: impl FnMut(Msg) -> Vec<Effect>,
        mut last: Vec<Effect>,
    ) -> EndedWorker {
        self.stop_running.cancel();
        while self.running.join_next().await.is_some() {}
        // An import has a handle to the worker, which ends when no handle is left.
        self.imports.stop_validating.cancel();
        self.imports.order(Order::Cancel);
        let mut ended = self.ports.handle.end().await;
        while let Ok(report) = ended.reports.try_recv() {
            last.extend(update(Msg::Report(Box::new(report))));
        }
        for effect in last {
            // The writes of a check that is stopped; nothing can report their errors any more.
            if let Effect::KeepRun(report) = effect {
                let _ = ended.journal.keep_run(*report).await;
            } else if let Effect::Resolve(plants, resolution) = effect {
                let _ = ended.journal.resolve_all(plants, resolution, (self.ports.clock)()).await;
            }
        }
        drop(self.reading);
        while let Some(done) = self.writing.join_next().await {
            let _ = update(finished(done));
        }
        self.switch.close().await;
        ended
    }
}

/// Effects catch their own panics, so an error means that one was aborted.
fn finished(done: Result<Msg, JoinError>) -> Msg {
    done.unwrap_or_else(|died| Msg::Unknown(Err(worker::join_error_text(died).into())))
}
