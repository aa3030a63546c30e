//! The message on the status line, and the notices, which stay until a person dismisses them.

use std::collections::VecDeque;

use crate::domain::{Message, Outcome, Timestamp};

/// Milliseconds after which a message disappears: one about a request, and any other.
const FADES_AFTER: (i64, i64) = (10_000, 2_000);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatusMessage {
    /// The outcome, if the message is about a request.
    pub outcome: Option<Outcome>,
    pub text: String,
    /// The bytes of the text that the picture of the Greenhouse says, too; what follows is such as what to do next.
    pub pictured: Option<usize>,
    /// The text in words for an audience, and what follows it; empty where it has none.
    pub simple: Vec<Message>,
    pub simple_rest: Vec<Message>,
    /// The sentence about a key that does nothing, which the next one replaces.
    pub of_key: Option<String>,
    pub mismatches: Vec<String>,
    pub at: Timestamp,
    /// Whether it is only about what is on screen: it disappears with the tab, and in a dialog with the next command.
    pub is_local: bool,
    /// The mode that it explains, with which it disappears.
    pub mode: Option<Mode>,
}

/// A state in which keys do something else, until it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A list waits for the number of a column to sort by.
    Sorting,
    /// Marks follow the selection.
    Range,
}

/// A message that stays until a person dismisses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub text: String,
    /// Whether it is about unknown plants: it is removed once fewer are unknown.
    pub of_unknown: bool,
}

impl Notice {
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), of_unknown: false }
    }

    pub fn of_unknown(text: impl Into<String>) -> Self {
        Self { text: text.into(), of_unknown: true }
    }
}

#[derive(Debug, Default)]
pub struct Status {
    pub message: Option<StatusMessage>,
    pub notices: VecDeque<Notice>,
}

impl StatusMessage {
    pub fn new(text: impl Into<String>, at: Timestamp) -> Self {
        Self { text: text.into(), at, ..Self::default() }
    }

    /// What the picture does not say of a message that it does say.
    pub fn beside_picture(&self) -> Option<&str> {
        Some(self.text.get(self.pictured?..)?.trim_start())
    }
}

impl Status {
    /// Removes a message about what was on screen.
    pub fn leave(&mut self) {
        self.message.take_if(|message| message.is_local);
    }

    /// Removes the message about a request that offers this key, once it is pressed.
    pub fn take_up(&mut self, key: &str) {
        let offers = |rest: &str| rest.strip_prefix(key).is_some_and(|does| does.starts_with(' '));
        self.message.take_if(|message| message.beside_picture().is_some_and(offers));
    }

    /// Appends a sentence to the message.
    pub fn add(&mut self, text: &str, at: Timestamp) {
        match &mut self.message {
            Some(StatusMessage { text: said, .. }) => {
                if !said.is_empty() {
                    said.push(' ');
                }
                said.push_str(text);
            }
            None => self.message = Some(StatusMessage::new(text, at)),
        }
    }

    /// Appends a sentence about a key that does nothing, or replaces the one there with it.
    pub fn add_of_key(&mut self, text: &str, at: Timestamp) {
        if let Some(message) = &mut self.message
            && let Some(before) = message.of_key.replace(text.to_owned())
            && let Some(said) = message.text.strip_suffix(&before)
        {
            message.text.truncate(said.trim_end().len());
        }
        self.add(text, at);
    }

    /// Adds a notice, unless an equal one is shown.
    pub fn notice(&mut self, notice: Notice) {
        if !self.notices.contains(&notice) {
            self.notices.push_back(notice);
        }
    }

    /// Removes an old message. Called on input, so that no timer has to run.
    pub fn fade(&mut self, now: Timestamp) {
        let (of_exchange, other) = FADES_AFTER;
        let lasts = |message: &StatusMessage| if message.outcome.is_some() { of_exchange } else { other };
        let is_old = |message: &StatusMessage| now.0.saturating_sub(message.at.0) > lasts(message);
        self.message.take_if(|message| message.mode.is_none() && is_old(message));
    }
}
