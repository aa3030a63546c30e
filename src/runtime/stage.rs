//! The event loop: hear, update, carry out, draw once. The same in the program and in tests.
//!
//! Nothing here ticks unless the model says that something on screen moves, and nothing on the
//! way from a key to its frame waits for the disk or the network: effects run beside the loop
//! and come back as messages.

use std::io;
use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::Duration;

use futures::FutureExt as _;
use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::layout::Rect;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::door::Door;
use super::files::{Export, Imports, With};
use super::input::{Gesture, Heard, Mouse};
use super::link::{Connect, Link};
use super::{checks, files, profile, report, resolve};
use crate::app::log::PULSE;
use crate::app::reader::Compared;
use crate::app::{Effect, Model, Msg, Target, update};
use crate::client::Token;
use crate::config::new_profile::NewProfile;
use crate::courier::{self, Report};
use crate::domain::{Exchange, FailureKind, Timestamp};
use crate::journal::{Anchor, Arrangement, Journal, JournalError, Kept, WindowRequest, stores_in};
use crate::ui::{Painted, Theme, view};

/// Messages taken in before a frame is drawn at the latest.
const BATCH: usize = 1024;
/// Plants that are not in the view, listed at once; typing finds the others.
const DEPARTED: usize = 200;
/// A step of whatever turns on screen.
const STEP: Duration = Duration::from_millis(120);

/// What the loop works with.
pub struct Tools {
    /// The store that is open.
    pub link: Link,
    /// Opens another.
    pub connect: Connect,
    /// What the terminal and the system say.
    pub heard: UnboundedReceiver<Heard>,
    /// Where the journal of deployed stores is kept.
    pub data_dir: PathBuf,
    /// The config file, which profiles are written into.
    pub config_file: PathBuf,
    /// The home directory, for `~/` before the name of a file.
    pub home: Option<PathBuf>,
    /// What time it is.
    pub clock: fn() -> Timestamp,
    /// Gives the terminal back, stops, and takes it again.
    pub suspend: fn() -> io::Result<()>,
    /// Hands text to the terminal's clipboard.
    pub copy: fn(&str) -> io::Result<()>,
    /// Asks the terminal for the mouse, or leaves it to the terminal.
    pub use_mouse: fn(bool) -> io::Result<()>,
    /// Takes the terminal again after others may have used it.
    pub retake: fn() -> io::Result<()>,
}

/// What woke the loop.
pub enum Turn {
    /// Messages were taken in and a frame was drawn.
    Drawn,
    /// The program is to end.
    Over,
}

/// A model on a terminal, with everything it can make happen.
pub struct Stage<B: Backend> {
    /// The state.
    pub model: Model,
    /// Never dropped: ratatui's drop shows the cursor and complains on stderr if it cannot, and
    /// when the terminal is gone that complaint is a panic. The guard shows the cursor.
    terminal: ManuallyDrop<Terminal<B>>,
    theme: Theme,
    tools: Tools,
    /// What the last frame has where, what was drawn last on top.
    targets: Vec<(Rect, Target)>,
    /// Effects under way that write; each brings one message.
    writing: JoinSet<Msg>,
    /// Those that read: nothing is lost with them.
    reading: JoinSet<Msg>,
    /// What is only waited for.
    waits: JoinSet<Msg>,
    /// What effects tell before they are over.
    facts: (UnboundedSender<Msg>, UnboundedReceiver<Msg>),
    imports: Imports,
    steps: Interval,
    door: Door,
}

enum Woken {
    Heard(Option<Heard>),
    Report(Report),
    JournalChanged,
    Done(Msg),
    CourierDied(String),
    Step,
    /// A store was opened or closed, or could not be opened, and why.
    Door(Option<String>),
}

impl<B> Stage<B>
where
    B: Backend,
    B::Error: std::error::Error + Send + Sync + 'static,
{
    /// Sets the stage. Nothing is drawn yet.
    pub fn new(model: Model, terminal: Terminal<B>, theme: Theme, tools: Tools) -> Self {
        let mut steps = interval(STEP);
        steps.set_missed_tick_behavior(MissedTickBehavior::Skip);
        Self {
            model,
            terminal: ManuallyDrop::new(terminal),
            theme,
            tools,
            targets: Vec::new(),
            writing: JoinSet::new(),
            reading: JoinSet::new(),
            waits: JoinSet::new(),
            facts: unbounded_channel(),
            imports: Imports::default(),
            steps,
            door: Door::default(),
        }
    }

    /// Draws the first frame and does what the model wants first. The plants that the frame has
    /// room for are read before it is drawn: it is not drawn twice to say something.
    ///
    /// # Errors
    ///
    /// The terminal cannot be drawn on.
    pub async fn open(&mut self, first: Vec<Effect>) -> io::Result<()> {
        self.model.now = (self.tools.clock)();
        let mut then = Vec::new();
        for effect in first {
            if let Effect::Load(request) = effect {
                let window = loaded(&self.tools.link.journal, request).await;
                then.extend(update(&mut self.model, window));
            } else {
                then.push(effect);
            }
        }
        self.draw()?;
        let _ = self.carry_out_all(then)?;
        Ok(())
    }

    /// Waits for something to happen, takes in all that waits, and draws once.
    ///
    /// # Errors
    ///
    /// The terminal cannot be drawn on.
    pub async fn turn(&mut self) -> io::Result<Turn> {
        let woken = self.wait().await;
        let _ = self.take_in(Msg::Now((self.tools.clock)()))?;
        let mut flow = self.wake(woken)?;
        let mut taken = 1;
        while flow.is_continue() && taken < BATCH {
            let Some(woken) = self.waiting() else { break };
            flow = self.wake(woken)?;
            taken += 1;
        }
        if flow.is_break() {
            return Ok(Turn::Over);
        }
        self.draw()?;
        Ok(Turn::Drawn)
    }

    /// Whether nothing of this program is under way: no effect, no operation, no check, no message.
    pub fn is_idle(&self) -> bool {
        self.is_at_rest()
            && self.model.flights.is_empty()
            && !self.model.check.is_under_way()
            && !self.model.is_importing()
            && self.door.is_idle()
            && self.tools.link.reports.is_empty()
            && self.facts.1.is_empty()
            && !self.imports.are_judging()
            && self.tools.heard.is_empty()
    }

    /// Ends: cancels what is in flight and waits until all of it is written down.
    ///
    /// Returns the model as it is then, for last words.
    pub async fn close(mut self) -> Model {
        let mut last = self.model.abandon_check("the program ended");
        // An import has a hand on the courier, which ends when nobody has.
        self.imports.stop_judging();
        self.imports.cancel();
        let mut ending = self.tools.link.end().await;
        while let Ok(report) = ending.reports.try_recv() {
            last.extend(update(&mut self.model, Msg::Report(Box::new(report))));
        }
        for effect in last {
            write_last(effect, &ending.journal, (self.tools.clock)()).await;
        }
        // Whoever leaves does not wait for what would only be looked at.
        drop(self.reading);
        while let Some(done) = self.writing.join_next().await {
            let _ = update(&mut self.model, finished(done));
        }
        self.door.close().await;
        let arrangement = Arrangement::default();
        if let Ok(last) = ending.journal.window(WindowRequest { anchor: Anchor::Top, rows: 1, arrangement }).await {
            self.model.table.window.tally = last.tally;
        }
        // The last of all: whoever closes last leaves nothing beside the journal's file.
        ending.close().await;
        self.model
    }

    /// Whether no effect is under way.
    fn is_at_rest(&self) -> bool {
        self.writing.is_empty() && self.reading.is_empty()
    }

    /// The terminal, to look at what was drawn.
    pub fn terminal(&self) -> &Terminal<B> {
        &self.terminal
    }

    async fn wait(&mut self) -> Woken {
        let moving = self.model.is_moving();
        tokio::select! {
            biased;
            heard = self.tools.heard.recv() => Woken::Heard(heard),
            Some(done) = self.writing.join_next() => Woken::Done(finished(done)),
            Some(done) = self.reading.join_next() => Woken::Done(finished(done)),
            Some(report) = self.tools.link.reports.recv() => Woken::Report(report),
            Some(fact) = self.facts.1.recv() => Woken::Done(fact),
            end = ended(&mut self.tools.link.courier_task) => {
                self.tools.link.courier_task = None;
                Woken::CourierDied(end.map_or_else(courier::death, |()| "it ended by itself".to_owned()))
            }
            // Others who write on and on do not keep another store waiting.
            () = self.tools.link.changes.next(), if !self.door.has_somebody() => Woken::JournalChanged,
            Some(failed) = self.door.next() => Woken::Door(failed),
            Some(judged) = self.imports.next() => Woken::Done(finished(judged)),
            Some(due) = self.waits.join_next() => Woken::Done(finished(due)),
            _ = self.steps.tick(), if moving => Woken::Step,
        }
    }

    /// Something that has happened already; `None` if nothing has.
    fn waiting(&mut self) -> Option<Woken> {
        if let Ok(heard) = self.tools.heard.try_recv() {
            return Some(Woken::Heard(Some(heard)));
        }
        if let Some(done) = self.writing.try_join_next().or_else(|| self.reading.try_join_next()) {
            return Some(Woken::Done(finished(done)));
        }
        let report = self.tools.link.reports.try_recv().ok().map(Woken::Report);
        report.or_else(|| self.facts.1.try_recv().ok().map(Woken::Done))
    }

    fn wake(&mut self, woken: Woken) -> io::Result<ControlFlow<()>> {
        let message = match woken {
            Woken::Heard(Some(Heard::Msg(message @ Msg::Resized { .. }))) => {
                // Also when it is the size that is known already: a terminal that was small in
                // between has lost what it showed.
                self.forget_what_was_drawn()?;
                message
            }
            Woken::Done(message @ Msg::TokenRenewed) => {
                // Its command may have used the terminal.
                (self.tools.retake)()?;
                self.forget_what_was_drawn()?;
                message
            }
            Woken::Heard(Some(Heard::Msg(message))) | Woken::Done(message) => message,
            Woken::Heard(Some(Heard::Mouse(mouse))) => match self.pointed_at(mouse) {
                Some(message) => message,
                None => return Ok(ControlFlow::Continue(())),
            },
            Woken::Heard(Some(Heard::Deaf)) => return Err(io::Error::other("its keys cannot be heard")),
            Woken::Heard(Some(Heard::Continued)) => {
                (self.tools.retake)()?;
                self.forget_what_was_drawn()?;
                return Ok(ControlFlow::Continue(()));
            }
            Woken::Heard(Some(Heard::Suspend)) => return self.carry_out(Effect::Suspend),
            // Whoever listens to the terminal is gone: so is the terminal.
            Woken::Heard(None) => Msg::Terminate,
            Woken::Report(report) => Msg::Report(Box::new(report)),
            Woken::JournalChanged => Msg::JournalChanged,
            Woken::CourierDied(why) => Msg::CourierDied(why),
            Woken::Step => Msg::Tick,
            Woken::Door(told) => {
                // A token command may have used the terminal.
                (self.tools.retake)()?;
                self.forget_what_was_drawn()?;
                match told {
                    None => return self.let_in(),
                    Some(why) => Msg::Connected(Err(why)),
                }
            }
        };
        let flow = self.take_in(message)?;
        if flow.is_break() { Ok(flow) } else { self.let_in() }
    }

    /// Lets in the store that waits, once nothing is under way that would speak of the one before.
    /// The model has the last word.
    fn let_in(&mut self) -> io::Result<ControlFlow<()>> {
        if !self.is_at_rest() {
            return Ok(ControlFlow::Continue(()));
        }
        let Some(arrival) = self.door.let_in() else { return Ok(ControlFlow::Continue(())) };
        let flow = self.take_in(Msg::Connected(Ok(Box::new(arrival))))?;
        self.door.turn_away();
        Ok(flow)
    }

    fn switch(&mut self) {
        let Some(link) = self.door.enter() else { return };
        let before = std::mem::replace(&mut self.tools.link, link);
        self.door.close_link(before);
        // What is on screen is not there any more.
        self.targets.clear();
    }

    fn take_in(&mut self, message: Msg) -> io::Result<ControlFlow<()>> {
        let before = self.model.scope();
        let effects = update(&mut self.model, message);
        if self.model.scope() != before {
            // Nobody clicks on what was not drawn yet.
            self.targets.clear();
        }
        self.carry_out_all(effects)
    }

    fn carry_out_all(&mut self, effects: Vec<Effect>) -> io::Result<ControlFlow<()>> {
        for effect in effects {
            if self.carry_out(effect)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn carry_out(&mut self, effect: Effect) -> io::Result<ControlFlow<()>> {
        let journal = self.tools.link.journal.clone();
        match effect {
            Effect::Send(operation) => {
                // A dead courier tells of itself through its task, and takes the flight with it.
                let _ = self.tools.link.courier.send(operation);
            }
            Effect::Cancel(id) => self.tools.link.courier.cancel(id),
            Effect::CancelAll => self.tools.link.courier.cancel_all(),
            Effect::UseToken(token) => self.use_token(token),
            Effect::GiveUp(operation) => {
                let at = (self.tools.clock)();
                let written = journal.end(Exchange::failed(operation, FailureKind::TaskDied, String::new(), at), at);
                self.writing.spawn(async move { Msg::GivenUp(whole(written).await) });
            }
            Effect::Settle(id, doubt, settlement) => {
                let written = journal.settle(id, doubt, settlement, (self.tools.clock)());
                self.writing.spawn(async move { Msg::Settled(id, settlement, caught(written).await) });
            }
            Effect::SettleAll(seen, settlement) => {
                self.writing.spawn(resolve::settle_all(&journal, seen, settlement, (self.tools.clock)()));
            }
            Effect::Load(request) => {
                self.reading.spawn(async move { loaded(&journal, request).await });
            }
            Effect::WaitForView(time) => drop(self.waits.spawn(view_is_due(time))),
            Effect::Log(request) => {
                self.reading.spawn(async move {
                    let window = caught(journal.log(request.clone())).await;
                    Msg::Log(Box::new(request), window)
                });
            }
            Effect::Pulse(search) => {
                self.reading.spawn(async move {
                    let samples = caught(journal.pulse(search.clone(), PULSE)).await;
                    Msg::Pulse(Box::new(search), samples)
                });
            }
            Effect::Inspect(place) => {
                self.reading.spawn(async move { Msg::Inspected(place, inspected(&journal, place).await) });
            }
            Effect::Compare(one, other) => {
                self.reading.spawn(async move { Msg::Compared(whole(compared(&journal, one, other)).await) });
            }
            Effect::FindFitting(filter, most) => {
                self.reading.spawn(async move { fitting(&journal, filter, most).await });
            }
            Effect::FindToDelete(plants) => {
                self.reading.spawn(async move {
                    let found = whole(journal.rows(plants.clone())).await;
                    Msg::ToDelete(plants, found)
                });
            }
            Effect::FindToResolve(plants) => drop(self.reading.spawn(resolve::unknown_among(journal, plants))),
            Effect::WriteReport(path, search) => {
                let (store, path) = (self.model.facts.store.clone(), self.file_at(path));
                self.writing.spawn(report::written(journal, store, search, path));
            }
            Effect::WriteCheck(path, format, run) => {
                let path = self.file_at(path);
                self.writing.spawn(async move { report::write_check(path, format, &run) });
            }
            Effect::Weather(sky) => self.tools.link.change_weather(sky),
            Effect::Judge(path) => self.judge(path, journal),
            Effect::StopJudging | Effect::DropImport => self.imports.drop_judged(),
            // What was judged has no bad row in it: whoever imports it skips them.
            Effect::Import { skip_bad: _, resend_unknown } => self.import(resend_unknown, journal),
            Effect::StopImport => self.imports.stop(),
            Effect::CancelImport => self.imports.cancel(),
            Effect::Export { path, format, spreadsheet, replace } => {
                self.export(Export { path, format, spreadsheet, replace }, journal);
            }
            Effect::LookBeforehand => drop(self.reading.spawn(checks::beforehand(journal, fastrand::u64(..)))),
            Effect::Pause(number, time) => drop(self.waits.spawn(checks::pause(number, time))),
            Effect::KeepRun(report) => drop(self.writing.spawn(checks::keep(journal, *report))),
            Effect::FindRuns => drop(self.reading.spawn(checks::runs(journal))),
            Effect::LookBehind(operations) => drop(self.reading.spawn(checks::behind(journal, operations))),
            Effect::Tell(id) => {
                self.reading.spawn(async move { Msg::Story(id, whole(journal.story(id)).await.map(Box::new)) });
            }
            Effect::FindDoubts => drop(self.reading.spawn(resolve::unknown(journal))),
            Effect::FindDeparted(text) => {
                self.reading.spawn(async move {
                    let found = whole(journal.departed(text.clone(), DEPARTED)).await;
                    Msg::Departed(text, found)
                });
            }
            Effect::Connect(wish) => self.door.open(wish, &self.tools.connect),
            Effect::StopConnecting => self.door.shut(),
            Effect::FindStores => drop(self.reading.spawn(stores(self.tools.data_dir.clone()))),
            Effect::SaveProfile(new, replace) => self.save_profile(*new, replace),
            Effect::Switch => self.switch(),
            Effect::Copy(text) => (self.tools.copy)(&text)?,
            Effect::UseMouse(wanted) => (self.tools.use_mouse)(wanted)?,
            Effect::Suspend => {
                (self.tools.suspend)()?;
                self.forget_what_was_drawn()?;
            }
            Effect::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Typed by a person, it takes the place of what a command gives.
    fn use_token(&mut self, token: Token) {
        self.tools.link.renew = None;
        self.tools.link.courier.use_token(token);
    }

    fn save_profile(&mut self, new: NewProfile, replace: bool) {
        self.writing.spawn(profile::save(self.tools.config_file.clone(), new, replace));
    }

    fn judge(&mut self, path: PathBuf, journal: Journal) {
        let path = self.file_at(path);
        self.imports.judge(path, journal, self.facts.0.clone());
    }

    fn export(&mut self, mut export: Export, journal: Journal) {
        export.path = self.file_at(export.path);
        self.writing.spawn(files::export(journal, export));
    }

    fn import(&mut self, resend_unknown: bool, journal: Journal) {
        let with = With {
            journal,
            courier: self.tools.link.courier.clone(),
            origin: self.model.facts.origin,
            clock: self.tools.clock,
            renew: self.tools.link.renew.clone(),
            facts: self.facts.0.clone(),
        };
        self.writing.spawn(self.imports.run(resend_unknown, with));
    }

    /// Where a file is that a person named.
    fn file_at(&self, path: PathBuf) -> PathBuf {
        files::at_home(path, self.tools.home.as_deref())
    }

    /// Forgets what the terminal shows, so that the next frame is drawn whole.
    ///
    /// `Terminal::clear` would ask the terminal where its cursor is, and whoever listens to the
    /// terminal would take the answer for itself.
    fn forget_what_was_drawn(&mut self) -> io::Result<()> {
        let size = self.terminal.size().map_err(io::Error::other)?;
        self.terminal.resize(Rect::from((ratatui::layout::Position::ORIGIN, size))).map_err(io::Error::other)
    }

    /// What the mouse did, and to what; `None` where there is nothing.
    fn pointed_at(&self, mouse: Mouse) -> Option<Msg> {
        let at = ratatui::layout::Position { x: mouse.x, y: mouse.y };
        let target = self.targets.iter().rev().find(|(area, _)| area.contains(at)).map(|(_, target)| *target)?;
        Some(match mouse.what {
            Gesture::Click => Msg::Clicked(target),
            Gesture::WheelDown => Msg::Wheeled { over: target, down: true },
            Gesture::WheelUp => Msg::Wheeled { over: target, down: false },
        })
    }

    /// Draws, and tells the model what fitted; draws again if that changes what is seen.
    fn draw(&mut self) -> io::Result<()> {
        for _ in 0..2 {
            let (model, theme) = (&self.model, &self.theme);
            let mut painted = None;
            self.terminal.draw(|frame| painted = Some(view(model, theme, frame))).map_err(io::Error::other)?;
            let Some(Painted { drawn, targets }) = painted else { return Ok(()) };
            self.targets = targets;
            if drawn == self.model.drawn && !self.model.awaits_frame() {
                return Ok(());
            }
            let effects = update(&mut self.model, Msg::Drawn(drawn));
            let _ = self.carry_out_all(effects)?;
        }
        Ok(())
    }
}

/// The base URLs that the journal in this folder knows.
async fn stores(folder: PathBuf) -> Msg {
    let found = tokio::task::spawn_blocking(move || stores_in(&folder)).await;
    Msg::Stores(match found {
        Ok(found) => found.map_err(|why| why.to_string()),
        Err(died) => Err(courier::death(died)),
    })
}

async fn view_is_due(after: Duration) -> Msg {
    tokio::time::sleep(after).await;
    Msg::ViewDue
}

async fn loaded(journal: &Journal, request: WindowRequest) -> Msg {
    let window = caught(journal.window(request.clone())).await;
    Msg::Window(Box::new(request), window)
}

async fn fitting(journal: &Journal, filter: String, most: usize) -> Msg {
    let found = whole(journal.fitting(filter.clone(), most)).await;
    Msg::Fitting(filter, found)
}

async fn inspected(journal: &Journal, place: i64) -> Result<Option<Box<Kept>>, String> {
    whole(journal.exchange(place)).await.map(|found| found.map(Box::new))
}

/// Two exchanges, compared, if both are there.
async fn compared(journal: &Journal, one: i64, other: i64) -> Result<Option<Box<Compared>>, JournalError> {
    let (one, other) = (journal.exchange(one).await?, journal.exchange(other).await?);
    Ok(one.zip(other).map(|(one, other)| Box::new(Compared::of(&[one, other]))))
}

/// What a check that was cut short has still to write; nobody is left to be told of what cannot be.
async fn write_last(effect: Effect, journal: &Journal, now: Timestamp) {
    if let Effect::KeepRun(report) = effect {
        let _ = journal.keep_run(*report).await;
    } else if let Effect::Settle(id, doubt, settlement) = effect {
        let _ = journal.settle(id, doubt, settlement, now).await;
    }
}

/// The end of a task that is watched; never, if it was seen before.
async fn ended(task: &mut Option<tokio::task::JoinHandle<()>>) -> Result<(), JoinError> {
    match task {
        Some(task) => task.await,
        None => std::future::pending().await,
    }
}

/// What an effect brought. Effects catch their own panics, so this is about aborted ones only.
fn finished(done: Result<Msg, tokio::task::JoinError>) -> Msg {
    done.unwrap_or_else(|died| Msg::Doubts(Err(courier::death(died))))
}

/// The end of an effect, also if it panics.
pub(super) async fn caught<T>(work: impl Future<Output = Result<T, JournalError>>) -> Result<T, JournalError> {
    let panicked = |_| Err(JournalError::Other("the program failed while doing so".to_owned()));
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(panicked)
}

/// The same, with what went wrong in words for people.
pub(super) async fn whole<T>(work: impl Future<Output = Result<T, JournalError>>) -> Result<T, String> {
    caught(work).await.map_err(|why| why.to_string())
}
