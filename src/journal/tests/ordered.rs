//! Windows of the sorted list agree with filtering and sorting all rows in memory.

use std::cmp::Ordering;

use proptest::prelude::*;

use super::*;
use crate::text::caseless::caseless;

#[derive(Debug, Clone)]
enum Step {
    Operation {
        by: usize,
        id: i64,
        name: Option<&'static str>,
        outcome: Option<Outcome>,
    },
    Resolve {
        id: i64,
        resolution: Resolution,
    },
    /// More changes at once than are applied one by one.
    Flood {
        ids: std::ops::Range<i64>,
    },
    Look {
        arrangement: Arrangement,
        anchor: Anchor,
        rows: usize,
    },
}

const NAMES: [&str; 9] = ["", "fern", "Fern", "FERN", "Échev", "échev", "aloe 7", "ß", "SS"];

/// Tests of plants; words of a filter become the same.
fn test() -> impl Strategy<Value = Test> {
    let part = prop::sample::select(["fern", "é", "-1", "7", "t", "no such"].map(str::to_owned).to_vec());
    let whole = (prop::sample::select(vec![TextColumn::Name, TextColumn::Tag]), prop::sample::select(NAMES.to_vec()));
    prop_oneof![
        3 => part.clone().prop_map(Test::Text),
        1 => part.clone().prop_map(Test::Name),
        1 => part.prop_map(Test::Tag),
        1 => whole.prop_map(|(of, text)| Test::Is(of, caseless(text))),
        1 => (0..1400_i64).prop_map(|time| Test::Since(Timestamp(time))),
        1 => (0..1400_i64).prop_map(|time| Test::Before(Timestamp(time))),
        1 => (-3..14_i64).prop_map(|id| Test::Id(PlantId(id))),
        3 => prop::sample::select(State::ALL.to_vec()).prop_map(Test::State),
    ]
}

fn arrangement() -> impl Strategy<Value = Arrangement> {
    let columns = vec![Column::Id, Column::Name, Column::Tag, Column::State, Column::Since];
    (super::logged::filter(test()), prop::sample::select(columns), any::<bool>())
        .prop_map(|(filter, column, descending)| Arrangement { filter, column, descending })
}

fn anchor() -> impl Strategy<Value = Anchor> {
    prop_oneof![
        Just(Anchor::Index(0)),
        Just(Anchor::Index(usize::MAX)),
        (0..20_usize).prop_map(Anchor::Index),
        (-3..14_i64).prop_map(|id| Anchor::Around(PlantId(id))),
    ]
}

/// A script that mostly uses one arrangement, so that its sorted index stays cached.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    arrangement().prop_flat_map(|usual| prop::collection::vec(step(usual), 0..40))
}

fn step(usual: Arrangement) -> impl Strategy<Value = Step> {
    let outcome = prop::option::weighted(0.8, prop::sample::select(Outcome::ALL.to_vec()));
    let name = prop::option::weighted(0.7, prop::sample::select(NAMES.to_vec()));
    let kind = (0..2_usize, -3..14_i64, name, outcome);
    let resolution = prop::sample::select(vec![Resolution::MarkStored, Resolution::Forget]);
    let look = (prop_oneof![6 => Just(usual), 1 => arrangement()], anchor(), 0..9_usize);
    prop_oneof![
        8 => kind.prop_map(|(by, id, name, outcome)| Step::Operation { by, id, name, outcome }),
        2 => (-3..14_i64, resolution).prop_map(|(id, resolution)| Step::Resolve { id, resolution }),
        1 => (0..40_i64).prop_map(|from| Step::Flood { ids: from..from + 60 }),
        8 => look.prop_map(|(arrangement, anchor, rows)| Step::Look { arrangement, anchor, rows }),
    ]
}

/// Compares without case, then with case; a missing text is last.
fn by_text(a: Option<&str>, b: Option<&str>, descending: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => {
            let order = caseless(a).cmp(&caseless(b)).then(a.cmp(b));
            if descending { order.reverse() } else { order }
        }
        (a, b) => a.is_none().cmp(&b.is_none()),
    }
}

fn rank(state: State) -> usize {
    [State::Unknown, State::Adding, State::Deleting, State::Stored].iter().position(|known| *known == state).unwrap()
}

fn arranged(mut rows: Vec<Row>, arrangement: &Arrangement) -> Vec<Row> {
    let has = |text: Option<&str>, part: &str| text.is_some_and(|text| caseless(text).contains(part));
    rows.retain(|row| {
        arrangement.filter.matches(|test| match test {
            Test::Text(part) => has(row.name(), part) || has(row.tag(), part) || row.id.to_string().contains(part),
            Test::Name(part) => has(row.name(), part),
            Test::Tag(part) => has(row.tag(), part),
            Test::Id(id) => row.id == *id,
            Test::State(state) => row.state == *state,
            Test::Is(TextColumn::Name, whole) => row.name().is_some_and(|name| caseless(name) == *whole),
            Test::Is(TextColumn::Tag, whole) => row.tag().is_some_and(|tag| caseless(tag) == *whole),
            Test::Since(time) => row.changed_at >= *time,
            Test::Before(time) => row.changed_at < *time,
            Test::Outcome(_)
            | Test::Status(_)
            | Test::Response(_)
            | Test::Author(_)
            | Test::Is(TextColumn::Section | TextColumn::Response, _)
            | Test::OfCheck
            | Test::Origin(_)
            | Test::IsAdd
            | Test::IsDelete
            | Test::Section(_)
            | Test::Verdict(_) => false,
        })
    });
    let way = |order: Ordering| if arrangement.descending { order.reverse() } else { order };
    rows.sort_by(|a, b| {
        let order = match arrangement.column {
            Column::Id => way(a.id.cmp(&b.id)),
            Column::Name => by_text(a.name(), b.name(), arrangement.descending),
            Column::Tag => by_text(a.tag(), b.tag(), arrangement.descending),
            Column::State => way(rank(a.state).cmp(&rank(b.state))),
            Column::Since => way(a.changed_at.cmp(&b.changed_at)),
        };
        order.then(a.id.cmp(&b.id))
    });
    rows
}

fn expected(whole: Window, request: &WindowRequest) -> Window {
    let all = arranged(whole.rows, &request.arrangement);
    let last = all.len().saturating_sub(request.rows);
    let first = match request.anchor {
        Anchor::Index(index) => index.min(last),
        Anchor::Around(id) => match all.iter().position(|row| row.id == id) {
            Some(place) => place.saturating_sub(request.rows / 2).min(last),
            None if request.arrangement == Arrangement::default() => {
                all.iter().filter(|row| row.id < id).count().saturating_sub(request.rows / 2).min(last)
            }
            None => 0,
        },
    };
    let total = all.len();
    let rows: Vec<_> = all.into_iter().skip(first).take(request.rows).collect();
    let ids = rows.iter().map(|row| row.id);
    let unknown_deletes = ids.filter(|id| whole.unknown_deletes.contains(id)).collect();
    Window { rows, first, total, unknown_deletes, ..whole }
}

/// Requests a window until its order is current.
async fn current_window(journal: &Journal, request: &WindowRequest) -> Window {
    loop {
        let window = journal.window(request.clone()).await.unwrap();
        if window.late.is_none() {
            return window;
        }
    }
}

fn named(origin: u64, number: u32, id: i64, name: Option<&str>) -> Operation {
    let mut operation = match name {
        Some(name) => {
            let tag = name.chars().rev().collect();
            let kind = OperationKind::add(Plant { name: name.into(), id: PlantId(id), tag });
            Operation { kind, ..delete(origin, number, id) }
        }
        None => delete(origin, number, id),
    };
    operation.requested_at = Timestamp(i64::from(number / 3));
    operation
}

/// Runs a script with the journals of programs 1 and 2; lookups use the first.
async fn play(journals: &[Journal], script: &[Step]) {
    for (number, step) in (0..).step_by(100).zip(script) {
        match step {
            Step::Operation { by, id, name, outcome } => {
                let by = *by.min(&(journals.len() - 1));
                let operation = named(u64::try_from(by).unwrap() + 1, number, *id, *name);
                journals[by].record_intent(operation.clone()).await.unwrap();
                if let Some(outcome) = outcome {
                    journals[by].end(ended_with(&operation, *outcome), operation.requested_at).await.unwrap();
                }
            }
            Step::Resolve { id, resolution } => {
                // Fails for a plant that is in flight or not in the list.
                let _ = journals[0].resolve(decided(&journals[0], *id).await, *resolution, NOW).await;
            }
            Step::Flood { ids } => {
                let intents = ids.clone().zip(number..).map(|(id, number)| {
                    let name = NAMES[usize::try_from(id).unwrap() % NAMES.len()];
                    journals[0].record_intent(named(1, number, id, Some(name)))
                });
                assert!(join_all(intents).await.iter().all(Result::is_ok));
            }
            Step::Look { arrangement, anchor, rows } => {
                let (anchor, rows, arrangement) = (*anchor, *rows, arrangement.clone());
                let request = WindowRequest { anchor, rows, arrangement };
                let whole = whole(&journals[0]).await;
                let fitting = arranged(
                    whole.rows.clone(),
                    &Arrangement { filter: request.arrangement.filter.clone(), ..Arrangement::default() },
                );
                let fitting: Vec<_> = fitting.into_iter().take(rows).collect();
                assert_eq!(journals[0].fitting(request.arrangement.filter.clone(), None, rows).await, Ok(fitting));
                assert_eq!(current_window(&journals[0], &request).await, expected(whole, &request), "{request:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(some_cases())]

    #[test]
    fn windows_agree_with_filtering_and_sorting_in_memory(script in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            play(&[in_memory().await], &script).await;
            let folder = tempfile::tempdir().unwrap();
            play(&[on_disk(folder.path(), 1).await, on_disk(folder.path(), 2).await], &script).await;
        });
    }
}

/// Uses the sorted index of the writer of a journal in memory.
async fn with_sorted_index<T: Send + 'static>(
    journal: &Journal,
    look: impl FnOnce(&mut sorted_index::SortedIndex) -> T + Send + 'static,
) -> T {
    let (reply, response) = oneshot::channel();
    let work =
        move |database: &mut database::Database| drop(reply.send(look(database.access.cache.sorted.as_mut().unwrap())));
    journal.requests.send(Request::Do(Box::new(work))).unwrap();
    response.await.unwrap()
}

#[tokio::test]
async fn between_updates_a_window_shows_current_plants_in_the_old_order() {
    const HOUR: Duration = Duration::from_secs(3600);
    let journal = in_memory().await;
    for (number, id, name) in [(1, 1, "b"), (2, 2, "a"), (3, 3, "d"), (4, 4, "c")] {
        record_and_end(&journal, add(1, number, id, name), Outcome::Accepted).await;
    }
    let arrangement = Arrangement { column: Column::Name, ..Arrangement::default() };
    let request = WindowRequest { anchor: Anchor::Index(0), rows: 3, arrangement };
    assert_eq!(ids(&current_window(&journal, &request).await.rows), [2, 1, 4]);
    with_sorted_index(&journal, |order| order.next_update += HOUR).await;
    record_and_end(&journal, delete(1, 5, 2), Outcome::Accepted).await;
    record_and_end(&journal, add(1, 6, 6, "aa"), Outcome::Accepted).await;
    journal.record_intent(delete(1, 7, 1)).await.unwrap();
    let late = journal.window(request.clone()).await.unwrap();
    // A removed plant is missing, a changed one is current, and a new one is not yet there.
    assert_eq!((ids(&late.rows), late.total, late.first), (vec![1, 4, 3], 3, 0));
    assert_eq!(late.rows[0].state, State::Deleting);
    assert_eq!(late.tally, Tally { stored: 3, deleting: 1, ..Tally::default() });
    assert!(late.late.is_some_and(|rest| rest > HOUR / 2));
    // Another arrangement is sorted at once.
    let by_id = Arrangement { descending: true, ..Arrangement::default() };
    let other = journal.window(WindowRequest { arrangement: by_id, ..request.clone() }).await.unwrap();
    assert_eq!((ids(&other.rows), other.late), (vec![6, 4, 3], None));
    assert_eq!(ids(&current_window(&journal, &request).await.rows), [6, 1, 4]);
}
