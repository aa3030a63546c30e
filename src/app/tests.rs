//! Message scripts against `update`: what a person would see, and the exact effects.

mod check;
mod connection;
mod doubts;
mod forms;
mod import;
mod random;
mod rooms;
mod samples;

use std::time::Duration;

use super::choice::Act;
use super::key::{Key, script};
use super::keys::{KeyTable, Scope};
use super::message::Drawn;
use super::model::{Facts, Model, Overlay};
use super::{Effect, Msg, update};
use crate::courier::{Ended, Report};
use crate::domain::{
    Answer, Ask, BodyEnd, Departed, Departure, Details, Doubt, Ending, Exchange, Failure, FailureKind, Operation,
    OperationId, Outcome, Phases, Plant, PlantId, Row, Settlement, State, Timestamp,
};
use crate::journal::{Anchor, Arrangement, JournalError, Story, Tally, Window, WindowRequest};
use jiff::tz::TimeZone;

fn facts() -> Facts {
    Facts {
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

fn model() -> Model {
    let mut model = Model::new(facts(), KeyTable::default(), true);
    let _ = model.begin(Vec::new());
    model
}

/// Presses keys one after the other, each after the frame that the one before led to.
fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for key in script(keys).unwrap() {
        show(model);
        effects.extend(update(model, Msg::Key(key)));
    }
    effects
}

/// Presses keys before any of them shows.
fn press_at_once(model: &mut Model, keys: &str) -> Vec<Effect> {
    script(keys).unwrap().into_iter().flat_map(|key| update(model, Msg::Key(key))).collect()
}

/// Draws a frame, where that matters.
fn show(model: &mut Model) {
    if model.awaits_frame() {
        let drawn = model.drawn;
        update(model, Msg::Drawn(drawn));
    }
}

fn row(id: i64, state: State) -> Row {
    let details = Some(Details { name: format!("plant {id}"), tag: "t".into() });
    Row { id: PlantId(id), details, state, changed_at: Timestamp(0) }
}

/// What a program with this number as its origin left in doubt.
fn doubt(origin: u64, ask: Ask) -> Doubt {
    Doubt { operation: OperationId { origin, number: 1 }, ask }
}

/// What the journal tells of a plant; in doubt is its delete, asked by this origin.
fn told(id: i64, state: State, origin: Option<u64>) -> Msg {
    let in_doubt = origin.map(|origin| doubt(origin, Ask::Delete(PlantId(id))));
    Msg::Story(PlantId(id), Ok(Box::new(Story { row: Some(row(id, state)), in_doubt, exchanges: Vec::new() })))
}

fn doubts(ids: &[i64]) -> Msg {
    Msg::Doubts(Ok(ids.iter().map(|id| row(*id, State::Unknown)).collect()))
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

fn answered(operation: &Operation, status: u16) -> Msg {
    let answer = Answer {
        status,
        reason: String::new(),
        version: "HTTP/1.1".into(),
        headers: Vec::new(),
        body: b"no \x1b[2J".to_vec(),
        body_end: BodyEnd::Complete,
    };
    ended(operation, Ending::Answered(answer))
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
        overtaken: false,
        token: 0,
        row: None,
        in_doubt: None,
    }))))
}

fn add_form(model: &Model) -> &super::form::AddForm {
    match &model.overlay {
        Some(Overlay::Add(form)) => form,
        other => panic!("no add form is open, but {other:?}"),
    }
}

fn dialog(model: &Model) -> &super::choice::Choice {
    match &model.overlay {
        Some(Overlay::Choice(choice)) => choice,
        other => panic!("no dialog is open, but {other:?}"),
    }
}

#[test]
fn a_form_sends_exactly_what_was_typed_and_closes_at_once() {
    let mut model = model();
    let effects = press(&mut model, "aMonstera<tab><tab>tropical<enter>");
    let operations = sent(&effects);
    let expected = Plant { name: "Monstera".into(), id: PlantId(1), tag: "tropical".into() };
    assert_eq!(operations.iter().map(|operation| &operation.ask).collect::<Vec<_>>(), [&Ask::Add(expected)]);
    assert_eq!(model.overlay, None);
    assert_eq!(model.table.selected, Some(PlantId(1)));
    assert_eq!(model.flights.len(), 1);
}

#[test]
fn several_adds_can_be_out_and_ids_are_never_suggested_twice() {
    let mut model = model();
    let mut ids = Vec::new();
    for name in ["a", "b", "c"] {
        let effects = press(&mut model, &format!("a{name}<tab><tab>t<enter>"));
        ids.extend(sent(&effects).iter().map(|operation| operation.ask.plant_id().0));
    }
    assert_eq!(ids, [1, 2, 3]);
    assert_eq!(model.flights.len(), 3);
}

#[test]
fn an_id_that_cannot_be_sent_is_refused_beside_its_field() {
    let mut model = model();
    let effects = press(&mut model, "aFern<tab><c-u>12a<tab>t<enter>");
    assert_eq!(sent(&effects), []);
    let form = add_form(&model);
    assert_eq!(form.id.text(), "12a");
    assert!(form.beside(crate::domain::plant::Field::Id).unwrap().to_string().contains("not a whole number"));
    assert_eq!(sent(&press(&mut model, "<backspace><enter>")).len(), 1);
}

#[test]
fn a_slip_is_warned_about_once_and_one_more_enter_sends_it() {
    let mut model = model();
    assert_eq!(sent(&press(&mut model, "a<enter>")), []);
    assert!(add_form(&model).warned.is_some());
    // A change asks anew.
    assert_eq!(sent(&press(&mut model, " <enter>")), []);
    let operations = sent(&press(&mut model, "<enter>"));
    assert_eq!(operations[0].ask.plant().unwrap().name, " ");
}

#[test]
fn an_id_already_in_the_view_is_warned_about() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored)]));
    assert_eq!(sent(&press(&mut model, "aFern<tab><c-u>7<tab>t<enter>")), []);
    assert_eq!(sent(&press(&mut model, "<enter>")).len(), 1);
}

#[test]
fn a_refused_add_brings_the_form_back_as_it_was_typed() {
    let mut model = model();
    let operations = sent(&press(&mut model, "aFern<tab><tab>shade<enter>"));
    update(&mut model, answered(&operations[0], 409));
    let form = add_form(&model);
    assert_eq!((form.name.text(), form.id.text(), form.tag.text()), ("Fern", "1", "shade"));
    assert!(form.came_back.iter().any(|line| line.contains("409")));
    assert!(form.came_back.iter().all(|line| !line.contains('\u{1b}')));
    assert_eq!(model.happened.as_ref().unwrap().outcome, Some(Outcome::Rejected));
}

#[test]
fn a_form_that_comes_back_never_disturbs_one_that_is_open() {
    let mut model = model();
    let operations = sent(&press(&mut model, "aFern<tab><tab>t<enter>"));
    press(&mut model, "aIvy");
    update(&mut model, answered(&operations[0], 400));
    assert_eq!(add_form(&model).name.text(), "Ivy");
    press(&mut model, "<esc>");
    assert_eq!(add_form(&model).name.text(), "Fern");
    press(&mut model, "<esc>a");
    assert_eq!(add_form(&model).name.text(), "Fern");
    // Closed twice without a change, it is gone; what was typed before it is still there.
    press(&mut model, "<esc>a");
    assert_eq!(add_form(&model).name.text(), "Ivy");
    press(&mut model, "<esc>a");
    assert_eq!(add_form(&model).name.text(), "");
}

#[test]
fn a_refused_token_is_asked_for_anew_and_what_it_stopped_goes_out_with_the_next() {
    let mut model = model();
    let operations = sent(&press(&mut model, "aFern<tab><tab>t<enter>"));
    update(&mut model, answered(&operations[0], 401));
    assert!(matches!(model.overlay, Some(Overlay::Token(_))));
    let effects = press(&mut model, "bad token<enter>");
    assert!(effects.is_empty());
    let effects = press(&mut model, "<c-u>Bearer good<enter>");
    assert!(effects.contains(&Effect::UseToken(crate::client::Token::new("good").unwrap())));
    assert_eq!(sent(&effects)[0].ask, operations[0].ask);
}

#[test]
fn a_late_refusal_of_the_token_before_does_not_ask_for_another() {
    let mut model = model();
    let operations = sent(&press(&mut model, "aFern<tab><tab>t<enter>aIvy<tab><tab>t<enter>"));
    update(&mut model, answered(&operations[0], 401));
    press(&mut model, "good<enter>");
    update(&mut model, answered(&operations[1], 401));
    let form = add_form(&model);
    assert_eq!(form.name.text(), "Ivy");
    assert!(form.came_back.iter().any(|line| line.contains("had before")));
}

#[test]
fn giving_no_other_token_brings_the_form_back() {
    let mut model = model();
    let operations = sent(&press(&mut model, "aFern<tab><tab>t<enter>"));
    update(&mut model, answered(&operations[0], 403));
    press(&mut model, "<esc>");
    assert_eq!(add_form(&model).name.text(), "Fern");
}

#[test]
fn without_a_token_nothing_is_sent_and_it_is_asked_for() {
    let mut model = Model::new(facts(), KeyTable::default(), false);
    let _ = model.begin(Vec::new());
    assert!(matches!(model.overlay, Some(Overlay::Token(_))));
    assert_eq!(sent(&press(&mut model, "<esc>aFern<tab><tab>t<enter>")), []);
    let effects = press(&mut model, "secret<enter>");
    assert_eq!(sent(&effects).len(), 1);
}

#[test]
fn what_was_not_sent_goes_out_again_on_one_key() {
    let mut model = model();
    let operations = sent(&press(&mut model, "aFern<tab><tab>t<enter>"));
    update(&mut model, failed(&operations[0], FailureKind::NotConnected));
    assert_eq!(model.unsent, [operations[0].ask.clone()]);
    let again = sent(&press(&mut model, "r"));
    assert_eq!(again[0].ask, operations[0].ask);
    assert_ne!(again[0].id, operations[0].id);
    assert_eq!(model.unsent, []);
}

#[test]
fn the_delete_dialog_names_everything_and_marks_the_safe_answer() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored)]));
    press(&mut model, "d");
    let text = format!("{:?}", dialog(&model));
    for part in ["plant 7 (7)", "http://127.0.0.1:4000/api"] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(dialog(&model).act(), Act::Leave);
    assert_eq!(sent(&press(&mut model, "<enter>")), []);
    let operations = sent(&press(&mut model, "d<tab><enter>"));
    assert_eq!(operations[0].ask, Ask::Delete(PlantId(7)));
}

#[test]
fn any_id_can_be_deleted_also_one_that_is_not_in_the_view() {
    let mut model = model();
    let effects = press(&mut model, "D-9<enter>");
    assert!(effects.contains(&Effect::Tell(PlantId(-9))));
    update(
        &mut model,
        Msg::Story(PlantId(-9), Ok(Box::new(Story { row: None, in_doubt: None, exchanges: Vec::new() }))),
    );
    assert!(format!("{:?}", dialog(&model)).contains("not in the list"));
    assert_eq!(sent(&press(&mut model, "<tab><enter>"))[0].ask, Ask::Delete(PlantId(-9)));
}

#[test]
fn a_404_on_delete_offers_to_forget_and_says_what_else_it_can_mean() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut model, "d<tab><enter>"));
    let Msg::Report(mut report) = answered(&operations[0], 404) else { unreachable!() };
    let Report::Ended(ended) = report.as_mut() else { unreachable!() };
    ended.row = Some(row(7, State::Stored));
    update(&mut model, Msg::Report(report));
    assert!(format!("{:?}", dialog(&model)).contains("wrong base URL"));
    let effects = press(&mut model, "<tab><enter>");
    assert!(effects.contains(&Effect::Settle(PlantId(7), None, Settlement::Forget)));
}

#[test]
fn what_joins_behind_the_list_of_unsent_is_not_lost_with_it() {
    for answer in ["<tab><enter>", "<tab><tab><enter>"] {
        let mut model = model();
        let mut last = Vec::new();
        for name in ["Fern", "Ivy", "Moss"] {
            last = sent(&press(&mut model, &format!("a{name}<tab><tab>t<enter>")));
            if name != "Moss" {
                update(&mut model, failed(&last[0], FailureKind::NotConnected));
            }
        }
        press(&mut model, "r");
        update(&mut model, failed(&last[0], FailureKind::NotConnected));
        press(&mut model, answer);
        assert_eq!(model.unsent, [last[0].ask.clone()]);
    }
}

#[test]
fn escape_cancels_what_is_in_flight_for_the_selected_plant_only() {
    let mut model = model();
    let first = sent(&press(&mut model, "aFern<tab><tab>t<enter>"));
    let second = sent(&press(&mut model, "aIvy<tab><tab>t<enter>"));
    update(&mut model, window(&[row(1, State::Adding), row(2, State::Adding)]));
    assert_eq!(press(&mut model, "<esc>").first(), Some(&Effect::Cancel(second[0].id)));
    assert_eq!(press(&mut model, "<up><esc>").last(), Some(&Effect::Cancel(first[0].id)));
}

#[test]
fn ctrl_c_first_closes_then_cancels_then_quits() {
    let mut model = model();
    press(&mut model, "aFern<tab><tab>t<enter>aIvy");
    assert_eq!(press(&mut model, "<c-c>"), []);
    assert_eq!((model.overlay.is_none(), model.drafts.len()), (true, 1));
    assert_eq!(press(&mut model, "<c-c>"), [Effect::CancelAll]);
    assert_eq!(press(&mut model, "<c-c>"), [Effect::Quit]);
}

#[test]
fn nothing_but_the_end_is_heard_while_the_terminal_is_too_small() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored)]));
    update(&mut model, Msg::Drawn(Drawn { too_small: true, ..Drawn::default() }));
    assert_eq!(sent(&press(&mut model, "d<tab><enter>a")), []);
    update(&mut model, Msg::Paste("x".into()));
    assert_eq!(model.overlay, None);
    assert_eq!(press(&mut model, "<c-c>"), [Effect::Quit]);
}

#[test]
fn a_form_that_came_back_is_not_sent_again_by_a_stray_enter() {
    let mut model = model();
    let operations = sent(&press(&mut model, "aFern<tab><tab>t<enter>"));
    press(&mut model, "aIvy<tab><tab>t");
    update(&mut model, answered(&operations[0], 400));
    // A double Enter: the second one meets the form that waited behind the first.
    assert_eq!(sent(&press(&mut model, "<enter><enter>")).len(), 1);
    assert_eq!(add_form(&model).name.text(), "Fern");
    assert_eq!(sent(&press(&mut model, "<enter>")).len(), 1);
}

#[test]
fn what_was_not_sent_is_forgotten_when_its_plant_is_asked_for_anew() {
    let mut model = model();
    let operations = sent(&press(&mut model, "aFern<tab><tab>t<enter>"));
    update(&mut model, failed(&operations[0], FailureKind::NotConnected));
    press(&mut model, "aFern<tab><c-u>1<tab>t<enter>");
    assert_eq!(model.unsent, []);
}

#[test]
fn several_that_were_not_sent_are_shown_before_they_go_out() {
    let mut model = model();
    for name in ["Fern", "Ivy"] {
        let operations = sent(&press(&mut model, &format!("a{name}<tab><tab>t<enter>")));
        update(&mut model, failed(&operations[0], FailureKind::NotConnected));
    }
    assert_eq!(sent(&press(&mut model, "r")), []);
    assert!(format!("{:?}", dialog(&model)).contains("Ivy (2)"));
    assert_eq!(sent(&press(&mut model, "<tab><enter>")).len(), 2);
    assert_eq!(model.unsent, []);
}

#[test]
fn a_story_that_cannot_be_read_is_asked_for_once() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored)]));
    assert_eq!(update(&mut model, Msg::Story(PlantId(7), Err("damaged".into()))), []);
    assert_eq!(update(&mut model, Msg::Tick), []);
    assert_eq!(model.notices.len(), 1);
    assert!(update(&mut model, window(&[row(7, State::Stored)])).contains(&Effect::Tell(PlantId(7))));
}

#[test]
fn a_question_about_a_plant_is_dropped_when_the_plant_is_asked_for_anew() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut model, "d<tab><enter>"));
    press(&mut model, "aFern<tab><c-u>7");
    let Msg::Report(mut report) = answered(&operations[0], 404) else { unreachable!() };
    let Report::Ended(ended) = report.as_mut() else { unreachable!() };
    ended.row = Some(row(7, State::Stored));
    update(&mut model, Msg::Report(report));
    assert_eq!(model.later.len(), 1);
    press(&mut model, "<enter><enter>");
    assert_eq!((model.overlay, model.later.len()), (None, 0));
}

#[test]
fn the_delete_dialog_waits_for_enter() {
    let mut model = model();
    press(&mut model, "D7");
    let story = || Story { row: None, in_doubt: None, exchanges: Vec::new() };
    update(&mut model, Msg::Story(PlantId(7), Ok(Box::new(story()))));
    assert!(matches!(model.overlay, Some(Overlay::DeleteById(_))));
    press(&mut model, "<enter>5");
    update(&mut model, Msg::Story(PlantId(7), Ok(Box::new(story()))));
    assert!(matches!(model.overlay, Some(Overlay::DeleteById(_))));
}

#[test]
fn quitting_asks_only_where_something_would_be_lost() {
    let mut quiet = model();
    assert_eq!(press(&mut quiet, "q"), [Effect::Quit]);
    // Something typed and not sent would be lost, too.
    let mut typed = model();
    assert!(!press(&mut typed, "aFern<esc>q").contains(&Effect::Quit));
    assert!(format!("{:?}", dialog(&typed)).contains("1 form is filled in"));
    let mut busy = model();
    press(&mut busy, "aFern<tab><tab>t<enter>");
    assert_eq!(press(&mut busy, "q<enter>"), []);
    assert_eq!(press(&mut busy, "q<tab><enter>"), [Effect::Quit]);
}

#[test]
fn a_paste_presses_no_keys_and_lands_in_a_field_to_the_letter() {
    let mut model = model();
    assert_eq!(update(&mut model, Msg::Paste("q\n".into())), []);
    assert_eq!(model.overlay, None);
    press(&mut model, "a");
    // All of it, but the end of the line that it was copied with.
    update(&mut model, Msg::Paste("\u{1b}[2J\nx \r\n".into()));
    assert_eq!(add_form(&model).name.text(), "\u{1b}[2J\nx ");
}

#[test]
fn read_only_sends_nothing_and_says_so() {
    let mut model = Model::new(Facts { read_only: true, ..facts() }, KeyTable::default(), false);
    let _ = model.begin(Vec::new());
    update(&mut model, window(&[row(7, State::Unknown)]));
    for key in ["a", "d", "D", "r"] {
        assert_eq!(sent(&press(&mut model, key)), []);
        assert_eq!(model.overlay, None);
        assert!(model.happened.as_ref().unwrap().text.contains("read-only"));
    }
}

#[test]
fn the_death_of_the_courier_is_told_and_nothing_more_is_sent() {
    let mut model = model();
    press(&mut model, "aFern<tab><tab>t<enter>");
    update(&mut model, Msg::CourierDied("boom".into()));
    assert!(model.notices[0].text.contains("boom") && model.notices[0].text.contains("plant 1"));
    assert_eq!(model.flights, []);
    assert_eq!(sent(&press(&mut model, "a")), []);
    assert_eq!(model.overlay, None);
}

#[test]
fn a_form_that_was_open_when_the_courier_died_comes_back() {
    let mut model = model();
    press(&mut model, "aFern<tab><tab>t");
    update(&mut model, Msg::CourierDied("boom".into()));
    assert_eq!(sent(&press(&mut model, "<enter>")), []);
    assert_eq!((add_form(&model).name.text(), model.flights.len()), ("Fern", 0));
    assert!(add_form(&model).came_back[0].contains("has died"));
}

#[test]
fn the_system_can_end_the_program_whatever_is_open() {
    let mut model = model();
    press(&mut model, "aFern<tab><tab>t<enter>a");
    assert_eq!(update(&mut model, Msg::Terminate), [Effect::Quit]);
}

#[test]
fn what_left_the_view_is_found_looked_at_and_added_anew() {
    let mut model = model();
    let departed = |name: &str, id: i64, how| Departed {
        plant: Plant { name: name.into(), id: PlantId(id), tag: "t".into() },
        how,
        at: Timestamp(0),
    };
    let fern = departed("Fern", 7, Departure::Deleted);
    assert!(press(&mut model, "b").contains(&Effect::FindDeparted(String::new())));
    // Nothing to take yet; and one search at a time.
    assert_eq!(press(&mut model, "<enter>fe"), []);
    // An answer to what was typed before comes too late.
    let ivy = departed("Ivy", 1, Departure::Rejected);
    assert_eq!(update(&mut model, Msg::Departed(String::new(), Ok(vec![ivy]))), [Effect::FindDeparted("fe".into())]);
    assert_eq!(press(&mut model, "<enter>"), []);
    let found = vec![departed("Coffee", 2, Departure::NotSent), fern.clone()];
    assert_eq!(update(&mut model, Msg::Departed("fe".into(), Ok(found))), []);
    press(&mut model, "<down><down><down><enter>");
    assert_eq!(add_form(&model).plant(), Ok(fern.plant.clone()));
    // It was looked at, and nothing was typed: nothing is kept.
    press(&mut model, "<esc>");
    assert_eq!((&model.overlay, model.drafts.len()), (&None, 0));

    press(&mut model, "b");
    update(&mut model, Msg::Departed(String::new(), Ok(vec![fern.clone()])));
    press(&mut model, "<enter>");
    let effects = press(&mut model, "<enter>");
    assert_eq!(sent(&effects)[0].ask, Ask::Add(fern.plant));
}

#[test]
fn what_others_change_is_read_again_once_however_often_it_is_told() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored)]));
    assert_eq!(update(&mut model, Msg::JournalChanged), [Effect::Load(around(Some(7)))]);
    assert_eq!(update(&mut model, Msg::JournalChanged), []);
    let effects = update(&mut model, window(&[row(7, State::Deleting)]));
    assert_eq!(effects, [Effect::Load(around(Some(7))), Effect::Tell(PlantId(7))]);
}

#[test]
fn what_is_open_is_asked_about_when_others_change_the_journal() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored)]));
    press(&mut model, "aFern<tab><c-u>12");
    assert!(update(&mut model, Msg::JournalChanged).contains(&Effect::Tell(PlantId(12))));
    press(&mut model, "<esc>d");
    assert!(update(&mut model, Msg::JournalChanged).contains(&Effect::Tell(PlantId(7))));
}

fn told_of(row: Option<Row>) -> Msg {
    Msg::Story(PlantId(7), Ok(Box::new(Story { row, in_doubt: None, exchanges: Vec::new() })))
}

#[test]
fn a_delete_dialog_marks_the_safe_answer_again_only_where_its_plant_changed() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored)]));
    press(&mut model, "d<tab>");
    update(&mut model, told_of(Some(row(7, State::Deleting))));
    assert_eq!(dialog(&model).marked, 1);
    update(&mut model, told_of(None));
    assert_eq!((dialog(&model).marked, dialog(&model).title.as_str()), (0, "Delete plant 7?"));
}

#[test]
fn the_last_exchange_is_copied_as_curl_and_its_answer_as_text() {
    let mut model = model();
    let asked = press(&mut model, "aFern<tab><tab>t<enter>");
    let operation = sent(&asked)[0].clone();
    let added = Row { details: operation.ask.plant().map(Details::from), ..row(1, State::Stored) };
    update(&mut model, window(std::slice::from_ref(&added)));
    assert_eq!(press(&mut model, "yY"), []);
    let Msg::Report(report) = answered(&operation, 409) else { unreachable!("it is a report") };
    let Report::Ended(ended) = *report else { unreachable!("it has ended") };
    let request = crate::client::request(&model.facts.store, &operation.ask);
    let exchange = Exchange { request: Some(request), ..ended.exchange };
    let story = Story { row: Some(added), in_doubt: None, exchanges: vec![exchange] };
    update(&mut model, Msg::Story(PlantId(1), Ok(Box::new(story))));
    let copied: [Effect; 1] = press(&mut model, "y").try_into().unwrap();
    let [Effect::Copy(command)] = copied else { unreachable!("it is a copy") };
    assert!(command.starts_with("curl ") && command.contains("Bearer $PLANTS_TOKEN"), "{command}");
    let said = &model.happened.as_ref().unwrap().text;
    assert!(said.contains("OSC 52") && said.contains("running it sends it again"), "{said}");
    assert_eq!(press(&mut model, "Y"), [Effect::Copy("no ␛[2J".into())]);
}
