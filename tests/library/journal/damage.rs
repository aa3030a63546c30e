//! Damaged journals: every readable row is saved, no plant gets a wrong state, and the damaged file is
//! not changed.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use plants::domain::filter::{Filter, List};
use plants::domain::{
    BodyEnd, Exchange, FailureKind, LocalTime, Operation, OperationId, OperationKind, PlantId, Resolution, State,
};
use plants::journal::{
    HistoryOrder, HistoryRequest, Journal, JournalError, Place, SetAside, back_up, set_aside_in, stores_in,
};

use crate::extent::step;

use super::{NOW, accepted, add, decided, file, list, open, sqlite, store, try_open};

/// The default page size of `SQLite`.
const PAGE: usize = 4096;

fn delete(number: u32, id: i64) -> Operation {
    Operation::new(OperationId { origin: 1, number }, OperationKind::Delete(PlantId(id)), NOW)
}

async fn record_and_accept(journal: &Journal, operation: Operation) {
    journal.record_intent(operation.clone()).await.unwrap();
    journal.end(accepted(operation), NOW).await.unwrap();
}

/// A journal of some forty pages: plants 1 to 150, of which 1 to 20 are deleted again and 21 to
/// 30 unknown. Returns its bytes and its list.
async fn well_filled() -> (Vec<u8>, BTreeMap<i64, State>) {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path(), 1).await.journal;
    let mut number = 0;
    for id in 1..=150 {
        number += 1;
        let operation = add(1, number, id);
        if (21..=30).contains(&id) {
            journal.record_intent(operation.clone()).await.unwrap();
            let lost = Exchange::failed(operation, FailureKind::TimedOut, "x".repeat(200), NOW);
            journal.end(lost, NOW).await.unwrap();
        } else {
            record_and_accept(&journal, operation).await;
        }
    }
    for id in 1..=20 {
        number += 1;
        record_and_accept(&journal, delete(number, id)).await;
    }
    let list = list(&journal).await.into_iter().collect();
    journal.close().await;
    (fs::read(file(folder.path())).unwrap(), list)
}

/// Calls every function that reads or writes a part of the journal.
async fn use_all_of_it(journal: &Journal, origin: u64) -> Result<BTreeMap<i64, State>, JournalError> {
    let mut seen = BTreeMap::new();
    for row in journal.fitting(Filter::default(), None, usize::MAX).await? {
        journal.plant_history(row.id).await?;
        seen.insert(row.id.0, row.state);
    }
    journal.exchanges(List::Requests.parse("name:e", &LocalTime::default()).0, None, usize::MAX).await?;
    let newest = HistoryRequest {
        search: Filter::default(),
        order: HistoryOrder::default(),
        around: HistoryRequest::NEWEST,
        rows: usize::MAX,
        expanded: Some(Vec::new()),
    };
    for line in journal.history(newest).await?.lines {
        journal.exchange(line.number()).await?;
    }
    journal.latencies(Filter::default(), usize::MAX).await?;
    journal.unlisted(String::new(), usize::MAX).await?;
    journal.unknown_rows().await?;
    let new = add(origin, 1, 1_000_000);
    journal.record_intent(new.clone()).await?;
    journal.end(accepted(new), NOW).await?;
    Ok(seen)
}

/// Starts until no damage is found: the second start at the latest.
async fn restarted(folder: &Path) -> (BTreeMap<i64, State>, Option<SetAside>) {
    let mut set_aside = None;
    for origin in 2..=3 {
        let opened = open(folder, origin).await;
        set_aside = set_aside.or(opened.set_aside);
        let used = use_all_of_it(&opened.journal, origin).await;
        opened.journal.close().await;
        match used {
            Ok(seen) => return (seen, set_aside),
            Err(error) => assert_eq!(error, JournalError::Corrupt { path: file(folder) }),
        }
    }
    unreachable!("still damaged after two starts");
}

/// Asserts that every plant has its former state or is unknown.
fn assert_true_or_unknown(seen: &BTreeMap<i64, State>, before: &BTreeMap<i64, State>, what: &str) {
    for (id, state) in seen.iter().filter(|(id, _)| **id != 1_000_000) {
        assert!((1..=150).contains(id), "{what}: {id} was never added");
        assert!(*state == State::Unknown || before.get(id) == Some(state), "{what}: {id} is {state:?}");
    }
}

#[tokio::test]
async fn a_journal_cut_off_anywhere_is_saved_up_to_the_cut() {
    let (bytes, before) = well_filled().await;
    let pages = bytes.len() / PAGE;
    assert!(pages > 25, "{pages} pages");
    let inside = |page| page * PAGE + page * 1511 % PAGE;
    let lengths = (1..pages).flat_map(|page| [page * PAGE, inside(page)]).chain([
        1,
        15,
        99,
        100,
        1000,
        PAGE - 1,
        PAGE + 1,
        bytes.len() - 100,
        bytes.len() - 1,
    ]);
    for length in lengths.step_by(step(3)) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path()).unwrap();
        let cut = bytes.get(..length).unwrap();
        fs::write(file(folder.path()), cut).unwrap();
        let (seen, set_aside) = restarted(folder.path()).await;
        assert_true_or_unknown(&seen, &before, &format!("cut to {length} bytes"));
        if length > bytes.len() - PAGE && bytes.iter().skip(length).all(|byte| *byte == 0) {
            // SQLite reads the end of a page that is not there as zeros.
            assert_eq!(seen.len(), before.len(), "cut to {length} bytes");
            continue;
        }
        let aside = set_aside.unwrap_or_else(|| panic!("cut to {length} bytes, no damage was found"));
        assert!(!aside.saved.complete || seen.len() > before.len(), "{length}");
        assert_eq!(fs::read(&aside.path).unwrap(), cut, "cut to {length} bytes");
    }
}

#[tokio::test]
async fn a_journal_with_a_wrong_first_byte_is_saved_whole() {
    let (bytes, before) = well_filled().await;
    for at in [0, 15, 16, 17, 19, 21, 22, 23] {
        let folder = tempfile::tempdir().unwrap();
        let mut spoilt = bytes.clone();
        spoilt[at] = 0x55;
        fs::write(file(folder.path()), &spoilt).unwrap();
        let opened = open(folder.path(), 2).await;
        let aside = opened.set_aside.unwrap_or_else(|| panic!("byte {at}, no damage was found"));
        assert!(aside.saved.complete, "byte {at}");
        assert_eq!(list(&opened.journal).await.into_iter().collect::<BTreeMap<_, _>>(), before, "byte {at}");
        assert_eq!(fs::read(&aside.path).unwrap(), spoilt, "byte {at}");
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert!(names.into_iter().all(|name| !name.contains("restoring")), "byte {at}");
    }
}

#[tokio::test]
async fn a_log_without_its_journal_is_saved_and_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path(), 1).await.journal;
    record_and_accept(&journal, add(1, 1, 7)).await;
    let log = |journal: &Path| journal.with_file_name(format!("{}-wal", journal.file_name().unwrap().display()));
    let bytes = fs::read(log(&file(folder.path()))).unwrap();
    for is_empty in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path());
        fs::write(log(&path), &bytes).unwrap();
        if is_empty {
            fs::write(&path, "").unwrap();
        }
        let read_only = Journal::open(Place::ReadOnly(folder.path().to_path_buf()), &super::store(), 2, NOW).await;
        assert_eq!(read_only.err(), Some(JournalError::Corrupt { path: path.clone() }));
        let opened = open(folder.path(), 3).await;
        let aside = opened.set_aside.unwrap();
        assert_eq!(list(&opened.journal).await, [(7, State::Stored)]);
        assert!(aside.saved.complete && aside.path.exists());
        assert_eq!(fs::read(log(&aside.path)).unwrap(), bytes);
    }
}

#[tokio::test]
async fn a_journal_that_lost_all_its_bytes_is_no_new_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(file(folder.path()), "").unwrap();
    let reopened = async || {
        let opened = open(folder.path(), 1).await;
        opened.journal.close().await;
        opened.set_aside.map(|aside| aside.saved.is_nothing())
    };
    assert_eq!(reopened().await, None, "its program ended before it had tables");
    fs::write(file(folder.path()), "").unwrap();
    let read_only = Journal::open(Place::ReadOnly(folder.path().to_path_buf()), &super::store(), 2, NOW).await;
    assert_eq!(read_only.err(), Some(JournalError::Corrupt { path: file(folder.path()) }));
    assert_eq!([reopened().await, reopened().await], [Some(true), None]);
    fs::remove_file(file(folder.path())).unwrap();
    assert_eq!(reopened().await, None, "a person removed it");
}

#[tokio::test]
async fn a_journal_with_any_page_spoilt_is_saved_without_that_page() {
    let (bytes, before) = well_filled().await;
    for page in (0..bytes.len() / PAGE).step_by(step(5)) {
        let folder = tempfile::tempdir().unwrap();
        let mut spoilt = bytes.clone();
        let noise = (0..PAGE).map(|at| u8::try_from((at * 131 + page * 17 + 7) % 251).unwrap());
        spoilt.splice(page * PAGE..(page + 1) * PAGE, noise);
        fs::write(file(folder.path()), &spoilt).unwrap();
        let (seen, set_aside) = restarted(folder.path()).await;
        assert_true_or_unknown(&seen, &before, &format!("page {page} spoilt"));
        if let Some(aside) = set_aside {
            assert_eq!(fs::read(&aside.path).unwrap(), spoilt, "page {page} spoilt");
        } else {
            // No lookup reads this page: the list is complete.
            assert_eq!(seen.len(), before.len(), "page {page} spoilt");
        }
        // Without the first page no other can be read. Otherwise every plant is still in the list: from
        // its row, or folded from its entries.
        let missing: Vec<_> = before.keys().filter(|id| page > 0 && !seen.contains_key(id)).collect();
        assert_eq!(missing, [&0; 0], "page {page} spoilt");
    }
}

#[tokio::test]
async fn a_list_that_another_page_makes_empty_is_damaged() {
    let (bytes, before) = well_filled().await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(file(folder.path()), &bytes).unwrap();
    let roots = "SELECT rootpage FROM sqlite_schema WHERE name IN ('sqlite_autoindex_plant_1', 'unlisted_plant')";
    let database = rusqlite::Connection::open(file(folder.path())).unwrap();
    let pages: Vec<usize> =
        database.prepare(roots).unwrap().query_map([], |found| found.get(0)).unwrap().map(Result::unwrap).collect();
    let mut swapped = bytes.clone();
    for (to, from) in [(pages[0], pages[1]), (pages[1], pages[0])] {
        swapped.splice((to - 1) * PAGE..to * PAGE, bytes.get((from - 1) * PAGE..from * PAGE).unwrap().iter().copied());
    }
    fs::write(file(folder.path()), &swapped).unwrap();
    let (seen, aside) = restarted(folder.path()).await;
    assert!(aside.is_some());
    assert_true_or_unknown(&seen, &before, "swapped pages");
    assert!(before.keys().all(|id| seen.contains_key(id)));
}

#[tokio::test]
async fn the_plants_of_a_store_whose_base_url_is_lost_are_kept_for_no_other() {
    let (bytes, before) = well_filled().await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(file(folder.path()), &bytes).unwrap();
    let database = rusqlite::Connection::open(file(folder.path())).unwrap();
    let mut pages = database.prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'store'").unwrap();
    let pages: Vec<usize> = pages.query_map([], |found| found.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    let mut spoilt = bytes.clone();
    for page in &pages {
        spoilt.splice((page - 1) * PAGE..page * PAGE, [0; PAGE]);
    }
    fs::write(file(folder.path()), &spoilt).unwrap();
    let (seen, aside) = restarted(folder.path()).await;
    assert_eq!(seen.into_keys().collect::<Vec<_>>(), [0; 0]);
    let [url] = &*aside.unwrap().saved.lost_stores else { unreachable!("one store was lost") };
    let place = Place::Folder(folder.path().to_path_buf());
    let lost = Journal::open(place, &url.parse().unwrap(), 4, NOW).await.unwrap().journal;
    assert_eq!(list(&lost).await.into_iter().collect::<BTreeMap<_, _>>(), before);
    lost.close().await;
}

#[tokio::test]
async fn an_earlier_file_that_was_set_aside_is_not_overwritten() {
    let (bytes, _) = well_filled().await;
    let folder = tempfile::tempdir().unwrap();
    let cut = bytes.get(..bytes.len() / 2).unwrap();
    let mut asides = Vec::new();
    for bytes in [cut, b"no database at all"] {
        fs::write(file(folder.path()), bytes).unwrap();
        let (_, set_aside) = restarted(folder.path()).await;
        let path = set_aside.unwrap().path;
        assert!(path.to_str().unwrap().contains("journal.db.corrupt-20"), "{path:?}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
        asides.push(path);
    }
    assert!(asides[0] != asides[1] && fs::read(&asides[0]).unwrap() == cut);
    for name in ["journal.db.replaced-20231114T221320Z", "journal.db.replaced-20231114T221320Z-2"] {
        let before = fs::read(file(folder.path())).unwrap();
        let rebuilt = fs::File::create(folder.path().join("journal.db.rebuilt")).unwrap();
        (&rebuilt).write_all(&bytes).unwrap();
        rebuilt.set_modified(UNIX_EPOCH + Duration::from_millis(NOW.0.unsigned_abs())).unwrap();
        restarted(folder.path()).await;
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), before);
    }
    assert_eq!(open(folder.path(), 1).await.set_aside, None);
}

#[tokio::test]
async fn a_damaged_journal_that_another_program_has_open_is_not_moved() {
    let folder = tempfile::tempdir().unwrap();
    let other = open(folder.path(), 9).await.journal;
    sqlite(folder.path(), "PRAGMA wal_checkpoint(TRUNCATE)");
    fs::write(
        file(folder.path()),
        b"no database at all, and longer than the header that one would have, which has a hundred bytes",
    )
    .unwrap();
    let error = try_open(folder.path(), 2).await.unwrap_err();
    assert_eq!(error, JournalError::Corrupt { path: file(folder.path()) });
    assert!(error.to_string().contains("close every running plants"), "{error}");
    other.close().await;
    assert!(open(folder.path(), 2).await.set_aside.is_some());
}

#[tokio::test]
async fn an_interrupted_rebuild_is_repeated_or_finished() {
    let (bytes, before) = well_filled().await;
    let cut = bytes.get(..bytes.len() - PAGE).unwrap();
    let beside = |folder: &Path, ending: &str| folder.join(format!("journal.db{ending}"));

    // Killed during the copy: the copy is deleted.
    let folder = tempfile::tempdir().unwrap();
    fs::write(file(folder.path()), cut).unwrap();
    fs::write(beside(folder.path(), ".rebuilding"), "half a file").unwrap();
    let (seen, set_aside) = restarted(folder.path()).await;
    assert!(set_aside.is_some() && !beside(folder.path(), ".rebuilding").exists());
    assert_true_or_unknown(&seen, &before, "killed during the copy");

    // Killed after the copy: the copy is installed, without the log of the damaged journal.
    for log in [None, Some(".damaged"), Some("-wal")] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(file(folder.path()), cut).unwrap();
        fs::write(beside(folder.path(), ".corrupt-1"), cut).unwrap();
        fs::write(beside(folder.path(), ".rebuilt"), &bytes).unwrap();
        if let Some(ending) = log {
            fs::write(beside(folder.path(), ending), cut).unwrap();
        }
        if log == Some(".damaged") {
            // Killed also after the journal was set aside.
            fs::rename(file(folder.path()), beside(folder.path(), ".corrupt-2")).unwrap();
            let place = Place::ReadOnly(folder.path().to_owned());
            let reading = Journal::open(place, &store(), 3, NOW).await.unwrap().journal;
            assert_eq!(list(&reading).await.into_iter().collect::<BTreeMap<_, _>>(), before);
            reading.close().await;
            assert_eq!(stores_in(folder.path()), Ok(vec![store()]));
            let copy = folder.path().join("copy.db");
            fs::write(&copy, "").unwrap();
            assert!(back_up(folder.path(), &copy, &Arc::default()).is_ok());
            assert_eq!(fs::read(beside(folder.path(), ".rebuilt")).unwrap(), bytes);
        }
        let opened = open(folder.path(), 2).await;
        assert_eq!(opened.set_aside, None);
        assert_eq!(list(&opened.journal).await.into_iter().collect::<BTreeMap<_, _>>(), before);
        assert!(!beside(folder.path(), ".rebuilt").exists() && !beside(folder.path(), ".damaged").exists());
        let kept = set_aside_in(folder.path()).into_iter().map(|path| fs::read(path).unwrap() == cut);
        assert_eq!(kept.collect::<Vec<_>>(), [true; 2]);
    }
}

#[tokio::test]
async fn a_missing_log_loses_only_its_own_entries() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path(), 1).await.journal;
    record_and_accept(&journal, add(1, 1, 7)).await;
    sqlite(folder.path(), "PRAGMA wal_checkpoint(TRUNCATE)");
    record_and_accept(&journal, add(1, 2, 8)).await;
    // A copy of the file alone, as a person may make it while a program runs.
    let copy = tempfile::tempdir().unwrap();
    fs::copy(file(folder.path()), file(copy.path())).unwrap();
    let (seen, set_aside) = restarted(copy.path()).await;
    assert_eq!((seen.into_iter().collect::<Vec<_>>(), set_aside), (vec![(7, State::Stored)], None));
}

fn mark(folder: &Path) {
    fs::write(folder.join("journal.db.damaged"), "").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn many_starts_on_a_damaged_journal_lose_nothing() {
    for _ in 0..12 {
        let folder = tempfile::tempdir().unwrap();
        let journal = open(folder.path(), 1).await.journal;
        record_and_accept(&journal, add(1, 1, 1)).await;
        journal.close().await;
        mark(folder.path());
        let mut starts = tokio::task::JoinSet::new();
        for origin in 2..8_u64 {
            let folder = folder.path().to_path_buf();
            starts.spawn(async move {
                let journal = open(&folder, origin).await.journal;
                let id = i64::try_from(origin).unwrap();
                record_and_accept(&journal, add(origin, 1, id)).await;
                journal.close().await;
            });
        }
        starts.join_all().await;
        let opened = open(folder.path(), 99).await;
        let stored: Vec<_> = (1..8).map(|id| (id, State::Stored)).collect();
        assert_eq!(list(&opened.journal).await, stored);
    }
}

#[tokio::test]
async fn a_plant_in_flight_whose_row_and_outcome_are_lost_can_be_resolved() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path(), 1).await.journal;
    record_and_accept(&journal, add(1, 1, 5)).await;
    journal.record_intent(add(1, 2, 7)).await.unwrap();
    journal.close().await;
    sqlite(folder.path(), "UPDATE plant SET fold = 'lost'; UPDATE exchange SET outcome = 99");
    mark(folder.path());
    let opened = open(folder.path(), 2).await;
    assert_eq!(list(&opened.journal).await, [(5, State::Unknown), (7, State::Unknown)]);
    opened.journal.resolve(decided(&opened.journal).await, Resolution::MarkStored, NOW).await.unwrap();
    assert_eq!(list(&opened.journal).await, [(5, State::Unknown), (7, State::Stored)]);
}

async fn exchanges(journal: &Journal) -> Vec<Exchange> {
    let kept = journal.exchanges(Filter::default(), None, 100).await.unwrap();
    kept.into_iter().map(|kept| kept.exchange).collect()
}

#[tokio::test]
async fn an_invalid_duration_or_failure_is_damage() {
    for wrong in ["waiting_us = -1", "elapsed_us = -1", "failure = 10"] {
        let folder = tempfile::tempdir().unwrap();
        let journal = open(folder.path(), 1).await.journal;
        for (number, id) in [(1, 7), (2, 8)] {
            record_and_accept(&journal, add(1, number, id)).await;
        }
        sqlite(folder.path(), &format!("UPDATE exchange SET {wrong} WHERE seq = 1"));
        let error = journal.exchanges(Filter::default(), None, 100).await.unwrap_err();
        assert_eq!(error, JournalError::Corrupt { path: file(folder.path()) }, "{wrong}");
        journal.close().await;
        let opened = open(folder.path(), 2).await;
        assert!(!opened.set_aside.unwrap().saved.complete, "{wrong}");
        assert_eq!(exchanges(&opened.journal).await, [accepted(add(1, 2, 8))], "{wrong}");
        assert_eq!(list(&opened.journal).await, [(7, State::Stored), (8, State::Stored)], "{wrong}");
    }
}

#[tokio::test]
async fn a_damaged_file_of_another_program_or_release_is_not_moved() {
    let (bytes, _) = well_filled().await;
    for (sql, is_newer) in [("PRAGMA user_version = 9", true), ("PRAGMA application_id = 77", false)] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(file(folder.path()), &bytes).unwrap();
        sqlite(folder.path(), sql);
        let whole = fs::read(file(folder.path())).unwrap();
        let cut = whole.get(..whole.len() - PAGE).unwrap();
        fs::write(file(folder.path()), cut).unwrap();
        let error = try_open(folder.path(), 2).await.unwrap_err();
        let path = file(folder.path());
        let expected =
            if is_newer { JournalError::NewerVersion { path, version: 9 } } else { JournalError::NotAJournal { path } };
        assert_eq!(error, expected);
        assert_eq!(fs::read(file(folder.path())).unwrap(), cut);
    }
}

/// Reads a number of a page's header or of a cell.
fn number(bytes: &[u8], at: usize, width: usize) -> usize {
    bytes[at..at + width].iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// Returns where the root page of the exchanges begins: an interior page.
fn root_of_exchanges(folder: &Path, bytes: &[u8]) -> usize {
    let root: usize = rusqlite::Connection::open(file(folder))
        .unwrap()
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'exchange'", [], |found| found.get(0))
        .unwrap();
    let page = (root - 1) * PAGE;
    assert_eq!(bytes[page], 5, "an interior page of a table");
    page
}

#[tokio::test]
async fn every_request_before_and_after_an_unreadable_page_is_saved() {
    let (bytes, _) = well_filled().await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(file(folder.path()), &bytes).unwrap();
    let root = root_of_exchanges(folder.path(), &bytes);
    let cells = (0..number(&bytes, root + 3, 2)).map(|cell| root + number(&bytes, root + 12 + 2 * cell, 2));
    for pointer in cells.chain([root + 8]) {
        let leaf = (number(&bytes, pointer, 4) - 1) * PAGE;
        let (mut spoilt, rows) = (bytes.clone(), number(&bytes, leaf + 3, 2));
        spoilt[leaf..leaf + PAGE].fill(0xAA);
        fs::write(file(folder.path()), &spoilt).unwrap();
        mark(folder.path());
        let opened = open(folder.path(), 2).await;
        assert_eq!(opened.set_aside.unwrap().saved.exchanges, 170 - rows, "of {rows} at {leaf}");
        opened.journal.close().await;
    }
}

/// The pages of a table that lead back to its first: four bytes are enough.
#[tokio::test]
async fn a_cycle_of_pages_ends_the_scan() {
    let (mut bytes, before) = well_filled().await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(file(folder.path()), &bytes).unwrap();
    let page = root_of_exchanges(folder.path(), &bytes);
    // The first cell, where the header says: its child is the first leaf. The last child comes after.
    let cell = page + number(&bytes, page + 12, 2);
    let first: [u8; 4] = bytes[cell..cell + 4].try_into().unwrap();
    bytes[page + 8..page + 12].copy_from_slice(&first);
    fs::write(file(folder.path()), &bytes).unwrap();
    mark(folder.path());
    let (seen, set_aside) = restarted(folder.path()).await;
    assert_true_or_unknown(&seen, &before, "a cycle of pages");
    assert!(!set_aside.unwrap().saved.complete);
}

/// Exchanges share heads; their outcomes are stored beside them.
#[tokio::test]
async fn exchanges_without_their_head_are_trimmed() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path(), 1).await.journal;
    record_and_accept(&journal, add(1, 1, 7)).await;
    sqlite(folder.path(), "DELETE FROM head");
    let error = journal.exchanges(Filter::default(), None, 100).await.unwrap_err();
    assert_eq!(error, JournalError::Corrupt { path: file(folder.path()) });
    journal.close().await;
    let opened = open(folder.path(), 2).await;
    assert!(!opened.set_aside.unwrap().saved.complete);
    let [exchange] = &exchanges(&opened.journal).await[..] else { panic!("one exchange") };
    let sound = accepted(add(1, 1, 7));
    assert_eq!((exchange.status(), exchange.phases), (Some(201), sound.phases));
    assert_eq!(exchange.response().unwrap().body_end, BodyEnd::Trimmed);
    assert_eq!(list(&opened.journal).await, [(7, State::Stored)]);
}

#[tokio::test]
async fn a_plant_in_flight_whose_operation_is_lost_becomes_unknown() {
    for kind in [0, 1] {
        let folder = tempfile::tempdir().unwrap();
        let journal = open(folder.path(), 1).await.journal;
        if kind == 1 {
            record_and_accept(&journal, add(1, 1, 7)).await;
        }
        let operation = if kind == 0 { add(1, 2, 7) } else { delete(2, 7) };
        journal.record_intent(operation).await.unwrap();
        journal.close().await;
        sqlite(folder.path(), &format!("DELETE FROM operation WHERE kind = {kind}"));
        mark(folder.path());
        let opened = open(folder.path(), 2).await;
        assert_eq!(list(&opened.journal).await, [(7, State::Unknown)], "{kind}");
        opened.journal.resolve(decided(&opened.journal).await, Resolution::MarkStored, NOW).await.unwrap();
        assert_eq!(list(&opened.journal).await, [(7, State::Stored)], "{kind}");
    }
}

#[tokio::test]
async fn a_plant_whose_fold_and_entries_are_lost_stays_in_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path(), 1).await.journal;
    for (number, operation) in [(1, add(1, 1, 7)), (2, delete(2, 8))] {
        journal.record_intent(operation.clone()).await.unwrap();
        if number == 1 {
            let lost = Exchange::failed(operation, FailureKind::TimedOut, String::new(), NOW);
            journal.end(lost, NOW).await.unwrap();
        }
    }
    journal.close().await;
    sqlite(folder.path(), "UPDATE plant SET fold = 'lost'; DELETE FROM operation");
    mark(folder.path());
    let opened = open(folder.path(), 2).await;
    assert_eq!(list(&opened.journal).await, [(7, State::Unknown), (8, State::Unknown)]);
}
