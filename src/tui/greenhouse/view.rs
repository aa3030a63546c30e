//! Draws the Greenhouse tab: shelves of pots by tag, and beside or below them the exchange as a picture.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::pots::{Pot, Shelf};
use super::state::{Focus, GreenhouseScreen};
use super::{picture, sprites};
use crate::domain::number_format::grouped;
use crate::domain::text::clean_fit;
use crate::domain::wrap::wrapped;
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::screen::{ListFrame, PLACEHOLDER, draw_pane};
use crate::tui::widgets::canvas::{Canvas, WIDE, cells};
use crate::tui::widgets::text::{fitted, placeholder};

/// Columns of the tag before the pots of a shelf.
const TAG: u16 = 12;

/// Columns of a pot with a gap.
const POT: u16 = 18;

/// Rows of a shelf: the pots, their names, and the board with their words.
const SHELF: u16 = 7;

/// Rows of the picture below the shelves, with its borders.
const PICTURE: u16 = 9;

pub(super) fn draw(screen: &GreenhouseScreen, cx: &Context, body: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let [shelves, pane] = if body.width < WIDE {
        let height = PICTURE.min(body.height.saturating_sub(SHELF + 2));
        Layout::vertical([Constraint::Min(0), Constraint::Length(height)]).areas(body)
    } else {
        Layout::horizontal([Constraint::Fill(11), Constraint::Fill(9)]).areas(body)
    };
    if pane.height > 2 {
        let rows = usize::from(pane.height - 2);
        let title = picture::title(screen, cx);
        draw_pane(&title, screen.pane, pane, canvas, |width| picture::pane(screen, cx, theme, width, rows));
    }
    draw_shelves(screen, cx, shelves, canvas);
}

fn draw_shelves(screen: &GreenhouseScreen, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let columns = area.width.saturating_sub(2);
    let across = usize::from((columns.saturating_sub(TAG) / POT).max(1));
    let page = usize::from((area.height.saturating_sub(2) / SHELF).max(1));
    let shelves = screen.shelves(across, cx);
    let selected = cx.session.plants.selected.map(|id| Focus { id, is_here: true });
    let shelf_of = |focus: Focus| {
        let is_it = |pot: &Pot<'_>| Focus { id: pot.id, is_here: pot.is_here } == focus;
        shelves.iter().position(|shelf| shelf.pots.iter().any(is_it))
    };
    let at = screen.focus.and_then(shelf_of).or_else(|| selected.and_then(shelf_of)).unwrap_or(0);
    let top = at.saturating_sub(page / 2).min(shelves.len().saturating_sub(page));
    let place = place(cx, top, page, shelves.len());
    let frame = ListFrame {
        position: &place,
        filter: &cx.session.plants.filter,
        is_typing: screen.is_typing,
        placeholder: PLACEHOLDER,
        filters: Vec::new(),
    };
    let inner = frame.draw(cx, area, canvas);
    (canvas.map.layout.across, canvas.map.layout.page) = (across, page);
    if shelves.is_empty() {
        let words = if cx.session.plants.filter.text().is_empty() {
            let (add, tour) = (cx.key(Command::Add), cx.key(Command::Tour));
            format!("Nothing grows here yet: {add} adds a plant, {tour} shows you around at the demo store.")
        } else {
            "No plant fits the filter.".to_owned()
        };
        return canvas.lines(placeholder(&words, usize::from(inner.width), theme.dim), inner);
    }
    for (shelf, y) in shelves.iter().skip(top).take(page).zip((inner.y..).step_by(usize::from(SHELF))) {
        let area = Rect { y, height: SHELF, ..inner }.intersection(inner);
        // The tag is drawn at its first shelf, and at the first one on screen.
        draw_shelf(shelf, shelf.is_first || y == inner.y, cx, area, canvas);
    }
}

/// `400 of 12,345 plants, around the selected one, rows 5-8 of 215`
fn place(cx: &Context, top: usize, page: usize, count: usize) -> String {
    let window = &cx.session.plants.window;
    let mut words = Vec::new();
    if !cx.session.plants.marked.is_empty() {
        words.push(format!("{} marked", cx.session.plants.marked.len()));
    }
    if window.total > window.rows.len() {
        let number = |count: usize| grouped(u64::try_from(count).unwrap_or(u64::MAX));
        words.push(format!(
            "{} of {} plants, around the selected one",
            number(window.rows.len()),
            number(window.total)
        ));
    }
    match (count > page, top + 1, (top + page).min(count)) {
        (false, ..) => {}
        (true, first, last) if first == last => words.push(format!("row {first} of {count}")),
        (true, first, last) => words.push(format!("rows {first}-{last} of {count}")),
    }
    words.join(", ")
}

fn draw_shelf(shelf: &Shelf<'_>, is_named: bool, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let board = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
    if !area.is_empty() {
        let line = theme.mark("─", "-").repeat(usize::from(area.width));
        canvas.render(Span::styled(line, theme.border), board);
    }
    if is_named {
        let tag = shelf.tag.map_or("tag not known", |tag| if tag.is_empty() { "no tag" } else { tag });
        let lines = wrapped(tag, usize::from(TAG - 2), 3).into_iter().map(|line| Line::styled(line, theme.title));
        let label = Rect { x: area.x + 1, y: area.y + 1, width: TAG - 2, height: 3 };
        canvas.lines(lines.collect(), label.intersection(area));
    }
    for (pot, x) in shelf.pots.iter().zip((area.x + TAG..).step_by(usize::from(POT))) {
        let area = Rect { x, width: POT - 1, ..area }.intersection(area);
        draw_pot(pot, cx, area, canvas);
        if pot.is_here {
            canvas.target(area, Target::Plant(pot.id));
        }
    }
}

fn draw_pot(pot: &Pot<'_>, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let width = usize::from(area.width);
    // Where there is little room, the plant is cut from its top.
    let above = usize::from(area.height).saturating_sub(2);
    let mut lines = sprites::drawn(pot, theme);
    lines.drain(..lines.len().saturating_sub(above));
    let name = match pot.details {
        Some(details) if !details.name.is_empty() => details.name.clone(),
        Some(_) | None => format!("plant {}", pot.id),
    };
    let is_selected = pot.is_here && cx.session.plants.selected == Some(pot.id);
    let is_marked = pot.is_here && cx.session.plants.marked.contains_key(&pot.id);
    let style = sprites::style(pot.stage, theme).unwrap_or(theme.text);
    let mut spans = Vec::new();
    if is_marked {
        spans.push(Span::styled(theme.mark("◆", "*"), theme.warning));
    }
    if is_selected {
        spans.push(Span::styled(theme.mark("▸", ">"), theme.key));
    }
    let room = width.saturating_sub(spans.iter().map(Span::width).sum::<usize>());
    spans.push(fitted(&name, room, if is_selected { theme.selected } else { style }));
    lines.push(Line::from(spans));
    let word = pot.stage.word();
    if !word.is_empty() {
        let word = clean_fit(&format!(" {word} "), width);
        lines.push(Line::styled(word, style));
    }
    // The board of the shelf is visible beside the word.
    for (line, y) in lines.into_iter().zip(area.y..area.bottom()) {
        let columns = cells(line.width()).min(area.width);
        let x = area.x + (area.width - columns) / 2;
        canvas.render(line, Rect { x, y, width: columns, height: 1 });
    }
}
