//! Draws a shelf: a board with pots on it, their tags on its edge, their names below on its front.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::layout::{EDGE, Scale, name_lines};
use super::palette::Paints;
use super::pots::{Pot, hash};
use super::state::Focus;
use super::{plants, sprites};
use crate::text::{clean, clean_fit};
use crate::tui::context::Context;
use crate::tui::message::Target;
use crate::tui::widgets::canvas::{Canvas, cells};
use crate::tui::widgets::large;
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::theme::{Depth, Theme};

pub(super) struct Shelf<'a> {
    pub pots: &'a [Pot<'a>],
    /// Columns of each pot.
    pub columns: u16,
    pub scale: Scale,
    /// Rows of the names.
    pub names: u16,
    pub area: Rect,
    /// The plant of the picture.
    pub shown: Option<Focus>,
}

/// Whether a pot is that of the plant of the picture.
pub(super) fn is_of(pot: &Pot<'_>, shown: Option<Focus>) -> bool {
    shown == Some(Focus::of(pot))
}

impl Shelf<'_> {
    pub(super) fn draw(&self, cx: &Context, canvas: &mut Canvas<'_, '_>) {
        // Where there is little room, the plants are cut from their top.
        let lengths = [Constraint::Fill(1), Constraint::Length(EDGE), Constraint::Length(self.names)];
        let [plants, edge, names] = Layout::vertical(lengths).areas(self.area);
        draw_board(edge, names, canvas);
        for (at, pot) in self.pots.iter().enumerate() {
            let x = self.area.x.saturating_add(self.columns.saturating_mul(cells(at)));
            let slot = |rows: Rect| Rect { x, width: self.columns, ..rows }.intersection(rows);
            let is_shown = is_of(pot, self.shown);
            draw_pot(pot, self.scale, is_shown, slot(plants), canvas);
            // A column is between its name and the next one.
            let reaches_next = |next| self.width_of_name(next) + 1 >= self.columns;
            let is_tight = !self.scale.has_large_names
                && self.width_of_name(pot) >= self.columns
                && self.pots.get(at + 1).is_some_and(reaches_next);
            let width = self.columns_of_name(pot).saturating_sub(is_tight.into());
            let room = Rect { x, width, ..names }.intersection(names);
            self.draw_name(pot, is_shown, cx, room, canvas);
            let target = if pot.is_here { Target::Plant } else { Target::GonePlant };
            canvas.target(slot(self.area), target(pot.id));
        }
        // A tag that is too long begins earlier where the one before leaves room, still below more of its own pot.
        let (mut x, mut free) = (edge.x, edge.x);
        for run in self.pots.chunk_by(|one, other| one.plate() == other.plate()) {
            let end = x.saturating_add(self.columns.saturating_mul(cells(run.len()))).min(edge.right());
            let right = if run.last() == self.pots.last() { edge.right() } else { end };
            let missing = tag_width(run).saturating_sub(right.saturating_sub(x)).min(self.columns / 2);
            let left = x.saturating_sub(missing).max(free);
            free = draw_tag(run, Rect { x: left, width: right.saturating_sub(left), ..edge }, canvas);
            x = end;
        }
    }

    /// Rather than cut, the name of the last pot goes on where there is no other.
    fn columns_of_name(&self, pot: &Pot<'_>) -> u16 {
        let has_room = self.names == 1 && self.pots.last() == Some(pot);
        self.columns.max(if has_room { cells(pot.name().width() + 2) } else { 0 })
    }

    /// The columns of a name in small letters, with the pointer.
    fn width_of_name(&self, pot: &Pot<'_>) -> u16 {
        let pointer = u16::from(is_of(pot, self.shown));
        let lines = name_lines(pot, self.columns_of_name(pot).saturating_sub(pointer), self.names.into());
        lines.iter().map(|line| cells(line.width())).max().unwrap_or(0) + pointer
    }

    fn draw_name(&self, pot: &Pot<'_>, is_shown: bool, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let theme = canvas.theme;
        let is_marked = pot.is_here && cx.session.plants.marked.contains_key(&pot.id);
        let mark = is_marked.then(|| Span::styled(theme.mark("◆", "*"), theme.warning));
        let pointer = is_shown.then(|| Span::styled(theme.mark("▸", ">"), theme.active_tab));
        let signs: Line<'_> = mark.into_iter().chain(pointer).collect();
        let lengths = [Constraint::Length(cells(signs.width())), Constraint::Fill(1)];
        let [_, room] = Layout::horizontal(lengths).areas(area);
        if self.scale.has_large_names {
            let mut style = name_style(pot, theme);
            // The wall behind the selected plant goes on behind its name.
            if let Some(wall) = Paints::of(theme).filter(|_| is_shown).and_then(|paints| paints.plain('S')) {
                style = style.bg(wall);
                canvas.frame.buffer_mut().set_style(area, Style::new().bg(wall));
            }
            let below_edge = Rect { y: room.y + 1, height: room.height.saturating_sub(1), ..room };
            if [below_edge, room].into_iter().any(|room| draw_large_name(pot, style, room, canvas)) {
                return canvas.render(signs, area);
            }
        }
        let style = if is_shown { theme.active_tab } else { name_style(pot, theme) };
        let mut before = signs;
        for (line, row) in name_lines(pot, room.width, usize::from(area.height)).iter().zip(area.rows()) {
            let mut line_of_name = std::mem::take(&mut before);
            line_of_name.push_span(fitted(line, usize::from(room.width), style));
            draw_centered(line_of_name, row, canvas);
        }
    }
}

/// Returns the style of a name on the front of the board.
fn name_style(pot: &Pot<'_>, theme: &Theme) -> Style {
    let style = sprites::style(pot.stage, theme);
    let Some(paints) = Paints::of(theme) else { return style.unwrap_or(theme.text) };
    let style = style.unwrap_or_default();
    // The board has a colour of its own: so has the text on it. Of sixteen colours, only one is readable there.
    let is_readable = |color: &Color| *color != Color::Reset && theme.pixels() != Some(Depth::Sixteen);
    let ink = style.fg.filter(is_readable).or(paints.plain('J'));
    Style { fg: ink, bg: paints.plain('D'), ..style }
}

/// Draws the edge of a board, and its front with room for names.
pub(super) fn draw_board(edge: Rect, names: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let Some(paints) = Paints::of(theme) else {
        let line = theme.mark("─", "-").repeat(usize::from(edge.width));
        return canvas.render(Span::styled(line, theme.border), edge);
    };
    let color = |letter| paints.plain(letter).unwrap_or_default();
    canvas.frame.buffer_mut().set_style(names, Style::new().bg(color('D')));
    for at in edge.positions() {
        // The grain of the wood, longer than high.
        let grain = hash((at.x / 3).to_le_bytes().into_iter().chain(at.y.to_le_bytes())) >> 8;
        let front = color(if grain.is_multiple_of(3) { 'C' } else { 'B' });
        if let Some(cell) = canvas.frame.buffer_mut().cell_mut(at) {
            cell.set_symbol("▀").set_style(Style::new().fg(color('A')).bg(front));
        }
    }
}

/// Returns the columns that the plate below neighbouring pots takes with a gap before it, at least.
fn tag_width(run: &[Pot<'_>]) -> u16 {
    cells(run.first().map_or(0, |pot| clean(&pot.plate()).width() + 1))
}

/// Draws a plate below neighbouring pots. Returns its right end.
fn draw_tag(run: &[Pot<'_>], edge: Rect, canvas: &mut Canvas<'_, '_>) -> u16 {
    let theme = canvas.theme;
    let style = Paints::of(theme).map_or(theme.title, |paints| {
        let color = |letter| paints.plain(letter).unwrap_or_default();
        Style::new().fg(color('I')).bg(color('P'))
    });
    let columns = usize::from(edge.width);
    let whole = clean(&run.first().map(Pot::plate).unwrap_or_default());
    // Rather than a letter, the space around them is cut.
    let text = if whole.width() + 1 == columns {
        whole
    } else {
        format!(" {} ", clean_fit(&whole, columns.saturating_sub(2)))
    };
    let line = Line::styled(text, style);
    let width = cells(line.width()).min(edge.width);
    let before = u16::from(width < edge.width);
    let plate = Rect { x: edge.x.saturating_add(before), width, ..edge }.intersection(edge);
    canvas.render(line, plate);
    plate.right()
}

fn draw_pot(pot: &Pot<'_>, scale: Scale, is_shown: bool, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let word = pot.stage.word().map(|word| pot.language.label(word)).unwrap_or_default();
    // The word is a label on the pot; below a line drawing, which it would cover.
    let has_label = !word.is_empty() && area.height > 1;
    let label = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
    let paints = Paints::of(theme);
    if let Some(wall) = paints.filter(|_| is_shown).and_then(|paints| paints.plain('S')) {
        canvas.frame.buffer_mut().set_style(area, Style::new().bg(wall));
    }
    let lines = match paints {
        Some(paints) => plants::drawn(pot, paints).scaled(scale.pixel).lines(),
        None => sprites::drawn(pot, theme),
    };
    let bottom = if has_label && paints.is_none() { label.y } else { area.bottom() };
    for (line, y) in lines.into_iter().rev().zip((area.y..bottom).rev()) {
        draw_centered(line, Rect { y, height: 1, ..area }, canvas);
    }
    if has_label {
        let style = sprites::style(pot.stage, theme).unwrap_or(theme.in_progress);
        // Not the colours of the plant behind the word.
        let style = Style { bg: style.bg.or(Some(Color::Reset)), ..style }.reversed();
        draw_centered(Line::styled(clean_fit(&format!(" {word} "), usize::from(area.width)), style), label, canvas);
    }
}

/// Draws the name of a plant in large letters, where they fit. Returns whether they do.
pub(super) fn draw_large_name(pot: &Pot<'_>, style: Style, area: Rect, canvas: &mut Canvas<'_, '_>) -> bool {
    let theme = canvas.theme;
    let columns = usize::from(area.width.saturating_sub(1));
    let lines = large::lines(&clean(&pot.name()), columns, usize::from(area.height), theme, style);
    for (line, y) in lines.iter().flatten().zip(area.y..) {
        draw_centered(line.clone(), Rect { y, height: 1, ..area }, canvas);
    }
    lines.is_some()
}

fn draw_centered(line: Line<'static>, row: Rect, canvas: &mut Canvas<'_, '_>) {
    let columns = cells(line.width()).min(row.width);
    let x = row.x + (row.width - columns) / 2;
    canvas.render(line, Rect { x, width: columns, ..row });
}
