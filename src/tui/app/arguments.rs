//! What the commands of the palette do with their arguments, where no dialog or question does it.

use std::path::Path;

use super::App;
use crate::config::ThemeChoice;
use crate::config::new_profile::SaveFault;
use crate::config::new_theme::theme_line;
use crate::text::shown_path;
use crate::tui::context::Colors;

impl App {
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
