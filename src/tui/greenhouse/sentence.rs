//! The sentence of the picture, as much of it in large letters as there is room for.

use ratatui::style::Style;
use ratatui::text::Line;

use crate::domain::{Language, Message};
use crate::tui::widgets::large;
use crate::tui::widgets::text::wrapped_lines;
use crate::tui::widgets::theme::Theme;

/// What a picture says.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub(super) whole: String,
    /// What can be in large letters, and what is below it then, the longest first.
    pub(super) parts: Vec<(String, String)>,
    /// What is in large letters where none of these fits.
    pub(super) shortest: String,
}

/// The room of a sentence.
pub(super) struct Room<'a> {
    pub(super) theme: &'a Theme,
    /// Of large letters.
    pub(super) style: Style,
    pub(super) width: usize,
    pub(super) rows: usize,
    /// Lines of small letters, at most.
    pub(super) most: usize,
    /// Whether an audience reads it: then some of it is large, if only the shortest words.
    pub(super) is_presented: bool,
}

impl Sentence {
    pub(super) fn of(messages: &[Message], shortest: String, language: Language) -> Self {
        let split = |at| messages.split_at_checked(at).unwrap_or_default();
        let part = |at| (language.render(split(at).0), language.render(split(at).1));
        let short = messages.first().map(|first| (language.short(first), part(1).1));
        Self {
            whole: language.render(messages),
            parts: (1..=messages.len()).rev().map(part).chain(short).collect(),
            shortest,
        }
    }

    /// Returns it with as many sentences in large letters as fit.
    pub(super) fn lines(&self, room: &Room<'_>) -> Vec<Line<'static>> {
        let Self { whole, parts, shortest } = self;
        let large = parts.iter().find_map(|(large, rest)| room.above(large, rest));
        let shortest = || if room.is_presented { room.above(shortest, whole) } else { None };
        large.or_else(shortest).unwrap_or_else(|| self.small(room))
    }

    pub(super) fn small(&self, room: &Room<'_>) -> Vec<Line<'static>> {
        room.small(&self.whole)
    }
}

impl Room<'_> {
    fn small(&self, words: &str) -> Vec<Line<'static>> {
        wrapped_lines(words, 0, self.width, self.most, self.theme.title)
    }

    fn large(&self, words: &str, rows: usize) -> Option<Vec<Line<'static>>> {
        if words.is_empty() {
            return None;
        }
        large::lines(words, self.width, rows, self.theme, self.style)
    }

    /// Large words above the rest, with a blank line between them.
    fn above(&self, first: &str, rest: &str) -> Option<Vec<Line<'static>>> {
        if rest.is_empty() {
            return self.large(first, self.rows);
        }
        let rest = self.small(rest);
        let first = self.large(first, self.rows.checked_sub(rest.len() + 1)?)?;
        Some([first, vec![Line::default()], rest].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Marks;
    use crate::tui::widgets::theme::{Depth, Palette};

    const LINES: usize = 6;

    fn sentence(shortest: &str, first: &str, rest: &str) -> Sentence {
        let parts = vec![(first.to_owned(), rest.to_owned())];
        Sentence { whole: format!("{first} {rest}"), parts, shortest: shortest.to_owned() }
    }

    fn theme() -> Theme {
        Theme::new(Palette::Dark, Depth::Many, Marks::Ascii)
    }

    fn rows(lines: &[Line<'_>]) -> Vec<String> {
        lines.iter().map(|line| line.to_string().trim_end().to_owned()).collect()
    }

    /// Returns a line in large letters, which has five rows.
    fn in_large_letters(words: &str) -> Vec<String> {
        rows(&large::lines(words, 200, 5, &theme(), Style::new()).unwrap())
    }

    /// Returns what an audience sees of a sentence.
    fn presented(sentence: &Sentence, width: usize, height: usize) -> Vec<String> {
        let theme = &theme();
        let room = Room { theme, style: Style::new(), width, rows: height, most: LINES, is_presented: true };
        rows(&sentence.lines(&room))
    }

    #[test]
    fn large_words_stand_above_the_rest_where_there_is_room_for_both() {
        let sentence = sentence("Yes.", "It said yes.", "Fern (9) is stored now.");
        let above = |large, rest: &str| [in_large_letters(large), vec![String::new(), rest.to_owned()]].concat();
        assert_eq!(presented(&sentence, 70, 7), above("It said yes.", "Fern (9) is stored now."));
        assert_eq!(presented(&sentence, 40, 7), above("Yes.", &sentence.whole));
        assert_eq!(presented(&sentence, 40, 6).join(" "), sentence.whole);
    }
}
