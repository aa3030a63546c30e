//! Scripts of messages against `update`, compared with the screen and the exact effects.

mod chart;
mod check;
mod connection;
mod filter;
mod forms;
mod frame;
mod greenhouse;
mod import;
mod input;
mod list_frame;
mod lists;
mod palette;
mod paths;
mod questions;
mod quitting;
mod random;
mod re_add;
mod reading;
mod resend;
mod resolving;
mod results;
mod runs;
mod samples;
mod sorting;
mod tabs;
mod team;
mod tour;

use std::sync::Arc;
use std::time::Duration;

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

use frame::{dialog, title};

fn info() -> StoreInfo {
    StoreInfo::plain("http://127.0.0.1:4000/api".parse().unwrap())
}

fn new_app() -> App {
    let mut app = App::new(info(), Keymap::default(), true);
    let _ = app.begin(Vec::new());
    app
}

/// Presses keys, with a frame between two keys.
fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for key in script(keys).unwrap() {
        show(app);
        effects.extend(app.update(Msg::Key(key)));
    }
    effects
}

/// Presses keys without a frame between them.
fn press_at_once(app: &mut App, keys: &str) -> Vec<Effect> {
    script(keys).unwrap().into_iter().flat_map(|key| app.update(Msg::Key(key))).collect()
}

/// Draws a frame, if the app waits for one.
fn show(app: &mut App) {
    if app.awaits_frame() {
        let layout = app.cx.display.layout;
        app.update(Msg::Drawn(layout));
    }
}

fn row(id: i64, state: State) -> Row {
    let details = Some(Details { name: format!("plant {id}"), tag: "t".into() });
    Row { id: PlantId(id), details, state, changed_at: Timestamp(0), author: None }
}

/// Returns an unknown operation of the process with this origin.
fn unknown_operation(origin: u64, kind: OperationKind) -> UnknownOperation {
    UnknownOperation { operation: OperationId { origin, number: 1 }, kind, members: vec![None] }
}

fn named(id: i64, name: &str) -> Row {
    Row { details: Some(Details { name: name.into(), tag: "t".into() }), ..row(id, State::Stored) }
}

/// Returns a plant's history; with an origin, a delete by that process is unknown.
fn history(id: i64, state: State, origin: Option<u64>) -> Msg {
    let unknown = origin.map(|origin| unknown_operation(origin, OperationKind::Delete(PlantId(id))));
    Msg::PlantHistory(
        PlantId(id),
        Ok(Box::new(PlantHistory { row: Some(row(id, state)), unknown, exchanges: Vec::new() })),
    )
}

/// Returns the history of a plant without an unknown operation.
fn history_of(id: i64, row: Option<Row>) -> Msg {
    Msg::PlantHistory(PlantId(id), Ok(Box::new(PlantHistory { row, unknown: None, exchanges: Vec::new() })))
}

fn unknown(ids: &[i64]) -> Msg {
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
    let window = Window {
        rows: rows.to_vec(),
        first: 0,
        total: rows.len(),
        tally,
        next_id,
        unknown_deletes: Vec::new(),
        late: None,
    };
    Msg::Window(Box::new(around(None)), Ok(window))
}

/// Returns the query for the rows around a plant, or for the first ones.
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
        reason: "".into(),
        version: "HTTP/1.1".into(),
        headers: Arc::default(),
        body: b"no \x1b[2J".to_vec(),
        body_end: BodyEnd::Complete,
    };
    ended(operation, Ending::Responded(response))
}

/// Returns a 404 for the delete of a plant that is in the list.
fn not_found(operation: &Operation, row: Row) -> Msg {
    let Msg::Report(mut report) = responded(operation, 404) else { unreachable!("it is a report") };
    let Report::Ended(ended) = report.as_mut() else { unreachable!("it has ended") };
    ended.row = Some(row);
    Msg::Report(report)
}

fn failed(operation: &Operation, kind: FailureKind) -> Msg {
    ended(operation, Ending::Failed(Failure { kind, detail: String::new() }))
}

fn ended(operation: &Operation, ending: Ending) -> Msg {
    let exchange = Arc::new(Exchange {
        operation: operation.clone(),
        request: None,
        ending,
        started: Timestamp(0),
        elapsed: Duration::ZERO,
        phases: Phases::default(),
    });
    Msg::Report(Box::new(Report::Ended(Box::new(Ended {
        exchange,
        recorded: Ok(()),
        token: 0,
        row: None,
        unknown: None,
    }))))
}

/// Returns the text of the add form in front.
#[track_caller]
fn draft(app: &App) -> &Draft {
    app.draft().expect("an add form is in front")
}

/// Returns the question in front.
#[track_caller]
fn question(app: &App) -> &Question {
    app.question().expect("a question is in front")
}

/// Returns what Enter does in the question in front.
#[track_caller]
fn chosen(app: &App) -> Act {
    let Question { choices: responses, marked, .. } = question(app);
    responses[*marked].act.clone()
}

/// Returns the status message, if there is one.
fn message(app: &App) -> Option<&str> {
    app.cx.out.status.message.as_ref().map(|message| message.text.as_str())
}

/// Returns the text of the status message; empty if there is none.
fn status_line(app: &App) -> &str {
    message(app).unwrap_or_default()
}

#[test]
fn an_add_form_sends_its_text_unchanged_and_closes_at_once() {
    let mut app = new_app();
    let effects = press(&mut app, "aMonstera<tab><tab>tropical<enter>");
    let operations = sent(&effects);
    let expected = Plant { name: "Monstera".into(), id: PlantId(1), tag: "tropical".into() };
    assert_eq!(operations.iter().map(|operation| &operation.kind).collect::<Vec<_>>(), [&OperationKind::add(expected)]);
    assert!(app.cx.display.is_plain);
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(1)));
    assert_eq!(app.cx.session.pending.len(), 1);
}

#[test]
fn several_adds_can_be_in_flight_and_no_id_is_suggested_twice() {
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
fn an_invalid_id_is_reported_beside_its_field() {
    let mut app = new_app();
    let effects = press(&mut app, "aFern<tab><c-u>12a<tab>t<enter>");
    assert_eq!(sent(&effects), []);
    assert_eq!(draft(&app).id.text(), "12a");
    assert!(dialog(&app).below("id").contains("not a whole number"), "{:#?}", dialog(&app));
    assert_eq!(sent(&press(&mut app, "<backspace><enter>")).len(), 1);
}

#[test]
fn a_probable_slip_is_warned_about_and_a_second_enter_sends_it() {
    let mut app = new_app();
    assert_eq!(sent(&press(&mut app, "a<enter>")), []);
    assert!(dialog(&app).says("once more sends it unchanged"), "{:#?}", dialog(&app));
    // After a change, the form warns again.
    assert_eq!(sent(&press(&mut app, " <enter>")), []);
    let operations = sent(&press(&mut app, "<enter>"));
    assert_eq!(operations[0].kind.plant().unwrap().name, " ");
}

#[test]
fn an_id_already_in_the_list_is_warned_about() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(sent(&press(&mut app, "aFern<tab><c-u>7<tab>t<enter>")), []);
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn a_rejected_add_keeps_the_form_text() {
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
fn a_reopened_form_waits_behind_an_open_one() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    press(&mut app, "aIvy");
    app.update(responded(&operations[0], 400));
    assert_eq!(draft(&app).name.text(), "Ivy");
    press(&mut app, "<esc>");
    assert_eq!(draft(&app).name.text(), "Fern");
    // What the store rejected is in the re-add list: the next form is not that one.
    press(&mut app, "<esc>");
    assert_eq!(status_line(&app), "Discarded; b adds Fern (1) again.");
    press(&mut app, "a");
    assert_eq!(draft(&app).name.text(), "Ivy");
    assert!(dialog(&app).says("You typed this before"), "{:#?}", dialog(&app));
    // A form that is closed unchanged is discarded.
    press(&mut app, "<esc>a");
    assert_eq!(draft(&app).name.text(), "");
}

#[test]
fn a_rejected_token_is_prompted_for_and_the_operation_is_sent_with_the_next_one() {
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
fn a_late_rejection_of_a_replaced_token_prompts_for_no_other() {
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
fn closing_the_token_prompt_keeps_the_form_for_the_next_add() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 403));
    press(&mut app, "<esc>");
    // No form takes the next keys.
    assert!(app.cx.display.is_plain);
    let said = status_line(&app);
    assert!(said.starts_with("Fern (1) was rejected:") && said.ends_with("given. a opens the form again."), "{said}");
    // The journal has the rejection, and the re-add list the plant.
    assert!(app.not_sent().is_empty());
    press(&mut app, "a");
    assert_eq!(draft(&app).name.text(), "Fern");
    press(&mut app, "y");
    assert_eq!(app.not_sent().len(), 1, "another name was typed");
}

#[test]
fn without_a_token_an_operation_waits_for_the_prompt() {
    let mut app = App::new(info(), Keymap::default(), false);
    let _ = app.begin(Vec::new());
    assert!(title(&app).starts_with("Token for"));
    assert_eq!(sent(&press(&mut app, "<esc>aFern<tab><tab>t<enter>")), []);
    let effects = press(&mut app, "secret<enter>");
    assert_eq!(sent(&effects).len(), 1);
}

#[test]
fn one_key_sends_an_unsent_operation_again() {
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
fn the_delete_dialog_names_plant_and_store_and_marks_the_safe_choice() {
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
    // The pane shows it while it is in flight.
    let (shown, request) = app.cx.session.request_in_flight().unwrap();
    assert_eq!((shown.operation.id, request.method.word()), (operations[0].id, "DELETE"));
}

#[test]
fn an_id_outside_the_list_can_be_deleted() {
    let mut app = new_app();
    let effects = press(&mut app, "D-9<enter>");
    assert!(effects.contains(&Effect::LoadPlantHistory(PlantId(-9))));
    app.update(history_of(-9, None));
    assert!(dialog(&app).says("not in the list"));
    assert_eq!(sent(&press(&mut app, "<tab><enter>"))[0].kind, OperationKind::Delete(PlantId(-9)));
}

#[test]
fn a_delete_with_404_offers_to_forget_and_warns_of_a_wrong_address() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut app, "d<tab><enter>"));
    app.update(not_found(&operations[0], row(7, State::Stored)));
    assert!(dialog(&app).says("wrong address"));
    let effects = press(&mut app, "<tab><enter>");
    assert!(effects.contains(&Effect::Resolve(PlantId(7), None, Resolution::Forget)));
}

#[test]
fn an_operation_that_becomes_unsent_during_the_question_is_kept() {
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
fn esc_cancels_only_the_selected_plants_operation() {
    let mut app = new_app();
    let first = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    let second = sent(&press(&mut app, "aIvy<tab><tab>t<enter>"));
    app.update(window(&[row(1, State::Adding), row(2, State::Adding)]));
    assert_eq!(press(&mut app, "<esc>").first(), Some(&Effect::Cancel(second[0].id)));
    let cancelled: Vec<_> = app.cx.session.pending.iter().map(|pending| pending.cancelled).collect();
    assert_eq!(cancelled, [false, true]);
    assert_eq!(press(&mut app, "<up><esc>").last(), Some(&Effect::Cancel(first[0].id)));
}

#[test]
fn ctrl_c_closes_then_cancels_then_quits() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>aIvy");
    assert_eq!(press(&mut app, "<c-c>"), []);
    assert_eq!((app.cx.display.is_plain, app.cx.session.drafts.len()), (true, 1));
    assert_eq!(press(&mut app, "<c-c>"), [Effect::CancelAll]);
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
}

#[test]
fn a_terminal_that_is_too_small_ignores_all_commands_but_quitting() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    app.update(Msg::Drawn(FrameLayout { too_small: true, ..FrameLayout::default() }));
    assert_eq!(sent(&press(&mut app, "d<tab><enter>a")), []);
    app.update(Msg::Paste("x".into()));
    assert!(app.cx.display.is_plain);
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
}

#[test]
fn a_double_enter_does_not_send_a_reopened_form() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    press(&mut app, "aIvy<tab><tab>t");
    app.update(responded(&operations[0], 400));
    // The second Enter comes to the form behind the first one.
    assert_eq!(sent(&press(&mut app, "<enter><enter>")).len(), 1);
    assert_eq!(draft(&app).name.text(), "Fern");
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn a_new_operation_replaces_the_unsent_one_of_its_plant() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(failed(&operations[0], FailureKind::NotConnected));
    press(&mut app, "aFern<tab><c-u>1<tab>t<enter>");
    assert_eq!(app.cx.session.unsent, []);
}

#[test]
fn several_unsent_operations_are_listed_before_they_are_sent() {
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
fn a_history_that_cannot_be_read_is_not_loaded_again_at_once() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(app.update(Msg::PlantHistory(PlantId(7), Err("damaged".into()))), []);
    assert_eq!(app.update(Msg::Tick), []);
    assert_eq!(app.cx.out.status.notices.len(), 1);
    assert!(app.update(window(&[row(7, State::Stored)])).contains(&Effect::LoadPlantHistory(PlantId(7))));
}

#[test]
fn a_new_operation_withdraws_the_question_about_its_plant() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut app, "d<tab><enter>"));
    press(&mut app, "aFern<tab><c-u>7");
    app.update(not_found(&operations[0], row(7, State::Stored)));
    assert_eq!(app.behind(), 1);
    press(&mut app, "<enter><enter>");
    assert!(app.cx.display.is_plain);
}

#[test]
fn the_delete_by_id_prompt_waits_for_enter() {
    let mut app = new_app();
    press(&mut app, "D7");
    app.update(history_of(7, None));
    assert_eq!(title(&app), "Delete by id");
    press(&mut app, "<enter>5");
    app.update(history_of(7, None));
    assert_eq!(title(&app), "Delete by id");
}

#[test]
fn a_plant_to_delete_that_cannot_be_read_is_asked_about_after_another_enter() {
    let mut app = new_app();
    assert_eq!(press(&mut app, "D12<enter>"), [Effect::LoadPlantHistory(PlantId(12))]);
    app.update(Msg::PlantHistory(PlantId(12), Err("locked".into())));
    app.update(history_of(12, None));
    assert_eq!(title(&app), "Delete by id");
    assert_eq!(press(&mut app, "<enter>"), [Effect::LoadPlantHistory(PlantId(12))]);
    app.update(history_of(12, None));
    assert_eq!(title(&app), "Delete plant 12?");
}

#[test]
fn a_dialog_awaits_one_frame_at_most() {
    for keys in ["a", "d", "i", "?"] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored)]));
        press(&mut app, keys);
        show(&mut app);
        assert!(!app.awaits_frame(), "{keys}");
    }
    let mut app = new_app();
    import::open_preview(&mut app, import::preview(10, 0, 0));
    assert!(app.awaits_frame());
    show(&mut app);
    assert!(!app.awaits_frame());
}

#[test]
fn quitting_asks_only_where_something_would_be_lost() {
    let mut quiet = new_app();
    assert_eq!(press(&mut quiet, "q"), [Effect::Quit]);
    // An unsent draft would be lost, too.
    let mut typed = new_app();
    assert!(!press(&mut typed, "aFern<esc>q").contains(&Effect::Quit));
    assert!(format!("{:?}", dialog(&typed)).contains("1 form is filled in"));
    let mut busy = new_app();
    press(&mut busy, "aFern<tab><tab>t<enter>");
    assert_eq!(press(&mut busy, "q<enter>"), []);
    assert_eq!(press(&mut busy, "q<tab><enter>"), [Effect::Quit]);
}

#[test]
fn a_paste_presses_no_keys_and_is_typed_unchanged() {
    let mut app = new_app();
    assert_eq!(app.update(Msg::Paste("q\n".into())), []);
    assert!(app.cx.display.is_plain);
    press(&mut app, "a");
    // Everything except the final line ending.
    app.update(Msg::Paste("\u{1b}[2J\nx \r\n".into()));
    assert_eq!(draft(&app).name.text(), "\u{1b}[2J\nx ");
}

#[test]
fn the_death_of_the_worker_is_reported_and_nothing_more_is_sent() {
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
fn a_form_that_was_open_as_the_worker_died_is_kept() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t");
    app.update(Msg::WorkerDied("boom".into()));
    assert_eq!(sent(&press(&mut app, "<enter>")), []);
    assert_eq!((draft(&app).name.text(), app.cx.session.pending.len()), ("Fern", 0));
    assert!(draft(&app).reasons()[0].contains("has died"));
}

#[test]
fn the_system_can_end_the_program_over_any_dialog() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>a");
    assert_eq!(app.update(Msg::Terminate), [Effect::Quit]);
}

#[test]
fn a_plant_that_left_the_list_can_be_found_and_re_added() {
    let mut app = new_app();
    let unlisted = |name: &str, id: i64, how| Unlisted {
        plant: Plant { name: name.into(), id: PlantId(id), tag: "t".into() },
        how,
        at: Timestamp(0),
    };
    let fern = unlisted("Fern", 7, UnlistedReason::Deleted);
    assert!(press(&mut app, "b").contains(&Effect::FindUnlisted(String::new())));
    // There is nothing to choose yet, and one search runs at a time.
    assert_eq!(press(&mut app, "<enter>fe"), []);
    // The result of an earlier search is ignored.
    let ivy = unlisted("Ivy", 1, UnlistedReason::Rejected);
    assert_eq!(app.update(Msg::Unlisted(String::new(), Ok(vec![ivy]))), [Effect::FindUnlisted("fe".into())]);
    assert_eq!(press(&mut app, "<enter>"), []);
    let found = vec![unlisted("Coffee", 2, UnlistedReason::NotSent), fern.clone()];
    assert_eq!(app.update(Msg::Unlisted("fe".into(), Ok(found))), []);
    press(&mut app, "<down><down><down><enter>");
    assert_eq!(draft(&app).plant(), Some(fern.plant.clone()));
    // An unchanged form leaves no draft.
    press(&mut app, "<esc>");
    assert!(app.cx.display.is_plain && app.cx.session.drafts.is_empty());

    press(&mut app, "b");
    app.update(Msg::Unlisted(String::new(), Ok(vec![fern.clone()])));
    press(&mut app, "<enter>");
    let effects = press(&mut app, "<enter>");
    assert_eq!(sent(&effects)[0].kind, OperationKind::add(fern.plant));
}

#[test]
fn changes_of_another_process_are_loaded_once() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(app.update(Msg::JournalChanged), [Effect::Load(around(Some(7)))]);
    assert_eq!(app.update(Msg::JournalChanged), []);
    let effects = app.update(window(&[row(7, State::Deleting)]));
    assert_eq!(effects, [Effect::Load(around(Some(7))), Effect::LoadPlantHistory(PlantId(7))]);
}

#[test]
fn an_open_dialog_is_updated_when_another_process_changes_the_journal() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "aFern<tab><c-u>12");
    assert!(app.update(Msg::JournalChanged).contains(&Effect::LoadPlantHistory(PlantId(12))));
    press(&mut app, "<esc>d");
    assert!(app.update(Msg::JournalChanged).contains(&Effect::LoadPlantHistory(PlantId(7))));
}

#[test]
fn a_delete_dialog_marks_the_safe_choice_again_only_if_its_plant_changed() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d<tab>");
    app.update(history_of(7, Some(row(7, State::Deleting))));
    assert_eq!(question(&app).marked, 1);
    app.update(history_of(7, None));
    assert_eq!((question(&app).marked, question(&app).title.as_str()), (0, "Delete plant 7?"));
}

#[test]
fn the_last_request_is_copied_as_curl_and_its_response_as_text() {
    let mut app = new_app();
    let asked = press(&mut app, "aFern<tab><tab>t<enter>");
    let operation = sent(&asked)[0].clone();
    let added = Row { details: operation.kind.plant().map(Details::from), ..row(1, State::Stored) };
    app.update(window(std::slice::from_ref(&added)));
    assert_eq!(press(&mut app, "yY"), []);
    let Msg::Report(report) = responded(&operation, 409) else { unreachable!("it is a report") };
    let Report::Ended(ended) = *report else { unreachable!("it has ended") };
    let request = crate::client::request(&app.cx.session.info.store, &operation.kind);
    let exchange = Exchange { request: Some(request), ..Exchange::clone(&ended.exchange) };
    let plant_history = PlantHistory { row: Some(added), unknown: None, exchanges: vec![exchange] };
    app.update(Msg::PlantHistory(PlantId(1), Ok(Box::new(plant_history))));
    let copied: [Effect; 1] = press(&mut app, "y").try_into().unwrap();
    let [Effect::Copy(command)] = copied else { unreachable!("it is a copy") };
    assert!(command.starts_with("curl ") && command.contains("Bearer $PLANTS_TOKEN"), "{command}");
    let status_line = status_line(&app);
    assert!(status_line.contains("OSC 52") && status_line.contains("running it sends it again"), "{status_line}");
    assert_eq!(press(&mut app, "Y"), [Effect::Copy("no ␛[2J".into())]);
}

#[test]
fn an_add_without_a_token_waits_in_its_form_until_the_next_add() {
    let mut app = App::new(info(), Keymap::default(), false);
    let _ = app.begin(Vec::new());
    press(&mut app, "<esc>aFern<tab><tab>t<enter><esc>");
    let words = "Fern (1) was not sent. No token was given for http://127.0.0.1:4000/api. a opens the form again.";
    assert_eq!((app.cx.display.is_plain, status_line(&app)), (true, words));
    press(&mut app, "a");
    assert_eq!(draft(&app).name.text(), "Fern");
}

#[test]
fn the_prompt_says_that_the_token_entered_last_was_rejected() {
    let last = "That was the token entered last for http://127.0.0.1:4000/api.";
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 401));
    assert!(!dialog(&app).says(last), "{:#?}", dialog(&app));
    let operations = sent(&press(&mut app, "good<enter>"));
    let Msg::Report(mut report) = responded(&operations[0], 401) else { unreachable!("it is a report") };
    let Report::Ended(ended) = report.as_mut() else { unreachable!("it has ended") };
    ended.token = 1;
    app.update(Msg::Report(report));
    assert!(dialog(&app).says(last), "{:#?}", dialog(&app));
}

#[test]
fn a_delete_rejected_with_a_replaced_token_is_asked_about_again() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored), row(8, State::Stored)]));
    let operations = sent(&press(&mut app, "dy<down>dy"));
    app.update(responded(&operations[0], 401));
    press(&mut app, "good<enter>");
    app.update(responded(&operations[1], 401));
    assert!(title(&app).starts_with("Delete plant 8"), "{}", title(&app));
    assert!(dialog(&app).says("It was sent with the token that"), "{:#?}", dialog(&app));
}

#[test]
fn a_rejected_form_that_waits_outlives_the_add_of_another_plant() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "4aIvy<tab><tab>t<enter>aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 409));
    app.update(responded(&operations[1], 201));
    let waiting: Vec<_> = app.cx.session.drafts.iter().map(|draft| draft.name.text()).collect();
    assert_eq!(waiting, ["Ivy"]);
}

#[test]
fn an_operation_beside_a_batch_is_reported_on_its_own() {
    let mut app = new_app();
    let rows = [row(1, State::Stored), row(2, State::Stored)];
    app.update(window(&rows));
    press(&mut app, " <down> d");
    app.update(Msg::ToDelete([1, 2].map(PlantId).to_vec(), Ok(rows.to_vec())));
    assert_eq!(sent(&press(&mut app, "y")).len(), 2);
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 409));
    assert_eq!(draft(&app).name.text(), "Fern");
}
