//! Draws the History tab: the list of requests, the chart of latencies, and the selected request in brief.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Cell as TableCell, Row as TableRow};

use super::chart;
use super::list::HistoryList;
use super::run;
use super::state::HistoryScreen;
use crate::domain::State;
use crate::domain::sentence::{span, subject};
use crate::journal::{HistoryColumn, HistoryRow, RunLine, SortColumn as _};
use crate::text::columns::longest;
use crate::text::number_format::counted;
use crate::text::{clean_fit, clean_fit_named};
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::render::exchange;
use crate::tui::render::request_table::{self, PLANT, REQUESTS};
use crate::tui::render::table::{Cell, fitted, heading_widths, widths};
use crate::tui::screen::{POINTER, TableColumns, draw_frame, draw_key_of_pane, draw_pane, pointer, position, split};
use crate::tui::widgets::canvas::{Canvas, below, cells};
use crate::tui::widgets::text::{placeholder, wrapped_lines};
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::shortly;

/// Columns from which the selected request is drawn beside the list.
const WIDE: u16 = 110;
/// Rows of the chart with its borders, the least and the most, and rows that the list needs beside it.
const CHART: (u16, u16, u16) = (9, 16, 10);
/// Operations in flight that are listed, at most.
const IN_FLIGHT: usize = 3;
/// Columns between two columns.
const GAP: usize = 1;

pub(super) fn draw(screen: &HistoryScreen, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let (low, high, beside) = CHART;
    let chart_height = if area.height >= low + beside { (area.height / 4).clamp(low, high) } else { 0 };
    let (list, pane) = split(cx, area, WIDE, [12, 8]);
    let (chart_rows, rest) = (Constraint::Length(chart_height), Constraint::Min(0));
    let ([list, chart], pane) = match pane {
        Some(pane) if area.width >= WIDE => {
            let [chart, pane] = Layout::vertical([chart_rows, rest]).areas(pane);
            ([list, chart], Some(pane))
        }
        Some(pane) => ([list, Rect::default()], Some(pane)),
        None => (Layout::vertical([rest, chart_rows]).areas(list), None),
    };
    chart::draw(&screen.list, cx, chart, canvas);
    draw_list(screen, cx, list, chart_height == 0, canvas);
    match pane {
        Some(pane) => draw_selected(screen, cx, pane, canvas),
        None => draw_key_of_pane(cx, list, canvas),
    }
}

fn draw_selected(screen: &HistoryScreen, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let (run, selected) = (screen.list.selected_run(), screen.selected());
    let title = match (run, selected) {
        (Some(_), _) => "check".to_owned(),
        (None, Some(stored)) => exchange::about(stored),
        (None, None) => "No request selected".to_owned(),
    };
    draw_pane(&title, cx, area, canvas, |width| match (run, selected) {
        (Some(run), _) => run::brief(run, screen.list.is_expanded(run), cx, theme, width),
        (None, Some(stored)) => exchange::brief(stored, cx, theme, width),
        (None, None) => {
            let is_reading = screen.list.selected.is_some();
            let words =
                if is_reading { "Reading the journal …" } else { "Select a request to see it with its response." };
            wrapped_lines(words, 0, width, 3, theme.dim)
        }
    });
}

/// Draws the list; where there is no chart, below a summary of the latencies.
fn draw_list(screen: &HistoryScreen, cx: &Context, area: Rect, with_summary: bool, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let list = &screen.list;
    let inner = draw_frame(&list.filter, &place(list), cx, area, canvas);
    // Runs of the check are not counted.
    let summary = u16::from(with_summary && list.latency.counts() != [0; 4]);
    let pending = in_flight(cx, theme, usize::from(inner.width));
    let heights = [Constraint::Length(summary), Constraint::Length(cells(pending.len())), Constraint::Min(0)];
    let [above, in_flight, rows] = Layout::vertical(heights).areas(inner);
    let lines = below(rows, 1);
    let page = usize::from(lines.height);
    canvas.map.layout.page = page;
    canvas.lines(pending, in_flight);
    if list.lines.is_empty() {
        return canvas.lines(empty(list, cx, theme, usize::from(lines.width)), lines);
    }
    if summary > 0 {
        canvas.render(chart::summary(list, theme, usize::from(above.width.saturating_sub(1))), above);
    }
    let shown = list.visible().get(..page).unwrap_or(list.visible());
    let target = |row: &HistoryRow| match row {
        HistoryRow::Request(line) => Target::Exchange(line.number),
        HistoryRow::Run(run) => Target::Run(run.id),
    };
    canvas.row_targets(lines, shown.iter().map(target));
    let is_selected = |row: &HistoryRow| list.selected.is_some_and(|selected| selected.is(row));
    let width = usize::from(rows.width);
    let texts: Vec<_> = shown.iter().map(|row| cells_of(row, cx, theme)).collect();
    // Before the plant of a request of an expanded run.
    let guide = Span::styled(theme.mark("│ ", "| "), theme.dim);
    let has_guide =
        |row: &HistoryRow| row.request().is_some_and(|line| line.run.is_some()) && list.expanded().is_some();
    let needed = shown.iter().zip(&texts).map(|(row, cells)| {
        let mut needed = widths(cells, width);
        needed[PLANT] += if has_guide(row) { guide.width() } else { 0 };
        needed
    });
    let needed = longest(needed.chain([heading_widths(&REQUESTS, sorted_by(list), 1)]));
    let columns = TableColumns::filling(&REQUESTS, needed, GAP, width);
    let drawn = shown.iter().zip(&texts).map(|(row, cells)| {
        let is_marked = row.request().is_some_and(|line| list.marked.contains(&line.number));
        let pointer = pointer(is_selected(row), is_marked, theme);
        if let HistoryRow::Run(run) = row {
            return run_row(run, list.is_expanded(run), cells, &columns, pointer, cx, theme);
        }
        let guide = has_guide(row).then(|| guide.clone());
        let mut widths = columns.widths;
        widths[PLANT] -= guide.as_ref().map_or(0, Span::width).min(widths[PLANT]);
        let mut cells = fitted(&REQUESTS, cells, widths).map(Line::from);
        cells[PLANT].spans.splice(..0, guide);
        columns.row(pointer, cells)
    });
    let selected = shown.iter().position(is_selected);
    let sorted = sorted_by(list).map(|at| (at, list.order.descending));
    columns.draw(sorted, drawn, selected, rows, canvas);
    canvas.scrollbar(area, list.view.top, page, list.lines.len());
}

/// The operations in flight, newest first.
fn in_flight(cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let (style, mark) = theme.state(State::Adding, cx.display.turn);
    let pending = &cx.session.pending;
    let more = pending.len().saturating_sub(IN_FLIGHT);
    let shown = pending.iter().rev().take(IN_FLIGHT).enumerate().map(|(at, pending)| {
        let kind = &pending.operation.kind;
        let what = if pending.cancelled { "cancelling" } else { "in flight" };
        let more = if at + 1 == IN_FLIGHT && more > 0 { format!(", and {more} more") } else { String::new() };
        let text = format!("{mark} {what}: {} {}{more}", kind.word(), subject(kind, pending.name.as_deref()));
        Line::from(Span::styled(format!("   {}", clean_fit_named(&text, width.saturating_sub(POINTER))), style))
    });
    shown.collect()
}

/// `2 marked, 1-20 of 400+`
fn place(list: &HistoryList) -> String {
    let mut words = Vec::new();
    if !list.marked.is_empty() {
        words.push(format!("{} marked", list.marked.len()));
    }
    let count = list.lines.len();
    if list.newer {
        words.push("newer and older ones not loaded".to_owned());
    } else if let Some(position) = position(list.view.top, list.view.page, count) {
        let what = if list.is_filtered() { " requests" } else { "" };
        words.push(format!("{position}{}{what}", if list.older { "+" } else { "" }));
    } else if list.is_filtered() && list.is_read && !list.older {
        words.push(counted(count as u64, "request matches", "requests match"));
    }
    words.join(", ")
}

fn empty(list: &HistoryList, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let back = cx.key(Command::Back);
    let words = if !list.is_read {
        "Reading the journal …".to_owned()
    } else if list.is_filtered() {
        let of_checks =
            if list.names_checks() { "" } else { " With check in the filter, it finds those of checks, too." };
        format!("No request matches. {back} shows all.{of_checks}")
    } else {
        "No requests yet. Each one is listed here, with its response.".to_owned()
    };
    placeholder(&words, width, theme.dim)
}

/// Returns the index of the column that the lines are sorted by, unless the newest is first.
fn sorted_by(list: &HistoryList) -> Option<usize> {
    HistoryColumn::ALL.iter().position(|column| list.is_sorted() && *column == list.order.column)
}

/// Returns the cells of a line. A run says in its other columns what there is room for.
fn cells_of<'a>(row: &'a HistoryRow, cx: &Context, theme: &Theme) -> [Cell<'a>; 7] {
    let (now, zone) = (cx.now(), &cx.session.info.zone);
    match row {
        HistoryRow::Request(line) => request_table::cells(line, now, zone, theme),
        HistoryRow::Run(run) => {
            let when = Span::styled(shortly(run.id.started, now, zone), theme.dim);
            [when.into(), "check".into(), "".into(), "".into(), "".into(), "".into(), span(run.elapsed).into()]
        }
    }
}

/// Draws a run over the cells of plant and status, and of outcome and size.
fn run_row(
    run: &RunLine,
    is_expanded: bool,
    cells: &[Cell<'_>; 7],
    columns: &TableColumns<7>,
    pointer: [Span<'static>; 2],
    cx: &Context,
    theme: &Theme,
) -> TableRow<'static> {
    let gap = Span::raw(" ".repeat(GAP));
    let [_, _, plant, status, outcome, size, _] = columns.widths;
    let [when, what, .., took] = fitted(&REQUESTS, cells, columns.widths);
    let subject = run::subject(run, is_expanded, theme, plant + GAP + status);
    let (verdict, style) = run::verdict(run, cx, theme);
    let (verdict_span, room) = if size > 0 { (2, outcome + GAP + size) } else { (1, outcome) };
    let verdict = Span::styled(clean_fit(&verdict, room), style);
    let behind_gap = |cell: Span<'static>| TableCell::new(Line::from(vec![gap.clone(), cell]));
    let [pointer, mark] = pointer;
    TableRow::new([
        TableCell::new(Line::from(vec![pointer, mark, when])),
        behind_gap(what),
        behind_gap(subject.into()).column_span(2),
        behind_gap(verdict).column_span(verdict_span),
        behind_gap(took),
    ])
}
