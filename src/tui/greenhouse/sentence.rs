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
    /// Whether an audience reads it: then some of it is large, if anything large fits.
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
        let large = parts.iter().find_map(|(large, rest)| room.above(large, rest, 1));
        let before_audience = || {
            let set = parts.last().and_then(|(short, rest)| room.above(short, rest, 0));
            set.or_else(|| room.above(shortest, whole, 1)).or_else(|| room.beside(shortest, whole))
        };
        let large = large.or_else(|| room.is_presented.then(before_audience)?);
        large.unwrap_or_else(|| if room.is_presented { room.centred(self.small(room)) } else { self.small(room) })
    }

    pub(super) fn small(&self, room: &Room<'_>) -> Vec<Line<'static>> {
        room.small(&self.whole, room.width)
    }
}

impl Room<'_> {
    fn small(&self, words: &str, width: usize) -> Vec<Line<'static>> {
        wrapped_lines(words, 0, width, self.most, self.theme.title)
    }

    /// Puts lines into the middle of it.
    fn centred(&self, lines: Vec<Line<'static>>) -> Vec<Line<'static>> {
        let above = self.rows.saturating_sub(lines.len()) / 2;
        let lines = lines.into_iter().map(Line::centered);
        std::iter::repeat_n(Line::default(), above).chain(lines).collect()
    }

    fn large(&self, words: &str, rows: usize) -> Option<Vec<Line<'static>>> {
        if words.is_empty() {
            return None;
        }
        large::lines(words, self.width, rows, self.theme, self.style)
    }

    /// Large words above the rest, with so many blank lines between them.
    fn above(&self, first: &str, rest: &str, blank: usize) -> Option<Vec<Line<'static>>> {
        if rest.is_empty() {
            return self.large(first, self.rows);
        }
        let rest = self.small(rest, self.width);
        let first = self.large(first, self.rows.checked_sub(rest.len() + blank)?)?;
        Some([first, vec![Line::default(); blank], rest].concat())
    }

    /// Large words in the left half, and the rest beside them.
    fn beside(&self, first: &str, rest: &str) -> Option<Vec<Line<'static>>> {
        let first = large::lines(first, self.width / 2, self.rows, self.theme, self.style)?;
        let indent = first.iter().map(Line::width).max()? + 2;
        let rest = self.small(rest, self.width.checked_sub(indent)?);
        let rows = (0..first.len().max(rest.len())).map(|row| {
            let mut line = first.get(row).cloned().unwrap_or_default();
            line.push_span(" ".repeat(indent.saturating_sub(line.width())));
            line.extend(rest.get(row).cloned().unwrap_or_default().spans);
            line
        });
        Some(rows.collect())
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Alignment;

    use super::*;
    use crate::text::Marks;
    use crate::text::wrap::wrapped;
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
    fn where_no_blank_line_fits_large_words_stand_close_above_the_rest() {
        let sentence = sentence("Yes.", "Yes.", "Fern (9) is stored now.");
        let rest = vec!["Fern (9) is stored now.".to_owned()];
        assert_eq!(presented(&sentence, 40, 6), [in_large_letters("Yes."), rest.clone()].concat());
        assert_eq!(presented(&sentence, 40, 7), [in_large_letters("Yes."), vec![String::new()], rest].concat());
    }

    #[test]
    fn where_nothing_fits_below_large_words_the_rest_stands_beside_them() {
        let whole = "Yes. Fern (9) is stored now.";
        let large = in_large_letters("Yes.");
        let column = large.iter().map(String::len).max().unwrap() + 2;
        let set = presented(&sentence("Yes.", "Yes.", "Fern (9) is stored now."), 60, 5);
        let beside = wrapped(whole, 60 - column, LINES);
        assert_eq!(set.len(), large.len());
        for (at, row) in set.iter().enumerate() {
            let (left, right) = row.split_at(column.min(row.len()));
            assert_eq!(left.trim_end(), large[at], "{set:#?}");
            assert_eq!(right, beside.get(at).map_or("", String::as_str), "{set:#?}");
        }
    }

    #[test]
    fn large_words_take_no_more_than_half_of_the_columns_beside_the_rest() {
        let sentence = sentence("Not sent.", "Nothing was sent to the store.", "There was no connection.");
        let width = in_large_letters("Not sent.").iter().map(String::len).max().unwrap() + 12;
        let small = wrapped(&sentence.whole, width, LINES);
        assert_eq!(presented(&sentence, width, 5), [vec![String::new(); 2], small].concat());
    }

    #[test]
    fn before_an_audience_a_sentence_without_large_letters_stands_in_the_middle() {
        let theme = &Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let lines = |is_presented| {
            let room = Room { theme, style: Style::new(), width: 40, rows: 9, most: LINES, is_presented };
            sentence("漢", "漢", "字").lines(&room)
        };
        let [before, others] = [lines(true), lines(false)];
        assert_eq!(
            (rows(&before), before[4].alignment),
            (["", "", "", "", "漢 字"].map(str::to_owned).to_vec(), Some(Alignment::Center))
        );
        assert_eq!((rows(&others), others[0].alignment), (vec!["漢 字".to_owned()], None));
    }
}
