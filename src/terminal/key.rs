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
    /// A key with Alt: no command has one, but fields edit with some.
    Alt(AltKey),
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
    CtrlLeft,
    CtrlRight,
    CtrlBackspace,
    CtrlDelete,
    ShiftUp,
    ShiftDown,
    /// F1 to F12.
    F(u8),
}

/// What is pressed together with Alt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AltKey {
    /// A character; letters are lower-case.
    Char(char),
    Backspace,
    Delete,
    Left,
    Right,
    Other,
}

impl AltKey {
    pub fn of(key: Key) -> Self {
        match key {
            Key::Char(c) => Self::Char(c.to_lowercase().next().unwrap_or(c)),
            Key::Backspace => Self::Backspace,
            Key::Delete => Self::Delete,
            Key::Left => Self::Left,
            Key::Right => Self::Right,
            _ => Self::Other,
        }
    }
}

/// The names of keys in the config file and the help.
const NAMED: [(Key, &str); 21] = [
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
    (Key::CtrlLeft, "Ctrl-Left"),
    (Key::CtrlRight, "Ctrl-Right"),
    (Key::CtrlBackspace, "Ctrl-Backspace"),
    (Key::CtrlDelete, "Ctrl-Delete"),
    (Key::ShiftUp, "Shift-Up"),
    (Key::ShiftDown, "Shift-Down"),
    (Key::Char(' '), "Space"),
];

/// Keys that are others with Shift.
pub(super) const WITH_SHIFT: [(Key, Key); 3] =
    [(Key::Tab, Key::BackTab), (Key::Up, Key::ShiftUp), (Key::Down, Key::ShiftDown)];

/// Keys that are others with Ctrl.
pub(super) const WITH_CTRL: [(Key, Key); 4] = [
    (Key::Left, Key::CtrlLeft),
    (Key::Right, Key::CtrlRight),
    (Key::Backspace, Key::CtrlBackspace),
    (Key::Delete, Key::CtrlDelete),
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
            Self::Alt(with) => write!(f, "Alt{with}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for AltKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char(c) => write!(f, "-{}", c.to_uppercase()),
            Self::Backspace => f.write_str("-Backspace"),
            Self::Delete => f.write_str("-Delete"),
            Self::Left => f.write_str("-Left"),
            Self::Right => f.write_str("-Right"),
            Self::Other => Ok(()),
        }
    }
}

impl Key {
    /// Returns the key without Ctrl or Shift, which it stands for wherever it means nothing else.
    pub fn unmodified(self) -> Option<Self> {
        let mut pairs = WITH_SHIFT.iter().chain(&WITH_CTRL).filter(|(plain, _)| *plain != Self::Tab);
        pairs.find(|(_, modified)| *modified == self).map(|(plain, _)| *plain)
    }

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
}
