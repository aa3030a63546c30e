//! Draws the Plants tab: id, name, tag, state and time of each plant, and on a wide terminal the history of the
//! selected one.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::journal::{Column, SortColumn as _};
use crate::text::columns::longest;
use crate::text::number_format::counted;
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::render::plant_history;
use crate::tui::render::plant_table::{GAP, PLANTS, cells};
use crate::tui::render::table::{fitted, heading_widths, widths};
use crate::tui::screen::{TableColumns, draw_frame, draw_key_of_pane, draw_pane, pointer, position, split};
use crate::tui::widgets::canvas::{Canvas, WIDE, below};
use crate::tui::widgets::text::placeholder;
use crate::tui::widgets::theme::Theme;

pub(super) fn draw(cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let (list, pane) = split(cx, area, WIDE, [11, 9]);
    draw_list(cx, list, canvas);
    if let Some(pane) = pane {
        let theme = canvas.theme;
        let lines = |width| plant_history::lines(cx, theme, width, &plant_history::PANE);
        draw_pane(&plant_history::title(cx), cx, pane, canvas, lines);
    } else {
        draw_key_of_pane(cx, list, canvas);
    }
}

fn draw_list(cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let plants = &cx.session.plants;
    // Without borders and heading.
    let page = usize::from(area.height.saturating_sub(3));
    let visible = plants.visible();
    let visible = visible.get(..page).unwrap_or(visible);
    let position = place(cx, page);
    let inner = draw_frame(&plants.filter, &position, cx, area, canvas);
    canvas.map.layout.page = page;
    if plants.window.total == 0 {
        return canvas.lines(empty(cx, theme, usize::from(inner.width)), inner);
    }
    let (now, turn, zone) = (cx.now(), cx.display.turn, &cx.session.info.zone);
    let rows: Vec<_> = visible.iter().map(|row| cells(row, turn, now, zone, theme)).collect();
    let width = usize::from(inner.width);
    let needed = longest(rows.iter().map(|cells| widths(cells, width)).chain([heading_widths(&PLANTS, None, 1)]));
    let columns = TableColumns::filling(&PLANTS, needed, GAP, width);
    canvas.row_targets(below(inner, 1), visible.iter().map(|row| Target::Plant(row.id)));
    let drawn = visible.iter().zip(&rows).map(|(row, cells)| {
        let pointer = pointer(plants.selected == Some(row.id), plants.marked.contains_key(&row.id), theme);
        columns.row(pointer, fitted(&PLANTS, cells, columns.widths).map(Line::from))
    });
    let sorted = Column::ALL.iter().position(|column| *column == plants.column).map(|at| (at, plants.descending));
    let selected = visible.iter().position(|row| plants.selected == Some(row.id));
    columns.draw(sorted, drawn, selected, inner, canvas);
    canvas.scrollbar(area, plants.view.top, page, plants.window.total);
}

/// `2 marked, 1-20 of 1203`, or `3 of 1,203 plants` with a filter.
fn place(cx: &Context, page: usize) -> String {
    let plants = &cx.session.plants;
    let mut words = Vec::new();
    if !plants.marked.is_empty() {
        words.push(format!("{} marked", plants.marked.len()));
    }
    if let Some(position) = position(plants.view.top, page, plants.window.total) {
        words.push(position + if plants.filter.text().is_empty() { "" } else { " plants" });
    } else if !plants.filter.text().is_empty() {
        let all = counted(plants.window.tally.total() as u64, "plant", "plants");
        words.push(format!("{} of {all}", plants.window.total));
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
    let by = if cx.session.team.is_some() { "by the team" } else { "from here" };
    let why = format!("The service cannot list its plants: the list contains only those that were added {by}.");
    [placeholder(&words, width, theme.title), placeholder(&why, width, theme.dim)].concat()
}
