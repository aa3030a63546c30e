//! The rooms: what they ask the journal for, filter, order, marks, batches, and what is at hand.

use super::*;
use crate::journal::{Column, LogAnchor, LogLine, LogRequest, LogWindow, Search, StoredExchange};
use crate::tui::message::Target;
use crate::tui::ui_effect::Tab;

fn line(place: i64, outcome: Outcome) -> LogLine {
    LogLine {
        place,
        kind: OperationKind::Delete(PlantId(place)),
        called: None,
        outcome,
        status: Some(204),
        size: Some(0),
        started: Timestamp(place),
        elapsed: Duration::from_millis(1),
    }
}

fn log(places: impl Iterator<Item = i64>, newer: bool, older: bool) -> LogWindow {
    LogWindow { lines: places.map(|place| line(place, Outcome::Accepted)).collect(), newer, older }
}

fn request(anchor: LogAnchor) -> LogRequest {
    LogRequest { search: Search::default(), anchor, rows: 400 }
}

fn arrives(app: &mut App, asked: LogRequest, window: LogWindow) -> Vec<Effect> {
    app.update(Msg::Log(Box::new(asked), Ok(window)))
}

/// In the Exchanges room, with these places at hand.
fn among(places: impl Iterator<Item = i64>) -> App {
    let mut app = new_app();
    app.update(window(&[]));
    assert!(press(&mut app, "2").contains(&Effect::Log(request(LogAnchor::Newest))));
    app.update(Msg::Drawn(FrameLayout { page: 10, ..FrameLayout::default() }));
    arrives(&mut app, request(LogAnchor::Newest), log(places, false, false));
    app
}

pub(super) fn kept(place: i64) -> StoredExchange {
    let operation =
        Operation::new(OperationId { origin: 1, number: 1 }, OperationKind::Delete(PlantId(place)), Timestamp(0));
    StoredExchange {
        place,
        called: None,
        exchange: Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0)),
    }
}

/// Whether a filter is being typed.
fn is_typing(app: &App) -> bool {
    app.cx.display.is_plain && app.scope() == Scope::Picker
}

#[test]
fn whoever_watches_the_newest_exchange_sees_what_comes() {
    let mut app = among((0..5).rev());
    assert_eq!(app.history().list().selected, Some(4));
    app.update(Msg::JournalChanged);
    arrives(&mut app, request(LogAnchor::Newest), log((0..7).rev(), false, false));
    assert_eq!(app.history().list().selected, Some(6));
    // Whoever has gone down the list stays with the exchange.
    press(&mut app, "<down><down>");
    assert_eq!(app.history().list().selected, Some(4));
    assert_eq!(app.update(Msg::JournalChanged).len(), 1, "the view; the log is still out");
    arrives(&mut app, request(LogAnchor::Newest), log((0..8).rev(), false, false));
    assert_eq!(app.history().list().selected, Some(4));
}

#[test]
fn an_exchange_that_is_gone_leaves_the_one_before_it_selected() {
    let mut app = among((0..5).rev());
    press(&mut app, "<down>");
    arrives(&mut app, request(LogAnchor::Around(3)), log([4, 2, 1].into_iter(), false, false));
    assert_eq!(app.history().list().selected, Some(2));
    arrives(&mut app, request(LogAnchor::Around(2)), log(std::iter::empty(), false, false));
    assert_eq!((app.history().list().selected, app.history().list().visible().len()), (None, 0));
}

#[test]
fn more_of_the_log_is_asked_for_near_its_edges_and_at_its_ends() {
    let mut app = among(std::iter::empty());
    arrives(&mut app, request(LogAnchor::Newest), log((1000..1400).rev(), false, true));
    assert_eq!(press(&mut app, "<pagedown>").len(), 1, "only the exchange itself");
    let asked: Vec<_> = (0..40).flat_map(|_| press(&mut app, "<pagedown>")).collect();
    assert!(asked.iter().any(|effect| matches!(effect, Effect::Log(LogRequest { anchor: LogAnchor::Around(_), .. }))));
    // Asked for once more, because the selection has gone on meanwhile.
    let again = arrives(&mut app, request(LogAnchor::Around(1030)), log((800..1200).rev(), true, true));
    assert!(again.iter().any(|effect| matches!(effect, Effect::Log(_))), "{again:?}");
    arrives(&mut app, request(LogAnchor::Around(1030)), log((800..1200).rev(), true, true));
    let effects = press(&mut app, "<end>");
    assert!(effects.contains(&Effect::Log(request(LogAnchor::Oldest))), "{effects:?}");
    arrives(&mut app, request(LogAnchor::Oldest), log((0..400).rev(), true, false));
    assert_eq!(app.history().list().selected, Some(0));
    assert!(press(&mut app, "<home>").contains(&Effect::Log(request(LogAnchor::Newest))));
}

#[test]
fn a_response_to_what_was_typed_before_changes_nothing() {
    let mut app = among((0..5).rev());
    let asked = press(&mut app, "/fe");
    let searches: Vec<_> = asked
        .iter()
        .filter_map(|effect| if let Effect::Log(request) = effect { Some(request.clone()) } else { None })
        .collect();
    assert_eq!(searches.iter().map(|asked| asked.search.text.as_deref()).collect::<Vec<_>>(), [Some("f"), Some("fe")]);
    arrives(&mut app, searches[0].clone(), log((0..3).rev(), false, false));
    assert_eq!(app.history().list().lines.len(), 5);
    app.update(Msg::Log(Box::new(searches[0].clone()), Err(JournalError::Superseded)));
    assert!(app.cx.out.status.notices.is_empty());
    arrives(&mut app, searches[1].clone(), log((0..2).rev(), false, false));
    assert_eq!(app.history().list().lines.len(), 2);
    press(&mut app, "<esc>");
    assert!(!app.history().list().is_filtered() && !is_typing(&app));
}

#[test]
fn enter_opens_the_exchange_as_soon_as_it_is_there_and_no_other() {
    let mut app = among((0..5).rev());
    assert_eq!(press(&mut app, "<enter>"), []);
    assert!(app.cx.display.is_plain);
    app.update(Msg::Inspected(3, Ok(Some(Box::new(kept(3))))));
    assert!(app.cx.display.is_plain, "that is not the selected one");
    app.update(Msg::Inspected(4, Ok(Some(Box::new(kept(4))))));
    assert_eq!(title(&app), "delete plant 4");
    // Another key in between means that a person thought better of it.
    press(&mut app, "<esc><down><enter><down>");
    app.update(Msg::Inspected(2, Ok(Some(Box::new(kept(2))))));
    assert!(app.cx.display.is_plain);
}

#[test]
fn two_exchanges_are_compared_the_older_first() {
    let mut app = among((0..5).rev());
    assert_eq!(press(&mut app, "v"), []);
    assert!(said(&app).contains("mark one request and select another"));
    press(&mut app, " <down><down>");
    assert_eq!(press(&mut app, "v"), [Effect::Compare(2, 4)]);
    press(&mut app, " <down> ");
    assert_eq!(app.history().list().marked, [2, 1], "the first of three marks goes");
    press(&mut app, "<esc>");
    assert_eq!(app.history().list().marked, [0; 0]);
}

#[test]
fn the_view_is_asked_for_as_it_is_filtered_and_sorted() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored), row(8, State::Stored)]));
    press(&mut app, "<down>");
    let arranged = |filter: &str, column, descending| {
        let arrangement = Arrangement { filter: filter.into(), column, descending };
        Effect::Load(WindowRequest { arrangement, ..around(Some(8)) })
    };
    assert_eq!(press(&mut app, "/"), []);
    assert_eq!(press(&mut app, "f"), [arranged("f", Column::Id, false)]);
    // What comes of the question before is not what is seen now.
    app.update(window(&[row(1, State::Stored)]));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(8)));
    assert_eq!(press(&mut app, "<enter>s"), [arranged("f", Column::Name, false)]);
    assert_eq!(press(&mut app, "S"), [arranged("f", Column::Name, true)]);
    let effects = app.update(Msg::Clicked(Target::Heading(Column::When)));
    assert_eq!(effects, [arranged("f", Column::When, false)]);
    assert_eq!(press(&mut app, "<esc>"), [arranged("", Column::When, false)]);
}

#[test]
fn marks_stay_with_their_plants_and_go_with_them() {
    let mut app = new_app();
    let rows = [row(1, State::Stored), row(2, State::Stored), row(3, State::Stored)];
    app.update(window(&rows));
    press(&mut app, "  ");
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(3)));
    asked_to_delete(&mut app, &rows[..2]);
    let asked = sent(&press(&mut app, "<tab><enter>"));
    assert_eq!(
        asked.iter().map(|operation| operation.kind.clone()).collect::<Vec<_>>(),
        [1, 2].map(|id| OperationKind::Delete(PlantId(id)))
    );
    assert!(app.cx.session.plants.marked.is_empty());
    // One of them is refused: no dialog opens for it, the sum tells.
    app.update(responded(&asked[0], 404));
    assert!(app.cx.display.is_plain);
    assert!(said(&app).starts_with("Deleting 2 plants: 0 deleted, 1 rejected"));
    app.update(failed(&asked[1], FailureKind::TimedOut));
    let told = said(&app);
    assert_eq!(told, "Of 2 plants: 0 deleted, 1 rejected, 1 unknown, 0 not sent. u resolves what is unknown.");
    assert!(app.cx.session.batch.is_none());
}

#[test]
fn a_batch_that_waits_for_a_token_ends_with_it() {
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored), row(2, State::Stored)]));
    press(&mut app, "  ");
    asked_to_delete(&mut app, &[row(1, State::Stored), row(2, State::Stored)]);
    let asked = sent(&press(&mut app, "<tab><enter>"));
    for operation in &asked {
        app.update(responded(operation, 401));
    }
    assert!(title(&app).starts_with("Token for"), "a token is asked for, once");
    assert_eq!((app.cx.session.waiting_for_token.len(), app.waiting()), (2, 0));
    let again = sent(&press(&mut app, "better<enter>"));
    assert_eq!(again.len(), 2);
    // They are deleted together still: none of them opens a dialog of its own.
    for operation in &again {
        app.update(responded(operation, 404));
    }
    assert!(app.cx.display.is_plain && app.waiting() == 0);
    assert!(said(&app).starts_with("Of 2 plants: 0 deleted, 2 rejected"));
}

/// Presses `d` and responds how the marked plants stand.
fn asked_to_delete(app: &mut App, rows: &[Row]) {
    let effects = press(app, "d");
    let Some(Effect::FindToDelete(plants)) = effects.first() else { unreachable!("{effects:?}") };
    app.update(Msg::ToDelete(plants.clone(), Ok(rows.to_vec())));
}

fn called(id: i64, name: &str) -> Row {
    Row { details: Some(Details { name: name.into(), tag: "t".into() }), ..row(id, State::Stored) }
}

#[test]
fn a_mark_does_not_pass_to_another_plant_of_the_same_id() {
    let mut app = new_app();
    app.update(window(&[called(7, "Fern"), called(8, "Ivy"), called(9, "Moss")]));
    press(&mut app, "   ");
    asked_to_delete(&mut app, &[called(7, "Somebody's orchid"), called(8, "Ivy"), called(9, "Moss")]);
    assert_eq!(question(&app).deletes(), Some([8, 9].map(PlantId).as_slice()));
    assert!(question(&app).lines.iter().any(|line| line.starts_with("1 of the marked are left out")));
    // The dialog learns what happens while it is open, and marks the safe response again.
    press(&mut app, "<tab>");
    let effects = app.update(Msg::JournalChanged);
    let plants = [8, 9].map(PlantId).to_vec();
    assert!(effects.contains(&Effect::FindToDelete(plants.clone())), "{effects:?}");
    app.update(Msg::ToDelete(plants, Ok(vec![called(9, "Moss")])));
    assert_eq!((question(&app).title.as_str(), question(&app).marked), ("Delete Moss (9)?", 0));
    press(&mut app, "<esc>");
    asked_to_delete(&mut app, &[]);
    assert!(app.cx.display.is_plain && app.cx.session.plants.marked.is_empty());
}

#[test]
fn a_second_batch_joins_the_first_and_nothing_is_deleted_twice() {
    let mut app = new_app();
    let rows = [1, 2, 3, 4].map(|id| row(id, State::Stored));
    app.update(window(&rows));
    press(&mut app, "  ");
    asked_to_delete(&mut app, &rows[..2]);
    let first = sent(&press(&mut app, "<tab><enter>"));
    press(&mut app, "  ");
    asked_to_delete(&mut app, &rows[2..]);
    let second = sent(&press(&mut app, "<tab><enter>"));
    for operation in first.iter().chain(&second) {
        app.update(responded(operation, 404));
    }
    assert!(app.cx.display.is_plain);
    assert!(said(&app).starts_with("Of 4 plants: 0 deleted, 4 rejected"));
    // A marked plant whose delete is out is not asked about again.
    app.update(window(&rows));
    press(&mut app, "<home> ");
    asked_to_delete(&mut app, &[row(1, State::Deleting)]);
    assert!(app.cx.display.is_plain);
}

#[test]
fn what_a_batch_did_not_send_goes_out_on_one_key() {
    let mut app = App::new(info(), Keymap::default(), false);
    let _ = app.begin(Vec::new());
    press(&mut app, "<esc>");
    let rows = [row(1, State::Stored), row(2, State::Stored)];
    app.update(window(&rows));
    press(&mut app, "  ");
    asked_to_delete(&mut app, &rows);
    assert_eq!(sent(&press(&mut app, "<tab><enter>")), []);
    press(&mut app, "<esc>");
    let told = said(&app);
    assert!(told.starts_with("Of 2 plants: 0 deleted, 0 rejected, 0 unknown, 2 not sent."), "{told}");
    assert_eq!(app.cx.session.unsent.len(), 2);
}

#[test]
fn all_that_the_filter_shows_is_marked_and_nothing_that_it_showed_before() {
    let mut app = new_app();
    app.update(window(&[called(7, "Fern"), called(8, "Ivy")]));
    press(&mut app, "/fern<enter>M/<c-u>ivy<enter>");
    app.update(Msg::Fitting("fern".into(), Ok(vec![called(7, "Fern")])));
    assert!(app.cx.session.plants.marked.is_empty());
    press(&mut app, "MM");
    app.update(Msg::Fitting("ivy".into(), Ok(vec![called(8, "Ivy")])));
    assert!(app.cx.session.plants.marked.is_empty(), "the second M took it back");
    press(&mut app, "M");
    app.update(Msg::Fitting("ivy".into(), Ok(vec![called(8, "Ivy")])));
    assert_eq!(app.cx.session.plants.marked.keys().collect::<Vec<_>>(), [&PlantId(8)]);
}

#[test]
fn nothing_opens_by_itself_and_no_filter_is_typed_into_by_accident() {
    let mut app = new_app();
    app.update(window(&[]));
    press(&mut app, "2<enter>");
    arrives(&mut app, request(LogAnchor::Newest), log(std::iter::empty(), false, false));
    app.update(Msg::JournalChanged);
    arrives(&mut app, request(LogAnchor::Newest), log([4].into_iter(), false, false));
    app.update(Msg::Inspected(4, Ok(Some(Box::new(kept(4))))));
    assert!(app.cx.display.is_plain);
    press(&mut app, "1/fe");
    app.update(Msg::Clicked(Target::Command(Tab::History.command())));
    assert!(!is_typing(&app));
    assert_eq!(press(&mut app, "q"), [Effect::Quit]);
}

#[test]
fn the_neighbour_of_a_plant_that_left_is_found_outside_the_rows_at_hand() {
    let mut app = new_app();
    let sorted = |app: &mut App, first: usize, ids: std::ops::Range<i64>| {
        let rows: Vec<_> = ids.map(|id| row(id, State::Stored)).collect();
        let Msg::Window(_, Ok(told)) = window(&rows) else { unreachable!("it is a window") };
        let request = WindowRequest { arrangement: app.cx.session.plants.arrangement(), ..around(None) };
        app.update(Msg::Window(Box::new(request), Ok(Window { first, total: 9_000, ..told })))
    };
    press(&mut app, "s");
    sorted(&mut app, 4_800, 4_800..5_200);
    app.update(Msg::Clicked(Target::Plant(PlantId(5_000))));
    // It is gone, so the journal tells the first rows.
    let effects = sorted(&mut app, 0, 0..400);
    let back =
        effects.iter().any(|effect| matches!(effect, Effect::Load(WindowRequest { anchor: Anchor::Index(_), .. })));
    assert!(back, "{effects:?}");
    sorted(&mut app, 4_800, 4_801..5_201);
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(5_001)));
}

#[test]
fn quitting_asks_while_something_of_this_session_is_unknown() {
    let mut app = new_app();
    app.update(window(&[row(9, State::Unknown)]));
    assert_eq!(press(&mut app, "q"), [Effect::Quit], "that doubt is of another session");
    let operation = sent(&press(&mut app, "aFern<tab><tab>t<enter>"))[0].clone();
    app.update(failed(&operation, FailureKind::TimedOut));
    assert_eq!(press(&mut app, "q"), []);
    assert!(question(&app).lines[0].contains("unknown since this session"), "{:?}", question(&app).lines);
    press(&mut app, "<enter>");
    app.update(Msg::Resolved(operation.kind.plant_id(), Resolution::Forget, Ok(())));
    assert_eq!(press(&mut app, "q"), [Effect::Quit]);
}

#[test]
fn what_was_said_a_while_ago_makes_room_at_the_next_key() {
    let mut app = new_app();
    app.update(Msg::Now(Timestamp(1_000)));
    press(&mut app, "r");
    assert!(message(&app).is_some());
    app.update(Msg::Now(Timestamp(3_000)));
    press(&mut app, "<down>");
    assert!(message(&app).is_some());
    app.update(Msg::Now(Timestamp(3_001)));
    press(&mut app, "<down>");
    assert!(message(&app).is_none());
    // How an operation ended stays longer.
    let operation = sent(&press(&mut app, "aFern<tab><tab>t<enter>"))[0].clone();
    app.update(responded(&operation, 201));
    app.update(Msg::Now(Timestamp(13_001)));
    press(&mut app, "<down>");
    assert!(message(&app).is_some());
    app.update(Msg::Now(Timestamp(13_002)));
    press(&mut app, "<down>");
    assert!(message(&app).is_none());
}

#[test]
fn the_palette_does_what_a_key_would_in_the_room_it_belongs_to() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, ":its own");
    assert!(dialog(&app).says("No command has this in its name or description."));
    press(&mut app, "<c-u>next outcome");
    press(&mut app, "<enter>");
    assert_eq!((app.cx.display.tab, app.history().list().outcome), (Tab::History, Some(Outcome::Accepted)));
    press(&mut app, ":delete marked<enter>");
    assert_eq!(app.cx.display.tab, Tab::Plants);
    assert_eq!(question(&app).title, "Delete plant 7 (7)?");
    // What does nothing now says why, there as here.
    press(&mut app, "<esc>:resolve");
    let first = dialog(&app).marked().to_owned();
    assert!(first.starts_with("u ") && first.ends_with("not now: nothing is unknown"), "{first}");
}

#[test]
fn every_action_of_the_rooms_is_in_the_palette() {
    let app = new_app();
    let offered: Vec<_> = app.offers().iter().map(|offer| offer.binding.name).collect();
    for scope in [Scope::Tabs, Scope::Operations, Scope::Plants, Scope::History, Scope::Exchange, Scope::Everywhere] {
        for binding in app.cx.out.keys.of(scope).filter(|binding| binding.name != "palette") {
            assert!(offered.contains(&binding.name), "{}", binding.name);
        }
    }
}

#[test]
fn read_only_lets_everything_be_seen_and_nothing_be_sent() {
    let mut app = App::new(StoreInfo { read_only: true, ..info() }, Keymap::default(), false);
    let _ = app.begin(Vec::new());
    app.update(window(&[row(7, State::Stored)]));
    for key in ["a", "d", "D", "b"] {
        assert_eq!(press(&mut app, key), []);
        assert!(app.cx.display.is_plain);
        assert!(said(&app).contains("read-only"), "{key}");
    }
    press(&mut app, "  ");
    assert!(press(&mut app, "d").is_empty() && app.cx.display.is_plain);
    assert!(!press(&mut app, "2").is_empty());
}
