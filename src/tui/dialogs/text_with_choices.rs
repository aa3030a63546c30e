//! A text with choices below it: a question, or the preview of an import. The choices stay in sight; the text scrolls where
//! it has no room.
//!
//! Must not know what a choice does.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::answer_keys::AnswerKeys;
use crate::domain::Language;
use crate::domain::language::Id;
use crate::text::clean_padded;
use crate::text::wrap::wrapped;
use crate::tui::context::Context;
use crate::tui::input::{Command, Scope};
use crate::tui::message::Target;
use crate::tui::widgets::canvas::{Canvas, below, cells};
use crate::tui::widgets::text::{behind, fitted_named, hanging};

/// Rows of one hint at most.
const HINT_ROWS: usize = 6;

/// Columns between a label and its hint.
const GAP: usize = 2;

/// Rows that the text has at least, before the hint of the marked choice is whole.
const FEW: usize = 3;

pub(super) struct TextWithChoices {
    pub title: String,
    /// Columns of the dialog where the terminal is wide enough.
    pub columns: u16,
    pub text: Vec<Line<'static>>,
    /// Plants below it, a line each.
    pub listed: Vec<String>,
    /// The first line on screen, where so many fit.
    pub top: usize,
    /// The label of each choice, and what follows from it.
    pub choices: Vec<[String; 2]>,
    pub keys: AnswerKeys,
    pub marked: usize,
    pub language: Language,
}

impl TextWithChoices {
    /// Returns the rows of the whole dialog.
    pub(super) fn rows(&self, area: Rect) -> u16 {
        let hint = columns_of_text(self.columns, area).saturating_sub(self.keys.columns() + self.widest() + GAP);
        let choices = self.choices.iter().map(|[_, text]| wrapped(text, hint, HINT_ROWS).len()).sum::<usize>();
        cells(self.text.len() + self.listed.len() + choices).saturating_add(3)
    }

    fn widest(&self) -> usize {
        self.choices.iter().map(|[label, _]| label.width()).max().unwrap_or(0)
    }

    /// Draws the dialog. Where the text has no room beside all hints, only that of the marked choice is whole, or none.
    pub(super) fn draw(mut self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let height = |choices: &[Vec<Line<'_>>]| choices.iter().map(Vec::len).sum::<usize>();
        let (count, room) = (self.text.len() + self.listed.len(), usize::from(area.height.saturating_sub(2)));
        let mut choices = self.choices([HINT_ROWS; 2], area, canvas);
        if count + height(&choices) > room {
            choices = self.choices([HINT_ROWS, 1], area, canvas);
        }
        if height(&choices) + count.min(FEW) > room {
            choices = self.choices([1; 2], area, canvas);
        }
        let around = height(&choices);
        // A row between them is blank, or says which lines are shown.
        let page = if count + around <= room { count } else { room.saturating_sub(around + 1) };
        let top = self.top.min(count - page);
        let (first_listed, width) = (top.saturating_sub(self.text.len()), columns_of_text(self.columns, area));
        let mut above: Vec<_> = self.text.drain(..).skip(top).take(page).collect();
        let listed = self.listed.iter().skip(first_listed).take(page - above.len());
        above.extend(listed.map(|line| Line::from(fitted_named(line, width, canvas.theme.text))));
        if page == count {
            above.extend((count + around < room).then(Line::default));
        } else if page > 0 {
            let part = Id::PartOfList.with("first", (top + 1).to_string()).with("last", (top + page).to_string());
            let key = cx.out.keys.shown_in(Scope::Confirm, Command::PageDown);
            let part = part.with("all", count.to_string()).with("key", key);
            above.push(Line::styled(self.language.say(&part), canvas.theme.dim));
        }
        let inner = canvas.dialog(&self.title, (self.columns, cells(above.len() + around).saturating_add(2)), area);
        let text = Rect { height: cells(page).min(inner.height), ..inner };
        let below_text = below(inner, above.len());
        canvas.lines(above, inner);
        canvas.dialog_scrollbar(text, top, count);
        canvas.target(text, Target::Text);
        (canvas.map.layout.reader_lines, canvas.map.layout.reader_page) = (count, page);
        canvas.choices(choices, self.marked, below_text);
    }

    /// Returns the lines of each choice, with so many rows of the hint of the marked one, and of the others.
    fn choices(&self, [marked, others]: [usize; 2], area: Rect, canvas: &Canvas<'_, '_>) -> Vec<Vec<Line<'static>>> {
        let (theme, width) = (canvas.theme, columns_of_text(self.columns, area));
        let label_width = self.widest() + GAP;
        let choice = |(at, [label, hint]): (usize, &[String; 2])| {
            let key = self.keys.before(at, at == self.marked, theme);
            let label = Span::styled(clean_padded(label, label_width), theme.title);
            let rows = if at == self.marked { marked } else { others };
            let lines = hanging(label, hint, width.saturating_sub(key.width()), rows, theme.dim);
            behind(key, lines)
        };
        self.choices.iter().enumerate().map(choice).collect()
    }
}

/// Returns the columns of the text in a dialog of so many columns.
pub(super) fn columns_of_text(columns: u16, area: Rect) -> usize {
    usize::from(columns.min(area.width)).saturating_sub(4)
}
