//! Random scripts: the list agrees with the fold in memory, and rebuilt plants are true or unknown.

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Step {
    Operation { id: i64, is_add: bool, outcome: Option<Outcome> },
    Resolve { id: i64, resolution: Resolution },
    Trim,
    Look { around: i64, rows: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let outcome = prop::option::weighted(0.8, prop::sample::select(Outcome::ALL.to_vec()));
    let resolution = prop::sample::select(vec![Resolution::MarkStored, Resolution::Forget]);
    let step = prop_oneof![
        6 => (-8..8_i64, any::<bool>(), outcome).prop_map(|(id, is_add, outcome)| Step::Operation { id, is_add, outcome }),
        1 => (-8..8_i64, resolution).prop_map(|(id, resolution)| Step::Resolve { id, resolution }),
        1 => Just(Step::Trim),
        2 => (-9..9_i64, 0..6_usize).prop_map(|(around, rows)| Step::Look { around, rows }),
    ];
    prop::collection::vec(step, 0..60)
}

/// The fold in memory.
#[derive(Default)]
struct Plain(std::collections::BTreeMap<i64, Fold>);

impl Plain {
    fn apply(&mut self, id: i64, event: PlantEvent) {
        let fold = self.0.entry(id).or_insert_with(|| Fold::new(PlantId(id)));
        fold.apply(&event.of(ME, Position::default()));
        if fold.state().is_none() {
            self.0.remove(&id);
        }
    }

    fn rows(&self) -> Vec<Row> {
        self.0.values().filter_map(|fold| fold.row(&alone())).collect()
    }
}

/// Runs a step of a script, except a look; returns the result of a resolution.
async fn carry_out(journal: &Journal, number: u32, step: &Step) -> Result<(), JournalError> {
    match step {
        Step::Operation { id, is_add, outcome } => {
            let operation = operation(number, *id, *is_add);
            journal.record_intent(operation.clone()).await.unwrap();
            if let Some(outcome) = outcome {
                journal.end(ended_with(&operation, *outcome), NOW).await.unwrap();
            }
        }
        Step::Resolve { id, resolution } => {
            return journal.resolve(decided(journal, *id).await, *resolution, NOW).await;
        }
        Step::Trim => return journal.trim(Timestamp(NOW.0 + 1), false).await.map(drop),
        Step::Look { .. } => {}
    }
    Ok(())
}

fn operation(number: u32, id: i64, is_add: bool) -> Operation {
    if is_add { add(1, number, id, &format!("n{number}")) } else { delete(1, number, id) }
}

proptest! {
    #![proptest_config(some_cases())]

    #[test]
    fn lost_rows_are_folded_again(script in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let journal = on_disk(folder.path(), 1).await;
            for (number, step) in (1..).zip(&script) {
                // Fails for a plant that is in flight or not in the list.
                let _ = carry_out(&journal, number, step).await;
            }
            let (before, history) = (whole(&journal).await, journal.exchanges(Filter::default(), None, 1000).await);
            journal.close().await;
            let (damaged, rebuilt) = (folder.path().join("journal.db"), folder.path().join("rebuilt"));
            rusqlite::Connection::open(&damaged).unwrap().execute("UPDATE plant SET fold = 'lost'", []).unwrap();
            fs::write(&rebuilt, "").unwrap();
            let saved = salvage::rebuild(&damaged, &rebuilt).unwrap();
            assert_eq!((saved.plants, saved.complete), (before.total, before.total == 0));
            fs::rename(&rebuilt, &damaged).unwrap();
            // With the same origin, so that operations in flight are no orphans.
            let journal = on_disk(folder.path(), 1).await;
            assert_eq!(whole(&journal).await, before);
            assert_eq!(journal.exchanges(Filter::default(), None, 1000).await, history);
        });
    }
}

/// The entries to spoil besides all rows of the list: a statement, and the position of a row.
fn spoilt() -> impl Strategy<Value = Vec<(&'static str, usize)>> {
    let entries = ["UPDATE exchange SET outcome", "UPDATE entry SET resolution", "UPDATE unlisted SET how"];
    prop::collection::vec((prop::sample::select(entries.to_vec()), 0..30_usize), 0..4)
}

proptest! {
    #![proptest_config(some_cases())]

    /// After any entry is lost, every plant is still in the list, with its former state or unknown, and
    /// the next start finds no damage.
    #[test]
    fn rebuilt_plants_have_their_former_state_or_are_unknown(script in steps(), spoilt in spoilt()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let journal = on_disk(folder.path(), 1).await;
            for (number, step) in (1..).zip(&script) {
                let _ = carry_out(&journal, number, step).await;
            }
            let before = whole(&journal).await.rows;
            journal.close().await;
            let path = folder.path().join("journal.db");
            let conn = rusqlite::Connection::open(&path).unwrap();
            conn.execute("UPDATE plant SET fold = 'lost'", []).unwrap();
            for (what, place) in spoilt {
                let table = what.split(' ').nth(1).unwrap();
                let row = format!("(SELECT rowid FROM {table} ORDER BY rowid LIMIT 1 OFFSET {place})");
                conn.execute(&format!("{what} = 99 WHERE rowid = {row}"), []).unwrap();
            }
            drop(conn);
            files::mark_damaged(&path);
            let opened = opened(folder.path(), 2).await;
            assert!(opened.set_aside.is_some());
            let after = whole(&opened.journal).await.rows;
            let state = |rows: &[Row], id| rows.iter().find(|row| row.id == id).map(|row| row.state);
            for row in &after {
                let is_true = state(&before, row.id) == Some(row.state);
                assert!(row.state == State::Unknown || is_true, "{row:?} was {:?}", state(&before, row.id));
            }
            for row in &before {
                assert!(state(&after, row.id).is_some(), "{row:?} is gone");
            }
            opened.journal.unlisted(String::new(), 100).await.unwrap();
            opened.journal.exchanges(Filter::default(), None, 100).await.unwrap();
            opened.journal.close().await;
            assert_eq!(super::opened(folder.path(), 3).await.set_aside, None);
        });
    }
}

proptest! {
    #![proptest_config(some_cases())]

    #[test]
    fn the_list_agrees_with_the_fold_in_memory(script in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let journal = in_memory().await;
            let mut plain = Plain::default();
            for (number, step) in (1..).zip(script) {
                let carried_out = carry_out(&journal, number, &step).await;
                match step {
                    Step::Operation { id, is_add, outcome } => {
                        let operation = operation(number, id, is_add);
                        plain.apply(id, PlantEvent::Intent(operation.clone()));
                        if let Some(outcome) = outcome {
                            plain.apply(id, ended_event(operation.id, outcome));
                        }
                    }
                    Step::Resolve { id, resolution } => {
                        let taken = plain.0.get(&id).is_some_and(|fold| {
                            let unknown = fold.unknown(&alone()).map(|unknown| unknown.operation);
                            fold.is_unchanged(&Decided { id: fold.id(), seen: fold.seen(), unknown }, &alone())
                        });
                        assert_eq!(carried_out, if taken { Ok(()) } else { Err(JournalError::Overtaken) });
                        if taken {
                            plain.apply(id, resolved(resolution));
                        }
                    }
                    Step::Trim => assert_eq!(carried_out, Ok(())),
                    Step::Look { around, rows } => {
                        let anchor = Anchor::Around(PlantId(around));
                        let window = window(&journal, anchor, rows).await;
                        let all = plain.rows();
                        let below = all.iter().filter(|row| row.id.0 < around).count();
                        let first = below.saturating_sub(rows / 2).min(all.len().saturating_sub(rows));
                        assert_eq!(window.first, first);
                        assert_eq!(window.rows, all.into_iter().skip(first).take(rows).collect::<Vec<_>>());
                    }
                }
            }
            let window = whole(&journal).await;
            assert_eq!(window.tally, recount(&window.rows));
            assert_eq!(window.total, window.rows.len());
            assert_eq!(window.rows, plain.rows());
            assert_follows_from_entries(&journal).await;
        });
    }
}
