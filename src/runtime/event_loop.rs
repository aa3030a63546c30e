//! The event loop: wait, update, carry out effects, draw once. The same in the program and in tests.
//!
//! Nothing here ticks unless the app says that something on screen moves, and nothing on the way from a
//! key to its frame waits for the disk or the network: effects run in the background and come back as
//! messages.

use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::time::Duration;

use color_eyre::eyre::{self, eyre};
use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::layout::{Position, Rect};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::effects::{Carried, Effects, Event, Tools};
use super::input::{Gesture, Heard, Mouse};
use super::queries;
use crate::journal::{Anchor, Arrangement, WindowRequest};
use crate::tui::message::Target;
use crate::tui::widgets::canvas::HitMap;
use crate::tui::widgets::theme::Theme;
use crate::tui::{App, Effect, Msg};

/// Messages taken in before a frame is drawn at the latest.
const BATCH: usize = 1024;
/// Time between two frames of whatever moves on screen.
const STEP: Duration = Duration::from_millis(120);

/// What woke the loop.
pub enum Turn {
    /// Messages were taken in and a frame was drawn.
    Drawn,
    /// The program is to end.
    Over,
}

/// The app on a terminal, with everything that it can make happen.
pub struct EventLoop<B: Backend> {
    pub app: App,
    /// Never dropped: ratatui's drop shows the cursor and complains on stderr if it cannot, and
    /// when the terminal is gone that complaint is a panic. The guard shows the cursor.
    terminal: ManuallyDrop<Terminal<B>>,
    theme: Theme,
    heard: UnboundedReceiver<Heard>,
    effects: Effects,
    /// What the last frame has where; what was drawn last is on top.
    targets: Vec<(Rect, Target)>,
    steps: Interval,
}

enum Woken {
    Heard(Heard),
    Event(Event),
}

impl<B> EventLoop<B>
where
    B: Backend,
    B::Error: std::error::Error + Send + Sync + 'static,
{
    /// Draws nothing yet. `heard` is what the terminal and the system say.
    pub fn new(app: App, terminal: Terminal<B>, theme: Theme, heard: UnboundedReceiver<Heard>, tools: Tools) -> Self {
        let mut steps = interval(STEP);
        steps.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let (terminal, effects) = (ManuallyDrop::new(terminal), Effects::new(tools));
        Self { app, terminal, theme, heard, effects, targets: Vec::new(), steps }
    }

    /// Draws the first frame and does what the app wants first. The plants that the frame has
    /// room for are read before it is drawn: it is not drawn twice to say something.
    ///
    /// # Errors
    ///
    /// The terminal cannot be drawn on.
    pub async fn open(&mut self, first: Vec<Effect>) -> eyre::Result<()> {
        let Tools { clock, handle, .. } = &self.effects.tools;
        self.app.set_time(clock());
        let mut then = Vec::new();
        for effect in first {
            if let Effect::Load(request) = effect {
                let window = queries::window(handle.journal.clone(), request).await;
                then.extend(self.app.update(window));
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
    /// The terminal cannot be drawn on, or its keys not be heard.
    pub async fn turn(&mut self) -> eyre::Result<Turn> {
        let woken = self.wait().await;
        let _ = self.take_in(Msg::Now((self.effects.tools.clock)()))?;
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
        self.effects.is_idle() && self.app.is_idle() && self.heard.is_empty()
    }

    /// Cancels what is in flight and waits until all of it is written down. Returns the app as it is
    /// then, for last words.
    pub async fn close(mut self) -> App {
        let last = self.app.abandon_check("the program ended");
        let ended = self.effects.end(|message| self.app.update(message), last).await;
        let arrangement = Arrangement::default();
        if let Ok(last) = ended.journal.window(WindowRequest { anchor: Anchor::Top, rows: 1, arrangement }).await {
            self.app.cx.session.plants.window.tally = last.tally;
        }
        // Last of all: the program that closes a journal last leaves nothing beside its file.
        ended.close().await;
        self.app
    }

    /// The terminal, to look at what was drawn.
    pub fn terminal(&self) -> &Terminal<B> {
        &self.terminal
    }

    async fn wait(&mut self) -> Woken {
        let is_moving = self.app.is_moving();
        tokio::select! {
            biased;
            // Nothing listens to the terminal any more, so it is gone.
            heard = self.heard.recv() => Woken::Heard(heard.unwrap_or(Heard::Msg(Msg::Terminate))),
            event = self.effects.next() => Woken::Event(event),
            _ = self.steps.tick(), if is_moving => Woken::Event(Event::Msg(Msg::Tick)),
        }
    }

    /// Something that has happened already.
    fn waiting(&mut self) -> Option<Woken> {
        match self.heard.try_recv() {
            Ok(heard) => Some(Woken::Heard(heard)),
            Err(_) => self.effects.try_next().map(|message| Woken::Event(Event::Msg(message))),
        }
    }

    fn wake(&mut self, woken: Woken) -> eyre::Result<ControlFlow<()>> {
        let message = match woken {
            Woken::Heard(Heard::Msg(message @ Msg::Resized { .. })) => {
                // Also when it is the size that is known already: a terminal that was small in
                // between has lost what it showed.
                self.draw_whole_frame_next()?;
                message
            }
            Woken::Event(Event::Msg(message @ Msg::TokenRenewed)) => {
                // Its command may have used the terminal.
                self.retake_terminal()?;
                message
            }
            Woken::Heard(Heard::Msg(message)) | Woken::Event(Event::Msg(message)) => message,
            Woken::Heard(Heard::Mouse(mouse)) => match self.pointed_at(mouse) {
                Some(message) => message,
                None => return Ok(ControlFlow::Continue(())),
            },
            Woken::Heard(Heard::Deaf) => return Err(eyre!("its keys cannot be heard")),
            Woken::Heard(Heard::Continued) => {
                self.retake_terminal()?;
                return Ok(ControlFlow::Continue(()));
            }
            Woken::Heard(Heard::Suspend) => return self.carry_out(Effect::Suspend),
            Woken::Event(Event::StoreSwitch(result)) => {
                // A token command may have used the terminal.
                self.retake_terminal()?;
                match result {
                    Ok(()) => return self.switch_if_ready(),
                    Err(why) => Msg::Connected(Err(format!("{why:#}").into())),
                }
            }
        };
        let flow = self.take_in(message)?;
        if flow.is_break() { Ok(flow) } else { self.switch_if_ready() }
    }

    /// Offers the app the store that waits, if nothing is under way; the app has the last word.
    fn switch_if_ready(&mut self) -> eyre::Result<ControlFlow<()>> {
        let Some(arrival) = self.effects.offer_store() else { return Ok(ControlFlow::Continue(())) };
        let flow = self.take_in(Msg::Connected(Ok(Box::new(arrival))))?;
        self.effects.decline_store();
        Ok(flow)
    }

    fn take_in(&mut self, message: Msg) -> eyre::Result<ControlFlow<()>> {
        let before = self.app.scope();
        let effects = self.app.update(message);
        if self.app.scope() != before {
            // What was not drawn yet cannot be clicked on.
            self.targets.clear();
        }
        self.carry_out_all(effects)
    }

    fn carry_out_all(&mut self, effects: Vec<Effect>) -> eyre::Result<ControlFlow<()>> {
        for effect in effects {
            if self.carry_out(effect)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn carry_out(&mut self, effect: Effect) -> eyre::Result<ControlFlow<()>> {
        match self.effects.carry_out(effect, &self.app.cx.session.info)? {
            Carried::Out => {}
            Carried::TerminalUsed => self.draw_whole_frame_next()?,
            Carried::Switched => self.targets.clear(),
            Carried::Over => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn retake_terminal(&mut self) -> eyre::Result<()> {
        (self.effects.tools.retake)()?;
        self.draw_whole_frame_next()
    }

    /// Forgets what the terminal shows, so that the next frame is drawn whole.
    ///
    /// `Terminal::clear` would ask the terminal where its cursor is, and the task that listens to the
    /// terminal would take the response for its own.
    fn draw_whole_frame_next(&mut self) -> eyre::Result<()> {
        let size = self.terminal.size()?;
        Ok(self.terminal.resize(Rect::from((Position::ORIGIN, size)))?)
    }

    fn pointed_at(&self, mouse: Mouse) -> Option<Msg> {
        let at = Position { x: mouse.x, y: mouse.y };
        let target = self.targets.iter().rev().find(|(area, _)| area.contains(at)).map(|(_, target)| *target)?;
        Some(match mouse.what {
            Gesture::Click => Msg::Clicked(target),
            Gesture::WheelDown => Msg::Wheeled { over: target, down: true },
            Gesture::WheelUp => Msg::Wheeled { over: target, down: false },
        })
    }

    /// Draws, and tells the app what fitted; draws again if that changes what is seen.
    fn draw(&mut self) -> eyre::Result<()> {
        for _ in 0..2 {
            let (app, theme) = (&self.app, &self.theme);
            let mut map = None;
            self.terminal.draw(|frame| map = Some(app.view(theme, frame)))?;
            let Some(HitMap { layout, targets }) = map else { return Ok(()) };
            self.targets = targets;
            if layout == self.app.cx.display.layout && !self.app.awaits_frame() {
                return Ok(());
            }
            let effects = self.app.update(Msg::Drawn(layout));
            let _ = self.carry_out_all(effects)?;
        }
        Ok(())
    }
}
