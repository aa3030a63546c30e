//! The keys that answer a question, shown before the choices that they take.

use ratatui::text::Span;
use unicode_width::UnicodeWidthStr;

use crate::tui::context::Context;
use crate::tui::input::{Command, Scope};
use crate::tui::widgets::theme::Theme;

pub(super) struct AnswerKeys {
    /// That of each choice, if it has one.
    keys: Vec<Option<String>>,
    /// Columns of a key, with the gap behind it.
    width: usize,
}

impl AnswerKeys {
    /// Takes for each choice the command of its key in a dialog of this scope.
    pub(super) fn new(cx: &Context, scope: Scope, choices: impl Iterator<Item = Option<Command>>) -> Self {
        let key = |command: Option<Command>| {
            let binding = cx.out.keys.here(scope).find(|binding| Some(binding.command) == command)?;
            binding.keys.first().map(ToString::to_string)
        };
        let keys: Vec<_> = choices.map(key).collect();
        let width = keys.iter().flatten().map(|key| key.width() + 2).max().unwrap_or(0);
        Self { keys, width }
    }

    /// Returns the key of a choice.
    pub(super) fn of(&self, choice: usize) -> Option<&str> {
        self.keys.get(choice)?.as_deref()
    }

    /// Returns the columns of what stands before a choice.
    pub(super) fn columns(&self) -> usize {
        2 + self.width
    }

    /// Returns what stands before a choice: the pointer if it is marked, and its key.
    pub(super) fn before(&self, choice: usize, is_marked: bool, theme: &Theme) -> Span<'static> {
        let key = self.of(choice).unwrap_or_default();
        let pointer = theme.pointer(is_marked);
        Span::styled(format!("{}{key:<1$}", pointer.content, self.width), pointer.style)
    }
}
