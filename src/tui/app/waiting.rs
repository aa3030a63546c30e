//! Keeps what is typed too early, and carries it out later: keys that arrive together act as if each came on its own frame.
//! Too early is a command about the selected line before the selection that was asked for has arrived, and any key before the
//! question that was asked for has opened.
//!
//! Must not know what a command does.

use super::App;
use super::recent_input::Waiting;
use super::resolve_queue::ResolveQueue;
use crate::terminal::{Key, Timing};
use crate::tui::Effect;
use crate::tui::input::Command;
use crate::tui::message::UserInput;
use crate::tui::ui_effect::UiEffect;

impl App {
    /// Keeps a command that would act on another line than the person asked for. Returns whether it does.
    pub(super) fn waits(&mut self, command: Command) -> bool {
        let waits = self.comes_early(command);
        if waits {
            self.waiting.command = Some(command);
        }
        waits
    }

    fn comes_early(&self, command: Command) -> bool {
        let is_sought = command.needs_selection() && self.cx.session.marks.sought.is_some();
        is_sought || self.screens.get(self.cx.display.tab).awaits(command, &self.cx)
    }

    /// Whether the plants of a question are being loaded.
    fn loads_question(&self) -> bool {
        self.resolve_queue.as_ref().is_some_and(ResolveQueue::is_loading) || self.cx.session.awaits_question()
    }

    /// Whether the same, and it will be in front.
    fn awaits_question(&self) -> bool {
        self.dialogs.is_empty() && self.loads_question()
    }

    /// Keeps an input that comes after a command that waits, or before its question. Esc, Ctrl-C and the mouse end the wait
    /// instead: Esc and Ctrl-C are "no" to the question.
    pub(super) fn comes_too_early(&mut self, input: &UserInput, timing: Timing) -> bool {
        let awaits_question = self.awaits_question();
        if self.waiting.command.is_none() && !awaits_question {
            return false;
        }
        let ends = match input {
            UserInput::Key(key) => self.ends_wait(*key),
            UserInput::Paste(_) => None,
            UserInput::Click(_) | UserInput::Wheel { .. } => Some(false),
        };
        let Some(is_no) = ends else {
            self.waiting.typed.push_back((input.clone(), timing));
            return true;
        };
        self.waiting = Waiting::default();
        let answers = is_no && awaits_question;
        if answers {
            self.cx.session.drop_question();
            self.cx.out.ui_effect(UiEffect::StopResolving);
        }
        answers
    }

    /// Returns whether a key that ends a wait means no; `None` for a key that does not end it.
    fn ends_wait(&self, key: Key) -> Option<bool> {
        match self.cx.out.keys.binding(self.scope(), key)?.command {
            Command::Back | Command::Close | Command::Interrupt => Some(true),
            Command::Redraw | Command::Suspend => Some(false),
            _ => None,
        }
    }

    /// Drops what waits, and says so: what it was about has not come.
    pub(super) fn drop_waiting(&mut self) {
        if !self.waiting.is_empty() {
            self.waiting = Waiting::default();
            self.cx.out.say_also("What was typed meanwhile was dropped.");
        }
    }

    /// Carries out what waited, until it comes too early again. Drops it if a dialog has opened by itself: it was not meant
    /// for that.
    pub(super) fn release(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        while !self.waiting.is_empty() && !self.awaits_question() {
            if !self.dialogs.is_empty() && (self.waiting.command.is_some() || self.loads_question()) {
                self.drop_waiting();
            } else if let Some(command) = self.waiting.command {
                if self.comes_early(command) {
                    break;
                }
                self.waiting.command = None;
                self.perform(command);
            } else if let Some((input, timing)) = self.waiting.typed.pop_front() {
                self.input(input, timing);
            }
            effects.extend(self.finish());
        }
        effects
    }
}
