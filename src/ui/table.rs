//! The table of plants: id, name, tag, state, when.

use jiff::tz::TimeZone;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};
use unicode_width::UnicodeWidthStr;

use super::Theme;
use super::text::wrapped_lines;
use crate::app::Model;
use crate::app::keys::{Action, InRoom};
use crate::domain::text::clean_padded;
use crate::domain::{Row, Timestamp};

/// Columns of the state: mark, space, `deleting`.
const STATE: usize = 10;
/// Columns of the time: `14:03:22`, or the day `2026-11-21`.
const WHEN: usize = 10;
/// Columns between two columns.
const GAP: usize = 2;
/// Columns that name and tag need together before the time has a place.
const ROOM: usize = 24;
/// Columns of an id at least and at most (`-9223372036854775808`).
pub(super) const ID: (usize, usize) = (4, 20);

/// Draws it and returns where its rows are.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect) -> Rect {
    let title = Span::styled(" Plants ", theme.title);
    let border = if model.overlay.is_none() { theme.focus } else { theme.border };
    let mut block = Block::bordered().border_set(theme.borders()).border_style(border).title(title);
    let table = &model.table;
    if table.window.total > table.page {
        let last = (table.top + table.visible().len()).min(table.window.total);
        let place = format!(" {}-{last} of {} ", table.top + 1, table.window.total);
        block = block.title_bottom(Line::from(Span::styled(place, theme.dim)).right_aligned());
    }
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let rows = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    if table.window.total == 0 {
        frame.render_widget(Paragraph::new(empty(model, theme, usize::from(inner.width))), inner);
        return rows;
    }
    let widths = Widths::of(model, usize::from(inner.width));
    frame.render_widget(Paragraph::new(widths.heading(theme)), Rect { height: 1, ..inner });
    let visible = table.visible().iter().take(usize::from(rows.height));
    let lines: Vec<Line> = visible.map(|row| widths.line(row, model, theme)).collect();
    frame.render_widget(Paragraph::new(lines), rows);
    rows
}

fn empty(model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    if !model.table.is_read {
        let words = if model.notices.is_empty() { "Reading the journal …" } else { "The journal could not be read." };
        return [vec![Line::default()], wrapped_lines(words, 2, width, 2, theme.dim)].concat();
    }
    let key = model.keys.shown(Action::Room(InRoom::Add));
    let words = if model.facts.read_only {
        "Nothing here yet, and this is read-only.".to_owned()
    } else {
        format!("No plants yet. Press {key} to add the first one.")
    };
    let mut lines = vec![Line::default()];
    lines.extend(wrapped_lines(&words, 2, width, 2, theme.title));
    lines.push(Line::default());
    lines.extend(wrapped_lines(
        "The service cannot list its plants, so this view shows those that were added from here.",
        2,
        width,
        4,
        theme.dim,
    ));
    lines
}

/// Columns of each column.
struct Widths {
    id: usize,
    name: usize,
    tag: usize,
    /// 0 where names would have too little room beside it.
    when: usize,
}

impl Widths {
    fn of(model: &Model, width: usize) -> Self {
        let longest = model.table.visible().iter().map(|row| row.id.to_string().len()).max().unwrap_or(ID.0);
        let id = longest.clamp(ID.0, ID.1);
        let beside_when = width.saturating_sub(2 + id + STATE + 4 * GAP + WHEN);
        let (when, rest) = if beside_when >= ROOM { (WHEN, beside_when) } else { (0, beside_when + WHEN + GAP) };
        let tag = (rest / 3).clamp(4, 24).min(rest);
        Self { id, name: rest.saturating_sub(tag), tag, when }
    }

    fn heading(&self, theme: &Theme) -> Line<'static> {
        let (id, name, tag) = (self.id, self.name, self.tag);
        let when = if self.when > 0 { "  WHEN" } else { "" };
        let text = format!("  {:>id$}  {:<name$}  {:<tag$}  {:<STATE$}{when}", "ID", "NAME", "TAG", "STATE");
        Line::from(Span::styled(text, theme.dim))
    }

    fn line(&self, row: &Row, model: &Model, theme: &Theme) -> Line<'static> {
        let selected = model.table.selected == Some(row.id);
        let (style, mark) = theme.state(row.state, model.turn);
        let (name, tag) = match &row.details {
            Some(details) => (details.name.as_str(), details.tag.as_str()),
            None => ("(name not known)", ""),
        };
        let pointer = if selected { theme.mark("▸ ", "> ") } else { "  " };
        let id = row.id.to_string();
        let mut line = Line::from(vec![
            Span::styled(pointer, theme.key),
            Span::raw(format!("{}{id}  ", " ".repeat(self.id.saturating_sub(id.width())))),
            Span::raw(format!("{}  ", clean_padded(name, self.name))),
            Span::raw(format!("{}  ", clean_padded(tag, self.tag))),
            Span::styled(clean_padded(&format!("{mark} {}", row.state.word()), STATE), style),
        ]);
        if self.when > 0 {
            let changed = when(row.changed_at, model.now, &model.facts.zone);
            line.push_span(Span::styled(format!("  {changed:<WHEN$}"), theme.dim));
        }
        if selected { line.style(theme.selected) } else { line }
    }
}

/// The time of day, or the day if it was another.
fn when(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    told(at, now, zone, "%Y-%m-%d")
}

/// The time of day, with the day if it was another.
pub(super) fn moment(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    told(at, now, zone, "%Y-%m-%d %H:%M:%S")
}

fn told(at: Timestamp, now: Timestamp, zone: &TimeZone, another_day: &str) -> String {
    let local = |at: Timestamp| jiff::Timestamp::from_millisecond(at.0).ok().map(|at| at.to_zoned(zone.clone()));
    match (local(at), local(now)) {
        (Some(at), Some(now)) if at.date() == now.date() => at.strftime("%H:%M:%S").to_string(),
        (Some(at), _) => at.strftime(another_day).to_string(),
        (None, _) => String::new(),
    }
}
