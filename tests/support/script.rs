//! Keys as a person presses them one after the other, written as a text.

use super::terminal::{AltKey, Key};

/// Parses a script of keys, as tests and demonstrations write it: `aFern<tab>7<enter>`.
///
/// A name in angle brackets is that key, `<c-x>` is Ctrl-X, `<a-x>` Alt-X, `<lt>` a less-than sign; any other character is
/// its key. `None` if a name in brackets is no key, or a bracket is not closed.
pub(crate) fn script(text: &str) -> Option<Vec<Key>> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.split_at(c.len_utf8()).1;
        if c != '<' {
            keys.push(Key::Char(c));
            rest = after;
            continue;
        }
        let (name, tail) = after.split_once('>')?;
        let lower = name.to_lowercase();
        let letter = |prefix| lower.strip_prefix(prefix).and_then(|letter: &str| letter.chars().next());
        keys.push(match (letter("c-"), lower.strip_prefix("a-")) {
            (Some(letter), _) => Key::Ctrl(letter),
            (None, Some(with)) => Key::Alt(AltKey::of(with.parse().ok()?)),
            (None, None) if lower == "lt" => Key::Char('<'),
            (None, None) => name.parse().ok()?,
        });
        rest = tail;
    }
    Some(keys)
}
