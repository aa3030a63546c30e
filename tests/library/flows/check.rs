//! The contract check in its tab: a whole run, one that is stopped, one that is cut off.

use plants::check::{Conclusion, RULES, UNDOCUMENTED, Verdict};

use super::*;

/// A program at a store that is checked without a question, and without pauses between requests.
async fn demo_app(url: StoreUrl) -> Program {
    Box::pin(in_the_tab(connected(Place::Memory, url, Some(TOKEN), Duration::from_secs(20), 7).await)).await
}

async fn in_the_tab(opened: Connected) -> Program {
    let nowhere: Connect = Box::new(|_, _| Box::pin(async { Err(eyre!("there is no other")) }));
    let mut app = Program::among(opened, Vec::new(), nowhere).await;
    app.stage.app.cx.session.info.demo = true;
    app.press("3").resolve().await;
    app
}

#[tokio::test]
async fn a_whole_check_shows_each_row_and_has_no_leftovers() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = demo_app(url).await;
    app.shows(&["Does this store follow its interface document?", "r runs the check.", "No run is stored yet."]);
    app.press("r").until("checking").await.until("of 51").await;
    app.shows(&["to come", "Esc stop"]);
    // The check continues in every tab.
    app.press("1").until("No plants").await.until("checking").await;
    app.press("3").resolve().await;
    app.shows(&["✓ 15 pass", "no leftovers", "A Plant Store: all 15 rules pass. No leftovers."]);
    app.shows_none_of(&["to come", "checking"]);
    assert!(!app.stage.app.is_moving() && app.stage.app.cx.out.status.notices.is_empty());
    assert_eq!(app.view().await, []);
    let runs = app.journal.runs(10).await.unwrap();
    assert_eq!(
        (runs.len(), runs[0].diagnosis.conclusion(), runs[0].count(Verdict::Pass)),
        (1, Conclusion::Pass, RULES.len())
    );
    assert_eq!(runs[0].undocumented.len(), UNDOCUMENTED.len());
    // A row opens the requests that were sent for it.
    app.press("/delete-wrong-token<enter>").resolve().await;
    app.shows(&["▸  5    A delete with a wrong token is rejected", "401 Unauthorized"]);
    app.press("<enter>").resolve().await;
    app.shows(&["── Request", "DELETE /plants/", "Bearer not-the-token"]);
    app.press("<esc>y").resolve().await.shows(&["The curl command for"]);
    // The plants of the check are neither suggested, nor offered for re-adding, nor a reason to ask before quitting.
    app.press("a").resolve().await.shows(&["\"id\":1,"]);
    app.press("<esc>b").resolve().await.shows(&["Nothing yet."]);
    app.press("<esc>q").until_over().await;
}

#[tokio::test]
async fn a_stopped_check_cleans_up_and_is_stored_as_stopped() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = demo_app(url).await;
    app.press("r").until("✓ pass").await;
    app.press("<esc>").resolve().await;
    app.shows(&["The check ended early (it was stopped)", "No leftovers."]);
    assert_eq!(app.view().await, []);
    let runs = app.journal.runs(10).await.unwrap();
    assert_eq!(runs[0].cut_short.as_deref(), Some("it was stopped"));
}

#[tokio::test]
async fn the_next_check_removes_the_leftovers_of_one_that_was_cut_off() {
    let (_store, url) = demo(Weather::default()).await;
    let folder = tempfile::tempdir().unwrap();
    let opened = async |origin| {
        let place = Place::Folder(folder.path().to_path_buf());
        in_the_tab(connected(place, url.clone(), Some(TOKEN), Duration::from_secs(20), origin).await).await
    };
    let mut app = opened(7).await;
    app.press("r").until("✓ pass").await;
    app.stage.close().await;
    let mut app = opened(8).await;
    // The tab shows the last stored run.
    app.shows(&["ended early (the program ended)", "1 leftover"]);
    let left = app.journal.before_check().await.unwrap().leftovers;
    assert!(!left.is_empty(), "something was left");
    app.press("o<enter>").resolve().await.shows(&["ended early (the program ended)"]);
    app.press("G").resolve().await.shows(&["may be there", "It may be there."]);
    app.press("r");
    while app.journal.before_check().await.unwrap().leftovers.iter().any(|plant| left.contains(plant)) {
        app.turn().await;
    }
    app.press("<esc>").resolve().await;
    assert_eq!(app.journal.before_check().await.unwrap().leftovers, []);
    assert_eq!(app.journal.runs(10).await.unwrap().len(), 2);
}

#[tokio::test]
async fn the_death_of_the_worker_ends_the_check_and_stores_it() {
    let store = scripted(&[SILENCE]).await;
    let mut app = demo_app(store.url.clone()).await;
    app.press("r").until("checking: 0 of").await;
    while store.came.lock().unwrap().is_empty() {
        app.turn().await;
    }
    app.worker_task.abort();
    app.until("The background task has died").await.resolve().await;
    app.shows(&["ended early (the background task died)", "1 leftover"]);
    assert_eq!((app.view().await, app.journal.before_check().await.unwrap().leftovers.len()), (vec![], 1));
    assert_eq!(app.journal.runs(10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_check_of_another_store_than_the_demo_asks_first() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url.clone()).await;
    app.press("3r").resolve().await;
    app.shows(&[&format!("Check {url}?"), "▸ n  Not now", "Run it all", "Only the rules", "Plants-Check"]);
    app.press("<enter>").resolve().await;
    assert_eq!(app.journal.runs(10).await.unwrap().len(), 0);
    app.press("r<tab><tab><enter>").until("checking").await;
    app.press("<esc>").resolve().await;
    assert!(app.journal.runs(10).await.unwrap()[0].wanted.gentle);
    assert_eq!(app.view().await, []);
}

#[tokio::test]
async fn the_history_lists_a_check_as_one_line_that_unfolds() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = demo_app(url).await;
    app.press("r").resolve().await;
    app.press("1aFern<tab><tab>t<enter>").resolve().await;
    app.press("2").resolve().await;
    app.shows(&["add    Fern (1)", "check  + ", "requests", "✓ 15 pass"]);
    app.shows_none_of(&["Plants Check"]);
    app.press("<down>").resolve().await;
    app.shows(&["A Plant Store: all 15 rules pass.", "Enter lists them below it.", "Enter unfold"]);
    app.press("<enter>").resolve().await;
    app.shows(&["check  − ", "delete │ plant", "Enter fold"]);
    app.press("<end>").resolve().await;
    app.shows(&["add    │ "]);
    app.press("<left>").resolve().await;
    app.shows(&["check  + "]);
    app.shows_none_of(&["add    │"]);
    // A filter shows what is inside.
    app.press("/plants check").resolve().await;
    app.shows(&["Plants Check"]);
    app.shows_none_of(&["check  + "]);
    app.press("<esc>").resolve().await;
    app.shows(&["check  + "]);
}
