//! The reader does not delay writes, cancels lookups that nothing waits for, and closes before the writer.

use std::sync::mpsc;

use super::reader::Reader;
use super::*;
use crate::domain::filter::List;

fn reader(journal: &Journal) -> &Arc<Reader> {
    journal.shared.reader.as_ref().unwrap()
}

/// Queues a lookup that signals its start and never ends.
fn endless(journal: &Journal) -> (Queued<i64>, oneshot::Receiver<()>) {
    let (say, begun) = oneshot::channel();
    let response = reader(journal).read(move |store, _| {
        let _ = say.send(());
        let count = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
        Ok(store.conn.query_row(count, [], |found| found.get(0))?)
    });
    (response, begun)
}

/// Queues a lookup that signals its start, waits for a release, and then takes a while.
fn held(journal: &Journal) -> (Queued<i64>, oneshot::Receiver<()>, mpsc::Sender<()>) {
    let (say, begun) = oneshot::channel();
    let (release, released) = mpsc::channel();
    let response = reader(journal).read(move |store, _| {
        let _ = say.send(());
        let _ = released.recv();
        let count =
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 10000) SELECT count(*) FROM n";
        Ok(store.conn.query_row(count, [], |found| found.get(0))?)
    });
    (response, begun, release)
}

fn newest() -> HistoryRequest {
    HistoryRequest {
        search: Filter::default(),
        order: HistoryOrder::default(),
        around: HistoryRequest::NEWEST,
        rows: 9,
        expanded: Some(Vec::new()),
    }
}

fn put_log(journal: &Journal) -> Queued<HistoryWindow> {
    reader(journal).read(|store, _| history_lines::window(store, &newest()))
}

#[tokio::test]
async fn the_reader_connects_with_the_first_lookup() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    record_and_end(&journal, add(1, 1, 1, "a"), Outcome::Accepted).await;
    whole(&journal).await;
    journal.plant_history(PlantId(1)).await.unwrap();
    assert!(reader(&journal).access().is_none());
    assert_eq!(journal.history(newest()).await.unwrap().lines.len(), 1);
    assert!(reader(&journal).access().is_some());
    assert!(in_memory().await.shared.reader.is_none());
}

#[tokio::test]
async fn a_lookup_that_nothing_waits_for_is_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    record_and_end(&journal, add(1, 1, 1, "a"), Outcome::Accepted).await;
    // One that runs, and one that is queued.
    let (running, begun) = endless(&journal);
    let (queued, begun_in_vain) = endless(&journal);
    begun.await.unwrap();
    drop((running, queued));
    assert_eq!(put_log(&journal).await.unwrap().lines.len(), 1);
    assert!(begun_in_vain.await.is_err(), "it is dropped before it begins");
}

#[tokio::test]
async fn a_lookup_runs_to_its_end_whatever_is_asked_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    record_and_end(&journal, add(1, 1, 1, "a"), Outcome::Accepted).await;
    let (older, begun, release) = held(&journal);
    begun.await.unwrap();
    let by_name = Arrangement { column: Column::Name, ..Arrangement::default() };
    let [by_id, by_name] = [Arrangement::default(), by_name]
        .map(|arrangement| journal.window(WindowRequest { anchor: Anchor::Index(0), rows: 9, arrangement }));
    let (log, other) = (put_log(&journal), put_log(&journal));
    let (by_name, by_id, ()) = tokio::join!(biased; by_name, by_id, async { release.send(()).unwrap() });
    assert_eq!(older.await, Ok(10_000));
    assert_eq!([by_name, by_id].map(|window| window.unwrap().total), [1, 1]);
    for log in [log, other] {
        assert_eq!(log.await.unwrap().lines.len(), 1);
    }
}

#[tokio::test]
async fn queries_are_answered_in_whatever_order_they_are_polled() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    record_and_end(&journal, add(1, 1, 1, "fern"), Outcome::Accepted).await;
    let filtered = |typed: &str| {
        let arrangement =
            Arrangement { filter: List::Plants.parse(typed, &LocalTime::default()).0, ..Arrangement::default() };
        journal.window(WindowRequest { anchor: Anchor::Index(0), rows: 9, arrangement })
    };
    let (older, newer) = (filtered("f"), filtered("fe"));
    let (newer, older) = tokio::join!(biased; newer, older);
    assert_eq!(newer.map(|window| ids(&window.rows)), Ok(vec![1]));
    assert_eq!(older.map(|window| ids(&window.rows)), Ok(vec![1]));
}

#[tokio::test]
async fn the_reader_does_not_wait_for_the_writer() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    record_and_end(&journal, add(1, 1, 7, "a"), Outcome::Accepted).await;
    let (say, begun) = oneshot::channel();
    let (release, released) = mpsc::channel::<()>();
    let block = move |_: &mut database::Database| {
        let _ = say.send(());
        let _ = released.recv();
    };
    journal.requests.send(Request::Do(Box::new(block))).unwrap();
    begun.await.unwrap();
    assert_eq!(journal.history(newest()).await.unwrap().lines.len(), 1);
    assert_eq!(journal.latencies(Filter::default(), 9).await.unwrap().len(), 1);
    assert_eq!(journal.exchanges(Filter::default(), None, 9).await.unwrap().len(), 1);
    assert_eq!(journal.unlisted(String::new(), 9).await, Ok(vec![]));
    release.send(()).unwrap();
    assert_eq!(journal.next_free_id().await, Ok(PlantId(8)));
}

#[tokio::test]
async fn the_writer_does_not_wait_for_the_reader() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    let (_running, begun) = endless(&journal);
    begun.await.unwrap();
    record_and_end(&journal, add(1, 1, 7, "a"), Outcome::Accepted).await;
    assert_eq!(ids(&whole(&journal).await.rows), [7]);
    journal.close().await;
}

#[tokio::test]
async fn a_log_that_grew_during_a_lookup_is_truncated() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    let log_length = || files::log_length(&folder.path().join("journal.db"));
    let (release, released) = mpsc::channel::<()>();
    let (say, begun) = oneshot::channel();
    let reading = reader(&journal).read(move |store, _| {
        let rows = plant_list::unknown_rows(store);
        let _ = say.send(());
        let _ = released.recv();
        rows
    });
    begun.await.unwrap();
    let long = "n".repeat(4 << 20);
    for number in 1.. {
        journal.record_intent(add(1, number, number.into(), &long)).await.unwrap();
        if log_length() > reader::LONG_LOG {
            break;
        }
    }
    release.send(()).unwrap();
    assert_eq!(reading.await, Ok(vec![]));
    // Runs after all earlier work of the reader.
    assert_eq!(journal.fitting(Filter::default(), None, 1).await.map(|found| found.len()), Ok(1));
    assert_eq!(log_length(), 0);
    let before = whole(&journal).await;
    journal.close().await;
    assert_eq!(whole(&on_disk(folder.path(), 1).await).await, before);
}

fn file_names(folder: &Path) -> Vec<String> {
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    let mut left = names(folder);
    left.extend(names(&folder.join("instances")));
    left.sort();
    left
}

#[tokio::test]
async fn closing_cancels_lookups_and_leaves_no_log_and_no_lock() {
    let expected = ["gate", "instances", "journal.db", "opened"];
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    record_and_end(&journal, add(1, 1, 7, "a"), Outcome::Accepted).await;
    let (running, begun) = endless(&journal);
    begun.await.unwrap();
    let (waiting, other) = (put_log(&journal), journal.clone());
    journal.close().await;
    assert_eq!(file_names(folder.path()), expected);
    assert_eq!(running.await, Err(JournalError::Closed));
    assert_eq!(waiting.await, Err(JournalError::Closed));
    assert_eq!(other.history(newest()).await, Err(JournalError::Closed));

    // The same when the last handle is dropped: the writer then ends by itself.
    let journal = on_disk(folder.path(), 2).await;
    let (running, begun) = endless(&journal);
    begun.await.unwrap();
    drop(journal);
    assert_eq!(running.await, Err(JournalError::Closed));
    while file_names(folder.path()) != expected {
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn a_panic_of_the_writer_closes_the_reader() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    let (running, begun) = endless(&journal);
    begun.await.unwrap();
    journal.requests.send(Request::Do(Box::new(|_| panic!("on purpose")))).unwrap();
    assert_eq!(running.await, Err(JournalError::Closed));
    assert_eq!(journal.history(newest()).await, Err(JournalError::Closed));
    journal.close().await;
}

#[tokio::test]
async fn a_lookup_that_panics_fails_and_the_next_works() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    let panics = journal.search::<()>(|_, _| panic!("on purpose")).await;
    assert_eq!(panics, Err(JournalError::Closed));
    assert_eq!(journal.history(newest()).await.map(|window| window.lines), Ok(vec![]));
}

#[tokio::test]
async fn a_journal_with_a_running_lookup_is_not_rebuilt() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    let (_running, begun) = endless(&journal);
    begun.await.unwrap();
    files::mark_damaged(&folder.path().join("journal.db"));
    let other = opened(folder.path(), 2).await;
    assert_eq!(other.set_aside, None);
    other.journal.close().await;
    journal.close().await;
    assert!(opened(folder.path(), 3).await.set_aside.is_some());
}
