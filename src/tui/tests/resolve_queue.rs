//! Resolving the unknown plants one by one, in a queue of questions.

use super::*;

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
    assert_eq!(status_line(&app), "Forgot plant 7 (7). Nothing was sent.");
    // The message about the resolution stays before the names of the rest.
    app.update(unknown(&[1, 2, 3, 4]));
    assert!(status_line(&app).starts_with("Forgot plant 7 (7). Nothing was sent. Still unknown: plant 1 (1), "));
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
fn a_queue_asks_once_more_about_an_add_that_was_sent_again_and_rejected() {
    let mut app = resolving();
    let add = OperationKind::add(Plant { name: "Ivy".into(), id: PlantId(5), tag: "t".into() });
    let operation = Operation::new(OperationId { origin: 1, number: 1 }, add.clone(), Timestamp(0));
    press(&mut app, "<enter>");
    app.update(history(8, State::Unknown, Some(2)));
    let Msg::Report(mut report) = responded(&operation, 409) else { unreachable!("it is a report") };
    let Report::Ended(ended) = report.as_mut() else { unreachable!("it has ended") };
    ended.unknown = Some(unknown_operation(2, add));
    app.update(Msg::Report(report));
    // After the question in front, and before the others.
    assert_eq!((asked_about(&app), position(&app)), (8, Some((2, 4))));
    assert!(press(&mut app, "<enter>").contains(&Effect::LoadPlantHistory(PlantId(5))));
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
