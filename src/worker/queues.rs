//! Decides which operation is sent next: one at a time on each id, in the order of submission, and a maximum number at
//! once. Must not know operations beyond their ids.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use crate::domain::{OperationId, PlantId};

/// Which slots an operation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Priority {
    Single,
    Batch,
}

#[derive(Debug, Default)]
pub(super) struct Slots {
    /// Operations to send, in the order in which they became ready.
    ready: VecDeque<OperationId>,
    /// Number of operations in flight.
    pub(super) taken: usize,
}

/// Operations that were submitted and have not ended.
#[derive(Debug, Default)]
pub(super) struct Queues {
    /// In the order of submission. Only the first one on an id may be sent.
    by_plant: HashMap<PlantId, VecDeque<OperationId>>,
    single: Slots,
    batch: Slots,
}

impl Queues {
    pub(super) fn slots(&mut self, priority: Priority) -> &mut Slots {
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

    pub(super) fn mark_ready(&mut self, priority: Priority, operation: OperationId) {
        self.slots(priority).ready.push_back(operation);
    }

    /// Takes the next ready operation, if fewer than `concurrency` of its priority are in flight. The operation may
    /// have ended since it became ready.
    pub(super) fn next(&mut self, priority: Priority, concurrency: usize) -> Option<OperationId> {
        let slots = self.slots(priority);
        if slots.taken < concurrency { slots.ready.pop_front() } else { None }
    }

    /// Removes an operation, and returns the one that is now the first on its id.
    pub(super) fn remove(&mut self, plant: PlantId, operation: OperationId) -> Option<OperationId> {
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
    fn operations_on_one_id_are_sent_one_after_another() {
        let (mut queues, plant) = (Queues::default(), PlantId(7));
        for number in 1..=3 {
            queues.submitted(plant, operation(number));
        }
        assert!(queues.is_first(plant, operation(1)) && !queues.is_first(plant, operation(2)));
        // The removal of one in the middle does not change the first.
        assert_eq!(queues.remove(plant, operation(2)), Some(operation(1)));
        assert_eq!(queues.remove(plant, operation(1)), Some(operation(3)));
        assert_eq!(queues.remove(plant, operation(3)), None);
        assert!(queues.by_plant.is_empty());
    }

    #[test]
    fn single_operations_and_batches_have_separate_slots() {
        let mut queues = Queues::default();
        for number in 1..=3 {
            queues.mark_ready(Priority::Batch, operation(number));
        }
        queues.mark_ready(Priority::Single, operation(9));
        for number in 1..=2 {
            assert_eq!(queues.next(Priority::Batch, 2), Some(operation(number)));
            queues.slots(Priority::Batch).taken += 1;
        }
        assert_eq!(queues.next(Priority::Batch, 2), None);
        assert_eq!(queues.next(Priority::Single, 2), Some(operation(9)));
        queues.slots(Priority::Batch).taken -= 1;
        assert_eq!(queues.next(Priority::Batch, 2), Some(operation(3)));
    }
}
