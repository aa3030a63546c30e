//! Draws the Greenhouse tab: pots on shelves, and beside or below them the exchange as a picture.

use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

use super::palette::Paints;
use super::pots::{Pot, hash};
use super::state::{Focus, GreenhouseScreen};
use super::{picture, plants, sprites};
use crate::domain::filter::List;
use crate::domain::number_format::grouped;
use crate::domain::text::{clean, clean_fit};
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::screen::{ListFrame, draw_pane};
use crate::tui::widgets::canvas::{Canvas, WIDE, cells};
use crate::tui::widgets::large;
use crate::tui::widgets::text::{fitted, placeholder};
use crate::tui::widgets::theme::Theme;

/// Columns of a pot with a gap, at least.
const POT: u16 = 14;

/// Rows of the picture below the shelves, with its borders.
const PICTURE: u16 = 9;

/// The fewest rows of the picture, and those from which it has borders.
const LEAST_PICTURE: u16 = 3;
const WITH_BORDERS: u16 = 5;

/// Rows of a name in large letters: two lines.
const LARGE_NAME: u16 = 8;

/// How large the pots are drawn.
#[derive(Debug, Clone, Copy)]
struct Scale {
    /// Columns and rows of a pixel of a plant, in pixels of the screen.
    pixel: usize,
    /// Columns of a pot, at least.
    columns: u16,
    /// Rows of the plants, of the board, of the names.
    rows: [u16; 3],
}

impl Scale {
    /// Returns twice the size before an audience, where there is room for it. A line drawing leaves a row for the word of
    /// its stage.
    fn of(cx: &Context, theme: &Theme, area: Rect) -> Self {
        let plant = cells(if theme.pixels().is_some() { plants::SIZE.1 / 2 } else { sprites::SIZE.1 + 1 });
        let twice = Self { pixel: 2, columns: 2 * POT, rows: [2 * plant, 1, LARGE_NAME] };
        let has_room = area.height >= twice.shelf() + 2 && area.width >= twice.columns + 2;
        if cx.display.presenting && theme.pixels().is_some() && has_room {
            twice
        } else {
            Self { pixel: 1, columns: POT, rows: [plant, 1, 1] }
        }
    }

    fn shelf(self) -> u16 {
        self.rows.iter().sum()
    }
}

/// Columns of a dialog beside the picture, at least.
const DIALOG: u16 = 50;

/// Returns the areas of the shelves and of the picture.
fn areas(cx: &Context, theme: &Theme, body: Rect) -> [Rect; 2] {
    if body.width < WIDE {
        let shelf = Scale::of(cx, theme, Rect::default()).shelf();
        let height = body.height.saturating_sub(shelf + 2).clamp(LEAST_PICTURE, PICTURE);
        Layout::vertical([Constraint::Min(0), Constraint::Length(height)]).areas(body)
    } else {
        let [shelves, picture] = if cx.display.presenting { [2, 3] } else { [1, 1] };
        Layout::horizontal([Constraint::Fill(shelves), Constraint::Fill(picture)]).areas(body)
    }
}

/// Returns the area beside the picture of a rejection, or above it, for a dialog; on the tour beside every picture, where
/// there is room. Else returns all of `area`.
pub(super) fn room_for_dialog(screen: &GreenhouseScreen, cx: &Context, area: Rect, body: Rect, theme: &Theme) -> Rect {
    let [shelves, _] = areas(cx, theme, body);
    let is_shown_on_tour = cx.display.on_tour && body.width >= 2 * DIALOG;
    if !picture::is_of_rejection(screen, cx) && !is_shown_on_tour {
        area
    } else if body.width < WIDE {
        Rect { height: shelves.bottom().saturating_sub(area.y), ..area }
    } else {
        Rect { width: shelves.width.max(DIALOG), ..area }
    }
}

pub(super) fn draw(screen: &GreenhouseScreen, cx: &Context, body: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let [shelves, pane] = areas(cx, theme, body);
    if pane.height < WITH_BORDERS {
        let inner = pane.inner(Margin::new(1, 0));
        let (width, rows) = (usize::from(inner.width), usize::from(inner.height));
        canvas.lines(picture::pane(screen, cx, theme, width, rows), inner);
        canvas.target(pane, Target::Pane);
    } else {
        let rows = usize::from(pane.height - 2);
        let title = picture::title(screen, cx);
        draw_pane(&title, screen.pane, pane, canvas, |width| picture::pane(screen, cx, theme, width, rows));
    }
    draw_shelves(screen, cx, shelves, canvas);
}

fn draw_shelves(screen: &GreenhouseScreen, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let scale = Scale::of(cx, theme, area);
    let fitting = usize::from((area.width.saturating_sub(2) / scale.columns).max(1));
    let page = usize::from((area.height.saturating_sub(2) / scale.shelf()).max(1));
    let shelves = screen.shelves(fitting, cx);
    // Where not all shelves are on screen, none of them is almost empty.
    let pots: usize = shelves.iter().map(Vec::len).sum();
    let across = if shelves.len() > page { pots.div_ceil(shelves.len()) } else { fitting };
    let shelves = screen.shelves(across, cx);
    let selected = cx.session.plants.selected.map(|id| Focus { id, is_here: true });
    let shelf_of = |focus: Focus| {
        let is_it = |pot: &Pot<'_>| Focus { id: pot.id, is_here: pot.is_here } == focus;
        shelves.iter().position(|pots| pots.iter().any(is_it))
    };
    let at = screen.focus.and_then(shelf_of).or_else(|| selected.and_then(shelf_of)).unwrap_or(0);
    let top = at.saturating_sub(page / 2).min(shelves.len().saturating_sub(page));
    let place = place(cx, &shelves, top, page);
    let frame = ListFrame {
        position: &place,
        filter: &cx.session.plants.filter,
        list: List::Plants,
        is_typing: screen.is_typing,
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
    let columns = inner.width / cells(across);
    // Shelves without plants wait for more.
    let on_screen = shelves.iter().skip(top).map(Vec::as_slice).chain(std::iter::repeat(&[][..])).take(page);
    for (pots, y) in on_screen.zip((inner.y..).step_by(usize::from(scale.shelf()))) {
        let area = Rect { y, height: scale.shelf(), ..inner }.intersection(inner);
        Shelf { pots, columns, scale, area }.draw(cx, canvas);
    }
}

/// `400 of 12,345 plants, around the selected one, pots 5-12 of 400`
fn place(cx: &Context, shelves: &[Vec<Pot<'_>>], top: usize, page: usize) -> String {
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
    if shelves.len() > page {
        let pots = |shelves: &[Vec<Pot<'_>>]| shelves.iter().map(Vec::len).sum::<usize>();
        let (above, rest) = shelves.split_at(top.min(shelves.len()));
        let before = pots(above);
        let (first, last) = (before + 1, before + pots(rest.get(..page).unwrap_or(rest)));
        let shown = if first == last { format!("pot {first}") } else { format!("pots {first}-{last}") };
        words.push(format!("{shown} of {}", pots(shelves)));
    }
    words.join(", ")
}

/// A board with pots on it, their tags on its front and their names below.
struct Shelf<'a> {
    pots: &'a [Pot<'a>],
    /// Columns of each pot.
    columns: u16,
    scale: Scale,
    area: Rect,
}

impl Shelf<'_> {
    fn draw(&self, cx: &Context, canvas: &mut Canvas<'_, '_>) {
        let [_, board, names] = self.scale.rows;
        // Where there is little room, the plants are cut from their top.
        let lengths = [Constraint::Fill(1), Constraint::Length(board), Constraint::Length(names)];
        let [plants, board, names] = Layout::vertical(lengths).areas(self.area);
        for (pot, x) in self.pots.iter().zip((self.area.x..).step_by(usize::from(self.columns.max(1)))) {
            let slot = |rows: Rect| Rect { x, width: self.columns, ..rows }.intersection(rows);
            draw_pot(pot, self.scale, cx, slot(plants), canvas);
            draw_name(pot, cx, slot(names), canvas);
            if pot.is_here {
                canvas.target(slot(self.area), Target::Plant(pot.id));
            }
        }
        draw_board(board, canvas);
        let mut x = board.x;
        for run in self.pots.chunk_by(|one, other| plate(one) == plate(other)) {
            let width = self.columns.saturating_mul(cells(run.len()));
            draw_tag(run, Rect { x, width, ..board }.intersection(board), canvas);
            x = x.saturating_add(width);
        }
    }
}

fn draw_board(board: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let Some(paints) = Paints::of(theme) else {
        let line = theme.mark("─", "-").repeat(usize::from(board.width));
        return canvas.render(Span::styled(line, theme.border), board);
    };
    let color = |letter| paints.plain(letter).unwrap_or_default();
    for at in board.positions() {
        // The grain of the wood, longer than high.
        let grain = hash((at.x / 3).to_le_bytes().into_iter().chain(at.y.to_le_bytes())) >> 8;
        let front = color(if grain.is_multiple_of(3) { 'C' } else { 'B' });
        if let Some(cell) = canvas.frame.buffer_mut().cell_mut(at) {
            cell.set_symbol("▀").set_style(Style::new().fg(color('A')).bg(front));
        }
    }
}

/// What a pot's plate on the board says: its tag, or that the plant has left the list or was never in it.
fn plate<'a>(pot: &'a Pot<'_>) -> &'a str {
    match pot.tag() {
        _ if !pot.is_here => "not stored",
        None => "tag not known",
        Some("") => "no tag",
        Some(tag) => tag,
    }
}

/// Draws a plate below neighbouring pots.
fn draw_tag(run: &[Pot<'_>], board: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let style = Paints::of(theme).map_or(theme.title, |paints| {
        let color = |letter| paints.plain(letter).unwrap_or_default();
        Style::new().fg(color('I')).bg(color('P'))
    });
    let text = clean_fit(run.first().map_or("", plate), usize::from(board.width.saturating_sub(3)));
    let line = Line::styled(format!(" {text} "), style);
    let width = cells(line.width()).min(board.width);
    canvas.render(line, Rect { x: board.x.saturating_add(1), width, ..board }.intersection(board));
}

fn draw_pot(pot: &Pot<'_>, scale: Scale, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let is_selected = pot.is_here && cx.session.plants.selected == Some(pot.id);
    if let Some(paints) = Paints::of(theme) {
        if is_selected && let Some(wall) = paints.plain('S') {
            canvas.frame.buffer_mut().set_style(area, Style::new().bg(wall));
        }
        plants::drawn(pot, paints).scaled(scale.pixel).draw(area, canvas.frame.buffer_mut());
    } else {
        let lines = sprites::drawn(pot, theme);
        let skipped = lines.len().saturating_sub(usize::from(area.height));
        let top = area.bottom().saturating_sub(cells(lines.len() - skipped));
        for (line, y) in lines.into_iter().skip(skipped).zip(top..area.bottom()) {
            draw_centered(line, Rect { y, height: 1, ..area }, canvas);
        }
    }
    let word = pot.stage.word();
    let sprite = if theme.pixels().is_some() { 0 } else { cells(sprites::SIZE.1) };
    if !word.is_empty() && area.height > sprite {
        let style = sprites::style(pot.stage, theme).unwrap_or(theme.in_progress);
        // Not the colours of the plant behind the word.
        let style = Style { bg: style.bg.or(Some(Color::Reset)), ..style }.reversed();
        let word = Line::styled(clean_fit(&format!(" {word} "), usize::from(area.width)), style);
        draw_centered(word, Rect { height: 1, ..area }, canvas);
    }
}

fn draw_name(pot: &Pot<'_>, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let is_selected = pot.is_here && cx.session.plants.selected == Some(pot.id);
    let is_marked = pot.is_here && cx.session.plants.marked.contains_key(&pot.id);
    let style = if is_selected { theme.active_tab } else { sprites::style(pot.stage, theme).unwrap_or(theme.text) };
    if area.height == LARGE_NAME {
        let style = sprites::style(pot.stage, theme).unwrap_or(theme.title);
        let columns = usize::from(area.width.saturating_sub(1));
        if let Some(lines) = large::lines(&clean(&name_of(pot)), columns, usize::from(area.height), theme, style) {
            for (line, y) in lines.into_iter().zip(area.y..) {
                draw_centered(line, Rect { y, height: 1, ..area }, canvas);
            }
            return;
        }
    }
    let area = Rect { height: 1.min(area.height), ..area };
    let mut spans = Vec::new();
    if is_marked {
        spans.push(Span::styled(theme.mark("◆", "*"), theme.warning));
    }
    if is_selected {
        spans.push(Span::styled(theme.mark("▸", ">"), theme.active_tab));
    }
    let columns = usize::from(area.width.saturating_sub(1));
    let room = columns.saturating_sub(spans.iter().map(Span::width).sum::<usize>());
    spans.push(fitted(&name_of(pot), room, style));
    draw_centered(Line::from(spans), area, canvas);
}

/// Returns the name of a plant, or its id.
fn name_of(pot: &Pot<'_>) -> String {
    let name = pot.details.map(|details| details.name.clone()).filter(|name| !name.is_empty());
    name.unwrap_or_else(|| format!("plant {}", pot.id))
}

fn draw_centered(line: Line<'static>, row: Rect, canvas: &mut Canvas<'_, '_>) {
    let columns = cells(line.width()).min(row.width);
    let x = row.x + (row.width - columns) / 2;
    canvas.render(line, Rect { x, width: columns, ..row });
}
