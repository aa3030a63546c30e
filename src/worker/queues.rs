//! Decides which operation may go next: one at a time on each id, in the order submitted, and so many at
//! once. Knows operations by their ids alone.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use crate::domain::{OperationId, PlantId};

/// Whose slots an operation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Priority {
    Single,
    Batch,
}

#[derive(Debug, Default)]
struct Slots {
    /// Operations that may go, in the order in which they became ready.
    ready: VecDeque<OperationId>,
    /// How many are out.
    taken: usize,
}

/// Operations that were submitted and are not over.
#[derive(Debug, Default)]
pub(super) struct Queues {
    /// On each id, in the order submitted. Only the first may go.
    by_plant: HashMap<PlantId, VecDeque<OperationId>>,
    single: Slots,
    batch: Slots,
}

impl Queues {
    fn slots(&mut self, priority: Priority) -> &mut Slots {
        match priority {
            Priority::Single => &mut self.single,
            Priority::Batch => &mut self.batch,
        }
    }

    pub(super) fn submitted(&mut self, plant: PlantId, operation: OperationId) {
        self.by_plant.entry(plant).or_default().push_back(operation);
    }

    pub(super) fn is_first(&self, plant: PlantId, operation: OperationId) -> bool {
        self.by_plant.get(&plant).and_then(VecDeque::front) == Some(&operation)
    }

    pub(super) fn is_ready(&mut self, priority: Priority, operation: OperationId) {
        self.slots(priority).ready.push_back(operation);
    }

    /// Takes the next operation that may go, if fewer than `concurrency` of its priority are out. It may
    /// have ended since it became ready.
    pub(super) fn next(&mut self, priority: Priority, concurrency: usize) -> Option<OperationId> {
        let slots = self.slots(priority);
        if slots.taken < concurrency { slots.ready.pop_front() } else { None }
    }

    pub(super) fn went_out(&mut self, priority: Priority) {
        self.slots(priority).taken += 1;
    }

    pub(super) fn came_back(&mut self, priority: Priority) {
        let slots = self.slots(priority);
        slots.taken = slots.taken.saturating_sub(1);
    }

    /// Forgets an operation, and returns the one that is now the first on its id.
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
            queues.submitted(plant, operation(number));
        }
        assert!(queues.is_first(plant, operation(1)) && !queues.is_first(plant, operation(2)));
        // One that is cancelled in the middle opens no way.
        assert_eq!(queues.over(plant, operation(2)), Some(operation(1)));
        assert_eq!(queues.over(plant, operation(1)), Some(operation(3)));
        assert_eq!(queues.over(plant, operation(3)), None);
        assert!(queues.by_plant.is_empty());
    }

    #[test]
    fn each_lot_has_slots_of_its_own() {
        let mut queues = Queues::default();
        for number in 1..=3 {
            queues.is_ready(Priority::Batch, operation(number));
        }
        queues.is_ready(Priority::Single, operation(9));
        for number in 1..=2 {
            assert_eq!(queues.next(Priority::Batch, 2), Some(operation(number)));
            queues.went_out(Priority::Batch);
        }
        assert_eq!(queues.next(Priority::Batch, 2), None);
        assert_eq!(queues.next(Priority::Single, 2), Some(operation(9)));
        queues.came_back(Priority::Batch);
        assert_eq!(queues.next(Priority::Batch, 2), Some(operation(3)));
    }
}
