//! Reports of the contract check, and its leftovers.

use super::*;
use crate::check::tests::{Honest, exchange, responded as response, without_response};
use crate::check::{EarlierLeftover, EarlierRuns, Event, LastDelete, Order, Pace, Report, Run, Wanted};
use crate::domain::{Credentials, Probe};
use crate::extent::step;

fn probing(operation: Operation, probe: Probe) -> Operation {
    Operation { probe: Some(probe), ..operation }
}

fn open_probe() -> Probe {
    Probe { body: Some("{}".into()), leaves_id_open: true, ..Probe::default() }
}

/// The report of a run that was abandoned at once.
fn report(started: i64) -> Report {
    let url = store();
    let mut run =
        Run::new(&url, Timestamp(started), Wanted::default(), Pace::Fixed(Duration::ZERO), 1, &EarlierRuns::default());
    assert!(matches!(run.handle(Event::Begin), Some(Order::Send(..))));
    run.handle(Event::Abandon("it was given up"));
    run.report()
}

#[tokio::test]
async fn reports_of_every_store_are_returned_newest_first() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    journal.keep_run(report(1)).await.unwrap();
    journal.keep_run(report(2)).await.unwrap();
    journal.close().await;
    let there = elsewhere(folder.path(), 2).await;
    assert_eq!(there.runs(10).await.unwrap(), [report(2), report(1)]);
    assert_eq!(there.runs(1).await.unwrap(), [report(2)]);
}

#[tokio::test]
async fn a_probe_is_stored_with_its_operation() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    let operation = probing(add(1, 1, 7, "Plants Check"), open_probe());
    journal.record_intent(operation.clone()).await.unwrap();
    journal.end(responded(&operation, 400, b"no"), NOW).await.unwrap();
    let absent = OperationId { origin: 1, number: 2 };
    let found = journal.exchanges_of(vec![operation.id, absent]).await.unwrap();
    assert_eq!(found.iter().map(|stored| &stored.exchange.operation).collect::<Vec<_>>(), [&operation]);
    // It is in no list, is not offered for a re-add, and its id does not count as used.
    assert_eq!(whole(&journal).await.rows, []);
    assert_eq!(journal.unlisted(String::new(), 10).await.unwrap(), []);
    assert_eq!(journal.next_free_id().await.unwrap(), PlantId(1));
}

#[tokio::test]
async fn leftovers_are_found_after_their_program_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (on_disk(folder.path(), 1).await, on_disk(folder.path(), 2).await);
    let record_and_end = async |journal: &Journal, operation: Operation, status: u16| {
        journal.record_intent(operation.clone()).await.unwrap();
        journal.end(responded(&operation, status, b""), NOW).await.unwrap();
    };
    let plain = |number, id| probing(add(1, number, id, "Plants Check"), Probe::default());
    record_and_end(&one, plain(1, 101), 201).await;
    record_and_end(&one, plain(2, 102), 500).await;
    record_and_end(&one, probing(add(1, 3, 103, "Plants Check"), open_probe()), 201).await;
    // Rejected, deleted, and added by a person since.
    record_and_end(&one, plain(4, 104), 409).await;
    record_and_end(&one, plain(5, 105), 201).await;
    record_and_end(&one, probing(delete(1, 6, 105), Probe::default()), 204).await;
    record_and_end(&one, plain(7, 106), 201).await;
    record_and_end(&one, add(1, 8, 106, "Fern"), 201).await;
    record_and_end(&one, add(1, 9, 107, "Ivy"), 500).await;
    // In flight when its program ends.
    one.record_intent(plain(10, 108)).await.unwrap();

    let ids = |left: Vec<EarlierLeftover>| left.iter().map(|leftover| leftover.id.0).collect::<Vec<_>>();
    assert_eq!(ids(one.before_check().await.unwrap().leftovers), [101, 102, 103]);
    assert_eq!(ids(two.before_check().await.unwrap().leftovers), [0; 0]);
    assert_eq!(one.next_free_id().await.unwrap(), PlantId(108));
    one.close().await;
    drop(two);
    let three = on_disk(folder.path(), 3).await;
    let left = three.before_check().await.unwrap().leftovers;
    assert_eq!(left.last().map(|leftover| leftover.probe.clone()), Some(Probe::default()));
    let accepted: Vec<_> = left.iter().map(|leftover| leftover.accepted).collect();
    assert_eq!(accepted, [true, false, true, false]);
    assert_eq!(ids(left), [101, 102, 103, 108]);

    // A plant that a person has added or deleted since is not a leftover.
    record_and_end(&three, add(3, 1, 102, "Fern"), 201).await;
    record_and_end(&three, delete(3, 2, 101), 204).await;
    record_and_end(&three, delete(3, 3, 103), 404).await;
    assert_eq!(ids(three.before_check().await.unwrap().leftovers), [103, 108]);

    // A person's delete that finds no plant shows that it is gone; another rejection does not.
    record_and_end(&three, probing(add(3, 10, 109, "Plants Check"), Probe::default()), 201).await;
    record_and_end(&three, delete(3, 11, 109), 403).await;
    assert_eq!(ids(three.before_check().await.unwrap().leftovers), [103, 108, 109]);
    record_and_end(&three, delete(3, 12, 109), 404).await;
    assert_eq!(ids(three.before_check().await.unwrap().leftovers), [103, 108]);

    // Deletes of the check: without the token, without a response, accepted.
    let without_token = Probe { credentials: Credentials::None, ..Probe::default() };
    record_and_end(&three, probing(delete(3, 4, 103), without_token), 204).await;
    record_and_end(&three, probing(delete(3, 5, 108), Probe::default()), 500).await;
    let left = three.before_check().await.unwrap().leftovers;
    assert_eq!(left.iter().map(|left| left.last_delete).collect::<Vec<_>>(), [LastDelete::None, LastDelete::Unknown]);
    record_and_end(&three, probing(delete(3, 6, 108), Probe::default()), 204).await;
    assert_eq!(ids(three.before_check().await.unwrap().leftovers), [103]);
}

#[tokio::test]
async fn each_create_of_an_id_is_a_leftover_until_a_delete_is_accepted() {
    let journal = in_memory().await;
    let probing = |operation| probing(operation, Probe::default());
    for (number, outcome) in [(1, Outcome::Accepted), (2, Outcome::Unknown), (3, Outcome::Rejected)] {
        record_and_end(&journal, probing(add(1, number, 7, "Plants Check")), outcome).await;
    }
    for (number, outcome, left) in [(4, Outcome::Rejected, 2), (5, Outcome::Unknown, 2), (6, Outcome::Accepted, 0)] {
        record_and_end(&journal, probing(delete(1, number, 7)), outcome).await;
        assert_eq!(journal.before_check().await.unwrap().leftovers.len(), left, "{outcome:?}");
    }
}

#[tokio::test]
async fn a_page_shows_no_plant_and_one_long_id_shows_that_the_store_takes_them() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    let end = async |operation: Operation, status: u16, body: &[u8]| {
        journal.record_intent(operation.clone()).await.unwrap();
        let mut exchange = responded(&operation, status, body);
        let Ending::Responded(response) = &mut exchange.ending else { unreachable!() };
        response.headers = [Header { name: "Content-Type".into(), value: "text/html; charset=utf-8".into() }].into();
        journal.end(exchange, NOW).await.unwrap();
    };
    let in_run = |number, id, run| {
        probing(add(1, number, id, "Plants Check"), Probe { run: Some(Timestamp(run)), ..Probe::default() })
    };
    end(in_run(1, 0, 1), 200, b"<p>log in").await;
    end(in_run(2, 102, 1), 201, b"{}").await;
    end(in_run(3, 103, 1), 500, b"").await;
    end(in_run(4, 104, 2), 500, b"").await;
    end(in_run(5, crate::check::LONG_IDS.0, 2), 201, b"{}").await;
    let left = journal.before_check().await.unwrap().leftovers;
    let left: Vec<_> = left.iter().map(|left| (left.accepted, left.create_failed)).collect();
    assert_eq!(left, [(false, false), (true, false), (false, true), (false, false), (true, false)]);
}

/// Carries out a run on a store that loses responses and fails now and then, for so many requests.
async fn carry_out(journal: &Journal, seed: u64, most: usize) -> Run {
    let (mut random, mut store) = (fastrand::Rng::with_seed(seed), Honest::default());
    let (pace, before) = (Pace::Fixed(Duration::ZERO), EarlierRuns::default());
    let mut run = Run::new(&self::store(), NOW, Wanted::default(), pace, seed, &before);
    let (mut event, mut sent) = (Event::Begin, 0);
    loop {
        event = match run.handle(event).unwrap() {
            Order::Send(..) if sent == most => return run,
            Order::Send(kind, probe) => {
                sent += 1;
                let honest = store.response(&kind, &probe);
                let ending = match random.u32(0..12) {
                    0 => without_response(FailureKind::NoResponse),
                    1 => response(500, ""),
                    _ => honest,
                };
                let ended = exchange(u32::try_from(sent).unwrap(), kind, probe, ending);
                journal.record_intent(ended.operation.clone()).await.unwrap();
                journal.end(ended.clone(), NOW).await.unwrap();
                Event::Ended(Arc::new(ended), NOW)
            }
            Order::Pause(_) => Event::PauseOver,
            Order::Finish(report) => {
                journal.keep_run(*report).await.unwrap();
                return run;
            }
            Order::Cancel => unreachable!("nothing stops the run"),
        }
    }
}

#[tokio::test]
async fn after_a_run_the_journal_has_the_leftovers_of_its_report() {
    for seed in (0..40).step_by(step(5)) {
        let journal = in_memory().await;
        let run = carry_out(&journal, seed, usize::MAX).await;
        let EarlierRuns { leftovers: left, reports, .. } = journal.before_check().await.unwrap();
        assert_eq!(reports, if left.is_empty() { Vec::new() } else { vec![run.report()] });
        let mut reported: Vec<_> = run.report().left_to_the_next().collect();
        reported.sort_unstable();
        reported.dedup();
        let mut left: Vec<_> = left.into_iter().map(|left| left.id).collect();
        left.sort_unstable();
        left.dedup();
        assert_eq!(left, reported, "{seed} {:#?}", run.report().leftovers);
        assert_eq!(whole(&journal).await.rows, [], "{seed}");
    }
}

#[tokio::test]
async fn no_leftover_of_a_killed_run_is_lost() {
    for seed in (0..40).step_by(step(5)) {
        let journal = in_memory().await;
        let run = carry_out(&journal, seed, usize::try_from(seed).unwrap() * 2).await;
        let left = journal.before_check().await.unwrap().leftovers;
        for id in run.report().left_to_the_next() {
            assert!(left.iter().any(|left| left.id == id), "{seed}: {id} is lost: {:#?}", run.report().leftovers);
        }
    }
}

#[tokio::test]
async fn the_line_of_a_run_has_the_diagnosis_of_its_own_report() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    for (number, started) in [(1, 1), (2, 2)] {
        let probe = Probe { run: Some(Timestamp(started)), ..Probe::default() };
        let operation = probing(add(1, number, i64::from(number), "Plants Check"), probe);
        record_and_end(&journal, operation, Outcome::Accepted).await;
    }
    let diagnoses = async || {
        let request = HistoryRequest {
            search: Filter::default(),
            order: HistoryOrder::default(),
            around: HistoryRequest::NEWEST,
            rows: 9,
            expanded: Some(Vec::new()),
        };
        let lines = journal.history(request).await.unwrap().lines;
        let diagnosis = |row: &HistoryRow| if let HistoryRow::Run(run) = row { run.diagnosis.clone() } else { None };
        lines.iter().map(diagnosis).collect::<Vec<_>>()
    };
    assert_eq!(diagnoses().await, [None, None], "both are under way");
    journal.keep_run(report(1)).await.unwrap();
    assert_eq!(diagnoses().await, [None, Some(report(1).diagnosis)]);
    journal.keep_run(report(2)).await.unwrap();
    assert_eq!(diagnoses().await, [Some(report(2).diagnosis), Some(report(1).diagnosis)]);
}
