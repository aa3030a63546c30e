//! What must be read, what just happened, and the keys that work here.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::text::{hanging, wrapped, wrapped_lines};
use super::{Theme, WIDE};
use crate::app::keys::{Action, Binding, InChoice, InForm, InRoom};
use crate::app::{Model, Overlay};

/// Rows of the activity line: a whole sentence fits.
pub(super) fn activity_height(area: Rect) -> u16 {
    if area.width >= WIDE { 2 } else { 3 }
}

/// Rows of a notice at most.
const NOTICE_ROWS: usize = 4;

pub(super) fn notices_height(model: &Model, area: Rect) -> u16 {
    let rows = model.notices.front().map_or(0, |notice| wrapped(&notice.0, notice_width(area), NOTICE_ROWS).len());
    u16::try_from(rows).unwrap_or(0)
}

fn notice_width(area: Rect) -> usize {
    usize::from(area.width).saturating_sub(22)
}

/// The first notice; the count says how many wait behind it.
pub(super) fn draw_notices(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect) {
    let Some(notice) = model.notices.front() else { return };
    let head = Span::styled(" ! ", theme.bad);
    let mut lines = hanging(head, &notice.0, notice_width(area) + 3, NOTICE_ROWS, theme.doubt);
    let key = model.keys.shown(Action::Room(InRoom::Back));
    let hint = match model.notices.len() {
        1 => format!("  {key} read"),
        count => format!("  {key} read, 1 of {count}"),
    };
    if let Some(first) = lines.first_mut() {
        first.push_span(Span::styled(hint, theme.key));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

pub(super) fn draw_happened(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect) {
    let width = usize::from(area.width).saturating_sub(1);
    let Some(happened) = &model.happened else {
        let key = model.keys.shown(Action::Room(InRoom::Help));
        let demo = if model.facts.demo { " A demo: nothing leaves this machine." } else { "" };
        let words = format!("{demo} {key} shows every key.");
        frame.render_widget(Paragraph::new(wrapped_lines(&words, 0, width, 2, theme.dim)), area);
        return;
    };
    let (style, head) = match happened.outcome {
        Some(outcome) => {
            let (style, mark) = theme.outcome(outcome);
            (style, format!(" {mark} {}  ", outcome.word()))
        }
        None => (theme.text, " ".to_owned()),
    };
    let indent = head.width();
    let rows = usize::from(area.height);
    let room = if happened.unlike.is_empty() { rows } else { rows.saturating_sub(1) };
    let mut lines = hanging(Span::styled(head, style), &happened.text, width, room, theme.text);
    if !happened.unlike.is_empty() {
        let unlike = format!("unlike the document: {}", happened.unlike.join("; "));
        lines.extend(wrapped_lines(&unlike, indent.min(3), width, 1, theme.doubt));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// A binding's word; where a notice waits, in a walk, and in forms with one field, it is another.
fn word(binding: &Binding, model: &Model) -> Option<&'static str> {
    if binding.action == Action::Room(InRoom::Back) && !model.notices.is_empty() {
        return Some("read");
    }
    if binding.action == Action::Choice(InChoice::Close) && model.place_in_walk().is_some() {
        return Some("stop here");
    }
    let Action::Form(action) = binding.action else { return binding.footer };
    match (action, &model.overlay) {
        (InForm::Next | InForm::Previous, Some(Overlay::DeleteById(_) | Overlay::Token(_))) => None,
        (InForm::Submit, Some(Overlay::DeleteById(_))) => Some("go on"),
        (InForm::Submit, Some(Overlay::Token(_))) => Some("use it"),
        (InForm::Next | InForm::Previous | InForm::Submit | InForm::Close, _) => binding.footer,
    }
}

/// The keys that work here, as many as fit; what does nothing now is left out. Cancel,
/// help and quit always have a place.
pub(super) fn draw_keys(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect) {
    let items: Vec<(bool, String, &str)> = model
        .keys
        .here(model.scope())
        .filter(|binding| model.unavailable(binding.action).is_none())
        .filter_map(|binding| {
            let pinned = matches!(binding.action, Action::Room(InRoom::Help | InRoom::Quit | InRoom::Back));
            Some((pinned, binding.keys.first()?.to_string(), word(binding, model)?))
        })
        .collect();
    let columns = |key: &str, word: &str| key.width() + word.width() + 3;
    let pinned: usize = items.iter().filter(|(pinned, ..)| *pinned).map(|(_, key, word)| columns(key, word)).sum();
    let mut left = usize::from(area.width).saturating_sub(1 + pinned);
    let mut spans = vec![Span::raw(" ")];
    for (pinned, key, word) in items {
        let needed = columns(&key, word);
        if !pinned {
            if needed > left {
                continue;
            }
            left -= needed;
        }
        spans.extend([Span::styled(key, theme.key), Span::styled(format!(" {word}  "), theme.dim)]);
    }
    frame.render_widget(Paragraph::new(Line::from(spans)), area);
}
