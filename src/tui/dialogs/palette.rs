//! The palette: every command of the tabs by name, from the table of keys, and why one cannot be done now.

use ratatui::text::{Line, Span};

use super::list::{ListDialog, action_in_list};
use crate::domain::text::clean_padded;
use crate::tui::component::{Action, Reason, called};
use crate::tui::context::Context;
use crate::tui::input::{Binding, Command};
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::theme::Theme;

/// Columns of a key.
const KEY: usize = 7;
/// Columns of a command's name.
const NAME: usize = 14;

/// A command of the palette.
#[derive(Debug, Clone)]
pub(crate) struct Offered {
    pub binding: Binding,
    /// Why the command cannot be done now.
    pub unavailable: Option<Reason>,
}

#[derive(Debug, Default)]
pub(crate) struct Palette {
    /// All commands at present; updated by the app.
    pub offers: Vec<Offered>,
    picker: Picker,
}

impl Palette {
    fn matching(&self) -> Vec<&Offered> {
        let matches = self.picker.matcher();
        let text = |Binding { name, help, .. }: &Binding| format!("{} {help}", name.replace('-', " "));
        self.offers.iter().filter(|offered| matches(&text(&offered.binding))).collect()
    }
}

impl ListDialog for Palette {
    fn picker(&self) -> &Picker {
        &self.picker
    }

    fn picker_mut(&mut self) -> &mut Picker {
        &mut self.picker
    }

    fn count(&self, _cx: &Context) -> usize {
        self.matching().len()
    }

    fn shown<'a>(&'a self, _cx: &'a Context, theme: &'a Theme) -> Shown<'a> {
        let offers = self.matching();
        Shown {
            title: "Every command",
            hint: "a word of what you want to do",
            note: None,
            count: offers.len(),
            empty: "No command has this in its name or description.",
            line: Box::new(move |at, width| {
                offers.get(at).map(|offered| line(offered, at == self.picker.marked, theme, width)).unwrap_or_default()
            }),
        }
    }

    fn choose(&mut self, cx: &mut Context) {
        if let Some(Offered { binding, .. }) = self.matching().get(self.picker.marked) {
            cx.out.close();
            cx.out.ui_effect(UiEffect::Command(binding.scope, binding.command));
        }
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Choose => called("do it", Self::choose),
            _ => action_in_list(command),
        }
    }
}

/// `▸ a       add            add a plant`, or why it cannot be done in the place of its description.
fn line(offered: &Offered, marked: bool, theme: &Theme, width: usize) -> Line<'static> {
    let Binding { keys, name, help, .. } = &offered.binding;
    let key = keys.first().map(ToString::to_string).unwrap_or_default();
    let rest = width.saturating_sub(2 + KEY + 1 + NAME + 1);
    let (key_style, style, words) = match offered.unavailable {
        None => (theme.key, theme.text, (*help).to_owned()),
        Some(reason) => (theme.dim, theme.dim, format!("not now: {reason}")),
    };
    Line::from(vec![
        theme.pointer(marked),
        Span::styled(format!("{} ", clean_padded(&key, KEY)), key_style),
        Span::styled(format!("{} ", clean_padded(&name.replace('-', " "), NAME)), style),
        fitted(&words, rest, style),
    ])
}
