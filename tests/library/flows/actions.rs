//! Every action of the key table, done by its key in the real event loop, and what the screen shows then.

use std::collections::BTreeSet;
use std::path::Path;

use plants::import::{Forecast, Preview, RowCounts, RowFault};
use plants::tui::input::Scope;

use super::*;

/// A program, and the actions that were done in it.
struct Hand {
    app: Program,
    done: BTreeSet<String>,
}

impl Hand {
    /// Presses the first key of an action, then more keys; waits until the program is idle, and compares the screen.
    async fn does(&mut self, name: &str, then: &str, shows: &[&str]) -> &mut Self {
        let keys = &self.app.stage.app.cx.out.keys;
        let scope = self.app.stage.app.scope();
        let binding = keys.here(scope).find(|binding| binding.name == name);
        let binding = binding.unwrap_or_else(|| unreachable!("{name} has no key in {scope:?}")).clone();
        self.done.insert(binding.name.to_string());
        match binding.keys.first() {
            Some(key) => self.app.typed.push_back(Event::Input(Input::Key(*key), APART)),
            None => drop(self.app.press(&format!(":{name}<enter>"))),
        }
        self.app.resolve().await.shows_none_of(&["does nothing now"]);
        self.app.press(then).resolve().await;
        self.app.shows(shows);
        self
    }

    fn row_of(&self, text: &str) -> usize {
        let screen = self.app.screen();
        screen.lines().position(|line| line.contains(text)).unwrap_or_else(|| unreachable!("no {text:?} in\n{screen}"))
    }
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one script of all actions")]
async fn every_action_of_the_key_table_works_by_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let (_store, url) = demo(Weather::default()).await;
    let mut hand = Hand { app: app_on(url).await, done: BTreeSet::new() };
    let hand = &mut hand;

    // The add form.
    hand.does("add", "", &["Add a plant", "POST /plants HTTP/1.1"]).await;
    hand.does("next-field", "<c-u>7", &["\"id\":7"]).await;
    hand.does("next-id", "", &["\"id\":1"]).await;
    hand.does("form-headers", "", &["authorization: Bearer ********"]).await;
    hand.does("form-headers", "<c-u>7", &["\"id\":7"]).await;
    hand.app.shows_none_of(&["authorization"]);
    hand.does("field-below", "", &["▸ tag"]).await;
    hand.does("previous-field", "<up>Fern<tab><tab>t", &["\"name\":\"Fern\""]).await;
    hand.does("close-form", "", &["No plants yet"]).await;
    hand.does("add", "", &["Esc or F2 discards it", "\"name\":\"Fern\""]).await;
    hand.does("blank-form", "<esc>", &["Discarded."]).await;
    hand.does("add", "Fern<tab><c-u>7<tab>t", &["\"name\":\"Fern\""]).await;
    hand.does("submit", "", &["Added Fern (7)", "● stored"]).await;
    for (name, id) in [("Ivy", 9), ("Moss", 8), ("Oak", 20)] {
        hand.app.press(&format!("a{name}<tab><c-u>{id}<tab>t<enter>")).resolve().await;
    }

    // Moving in the list.
    hand.does("first", "", &["▸     7"]).await;
    hand.does("down", "", &["▸     8"]).await;
    hand.does("up", "", &["▸     7"]).await;
    hand.does("redraw", "", &["▸     7"]).await;
    hand.does("page-down", "", &["▸    20"]).await;
    hand.does("page-up", "", &["▸     7"]).await;
    hand.does("last", "", &["▸    20"]).await;
    hand.does("half-page-up", "", &["▸     7"]).await;
    hand.does("half-page-down", "", &["▸    20"]).await;
    hand.does("mark-up", "", &["2 marked", "▸◆    9"]).await;
    hand.does("mark-down", "<esc>", &["▸    20"]).await;
    hand.does("mark-range", "kk", &["3 marked", "Esc end the range"]).await;
    hand.does("mark-range", "k<esc>", &["▸     7"]).await;
    hand.app.press("G").resolve().await;
    hand.does("sort", "", &["Sort by 1 id, 2 name,", "5 since  s next column  Esc cancel"]).await;
    hand.does("cancel-sort", "", &["▲ID"]).await;
    hand.does("sort", "", &[]).await;
    hand.does("sort-by-next", "", &["NAME▲"]).await;
    assert!(hand.row_of("7  Fern") < hand.row_of("20  Oak"));
    hand.does("reverse", "", &["NAME▼"]).await;
    assert!(hand.row_of("7  Fern") > hand.row_of("20  Oak"));
    for (name, shown) in [
        ("sort-by-second", "NAME▲"),
        ("sort-by-third", "TAG▲"),
        ("sort-by-fourth", "STATE▲"),
        ("sort-by-fifth", "Sorted by since, oldest first."),
        ("sort-by-first", "▲ID"),
    ] {
        hand.app.press("s").resolve().await;
        hand.does(name, "", &[shown]).await;
    }
    hand.does("filter", "o", &["/ o", "2 of 4"]).await;
    hand.does("list-down", "", &["▸    20"]).await;
    hand.does("list-up", "", &["▸     8"]).await;
    hand.does("list-down", "", &["▸    20"]).await;
    hand.does("list-back", "", &["▸     8"]).await;
    hand.does("list-page-down", "", &["▸    20"]).await;
    hand.does("list-page-up", "", &["▸     8"]).await;
    hand.does("take", "", &["/ o", "2 of 4"]).await;
    hand.does("mark-all", "", &["2 marked"]).await;
    hand.does("back", "", &["2 of 4"]).await;
    hand.does("back", "", &["Fern", "Ivy"]).await;
    hand.does("filter", "oak", &["1 of 4"]).await;
    hand.does("close-list", "", &["Fern", "Ivy"]).await;

    // The pane.
    hand.does("pane", "", &["Esc to the list"]).await;
    hand.does("pane", "", &["d delete"]).await;

    // Copying.
    hand.does("copy-curl", "", &["The curl command for", "went to the terminal", "OSC 52"]).await;
    assert!(copied().contains("Bearer $PLANTS_TOKEN"), "{}", copied());
    hand.does("copy-response", "", &["The response about Oak (20) went to the terminal, which may take it"]).await;
    assert_eq!(copied(), r#"{"name":"Oak","tag":"t"}"#);
    hand.does("copy-id", "", &["The id 20 went"]).await;
    assert_eq!(copied(), "20");

    hand.does("duplicate", "<esc>", &["Oak"]).await;

    // Deleting one plant, and several.
    hand.does("first", "", &[]).await;
    hand.does("delete", "", &["Delete Fern (7)?"]).await;
    hand.does("next-choice", "", &["▸ y  Delete it"]).await;
    hand.does("previous-choice", "", &["▸ n  Keep it"]).await;
    hand.does("choice-below", "", &["▸ y  Delete it"]).await;
    hand.does("choice-above", "", &["▸ n  Keep it"]).await;
    hand.does("help-in-dialog", "", &["Keys and words", "In a question"]).await;
    hand.does("help-in-text", "", &["▸ n  Keep it"]).await;
    hand.does("close-choice", "", &["▸     7"]).await;
    hand.does("delete", "", &["Delete Fern (7)?"]).await;
    hand.does("no", "", &["▸     7"]).await;
    hand.does("delete", "", &["Delete Fern (7)?"]).await;
    hand.does("yes", "", &["Deleted Fern (7)"]).await;
    hand.does("first", "", &["▸     8"]).await;
    hand.does("mark", "<down>", &["1 marked", " ◆    8", "▸     9"]).await;
    hand.does("mark", "", &["2 marked"]).await;
    hand.does("delete", "", &["Delete these 2 plants?", "Moss (8)", "Ivy (9)"]).await;
    hand.app.press("<tab>").resolve().await;
    hand.does("choose", "", &["Of 2 plants: 2 deleted, 0 rejected, 0 unknown, 0 not sent."]).await;
    hand.does("undo", "", &["Re-add these 2 plants?", "Moss (8)", "Ivy (9)"]).await;
    hand.app.press("<esc>").resolve().await;
    hand.does("re-add", "ivy", &["Re-add a plant", "Ivy"]).await;
    hand.app.press("<enter><enter>").resolve().await;
    hand.app.shows(&["Added Ivy (9)"]);
    hand.does("re-add", "<tab><tab><enter>", &["Re-add these 2 plants?", "Moss (8)", "Fern (7)"]).await;
    hand.app.press("<esc><esc>").resolve().await;
    hand.does("delete-by-id", "12<enter>", &["Delete plant 12?", "not in the list"]).await;
    hand.app.press("<esc>").resolve().await;

    // The history.
    hand.does("history", "", &["OUTCOME", "Latency, last 8 requests without checks"]).await;
    hand.app.press("s").resolve().await;
    hand.does("sort-by-sixth", "", &["▼SIZE"]).await;
    hand.app.press("s").resolve().await;
    hand.does("sort-by-seventh", "s1", &["Sorted by started, newest first."]).await;
    hand.does("by-outcome", "", &["/ outcome:accepted"]).await;
    hand.does("back", "", &["last 8"]).await;
    hand.does("by-plant", "", &["/ id:9", "last 3"]).await;
    hand.does("by-plant", "", &["last 8"]).await;
    hand.does("mark", "<down>", &["1 marked"]).await;
    hand.does("compare", "", &["Two requests compared", "≠", "outcome: accepted"]).await;
    hand.app.press("<esc>").resolve().await;
    hand.does("open", "", &["── Request", "── Response", "waiting"]).await;
    hand.does("raw", "", &[", as sent"]).await;
    hand.does("raw", "", &[]).await;
    hand.does("headers", "", &["h shows 6 headers."]).await;
    hand.does("headers", "", &["── Response headers", "user-agent: plants"]).await;
    hand.does("find", "http", &["/ http line 1 of"]).await;
    hand.app.press("<enter>").resolve().await;
    hand.does("next-match", "", &["line 2 of"]).await;
    hand.does("previous-match", "", &["line 1 of"]).await;
    hand.does("edit-and-resend", "<esc>", &["── Request"]).await;
    hand.does("close-reader", "", &["OUTCOME"]).await;
    // Several deletes ended in any order.
    hand.does("edit-and-resend", "", &["Delete by id", "▸ id"]).await;
    hand.app.press("<esc>").resolve().await;
    let file = folder.path().join("report.md");
    hand.does("report", &format!("<c-u>{}<enter>", file.display()), &["Wrote 8 requests to"]).await;
    let report = std::fs::read_to_string(&file).unwrap();
    assert!(report.starts_with(r"# Requests to http:\//127.0.0.1:") && report.contains("## 8."), "{report}");
    assert!(!report.contains(TOKEN));
    hand.does("report", &format!("<c-u>{}<enter>", file.display()), &["there is such a file already"]).await;
    hand.app.press("<esc>").resolve().await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), report);
    hand.does("previous-tab", "", &["STATE"]).await;
    hand.does("next-tab", "", &["OUTCOME"]).await;
    hand.does("plants", "", &["STATE"]).await;
    hand.does("its-requests", "", &["/ id:9"]).await;
    hand.does("plants", "", &["STATE"]).await;

    before_an_import(hand, folder.path()).await;

    // The check, with two runs.
    hand.app.stage.app.cx.session.info.demo = true;
    hand.does("check", "", &["Does this store follow its interface document?"]).await;
    hand.does("run-check", "", &["✓ 15 pass", "all 15 rules pass"]).await;
    hand.app.press("r").until("checking").await.press("<esc>").resolve().await;
    hand.app.shows(&["ended early (it was stopped)"]);
    hand.does("open-run", "15 pass<enter>", &["✓ 15 pass"]).await;
    let file = folder.path().join("check.txt");
    hand.does("report-check", &format!("<c-u>{}<enter>", file.display()), &["Wrote this run of the check to"]).await;
    assert!(std::fs::read_to_string(&file).unwrap().contains("all 15 rules pass."));
    hand.does("report-check", &format!("<c-u>{}<enter>", file.display()), &["there is such a file already"]).await;
    hand.app.press("<backspace><enter>").resolve().await.shows(&["use the extension .md"]);
    hand.app.press("<esc>").resolve().await;
    hand.does("compare-runs", "", &["Compare with which run?", "inconclusive"]).await;
    hand.app.press("<enter>").resolve().await;
    hand.app.shows(&["rows differ"]);
    hand.does("compare-runs", "<esc><esc>", &["✓ 15 pass"]).await;
    hand.app.shows_none_of(&["rows differ"]);
    hand.app.press("/delete-single<enter>").resolve().await;
    hand.does("open", "", &["1 of 2: #", " delete plant"]).await;
    hand.does("next-request", "", &["2 of 2: #", " delete plant"]).await;
    hand.does("previous-request", "<esc><esc>", &["2    The response to a create"]).await;
    hand.does("history", "<esc><esc>", &["check  + "]).await;
    hand.does("unfold", "", &["check  − "]).await;
    hand.does("fold", "", &["check  + "]).await;
    hand.does("plants", "", &["STATE"]).await;

    // The Greenhouse, and presentation mode.
    hand.does("greenhouse", "", &["Oak", " you ", " the store ", "Please add Ivy, plant 9."]).await;
    hand.does("left", "", &["▸Ivy"]).await;
    hand.does("right", "", &["▸Oak", "Please add Oak, plant 20."]).await;
    hand.does("wire", "", &["── Request", "POST /plants HTTP/1.1"]).await;
    hand.does("wire", "", &["Please add Oak, plant 20."]).await;
    hand.does("weather", "", &["The weather at the demo store", "losing responses"]).await;
    hand.app.press("<down><enter>").resolve().await;
    hand.app.shows(&["The weather: slow.", "weather: slow"]);
    hand.does("present", "<left>", &["Left", "█"]).await;
    hand.does("present", "", &["Presentation mode has ended."]).await;
    hand.does("tour", "", &["Tour, 1 of 10", "DEMO STORE"]).await;
    hand.app.press("<esc><esc>").resolve().await;
    hand.app.shows(&["You have left the tour."]);
    hand.does("plants", "", &["STATE"]).await;

    // Help and palette.
    let first = "delete the selected plant";
    hand.does("help", "", &["Keys and words", first]).await;
    hand.does("read-last", "", &["Outcomes"]).await;
    hand.does("read-first", "", &[first]).await;
    hand.does("read-down", "<down>", &["sort by a column"]).await;
    hand.app.shows_none_of(&[first]);
    hand.does("read-up", "<up>", &[first]).await;
    hand.does("read-page-down", "", &[]).await;
    hand.app.shows_none_of(&[first]);
    hand.does("read-page-up", "", &[first]).await;
    hand.does("read-half-page-down", "", &[]).await;
    hand.app.shows_none_of(&[first]);
    hand.does("read-half-page-up", "", &[first]).await;
    hand.app.press("<esc>").resolve().await.shows(&["STATE"]);
    hand.app.press("a").resolve().await;
    hand.does("help-anywhere", "", &["Keys and words", "In a form", "send what the form shows"]).await;
    hand.does("help-anywhere", "<esc>", &["q quit"]).await;
    hand.does("palette", "any plant", &["delete any plant by its id"]).await;
    hand.app.press("<enter>").resolve().await;
    hand.app.shows(&["Delete by id"]);
    hand.app.press("<esc>:exp").resolve().await;
    hand.does("complete", "", &["find  export", "▸ e          export"]).await;
    hand.app.press("<esc>").resolve().await;
    hand.does("theme", "lig", &["find  theme lig", "theme light      for a light background"]).await;
    // Without a folder, there is no config file.
    hand.app.press("<enter>").resolve().await.shows(&["Theme light is not saved", "theme = \"light\""]);
    hand.app.press("<esc>").resolve().await;
    hand.does("language", "d", &["find  language d", "language de      Deutsch"]).await;
    hand.app.press("<enter>").resolve().await.shows(&["Language de is not saved", "language = \"de\""]);
    hand.app.press("<esc>").resolve().await;
    hand.does("profile", "", &["find  profile", "There is none to choose; c makes a new one."]).await;
    hand.app.press("<esc>").resolve().await;
    hand.does("mouse", "", &["The terminal has the mouse"]).await;
    hand.does("mouse", "", &["gives it back"]).await;
    hand.does("suspend", "", &["STATE"]).await;
    hand.does("connection", "", &["╭ Stores", "Nothing is sent when a store is opened"]).await;
    hand.app.press("<esc>").resolve().await;
    hand.does("replace-token", "", &["╭ Token for the demo store"]).await;
    hand.app.press("<esc>").resolve().await;

    // Other tests cover these.
    let rest =
        ["resolve", "send-again", "interrupt", "quit", "quit-now", "save-as-profile", "next-value", "previous-value"];
    let is_covered = |name: &str| rest.contains(&name) || name.starts_with("answer-");
    let names: BTreeSet<_> = Scope::ALL.iter().flat_map(|scope| every(*scope)).collect();
    let missing: Vec<_> = names.iter().filter(|name| !hand.done.contains(*name) && !is_covered(name)).collect();
    assert_eq!(missing, [""; 0], "no test covers these actions");
}

/// Exports the list, and previews a file with sixty invalid rows.
async fn before_an_import(hand: &mut Hand, folder: &Path) {
    let file = folder.join("plants.csv");
    hand.does("export", "", &["plants-2023-11-14-"]).await;
    hand.app.press(&format!("<c-u>{}<enter>", file.display())).resolve().await;
    hand.app.shows(&["Wrote 2 plants to"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "name,id,tag\nIvy,9,t\nOak,20,t\n");
    // Only a second Enter overwrites a file, and a device is no regular file.
    std::fs::write(&file, "mine").unwrap();
    hand.does("export", &format!("<c-u>{}<enter>", file.display()), &["this file exists already"]).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    hand.app.press("<enter>").resolve().await.shows(&["Wrote 2 plants to"]);
    assert!(std::fs::read_to_string(&file).unwrap().contains("Oak"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/dev/null", folder.join("null.csv")).unwrap();
        let null = format!("<c-u>{}<enter><enter>", folder.join("null.csv").display());
        hand.does("export", &null, &["that is no regular file"]).await;
        hand.app.press("<esc>").resolve().await;
    }
    hand.does("import", "plants.csv", &["Import which file?", "plants.csv"]).await;
    let fault = |line| RowFault { line, column: 2, field: None, reason: "not a whole number".into() };
    let counts = RowCounts { send: 4, unknown: 3, ..RowCounts::default() };
    let forecast = Forecast { counts, unsent: Vec::new() };
    let preview = Preview { bad: 60, faults: (1..61).map(fault).collect(), forecast, ..Preview::default() };
    // Input is handled before results of queries.
    hand.app
        .burst("<enter>")
        .keyboard
        .send(Event::Msg(Msg::Validated(Some("plants.csv".into()), Ok(preview.into()))))
        .unwrap();
    hand.app.resolve().await.shows(&["Import preview", "✗ line 1,"]);
    hand.does("dialog-last", "", &["✗ line 60,"]).await;
    hand.does("dialog-first", "", &["read as CSV"]).await;
    hand.does("preview-down", "", &["✗ line 1,"]).await;
    hand.app.shows_none_of(&["read as CSV"]);
    hand.does("preview-up", "", &["read as CSV"]).await;
    hand.does("dialog-page-down", "", &["✗ line 30,"]).await;
    hand.app.shows_none_of(&["read as CSV"]);
    hand.does("dialog-page-up", "", &["read as CSV"]).await;
    hand.does("dialog-half-page-down", "", &["✗ line 15,"]).await;
    hand.app.shows_none_of(&["read as CSV"]);
    hand.does("dialog-half-page-up", "<enter>", &["STATE"]).await;
}

fn every(scope: Scope) -> Vec<String> {
    Keymap::default().of(scope).map(|binding| binding.name.to_string()).collect()
}

/// The actions that need a failed operation, and those that end the program.
#[tokio::test]
async fn unfinished_operations_are_resolved_sent_again_or_left() {
    let store = scripted(&["HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n"]).await;
    let mut hand = Hand { app: app_on(store.url.clone()).await, done: BTreeSet::new() };
    hand.does("add", "Fern<tab><tab>t<enter>", &["? unknown", "u resolves"]).await;
    hand.does("quit", "", &["1 plant has become unknown in this session", "▸ n  Stay"]).await;
    hand.app.press("<enter>").resolve().await;
    hand.does("resolve", "", &["Is Fern (1) in the store?"]).await;
    hand.does("interrupt", "", &["? 1 unknown"]).await;
    hand.does("resolve", "<up><enter>", &["Forgot Fern (1)"]).await;
    // No plant is unknown any more, so that quitting does not ask.
    hand.app.press("q").until_over().await;

    let closed = ClosedPort::new();
    let mut hand = Hand { app: app_on(StoreUrl::on_loopback(closed.address().port())).await, done: BTreeSet::new() };
    hand.does("add", "Fern<tab><tab>t<enter>", &["⊘ not sent", "r sends it again"]).await;
    hand.does("send-again", "", &["⊘ not sent"]).await;
    hand.does("quit", "", &["1 operation was not sent"]).await;
}
