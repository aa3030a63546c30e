//! Finds rows that many others have the same reason for, so that a person reads it once.

use std::collections::HashMap;

use super::preview::FAULTS_HELD;
use super::row::{RowNote, RowNumber};
use crate::domain::{Exchange, sentence};
use crate::text::number_format::counted;

/// Rows with the same reason that are named one by one.
const NAMED: u64 = 10;

/// The reasons of rows that were not accepted: for each, the number of rows, and the first and last of those that are not
/// named.
#[derive(Debug, Default)]
pub(super) struct Repeats(HashMap<String, (u64, RowNumber, RowNumber)>);

impl Repeats {
    /// Counts a row. Returns whether it is not to be named, and whether it is the first such one.
    pub(super) fn count(&mut self, number: RowNumber, exchange: &Exchange) -> (bool, bool) {
        let reason = exchange.response().map_or_else(|| sentence::ended(exchange), sentence::status_with_reason);
        if self.0.len() >= FAULTS_HELD && !self.0.contains_key(&reason) {
            return (false, false);
        }
        let (count, first, last) = self.0.entry(reason).or_insert((0, number, number));
        *count += 1;
        let is_first = *count == NAMED + 1;
        (*first, *last) = if *count <= NAMED + 1 { (number, number) } else { (number.min(*first), number.max(*last)) };
        (*count > NAMED, is_first)
    }

    /// Renders a note for each reason with rows that are not named, ordered by the first of them.
    pub(super) fn notes(self) -> Vec<RowNote> {
        let note = |(reason, (count, first, last)): (String, (u64, RowNumber, RowNumber))| {
            let rows = counted(count.checked_sub(NAMED).filter(|more| *more > 0)?, "more row has", "more rows have");
            Some(RowNote { number: first, sentence: format!("{rows} the same reason, from here to {last}: {reason}") })
        };
        let mut notes: Vec<_> = self.0.into_iter().filter_map(note).collect();
        notes.sort_by_key(|note| note.number);
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{FailureKind, Operation, OperationId, OperationKind, PlantId, Timestamp};

    #[test]
    fn rows_after_the_tenth_with_the_same_reason_are_counted_in_one_note() {
        let failed = |kind| {
            let id = OperationId { origin: 1, number: 1 };
            let operation = Operation::new(id, OperationKind::Delete(PlantId(1)), Timestamp(0));
            Exchange::failed(operation, kind, String::new(), Timestamp(0))
        };
        let mut repeats = Repeats::default();
        // They come in another order than that of the file.
        let unnamed = (2..=41).map(|line| RowNumber::of_line(if line % 2 == 0 { line + 1 } else { line - 1 }));
        let unnamed = unnamed.filter(|number| repeats.count(*number, &failed(FailureKind::NoResponse)).0).count();
        assert_eq!(unnamed, 30);
        assert_eq!(repeats.count(RowNumber::of_line(50), &failed(FailureKind::TaskDied)), (false, false));
        let notes = repeats.notes().iter().map(ToString::to_string).collect::<Vec<_>>();
        let reason = "the connection ended without a usable response";
        assert_eq!(notes, [format!("line 12: 30 more rows have the same reason, from here to line 41: {reason}")]);
    }
}
