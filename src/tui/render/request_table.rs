//! The table of requests, in the History tab and on the command line: its columns, and a request as their texts.

use jiff::tz::TimeZone;
use ratatui::text::Span;
use unicode_width::UnicodeWidthStr as _;

use crate::domain::sentence::{called, span};
use crate::domain::{Outcome, PlantId, Timestamp};
use crate::journal::{HistoryLine, MAX_STORED_BODY};
use crate::text::columns::Column;
use crate::text::{clean_padded, columns_of, fit_before};
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::shortly;

const HEADINGS: [&str; 7] = ["STARTED", "WHAT", "PLANT", "STATUS", "OUTCOME", "SIZE", "TOOK"];
/// The index of the status.
const BY_STATUS: usize = 3;

/// The index of the size.
pub(crate) const BY_SIZE: usize = 5;

/// Columns that a plant needs before the size is shown beside it.
const PLANT: usize = 14;
/// Columns of a status.
pub(crate) const STATUS: usize = 3;
/// Columns of a size, usually: `64 KiB+`.
const SIZE: usize = 7;
/// Columns of a duration, usually: `999.9 ms`.
const TOOK: usize = 8;

/// A request as the texts of the columns, not yet cut.
pub(crate) struct RequestTexts<'a> {
    /// What is drawn before the plant, in its column.
    pub(crate) guide: &'static str,
    when: String,
    what: &'static str,
    id: PlantId,
    name: Option<&'a str>,
    status: String,
    outcome: Outcome,
    size: String,
    took: String,
}

impl<'a> RequestTexts<'a> {
    /// `guide` is drawn before the plant, and links the requests of one run.
    pub(crate) fn of(line: &'a HistoryLine, guide: &'static str, now: Timestamp, zone: &TimeZone) -> Self {
        Self {
            guide,
            when: shortly(line.started, now, zone),
            what: line.kind.word(),
            id: line.kind.plant_id(),
            name: line.name(),
            status: line.status.map(|status| status.to_string()).unwrap_or_default(),
            outcome: line.outcome,
            size: line.size.map(bytes).unwrap_or_default(),
            took: if line.elapsed.is_zero() { String::new() } else { span(line.elapsed) },
        }
    }

    /// Returns the width of each text, up to `most`.
    pub(crate) fn widths(&self, most: usize) -> [usize; 7] {
        let plant = match self.name {
            Some(name) if !name.is_empty() => columns_of(name, most) + id_part(self.id).len(),
            Some(_) | None => called(self.id, None).len(),
        };
        let outcome = "? ".len() + self.outcome.word().len();
        let plant = self.guide.width() + plant;
        [self.when.len(), self.what.len(), plant, STATUS, outcome, self.size.len(), self.took.len()]
    }

    /// Cuts and pads each text to the width of its column.
    pub(crate) fn cells(&self, widths: [usize; 7], theme: &Theme) -> [Span<'static>; 7] {
        let [when, what, plant, status, outcome, size, took] = widths;
        let (style, mark) = theme.outcome(self.outcome);
        let plant = plant.saturating_sub(self.guide.width());
        [
            Span::styled(clean_padded(&self.when, when), theme.dim),
            Span::raw(clean_padded(self.what, what)),
            Span::raw(clean_padded(&named(self.id, self.name, plant), plant)),
            Span::styled(format!("{:>status$}", self.status), style),
            Span::styled(clean_padded(&format!("{mark} {}", self.outcome.word()), outcome), style),
            Span::styled(format!("{:>size$}", self.size), theme.dim),
            Span::raw(format!("{:>took$}", self.took)),
        ]
    }
}

/// Returns the columns for texts of these widths.
pub(crate) fn columns([when, what, plant, status, outcome, size, took]: [usize; 7]) -> [Column; 7] {
    [
        Column::whole(when, 0),
        Column::whole(what, "delete".len()),
        Column::flexible(plant, PLANT, 1),
        Column::whole(status, "STATUS ".len()),
        Column::whole(outcome, "? accepted".len()),
        Column::whole(size, SIZE).optional(),
        Column::whole(took, TOOK),
    ]
}

/// Returns the widths of the headings, with room for an arrow beside each. That of the status is wider than every
/// status: it has none where a plant would be cut for it, unless the requests are sorted by it.
pub(crate) fn heading_widths(sorted: Option<usize>, arrow: usize) -> [usize; 7] {
    let [when, what, plant, status, outcome, size, took] = HEADINGS.map(|heading| heading.len() + arrow);
    let status = if sorted == Some(BY_STATUS) { status } else { STATUS };
    [when, what, plant, status, outcome, size, took]
}

/// Returns the headings, aligned like the cells; the one with this index has an arrow beside it.
pub(crate) fn headings(widths: [usize; 7], sorted: Option<(usize, &str)>) -> [String; 7] {
    let mut columns = (0..).zip(widths);
    HEADINGS.map(|name| {
        let (at, width) = columns.next().unwrap_or_default();
        let arrow = sorted.filter(|(sorted, _)| *sorted == at).map_or("", |(_, arrow)| arrow);
        let is_right_aligned = at == BY_STATUS || at + 2 >= HEADINGS.len();
        let has_room = name.len() + arrow.width() <= width;
        if !is_right_aligned {
            return clean_padded(&format!("{name}{arrow}"), width);
        }
        format!("{:>width$}", if has_room { format!("{arrow}{name}") } else { String::new() })
    })
}

/// `Monstera (7)` in so many columns; the name is cut before the id, and left out with its brackets where it has no room.
fn named(id: PlantId, name: Option<&str>, columns: usize) -> String {
    let (id_part, whole) = (id_part(id), called(id, None));
    match name.filter(|name| !name.is_empty()) {
        Some(name) if columns > id_part.len() + 2 => fit_before(name, &id_part, columns),
        Some(_) | None if whole.len() <= columns => whole,
        Some(_) | None => id.to_string(),
    }
}

fn id_part(id: PlantId) -> String {
    format!(" ({id})")
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

    use super::*;
    use crate::domain::{Details, OperationKind};
    use crate::text::columns::{filling, longest};
    use crate::tui::widgets::theme::{Depth, Marks, Palette};

    #[test]
    fn sizes_are_written_in_few_letters() {
        let written = [0, 27, 1023, 1024, 1536, 65535, MAX_STORED_BODY].map(bytes);
        assert_eq!(written, ["0 B", "27 B", "1023 B", "1 KiB", "1.5 KiB", "63.9 KiB", "64 KiB+"]);
    }

    #[test]
    fn the_arrow_is_on_the_side_to_which_the_heading_is_not_aligned() {
        let sorted = [0, 1, 2, 3, 4, 5, 6].map(|at| headings([8; 7], Some((at, "^")))[at].trim().to_owned());
        assert_eq!(sorted, ["STARTED^", "WHAT^", "PLANT^", "^STATUS", "OUTCOME^", "^SIZE", "^TOOK"]);
    }

    #[test]
    fn a_plant_with_an_empty_name_is_called_by_its_id() {
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let called = Some(Details { name: String::new(), tag: "t".into() });
        let line = HistoryLine { called, kind: OperationKind::Delete(PlantId(7)), ..of_the_longest_id() };
        let texts = RequestTexts::of(&line, "", Timestamp(0), &TimeZone::UTC);
        let widths = texts.widths(80);
        assert_eq!(texts.cells(widths, &theme)[2].content, "plant 7");
    }

    fn of_the_longest_id() -> HistoryLine {
        HistoryLine {
            number: 1,
            called: None,
            kind: OperationKind::Delete(PlantId(i64::MIN)),
            outcome: Outcome::Rejected,
            status: Some(404),
            size: Some(65_500),
            started: Timestamp(0),
            elapsed: Duration::from_millis(140),
            run: None,
        }
    }

    #[test]
    fn no_digit_is_cut_where_the_plant_is() {
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let line = of_the_longest_id();
        let texts = RequestTexts::of(&line, "", Timestamp(0), &TimeZone::UTC);
        for room in 40..90 {
            let widths = filling(columns(longest([texts.widths(room), heading_widths(None, 0)])), 1, room);
            let shown = texts.cells(widths, &theme).map(|cell| cell.content.trim().to_owned());
            let [when, what, plant, others @ ..] = shown;
            assert_eq!((when.as_str(), what.as_str()), ("00:00:00", "delete"), "{room}");
            assert_eq!(others, ["404", "✗ rejected", "63.9 KiB", "140 ms"], "{room}");
            assert_eq!(plant == "plant -9223372036854775808", room >= 73, "{room}: {plant}");
        }
    }
}
