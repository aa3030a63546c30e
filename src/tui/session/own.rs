//! The plants of a person in the demo store, which are lost with it: not its samples, and not those of the tour.

use std::collections::BTreeSet;

use crate::domain::{Exchange, OperationKind, Outcome, PlantId};

#[derive(Debug, Default)]
pub(super) struct OwnPlants {
    /// Added one by one.
    added: BTreeSet<PlantId>,
    pub(super) imported: u64,
}

impl OwnPlants {
    /// Takes the end of an operation; `is_given` means that the demo or the tour adds the plant.
    pub(super) fn handle_end(&mut self, exchange: &Exchange, is_given: bool) {
        let plant = exchange.operation.kind.plant_id();
        match (&exchange.operation.kind, exchange.outcome()) {
            (OperationKind::Add(_), Outcome::Accepted | Outcome::Unknown) if !is_given => {
                self.added.insert(plant);
            }
            (OperationKind::Delete(_), Outcome::Accepted) => self.forget(plant),
            (OperationKind::Add(_) | OperationKind::Delete(_), _) => {}
        }
    }

    pub(super) fn forget(&mut self, plant: PlantId) {
        self.added.remove(&plant);
    }

    /// Counts them, of a list of so many.
    pub(super) fn count(&self, listed: usize) -> usize {
        let imported = usize::try_from(self.imported).unwrap_or(usize::MAX);
        self.added.len().saturating_add(imported).min(listed)
    }
}
