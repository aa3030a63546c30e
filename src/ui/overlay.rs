//! Dialogs, help, and the whole story, over the room.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::text::{hanging, wrapped_lines};
use super::{Theme, boxed, story};
use crate::app::Model;
use crate::app::choice::Choice;
use crate::app::keys::Scope;
use crate::app::message::Drawn;
use crate::domain::Outcome;
use crate::domain::text::clean_padded;

/// Columns of help and story where there is room.
const READER: u16 = 130;

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
) {
    let width = usize::from(DIALOG.min(area.width)).saturating_sub(4);
    let room = usize::from(area.height.saturating_sub(2));
    let lines = Detail::ALL
        .into_iter()
        .map(|detail| choice_lines(choice, detail, width, theme))
        .find(|lines| lines.len() <= room)
        .unwrap_or_else(|| choice_lines(choice, Detail::Answers, width, theme));
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
    let place = place.map(|(at, of)| format!("{at} of {of}: ")).unwrap_or_default();
    let inner = boxed(&format!("{place}{}", choice.title), waiting, (DIALOG, height), theme, frame, area);
    frame.render_widget(Paragraph::new(lines), inner);
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

fn choice_lines(choice: &Choice, detail: Detail, width: usize, theme: &Theme) -> Vec<Line<'static>> {
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
        lines.extend(hung.into_iter().map(|line| if marked { line.style(theme.selected) } else { line }));
    }
    lines.extend(air());
    lines
}

pub(super) fn draw_help(model: &Model, top: usize, theme: &Theme, frame: &mut Frame, area: Rect, drawn: &mut Drawn) {
    let inner = boxed("Keys and words", 0, (area.width.min(READER), area.height), theme, frame, area);
    let width = usize::from(inner.width);
    let mut lines = Vec::new();
    for scope in Scope::ALL {
        lines.push(Line::from(Span::styled(scope.heading(), theme.title)));
        for binding in model.keys.of(scope) {
            let keys: Vec<_> = binding.keys.iter().map(ToString::to_string).collect();
            lines.extend(hanging(entry(&keys.join(" "), theme.key), binding.help, width, 3, theme.text));
        }
        lines.push(Line::default());
    }
    lines.push(Line::from(Span::styled("What an exchange proves", theme.title)));
    for (outcome, meaning) in OUTCOMES {
        let (style, mark) = theme.outcome(outcome);
        let head = entry(&format!("{mark} {}", outcome.word()), style);
        lines.extend(hanging(head, meaning, width, 3, theme.text));
    }
    scroll(lines, top, frame, inner, drawn);
}

/// The left column of the help.
fn entry(text: &str, style: Style) -> Span<'static> {
    Span::styled(format!(" {}  ", clean_padded(text, 17)), style)
}

/// The four outcomes in one sentence each.
const OUTCOMES: [(Outcome, &str); 4] = [
    (Outcome::Accepted, "the store said yes: a 2xx status"),
    (Outcome::Refused, "the store said no: a 3xx or 4xx status. An add comes back as its form"),
    (Outcome::Unknown, "it may have reached the store, and nothing that settles it came back. Only you can settle it"),
    (Outcome::NotSent, "nothing reached the store: sending it again is safe"),
];

pub(super) fn draw_story(model: &Model, top: usize, theme: &Theme, frame: &mut Frame, area: Rect, drawn: &mut Drawn) {
    let inner = boxed(&story::title(model), 0, (area.width.min(READER), area.height), theme, frame, area);
    let lines = story::whole(model, theme, usize::from(inner.width));
    scroll(lines, top, frame, inner, drawn);
}

fn scroll(lines: Vec<Line<'static>>, top: usize, frame: &mut Frame, inner: Rect, drawn: &mut Drawn) {
    drawn.reader_lines = lines.len();
    drawn.reader_page = usize::from(inner.height);
    let top = top.min(lines.len().saturating_sub(drawn.reader_page));
    let shown: Vec<Line> = lines.into_iter().skip(top).take(drawn.reader_page).collect();
    frame.render_widget(Paragraph::new(shown), inner);
}
