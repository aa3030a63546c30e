//! Text of any length: its rows are counted for all of it, and made only where they are on screen.

use std::collections::BTreeSet;

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use super::pairs;
use super::text::{broken, coloured, rows_of};
use super::theme::Theme;
use crate::domain::compare::Pair;
use crate::text::body::{Body, BodyLine};
use crate::text::caseless::caseless;
use crate::tui::message::Matches;

/// Text broken into rows of `width` columns.
pub struct Sheet<'a> {
    units: Vec<Unit<'a>>,
    width: usize,
}

/// A unit of the search: a row, or a line of a body or a comparison, which may be broken into several rows.
enum Unit<'a> {
    Row(Line<'static>),
    Line(&'a BodyLine),
    Pair(&'a Pair),
}

impl<'a> Sheet<'a> {
    pub fn new(width: usize) -> Self {
        Self { units: Vec::new(), width }
    }

    #[must_use]
    pub fn rows(mut self, rows: Vec<Line<'static>>) -> Self {
        self.units.extend(rows.into_iter().map(Unit::Row));
        self
    }

    /// Adds an empty row and the body; nothing if it is empty.
    #[must_use]
    pub fn body(self, body: &'a Body) -> Self {
        if body.lines.is_empty() { self } else { self.rows(vec![Line::default()]).text(body) }
    }

    #[must_use]
    pub fn text(mut self, body: &'a Body) -> Self {
        self.units.extend(body.lines.iter().map(Unit::Line));
        self
    }

    #[must_use]
    pub fn pairs(mut self, pairs: &'a [Pair]) -> Self {
        self.units.extend(pairs.iter().map(Unit::Pair));
        self
    }

    pub fn row_count(&self) -> usize {
        self.units.iter().map(|unit| unit.height(self.width)).sum()
    }

    /// Finds the units that contain a text, given in lower case. The current match is the first from row `from` on,
    /// else the first of all.
    pub fn find(&self, wanted: &str, from: usize) -> Matches {
        if wanted.is_empty() {
            return Matches::default();
        }
        let (mut found, mut row) = (Vec::new(), 0);
        for unit in &self.units {
            if unit.contains(wanted) {
                found.push(row);
            }
            row += unit.height(self.width);
        }
        let nth = found.iter().position(|row| *row >= from).unwrap_or(0);
        let count = found.len();
        let around = |step: usize| (count > 0).then(|| found.get((nth + step) % count).copied()).flatten();
        let at = around(0);
        Matches { count, nth: at.map_or(0, |_| nth + 1), at, before: around(count.saturating_sub(1)), after: around(1) }
    }

    /// Returns `rows` rows from row `top` on: matches are highlighted, and the rows of the current match selected.
    pub fn visible(
        &self,
        top: usize,
        rows: usize,
        wanted: &str,
        found: Option<usize>,
        theme: &Theme,
    ) -> Vec<Line<'static>> {
        let (mut visible, mut row) = (Vec::new(), 0);
        for unit in &self.units {
            let (first, height) = (row, unit.height(self.width));
            row += height;
            if row <= top {
                continue;
            }
            if first >= top + rows {
                break;
            }
            let made = unit.made(self.width, wanted, theme);
            let made = made.into_iter().map(|line| if found == Some(first) { theme.select(line) } else { line });
            visible.extend(made.skip(top.saturating_sub(first)));
        }
        visible.truncate(rows);
        visible
    }
}

impl Unit<'_> {
    fn height(&self, width: usize) -> usize {
        match self {
            Self::Row(_) => 1,
            Self::Line(line) => rows_of(line, width),
            Self::Pair(pair) => pairs::height(pair, width),
        }
    }

    fn contains(&self, wanted: &str) -> bool {
        match self {
            Self::Row(row) => contains(&row.to_string(), wanted),
            Self::Line(line) => contains(&line.text(), wanted),
            Self::Pair(pair) => {
                [&pair.left, &pair.right].into_iter().flatten().any(|line| contains(&line.text(), wanted))
            }
        }
    }

    fn made(&self, width: usize, wanted: &str, theme: &Theme) -> Vec<Line<'static>> {
        match self {
            Self::Row(row) => vec![Line { spans: marked(row.spans.clone(), wanted), ..row.clone() }],
            Self::Line(line) => {
                let spans = marked(coloured(line, theme), wanted).into_iter();
                broken(spans.map(|span| (span.content.into_owned(), span.style)).collect(), width)
            }
            Self::Pair(pair) => {
                let rows = pairs::rows_marked(pair, width, theme).into_iter();
                rows.map(|row| Line { spans: marked(row.spans, wanted), ..row }).collect()
            }
        }
    }
}

/// Whether a text contains another, which is [`caseless`].
fn contains(text: &str, wanted: &str) -> bool {
    if text.is_ascii() && wanted.is_ascii() {
        // The common case allocates nothing. Lines of deeply nested JSON begin with long indents.
        let text = if wanted.starts_with(' ') { text } else { text.trim_start() };
        return text.as_bytes().windows(wanted.len().max(1)).any(|there| there.eq_ignore_ascii_case(wanted.as_bytes()));
    }
    caseless(text).contains(wanted)
}

/// Reverses the colours of the characters that match.
fn marked(spans: Vec<Span<'static>>, wanted: &str) -> Vec<Span<'static>> {
    let text: String = spans.iter().map(|span| span.content.as_ref()).collect();
    if wanted.is_empty() || !contains(&text, wanted) {
        return spans;
    }
    let cells: Vec<(char, Style)> =
        spans.iter().flat_map(|span| span.content.chars().map(|c| (c, span.style))).collect();
    // A letter with its accents is compared as one, in one or several characters: each has the letter's number.
    let letters = || text.graphemes(true).enumerate();
    let compared: Vec<(char, usize)> =
        letters().flat_map(|(at, letter)| caseless(letter).chars().map(|c| (c, at)).collect::<Vec<_>>()).collect();
    let wanted: Vec<char> = wanted.chars().collect();
    let mut found = BTreeSet::new();
    for window in compared.windows(wanted.len()) {
        if window.iter().map(|(c, _)| c).eq(&wanted) {
            found.extend(window.iter().map(|(_, at)| *at));
        }
    }
    let is_found = letters().flat_map(|(at, letter)| letter.chars().map(move |_| at)).map(|at| found.contains(&at));
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut last = None;
    for ((c, own), found) in cells.into_iter().zip(is_found) {
        let style = if found { own.add_modifier(Modifier::REVERSED) } else { own };
        match spans.last_mut() {
            Some(span) if last == Some(style) => span.content.to_mut().push(c),
            Some(_) | None => spans.push(Span::styled(c.to_string(), style)),
        }
        last = Some(style);
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Marks;
    use crate::tui::widgets::theme::{Depth, Palette};

    fn theme() -> Theme {
        Theme::new(Palette::Dark, Depth::Many, Marks::Unicode)
    }

    fn sheet(lines: &[&str]) -> Sheet<'static> {
        Sheet::new(80).rows(lines.iter().map(|line| Line::from((*line).to_owned())).collect())
    }

    fn text(lines: &[Line]) -> Vec<String> {
        lines.iter().map(|line| line.spans.iter().map(|span| span.content.as_ref()).collect()).collect()
    }

    #[test]
    fn a_search_goes_on_at_the_beginning_after_the_last_match() {
        let sheet = sheet(&["fern", "ivy", "Fern", "x fern fern"]);
        let first = Matches { count: 3, nth: 1, at: Some(0), before: Some(3), after: Some(2) };
        assert_eq!(sheet.find("fern", 0), first);
        assert_eq!(sheet.find("fern", 1).at, Some(2));
        assert_eq!(sheet.find("fern", 4).at, Some(0));
        assert_eq!(sheet.find("oak", 0), Matches::default());
        assert_eq!(sheet.find("", 0), Matches::default());
        let visible = sheet.visible(3, 9, "fern", None, &theme());
        assert_eq!((text(&visible), visible[0].spans.len()), (vec!["x fern fern".to_owned()], 4));
    }

    #[test]
    fn a_match_that_is_longer_in_lower_case_is_highlighted_where_it_is() {
        let visible = sheet(&["aİXb"]).visible(0, 1, "i\u{307}x", None, &theme());
        let reversed = visible[0].spans.iter().filter(|span| span.style.add_modifier.contains(Modifier::REVERSED));
        assert_eq!(reversed.map(|span| span.content.as_ref()).collect::<String>(), "İX");
    }

    #[test]
    fn a_letter_with_an_accent_is_highlighted_as_a_whole_in_any_form() {
        for (line, wanted, found) in [
            ("a CAFE\u{301} b", "Caf\u{e9}", "CAFE\u{301}"),
            ("Straße", "STRASSE", "Straße"),
            ("xCaf\u{e9}", "cafe\u{301}", "Caf\u{e9}"),
        ] {
            let visible = sheet(&[line]).visible(0, 1, &caseless(wanted), None, &theme());
            let reversed = visible[0].spans.iter().filter(|span| span.style.add_modifier.contains(Modifier::REVERSED));
            assert_eq!(reversed.map(|span| span.content.as_ref()).collect::<String>(), found, "{line}");
        }
    }

    #[test]
    fn a_letter_is_found_in_a_line_of_other_letters_whatever_its_case() {
        let sheet = sheet(&["aİXb", "300 \u{212a}", "oak"]);
        assert_eq!(["i", "k", "ak"].map(|wanted| sheet.find(wanted, 0).count), [1, 2, 1]);
    }

    #[test]
    fn a_match_in_a_comparison_is_highlighted() {
        let line = |text: &str| Some(BodyLine::plain(text.to_owned()));
        let pairs = [Pair { left: line("a fern"), right: line("an ivy"), same: false }];
        let sheet = Sheet::new(20).pairs(&pairs);
        let visible = sheet.visible(0, 9, "ivy", None, &theme());
        assert_eq!(text(&visible), ["≠A a fern", "≠B an ivy"]);
        let is_found = |span: &&Span| span.style.add_modifier.contains(Modifier::REVERSED);
        let found: Vec<_> = visible.iter().flat_map(|line| &line.spans).filter(is_found).collect();
        assert_eq!(found.iter().map(|span| span.content.as_ref()).collect::<Vec<_>>(), ["ivy"]);
    }

    #[test]
    fn any_rows_of_a_sheet_are_those_rows_of_the_whole() {
        let bodies =
            [r#"{"name":"漢字漢字漢字漢字","long":"abcdefghijklmnopqrstuvwxyz","n":[1,2]}"#, "plain\n\nlines of text"];
        for body in bodies.map(|body| Body::laid_out(body.as_bytes())) {
            for width in [2, 3, 7, 10, 40] {
                let sheet = Sheet::new(width).rows(vec![Line::from("head")]).body(&body).rows(vec![Line::from("end")]);
                let whole = sheet.visible(0, usize::MAX, "", None, &theme());
                assert_eq!(whole.len(), sheet.row_count(), "{width}");
                for top in 0..sheet.row_count() {
                    assert_eq!(
                        sheet.visible(top, 3, "", None, &theme()),
                        whole[top..whole.len().min(top + 3)],
                        "{width}"
                    );
                }
                let kept: String = text(&whole).concat();
                assert!(body.lines.iter().all(|line| kept.contains(&line.text())));
            }
        }
    }

    #[test]
    fn a_match_across_two_rows_is_found() {
        let body = Body::raw(b"abcdefghij");
        let sheet = Sheet::new(4).body(&body);
        assert_eq!(sheet.find("defg", 0).at, Some(1));
        let visible = sheet.visible(1, 3, "defg", Some(1), &theme());
        assert_eq!(text(&visible), ["abcd", "efgh", "ij"]);
    }
}
