//! Questions about unknown outcomes: whether to go on after five in a row, and what to do about one.

use super::plants;
use super::pty::Start;
use crate::support::Home;
use crate::support::raw::RawStore;

/// Returns a store that makes everything unknown.
fn failing() -> RawStore {
    RawStore::saying("503 Service Unavailable", "")
}

/// Starts the program beside a file of thirty plants.
fn beside_a_file(store: &RawStore, arguments: &[&str]) -> Start {
    let rows: Vec<_> = (1..=30).map(|id| format!("{id},plant {id},t")).collect();
    let start = plants(arguments).args(&["--base-url", &store.url()]).env("PLANTS_TOKEN", "t");
    start.file("plants.csv", &format!("id,name,tag\n{}\n", rows.join("\n")))
}

const QUESTION: &str = "Send 25 more operations all the same?";

#[test]
fn an_import_asks_on_a_terminal_and_a_no_leaves_the_rest_unsent() {
    for (answer, code) in [("n\r", 4), ("\r", 4), ("\x03", 130)] {
        let store = failing();
        let mut pty = beside_a_file(&store, &["import", "plants.csv", "--concurrency", "1"]).open();
        pty.shows(QUESTION).press(answer);
        let ended = pty.end();
        assert_eq!(ended.code, code, "{}", ended.screen);
        assert!(ended.screen.contains("5 unknown, 25 not tried"), "{}", ended.screen);
        pty.assert_restored();
        assert_eq!(store.received().len(), 5);
    }
}

#[test]
fn an_import_goes_on_after_a_yes_and_asks_again() {
    let store = failing();
    let mut pty = beside_a_file(&store, &["import", "plants.csv", "--concurrency", "1"]).open();
    pty.shows(QUESTION).press("y\r").shows("Send 20 more operations all the same?").press("n\r");
    assert_eq!(pty.end().code, 4);
    assert_eq!(store.received().len(), 10);
}

#[test]
fn plain_mode_asks_as_well() {
    let store = failing();
    let mut pty = beside_a_file(&store, &["--plain"]).open();
    pty.shows("Command (help").press("import plants.csv\r").shows("Send 30 rows to").press("y\r");
    pty.shows("all the same?").press("n\r").shows("not tried").press("quit\r");
    pty.end();
    assert!((5..=12).contains(&store.received().len()));
}

#[test]
fn the_interface_asks_and_its_safe_answer_ends_the_import() {
    let store = failing();
    let pty = beside_a_file(&store, &[]).open();
    pty.shows("No plants yet").press("i").shows("Import which file?").press("plants.csv\r");
    pty.shows("Import 30 plants")
        .answer("y")
        .shows("Go on with the import?")
        .shows("Five outcomes in a row are unknown");
    pty.answer("\r").shows("The import halted");
    assert!((5..=12).contains(&store.received().len()));
}

#[test]
fn a_decision_that_sends_uses_the_token_that_is_there() {
    let (home, store) = (Home::new(), failing());
    home.plants_at(&store.url(), &["add", "Fern", "--id", "7", "--tag", "t"]).ended().orderly(4);
    let (url, data) = (store.url(), home.data());
    let place = ["resolve", "fern", "--base-url", &url, "--data-dir", data.to_str().unwrap()];
    let mut pty = plants(&place).env("PLANTS_TOKEN", "canary").open();
    pty.shows("Decide: 1 skip, 2 send again").press("delete\r");
    assert_eq!(pty.end().code, 4);
    let last = store.received().pop().unwrap();
    assert!(last.starts_with("DELETE /plants/7 ") && last.contains("Bearer canary"), "{last}");
}
