//! What is said about a key that has no command in the tab in front.

use crate::terminal::Key;
use crate::tui::input::{Command, Keymap};

/// The keys without a command that were pressed.
#[derive(Debug, Default)]
pub(super) struct Unbound {
    /// The one that was said last.
    said: Option<Key>,
    /// Whether the key before was another one.
    pub is_in_row: bool,
    /// Whether it was said that the keys are Latin letters.
    said_layout: bool,
}

impl Unbound {
    /// Returns what is said of a key: neither of several in a row, nor twice of the same one.
    pub(super) fn press(&mut self, key: Key, keys: &Keymap) -> Option<String> {
        let is_in_row = std::mem::replace(&mut self.is_in_row, true);
        let help = keys.shown(Command::Help);
        if let Key::Char(c) = key
            && is_of_other_script(c)
            && !std::mem::replace(&mut self.said_layout, true)
        {
            let add = keys.shown(Command::Add);
            return Some(format!(
                "{c} is no Latin letter: switch the keyboard's layout, or bind keys in the config file, like [keys] add = \
                 [\"{add}\", \"{c}\"]. {help} has the names."
            ));
        }
        let is_said = !is_in_row && self.said.replace(key) != Some(key);
        is_said.then(|| format!("{key} does nothing here; {help} lists the keys that do."))
    }
}

/// Whether a character is a letter, and not a Latin one.
fn is_of_other_script(c: char) -> bool {
    let is_latin = matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{ff21}'..='\u{ff5a}');
    c.is_alphabetic() && !is_latin
}
