//! Large letters of eight by eight dots, two or four of which share a cell, some of them from `assets/large_letters.txt`;
//! in ASCII of five rows, from `assets/letters.txt`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use font8x8::UnicodeFonts as _;
use ratatui::style::Style;
use ratatui::text::Line;

use super::drawings::drawings;
use super::theme::Theme;
use crate::text::ascii_symbol;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dots {
    /// A column wide and half a row high: squares.
    Wide,
    /// Half as wide.
    Narrow,
    /// A column and a row, drawn as `#`.
    Ascii,
}

/// Columns below which square letters would be of few words each line, and so take at most two lines.
const FOR_SQUARES: usize = 64;

/// Columns of dots between two letters, and rows between two lines, from the most readable ones to the smallest.
const SPACING: [[usize; 2]; 4] = [[2, 1], [2, 0], [1, 1], [1, 0]];

/// Block characters by the quarters they fill, as bits: upper left, upper right, lower left, lower right.
const QUARTERS: [&str; 16] = [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"];

/// The same by the halves that a column fills, as bits: upper, lower.
const HALVES: [&str; 4] = [" ", "▀", "▄", "█"];

/// The letters of ASCII alone.
static LETTERS: LazyLock<BTreeMap<char, Letter>> =
    LazyLock::new(|| parsed(include_str!("../../../assets/letters.txt")));

/// Letters whose strokes run together in the font, or that look like another there.
static OWN: LazyLock<BTreeMap<char, Letter>> =
    LazyLock::new(|| parsed(include_str!("../../../assets/large_letters.txt")));

fn parsed(file: &'static str) -> BTreeMap<char, Letter> {
    let column = |rows: &[&str], x: usize| {
        let is_set = |row: &str| row.as_bytes().get(x) == Some(&b'#');
        (0..).zip(rows).fold(0, |bits, (y, row)| bits | u8::from(is_set(row)) << y)
    };
    let letter = |rows: Vec<&str>| (0..rows.first().map_or(0, |row| row.len())).map(|x| column(&rows, x)).collect();
    drawings(file).into_iter().filter_map(|(name, rows)| Some((name.chars().next()?, letter(rows)))).collect()
}

/// A letter without the empty columns at its sides, each column as bits from the top.
type Letter = Vec<u8>;

/// Returns clean text in large letters, broken at spaces, as readable as `columns` and `rows` allow; `None` where it does
/// not fit, or has a letter that cannot be drawn large.
pub fn lines(text: &str, columns: usize, rows: usize, theme: &Theme, style: Style) -> Option<Vec<Line<'static>>> {
    let is_ascii = theme.is_ascii();
    let letters = |word: &str| word.replace('…', "...").chars().map(|drawn| letter(drawn, is_ascii)).collect();
    let words = text.split_whitespace().map(letters).collect::<Option<Vec<_>>>()?;
    let set = if is_ascii {
        Dots::Ascii.lines([1, 1], &words, columns, rows)
    } else {
        let mut settings =
            [Dots::Wide, Dots::Narrow].into_iter().flat_map(|dots| SPACING.map(|spacing| (dots, spacing)));
        settings.find_map(|(dots, spacing)| dots.lines(spacing, &words, columns, rows))
    };
    Some(set?.into_iter().map(|row| Line::styled(row, style)).collect())
}

impl Dots {
    /// Returns the rows of the words, if they fit.
    fn lines(
        self,
        [gap, leading]: [usize; 2],
        words: &[Vec<Letter>],
        columns: usize,
        rows: usize,
    ) -> Option<Vec<String>> {
        let room = columns * self.per_column();
        let space = 1 + 3 * gap;
        let mut lines: Vec<Letter> = Vec::new();
        for word in words {
            let word: Letter = word.join(vec![0; gap].as_slice());
            if word.len() > room {
                return None;
            }
            match lines.last_mut() {
                Some(line) if line.len() + space + word.len() <= room => {
                    line.resize(line.len() + space, 0);
                    line.extend(word);
                }
                _ => lines.push(word),
            }
        }
        let needed = (lines.len() * (self.rows() + leading)).saturating_sub(leading);
        let is_cramped = self == Self::Wide && columns < FOR_SQUARES && lines.len() > 2;
        let touch = || leading == 0 && lines.windows(2).any(|pair| matches!(pair, [one, below] if touches(one, below)));
        if needed > rows || is_cramped || touch() {
            return None;
        }
        let mut set = Vec::new();
        for line in lines {
            if !set.is_empty() {
                set.extend(std::iter::repeat_n(String::new(), leading));
            }
            set.extend(self.cells(&line));
        }
        Some(set)
    }

    fn per_column(self) -> usize {
        if self == Self::Narrow { 2 } else { 1 }
    }

    /// Returns the rows of a line.
    fn rows(self) -> usize {
        if self == Self::Ascii { 5 } else { 4 }
    }

    /// Returns the rows of cells of a line of dots.
    fn cells(self, line: &[u8]) -> Vec<String> {
        let cell = |dots: &[u8], row: usize| {
            let [left, right] = [0, 1].map(|at| dots.get(at).copied().unwrap_or_default());
            let half = |bits: u8| usize::from(bits >> (2 * row));
            match self {
                Self::Ascii if left >> row & 1 == 1 => "#",
                Self::Ascii => " ",
                Self::Wide => HALVES.get(half(left) & 3).copied().unwrap_or(" "),
                Self::Narrow => {
                    let (left, right) = (half(left), half(right));
                    let bits = left & 1 | (right & 1) << 1 | (left >> 1 & 1) << 2 | (right >> 1 & 1) << 3;
                    QUARTERS.get(bits).copied().unwrap_or(" ")
                }
            }
        };
        (0..self.rows()).map(|row| line.chunks(self.per_column()).map(|dots| cell(dots, row)).collect()).collect()
    }
}

/// Whether lowest dots of a line meet topmost ones of the next line, as the tail of a `y` above a `G`; also at a corner.
fn touches(line: &[u8], below: &[u8]) -> bool {
    let meets =
        |at: usize| below.iter().skip(at.saturating_sub(1)).take(3 - usize::from(at == 0)).any(|dots| dots & 1 == 1);
    line.iter().enumerate().any(|(at, dots)| dots >> 7 == 1 && meets(at))
}

fn letter(letter: char, is_ascii: bool) -> Option<Letter> {
    if is_ascii {
        let mut bytes = [0; 4];
        let plain = if letter.is_ascii() { letter } else { ascii_symbol(letter.encode_utf8(&mut bytes)) };
        return LETTERS.get(&plain.to_ascii_uppercase()).cloned();
    }
    if let Some(own) = OWN.get(&letter) {
        return Some(own.clone());
    }
    let rows = font8x8::BASIC_FONTS.get(letter).or_else(|| font8x8::LATIN_FONTS.get(letter))?;
    let column = |x: usize| (0..8).zip(rows).fold(0, |bits, (y, row)| bits | (row >> x & 1) << y);
    let drawn: Letter = (0..8).map(column).collect();
    let (first, last) = (drawn.iter().position(|bits| *bits != 0)?, drawn.iter().rposition(|bits| *bits != 0)?);
    Some(drawn.get(first..=last)?.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::text::Marks;
    use crate::tui::widgets::theme::{Depth, Palette};

    #[test]
    fn letters_are_as_readable_as_there_is_room() {
        let drawn = |columns, rows| {
            let lines = lines("mow", columns, rows, &Theme::default(), Style::new()).unwrap();
            lines.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        // Two columns between square letters, a half between narrow ones.
        assert_eq!(drawn(40, 4)[1], "██▀▀██▀▀█▄  ▄█▀▀█▄  ██  ██  ██");
        assert!(drawn(15, 4).iter().all(|line| line.chars().count() <= 15));
        assert!(lines("mow", 10, 4, &Theme::default(), Style::new()).is_none());
    }

    #[test]
    fn in_ascii_letters_are_of_ascii() {
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Ascii);
        let drawn = |text: &str| {
            let lines = lines(text, 40, 5, &theme, Style::new())?;
            Some(lines.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(drawn("é1").unwrap(), ["####  # ", "#    ## ", "###   # ", "#     # ", "#### ###"]);
        let is_drawn = |columns| lines("é1", columns, 5, &theme, Style::new()).is_some();
        assert!(is_drawn(8) && !is_drawn(7));
        assert!(drawn("Plant 10, \"Ivy\": (no-1/2)?!").is_none());
        assert!(LETTERS.values().all(|columns| columns.iter().all(|bits| *bits < 1 << Dots::Ascii.rows())));
        assert!(
            ('A'..='Z').chain('0'..='9').chain(".,:;?!'\"-()/_".chars()).all(|letter| LETTERS.contains_key(&letter))
        );
    }

    #[test]
    fn text_breaks_at_spaces_and_does_not_exceed_its_room() {
        let drawn = |text, columns, rows| lines(text, columns, rows, &Theme::default(), Style::new());
        let two = drawn("The store", 20, 8).unwrap();
        assert_eq!(two.len(), 2 * Dots::Narrow.rows());
        assert!(two.iter().all(|line| line.width() <= 20));
        assert_eq!(drawn("The store", 60, 4).unwrap().len(), Dots::Wide.rows());
        assert_eq!(drawn("The store", 20, 7), None);
        assert_eq!(drawn("unbreakable", 20, 8), None);
        assert_eq!(drawn("漢", 60, 8), None);
        assert!(drawn("é…", 60, 8).is_some());
    }

    #[test]
    fn square_letters_take_three_lines_only_where_there_is_room_for_words() {
        let rows = |columns| lines("garden garden garden", columns, 20, &Theme::default(), Style::new()).unwrap().len();
        let leading = 1;
        assert_eq!(rows(FOR_SQUARES), 3 * Dots::Wide.rows() + 2 * leading);
        assert_eq!(rows(FOR_SQUARES - 1), 2 * Dots::Narrow.rows() + leading);
    }

    #[test]
    fn letters_never_touch_those_below_them() {
        let widths = |text, columns, rows| {
            let lines = lines(text, columns, rows, &Theme::default(), Style::new())?;
            Some(lines.iter().map(Line::width).collect::<Vec<_>>())
        };
        // The tail of the `y` is right above the `G`.
        assert_eq!(widths("ya Go", 10, 8), None);
        assert_eq!(widths("ya Go", 10, 9), Some(vec![8, 8, 8, 8, 0, 8, 8, 8, 8]));
        assert!(widths("wa Go", 10, 8).is_some());
        // An `ß` with a tail would be a `p`.
        assert!(widths("ß Go", 10, 8).is_some());
        assert!(touches(&[0, 0x80], &[1]) && touches(&[0x80], &[0, 1]) && !touches(&[0x80], &[0, 0, 1]));
    }
}
