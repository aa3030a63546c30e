//! Message scripts against `update`: what a person would see, and the exact effects.

mod check;
mod connection;
mod forms;
mod import;
mod random;
mod resolving;
mod samples;
mod seen;
mod tabs;

use std::time::Duration;

use jiff::tz::TimeZone;

use super::draft::Draft;
use super::input::key::script;
use super::input::{Keymap, Scope};
use super::message::{FrameLayout, StoreInfo};
use super::question::{Act, Question};
use super::{App, Effect, Msg};
use crate::domain::{
    BodyEnd, Details, Ending, Exchange, Failure, FailureKind, Operation, OperationId, OperationKind, Outcome, Phases,
    Plant, PlantId, Resolution, Response, Row, State, Timestamp, UnknownOperation, Unlisted, UnlistedReason,
};
use crate::journal::{Anchor, Arrangement, JournalError, PlantHistory, Tally, Window, WindowRequest};
use crate::worker::{Ended, Report};

use seen::{dialog, title};

fn info() -> StoreInfo {
    StoreInfo {
        store: "http://127.0.0.1:4000/api".parse().unwrap(),
        demo: false,
        profile: None,
        header_color: None,
        read_only: false,
        timeout: Duration::from_secs(30),
        zone: TimeZone::UTC,
        origin: 1,
    }
}

fn new_app() -> App {
    let mut app = App::new(info(), Keymap::default(), true);
    let _ = app.begin(Vec::new());
    app
}

/// Presses keys one after the other, each after the frame that the one before led to.
fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for key in script(keys).unwrap() {
        show(app);
        effects.extend(app.update(Msg::Key(key)));
    }
    effects
}

/// Presses keys before any of them shows.
fn press_at_once(app: &mut App, keys: &str) -> Vec<Effect> {
    script(keys).unwrap().into_iter().flat_map(|key| app.update(Msg::Key(key))).collect()
}

/// Draws a frame, where that matters.
fn show(app: &mut App) {
    if app.awaits_frame() {
        let layout = app.cx.display.layout;
        app.update(Msg::Drawn(layout));
    }
}

fn row(id: i64, state: State) -> Row {
    let details = Some(Details { name: format!("plant {id}"), tag: "t".into() });
    Row { id: PlantId(id), details, state, changed_at: Timestamp(0) }
}

/// What a program with this number as its origin left unknown.
fn doubt(origin: u64, kind: OperationKind) -> UnknownOperation {
    UnknownOperation { operation: OperationId { origin, number: 1 }, kind }
}

/// What the journal tells of a plant; unknown is its delete, asked by this origin.
fn told(id: i64, state: State, origin: Option<u64>) -> Msg {
    let unknown = origin.map(|origin| doubt(origin, OperationKind::Delete(PlantId(id))));
    Msg::PlantHistory(
        PlantId(id),
        Ok(Box::new(PlantHistory { row: Some(row(id, state)), unknown, exchanges: Vec::new() })),
    )
}

fn doubts(ids: &[i64]) -> Msg {
    Msg::Unknown(Ok(ids.iter().map(|id| row(*id, State::Unknown)).collect()))
}

fn window(rows: &[Row]) -> Msg {
    let mut tally = Tally::default();
    for row in rows {
        match row.state {
            State::Stored => tally.stored += 1,
            State::Unknown => tally.unknown += 1,
            State::Adding => tally.adding += 1,
            State::Deleting => tally.deleting += 1,
        }
    }
    let next_id = PlantId(rows.iter().map(|row| row.id.0).max().unwrap_or(0) + 1);
    let window = Window { rows: rows.to_vec(), first: 0, total: rows.len(), tally, next_id, late: None };
    Msg::Window(Box::new(around(None)), Ok(window))
}

/// The question for the rows around a plant, or for the first ones.
fn around(plant: Option<i64>) -> WindowRequest {
    let anchor = plant.map_or(Anchor::Top, |id| Anchor::Around(PlantId(id)));
    WindowRequest { anchor, rows: 400, arrangement: Arrangement::default() }
}

fn sent(effects: &[Effect]) -> Vec<Operation> {
    let operation = |effect: &Effect| if let Effect::Send(operation) = effect { Some(operation.clone()) } else { None };
    effects.iter().filter_map(operation).collect()
}

fn responded(operation: &Operation, status: u16) -> Msg {
    let response = Response {
        status,
        reason: String::new(),
        version: "HTTP/1.1".into(),
        headers: Vec::new(),
        body: b"no \x1b[2J".to_vec(),
        body_end: BodyEnd::Complete,
    };
    ended(operation, Ending::Responded(response))
}

fn failed(operation: &Operation, kind: FailureKind) -> Msg {
    ended(operation, Ending::Failed(Failure { kind, detail: String::new() }))
}

fn ended(operation: &Operation, ending: Ending) -> Msg {
    let exchange = Exchange {
        operation: operation.clone(),
        request: None,
        ending,
        started: Timestamp(0),
        elapsed: Duration::ZERO,
        phases: Phases::default(),
    };
    Msg::Report(Box::new(Report::Ended(Box::new(Ended {
        exchange,
        recorded: Ok(()),
        token: 0,
        row: None,
        unknown: None,
    }))))
}

/// What is typed into the add form in front.
#[track_caller]
fn draft(app: &App) -> &Draft {
    app.draft().expect("an add form is in front")
}

/// The question in front.
#[track_caller]
fn question(app: &App) -> &Question {
    app.question().expect("a question is in front")
}

/// What Enter does in the question in front.
#[track_caller]
fn chosen(app: &App) -> Act {
    let Question { choices: responses, marked, .. } = question(app);
    responses[*marked].act.clone()
}

/// The status message, if there is one.
fn message(app: &App) -> Option<&str> {
    app.cx.out.status.message.as_ref().map(|message| message.text.as_str())
}

/// What the status message says; nothing where there is none.
fn said(app: &App) -> &str {
    message(app).unwrap_or_default()
}

#[test]
fn a_form_sends_exactly_what_was_typed_and_closes_at_once() {
    let mut app = new_app();
    let effects = press(&mut app, "aMonstera<tab><tab>tropical<enter>");
    let operations = sent(&effects);
    let expected = Plant { name: "Monstera".into(), id: PlantId(1), tag: "tropical".into() };
    assert_eq!(operations.iter().map(|operation| &operation.kind).collect::<Vec<_>>(), [&OperationKind::Add(expected)]);
    assert!(app.cx.display.is_plain);
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(1)));
    assert_eq!(app.cx.session.pending.len(), 1);
}

#[test]
fn several_adds_can_be_out_and_ids_are_never_suggested_twice() {
    let mut app = new_app();
    let mut ids = Vec::new();
    for name in ["a", "b", "c"] {
        let effects = press(&mut app, &format!("a{name}<tab><tab>t<enter>"));
        ids.extend(sent(&effects).iter().map(|operation| operation.kind.plant_id().0));
    }
    assert_eq!(ids, [1, 2, 3]);
    assert_eq!(app.cx.session.pending.len(), 3);
}

#[test]
fn an_id_that_cannot_be_sent_is_refused_beside_its_field() {
    let mut app = new_app();
    let effects = press(&mut app, "aFern<tab><c-u>12a<tab>t<enter>");
    assert_eq!(sent(&effects), []);
    assert_eq!(draft(&app).id.text(), "12a");
    assert!(dialog(&app).below("id").contains("not a whole number"), "{:#?}", dialog(&app));
    assert_eq!(sent(&press(&mut app, "<backspace><enter>")).len(), 1);
}

#[test]
fn a_slip_is_warned_about_once_and_one_more_enter_sends_it() {
    let mut app = new_app();
    assert_eq!(sent(&press(&mut app, "a<enter>")), []);
    assert!(dialog(&app).says("once more sends it unchanged"), "{:#?}", dialog(&app));
    // A change asks anew.
    assert_eq!(sent(&press(&mut app, " <enter>")), []);
    let operations = sent(&press(&mut app, "<enter>"));
    assert_eq!(operations[0].kind.plant().unwrap().name, " ");
}

#[test]
fn an_id_already_in_the_view_is_warned_about() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(sent(&press(&mut app, "aFern<tab><c-u>7<tab>t<enter>")), []);
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn a_refused_add_brings_the_form_back_as_it_was_typed() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>shade<enter>"));
    app.update(responded(&operations[0], 409));
    let form = draft(&app);
    assert_eq!((form.name.text(), form.id.text(), form.tag.text()), ("Fern", "1", "shade"));
    assert!(form.reasons().iter().any(|line| line.contains("409")));
    assert!(form.reasons().iter().all(|line| !line.contains('\u{1b}')));
    assert_eq!(app.cx.out.status.message.as_ref().unwrap().outcome, Some(Outcome::Rejected));
}

#[test]
fn a_form_that_comes_back_never_disturbs_one_that_is_open() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    press(&mut app, "aIvy");
    app.update(responded(&operations[0], 400));
    assert_eq!(draft(&app).name.text(), "Ivy");
    press(&mut app, "<esc>");
    assert_eq!(draft(&app).name.text(), "Fern");
    press(&mut app, "<esc>a");
    assert_eq!(draft(&app).name.text(), "Fern");
    // Closed twice without a change, it is gone; what was typed before it is still there.
    press(&mut app, "<esc>a");
    assert_eq!(draft(&app).name.text(), "Ivy");
    press(&mut app, "<esc>a");
    assert_eq!(draft(&app).name.text(), "");
}

#[test]
fn a_refused_token_is_asked_for_anew_and_what_it_stopped_goes_out_with_the_next() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 401));
    assert!(title(&app).starts_with("Token for"));
    let effects = press(&mut app, "bad token<enter>");
    assert!(effects.is_empty());
    let effects = press(&mut app, "<c-u>Bearer good<enter>");
    assert!(effects.contains(&Effect::UseToken(crate::client::Token::new("good").unwrap())));
    assert_eq!(sent(&effects)[0].kind, operations[0].kind);
}

#[test]
fn a_late_refusal_of_the_token_before_does_not_ask_for_another() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>aIvy<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 401));
    press(&mut app, "good<enter>");
    app.update(responded(&operations[1], 401));
    let form = draft(&app);
    assert_eq!(form.name.text(), "Ivy");
    assert!(form.reasons().iter().any(|line| line.contains("had before")));
}

#[test]
fn giving_no_other_token_brings_the_form_back() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 403));
    press(&mut app, "<esc>");
    assert_eq!(draft(&app).name.text(), "Fern");
}

#[test]
fn without_a_token_nothing_is_sent_and_it_is_asked_for() {
    let mut app = App::new(info(), Keymap::default(), false);
    let _ = app.begin(Vec::new());
    assert!(title(&app).starts_with("Token for"));
    assert_eq!(sent(&press(&mut app, "<esc>aFern<tab><tab>t<enter>")), []);
    let effects = press(&mut app, "secret<enter>");
    assert_eq!(sent(&effects).len(), 1);
}

#[test]
fn what_was_not_sent_goes_out_again_on_one_key() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(failed(&operations[0], FailureKind::NotConnected));
    assert_eq!(app.cx.session.unsent, [operations[0].kind.clone()]);
    let again = sent(&press(&mut app, "r"));
    assert_eq!(again[0].kind, operations[0].kind);
    assert_ne!(again[0].id, operations[0].id);
    assert_eq!(app.cx.session.unsent, []);
}

#[test]
fn the_delete_dialog_names_everything_and_marks_the_safe_response() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d");
    let text = format!("{:?}", question(&app));
    for part in ["plant 7 (7)", "http://127.0.0.1:4000/api"] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(chosen(&app), Act::Leave);
    assert_eq!(sent(&press(&mut app, "<enter>")), []);
    let operations = sent(&press(&mut app, "d<tab><enter>"));
    assert_eq!(operations[0].kind, OperationKind::Delete(PlantId(7)));
}

#[test]
fn any_id_can_be_deleted_also_one_that_is_not_in_the_view() {
    let mut app = new_app();
    let effects = press(&mut app, "D-9<enter>");
    assert!(effects.contains(&Effect::LoadPlantHistory(PlantId(-9))));
    app.update(Msg::PlantHistory(
        PlantId(-9),
        Ok(Box::new(PlantHistory { row: None, unknown: None, exchanges: Vec::new() })),
    ));
    assert!(dialog(&app).says("not in the list"));
    assert_eq!(sent(&press(&mut app, "<tab><enter>"))[0].kind, OperationKind::Delete(PlantId(-9)));
}

#[test]
fn a_404_on_delete_offers_to_forget_and_says_what_else_it_can_mean() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut app, "d<tab><enter>"));
    let Msg::Report(mut report) = responded(&operations[0], 404) else { unreachable!() };
    let Report::Ended(ended) = report.as_mut() else { unreachable!() };
    ended.row = Some(row(7, State::Stored));
    app.update(Msg::Report(report));
    assert!(dialog(&app).says("wrong base URL"));
    let effects = press(&mut app, "<tab><enter>");
    assert!(effects.contains(&Effect::Resolve(PlantId(7), None, Resolution::Forget)));
}

#[test]
fn what_joins_behind_the_list_of_unsent_is_not_lost_with_it() {
    for response in ["<tab><enter>", "<tab><tab><enter>"] {
        let mut app = new_app();
        let mut last = Vec::new();
        for name in ["Fern", "Ivy", "Moss"] {
            last = sent(&press(&mut app, &format!("a{name}<tab><tab>t<enter>")));
            if name != "Moss" {
                app.update(failed(&last[0], FailureKind::NotConnected));
            }
        }
        press(&mut app, "r");
        app.update(failed(&last[0], FailureKind::NotConnected));
        press(&mut app, response);
        assert_eq!(app.cx.session.unsent, [last[0].kind.clone()]);
    }
}

#[test]
fn escape_cancels_what_is_in_flight_for_the_selected_plant_only() {
    let mut app = new_app();
    let first = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    let second = sent(&press(&mut app, "aIvy<tab><tab>t<enter>"));
    app.update(window(&[row(1, State::Adding), row(2, State::Adding)]));
    assert_eq!(press(&mut app, "<esc>").first(), Some(&Effect::Cancel(second[0].id)));
    assert_eq!(press(&mut app, "<up><esc>").last(), Some(&Effect::Cancel(first[0].id)));
}

#[test]
fn ctrl_c_first_closes_then_cancels_then_quits() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>aIvy");
    assert_eq!(press(&mut app, "<c-c>"), []);
    assert_eq!((app.cx.display.is_plain, app.cx.session.drafts.len()), (true, 1));
    assert_eq!(press(&mut app, "<c-c>"), [Effect::CancelAll]);
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
}

#[test]
fn nothing_but_the_end_is_heard_while_the_terminal_is_too_small() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    app.update(Msg::Drawn(FrameLayout { too_small: true, ..FrameLayout::default() }));
    assert_eq!(sent(&press(&mut app, "d<tab><enter>a")), []);
    app.update(Msg::Paste("x".into()));
    assert!(app.cx.display.is_plain);
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
}

#[test]
fn a_form_that_came_back_is_not_sent_again_by_a_stray_enter() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    press(&mut app, "aIvy<tab><tab>t");
    app.update(responded(&operations[0], 400));
    // A double Enter: the second one meets the form that waited behind the first.
    assert_eq!(sent(&press(&mut app, "<enter><enter>")).len(), 1);
    assert_eq!(draft(&app).name.text(), "Fern");
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn what_was_not_sent_is_forgotten_when_its_plant_is_asked_for_anew() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(failed(&operations[0], FailureKind::NotConnected));
    press(&mut app, "aFern<tab><c-u>1<tab>t<enter>");
    assert_eq!(app.cx.session.unsent, []);
}

#[test]
fn several_that_were_not_sent_are_shown_before_they_go_out() {
    let mut app = new_app();
    for name in ["Fern", "Ivy"] {
        let operations = sent(&press(&mut app, &format!("a{name}<tab><tab>t<enter>")));
        app.update(failed(&operations[0], FailureKind::NotConnected));
    }
    assert_eq!(sent(&press(&mut app, "r")), []);
    assert!(dialog(&app).says("Ivy (2)"));
    assert_eq!(sent(&press(&mut app, "<tab><enter>")).len(), 2);
    assert_eq!(app.cx.session.unsent, []);
}

#[test]
fn a_story_that_cannot_be_read_is_asked_for_once() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(app.update(Msg::PlantHistory(PlantId(7), Err("damaged".into()))), []);
    assert_eq!(app.update(Msg::Tick), []);
    assert_eq!(app.cx.out.status.notices.len(), 1);
    assert!(app.update(window(&[row(7, State::Stored)])).contains(&Effect::LoadPlantHistory(PlantId(7))));
}

#[test]
fn a_question_about_a_plant_is_dropped_when_the_plant_is_asked_for_anew() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut app, "d<tab><enter>"));
    press(&mut app, "aFern<tab><c-u>7");
    let Msg::Report(mut report) = responded(&operations[0], 404) else { unreachable!() };
    let Report::Ended(ended) = report.as_mut() else { unreachable!() };
    ended.row = Some(row(7, State::Stored));
    app.update(Msg::Report(report));
    assert_eq!(app.waiting(), 1);
    press(&mut app, "<enter><enter>");
    assert!(app.cx.display.is_plain);
}

#[test]
fn the_delete_dialog_waits_for_enter() {
    let mut app = new_app();
    press(&mut app, "D7");
    let plant_history = || PlantHistory { row: None, unknown: None, exchanges: Vec::new() };
    app.update(Msg::PlantHistory(PlantId(7), Ok(Box::new(plant_history()))));
    assert_eq!(title(&app), "Delete by id");
    press(&mut app, "<enter>5");
    app.update(Msg::PlantHistory(PlantId(7), Ok(Box::new(plant_history()))));
    assert_eq!(title(&app), "Delete by id");
}

#[test]
fn quitting_asks_only_where_something_would_be_lost() {
    let mut quiet = new_app();
    assert_eq!(press(&mut quiet, "q"), [Effect::Quit]);
    // Something typed and not sent would be lost, too.
    let mut typed = new_app();
    assert!(!press(&mut typed, "aFern<esc>q").contains(&Effect::Quit));
    assert!(format!("{:?}", dialog(&typed)).contains("1 form is filled in"));
    let mut busy = new_app();
    press(&mut busy, "aFern<tab><tab>t<enter>");
    assert_eq!(press(&mut busy, "q<enter>"), []);
    assert_eq!(press(&mut busy, "q<tab><enter>"), [Effect::Quit]);
}

#[test]
fn a_paste_presses_no_keys_and_lands_in_a_field_to_the_letter() {
    let mut app = new_app();
    assert_eq!(app.update(Msg::Paste("q\n".into())), []);
    assert!(app.cx.display.is_plain);
    press(&mut app, "a");
    // All of it, but the end of the line that it was copied with.
    app.update(Msg::Paste("\u{1b}[2J\nx \r\n".into()));
    assert_eq!(draft(&app).name.text(), "\u{1b}[2J\nx ");
}

#[test]
fn read_only_sends_nothing_and_says_so() {
    let mut app = App::new(StoreInfo { read_only: true, ..info() }, Keymap::default(), false);
    let _ = app.begin(Vec::new());
    app.update(window(&[row(7, State::Unknown)]));
    for key in ["a", "d", "D", "r"] {
        assert_eq!(sent(&press(&mut app, key)), []);
        assert!(app.cx.display.is_plain);
        assert!(said(&app).contains("read-only"));
    }
}

#[test]
fn the_death_of_the_worker_is_told_and_nothing_more_is_sent() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>");
    app.update(Msg::WorkerDied("boom".into()));
    assert!(
        app.cx.out.status.notices[0].text.contains("boom") && app.cx.out.status.notices[0].text.contains("plant 1")
    );
    assert_eq!(app.cx.session.pending, []);
    assert_eq!(sent(&press(&mut app, "a")), []);
    assert!(app.cx.display.is_plain);
}

#[test]
fn a_form_that_was_open_when_the_worker_died_comes_back() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t");
    app.update(Msg::WorkerDied("boom".into()));
    assert_eq!(sent(&press(&mut app, "<enter>")), []);
    assert_eq!((draft(&app).name.text(), app.cx.session.pending.len()), ("Fern", 0));
    assert!(draft(&app).reasons()[0].contains("has died"));
}

#[test]
fn the_system_can_end_the_program_whatever_is_open() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>a");
    assert_eq!(app.update(Msg::Terminate), [Effect::Quit]);
}

#[test]
fn what_left_the_view_is_found_looked_at_and_added_anew() {
    let mut app = new_app();
    let unlisted = |name: &str, id: i64, how| Unlisted {
        plant: Plant { name: name.into(), id: PlantId(id), tag: "t".into() },
        how,
        at: Timestamp(0),
    };
    let fern = unlisted("Fern", 7, UnlistedReason::Deleted);
    assert!(press(&mut app, "b").contains(&Effect::FindUnlisted(String::new())));
    // Nothing to take yet; and one search at a time.
    assert_eq!(press(&mut app, "<enter>fe"), []);
    // A response to what was typed before comes too late.
    let ivy = unlisted("Ivy", 1, UnlistedReason::Rejected);
    assert_eq!(app.update(Msg::Unlisted(String::new(), Ok(vec![ivy]))), [Effect::FindUnlisted("fe".into())]);
    assert_eq!(press(&mut app, "<enter>"), []);
    let found = vec![unlisted("Coffee", 2, UnlistedReason::NotSent), fern.clone()];
    assert_eq!(app.update(Msg::Unlisted("fe".into(), Ok(found))), []);
    press(&mut app, "<down><down><down><enter>");
    assert_eq!(draft(&app).plant(), Some(fern.plant.clone()));
    // It was looked at, and nothing was typed: nothing is kept.
    press(&mut app, "<esc>");
    assert!(app.cx.display.is_plain && app.cx.session.drafts.is_empty());

    press(&mut app, "b");
    app.update(Msg::Unlisted(String::new(), Ok(vec![fern.clone()])));
    press(&mut app, "<enter>");
    let effects = press(&mut app, "<enter>");
    assert_eq!(sent(&effects)[0].kind, OperationKind::Add(fern.plant));
}

#[test]
fn what_others_change_is_read_again_once_however_often_it_is_told() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(app.update(Msg::JournalChanged), [Effect::Load(around(Some(7)))]);
    assert_eq!(app.update(Msg::JournalChanged), []);
    let effects = app.update(window(&[row(7, State::Deleting)]));
    assert_eq!(effects, [Effect::Load(around(Some(7))), Effect::LoadPlantHistory(PlantId(7))]);
}

#[test]
fn what_is_open_is_asked_about_when_others_change_the_journal() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "aFern<tab><c-u>12");
    assert!(app.update(Msg::JournalChanged).contains(&Effect::LoadPlantHistory(PlantId(12))));
    press(&mut app, "<esc>d");
    assert!(app.update(Msg::JournalChanged).contains(&Effect::LoadPlantHistory(PlantId(7))));
}

fn told_of(row: Option<Row>) -> Msg {
    Msg::PlantHistory(PlantId(7), Ok(Box::new(PlantHistory { row, unknown: None, exchanges: Vec::new() })))
}

#[test]
fn a_delete_dialog_marks_the_safe_response_again_only_where_its_plant_changed() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d<tab>");
    app.update(told_of(Some(row(7, State::Deleting))));
    assert_eq!(question(&app).marked, 1);
    app.update(told_of(None));
    assert_eq!((question(&app).marked, question(&app).title.as_str()), (0, "Delete plant 7?"));
}

#[test]
fn the_last_exchange_is_copied_as_curl_and_its_response_as_text() {
    let mut app = new_app();
    let asked = press(&mut app, "aFern<tab><tab>t<enter>");
    let operation = sent(&asked)[0].clone();
    let added = Row { details: operation.kind.plant().map(Details::from), ..row(1, State::Stored) };
    app.update(window(std::slice::from_ref(&added)));
    assert_eq!(press(&mut app, "yY"), []);
    let Msg::Report(report) = responded(&operation, 409) else { unreachable!("it is a report") };
    let Report::Ended(ended) = *report else { unreachable!("it has ended") };
    let request = crate::client::request(&app.cx.session.info.store, &operation.kind);
    let exchange = Exchange { request: Some(request), ..ended.exchange };
    let plant_history = PlantHistory { row: Some(added), unknown: None, exchanges: vec![exchange] };
    app.update(Msg::PlantHistory(PlantId(1), Ok(Box::new(plant_history))));
    let copied: [Effect; 1] = press(&mut app, "y").try_into().unwrap();
    let [Effect::Copy(command)] = copied else { unreachable!("it is a copy") };
    assert!(command.starts_with("curl ") && command.contains("Bearer $PLANTS_TOKEN"), "{command}");
    let said = said(&app);
    assert!(said.contains("OSC 52") && said.contains("running it sends it again"), "{said}");
    assert_eq!(press(&mut app, "Y"), [Effect::Copy("no ␛[2J".into())]);
}
