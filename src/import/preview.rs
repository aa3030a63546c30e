//! The preview of an import: counts, faults and the forecast of a validated file.

use super::decision::{Decision, RowCounts};
use super::row::{ImportRow, RowFault, RowNumber};
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
    /// The plants of the first rows that are sent, without sending unknown plants again.
    pub first: Vec<Plant>,
    pub bad: u64,
    /// The first [`FAULTS_HELD`] of them.
    pub faults: Vec<RowFault>,
    /// Further remarks, such as a column that is not sent.
    pub notes: Vec<String>,
    pub forecast: Forecast,
    /// The first [`FAULTS_HELD`] good rows that may not be sent, for a reason that a person should know.
    pub unsent: Vec<Unsent>,
}

/// A good row that may not be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsent {
    pub number: RowNumber,
    /// The plant, as a sentence names it.
    pub called: String,
    /// Without and with sending unknown plants again.
    pub decisions: [Decision; 2],
}

impl Unsent {
    /// Returns why the row is not sent, if so.
    pub fn reason(&self, resend_unknown: bool) -> Option<String> {
        let [as_is, resending] = self.decisions;
        if resend_unknown { resending } else { as_is }.reason()
    }
}

/// The decisions about the good rows of a file, assuming that the store accepts everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Forecast {
    /// Without sending unknown plants again.
    pub as_is: RowCounts,
    /// With sending unknown plants again.
    pub resending: RowCounts,
}

impl Forecast {
    pub fn standing(&self, resend_unknown: bool) -> RowCounts {
        if resend_unknown { self.resending } else { self.as_is }
    }
}

/// Makes the forecast of a file in which no id repeats.
impl From<RowCounts> for Forecast {
    fn from(as_is: RowCounts) -> Self {
        Self { as_is, resending: RowCounts { resend: as_is.resend + as_is.unknown, unknown: 0, ..as_is } }
    }
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
    /// Renders the preview line by line. `skip_bad`: bad rows are left out, and do not prevent the import;
    /// `resend_unknown`: unknown plants are sent again.
    pub fn lines(&self, skip_bad: bool, resend_unknown: bool) -> Vec<String> {
        let Self { format, bad, notes, .. } = self;
        let standing = self.forecast.standing(resend_unknown);
        let rows = |count| counted(count, "row", "rows");
        let all = rows(standing.rows() + bad);
        let mut lines = vec![format!("{}: {all} in all, {} bad.", format.word(), grouped(*bad))];
        lines.extend(notes.iter().map(|note| format!("Note: {note}")));
        lines.extend(standing.reasons());
        if standing.resend > 0 {
            let again = rows(standing.resend);
            lines.push(format!("{again} unknown from before, and sent again: the plants may then be stored twice."));
        }
        if standing.resend_stored > 0 {
            let again = rows(standing.resend_stored);
            lines.push(format!("{again} stored already, and sent again: a store that has them may store them twice."));
        }
        let to_send = grouped(standing.to_send());
        lines.push(if *bad > 0 && !skip_bad {
            format!("To send: nothing while a row is bad; {to_send} with --skip-bad.")
        } else {
            format!("To send: {to_send}.")
        });
        lines
    }

    /// Renders each row that is not sent, with the reason.
    pub fn unsent_lines(&self, resend_unknown: bool) -> impl Iterator<Item = String> {
        let line = move |unsent: &Unsent| {
            let Unsent { number, called, .. } = unsent;
            unsent.reason(resend_unknown).map(|reason| format!("{number}: {called} is not sent: {reason}."))
        };
        self.unsent.iter().filter_map(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_counts_what_it_sends() {
        let forecast = Forecast::from(RowCounts { send: 2, unknown: 1_000, ..RowCounts::default() });
        let preview = Preview { forecast, ..Preview::default() };
        let left = preview.lines(false, false);
        assert!(left.iter().any(|line| line.starts_with("1,000 rows not sent: unknown from before")));
        assert_eq!(left.last().map(String::as_str), Some("To send: 2."));
        let again = preview.lines(false, true);
        assert!(again.iter().any(|line| line.starts_with("1,000 rows unknown from before, and sent again")));
        assert!(!again.iter().any(|line| line.contains("not sent")));
        assert_eq!(again.last().map(String::as_str), Some("To send: 1,002."));
        let bad = Preview { bad: 1, ..preview };
        let last = |skip_bad| bad.lines(skip_bad, false).pop();
        assert_eq!(last(false).as_deref(), Some("To send: nothing while a row is bad; 2 with --skip-bad."));
        assert_eq!(last(true).as_deref(), Some("To send: 2."));
    }
}
