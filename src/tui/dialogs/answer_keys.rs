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
    /// Takes the index of each choice with a key, and the command of that key in a dialog of this scope.
    pub(super) fn new(cx: &Context, scope: Scope, choices: impl IntoIterator<Item = (usize, Command)>) -> Self {
        let key = |command| {
            let binding = cx.out.keys.here(scope).find(|binding| binding.command == command)?;
            binding.keys.first().map(ToString::to_string)
        };
        let keys: Vec<_> = choices.into_iter().filter_map(|(at, command)| Some((at, key(command)?))).collect();
        let width = keys.iter().map(|(_, key)| key.width() + 2).max().unwrap_or(0);
        Self { keys, width }
    }

    /// Returns the key of a choice.
    pub(super) fn of(&self, choice: usize) -> Option<&str> {
        self.keys.iter().find(|(at, _)| *at == choice).map(|(_, key)| key.as_str())
    }

    /// Returns what stands before a choice: the pointer if it is marked, and its key.
    pub(super) fn before(&self, choice: usize, is_marked: bool, theme: &Theme) -> Span<'static> {
        let key = self.of(choice).unwrap_or_default();
        let pointer = theme.pointer(is_marked);
        Span::styled(format!("{}{key:<1$}", pointer.content, self.width), pointer.style)
    }
}
