//! The preview of an import: counts, faults and the forecast of a validated file.

use super::decision::RowCounts;
use super::row::{ImportRow, RowFault, RowNote, RowNumber};
use crate::domain::Plant;
use crate::domain::file_format::FileFormat;
use crate::domain::plant::Slip;
use crate::text::number_format::{counted, grouped};

/// Greatest number of good rows that a preview holds.
pub(super) const FIRST_HELD: usize = 5;

/// Greatest number of bad rows that a preview holds, and of rows that are not sent; the others are only counted.
pub const FAULTS_HELD: usize = 1000;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preview {
    pub format: FileFormat,
    /// The plants of the first rows that are sent.
    pub first: Vec<Plant>,
    pub bad: u64,
    /// The first [`FAULTS_HELD`] of them.
    pub faults: Vec<RowFault>,
    /// Further remarks, such as a column that is not sent.
    pub notes: Vec<String>,
    pub forecast: Forecast,
}

/// The decisions about the good rows of a file, assuming that the store accepts everything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Forecast {
    pub counts: RowCounts,
    /// The first [`FAULTS_HELD`] rows that are not sent, for a reason that a person should know.
    pub unsent: Vec<RowNote>,
}

/// Legal values that are probably mistakes: for each kind, the number of rows and that of the first.
#[derive(Debug, Default)]
pub(super) struct Slips(Vec<(Slip, u64, RowNumber)>);

impl Slips {
    pub(super) fn count(&mut self, row: &ImportRow) {
        for slip in row.plant.slips() {
            match self.0.iter_mut().find(|(kind, ..)| *kind == slip) {
                Some((_, rows, _)) => *rows += 1,
                None => self.0.push((slip, 1, row.number)),
            }
        }
    }

    /// Renders a note for each kind.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(slip, rows, number)| match rows {
            1 => format!("In {number}, {slip}. It is sent as it is."),
            _ => format!("In {} rows, first in {number}, {slip}. They are sent as they are.", grouped(*rows)),
        })
    }
}

impl Preview {
    /// Renders the preview line by line. `skip_bad`: bad rows are left out, and do not prevent the import.
    pub fn lines(&self, skip_bad: bool) -> Vec<String> {
        let Self { format, bad, notes, forecast: Forecast { counts, .. }, .. } = self;
        let all = counted(counts.total() + bad, "row", "rows");
        let mut lines = vec![format!("{}: {all} in all, {} bad.", format.word(), grouped(*bad))];
        lines.extend(notes.iter().map(|note| format!("Note: {note}")));
        lines.extend(counts.lines());
        if counts.unknown > 0 {
            lines.push("--resend-unknown sends unknown plants again; they may then be stored twice.".to_owned());
        }
        let to_send = grouped(counts.to_send());
        lines.push(if *bad > 0 && !skip_bad {
            format!("To send: nothing while a row is bad; {to_send} with --skip-bad.")
        } else {
            format!("To send: {to_send}.")
        });
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_counts_what_it_sends() {
        let as_is = RowCounts { send: 2, unknown: 1_000, ..RowCounts::default() };
        let resending = RowCounts { resend: 1_000, unknown: 0, ..as_is };
        let of = |counts| Preview { forecast: Forecast { counts, unsent: Vec::new() }, ..Preview::default() };
        let left = of(as_is).lines(false);
        assert!(left.iter().any(|line| line.starts_with("1,000 rows not sent: unknown from before")));
        assert_eq!(left.last().map(String::as_str), Some("To send: 2."));
        let again = of(resending).lines(false);
        assert!(again.iter().any(|line| line.starts_with("1,000 rows unknown from before, and sent again")));
        assert!(!again.iter().any(|line| line.contains("not sent")));
        assert_eq!(again.last().map(String::as_str), Some("To send: 1,002."));
        let bad = Preview { bad: 1, ..of(as_is) };
        let last = |skip_bad| bad.lines(skip_bad).pop();
        assert_eq!(last(false).as_deref(), Some("To send: nothing while a row is bad; 2 with --skip-bad."));
        assert_eq!(last(true).as_deref(), Some("To send: 2."));
    }
}
