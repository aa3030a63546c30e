//! The outbox: what components emit besides drawing. Effects for the runtime, UI effects for the app, messages for the
//! status line.

use std::collections::VecDeque;
use std::fmt;

use super::effect::Effect;
use super::input::{Command, Keymap};
use super::session::question::Question;
use super::status::{Mode, Notice, Status, StatusMessage};
use super::ui_effect::{Open, UiEffect};
use crate::domain::{Message, Timestamp};

#[derive(Debug, Default)]
pub struct Outbox {
    pub now: Timestamp,
    pub keys: Keymap,
    pub status: Status,
    /// Number of keys that were pressed.
    pub keys_pressed: u64,
    pub(super) effects: Vec<Effect>,
    pub(super) ui_effects: VecDeque<UiEffect>,
}

impl Outbox {
    pub fn new(keys: Keymap) -> Self {
        Self { keys, ..Self::default() }
    }

    fn message(&mut self, text: impl Into<String>) -> &mut StatusMessage {
        self.status.message.insert(StatusMessage::new(text, self.now))
    }

    /// Shows a message on the status line.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message(text);
    }

    /// Shows a message that has words for an audience, too.
    pub fn say_in_both(&mut self, text: impl Into<String>, simple: Vec<Message>) {
        self.message(text).simple = simple;
    }

    /// Adds a sentence in words for an audience to the message on the status line.
    pub fn simply(&mut self, simple: impl Into<Message>) {
        let simple = simple.into();
        self.status.message.iter_mut().for_each(|message| message.simple.push(simple.clone()));
    }

    /// Shows a message that is only about the tab or the dialog in front.
    pub fn say_here(&mut self, text: impl Into<String>) {
        self.message(text).is_local = true;
    }

    /// Says why a question does not come.
    pub fn asks_nothing(&mut self, why: impl Into<String>) {
        self.say_here(why);
        self.ui_effect(UiEffect::DropWaiting);
    }

    /// Shows a message that explains a mode until the mode ends.
    pub fn say_of_mode(&mut self, mode: Mode, text: impl Into<String>) {
        self.message(text).mode = Some(mode);
    }

    /// Appends a sentence to the message on the status line.
    pub fn say_also(&mut self, text: &str) {
        self.status.add(text, self.now);
    }

    /// The same with a sentence that has words for an audience, too.
    pub fn say_also_in_both(&mut self, text: &str, simple: Message) {
        if self.status.message.is_none() {
            return self.say_in_both(text, vec![simple]);
        }
        self.say_also(text);
        self.status.message.iter_mut().for_each(|message| message.simple_rest.push(simple.clone()));
    }

    pub fn say_not_suspended(&mut self) {
        let (suspend, undo) = (self.key(Command::Suspend), self.key(Command::Undo));
        self.say(format!("{suspend} does nothing here: no shell could resume the program. {undo} is for undo."));
    }

    /// Shows a notice until a person dismisses it.
    pub fn notice(&mut self, text: impl Into<String>) {
        self.status.notice(Notice::new(text));
    }

    pub fn cannot_read(&mut self, why: impl fmt::Display) {
        self.notice(format!("The journal could not be read: {why}"));
    }

    pub fn not_recorded(&mut self, why: impl fmt::Display) {
        self.notice(format!("The journal could not record this: {why}"));
    }

    /// Returns what the journal returned, or shows a notice that it could not be read.
    pub fn read<T>(&mut self, result: Result<T, impl fmt::Display>) -> Option<T> {
        result.map_err(|why| self.cannot_read(why)).ok()
    }

    pub fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub fn effects(&mut self, effects: impl IntoIterator<Item = Effect>) {
        self.effects.extend(effects);
    }

    pub fn ui_effect(&mut self, effect: UiEffect) {
        self.ui_effects.push_back(effect);
    }

    /// Opens a dialog behind the open ones.
    pub fn open(&mut self, open: Open) {
        self.ui_effect(UiEffect::Open(open));
    }

    pub fn ask(&mut self, question: Question) {
        self.open(Open::Confirm(Box::new(question)));
    }

    pub fn close(&mut self) {
        self.ui_effect(UiEffect::Close);
    }

    /// Returns the key that messages name for a command.
    pub fn key(&self, command: Command) -> String {
        self.keys.shown(command)
    }
}
