//! Tests of the journal, on real files and in memory.

mod checks;
mod heads;
mod history;
mod logged;
mod migration;
mod ordered;
mod random;
mod reading;
mod shared;
mod team;
mod unsent;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use proptest::prelude::ProptestConfig;
use tokio::sync::oneshot;

use super::handle::Queued;
use super::writer::Request;
use super::*;
use crate::domain::filter::{self, Filter, List, Test, TextColumn};
use crate::domain::{
    BodyEnd, Decided, Details, Ending, Exchange, Failure, FailureKind, Fold, Header, LocalTime, MemberId, Method,
    Operation, OperationId, OperationKind, Others, Outcome, Phases, Plant, PlantEvent, PlantId, Position, Probe,
    Request as Sent, Resolution, Response, Row, Seen, State, StoreUrl, Timestamp, UnknownOperation, UnlistedReason,
};
use crate::extent::rounds;

const NOW: Timestamp = Timestamp(1_700_000_000_000);

const ME: MemberId = MemberId(1);

/// Each case writes files.
fn some_cases() -> ProptestConfig {
    let cases = rounds("PLANTS_CASES", 8, 48).try_into().unwrap();
    ProptestConfig { cases, ..ProptestConfig::default() }
}

fn alone() -> Others {
    Others::default()
}

/// Returns the event of a resolution of this journal.
fn resolved(resolution: Resolution) -> PlantEvent {
    PlantEvent::Resolution(resolution, NOW)
}

fn ended_event(operation: OperationId, outcome: Outcome) -> PlantEvent {
    PlantEvent::End { operation, of: ME, outcome, at: NOW }
}

const PLANTS: &str = "SELECT plant_id FROM entry WHERE store = ?1
    UNION SELECT plant_id FROM shared WHERE store = ?1 ORDER BY plant_id";

/// Checks that the list is what the entries fold to.
async fn assert_follows_from_entries(journal: &Journal) {
    let folded = journal.read(|store, _| {
        let ids: Vec<PlantId> = sql::column(store.conn, PLANTS, [store.key])?;
        let others = entries::others(store)?;
        let folds = ids.into_iter().map(|id| entries::fold(store, id, entries::Part::All));
        folds.filter_map(|fold| fold.map(|fold| fold.row(&others)).transpose()).collect::<Result<Vec<_>, _>>()
    });
    assert_eq!(whole(journal).await.rows, folded.await.unwrap());
}

fn store() -> StoreUrl {
    "http://plants.example/api".parse().unwrap()
}

async fn opened(folder: &Path, origin: u64) -> Opened {
    Journal::open(Place::Folder(folder.to_path_buf()), &store(), origin, NOW).await.unwrap()
}

async fn on_disk(folder: &Path, origin: u64) -> Journal {
    opened(folder, origin).await.journal
}

async fn elsewhere(folder: &Path, origin: u64) -> Journal {
    at_store(folder, "http://elsewhere.example", origin).await
}

async fn at_store(folder: &Path, url: &str, origin: u64) -> Journal {
    let place = Place::Folder(folder.to_path_buf());
    Journal::open(place, &url.parse().unwrap(), origin, NOW).await.unwrap().journal
}

async fn in_memory() -> Journal {
    Journal::open(Place::Memory, &store(), 1, NOW).await.unwrap().journal
}

pub(super) fn add(origin: u64, number: u32, id: i64, name: &str) -> Operation {
    let kind = OperationKind::add(Plant { name: name.into(), id: PlantId(id), tag: "t".into() });
    Operation::new(OperationId { origin, number }, kind, NOW)
}

fn delete(origin: u64, number: u32, id: i64) -> Operation {
    Operation::new(OperationId { origin, number }, OperationKind::Delete(PlantId(id)), NOW)
}

fn responded(operation: &Operation, status: u16, body: &[u8]) -> Exchange {
    let header = |name: &str, value: &str| Header { name: name.into(), value: value.into() };
    Exchange {
        operation: operation.clone(),
        request: Some(Sent {
            method: Method::Post,
            url: "http://plants.example/api/plants".into(),
            target: "/api/plants".into(),
            headers: [header("authorization", "Bearer ********")].into(),
            body: Some("{}".into()),
        }),
        ending: Ending::Responded(Response {
            status,
            reason: "As You Like".into(),
            version: "HTTP/1.1".into(),
            headers: [header("x", "1")].into(),
            body: body.to_vec(),
            body_end: BodyEnd::Complete,
        }),
        started: NOW,
        elapsed: Duration::from_micros(1_234),
        phases: Phases {
            waiting: Some(Duration::from_micros(1_017)),
            reading: Some(Duration::ZERO),
            ..Phases::default()
        },
    }
}

fn ended_with(operation: &Operation, outcome: Outcome) -> Exchange {
    let failed = |kind| Ending::Failed(Failure { kind, detail: "why".into() });
    let exchange = responded(operation, 201, b"{}");
    match outcome {
        Outcome::Accepted => exchange,
        Outcome::Rejected => responded(operation, 400, b"no"),
        Outcome::Unknown => Exchange { ending: failed(FailureKind::TimedOut), ..exchange },
        Outcome::NotSent => Exchange { request: None, ending: failed(FailureKind::NotConnected), ..exchange },
    }
}

pub(super) async fn record_and_end(journal: &Journal, operation: Operation, outcome: Outcome) {
    let exchange = ended_with(&operation, outcome);
    journal.record_intent(operation).await.unwrap();
    journal.end(exchange, NOW).await.unwrap();
}

async fn window(journal: &Journal, anchor: Anchor, rows: usize) -> Window {
    journal.window(WindowRequest { anchor, rows, arrangement: Arrangement::default() }).await.unwrap()
}

async fn whole(journal: &Journal) -> Window {
    window(journal, Anchor::Index(0), usize::MAX).await
}

/// Returns a plant as a person who decides about it sees it.
async fn decided(journal: &Journal, id: i64) -> Decided {
    let found = journal.plant_history(PlantId(id)).await.unwrap();
    let seen = found.row.map_or(Seen::NotListed, |row| row.seen());
    Decided { id: PlantId(id), seen, unknown: found.unknown.map(|unknown| unknown.operation) }
}

fn ids(rows: &[Row]) -> Vec<i64> {
    rows.iter().map(|row| row.id.0).collect()
}

fn recount(rows: &[Row]) -> Tally {
    let of = |state| rows.iter().filter(|row| row.state == state).count();
    Tally {
        stored: of(State::Stored),
        unknown: of(State::Unknown),
        adding: of(State::Adding),
        deleting: of(State::Deleting),
    }
}

#[tokio::test]
async fn entries_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    let long = "🌵".repeat(10_000);
    let odd = [(i64::MIN, "a\0b"), (i64::MAX, "👨‍👩‍👧 é 漢 שלום"), (0, ""), (7, long.as_str())];
    let mut exchanges = Vec::new();
    for (number, (id, name)) in (1..).zip(odd) {
        let operation = add(1, number, id, name);
        exchanges.push(responded(&operation, 201, &[0, 255, 10]));
        journal.record_intent(operation).await.unwrap();
        journal.end(exchanges.last().unwrap().clone(), Timestamp(NOW.0 + 5)).await.unwrap();
    }
    let before = whole(&journal).await;
    journal.close().await;

    let again = opened(folder.path(), 2).await;
    assert_eq!((again.orphans, again.set_aside), (vec![], None));
    let journal = again.journal;
    assert_eq!(whole(&journal).await, before);
    assert_eq!(ids(&before.rows), [i64::MIN, 0, 7, i64::MAX]);
    assert!(before.rows.iter().all(|row| row.changed_at == Timestamp(NOW.0 + 5)));
    for ((id, name), exchange) in odd.into_iter().zip(exchanges) {
        let plant_history = journal.plant_history(PlantId(id)).await.unwrap();
        assert_eq!(plant_history.row.unwrap().details, Some(Details { name: name.into(), tag: "t".into() }));
        assert_eq!(plant_history.exchanges, [exchange]);
        assert_eq!(plant_history.unknown, None);
    }
}

#[tokio::test]
async fn a_window_says_which_plants_a_delete_left_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    record_and_end(&journal, add(1, 1, 7, "add"), Outcome::Unknown).await;
    for (number, outcome) in [(2, Outcome::Accepted), (4, Outcome::Accepted)] {
        record_and_end(&journal, add(1, number, 6 + i64::from(number), "stored"), outcome).await;
    }
    record_and_end(&journal, delete(1, 5, 10), Outcome::Unknown).await;
    let window = whole(&journal).await;
    assert_eq!((window.tally.unknown, window.unknown_deletes), (2, vec![PlantId(10)]));
}

#[tokio::test]
async fn stores_in_one_file_are_separate() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (on_disk(folder.path(), 1).await, elsewhere(folder.path(), 1).await);
    record_and_end(&here, add(1, 1, 7, "here"), Outcome::Accepted).await;
    record_and_end(&there, add(1, 2, 7, "there"), Outcome::Unknown).await;
    record_and_end(&there, add(1, 3, 8, "there"), Outcome::Accepted).await;
    assert_eq!(whole(&here).await.tally, Tally { stored: 1, ..Tally::default() });
    assert_eq!(whole(&there).await.tally, Tally { stored: 1, unknown: 1, ..Tally::default() });
    assert_eq!(here.plant_history(PlantId(7)).await.unwrap().exchanges.len(), 1);
    assert_eq!(here.exchanges(Filter::default(), None, 10).await.unwrap().len(), 1);
    assert_eq!(here.next_free_id().await, Ok(PlantId(8)));
    assert_eq!(there.next_free_id().await, Ok(PlantId(9)));
}

#[tokio::test]
async fn a_thousand_concurrent_writes_are_all_stored() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    let operations: Vec<_> = (1..=1000).map(|number| add(1, number, i64::from(number), "n")).collect();
    for result in join_all(operations.iter().map(|operation| journal.record_intent(operation.clone()))).await {
        result.unwrap();
    }
    assert_eq!(whole(&journal).await.tally, Tally { adding: 1000, ..Tally::default() });
    let ends = operations.iter().map(|operation| journal.end(responded(operation, 200, b""), NOW));
    for result in join_all(ends).await {
        result.unwrap();
    }
    let window = whole(&journal).await;
    assert_eq!(window.tally, Tally { stored: 1000, ..Tally::default() });
    assert_eq!(recount(&window.rows), window.tally);
}

#[tokio::test]
async fn an_invalid_entry_does_not_affect_its_batch() {
    let journal = in_memory().await;
    let stranger = ended_with(&add(1, 99, 99, "never requested"), Outcome::Accepted);
    let (first, twice, foreign, end, last) = tokio::join!(
        journal.record_intent(add(1, 1, 1, "a")),
        journal.record_intent(add(1, 1, 2, "same number")),
        journal.record_intent(add(2, 1, 3, "another program's")),
        journal.end(stranger, NOW),
        journal.record_intent(add(1, 2, 4, "b")),
    );
    assert_eq!((first, last), (Ok(()), Ok(())));
    for (result, named) in
        [(twice, "0000000000000001-1"), (foreign, "0000000000000002-1"), (end, "0000000000000001-99")]
    {
        let text = result.unwrap_err().to_string();
        assert!(text.contains(named), "{text}");
    }
    assert_eq!(ids(&whole(&journal).await.rows), [1, 4]);
    assert_eq!(whole(&journal).await.tally, Tally { adding: 2, ..Tally::default() });
}

#[tokio::test]
async fn a_plant_history_is_newest_first_and_names_the_unknown_operation() {
    let journal = in_memory().await;
    for number in 1..=25 {
        record_and_end(&journal, delete(1, number, 7), Outcome::Rejected).await;
    }
    record_and_end(&journal, add(1, 26, 7, "maybe"), Outcome::Unknown).await;
    let plant_history = journal.plant_history(PlantId(7)).await.unwrap();
    let numbers: Vec<_> = plant_history.exchanges.iter().map(|exchange| exchange.operation.id.number).collect();
    assert_eq!(numbers, (7..=26).rev().collect::<Vec<_>>());
    let unknown = add(1, 26, 7, "maybe");
    assert_eq!(
        plant_history.unknown,
        Some(UnknownOperation {
            operation: unknown.id,
            kind: unknown.kind,
            authors: None,
            claims: Vec::new(),
            leaves_stored: false
        })
    );
    assert_eq!(ids(&journal.unknown_rows().await.unwrap()), [7]);

    journal.resolve(decided(&journal, 7).await, Resolution::MarkStored, Timestamp(5)).await.unwrap();
    let plant_history = journal.plant_history(PlantId(7)).await.unwrap();
    assert_eq!(plant_history.row.map(|row| (row.state, row.changed_at)), Some((State::Stored, Timestamp(5))));
    assert_eq!((plant_history.unknown, journal.unknown_rows().await.unwrap()), (None, vec![]));

    let missing = journal.plant_history(PlantId(8)).await.unwrap();
    assert_eq!(missing, PlantHistory { row: None, unknown: None, exchanges: vec![] });

    let newest = journal.exchanges(Filter::default(), None, 2).await.unwrap();
    let older = journal.exchanges(Filter::default(), Some(newest[1].number), 2).await.unwrap();
    let numbers: Vec<_> = newest.iter().chain(&older).map(|kept| kept.exchange.operation.id.number).collect();
    assert_eq!(numbers, [26, 25, 24, 23]);
}

#[tokio::test]
async fn a_late_response_resolves_an_unknown_plant() {
    let journal = in_memory().await;
    let operation = add(1, 1, 7, "late");
    record_and_end(&journal, operation.clone(), Outcome::Unknown).await;
    journal.end(ended_with(&operation, Outcome::Accepted), NOW).await.unwrap();
    let plant_history = journal.plant_history(PlantId(7)).await.unwrap();
    assert_eq!(plant_history.row.map(|row| row.state), Some(State::Stored));
    assert_eq!(plant_history.exchanges.len(), 2);
}

#[tokio::test]
async fn windows_at_every_anchor_return_the_expected_rows() {
    let journal = in_memory().await;
    let operations: Vec<_> = (0..1000).map(|place: u32| add(1, place, i64::from(place) * 10, "n")).collect();
    for result in join_all(operations.into_iter().rev().map(|operation| journal.record_intent(operation))).await {
        result.unwrap();
    }
    for (anchor, rows, first) in [
        (Anchor::Index(0), 10, 0),
        (Anchor::Index(500), 10, 500),
        (Anchor::Index(499), 10, 499),
        (Anchor::Index(995), 10, 990),
        (Anchor::Index(usize::MAX), 10, 990),
        (Anchor::Around(PlantId(5000)), 10, 495),
        (Anchor::Around(PlantId(5001)), 10, 496),
        (Anchor::Around(PlantId(4990)), 10, 494),
        (Anchor::Around(PlantId(i64::MIN)), 10, 0),
        (Anchor::Around(PlantId(i64::MAX)), 10, 990),
        (Anchor::Index(0), 2000, 0),
        (Anchor::Index(usize::MAX), 2000, 0),
        (Anchor::Around(PlantId(20)), 2000, 0),
        (Anchor::Index(3), 0, 3),
    ] {
        let window = window(&journal, anchor, rows).await;
        let expected: Vec<_> = (first..1000).take(rows).map(|place| i64::try_from(place).unwrap() * 10).collect();
        assert_eq!((window.first, ids(&window.rows)), (first, expected), "{anchor:?} × {rows}");
        assert_eq!((window.total, window.next_id), (1000, PlantId(9991)));
    }
    let mut paged = journal.fitting(Filter::default(), None, 300).await.unwrap();
    while let Some(last) = paged.last().map(|row| row.id) {
        let more = journal.fitting(Filter::default(), Some(last), 300).await.unwrap();
        if more.is_empty() {
            break;
        }
        paged.extend(more);
    }
    assert_eq!(paged, whole(&journal).await.rows);
    assert_eq!(journal.fitting(Filter::default(), Some(PlantId(i64::MAX)), 5).await, Ok(vec![]));
}

#[tokio::test]
async fn an_empty_list_has_empty_windows() {
    let journal = in_memory().await;
    for anchor in [Anchor::Index(0), Anchor::Index(usize::MAX), Anchor::Index(9), Anchor::Around(PlantId(9))] {
        let window = window(&journal, anchor, 10).await;
        let empty = Window {
            rows: vec![],
            first: 0,
            total: 0,
            tally: Tally::default(),
            next_id: PlantId(1),
            unknown_deletes: Vec::new(),
            late: None,
        };
        assert_eq!(window, empty);
    }
}

#[tokio::test]
async fn the_suggested_id_was_never_used() {
    let journal = in_memory().await;
    record_and_end(&journal, add(1, 1, -9, "a"), Outcome::Accepted).await;
    assert_eq!(journal.next_free_id().await, Ok(PlantId(1)));
    record_and_end(&journal, add(1, 2, 41, "rejected, yet used"), Outcome::Rejected).await;
    assert_eq!(journal.next_free_id().await, Ok(PlantId(42)));
    // An id that was only deleted does not show which ids are in use.
    record_and_end(&journal, delete(1, 8, 999), Outcome::Rejected).await;
    assert_eq!(journal.next_free_id().await, Ok(PlantId(42)));
    // A person marks it as stored.
    let unknown = delete(1, 9, 50);
    record_and_end(&journal, unknown.clone(), Outcome::Unknown).await;
    journal.resolve(decided(&journal, 50).await, Resolution::MarkStored, NOW).await.unwrap();
    assert_eq!(journal.next_free_id().await, Ok(PlantId(51)));
    for (number, id) in [(3, 1), (4, 2), (5, 2), (6, i64::MAX)] {
        record_and_end(&journal, add(1, number, id, "n"), Outcome::Accepted).await;
    }
    assert_eq!(journal.next_free_id().await, Ok(PlantId(3)));
    record_and_end(&journal, add(1, 7, 3, "n"), Outcome::Accepted).await;
    assert_eq!(journal.next_free_id().await, Ok(PlantId(4)));
}

/// Changes the connection of the journal's writer.
async fn with_connection(journal: &Journal, change: impl FnOnce(&mut rusqlite::Connection) + Send + 'static) {
    let (done, waiting) = oneshot::channel();
    let work = move |database: &mut database::Database| {
        change(&mut database.access.conn);
        done.send(()).unwrap();
    };
    journal.requests.send(Request::Do(Box::new(work))).unwrap();
    waiting.await.unwrap();
}

/// How many more pages the file may grow by.
async fn limit_growth(journal: &Journal, pages: Option<u32>) {
    with_connection(journal, move |conn| {
        let size: i64 = conn.query_row("PRAGMA page_count", [], |found| found.get(0)).unwrap();
        let limit = pages.map_or(1 << 30, |pages| size + i64::from(pages));
        conn.query_row(&format!("PRAGMA max_page_count = {limit}"), [], |found| found.get::<_, i64>(0)).unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_full_disk_stores_nothing_of_the_batch_and_damages_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    record_and_end(&journal, add(1, 1, 1, "there"), Outcome::Accepted).await;
    let before = whole(&journal).await;
    limit_growth(&journal, Some(3)).await;
    let full = Err(JournalError::DiskFull { path: folder.path().join("journal.db") });
    let big = "n".repeat(100_000);
    let (small, large) =
        tokio::join!(journal.record_intent(add(1, 2, 2, "small")), journal.record_intent(add(1, 3, 3, &big)));
    assert_eq!(large, full);
    // The two may share a transaction or not; each result must be true.
    let window = whole(&journal).await;
    assert_eq!(small.is_ok(), ids(&window.rows) == [1, 2]);
    assert_eq!(small.is_err(), window == before);
    assert_eq!(journal.plant_history(PlantId(3)).await.unwrap().row, None);

    limit_growth(&journal, None).await;
    journal.record_intent(add(1, 3, 3, &big)).await.unwrap();
    let window = whole(&journal).await;
    assert_eq!(recount(&window.rows), window.tally);
    journal.close().await;
    assert_eq!(whole(&on_disk(folder.path(), 1).await).await, window);
}

#[tokio::test]
async fn a_failed_write_names_its_cause_and_damages_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    record_and_end(&journal, add(1, 1, 1, "there"), Outcome::Accepted).await;
    let (before, path) = (whole(&journal).await, folder.path().join("journal.db"));

    with_connection(&journal, |conn| conn.pragma_update(None, "query_only", true).unwrap()).await;
    assert_eq!(journal.record_intent(add(1, 2, 2, "a")).await, Err(JournalError::ReadOnly { path: path.clone() }));
    with_connection(&journal, |conn| conn.pragma_update(None, "query_only", false).unwrap()).await;

    journal.hurry(true);
    let blocker = rusqlite::Connection::open(&path).unwrap();
    blocker.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_eq!(journal.record_intent(add(1, 2, 2, "a")).await, Err(JournalError::Locked { path }));
    let resolved = journal.resolve(decided(&journal, 1).await, Resolution::Forget, NOW).await;
    assert!(matches!(resolved, Err(JournalError::Locked { .. })));
    // Lookups still work.
    assert_eq!(whole(&journal).await, before);
    blocker.execute_batch("ROLLBACK").unwrap();

    journal.record_intent(add(1, 2, 2, "a")).await.unwrap();
    assert_eq!(ids(&whole(&journal).await.rows), [1, 2]);
}

#[tokio::test]
async fn connections_distrust_the_schema_and_commits_are_flushed() {
    let pragma = |conn: &rusqlite::Connection, name: &str| -> i64 {
        conn.query_row(&format!("PRAGMA {name}"), [], |found| found.get(0)).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    with_connection(&journal, move |conn| {
        let settings = ["trusted_schema", "synchronous", "fullfsync", "checkpoint_fullfsync"];
        assert_eq!(settings.map(|name| pragma(conn, name)), [0, 2, 1, 1]);
    })
    .await;
    let reads = journal.search(move |store, _| Ok(pragma(store.conn, "trusted_schema"))).await;
    assert_eq!(reads, Ok(0));
}

#[tokio::test]
async fn calls_on_a_closed_journal_fail_and_do_not_hang() {
    let journal = in_memory().await;
    let other = journal.clone();
    journal.close().await;
    assert_eq!(other.record_intent(add(1, 1, 1, "a")).await, Err(JournalError::Closed));
    assert_eq!(other.next_free_id().await, Err(JournalError::Closed));
    other.close().await;
}

#[tokio::test]
async fn calls_before_and_after_a_panic_of_the_writer_return() {
    let journal = in_memory().await;
    let (recorded, id, ()) = tokio::join!(journal.record_intent(add(1, 1, 1, "a")), journal.next_free_id(), async {
        drop(journal.requests.send(Request::Do(Box::new(|_| panic!("on purpose")))));
    },);
    // The writer may or may not serve the two before the panic; both return.
    assert!(matches!(recorded, Ok(()) | Err(JournalError::Closed)));
    assert!(matches!(id, Ok(_) | Err(JournalError::Closed)));
    assert_eq!(journal.unknown_rows().await, Err(JournalError::Closed));
    journal.close().await;
}

#[tokio::test]
async fn a_short_log_stays_beside_the_journal_after_a_single_operation() {
    let folder = tempfile::tempdir().unwrap();
    let log = || fs::metadata(folder.path().join("journal.db-wal")).map_or(0, |found| found.len());
    // A new journal gets its tables at once.
    on_disk(folder.path(), 77).await.close_with_log().await;
    assert_eq!(log(), 0);
    let (mut number, mut before) = (0_u32, 0);
    loop {
        number += 1;
        let journal = on_disk(folder.path(), u64::from(number)).await;
        journal.record_intent(add(u64::from(number), 1, number.into(), "n")).await.unwrap();
        journal.close_with_log().await;
        if log() < before {
            break;
        }
        before = log();
        assert!(before > 0 && before <= 512 * 1024, "{before}");
    }
    // It was longer, so it was moved, and nothing is lost.
    assert!(number > 3 && log() == 0, "{number}");
    let journal = on_disk(folder.path(), 99).await;
    let unknown = journal.unknown_rows().await.unwrap();
    assert_eq!(unknown.iter().map(|row| row.id.0).collect::<Vec<_>>(), (1..=number.into()).collect::<Vec<_>>());
    journal.close().await;
    assert_eq!(log(), 0);
}

#[cfg(unix)]
mod on_unix {
    use super::*;
    use crate::os::files::testing::{mode, set_mode};

    #[tokio::test]
    async fn the_files_are_private_to_the_user() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        let journal = on_disk(&inner, 1).await;
        journal.record_intent(add(1, 1, 1, "a")).await.unwrap();
        assert_eq!((mode(&inner), mode(&inner.join("instances"))), (0o700, 0o700));
        for file in ["journal.db", "journal.db-wal", "journal.db-shm", "instances/0000000000000001.lock"] {
            assert_eq!(mode(&inner.join(file)), 0o600, "{file}");
        }
        journal.close().await;
        set_mode(&inner.join("journal.db"), 0o644);
        let _journal = on_disk(&inner, 1).await;
        for file in ["journal.db", "journal.db-wal", "journal.db-shm"] {
            assert_eq!(mode(&inner.join(file)), 0o600, "{file}");
        }
    }
}
