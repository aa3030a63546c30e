//! Keys that arrive together with those that move the selection: each is about the line that was asked for.

use super::tabs::{history_came, in_history, log, request, stored};
use super::*;
use crate::domain::filter::List;
use crate::journal::HistoryRequest;

const PLANTS: i64 = 3000;

/// Returns the rows of a list of 3,000 plants, of which those from 2900 on have the tag fern.
fn rows(ids: std::ops::Range<i64>) -> Vec<Row> {
    let tagged = |id| if id < 2900 { "t" } else { "fern" };
    let details = |id| Some(Details { name: format!("plant {id}"), tag: tagged(id).into() });
    ids.map(|id| Row { details: details(id), ..row(id, State::Stored) }).collect()
}

/// Answers the query for a window of the list.
fn answer(app: &mut App, effects: &[Effect]) -> Vec<Effect> {
    let load =
        effects.iter().rev().find_map(|effect| if let Effect::Load(request) = effect { Some(request) } else { None });
    let request = load.unwrap_or_else(|| panic!("a window is loaded: {effects:?}")).clone();
    let is_filtered = request.arrangement != Arrangement::default();
    let (all, first) = match request.anchor {
        _ if is_filtered => (2900..PLANTS + 1, 0),
        Anchor::Index(index) => (1..PLANTS + 1, i64::try_from(index).unwrap()),
        Anchor::Around(id) => (1..PLANTS + 1, (id.0 - 200).max(0)),
    };
    let begin = all.start + first;
    let shown = rows(begin..(begin + 400).min(all.end));
    let Msg::Window(_, Ok(window)) = window(&shown) else { unreachable!("it is a window") };
    let total = usize::try_from(all.end - all.start).unwrap();
    let window = Window { first: usize::try_from(first).unwrap(), total, ..window };
    app.update(Msg::Window(Box::new(request), Ok(window)))
}

/// Returns an app with 3,000 plants, of which the first is selected.
fn with_plants() -> App {
    let mut app = App::new(info(), Keymap::default(), Some(token()));
    let effects = app.begin(Vec::new());
    answer(&mut app, &effects);
    app
}

/// Presses keys of one write, and then answers the query for the list.
fn at_once(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut effects = burst(app, keys);
    let later = answer(app, &effects);
    effects.extend(later);
    effects
}

fn marked(app: &App) -> Vec<i64> {
    app.cx.session.plants.marked.keys().map(|id| id.0).collect()
}

#[test]
fn a_command_is_about_the_plant_that_was_asked_for() {
    let mut app = with_plants();
    at_once(&mut app, "G<space>");
    assert_eq!(marked(&app), [PLANTS]);
    let copies = |effects: &[Effect], id: &str| effects.iter().any(|effect| format!("{effect:?}").contains(id));
    let mut app = with_plants();
    let effects = at_once(&mut app, "GI");
    assert!(copies(&effects, "3000"), "{effects:?}");
    let mut app = with_plants();
    at_once(&mut app, "GA");
    assert_eq!(draft(&app).name.text(), "plant 3000");
    let mut app = with_plants();
    at_once(&mut app, "Gx");
    assert_eq!(app.screens.history.list.filter.text(), format!("id:{PLANTS}"));
    let mut app = with_plants();
    at_once(&mut app, "Gd");
    assert_eq!(question(&app).about, Some(PlantId(PLANTS)));
    // What follows keeps its order.
    let mut app = with_plants();
    at_once(&mut app, "G <up> ");
    assert_eq!(marked(&app), [PLANTS - 1, PLANTS]);
    // One that waits for its request.
    let mut app = with_plants();
    at_once(&mut app, "Gy");
    assert!(message(&app).is_none(), "{:?}", message(&app));
}

#[test]
fn a_command_is_about_what_the_filter_shows() {
    let mut app = with_plants();
    at_once(&mut app, "/tag:fern<enter> ");
    assert_eq!(marked(&app), [2900]);
    let mut app = with_plants();
    at_once(&mut app, "/tag:fern<down><enter> ");
    assert_eq!(marked(&app), [2901]);
    let filter = List::Plants.parse("tag:fern", &app.cx.local_time()).0;
    // Marks that are being loaded are waited for, too.
    let mut app = with_plants();
    at_once(&mut app, "/tag:fern<enter>Mdy");
    assert!(app.question().is_none());
    let fitting = rows(2900..PLANTS + 1);
    let effects = app.update(Msg::Fitting(filter, Ok(fitting.clone())));
    let ids: Vec<_> = fitting.iter().map(|row| row.id).collect();
    assert_eq!(effects.last(), Some(&Effect::FindListed(ids.clone())));
    assert_eq!(sent(&app.update(listed(&ids, &fitting))), []);
    assert_eq!(title_of(&app), "Delete these 101 plants?");
}

#[test]
fn a_command_is_about_the_plant_that_a_line_names() {
    let mut app = with_plants();
    burst(&mut app, ":2500<enter> ");
    let effects = app.update(listed(&[PlantId(2500)], &rows(2500..2501)));
    answer(&mut app, &effects);
    assert_eq!(marked(&app), [2500]);
}

#[test]
fn a_search_without_a_result_drops_what_was_typed_after_it_and_says_so() {
    for keys in [" ", "d", "A", "x", "dy"] {
        let mut app = with_plants();
        burst(&mut app, &format!(":9999<enter>{keys}"));
        app.update(listed(&[PlantId(9999)], &[]));
        let said = "No plant in the list has the id 9999. What was typed meanwhile was dropped.";
        assert_eq!(status_line(&app), said, "{keys}");
        assert_eq!((marked(&app), app.cx.display.has_dialog), (vec![], false), "{keys}");
        assert_eq!(app.cx.display.tab, super::super::ui_effect::Tab::Plants, "{keys}");
    }
}

#[test]
fn what_is_typed_before_a_question_opens_answers_nothing_and_does_nothing_else() {
    let open = |keys: &str, found: &[Row]| {
        let mut app = with_plants();
        let effects = burst(&mut app, &format!(":delete 7<enter>{keys}"));
        assert!(matches!(effects.last(), Some(Effect::FindListed(_))), "{keys}: {effects:?}");
        assert_eq!(app.update(listed(&[PlantId(7)], found)), [], "{keys}");
        app
    };
    for key in ["y", "a", ":", " ", "q"] {
        let app = open(key, &rows(7..8));
        assert_eq!((title(&app).as_str(), marked(&app)), ("Delete plant 7 (7)?", vec![]), "{key}");
        let is_said = status_line(&app).ends_with("again: it was typed before this question was shown.");
        assert_eq!(is_said, key == "y", "{key}: only a key that the question takes is asked for again");
    }
    for no in ["n", "<esc>", "<c-c>", "yn"] {
        assert!(!open(no, &rows(7..8)).cx.display.has_dialog, "{no}");
    }
    let mut app = with_plants();
    burst(&mut app, " dy");
    app.update(listed(&[PlantId(1)], &[]));
    let said =
        "None of the marked plants is in the list any more as it was marked. What was typed meanwhile was dropped.";
    assert_eq!((status_line(&app), app.cx.display.has_dialog), (said, false));
    // Nor is it for a dialog that opens by itself.
    let mut app = with_plants();
    let operation = sent(&press(&mut app, "dy")).remove(0);
    burst(&mut app, ":delete 7<enter>n");
    app.update(not_found(&operation, row(1, State::Stored)));
    assert!(status_line(&app).ends_with("What was typed meanwhile was dropped."), "{}", status_line(&app));
    // A line that answers its question asks none, and what follows acts.
    let mut app = with_plants();
    burst(&mut app, ":delete --yes 7<enter> ");
    assert_eq!(sent(&app.update(listed(&[PlantId(7)], &rows(7..8)))).len(), 1);
    assert_eq!(marked(&app), [1]);
}

#[test]
fn a_question_opens_after_the_dialog_that_opened_meanwhile() {
    let after_rejected = |line: &str| {
        let mut app = with_plants();
        let operation = sent(&press(&mut app, "dy")).remove(0);
        press(&mut app, line);
        app.update(not_found(&operation, row(1, State::Stored)));
        press(&mut app, "<enter>");
        let first = title(&app);
        let effects = app.update(listed(&[PlantId(7)], &rows(7..8)));
        assert_eq!(title(&app), first);
        (app, sent(&effects).len())
    };
    let (mut app, count) = after_rejected(":delete 7");
    press(&mut app, "<esc>");
    assert_eq!((title(&app).as_str(), count), ("Delete plant 7 (7)?", 0));
    // Behind another one, too, it closes when there is nothing left to ask.
    let (mut app, _) = after_rejected(":delete 7");
    app.update(history_of(7, Some(row(7, State::Deleting))));
    press(&mut app, "<esc>");
    assert!(!app.cx.display.has_dialog);
    assert_eq!(after_rejected(":delete --yes 7").1, 1);
}

#[test]
fn what_waits_is_dropped_where_it_cannot_be_known() {
    // By the mouse, by Esc or Ctrl-C, and by a list that cannot be read.
    let mut app = with_plants();
    let effects = burst(&mut app, "G ");
    app.update(wheeled(Target::List, false));
    answer(&mut app, &effects);
    assert_eq!(marked(&app), [0; 0]);
    for key in ["<esc>", "<c-c>"] {
        let mut app = with_plants();
        let effects = burst(&mut app, &format!("G {key}"));
        answer(&mut app, &effects);
        assert_eq!(marked(&app), [0; 0], "{key}");
    }
    let mut app = with_plants();
    let effects = burst(&mut app, "G d");
    let Some(Effect::Load(request)) = effects.last() else { panic!("{effects:?}") };
    app.update(Msg::Window(Box::new(request.clone()), Err(JournalError::Overtaken)));
    assert_eq!((marked(&app), app.question().is_none()), (vec![], true));
    // Then keys act again.
    press(&mut app, "<down>");
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(2)));
}

#[test]
fn a_command_is_about_the_request_that_was_asked_for() {
    let oldest = |app: &mut App, keys| {
        burst(app, keys);
        history_came(app, request(HistoryRequest::OLDEST), log((1..5).rev(), true, false));
        app.update(Msg::Inspected(1, Ok(Some(Box::new(stored(1))))))
    };
    let far = || {
        let mut app = in_history((700..1000).rev());
        history_came(&mut app, request(HistoryRequest::NEWEST), log((700..1000).rev(), false, true));
        app
    };
    let mut app = far();
    oldest(&mut app, "GE");
    assert_eq!(dialog(&app).field("id"), "1");
    let mut app = far();
    let effects = oldest(&mut app, "GI");
    assert_eq!(message(&app).map(|text| text.contains("no request")), None, "{effects:?}");
    let mut app = far();
    oldest(&mut app, "G ");
    assert_eq!(app.screens.history.list.marked, [1]);
    // The request itself is read, too.
    let mut app = far();
    burst(&mut app, "jj<enter>]");
    assert!(!app.cx.display.has_dialog);
    app.update(Msg::Inspected(997, Ok(Some(Box::new(stored(997))))));
    assert!(title(&app).contains("997"), "{}", title(&app));
    // One that cannot be read keeps no keys.
    let mut app = far();
    burst(&mut app, "jI");
    app.update(Msg::Inspected(998, Ok(None)));
    press(&mut app, "I");
    assert_eq!(message(&app), Some("I does nothing now: nothing is selected."));
    press(&mut app, "1");
    assert_eq!(app.cx.display.tab, super::super::ui_effect::Tab::Plants);
}
