//! Copying: what goes to the clipboard, and what is said about it.
//!
//! The text travels in the terminal's own output (OSC 52), so that it arrives over SSH; whether
//! the terminal takes it, it does not say.

use crate::domain::sentence::row_called;
use crate::domain::text::clean_lines;
use crate::domain::{Exchange, curl};

use super::message::Effect;
use super::model::Model;

/// Bytes from which on some terminals refuse the text.
const LONG: usize = 50_000;

impl Model {
    fn last_exchange(&self) -> Option<&Exchange> {
        self.selected_story()?.exchanges.first()
    }

    /// Whether a request to the selected plant is kept. Asked for every frame, so it makes no text.
    pub(super) fn has_last_request(&self) -> bool {
        self.last_exchange().is_some_and(|exchange| exchange.request.is_some())
    }

    /// Whether the body of an answer about it is kept, likewise.
    pub(super) fn has_last_answer(&self) -> bool {
        self.last_exchange().and_then(Exchange::answer).is_some_and(|answer| !answer.body.is_empty())
    }

    pub(super) fn copy_as_curl(&mut self) -> Vec<Effect> {
        let Some(exchange) = self.last_exchange() else { return Vec::new() };
        let (text, caution) = (curl::command(exchange), curl::caution(exchange.outcome()));
        self.copy(text, "The last request as curl", caution)
    }

    /// What would steer a terminal is written out.
    pub(super) fn copy_answer(&mut self) -> Vec<Effect> {
        let text = self.last_exchange().and_then(Exchange::answer).map(|answer| clean_lines(&answer.body));
        self.copy(text, "The last answer", "")
    }

    fn copy(&mut self, text: Option<String>, what: &str, then: &str) -> Vec<Effect> {
        let (Some(text), Some(row)) = (text, self.table.selected_row()) else { return Vec::new() };
        let bytes = text.len();
        let long = if bytes > LONG { "; some terminals take less" } else { "" };
        let plant = row_called(row);
        self.says(&format!(
            "{what} of {plant} went to the clipboard ({bytes} bytes, by OSC 52{long}). In tmux: set -g set-clipboard on. {then}"
        ));
        vec![Effect::Copy(text)]
    }
}
