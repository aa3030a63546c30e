//! What a person did just before, as far as it decides what the next input does.

use std::collections::VecDeque;
use std::time::Duration;

use crate::terminal::{Key, Timing};
use crate::tui::input::arming::Arming;
use crate::tui::input::{Command, Keymap};
use crate::tui::message::{Target, UserInput};

/// Within this time after another, an Esc is of the same row.
const IN_ROW: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct RecentInput {
    /// The key that was pressed last, if nothing was done with the mouse since.
    pub key: Option<Key>,
    /// What was clicked last, if no key was pressed since.
    pub clicked: Option<Target>,
    /// How many times in a row Ctrl-C was pressed.
    pub interrupts: u8,
    pub escapes: Escapes,
    /// The key that ended the tour, if no other was pressed since: who presses it once more has not noticed the end.
    pub ended_tour: Option<Key>,
}

/// What was typed before what it is about has arrived.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// The command about the selected line that came first.
    pub command: Option<Command>,
    /// In the order in which it was typed.
    pub typed: VecDeque<(UserInput, Timing)>,
}

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.command.is_none() && self.typed.is_empty()
    }
}

/// Keeps Esc, or a click on it, from cancelling what is in flight where it was pressed several times in a row to get out of
/// something.
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

/// Says that a key does nothing.
pub(super) fn describe_unbound(key: Key, keys: &Keymap) -> String {
    let help = keys.shown(Command::Help);
    match key {
        Key::Char(c) if is_of_other_script(c) => {
            let add = keys.shown(Command::Add);
            format!(
                "{c} is no Latin letter: switch the keyboard's layout, or bind keys in the config file, like [keys] add = \
                 [\"{add}\", \"{c}\"]. {help} has the names."
            )
        }
        _ => format!("{key} does nothing here; {help} lists the keys that do."),
    }
}

/// Whether a character is a letter, and not a Latin one.
fn is_of_other_script(c: char) -> bool {
    let is_latin = matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{ff21}'..='\u{ff5a}');
    c.is_alphabetic() && !is_latin
}
