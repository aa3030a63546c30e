//! Draws the Plants tab: id, name, tag, state and time of each plant, and on a wide terminal the history of the
//! selected one.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Cell, Row as TableRow, Table, TableState};

use crate::domain::Row;
use crate::domain::text::{clean_fit, clean_padded};
use crate::journal::Column;
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::render::plant_history;
use crate::tui::screen::{ListFrame, PLACEHOLDER, columns_that_fit, draw_pane, pointer};
use crate::tui::widgets::canvas::{Canvas, WIDE, below, cells};
use crate::tui::widgets::text::placeholder;
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::when;
use crate::tui::widgets::viewport::Viewport;

/// Columns of the state: mark, space, `deleting`.
const STATE: usize = 10;
/// Columns of the time: `14:03:22`, or the day `2026-11-21`.
const WHEN: usize = 10;
/// Columns between two columns.
const GAP: usize = 2;
/// Columns that name and tag need together before the time is shown.
const NAME_AND_TAG: usize = 24;
/// Columns of an id: the least, and the most (`-9223372036854775808`).
const ID: (usize, usize) = (4, 20);
/// Columns before the id: pointer, mark, space.
const POINTER: usize = 3;

pub(super) fn draw(is_typing: bool, pane: Viewport, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    if area.width < WIDE {
        return draw_list(is_typing, cx, area, canvas);
    }
    let [left, right] = Layout::horizontal([Constraint::Fill(11), Constraint::Fill(9)]).areas(area);
    let theme = canvas.theme;
    draw_pane(&plant_history::title(cx), pane, right, canvas, |width| plant_history::pane(cx, theme, width));
    draw_list(is_typing, cx, left, canvas);
}

fn draw_list(is_typing: bool, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let plants = &cx.session.plants;
    // Without borders and heading.
    let page = usize::from(area.height.saturating_sub(3));
    let visible = plants.visible();
    let visible = visible.get(..page).unwrap_or(visible);
    let place = place(cx, visible.len(), page);
    let frame = ListFrame {
        position: &place,
        filter: &plants.filter,
        is_typing,
        placeholder: PLACEHOLDER,
        filters: Vec::new(),
    };
    let inner = frame.draw(cx, area, canvas);
    canvas.map.layout.page = page;
    if plants.window.total == 0 {
        return canvas.lines(empty(cx, theme, usize::from(inner.width)), inner);
    }
    let columns = Columns::of(visible, usize::from(inner.width));
    let heading = Rect { height: 1, ..inner };
    let rows = below(inner, 1);
    canvas.row_targets(rows, visible.iter().map(|row| Target::Plant(row.id)));
    columns.targets(heading, canvas);
    let drawn = visible.iter().map(|row| columns.row(row, cx, theme));
    let table = Table::new(drawn, columns.widths(inner.width))
        .header(columns.heading(cx, theme))
        .column_spacing(0)
        .row_highlight_style(theme.selected);
    let selected = visible.iter().position(|row| plants.selected == Some(row.id));
    canvas.frame.render_stateful_widget(table, inner, &mut TableState::default().with_selected(selected));
    canvas.scrollbar(area, plants.top, page, plants.window.total);
}

/// `2 marked, 1-20 of 1203`, or `3 of 1203` with a filter.
fn place(cx: &Context, visible: usize, page: usize) -> String {
    let plants = &cx.session.plants;
    let mut words = Vec::new();
    if !plants.marked.is_empty() {
        words.push(format!("{} marked", plants.marked.len()));
    }
    let last = (plants.top + visible).min(plants.window.total);
    if plants.window.total > page {
        words.push(format!("{}-{last} of {}", plants.top + 1, plants.window.total));
    } else if !plants.filter.text().is_empty() {
        words.push(format!("{} of {}", plants.window.total, plants.window.tally.total()));
    }
    words.join(", ")
}

fn empty(cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let plants = &cx.session.plants;
    if !plants.is_read {
        let has_failed = !cx.out.status.notices.is_empty();
        let words = if has_failed { "The journal could not be read." } else { "Reading the journal …" };
        return placeholder(words, width, theme.dim);
    }
    let all = plants.window.tally.total();
    if !plants.filter.text().is_empty() && all > 0 {
        let key = cx.key(Command::Back);
        let words = match all {
            1 => format!("The one plant in the list does not match the filter. {key} shows it."),
            all => format!("None of the {all} plants in the list matches the filter. {key} shows all."),
        };
        return placeholder(&words, width, theme.dim);
    }
    let (add, again) = (cx.key(Command::Add), cx.key(Command::ReAdd));
    let words = match (cx.session.info.read_only, cx.session.was_used()) {
        (true, _) => "No plants in the list, and this is read-only.".to_owned(),
        (false, false) => format!("No plants yet. Press {add} to add the first one."),
        (false, true) => format!(
            "No plants in the list now. {add} adds one; {again} adds one again that was deleted, forgotten or rejected."
        ),
    };
    let why = "The service cannot list its plants: the list contains only those that were added from here.";
    [placeholder(&words, width, theme.title), placeholder(why, width, theme.dim)].concat()
}

/// The widths of the columns.
struct Columns {
    id: usize,
    name: usize,
    tag: usize,
    /// Whether the time is shown.
    has_when: bool,
}

impl Columns {
    fn of(visible: &[Row], width: usize) -> Self {
        let longest = visible.iter().map(|row| row.id.to_string().len()).max().unwrap_or(ID.0);
        let id = longest.clamp(ID.0, ID.1);
        let beside_when = width.saturating_sub(POINTER + id + STATE + 4 * GAP + WHEN);
        let has_when = beside_when >= NAME_AND_TAG;
        let rest = if has_when { beside_when } else { beside_when + WHEN + GAP };
        let tag = (rest / 3).clamp(4, 24).min(rest);
        Self { id, name: rest.saturating_sub(tag), tag, has_when }
    }

    /// Each column with its heading, the free columns before it, and its width.
    fn all(&self) -> Vec<(Column, &'static str, usize, usize)> {
        let mut all = vec![
            (Column::Id, "ID", POINTER, self.id),
            (Column::Name, "NAME", GAP, self.name),
            (Column::Tag, "TAG", GAP, self.tag),
            (Column::State, "STATE", GAP, STATE),
        ];
        all.extend(self.has_when.then_some((Column::When, "WHEN", GAP, WHEN)));
        all
    }

    fn widths(&self, room: u16) -> Vec<Constraint> {
        columns_that_fit(self.all().into_iter().map(|(_, _, before, own)| before + own), room)
    }

    fn targets(&self, heading: Rect, canvas: &mut Canvas<'_, '_>) {
        let mut x = heading.x;
        for (column, _, before, own) in self.all() {
            let [before, width] = [before, own].map(cells);
            x = x.saturating_add(before);
            canvas.target(Rect { x, width, ..heading }.intersection(heading), Target::Heading(column));
            x = x.saturating_add(width);
        }
    }

    /// The headings, with an arrow beside the one that the rows are sorted by.
    fn heading(&self, cx: &Context, theme: &Theme) -> TableRow<'static> {
        let plants = &cx.session.plants;
        let cell = |(column, name, before, own): (Column, &str, usize, usize)| {
            let arrow = match (plants.column == column, plants.descending) {
                (false, _) => "",
                (true, false) => theme.mark("▲", "^"),
                (true, true) => theme.mark("▼", "v"),
            };
            let style = if plants.column == column { theme.title } else { theme.dim };
            let text = match column {
                Column::Id => format!("{:>own$}", format!("{arrow}{name}")),
                _ => format!("{:<own$}", format!("{name}{arrow}")),
            };
            Cell::new(Line::from(vec![Span::raw(" ".repeat(before)), Span::styled(text, style)]))
        };
        TableRow::new(self.all().into_iter().map(cell))
    }

    fn row(&self, row: &Row, cx: &Context, theme: &Theme) -> TableRow<'static> {
        let plants = &cx.session.plants;
        let selected = plants.selected == Some(row.id);
        let (style, mark) = theme.state(row.state, cx.display.turn);
        let (name, tag) = match &row.details {
            Some(details) => (details.name.as_str(), details.tag.as_str()),
            None => ("(name not known)", ""),
        };
        let [pointer, mark_of_marked] = pointer(selected, plants.marked.contains_key(&row.id), theme);
        let gap = " ".repeat(GAP);
        let state = clean_padded(&format!("{mark} {}", row.state.word()), STATE);
        let id = Span::raw(format!("{:>width$}", row.id.to_string(), width = self.id));
        let mut cells = vec![
            Cell::new(Line::from(vec![pointer, mark_of_marked, id])),
            Cell::new(format!("{gap}{}", clean_fit(name, self.name))),
            Cell::new(format!("{gap}{}", clean_fit(tag, self.tag))),
            Cell::new(Line::from(vec![Span::raw(gap.clone()), Span::styled(state, style)])),
        ];
        if self.has_when {
            let changed = when(row.changed_at, cx.now(), &cx.session.info.zone);
            cells.push(Cell::new(format!("{gap}{changed}")).style(theme.dim));
        }
        TableRow::new(cells)
    }
}
