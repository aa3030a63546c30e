//! The palette: every command of the tabs by its name, over the same table as the keys, and why one would do
//! nothing now.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::list::{ListDialog, action_in_list, click_in_list, wheel_in_list};
use crate::domain::text::{clean_padded, in_lower_case};
use crate::tui::component::{Action, Component, Reason, Typed, called};
use crate::tui::context::Context;
use crate::tui::input::{Binding, Command, Scope};
use crate::tui::message::{FrameLayout, Target};
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::text::{fitted, wrapped_lines};
use crate::tui::widgets::theme::Theme;

/// Columns of a key.
const KEY: usize = 7;
/// Columns of a command's name.
const NAME: usize = 14;

/// A command on offer.
#[derive(Debug, Clone)]
pub(crate) struct Offered {
    pub binding: Binding,
    /// Why it would do nothing now.
    pub unavailable: Option<Reason>,
}

#[derive(Debug, Default)]
pub(crate) struct Palette {
    /// What there is to offer now; the app keeps it fresh.
    pub offers: Vec<Offered>,
    picker: Picker,
}

impl Palette {
    /// What there is for what is typed.
    fn fitting(&self) -> Vec<&Offered> {
        let words = self.picker.words();
        let fits = |offered: &&Offered| {
            let Binding { name, help, .. } = &offered.binding;
            let text = in_lower_case(&format!("{} {help}", name.replace('-', " ")));
            words.iter().all(|word| text.contains(word))
        };
        self.offers.iter().filter(fits).collect()
    }
}

impl ListDialog for Palette {
    fn picker(&mut self) -> &mut Picker {
        &mut self.picker
    }

    fn count(&self, _cx: &Context) -> usize {
        self.fitting().len()
    }

    fn choose(&mut self, cx: &mut Context) {
        if let Some(Offered { binding, .. }) = self.fitting().get(self.picker.marked) {
            cx.out.close();
            cx.out.ui_effect(UiEffect::Command(binding.scope, binding.command));
        }
    }
}

impl Component for Palette {
    fn scope(&self) -> Scope {
        Scope::Picker
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Choose => called("do it", Self::choose),
            _ => action_in_list(command),
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        self.picker.take(typed);
    }

    fn drawn(&mut self, layout: &FrameLayout) {
        self.picker.fits(layout.reader_page);
    }

    fn draw(&self, _cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (theme, offers) = (canvas.theme, self.fitting());
        let none = |width| wrapped_lines("No action has this in its name or sentence.", 2, width, 2, theme.dim);
        let shown = Shown {
            title: "Every action",
            hint: "a word of what you want to do",
            note: &|_| Vec::new(),
            count: offers.len(),
            instead: &none,
        };
        self.picker.draw(&shown, area, canvas, |at, width| {
            offers.get(at).map(|offered| line(offered, at == self.picker.marked, theme, width)).unwrap_or_default()
        });
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        click_in_list(self, target, cx);
    }

    fn wheel(&mut self, over: Target, down: bool, cx: &mut Context) {
        wheel_in_list(self, over, down, cx);
    }

    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        Some(vec![self.picker.text.text().to_owned()])
    }

    #[cfg(test)]
    fn marked_line(&self, cx: &Context) -> Option<(usize, usize)> {
        Some((self.picker.marked, self.count(cx)))
    }
}

/// Key, name and sentence; the reason in its place where it would do nothing.
fn line(offered: &Offered, marked: bool, theme: &Theme, width: usize) -> Line<'static> {
    let Binding { keys, name, help, .. } = &offered.binding;
    let key = keys.first().map(ToString::to_string).unwrap_or_default();
    let pointer = if marked { theme.mark("▸ ", "> ") } else { "  " };
    let rest = width.saturating_sub(2 + KEY + 1 + NAME + 1);
    let (key_style, style, words) = match offered.unavailable {
        None => (theme.key, theme.text, (*help).to_owned()),
        Some(reason) => (theme.dim, theme.dim, format!("not now: {reason}")),
    };
    Line::from(vec![
        Span::styled(pointer, theme.key),
        Span::styled(format!("{} ", clean_padded(&key, KEY)), key_style),
        Span::styled(format!("{} ", clean_padded(&name.replace('-', " "), NAME)), style),
        fitted(&words, rest, style),
    ])
}
