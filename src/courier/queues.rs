//! Which operation may go next: one at a time on each id, in the order asked, and so many at once.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use crate::domain::{OperationId, PlantId};

/// Of whom an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lot {
    /// Asked for by itself.
    Hand,
    /// One of many.
    Batch,
}

/// Operations of one lot.
#[derive(Debug, Default)]
struct Places {
    /// Those that may go, in the order in which they came to be so.
    ready: VecDeque<OperationId>,
    /// How many are out.
    out: usize,
}

/// What is asked and not over.
#[derive(Debug, Default)]
pub(super) struct Queues {
    /// On each id, in the order asked. Only the first may go.
    by_plant: HashMap<PlantId, VecDeque<OperationId>>,
    by_hand: Places,
    of_batch: Places,
}

impl Queues {
    fn places(&mut self, lot: Lot) -> &mut Places {
        match lot {
            Lot::Hand => &mut self.by_hand,
            Lot::Batch => &mut self.of_batch,
        }
    }

    /// An operation was asked for.
    pub(super) fn asked(&mut self, plant: PlantId, operation: OperationId) {
        self.by_plant.entry(plant).or_default().push_back(operation);
    }

    /// Whether nothing on its id is before it.
    pub(super) fn is_first(&self, plant: PlantId, operation: OperationId) -> bool {
        self.by_plant.get(&plant).and_then(VecDeque::front) == Some(&operation)
    }

    /// Nothing holds it back any more.
    pub(super) fn is_ready(&mut self, lot: Lot, operation: OperationId) {
        self.places(lot).ready.push_back(operation);
    }

    /// The next that may go, if fewer than so many of its lot are out. The caller knows whether it
    /// still waits to.
    pub(super) fn next(&mut self, lot: Lot, concurrency: usize) -> Option<OperationId> {
        let places = self.places(lot);
        if places.out < concurrency { places.ready.pop_front() } else { None }
    }

    /// It went out.
    pub(super) fn went_out(&mut self, lot: Lot) {
        self.places(lot).out += 1;
    }

    /// It is not out any more.
    pub(super) fn came_back(&mut self, lot: Lot) {
        let places = self.places(lot);
        places.out = places.out.saturating_sub(1);
    }

    /// It is over: the one that was next on its id is the first now.
    pub(super) fn over(&mut self, plant: PlantId, operation: OperationId) -> Option<OperationId> {
        let Entry::Occupied(mut queue) = self.by_plant.entry(plant) else { return None };
        queue.get_mut().retain(|other| *other != operation);
        let first = queue.get().front().copied();
        if first.is_none() {
            queue.remove();
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(number: u32) -> OperationId {
        OperationId { origin: 1, number }
    }

    #[test]
    fn on_one_id_one_goes_after_another() {
        let (mut queues, plant) = (Queues::default(), PlantId(7));
        for number in 1..=3 {
            queues.asked(plant, operation(number));
        }
        assert!(queues.is_first(plant, operation(1)) && !queues.is_first(plant, operation(2)));
        // One that is cancelled in the middle opens no way.
        assert_eq!(queues.over(plant, operation(2)), Some(operation(1)));
        assert_eq!(queues.over(plant, operation(1)), Some(operation(3)));
        assert_eq!(queues.over(plant, operation(3)), None);
        assert!(queues.by_plant.is_empty());
    }

    #[test]
    fn each_lot_has_places_of_its_own() {
        let mut queues = Queues::default();
        for number in 1..=3 {
            queues.is_ready(Lot::Batch, operation(number));
        }
        queues.is_ready(Lot::Hand, operation(9));
        for number in 1..=2 {
            assert_eq!(queues.next(Lot::Batch, 2), Some(operation(number)));
            queues.went_out(Lot::Batch);
        }
        assert_eq!(queues.next(Lot::Batch, 2), None);
        assert_eq!(queues.next(Lot::Hand, 2), Some(operation(9)));
        queues.came_back(Lot::Batch);
        assert_eq!(queues.next(Lot::Batch, 2), Some(operation(3)));
    }
}
