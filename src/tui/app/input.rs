//! From a key press, a paste or a click to a command.
//!
//! Must not know what a command does.

use std::time::Duration;

use super::App;
use super::dialog::Dialog;
use super::recent_input::describe_unbound;
use crate::domain::language::Id;
use crate::terminal::{AltKey, Key, Timing};
use crate::tui::component::Typed;
use crate::tui::effect::Effect;
use crate::tui::input::arming::Arming;
use crate::tui::input::{Binding, Command, Scope};
use crate::tui::message::{FrameLayout, Target, UserInput};
use crate::tui::screen::WHEEL;
use crate::tui::widgets::text_input::edits;

/// Keys that presentation mode shows at most.
const PRESSED: usize = 4;

/// Two clicks on a line within this time open it.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// So many times in a row, Ctrl-C ends the program in any state.
const INTERRUPTS: u8 = 3;

impl App {
    /// Handles what a person did, unless it came before what it is about, or too soon for the question in front.
    pub(super) fn input(&mut self, input: UserInput, timing: Timing) {
        if self.comes_too_early(&input, timing) {
            return;
        }
        let unarmed = self.dialogs.unarmed(timing).filter(|_| self.tour.is_none());
        match input {
            UserInput::Key(_) => {
                self.recent.clicked = None;
                self.cx.out.keys_pressed += 1;
            }
            UserInput::Paste(_) | UserInput::Click(_) | UserInput::Wheel { .. } => {
                (self.recent.interrupts, self.recent.key, self.recent.ended_tour) = (0, None, None);
            }
        }
        if !matches!(input, UserInput::Key(_) | UserInput::Click(Target::Command(_))) {
            self.recent.escapes.note(None);
        }
        match input {
            UserInput::Key(key) => self.press(key, timing, unarmed),
            UserInput::Paste(text) => match unarmed.filter(|arming| arming.keeps_text_out()) {
                Some(arming) => self.say_too_early("Paste again: it was done", arming),
                None => self.paste(&text),
            },
            UserInput::Click(target) => self.touch(|app| {
                let is_again = app.recent.clicked.replace(target) == Some(target) && timing.quiet < DOUBLE_CLICK;
                let opens = is_again && target.is_selected_first() && app.dialogs.is_empty() && unarmed.is_none();
                app.click(target, timing, unarmed);
                if opens {
                    app.recent.clicked = None;
                    app.perform(Command::Open);
                }
            }),
            UserInput::Wheel { over, down } => self.touch(|app| {
                if app.kept_out(unarmed, None).is_none() {
                    app.wheel(over, down);
                }
            }),
        }
    }

    /// Returns what is in front and takes no answer yet, if an input with this command would answer it: in a form and
    /// a list that a person opened the key that sends, elsewhere everything but "no".
    fn kept_out(&self, unarmed: Option<Arming>, command: Option<Command>) -> Option<Arming> {
        let is_safe = |command| {
            use Command::{Close, Interrupt, No, Present, Redraw, Suspend};
            matches!(command, Close | Interrupt | No | Present | Redraw | Suspend)
        };
        let unarmed = unarmed.filter(|_| !command.is_some_and(is_safe))?;
        let only_sends =
            !unarmed.keeps_all_out() && matches!(self.scope(), Scope::Form | Scope::Choice | Scope::Picker);
        (!only_sends || matches!(command, Some(Command::Submit | Command::Choose))).then_some(unarmed)
    }

    /// Whether a command does something in the dialog in front, else in the tab.
    fn takes(&self, command: Command) -> bool {
        let label = match self.dialogs.front() {
            Some(dialog) => dialog.layer().label(command, &self.cx),
            None => self.label(command, None),
        };
        command == Command::Help || matches!(label, Some(Ok(_)))
    }

    /// `unarmed` is what is in front and takes no answer yet.
    fn press(&mut self, key: Key, timing: Timing, unarmed: Option<Arming>) {
        self.recent.key = Some(key);
        self.recent.ended_tour.take_if(|ended_by| *ended_by != key);
        if self.recent.ended_tour.is_some() {
            return;
        }
        // Terminals send Esc and another key, pressed one after the other, like one key with Alt. In a field, as in a shell,
        // one with a character is the field's, if only to do nothing.
        let is_of_field = self.scope().takes_text() && (edits(key) || matches!(key, Key::Alt(AltKey::Char(_))));
        let is_esc = matches!(key, Key::Alt(_)) && self.scope().is_of_dialog() && !is_of_field;
        let key = if is_esc { Key::Esc } else { key };
        if self.scope() == Scope::Sorting && self.cx.out.keys.binding(Scope::Sorting, key).is_none() {
            // The key does what it does otherwise.
            self.stop_sorting();
            if matches!(key, Key::Char('0'..='9')) && self.cx.out.keys.binding(self.scope(), key).is_none() {
                self.cx.out.say_here(format!("This list has no column {key}: the order stays."));
                return self.cx.out.simply(Id::KeyDoesNothing.with("key", key.to_string()));
            }
        }
        let scope = self.scope();
        let binding = self.cx.out.keys.binding(scope, key);
        // The key of presentation mode does what it does in a dialog, too; before a text, so does every key of the tab.
        let is_text = scope.takes_text() && matches!(key, Key::Char(_));
        let tab = self.is_text_in_front().then(|| self.cx.scope_of_tab());
        let works_here = |binding: &&Binding| tab.is_some() || binding.command == Command::Present && !is_text;
        let in_tab = || self.cx.out.keys.binding(tab.unwrap_or(Scope::Tabs), key).filter(works_here);
        let command = binding.or_else(in_tab).map(|binding| binding.command);
        let is_apart = timing.quiet > Duration::ZERO;
        self.recent.interrupts = match command {
            Some(Command::Interrupt) => self.recent.interrupts.saturating_add(is_apart.into()),
            _ => 0,
        };
        if self.recent.interrupts >= INTERRUPTS {
            return self.cx.out.effect(Effect::Quit);
        }
        // Ignores commands while the terminal is too small.
        let is_everywhere = matches!(command, Some(Command::Interrupt | Command::Redraw | Command::Suspend));
        if self.cx.display.layout.too_small && !is_everywhere {
            return;
        }
        self.cx.out.status.fade(self.cx.out.now);
        let is_typed = command.is_none() && scope.takes_text();
        if self.tour.is_some() && self.press_on_tour(key, command) {
            return;
        }
        let is_secret = matches!(self.dialogs.front(), Some(Dialog::Token(_) | Dialog::Stores(_) | Dialog::BaseUrl(_)));
        if !is_typed && !is_secret {
            self.show_key(key);
        }
        let keeps_text_out = unarmed.filter(|arming| is_typed && arming.keeps_text_out());
        if let Some(arming) = keeps_text_out.or_else(|| self.kept_out(unarmed, command)) {
            // Of a key that does nothing here, there is nothing to say.
            if is_typed || command.is_some_and(|command| self.takes(command)) {
                self.say_too_early(&format!("Press {key} again: it was typed"), arming);
            }
            return;
        }
        match command {
            Some(command) => self.perform_unless_held(command, timing, &format!("Press {key}")),
            None => {
                self.recent.escapes.note(None);
                if is_typed {
                    self.type_text(Typed::Key(key));
                } else {
                    self.say_unbound(key);
                }
            }
        }
    }

    /// Carries out a command of a key or a click, unless it would cancel something in a row with others that went back:
    /// then says so, and how to do it all the same.
    fn perform_unless_held(&mut self, command: Command, timing: Timing, once: &str) {
        let cancels = self.cancels_by_back().filter(|_| command == Command::Back);
        let held = cancels.filter(|_| !self.recent.escapes.may_cancel(timing));
        self.recent.escapes.note(Some(command));
        match held {
            Some(label) => {
                self.cx.out.say_here(format!("Still under way. {once} again to {label}."));
                self.cx.out.simply(Id::StillUnderWay.with("key", self.cx.key(Command::Back)));
            }
            None => self.perform(command),
        }
    }

    fn say_too_early(&mut self, again: &str, unarmed: Arming) {
        self.cx.out.say_here(format!("{again} before this {} was shown.", unarmed.what));
        self.cx.out.simply(Id::TooEarly);
    }

    /// Says that a key does nothing, behind what became of a request.
    fn say_unbound(&mut self, key: Key) {
        // Esc and another key, pressed one after the other, arrive as Alt.
        if matches!(key, Key::Alt(_)) {
            return;
        }
        let has_outcome = self.cx.out.status.message.as_ref().is_some_and(|message| message.outcome.is_some());
        let text = describe_unbound(key, &self.cx.out.keys);
        if has_outcome {
            return self.cx.out.status.add_of_key(&text, self.cx.out.now);
        }
        self.cx.out.say_here(text);
        self.cx.out.simply(Id::KeyDoesNothing.with("key", key.to_string()));
        self.cx.out.simply(Id::KeyHelps.with("key", self.cx.key(Command::Help)));
    }

    /// Shows a key to an audience, if there is one; on the tour, those that it presses.
    pub(super) fn show_key(&mut self, key: Key) {
        if self.cx.display.presenting {
            if self.pressed.len() == PRESSED {
                self.pressed.pop_front();
            }
            self.pressed.push_back(key);
        }
    }

    /// Puts text into the field that has the cursor.
    pub(super) fn type_text(&mut self, typed: Typed<'_>) {
        let (front, cx) = self.front_mut();
        front.type_text(typed, cx);
    }

    /// Handles the mouse, except while the terminal is too small, and on the tour.
    pub(super) fn touch(&mut self, handle: impl FnOnce(&mut Self)) {
        if !self.cx.display.layout.too_small && self.tour.is_none() {
            self.cx.out.status.fade(self.cx.out.now);
            handle(self);
        }
    }

    fn click(&mut self, target: Target, timing: Timing, unarmed: Option<Arming>) {
        let command = match target {
            Target::Command(command) => Some(command),
            // The marked one is taken.
            Target::Line(_) => Some(Command::Choose),
            _ => None,
        };
        if let Some(arming) = self.kept_out(unarmed, command) {
            return self.say_too_early("Click again: it was done", arming);
        }
        match target {
            Target::Command(command) => self.perform_unless_held(command, timing, "Click"),
            Target::Pane if self.dialogs.is_empty() => self.perform(Command::Open),
            target => {
                let (front, cx) = self.front_mut();
                front.click(target, cx);
            }
        }
    }

    /// Handles one step of the mouse wheel: in a dialog, scrolls its text, or does what a key does that moves.
    fn wheel(&mut self, over: Target, down: bool) {
        let Some(dialog) = self.dialogs.front_mut() else {
            return self.screens.get_mut(self.cx.display.tab).scroll(over, down, &mut self.cx);
        };
        let dialog = dialog.layer_mut();
        let command = match (over, down) {
            (Target::Text, _) => {
                let lines = if down { WHEEL } else { -WHEEL };
                return dialog.viewport().into_iter().for_each(|viewport| viewport.scroll(lines));
            }
            (Target::Line(_) | Target::Field(_), true) => Command::Down,
            (Target::Line(_), false) => Command::Up,
            (Target::Choice(_), true) => Command::Next,
            (Target::Choice(_) | Target::Field(_), false) => Command::Previous,
            _ => return,
        };
        // Where nothing moves, there is nothing to say.
        let _moved = dialog.perform(command, &mut self.cx);
    }

    pub(super) fn drawn(&mut self, layout: FrameLayout, at: Duration) {
        self.cx.display.layout = layout;
        self.recent.escapes.drawn(at);
        self.cx.screen.pane.fits(layout.pane_lines, layout.pane_page);
        self.screens.get_mut(self.cx.display.tab).drawn(&layout, &mut self.cx);
        if layout.too_small {
            self.frame_lost();
        } else if let Some(dialog) = self.dialogs.front_mut() {
            dialog.layer_mut().drawn(&layout, &mut self.cx);
        }
        if !layout.too_small {
            self.dialogs.armings().for_each(|arming| arming.drawn(at));
        }
    }
}
