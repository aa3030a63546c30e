//! Resolving unknown plants: one, all in a queue, and the marked ones at once.

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
        assert!(question(&app).title.contains("still in the store"));
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
    assert!(question(&app).title.contains("still in the store"));
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

/// Returns an app whose resolve queue has plants 3, 5 and 8, and begins with the selected one, 5.
fn resolving() -> App {
    let mut app = new_app();
    app.update(window(&[3, 5, 8].map(|id| row(id, State::Unknown))));
    press(&mut app, "<down>");
    assert_eq!(press(&mut app, "u"), [Effect::FindUnknown]);
    assert_eq!(app.update(unknown(&[3, 5, 8])), [Effect::LoadPlantHistory(PlantId(5))]);
    app.update(history(5, State::Unknown, Some(2)));
    assert_eq!((asked_about(&app), position(&app)), (5, Some((1, 3))));
    app
}

#[test]
fn keys_before_the_next_question_neither_answer_it_nor_reach_the_list() {
    for (key, is_answer) in [("d", false), ("s", true), ("a", true), (" ", false), ("q", false)] {
        let mut app = resolving();
        press(&mut app, "f");
        assert_eq!(press(&mut app, key), [], "{key}");
        assert_eq!(app.update(history(8, State::Unknown, Some(2))), [], "{key}");
        assert_eq!((asked_about(&app), app.cx.session.plants.marked.len()), (8, 0), "{key}");
        assert_eq!(status_line(&app).starts_with(&format!("Press {key} again")), is_answer, "{key}");
    }
    // Esc ends the queue; without another question, nothing acts.
    let mut app = resolving();
    press(&mut app, "f");
    assert_eq!(press(&mut app, "<esc>"), [Effect::FindUnknown]);
    assert!(!app.is_resolving());
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    press(&mut app, "ud");
    app.update(unknown(&[7]));
    app.update(history(7, State::Stored, None));
    assert_eq!((app.cx.display.has_dialog, app.is_resolving()), (false, false));
    assert!(status_line(&app).contains("What was typed meanwhile was dropped."), "{}", status_line(&app));
}

fn asked_about(app: &App) -> i64 {
    question(app).about.unwrap().0
}

/// Returns the number of the question in front, and of all.
fn position(app: &App) -> Option<(usize, usize)> {
    let title = title(app);
    let (at, of) = title.split_once(": ")?.0.split_once(" of ")?;
    Some((at.parse().unwrap(), of.parse().unwrap()))
}

#[test]
fn a_queue_asks_about_all_unknown_plants_and_names_the_rest() {
    let mut app = resolving();
    // After a resolution, the next question opens once its history is loaded.
    let effects = press(&mut app, "<up><up><enter>");
    let word = Effect::Resolve(vec![decided(5, Some(OperationId { origin: 2, number: 1 }))], Resolution::Forget);
    assert_eq!(effects, [word, Effect::LoadPlantHistory(PlantId(8))]);
    app.update(Msg::Resolved(vec![PlantId(5)], Resolution::Forget, Ok(vec![Ok(())])));
    app.update(history(8, State::Unknown, Some(2)));
    assert_eq!(
        (asked_about(&app), position(&app), app.cx.session.plants.selected),
        (8, Some((2, 3)), Some(PlantId(8)))
    );
    // After "Send again", the queue continues, and wraps around.
    let effects = press(&mut app, "<tab><enter>");
    assert_eq!(
        sent(&effects).iter().map(|sent| sent.kind.clone()).collect::<Vec<_>>(),
        [OperationKind::Delete(PlantId(8))]
    );
    assert!(effects.contains(&Effect::LoadPlantHistory(PlantId(3))));
    app.update(history(3, State::Unknown, Some(2)));
    assert_eq!((asked_about(&app), position(&app)), (3, Some((3, 3))));
    // At the end, the message names the plants that are still unknown.
    assert_eq!(press(&mut app, "<enter>"), [Effect::FindUnknown]);
    assert!(!app.cx.display.has_dialog && !app.is_resolving());
    app.update(unknown(&[3]));
    assert_eq!(status_line(&app), "Still unknown: plant 3 (3); u continues.");
    // A new queue loads the unknown plants again.
    assert_eq!(press(&mut app, "u"), [Effect::FindUnknown]);
    assert_eq!(asked_about(&app), 3);
}

#[test]
fn a_queue_that_resolves_everything_keeps_the_last_message() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    press(&mut app, "u");
    assert_eq!(position(&app), None, "it is the only one as far as is known");
    // A choice before the other unknown plants are loaded.
    assert_eq!(press(&mut app, "<up><enter>").len(), 1);
    app.update(Msg::Resolved(vec![PlantId(7)], Resolution::Forget, Ok(vec![Ok(())])));
    assert_eq!(app.update(unknown(&[7])), [Effect::FindUnknown]);
    app.update(unknown(&[]));
    assert_eq!(status_line(&app), "Forgot plant 7 (7): it is no longer in the list. Nothing was sent.");
    // The message about the resolution stays before the names of the rest.
    app.update(unknown(&[1, 2, 3, 4]));
    assert!(status_line(&app).starts_with(
        "Forgot plant 7 (7): it is no longer in the list. Nothing was sent. Still unknown: plant 1 (1), "
    ));
    assert!(status_line(&app).ends_with("plant 3 (3) and more; u continues."));
}

#[test]
fn esc_ends_a_queue() {
    let mut app = resolving();
    assert_eq!(press(&mut app, "<esc>"), [Effect::FindUnknown]);
    app.update(unknown(&[3, 5, 8]));
    assert_eq!(status_line(&app), "Still unknown: plant 3 (3), plant 5 (5), plant 8 (8); u continues.");
    assert_eq!(app.update(history(8, State::Unknown, Some(2))), []);
    assert!(!app.cx.display.has_dialog && !app.is_resolving());
    // So does Ctrl-C, and a click on another command while the next history is being loaded.
    let mut app = resolving();
    assert_eq!(press(&mut app, "<c-c>"), []);
    assert!(!app.cx.display.has_dialog && !app.is_resolving());
    let mut app = resolving();
    press(&mut app, "<enter>");
    app.update(clicked(Target::Command(crate::tui::input::Command::Add)));
    press(&mut app, "Fern");
    app.update(history(8, State::Unknown, Some(2)));
    assert_eq!((draft(&app).name.text(), app.is_resolving()), ("Fern", false));
}

#[test]
fn a_queue_skips_plants_that_were_resolved_elsewhere() {
    let mut app = resolving();
    // The question about a resolved plant is withdrawn.
    assert!(app.update(history(5, State::Stored, None)).contains(&Effect::LoadPlantHistory(PlantId(8))));
    assert!(status_line(&app).contains("plant 5 (5) was resolved or changed elsewhere"));
    // The next plant is skipped, and so is one whose history cannot be read.
    assert!(app.update(history(8, State::Adding, Some(2))).contains(&Effect::LoadPlantHistory(PlantId(3))));
    assert_eq!(status_line(&app), "plant 8 (8) is no longer unknown.");
    assert!(app.update(Msg::PlantHistory(PlantId(3), Err("damaged".into()))).contains(&Effect::FindUnknown));
    assert!(!app.is_resolving());
}

#[test]
fn a_question_that_takes_the_place_of_a_withdrawn_one_is_not_answered_by_the_key_for_that() {
    let mut app = resolving();
    app.update(history(5, State::Stored, None));
    app.update(history(8, State::Unknown, Some(2)));
    assert_eq!(question(&app).about, Some(PlantId(8)));
    assert_eq!(press(&mut app, "r"), [], "the first press marks");
    assert_eq!(sent(&press(&mut app, "r"))[0].kind.plant_id(), PlantId(8));
}

#[test]
fn a_queue_waits_while_another_dialog_is_open() {
    let mut app = resolving();
    let first = sent(&press(&mut app, "<tab><enter>"));
    // A rejection opens its dialog while the next history is being loaded; the queue waits.
    app.update(responded(&first[0], 401));
    assert!(title(&app).starts_with("Token for"));
    app.update(history(8, State::Unknown, Some(2)));
    assert!(title(&app).starts_with("Token for") && app.behind() == 0);
    let effects = press(&mut app, "good<enter>");
    assert!(effects.contains(&Effect::LoadPlantHistory(PlantId(8))) && sent(&effects).len() == 1, "{effects:?}");
    app.update(history(8, State::Unknown, Some(2)));
    assert_eq!((asked_about(&app), position(&app)), (8, Some((2, 3))));
}

#[test]
fn a_queue_reaches_plants_outside_the_window() {
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored), row(2, State::Unknown)]));
    press(&mut app, "u");
    app.update(unknown(&[900_000]));
    let effects = app.update(history(900_000, State::Unknown, Some(2)));
    assert!(effects.contains(&Effect::Load(around(Some(900_000)))), "{effects:?}");
    // A window from an earlier query does not move the selection.
    app.update(window(&[row(1, State::Stored)]));
    assert_eq!((app.cx.session.plants.selected, asked_about(&app)), (Some(PlantId(900_000)), 900_000));
}

#[test]
fn a_read_only_queue_offers_only_choices_that_send_nothing() {
    let words = |app: &App| question(app).choices.iter().map(|choice| choice.label.clone()).collect::<Vec<_>>();
    let mut app = resolving();
    app.update(Msg::WorkerDied("boom".into()));
    press(&mut app, "<enter>");
    app.update(history(8, State::Unknown, Some(2)));
    assert_eq!(words(&app), ["Leave it", "Mark as stored", "Forget the plant", "All together"]);
    let mut app = App::new(StoreInfo { read_only: true, ..info() }, Keymap::default(), None);
    let _ = app.begin(Vec::new());
    app.update(window(&[row(7, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    press(&mut app, "u");
    assert_eq!(words(&app), ["Leave it", "Mark as stored", "Forget the plant"]);
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
        assert_eq!(question(&app).title, "Resolve these 3 unknown plants?");
        assert!(question(&app).lines.iter().any(|line| line == "1 marked plant is left out: not unknown."));
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
    assert!(question(&app).title.contains("still in the store"));
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
    assert_eq!((question(&app).title.as_str(), question(&app).marked), ("Resolve these 2 unknown plants?", 0));
    assert!(question(&app).lines.iter().any(|line| line == "2 marked plants are left out: not unknown."));
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
        assert_eq!(says(" of 6; PageDown scrolls"), named < 6, "{shown:#?}");
        assert!(says("only you can say"), "{shown:#?}");
    }
}

#[test]
fn other_plants_to_resolve_do_not_change_an_open_question() {
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
    app.update(Msg::Listed([3, 4].map(PlantId).to_vec(), Ok([3, 4].map(unresolved).to_vec())));
    assert_eq!(question(&app).title, "Resolve these 3 unknown plants?");
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
fn a_question_that_came_between_is_none_of_the_queue() {
    let mut app = resolving();
    let again = sent(&press(&mut app, "<tab><enter>"));
    app.update(not_found(&again[0], row(5, State::Unknown)));
    assert_eq!((asked_about(&app), position(&app)), (5, None));
    // Nor once the history of the next plant has come.
    app.update(history(8, State::Unknown, Some(2)));
    assert_eq!((asked_about(&app), position(&app)), (5, None));
    // Its plant is not kept selected when it leaves the list.
    app.update(window(&[3, 8].map(|id| row(id, State::Unknown))));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(8)));
}

#[test]
fn a_queue_begins_with_the_selected_plant_even_if_the_list_is_old() {
    let mut app = new_app();
    app.update(window(&[row(3, State::Unknown), row(5, State::Stored), row(8, State::Unknown)]));
    assert_eq!(press(&mut app, "<down>u").last(), Some(&Effect::FindUnknown));
    assert_eq!(app.update(unknown(&[3, 5, 8])), [Effect::LoadPlantHistory(PlantId(5))]);
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
fn what_became_of_a_plant_of_the_queue_is_decided_before_the_next_plant() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown), row(8, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    press(&mut app, "u");
    app.update(unknown(&[7, 8]));
    let delete = sent(&press(&mut app, "r")).remove(0);
    app.update(history(8, State::Unknown, Some(3)));
    app.update(not_found(&delete, row(7, State::Unknown)));
    assert_eq!(title(&app), "The store says it has no plant 7");
    press(&mut app, "<enter>");
    assert!(title(&app).contains("plant 8"), "{}", title(&app));
}

#[test]
fn the_rest_of_the_queue_is_decided_in_one_question() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown), row(8, State::Unknown), row(9, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    press(&mut app, "u");
    assert!(!dialog(&app).says("All together"), "the others are not read yet");
    app.update(unknown(&[7, 8, 9]));
    press(&mut app, "n");
    app.update(history(8, State::Unknown, Some(2)));
    assert!(dialog(&app).says("a  All together"), "{:#?}", dialog(&app));
    assert_eq!(press(&mut app, "a"), [Effect::FindListed(vec![PlantId(8), PlantId(9)])]);
    let found = |id: i64| {
        let unknown = unknown_operation(2, OperationKind::Delete(PlantId(id)));
        ListedPlant { row: row(id, State::Unknown), unknown: Some(unknown) }
    };
    app.update(Msg::Listed(vec![PlantId(8), PlantId(9)], Ok(vec![found(8), found(9)])));
    assert_eq!(title(&app), "Resolve these 2 unknown plants?");
    press(&mut app, "<esc>");
    assert!(!app.cx.display.has_dialog, "the queue is over");
    // One is not together with others.
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    press(&mut app, "u");
    app.update(unknown(&[7]));
    assert!(title(&app).ends_with("store?") && !dialog(&app).says("All together"), "{}", title(&app));
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
