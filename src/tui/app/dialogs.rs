//! The dialogs that are open, and those that open as they close.

use std::collections::VecDeque;

use super::dialog::Dialog;

/// The dialog in front, the ones that it covers, and behind them the ones that wait for their turn.
#[derive(Debug, Default)]
pub(super) struct Dialogs {
    /// The first one is in front. Not empty while another one waits.
    open: VecDeque<Dialog>,
    /// Opened by themselves while another one was in front, the oldest first.
    pub(super) waiting: VecDeque<Dialog>,
}

impl Dialogs {
    pub(super) fn front(&self) -> Option<&Dialog> {
        self.open.front()
    }

    pub(super) fn front_mut(&mut self) -> Option<&mut Dialog> {
        self.open.front_mut()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Iterates over all of them, from the front on.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Dialog> {
        self.open.iter().chain(&self.waiting)
    }

    /// Whether there is such a dialog, open or waiting.
    pub(super) fn has(&self, is_it: impl Fn(&Dialog) -> bool) -> bool {
        self.iter().any(is_it)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Dialog> {
        self.open.iter_mut().chain(&mut self.waiting)
    }

    /// Opens a dialog, once the others are closed.
    pub(super) fn enqueue(&mut self, mut dialog: Dialog) {
        if !self.is_empty() {
            dialog.layer_mut().covered();
        }
        self.waiting.push_back(dialog);
        self.open_next();
    }

    /// Opens a dialog in front of the others.
    pub(super) fn cover(&mut self, dialog: Dialog) {
        if let Some(front) = self.front_mut() {
            front.layer_mut().covered();
        }
        self.open.push_front(dialog);
    }

    /// Closes the dialog in front.
    pub(super) fn close(&mut self) {
        self.open.pop_front();
        self.open_next();
    }

    /// Replaces the dialog in front; `None` only closes it.
    pub(super) fn replace_front(&mut self, dialog: Option<Dialog>) {
        self.open.pop_front();
        if let Some(dialog) = dialog {
            self.cover(dialog);
        }
        self.open_next();
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&Dialog) -> bool) {
        self.open.retain(&keep);
        self.waiting.retain(keep);
        self.open_next();
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn open_next(&mut self) {
        if self.open.is_empty() {
            self.open.extend(self.waiting.pop_front());
        }
    }
}
