//! Draws the Greenhouse tab: pots on shelves, and beside or below them the exchange as a picture.

use ratatui::layout::{Margin, Rect};
use ratatui::widgets::Clear;

use super::layout::{Areas, EDGE, Scale};
use super::pots::Pot;
use super::shelf::{Shelf, draw_board, draw_large_name, is_of};
use super::state::GreenhouseScreen;
use super::{picture, sprites};
use crate::domain::language::Id;
use crate::text::number_format::grouped;
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::screen::{draw_frame, draw_pane};
use crate::tui::widgets::canvas::{Canvas, cells};
use crate::tui::widgets::text::placeholder;

pub(super) fn draw(screen: &GreenhouseScreen, cx: &Context, body: Rect, canvas: &mut Canvas<'_, '_>) {
    let areas = Areas::of(screen, cx, canvas.theme, body);
    draw_shelves(screen, cx, areas, canvas);
    draw_picture(screen, cx, areas, canvas);
}

/// Clears the shelves behind a dialog: rows of pots around it would look like a fault.
pub(super) fn room_for_dialog(
    screen: &GreenhouseScreen,
    cx: &Context,
    area: Rect,
    body: Rect,
    canvas: &mut Canvas<'_, '_>,
) -> Rect {
    let areas = Areas::of(screen, cx, canvas.theme, body);
    let Some(room) = areas.dialog else { return area };
    // Above the picture, a dialog can be higher than the shelves, and would leave a part of their border.
    let behind = if areas.picture.y > areas.frame.y { areas.frame } else { areas.shelves };
    let cleared = if room == body { body } else { behind.intersection(room) };
    canvas.render(Clear, cleared);
    canvas.frame.buffer_mut().set_style(cleared, canvas.theme.text);
    let top = if room.y == body.y { area.y } else { room.y };
    let bottom = if room.bottom() == body.bottom() { area.bottom() } else { room.bottom() };
    Rect { y: top, height: bottom.saturating_sub(top), ..room }
}

fn draw_picture(screen: &GreenhouseScreen, cx: &Context, areas: Areas, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let pane = areas.picture;
    if pane.is_empty() {
        return;
    }
    if areas.has_border {
        let rows = usize::from(pane.height.saturating_sub(2));
        let title = picture::title(screen, cx);
        return draw_pane(&title, cx, pane, canvas, |width| picture::pane(screen, cx, theme, width, rows));
    }
    let inner = pane.inner(Margin::new(1, u16::from(areas.says.is_some())));
    let (width, rows) = (usize::from(inner.width), usize::from(inner.height));
    let lines = match areas.says {
        Some(says) => picture::alone(&says.into(), cx, theme, width, rows),
        None => picture::pane(screen, cx, theme, width, rows),
    };
    canvas.lines(lines, inner);
    canvas.target(pane, Target::Pane);
}

fn draw_shelves(screen: &GreenhouseScreen, cx: &Context, areas: Areas, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let inner = areas.shelves;
    let count: usize = screen.shelves(usize::MAX, cx).iter().map(Vec::len).sum();
    let scale = Scale::of(theme, inner, count);
    let across = usize::from(scale.across(inner).max(1));
    let page = usize::from(scale.page(inner).max(1));
    let mut shelves = screen.shelves(across, cx);
    let shown = screen.shown(cx);
    if page == 1 {
        fill_last(&mut shelves, across);
    }
    let at = shelves.iter().position(|pots| pots.iter().any(|pot| is_of(pot, shown))).unwrap_or(0);
    let top = at.saturating_sub(page / 2).min(shelves.len().saturating_sub(page));
    let position = if inner.is_empty() { String::new() } else { position(cx, &shelves, count, top, page) };
    draw_frame(&cx.session.plants.filter, &position, cx, areas.frame, canvas);
    (canvas.map.layout.across, canvas.map.layout.page) = (across, page);
    if shelves.is_empty() {
        let message = if cx.session.plants.filter.text().is_empty() {
            let (add, tour) = (cx.key(Command::Add), cx.key(Command::Tour));
            Id::NothingGrows.with("add", add).with("tour", tour)
        } else {
            Id::NoneFits.into()
        };
        if !theme.enlarges {
            let words = cx.display.language().say(&message);
            return canvas.lines(placeholder(&words, usize::from(inner.width), theme.dim), inner);
        }
        let inner = inner.inner(Margin::new(1, 1));
        let (width, rows) = (usize::from(inner.width), usize::from(inner.height));
        return canvas.lines(picture::alone(&message, cx, theme, width, rows), inner);
    }
    let columns = inner.width / cells(across);
    let on_screen: Vec<_> = shelves.iter().skip(top).map(Vec::as_slice).take(page).collect();
    let mut rest = inner;
    let names = scale.names(&on_screen, columns, inner.height, theme);
    let used = names.iter().map(|names| names + scale.plants + EDGE).sum();
    let left = inner.height.saturating_sub(used);
    let waiting = left / scale.shelf();
    // Room between the shelves, if there is some for each.
    let air = u16::from(left % scale.shelf() >= cells(on_screen.len()) + waiting);
    for (pots, names) in on_screen.iter().zip(names) {
        let height = air + scale.plants + EDGE + names;
        let area = Rect { height, ..rest }.intersection(rest);
        // Of a single pot, large letters say enough.
        let marked = shown.filter(|_| count > 1 || !scale.has_large_names);
        Shelf { pots, columns, scale, names, area, shown: marked }.draw(cx, canvas);
        rest = Rect { y: area.bottom(), height: rest.height - area.height, ..rest };
    }
    let pot = shelves.iter().flatten().find(|pot| is_of(pot, shown));
    if theme.enlarges {
        if let Some(pot) = pot.filter(|_| !scale.has_large_names) {
            let style = sprites::style(pot.stage, theme).unwrap_or(theme.title);
            let below = Rect { y: rest.y + 1, height: rest.height.saturating_sub(1), ..rest };
            draw_large_name(pot, style, below, canvas);
        }
    } else if theme.pixels().is_some() {
        draw_empty_shelves(scale, air, rest, canvas);
    }
}

/// Fills the last shelf with the last pots of the one before, where only one shelf is on screen. A pot of both is on screen
/// with the others of its own.
fn fill_last(shelves: &mut [Vec<Pot<'_>>], across: usize) {
    if let [.., before, last] = shelves {
        let missing = across.saturating_sub(last.len()).min(before.len());
        let moved = before.get(before.len() - missing..).unwrap_or_default().to_vec();
        last.splice(0..0, moved);
    }
}

/// Draws boards that wait for more plants.
fn draw_empty_shelves(scale: Scale, air: u16, mut rest: Rect, canvas: &mut Canvas<'_, '_>) {
    while rest.height >= scale.shelf() + air {
        let edge = Rect { y: rest.y + air + scale.plants, height: EDGE, ..rest };
        let front = Rect { y: edge.bottom(), height: scale.shelf() - scale.plants - EDGE, ..rest };
        draw_board(edge, front, canvas);
        rest = Rect { y: front.bottom(), height: rest.bottom().saturating_sub(front.bottom()), ..rest };
    }
}

/// `2 marked, pots 12,340-12,345 of 12,345`: `count` pots are of the loaded rows, or of plants that are not in the list.
fn position(cx: &Context, shelves: &[Vec<Pot<'_>>], count: usize, top: usize, page: usize) -> String {
    let (window, language) = (&cx.session.plants.window, cx.display.language());
    let mut words = Vec::new();
    if !cx.session.plants.marked.is_empty() {
        words.push(language.say(&Id::Marked.with("count", cx.session.plants.marked.len().to_string())));
    }
    let all = window.total + count.saturating_sub(window.rows.len());
    if shelves.len() > page {
        let on_screen: usize = shelves.iter().skip(top).take(page).map(Vec::len).sum();
        // The last shelf may have pots of the one before.
        let above = shelves.iter().take(top).map(Vec::len).sum::<usize>().min(count.saturating_sub(on_screen));
        let (first, last) = (above + 1, above + on_screen);
        let number = |loaded: usize| grouped(u64::try_from(loaded).unwrap_or(u64::MAX));
        let [first, last] = [first, last].map(|loaded| number(window.first + loaded));
        let id = if first == last { Id::OnePot } else { Id::Pots };
        words.push(language.say(&id.with("first", first).with("last", last).with("all", number(all))));
    }
    words.join(", ")
}
