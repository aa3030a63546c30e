//! The rows of the Check tab, and the pane with the evidence for the selected one.

use super::*;

/// Returns the words of the pane beside the list.
fn pane(app: &mut App) -> String {
    let rows = lists::drawn(app, (160, 50)).rows;
    let beside = rows.iter().map(|row| row.chars().skip(100).collect::<String>().replace('│', " "));
    beside.flat_map(|row| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_word_before_a_compared_result_says_when_or_where_it_was() {
    let (mut app, shown) = finished(&mut Store::default());
    let (_, other) = finished(&mut Store { accepts_no_token: true, ..Store::default() });
    app.update(Msg::RunKept(Ok(())));
    let started = |millis| CheckReport { started: Timestamp(shown.started.0 + millis), ..other.clone() };
    let elsewhere = CheckReport { store: "http://elsewhere.example".into(), ..started(1000) };
    for (other, word) in [(started(-1000), "was"), (started(0), "was"), (started(1000), "later"), (elsewhere, "there")]
    {
        app.update(Msg::Runs(Ok(vec![shown.clone(), other])));
        press(&mut app, "v<enter>");
        let screen = frame::screen(&app).join("\n");
        assert!(screen.contains(&format!("{word} ✗ fail")), "{word}: {screen}");
        press(&mut app, "<esc>");
        assert_eq!(app.screens.check.compared.as_ref(), None);
    }
}

#[test]
fn another_verdict_of_the_compared_run_moves_no_column() {
    let (mut app, shown) = finished(&mut Store::default());
    app.update(Msg::RunKept(Ok(())));
    let columns = [Verdict::Fail, Verdict::Inconclusive].map(|verdict| {
        let mut other = CheckReport { started: Timestamp(shown.started.0 - 1000), ..shown.clone() };
        other.rules.iter_mut().find(|rule| rule.name == "create-accepted").unwrap().verdict = Some(verdict);
        app.update(Msg::Runs(Ok(vec![shown.clone(), other])));
        press(&mut app, "v<enter>/<c-u>name:create-accepted<enter>");
        let rows = frame::screen(&app);
        let row = rows.iter().find(|row| row.starts_with("│▸")).unwrap_or_else(|| panic!("{rows:#?}"));
        let column = row.split_once(" was ").map(|(before, _)| before.chars().count());
        press(&mut app, "<esc>");
        column.unwrap_or_else(|| panic!("{rows:#?}"))
    });
    assert_eq!(columns[0], columns[1]);
}

#[test]
fn the_heading_of_a_group_is_on_screen_with_its_first_row_if_both_fit() {
    for (page, has_heading) in [(20, true), (2, true), (1, false)] {
        let (mut app, _) = finished(&mut Store::default());
        app.update(shown(FrameLayout { page, ..FrameLayout::default() }));
        press(&mut app, "<end><home>");
        let is_heading = |row: &String| row.starts_with("│ Passed rules");
        let rows = frame::screen(&app);
        assert_eq!(rows.iter().any(is_heading), has_heading, "{page}: {rows:#?}");
        assert_eq!(rows.iter().filter(|row| row.starts_with("│▸")).count(), 1, "{page}: {rows:#?}");
        // The selected row leaves the list.
        press(&mut app, "<end>/");
        app.update(pasted("name:create-accepted".into()));
        let rows = frame::screen(&app);
        assert_eq!(rows.iter().any(is_heading), has_heading, "{page}: {rows:#?}");
    }
}

#[test]
fn requests_are_loaded_for_no_row_of_a_run_that_is_followed_or_of_another_store() {
    let (mut app, effects) = running(true);
    let all = run_to_the_end(&mut app, &mut Store::default(), effects);
    let loads = |effects: &[Effect]| effects.iter().filter(|effect| matches!(effect, Effect::FindRelated(_))).count();
    assert_eq!(loads(&all), 1, "of the row that is selected at the end");
    let mut other = stored_runs(&all)[0].clone();
    assert!(loads(&press(&mut app, "<down><down><down><down><down><down>")) > 0);
    other.store = "http://elsewhere.example".to_owned();
    app.update(Msg::RunKept(Ok(())));
    app.update(Msg::Runs(Ok(vec![other])));
    assert_eq!(loads(&press(&mut app, "o<enter><down><down><down><down><down><down>")), 0);
}

#[test]
fn the_wheel_moves_the_selection_or_scrolls_the_pane() {
    let (mut app, report) = finished(&mut Store::default());
    let names = app.screens.check.names();
    let wheel = |app: &mut App, over, down| app.update(wheeled(over, down));
    wheel(&mut app, Target::Line(1), true);
    assert_eq!(selected(&app), Some(names[3].clone()));
    wheel(&mut app, Target::List, true);
    assert_eq!(selected(&app), Some(names[6].clone()));
    wheel(&mut app, Target::List, false);
    assert_eq!(selected(&app), Some(names[3].clone()));
    press(&mut app, "<home>");
    let many = (1..40).map(stored).collect();
    app.update(Msg::Related(report.rules[0].exchanges.clone(), Ok(many)));
    assert!(pane(&mut app).contains("─ Response 2 of 39 ─"), "{}", pane(&mut app));
    let title = |app: &mut App| pane(app).contains(RULES[0].subject);
    assert!(title(&mut app));
    wheel(&mut app, Target::Pane, true);
    assert!(!title(&mut app) && selected(&app) == Some(names[0].clone()));
    wheel(&mut app, Target::Pane, false);
    assert!(title(&mut app));
    // Another row begins at its first line.
    wheel(&mut app, Target::Pane, true);
    press(&mut app, "<down><up>");
    assert!(title(&mut app));
}

#[test]
fn a_page_key_moves_the_selection_by_a_page() {
    let (mut app, _) = finished(&mut Store::default());
    app.update(shown(FrameLayout { page: 11, ..FrameLayout::default() }));
    press(&mut app, "<home><pagedown>");
    assert_eq!(selected(&app), Some(app.screens.check.names()[10].clone()));
}

#[test]
fn keys_wait_with_enter_for_the_requests_of_a_row_until_esc() {
    for (keys, opens) in [("", true), ("<down><up>", true), ("<esc>", false), ("<down><esc><up>", false)] {
        let (mut app, report) = finished(&mut Store::default());
        let row = selected(&app);
        press(&mut app, "<enter>");
        press(&mut app, keys);
        app.update(Msg::Related(report.rules[0].exchanges.clone(), Ok(vec![stored(4)])));
        assert_eq!((app.cx.display.has_dialog, selected(&app)), (opens, row), "{keys:?}");
    }
}

#[test]
fn the_pane_shows_the_evidence_of_undocumented_behaviour_and_a_single_request() {
    let (mut app, mut report) = finished(&mut Store::default());
    let exchanges = report.rules[0].exchanges.clone();
    let last = report.undocumented.last_mut().unwrap();
    (last.evidence, last.value) = ("It said so.".to_owned(), "it depends".to_owned());
    last.exchanges.clone_from(&exchanges);
    app.update(Msg::RunKept(Ok(())));
    app.update(Msg::Runs(Ok(vec![report])));
    press(&mut app, "o<enter><end>");
    assert!(pane(&mut app).contains("it depends It said so."), "{}", pane(&mut app));
    app.update(Msg::Related(exchanges, Ok(vec![stored(4)])));
    assert!(pane(&mut app).contains("─ Response ─"), "{}", pane(&mut app));
}

#[test]
fn the_history_says_which_run_this_program_is_carrying_out() {
    use super::tabs::{history_came, in_history, request};
    use crate::domain::RunId;
    use crate::journal::{HistoryRequest, HistoryRow, HistoryWindow, RunLine};
    let mut app = in_history(0..0);
    press(&mut app, "3r<tab><enter>");
    let _ = app.update(Msg::EarlierRuns(7, Ok(EarlierRuns::default())));
    press(&mut app, "2");
    let started = app.cx.session.check.run().unwrap().started;
    for (id, says, not) in [
        (RunId { origin: 1, started }, "checking The check is under way.", "no report"),
        (RunId { origin: 2, started }, "no report Another program is checking", "under way"),
        (RunId { origin: 1, started: Timestamp(started.0 - 1) }, "no report Another program is checking", "under way"),
    ] {
        let counts = [0, 1, 0, 0];
        let run = RunLine { id, number: 1, counts, diagnosis: None, elapsed: Duration::ZERO };
        let lines = vec![HistoryRow::Run(run)];
        history_came(&mut app, request(HistoryRequest::NEWEST), HistoryWindow { lines, newer: false, older: false });
        let pane = pane(&mut app);
        assert!(pane.contains(says) && !pane.contains(not), "{pane}");
        let rows = frame::screen(&app);
        let line = rows.iter().find(|row| row.starts_with("│▸")).unwrap_or_else(|| panic!("{rows:#?}"));
        assert!(line.contains(says.split(['T', 'A']).next().unwrap().trim()), "{line}");
    }
}
