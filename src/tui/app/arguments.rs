//! What the commands of the palette do with their arguments, where no dialog or question does it.

use std::path::Path;

use super::App;
use crate::config::ThemeChoice;
use crate::config::new_profile::SaveFault;
use crate::config::new_theme::theme_line;
use crate::text::shown_path;
use crate::tui::component::Typed;
use crate::tui::context::Colors;
use crate::tui::effect::Effect;
use crate::tui::screen::sorting::Sortable as _;
use crate::tui::ui_effect::{SortBy, Tab};

impl App {
    /// Replaces the filter of the active tab.
    pub(super) fn filter_by(&mut self, text: &str) {
        let screen = self.screens.get_mut(self.cx.display.tab);
        screen.show_all(&mut self.cx);
        screen.type_text(Typed::Paste(text), &mut self.cx);
    }

    pub(super) fn sort_by(&mut self, by: SortBy) {
        match by {
            SortBy::Plants { .. } => self.go_to(Tab::Plants),
            SortBy::Requests { .. } => self.go_to(Tab::History),
        }
        let Self { screens, cx, .. } = self;
        match by {
            SortBy::Plants { column, reversed: false } => screens.plants.sort_by(column, cx),
            SortBy::Plants { column, reversed: true } => screens.plants.sort_reversed(column, cx),
            SortBy::Requests { column, reversed: false } => screens.history.sort_by(column, cx),
            SortBy::Requests { column, reversed: true } => screens.history.sort_reversed(column, cx),
        }
    }

    pub(super) fn use_theme(&mut self, theme: ThemeChoice) {
        self.cx.display.theme = theme;
        self.cx.out.effect(Effect::UseTheme(theme));
        self.cx.out.effect(Effect::SaveTheme(theme));
    }

    /// Says that a theme is kept for the next start, or which line would keep it.
    pub(super) fn theme_saved(&mut self, theme: ThemeChoice, file: &Path, written: Result<(), SaveFault>) {
        let (name, file) = (theme.word(), shown_path(file));
        match written {
            Ok(()) => self.cx.out.say(format!("Theme {name}, saved in {file}.")),
            Err(why) => {
                let line = theme_line(theme);
                self.cx.out.say(format!("Theme {name}, for this session."));
                let step = format!("To keep it, set at the top of the file: {line}");
                self.cx.out.notice(format!("Theme {name} is not saved in {file}: {why}. {step}"));
            }
        }
        if self.cx.display.colors == Colors::Off && theme != ThemeChoice::Mono {
            self.cx.out.say_also("NO_COLOR or --no-color overrides it: this session has no colours.");
        }
    }
}
