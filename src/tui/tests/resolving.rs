//! Resolving what is unknown: one plant at a time, all in a queue, and the marked ones at once.

use super::*;
use crate::domain::Unresolved;

#[test]
fn a_plant_unknown_is_resolved_by_a_person() {
    let plant = Plant { name: "plant 7".into(), id: PlantId(7), tag: "t".into() };
    let doubt = doubt(2, OperationKind::Add(plant));
    let plant_history =
        || PlantHistory { row: Some(row(7, State::Unknown)), unknown: Some(doubt.clone()), exchanges: Vec::new() };
    let word = |resolution| Act::Resolve(PlantId(7), Some(doubt.operation), resolution);
    let responses = [
        ("", Act::Leave),
        ("<tab>", Act::Send(doubt.kind.clone())),
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
fn a_word_that_comes_too_late_is_told_without_an_alarm_and_all_is_read_again() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(told(7, State::Unknown, Some(2)));
    let late = || Msg::Resolved(PlantId(7), Resolution::Forget, Err(JournalError::Overtaken));
    let effects = app.update(late());
    assert!(said(&app).contains("plant 7 (7) is not resolved: it was resolved or changed"));
    assert!(app.cx.out.status.notices.is_empty());
    assert!(matches!(effects.as_slice(), [Effect::Load(_), Effect::LoadPlantHistory(PlantId(7))]), "{effects:?}");
    // Any other reason is one to act on.
    app.update(Msg::Resolved(PlantId(7), Resolution::Forget, Err(JournalError::Closed)));
    assert_eq!(app.cx.out.status.notices.len(), 1);
}

#[test]
fn a_question_about_a_doubt_that_is_over_is_withdrawn() {
    for (now, doubt) in [(State::Stored, None), (State::Unknown, Some(3))] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Unknown)]));
        app.update(told(7, State::Unknown, Some(2)));
        press(&mut app, "u");
        app.update(told(7, State::Unknown, Some(2)));
        assert!(question(&app).title.contains("still in the store"));
        app.update(told(7, now, doubt));
        assert!(app.cx.display.is_plain);
        assert!(said(&app).contains("plant 7 (7) was resolved or changed elsewhere"));
    }
}

#[test]
fn a_doubt_elsewhere_in_the_view_is_found() {
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored), row(7, State::Unknown)]));
    assert_eq!(press(&mut app, "u"), [Effect::FindUnknown]);
    assert_eq!(app.update(doubts(&[7])), [Effect::LoadPlantHistory(PlantId(7))]);
    app.update(told(7, State::Unknown, Some(2)));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(7)));
    assert!(question(&app).title.contains("still in the store"));
}

#[test]
fn a_doubt_that_another_program_resolved_is_not_chased() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(told(7, State::Stored, None));
    press(&mut app, "u");
    assert_eq!(app.update(doubts(&[])), [Effect::LoadPlantHistory(PlantId(7))]);
    let effects = app.update(told(7, State::Stored, None));
    assert!(!effects.contains(&Effect::LoadPlantHistory(PlantId(7))), "{effects:?}");
    assert!(said(&app).contains("no longer unknown"));
}

/// An app whose resolve queue goes through 3, 5 and 8 and begins with 5, the selected one.
fn resolving() -> App {
    let mut app = new_app();
    app.update(window(&[3, 5, 8].map(|id| row(id, State::Unknown))));
    press(&mut app, "<down>");
    assert_eq!(press(&mut app, "u"), [Effect::FindUnknown]);
    assert_eq!(app.update(doubts(&[3, 5, 8])), [Effect::LoadPlantHistory(PlantId(5))]);
    app.update(told(5, State::Unknown, Some(2)));
    assert_eq!((asked_about(&app), place(&app)), (5, Some((1, 3))));
    app
}

fn asked_about(app: &App) -> i64 {
    question(app).about.unwrap().0
}

/// Which of how many the question in front is.
fn place(app: &App) -> Option<(usize, usize)> {
    let title = title(app);
    let (at, of) = title.split_once(": ")?.0.split_once(" of ")?;
    Some((at.parse().unwrap(), of.parse().unwrap()))
}

#[test]
fn a_queue_goes_through_all_that_is_unknown_and_says_what_is_left() {
    let mut app = resolving();
    // Settled: the next is asked about as soon as its story has come.
    let effects = press(&mut app, "<up><enter>");
    let word = Effect::Resolve(PlantId(5), Some(OperationId { origin: 2, number: 1 }), Resolution::Forget);
    assert_eq!(effects, [word, Effect::LoadPlantHistory(PlantId(8))]);
    app.update(Msg::Resolved(PlantId(5), Resolution::Forget, Ok(())));
    app.update(told(8, State::Unknown, Some(2)));
    assert_eq!((asked_about(&app), place(&app), app.cx.session.plants.selected), (8, Some((2, 3)), Some(PlantId(8))));
    // Sent again: it goes out, and the queue goes on, around.
    let effects = press(&mut app, "<tab><enter>");
    assert_eq!(
        sent(&effects).iter().map(|sent| sent.kind.clone()).collect::<Vec<_>>(),
        [OperationKind::Delete(PlantId(8))]
    );
    assert!(effects.contains(&Effect::LoadPlantHistory(PlantId(3))));
    app.update(told(3, State::Unknown, Some(2)));
    assert_eq!((asked_about(&app), place(&app)), (3, Some((3, 3))));
    // Left: at the end the journal tells what is left.
    assert_eq!(press(&mut app, "<enter>"), [Effect::FindUnknown]);
    assert!(app.cx.display.is_plain && !app.is_resolving());
    app.update(doubts(&[3]));
    assert_eq!(said(&app), "Still unknown: plant 3 (3); u goes on.");
    // The same again: the journal is asked anew.
    assert_eq!(press(&mut app, "u"), [Effect::FindUnknown]);
    assert_eq!(asked_about(&app), 3);
}

#[test]
fn a_queue_that_leaves_nothing_unknown_says_no_more_than_what_was_done() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(told(7, State::Unknown, Some(2)));
    press(&mut app, "u");
    assert_eq!(place(&app), None, "it is the only one as far as is known");
    // Answered before the journal has told whether there are others.
    assert_eq!(press(&mut app, "<up><enter>").len(), 1);
    app.update(Msg::Resolved(PlantId(7), Resolution::Forget, Ok(())));
    assert_eq!(app.update(doubts(&[7])), [Effect::FindUnknown]);
    app.update(doubts(&[]));
    assert_eq!(said(&app), "Forgotten here: plant 7 (7). Nothing was sent.");
    // What was done is not hidden by what is left.
    app.update(doubts(&[1, 2, 3, 4]));
    assert!(said(&app).starts_with("Forgotten here: plant 7 (7). Nothing was sent. Still unknown: plant 1 (1), "));
    assert!(said(&app).ends_with("plant 3 (3) and more; u goes on."));
}

#[test]
fn escape_ends_a_queue() {
    let mut app = resolving();
    assert_eq!(press(&mut app, "<esc>"), [Effect::FindUnknown]);
    app.update(doubts(&[3, 5, 8]));
    assert_eq!(said(&app), "Still unknown: plant 3 (3), plant 5 (5), plant 8 (8); u goes on.");
    assert_eq!(app.update(told(8, State::Unknown, Some(2))), []);
    assert!(app.cx.display.is_plain && !app.is_resolving());
    // So does Ctrl-C, and whoever does something else while the next story is still to come.
    let mut app = resolving();
    assert_eq!(press(&mut app, "<c-c>"), []);
    assert!(app.cx.display.is_plain && !app.is_resolving());
    let mut app = resolving();
    press(&mut app, "<enter>aFern");
    app.update(told(8, State::Unknown, Some(2)));
    assert_eq!((draft(&app).name.text(), app.is_resolving()), ("Fern", false));
}

#[test]
fn a_queue_passes_by_what_was_resolved_elsewhere_meanwhile() {
    let mut app = resolving();
    // The one it asks about: the question is withdrawn.
    assert!(app.update(told(5, State::Stored, None)).contains(&Effect::LoadPlantHistory(PlantId(8))));
    assert!(said(&app).contains("plant 5 (5) was resolved or changed elsewhere"));
    // The next one, and one whose story cannot be read.
    assert!(app.update(told(8, State::Adding, Some(2))).contains(&Effect::LoadPlantHistory(PlantId(3))));
    assert_eq!(said(&app), "plant 8 (8) is no longer unknown.");
    assert!(app.update(Msg::PlantHistory(PlantId(3), Err("damaged".into()))).contains(&Effect::FindUnknown));
    assert!(!app.is_resolving());
}

#[test]
fn a_queue_waits_while_something_else_is_open() {
    let mut app = resolving();
    let first = sent(&press(&mut app, "<tab><enter>"));
    // A refusal comes while the next story is on its way: its question opens over nothing.
    app.update(responded(&first[0], 401));
    assert!(title(&app).starts_with("Token for"));
    app.update(told(8, State::Unknown, Some(2)));
    assert!(title(&app).starts_with("Token for") && app.waiting() == 0);
    let effects = press(&mut app, "good<enter>");
    assert!(effects.contains(&Effect::LoadPlantHistory(PlantId(8))) && sent(&effects).len() == 1, "{effects:?}");
    app.update(told(8, State::Unknown, Some(2)));
    assert_eq!((asked_about(&app), place(&app)), (8, Some((2, 3))));
}

#[test]
fn a_queue_goes_to_plants_far_outside_the_window() {
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored), row(2, State::Unknown)]));
    press(&mut app, "u");
    app.update(doubts(&[900_000]));
    let effects = app.update(told(900_000, State::Unknown, Some(2)));
    assert!(effects.contains(&Effect::Load(around(Some(900_000)))), "{effects:?}");
    // A window that was asked for before it came there does not take the selection away.
    app.update(window(&[row(1, State::Stored)]));
    assert_eq!((app.cx.session.plants.selected, asked_about(&app)), (Some(PlantId(900_000)), 900_000));
}

#[test]
fn where_nothing_can_be_sent_a_queue_offers_only_words() {
    let words = |app: &App| question(app).choices.iter().map(|choice| choice.label).collect::<Vec<_>>();
    let mut app = resolving();
    app.update(Msg::WorkerDied("boom".into()));
    press(&mut app, "<enter>");
    app.update(told(8, State::Unknown, Some(2)));
    assert_eq!(words(&app), ["Leave it", "Mark as stored", "Forget it"]);
    let mut app = App::new(StoreInfo { read_only: true, ..info() }, Keymap::default(), false);
    let _ = app.begin(Vec::new());
    app.update(window(&[row(7, State::Unknown)]));
    app.update(told(7, State::Unknown, Some(2)));
    press(&mut app, "u");
    assert_eq!(words(&app), ["Leave it", "Mark as stored", "Forget it"]);
}

/// What the journal knows of an unknown plant: an add of it if its id is odd, else a delete.
fn unresolved(id: i64) -> Unresolved {
    let row = row(id, State::Unknown);
    let Details { name, tag } = row.details.clone().unwrap();
    let add = OperationKind::Add(Plant { name, id: PlantId(id), tag });
    Unresolved { row, doubt: doubt(2, if id % 2 == 1 { add } else { OperationKind::Delete(PlantId(id)) }) }
}

/// Marks all of these and presses `u`; the journal tells which of them are unknown.
fn asked_to_resolve(app: &mut App, rows: &[Row], unknown: &[i64]) {
    app.update(window(rows));
    press(app, &" ".repeat(rows.len()));
    let marked: Vec<_> = rows.iter().map(|row| row.id).collect();
    assert_eq!(press(app, "u"), [Effect::FindToResolve(marked.clone())]);
    app.update(Msg::ToResolve(marked, Ok(unknown.iter().copied().map(unresolved).collect())));
}

/// Four plants, three of them unknown.
fn mixed() -> [Row; 4] {
    [row(3, State::Unknown), row(4, State::Unknown), row(5, State::Stored), row(7, State::Unknown)]
}

#[test]
fn one_question_resolves_all_marked_plants_that_are_unknown() {
    let seen = [3, 4, 7].map(|id| (PlantId(id), OperationId { origin: 2, number: 1 })).to_vec();
    let asks: Vec<_> = [3, 4, 7].map(|id| unresolved(id).doubt.kind).to_vec();
    for (keys, act) in [
        ("", Act::Leave),
        ("<tab>", Act::ResendAll(asks)),
        ("<tab><tab>", Act::DeleteAll([3, 4, 7].map(PlantId).to_vec())),
        ("<tab><tab><tab>", Act::ResolveAll(seen.clone(), Resolution::MarkStored)),
        ("<up>", Act::ResolveAll(seen.clone(), Resolution::Forget)),
    ] {
        let mut app = new_app();
        asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
        assert_eq!(question(&app).title, "Resolve these 3 unknown plants?");
        assert!(question(&app).lines.iter().any(|line| line == "1 marked plant is left out: not unknown."));
        press(&mut app, keys);
        assert_eq!(chosen(&app), act);
    }
    // A word: one write, and one sentence for it; what is not marked any more is not asked about again.
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
    assert_eq!(press(&mut app, "<up><enter>"), [Effect::ResolveAll(seen, Resolution::Forget)]);
    let plants = [3, 4, 7].map(PlantId).to_vec();
    let written = Ok(vec![Ok(()), Err(JournalError::Overtaken), Ok(())]);
    app.update(Msg::ResolvedAll(plants, Resolution::Forget, written));
    assert!(
        said(&app).starts_with("On your word: 2 plants are forgotten. Nothing was sent. 1 plant is not resolved: ")
    );
    assert_eq!(app.cx.session.plants.marked.keys().copied().collect::<Vec<_>>(), [4, 5].map(PlantId));
}

#[test]
fn what_is_sent_again_together_is_told_in_one_line_and_opens_no_form() {
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
    let asked = sent(&press(&mut app, "<tab><enter>"));
    let asks: Vec<_> = asked.iter().map(|operation| operation.kind.clone()).collect();
    assert_eq!(asks, [3, 4, 7].map(|id| unresolved(id).doubt.kind));
    assert_eq!(said(&app), "Sending 3 plants: 0 accepted, 0 rejected, 0 unknown, 0 not sent, 3 to go.");
    for (operation, status) in asked.iter().zip([409, 204, 201]) {
        app.update(responded(operation, status));
    }
    assert_eq!(said(&app), "Of 3 plants: 2 accepted, 1 rejected, 0 unknown, 0 not sent. u resolves what is unknown.");
    assert!(app.cx.display.is_plain && app.waiting() == 0 && app.cx.session.batch.is_none());
}

#[test]
fn marks_that_leave_nothing_to_resolve_say_so_and_one_alone_is_asked_about_as_ever() {
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[]);
    assert_eq!(
        (app.cx.display.is_plain, said(&app)),
        (true, "None of the marked plants is unknown. Esc takes the marks away.")
    );
    // Of deletes alone, sending again is deleting.
    let mut app = new_app();
    let deletes = [row(2, State::Unknown), row(4, State::Unknown)];
    asked_to_resolve(&mut app, &deletes, &[2, 4]);
    let labels: Vec<_> = question(&app).choices.iter().map(|choice| choice.label).collect();
    assert_eq!(labels, ["Leave them", "Send again", "Mark as stored", "Forget them"]);
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[4]);
    assert!(question(&app).title.contains("still in the store"));
    // Where nothing can be sent, words are left.
    let mut app = new_app();
    app.update(Msg::WorkerDied("boom".into()));
    press(&mut app, "<esc>");
    asked_to_resolve(&mut app, &mixed(), &[3, 4]);
    let labels: Vec<_> = question(&app).choices.iter().map(|choice| choice.label).collect();
    assert_eq!(labels, ["Leave them", "Mark as stored", "Forget them"]);
}

#[test]
fn an_open_question_about_many_learns_what_was_resolved_elsewhere() {
    let mut app = new_app();
    asked_to_resolve(&mut app, &mixed(), &[3, 4, 7]);
    press(&mut app, "<tab>");
    let plants = [3, 4, 7].map(PlantId).to_vec();
    assert!(app.update(Msg::JournalChanged).contains(&Effect::FindToResolve(plants.clone())));
    app.update(Msg::ToResolve(plants.clone(), Ok([3, 4, 7].map(unresolved).to_vec())));
    assert_eq!(question(&app).marked, 1, "nothing has changed");
    app.update(Msg::ToResolve(plants, Ok([3, 7].map(unresolved).to_vec())));
    assert_eq!((question(&app).title.as_str(), question(&app).marked), ("Resolve these 2 unknown plants?", 0));
}
