//! Copying: what goes to the clipboard, and what is said about it.
//!
//! The text travels in the terminal's own output (OSC 52), so that it arrives over SSH; whether
//! the terminal takes it, it does not say.

use crate::domain::sentence::row_called;
use crate::domain::text::clean_bytes;
use crate::domain::{Exchange, curl};

use super::message::Effect;
use super::model::Model;

/// Bytes from which on some terminals refuse the text.
const LONG: usize = 50_000;

impl Model {
    fn last_exchange(&self) -> Option<&Exchange> {
        self.selected_story()?.exchanges.first()
    }

    /// The last request to the selected plant as a command.
    pub(super) fn last_as_curl(&self) -> Option<String> {
        curl::command(self.last_exchange()?)
    }

    /// The body of the last answer about it; what would steer a terminal is written out.
    pub(super) fn last_answer(&self) -> Option<String> {
        let body = self.last_exchange()?.answer()?.body.as_slice();
        let lines: Vec<_> = body.split(|byte| *byte == b'\n').map(clean_bytes).collect();
        (!body.is_empty()).then(|| lines.join("\n"))
    }

    pub(super) fn copy_as_curl(&mut self) -> Vec<Effect> {
        let caution = self.last_exchange().map(|exchange| curl::caution(exchange.outcome())).unwrap_or_default();
        let text = self.last_as_curl();
        self.copy(text, "The last request as curl", caution)
    }

    pub(super) fn copy_answer(&mut self) -> Vec<Effect> {
        let text = self.last_answer();
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
