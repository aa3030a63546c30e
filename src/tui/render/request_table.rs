//! The table of requests, in the History tab and on the command line: its columns, and a request as their texts.

use jiff::tz::TimeZone;
use ratatui::text::Span;

use super::table::{Cell, Head};
use crate::domain::sentence::span;
use crate::domain::{BODY_CAP, Timestamp};
use crate::journal::HistoryLine;
use crate::text::columns::Column;
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::shortly;

/// The plant needs its usual width before the size is shown beside it.
pub(crate) const REQUESTS: [Head; 7] = [
    Head::left("STARTED", Column::whole(0, 0)),
    Head::left("WHAT", Column::whole(0, "delete".len())),
    Head::left("PLANT", Column::flexible(0, 14, 1)),
    Head::right("STATUS", Column::whole(0, "STATUS ".len())).giving_way_to("404".len()),
    Head::left("OUTCOME", Column::whole(0, "? accepted".len())),
    Head::right("SIZE", Column::whole(0, "999 KiB".len()).optional()),
    Head::right("TOOK", Column::whole(0, "999.9 ms".len())),
];

/// The index of the plant.
pub(crate) const PLANT: usize = 2;

/// Returns the cells of a request.
pub(crate) fn cells<'a>(line: &'a HistoryLine, now: Timestamp, zone: &TimeZone, theme: &Theme) -> [Cell<'a>; 7] {
    let (style, mark) = theme.outcome(line.outcome);
    let status = line.status.map(|status| status.to_string()).unwrap_or_default();
    let took = if line.elapsed.is_zero() { String::new() } else { span(line.elapsed) };
    [
        Span::styled(shortly(line.started, now, zone), theme.dim).into(),
        line.kind.word().into(),
        Cell::Plant(line.kind.plant_id(), line.name()),
        Span::styled(status, style).into(),
        Span::styled(format!("{mark} {}", line.outcome.word()), style).into(),
        Span::styled(line.size.map(bytes).unwrap_or_default(), theme.dim).into(),
        took.into(),
    ]
}

/// `27 B`, `1.5 KiB`; from the cap on, where reading stops, `1 MiB+`.
fn bytes(size: usize) -> String {
    const KIB: usize = 1024;
    match (size / KIB, size % KIB * 10 / KIB) {
        _ if size >= BODY_CAP => "1 MiB+".to_owned(),
        (0, _) => format!("{size} B"),
        (whole @ 1000.., _) => format!("0.{} MiB", whole * 10 / KIB),
        (whole @ 100.., _) | (whole, 0) => format!("{whole} KiB"),
        (whole, tenth) => format!("{whole}.{tenth} KiB"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::domain::{Details, OperationKind, Outcome, PlantId};
    use crate::text::Marks;
    use crate::text::columns::{filling, longest};
    use crate::tui::render::table::{columns, fitted, heading_widths, headings, widths};
    use crate::tui::widgets::theme::{Depth, Palette};

    #[test]
    fn sizes_are_written_in_few_letters() {
        let written = [0, 27, 1023, 1024, 1536, 99 << 10 | 1023, 65535 * 15, BODY_CAP - 1, usize::MAX].map(bytes);
        assert_eq!(written, ["0 B", "27 B", "1023 B", "1 KiB", "1.5 KiB", "99.9 KiB", "959 KiB", "0.9 MiB", "1 MiB+"]);
    }

    #[test]
    fn the_arrow_is_on_the_side_to_which_the_heading_is_not_aligned() {
        let sorted = |at: usize| headings(&REQUESTS, [8; 7], Some((at, "^")), Default::default())[at].content.clone();
        let sorted = [0, 1, 2, 3, 4, 5, 6].map(|at| sorted(at).trim().to_owned());
        assert_eq!(sorted, ["STARTED^", "WHAT^", "PLANT^", "^STATUS", "OUTCOME^", "^SIZE", "^TOOK"]);
    }

    #[test]
    fn a_plant_with_an_empty_name_is_called_by_its_id() {
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let called = Some(Details { name: String::new(), tag: "t".into() });
        let line = HistoryLine { called, kind: OperationKind::Delete(PlantId(7)), ..of_the_longest_id() };
        let cells = cells(&line, Timestamp(0), &TimeZone::UTC, &theme);
        assert_eq!(fitted(&REQUESTS, &cells, widths(&cells, 80))[2].content, "plant 7");
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
        let cells = cells(&line, Timestamp(0), &TimeZone::UTC, &theme);
        for room in 40..90 {
            let needed = longest([widths(&cells, room), heading_widths(&REQUESTS, None, 0)]);
            let widths = filling(columns(&REQUESTS, needed), 1, room);
            let shown = fitted(&REQUESTS, &cells, widths).map(|cell| cell.content.trim().to_owned());
            let [when, what, plant, others @ ..] = shown;
            assert_eq!((when.as_str(), what.as_str()), ("00:00:00", "delete"), "{room}");
            assert_eq!(others, ["404", "✗ rejected", "63.9 KiB", "140 ms"], "{room}");
            assert_eq!(plant == "plant -9223372036854775808", room >= 73, "{room}: {plant}");
        }
    }
}
