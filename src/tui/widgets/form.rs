//! A form: labelled fields, the notes beside them, and the cursor, in a box as high as its lines.
//!
//! Fields are numbered in the order in which they are added, for [`Target::Field`].

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::canvas::{Canvas, cells};
use super::page::Page;
use super::text::{fitted, wrapped_lines};
use super::text_input::TextInput;
use super::theme::Theme;
use crate::terminal::Key;
use crate::text::{clean, clean_fit, clean_padded};
use crate::tui::message::Target;

/// Columns of a form where the terminal is wide enough.
pub const FORM: u16 = 84;
/// Columns of a field's label, if it has no other width.
const LABEL: usize = 6;
/// Columns between texts side by side.
const GAP: usize = 2;

/// The lines of a form, made from top to bottom.
pub struct Form<'a> {
    /// Text over the whole width of the box.
    pub page: Page<'a>,
    /// Columns of the label of a field.
    label: usize,
    /// Line and column.
    cursor: Option<(usize, usize)>,
    /// The line of each field.
    fields: Vec<usize>,
}

impl<'a> Form<'a> {
    /// An empty form, to be drawn in `area`.
    pub fn new(area: Rect, theme: &'a Theme) -> Self {
        Self { page: Page::new(theme, Self::columns(area)), label: LABEL, cursor: None, fields: Vec::new() }
    }

    /// The columns inside a form that is drawn in `area`.
    fn columns(area: Rect) -> usize {
        usize::from(FORM.min(area.width)).saturating_sub(4)
    }

    /// Makes labels as wide as this one.
    pub fn make_room(&mut self, label: &str) {
        self.label = self.label.max(label.width() + GAP);
    }

    pub fn field(&mut self, label: &str, input: &TextInput, focused: bool) {
        let room = self.page.width.saturating_sub(self.label + 3);
        // Without the cursor, its beginning.
        let (text, column) = if focused { visible_part(input, room) } else { (clean_fit(input.text(), room), 0) };
        self.labelled(&clean_padded(label, self.label), &text, focused, self.label + column);
    }

    /// A field with any text; the cursor's column is counted from the beginning of the label.
    pub fn labelled(&mut self, label: &str, text: &str, focused: bool, cursor: usize) {
        let theme = self.page.theme;
        let (label_style, style) = if focused { (theme.key, theme.title) } else { (theme.dim, theme.text) };
        let pointer = theme.pointer(focused);
        if focused {
            self.cursor = Some((self.page.lines.len(), pointer.width() + cursor));
        }
        self.fields.push(self.page.lines.len());
        let text = fitted(text, self.page.width.saturating_sub(pointer.width() + label.width()), style);
        self.page.lines.push(Line::from(vec![pointer, Span::styled(label.to_owned(), label_style), text]));
    }

    /// Text below a field, in the columns of its input.
    pub fn note(&mut self, text: &str, style: Style) {
        self.page.lines.extend(wrapped_lines(text, self.label + 2, self.page.width, 3, style));
    }

    /// An explanation below a field.
    pub fn aside(&mut self, text: &str) {
        self.note(text, self.page.theme.dim);
    }

    /// Short texts below a field, in columns of the same width and at most so many rows. Returns how many are shown.
    pub fn side_by_side(&mut self, texts: &[String], rows: usize) -> usize {
        let room = self.page.width.saturating_sub(self.label + 2).max(1);
        let (mut column, mut count) = (1, 0);
        for text in texts {
            let wider = (clean(text).width() + GAP).clamp(column, column.max(room));
            if count == rows * (room / wider) {
                break;
            }
            (column, count) = (wider, count + 1);
        }
        for row in texts.get(..count).unwrap_or_default().chunks((room / column).max(1)) {
            let texts: String = row.iter().map(|text| clean_padded(text, column)).collect();
            let pad = " ".repeat(self.label + 2);
            self.page.lines.push(Line::from(vec![Span::raw(pad), Span::styled(texts, self.page.theme.text)]));
        }
        count
    }

    /// Shows the text of the field that was added last as selected: typing replaces it.
    pub fn select(&mut self) {
        if let Some(text) = self.page.lines.last_mut().and_then(|line| line.spans.last_mut()) {
            text.style = text.style.patch(self.page.theme.selected);
        }
    }

    /// The same, with what it is below it.
    pub fn offered(&mut self, what: &str) {
        self.select();
        self.aside(&format!("{what}; what you type replaces it"));
    }

    /// Why the input of a field is invalid, or an empty line.
    pub fn fault(&mut self, fault: Option<impl std::fmt::Display>) {
        match fault {
            Some(fault) => self.note(&format!("{} {fault}", self.page.theme.mark("✗", "x")), self.page.theme.bad),
            None => self.page.blank(),
        }
    }

    /// Removes empty lines from the top on until the form fits, or none is left.
    fn squeeze(&mut self, height: usize) {
        while self.page.lines.len() > height {
            let Some(empty) = self.page.lines.iter().position(|line| line.width() == 0) else { return };
            self.page.lines.remove(empty);
            let cursor = self.cursor.iter_mut().map(|(line, _)| line);
            cursor.chain(&mut self.fields).filter(|line| **line > empty).for_each(|line| *line -= 1);
        }
    }

    /// Draws the form in a box of its own; the line with the cursor stays on screen, however small the box.
    pub fn draw(mut self, title: &str, area: Rect, canvas: &mut Canvas<'_, '_>) {
        self.squeeze(usize::from(area.height.saturating_sub(2)));
        let inner = canvas.dialog(title, (FORM, cells(self.page.lines.len()).saturating_add(2)), area);
        let skip = self.cursor.map_or(0, |(line, _)| (line + 2).saturating_sub(usize::from(inner.height)));
        for (line, row) in (skip..).zip(inner.rows()) {
            if let Some(field) = self.fields.iter().position(|field| *field == line) {
                canvas.target(row, Target::Field(field));
            }
            if let Some((_, column)) = self.cursor.filter(|(at, _)| *at == line) {
                canvas.cursor(row, column);
            }
        }
        canvas.lines(self.page.lines.into_iter().skip(skip).collect(), inner);
    }
}

/// The part of an input around its cursor that fits into `columns`, cleaned, and the cursor's column in it.
pub fn visible_part(input: &TextInput, columns: usize) -> (String, usize) {
    let (before, after) = (clean(input.before_cursor()), clean(input.after_cursor()));
    let mut kept: Vec<&str> = Vec::new();
    let mut column = 0;
    for grapheme in before.graphemes(true).rev() {
        if column + grapheme.width() > columns.saturating_sub(1) {
            break;
        }
        column += grapheme.width();
        kept.push(grapheme);
    }
    let mut text: String = kept.into_iter().rev().collect();
    let mut used = column;
    for grapheme in after.graphemes(true) {
        used += grapheme.width();
        if used > columns {
            break;
        }
        text.push_str(grapheme);
    }
    (text, column)
}

/// A field with one star for each character of a secret; with `hides_length`, always with the same eight.
pub fn masked(secret: &TextInput, hides_length: bool) -> TextInput {
    if hides_length {
        return TextInput::holding(if secret.text().is_empty() { "" } else { "********" });
    }
    let stars = |text: &str| "*".repeat(text.graphemes(true).count().min(400));
    let after = stars(secret.after_cursor());
    let mut field = TextInput::holding(stars(secret.before_cursor()));
    field.insert(&after);
    for _ in 0..after.len() {
        field.press(Key::Left);
    }
    field
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Position;

    use super::*;
    use crate::tui::widgets::testing::drawn;

    #[test]
    fn a_field_shows_the_text_around_its_cursor() {
        let visible = |before: &str, after: &str, columns| {
            let mut input = TextInput::holding(format!("{before}{after}"));
            for _ in after.graphemes(true) {
                input.press(Key::Left);
            }
            visible_part(&input, columns)
        };
        for (before, after, columns, text, column) in [
            ("abcdefgh", "", 5, "efgh", 4),
            ("", "abcdefgh", 5, "abcde", 0),
            ("abc", "defgh", 5, "abcde", 3),
            ("abcdefg", "h", 5, "defgh", 4),
            ("漢字", "", 4, "字", 2),
            ("", "漢字", 3, "漢", 0),
            ("ab", "", 5, "ab", 2),
        ] {
            assert_eq!(visible(before, after, columns), (text.to_owned(), column), "{before}|{after}");
        }
    }

    #[test]
    fn the_cursor_is_behind_the_end_of_a_long_text() {
        let input = TextInput::holding("abcdefghijklmnopqrstuvwxyz");
        let drawn = drawn((30, 6), |area, canvas| {
            let mut form = Form::new(area, canvas.theme);
            form.field("name", &input, true);
            form.page.dim("a plant's name", 1);
            form.draw("Add", area, canvas);
        });
        assert_eq!(
            drawn.rows,
            [
                "",
                "╭ Add ───────────────────────╮",
                "│ ▸ name  klmnopqrstuvwxyz   │",
                "│ a plant's name             │",
                "╰────────────────────────────╯",
                ""
            ]
        );
        assert_eq!(drawn.cursor, Some(Position { x: 26, y: 2 }));
    }

    #[test]
    fn where_a_form_is_too_high_it_loses_its_empty_lines() {
        let (name, tag) = (TextInput::holding("Fern"), TextInput::holding("shade"));
        let drawn = drawn((30, 5), |area, canvas| {
            let mut form = Form::new(area, canvas.theme);
            form.field("name", &name, false);
            form.page.blank();
            form.field("tag", &tag, true);
            form.page.dim("Enter sends it", 1);
            form.draw("Add", area, canvas);
        });
        assert_eq!(
            drawn.rows[1..4],
            ["│   name  Fern               │", "│ ▸ tag   shade              │", "│ Enter sends it             │"]
        );
        let fields: Vec<_> = drawn.map.targets.iter().map(|(area, field)| (area.y, *field)).collect();
        assert_eq!(fields, [(1, Target::Field(0)), (2, Target::Field(1))]);
        assert_eq!(drawn.cursor, Some(Position { x: 15, y: 2 }));
    }

    #[test]
    fn short_texts_are_side_by_side_below_the_input() {
        let theme = Theme::default();
        let mut form = Form::new(Rect::new(0, 0, 44, 9), &theme);
        let texts: Vec<_> = (0..10).map(|at| format!("a{at}")).collect();
        assert_eq!(form.side_by_side(&texts, 2), 10);
        let rows: Vec<_> = form.page.lines.iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["        a0  a1  a2  a3  a4  a5  a6  a7  ", "        a8  a9  "]);
    }
}
