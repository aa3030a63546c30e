//! The table of plants: id, name, tag, state, when.

use jiff::tz::TimeZone;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::room::{draw_frame, pointer};
use super::text::wrapped_lines;
use super::{Painted, Theme};
use crate::app::keys::{Action, InRoom};
use crate::app::{Model, Target};
use crate::domain::text::clean_padded;
use crate::domain::{Row, Timestamp};
use crate::journal::Column;

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

/// Columns before the id: pointer, mark, space.
const POINTER: usize = 3;

pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect, painted: &mut Painted) {
    let table = &model.table;
    // The frame, and the heading.
    let page = usize::from(area.height.saturating_sub(3));
    // Before the first frame the model does not know how many fit.
    let visible = table.visible();
    let visible = visible.get(..page).unwrap_or(visible);
    let inner = draw_frame(model, &place(model, visible.len(), page), theme, frame, area, painted);
    let rows = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    painted.drawn.page = page;
    if table.window.total == 0 {
        frame.render_widget(Paragraph::new(empty(model, theme, usize::from(inner.width))), inner);
        return;
    }
    let widths = Widths::of(visible, usize::from(inner.width));
    let heading = Rect { height: 1, ..inner };
    frame.render_widget(Paragraph::new(widths.heading(model, theme, heading, painted)), heading);
    let mut lines = Vec::new();
    for (row, y) in visible.iter().zip(rows.y..) {
        painted.target(Rect { y, height: 1, ..rows }, Target::Plant(row.id));
        lines.push(widths.line(row, model, theme));
    }
    frame.render_widget(Paragraph::new(lines), rows);
}

/// Which rows are on screen, of how many; how many are marked.
fn place(model: &Model, visible: usize, page: usize) -> String {
    let table = &model.table;
    let mut words = Vec::new();
    if !table.marked.is_empty() {
        words.push(format!("{} marked", table.marked.len()));
    }
    let last = (table.top + visible).min(table.window.total);
    if table.window.total > page {
        words.push(format!("{}-{last} of {}", table.top + 1, table.window.total));
    } else if model.is_filtered() {
        words.push(format!("{} of {}", table.window.total, table.window.tally.total()));
    }
    words.join(", ")
}

fn empty(model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    if !model.table.is_read {
        let words = if model.notices.is_empty() { "Reading the journal …" } else { "The journal could not be read." };
        return [vec![Line::default()], wrapped_lines(words, 2, width, 2, theme.dim)].concat();
    }
    let all = model.table.window.tally.total();
    if model.is_filtered() && all > 0 {
        let key = model.keys.shown(Action::Room(InRoom::Back));
        let words = match all {
            1 => format!("The one plant in the list does not have this in its name, tag or id. {key} shows it."),
            all => format!("None of the {all} plants in the list has this in its name, tag or id. {key} shows all."),
        };
        return [vec![Line::default()], wrapped_lines(&words, 2, width, 3, theme.dim)].concat();
    }
    let [add, again] = [InRoom::Add, InRoom::BringBack].map(|action| model.keys.shown(Action::Room(action)));
    let words = match (model.facts.read_only, model.was_used()) {
        (true, _) => "No plants in the list, and this is read-only.".to_owned(),
        (false, false) => format!("No plants yet. Press {add} to add the first one."),
        (false, true) => {
            format!(
                "No plants in the list now. {add} adds one; {again} adds one again that was deleted, forgotten or rejected."
            )
        }
    };
    let mut lines = vec![Line::default()];
    lines.extend(wrapped_lines(&words, 2, width, 3, theme.title));
    lines.push(Line::default());
    lines.extend(wrapped_lines(
        "The service cannot list its plants: the list has those that were added from here.",
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
    fn of(visible: &[Row], width: usize) -> Self {
        let longest = visible.iter().map(|row| row.id.to_string().len()).max().unwrap_or(ID.0);
        let id = longest.clamp(ID.0, ID.1);
        let beside_when = width.saturating_sub(POINTER + id + STATE + 4 * GAP + WHEN);
        let (when, rest) = if beside_when >= ROOM { (WHEN, beside_when) } else { (0, beside_when + WHEN + GAP) };
        let tag = (rest / 3).clamp(4, 24).min(rest);
        Self { id, name: rest.saturating_sub(tag), tag, when }
    }

    /// The names of the columns; an arrow beside the one that they are sorted by.
    fn heading(&self, model: &Model, theme: &Theme, area: Rect, painted: &mut Painted) -> Line<'static> {
        let columns = [
            (Column::Id, "ID", self.id, true),
            (Column::Name, "NAME", self.name, false),
            (Column::Tag, "TAG", self.tag, false),
            (Column::State, "STATE", STATE, false),
            (Column::When, "WHEN", self.when, false),
        ];
        let mut line = Line::from(Span::raw(" ".repeat(POINTER)));
        for (column, name, width, right) in columns.into_iter().filter(|(_, _, width, _)| *width > 0) {
            let arrow = match (model.table.column == column, model.table.descending) {
                (false, _) => "",
                (true, false) => theme.mark("▲", "^"),
                (true, true) => theme.mark("▼", "v"),
            };
            let text = if right { format!("{arrow}{name}") } else { format!("{name}{arrow}") };
            let text = if right { format!("{text:>width$}") } else { format!("{text:<width$}") };
            let x = area.x.saturating_add(u16::try_from(line.width()).unwrap_or(0));
            let columns = u16::try_from(width).unwrap_or(0);
            painted.target(Rect { x, width: columns, ..area }.intersection(area), Target::Heading(column));
            let style = if model.table.column == column { theme.title } else { theme.dim };
            line.extend([Span::styled(text, style), Span::raw(" ".repeat(GAP))]);
        }
        line
    }

    fn line(&self, row: &Row, model: &Model, theme: &Theme) -> Line<'static> {
        let selected = model.table.selected == Some(row.id);
        let (style, mark) = theme.state(row.state, model.turn);
        let (name, tag) = match &row.details {
            Some(details) => (details.name.as_str(), details.tag.as_str()),
            None => ("(name not known)", ""),
        };
        let [pointer, mark_of_marked] = pointer(selected, model.table.marked.contains_key(&row.id), theme);
        let id = row.id.to_string();
        let mut line = Line::from(vec![
            pointer,
            mark_of_marked,
            Span::raw(format!("{}{id}  ", " ".repeat(self.id.saturating_sub(id.width())))),
            Span::raw(format!("{}  ", clean_padded(name, self.name))),
            Span::raw(format!("{}  ", clean_padded(tag, self.tag))),
            Span::styled(clean_padded(&format!("{mark} {}", row.state.word()), STATE), style),
        ]);
        if self.when > 0 {
            let changed = when(row.changed_at, model.now, &model.facts.zone);
            line.push_span(Span::styled(format!("  {changed:<WHEN$}"), theme.dim));
        }
        if selected { theme.select(line) } else { line }
    }
}

/// The time of day, or the day if it was another.
pub(super) fn when(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    told(at, now, zone, "%Y-%m-%d")
}

/// The time of day, with the day if it was another of this year, or else that day alone.
pub(super) fn shortly(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let year = |at| told(at, Timestamp(i64::MIN), zone, "%Y");
    told(at, now, zone, if year(at) == year(now) { "%m-%d %H:%M" } else { "%Y-%m-%d" })
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
