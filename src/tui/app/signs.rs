//! What the program shows outside its frames: own words and numbers alone, never data.

use super::App;
use crate::config::{Motion, Notify, ProgressBar};
use crate::domain::Timestamp;
use crate::terminal::Signs;
use crate::tui::context::{Attention, Context};
use crate::tui::effect::Effect;

/// Work of this many milliseconds is long: its end is announced to a person who is elsewhere.
const LONG: i64 = 10_000;

impl App {
    /// Returns the signs at present; none without motion.
    pub fn signs(&self) -> Signs {
        let Context { session, display, .. } = &self.cx;
        if display.motion == Motion::Still {
            return Signs::default();
        }
        let store = match &session.info.profile {
            _ if session.info.demo => ": demo".to_owned(),
            Some(name) if name.chars().all(|c| c.is_ascii_alphanumeric()) => format!(": {name}"),
            Some(_) | None => String::new(),
        };
        let unknown = match session.plants.window.tally.unknown {
            0 => String::new(),
            count => format!("{} {count} unknown", if store.is_empty() { ':' } else { ',' }),
        };
        let (done, all) = match (session.importing(), session.check.run()) {
            (Some(import), _) => (import.progress.done(), import.progress.rows),
            (None, Some(run)) => run.progress().map_or((1, 1), |(done, planned)| (done as u64, planned as u64)),
            (None, None) => (0, 0),
        };
        let percent = (done * 100).checked_div(all).and_then(|percent| u8::try_from(percent.min(100)).ok());
        Signs {
            title: format!("plants{store}{unknown}"),
            progress: percent.filter(|_| display.progress_bar == ProgressBar::Shown),
        }
    }

    /// Rings at the end of long work if the person is elsewhere.
    pub(super) fn watch_work(&mut self) {
        let now = self.cx.now();
        match (self.cx.session.busy(), self.working) {
            (Some(_), None) => self.working = Some((self.cx.session.is_importing(), now)),
            (None, Some((is_import, since))) => {
                self.working = None;
                self.ended(is_import, since);
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
    }

    fn ended(&mut self, is_import: bool, since: Timestamp) {
        let Context { display, out, .. } = &mut self.cx;
        let is_long = out.now.0.saturating_sub(since.0) >= LONG;
        if display.notify != Notify::Off
            && is_long
            && display.attention == Attention::Elsewhere
            && display.motion == Motion::Animated
        {
            let words = if is_import { "plants: the import is over" } else { "plants: the check is over" };
            out.effect(Effect::Ring(display.notify, words));
        }
    }
}
