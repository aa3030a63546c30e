//! The tabs: windows loaded from the journal, filters, order, marks, batches, the palette.

use super::sorting::footer;
use super::*;
use crate::domain::LocalTime;
use crate::domain::filter::{Filter, List};
use crate::journal::{Column, HistoryLine, HistoryOrder, HistoryRequest, HistoryRow, HistoryWindow, StoredExchange};
use crate::text::Marks;
use crate::tui::input::{Command, Tab};
use crate::tui::message::Target;

pub(super) fn line(number: i64, outcome: Outcome) -> HistoryLine {
    HistoryLine {
        number,
        kind: OperationKind::Delete(PlantId(number)),
        called: None,
        outcome,
        status: Some(204),
        size: Some(0),
        started: Timestamp(number),
        elapsed: Duration::from_millis(1),
        run: None,
    }
}

pub(super) fn log(numbers: impl Iterator<Item = i64>, newer: bool, older: bool) -> HistoryWindow {
    HistoryWindow {
        lines: numbers.map(|number| HistoryRow::Request(line(number, Outcome::Accepted))).collect(),
        newer,
        older,
    }
}

pub(super) fn request(around: i64) -> HistoryRequest {
    let (search, order) = (Filter::default(), HistoryOrder::default());
    HistoryRequest { search, order, around, rows: 400, expanded: Some(Vec::new()) }
}

pub(super) fn history_came(app: &mut App, asked: HistoryRequest, window: HistoryWindow) -> Vec<Effect> {
    app.update(Msg::History(Box::new(asked), Ok(window)))
}

/// Returns an app in the History tab, with the requests of these numbers loaded.
pub(super) fn in_history(numbers: impl Iterator<Item = i64>) -> App {
    let mut app = new_app();
    app.update(window(&[]));
    assert!(press(&mut app, "2").contains(&Effect::LoadHistory(request(HistoryRequest::NEWEST))));
    app.update(shown(FrameLayout { page: 10, ..FrameLayout::default() }));
    history_came(&mut app, request(HistoryRequest::NEWEST), log(numbers, false, false));
    app
}

pub(super) fn stored(number: i64) -> StoredExchange {
    let operation =
        Operation::new(OperationId { origin: 1, number: 1 }, OperationKind::Delete(PlantId(number)), Timestamp(0));
    StoredExchange {
        number,
        called: None,
        exchange: Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0)),
    }
}

/// Whether a filter has the cursor.
fn is_typing(app: &App) -> bool {
    !app.cx.display.has_dialog && app.scope() == Scope::Picker
}

#[test]
fn the_newest_request_stays_selected_as_others_arrive() {
    let mut app = in_history((0..5).rev());
    assert_eq!(app.screens.history.list.selected_request(), Some(4));
    app.update(Msg::JournalChanged);
    history_came(&mut app, request(HistoryRequest::NEWEST), log((0..7).rev(), false, false));
    assert_eq!(app.screens.history.list.selected_request(), Some(6));
    // A request further down stays selected, too.
    press(&mut app, "<down><down>");
    assert_eq!(app.screens.history.list.selected_request(), Some(4));
    assert_eq!(app.update(Msg::JournalChanged).len(), 1, "the list of plants; the history is still being loaded");
    history_came(&mut app, request(HistoryRequest::NEWEST), log((0..8).rev(), false, false));
    assert_eq!(app.screens.history.list.selected_request(), Some(4));
}

#[test]
fn the_neighbour_of_a_removed_request_is_selected() {
    let mut app = in_history((0..5).rev());
    press(&mut app, "<down>");
    history_came(&mut app, request(3), log([4, 2, 1].into_iter(), false, false));
    assert_eq!(app.screens.history.list.selected_request(), Some(2));
    history_came(&mut app, request(2), log(std::iter::empty(), false, false));
    assert_eq!((app.screens.history.list.selected_request(), app.screens.history.list.visible().len()), (None, 0));
}

#[test]
fn more_of_the_history_is_loaded_near_the_edges_of_the_window() {
    let mut app = in_history(std::iter::empty());
    history_came(&mut app, request(HistoryRequest::NEWEST), log((1000..1400).rev(), false, true));
    assert_eq!(press(&mut app, "<pagedown>").len(), 1, "only the request itself");
    let asked: Vec<_> = (0..40).flat_map(|_| press(&mut app, "<pagedown>")).collect();
    assert!(asked.iter().any(|effect| matches!(
        effect,
        Effect::LoadHistory(HistoryRequest { around, .. }) if *around != HistoryRequest::NEWEST
    )));
    // Loaded again, because the selection has moved meanwhile.
    let again = history_came(&mut app, request(1030), log((800..1200).rev(), true, true));
    assert!(again.iter().any(|effect| matches!(effect, Effect::LoadHistory(_))), "{again:?}");
    history_came(&mut app, request(1030), log((800..1200).rev(), true, true));
    let effects = press(&mut app, "<end>");
    assert!(effects.contains(&Effect::LoadHistory(request(HistoryRequest::OLDEST))), "{effects:?}");
    history_came(&mut app, request(HistoryRequest::OLDEST), log((0..400).rev(), true, false));
    assert_eq!(app.screens.history.list.selected_request(), Some(0));
    assert!(press(&mut app, "<home>").contains(&Effect::LoadHistory(request(HistoryRequest::NEWEST))));
}

#[test]
fn the_result_of_an_earlier_filter_is_ignored() {
    let mut app = in_history((0..5).rev());
    let asked = press(&mut app, "/fe");
    let searches: Vec<_> = asked
        .iter()
        .filter_map(|effect| if let Effect::LoadHistory(request) = effect { Some(request.clone()) } else { None })
        .collect();
    let typed = ["f", "fe"].map(|typed| List::Requests.parse(typed, &LocalTime::default()).0.without_unasked_checks());
    assert_eq!(searches.iter().map(|asked| asked.search.clone()).collect::<Vec<_>>(), typed);
    history_came(&mut app, searches[0].clone(), log((0..3).rev(), false, false));
    assert_eq!(app.screens.history.list.lines.len(), 5);
    history_came(&mut app, searches[1].clone(), log((0..2).rev(), false, false));
    assert_eq!(app.screens.history.list.lines.len(), 2);
    press(&mut app, "<esc>");
    assert!(!app.screens.history.list.is_filtered() && !is_typing(&app));
}

#[test]
fn enter_opens_the_selected_request_once_it_is_loaded() {
    let mut app = in_history((0..5).rev());
    assert_eq!(press(&mut app, "<enter>"), []);
    assert!(!app.cx.display.has_dialog);
    app.update(Msg::Inspected(3, Ok(Some(Box::new(stored(3))))));
    assert!(!app.cx.display.has_dialog, "another request is selected");
    app.update(Msg::Inspected(4, Ok(Some(Box::new(stored(4))))));
    assert_eq!(title(&app), "#4 delete plant 4");
    // Esc cancels the opening.
    press(&mut app, "<esc><down><enter><esc>");
    app.update(Msg::Inspected(3, Ok(Some(Box::new(stored(3))))));
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn two_requests_are_compared_with_the_older_one_first() {
    let mut app = in_history((0..5).rev());
    assert_eq!(press(&mut app, "v"), []);
    assert!(status_line(&app).contains("mark one request and select another"));
    press(&mut app, " <down><down>");
    assert_eq!(press(&mut app, "v"), [Effect::Compare(2, 4, Marks::Unicode)]);
    press(&mut app, " <down> ");
    assert_eq!(app.screens.history.list.marked, [2, 1], "a third mark removes the first one");
    press(&mut app, "<esc>");
    assert_eq!(app.screens.history.list.marked, [0; 0]);
}

#[test]
fn the_list_is_loaded_with_its_filter_and_order() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored), row(8, State::Stored)]));
    press(&mut app, "<down>");
    let arranged = |filter: &str, column, descending| {
        let arrangement =
            Arrangement { filter: List::Plants.parse(filter, &LocalTime::default()).0, column, descending };
        Effect::Load(WindowRequest { arrangement, ..around(Some(8)) })
    };
    assert_eq!(press(&mut app, "/"), []);
    assert_eq!(press(&mut app, "f"), [arranged("f", Column::Id, false)]);
    // The result of the previous query is ignored.
    app.update(window(&[row(1, State::Stored)]));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(8)));
    assert_eq!(press(&mut app, "<enter>s2"), [arranged("f", Column::Name, false)]);
    assert_eq!(press(&mut app, "S"), [arranged("f", Column::Name, true)]);
    let effects = app.update(clicked(Target::Heading(4)));
    assert_eq!(effects, [arranged("f", Column::Since, false)]);
    assert_eq!(press(&mut app, "<esc>"), [arranged("", Column::Since, false)]);
}

#[test]
fn marks_belong_to_plants_and_end_with_them() {
    let mut app = new_app();
    let rows = [row(1, State::Stored), row(2, State::Stored), row(3, State::Stored)];
    app.update(window(&rows));
    press(&mut app, " ");
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(1)), "a mark moves nothing");
    press(&mut app, "<down> ");
    asked_to_delete(&mut app, &rows[..2]);
    let asked = sent(&press(&mut app, "<tab><enter>"));
    assert_eq!(
        asked.iter().map(|operation| operation.kind.clone()).collect::<Vec<_>>(),
        [1, 2].map(|id| OperationKind::Delete(PlantId(id)))
    );
    assert!(app.cx.session.plants.marked.is_empty());
    // A rejection opens no dialog, since the summary counts it.
    app.update(responded(&asked[0], 404));
    assert!(!app.cx.display.has_dialog);
    assert!(status_line(&app).starts_with("Deleting 2 plants: 0 deleted, 1 rejected"));
    app.update(failed(&asked[1], FailureKind::TimedOut));
    let text = status_line(&app);
    assert_eq!(text, "Of 2 plants: 0 deleted, 1 rejected, 1 unknown, 0 not sent. u resolves unknown ones.");
    assert!(app.cx.session.batch.is_none());
}

#[test]
fn a_batch_that_waited_for_a_token_is_still_reported_together() {
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored), row(2, State::Stored)]));
    press(&mut app, " <down> ");
    asked_to_delete(&mut app, &[row(1, State::Stored), row(2, State::Stored)]);
    let asked = sent(&press(&mut app, "<tab><enter>"));
    for operation in &asked {
        app.update(responded(operation, 401));
    }
    assert!(title(&app).starts_with("Token for"), "one token prompt for both");
    assert_eq!((app.cx.session.waiting_for_token.len(), app.behind()), (2, 0));
    let again = sent(&press(&mut app, "better<enter>"));
    assert_eq!(again.len(), 2);
    // They still belong to the batch, so that no dialog opens for one of them.
    for operation in &again {
        app.update(responded(operation, 404));
    }
    assert!(!app.cx.display.has_dialog && app.behind() == 0);
    assert!(status_line(&app).starts_with("Of 2 plants: 0 deleted, 2 rejected"));
}

/// Presses `d`, and returns these rows for the marked plants.
fn asked_to_delete(app: &mut App, rows: &[Row]) {
    let effects = press(app, "d");
    let Some(Effect::FindListed(plants)) = effects.first() else { unreachable!("{effects:?}") };
    app.update(listed(plants, rows));
}

#[test]
fn a_mark_does_not_pass_to_another_plant_of_the_same_id() {
    let mut app = new_app();
    app.update(window(&[named(7, "Fern"), named(8, "Ivy"), named(9, "Moss")]));
    press(&mut app, " <down> <down> ");
    asked_to_delete(&mut app, &[named(7, "Somebody's orchid"), named(8, "Ivy"), named(9, "Moss")]);
    assert_eq!(title_of(&app), "Delete these 2 plants?");
    assert_eq!(app.cx.session.plants.marked.keys().copied().collect::<Vec<_>>(), [8, 9].map(PlantId));
    assert!(lines_of(&app).iter().any(|line| line.starts_with("1 plant is left out: gone")));
    // The open dialog is updated, and marks the safe choice again.
    press(&mut app, "<tab>");
    let effects = app.update(Msg::JournalChanged);
    let plants = [7, 8, 9].map(PlantId).to_vec();
    assert!(effects.contains(&Effect::FindListed(plants.clone())), "{effects:?}");
    // Not even a plant that is as it was marked comes back.
    app.update(listed(&plants, &[named(7, "Fern"), named(9, "Moss")]));
    assert_eq!((title_of(&app).as_str(), question(&app).marked), ("Delete Moss (9)?", 0));
    assert!(lines_of(&app).iter().any(|line| line.starts_with("2 plants are left out: gone")));
    press(&mut app, "<esc>");
    asked_to_delete(&mut app, &[]);
    assert!(!app.cx.display.has_dialog && app.cx.session.plants.marked.is_empty());
}

#[test]
fn a_second_batch_joins_the_first_and_nothing_is_deleted_twice() {
    let mut app = new_app();
    let rows = [1, 2, 3, 4].map(|id| row(id, State::Stored));
    app.update(window(&rows));
    press(&mut app, " <down> ");
    asked_to_delete(&mut app, &rows[..2]);
    let first = sent(&press(&mut app, "<tab><enter>"));
    press(&mut app, "<down> <down> ");
    asked_to_delete(&mut app, &rows[2..]);
    let second = sent(&press(&mut app, "<tab><enter>"));
    for operation in first.iter().chain(&second) {
        app.update(responded(operation, 404));
    }
    assert!(!app.cx.display.has_dialog);
    assert!(status_line(&app).starts_with("Of 4 plants: 0 deleted, 4 rejected"));
    // A marked plant whose delete is in flight is left out.
    app.update(window(&rows));
    press(&mut app, "<home> ");
    asked_to_delete(&mut app, &[row(1, State::Deleting)]);
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn unsent_operations_of_a_batch_can_be_sent_again() {
    let mut app = App::new(info(), Keymap::default(), None);
    let _ = app.begin(Vec::new());
    press(&mut app, "<esc>");
    let rows = [row(1, State::Stored), row(2, State::Stored)];
    app.update(window(&rows));
    press(&mut app, " <down> ");
    asked_to_delete(&mut app, &rows);
    assert_eq!(sent(&press(&mut app, "<tab><enter>")), []);
    press(&mut app, "<esc>");
    let text = status_line(&app);
    assert!(text.starts_with("Of 2 plants: 0 deleted, 0 rejected, 0 unknown, 2 not sent."), "{text}");
    assert_eq!(app.cx.session.unsent.len(), 2);
}

#[test]
fn mark_all_marks_only_what_the_current_filter_shows() {
    let fitting = |typed| List::Plants.parse(typed, &LocalTime::default()).0;
    let mut app = new_app();
    app.update(window(&[named(7, "Fern"), named(8, "Ivy")]));
    press(&mut app, "/fern<enter>M/<c-u>ivy<enter>");
    app.update(Msg::Fitting(fitting("fern"), Ok(vec![named(7, "Fern")])));
    assert!(app.cx.session.plants.marked.is_empty());
    press(&mut app, "MM");
    app.update(Msg::Fitting(fitting("ivy"), Ok(vec![named(8, "Ivy")])));
    assert!(app.cx.session.plants.marked.is_empty(), "the second M cancelled the first one");
    press(&mut app, "M");
    app.update(Msg::Fitting(fitting("ivy"), Ok(vec![named(8, "Ivy")])));
    assert_eq!(app.cx.session.plants.marked.keys().collect::<Vec<_>>(), [&PlantId(8)]);
    assert_eq!(message(&app), None);
    press(&mut app, "MM");
    app.update(Msg::Fitting(fitting("ivy"), Ok((0..1000).map(|id| row(id, State::Stored)).collect())));
    assert_eq!(message(&app), Some("The first 1000 are marked: that is the most at once."));
    // An invalid word, or one without a value, filters nothing; marks are removed all the same.
    for (typed, fault) in [("state:unknwn", "state:unknwn: use stored"), ("tag:", "tag: has no value")] {
        press(&mut app, "M");
        assert!(app.cx.session.plants.marked.is_empty());
        press(&mut app, &format!("/<c-u>{typed}<enter>"));
        assert_eq!(press(&mut app, "M"), [], "{typed}");
        let message = message(&app).unwrap();
        assert!(message.starts_with(&format!("Nothing is marked. The filter is invalid: {fault}")), "{message}");
    }
}

#[test]
fn a_late_result_opens_no_dialog_and_another_tab_ends_typing() {
    let mut app = new_app();
    app.update(window(&[]));
    press(&mut app, "2<enter>");
    history_came(&mut app, request(HistoryRequest::NEWEST), log(std::iter::empty(), false, false));
    app.update(Msg::JournalChanged);
    history_came(&mut app, request(HistoryRequest::NEWEST), log([4].into_iter(), false, false));
    app.update(Msg::Inspected(4, Ok(Some(Box::new(stored(4))))));
    assert!(!app.cx.display.has_dialog);
    press(&mut app, "1/fe");
    app.update(clicked(Target::Command(Command::GoTo(Tab::History))));
    assert!(!is_typing(&app));
    assert_eq!(press(&mut app, "q"), [Effect::Quit]);
}

#[test]
fn the_neighbour_of_a_plant_that_left_is_found_outside_the_window() {
    let mut app = new_app();
    let sorted = |app: &mut App, first: usize, ids: std::ops::Range<i64>| {
        let rows: Vec<_> = ids.map(|id| row(id, State::Stored)).collect();
        let Msg::Window(_, Ok(window)) = window(&rows) else { unreachable!("it is a window") };
        let request = WindowRequest { arrangement: app.cx.session.plants.arrangement(), ..around(None) };
        app.update(Msg::Window(Box::new(request), Ok(Window { first, total: 9_000, ..window })))
    };
    press(&mut app, "ss");
    sorted(&mut app, 4_800, 4_800..5_200);
    app.update(clicked(Target::Plant(PlantId(5_000))));
    // The plant is gone, so that the journal returns the first rows.
    let effects = sorted(&mut app, 0, 0..400);
    let back =
        effects.iter().any(|effect| matches!(effect, Effect::Load(WindowRequest { anchor: Anchor::Index(_), .. })));
    assert!(back, "{effects:?}");
    sorted(&mut app, 4_800, 4_801..5_201);
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(5_001)));
}

#[test]
fn quitting_asks_while_a_plant_of_this_session_is_unknown() {
    let mut app = new_app();
    app.update(window(&[row(9, State::Unknown)]));
    assert_eq!(press(&mut app, "q"), [Effect::Quit], "the plant became unknown in another session");
    let operation = sent(&press(&mut app, "aFern<tab><tab>t<enter>"))[0].clone();
    app.update(failed(&operation, FailureKind::TimedOut));
    assert_eq!(press(&mut app, "q"), []);
    assert!(lines_of(&app)[0].contains("plant has become unknown in this session"), "{:?}", lines_of(&app));
    press(&mut app, "<enter>");
    // Another program has resolved all.
    let mut elsewhere = new_app();
    let other = sent(&press(&mut elsewhere, "aFern<tab><tab>t<enter>"))[0].clone();
    elsewhere.update(failed(&other, FailureKind::TimedOut));
    elsewhere.update(window(&[row(1, State::Stored)]));
    assert_eq!(press(&mut elsewhere, "q"), [Effect::Quit]);
    app.update(Msg::Resolved(vec![operation.kind.plant_id()], Resolution::Forget, Ok(vec![Ok(())])));
    assert_eq!(press(&mut app, "q"), [Effect::Quit]);
}

#[test]
fn an_old_message_disappears_at_the_next_key() {
    let mut app = new_app();
    app.update(Msg::Now(Timestamp(1_000)));
    // A message about a key goes with the next key that does something.
    press(&mut app, "r");
    assert!(message(&app).is_some());
    press(&mut app, "<down>");
    assert!(message(&app).is_none());
    app.cx.out.say("The plants are written.");
    app.update(Msg::Now(Timestamp(3_000)));
    press(&mut app, "<down>");
    assert!(message(&app).is_some());
    app.update(Msg::Now(Timestamp(3_001)));
    press(&mut app, "<down>");
    assert!(message(&app).is_none());
    // A message about a request stays longer.
    let operation = sent(&press(&mut app, "aFern<tab><tab>t<enter>"))[0].clone();
    app.update(responded(&operation, 201));
    app.update(window(&[row(1, State::Stored)]));
    app.update(Msg::Now(Timestamp(13_001)));
    press(&mut app, "<down>");
    assert!(message(&app).is_some());
    app.update(Msg::Now(Timestamp(13_002)));
    press(&mut app, "<down>");
    assert!(message(&app).is_none());
}

#[test]
fn read_only_shows_everything_and_sends_nothing() {
    let mut app = App::new(StoreInfo { read_only: true, ..info() }, Keymap::default(), None);
    let _ = app.begin(Vec::new());
    app.update(window(&[row(7, State::Stored)]));
    for key in ["a", "d", "D", "b", "r"] {
        assert_eq!(press(&mut app, key), []);
        assert!(!app.cx.display.has_dialog);
        assert!(status_line(&app).contains("read-only"), "{key}");
    }
    press(&mut app, " <down> ");
    assert!(press(&mut app, "d").is_empty() && !app.cx.display.has_dialog);
    assert!(!press(&mut app, "2").is_empty());
}

#[test]
fn of_several_keys_of_a_command_the_pressed_one_is_named() {
    let mut app = in_history(1..2);
    for (key, name) in [("l", "l"), ("<right>", "Right"), ("h", "h")] {
        press(&mut app, key);
        assert!(status_line(&app).starts_with(&format!("{name} does nothing now")), "{}", status_line(&app));
    }
}

#[test]
fn a_message_about_a_tab_stays_there() {
    let mut app = in_history(0..0);
    let local = ["r", "Y", "v"];
    for key in local {
        press(&mut app, "2");
        press(&mut app, key);
        assert!(status_line(&app).contains("does nothing now"), "{key}: {}", status_line(&app));
        press(&mut app, "1");
        assert_eq!(message(&app), None, "{key}");
        press(&mut app, "2");
        assert_eq!(message(&app), None, "{key}");
    }
    app.update(pasted("x".into()));
    assert!(message(&app).is_some());
    press(&mut app, "<tab>");
    assert_eq!(message(&app), None);
}

#[test]
fn a_message_about_a_request_is_shown_in_every_tab() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    assert_eq!(status_line(&app), "Adding Fern (1) …");
    press(&mut app, "2");
    assert_eq!(status_line(&app), "Adding Fern (1) …");
    app.update(responded(&operations[0], 201));
    for key in ["1", "2", "3", "4"] {
        press(&mut app, key);
        assert!(status_line(&app).starts_with("Added Fern (1)"), "{key}");
    }
}

#[test]
fn a_message_about_a_dialog_disappears_with_it() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    press(&mut app, "uy");
    assert!(status_line(&app).starts_with("y does nothing now"));
    press(&mut app, "n");
    assert_eq!(message(&app), None);
}

#[test]
fn esc_returns_from_the_requests_of_a_plant_to_where_they_were_opened() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "x");
    assert_eq!((app.cx.display.tab, app.screens.history.list.filter.text()), (Tab::History, "id:7"));
    press(&mut app, "<esc>");
    assert_eq!((app.cx.display.tab, app.screens.history.list.filter.text()), (Tab::Plants, ""));
    // After another way to the tab, Esc only shows all.
    press(&mut app, "x12");
    press(&mut app, "<esc>");
    assert_eq!((app.cx.display.tab, app.screens.history.list.filter.text()), (Tab::History, ""));
}

#[test]
fn the_footer_offers_no_key_that_does_nothing() {
    let mut app = new_app();
    press(&mut app, "b");
    app.update(Msg::Unlisted(String::new(), Ok(Vec::new())));
    assert_eq!(footer(&app), " Esc close");
    press(&mut app, "<enter>");
    assert_eq!(status_line(&app), "Enter does nothing now: the list is empty.");
    press(&mut app, "<esc>aFern<tab><c-u>x");
    assert!(footer(&app).starts_with(" Enter go to the id  Tab"), "{}", footer(&app));
    press(&mut app, "<esc>:zzz");
    assert!(!footer(&app).contains("Enter"), "{}", footer(&app));
}

#[test]
fn the_keys_of_a_filter_do_nothing_once_it_is_closed() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored), row(8, State::Stored), row(9, State::Stored)]));
    press(&mut app, "/<tab>");
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(8)));
    press(&mut app, "<tab><shift-tab><enter>");
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(8)));
    // As after a click on the footer of the frame before.
    for command in [Command::Complete, Command::StepBack] {
        app.update(clicked(Target::Command(command)));
        assert_eq!(app.cx.session.plants.selected, Some(PlantId(8)), "{command:?}");
    }
    press(&mut app, "/fern<enter>");
    app.update(clicked(Target::Command(Command::Close)));
    assert_eq!(app.cx.session.plants.filter.text(), "fern");
}
