//! A journal that is moved, deleted or replaced between two adds.

use std::fs;
use std::path::Path;

use super::*;

async fn app_in(folder: &Path, url: &StoreUrl) -> Program {
    Program::with(Place::Folder(folder.to_path_buf()), url.clone(), Some(TOKEN), Duration::from_secs(20)).await
}

#[tokio::test]
async fn nothing_is_sent_without_the_journal_and_the_plants_stay_visible() {
    type Disturb = fn(&Path);
    let disturbances: [(&str, Disturb); 4] = [
        ("journal.db", |folder| fs::rename(folder.join("journal.db"), folder.join("aside")).unwrap()),
        ("journal.db", |folder| fs::remove_file(folder.join("journal.db")).unwrap()),
        ("journal.db", |folder| {
            fs::copy(folder.join("journal.db"), folder.join("copy")).unwrap();
            fs::rename(folder.join("copy"), folder.join("journal.db")).unwrap();
        }),
        ("journal.db-wal", |folder| fs::remove_file(folder.join("journal.db-wal")).unwrap()),
    ];
    for (file, disturb) in disturbances {
        let (store, folder) = (scripted(&[CREATED, CREATED]).await, tempfile::tempdir().unwrap());
        let mut app = app_in(folder.path(), &store.url).await;
        app.press("aFern<tab><tab>shade<enter>").resolve().await.shows(&["● stored"]);
        disturb(folder.path());
        app.press("aIvy<tab><tab>wall<enter>").resolve().await;
        app.shows(&["Ivy (2) was not sent", "Fern", "● stored", "1 stored", "nothing more is sent: close plants"]);
        app.shows_none_of(&["adding", "in flight"]);
        app.shows(&[&format!("{file} was moved")]);
        // Another order is read through another connection, which must not open another file.
        app.press("<esc>s").resolve().await.shows(&["Fern", "1 stored"]);
        assert_eq!(store.came.lock().unwrap().len(), 1, "{}", app.screen());
    }
}

#[tokio::test]
async fn a_journal_that_is_put_back_is_used_again() {
    let (store, folder) = (scripted(&[CREATED, CREATED]).await, tempfile::tempdir().unwrap());
    let mut app = app_in(folder.path(), &store.url).await;
    app.press("aFern<tab><tab>shade<enter>").resolve().await.shows(&["● stored"]);
    let (journal, aside) = (folder.path().join("journal.db"), folder.path().join("aside"));
    fs::rename(&journal, &aside).unwrap();
    app.press("aIvy<tab><tab>wall<enter>").resolve().await.shows(&["Ivy (2) was not sent"]);
    fs::rename(&aside, &journal).unwrap();
    app.press("<esc>r").resolve().await.shows(&["2 stored"]);
    assert_eq!(store.came.lock().unwrap().len(), 2);
    assert_eq!(app.view().await, [(1, "stored"), (2, "stored")]);
}
