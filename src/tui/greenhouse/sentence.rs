//! The sentence of the picture, as much of it in large letters as there is room for.

use ratatui::style::Style;
use ratatui::text::Line;

use crate::text::clean;
use crate::tui::widgets::large;
use crate::tui::widgets::text::wrapped_lines;
use crate::tui::widgets::theme::Theme;

/// The same in three lengths.
pub(super) struct Sentence<'a> {
    pub(super) shortest: &'a str,
    pub(super) short: &'a str,
    pub(super) whole: &'a str,
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

impl Sentence<'_> {
    /// Returns it in large letters where it fits, else with its first part large, else below a shorter one.
    pub(super) fn lines(&self, room: &Room<'_>) -> Vec<Line<'static>> {
        let whole = &clean(self.whole);
        let first_part = || {
            let (first, rest) = whole.split_once(". ")?;
            room.above(&format!("{first}."), rest, 1)
        };
        let rest = &rest_of(whole, self.short);
        let large = room.large(whole, room.rows).or_else(first_part).or_else(|| room.above(self.short, rest, 1));
        let before_audience = || {
            let set = room.above(self.short, rest, 0).or_else(|| room.above(self.shortest, whole, 1));
            set.or_else(|| room.beside(self.shortest, whole))
        };
        let large = large.or_else(|| room.is_presented.then(before_audience)?);
        large.unwrap_or_else(|| self.small(room))
    }

    pub(super) fn small(&self, room: &Room<'_>) -> Vec<Line<'static>> {
        room.small(&clean(self.whole), room.width)
    }
}

/// Returns what a text says beside the sentence that it begins with; all of it, if it begins otherwise.
fn rest_of(whole: &str, first: &str) -> String {
    let Some(rest) = whole.strip_prefix(first.trim_end_matches('.')) else { return whole.to_owned() };
    let Some(reason) = rest.strip_prefix(": ") else {
        // `The store said yes in 163 ms. Monstera is stored.`
        return rest.split_once(". ").map_or_else(String::new, |(_, rest)| rest.to_owned());
    };
    let mut letters = reason.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

impl Room<'_> {
    fn small(&self, words: &str, width: usize) -> Vec<Line<'static>> {
        wrapped_lines(words, 0, width, self.most, self.theme.title)
    }

    fn large(&self, words: &str, rows: usize) -> Option<Vec<Line<'static>>> {
        large::lines(words, self.width, rows, self.theme, self.style)
    }

    /// Large words above the rest, with so many blank lines between them.
    fn above(&self, first: &str, rest: &str, blank: usize) -> Option<Vec<Line<'static>>> {
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
    use super::*;
    use crate::text::wrap::wrapped;
    use crate::tui::widgets::theme::{Depth, Marks, Palette};

    #[test]
    fn below_large_words_stands_what_they_do_not_say() {
        let rest = |whole, first| rest_of(whole, first);
        assert_eq!(
            rest("The store said no: its weather did. Fern is there.", "The store said no."),
            "Its weather did. Fern is there."
        );
        assert_eq!(rest("The store said yes in 1 s. Fern is there.", "The store said yes."), "Fern is there.");
        assert_eq!(rest("Nothing was sent.", "Nothing was sent."), "");
        assert_eq!(rest("You decided: Fern is stored.", "Stored."), "You decided: Fern is stored.");
    }

    const LINES: usize = 6;

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
    fn presented(sentence: &Sentence<'_>, width: usize, height: usize) -> Vec<String> {
        let theme = &theme();
        let room = Room { theme, style: Style::new(), width, rows: height, most: LINES, is_presented: true };
        rows(&sentence.lines(&room))
    }

    #[test]
    fn where_no_blank_line_fits_large_words_stand_close_above_the_rest() {
        let sentence = Sentence { shortest: "Yes.", short: "Yes.", whole: "Yes. Fern (9) is stored now." };
        let rest = vec!["Fern (9) is stored now.".to_owned()];
        assert_eq!(presented(&sentence, 40, 6), [in_large_letters("Yes."), rest.clone()].concat());
        assert_eq!(presented(&sentence, 40, 7), [in_large_letters("Yes."), vec![String::new()], rest].concat());
    }

    #[test]
    fn where_nothing_fits_below_large_words_the_rest_stands_beside_them() {
        let whole = "Yes. Fern (9) is stored now.";
        let large = in_large_letters("Yes.");
        let column = large.iter().map(String::len).max().unwrap() + 2;
        let set = presented(&Sentence { shortest: "Yes.", short: "Yes.", whole }, 60, 5);
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
        let whole = "Nothing was sent to the store: no connection.";
        let sentence = Sentence { shortest: "Not sent.", short: "Nothing was sent at all.", whole };
        let width = in_large_letters("Not sent.").iter().map(String::len).max().unwrap() + 12;
        assert_eq!(presented(&sentence, width, 5), wrapped(whole, width, LINES));
    }
}
