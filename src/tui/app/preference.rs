//! What is said once a setting is kept for the next start.

use std::path::Path;

use super::App;
use crate::config::ThemeChoice;
use crate::config::new_profile::SaveFault;
use crate::config::preference::Preference;
use crate::text::{capitalized, shown_path};
use crate::tui::context::Colors;

impl App {
    /// Says that a setting is kept for the next start, or which line would keep it.
    pub(super) fn preference_saved(&mut self, preference: Preference, file: &Path, written: Result<(), SaveFault>) {
        let what = format!("{} {}", capitalized(preference.key()), preference.word());
        let file = shown_path(file);
        match written {
            Ok(()) => self.cx.out.say(format!("{what}, saved in {file}.")),
            Err(why) => {
                let line = preference.line();
                self.cx.out.say(format!("{what}, for this session."));
                let step = format!("To keep it, set at the top of the file: {line}");
                self.cx.out.notice(format!("{what} is not saved in {file}: {why}. {step}"));
            }
        }
        let has_colors = matches!(preference, Preference::Theme(theme) if theme != ThemeChoice::Mono);
        if self.cx.display.colors == Colors::Off && has_colors {
            self.cx.out.say_also("NO_COLOR or --no-color overrides it: this session has no colours.");
        }
    }
}
