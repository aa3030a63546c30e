//! A form: fields with their cursor and what stands beside them, in a box as high as it needs.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::canvas::Canvas;
use super::text::wrapped_lines;
use super::text_input::TextInput;
use super::theme::Theme;
use crate::domain::text::clean;
use crate::tui::input::Key;
use crate::tui::message::Target;

/// Columns of a form where there is room.
pub const FORM: u16 = 84;
/// Columns of a field's label.
const LABEL: usize = 6;

/// Lines of a form as they are made, and where the cursor is among them.
#[derive(Default)]
pub struct Form {
    pub lines: Vec<Line<'static>>,
    pub cursor: Option<(usize, usize)>,
    /// Which lines take the mouse.
    pub targets: Vec<(usize, Target)>,
}

impl Form {
    /// The columns inside a form, where it is drawn in this area.
    pub fn width(area: Rect) -> usize {
        usize::from(FORM.min(area.width)).saturating_sub(4)
    }

    pub fn field(&mut self, label: &str, input: &TextInput, focused: bool, width: usize, theme: &Theme) {
        let (text, column) =
            around_cursor(&clean(input.before_cursor()), &clean(input.after_cursor()), width.saturating_sub(LABEL + 3));
        let style = if focused { theme.title } else { theme.text };
        let pointer = if focused { theme.mark("▸ ", "> ") } else { "  " };
        if focused {
            self.cursor = Some((self.lines.len(), LABEL + 2 + column));
        }
        self.lines.push(Line::from(vec![
            Span::styled(pointer, theme.key),
            Span::styled(format!("{label:<LABEL$}"), if focused { theme.key } else { theme.dim }),
            Span::styled(text, style),
        ]));
    }

    /// Text over the whole width, in so many rows at most.
    pub fn words(&mut self, text: &str, rows: usize, style: Style, width: usize) {
        self.lines.extend(wrapped_lines(text, 0, width, rows, style));
    }

    /// Text beside a field: in the columns of what is typed.
    pub fn note(&mut self, text: &str, style: Style, width: usize) {
        self.lines.extend(wrapped_lines(text, LABEL + 2, width, 3, style));
    }

    /// A fault beside a field, or an empty line.
    pub fn fault(&mut self, fault: Option<impl std::fmt::Display>, width: usize, theme: &Theme) {
        match fault {
            Some(fault) => self.note(&format!("{} {fault}", theme.mark("✗", "x")), theme.bad, width),
            None => self.blank(),
        }
    }

    pub fn blank(&mut self) {
        self.lines.push(Line::default());
    }

    /// Leaves out empty lines from the top on until it fits, or none is left.
    fn squeeze(&mut self, height: usize) {
        while self.lines.len() > height {
            let Some(empty) = self.lines.iter().position(|line| line.width() == 0) else { return };
            self.lines.remove(empty);
            let cursor = self.cursor.iter_mut().map(|(line, _)| line);
            let below = cursor.chain(self.targets.iter_mut().map(|(line, _)| line)).filter(|line| **line > empty);
            below.for_each(|line| *line -= 1);
        }
    }

    /// Draws it in a box of its own.
    pub fn draw(mut self, title: &str, area: Rect, canvas: &mut Canvas<'_, '_>) {
        self.squeeze(usize::from(area.height.saturating_sub(2)));
        let height = u16::try_from(self.lines.len()).unwrap_or(u16::MAX).saturating_add(2);
        let inner = canvas.boxed(title, (FORM, height), area);
        // The line with the cursor stays in sight, however small the box.
        let page = usize::from(inner.height);
        let skip = self.cursor.map_or(0, |(line, _)| (line + 2).saturating_sub(page));
        let row_of = |line: usize| {
            let y = inner.y.saturating_add(u16::try_from(line.saturating_sub(skip)).unwrap_or(0));
            Rect { y, height: 1, ..inner }
        };
        if let Some((line, column)) = self.cursor {
            canvas.cursor(row_of(line), column);
        }
        for (line, target) in self.targets.into_iter().filter(|(line, _)| (skip..skip + page).contains(line)) {
            canvas.target(row_of(line), target);
        }
        canvas.lines(self.lines.into_iter().skip(skip).take(page).collect(), inner);
    }
}

/// The part of a field around its cursor that fits, and the cursor's column in it.
pub fn around_cursor(before: &str, after: &str, columns: usize) -> (String, usize) {
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

/// A field with one star for each character of another; before an audience, as `hides_length` has it, always
/// with the same few.
pub fn masked(secret: &TextInput, hides_length: bool) -> TextInput {
    if hides_length {
        return TextInput::holding(if secret.text().is_empty() { "" } else { "********" });
    }
    let stars = |text: &str| "*".repeat(text.graphemes(true).count().min(400));
    let behind = stars(secret.after_cursor());
    let mut field = TextInput::holding(stars(secret.before_cursor()));
    let length = behind.len();
    field.insert(&behind);
    for _ in 0..length {
        field.press(Key::Left);
    }
    field
}
