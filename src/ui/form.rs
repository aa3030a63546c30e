//! The forms: fields with their cursor, what stands beside them, and the request to come.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::text::wrapped_lines;
use super::wire::{Extent, request_lines};
use super::{Painted, Theme, boxed};
use crate::app::field::Field;
use crate::app::form::{AddForm, Beside, IdPrompt, TokenPrompt};
use crate::app::keys::{Action, InForm};
use crate::app::report::{ReportOf, ReportPrompt};
use crate::app::{Model, Target};
use crate::domain::plant::Field as PlantField;
use crate::domain::text::clean;

/// Columns of a form where there is room.
pub(super) const FORM: u16 = 84;
/// Rows of a request with a short body.
const PREVIEW: usize = 9;
/// Columns of a field's label.
const LABEL: usize = 6;

/// Lines of a form as they are made, and where the cursor is among them.
#[derive(Default)]
pub(super) struct Sheet {
    pub(super) lines: Vec<Line<'static>>,
    pub(super) cursor: Option<(usize, usize)>,
    /// Which lines take the mouse.
    pub(super) targets: Vec<(usize, Target)>,
}

impl Sheet {
    pub(super) fn field(&mut self, label: &str, field: &Field, focused: bool, width: usize, theme: &Theme) {
        let (text, column) =
            around_cursor(&clean(field.before_cursor()), &clean(field.after_cursor()), width.saturating_sub(LABEL + 3));
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

    pub(super) fn note(&mut self, text: &str, style: ratatui::style::Style, width: usize) {
        self.lines.extend(wrapped_lines(text, LABEL + 2, width, 3, style));
    }

    pub(super) fn blank(&mut self) {
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

    /// Draws it in a box and returns where on screen its targets are.
    pub(super) fn draw(
        mut self,
        title: &str,
        waiting: usize,
        theme: &Theme,
        frame: &mut Frame,
        area: Rect,
    ) -> Vec<(Rect, Target)> {
        self.squeeze(usize::from(area.height.saturating_sub(2)));
        let height = u16::try_from(self.lines.len()).unwrap_or(u16::MAX).saturating_add(2);
        let inner = boxed(title, waiting, (FORM, height), theme, frame, area);
        // The line with the cursor stays in sight, however small the box.
        let page = usize::from(inner.height);
        let skip = self.cursor.map_or(0, |(line, _)| (line + 2).saturating_sub(page));
        let shown: Vec<Line> = self.lines.into_iter().skip(skip).take(page).collect();
        frame.render_widget(Paragraph::new(shown), inner);
        let row_of = |line: usize| inner.y.saturating_add(u16::try_from(line.saturating_sub(skip)).unwrap_or(0));
        if let Some((line, column)) = self.cursor {
            let x = inner.x.saturating_add(u16::try_from(column).unwrap_or(0)).min(inner.right().saturating_sub(1));
            frame.set_cursor_position(Position { x, y: row_of(line) });
        }
        let seen = self.targets.into_iter().filter(|(line, _)| (skip..skip + page).contains(line));
        seen.map(|(line, target)| (Rect { y: row_of(line), height: 1, ..inner }, target)).collect()
    }
}

/// The part of a field around its cursor that fits, and the cursor's column in it.
pub(super) fn around_cursor(before: &str, after: &str, columns: usize) -> (String, usize) {
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

pub(super) fn draw_add(
    model: &Model,
    form: &AddForm,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
) {
    let width = usize::from(FORM.min(area.width)).saturating_sub(4);
    let mut sheet = Sheet::default();
    for reason in form.reasons() {
        let style = if form.is_bringing_back() { theme.text } else { theme.bad };
        sheet.lines.extend(wrapped_lines(reason, 0, width, 4, style));
    }
    let blank = model.keys.shown(Action::Form(InForm::Blank));
    let hint = match (&form.kept, form.reasons()) {
        (Some(_), _) if !form.is_bringing_back() => {
            let esc = model.keys.shown(Action::Form(InForm::Close));
            Some(format!("Kept as you left it; {esc} without a change throws it away. {blank} opens a blank form."))
        }
        (_, []) => None,
        (_, _) => Some(format!("{blank} opens a blank form.")),
    };
    sheet.lines.extend(hint.iter().flat_map(|hint| wrapped_lines(hint, 0, width, 2, theme.dim)));
    sheet.blank();
    for (which, field) in [(PlantField::Name, &form.name), (PlantField::Id, &form.id), (PlantField::Tag, &form.tag)] {
        sheet.targets.push((sheet.lines.len(), Target::Field(which)));
        sheet.field(which.word(), field, form.focus == which, width, theme);
        match form.beside(which) {
            Some(Beside::Fault(fault)) => sheet.note(&format!("{} {fault}", theme.mark("✗", "x")), theme.bad, width),
            Some(warning) => sheet.note(&format!("! {warning}"), theme.doubt, width),
            None => sheet.blank(),
        }
    }
    let enter = model.keys.shown(Action::Form(InForm::Submit));
    let ready = match form.plant() {
        Err(_) => format!("{enter} sends once the id is a whole number."),
        Ok(plant) if form.is_warned() && form.rejected.as_ref() == Some(&plant) => {
            format!("This very plant came back. {enter} once more sends it as it is:")
        }
        Ok(_) if form.is_warned() => format!("{enter} once more sends it as it is:"),
        Ok(plant) if form.sends_on_the_second_enter(&plant) => format!("{enter} twice sends:"),
        Ok(_) => format!("{enter} sends:"),
    };
    sheet.lines.extend(wrapped_lines(&ready, 0, width, 2, if form.is_warned() { theme.doubt } else { theme.dim }));
    match model.preview(form) {
        Some(request) => sheet.lines.extend(request_lines(&request, theme, width, Extent::Brief(5))),
        // As high as with a request, so that nothing jumps while an id is typed.
        None => sheet.lines.resize(sheet.lines.len() + PREVIEW, Line::default()),
    }
    let title = match (form.reasons().is_empty(), form.is_bringing_back()) {
        (true, _) => "Add a plant",
        (false, true) => "Add it again",
        (false, false) => "It came back",
    };
    painted.targets.extend(sheet.draw(title, model.later.len(), theme, frame, area));
}

pub(super) fn draw_delete_by_id(prompt: &IdPrompt, waiting: usize, theme: &Theme, frame: &mut Frame, area: Rect) {
    let width = usize::from(FORM.min(area.width)).saturating_sub(4);
    let mut sheet = Sheet::default();
    sheet.blank();
    sheet.lines.extend(wrapped_lines(
        "The delete of any id can be requested, also of one that is not in the list: the store decides.",
        0,
        width,
        2,
        theme.dim,
    ));
    sheet.blank();
    sheet.field("id", &prompt.id, true, width, theme);
    match prompt.fault() {
        Some(fault) => sheet.note(&format!("{} {fault}", theme.mark("✗", "x")), theme.bad, width),
        None => sheet.blank(),
    }
    sheet.draw("Delete by id", waiting, theme, frame, area);
}

pub(super) fn draw_token(model: &Model, prompt: &TokenPrompt, theme: &Theme, frame: &mut Frame, area: Rect) {
    let width = usize::from(FORM.min(area.width)).saturating_sub(4);
    let mut sheet = Sheet::default();
    for line in &prompt.why {
        sheet.lines.extend(wrapped_lines(line, 0, width, 4, theme.text));
    }
    sheet.blank();
    let masked = masked(&prompt.secret, model);
    sheet.field("token", &masked, true, width, theme);
    match &prompt.fault {
        Some(fault) => sheet.note(&format!("{} {fault}", theme.mark("✗", "x")), theme.bad, width),
        None => sheet.blank(),
    }
    sheet.lines.extend(wrapped_lines(
        "It goes to this store alone, is held in memory for this session, never shown and never written down.",
        0,
        width,
        2,
        theme.dim,
    ));
    if !prompt.waiting.is_empty() {
        let waiting = format!(
            "With it, {}.",
            if prompt.waiting.len() == 1 {
                "the operation is sent".to_owned()
            } else {
                format!("{} operations are sent", prompt.waiting.len())
            }
        );
        sheet.lines.extend(wrapped_lines(&waiting, 0, width, 2, theme.dim));
    }
    sheet.draw(&format!("Token for {}", model.store_in_words()), model.later.len(), theme, frame, area);
}

pub(super) fn draw_report(prompt: &ReportPrompt, waiting: usize, theme: &Theme, frame: &mut Frame, area: Rect) {
    let width = usize::from(FORM.min(area.width)).saturating_sub(4);
    let mut sheet = Sheet::default();
    sheet.blank();
    let (title, words) = match prompt.of {
        ReportOf::Session => (
            "Report of this session",
            "Everything sent in this session, and what came back, in Markdown. Token, cookies and proxy headers are masked.",
        ),
        ReportOf::Check(_) => (
            "Report of this run of the check",
            "The file's ending says what it is: .md is the interface document with its blanks filled in for this store; .json is for programs, .xml a JUnit report for build servers, .txt plain text.",
        ),
    };
    sheet.lines.extend(wrapped_lines(words, 0, width, 4, theme.dim));
    sheet.blank();
    sheet.field("file", &prompt.path, true, width, theme);
    match &prompt.fault {
        Some(fault) => sheet.note(&format!("{} {fault}", theme.mark("✗", "x")), theme.bad, width),
        None => sheet.blank(),
    }
    sheet.draw(title, waiting, theme, frame, area);
}

/// A field with one star for each character of another; before an audience with the same few.
pub(super) fn masked(secret: &Field, model: &Model) -> Field {
    if model.presenting {
        return Field::holding(if secret.text().is_empty() { "" } else { "********" });
    }
    let stars = |text: &str| "*".repeat(text.graphemes(true).count().min(400));
    let mut field = Field::holding(stars(secret.before_cursor()));
    let behind = stars(secret.after_cursor());
    let length = behind.len();
    field.insert(&behind);
    for _ in 0..length {
        field.press(crate::app::key::Key::Left);
    }
    field
}
