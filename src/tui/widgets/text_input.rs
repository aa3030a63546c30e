//! A one-line text input that counts in graphemes: what a person sees as one character. It edits as readline does.
//!
//! It contains exactly what was typed or pasted, control characters included; drawing cleans it. What was killed in a
//! field is yanked in that field alone, since the field of a token is one, too.

use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};
use zeroize::{Zeroize, Zeroizing};

use crate::terminal::{AltKey, Key};

/// Edits that can be undone, at most.
const UNDOABLE: usize = 100;

/// The keys that edit in every field, and what they do, for the help.
pub const EDITING_KEYS: [(&str, &str); 7] = [
    ("Ctrl-B Ctrl-F", "go a character to the left or to the right, as the arrows do"),
    ("Alt-B Alt-F", "go a word to the left or to the right, as the arrows do with Ctrl or Alt"),
    ("Ctrl-A Ctrl-E", "go to the beginning or the end, as Home and End do"),
    ("Backspace Ctrl-D", "erase the character before or behind the cursor"),
    ("Ctrl-W Alt-D", "erase up to the space before, or the word behind; Alt-Backspace the word before"),
    ("Ctrl-U Ctrl-K", "erase up to the beginning or the end"),
    ("Ctrl-Y Ctrl-_", "insert what was erased last by one of these; undo the last change"),
];

/// Input of a text field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed<'a> {
    Key(Key),
    /// Pasted text: never interpreted as keys.
    Paste(&'a str),
}

impl Typed<'_> {
    /// Whether it inserts text, and does not only edit or move the cursor.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Key(Key::Char(_)) | Self::Paste(_))
    }
}

/// Where an edit reaches from the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Left,
    Right,
    WordLeft,
    WordRight,
    /// Behind the space before the cursor.
    SpaceLeft,
    Start,
    End,
}

/// What a key does in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    Insert(char),
    Move(Place),
    Erase(Place),
    /// Erases, so that it can be yanked.
    Kill(Place),
    Yank,
    Undo,
}

impl Edit {
    fn of(key: Key) -> Option<Self> {
        Some(match key {
            Key::Char(c) => Self::Insert(c),
            Key::Backspace | Key::Ctrl('h') => Self::Erase(Place::Left),
            Key::Delete | Key::Ctrl('d') => Self::Erase(Place::Right),
            Key::Left | Key::Ctrl('b') => Self::Move(Place::Left),
            Key::Right | Key::Ctrl('f') => Self::Move(Place::Right),
            Key::Home | Key::Ctrl('a') => Self::Move(Place::Start),
            Key::End | Key::Ctrl('e') => Self::Move(Place::End),
            Key::CtrlLeft | Key::Alt(AltKey::Left | AltKey::Char('b')) => Self::Move(Place::WordLeft),
            Key::CtrlRight | Key::Alt(AltKey::Right | AltKey::Char('f')) => Self::Move(Place::WordRight),
            Key::Ctrl('u') => Self::Kill(Place::Start),
            Key::Ctrl('k') => Self::Kill(Place::End),
            Key::Ctrl('w') => Self::Kill(Place::SpaceLeft),
            Key::CtrlBackspace | Key::Alt(AltKey::Backspace) => Self::Kill(Place::WordLeft),
            Key::CtrlDelete | Key::Alt(AltKey::Delete | AltKey::Char('d')) => Self::Kill(Place::WordRight),
            Key::Ctrl('y') => Self::Yank,
            // Terminals send one character for Ctrl-_, Ctrl-/ and Ctrl-7; kitty's protocol tells them apart.
            Key::Ctrl('_' | '/' | '7' | '-') => Self::Undo,
            _ => return None,
        })
    }
}

/// Whether a field edits with a key.
pub fn edits(key: Key) -> bool {
    Edit::of(key).is_some()
}

/// Text and a cursor between two of its graphemes.
#[derive(Debug, Clone, Default)]
pub struct TextInput {
    text: String,
    /// Byte offset of the cursor; always on a grapheme boundary.
    cursor: usize,
    past: Past,
    /// Whether it has text that was not typed: what is typed replaces it, other keys edit it.
    pub is_offered: bool,
}

/// What can be brought back; wiped when dropped, since the text may be a secret.
#[derive(Debug, Clone, Default)]
struct Past {
    killed: Zeroizing<String>,
    /// Texts with their cursors before each change, the oldest first.
    changes: Vec<(Zeroizing<String>, usize)>,
    /// What was done last.
    last: Option<Edit>,
}

impl PartialEq for TextInput {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, self.cursor) == (&other.text, other.cursor)
    }
}

impl Eq for TextInput {}

impl TextInput {
    pub fn holding(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { cursor: text.len(), text, ..Self::default() }
    }

    pub fn offering(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { is_offered: !text.is_empty(), ..Self::holding(text) }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn before_cursor(&self) -> &str {
        self.text.get(..self.cursor).unwrap_or(&self.text)
    }

    pub fn after_cursor(&self) -> &str {
        self.text.get(self.cursor..).unwrap_or("")
    }

    /// Inserts or edits. Returns `false` for a key that does not edit.
    pub fn take(&mut self, typed: Typed<'_>) -> bool {
        if std::mem::take(&mut self.is_offered) && typed.is_text() {
            *self = Self::default();
        }
        match typed {
            Typed::Key(key) => self.press(key),
            Typed::Paste(text) => {
                self.insert(text);
                true
            }
        }
    }

    /// Inserts text at the cursor.
    pub fn insert(&mut self, text: &str) {
        self.remember();
        self.past.last = None;
        self.put(text);
    }

    /// Applies an editing key. Returns `false` for any other.
    pub fn press(&mut self, key: Key) -> bool {
        let Some(edit) = Edit::of(key) else { return false };
        match edit {
            Edit::Insert(c) => {
                // Letters typed one after the other are one change.
                if !matches!(self.past.last, Some(Edit::Insert(_))) {
                    self.remember();
                }
                self.put(c.encode_utf8(&mut [0; 4]));
            }
            Edit::Move(place) => self.cursor = self.reach(place),
            Edit::Erase(place) => drop(self.erase(place)),
            Edit::Kill(place) => self.kill(place),
            Edit::Yank => {
                self.remember();
                let killed = self.past.killed.clone();
                self.put(&killed);
            }
            Edit::Undo => {
                if let Some((text, cursor)) = self.past.changes.pop() {
                    self.text.zeroize();
                    self.text.push_str(&text);
                    self.cursor = cursor;
                }
            }
        }
        self.past.last = Some(edit);
        true
    }

    /// Empties the field and overwrites its memory: for secrets.
    pub fn wipe(&mut self) {
        self.text.zeroize();
        *self = Self::default();
    }

    fn put(&mut self, text: &str) {
        self.text.insert_str(self.cursor, text);
        self.cursor += text.len();
        self.snap();
    }

    /// Erases from the cursor up to a place, and returns what was there.
    fn erase(&mut self, place: Place) -> Zeroizing<String> {
        let to = self.reach(place);
        let range: Range<usize> = to.min(self.cursor)..to.max(self.cursor);
        let erased = Zeroizing::new(self.text.get(range.clone()).unwrap_or_default().to_owned());
        if !erased.is_empty() {
            self.remember();
            self.cursor = range.start;
            self.text.replace_range(range, "");
            self.snap();
        }
        erased
    }

    /// Erases up to a place; what is killed by keys one after the other is yanked together.
    fn kill(&mut self, place: Place) {
        let is_before = self.reach(place) < self.cursor;
        let erased = self.erase(place);
        if erased.is_empty() {
            return;
        }
        let killed = &mut self.past.killed;
        if !matches!(self.past.last, Some(Edit::Kill(_))) {
            killed.zeroize();
        }
        let at = if is_before { 0 } else { killed.len() };
        killed.insert_str(at, &erased);
    }

    fn remember(&mut self) {
        if self.past.changes.len() == UNDOABLE {
            self.past.changes.remove(0);
        }
        self.past.changes.push((Zeroizing::new(self.text.clone()), self.cursor));
    }

    fn reach(&self, place: Place) -> usize {
        let (before, after) = (self.before_cursor(), self.after_cursor());
        match place {
            Place::Left => before.grapheme_indices(true).next_back().map_or(0, |(at, _)| at),
            Place::Right => self.cursor + after.graphemes(true).next().map_or(0, str::len),
            Place::WordLeft => self.boundary(before.unicode_word_indices().next_back().map_or(0, |(at, _)| at)),
            Place::WordRight => {
                let end = after.unicode_word_indices().next().map_or(after.len(), |(at, word)| at + word.len());
                self.boundary(self.cursor + end)
            }
            Place::SpaceLeft => {
                let spaces = before.trim_end().char_indices().rev().find(|(_, c)| c.is_whitespace());
                self.boundary(spaces.map_or(0, |(at, c)| at + c.len_utf8()))
            }
            Place::Start => 0,
            Place::End => self.text.len(),
        }
    }

    /// Moves the cursor behind the grapheme that an edit has made of two, as by erasing before a combining mark.
    fn snap(&mut self) {
        self.cursor = self.boundary(self.cursor);
    }

    /// Returns the offset, or that of the end of the grapheme in which it is.
    fn boundary(&self, at: usize) -> usize {
        let mut cursor = GraphemeCursor::new(at, self.text.len(), true);
        if cursor.is_boundary(&self.text, 0) == Ok(true) {
            return at;
        }
        cursor.next_boundary(&self.text, 0).ok().flatten().unwrap_or(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tui::tests::script::script;

    fn typed(keys: &str) -> (String, String) {
        let mut field = TextInput::default();
        for key in script(keys).unwrap() {
            field.press(key);
        }
        (field.before_cursor().to_owned(), field.after_cursor().to_owned())
    }

    fn halves(before: &str, after: &str) -> (String, String) {
        (before.to_owned(), after.to_owned())
    }

    #[test]
    fn backspace_erases_a_whole_grapheme() {
        for whole in ["é", "e\u{301}", "漢", "👨‍👩‍👧", "🇫🇷", "👍🏽"] {
            assert_eq!(typed(&format!("a{whole}<backspace>")), halves("a", ""), "{whole}");
            assert_eq!(typed(&format!("a{whole}<left><delete>")), halves("a", ""), "{whole}");
        }
    }

    #[test]
    fn editing_keys_work_as_in_a_shell() {
        assert_eq!(typed("Fern<left><left>x"), halves("Fex", "rn"));
        assert_eq!(typed("two words<c-w>"), halves("two ", ""));
        assert_eq!(typed("gone<c-u>x"), halves("x", ""));
        assert_eq!(typed("ab<home><right><c-k>"), halves("a", ""));
        assert_eq!(typed("ab<home><end>x"), halves("abx", ""));
        assert_eq!(typed("ab<c-a>x<c-e>y"), halves("xaby", ""));
        assert_eq!(typed("abc<c-b><c-b><c-f>x"), halves("abx", "c"));
        assert_eq!(typed("abc<c-a><c-d>"), halves("", "bc"));
        assert_eq!(typed("abc<c-h>"), halves("ab", ""));
    }

    #[test]
    fn words_are_those_of_a_reader() {
        for (keys, before, after) in [
            ("can't go-there<a-b>", "can't go-", "there"),
            ("can't go-there<a-b><ctrl-left><a-left>", "", "can't go-there"),
            ("one, two<home><a-f>", "one", ", two"),
            ("one, two<home><a-f><ctrl-right>x", "one, twox", ""),
            ("one two  <a-backspace>", "one ", ""),
            ("one two<ctrl-backspace>", "one ", ""),
            ("one-two<c-w>", "", ""),
            ("one two<home><a-d>", "", " two"),
            ("one two<home><ctrl-delete><a-delete>", "", ""),
            ("тёмный лес<a-backspace>", "тёмный ", ""),
            ("ab 👨‍👩‍👧<a-b>", "", "ab 👨‍👩‍👧"),
            ("<a-b><a-f><a-d><a-backspace><c-y><c-_>", "", ""),
        ] {
            assert_eq!(typed(keys), halves(before, after), "{keys}");
        }
    }

    #[test]
    fn what_was_killed_is_yanked() {
        assert_eq!(typed("one two<c-w>x<c-y>"), halves("one xtwo", ""));
        assert_eq!(typed("one two three<c-w><c-w><c-y><c-y>"), halves("one two threetwo three", ""));
        assert_eq!(typed("one two<home><a-d><a-d>x<c-y>"), halves("xone two", ""));
        assert_eq!(typed("ab<backspace><c-y>"), halves("a", ""));
    }

    #[test]
    fn changes_are_undone_one_after_the_other() {
        assert_eq!(typed("one two<c-_>"), halves("", ""));
        assert_eq!(typed("one<c-w><c-_>"), halves("one", ""));
        assert_eq!(typed("one<c-a>x<c-_>"), halves("", "one"));
        assert_eq!(typed("one<backspace>two<c-7><c-7>"), halves("one", ""));
        assert_eq!(typed("one<c-_><c-_><c-_>two"), halves("two", ""));
        let mut field = TextInput::holding("ab");
        field.insert("cd");
        field.press(Key::Ctrl('/'));
        assert_eq!(field.text(), "ab");
        for _ in 0..2 * UNDOABLE {
            field.insert("x");
        }
        assert_eq!(field.past.changes.len(), UNDOABLE);
    }

    #[test]
    fn nothing_is_left_of_a_secret_that_is_wiped() {
        let mut field = TextInput::holding("secret");
        field.press(Key::Ctrl('w'));
        field.wipe();
        assert_eq!(field, TextInput::default());
        field.press(Key::Ctrl('y'));
        field.press(Key::Ctrl('_'));
        assert_eq!(field, TextInput::default());
    }

    #[test]
    fn a_paste_is_inserted_unchanged() {
        let mut field = TextInput::holding("ab");
        field.press(Key::Left);
        field.insert("\u{1b}[2J\n");
        assert_eq!(field.text(), "a\u{1b}[2J\nb");
        assert_eq!(field.after_cursor(), "b");
    }

    proptest! {
        #[test]
        fn the_cursor_stays_between_two_graphemes(start in "\\PC{0,8}", steps in prop::collection::vec(0..15usize, 0..30)) {
            let keys = [Key::Left, Key::Right, Key::Backspace, Key::Delete, Key::Home, Key::End, Key::Char('\u{301}'), Key::Char('\u{200d}'), Key::Ctrl('w'), Key::Ctrl('y'), Key::Ctrl('_'), Key::CtrlLeft, Key::CtrlRight, Key::CtrlBackspace, Key::CtrlDelete];
            let mut field = TextInput::holding(start);
            for step in steps {
                field.press(keys[step]);
                let boundary = field.cursor == field.text.len() || field.text.grapheme_indices(true).any(|(at, _)| at == field.cursor);
                prop_assert!(boundary);
            }
        }
    }
}
