//! One key press, in the notation of the key table, the help and the config file.
//!
//! Must not know what a key does.

use std::fmt;
use std::str::FromStr;

/// A key press. Shifted letters are capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A character that can be typed into a field.
    Char(char),
    /// A lower-case letter with Ctrl.
    Ctrl(char),
    /// Any key with Alt: no command has one.
    Alt,
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    /// F1 to F12.
    F(u8),
}

/// The names of keys in the config file and the help.
const NAMED: [(Key, &str); 15] = [
    (Key::Enter, "Enter"),
    (Key::Esc, "Esc"),
    (Key::Tab, "Tab"),
    (Key::BackTab, "Shift-Tab"),
    (Key::Backspace, "Backspace"),
    (Key::Delete, "Delete"),
    (Key::Up, "Up"),
    (Key::Down, "Down"),
    (Key::Left, "Left"),
    (Key::Right, "Right"),
    (Key::Home, "Home"),
    (Key::End, "End"),
    (Key::PageUp, "PageUp"),
    (Key::PageDown, "PageDown"),
    (Key::Char(' '), "Space"),
];

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, name)) = NAMED.iter().find(|(key, _)| key == self) {
            return f.write_str(name);
        }
        match self {
            Self::Char(c) => write!(f, "{c}"),
            Self::Ctrl(c) => write!(f, "Ctrl-{}", c.to_ascii_uppercase()),
            Self::F(number) => write!(f, "F{number}"),
            Self::Alt => f.write_str("Alt"),
            _ => Ok(()),
        }
    }
}

impl Key {
    /// Returns the names of the keys that have one.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(_, name)| *name)
    }
}

/// A text in the config file that names no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("is no key: write one character, Enter, Esc, Tab, Shift-Tab, Space, Up, PageDown, F1 to F12 or the like")]
pub struct NoSuchKey;

impl FromStr for Key {
    type Err = NoSuchKey;

    fn from_str(text: &str) -> Result<Self, NoSuchKey> {
        if let Some((key, _)) = NAMED.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)) {
            return Ok(*key);
        }
        if let Some(number) = text.strip_prefix(['f', 'F']).and_then(|number| number.parse().ok()) {
            return if (1..=12).contains(&number) { Ok(Self::F(number)) } else { Err(NoSuchKey) };
        }
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(c), None) if !c.is_control() && !c.is_whitespace() => Ok(Self::Char(c)),
            (Some(_) | None, _) => Err(NoSuchKey),
        }
    }
}

/// Why a text is no script of keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptFault {
    #[error("<{0} has no >")]
    Unclosed(String),
    #[error("<{0}> is no key")]
    NoKey(String),
}

/// Parses a script of keys, as tests and demonstrations write it: `aFern<tab>7<enter>`.
///
/// A name in angle brackets is that key, `<c-x>` is Ctrl-X, `<lt>` a less-than sign; any other character is its key.
///
/// # Errors
///
/// The name in brackets that is no key.
pub fn script(text: &str) -> Result<Vec<Key>, ScriptFault> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.split_at(c.len_utf8()).1;
        if c != '<' {
            keys.push(Key::Char(c));
            rest = after;
            continue;
        }
        let (name, tail) = after.split_once('>').ok_or_else(|| ScriptFault::Unclosed(after.to_owned()))?;
        let lower = name.to_lowercase();
        keys.push(match lower.strip_prefix("c-").and_then(|letter| letter.chars().next()) {
            Some(letter) => Key::Ctrl(letter),
            None if lower == "lt" => Key::Char('<'),
            None => name.parse().map_err(|_| ScriptFault::NoKey(name.to_owned()))?,
        });
        rest = tail;
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_name_parses_back_to_its_key() {
        for (key, name) in NAMED {
            assert_eq!(name.parse(), Ok(key));
            assert_eq!(name.to_lowercase().parse(), Ok(key));
            assert_eq!(key.to_string(), name);
        }
        assert_eq!("f12".parse(), Ok(Key::F(12)));
        assert_eq!("f".parse(), Ok(Key::Char('f')));
        assert_eq!("D".parse(), Ok(Key::Char('D')));
        for wrong in ["", "F13", "F0", "ctrl-a", "\u{1b}", "ab"] {
            assert_eq!(wrong.parse::<Key>(), Err(NoSuchKey), "{wrong:?}");
        }
    }

    #[test]
    fn a_script_is_parsed_into_keys() {
        assert_eq!(script("a<tab><c-c><lt>").unwrap(), [Key::Char('a'), Key::Tab, Key::Ctrl('c'), Key::Char('<')]);
        assert!(script("<nokey>").is_err());
    }
}
