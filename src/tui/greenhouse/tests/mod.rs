//! What the Greenhouse remembers of operations, and what its commands do.

mod drawing;

use std::sync::Arc;
use std::time::Duration;

use super::scene::Scene;
use super::*;
use crate::client::Token;
use crate::domain::filter::List;
use crate::domain::language::Id;
use crate::domain::{
    BodyEnd, Ending, Exchange, Failure, FailureKind, Operation, OperationId, Outcome, Phases, Plant, Response, State,
};
use crate::journal::PlantHistory;
use crate::tui::component::Layer as _;
use crate::tui::context::Motion;
use crate::tui::input::Keymap;
use crate::tui::message::StoreInfo;
use crate::tui::session::PendingOperation;
use crate::tui::status::StatusMessage;
use crate::tui::widgets::text_input::Typed;
use crate::worker::Report;

const NOW: Timestamp = Timestamp(10_000);

impl GreenhouseScreen {
    pub(in crate::tui) fn focus(&self) -> Option<PlantId> {
        self.focus.map(|focus| focus.id)
    }
}

/// Returns what all components share while the Greenhouse is the active tab.
fn context(rows: Vec<Row>) -> Context {
    let info = StoreInfo::of("http://127.0.0.1:4000/api".parse().unwrap());
    let mut cx = Context::new(info, Keymap::default(), Token::new("secret").ok());
    cx.out.now = NOW;
    cx.display.tab = Tab::Greenhouse;
    let window = &mut cx.session.plants.window;
    (window.total, window.tally.stored, window.rows) = (rows.len(), rows.len(), rows);
    cx
}

fn row(id: i64, name: &str, state: State) -> Row {
    let details = Some(Details { name: name.into(), tag: "shade".into() });
    Row { id: PlantId(id), details, state, changed_at: Timestamp(0), author: None }
}

fn stored(ids: std::ops::RangeInclusive<i64>) -> Vec<Row> {
    ids.map(|id| row(id, &format!("No. {id}"), State::Stored)).collect()
}

fn add(id: i64, name: &str) -> OperationKind {
    OperationKind::add(Plant { name: name.into(), id: PlantId(id), tag: "shade".into() })
}

fn operation(number: u32, kind: OperationKind) -> Operation {
    Operation::new(OperationId { origin: 1, number }, kind, NOW)
}

fn responded(status: u16) -> Ending {
    Ending::Responded(Response {
        status,
        reason: "".into(),
        version: "HTTP/1.1".into(),
        headers: Arc::default(),
        body: Vec::new(),
        body_end: BodyEnd::Complete,
    })
}

fn no_response() -> Ending {
    Ending::Failed(Failure { kind: FailureKind::NoResponse, detail: String::new() })
}

fn exchange(operation: Operation, ending: Ending) -> Exchange {
    let elapsed = Duration::from_millis(12);
    Exchange { operation, request: None, ending, started: NOW, elapsed, phases: Phases::default() }
}

/// Puts an operation in flight.
fn submit(cx: &mut Context, operation: &Operation) {
    let name = operation.kind.plant().map(|plant| plant.name.clone());
    let operation = operation.clone();
    let pending = PendingOperation { operation, name, cancelled: false, is_sample: false, of_unknown: false };
    cx.session.pending.push(pending);
}

/// Ends an operation; `row` is what the list has of its plant.
fn end(screen: &mut GreenhouseScreen, cx: &mut Context, operation: &Operation, status: u16, row: Option<Row>) {
    screen.receive(&ended(operation, status, row), cx);
}

fn ended(operation: &Operation, status: u16, row: Option<Row>) -> Msg {
    let exchange = Arc::new(exchange(operation.clone(), responded(status)));
    let ended =
        Ended { exchange, recorded: Ok(()), has_intent: true, token: None, row, unknown: None, is_proven: false };
    Msg::Report(Box::new(Report::Ended(Box::new(ended))))
}

fn focused(id: i64) -> GreenhouseScreen {
    GreenhouseScreen { focus: Some(Focus { id: PlantId(id), is_here: true }), ..GreenhouseScreen::default() }
}

/// Returns the plants that are not in the list and have a pot.
fn gone(screen: &GreenhouseScreen) -> Vec<i64> {
    screen.gone.iter().map(|gone| gone.id.0).collect()
}

/// Says something about a request on the status line.
fn say_of_a_request(cx: &mut Context) {
    cx.out.say("Added sample 2 (2).");
    cx.out.status.message.iter_mut().for_each(|message: &mut StatusMessage| message.outcome = Some(Outcome::Accepted));
}

#[test]
fn entering_shows_the_sample_of_the_message_unless_a_person_is_occupied_with_something_else() {
    struct Case {
        selected: i64,
        is_said: bool,
        is_pending: bool,
        is_attended: bool,
        shown: (i64, Option<i64>),
    }
    let cases = [
        Case { selected: 1, is_said: true, is_pending: false, is_attended: false, shown: (2, Some(2)) },
        // Another row than the first one is selected.
        Case { selected: 3, is_said: true, is_pending: false, is_attended: false, shown: (3, None) },
        Case { selected: 1, is_said: false, is_pending: false, is_attended: false, shown: (1, None) },
        Case { selected: 3, is_said: false, is_pending: true, is_attended: false, shown: (2, Some(2)) },
        Case { selected: 3, is_said: false, is_pending: true, is_attended: true, shown: (3, None) },
        Case { selected: 2, is_said: false, is_pending: true, is_attended: true, shown: (2, Some(2)) },
    ];
    for Case { selected, is_said, is_pending, is_attended, shown } in cases {
        let mut cx = context(stored(1..=3));
        cx.session.plants.select(PlantId(selected));
        if is_said {
            say_of_a_request(&mut cx);
        }
        if is_pending {
            submit(&mut cx, &operation(1, add(2, "sample 2")));
        }
        let mut screen = GreenhouseScreen { is_attended, ..focused(2) };
        screen.enter(&mut cx);
        let now = (cx.session.plants.selected.unwrap().0, screen.focus().map(|id| id.0));
        assert_eq!(now, shown, "{selected} {is_said} {is_pending} {is_attended}");
    }
}

#[test]
fn it_moves_while_a_plant_grows() {
    let cx = &mut context(stored(1..=2));
    let mut screen = GreenhouseScreen::default();
    assert!(!screen.is_moving(cx));
    screen.grows.push((PlantId(1), NOW));
    for (after, moves) in [(0, true), (GROWTH - 1, true), (GROWTH, false)] {
        cx.out.now = Timestamp(NOW.0 + after);
        assert_eq!(screen.is_moving(cx), moves, "grows for {after} ms");
    }
}

#[test]
fn the_arrow_of_a_response_is_drawn_where_a_person_sees_it_and_no_longer_than_its_time() {
    struct Case {
        change: fn(&mut Context, &mut GreenhouseScreen),
        status: u16,
        until: i64,
    }
    let cases = [
        Case { change: |_, _| {}, status: 201, until: MESSAGE },
        Case { change: |_, _| {}, status: 409, until: MESSAGE },
        Case { change: |cx, _| cx.display.presenting = true, status: 201, until: MESSAGE * SLOWER },
        Case { change: |cx, _| cx.display.motion = Motion::Still, status: 201, until: 0 },
        Case { change: |cx, _| cx.display.tab = Tab::Plants, status: 201, until: 0 },
        Case { change: |cx, _| cx.display.has_dialog = true, status: 201, until: 0 },
        Case { change: |_, screen| screen.shows_wire = true, status: 201, until: 0 },
        Case { change: |_, screen| screen.shows = Shows::Together, status: 201, until: 0 },
        Case { change: |cx, _| cx.session.pending[0].is_sample = true, status: 201, until: 0 },
        // A person waits for another plant, and has selected it.
        Case {
            change: |cx, screen| {
                submit(cx, &operation(2, add(2, "Oak")));
                *screen = focused(2);
            },
            status: 201,
            until: 0,
        },
    ];
    for (nth, Case { change, status, until }) in cases.into_iter().enumerate() {
        let mut cx = context(stored(1..=2));
        cx.session.plants.select(PlantId(2));
        let (ivy, mut screen) = (operation(1, add(1, "Ivy")), focused(1));
        submit(&mut cx, &ivy);
        change(&mut cx, &mut screen);
        let message = ended(&ivy, status, None);
        let is_out = |cx: &mut Context, screen: &mut GreenhouseScreen, after| {
            cx.out.now = Timestamp(NOW.0 + after);
            screen.draws_arrow(&message, cx)
        };
        assert_eq!(is_out(&mut cx, &mut screen, 0), until > 0, "case {nth}");
        assert_eq!(matches!(screen.scene(&cx), Scene::Over(_, _, drawn) if drawn < WHOLE), until > 0, "case {nth}");
        assert!(!is_out(&mut cx, &mut screen, until), "case {nth}");
        assert!(until == 0 || is_out(&mut cx, &mut screen, until - 1), "case {nth}");
        screen.receive(&message, &mut cx);
        assert!(screen.arriving.is_none(), "case {nth}");
    }
}

#[test]
fn in_presentation_mode_an_animation_takes_twice_as_long() {
    let mut cx = context(Vec::new());
    let since = Timestamp(NOW.0 - 400);
    assert_eq!(passed(since, 1_600, &cx), 250);
    cx.display.presenting = true;
    assert_eq!(passed(since, 1_600, &cx), 125);
}

#[test]
fn a_plant_that_is_added_again_grows_again_and_plants_that_have_grown_are_forgotten() {
    let mut cx = context(Vec::new());
    let longest = GROWTH * SLOWER;
    let since = |millis| Timestamp(NOW.0 - millis);
    let grows = vec![(PlantId(1), since(100)), (PlantId(2), since(longest)), (PlantId(3), since(longest - 1))];
    let mut screen = GreenhouseScreen { grows, ..GreenhouseScreen::default() };
    end(&mut screen, &mut cx, &operation(1, add(1, "Fern")), 201, None);
    assert_eq!(screen.grows, [(PlantId(3), since(longest - 1)), (PlantId(1), NOW)]);
}

#[test]
fn a_rejected_plant_has_a_pot_unless_that_plant_is_in_the_list() {
    for (in_list, pots) in [(None, vec![7]), (Some("Ivy"), vec![7]), (Some("Fern"), vec![])] {
        let row = in_list.map(|name| row(7, name, State::Stored));
        let mut cx = context(row.iter().cloned().collect());
        let mut screen = focused(7);
        end(&mut screen, &mut cx, &operation(1, add(7, "Fern")), 409, row);
        assert_eq!(gone(&screen), pots, "{in_list:?}");
        assert_eq!(screen.focus.map(|focus| focus.is_here), Some(pots.is_empty()), "{in_list:?}");
    }
}

#[test]
fn an_end_takes_the_picture_unless_a_person_waits_for_the_plant_in_it() {
    let (ivy, oak) = (operation(1, add(1, "Ivy")), operation(2, add(2, "Oak")));
    for (focus, others, after) in [(2, vec![&oak], 2), (3, vec![&oak], 1), (1, vec![&oak], 1)] {
        let mut cx = context(stored(1..=3));
        cx.session.plants.select(PlantId(1));
        for operation in others.into_iter().chain([&ivy]) {
            submit(&mut cx, operation);
        }
        let mut screen = focused(focus);
        end(&mut screen, &mut cx, &ivy, 201, None);
        assert_eq!(screen.focus(), Some(PlantId(after)), "focus on {focus}");
        let last = screen.last.as_ref().unwrap();
        assert_eq!((last.exchange.operation.id, last.name.as_deref()), (ivy.id, Some("Ivy")), "focus on {focus}");
    }
}

#[test]
fn an_end_selects_its_plant_in_this_tab_alone_and_only_if_it_is_in_the_list() {
    for (tab, status, selected) in [(Tab::Greenhouse, 201, 1), (Tab::Plants, 201, 2), (Tab::Greenhouse, 409, 2)] {
        let mut cx = context(stored(1..=2));
        cx.display.tab = tab;
        cx.session.plants.select(PlantId(2));
        end(&mut focused(1), &mut cx, &operation(1, add(1, "Ivy")), status, None);
        assert_eq!(cx.session.plants.selected, Some(PlantId(selected)), "{tab:?} {status}");
    }
}

#[test]
fn the_last_exchange_is_known_after_a_person_has_selected_another_plant() {
    let mut cx = context(stored(1..=2));
    let mut screen = focused(1);
    end(&mut screen, &mut cx, &operation(1, add(1, "Ivy")), 201, None);
    cx.session.plants.select(PlantId(1));
    let shown = |screen: &GreenhouseScreen, cx: &Context| {
        let last = screen.exchange(cx)?;
        Some((last.0.operation.id.number, last.1.map(str::to_owned)))
    };
    assert_eq!(shown(&screen, &cx), Some((1, Some("No. 1".to_owned()))));
    screen.click(Target::Plant(PlantId(2)), &mut cx);
    assert_eq!(shown(&screen, &cx), None);
    assert_eq!(screen.last.as_ref().map(|last| last.exchange.operation.id.number), Some(1));
}

#[test]
fn a_plant_that_has_left_can_be_selected_again_with_its_picture() {
    let mut cx = context(stored(1..=2));
    cx.session.plants.select(PlantId(1));
    let mut screen = focused(7);
    screen.drawn(&FrameLayout { across: 2, page: 2, ..FrameLayout::default() }, &mut cx);
    end(&mut screen, &mut cx, &operation(1, add(7, "Fern")), 422, None);
    end(&mut screen, &mut cx, &operation(2, add(8, "Oak")), 409, None);
    let shown = |screen: &GreenhouseScreen, cx: &Context| {
        let status = screen.exchange(cx).and_then(|(exchange, _)| exchange.status());
        (screen.plant(cx).map(|plant| plant.0), status)
    };
    assert_eq!(shown(&screen, &cx), (Some(8), Some(409)));
    for (command, plant, status) in [
        (Command::Left, 7, Some(422)),
        (Command::Left, 2, None),
        (Command::Down, 8, Some(409)),
        (Command::First, 1, None),
        (Command::Last, 8, Some(409)),
    ] {
        screen.perform(command, &mut cx);
        assert_eq!(shown(&screen, &cx), (Some(plant), status), "{command:?}");
    }
    for (target, plant, status) in [(Target::GonePlant(PlantId(7)), 7, Some(422)), (Target::Plant(PlantId(2)), 2, None)]
    {
        screen.click(target, &mut cx);
        assert_eq!(shown(&screen, &cx), (Some(plant), status), "{target:?}");
    }
}

#[test]
fn the_last_six_plants_that_have_left_keep_their_pots() {
    let mut cx = context(Vec::new());
    let mut screen = GreenhouseScreen::default();
    for id in 1..=6 {
        end(&mut screen, &mut cx, &operation(1, add(id, "Ivy")), 422, None);
    }
    assert_eq!(gone(&screen), [1, 2, 3, 4, 5, 6]);
    end(&mut screen, &mut cx, &operation(1, add(7, "Ivy")), 422, None);
    assert_eq!(gone(&screen), [2, 3, 4, 5, 6, 7]);
}

#[test]
fn resolving_another_plant_leaves_the_picture_to_the_selected_one() {
    let mut cx = context(stored(7..=8));
    cx.session.plants.select(PlantId(7));
    let exchanges = vec![exchange(operation(1, add(7, "No. 7")), no_response())];
    let history = PlantHistory { row: cx.session.plants.row(PlantId(7)).cloned(), unknown: None, exchanges };
    cx.session.history_came(PlantId(7), Box::new(history));
    let mut screen = GreenhouseScreen::default();
    screen.receive(&Msg::Resolved(vec![PlantId(8)], Resolution::MarkStored, Ok(vec![Ok(())])), &mut cx);
    assert!(screen.last.as_ref().is_none());
    screen.receive(&Msg::Resolved(vec![PlantId(7)], Resolution::MarkStored, Ok(vec![Ok(())])), &mut cx);
    assert_eq!(screen.last.as_ref().unwrap().resolved, Some(Resolution::MarkStored));
}

#[test]
fn page_keys_scroll_a_long_request_and_otherwise_go_by_shelves() {
    let mut cx = context(stored(1..=12));
    cx.session.plants.select(PlantId(1));
    let mut screen = GreenhouseScreen { shows_wire: true, ..GreenhouseScreen::default() };
    screen.drawn(&FrameLayout { across: 1, page: 3, ..FrameLayout::default() }, &mut cx);
    cx.screen.pane.fits(40, 10);
    for (command, top) in [(Command::PageDown, 9), (Command::PageDown, 18), (Command::PageUp, 9)] {
        screen.perform(command, &mut cx);
        assert_eq!((cx.screen.pane.top, cx.session.plants.selected), (top, Some(PlantId(1))), "{command:?}");
    }
    screen.shows_wire = false;
    for (command, selected) in [(Command::PageDown, 4), (Command::PageDown, 7), (Command::PageUp, 4)] {
        screen.perform(command, &mut cx);
        assert_eq!(cx.session.plants.selected, Some(PlantId(selected)), "{command:?}");
    }
}

#[test]
fn the_wheel_selects_a_shelf_or_scrolls_the_pane_below_it() {
    let mut cx = context(stored(1..=24));
    cx.session.plants.select(PlantId(1));
    let mut screen = GreenhouseScreen::default();
    screen.drawn(&FrameLayout { across: 4, page: 2, ..FrameLayout::default() }, &mut cx);
    cx.screen.pane.fits(40, 10);
    for (down, top) in [(true, 3), (true, 6), (false, 3)] {
        screen.scroll(Target::Pane, down, &mut cx);
        assert_eq!((cx.screen.pane.top, cx.session.plants.selected), (top, Some(PlantId(1))));
    }
    for (over, down, selected) in
        [(Target::List, true, 13), (Target::Plant(PlantId(2)), true, 21), (Target::List, false, 9)]
    {
        screen.scroll(over, down, &mut cx);
        assert_eq!(cx.session.plants.selected, Some(PlantId(selected)), "{over:?} {down}");
    }
}

#[test]
fn without_an_exchange_the_picture_says_why() {
    let why = |cx: &Context| match GreenhouseScreen::default().scene(cx) {
        Scene::Nothing(why) => why,
        scene => unreachable!("{scene:?}"),
    };
    let mut cx = context(Vec::new());
    assert_eq!(why(&cx), Id::NothingSaidYet);
    cx.session.submit(add(1, "Ivy"), &mut cx.out);
    cx.session.pending.clear();
    assert_eq!(why(&cx), Id::SelectAPlant);
    let mut cx = context(stored(1..=1));
    assert_eq!(why(&cx), Id::SelectAPlant);
    cx.session.plants.select(PlantId(1));
    assert_eq!(why(&cx), Id::Reading);
}

/// Returns id and stage of each pot.
fn pots(screen: &GreenhouseScreen, cx: &Context) -> Vec<(i64, Stage)> {
    screen.shelves(9, cx).concat().iter().map(|pot| (pot.id.0, pot.stage)).collect()
}

#[test]
fn a_plant_that_may_be_gone_looks_other_than_one_that_may_not_have_come() {
    let mut cx = context(vec![row(1, "Ivy", State::Unknown), row(2, "Oak", State::Unknown)]);
    cx.session.plants.window.unknown_deletes = vec![PlantId(2)];
    assert_eq!(pots(&GreenhouseScreen::default(), &cx), [(1, Stage::Unknown), (2, Stage::UnknownDelete)]);
}

#[test]
fn a_plant_that_has_left_has_a_pot_until_its_id_is_reused_or_a_filter_is_set() {
    let mut screen = GreenhouseScreen::default();
    let mut cx = context(stored(1..=1));
    end(&mut screen, &mut cx, &operation(1, OperationKind::Delete(PlantId(7))), 204, None);
    assert_eq!(pots(&screen, &cx), [(1, Stage::Grown), (7, Stage::Deleted)]);
    let time = cx.local_time();
    cx.session.plants.filter.take(Typed::Paste("no"), List::Plants, &time);
    assert_eq!(pots(&screen, &cx), [(1, Stage::Grown)]);
    // Another plant has its id.
    let cx = context(vec![row(1, "Ivy", State::Stored), row(7, "Oak", State::Stored)]);
    assert_eq!(pots(&screen, &cx), [(1, Stage::Grown), (7, Stage::Grown)]);
}
