//! The form that saves the store that is open as a profile.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::form::{FORM, Sheet};
use super::text::{fitted, wrapped_lines};
use super::{Painted, Theme};
use crate::app::keys::{Action, InForm};
use crate::app::profile::{ProfileForm, ProfileLine, SourceKind};
use crate::app::{Model, Target};
use crate::domain::text::clean_fit;

pub(super) fn draw(
    model: &Model,
    form: &ProfileForm,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
) {
    let width = usize::from(FORM.min(area.width)).saturating_sub(4);
    let mut sheet = Sheet::default();
    let words = format!(
        "Saves {} under a name, with where its token comes from; the token itself is not written.",
        model.facts.store
    );
    sheet.lines.extend(wrapped_lines(&words, 0, width, 3, theme.dim));
    sheet.blank();
    let beside = |sheet: &mut Sheet, line: ProfileLine| match form.fault.as_ref().filter(|(at, _)| *at == line) {
        Some((_, why)) => sheet.note(&format!("{} {why}", theme.mark("✗", "x")), theme.bad, width),
        None => sheet.blank(),
    };
    sheet.targets.push((sheet.lines.len(), Target::ProfileLine(ProfileLine::Name)));
    sheet.field("name", &form.name, form.focus == ProfileLine::Name, width, theme);
    beside(&mut sheet, ProfileLine::Name);
    sheet.targets.push((sheet.lines.len(), Target::ProfileLine(ProfileLine::Source)));
    if form.focus == ProfileLine::Source {
        sheet.cursor = Some((sheet.lines.len(), 8));
    }
    sheet.lines.push(source(form, width, theme));
    beside(&mut sheet, ProfileLine::Source);
    if let Some((label, hint)) = value_of(form.source) {
        sheet.targets.push((sheet.lines.len(), Target::ProfileLine(ProfileLine::Value)));
        sheet.field(label, &form.value, form.focus == ProfileLine::Value, width, theme);
        match form.fault {
            Some((ProfileLine::Value, _)) => beside(&mut sheet, ProfileLine::Value),
            Some(_) | None => sheet.note(hint, theme.dim, width),
        }
    }
    let enter = model.keys.shown(Action::Form(InForm::Submit));
    if form.writing {
        sheet.lines.extend(wrapped_lines("Writing …", 0, width, 1, theme.moving));
    } else if let Some(name) = &form.exists {
        let words = format!("! There is a profile {} already: {enter} once more replaces it.", clean_fit(name, 40));
        sheet.lines.extend(wrapped_lines(&words, 0, width, 2, theme.doubt));
    } else if let Some((why, lines)) = &form.by_hand {
        let words = format!("{} Not written: {why}. These lines do it by hand:", theme.mark("✗", "x"));
        sheet.lines.extend(wrapped_lines(&words, 0, width, 3, theme.bad));
        sheet.lines.extend(lines.iter().map(|line| Line::from(fitted(line, width, theme.text))));
    } else {
        sheet.lines.extend(wrapped_lines(&format!("{enter} writes it into the config file."), 0, width, 1, theme.dim));
    }
    painted.targets.extend(sheet.draw("Save as profile", model.later.len(), theme, frame, area));
}

/// `▸ token ‹ asked for each time ›`
fn source(form: &ProfileForm, width: usize, theme: &Theme) -> Line<'static> {
    let focused = form.focus == ProfileLine::Source;
    let pointer = if focused { theme.mark("▸ ", "> ") } else { "  " };
    let words = match form.source {
        SourceKind::Ask => "asked for each time",
        SourceKind::Variable => "from an environment variable",
        SourceKind::File => "from a file",
        SourceKind::Command => "from a command",
    };
    let (open, close) = (theme.mark("‹", "<"), theme.mark("›", ">"));
    let style = if focused { theme.title } else { theme.text };
    Line::from(vec![
        Span::styled(pointer, theme.key),
        Span::styled("token ", if focused { theme.key } else { theme.dim }),
        fitted(&format!("{open} {words} {close}"), width.saturating_sub(8), style),
    ])
}

/// Label and hint of the field of a source.
fn value_of(source: SourceKind) -> Option<(&'static str, &'static str)> {
    match source {
        SourceKind::Ask => None,
        SourceKind::Variable => Some(("name", "the variable's name, without $")),
        SourceKind::File => Some(("file", "its path; ~/ is your home, others are beside the config file")),
        SourceKind::Command => Some(("run", "program and arguments, apart by spaces; its first line is the token")),
    }
}
