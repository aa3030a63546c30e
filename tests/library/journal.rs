//! The journal with several programs, killed programs, and files of other programs.

mod damage;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use plants::domain::filter::Filter;
use plants::domain::{
    BodyEnd, Decided, Details, Ending, Exchange, FailureKind, Operation, OperationId, OperationKind, Outcome, Phases,
    Plant, PlantId, Resolution, Response, Row, Seen, State, StoreUrl, Timestamp, UnknownOperation,
};
use plants::journal::{Anchor, Arrangement, Changes, Journal, JournalError, Opened, Place, WindowRequest};

const NOW: Timestamp = Timestamp(1_700_000_000_000);

fn store() -> StoreUrl {
    "http://plants.example".parse().unwrap()
}

async fn try_open(folder: &Path, origin: u64) -> Result<Opened, JournalError> {
    Journal::open(Place::Folder(folder.to_path_buf()), &store(), origin, NOW).await
}

async fn open(folder: &Path, origin: u64) -> Opened {
    try_open(folder, origin).await.unwrap()
}

fn add(origin: u64, number: u32, id: i64) -> Operation {
    let kind = OperationKind::add(Plant { name: "Fern".into(), id: PlantId(id), tag: "shade".into() });
    Operation::new(OperationId { origin, number }, kind, NOW)
}

fn accepted(operation: Operation) -> Exchange {
    let response = Response {
        status: 201,
        reason: "Created".into(),
        version: "HTTP/1.1".into(),
        headers: Arc::default(),
        body: vec![],
        body_end: BodyEnd::Complete,
    };
    let (ending, micros) = (Ending::Responded(response), |micros| Some(Duration::from_micros(micros)));
    let phases = Phases { connection: micros(120), waiting: micros(640), reading: micros(0), ..Phases::default() };
    Exchange { operation, request: None, ending, started: NOW, elapsed: Duration::ZERO, phases }
}

/// Returns plant 7 as a person who decides about it sees it.
async fn decided(journal: &Journal) -> Decided {
    let found = journal.plant_history(PlantId(7)).await.unwrap();
    let seen = found.row.map_or(Seen::NotListed, |row| row.seen());
    Decided { id: PlantId(7), seen, unknown: found.unknown.map(|unknown| unknown.operation) }
}

async fn list(journal: &Journal) -> Vec<(i64, State)> {
    let request = WindowRequest { anchor: Anchor::Index(0), rows: usize::MAX, arrangement: Arrangement::default() };
    states(&journal.window(request).await.unwrap().rows)
}

fn states(rows: &[Row]) -> Vec<(i64, State)> {
    rows.iter().map(|row| (row.id.0, row.state)).collect()
}

fn file(folder: &Path) -> PathBuf {
    folder.join("journal.db")
}

#[tokio::test]
async fn two_running_programs_see_each_others_plants_and_end_no_operations() {
    let folder = tempfile::tempdir().unwrap();
    let one = open(folder.path(), 1).await.journal;
    one.record_intent(add(1, 1, 7)).await.unwrap();
    let two = open(folder.path(), 2).await;
    assert_eq!(two.orphans, []);
    let two = two.journal;
    assert_eq!(list(&two).await, [(7, State::Adding)]);
    two.record_intent(add(2, 1, 3)).await.unwrap();
    // The write of the second invalidates the cached position of the first.
    let around = WindowRequest { anchor: Anchor::Around(PlantId(7)), rows: 1, arrangement: Arrangement::default() };
    assert_eq!(one.window(around.clone()).await.unwrap().first, 1);
    two.end(accepted(add(2, 1, 3)), NOW).await.unwrap();
    two.record_intent(add(2, 2, 1)).await.unwrap();
    assert_eq!(one.window(around).await.unwrap().first, 2);
    one.end(accepted(add(1, 1, 7)), NOW).await.unwrap();
    assert_eq!(list(&two).await, [(1, State::Adding), (3, State::Stored), (7, State::Stored)]);
    assert_eq!(list(&one).await, list(&two).await);
}

#[tokio::test]
async fn open_operations_of_an_ended_program_become_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let one = open(folder.path(), 1).await.journal;
    let lock = folder.path().join("instances/0000000000000001.lock");
    assert!(lock.exists());
    for (number, id) in [(1, 7), (2, 8)] {
        one.record_intent(add(1, number, id)).await.unwrap();
    }
    one.end(accepted(add(1, 1, 7)), NOW).await.unwrap();
    drop(one);
    // The writer ends after the last handle; it removes its lock file last.
    while lock.exists() {
        std::thread::yield_now();
    }
    let two = open(folder.path(), 2).await;
    assert_eq!(states(&two.orphans), [(8, State::Unknown)]);
    assert_eq!(list(&two.journal).await, [(7, State::Stored), (8, State::Unknown)]);
    let plant_history = two.journal.plant_history(PlantId(8)).await.unwrap();
    assert_eq!(
        plant_history.unknown,
        Some(UnknownOperation {
            operation: add(1, 2, 8).id,
            kind: add(1, 2, 8).kind,
            authors: None,
            claims: Vec::new(),
            leaves_stored: false
        })
    );
    let [exchange] = plant_history.exchanges.as_slice() else { panic!("{plant_history:?}") };
    assert_eq!(exchange.outcome(), Outcome::Unknown);
    let Ending::Failed(failure) = &exchange.ending else { panic!("{exchange:?}") };
    assert_eq!(failure.kind, FailureKind::Interrupted);
    // Once only.
    assert_eq!(open(folder.path(), 3).await.orphans, []);
}

#[tokio::test]
async fn a_resolution_fails_if_another_program_changed_the_plant() {
    let folder = tempfile::tempdir().unwrap();
    let one = open(folder.path(), 1).await.journal;
    let lost = |operation| Exchange::failed(operation, FailureKind::TimedOut, String::new(), NOW);
    one.record_intent(add(1, 1, 7)).await.unwrap();
    one.end(lost(add(1, 1, 7)), NOW).await.unwrap();
    let two = open(folder.path(), 2).await.journal;
    let seen = decided(&one).await;
    assert_eq!(seen.unknown, Some(add(1, 1, 7).id));
    let resolve = |journal: &Journal, seen: &Decided, resolution| journal.resolve(seen.clone(), resolution, NOW);

    // The second resolves first.
    resolve(&two, &seen, Resolution::MarkStored).await.unwrap();
    assert_eq!(resolve(&one, &seen, Resolution::Forget).await, Err(JournalError::Overtaken));
    assert_eq!(list(&one).await, [(7, State::Stored)]);

    // The second adds again: first it is in flight, then unknown.
    two.record_intent(add(2, 1, 7)).await.unwrap();
    let stored = Decided { unknown: None, ..seen.clone() };
    assert_eq!(resolve(&one, &stored, Resolution::Forget).await, Err(JournalError::Overtaken));
    two.end(lost(add(2, 1, 7)), NOW).await.unwrap();
    for late in [&stored, &seen] {
        assert_eq!(resolve(&one, late, Resolution::Forget).await, Err(JournalError::Overtaken));
    }
    assert_eq!(list(&one).await, [(7, State::Unknown)]);

    // The second gets a late response.
    let seen = decided(&one).await;
    two.end(accepted(add(2, 1, 7)), NOW).await.unwrap();
    assert_eq!(resolve(&one, &seen, Resolution::Forget).await, Err(JournalError::Overtaken));
    // A stored plant can be forgotten once, as the one that the person saw.
    let stored = Decided::stored(&one.rows(vec![PlantId(7)]).await.unwrap()[0]);
    let other = Seen::Listed {
        details: Some(Details { name: "other".into(), tag: "t".into() }),
        is_deleting: false,
        is_unknown: false,
    };
    let another = Decided { seen: other, ..stored.clone() };
    assert_eq!(resolve(&one, &another, Resolution::Forget).await, Err(JournalError::Overtaken));
    resolve(&one, &stored, Resolution::Forget).await.unwrap();
    assert_eq!(resolve(&two, &stored, Resolution::Forget).await, Err(JournalError::Overtaken));
    assert_eq!(list(&two).await, []);
}

#[tokio::test]
async fn orphans_of_another_store_are_ended_and_not_listed() {
    let folder = tempfile::tempdir().unwrap();
    let other: StoreUrl = "http://elsewhere.example".parse().unwrap();
    let place = Place::Folder(folder.path().to_path_buf());
    let there = Journal::open(place.clone(), &other, 1, NOW).await.unwrap().journal;
    there.record_intent(add(1, 1, 7)).await.unwrap();
    there.close().await;
    assert_eq!(open(folder.path(), 2).await.orphans, []);
    let there = Journal::open(place, &other, 3, NOW).await.unwrap();
    assert_eq!(there.orphans, []);
    assert_eq!(list(&there.journal).await, [(7, State::Unknown)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_programs_can_start_at_once() {
    let folder = tempfile::tempdir().unwrap();
    // Adds of one id at the same time would be unknown.
    let id = |origin: u64, number: u32| i64::try_from(origin).unwrap() * 10 + i64::from(number);
    let programs: Vec<_> = (1..=12)
        .map(|origin| {
            let folder = folder.path().to_path_buf();
            tokio::task::spawn_blocking(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                runtime.block_on(async {
                    let journal = open(&folder, origin).await.journal;
                    for number in 1..=10 {
                        let operation = add(origin, number, id(origin, number));
                        journal.record_intent(operation.clone()).await.unwrap();
                        journal.end(accepted(operation), NOW).await.unwrap();
                    }
                    journal.close().await;
                });
            })
        })
        .collect();
    for program in programs {
        program.await.unwrap();
    }
    let opened = open(folder.path(), 99).await;
    assert_eq!(opened.orphans, []);
    assert_eq!(list(&opened.journal).await, (11..=130).map(|id| (id, State::Stored)).collect::<Vec<_>>());
    assert_eq!(opened.journal.exchanges(Filter::default(), None, 1000).await.unwrap().len(), 120);
    let left: Vec<_> =
        fs::read_dir(folder.path().join("instances")).unwrap().flatten().map(|entry| entry.path()).collect();
    let left: Vec<_> = left.iter().filter(|path| path.extension().is_some()).collect();
    let sockets = usize::from(cfg!(unix));
    assert_eq!(left.len(), 1 + sockets, "the lock and the socket of the open journal: {left:?}");
}

fn clock() -> Timestamp {
    NOW
}

/// Waits for a change; the time-out ends a failing test.
async fn changed(changes: &mut Changes) {
    tokio::time::timeout(Duration::from_secs(30), changes.next()).await.expect("a change is notified");
}

/// Waits for changes until the list of a journal is as wanted.
async fn until(journal: &Journal, changes: &mut Changes, wanted: impl Fn(&[(i64, State)]) -> bool) {
    while !wanted(&list(journal).await) {
        changed(changes).await;
    }
}

#[tokio::test]
async fn a_write_of_another_program_is_notified() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (open(folder.path(), 1).await.journal, open(folder.path(), 2).await.journal);
    let mut changes = one.changes(clock);
    two.record_intent(add(2, 1, 7)).await.unwrap();
    changed(&mut changes).await;
    assert_eq!(list(&one).await, [(7, State::Adding)]);
    two.end(accepted(add(2, 1, 7)), NOW).await.unwrap();
    changed(&mut changes).await;
    assert_eq!(list(&one).await, [(7, State::Stored)]);
}

#[tokio::test]
async fn the_last_of_many_changes_is_notified() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (open(folder.path(), 1).await.journal, open(folder.path(), 2).await.journal);
    let mut changes = one.changes(clock);
    let write = async {
        for number in 1..=300 {
            two.record_intent(add(2, number, i64::from(number))).await.unwrap();
        }
    };
    tokio::join!(write, until(&one, &mut changes, |list| list.len() == 300));
}

const VICTIM: &str = "PLANTS_TEST_VICTIM";

/// The program that the next tests kill; does nothing in a normal run.
#[expect(clippy::disallowed_methods, reason = "the next tests start this process with a variable")]
#[tokio::test]
async fn victim() {
    let Some(folder) = std::env::var_os(VICTIM) else { return };
    let journal = open(Path::new(&folder), 0xdead).await.journal;
    let mut out = std::io::stdout();
    for number in 1.. {
        let operation = add(0xdead, number, i64::from(number));
        journal.record_intent(operation.clone()).await.unwrap();
        writeln!(out, "intended {number}").unwrap();
        if number % 2 == 0 {
            journal.end(accepted(operation), NOW).await.unwrap();
            writeln!(out, "ended {number}").unwrap();
        }
        out.flush().unwrap();
    }
}

fn begin_victim(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "journal::victim", "--nocapture"])
        .env(VICTIM, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn a_running_program_ends_the_operations_of_a_killed_one_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (open(folder.path(), 1).await.journal, open(folder.path(), 2).await.journal);
    let mut changes = one.changes(clock);
    two.record_intent(add(2, 1, -1)).await.unwrap();
    let mut child = begin_victim(folder.path());
    until(&one, &mut changes, |list| list.len() > 20).await;
    child.kill().unwrap();
    child.wait().unwrap();
    let resolved = |list: &[(i64, State)]| list.iter().all(|(id, state)| (*state == State::Adding) == (*id == -1));
    until(&one, &mut changes, resolved).await;
    assert!(list(&one).await.iter().any(|(_, state)| *state == State::Unknown));
    assert!(!folder.path().join("instances/000000000000dead.lock").exists());
    let after = open(folder.path(), 3).await;
    assert_eq!(after.orphans, []);
    assert_eq!(list(&after.journal).await, list(&one).await);
}

#[tokio::test]
async fn a_kill_loses_no_durable_entry() {
    for lines in [1, 2, 30, 200] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = begin_victim(folder.path());
        let lines_out = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut lines_out = lines_out.filter_map(|line| {
            // The test harness prints its own text before the first line.
            let at = line.find("intended ").or_else(|| line.find("ended "))?;
            let (word, number) = line.get(at..)?.split_once(' ')?;
            Some((word.to_owned(), number.parse::<i64>().ok()?))
        });
        let mut heard: Vec<_> = lines_out.by_ref().take(lines).collect();
        child.kill().unwrap();
        child.wait().unwrap();
        heard.extend(lines_out);
        assert!(heard.len() >= lines);

        let opened = open(folder.path(), 1).await;
        let list = list(&opened.journal).await;
        for (word, number) in heard {
            let (_, state) = list.iter().find(|(id, _)| *id == number).unwrap();
            let resolved = *state == State::Stored;
            assert!(resolved || *state == State::Unknown, "{number} is {state:?}");
            assert!(resolved || word != "ended", "{number} had ended");
        }
        let unknown: Vec<_> = list.into_iter().filter(|(_, state)| *state == State::Unknown).collect();
        assert_eq!(states(&opened.orphans), unknown);
        assert!(!folder.path().join("instances/000000000000dead.lock").exists());
    }
}

/// Returns the files of a folder by name, without shared memory and empty logs.
fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .filter(|(name, bytes)| !name.ends_with("-shm") && (!name.ends_with("-wal") || !bytes.is_empty()))
        .collect();
    found.sort();
    found
}

fn sqlite(folder: &Path, sql: &str) {
    rusqlite::Connection::open(file(folder)).unwrap().execute_batch(sql).unwrap();
}

#[tokio::test]
async fn a_journal_of_a_newer_release_is_rejected_and_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path(), 1).await.journal.close().await;
    sqlite(folder.path(), "PRAGMA user_version = 99");
    let before = content(folder.path());
    let error = try_open(folder.path(), 1).await.unwrap_err();
    assert_eq!(error, JournalError::NewerVersion { path: file(folder.path()), version: 99 });
    assert!(error.to_string().contains("update plants"), "{error}");
    assert_eq!(content(folder.path()), before);
}

/// The header of a journal from before the first release.
const FORMER: &str = "PRAGMA application_id = 0x504C4E54; PRAGMA user_version = 1; CREATE TABLE store (id)";

#[tokio::test]
async fn a_file_of_another_program_is_rejected_and_not_changed() {
    for sql in ["CREATE TABLE notes (text)", "PRAGMA application_id = 9", "PRAGMA user_version = 1", FORMER] {
        let folder = tempfile::tempdir().unwrap();
        sqlite(folder.path(), sql);
        let before = content(folder.path());
        let error = try_open(folder.path(), 1).await.unwrap_err();
        assert_eq!(error, JournalError::NotAJournal { path: file(folder.path()) }, "{sql}");
        assert_eq!(content(folder.path()), before);
    }
}

/// A trigger or view of another program would run with each write: nothing of it is executed.
#[tokio::test]
async fn an_unexpected_schema_is_rejected_and_not_changed() {
    let on_each = "BEGIN INSERT INTO store (url) VALUES ('http://trap.example'); END";
    for (sql, what) in [
        (format!("CREATE TRIGGER trap AFTER INSERT ON operation {on_each}"), "the trigger trap does not belong"),
        (format!("CREATE TRIGGER \"a\u{1b}[2Jb\" AFTER UPDATE ON plant {on_each}"), "the trigger a␛[2Jb does not"),
        ("CREATE VIEW peek AS SELECT * FROM plant".to_owned(), "the view peek does not belong"),
        ("CREATE TABLE extra (a)".to_owned(), "the table extra does not belong"),
        ("CREATE INDEX slow ON plant (name)".to_owned(), "the index slow does not belong"),
        (
            // This build has no module for one, another program's may.
            "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema
             VALUES ('table', 't', 't', 0, 'CREATE VIRTUAL TABLE t USING fts5(a)')"
                .to_owned(),
            "the table t",
        ),
        (
            "DROP INDEX plant_unknown; CREATE INDEX plant_unknown ON plant (name)".to_owned(),
            "the index plant_unknown is not as",
        ),
        ("DROP INDEX plant_unknown".to_owned(), "the index plant_unknown is missing"),
        ("ALTER TABLE plant ADD COLUMN trap TEXT DEFAULT 'x'".to_owned(), "the table plant is not as"),
        ("DROP TABLE tally; CREATE VIEW tally AS SELECT 1 AS store, 1 AS stored".to_owned(), "the view tally does not"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        open(folder.path(), 1).await.journal.close().await;
        sqlite(folder.path(), &sql);
        let before = content(folder.path());
        let error = try_open(folder.path(), 1).await.unwrap_err();
        assert!(matches!(&error, JournalError::Unexpected { .. }), "{sql}: {error}");
        for words in [what, "It was not touched", "--data-dir"] {
            assert!(error.to_string().contains(words), "{words:?} in {error}");
        }
        assert_eq!(content(folder.path()), before, "{sql}");
    }
}

#[tokio::test]
async fn tables_of_sqlite_itself_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path(), 1).await.journal;
    journal.record_intent(add(1, 1, 7)).await.unwrap();
    journal.close().await;
    sqlite(folder.path(), "ANALYZE");
    assert_eq!(list(&open(folder.path(), 2).await.journal).await, [(7, State::Unknown)]);
}

#[tokio::test]
async fn an_empty_file_becomes_a_journal_and_a_folder_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(file(folder.path()), "").unwrap();
    let opened = open(folder.path(), 1).await;
    assert_eq!(opened.set_aside, None);
    assert_eq!(list(&opened.journal).await, []);

    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(file(folder.path())).unwrap();
    let error = try_open(folder.path(), 1).await.unwrap_err();
    assert_eq!(error, JournalError::IsADirectory { path: file(folder.path()) });

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("taken"), "").unwrap();
    let error = try_open(&folder.path().join("taken"), 1).await.unwrap_err();
    assert!(error.to_string().contains("taken"), "{error}");
}
