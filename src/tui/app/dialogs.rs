//! The dialogs that are open, and those that open as they close.

use std::collections::VecDeque;

use super::dialog::Dialog;
use crate::terminal::Timing;
use crate::tui::input::Scope;
use crate::tui::input::arming::Arming;

/// The dialog in front, the ones that it covers, and behind them the ones that wait for their turn.
#[derive(Debug, Default)]
pub(super) struct Dialogs {
    /// The first one is in front. Not empty while another one waits.
    open: VecDeque<Dialog>,
    /// Opened by themselves while another one was in front, the oldest first.
    pub(super) waiting: VecDeque<Dialog>,
    /// Whether what changes now is no input's doing.
    pub(super) by_itself: bool,
    /// Of the dialog, or the tab, that came in front by itself.
    unexpected: Option<Arming>,
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
    pub(super) fn enqueue(&mut self, dialog: Dialog) {
        if self.is_empty() {
            self.cover(dialog);
        } else {
            self.waiting.push_back(dialog);
        }
    }

    /// Opens a dialog in front of the others.
    pub(super) fn cover(&mut self, dialog: Dialog) {
        if let Some(front) = self.front_mut() {
            front.layer_mut().covered();
        }
        self.open.push_front(dialog);
        self.front_changed(self.by_itself);
    }

    /// Closes the dialog in front.
    pub(super) fn close(&mut self) {
        self.replace_front(None);
    }

    /// Replaces the dialog in front; `None` only closes it.
    pub(super) fn replace_front(&mut self, dialog: Option<Dialog>) {
        self.open.pop_front();
        match dialog {
            Some(dialog) => self.cover(dialog),
            None => self.open_next(),
        }
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&Dialog) -> bool) {
        let closes = self.front().is_some_and(|front| !keep(front));
        self.open.retain(&keep);
        self.waiting.retain(keep);
        if closes {
            self.open_next();
        }
    }

    pub(super) fn clear(&mut self) {
        self.retain(|_| false);
    }

    /// Brings in front what was behind: another dialog, one that waits, or the tab.
    fn open_next(&mut self) {
        let next = if self.open.is_empty() { self.waiting.pop_front() } else { None };
        let by_itself = self.by_itself || next.is_some();
        self.open.extend(next);
        self.front_changed(by_itself);
    }

    /// Takes note that another dialog, or the tab, is in front. A question keeps everything out itself.
    fn front_changed(&mut self, by_itself: bool) {
        let scope = self.front().map(|dialog| dialog.layer().scope());
        let asks = matches!(scope, Some(Scope::Question | Scope::Preview));
        let what = if scope.is_some() { "dialog" } else { "tab" };
        self.unexpected = (by_itself && !asks).then(|| Arming::of_unexpected(what));
    }

    /// Takes note of an input. Returns what is in front if the input was not meant for it.
    pub(super) fn unarmed(&mut self, input: Timing) -> Option<Arming> {
        self.unexpected.take_if(|unexpected| unexpected.meets(input));
        let own = self.front_mut().and_then(|dialog| dialog.layer_mut().arming());
        let own = own.and_then(|arming| (!arming.meets(input)).then_some(*arming));
        self.unexpected.or(own)
    }

    /// Iterates over what has to be seen before it takes an answer.
    pub(super) fn armings(&mut self) -> impl Iterator<Item = &mut Arming> {
        let own = self.open.front_mut().and_then(|dialog| dialog.layer_mut().arming());
        self.unexpected.iter_mut().chain(own)
    }
}
