//! Where to write the view, and how.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::form::{FORM, Sheet};
use super::text::{fitted, wrapped_lines};
use super::{Painted, Theme};
use crate::app::export::{ExportLine, ExportPrompt};
use crate::app::keys::{Action, InForm};
use crate::app::{Model, Target};
use crate::domain::import::Format;

pub(super) fn draw(
    model: &Model,
    prompt: &ExportPrompt,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
) {
    let width = usize::from(FORM.min(area.width)).saturating_sub(4);
    let mut sheet = Sheet::default();
    sheet.blank();
    let words = "All plants of this view, in the form that an import reads. The file's ending says which: .csv, .json \
                 or .ndjson.";
    sheet.lines.extend(wrapped_lines(words, 0, width, 4, theme.dim));
    sheet.blank();
    let in_path = prompt.focus == ExportLine::Path;
    sheet.field("file", &prompt.path, in_path, width, theme);
    let enter = model.keys.shown(Action::Form(InForm::Submit));
    if prompt.writing {
        sheet.note("writing …", theme.moving, width);
    } else if prompt.exists.is_some() {
        sheet.note(&format!("! there is such a file already: {enter} once more overwrites it"), theme.doubt, width);
    } else if let Some(fault) = &prompt.fault {
        sheet.note(&format!("{} {fault}", theme.mark("✗", "x")), theme.bad, width);
    } else {
        sheet.blank();
    }
    sheet.targets.push((sheet.lines.len(), Target::Switch));
    if !in_path {
        sheet.cursor = Some((sheet.lines.len(), 3));
    }
    sheet.lines.push(switch(prompt, width, theme));
    let words = match prompt.format() {
        Some(Format::Json | Format::Ndjson) => "Only for CSV: a spreadsheet runs nothing of this format.",
        Some(Format::Csv) | None if prompt.spreadsheet => {
            "Names and tags that begin with =, +, -, @ get a ' before them: they are then not what the store has."
        }
        Some(Format::Csv) | None => {
            "Off: every name and tag to the letter. A spreadsheet may run those that begin with =, +, -, @."
        }
    };
    sheet.note(words, theme.dim, width);
    painted.targets.extend(sheet.draw("Export", model.later.len(), theme, frame, area));
}

/// `▸ [x] safe to open in a spreadsheet`
fn switch(prompt: &ExportPrompt, width: usize, theme: &Theme) -> Line<'static> {
    let focused = prompt.focus == ExportLine::Spreadsheet;
    let pointer = if focused { theme.mark("▸ ", "> ") } else { "  " };
    let on = if prompt.spreadsheet { "[x] " } else { "[ ] " };
    let style = if focused { theme.title } else { theme.text };
    Line::from(vec![
        Span::styled(pointer, theme.key),
        Span::styled(on, if focused { theme.key } else { theme.dim }),
        fitted("safe to open in a spreadsheet (Space switches it)", width.saturating_sub(6), style),
    ])
}
