//! Edit and resend: the form that a request of the history opens, in the list and opened.

use super::tabs::{history_came, in_history, log, request, stored};
use super::*;
use crate::domain::{Credentials, MediaType, Probe};
use crate::journal::HistoryRequest;

fn fern() -> OperationKind {
    OperationKind::add(Plant { name: "Fern".into(), id: PlantId(7), tag: "shade".into() })
}

/// Returns an app in the History tab, with this request selected.
fn with_request(kind: OperationKind, ending: Ending, probe: Option<Probe>) -> App {
    let mut app = in_history([4].into_iter());
    let mut request = stored(4);
    let operation = Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0));
    (request.exchange.operation, request.exchange.ending) = (Operation { probe, ..operation }, ending);
    app.update(Msg::Inspected(4, Ok(Some(Box::new(request)))));
    app
}

fn failing(kind: FailureKind) -> Ending {
    Ending::Failed(Failure { kind, detail: String::new() })
}

fn with_status(status: u16) -> Ending {
    let operation = Operation::new(OperationId { origin: 1, number: 1 }, fern(), Timestamp(0));
    let Msg::Report(report) = responded(&operation, status) else { unreachable!("it is a report") };
    let Report::Ended(ended) = *report else { unreachable!("it has ended") };
    ended.exchange.ending.clone()
}

#[test]
fn an_add_opens_the_form_with_its_plant_whatever_its_outcome() {
    for (ending, was) in [
        (with_status(201), "The store accepted this request."),
        (with_status(409), "The store rejected this request."),
        (failing(FailureKind::TimedOut), "It is unknown whether this request took effect."),
        (failing(FailureKind::NotConnected), "This request was not sent."),
    ] {
        for keys in ["E", "<enter>E"] {
            let mut app = with_request(fern(), ending.clone(), None);
            assert_eq!(sent(&press(&mut app, keys)), [], "nothing is sent by itself");
            let form = dialog(&app);
            assert_eq!(form.title, "Edit and resend");
            assert!(form.says(was), "{form:?}");
            assert_eq!(["name", "id", "tag"].map(|label| form.field(label)), ["Fern", "7", "shade"]);
            // Another name makes it another plant, which is sent at once.
            let operations = sent(&press(&mut app, "<c-u>Moss<enter>"));
            let plant = Plant { name: "Moss".into(), id: PlantId(7), tag: "shade".into() };
            assert_eq!(operations[0].kind, OperationKind::add(plant));
        }
    }
}

#[test]
fn a_taken_id_and_an_unchanged_rejected_plant_need_a_second_enter() {
    let mut app = with_request(fern(), with_status(409), None);
    assert_eq!(sent(&press(&mut app, "E<enter>")), []);
    assert_eq!(sent(&press(&mut app, "<enter>"))[0].kind, fern());
    let mut app = with_request(fern(), with_status(201), None);
    press(&mut app, "E");
    app.update(history_of(7, Some(row(7, State::Stored))));
    assert_eq!(dialog(&app).below("id").trim(), "! 7 is plant 7 (t), stored");
    assert_eq!(sent(&press(&mut app, "<enter>")), []);
    let says = "The service cannot change a plant: delete it first, or F4 takes another id. Enter once more sends it as shown:";
    assert!(dialog(&app).says(says), "{:#?}", dialog(&app));
    assert_eq!(sent(&press(&mut app, "<enter>"))[0].kind, fern());
}

#[test]
fn a_delete_opens_delete_by_id_with_its_id() {
    let mut app = with_request(OperationKind::Delete(PlantId(-3)), with_status(404), None);
    assert_eq!(sent(&press(&mut app, "E")), []);
    assert_eq!((title(&app).as_str(), dialog(&app).field("id").as_str()), ("Delete by id", "-3"));
    press(&mut app, "<enter>");
    app.update(listed(&[PlantId(-3)], &[]));
    assert_eq!(title_of(&app), "Delete plant -3?");
    assert_eq!(sent(&press(&mut app, "<enter>")), [], "the safe choice is marked");
}

#[test]
fn the_question_before_a_delete_covers_the_opened_request() {
    let mut app = with_request(OperationKind::Delete(PlantId(-3)), with_status(404), None);
    press(&mut app, "<enter>E<enter>");
    app.update(listed(&[PlantId(-3)], &[]));
    assert_eq!(title_of(&app), "Delete plant -3?");
    press(&mut app, "<esc>");
    assert_eq!(title(&app), "#4 delete plant -3");
}

#[test]
fn the_form_of_an_opened_request_returns_to_it() {
    let mut app = with_request(fern(), with_status(201), None);
    press(&mut app, "<enter>E<esc>");
    assert_eq!(title(&app), "#4 add Fern (7)");
    press(&mut app, "<esc>");
    assert!(!app.cx.display.has_dialog);
    // The form was not changed, so that no draft is kept.
    press(&mut app, "a");
    assert_eq!(draft(&app).name.text(), "");
}

#[test]
fn requests_of_the_check_are_resent_only_if_they_are_about_a_plant() {
    let odd_body = Probe { body: Some("{}".into()), ..Probe::default() };
    let odd_path = Probe { path_id: Some("7.5".into()), ..Probe::default() };
    let delete = OperationKind::Delete(PlantId(7));
    for (kind, probe, why) in [
        (fern(), odd_body, "the check sent a body that no plant has"),
        (delete.clone(), odd_path, "the check sent an id that no plant has"),
    ] {
        for keys in ["E", "<enter>E"] {
            let mut app = with_request(kind.clone(), with_status(400), Some(probe.clone()));
            press(&mut app, keys);
            assert!(status_line(&app).contains(why), "{}", status_line(&app));
            assert!(app.draft().is_none());
        }
    }
    let other_id = Probe { path_id: Some("9".into()), ..Probe::default() };
    let mut app = with_request(delete, with_status(404), Some(other_id));
    press(&mut app, "E");
    assert_eq!(dialog(&app).field("id"), "9");
    let no_token = Probe { credentials: Credentials::None, ..Probe::default() };
    let mut app = with_request(fern(), with_status(401), Some(no_token));
    press(&mut app, "E");
    assert!(dialog(&app).says("now it is sent as documented"), "{:?}", dialog(&app));
    assert_eq!(sent(&press(&mut app, "<enter>"))[0].probe, None);
    for (media_type, is_other) in [(MediaType::Json, false), (MediaType::None, true)] {
        let mut app = with_request(fern(), with_status(415), Some(Probe { media_type, ..Probe::default() }));
        press(&mut app, "E");
        assert_eq!(dialog(&app).says("now it is sent as documented"), is_other, "{:?}", dialog(&app));
    }
}

#[test]
fn the_form_waits_until_the_request_is_read() {
    let mut app = in_history([4].into_iter());
    press(&mut app, "E");
    assert!(!app.cx.display.has_dialog && status_line(&app).is_empty(), "{}", status_line(&app));
    app.update(Msg::Inspected(4, Ok(Some(Box::new(stored(4))))));
    assert_eq!((title(&app).as_str(), dialog(&app).field("id").as_str()), ("Delete by id", "4"));
    // Esc cancels it.
    let mut app = in_history([4, 3].into_iter());
    press(&mut app, "E<esc>");
    app.update(Msg::Inspected(4, Ok(Some(Box::new(stored(4))))));
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn send_again_points_to_edit_and_resend() {
    let mut app = with_request(fern(), with_status(201), None);
    press(&mut app, "r");
    let text = status_line(&app);
    assert!(text.contains("nothing waits to be sent again. E edits the selected request"), "{text}");
}

#[test]
fn the_new_request_is_selected_after_a_resend() {
    let mut app = in_history((0..5).rev());
    press(&mut app, "<down><down>");
    app.update(Msg::Inspected(2, Ok(Some(Box::new(stored(2))))));
    assert_eq!(app.screens.history.list.selected_request(), Some(2));
    press(&mut app, "E<enter>");
    app.update(listed(&[PlantId(2)], &[]));
    assert_eq!(sent(&press(&mut app, "<tab><enter>")).len(), 1);
    app.update(Msg::JournalChanged);
    history_came(&mut app, request(HistoryRequest::NEWEST), log((0..6).rev(), false, false));
    assert_eq!(app.screens.history.list.selected_request(), Some(5));
}

#[test]
fn the_palette_offers_it_for_the_selected_request() {
    let mut app = with_request(fern(), with_status(201), None);
    press(&mut app, ":retry");
    assert!(dialog(&app).marked().starts_with("E "), "{:?}", dialog(&app));
    press(&mut app, "<c-u>copy id");
    assert!(!dialog(&app).marked().contains("not now"), "{:?}", dialog(&app));
    press(&mut app, "<c-u>edit<enter>");
    assert_eq!(title(&app), "Edit and resend");
}
