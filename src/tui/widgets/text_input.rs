//! A one-line text input that counts in graphemes: what a person sees as one character.
//!
//! It contains exactly what was typed or pasted, control characters included; drawing cleans it.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};
use zeroize::Zeroize;

use crate::terminal::Key;

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

/// Text and a cursor between two of its graphemes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextInput {
    text: String,
    /// Byte offset of the cursor; always on a grapheme boundary.
    cursor: usize,
}

impl TextInput {
    pub fn holding(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { cursor: text.len(), text }
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
        self.text.insert_str(self.cursor, text);
        self.cursor += text.len();
        self.snap();
    }

    /// Applies an editing key. Returns `false` for any other.
    pub fn press(&mut self, key: Key) -> bool {
        match key {
            Key::Char(c) => self.insert(c.encode_utf8(&mut [0; 4])),
            Key::Backspace => self.erase(self.left()..self.cursor),
            Key::Delete => self.erase(self.cursor..self.right()),
            Key::Left => self.cursor = self.left(),
            Key::Right => self.cursor = self.right(),
            Key::Home | Key::Ctrl('a') => self.cursor = 0,
            Key::End | Key::Ctrl('e') => self.cursor = self.text.len(),
            Key::Ctrl('u') => self.erase(0..self.cursor),
            Key::Ctrl('k') => self.erase(self.cursor..self.text.len()),
            Key::Ctrl('w') => self.erase(self.word_left()..self.cursor),
            _ => return false,
        }
        true
    }

    /// Empties the field and overwrites its memory: for secrets.
    pub fn wipe(&mut self) {
        self.text.zeroize();
        self.cursor = 0;
    }

    fn erase(&mut self, range: std::ops::Range<usize>) {
        self.cursor = range.start;
        self.text.replace_range(range, "");
        self.snap();
    }

    fn left(&self) -> usize {
        self.before_cursor().grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn right(&self) -> usize {
        self.cursor + self.after_cursor().graphemes(true).next().map_or(0, str::len)
    }

    fn word_left(&self) -> usize {
        let trimmed = self.before_cursor().trim_end();
        trimmed.char_indices().rev().find(|(_, c)| c.is_whitespace()).map_or(0, |(at, c)| at + c.len_utf8())
    }

    /// Moves the cursor behind the grapheme that an edit has made of two, as by erasing before a combining mark.
    fn snap(&mut self) {
        let mut cursor = GraphemeCursor::new(self.cursor, self.text.len(), true);
        if cursor.is_boundary(&self.text, 0) != Ok(true) {
            self.cursor = cursor.next_boundary(&self.text, 0).ok().flatten().unwrap_or(self.text.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::terminal::key::script;

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
    }

    #[test]
    fn nothing_is_left_of_a_secret_that_is_wiped() {
        let mut field = TextInput::holding("secret");
        field.wipe();
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
        fn the_cursor_stays_between_two_graphemes(start in "\\PC{0,8}", steps in prop::collection::vec(0..9usize, 0..30)) {
            let keys = [Key::Left, Key::Right, Key::Backspace, Key::Delete, Key::Home, Key::End, Key::Char('\u{301}'), Key::Char('\u{200d}'), Key::Ctrl('w')];
            let mut field = TextInput::holding(start);
            for step in steps {
                field.press(keys[step]);
                let boundary = field.cursor == field.text.len() || field.text.grapheme_indices(true).any(|(at, _)| at == field.cursor);
                prop_assert!(boundary);
            }
        }
    }
}
