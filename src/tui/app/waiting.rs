//! Keeps a command about the selected line until the selection that was asked for has arrived, and what is typed meanwhile:
//! keys that arrive together act as if each came on its own frame.
//!
//! Must not know what a command does.

use super::App;
use super::recent_input::Waiting;
use crate::terminal::{Key, Timing};
use crate::tui::Effect;
use crate::tui::input::Command;
use crate::tui::message::UserInput;

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

    /// Keeps an input that comes after a command that waits. Esc, Ctrl-C and the mouse end the wait instead.
    pub(super) fn comes_after_one_that_waits(&mut self, input: &UserInput, timing: Timing) -> bool {
        let keeps = match input {
            UserInput::Key(key) => !self.ends_wait(*key),
            UserInput::Paste(_) => true,
            UserInput::Click(_) | UserInput::Wheel { .. } => false,
        };
        let waits = self.waiting.command.is_some();
        if waits && keeps {
            self.waiting.typed.push_back((input.clone(), timing));
        } else if waits {
            self.stop_waiting();
        }
        waits && keeps
    }

    fn ends_wait(&self, key: Key) -> bool {
        let command = self.cx.out.keys.binding(self.scope(), key).map(|binding| binding.command);
        matches!(
            command,
            Some(Command::Back | Command::Close | Command::Interrupt | Command::Redraw | Command::Suspend)
        )
    }

    /// Drops the command that waits, and what was typed after it.
    pub(super) fn stop_waiting(&mut self) {
        self.waiting = Waiting::default();
    }

    /// Carries out what waited, until a command waits again. Drops it if a dialog has opened by itself: it was not meant for
    /// that.
    pub(super) fn release(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        while let Some(command) = self.waiting.command {
            if !self.dialogs.is_empty() {
                self.stop_waiting();
            } else if self.comes_early(command) {
                break;
            } else {
                self.waiting.command = None;
                self.perform(command);
                effects.extend(self.finish());
            }
            while self.waiting.command.is_none()
                && let Some((input, timing)) = self.waiting.typed.pop_front()
            {
                self.input(input, timing);
                effects.extend(self.finish());
            }
        }
        effects
    }
}
