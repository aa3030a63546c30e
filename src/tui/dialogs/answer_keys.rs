//! The keys that answer a question, shown before the choices that they take.

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

use crate::tui::context::Context;
use crate::tui::input::{Command, Scope};
use crate::tui::widgets::theme::Theme;

pub(super) struct AnswerKeys {
    /// Each with the index of its choice.
    keys: Vec<(usize, String)>,
    /// Columns of a key, with the gap behind it.
    width: usize,
}

impl AnswerKeys {
    /// Takes the indices of the choices for "no" and for "yes", where there are such choices.
    pub(super) fn new(cx: &Context, no: Option<usize>, yes: Option<usize>) -> Self {
        let key = |at: Option<usize>, command| Some((at?, cx.out.keys.shown_in(Scope::Confirm, command)));
        let keys: Vec<_> = key(no, Command::No).into_iter().chain(key(yes, Command::Yes)).collect();
        let width = keys.iter().map(|(_, key)| key.width() + 2).max().unwrap_or(0);
        Self { keys, width }
    }

    /// Returns what stands before a choice: the pointer if it is marked, and its key.
    pub(super) fn before(&self, choice: usize, is_marked: bool, theme: &Theme) -> Span<'static> {
        let key = self.keys.iter().find(|(at, _)| *at == choice).map_or("", |(_, key)| key.as_str());
        let pointer = theme.pointer(is_marked);
        Span::styled(format!("{}{key:<1$}", pointer.content, self.width), pointer.style)
    }
}
