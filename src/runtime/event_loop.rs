//! The event loop: waits, updates the app, carries out effects, and draws one frame for all of it.
//!
//! Its timer runs only while the app animates something. Nothing between a key and its frame waits for the disk or the
//! network: effects run in the background and return messages. While a custom command has the terminal, nothing is drawn,
//! and what was typed before is dropped. Must not know what a message means.

use std::mem::ManuallyDrop;
use std::time::Duration;

use color_eyre::eyre::{self, eyre};
use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::layout::{Position, Rect};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval};

use super::effects::{AfterEffect, Effects, Ports};
use super::event::Event;
use super::theme_detection::DetectedTheme;
use crate::journal::{Anchor, Arrangement, WindowRequest};
use crate::terminal::{Input, Signs, elapsed};
use crate::tui::context::{Attention, Motion};
use crate::tui::message::{FrameLayout, Target, UserInput};
use crate::tui::widgets::canvas::HitMap;
use crate::tui::{App, Effect, Msg};

/// The most events that are handled before a frame is drawn.
const BATCH: usize = 1024;
/// The time between two frames of an animation.
const FRAME_TIME: Duration = Duration::from_millis(120);
/// An animation rests this many times as long as its last frame took on a slow line.
const REST: u32 = 8;

pub enum Turn {
    /// Events were handled, and their frame was drawn.
    Drawn,
    /// The app quit.
    Over,
}

/// The app on a terminal, with everything its effects need.
pub struct EventLoop<B: Backend> {
    pub app: App,
    /// Never dropped: ratatui's drop shows the cursor, and on failure prints to stderr, which panics if the terminal is
    /// gone. The guard shows the cursor instead.
    terminal: ManuallyDrop<Terminal<B>>,
    theme: DetectedTheme,
    input: UnboundedReceiver<Event>,
    effects: Effects,
    /// The mouse targets of the last frame, the topmost last.
    targets: Vec<(Rect, Target)>,
    frame_timer: Interval,
    /// Those that the terminal shows.
    signs: Signs,
    /// Whether the app quit.
    is_over: bool,
}

impl<B> EventLoop<B>
where
    B: Backend,
    B::Error: std::error::Error + Send + Sync + 'static,
{
    /// Draws nothing yet. `input` receives the events of the terminal and the system.
    pub fn new(
        app: App,
        terminal: Terminal<B>,
        theme: DetectedTheme,
        input: UnboundedReceiver<Event>,
        ports: Ports,
    ) -> Self {
        let mut frame_timer = interval(FRAME_TIME);
        frame_timer.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let (terminal, effects) = (ManuallyDrop::new(terminal), Effects::new(ports));
        Self {
            app,
            terminal,
            theme,
            input,
            effects,
            targets: Vec::new(),
            frame_timer,
            signs: Signs::default(),
            is_over: false,
        }
    }

    /// Starts to read the plants of the first frame, in the background. Returns the other effects, for [`Self::open`].
    pub fn begin(&mut self, first: Vec<Effect>) -> Vec<Effect> {
        let mut others = Vec::new();
        for effect in first {
            if let Effect::Load(request) = effect {
                self.effects.load(request);
            } else {
                others.push(effect);
            }
        }
        others
    }

    /// Draws the first frame and carries out the first effects. Waits for the plants of the frame, so that it is not
    /// drawn twice. Nothing is scrolled yet, so the frame is right for any layout.
    ///
    /// # Errors
    ///
    /// The terminal cannot be drawn on.
    pub async fn open(&mut self, mut effects: Vec<Effect>) -> eyre::Result<()> {
        self.app.set_time((self.effects.ports.clock)());
        while let Some(loaded) = self.effects.next_read().await {
            effects.extend(self.app.update(loaded));
        }
        let layout = self.draw_frame()?;
        let at = elapsed();
        self.show_signs()?;
        self.carry_out_all(effects)?;
        self.effects.begin_trimming();
        self.update(Msg::Drawn(layout, at))
    }

    /// Waits for an event, handles it and all others that are ready, and draws once.
    ///
    /// # Errors
    ///
    /// The terminal cannot be drawn on, or its keys cannot be read.
    pub async fn turn(&mut self) -> eyre::Result<Turn> {
        let event = self.next().await;
        self.update(Msg::Now((self.effects.ports.clock)()))?;
        let mut is_outdated = self.handle(event)?;
        let mut handled = 1;
        while !self.is_over
            && handled < BATCH
            && let Some(event) = self.try_next()
        {
            is_outdated |= self.handle(event)?;
            handled += 1;
        }
        if self.is_over {
            return Ok(Turn::Over);
        }
        if is_outdated {
            self.draw()?;
            self.show_signs()?;
        }
        Ok(Turn::Drawn)
    }

    /// Whether no effect, operation, check or message of this program is pending.
    pub fn is_idle(&self) -> bool {
        self.effects.is_idle() && self.app.is_idle() && self.input.is_empty()
    }

    /// Cancels pending operations and waits until their results are written. Returns the app for a final message.
    pub async fn close(mut self) -> App {
        // No frame follows: no message waits for its picture.
        self.app.cx.display.motion = Motion::Still;
        let last = self.app.abandon_check("the program ended");
        let ended = self.effects.end(|message| self.app.update(message), last).await;
        let request = WindowRequest { anchor: Anchor::Index(0), rows: 1, arrangement: Arrangement::default() };
        if let Ok(window) = ended.journal.window(request).await {
            self.app.cx.session.plants.window.tally = window.tally;
        }
        // The journal last: the program that closes a journal last removes the files beside it.
        ended.close().await;
        self.app
    }

    /// Returns the terminal, for tests to read what was drawn.
    pub fn terminal(&self) -> &Terminal<B> {
        &self.terminal
    }

    async fn next(&mut self) -> Event {
        let is_moving = self.app.is_moving() && !self.effects.is_terminal_lent();
        tokio::select! {
            biased;
            // Without a sender nothing reads the terminal any more: it is gone.
            event = self.input.recv() => event.unwrap_or(Event::Msg(Msg::Terminate)),
            event = self.effects.next() => event,
            _ = self.frame_timer.tick(), if is_moving => Event::Msg(Msg::Tick),
        }
    }

    fn try_next(&mut self) -> Option<Event> {
        self.input.try_recv().ok().or_else(|| self.effects.try_next().map(Event::Msg))
    }

    /// Returns whether the frame on screen may be outdated.
    fn handle(&mut self, event: Event) -> eyre::Result<bool> {
        let message = match event {
            Event::Msg(message) => message,
            Event::Input(..) if self.effects.is_terminal_lent() => return Ok(false),
            Event::Input(Input::Background(response), _) => return Ok(self.theme.background_came(&response)),
            Event::Input(Input::Focus(here), _) => {
                self.app.cx.display.attention = if here { Attention::Here } else { Attention::Elsewhere };
                return Ok(false);
            }
            Event::Input(input, timing) => match self.aimed(input) {
                Some(input) => Msg::Input(input, timing),
                None => return Ok(false),
            },
            // Also for the same size: a terminal that was smaller in between has lost its contents.
            Event::Resized => return self.draw_whole_frame_next().map(|()| true),
            Event::KeyboardLost => return Err(eyre!("its keys cannot be read")),
            Event::Continued => return self.retake_terminal().map(|()| true),
            Event::Suspend => return self.carry_out(Effect::Suspend).map(|()| true),
            Event::StoreSwitch(result) => {
                // A token command may have used the terminal.
                self.retake_terminal()?;
                match result {
                    Ok(()) => return self.switch_if_ready().map(|()| true),
                    Err(why) => Msg::Connected(Err(format!("{why:#}").into())),
                }
            }
        };
        if matches!(message, Msg::TokenRenewed(_) | Msg::ProfileSaved(..) | Msg::CommandEnded(..) | Msg::LineEnded(..))
        {
            // Another program may have used the terminal.
            self.retake_terminal()?;
        }
        self.update(message)?;
        if !self.is_over {
            self.switch_if_ready()?;
        }
        Ok(true)
    }

    /// Offers the store that is ready to the app, which may decline it, unless effects are pending.
    fn switch_if_ready(&mut self) -> eyre::Result<()> {
        if let Some(arrival) = self.effects.offer_store() {
            self.update(Msg::Connected(Ok(Box::new(arrival))))?;
            self.effects.switch.decline();
        }
        Ok(())
    }

    fn update(&mut self, message: Msg) -> eyre::Result<()> {
        let before = self.app.scope();
        let effects = self.app.update(message);
        if self.app.scope() != before {
            // The targets of the new scope are not drawn yet.
            self.targets.clear();
        }
        self.carry_out_all(effects)
    }

    fn carry_out_all(&mut self, effects: Vec<Effect>) -> eyre::Result<()> {
        for effect in effects {
            self.carry_out(effect)?;
            if self.is_over {
                break;
            }
        }
        Ok(())
    }

    fn carry_out(&mut self, effect: Effect) -> eyre::Result<()> {
        match self.effects.carry_out(effect, &self.app.cx.session.info)? {
            AfterEffect::Nothing => {}
            AfterEffect::RedrawAll => self.draw_whole_frame_next()?,
            AfterEffect::ForgetTargets => self.targets.clear(),
            AfterEffect::UseTheme(theme) => {
                self.theme.choose(theme);
                if self.theme.is_preliminary() {
                    (self.effects.ports.query_background)()?;
                }
            }
            AfterEffect::Quit => self.is_over = true,
        }
        Ok(())
    }

    /// Takes the terminal again, unless it is lent: then it is taken once that is over.
    fn retake_terminal(&mut self) -> eyre::Result<()> {
        if self.effects.is_terminal_lent() {
            return Ok(());
        }
        (self.effects.ports.retake)()?;
        self.draw_whole_frame_next()
    }

    /// Makes the next frame overwrite the whole terminal.
    ///
    /// `Terminal::clear` would query the cursor position, and the task that reads the keyboard would take the response.
    fn draw_whole_frame_next(&mut self) -> eyre::Result<()> {
        if self.effects.is_terminal_lent() {
            return Ok(());
        }
        self.app.frame_lost();
        // Giving the terminal back ended the signs.
        self.signs = Signs::default();
        let size = self.terminal.size()?;
        Ok(self.terminal.resize(Rect::from((Position::ORIGIN, size)))?)
    }

    /// Finds what the mouse hits in the last frame. `None` for an input without a meaning in the app.
    fn aimed(&self, input: Input) -> Option<UserInput> {
        match input {
            Input::Key(key) => Some(UserInput::Key(key)),
            Input::Paste(text) => Some(UserInput::Paste(text)),
            Input::Click(at) => self.target_at(at).map(UserInput::Click),
            Input::Wheel { at, down } => self.target_at(at).map(|over| UserInput::Wheel { over, down }),
            Input::Background(_) | Input::Focus(_) | Input::Status | Input::Unknown => None,
        }
    }

    fn target_at(&self, position: Position) -> Option<Target> {
        self.targets.iter().rev().find(|(area, _)| area.contains(position)).map(|(_, target)| *target)
    }

    /// Draws a frame and reports its layout to the app; draws once more if the app changes because of it.
    fn draw(&mut self) -> eyre::Result<()> {
        if self.effects.is_terminal_lent() {
            return Ok(());
        }
        for _ in 0..2 {
            let layout = self.draw_frame()?;
            let (before, is_awaited) = (self.app.cx.display.layout, self.app.awaits_frame());
            if layout != before || is_awaited {
                let effects = self.app.update(Msg::Drawn(layout, elapsed()));
                self.carry_out_all(effects)?;
            }
            if layout.is_drawn_like(&before) && !is_awaited {
                break;
            }
        }
        Ok(())
    }

    /// Shows the signs outside the frame, where they have changed.
    fn show_signs(&mut self) -> eyre::Result<()> {
        let signs = self.app.signs();
        if signs != self.signs && !self.effects.is_terminal_lent() {
            (self.effects.ports.show_signs)(&signs)?;
            self.signs = signs;
        }
        Ok(())
    }

    fn draw_frame(&mut self) -> eyre::Result<FrameLayout> {
        let (app, theme) = (&self.app, self.theme.theme());
        let mut map = HitMap::default();
        let begun = now();
        self.terminal.draw(|frame| map = app.view(theme, frame))?;
        let took = now() - begun;
        if took > FRAME_TIME {
            // A slow line: what it has not passed on yet would delay the frame of the next key.
            self.frame_timer.reset_after(took * REST);
        }
        self.targets = map.targets;
        Ok(map.layout)
    }
}

#[expect(clippy::disallowed_methods, reason = "measures how long a frame takes; shows no time of day")]
fn now() -> Instant {
    Instant::now()
}
