//! What the rooms have in common: the tabs, the filter, the list and the pane beside it.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};
use unicode_width::UnicodeWidthStr;

use super::form::around_cursor;
use super::text::fitted;
use super::{Painted, Theme, WIDE, chart, check, exchange, log, story, table};
use crate::app::{Model, Room, Target};
use crate::domain::text::clean;

/// Columns from which the selected exchange stands beside the list: a line of it is longer than
/// a plant's.
const WIDE_LOG: u16 = 110;

/// Rows of the pane below the list, with its borders, at least and at most.
const BELOW: (u16, u16) = (4, 14);

/// Rows of the chart with its borders, and those that the list must have beside it.
const CHART: (u16, u16) = (9, 10);

pub(super) fn draw_plants(model: &Model, theme: &Theme, frame: &mut Frame, body: Rect, painted: &mut Painted) {
    if body.width < WIDE {
        table::draw(model, theme, frame, body, painted);
        return;
    }
    let [left, right] = Layout::horizontal([Constraint::Fill(11), Constraint::Fill(9)]).areas(body);
    draw_pane(&story::title(model), model, theme, frame, right, painted, |width| story::pane(model, theme, width));
    table::draw(model, theme, frame, left, painted);
}

pub(super) fn draw_exchanges(model: &Model, theme: &Theme, frame: &mut Frame, body: Rect, painted: &mut Painted) {
    let (list, side) = if body.width < WIDE_LOG {
        (body, None)
    } else {
        let [left, right] = Layout::horizontal([Constraint::Fill(12), Constraint::Fill(8)]).areas(body);
        (left, Some(right))
    };
    let (chart_height, least) = CHART;
    let around = side.unwrap_or(list);
    let chart_height = if around.height >= chart_height + least { chart_height } else { 0 };
    let list = match side {
        Some(side) => {
            let [chart, pane] = Layout::vertical([Constraint::Length(chart_height), Constraint::Min(0)]).areas(side);
            chart::draw(model, theme, frame, chart);
            let title = exchange::title(model);
            draw_pane(&title, model, theme, frame, pane, painted, |width| exchange::pane(model, theme, width));
            list
        }
        // Below the list: the tabs have their place on top.
        None => {
            let [list, chart] = Layout::vertical([Constraint::Min(0), Constraint::Length(chart_height)]).areas(list);
            chart::draw(model, theme, frame, chart);
            list
        }
    };
    log::draw(model, theme, frame, list, chart_height == 0, painted);
}

pub(super) fn draw_check(model: &Model, theme: &Theme, frame: &mut Frame, body: Rect, painted: &mut Painted) {
    if model.check.report.is_none() {
        check::draw(model, theme, frame, body, painted);
        return;
    }
    let [list, pane] = if body.width < WIDE_LOG {
        let (least, most) = BELOW;
        let height = (body.height * 2 / 5).clamp(least, most);
        Layout::vertical([Constraint::Min(0), Constraint::Length(height)]).areas(body)
    } else {
        Layout::horizontal([Constraint::Fill(5), Constraint::Fill(3)]).areas(body)
    };
    draw_pane(&check::title(model), model, theme, frame, pane, painted, |width| check::pane(model, theme, width));
    check::draw(model, theme, frame, list, painted);
}

/// The pane beside the list, scrolled to where the model is.
pub(super) fn draw_pane(
    title: &str,
    model: &Model,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
    lines: impl FnOnce(usize) -> Vec<Line<'static>>,
) {
    let title = fitted(&format!(" {title} "), usize::from(area.width.saturating_sub(4)), theme.title);
    let block = Block::bordered().border_set(theme.borders()).border_style(theme.border).title(title);
    let inner = block.inner(area).inner(Margin { horizontal: 1, vertical: 0 });
    frame.render_widget(block, area);
    let lines = lines(usize::from(inner.width));
    let page = usize::from(inner.height);
    (painted.drawn.pane_lines, painted.drawn.pane_page) = (lines.len(), page);
    let top = model.pane_top.min(lines.len().saturating_sub(page));
    let shown: Vec<Line> = lines.into_iter().skip(top).take(page).collect();
    frame.render_widget(Paragraph::new(shown), inner);
    painted.target(area, Target::Pane);
}

/// The frame around the list of the room: tabs above, filter and place below. Returns its inside.
pub(super) fn draw_frame(
    model: &Model,
    place: &str,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
) -> Rect {
    painted.target(area, Target::List);
    let border = if model.overlay.is_none() { theme.focus } else { theme.border };
    let mut block = Block::bordered().border_set(theme.borders()).border_style(border);
    block = block.title(tabs(model, theme, area, painted));
    if !place.is_empty() {
        block = block.title_bottom(Line::from(Span::styled(format!(" {place} "), theme.dim)).right_aligned());
    }
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let below = Rect { x: area.x + 1, y: area.bottom().saturating_sub(1), width: inner.width, height: 1 };
    let room = usize::from(below.width).saturating_sub(place.width() + 3);
    draw_filter(model, room, theme, frame, below);
    inner
}

/// `1 Plants  2 Exchanges`, on the upper border.
fn tabs(model: &Model, theme: &Theme, area: Rect, painted: &mut Painted) -> Line<'static> {
    let mut line = Line::default();
    for room in Room::ALL {
        let text = format!(" {} {} ", model.keys.shown(room.action()), room.title());
        let at = Rect {
            x: area.x.saturating_add(1).saturating_add(u16::try_from(line.width()).unwrap_or(0)),
            y: area.y,
            width: u16::try_from(text.width()).unwrap_or(0),
            height: 1,
        };
        painted.target(at.intersection(area), Target::Action(room.action()));
        line.push_span(Span::styled(text, if room == model.room { theme.here } else { theme.dim }));
    }
    line
}

/// Stands in the filter of plants while it is empty.
const PLACEHOLDER: &str = "name, tag or id, or state:unknown";

/// What the room is filtered by, on the lower border; with the cursor while it is typed.
fn draw_filter(model: &Model, columns: usize, theme: &Theme, frame: &mut Frame, area: Rect) {
    let mut spans: Vec<Span> = Vec::new();
    if let Room::Exchanges = model.room {
        let words = log::filters(model);
        let typed = usize::from(model.filtering || !model.log.text.text().is_empty());
        let each = columns / (words.len() + typed).max(1);
        spans.extend(words.iter().map(|word| fitted(&format!(" {word} "), each, theme.doubt)));
    }
    let field = model.filter();
    if model.filtering || !field.text().is_empty() {
        let used: usize = spans.iter().map(|span| span.content.width()).sum();
        let room = columns.saturating_sub(used + 4);
        let (text, column) = around_cursor(&clean(field.before_cursor()), &clean(field.after_cursor()), room);
        let style = if model.filtering { theme.title } else { theme.doubt };
        spans.extend([Span::styled(" / ", theme.key), Span::styled(text, style), Span::raw(" ")]);
        if field.text().is_empty() && matches!(model.room, Room::Plants | Room::Greenhouse) {
            spans.push(fitted(&format!("{PLACEHOLDER} "), room.saturating_sub(1), theme.dim));
        }
        if model.filtering && model.overlay.is_none() {
            let x = area.x.saturating_add(u16::try_from(used + 3 + column).unwrap_or(0));
            frame.set_cursor_position(Position { x: x.min(area.right().saturating_sub(1)), y: area.y });
        }
    }
    if !spans.is_empty() {
        let line = Line::from(spans);
        let width = u16::try_from(line.width()).unwrap_or(area.width).min(area.width);
        frame.render_widget(Paragraph::new(line), Rect { width, ..area });
    }
}

/// The pointer at the selected line and the mark of a marked one: three columns.
pub(super) fn pointer(selected: bool, marked: bool, theme: &Theme) -> [Span<'static>; 2] {
    let pointer = if selected { theme.mark("▸", ">") } else { " " };
    let mark = if marked { theme.mark("◆ ", "* ") } else { "  " };
    [Span::styled(pointer, theme.key), Span::styled(mark, theme.doubt)]
}
