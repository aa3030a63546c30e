//! The list of exchanges: when, what, which plant, how it ended, how large, how long.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::room::{draw_frame, pointer};
use super::table::shortly;
use super::text::wrapped_lines;
use super::{Painted, Theme, chart};
use crate::app::keys::{Action, InRoom};
use crate::app::log::Log;
use crate::app::{Model, Target};
use crate::domain::sentence::{called, span, subject};
use crate::domain::text::{clean_fit, clean_padded};
use crate::domain::{PlantId, State};
use crate::journal::{KEPT_BODY, LogLine};

/// Columns before the time: pointer, mark, space.
const POINTER: usize = 3;
/// Columns of a time of day, and of one on another day.
const WHEN: (usize, usize) = (8, 11);
/// Operations in flight that are shown at most.
const IN_FLIGHT: usize = 3;
/// Columns of `delete`.
const WHAT: usize = 6;
/// Columns of a status.
const STATUS: usize = 3;
/// Columns of an outcome: mark, space, `accepted`.
const OUTCOME: usize = 10;
/// Columns of a size: `64 KiB+`.
const SIZE: usize = 7;
/// Columns of a duration: `999.9 ms`.
const TIME: usize = 8;
/// Columns that a plant needs before the size has a place beside it.
const PLANT: usize = 14;

/// What the list is filtered by, beside its text.
pub(super) fn filters(model: &Model) -> Vec<String> {
    let Log { outcome, plant, .. } = &model.log;
    let outcome = outcome.map(|outcome| format!("only {}", outcome.word()));
    let plant = plant.map(|id| format!("only {}", called(id, model.table.row(id).and_then(|row| row.name()))));
    outcome.into_iter().chain(plant).collect()
}

/// Draws it; with the sum in its first line where there is no chart.
pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect, with_sum: bool, painted: &mut Painted) {
    let log = &model.log;
    let inner = draw_frame(model, &place(log), theme, frame, area, painted);
    let sum = u16::from(with_sum && !log.lines.is_empty());
    let flights = in_flight(model, theme, usize::from(inner.width));
    let [above, out, heading, rows] = Layout::vertical([
        Constraint::Length(sum),
        Constraint::Length(u16::try_from(flights.len()).unwrap_or(0)),
        Constraint::Length(1),
        Constraint::Min(0),
    ])
    .areas(inner);
    painted.drawn.page = usize::from(rows.height);
    frame.render_widget(Paragraph::new(flights), out);
    if log.lines.is_empty() {
        frame.render_widget(Paragraph::new(empty(model, theme, usize::from(rows.width))), rows);
        return;
    }
    if sum > 0 {
        frame.render_widget(Paragraph::new(chart::sum(&log.pulse, theme, usize::from(above.width))), above);
    }
    let told = |line: &LogLine| shortly(line.started, model.now, &model.facts.zone);
    let shown: Vec<_> = log.visible().iter().take(usize::from(rows.height)).map(|line| (line, told(line))).collect();
    let (day, another_day) = WHEN;
    let longest = shown.iter().map(|(_, when)| when.len()).max().unwrap_or(day);
    let widths = Widths::of(usize::from(inner.width), longest.clamp(day, another_day));
    frame.render_widget(Paragraph::new(widths.heading(theme)), heading);
    let mut lines = Vec::new();
    for ((line, when), y) in shown.iter().zip(rows.y..) {
        painted.target(Rect { y, height: 1, ..rows }, Target::Exchange(line.place));
        lines.push(widths.line(line, when, model, theme));
    }
    frame.render_widget(Paragraph::new(lines), rows);
}

/// What is out and has no answer yet, the newest first.
fn in_flight(model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let (style, mark) = theme.state(State::Adding, model.turn);
    let more = model.flights.len().saturating_sub(IN_FLIGHT);
    let shown = model.flights.iter().rev().take(IN_FLIGHT).enumerate().map(|(at, flight)| {
        let ask = &flight.operation.ask;
        let what = if flight.cancelled { "cancelling" } else { "in flight" };
        let more = if at + 1 == IN_FLIGHT && more > 0 { format!(", and {more} more") } else { String::new() };
        let text = format!("{mark} {what}: {} {}{more}", ask.word(), subject(ask, flight.name.as_deref()));
        Line::from(Span::styled(format!("   {}", clean_fit(&text, width.saturating_sub(POINTER))), style))
    });
    shown.collect()
}

/// How many are marked, and whether there is more than what is at hand.
fn place(log: &Log) -> String {
    let mut words = Vec::new();
    if !log.marked.is_empty() {
        words.push(format!("{} marked", log.marked.len()));
    }
    if log.is_filtered() && log.is_read && !log.newer && !log.older && log.lines.len() <= log.page {
        words.push(format!("{} fit", log.lines.len()));
    } else if !log.newer && log.lines.len() > log.page {
        let more = if log.older { "+" } else { "" };
        let last = (log.top + log.visible().len()).min(log.lines.len());
        words.push(format!("{}-{last} of {}{more}", log.top + 1, log.lines.len()));
    } else if log.newer {
        words.push("newer and older ones beyond".to_owned());
    }
    words.join(", ")
}

fn empty(model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let back = model.keys.shown(Action::Room(InRoom::Back));
    let words = if !model.log.is_read {
        "Reading the journal …".to_owned()
    } else if model.log.is_filtered() {
        format!("No exchange fits. {back} shows all.")
    } else {
        "Nothing was sent yet. Whatever is will be here, with all that was said.".to_owned()
    };
    [vec![Line::default()], wrapped_lines(&words, 2, width, 3, theme.dim)].concat()
}

/// Columns of what has not always the same.
struct Widths {
    when: usize,
    plant: usize,
    /// 0 where plants would have too little room beside it.
    size: usize,
}

impl Widths {
    fn of(width: usize, when: usize) -> Self {
        // One column between two, and none behind the last.
        let fixed = POINTER + when + 1 + WHAT + 1 + 1 + STATUS + 1 + OUTCOME + 1 + TIME;
        let beside_size = width.saturating_sub(fixed + SIZE + 1);
        let (size, plant) = if beside_size >= PLANT { (SIZE, beside_size) } else { (0, width.saturating_sub(fixed)) };
        Self { when, plant, size }
    }

    fn heading(&self, theme: &Theme) -> Line<'static> {
        let (when, plant, size) = (self.when, self.plant, self.size);
        let size = if size > 0 { format!(" {:>size$}", "SIZE") } else { String::new() };
        let pad = " ".repeat(POINTER);
        let text = format!(
            "{pad}{:<when$} {:<WHAT$} {:<plant$} {:>STATUS$} {:<OUTCOME$}{size} {:>TIME$}",
            "WHEN",
            "WHAT",
            clean_fit("PLANT", plant),
            "",
            "OUTCOME",
            "TOOK"
        );
        Line::from(Span::styled(text, theme.dim))
    }

    fn line(&self, line: &LogLine, at: &str, model: &Model, theme: &Theme) -> Line<'static> {
        let selected = model.log.selected == Some(line.place);
        let [pointer, mark_of_marked] = pointer(selected, model.log.marked.contains(&line.place), theme);
        let when = self.when;
        let (style, mark) = theme.outcome(line.outcome);
        let status = line.status.map(|status| status.to_string()).unwrap_or_default();
        let mut spans = vec![
            pointer,
            mark_of_marked,
            Span::styled(format!("{at:<when$} "), theme.dim),
            Span::raw(format!("{:<WHAT$} ", line.ask.word())),
            Span::raw(format!("{} ", clean_padded(&named(line.ask.plant_id(), line.name(), self.plant), self.plant))),
            Span::styled(format!("{status:>STATUS$} "), style),
            Span::styled(clean_padded(&format!("{mark} {}", line.outcome.word()), OUTCOME), style),
        ];
        if self.size > 0 {
            let size = self.size;
            let told = line.size.map(bytes).unwrap_or_default();
            spans.push(Span::styled(format!(" {told:>size$}"), theme.dim));
        }
        let took = if line.elapsed.is_zero() { String::new() } else { span(line.elapsed) };
        spans.push(Span::raw(format!(" {took:>TIME$}")));
        let line = Line::from(spans);
        if selected { theme.select(line) } else { line }
    }
}

/// A plant in so many columns: its id is never cut while there is room for it.
fn named(id: PlantId, name: Option<&str>, columns: usize) -> String {
    let behind = format!(" ({id})");
    match (name, columns.checked_sub(behind.len())) {
        (Some(name), Some(room @ 3..)) => format!("{}{behind}", clean_fit(name, room)),
        (Some(_) | None, _) => called(id, None),
    }
}

/// `27 B`, `1.5 KiB`; with a plus where more came than is kept.
fn bytes(size: usize) -> String {
    const KIB: usize = 1024;
    if size < KIB {
        return format!("{size} B");
    }
    let more = if size >= KEPT_BODY { "+" } else { "" };
    let tenths = size * 10 / KIB;
    if tenths.is_multiple_of(10) || tenths >= 1000 {
        format!("{} KiB{more}", tenths / 10)
    } else {
        format!("{}.{} KiB{more}", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_few_letters() {
        let told = [0, 27, 1023, 1024, 1536, 65535, KEPT_BODY].map(bytes);
        assert_eq!(told, ["0 B", "27 B", "1023 B", "1 KiB", "1.5 KiB", "63.9 KiB", "64 KiB+"]);
        assert!(told.iter().all(|size| size.len() <= SIZE + 1));
    }
}
