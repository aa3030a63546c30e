//! The table of plants, in the Plants tab, in the re-add list and on the command line: its columns, and a plant as their
//! texts.

use jiff::tz::TimeZone;
use ratatui::style::Style;
use ratatui::text::Span;

use super::table::{Cell, Head};
use crate::domain::simple_words::AUTHOR;
use crate::domain::{Authors, PlantId, Row, State, Timestamp};
use crate::text::clean_fit;
use crate::text::columns::Column;
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::when;

/// Name and tag need their usual widths before `SINCE`, the time at which the state began, is shown beside them.
pub(crate) const PLANTS: [Head; 5] = [
    Head::right("ID", Column::whole(0, 4)),
    Head::left("NAME", Column::flexible(0, 16, 2)),
    Head::left("TAG", Column::flexible(0, 8, 1)),
    Head::left("STATE", Column::whole(0, "? deleting".len())),
    Head::left("SINCE", Column::whole(0, 0).optional()),
];

/// Columns between two columns.
pub(crate) const GAP: usize = 2;

const NO_NAME: &str = "(name not known)";
const EMPTY: &str = "(empty)";

/// Returns the cells of a plant of the list; `turn` counts the steps of the spinner.
pub(crate) fn cells<'a>(row: &'a Row, turn: usize, now: Timestamp, zone: &TimeZone, theme: &Theme) -> [Cell<'a>; 5] {
    let texts = [shown(row.name().unwrap_or(NO_NAME)), row.tag().map(shown).unwrap_or_default()];
    cells_of(row.id, texts, (&state_text(row), theme.state(row.state, turn)), when(row.changed_at, now, zone), theme)
}

/// Returns the cells of any plant, with its name, its tag and the word of its state, or why it is in no list.
pub(crate) fn cells_of<'a>(
    id: PlantId,
    [name, tag]: [&'a str; 2],
    (state, (style, mark)): (&str, (Style, &str)),
    when: String,
    theme: &Theme,
) -> [Cell<'a>; 5] {
    let state = Span::styled(format!("{mark} {state}"), style);
    [id.to_string().into(), name.into(), tag.into(), state.into(), Span::styled(when, theme.dim).into()]
}

/// Returns a name or a tag as it is shown: an empty one is no gap.
pub(crate) fn shown(text: &str) -> &str {
    if text.is_empty() { EMPTY } else { text }
}

/// Names also the member of the team that left the state open: `adding bob@b`.
pub(crate) fn state_text(row: &Row) -> String {
    let authors = row.author.as_ref().filter(|_| row.state != State::Stored).and_then(Authors::others_in_words);
    let word = row.state.word();
    authors.map_or_else(|| word.to_owned(), |authors| format!("{word} {}", clean_fit(&authors, AUTHOR)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::PlantId;

    #[test]
    fn a_state_that_is_still_open_says_whose_operation_it_is() {
        for (state, text) in [
            (State::Stored, "stored"),
            (State::Unknown, "unknown ann@home"),
            (State::Adding, "adding ann@home"),
            (State::Deleting, "deleting ann@home"),
        ] {
            let author = Some(Authors { own: None, others: vec!["ann@home".parse().unwrap()] });
            let row = Row { id: PlantId(7), details: None, state, changed_at: Timestamp(0), author };
            assert_eq!(state_text(&row), text);
            assert_eq!(state_text(&Row { author: None, ..row }), state.word());
        }
    }
}
