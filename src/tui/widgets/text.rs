//! Text from outside on its way to a cell: cleaned, measured in columns, cut and wrapped.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::theme::Theme;
use crate::text::body::BodyLine;
use crate::text::wrap::wrapped;
use crate::text::{clean_fit, clean_fit_named};

/// Cleans text and cuts it to `columns`.
pub fn fitted(text: &str, columns: usize, style: Style) -> Span<'static> {
    Span::styled(clean_fit(text, columns), style)
}

/// Cleans text that names a plant and cuts it to `columns`, its name first and never its id.
pub fn fitted_named(text: &str, columns: usize, style: Style) -> Span<'static> {
    Span::styled(clean_fit_named(text, columns), style)
}

/// Wraps text into at most `most` lines of one style, behind an indent.
pub fn wrapped_lines(text: &str, indent: usize, columns: usize, most: usize, style: Style) -> Vec<Line<'static>> {
    let pad = " ".repeat(indent);
    wrapped(text, columns.saturating_sub(indent), most)
        .into_iter()
        .map(|line| Line::from(Span::styled(format!("{pad}{line}"), style)))
        .collect()
}

/// Returns the cells of a line with so many columns behind each; a column that is left out has an empty cell.
pub fn side_by_side(cells: impl IntoIterator<Item = Span<'static>>, gap: usize) -> impl Iterator<Item = Span<'static>> {
    let shown = cells.into_iter().filter(|cell| !cell.content.is_empty());
    shown.flat_map(move |cell| [cell, Span::raw(" ".repeat(gap))])
}

/// Explains why a list is empty: a blank line, and the words two columns in.
pub fn placeholder(words: &str, columns: usize, style: Style) -> Vec<Line<'static>> {
    [vec![Line::default()], wrapped_lines(words, 2, columns.saturating_sub(1), 3, style)].concat()
}

/// Wraps text into the columns right of a head.
pub fn hanging(head: Span<'static>, text: &str, columns: usize, most: usize, style: Style) -> Vec<Line<'static>> {
    let lines = wrapped_lines(text, 0, columns.saturating_sub(head.width()), most, style);
    behind(head, lines)
}

/// Puts lines right of a head.
pub fn behind(head: Span<'static>, mut lines: Vec<Line<'static>>) -> Vec<Line<'static>> {
    let indent = Span::raw(" ".repeat(head.width()));
    let heads = std::iter::once(head).chain(std::iter::repeat(indent));
    for (line, head) in lines.iter_mut().zip(heads) {
        line.spans.insert(0, head);
    }
    lines
}

/// Returns a line of a body, in the colours of JSON where it is that.
pub fn coloured(line: &BodyLine, theme: &Theme) -> Vec<Span<'static>> {
    let style = |kind: &Option<_>| kind.map_or(theme.text, |kind| theme.json(kind));
    line.parts.iter().map(|(kind, text)| Span::styled(text.clone(), style(kind))).collect()
}

/// Breaks a line of a body into lines of at most `columns`, between its tokens where they fit into a line.
pub fn flowing(line: &BodyLine, theme: &Theme, columns: usize) -> Vec<Line<'static>> {
    let (mut lines, mut pieces, mut used) = (Vec::new(), Vec::new(), 0);
    for span in coloured(line, theme) {
        let width = span.width();
        if used + width > columns && width <= columns && used > 0 {
            lines.extend(broken(std::mem::take(&mut pieces), columns));
            used = 0;
        }
        used += width;
        pieces.push((span.content.into_owned(), span.style));
    }
    lines.extend(broken(pieces, columns));
    lines
}

/// Breaks clean, styled text anywhere into lines of at most `columns`: every character is kept.
pub fn broken(pieces: Vec<(String, Style)>, columns: usize) -> Vec<Line<'static>> {
    let columns = columns.max(2);
    let (mut lines, mut line, mut used) = (Vec::new(), Line::default(), 0);
    for (text, style) in pieces {
        let mut rest = String::new();
        if text.is_ascii() && text.len() > columns {
            // The common case of a long line: every byte is a column.
            let mut text = text.as_str();
            while let Some((row, rest)) = text.split_at_checked(columns - used).filter(|(_, rest)| !rest.is_empty()) {
                line.push_span(Span::styled(row.to_owned(), style));
                lines.push(std::mem::take(&mut line));
                (used, text) = (0, rest);
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

/// Returns the number of rows that a line takes.
pub fn rows_of(line: &BodyLine, width: usize) -> usize {
    if line.columns <= width {
        1
    } else if line.parts.iter().all(|(_, text)| text.is_ascii()) {
        line.columns.div_ceil(width.max(2))
    } else {
        // A wide character that does not fit any more leaves a column empty.
        let plain = line.parts.iter().map(|(_, text)| (text.clone(), Style::new()));
        broken(plain.collect(), width).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_text_keeps_every_character() {
        let pieces = vec![("{\"name\":".to_owned(), Style::new()), ("\"漢字 x\"".to_owned(), Style::new().bold())];
        let lines = broken(pieces, 7);
        assert!(lines.iter().all(|line| line.width() <= 7));
        let whole: String = lines.iter().flat_map(|line| &line.spans).map(|span| span.content.as_ref()).collect();
        assert_eq!(whole, "{\"name\":\"漢字 x\"");
        assert_eq!(broken(Vec::new(), 7).len(), 1);
    }
}
