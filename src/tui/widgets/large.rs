//! Large letters of eight by eight dots, four of which share a cell.

use font8x8::UnicodeFonts as _;
use ratatui::style::Style;
use ratatui::text::Line;

use super::theme::Theme;

/// Rows of a line of large letters.
pub const ROWS: usize = 4;

/// Columns of dots of a space, and between two letters.
const GAP: (usize, usize) = (3, 1);

/// Block characters by the quarters they fill, as bits: upper left, upper right, lower left, lower right.
const QUARTERS: [&str; 16] = [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"];

/// A letter without the empty columns at its sides, each column as bits from the top.
type Letter = Vec<u8>;

/// Returns clean text in large letters, broken at spaces; `None` where it does not fit into `columns` and `rows`, or has
/// a letter that cannot be drawn large.
pub fn lines(text: &str, columns: usize, rows: usize, theme: &Theme, style: Style) -> Option<Vec<Line<'static>>> {
    if theme.is_ascii() {
        return None;
    }
    let mut lines: Vec<Letter> = Vec::new();
    for word in text.split_whitespace() {
        let word = dots(word)?;
        if word.len() > columns * 2 {
            return None;
        }
        match lines.last_mut() {
            Some(line) if line.len() + GAP.0 + word.len() <= columns * 2 => {
                line.resize(line.len() + GAP.0, 0);
                line.extend(word);
            }
            _ => lines.push(word),
        }
    }
    let fits = lines.len() * ROWS <= rows;
    fits.then(|| lines.iter().flat_map(|line| cells(line)).map(|row| Line::styled(row, style)).collect())
}

/// Returns the columns of dots of a word.
fn dots(word: &str) -> Option<Letter> {
    let mut columns = Vec::new();
    for letter in word.replace('…', "...").chars() {
        let rows = font8x8::BASIC_FONTS.get(letter).or_else(|| font8x8::LATIN_FONTS.get(letter))?;
        let column = |x: usize| (0..8).zip(rows).fold(0, |bits, (y, row)| bits | (row >> x & 1) << y);
        let drawn: Letter = (0..8).map(column).collect();
        let (first, last) = (drawn.iter().position(|bits| *bits != 0)?, drawn.iter().rposition(|bits| *bits != 0)?);
        columns.extend(drawn.get(first..=last)?);
        columns.resize(columns.len() + GAP.1, 0);
    }
    Some(columns)
}

/// Returns the rows of cells of a line of dots.
fn cells(line: &[u8]) -> Vec<String> {
    let cell = |pair: &[u8], row: usize| {
        let half = |at: usize| pair.get(at).map_or(0, |bits| usize::from(bits >> (2 * row)));
        let (left, right) = (half(0), half(1));
        let bits = left & 1 | (right & 1) << 1 | (left >> 1 & 1) << 2 | (right >> 1 & 1) << 3;
        QUARTERS.get(bits).copied().unwrap_or(" ")
    };
    (0..ROWS).map(|row| line.chunks(2).map(|pair| cell(pair, row)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_breaks_at_spaces_and_does_not_exceed_its_room() {
        let drawn = |text, columns, rows| lines(text, columns, rows, &Theme::default(), Style::new());
        let two = drawn("The store", 20, 8).unwrap();
        assert_eq!(two.len(), 2 * ROWS);
        assert!(two.iter().all(|line| line.width() <= 20));
        assert_eq!(drawn("The store", 60, 8).unwrap().len(), ROWS);
        assert_eq!(drawn("The store", 20, 7), None);
        assert_eq!(drawn("unbreakable", 20, 8), None);
        assert_eq!(drawn("漢", 60, 8), None);
        assert!(drawn("é…", 60, 8).is_some());
    }
}
