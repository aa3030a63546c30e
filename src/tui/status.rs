//! What the program says: the last status message, and notices that stay until they are read.

use std::collections::VecDeque;

use crate::domain::{Outcome, Timestamp};

/// Milliseconds after which a message makes room: one about an exchange, and another.
const FADES_AFTER: (i64, i64) = (10_000, 2_000);

/// One sentence about what just happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusMessage {
    /// What it proves, if it is about an exchange.
    pub outcome: Option<Outcome>,
    pub text: String,
    pub mismatches: Vec<String>,
    pub at: Timestamp,
}

/// Something that stays on screen until it is read away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub text: String,
    /// Whether it is about unknown plants: it goes once there is none.
    pub of_unknown: bool,
}

impl Notice {
    /// A notice that only a person takes away.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), of_unknown: false }
    }

    pub fn of_unknown(text: impl Into<String>) -> Self {
        Self { text: text.into(), of_unknown: true }
    }
}

/// What the status line and the notices show.
#[derive(Debug, Default)]
pub struct Status {
    pub message: Option<StatusMessage>,
    pub notices: VecDeque<Notice>,
}

impl Status {
    pub fn say(&mut self, text: impl Into<String>, at: Timestamp) {
        self.message = Some(StatusMessage { outcome: None, text: text.into(), mismatches: Vec::new(), at });
    }

    /// Adds a sentence to the message.
    pub fn add(&mut self, text: &str, at: Timestamp) {
        match &mut self.message {
            Some(message) => {
                message.text.push(' ');
                message.text.push_str(text);
            }
            None => self.say(text, at),
        }
    }

    /// A notice is shown once, however often it is given.
    pub fn notice(&mut self, notice: Notice) {
        if !self.notices.contains(&notice) {
            self.notices.push_back(notice);
        }
    }

    /// Takes an old message away, at the next sign of a person: no timer runs for it.
    pub fn fade(&mut self, now: Timestamp) {
        let (of_exchange, other) = FADES_AFTER;
        let lasts = |message: &StatusMessage| if message.outcome.is_some() { of_exchange } else { other };
        self.message.take_if(|message| now.0.saturating_sub(message.at.0) > lasts(message));
    }
}
