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
use crate::domain::wrap::wrapped;
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

/// Rows of a line of a name in large letters, and of two.
const LARGE_LINE: u16 = 4;
const LARGE_NAME: u16 = 2 * LARGE_LINE;

/// Rows of the picture with a sentence in large letters, before an audience.
const LARGE_PICTURE: u16 = 6;

/// Rows of the shelves beside a request as it was sent, where there is little room: the tabs and the names.
const LEAST_SHELVES: u16 = 4;

/// Pots that are on screen at twice their size, at least.
const AT_TWICE: u16 = 4;

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
    /// A line drawing leaves a row for the word of its stage.
    fn plain(theme: &Theme, names: u16) -> Self {
        let plant = cells(if theme.pixels().is_some() { plants::SIZE.1 / 2 } else { sprites::SIZE.1 + 1 });
        Self { pixel: 1, columns: POT, rows: [plant, 1, names] }
    }

    /// Returns twice the size before an audience, where there is room for it. A name takes two rows where all shelves, or
    /// as many as with one row, are on screen then.
    fn of(cx: &Context, theme: &Theme, area: Rect, pots: usize) -> Self {
        let [one, two] = [1, 2].map(|names| Self::plain(theme, names));
        let twice = Self { pixel: 2, columns: 2 * POT, rows: [2 * one.rows[0], 1, LARGE_NAME] };
        if cx.display.presenting && theme.pixels().is_some() && twice.across(area) * twice.page(area) >= AT_TWICE {
            return twice;
        }
        let needed = cells(pots.div_ceil(usize::from(one.across(area).max(1))));
        let has_room = two.page(area) >= 1 && two.page(area) >= one.page(area).min(needed);
        if has_room { two } else { one }
    }

    fn shelf(self) -> u16 {
        self.rows.iter().sum()
    }

    /// Returns the pots side by side that fit.
    fn across(self, area: Rect) -> u16 {
        area.width.saturating_sub(2) / self.columns
    }

    /// Returns the shelves that fit.
    fn page(self, area: Rect) -> u16 {
        area.height.saturating_sub(2) / self.shelf()
    }
}

/// Columns of a dialog beside the picture, at least.
const DIALOG: u16 = 50;

/// Returns the areas of the shelves and of the picture.
fn areas(screen: &GreenhouseScreen, cx: &Context, theme: &Theme, body: Rect) -> [Rect; 2] {
    let shelf = Scale::plain(theme, 1).shelf() + 2;
    let rest = body.height.saturating_sub(shelf);
    let is_alone = cx.display.is_plain;
    if body.width >= WIDE {
        let [shelves, picture] = if cx.display.presenting { [2, 3] } else { [1, 1] };
        Layout::horizontal([Constraint::Fill(shelves), Constraint::Fill(picture)]).areas(body)
    } else if is_alone && screen.shows_wire {
        let shelves = LEAST_SHELVES.min(body.height / 2);
        Layout::vertical([Constraint::Length(shelves), Constraint::Min(0)]).areas(body)
    } else if is_alone && cx.display.presenting && rest < LARGE_PICTURE {
        // Beside one pot, there is room for large letters.
        Layout::horizontal([Constraint::Length(POT + 2), Constraint::Min(0)]).areas(body)
    } else {
        let most = if cx.display.presenting { body.height } else { PICTURE };
        Layout::vertical([Constraint::Min(0), Constraint::Length(rest.clamp(LEAST_PICTURE, most.max(LEAST_PICTURE)))])
            .areas(body)
    }
}

/// Returns the area beside the picture of a rejection, or above it, for a dialog; on the tour beside every picture, where
/// there is room. Else returns all of `area`.
pub(super) fn room_for_dialog(screen: &GreenhouseScreen, cx: &Context, area: Rect, body: Rect, theme: &Theme) -> Rect {
    let [shelves, _] = areas(screen, cx, theme, body);
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
    let [shelves, pane] = areas(screen, cx, theme, body);
    // Before an audience, large letters need the rows of the borders.
    let is_bare = cx.display.presenting && pane.height < LARGE_PICTURE + 3 && !screen.shows_wire;
    if pane.height < WITH_BORDERS || is_bare {
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
    let count: usize = screen.shelves(usize::MAX, cx).iter().map(Vec::len).sum();
    let scale = Scale::of(cx, theme, area, count);
    let fitting = usize::from(scale.across(area).max(1));
    let page = usize::from(scale.page(area).max(1));
    let needed = count.div_ceil(fitting);
    // Where not all shelves are on screen, none of them is almost empty. On the tour, no pot moves as others are added.
    let is_even = needed > page && !cx.display.on_tour;
    let across = if is_even { count.div_ceil(needed) } else { fitting };
    let shelves = screen.shelves(across, cx);
    let shown = screen.shown(cx);
    let at = shelves.iter().position(|pots| pots.iter().any(|pot| is_of(pot, shown))).unwrap_or(0);
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
        Shelf { pots, columns, scale, area, shown }.draw(cx, canvas);
    }
    let rest = inner.height.saturating_sub(scale.shelf().saturating_mul(cells(page)));
    let pot = shelves.iter().flatten().find(|pot| is_of(pot, shown));
    if let Some(pot) = pot.filter(|_| cx.display.presenting && scale.pixel == 1) {
        let height = rest.min(LARGE_NAME) / LARGE_LINE * LARGE_LINE;
        draw_large_name(pot, Rect { y: inner.bottom().saturating_sub(height), height, ..inner }, canvas);
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
    /// The plant of the picture.
    shown: Option<Focus>,
}

/// Whether a pot is that of the plant of the picture.
fn is_of(pot: &Pot<'_>, shown: Option<Focus>) -> bool {
    shown == Some(Focus { id: pot.id, is_here: pot.is_here })
}

impl Shelf<'_> {
    fn draw(&self, cx: &Context, canvas: &mut Canvas<'_, '_>) {
        let [_, board, names] = self.scale.rows;
        // Where there is little room, the plants are cut from their top.
        let lengths = [Constraint::Fill(1), Constraint::Length(board), Constraint::Length(names)];
        let [plants, board, names] = Layout::vertical(lengths).areas(self.area);
        for (pot, x) in self.pots.iter().zip((self.area.x..).step_by(usize::from(self.columns.max(1)))) {
            let slot = |rows: Rect| Rect { x, width: self.columns, ..rows }.intersection(rows);
            let is_shown = is_of(pot, self.shown);
            draw_pot(pot, self.scale, is_shown, slot(plants), canvas);
            draw_name(pot, is_shown, cx, slot(names), canvas);
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

fn draw_pot(pot: &Pot<'_>, scale: Scale, is_shown: bool, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    if let Some(paints) = Paints::of(theme) {
        if is_shown && let Some(wall) = paints.plain('S') {
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
    // The word must not cover the sign of a pot, or a line drawing.
    let needed = match (theme.pixels(), pot.stage.has_sign()) {
        (None, _) => cells(sprites::SIZE.1) + 1,
        (Some(_), true) => cells(plants::SIZE.1 / 2 * scale.pixel),
        (Some(_), false) => 1,
    };
    if !word.is_empty() && area.height >= needed {
        let style = sprites::style(pot.stage, theme).unwrap_or(theme.in_progress);
        // Not the colours of the plant behind the word.
        let style = Style { bg: style.bg.or(Some(Color::Reset)), ..style }.reversed();
        let word = Line::styled(clean_fit(&format!(" {word} "), usize::from(area.width)), style);
        draw_centered(word, Rect { height: 1, ..area }, canvas);
    }
}

fn draw_name(pot: &Pot<'_>, is_shown: bool, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let is_marked = pot.is_here && cx.session.plants.marked.contains_key(&pot.id);
    let style = if is_shown { theme.active_tab } else { sprites::style(pot.stage, theme).unwrap_or(theme.text) };
    if area.height == LARGE_NAME && draw_large_name(pot, area, canvas) {
        return;
    }
    let mut marks = Vec::new();
    if is_marked {
        marks.push(Span::styled(theme.mark("◆", "*"), theme.warning));
    }
    if is_shown {
        marks.push(Span::styled(theme.mark("▸", ">"), theme.active_tab));
    }
    let columns = usize::from(area.width.saturating_sub(1));
    let room = columns.saturating_sub(marks.iter().map(Span::width).sum::<usize>());
    let name = name_of(pot);
    let lines = if area.height > 1 { wrapped(&name, room, usize::from(area.height)) } else { vec![name] };
    for (line, y) in lines.iter().zip(area.y..area.bottom()) {
        let spans = marks.drain(..).chain([fitted(line, room, style)]);
        draw_centered(spans.collect(), Rect { y, height: 1, ..area }, canvas);
    }
}

/// Draws the name of a plant in large letters, where they fit. Returns whether they do.
fn draw_large_name(pot: &Pot<'_>, area: Rect, canvas: &mut Canvas<'_, '_>) -> bool {
    let theme = canvas.theme;
    let style = sprites::style(pot.stage, theme).unwrap_or(theme.title);
    let columns = usize::from(area.width.saturating_sub(1));
    let lines = large::lines(&clean(&name_of(pot)), columns, usize::from(area.height), theme, style);
    for (line, y) in lines.iter().flatten().zip(area.y..) {
        draw_centered(line.clone(), Rect { y, height: 1, ..area }, canvas);
    }
    lines.is_some()
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
