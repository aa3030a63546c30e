//! The table of plants, in the Plants tab, in the re-add list and on the command line: its columns, and a plant as their
//! texts.

use jiff::tz::TimeZone;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::domain::{Row, State, Timestamp};
use crate::text::columns::Column;
use crate::text::{clean_fit, clean_padded, columns_of};
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::when;

/// `SINCE` is the time at which the state began.
pub(crate) const HEADINGS: [&str; 5] = ["ID", "NAME", "TAG", "STATE", "SINCE"];

/// Columns between two columns.
pub(crate) const GAP: usize = 2;

/// Columns of an id, usually.
const ID: usize = 4;
/// Columns that name and tag need before the time is shown beside them.
const NAME_AND_TAG: (usize, usize) = (16, 8);
/// Columns of the state: mark, space, `deleting`.
const STATE: usize = 10;

/// Columns of an author, at most.
const AUTHOR: usize = 20;

const NO_NAME: &str = "(name not known)";
const EMPTY: &str = "(empty)";

/// A plant as the texts of the columns, not yet cut.
pub(crate) struct PlantTexts<'a> {
    pub(crate) id: String,
    pub(crate) name: &'a str,
    pub(crate) tag: &'a str,
    /// The word of the state, or why it is in no list; of a state that another member of the team left open also who that
    /// is: `adding bob@b`.
    pub(crate) state: String,
    pub(crate) when: String,
}

impl<'a> PlantTexts<'a> {
    pub(crate) fn of(row: &'a Row, now: Timestamp, zone: &TimeZone) -> Self {
        Self {
            id: row.id.to_string(),
            name: shown(row.name().unwrap_or(NO_NAME)),
            tag: row.tag().map(shown).unwrap_or_default(),
            state: state_text(row),
            when: when(row.changed_at, now, zone),
        }
    }

    /// Returns the width of each text, up to `most`.
    pub(crate) fn widths(&self, most: usize) -> [usize; 5] {
        let state = "? ".len() + columns_of(&self.state, most);
        [self.id.len(), columns_of(self.name, most), columns_of(self.tag, most), state, self.when.len()]
    }

    /// Cuts and pads each text to the width of its column; the state has this style and mark.
    pub(crate) fn cells(&self, widths: [usize; 5], (style, mark): (Style, &str), theme: &Theme) -> [Span<'static>; 5] {
        let [id, name, tag, state, when] = widths;
        [
            Span::raw(format!("{:>id$}", self.id)),
            Span::raw(clean_padded(self.name, name)),
            Span::raw(clean_padded(self.tag, tag)),
            Span::styled(clean_padded(&format!("{mark} {}", self.state), state), style),
            Span::styled(clean_padded(&self.when, when), theme.dim),
        ]
    }
}

/// Returns a name or a tag as it is shown: an empty one is no gap.
pub(crate) fn shown(text: &str) -> &str {
    if text.is_empty() { EMPTY } else { text }
}

fn state_text(row: &Row) -> String {
    match &row.author {
        Some(author) if row.state != State::Stored => {
            format!("{} {}", row.state.word(), clean_fit(author.name(), AUTHOR))
        }
        _ => row.state.word().to_owned(),
    }
}

/// Aligns a heading like the cells below it.
pub(crate) fn heading(column: usize, text: &str, width: usize) -> String {
    if column == 0 { format!("{text:>width$}") } else { clean_padded(text, width) }
}

/// Returns the columns for texts of these widths.
pub(crate) fn columns([id, name, tag, state, when]: [usize; 5]) -> [Column; 5] {
    let usual = NAME_AND_TAG;
    [
        Column::whole(id, ID),
        Column::flexible(name, usual.0, 2),
        Column::flexible(tag, usual.1, 1),
        Column::whole(state, STATE),
        Column::whole(when, 0).optional(),
    ]
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
            let author = Some("ann@home".parse().unwrap());
            let row = Row { id: PlantId(7), details: None, state, changed_at: Timestamp(0), author };
            assert_eq!(state_text(&row), text);
            assert_eq!(state_text(&Row { author: None, ..row }), state.word());
        }
    }
}
