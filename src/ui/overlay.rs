//! Dialogs over the room.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::text::{hanging, wrapped_lines};
use super::{Painted, Theme, boxed};
use crate::app::Target;
use crate::app::choice::Choice;

/// Columns of a dialog where there is room.
const DIALOG: u16 = 74;

/// `place` is which of how many questions this is, if there are several.
pub(super) fn draw_choice(
    choice: &Choice,
    place: Option<(usize, usize)>,
    waiting: usize,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
) {
    let width = usize::from(DIALOG.min(area.width)).saturating_sub(4);
    let room = usize::from(area.height.saturating_sub(2));
    let (lines, answers) = Detail::ALL
        .into_iter()
        .map(|detail| choice_lines(choice, detail, width, theme))
        .find(|(lines, _)| lines.len() <= room)
        .unwrap_or_else(|| choice_lines(choice, Detail::Answers, width, theme));
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
    let place = place.map(|(at, of)| format!("{at} of {of}: ")).unwrap_or_default();
    let inner = boxed(&format!("{place}{}", choice.title), waiting, (DIALOG, height), theme, frame, area);
    frame.render_widget(Paragraph::new(lines), inner);
    for (at, rows) in answers.into_iter().enumerate() {
        let y = inner.y.saturating_add(u16::try_from(rows.start).unwrap_or(u16::MAX));
        let height = u16::try_from(rows.len()).unwrap_or(0);
        painted.target(Rect { y, height, ..inner }.intersection(inner), Target::Answer(at));
    }
}

/// How much of a dialog is shown, the most first: the answers always have a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    Answers,
    Hints,
    Words,
    Air,
}

impl Detail {
    const ALL: [Self; 4] = [Self::Air, Self::Words, Self::Hints, Self::Answers];
}

/// The lines of a dialog, and which of them are each answer's.
fn choice_lines(
    choice: &Choice,
    detail: Detail,
    width: usize,
    theme: &Theme,
) -> (Vec<Line<'static>>, Vec<Range<usize>>) {
    let mut answers = Vec::new();
    let air = || (detail >= Detail::Air).then(Line::default);
    let mut lines: Vec<Line> = air().into_iter().collect();
    if detail >= Detail::Words {
        lines.extend(choice.lines.iter().flat_map(|line| wrapped_lines(line, 0, width, 3, theme.text)));
        lines.extend(air());
    }
    let label = choice.answers.iter().map(|answer| answer.label.len()).max().unwrap_or(0);
    let hint_rows = if detail >= Detail::Words { 2 } else { 1 };
    for (at, answer) in choice.answers.iter().enumerate() {
        let marked = at == choice.marked;
        let pointer = if marked { theme.mark("▸ ", "> ") } else { "  " };
        let text = if detail >= Detail::Hints { answer.hint.as_str() } else { "" };
        let head = Span::styled(format!("{pointer}{:<label$}  ", answer.label), theme.title);
        let hung = hanging(head, text, width, hint_rows, theme.dim);
        let first = lines.len();
        lines.extend(hung.into_iter().map(|line| if marked { theme.select(line) } else { line }));
        answers.push(first..lines.len());
    }
    lines.extend(air());
    (lines, answers)
}
