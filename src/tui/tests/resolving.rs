//! Resolving unknown plants: one, and the marked ones at once.

use super::*;

#[test]
fn an_unknown_plant_is_resolved_by_a_person() {
    let plant = Plant { name: "plant 7".into(), id: PlantId(7), tag: "t".into() };
    let unknown = unknown_operation(2, OperationKind::add(plant));
    let plant_history =
        || PlantHistory { row: Some(row(7, State::Unknown)), unknown: Some(unknown.clone()), exchanges: Vec::new() };
    let word = |resolution| Act::Resolve(vec![decided(7, Some(unknown.operation))], resolution);
    let responses = [
        ("", Act::Leave),
        ("<tab>", Act::Send(unknown.kind.clone())),
        ("<tab><tab>", Act::Send(OperationKind::Delete(PlantId(7)))),
        ("<tab><tab><tab>", word(Resolution::MarkStored)),
        ("<tab><tab><tab><tab>", word(Resolution::Forget)),
    ];
    for (keys, act) in responses {
        let mut app = new_app();
        app.update(window(&[row(7, State::Unknown)]));
        app.update(Msg::PlantHistory(PlantId(7), Ok(Box::new(plant_history()))));
        press(&mut app, "u");
        press(&mut app, keys);
        assert_eq!(chosen(&app), act);
    }
}

#[test]
fn an_overtaken_resolution_is_reported_without_a_notice() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    let late = || Msg::Resolved(vec![PlantId(7)], Resolution::Forget, Ok(vec![Err(JournalError::Overtaken)]));
    let effects = app.update(late());
    assert!(status_line(&app).contains("plant 7 (7) is not resolved: it was resolved or changed"));
    assert!(app.cx.out.status.notices.is_empty());
    assert!(matches!(effects.as_slice(), [Effect::Load(_), Effect::LoadPlantHistory(PlantId(7))]), "{effects:?}");
    // Any other failure is a notice.
    app.update(Msg::Resolved(vec![PlantId(7)], Resolution::Forget, Err(JournalError::Closed)));
    assert_eq!(app.cx.out.status.notices.len(), 1);
}

#[test]
fn a_question_about_a_resolved_operation_is_withdrawn() {
    for (now, origin) in [(State::Stored, None), (State::Unknown, Some(3))] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Unknown)]));
        app.update(history(7, State::Unknown, Some(2)));
        press(&mut app, "u");
        app.update(history(7, State::Unknown, Some(2)));
        assert!(title_of(&app).contains("still in the store"));
        app.update(history(7, now, origin));
        assert!(!app.cx.display.has_dialog);
        assert!(status_line(&app).contains("plant 7 (7) was resolved or changed elsewhere"));
    }
}

#[test]
fn an_unknown_plant_outside_the_window_is_found() {
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored), row(7, State::Unknown)]));
    assert_eq!(press(&mut app, "u"), [Effect::FindUnknown]);
    assert_eq!(app.update(unknown(&[7])), [Effect::LoadPlantHistory(PlantId(7))]);
    app.update(history(7, State::Unknown, Some(2)));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(7)));
    assert!(title_of(&app).contains("still in the store"));
}

#[test]
fn a_plant_that_another_process_resolved_is_skipped() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(history(7, State::Stored, None));
    press(&mut app, "u");
    assert_eq!(app.update(unknown(&[])), [Effect::LoadPlantHistory(PlantId(7))]);
    let effects = app.update(history(7, State::Stored, None));
    assert!(!effects.contains(&Effect::LoadPlantHistory(PlantId(7))), "{effects:?}");
    assert!(status_line(&app).contains("no longer unknown"));
}

/// Returns an unknown plant: with an add if its id is odd, else with a delete.
pub(super) fn unresolved(id: i64) -> ListedPlant {
    let row = row(id, State::Unknown);
    let Details { name, tag } = row.details.clone().unwrap();
    let add = OperationKind::add(Plant { name, id: PlantId(id), tag });
    let kind = if id % 2 == 1 { add } else { OperationKind::Delete(PlantId(id)) };
    ListedPlant { row, unknown: Some(unknown_operation(2, kind)) }
}

/// Marks all rows and presses `u`, and returns which of them are unknown.
fn asked_to_resolve(app: &mut App, rows: &[Row], unknown: &[i64]) {
    app.update(window(rows));
    press(app, &" <down>".repeat(rows.len()));
    let marked: Vec<_> = rows.iter().map(|row| row.id).collect();
    assert_eq!(press(app, "u"), [Effect::FindListed(marked.clone())]);
    app.update(Msg::Listed(marked, Ok(unknown.iter().copied().map(unresolved).collect())));
}

/// Returns the effect that resolves these plants.
fn resolves_all(seen: &[Decided], resolution: Resolution) -> Effect {
    Effect::Resolve(seen.to_vec(), resolution)
}

/// Returns four plants, three of them unknown.
fn mixed() -> [Row; 4] {
    [row(3, State::Unknown), row(4, State::Unknown), row(5, State::Stored), row(7, State::Unknown)]
}

#[test]
fn one_question_resolves_all_marked_plants_that_are_unknown() {
    let seen = [3, 4, 7].map(|id| Decided::listed(&unresolved(id))).to_vec();
    let kinds: Vec<_> = [3, 4, 7].map(|id| unresolved(id).unknown.unwrap().kind).to_vec();
    for (keys, act) in [
        ("", Act::Leave),
        ("<tab>", Act::Together(kinds, true)),
        ("<tab><tab>", Act::Together([3, 4, 7].map(|id| OperationKind::Delete(PlantId(id))).to_vec(), false)),
        ("<tab><tab><tab>", Act::Resolve(seen.clone(), Resolution::MarkStored)),
        ("<up>", Act::Resolve(seen.clone(), Resolution::Forget)),
    ] {
        let mut app = new_app();
        asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
        assert_eq!(title_of(&app), "Resolve these 3 unknown plants?");
        assert!(lines_of(&app).iter().any(|line| line == "1 plant is left out: not unknown."));
        press(&mut app, keys);
        assert_eq!(chosen(&app), act);
    }
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
    let deletes = [3, 4, 7].map(|id| OperationKind::Delete(PlantId(id)));
    assert_eq!(sent(&press(&mut app, "d")).into_iter().map(|sent| sent.kind).collect::<Vec<_>>(), deletes);
    // A resolution is one write with one message, and removes the marks.
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
    assert_eq!(press(&mut app, "<up><enter>"), [resolves_all(&seen, Resolution::Forget)]);
    let plants = [3, 4, 7].map(PlantId).to_vec();
    let written = Ok(vec![Ok(()), Err(JournalError::Overtaken), Ok(())]);
    app.update(Msg::Resolved(plants, Resolution::Forget, written));
    assert!(status_line(&app).starts_with("Forgot 2 plants. Nothing was sent. 1 plant is not resolved: "));
    // The mark of the stored plant would hide what is unknown.
    assert_eq!(app.cx.session.plants.marked.keys().copied().collect::<Vec<_>>(), [PlantId(4)]);
}

#[test]
fn operations_sent_again_together_have_one_message_and_reopen_no_form() {
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
    let asked = sent(&press(&mut app, "<tab><enter>"));
    let kinds: Vec<_> = asked.iter().map(|operation| operation.kind.clone()).collect();
    assert_eq!(kinds, [3, 4, 7].map(|id| unresolved(id).unknown.unwrap().kind));
    assert!(asked.iter().all(|operation| operation.seen.is_some()));
    assert_eq!(status_line(&app), "Sending 3 plants: 0 accepted, 0 rejected, 0 unknown, 0 not sent, 3 to go.");
    for (operation, status) in asked.iter().zip([409, 204, 201]) {
        app.update(responded(operation, status));
    }
    assert_eq!(
        status_line(&app),
        "Of 3 plants: 2 accepted, 1 rejected, 0 unknown, 0 not sent. 1 stays unknown; a 409 may be your own plant. u \
         resolves unknown ones."
    );
    assert!(!app.cx.display.has_dialog && app.behind() == 0 && app.cx.session.batch.is_none());
}

#[test]
fn marked_plants_without_an_unknown_one_say_so_and_a_single_one_has_its_own_question() {
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[]);
    assert_eq!(
        (!app.cx.display.has_dialog, status_line(&app)),
        (true, "None of the marked plants is unknown. Esc clears the marks; then u resolves the others.")
    );
    // For deletes alone, there is no choice to delete.
    let mut app = new_app();
    let deletes = [row(2, State::Unknown), row(4, State::Unknown)];
    asked_to_resolve(&mut app, &deletes, &[2, 4]);
    let labels: Vec<_> = question(&app).choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["Leave them", "Send again", "Mark as stored", "Forget the plants"]);
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[4]);
    assert!(title_of(&app).contains("still in the store"));
    // Read-only, only the choices that send nothing are left.
    let mut app = new_app();
    app.update(Msg::WorkerDied("boom".into()));
    press(&mut app, "<esc>");
    asked_to_resolve(&mut app, &mixed(), &[3, 4]);
    let labels: Vec<_> = question(&app).choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["Leave them", "Mark as stored", "Forget the plants"]);
}

#[test]
fn an_open_question_about_several_drops_those_resolved_elsewhere() {
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
    press(&mut app, "<tab>");
    let plants = [3, 4, 5, 7].map(PlantId).to_vec();
    assert!(app.update(Msg::JournalChanged).contains(&Effect::FindListed(plants.clone())));
    app.update(Msg::Listed(plants.clone(), Ok([3, 4, 7].map(unresolved).to_vec())));
    assert_eq!(question(&app).marked, 1, "nothing has changed");
    app.update(Msg::Listed(plants, Ok([3, 7].map(unresolved).to_vec())));
    assert_eq!((title_of(&app).as_str(), question(&app).marked), ("Resolve these 2 unknown plants?", 0));
    assert!(lines_of(&app).iter().any(|line| line == "2 plants are left out: not unknown."));
}

#[test]
fn a_question_about_several_names_them_in_a_small_terminal() {
    for (size, named) in [((60, 20), 6), ((50, 14), 1)] {
        let mut app = new_app();
        let rows = [1, 2, 3, 4, 5, 6].map(|id| row(id, State::Unknown));
        asked_to_resolve(&mut app, &rows, &[1, 2, 3, 4, 5, 6]);
        let shown = super::frame::screen_at(&app, size);
        let says = |text: &str| shown.iter().any(|row| row.contains(text));
        assert!((1..=named).all(|id| says(&format!(" plant {id} ({id})"))), "{shown:#?}");
        assert_eq!(says("; PageDown scrolls"), named < 6, "{shown:#?}");
        assert!(says("only you can say"), "{shown:#?}");
    }
}

#[test]
fn other_plants_to_resolve_do_not_change_an_open_question() {
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
    app.update(Msg::Listed([3, 4].map(PlantId).to_vec(), Ok([3, 4].map(unresolved).to_vec())));
    assert_eq!(title_of(&app), "Resolve these 3 unknown plants?");
}

#[test]
fn marks_alone_are_nothing_to_resolve() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "<space>");
    assert!(!frame::screen(&app).last().unwrap().contains("u resolve"));
    assert_eq!(press(&mut app, "u"), []);
    assert_eq!(status_line(&app), "u does nothing now: nothing is unknown.");
}

#[test]
fn a_question_after_a_404_is_withdrawn_once_its_plant_is_resolved() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    let operations = sent(&press(&mut app, "d<tab><enter>"));
    let Msg::Report(mut report) = not_found(&operations[0], row(7, State::Unknown)) else {
        unreachable!("it is a report")
    };
    let Report::Ended(ended) = report.as_mut() else { unreachable!("it has ended") };
    ended.unknown = Some(unknown_operation(2, OperationKind::Delete(PlantId(7))));
    app.update(Msg::Report(report));
    assert!(title(&app).starts_with("The store says it has no plant 7"));
    app.update(history(7, State::Unknown, Some(3)));
    assert!(!app.cx.display.has_dialog);
    assert!(status_line(&app).contains("plant 7 (7) was resolved or changed elsewhere"));
}

#[test]
fn plants_that_could_not_be_resolved_are_counted() {
    let mut app = new_app();
    app.update(window(&[row(3, State::Unknown), row(4, State::Unknown), row(7, State::Unknown)]));
    let overtaken = || Err(JournalError::Overtaken);
    let written = Ok(vec![Ok(()), overtaken(), overtaken()]);
    app.update(Msg::Resolved([3, 4, 7].map(PlantId).to_vec(), Resolution::MarkStored, written));
    let words = "Marked 1 plant as stored. Nothing was sent. 2 plants are not resolved: ";
    assert!(status_line(&app).starts_with(words), "{}", status_line(&app));
}

#[test]
fn a_resolved_plant_has_nothing_left_to_send_again() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown), row(8, State::Stored)]));
    let [resolved, other] = [7, 8].map(|id| OperationKind::Delete(PlantId(id)));
    app.cx.session.unsent.extend([resolved, other.clone()]);
    app.update(Msg::Resolved(vec![PlantId(7)], Resolution::MarkStored, Ok(vec![Ok(())])));
    assert_eq!(app.cx.session.unsent, [other]);
}

#[test]
fn operations_sent_again_together_after_the_worker_died_are_counted_as_not_sent() {
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
    app.update(Msg::WorkerDied("boom".into()));
    assert_eq!(sent(&press(&mut app, "<tab><enter>")), []);
    let words = "Of 3 plants: 0 accepted, 0 rejected, 0 unknown, 3 not sent.";
    assert!(status_line(&app).starts_with(words), "{}", status_line(&app));
    assert!(!app.cx.display.has_dialog, "no form opens for an add");
}

#[test]
fn operations_sent_again_together_wait_for_one_token_and_keep_no_form() {
    for (status, words) in [
        (None, "Of 3 plants: 0 accepted, 0 rejected, 0 unknown, 3 not sent."),
        (Some(401), "Of 3 plants: 0 accepted, 3 rejected, 0 unknown, 0 not sent."),
    ] {
        let mut app = App::new(info(), Keymap::default(), status.map(|_| token()));
        let _ = app.begin(Vec::new());
        press(&mut app, "<esc>");
        asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
        for operation in sent(&press(&mut app, "<tab><enter>")) {
            app.update(responded(&operation, status.unwrap()));
        }
        assert!(title(&app).starts_with("Token for"), "{status:?}");
        press(&mut app, "<esc>");
        assert!(status_line(&app).starts_with(words), "{}", status_line(&app));
        assert!(!app.cx.display.has_dialog && app.cx.session.drafts.is_empty(), "{status:?}");
    }
}

#[test]
fn the_question_says_what_the_store_said_when_the_operation_was_sent_again() {
    let add = OperationKind::add(Plant { name: "plant 7".into(), id: PlantId(7), tag: "t".into() });
    said_when_sent_again(&add, 409, "It may be yours: s marks it as stored.");
    said_when_sent_again(&OperationKind::Delete(PlantId(7)), 404, "The first may have worked: f forgets it.");
}

fn said_when_sent_again(kind: &OperationKind, status: u16, means: &str) {
    let exchange = |number, end: &dyn Fn(&Operation) -> Msg| {
        let id = OperationId { origin: 2, number };
        let Msg::Report(report) = end(&Operation::new(id, kind.clone(), Timestamp(0))) else { panic!("a report") };
        let Report::Ended(ended) = *report else { panic!("an end") };
        Exchange::clone(&ended.exchange)
    };
    let unknown = exchange(1, &|operation| failed(operation, FailureKind::TimedOut));
    let rejected = exchange(2, &|operation| responded(operation, status));
    let asked = |exchanges: &[&Exchange]| {
        let mut app = new_app();
        app.update(window(&[row(7, State::Unknown), row(8, State::Unknown)]));
        let exchanges = exchanges.iter().copied().cloned().collect();
        let unknown = Some(unknown_operation(2, kind.clone()));
        let history = PlantHistory { row: Some(row(7, State::Unknown)), unknown, exchanges };
        app.update(Msg::PlantHistory(PlantId(7), Ok(Box::new(history))));
        press(&mut app, "u");
        app.update(super::unknown(&[7, 8]));
        dialog(&app).text()
    };
    let says = format!("Sent again at 00:00:00: {status}, \"no ␛[2J\". {means}");
    assert!(asked(&[&rejected, &unknown]).contains(&says), "{}", asked(&[&rejected, &unknown]));
    for none in [&[&unknown][..], &[&unknown, &rejected]] {
        assert!(!asked(none).contains("Sent again"), "{}", asked(none));
    }
}

#[test]
fn rejected_resends_stay_unknown() {
    for (status, own) in [(409, "; a 409 may be your own plant"), (422, "")] {
        let mut app = new_app();
        asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
        for operation in sent(&press(&mut app, "<tab><enter>")) {
            app.update(responded(&operation, status));
        }
        let words =
            format!("Of 3 plants: 0 accepted, 3 rejected, 0 unknown, 0 not sent. All 3 stay unknown{own}. u resolves");
        assert!(status_line(&app).starts_with(&words), "{}", status_line(&app));
    }
}
