//! Runs of the check in the History tab: collapsed, expanded, beside filters.

use super::frame::screen_at;
use super::tabs::{history_came, in_history, line, request, stored};
use super::*;
use crate::check::Diagnosis;
use crate::domain::filter::List;
use crate::domain::{LocalTime, RunId};
use crate::journal::{HistoryLine, HistoryRequest, HistoryRow, HistoryWindow, RunLine};
use crate::text::Marks;
use crate::tui::message::Target;

const RUN: RunId = RunId { origin: 1, started: Timestamp(5) };

/// Request 9, a run with the requests 5 to 8, and request 4.
fn rows(is_expanded: bool) -> Vec<HistoryRow> {
    let of_run = (5..9).rev().map(|number| HistoryLine { run: Some(RUN), ..line(number, Outcome::Rejected) });
    let run = RunLine { id: RUN, number: 8, counts: [0, 4, 0, 0], diagnosis: None, elapsed: Duration::from_millis(20) };
    let mut rows = vec![HistoryRow::Request(line(9, Outcome::Accepted)), HistoryRow::Run(run)];
    rows.extend(of_run.filter(|_| is_expanded).map(HistoryRow::Request));
    rows.push(HistoryRow::Request(line(4, Outcome::Accepted)));
    rows
}

fn asked(around: i64, expanded: &[RunId]) -> HistoryRequest {
    HistoryRequest { expanded: Some(expanded.to_vec()), ..request(around) }
}

fn came(app: &mut App, asked: HistoryRequest) {
    let is_expanded = asked.expanded.as_ref().is_some_and(|expanded| !expanded.is_empty());
    history_came(app, asked, HistoryWindow { lines: rows(is_expanded), newer: false, older: false });
}

/// Returns an app in the History tab, with a collapsed run in the second line.
fn with_run() -> App {
    let mut app = in_history(std::iter::empty());
    came(&mut app, request(HistoryRequest::NEWEST));
    app
}

fn numbers(app: &App) -> Vec<i64> {
    app.screens.history.list.visible().iter().map(HistoryRow::number).collect()
}

#[test]
fn a_run_expands_and_collapses_again_and_stays_selected() {
    let mut app = with_run();
    assert_eq!(numbers(&app), [9, 8, 4]);
    press(&mut app, "<down>");
    for (expands, collapses) in [("<enter>", "<enter>"), ("<right>", "<left>"), ("l", "h")] {
        let around = asked(8, &[RUN]);
        assert_eq!(press(&mut app, expands), [Effect::LoadHistory(around.clone())]);
        came(&mut app, around);
        assert_eq!(numbers(&app), [9, 8, 8, 7, 6, 5, 4]);
        assert_eq!(app.screens.history.list.selected_request(), None, "the run itself is selected");
        let collapsed = asked(8, &[]);
        assert_eq!(press(&mut app, collapses), [Effect::LoadHistory(collapsed.clone())]);
        assert_eq!(numbers(&app), [9, 8, 4], "at once");
        came(&mut app, collapsed);
        assert_eq!(numbers(&app), [9, 8, 4]);
    }
    // A key that does nothing says why.
    press(&mut app, "<left>");
    assert!(status_line(&app).contains("no expanded run of the check is selected"), "{}", status_line(&app));
    press(&mut app, "<up><right>");
    assert!(status_line(&app).contains("no folded run of the check is selected"), "{}", status_line(&app));
}

#[test]
fn folding_from_inside_selects_the_run() {
    let mut app = with_run();
    press(&mut app, "<down><enter>");
    came(&mut app, asked(8, &[RUN]));
    press(&mut app, "<down><down><down>");
    assert_eq!(app.screens.history.list.selected_request(), Some(6));
    assert_eq!(press(&mut app, "<left>"), [Effect::LoadHistory(asked(8, &[]))]);
    came(&mut app, asked(8, &[]));
    press(&mut app, "<down>");
    assert_eq!(app.screens.history.list.selected_request(), Some(4), "below the run");
}

#[test]
fn requests_inside_a_run_are_opened_marked_and_compared() {
    let mut app = with_run();
    press(&mut app, "<down>y");
    assert!(status_line(&app).contains("no request is selected"), "{}", status_line(&app));
    press(&mut app, " ");
    came(&mut app, asked(8, &[RUN]));
    assert!(app.screens.history.list.marked.is_empty());
    assert_eq!(press(&mut app, "<down> <down><down>v").last(), Some(&Effect::Compare(6, 8, Marks::Unicode)));
    app.update(Msg::Inspected(6, Ok(Some(Box::new(stored(6))))));
    press(&mut app, "<enter>");
    assert_eq!(title(&app), "#6 delete plant 6");
}

#[test]
fn a_filter_lists_requests_inside_of_folded_runs() {
    let mut app = with_run();
    let filtered = press(&mut app, "o");
    let search = List::Requests.parse("outcome:accepted", &LocalTime::default()).0.without_unasked_checks();
    let flat = HistoryRequest { search, expanded: None, ..request(HistoryRequest::NEWEST) };
    assert!(filtered.contains(&Effect::LoadHistory(flat.clone())), "{filtered:?}");
    // The result for the filter before is not taken.
    came(&mut app, request(HistoryRequest::NEWEST));
    let inside = HistoryLine { run: Some(RUN), ..line(7, Outcome::Accepted) };
    history_came(
        &mut app,
        flat,
        HistoryWindow { lines: vec![HistoryRow::Request(inside)], newer: false, older: false },
    );
    assert_eq!(numbers(&app), [7]);
    // Without the filter, the run is collapsed as before.
    assert!(press(&mut app, "<esc>").contains(&Effect::LoadHistory(request(HistoryRequest::NEWEST))));
}

#[test]
fn enter_before_the_list_has_arrived_unfolds_a_run_in_the_first_line() {
    let mut app = new_app();
    app.update(window(&[]));
    press(&mut app, "2<enter>");
    let lines = rows(false).split_off(1);
    let effects =
        history_came(&mut app, request(HistoryRequest::NEWEST), HistoryWindow { lines, newer: false, older: false });
    assert!(effects.contains(&Effect::LoadHistory(asked(HistoryRequest::NEWEST, &[RUN]))), "{effects:?}");
}

#[test]
fn a_click_on_a_selected_run_unfolds_it() {
    let mut app = with_run();
    assert_eq!(app.update(clicked(Target::Run(RUN))), []);
    let again = app.update(clicked(Target::Run(RUN)));
    assert_eq!(again, [Effect::LoadHistory(asked(8, &[RUN]))]);
}

#[test]
fn a_run_lists_its_outcomes_where_they_fit_between_plant_and_outcome() {
    let mut app = in_history(std::iter::empty());
    let HistoryRow::Run(run) = rows(false).swap_remove(1) else { panic!("the second line is the run") };
    let lines =
        vec![HistoryRow::Run(RunLine { counts: [1, 4, 2, 0], ..run }), HistoryRow::Request(line(4, Outcome::Accepted))];
    history_came(&mut app, request(HistoryRequest::NEWEST), HistoryWindow { lines, newer: false, older: false });
    let whole = "+ 7 requests: ✓ 1 ✗ 4 ? 2".chars().count();
    let mut fits_exactly = false;
    for width in 60..200 {
        let screen = screen_at(&app, (width, 24));
        let heading = screen.iter().find(|line| line.contains("PLANT")).expect("the headings");
        let column = |name| heading.split_once(name).map(|(before, _)| before.chars().count());
        let (Some(plant), Some(outcome)) = (column("PLANT"), column("OUTCOME")) else { panic!("{heading}") };
        let room = outcome - 1 - plant;
        let run = screen.iter().find(|line| line.contains("+ 7 requests")).expect("the run");
        assert_eq!(run.contains("✗ 4"), whole <= room, "{width} columns: {run}");
        assert!(!screen.iter().any(|line| line.contains("a larger window")), "there is nothing to chart");
        fits_exactly |= whole == room;
    }
    assert!(fits_exactly, "at one of the widths");
}

#[test]
fn the_verdict_on_a_run_is_whole_where_there_is_a_size_beside_the_outcome() {
    let mut app = in_history(std::iter::empty());
    let HistoryRow::Run(run) = rows(false).swap_remove(1) else { panic!("the second line is the run") };
    let diagnosis: Diagnosis =
        serde_json::from_str(r#"{"finding":"inconclusive","failed":0,"passed":0,"inconclusive":15}"#).unwrap();
    let lines = vec![HistoryRow::Run(RunLine { diagnosis: Some(diagnosis), ..run })];
    history_came(&mut app, request(HistoryRequest::NEWEST), HistoryWindow { lines, newer: false, older: false });
    for width in 51..140 {
        let screen = screen_at(&app, (width, 24));
        assert!(screen.iter().any(|line| line.contains("SIZE")), "{width} columns");
        assert!(screen.iter().any(|line| line.contains("? inconclusive")), "{width} columns");
    }
}

#[test]
fn a_tab_with_a_list_of_the_same_size_has_another_layout() {
    let mut app = new_app();
    app.update(window(&[]));
    let layouts = ["1", "2"].map(|tab| {
        press(&mut app, tab);
        frame::lay_out(&mut app, (80, 24));
        app.cx.display.layout
    });
    assert_eq!(layouts[0].page, layouts[1].page);
    assert_ne!(layouts[0], layouts[1], "the event loop reports no layout that is the one before");
}
