//! Operations in flight, unsent and ended; what another process or the worker does meanwhile.

use super::*;

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
fn the_death_of_the_worker_is_reported_and_nothing_more_is_sent() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>");
    app.update(Msg::WorkerDied("boom".into()));
    let notice = &app.cx.out.status.notices[0].text;
    assert!(notice.contains("boom") && notice.contains("Unknown now: Fern (1)."), "{notice}");
    assert_eq!(app.cx.session.pending, []);
    assert_eq!(sent(&press(&mut app, "a")), []);
    assert!(!app.cx.display.has_dialog);
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
fn the_last_request_is_copied_as_curl_and_its_response_as_text() {
    let mut app = new_app();
    let asked = press(&mut app, "aFern<tab><tab>t<enter>");
    let operation = sent(&asked)[0].clone();
    let added = Row { details: operation.kind.plant().map(Details::from), ..row(1, State::Stored) };
    app.update(window(std::slice::from_ref(&added)));
    assert_eq!(press(&mut app, "y"), [], "it is being read");
    let Msg::Report(report) = responded(&operation, 409) else { unreachable!("it is a report") };
    let Report::Ended(ended) = *report else { unreachable!("it has ended") };
    let request = crate::client::request(&app.cx.session.info.store, &operation.kind);
    let exchange = Exchange { request: Some(request), ..Exchange::clone(&ended.exchange) };
    let plant_history = PlantHistory { row: Some(added), unknown: None, exchanges: vec![exchange] };
    let copied = app.update(Msg::PlantHistory(PlantId(1), Ok(Box::new(plant_history))));
    let copied: [Effect; 1] = copied.try_into().unwrap();
    let [Effect::Copy(command)] = copied else { unreachable!("it is a copy") };
    assert!(command.text.starts_with("curl ") && command.text.contains("Bearer $PLANTS_TOKEN"), "{command:?}");
    assert_eq!(message(&app), Some("Adding Fern (1) …"), "before its end");
    assert_eq!(app.update(Msg::Copied(command.clone(), CopyEnd::By("xsel"))), []);
    let said = status_line(&app);
    assert!(
        said.contains("the curl command for the add of Fern (1) with xsel")
            && said.contains("running it sends it again"),
        "{said}"
    );
    let failed = CopyEnd::Failed("xsel did not end".to_owned());
    assert_eq!(app.update(Msg::Copied(command.clone(), failed)), [Effect::CopyByTerminal(command.text)]);
    assert!(status_line(&app).starts_with("xsel did not end. The curl command"), "{}", status_line(&app));
    let copied: [Effect; 1] = press(&mut app, "Y").try_into().unwrap();
    let [Effect::Copy(response)] = copied else { unreachable!("it is a copy") };
    assert_eq!(response.text, "no ␛[2J");
}

#[test]
fn a_404_leaves_a_base_url_alone_that_has_accepted_a_request() {
    let mut app = new_app();
    app.update(window(&[]));
    let not_there = |app: &mut App| {
        press(app, "D77<enter>");
        app.update(listed(&[PlantId(77)], &[]));
        let operation = sent(&press(app, "y")).remove(0);
        app.update(responded(&operation, 404));
        status_line(app).to_owned()
    };
    assert!(not_there(&mut app).contains("or the base URL is wrong"));
    let added = sent(&press(&mut app, "aFern<tab><tab>t<enter>")).remove(0);
    app.update(responded(&added, 201));
    let text = not_there(&mut app);
    assert!(text.contains("404") && !text.contains("base URL"), "{text}");
    // So does a list with plants that were stored before.
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert!(!not_there(&mut app).contains("base URL"));
}

#[test]
fn an_operation_beside_a_batch_is_reported_on_its_own() {
    let mut app = new_app();
    let rows = [row(1, State::Stored), row(2, State::Stored)];
    app.update(window(&rows));
    press(&mut app, " <down> d");
    app.update(listed(&[1, 2].map(PlantId), &rows));
    assert_eq!(sent(&press(&mut app, "y")).len(), 2);
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 409));
    assert_eq!(draft(&app).name.text(), "Fern");
}
