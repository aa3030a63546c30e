//! The columns that the lists can be sorted by, as a person names them: `name`, or `-name` for the other direction.
//!
//! Must not know how a list is sorted.

use thiserror::Error;

use super::history_lines::HistoryColumn;
use super::sorted_index::Column;
use crate::text::alternatives;
use crate::text::similar::did_you_mean;

/// A column that a list can be sorted by.
pub trait SortColumn: Copy + PartialEq + Into<&'static str> + 'static {
    /// In the order of the screen.
    const ALL: &'static [Self];

    fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the ascending direction in words, and the descending one.
    fn directions(self) -> (&'static str, &'static str);

    /// Whether the interesting lines are at the end of the ascending order.
    fn begins_descending(self) -> bool;

    /// Parses the name of a column, with `-` before it for the other direction than it begins with. Returns the column,
    /// and whether the order is descending.
    ///
    /// # Errors
    ///
    /// The list has no such column.
    fn parse_order(typed: &str) -> Result<(Self, bool), UnknownColumn> {
        let (name, reversed) = typed.strip_prefix('-').map_or((typed, false), |name| (name, true));
        let column = Self::ALL.iter().find(|column| column.name() == name);
        let column = *column.ok_or_else(|| {
            let names = || Self::ALL.iter().map(|column| column.name());
            UnknownColumn(format!("no column {name}: use {}{}", alternatives(names()), did_you_mean(name, names())))
        })?;
        Ok((column, column.begins_descending() != reversed))
    }
}

/// Why a text is no order of a list, with the names of its columns.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct UnknownColumn(String);

impl SortColumn for Column {
    const ALL: &'static [Self] = &[Self::Id, Self::Name, Self::Tag, Self::State, Self::Since];

    fn directions(self) -> (&'static str, &'static str) {
        match self {
            Self::Id => ("lowest first", "highest first"),
            Self::Name | Self::Tag => ("A to Z", "Z to A"),
            Self::State => ("unknown first", "unknown last"),
            Self::Since => ("oldest first", "newest first"),
        }
    }

    fn begins_descending(self) -> bool {
        false
    }
}

impl SortColumn for HistoryColumn {
    const ALL: &'static [Self] =
        &[Self::Started, Self::What, Self::Plant, Self::Status, Self::Outcome, Self::Size, Self::Took];

    fn directions(self) -> (&'static str, &'static str) {
        match self {
            Self::Started => ("oldest first", "newest first"),
            Self::What => ("adds first", "deletes first"),
            Self::Plant => ("A to Z", "Z to A"),
            Self::Status => ("lowest first", "highest first"),
            Self::Outcome => ("accepted last", "accepted first"),
            Self::Size => ("smallest first", "largest first"),
            Self::Took => ("fastest first", "slowest first"),
        }
    }

    fn begins_descending(self) -> bool {
        matches!(self, Self::Started | Self::Size | Self::Took)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_stands_for_the_other_direction() {
        assert_eq!(Column::parse_order("name"), Ok((Column::Name, false)));
        assert_eq!(Column::parse_order("-since"), Ok((Column::Since, true)));
        assert_eq!(HistoryColumn::parse_order("took"), Ok((HistoryColumn::Took, true)));
        assert_eq!(HistoryColumn::parse_order("-started"), Ok((HistoryColumn::Started, false)));
        let why = |typed| Column::parse_order(typed).map_err(|why| why.to_string());
        let known = "use id, name, tag, state or since";
        assert_eq!(why("nam"), Err(format!("no column nam: {known}; did you mean name?")));
        assert_eq!(why("--id"), Err(format!("no column -id: {known}; did you mean id?")));
        assert_eq!(why(""), Err(format!("no column : {known}")));
    }
}
