//! How a component speaks to the outside: words on the status line, effects, outcomes.

use std::collections::VecDeque;
use std::fmt;

use super::effect::Effect;
use super::input::{Command, Keymap};
use super::outcome::{Open, Outcome};
use super::question::Question;
use super::status::{Notice, Status};
use crate::domain::Timestamp;

#[derive(Debug)]
pub struct Outbox {
    pub now: Timestamp,
    pub keys: Keymap,
    pub status: Status,
    pub(super) effects: Vec<Effect>,
    pub(super) outcomes: VecDeque<Outcome>,
}

impl Outbox {
    pub fn new(keys: Keymap) -> Self {
        Self {
            now: Timestamp::default(),
            keys,
            status: Status::default(),
            effects: Vec::new(),
            outcomes: VecDeque::new(),
        }
    }

    /// Puts one sentence on the status line.
    pub fn say(&mut self, text: impl Into<String>) {
        self.status.say(text, self.now);
    }

    /// Adds a sentence to the status line.
    pub fn say_also(&mut self, text: &str) {
        self.status.add(text, self.now);
    }

    pub fn cannot_read(&mut self, why: impl fmt::Display) {
        self.status.notice(Notice::new(format!("The journal could not be read: {why}")));
    }

    pub fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub fn effects(&mut self, effects: impl IntoIterator<Item = Effect>) {
        self.effects.extend(effects);
    }

    pub fn outcome(&mut self, outcome: Outcome) {
        self.outcomes.push_back(outcome);
    }

    pub fn open(&mut self, open: Open) {
        self.outcome(Outcome::Open(open));
    }

    pub fn ask(&mut self, question: Question) {
        self.open(Open::Confirm(Box::new(question)));
    }

    pub fn close(&mut self) {
        self.outcome(Outcome::Close);
    }

    /// The key that sentences name for a command.
    pub fn key(&self, command: Command) -> String {
        self.keys.shown(command)
    }
}
