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

fn kept(place: i64) -> Kept {
    let operation = Operation {
        id: OperationId { origin: 1, number: 1 },
        ask: Ask::Delete(PlantId(place)),
        asked_at: Timestamp(0),
    };
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
    press(&mut model, "d<tab>");
    let asked = sent(&press(&mut model, "<enter>"));
    assert_eq!(
        asked.iter().map(|operation| operation.ask.clone()).collect::<Vec<_>>(),
        [1, 2].map(|id| Ask::Delete(PlantId(id)))
    );
    assert!(model.table.marked.is_empty());
    // One of them is refused: no dialog opens for it, the sum tells.
    update(&mut model, answered(&asked[0], 404));
    assert!(model.overlay.is_none());
    assert!(model.happened.as_ref().unwrap().text.starts_with("Deleting 2 plants: 0 deleted, 1 refused"));
    update(&mut model, failed(&asked[1], FailureKind::TimedOut));
    let told = &model.happened.as_ref().unwrap().text;
    assert_eq!(told, "Of 2 plants: 0 deleted, 1 refused, 1 unknown, 0 not sent. u settles what is unknown.");
    assert!(model.batch.is_none());
}

#[test]
fn a_batch_that_waits_for_a_token_ends_with_it() {
    let mut model = model();
    update(&mut model, window(&[row(1, State::Stored), row(2, State::Stored)]));
    let asked = sent(&press(&mut model, "  d<tab><enter>"));
    for operation in &asked {
        update(&mut model, answered(operation, 401));
    }
    let Some(Overlay::Token(prompt)) = &model.overlay else { unreachable!("a token is asked for, once") };
    assert_eq!((prompt.waiting.len(), model.later.len()), (2, 0));
    assert_eq!(sent(&press(&mut model, "better<enter>")).len(), 2);
}

#[test]
fn quitting_asks_while_something_of_this_session_is_in_doubt() {
    let mut model = model();
    update(&mut model, window(&[row(9, State::Unknown)]));
    assert_eq!(press(&mut model, "q"), [Effect::Quit], "that doubt is of another session");
    let operation = sent(&press(&mut model, "aFern<enter>"))[0].clone();
    update(&mut model, failed(&operation, FailureKind::TimedOut));
    assert_eq!(press(&mut model, "q"), []);
    assert!(dialog(&model).lines[0].contains("in doubt since this session"), "{:?}", dialog(&model).lines);
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
    update(&mut model, Msg::Now(Timestamp(11_000)));
    press(&mut model, "<down>");
    assert!(model.happened.is_some());
    update(&mut model, Msg::Now(Timestamp(11_001)));
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
    press(&mut model, "<esc>:settle");
    let Some(Overlay::Palette(palette)) = &model.overlay else { unreachable!("it is open") };
    assert_eq!(model.offers(palette)[0].unavailable, Some("nothing is in doubt"));
}

#[test]
fn every_action_of_the_rooms_is_in_the_palette() {
    let model = model();
    let offered: Vec<_> =
        model.offers(&crate::app::palette::Palette::default()).iter().map(|offer| offer.binding.name).collect();
    for scope in [Scope::Room, Scope::Plants, Scope::Exchanges, Scope::Exchange, Scope::Everywhere] {
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
