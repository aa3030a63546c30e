//! The journal among other programs: several at once, killed ones, and files that are not its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its stage has failed")]

#[path = "journal/damage.rs"]
mod damage;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use plants::domain::{
    Answer, Ask, BodyEnd, Departure, Doubt, Ending, Exchange, FailureKind, Operation, OperationId, Outcome, Phases,
    Plant, PlantId, Row, Settlement, State, StoreUrl, Timestamp,
};
use plants::journal::{Anchor, Arrangement, Changes, Journal, JournalError, Opened, Place, Search, WindowRequest};

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
    let ask = Ask::Add(Plant { name: "Fern".into(), id: PlantId(id), tag: "shade".into() });
    Operation::new(OperationId { origin, number }, ask, NOW)
}

fn accepted(operation: Operation) -> Exchange {
    let answer = Answer {
        status: 201,
        reason: "Created".into(),
        version: "HTTP/1.1".into(),
        headers: vec![],
        body: vec![],
        body_end: BodyEnd::Complete,
    };
    let (ending, micros) = (Ending::Answered(answer), |micros| Some(Duration::from_micros(micros)));
    let phases = Phases { connection: micros(120), waiting: micros(640), reading: micros(0), ..Phases::default() };
    Exchange { operation, request: None, ending, started: NOW, elapsed: Duration::ZERO, phases }
}

async fn view(journal: &Journal) -> Vec<(i64, State)> {
    let request = WindowRequest { anchor: Anchor::Top, rows: usize::MAX, arrangement: Arrangement::default() };
    stands(&journal.window(request).await.unwrap().rows)
}

fn stands(rows: &[Row]) -> Vec<(i64, State)> {
    rows.iter().map(|row| (row.id.0, row.state)).collect()
}

fn file(folder: &Path) -> PathBuf {
    folder.join("journal.db")
}

#[tokio::test]
async fn two_programs_see_each_other_and_leave_each_other_alone() {
    let folder = tempfile::tempdir().unwrap();
    let one = open(folder.path(), 1).await.journal;
    one.ask(add(1, 1, 7)).await.unwrap();
    let two = open(folder.path(), 2).await;
    assert_eq!(two.orphans, []);
    let two = two.journal;
    assert_eq!(view(&two).await, [(7, State::Adding)]);
    two.ask(add(2, 1, 3)).await.unwrap();
    // A place remembered by the first must not outlive what the second wrote.
    let around = WindowRequest { anchor: Anchor::Around(PlantId(7)), rows: 1, arrangement: Arrangement::default() };
    assert_eq!(one.window(around.clone()).await.unwrap().first, 1);
    two.end(accepted(add(2, 1, 3)), NOW).await.unwrap();
    two.ask(add(2, 2, 1)).await.unwrap();
    assert_eq!(one.window(around).await.unwrap().first, 2);
    one.end(accepted(add(1, 1, 7)), NOW).await.unwrap();
    assert_eq!(view(&two).await, [(1, State::Adding), (3, State::Stored), (7, State::Stored)]);
    assert_eq!(view(&one).await, view(&two).await);
}

#[tokio::test]
async fn what_a_program_left_open_is_in_doubt_once_it_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let one = open(folder.path(), 1).await.journal;
    let lock = folder.path().join("instances/0000000000000001.lock");
    assert!(lock.exists());
    for (number, id) in [(1, 7), (2, 8)] {
        one.ask(add(1, number, id)).await.unwrap();
    }
    one.end(accepted(add(1, 1, 7)), NOW).await.unwrap();
    drop(one);
    // The owner ends by itself once nobody holds a handle; its lock file goes last.
    while lock.exists() {
        std::thread::yield_now();
    }
    let two = open(folder.path(), 2).await;
    assert_eq!(stands(&two.orphans), [(8, State::Unknown)]);
    assert_eq!(view(&two.journal).await, [(7, State::Stored), (8, State::Unknown)]);
    let story = two.journal.story(PlantId(8)).await.unwrap();
    assert_eq!(story.in_doubt, Some(Doubt { operation: add(1, 2, 8).id, ask: add(1, 2, 8).ask }));
    let [exchange] = story.exchanges.as_slice() else { panic!("{story:?}") };
    assert_eq!(exchange.outcome(), Outcome::Unknown);
    let Ending::Failed(failure) = &exchange.ending else { panic!("{exchange:?}") };
    assert_eq!(failure.kind, FailureKind::Interrupted);
    // Once only, and not in the other store's notice.
    assert_eq!(open(folder.path(), 3).await.orphans, []);
}

#[tokio::test]
async fn a_word_about_a_doubt_is_not_written_over_another_programs() {
    let folder = tempfile::tempdir().unwrap();
    let one = open(folder.path(), 1).await.journal;
    let lost = |operation| Exchange::failed(operation, FailureKind::TimedOut, String::new(), NOW);
    let doubt =
        async |journal: &Journal| journal.story(PlantId(7)).await.unwrap().in_doubt.map(|doubt| doubt.operation);
    one.ask(add(1, 1, 7)).await.unwrap();
    one.end(lost(add(1, 1, 7)), NOW).await.unwrap();
    let two = open(folder.path(), 2).await.journal;
    let seen = doubt(&one).await;
    assert_eq!(seen, Some(add(1, 1, 7).id));
    let settle = |journal: &Journal, doubt, word| journal.settle(PlantId(7), doubt, word, NOW);

    // The second settles first.
    settle(&two, seen, Settlement::MarkStored).await.unwrap();
    assert_eq!(settle(&one, seen, Settlement::Forget).await, Err(JournalError::Overtaken));
    assert_eq!(view(&one).await, [(7, State::Stored)]);

    // The second asks anew: first it is in flight, then another doubt.
    two.ask(add(2, 1, 7)).await.unwrap();
    assert_eq!(settle(&one, None, Settlement::Forget).await, Err(JournalError::Overtaken));
    two.end(lost(add(2, 1, 7)), NOW).await.unwrap();
    for late in [None, seen] {
        assert_eq!(settle(&one, late, Settlement::Forget).await, Err(JournalError::Overtaken));
    }
    assert_eq!(view(&one).await, [(7, State::Unknown)]);

    // The second is answered.
    let seen = doubt(&one).await;
    two.end(accepted(add(2, 1, 7)), NOW).await.unwrap();
    assert_eq!(settle(&one, seen, Settlement::Forget).await, Err(JournalError::Overtaken));
    // And a word about what is plainly stored is taken, once.
    settle(&one, None, Settlement::Forget).await.unwrap();
    assert_eq!(settle(&two, None, Settlement::Forget).await, Err(JournalError::Overtaken));
    assert_eq!(view(&two).await, []);
}

#[tokio::test]
async fn orphans_of_another_store_are_ended_but_not_told_here() {
    let folder = tempfile::tempdir().unwrap();
    let other: StoreUrl = "http://elsewhere.example".parse().unwrap();
    let place = Place::Folder(folder.path().to_path_buf());
    let there = Journal::open(place.clone(), &other, 1, NOW).await.unwrap().journal;
    there.ask(add(1, 1, 7)).await.unwrap();
    there.close().await;
    assert_eq!(open(folder.path(), 2).await.orphans, []);
    let there = Journal::open(place, &other, 3, NOW).await.unwrap();
    assert_eq!(there.orphans, []);
    assert_eq!(view(&there.journal).await, [(7, State::Unknown)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_programs_may_start_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let programs: Vec<_> = (1..=12)
        .map(|origin| {
            let folder = folder.path().to_path_buf();
            tokio::task::spawn_blocking(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                runtime.block_on(async {
                    let journal = open(&folder, origin).await.journal;
                    for number in 1..=10 {
                        let operation = add(origin, number, i64::from(number));
                        journal.ask(operation.clone()).await.unwrap();
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
    assert_eq!(view(&opened.journal).await, (1..=10).map(|id| (id, State::Stored)).collect::<Vec<_>>());
    assert_eq!(opened.journal.exchanges(Search::default(), None, 1000).await.unwrap().len(), 120);
    let left: Vec<_> =
        fs::read_dir(folder.path().join("instances")).unwrap().flatten().map(|entry| entry.path()).collect();
    let left: Vec<_> = left.iter().filter(|path| path.extension().is_some()).collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

fn clock() -> Timestamp {
    NOW
}

/// Waits for a change; the limit only makes a failing test fail.
async fn told(changes: &mut Changes) {
    tokio::time::timeout(Duration::from_secs(30), changes.next()).await.expect("a change is told");
}

/// Waits, told of each change, until the view of a journal is as wanted.
async fn until(journal: &Journal, changes: &mut Changes, wanted: impl Fn(&[(i64, State)]) -> bool) {
    while !wanted(&view(journal).await) {
        told(changes).await;
    }
}

#[tokio::test]
async fn what_another_program_writes_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (open(folder.path(), 1).await.journal, open(folder.path(), 2).await.journal);
    let mut changes = one.changes(clock).unwrap();
    two.ask(add(2, 1, 7)).await.unwrap();
    told(&mut changes).await;
    assert_eq!(view(&one).await, [(7, State::Adding)]);
    two.end(accepted(add(2, 1, 7)), NOW).await.unwrap();
    told(&mut changes).await;
    assert_eq!(view(&one).await, [(7, State::Stored)]);
}

#[tokio::test]
async fn the_last_of_many_changes_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (open(folder.path(), 1).await.journal, open(folder.path(), 2).await.journal);
    let mut changes = one.changes(clock).unwrap();
    let write = async {
        for number in 1..=300 {
            two.ask(add(2, number, i64::from(number))).await.unwrap();
        }
    };
    tokio::join!(write, until(&one, &mut changes, |view| view.len() == 300));
}

const VICTIM: &str = "PLANTS_TEST_VICTIM";

/// Not a test of its own: what the killed program of the next test does.
#[expect(clippy::disallowed_methods, reason = "how the next test tells this process what it is")]
#[tokio::test]
async fn victim() {
    let Some(folder) = std::env::var_os(VICTIM) else { return };
    let journal = open(Path::new(&folder), 0xdead).await.journal;
    let mut out = std::io::stdout();
    for number in 1.. {
        let operation = add(0xdead, number, i64::from(number));
        journal.ask(operation.clone()).await.unwrap();
        writeln!(out, "asked {number}").unwrap();
        if number % 2 == 0 {
            journal.end(accepted(operation), NOW).await.unwrap();
            writeln!(out, "ended {number}").unwrap();
        }
        out.flush().unwrap();
    }
}

fn begin_victim(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "victim", "--nocapture"])
        .env(VICTIM, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn what_a_killed_program_left_open_is_in_doubt_at_once_where_another_lives() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (open(folder.path(), 1).await.journal, open(folder.path(), 2).await.journal);
    let mut changes = one.changes(clock).unwrap();
    two.ask(add(2, 1, -1)).await.unwrap();
    let mut child = begin_victim(folder.path());
    until(&one, &mut changes, |view| view.len() > 20).await;
    child.kill().unwrap();
    child.wait().unwrap();
    let settled = |view: &[(i64, State)]| view.iter().all(|(id, state)| (*state == State::Adding) == (*id == -1));
    until(&one, &mut changes, settled).await;
    assert!(view(&one).await.iter().any(|(_, state)| *state == State::Unknown));
    assert!(!folder.path().join("instances/000000000000dead.lock").exists());
    let after = open(folder.path(), 3).await;
    assert_eq!(after.orphans, []);
    assert_eq!(view(&after.journal).await, view(&one).await);
}

#[tokio::test]
async fn a_kill_loses_nothing_that_was_said_to_be_written() {
    for lines in [1, 2, 30, 200] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = begin_victim(folder.path());
        let said = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut said = said.filter_map(|line| {
            // The test harness prints its own words before the first.
            let at = line.find("asked ").or_else(|| line.find("ended "))?;
            let (word, number) = line.get(at..)?.split_once(' ')?;
            Some((word.to_owned(), number.parse::<i64>().ok()?))
        });
        let mut heard: Vec<_> = said.by_ref().take(lines).collect();
        child.kill().unwrap();
        child.wait().unwrap();
        heard.extend(said);
        assert!(heard.len() >= lines);

        let opened = open(folder.path(), 1).await;
        let view = view(&opened.journal).await;
        for (word, number) in heard {
            let (_, state) = view.iter().find(|(id, _)| *id == number).unwrap();
            let settled = *state == State::Stored;
            assert!(settled || *state == State::Unknown, "{number} is {state:?}");
            assert!(settled || word != "ended", "{number} had ended");
        }
        let unknown: Vec<_> = view.into_iter().filter(|(_, state)| *state == State::Unknown).collect();
        assert_eq!(stands(&opened.orphans), unknown);
        assert!(!folder.path().join("instances/000000000000dead.lock").exists());
    }
}

/// What lies in the folder, by name; a log without content says nothing.
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
async fn a_journal_from_the_future_is_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path(), 1).await.journal.close().await;
    sqlite(folder.path(), "PRAGMA user_version = 99");
    let before = content(folder.path());
    let error = try_open(folder.path(), 1).await.unwrap_err();
    assert_eq!(error, JournalError::FromTheFuture { path: file(folder.path()), version: 99 });
    assert!(error.to_string().contains("update plants"), "{error}");
    assert_eq!(content(folder.path()), before);
}

#[tokio::test]
async fn another_programs_file_is_refused_untouched() {
    for sql in ["CREATE TABLE notes (text)", "PRAGMA application_id = 9", "PRAGMA user_version = 1"] {
        let folder = tempfile::tempdir().unwrap();
        sqlite(folder.path(), sql);
        let before = content(folder.path());
        let error = try_open(folder.path(), 1).await.unwrap_err();
        assert_eq!(error, JournalError::NotAJournal { path: file(folder.path()) }, "{sql}");
        assert_eq!(content(folder.path()), before);
    }
}

/// What a stranger has put into a journal would run in our name: nothing of it is executed.
#[tokio::test]
async fn a_schema_with_anything_unexpected_in_it_is_refused_untouched() {
    let on_each = "BEGIN INSERT INTO store (url) VALUES ('http://trap.example'); END";
    for (sql, what) in [
        (format!("CREATE TRIGGER trap AFTER INSERT ON operation {on_each}"), "the trigger trap does not belong"),
        (format!("CREATE TRIGGER \"a\u{1b}[2Jb\" AFTER UPDATE ON plant {on_each}"), "the trigger a␛[2Jb does not"),
        ("CREATE VIEW peek AS SELECT * FROM plant".to_owned(), "the view peek does not belong"),
        ("CREATE TABLE extra (a)".to_owned(), "the table extra does not belong"),
        ("CREATE INDEX slow ON plant (name)".to_owned(), "the index slow does not belong"),
        ("CREATE VIRTUAL TABLE t USING fts5(a)".to_owned(), "the table t"),
        (
            "DROP INDEX plant_in_doubt; CREATE INDEX plant_in_doubt ON plant (name)".to_owned(),
            "the index plant_in_doubt is not as",
        ),
        ("DROP INDEX plant_in_doubt".to_owned(), "the index plant_in_doubt is missing"),
        ("ALTER TABLE plant ADD COLUMN trap TEXT DEFAULT 'x'".to_owned(), "the table plant is not as"),
        (
            "DROP TABLE tally; CREATE VIEW tally AS SELECT 1 AS store, 'x' AS state, 1 AS count".to_owned(),
            "the view tally does not",
        ),
    ] {
        for version in [None, Some(VERSION_1)] {
            let folder = tempfile::tempdir().unwrap();
            match version {
                None => open(folder.path(), 1).await.journal.close().await,
                Some(version) => sqlite(folder.path(), version),
            }
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
}

#[tokio::test]
async fn what_sqlite_makes_by_itself_is_expected() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path(), 1).await.journal;
    journal.ask(add(1, 1, 7)).await.unwrap();
    journal.close().await;
    sqlite(folder.path(), "ANALYZE");
    assert_eq!(view(&open(folder.path(), 2).await.journal).await, [(7, State::Unknown)]);
}

#[tokio::test]
async fn an_empty_file_is_a_new_journal_and_a_folder_is_none() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(file(folder.path()), "").unwrap();
    let opened = open(folder.path(), 1).await;
    assert_eq!(opened.set_aside, None);
    assert_eq!(view(&opened.journal).await, []);

    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(file(folder.path())).unwrap();
    let error = try_open(folder.path(), 1).await.unwrap_err();
    assert_eq!(error, JournalError::IsADirectory { path: file(folder.path()) });

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("taken"), "").unwrap();
    let error = try_open(&folder.path().join("taken"), 1).await.unwrap_err();
    assert!(error.to_string().contains("taken"), "{error}");
}

/// Journals as older releases left them.
const VERSION_1: &str = include_str!("journal/version-1.sql");
const VERSION_2: &str = include_str!("journal/version-2.sql");
const VERSION_3: &str = include_str!("journal/version-3.sql");

#[tokio::test]
async fn a_journal_of_version_1_is_migrated_with_all_that_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    sqlite(folder.path(), VERSION_1);
    let opened = open(folder.path(), 2).await;
    let journal = opened.journal;
    // The program that was adding it is gone.
    assert_eq!(stands(&opened.orphans), [(15, State::Unknown)]);
    let expected =
        [(-5, State::Unknown), (7, State::Unknown), (10, State::Unknown), (13, State::Stored), (15, State::Unknown)];
    assert_eq!(view(&journal).await, expected);
    let kept = journal.exchanges(Search::default(), None, 100).await.unwrap();
    assert_eq!(kept.len(), 15);
    let called = |number: u32| {
        let kept = kept.iter().find(|kept| kept.exchange.operation.id.number == number).unwrap();
        kept.called.as_ref().map(|called| called.name.as_str())
    };
    assert_eq!((called(3), called(6), called(7)), (Some("Fern"), Some("Monstera"), None));
    assert_eq!((called(12), called(14)), (Some("First name"), Some("Second name")));
    let departed = journal.departed(String::new(), 100).await.unwrap();
    let departed: Vec<_> = departed.iter().map(|gone| (gone.plant.name.as_str(), gone.how)).collect();
    let expected = [
        ("Second name", Departure::Deleted),
        ("First name", Departure::Deleted),
        ("Forgotten", Departure::Forgotten),
        ("Ivy", Departure::NotSent),
        ("Cactus 🌵", Departure::Rejected),
        ("Fern", Departure::Deleted),
    ];
    assert_eq!(departed, expected);
    journal.close().await;

    let elsewhere: StoreUrl = "https://elsewhere.example/api".parse().unwrap();
    let place = Place::Folder(folder.path().to_path_buf());
    let there = Journal::open(place, &elsewhere, 3, NOW).await.unwrap().journal;
    assert_eq!(view(&there).await, [(i64::MIN, State::Unknown), (i64::MAX, State::Stored)]);
}

#[tokio::test]
async fn a_journal_of_version_2_is_migrated_and_its_exchanges_were_not_measured() {
    let folder = tempfile::tempdir().unwrap();
    sqlite(folder.path(), VERSION_2);
    let opened = open(folder.path(), 2).await;
    assert_eq!(opened.orphans, []);
    let journal = opened.journal;
    let expected =
        [(-5, State::Unknown), (7, State::Unknown), (10, State::Unknown), (13, State::Stored), (15, State::Unknown)];
    assert_eq!(view(&journal).await, expected);
    let kept = async || {
        let kept = journal.exchanges(Search::default(), None, 100).await.unwrap();
        kept.into_iter().map(|kept| kept.exchange).collect::<Vec<_>>()
    };
    let before = kept().await;
    assert_eq!(before.len(), 15);
    assert!(before.iter().all(|exchange| exchange.phases == Phases::default()));
    assert!(before.iter().any(|exchange| !exchange.elapsed.is_zero()));
    assert_eq!(journal.departed(String::new(), 100).await.unwrap().len(), 6);

    journal.ask(add(2, 1, 20)).await.unwrap();
    journal.end(accepted(add(2, 1, 20)), NOW).await.unwrap();
    assert_eq!(kept().await, [vec![accepted(add(2, 1, 20))], before].concat());
}

#[tokio::test]
async fn a_journal_of_version_3_is_migrated_and_nothing_in_it_was_a_probe() {
    let folder = tempfile::tempdir().unwrap();
    sqlite(folder.path(), VERSION_3);
    let store: StoreUrl = "http://127.0.0.1:9".parse().unwrap();
    let opened = Journal::open(Place::Folder(folder.path().to_path_buf()), &store, 2, NOW).await.unwrap();
    assert_eq!((opened.orphans, view(&opened.journal).await), (vec![], vec![(7, State::Stored)]));
    let kept = opened.journal.exchanges(Search::default(), None, 100).await.unwrap();
    assert_eq!(kept.len(), 1);
    let exchange = &kept[0].exchange;
    assert_eq!(exchange.operation.probe, None);
    assert!(exchange.phases.waiting.is_some());
    assert_eq!(opened.journal.next_free_id().await.unwrap(), PlantId(8));
    drop(opened.journal);
    assert_eq!(view(&open(folder.path(), 3).await.journal).await.len(), 5);
}

#[tokio::test]
async fn a_migration_is_done_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    sqlite(folder.path(), VERSION_1);
    // A table of that name is in the way of the second step's.
    sqlite(folder.path(), "CREATE TABLE departure (in_the_way)");
    let before = content(folder.path());
    let error = try_open(folder.path(), 2).await.unwrap_err();
    assert!(error.to_string().contains("departure"), "{error}");
    assert_eq!(content(folder.path()).len(), before.len());
    let version = |folder: &Path| -> i64 {
        let conn = rusqlite::Connection::open(file(folder)).unwrap();
        conn.query_row("PRAGMA user_version", [], |found| found.get(0)).unwrap()
    };
    assert_eq!(version(folder.path()), 1);
    sqlite(folder.path(), "DROP TABLE departure");
    open(folder.path(), 2).await.journal.close().await;
    assert_eq!(version(folder.path()), 4);
}

#[tokio::test]
async fn a_migrated_journal_is_like_a_new_one() {
    let schema = async |folder: &Path| -> Vec<(String, String)> {
        open(folder, 2).await.journal.close().await;
        let conn = rusqlite::Connection::open(file(folder)).unwrap();
        let mut found =
            conn.prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").unwrap();
        let lines = found.query_map([], |found| Ok((found.get(0)?, found.get(1)?))).unwrap();
        lines.map(Result::unwrap).collect()
    };
    let new = schema(tempfile::tempdir().unwrap().path()).await;
    for version in [VERSION_1, VERSION_2, VERSION_3] {
        let old = tempfile::tempdir().unwrap();
        sqlite(old.path(), version);
        assert_eq!(schema(old.path()).await, new);
    }
}
