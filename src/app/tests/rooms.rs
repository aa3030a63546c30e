//! The rooms: what they ask the journal for, filter, order, marks, batches, and what is at hand.

use super::*;
use crate::app::Room;
use crate::app::message::Target;
use crate::app::reader::Reading;
use crate::journal::{Column, Kept, LogAnchor, LogLine, LogRequest, LogWindow, Search};

fn line(place: i64, outcome: Outcome) -> LogLine {
    LogLine {
        place,
        ask: Ask::Delete(PlantId(place)),
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

fn arrives(model: &mut Model, asked: LogRequest, window: LogWindow) -> Vec<Effect> {
    update(model, Msg::Log(Box::new(asked), Ok(window)))
}

/// In the Exchanges room, with these places at hand.
fn among(places: impl Iterator<Item = i64>) -> Model {
    let mut model = model();
    update(&mut model, window(&[]));
    assert!(press(&mut model, "2").contains(&Effect::Log(request(LogAnchor::Newest))));
    update(&mut model, Msg::Drawn(Drawn { page: 10, ..Drawn::default() }));
    arrives(&mut model, request(LogAnchor::Newest), log(places, false, false));
    model
}

pub(super) fn kept(place: i64) -> Kept {
    let operation = Operation::new(OperationId { origin: 1, number: 1 }, Ask::Delete(PlantId(place)), Timestamp(0));
    Kept {
        place,
        called: None,
        exchange: Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0)),
    }
}

#[test]
fn whoever_watches_the_newest_exchange_sees_what_comes() {
    let mut model = among((0..5).rev());
    assert_eq!(model.log.selected, Some(4));
    update(&mut model, Msg::JournalChanged);
    arrives(&mut model, request(LogAnchor::Newest), log((0..7).rev(), false, false));
    assert_eq!(model.log.selected, Some(6));
    // Whoever has gone down the list stays with the exchange.
    press(&mut model, "<down><down>");
    assert_eq!(model.log.selected, Some(4));
    assert_eq!(update(&mut model, Msg::JournalChanged).len(), 1, "the view; the log is still out");
    arrives(&mut model, request(LogAnchor::Newest), log((0..8).rev(), false, false));
    assert_eq!(model.log.selected, Some(4));
}

#[test]
fn an_exchange_that_is_gone_leaves_the_one_before_it_selected() {
    let mut model = among((0..5).rev());
    press(&mut model, "<down>");
    arrives(&mut model, request(LogAnchor::Around(3)), log([4, 2, 1].into_iter(), false, false));
    assert_eq!(model.log.selected, Some(2));
    arrives(&mut model, request(LogAnchor::Around(2)), log(std::iter::empty(), false, false));
    assert_eq!((model.log.selected, model.log.visible().len()), (None, 0));
}

#[test]
fn more_of_the_log_is_asked_for_near_its_edges_and_at_its_ends() {
    let mut model = among(std::iter::empty());
    arrives(&mut model, request(LogAnchor::Newest), log((1000..1400).rev(), false, true));
    assert_eq!(press(&mut model, "<pagedown>").len(), 1, "only the exchange itself");
    let asked: Vec<_> = (0..40).flat_map(|_| press(&mut model, "<pagedown>")).collect();
    assert!(asked.iter().any(|effect| matches!(effect, Effect::Log(LogRequest { anchor: LogAnchor::Around(_), .. }))));
    // Asked for once more, because the selection has gone on meanwhile.
    let again = arrives(&mut model, request(LogAnchor::Around(1030)), log((800..1200).rev(), true, true));
    assert!(again.iter().any(|effect| matches!(effect, Effect::Log(_))), "{again:?}");
    arrives(&mut model, request(LogAnchor::Around(1030)), log((800..1200).rev(), true, true));
    let effects = press(&mut model, "<end>");
    assert!(effects.contains(&Effect::Log(request(LogAnchor::Oldest))), "{effects:?}");
    arrives(&mut model, request(LogAnchor::Oldest), log((0..400).rev(), true, false));
    assert_eq!(model.log.selected, Some(0));
    assert!(press(&mut model, "<home>").contains(&Effect::Log(request(LogAnchor::Newest))));
}

#[test]
fn an_answer_to_what_was_typed_before_changes_nothing() {
    let mut model = among((0..5).rev());
    let asked = press(&mut model, "/fe");
    let searches: Vec<_> = asked
        .iter()
        .filter_map(|effect| if let Effect::Log(request) = effect { Some(request.clone()) } else { None })
        .collect();
    assert_eq!(searches.iter().map(|asked| asked.search.text.as_deref()).collect::<Vec<_>>(), [Some("f"), Some("fe")]);
    arrives(&mut model, searches[0].clone(), log((0..3).rev(), false, false));
    assert_eq!(model.log.lines.len(), 5);
    update(&mut model, Msg::Log(Box::new(searches[0].clone()), Err(JournalError::Superseded)));
    assert!(model.notices.is_empty());
    arrives(&mut model, searches[1].clone(), log((0..2).rev(), false, false));
    assert_eq!(model.log.lines.len(), 2);
    press(&mut model, "<esc>");
    assert!(!model.is_filtered() && !model.filtering);
}

#[test]
fn enter_opens_the_exchange_as_soon_as_it_is_there_and_no_other() {
    let mut model = among((0..5).rev());
    assert_eq!(press(&mut model, "<enter>"), []);
    assert!(model.overlay.is_none());
    update(&mut model, Msg::Inspected(3, Ok(Some(Box::new(kept(3))))));
    assert!(model.overlay.is_none(), "that is not the selected one");
    update(&mut model, Msg::Inspected(4, Ok(Some(Box::new(kept(4))))));
    let Some(Overlay::Reader(reader)) = &model.overlay else { unreachable!("it is open") };
    assert!(matches!(&reader.reading, Reading::Exchange { kept, .. } if kept.place == 4));
    // Another key in between means that a person thought better of it.
    press(&mut model, "<esc><down><enter><down>");
    update(&mut model, Msg::Inspected(2, Ok(Some(Box::new(kept(2))))));
    assert!(model.overlay.is_none());
}

#[test]
fn two_exchanges_are_compared_the_older_first() {
    let mut model = among((0..5).rev());
    assert_eq!(press(&mut model, "v"), []);
    assert!(model.happened.as_ref().unwrap().text.contains("mark one exchange and select another"));
    press(&mut model, " <down><down>");
    assert_eq!(press(&mut model, "v"), [Effect::Compare(2, 4)]);
    press(&mut model, " <down> ");
    assert_eq!(model.log.marked, [2, 1], "the first of three marks goes");
    press(&mut model, "<esc>");
    assert_eq!(model.log.marked, [0; 0]);
}

#[test]
fn the_view_is_asked_for_as_it_is_filtered_and_sorted() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored), row(8, State::Stored)]));
    press(&mut model, "<down>");
    let arranged = |filter: &str, column, descending| {
        let arrangement = Arrangement { filter: filter.into(), column, descending };
        Effect::Load(WindowRequest { arrangement, ..around(Some(8)) })
    };
    assert_eq!(press(&mut model, "/"), []);
    assert_eq!(press(&mut model, "f"), [arranged("f", Column::Id, false)]);
    // What comes of the question before is not what is seen now.
    update(&mut model, window(&[row(1, State::Stored)]));
    assert_eq!(model.table.selected, Some(PlantId(8)));
    assert_eq!(press(&mut model, "<enter>s"), [arranged("f", Column::Name, false)]);
    assert_eq!(press(&mut model, "S"), [arranged("f", Column::Name, true)]);
    let effects = update(&mut model, Msg::Clicked(Target::Heading(Column::When)));
    assert_eq!(effects, [arranged("f", Column::When, false)]);
    assert_eq!(press(&mut model, "<esc>"), [arranged("", Column::When, false)]);
}

#[test]
fn marks_stay_with_their_plants_and_go_with_them() {
    let mut model = model();
    let rows = [row(1, State::Stored), row(2, State::Stored), row(3, State::Stored)];
    update(&mut model, window(&rows));
    press(&mut model, "  ");
    assert_eq!(model.table.selected, Some(PlantId(3)));
    asked_to_delete(&mut model, &rows[..2]);
    let asked = sent(&press(&mut model, "<tab><enter>"));
    assert_eq!(
        asked.iter().map(|operation| operation.ask.clone()).collect::<Vec<_>>(),
        [1, 2].map(|id| Ask::Delete(PlantId(id)))
    );
    assert!(model.table.marked.is_empty());
    // One of them is refused: no dialog opens for it, the sum tells.
    update(&mut model, answered(&asked[0], 404));
    assert!(model.overlay.is_none());
    assert!(model.happened.as_ref().unwrap().text.starts_with("Deleting 2 plants: 0 deleted, 1 rejected"));
    update(&mut model, failed(&asked[1], FailureKind::TimedOut));
    let told = &model.happened.as_ref().unwrap().text;
    assert_eq!(told, "Of 2 plants: 0 deleted, 1 rejected, 1 unknown, 0 not sent. u resolves what is unknown.");
    assert!(model.batch.is_none());
}

#[test]
fn a_batch_that_waits_for_a_token_ends_with_it() {
    let mut model = model();
    update(&mut model, window(&[row(1, State::Stored), row(2, State::Stored)]));
    press(&mut model, "  ");
    asked_to_delete(&mut model, &[row(1, State::Stored), row(2, State::Stored)]);
    let asked = sent(&press(&mut model, "<tab><enter>"));
    for operation in &asked {
        update(&mut model, answered(operation, 401));
    }
    let Some(Overlay::Token(prompt)) = &model.overlay else { unreachable!("a token is asked for, once") };
    assert_eq!((prompt.waiting.len(), model.later.len()), (2, 0));
    let again = sent(&press(&mut model, "better<enter>"));
    assert_eq!(again.len(), 2);
    // They are deleted together still: none of them opens a dialog of its own.
    for operation in &again {
        update(&mut model, answered(operation, 404));
    }
    assert!(model.overlay.is_none() && model.later.is_empty());
    assert!(model.happened.as_ref().unwrap().text.starts_with("Of 2 plants: 0 deleted, 2 rejected"));
}

/// Presses `d` and answers how the marked plants stand.
fn asked_to_delete(model: &mut Model, rows: &[Row]) {
    let effects = press(model, "d");
    let Some(Effect::FindToDelete(plants)) = effects.first() else { unreachable!("{effects:?}") };
    update(model, Msg::ToDelete(plants.clone(), Ok(rows.to_vec())));
}

fn called(id: i64, name: &str) -> Row {
    Row { details: Some(Details { name: name.into(), tag: "t".into() }), ..row(id, State::Stored) }
}

#[test]
fn a_mark_does_not_pass_to_another_plant_of_the_same_id() {
    let mut model = model();
    update(&mut model, window(&[called(7, "Fern"), called(8, "Ivy"), called(9, "Moss")]));
    press(&mut model, "   ");
    asked_to_delete(&mut model, &[called(7, "Somebody's orchid"), called(8, "Ivy"), called(9, "Moss")]);
    assert_eq!(dialog(&model).deletes(), Some([8, 9].map(PlantId).as_slice()));
    assert!(dialog(&model).lines.iter().any(|line| line.starts_with("1 of the marked are left out")));
    // The dialog learns what happens while it is open, and marks the safe answer again.
    press(&mut model, "<tab>");
    let effects = update(&mut model, Msg::JournalChanged);
    let plants = [8, 9].map(PlantId).to_vec();
    assert!(effects.contains(&Effect::FindToDelete(plants.clone())), "{effects:?}");
    update(&mut model, Msg::ToDelete(plants, Ok(vec![called(9, "Moss")])));
    assert_eq!((dialog(&model).title.as_str(), dialog(&model).marked), ("Delete Moss (9)?", 0));
    press(&mut model, "<esc>");
    asked_to_delete(&mut model, &[]);
    assert!(model.overlay.is_none() && model.table.marked.is_empty());
}

#[test]
fn a_second_batch_joins_the_first_and_nothing_is_deleted_twice() {
    let mut model = model();
    let rows = [1, 2, 3, 4].map(|id| row(id, State::Stored));
    update(&mut model, window(&rows));
    press(&mut model, "  ");
    asked_to_delete(&mut model, &rows[..2]);
    let first = sent(&press(&mut model, "<tab><enter>"));
    press(&mut model, "  ");
    asked_to_delete(&mut model, &rows[2..]);
    let second = sent(&press(&mut model, "<tab><enter>"));
    for operation in first.iter().chain(&second) {
        update(&mut model, answered(operation, 404));
    }
    assert!(model.overlay.is_none());
    assert!(model.happened.as_ref().unwrap().text.starts_with("Of 4 plants: 0 deleted, 4 rejected"));
    // A marked plant whose delete is out is not asked about again.
    update(&mut model, window(&rows));
    press(&mut model, "<home> ");
    asked_to_delete(&mut model, &[row(1, State::Deleting)]);
    assert!(model.overlay.is_none());
}

#[test]
fn what_a_batch_did_not_send_goes_out_on_one_key() {
    let mut model = Model::new(facts(), KeyTable::default(), false);
    let _ = model.begin(Vec::new());
    press(&mut model, "<esc>");
    let rows = [row(1, State::Stored), row(2, State::Stored)];
    update(&mut model, window(&rows));
    press(&mut model, "  ");
    asked_to_delete(&mut model, &rows);
    assert_eq!(sent(&press(&mut model, "<tab><enter>")), []);
    press(&mut model, "<esc>");
    let told = &model.happened.as_ref().unwrap().text;
    assert!(told.starts_with("Of 2 plants: 0 deleted, 0 rejected, 0 unknown, 2 not sent."), "{told}");
    assert_eq!(model.unsent.len(), 2);
}

#[test]
fn all_that_the_filter_shows_is_marked_and_nothing_that_it_showed_before() {
    let mut model = model();
    update(&mut model, window(&[called(7, "Fern"), called(8, "Ivy")]));
    press(&mut model, "/fern<enter>M/<c-u>ivy<enter>");
    update(&mut model, Msg::Fitting("fern".into(), Ok(vec![called(7, "Fern")])));
    assert!(model.table.marked.is_empty());
    press(&mut model, "MM");
    update(&mut model, Msg::Fitting("ivy".into(), Ok(vec![called(8, "Ivy")])));
    assert!(model.table.marked.is_empty(), "the second M took it back");
    press(&mut model, "M");
    update(&mut model, Msg::Fitting("ivy".into(), Ok(vec![called(8, "Ivy")])));
    assert_eq!(model.table.marked.keys().collect::<Vec<_>>(), [&PlantId(8)]);
}

#[test]
fn nothing_opens_by_itself_and_no_filter_is_typed_into_by_accident() {
    let mut model = model();
    update(&mut model, window(&[]));
    press(&mut model, "2<enter>");
    arrives(&mut model, request(LogAnchor::Newest), log(std::iter::empty(), false, false));
    update(&mut model, Msg::JournalChanged);
    arrives(&mut model, request(LogAnchor::Newest), log([4].into_iter(), false, false));
    update(&mut model, Msg::Inspected(4, Ok(Some(Box::new(kept(4))))));
    assert!(model.overlay.is_none());
    press(&mut model, "1/fe");
    update(&mut model, Msg::Clicked(Target::Action(Room::Exchanges.action())));
    assert!(!model.filtering);
    assert_eq!(press(&mut model, "q"), [Effect::Quit]);
}

#[test]
fn the_neighbour_of_a_plant_that_left_is_found_outside_the_rows_at_hand() {
    let mut model = model();
    let sorted = |model: &mut Model, first: usize, ids: std::ops::Range<i64>| {
        let rows: Vec<_> = ids.map(|id| row(id, State::Stored)).collect();
        let Msg::Window(_, Ok(told)) = window(&rows) else { unreachable!("it is a window") };
        let request = WindowRequest { arrangement: model.table.arrangement(), ..around(None) };
        update(model, Msg::Window(Box::new(request), Ok(Window { first, total: 9_000, ..told })))
    };
    press(&mut model, "s");
    sorted(&mut model, 4_800, 4_800..5_200);
    update(&mut model, Msg::Clicked(Target::Plant(PlantId(5_000))));
    // It is gone, so the journal tells the first rows.
    let effects = sorted(&mut model, 0, 0..400);
    let back =
        effects.iter().any(|effect| matches!(effect, Effect::Load(WindowRequest { anchor: Anchor::Index(_), .. })));
    assert!(back, "{effects:?}");
    sorted(&mut model, 4_800, 4_801..5_201);
    assert_eq!(model.table.selected, Some(PlantId(5_001)));
}

#[test]
fn quitting_asks_while_something_of_this_session_is_in_doubt() {
    let mut model = model();
    update(&mut model, window(&[row(9, State::Unknown)]));
    assert_eq!(press(&mut model, "q"), [Effect::Quit], "that doubt is of another session");
    let operation = sent(&press(&mut model, "aFern<tab><tab>t<enter>"))[0].clone();
    update(&mut model, failed(&operation, FailureKind::TimedOut));
    assert_eq!(press(&mut model, "q"), []);
    assert!(dialog(&model).lines[0].contains("unknown since this session"), "{:?}", dialog(&model).lines);
    press(&mut model, "<enter>");
    update(&mut model, Msg::Settled(operation.ask.plant_id(), Settlement::Forget, Ok(())));
    assert_eq!(press(&mut model, "q"), [Effect::Quit]);
}

#[test]
fn what_was_said_a_while_ago_makes_room_at_the_next_key() {
    let mut model = model();
    update(&mut model, Msg::Now(Timestamp(1_000)));
    press(&mut model, "r");
    assert!(model.happened.is_some());
    update(&mut model, Msg::Now(Timestamp(3_000)));
    press(&mut model, "<down>");
    assert!(model.happened.is_some());
    update(&mut model, Msg::Now(Timestamp(3_001)));
    press(&mut model, "<down>");
    assert!(model.happened.is_none());
    // How an operation ended stays longer.
    let operation = sent(&press(&mut model, "aFern<tab><tab>t<enter>"))[0].clone();
    update(&mut model, answered(&operation, 201));
    update(&mut model, Msg::Now(Timestamp(13_001)));
    press(&mut model, "<down>");
    assert!(model.happened.is_some());
    update(&mut model, Msg::Now(Timestamp(13_002)));
    press(&mut model, "<down>");
    assert!(model.happened.is_none());
}

#[test]
fn the_palette_does_what_a_key_would_in_the_room_it_belongs_to() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored)]));
    press(&mut model, ":its own");
    let Some(Overlay::Palette(palette)) = &model.overlay else { unreachable!("it is open") };
    assert!(model.offers(palette).is_empty());
    press(&mut model, "<c-u>next outcome");
    press(&mut model, "<enter>");
    assert_eq!((model.room, model.log.outcome), (Room::Exchanges, Some(Outcome::Accepted)));
    press(&mut model, ":delete marked<enter>");
    assert_eq!(model.room, Room::Plants);
    assert_eq!(dialog(&model).title, "Delete plant 7 (7)?");
    // What does nothing now says why, there as here.
    press(&mut model, "<esc>:resolve");
    let Some(Overlay::Palette(palette)) = &model.overlay else { unreachable!("it is open") };
    assert_eq!(model.offers(palette)[0].unavailable, Some("nothing is unknown"));
}

#[test]
fn every_action_of_the_rooms_is_in_the_palette() {
    let model = model();
    let offered: Vec<_> =
        model.offers(&crate::app::palette::Palette::default()).iter().map(|offer| offer.binding.name).collect();
    for scope in [Scope::Room, Scope::Operations, Scope::Plants, Scope::Exchanges, Scope::Exchange, Scope::Everywhere] {
        for binding in model.keys.of(scope).filter(|binding| binding.name != "palette") {
            assert!(offered.contains(&binding.name), "{}", binding.name);
        }
    }
}

#[test]
fn read_only_lets_everything_be_seen_and_nothing_be_sent() {
    let mut model = Model::new(Facts { read_only: true, ..facts() }, KeyTable::default(), false);
    let _ = model.begin(Vec::new());
    update(&mut model, window(&[row(7, State::Stored)]));
    for key in ["a", "d", "D", "b"] {
        assert_eq!(press(&mut model, key), []);
        assert!(model.overlay.is_none());
        assert!(model.happened.as_ref().unwrap().text.contains("read-only"), "{key}");
    }
    press(&mut model, "  ");
    assert!(press(&mut model, "d").is_empty() && model.overlay.is_none());
    assert!(!press(&mut model, "2").is_empty());
}
