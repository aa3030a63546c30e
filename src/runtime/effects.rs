//! Carries out effects, in the background where they can take long, and returns what comes of them as
//! messages. Must not know the app, nor how anything is drawn.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use color_eyre::eyre;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{JoinError, JoinHandle, JoinSet};

use super::imports::Imports;
use super::new_file::Existing;
use super::store_switch::StoreSwitch;
use super::worker_handle::{Connect, EndedWorker, WorkerHandle};
use super::{export, profile, queries, report};
use crate::client::Token;
use crate::domain::Timestamp;
use crate::domain::export::Cells;
use crate::tui::message::{Arrival, StoreInfo};
use crate::tui::{Effect, Msg};
use crate::worker;

/// What effects are carried out with.
pub struct Tools {
    /// The store that is open.
    pub handle: WorkerHandle,
    /// Opens another.
    pub connect: Connect,
    /// Where the journals of deployed stores are.
    pub data_dir: PathBuf,
    /// Profiles are written into it.
    pub config_file: PathBuf,
    /// For `~/` before the name of a file.
    pub home: Option<PathBuf>,
    pub clock: fn() -> Timestamp,
    /// Gives the terminal back, stops, and takes it again.
    pub suspend: fn() -> io::Result<()>,
    /// Hands text to the terminal's clipboard.
    pub copy: fn(&str) -> io::Result<()>,
    /// Asks the terminal for the mouse, or leaves it to the terminal.
    pub use_mouse: fn(bool) -> io::Result<()>,
    /// Takes the terminal again after other programs may have used it.
    pub retake: fn() -> io::Result<()>,
}

/// What is left to do for the event loop.
pub(super) enum Carried {
    /// Nothing.
    Out,
    /// The terminal was used by other programs: draw all of it again.
    TerminalUsed,
    /// Another store is open: nothing that was drawn can be clicked on.
    Switched,
    /// The program is to end.
    Over,
}

/// What background work brought.
pub(super) enum Event {
    Msg(Msg),
    /// A store was opened or closed, or could not be opened.
    StoreSwitch(eyre::Result<()>),
}

pub(super) struct Effects {
    pub(super) tools: Tools,
    /// Awaited at the end.
    writing: JoinSet<Msg>,
    /// Dropped at the end: nothing is lost with them.
    reading: JoinSet<Msg>,
    timers: JoinSet<Msg>,
    /// What effects report before they are over.
    progress: (UnboundedSender<Msg>, UnboundedReceiver<Msg>),
    imports: Imports,
    switch: StoreSwitch,
}

impl Effects {
    pub(super) fn new(tools: Tools) -> Self {
        Self {
            tools,
            writing: JoinSet::new(),
            reading: JoinSet::new(),
            timers: JoinSet::new(),
            progress: unbounded_channel(),
            imports: Imports::default(),
            switch: StoreSwitch::default(),
        }
    }

    /// Carries out one effect for the store that `info` describes.
    ///
    /// # Errors
    ///
    /// The terminal is gone.
    pub(super) fn carry_out(&mut self, effect: Effect, info: &StoreInfo) -> io::Result<Carried> {
        let (journal, now) = (self.tools.handle.journal.clone(), (self.tools.clock)());
        let worker = &self.tools.handle.worker;
        match effect {
            // The worker.
            Effect::Send(operation) => {
                // A dead worker's task reports its death, which ends the operation as well.
                let _ = worker.send(operation);
            }
            Effect::Cancel(id) => worker.cancel(id),
            Effect::CancelAll => worker.cancel_all(),
            Effect::UseToken(token) => self.use_token(token),

            // The journal, read.
            Effect::Load(request) => self.read(queries::window(journal, request)),
            Effect::Log(request) => self.read(queries::log(journal, request)),
            Effect::Latencies(search) => self.read(queries::latencies(journal, search)),
            Effect::Inspect(place) => self.read(queries::inspected(journal, place)),
            Effect::Compare(one, other) => self.read(queries::compared(journal, one, other)),
            Effect::LoadPlantHistory(id) => self.read(queries::plant_history(journal, id)),
            Effect::FindFitting(filter, most) => self.read(queries::fitting(journal, filter, most)),
            Effect::FindToDelete(plants) => self.read(queries::to_delete(journal, plants)),
            Effect::FindToResolve(plants) => self.read(queries::to_resolve(journal, plants)),
            Effect::FindUnknown => self.read(queries::unknown(journal)),
            Effect::FindUnlisted(filter) => self.read(queries::unlisted(journal, filter)),
            Effect::FindStores => self.read(queries::stores(self.tools.data_dir.clone())),
            Effect::FindEarlierRuns => self.read(queries::before_check(journal)),
            Effect::FindRuns => self.read(queries::runs(journal)),
            Effect::FindRelated(operations) => self.read(queries::exchanges_of(journal, operations)),

            // The journal, written.
            Effect::GiveUp(operation) => self.write(queries::give_up(&journal, operation, now)),
            Effect::Resolve(id, seen, word) => self.write(queries::resolve(&journal, id, seen, word, now)),
            Effect::ResolveAll(seen, word) => self.write(queries::resolve_all(&journal, seen, word, now)),
            Effect::KeepRun(run) => self.write(queries::keep_run(journal, *run)),

            // Files.
            Effect::WriteReport(path, search) => {
                self.write(report::to_file(journal, info.store.clone(), search, self.at_home(path)));
            }
            Effect::WriteCheck(path, format, run) => {
                let path = self.at_home(path);
                self.write(async move { report::check_to_file(path, format, &run) });
            }
            Effect::Export { path, format, spreadsheet, replace } => {
                let cells = if spreadsheet { Cells::Guarded } else { Cells::Exact };
                let existing = if replace { Existing::Replaced } else { Existing::Kept };
                self.write(export::to_file(journal, self.at_home(path), format, cells, existing));
            }
            Effect::SaveProfile(new, replace) => {
                self.write(profile::save(self.tools.config_file.clone(), *new, replace));
            }
            Effect::Validate(path) => self.imports.validate(self.at_home(path), journal, self.progress.0.clone()),
            Effect::StopValidating | Effect::DropImport => self.imports.drop_validated(),
            // Bad rows were left out when the file was validated.
            Effect::Import { skip_bad: _, resend_unknown } => self.import(resend_unknown, info.origin),
            Effect::StopImport => self.imports.stop(),
            Effect::CancelImport => self.imports.cancel(),

            // Other stores.
            Effect::Connect(target) => self.switch.open(target, &self.tools.connect),
            Effect::StopConnecting => self.switch.stop(),
            Effect::Switch => return Ok(self.switch()),
            Effect::Weather(preset) => self.tools.handle.change_weather(preset),

            // Time.
            Effect::WaitForList(time) => self.after(time, Msg::ListDue),
            Effect::Pause(number, time) => self.after(time, Msg::Paused(number)),

            // The terminal.
            Effect::Copy(text) => (self.tools.copy)(&text)?,
            Effect::UseMouse(wanted) => (self.tools.use_mouse)(wanted)?,
            Effect::Suspend => return (self.tools.suspend)().map(|()| Carried::TerminalUsed),
            Effect::Quit => return Ok(Carried::Over),
        }
        Ok(Carried::Out)
    }

    fn read(&mut self, query: impl Future<Output = Msg> + Send + 'static) {
        self.reading.spawn(query);
    }

    fn write(&mut self, write: impl Future<Output = Msg> + Send + 'static) {
        self.writing.spawn(write);
    }

    fn after(&mut self, time: Duration, message: Msg) {
        self.timers.spawn(async move {
            tokio::time::sleep(time).await;
            message
        });
    }

    /// A token that a person types replaces what a command gives.
    fn use_token(&mut self, token: Token) {
        self.tools.handle.renew = None;
        self.tools.handle.worker.use_token(token);
    }

    fn import(&mut self, resend_unknown: bool, origin: u64) {
        let Tools { handle, clock, .. } = &self.tools;
        let run = self.imports.run(resend_unknown, handle, origin, *clock, self.progress.0.clone());
        self.write(run);
    }

    fn switch(&mut self) -> Carried {
        let Some(handle) = self.switch.accept() else { return Carried::Out };
        let before = std::mem::replace(&mut self.tools.handle, handle);
        self.switch.close_handle(before);
        Carried::Switched
    }

    fn at_home(&self, path: PathBuf) -> PathBuf {
        at_home(path, self.tools.home.as_deref())
    }

    /// Waits for what effects and other programs bring. Loses nothing if it is dropped.
    pub(super) async fn next(&mut self) -> Event {
        let Tools { handle, .. } = &mut self.tools;
        Event::Msg(tokio::select! {
            biased;
            Some(done) = self.writing.join_next() => finished(done),
            Some(done) = self.reading.join_next() => finished(done),
            Some(report) = handle.reports.recv() => Msg::Report(Box::new(report)),
            Some(message) = self.progress.1.recv() => message,
            end = ended(&mut handle.worker_task) => {
                handle.worker_task = None;
                Msg::WorkerDied(end.map_or_else(worker::death, |()| "it ended by itself".to_owned()))
            }
            // Other programs that write on and on do not keep another store waiting.
            () = handle.changes.next(), if !self.switch.is_ready() => Msg::JournalChanged,
            Some(result) = self.switch.next() => return Event::StoreSwitch(result),
            Some(validated) = self.imports.next() => finished(validated),
            Some(due) = self.timers.join_next() => finished(due),
        })
    }

    /// Returns what effects have brought already, if anything.
    pub(super) fn try_next(&mut self) -> Option<Msg> {
        if let Some(done) = self.writing.try_join_next().or_else(|| self.reading.try_join_next()) {
            return Some(finished(done));
        }
        let report = self.tools.handle.reports.try_recv().map(|report| Msg::Report(Box::new(report)));
        report.or_else(|_| self.progress.1.try_recv()).ok()
    }

    /// Takes the store that waits, once nothing is under way that would speak of the one before.
    pub(super) fn offer_store(&mut self) -> Option<Arrival> {
        if self.is_at_rest() { self.switch.offer() } else { None }
    }

    /// Closes the store that was offered, unless the app switched to it.
    pub(super) fn decline_store(&mut self) {
        self.switch.decline();
    }

    fn is_at_rest(&self) -> bool {
        self.writing.is_empty() && self.reading.is_empty()
    }

    /// Whether nothing but timers is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.is_at_rest()
            && self.switch.is_idle()
            && self.tools.handle.reports.is_empty()
            && self.progress.1.is_empty()
            && !self.imports.is_validating()
    }

    /// Cancels what is in flight and waits until all of it is written down. `tell` receives the last
    /// messages, reports before other ones, and returns what must still be written.
    pub(super) async fn end(mut self, mut tell: impl FnMut(Msg) -> Vec<Effect>, mut last: Vec<Effect>) -> EndedWorker {
        // An import holds a handle on the worker, which ends when nothing does.
        self.imports.stop_validating();
        self.imports.cancel();
        let mut ended = self.tools.handle.end().await;
        while let Ok(report) = ended.reports.try_recv() {
            last.extend(tell(Msg::Report(Box::new(report))));
        }
        for effect in last {
            queries::write_last(effect, &ended.journal, (self.tools.clock)()).await;
        }
        // At the end nothing waits for what would only be looked at.
        drop(self.reading);
        while let Some(done) = self.writing.join_next().await {
            let _ = tell(finished(done));
        }
        self.switch.close().await;
        ended
    }
}

/// Waits for a watched task to end; for ever, if its end was seen before.
async fn ended(task: &mut Option<JoinHandle<()>>) -> Result<(), JoinError> {
    match task {
        Some(task) => task.await,
        None => std::future::pending().await,
    }
}

/// Effects catch their own panics, so an error here is about an aborted one.
fn finished(done: Result<Msg, JoinError>) -> Msg {
    done.unwrap_or_else(|died| Msg::Unknown(Err(worker::death(died).into())))
}

/// Replaces `~` at the beginning of a path by the home directory, as a shell does.
fn at_home(path: PathBuf, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        (Ok(_) | Err(_), _) => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_home_at_the_beginning_only() {
        let home = Some(Path::new("/home/ann"));
        let told = |path: &str| at_home(path.into(), home).display().to_string();
        assert_eq!(told("~/a b.csv"), "/home/ann/a b.csv");
        assert_eq!(["~bob/x", "/x/~/y", "x~", "", "x"].map(told), ["~bob/x", "/x/~/y", "x~", "", "x"]);
        assert_eq!(at_home("~/x".into(), None), Path::new("~/x"));
    }
}
