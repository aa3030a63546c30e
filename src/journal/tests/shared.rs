//! Batches with invalid entries, written by several programs in turn, agree with the fold in memory,
//! whatever each program has in its write cache.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// The stores of the programs that have the journal open.
const STORES: [usize; 3] = [0, 0, 1];

#[derive(Debug, Clone)]
enum Step {
    /// A program records intents: ids, whether to add, and whether to repeat an earlier operation.
    Intents { program: usize, condition: Condition, intents: Vec<(i64, bool, bool)> },
    /// A program ends operations by position, counted round; without a position one that is not there.
    End { program: usize, ends: Vec<(Option<usize>, Outcome)> },
    /// A program resolves.
    Resolve { program: usize, id: i64, resolution: Resolution },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let program = 0..STORES.len();
    let intents = prop::collection::vec((0..6_i64, any::<bool>(), prop::bool::weighted(0.1)), 0..5);
    let states = [(false, false), (true, false), (false, true), (true, true)];
    let mut conditions = vec![Condition::None; 4];
    conditions.extend(states.map(|(unknown, stored)| Condition::MissingOr { unknown, stored }));
    // Mostly recent operations.
    let place = prop::option::weighted(0.9, prop_oneof![4 => 0..5_usize, 1 => 0..100_usize]);
    let ends = prop::collection::vec((place, prop::sample::select(Outcome::ALL.to_vec())), 0..5);
    let resolution = prop::sample::select(vec![Resolution::MarkStored, Resolution::Forget]);
    let step = prop_oneof![
        4 => (program.clone(), prop::sample::select(conditions), intents).prop_map(|(program, condition, intents)| Step::Intents { program, condition, intents }),
        4 => (program.clone(), ends).prop_map(|(program, ends)| Step::End { program, ends }),
        1 => (program, 0..6_i64, resolution)
            .prop_map(|(program, id, resolution)| Step::Resolve { program, id, resolution }),
    ];
    prop::collection::vec(step, 0..40)
}

/// Programs, and the fold of their entries by store.
struct Programs {
    journals: Vec<Journal>,
    /// The recorded operations with their stores, newest first.
    recorded: Vec<(usize, Operation)>,
    /// The number of operations so far.
    numbers: u32,
    folded: [BTreeMap<i64, Fold>; 2],
}

impl Programs {
    async fn on(folder: &Path) -> Self {
        let mut journals = Vec::new();
        for (program, store) in STORES.into_iter().enumerate() {
            journals.push(at_store(folder, &format!("http://plants.example/{store}"), program as u64).await);
        }
        Self { journals, recorded: Vec::new(), numbers: 0, folded: Default::default() }
    }

    fn apply(&mut self, store: usize, id: PlantId, event: PlantEvent) {
        let fold = self.folded[store].entry(id.0).or_insert_with(|| Fold::new(id));
        fold.apply(&event.of(ME, Position::default()));
        if fold.state().is_none() {
            self.folded[store].remove(&id.0);
        }
    }

    fn is_met(&self, condition: Condition, store: usize, id: i64) -> bool {
        let state = self.folded[store].get(&id).and_then(Fold::state);
        match condition {
            Condition::None => true,
            Condition::MissingOr { unknown, stored } => match state {
                None => true,
                Some(State::Unknown) => unknown,
                Some(State::Stored) => stored,
                Some(State::Adding | State::Deleting) => false,
            },
        }
    }

    async fn intend(&mut self, program: usize, condition: Condition, intents: Vec<(i64, bool, bool)>) {
        let (store, origin) = (STORES[program], program as u64);
        let (mut operations, mut is_good) = (Vec::new(), Vec::new());
        for (id, is_add, again) in intents {
            let known = self.recorded.iter().find(|(_, known)| known.id.origin == origin).filter(|_| again);
            if let Some((_, known)) = known {
                operations.push(known.clone());
                is_good.push(false);
                continue;
            }
            self.numbers += 1;
            let fresh = self.numbers;
            let operation =
                if is_add { add(origin, fresh, id, &format!("n{fresh}")) } else { delete(origin, fresh, id) };
            is_good.push(!is_add || self.is_met(condition, store, id));
            if is_good.last() == Some(&true) {
                self.apply(store, PlantId(id), PlantEvent::Intent(operation.clone()));
                self.recorded.insert(0, (store, operation.clone()));
            }
            operations.push(operation);
        }
        let results = self.journals[program].record_intents(operations, condition).await.unwrap();
        assert_eq!(stored(&results), is_good);
    }

    async fn end(&mut self, program: usize, ends: Vec<(Option<usize>, Outcome)>) {
        let mut exchanges = Vec::new();
        let mut ended = Vec::new();
        for (place, outcome) in ends {
            let known = place.and_then(|place| self.recorded.get(place % self.recorded.len().max(1))).cloned();
            // Late responses count, and so do ends of the operations of other programs with this store.
            let operation = known.as_ref().map_or_else(|| add(99, 1, 1, "never requested"), |(_, known)| known.clone());
            exchanges.push(Arc::new(ended_with(&operation, outcome)));
            let known = known.filter(|(store, _)| *store == STORES[program]);
            ended.push(known.map(|(store, operation)| (store, operation, outcome)));
        }
        let results = self.journals[program].end_and_intend(exchanges, NOW, Vec::new(), Condition::None).await.unwrap();
        let is_good: Vec<_> = ended.iter().map(Option::is_some).collect();
        assert_eq!(stored(&results), is_good);
        for (store, operation, outcome) in ended.into_iter().flatten() {
            self.apply(store, operation.kind.plant_id(), ended_event(operation.id, outcome));
        }
    }

    async fn resolve(&mut self, program: usize, id: i64, resolution: Resolution) {
        let (store, id) = (STORES[program], PlantId(id));
        let fold = self.folded[store].get(&id.0).cloned().unwrap_or_else(|| Fold::new(id));
        let unknown = fold.unknown(&alone()).map(|unknown| unknown.operation);
        let decided = Decided { id, seen: fold.seen(), unknown };
        let taken = fold.is_unchanged(&decided, &alone());
        let result = self.journals[program].resolve(decided, resolution, NOW).await;
        assert_eq!(result, if taken { Ok(()) } else { Err(JournalError::Overtaken) });
        if taken {
            self.apply(store, id, resolved(resolution));
        }
    }

    /// Compares the list of each program with the fold of its store.
    async fn agree(&self) {
        for (journal, store) in self.journals.iter().zip(STORES) {
            let rows: Vec<_> = self.folded[store].values().filter_map(|fold| fold.row(&alone())).collect();
            let window = whole(journal).await;
            assert_eq!((&window.rows, window.tally), (&rows, recount(&rows)));
        }
    }
}

proptest! {
    #![proptest_config(some_cases())]

    #[test]
    fn every_program_agrees_with_the_fold_in_memory(script in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let mut programs = Programs::on(folder.path()).await;
            for step in script {
                match step {
                    Step::Intents { program, condition, intents } => programs.intend(program, condition, intents).await,
                    Step::End { program, ends } => programs.end(program, ends).await,
                    Step::Resolve { program, id, resolution } => programs.resolve(program, id, resolution).await,
                }
                programs.agree().await;
            }
        });
    }
}

/// Returns which entries were stored.
fn stored(results: &EntryResults) -> Vec<bool> {
    results.iter().map(Result::is_ok).collect()
}

#[tokio::test]
async fn an_invalid_entry_in_the_middle_affects_no_other() {
    let folder = tempfile::tempdir().unwrap();
    for journal in [in_memory().await, on_disk(folder.path(), 1).await] {
        // The third is of another program, and the fifth repeats the fourth.
        let good = |number: u32| add(1, number, number.into(), "n");
        let intents = vec![good(1), good(2), add(2, 3, 3, "n"), good(4), good(4), good(5)];
        let results = journal.record_intents(intents, Condition::None).await.unwrap();
        assert_eq!(stored(&results), [true, true, false, true, false, true]);
        assert_eq!(ids(&whole(&journal).await.rows), [1, 2, 4, 5]);
        let ends = [good(1), good(3), good(2), good(9), good(5)];
        let ends = ends.iter().map(|operation| Arc::new(ended_with(operation, Outcome::Accepted))).collect();
        let results = journal.end_and_intend(ends, NOW, Vec::new(), Condition::None).await.unwrap();
        assert_eq!(stored(&results), [true, false, true, false, true]);
        let window = whole(&journal).await;
        let states: Vec<_> = window.rows.iter().map(|row| (row.id.0, row.state.word())).collect();
        assert_eq!(states, [(1, "stored"), (2, "stored"), (4, "adding"), (5, "stored")]);
        assert_eq!(window.tally, recount(&window.rows));
        assert_eq!(journal.exchanges(Filter::default(), None, 10).await.unwrap().len(), 3);
        // Entries that are valid now are stored.
        assert_eq!(
            stored(&journal.record_intents(vec![good(3), good(9)], Condition::None).await.unwrap()),
            [true, true]
        );
        assert_eq!(stored(&journal.record_intents(Vec::new(), Condition::None).await.unwrap()), [false; 0]);
        assert_eq!(
            stored(&journal.end_and_intend(Vec::new(), NOW, Vec::new(), Condition::None).await.unwrap()),
            [false; 0]
        );
    }
}

#[tokio::test]
async fn a_batch_of_invalid_entries_stores_nothing() {
    let journal = in_memory().await;
    let intents = (1..=3).map(|number| add(2, number, 1, "n")).collect();
    let results = journal.record_intents(intents, Condition::None).await.unwrap();
    assert_eq!(stored(&results), [false; 3]);
    let ends = (1..=3).map(|number| Arc::new(ended_with(&add(1, number, 1, "n"), Outcome::Accepted)));
    assert_eq!(
        stored(&journal.end_and_intend(ends.collect(), NOW, Vec::new(), Condition::None).await.unwrap()),
        [false; 3]
    );
    assert_eq!(whole(&journal).await.rows, []);
}

#[tokio::test]
async fn the_write_cache_is_cleared_when_another_program_writes() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (on_disk(folder.path(), 1).await, on_disk(folder.path(), 2).await);
    let mine = add(1, 1, 7, "mine");
    one.record_intent(mine.clone()).await.unwrap();
    record_and_end(&other, add(2, 1, 7, "theirs"), Outcome::Accepted).await;
    // The first program's cache holds only its own add.
    one.end(ended_with(&mine, Outcome::Rejected), NOW).await.unwrap();
    let rows = whole(&one).await.rows;
    assert_eq!(rows.iter().map(|row| (row.name(), row.state)).collect::<Vec<_>>(), [(Some("theirs"), State::Stored)]);
    assert_eq!(whole(&other).await.rows, rows);
}
