//! Turns a whole sequence of a terminal into what it means: a key, a paste, the mouse, or a reply.
//!
//! Knows the sequences of xterm, rxvt, the Linux console and the keyboard protocol of kitty (`CSI u`). Must not know
//! what an input does.

use ratatui::layout::Position;

use super::framer::Sequence;
use super::key::{AltKey, Key, WITH_CTRL, WITH_SHIFT};

/// One input from the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    Key(Key),
    Paste(String),
    /// A click of the left button.
    Click(Position),
    /// One step of the wheel.
    Wheel {
        at: Position,
        down: bool,
    },
    /// The terminal's background colour, as in `11;rgb:ffff/ffff/ffff`.
    Background(String),
    /// The terminal has the focus now, or lost it.
    Focus(bool),
    /// The response to a query of the status: everything that was sent before has arrived.
    Status,
    /// Everything else, which has no meaning in this program.
    Unknown,
}

/// Bits of a modifier parameter, which is one more than their sum.
const SHIFT: u32 = 1;
const CONTROL: u32 = 4;
const ALT: u32 = 2;
const CAPS_LOCK: u32 = 64;
const NUM_LOCK: u32 = 128;
/// Alt, Super, Hyper and Meta.
const OTHERS: u32 = ALT | 8 | 16 | 32;

pub fn decode(sequence: Sequence) -> Input {
    match sequence {
        Sequence::Char(c) => character(c).map_or(Input::Unknown, Input::Key),
        Sequence::Escape => Input::Key(Key::Esc),
        Sequence::Alt(pressed) => Input::Key(Key::Alt(match decode(*pressed) {
            Input::Key(key) => AltKey::of(key),
            _ => AltKey::Other,
        })),
        Sequence::Control(text) => control(&text).unwrap_or(Input::Unknown),
        Sequence::Single(last) => single(last).map_or(Input::Unknown, Input::Key),
        Sequence::Mouse([button, column, row]) => {
            let position = |byte: u8| u16::from(byte.saturating_sub(33));
            let button = u16::from(button.saturating_sub(32));
            mouse(button, position(column), position(row)).unwrap_or(Input::Unknown)
        }
        Sequence::Command(text) => match String::from_utf8(text) {
            Ok(text) if text.starts_with("11;rgb") => Input::Background(text),
            Ok(_) | Err(_) => Input::Unknown,
        },
        Sequence::Paste(text) => Input::Paste(text),
        Sequence::Unknown => Input::Unknown,
    }
}

fn character(c: char) -> Option<Key> {
    Some(match c {
        '\r' => Key::Enter,
        '\t' => Key::Tab,
        // Many terminals send Ctrl-H for Backspace.
        '\u{7f}' | '\u{8}' => Key::Backspace,
        '\0' => Key::Ctrl(' '),
        '\u{1}'..='\u{1a}' => Key::Ctrl(char::from_u32(u32::from(c) - 1 + u32::from('a'))?),
        '\u{1c}'..='\u{1f}' => Key::Ctrl(char::from_u32(u32::from(c) - 0x1c + u32::from('4'))?),
        c if c.is_control() => return None,
        c => Key::Char(c),
    })
}

/// Decodes what follows `ESC O`.
fn single(last: char) -> Option<Key> {
    Some(match last {
        'A' | 'a' => Key::Up,
        'B' | 'b' => Key::Down,
        'C' => Key::Right,
        'D' => Key::Left,
        // rxvt, with Ctrl.
        'c' => Key::CtrlRight,
        'd' => Key::CtrlLeft,
        'H' => Key::Home,
        'F' => Key::End,
        'P' => Key::F(1),
        'Q' => Key::F(2),
        'R' => Key::F(3),
        'S' => Key::F(4),
        _ => return None,
    })
}

/// Decodes what follows `ESC [`.
fn control(text: &str) -> Option<Input> {
    let last = text.chars().next_back()?;
    let parameters = text.strip_suffix(last)?;
    if let Some(console) = parameters.strip_prefix('[') {
        let number = u32::from(last).checked_sub(u32::from('A')).filter(|number| console.is_empty() && *number < 5)?;
        return Some(Input::Key(Key::F(u8::try_from(number).ok()? + 1)));
    }
    if let Some(report) = parameters.strip_prefix('<') {
        let [button, column, row] = numbers(report)?[..] else { return None };
        // `m` reports a release.
        return if last == 'M' { mouse(button, column.checked_sub(1)?, row.checked_sub(1)?) } else { None };
    }
    match text {
        "0n" => return Some(Input::Status),
        "I" => return Some(Input::Focus(true)),
        "O" => return Some(Input::Focus(false)),
        _ => {}
    }
    let part = |at: usize, sub: usize| {
        parameters.split(';').nth(at).and_then(|part| part.split(':').nth(sub)).filter(|part| !part.is_empty())
    };
    let number = |at, sub| part(at, sub).map_or(Some(1), |number| number.parse::<u32>().ok());
    let (modifiers, kind) = (number(1, 0)?.saturating_sub(1), part(1, 1).unwrap_or("1"));
    let key = match (last, number(0, 0)?) {
        // rxvt, where the end of the sequence has the modifiers.
        ('^' | '@', number) if numbered(number) == Some(Key::Delete) => Key::CtrlDelete,
        ('~' | '$' | '^' | '@', 27) => of_code(part(2, 0)?.parse().ok()?, modifiers)?,
        ('~' | '$' | '^' | '@', number) => numbered(number)?,
        // What is typed, if the terminal says so; then the code with Shift, and the one of a layout with Latin letters.
        ('u', _) if part(2, 0).is_some() && modifiers & (CONTROL | OTHERS) == 0 => of_code(number(2, 0)?, 0)?,
        ('u', _) if part(0, 1).is_some() && modifiers & SHIFT != 0 => of_code(number(0, 1)?, modifiers & !SHIFT)?,
        ('u', _) if part(0, 2).is_some() && modifiers & CONTROL != 0 => of_code(number(0, 2)?, modifiers)?,
        ('u', code) => of_code(code, modifiers)?,
        // A cursor position ends with R, as F3 with a modifier would.
        ('A'..='D' | 'F' | 'H' | 'P' | 'Q' | 'S', 1) => single(last)?,
        // rxvt, with Shift.
        ('a'..='d', _) if parameters.is_empty() => modified(single(last.to_ascii_uppercase())?, SHIFT),
        ('Z', _) => Key::BackTab,
        _ => return None,
    };
    let key = match key {
        _ if kind != "1" && kind != "2" => return None,
        // A held Enter must not confirm the question that it opens.
        Key::Enter if kind == "2" => return None,
        key if modifiers & !(SHIFT | CAPS_LOCK | NUM_LOCK) == ALT => Key::Alt(AltKey::of(key)),
        _ if modifiers & OTHERS != 0 => Key::Alt(AltKey::Other),
        key => modified(key, modifiers),
    };
    Some(Input::Key(key))
}

/// Returns a key with Shift or Ctrl.
fn modified(key: Key, modifiers: u32) -> Key {
    let with_shift = WITH_SHIFT.iter().filter(|_| modifiers & SHIFT != 0);
    let mut pairs = with_shift.chain(WITH_CTRL.iter().filter(|_| modifiers & CONTROL != 0));
    pairs.find(|(plain, _)| *plain == key).map_or(key, |(_, modified)| *modified)
}

/// Parses the numbers of a mouse report; an empty one is 1. `None` if one is no number.
fn numbers(text: &str) -> Option<Vec<u16>> {
    text.split(';').map(|number| if number.is_empty() { Some(1) } else { number.parse().ok() }).collect()
}

/// The key of `CSI number ~`.
fn numbered(number: u32) -> Option<Key> {
    Some(match number {
        1 | 7 => Key::Home,
        3 => Key::Delete,
        4 | 8 => Key::End,
        5 => Key::PageUp,
        6 => Key::PageDown,
        11..=15 => Key::F(u8::try_from(number).ok()? - 10),
        17..=21 => Key::F(u8::try_from(number).ok()? - 11),
        23 | 24 => Key::F(u8::try_from(number).ok()? - 12),
        _ => return None,
    })
}

/// The key of a code point with modifiers.
fn of_code(code: u32, modifiers: u32) -> Option<Key> {
    Some(match code {
        27 => Key::Esc,
        57344..=63743 => return None,
        code => match character(char::from_u32(code)?)? {
            Key::Char(c) if modifiers & CONTROL != 0 => Key::Ctrl(c.to_ascii_lowercase()),
            Key::Char(c) if (modifiers & SHIFT != 0) != (modifiers & CAPS_LOCK != 0) => {
                Key::Char(c.to_uppercase().next().unwrap_or(c))
            }
            key => key,
        },
    })
}

fn mouse(button: u16, x: u16, y: u16) -> Option<Input> {
    /// Shift, Alt and Ctrl.
    const MODIFIERS: u16 = 4 | 8 | 16;
    let at = Position { x, y };
    match button & !MODIFIERS {
        0 => Some(Input::Click(at)),
        64 => Some(Input::Wheel { at, down: false }),
        65 => Some(Input::Wheel { at, down: true }),
        _ => None,
    }
}
