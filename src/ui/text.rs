//! Foreign text on its way to a cell: cleaned, measured in columns, cut and wrapped by graphemes.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::domain::text::{clean, clean_fit};

/// Foreign text as a span of at most so many columns.
pub(super) fn fitted(text: &str, columns: usize, style: Style) -> Span<'static> {
    Span::styled(clean_fit(text, columns), style)
}

/// Foreign text, cleaned, broken into lines of at most so many columns: at spaces where there
/// are any, anywhere else within a word that is longer than a line. At most `most` lines, the
/// last one saying so if there was more.
pub(super) fn wrapped(text: &str, columns: usize, most: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        wrap_paragraph(&clean(paragraph.strip_suffix('\r').unwrap_or(paragraph)), columns, &mut lines, most);
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut() {
                *last = clean_fit(&format!("{last}…"), columns);
            }
            break;
        }
    }
    lines
}

fn wrap_paragraph(text: &str, columns: usize, lines: &mut Vec<String>, most: usize) {
    let mut line = String::new();
    let mut used = 0;
    for word in words(text) {
        let width = word.width();
        // A word that is longer than any line is broken where it stands.
        if used + width > columns && used > 0 && width <= columns {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            used = 0;
            if lines.len() > most {
                return;
            }
            if word.trim().is_empty() {
                continue;
            }
        }
        if width <= columns {
            line.push_str(word);
            used += width;
            continue;
        }
        for grapheme in word.graphemes(true) {
            let width = grapheme.width();
            if used + width > columns && used > 0 {
                lines.push(std::mem::take(&mut line));
                used = 0;
                if lines.len() > most {
                    return;
                }
            }
            if width <= columns {
                line.push_str(grapheme);
                used += width;
            }
        }
    }
    lines.push(line.trim_end().to_owned());
}

/// The words of a text and the spaces between them, each by itself.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ').flat_map(|piece| match piece.strip_suffix(' ') {
        Some(word) => [word, " "],
        None => [piece, ""],
    })
}

/// [`wrapped`] as lines of one style, with an indent.
pub(super) fn wrapped_lines(
    text: &str,
    indent: usize,
    columns: usize,
    most: usize,
    style: Style,
) -> Vec<Line<'static>> {
    let pad = " ".repeat(indent);
    wrapped(text, columns.saturating_sub(indent), most)
        .into_iter()
        .map(|line| Line::from(Span::styled(format!("{pad}{line}"), style)))
        .collect()
}

/// Text that hangs behind a head: wrapped into the columns right of it.
pub(super) fn hanging(
    head: Span<'static>,
    text: &str,
    columns: usize,
    most: usize,
    style: Style,
) -> Vec<Line<'static>> {
    let indent = head.width();
    let mut lines = wrapped_lines(text, 0, columns.saturating_sub(indent), most, style);
    let heads = std::iter::once(head).chain(std::iter::repeat(Span::raw(" ".repeat(indent))));
    for (line, head) in lines.iter_mut().zip(heads) {
        line.spans.insert(0, head);
    }
    lines
}

/// Styled text that is clean, broken anywhere into lines of at most so many columns: for what is
/// to be read to the letter.
pub(super) fn broken(pieces: Vec<(String, Style)>, columns: usize) -> Vec<Line<'static>> {
    let columns = columns.max(2);
    let (mut lines, mut line, mut used) = (Vec::new(), Line::default(), 0);
    for (text, style) in pieces {
        let mut rest = String::new();
        if text.is_ascii() && text.len() > columns {
            // The common case of a long line: every byte is a column.
            let mut text = text.as_str();
            while let Some((row, behind)) =
                text.split_at_checked(columns - used).filter(|(_, behind)| !behind.is_empty())
            {
                line.push_span(Span::styled(row.to_owned(), style));
                lines.push(std::mem::take(&mut line));
                (used, text) = (0, behind);
            }
            used += text.len();
            line.push_span(Span::styled(text.to_owned(), style));
            continue;
        }
        for grapheme in text.graphemes(true) {
            let width = grapheme.width();
            if used + width > columns {
                line.push_span(Span::styled(std::mem::take(&mut rest), style));
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            rest.push_str(grapheme);
            used += width;
        }
        line.push_span(Span::styled(rest, style));
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_long_words_anywhere() {
        assert_eq!(wrapped("one two three", 7, 9), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh", 3, 9), ["abc", "def", "gh"]);
        assert_eq!(wrapped("a bcdefgh", 3, 9), ["a b", "cde", "fgh"]);
        assert_eq!(wrapped("it is (so). Yes", 9, 9), ["it is", "(so). Yes"]);
        assert_eq!(wrapped("漢字漢字", 3, 9), ["漢", "字", "漢", "字"]);
        assert_eq!(wrapped("a\nb\r\n", 3, 9), ["a", "b", ""]);
        assert_eq!(wrapped("", 3, 9), [""]);
    }

    #[test]
    fn what_is_broken_loses_nothing() {
        let pieces = vec![("{\"name\":".to_owned(), Style::new()), ("\"漢字 x\"".to_owned(), Style::new().bold())];
        let lines = broken(pieces, 7);
        assert!(lines.iter().all(|line| line.width() <= 7));
        let whole: String = lines.iter().flat_map(|line| &line.spans).map(|span| span.content.as_ref()).collect();
        assert_eq!(whole, "{\"name\":\"漢字 x\"");
        assert_eq!(broken(Vec::new(), 7).len(), 1);
    }

    #[test]
    fn there_are_never_more_lines_than_asked_for() {
        let long = "x ".repeat(10_000);
        assert_eq!(wrapped(&long, 10, 4).len(), 4);
        assert_eq!(wrapped("one two three", 7, 1), ["one tw…"]);
        assert_eq!(wrapped(&"漢".repeat(10_000), 1, 4).len(), 1);
    }
}
