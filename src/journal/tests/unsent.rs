//! Intents whose commit may have been made although it failed.

#[cfg(unix)]
mod on_unix {
    use crate::journal::tests::*;

    /// Id and state of each plant.
    async fn states(journal: &Journal) -> Vec<(i64, State)> {
        whole(journal).await.rows.iter().map(|row| (row.id.0, row.state)).collect()
    }

    /// An intent in a journal that was moved must not be sent. One that was recorded before may have been sent since.
    #[tokio::test]
    async fn an_intent_whose_journal_was_moved_during_the_commit_fails_and_its_end_is_written_later() {
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
        let ends = [2, 3].map(|number| Arc::new(ended_with(&add(1, number, number.into(), "n"), Outcome::NotSent)));
        let not_requested = JournalError::NotRequested(OperationId { origin: 1, number: 3 });
        assert_eq!(
            journal.end_and_intend(ends.into(), NOW, Vec::new(), Condition::None).await,
            Ok(vec![Ok(()), Err(not_requested)])
        );
        journal.close().await;
        assert_eq!(states(&on_disk(folder.path(), 2).await).await, [(1, State::Unknown)]);
    }
}
