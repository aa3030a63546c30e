//! Journals that are damaged: nothing that can be read is lost, nothing is claimed that was not
//! so, and the damaged file stays as it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use plants::domain::{Ask, Exchange, FailureKind, Operation, OperationId, PlantId, State};
use plants::journal::{Journal, JournalError, Search, SetAside};

use super::{NOW, accepted, add, file, open, sqlite, try_open, view};

/// As `SQLite` makes them where nothing else is asked for.
const PAGE: usize = 4096;

fn delete(number: u32, id: i64) -> Operation {
    Operation { id: OperationId { origin: 1, number }, ask: Ask::Delete(PlantId(id)), asked_at: NOW }
}

async fn carry_out(journal: &Journal, operation: Operation) {
    journal.ask(operation.clone()).await.unwrap();
    journal.end(accepted(operation), NOW).await.unwrap();
}

/// A journal of some forty pages: plants 1 to 150, of which 1 to 20 are deleted again and 21 to
/// 30 in doubt. Returns its bytes and its view.
async fn well_filled() -> (Vec<u8>, BTreeMap<i64, State>) {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path(), 1).await.journal;
    let mut number = 0;
    for id in 1..=150 {
        number += 1;
        let operation = add(1, number, id);
        if (21..=30).contains(&id) {
            journal.ask(operation.clone()).await.unwrap();
            let lost = Exchange::failed(operation, FailureKind::TimedOut, "x".repeat(200), NOW);
            journal.end(lost, NOW).await.unwrap();
        } else {
            carry_out(&journal, operation).await;
        }
    }
    for id in 1..=20 {
        number += 1;
        carry_out(&journal, delete(number, id)).await;
    }
    let view = view(&journal).await.into_iter().collect();
    journal.close().await;
    (fs::read(file(folder.path())).unwrap(), view)
}

/// Does everything that reads or writes any part of the journal.
async fn use_all_of_it(journal: &Journal, origin: u64) -> Result<BTreeMap<i64, State>, JournalError> {
    let mut seen = BTreeMap::new();
    for row in journal.view_page(None, usize::MAX).await? {
        journal.story(row.id).await?;
        seen.insert(row.id.0, row.state);
    }
    journal.exchanges(Search { name: Some("e".to_owned()), ..Search::default() }, None, usize::MAX).await?;
    journal.departed(String::new(), usize::MAX).await?;
    journal.doubts().await?;
    let new = add(origin, 1, 1_000_000);
    journal.ask(new.clone()).await?;
    journal.end(accepted(new), NOW).await?;
    Ok(seen)
}

/// Starts until a start finds everything in order: the second start at the latest.
async fn started_over(folder: &Path) -> (BTreeMap<i64, State>, Option<SetAside>) {
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

/// What is shown was so, or is in doubt.
fn assert_honest(seen: &BTreeMap<i64, State>, before: &BTreeMap<i64, State>, what: &str) {
    for (id, state) in seen.iter().filter(|(id, _)| **id != 1_000_000) {
        assert!(*state == State::Unknown || before.get(id) == Some(state), "{what}: {id} is {state:?}");
    }
}

#[tokio::test]
async fn cut_off_anywhere_it_saves_the_rest_and_claims_nothing() {
    let (bytes, before) = well_filled().await;
    let pages = bytes.len() / PAGE;
    assert!(pages > 25, "{pages} pages");
    let lengths = (1..pages).map(|page| page * PAGE).chain([1, 15, 99, 100, 1000, PAGE - 1, PAGE + 1, bytes.len() - 1]);
    for length in lengths {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path()).unwrap();
        let cut = bytes.get(..length).unwrap();
        fs::write(file(folder.path()), cut).unwrap();
        let (seen, set_aside) = started_over(folder.path()).await;
        assert_honest(&seen, &before, &format!("cut to {length} bytes"));
        let aside = set_aside.unwrap_or_else(|| panic!("cut to {length} bytes, nothing was noticed"));
        assert!(!aside.saved.complete || seen.len() > before.len(), "{length}");
        assert_eq!(fs::read(&aside.path).unwrap(), cut, "cut to {length} bytes");
    }
}

#[tokio::test]
async fn with_any_page_spoilt_it_saves_the_others_and_claims_nothing() {
    let (bytes, before) = well_filled().await;
    for page in 0..bytes.len() / PAGE {
        let folder = tempfile::tempdir().unwrap();
        let mut spoilt = bytes.clone();
        let noise = (0..PAGE).map(|at| u8::try_from((at * 131 + page * 17 + 7) % 251).unwrap());
        spoilt.splice(page * PAGE..(page + 1) * PAGE, noise);
        fs::write(file(folder.path()), &spoilt).unwrap();
        let (seen, set_aside) = started_over(folder.path()).await;
        assert_honest(&seen, &before, &format!("page {page} spoilt"));
        if let Some(aside) = set_aside {
            assert_eq!(fs::read(&aside.path).unwrap(), spoilt, "page {page} spoilt");
        } else {
            // A page that nothing reads: what is shown is all there is.
            assert_eq!(seen.len(), before.len(), "page {page} spoilt");
        }
        // The first page says what every other is: without it there is nothing to read. Else every
        // plant is still shown: what its row said is folded from the entries, or the other way round.
        let missing: Vec<_> = before.keys().filter(|id| page > 0 && !seen.contains_key(id)).collect();
        assert_eq!(missing, [&0; 0], "page {page} spoilt");
    }
}

#[tokio::test]
async fn one_that_was_set_aside_before_is_not_written_over() {
    let (bytes, _) = well_filled().await;
    let folder = tempfile::tempdir().unwrap();
    let cut = bytes.get(..bytes.len() / 2).unwrap();
    let expected = ["journal.db.corrupt-20231114T221320Z", "journal.db.corrupt-20231114T221320Z-2"];
    for (bytes, name) in [cut, b"no database at all"].into_iter().zip(expected) {
        fs::write(file(folder.path()), bytes).unwrap();
        let (_, set_aside) = started_over(folder.path()).await;
        let moved = folder.path().join(name);
        assert_eq!(set_aside.unwrap().path, moved);
        assert_eq!(fs::read(&moved).unwrap(), bytes);
    }
    assert_eq!(open(folder.path(), 1).await.set_aside, None);
}

#[tokio::test]
async fn while_another_program_works_with_it_nothing_is_moved() {
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
async fn a_rebuilding_that_was_killed_is_done_over_or_brought_to_its_end() {
    let (bytes, before) = well_filled().await;
    let cut = bytes.get(..bytes.len() - PAGE).unwrap();
    let beside = |folder: &Path, ending: &str| folder.join(format!("journal.db{ending}"));

    // Killed while it copied: what it had is thrown away.
    let folder = tempfile::tempdir().unwrap();
    fs::write(file(folder.path()), cut).unwrap();
    fs::write(beside(folder.path(), ".rebuilt"), "half a file").unwrap();
    let (seen, set_aside) = started_over(folder.path()).await;
    assert!(set_aside.is_some() && !beside(folder.path(), ".rebuilt").exists());
    assert_honest(&seen, &before, "killed while it copied");

    // Killed between the two moves: the rebuilt journal takes its place.
    let folder = tempfile::tempdir().unwrap();
    fs::write(beside(folder.path(), ".corrupt-1"), cut).unwrap();
    fs::write(beside(folder.path(), ".rebuilt"), &bytes).unwrap();
    let opened = open(folder.path(), 2).await;
    assert_eq!(opened.set_aside, None);
    assert_eq!(view(&opened.journal).await.into_iter().collect::<BTreeMap<_, _>>(), before);
}

#[tokio::test]
async fn a_log_that_is_missing_takes_only_what_was_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path(), 1).await.journal;
    carry_out(&journal, add(1, 1, 7)).await;
    let checkpointed = fs::read(file(folder.path())).unwrap();
    // A copy of the journal alone, as somebody may make it while a program runs.
    let copy = tempfile::tempdir().unwrap();
    fs::write(file(copy.path()), &checkpointed).unwrap();
    let (seen, _) = started_over(copy.path()).await;
    assert!(seen.is_empty() || seen.keys().eq([&7]), "{seen:?}");
}
