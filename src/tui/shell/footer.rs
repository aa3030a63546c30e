//! The notices, the status line, and the keys that work now.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::domain::language::Id;
use crate::text::wrap::shortened_before_end;
use crate::tui::context::Context;
use crate::tui::input::{Binding, Command, Scope};
use crate::tui::message::Target;
use crate::tui::ui_effect::Tab;
use crate::tui::widgets::canvas::{Canvas, WIDE, cells};
use crate::tui::widgets::text::{hanging, wrapped_lines};

/// Returns the rows of the status line, enough for a whole sentence. The tour's caption replaces it.
pub(super) fn status_height(cx: &Context, area: Rect) -> u16 {
    if cx.display.on_tour {
        0
    } else if area.width >= WIDE {
        2
    } else if cx.display.tab == Tab::Greenhouse && area.height < ROOMY {
        // The picture has the sentence.
        1
    } else if cx.display.tab == Tab::Greenhouse {
        2
    } else {
        3
    }
}

/// Rows from which the Greenhouse leaves two to the status line of a narrow terminal.
const ROOMY: u16 = 24;

/// Rows of a notice's text at most.
const NOTICE_ROWS: usize = 4;

pub(super) fn notices_height(cx: &Context, area: Rect) -> u16 {
    u16::try_from(notice_lines(cx, area, [Style::default(); 3]).len()).unwrap_or(0)
}

/// Draws the first notice, with the number of all.
pub(super) fn draw_notices(cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    canvas.lines(notice_lines(cx, area, [theme.bad, theme.warning, theme.key]), area);
}

fn notice_lines(cx: &Context, area: Rect, [bad, warning, of_key]: [Style; 3]) -> Vec<Line<'static>> {
    let Some(notice) = cx.out.status.notices.front() else { return Vec::new() };
    let width = usize::from(area.width).saturating_sub(1);
    let mut lines = hanging(Span::styled(" ! ", bad), &notice.text, width, NOTICE_ROWS, warning);
    let key = cx.key(Command::Back);
    let hint = match cx.out.status.notices.len() {
        1 => format!("  {key} dismiss"),
        count => format!("  {key} dismiss, 1 of {count}"),
    };
    let hint = Span::styled(hint, of_key);
    // Not between the words of a command to copy.
    match lines.last_mut().filter(|last| last.width() + hint.width() <= width) {
        Some(last) => last.push_span(hint),
        None => lines.push(Line::from(vec![" ".into(), hint])),
    }
    lines
}

/// Draws the message; without one, how to get help where the keys of `scope` have no key for it in the footer; in the help,
/// without a scope. Of a message whose sentence the screen has, only the rest is drawn; behind a dialog, where the keys that it
/// offers do something else, all but the rest.
pub(super) fn draw_status(cx: &Context, scope: Option<Scope>, is_said: bool, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let width = usize::from(area.width).saturating_sub(1);
    let Some(message) = &cx.out.status.message else {
        // The tour takes no other keys.
        let scope = scope.filter(|_| !cx.display.on_tour);
        let helps = scope.into_iter().flat_map(|scope| cx.out.keys.here(scope));
        let helps = helps.filter(|binding| binding.command == Command::Help);
        let help = helps.min_by_key(|binding| binding.scope == Scope::Everywhere);
        let key = help.filter(|binding| binding.footer.is_none()).and_then(|binding| binding.keys.first());
        let demo = (cx.session.info.demo && !cx.display.on_tour).then(|| Id::NothingLeaves.into());
        let words: Vec<_> = demo.into_iter().chain(key.map(|key| Id::KeyHelps.with("key", key.to_string()))).collect();
        let words = cx.display.language_of_labels().render(&words);
        if !words.is_empty() {
            canvas.lines(wrapped_lines(&words, 1, width, 2, theme.dim), area);
        }
        return;
    };
    let offers = scope.is_some_and(|scope| !scope.is_of_dialog());
    let of_key = message.of_key.as_deref().unwrap_or_default();
    let in_simple_words = cx.display.language_of_messages().filter(|_| !message.simple.is_empty());
    if let Some(language) = in_simple_words {
        let simple = message.simple.iter().filter(|_| !is_said).chain(message.simple_rest.iter().filter(|_| offers));
        let text = language.render(&simple.cloned().collect::<Vec<_>>());
        return canvas.lines(wrapped_lines(&text, 1, width, usize::from(area.height), theme.text), area);
    }
    if let Some(rest) = message.beside_picture().filter(|_| is_said) {
        let rest = if offers { rest } else { of_key };
        return canvas.lines(wrapped_lines(rest, 1, width, usize::from(area.height), theme.text), area);
    }
    let (style, head) = match message.outcome {
        Some(outcome) => {
            let (style, mark) = theme.outcome(outcome);
            (style, format!(" {mark} {}  ", outcome.word()))
        }
        None => (theme.text, " ".to_owned()),
    };
    let indent = head.width();
    let rows = usize::from(area.height);
    let rows = rows.saturating_sub(usize::from(!message.mismatches.is_empty()));
    let said = match message.pictured.filter(|_| !offers).and_then(|end| message.text.get(..end)) {
        Some(said) => format!("{said} {of_key}"),
        None => message.text.clone(),
    };
    let text = shortened_before_end(said.trim_end(), width.saturating_sub(indent), rows);
    let mut lines = hanging(Span::styled(head, style), &text, width, rows, theme.text);
    if !message.mismatches.is_empty() {
        let mismatches = format!("mismatch: {}", message.mismatches.join("; "));
        lines.extend(wrapped_lines(&mismatches, indent.min(3), width, 1, theme.warning));
    }
    canvas.lines(lines, area);
}

/// Returns how soon a key gives way to others where not all fit, the last ones first; those of the same rank from the end of
/// the key table.
fn rank(binding: &Binding, label: &str, cx: &Context) -> usize {
    let in_greenhouse = cx.display.tab == Tab::Greenhouse;
    let is_about_plants = in_greenhouse || cx.display.tab == Tab::Plants;
    let has_unknown = cx.session.plants.window.tally.unknown > 0;
    let is_for_guests = cx.session.info.demo && is_about_plants;
    match (binding.scope, binding.command) {
        // Some are among the keys only while a pane scrolls, after a delete, and beside a request as it was sent.
        (Scope::Tabs, Command::Help | Command::Quit | Command::Back | Command::PageDown | Command::Undo)
        | (Scope::Pager, Command::Close)
        | (Scope::Sorting, Command::StopSorting) => 0,
        (Scope::Greenhouse, Command::Wire) if label == "picture" => 0,
        (Scope::Tabs, Command::Add) | (Scope::Plant, Command::Delete) if is_about_plants => 1,
        (Scope::Tabs, Command::Resolve) if in_greenhouse && has_unknown => 2,
        // Guests of the demo look for its tour and its weather.
        (Scope::Tabs, Command::Tour) | (Scope::Greenhouse, Command::Weather) if is_for_guests && !has_unknown => 3,
        (Scope::Tabs, Command::Palette) if !in_greenhouse => 3,
        (Scope::Greenhouse, Command::Wire) => 4,
        (Scope::Tabs, Command::Tour) | (Scope::Greenhouse, Command::Weather) if is_for_guests => 5,
        (Scope::Tabs, Command::Filter) if in_greenhouse => 6,
        (Scope::Tabs, Command::Palette) => 7,
        _ => 8,
    }
}

/// Draws the keys that work now, as many as fit.
pub(super) fn draw_keys(cx: &Context, keys: &[(&Binding, &str)], area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let language = cx.display.language_of_labels();
    let word = |binding: &Binding, word: &str| {
        let is_custom = matches!(binding.command, Command::RunOnPlant(_) | Command::RunOnRequest(_));
        if is_custom { word.to_owned() } else { language.named(word) }
    };
    let shown = |(at, (binding, label)): (usize, &(&Binding, &str))| {
        let (key, word) = (language.key(&binding.keys.first()?.to_string()), format!(" {}  ", word(binding, label)));
        Some((at, rank(binding, label, cx), binding.command, cells(key.width() + word.width()), key, word))
    };
    let mut keys: Vec<_> = keys.iter().enumerate().filter_map(shown).collect();
    keys.sort_by_key(|(_, rank, ..)| *rank);
    let mut left = area.width.saturating_sub(1);
    keys.retain(|(.., width, _, _)| {
        let rest = left.checked_sub(*width);
        left = rest.unwrap_or(left);
        rest.is_some()
    });
    keys.sort_by_key(|(at, ..)| *at);
    let mut spans = vec![Span::raw(" ")];
    let mut x = area.x.saturating_add(1);
    for (_, _, command, width, key, word) in keys {
        canvas.target(Rect { x, width, ..area }, Target::Command(command));
        x = x.saturating_add(width);
        spans.extend([Span::styled(key, theme.key), Span::styled(word, theme.dim)]);
    }
    canvas.render(Line::from(spans), area);
}
