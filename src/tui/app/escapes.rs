//! Keeps Esc, or a click on it, from cancelling what is in flight where it was pressed several times in a row to get out of
//! something.

use std::time::Duration;

use crate::terminal::Timing;
use crate::tui::input::Command;
use crate::tui::input::arming::Arming;

/// Within this time after another, an Esc is of the same row.
const IN_ROW: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct Escapes {
    /// Whether the input before went back, too.
    is_in_row: bool,
    /// The message that the next one cancels, once it was said.
    warning: Option<Arming>,
}

impl Escapes {
    /// Returns whether an Esc that cancels may do so: the first of a row, or one that comes after the warning was on
    /// screen. Otherwise the warning is due.
    pub(super) fn may_cancel(&mut self, timing: Timing) -> bool {
        let may = match &mut self.warning {
            Some(warning) => warning.meets(timing),
            None => !self.is_in_row || timing.quiet >= IN_ROW,
        };
        if may {
            self.warning = None;
        } else {
            self.warning.get_or_insert_with(|| Arming::of("message"));
        }
        may
    }

    /// Takes note of what an input was.
    pub(super) fn note(&mut self, command: Option<Command>) {
        self.is_in_row = matches!(command, Some(Command::Back | Command::Close | Command::StopSorting));
        if !self.is_in_row {
            self.warning = None;
        }
    }

    /// Takes note of a frame, which shows the warning.
    pub(super) fn drawn(&mut self, at: Duration) {
        self.warning.iter_mut().for_each(|warning| warning.drawn(at));
    }
}
