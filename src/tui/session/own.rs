//! The plants of a person in the demo store, which are lost with it: not its samples, and not those of the tour.

use std::collections::BTreeSet;

use crate::domain::{Exchange, OperationKind, Outcome, PlantId};

#[derive(Debug, Default)]
pub(super) struct OwnPlants {
    /// Added one by one.
    added: BTreeSet<PlantId>,
    /// Those of the demo and of the tour.
    given: BTreeSet<PlantId>,
    /// Imported, and not deleted since.
    pub(super) imported: u64,
}

impl OwnPlants {
    /// Takes the end of an operation; `is_given` means that the demo or the tour adds the plant.
    pub(super) fn handle_end(&mut self, exchange: &Exchange, is_given: bool) {
        let plant = exchange.operation.kind.plant_id();
        match (&exchange.operation.kind, exchange.outcome()) {
            (OperationKind::Add(_), Outcome::Accepted | Outcome::Unknown) => {
                let plants = if is_given { &mut self.given } else { &mut self.added };
                plants.insert(plant);
            }
            (OperationKind::Delete(_), Outcome::Accepted) => self.forget(plant),
            (OperationKind::Add(_) | OperationKind::Delete(_), _) => {}
        }
    }

    pub(super) fn forget(&mut self, plant: PlantId) {
        if !self.added.remove(&plant) && !self.given.remove(&plant) {
            self.imported = self.imported.saturating_sub(1);
        }
    }

    /// Counts them, of a list of so many.
    pub(super) fn count(&self, listed: usize) -> usize {
        let imported = usize::try_from(self.imported).unwrap_or(usize::MAX);
        self.added.len().saturating_add(imported).min(listed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{FailureKind, Operation, OperationId, Plant, Timestamp};

    #[test]
    fn what_was_imported_and_deleted_is_no_longer_counted() {
        let mut own = OwnPlants { imported: 2, ..OwnPlants::default() };
        let mut end = |kind: OperationKind, is_given| {
            let operation = Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0));
            // An unknown add counts; an accepted delete is known to the caller alone.
            let exchange = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
            own.handle_end(&exchange, is_given);
            own.count(9)
        };
        let add = |id| OperationKind::add(Plant { name: String::new(), id: PlantId(id), tag: String::new() });
        assert_eq!((end(add(1), true), end(add(2), false)), (2, 3));
        // A sample, an imported plant, one that was added.
        let mut left = |id| {
            own.forget(PlantId(id));
            own.count(9)
        };
        assert_eq!([1, 20, 2].map(&mut left), [3, 2, 1]);
    }
}
