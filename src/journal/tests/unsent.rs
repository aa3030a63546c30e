//! Operations that were never sent end as not sent once the journal can be written.

use super::*;

/// The journal of a program that has recorded intents for these ids and can write no more.
async fn blocked(folder: &Path, plants: std::ops::RangeInclusive<u32>) -> Journal {
    let journal = on_disk(folder, 1).await;
    for number in plants {
        journal.record_intent(add(1, number, number.into(), "n")).await.unwrap();
    }
    block(&journal, true).await;
    journal
}

async fn block(journal: &Journal, is_blocked: bool) {
    with_connection(journal, move |conn| conn.pragma_update(None, "query_only", is_blocked).unwrap()).await;
}

/// Tries to end an operation, and fails.
async fn end(journal: &Journal, number: u32, outcome: Outcome) {
    let ended = journal.end(ended_with(&add(1, number, number.into(), "n"), outcome), NOW).await;
    assert!(ended.is_err());
}

/// Id and state of each plant.
async fn states(journal: &Journal) -> Vec<(i64, State)> {
    whole(journal).await.rows.iter().map(|row| (row.id.0, row.state)).collect()
}

#[tokio::test]
async fn the_next_write_ends_them_once() {
    let folder = tempfile::tempdir().unwrap();
    let journal = blocked(folder.path(), 1..=3).await;
    for (number, outcome) in
        [(1, Outcome::NotSent), (1, Outcome::NotSent), (2, Outcome::Accepted), (3, Outcome::Unknown)]
    {
        end(&journal, number, outcome).await;
    }
    block(&journal, false).await;
    journal.record_intent(add(1, 4, 4, "n")).await.unwrap();
    let adding = [2, 3, 4].map(|id| (id, State::Adding));
    assert_eq!(states(&journal).await, adding);
    let window = whole(&journal).await;
    assert_eq!(recount(&window.rows), window.tally);
    journal.end(ended_with(&add(1, 4, 4, "n"), Outcome::NotSent), NOW).await.unwrap();
    journal.record_intent(add(1, 5, 5, "n")).await.unwrap();
    assert_eq!(journal.exchanges(Search::default(), None, 100).await.unwrap().len(), 2);
}

#[tokio::test]
async fn closing_ends_them() {
    let folder = tempfile::tempdir().unwrap();
    let journal = blocked(folder.path(), 1..=2).await;
    end(&journal, 1, Outcome::NotSent).await;
    block(&journal, false).await;
    journal.close().await;
    let next = opened(folder.path(), 2).await;
    assert_eq!(ids(&next.orphans), [2]);
    assert_eq!(states(&next.journal).await, [(2, State::Unknown)]);
}

#[tokio::test]
async fn they_are_unknown_at_the_next_start_if_the_last_write_fails() {
    let folder = tempfile::tempdir().unwrap();
    let journal = blocked(folder.path(), 1..=2).await;
    end(&journal, 1, Outcome::NotSent).await;
    journal.close().await;
    let next = opened(folder.path(), 2).await;
    assert_eq!(ids(&next.orphans), [1, 2]);
    assert_eq!(states(&next.journal).await, [1, 2].map(|id| (id, State::Unknown)));
}

#[cfg(unix)]
mod on_unix {
    use super::*;

    /// An intent in a journal that was moved must not be sent. One that was recorded before may have been
    /// sent since.
    #[tokio::test]
    async fn an_intent_whose_journal_was_moved_during_the_commit_is_not_sent() {
        let folder = tempfile::tempdir().unwrap();
        let (path, aside) = (folder.path().join("journal.db"), folder.path().join("aside"));
        let journal = on_disk(folder.path(), 1).await;
        journal.record_intent(add(1, 1, 1, "n")).await.unwrap();
        let (from, to) = (path.clone(), aside.clone());
        // Moved during the commit: no earlier check detects it.
        with_connection(&journal, move |conn| {
            let moves = move || {
                fs::rename(&from, &to).unwrap();
                false
            };
            conn.commit_hook(Some(moves)).unwrap();
        })
        .await;
        let replaced = JournalError::Replaced { path: path.clone() };
        let both = journal.record_intents(vec![add(1, 1, 1, "n"), add(1, 2, 2, "n")], Condition::None).await;
        assert_eq!(both, Err(replaced.clone()));
        with_connection(&journal, |conn| conn.commit_hook(None::<fn() -> bool>).unwrap()).await;
        assert_eq!(journal.record_intent(add(1, 3, 3, "n")).await, Err(replaced));
        fs::rename(&aside, &path).unwrap();
        assert_eq!(states(&journal).await, [(1, State::Adding), (2, State::Adding)]);
        journal.close().await;
        assert_eq!(states(&on_disk(folder.path(), 2).await).await, [(1, State::Unknown)]);
    }
}
