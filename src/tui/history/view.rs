//! Draws the History tab: the list of requests, the chart of latencies, and the selected request in brief.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Cell, Row as TableRow, Table, TableState};

use super::chart;
use super::list::HistoryList;
use super::state::HistoryScreen;
use crate::domain::sentence::{called, span, subject};
use crate::domain::text::clean_fit;
use crate::domain::{PlantId, State};
use crate::journal::{LogLine, MAX_STORED_BODY};
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::render::exchange;
use crate::tui::screen::{ListFrame, columns_that_fit, draw_pane, pointer};
use crate::tui::widgets::canvas::{Canvas, below, cells};
use crate::tui::widgets::text::{placeholder, wrapped_lines};
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::shortly;

/// Columns from which the selected request is drawn beside the list.
const WIDE: u16 = 110;
/// Rows of the chart with its borders, and rows that the list needs beside it.
const CHART: (u16, u16) = (9, 10);
/// Columns before the time: pointer, mark, space.
const POINTER: usize = 3;
/// Columns of a time of day, and of one on another day.
const WHEN: (usize, usize) = (8, 11);
/// Operations in flight that are listed, at most.
const IN_FLIGHT: usize = 3;
/// Columns of `delete`.
const WHAT: usize = 6;
/// Columns of a status.
const STATUS: usize = 3;
/// Columns of an outcome: mark, space, `accepted`.
const OUTCOME: usize = 10;
/// Columns of a size: `64 KiB+`, and `63.9 KiB`.
const SIZE: (usize, usize) = (7, 8);
/// Columns of a duration: `999.9 ms`.
const TIME: usize = 8;
/// Columns that a plant needs before the size is shown beside it.
const PLANT: usize = 14;

pub(super) fn draw(screen: &HistoryScreen, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let (chart_height, least) = CHART;
    let chart_height = if area.height >= chart_height + least { chart_height } else { 0 };
    let (list, chart) = if area.width < WIDE {
        let [list, chart] = Layout::vertical([Constraint::Min(0), Constraint::Length(chart_height)]).areas(area);
        (list, chart)
    } else {
        let [list, side] = Layout::horizontal([Constraint::Fill(12), Constraint::Fill(8)]).areas(area);
        let [chart, pane] = Layout::vertical([Constraint::Length(chart_height), Constraint::Min(0)]).areas(side);
        draw_selected(screen, cx, pane, canvas);
        (list, chart)
    };
    chart::draw(&screen.list.latency, cx, chart, canvas);
    draw_list(screen, cx, list, chart_height == 0, canvas);
}

fn draw_selected(screen: &HistoryScreen, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let selected = screen.selected();
    let title = selected.map_or_else(|| "No request selected".to_owned(), exchange::about);
    draw_pane(&title, screen.pane, area, canvas, |width| match selected {
        Some(stored) => exchange::brief(stored, cx, theme, width),
        None => {
            let is_reading = screen.list.selected.is_some();
            let words =
                if is_reading { "Reading the journal …" } else { "Select a request to see it with its response." };
            wrapped_lines(words, 0, width, 3, theme.dim)
        }
    });
}

/// The filters beside the text: `only rejected`, `only Fern (7)`.
fn filters(list: &HistoryList, cx: &Context) -> Vec<String> {
    let outcome = list.outcome.map(|outcome| format!("only {}", outcome.word()));
    let name = |id| cx.session.plants.row(id).and_then(|row| row.name());
    let plant = list.plant.map(|id| format!("only {}", called(id, name(id))));
    outcome.into_iter().chain(plant).collect()
}

/// Draws the list; where there is no chart, below a summary of the latencies.
fn draw_list(screen: &HistoryScreen, cx: &Context, area: Rect, with_summary: bool, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let list = &screen.list;
    let place = place(list);
    let frame = ListFrame {
        position: &place,
        filter: &list.text,
        is_typing: screen.is_typing,
        placeholder: "",
        filters: filters(list, cx),
    };
    let inner = frame.draw(cx, area, canvas);
    let summary = u16::from(with_summary && !list.lines.is_empty());
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
        canvas.render(chart::summary(&list.latency, theme, usize::from(above.width)), above);
    }
    let at = |line: &LogLine| shortly(line.started, cx.now(), &cx.session.info.zone);
    let shown: Vec<_> = list.visible().iter().take(page).map(|line| (line, at(line))).collect();
    canvas.row_targets(lines, shown.iter().map(|(line, _)| Target::Exchange(line.place)));
    let (day, another_day) = WHEN;
    let longest = shown.iter().map(|(_, when)| when.len()).max().unwrap_or(day);
    let (short, long) = SIZE;
    let largest = shown.iter().filter_map(|(line, _)| line.size).map(|size| bytes(size).len()).max().unwrap_or(short);
    let columns = Columns::of(usize::from(inner.width), longest.clamp(day, another_day), largest.clamp(short, long));
    let selected = shown.iter().position(|(line, _)| list.selected == Some(line.place));
    let drawn = shown.into_iter().map(|(line, at)| columns.row(line, &at, list, theme));
    let table = Table::new(drawn, columns.widths(rows.width))
        .header(columns.heading(theme))
        .column_spacing(0)
        .row_highlight_style(theme.selected);
    canvas.frame.render_stateful_widget(table, rows, &mut TableState::default().with_selected(selected));
    canvas.scrollbar(area, list.top, page, list.lines.len());
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
        Line::from(Span::styled(format!("   {}", clean_fit(&text, width.saturating_sub(POINTER))), style))
    });
    shown.collect()
}

/// `2 marked, 1-20 of 400+`
fn place(list: &HistoryList) -> String {
    let mut words = Vec::new();
    if !list.marked.is_empty() {
        words.push(format!("{} marked", list.marked.len()));
    }
    if list.is_filtered() && list.is_read && !list.newer && !list.older && list.lines.len() <= list.page {
        words.push(format!("{} match", list.lines.len()));
    } else if !list.newer && list.lines.len() > list.page {
        let more = if list.older { "+" } else { "" };
        let end = (list.top + list.visible().len()).min(list.lines.len());
        words.push(format!("{}-{end} of {}{more}", list.top + 1, list.lines.len()));
    } else if list.newer {
        words.push("newer and older ones not loaded".to_owned());
    }
    words.join(", ")
}

fn empty(list: &HistoryList, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let back = cx.key(Command::Back);
    let words = if !list.is_read {
        "Reading the journal …".to_owned()
    } else if list.is_filtered() {
        format!("No request matches. {back} shows all.")
    } else {
        "No requests yet. Each one is listed here, with its response.".to_owned()
    };
    placeholder(&words, width, theme.dim)
}

/// The columns whose width depends on the lines.
struct Columns {
    when: usize,
    plant: usize,
    /// `None` where plants would have too few columns beside it.
    size: Option<usize>,
}

/// Aligns text to the right of its column. A right-aligned cell would lose the first digits of a long text.
fn right(text: &str, columns: usize) -> String {
    clean_fit(&format!("{text:>columns$}"), columns)
}

impl Columns {
    fn of(width: usize, when: usize, size: usize) -> Self {
        // With one column between two, and none after the last.
        let fixed = POINTER + when + 1 + WHAT + 1 + 1 + STATUS + 1 + OUTCOME + 1 + TIME;
        let beside_size = width.saturating_sub(fixed + size + 1);
        let size = (beside_size >= PLANT).then_some(size);
        let plant = if size.is_some() { beside_size } else { width.saturating_sub(fixed) };
        Self { when, plant, size }
    }

    fn widths(&self, room: u16) -> Vec<Constraint> {
        let left = [POINTER + self.when + 1, WHAT + 1, self.plant + 1, STATUS + 1, OUTCOME];
        columns_that_fit(left.into_iter().chain(self.size.map(|size| 1 + size)).chain([1 + TIME]), room)
    }

    fn heading(&self, theme: &Theme) -> TableRow<'static> {
        let when = format!("{}WHEN", " ".repeat(POINTER));
        let mut cells =
            vec![when, "WHAT".to_owned(), clean_fit("PLANT", self.plant), String::new(), "OUTCOME".to_owned()];
        cells.extend(self.size.map(|size| right("SIZE", 1 + size)));
        cells.push(right("TOOK", 1 + TIME));
        TableRow::new(cells).style(theme.dim)
    }

    fn row(&self, line: &LogLine, at: &str, list: &HistoryList, theme: &Theme) -> TableRow<'static> {
        let selected = list.selected == Some(line.place);
        let [pointer, mark_of_marked] = pointer(selected, list.marked.contains(&line.place), theme);
        let (style, mark) = theme.outcome(line.outcome);
        let when = self.when;
        let status = line.status.map(|status| status.to_string()).unwrap_or_default();
        let mut cells = vec![
            Cell::new(Line::from(vec![pointer, mark_of_marked, Span::styled(format!("{at:<when$} "), theme.dim)])),
            Cell::new(line.kind.word()),
            Cell::new(clean_fit(&named(line.kind.plant_id(), line.name(), self.plant), self.plant)),
            Cell::new(format!("{status:>STATUS$}")).style(style),
            Cell::new(clean_fit(&format!("{mark} {}", line.outcome.word()), OUTCOME)).style(style),
        ];
        if let Some(size) = self.size {
            cells.push(Cell::new(right(&line.size.map(bytes).unwrap_or_default(), 1 + size)).style(theme.dim));
        }
        let took = if line.elapsed.is_zero() { String::new() } else { span(line.elapsed) };
        cells.push(Cell::new(right(&took, 1 + TIME)));
        TableRow::new(cells)
    }
}

/// `Monstera (7)` in so many columns; the name is cut before the id.
fn named(id: PlantId, name: Option<&str>, columns: usize) -> String {
    let id_part = format!(" ({id})");
    match (name, columns.checked_sub(id_part.len())) {
        (Some(name), Some(room @ 3..)) => format!("{}{id_part}", clean_fit(name, room)),
        (Some(_) | None, _) => called(id, None),
    }
}

/// `27 B`, `1.5 KiB`; with a plus where more was received than is stored.
fn bytes(size: usize) -> String {
    const KIB: usize = 1024;
    if size < KIB {
        return format!("{size} B");
    }
    let more = if size >= MAX_STORED_BODY { "+" } else { "" };
    let tenths = size * 10 / KIB;
    if tenths.is_multiple_of(10) || tenths >= 1000 {
        format!("{} KiB{more}", tenths / 10)
    } else {
        format!("{}.{} KiB{more}", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ratatui::buffer::Buffer;
    use ratatui::widgets::Widget;

    use super::*;
    use crate::domain::{OperationKind, Outcome, Timestamp};
    use crate::tui::widgets::theme::{Depth, Marks, Palette};

    #[test]
    fn sizes_are_written_in_few_letters() {
        let written = [0, 27, 1023, 1024, 1536, 65535, MAX_STORED_BODY].map(bytes);
        assert_eq!(written, ["0 B", "27 B", "1023 B", "1 KiB", "1.5 KiB", "63.9 KiB", "64 KiB+"]);
        assert!(written.iter().all(|size| size.len() <= SIZE.1));
    }

    #[test]
    fn no_digit_of_a_size_is_cut() {
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        for (size, written) in [(27, "27 B"), (1536, "1.5 KiB"), (65_500, "63.9 KiB"), (MAX_STORED_BODY, "64 KiB+")] {
            let line = LogLine {
                place: 1,
                called: None,
                kind: OperationKind::Delete(PlantId(7)),
                outcome: Outcome::Rejected,
                status: Some(404),
                size: Some(size),
                started: Timestamp(0),
                elapsed: Duration::from_millis(140),
            };
            let columns = Columns::of(78, 8, bytes(size).len().clamp(SIZE.0, SIZE.1));
            let row = columns.row(&line, "22:11:40", &HistoryList::default(), &theme);
            let mut buffer = Buffer::empty(Rect::new(0, 0, 78, 1));
            Widget::render(Table::new([row], columns.widths(78)).column_spacing(0), buffer.area, &mut buffer);
            let shown: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
            assert!(shown.contains(&format!("404 ✗ rejected {written:>7} ")), "{shown}");
            assert!(shown.ends_with(" 140 ms"), "{shown}");
        }
    }
}
