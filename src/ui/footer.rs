//! What must be read, what just happened, and the keys that work here.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::text::{hanging, wrapped_lines};
use super::{Painted, Theme, WIDE};
use crate::app::import::ImportPrompt;
use crate::app::keys::{Action, Binding, InChoice, InForm, InList, InReader, InRoom};
use crate::app::{Model, Overlay, Room, Target};
use crate::domain::check::Run;
use crate::domain::wrap::wrapped;

/// Rows of the activity line: a whole sentence fits.
pub(super) fn activity_height(model: &Model, area: Rect) -> u16 {
    // The tour says it.
    if model.tour.is_some() {
        0
    } else if area.width >= WIDE {
        2
    } else {
        3
    }
}

/// Rows of a notice at most.
const NOTICE_ROWS: usize = 4;

pub(super) fn notices_height(model: &Model, area: Rect) -> u16 {
    let rows = model.notices.front().map_or(0, |notice| wrapped(&notice.text, notice_width(area), NOTICE_ROWS).len());
    u16::try_from(rows).unwrap_or(0)
}

fn notice_width(area: Rect) -> usize {
    usize::from(area.width).saturating_sub(22)
}

/// The first notice; the count says how many wait behind it.
pub(super) fn draw_notices(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect) {
    let Some(notice) = model.notices.front() else { return };
    let head = Span::styled(" ! ", theme.bad);
    let mut lines = hanging(head, &notice.text, notice_width(area) + 3, NOTICE_ROWS, theme.doubt);
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
        let unlike = format!("mismatch: {}", happened.unlike.join("; "));
        lines.extend(wrapped_lines(&unlike, indent.min(3), width, 1, theme.doubt));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// A binding's word; where a notice waits, in a walk, and in forms with one field, it is another.
fn word(binding: &Binding, model: &Model) -> Option<&'static str> {
    match binding.action {
        Action::Room(InRoom::Back) => Some(word_of_back(model)),
        Action::Choice(InChoice::Close) if model.place_in_walk().is_some() => Some("stop here"),
        Action::Form(action) => match (action, &model.overlay) {
            (
                InForm::Next | InForm::Previous,
                Some(Overlay::DeleteById(_) | Overlay::Token(_) | Overlay::Report(_) | Overlay::Import(_)),
            ) => None,
            (action, Some(Overlay::BaseUrl(_))) => word_of_url_form(action, model),
            (InForm::Submit, Some(Overlay::Add(form))) if form.is_warned() => Some("once more: send it"),
            (InForm::Submit, Some(Overlay::DeleteById(_))) => Some("go on"),
            (InForm::Submit, Some(Overlay::Token(_))) => Some("use it"),
            (InForm::Submit, Some(Overlay::Report(_) | Overlay::Export(_) | Overlay::Profile(_))) => Some("write it"),
            (InForm::Submit | InForm::Close, Some(Overlay::Import(prompt))) => word_of_import(action, prompt),
            (InForm::Next | InForm::Previous | InForm::Submit | InForm::Blank | InForm::Close, _) => binding.footer,
        },
        Action::List(action) => match (action, &model.overlay) {
            (InList::Choose, None) => Some("keep it"),
            (InList::Close, None) => Some("show all"),
            (InList::Choose, Some(Overlay::Reader(_))) => Some("go there"),
            (InList::Choose, Some(Overlay::Palette(_))) => Some("do it"),
            (InList::Choose | InList::Down, Some(Overlay::Stores(_))) if model.connecting.is_some() => None,
            (InList::Close, Some(Overlay::Stores(_))) if model.connecting.is_some() => Some("stop waiting"),
            (InList::Choose, Some(Overlay::Stores(_))) => Some("open it"),
            (InList::Choose | InList::Close | InList::Up | InList::Down | InList::PageUp | InList::PageDown, _) => {
                binding.footer
            }
        },
        Action::Room(_)
        | Action::Operations(_)
        | Action::Plant(_)
        | Action::Plants(_)
        | Action::Exchanges(_)
        | Action::Check(_)
        | Action::Greenhouse(_)
        | Action::Exchange(_)
        | Action::Choice(_)
        | Action::Preview(_)
        | Action::Reader(_)
        | Action::Inspector(_)
        | Action::Everywhere(_) => binding.footer,
    }
}

fn word_of_url_form(action: InForm, model: &Model) -> Option<&'static str> {
    match action {
        InForm::Close if model.connecting.is_some() => Some("stop waiting"),
        InForm::Close => Some("back"),
        InForm::Submit | InForm::Next if model.connecting.is_some() => None,
        InForm::Submit => Some("open it"),
        InForm::Next => Some("next field"),
        InForm::Previous | InForm::Blank => None,
    }
}

fn word_of_import(action: InForm, prompt: &ImportPrompt) -> Option<&'static str> {
    match (action, prompt.judging) {
        (InForm::Submit, None) => Some("look at it"),
        (InForm::Close, None) => Some("close"),
        (InForm::Close, Some(_)) => Some("give up"),
        (InForm::Submit | InForm::Next | InForm::Previous | InForm::Blank, _) => None,
    }
}

fn word_of_back(model: &Model) -> &'static str {
    if !model.notices.is_empty() {
        "read"
    } else if model.room == Room::Check && model.check.is_under_way() {
        if model.check.run().is_some_and(Run::is_stopping) { "stop at once" } else { "stop" }
    } else if model.room == Room::Check && model.check.compared.is_some() {
        "end comparing"
    } else if matches!(model.room, Room::Plants | Room::Greenhouse) && model.selected_flight().is_some() {
        "cancel"
    } else if model.is_marked() {
        "unmark"
    } else if model.is_filtered() {
        "show all"
    } else if let Some(import) = model.importing() {
        if import.ending.is_none() { "stop the import" } else { "cancel what is out" }
    } else {
        "cancel"
    }
}

/// The keys that work here, as many as fit; what does nothing now is left out. Cancel,
/// help and quit always have a place.
pub(super) fn draw_keys(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect, painted: &mut Painted) {
    if model.tour.is_some() {
        // Only those that the tour names.
        return;
    }
    let items: Vec<(&Binding, String, &str)> = model
        .keys
        .here(model.scope())
        .filter(|binding| model.unavailable(binding.action).is_none())
        .filter_map(|binding| Some((binding, binding.keys.first()?.to_string(), word(binding, model)?)))
        .collect();
    let is_pinned = |binding: &Binding| {
        matches!(
            binding.action,
            Action::Room(InRoom::Help | InRoom::Quit | InRoom::Back | InRoom::Palette)
                | Action::Reader(InReader::Close)
        )
    };
    let columns = |key: &str, word: &str| key.width() + word.width() + 3;
    let pinned: usize =
        items.iter().filter(|(binding, ..)| is_pinned(binding)).map(|(_, key, word)| columns(key, word)).sum();
    let mut left = usize::from(area.width).saturating_sub(1 + pinned);
    let mut spans = vec![Span::raw(" ")];
    let mut x = area.x.saturating_add(1);
    for (binding, key, word) in items {
        let needed = columns(&key, word);
        if !is_pinned(binding) {
            if needed > left {
                continue;
            }
            left -= needed;
        }
        let width = u16::try_from(needed).unwrap_or(0);
        painted.target(Rect { x, width, ..area }.intersection(area), Target::Action(binding.action));
        x = x.saturating_add(width);
        spans.extend([Span::styled(key, theme.key), Span::styled(format!(" {word}  "), theme.dim)]);
    }
    frame.render_widget(Paragraph::new(Line::from(spans)), area);
}
